/* step_variational_se3.c: any convex body on a plane, by the discrete Lagrange-d'Alembert principle on SE(3).
 *
 * | symbol (variational-disk note, sections 7, 8) | name | unit |
 * |---|---|---|
 * | xi = h omega, body axes | xi | - |
 * | Pi+, Pi- = (1 +- [xi]/2 + xi xi^T/4) J xi/h | pi, pi_end | N m s |
 * | r(q) = r_PC | arm (world), rho (body axes) | m |
 * | Lambda_k | first (this step's half) + last (of the step before) | N s |
 * | Delta x, u_{k+1/2} | way, slip | m, m/s |
 *
 * The attitude goes on by the Cayley map, q_{k+1} = q_k (1, xi/2)/|.|; the no-slip constraint holds in the middle of the
 * step, variations are those of the node, the height follows from the support function. Impulses act half at either end of
 * a step, so that node velocities are the whole state; couples of resistance obey their law with the rate of the middle.
 * All vectors of a problem are in the body axes of its first node. */
#include "steppers/step_variational.h"

#include "base/error.h"
#include "contact/lever.h"
#include "laws/law.h"
#include "math/elementary.h"
#include "math/quat.h"
#include "math/solve.h"

/* ---- geometry in body axes */

/* Point X from the centre of mass, and second derivative of the support function, where the outward normal is `dir`. */
static void surface_in_body(const rolling *r, tru_vec3 dir, tru_vec3 *point, tru_mat3 *hessian) {
    const solid *s = &r->w->solids.items[r->solid_a];
    tru_surface at;
    s->shape->surface(s->params, s->turned ? m3_apply_t(s->r, dir) : dir, &at);
    rolling_rim_point(r, &at.point);
    *point = s->turned ? m3_apply(s->r, at.point) : at.point;
    *point = v3_add(*point, s->x);
    if (hessian) *hessian = s->turned ? m3_rotate_sym(s->r, at.hessian) : at.hessian;
}

/* ---- the problem of a step */

typedef struct se3 {
    const rolling *r;
    double h, mass, mass_rate; /* [s], [kg], m/h [kg/s] */
    tru_mat3 inertia;          /* [kg m^2] */
    tru_vec3 n, t1, t2;        /* [-] */
    tru_vec3 rho;              /* [m] arm of the first node */
    double height;             /* [m] of the centre there */
    tru_vec3 push, turn;       /* [N s], [N m s] momenta of the first node with the half step's loads and gravity */
    double roll, spin;         /* [m] dry resistance per normal impulse */
    double roll_viscosity, spin_viscosity; /* [N m s] */
    tru_vec3 carried;                      /* [N s] Lambda- of the node, of the step before */
    tru_vec3 slip;                         /* [m/s] u_{k-1/2} */
    bool start;                            /* node 0: nothing carried, u as given */
} se3;

/* A step xi: momentum at its start, way of rolling, change of height, and their derivatives. */
typedef struct trial {
    tru_vec3 pi, rolled;     /* [N m s], [m] xi x r_mid */
    double raised;           /* [m] */
    tru_mat3 d_pi, d_rolled; /* by xi */
    tru_vec3 d_raised;       /* [m] by xi */
    tru_quat turn;           /* [-] of the step */
} trial;

/* Left derivative of the Cayley map: delta alpha = (1 + [a]/2) delta a / (1 + |a|^2/4). */
static tru_mat3 cayley_slope(tru_vec3 a) {
    const double f = 1.0 / (1.0 + 0.25 * v3_norm2(a));
    return m3_scale(f, m3_add(m3_identity(), m3_skew(v3_scale(0.5, a))));
}

static tru_quat cayley(tru_vec3 a) {
    const double f = 1.0 / sqrt(1.0 + 0.25 * v3_norm2(a));
    return (tru_quat){f, 0.5 * f * a.x, 0.5 * f * a.y, 0.5 * f * a.z};
}

static void momentum_at_start(const se3 *p, tru_vec3 xi, trial *t) {
    const tru_vec3 l = m3_apply(p->inertia, xi);
    const double along = v3_dot(xi, l), rate = 1.0 / p->h;
    t->pi = v3_scale(rate, v3_madd(v3_madd(l, 0.5, v3_cross(xi, l)), 0.25 * along, xi));
    tru_mat3 d = m3_madd(p->inertia, 0.5, m3_sub(m3_mul(m3_skew(xi), p->inertia), m3_skew(l)));
    d = m3_madd(d, 0.5, m3_outer(xi, l));
    for (int i = 0; i < 3; i++) d.m[i][i] += 0.25 * along;
    t->d_pi = m3_scale(rate, d);
}

/* Half the turn: q_mid = q_k (1, xi/(2 (1 + s))), s = sqrt(1 + |xi|^2/4). */
static void rolling_way(const se3 *p, tru_vec3 xi, trial *t) {
    const double s = sqrt(1.0 + 0.25 * v3_norm2(xi)), part = 1.0 / (1.0 + s);
    const tru_vec3 half = v3_scale(part, xi);
    const tru_mat3 turn = quat_to_matrix(cayley(half));
    tru_vec3 point;
    tru_mat3 hessian;
    surface_in_body(p->r, v3_neg(m3_apply_t(turn, p->n)), &point, &hessian);
    const tru_vec3 rho = v3_neg(m3_apply(turn, point));
    const tru_mat3 bent = m3_mul(m3_rotate_sym(turn, hessian), m3_skew(p->n));
    const tru_mat3 by_turn = m3_sub(bent, m3_skew(rho)); /* d rho = (H [n] - [rho]) delta alpha */
    const tru_mat3 by_half = m3_madd(m3_scale(part, m3_identity()), -0.25 * part * part / s, m3_outer(xi, xi));
    t->rolled = v3_cross(xi, rho);
    const tru_mat3 d_rho = m3_mul(by_turn, m3_mul(cayley_slope(half), by_half));
    t->d_rolled = m3_sub(m3_mul(m3_skew(xi), d_rho), m3_skew(rho));
}

