/* test_laws.c: every registered law: projection, flow rule, derivatives, support and boundary of its set. */
#define _GNU_SOURCE
#include "prepared.h"

/* All built-in laws; says which one failed. */
#define EACH_LAW(law)                                                                                                  \
    for (size_t law##_k = 0; (law = tru_law_at(law##_k)) != NULL; blame(law), law##_k++)                               \
        if (law->section)
enum { DRAWS = 400 };

static void blame(const tru_law *law) {
    static long before;
    if (check_state.failures > before) printf("that was law %s\n", law->name);
    before = check_state.failures;
}

/* One draw: law at a contact, metric, slip, normal impulse, point. */
typedef struct sample {
    prepared p;
    law_use use;
    double metric[TRU_KINDS], slip, normal, x[ROWS];
} sample;

static void sample_draw(sample *s, const tru_law *law, draw *d) {
    prepared_draw(&s->p, law, d);
    prepared_at(&s->p, law, draw_int(d, 2) ? ~0u : 0u, d);
    s->use = prepared_use(&s->p);
    metric_draw(d, s->metric);
    s->slip = exp2(draw_in(d, -8.0, -2.0)); /* exp(-slip/stribeck) has 1 + slip/stribeck round-offs */
    s->normal = exp2(draw_in(d, -12.0, 4.0));
    point_draw(d, &s->use, 1, s->p.claims, s->normal, s->slip, s->x);
}

static void project(sample *s, double normal, const double *x, double *y, double *dx, double *dn) {
    tru_section t = {normal, s->slip, s->metric, x, y, 0, dx, dn};
    for (int r = 0; r < ROWS; r++) y[r] = 0.0;
    trui_laws_section(&s->use, 1, &t);
}

static double norm(const sample *s, const double *a, const double *b) {
    double e[ROWS];
    for (int r = 0; r < ROWS; r++) e[r] = a[r] - b[r];
    return sqrt(metric_product(s->metric, e, e));
}

/* ---- every law: rows and projection ---- */

/* The values that tests give to a law are in range, and those that go together pass the law's own check. */
TEST(every_field_has_a_value) {
    const tru_law *law;
    for (size_t k = 0; (law = tru_law_at(k)) != NULL; blame(law), k++) {
        const law_params all = law_values_together(law, NULL);
        tru_error err;
        check(law_accepts(law, &all) && law->claims(all.bytes) != 0);
        for (const tru_field *f = law->fields; f->name; f++) {
            law_params p = all; /* from the field table alone */
            kit_set_typical(f, LAW_LENGTH, p.bytes);
            if (!check_status(tru_fields_check(law->fields, p.bytes, law->name, &err), TRU_OK))
                printf("%s\n", err.text);
        }
    }
}

/* Every law claims at least the kinds of its coefficients, and writes no row it does not claim. */
TEST(only_claimed_rows) {
    draw d = {check_seed(), 1, 0};
    const tru_law *law;
    EACH_LAW(law) {
        unsigned all = 0;
        for (int i = 0; i < DRAWS; i++) {
            sample s;
            double y[ROWS] = {7.0, 7.0, 7.0, 7.0, 7.0}, x[ROWS] = {1.0, 1.0, 1.0, 1.0, 1.0};
            sample_draw(&s, law, &d);
            tru_section t = {s.normal, s.slip, s.metric, x, y, 0, NULL, NULL};
            trui_laws_section(&s.use, 1, &t);
            for (int r = 0; r < ROWS; r++)
                if (!claimed(s.p.claims, r)) check(y[r] == 7.0);
            all |= s.p.claims;
        }
        check(all != 0 && !(all & TRU_KIND_BIT(TRU_KIND_NORMAL)));
    }
}

TEST(projection_is_idempotent) {
    draw d = {check_seed(), 2, 0};
    const tru_law *law;
    EACH_LAW(law) {
        for (int i = 0; i < DRAWS; i++) {
            sample s;
            double y[ROWS], z[ROWS];
            sample_draw(&s, law, &d);
            project(&s, s.normal, s.x, y, NULL, NULL);
            project(&s, s.normal, y, z, NULL, NULL);
            check_close(norm(&s, z, y), 0.0, 0.0, 1e-12 * sqrt(metric_product(s.metric, y, y)));
        }
    }
}

TEST(projection_is_not_expansive) {
    draw d = {check_seed(), 3, 0};
    const tru_law *law;
    EACH_LAW(law) {
        for (int i = 0; i < DRAWS; i++) {
            sample s;
            double y[ROWS], other[ROWS], z[ROWS];
            sample_draw(&s, law, &d);
            for (int r = 0; r < ROWS; r++) other[r] = s.x[r] * (draw_int(&d, 2) ? draw_in(&d, -2.0, 2.0) : 1.001);
            project(&s, s.normal, s.x, y, NULL, NULL);
            project(&s, s.normal, other, z, NULL, NULL);
            const double room = 1e-13 * sqrt(metric_product(s.metric, s.x, s.x));
            check(norm(&s, y, z) <= norm(&s, s.x, other) * (1.0 + 1e-13) + room);
        }
    }
}

/* y lies in p_n C if no direction g sees it beyond the support; y is the projection if g = (x - y)/metric, the slip
 * that the law opposes, sees y exactly at the support (flow rule). */
TEST(flow_rule_in_the_metric) {
    draw d = {check_seed(), 4, 0};
    const tru_law *law;
    EACH_LAW(law) {
        int outside = 0, rows = 0;
        for (int i = 0; i < DRAWS; i++) {
            sample s;
            double y[ROWS], g[ROWS], size = 0.0;
            sample_draw(&s, law, &d);
            project(&s, s.normal, s.x, y, NULL, NULL);
            for (int r = 0; r < ROWS; r++) rows += claimed(s.p.claims, r);
            for (int r = 0; r < ROWS; r++) {
                g[r] = (s.x[r] - y[r]) / s.metric[LAW_KIND_OF_ROW(r)];
                size += fabs(s.x[r] * y[r]) / s.metric[LAW_KIND_OF_ROW(r)];
                outside += g[r] != 0.0;
            }
            const double reach = s.normal * frozen_support(&s.use, 1, g, s.slip);
            double work = 0.0;
            for (int r = 0; r < ROWS; r++) work += g[r] * y[r];
            check_close(work, reach, 0.0, 5e-14 * size);
            for (int k = 0; k < 20; k++) {
                double seen = 0.0, all = 0.0;
                for (int r = 0; r < ROWS; r++) {
                    g[r] = claimed(s.p.claims, r) && draw_int(&d, 3) ? draw_wide(&d, -12.0, 12.0) : 0.0;
                    seen += g[r] * y[r];
                    all += fabs(g[r] * y[r]);
                }
                check(seen <= s.normal * frozen_support(&s.use, 1, g, s.slip) + 1e-15 * all);
            }
        }
        check(rows > DRAWS / 2 &&
              4 * outside > rows); /* point_draw puts two rows of five beyond the limit of the row */
    }
}

/* ---- every law: support, boundary, derivatives, viscosity ---- */

/* The support is the largest power of the set: attained by the projection of a far point, exceeded by no boundary
 * point. */
TEST(support_is_the_largest_power) {
    draw d = {check_seed(), 5, 0};
    const tru_law *law;
    EACH_LAW(law) {
        for (int i = 0; i < DRAWS; i++) {
            sample s;
            double u[ROWS], x[ROWS], y[ROWS], most = 0.0;
            sample_draw(&s, law, &d);
            for (int r = 0; r < ROWS; r++) u[r] = claimed(s.p.claims, r) ? draw_in(&d, -1.0, 1.0) : 0.0;
            s.slip = hypot(u[0], u[1]);
            for (int r = 0; r < ROWS; r++) x[r] = -1e12 * s.normal * s.metric[LAW_KIND_OF_ROW(r)] * u[r];
            project(&s, s.normal, x, y, NULL, NULL);
            for (int r = 0; r < ROWS; r++) most -= y[r] * u[r];
            check_close(most, s.normal * law->support(s.p.work, u), 1e-9, 0.0);
        }
    }
}

/* Boundary points lie in the set; a little farther out they do not. Their coefficients are those at zero slip. */
TEST(boundary_lies_on_the_set) {
    draw d = {check_seed(), 6, 0};
    const tru_law *law;
    EACH_LAW(law) {
        int points = 0;
        if (!check(law->boundary)) {
            printf("law %s has no function `boundary`: reports draw the set of every built-in law\n", law->name);
            continue;
        }
        for (int i = 0; i < DRAWS; i++) {
            sample s;
            double y[ROWS], z[ROWS], u[ROWS], size = 0.0;
            sample_draw(&s, law, &d);
            s.slip = 0.0;
            law->boundary(s.p.work, draw_in(&d, 0.0, 2.0 * M_PI), y);
            for (int r = 0; r < ROWS; r++) size += y[r] * y[r];
            if (size == 0.0) continue; /* a set with no dry part */
            points++;
            project(&s, 1.0, y, z, NULL, NULL);
            check_close(norm(&s, y, z), 0.0, 0.0, 1e-11 * sqrt(metric_product(s.metric, y, y)));
            for (int r = 0; r < ROWS; r++) y[r] *= 1.0 + 1e-6;
            project(&s, 1.0, y, z, NULL, NULL);
            check(norm(&s, y, z) > 0.0);
            for (int k = 0; k < 10; k++) {
                double power = 0.0;
                for (int r = 0; r < ROWS; r++) {
                    u[r] = claimed(s.p.claims, r) ? 1e-9 * draw_in(&d, -1.0, 1.0) : 0.0;
                    power -= y[r] * u[r] / (1.0 + 1e-6);
                }
                check(power <= law->support(s.p.work, u) * (1.0 + 1e-6));
            }
        }
        check(points > DRAWS / 2);
    }
}

/* d y / d x and d y / d p_n against central differences; where two step sizes disagree the point is next to a kink. */
TEST(derivatives_against_differences) {
    draw d = {check_seed(), 7, 0};
    const tru_law *law;
    EACH_LAW(law) {
        long kinks = 0, columns = 0;
        for (int i = 0; i < DRAWS; i++) {
            sample s;
            double y[ROWS], dx[ROWS * ROWS] = {0}, dn[ROWS] = {0};
            sample_draw(&s, law, &d);
            project(&s, s.normal, s.x, y, dx, dn);
            for (int c = 0; c <= ROWS; c++) { /* the last column: p_n */
                if (c < ROWS && !claimed(s.p.claims, c)) continue;
                double slope[2][ROWS], scale = 0.0;
                const double at = c < ROWS ? s.x[c] : s.normal;
                for (int fine = 0; fine < 2; fine++) {
                    double x[ROWS], lo[ROWS], hi[ROWS];
                    memcpy(x, s.x, sizeof x);
                    const double h = at * (fine ? 0x1p-18 : 0x1p-17);
                    if (c < ROWS) x[c] = at + h;
                    project(&s, c < ROWS ? s.normal : at + h, x, hi, NULL, NULL);
                    if (c < ROWS) x[c] = at - h;
                    project(&s, c < ROWS ? s.normal : at - h, x, lo, NULL, NULL);
                    for (int r = 0; r < ROWS; r++) slope[fine][r] = (hi[r] - lo[r]) / (2.0 * h);
                }
                /* size of a column in the metric; round-off of y enters a difference divided by h */
                scale = sqrt(metric_product(s.metric, slope[1], slope[1]) + metric_product(s.metric, y, y) / (at * at));
                columns++;
                bool kink = false;
                for (int r = 0; r < ROWS; r++)
                    kink |= fabs(slope[0][r] - slope[1][r]) > 1e-7 * scale * sqrt(s.metric[LAW_KIND_OF_ROW(r)]);
                if (kink) kinks++;
                for (int r = 0; r < ROWS && !kink; r++)
                    if (claimed(s.p.claims, r))
                        check_close(c < ROWS ? dx[r * ROWS + c] : dn[r], slope[1][r], 0.0,
                                    5e-8 * scale * sqrt(s.metric[LAW_KIND_OF_ROW(r)]));
            }
        }
        check(columns > DRAWS && kinks * 20 < columns);
    }
}

/* Viscosities are symmetric, not negative, and act on claimed rows only. */
TEST(viscosity_on_claimed_rows) {
    draw d = {check_seed(), 8, 0};
    const tru_law *law;
    EACH_LAW(law) {
        for (int i = 0; i < DRAWS && law->viscosity; i++) {
            sample s;
            double v[ROWS * ROWS] = {0}, u[ROWS], power = 0.0, size = 0.0;
            sample_draw(&s, law, &d);
            law->viscosity(s.p.work, v);
            for (int r = 0; r < ROWS; r++) u[r] = draw_in(&d, -1.0, 1.0);
            for (int k = 0; k < ROWS * ROWS; k++) {
                const int r = k / ROWS, c = k % ROWS;
                check((claimed(s.p.claims, r) && claimed(s.p.claims, c)) || v[k] == 0.0);
                check(v[k] == v[c * ROWS + r]);
                power += u[r] * v[k] * u[c];
                size += fabs(v[k]);
            }
            check(power >= -1e-15 * size);
        }
        check(law->support);
    }
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
