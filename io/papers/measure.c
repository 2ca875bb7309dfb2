/* measure.c: one number of a run, described by data: a probe at a time, an extreme, an event, a fit. */
#include "measure.h"

#include "common/fail.h"
#include "common/grow.h"
#include "fit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

tru_status trio_entry_fail(const tru_tree *node, tru_status status, tru_error *err, const char *format, ...) {
    const char *file;
    int line, column;
    va_list list;
    tru_tree_where(node, &file, &line, &column);
    int n = snprintf(err->text, sizeof err->text, "%s:%d:%d: ", file, line, column);
    va_start(list, format);
    if (n > 0 && (size_t)n < sizeof err->text) vsnprintf(err->text + n, sizeof err->text - (size_t)n, format, list);
    va_end(list);
    return err->status = status;
}

tru_status trio_tree_number(const tru_tree *node, tru_unit unit, double *out, tru_error *err) {
    const char *text = tru_tree_text(node);
    const tru_unit_info wanted = tru_unit_describe(unit);
    char *end;
    if (!text) return trio_entry_fail(node, TRU_BAD_ARGUMENT, err, "this entry must be a number");
    double value = strtod(text, &end), scale = 1.0;
    const bool number = end != text && isfinite(value);
    while (*end == ' ') end++;
    if (number && *end) {
        tru_unit_info got;
        bool angle;
        if (!tru_unit_parse(end, &scale, &got, &angle) || got.kg != wanted.kg || got.m != wanted.m || got.s != wanted.s)
            return trio_entry_fail(node, TRU_BAD_ARGUMENT, err, "'%s' is not in %s", text, wanted.symbol);
    }
    if (!number) return trio_entry_fail(node, TRU_BAD_ARGUMENT, err, "'%s' is not a number", text);
    *out = tru_unit_to_si(value, scale);
    return TRU_OK;
}

tru_status trio_tree_number_at(const tru_tree *map, const char *key, tru_unit unit, double *out, tru_error *err) {
    const tru_tree *entry = tru_tree_find(map, key);
    if (!entry) return trio_entry_fail(map, TRU_BAD_ARGUMENT, err, "'%s' is missing, must be a number", key);
    return trio_tree_number(entry, unit, out, err);
}

/* Returns the index of a node's text among words; -1 with a sentence if it is none of them. */
static int choice(const tru_tree *node, const char *const *words, size_t count, tru_error *err) {
    const char *text = tru_tree_text(node);
    for (size_t k = 0; text && k < count; k++)
        if (strcmp(text, words[k]) == 0) return (int)k;
    const char *near = text ? tru_nearest_name(text, words, count) : NULL;
    trio_entry_fail(node, TRU_UNKNOWN_NAME, err, "unknown word '%s'%s%s", text ? text : "",
                    near ? "; the nearest is " : "", near ? near : "");
    return -1;
}

static tru_status optional_number(const tru_tree *node, const char *key, tru_unit unit, double *out, tru_error *err) {
    const tru_tree *entry = tru_tree_find(node, key);
    return entry ? trio_tree_number(entry, unit, out, err) : TRU_OK;
}

static bool is_fit(measure_kind kind) { return kind >= MEASURE_SLOPE && kind <= MEASURE_FINITE_TIME; }

static tru_status read_event(const tru_tree *node, measure *out, tru_error *err) {
    static const char *const takes[] = {"time", "x", "y", "z", "speed", "count"};
    static const char *const rows[] = {"normal", "slide", "spin", "roll"};
    const char *events[16];
    size_t count = 0;
    const tru_tree *take = tru_tree_find(node, "take"), *row = tru_tree_find(node, "row");
    const tru_tree *body = tru_tree_find(node, "body"), *number = tru_tree_find(node, "number");
    while (count < TRU_EVENT_KINDS) {
        events[count] = tru_event_name((int)count);
        count++;
    }
    out->kind = MEASURE_EVENT;
    out->event = choice(tru_tree_find(node, "event"), events, count, err);
    if (out->event < 0) return err->status;
    int taken = take ? choice(take, takes, 6, err) : TAKE_TIME;
    if (taken < 0) return err->status;
    out->take = (measure_take)taken;
    out->row_kind = row ? choice(row, rows, 4, err) : -1;
    if (row && out->row_kind < 0) return err->status;
    out->body = body ? tru_tree_text(body) : NULL;
    if (optional_number(node, "from", TRU_UNIT_S, &out->from, err) < 0) return err->status;
    if (optional_number(node, "to", TRU_UNIT_S, &out->to, err) < 0) return err->status;
    out->number = 1;
    if (!number) return TRU_OK;
    const char *text = tru_tree_text(number);
    out->number = text && strcmp(text, "last") == 0 ? 0 : text ? atoi(text) : -1;
    if (out->number < 0 || (out->number == 0 && strcmp(text, "last") != 0))
        return trio_entry_fail(number, TRU_BAD_ARGUMENT, err, "number must be 1, 2, ... or last");
    return TRU_OK;
}

