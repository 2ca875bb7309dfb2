/* 3x3 matrices against their defining identities; inverses and eigenvectors by residual. */
#include "check.h"

#include "math/mat.h"
#include "math/quat.h"
#include "draw.h"

static double distance(tru_mat3 a, tru_mat3 b) {
    double s = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) s = fmax(s, fabs(a.m[i][j] - b.m[i][j]));
    return s;
}

static tru_mat3 draw_mat(draw *d) {
    tru_vec3 a = draw_vec(d), b = draw_vec(d);
    return m3_rows(a, b, draw_vec(d));
}

TEST(products) {
    tru_mat3 a = {{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}}, b = {{{0, 1, -1}, {2, 0, 3}, {1, 1, 1}}};
    tru_mat3 ab = {{{7, 4, 8}, {16, 10, 17}, {26, 17, 27}}};
    tru_vec3 v = v3(1, -1, 2);
    check(distance(m3_mul(a, b), ab) == 0.0);
    check(distance(m3_tmul(m3_transpose(a), b), ab) == 0.0);
    check(v3_norm(v3_sub(m3_apply(a, v), v3(5, 11, 19))) == 0.0);
    check(v3_norm(v3_sub(m3_apply_t(m3_transpose(a), v), v3(5, 11, 19))) == 0.0);
    check(m3_det(a) == -3.0 && m3_trace(a) == 16.0);
    check(v3_norm(v3_sub(m3_apply(m3_skew(v3(1, 2, 3)), v), v3_cross(v3(1, 2, 3), v))) == 0.0);
    check(distance(m3_outer(v3(1, 2, 3), v), (tru_mat3){{{1, -1, 2}, {2, -2, 4}, {3, -3, 6}}}) == 0.0);
    check(distance(m3_sub(m3_add(a, b), b), a) == 0.0 && distance(m3_madd(a, 2.0, b), m3_add(m3_add(a, b), b)) == 0.0);
    check(distance(m3_columns(m3_column(a, 0), m3_column(a, 1), m3_column(a, 2)), a) == 0.0);
}

TEST(inverse) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 5000; i++) {
        tru_mat3 a = draw_mat(&d), inv;
        if (!check(m3_inverse(a, &inv))) continue;
        double size = distance(inv, m3_zero());
        check_close(distance(m3_mul(a, inv), m3_identity()), 0.0, 0.0, 1e-15 * (1.0 + size * size));
    }
    tru_mat3 keep = m3_identity();
    check(!m3_inverse((tru_mat3){{{1, 2, 3}, {2, 4, 6}, {0, 1, 1}}}, &keep));
    check(distance(keep, m3_identity()) == 0.0);
}

TEST(world_inertia) {
    draw d = {check_seed(), 2, 0};
    for (int i = 0; i < 5000; i++) {
        tru_mat3 r = draw_rotation(&d);
        tru_vec3 j = v3(draw_in(&d, 0.1, 2), draw_in(&d, 0.1, 2), draw_in(&d, 0.1, 2)), v = draw_vec(&d);
        tru_mat3 w = m3_rotate_diag(r, j), slow = m3_mul(m3_mul(r, m3_diag(j)), m3_transpose(r));
        check_close(distance(w, slow), 0.0, 0.0, 2e-15);
        check_close(distance(m3_rotate_sym(r, m3_diag(j)), slow), 0.0, 0.0, 2e-15);
        check(distance(w, m3_transpose(w)) == 0.0);
        check_close(v3_norm(v3_sub(m3_apply(w, v), m3_apply(r, v3_mul(j, m3_apply_t(r, v))))), 0.0, 0.0, 4e-15);
    }
}

TEST(spd_inverse_in_any_units) {
    draw d = {check_seed(), 3, 0};
    for (int i = 0; i < 5000; i++) {
        tru_vec3 j = v3(draw_in(&d, 0.01, 2), draw_in(&d, 0.01, 2), draw_in(&d, 0.01, 2)), b = draw_vec(&d);
        tru_mat3 a = m3_rotate_diag(draw_rotation(&d), j), inv, scaled;
        if (!check(m3_spd_inverse(a, &inv))) continue;
        check_close(distance(m3_mul(a, inv), m3_identity()), 0.0, 0.0, 1e-12);
        check(distance(inv, m3_transpose(inv)) == 0.0);
        ldl3 f;
        if (!check(m3_spd_factor(a, &f))) continue;
        check_close(v3_norm(v3_sub(m3_apply(a, m3_spd_solve(&f, b)), b)), 0.0, 0.0, 2e-13);
        tru_mat3 s = m3_diag(v3(ldexp(1, draw_int(&d, 60) - 30), ldexp(1, draw_int(&d, 60) - 30), 0.25));
        tru_mat3 inv_scaled;
        scaled = m3_mul(m3_mul(s, a), s);
        if (check(m3_spd_inverse(scaled, &inv_scaled))) check(distance(m3_mul(m3_mul(s, inv_scaled), s), inv) == 0.0);
    }
    tru_mat3 none;
    check(!m3_spd_inverse((tru_mat3){{{1, 2, 0}, {2, 1, 0}, {0, 0, 1}}}, &none));
    check(!m3_spd_inverse((tru_mat3){{{1, 0, 0}, {0, 1, 1}, {0, 1, 1}}}, &none));
    check(!m3_spd_inverse(m3_diag(v3(1, 1, NAN)), &none) && !m3_spd_inverse(m3_zero(), &none));
}

static void check_eigen(tru_mat3 a) {
    tru_mat3 axes;
    tru_vec3 l = m3_eigen(a, &axes);
    double size = distance(a, m3_zero());
    check_close(distance(m3_tmul(axes, axes), m3_identity()), 0.0, 0.0, 3e-15);
    check_close(m3_det(axes), 1.0, 0.0, 3e-15);
    check_close(distance(m3_rotate_diag(axes, l), a), 0.0, 0.0, 4e-15 * size);
    check_close(distance(quat_to_matrix(quat_from_matrix(axes)), axes), 0.0, 0.0, 3e-15);
}

TEST(eigenvectors) {
    draw d = {check_seed(), 4, 0};
    for (int i = 0; i < 5000; i++) {
        tru_mat3 a = draw_mat(&d);
        check_eigen(m3_add(a, m3_transpose(a)));
        /* two nearly equal, or one tiny, or rank one */
        double gap = ldexp(1.0, -draw_int(&d, 60));
        check_eigen(m3_rotate_diag(draw_rotation(&d), v3(1.0, 1.0 + gap, draw_in(&d, 0.5, 2.0))));
        check_eigen(m3_rotate_diag(draw_rotation(&d), v3(1.0, gap, -gap)));
        tru_vec3 u = draw_unit(&d);
        check_eigen(m3_outer(u, u));
    }
    tru_mat3 axes;
    tru_vec3 l = m3_eigen(m3_diag(v3(3.0, 1.0, 2.0)), &axes);
    check(l.x == 3.0 && l.y == 1.0 && l.z == 2.0 && distance(axes, m3_identity()) == 0.0);
}

TEST(eigenvectors_keep_bits_under_powers_of_two) {
    draw d = {check_seed(), 5, 0};
    for (int i = 0; i < 1000; i++) {
        tru_mat3 a = draw_mat(&d), p, q;
        a = m3_add(a, m3_transpose(a));
        double s = ldexp(1.0, draw_int(&d, 400) - 200);
        tru_vec3 l = m3_eigen(a, &p), m = m3_eigen(m3_scale(s, a), &q);
        check(distance(p, q) == 0.0 && m.x == s * l.x && m.y == s * l.y && m.z == s * l.z);
    }
}
