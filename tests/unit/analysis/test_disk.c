/* test_disk.c: closed forms of the disk against Newton-Euler equations set up here, and against finite differences. */
#define _GNU_SOURCE
#include "check.h"

#include <trundle/analysis.h>

#include "math/mat.h"
#include "math/quat.h"
#include "math/random.h"

#include <math.h>

#define G 9.81

static double uniform(uint64_t seed, uint64_t i, double lo, double hi) {
    return lo + (hi - lo) * tru_random_uniform(seed, 1, i);
}

/* Any body of revolution that has a rim: C from nearly 0 to the 2 A of plane bodies. */
static tru_disk_body random_disk(uint64_t seed, uint64_t i) {
    tru_disk_body d = {uniform(seed, 10 * i, 0.01, 1.0), uniform(seed, 10 * i + 1, 0.01, 5.0), 0.0, 0.0,
                       uniform(seed, 10 * i + 2, 1.0, 20.0)};
    d.across = d.mass * d.radius * d.radius * uniform(seed, 10 * i + 3, 0.1, 0.6);
    d.axial = d.across * uniform(seed, 10 * i + 4, 0.3, 2.0);
    return d;
}

static tru_disk_angles random_state(uint64_t seed, uint64_t i) {
    tru_disk_angles a = {.beta = uniform(seed, 20 * i, -1.4, 1.4),
                         .alpha_rate = uniform(seed, 20 * i + 1, -10.0, 10.0),
                         .beta_rate = uniform(seed, 20 * i + 2, -10.0, 10.0),
                         .gamma_rate = uniform(seed, 20 * i + 3, -10.0, 10.0)};
    a.cos_beta = cos(a.beta);
    return a;
}

/* Pure rolling from Newton and Euler in the frame K: unknown force f at the rim, no slip of the rim at all times. */
typedef struct reaction {
    tru_vec3 force;     /* in K */
    tru_vec3 spin_rate; /* inertial derivative of omega, in K */
} reaction;

static reaction newton_euler(const tru_disk_body *d, const tru_disk_angles *a, const tru_disk_push *p) {
    const double s = sin(a->beta), c = cos(a->beta);
    const tru_vec3 turn = v3(a->beta_rate, a->alpha_rate * s, a->alpha_rate * c); /* of K */
    const tru_vec3 w = v3(turn.x, turn.y + a->gamma_rate, turn.z), arm = v3(0.0, 0.0, -d->radius);
    const tru_vec3 up = v3(0.0, s, c);
    const tru_mat3 inertia = {{{d->across, 0, 0}, {0, d->axial, 0}, {0, 0, d->across}}};
    const tru_mat3 inverse = {{{1.0 / d->across, 0, 0}, {0, 1.0 / d->axial, 0}, {0, 0, 1.0 / d->across}}};
    /* the contour force works on gamma' alone: a couple M with M . omega = r Q gamma' for all rates in the plane of
     * (s, c)-orthogonal directions: M = r Q (0, c, -s) / c, horizontal across */
    const tru_vec3 couple = v3_add(
        v3(p->along, 0.0, 0.0), v3_madd(v3_scale(p->across + d->radius * p->contour / c, v3(0.0, c, -s)), p->spin, up));
    /* a + w' x arm + w x (turn x arm) = 0, m a = f - m g up, I w' = arm x f + M - w x I w */
    const tru_vec3 gyro = v3_sub(couple, v3_cross(w, m3_apply(inertia, w)));
    tru_mat3 k = m3_scale(1.0 / d->mass, m3_identity());
    for (int j = 0; j < 3; j++) {
        const tru_vec3 e = v3(j == 0, j == 1, j == 2);
        const tru_vec3 col = v3_cross(m3_apply(inverse, v3_cross(arm, e)), arm);
        k.m[0][j] += col.x;
        k.m[1][j] += col.y;
        k.m[2][j] += col.z;
    }
    const tru_vec3 rest = v3_sub(v3_scale(d->gravity, up),
                                 v3_add(v3_cross(m3_apply(inverse, gyro), arm), v3_cross(w, v3_cross(turn, arm))));
    tru_mat3 inv;
    reaction out = {{0, 0, 0}, {0, 0, 0}};
    if (!check(m3_inverse(k, &inv))) return out;
    out.force = m3_apply(inv, rest);
    out.spin_rate = m3_apply(inverse, v3_add(v3_cross(arm, out.force), gyro));
    return out;
}

