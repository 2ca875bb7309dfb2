/* measure.c: one number of a run, described by data: a probe at a time, an extreme, an event, a fit. */
#include "measure.h"

#include "app.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

tru_status tree_fail(const tru_tree *node, tru_status status, tru_error *err, const char *format, ...) {
    const char *file = "?";
    int line = 0, column = 0;
    va_list list;
    if (node) tru_tree_where(node, &file, &line, &column);
    int n = snprintf(err->text, sizeof err->text, "%s:%d:%d: ", file, line, column);
    va_start(list, format);
    if (n > 0 && (size_t)n < sizeof err->text) vsnprintf(err->text + n, sizeof err->text - (size_t)n, format, list);
    va_end(list);
    return err->status = status;
}

tru_status tree_number(const tru_tree *node, tru_unit unit, double *out, tru_error *err) {
    const char *text = node ? tru_tree_text(node) : NULL;
    const tru_unit_info wanted = tru_unit_describe(unit);
    char *end;
    if (!text) return tree_fail(node, TRU_BAD_ARGUMENT, err, "a number is needed here");
    double value = strtod(text, &end), scale = 1.0;
    const bool number = end != text && isfinite(value);
    while (*end == ' ') end++;
    if (number && *end) {
        tru_unit_info got;
        bool angle;
        if (!tru_unit_parse(end, &scale, &got, &angle) || got.kg != wanted.kg || got.m != wanted.m || got.s != wanted.s)
            return tree_fail(node, TRU_BAD_ARGUMENT, err, "'%s' is not in %s", text, wanted.symbol);
    }
    if (!number) return tree_fail(node, TRU_BAD_ARGUMENT, err, "'%s' is not a number", text);
    *out = tru_unit_to_si(value, scale);
    return TRU_OK;
}

/* The index of a node's text among words, -1 with a sentence. */
static int choice(const tru_tree *node, const char *const *words, size_t count, tru_error *err) {
    const char *text = tru_tree_text(node);
    for (size_t k = 0; text && k < count; k++)
        if (strcmp(text, words[k]) == 0) return (int)k;
    const char *near = text ? tru_nearest_name(text, words, count) : NULL;
    tree_fail(node, TRU_UNKNOWN_NAME, err, "unknown word '%s'%s%s", text ? text : "", near ? "; the nearest is " : "",
              near ? near : "");
    return -1;
}

static tru_status optional_time(const tru_tree *node, const char *key, double *out, tru_error *err) {
    const tru_tree *entry = tru_tree_find(node, key);
    return entry ? tree_number(entry, TRU_UNIT_S, out, err) : TRU_OK;
}

static tru_status read_event(const tru_tree *node, measure *out, tru_error *err) {
    static const char *const takes[] = {"time", "x", "y", "z", "speed"};
    static const char *const rows[] = {"normal", "slide", "spin", "roll"};
    const char *events[EVENT_KINDS];
    const tru_tree *take = tru_tree_find(node, "take"), *row = tru_tree_find(node, "row");
    const tru_tree *body = tru_tree_find(node, "body"), *number = tru_tree_find(node, "number");
    for (int kind = 0; kind < EVENT_KINDS; kind++) events[kind] = tru_event_name(kind);
    out->kind = MEASURE_EVENT;
    out->event = choice(tru_tree_find(node, "event"), events, EVENT_KINDS, err);
    if (out->event < 0) return err->status;
    int taken = take ? choice(take, takes, 5, err) : TAKE_TIME;
    if (taken < 0) return err->status;
    out->take = (measure_take)taken;
    out->row_kind = row ? choice(row, rows, 4, err) : -1;
    if (row && out->row_kind < 0) return err->status;
    out->body = body ? tru_tree_text(body) : NULL;
    out->number = 1;
    if (!number) return TRU_OK;
    const char *text = tru_tree_text(number);
    out->number = text && strcmp(text, "last") == 0 ? 0 : text ? atoi(text) : -1;
    if (out->number < 0 || (out->number == 0 && strcmp(text, "last") != 0))
        return tree_fail(number, TRU_BAD_ARGUMENT, err, "number is 1, 2, ... or last");
    return TRU_OK;
}

static tru_status read_probe(const tru_tree *node, measure *out, tru_error *err) {
    static const char *const takes[] = {"max", "min", "mean", "slope", "exponential", "power"};
    const tru_tree *at = tru_tree_find(node, "at"), *take = tru_tree_find(node, "take");
    const tru_tree *origin = tru_tree_find(node, "origin");
    out->probe = tru_tree_text(tru_tree_find(node, "probe"));
    if (!out->probe) return tree_fail(node, TRU_BAD_ARGUMENT, err, "measure needs a probe or an event");
    out->kind = MEASURE_END;
    if (at && tru_tree_text(at) && strcmp(tru_tree_text(at), "end") != 0) {
        out->kind = MEASURE_AT;
        return tree_number(at, TRU_UNIT_S, &out->from, err);
    }
    if (!take) return TRU_OK;
    int taken = choice(take, takes, 6, err);
    if (taken < 0) return err->status;
    out->kind = (measure_kind)(MEASURE_MAX + taken);
    if (origin && tree_number(origin, TRU_UNIT_S, &out->origin, err) < 0) return err->status;
    if (optional_time(node, "from", &out->from, err) < 0) return err->status;
    return optional_time(node, "to", &out->to, err);
}

