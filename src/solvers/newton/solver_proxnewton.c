/* solver_proxnewton.c: proximal points, each found by Newton's method in the velocities with a skyline factorisation, for
 * stacks, chains and mechanisms [solvers 5].
 *
 * | symbol [solvers 5] | name | unit |
 * |---|---|---|
 * | v - v_free | v, six numbers per body | m/s, rad/s |
 * | gamma^j, gamma^(j+1) | a (anchor), p | N s, N m s |
 * | epsilon, P, R = epsilon P^-1 | soft, block.rho | -, impulse/velocity |
 * | grad Psi(v) = M (v - v_free) - W proj(a - R^-1 u) | f | N s, N m s |
 * | H = M + sum J^T G J | sky | kg, kg m, kg m^2 |
 * | s(u) | shift | m/s |
 *
 * An outer step gamma^(j+1) = argmin f(gamma) + |gamma - gamma^j|^2_R / 2 is a convex, once differentiable problem in the
 * velocities: rows are springs between the anchor and the set in which their impulses lie. It needs no matrix of contacts, so
 * redundant contacts do not matter. Bilateral rows are springs without a limit. Rates are updated with each step instead of
 * computed from the velocities, because their last bit, divided by epsilon, would appear in the impulses. The result is judged
 * by velocities that follow from the impulses alone.
 *
 * Exact form: the relaxed problem with s(u) added to the normal rate is solved to a tenth of the distance from the exact law,
 * then s(u) is renewed; renewing it at every proximal step diverges. So Newton's method on the natural map comes first, in
 * which s(u) is a part of every step (trui_newton_solve, sparse.h). Proximal points follow where that stalls. */
#include "solvers/newton/solver_newton.h"

#include "base/assert.h"
#include "base/error.h"
#include "math/mat.h"
#include "problem/sparse.h"

#include <stddef.h>
#include <string.h>

static const tru_field fields[] = {
    TRU_REAL(tru_proxnewton, tolerance, TRU_UNIT_ONE, 1e-9, TRU_RANGE(1e-15, 1e-2),
             "Largest distance from the contact laws, relative to the velocity scale of the step."),
    TRU_INTEGER(tru_proxnewton, iterations, 100, TRU_RANGE(1, 100000), "Most Newton steps in one solve."),
    TRU_REAL(tru_proxnewton, softness, TRU_UNIT_ONE, 1e-6, TRU_RANGE(1e-9, 1.0),
             "Proximal weight in parts of what a contact yields by itself: tall stacks need a small one."),
    {.name = NULL},
};

#define CLOSE   0.3   /* [-] part of the slope that a line search leaves, and of a proximal step that may be amiss */
#define LOOKS   40    /* evaluations in a line search at most */
#define ROUNDED 1e-14 /* [-] part of a rate that may be round-off */
#define SOFTEST 1e-2  /* [-] largest softness */
#define HARDEST 1e-12 /* [-] smallest softness */
#define BELOW   1e-3  /* [-] part of the tolerance that steps on the natural map aim at */
#define TURNS   6     /* solves in all: steps on the natural map and proximal points take turns */
#define DEEPER  0.1   /* [-] part of the distance from the exact law to which the relaxed problem is solved */

/* Mass and inertia of a body, with their inverses. */
typedef struct inertia {
    double mass, inv_mass; /* [kg], [1/kg] */
    tru_mat3 turn, inverse;
} inertia;

typedef struct solver {
    tru_problem *pb;
    double soft;
    int bodies;
    const int32_t *number;
    inertia *inertia;             /* bodies */
    double *a, *p, *p2, *best;    /* n [impulse] */
    double *u, *u2, *du, *f_rows; /* n [velocity]; the last: the natural map [impulse] */
    double *v, *v2, *f, *f2, *d;  /* 6 bodies: velocities, gradients, direction */
    double *slope;                /* BLOCK_ROOM per block: derivatives of the projections */
    double *shift;                /* per block [m/s] */
    bool *exact;                  /* per block */
    bool any_exact;
    skyline sky;
} solver;

