/* test_lone.c: one contact alone gives the answer of dense newton, over all laws, bodies and warm starts. */
#include "unit/solvers/small_problem.h"

#include "detect/find_contacts.h"
#include "solvers/one_contact/one_contact.h"

enum { PROBLEMS = 100000 };
#define CLOSE 1e-14 /* [-] tolerance of both */

/* A law with random parameters, and what it claims. */
typedef struct any_law {
    tru_coulomb coulomb;
    tru_contensou contensou;
    tru_rolling rolling;
    tru_contour contour;
} any_law;

static void add_law(pair *p, const tru_law *law, void *params) {
    const unsigned claims = law->claims(params);
    p->laws[p->law_count++] = (pair_law){law, params, claims, p->history, 0};
    p->claims |= claims;
    p->history += law->history;
    p->viscous |= law->viscosity != NULL;
}

/* Friction laws of slide and spin, then of roll: every combination, kinds may be absent. */
static void draw_laws(pair *p, any_law *a, draw *d) {
    *p = (pair){.law_count = 0};
    a->coulomb = tru_default_coulomb();
    a->contensou = tru_default_contensou();
    a->rolling = tru_default_rolling();
    a->contour = tru_default_contour();
    const int slide = draw_int(d, 3), roll = draw_int(d, 3);
    const double mu = draw_in(d, 0.02, 0.3), fixed = draw_int(d, 3) ? TRU_DERIVED : mu * draw_in(d, 1.0, 1.3);
    const double fades = fixed > mu && draw_int(d, 2) ? draw_in(d, 0.5, 2.0) : 0.0;
    if (slide == 1) {
        a->coulomb = (tru_coulomb){.slide = mu, .slide_static = fixed, .stribeck = fades};
        add_law(p, &tru_law_coulomb, &a->coulomb);
    } else if (slide == 2) {
        a->contensou = (tru_contensou){.slide = mu, .slide_static = fixed, .stribeck = fades};
        a->contensou.patch = draw_in(d, 1e-4, 2e-2);
        add_law(p, &tru_law_contensou, &a->contensou);
    }
    if (roll == 1 || slide < 2) {
        if (slide < 2 && draw_int(d, 2)) a->rolling.spin.length = draw_in(d, 1e-4, 1e-2);
        if (slide < 2 && draw_int(d, 4) == 0) a->rolling.spin_viscosity = draw_in(d, 0.0, 0.1);
        if (roll == 1) a->rolling.roll.length = draw_in(d, 1e-4, 1e-2);
        if (roll == 1 && draw_int(d, 4) == 0) a->rolling.roll_viscosity = draw_in(d, 0.0, 0.1);
        add_law(p, &tru_law_rolling, &a->rolling);
    }
    if (roll == 2) {
        a->contour.contour = draw_int(d, 3) ? draw_in(d, 1e-4, 0.1) : 0.0;
        a->contour.contour_viscosity = draw_int(d, 3) == 0 ? draw_in(d, 0.0, 1.0) : 0.0;
        add_law(p, &tru_law_contour, &a->contour);
    }
}

static void draw_body(small *s, draw *d) {
    const double mass = exp2(draw_in(d, -3.0, 3.0)), j = 0.4 * mass * 0.01;
    const tru_mat3 r = quat_to_matrix(tru_random_attitude(d->seed, d->id, d->index++));
    const bool round = draw_int(d, 3) == 0;
    tru_mat3 inverse = m3_zero();
    for (int k = 0; k < 3; k++) inverse.m[k][k] = (round ? 1.0 : draw_in(d, 0.5, 2.0)) / j;
    const size_t i = small_body(s, mass, round ? inverse : m3_rotate_sym(r, inverse),
                                v3_add(draw_vec(d), v3(0, 0, -1.0)), v3_scale(5.0, draw_vec(d)));
    s->bodies[i].round = round;
}

