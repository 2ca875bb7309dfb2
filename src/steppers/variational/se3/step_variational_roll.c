/* step_variational_roll.c: a trial step of any convex body that rolls on a plane, and pure rolling by Newton's method. */
#include "steppers/variational/se3/step_variational_roll.h"
#include "steppers/variational/scheme/step_variational_view.h"

/* Left derivative of the Cayley map: delta alpha = (1 + [a]/2) delta a / (1 + |a|^2/4). */
static tru_mat3 cayley_slope(tru_vec3 a) {
    const double f = 1.0 / (1.0 + 0.25 * v3_norm2(a));
    return m3_scale(f, m3_add(m3_identity(), m3_skew(v3_scale(0.5, a))));
}

static void momentum_at_start(const se3 *p, tru_vec3 xi, bool slopes, trial *t) {
    const tru_vec3 l = m3_apply(p->inertia, xi);
    const double along = v3_dot(xi, l), rate = 1.0 / p->h;
    t->pi = v3_scale(rate, v3_madd(v3_madd(l, 0.5, v3_cross(xi, l)), 0.25 * along, xi));
    if (!slopes) return;
    tru_mat3 d = m3_madd(p->inertia, 0.5, m3_sub(m3_mul(m3_skew(xi), p->inertia), m3_skew(l)));
    d = m3_madd(d, 0.5, m3_outer(xi, l));
    for (int i = 0; i < 3; i++) d.m[i][i] += 0.25 * along;
    t->d_pi = m3_scale(rate, d);
}

/* Half the turn: q_mid = q_k (1, xi/(2 (1 + s))), s = sqrt(1 + |xi|^2/4). */
static void rolling_way(const se3 *p, tru_vec3 xi, bool slopes, trial *t) {
    const double s = sqrt(1.0 + 0.25 * v3_norm2(xi)), part = 1.0 / (1.0 + s);
    const tru_vec3 half = v3_scale(part, xi);
    const tru_mat3 turn = quat_to_matrix(cayley(half));
    tru_vec3 point;
    tru_mat3 hessian;
    trui_rolling_surface(p->r, v3_neg(m3_apply_t(turn, p->n)), &point, slopes ? &hessian : NULL);
    const tru_vec3 rho = v3_neg(m3_apply(turn, point));
    t->rolled = v3_cross(xi, rho);
    if (!slopes) return;
    const tru_mat3 bent = m3_mul(m3_rotate_sym(turn, hessian), m3_skew(p->n));
    const tru_mat3 by_turn = m3_sub(bent, m3_skew(rho)); /* d rho = (H [n] - [rho]) delta alpha */
    const tru_mat3 by_half = m3_madd(m3_scale(part, m3_identity()), -0.25 * part * part / s, m3_outer(xi, xi));
    const tru_mat3 d_rho = m3_mul(by_turn, m3_mul(cayley_slope(half), by_half));
    t->d_rolled = m3_sub(m3_mul(m3_skew(xi), d_rho), m3_skew(rho));
}

static void height_gained(const se3 *p, tru_vec3 xi, bool slopes, trial *t) {
    const tru_mat3 turn = quat_to_matrix(cayley(xi));
    const tru_vec3 dir = v3_neg(m3_apply_t(turn, p->n));
    tru_vec3 point;
    trui_rolling_surface(p->r, dir, &point, NULL);
    t->raised = v3_dot(point, dir) - p->height;
    if (slopes) t->d_raised = m3_apply_t(cayley_slope(xi), v3_cross(p->n, m3_apply(turn, point)));
}

void trui_se3_try(const se3 *p, tru_vec3 xi, bool slopes, trial *t) {
    momentum_at_start(p, xi, slopes, t);
    rolling_way(p, xi, slopes, t);
    height_gained(p, xi, slopes, t);
}

tru_vec3 trui_se3_viscous_half(const se3 *p, tru_vec3 xi) {
    const tru_vec3 c = v3_scale(-0.5 * p->roll_viscosity, xi);
    return v3_madd(c, 0.5 * (p->roll_viscosity - p->spin_viscosity) * v3_dot(p->n, xi), p->n);
}

tru_mat3 trui_se3_viscous_slope(const se3 *p) {
    const tru_mat3 c = m3_scale(-0.5 * p->roll_viscosity, m3_identity());
    return m3_madd(c, 0.5 * (p->roll_viscosity - p->spin_viscosity), m3_outer(p->n, p->n));
}

tru_vec3 trui_se3_momentum_at_end(const se3 *p, tru_vec3 xi) {
    const tru_vec3 l = m3_apply(p->inertia, xi);
    return v3_scale(1.0 / p->h, v3_madd(v3_madd(l, -0.5, v3_cross(xi, l)), 0.25 * v3_dot(xi, l), xi));
}

double trui_se3_angle_scale(const se3 *p, tru_vec3 xi) {
    const double size = p->r->w->bodies.items[p->r->body].size;
    return v3_norm(xi) + p->h * p->h * v3_norm(p->r->pull) / size;
}

void trui_se3_impulses(const se3 *p, found *f) {
    f->first = v3_sub(v3_scale(p->mass_rate, f->way), p->push);
    f->node = v3_add(f->first, p->carried);
}

/* ---- pure rolling: three unknowns, Newton with the analytic derivative */

#define MOST_ITERATIONS 25
#define ENOUGH          1e-14 /* what is left after a step, in parts of the angles: a bound, several times too large */

static tru_mat3 slope_of(const se3 *p, const trial *t, tru_mat3 *d_way) {
    const tru_mat3 off = m3_madd(t->d_rolled, -1.0, m3_outer(p->n, m3_apply_t(t->d_rolled, p->n)));
    *d_way = m3_add(off, m3_outer(p->n, t->d_raised));
    const tru_mat3 slope = m3_add(t->d_pi, m3_mul(m3_scale(p->mass_rate, m3_skew(p->rho)), *d_way));
    return p->r->resists ? m3_sub(slope, trui_se3_viscous_slope(p)) : slope;
}

/* A slope serves for the next step too if that is short. */
bool trui_se3_roll(const se3 *p, found *f) {
    double last = DBL_MAX;
    bool known = false;
    tru_mat3 inverse = m3_identity(), d_way = inverse;
    for (f->iterations = 1; f->iterations <= MOST_ITERATIONS; f->iterations++) {
        trial t;
        trui_se3_try(p, f->xi, !known, &t);
        if (!known && !m3_inverse(slope_of(p, &t, &d_way), &inverse)) return false;
        const tru_vec3 way = v3_madd(along_plane(p, t.rolled), t.raised, p->n);
        tru_vec3 left = v3_add(v3_sub(t.pi, p->turn), v3_cross(p->rho, v3_sub(v3_scale(p->mass_rate, way), p->push)));
        if (p->r->resists) left = v3_sub(left, trui_se3_viscous_half(p, f->xi));
        const tru_vec3 by = m3_apply(inverse, left);
        const double change = v3_norm(by), size = trui_se3_angle_scale(p, f->xi), off = known ? last : change;
        if (!isfinite(change)) return false;
        f->xi = v3_sub(f->xi, by);
        f->way = v3_sub(way, m3_apply(d_way, by));
        if (change * off <= ENOUGH * size * size || (change <= 1e-13 * size && change >= 0.5 * last)) {
            f->turn = cayley(f->xi);
            f->stuck = TRU_KIND_BIT(TRU_KIND_SLIDE);
            trui_se3_impulses(p, f);
            return true;
        }
        known = change <= 1e-3 * size;
        last = change;
    }
    return false;
}
