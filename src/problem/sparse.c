/* sparse.c: rates of impulses and steps of Newton's method without a matrix of contacts. */
#include "problem/sparse.h"

#include "base/assert.h"
#include "math/mat.h"
#include "math/solve.h"

#include <string.h>

#define ROW (2 * SKY_SIDE) /* [doubles] of a row: rates of A and of B */

/* ---- bodies */

sky_link *trui_sparse_links(const tru_problem *pb, const int32_t *number, int *count) {
    sky_link *links = ARENA_ARRAY(pb->scratch, sky_link, (size_t)pb->block_count);
    *count = 0;
    for (int i = 0; links && i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        const sky_link l = {number[b->a], number[b->b]};
        if (l.a < 0 || l.b < 0) continue;
        if (*count > 0 && links[*count - 1].a == l.a && links[*count - 1].b == l.b) continue;
        links[(*count)++] = l;
    }
    return links;
}

bool trui_sparse_number(tru_problem *pb) {
    size_t most = 0;
    if (pb->number) return true;
    for (int i = 0; i < pb->block_count; i++) {
        most = pb->blocks[i].a > most ? pb->blocks[i].a : most;
        most = pb->blocks[i].b > most ? pb->blocks[i].b : most;
    }
    int32_t *number = ARENA_ARRAY(pb->scratch, int32_t, most + 1);
    if (!number) return false;
    for (size_t i = 0; i <= most; i++) number[i] = -1;
    pb->numbered = 0;
    for (int i = 0; i < pb->block_count; i++) {
        const size_t side[2] = {pb->blocks[i].a, pb->blocks[i].b};
        for (int k = 0; k < 2; k++)
            if (pb->bodies[side[k]].inv_mass > 0.0 && number[side[k]] < 0) number[side[k]] = pb->numbered++;
    }
    int count;
    const sky_link *links = trui_sparse_links(pb, number, &count);
    int *place = ARENA_ARRAY(pb->scratch, int, (size_t)pb->numbered);
    if (!links || !place || !trui_sky_order(pb->scratch, links, count, pb->numbered, place)) return false;
    for (size_t i = 0; i <= most; i++)
        if (number[i] >= 0) number[i] = place[number[i]];
    TRU_ASSERT(count <= pb->block_count && pb->numbered > 0);
    pb->number = number;
    return true;
}

/* Fills the mass matrix of a body and its inverse, for angular velocities times a length. Returns that length, the radius of
 * gyration up to a factor. */
static double fill_mass(const problem_body *from, double *mass, double *moves) {
    tru_mat3 turn = {0};
    const double m = 1.0 / from->inv_mass;
    m3_spd_inverse(from->inverse, &turn);
    const double length = sqrt((turn.m[0][0] + turn.m[1][1] + turn.m[2][2]) / m);
    TRU_ASSERT(!(m < 0.0) && !(length < 0.0));
    memset(mass, 0, SKY_BLOCK * sizeof *mass);
    memset(moves, 0, SKY_BLOCK * sizeof *moves);
    for (int k = 0; k < 3; k++) {
        mass[k * (SKY_SIDE + 1)] = m;
        moves[k * (SKY_SIDE + 1)] = from->inv_mass;
        for (int l = 0; l < 3; l++) {
            mass[(k + 3) * SKY_SIDE + l + 3] = turn.m[k][l] / (length * length);
            moves[(k + 3) * SKY_SIDE + l + 3] = from->inverse.m[k][l] * (length * length);
        }
    }
    return length;
}

/* Fills the rows of a block in terms of velocities, angular ones times the lengths of their bodies. */
static void fill_block(sparse *s, const block *b, const double *length) {
    const int32_t number[2] = {s->pb->number[b->a], s->pb->number[b->b]};
    for (int k = 0; k < b->rows; k++) {
        const problem_row *r = &s->pb->rows[b->first + k];
        double *to = s->j + (b->first + k) * ROW;
        memset(to, 0, ROW * sizeof *to);
        if (number[0] >= 0) {
            v3_store(to, r->lin);
            v3_store(to + 3, v3_scale(1.0 / length[number[0]], r->ang_a));
        }
        if (number[1] >= 0) {
            v3_store(to + SKY_SIDE, v3_neg(r->lin));
            v3_store(to + SKY_SIDE + 3, v3_scale(-1.0 / length[number[1]], r->ang_b));
        }
    }
}

/* Sets a matrix to M. */
static void start_matrix(const sparse *s, skyline *sky) {
    trui_sky_clear(sky);
    for (int i = 0; i < s->bodies; i++)
        memcpy(sky_block(sky, i, i), s->mass + i * SKY_BLOCK, SKY_BLOCK * sizeof *s->mass);
}