/* ---- bodies and room */

static const double nothing[SKY_SIDE] = {0.0};

/* Returns the six numbers of body `which` in v, zeros if impulses do not move it. */
static const double *of(const solver *s, const double *v, size_t which) {
    const int32_t k = s->number[which];
    TRU_ASSERT(k < s->bodies);
    return k < 0 ? nothing : v + k * SKY_SIDE;
}

static bool reserve_vectors(solver *s) {
    const size_t n = (size_t)s->pb->n, m = (size_t)s->bodies * SKY_SIDE, blocks = (size_t)s->pb->block_count;
    double *room = ARENA_ARRAY(s->pb->scratch, double, 8 * n + 5 * m + (BLOCK_ROOM + 1) * blocks);
    s->exact = ARENA_ARRAY(s->pb->scratch, bool, blocks);
    s->inertia = ARENA_ARRAY(s->pb->scratch, inertia, (size_t)s->bodies);
    if (!room || !s->exact || !s->inertia) return false;
    double **rows[] = {&s->a, &s->p, &s->p2, &s->best, &s->u, &s->u2, &s->du, &s->f_rows};
    double **bodies[] = {&s->v, &s->v2, &s->f, &s->f2, &s->d};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++, room += n) *rows[i] = room;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++, room += m) *bodies[i] = room;
    s->slope = room;
    s->shift = room + BLOCK_ROOM * blocks;
    return true;
}

/* Reserves memory and collects inertias; false without memory. */
static bool reserve(solver *s, tru_problem *pb, double softness) {
    if (!trui_sparse_number(pb)) return false;
    *s = (solver){.pb = pb, .soft = softness, .number = pb->number, .bodies = pb->numbered};
    int count;
    const sky_link *links = trui_sparse_links(pb, s->number, &count);
    if (!links || !reserve_vectors(s) || !trui_sky_begin(&s->sky, pb->scratch, links, count, s->bodies)) return false;
    TRU_ASSERT(softness > 0.0 && s->bodies >= 0);
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        TRU_ASSERT(b->first + b->rows <= pb->n && b->forces <= b->rows);
        s->exact[i] = b->kind == BLOCK_CONTACT && !b->relaxed && b->rows > 1;
        s->any_exact |= s->exact[i];
        s->shift[i] = 0.0;
        const size_t side[2] = {b->a, b->b};
        for (int k = 0; k < 2; k++) {
            const problem_body *from = &pb->bodies[side[k]];
            if (s->number[side[k]] < 0) continue;
            inertia *to = &s->inertia[s->number[side[k]]];
            *to = (inertia){.mass = 1.0 / from->inv_mass, .inv_mass = from->inv_mass, .inverse = from->inverse};
            m3_spd_inverse(from->inverse, &to->turn);
        }
    }
    return true;
}

/* ---- rates, impulses, gradient */

/* Computes u = W^T v. */
static void rates_of(const solver *s, const double *v, double *u) {
    for (int i = 0; i < s->pb->block_count; i++) {
        const block *b = &s->pb->blocks[i];
        const double *va = of(s, v, b->a), *vb = of(s, v, b->b);
        const tru_vec3 lin = v3(va[0] - vb[0], va[1] - vb[1], va[2] - vb[2]), wa = v3_from(va + 3),
                       wb = v3_from(vb + 3);
        const bool both = s->number[b->b] >= 0;
        for (int k = 0; k < b->rows; k++) {
            const problem_row *r = &s->pb->rows[b->first + k];
            double sum = v3_dot(r->ang_a, wa);
            if (k < b->forces) sum += v3_dot(r->lin, lin);
            if (both) sum -= v3_dot(r->ang_b, wb);
            u[b->first + k] = sum;
        }
    }
}

