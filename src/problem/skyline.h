/* skyline.h: symmetric matrices of 6 x 6 blocks, one block column per body, stored from the topmost block of each column
 * down; their order and their factors.
 *
 * H = U^T D U without a square root: pivots have units of mass and of inertia, and square roots of those would change
 * bits with the units. Fill stays below the skyline, so a chain costs one product per link and a hub with many spokes,
 * put last, one per spoke. */
#ifndef TRUNDLE_PROBLEM_SKYLINE_H
#define TRUNDLE_PROBLEM_SKYLINE_H

#include "base/arena.h"

#include <stdbool.h>

enum { SKY_SIDE = 6, SKY_BLOCK = SKY_SIDE * SKY_SIDE };

/* Two nodes that are coupled. */
typedef struct sky_link {
    int a, b;
} sky_link;

/* An order of n nodes that keeps the skyline low (reverse Cuthill-McKee): place[node]. Repeated links cost nothing much.
 * False: no memory. */
bool trui_sky_order(arena *scratch, const sky_link *links, int link_count, int n, int *place);
/* Block products that a factorisation takes when nodes lie at their places. */
double trui_sky_cost(arena *scratch, const sky_link *links, int link_count, int n, const int *place);

typedef struct skyline {
    int n;
    int *first;    /* topmost block of each column */
    size_t *at;    /* where that block lies; n + 1 of them */
    double *h;     /* the blocks; after the factorisation those of U, on the diagonal L\D */
    double *work;  /* one column */
    double *lower; /* blocks below the diagonal, (row, column) where (column, row) lies in h; NULL: it is symmetric */
    int *perm;     /* SKY_SIDE per body: exchanges within diagonal blocks */
} skyline;

/* Room for the links, which name places. False: no memory. */
bool trui_sky_begin(skyline *s, arena *scratch, const sky_link *links, int link_count, int n);
void trui_sky_clear(skyline *s);
/* Block (row, column), row <= column. */
static inline double *sky_block(const skyline *s, int row, int column) {
    return s->h + (s->at[column] + (size_t)(row - s->first[column])) * SKY_BLOCK;
}
/* False: it is not positive definite. */
bool trui_sky_factor(skyline *s);
/* x <- H^-1 x */
void trui_sky_solve(const skyline *s, double *x);

/* The same for matrices that are not symmetric but have the skyline of one that is: H = L U, U with unit diagonal blocks,
 * rows exchanged within diagonal blocks only; the six rows of a body must have one unit. False: no memory. */
bool trui_sky_whole(skyline *s, arena *scratch);
/* Block (row, column), row > column. */
static inline double *sky_below(const skyline *s, int row, int column) {
    return s->lower + (s->at[row] + (size_t)(column - s->first[row])) * SKY_BLOCK;
}
/* False: a diagonal block became singular. */
bool trui_sky_factor_whole(skyline *s);
void trui_sky_solve_whole(const skyline *s, double *x);

#endif
