/* sparse.h: the contact problem without its matrix G: rates of impulses, and the steps of Newton's method on the natural
 * map, through the velocities of the bodies under a skyline.
 *
 * | symbol | name | unit |
 * |---|---|---|
 * | W^T | j: twelve numbers per row, of A and of B | m, - |
 * | M, with viscous parts M + W V W^T | moves, held | kg, kg m, kg m^2 |
 * | D, the derivative of the projections | d | - |
 * | A = (1 + shift) I - (1 - soft) D + D rho C | of each block | - |
 *
 * Newton's step J dp = -f has J = A + D rho W^T M^-1 W [solver_newton.c]. With dv = M^-1 W dp it becomes
 *   (M + W A^-1 D rho W^T) dv = -W A^-1 f,   dp = -A^-1 (f + D rho W^T dv):
 * A is a small matrix of each block, and what is left has a 6 x 6 block per body and per pair of bodies. Angular velocities
 * are measured with a length of their body, so that its six rows have one unit. */
#ifndef TRUNDLE_PROBLEM_SPARSE_H
#define TRUNDLE_PROBLEM_SPARSE_H

#include "problem/problem.h"
#include "problem/skyline.h"

typedef struct sparse {
    tru_problem *pb;
    int bodies;
    double *j;      /* 2 SKY_SIDE per row: rates of A's velocities and of B's */
    double *mass;   /* SKY_BLOCK per body */
    double *moves;  /* SKY_BLOCK per body: inverse of mass */
    double *v, *dv; /* SKY_SIDE per body */
    double *answer; /* BLOCK_ROOM per block: A^-1 D rho */
    double *start;  /* n: -A^-1 f */
    skyline sky;    /* of the steps, */
    skyline held;   /* and of M with viscous parts, where there are any */
} sparse;

/* Pairs of numbered bodies that blocks join; repeated ones in a row only once. NULL: no memory. */
sky_link *trui_sparse_links(const tru_problem *pb, const int32_t *number, int *count);
/* Numbers for the bodies that impulses move, in an order that suits the skyline, unless they have some. False: no memory. */
bool trui_sparse_number(tru_problem *pb);
/* Room for a problem without a matrix. False: no memory. */
bool trui_sparse_begin(sparse *s, tru_problem *pb);
/* u = G p + r, yielding rows included. */
void trui_sparse_rates(sparse *s, const double *p, double *u);
/* A Gauss-Seidel sweep: each block takes its projected step with the others' latest impulses. Without viscous parts. */
void trui_sparse_sweep(sparse *s, double *p);
/* Newton's step from residual f and derivatives d; false: singular. */
bool trui_sparse_step(sparse *s, const double *f, const double *d, double shift, double soft, double *step);

#endif
