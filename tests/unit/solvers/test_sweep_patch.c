/* test_packed_patch.c: the cone of law contensou in the packed problem: lanes against the scalar cone, certificate, the same
 * bits from every instruction set, whole problems against dense newton and the judge. */
#define _GNU_SOURCE
#include "check.h"
#include "worlds.h"
#include "../laws/prepared.h"

#include "laws/set_valued/contensou_set.h"
#include "lanes/isa.h"
#include "solvers/sweep_problem/sweep_kernel.h"
#include "world/world.h"

static const sweep_kernels *const kernels[] = {SIMD_VARIANTS(trui_sweep)};

/* ---- projection */

enum { BATCHES = 12500 };

/* Laws of each lane, to ask the scalar cone. */
typedef struct lane_case {
    double mu, patch, rho, metric[TRU_KINDS], x[TRU_ROWS];
} lane_case;

static void lane_draw(draw *d, lane_case *c) {
    c->mu = exp2(draw_in(d, -6.0, 3.0));
    c->patch = exp2(draw_in(d, -12.0, 2.0));
    c->rho = draw_int(d, 3) ? exp2(draw_in(d, -10.0, 0.0)) : 0.0;
    metric_draw(d, c->metric);
    c->x[0] = draw_int(d, 20) ? draw_wide(d, -6.0, 6.0) : 0.0;
    const double size[3] = {c->mu, CONTENSOU_DRILL * c->mu * c->patch, c->rho};
    for (int r = 1; r < TRU_ROWS; r++)
        c->x[r] = draw_wide(d, -8.0, 4.0) * (fabs(c->x[0]) + 0.01) * size[LAW_KIND_OF_ROW(r - 1) - 1];
    if (draw_int(d, 15) == 0) c->x[1] = c->x[2] = 0.0;
    if (draw_int(d, 15) == 0) c->x[3] = 0.0;
}

static void lane_fill(sweep_coupled *o, int j, const lane_case *c) {
    const double *m = c->metric;
    o->x[j] = c->x[0];
    o->slide[j] = hypot(c->x[1], c->x[2]);
    o->spin[j] = fabs(c->x[3]) / c->patch;
    o->roll[j] = hypot(c->x[4], c->x[5]);
    o->mu[j] = c->mu, o->rho[j] = c->rho;
    o->by_slide[j] = m[0] / m[1], o->by_spin[j] = c->patch * c->patch * (m[0] / m[2]),
    o->lean[j] = m[0] / m[3] * c->rho;
}

/* The scalar cone of the laws. */
static void scalar_cone(const lane_case *c, double y[TRU_ROWS]) {
    tru_contensou slide = tru_default_contensou();
    tru_rolling roll = tru_default_rolling();
    slide.slide = c->mu, slide.patch = c->patch, roll.roll.length = c->rho;
    const tru_contact view = {.normal = {0, 0, 1}, .t1 = {1, 0, 0}, .t2 = {0, 1, 0}};
    double work[2][TRU_LAW_WORK] = {{0}};
    tru_law_contensou.prepare(&slide, &view, work[0]);
    tru_law_rolling.prepare(&roll, &view, work[1]);
    const law_use use[2] = {{&tru_law_contensou, work[0], NULL, tru_law_contensou.claims(&slide)},
                            {&tru_law_rolling, work[1], NULL, tru_law_rolling.claims(&roll)}};
    trui_laws_cone(use, 2, c->metric, 0.0, c->x, y);
}

/* Support of the section in direction (v, w), by the scalar meridian. */
static double power(double v, double w) {
    if (!(v + w > 0.0)) return 0.0;
    const meridian m = v <= w ? trui_contensou_below(v / w) : trui_contensou_above(w / v);
    return v * m.xi + w * m.eta;
}

