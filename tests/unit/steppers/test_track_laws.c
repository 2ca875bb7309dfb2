/* Laws that users compare law track with, under stepper track: a constant torque trembles for ever; springs stretched by rates
 * keep within their limits, come to rest and roll straight. */
#include "check.h"
#include "worlds.h"

#include <trundle/plugin.h>

/* A ball or disk of 5 kg and 0.2 m on the plane z = 0, gravity tilted about y by `tilt` [rad]; I [kg m^2]. */
static tru_world *wheel(const tru_use *laws, size_t count, double tilt, double inertia, tru_vec3 v, tru_vec3 rate,
                        double h) {
    tru_error err;
    tru_shape_def plane = tru_default_shape_def(), round = tru_default_shape_def();
    tru_body_def ground = tru_default_body_def(), b = tru_default_body_def();
    const tru_sphere sphere = {0.2};
    tru_world *w = kit_create_world((tru_vec3){-9.8 * sin(tilt), 0.0, -9.8 * cos(tilt)});
    kit_set_pair(w, TRU_NONE, TRU_NONE, laws, count, 0.0);
    plane.shape.name = "plane";
    ground.kind = TRU_FIXED;
    ground.shapes = &plane;
    ground.shape_count = 1;
    MUST(tru_body_add(w, &ground, NULL, &err));
    round.shape = (tru_use){"sphere", &sphere};
    b.name = "wheel";
    b.mass = 5.0;
    b.inertia = (tru_vec3){inertia, inertia, inertia};
    b.position = (tru_vec3){0.0, 0.0, 0.2};
    b.velocity = v;
    b.angular_velocity = rate;
    b.shapes = &round;
    b.shape_count = 1;
    MUST(tru_body_add(w, &b, NULL, &err));
    tru_track t = tru_default_track();
    t.step = h;
    t.stiffness = 1e5;
    t.dashpot = TRU_DASHPOT_FREE; /* as published */
    t.normal = TRU_PRESCRIBED;
    t.normal_force = 5.0 * 9.8 * cos(tilt);
    MUST(tru_stepper_set(w, "track", &t, &err));
    return w;
}

static tru_body_state state_of(const tru_world *w) {
    tru_error err;
    tru_body_state s;
    MUST(tru_body_get(w, tru_body_find(w, "wheel"), &s, &err));
    return s;
}

static tru_contact_info contact_of(const tru_world *w) {
    tru_error err;
    tru_contact_info c;
    MUST(tru_contact_get(w, 0, &c, &err));
    return c;
}

/* [FN20 4.2] M = -mu_r N R sign(w), mu_r = 0.1: after the stop the couple is +-0.98 N m and turns round in every step; the
 * rate swings by mu_r N R h / I where nothing else holds it. */
TEST(a_constant_torque_trembles_for_ever) {
    tru_error err;
    tru_constant_torque torque = tru_default_constant_torque();
    torque.roll.length = 0.1 * 0.2;
    const tru_use law = {"constant_torque", &torque};
    tru_world *w = wheel(&law, 1, 0.0, 0.1, (tru_vec3){0, 0, 0}, (tru_vec3){0.0, 1.0, 0.0}, 1e-4);
    MUST(tru_run(w, 2000, &err)); /* it stops after I w / T = 0.102 s */
    int turns = 0;
    double last = state_of(w).angular_velocity.y, most = 0.0;
    for (int i = 0; i < 1000; i++) {
        MUST(tru_run(w, 1, &err));
        const double rate = state_of(w).angular_velocity.y, couple = contact_of(w).impulse[TRU_ROW_ROLL2] / 1e-4;
        turns += rate * last < 0.0;
        most = fmax(most, fabs(rate));
        check_close(fabs(couple), 0.98, 1e-12, 0.0);
        last = rate;
    }
    printf("constant torque: %d turns in 1000 steps, rate up to %.3g rad/s\n", turns, most);
    check(turns == 1000);
    check(most <= 0.98 * 1e-4 / 0.1 * (1.0 + 1e-9) && most >= 0.5 * 0.98 * 1e-4 / 0.1 * (1.0 - 1e-9));
    tru_world_destroy(w);
}

static tru_luding soft(double roll) {
    tru_luding l = tru_default_luding();
    l.slide = 0.2;
    l.slide_static = 0.25;
    l.roll.length = roll;
    return l;
}

