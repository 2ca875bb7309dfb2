/* problem.c: rows, matrix, projection and residual of the contact problem. */
#include "problem/problem.h"

#include "base/assert.h"
#include "math/mat.h"
#include "math/solve.h"

#include <string.h>

/* Fills the row of a force along `axis` or of a couple about it. */
static void fill_row(problem_row *r, const problem_body *a, const problem_body *o, const contact_frame *c,
                     tru_vec3 axis, bool couple) {
    r->lin = couple ? v3_zero() : axis;
    r->ang_a = couple ? axis : v3_cross(c->arm_a, axis);
    r->moved_a = problem_turn(a, r->ang_a);
    if (!o->moves) return;
    r->ang_b = couple ? axis : v3_cross(c->arm_b, axis);
    r->moved_b = o->inv_mass > 0.0 ? problem_turn(o, r->ang_b) : v3_zero();
}

/* Fills the vectors of a contact's rows, which couple it to other blocks. */
static void fill_rows(tru_problem *pb, const block *b) {
    const contact_frame *c = &b->contact->c;
    const tru_vec3 axes[] = {c->normal, c->t1, c->t2};
    for (int k = 0; k < b->rows; k++)
        fill_row(&pb->rows[b->first + k], &pb->bodies[b->a], &pb->bodies[b->b], c, axes[b->row[k] % 3], k >= b->forces);
}

/* Computes D of a block in packed rows: viscous force per rate, times the time it acts. */
static void add_viscosity(tru_problem *pb, block *b, double time) {
    double d[TRU_FRICTION_ROWS * TRU_FRICTION_ROWS] = {0};
    b->viscous = NULL;
    bool any = false;
    for (int i = 0; i < b->law_count; i++)
        if (b->laws[i].law->viscosity) b->laws[i].law->viscosity(b->laws[i].work, d);
    for (int i = 0; i < TRU_FRICTION_ROWS; i++) any |= d[i * (TRU_FRICTION_ROWS + 1)] != 0.0;
    if (!any) return; /* a dissipative matrix that is not zero has a diagonal */
    pb->viscous = true;
    b->viscous = ARENA_ARRAY(pb->scratch, double, TRU_ROWS *TRU_ROWS);
    if (!b->viscous) return; /* trui_problem_assemble reports the lack of memory */
    memset(b->viscous, 0, TRU_ROWS * TRU_ROWS * sizeof *b->viscous);
    for (int k = 1; k < b->rows; k++)
        for (int l = 1; l < b->rows; l++)
            b->viscous[k * TRU_ROWS + l] = time * d[(b->row[k] - 1) * TRU_FRICTION_ROWS + b->row[l] - 1];
}

static inline void add_row(tru_problem *pb, block *b, int row, double length) {
    TRU_ASSERT(row >= 0 && row < TRU_ROWS && b->rows < TRU_ROWS && length > 0.0);
    pb->rows[pb->n++].length = length;
    b->row[b->rows] = (int8_t)row;
    b->place[row] = (int8_t)b->rows++;
}

void trui_problem_contact_rows(tru_problem *pb, block *b, const contact *c) {
    const unsigned claims = c->pair->claims;
    const double arm = v3_norm(c->c.arm_a), length = arm > 0.0 ? arm : 1.0;
    b->first = pb->n;
    b->rows = 0;
    memset(b->place, -1, sizeof b->place);
    add_row(pb, b, TRU_ROW_NORMAL, 1.0);
    if (claims & TRU_KIND_BIT(TRU_KIND_SLIDE)) {
        add_row(pb, b, TRU_ROW_SLIDE1, 1.0);
        add_row(pb, b, TRU_ROW_SLIDE2, 1.0);
    }
    b->forces = b->rows;
    if (claims & TRU_KIND_BIT(TRU_KIND_SPIN)) add_row(pb, b, TRU_ROW_SPIN, length);
    if (claims & TRU_KIND_BIT(TRU_KIND_ROLL)) {
        add_row(pb, b, TRU_ROW_ROLL1, length);
        add_row(pb, b, TRU_ROW_ROLL2, length);
    }
    TRU_ASSERT(b->first + b->rows == pb->n && b->forces <= b->rows);
    if (c->pair->viscous) add_viscosity(pb, b, pb->step * b->theta);
}

