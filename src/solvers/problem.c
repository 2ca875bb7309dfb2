/* problem.c: rows, matrix, projection and residual of the contact problem. */
#include "solvers/problem.h"

#include "math/mat.h"
#include "math/solve.h"

#include <string.h>

static tru_vec3 row_axis(const tru_contact *c, int row) {
    switch (row) {
    case TRU_ROW_NORMAL:
    case TRU_ROW_SPIN:
        return c->normal;
    case TRU_ROW_SLIDE1:
    case TRU_ROW_ROLL1:
        return c->t1;
    default:
        return c->t2;
    }
}

static void fill_row(problem_row *r, const tru_problem *pb, const block *b, const tru_contact *c, int row,
                     double length) {
    const tru_vec3 axis = row_axis(c, row);
    const bool couple = row >= TRU_ROW_SPIN;
    r->lin = couple ? v3_zero() : axis;
    r->ang_a = couple ? axis : v3_cross(c->arm_a, axis);
    r->ang_b = couple ? axis : v3_cross(c->arm_b, axis);
    const problem_body *a = &pb->bodies[b->a], *o = &pb->bodies[b->b];
    r->moved_a = a->inv_mass > 0.0 ? m3_apply(a->inverse, r->ang_a) : v3_zero();
    r->moved_b = o->inv_mass > 0.0 ? m3_apply(o->inverse, r->ang_b) : v3_zero();
    r->length = couple ? length : 1.0;
}

/* D of the block in packed rows: viscous force per rate times the time it acts. */
static void add_viscosity(tru_problem *pb, block *b, double time) {
    double d[TRU_FRICTION_ROWS * TRU_FRICTION_ROWS] = {0};
    b->viscous = NULL;
    bool any = false;
    for (int i = 0; i < b->law_count; i++)
        if (b->laws[i].law->viscosity) b->laws[i].law->viscosity(b->laws[i].work, d);
    for (int i = 0; i < TRU_FRICTION_ROWS * TRU_FRICTION_ROWS; i++) any = any || d[i] != 0.0;
    if (!any) return;
    pb->viscous = true;
    b->viscous = ARENA_ARRAY(pb->scratch, double, TRU_ROWS *TRU_ROWS);
    if (!b->viscous) return; /* problem_assemble says no memory */
    memset(b->viscous, 0, TRU_ROWS * TRU_ROWS * sizeof *b->viscous);
    for (int k = 1; k < b->rows; k++)
        for (int l = 1; l < b->rows; l++)
            b->viscous[k * TRU_ROWS + l] = time * d[(b->row[k] - 1) * TRU_FRICTION_ROWS + b->row[l] - 1];
}

void problem_contact_rows(tru_problem *pb, block *b, const contact *c) {
    static const int8_t first[TRU_KINDS] = {0, 1, 3, 4}, size[TRU_KINDS] = {1, 2, 1, 2};
    const unsigned claims = c->pair->claims | TRU_KIND_BIT(TRU_KIND_NORMAL);
    const double length = v3_norm(c->c.arm_a);
    b->first = pb->n;
    b->rows = 0;
    for (int kind = 0; kind < TRU_KINDS; kind++)
        for (int j = 0; j < size[kind]; j++) {
            const int row = first[kind] + j;
            b->place[row] = -1;
            if (!(claims & TRU_KIND_BIT(kind))) continue;
            problem_row *r = &pb->rows[pb->n++];
            fill_row(r, pb, b, &c->c, row, length > 0.0 ? length : 1.0);
            b->row[b->rows] = (int8_t)row;
            b->place[row] = (int8_t)b->rows++;
        }
    add_viscosity(pb, b, c->c.step * b->theta);
}

/* Coupling of two rows through one body each side names; +1 or -1 by the sides they take. */
static double coupling(const tru_problem *pb, const block *bi, const problem_row *ri, const block *bj,
                       const problem_row *rj) {
    double g = 0.0;
    const double lin = v3_dot(ri->lin, rj->lin);
    if (bi->a == bj->a) g += lin * pb->bodies[bi->a].inv_mass + v3_dot(ri->ang_a, rj->moved_a);
    if (bi->b == bj->b) g += lin * pb->bodies[bi->b].inv_mass + v3_dot(ri->ang_b, rj->moved_b);
    if (bi->a == bj->b) g -= lin * pb->bodies[bi->a].inv_mass + v3_dot(ri->ang_a, rj->moved_b);
    if (bi->b == bj->a) g -= lin * pb->bodies[bi->b].inv_mass + v3_dot(ri->ang_b, rj->moved_a);
    return g;
}

