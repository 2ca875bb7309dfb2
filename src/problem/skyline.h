/* skyline.h: symmetric matrices of 6 x 6 blocks, one block column per body, stored from the topmost block of each column down.
 *
 * H = U^T D U without a square root: pivots have units of mass and of inertia, and square roots of those would change bits with
 * the units. Fill stays below the skyline, so a chain costs one block product per link, and a hub with many spokes, placed last,
 * one per spoke. */
#ifndef TRUNDLE_PROBLEM_SKYLINE_H
#define TRUNDLE_PROBLEM_SKYLINE_H

#include "base/arena.h"
#include "base/assert.h"

#include <stdbool.h>

enum { SKY_SIDE = 6, SKY_BLOCK = SKY_SIDE * SKY_SIDE };

/* Two nodes that are coupled. */
typedef struct sky_link {
    int a, b;
} sky_link;

/* Orders n nodes so that the skyline is low (reverse Cuthill-McKee): place[node]. Links may repeat. Returns false without memory. */
bool trui_sky_order(arena *scratch, const sky_link *links, int link_count, int n, int *place);
/* Returns the number of block products of a factorisation with nodes at their places; -1 without memory. */
double trui_sky_cost(arena *scratch, const sky_link *links, int link_count, int n, const int *place);

/* A matrix under its skyline. */
typedef struct skyline {
    int n;         /* block columns */
    int *first;    /* topmost block of each column */
    size_t *at;    /* index of that block in h, n + 1 of them */
    double *h;     /* the blocks; after the factorisation those of U, on the diagonal L\D */
    double *work;  /* scratch of one column */
    double *lower; /* blocks below the diagonal, (row, column) at the place of (column, row) in h; NULL: symmetric */
    int *perm;     /* SKY_SIDE per body: exchanges within diagonal blocks */
} skyline;

/* Allocates a matrix for links between places. Returns false without memory. */
bool trui_sky_begin(skyline *s, arena *scratch, const sky_link *links, int link_count, int n);
/* Sets all blocks to zero. */
void trui_sky_clear(skyline *s);
/* Returns block (row, column), row <= column. */
static inline double *sky_block(const skyline *s, int row, int column) {
    TRU_ASSERT(row >= s->first[column] && row <= column);
    return s->h + (s->at[column] + (size_t)(row - s->first[column])) * SKY_BLOCK;
}
/* Factorises a symmetric matrix. Returns false if it is not positive definite. */
bool trui_sky_factor(skyline *s);
/* Computes x := H^-1 x with the factors. */
void trui_sky_solve(const skyline *s, double *x);

/* Adds blocks below the diagonal, for matrices with a symmetric skyline that are not symmetric: H = L U, U with unit diagonal
 * blocks. Rows are exchanged within diagonal blocks only, so the six rows of a body must have one unit. Returns false without
 * memory. */
bool trui_sky_whole(skyline *s, arena *scratch);
/* Returns block (row, column), row > column. */
static inline double *sky_below(const skyline *s, int row, int column) {
    TRU_ASSERT(column >= s->first[row] && column < row);
    return s->lower + (s->at[row] + (size_t)(column - s->first[row])) * SKY_BLOCK;
}
/* Factorises a matrix that is not symmetric. Returns false if a diagonal block becomes singular. */
bool trui_sky_factor_whole(skyline *s);
/* Computes x := H^-1 x with these factors. */
void trui_sky_solve_whole(const skyline *s, double *x);

#endif
