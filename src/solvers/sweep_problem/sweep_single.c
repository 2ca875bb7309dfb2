/* sweep_single.c: contacts with arms of their own, one at a time: what the batch kernels do for spheres. */
#define SIMD_ISA SIMD_ONE
#include "solvers/sweep_problem/sweep_single.h"
#include "solvers/sweep_problem/sweep_kernel.h"
#include "base/assert.h"

#include "laws/law_lanes.h"
#include "laws/sets.h"
#include "math/mat.h"

static tru_vec3 body_v(const sweep_body *b) { return v3_from(b->v); }
static tru_vec3 body_w(const sweep_body *b) { return v3_from(b->w); }

static sweep_impulse rates(const sweep_body *bodies, const sweep_single *c) {
    const sweep_body *a = &bodies[c->a], *b = &bodies[c->b];
    TRU_ASSERT(c->a != c->b);
    const tru_vec3 va = v3_add(body_v(a), v3_cross(body_w(a), c->arm_a));
    const tru_vec3 vb = v3_add(body_v(b), v3_cross(body_w(b), c->arm_b));
    return (sweep_impulse){v3_sub(va, vb), v3_sub(body_w(a), body_w(b))};
}

static void push_body(sweep_body *b, const tru_mat3 *turn, double sign, tru_vec3 arm, const sweep_impulse *d) {
    if (!turn) return;
    v3_store(b->v, v3_madd(body_v(b), sign * b->inv_mass, d->p));
    v3_store(b->w, v3_madd(body_w(b), sign, m3_apply(*turn, v3_add(d->t, v3_cross(arm, d->p)))));
}

void trui_sweep_push(sweep_problem *k, const sweep_single *c, sweep_impulse d) {
    push_body(&k->bodies[c->a], c->turn_a, 1.0, c->arm_a, &d);
    push_body(&k->bodies[c->b], c->turn_b, -1.0, c->arm_b, &d);
}

double trui_sweep_cone(double x, const double l[3], const double c[3], const double lean[3]) {
    realxn size[3], limit[3], leans[3];
    for (int i = 0; i < 3; i++) {
        size[i] = realxn_all(l[i]);
        limit[i] = realxn_all(c[i]);
        leans[i] = realxn_all(lean[i]);
    }
    const lanes_root root = cone_root(realxn_all(x), size, limit, leans);
    TRU_ASSERT(!(realxn_number(root.top) < 0.0) && !(realxn_number(root.den) < 1.0));
    return realxn_number(DIV(root.top, root.den));
}

/* A gradient step taken apart, and its projection. */
typedef struct stepped {
    double x, spin, size[3];
    tru_vec3 slide, roll;
    double y;
    uint32_t stuck; /* bits of tru_kind */
    sweep_impulse g;
} stepped;

/* Slide, spin and normal part onto the cone of a patch: parts of their sizes that stay, by the kernel of the batches. */
static void couple(const sweep_kernels *kernels, sweep_single *c, stepped *s, double part[2]) {
    const double *m = c->metric, pn = m[TRU_KIND_NORMAL], spin = s->size[1] / c->patch;
    TRU_ASSERT(c->patch > 0.0 && !(pn < 0.0));
    sweep_coupled o = {.x = {s->x}, .slide = {s->size[0]}, .spin = {spin}, .roll = {s->size[2]}};
    o.mu[0] = c->limit[0], o.rho[0] = c->limit[2];
    o.by_slide[0] = pn / m[TRU_KIND_SLIDE], o.by_spin[0] = c->patch * c->patch * (pn / m[TRU_KIND_SPIN]);
    o.lean[0] = c->lean[2], o.floor[0] = c->normal_terms.floor, o.guess[0] = c->guess;
    kernels->coupled(&o);
    s->y = o.y[0];
    s->stuck = o.stuck & 1u ? TRU_KIND_BIT(TRU_KIND_SLIDE) | TRU_KIND_BIT(TRU_KIND_SPIN) : 0u;
    c->guess = o.guess[0];
    part[0] = o.to_slide[0] < s->size[0] ? o.to_slide[0] / s->size[0] : 1.0;
    part[1] = o.to_spin[0] < spin ? o.to_spin[0] / spin : 1.0;
}

