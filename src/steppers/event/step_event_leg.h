/* step_event_leg.h: smooth motion of a body between two events. */
#ifndef TRUNDLE_STEPPERS_EVENT_STEP_EVENT_LEG_H
#define TRUNDLE_STEPPERS_EVENT_STEP_EVENT_LEG_H

#include "steppers/event/step_event_flow.h"

#define EVENT_LEAST_SLIP 1e-13 /* [-] slip that counts as none, relative to the speed scale */
#define EVENT_SMALL_LIFT                                                                                               \
    1e-6 /* [-] normal speed of a lasting contact, or of a rebound, that counts as none; likewise */

/* How the body moves during a leg. */
typedef enum event_mode { MODE_SLIP, MODE_ROLL, MODE_FLIGHT, MODE_HANDOVER } event_mode;

/* State of a step: a sequence of legs. */
typedef struct event_machine {
    event_view v;
    event_state s; /* now */
    event_mode mode;
    double end;           /* of the step */
    double sigma, phi;    /* slip: ln u, direction */
    bool rising;          /* slip that began at the friction cone */
    double least;         /* slip that counts as none */
    double rebound;       /* normal speed with which the present flight began */
    bool slipping;        /* the scene says that the first contact does not hold */
    double tolerance;     /* of the integrator */
    int limit_case;       /* of the last decision, -1: none */
    int stopped;          /* watch that ended the last leg, or -1 */
    int trials;           /* of the integrator */
    double gained[GAINS]; /* over the step */
    double impact;        /* work of impacts along the normal */
    double lifted;        /* potential energy gained by moving onto the plane */
    event_flow flow;
    radau r;
} event_machine;

/* Return a vector in contact axes, and in world axes. */
static inline tru_vec3 event_in_contact(const event_machine *m, tru_vec3 a) { return m3_apply(m->v.axes, a); }
static inline tru_vec3 event_in_world(const event_machine *m, tru_vec3 a) { return m3_apply_t(m->v.axes, a); }
/* Returns the speed that tolerances of speeds are relative to. */
static inline double event_speed_scale(const event_machine *m) {
    return 1.0 + v3_norm(m->s.v) + m->v.reach * v3_norm(m->s.w);
}
/* Computes the dynamics at the present state. */
static inline void event_dynamics_now(const event_machine *m, event_dynamics *d) {
    trui_event_dynamics_at(&m->v, m->s.q, event_in_contact(m, m->s.w), m->s.t, d);
}
/* Returns the velocity of the contact point, contact axes. */
static inline tru_vec3 event_point_velocity(const event_machine *m, const event_dynamics *d) {
    return v3_sub(event_in_contact(m, m->s.v), v3_cross(event_in_contact(m, m->s.w), d->arm));
}
/* Sets the velocity of the centre so that the contact point has velocity u. */
static inline void event_set_point_velocity(event_machine *m, const event_dynamics *d, tru_vec3 u) {
    m->s.v = event_in_world(m, v3_add(u, v3_cross(event_in_contact(m, m->s.w), d->arm)));
}

/* Sets the integrator to the present state. */
void trui_event_begin_leg(event_machine *m);
/* Takes the integrator's point as the state; the contact point has covered `path`. */
void trui_event_end_leg(event_machine *m, vec2 path);
/* Integrates until a watch falls, slip ends, or t = stop. Returns false if the integrator cannot advance. */
bool trui_event_leg(event_machine *m, double stop);

#endif