/* y in the cone, x - y in the polar cone and orthogonal to y, all in the metric: the largest violation, relative. */
static double certificate(const sweep_coupled *o, int j) {
    const double y = o->y[j], a = o->to_slide[j], b = o->to_spin[j], l = fmin(o->roll[j], o->rho[j] * y);
    const double qa = o->by_slide[j], qb = o->by_spin[j], qr = o->rho[j] > 0.0 ? o->lean[j] / o->rho[j] : 0.0;
    const double ga = qa * (o->slide[j] - a), gb = qb * (o->spin[j] - b), gr = qr * (o->roll[j] - l), gn = o->x[j] - y;
    const double size = o->x[j] * o->x[j] + qa * o->slide[j] * o->slide[j] + qb * o->spin[j] * o->spin[j] +
                        qr * o->roll[j] * o->roll[j] + 1e-300;
    const double reach = fabs(o->x[j]) + o->mu[j] * (qa * o->slide[j] + qb * o->spin[j]) + o->lean[j] * o->roll[j];
    const double polar = gn + o->mu[j] * power(fmax(ga, 0.0), fmax(gb, 0.0)) + o->rho[j] * gr;
    const contensou_foot f = trui_contensou_project(a / (o->mu[j] * y), b / (o->mu[j] * y), 1.0, 1.0);
    double out = 0.0;
    if (y > 0.0 && !f.inside)
        out = fmax(a / (o->mu[j] * y) - f.at.xi, b / (o->mu[j] * y) - f.at.eta);
    else if (y == 0.0)
        out = a + b > 0.0 ? 1.0 : 0.0;
    const double dot = fabs(gn * y + ga * a + gb * b + gr * l) / size;
    return fmax(fmax(out, dot), polar / (reach + 1e-300));
}

/* 10^5 points over metrics 1e-4 .. 1e4. */
TEST(lanes_are_the_scalar_cone) {
    draw d = {check_seed(), 31, 0};
    double worst = 0.0, near = 0.0, far = 0.0;
    int apex = 0, inside = 0, between = 0;
    for (int i = 0; i < BATCHES; i++) {
        sweep_coupled o = {.stuck = 0};
        lane_case c[LANES];
        for (int j = 0; j < LANES; j++) {
            lane_draw(&d, &c[j]);
            lane_fill(&o, j, &c[j]);
            o.guess[j] = draw_in(&d, -0.2, 2.2);
        }
        sweep_coupled start = o;
        kernels[0]->coupled(&o);
        for (int isa = 1; isa < 3; isa++) {
            sweep_coupled again = start;
            if (!simd_supported(isa)) continue;
            kernels[isa]->coupled(&again);
            check(memcmp(&again, &o, sizeof o) == 0);
        }
        for (int j = 0; j < LANES; j++) {
            double y[TRU_ROWS];
            scalar_cone(&c[j], y);
            const double *m = c[j].metric,
                         scale = sqrt(o.x[j] * o.x[j] + o.by_slide[j] * o.slide[j] * o.slide[j] +
                                      o.by_spin[j] * o.spin[j] * o.spin[j] + m[0] / m[3] * o.roll[j] * o.roll[j]);
            const double e[3] = {o.y[j] - y[0], sqrt(o.by_slide[j]) * (o.to_slide[j] - hypot(y[1], y[2])),
                                 sqrt(o.by_spin[j]) * (o.to_spin[j] - fabs(y[3]) / c[j].patch)};
            const double most = fmax(fmax(o.by_slide[j], o.by_spin[j]), 1.0);
            const double least = fmin(fmin(o.by_slide[j], o.by_spin[j]), 1.0);
            double *to = most < 1e4 * least ? &near : &far;
            *to = fmax(*to, sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) / scale);
            worst = fmax(worst, certificate(&o, j));
            const bool same = o.to_slide[j] == o.slide[j] && o.to_spin[j] == o.spin[j];
            apex += o.y[j] == 0.0;
            inside += same && o.y[j] > 0.0;
            between += !same && o.y[j] > 0.0;
        }
    }
    /* where weights differ much, phi of the scalar cone cancels; the certificate tells who is nearer */
    if (!check(near < 1e-12 && far < 1e-10)) printf("from the scalar cone %g, %g\n", near, far);
    if (!check(worst < 1e-14)) printf("certificate %g\n", worst);
    check(apex > 5000 && inside > 5000 && between > 20000);
}

/* One lane by the first kernel. */
static sweep_coupled one(double x, double slide, double spin, double floor) {
    sweep_coupled o = {.x = {x}, .slide = {slide}, .spin = {spin}, .mu = {0.5}, .floor = {floor}, .guess = {1.0}};
    o.by_slide[0] = 3.0, o.by_spin[0] = 0.2;
    kernels[0]->coupled(&o);
    return o;
}

