/* Stepper track: what rolls keeps rolling, what turns freely keeps energy and momentum, over ranges of size, step and speed. */
#include "check.h"
#include "worlds.h"

#include "math/quat.h"
#include "draw.h"

#include <trundle/plugin.h>

static tru_world *empty_world(tru_vec3 gravity, const tru_use *laws, double restitution) {
    tru_world *w = kit_create_world(gravity);
    kit_set_pair(w, TRU_NONE, TRU_NONE, laws, 1, restitution);
    return w;
}

static tru_id add_body(tru_world *w, int kind, const char *shape, const void *params, const tru_body_state *at) {
    return kit_add_body(w, {.kind = kind,
                            .shape = {shape, params},
                            .density = 1000.0,
                            .position = at->position,
                            .orientation = at->orientation,
                            .velocity = at->velocity,
                            .angular_velocity = at->angular_velocity});
}

static const tru_body_state still = {.orientation = {1.0, 0.0, 0.0, 0.0}};

/* ---- rolling stays rolling ---- */

/* [-] Largest slip in parts of the speed: a ball that rolls without slip on a plane, any radius, turn per step and speed. */
static double ball_slip(double radius, double turn, double speed, int choice) {
    tru_error err;
    tru_track_law law = tru_default_track_law();
    tru_track t = tru_default_track();
    law.slide = 0.3;
    const tru_use use = {"track", &law};
    const double h = turn * radius / speed, g = 0.01 * radius / (h * h);
    tru_world *w = empty_world(v3(0, 0, -g), &use, 0.0);
    tru_body_state at = still;
    add_body(w, TRU_FIXED, "plane", NULL, &at);
    const tru_sphere sphere = {radius};
    const double angle = 0.3 + choice;
    at.position.z = radius;
    at.velocity = v3(speed * cos(angle), speed * sin(angle), 0);
    at.angular_velocity = v3_scale(1.0 / radius, v3_cross(v3(0, 0, 1), at.velocity));
    const tru_id ball = add_body(w, TRU_FREE, "sphere", &sphere, &at);
    tru_body_info info;
    MUST(tru_body_describe(w, ball, &info, &err));
    t.step = h;
    if (choice % 2) { /* a spring of its own, else that of the step */
        t.stiffness = 0.05 * info.mass / (h * h);
        t.allow_unstable = true; /* for the normal dashpot */
    }
    if (choice % 3 == 2) {
        t.normal = TRU_PRESCRIBED;
        t.normal_force = info.mass * g;
    }
    MUST(tru_stepper_set(w, "track", &t, &err));
    double worst = 0.0;
    for (int i = 0; i < 100; i++) {
        MUST(tru_run(w, 10, &err));
        const tru_body_state s = kit_get_state(w, ball);
        const tru_vec3 slip = v3_sub(s.velocity, v3_scale(radius, v3_cross(s.angular_velocity, v3(0, 0, 1))));
        worst = fmax(worst, hypot(slip.x, slip.y) / speed);
    }
    tru_world_destroy(w);
    return worst;
}

TEST(a_ball_that_rolls_stays_rolling) {
    draw d = {check_seed(), 1, 0};
    double worst = 0.0;
    for (int i = 0; i < 120; i++) {
        const double radius = draw_log(&d, 1e-4, 1e2), turn = draw_log(&d, 1e-3, 0.5), speed = draw_log(&d, 1e-3, 1e2);
        const double slip = ball_slip(radius, turn, speed, i % 6);
        if (!check(slip < 1e-10)) printf("R %.3g m, %.3g rad per step, %.3g m/s: %.3g\n", radius, turn, speed, slip);
        worst = fmax(worst, slip);
    }
    printf("largest slip: %.2g of the speed\n", worst);
}

/* ---- free rotation ---- */

static double energy_of(const tru_world *w, tru_id id, tru_vec3 *momentum) {
    tru_error err;
    tru_body_info info;
    MUST(tru_body_describe(w, id, &info, &err));
    const tru_body_state s = kit_get_state(w, id);
    const tru_vec3 rate = quat_unrotate(s.orientation, s.angular_velocity), spin = v3_mul(info.inertia, rate);
    *momentum = quat_rotate(s.orientation, spin);
    return 0.5 * v3_dot(rate, spin);
}

/* A body without contact, gravity and torque: energy and angular momentum stay to round-off for any step up to 1 rad. The band:
 * every step rounds attitude and rates, which multiplies by the ratio of the moments of inertia (up to 300 here). */