static void height_gained(const se3 *p, tru_vec3 xi, trial *t) {
    t->turn = cayley(xi);
    const tru_mat3 turn = quat_to_matrix(t->turn);
    const tru_vec3 dir = v3_neg(m3_apply_t(turn, p->n));
    tru_vec3 point;
    surface_in_body(p->r, dir, &point, NULL);
    t->raised = v3_dot(point, dir) - p->height;
    t->d_raised = m3_apply_t(cayley_slope(xi), v3_cross(p->n, m3_apply(turn, point)));
}

static void try_step(const se3 *p, tru_vec3 xi, trial *t) {
    momentum_at_start(p, xi, t);
    rolling_way(p, xi, t);
    height_gained(p, xi, t);
}

/* Half of the viscous couple over the step, [N m s], and its derivative by xi (it is linear). */
static tru_vec3 viscous_half(const se3 *p, tru_vec3 xi) {
    const tru_vec3 c = v3_scale(-0.5 * p->roll_viscosity, xi);
    return v3_madd(c, 0.5 * (p->roll_viscosity - p->spin_viscosity) * v3_dot(p->n, xi), p->n);
}

static tru_mat3 viscous_slope(const se3 *p) {
    const tru_mat3 c = m3_scale(-0.5 * p->roll_viscosity, m3_identity());
    return m3_madd(c, 0.5 * (p->roll_viscosity - p->spin_viscosity), m3_outer(p->n, p->n));
}

/* What is small against a step: round-off leaves of xi, and what gravity turns in it. */
static double angle_scale(const se3 *p, tru_vec3 xi) {
    const double size = p->r->w->bodies.items[p->r->body].size;
    return v3_norm(xi) + p->h * p->h * v3_norm(p->r->pull) / size;
}

/* ---- pure rolling: three unknowns, Newton with the analytic derivative */

#define MOST_ITERATIONS 25
#define QUADRATIC       1e-8

/* What the step is found to be. */
typedef struct found {
    tru_vec3 xi, way;         /* [-], [m] */
    tru_vec3 first;           /* [N s] Lambda+ of the first node */
    tru_vec3 node;            /* [N s] Lambda of it */
    tru_vec3 couple;          /* [N m s] dry part, over the step */
    tru_vec3 slip, mean_slip; /* [m/s] u_{k+1/2}, and what the law at the node sees */
    tru_quat turn;            /* [-] */
    uint32_t stuck;
    int iterations;
} found;

static tru_vec3 along_plane(const se3 *p, tru_vec3 a) { return v3_madd(a, -v3_dot(p->n, a), p->n); }

static void impulses(const se3 *p, found *f) {
    f->first = v3_sub(v3_scale(p->mass_rate, f->way), p->push);
    f->node = v3_add(f->first, p->carried);
}

static bool roll(const se3 *p, found *f) {
    double last = DBL_MAX;
    const tru_mat3 arm = m3_scale(p->mass_rate, m3_skew(p->rho)), viscous = viscous_slope(p);
    for (f->iterations = 1; f->iterations <= MOST_ITERATIONS; f->iterations++) {
        trial t;
        tru_mat3 inverse;
        try_step(p, f->xi, &t);
        const tru_vec3 way = v3_madd(along_plane(p, t.rolled), t.raised, p->n);
        const tru_mat3 off = m3_madd(t.d_rolled, -1.0, m3_outer(p->n, m3_apply_t(t.d_rolled, p->n)));
        const tru_mat3 d_way = m3_add(off, m3_outer(p->n, t.d_raised));
        const tru_mat3 slope = m3_sub(m3_add(t.d_pi, m3_mul(arm, d_way)), viscous);
        tru_vec3 left = v3_add(v3_sub(t.pi, p->turn), v3_cross(p->rho, v3_sub(v3_scale(p->mass_rate, way), p->push)));
        left = v3_sub(left, viscous_half(p, f->xi));
        if (!m3_inverse(slope, &inverse)) return false;
        const tru_vec3 by = m3_apply(inverse, left);
        const double change = v3_norm(by), size = angle_scale(p, f->xi);
        if (!isfinite(change)) return false;
        f->xi = v3_sub(f->xi, by);
        f->way = v3_sub(way, m3_apply(d_way, by));
        if (change <= QUADRATIC * size || (change <= 1e-13 * size && change >= 0.5 * last)) {
            f->turn = cayley(f->xi);
            f->stuck = TRU_KIND_BIT(TRU_KIND_SLIDE);
            impulses(p, f);
            return true;
        }
        last = change;
    }
    return false;
}

/* ---- slip and dry resistance: up to eight unknowns xi, way along t1 and t2, couples about n, t1, t2 */

enum { MOST = 8 };
typedef enum slide_rule { RULE_STICK, RULE_BRANCH, RULE_SLIP } slide_rule;

/* Unknowns and rows of a Newton step, each in its unit: lengths in sizes, impulses in m size/h. */
typedef struct rows {
    int n;
    double value[MOST], slope[MOST * MOST];
} rows;

static double coefficient(const rolling *r, double speed) {
    if (!(r->stribeck > 0.0)) return r->slide;
    return r->slide + (r->slide_static - r->slide) * tru_exp(-speed / r->stribeck);
}