/* Computes to += x^T y over `rows` rows that lie ROW apart. Inlined with constant rows for common laws. */
static inline __attribute__((always_inline)) void add_rows(double *restrict to, const double *restrict x,
                                                           const double *restrict y, int rows) {
    for (int r = 0; r < SKY_SIDE; r++) {
        double sum[SKY_SIDE];
        for (int c = 0; c < SKY_SIDE; c++) sum[c] = to[r * SKY_SIDE + c];
        for (int k = 0; k < rows; k++) {
            const double factor = x[k * ROW + r];
            for (int c = 0; c < SKY_SIDE; c++) sum[c] += factor * y[k * ROW + c];
        }
        for (int c = 0; c < SKY_SIDE; c++) to[r * SKY_SIDE + c] = sum[c];
    }
}

static void add_product(double *restrict to, const double *restrict x, const double *restrict y, int rows) {
    if (rows == 3)
        add_rows(to, x, y, 3);
    else
        add_rows(to, x, y, rows);
}

/* Adds W g W^T of one block to a matrix; g has packed rows with stride TRU_ROWS. */
static void add_block(const sparse *s, skyline *sky, const block *b, const double *g) {
    const int32_t number[2] = {s->pb->number[b->a], s->pb->number[b->b]};
    const double *j = s->j + b->first * ROW;
    double t[TRU_ROWS * ROW] = {0};
    bool any = false;
    for (int k = 0; k < b->rows; k++)
        for (int l = 0; l < b->rows; l++) {
            const double gkl = g[k * TRU_ROWS + l];
            if (gkl == 0.0) continue; /* a sticking contact has a diagonal g */
            for (int c = 0; c < ROW; c++) t[k * ROW + c] += gkl * j[l * ROW + c];
            any = true;
        }
    if (!any) return; /* an open contact */
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 2; column++) {
            const int32_t at = number[row], to = number[column];
            if (at < 0 || to < 0 || (at > to && !sky->lower)) continue;
            double *h = at <= to ? sky_block(sky, at, to) : sky_below(sky, at, to);
            add_product(h, j + row * SKY_SIDE, t + column * SKY_SIDE, b->rows);
        }
}

/* Factorises M with viscous parts. Returns false if it is not positive definite. */
static bool factor_viscous(sparse *s) {
    start_matrix(s, &s->held);
    for (int i = 0; i < s->pb->block_count; i++)
        if (s->pb->blocks[i].viscous) add_block(s, &s->held, &s->pb->blocks[i], s->pb->blocks[i].viscous);
    return trui_sky_factor(&s->held);
}

bool trui_sparse_begin(sparse *s, tru_problem *pb) {
    int count;
    *s = (sparse){.pb = pb};
    if (!trui_sparse_number(pb)) return false;
    s->bodies = pb->numbered;
    const size_t bodies = (size_t)s->bodies, n = (size_t)pb->n;
    const sky_link *links = trui_sparse_links(pb, pb->number, &count);
    double *length = ARENA_ARRAY(pb->scratch, double, bodies);
    s->j = ARENA_ARRAY(pb->scratch, double, n *ROW);
    s->mass = ARENA_ARRAY(pb->scratch, double, 2 * bodies * (SKY_BLOCK + SKY_SIDE));
    s->answer = ARENA_ARRAY(pb->scratch, double, n + BLOCK_ROOM * (size_t)pb->block_count);
    if (!links || !length || !s->j || !s->mass || !s->answer) return false;
    s->moves = s->mass + bodies * SKY_BLOCK;
    s->v = s->moves + bodies * SKY_BLOCK;
    s->dv = s->v + bodies * SKY_SIDE;
    s->start = s->answer + BLOCK_ROOM * (size_t)pb->block_count;
    if (!trui_sky_begin(&s->sky, pb->scratch, links, count, s->bodies) || !trui_sky_whole(&s->sky, pb->scratch))
        return false;
    TRU_ASSERT(s->bodies >= 0 && count <= pb->block_count);
    for (int i = 0; i < s->bodies; i++) length[i] = 0.0;
    for (int i = 0; i < pb->block_count; i++) {
        const size_t side[2] = {pb->blocks[i].a, pb->blocks[i].b};
        for (int k = 0; k < 2; k++) {
            const int32_t at = pb->number[side[k]];
            if (at >= 0 && length[at] == 0.0)
                length[at] = fill_mass(&pb->bodies[side[k]], s->mass + at * SKY_BLOCK, s->moves + at * SKY_BLOCK);
        }
        fill_block(s, &pb->blocks[i], length);
    }
    if (!pb->viscous) return true;
    return trui_sky_begin(&s->held, pb->scratch, links, count, s->bodies) && factor_viscous(s);
}

