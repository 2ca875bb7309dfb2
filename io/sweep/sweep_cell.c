/* sweep_cell.c: one cell of a sweep: a run, or a bisection by runs, and how it ended. */
#include "sweep_cell.h"

#include "common/fail.h"
#include "jobs/clock.h"
#include "sweep_axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- how a run ended: of the first free body, with all that joints hold to it ---- */

static tru_id first_free(const tru_world *w, tru_body_info *info) {
    for (size_t k = 0; k < tru_body_count(w); k++) {
        const tru_id id = tru_body_at(w, k);
        if (tru_body_describe(w, id, info, NULL) >= 0 && info->kind == TRU_FREE) return id;
    }
    return TRU_NONE;
}

static bool is_among(const tru_id *ids, size_t count, tru_id id) {
    for (size_t k = 0; k < count; k++)
        if (ids[k] == id) return true;
    return false;
}

/* Returns the last of rest and flat, unless the body moved later. */
static int last_word(const tru_sim *sim, tru_id body) {
    size_t count;
    const tru_event *events = tru_sim_events(sim, &count);
    int word = -1;
    for (size_t k = 0; k < count; k++) {
        if (events[k].body_a != body) continue;
        if (events[k].kind == TRU_EVENT_FLAT) word = TRU_EVENT_FLAT;
        if (events[k].kind == TRU_EVENT_REST && word < 0) word = TRU_EVENT_REST;
        if (events[k].kind == TRU_EVENT_LIFT || events[k].kind == TRU_EVENT_SLIP) word = -1;
    }
    return word;
}

/* The free bodies that joints connect with `body`, itself first; `out` has room for all bodies. *joined: it has a joint. */
static size_t mechanism_of(const tru_world *w, tru_id body, tru_id *out, bool *joined) {
    size_t count = 1;
    out[0] = body;
    *joined = false;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < tru_joint_count(w); k++) {
            tru_joint_info j;
            tru_body_info info;
            if (tru_joint_get(w, tru_joint_id(w, k), &j, NULL) < 0 || (j.a != out[i] && j.b != out[i])) continue;
            *joined = true;
            const tru_id other = j.a == out[i] ? j.b : j.a;
            if (tru_body_describe(w, other, &info, NULL) < 0 || info.kind != TRU_FREE) continue;
            if (!is_among(out, count, other)) out[count++] = other;
        }
    return count;
}

/* What the contacts of a mechanism do. */
typedef struct touching {
    bool touches, slides, rolls;
} touching;

/* Rows without a law never stick, so a rate counts only relative to the body's speed. */
static touching read_contacts(const tru_world *w, const tru_id *held, size_t count, double size, double speed) {
    touching t = {0};
    for (size_t k = 0; k < tru_contact_count(w); k++) {
        tru_contact_info c;
        if (tru_contact_get(w, k, &c, NULL) < 0 ||
            !(is_among(held, count, c.body_a) || is_among(held, count, c.body_b)))
            continue;
        if (c.impulse[TRU_ROW_NORMAL] <= 0.0) continue;
        t.touches = true;
        const double slip = hypot(c.velocity[TRU_ROW_SLIDE1], c.velocity[TRU_ROW_SLIDE2]);
        const double roll = size * hypot(c.velocity[TRU_ROW_ROLL1], c.velocity[TRU_ROW_ROLL2]);
        t.slides = t.slides || (!(c.stuck & (1u << TRU_KIND_SLIDE)) && slip > 1e-9 * speed);
        t.rolls = t.rolls || (!(c.stuck & (1u << TRU_KIND_ROLL)) && roll > 1e-9 * speed);
    }
    return t;
}

