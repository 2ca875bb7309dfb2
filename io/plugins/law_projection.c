/* law_projection.c: properties of the functions of a law: rows, projection, flow rule, support, boundary, derivatives. */
#include "law_projection.h"

#include "law_sample.h"

#include <stdarg.h>

bool trio_law_fails(law_trial *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(t->text, sizeof t->text, format, list);
    va_end(list);
    return false;
}

/* One draw: law at a contact, metric, slip, normal impulse, point. */
typedef struct sample {
    prepared p;
    double metric[TRU_KINDS], slip, normal, x[ROWS];
} sample;

/* max over C of c.g for coefficients frozen at the slip speed of the sample: support(-g) with g scaled to that slip. */
static double frozen_support(const sample *s, const double g[ROWS]) {
    const double size = hypot(g[0], g[1]), k = size > 0.0 ? s->slip / size : 1.0;
    double u[ROWS];
    for (int r = 0; r < ROWS; r++) u[r] = claimed(s->p.claims, r) ? -k * g[r] : 0.0;
    return s->p.law->support(s->p.work, u) / k;
}

/* Friction rows of the size of the set, inside and outside; zero where the law claims nothing. */
static void draw_point(sample *s, draw *d) {
    for (int r = 0; r < ROWS; r++) {
        double g[ROWS] = {0};
        g[r] = 1.0;
        const double e = frozen_support(s, g);
        s->x[r] = claimed(s->p.claims, r) ? draw_wide(d, -6.0, 4.0) * s->normal * (e > 0.0 ? e : 1.0) : 0.0;
    }
}

static bool draw_sample(law_trial *t, sample *s, draw *d) {
    if (!prepared_draw(&s->p, t->law, d))
        return trio_law_fails(t, "refuses 1000 random sets of parameters within their ranges");
    prepared_at(&s->p, t->law, draw_int(d, 2) ? ~0u : 0u, d);
    metric_draw(d, s->metric);
    s->slip = exp2(draw_in(d, -8.0, -2.0)); /* exp(-slip/stribeck) has 1 + slip/stribeck round-offs */
    s->normal = exp2(draw_in(d, -12.0, 4.0));
    draw_point(s, d);
    return true;
}

static void project(sample *s, double normal, const double *x, double *y, double *dx, double *dn) {
    tru_section t = {normal, s->slip, s->metric, x, y, 0, dx, dn};
    for (int r = 0; r < ROWS; r++) y[r] = 0.0;
    if (s->p.claims) s->p.law->section(s->p.work, s->p.memory, &t);
}

static double norm(const sample *s, const double *a, const double *b) {
    double e[ROWS];
    for (int r = 0; r < ROWS; r++) e[r] = a[r] - b[r];
    return sqrt(metric_product(s->metric, e, e));
}

static double length(const sample *s, const double *a) { return sqrt(metric_product(s->metric, a, a)); }

/* Runs `one` on every draw. A law without a set has nothing to project. */
static bool every_draw(law_trial *t, uint64_t stream, bool (*one)(law_trial *t, sample *s, draw *d, int i)) {
    draw d = {t->seed, stream, 0};
    sample s;
    if (!t->law->section) t->draws = 0;
    for (int i = 0; i < t->draws; i++)
        if (!draw_sample(t, &s, &d) || !one(t, &s, &d, i)) return false;
    return true;
}

/* ---- values and rows ---- */

bool trio_law_has_values(law_trial *t) {
    const law_params all = law_values_together(t->law, NULL);
    tru_error err = {TRU_OK, ""};
    if (!law_accepts(t->law, &all)) return trio_law_fails(t, "refuses typical values of all its fields");
    if (t->law->claims(all.bytes) == 0)
        return trio_law_fails(t, "claims no row kind with typical values of all its fields");
    for (const tru_field *f = t->law->fields; f->name; f++) {
        law_params p = all; /* from the field table alone */
        trio_set_typical(f, LAW_LENGTH, p.bytes);
        if (tru_fields_check(t->law->fields, p.bytes, t->law->name, &err) < 0) return trio_law_fails(t, "%s", err.text);
    }
    t->draws = 1;
    return true;
}

