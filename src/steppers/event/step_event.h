/* step_event.h: one body on planes as the stepper `event` sees it: pure numbers, contact axes, rates in each mode.
 *
 * Units are powers of two near the body's size, its mass and the time it needs to fall its own size: nothing is rounded
 * on the way in and out, and no result depends on the units of the world. Axes of a contact: (t1, t2, n). */
#ifndef TRUNDLE_STEPPERS_EVENT_STEP_EVENT_H
#define TRUNDLE_STEPPERS_EVENT_STEP_EVENT_H

#include <trundle/analysis.h>

#include "math/radau.h"
#include "step/one_body/one_body.h"
#include "step/motion.h"

#define EVENT_TOUCHING 1e-7 /* gap below which a point touches, in parts of the body's size */

/* A point of the body at a plane. */
typedef struct event_touch {
    size_t solid, plane; /* solids of the world; SIZE_MAX: none */
    int32_t feature;
    double gap; /* [size unit] */
} event_touch;

typedef struct event_view {
    tru_world *w;
    const body *b;             /* the free body */
    double length, time, mass; /* [m], [s], [kg] the units */
    double start;              /* [s] of the world, where t = 0 */
    double inv_mass;
    tru_mat3 inertia, inverse; /* body axes */
    bool guided;               /* the axis `level` of the body stays at right angles to z */
    tru_vec3 level;            /* body axes */
    tru_vec3 gravity;          /* world axes */
    tru_vec3 origin;           /* [m] world: positions below are relative to it */
    double reach;              /* radius of the body */
    size_t plane_count;
    event_touch at;           /* the point in contact */
    tru_mat3 axes;            /* world to contact axes: rows t1, t2, n */
    coulomb_numbers friction; /* stribeck in the unit of speed */
    double restitution;
} event_view;

/* State outside of a contact's own variables; world axes. */
typedef struct event_state {
    double t;
    tru_quat q;
    tru_vec3 w, v, x; /* x from view.origin, of the centre of mass */
} event_state;

/* What a contact force does at a state; turning in body axes, the rest in contact axes. */
typedef struct event_dynamics {
    tru_mat3 body_axes;        /* body to contact axes */
    tru_vec3 arm;              /* r, from the contact point to the centre of mass */
    tru_vec3 turn[3];          /* angular acceleration per force along t1, t2, n */
    tru_vec3 turn_free;        /* angular acceleration without contact force */
    tru_vec3 force, torque;    /* of loads, without gravity */
    vec2 path;                 /* w_P */
    tru_limit_problem problem; /* response, free_point, friction */
    double n0, a1, a2;         /* N = N0 - a.F_t */
    sym2 s;                    /* dslip/dt = C + S F_t */
    vec2 c;                    /* */
} event_dynamics;

/* Unknowns of the integrator; flight has v and x after t, slip has ln u and phi; with several planes the path of the
 * contact point is there too. */
enum { Y_Q, Y_W = 4, Y_T = 7, Y_V = 8, Y_X = 11, FLIGHT_UNKNOWNS = 14, Y_SIGMA = 8, Y_PHI = 9 };
/* What is integrated along, and watched for a change from >= 0 to < 0. */
enum {
    GAIN_PATH1,
    GAIN_PATH2,
    GAIN_SLIDE, /* work of sliding */
    GAIN_LOADS, /* work of loads */
    GAIN_PUSH1, /* impulse along t1, t2, n */
    GAIN_PUSH2,
    GAIN_PUSH3,
    GAINS,
    WATCH_NORMAL = GAINS, /* the contact pushes */
    WATCH_WEDGE,          /* 1 - mu a.e: slip in its direction has a finite force */
    WATCH_CONE,           /* friction suffices for rolling */
    WATCH_TOUCH,          /* no other point touches; in flight: no point at all */
    WATCHES_END
};

/* What the unknowns are functions of: time, or tau with dt = sqrt(u) dtau or dt = u dtau. Slip dies out smoothly in the
 * last, and begins smoothly at the friction cone, where u grows as t^2, in the second. */
typedef enum event_clock { CLOCK_TIME, CLOCK_ROOT, CLOCK_SLIP } event_clock;

/* Context of the rates below. */
typedef struct event_flow {
    const event_view *view;
    int clock;      /* event_clock */
    bool others;    /* there are other points that could touch */
    tru_vec3 point; /* in contact: where the path is zero, world axes from view.origin */
} event_flow;

radau_rate trui_event_slip_rate, trui_event_roll_rate, trui_event_flight_rate;
/* dt/dtau of a clock at ln u = sigma. */
double trui_event_clock_rate(int clock, double sigma);