/* Returns the element of G for two rows: the sum over bodies that both act on, with the signs of the sides they take. */
static double coupling(const tru_problem *pb, const block *bi, const problem_row *ri, const block *bj,
                       const problem_row *rj) {
    double g = 0.0;
    const double lin = v3_dot(ri->lin, rj->lin);
    if (bi->a == bj->a) g += lin * pb->bodies[bi->a].inv_mass + v3_dot(ri->ang_a, rj->moved_a);
    if (bi->b == bj->b && pb->bodies[bi->b].inv_mass > 0.0)
        g += lin * pb->bodies[bi->b].inv_mass + v3_dot(ri->ang_b, rj->moved_b);
    if (bi->a == bj->b) g -= lin * pb->bodies[bi->a].inv_mass + v3_dot(ri->ang_a, rj->moved_b);
    if (bi->b == bj->a) g -= lin * pb->bodies[bi->b].inv_mass + v3_dot(ri->ang_b, rj->moved_a);
    return g;
}

/* Computes the part of one body in the matrix of a contact's six rows, forces along and couples about (n, t1, t2). In that frame
 * K = F I^-1 F^T and r = F arm; a force along e_i turns the body like the couple r x e_i, so G_cc = K, G_fc = S K and
 * G_ff = 1/m + S K S^T with the rows r x e_i of S. */
static void body_matrix(const problem_body *o, const contact_frame *c, tru_vec3 arm, double *g) {
    const double r0 = v3_dot(arm, c->normal), r1 = v3_dot(arm, c->t1), r2 = v3_dot(arm, c->t2);
    double k00 = o->inverse.m[0][0], k11 = k00, k22 = k00, k01 = 0.0, k02 = 0.0, k12 = 0.0;
    if (!o->round) {
        const tru_vec3 kn = m3_apply(o->inverse, c->normal), k1 = m3_apply(o->inverse, c->t1),
                       k2 = m3_apply(o->inverse, c->t2);
        k00 = v3_dot(c->normal, kn), k01 = v3_dot(c->t1, kn), k02 = v3_dot(c->t2, kn);
        k11 = v3_dot(c->t1, k1), k12 = v3_dot(c->t2, k1), k22 = v3_dot(c->t2, k2);
    }
    const double n0 = r2 * k01 - r1 * k02, n1 = r2 * k11 - r1 * k12, n2 = r2 * k12 - r1 * k22;
    const double s0 = r0 * k02 - r2 * k00, s1 = r0 * k12 - r2 * k01, s2 = r0 * k22 - r2 * k02;
    const double t0 = r1 * k00 - r0 * k01, t1 = r1 * k01 - r0 * k11, t2 = r1 * k02 - r0 * k12;
    const double nn = o->inv_mass + (r2 * n1 - r1 * n2), ns = r0 * n2 - r2 * n0, nt = r1 * n0 - r0 * n1;
    const double ss = o->inv_mass + (r0 * s2 - r2 * s0), st = r1 * s0 - r0 * s1;
    const double tt = o->inv_mass + (r1 * t0 - r0 * t1);
    const double rows[TRU_ROWS * TRU_ROWS] = {nn, ns, nt, n0,  n1,  n2,  ns, ss, st, s0,  s1,  s2,
                                              nt, st, tt, t0,  t1,  t2,  n0, s0, t0, k00, k01, k02,
                                              n1, s1, t1, k01, k11, k12, n2, s2, t2, k02, k12, k22};
    memcpy(g, rows, sizeof rows);
}

