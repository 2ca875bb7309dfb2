/* test_packed.c: the packed problem: cone projection with its certificate, batches against single contacts and dense
 * newton, the same bits from every instruction set, units. */
#define _GNU_SOURCE
#include "check.h"
#include "worlds.h"
#include "draw.h"

#include "lanes/isa.h"
#include "solvers/sweep_problem/sweep_f32.h"
#include "solvers/sweep_problem/sweep_kernel.h"
#include "solvers/sweep_problem/sweep_problem.h"
#include "solvers/sweep_problem/sweep_run.h"
#include "solvers/sweep_problem/sweep_single.h"
#include "world/world.h"

#include <stddef.h>

/* ---- projection */

/* Certificate of [cone-equations 3] in the metric q = P_n/P_i: y in Z, z = x - y in the polar cone, <z, y> = 0. */
static double certificate(double x, const double l[3], const double c[3], const double q[3], double y) {
    double worst = 0.0, polar = x - y, dot = (x - y) * y, scale = fabs(x) + 1e-300;
    for (int i = 0; i < 3; i++) {
        const double yi = fmin(l[i], c[i] * y), zi = l[i] - yi;
        scale = fmax(scale, l[i] * fmax(1.0, q[i] * fmax(c[i], 1.0)));
        polar += c[i] * q[i] * zi;
        dot += q[i] * zi * yi;
    }
    worst = fmax(-y, polar) / scale;
    return fmax(worst, fabs(dot) / (scale * scale));
}

TEST(projection_has_its_certificate) {
    static const double coefficients[] = {0.0, 1e-6, 0.005, 0.1, 0.6, 1.0, 30.0};
    draw d = {check_seed(), 1, 0};
    double worst = 0.0;
    int seen = 0;
    for (int i = 0; i < 343 * 300; i++) {
        const double c[3] = {coefficients[i % 7], coefficients[i / 7 % 7], coefficients[i / 49 % 7]};
        double l[3], q[3], lean[3];
        const double x = draw_wide(&d, -3.0, 3.0);
        for (int k = 0; k < 3; k++) {
            l[k] = fabs(draw_wide(&d, -3.0, 3.0));
            q[k] = exp(draw_in(&d, -2.0, 2.0));
            lean[k] = q[k] * c[k];
        }
        const double y = trui_sweep_cone(x, l, c, lean);
        worst = fmax(worst, certificate(x, l, c, q, y));
        int active = y > 0.0;
        for (int k = 0; k < 3; k++) active |= (l[k] > c[k] * y) << (k + 1);
        seen |= 1 << active;
        double inside[3] = {fmin(l[0], c[0] * y), fmin(l[1], c[1] * y), fmin(l[2], c[2] * y)};
        check_close(trui_sweep_cone(y, inside, c, lean), y, 1e-13, 0.0); /* idempotent */
    }
    check(worst < 1e-12);
    check((seen & 0xaaaa) == 0xaaaa && (seen & 0x5555) != 0); /* every active set of a closed contact, and open ones */
}

/* ---- worlds */

enum { GRID = 3 };

/* A heap of balls of different sizes (or of some other shape), next to the floor and to each other, moving; contacts yield by
 * `compliance` [m/N]. */