static void fill_matrix(tru_problem *pb) {
    const int n = pb->n;
    for (int i = 0; i < pb->block_count; i++)
        for (int j = 0; j <= i; j++) {
            const block *bi = &pb->blocks[i], *bj = &pb->blocks[j];
            const bool meet = bi->a == bj->a || bi->b == bj->b || bi->a == bj->b || bi->b == bj->a;
            for (int k = 0; k < bi->rows; k++)
                for (int l = 0; l < (i == j ? k + 1 : bj->rows); l++) {
                    const int row = bi->first + k, col = bj->first + l;
                    const double g = meet ? coupling(pb, bi, &pb->rows[row], bj, &pb->rows[col]) : 0.0;
                    pb->g[row * n + col] = pb->g[col * n + row] = g;
                }
        }
}

/* K = (I + G D)^-1 applied to a column of rates; rows of couples are scaled by their length so that pivots compare. */
static void apply_k(const tru_problem *pb, double *column, size_t stride) {
    for (int i = 0; i < pb->n; i++) pb->column[i] = pb->rows[i].length * column[(size_t)i * stride];
    tru_lu_solve(pb->k, pb->n, pb->n, pb->perm, pb->column);
    for (int i = 0; i < pb->n; i++) column[(size_t)i * stride] = pb->column[i] / pb->rows[i].length;
}

/* G <- K G. */
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

/* rho of a kind: 1 over the largest row sum of its diagonal block; safe for fixed points, any value is right for
 * Newton. */
static void choose_metric(tru_problem *pb, block *b) {
    const int n = pb->n;
    double largest[TRU_KINDS] = {0};
    for (int k = 0; k < b->rows; k++) {
        const int kind = b->row[k] == 0 ? TRU_KIND_NORMAL : LAW_KIND_OF_ROW(b->row[k] - 1);
        double sum = 0.0;
        for (int l = 0; l < b->rows; l++) {
            const int other = b->row[l] == 0 ? TRU_KIND_NORMAL : LAW_KIND_OF_ROW(b->row[l] - 1);
            if (other == kind) sum += fabs(pb->g[(b->first + k) * n + b->first + l]);
        }
        largest[kind] = fmax(largest[kind], sum);
    }
    for (int kind = 0; kind < TRU_KINDS; kind++) b->metric[kind] = largest[kind] > 0.0 ? 1.0 / largest[kind] : 1.0;
}

bool problem_assemble(tru_problem *pb) {
    fill_matrix(pb);
    if (pb->viscous && !eliminate_viscous(pb)) return false;
    for (int i = 0; i < pb->block_count; i++) choose_metric(pb, &pb->blocks[i]);
    return true;
}

void problem_free_rates(tru_problem *pb) {
    for (int i = 0; i < pb->block_count; i++) {
        block *b = &pb->blocks[i];
        b->speed = b->least_speed;
        for (int k = 0; k < b->rows; k++)
            b->speed = fmax(b->speed, fabs(pb->r[b->first + k]) * pb->rows[b->first + k].length);
    }
    if (pb->viscous) apply_k(pb, pb->r, 1);
}

double block_viscous(const tru_problem *pb, const block *b, int k) {
    double sum = 0.0;
    for (int l = 0; b->viscous && l < b->rows; l++) sum += b->viscous[k * TRU_ROWS + l] * pb->u[b->first + l];
    return sum;
}

void problem_rates(const tru_problem *pb, const double *p, double *u) {
    const int n = pb->n;
    for (int i = 0; i < n; i++) {
        const double *g = pb->g + i * n;
        double sum = 0.0;
        for (int j = 0; j < n; j++) sum += g[j] * p[j];
        u[i] = sum + pb->r[i];
    }
}

