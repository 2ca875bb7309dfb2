/* test_bodies.c: several bodies and contacts, impacts, loads, driven bodies, static friction, against elementary
 * mechanics. */
#define _GNU_SOURCE
#include "check.h"
#include "draw.h"
#include "worlds.h"

#include "math/vec.h"

#define G 9.81
static const char *const scheme_names[] = {"midpoint", "paper"};

/* A world without a floor. */
static tru_world *empty_world(tru_vec3 gravity, const tru_use *laws, size_t law_count, double restitution) {
    tru_world *w = kit_create_world(gravity);
    kit_set_pair(w, TRU_NONE, TRU_NONE, laws, law_count, restitution);
    return w;
}

static tru_id add(tru_world *w, const char *shape, const void *params, int kind, double mass, tru_vec3 x, tru_vec3 v) {
    return kit_add_body(w, {.kind = kind, .shape = {shape, params}, .mass = mass, .position = x, .velocity = v});
}

static tru_id add_ball(tru_world *w, double radius, double mass, tru_vec3 x, tru_vec3 v) {
    const tru_sphere s = {radius};
    return add(w, "sphere", &s, TRU_FREE, mass, x, v);
}

static tru_id add_box(tru_world *w, tru_vec3 size, double mass, tru_vec3 x, tru_vec3 v) {
    const tru_box s = {size};
    return add(w, "box", &s, TRU_FREE, mass, x, v);
}

static tru_use dry(tru_coulomb *c, double slide) {
    *c = tru_default_coulomb();
    c->slide = slide;
    return (tru_use){"coulomb", c};
}

/* ---- impacts ---- */

/* Two balls on one line: momentum to round-off, velocities by Newton's law, the loss where it belongs. */
TEST(two_balls_collide) {
    tru_error err;
    const double m1 = 1.0, m2 = 2.5, v1 = 2.0, v2 = -0.5;
    for (int scheme = 0; scheme < 2; scheme++)
        for (int i = 0; i <= 4; i++) {
            const double e = 0.25 * i, loss = 0.5 * m1 * m2 / (m1 + m2) * (1.0 - e * e) * (v1 - v2) * (v1 - v2);
            tru_world *w = empty_world(v3_zero(), NULL, 0, e);
            const tru_id a = add_ball(w, 0.1, m1, v3(0, 0, 0), v3(v1, 0, 0));
            const tru_id b = add_ball(w, 0.15, m2, v3(0.5, 0, 0), v3(v2, 0, 0));
            kit_set_moreau(w, 1e-3, scheme);
            MUST(tru_run(w, 400, &err));
            const double u1 = kit_get_state(w, a).velocity.x, u2 = kit_get_state(w, b).velocity.x;
            const double common = (m1 * v1 + m2 * v2) / (m1 + m2);
            check_close(m1 * u1 + m2 * u2, m1 * v1 + m2 * v2, 1e-14, 0.0);
            check_close(u1, common - m2 / (m1 + m2) * e * (v1 - v2), 1e-12, 1e-13);
            check_close(u2, common + m1 / (m1 + m2) * e * (v1 - v2), 1e-12, 1e-13);
            check_close(tru_world_ledger(w).impact, loss, 1e-12, 1e-14);
            tru_world_destroy(w);
        }
}

/* Off the line of centres, without friction: what is along the line changes, what is across stays; spins stay. */
TEST(balls_collide_obliquely) {
    tru_error err;
    tru_world *w = empty_world(v3_zero(), NULL, 0, 1.0);
    const tru_id a = add_ball(w, 0.1, 1.0, v3(0, 0, 0), v3(2.0, 0, 0));
    const tru_id b = add_ball(w, 0.1, 1.0, v3(0.5, 0.1, 0), v3_zero());
    kit_set_moreau(w, 1e-5, TRU_MIDPOINT);
    MUST(tru_run(w, 30000, &err));
    /* centres 0.2 m apart with 0.1 m between their lines: the line of centres is at 30 degrees */
    const tru_vec3 u = kit_get_state(w, a).velocity, v = kit_get_state(w, b).velocity;
    check_close(v.x, 2.0 * 0.75, 1e-3, 0.0); /* the contact is found within a step: 2e-5 m of 0.1 m */
    check_close(v.y, 2.0 * sqrt(3.0) / 4.0, 1e-3, 0.0);
    check_close(v3_norm2(u) + v3_norm2(v), 4.0, 1e-13, 0.0);
    check_close(u.x + v.x, 2.0, 1e-14, 0.0);
    check_close(u.y + v.y, 0.0, 0.0, 1e-14);
    check_close(v3_dot(u, v), 0.0, 0.0, 1e-12); /* equal masses part at a right angle */
    tru_world_destroy(w);
}