/* ---- motion: Newton, Euler and the power of pushes ---- */

TEST(pure_rolling_is_newton_and_euler) {
    const uint64_t seed = check_seed();
    for (uint64_t i = 0; i < 1000; i++) {
        const tru_disk_body d = random_disk(seed, i);
        const tru_disk_angles a = random_state(seed, i + 5000);
        const tru_disk_push p = {uniform(seed, 30 * i, -1.0, 1.0), uniform(seed, 30 * i + 1, -0.1, 0.1),
                                 uniform(seed, 30 * i + 2, -0.1, 0.1), uniform(seed, 30 * i + 3, -0.1, 0.1)};
        const reaction r = newton_euler(&d, &a, &p);
        const tru_disk_rolling o = tru_disk_roll_on(&d, &a, &p);
        const double s = sin(a.beta), c = cos(a.beta);
        /* inertial derivative of omega: d/dt of its K components plus turn x omega */
        const tru_vec3 turn = v3(a.beta_rate, a.alpha_rate * s, a.alpha_rate * c);
        const tru_vec3 w = v3(turn.x, turn.y + a.gamma_rate, turn.z);
        const tru_vec3 parts = v3(o.beta_rate2, o.alpha_rate2 * s + a.alpha_rate * c * a.beta_rate + o.gamma_rate2,
                                  o.alpha_rate2 * c - a.alpha_rate * s * a.beta_rate);
        const tru_vec3 rate = v3_add(parts, v3_cross(turn, w)), diff = v3_sub(rate, r.spin_rate);
        check_close(v3_norm(diff), 0.0, 0.0, 1e-11 * (v3_norm(parts) + 100.0));
        const double normal = r.force.y * s + r.force.z * c, aside = r.force.y * c - r.force.z * s;
        const double size = d.mass * (d.gravity + d.radius * 400.0);
        check_close(o.normal, normal, 0.0, 1e-11 * size);
        check_close(o.friction, hypot(r.force.x, aside), 0.0, 1e-11 * size);
    }
}

/* dE/dt is the power of the pushes; E by differences along the flow. */
TEST(pushes_do_work) {
    const uint64_t seed = check_seed();
    for (uint64_t i = 0; i < 200; i++) {
        const tru_disk_body d = random_disk(seed, i);
        const tru_disk_angles a = random_state(seed, i + 5000);
        const tru_disk_push p = {uniform(seed, 30 * i, -1.0, 1.0), uniform(seed, 30 * i + 1, -0.1, 0.1),
                                 uniform(seed, 30 * i + 2, -0.1, 0.1), uniform(seed, 30 * i + 3, -0.1, 0.1)};
        const tru_disk_rolling o = tru_disk_roll_on(&d, &a, &p);
        const double h = 1e-6;
        double e[2];
        for (int k = 0; k < 2; k++) {
            const double t = k ? h : -h;
            tru_disk_angles b = a;
            b.beta += t * a.beta_rate;
            b.cos_beta = cos(b.beta);
            b.alpha_rate += t * o.alpha_rate2;
            b.beta_rate += t * o.beta_rate2;
            b.gamma_rate += t * o.gamma_rate2;
            e[k] = tru_disk_energy(&d, &b);
        }
        const double power = d.radius * p.contour * a.gamma_rate + p.along * a.beta_rate +
                             p.across * a.cos_beta * a.gamma_rate +
                             p.spin * (a.alpha_rate + a.gamma_rate * sin(a.beta));
        check_close((e[1] - e[0]) / (2.0 * h), power, 1e-6, 1e-6 * tru_disk_energy(&d, &a));
    }
}

/* ---- steady motions and their small oscillations ---- */