tru_status measure_read(const tru_tree *node, measure *out, tru_error *err) {
    static const char *const keys[] = {"probe", "at", "take", "from", "to", "origin", "event", "row", "body", "number"};
    *out = (measure){.to = INFINITY, .origin = NAN, .row_kind = -1};
    if (!node || tru_tree_is(node) != TRU_TREE_MAP)
        return tree_fail(node, TRU_BAD_ARGUMENT, err, "measure is a map such as {probe: ball.speed, at: end}");
    for (size_t k = 0; k < tru_tree_count(node); k++) {
        bool known = false;
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            known = known || strcmp(keys[i], tru_tree_key(node, k)) == 0;
        if (!known)
            return tree_fail(tru_tree_at(node, k), TRU_UNKNOWN_NAME, err, "measure has no key '%s'",
                             tru_tree_key(node, k));
    }
    return tru_tree_find(node, "event") ? read_event(node, out, err) : read_probe(node, out, err);
}

/* ---- measuring ---- */

bool measuring_every_step(const measure *what) { return what->kind != MEASURE_END && what->kind != MEASURE_EVENT; }

tru_status measuring_begin(measuring *m, const measure *what, tru_sim *sim, tru_error *err) {
    *m = (measuring){.what = what, .value = NAN, .unit = TRU_UNIT_S};
    if (what->kind == MEASURE_EVENT) {
        if (what->take == TAKE_SPEED) m->unit = what->row_kind > TRU_KIND_SLIDE ? TRU_UNIT_RAD_PER_S : TRU_UNIT_M_PER_S;
        if (what->take >= TAKE_X && what->take <= TAKE_Z) m->unit = TRU_UNIT_M;
        return TRU_OK;
    }
    tru_status status = tru_sim_probe(sim, what->probe, &m->probe, &m->unit, err);
    if (what->kind == MEASURE_EXPONENTIAL) m->unit = TRU_UNIT_PER_S;
    if (what->kind == MEASURE_POWER) m->unit = TRU_UNIT_ONE;
    if (what->kind == MEASURE_SLOPE) m->unit = TRU_UNIT_MISSING; /* the probe's per second: no name for all of them */
    return status;
}

static void add_point(measuring *m, double x, double y) {
    if (!isfinite(x) || !isfinite(y)) return;
    if (m->sum[0] == 0.0) m->at[0] = x, m->at[1] = y; /* small sums lose fewer digits */
    x -= m->at[0];
    y -= m->at[1];
    m->sum[0] += 1.0;
    m->sum[1] += x;
    m->sum[2] += y;
    m->sum[3] += x * x;
    m->sum[4] += x * y;
}

static void keep_point(measuring *m, double time, double value) {
    m->points = need_more(m->points, 2 * (m->point_count + 1), sizeof *m->points);
    m->points[2 * m->point_count] = time;
    m->points[2 * m->point_count + 1] = value;
    m->point_count++;
}

void measuring_step(measuring *m, const tru_sim *sim) {
    const measure *what = m->what;
    const tru_world *w = tru_sim_world((tru_sim *)sim);
    const double time = tru_time(w), slack = 1e-6 * tru_step_size(w);
    if (!measuring_every_step(what) || time < what->from - slack || time > what->to + slack) return;
    if (what->kind == MEASURE_AT && !isnan(m->value)) return;
    const double value = tru_sim_value(sim, m->probe);
    switch (what->kind) {
    case MEASURE_AT:
        m->value = value;
        break;
    case MEASURE_MAX:
        m->value = fmax(m->value, value);
        break;
    case MEASURE_MIN:
        m->value = fmin(m->value, value);
        break;
    case MEASURE_EXPONENTIAL:
        add_point(m, time, log(fabs(value)));
        break;
    case MEASURE_POWER:
        keep_point(m, time, value);
        break;
    default:
        add_point(m, time, value);
    }
}

static bool event_fits(const measure *what, const tru_event *e, const tru_world *w) {
    tru_body_info info;
    if (e->kind != what->event) return false;
    if (what->row_kind >= 0 && e->row_kind != what->row_kind) return false;
    if (!what->body) return true;
    return tru_body_describe(w, e->body_a, &info, NULL) >= 0 && strcmp(info.name, what->body) == 0;
}

static double event_value(const measure *what, const tru_sim *sim) {
    size_t count;
    const tru_event *events = tru_sim_events(sim, &count), *found = NULL;
    int seen = 0;
    for (size_t k = 0; k < count; k++) {
        if (!event_fits(what, &events[k], tru_sim_world((tru_sim *)sim))) continue;
        found = &events[k];
        if (++seen == what->number) break;
    }
    if (!found || seen < what->number) return NAN;
    const double values[] = {found->time, found->position.x, found->position.y, found->position.z, found->speed};
    return values[what->take];
}

double measuring_end(measuring *m, const tru_sim *sim) {
    const measure *what = m->what;
    const double end = tru_time(tru_sim_world((tru_sim *)sim));
    if (what->kind == MEASURE_END) return tru_sim_value(sim, m->probe);
    if (what->kind == MEASURE_EVENT) return event_value(what, sim);
    if (what->kind == MEASURE_AT || what->kind == MEASURE_MAX || what->kind == MEASURE_MIN) return m->value;
    const double origin = isnan(what->origin) ? end : what->origin;
    for (size_t k = 0; k < m->point_count; k++)
        add_point(m, log(fabs(m->points[2 * k] - origin)), log(fabs(m->points[2 * k + 1])));
    free(m->points);
    m->points = NULL;
    const double n = m->sum[0];
    if (what->kind == MEASURE_MEAN) return m->at[1] + m->sum[2] / n;
    return (n * m->sum[4] - m->sum[1] * m->sum[2]) / (n * m->sum[3] - m->sum[1] * m->sum[1]);
}