/* [s/m] its derivative by the speed. */
static double coefficient_slope(const rolling *r, double speed) {
    return r->stribeck > 0.0 ? (r->slide - coefficient(r, speed)) / r->stribeck : 0.0;
}

/* y/|y| times limit, with derivatives by y (d) and limit (the direction). */
static bool onto_disc(double y1, double y2, double limit, double out[2], double d[3], double dir[2]) {
    const double size = sqrt(y1 * y1 + y2 * y2);
    if (!(size > 0.0)) return false;
    dir[0] = y1 / size;
    dir[1] = y2 / size;
    out[0] = limit * dir[0];
    out[1] = limit * dir[1];
    d[0] = limit * dir[1] * dir[1] / size;
    d[1] = -limit * dir[0] * dir[1] / size;
    d[2] = limit * dir[0] * dir[0] / size;
    return true;
}

/* The trial as the rows see it: impulses and slip with their derivatives by (xi, way). */
typedef struct motion_rows {
    double node[3];      /* [N s] n, t1, t2 */
    double slip[2];      /* [m/s] */
    double d_node[3][5]; /* by xi, way1, way2 */
    double d_slip[2][5]; /* */
} motion_rows;

static motion_rows motions_of(const se3 *p, const trial *t, const double way[2]) {
    motion_rows m;
    const tru_vec3 frame[3] = {p->n, p->t1, p->t2};
    memset(&m, 0, sizeof m);
    for (int i = 0; i < 3; i++) {
        const double gone = i == 0 ? t->raised : way[i - 1];
        m.node[i] = p->mass_rate * gone - v3_dot(frame[i], p->push) + v3_dot(frame[i], p->carried);
        if (i > 0) m.d_node[i][2 + i] = p->mass_rate;
    }
    const double raised[3] = {t->d_raised.x, t->d_raised.y, t->d_raised.z};
    for (int j = 0; j < 3; j++) m.d_node[0][j] = p->mass_rate * raised[j];
    for (int i = 0; i < 2; i++) {
        const tru_vec3 d = m3_apply_t(t->d_rolled, frame[i + 1]);
        const double by[3] = {d.x, d.y, d.z};
        m.slip[i] = (way[i] - v3_dot(frame[i + 1], t->rolled)) / p->h;
        m.d_slip[i][3 + i] = 1.0 / p->h;
        for (int j = 0; j < 3; j++) m.d_slip[i][j] = -by[j] / p->h;
    }
    return m;
}

/* Rows of the balance of angular momentum at the first node. */
static void turn_rows(const se3 *p, const trial *t, tru_vec3 xi, const double way[2], tru_vec3 couple, rows *k) {
    const tru_vec3 gone = v3_madd(v3_madd(v3_scale(t->raised, p->n), way[0], p->t1), way[1], p->t2);
    tru_vec3 left = v3_add(v3_sub(t->pi, p->turn), v3_cross(p->rho, v3_sub(v3_scale(p->mass_rate, gone), p->push)));
    left = v3_sub(left, v3_madd(viscous_half(p, xi), 0.5, couple));
    const tru_vec3 up = v3_scale(p->mass_rate, v3_cross(p->rho, p->n));
    const tru_mat3 by_xi = m3_sub(m3_add(t->d_pi, m3_outer(up, t->d_raised)), viscous_slope(p));
    const tru_vec3 by[5] = {v3_scale(p->mass_rate, v3_cross(p->rho, p->t1)),
                            v3_scale(p->mass_rate, v3_cross(p->rho, p->t2)), v3_scale(-0.5, p->n),
                            v3_scale(-0.5, p->t1), v3_scale(-0.5, p->t2)};
    const double value[3] = {left.x, left.y, left.z};
    for (int i = 0; i < 3; i++) {
        k->value[i] = value[i];
        for (int j = 0; j < 3; j++) k->slope[i * MOST + j] = by_xi.m[i][j];
        for (int j = 0; j < 5; j++) k->slope[i * MOST + 3 + j] = i == 0 ? by[j].x : i == 1 ? by[j].y : by[j].z;
    }
}

/* The slip that the law at the node sees: the mean of the steps on either side, at node 0 the given one unless that is
 * zero; returns the weight of this step's slip u in it. */
static double node_slip(const se3 *p, const double u[2], double mean[2]) {
    const double before = p->start ? 1.0 : 0.5;
    const double weight = !p->start ? 0.5 : v3_norm2(p->slip) > 0.0 ? 0.0 : 1.0;
    mean[0] = before * v3_dot(p->slip, p->t1) + weight * u[0];
    mean[1] = before * v3_dot(p->slip, p->t2) + weight * u[1];
    return weight;
}