/* Returns the class of the present state; TRU_CLASS_FAILED if memory ran out. */
static tru_class classify(const tru_sim *sim) {
    const tru_world *w = tru_sim_world((tru_sim *)sim);
    tru_body_info info;
    tru_body_state state;
    const tru_id body = first_free(w, &info);
    if (body == TRU_NONE || tru_body_get(w, body, &state, NULL) < 0) return TRU_CLASS_REST;
    const double speed = sqrt(state.velocity.x * state.velocity.x + state.velocity.y * state.velocity.y +
                              state.velocity.z * state.velocity.z);
    tru_id *held = malloc(tru_body_count(w) * sizeof *held);
    if (!held) return TRU_CLASS_FAILED;
    bool joined;
    const size_t count = mechanism_of(w, body, held, &joined);
    const touching t = read_contacts(w, held, count, info.size, speed);
    free(held);
    const int word = last_word(sim, body);
    if (word == TRU_EVENT_FLAT) return TRU_CLASS_FLAT;
    if (word == TRU_EVENT_REST) return TRU_CLASS_REST;
    if (!t.touches) return joined ? TRU_CLASS_HANGING : TRU_CLASS_FLYING;
    if (t.slides) return t.rolls ? TRU_CLASS_BOTH : TRU_CLASS_SLIDING;
    return t.rolls ? TRU_CLASS_ROLLING : TRU_CLASS_REST;
}

/* ---- runs ---- */

static tru_status set_cell(tru_sweep *s, size_t cell, tru_error *err) {
    char value[200];
    tru_status status = TRU_OK;
    for (size_t k = 0; status >= 0 && k < s->info.axis_count; k++) {
        const tru_sweep_axis *axis = &s->axes[k];
        const size_t index = tru_sweep_index(&s->info, cell, k);
        if (s->shown[k] == index + 1) continue; /* every change evaluates the scene again */
        if (!axis->words) tru_sweep_value_text(axis, index, value, sizeof value);
        status = tru_scene_change(s->varied, axis->path, axis->words ? axis->words[index] : value, err);
        s->shown[k] = status >= 0 ? index + 1 : 0;
    }
    return status;
}

/* Reads the result of a run that has ended. */
static tru_status read_end(const tru_sweep *s, tru_sim *sim, tru_sweep_cell *out, tru_error *err) {
    out->steps += (double)tru_steps_done(tru_sim_world(sim));
    for (size_t k = 0; k < s->info.probe_count; k++) {
        size_t probe;
        if (tru_sim_probe(sim, s->probes[k], &probe, NULL, err) < 0) return err->status;
        out->values[k] = tru_sim_value(sim, probe);
    }
    out->which = (int32_t)classify(sim);
    if (out->which == TRU_CLASS_FAILED) return trio_no_memory(err);
    out->time = tru_time(tru_sim_world(sim));
    return TRU_OK;
}

static tru_status finish(const tru_sweep *s, tru_sim *sim, tru_sweep_cell *out, tru_error *err) {
    tru_status status = TRU_OK;
    const double begun = trio_thread_seconds();
    while (status >= 0 && !tru_sim_done(sim)) status = tru_sim_run(sim, UINT64_C(1) << 30, err);
    out->stepping += trio_thread_seconds() - begun;
    if (status >= 0) return read_end(s, sim, out, err);
    out->steps += (double)tru_steps_done(tru_sim_world(sim));
    return status;
}

/* Creates a simulation of the present scene. */
static tru_status build(const tru_sweep *s, tru_sim **sim, tru_sweep_cell *out, tru_error *err) {
    tru_status status = tru_sim_create(s->varied, s->stepper, 1, sim, err);
    if (status >= 0 && s->until >= 0.0) status = tru_sim_set_until(*sim, s->until, err);
    out->runs++;
    return status;
}

/* Builds, runs and reads one simulation. */
static tru_status simulate(const tru_sweep *s, tru_sweep_cell *out, tru_error *err) {
    tru_sim *sim = NULL;
    tru_status status = build(s, &sim, out, err);
    if (status >= 0) status = finish(s, sim, out, err);
    tru_sim_free(sim);
    return status;
}

/* ---- bisection ---- */

static bool holds(const tru_sweep *s, const tru_sweep_cell *r) {
    const sweep_bisect *b = &s->bisect;
    if (b->word) return strcmp(b->word, tru_class_name(r->which)) == 0;
    const double value = r->values[b->column];
    return b->below ? value < b->limit : value > b->limit;
}

static tru_status try(tru_sweep *s, double x, tru_sweep_cell *out, bool *yes, tru_error *err) {
    char value[200];
    snprintf(value, sizeof value, "%.17g %s", x, s->info.bisect.unit);
    tru_status status = tru_scene_change(s->varied, s->info.bisect.path, value, err);
    if (status >= 0) status = simulate(s, out, err);
    *yes = status >= 0 && holds(s, out);
    return status;
}

