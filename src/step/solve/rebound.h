/* rebound.h: impacts with restitution within a step (stepper cone). */
#ifndef TRUNDLE_STEP_SOLVE_REBOUND_H
#define TRUNDLE_STEP_SOLVE_REBOUND_H

#include "step/step.h"

/* When a contact strikes and how fast it then separates. */
typedef struct rebound {
    double when; /* [s] after the start of the step */
    double hits; /* [m/s] closing speed then */
    double
        speed; /* [m/s] of separation that the rate of the end stands for, restitution times `hits` but for gravity */
} rebound;

/* Returns how a body moves on without the contact: a body at rest or on a joint is held. */
static inline const twist *twist_until_struck(const step *s, size_t i) {
    const body *b = &s->w->bodies.items[i];
    return b->resting || b->joints > 0 ? &s->body_steps[i].start : &s->kicked[i];
}

/* Rates of the end of a step move poses, so they are those of the step's middle: the gap follows the parabola gap - C t - a t^2/2 with
 * C the mean of the closing speeds at start and end. It is closed at speed sqrt(C^2 + 2 a gap); from there the rate of the end is that of
 * the middle of this step in flight. */
static inline rebound contact_rebound(const step *s, const contact *c) {
    const double h = s->h, gap = larger(0.0, c->c.gap);
    const double start = -middle_rate(c, &s->body_steps[c->a].start, &s->body_steps[c->b].start);
    const double end = -middle_rate(c, twist_until_struck(s, c->a), twist_until_struck(s, c->b));
    const double mean = 0.5 * (start + end), gain = end - start; /* gain: a h */
    const double hits = sqrt(larger(0.0, mean * mean + 2.0 * gain * gap / h));
    const double when = mean + hits > 0.0 ? fmin(h, 2.0 * gap / (mean + hits)) : 0.0;
    return (rebound){when, hits, larger(0.0, c->pair->restitution * hits + gain * (when / h - 0.5))};
}

#endif