/* Rows of sliding: no slip, or friction that opposes the slip of the node (Alart and Curnier's form). */
static void slide_rows(const se3 *p, const motion_rows *m, slide_rule rule, double rho, rows *k) {
    double out[2], d[3], dir[2], mean[2];
    const double weight = node_slip(p, m->slip, mean);
    const double y1 = m->node[1] - rho * mean[0], y2 = m->node[2] - rho * mean[1];
    const double speed = sqrt(mean[0] * mean[0] + mean[1] * mean[1]), mu = coefficient(p->r, speed);
    const double fall = speed > 0.0 ? weight * coefficient_slope(p->r, speed) * fmax(m->node[0], 0.0) / speed : 0.0;
    const double limit = mu * fmax(m->node[0], 0.0);
    const bool slips = rule == RULE_SLIP || (rule == RULE_BRANCH && y1 * y1 + y2 * y2 > limit * limit);
    const bool good = slips && onto_disc(y1, y2, limit, out, d, dir);
    for (int i = 0; i < 2; i++) {
        double *row = k->slope + (3 + i) * MOST;
        memset(row, 0, MOST * sizeof *row);
        if (!good) { /* no slip in the step; where friction only just holds, none at the node */
            const bool plain = rule == RULE_STICK || weight == 0.0;
            k->value[3 + i] = rho * (plain ? m->slip[i] : mean[i]);
            for (int j = 0; j < 5; j++) row[j] = rho * (plain ? 1.0 : weight) * m->d_slip[i][j];
            continue;
        }
        k->value[3 + i] = m->node[1 + i] - out[i];
        for (int j = 0; j < 5; j++) {
            const double dy1 = m->d_node[1][j] - rho * weight * m->d_slip[0][j];
            const double dy2 = m->d_node[2][j] - rho * weight * m->d_slip[1][j];
            row[j] = m->d_node[1 + i][j] - (i ? d[1] * dy1 + d[2] * dy2 : d[0] * dy1 + d[1] * dy2) -
                     mu * dir[i] * (m->node[0] > 0.0 ? m->d_node[0][j] : 0.0) -
                     fall * dir[i] * (mean[0] * m->d_slip[0][j] + mean[1] * m->d_slip[1][j]);
        }
    }
}

/* Rows of dry resistance: the couple opposes the rate of the step, or there is no rate. Returns the kinds that hold. */
static uint32_t couple_rows(const se3 *p, const motion_rows *m, tru_vec3 xi, const double c[3], double rho, rows *k) {
    const tru_vec3 frame[3] = {p->n, p->t1, p->t2};
    const double steps = p->start ? 2.0 : 1.0, normal = steps * fmax(m->node[0], 0.0); /* node 0 has half a step's */
    uint32_t held = 0;
    double w[3], out[2], d[3], dir[2];
    for (int i = 0; i < 3; i++) {
        w[i] = v3_dot(frame[i], xi) / p->h;
        memset(k->slope + (5 + i) * MOST, 0, MOST * sizeof *k->slope);
        k->slope[(5 + i) * MOST + 5 + i] = 1.0;
        k->value[5 + i] = c[i];
    }
    const double y = c[0] - rho * w[0], limit = p->spin * normal;
    if (p->spin > 0.0 && fabs(y) <= limit) {
        held |= TRU_KIND_BIT(TRU_KIND_SPIN);
        k->value[5] = rho * w[0];
        k->slope[5 * MOST + 5] = 0.0;
        for (int j = 0; j < 3; j++) k->slope[5 * MOST + j] = rho / p->h * (j == 0 ? p->n.x : j == 1 ? p->n.y : p->n.z);
    } else if (p->spin > 0.0) {
        const double sign = y > 0.0 ? 1.0 : -1.0;
        k->value[5] = c[0] - sign * limit;
        for (int j = 0; j < 5; j++) k->slope[5 * MOST + j] = -sign * p->spin * steps * m->d_node[0][j];
    }
    if (!(p->roll > 0.0)) return held;
    const double y1 = c[1] - rho * w[1], y2 = c[2] - rho * w[2], most = p->roll * normal;
    const bool rolls = y1 * y1 + y2 * y2 > most * most && onto_disc(y1, y2, most, out, d, dir);
    if (!rolls) held |= TRU_KIND_BIT(TRU_KIND_ROLL);
    for (int i = 0; i < 2; i++) {
        double *row = k->slope + (6 + i) * MOST;
        const double by[2][3] = {{p->t1.x, p->t1.y, p->t1.z}, {p->t2.x, p->t2.y, p->t2.z}};
        if (!rolls) {
            k->value[6 + i] = rho * w[1 + i];
            row[6 + i] = 0.0;
            for (int j = 0; j < 3; j++) row[j] = rho / p->h * by[i][j];
            continue;
        }
        k->value[6 + i] = c[1 + i] - out[i];
        for (int j = 0; j < 5; j++) row[j] = -p->roll * dir[i] * steps * m->d_node[0][j];
        const double a = i ? d[1] : d[0], b = i ? d[2] : d[1];
        for (int j = 0; j < 3; j++) row[j] += rho / p->h * (a * by[0][j] + b * by[1][j]);
        row[6] -= a;
        row[7] -= b;
    }
    return held;
}

/* Rows and columns to pure numbers, and the Newton step; false: singular. */
static bool newton_step(const se3 *p, rows *k, double by[MOST]) {
    const double size = p->r->w->bodies.items[p->r->body].size, push = p->mass * size / p->h, turn = push * size;
    int perm[MOST];
    double work[MOST];
    for (int i = 0; i < MOST; i++) {
        const double row = i < 3 || i >= 5 ? turn : push;
        by[i] = -k->value[i] / row;
        for (int j = 0; j < MOST; j++) k->slope[i * MOST + j] *= (j < 3 ? 1.0 : j < 5 ? size : turn) / row;
    }
    if (!tru_lu(k->slope, k->n, MOST, perm, work)) return false;
    tru_lu_solve(k->slope, k->n, MOST, perm, by);
    for (int j = 3; j < k->n; j++) by[j] *= j < 5 ? size : turn;
    return true;
}