TEST(circular_rolling_is_steady) {
    const uint64_t seed = check_seed();
    tru_error err;
    for (uint64_t i = 0; i < 1000; i++) {
        const tru_disk_body d = random_disk(seed, i);
        const double mrr = d.mass * d.radius * d.radius, big_i = d.axial + mrr;
        const double beta = uniform(seed, 40 * i, 0.01, 1.55), most = big_i / ((big_i - d.across) * sin(beta));
        const double ratio = uniform(seed, 40 * i + 1, 0.01, 0.99) * most;
        tru_disk_steady s;
        if (!check_status(tru_disk_circular(&d, beta, ratio, &s, &err), TRU_OK)) continue;
        const tru_disk_angles a = {
            .beta = beta, .alpha_rate = s.alpha_rate, .gamma_rate = s.gamma_rate, .cos_beta = cos(beta)};
        const tru_disk_rolling o = tru_disk_roll_on(&d, &a, NULL);
        const double scale = s.alpha_rate * s.alpha_rate + s.gamma_rate * s.gamma_rate;
        check_close(o.beta_rate2, 0.0, 0.0, 1e-12 * scale * most);
        check_close(o.alpha_rate2, 0.0, 0.0, 1e-12 * scale);
        check_close(o.friction / o.normal, s.demand, 1e-9, 1e-9);
        check_close(s.speed, d.radius * fabs(s.alpha_rate * sin(beta) + s.gamma_rate), 1e-12, 0.0);
        check_close(s.energy, tru_disk_energy(&d, &a), 1e-14, 0.0);
        check_status(tru_disk_circular(&d, beta, 1.001 * most, &s, &err), TRU_OUT_OF_RANGE);
    }
    const tru_disk_body d = tru_disk_homogeneous(0.0375, 0.3048, G);
    tru_disk_steady s;
    check_status(tru_disk_circular(&d, 0.5, 2.6, &s, &err), TRU_OUT_OF_RANGE);
    check_str(err.text, "ratio is 2.6, must be above 0 and below 2.503 at beta = 0.5 rad");
    check_status(tru_disk_circular(&d, 0.0, 0.1, &s, &err), TRU_OUT_OF_RANGE);
    check_str(err.text, "beta is 0 rad, must be above 0 rad and below pi/2 rad");
}

/* x' = f(x) for x = (beta, beta', alpha', gamma') has the eigenvalues 0, 0, +-i omega: tr(J^2) = -2 omega^2. */
static double linearised(const tru_disk_body *d, double beta, double al, double ga) {
    const double x[4] = {beta, 0.0, al, ga}, size = sqrt(1.0 + al * al + ga * ga);
    double jac[4][4];
    for (int j = 0; j < 4; j++) {
        const double h = 1e-5 * (j == 0 ? 1.0 : size);
        double f[2][4];
        for (int k = 0; k < 2; k++) {
            double y[4] = {x[0], x[1], x[2], x[3]};
            y[j] += k ? h : -h;
            const tru_disk_angles a = {
                .beta = y[0], .beta_rate = y[1], .alpha_rate = y[2], .gamma_rate = y[3], .cos_beta = cos(y[0])};
            const tru_disk_rolling o = tru_disk_roll_on(d, &a, NULL);
            f[k][0] = y[1];
            f[k][1] = o.beta_rate2;
            f[k][2] = o.alpha_rate2;
            f[k][3] = o.gamma_rate2;
        }
        for (int i = 0; i < 4; i++) jac[i][j] = (f[1][i] - f[0][i]) / (2.0 * h);
    }
    double trace = 0.0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) trace += jac[i][j] * jac[j][i];
    return -0.5 * trace;
}

TEST(small_oscillations) {
    const uint64_t seed = check_seed();
    tru_error err;
    for (uint64_t i = 0; i < 500; i++) {
        const tru_disk_body d = random_disk(seed, i);
        const double big_i = d.axial + d.mass * d.radius * d.radius, beta = uniform(seed, 40 * i, 0.05, 1.4);
        const double ratio = uniform(seed, 40 * i + 1, 0.05, 0.95) * big_i / ((big_i - d.across) * sin(beta));
        tru_disk_steady s;
        if (!check_status(tru_disk_circular(&d, beta, ratio, &s, &err), TRU_OK)) continue;
        const double scale = s.alpha_rate * s.alpha_rate + s.gamma_rate * s.gamma_rate;
        check_close(s.oscillation, linearised(&d, beta, s.alpha_rate, s.gamma_rate), 1e-6, 1e-6 * scale);
    }
    /* (5.22) and its limits for a homogeneous disk */
    const tru_disk_body d = tru_disk_homogeneous(0.0375, 0.3048, G);
    const double gr = G / d.radius;
    check_close(tru_disk_oscillation(&d, 0.7, 3.0, -11.0),
                9.0 + (14.0 * 3.0 * -11.0 * sin(0.7) + 12.0 * 121.0 - 4.0 * gr * cos(0.7)) / 5.0, 1e-13, 0.0);
    check_close(tru_disk_oscillation(&d, 0.0, 0.0, 20.0), 0.8 * (3.0 * 400.0 - gr), 1e-13, 0.0);
    check_close(tru_disk_oscillation(&d, 0.0, 20.0, 0.0), 400.0 - 0.8 * gr, 1e-13, 0.0);
    tru_disk_steady s;
    check_status(tru_disk_stationary(&d, 1.2, &s, &err), TRU_OK);
    const double rho = 1.0 / sin(1.2);
    check_close(s.oscillation, 0.8 * gr * (4.0 * rho * rho - 1.0) / (rho * sqrt(rho * rho - 1.0)), 1e-12, 0.0);
}