static tru_world *soft_heap(int balls, double scale, int form, const char *solver, const void *params,
                            double compliance, uint64_t seed) {
    tru_error err;
    draw d = {seed, 7, 0};
    tru_coulomb slide = tru_default_coulomb();
    tru_rolling roll = tru_default_rolling();
    slide.slide = 0.4;
    roll.roll.length = 0.004 * scale;
    roll.spin.length = 0.002 * scale;
    const tru_use laws[] = {{"coulomb", &slide}, {"rolling", &roll}};
    tru_world *w = kit_create_world(v3(0.0, 0.0, -9.81 * scale));
    tru_pair_def between = tru_default_pair_def();
    between.laws = laws;
    between.law_count = 2;
    between.compliance = compliance;
    MUST(tru_pair_set(w, &between, &err));
    tru_shape_def plane = tru_default_shape_def();
    plane.shape.name = "plane";
    tru_body_def floor_body = tru_default_body_def();
    floor_body.kind = TRU_FIXED;
    floor_body.shapes = &plane;
    floor_body.shape_count = 1;
    MUST(tru_body_add(w, &floor_body, NULL, &err));
    for (int i = 0; i < balls; i++) {
        const tru_sphere shape = {scale * draw_in(&d, 0.045, 0.05)};
        tru_shape_def s = tru_default_shape_def();
        tru_body_def b = tru_default_body_def();
        s.shape = (tru_use){"sphere", &shape};
        b.mass = draw_in(&d, 0.5, 2.0);
        b.shapes = &s;
        b.shape_count = 1;
        b.allow_overlap = true;
        const double shift = i / (GRID * GRID) % 2 ? 0.0475 : 0.0;
        b.position =
            v3(0.095 * (i % GRID) + shift, 0.095 * (i / GRID % GRID) + shift, 0.049 + 0.067 * (i / (GRID * GRID)));
        b.position = v3_scale(scale, v3_madd(b.position, 0.002, draw_vec(&d)));
        b.velocity = v3_scale(0.1 * scale, draw_vec(&d));
        b.angular_velocity = draw_vec(&d);
        MUST(tru_body_add(w, &b, NULL, &err));
    }
    tru_cone o = tru_default_cone();
    o.step = 2e-3;
    o.form = form;
    o.solver = (tru_use){solver, params};
    MUST(tru_stepper_set(w, "cone", &o, &err));
    return w;
}

static tru_world *heap(int balls, double scale, int form, const char *solver, const void *params, uint64_t seed) {
    return soft_heap(balls, scale, form, solver, params, 0.0, seed);
}

/* Largest difference of velocities, couples of radius 0.05 m. [m/s] */
static double apart(const tru_world *p, const tru_world *q, double scale) {
    double worst = 0.0;
    for (size_t i = 0; i < p->bodies.count; i++) {
        const body *a = &p->bodies.items[i], *b = &q->bodies.items[i];
        worst = fmax(worst, v3_norm(v3_sub(a->v, v3_scale(1.0 / scale, b->v))));
        worst = fmax(worst, 0.05 * v3_norm(v3_sub(a->w, b->w)));
    }
    return worst;
}

static const tru_ngs exact_ngs = {1e-10, 20000, 0, 0, TRU_MIXED};
static const tru_sor exact_sor = {1e-10, 20000, 0, 1.3, 0};
static const tru_apgd exact_apgd = {1e-10, 20000, 0, 0};

/* The relaxed form has one velocity: every solver finds it. */
TEST(sweeps_agree_with_dense_newton) {
    const uint64_t seed = check_seed();
    tru_error err;
    for (int i = 0; i < 4; i++) {
        tru_world *a = heap(15 + 4 * i, 1.0, TRU_RELAXED, "newton", NULL, seed + (uint64_t)i);
        tru_world *b = heap(15 + 4 * i, 1.0, TRU_RELAXED, "ngs", &exact_ngs, seed + (uint64_t)i);
        tru_world *c = heap(15 + 4 * i, 1.0, TRU_RELAXED, "sor", &exact_sor, seed + (uint64_t)i);
        tru_world *e = heap(15 + 4 * i, 1.0, TRU_RELAXED, "apgd", &exact_apgd, seed + (uint64_t)i);
        MUST(tru_run(a, 1, &err));
        MUST(tru_run(b, 1, &err));
        MUST(tru_run(c, 1, &err));
        MUST(tru_run(e, 1, &err));
        check(a->contacts.count > 5);
        check(tru_world_solve_info(a).converged && tru_world_solve_info(b).converged &&
              tru_world_solve_info(c).converged && tru_world_solve_info(e).converged);
        if (!check(apart(a, e, 1.0) < 1e-9)) printf("apgd %g\n", apart(a, e, 1.0));
        tru_world_destroy(e);
        if (!check(apart(a, b, 1.0) < 1e-9)) printf("ngs %g\n", apart(a, b, 1.0));
        if (!check(apart(a, c, 1.0) < 1e-9)) printf("sor %g\n", apart(a, c, 1.0));
        tru_world_destroy(a);
        tru_world_destroy(b);
        tru_world_destroy(c);
    }
}

