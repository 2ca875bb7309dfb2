/* world.h: all data of a simulation: bodies, solids, pairs, contacts with their history, joints, events. */
#ifndef TRUNDLE_WORLD_WORLD_H
#define TRUNDLE_WORLD_WORLD_H

#include <trundle/plugin.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/assert.h"
#include "parallel/parallel.h"
#include "world/body.h"
#include "world/contact.h"
#include "world/joint.h"
#include "world/pair.h"
#include "world/pair_list.h"

/* A factor as a function of time: linear between knots, constant outside them; 1 without knots. */
typedef struct schedule {
    tru_knot *knots;
    size_t count;
} schedule;

/* Force and torque on a body. */
typedef struct load {
    tru_id id;
    tru_id body;
    bool body_axes;         /* force and torque turn with the body */
    tru_vec3 force, torque; /* [N], [N m] */
    schedule schedule;
} load;

/* Velocities of a driven body. */
typedef struct motion {
    tru_id body;
    tru_vec3 v, w; /* [m/s], [rad/s] */
    schedule schedule;
} motion;

typedef ARRAY(double) double_array;

/* Events that the program has not taken yet. If the ring is full, a new event replaces the oldest one. */
#define EVENT_ROOM 4096
typedef struct event_ring {
    tru_event *items; /* EVENT_ROOM of them; the oldest is at `first` */
    size_t first, count;
    uint64_t lost; /* number of events that were replaced */
} event_ring;

/* Hash table from names to ids with open addressing. A slot is 0 or holds an id below 2^48 under the highest bits of its name's hash. */
typedef struct name_table {
    uint64_t *slots;
    size_t room, used; /* room is a power of two or 0; at most three quarters of it are used */
} name_table;

struct tru_world {
    memory memory;
    tru_vec3 gravity;    /* [m/s^2] */
    double overlap;      /* [-] */
    crew threads[1];     /* runs its parallel loops */
    tru_id next_id;      /* of the next body; ids are not reused */
    uint64_t generation; /* grows whenever pointers to bodies become stale (tru_bodies_view) */

    ARRAY(material) materials;
    ARRAY(pair) pairs;
    ARRAY(int32_t) pair_table; /* index of the pair of two materials, or -1; materials^2 entries after tru_check */
    ARRAY(const tru_law *) own_laws;
    body_array bodies;
    ARRAY(body_label) labels; /* one per body */
    ARRAY(solid) solids;      /* in the order of bodies */
    ARRAY(load) loads;        /* in the order of ids */
    tru_id next_load;         /* ids begin at 1; 0: the world never had a load */
    ARRAY(motion) motions;
    ARRAY(joint) joints; /* in the order of ids */
    tru_id next_joint;   /* ids begin at 1; 0: the world never had a joint */
    ARRAY(start_mode) starts;
    name_table names;

    contact_array contacts; /* of the last step, sorted by key */
    contact_array contacts_before;
    contact_end_array ends, ends_before; /* contacts point to them, in the order in which contacts were found */
    springs_array springs, springs_before;
    double_array history, history_before; /* history_stride doubles per contact */
    contact_array contacts_kept;          /* at the start of a step that consists of several inner steps */
    contact_end_array ends_kept;          /* the ends of these contacts */
    ARRAY(start_contact)
    at_start;              /* contacts before the first step, by key; kept in it until the stepper has read them */
    bool start_told;       /* their events were reported */
    size_t history_stride; /* largest pair.history */
    pair_list pair_list;   /* solids that may touch */

    const tru_stepper *stepper;
    void *stepper_params;
    const tru_solver *solver; /* the one that the stepper's parameters name, or NULL */
    void *solver_params;
    bool checked;           /* tru_check succeeded and nothing changed since */
    tru_id overlap_checked; /* bodies with smaller ids have passed the check of overlaps at the start */
    tru_id stepped;         /* bodies with smaller ids have been in a step */
    bool moved;             /* a pose or velocity was set from outside, so that contact places are not of this pose */

    arena scratch;
    ARRAY(body_start) before; /* bodies before the last step */
    ARRAY(tru_quat)
    middle;           /* orientations where the laws of the last step acted; empty: those before it (body_middle) */
    double time_base; /* [s] time = time_base + steps_here * step */
    uint64_t steps_here, steps_done;
    double step;        /* [s] */
    double spring_rate; /* [-] stepper track: default stiffness as a multiple of mass / step^2 */
    tru_ledger ledger;  /* [J] without kinetic and potential energy, which tru_world_ledger computes */
    double energy_seen; /* [J] largest energy of the bodies so far (books.h); it only decides whether a step fails */
    tru_solve_info solve;
    tru_solve_totals solve_totals; /* accumulated since the program last read them */
    event_ring events;
    double (*clock)(void); /* [s] the user's clock; NULL: no profile is kept */
    tru_profile profile;
};

