/* test_gyro.c: the mean rate of a body that rotates freely: closed form of a symmetric body, and the defining equation. */
#include "check.h"

#include "draw.h"
#include "world/rotation/gyro.h"

#include "math/quat.h"

/* R diag(principal) R^T for a drawn attitude. */
static tru_mat3 drawn_inertia(draw *d, tru_vec3 principal) {
    const tru_mat3 r = quat_to_matrix(quat_exp(v3_scale(2.0, draw_vec(d))));
    const tru_mat3 j = {{{principal.x, 0.0, 0.0}, {0.0, principal.y, 0.0}, {0.0, 0.0, principal.z}}};
    return m3_mul(m3_mul(r, j), m3_transpose(r));
}

static tru_vec3 miss(tru_mat3 inertia, tru_vec3 aim, double h, tru_vec3 u) {
    const tru_vec3 spin = m3_apply(inertia, u);
    return v3_sub(v3_madd(spin, 0.5 * h, v3_cross(u, spin)), aim);
}

/* I = diag(A, A, C): u3 = aim3/C, and with k = h/2 u3 (C - A) the other two solve A u1 + k u2 = aim1, A u2 - k u1 = aim2. */
TEST(a_symmetric_body_has_a_closed_form) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 2000; i++) {
        const double a = 0.5 + draw_in(&d, 0.0, 1.0), c = 2.0 * a * draw_in(&d, 0.0, 1.0) + 0.05;
        const double h = 20.0 * draw_in(&d, 0.0, 1.0);
        const tru_mat3 inertia = {{{a, 0.0, 0.0}, {0.0, a, 0.0}, {0.0, 0.0, c}}};
        const tru_vec3 aim = draw_vec(&d);
        const double u3 = aim.z / c, k = 0.5 * h * u3 * (c - a), det = a * a + k * k;
        const tru_vec3 wanted = v3((a * aim.x - k * aim.y) / det, (a * aim.y + k * aim.x) / det, u3);
        tru_vec3 u = v3(aim.x / a, aim.y / a, aim.z / c);
        check(trui_gyro_search(&inertia, aim, h, &u));
        check_close(v3_norm(v3_sub(u, wanted)) / v3_norm(wanted), 0.0, 0.0, 1e-12);
    }
}

#define SURE 2.0 /* [rad] */

/* Of any step: where the search says that it found u, the equation holds, and so u.I u = u.aim. It finds u for bodies that turn by
 * less than SURE in the step; beyond, it may give up. */
TEST(the_equation_holds_where_a_rate_is_found) {
    draw d = {check_seed(), 2, 0};
    for (int i = 0; i < 2000; i++) {
        const double y = 0.3 + draw_in(&d, 0.0, 1.0), z = 0.3 + draw_in(&d, 0.0, 1.0);
        const double x =
            fabs(y - z) + (y + z - fabs(y - z)) * draw_in(&d, 0.0, 1.0); /* obeys the triangle inequality */
        const tru_mat3 inertia = drawn_inertia(&d, v3(x + 0.01, y, z));
        const tru_vec3 aim = draw_vec(&d);
        const double h = 30.0 * draw_in(&d, 0.0, 1.0);
        tru_mat3 inverse = m3_identity();
        check(m3_inverse(inertia, &inverse));
        tru_vec3 u = m3_apply(inverse, aim);
        const bool sure = h * v3_norm(u) < SURE, found = trui_gyro_search(&inertia, aim, h, &u);
        check(found || !sure);
        if (!found) continue;
        check_close(v3_norm(miss(inertia, aim, h, u)) / v3_norm(aim), 0.0, 0.0, 1e-11);
        check_close(v3_dot(u, m3_apply(inertia, u)), v3_dot(u, aim), 1e-10, 0.0);
    }
}
