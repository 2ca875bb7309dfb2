/* test_cone_relaxed.c: steady slip in the relaxed form keeps its gap h s(u): one touch, no lift, the same speed from every solver, and
 * speeds that converge. */
#define _GNU_SOURCE
#include "check.h"
#include "zoo.h"

#include "math/quat.h"

#define G 9.81

static const char *const solvers[] = {"newton", "proxnewton", "ngs", "sor", "apgd"};

typedef struct slide_run {
    double speed;  /* [m/s] */
    double tilt;   /* [-] of a box */
    double height; /* [m] above where it touches, at the end */
    int touches, lifts;
} slide_run;

/* A box on a belt that moves at `speed`, or a ball that starts with it, at the gap that slip keeps, or on the ground: then it hops once. */
static slide_run slide(bool ball, double slide, double length, double speed, double h, const char *solver, bool hops) {
    tru_error err;
    tru_world *w = kit_create_world(tru_default_world_def().gravity);
    kit_set_dry_pair(w, slide, 0.0, 0.0, 0.0);
    const tru_quat one = {1.0, 0.0, 0.0, 0.0};
    const tru_id floor =
        kit_add_solid(w, "floor", ball ? TRU_FIXED : TRU_DRIVEN, "plane", NULL, v3_zero(), one, v3_zero(), v3_zero());
    if (!ball) {
        tru_motion_def m = tru_default_motion_def();
        m.body = floor;
        m.belt = true;
        m.velocity = v3(speed, 0.0, 0.0);
        MUST(tru_motion_set(w, &m, &err));
    }
    const tru_box box = {{4.0 * length, 3.0 * length, length}};
    const tru_sphere sphere = {0.5 * length};
    const double gap = hops ? 0.0 : h * slide * speed;
    const tru_id id =
        kit_add_solid(w, "it", TRU_FREE, ball ? "sphere" : "box", ball ? (const void *)&sphere : (const void *)&box,
                      v3(0.0, 0.0, 0.5 * length + gap), one, v3(ball ? speed : 0.0, 0.0, 0.0), v3_zero());
    kit_set_cone(w, h, TRU_RELAXED, TRU_NEWTON_IMPACT, (tru_use){solver, NULL});
    slide_run r = {0};
    const double stops = speed / (slide * G) * (ball ? 2.0 / 7.0 : 1.0), hop = hops ? 2.0 * slide * speed / G : 0.0;
    for (int i = 0; i < (int)((hop + 0.5 * stops) / h); i++) {
        tru_event e[64];
        MUST(tru_run(w, 1, &err));
        const size_t n = tru_events_take(w, e, 64, NULL);
        for (size_t k = 0; k < n; k++) {
            r.touches += e[k].kind == TRU_EVENT_TOUCH;
            r.lifts += e[k].kind == TRU_EVENT_LIFT;
        }
    }
    const tru_body_state s = kit_get_state(w, id);
    const tru_vec3 up = quat_rotate(s.orientation, v3(0.0, 0.0, 1.0));
    r.speed = s.velocity.x;
    r.tilt = ball ? 0.0 : 1.0 - up.z;
    r.height = s.position.z - 0.5 * length;
    tru_world_destroy(w);
    return r;
}