/* Newton with one rule for sliding, from the point in *f. */
static bool newton(const se3 *p, slide_rule rule, double rho, found *f) {
    const bool dry = p->roll > 0.0 || p->spin > 0.0;
    const double size = p->r->w->bodies.items[p->r->body].size;
    double way[2] = {v3_dot(p->t1, f->way), v3_dot(p->t2, f->way)}, last = DBL_MAX;
    double c[3] = {v3_dot(p->n, f->couple), v3_dot(p->t1, f->couple), v3_dot(p->t2, f->couple)};
    const double turn_rho = 0.2 * m3_trace(p->inertia) / 3.0;
    tru_vec3 xi = f->xi;
    for (int i = 0; i < 2 * MOST_ITERATIONS; i++, f->iterations++) {
        trial t;
        rows k = {.n = dry ? MOST : 5};
        double by[MOST];
        const tru_vec3 couple = v3_madd(v3_madd(v3_scale(c[0], p->n), c[1], p->t1), c[2], p->t2);
        try_step(p, xi, &t);
        const motion_rows m = motions_of(p, &t, way);
        turn_rows(p, &t, xi, way, couple, &k);
        slide_rows(p, &m, rule, rho, &k);
        f->stuck = dry ? couple_rows(p, &m, xi, c, turn_rho, &k) : 0u;
        if (!newton_step(p, &k, by)) return false;
        const double change =
            sqrt(by[0] * by[0] + by[1] * by[1] + by[2] * by[2]) + sqrt(by[3] * by[3] + by[4] * by[4]) / size;
        if (!isfinite(change)) return false;
        xi = v3_add(xi, v3(by[0], by[1], by[2]));
        way[0] += by[3];
        way[1] += by[4];
        for (int j = 0; dry && j < 3; j++) c[j] += by[5 + j];
        const double scale = angle_scale(p, xi) + sqrt(way[0] * way[0] + way[1] * way[1]) / size;
        if (change <= 1e-14 * scale || (change <= 1e-12 * scale && change >= 0.25 * last)) {
            try_step(p, xi, &t);
            f->xi = xi;
            f->way = v3_madd(v3_madd(v3_scale(t.raised, p->n), way[0], p->t1), way[1], p->t2);
            f->slip = v3_scale(1.0 / p->h, along_plane(p, v3_sub(f->way, t.rolled)));
            f->couple = v3_madd(v3_madd(v3_scale(c[0], p->n), c[1], p->t1), c[2], p->t2);
            f->turn = t.turn;
            if (rule == RULE_STICK) {
                f->stuck |= TRU_KIND_BIT(TRU_KIND_SLIDE);
                f->slip = v3_zero();
            }
            impulses(p, f);
            return true;
        }
        last = change;
    }
    return false;
}

/* The slip that the law at the node sees, and whether friction opposes it. */
static bool opposes(const se3 *p, found *f) {
    const double u[2] = {v3_dot(f->slip, p->t1), v3_dot(f->slip, p->t2)};
    double mean[2];
    node_slip(p, u, mean);
    f->mean_slip = v3_madd(v3_scale(mean[0], p->t1), mean[1], p->t2);
    const tru_vec3 friction = along_plane(p, f->node);
    const double power = v3_dot(friction, f->mean_slip);
    const double noise = 1e-12 * v3_norm(f->node) + 0x1p-50 * v3_norm(p->push);
    return power <= noise * v3_norm(f->mean_slip);
}

/* Slipping, by the ladder of the note: branch form; without branch from the stuck solution; with other rho. */
static bool slide(const se3 *p, const found *stuck, const found *guess, found *f) {
    static const struct {
        slide_rule rule;
        double rho; /* [-] of the mass */
    } ladder[] = {{RULE_BRANCH, 0.2}, {RULE_SLIP, 0.2}, {RULE_SLIP, 5.0}, {RULE_SLIP, 0.02}};
    for (size_t i = 0; i < sizeof ladder / sizeof *ladder; i++) {
        const bool resting = v3_norm2(p->slip) == 0.0;
        *f = (i > 0 || resting) && stuck ? *stuck : *guess;
        if (newton(p, ladder[i].rule, ladder[i].rho * p->mass, f) && opposes(p, f)) return true;
    }
    return false;
}

/* ---- the step in the world */

/* Dry lengths of the resistance where the body stands. */
static void read_resistance(se3 *p, const rolling_node *k) {
    const rolling *r = p->r;
    const tru_rolling *l = &r->resist;
    double radius[3] = {0.0, 0.0, 0.0}, lever[2][2];
    p->roll_viscosity = l->roll_viscosity;
    p->spin_viscosity = l->spin_viscosity;
    if (l->roll.radius != TRU_RADIUS_NONE || l->spin.radius != TRU_RADIUS_NONE) {
        const body *under = &r->w->bodies.items[r->plane];
        const tru_mat3 turn = quat_to_matrix(k->q);
        const placed a = solid_placed(&r->w->solids.items[r->solid_a], k->x, &turn);
        const placed b = solid_placed(&r->w->solids.items[r->solid_b], under->x, &under->r);
        lever_of(&a, &b, r->n, r->t1, r->t2, lever, &radius[TRU_RADIUS_EFFECTIVE], &radius[TRU_RADIUS_SMALLER]);
    }
    p->roll = l->roll.radius == TRU_RADIUS_NONE ? l->roll.length : l->roll.factor * radius[l->roll.radius];
    p->spin = l->spin.radius == TRU_RADIUS_NONE ? l->spin.length : l->spin.factor * radius[l->spin.radius];
}

/* Loads at a node, world axes. */
typedef struct node_loads {
    tru_vec3 force, torque;
} node_loads;

static node_loads loads_of(const rolling *r, tru_quat q, double time) {
    node_loads l = {v3_zero(), v3_zero()};
    if (r->w->loads.count > 0) rolling_loads(r, q, time, &l.force, &l.torque);
    return l;
}

/* Momenta of a node in world axes, with half a step of gravity and loads. */
static void half_momenta(const rolling *r, const node_loads *l, double sign, tru_vec3 *push, tru_vec3 *turn) {
    const double mass = r->w->bodies.items[r->body].mass, half = 0.5 * sign * r->h;
    *push = v3_madd(*push, half, v3_madd(l->force, mass, r->pull));
    *turn = v3_madd(*turn, half, l->torque);
}

