/* law_track.c: the caps of sliding, rolling and spinning springs as Fang and Negrut give them.
 *
 * | symbol [FN20] | name | unit |
 * |---|---|---|
 * | mu_s, mu_k | slide_static, slide | - |
 * | eta_r | eta_r | - |
 * | eta_psi | eta_psi | - |
 * | kappa_i + kappa_j | contact.curvature | 1/m |
 * | K_c (curvature of the spin closure; 1/a by Hertz) | spin_curvature, hertz_radius | 1/m |
 * | E_eff | modulus | Pa |
 *
 * Couples at most: roll 2 eta_r mu N / (kappa_i + kappa_j), spin eta_psi mu N / K_c; springs K_R = 4 eta_r K_E / (kappa_i +
 * kappa_j)^2 and K_psi = eta_psi K_E / K_c^2 [FN20 (2), (3), table 1]. With a modulus K_c = 1/a, a^3 = 3 N R_eff / (4 E_eff)
 * [FN20 appendix C]. A history rule: only a stepper with springs can use it. */
#define SIMD_ISA SIMD_ONE
#include "laws/law.h"
#include "base/assert.h"
#include "laws/length.h"
#include "laws/stribeck.h"
#include "laws/law_lanes.h"

#include <stddef.h>

static const tru_field fields[] = {
    TRU_REAL(tru_track_law, slide, TRU_UNIT_ONE, 0.0, TRU_FROM_ZERO,
             "Sliding friction coefficient: friction force of a sliding contact per normal force."),
    TRU_REAL(tru_track_law, slide_static, TRU_UNIT_ONE, TRU_DERIVED, TRU_FROM_ZERO,
             "The same of a contact that sticks, at least slide (default: slide)."),
    TRU_REAL(tru_track_law, eta_r, TRU_UNIT_ONE, 0.0, TRU_FROM_ZERO,
             "Roll couple at most 2 eta_r slide N over the summed curvatures: 2 eta_r R slide N for a ball on a "
             "plane."),
    TRU_REAL(tru_track_law, eta_psi, TRU_UNIT_ONE, 0.0, TRU_FROM_ZERO,
             "Spin couple at most eta_psi slide N over the curvature of the closure: eta_psi a slide N with Hertz's "
             "radius."),
    LENGTH_FIELD(tru_track_law, roll, "Instead of eta_r: largest roll couple per normal force."),
    LENGTH_FIELD(tru_track_law, spin, "Instead of eta_psi: largest couple about the normal per normal force."),
    TRU_REAL(tru_track_law, spin_curvature, TRU_UNIT_PER_M, TRU_DERIVED, TRU_POSITIVE,
             "Curvature of the spin closure (default: mean of the summed curvatures of the contact)."),
    TRU_REAL(tru_track_law, modulus, TRU_UNIT_PA, 0.0, TRU_FROM_ZERO,
             "Effective modulus 1/((1-nu_a^2)/E_a + (1-nu_b^2)/E_b) of the pair: Hertz's contact radius closes the "
             "spin, and normal: hertz uses it."),
    {.name = NULL},
};

static double static_of(const tru_track_law *p) { return p->slide_static == TRU_DERIVED ? p->slide : p->slide_static; }

static tru_status check(const void *params, tru_error *err) {
    const tru_track_law *p = params;
    const tru_status s = stribeck_check("track", p->slide, p->slide_static, 0.0, err);
    if (s < 0) return s;
    if (p->eta_r > 0.0 && length_given(&p->roll))
        return tru_fail(err, TRU_CONFLICT, "law track: eta_r and roll are both given");
    if (p->eta_psi > 0.0 && length_given(&p->spin))
        return tru_fail(err, TRU_CONFLICT, "law track: eta_psi and spin are both given");
    if ((p->eta_r > 0.0 || p->eta_psi > 0.0) && !(static_of(p) > 0.0))
        return tru_fail(err, TRU_CONFLICT, "law track: %s is in parts of slide, which is 0",
                        p->eta_r > 0.0 ? "eta_r" : "eta_psi");
    if (p->spin_curvature != TRU_DERIVED && !(p->eta_psi > 0.0))
        return tru_fail(err, TRU_CONFLICT, "law track: spin_curvature closes eta_psi, which is not given");
    if (p->spin_curvature != TRU_DERIVED && p->modulus > 0.0)
        return tru_fail(err, TRU_CONFLICT, "law track: spin_curvature and modulus both close the spin");
    return TRU_OK;
}