/* A warm start of impulses at random, friction ones too. */
static void random_start(tru_world *w, draw *d) {
    for (size_t i = 0; i < w->contacts.count; i++) {
        contact *c = &w->contacts.items[i];
        for (int k = 0; k < TRU_ROWS; k++) c->dry[k] = (k < 3 ? 0.05 : 1e-3) * draw_in(d, k == 0 ? 0.0 : -1.0, 1.0);
    }
}

/* No walls, so no self-stress: the cone of impulses is pointed, and the velocity of the relaxed form is the same from
 * everywhere. */
TEST(velocity_is_unique) {
    const tru_proxnewton prox = {1e-12, 5000, 1e-6};
    const struct {
        const char *name;
        const void *params;
    } solvers[] = {
        {"newton", NULL}, {"proxnewton", &prox}, {"ngs", &exact_ngs}, {"sor", &exact_sor}, {"apgd", &exact_apgd}};
    const uint64_t seed = check_seed();
    for (int k = 0; k < 5; k++) {
        tru_world *w[2];
        draw d = {seed, 11, 0};
        for (int i = 0; i < 2; i++) {
            tru_error err;
            w[i] = heap(18, 1.0, TRU_RELAXED, solvers[k].name, solvers[k].params, seed);
            MUST(tru_run(w[i], 1, &err));
            random_start(w[i], &d);
            MUST(tru_run(w[i], 1, &err));
            check(tru_world_solve_info(w[i]).converged && w[i]->contacts.count > 5);
        }
        if (!check(apart(w[0], w[1], 1.0) < 1e-8)) printf("%s: %g m/s\n", solvers[k].name, apart(w[0], w[1], 1.0));
        for (int i = 0; i < 2; i++) tru_world_destroy(w[i]);
    }
}

/* Contacts that yield: every solver finds the one velocity, which is another than that of rigid ones. */
TEST(soft_contacts_agree) {
    const tru_proxnewton prox = {1e-12, 5000, 1e-6};
    const struct {
        const char *name;
        const void *params;
    } others[] = {{"proxnewton", &prox}, {"ngs", &exact_ngs}, {"sor", &exact_sor}, {"apgd", &exact_apgd}};
    const uint64_t seed = check_seed();
    tru_error err;
    for (int i = 0; i < 3; i++) {
        const double compliance = i == 0 ? 1e-7 : i == 1 ? 1e-5 : 1e-3;
        tru_world *a = soft_heap(18, 1.0, TRU_RELAXED, "newton", NULL, compliance, seed);
        tru_world *rigid = heap(18, 1.0, TRU_RELAXED, "newton", NULL, seed);
        MUST(tru_run(a, 2, &err));
        MUST(tru_run(rigid, 2, &err));
        check(tru_world_solve_info(a).converged && a->contacts.count > 5);
        check(apart(a, rigid, 1.0) > 1e-6);
        for (int k = 0; k < 4; k++) {
            tru_world *b = soft_heap(18, 1.0, TRU_RELAXED, others[k].name, others[k].params, compliance, seed);
            MUST(tru_run(b, 2, &err));
            check(tru_world_solve_info(b).converged);
            if (!check(apart(a, b, 1.0) < 1e-9))
                printf("%s, %g m/N: %g m/s\n", others[k].name, compliance, apart(a, b, 1.0));
            tru_world_destroy(b);
        }
        tru_world_destroy(a);
        tru_world_destroy(rigid);
    }
}

static void obeys_the_laws(const char *solver, const void *params, uint64_t seed) {
    tru_error err;
    tru_world *w = heap(18, 1.0, TRU_EXACT, solver, params, seed);
    for (int i = 0; i < 20; i++) {
        tru_verdict v;
        MUST(tru_run(w, 1, &err));
        MUST(tru_judge(w, &v, &err));
        check(tru_world_solve_info(w).converged);
        check(v.momentum < 1e-14 && v.spin < 1e-12);
        check(fmax(v.law[TRU_KIND_NORMAL], v.law[TRU_KIND_SLIDE]) < 1e-10);
        check(fmax(v.law[TRU_KIND_SPIN], v.law[TRU_KIND_ROLL]) < 1e-8);
    }
    tru_world_destroy(w);
}