static se3 problem_of(const rolling *r, const rolling_node *k, const node_loads *l) {
    const body *b = &r->w->bodies.items[r->body];
    const tru_quat q = k->q;
    se3 p = {.r = r, .h = r->h, .mass = b->mass, .mass_rate = b->mass / r->h, .inertia = b->inertia, .start = !r->at};
    p.n = quat_unrotate(q, r->n);
    p.t1 = quat_unrotate(q, r->t1);
    p.t2 = quat_unrotate(q, r->t2);
    p.rho = quat_unrotate(q, k->arm);
    p.height = v3_dot(p.n, p.rho);
    tru_vec3 push = v3_scale(b->mass, k->v), turn = v3_zero();
    half_momenta(r, l, 1.0, &push, &turn);
    p.push = quat_unrotate(q, push);
    p.turn = v3_add(m3_apply(b->inertia, quat_unrotate(q, k->w)), quat_unrotate(q, turn));
    if (r->resists) read_resistance(&p, k);
    if (r->at) {
        p.carried = v3_madd(v3_madd(v3_scale(r->at->last[0], p.n), r->at->last[1], p.t1), r->at->last[2], p.t2);
        p.slip = v3_madd(v3_scale(r->at->bias[1], p.t1), r->at->bias[2], p.t2);
    } else {
        const tru_vec3 u = quat_unrotate(q, v3_sub(k->v, v3_cross(k->w, k->arm)));
        p.slip = v3_norm(u) > ROLLING_SLIP * (v3_norm(k->v) + b->size * v3_norm(k->w)) ? along_plane(&p, u) : v3_zero();
    }
    return p;
}

/* Pi- at the end of the step, body axes there. */
static tru_vec3 momentum_at_end(const se3 *p, tru_vec3 xi) {
    const tru_vec3 l = m3_apply(p->inertia, xi);
    return v3_scale(1.0 / p->h, v3_madd(v3_madd(l, -0.5, v3_cross(xi, l)), 0.25 * v3_dot(xi, l), xi));
}

/* The angular velocity w of least effort, W w = b + couple, that leaves out the kinds that hold: linear in b. */
static tru_vec3 turn_held(const tru_mat3 *whole, const tru_mat3 *inverse, uint32_t held, tru_vec3 n, tru_vec3 b) {
    const bool spin = held & TRU_KIND_BIT(TRU_KIND_SPIN), turn = held & TRU_KIND_BIT(TRU_KIND_ROLL);
    if (spin && turn) return v3_zero();
    if (turn) return v3_scale(v3_dot(n, b) / v3_dot(n, m3_apply(*whole, n)), n);
    const tru_vec3 w = m3_apply(*inverse, b), by = m3_apply(*inverse, n);
    return spin ? v3_madd(w, -v3_dot(n, w) / v3_dot(n, by), by) : w;
}

/* Velocities at the last node, from its momenta without contact: rolling, or friction along the slip of the step; kinds of
 * resistance that hold have no rate. Returns Lambda-, and the couple that holds. */
static tru_vec3 end_impulse(const se3 *p, const found *f, tru_vec3 push, tru_vec3 turn, rolling_node *k,
                            tru_vec3 *holding) {
    const rolling *r = p->r;
    const bool sticks = f->stuck & TRU_KIND_BIT(TRU_KIND_SLIDE);
    tru_mat3 whole = m3_rotate_sym(quat_to_matrix(k->q), p->inertia), inverse = whole;
    tru_vec3 b = turn, last;
    if (sticks) {
        const double aa = p->mass * v3_norm2(k->arm);
        whole = m3_madd(whole, -p->mass, m3_outer(k->arm, k->arm));
        for (int i = 0; i < 3; i++) whole.m[i][i] += aa;
        b = v3_add(turn, v3_cross(k->arm, push));
    }
    m3_spd_inverse(whole, &inverse);
    k->w = turn_held(&whole, &inverse, f->stuck, r->n, b);
    if (sticks) {
        k->v = v3_cross(k->w, k->arm);
        last = v3_sub(v3_scale(p->mass, k->v), push);
    } else {
        const tru_vec3 slip = quat_rotate(quat_mul(k->q, quat_conj(f->turn)), f->slip);
        const double speed = v3_norm(slip), mu = coefficient(r, speed);
        const tru_vec3 dir = speed > 0.0 ? v3_madd(r->n, -mu / speed, slip) : r->n, moment = v3_cross(k->arm, dir);
        const tru_vec3 per = turn_held(&whole, &inverse, f->stuck, r->n, moment), v = v3_scale(1.0 / p->mass, push);
        const double rises = v3_dot(r->n, v3_sub(v, v3_cross(k->w, k->arm)));
        const double lambda = -rises / v3_dot(r->n, v3_add(v3_scale(1.0 / p->mass, dir), v3_cross(per, k->arm)));
        b = v3_madd(b, -lambda, moment);
        k->w = v3_madd(k->w, -lambda, per);
        k->v = v3_madd(v, lambda / p->mass, dir);
        last = v3_scale(lambda, dir);
    }
    const uint32_t kinds = TRU_KIND_BIT(TRU_KIND_SPIN) | TRU_KIND_BIT(TRU_KIND_ROLL);
    *holding = f->stuck & kinds ? v3_sub(m3_apply(whole, k->w), b) : v3_zero();
    return last;
}