/* Adds sign W q to f for the rows q of one block. */
static void push(const solver *s, const block *b, const double *q, double sign, double *f) {
    const int32_t ka = s->number[b->a], kb = s->number[b->b];
    tru_vec3 force = v3_zero(), turn_a = v3_zero(), turn_b = v3_zero();
    for (int k = 0; k < b->rows; k++) {
        const problem_row *r = &s->pb->rows[b->first + k];
        const double x = sign * q[k];
        if (k < b->forces) force = v3_madd(force, x, r->lin);
        turn_a = v3_madd(turn_a, x, r->ang_a);
        if (kb >= 0) turn_b = v3_madd(turn_b, x, r->ang_b);
    }
    if (ka >= 0) {
        double *to = f + ka * SKY_SIDE;
        v3_store(to, v3_add(v3_from(to), force));
        v3_store(to + 3, v3_add(v3_from(to + 3), turn_a));
    }
    if (kb >= 0) {
        double *to = f + kb * SKY_SIDE;
        v3_store(to, v3_sub(v3_from(to), force));
        v3_store(to + 3, v3_sub(v3_from(to + 3), turn_b));
    }
}

/* Returns true if a contact sticks at x, inside all its sets. Then x is its own projection, and the root of the cone need not be
 * found. */
static bool sticks(const block *b, const double *x, const double *u) {
    const int s1 = b->place[TRU_ROW_SLIDE1];
    const double slip =
        b->kind == BLOCK_CONTACT && s1 > 0 ? b->theta * sqrt(u[s1] * u[s1] + u[s1 + 1] * u[s1 + 1]) : 0.0;
    double xf[TRU_FRICTION_ROWS] = {0}, yf[TRU_FRICTION_ROWS] = {0};
    if (b->kind != BLOCK_CONTACT || !(x[0] > b->normal_terms.floor)) return false;
    for (int k = 1; k < b->rows; k++) xf[b->row[k] - 1] = x[k];
    tru_section s = {x[0], slip, b->metric, xf, yf, 0, NULL, NULL};
    trui_laws_section(b->laws, b->law_count, &s);
    for (int k = 1; k < b->rows; k++)
        if (yf[b->row[k] - 1] != x[k]) return false;
    return true;
}

/* Returns the factor on the anchor of a normal row: a row with compliance C has the proximal weight epsilon/rho + C. */
static double yielding(const solver *s, const block *b) {
    return s->soft / (s->soft + b->normal_terms.soft * b->rho[0]);
}

/* Computes p = proj(a - R^-1 (u + s)) of block i, and its derivative unless that is NULL. */
static void project(const solver *s, int i, const double *u, double *p, double *derivative) {
    block *b = &s->pb->blocks[i];
    double x[TRU_ROWS] = {0};
    uint32_t stuck;
    const double hard = 1.0 / s->soft;
    for (int k = 0; k < b->rows; k++) x[k] = s->a[b->first + k] - hard * b->rho[k] * u[k];
    x[0] -= hard * b->rho[0] * s->shift[i];
    TRU_ASSERT(s->soft > 0.0 && i < s->pb->block_count);
    const double part = yielding(s, b), rho = b->rho[0], metric = b->metric[TRU_KIND_NORMAL];
    if (part < 1.0) x[0] *= part;
    if (sticks(b, x, u)) {
        for (int k = 0; k < b->rows; k++) p[k] = x[k];
        for (int k = 0; derivative && k < b->rows; k++)
            for (int l = 0; l < b->rows; l++) derivative[k * TRU_ROWS + l] = k == l ? 1.0 : 0.0;
        return;
    }
    const bool relaxed = b->relaxed;
    b->relaxed = relaxed || s->exact[i];
    b->rho[0] = b->metric[TRU_KIND_NORMAL] = part * rho;
    trui_block_project(b, x, u, p, derivative, &stuck);
    b->relaxed = relaxed;
    b->rho[0] = rho;
    b->metric[TRU_KIND_NORMAL] = metric;
}