TEST(special_steady_motions) {
    tru_error err;
    const tru_disk_body d = tru_disk_homogeneous(0.0375, 0.3048, G);
    const double gr = G / d.radius;
    tru_disk_steady s;
    for (int i = 1; i < 15; i++) {
        const double beta = 0.1 * i, c = cos(beta), rho = 1.0 / sin(beta);
        check_status(tru_disk_stationary(&d, beta, &s, &err), TRU_OK); /* (5.14), (5.15) */
        check_close(s.gamma_rate * s.gamma_rate, 4.0 * gr / (rho * sqrt(rho * rho - 1.0)), 1e-12, 0.0);
        check_close(s.alpha_rate * s.alpha_rate, 4.0 * gr / c, 1e-12, 0.0);
        check_close(s.rate * s.rate, 4.0 * gr * c, 1e-12, 0.0);
        check_close(s.energy, 1.5 * d.mass * G * d.radius * c, 1e-12, 0.0);
        check_close(s.demand, 0.0, 0.0, 0.0);
        check_status(tru_disk_spinless(&d, beta, &s, &err), TRU_OK);
        check_close(s.alpha_rate + s.gamma_rate * sin(beta), 0.0, 0.0, 1e-12 * s.alpha_rate);
        check_status(tru_disk_circular(&d, beta, 0.3, &s, &err), TRU_OK); /* (5.12), (5.28) */
        const double rs = 0.3 * sin(beta), k = 6.0 - 5.0 * rs;
        check_close(s.gamma_rate * s.gamma_rate, 4.0 * gr * sin(beta) / (k * 0.3 * c), 1e-12, 0.0);
        check_close(s.demand, (1.0 - rs) * 4.0 * sin(beta) / (k * c), 1e-12, 0.0);
    }
    /* a hoop stands still at its centre with alpha'^2 = m g r / (A cos beta) = 2 g / (r cos beta) */
    const tru_disk_body hoop = tru_disk_hoop(0.2, 0.5, G);
    check_status(tru_disk_stationary(&hoop, 1.1, &s, &err), TRU_OK);
    check_close(s.alpha_rate * s.alpha_rate, 2.0 * G / (0.2 * cos(1.1)), 1e-12, 0.0);
    check_close(s.energy, 1.5 * 0.5 * G * 0.2 * cos(1.1), 1e-12, 0.0);
}

/* ---- from bodies to angles ---- */

/* A pose made of alpha, beta, gamma by turning frame K, and rates from K; on any plane, with the shape turned on its
 * body. */
