/* test_rolling_disk_long.c: the four simulations of [LSLG05 section 4] by both schemes, against the published run, its
 * converged limit and an independent integration of pure rolling. */
#define _GNU_SOURCE
#include "check.h"
#include "disks.h"

#include "laws/law.h"

#define UNTIL_FLAT 90.0

static tru_world *simulation(int number, double step, int scheme, int correction, tru_id *id) {
    tru_error err;
    const tru_disk_body d = kit_paper_disk();
    const tru_body_state start = kit_start_paper_disk(&d);
    kit_floor_laws l = {.slide = 0.3};
    if (number >= 3) l.patch = 2e-3;
    if (number % 2 == 0) l.contour = 3e-4;
    tru_world *w = kit_create_disk_floor(l);
    *id = kit_add_disk(w, &d, 0.0, &start);
    tru_moreau m = tru_default_moreau();
    m.step = step;
    m.scheme = scheme;
    m.correction = correction;
    MUST(tru_stepper_set(w, "moreau", &m, &err));
    return w;
}

static void run_to(tru_world *w, double time) {
    tru_error err;
    while (tru_time(w) < time - 0.5 * tru_step_size(w)) MUST(tru_run(w, 1, &err));
}

/* ---- simulation 1: pure rolling ---- */

/* Angles, centre: x' = v_S in the world, by the classical Runge-Kutta rule on (5.5)-(5.7). */
static void rolling_rate(const tru_disk_body *d, const double y[8], double out[8]) {
    const tru_disk_angles a = {
        .beta = y[1], .alpha_rate = y[3], .beta_rate = y[4], .gamma_rate = y[5], .cos_beta = cos(y[1])};
    const tru_disk_rolling r = tru_disk_roll_on(d, &a, NULL);
    const double along = d->radius * (y[3] * sin(y[1]) + y[5]), aside = -d->radius * y[4] * cos(y[1]);
    out[0] = y[3];
    out[1] = y[4];
    out[2] = y[5];
    out[3] = r.alpha_rate2;
    out[4] = r.beta_rate2;
    out[5] = r.gamma_rate2;
    out[6] = along * cos(y[0]) - aside * sin(y[0]); /* e_x and the horizontal across it */
    out[7] = along * sin(y[0]) + aside * cos(y[0]);
}

