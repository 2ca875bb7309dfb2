/* Quaternions against matrices, long double angles and exact flows. */
#include "check.h"

#include "math/quat.h"
#include "draw.h"

static double quat_distance(tru_quat a, tru_quat b) {
    return fmax(fmax(fabs(a.w - b.w), fabs(a.x - b.x)), fmax(fabs(a.y - b.y), fabs(a.z - b.z)));
}

static tru_quat draw_quat(draw *d) {
    tru_vec3 axis = draw_unit(d);
    return quat_exp(v3_scale(draw_in(d, -3.14, 3.14), axis));
}

TEST(rotation_agrees_with_matrix) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 10000; i++) {
        tru_quat p = draw_quat(&d), q = draw_quat(&d);
        tru_vec3 v = draw_vec(&d);
        tru_vec3 a = quat_rotate(quat_mul(p, q), v), b = quat_rotate(p, quat_rotate(q, v));
        check_close(v3_norm(v3_sub(a, b)), 0.0, 0.0, 4e-15);
        check_close(v3_norm(v3_sub(quat_rotate(p, v), m3_apply(quat_to_matrix(p), v))), 0.0, 0.0, 4e-15);
        check_close(v3_norm(v3_sub(quat_unrotate(p, v), m3_apply_t(quat_to_matrix(p), v))), 0.0, 0.0, 4e-15);
        check_close(v3_norm(v3_sub(quat_unrotate(p, quat_rotate(p, v)), v)), 0.0, 0.0, 4e-15);
    }
    tru_quat quarter = quat_exp(v3(0.0, 0.0, 0x1.921fb54442d18p+0));
    tru_vec3 y = quat_rotate(quarter, v3(1.0, 0.0, 0.0));
    check_close(v3_norm(v3_sub(y, v3(0.0, 1.0, 0.0))), 0.0, 0.0, 4e-16);
}

/* Rotation vectors of every length against long double sine and cosine. */
TEST(exponential_to_round_off) {
    draw d = {check_seed(), 2, 0};
    double worst = 0.0;
    for (int i = 0; i < 200000; i++) {
        double length = i % 2 ? draw_in(&d, 0.0, 1.2) : ldexp(1.0, -draw_int(&d, 400));
        if (i % 16 == 0) length = draw_in(&d, 0.0, 20.0);
        tru_vec3 r = v3_scale(length, draw_unit(&d));
        long double x = r.x, y = r.y, z = r.z, half = 0.5L * sqrtl(x * x + y * y + z * z);
        long double f = half > 0.0L ? 0.5L * sinl(half) / half : 0.5L;
        tru_quat q = quat_exp(r);
        /* |r|^2 has 3 round-offs u, so half has 2, times the slope of the cosine; its own rounding is u/2 */
        double bound = 0x1p-53 * (0.6 + 2.5 * (double)(half * fminl(half, 1.0L)));
        worst = fmax(worst, (double)fabsl(q.w - cosl(half)) / bound);
        check((double)fabsl(q.w - cosl(half)) <= bound);
        check((double)fabsl(q.x - f * x) <= 3.0 * 0x1p-53 * fabs(r.x));
        check((double)fabsl(q.z - f * z) <= 3.0 * 0x1p-53 * fabs(r.z));
    }
    printf("worst error of the cosine over its bound: %.3g\n", worst);
    check(quat_distance(quat_exp(v3_zero()), quat_identity()) == 0.0);
    tru_quat tiny = quat_exp(v3(0x1p-1000, 0.0, 0.0));
    check(tiny.w == 1.0 && tiny.x == 0x1p-1001);
}

TEST(normalisation) {
    tru_quat q, keep = {0.5, 0.5, 0.5, 0.5};
    check(quat_unit((tru_quat){2.0, 0.0, 0.0, 0.0}, &q) && q.w == 1.0);
    check(quat_unit((tru_quat){0.0, 0x1p-1074, 0.0, 0.0}, &q) && q.x == 1.0);
    check(quat_unit((tru_quat){0.0, 0.0, -0x1p1000, 0x1p1000}, &q));
    check_close(q.z, sqrt(0.5), 2e-16, 0.0);
    check(!quat_unit((tru_quat){0.0, 0.0, 0.0, 0.0}, &keep) && !quat_unit((tru_quat){NAN, 0.0, 0.0, 0.0}, &keep));
    check(!quat_unit((tru_quat){1.0, INFINITY, 0.0, 0.0}, &keep) && keep.w == 0.5);
    draw d = {check_seed(), 3, 0};
    for (int i = 0; i < 10000; i++) {
        double s = 1.0 + draw_wide(&d, -60, -1);
        tru_quat p = draw_quat(&d), r = quat_renormalise(quat_scale(s, p));
        check_close(quat_norm2(r), 1.0, 0.0, 1e-15);
        check_close(quat_distance(r, p), 0.0, 0.0, 1e-15);
    }
}

TEST(matrix_round_trip) {
    draw d = {check_seed(), 4, 0};
    for (int i = 0; i < 20000; i++) {
        tru_quat p = draw_quat(&d);
        if (i % 4 == 1) p.w *= 1e-9; /* half turns */
        if (i % 4 == 2) p = (tru_quat){p.w * 1e-7, p.x * 1e-9, p.y, p.z * 1e-8};
        if (!check(quat_unit(p, &p))) continue;
        tru_quat q = quat_from_matrix(quat_to_matrix(p));
        check_close(fmin(quat_distance(p, q), quat_distance(p, quat_scale(-1.0, q))), 0.0, 0.0, 9 * 0x1p-53);
        check_close(quat_norm2(q), 1.0, 0.0, 6e-16);
    }
    check(quat_distance(quat_from_matrix(m3_identity()), quat_identity()) == 0.0);
}

/* A constant rate for many steps is the rotation by the whole angle, whatever the step. */
TEST(integration_of_a_constant_rate) {
    draw d = {check_seed(), 5, 0};
    for (int i = 0; i < 20; i++) {
        tru_quat q0 = draw_quat(&d), q = q0;
        tru_vec3 w = v3_scale(draw_in(&d, 0.1, 2.0), draw_unit(&d));
        for (int k = 0; k < 1000; k++) q = quat_integrate(q, w, 1e-3);
        tru_quat once = quat_mul(quat_exp(w), q0);
        check_close(quat_distance(q, once), 0.0, 0.0, 1e-13);
        check_close(quat_norm2(q), 1.0, 0.0, 5e-16);
    }
}

TEST(logarithm_inverts_the_exponential) {
    draw d = {check_seed(), 6, 0};
    for (int i = 0; i < 20000; i++) {
        double length = i % 2 ? draw_in(&d, 0.0, 3.1415) : ldexp(1.0, -draw_int(&d, 900));
        tru_vec3 r = v3_scale(length, draw_unit(&d));
        tru_quat q = quat_exp(r);
        if (i % 3 == 0) q = quat_scale(-1.0, q); /* the same rotation */
        check_close(v3_norm(v3_sub(quat_log(q), r)) / length, 0.0, 0.0, 1e-15);
    }
    check(v3_norm(quat_log(quat_identity())) == 0.0);
    tru_vec3 half_turn = quat_log((tru_quat){0.0, 0.0, -1.0, 0.0});
    check(half_turn.x == 0.0 && half_turn.y == -0x1.921fb54442d18p+1 && half_turn.z == 0.0);
}
