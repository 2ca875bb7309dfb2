/* test_law_cone.c: the joint cone of normal row and laws: optimality certificate and closed form. */
#define _GNU_SOURCE
#include "prepared.h"

enum { DRAWS = 3000, MOST = TRU_PAIR_LAWS };

/* Laws at one contact, with a metric and a point of all six rows. */
typedef struct cone_case {
    prepared p[MOST];
    law_use use[MOST];
    int count;
    unsigned claims;
    double metric[TRU_KINDS], slip, x[TRU_ROWS];
} cone_case;

/* A random choice of laws that do not claim the same kind; sometimes a parameter is zero or there is no law. */
static void case_draw(cone_case *c, draw *d) {
    const tru_law *law;
    c->count = 0;
    c->claims = 0;
    for (size_t k = 0; (law = tru_law_at(k)) != NULL && c->count < MOST; k++) {
        if (!law->section || draw_int(d, 4) == 0) continue;
        prepared *p = &c->p[c->count];
        prepared_draw(p, law, d);
        if (law->claims(p->params.bytes) & c->claims) continue;
        prepared_at(p, law, draw_int(d, 2) ? ~0u : 0u, d);
        c->claims |= p->claims;
        c->use[c->count++] = prepared_use(p);
    }
    metric_draw(d, c->metric);
    c->slip = draw_int(d, 10) ? exp2(draw_in(d, -8.0, -2.0)) : 0.0;
    c->x[0] = draw_int(d, 20) ? draw_wide(d, -10.0, 6.0) : 0.0;
    const double slip = c->slip > 0.0 ? c->slip : 1e-12;
    point_draw(d, c->use, c->count, c->claims, fabs(c->x[0]) + 1e-3, slip, c->x + 1);
    if (draw_int(d, 10) == 0) memset(c->x + 1, 0, ROWS * sizeof(double));
}

/* y in the cone, x - y in the polar cone, the two orthogonal in the metric: together a proof that y is nearest. */
TEST(certificate) {
    draw d = {check_seed(), 1, 0};
    int apex = 0, inside = 0, between = 0;
    for (int i = 0; i < DRAWS; i++) {
        cone_case c;
        double y[TRU_ROWS], z[ROWS], g[ROWS];
        case_draw(&c, &d);
        const double slip = c.slip > 0.0 ? c.slip : 1e-12; /* the limit of small slip stands for none */
        const int steps = trui_laws_cone(c.use, c.count, c.metric, c.slip, c.x, y);
        check(y[0] >= 0.0 && steps < 60);
        tru_section s = {y[0], c.slip, c.metric, y + 1, z, 0, NULL, NULL};
        memset(z, 0, sizeof z);
        trui_laws_section(c.use, c.count, &s);
        double out = 0.0, size = (c.x[0] * c.x[0] + y[0] * y[0]) / c.metric[0];
        double dot = (c.x[0] - y[0]) * y[0] / c.metric[0];
        for (int r = 0; r < ROWS; r++) {
            const double m = c.metric[LAW_KIND_OF_ROW(r)];
            out += (z[r] - y[1 + r]) * (z[r] - y[1 + r]) / m;
            size += c.x[1 + r] * c.x[1 + r] / m;
            g[r] = (c.x[1 + r] - y[1 + r]) / m;
            dot += g[r] * y[1 + r];
        }
        const double polar = (c.x[0] - y[0]) / c.metric[0] + frozen_support(c.use, c.count, g, slip);
        double seen = fabs(c.x[0]) / c.metric[0];
        for (int r = 0; r < ROWS; r++)
            seen += extent(c.use, c.count, r, slip) * fabs(c.x[1 + r]) / c.metric[LAW_KIND_OF_ROW(r)];
        check(out <= 1e-24 * size);
        check(fabs(dot) <= 1e-13 * size);
        check(polar <= 1e-11 * seen);
        apex += y[0] == 0.0;
        inside += memcmp(c.x, y, sizeof y) == 0;
        between += y[0] > 0.0 && memcmp(c.x, y, sizeof y) != 0;
    }
    check(apex > DRAWS / 20 && inside > DRAWS / 50 && between > DRAWS / 5);
}