/* The exact form: the judge, who knows nothing of solvers, finds every step good. */
TEST(exact_form_obeys_the_laws) {
    const uint64_t seed = check_seed();
    obeys_the_laws("ngs", &exact_ngs, seed);
    obeys_the_laws("apgd", &exact_apgd, seed);
}

/* Millimetres and metres: the iterates, not only the solution; 1000 is no power of two, so in doubles. */
TEST(same_in_millimetres) {
    const uint64_t seed = check_seed();
    tru_error err;
    for (int form = 0; form < 2; form++) {
        const tru_ngs o = {0.02, 60, 0, 0, TRU_DOUBLE};
        tru_world *a = heap(18, 1.0, form ? TRU_RELAXED : TRU_EXACT, "ngs", &o, seed);
        tru_world *b = heap(18, 1000.0, form ? TRU_RELAXED : TRU_EXACT, "ngs", &o, seed);
        MUST(tru_run(a, 1, &err));
        MUST(tru_run(b, 1, &err));
        check(a->contacts.count > 12 && a->contacts.count == b->contacts.count);
        check(tru_world_solve_info(a).iterations == tru_world_solve_info(b).iterations);
        check(apart(a, b, 1000.0) < 1e-9 * 0.1);
        tru_world_destroy(a);
        tru_world_destroy(b);
    }
}

/* ---- kernels */

/* A packed problem of the heap, ready for sweeps; memory of the world's scratch. */
static sweep_problem *sweep_of(tru_world *w, bool exact, bool more) {
    tru_error err;
    normal_terms *own = more ? ARENA_ARRAY(&w->scratch, normal_terms, w->contacts.count) : NULL;
    for (size_t i = 0; more && i < w->contacts.count; i++)
        own[i] = (normal_terms){.soft = 0.1 * (double)(i % 3), .floor = 1e-3 * (double)(i % 4)};
    twist *free = ARENA_ARRAY(&w->scratch, twist, w->bodies.count);
    problem_body *inverse = ARENA_ARRAY(&w->scratch, problem_body, w->bodies.count);
    sweep_problem *k = ARENA_ARRAY(&w->scratch, sweep_problem, 1);
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        free[i] = (twist){b->v, b->w};
        inverse[i] = (problem_body){b->inv_mass, body_is_free(b), b->isotropic, body_inverse_of(b)};
    }
    const sweep_input in = {.scratch = &w->scratch,
                            .contacts = w->contacts.items,
                            .contact_count = w->contacts.count,
                            .bodies = w->bodies.items,
                            .body_count = w->bodies.count,
                            .solids = w->solids.items,
                            .inverse = inverse,
                            .free = free,
                            .speed = 0.02,
                            .normal_terms = own,
                            .threads = w->threads,
                            .exact = exact};
    MUST(trui_sweep_build(k, &in, &err));
    return k;
}

static void some_sweeps(sweep_problem *k) {
    trui_sweep_refresh(k, 1.0);
    for (int i = 0; i < 5; i++) {
        trui_sweep_extrapolate(k, 0.1 * i);
        trui_sweep_run(k, i == 4 ? 1.3 : 1.0, 0.1 * i);
        trui_sweep_refresh(k, 0.5);
    }
    trui_sweep_measure(k);
}

/* Another law for every contact: slide and spin coupled by a patch, and a roll limit. */
static void set_patches(tru_world *w) {
    tru_contensou slide = tru_default_contensou();
    tru_rolling roll = tru_default_rolling();
    slide.slide = 0.4, slide.patch = 0.01, roll.roll.length = 0.002;
    const tru_use laws[] = {{"contensou", &slide}, {"rolling", &roll}};
    kit_set_pair(w, TRU_NONE, TRU_NONE, laws, 2, 0.0);
}