/* Peaks of a bouncing ball fall by e^2; a contact is found within a step, so peaks are off by a few v h. */
TEST(bounce_heights) {
    tru_error err;
    const double e = 0.8, drop = 1.0, step = 1e-4;
    for (int scheme = 0; scheme < 2; scheme++) {
        tru_world *w = kit_create_floor(NULL, 0, e);
        const tru_id ball = kit_add_ball(w, 0.1, 1.0, v3_zero(), v3_zero());
        tru_body_state s = kit_get_state(w, ball);
        s.position.z = 0.1 + drop;
        MUST(tru_body_set(w, ball, &s, &err));
        kit_set_moreau(w, step, scheme);
        double before = 0.0, expected = drop;
        int peaks = 0;
        for (int i = 0; i < 35000 && peaks < 5; i++) {
            MUST(tru_run(w, 1, &err));
            s = kit_get_state(w, ball);
            if (before > 0.0 && s.velocity.z <= 0.0) {
                expected *= e * e;
                check_close(s.position.z - 0.1, expected, 0.0, 4.0 * (peaks + 1) * step * sqrt(2.0 * G * drop));
                peaks++;
            }
            before = s.velocity.z;
        }
        check(peaks == 5);
        tru_world_destroy(w);
    }
}

/* Every corner of a box that lands flat bounces: it stays level. */
TEST(box_lands_level) {
    tru_error err;
    for (int scheme = 0; scheme < 2; scheme++) {
        tru_world *w = kit_create_floor(NULL, 0, 0.5);
        const tru_id box = add_box(w, v3(0.2, 0.3, 0.1), 1.0, v3(0, 0, 0.25), v3_zero());
        kit_set_moreau(w, 1e-3, scheme);
        MUST(tru_run(w, 205, &err)); /* 0.2 m take 0.2019 s */
        const tru_body_state s = kit_get_state(w, box);
        check_close(s.velocity.z, 0.5 * sqrt(2.0 * G * 0.2), 3e-2, 0.0);
        check_close(v3_norm(s.angular_velocity), 0.0, 0.0, 1e-12);
        tru_world_destroy(w);
    }
}

/* ---- resting and sliding on several contacts ---- */

/* A ball on two balls on the floor: pressing W/2 on each, held by friction tan(half the angle) of it. */
TEST(ball_on_two_balls) {
    tru_error err;
    const double r = 0.1, half = 0.102, mass = 1.0;
    const double angle = asin(half / (2.0 * r)); /* of the line of centres from the vertical */
    for (int scheme = 0; scheme < 2; scheme++) {
        tru_coulomb c;
        const tru_use law = dry(&c, 0.5);
        tru_world *w = kit_create_floor(&law, 1, 0.0);
        add_ball(w, r, mass, v3(-half, 0, r), v3_zero());
        add_ball(w, r, mass, v3(half, 0, r), v3_zero());
        add_ball(w, r, mass, v3(0, 0, r + 2.0 * r * cos(angle)), v3_zero());
        kit_set_moreau(w, 1e-3, scheme);
        MUST(tru_run(w, 300, &err));
        for (tru_id id = 2; id <= 4; id++) check(v3_norm(kit_get_state(w, id).velocity) < 1e-12);
        check_status((long long)tru_contact_count(w), 4);
        for (size_t k = 0; k < tru_contact_count(w); k++) {
            tru_contact_info i;
            MUST(tru_contact_get(w, k, &i, &err));
            const double weight = mass * G * 1e-3, slide = hypot(i.impulse[1], i.impulse[2]);
            check_close(i.impulse[0], i.body_b == 1 ? 1.5 * weight : 0.5 * weight, 1e-9, 0.0);
            check_close(slide, 0.5 * weight * tan(0.5 * angle), 1e-9, 0.0);
        }
        tru_world_destroy(w);
    }
    /* with less friction than that it comes apart */
    tru_coulomb c;
    const tru_use law = dry(&c, 0.5 * tan(0.5 * angle));
    tru_world *w = kit_create_floor(&law, 1, 0.0);
    add_ball(w, r, mass, v3(-half, 0, r), v3_zero());
    add_ball(w, r, mass, v3(half, 0, r), v3_zero());
    add_ball(w, r, mass, v3(0, 0, r + 2.0 * r * cos(angle)), v3_zero());
    kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
    MUST(tru_run(w, 300, &err));
    check(kit_get_state(w, 2).velocity.x < -0.05 && kit_get_state(w, 4).velocity.z < -0.05);
    tru_world_destroy(w);
}