/* Apex, axis, edges, and a normal impulse that is held up. */
TEST(degenerate_points) {
    for (int i = 0; i < 2; i++) {
        const sweep_coupled o = one(i ? 0.0 : -1.0, 0.0, 0.0, 0.0); /* on the axis */
        check(o.y[0] == 0.0 && o.to_slide[0] == 0.0 && o.to_spin[0] == 0.0 && !(o.stuck & 1u));
    }
    sweep_coupled o = one(2.0, 0.0, 0.0, 0.0);
    check(o.y[0] == 2.0 && o.to_slide[0] == 0.0 && o.to_spin[0] == 0.0 && (o.stuck & 1u));
    o = one(-1.0, 0.3, 0.4, 0.0); /* polar: 0.5 Phi(3 0.3, 0.2 0.4) < 1 */
    check(0.5 * power(0.9, 0.08) < 1.0 && o.y[0] == 0.0 && o.to_slide[0] == 0.0 && o.to_spin[0] == 0.0);
    o = one(0.0, 1.0, 0.0, 0.0); /* slide alone: a disc */
    check_close(o.y[0], 3.0 * 0.5 / (1.0 + 3.0 * 0.25), 1e-15, 0.0);
    check_close(o.to_slide[0], 0.5 * o.y[0], 1e-15, 0.0);
    check(o.to_spin[0] == 0.0 && !(o.stuck & 1u));
    o = one(0.0, 0.0, 1.0, 0.0); /* spin alone: an interval */
    const double c = 0.5 * CONTENSOU_DRILL;
    check_close(o.y[0], 0.2 * c / (1.0 + 0.2 * c * c), 1e-15, 0.0);
    check_close(o.to_spin[0], c * o.y[0], 1e-15, 0.0);
    check(o.to_slide[0] == 0.0);
    o = one(-5.0, 0.6, 1.0, 0.7); /* held at 0.7: the section there */
    const contensou_foot f = trui_contensou_project(0.6 / 0.35, 1.0 / 0.35, 0.2 / 3.0, 1.0);
    check(o.y[0] == 0.7);
    check_close(o.to_slide[0], 0.35 * f.at.xi, 0.0, 1e-15);
    check_close(o.to_spin[0], 0.35 * f.at.eta, 0.0, 1e-15);
}

TEST(support_is_the_scalar_one) {
    draw d = {check_seed(), 32, 0};
    for (int i = 0; i < 2000; i++) {
        double v[LANES], w[LANES], p[LANES], again[LANES];
        for (int j = 0; j < LANES; j++) {
            v[j] = draw_int(&d, 8) ? fabs(draw_wide(&d, -20.0, 10.0)) : 0.0;
            w[j] = draw_int(&d, 8) ? fabs(draw_wide(&d, -20.0, 10.0)) : 0.0;
        }
        kernels[0]->support(v, w, p);
        for (int j = 0; j < LANES; j++) check_close(p[j], power(v[j], w[j]), 1e-14, 0.0);
        for (int isa = 1; isa < 3; isa++) {
            if (!simd_supported(isa)) continue;
            kernels[isa]->support(v, w, again);
            check(memcmp(again, p, sizeof p) == 0);
        }
    }
}

/* ---- worlds */

enum { GRID = 3 };

/* A heap of balls (or odd ones, heavy on one side) with patches and a roll limit, spinning; the floor is plain for odd seeds. */
static tru_world *patch_heap(int bodies, bool odd, int form, const char *solver, const void *params, uint64_t seed) {
    tru_error err;
    draw d = {seed, 9, 0};
    tru_contensou slide = tru_default_contensou();
    tru_coulomb plain = tru_default_coulomb();
    tru_rolling roll = tru_default_rolling();
    slide.slide = 0.4, slide.patch = 0.01, plain.slide = 0.3, roll.roll.length = 0.002;
    const tru_use coupled[] = {{"contensou", &slide}, {"rolling", &roll}}, simple[] = {{"coulomb", &plain}};
    tru_world *w = kit_create_world(v3(0.0, 0.0, -9.81));
    tru_pair_def between = tru_default_pair_def();
    between.laws = coupled, between.law_count = 2;
    MUST(tru_pair_set(w, &between, &err));
    tru_shape_def plane = tru_default_shape_def();
    plane.shape.name = "plane";
    MUST(tru_material_add(w, "floor", &plane.material, &err));
    tru_body_def ground = tru_default_body_def();
    ground.kind = TRU_FIXED, ground.shapes = &plane, ground.shape_count = 1;
    MUST(tru_body_add(w, &ground, NULL, &err));
    between.a = plane.material, between.b = 1, between.laws = simple, between.law_count = 1;
    if (seed % 2) MUST(tru_pair_set(w, &between, &err));
    for (int i = 0; i < bodies; i++) {
        const tru_sphere ball = {draw_in(&d, 0.045, 0.05)};
        tru_shape_def s = tru_default_shape_def();
        tru_body_def b = tru_default_body_def();
        s.shape = (tru_use){"sphere", &ball};
        if (odd) s.position = v3(0.01, 0.0, 0.005);
        b.mass = draw_in(&d, 0.5, 2.0), b.shapes = &s, b.shape_count = 1, b.allow_overlap = true;
        const double shift = i / (GRID * GRID) % 2 ? 0.0475 : 0.0;
        b.position =
            v3(0.095 * (i % GRID) + shift, 0.095 * (i / GRID % GRID) + shift, 0.045 + 0.065 * (i / (GRID * GRID)));
        b.position = v3_madd(b.position, 0.002, draw_vec(&d));
        b.velocity = v3_scale(0.02, draw_vec(&d));
        b.angular_velocity = v3_scale(2.0, draw_vec(&d));
        MUST(tru_body_add(w, &b, NULL, &err));
    }
    tru_cone o = tru_default_cone();
    o.step = 2e-3, o.form = form, o.solver = (tru_use){solver, params};
    MUST(tru_stepper_set(w, "cone", &o, &err));
    return w;
}