/* Every instruction set, and contacts one by one, do the same: bits, and round-off. */
static void compare_kernels(bool more, bool patches) {
    const sweep_kernels *kernels[] = {SIMD_VARIANTS(trui_sweep)};
    tru_error err;
    const uint64_t seed = check_seed();
    tru_world *w = heap(27, 1.0, TRU_EXACT, "newton", NULL, seed);
    if (patches) set_patches(w);
    MUST(tru_run(w, 1, &err));
    sweep_problem *first = sweep_of(w, true, more);
    first->kernels = kernels[0];
    some_sweeps(first);
    check(first->batch_count > 2 && first->single_count == 0 && first->moving > 20);
    for (int isa = 1; isa < 3; isa++) {
        if (!simd_supported(isa)) continue;
        sweep_problem *k = sweep_of(w, true, more);
        k->kernels = kernels[isa];
        some_sweeps(k);
        check(memcmp(k->bodies, first->bodies, first->moving * sizeof *first->bodies) == 0);
        for (size_t i = 0; i < k->contact_count; i++) {
            check(memcmp(&k->residuals[i], &first->residuals[i], offsetof(sweep_residual, stuck)) == 0);
            check(k->residuals[i].stuck == first->residuals[i].stuck);
        }
    }
    for (size_t i = 0; i < w->bodies.count; i++) w->bodies.items[i].isotropic = false; /* now no body is a ball */
    sweep_problem *k = sweep_of(w, true, more);
    check(k->batch_count == 0 && k->single_count == first->contact_count);
    some_sweeps(k);
    for (size_t i = 0; i < k->moving; i++)
        for (int j = 0; j < 3; j++) {
            check_close(k->bodies[i].v[j], first->bodies[i].v[j], 0.0, 1e-13);
            check_close(k->bodies[i].w[j], first->bodies[i].w[j], 0.0, 1e-11);
        }
    for (size_t i = 0; i < k->contact_count; i++)
        check_close(sqrt(k->residuals[i].size2), sqrt(first->residuals[i].size2), 0.0, 1e-11);
    tru_world_destroy(w);
}

TEST(kernels_agree) {
    for (int i = 0; i < 4; i++) compare_kernels(i % 2, i / 2);
}

/* No two contacts of a colour share a moving body; every contact is somewhere once. */
/* So do sweeps by sections: the exact form of balls. */
TEST(kernels_agree_on_sections) {
    const sweep_kernels *kernels[] = {SIMD_VARIANTS(trui_sweep)};
    tru_error err;
    tru_world *w = heap(27, 1.0, TRU_EXACT, "newton", NULL, check_seed());
    MUST(tru_run(w, 1, &err));
    for (int more = 0; more < 2; more++) {
        sweep_problem *k[3] = {NULL};
        double work[3] = {0.0};
        for (int isa = 0; isa < 3; isa++) {
            if (!simd_supported(isa)) continue;
            k[isa] = sweep_of(w, true, more);
            k[isa]->kernels = kernels[isa];
            k[isa]->sections = trui_sweep_sections(k[isa]);
            for (int i = 0; i < 5; i++) {
                trui_sweep_extrapolate(k[isa], 0.1 * i);
                work[isa] = trui_sweep_run(k[isa], 1.0, 0.1 * i);
            }
            check(k[isa]->sections && work[isa] == work[0]);
            check(memcmp(k[isa]->bodies, k[0]->bodies, k[0]->moving * sizeof *k[0]->bodies) == 0);
        }
    }
    tru_world_destroy(w);
}

/* Mass-weighted rms difference of velocities. [m/s] */
static double error_of(const tru_world *p, const tru_world *q) {
    double sum = 0.0, mass = 0.0;
    for (size_t i = 0; i < p->bodies.count; i++) {
        const body *a = &p->bodies.items[i], *b = &q->bodies.items[i];
        if (!body_is_free(a)) continue;
        const tru_vec3 dw = v3_sub(a->w, b->w);
        sum += a->mass * v3_norm2(v3_sub(a->v, b->v)) + a->moment * v3_norm2(dw);
        mass += a->mass;
    }
    return sqrt(sum / (3.0 * mass));
}