TEST(angles_from_a_state) {
    const uint64_t seed = check_seed();
    for (uint64_t i = 0; i < 1000; i++) {
        const double al = uniform(seed, 50 * i, -3.1, 3.1), be = uniform(seed, 50 * i + 1, -1.57, 1.57);
        const double ga = uniform(seed, 50 * i + 2, -3.1, 3.1);
        const tru_disk_angles want = random_state(seed, i + 9000);
        tru_vec3 t1, t2;
        const tru_vec3 up = i % 2 ? tru_random_direction(seed, 3, i) : v3(0, 0, 1);
        const tru_quat turn = i % 3 ? tru_random_attitude(seed, 4, i) : quat_identity();
        v3_tangents(up, &t1, &t2);
        const tru_vec3 ex = v3_madd(v3_scale(cos(al), t1), sin(al), t2), ahead = v3_cross(up, ex);
        const tru_vec3 ey = v3_madd(v3_scale(cos(be), ahead), sin(be), up), ez = v3_cross(ex, ey);
        /* the disk turns by gamma about e_y; its axis is e_y, its x is e_x at gamma = 0 */
        const tru_vec3 bx = v3_madd(v3_scale(cos(ga), ex), -sin(ga), ez), by = v3_cross(ey, bx);
        const tru_mat3 r = {{{bx.x, by.x, ey.x}, {bx.y, by.y, ey.y}, {bx.z, by.z, ey.z}}};
        const tru_vec3 w =
            v3_add(v3_add(v3_scale(want.alpha_rate, up), v3_scale(want.beta_rate, ex)), v3_scale(want.gamma_rate, ey));
        const tru_body_state state = {{0, 0, 0}, quat_mul(quat_from_matrix(r), quat_conj(turn)), {0, 0, 0}, w};
        const tru_disk_angles a = tru_disk_angles_of(&state, turn, up);
        const double near = 1e-13 / (cos(be) * cos(be)) * 20.0;
        check_close(a.beta, be, 0.0, 1e-12);
        check_close(a.alpha, al, 0.0, near);
        check_close(a.gamma, ga, 0.0, near);
        check_close(a.alpha_rate, want.alpha_rate, 0.0, 30.0 * near);
        check_close(a.beta_rate, want.beta_rate, 0.0, 30.0 * near);
        check_close(a.gamma_rate, want.gamma_rate, 0.0, 30.0 * near);
        check_close(a.psi_rate, -a.gamma_rate, 0.0, 0.0);
        check_close(a.spin, want.alpha_rate + want.gamma_rate * sin(be), 1e-13, 1e-13);
    }
    /* sin(beta) = R33, cos(beta) without cancellation when nearly flat */
    const tru_body_state flat = {{0, 0, 0}, quat_exp(v3(1e-9, 0, 0)), {0, 0, 0}, {0, 0, 2.0}};
    const tru_disk_angles a = tru_disk_angles_of(&flat, quat_identity(), v3(0, 0, 1));
    check_close(a.cos_beta, 1e-9, 1e-12, 0.0);
    check_close(a.spin, 2.0, 1e-15, 0.0);
    const tru_body_state lying = {{0, 0, 0}, quat_identity(), {0, 0, 0}, {0, 0, 2.0}};
    check(tru_disk_angles_of(&lying, quat_identity(), v3(0, 0, 1)).alpha_rate == 0.0);
}

TEST(disk_of_a_body) {
    tru_error err;
    tru_disk_body d;
    const tru_disk thin = {0.1, 0.0}, thick = {0.1, 0.01};
    tru_body_info b = {.name = "coin", .shape_count = 1, .mass = 2.0, .inertia = {3e-3, 5e-3, 3e-3}};
    tru_shape_def shape = tru_default_shape_def();
    shape.shape = (tru_use){"disk", &thin};
    shape.orientation = (tru_quat){sqrt(0.5), sqrt(0.5), 0.0, 0.0}; /* axis along y */
    check_status(tru_disk_of(&b, &shape, G, &d, &err), TRU_OK);
    check_close(d.axial, 5e-3, 1e-12, 0.0);
    check_close(d.across, 3e-3, 1e-12, 0.0);
    check_close(d.radius, 0.1, 0.0, 0.0);
    b.inertia.x = 3.1e-3;
    check_status(tru_disk_of(&b, &shape, G, &d, &err), TRU_REFUSED);
    check_str(err.text, "body 'coin': its inertia is not symmetric about the disk's axis");
    b.inertia.x = 3e-3;
    b.centre.z = 1e-3;
    check_status(tru_disk_of(&b, &shape, G, &d, &err), TRU_REFUSED);
    check_str(err.text, "body 'coin': its centre of mass lies 0.001 m away from the disk's");
    b.centre.z = 0.0;
    shape.shape.params = &thick;
    check_status(tru_disk_of(&b, &shape, G, &d, &err), TRU_REFUSED);
    check_str(err.text, "body 'coin': the closed forms are for a thin disk, its thickness is 0.01 m");
    shape.shape.name = "sphere";
    check_status(tru_disk_of(&b, &shape, G, &d, &err), TRU_REFUSED);
    check_str(err.text, "body 'coin' is not a single disk");
}