/* A heavy ball against a light one, whose two contacts lie in each other's friction cones: it jams under impulses a hundred
 * times its weight, or slips under small ones, and which of the two is another matter from one step to the next. */
TEST(light_ball_jams_under_a_heavy_one) {
    draw d = {check_seed(), 7, 0};
    for (int i = 0; i < 200; i++) {
        const double r[2] = {0.27, 0.236}, angle = draw_in(&d, 0.5, 0.9), far = r[0] + r[1];
        const double mass = draw_int(&d, 2) ? 110.0 : 50.0;
        tru_error err;
        tru_coulomb c;
        const tru_use law = dry(&c, tan(0.5 * angle) * draw_in(&d, 1.01, 1.1));
        tru_world *w = kit_create_floor(&law, 1, 0.0);
        tru_vec3 v[2] = {v3(draw_in(&d, -1.0, 1.0), draw_in(&d, -1.0, 1.0), 0.0), draw_vec(&d)};
        const tru_id id[2] = {add_ball(w, r[0], 0.82, v3(0, 0, r[0]), v[0]),
                              add_ball(w, r[1], mass, v3(far * sin(angle), 0, r[0] + far * cos(angle)), v[1])};
        for (int k = 0; k < 2; k++) {
            tru_body_state s = kit_get_state(w, id[k]);
            s.angular_velocity = v3_scale(9.0, draw_vec(&d));
            MUST(tru_body_set(w, id[k], &s, &err));
        }
        kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
        MUST(tru_run(w, 400, &err));
        check_status((long long)tru_world_solve_take(w).unconverged, 0);
        tru_world_destroy(w);
    }
}

/* Friction of a sliding box is mu m g however the corners share it. */
TEST(box_slides_and_stops) {
    tru_error err;
    const double mu = 0.3, v0 = 2.0, step = 1e-3;
    for (int scheme = 0; scheme < 2; scheme++) {
        tru_coulomb c;
        const tru_use law = dry(&c, mu);
        tru_world *w = kit_create_floor(&law, 1, 0.0);
        const tru_id box = add_box(w, v3(0.3, 0.2, 0.1), 4.0, v3(0, 0, 0.05), v3(0.6 * v0, 0.8 * v0, 0));
        kit_set_moreau(w, step, scheme);
        for (int i = 1; i <= 600; i++) {
            MUST(tru_run(w, 1, &err));
            const tru_vec3 v = kit_get_state(w, box).velocity;
            check_close(v3_norm(v), v0 - mu * G * step * i, 0.0, 1e-12);
            check_close(0.8 * v.x - 0.6 * v.y, 0.0, 0.0, 1e-12);
        }
        MUST(tru_run(w, 400, &err));
        const tru_body_state s = kit_get_state(w, box);
        check(v3_norm(s.velocity) < 1e-13 && v3_norm(s.angular_velocity) < 1e-12);
        check_close(hypot(s.position.x, s.position.y), v0 * v0 / (2.0 * mu * G), 0.0, 0.5 * mu * G * step * step);
        check_close(s.position.z, 0.05, 0.0, 1e-14);
        tru_world_destroy(w);
    }
}