/* Where momentum stops in the relaxed form, the error of the velocities is within the tolerance. */
TEST(stops_within_its_tolerance) {
    const uint64_t seed = check_seed();
    const tru_ngs loose = {0.04, 1000, 0, 0, TRU_MIXED};
    const double limit = 0.04 * 9.81 * 2e-3;
    tru_error err;
    for (uint64_t i = 0; i < 12; i++) {
        tru_world *a = heap(90, 1.0, TRU_RELAXED, "ngs", &loose, seed + i);
        tru_world *b = heap(90, 1.0, TRU_RELAXED, "ngs", &exact_ngs, seed + i);
        MUST(tru_run(a, 1, &err));
        MUST(tru_run(b, 1, &err));
        check(tru_world_solve_info(a).converged && tru_world_solve_info(b).converged);
        if (!check(error_of(a, b) <= limit)) printf("error %g of %g\n", error_of(a, b), limit);
        tru_world_destroy(a);
        tru_world_destroy(b);
    }
}

/* ---- sweeps in floats */

#define FLOAT_LIMIT 4e-4 /* [m/s] the default tolerance in a step of the heap */

/* A heap of balls one sweep after its warm start. */
static sweep_problem *one_sweep(tru_world *w, bool exact) {
    sweep_problem *k = sweep_of(w, exact, false);
    k->sections = trui_sweep_sections(k);
    trui_sweep_extrapolate(k, 0.0);
    trui_sweep_run(k, 1.0, 0.0);
    return k;
}

/* Sweeps with momentum; returns f, or what the last one changed. */
static double more_sweeps(sweep_problem *k, int count) {
    double f = 0.0;
    for (int i = 0; i < count; i++) {
        const double beta = fmin(0.9, 0.1 * i);
        f = trui_sweep_extrapolate(k, beta);
        f += trui_sweep_run(k, k->exact ? 1.0 : 1.1, beta);
    }
    return f;
}

/* In floats and in the doubles that come of them: the same bits from these kernels as from the generic ones. */
static void float_kernels_are_generic(tru_world *w, bool exact, const sweep_f32_kernels *wide) {
    const sweep_f32_kernels *kernels[] = {&trui_sweep_f32_generic, wide};
    sweep_problem *k[2];
    double f[2], change[2];
    sweep_error e[2];
    for (int isa = 0; isa < 2; isa++) {
        k[isa] = one_sweep(w, exact);
        k[isa]->f32.kernels = kernels[isa];
        check(trui_sweep_f32_enter(k[isa], FLOAT_LIMIT));
        f[isa] = more_sweeps(k[isa], 12);
        change[isa] = trui_sweep_change(k[isa]);
        e[isa] = trui_sweep_measure(k[isa]);
    }
    check(f[0] == f[1] && change[0] == change[1] && e[0].rms == e[1].rms && e[0].max == e[1].max && e[0].rms > 0.0);
    check(memcmp(k[0]->f32.bodies, k[1]->f32.bodies, k[0]->moving * sizeof(sweep_body32)) == 0);
    check(memcmp(k[0]->f32.batches, k[1]->f32.batches, k[0]->batch_count * sizeof(sweep_batch32)) == 0);
    for (int isa = 0; isa < 2; isa++) trui_sweep_f32_leave(k[isa]);
    check(memcmp(k[0]->bodies, k[1]->bodies, k[0]->moving * sizeof(sweep_body)) == 0);
}

TEST(float_kernels_agree) {
    tru_error err;
    tru_world *w = heap(90, 1.0, TRU_EXACT, "ngs", NULL, check_seed());
    MUST(tru_run(w, 1, &err));
    const sweep_f32_kernels *kernels[] = {SIMD_VARIANTS(trui_sweep_f32)};
    for (int isa = SIMD_AVX2; isa <= SIMD_AVX512; isa++)
        for (int exact = 0; exact < 2 && simd_supported(isa); exact++)
            float_kernels_are_generic(w, exact, kernels[isa]);
    tru_world_destroy(w);
}

/* [m/s] Mass-weighted rms difference of the velocities of two problems. */
static double error_between(const sweep_problem *k, const sweep_problem *other) {
    return trui_sweep_rms(k, trui_sweep_moved(k, other->bodies));
}

/* 100 sweeps in floats and in doubles end at the same velocities, f, change and residual: to a small part of the limit, which is
 * what sweeps are for. */