/* Computes p and the gradient f at velocities v with rates u. */
static void evaluate(const solver *s, const double *v, const double *u, double *p, double *f, double *derivatives) {
    for (int i = 0; i < s->bodies; i++) {
        const inertia *m = &s->inertia[i];
        v3_store(f + i * SKY_SIDE, v3_scale(m->mass, v3_from(v + i * SKY_SIDE)));
        v3_store(f + i * SKY_SIDE + 3, m3_apply(m->turn, v3_from(v + i * SKY_SIDE + 3)));
    }
    for (int i = 0; i < s->pb->block_count; i++) {
        const block *b = &s->pb->blocks[i];
        double q[TRU_ROWS];
        project(s, i, u + b->first, p + b->first, derivatives ? derivatives + BLOCK_ROOM * i : NULL);
        trui_block_impulses(b, p, u, q);
        push(s, b, q, -1.0, f);
    }
}

/* ---- the matrix */

/* Adds J^T G J of one block to H; G has packed rows with stride TRU_ROWS. */
static void add_block(const solver *s, const block *b, const double *g) {
    const int32_t number[2] = {s->number[b->a], s->number[b->b]};
    double j[2][TRU_ROWS][SKY_SIDE], t[2][TRU_ROWS][SKY_SIDE];
    for (int side = 0; side < 2; side++) {
        if (number[side] < 0) continue;
        const double sign = side == 0 ? 1.0 : -1.0;
        for (int k = 0; k < b->rows; k++) {
            const problem_row *r = &s->pb->rows[b->first + k];
            v3_store(j[side][k], k < b->forces ? v3_scale(sign, r->lin) : v3_zero());
            v3_store(j[side][k] + 3, v3_scale(sign, side == 0 ? r->ang_a : r->ang_b));
        }
        for (int k = 0; k < b->rows; k++) {
            for (int c = 0; c < SKY_SIDE; c++) t[side][k][c] = 0.0;
            for (int l = 0; l < b->rows; l++) {
                const double gkl = g[k * TRU_ROWS + l];
                if (gkl == 0.0) continue; /* off the diagonal of a contact that sticks */
                for (int c = 0; c < SKY_SIDE; c++) t[side][k][c] += gkl * j[side][l][c];
            }
        }
    }
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 2; column++) {
            if (number[row] < 0 || number[column] < 0 || number[row] > number[column]) continue;
            double *h = sky_block(&s->sky, number[row], number[column]);
            for (int k = 0; k < b->rows; k++)
                for (int r = 0; r < SKY_SIDE; r++)
                    for (int c = 0; c < SKY_SIDE; c++) h[r * SKY_SIDE + c] += j[row][k][r] * t[column][k][c];
        }
}

/* Builds and factorises H at the given derivatives; with NULL, of masses and viscous rows alone. False if H is not positive. */
static bool factor(solver *s, const double *derivatives) {
    trui_sky_clear(&s->sky);
    for (int i = 0; i < s->bodies; i++) {
        double *h = sky_block(&s->sky, i, i);
        for (int k = 0; k < 3; k++) {
            h[k * (SKY_SIDE + 1)] = s->inertia[i].mass;
            for (int l = 0; l < 3; l++) h[(k + 3) * SKY_SIDE + l + 3] = s->inertia[i].turn.m[k][l];
        }
    }
    const double hard = 1.0 / s->soft;
    for (int i = 0; i < s->pb->block_count; i++) {
        const block *b = &s->pb->blocks[i];
        const double *d = derivatives ? derivatives + BLOCK_ROOM * i : NULL;
        double g[BLOCK_ROOM];
        const double part = yielding(s, b);
        bool any = false;
        for (int k = 0; k < b->rows; k++)
            for (int l = 0; l < b->rows; l++) {
                const int at = k * TRU_ROWS + l;
                g[at] = (d ? hard * (d[at] * b->rho[l]) : 0.0) + (b->viscous ? b->viscous[at] : 0.0);
                if (l == 0 && part < 1.0) g[at] *= part; /* column 0 of a contact has no viscous part */
                any = any || g[at] != 0.0;
            }
        if (any) add_block(s, b, g);
    }
    return trui_sky_factor(&s->sky);
}

