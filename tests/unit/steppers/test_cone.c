/* test_cone.c: the stepper cone against elementary mechanics: rolling, hopping, bouncing, resting, looking ahead. */
#define _GNU_SOURCE
#include "check.h"
#include "zoo.h"

#include <math.h>

#define G 9.81

static tru_use use_of(const tru_coulomb *c) { return (tru_use){"coulomb", c}; }

/* A world with a floor, coulomb and rolling friction, and gravity g. */
static tru_world *flat_world(double g, double slide, double roll, double restitution) {
    tru_world *w = kit_create_world((tru_vec3){0.0, 0.0, -g});
    tru_coulomb coulomb = tru_default_coulomb();
    tru_rolling rolling = tru_default_rolling();
    coulomb.slide = slide;
    rolling.roll.length = roll;
    const tru_use laws[] = {use_of(&coulomb), {"rolling", &rolling}};
    kit_set_pair(w, TRU_NONE, TRU_NONE, laws, 2, restitution);
    kit_add_floor(w);
    return w;
}

static double gap_of(const tru_world *w) {
    tru_error err;
    tru_contact_place c;
    MUST(tru_contact_now(w, 0, &c, &err));
    return c.gap;
}

/* The rolling disk of the paper's section 6.1 [TA13]: a = M g rho R / (J + M R^2) = 0.14 m/s^2, it stops in the first
 * step that ends after v0/a; the distance is that of the end-of-step velocities. The relaxed law keeps a gap h rho w. */
static void rolling_disk(double h, int form) {
    tru_error err;
    const double v0 = 1.0, rho = 0.02, a = 0.14;
    tru_world *w = flat_world(9.8, 0.9, rho, 0.0);
    const tru_id disk = kit_add_ball(w, 1.0, 10.0, (tru_vec3){v0, 0.0, 0.0}, (tru_vec3){0.0, v0, 0.0}); /* J = 4 */
    kit_set_cone(w, h, form, TRU_NEWTON_IMPACT, (tru_use){0});
    const int last = (int)ceil(v0 / a / h);
    for (int i = 1; i <= last + 50; i++) {
        MUST(tru_run(w, 1, &err));
        const tru_body_state s = kit_get_state(w, disk);
        if (i < last) check(s.velocity.x > 0.0);
        if (i >= last) check_close(s.velocity.x, 0.0, 0.0, 1e-12);
        if (i == last / 2) {
            check_close(s.velocity.x, v0 - a * i * h, 1e-9, form == TRU_RELAXED ? 1e-3 : 0.0);
            check_close(gap_of(w), form == TRU_RELAXED ? h * rho * s.angular_velocity.y : 0.0, 0.02, 1e-12);
            const tru_solve_info info = tru_world_solve_info(w);
            check_close(info.lift, form == TRU_RELAXED ? rho * s.angular_velocity.y : 0.0, 1e-6, 0.0);
            check(info.hop == 0.0); /* it keeps its gap */
        }
    }
    double x = 0.0; /* h (v0 - a t) at the ends of all steps but the last, 3.571429 m - h v0/2 in the paper's numbers */
    for (int i = 1; i < last; i++) x += h * (v0 - a * i * h);
    check_close(kit_get_state(w, disk).position.x, x, 0.0, form == TRU_RELAXED ? 1e-5 : 1e-9);
    check_close(x, 0.5 * v0 * v0 / a - 0.5 * h * v0, 0.0, 0.5 * a * h * h);
    tru_world_destroy(w);
}

/* ---- single bodies: what the exact and the relaxed form do by theory ---- */

TEST(rolling_disk_stops) {
    const double steps[] = {0.05, 0.02, 0.01, 0.005, 0.002};
    for (int i = 0; i < 5; i++)
        for (int form = TRU_EXACT; form <= TRU_RELAXED; form++) rolling_disk(steps[i], form);
}

/* A box that suddenly slides: the relaxed law throws it up with mu v0/(1 + mu^2) whatever the step; the exact one does
 * not. The ledger says how much energy that was. (A small cube: the tilt by friction is held by its four corners.) */