/* Contact: normal row first, then friction rows at the projected normal impulse. */
static void project_contact(const block *b, const double *x, const double *u, double *y, double *d, uint32_t *stuck) {
    double xf[TRU_FRICTION_ROWS] = {0}, yf[TRU_FRICTION_ROWS] = {0}, dn[TRU_FRICTION_ROWS] = {0};
    double dx[TRU_FRICTION_ROWS * TRU_FRICTION_ROWS];
    const bool closed = !(x[0] <= 0.0); /* a NaN goes through and shows in the residual */
    y[0] = closed ? x[0] : 0.0;
    if (d) {
        memset(d, 0, TRU_ROWS * TRU_ROWS * sizeof *d);
        memset(dx, 0, sizeof dx);
        d[0] = closed ? 1.0 : 0.0;
    }
    if (b->rows == 1) return;
    for (int k = 1; k < b->rows; k++) xf[b->row[k] - 1] = x[k];
    const int s1 = b->place[TRU_ROW_SLIDE1];
    const double slip = s1 > 0 ? b->theta * sqrt(u[s1] * u[s1] + u[s1 + 1] * u[s1 + 1]) : 0.0;
    tru_section s = {y[0], slip, b->metric, xf, yf, 0, d ? dx : NULL, d ? dn : NULL};
    laws_section(b->laws, b->law_count, &s);
    if (stuck) *stuck = s.stuck;
    for (int k = 1; k < b->rows; k++) {
        const int row = b->row[k] - 1;
        y[k] = yf[row];
        if (!d) continue;
        d[k * TRU_ROWS] = closed ? dn[row] : 0.0;
        for (int l = 1; l < b->rows; l++) d[k * TRU_ROWS + l] = dx[row * TRU_FRICTION_ROWS + b->row[l] - 1];
    }
}

void problem_project(const tru_problem *pb, const block *b, const double *x, const double *u, double *y, double *d) {
    (void)pb;
    if (b->kind == BLOCK_CONTACT) {
        project_contact(b, x, u, y, d, NULL);
        return;
    }
    if (d) memset(d, 0, TRU_ROWS * TRU_ROWS * sizeof *d);
    for (int k = 0; k < b->rows; k++) {
        const bool inside = b->kind == BLOCK_BILATERAL || fabs(x[k]) <= b->bound;
        y[k] = inside ? x[k] : copysign(b->bound, x[k]);
        if (d) d[k * TRU_ROWS + k] = inside ? 1.0 : 0.0;
    }
}

double problem_residual(const tru_problem *pb, const double *p, const double *u, double *f, tru_solve_info *info) {
    double worst = 0.0;
    if (info) {
        memset(info->residual, 0, sizeof info->residual);
        info->worst = pb->block_count > 0 ? 0 : -1;
    }
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        double x[TRU_ROWS], y[TRU_ROWS];
        for (int k = 0; k < b->rows; k++) x[k] = p[b->first + k] - block_rho(b, k) * u[b->first + k];
        problem_project(pb, b, x, u + b->first, y, NULL);
        for (int k = 0; k < b->rows; k++) {
            f[b->first + k] = p[b->first + k] - y[k];
            const double rate = fabs(f[b->first + k]) / block_rho(b, k);
            const double relative = rate == 0.0 ? 0.0 : rate * pb->rows[b->first + k].length / b->speed;
            if (info) {
                const int kind = b->row[k] == 0 ? TRU_KIND_NORMAL : LAW_KIND_OF_ROW(b->row[k] - 1);
                info->residual[kind] = fmax(info->residual[kind], rate);
                if (relative > worst) info->worst = i;
            }
            if (relative > worst || relative != relative) worst = relative; /* a NaN stays */
        }
    }
    return worst;
}

uint32_t problem_stuck(const tru_problem *pb, const block *b, const double *p, const double *u) {
    double x[TRU_ROWS], y[TRU_ROWS];
    uint32_t stuck = 0;
    if (b->kind != BLOCK_CONTACT || !(p[0] > 0.0)) return 0;
    for (int k = 0; k < b->rows; k++) x[k] = p[k] - block_rho(b, k) * u[k];
    project_contact(b, x, u, y, NULL, &stuck);
    (void)pb;
    return stuck;
}
