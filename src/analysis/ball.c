/* ball.c: a ball that slides, rolls and stops along the line of steepest slope, phase by phase in closed form.
 *
 * m v' = m g sin + f, J w' = -R f + M with |f| <= mu N against the slip u = v - R w, |M| <= rho N against w, N = m g cos;
 * rolling w = v/R. Spin about the normal is independent: J w_n' = -sigma N. */
#include <trundle/analysis.h>

#include "math/elementary/elementary.h"

#include "base/assert.h"

#include <math.h>

#define NO_SLIP 1e-12 /* [-] slip over speed that counts as round-off */

/* Numbers of a ball on its incline. */
typedef struct slope {
    double pull, normal; /* [m/s^2] g sin, g cos of the incline */
    double ratio;        /* [-] J / (m R^2) */
    double roll;         /* [-] rho / R */
} slope;

/* Returns these numbers. */
static slope slope_of(const tru_ball *b) {
    slope s;
    tru_sincos(b->incline, &s.pull, &s.normal);
    s.pull *= b->gravity;
    s.normal *= b->gravity;
    s.ratio = b->inertia / (b->mass * b->radius * b->radius);
    s.roll = b->roll / b->radius;
    return s;
}

static double sign(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; }

/* [s] Returns the time until a quantity x that changes by `rate` is zero; infinite if it never is. */
static double time_to_zero(double x, double rate) { return x * rate < 0.0 ? -x / rate : HUGE_VAL; }

/* Fills in distance and end of a phase from its start, accelerations and duration. */
static void finish(tru_ball_phase *p) {
    TRU_ASSERT(!(p->time < 0.0));
    p->distance = 0.0;
    if (p->mode != TRU_BALL_RESTS) p->distance = p->velocity * p->time + 0.5 * p->acceleration * p->time * p->time;
    if (p->time == HUGE_VAL && p->mode != TRU_BALL_RESTS) {
        const double way = p->acceleration != 0.0 ? p->acceleration : p->velocity;
        p->distance = way == 0.0 ? 0.0 : copysign(HUGE_VAL, way);
        p->end_velocity = p->acceleration != 0.0 ? copysign(HUGE_VAL, p->acceleration) : p->velocity;
        p->end_rate = p->spin_up != 0.0 ? copysign(HUGE_VAL, p->spin_up) : p->rate;
        return;
    }
    p->end_velocity = p->velocity + p->acceleration * p->time;
    p->end_rate = p->rate + p->spin_up * p->time;
}

/* Returns the phase of slipping towards `way`: friction is at its limit, the roll couple opposes the rotation or prevents it. */
static tru_ball_phase slides(const tru_ball *b, const slope *s, double v, double w, double way) {
    TRU_ASSERT(way == 1.0 || way == -1.0);
    tru_ball_phase p = {.mode = TRU_BALL_SLIDES, .velocity = v, .rate = w};
    const double turn = w != 0.0 ? sign(w) : way, drive = way * b->slide - turn * s->roll;
    p.acceleration = s->pull - way * b->slide * s->normal;
    p.spin_up = w == 0.0 && b->slide <= s->roll ? 0.0 : drive * s->normal / (s->ratio * b->radius);
    const double stick = time_to_zero(v - b->radius * w, p.acceleration - b->radius * p.spin_up);
    const double turned = time_to_zero(w, p.spin_up);
    p.time = fmin(stick, turned);
    finish(&p);
    if (p.time < HUGE_VAL && stick <= turned) p.end_rate = p.end_velocity / b->radius;
    if (turned < stick) p.end_rate = 0.0;
    return p;
}

/* Returns the phase without slip: the ball rolls with the couple towards -turn if friction suffices, else it begins to slide. */
static tru_ball_phase rolls(const tru_ball *b, const slope *s, double v, double turn) {
    const double a = (s->pull - turn * s->roll * s->normal) / (1.0 + s->ratio), friction = a - s->pull;
    if (fabs(friction) > b->slide * s->normal) return slides(b, s, v, v / b->radius, -sign(friction));
    tru_ball_phase p = {.mode = TRU_BALL_ROLLS, .velocity = v, .rate = v / b->radius, .acceleration = a};
    p.spin_up = a / b->radius;
    p.time = time_to_zero(v, a);
    finish(&p);
    if (p.time < HUGE_VAL) p.end_velocity = p.end_rate = 0.0;
    return p;
}

tru_ball_phase tru_ball_next(const tru_ball *b, double v, double w) {
    const slope s = slope_of(b);
    const double slip = v - b->radius * w;
    if (fabs(slip) > NO_SLIP * (fabs(v) + b->radius * fabs(w))) return slides(b, &s, v, w, sign(slip));
    if (v != 0.0) return rolls(b, &s, v, sign(v));
    if (s.pull > s.roll * s.normal) return rolls(b, &s, 0.0, 1.0);
    if (s.pull > b->slide * s.normal) return slides(b, &s, 0.0, 0.0, 1.0);
    tru_ball_phase rest = {.mode = TRU_BALL_RESTS, .time = HUGE_VAL};
    return rest;
}

int tru_ball_after(const tru_ball *b, double v, double w, double t, tru_ball_phase *last, double *position) {
    double x = 0.0;
    tru_ball_phase p = tru_ball_next(b, v, w);
    int passed = 0;
    while (p.time < t && passed < 8) { /* slide, turn, slide, roll, stop, roll back: at most 6 */
        t -= p.time;
        x += p.distance;
        passed++;
        p = tru_ball_next(b, p.end_velocity, p.end_rate);
    }
    if (p.mode != TRU_BALL_RESTS) x += p.velocity * t + 0.5 * p.acceleration * t * t;
    p.velocity += p.acceleration * t;
    p.rate += p.spin_up * t;
    p.time -= t;
    if (last) *last = p;
    if (position) *position = x;
    return passed;
}

double tru_ball_spin_time(const tru_ball *b, double spin_rate) {
    const double limit = b->spin * b->mass * slope_of(b).normal;
    return spin_rate == 0.0 ? 0.0 : limit > 0.0 ? b->inertia * fabs(spin_rate) / limit : HUGE_VAL;
}