static void integrate_rolling(const tru_disk_body *d, double y[8], double h, long steps) {
    for (long i = 0; i < steps; i++) {
        double k[4][8], z[8];
        for (int s = 0; s < 4; s++) {
            for (int j = 0; j < 8; j++) z[j] = y[j] + (s == 0 ? 0.0 : s == 3 ? h : 0.5 * h) * (s ? k[s - 1][j] : 0.0);
            rolling_rate(d, z, k[s]);
        }
        for (int j = 0; j < 8; j++) y[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
    }
}

/* Coulomb alone: it never slides, so it must follow pure rolling for 80 s; energy stays to 1e-6. */
TEST(simulation_1_midpoint) {
    const tru_disk_body d = kit_paper_disk();
    const tru_body_state start = kit_start_paper_disk(&d);
    const tru_disk_angles a = tru_disk_angles_of(&start, (tru_quat){1, 0, 0, 0}, (tru_vec3){0, 0, 1});
    double y[8] = {a.alpha, a.beta, a.gamma, a.alpha_rate, a.beta_rate, a.gamma_rate, 0.0, 0.0};
    integrate_rolling(&d, y, 1e-3, 80000);
    check_close(y[6], -29.0297, 0.0, 1e-4); /* [rolling-disk-equations 7] */
    check_close(y[7], -6.5796, 0.0, 1e-4);
    double error[2];
    for (int k = 0; k < 2; k++) {
        tru_error err;
        tru_id id;
        const double h = k ? 5e-4 : 1e-3;
        tru_world *w = simulation(1, h, TRU_MIDPOINT, TRU_HEIGHT, &id);
        double low = kit_get_energy(w), high = low, slip = 0.0, psi = 0.0;
        check_close(low, 0.144269489, 1e-8, 0.0);
        const long steps = (long)(80.0 / h + 0.5);
        for (long i = 0; i < steps; i++) {
            MUST(tru_run(w, 1, &err));
            const double e = kit_get_energy(w);
            low = fmin(low, e);
            high = fmax(high, e);
            psi += kit_get_disk_angles(w, id).psi_rate / (double)steps;
            tru_contact_info c;
            MUST(tru_contact_get(w, 0, &c, &err));
            if (i > 1) slip = fmax(slip, hypot(c.velocity[1], c.velocity[2]));
            if (!check(c.stuck & (1u << TRU_KIND_SLIDE))) return;
        }
        const tru_body_state s = kit_get_state(w, id);
        error[k] = hypot(s.position.x - y[6], s.position.y - y[7]);
        check((high - low) / low < (k ? 1e-7 : 1e-6));
        check_close(fabs(psi), 10.02, 0.01, 0.0);
        check(slip < 1e-5); /* s of [rolling-disk-equations 4.2]: O(step^2), not a ring */
        tru_world_destroy(w);
    }
    check(error[0] < 4e-3 && error[1] < 1e-3);
    check(error[1] < 0.3 * error[0]); /* second order */
}

TEST(simulation_1_paper) {
    tru_error err;
    tru_id id;
    tru_world *w = simulation(1, 1e-4, TRU_PAPER, TRU_R7, &id);
    const double e0 = kit_get_energy(w);
    double slip = 0.0;
    for (int i = 0; i < 800000; i++) {
        MUST(tru_run(w, 1, &err));
        if (i % 100) continue;
        tru_contact_info c;
        MUST(tru_contact_get(w, 0, &c, &err));
        slip = fmax(slip, hypot(c.impulse[1], c.impulse[2]) / (0.3 * c.impulse[0]));
    }
    check(slip < 1.0); /* never at the limit: it does not slide */
    check(fabs(kit_get_energy(w) / e0 - 1.0) < 2e-4);
    const tru_body_state s = kit_get_state(w, id);
    check_close(s.position.x, -14.1, 0.0, 0.3); /* 19 m from the truth: first order */
    check_close(s.position.y, -18.7, 0.0, 0.3);
    tru_world_destroy(w);
}

/* ---- simulation 2: contour friction ---- */

TEST(simulation_2_paper) {
    for (int k = 0; k < 2; k++) {
        tru_error err;
        tru_id id;
        tru_event flat = {0};
        tru_world *w = simulation(2, 1e-4, TRU_PAPER, k ? TRU_HEIGHT : TRU_R7, &id);
        check_close(kit_run_until(w, TRU_EVENT_SLIP, TRU_KIND_SLIDE, 40.0, NULL), 25.29, 0.0, 0.05);
        check_close(fabs(kit_get_disk_angles(w, id).beta), 0.445, 0.0, 0.002);
        double stick = kit_run_until(w, TRU_EVENT_STICK, TRU_KIND_SLIDE, 1.0, NULL);
        check_close(stick, 25.677, 0.0, 0.06);
        check_close(kit_run_until(w, TRU_EVENT_FLAT, -1, UNTIL_FLAT, &flat), k ? 68.09 : 67.65, 0.0, 0.15);
        check_close(flat.position.x, -2.634, 0.0, 0.01);
        check_close(flat.position.y, -1.899, 0.0, 0.01);
        run_to(w, tru_time(w) + 0.1);
        const tru_body_state s = kit_get_state(w, id);
        check(v3_norm(s.velocity) < 1e-12 && v3_norm(s.angular_velocity) < 1e-12);
        MUST(tru_run(w, 1, &err));
        tru_world_destroy(w);
    }
}

TEST(simulation_2_midpoint) {
    const double step[] = {1e-3, 3e-4};
    for (int k = 0; k < 2; k++) {
        tru_id id;
        tru_event flat = {0};
        tru_world *w = simulation(2, step[k], TRU_MIDPOINT, TRU_HEIGHT, &id);
        check_close(kit_run_until(w, TRU_EVENT_SLIP, TRU_KIND_SLIDE, 40.0, NULL), 28.447, 0.0, 0.005);
        check_close(fabs(kit_get_disk_angles(w, id).beta), 0.4459, 0.0, 0.002);
        check_close(kit_run_until(w, TRU_EVENT_FLAT, -1, UNTIL_FLAT, &flat), 72.478, 0.0, k ? 0.005 : 0.1);
        check_close(flat.position.x, -3.2205, 0.0, k ? 0.0005 : 0.001);
        check_close(flat.position.y, -1.8832, 0.0, k ? 0.0005 : 0.001);
        tru_world_destroy(w);
    }
}

/* ---- simulations 3 and 4: Contensou ---- */

TEST(simulation_3_energy) {
    const double when[] = {0.5, 1.0, 2.0, 5.0}, truth[] = {0.13057, 0.08971, 0.07802, 0.05512};
    const double paper[] = {0.13057, 0.08932, 0.07672, 0.05146};
    tru_id id;
    tru_world *m = simulation(3, 1e-3, TRU_MIDPOINT, TRU_HEIGHT, &id), *p = simulation(3, 1e-4, TRU_PAPER, TRU_R7, &id);
    for (int i = 0; i < 4; i++) {
        run_to(m, when[i]);
        run_to(p, when[i]);
        check_close(kit_get_energy(m), truth[i], i == 0 ? 5e-3 : 5e-4, 0.0); /* 0.5 s: in the rapid slide */
        check_close(kit_get_energy(p), paper[i], 0.01, 0.0);
    }
    tru_world_destroy(m);
    tru_world_destroy(p);
}

/* Rolling with the spin held at zero as well: the couple about the normal that this takes. */
static double holding_couple(const tru_disk_body *d, const tru_disk_angles *a, tru_disk_rolling *out) {
    double rate[2];
    tru_disk_push push = {0};
    for (int k = 0; k < 2; k++) { /* the change of spin is linear in the couple */
        push.spin = k * 1e-3;
        *out = tru_disk_roll_on(d, a, &push);
        rate[k] = out->alpha_rate2 + out->gamma_rate2 * sin(a->beta) + a->gamma_rate * a->cos_beta * a->beta_rate;
    }
    push.spin = 1e-3 * rate[0] / (rate[0] - rate[1]);
    *out = tru_disk_roll_on(d, a, &push);
    return push.spin;
}

/* Until the force and couple that hold it leave the Contensou set. [s] */
static double stuck_time(const tru_disk_body *d, tru_disk_angles a, double h) {
    const tru_contensou law = {.slide = 0.3, .slide_static = TRU_DERIVED, .patch = 2e-3};
    double work[TRU_LAW_WORK], rows[5], y[5], t = 0.0;
    const double metric[TRU_KINDS] = {1, 1, 1, 1};
    const tru_contact c = {.step = 1.0};
    tru_law_contensou.prepare(&law, &c, work);
    for (;; t += h) {
        tru_disk_rolling r;
        const double couple = holding_couple(d, &a, &r);
        memcpy(rows, (double[5]){r.friction, 0, couple, 0, 0}, sizeof rows);
        tru_section s = {r.normal, 0.0, metric, rows, y, 0, NULL, NULL};
        tru_law_contensou.section(work, NULL, &s);
        if (y[0] != rows[0] || y[2] != rows[2]) return t;
        tru_disk_angles mid = a; /* the midpoint rule */
        mid.beta += 0.5 * h * a.beta_rate;
        mid.cos_beta = cos(mid.beta);
        mid.alpha_rate += 0.5 * h * r.alpha_rate2;
        mid.beta_rate += 0.5 * h * r.beta_rate2;
        mid.gamma_rate += 0.5 * h * r.gamma_rate2;
        holding_couple(d, &mid, &r);
        a.beta += h * mid.beta_rate;
        a.cos_beta = cos(a.beta);
        a.alpha_rate += h * r.alpha_rate2;
        a.beta_rate += h * r.beta_rate2;
        a.gamma_rate += h * r.gamma_rate2;
    }
}

/* [rolling-disk-equations 6.8]: at the start slip and spin are both zero; it sticks in both and pivots only later. */
TEST(simulation_3_starts_stuck) {
    tru_error err;
    tru_id id;
    const tru_disk_body d = kit_paper_disk();
    tru_world *w = simulation(3, 1e-4, TRU_MIDPOINT, TRU_HEIGHT, &id);
    tru_disk_rolling r;
    const tru_disk_angles start = kit_get_disk_angles(w, id);
    const double couple = holding_couple(&d, &start, &r), until = stuck_time(&d, start, 1e-4);
    MUST(tru_run(w, 2, &err));
    tru_contact_info c;
    MUST(tru_contact_get(w, 0, &c, &err));
    check(c.stuck & (1u << TRU_KIND_SLIDE) && c.stuck & (1u << TRU_KIND_SPIN));
    check_close(c.impulse[3] / tru_step_size(w), couple, 1e-3, 0.0);
    check_close(kit_run_until(w, TRU_EVENT_SLIP, TRU_KIND_SPIN, 1.0, NULL), until, 0.0, 2e-4);
    double peak = 0.0, at = 0.0, beta = 0.0;
    while (tru_time(w) < 0.8) {
        MUST(tru_run(w, 1, &err));
        MUST(tru_contact_get(w, 0, &c, &err));
        const double slip = hypot(c.velocity[1], c.velocity[2]);
        if (slip <= peak) continue;
        peak = slip;
        at = tru_time(w);
        beta = fabs(kit_get_disk_angles(w, id).beta);
    }
    check_close(peak, 0.3787, 5e-3, 0.0);
    check_close(at, 0.5705, 0.0, 0.003);
    check_close(beta, 0.741, 0.0, 0.005);
    tru_world_destroy(w);
}

/* Its normal force stays above a quarter of the weight for 30 s, so it never leaves the floor, however it nutates. */
TEST(simulation_3_stays_on_the_floor) {
    tru_error err;
    tru_id id;
    double least = 1.0;
    tru_world *w = simulation(3, 3e-4, TRU_MIDPOINT, TRU_HEIGHT, &id);
    while (tru_time(w) < 30.0) {
        tru_contact_info c;
        MUST(tru_run(w, 1, &err));
        if (!check(tru_contact_count(w) == 1)) break;
        MUST(tru_contact_get(w, 0, &c, &err));
        least = fmin(least, c.impulse[0] / (0.3048 * 9.81 * 3e-4));
    }
    check_close(least, 0.26, 0.0, 0.02);
    check_close(kit_get_energy(w), 0.0154, 0.01, 0.0); /* as with steps of 0.1 and 0.03 ms */
    tru_world_destroy(w);
}

TEST(simulation_4) {
    const struct {
        int scheme, correction;
        double step, flat, tolerance;
    } runs[] = {{TRU_PAPER, TRU_R7, 1e-4, 13.722, 0.02},
                {TRU_PAPER, TRU_HEIGHT, 1e-4, 13.79, 0.02},
                {TRU_MIDPOINT, TRU_HEIGHT, 1e-3, 13.390, 0.01},
                {TRU_MIDPOINT, TRU_HEIGHT, 3e-4, 13.390, 0.003}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        tru_id id;
        tru_event flat = {0};
        tru_world *w = simulation(4, runs[k].step, runs[k].scheme, runs[k].correction, &id);
        check_close(kit_run_until(w, TRU_EVENT_FLAT, -1, 20.0, &flat), runs[k].flat, 0.0, runs[k].tolerance);
        check_close(flat.position.x, -0.1112, 0.0, 0.001);
        check_close(flat.position.y, -0.1148, 0.0, 0.001);
        tru_world_destroy(w);
    }
}