/* ---- what follows from the impulses alone */

/* Computes v2 and u2, the velocities and rates that follow from the impulses p. */
static bool follow(solver *s, const double *p) {
    tru_problem *pb = s->pb;
    memset(s->v2, 0, (size_t)s->bodies * SKY_SIDE * sizeof *s->v2);
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        double q[TRU_ROWS];
        trui_block_impulses(b, p, pb->r, q);
        push(s, b, q, 1.0, s->v2);
    }
    if (pb->viscous) {
        if (!factor(s, NULL)) return false;
        trui_sky_solve(&s->sky, s->v2);
    }
    for (int i = 0; !pb->viscous && i < s->bodies; i++) {
        double *v = s->v2 + i * SKY_SIDE;
        v3_store(v, v3_scale(s->inertia[i].inv_mass, v3_from(v)));
        v3_store(v + 3, m3_apply(s->inertia[i].inverse, v3_from(v + 3)));
    }
    rates_of(s, s->v2, s->u2);
    for (int k = 0; k < pb->n; k++) s->u2[k] += pb->r[k];
    return true;
}

/* Distances as velocities relative to those of their blocks, the largest of all rows. */
typedef struct distance {
    double amiss;   /* |u2 - u|: how far the velocities are from their impulses */
    double stepped; /* R |a - p|: the proximal step */
    double rate;    /* |u| */
} distance;

static distance distances(const solver *s) {
    distance most = {0.0, 0.0, 0.0};
    for (int i = 0; i < s->pb->block_count; i++) {
        const block *b = &s->pb->blocks[i];
        for (int k = 0; k < b->rows; k++) {
            const int at = b->first + k;
            const double length = s->pb->rows[at].length;
            const double e = length * fabs(s->u2[at] - s->u[at]);
            const double r = length * s->soft * fabs(s->a[at] - s->p[at]) / b->rho[k];
            const double u = length * fabs(s->u[at]);
            if (e > most.amiss * b->speed) most.amiss = e / b->speed;
            if (r > most.stepped * b->speed) most.stepped = r / b->speed;
            if (u > most.rate * b->speed) most.rate = u / b->speed;
        }
    }
    return most;
}

/* Moves the shifts of exact contacts towards s(u2), `part` of the way. */
static void renew_shifts(const solver *s, double part) {
    TRU_ASSERT(part > 0.0 && part <= 1.0);
    for (int i = 0; i < s->pb->block_count; i++) {
        const block *b = &s->pb->blocks[i];
        double u[TRU_FRICTION_ROWS] = {0};
        if (!s->exact[i]) continue;
        for (int k = 1; k < b->rows; k++) u[b->row[k] - 1] = b->theta * s->u2[b->first + k];
        const double support = trui_laws_support(b->laws, b->law_count, u) / b->theta;
        s->shift[i] += part * (support - s->shift[i]);
    }
}

/* ---- Newton */

