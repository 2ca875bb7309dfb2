/* solve.h: small dense linear systems, row major with leading dimension. The caller passes all memory.

   Matrices are n rows of lda >= n doubles. Tolerances are relative to entries of the same row or column, so a result
   does not change when rows and columns are scaled by powers of two where a function says so; otherwise the caller
   scales the system to one unit first. A function that fails leaves its outputs unspecified and says so by its return.
 */
#ifndef TRUNDLE_MATH_SOLVE_H
#define TRUNDLE_MATH_SOLVE_H

#include <stdbool.h>

/* Factors a = L D L^T with unit lower L (Cholesky without square roots): overwrites the upper triangle of
   symmetric positive definite a by L^T and 1/D (the lower one is neither read nor written). work holds n doubles. False
   when a pivot is not above 8 n round-offs of its diagonal entry. Scaling row and column i by the same power of two, or
   all of a by any, keeps the bits. */
bool tru_ldl(double *a, int n, int lda, double *work);

/* Replaces b by A^-1 b with the factors from tru_ldl. */
void tru_ldl_solve(const double *a, int n, int lda, double *b);

/* Overwrites a by its LU factors with row exchanges, perm[k] being the row exchanged with row k, 1/U on the diagonal.
   work holds n doubles. False when the best pivot of a column is not above 8 n round-offs of that column's largest
   entry: this finds every equal or zero row, and not every nearly singular matrix (tru_solve_min_norm does). The
   choice of pivot compares rows: the caller scales rows to like units; scaling columns by powers of two keeps the bits
   of L and perm. */
bool tru_lu(double *a, int n, int lda, int *perm, double *work);

/* Replaces b by A^-1 b with the factors from tru_lu. */
void tru_lu_solve(const double *a, int n, int lda, const int *perm, double *b);

/* Finds the x of least |x| among those of least |a x - b|, for a of m rows and n columns and any rank, by a complete orthogonal
   decomposition (Householder QR with column pivoting). a, b (m) are overwritten; x has n entries, perm n ints, work 3
   n doubles. Returns the rank: the number of leading pivots with |r_kk| > rtol |r_00|; rtol <= 0 means max(m, n)
   round-offs. Redundant contacts give a consistent system of deficient rank; then x solves it exactly and is the
   shortest reaction in the caller's scaling of the unknowns. The caller scales rows and columns to like units. */
int tru_solve_min_norm(double *a, int m, int n, int lda, double *b, double *x, double rtol, int *perm, double *work);

#endif
