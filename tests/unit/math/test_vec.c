/* Vectors, tangent frames and 2x2 matrices against their defining identities. */
#include "check.h"

#include "math/vec.h"
#include "draw.h"

static bool same(tru_vec3 a, tru_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

TEST(vec3_arithmetic) {
    tru_vec3 a = v3(1.0, 2.0, 3.0), b = v3(-4.0, 0.5, 2.0);
    check(same(v3_add(a, b), v3(-3.0, 2.5, 5.0)));
    check(same(v3_sub(a, b), v3(5.0, 1.5, 1.0)));
    check(same(v3_madd(a, 2.0, b), v3(-7.0, 3.0, 7.0)));
    check(same(v3_mul(a, b), v3(-4.0, 1.0, 6.0)));
    check(same(v3_mix(a, b, 0.0), a) && same(v3_mix(a, b, 1.0), b));
    check(v3_dot(a, b) == 3.0);
    check(same(v3_cross(a, b), v3(2.5, -14.0, 8.5)));
    check(v3_norm(v3(2.0, 3.0, 6.0)) == 7.0);
    check(v3_max_abs(b) == 4.0 && v3_get(b, 1) == 0.5);
    check(same(v3_reject(b, v3(0.0, 0.0, 1.0)), v3(-4.0, 0.5, 0.0)));
    check(!v3_is_finite(v3(0.0, NAN, 0.0)) && !v3_is_finite(v3(INFINITY, 0.0, 0.0)) && v3_is_finite(a));
}

TEST(unit_vectors_of_any_length) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 20000; i++) {
        double s = ldexp(1.0, draw_int(&d, 2090) - 1070);
        tru_vec3 v = draw_vec(&d), u = v3_zero();
        if (!v3_is_finite(v3_scale(s, v)) || !check(v3_unit(v3_scale(s, v), &u))) continue;
        check_close(v3_norm2(u), 1.0, 0.0, 12 * 0x1p-53); /* 9 roundings in u, 3 here */
        double wanted = v.x / v3_norm(v);                 /* denormals have fewer bits */
        check_close(u.x, wanted, 4e-16, s < 0x1p-960 ? ldexp(0x1p-1074 / s, 3) : 0.0);
    }
    tru_vec3 keep = v3(1.0, 2.0, 3.0);
    check(!v3_unit(v3_zero(), &keep) && !v3_unit(v3(NAN, 1.0, 0.0), &keep));
    check(!v3_unit(v3(0.0, INFINITY, 0.0), &keep) && same(keep, v3(1.0, 2.0, 3.0)));
    tru_vec3 tiny;
    check(v3_unit(v3(0.0, -0x1p-1074, 0.0), &tiny) && same(tiny, v3(0.0, -1.0, 0.0)));
}

TEST(unit_keeps_bits_under_powers_of_two) {
    draw d = {check_seed(), 2, 0};
    for (int i = 0; i < 2000; i++) {
        tru_vec3 v = draw_vec(&d), a, b;
        double s = ldexp(1.0, draw_int(&d, 1600) - 800);
        check(v3_unit(v, &a) && v3_unit(v3_scale(s, v), &b) && same(a, b));
    }
}

static void check_frame(tru_vec3 n) {
    tru_vec3 t1, t2;
    v3_tangents(n, &t1, &t2);
    tru_vec3 expected = v3_cross(n, t1);
    check_close(v3_norm2(t1), 1.0, 0.0, 2e-15);
    check_close(v3_norm2(t2), 1.0, 0.0, 2e-15);
    check_close(v3_dot(t1, n), 0.0, 0.0, 1e-15);
    check_close(v3_dot(t2, n), 0.0, 0.0, 1e-15);
    check_close(v3_norm(v3_sub(t2, expected)), 0.0, 0.0, 2e-15);
}