TEST(relaxed_form_hops) {
    const double mu = 0.5, v0 = 2.0, up = mu * v0 / (1.0 + mu * mu);
    const tru_box box = {{0.4, 0.4, 0.02}};
    const tru_quat one = {1.0, 0.0, 0.0, 0.0};
    for (int form = TRU_EXACT; form <= TRU_RELAXED; form++)
        for (int k = 0; k < 2; k++) {
            tru_error err;
            const double h = k ? 1e-4 : 1e-3;
            tru_world *w = flat_world(G, mu, 0.0, 0.0);
            const tru_id id = kit_add_solid(w, "box", TRU_FREE, "box", &box, (tru_vec3){0.0, 0.0, 0.01}, one,
                                            (tru_vec3){v0, 0.0, 0.0}, (tru_vec3){0.0, 0.0, 0.0});
            kit_set_cone(w, h, form, TRU_NEWTON_IMPACT, (tru_use){0});
            MUST(tru_run(w, 1, &err));
            const tru_body_state s = kit_get_state(w, id);
            if (form == TRU_RELAXED) {
                check_close(s.velocity.z, up, 0.0, 2.0 * G * h);
                check_close(s.velocity.x, v0 / (1.0 + mu * mu), 0.0, 2.0 * G * h);
                check(tru_world_ledger(w).lift > 0.0);
                check_close(tru_world_solve_info(w).hop, s.velocity.z, 1e-9, 0.0);
                check_close(tru_world_solve_info(w).lift, mu * s.velocity.x, 1e-9, 0.0);
            } else {
                check_close(s.velocity.z, 0.0, 0.0, 1e-9);
                check_close(s.velocity.x, v0 - mu * G * h, 1e-9, 0.0);
                check_close(tru_world_ledger(w).lift, 0.0, 0.0, 0.0);
                check(tru_world_solve_info(w).lift == 0.0 && tru_world_solve_info(w).hop == 0.0);
            }
            tru_world_destroy(w);
        }
}

/* Peaks of a bouncing ball fall by e^2 each, to first order in the step. */
TEST(ball_bounces) {
    const double e = 0.7, steps[] = {5e-3, 1e-3};
    for (int k = 0; k < 2; k++) {
        tru_error err;
        const double h = steps[k];
        tru_world *w = flat_world(G, 0.3, 0.0, e);
        const tru_vec3 zero = {0.0, 0.0, 0.0};
        const tru_id ball = kit_add_solid_ball(w, "ball", 0.1, (tru_vec3){0.0, 0.0, 1.1}, zero, zero);
        kit_set_cone(w, h, TRU_EXACT, TRU_NEWTON_IMPACT, (tru_use){0});
        double before = 0.0, expected = 1.0;
        int peaks = 0;
        for (int i = 0; i < (int)(2.5 / h) && peaks < 3; i++) {
            MUST(tru_run(w, 1, &err));
            const tru_body_state s = kit_get_state(w, ball);
            check(s.position.z - 0.1 > -1e-12);
            if (before > 0.0 && s.velocity.z <= 0.0) {
                peaks++;
                expected *= e * e;
                /* a bounce is early by up to a step, a peak is seen up to half a step's fall late */
                check_close(s.position.z - 0.1, expected, 0.0, 2.0 * h * sqrt(2.0 * G * expected));
            }
            before = s.velocity.z;
        }
        check(peaks == 3);
        tru_world_destroy(w);
    }
}

/* ---- detection ahead, overlaps, rest and events ---- */

/* Half a diameter per step: nothing goes through, overlaps or slows down before it arrives. */
TEST(fast_bodies_are_seen_in_time) {
    const tru_vec3 zero = {0.0, 0.0, 0.0};
    for (int form = TRU_EXACT; form <= TRU_RELAXED; form++) {
        tru_error err;
        const double h = 5e-3, r = 0.0225;
        tru_world *w = flat_world(G, 0.6, 0.0, 0.0);
        const tru_id fast =
            kit_add_solid_ball(w, "fast", r, (tru_vec3){0.0, 0.0, 1.0}, (tru_vec3){0.3, 0.0, -20.0}, zero);
        const tru_id hit = kit_add_solid_ball(w, "hit", r, (tru_vec3){0.01, 0.0, r}, zero, zero);
        kit_set_cone(w, h, form, TRU_NEWTON_IMPACT, (tru_use){0});
        double least = 1.0;
        for (int i = 0; i < 40; i++) {
            const double v = kit_get_state(w, fast).velocity.z;
            const bool far = kit_get_state(w, fast).position.z > 0.4;
            MUST(tru_run(w, 1, &err));
            if (far) check_close(kit_get_state(w, fast).velocity.z, v - G * h, 1e-14, 0.0);
            for (size_t k = 0; k < tru_contact_count(w); k++) {
                tru_contact_place c;
                MUST(tru_contact_now(w, k, &c, &err));
                least = fmin(least, c.gap);
            }
        }
        check(least > -1e-9 * r); /* spheres curve away from the plane that the step keeps them behind */
        check(kit_get_state(w, fast).position.z > 0.9 * r && kit_get_state(w, hit).position.z > 0.9 * r);
        tru_world_destroy(w);
    }
}