/* Fills the diagonal block of a contact: those of its six rows that are in the problem. Rows of g lie n apart. */
static void contact_matrix(const tru_problem *pb, const block *b, double *g, int n) {
    const contact_frame *c = &b->contact->c;
    TRU_ASSERT(n >= b->rows && pb->bodies[b->a].moves);
    const bool whole = n == b->rows && n == TRU_ROWS;
    double room[TRU_ROWS * TRU_ROWS], other[TRU_ROWS * TRU_ROWS], *full = whole ? g : room;
    body_matrix(&pb->bodies[b->a], c, c->arm_a, full);
    if (pb->bodies[b->b].inv_mass > 0.0) {
        body_matrix(&pb->bodies[b->b], c, c->arm_b, other);
        for (int k = 0; k < TRU_ROWS * TRU_ROWS; k++) full[k] += other[k];
    }
    full[0] += b->normal_terms.soft;
    if (whole) return;
    for (int k = 0; k < b->rows; k++) {
        const double *from = full + TRU_ROWS * b->row[k];
        for (int l = 0; l < b->rows; l++) g[k * n + l] = from[b->row[l]];
    }
}

/* Fills the diagonal block of a joint. Rows of g lie n apart. */
static void joint_matrix(const tru_problem *pb, const block *b, double *g, int n) {
    for (int k = 0; k < b->rows; k++)
        for (int l = 0; l < b->rows; l++)
            g[k * n + l] = coupling(pb, b, &pb->rows[b->first + k], b, &pb->rows[b->first + l]);
}

/* Fills the symmetric matrix G of all rows. */
static void fill_matrix(tru_problem *pb) {
    const int n = pb->n;
    for (int i = 0; i < pb->block_count; i++) {
        const block *bi = &pb->blocks[i];
        if (bi->contact)
            contact_matrix(pb, bi, pb->g + bi->first * (n + 1), n);
        else
            joint_matrix(pb, bi, pb->g + bi->first * (n + 1), n);
        if (bi->contact && pb->block_count > 1) fill_rows(pb, bi);
        for (int j = 0; j < i; j++) {
            const block *bj = &pb->blocks[j];
            const bool meet = bi->a == bj->a || bi->b == bj->b || bi->a == bj->b || bi->b == bj->a;
            for (int k = 0; k < bi->rows; k++)
                for (int l = 0; l < bj->rows; l++) {
                    const int row = bi->first + k, col = bj->first + l;
                    const double g = meet ? coupling(pb, bi, &pb->rows[row], bj, &pb->rows[col]) : 0.0;
                    pb->g[row * n + col] = pb->g[col * n + row] = g;
                }
        }
    }
}

/* Applies K = (I + G D)^-1 to a column of rates. Rows of couples are scaled by their length, so that pivots are comparable. */
static void apply_k(const tru_problem *pb, double *column, size_t stride) {
    const int n = pb->n + pb->held.n;
    for (int i = 0; i < n; i++) pb->column[i] = pb->rows[i].length * column[(size_t)i * stride];
    tru_lu_solve(pb->k, n, n, pb->perm, pb->column);
    for (int i = 0; i < n; i++) column[(size_t)i * stride] = pb->column[i] / pb->rows[i].length;
}

/* Replaces G by K G. Returns false without memory, or if I + G D is singular. */
static bool eliminate_viscous(tru_problem *pb) {
    const int n = pb->n;
    pb->k = ARENA_ARRAY(pb->scratch, double, (size_t)(n * n));
    pb->column = ARENA_ARRAY(pb->scratch, double, (size_t)n);
    pb->perm = ARENA_ARRAY(pb->scratch, int, (size_t)n);
    if (!pb->k || !pb->column || !pb->perm) return false;
    memset(pb->k, 0, (size_t)(n * n) * sizeof *pb->k);
    for (int b = 0; b < pb->block_count; b++) {
        const block *bl = &pb->blocks[b];
        if (!bl->viscous) continue;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < bl->rows; k++)
                for (int l = 0; l < bl->rows; l++)
                    pb->k[i * n + bl->first + l] += pb->g[i * n + bl->first + k] * bl->viscous[k * TRU_ROWS + l];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            pb->k[i * n + j] = (i == j ? 1.0 : 0.0) + pb->rows[i].length * pb->k[i * n + j] / pb->rows[j].length;
    if (!tru_lu(pb->k, n, n, pb->perm, pb->column)) return false;
    for (int j = 0; j < n; j++) apply_k(pb, pb->g + j, (size_t)n);
    return true;
}

