/* mat.h: matrices of 3x3, by value, row major. */
#ifndef TRUNDLE_MATH_MAT_H
#define TRUNDLE_MATH_MAT_H

#include "base/assert.h"
#include "math/vec.h"

static inline tru_mat3 m3_diag(tru_vec3 d) { return (tru_mat3){{{d.x, 0.0, 0.0}, {0.0, d.y, 0.0}, {0.0, 0.0, d.z}}}; }

static inline tru_mat3 m3_zero(void) { return m3_diag(v3_zero()); }

static inline tru_mat3 m3_identity(void) { return m3_diag(v3(1.0, 1.0, 1.0)); }

static inline tru_mat3 m3_rows(tru_vec3 a, tru_vec3 b, tru_vec3 c) {
    return (tru_mat3){{{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}}};
}

static inline tru_mat3 m3_columns(tru_vec3 a, tru_vec3 b, tru_vec3 c) {
    return (tru_mat3){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

static inline tru_vec3 m3_row(tru_mat3 a, int i) {
    TRU_ASSERT(i >= 0 && i < 3);
    return v3(a.m[i][0], a.m[i][1], a.m[i][2]);
}

static inline tru_vec3 m3_column(tru_mat3 a, int j) {
    TRU_ASSERT(j >= 0 && j < 3);
    return v3(a.m[0][j], a.m[1][j], a.m[2][j]);
}

/* Returns a v. */
static inline tru_vec3 m3_apply(tru_mat3 a, tru_vec3 v) {
    return v3(v3_dot(m3_row(a, 0), v), v3_dot(m3_row(a, 1), v), v3_dot(m3_row(a, 2), v));
}

/* Returns a^T v. */
static inline tru_vec3 m3_apply_t(tru_mat3 a, tru_vec3 v) {
    return v3(v3_dot(m3_column(a, 0), v), v3_dot(m3_column(a, 1), v), v3_dot(m3_column(a, 2), v));
}

static inline tru_mat3 m3_mul(tru_mat3 a, tru_mat3 b) {
    return m3_rows(m3_apply_t(b, m3_row(a, 0)), m3_apply_t(b, m3_row(a, 1)), m3_apply_t(b, m3_row(a, 2)));
}

/* Returns a^T b. */
static inline tru_mat3 m3_tmul(tru_mat3 a, tru_mat3 b) {
    return m3_rows(m3_apply_t(b, m3_column(a, 0)), m3_apply_t(b, m3_column(a, 1)), m3_apply_t(b, m3_column(a, 2)));
}

static inline tru_mat3 m3_transpose(tru_mat3 a) { return m3_columns(m3_row(a, 0), m3_row(a, 1), m3_row(a, 2)); }

static inline tru_mat3 m3_add(tru_mat3 a, tru_mat3 b) {
    return m3_rows(v3_add(m3_row(a, 0), m3_row(b, 0)), v3_add(m3_row(a, 1), m3_row(b, 1)),
                   v3_add(m3_row(a, 2), m3_row(b, 2)));
}

static inline tru_mat3 m3_scale(double s, tru_mat3 a) {
    return m3_rows(v3_scale(s, m3_row(a, 0)), v3_scale(s, m3_row(a, 1)), v3_scale(s, m3_row(a, 2)));
}

/* Returns a + s b. */
static inline tru_mat3 m3_madd(tru_mat3 a, double s, tru_mat3 b) {
    return m3_rows(v3_madd(m3_row(a, 0), s, m3_row(b, 0)), v3_madd(m3_row(a, 1), s, m3_row(b, 1)),
                   v3_madd(m3_row(a, 2), s, m3_row(b, 2)));
}

static inline tru_mat3 m3_sub(tru_mat3 a, tru_mat3 b) { return m3_madd(a, -1.0, b); }

/* Returns a b^T. */
static inline tru_mat3 m3_outer(tru_vec3 a, tru_vec3 b) {
    return m3_rows(v3_scale(a.x, b), v3_scale(a.y, b), v3_scale(a.z, b));
}

/* Returns the matrix that maps v to a x v. */
static inline tru_mat3 m3_skew(tru_vec3 a) {
    return (tru_mat3){{{0.0, -a.z, a.y}, {a.z, 0.0, -a.x}, {-a.y, a.x, 0.0}}};
}

static inline double m3_trace(tru_mat3 a) { return a.m[0][0] + a.m[1][1] + a.m[2][2]; }

static inline double m3_det(tru_mat3 a) { return v3_dot(m3_row(a, 0), v3_cross(m3_row(a, 1), m3_row(a, 2))); }

/* Sets *inv to the inverse; false, with *inv unchanged, if the determinant is zero or not finite. */
static inline bool m3_inverse(tru_mat3 a, tru_mat3 *inv) {
    tru_vec3 r0 = m3_row(a, 0), r1 = m3_row(a, 1), r2 = m3_row(a, 2);
    tru_vec3 c0 = v3_cross(r1, r2), c1 = v3_cross(r2, r0), c2 = v3_cross(r0, r1);
    double det = v3_dot(r0, c0);
    if (!(fabs(det) > 0.0 && isfinite(det))) return false;
    *inv = m3_scale(1.0 / det, m3_columns(c0, c1, c2));
    return true;
}

/* Returns R diag(d) R^T, exactly symmetric: the inertia in world axes of a body with principal moments d and orientation R. */
static inline tru_mat3 m3_rotate_diag(tru_mat3 r, tru_vec3 d) {
    tru_vec3 a = v3_mul(m3_row(r, 0), d), b = v3_mul(m3_row(r, 1), d), c = v3_mul(m3_row(r, 2), d);
    double xy = v3_dot(a, m3_row(r, 1)), xz = v3_dot(a, m3_row(r, 2)), yz = v3_dot(b, m3_row(r, 2));
    double xx = v3_dot(a, m3_row(r, 0)), yy = v3_dot(b, m3_row(r, 1)), zz = v3_dot(c, m3_row(r, 2));
    return (tru_mat3){{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
}

/* Returns R A R^T for symmetric A, exactly symmetric. */
static inline tru_mat3 m3_rotate_sym(tru_mat3 r, tru_mat3 a) {
    tru_mat3 s = m3_mul(m3_mul(r, a), m3_transpose(r));
    s.m[1][0] = s.m[0][1];
    s.m[2][0] = s.m[0][2];
    s.m[2][1] = s.m[1][2];
    return s;
}

/* Factors of a symmetric positive definite 3x3 matrix: A = L diag(d) L^T with unit lower L. */
typedef struct ldl3 {
    double d0, d1, d2, l10, l20, l21;
} ldl3;

/* Factors A from its lower triangle. False if a pivot is not above the round-off of its diagonal entry: A is then not positive definite
   to working precision. The units of rows and columns do not matter. */
static inline bool m3_spd_factor(tru_mat3 a, ldl3 *f) {
    const double eps = 4.0 * 0x1p-52;
    f->d0 = a.m[0][0];
    if (!(f->d0 > 0.0)) return false;
    f->l10 = a.m[1][0] / f->d0;
    f->l20 = a.m[2][0] / f->d0;
    f->d1 = a.m[1][1] - f->l10 * a.m[1][0];
    if (!(f->d1 > eps * a.m[1][1])) return false;
    double c21 = a.m[2][1] - f->l20 * a.m[1][0];
    f->l21 = c21 / f->d1;
    f->d2 = a.m[2][2] - f->l20 * a.m[2][0] - f->l21 * c21;
    return f->d2 > eps * a.m[2][2] && isfinite(f->d2);
}

/* Solves A x = b with the factors of A. */
static inline tru_vec3 m3_spd_solve(const ldl3 *f, tru_vec3 b) {
    double y1 = b.y - f->l10 * b.x;
    double y2 = b.z - f->l20 * b.x - f->l21 * y1;
    double z = y2 / f->d2;
    double y = y1 / f->d1 - f->l21 * z;
    double x = b.x / f->d0 - f->l10 * y - f->l20 * z;
    return v3(x, y, z);
}

/* Sets *inv to the inverse of a symmetric positive definite matrix, exactly symmetric. False, with *inv unchanged, if the matrix is not
   positive definite to working precision. */
static inline bool m3_spd_inverse(tru_mat3 a, tru_mat3 *inv) {
    ldl3 f;
    if (!m3_spd_factor(a, &f)) return false;
    tru_vec3 c0 = m3_spd_solve(&f, v3(1.0, 0.0, 0.0));
    tru_vec3 c1 = m3_spd_solve(&f, v3(0.0, 1.0, 0.0));
    tru_vec3 c2 = m3_spd_solve(&f, v3(0.0, 0.0, 1.0));
    *inv = (tru_mat3){{{c0.x, c1.x, c2.x}, {c1.x, c1.y, c2.y}, {c2.x, c2.y, c2.z}}};
    return true;
}

/* Applies one Jacobi rotation in the plane (p, q) to the symmetric matrix s and to the columns of `axes`. */
static inline void m3_jacobi_rotate(tru_mat3 *s, tru_mat3 *axes, int p, int q) {
    TRU_ASSERT(p >= 0 && p < q && q < 3);
    int r = 3 - p - q;
    double apq = s->m[p][q];
    double t = jacobi_tangent(s->m[p][p], apq, s->m[q][q]);
    double c = 1.0 / sqrt(1.0 + t * t), n = t * c;
    double arp = s->m[r][p], arq = s->m[r][q];
    s->m[p][p] -= t * apq;
    s->m[q][q] += t * apq;
    s->m[p][q] = s->m[q][p] = 0.0;
    s->m[r][p] = s->m[p][r] = c * arp - n * arq;
    s->m[r][q] = s->m[q][r] = n * arp + c * arq;
    for (int i = 0; i < 3; i++) {
        double u = axes->m[i][p], v = axes->m[i][q];
        axes->m[i][p] = c * u - n * v;
        axes->m[i][q] = n * u + c * v;
    }
}

/* Returns the eigenvalues of the symmetric matrix a, not sorted, and sets the columns of *axes to unit eigenvectors with determinant +1.
   Cyclic Jacobi rotations of at most 45 degrees leave a diagonal matrix as it is. An entry counts as zero if it is below the round-off of
   both its diagonal entries, so that units do not matter. */
static inline tru_vec3 m3_eigen(tru_mat3 a, tru_mat3 *axes) {
    static const int plane[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    *axes = m3_identity();
    for (int sweep = 0; sweep < 16; sweep++) {
        int rotated = 0;
        for (int k = 0; k < 3; k++) {
            int p = plane[k][0], q = plane[k][1];
            double small = 0x1p-55 * fmin(fabs(a.m[p][p]), fabs(a.m[q][q]));
            if (!(fabs(a.m[p][q]) > small)) continue;
            m3_jacobi_rotate(&a, axes, p, q);
            rotated++;
        }
        if (rotated == 0) break;
    }
    return v3(a.m[0][0], a.m[1][1], a.m[2][2]);
}

#endif