/* "above: 1" or "below: 0.5" of a probe. */
static tru_status read_condition(const tru_tree *node, const char *probe, const char *above_key, const char *below_key,
                                 measure_condition *out, tru_error *err) {
    const tru_tree *above = tru_tree_find(node, above_key), *below = tru_tree_find(node, below_key);
    if (!above == !below)
        return trio_entry_fail(node, TRU_BAD_ARGUMENT, err, "a share needs one of %s and %s", above_key, below_key);
    *out = (measure_condition){probe, 0.0, below != NULL};
    return trio_tree_number(above ? above : below, TRU_UNIT_ONE, &out->level, err);
}

static tru_status read_share(const tru_tree *node, measure *out, tru_error *err) {
    const tru_tree *other = tru_tree_find(node, "with");
    if (read_condition(node, out->probe, "above", "below", &out->a, err) < 0 || !other) return err->status;
    return read_condition(node, tru_tree_text(other), "with_above", "with_below", &out->b, err);
}

static tru_status read_fit(const tru_tree *node, measure *out, tru_error *err) {
    static const char *const results[] = {"value", "error"}, *const booleans[] = {"false", "true"};
    const tru_tree *result = tru_tree_find(node, "result"), *back = tru_tree_find(node, "back");
    const int error = result ? choice(result, results, 2, err) : 0,
              counts_back = back ? choice(back, booleans, 2, err) : 0;
    if (error < 0 || counts_back < 0) return err->status;
    out->error = error == 1;
    out->back = counts_back == 1;
    if (optional_number(node, "origin", TRU_UNIT_S, &out->origin, err) < 0) return err->status;
    return optional_number(node, "raise", TRU_UNIT_ONE, &out->raise, err);
}

/* The circle of the path (probe, with), where `maxima` has its own. */
static tru_status read_circle(const tru_tree *node, measure *out, tru_error *err) {
    static const char *const parts[] = {"radius", "error", "x", "y", "turn"};
    const tru_tree *other = tru_tree_find(node, "with"), *maxima = tru_tree_find(node, "maxima");
    const tru_tree *result = tru_tree_find(node, "result");
    if (!other || !tru_tree_text(other))
        return trio_entry_fail(node, TRU_BAD_ARGUMENT, err, "a circle needs two probes: probe and with");
    out->b.probe = tru_tree_text(other);
    out->maxima = maxima ? tru_tree_text(maxima) : NULL;
    const int part = result ? choice(result, parts, 5, err) : 0;
    out->part = part < 0 ? CIRCLE_RADIUS : (measure_of_circle)part;
    return part < 0 ? err->status : TRU_OK;
}

static tru_status read_probe(const tru_tree *node, measure *out, tru_error *err) {
    static const char *const takes[] = {"max",   "min",   "range",       "when_max", "mean",        "frequency",
                                        "share", "slope", "exponential", "power",    "finite_time", "circle"};
    const tru_tree *at = tru_tree_find(node, "at"), *take = tru_tree_find(node, "take");
    const tru_tree *probe = tru_tree_find(node, "probe");
    out->probe = probe ? tru_tree_text(probe) : NULL;
    if (!out->probe) return trio_entry_fail(node, TRU_BAD_ARGUMENT, err, "measure needs a probe or an event");
    out->kind = MEASURE_END;
    if (at && tru_tree_text(at) && strcmp(tru_tree_text(at), "end") != 0) {
        out->kind = MEASURE_AT;
        return trio_tree_number(at, TRU_UNIT_S, &out->from, err);
    }
    if (!take) return TRU_OK;
    int taken = choice(take, takes, sizeof takes / sizeof *takes, err);
    if (taken < 0) return err->status;
    out->kind = (measure_kind)(MEASURE_MAX + taken);
    if (out->kind == MEASURE_SHARE && read_share(node, out, err) < 0) return err->status;
    if (out->kind == MEASURE_FREQUENCY && tru_tree_find(node, "with"))
        out->b.probe = tru_tree_text(tru_tree_find(node, "with"));
    if (out->kind == MEASURE_CIRCLE && read_circle(node, out, err) < 0) return err->status;
    if (is_fit(out->kind) && read_fit(node, out, err) < 0) return err->status;
    if (optional_number(node, "from", TRU_UNIT_S, &out->from, err) < 0) return err->status;
    return optional_number(node, "to", TRU_UNIT_S, &out->to, err);
}