/* One contact of a body with the fixed one or with another, and what it remembers of a last step. */
static contact *draw_contact(small *s, double *history, draw *d) {
    const bool two = draw_int(d, 3) == 0;
    draw_body(s, d);
    if (two) draw_body(s, d);
    tru_vec3 n = draw_unit(d);
    n.z = fabs(n.z) + 0.5;
    v3_unit(n, &n);
    const tru_vec3 off = draw_int(d, 3) ? v3_scale(0.03, draw_vec(d)) : v3_zero();
    small_contact(s, 1, two ? 2 : 0, n, v3_madd(off, -0.1, n), v3_madd(off, 0.1, n));
    contact *c = s->contacts;
    c->theta = draw_int(d, 2) ? 0.5 : 1.0;
    c->c.rim_points = draw_int(d, 2) ? 1 : 0; /* a rim, or a ball */
    c->c.stuck = c->stuck = (uint32_t)draw_int(d, 16);
    c->c.memory = history;
    c->end = &s->end;
    s->end = (contact_end){.slip = {0.0}};
    for (int k = 0; k < TRU_ROWS; k++) {
        const double bias = draw_int(d, 2) ? 0.1 * draw_in(d, -1.0, 1.0) : 0.0;
        *(k == 0 ? &c->bias : &s->end.bias[k - 1]) = bias;
    }
    for (int k = 0; k < TRU_ROWS; k++) c->dry[k] = draw_int(d, 2) ? (k < 3 ? 1.0 : 0.1) * draw_in(d, -1.0, 1.0) : 0.0;
    c->dry[0] = fabs(c->dry[0]);
    return c;
}

/* As laws see it: of a ball, or of a rim. */
static tru_contact view_of(const contact *c) {
    return (tru_contact){.normal = c->c.normal,
                         .t1 = c->c.t1,
                         .t2 = c->c.t2,
                         .arm_a = c->c.arm_a,
                         .arm_b = c->c.arm_b,
                         .lever = {{0.0, 0.1}, {c->c.rim_points ? 0.0 : -0.1, 0.0}},
                         .step = 1e-2,
                         .stuck = c->c.stuck,
                         .rim_points = 1};
}

/* The same contact by dense newton, from the same start; p in rows of the contact, viscous parts in. */
static bool by_newton(small *s, double p[TRU_ROWS], double u[TRU_ROWS], uint32_t *stuck) {
    tru_newton o = tru_default_newton();
    o.tolerance = CLOSE;
    contact *c = s->contacts;
    block *b = s->blocks;
    tru_solve_info info = {0};
    tru_error err;
    tru_contact view = view_of(c);
    s->pb = (tru_problem){.scratch = &s->scratch, .bodies = s->bodies, .step = view.step, .blocks = b, .rows = s->rows};
    s->pb.g = s->g, s->pb.r = s->r, s->pb.p = s->p, s->pb.u = s->u;
    s->pb.block_count = 1;
    *b = (block){.kind = BLOCK_CONTACT, .a = c->a, .b = c->b, .theta = c->theta, .contact = c};
    b->law_count = s->pair.law_count;
    b->least_speed = 0.01;
    for (int k = 0; k < b->law_count; k++) {
        const pair_law *l = &s->pair.laws[k];
        double *own = c->c.memory + l->memory;
        l->law->prepare(l->params, &view, b->work[k]);
        b->laws[k] = (law_use){l->law, b->work[k], own, l->claims};
    }
    trui_problem_contact_rows(&s->pb, b, c);
    check(trui_problem_assemble(&s->pb));
    for (int k = 0; k < b->rows; k++) s->p[k] = c->dry[b->row[k]];
    bool good = false;
    for (int round = 0; round < 8; round++) {
        double free[TRU_ROWS];
        small_rates(s, c, s->v, s->w, free);
        for (int k = 0; k < b->rows; k++) s->r[k] = free[b->row[k]] + contact_bias(c, b->row[k]);
        trui_problem_free_rates(&s->pb);
        good = tru_solver_newton.solve(&o, &s->pb, &info, &err) == TRU_OK;
        bool again = false;
        for (int k = 0; k < b->law_count; k++)
            again |= b->laws[k].law->revise && b->laws[k].law->revise(b->work[k], b->stuck);
        if (!again) break;
    }
    memset(p, 0, TRU_ROWS * sizeof *p);
    memset(u, 0, TRU_ROWS * sizeof *u);
    for (int k = 0; k < b->rows; k++) {
        p[b->row[k]] = s->p[k] - trui_block_viscous(&s->pb, b, k);
        u[b->row[k]] = s->u[k];
    }
    *stuck = b->stuck;
    return good;
}