TEST(floats_sweep_as_doubles_do) {
    const uint64_t seed = check_seed();
    tru_error err;
    for (int i = 0; i < 6; i++) {
        tru_world *w = heap(90, 1.0, TRU_EXACT, "ngs", NULL, seed + (uint64_t)i);
        MUST(tru_run(w, 1, &err));
        sweep_problem *k = one_sweep(w, i % 2), *reference = one_sweep(w, i % 2);
        const double start = error_between(k, reference);
        check(start == 0.0 && trui_sweep_f32_enter(k, FLOAT_LIMIT));
        for (int looks = 0; looks < i % 3; looks++) { /* marks may lie this way and that */
            more_sweeps(k, 4);
            more_sweeps(reference, 4);
            check_close(trui_sweep_change(k), trui_sweep_change(reference), 0.0, 0.01 * FLOAT_LIMIT);
        }
        const double f = more_sweeps(k, 99), g = more_sweeps(reference, 99);
        const double change = trui_sweep_change(k), of_doubles = trui_sweep_change(reference);
        const sweep_error e = trui_sweep_measure(k), o = trui_sweep_measure(reference);
        trui_sweep_f32_leave(k);
        const double error = error_between(k, reference);
        if (!check(error > 0.0 && error < 0.01 * FLOAT_LIMIT)) printf("error %g m/s\n", error);
        check_close(change, of_doubles, 0.0, 0.01 * FLOAT_LIMIT);
        check_close(e.rms, o.rms, 0.0, 0.01 * FLOAT_LIMIT);
        check_close(e.max, o.max, 0.0, 0.1 * FLOAT_LIMIT);
        if (!k->exact) check_close(f, g, 1e-4, 0.0); /* 0.01 limit of 0.1 m/s, twice for a square */
        /* the next look compares with what the one before the last one saw, though that was in floats */
        const double since = trui_sweep_change(k), of_same = trui_sweep_change(reference);
        check(of_same > 0.1 * FLOAT_LIMIT);
        check_close(since, of_same, 0.0, 0.01 * FLOAT_LIMIT);
        tru_world_destroy(w);
    }
}

/* The same problem in units that are 1/m, 1/kg, 1/s times as large; powers of two. */
static void rescale(sweep_problem *k, double m, double kg, double s) {
    const double v = m / s, inertia = kg * m * m;
    for (size_t i = 0; i < k->body_count; i++) {
        sweep_body *all[] = {&k->bodies[i], i < k->moving ? &k->before[i] : NULL};
        for (int j = 0; j < 2 && all[j]; j++) {
            for (int r = 0; r < 3; r++) all[j]->v[r] *= v, all[j]->w[r] /= s;
            all[j]->inv_mass /= kg, all[j]->inv_inertia /= inertia;
        }
    }
    for (size_t i = 0; i < k->moving; i++) k->mass[i].mass *= kg, k->mass[i].inertia *= inertia;
    for (size_t i = 0; i < k->batch_count; i++) {
        sweep_batch *c = &k->batches[i];
        for (int j = 0; j < LANES; j++) {
            c->bias[j] *= v, c->length[j] *= m;
            for (int r = 0; r < 2; r++) c->arm[r][j] *= m, c->metric[r][j] *= kg, c->metric[r + 2][j] *= inertia;
            for (int r = 1; r < 3; r++) c->limit[r][j] *= m, c->lean[r][j] /= m;
            for (int r = 0; r < 12; r++) c->p[r / 6][r % 6][j] *= r % 6 < 3 ? kg * v : kg * v * m;
        }
    }
}