static unsigned claims(const void *params) {
    const tru_track_law *p = params;
    return (static_of(p) > 0.0 ? TRU_KIND_BIT(TRU_KIND_SLIDE) : 0u) |
           (p->eta_r > 0.0 || length_given(&p->roll) ? TRU_KIND_BIT(TRU_KIND_ROLL) : 0u) |
           (p->eta_psi > 0.0 || length_given(&p->spin) ? TRU_KIND_BIT(TRU_KIND_SPIN) : 0u);
}

static unsigned needs(const void *params) {
    const tru_track_law *p = params;
    const bool closed = p->spin_curvature != TRU_DERIVED;
    return (p->roll.factor > 0.0 || p->spin.factor > 0.0 ? TRU_NEEDS_RADIUS : 0u) |
           (p->eta_r > 0.0 || (p->eta_psi > 0.0 && !closed) ? TRU_NEEDS_CURVATURE : 0u);
}

static void prepare(const void *params, const tru_contact *contact, double work[TRU_LAW_WORK]) {
    (void)params, (void)contact, (void)work; /* its caps depend on the normal force: see caps */
}

/* [m] radius of Hertz's contact circle under the normal force. */
static double hertz_radius(const tru_track_law *p, const tru_contact *contact, double normal) {
    return tru_cbrt(0.75 * normal / (contact->curvature_mean * p->modulus));
}

static void caps(const void *params, const tru_contact *contact, double normal, double slip, tru_caps *out) {
    const tru_track_law *p = params;
    realxn area;
    (void)slip;
    out->slide = p->slide;
    out->slide_static = static_of(p);
    out->modulus = p->modulus;
    if (p->eta_r > 0.0) {
        TRU_ASSERT(!(contact->curvature < 0.0)); /* 0 where the largest step is estimated for a face */
        const double length =
            realxn_number(track_roll_length(realxn_all(2.0 * p->eta_r), realxn_all(contact->curvature), &area));
        out->roll = length * out->slide;
        out->roll_static = length * out->slide_static;
        out->roll_area = realxn_number(area);
    } else {
        out->roll = out->roll_static = length_here(&p->roll, contact);
    }
    if (p->eta_psi > 0.0) {
        const double closure = p->spin_curvature != TRU_DERIVED ? p->spin_curvature : contact->curvature_mean;
        TRU_ASSERT(!(p->modulus < 0.0) || !(closure < 0.0));
        const double arm = p->modulus > 0.0 ? hertz_radius(p, contact, normal) : 1.0 / closure;
        const double length = realxn_number(track_spin_length(realxn_all(p->eta_psi), realxn_all(arm), &area));
        out->spin = length * out->slide;
        out->spin_static = length * out->slide_static;
        out->spin_area = realxn_number(area);
    } else {
        out->spin = out->spin_static = length_here(&p->spin, contact);
    }
}

TRU_DEFAULTS(tru_track_law, tru_default_track_law, fields)

const tru_law tru_law_track = {
    .name = "track",
    .doc =
        "Springs that give way: sliding, rolling and spinning friction with static and kinetic memory, for the stepper "
        "track.",
    .fields = fields,
    .size = sizeof(tru_track_law),
    .check = check,
    .claims = claims,
    .needs = needs,
    .prepare = prepare,
    .caps = caps,
};
