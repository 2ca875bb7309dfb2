/* sim_state.h: a simulation inside io/: a world with its plan, probes, events, stop conditions, emitters and outlets. */
#ifndef TRUNDLE_IO_SIM_STATE_H
#define TRUNDLE_IO_SIM_STATE_H

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
    uint64_t lost, lost_base; /* events that the ring dropped: in this run, and in the world before it */
} sim_events;

struct tru_sim {
    const tru_scene *scene; /* NULL if the world was not built from a scene */
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

#endif