/* By itself, onto the contact; seen: the rates of its laws. */
static bool by_itself(small *s, one_contact *l, double seen[TRU_ROWS]) {
    contact *c = s->contacts;
    double worst = 1.0;
    int steps = 0;
    tru_contact view = view_of(c);
    check(trui_one_contact_build(l, c, &view, &s->bodies[c->a], &s->bodies[c->b], 0.01));
    trui_one_contact_free_rates(l, &(twist){s->v[c->a], s->w[c->a]}, &(twist){s->v[c->b], s->w[c->b]});
    for (int round = 0; round < 8; round++) {
        steps += trui_one_contact_solve(l, CLOSE, NEWTON_STEPS, &worst);
        if (!trui_one_contact_revise(l)) break;
    }
    trui_one_contact_finish(l, seen);
    tru_solve_info info = {0};
    trui_one_contact_report(l, worst, steps, CLOSE, &info);
    check(info.converged == (worst <= CLOSE) && info.iterations == steps);
    return info.converged;
}

/* Both stop where the residual is 1e-14 of the speed; the condition of the matrix leaves two digits of that. */
TEST(agrees_with_newton) {
    draw d = {check_seed(), 7, 0};
    small *s = malloc(sizeof *s);
    one_contact *l = malloc(sizeof *l);
    any_law laws;
    int solved = 0, balls = 0, stuck_all = 0, slid = 0, open = 0;
    double worst = 0.0;
    for (int i = 0; i < PROBLEMS; i++) {
        double history[4] = {1.0, 1.0, 1.0, 1.0}, same[4] = {1.0, 1.0, 1.0, 1.0}, p[TRU_ROWS], u[TRU_ROWS],
               seen[TRU_ROWS];
        uint32_t stuck;
        s->coulomb = tru_default_coulomb();
        s->rolling = tru_default_rolling();
        small_begin(s);
        draw_laws(&s->pair, &laws, &d);
        contact *c = draw_contact(s, history, &d);
        const bool dense = by_newton(s, p, u, &stuck);
        c->c.memory = same;
        const bool alone = by_itself(s, l, seen);
        small_end(s);
        if (!check(alone || !dense)) printf("problem %d: only newton solved it\n", i);
        if (!alone || !dense) continue;
        solved++;
        balls += l->ball;
        open += c->impulse[0] == 0.0;
        stuck_all += c->impulse[0] > 0.0 && c->stuck == s->pair.claims;
        slid += c->impulse[0] > 0.0 && c->stuck != s->pair.claims;
        for (int k = 0; k < TRU_ROWS; k++) {
            const double length = k < 3 ? 1.0 : l->length;
            const double apart = fmax(fabs(c->impulse[k] - p[k]) / length / (l->rho[0] * l->speed),
                                      fabs(seen[k] - u[k]) * length / l->speed);
            worst = fmax(worst, apart);
            if (!check(apart < 1e-12)) printf("problem %d row %d: %g apart\n", i, k, apart);
        }
    }
    printf("%d of %d solved, %d of balls: %d open, %d stuck, %d sliding; largest difference %.2g\n", solved, PROBLEMS,
           balls, open, stuck_all, slid, worst);
    check(balls > PROBLEMS / 100);
    check(solved > PROBLEMS - PROBLEMS / 1000 && open > PROBLEMS / 100 && stuck_all > PROBLEMS / 100 &&
          slid > PROBLEMS / 4);
    free(s);
    free(l);
}