/* The view of a world with its body at the start of a step of h [s]. */
event_view trui_event_view_of(tru_world *w, double h);
event_state trui_event_state_of(const event_view *v);
/* Put a state into the body. */
void trui_event_write(const event_view *v, const event_state *s);
/* Make a point the one in contact: axes, friction, restitution. */
void trui_event_set_contact(event_view *v, const event_touch *at);
/* The lowest of all points at planes (but for the one in contact), and how many of them touch. */
event_touch trui_event_lowest(const event_view *v, tru_quat q, tru_vec3 x, int *touching);
/* Height of the point in contact over its plane. */
double trui_event_contact_gap(const event_view *v, tru_quat q, tru_vec3 x);
/* At attitude q, angular velocity w in contact axes and time t. */
void trui_event_dynamics_at(const event_view *v, tru_quat q, tru_vec3 w, double t, event_dynamics *d);
/* What a guide leaves of angular accelerations, body axes: those that a force makes, and the one without a force. */
typedef struct event_guide {
    tru_vec3 axis;  /* about which the body may not turn by itself */
    tru_vec3 moved; /* angular acceleration per couple about it, over that about it */
    double asked;   /* of the angular acceleration about it, because it turns */
} event_guide;
/* At body axes r (to world) with the angular velocity wb in body axes. */
event_guide trui_event_guide_at(const event_view *v, const tru_mat3 *r, tru_vec3 wb);
static inline tru_vec3 event_guided(const event_guide *g, double asked, tru_vec3 rate) {
    return v3_madd(rate, asked - v3_dot(g->axis, rate), g->moved);
}

/* Loads at time t on a body turned by r, in world axes. */
void trui_event_loads_at(const event_view *v, const tru_mat3 *r, double t, tru_vec3 *force, tru_vec3 *torque);
/* Angular acceleration in contact axes under the contact force (F1, F2, N). */
tru_vec3 trui_event_turning(const event_dynamics *d, tru_vec3 force);
/* Time of the next knot of a load's schedule after t, or `end`. */
double trui_event_next_knot(const event_view *v, double t, double end);

/* ---- the machine that goes through a step */

#define EVENT_LEAST_SLIP 1e-13 /* slip that counts as none, in parts of the speed scale */
#define EVENT_WEDGE      1e-6 /* [-] 1 - mu a.e at which slip counts as a Painleve paradox: the force is 1e6 times N0 */
#define EVENT_SMALL_LIFT 1e-6 /* normal speed that a lasting contact may have picked up, or a rebound that is none */

typedef enum event_mode { MODE_SLIP, MODE_ROLL, MODE_FLIGHT, MODE_HANDOVER } event_mode;

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
    double lifted;        /* potential gained by moving onto the plane */
    event_flow flow;
    radau r;
} event_machine;

static inline tru_vec3 event_in_contact(const event_machine *m, tru_vec3 a) { return m3_apply(m->v.axes, a); }
static inline tru_vec3 event_in_world(const event_machine *m, tru_vec3 a) { return m3_apply_t(m->v.axes, a); }
static inline double event_speed_scale(const event_machine *m) {
    return 1.0 + v3_norm(m->s.v) + m->v.reach * v3_norm(m->s.w);
}
static inline void event_dynamics_now(const event_machine *m, event_dynamics *d) {
    trui_event_dynamics_at(&m->v, m->s.q, event_in_contact(m, m->s.w), m->s.t, d);
}
/* Velocity of the contact point, contact axes. */
static inline tru_vec3 event_point_velocity(const event_machine *m, const event_dynamics *d) {
    return v3_sub(event_in_contact(m, m->s.v), v3_cross(event_in_contact(m, m->s.w), d->arm));
}
/* The centre's velocity that belongs to a contact point with this velocity. */
static inline void event_set_point_velocity(event_machine *m, const event_dynamics *d, tru_vec3 u) {
    m->s.v = event_in_world(m, v3_add(u, v3_cross(event_in_contact(m, m->s.w), d->arm)));
}

/* step_event_leg.c: set the integrator to the state; take the integrator's point as the state, the contact point having
 * gone `path`; integrate until a watch falls, slip is nothing, or t = stop. False: the integrator is stuck. */
void trui_event_begin_leg(event_machine *m);
void trui_event_end_leg(event_machine *m, vec2 path);
bool trui_event_leg(event_machine *m, double stop);

/* step_event_change.c: what is next. An event of the world; moreau takes over (with the case that made it so, or -1); a
 * point is or comes down on a plane (a `lasting` contact was there before, and `stuck`); a leg has ended. */
void trui_event_announce(event_machine *m, int kind, int row_kind, double speed);
void trui_event_hand_over(event_machine *m, int limit_case);
void trui_event_touch_down(event_machine *m, const event_touch *at, bool lasting, bool stuck);
void trui_event_next_mode(event_machine *m);

/* step_event_judge.c */
tru_status trui_event_judge(const void *params, const tru_world *w, tru_verdict *out, tru_error *err);

#endif