/* An overlap goes away at the speed that was asked for, and the ledger says what that cost. Moved out, the ball never has a velocity;
 * as published it keeps what it was given. */
TEST(overlap_is_recovered) {
    const double h = 1e-3, speed = 0.05;
    for (int recover = TRU_RECOVER_POSE; recover <= TRU_RECOVER_VELOCITY; recover++)
        for (double r = 1e-4; r < 1e3; r *= 10.0) {
            tru_error err;
            const double depth = 0.015 * r, most = 0.5 * r * speed;
            tru_world *w = flat_world(G, 0.3, 0.0, 0.0);
            const tru_vec3 zero = {0.0, 0.0, 0.0};
            const tru_id ball = kit_add_solid_ball(w, "ball", r, (tru_vec3){0.0, 0.0, r - depth}, zero, zero);
            tru_cone c = tru_default_cone();
            c.step = h;
            c.recover = recover;
            c.recovery = most;
            MUST(tru_stepper_set(w, "cone", &c, &err));
            MUST(tru_run(w, 1, &err));
            const bool moved = recover == TRU_RECOVER_POSE;
            const double first = fmin(most, 0.2 * (depth - 1e-7 * r) / h);
            check_close(kit_get_state(w, ball).velocity.z, moved ? 0.0 : first, 1e-9, 0.0);
            check_close(kit_get_state(w, ball).position.z - (r - depth), h * first, 1e-9, 0.0);
            double fastest = 0.0;
            for (int i = 0; i < 1000; i++) {
                MUST(tru_run(w, 1, &err));
                fastest = fmax(fastest, kit_get_state(w, ball).velocity.z);
                if (moved) check(kit_get_state(w, ball).position.z < r);
            }
            const tru_ledger l = tru_world_ledger(w);
            if (moved) check(fastest == 0.0 && l.stabilisation == 0.0 && l.kinetic == 0.0);
            if (moved) check_close(l.projection, l.potential - l.start, 1e-9, 0.0);
            if (!moved) check(fastest >= first && l.projection == 0.0);
            check_close(tru_ledger_gap(&l), 0.0, 0.0, 1e-12 * fabs(l.potential));
            if (moved) check_close(gap_of(w), 0.0, 0.0, 1e-6 * r);
            tru_world_destroy(w);
        }
}

/* From motion, default settings: everything comes to rest and stays there, without creep. */
static void comes_to_rest(tru_world *w, tru_id id, int form, double slowest) {
    tru_error err;
    kit_set_cone(w, 1e-3, form, TRU_NEWTON_IMPACT, (tru_use){0});
    MUST(tru_run(w, 4000, &err));
    const tru_body_state s = kit_get_state(w, id);
    double fastest = 0.0;
    for (int i = 0; i < 20000; i++) {
        MUST(tru_run(w, 1, &err));
        const tru_body_state b = kit_get_state(w, id);
        fastest = fmax(fastest, fmax(fabs(b.velocity.x), fmax(fabs(b.velocity.y), fabs(b.velocity.z))));
    }
    check(fastest < slowest);
    if (fastest >= slowest) printf("form %d: %.3g m/s\n", form, fastest);
    check_close(kit_get_state(w, id).position.x, s.position.x, 0.0, 1e-11);
    check_close(kit_get_state(w, id).position.z, s.position.z, 0.0, 1e-11);
}