void trui_block_spread_metric(block *b) {
    if (b->kind != BLOCK_CONTACT) return;
    for (int k = 0; k < b->rows; k++) b->rho[k] = b->metric[row_kind(b->row[k])];
}

/* Chooses rho of each kind from the block's own part of G. Fixed points converge with it; Newton's method works with any. */
static void choose_metric(block *b, const double *own, int n) {
    for (int k = 0; b->kind != BLOCK_CONTACT && k < b->rows; k++)
        b->rho[k] = b->metric[TRU_KIND_NORMAL] = 1.0 / own[k * (n + 1)];
    if (b->kind != BLOCK_CONTACT) return;
    static const int8_t first[TRU_KINDS] = {TRU_ROW_NORMAL, TRU_ROW_SLIDE1, TRU_ROW_SPIN, TRU_ROW_ROLL1};
    for (int kind = 0; kind < TRU_KINDS; kind++) {
        const bool twin = kind == TRU_KIND_SLIDE || kind == TRU_KIND_ROLL;
        const int k = b->place[first[kind]];
        const double *at = own + k * (n + 1);
        const double g = k < 0 ? 0.0 : twin ? largest_eigenvalue(at, n) : *at;
        b->metric[kind] = g > 0.0 ? 1.0 / g : 1.0;
        TRU_ASSERT(!(b->metric[kind] < 0.0)); /* 0 if the response overflows */
    }
    trui_block_spread_metric(b);
}

void trui_problem_contact_metric(const contact *c, const problem_body *a, const problem_body *b,
                                 double metric[TRU_KINDS]) {
    const problem_body bodies[2] = {*a, *b};
    problem_row rows[TRU_ROWS];
    tru_problem pb = {.bodies = bodies, .rows = rows};
    const pair plain = {.claims = c->pair->claims};
    contact copy = *c;
    block own = {.kind = BLOCK_CONTACT, .a = 0, .b = 1, .contact = &copy};
    double g[BLOCK_ROOM];
    copy.pair = &plain; /* without laws: viscous impulses do not enter the metric */
    trui_problem_contact_rows(&pb, &own, &copy);
    contact_matrix(&pb, &own, g, TRU_ROWS);
    choose_metric(&own, g, TRU_ROWS);
    memcpy(metric, own.metric, sizeof own.metric);
}

/* Computes x := G_hh^-1 x in the bilateral rows. */
static void held_solve(const tru_problem *pb, double *x) {
    const int n = pb->held.n;
    const problem_row *rows = pb->rows + pb->n;
    for (int i = 0; i < n; i++) x[i] *= rows[i].length;
    tru_lu_solve(pb->held.lu, n, n, pb->held.perm, x);
    for (int i = 0; i < n; i++) x[i] *= rows[i].length;
}

/* Adds sign times a part of the matrix of all rows, times y, to x: rows from `to` on, columns from `from` on. */
static void held_apply(const tru_problem *pb, int to, int to_count, int from, int from_count, const double *y,
                       double sign, double *x) {
    const int whole = pb->n + pb->held.n;
    TRU_ASSERT(to >= 0 && to + to_count <= whole && from >= 0 && from + from_count <= whole);
    for (int i = 0; i < to_count; i++) {
        const double *g = pb->held.g + (to + i) * whole + from;
        double sum = 0.0;
        for (int j = 0; j < from_count; j++) sum += g[j] * y[j];
        x[i] += sign * sum;
    }
}

/* Factorises G_hh. Returns false without memory, or if it is singular. */
static bool factor_held(tru_problem *pb) {
    held_rows *h = &pb->held;
    const int n = h->n, whole = pb->n + n;
    const problem_row *rows = pb->rows + pb->n;
    h->lu = ARENA_ARRAY(pb->scratch, double, (size_t)(n * n));
    h->room = ARENA_ARRAY(pb->scratch, double, (size_t)n);
    h->perm = ARENA_ARRAY(pb->scratch, int, (size_t)n);
    if (!h->lu || !h->room || !h->perm) return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            h->lu[i * n + j] = rows[i].length * h->g[(pb->n + i) * whole + pb->n + j] * rows[j].length;
    return tru_lu(h->lu, n, n, h->perm, h->room); /* redundant rows were left out before */
}

