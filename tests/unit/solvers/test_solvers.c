/* test_solvers.c: every registered solver on small random problems: residual from raw data, agreement, self-stress. */
#define _GNU_SOURCE
#include "plugins.h"
#include "small_problem.h"

#define EACH_SOLVER(solver) for (size_t solver##_k = 0; (solver = tru_solver_at(solver##_k)) != NULL; solver##_k++)

/* Parameters for a solver at its most accurate: by its table, with a tolerance of 1e-12 and iterations without end. Solvers for many
 * contacts give the few of this file to newton; many: test_sweep_problem.c. */
typedef union solver_params {
    blob any;
    tru_newton newton;
    tru_prox prox;
    tru_proxnewton proxnewton;
} solver_params;

static void accurate(const tru_solver *solver, int contacts, solver_params *p) {
    p->any = kit_typical_params(solver->fields, SHAPE_LENGTH);
    kit_set_number(solver->fields, "tolerance", 1e-12, p);
    kit_set_number(solver->fields, "iterations", 200000, p);
    if (strcmp(solver->name, "proxnewton") == 0) p->proxnewton.iterations = 5000;
    if (strcmp(solver->name, "prox") != 0) return;
    p->prox.relaxation = 1.0 / contacts;
    p->prox.tolerance = 1e-15;
}

/* Random coefficients up to `most` of slide; each kind may be absent. */
static void coefficients(small *s, double most, draw *d) {
    s->coulomb = tru_default_coulomb();
    s->rolling = tru_default_rolling();
    if (draw_int(d, 5)) s->coulomb.slide = draw_in(d, 0.0, most);
    if (draw_int(d, 2)) s->rolling.spin.length = draw_in(d, 0.0, 0.04 * most);
    if (draw_int(d, 2)) s->rolling.roll.length = draw_in(d, 0.0, 0.04 * most);
    if (draw_int(d, 4) == 0) s->rolling.roll_viscosity = draw_in(d, 0.0, 0.1);
    if (draw_int(d, 4) == 0) s->rolling.spin_viscosity = draw_in(d, 0.0, 0.1);
}

/* ---- answers: every solver obeys the laws and tells its residual ---- */

/* Both solvers on the same problem: laws obeyed by raw data, same velocities at the end. */
TEST(random_problems) {
    draw d = {check_seed(), 1, 0};
    small *s = malloc(sizeof *s);
    int compared = 0, unsolved = 0;
    for (int i = 0; i < 300; i++) {
        const tru_solver *solver;
        const int contacts = 1 + i % 6;
        bool reference = false;
        tru_vec3 first_v[BODIES], first_w[BODIES];
        const bool chain = i % 2 == 0; /* the others may hold self-stress, and then have several solutions */
        coefficients(s, chain ? 0.3 : 0.5, &d);
        small_draw(s, chain ? contacts : 1 + draw_int(&d, contacts), contacts, &d);
        EACH_SOLVER(solver) {
            solver_params p;
            tru_solve_info info = {0};
            tru_error err;
            tru_vec3 v[BODIES], w[BODIES];
            accurate(solver, contacts, &p);
            trui_arena_reset(&s->scratch);
            small_assemble(s);
            const tru_status status = small_solve(s, solver, &p, &info, &err);
            check(status == (info.converged ? TRU_OK : TRU_UNCONVERGED));
            if (info.relative > 1e-11) { /* slow, or next to a fold of the solution: must not pretend */
                check(!info.converged || strcmp(solver->name, "prox") == 0);
                unsolved += strcmp(solver->name, "newton") == 0;
                continue;
            }
            if (!check(small_error(s) < 1e-9)) printf("%s, problem %d: %g m/s\n", solver->name, i, small_error(s));
            small_end_velocities(s, v, w);
            for (int k = 0; k < s->body_count && reference && chain; k++) {
                if (!check_close(v3_norm(v3_sub(v[k], first_v[k])), 0.0, 0.0, 1e-8)) printf("problem %d\n", i);
                check_close(v3_norm(v3_sub(w[k], first_w[k])), 0.0, 0.0, 1e-7);
            }
            compared += reference;
            reference = true;
            memcpy(first_v, v, sizeof v);
            memcpy(first_w, w, sizeof w);
        }
        small_end(s);
    }
    check(compared > 280 && unsolved <= 2);
    free(s);
}