/* On a slope: below atan(mu) it stays, above it slides with g (sin - mu cos). */
TEST(box_on_a_slope) {
    tru_error err;
    const double mu = 0.4;
    for (int scheme = 0; scheme < 2; scheme++)
        for (int i = -3; i <= 3; i++) {
            const double angle = atan(mu) + 0.01 * i;
            tru_coulomb c;
            const tru_use law = dry(&c, mu);
            tru_world *w = empty_world(v3(G * sin(angle), 0.0, -G * cos(angle)), &law, 1, 0.0);
            add(w, "plane", NULL, TRU_FIXED, 0.0, v3_zero(), v3_zero());
            const tru_id box = add_box(w, v3(0.3, 0.2, 0.1), 4.0, v3(0, 0, 0.05), v3_zero());
            kit_set_moreau(w, 1e-3, scheme);
            MUST(tru_run(w, 500, &err));
            const double v = kit_get_state(w, box).velocity.x;
            if (i < 0) check(fabs(v) < 1e-13);
            if (i > 0) check_close(v, 0.5 * G * (sin(angle) - mu * cos(angle)), 1e-11, 0.0);
            tru_world_destroy(w);
        }
}

/* ---- loads ---- */

static tru_load_def load_on(tru_id body) {
    tru_load_def l = tru_default_load_def();
    l.body = body;
    return l;
}

TEST(constant_force_and_table) {
    tru_error err;
    for (int scheme = 0; scheme < 2; scheme++) {
        tru_world *w = empty_world(v3_zero(), NULL, 0, 0.0);
        const tru_id a = add_ball(w, 0.1, 2.0, v3_zero(), v3_zero());
        const tru_id b = add_ball(w, 0.1, 2.0, v3(5, 0, 0), v3_zero());
        tru_load_def l = load_on(a);
        l.force = v3(3.0, 0.0, -1.0);
        MUST(tru_load_add(w, &l, NULL, &err));
        const tru_knot knots[] = {{0.25, 0.0}, {0.5, 2.0}, {0.75, -1.0}};
        l = load_on(b);
        l.force = v3(4.0, 0.0, 0.0);
        l.knots = knots;
        l.knot_count = 3;
        MUST(tru_load_add(w, &l, NULL, &err));
        kit_set_moreau(w, 0x1p-10, scheme);
        MUST(tru_run(w, 1024, &err));
        check_close(kit_get_state(w, a).velocity.x, 1.5, 1e-13, 0.0);
        check_close(kit_get_state(w, a).position.z, -0.25, 1e-12, 0.0);
        /* 0 until 0.25, to 2 at 0.5, to -1 at 0.75, held: the midpoint of a step integrates lines exactly */
        check_close(kit_get_state(w, b).velocity.x, 2.0 * (0.25 * 1.0 + 0.25 * 0.5 - 0.25), 1e-13, 1e-14);
        tru_world_destroy(w);
    }
}

/* Torque about a principal axis in body axes; a force that turns with a spinning body describes a circle. */
TEST(loads_in_body_axes) {
    tru_error err;
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
        tru_world *w = empty_world(v3_zero(), NULL, 0, 0.0);
        const tru_id a = add_box(w, v3(0.3, 0.2, 0.1), 2.0, v3_zero(), v3_zero());
        const tru_id b = add_ball(w, 0.1, 2.0, v3(5, 0, 0), v3_zero());
        tru_body_state s = kit_get_state(w, b);
        s.angular_velocity = v3(0.0, 0.0, 3.0);
        MUST(tru_body_set(w, b, &s, &err));
        tru_load_def l = load_on(a);
        l.body_axes = true;
        l.torque = v3(0.0, 0.01, 0.0);
        MUST(tru_load_add(w, &l, NULL, &err));
        l = load_on(b);
        l.body_axes = true;
        l.force = v3(4.0, 0.0, 0.0);
        MUST(tru_load_add(w, &l, NULL, &err));
        const double step = fine ? 2.5e-3 : 1e-2;
        kit_set_moreau(w, step, TRU_MIDPOINT);
        MUST(tru_run(w, (uint64_t)floor(1.0 / step + 0.5), &err));
        check_close(kit_get_state(w, a).angular_velocity.y, 0.01 / (2.0 / 12.0 * (0.09 + 0.01)), 1e-12, 0.0);
        const tru_vec3 v = kit_get_state(w, b).velocity;
        error[fine] = hypot(v.x - 2.0 / 3.0 * sin(3.0), v.y - 2.0 / 3.0 * (1.0 - cos(3.0)));
        tru_world_destroy(w);
    }
    check(error[0] < 1e-3 && log(error[0] / error[1]) / log(4.0) > 1.9);
}