/* Eliminates the bilateral rows, which are the last blocks. Returns false without memory, or if they are singular. */
static bool eliminate_held(tru_problem *pb) {
    held_rows *h = &pb->held;
    const int whole = pb->n;
    for (int i = pb->block_count; i-- > 0 && pb->blocks[i].kind == BLOCK_BILATERAL;) {
        h->blocks++;
        h->n += pb->blocks[i].rows;
    }
    pb->block_count -= h->blocks;
    TRU_ASSERT(pb->block_count >= 0 && h->n <= pb->n);
    if (h->n == 0) return true;
    h->g = pb->g;
    pb->n -= h->n;
    const int n = pb->n;
    pb->g = ARENA_ARRAY(pb->scratch, double, (size_t)(n * n));
    if (!pb->g || !factor_held(pb)) return false;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < h->n; i++) h->room[i] = h->g[(n + i) * whole + j];
        held_solve(pb, h->room);
        for (int i = 0; i < n; i++) {
            const double *g = h->g + i * whole;
            double sum = 0.0;
            for (int k = 0; k < h->n; k++) sum += g[n + k] * h->room[k];
            pb->g[i * n + j] = g[j] - sum;
        }
    }
    return true;
}

bool trui_problem_assemble(tru_problem *pb) {
    TRU_ASSERT(pb->g && pb->held.n == 0); /* nothing is eliminated yet */
    fill_matrix(pb);
    if (pb->viscous && !eliminate_viscous(pb)) return false;
    for (int i = 0; i < pb->block_count; i++) {
        block *b = &pb->blocks[i];
        choose_metric(b, pb->g + b->first * (pb->n + 1), pb->n);
    }
    return eliminate_held(pb); /* after the metrics: elimination may leave a row without a response */
}

void trui_problem_rows(tru_problem *pb) {
    for (int i = 0; i < pb->block_count; i++) {
        block *b = &pb->blocks[i];
        double own[BLOCK_ROOM];
        if (b->contact) fill_rows(pb, b);
        if (b->contact)
            contact_matrix(pb, b, own, TRU_ROWS);
        else
            joint_matrix(pb, b, own, TRU_ROWS);
        choose_metric(b, own, TRU_ROWS);
    }
}

/* [m/s] Returns the rate of the fastest row of a block, at least `least`. */
static double fastest(const tru_problem *pb, const block *b, double least) {
    for (int k = 0; k < b->rows; k++) least = larger(least, fabs(pb->r[b->first + k]) * pb->rows[b->first + k].length);
    return least;
}

/* Sets the velocity scales of blocks. Joints couple all rows, so the rounding of the fastest one is in each. */
static void set_speeds(tru_problem *pb) {
    double all = 0.0, most = 0.0;
    const int end = pb->block_count + pb->held.blocks;
    const bool joints = end > 0 && pb->blocks[end - 1].kind == BLOCK_BILATERAL; /* they are the last blocks */
    for (int i = 0; joints && i < end; i++) all = fastest(pb, &pb->blocks[i], all);
    for (int i = 0; i < pb->block_count; i++) {
        block *b = &pb->blocks[i];
        b->speed = larger(all, fastest(pb, b, b->least_speed));
        most = larger(most, b->speed);
    }
    /* without gravity, a contact that moves only through others has no speed of its own */
    for (int i = 0; i < pb->block_count; i++)
        if (pb->blocks[i].least_speed == 0.0) pb->blocks[i].speed = most;
}

void trui_problem_free_rates(tru_problem *pb) {
    set_speeds(pb);
    if (pb->viscous && pb->g) apply_k(pb, pb->r, 1);
    if (pb->held.n == 0) return;
    memcpy(pb->held.room, pb->r + pb->n, (size_t)pb->held.n * sizeof *pb->r);
    held_solve(pb, pb->held.room);
    held_apply(pb, 0, pb->n, pb->n, pb->held.n, pb->held.room, -1.0, pb->r);
}