/* What the solver says of its residual is what it is: p and u come back consistent, one impulse off is seen. */
TEST(residual_is_that_of_the_impulses) {
    draw d = {check_seed(), 2, 0};
    small *s = malloc(sizeof *s);
    for (int i = 0; i < 60; i++) {
        tru_solve_info info = {0}, again = {0};
        tru_error err;
        solver_params p;
        double f[MOST_ROWS], u[MOST_ROWS];
        coefficients(s, 0.5, &d);
        small_draw(s, 1 + i % 3, 1 + i % 6, &d);
        small_assemble(s);
        accurate(&tru_solver_newton, 1, &p);
        tru_solver_newton.solve(&p, &s->pb, &info, &err);
        trui_problem_rates(&s->pb, s->p, u);
        for (int k = 0; k < s->pb.n; k++) check(u[k] == s->u[k]);
        check(trui_problem_evaluate(&s->pb, s->p, u, f, NULL) == info.relative);
        trui_problem_report(&s->pb, f, &again);
        for (int k = 0; k < TRU_KINDS; k++) check(again.residual[k] == info.residual[k]);
        check(again.worst == info.worst && info.worst >= 0 && info.worst < s->contact_count);
        double push = 0.0;
        for (int k = 0; k < s->contact_count; k++) push = fmax(push, s->p[s->blocks[k].first]);
        for (int k = 0; k < s->pb.n && push > 0.0; k++) {
            const double kept = s->p[k];
            s->p[k] += 1e-6 * push * s->rows[k].length;
            trui_problem_rates(&s->pb, s->p, u);
            check(!info.converged || trui_problem_evaluate(&s->pb, s->p, u, f, NULL) > 1e3 * info.relative);
            s->p[k] = kept;
        }
        small_end(s);
    }
    free(s);
}

/* A box of mass m on k = 4 corners: 12 rows for 6 freedoms. Velocities and the sum of impulses are determined. */
static void box(small *s, tru_vec3 v, tru_vec3 w) {
    const double m = 2.0, a = 0.2, b = 0.1, c = 0.05; /* half widths */
    tru_mat3 inverse = m3_zero();
    inverse.m[0][0] = 3.0 / (m * (b * b + c * c));
    inverse.m[1][1] = 3.0 / (m * (a * a + c * c));
    inverse.m[2][2] = 3.0 / (m * (a * a + b * b));
    small_begin(s);
    small_body(s, m, inverse, v, w);
    for (int i = 0; i < 4; i++) {
        const tru_vec3 arm = v3(i & 1 ? a : -a, i & 2 ? b : -b, -c);
        small_contact(s, 1, 0, v3(0, 0, 1), arm, arm);
    }
}

TEST(box_on_four_corners) {
    const double mu = 0.3, h = 1e-2, g = 9.81;
    small *s = malloc(sizeof *s);
    const struct {
        tru_vec3 v, w;
        double vx;                                                /* [m/s] at the end */
    } cases[] = {{{0, 0, -g * h}, {0, 0, 0}, 0.0},                /* rests */
                 {{0.5, 0, -g * h}, {0, 0, 0}, 0.5 - mu * g * h}, /* slides */
                 {{0.02, 0, -g * h}, {0, 0, 0}, 0.0},             /* stops */
                 {{0, 0, -g * h}, {0, 0, 0.1}, 0.0}};             /* stops turning */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const tru_solver *solver;
        EACH_SOLVER(solver) {
            solver_params p;
            tru_solve_info info = {0};
            tru_error err;
            tru_vec3 v[BODIES], w[BODIES];
            double normal = 0.0;
            s->coulomb = tru_default_coulomb();
            s->rolling = tru_default_rolling();
            s->coulomb.slide = mu;
            box(s, cases[i].v, cases[i].w);
            accurate(solver, 4, &p);
            small_assemble(s);
            check_status(small_solve(s, solver, &p, &info, &err), TRU_OK);
            check(small_error(s) < 1e-12);
            small_end_velocities(s, v, w);
            for (int k = 0; k < 4; k++) normal += s->p[s->blocks[k].first];
            check_close(normal, 2.0 * g * h, 1e-11, 0.0);
            check_close(v[1].x, cases[i].vx, 0.0, 1e-12);
            check_close(fabs(v[1].y) + fabs(v[1].z), 0.0, 0.0, 1e-12);
            check_close(v3_norm(w[1]), 0.0, 0.0, 1e-11);
            small_end(s);
        }
    }
    free(s);
}

