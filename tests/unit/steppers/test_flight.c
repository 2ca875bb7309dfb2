/* test_flight.c: free flight: the parabola is exact, torque-free rotation converges at the order of the scheme; and the
 * sliding sphere in closed form (E1 of [slip-roll-equations 6.1]). */
#define _GNU_SOURCE
#include "check.h"
#include "worlds.h"

#include "math/quat.h"
#include "math/random.h"

static const double steps_of[] = {1e-3, 2.5e-4, 6.25e-5};
enum { FINENESS = 3 };

/* Observed order between the coarsest and the finest step. */
static double slope(const double *error) {
    return log(error[0] / error[FINENESS - 1]) / log(steps_of[0] / steps_of[FINENESS - 1]);
}

/* E1: closed form. Slip time 2 |u0| / (7 mu g), then v = 5/7 v0 + 2/7 R w0 x n. */
TEST(sphere_against_closed_form) {
    tru_error err;
    tru_coulomb coulomb = tru_default_coulomb();
    coulomb.slide = 0.2;
    const tru_use law = {"coulomb", &coulomb};
    for (int scheme = 0; scheme < 2; scheme++) {
        tru_world *w = kit_create_floor(&law, 1, 0.0);
        const tru_id id = kit_add_ball(w, 0.1, 0.5, v3(2.0, 0.5, 0.0), v3(3.0, -4.0, 7.0));
        kit_set_moreau(w, 1e-3, scheme);
        double stuck = 0.0;
        for (int i = 0; i < 600; i++) {
            tru_event e[8];
            MUST(tru_run(w, 1, &err));
            const size_t n = tru_events_take(w, e, 8, NULL);
            for (size_t k = 0; k < n; k++)
                if (e[k].kind == TRU_EVENT_STICK) stuck = e[k].time;
        }
        const tru_body_state s = kit_get_state(w, id);
        check_close(stuck, 0.368402814640, 0.0, 1e-3);
        check_close(s.velocity.x, 1.314285714286, 1e-11, 0.0);
        check_close(s.velocity.y, 0.271428571429, 1e-11, 0.0);
        tru_world_destroy(w);
    }
}

/* ---- free flight ---- */

static tru_world *free_box(tru_vec3 gravity, tru_vec3 v, tru_vec3 rate, tru_id *id) {
    tru_error err;
    const tru_box box = {{0.3, 0.2, 0.1}};
    tru_world *w = kit_create_world(gravity);
    const tru_pair_def pair = tru_default_pair_def();
    MUST(tru_pair_set(w, &pair, &err));
    *id = kit_add_body(w, {.shape = {"box", &box}, .density = 500.0, .velocity = v, .angular_velocity = rate});
    return w;
}

/* The mean of the velocities makes the parabola exact. */
TEST(parabola_is_exact) {
    tru_error err;
    const tru_vec3 g = {1.0, -2.0, -9.81}, v = {3.0, 1.0, 4.0};
    for (int scheme = 0; scheme < 2; scheme++) {
        tru_id id;
        tru_world *w = free_box(g, v, v3_zero(), &id);
        kit_set_moreau(w, 0x1p-7, scheme);
        MUST(tru_run(w, 256, &err));
        const tru_body_state s = kit_get_state(w, id);
        const tru_vec3 x = v3_madd(v3_scale(2.0, v), 2.0, g), v_end = v3_madd(v, 2.0, g);
        check_close(v3_norm(v3_sub(s.position, x)), 0.0, 0.0, 1e-13);
        check_close(v3_norm(v3_sub(s.velocity, v_end)), 0.0, 0.0, 1e-13);
        check(s.orientation.w == 1.0);
        tru_world_destroy(w);
    }
}

/* Euler's equations and the attitude, body axes, by Runge-Kutta of fourth order: the reference. */
static void euler_rate(const double inertia[3], const double y[7], double f[7]) {
    const double *w = y + 4;
    f[0] = 0.5 * (-y[1] * w[0] - y[2] * w[1] - y[3] * w[2]);
    f[1] = 0.5 * (y[0] * w[0] - y[3] * w[1] + y[2] * w[2]);
    f[2] = 0.5 * (y[3] * w[0] + y[0] * w[1] - y[1] * w[2]);
    f[3] = 0.5 * (-y[2] * w[0] + y[1] * w[1] + y[0] * w[2]);
    f[4] = (inertia[1] - inertia[2]) * w[1] * w[2] / inertia[0];
    f[5] = (inertia[2] - inertia[0]) * w[2] * w[0] / inertia[1];
    f[6] = (inertia[0] - inertia[1]) * w[0] * w[1] / inertia[2];
}