/* g - omega P (u + offset n) onto the cone */
static stepped project(const sweep_kernels *kernels, sweep_single *c, const sweep_impulse *g, const sweep_impulse *u,
                       double offset, double omega) {
    const double *m = c->metric;
    const double pn = omega * m[TRU_KIND_NORMAL], pt = omega * m[TRU_KIND_SLIDE];
    TRU_ASSERT(omega > 0.0 && m[TRU_KIND_NORMAL] > 0.0);
    const double ps = omega * m[TRU_KIND_SPIN], pr = omega * m[TRU_KIND_ROLL];
    const double un = v3_dot(c->n, u->p), wn = v3_dot(c->n, u->t);
    const tru_vec3 q = v3_madd(g->p, -pt, u->p), r = v3_madd(g->t, -pr, u->t);
    const double qn = v3_dot(c->n, q), rn = v3_dot(c->n, r);
    stepped s = {.x = qn - (pn * (un + offset) - pt * un), .spin = rn - (ps - pr) * wn};
    s.slide = v3_madd(q, -qn, c->n);
    s.roll = v3_madd(r, -rn, c->n);
    s.size[0] = v3_norm(s.slide);
    s.size[1] = fabs(s.spin);
    s.size[2] = v3_norm(s.roll);
    double part[3];
    if (c->patch > 0.0)
        couple(kernels, c, &s, part);
    else
        s.y = fmax(trui_sweep_cone(s.x, s.size, c->limit, c->lean), c->normal_terms.floor);
    for (int i = c->patch > 0.0 ? 2 : 0; i < 3; i++) {
        const double most = c->limit[i] * s.y;
        part[i] = realxn_number(disc_part(realxn_all(most), realxn_all(s.size[i])));
        if (most > 0.0 && s.size[i] <= most * (1.0 + STICK_SLACK)) s.stuck |= TRU_KIND_BIT(TRU_KIND_SLIDE + i);
    }
    s.g.p = v3_madd(v3_scale(s.y, c->n), part[0], s.slide);
    s.g.t = v3_madd(v3_scale(part[1] * s.spin, c->n), part[2], s.roll);
    return s;
}

/* y - omega P u by sections: the normal row, then friction at the rates it leaves, within what it allows. */
static sweep_impulse cut(const sweep_single *c, const sweep_impulse *y, sweep_impulse u, double omega) {
    const double *m = c->cut, before = v3_dot(c->n, y->p);
    const double un = v3_dot(c->n, u.p) + c->bias + c->normal_terms.soft * before;
    const double now = fmax(before - omega * m[TRU_KIND_NORMAL] * un, c->normal_terms.floor);
    u.p = v3_madd(u.p, now - before, c->answer.p);
    u.t = v3_madd(u.t, now - before, c->answer.t);
    const tru_vec3 q = v3_madd(y->p, -omega * m[TRU_KIND_SLIDE], u.p),
                   r = v3_madd(y->t, -omega * m[TRU_KIND_ROLL], u.t);
    const tru_vec3 slide = v3_madd(q, -v3_dot(c->n, q), c->n), roll = v3_madd(r, -v3_dot(c->n, r), c->n);
    const double spin = v3_dot(c->n, y->t) - omega * m[TRU_KIND_SPIN] * v3_dot(c->n, u.t);
    const double size[3] = {v3_norm(slide), fabs(spin), v3_norm(roll)};
    double part[3];
    for (int i = 0; i < 3; i++) {
        const double most = c->limit[i] * now;
        part[i] = realxn_number(disc_part(realxn_all(most), realxn_all(size[i])));
    }
    return (sweep_impulse){v3_madd(v3_scale(now, c->n), part[0], slide),
                           v3_madd(v3_scale(part[1] * spin, c->n), part[2], roll)};
}

/* How much a change of impulses is, by the steps of its rows. [J] */
static double change_of(const sweep_single *c, const sweep_impulse *d) {
    return v3_norm2(d->p) / c->cut[TRU_KIND_NORMAL] + v3_norm2(d->t) / c->cut[TRU_KIND_ROLL];
}

/* From y to g: velocities with it. */
static sweep_impulse move_to(sweep_problem *k, const sweep_single *c, const sweep_impulse *y, const sweep_impulse *g) {
    const sweep_impulse d = {v3_sub(g->p, y->p), v3_sub(g->t, y->t)};
    trui_sweep_push(k, c, d);
    return d;
}