TEST(bodies_rest) {
    for (int form = TRU_EXACT; form <= TRU_RELAXED; form++) {
        tru_world *w = flat_world(G, 0.3, 5e-3, 0.0);
        const tru_id ball = kit_add_solid_ball(w, "ball", 0.1, (tru_vec3){0.3, 0.2, 0.1}, (tru_vec3){0.4, 0.1, 0.0},
                                               (tru_vec3){1.0, 0.0, 0.0});
        comes_to_rest(w, ball, form, 1e-12);
        tru_world_destroy(w);
        w = kit_create_zoo_world(&zoo[ZOO_BOX], NULL, 1);
        comes_to_rest(w, tru_body_find(w, "box"), form, 1e-12);
        tru_world_destroy(w);
        w = kit_create_zoo_world(&zoo[ZOO_THICK_DISK], NULL, 1);
        comes_to_rest(w, tru_body_find(w, "disk"), form, 1e-12);
        tru_world_destroy(w);
    }
}

/* A contact that is only near is no touch; it becomes one when it carries. */
TEST(events_are_of_contacts_that_carry) {
    tru_error err;
    tru_world *w = flat_world(G, 0.3, 1e-3, 0.0);
    const tru_vec3 zero = {0.0, 0.0, 0.0};
    const double height = 0.05;
    kit_add_solid_ball(w, "ball", 0.1, (tru_vec3){0.0, 0.0, 0.1 + height}, zero, zero);
    kit_set_cone(w, 1e-3, TRU_EXACT, TRU_NEWTON_IMPACT, (tru_use){0});
    MUST(tru_run(w, 500, &err));
    tru_event e[16];
    const size_t n = tru_events_take(w, e, 16, NULL);
    int touches = 0;
    for (size_t i = 0; i < n; i++) {
        check(e[i].kind != TRU_EVENT_LIFT && e[i].kind != TRU_EVENT_SLIP);
        if (e[i].kind != TRU_EVENT_TOUCH) continue;
        touches++;
        check_close(e[i].time, sqrt(2.0 * height / G), 0.0, 2e-3);
        check_close(e[i].speed, sqrt(2.0 * height * G), 0.0, 2e-3 * G);
    }
    check_status(touches, 1);
    tru_world_destroy(w);
}

/* ---- every scene of the zoo ---- */

/* Every scene of the zoo, both forms: the energy balance closes and the judge finds the laws obeyed. */
TEST(ledger_and_judge) {
    for (size_t i = 0; i < ZOO_COUNT; i++)
        for (int form = TRU_EXACT; form <= TRU_RELAXED; form++) {
            tru_error err;
            tru_world *w = kit_create_zoo_world(&zoo[i], NULL, 1);
            kit_set_cone(w, zoo[i].step, form, TRU_NEWTON_IMPACT, (tru_use){0});
            double worst = 0.0, law = 0.0, motion = 0.0;
            /* A box about to stop on four corners: the dense newton stalls, and its fallback stops at the tolerance of ngs, by which it promises
             * no contact off by more than ten times that part of g h. The step says how far it came, and the judge agrees to a factor of 2. */
            const double promised = 10.0 * tru_default_ngs().tolerance * G * zoo[i].step;
            uint64_t short_of = 0;
            for (uint64_t k = 0; k < zoo[i].steps; k++) {
                tru_verdict v;
                const tru_status solved = tru_run(w, 1, &err);
                must(solved, &err, zoo[i].name);
                MUST(tru_judge(w, &v, &err));
                const tru_ledger l = tru_world_ledger(w);
                worst = fmax(worst, fabs(tru_ledger_gap(&l)) / (fabs(l.start) + l.kinetic + fabs(l.drives)));
                motion = fmax(motion, fmax(v.momentum, v.spin));
                const double off = fmax(v.law[0], v.law[1]), said = tru_world_solve_info(w).max;
                if (solved == TRU_OK && off < 1e-10) law = fmax(law, off);
                if (solved == TRU_OK && off >= 1e-10)
                    short_of++, law = fmax(law, off <= 2.0 * said && said <= promised ? 0.0 : off);
            }
            check(short_of * 200 <= zoo[i].steps);
            if (!(check(worst < 1e-12) & check(motion < 1e-12) & check(law < 1e-10)))
                printf("%s, form %d: balance %.3g, law %.3g m/s, motion %.3g\n", zoo[i].name, form, worst, law, motion);
            tru_world_destroy(w);
        }
}

/* ---- hard contacts: wedged, static friction, uneven masses ---- */

/* A ball between two walls that are nearer than its diameter: whatever they press with is a solution. Every solver ends each
 * step with a status, and the ball somewhere. */