/* Closed form of [cone-equations 3] for discs and an interval: coefficients c, sizes l, metric ratios q. */
static double closed_form(const double c[3], const double l[3], const double q[3], double x0) {
    double y = x0 > 0.0 ? x0 : 0.0, reach = x0;
    bool in[3], any = false;
    for (int i = 0; i < 3; i++) reach += q[i] * c[i] * l[i];
    if (reach <= 0.0) return 0.0;
    for (int i = 0; i < 3; i++) any |= in[i] = l[i] > c[i] * y;
    while (any) {
        double sum = x0, weight = 1.0;
        bool changed = false;
        for (int i = 0; i < 3; i++)
            if (in[i]) sum += q[i] * c[i] * l[i], weight += q[i] * c[i] * c[i];
        y = sum / weight;
        for (int i = 0; i < 3; i++)
            if (in[i] && !(l[i] > c[i] * y)) in[i] = false, changed = true;
        if (!changed) break;
    }
    return y > 0.0 ? y : 0.0;
}

TEST(coulomb_and_rolling_against_closed_form) {
    draw d = {check_seed(), 2, 0};
    static const double values[] = {0.0, 1e-6, 0.005, 0.1, 0.6, 1.0, 30.0};
    int slowest = 0;
    for (int i = 0; i < 7 * 7 * 7 * 30; i++) {
        const double c[3] = {values[i % 7], values[i / 7 % 7], values[i / 49 % 7]};
        cone_case k = {.count = 2};
        tru_coulomb slide = tru_default_coulomb();
        tru_rolling rolling = tru_default_rolling();
        slide.slide = c[0];
        rolling.roll.length = c[1];
        rolling.spin.length = c[2];
        k.p[0].params = law_defaults(&tru_law_coulomb);
        k.p[1].params = law_defaults(&tru_law_rolling);
        memcpy(k.p[0].params.bytes, &slide, sizeof slide);
        memcpy(k.p[1].params.bytes, &rolling, sizeof rolling);
        prepared_at(&k.p[0], &tru_law_coulomb, 0, &d);
        prepared_at(&k.p[1], &tru_law_rolling, 0, &d);
        for (int j = 0; j < 2; j++) k.use[j] = prepared_use(&k.p[j]);
        metric_draw(&d, k.metric);
        for (int r = 0; r < TRU_ROWS; r++) {
            const int kind = r == 0 ? TRU_KIND_NORMAL : LAW_KIND_OF_ROW(r - 1);
            const bool in = r == 0 || c[kind == TRU_KIND_SLIDE ? 0 : kind == TRU_KIND_ROLL ? 1 : 2] > 0.0;
            k.x[r] = in ? draw_wide(&d, -8.0, 8.0) : 0.0; /* rows that are not claimed are not in the problem */
        }
        const double l[3] = {hypot(k.x[1], k.x[2]), hypot(k.x[4], k.x[5]), fabs(k.x[3])};
        const double q[3] = {k.metric[0] / k.metric[1], k.metric[0] / k.metric[3], k.metric[0] / k.metric[2]};
        const double y = closed_form(c, l, q, k.x[0]);
        double mine[TRU_ROWS];
        const int steps = trui_laws_cone(k.use, 2, k.metric, 0.0, k.x, mine);
        double reach = fabs(k.x[0]);
        for (int j = 0; j < 3; j++) reach += q[j] * c[j] * l[j];
        /* where the terms of phi cancel, y is known to round-off of the terms only */
        const double room = 1e-11 * y + 1e-14 * reach / (1.0 + q[0] * c[0] * c[0] + q[1] * c[1] * c[1]);
        check_close(mine[0], y, 0.0, room);
        slowest = steps > slowest ? steps : slowest;
        const double size[3] = {hypot(mine[1], mine[2]), hypot(mine[4], mine[5]), fabs(mine[3])};
        for (int j = 0; j < 3; j++) check_close(size[j], fmin(l[j], c[j] * y), 1e-11, c[j] * room);
    }
    check(slowest <= 6); /* at most 3 changes of the active set, one to start, one to see that nothing moves */
}