static double apart(const tru_world *p, const tru_world *q) {
    double worst = 0.0;
    for (size_t i = 0; i < p->bodies.count; i++) {
        const body *a = &p->bodies.items[i], *b = &q->bodies.items[i];
        worst = fmax(worst, fmax(v3_norm(v3_sub(a->v, b->v)), 0.05 * v3_norm(v3_sub(a->w, b->w))));
    }
    return worst;
}

static const tru_ngs exact_ngs = {1e-10, 20000, 0, 0, TRU_MIXED};
static const tru_sor exact_sor = {1e-10, 20000, 0, 1.3, 0};
static const tru_apgd exact_apgd = {1e-10, 20000, 0, 0};
static const struct {
    const char *name;
    const void *params;
} sweepers[] = {{"ngs", &exact_ngs}, {"sor", &exact_sor}, {"apgd", &exact_apgd}};

/* The relaxed form has one velocity: newton, who knows of no lanes, and all that sweep find it, and the same contacts stick. */
TEST(sweeps_agree_with_dense_newton) {
    const uint64_t seed = check_seed();
    tru_error err;
    for (int i = 0; i < 4; i++) {
        const bool odd = i == 3;
        const int bodies = odd ? 12 : 15 + 4 * i;
        tru_world *a = patch_heap(bodies, odd, TRU_RELAXED, "newton", NULL, seed + (uint64_t)i);
        MUST(tru_run(a, 2, &err));
        check(a->contacts.count > 8 && tru_world_solve_info(a).converged && a->profile.packed == 0);
        for (int k = 0; k < 3; k++) {
            tru_world *b =
                patch_heap(bodies, odd, TRU_RELAXED, sweepers[k].name, sweepers[k].params, seed + (uint64_t)i);
            MUST(tru_run(b, 2, &err));
            check(tru_world_solve_info(b).converged && b->profile.packed > 8);
            for (size_t j = 0; j < a->contacts.count; j++)
                check(a->contacts.items[j].stuck == b->contacts.items[j].stuck);
            if (!check(apart(a, b) < 1e-9)) printf("%s: %g m/s\n", sweepers[k].name, apart(a, b));
            tru_world_destroy(b);
        }
        tru_world_destroy(a);
    }
}

/* The exact form: the judge, who knows nothing of solvers, finds every step good. */
TEST(exact_form_obeys_the_laws) {
    const uint64_t seed = check_seed();
    tru_error err;
    unsigned stuck = 0, slid = 0;
    for (int k = 0; k < 3; k += 2) {
        tru_world *w = patch_heap(18, false, TRU_EXACT, sweepers[k].name, sweepers[k].params, seed);
        for (int i = 0; i < 20; i++) {
            tru_verdict v;
            MUST(tru_run(w, 1, &err));
            MUST(tru_judge(w, &v, &err));
            check(tru_world_solve_info(w).converged && w->profile.packed > 0);
            check(v.momentum < 1e-14 && v.spin < 1e-12);
            check(fmax(v.law[TRU_KIND_NORMAL], v.law[TRU_KIND_SLIDE]) < 1e-10);
            check(fmax(v.law[TRU_KIND_SPIN], v.law[TRU_KIND_ROLL]) < 1e-8);
            for (size_t j = 0; j < w->contacts.count; j++) {
                stuck += (w->contacts.items[j].stuck & TRU_KIND_BIT(TRU_KIND_SPIN)) != 0;
                slid += (w->contacts.items[j].stuck & TRU_KIND_BIT(TRU_KIND_SPIN)) == 0;
            }
        }
        tru_world_destroy(w);
    }
    if (!check(stuck > 0 && slid > 10)) printf("%u stuck, %u slid\n", stuck, slid);
}
