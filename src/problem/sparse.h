/* sparse.h: the contact problem without its matrix G: rates of impulses, and steps of Newton's method on the natural map. Both go
 * through the velocities of bodies, in a matrix under a skyline.
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
 * A is a small matrix of each block, and the matrix of dv has a 6 x 6 block per body and per pair of bodies. Angular velocities are
 * multiplied by a length of their body, so that its six rows have one unit. */
#ifndef TRUNDLE_PROBLEM_SPARSE_H
#define TRUNDLE_PROBLEM_SPARSE_H

#include "problem/problem.h"
#include "problem/skyline.h"

/* A problem as its bodies see it. */
typedef struct sparse {
    tru_problem *pb;
    int bodies;     /* number of bodies that impulses move */
    double *j;      /* 2 SKY_SIDE per row: rates of A's velocities and of B's */
    double *mass;   /* SKY_BLOCK per body */
    double *moves;  /* SKY_BLOCK per body: inverse of mass */
    double *v, *dv; /* SKY_SIDE per body */
    double *answer; /* BLOCK_ROOM per block: A^-1 D rho */
    double *start;  /* n: -A^-1 f */
    skyline sky;    /* matrix of a step */
    skyline held;   /* M with viscous parts; only if the problem has some */
} sparse;

/* Lists the pairs of numbered bodies that blocks join; successive equal pairs count once. Returns NULL without memory. */
sky_link *trui_sparse_links(const tru_problem *pb, const int32_t *number, int *count);
/* Numbers the bodies that impulses move in an order with a low skyline, unless they are numbered. Returns false without memory. */
bool trui_sparse_number(tru_problem *pb);
/* Prepares a problem without a matrix. Returns false without memory, or if M with viscous parts is singular. */
bool trui_sparse_begin(sparse *s, tru_problem *pb);
/* Computes u = G p + r, compliance included. */
void trui_sparse_rates(sparse *s, const double *p, double *u);
/* Makes a Gauss-Seidel sweep: each block takes its projected step with the latest impulses of the others. The problem must not have
 * viscous parts. */
void trui_sparse_sweep(sparse *s, double *p);
/* Computes Newton's step from residual f and derivatives d. Returns false if the matrix is singular. */
bool trui_sparse_step(sparse *s, const double *f, const double *d, double shift, double soft, double *step);

#endif
