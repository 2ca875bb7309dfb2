/* sim.h: a simulation inside io/: a world with its plan, probes, events, stop conditions, emitters and outlets. */
#ifndef TRUNDLE_IO_SIM_H
#define TRUNDLE_IO_SIM_H

#include "common/outlet.h"
#include "probes/probe.h"
#include "scene/values/scene.h"

typedef struct sim_probe {
    char *name;
    probe probe;
} sim_probe;

/* A stop condition of the scene, looked up in the world. */
typedef struct sim_stop {
    int32_t kind; /* scene_stop_kind */
    tru_id body;  /* TRU_NONE: any, or all */
    char *name;   /* of the body or the probe; NULL: none */
    int32_t event, row_kind;
    uint64_t count, seen; /* events wanted, events so far */
    size_t probe;
    bool below;
    double limit; /* [unit of the probe] */
} sim_stop;

/* What an emitter has done. */
typedef struct sim_emitter {
    uint64_t made, tries;
} sim_emitter;

/* A body that has left. */
typedef struct sim_gone {
    tru_id id;
    char name[64];
} sim_gone;

enum { SIM_FIRSTS = 1000, SIM_FIRST_SLOTS = 4096 };

/* Events: all since the last recording, the earliest of the run, the first of each kind per body, and counts. */
typedef struct sim_events {
    tru_event *fresh, *kept, *firsts;
    size_t fresh_count, fresh_room, kept_count, kept_room, first_count, first_room;
    uint16_t first_slots[SIM_FIRST_SLOTS]; /* 1 + index in firsts, 0: free */
    uint64_t counts[TRU_EVENT_KINDS][TRU_KINDS];
    uint64_t lost, lost_base; /* not seen in time: in this run, and of the world when the run began */
} sim_events;

struct tru_sim {
    const tru_scene *scene; /* NULL: the world came from elsewhere */
    tru_world *world;
    char *stepper, *command; /* command: NULL until given */
    int threads;
    tru_plan plan;      /* its own; probe_names is not used */
    uint64_t last_step; /* UINT64_MAX: no end */
    bool recorded;      /* results are open */

    contact_view contacts;
    sim_probe *probes;
    size_t probe_count, probe_room; /* the first plan.probe_count are the plan's */
    sim_stop *stops;
    size_t stop_count, stop_room;
    sim_emitter *emitters;
    size_t emitter_count;
    outlet_list outlets; /* its own */
    size_t left_now;     /* bodies that left after the last step */
    sim_gone *gone;      /* by id */
    size_t gone_count, gone_room;
    bool came_now;       /* an emitter made one before it */
    size_t first_bodies; /* that the world began with */
    sim_events events;
    tru_solve_totals solver, solver_row; /* of the run, and since the last row of results */
    double wall_before;                  /* [s] wall time of the runs this one resumes */
    struct sim_lengths *resumed;         /* of the snapshot it was resumed from, NULL: from the start */
    bool done, ended;                    /* ended: because the plan did */
    char reason[200];
    char remark[sizeof((tru_error *)0)->text]; /* of the check before the first step; "": none */
};

/* ---- sim.c */

/* A simulation of any world, which it owns from then on, also when it fails; stops are added with trio_sim_add_stop. */
tru_status trio_sim_from_world(tru_world *world, const char *stepper, const tru_plan *plan, tru_sim **out,
                               tru_error *err);
/* Set the end of the plan; a simulation that had ended continues if the new end is later. Not a time from 0 on: no end. */
void trio_sim_set_end(tru_sim *sim, double until);
/* The first step after `now` that lies nearest to a multiple of `interval` [s]; every step if that is no longer than a
 * step, UINT64_MAX if it is 0. */
uint64_t trio_sim_due_after(double interval, double step, uint64_t now);
uint64_t trio_sim_next_frame(const tru_sim *sim); /* after the present step */
uint64_t trio_sim_next_row(const tru_sim *sim);
bool trio_sim_frame_is_due(const tru_sim *sim); /* at the present step */
bool trio_sim_row_is_due(const tru_sim *sim);
void trio_solve_totals_add(tru_solve_totals *sum, const tru_solve_totals *more);

/* ---- sim_events.c */

tru_status trio_sim_collect_events(tru_sim *sim, tru_error *err);
/* Count and keep one event; false: no memory. */
bool trio_sim_keep_event(sim_events *e, const tru_event *event);
void trio_sim_events_release(sim_events *e);
/* After a snapshot was read: put the slots of the firsts back. */
void trio_sim_events_index(sim_events *e);

/* ---- sim_stop.c */

tru_status trio_sim_add_stop(tru_sim *sim, const scene_stop *stop, tru_error *err);
/* Look at events [first, fresh_count) and probes; sets done and reason. */
void trio_sim_check_stops(tru_sim *sim, size_t first);
bool trio_sim_stops_every_step(const tru_sim *sim);

/* ---- sim_probe.c */

/* Finds the bodies that have come since the last call, for probes that wait for them. */
void trio_sim_find_probes(tru_sim *sim);

/* ---- sim_emitter.c */

/* Adds the bodies that are due by now. */
tru_status trio_sim_emit(tru_sim *sim, tru_error *err);
bool trio_sim_emitters_finished(const tru_sim *sim);
/* True if an emitter of the scene makes a body of this name, now or later: 'rain-3' of the emitter 'rain'. */
bool trio_sim_body_comes(const tru_sim *sim, const char *name);
/* Bodies there can ever be, those that are removed again included; at least 1. */
size_t trio_sim_most_bodies(const tru_sim *sim);

/* ---- sim_outlet.c */

/* The outlets of a scene, once its world is there; a body that is inside one already is an error. */
tru_status trio_sim_set_outlets(tru_sim *sim, const tru_scene *scene, tru_error *err);
/* Remove the bodies that are inside an outlet now; the run is done when no free body is left and none will come. */
tru_status trio_sim_let_leave(tru_sim *sim, tru_error *err);

#endif
