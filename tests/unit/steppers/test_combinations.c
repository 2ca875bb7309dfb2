/* test_combinations.c: every combination of laws that claim different kinds of rows works on a disk: each law brakes its
 * own motion, the step obeys all of them, the books close; two claims on one kind are refused. */
#include "check.h"
#include "disks.h"

#include "laws/law.h"

typedef struct combination {
    kit_floor_laws laws;
    unsigned claims; /* kinds of rows */
    bool conflict;
} combination;

enum { SLIDES = 3, SPINS = 3, ROLLS = 5, ALL = SLIDES * SPINS * ROLLS };

static combination number(int k) {
    static const kit_floor_laws slides[SLIDES] = {{0}, {.slide = 0.2}, {.slide = 0.2, .patch = 2e-3}};
    static const kit_floor_laws spins[SPINS] = {{0}, {.spin = 5e-4}, {.spin_viscosity = 2e-6}};
    static const kit_floor_laws rolls[ROLLS] = {
        {0}, {.contour = 2e-3}, {.contour_viscosity = 1e-3}, {.roll = 1e-4}, {.roll_viscosity = 1e-5}};
    const int slide = k % SLIDES, spin = k / SLIDES % SPINS, roll = k / (SLIDES * SPINS);
    combination c = {.laws = rolls[roll], .conflict = slide == 2 && spin > 0};
    c.laws.slide = slides[slide].slide;
    c.laws.patch = slides[slide].patch;
    c.laws.spin = spins[spin].spin;
    c.laws.spin_viscosity = spins[spin].spin_viscosity;
    if (slide > 0) c.claims |= TRU_KIND_BIT(TRU_KIND_SLIDE);
    if (slide == 2 || spin > 0) c.claims |= TRU_KIND_BIT(TRU_KIND_SPIN);
    if (roll > 0) c.claims |= TRU_KIND_BIT(TRU_KIND_ROLL);
    return c;
}

static void runs(const combination *c, int scheme, double thickness) {
    tru_error err;
    const tru_disk_body d = kit_paper_disk();
    tru_body_state s = kit_roll_disk(&d, 0.2, 0.6, 0.0, 6.0, 0.5, -20.0);
    const tru_vec3 axis = quat_rotate(s.orientation, (tru_vec3){0, 0, 1});
    s.position = v3_madd(s.position, 0.5 * thickness, axis);
    s.velocity = v3_add(v3_cross(s.angular_velocity, s.position), (tru_vec3){0.1, 0.05, 0.0}); /* it slips */
    tru_world *w = kit_create_disk_floor(c->laws);
    kit_add_disk(w, &d, thickness, &s);
    kit_set_moreau(w, 2e-4, scheme);
    for (int i = 0; i < 1000; i++) {
        MUST(tru_run(w, 1, &err));
        if (i % 50) continue;
        tru_verdict v;
        check(tru_world_solve_info(w).converged);
        MUST(tru_judge(w, &v, &err));
        check(v.momentum < 1e-12 && v.spin < 1e-8);
        for (int kind = 0; kind < TRU_KINDS; kind++) check(v.law[kind] < 1e-9);
    }
    const tru_ledger l = tru_world_ledger(w);
    const double sinks[TRU_KINDS] = {0.0, l.slide, l.spin, l.roll};
    for (int kind = TRU_KIND_SLIDE; kind < TRU_KINDS; kind++)
        check(c->claims & TRU_KIND_BIT(kind) ? sinks[kind] > 1e-7 * l.start : sinks[kind] == 0.0);
    check_close(tru_ledger_gap(&l), 0.0, 0.0, 1e-12 * l.start);
    tru_world_destroy(w);
}

TEST(every_combination_works) {
    int conflicts = 0;
    for (int k = 1; k < ALL; k++) {
        const combination c = number(k);
        conflicts += c.conflict;
        if (c.conflict) continue;
        runs(&c, TRU_MIDPOINT, 0.0);
        runs(&c, TRU_PAPER, 0.0);
        runs(&c, TRU_MIDPOINT, 4e-3);
    }
    check_status(conflicts, 2 * ROLLS);
}

/* contour and rolling on roll, contensou and rolling on spin, coulomb and contensou on slide */
TEST(two_claims_are_refused) {
    tru_error err;
    tru_coulomb coulomb = tru_default_coulomb();
    tru_contensou contensou = tru_default_contensou();
    tru_rolling rolling = tru_default_rolling(), spinning = tru_default_rolling();
    const tru_contour contour = {1e-3, 0.0}, viscous = {0.0, 1e-3};
    coulomb.slide = contensou.slide = 0.3;
    contensou.patch = 1e-3;
    rolling.roll.length = 1e-4;
    spinning.spin.length = 1e-4;
    const tru_use pairs[][2] = {{{"contour", &contour}, {"rolling", &rolling}},
                                {{"rolling", &rolling}, {"contour", &viscous}},
                                {{"contensou", &contensou}, {"rolling", &spinning}},
                                {{"coulomb", &coulomb}, {"contensou", &contensou}}};
    const char *const sentences[] = {
        "laws contour and rolling both claim roll", "laws rolling and contour both claim roll",
        "laws contensou and rolling both claim spin", "laws coulomb and contensou both claim slide"};
    for (int k = 0; k < 4; k++) {
        tru_world *w = kit_create_floor((tru_use[]){{"coulomb", &coulomb}}, 1, 0.0);
        tru_pair_def pair = tru_default_pair_def();
        pair.laws = pairs[k];
        pair.law_count = 2;
        check_status(tru_pair_set(w, &pair, &err), TRU_CONFLICT);
        check_str(err.text, sentences[k]);
        tru_world_destroy(w);
    }
}