void trui_problem_hold(tru_problem *pb, tru_solve_info *info) {
    const int n = pb->n, held = pb->held.n;
    TRU_ASSERT(held == 0 || (pb->g && pb->held.blocks > 0));
    double *p = pb->p + n, *u = pb->u + n;
    if (held == 0) return;
    for (int i = 0; i < held; i++) u[i] = pb->r[n + i];
    held_apply(pb, n, held, 0, n, pb->p, 1.0, u);
    for (int i = 0; i < held; i++) p[i] = -u[i];
    held_solve(pb, p);
    held_apply(pb, n, held, n, held, p, 1.0, u);
    for (int i = 0; i < held; i++) {
        double *largest = v3_max_abs(pb->rows[n + i].lin) > 0.0 ? &info->joint : &info->joint_turn;
        *largest = larger(*largest, fabs(u[i]));
    }
}

void trui_block_impulses(const block *b, const double *p, const double *u, double q[TRU_ROWS]) {
    for (int k = 0; k < b->rows; k++) {
        q[k] = p[b->first + k];
        for (int l = 0; b->viscous && l < b->rows; l++) q[k] -= b->viscous[k * TRU_ROWS + l] * u[b->first + l];
    }
}

double trui_block_viscous(const tru_problem *pb, const block *b, int k) {
    double sum = 0.0;
    for (int l = 0; b->viscous && l < b->rows; l++) sum += b->viscous[k * TRU_ROWS + l] * pb->u[b->first + l];
    return sum;
}

/* Computes u = G p + r by columns, which are the rows of a symmetric matrix, so that the sums of all rows vectorise. Inlined with
 * constant n for one contact. */
static inline __attribute__((always_inline)) void symmetric_rates(const tru_problem *pb, const double *p,
                                                                  double *restrict u, int n) {
    for (int i = 0; i < n; i++) u[i] = 0.0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) u[i] += pb->g[j * n + i] * p[j];
    for (int i = 0; i < n; i++) u[i] += pb->r[i];
}

void trui_problem_rates(const tru_problem *pb, const double *p, double *u) {
    const int n = pb->n;
    if (!pb->viscous && n == 3) {
        symmetric_rates(pb, p, u, 3);
        return;
    }
    if (!pb->viscous && n == 6) {
        symmetric_rates(pb, p, u, 6);
        return;
    }
    for (int i = 0; i < n; i++) {
        const double *g = pb->g + i * n;
        double sum = 0.0;
        for (int j = 0; j < n; j++) sum += g[j] * p[j];
        u[i] = sum + pb->r[i];
    }
}

/* Packs the derivative of an exact contact from those of its laws. Inlined with constant rows for laws that claim all kinds. */
static inline __attribute__((always_inline)) void pack_derivative(const int8_t *row, int rows, const double *dn,
                                                                  const double *dx, double *d) {
    for (int l = 1; l < rows; l++) d[l] = 0.0;
    for (int k = 1; k < rows; k++) {
        d[k * TRU_ROWS] = dn[row[k] - 1];
        for (int l = 1; l < rows; l++) d[k * TRU_ROWS + l] = dx[(row[k] - 1) * TRU_FRICTION_ROWS + row[l] - 1];
    }
}