TEST(free_rotation_keeps_energy_and_momentum) {
    draw d = {check_seed(), 2, 0};
    double worst[2] = {0.0, 0.0};
    for (int i = 0; i < 60; i++) {
        tru_error err;
        tru_coulomb law = tru_default_coulomb();
        law.slide = 0.3;
        const tru_use use = {"coulomb", &law};
        tru_world *w = empty_world(v3_zero(), &use, 0.0);
        const double size = draw_log(&d, 1e-4, 1e2), h = draw_log(&d, 1e-7, 1e-2), turn = draw_log(&d, 1e-3, 1.0);
        const tru_box box = {v3(size * draw_log(&d, 0.05, 1.0), size * draw_log(&d, 0.05, 1.0), size)};
        const tru_ellipsoid egg = {v3_scale(0.5, box.size)};
        tru_body_state at = still;
        at.orientation = tru_random_attitude(d.seed, d.id, d.index++);
        at.angular_velocity = v3_scale(turn / h, draw_unit(&d));
        const tru_id id =
            i % 2 ? add_body(w, TRU_FREE, "box", &box, &at) : add_body(w, TRU_FREE, "ellipsoid", &egg, &at);
        tru_track t = tru_default_track();
        t.step = h;
        MUST(tru_stepper_set(w, "track", &t, &err));
        tru_vec3 spin, begun;
        const double start = energy_of(w, id, &begun);
        double band[2] = {0.0, 0.0};
        const int steps = i < 4 ? 100000 : 4000;
        for (int k = 0; k < 50; k++) {
            MUST(tru_run(w, (uint64_t)steps / 50, &err));
            band[0] = fmax(band[0], fabs(energy_of(w, id, &spin) / start - 1.0));
            band[1] = fmax(band[1], v3_norm(v3_sub(spin, begun)) / v3_norm(begun));
        }
        if (!check(band[0] < 1e-10 && band[1] < 1e-10))
            printf("%s %.3g x %.3g x %.3g m, %.3g rad per step: energy %.3g, momentum %.3g\n",
                   i % 2 ? "box" : "ellipsoid", box.size.x, box.size.y, box.size.z, turn, band[0], band[1]);
        for (int k = 0; k < 2; k++) worst[k] = fmax(worst[k], band[k]);
        tru_world_destroy(w);
    }
    printf("energy within %.2g, angular momentum within %.2g\n", worst[0], worst[1]);
}

/* Turns of 1 to 1e6 rad in a step: energy and angular momentum stay, or the step fails with a sentence and changes nothing. The
 * step that the sentence names does. */
TEST(turns_too_large_to_follow_fail) {
    draw d = {check_seed(), 3, 0};
    int ran = 0, failed = 0;
    for (int i = 0; i < 60; i++) {
        tru_error err;
        tru_coulomb law = tru_default_coulomb();
        law.slide = 0.3;
        const tru_use use = {"coulomb", &law};
        const double size = draw_log(&d, 1e-4, 1e2), h = draw_log(&d, 1e-7, 1e-2), turn = draw_log(&d, 1.0, 1e6);
        const tru_box box = {v3(size * draw_log(&d, 0.05, 1.0), size * draw_log(&d, 0.05, 1.0), size)};
        tru_world *w = empty_world(v3_zero(), &use, 0.0);
        tru_body_state at = still;
        at.angular_velocity = v3_scale(turn / h, draw_unit(&d));
        const tru_id id = add_body(w, TRU_FREE, "box", &box, &at);
        tru_track t = tru_default_track();
        t.step = h;
        MUST(tru_stepper_set(w, "track", &t, &err));
        tru_vec3 spin, begun;
        const double start = energy_of(w, id, &begun);
        const uint64_t hash = tru_state_hash(w);
        const tru_status status = tru_run(w, 1, &err);
        check(fabs(energy_of(w, id, &spin) / start - 1.0) < 1e-9 &&
              v3_norm(v3_sub(spin, begun)) < 1e-9 * v3_norm(begun));
        *(status < 0 ? &failed : &ran) += 1;
        if (status < 0) {
            const char *said = strstr(err.text, "; steps of ");
            check(tru_state_hash(w) == hash);
            if (check(said != NULL)) t.step = strtod(said + strlen("; steps of "), NULL);
            MUST(tru_stepper_set(w, "track", &t, &err));
            check(tru_run(w, 1, &err) >= 0);
        }
        tru_world_destroy(w);
    }
    check(ran > 5 && failed > 5);
    printf("%d ran, %d failed\n", ran, failed);
}

/* [rad] How far the attitude of a free box is from that of a fine run after one second. */
static double attitude_error(double h) {
    tru_error err;
    tru_coulomb law = tru_default_coulomb();
    law.slide = 0.3;
    const tru_use use = {"coulomb", &law};
    tru_body_state at = still, end[2];
    at.angular_velocity = v3(3.0, 5.0, 1.0);
    for (int k = 0; k < 2; k++) {
        const double step = k ? h : 1e-5;
        const tru_box box = {v3(0.1, 0.3, 0.6)};
        tru_world *w = empty_world(v3_zero(), &use, 0.0);
        const tru_id id = add_body(w, TRU_FREE, "box", &box, &at);
        tru_moreau m = tru_default_moreau();
        tru_track t = tru_default_track();
        m.step = t.step = step;
        MUST(tru_stepper_set(w, k ? "track" : "moreau", k ? (const void *)&t : &m, &err));
        MUST(tru_run(w, (uint64_t)(1.0 / step + 0.5), &err));
        end[k] = kit_get_state(w, id);
        tru_world_destroy(w);
    }
    return v3_norm(quat_log(quat_mul(quat_conj(end[0].orientation), end[1].orientation)));
}

/* The free motion itself is second order, against moreau with a fine step. */
TEST(free_rotation_is_second_order) {
    const double e[3] = {attitude_error(1e-2), attitude_error(5e-3), attitude_error(2.5e-3)};
    printf("attitude after 1 s: off by %.3g, %.3g, %.3g rad\n", e[0], e[1], e[2]);
    for (int k = 0; k < 2; k++) check_close(log2(e[k] / e[k + 1]), 2.0, 0.0, 0.1);
}
