/* step_variational_trust.c: whether the end of a step of `variational` can be trusted.
 *
 * The equations of a step have several solutions once it is long: Newton's method then ends at one that no motion leads to,
 * and explicit methods leave their range of stability. Both show in the energy. Variational schemes keep its numerical part
 * in a band of order step^2 that does not grow with time; a step that leaves a band of a tenth of the energy is refused, and
 * so is one that turns the body by more than a quarter turn. */
#include "steppers/variational/step_variational_trust.h"

#include "base/error.h"
#include "math/quat.h"

#define ENERGY_BAND      0.1 /* [-] numerical part of all energy; 0.03 in [variational-equations 7], grazing disk, 1 ms */
#define HALF_TURN_COSINE 0x1.6a09e667f3bcdp-1 /* [-] of pi/4: half the largest turn in a step */

/* [J] Energy of the centre: kinetic, and potential above the plane. */
static double energy_of_centre(const rolling *r, const rolling_node *k) {
    const double up = v3_dot(r->pull, r->n) * v3_dot(k->arm, r->n);
    return r->w->bodies.items[r->body].mass * (0.5 * v3_norm2(k->v) + fabs(up));
}

static double energy_of_turning(const rolling *r, const rolling_node *k) {
    const tru_vec3 w = quat_unrotate(k->q, k->w);
    return 0.5 * v3_dot(w, m3_apply(body_inertia_of(&r->w->bodies.items[r->body]), w));
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

tru_status trui_rolling_trust(const rolling *r, const rolling_node *start, const rolling_result *out, tru_error *err) {
    const tru_ledger *before = &r->w->ledger;
    const tru_quat p = start->q, q = out->end.q;
    const double cosine = fabs(p.w * q.w + p.x * q.x + (p.y * q.y + p.z * q.z)); /* of half the turn */
    if (!(cosine >= HALF_TURN_COSINE)) return fail(r, "its turn in rad is", 2.0 * tru_acos(cosine), "pi/2", err);
    const double part = numerical(before) + numerical(&out->work);
    double all = energy_of_centre(r, &out->end) + lost(before) + lost(&out->work) - part;
    if (fabs(part) <= ENERGY_BAND * all) return TRU_OK; /* which the energy of turning only adds to */
    all += energy_of_turning(r, &out->end);
    return fabs(part) <= ENERGY_BAND * all ? TRU_OK
                                           : fail(r, "the numerical part of its energy is", part / all, "0.1", err);
}