TEST(floats_know_no_units) {
    const double units[][3] = {
        {0x1p10, 1.0, 1.0}, {1.0, 0x1p-31, 1.0}, {1.0, 1.0, 0x1p-13}, {0x1p-90, 0x1p200, 0x1p77}};
    tru_error err;
    tru_world *w = heap(90, 1.0, TRU_EXACT, "ngs", NULL, check_seed());
    MUST(tru_run(w, 1, &err));
    for (int i = 0; i < 8; i++) {
        const double *u = units[i / 2], v = u[0] / u[2];
        sweep_problem *k = one_sweep(w, i % 2), *other = one_sweep(w, i % 2);
        rescale(other, u[0], u[1], u[2]);
        check(trui_sweep_f32_enter(k, FLOAT_LIMIT) && trui_sweep_f32_enter(other, FLOAT_LIMIT * v));
        check(more_sweeps(k, 20) * (u[1] * v * v) == more_sweeps(other, 20));
        check(trui_sweep_change(k) * v == trui_sweep_change(other) &&
              trui_sweep_measure(k).rms * v == trui_sweep_measure(other).rms);
        check(memcmp(k->f32.bodies, other->f32.bodies, k->body_count * sizeof(sweep_body32)) == 0);
        check(memcmp(k->f32.batches, other->f32.batches, k->batch_count * sizeof(sweep_batch32)) == 0);
    }
    tru_world_destroy(w);
}

/* Where floats are too coarse, or nothing moves, doubles continue as if floats had not been asked for. */
TEST(floats_only_where_they_do) {
    tru_error err;
    tru_world *w = heap(90, 1.0, TRU_EXACT, "ngs", NULL, check_seed());
    MUST(tru_run(w, 1, &err));
    sweep_problem *k = one_sweep(w, true), *reference = one_sweep(w, true);
    check(!trui_sweep_f32_enter(k, 1e-7)); /* 2^-15 of 0.1 m/s is 3e-6 m/s */
    check(!trui_sweep_f32_enter(k, 10.0)); /* the first sweep changed less */
    const double mass = k->bodies[5].inv_mass;
    k->bodies[5].inv_mass = 0x1p22 * mass; /* a grain of dust */
    check(!trui_sweep_f32_enter(k, FLOAT_LIMIT));
    k->bodies[5].inv_mass = mass;
    const double push = k->batches[3].p[k->now][1][2];
    k->batches[3].p[k->now][1][2] =
        50.0 * k->batches[3].metric[0][2]; /* below a house: 50 m/s 2^-15 is above the limit */
    check(!trui_sweep_f32_enter(k, FLOAT_LIMIT));
    k->batches[3].p[k->now][1][2] = push;
    more_sweeps(k, 10);
    more_sweeps(reference, 10);
    check(!k->f32.on && memcmp(k->bodies, reference->bodies, k->moving * sizeof(sweep_body)) == 0);
    k = sweep_of(w, true, false); /* by shifts, not by sections */
    trui_sweep_extrapolate(k, 0.0);
    trui_sweep_run(k, 1.0, 0.0);
    check(!trui_sweep_f32_enter(k, FLOAT_LIMIT));
    k = sweep_of(w, true, true); /* contacts that yield */
    trui_sweep_extrapolate(k, 0.0);
    trui_sweep_run(k, 1.0, 0.0);
    check(!trui_sweep_f32_enter(k, FLOAT_LIMIT));
    for (size_t i = 0; i < w->bodies.count; i++) w->bodies.items[i].isotropic = false; /* no body is a ball */
    check(!trui_sweep_f32_enter(one_sweep(w, true), FLOAT_LIMIT));
    tru_world_destroy(w);
}

TEST(colours_share_no_body) {
    tru_error err;
    tru_world *w = heap(27, 1.0, TRU_EXACT, "newton", NULL, check_seed());
    MUST(tru_run(w, 1, &err));
    const sweep_problem *k = sweep_of(w, true, false);
    size_t count = 0;
    for (int i = 0; i <= COLOURS; i++) {
        bool used[64] = {false};
        for (size_t j = k->colours[i].batch; j < k->colours[i].batch_end; j++)
            for (int lane = 0; lane < LANES; lane++) {
                const sweep_batch *b = &k->batches[j];
                if (b->contact[lane] == UINT32_MAX) continue;
                const size_t side[2] = {b->a[lane] / sizeof *k->bodies, b->b[lane] / sizeof *k->bodies};
                for (int s = 0; s < 2; s++) {
                    if (side[s] >= k->moving) continue;
                    check(!used[side[s]]);
                    used[side[s]] = true;
                }
                count++;
            }
    }
    check(count == w->contacts.count);
    tru_world_destroy(w);
}
