/* test_ledger.c: the energy balance closes to round-off, and does not without any one of its terms (P5). */
#define _GNU_SOURCE
#include "scenes.h"

#include "world/world.h"

enum { TERMS = sizeof(tru_ledger) / sizeof(double) };

static const char *const term_names[TERMS] = {
#define TERM_NAME(name, kind, doc) #name,
    TRU_LEDGER_LIST(TERM_NAME)
#undef TERM_NAME
};

static double *term_of(tru_ledger *l, int k) { return (double *)(void *)l + k; }

/* Energy that the balance is measured against: what was there, and what came in or went. */
static double turnover(const tru_ledger *l) {
    return fabs(l->start) + l->kinetic + fabs(l->loads) + fabs(l->drives) + fabs(l->motors) + l->seals + l->slide +
           l->roll + l->spin;
}

/* After each step the gap is below 1e-12 E per 1000 steps; after the last one no term can be left out. */
static void balance(const scene *s, const method *m, bool seen[TERMS]) {
    tru_world *w = scene_build(s, m);
    double worst = 0.0;
    for (int i = 0; i < s->steps; i++) {
        scene_run_step(w, s->name, m->name);
        const tru_ledger l = tru_world_ledger(w);
        worst = fmax(worst, fabs(tru_ledger_gap(&l)) / turnover(&l));
    }
    const double limit = 1e-12 * (s->steps < 1000 ? 1.0 : s->steps / 1000.0);
    if (!check(worst <= limit)) printf("scene %s, %s: gap %.3g of the energy\n", s->name, m->name, worst);
    const tru_ledger whole = tru_world_ledger(w);
    for (int k = 0; k < TERMS; k++) {
        tru_ledger without = whole;
        if (fabs(*term_of(&without, k)) <= 4.0 * limit * turnover(&whole)) continue;
        *term_of(&without, k) = 0.0;
        seen[k] = true;
        if (!check(fabs(tru_ledger_gap(&without)) > limit * turnover(&whole)))
            printf("scene %s, %s: not noticed without %s\n", s->name, m->name, term_names[k]);
    }
    tru_world_destroy(w);
}

TEST(every_term_is_needed_and_enough) {
    bool seen[TERMS] = {false};
    scene s;
    EACH_SCENE(s) {
        method m;
        EACH_METHOD(m, 1e-3) {
            if (!scene_is_refused(&s, &m)) balance(&s, &m, seen);
        }
    }
    for (int k = 0; k < TERMS; k++)
        if (!check(seen[k])) printf("term %s: never seen\n", term_names[k]);
}

/* Nothing dissipated is negative where the law says so: dry and viscous friction, impacts with restitution below 1. */
TEST(dissipation_has_its_sign) {
    scene s;
    EACH_SCENE(s) {
        const method m = method_at(1, 1e-3); /* laws on the rates at the end of the step */
        if (scene_is_refused(&s, &m)) continue;
        tru_world *w = scene_build(&s, &m);
        double slide = 0.0, spin = 0.0, roll = 0.0;
        for (int i = 0; i < s.steps; i++) {
            scene_run_step(w, s.name, m.name);
            const tru_ledger l = tru_world_ledger(w);
            bool impact = false; /* impacts are booked by the mean of the rates before and after */
            for (size_t k = 0; k < w->contacts.count; k++)
                impact |= (w->contacts.items[k].flags & (CONTACT_NEW | CONTACT_IMPACT)) != 0;
            const double room = 1e-14 * turnover(&l);
            if (!impact) check(l.slide >= slide - room && l.spin >= spin - room && l.roll >= roll - room);
            slide = l.slide;
            spin = l.spin;
            roll = l.roll;
        }
        tru_world_destroy(w);
    }
}

/* A block that slides: the heat is mu m g times the way, the work of a constant force its force times the way. */
TEST(terms_against_elementary_mechanics) {
    tru_error err;
    scene s = scene_begin("block", 200);
    scene_add_coulomb(&s, 0.3);
    scene_add_plane(&s);
    scene_body *b = scene_add_box(&s, v3(0.2, 0.2, 0.1), 2.0, v3(2.0, 0, 0), v3_zero());
    b->loaded = true;
    b->load = tru_default_load_def();
    b->load.force = v3(1.5, 0.0, 0.0);
    method m;
    EACH_METHOD(m, 1e-3) {
        if (m.relaxed || m.soft || !m.listed || scene_is_refused(&s, &m)) continue; /* hops; sinks in first; unknown */
        tru_world *w = scene_build(&s, &m);
        MUST(tru_run(w, 200, &err));
        const tru_ledger l = tru_world_ledger(w);
        const double a = -0.3 * 9.81 + 1.5 / 2.0, t = 0.2, way = 2.0 * t + 0.5 * a * t * t;
        check_close(kit_get_state(w, 2).position.x, way + (m.ends ? 0.5e-3 * a * t : 0.0), 1e-10, 0.0);
        check_close(l.loads, 1.5 * way, 1e-10, 0.0);
        /* laws act on the end of a step: half a step's loss of speed is missing from the heat and is a theta shift */
        check_close(l.slide - l.theta_shift, 0.3 * 2.0 * 9.81 * way, 1e-9, 0.0);
        check(fabs(l.theta_shift) < 2e-3 * l.slide);
        tru_world_destroy(w);
    }
}

/* Adding, setting and removing bodies moves energy in and out of the start, not into the gap. */
TEST(changes_from_outside_are_booked) {
    tru_error err;
    const scene s = balls_collide();
    const method m = method_at(0, 1e-3);
    tru_world *w = scene_build(&s, &m);
    MUST(tru_run(w, 100, &err));
    tru_body_state state = kit_get_state(w, 2);
    state.velocity = v3(0.5, 1.0, 2.0);
    state.position.z += 0.3;
    MUST(tru_body_set(w, 2, &state, &err));
    tru_ledger l = tru_world_ledger(w);
    check_close(tru_ledger_gap(&l), 0.0, 0.0, 1e-13 * turnover(&l));
    MUST(tru_run(w, 100, &err));
    MUST(tru_body_remove(w, 3, &err));
    l = tru_world_ledger(w);
    check_close(tru_ledger_gap(&l), 0.0, 0.0, 1e-13 * turnover(&l));
    const tru_sphere shape = {0.05};
    kit_add_body(
        w, {.shape = {"sphere", &shape}, .mass = 0.7, .position = v3(-1.0, 0.0, 0.4), .velocity = v3(0.0, 0.3, 1.0)});
    MUST(tru_run(w, 100, &err));
    l = tru_world_ledger(w);
    check_close(tru_ledger_gap(&l), 0.0, 0.0, 1e-13 * turnover(&l));
    tru_world_destroy(w);
}