/* ---- starts: a solution is left as it is ---- */

/* Self-stress: a ball wedged between walls that lean inwards may hold any pressure. From a warm start that is a
 * solution already, no solver moves; from zero none invents a stress that nothing asks for. */
TEST(self_stress_stays_as_it_is) {
    small *s = malloc(sizeof *s);
    tru_mat3 inverse = m3_zero();
    for (int k = 0; k < 3; k++) inverse.m[k][k] = 1.0 / (0.4 * 0.01);
    const tru_solver *solver;
    EACH_SOLVER(solver) {
        for (int warm = 0; warm < 2; warm++) {
            solver_params p;
            tru_solve_info info = {0};
            tru_error err;
            tru_vec3 v[BODIES], w[BODIES];
            s->coulomb = tru_default_coulomb();
            s->rolling = tru_default_rolling();
            s->coulomb.slide = 0.5;
            small_begin(s);
            small_body(s, 1.0, inverse, v3(0, 0, -0.0981), v3_zero());
            for (int side = -1; side <= 1; side += 2)
                small_contact(s, 1, 0, v3(side, 0, 0), v3(-0.1 * side, 0, 0), v3(-0.1 * side, 0, 0));
            small_assemble(s);
            accurate(solver, 2, &p);
            if (warm) /* pressed with 1 N s, the weight carried half by each side */
                for (int k = 0; k < 2; k++) {
                    const contact *c = &s->contacts[k];
                    double *q = s->p + s->blocks[k].first;
                    q[0] = 1.0;
                    q[1] = 0.5 * 0.0981 * c->c.t1.z;
                    q[2] = 0.5 * 0.0981 * c->c.t2.z;
                }
            check_status(small_solve(s, solver, &p, &info, &err), TRU_OK);
            check(small_error(s) < 1e-12);
            small_end_velocities(s, v, w);
            check_close(v[1].z, warm ? 0.0 : -0.0981, 0.0, 1e-12); /* unpressed it falls */
            for (int k = 0; k < 2; k++) check_close(s->p[s->blocks[k].first], warm ? 1.0 : 0.0, 0.0, 1e-9);
            small_end(s);
        }
    }
    free(s);
}

/* A warm start at the solution costs newton nothing; one of infinities is thrown away. */
TEST(newton_warm_start) {
    draw d = {check_seed(), 3, 0};
    small *s = malloc(sizeof *s);
    int solved = 0;
    for (int i = 0; i < 30; i++) {
        solver_params p;
        tru_solve_info info = {0}, warm = {0}, wild = {0};
        tru_error err;
        coefficients(s, 0.5, &d);
        small_draw(s, 1 + i % 3, 1 + i % 6, &d);
        small_assemble(s);
        accurate(&tru_solver_newton, 1, &p);
        const tru_status first = tru_solver_newton.solve(&p, &s->pb, &info, &err);
        if (first == TRU_OK) {
            check_status(tru_solver_newton.solve(&p, &s->pb, &warm, &err), TRU_OK);
            check(warm.iterations == 0);
            s->p[0] = HUGE_VAL;
            check_status(tru_solver_newton.solve(&p, &s->pb, &wild, &err), TRU_OK);
            check(small_error(s) < 1e-9);
            solved++;
        }
        small_end(s);
    }
    check(solved >= 29);
    free(s);
}

/* ---- rows of joints ---- */

