/* step_variational_trust.c: whether the end of a step of `variational` can be trusted.
 *
 * The equations of a step have several solutions once it is long: Newton's method then ends at one that no motion leads to,
 * and explicit methods leave their range of stability. Both show in the energy. Variational schemes keep its numerical part
 * in a band of order step^2 that does not grow with time; a step that leaves a band of a tenth of the energy is refused, and
 * so is one that turns the body by more than a quarter turn. */
#include "steppers/step_variational.h"

#include "base/error.h"
#include "math/quat.h"

#define ENERGY_BAND 0.1 /* [-] numerical part of all energy; the grazing disk of the note has 0.03 at 1 ms */
#define COSINE_TURN 0x1.6a09e667f3bcdp-1 /* [-] of half the largest turn in a step: pi/4 */

static double kinetic_of(const rolling *r, const rolling_node *k) {
    const body *b = &r->w->bodies.items[r->body];
    const tru_vec3 w = quat_unrotate(k->q, k->w);
    return 0.5 * (b->mass * v3_norm2(k->v) + v3_dot(w, m3_apply(body_inertia_of(b), w)));
}

/* Potential energy above the plane. */
static double potential_of(const rolling *r, const rolling_node *k) {
    return fabs(r->w->bodies.items[r->body].mass * v3_dot(r->pull, r->n) * v3_dot(k->arm, r->n));
}

static double numerical(const tru_ledger *l) { return l->theta_shift + l->gyroscopic; }
static double lost(const tru_ledger *l) { return l->slide + l->spin + l->roll + l->impact; }

static tru_status fail(const rolling *r, const char *what, double value, const char *limit, tru_error *err) {
    return tru_fail(
        err, TRU_NO_SOLUTION,
        "step %llu (t = %.9g s): step is %.6g s, too long for body '%s': %s %.3g, must be at most %s; take a "
        "shorter step",
        (unsigned long long)r->w->steps_done + 1, r->time + r->h, r->whole, body_name(r->w, r->body), what, value,
        limit);
}

tru_status rolling_trust(const rolling *r, const rolling_node *start, const rolling_result *out, tru_error *err) {
    const tru_ledger *before = &r->w->ledger;
    const tru_quat turn = quat_mul(quat_conj(start->q), out->end.q);
    if (!(fabs(turn.w) >= COSINE_TURN))
        return fail(r, "it turns by [rad]", 2.0 * tru_atan2(v3_norm(quat_vec(turn)), fabs(turn.w)), "pi/2", err);
    const double part = numerical(before) + numerical(&out->work);
    const double all = kinetic_of(r, &out->end) + potential_of(r, &out->end) + lost(before) + lost(&out->work) - part;
    if (!(fabs(part) <= ENERGY_BAND * all))
        return fail(r, "the numerical part of its energy is", part / all, "0.1", err);
    return TRU_OK;
}