tru_status trio_measure_read(const tru_tree *node, measure *out, tru_error *err) {
    static const char *const keys[] = {"probe", "at",     "take",  "from",   "to",    "origin",     "raise",
                                       "back",  "result", "above", "below",  "with",  "with_above", "with_below",
                                       "event", "row",    "body",  "number", "maxima"};
    *out = (measure){.to = INFINITY, .origin = NAN, .raise = 1.0, .row_kind = -1};
    err->status = TRU_OK;
    if (tru_tree_is(node) != TRU_TREE_MAP)
        return trio_entry_fail(node, TRU_BAD_ARGUMENT, err,
                               "measure must be a map such as {probe: ball.speed, at: end}");
    for (size_t k = 0; k < tru_tree_count(node); k++) {
        bool known = false;
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            known = known || strcmp(keys[i], tru_tree_key(node, k)) == 0;
        if (!known)
            return trio_entry_fail(tru_tree_at(node, k), TRU_UNKNOWN_NAME, err, "measure has no key '%s'",
                                   tru_tree_key(node, k));
    }
    return tru_tree_find(node, "event") ? read_event(node, out, err) : read_probe(node, out, err);
}

/* ---- measuring ---- */

bool trio_measuring_every_step(const measure *what) { return what->kind != MEASURE_END && what->kind != MEASURE_EVENT; }

static tru_unit unit_of_event(const measure *what) {
    switch (what->take) {
    case TAKE_SPEED:
        return what->row_kind > TRU_KIND_SLIDE ? TRU_UNIT_RAD_PER_S : TRU_UNIT_M_PER_S;
    case TAKE_TIME:
        return TRU_UNIT_S;
    case TAKE_COUNT:
        return TRU_UNIT_ONE;
    default:
        return TRU_UNIT_M;
    }
}

tru_status trio_measuring_begin(measuring *m, const measure *what, tru_sim *sim, tru_error *err) {
    *m = (measuring){.what = what, .value = NAN, .last = {NAN, NAN}, .unit = unit_of_event(what)};
    if (what->kind == MEASURE_EVENT) return TRU_OK;
    const tru_status status = tru_sim_probe(sim, what->probe, &m->probe, &m->unit, err);
    if (what->kind == MEASURE_EXPONENTIAL) m->unit = TRU_UNIT_PER_S;
    if (what->kind == MEASURE_FREQUENCY) m->unit = what->b.probe ? TRU_UNIT_ONE : TRU_UNIT_RAD_PER_S;
    if (what->kind == MEASURE_WHEN_MAX) m->unit = TRU_UNIT_S;
    if (what->kind == MEASURE_POWER || what->kind == MEASURE_FINITE_TIME || what->kind == MEASURE_SHARE)
        m->unit = TRU_UNIT_ONE;
    if (what->kind == MEASURE_SLOPE) m->unit = TRU_UNIT_MISSING; /* the probe's per second: no name for all of them */
    if (what->kind == MEASURE_CIRCLE && what->part == CIRCLE_TURN) m->unit = TRU_UNIT_RAD;
    if (status < 0 || !what->b.probe) return status;
    if (what->maxima && tru_sim_probe(sim, what->maxima, &m->third, NULL, err) < 0) return err->status;
    return tru_sim_probe(sim, what->b.probe, &m->other, NULL, err);
}

static void keep_point(measuring *m, double time, double value) {
    m->no_memory = m->no_memory || !GROW(m->times, m->time_room, m->point_count + 1) ||
                   !GROW(m->values, m->value_room, m->point_count + 1);
    if (m->no_memory) return;
    m->times[m->point_count] = time;
    m->values[m->point_count++] = value;
}

static bool holds(const measure_condition *c, double value) { return c->below ? value < c->level : value > c->level; }

/* A rise through zero between the last step and this one, where the straight line between them says. */
static void count_rise(measuring *m, const tru_sim *sim, double time, double value) {
    if (m->last[1] < 0.0 && value >= 0.0) {
        const double at = time - (time - m->last[0]) * value / (value - m->last[1]);
        if (m->rises++ == 0) m->first = at;
        m->final = at;
    }
    m->last[0] = time;
    m->last[1] = value;
    const double other = m->what->b.probe ? tru_sim_value(sim, m->other) : NAN;
    if (!isnan(other)) m->sum += other, m->count += 1.0;
}

static void count_share(measuring *m, const tru_sim *sim, double value) {
    const measure *what = m->what;
    const double other = what->b.probe ? tru_sim_value(sim, m->other) : 0.0;
    if (isnan(value) || isnan(other)) return;
    m->count += 1.0;
    m->sum += what->b.probe ? holds(&what->a, value) == holds(&what->b, other) : holds(&what->a, value);
}