/* ---- driven bodies ---- */

static tru_world *moving_floor(bool belt, tru_vec3 v, const tru_knot *knots, size_t count, const tru_use *law) {
    tru_error err;
    tru_world *w = empty_world(v3(0, 0, -G), law, 1, 0.0);
    const tru_id plane = add(w, "plane", NULL, TRU_DRIVEN, 0.0, v3_zero(), v3_zero());
    tru_motion_def m = tru_default_motion_def();
    m.body = plane;
    m.belt = belt;
    m.velocity = v;
    m.knots = knots;
    m.knot_count = count;
    MUST(tru_motion_set(w, &m, &err));
    return w;
}

/* A belt drags a ball to 2/7 of its speed, a box to all of it; the belt itself stays where it is. */
TEST(belt_carries) {
    tru_error err;
    for (int scheme = 0; scheme < 2; scheme++) {
        tru_coulomb c;
        const tru_use law = dry(&c, 0.3);
        tru_world *w = moving_floor(true, v3(0.7, 0, 0), NULL, 0, &law);
        const tru_id ball = add_ball(w, 0.1, 2.0, v3(0, 0, 0.1), v3_zero());
        const tru_id box = add_box(w, v3(0.2, 0.2, 0.1), 1.0, v3(0, 1, 0.05), v3_zero());
        kit_set_moreau(w, 1e-3, scheme);
        MUST(tru_run(w, 1000, &err));
        check_close(kit_get_state(w, ball).velocity.x, 0.2, 1e-11, 0.0);
        check_close(kit_get_state(w, ball).angular_velocity.y, (0.2 - 0.7) / 0.1, 1e-11, 0.0);
        check_close(kit_get_state(w, box).velocity.x, 0.7, 1e-12, 0.0);
        check(kit_get_state(w, 1).position.x == 0.0);
        const tru_ledger l = tru_world_ledger(w); /* half of what a belt gives a box that slips is heat */
        check_close(l.drives, l.slide + l.kinetic - l.theta_shift, 1e-10, 0.0);
        tru_world_destroy(w);
    }
}

/* A plate that speeds up with a: a ball on it with 2/7 a, a box with a as long as a < mu g. */
TEST(plate_speeds_up) {
    tru_error err;
    const double a = 2.0;
    const tru_knot knots[] = {{0.0, 0.0}, {1.0, 1.0}};
    for (int scheme = 0; scheme < 2; scheme++) {
        tru_coulomb c;
        const tru_use law = dry(&c, 0.3);
        tru_world *w = moving_floor(false, v3(a, 0, 0), knots, 2, &law);
        const tru_id ball = add_ball(w, 0.1, 2.0, v3(0, 0, 0.1), v3_zero());
        const tru_id box = add_box(w, v3(0.2, 0.2, 0.1), 1.0, v3(0, 1, 0.05), v3_zero());
        kit_set_moreau(w, 1e-3, scheme);
        MUST(tru_run(w, 1000, &err));
        check_close(kit_get_state(w, 1).velocity.x, a, 1e-12, 0.0);
        check_close(kit_get_state(w, 1).position.x, 0.5 * a, 1e-12, 0.0);
        check_close(kit_get_state(w, box).velocity.x, a, 1e-11, 0.0);
        check_close(kit_get_state(w, ball).velocity.x, 2.0 / 7.0 * a, 1e-9, 0.0);
        tru_world_destroy(w);
    }
}