/* Releases everything that a world owns. */
void trui_world_release(tru_world *w);
/* Returns the index of a body; SIZE_MAX if it does not exist. */
size_t trui_body_index(const tru_world *w, tru_id id);
/* Finds the index of a body. Fails with a sentence that begins with `who`, or without it if `who` is NULL. */
tru_status trui_body_seek(const tru_world *w, tru_id id, const char *who, size_t *k, tru_error *err);
/* Returns the potential energy in gravity [J]; 0 unless the body is free. */
double trui_body_potential(const tru_world *w, const body *b);
/* Sets the body indices of all joints and the bodies' numbers of joints. Call it after bodies or joints were added or removed. */
void trui_joints_link(tru_world *w);
/* Returns true if a joint keeps two bodies, given by index, from touching each other. */
bool trui_bodies_joined(const tru_world *w, size_t a, size_t b);
/* Releases the parameters of the laws. */
void trui_pair_release(memory *m, pair *p);
/* Returns the pair of two materials, given by index, or the default pair; NULL if there is neither. Searches all pairs, while
 * trui_world_pair of world.h needs a table that tru_check makes. */
const pair *trui_pair_between(const tru_world *w, uint32_t a, uint32_t b);
/* Makes that table; false if there is no memory. */
bool trui_world_fill_pairs(tru_world *w);
/* Returns the factor of a schedule at a time [s]. */
double trui_schedule_factor(const schedule *s, double time);
/* Copies knots into a schedule; false if there is no memory. */
bool trui_schedule_copy(memory *m, schedule *out, const tru_knot *knots, size_t count);
/* Releases the knots. */
void trui_schedule_release(memory *m, schedule *s);
/* Sets the velocities [m/s], [rad/s] of a driven body at a time [s]; zero if it has no motion. */
void trui_driven_rates(const tru_world *w, const body *b, double time, tru_vec3 *v, tru_vec3 *rate);
/* Appends an event; a full ring loses its oldest one. */
void trui_world_event(tru_world *w, const tru_event *event);
/* Returns the time [s]. */
double trui_world_time(const tru_world *w);
/* Returns how contacts of two bodies begin; neither stuck nor slipping if nothing was declared, or after the first step. */
start_mode trui_world_start(const tru_world *w, tru_id a, tru_id b);

/* Returns the pair of two solids; NULL if their materials have none. Needs the table of trui_world_fill_pairs. */
static inline const pair *trui_world_pair(const tru_world *w, const solid *a, const solid *b) {
    TRU_ASSERT(a->material < w->materials.count && b->material < w->materials.count);
    const int32_t k = w->pair_table.items[a->material * w->materials.count + b->material];
    TRU_ASSERT(k < 0 || (size_t)k < w->pairs.count);
    return k < 0 ? NULL : &w->pairs.items[k];
}
/* Marks the world as changed by something other than a new body: tru_check has to run again, and the pair list is to be rebuilt. */
static inline void world_changed(tru_world *w) { w->checked = w->pair_list.good = false; }
/* Marks the world as controlled: numbers changed that only steps read, so it is not checked again, but the last step cannot be judged.
 * Before the first step, and after a pose was set, the next check has to see the start with these numbers. */
static inline void world_controlled(tru_world *w) {
    array_clear(&w->before);
    if (w->steps_done == 0 || w->moved) world_changed(w);
}
/* Returns the time of the user's clock [s]; 0 without one. */
static inline double world_clock(const tru_world *w) { return w->clock ? w->clock() : 0.0; }

/* Return name, centre of mass [m] in body axes and level axis of body k. */
static inline const char *body_name(const tru_world *w, size_t k) { return label_name(&w->labels.items[k]); }
static inline tru_vec3 body_centre(const tru_world *w, size_t k) {
    const label_details *more = label_details_of(&w->labels.items[k]);
    return more ? more->centre : v3_zero();
}
static inline tru_vec3 body_level(const tru_world *w, size_t k) {
    const label_details *more = label_details_of(&w->labels.items[k]);
    return more ? more->level : v3_zero();
}
/* Returns the orientation of body i where the laws of the last step acted. */
static inline tru_quat body_middle(const tru_world *w, size_t i) {
    return w->middle.count > 0 ? w->middle.items[i] : w->before.items[i].q;
}
/* Returns body i as it was before the last step. */
static inline body body_before(const tru_world *w, size_t i) {
    TRU_ASSERT(i < w->before.count && i < w->bodies.count);
    body b = w->bodies.items[i];
    body_put_back(&b, &w->before.items[i]);
    return b;
}

#endif