/* Work of the step, each term from its own formula: kinetic energy changes by mean velocity times impulse. */
static void book(const se3 *p, const found *f, const rolling_node *start, const node_loads *l0, const node_loads *l1,
                 rolling_result *out) {
    const rolling *r = p->r;
    const rolling_node *end = &out->end;
    const tru_vec3 w0 = quat_unrotate(start->q, start->w), w1 = quat_unrotate(end->q, end->w);
    const tru_vec3 mean = v3_scale(0.5, v3_add(w0, w1)), v = v3_scale(0.5, v3_add(start->v, end->v));
    const tru_vec3 m0 = quat_rotate(start->q, mean), m1 = quat_rotate(end->q, mean);
    const tru_vec3 gone = v3_sub(end->x, start->x), mid = out->rate;
    const tru_vec3 law = v3_add(out->dry, quat_rotate(start->q, v3_scale(2.0, viscous_half(p, f->xi))));
    const tru_vec3 early = v3_scale(0.5, law), late = v3_sub(out->couple, early);
    const double spin = v3_dot(law, r->n) * v3_dot(mid, r->n), whole = v3_dot(law, mid);
    tru_ledger *k = &out->work;
    k->gyroscopic = -v3_dot(mean, v3_cross(f->xi, m3_apply(p->inertia, f->xi))) / p->h;
    k->loads = 0.5 * p->h * (v3_dot(v3_add(l0->force, l1->force), v) + v3_dot(l0->torque, m0) + v3_dot(l1->torque, m1));
    k->spin = -spin;
    k->roll = spin - whole;
    const bool slips = !(f->stuck & TRU_KIND_BIT(TRU_KIND_SLIDE));
    k->slide = slips ? -v3_dot(along_plane(p, f->node), f->mean_slip) : 0.0;
    const double pushed =
        v3_dot(out->first, v3_sub(v, v3_cross(m0, start->arm))) + v3_dot(out->last, v3_sub(v, v3_cross(m1, end->arm)));
    const double fall = p->mass * v3_dot(r->pull, v3_sub(v3_scale(p->h, v), gone));
    k->theta_shift = pushed + k->slide + fall + v3_dot(early, m0) + v3_dot(late, m1) - whole;
}

static tru_status no_solution(const rolling *r, const char *what, double turn, tru_error *err) {
    return tru_fail(err, TRU_NO_SOLUTION,
                    "step %llu (t = %.9g s): scheme se3 found no %s of body '%s', which turns by %.3g rad in the step; "
                    "take a shorter step",
                    (unsigned long long)r->w->steps_done + 1, r->time + r->h, what, r->w->labels.items[r->body].name,
                    turn);
}

/* Fill the end of the step from what was found. */
static void finish(const se3 *p, const found *f, const rolling_node *start, const node_loads *l0, rolling_result *out) {
    const rolling *r = p->r;
    rolling_node *end = &out->end;
    *end = (rolling_node){.q = quat_renormalise(quat_mul(start->q, f->turn))};
    rolling_support(r, end->q, end);
    const tru_vec3 way = quat_rotate(start->q, f->way);
    end->x = v3_add(start->x, way);
    end->x = v3_madd(end->x, -rolling_gap(r, end), r->n);
    const node_loads l1 = loads_of(r, end->q, r->time + r->h);
    out->dry = quat_rotate(start->q, f->couple);
    out->rate = v3_scale(1.0 / p->h, quat_rotate(start->q, f->xi));
    tru_vec3 push = v3_scale(p->mass_rate, way); /* not of positions: far from the origin they have fewer digits */
    tru_vec3 half = quat_rotate(start->q, viscous_half(p, f->xi)), holding;
    const tru_vec3 dry_n = v3_scale(v3_dot(out->dry, r->n), r->n), first = v3_madd(half, 0.5, out->dry);
    if (!(f->stuck & TRU_KIND_BIT(TRU_KIND_SPIN))) half = v3_madd(half, 0.5, dry_n);
    if (!(f->stuck & TRU_KIND_BIT(TRU_KIND_ROLL))) half = v3_madd(half, 0.5, v3_sub(out->dry, dry_n));
    tru_vec3 turn = v3_add(quat_rotate(end->q, momentum_at_end(p, f->xi)), half);
    half_momenta(r, &l1, 1.0, &push, &turn);
    out->last = end_impulse(p, f, push, turn, end, &holding);
    out->couple = v3_add(first, v3_add(half, holding));
    out->first = quat_rotate(start->q, f->first);
    out->node = v3_scale(p->start ? 2.0 : 1.0, quat_rotate(start->q, f->node)); /* of a whole step */
    out->slip = quat_rotate(start->q, f->slip);
    out->mean_slip = quat_rotate(start->q, f->mean_slip);
    out->stuck = f->stuck;
    out->iterations = f->iterations;
    end->gain = v3_sub(quat_unrotate(end->q, end->w), quat_unrotate(start->q, start->w));
    book(p, f, start, l0, &l1, out);
}

tru_status rolling_step_se3(const tru_variational *o, const rolling *r, const rolling_node *start, rolling_result *out,
                            tru_error *err) {
    const node_loads l0 = loads_of(r, start->q, r->time);
    const se3 p = problem_of(r, start, &l0);
    const tru_vec3 rate = quat_unrotate(start->q, start->w);
    found guess = {.xi = v3_scale(p.h, v3_madd(rate, 0.5, start->gain))}, f, slipping;
    guess.way = v3_scale(p.h, quat_unrotate(start->q, start->v));
    f = guess;
    const bool dry = p.roll > 0.0 || p.spin > 0.0, may_slip = o->when_not_rolling == TRU_SLIP;
    bool rolls = roll(&p, &f);
    if (dry) {
        if (!rolls) f = guess;
        rolls = newton(&p, RULE_STICK, 0.2 * p.mass, &f);
    }
    if (may_slip) {
        const double normal = v3_dot(f.node, p.n), friction = v3_norm(along_plane(&p, f.node));
        if (!rolls || !(friction <= r->slide_static * normal)) {
            if (!slide(&p, rolls ? &f : NULL, &guess, &slipping)) return no_solution(r, "slip", v3_norm(guess.xi), err);
            f = slipping;
            rolls = true;
        }
    }
    if (!rolls) return no_solution(r, "rolling", v3_norm(guess.xi), err);
    finish(&p, &f, start, &l0, out);
    return TRU_OK;
}