/* Projects an exact contact: the normal row, then the friction rows at the projected normal impulse. */
static void project_contact(const block *b, const double *x, const double *u, double *y, double *d, uint32_t *stuck) {
    static const int8_t all[TRU_ROWS] = {0, 1, 2, 3, 4, 5};
    double xf[TRU_FRICTION_ROWS] = {0}, yf[TRU_FRICTION_ROWS], dn[TRU_FRICTION_ROWS];
    double dx[TRU_FRICTION_ROWS * TRU_FRICTION_ROWS];
    const bool above = !(x[0] <= b->normal_terms.floor); /* a NaN passes and shows in the residual */
    const int rows = b->rows, s1 = b->place[TRU_ROW_SLIDE1];
    const bool gaps = b->row[rows - 1] != rows - 1; /* kinds without a law between those that have one */
    y[0] = above ? x[0] : b->normal_terms.floor;
    *stuck = 0;
    if (d) d[0] = above ? 1.0 : 0.0;
    if (rows == 1) return;
    /* laws write the blocks of their kinds only; the rest of the derivative is zero */
    if (d && rows > 3) memset(dx, 0, (size_t)(b->row[rows - 1] * TRU_FRICTION_ROWS) * sizeof *dx);
    for (int k = 1; gaps && k < rows; k++) xf[b->row[k] - 1] = x[k];
    const double slip = s1 > 0 ? b->theta * sqrt(u[s1] * u[s1] + u[s1 + 1] * u[s1 + 1]) : 0.0;
    tru_section s = {y[0], slip, b->metric, gaps ? xf : x + 1, gaps ? yf : y + 1, 0, d ? dx : NULL, d ? dn : NULL};
    trui_laws_section(b->laws, b->law_count, &s);
    if (above || y[0] > 0.0) *stuck = s.stuck;
    for (int k = 1; gaps && k < rows; k++) y[k] = yf[b->row[k] - 1];
    if (!d) return;
    if (!above) memset(dn, 0, sizeof dn);
    if (gaps)
        pack_derivative(b->row, rows, dn, dx, d);
    else if (rows == 3)
        pack_derivative(all, 3, dn, dx, d);
    else if (rows == TRU_ROWS)
        pack_derivative(all, TRU_ROWS, dn, dx, d);
    else
        pack_derivative(all, rows, dn, dx, d);
}

/* Projects a relaxed contact: all rows onto the cone { y : y_n >= 0, friction rows in y_n C }. Its derivative follows from that of the
 * section at y_n, D and dn, because a projection's derivative is symmetric in the metric: with slope = 1/P_n + <dn, dn>,
 * J = [[1/P_n, dn^T/P]; [dn/P_n, D slope + dn dn^T/P]] / slope. */
static void project_cone(const block *b, const double *x, const double *u, double *y, double *d, uint32_t *stuck) {
    double xc[TRU_ROWS] = {0}, yc[TRU_ROWS] = {0}, dn[TRU_FRICTION_ROWS] = {0};
    double dx[TRU_FRICTION_ROWS * TRU_FRICTION_ROWS] = {0};
    const int rows = b->rows, s1 = b->place[TRU_ROW_SLIDE1];
    const double slip = s1 > 0 ? b->theta * sqrt(u[s1] * u[s1] + u[s1 + 1] * u[s1 + 1]) : 0.0;
    for (int k = 0; k < rows; k++) xc[b->row[k]] = x[k];
    trui_laws_cone(b->laws, b->law_count, b->metric, slip, xc, yc);
    /* below the floor: the nearest point with the floor's normal impulse, which does not depend on x_n */
    const bool held = yc[0] < b->normal_terms.floor;
    if (held) yc[0] = b->normal_terms.floor;
    const bool closed = yc[0] > 0.0 || x[0] != x[0]; /* a NaN passes and shows in the residual */
    if (x[0] != x[0]) yc[0] = x[0];
    for (int k = 0; k < rows; k++) y[k] = yc[b->row[k]];
    *stuck = 0;
    if (d) memset(d, 0, (size_t)(rows * TRU_ROWS) * sizeof *d);
    if (!closed) return;
    tru_section s = {yc[0], slip, b->metric, xc + 1, yc + 1, 0, dx, dn};
    trui_laws_section(b->laws, b->law_count, &s);
    for (int k = 1; held && k < rows; k++) y[k] = yc[b->row[k]];
    *stuck = s.stuck;
    if (!d) return;
    double slope = 1.0 / b->rho[0];
    for (int k = 1; k < rows; k++) slope += dn[b->row[k] - 1] * dn[b->row[k] - 1] / b->rho[k];
    for (int k = 0; k < rows; k++) {
        const double left = k == 0 ? 1.0 : dn[b->row[k] - 1];
        for (int l = 0; l < rows; l++) {
            const double right = held ? 0.0 : (l == 0 ? 1.0 : dn[b->row[l] - 1]) / b->rho[l];
            const double own = k == 0 || l == 0 ? 0.0 : dx[(b->row[k] - 1) * TRU_FRICTION_ROWS + b->row[l] - 1];
            d[k * TRU_ROWS + l] = own + left * right / slope;
        }
    }
}