/* ---- rates */

/* Computes v += W q for one block. */
static void push(const sparse *s, const block *b, const double *q, double *v) {
    const int32_t number[2] = {s->pb->number[b->a], s->pb->number[b->b]};
    for (int side = 0; side < 2; side++) {
        if (number[side] < 0) continue;
        double *to = v + number[side] * SKY_SIDE, sum[SKY_SIDE];
        const double *j = s->j + b->first * ROW + side * SKY_SIDE;
        for (int c = 0; c < SKY_SIDE; c++) sum[c] = to[c];
        for (int k = 0; k < b->rows; k++)
            for (int c = 0; c < SKY_SIDE; c++) sum[c] += q[k] * j[k * ROW + c];
        for (int c = 0; c < SKY_SIDE; c++) to[c] = sum[c];
    }
}

/* Returns row k of W^T v. */
static double rate(const sparse *s, const block *b, int k, const double *v) {
    const int32_t number[2] = {s->pb->number[b->a], s->pb->number[b->b]};
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        if (number[side] < 0) continue;
        const double *j = s->j + (b->first + k) * ROW + side * SKY_SIDE, *from = v + number[side] * SKY_SIDE;
        for (int c = 0; c < SKY_SIDE; c++) sum += j[c] * from[c];
    }
    return sum;
}

/* Computes v := M^-1 v. */
static void move(const sparse *s, double *v) {
    if (s->pb->viscous) {
        trui_sky_solve(&s->held, v);
        return;
    }
    for (int i = 0; i < s->bodies; i++) {
        double *x = v + i * SKY_SIDE, y[SKY_SIDE] = {0};
        const double *m = s->moves + i * SKY_BLOCK;
        for (int l = 0; l < SKY_SIDE; l++)
            for (int k = 0; k < SKY_SIDE; k++) y[k] += m[l * SKY_SIDE + k] * x[l];
        memcpy(x, y, sizeof y);
    }
}

/* Computes in s->v the velocities that impulses p give. */
static void follow(sparse *s, const double *p) {
    const tru_problem *pb = s->pb;
    memset(s->v, 0, (size_t)s->bodies * SKY_SIDE * sizeof *s->v);
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        double q[TRU_ROWS];
        trui_block_impulses(b, p, pb->r, q);
        push(s, b, q, s->v);
    }
    move(s, s->v);
}

void trui_sparse_rates(sparse *s, const double *p, double *u) {
    const tru_problem *pb = s->pb;
    follow(s, p);
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        for (int k = 0; k < b->rows; k++) u[b->first + k] = pb->r[b->first + k] + rate(s, b, k, s->v);
        if (b->normal_terms.soft > 0.0) u[b->first] += b->normal_terms.soft * p[b->first];
    }
}

/* Computes v += M^-1 W q for one block. */
static void push_on(const sparse *s, const block *b, const double *q) {
    const int32_t number[2] = {s->pb->number[b->a], s->pb->number[b->b]};
    for (int side = 0; side < 2; side++) {
        if (number[side] < 0) continue;
        double f[SKY_SIDE] = {0}, *v = s->v + number[side] * SKY_SIDE;
        const double *m = s->moves + number[side] * SKY_BLOCK;
        for (int k = 0; k < b->rows; k++)
            for (int c = 0; c < SKY_SIDE; c++) f[c] += q[k] * s->j[(b->first + k) * ROW + side * SKY_SIDE + c];
        for (int l = 0; l < SKY_SIDE; l++)
            for (int k = 0; k < SKY_SIDE; k++) v[k] += m[l * SKY_SIDE + k] * f[l];
    }
}

void trui_sparse_sweep(sparse *s, double *p) {
    const tru_problem *pb = s->pb;
    TRU_ASSERT(!pb->viscous); /* the update of velocities below does not know viscous impulses */
    follow(s, p);
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        double x[TRU_ROWS], u[TRU_ROWS], y[TRU_ROWS], *own = p + b->first;
        uint32_t stuck;
        for (int k = 0; k < b->rows; k++) {
            u[k] = pb->r[b->first + k] + rate(s, b, k, s->v) + (k == 0 ? b->normal_terms.soft * own[0] : 0.0);
            x[k] = own[k] - b->rho[k] * u[k];
        }
        trui_block_project(b, x, u, y, NULL, &stuck);
        for (int k = 0; k < b->rows; k++) {
            x[k] = y[k] - own[k];
            own[k] = y[k];
        }
        push_on(s, b, x);
    }
}

