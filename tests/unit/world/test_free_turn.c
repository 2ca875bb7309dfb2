/* test_free_turn.c: torque-free rotation: what it conserves, the closed form of a symmetric body, and its order. */
#include "check.h"

#include "draw.h"
#include "world/rotation/free_turn.h"

typedef struct turning {
    body b;
    body_tensors tensors;
} turning;

/* A body with these principal moments, any attitude, and |w| of about 1 rad/s. */
static void begin(turning *t, draw *d, tru_vec3 moments) {
    *t = (turning){.b = {.kind = TRU_FREE, .diagonal = true, .w = draw_vec(d)}};
    t->b.q = quat_exp(v3_scale(2.0, draw_vec(d)));
    t->tensors = (body_tensors){m3_diag(moments), m3_diag(v3(1.0 / moments.x, 1.0 / moments.y, 1.0 / moments.z))};
    t->b.tensors = &t->tensors;
}

static tru_mat3 inertia_of(const turning *t) { return body_turned(&t->b, t->tensors.inertia); }
static tru_vec3 momentum_of(const turning *t) { return m3_apply(inertia_of(t), t->b.w); }
static double turn(turning *t, double h) { return trui_free_turn(&t->b, inertia_of(t), h); }

/* Three moments between 0.3 and 2.3 that obey the triangle inequality. */
static tru_vec3 draw_moments(draw *d) {
    const double a = draw_in(d, 0.15, 1.0), b = draw_in(d, 0.15, 1.0), c = draw_in(d, 0.15, 1.0);
    return v3(b + c, a + c, a + b);
}

/* Also in steps of several turns, which are done in parts. */
TEST(energy_and_momentum_stay) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 1000; i++) {
        turning t;
        begin(&t, &d, draw_moments(&d));
        const tru_vec3 momentum = momentum_of(&t);
        const double energy = 0.5 * v3_dot(momentum, t.b.w);
        const double gained = turn(&t, draw_in(&d, 0.0, 10.0));
        check_close(fabs(gained) / energy, 0.0, 0.0, 1e-13);
        check_close(v3_norm(v3_sub(momentum_of(&t), momentum)) / v3_norm(momentum), 0.0, 0.0, 1e-13);
        check_close(0.5 * v3_dot(momentum_of(&t), t.b.w), energy, 1e-13, 0.0);
    }
}

/* A symmetric body precesses: its axis turns about the momentum L at |L|/A, whatever C is. */
static double precession_error(double h, int steps) {
    draw d = {7, 2, 0};
    turning t;
    begin(&t, &d, v3(1.0, 1.0, 1.6));
    const tru_vec3 momentum = momentum_of(&t), axis = quat_rotate(t.b.q, v3(0.0, 0.0, 1.0));
    for (int i = 0; i < steps; i++) turn(&t, h);
    const tru_vec3 wanted = quat_rotate(quat_exp(v3_scale(h * steps, momentum)), axis); /* A is 1 */
    return v3_norm(v3_sub(quat_rotate(t.b.q, v3(0.0, 0.0, 1.0)), wanted));
}

TEST(a_symmetric_body_precesses_to_second_order) {
    const double coarse = precession_error(0.04, 50), fine = precession_error(0.02, 100);
    check(coarse > 1e-6); /* otherwise the ratio is one of round-off */
    check_close(coarse / fine, 4.0, 0.0, 0.1);
}

/* About a principal axis the rotation is exact. */
TEST(a_principal_axis_is_kept) {
    for (int k = 0; k < 3; k++) {
        turning t;
        draw d = {check_seed(), 3, 0};
        begin(&t, &d, v3(1.0, 1.4, 1.9));
        const tru_quat q = t.b.q;
        const tru_vec3 axis = m3_column(quat_to_matrix(q), k);
        t.b.w = v3_scale(0.7, axis);
        turn(&t, 1.3);
        check_close(v3_norm(v3_sub(t.b.w, v3_scale(0.7, axis))), 0.0, 0.0, 1e-14);
        const tru_quat wanted = quat_mul(quat_exp(v3_scale(0.7 * 1.3, axis)), q);
        check_close(fabs(t.b.q.w * wanted.w + t.b.q.x * wanted.x + t.b.q.y * wanted.y + t.b.q.z * wanted.z), 1.0, 0.0,
                    1e-14);
    }
}

/* More than 1024 parts of 3 rad: the body is as it was. */
TEST(a_rotation_that_is_too_large_changes_nothing) {
    draw d = {check_seed(), 4, 0};
    turning t;
    begin(&t, &d, v3(1.0, 1.4, 1.9));
    const body before = t.b;
    check(isnan(turn(&t, 1e6)));
    check(memcmp(&before, &t.b, sizeof before) == 0);
}