TEST(wedged_ball_ends_with_a_status) {
    const char *solvers[] = {"newton", "prox", "proxnewton", "ngs", "sor", "apgd"};
    const double turn = 0.7071067811865476, near = 0.0999;
    for (int k = 0; k < 6; k++)
        for (int form = TRU_EXACT; form <= TRU_RELAXED; form++) {
            tru_error err;
            tru_world *w = flat_world(G, 0.8, 1e-3, 0.0);
            const tru_vec3 zero = {0.0, 0.0, 0.0};
            kit_add_solid(w, "left", TRU_FIXED, "plane", NULL, (tru_vec3){-near, 0.0, 0.0},
                          (tru_quat){turn, 0.0, turn, 0.0}, zero, zero);
            kit_add_solid(w, "right", TRU_FIXED, "plane", NULL, (tru_vec3){near, 0.0, 0.0},
                          (tru_quat){turn, 0.0, -turn, 0.0}, zero, zero);
            const tru_id ball =
                kit_add_solid_ball(w, "ball", 0.1, (tru_vec3){0.0, 0.0, 0.5}, (tru_vec3){0.0, 0.3, 0.0}, zero);
            tru_cone c = tru_default_cone();
            c.step = 1e-3;
            c.form = form;
            c.solver = (tru_use){solvers[k], NULL};
            MUST(tru_stepper_set(w, "cone", &c, &err));
            for (int i = 0; i < 50; i++) {
                const tru_status status = tru_run(w, 1, &err);
                if (!check(status == TRU_OK || status == TRU_UNCONVERGED)) printf("%s: %s\n", solvers[k], err.text);
                check((status == TRU_OK) == tru_world_solve_info(w).converged);
            }
            const tru_body_state s = kit_get_state(w, ball);
            if (!check(fabs(s.position.x) < 1e-3 && s.position.z > 0.0 && s.position.z <= 0.5001)) /* false for a NaN */
                printf("%s, form %d: x %g, z %g m\n", solvers[k], form, s.position.x, s.position.z);
            tru_world_destroy(w);
        }
}

/* Four balls side by side that cannot roll, on a slope; what they do in 100 steps. */
static tru_body_state four_on_a_slope(double tangent, tru_use solver, int form) {
    tru_error err;
    const double cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    tru_world *w = kit_create_world((tru_vec3){G * tangent * cosine, 0.0, -G * cosine});
    tru_coulomb coulomb = tru_default_coulomb();
    tru_rolling rolling = tru_default_rolling();
    coulomb.slide = 0.6;
    coulomb.slide_static = 0.7;
    rolling.roll.length = 0.5;
    const tru_use laws[] = {use_of(&coulomb), {"rolling", &rolling}};
    kit_set_pair(w, TRU_NONE, TRU_NONE, laws, 2, 0.0);
    kit_add_floor(w);
    tru_id last = TRU_NONE;
    for (int i = 0; i < 4; i++)
        last = kit_add_solid_ball(w, NULL, 0.1, (tru_vec3){0.0, 0.2 * i, 0.1}, (tru_vec3){0}, (tru_vec3){0});
    kit_set_cone(w, 1e-3, form, TRU_NEWTON_IMPACT, solver);
    tru_profile_set(w, NULL);
    check_status(tru_check(w, &err), TRU_REMARK); /* a roll length above the radius: they cannot roll */
    check_status(tru_run(w, 100, &err), TRU_OK);
    check((tru_profile_get(w).packed > 0) == (strcmp(solver.name, "ngs") == 0)); /* swept, and not left to another */
    const tru_body_state s = kit_get_state(w, last);
    tru_world_destroy(w);
    return s;
}

/* Static friction is swept, too: what sticks holds up to slide_static, what gives way slides with slide, from the step on in which it
 * does. */
TEST(static_friction_of_many) {
    tru_ngs ngs = tru_default_ngs();
    ngs.tolerance = 1e-12;
    ngs.dense_limit = ngs.factor_cost_limit = 0;
    const tru_use solvers[] = {{"ngs", &ngs}, {"newton", NULL}};
    for (int k = 0; k < 2; k++) {
        const tru_body_state holds = four_on_a_slope(0.69, solvers[k], TRU_EXACT);
        const tru_body_state slides = four_on_a_slope(0.71, solvers[k], TRU_EXACT);
        check_close(holds.velocity.x, 0.0, 0.0, 1e-12);
        check_close(slides.velocity.x, 0.1 * G * (0.71 - 0.6) / sqrt(1.0 + 0.71 * 0.71), 1e-9, 0.0);
    }
}

