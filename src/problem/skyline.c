/* skyline.c: order, factors and solutions of symmetric matrices of 6 x 6 blocks under a skyline. */
#include "problem/skyline.h"

#include "base/assert.h"
#include "math/solve.h"

#include <string.h>

/* ---- order */

/* Neighbours of every node; links that repeat count twice. */
typedef struct graph {
    int n;
    int *begin, *next; /* n + 1, two per link */
} graph;

/* Builds the lists of neighbours by counting. Returns false without memory. */
static bool graph_build(graph *g, arena *scratch, const sky_link *links, int count, int n) {
    g->n = n;
    g->begin = ARENA_ARRAY(scratch, int, (size_t)n + 2);
    g->next = ARENA_ARRAY(scratch, int, 2 * (size_t)count);
    if (!g->begin || !g->next) return false;
    memset(g->begin, 0, ((size_t)n + 2) * sizeof *g->begin);
    for (int i = 0; i < count; i++) {
        TRU_ASSERT(links[i].a >= 0 && links[i].a < n && links[i].b >= 0 && links[i].b < n);
        g->begin[links[i].a + 2]++, g->begin[links[i].b + 2]++;
    }
    for (int i = 2; i < n + 2; i++) g->begin[i] += g->begin[i - 1];
    for (int i = 0; i < count; i++) {
        g->next[g->begin[links[i].a + 1]++] = links[i].b;
        g->next[g->begin[links[i].b + 1]++] = links[i].a;
    }
    return true;
}

static int degree(const graph *g, int node) { return g->begin[node + 1] - g->begin[node]; }

/* Lists the nodes that `start` reaches by distance, and those of equal distance by number of neighbours. Sets their `seen` to
 * `mark`. Returns how many. */
static int wave(const graph *g, int start, int *order, int *seen, int mark) {
    int count = 0;
    order[count++] = start;
    seen[start] = mark;
    for (int i = 0; i < count; i++) {
        const int from = count;
        for (int k = g->begin[order[i]]; k < g->begin[order[i] + 1]; k++) {
            const int node = g->next[k];
            if (seen[node] == mark) continue;
            seen[node] = mark;
            int j = count++;
            for (; j > from && degree(g, order[j - 1]) > degree(g, node); j--) order[j] = order[j - 1];
            order[j] = node;
        }
    }
    return count;
}

bool trui_sky_order(arena *scratch, const sky_link *links, int link_count, int n, int *place) {
    const arena_mark here = trui_arena_here(scratch);
    graph g;
    int *order = ARENA_ARRAY(scratch, int, (size_t)n), *seen = ARENA_ARRAY(scratch, int, (size_t)n);
    const bool room = order && seen && graph_build(&g, scratch, links, link_count, n);
    for (int i = 0; room && i < n; i++) seen[i] = 0;
    int done = 0;
    for (int i = 0; room && i < n; i++) {
        if (seen[i] == 3) continue;
        int count = wave(&g, i, order, seen, 1);
        count = wave(&g, order[count - 1], order, seen, 2); /* a start at an end of the graph gives a lower skyline */
        count = wave(&g, order[count - 1], order, seen, 3);
        for (int k = 0; k < count; k++) place[order[k]] = n - 1 - (done + k);
        done += count;
    }
    TRU_ASSERT(!room || done == n); /* every node got a place */
    trui_arena_rewind(scratch, here);
    return room;
}

/* ---- storage */

/* Finds the topmost block of each column. place NULL: links name places. */
static void find_skyline(int *first, const sky_link *links, int count, int n, const int *place) {
    for (int i = 0; i < n; i++) first[i] = i;
    for (int i = 0; i < count; i++) {
        const int a = place ? place[links[i].a] : links[i].a, b = place ? place[links[i].b] : links[i].b;
        const int low = a < b ? a : b, high = a < b ? b : a;
        TRU_ASSERT(low >= 0 && high < n);
        if (low < first[high]) first[high] = low;
    }
}

double trui_sky_cost(arena *scratch, const sky_link *links, int link_count, int n, const int *place) {
    const arena_mark here = trui_arena_here(scratch);
    int *first = ARENA_ARRAY(scratch, int, (size_t)n);
    if (!first) return -1.0;
    find_skyline(first, links, link_count, n, place);
    double products = 0.0;
    for (int j = 0; j < n; j++) {
        const double height = j - first[j] + 1;
        products += 0.5 * height * (height + 1.0);
    }
    trui_arena_rewind(scratch, here);
    return products;
}

bool trui_sky_begin(skyline *s, arena *scratch, const sky_link *links, int link_count, int n) {
    int highest = 0;
    s->n = n;
    s->lower = NULL;
    s->first = ARENA_ARRAY(scratch, int, (size_t)n);
    s->at = ARENA_ARRAY(scratch, size_t, (size_t)n + 1);
    if (!s->first || !s->at) return false;
    find_skyline(s->first, links, link_count, n, NULL);
    s->at[0] = 0;
    for (int j = 0; j < n; j++) {
        const int height = j - s->first[j] + 1;
        s->at[j + 1] = s->at[j] + (size_t)height;
        if (height > highest) highest = height;
    }
    TRU_ASSERT(s->at[n] >= (size_t)n); /* at least the diagonal */
    s->h = ARENA_ARRAY(scratch, double, s->at[n] * SKY_BLOCK);
    s->work = ARENA_ARRAY(scratch, double, (size_t)highest *SKY_BLOCK);
    return s->h && s->work;
}