static bool keeps_to_rows(law_trial *t, sample *s, draw *d, int i) {
    double y[ROWS] = {7.0, 7.0, 7.0, 7.0, 7.0};
    const double x[ROWS] = {1.0, 1.0, 1.0, 1.0, 1.0};
    tru_section section = {s->normal, s->slip, s->metric, x, y, 0, NULL, NULL};
    (void)d;
    if (s->p.claims) s->p.law->section(s->p.work, s->p.memory, &section);
    for (int r = 0; r < ROWS; r++)
        if (!claimed(s->p.claims, r) && y[r] != 7.0)
            return trio_law_fails(t, "draw %d: section writes friction row %d, which it does not claim", i, r);
    if (s->p.claims & TRU_KIND_BIT(TRU_KIND_NORMAL)) return trio_law_fails(t, "draw %d: claims the normal row", i);
    return true;
}

bool trio_law_keeps_to_rows(law_trial *t) { return every_draw(t, 1, keeps_to_rows); }

/* ---- projection ---- */

static bool is_idempotent(law_trial *t, sample *s, draw *d, int i) {
    double y[ROWS], z[ROWS];
    (void)d;
    project(s, s->normal, s->x, y, NULL, NULL);
    project(s, s->normal, y, z, NULL, NULL);
    if (norm(s, z, y) <= 1e-12 * length(s, y)) return true;
    return trio_law_fails(t, "draw %d: a second projection moves the point by %.3g of its size, must be at most 1e-12",
                          i, norm(s, z, y) / length(s, y));
}

bool trio_law_is_idempotent(law_trial *t) { return every_draw(t, 2, is_idempotent); }

static bool is_contracting(law_trial *t, sample *s, draw *d, int i) {
    double y[ROWS], other[ROWS], z[ROWS];
    for (int r = 0; r < ROWS; r++) other[r] = s->x[r] * (draw_int(d, 2) ? draw_in(d, -2.0, 2.0) : 1.001);
    project(s, s->normal, s->x, y, NULL, NULL);
    project(s, s->normal, other, z, NULL, NULL);
    const double room = 1e-13 * length(s, s->x);
    if (norm(s, y, z) <= norm(s, s->x, other) * (1.0 + 1e-13) + room) return true;
    return trio_law_fails(t, "draw %d: projections lie %.9g times as far apart as their points, must be at most 1", i,
                          norm(s, y, z) / norm(s, s->x, other));
}

bool trio_law_is_contracting(law_trial *t) { return every_draw(t, 3, is_contracting); }

/* y lies in p_n C if no direction g sees it beyond the support. */
static bool lies_in_set(const sample *s, const double *y, draw *d) {
    for (int k = 0; k < 20; k++) {
        double g[ROWS], seen = 0.0, all = 0.0;
        for (int r = 0; r < ROWS; r++) {
            g[r] = claimed(s->p.claims, r) && draw_int(d, 3) ? draw_wide(d, -12.0, 12.0) : 0.0;
            seen += g[r] * y[r];
            all += fabs(g[r] * y[r]);
        }
        if (!(seen <= s->normal * frozen_support(s, g) + 1e-15 * all)) return false;
    }
    return true;
}

