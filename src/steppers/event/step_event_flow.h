/* step_event_flow.h: unknowns and rates of a body that slips, rolls or flies, as the integrator sees them. */
#ifndef TRUNDLE_STEPPERS_EVENT_STEP_EVENT_FLOW_H
#define TRUNDLE_STEPPERS_EVENT_STEP_EVENT_FLOW_H

#include "math/radau.h"
#include "steppers/event/step_event_view.h"

#define EVENT_WEDGE 1e-6 /* [-] 1 - mu a.e at which slip counts as a Painleve paradox: the force is 1e6 times N0 */

/* Unknowns of the integrator. Flight has v and x after t, slip has ln u and phi. With several planes the path of the contact point
 * follows. */
enum { Y_Q, Y_W = 4, Y_T = 7, Y_V = 8, Y_X = 11, FLIGHT_UNKNOWNS = 14, Y_SIGMA = 8, Y_PHI = 9 };
/* Quantities that are integrated along, then those that are watched for a change from >= 0 to < 0. */
enum {
    GAIN_PATH1,
    GAIN_PATH2,
    GAIN_SLIDE, /* work of sliding */
    GAIN_LOADS, /* work of loads */
    GAIN_PUSH1, /* impulse along t1, t2, n */
    GAIN_PUSH2,
    GAIN_PUSH3,
    GAINS,
    WATCH_NORMAL = GAINS, /* normal force */
    WATCH_WEDGE,          /* 1 - mu a.e: slip in its direction has a finite force */
    WATCH_CONE,           /* friction suffices for rolling */
    WATCH_TOUCH,          /* no other point touches; in flight: no point at all */
    WATCHES_END
};

/* Independent variable: time, or tau with dt = sqrt(u) dtau or dt = u dtau. In the last one slip ends smoothly. In the second it
 * begins smoothly at the friction cone, where u grows as t^2. */
typedef enum event_clock { CLOCK_TIME, CLOCK_ROOT, CLOCK_SLIP } event_clock;

/* Context of the rates below. */
typedef struct event_flow {
    const event_view *view;
    int clock;      /* event_clock */
    bool others;    /* other points could touch */
    tru_vec3 point; /* in contact: where the path is zero, world axes from view.origin */
} event_flow;

/* Compute the rates in each mode, for the integrator. */
radau_rate trui_event_slip_rate, trui_event_roll_rate, trui_event_flight_rate;
/* Returns dt/dtau of a clock at ln u = sigma. */
double trui_event_clock_rate(int clock, double sigma);

#endif
