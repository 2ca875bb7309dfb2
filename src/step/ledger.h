/* ledger.h: the energy ledger of a step: what one body and one contact add to it, and all of them. */
#ifndef TRUNDLE_STEP_LEDGER_H
#define TRUNDLE_STEP_LEDGER_H

#include "base/assert.h"
#include "step/motion.h"

/* ---- one body and one contact */

/* Books work on a free body by loads, by its gyroscopic torque and by the theta shift of gravity. */
LOT_TEXT void ledger_body(const step *s, size_t i, tru_ledger *l) {
    const tru_world *w = s->w;
    const body *b = &w->bodies.items[i];
    const body_step *m = &s->body_steps[i];
    const twist mean = mean_twist(s, i);
    TRU_ASSERT(body_is_free(b) && (m->dynamics || (b->isotropic && w->loads.count == 0)));
    if (s->ends) l->theta_shift -= 0.5 * s->h * b->mass * v3_dot(w->gravity, v3_sub(b->v, m->start.v));
    if (w->loads.count > 0)
        l->loads += s->h * (v3_dot(m->dynamics->force, mean.v) + v3_dot(m->dynamics->torque, mean.w));
    if (!b->isotropic) l->gyroscopic -= s->h * gyro_work(m, mean.w);
}

/* What a contact that yields gave to its bodies: with force F, overlap d at the start and d' = c F at the end, F d - c F^2 is
 * the energy d^2/2c - c F^2/2 of its spring, less (d - d')^2/2c that is lost because F is that of the end. A gap d < 0
 * stores nothing. Returns it all. */
static inline double ledger_spring(tru_ledger *l, const contact *c, double h) {
    TRU_ASSERT(c->pair->compliance > 0.0 && h > 0.0);
    const double give = c->pair->compliance, force = contact_rest(c, TRU_ROW_NORMAL) / h, d = -c->c.gap;
    const double left = d - give * force, whole = fmax(d, 0.0);
    const double before = 0.5 * whole * whole / give, after = 0.5 * give * force * force;
    const double lost = d >= 0.0 ? 0.5 * left * left / give : after - force * d;
    l->theta_shift -= lost;
    l->stored += after;
    l->stiffness += before;
    return before - after - lost;
}

/* True if an impact went through the island of the contact. */
static inline bool contact_jolted(const step *s, const contact *c) { return s->jolted && s->jolted[c->a]; }

/* The normal row where the law acts on gamma = u_end + bias, and on what the contact yields; m: its mean rate. */
static inline void ledger_normal(const step *s, const contact *c, double gamma, double m, tru_ledger *l,
                                 tru_solve_info *info) {
    const double p = c->impulse[TRU_ROW_NORMAL], rest = contact_rest(c, TRU_ROW_NORMAL), bias = c->bias;
    const bool impact = (c->flags & (CONTACT_IMPACT | CONTACT_STRUCK)) || contact_jolted(s, c);
    const bool closes = impact || ((c->flags & CONTACT_NEW) && bias > 0.0);
    const bool soft = s->normal_terms && s->normal_terms[c - s->w->contacts.items].soft > 0.0;
    const bool relaxed = c->flags & CONTACT_RELAXED, jolt = impact || ((c->flags & CONTACT_NEW) && !soft);
    /* gamma less a gap that stays is the rate of the end; half of it is the mean of a jolt, which takes the other half of the start */
    const double rises = gamma - (soft ? 0.0 : larger(0.0, bias));
    const double lift = !relaxed ? 0.0 : jolt ? 0.5 * rest * larger(0.0, rises) : rest * rises;
    const double recovered = soft ? ledger_spring(l, c, s->h) : closes || (relaxed && bias > 0.0) ? 0.0 : -rest * bias;
    l->lift += lift;
    /* in steady slip the gap is h s(u) and stays: it lifts, and does not hop; an open contact may keep a trace of an impulse */
    if (c->flags & CONTACT_RELAXED && rest > 1e-6 * s->w->bodies.items[c->a].mass * gamma) {
        info->lift = larger(info->lift, gamma);
        info->hop = larger(info->hop, bias > 0.0 ? gamma - bias : gamma);
    }
    if (!soft) l->stabilisation += recovered;
    if (jolt)
        l->impact -= p * m - lift - recovered;
    else
        l->theta_shift += p * m - lift - recovered;
}

/* Books one row with impulse p, mean rate m, and the rate that its law saw. */
static inline void book_row(double p, double m, double seen, bool impact, double *sink, double *shift) {
    *sink -= p * (impact ? m : seen);
    if (!impact) *shift += p * (m - seen);
}

/* Books the work of a contact whose bodies have these mean velocities; u: rates that its laws acted on, without the factor theta. Lift
 * and hop go into `info`. */
static inline void ledger_contact(const step *s, const contact *c, const twist *a, const twist *b, const double *u,
                                  tru_ledger *l, tru_solve_info *info) {
    const twist still = {{0, 0, 0}, {0, 0, 0}};
    double m[TRU_ROWS], drive[TRU_ROWS];
    const bool impact = (c->flags & (CONTACT_NEW | CONTACT_IMPACT | CONTACT_STRUCK)) || contact_jolted(s, c);
    middle_rates(c, a, b, m);
    if (s->ends)
        ledger_normal(s, c, u[0], m[TRU_ROW_NORMAL], l, info);
    else
        book_row(c->impulse[TRU_ROW_NORMAL], m[TRU_ROW_NORMAL], 0.0, impact, &l->impact, &l->theta_shift);
    for (int row = TRU_ROW_SLIDE1; row <= TRU_ROW_SLIDE2; row++)
        book_row(c->impulse[row], m[row], c->theta * u[row], impact, &l->slide, &l->theta_shift);
    if (c->pair->claims & PAIR_COUPLES) { /* else these rows carry nothing */
        const int spin = TRU_ROW_SPIN;
        book_row(c->impulse[spin], m[spin], c->theta * u[spin], impact, &l->spin, &l->theta_shift);
        for (int row = TRU_ROW_ROLL1; row <= TRU_ROW_ROLL2; row++)
            book_row(c->impulse[row], m[row], c->theta * u[row], impact, &l->roll, &l->theta_shift);
    }
    if (!s->driven || s->w->bodies.items[c->b].kind != TRU_DRIVEN) return;
    middle_rates(c, &still, b, drive); /* minus the rates of B's surface */
    for (int row = 0; row < TRU_ROWS; row++) l->drives -= c->impulse[row] * drive[row];
}

/* ---- all */

/* Books the step's work in the ledger; velocities are those at the end, geometry that where the laws acted. Many contacts or bodies
 * are booked by segments, whose sums are added in their order: they do not depend on the number of threads. */
void trui_ledger_book(step *s);

#endif