TEST(tangent_frames) {
    draw d = {check_seed(), 3, 0};
    for (int i = 0; i < 20000; i++) check_frame(draw_unit(&d));
    for (int i = 0; i < 20000; i++) { /* near the poles and the seam */
        tru_vec3 n = v3(draw_wide(&d, -60, 0), draw_wide(&d, -60, 0), draw_wide(&d, -60, 0)), u;
        if (check(v3_unit(n, &u))) check_frame(u);
    }
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2)
            check_frame(v3(axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0));
    tru_vec3 t1, t2;
    v3_tangents(v3(0.0, 0.0, 1.0), &t1, &t2);
    check(same(t1, v3(1.0, 0.0, 0.0)) && same(t2, v3(0.0, 1.0, 0.0)));
    tru_vec3 p1, p2; /* the sign of a zero does not matter */
    v3_tangents(v3(1.0, 0.0, -0.0), &p1, &p2);
    v3_tangents(v3(1.0, 0.0, 0.0), &t1, &t2);
    check(same(t1, p1) && same(t2, p2));
}

TEST(mat2_inverse) {
    draw d = {check_seed(), 4, 0};
    for (int i = 0; i < 5000; i++) {
        mat2 p = {draw_in(&d, -1, 1), draw_in(&d, -1, 1), draw_in(&d, -1, 1), draw_in(&d, -1, 1)}, q;
        double size = fabs(p.a) + fabs(p.b) + fabs(p.c) + fabs(p.d);
        if (!check(m2_inverse(p, &q))) continue;
        const vec2 first = m2_apply(p, v2(q.a, q.c)), second = m2_apply(p, v2(q.b, q.d)); /* columns of p q */
        mat2 e = {first.x, second.x, first.y, second.y};
        double tol = 4e-16 * size * size / fabs(m2_det(p));
        check_close(e.a, 1.0, 0.0, tol);
        check_close(e.b, 0.0, 0.0, tol);
        check_close(e.c, 0.0, 0.0, tol);
        check_close(e.d, 1.0, 0.0, tol);
    }
    mat2 r;
    sym2 s;
    check(!m2_inverse((mat2){1.0, 2.0, 2.0, 4.0}, &r) && !m2_inverse((mat2){0.1, 0.3, 0.2, 0.6}, &r));
    check(!m2_inverse((mat2){NAN, 0.0, 0.0, 1.0}, &r) && !s2_inverse((sym2){1.0, 1.0, 1.0}, &s));
    check(s2_inverse((sym2){2.0, 1.0, 3.0}, &s));
    check_close(s.xx, 0.6, 1e-15, 0.0);
    check_close(s.xy, -0.2, 1e-15, 0.0);
    check_close(s.yy, 0.4, 1e-15, 0.0);
}

TEST(sym2_eigen) {
    draw d = {check_seed(), 5, 0};
    for (int i = 0; i < 20000; i++) {
        sym2 s = {draw_wide(&d, -20, 2), draw_wide(&d, -20, 2), draw_wide(&d, -20, 2)};
        double l[2], size = fabs(s.xx) + fabs(s.xy) + fabs(s.yy);
        vec2 g[2];
        s2_eigen(s, l, g);
        check(l[0] >= l[1]);
        check_close(v2_cross(g[0], g[1]), 1.0, 0.0, 1e-15);
        for (int k = 0; k < 2; k++) {
            vec2 r = v2_madd(s2_apply(s, g[k]), -l[k], g[k]);
            check_close(v2_norm(r), 0.0, 0.0, 1e-15 * size);
        }
        double scale = ldexp(1.0, draw_int(&d, 100) - 50), l2[2];
        vec2 g2[2];
        s2_eigen((sym2){scale * s.xx, scale * s.xy, scale * s.yy}, l2, g2);
        check(l2[0] == scale * l[0] && l2[1] == scale * l[1] && g2[0].x == g[0].x && g2[0].y == g[0].y);
    }
    double l[2];
    vec2 g[2];
    s2_eigen((sym2){2.0, 0.0, 2.0}, l, g);
    check(l[0] == 2.0 && l[1] == 2.0 && g[0].x == 1.0 && g[1].y == 1.0);
}
