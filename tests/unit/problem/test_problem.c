/* test_problem.c: the matrix, the metric and the natural map of the contact problem against velocities of the bodies. */
#include "unit/solvers/small_problem.h"

/* Column j of G is the change of all rates by a unit impulse in row j, from the equations of motion of the bodies. */
TEST(matrix_is_the_response_of_bodies) {
    draw d = {check_seed(), 1, 0};
    for (int round = 0; round < 20; round++) {
        static small s;
        s.coulomb = tru_default_coulomb();
        s.rolling = tru_default_rolling();
        s.coulomb.slide = 0.4;
        s.rolling.roll.length = s.rolling.spin.length = 0.01;
        small_draw(&s, 4, 6, &d);
        small_assemble(&s);
        const int n = s.pb.n;
        double worst = 0.0;
        for (int j = 0; j < n; j++) {
            const block *b = &s.blocks[j / TRU_ROWS];
            const contact_frame *c = &b->contact->c;
            const tru_vec3 axes[3] = {c->normal, c->t1, c->t2};
            const int row = b->row[j - b->first];
            tru_vec3 v[BODIES] = {{0, 0, 0}}, w[BODIES] = {{0, 0, 0}};
            for (int side = 0; side < 2; side++) {
                const size_t who = side == 0 ? b->a : b->b;
                const double sign = side == 0 ? 1.0 : -1.0;
                const tru_vec3 force = row < 3 ? v3_scale(sign, axes[row]) : v3_zero();
                const tru_vec3 arm = side == 0 ? c->arm_a : c->arm_b;
                const tru_vec3 couple = row < 3 ? v3_cross(arm, force) : v3_scale(sign, axes[row - 3]);
                if (!(s.bodies[who].inv_mass > 0.0)) continue;
                v[who] = v3_madd(v[who], s.bodies[who].inv_mass, force);
                w[who] = v3_add(w[who], m3_apply(s.bodies[who].inverse, couple));
            }
            for (int i = 0; i < s.contact_count; i++) {
                double u[TRU_ROWS];
                small_rates(&s, &s.contacts[i], v, w, u);
                for (int k = 0; k < s.blocks[i].rows; k++) {
                    const double g = s.g[(s.blocks[i].first + k) * n + j], want = u[s.blocks[i].row[k]];
                    worst = fmax(worst, fabs(g - want) / (1.0 + fabs(want)));
                }
            }
        }
        check(worst < 1e-12);
        small_end(&s);
    }
}

/* rho of a contact is the same from the matrix and from its two bodies, and the fixed point p = proj(p - rho u) contracts: one over the
 * largest eigenvalue of each kind. */
TEST(metric_of_a_contact) {
    draw d = {check_seed(), 2, 0};
    for (int round = 0; round < 20; round++) {
        static small s;
        double metric[TRU_KINDS];
        s.coulomb = tru_default_coulomb();
        s.rolling = tru_default_rolling();
        s.coulomb.slide = 0.4;
        s.rolling.roll.length = s.rolling.spin.length = 0.01;
        small_draw(&s, 2, 2, &d);
        small_assemble(&s);
        for (int i = 0; i < 2; i++) {
            const block *b = &s.blocks[i];
            trui_problem_contact_metric(b->contact, &s.bodies[b->a], &s.bodies[b->b], metric);
            for (int kind = 0; kind < TRU_KINDS; kind++) check_close(metric[kind], b->metric[kind], 1e-12, 0.0);
            for (int k = 0; k < b->rows; k++) check_close(b->rho[k], b->metric[row_kind(b->row[k])], 0.0, 0.0);
            check(b->rho[0] * s.g[b->first * (s.pb.n + 1)] <= 1.0 + 1e-12);
            const double *slide = s.g + (b->first + 1) * (s.pb.n + 1);
            double most = 0.0; /* e.G e over directions of slip */
            for (int k = 0; k < 2000; k++) {
                const double angle = 3.141592653589793 * k / 2000.0, x = cos(angle), y = sin(angle);
                most = fmax(most, x * x * slide[0] + x * y * (slide[1] + slide[s.pb.n]) + y * y * slide[s.pb.n + 1]);
            }
            check_close(b->rho[1] * most, 1.0, 1e-5, 0.0);
        }
        small_end(&s);
    }
}

/* A ball that falls on the ground straight: p_n = -u_n / G_nn solves the problem, and 1 % more or less does not. */
TEST(natural_map_of_a_known_answer) {
    static small s;
    double f[MOST_ROWS], u[MOST_ROWS];
    tru_solve_info info = {.worst = -1};
    s.coulomb = tru_default_coulomb();
    s.rolling = tru_default_rolling();
    s.coulomb.slide = 0.4;
    small_begin(&s);
    tru_mat3 inverse = m3_zero();
    for (int k = 0; k < 3; k++) inverse.m[k][k] = 10.0;
    const size_t ball = small_body(&s, 2.0, inverse, v3(0.0, 0.0, -3.0), v3_zero());
    small_contact(&s, ball, 0, v3(0.0, 0.0, 1.0), v3(0.0, 0.0, -0.5), v3_zero());
    small_assemble(&s);
    s.p[0] = 6.0; /* m v */
    trui_problem_rates(&s.pb, s.p, u);
    check_close(u[0], 0.0, 0.0, 1e-15);
    check(trui_problem_evaluate(&s.pb, s.p, u, f, NULL) <= 1e-15);
    check_status(s.blocks[0].stuck & TRU_KIND_BIT(TRU_KIND_SLIDE), TRU_KIND_BIT(TRU_KIND_SLIDE));
    for (int side = -1; side <= 1; side += 2) {
        s.p[0] = 6.0 * (1.0 + 0.01 * side);
        trui_problem_rates(&s.pb, s.p, u);
        const double worst = trui_problem_evaluate(&s.pb, s.p, u, f, NULL);
        check_close(worst, 0.01, 1e-9, 0.0); /* 0.03 m/s of 3 m/s */
        trui_problem_report(&s.pb, f, &info);
        check_close(info.residual[TRU_KIND_NORMAL], 0.03, 1e-9, 0.0);
        check_status(info.worst, 0);
    }
    small_end(&s);
}