/* Joints' rows: bilateral rows end at rate zero, box rows push with at most their bound. */
TEST(bilateral_and_box_rows) {
    const tru_solver *solver;
    small *s = malloc(sizeof *s);
    EACH_SOLVER(solver) {
        for (int weak = 0; weak < 2; weak++) {
            solver_params p;
            tru_solve_info info = {0};
            tru_error err;
            s->coulomb = tru_default_coulomb();
            s->rolling = tru_default_rolling();
            small_begin(s);
            small_body(s, 2.0, m3_identity(), v3(3.0, -1.0, 0.5), v3_zero());
            small_contact(s, 1, 0, v3(1, 0, 0), v3_zero(), v3_zero());
            small_contact(s, 1, 0, v3(0, 1, 0), v3_zero(), v3_zero());
            small_assemble(s);
            s->blocks[0].kind = BLOCK_BILATERAL;
            s->blocks[1].kind = BLOCK_BOX;
            s->blocks[1].bound = weak ? 0.5 : 5.0;
            accurate(solver, 2, &p);
            check_status(small_solve(s, solver, &p, &info, &err), TRU_OK);
            check_close(s->p[0], -6.0, 1e-11, 0.0); /* tolerance 1e-12 of 3 m/s */
            check_close(s->u[0], 0.0, 0.0, 1e-11);
            check_close(s->p[1], weak ? 0.5 : 2.0, 1e-11, 0.0);
            check_close(s->u[1], weak ? -0.75 : 0.0, 0.0, 1e-11);
            small_end(s);
        }
    }
    free(s);
}

/* ---- what a solver tells: unconverged steps, stuck rows ---- */

/* Too few iterations: a remark, never silence, and the numbers say how far off it is. */
TEST(unconverged_is_said) {
    draw d = {check_seed(), 4, 0};
    small *s = malloc(sizeof *s);
    int said = 0;
    for (int i = 0; i < 60; i++) {
        const tru_solver *solver;
        EACH_SOLVER(solver) {
            tru_solve_info info = {0};
            tru_error err;
            solver_params p;
            coefficients(s, 0.5, &d);
            small_draw(s, 3, 3 + i % 4, &d);
            small_assemble(s);
            accurate(solver, 4, &p);
            kit_set_number(solver->fields, strcmp(solver->name, "newton") == 0 ? "max_steps" : "iterations", 1, &p);
            const tru_status status = small_solve(s, solver, &p, &info, &err);
            const bool good = small_error(s) < 1e-9;
            check(status == (info.converged ? TRU_OK : TRU_UNCONVERGED));
            check(good || status == TRU_UNCONVERGED);
            check(good || info.relative > 1e-12);
            said += status == TRU_UNCONVERGED;
            small_end(s);
        }
    }
    check(said > 60);
    free(s);
}

/* Which kinds stick: those whose rate is zero with impulses inside their limit. */
TEST(stuck_kinds) {
    small *s = malloc(sizeof *s);
    tru_mat3 inverse = m3_zero();
    for (int k = 0; k < 3; k++) inverse.m[k][k] = 1.0 / (0.4 * 0.01);
    for (unsigned want = 0; want < 8; want++) { /* bit 0 slide, 1 spin, 2 roll moves */
        solver_params p;
        tru_solve_info info = {0};
        tru_error err;
        s->coulomb = tru_default_coulomb();
        s->rolling = tru_default_rolling();
        s->coulomb.slide = 0.3;
        s->rolling.spin.length = s->rolling.roll.length = 1e-3;
        small_begin(s);
        const double slip = want & 1u ? 1.0 : 0.0, spin = want & 2u ? 9.0 : 0.0, roll = want & 4u ? 9.0 : 0.0;
        /* rolling without slip: v = 0.1 * rate; slip on top */
        small_body(s, 1.0, inverse, v3(0.1 * roll + slip, 0, -0.0981), v3(0, roll, spin));
        small_contact(s, 1, 0, v3(0, 0, 1), v3(0, 0, -0.1), v3(0, 0, -0.1));
        small_assemble(s);
        accurate(&tru_solver_newton, 1, &p);
        check_status(tru_solver_newton.solve(&p, &s->pb, &info, &err), TRU_OK);
        const uint32_t stuck = s->blocks[0].stuck;
        check_status(stuck & TRU_KIND_BIT(TRU_KIND_SLIDE) ? 1 : 0, want & 1u ? 0 : 1);
        check_status(stuck & TRU_KIND_BIT(TRU_KIND_SPIN) ? 1 : 0, want & 2u ? 0 : 1);
        if (!(want & 1u)) /* sliding makes it roll */
            check_status(stuck & TRU_KIND_BIT(TRU_KIND_ROLL) ? 1 : 0, want & 4u ? 0 : 1);
        small_end(s);
    }
    free(s);
}