static double dot(const double *a, const double *b, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

/* Returns the slope along d at v + t d; v2, u2, p2 and f2 receive that point. */
static double try(const solver *s, double t) {
    TRU_ASSERT(s->v != s->v2 && s->u != s->u2 && s->p != s->p2 && s->f != s->f2);
    const int m = s->bodies * SKY_SIDE;
    for (int i = 0; i < m; i++) s->v2[i] = s->v[i] + t * s->d[i];
    for (int i = 0; i < s->pb->n; i++) s->u2[i] = s->u[i] + t * s->du[i];
    evaluate(s, s->v2, s->u2, s->p2, s->f2, NULL);
    return dot(s->d, s->f2, m);
}

/* Makes one Newton step with a line search on the slope, because values of Psi carry 1/epsilon. False without a direction. */
static bool newton_step(solver *s) {
    const int m = s->bodies * SKY_SIDE;
    evaluate(s, s->v, s->u, s->p, s->f, s->slope);
    if (!factor(s, s->slope)) return false;
    for (int i = 0; i < m; i++) s->d[i] = -s->f[i];
    trui_sky_solve(&s->sky, s->d);
    rates_of(s, s->d, s->du);
    const double before = dot(s->d, s->f, m), enough = -CLOSE * before;
    double low = 0.0, high = 1.0, at_low = before, t = 1.0, slope = try(s, t), at_high = slope;
    for (int i = 0; i < LOOKS && (i == 0 ? slope : fabs(slope)) > enough; i++) {
        const double part = at_low / (at_low - at_high);
        t = low + fmin(fmax(part, 0.1), 0.9) * (high - low);
        slope = try(s, t);
        if (slope > 0.0)
            high = t, at_high = slope;
        else
            low = t, at_low = slope;
    }
    swap(&s->v, &s->v2);
    swap(&s->u, &s->u2);
    swap(&s->p, &s->p2);
    swap(&s->f, &s->f2);
    return slope == slope;
}

/* Adds C p to the normal rates: laws act on them where normal rows have compliance. */
static void yield_by(const solver *s, const double *p, double *u) {
    for (int i = 0; i < s->pb->block_count; i++) {
        const block *b = &s->pb->blocks[i];
        if (b->normal_terms.soft > 0.0) u[b->first] += b->normal_terms.soft * p[b->first];
    }
}

/* Returns the distance of p from the laws, with the rates u2 that follow from it. */
static double look(solver *s) {
    yield_by(s, s->p, s->u2);
    return trui_problem_evaluate(s->pb, s->p, s->u2, s->f_rows, NULL);
}

/* Starts at impulses a with the rates that follow from them; false without memory. */
static bool start(solver *s) {
    const size_t n = (size_t)s->pb->n;
    memcpy(s->p, s->a, n * sizeof *s->p);
    if (!follow(s, s->a)) return false;
    swap(&s->v, &s->v2);
    memcpy(s->u, s->u2, n * sizeof *s->u);
    renew_shifts(s, 1.0);
    return true;
}

/* Measures p and keeps the best impulses. Returns the distance of p from the laws. */
static double keep_best(solver *s, double tolerance, double *worst) {
    const double now = look(s);
    if (now <= *worst || now <= tolerance) {
        *worst = now;
        memcpy(s->best, s->p, (size_t)s->pb->n * sizeof *s->p);
    }
    return now;
}

/* Adapts the softness after a complete proximal step: a smaller one where steps are slow, a larger one where the round-off of
 * sliding rates, divided by epsilon, is all that remains. */
static void adapt(solver *s, const distance *far, double before, double goal) {
    if (far->amiss > CLOSE * goal && s->soft < SOFTEST)
        s->soft *= 10.0;
    else if (far->stepped > CLOSE * before && 10.0 * far->amiss <= CLOSE * goal && s->soft > HARDEST)
        s->soft *= 0.1;
}

/* Makes Newton steps until the laws are met. `best` receives the best impulses, *worst their distance. Returns the number of
 * steps. */
static int iterate(const tru_proxnewton *o, solver *s, double *worst) {
    const size_t bytes = (size_t)s->pb->n * sizeof *s->p;
    double goal = s->any_exact ? fmax(CLOSE * o->tolerance, DEEPER * *worst) : o->tolerance, last = *worst;
    double before = HUGE_VAL;
    int steps = 0;
    memcpy(s->best, s->a, bytes);
    while (steps < o->iterations && newton_step(s)) {
        steps++;
        if (!follow(s, s->p)) break;
        const distance far = distances(s);
        const bool rounded = far.amiss > CLOSE * goal && far.amiss * s->soft <= ROUNDED * far.rate;
        if (far.amiss + far.stepped <= goal) {
            const double now = keep_best(s, o->tolerance, worst);
            if (now <= o->tolerance) break;
            if (s->any_exact) renew_shifts(s, now < 0.9 * last ? 1.0 : 0.5);
            goal = s->any_exact ? fmax(CLOSE * o->tolerance, DEEPER * now) : DEEPER * goal;
            last = now;
        } else if (far.amiss > CLOSE * far.stepped && !rounded) {
            continue; /* the proximal step is not complete */
        } else {
            keep_best(s, o->tolerance, worst);
            adapt(s, &far, before, goal);
        }
        TRU_ASSERT(s->soft > 0.0 && steps <= o->iterations);
        before = far.stepped;
        memcpy(s->a, s->p, bytes);
    }
    return steps;
}

/* Runs Newton's method on the natural map, in which s(u) is a part of every step. It aims below the tolerance, because the next
 * time step starts from what this one leaves. */
static tru_status solve_natural(const tru_proxnewton *o, tru_problem *pb, tru_solve_info *info, tru_error *err) {
    const newton_goal goal = {.tolerance = BELOW * o->tolerance, .enough = o->tolerance, .max_steps = o->iterations};
    return trui_newton_solve(&goal, pb, info, err);
}

/* Moves through proximal points of the convex problem and renews s(u) between them. */
static tru_status solve_proximal(const tru_proxnewton *o, tru_problem *pb, tru_solve_info *info, tru_error *err) {
    const size_t bytes = (size_t)pb->n * sizeof(double);
    solver s;
    if (!reserve(&s, pb, o->softness)) return tru_no_memory(err);
    memcpy(s.a, pb->p, bytes);
    if (!start(&s)) return tru_no_memory(err);
    double worst = look(&s);
    if (!(worst < HUGE_VAL)) { /* a warm start without a finite residual */
        memset(s.a, 0, bytes);
        if (!start(&s)) return tru_no_memory(err);
        worst = look(&s);
    }
    const int steps = iterate(o, &s, &worst);
    memcpy(pb->p, s.best, bytes);
    if (!follow(&s, pb->p)) return tru_no_memory(err);
    memcpy(pb->u, s.u2, bytes);
    yield_by(&s, pb->p, pb->u);
    info->iterations += steps;
    info->relative = trui_problem_evaluate(pb, pb->p, pb->u, s.f_rows, NULL);
    info->converged = info->relative <= o->tolerance;
    trui_problem_report(pb, s.f_rows, info);
    return info->converged ? TRU_OK : TRU_UNCONVERGED;
}

/* Solves by steps on the natural map and by proximal points in turn. The former stop at a local minimum of the residual, the
 * latter where s(u) does not settle; each starts from the best result of the other. */
static tru_status solve(const void *params, tru_problem *pb, tru_solve_info *info, tru_error *err) {
    const tru_proxnewton *o = params;
    tru_status status = TRU_UNCONVERGED;
    const int32_t *number = pb->number; /* restored below: numbers made here lie in scratch memory */
    if (!trui_sparse_number(pb)) return tru_no_memory(err);
    for (int turn = 0; turn < TURNS && status == TRU_UNCONVERGED; turn++) {
        const arena_mark mark = trui_arena_here(pb->scratch);
        status = turn % 2 == 0 ? solve_natural(o, pb, info, err) : solve_proximal(o, pb, info, err);
        trui_arena_rewind(pb->scratch, mark);
    }
    pb->number = number;
    return status;
}

TRU_DEFAULTS(tru_proxnewton, tru_default_proxnewton, fields)

const tru_solver tru_solver_proxnewton = {
    .name = "proxnewton",
    .doc = "Proximal points by Newton's method in the velocities, for stacks, chains and mechanisms.",
    .fields = fields,
    .size = sizeof(tru_proxnewton),
    .solve = solve,
    .matrix_free = true,
};