/* y is the projection if g = (x - y)/metric, the slip that the law opposes, sees y exactly at the support (flow rule). */
static bool is_nearest(law_trial *t, sample *s, draw *d, int i) {
    double y[ROWS], g[ROWS], size = 0.0, work = 0.0;
    project(s, s->normal, s->x, y, NULL, NULL);
    for (int r = 0; r < ROWS; r++) {
        g[r] = (s->x[r] - y[r]) / s->metric[LAW_ROW_KIND(r)];
        size += fabs(s->x[r] * y[r]) / s->metric[LAW_ROW_KIND(r)];
        work += g[r] * y[r];
    }
    const double reach = s->normal * frozen_support(s, g);
    if (!(fabs(work - reach) <= 5e-14 * size))
        return trio_law_fails(
            t, "draw %d: the point is not the nearest one of the set: it takes power %.9g, support says %.9g", i, work,
            reach);
    if (!lies_in_set(s, y, d))
        return trio_law_fails(t, "draw %d: the point lies outside the set that support describes", i);
    return true;
}

bool trio_law_is_nearest(law_trial *t) { return every_draw(t, 4, is_nearest); }

/* ---- support and boundary ---- */

/* The support is the largest power of the set: the projection of a far point attains it. */
static bool has_support(law_trial *t, sample *s, draw *d, int i) {
    double u[ROWS], x[ROWS], y[ROWS], most = 0.0;
    for (int r = 0; r < ROWS; r++) u[r] = claimed(s->p.claims, r) ? draw_in(d, -1.0, 1.0) : 0.0;
    s->slip = hypot(u[0], u[1]);
    for (int r = 0; r < ROWS; r++) x[r] = -1e12 * s->normal * s->metric[LAW_ROW_KIND(r)] * u[r];
    project(s, s->normal, x, y, NULL, NULL);
    for (int r = 0; r < ROWS; r++) most -= y[r] * u[r];
    const double said = s->normal * s->p.law->support(s->p.work, u);
    if (fabs(most - said) <= 1e-9 * fabs(said)) return true;
    return trio_law_fails(t, "draw %d: support is %.9g, but the set reaches %.9g", i, said, most);
}

bool trio_law_has_support(law_trial *t) { return every_draw(t, 5, has_support); }

/* No boundary point takes more power than the support. */
static bool boundary_is_supported(const sample *s, const double *y, draw *d) {
    for (int k = 0; k < 10; k++) {
        double power = 0.0, u[ROWS];
        for (int r = 0; r < ROWS; r++) {
            u[r] = claimed(s->p.claims, r) ? 1e-9 * draw_in(d, -1.0, 1.0) : 0.0;
            power -= y[r] * u[r];
        }
        if (!(power <= s->p.law->support(s->p.work, u) * (1.0 + 1e-6))) return false;
    }
    return true;
}

/* Boundary points lie in the set; a little farther out they do not. Their coefficients are those at zero slip. */
static bool has_boundary(law_trial *t, sample *s, draw *d, int i) {
    double y[ROWS] = {0}, z[ROWS], out[ROWS];
    s->slip = 0.0;
    s->p.law->boundary(s->p.work, draw_in(d, 0.0, 2.0 * 3.14159265358979324), y);
    if (length(s, y) == 0.0) return true; /* a set without a dry part */
    project(s, 1.0, y, z, NULL, NULL);
    if (!(norm(s, z, y) <= 1e-11 * length(s, y)))
        return trio_law_fails(t, "draw %d: a boundary point lies %.3g of its size outside the set", i,
                              norm(s, z, y) / length(s, y));
    for (int r = 0; r < ROWS; r++) out[r] = y[r] * (1.0 + 1e-6);
    project(s, 1.0, out, z, NULL, NULL);
    if (!(norm(s, z, out) > 0.0)) return trio_law_fails(t, "draw %d: a boundary point lies inside the set", i);
    if (!boundary_is_supported(s, y, d))
        return trio_law_fails(t, "draw %d: a boundary point takes more power than the support", i);
    return true;
}

bool trio_law_has_boundary(law_trial *t) {
    if (!t->law->boundary) t->draws = 0;
    return every_draw(t, 6, has_boundary);
}

/* ---- derivatives and viscosity ---- */