void trui_sky_clear(skyline *s) { memset(s->h, 0, s->at[s->n] * SKY_BLOCK * sizeof *s->h); }

/* ---- factors */

/* Computes s -= x^T w. Columns are independent sums, so that vectorising changes no bits. */
static inline void subtract_product(double *restrict s, const double *restrict x, const double *restrict w) {
    for (int r = 0; r < SKY_SIDE; r++) {
        double sum[SKY_SIDE];
        for (int c = 0; c < SKY_SIDE; c++) sum[c] = s[r * SKY_SIDE + c];
        for (int k = 0; k < SKY_SIDE; k++) {
            const double factor = x[k * SKY_SIDE + r];
            for (int c = 0; c < SKY_SIDE; c++) sum[c] -= factor * w[k * SKY_SIDE + c];
        }
        for (int c = 0; c < SKY_SIDE; c++) s[r * SKY_SIDE + c] = sum[c];
    }
}

/* Factorises a diagonal block as L D L^T: L below the diagonal, D on it. Returns false unless all pivots are positive. */
static bool factor_diagonal(double *a) {
    for (int j = 0; j < SKY_SIDE; j++) {
        double *row = a + j * SKY_SIDE;
        for (int k = 0; k < j; k++) {
            double sum = row[k];
            for (int m = 0; m < k; m++) sum -= row[m] * a[k * SKY_SIDE + m];
            row[k] = sum; /* L times D, until the pivot is known */
        }
        double pivot = row[j];
        for (int k = 0; k < j; k++) {
            const double l = row[k] / a[k * SKY_SIDE + k];
            pivot -= l * row[k];
            row[k] = l;
        }
        if (!(pivot > 0.0)) return false;
        row[j] = pivot;
    }
    return true;
}

/* Computes w := L^-1 w and x = D^-1 w. */
static void divide(const double *l, double *restrict w, double *restrict x) {
    for (int r = 0; r < SKY_SIDE; r++) {
        double *row = w + r * SKY_SIDE;
        for (int k = 0; k < r; k++)
            for (int c = 0; c < SKY_SIDE; c++) row[c] -= l[r * SKY_SIDE + k] * w[k * SKY_SIDE + c];
        const double inverse = 1.0 / l[r * SKY_SIDE + r];
        for (int c = 0; c < SKY_SIDE; c++) x[r * SKY_SIDE + c] = inverse * row[c];
    }
}

bool trui_sky_factor(skyline *s) {
    for (int j = 0; j < s->n; j++) {
        const int top = s->first[j];
        for (int i = top; i <= j; i++) {
            double *x = sky_block(s, i, j), *w = s->work + (size_t)(i - top) * SKY_BLOCK;
            const int from = s->first[i] > top ? s->first[i] : top;
            memcpy(w, x, SKY_BLOCK * sizeof *w);
            for (int k = from; k < i; k++)
                subtract_product(w, sky_block(s, k, i), s->work + (size_t)(k - top) * SKY_BLOCK);
            if (i < j) {
                divide(sky_block(s, i, i), w, x);
            } else {
                memcpy(x, w, SKY_BLOCK * sizeof *w);
                if (!factor_diagonal(x)) return false;
            }
        }
    }
    return true;
}

void trui_sky_solve(const skyline *s, double *x) {
    for (int j = 0; j < s->n; j++) { /* U^T y = x */
        double *xj = x + j * SKY_SIDE;
        for (int k = s->first[j]; k < j; k++) {
            const double *u = sky_block(s, k, j), *xk = x + k * SKY_SIDE;
            for (int m = 0; m < SKY_SIDE; m++)
                for (int c = 0; c < SKY_SIDE; c++) xj[c] -= u[m * SKY_SIDE + c] * xk[m];
        }
        const double *l = sky_block(s, j, j);
        for (int r = 1; r < SKY_SIDE; r++)
            for (int k = 0; k < r; k++) xj[r] -= l[r * SKY_SIDE + k] * xj[k];
    }
    for (int j = s->n - 1; j >= 0; j--) { /* U x = D^-1 y */
        const double *l = sky_block(s, j, j);
        double *xj = x + j * SKY_SIDE;
        for (int r = SKY_SIDE - 1; r >= 0; r--) {
            double sum = xj[r] / l[r * SKY_SIDE + r];
            for (int k = r + 1; k < SKY_SIDE; k++) sum -= l[k * SKY_SIDE + r] * xj[k];
            xj[r] = sum;
        }
        for (int k = s->first[j]; k < j; k++) {
            const double *u = sky_block(s, k, j);
            double *xk = x + k * SKY_SIDE;
            for (int m = 0; m < SKY_SIDE; m++) { /* x_k still holds D x_k, so U(k, j) x_j is multiplied by D_k */
                double sum = 0.0;
                for (int c = 0; c < SKY_SIDE; c++) sum += u[m * SKY_SIDE + c] * xj[c];
                xk[m] -= sky_block(s, k, k)[m * (SKY_SIDE + 1)] * sum;
            }
        }
    }
}