/* ---- static friction and Stribeck ---- */

/* A box under a force that grows: it holds up to slide_static, then slides with slide. */
TEST(static_friction_holds_and_gives_way) {
    tru_error err;
    const double mu = 0.2, mu_static = 0.5, m = 2.0, growth = 20.0, step = 1e-3; /* [N/s] */
    const double gives_way = mu_static * m * G / growth, end = gives_way + 0.2;
    const tru_knot knots[] = {{0.0, 0.0}, {10.0, 10.0}};
    for (int scheme = 0; scheme < 2; scheme++) {
        tru_coulomb c = {mu, mu_static, 0.0};
        const tru_use law = {"coulomb", &c};
        tru_world *w = kit_create_floor(&law, 1, 0.0);
        const tru_id box = add_box(w, v3(0.3, 0.2, 0.1), m, v3(0, 0, 0.05), v3_zero());
        tru_load_def l = load_on(box);
        l.force = v3(growth, 0.0, 0.0);
        l.knots = knots;
        l.knot_count = 2;
        MUST(tru_load_add(w, &l, NULL, &err));
        kit_set_moreau(w, step, scheme);
        MUST(tru_run(w, (uint64_t)floor(gives_way / step - 1.0), &err));
        check(v3_norm(kit_get_state(w, box).velocity) < 1e-13);
        MUST(tru_run(w, (uint64_t)floor(end / step + 0.5) - tru_steps_done(w), &err));
        const double t = tru_time(w);
        const double v = 0.5 * growth / m * (t * t - gives_way * gives_way) - mu * G * (t - gives_way);
        /* it gives way within a step of that time, and then gains (mu_static - mu) g at once */
        check_close(kit_get_state(w, box).velocity.x, v, 0.0, 2.0 * (mu_static - mu) * G * step);
        check(v > 0.5);
        tru_world_destroy(w);
    }
}

/* Slip s of a ball: s' = -7/2 g mu(s), mu(s) = slide + (slide_static - slide) exp(-s/v_s): against Runge-Kutta. */
static double stribeck_slip(double slip, const tru_coulomb *c, double end) {
    const int n = 20000;
    const double h = end / n;
    for (int i = 0; i < n; i++) {
        double k[4], at = slip;
        for (int j = 0; j < 4; j++) {
            k[j] = -3.5 * G * (c->slide + (c->slide_static - c->slide) * exp(-at / c->stribeck));
            at = slip + (j == 2 ? h : 0.5 * h) * k[j];
        }
        slip += h / 6.0 * (k[0] + 2.0 * k[1] + 2.0 * k[2] + k[3]);
    }
    return slip;
}

TEST(stribeck_against_its_equation) {
    tru_error err;
    const tru_coulomb c = {0.15, 0.4, 0.5};
    const tru_use law = {"coulomb", &c};
    const double end = 0.125, slip = stribeck_slip(1.5, &c, end);
    check(slip > 0.1 && slip < 1.0);
    for (int scheme = 0; scheme < 2; scheme++) {
        double error[2];
        for (int fine = 0; fine < 2; fine++) {
            tru_world *w = kit_create_floor(&law, 1, 0.0);
            const tru_id ball = kit_add_ball(w, 0.1, 2.0, v3(1.5, 0, 0), v3_zero());
            const double step = fine ? 0x1p-12 : 0x1p-10;
            kit_set_moreau(w, step, scheme);
            MUST(tru_run(w, (uint64_t)(end / step), &err));
            const tru_body_state s = kit_get_state(w, ball);
            error[fine] = fabs(s.velocity.x - 0.1 * s.angular_velocity.y - slip);
            tru_world_destroy(w);
        }
        const double order = log(error[0] / error[1]) / log(4.0);
        printf("%s: slip off by %.2e, order %.2f\n", scheme_names[scheme], error[0], order);
        check(scheme == TRU_MIDPOINT ? order > 1.9 : order > 0.9);
        check(error[0] < (scheme == TRU_MIDPOINT ? 1e-5 : 1e-2));
    }
}
