/* narrow_ellipsoid.c: contacts of two smooth convex shapes, ellipsoids and spheres, by their support functions.
 *
 * The gap is the largest value on the unit sphere of g(n) = n.(C_A - C_B), C_A the point of A whose outward normal is -n, C_B
 * that of B with outward normal n: distance where positive, overlap where negative [contact-tracking-equations 6.3].
 * Newton on the sphere: gradient the tangential part of C_A - C_B, matrix the tangential second derivatives of both
 * support functions plus g; steps of at most half a radian, shortened until g does not fall. */
#include "detect/narrow/narrow_ellipsoid.h"

#define STEPS  60
#define HALVES 40
#define LONG   0.5 /* [rad] longest step of the normal */

/* The gap g and its derivatives at one normal; second derivatives are in the axes of the shapes and are rotated only if needed. */
typedef struct state {
    tru_vec3 n;
    tru_vec3 point_a, point_b; /* [m] */
    tru_mat3 bend_a, bend_b;   /* [m] */
    double gap;                /* [m] */
} state;

static void look_at(const placed *p, tru_vec3 dir, tru_vec3 *point, tru_mat3 *bend) {
    tru_surface local;
    p->shape->surface(p->params, placed_dir_to_local(p, dir), &local);
    *point = placed_point_to_world(p, local.point);
    *bend = local.hessian;
}

static void look(const placed *a, const placed *b, tru_vec3 n, state *s) {
    s->n = n;
    look_at(a, v3_neg(n), &s->point_a, &s->bend_a);
    look_at(b, n, &s->point_b, &s->bend_b);
    s->gap = v3_dot(n, v3_sub(s->point_a, s->point_b));
}

/* Makes the matrix definite. Deep inside there may be no maximum; the step then follows the gradient. */
static void make_definite(sym2 *m, double least_wanted) {
    const double x = m->xx - least_wanted, y = m->yy - least_wanted;
    double values[2];
    vec2 axes[2];
    if (x > 0.0 && y > 0.0 && x * y > 2.0 * m->xy * m->xy) return; /* it is clearly definite */
    s2_eigen(*m, values, axes);
    const double least = fmin(values[0], values[1]);
    if (!(least < least_wanted)) return;
    m->xx += least_wanted - least;
    m->yy += least_wanted - least;
}

/* Returns the Newton step [rad] in the tangent plane, in world axes. */
static tru_vec3 newton_step(const placed *a, const placed *b, const state *s, double size) {
    tru_vec3 t1, t2;
    v3_tangents(s->n, &t1, &t2);
    const tru_mat3 h = m3_add(m3_rotate_sym(a->r, s->bend_a), m3_rotate_sym(b->r, s->bend_b));
    const tru_vec3 d = v3_sub(s->point_a, s->point_b), h1 = m3_apply(h, t1), h2 = m3_apply(h, t2);
    sym2 m = {v3_dot(t1, h1) + s->gap, v3_dot(t1, h2), v3_dot(t2, h2) + s->gap}, inverse;
    const vec2 g = {v3_dot(d, t1), v3_dot(d, t2)};
    make_definite(&m, 1e-3 * size);
    vec2 step = s2_inverse(m, &inverse) ? s2_apply(inverse, g) : g;
    const double angle = v2_norm(step);
    if (angle > LONG) step = v2_scale(LONG / angle, step);
    return v3_madd(v3_scale(step.x, t1), step.y, t2);
}

/* Shortens the step until the gap does not decrease by more than its round-off; false if there is no better normal. */
static bool climb(const placed *a, const placed *b, tru_vec3 step, double noise, const state *s, state *next) {
    for (int i = 0; i < HALVES; i++) {
        tru_vec3 n;
        if (!v3_unit(v3_add(s->n, step), &n)) return false;
        look(a, b, n, next);
        if (next->gap >= s->gap - noise) return true;
        step = v3_scale(0.5, step);
    }
    return false;
}

int trui_narrow_smooth(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]) {
    const double size = a->shape->radius(a->params) + b->shape->radius(b->params);
    const tru_vec3 d = v3_sub(a->x, b->x);
    tru_vec3 n = v3(0.0, 0.0, 1.0);
    if (v3_norm(d) - size >= margin) return 0;
    v3_unit(d, &n);
    state states[2], *s = &states[0], *next = &states[1];
    look(a, b, n, s);
    for (int i = 0; i < STEPS; i++) {
        if (s->gap >= margin) return 0; /* the gap along any normal is a lower bound */
        const tru_vec3 along = v3_reject(v3_sub(s->point_a, s->point_b), s->n);
        if (v3_norm2(along) <= 0x1p-104 * (size * size)) break;
        const tru_vec3 step = newton_step(a, b, s, size);
        const bool last = v3_norm2(step) < 0x1p-60; /* a further step would be round-off */
        if (!climb(a, b, step, 0x1p-48 * size, s, next)) break;
        state *const swap = s;
        s = next;
        next = swap;
        if (last) break;
    }
    if (!(s->gap < margin)) return 0;
    out[0] = (contact_point){.point_a = s->point_a, .point_b = s->point_b, .normal = s->n, .gap = s->gap};
    return 1;
}