/* ---- steps */

/* Returns true if D is zero or the identity, and stores which. */
static bool is_plain(const double *d, int rows, double *value) {
    *value = d[0];
    if (d[0] != 0.0 && d[0] != 1.0) return false;
    for (int k = 0; k < rows; k++)
        for (int l = 0; l < rows; l++)
            if (d[k * TRU_ROWS + l] != (k == l ? *value : 0.0)) return false;
    return true;
}

/* Computes A^-1 D rho into `answer` and -A^-1 f into `start` of block i. Couples are in units of their length, so that pivots are
 * comparable. Returns false if A is singular. */
static bool answer_of(sparse *s, int i, const double *f, const double *d, double shift, double soft) {
    const block *b = &s->pb->blocks[i];
    const problem_row *row = s->pb->rows + b->first;
    const int rows = b->rows;
    double a[BLOCK_ROOM], x[TRU_ROWS], work[TRU_ROWS], value, *g = s->answer + BLOCK_ROOM * i,
                                                              *start = s->start + b->first;
    int perm[TRU_ROWS];
    memset(g, 0, BLOCK_ROOM * sizeof *g);
    if (is_plain(d, rows, &value)) {
        for (int k = 0; k < rows; k++) {
            const double yields = k == 0 ? value * b->rho[0] * b->normal_terms.soft : 0.0;
            const double own = shift + soft * value + (1.0 - value) + yields;
            g[k * (TRU_ROWS + 1)] = value * b->rho[k] / own;
            start[k] = -f[b->first + k] / own;
        }
        return true;
    }
    for (int k = 0; k < rows; k++)
        for (int l = 0; l < rows; l++) {
            const double dkl = d[k * TRU_ROWS + l], one = k == l ? 1.0 : 0.0;
            const double yields = l == 0 ? dkl * b->rho[0] * b->normal_terms.soft : 0.0;
            a[k * TRU_ROWS + l] = (one * shift + soft * dkl + (one - dkl) + yields) * row[l].length / row[k].length;
        }
    if (!tru_lu(a, rows, TRU_ROWS, perm, work)) return false;
    for (int l = -1; l < rows; l++) {
        for (int k = 0; k < rows; k++)
            x[k] = (l < 0 ? -f[b->first + k] : d[k * TRU_ROWS + l] * b->rho[l]) / row[k].length;
        tru_lu_solve(a, rows, TRU_ROWS, perm, x);
        for (int k = 0; k < rows; k++) *(l < 0 ? &start[k] : &g[k * TRU_ROWS + l]) = x[k] * row[k].length;
    }
    return true;
}

/* Factorises the matrix of a step. Returns false if it is singular. */
static bool factor_step(sparse *s) {
    const tru_problem *pb = s->pb;
    start_matrix(s, &s->sky);
    memset(s->sky.lower, 0, s->sky.at[s->bodies] * SKY_BLOCK * sizeof *s->sky.lower);
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        const double *g = s->answer + BLOCK_ROOM * i;
        double sum[BLOCK_ROOM];
        for (int k = 0; k < BLOCK_ROOM; k++) sum[k] = g[k] + (b->viscous ? b->viscous[k] : 0.0);
        add_block(s, &s->sky, b, sum);
    }
    return trui_sky_factor_whole(&s->sky);
}

bool trui_sparse_step(sparse *s, const double *f, const double *d, double shift, double soft, double *step) {
    const tru_problem *pb = s->pb;
    TRU_ASSERT(shift >= 0.0 && soft >= 0.0 && s->sky.n == s->bodies);
    memset(s->dv, 0, (size_t)s->bodies * SKY_SIDE * sizeof *s->dv);
    for (int i = 0; i < pb->block_count; i++) {
        if (!answer_of(s, i, f, d + BLOCK_ROOM * i, shift, soft)) return false;
        push(s, &pb->blocks[i], s->start + pb->blocks[i].first, s->dv);
    }
    if (!factor_step(s)) return false;
    trui_sky_solve_whole(&s->sky, s->dv);
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        double du[TRU_ROWS];
        for (int k = 0; k < b->rows; k++) du[k] = rate(s, b, k, s->dv);
        for (int k = 0; k < b->rows; k++) {
            double sum = s->start[b->first + k];
            for (int l = 0; l < b->rows; l++) sum -= s->answer[BLOCK_ROOM * i + k * TRU_ROWS + l] * du[l];
            step[b->first + k] = sum;
        }
    }
    return true;
}