void trui_block_project(const block *b, const double *x, const double *u, double *y, double *d, uint32_t *stuck) {
    if (b->kind == BLOCK_CONTACT && b->relaxed) {
        project_cone(b, x, u, y, d, stuck);
        return;
    }
    if (b->kind == BLOCK_CONTACT) {
        project_contact(b, x, u, y, d, stuck);
        return;
    }
    TRU_ASSERT(b->kind == BLOCK_BILATERAL || !(b->bound < 0.0));
    *stuck = 0;
    if (d) memset(d, 0, BLOCK_ROOM * sizeof *d);
    for (int k = 0; k < b->rows; k++) {
        const bool inside = b->kind == BLOCK_BILATERAL || fabs(x[k]) <= b->bound;
        y[k] = inside ? x[k] : copysign(b->bound, x[k]);
        if (inside) *stuck |= 1u << b->row[k];
        if (d) d[k * TRU_ROWS + k] = inside ? 1.0 : 0.0;
    }
}

/* Evaluates the natural map of one block. `worst` is the largest residual so far. Inlined with constant rows for common laws. */
static inline __attribute__((always_inline)) double evaluate_block(const tru_problem *pb, block *b, const double *p,
                                                                   const double *u, double *f, double *d, int rows,
                                                                   double worst) {
    const problem_row *row = pb->rows + b->first;
    double x[TRU_ROWS] = {0}, y[TRU_ROWS];
    for (int k = 0; k < rows; k++) x[k] = p[k] - b->rho[k] * u[k];
    trui_block_project(b, x, u, y, d, &b->stuck);
    const double speed = b->speed;
    for (int k = 0; k < rows; k++) {
        const double e = p[k] - y[k], scale = b->rho[k] * speed, rate = fabs(e) * row[k].length;
        f[k] = e;
        if (rate > worst * scale || rate != rate) worst = rate / scale; /* a NaN stays */
    }
    return worst;
}

double trui_problem_evaluate(tru_problem *pb, const double *p, const double *u, double *f, double *d) {
    double worst = 0.0;
    for (int i = 0; i < pb->block_count; i++) {
        block *b = &pb->blocks[i];
        TRU_ASSERT(b->rows >= 0 && b->rows <= TRU_ROWS && b->first + b->rows <= pb->n); /* 0: all rows are redundant */
        const int at = b->first;
        double *own = d ? d + BLOCK_ROOM * i : NULL;
        if (b->rows == 3)
            worst = evaluate_block(pb, b, p + at, u + at, f + at, own, 3, worst);
        else if (b->rows == TRU_ROWS)
            worst = evaluate_block(pb, b, p + at, u + at, f + at, own, TRU_ROWS, worst);
        else
            worst = evaluate_block(pb, b, p + at, u + at, f + at, own, b->rows, worst);
    }
    return worst;
}

void trui_problem_report(const tru_problem *pb, const double *f, tru_solve_info *info) {
    double worst = 0.0, sum = 0.0, most = 0.0;
    memset(info->residual, 0, sizeof info->residual);
    info->worst = pb->block_count > 0 && pb->blocks[0].contact ? 0 : -1;
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        double size2 = 0.0;
        for (int k = 0; k < b->rows; k++) {
            if (f[b->first + k] == 0.0) continue;
            const double rate = fabs(f[b->first + k]) / b->rho[k], relative = rate * pb->rows[b->first + k].length;
            size2 += relative * relative;
            double *largest = b->contact       ? &info->residual[row_kind(b->row[k])]
                              : k >= b->forces ? &info->joint_turn
                                               : &info->joint;
            if (rate > *largest) *largest = rate;
            if (b->contact && relative > worst * b->speed) {
                worst = b->speed > 0.0 ? relative / b->speed : 0.0;
                info->worst = i;
            }
        }
        sum += size2;
        most = fmax(most, size2);
    }
    info->rms = pb->block_count > 0 ? sqrt(sum / (double)pb->block_count) : 0.0;
    info->max = sqrt(most);
}