/* A plate on nine balls of a three thousandth of its mass comes to true rest: sweeps would find what they carry slowly. */
TEST(heavy_on_light) {
    tru_error err;
    const double r = 0.01, h = 2e-3;
    const tru_box size = {{0.5, 0.5, 0.05}};
    tru_world *w = flat_world(G, 0.3, 0.0, 0.0);
    for (int i = 0; i < 9; i++)
        kit_add_solid_ball(w, NULL, r, (tru_vec3){0.1 * (i % 3 - 1), 0.1 * (i / 3 - 1), r}, (tru_vec3){0},
                           (tru_vec3){0});
    const tru_id plate = kit_add_solid(w, "plate", TRU_FREE, "box", &size, (tru_vec3){0.0, 0.0, 2.0 * r + 0.026},
                                       (tru_quat){1.0, 0.0, 0.0, 0.0}, (tru_vec3){0}, (tru_vec3){0});
    kit_set_cone(w, h, TRU_EXACT, TRU_NEWTON_IMPACT, (tru_use){0});
    check_status(tru_run(w, 300, &err), TRU_OK);
    const tru_body_state s = kit_get_state(w, plate);
    check_close(s.position.z, 2.0 * r + 0.025, 0.0, 1e-6 * r);
    check(fabs(s.velocity.x) + fabs(s.velocity.y) + fabs(s.velocity.z) < 1e-12);
    tru_world_destroy(w);
}

/* ---- refusals ---- */

/* Parameters that would have no effect are refused with a sentence, under every value that would be ignored. */
TEST(ignored_parameters_are_refused) {
    tru_error err;
    const double omega[] = {0.5, 1.3, 1.9};
    for (int k = 0; k < 3; k++)
        for (int form = TRU_EXACT; form <= TRU_RELAXED; form++) {
            tru_world *w = flat_world(G, 0.3, 0.0, 0.0);
            tru_sor sor = tru_default_sor();
            sor.relaxation = omega[k];
            kit_add_solid_ball(w, "ball", 0.1, (tru_vec3){0.0, 0.0, 0.1}, (tru_vec3){0, 0, 0}, (tru_vec3){0, 0, 0});
            kit_set_cone(w, 1e-3, form, TRU_NEWTON_IMPACT, (tru_use){"sor", &sor});
            char text[200];
            snprintf(
                text, sizeof text,
                "stepper cone: solver sor: relaxation is %.6g, must be 1 with form: exact; leave it out, or choose "
                "form: relaxed",
                omega[k]);
            if (form == TRU_RELAXED) {
                check_status(tru_check(w, &err), TRU_OK);
            } else {
                check_status(tru_check(w, &err), TRU_REFUSED);
                check_str(err.text, text);
            }
            tru_world_destroy(w);
        }
    tru_world *w = flat_world(G, 0.3, 0.0, 0.0);
    tru_cone c = tru_default_cone();
    c.step = 1e-3;
    c.stabilisation = 0.0;
    check_status(tru_stepper_set(w, "cone", &c, &err), TRU_OK);
    c.recovery = 0.3;
    check_status(tru_stepper_set(w, "cone", &c, &err), TRU_CONFLICT);
    check_str(err.text, "stepper cone: recovery is 0.3 m/s but has no effect with stabilisation 0");
    tru_moreau m = tru_default_moreau();
    m.step = 1e-3;
    m.scheme = TRU_PAPER;
    check_status(tru_stepper_set(w, "moreau", &m, &err), TRU_OK);
    m.sweeps = 5;
    check_status(tru_stepper_set(w, "moreau", &m, &err), TRU_CONFLICT);
    check_str(err.text, "stepper moreau: sweeps is 5 but has no effect with scheme paper");
    tru_variational v = tru_default_variational();
    v.step = 1e-3;
    v.angles = false;
    check_status(tru_stepper_set(w, "variational", &v, &err), TRU_CONFLICT);
    check_str(err.text, "stepper variational: angles false belongs to schemes rk2_... and rk4");
    tru_world_destroy(w);
}
