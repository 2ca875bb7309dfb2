/* test_step_event_view.c: the view of stepper event: units, round trip of the state, geometry, response and guide of a contact. */
#include "check.h"
#include "worlds.h"
#include "draw.h"

#include "math/elementary/bits.h"
#include "detect/find_contacts.h"
#include "math/quat.h"
#include "steppers/event/step_event_view.h"

/* An ellipsoid above a plane, at a random pose and velocity. */
static tru_world *world_of(draw *d, tru_vec3 level) {
    tru_error err;
    tru_coulomb coulomb = tru_default_coulomb();
    coulomb.slide = 0.3;
    const tru_use law = {"coulomb", &coulomb};
    tru_world *w = kit_create_floor(&law, 1, 0.25);
    const tru_ellipsoid shape = {{0.3, 0.2, 0.11}};
    tru_shape_def s = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    s.shape = (tru_use){"ellipsoid", &shape};
    s.density = 700.0;
    b.shapes = &s;
    b.shape_count = 1;
    b.position = v3(0.4, -0.2, 0.9);
    b.orientation = tru_random_attitude(d->seed, d->id, d->index++);
    b.velocity = draw_vec(d);
    b.angular_velocity = v3_scale(3.0, draw_vec(d));
    b.level = level;
    MUST(tru_body_add(w, &b, NULL, &err));
    check(trui_world_fill_pairs(w));
    trui_pose_solids(w);
    return w;
}

static bool is_power_of_two(double x) { return x > 0.0 && x == bits_power(bits_exponent(x)); }

/* Units are powers of two, so a state goes in and out to the bit. */
TEST(round_trip) {
    draw d = {check_seed(), 1, 0};
    for (int round = 0; round < 20; round++) {
        tru_world *w = world_of(&d, v3_zero());
        const event_view v = trui_event_view_of(w, 1e-3);
        check(is_power_of_two(v.length) && is_power_of_two(v.time) && is_power_of_two(v.mass));
        const body before = *v.b;
        const event_state s = trui_event_state_of(&v);
        trui_event_write(&v, &s);
        check(memcmp(&before.x, &v.b->x, sizeof before.x) == 0 && memcmp(&before.q, &v.b->q, sizeof before.q) == 0);
        check(memcmp(&before.v, &v.b->v, sizeof before.v) == 0 && memcmp(&before.w, &v.b->w, sizeof before.w) == 0);
        tru_world_destroy(w);
    }
}

/* The lowest point of an ellipsoid x^T A^-2 x = 1 lies sqrt(n.R A^2 R^T n) below its centre. */
TEST(lowest_point) {
    draw d = {check_seed(), 2, 0};
    for (int round = 0; round < 20; round++) {
        tru_world *w = world_of(&d, v3_zero());
        event_view v = trui_event_view_of(w, 1e-3);
        const event_state s = trui_event_state_of(&v);
        const tru_vec3 n = quat_unrotate(s.q, v3(0.0, 0.0, 1.0));
        const double deep = sqrt(0.09 * n.x * n.x + 0.04 * n.y * n.y + 0.0121 * n.z * n.z);
        int touching = -1;
        const event_touch at = trui_event_lowest(&v, s.q, s.x, &touching);
        check_close(at.gap * v.length, v.b->x.z - deep, 1e-12, 1e-13);
        check_status(touching, 0);
        trui_event_set_contact(&v, &at);
        check_close(v.restitution, 0.25, 0.0, 0.0);
        check(trui_event_lowest(&v, s.q, s.x, &touching).gap == DBL_MAX); /* there is no other */
        tru_world_destroy(w);
    }
}

/* The response G of the contact point is what a unit force does to it: 1/m and the torque about the centre through J^-1. */
TEST(response_of_the_point) {
    draw d = {check_seed(), 3, 0};
    for (int round = 0; round < 20; round++) {
        tru_world *w = world_of(&d, v3_zero());
        event_view v = trui_event_view_of(w, 1e-3);
        const event_state s = trui_event_state_of(&v);
        const event_touch at = trui_event_lowest(&v, s.q, s.x, NULL);
        event_dynamics dyn;
        trui_event_set_contact(&v, &at);
        trui_event_dynamics_at(&v, s.q, m3_apply(v.axes, s.w), 0.0, &dyn);
        const tru_mat3 r = quat_to_matrix(s.q);
        double worst = 0.0;
        for (int k = 0; k < 3; k++) {
            const tru_vec3 force = m3_row(v.axes, k), arm = v3_neg(m3_apply_t(v.axes, dyn.arm)); /* from the centre */
            const tru_vec3 turned = m3_apply(r, m3_apply(v.inverse, m3_apply_t(r, v3_cross(arm, force))));
            const tru_vec3 moved = v3_add(v3_scale(v.inv_mass, force), v3_cross(turned, arm));
            for (int i = 0; i < 3; i++)
                worst = fmax(worst, fabs(v3_dot(m3_row(v.axes, i), moved) - dyn.problem.response.m[i][k]));
        }
        check(worst < 1e-12);
        tru_world_destroy(w);
    }
}

/* With a guide, angular accelerations keep the axis level: d/dt (c . w) = 0 for c = k x z. */
TEST(guide) {
    draw d = {check_seed(), 4, 0};
    tru_world *w = world_of(&d, v3(0.0, 2.0, 0.0));
    const event_view v = trui_event_view_of(w, 1e-3);
    check(v.guided);
    check_close(v3_norm(v.level), 1.0, 1e-15, 0.0);
    const tru_mat3 r = quat_to_matrix(v.b->q);
    const tru_vec3 wb = draw_vec(&d), z = m3_row(r, 2), rate = draw_vec(&d);
    const event_guide g = trui_event_guide_at(&v, &r, wb);
    const tru_vec3 left = event_guided(&g, g.asked, rate);
    const tru_vec3 c = v3_cross(v.level, z),
                   c_rate = v3_cross(v3_cross(wb, v.level), z); /* body axes: z turns by -wb */
    check_close(v3_dot(c, left) + v3_dot(c_rate, wb), 0.0, 0.0, 1e-14);
    tru_world_destroy(w);
}

/* The next knot of any load, in the view's time; `end` if there is none before. */
TEST(knots) {
    draw d = {check_seed(), 5, 0};
    tru_error err;
    tru_world *w = world_of(&d, v3_zero());
    const tru_knot knots[] = {{0.25, 0.0}, {0.5, 1.0}};
    tru_load_def push = tru_default_load_def();
    push.body = tru_body_at(w, 1);
    push.force = v3(1.0, 0.0, 0.0);
    push.knots = knots;
    push.knot_count = 2;
    MUST(tru_load_add(w, &push, NULL, &err));
    const event_view v = trui_event_view_of(w, 1e-3);
    check_close(trui_event_next_knot(&v, 0.0, 9.0) * v.time, 0.25, 0.0, 0.0);
    check_close(trui_event_next_knot(&v, 0.25 / v.time, 9.0) * v.time, 0.5, 0.0, 0.0);
    check_close(trui_event_next_knot(&v, 0.5 / v.time, 9.0), 9.0, 0.0, 0.0);
    tru_world_destroy(w);
}