/* ---- judging */

/* Distance of a couple or friction from the disc law at a rate, as a part of the limit's unit. */
static double off_disc(tru_vec3 force, tru_vec3 rate, double limit) {
    const double speed = v3_norm(rate), size = v3_norm(force);
    if (speed == 0.0) return fmax(0.0, size - limit);
    return v3_norm(v3_madd(force, limit / speed, rate));
}

void rolling_judge_se3(const tru_variational *o, const rolling *at, const rolling_node *start, const rolling_node *end,
                       tru_verdict *out) {
    rolling r = *at;
    const contact *c = at->at;
    const double begun = world_time(r.w) - r.h;
    const node_loads l0 = loads_of(&r, start->q, begun), l1 = loads_of(&r, end->q, world_time(r.w));
    se3 p = problem_of(&r, start, &l0);
    const tru_quat turn = quat_mul(quat_conj(start->q), end->q);
    const tru_vec3 xi = v3_scale(2.0 / turn.w, quat_vec(turn));
    trial t;
    tru_mat3 inverse = m3_diag(v3(NAN, NAN, NAN)); /* shows in the verdict if the inertia has no inverse */
    try_step(&p, xi, &t);
    m3_spd_inverse(p.inertia, &inverse);
    const tru_vec3 frame[3] = {r.n, r.t1, r.t2};
    tru_vec3 whole = v3_zero(), couple = v3_zero(), node = v3_zero(), dry = v3_zero(), mean = v3_zero();
    for (int i = 0; i < 3; i++) {
        whole = v3_madd(whole, c->impulse[i], frame[i]);
        couple = v3_madd(couple, c->impulse[3 + i], frame[i]);
        node = v3_madd(node, c->dry[i], frame[i]);
        dry = v3_madd(dry, c->dry[3 + i], frame[i]);
        if (i > 0) mean = v3_madd(mean, c->work[0][i], frame[i]);
    }
    const tru_vec3 early = v3_madd(quat_rotate(start->q, viscous_half(&p, xi)), 0.5, dry), late = v3_sub(couple, early);
    const tru_vec3 way = quat_unrotate(start->q, v3_sub(end->x, start->x));
    const tru_vec3 first = v3_sub(v3_scale(p.mass_rate, way), p.push);
    tru_vec3 left = v3_add(v3_sub(t.pi, p.turn), v3_cross(p.rho, first));
    left = v3_sub(left, quat_unrotate(start->q, early));
    out->spin = v3_norm(m3_apply(inverse, left));
    const tru_vec3 last = v3_sub(whole, quat_rotate(start->q, first));
    tru_vec3 push = v3_zero(), there = v3_sub(late, v3_cross(end->arm, last));
    half_momenta(&r, &l1, 1.0, &push, &there);
    left = v3_sub(m3_apply(p.inertia, quat_unrotate(end->q, end->w)), momentum_at_end(&p, xi));
    left = v3_sub(left, quat_unrotate(end->q, there));
    out->spin = fmax(out->spin, v3_norm(m3_apply(inverse, left)));
    const tru_vec3 ends =
        v3_sub(v3_scale(p.mass, end->v), v3_add(v3_scale(p.mass_rate, v3_sub(end->x, start->x)), push));
    out->momentum = v3_norm(v3_sub(ends, last)) / p.mass;
    const tru_vec3 slip = v3_scale(1.0 / p.h, along_plane(&p, v3_sub(way, t.rolled)));
    const tru_vec3 w = v3_scale(1.0 / p.h, quat_rotate(start->q, xi)), wn = v3_scale(v3_dot(w, r.n), r.n);
    const double moment = m3_trace(p.inertia) / 3.0, normal = fmax(c->dry[0], 0.0);
    const tru_vec3 dry_n = v3_scale(v3_dot(dry, r.n), r.n), zero = v3_zero();
    const bool spins = !(c->stuck & TRU_KIND_BIT(TRU_KIND_SPIN)), turns = !(c->stuck & TRU_KIND_BIT(TRU_KIND_ROLL));
    out->law[TRU_KIND_SPIN] =
        fmax(off_disc(dry_n, spins ? wn : zero, p.spin * normal) / moment, spins ? 0.0 : v3_norm(wn));
    out->law[TRU_KIND_ROLL] = fmax(off_disc(v3_sub(dry, dry_n), turns ? v3_sub(w, wn) : zero, p.roll * normal) / moment,
                                   turns ? 0.0 : v3_norm(v3_sub(w, wn)));
    if (o->when_not_rolling != TRU_SLIP || (c->stuck & TRU_KIND_BIT(TRU_KIND_SLIDE))) {
        out->law[TRU_KIND_SLIDE] = v3_norm(slip);
        return;
    }
    const tru_vec3 friction = v3_madd(node, -v3_dot(node, r.n), r.n);
    out->law[TRU_KIND_SLIDE] = off_disc(friction, mean, coefficient(&r, v3_norm(mean)) * normal) / p.mass;
}