static void count_place(measuring *m, const tru_sim *sim, double time, double x) {
    const double y = tru_sim_value(sim, m->other), height = m->what->maxima ? tru_sim_value(sim, m->third) : 0.0;
    if (isnan(x) || isnan(y) || isnan(height)) return;
    if (m->what->maxima)
        trio_footsteps_sample(&m->path, time, height, x, y);
    else
        trio_footsteps_point(&m->path, x, y);
}

void trio_measuring_step(measuring *m, const tru_sim *sim) {
    const measure *what = m->what;
    const tru_world *w = tru_sim_world((tru_sim *)sim);
    const double time = tru_time(w), slack = 1e-6 * tru_step_size(w);
    if (!trio_measuring_every_step(what)) return;
    if (!what->back && (time < what->from - slack || time > what->to + slack)) return;
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
    case MEASURE_RANGE:
        m->last[0] = fmin(m->last[0], value);
        m->last[1] = fmax(m->last[1], value);
        m->value = m->last[1] - m->last[0];
        break;
    case MEASURE_CIRCLE:
        count_place(m, sim, time, value);
        break;
    case MEASURE_WHEN_MAX:
        if (value > m->last[1] || isnan(m->last[1])) m->value = time, m->last[1] = value;
        break;
    case MEASURE_MEAN:
        if (!isnan(value)) m->sum += value, m->count += 1.0;
        break;
    case MEASURE_FREQUENCY:
        count_rise(m, sim, time, value);
        break;
    case MEASURE_SHARE:
        count_share(m, sim, value);
        break;
    default:
        keep_point(m, time, value);
    }
}

static bool event_fits(const measure *what, const tru_event *e, const tru_world *w) {
    tru_body_info info;
    if (e->kind != what->event || e->time < what->from || e->time > what->to) return false;
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
        if (++seen == what->number && what->take != TAKE_COUNT) break;
    }
    if (what->take == TAKE_COUNT) return seen;
    if (!found || seen < what->number) return NAN;
    const double values[] = {found->time, found->position.x, found->position.y, found->position.z, found->speed};
    return values[what->take];
}

/* Keeps the points of the window in the form of the fit: x in times, y in values. */
static void choose_points(measuring *m, double origin) {
    const measure *what = m->what;
    const bool power = what->kind == MEASURE_POWER || what->kind == MEASURE_FINITE_TIME;
    size_t kept = 0;
    for (size_t k = 0; k < m->point_count; k++) {
        const double time = m->times[k], value = m->values[k], ago = origin - time;
        if (what->back && (ago < what->from || ago > what->to)) continue;
        const double x = power ? log(fabs(ago)) : time;
        const double y = what->kind == MEASURE_SLOPE ? pow(value, what->raise) : log(fabs(value));
        if (!isfinite(x) || !isfinite(y)) continue;
        m->times[kept] = x;
        m->values[kept++] = y;
    }
    m->point_count = kept;
}

static double fit_value(measuring *m, double end) {
    const measure *what = m->what;
    choose_points(m, isnan(what->origin) ? end : what->origin);
    const fit f = trio_fit_line(m->times, m->values, m->point_count);
    free(m->times);
    free(m->values);
    m->times = m->values = NULL;
    if (what->kind != MEASURE_FINITE_TIME) return what->error ? f.error : f.slope;
    return what->error ? f.error / (f.slope * f.slope) : -1.0 / f.slope; /* n = -1/p */
}

static double frequency(const measuring *m) {
    if (m->rises < 2) return NAN;
    const double rate = 6.28318530717958648 * (double)(m->rises - 1) / (m->final - m->first);
    return m->what->b.probe ? rate / (m->sum / m->count) : rate;
}

static double circle_value(measuring *m) {
    const circle c = trio_footsteps_circle(&m->path);
    const double values[] = {c.radius, c.error, c.x, c.y, c.turn};
    return values[m->what->part];
}

bool trio_measuring_fits(const measuring *m) { return !m->no_memory && !m->path.no_memory; }

void trio_measuring_free(measuring *m) {
    free(m->times);
    free(m->values);
    m->times = m->values = NULL;
    trio_footsteps_free(&m->path);
}

double trio_measuring_end(measuring *m, const tru_sim *sim) {
    const measure *what = m->what;
    if (what->kind == MEASURE_END) return tru_sim_value(sim, m->probe);
    if (what->kind == MEASURE_EVENT) return event_value(what, sim);
    if (what->kind == MEASURE_CIRCLE) return circle_value(m);
    if (is_fit(what->kind)) return fit_value(m, tru_time(tru_sim_world((tru_sim *)sim)));
    if (what->kind == MEASURE_MEAN || what->kind == MEASURE_SHARE) return m->sum / m->count;
    return what->kind == MEASURE_FREQUENCY ? frequency(m) : m->value;
}