/* Spring and dashpot together never exceed the static limit, from the first step of a contact that slides at 0.5 m/s on; the
 * dashpot of law track alone is 58 times as large there. */
TEST(rates_keep_within_the_limit) {
    tru_error err;
    const tru_luding l = soft(0.01);
    tru_track_law t = tru_default_track_law();
    t.slide = 0.2;
    t.slide_static = 0.25;
    t.roll.length = 0.01;
    const tru_use laws[2] = {{"luding", &l}, {"track", &t}};
    double most[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        tru_world *w = wheel(&laws[k], 1, 0.0, 0.08, (tru_vec3){0.5, 0.0, 0.0}, (tru_vec3){0, 0, 0}, 1e-4);
        double early = 0.0;
        for (int i = 0; i < 5000; i++) {
            MUST(tru_run(w, 1, &err));
            if (i == 3999) early = state_of(w).velocity.x;
            const double *p = contact_of(w).impulse;
            most[k] = fmax(most[k], hypot(p[1], p[2]) / 1e-4);
            if (k == 0) check(hypot(p[4], p[5]) <= 1e-4 * 0.01 * 49.0 * (1.0 + 1e-12));
        }
        const tru_body_state end = state_of(w);
        check_close(end.angular_velocity.y, end.velocity.x / 0.2, 1e-3, 0.0); /* it rolls, and T = 0.01 N slows it: */
        check_close((end.velocity.x - early) / 0.1, -0.49 / (0.08 / 0.2 + 5.0 * 0.2), 1e-5, 0.0);
        tru_world_destroy(w);
    }
    printf("largest friction force: luding %.4g N, track %.4g N; static limit 12.25 N\n", most[0], most[1]);
    check(most[0] <= 12.25 * (1.0 + 1e-12) && most[1] > 500.0);
}

/* It holds a ball on a slope at true rest, where the constant torque trembles: mu_r R >= R tan(tilt). */
TEST(rates_come_to_rest_on_a_slope) {
    tru_error err;
    const double tilt = 3.0 * 3.14159265358979323846 / 180.0;
    const tru_luding l = soft(0.02);
    const tru_use law = {"luding", &l};
    tru_world *w = wheel(&law, 1, tilt, 0.08, (tru_vec3){0.1, 0.0, 0.0}, (tru_vec3){0, 0, 0}, 1e-4);
    MUST(tru_run(w, 60000, &err));
    double fastest = 0.0;
    for (int i = 0; i < 1000; i++) {
        MUST(tru_run(w, 1, &err));
        const tru_body_state s = state_of(w);
        fastest = fmax(fastest, hypot(s.velocity.x, s.velocity.y) + 0.2 * fabs(s.angular_velocity.y));
    }
    printf("luding at rest on 3 degrees: %.2g m/s\n", fastest);
    check(fastest < 1e-12);
    const double *p = contact_of(w).impulse;
    check_close(hypot(p[1], p[2]) / 1e-4, 5.0 * 9.8 * sin(tilt), 1e-9, 0.0);
    check_close(hypot(p[4], p[5]) / 1e-4, 0.2 * 5.0 * 9.8 * sin(tilt), 1e-9, 0.0);
    tru_world_destroy(w);
}

/* A ball that rolls at 1 m/s and spins at 10 rad/s should go straight: [m] sideways after 2 s. */
static double drift_of(const tru_use *law, double h) {
    tru_error err;
    tru_world *w = wheel(law, 1, 0.0, 0.08, (tru_vec3){1.0, 0.0, 0.0}, (tru_vec3){0.0, 5.0, 10.0}, h);
    MUST(tru_run(w, (uint64_t)(2.0 / h + 0.5), &err));
    const double y = state_of(w).position.y;
    tru_world_destroy(w);
    return y;
}

TEST(both_go_straight) {
    const tru_luding l = soft(0.0);
    tru_track_law t = tru_default_track_law();
    t.slide = 0.2;
    t.slide_static = 0.25;
    const tru_use rates = {"luding", &l}, places = {"track", &t};
    const double a = drift_of(&rates, 1e-4), b = drift_of(&places, 1e-4);
    printf("drift after 2 s: luding %.2g m, track %.2g m\n", a, b);
    check(fabs(a) < 1e-11 && fabs(b) < 1e-11);
}