/* A column of dy/dx, or dy/dp_n behind the last one, by central differences at two widths. */
static void differences(sample *s, int c, double slope[2][ROWS]) {
    const double at = c < ROWS ? s->x[c] : s->normal;
    for (int fine = 0; fine < 2; fine++) {
        double x[ROWS], lo[ROWS], hi[ROWS];
        memcpy(x, s->x, sizeof x);
        const double h = at * (fine ? 0x1p-18 : 0x1p-17);
        if (c < ROWS) x[c] = at + h;
        project(s, c < ROWS ? s->normal : at + h, x, hi, NULL, NULL);
        if (c < ROWS) x[c] = at - h;
        project(s, c < ROWS ? s->normal : at - h, x, lo, NULL, NULL);
        for (int r = 0; r < ROWS; r++) slope[fine][r] = (hi[r] - lo[r]) / (2.0 * h);
    }
}

/* Where two widths disagree the point is next to a kink, which has no derivative. */
static bool column_fits(sample *s, int c, const double *y, const double *dx, const double *dn, int *row) {
    double slope[2][ROWS];
    const double at = c < ROWS ? s->x[c] : s->normal;
    differences(s, c, slope);
    /* size of a column in the metric; round-off of y enters a difference divided by h */
    const double scale =
        sqrt(metric_product(s->metric, slope[1], slope[1]) + metric_product(s->metric, y, y) / (at * at));
    for (int r = 0; r < ROWS; r++)
        if (fabs(slope[0][r] - slope[1][r]) > 1e-7 * scale * sqrt(s->metric[LAW_ROW_KIND(r)])) return true;
    for (*row = 0; *row < ROWS; (*row)++) {
        const double said = c < ROWS ? dx[*row * ROWS + c] : dn[*row];
        if (claimed(s->p.claims, *row) &&
            !(fabs(said - slope[1][*row]) <= 5e-8 * scale * sqrt(s->metric[LAW_ROW_KIND(*row)])))
            return false;
    }
    return true;
}

static bool has_slopes(law_trial *t, sample *s, draw *d, int i) {
    double y[ROWS], dx[ROWS * ROWS] = {0}, dn[ROWS] = {0};
    int row;
    (void)d;
    project(s, s->normal, s->x, y, dx, dn);
    for (int c = 0; c <= ROWS; c++) /* the last column: p_n */
        if ((c == ROWS || claimed(s->p.claims, c)) && !column_fits(s, c, y, dx, dn, &row))
            return c < ROWS ? trio_law_fails(t, "draw %d: dx of friction row %d by row %d differs from differences", i,
                                             row, c)
                            : trio_law_fails(t, "draw %d: dn of friction row %d differs from differences", i, row);
    return true;
}

bool trio_law_has_slopes(law_trial *t) { return every_draw(t, 7, has_slopes); }

static bool resists(law_trial *t, sample *s, draw *d, int i) {
    double v[ROWS * ROWS] = {0}, u[ROWS], power = 0.0, size = 0.0;
    s->p.law->viscosity(s->p.work, v);
    for (int r = 0; r < ROWS; r++) u[r] = draw_in(d, -1.0, 1.0);
    for (int k = 0; k < ROWS * ROWS; k++) {
        const int r = k / ROWS, c = k % ROWS;
        if (v[k] != 0.0 && !(claimed(s->p.claims, r) && claimed(s->p.claims, c)))
            return trio_law_fails(t, "draw %d: viscosity writes rows %d and %d, which it does not claim", i, r, c);
        if (v[k] != v[c * ROWS + r])
            return trio_law_fails(t, "draw %d: viscosity is not symmetric in rows %d and %d", i, r, c);
        power += u[r] * v[k] * u[c];
        size += fabs(v[k]);
    }
    return power >= -1e-15 * size ||
           trio_law_fails(t, "draw %d: viscosity takes power %.3g, must be at least 0", i, power);
}

bool trio_law_resists(law_trial *t) {
    if (!t->law->viscosity) t->draws = 0;
    return every_draw(t, 8, resists);
}