static void euler_run(const double inertia[3], double y[7], double end, int n) {
    const double h = end / n;
    for (int i = 0; i < n; i++) {
        double k[4][7], z[7];
        euler_rate(inertia, y, k[0]);
        for (int stage = 1; stage < 4; stage++) {
            for (int c = 0; c < 7; c++) z[c] = y[c] + (stage == 3 ? h : 0.5 * h) * k[stage - 1][c];
            euler_rate(inertia, z, k[stage]);
        }
        for (int c = 0; c < 7; c++) y[c] += h / 6.0 * (k[0][c] + 2.0 * k[1][c] + 2.0 * k[2][c] + k[3][c]);
    }
}

/* Tumbling about the middle axis for one second: attitude, rate, energy, angular momentum. */
TEST(tumbling_box) {
    tru_error err;
    const tru_vec3 rate = {0.1, 4.0, 0.2};
    for (int scheme = 0; scheme < 2; scheme++) {
        double pose[FINENESS], spin[FINENESS], energy[FINENESS], moment[FINENESS];
        for (int i = 0; i < FINENESS; i++) {
            tru_id id;
            tru_body_info info;
            tru_world *w = free_box(v3_zero(), v3_zero(), rate, &id);
            MUST(tru_body_describe(w, id, &info, &err));
            const double inertia[3] = {info.inertia.x, info.inertia.y, info.inertia.z};
            double y[7] = {1.0, 0.0, 0.0, 0.0, rate.x, rate.y, rate.z};
            euler_run(inertia, y, 1.0, 20000);
            kit_set_moreau(w, steps_of[i], scheme);
            const double before = tru_world_ledger(w).kinetic;
            MUST(tru_run(w, (uint64_t)floor(1.0 / steps_of[i] + 0.5), &err));
            const tru_body_state s = kit_get_state(w, id);
            const tru_quat q = {y[0], y[1], y[2], y[3]}, turn = quat_mul(quat_conj(q), s.orientation);
            const tru_vec3 body = quat_unrotate(s.orientation, s.angular_velocity);
            pose[i] = v3_norm(quat_vec(turn));
            spin[i] = v3_norm(v3_sub(body, v3(y[4], y[5], y[6])));
            energy[i] = fabs(tru_world_ledger(w).kinetic - before) / before;
            const tru_vec3 l0 = v3(inertia[0] * rate.x, inertia[1] * rate.y, inertia[2] * rate.z);
            const tru_vec3 l =
                quat_rotate(s.orientation, v3(inertia[0] * body.x, inertia[1] * body.y, inertia[2] * body.z));
            moment[i] = v3_norm(v3_sub(l, l0)) / v3_norm(l0);
            tru_world_destroy(w);
        }
        printf("%s: pose %.2e, rate %.2e, energy %.2e, momentum %.2e at the coarsest, orders %.2f %.2f %.2f %.2f\n",
               scheme == TRU_PAPER ? "paper" : "midpoint", pose[0], spin[0], energy[0], moment[0], slope(pose),
               slope(spin), slope(energy), slope(moment));
        const double least = scheme == TRU_PAPER ? 0.9 : 1.9;
        check(slope(pose) > least && slope(spin) > least);
        check(slope(energy) > least || energy[0] < 1e-10);
        check(slope(moment) > least);
    }
}

/* A free body of any inertia that turns by up to 6 rad per step either keeps its energy or stops with a sentence that names
 * the step: the energy of torque-free rotation is constant. The band is GYRO_TRUST per step. */
TEST(fast_turns_keep_the_energy_or_fail) {
    enum { BODIES = 60, STEPS = 100 };
    const uint64_t seed = check_seed();
    int failed = 0, kept = 0;
    for (uint64_t i = 0; i < BODIES; i++) {
        tru_error err = {TRU_OK, ""};
        tru_id id;
        const double turn = 0.1 * pow(60.0, (double)i / BODIES), step = 1e-3;
        const tru_vec3 axis = tru_random_direction(seed, i, 0);
        tru_world *w = free_box(v3_zero(), v3_zero(), v3_scale(turn / step, axis), &id);
        kit_set_moreau(w, step, TRU_MIDPOINT);
        const double start = tru_world_ledger(w).kinetic;
        const tru_status status = tru_run(w, STEPS, &err);
        const double end = tru_world_ledger(w).kinetic;
        if (!check(end <= 1.11 * start && end >= 0.89 * start))
            printf("%.3g rad per step: energy %.6g times that at the start\n", turn, end / start);
        if (status < 0) check(strstr(err.text, "step is 0.001 s, too long for body ") != NULL);
        if (status < 0 && turn < 1.0) check(false), printf("%.3g rad per step: %s\n", turn, err.text);
        failed += status < 0;
        kept += status >= 0;
        tru_world_destroy(w);
    }
    check(failed > 0 && kept > BODIES / 2);
}