static tru_status bisect(tru_sweep *s, tru_sweep_cell *out, tru_error *err) {
    double a = s->info.bisect.from, b = s->info.bisect.to;
    bool at_a, at_b, at_middle;
    tru_status status = try(s, a, out, &at_a, err);
    if (status >= 0) status = try(s, b, out, &at_b, err);
    out->border = NAN;
    if (status < 0 || at_a == at_b) return status;
    while (status >= 0 && fabs(b - a) > s->bisect.tolerance) {
        const double middle = 0.5 * (a + b);
        if (middle == a || middle == b) break;
        status = try(s, middle, out, &at_middle, err);
        if (at_middle == at_a)
            a = middle;
        else
            b = middle;
    }
    out->border = 0.5 * (a + b);
    return status;
}

static void fail_cell(tru_sweep_cell *out, const tru_error *err) {
    out->which = TRU_CLASS_FAILED;
    out->status = err->status;
    snprintf(out->text, sizeof out->text, "%.199s", err->text);
}

static void begin(const tru_sweep *s, tru_sweep_cell *out) {
    *out = (tru_sweep_cell){.done = 1, .border = NAN};
    for (size_t k = 0; k < s->info.probe_count; k++) out->values[k] = NAN;
}

/* Runs simulations that share lanes, and divides the time of the steps among them. */
static void run_together(tru_sweep *s, const size_t *cells, size_t count, tru_sweep_cell *out) {
    tru_sim *sims[SWEEP_TOGETHER] = {NULL}, *running[SWEEP_TOGETHER];
    size_t who[SWEEP_TOGETHER], n = 0;
    tru_status status[SWEEP_TOGETHER];
    tru_error errs[SWEEP_TOGETHER] = {0}, ran[SWEEP_TOGETHER] = {0};
    const double begun = trio_thread_seconds();
    for (size_t i = 0; i < count; i++) {
        begin(s, &out[i]);
        tru_status good = set_cell(s, cells[i], &errs[i]);
        if (good >= 0) good = build(s, &sims[i], &out[i], &errs[i]);
        if (good < 0) continue;
        who[n] = i;
        running[n++] = sims[i];
    }
    const double started = trio_thread_seconds();
    tru_sim_run_many(running, n, status, ran);
    const double share = n > 0 ? (trio_thread_seconds() - started) / (double)n : 0.0;
    for (size_t k = 0; k < n; k++) {
        out[who[k]].stepping = share;
        if (status[k] >= 0) status[k] = read_end(s, running[k], &out[who[k]], &ran[k]);
        if (status[k] < 0) errs[who[k]] = ran[k];
    }
    for (size_t i = 0; i < count; i++) {
        tru_sim_free(sims[i]);
        if (errs[i].status < 0) fail_cell(&out[i], &errs[i]);
    }
    for (size_t i = 0; i < count; i++) out[i].seconds = (trio_thread_seconds() - begun) / (double)count;
}

static void run_cell(tru_sweep *s, size_t cell, tru_sweep_cell *out) {
    tru_error err = {0};
    const double begun = trio_thread_seconds();
    begin(s, out);
    tru_status status = set_cell(s, cell, &err);
    if (status >= 0) status = s->info.bisects ? bisect(s, out, &err) : simulate(s, out, &err);
    if (status < 0) fail_cell(out, &err);
    out->seconds = trio_thread_seconds() - begun;
}

size_t trio_sweep_lanes(const tru_sweep *s, tru_sim *sim) {
    const size_t lanes = s->info.bisects ? 1 : tru_run_lanes(tru_sim_world(sim));
    return lanes < SWEEP_TOGETHER ? lanes : SWEEP_TOGETHER;
}

void trio_sweep_cells(tru_sweep *s, const size_t *cells, size_t count, tru_sweep_cell *out) {
    if (count > 1 && !s->info.bisects)
        run_together(s, cells, count, out);
    else
        for (size_t i = 0; i < count; i++) run_cell(s, cells[i], &out[i]);
}