/* Coefficients 0.1 to 1, sizes and speeds over decades: a box that is wide enough not to be tipped over. */
TEST(steady_slip_does_not_chatter) {
    const double coefficients[] = {0.1, 0.3, 1.0}, lengths[] = {1e-3, 0.1, 10.0};
    for (int ball = 0; ball < 2; ball++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                for (int hops = 0; hops < 2; hops++) {
                    const double mu = coefficients[i], length = lengths[k], speed = 3.0 * sqrt(G * length);
                    const double h = 0.02 * speed / (mu * G) / 7.0 / (mu < 0.2 ? 4.0 : 1.0);
                    double first = 0.0;
                    for (int s = 0; s < 5; s++) {
                        const slide_run r = slide(ball, mu, length, speed, h, solvers[s], hops);
                        if (s == 0) first = r.speed;
                        bool good = check(r.touches == 1 + hops) & check(r.lifts == hops);
                        good &= check(r.tilt < 1e-6) & check(fabs(r.speed - first) < 1e-6 * speed);
                        if (!good)
                            printf(
                                "%s, slide %g, length %g m, step %g s, %s%s: %d touches, %d lifts, tilt %.1e, %.9g m/s (%.9g)\n",
                                ball ? "ball" : "box", mu, length, h, solvers[s], hops ? ", hops" : "", r.touches,
                                r.lifts, r.tilt, r.speed, first);
                    }
                }
}

/* The speed half way to the end of slip converges from one side, to that of Coulomb's law. */
TEST(speed_converges_monotonically) {
    for (int ball = 0; ball < 2; ball++)
        for (int i = 0; i < 2; i++) {
            const double mu = i ? 0.5 : 0.2, speed = 4.0;
            const double stops = speed / (mu * G) * (ball ? 2.0 / 7.0 : 1.0),
                         truth = ball ? speed - 0.5 * mu * G * stops : 0.5 * speed;
            double error[4];
            for (int k = 0; k < 4; k++) {
                const double h = 0.5 * stops / (16.0 * (1 << 2 * k)); /* the last step ends half way */
                error[k] = fabs(slide(ball, mu, 0.2, speed, h * (1.0 - 1e-12), "ngs", false).speed - truth) / speed;
            }
            printf("%s, slide %g: error %.2e %.2e %.2e %.2e\n", ball ? "ball" : "box", mu, error[0], error[1], error[2],
                   error[3]);
            for (int k = 1; k < 4; k++) check(error[k] < 0.3 * error[k - 1] || error[k] < 1e-9);
        }
}

/* [J] What the ledger calls lift, and other entries, after one step of a body that starts on the ground. */
static tru_ledger first_step(bool ball, double slide, double roll, double speed, double length, double h) {
    tru_error err;
    tru_world *w = kit_create_world(tru_default_world_def().gravity);
    kit_set_dry_pair(w, slide, roll, 0.0, 0.0);
    const tru_quat one = {1.0, 0.0, 0.0, 0.0};
    const tru_box box = {{40.0 * length, 30.0 * length, 1e-3 * length}}; /* so flat that friction does not tilt it */
    const tru_sphere sphere = {0.5 * length};
    kit_add_solid(w, "floor", TRU_FIXED, "plane", NULL, v3_zero(), one, v3_zero(), v3_zero());
    kit_add_solid(w, "it", TRU_FREE, ball ? "sphere" : "box", ball ? (const void *)&sphere : (const void *)&box,
                  v3(0.0, 0.0, ball ? 0.5 * length : 0.5e-3 * length), one, v3(speed, 0.0, 0.0),
                  v3(0.0, ball ? speed / (0.5 * length) : 0.0, 0.0));
    kit_set_cone(w, h, TRU_RELAXED, TRU_NEWTON_IMPACT, (tru_use){0});
    MUST(tru_run(w, 1, &err));
    const tru_ledger l = tru_world_ledger(w);
    tru_world_destroy(w);
    return l;
}

/* The relaxed law raises what begins to slip or to roll on the ground: [cone-equations 6] has the energy, whatever the step. What else the
 * step books is the slip that paid for it and terms that fall with the step. */
TEST(lift_of_a_start_on_the_ground) {
    const double pi = 3.14159265358979324;
    for (int ball = 0; ball < 2; ball++)
        for (double length = 1e-3; length < 2e2; length *= 40.0)
            for (double mu = 0.1; mu < 1.6; mu += 0.45) {
                const double speed = 3.0 * sqrt(G * length), roll = 0.1 * mu * length, r = 0.5 * length;
                const double mass = 1200.0 * (ball ? 4.0 / 3.0 * pi * r * r * r : 1.2 * length * length * length);
                /* s = c speed; slip or rolling loses `answer` times what a mass of the same inertia would */
                const double c = ball ? roll / r : mu, answer = ball ? 5.0 / 7.0 : 1.0;
                const double up = c * speed / (1.0 + c * c * answer);
                double off[2];
                for (int k = 0; k < 2; k++) {
                    const double h = (k ? 1e-4 : 1e-3) * sqrt(length / G);
                    const tru_ledger l = first_step(ball, ball ? 1.5 : mu, ball ? roll : 0.0, speed, length, h);
                    const double start = 0.5 * mass * speed * speed, expected = 0.5 * mass * up * up;
                    off[k] = fabs(l.lift - expected) / start;
                    check(off[k] < 2.0 * c * G * h / speed);
                    check(fabs(l.theta_shift) + fabs(l.stabilisation) + fabs(l.impact) < 2.0 * G * h / speed * start);
                }
                if (!check(off[1] < 0.12 * off[0] || off[1] < 1e-9))
                    printf("%s, length %g m, mu %g: lift off by %.3g, %.3g of the energy\n", ball ? "ball" : "box",
                           length, mu, off[0], off[1]);
            }
}
