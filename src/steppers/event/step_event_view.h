/* step_event_view.h: one body on planes in pure numbers: its state, contact geometry and dynamics.
 *
 * Units are powers of two near the body's size, its mass and the time in which it falls its own size. So nothing is rounded on the
 * way in and out, and no result depends on the units of the world. Axes of a contact are (t1, t2, n). */
#ifndef TRUNDLE_STEPPERS_EVENT_STEP_EVENT_VIEW_H
#define TRUNDLE_STEPPERS_EVENT_STEP_EVENT_VIEW_H

#include <trundle/analysis.h>

#include "step/one_body/one_body.h"
#include "step/motion.h"

#define EVENT_TOUCHING 1e-7 /* [-] gap below which a point touches, relative to the body's size */

/* A point of the body at a plane. */
typedef struct event_touch {
    size_t solid, plane; /* solids of the world; SIZE_MAX: none */
    int32_t feature;
    double gap; /* [size unit] */
} event_touch;

/* A world with one free body and planes, in pure numbers. */
typedef struct event_view {
    tru_world *w;
    const body *b;             /* the free body */
    double length, time, mass; /* [m], [s], [kg] the units */
    double start;              /* [s] time of the world where t = 0 */
    double inv_mass;
    tru_mat3 inertia, inverse; /* body axes */
    bool guided;               /* the axis `level` of the body stays at right angles to z */
    tru_vec3 level;            /* body axes, unit vector */
    tru_vec3 gravity;          /* world axes */
    tru_vec3 origin;           /* [m] world axes: positions below are relative to it */
    double reach;              /* radius of the body */
    size_t plane_count;
    event_touch at;           /* the point in contact */
    tru_mat3 axes;            /* world to contact axes: rows t1, t2, n */
    coulomb_numbers friction; /* stribeck in the unit of speed */
    double restitution;
} event_view;

/* Time, pose and velocities; world axes. */
typedef struct event_state {
    double t;
    tru_quat q;
    tru_vec3 w, v, x; /* x from view.origin, of the centre of mass */
} event_state;

/* Response to a contact force at a state: turning in body axes, the rest in contact axes. */
typedef struct event_dynamics {
    tru_mat3 body_axes;        /* body to contact axes */
    tru_vec3 arm;              /* r, from the contact point to the centre of mass */
    tru_vec3 turn[3];          /* angular acceleration per force along t1, t2, n */
    tru_vec3 turn_free;        /* angular acceleration without contact force */
    tru_vec3 force, torque;    /* of loads, without gravity */
    vec2 path;                 /* w_P: velocity of the contact point over the surface */
    tru_limit_problem problem; /* response, free_point, friction */
    double n0, a1, a2;         /* N = N0 - a.F_t */
    sym2 s;                    /* dslip/dt = C + S F_t */
    vec2 c;                    /* C: slip acceleration without friction */
} event_dynamics;

/* A guide that keeps an axis level, in body axes. It changes angular accelerations by a couple about `axis`. */
typedef struct event_guide {
    tru_vec3 axis;  /* direction about which the guide prescribes the angular acceleration */
    tru_vec3 moved; /* angular acceleration per couple about it, relative to that about it */
    double asked;   /* angular acceleration about it that keeps the axis level */
} event_guide;

/* Returns the view of a world with its body at the start of a step of h [s]. */
event_view trui_event_view_of(tru_world *w, double h);
/* Returns the state of the body. */
event_state trui_event_state_of(const event_view *v);
/* Stores a state in the body. */
void trui_event_write(const event_view *v, const event_state *s);
/* Sets the point in contact, with axes, friction and restitution. */
void trui_event_set_contact(event_view *v, const event_touch *at);
/* Returns the lowest of all points at planes except the one in contact, and stores in *touching how many of them touch. `touching`
 * may be NULL. */
event_touch trui_event_lowest(const event_view *v, tru_quat q, tru_vec3 x, int *touching);
/* Computes the dynamics at attitude q, angular velocity w in contact axes and time t. */
void trui_event_dynamics_at(const event_view *v, tru_quat q, tru_vec3 w, double t, event_dynamics *d);
/* Returns the guide at body axes r (to world) with the angular velocity wb in body axes; all zero without a guide. */
event_guide trui_event_guide_at(const event_view *v, const tru_mat3 *r, tru_vec3 wb);
/* Returns the angular acceleration that a guide leaves of `rate`, with `asked` about its axis. */
static inline tru_vec3 event_guided(const event_guide *g, double asked, tru_vec3 rate) {
    return v3_madd(rate, asked - v3_dot(g->axis, rate), g->moved);
}
/* Computes the loads at time t on a body turned by r, in world axes. */
void trui_event_loads_at(const event_view *v, const tru_mat3 *r, double t, tru_vec3 *force, tru_vec3 *torque);
/* Returns the angular acceleration in contact axes under the contact force (F1, F2, N). */
tru_vec3 trui_event_turning(const event_dynamics *d, tru_vec3 force);
/* Returns the time of the next knot of a load's schedule after t, or `end`. */
double trui_event_next_knot(const event_view *v, double t, double end);

#endif