void trui_sweep_single_sweep(sweep_problem *k, size_t begin, size_t end, double omega, double beta) {
    const int now = k->now;
    for (size_t i = begin; i < end; i++) {
        sweep_single *c = &k->singles[i];
        sweep_impulse y = c->g[now], *g = &c->g[!now];
        if (beta != 0.0) {
            y.p = v3_madd(y.p, beta, v3_sub(y.p, g->p));
            y.t = v3_madd(y.t, beta, v3_sub(y.t, g->t));
        }
        const sweep_impulse u = rates(k->from, c);
        if (k->sections) {
            *g = cut(c, &y, u, omega);
            const sweep_impulse d = move_to(k, c, &y, g);
            k->work[k->batch_count + i] = change_of(c, &d);
            continue;
        }
        const double yields = c->normal_terms.soft > 0.0 ? c->normal_terms.soft * v3_dot(c->n, y.p) : 0.0;
        const stepped s = project(k->kernels, c, &y, &u, c->bias + c->shift + yields, omega);
        *g = s.g;
        move_to(k, c, &y, g);
        k->work[k->batch_count + i] = (c->bias + c->shift + 0.5 * c->normal_terms.soft * s.y) * s.y;
    }
}

static double separation(const sweep_kernels *kernels, const sweep_single *c, const sweep_impulse *u) {
    const double un = v3_dot(c->n, u->p), wn = v3_dot(c->n, u->t), slide = v3_norm(v3_madd(u->p, -un, c->n));
    double both = c->limit[0] * slide + c->limit[1] * fabs(wn);
    if (c->patch > 0.0) {
        const double v[LANES] = {slide}, w[LANES] = {c->patch * fabs(wn)};
        double phi[LANES];
        kernels->support(v, w, phi);
        both = c->limit[0] * phi[0];
    }
    return both + c->limit[2] * v3_norm(v3_madd(u->t, -wn, c->n));
}

void trui_sweep_single_refresh(sweep_problem *k, size_t begin, size_t end, double damping) {
    for (size_t i = begin; i < end; i++) {
        sweep_single *c = &k->singles[i];
        const sweep_impulse u = rates(k->bodies, c);
        c->shift += damping * (separation(k->kernels, c, &u) - c->shift);
    }
}

void trui_sweep_single_residuals(sweep_problem *k, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        sweep_single *c = &k->singles[i];
        const sweep_impulse u = rates(k->bodies, c), *g = &c->g[k->now];
        const double yields = c->normal_terms.soft > 0.0 ? c->normal_terms.soft * v3_dot(c->n, g->p) : 0.0;
        const double shift = k->exact ? separation(k->kernels, c, &u) : 0.0;
        const stepped s = project(k->kernels, c, g, &u, c->bias + shift + yields, 1.0);
        const tru_vec3 dp = v3_sub(s.g.p, g->p), dt = v3_sub(s.g.t, g->t);
        const double dn = v3_dot(dp, c->n), ds = v3_dot(dt, c->n);
        sweep_residual *o = &k->residuals[c->contact];
        TRU_ASSERT(c->contact < k->contact_count && c->length > 0.0);
        v3_store(o->u, u.p);
        v3_store(o->u + 3, u.t);
        o->gap[TRU_KIND_NORMAL] = fabs(dn) / c->metric[TRU_KIND_NORMAL];
        o->gap[TRU_KIND_SLIDE] = v3_norm(v3_madd(dp, -dn, c->n)) / c->metric[TRU_KIND_SLIDE];
        o->gap[TRU_KIND_SPIN] = fabs(ds) / c->metric[TRU_KIND_SPIN];
        o->gap[TRU_KIND_ROLL] = v3_norm(v3_madd(dt, -ds, c->n)) / c->metric[TRU_KIND_ROLL];
        o->size2 = 0.0;
        o->stuck = s.stuck;
        for (int kind = 0; kind < TRU_KINDS; kind++) {
            const double e = o->gap[kind] * (kind >= TRU_KIND_SPIN ? c->length : 1.0);
            o->size2 += e * e;
        }
    }
}

void trui_sweep_single_distance(sweep_problem *k, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        const sweep_single *c = &k->singles[i];
        const sweep_impulse *g = &c->g[k->now], *h = &c->g[!k->now];
        const tru_vec3 dp = v3_sub(h->p, g->p), dt = v3_sub(h->t, g->t);
        const double dn = v3_dot(dp, c->n), ds = v3_dot(dt, c->n);
        k->work[k->batch_count + i] =
            dn * dn / c->metric[TRU_KIND_NORMAL] + v3_norm2(v3_madd(dp, -dn, c->n)) / c->metric[TRU_KIND_SLIDE] +
            ds * ds / c->metric[TRU_KIND_SPIN] + v3_norm2(v3_madd(dt, -ds, c->n)) / c->metric[TRU_KIND_ROLL];
    }
}