/* ---- without symmetry */

bool trui_sky_whole(skyline *s, arena *scratch) {
    s->lower = ARENA_ARRAY(scratch, double, s->at[s->n] * SKY_BLOCK);
    s->perm = ARENA_ARRAY(scratch, int, (size_t)s->n *SKY_SIDE);
    return s->lower && s->perm;
}

/* Computes s -= x y. */
static inline void subtract_plain(double *restrict s, const double *restrict x, const double *restrict y) {
    for (int r = 0; r < SKY_SIDE; r++) {
        double sum[SKY_SIDE];
        for (int c = 0; c < SKY_SIDE; c++) sum[c] = s[r * SKY_SIDE + c];
        for (int k = 0; k < SKY_SIDE; k++) {
            const double factor = x[r * SKY_SIDE + k];
            for (int c = 0; c < SKY_SIDE; c++) sum[c] -= factor * y[k * SKY_SIDE + c];
        }
        for (int c = 0; c < SKY_SIDE; c++) s[r * SKY_SIDE + c] = sum[c];
    }
}

/* Computes x := (LU)^-1 x for six columns, with the factors and exchanges of tru_lu. */
static void divide_plain(const double *lu, const int *perm, double *restrict x) {
    for (int k = 0; k < SKY_SIDE; k++) {
        TRU_ASSERT(perm[k] >= k && perm[k] < SKY_SIDE);
        double *own = x + k * SKY_SIDE, *other = x + perm[k] * SKY_SIDE;
        for (int c = 0; c < SKY_SIDE && perm[k] != k; c++) {
            const double kept = own[c];
            own[c] = other[c];
            other[c] = kept;
        }
    }
    for (int r = 1; r < SKY_SIDE; r++)
        for (int k = 0; k < r; k++)
            for (int c = 0; c < SKY_SIDE; c++) x[r * SKY_SIDE + c] -= lu[r * SKY_SIDE + k] * x[k * SKY_SIDE + c];
    for (int r = SKY_SIDE - 1; r >= 0; r--) {
        for (int k = r + 1; k < SKY_SIDE; k++)
            for (int c = 0; c < SKY_SIDE; c++) x[r * SKY_SIDE + c] -= lu[r * SKY_SIDE + k] * x[k * SKY_SIDE + c];
        for (int c = 0; c < SKY_SIDE; c++) x[r * SKY_SIDE + c] *= lu[r * (SKY_SIDE + 1)];
    }
}

bool trui_sky_factor_whole(skyline *s) {
    double work[SKY_SIDE];
    for (int j = 0; j < s->n; j++) {
        const int top = s->first[j];
        for (int i = top; i < j; i++) { /* column j above the diagonal, row j left of it */
            const int from = s->first[i] > top ? s->first[i] : top;
            double *u = sky_block(s, i, j), *l = sky_below(s, j, i);
            for (int k = from; k < i; k++) {
                subtract_plain(u, sky_below(s, i, k), sky_block(s, k, j));
                subtract_plain(l, sky_below(s, j, k), sky_block(s, k, i));
            }
            divide_plain(sky_block(s, i, i), s->perm + i * SKY_SIDE, u);
        }
        double *own = sky_block(s, j, j);
        for (int k = top; k < j; k++) subtract_plain(own, sky_below(s, j, k), sky_block(s, k, j));
        if (!tru_lu(own, SKY_SIDE, SKY_SIDE, s->perm + j * SKY_SIDE, work)) return false;
    }
    return true;
}

void trui_sky_solve_whole(const skyline *s, double *x) {
    for (int j = 0; j < s->n; j++) { /* L y = x */
        double *xj = x + j * SKY_SIDE;
        for (int k = s->first[j]; k < j; k++) {
            const double *l = sky_below(s, j, k), *xk = x + k * SKY_SIDE;
            for (int r = 0; r < SKY_SIDE; r++)
                for (int c = 0; c < SKY_SIDE; c++) xj[r] -= l[r * SKY_SIDE + c] * xk[c];
        }
        tru_lu_solve(sky_block(s, j, j), SKY_SIDE, SKY_SIDE, s->perm + j * SKY_SIDE, xj);
    }
    for (int j = s->n - 1; j >= 0; j--) { /* U x = y */
        const double *xj = x + j * SKY_SIDE;
        for (int k = s->first[j]; k < j; k++) {
            const double *u = sky_block(s, k, j);
            double *xk = x + k * SKY_SIDE;
            for (int r = 0; r < SKY_SIDE; r++)
                for (int c = 0; c < SKY_SIDE; c++) xk[r] -= u[r * SKY_SIDE + c] * xj[c];
        }
    }
}
