/* test_laws.c: every registered law has the properties of io/plugins/law_projection.h; and what single laws do. */
#define _GNU_SOURCE
#include "prepared.h"

#include "plugins/law_projection.h"

/* ---- every law ---- */

enum { DRAWS = 400 };

/* Properties of the functions of a law, which users try with `trundle check --plugin`. The library that does it sees the public
 * headers only, so this test of the core compiles the same file. */
static const struct {
    const char *name;
    bool (*holds)(law_trial *t);
} properties[] = {{"values", trio_law_has_values},          {"rows", trio_law_keeps_to_rows},
                  {"idempotent", trio_law_is_idempotent},   {"nearest", trio_law_is_nearest},
                  {"contracting", trio_law_is_contracting}, {"support", trio_law_has_support},
                  {"boundary", trio_law_has_boundary},      {"slopes", trio_law_has_slopes},
                  {"viscosity", trio_law_resists}};

TEST(every_law_has_every_property) {
    const uint64_t seed = check_seed();
    const tru_law *law;
    for (size_t k = 0; (law = tru_law_at(k)) != NULL; k++)
        for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
            law_trial t = {law, seed, DRAWS, ""};
            if (!check(properties[i].holds(&t))) printf("law %s, %s: %s\n", law->name, properties[i].name, t.text);
            check(t.draws > 0 || !law->section || strcmp(properties[i].name, "viscosity") == 0);
        }
}

/* Reports draw the set of every built-in law that has one. */
TEST(every_set_has_a_boundary) {
    const tru_law *law;
    for (size_t k = 0; (law = tru_law_at(k)) != NULL; k++)
        if (!check(!law->section || law->boundary)) printf("law %s has no function `boundary`\n", law->name);
}

/* ---- single laws: what only they do ---- */

/* Static friction: a contact that held, does so up to slide_static; once it gives way the set is that of slide. */
TEST(coulomb_holds_and_gives_way) {
    prepared p;
    draw d = {check_seed(), 9, 0};
    const tru_coulomb c = {0.2, 0.5, 0.0};
    const double u[ROWS] = {0.3, 0.4};
    p.params = law_defaults(&tru_law_coulomb);
    memcpy(p.params.bytes, &c, sizeof c);
    prepared_at(&p, &tru_law_coulomb, TRU_KIND_BIT(TRU_KIND_SLIDE), &d);
    check_close(p.law->support(p.work, u), 0.25, 1e-15, 0.0);
    check(!p.law->revise(p.work, TRU_KIND_BIT(TRU_KIND_SLIDE)));
    check(p.law->revise(p.work, 0));
    check_close(p.law->support(p.work, u), 0.1, 1e-15, 0.0);
    check(!p.law->revise(p.work, 0));
}

/* Stribeck: mu(v) = slide + (slide_static - slide) exp(-v/v_s), whatever stuck before. */
TEST(coulomb_stribeck) {
    prepared p;
    draw d = {check_seed(), 10, 0};
    const tru_coulomb c = {0.2, 0.5, 0.3};
    p.params = law_defaults(&tru_law_coulomb);
    memcpy(p.params.bytes, &c, sizeof c);
    for (int i = 0; i < 100; i++) {
        const double v = draw_in(&d, 0.0, 3.0), u[ROWS] = {v, 0.0};
        prepared_at(&p, &tru_law_coulomb, i % 2 ? ~0u : 0u, &d);
        check_close(p.law->support(p.work, u), v * (0.2 + 0.3 * exp(-v / 0.3)), 4e-16, 0.0);
        check(!p.law->revise(p.work, 0));
    }
}

/* A length in parts of a radius is that part of it. */
TEST(rolling_lengths_from_radii) {
    tru_rolling r = tru_default_rolling();
    r.roll = (tru_length){0.0, 0.05, TRU_RADIUS_EFFECTIVE};
    r.spin = (tru_length){0.0, 0.02, TRU_RADIUS_SMALLER};
    const tru_contact c = {.radius_effective = 0.3, .radius_smaller = 0.7};
    double work[TRU_LAW_WORK];
    const double roll[ROWS] = {0, 0, 0, 3.0, 4.0}, spin[ROWS] = {0, 0, -2.0, 0, 0};
    tru_law_rolling.prepare(&r, &c, work);
    check_close(tru_law_rolling.support(work, roll), 0.05 * 0.3 * 5.0, 4e-16, 0.0);
    check_close(tru_law_rolling.support(work, spin), 0.02 * 0.7 * 2.0, 4e-16, 0.0);
}
