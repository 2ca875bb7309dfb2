/* sweep_cell.c: one cell of a sweep: a run, or a bisection by runs, and how it ended. */
#include "sweep_cell.h"

#include "sweep.h"

#include "cli/app.h"
#include "sweep_axis.h"

#include <math.h>
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

/* Modes at the end. Rows without a law never stick, so a rate counts only relative to the body's speed. */
static sweep_class classify(const tru_sim *sim) {
    const tru_world *w = tru_sim_world((tru_sim *)sim);
    tru_body_info info;
    tru_body_state state;
    const tru_id body = first_free(w, &info);
    if (body == TRU_NONE || tru_body_get(w, body, &state, NULL) < 0) return CLASS_REST;
    const double speed = sqrt(state.velocity.x * state.velocity.x + state.velocity.y * state.velocity.y +
                              state.velocity.z * state.velocity.z);
    tru_id *held = need(tru_body_count(w), sizeof *held);
    bool joined, touches = false, slides = false, rolls = false;
    const size_t count = mechanism_of(w, body, held, &joined);
    for (size_t k = 0; k < tru_contact_count(w); k++) {
        tru_contact_info c;
        if (tru_contact_get(w, k, &c, NULL) < 0 ||
            !(is_among(held, count, c.body_a) || is_among(held, count, c.body_b)))
            continue;
        if (c.impulse[TRU_ROW_NORMAL] <= 0.0) continue;
        touches = true;
        const double slip = hypot(c.velocity[TRU_ROW_SLIDE1], c.velocity[TRU_ROW_SLIDE2]);
        const double roll = info.size * hypot(c.velocity[TRU_ROW_ROLL1], c.velocity[TRU_ROW_ROLL2]);
        slides = slides || (!(c.stuck & (1u << TRU_KIND_SLIDE)) && slip > 1e-9 * speed);
        rolls = rolls || (!(c.stuck & (1u << TRU_KIND_ROLL)) && roll > 1e-9 * speed);
    }
    free(held);
    const int word = last_word(sim, body);
    if (word == TRU_EVENT_FLAT) return CLASS_FLAT;
    if (word == TRU_EVENT_REST) return CLASS_REST;
    if (!touches) return joined ? CLASS_HANGING : CLASS_FLYING;
    if (slides) return rolls ? CLASS_BOTH : CLASS_SLIDING;
    return rolls ? CLASS_ROLLING : CLASS_REST;
}

/* ---- runs ---- */

static tru_status set_cell(sweep *s, size_t cell, tru_error *err) {
    char value[200];
    tru_status status = TRU_OK;
    for (size_t k = 0; status >= 0 && k < s->axis_count; k++) {
        const size_t index = sweep_index(s, cell, k);
        if (s->shown[k] == index + 1) continue; /* every change evaluates the scene again */
        sweep_value_text(&s->axes[k], index, value, sizeof value);
        status = tru_scene_change(s->scene, s->axes[k].path, value, err);
        s->shown[k] = status >= 0 ? index + 1 : 0;
    }
    return status;
}

/* Reads the result of a run that has ended. */
static tru_status read_end(const sweep *s, tru_sim *sim, sweep_result *out, tru_error *err) {
    out->steps += (double)tru_steps_done(tru_sim_world(sim));
    for (size_t k = 0; k < s->probe_count; k++) {
        size_t probe;
        if (tru_sim_probe(sim, s->probes[k], &probe, NULL, err) < 0) return err->status;
        out->values[k] = tru_sim_value(sim, probe);
    }
    out->class = (int32_t)classify(sim);
    out->time = tru_time(tru_sim_world(sim));
    return TRU_OK;
}

static tru_status finish(const sweep *s, tru_sim *sim, sweep_result *out, tru_error *err) {
    tru_status status = TRU_OK;
    const double begun = thread_seconds();
    while (status >= 0 && !tru_sim_done(sim)) status = tru_sim_run(sim, UINT64_C(1) << 30, err);
    out->stepping += thread_seconds() - begun;
    if (status >= 0) return read_end(s, sim, out, err);
    out->steps += (double)tru_steps_done(tru_sim_world(sim));
    return status;
}

/* Creates a simulation of the present scene. */
static tru_status build(const sweep *s, tru_sim **sim, sweep_result *out, tru_error *err) {
    tru_status status = tru_sim_create(s->scene, s->stepper, 1, sim, err);
    if (status >= 0 && s->until >= 0.0) status = tru_sim_set_until(*sim, s->until, err);
    out->runs++;
    return status;
}

/* Builds, runs and reads one simulation. */
static tru_status simulate(const sweep *s, sweep_result *out, tru_error *err) {
    tru_sim *sim = NULL;
    tru_status status = build(s, &sim, out, err);
    if (status >= 0) status = finish(s, sim, out, err);
    tru_sim_free(sim);
    return status;
}

/* ---- bisection ---- */

static bool holds(const sweep *s, const sweep_result *r) {
    const sweep_bisect *b = &s->bisect;
    if (b->word) return strcmp(b->word, sweep_class_name(r->class)) == 0;
    const double value = r->values[b->column];
    return b->below ? value < b->limit : value > b->limit;
}

static tru_status try(sweep *s, double x, sweep_result *out, bool *yes, tru_error *err) {
    char value[200];
    snprintf(value, sizeof value, "%.17g %s", x, s->bisect.axis.unit);
    tru_status status = tru_scene_change(s->scene, s->bisect.axis.path, value, err);
    if (status >= 0) status = simulate(s, out, err);
    *yes = status >= 0 && holds(s, out);
    return status;
}

static tru_status bisect(sweep *s, sweep_result *out, tru_error *err) {
    double a = s->bisect.axis.from, b = s->bisect.axis.to;
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

static void begin(const sweep *s, sweep_result *out) {
    *out = (sweep_result){.done = 1, .border = NAN};
    for (size_t k = 0; k < s->probe_count; k++) out->values[k] = NAN;
}

/* Runs simulations that share lanes, and divides the time of the steps among them. */
static void run_together(sweep *s, const size_t *cells, size_t count, sweep_result *out) {
    tru_sim *sims[SWEEP_TOGETHER] = {NULL}, *running[SWEEP_TOGETHER];
    size_t who[SWEEP_TOGETHER], n = 0;
    tru_status status[SWEEP_TOGETHER];
    tru_error errs[SWEEP_TOGETHER] = {0}, ran[SWEEP_TOGETHER] = {0};
    const double begun = thread_seconds();
    for (size_t i = 0; i < count; i++) {
        begin(s, &out[i]);
        tru_status good = set_cell(s, cells[i], &errs[i]);
        if (good >= 0) good = build(s, &sims[i], &out[i], &errs[i]);
        if (good < 0) continue;
        who[n] = i;
        running[n++] = sims[i];
    }
    const double started = thread_seconds();
    tru_sim_run_many(running, n, status, ran);
    const double share = n > 0 ? (thread_seconds() - started) / (double)n : 0.0;
    for (size_t k = 0; k < n; k++) {
        out[who[k]].stepping = share;
        if (status[k] >= 0) status[k] = read_end(s, running[k], &out[who[k]], &ran[k]);
        if (status[k] < 0) errs[who[k]] = ran[k];
    }
    for (size_t i = 0; i < count; i++) {
        tru_sim_free(sims[i]);
        if (errs[i].status < 0) out[i].class = CLASS_FAILED;
        if (errs[i].status < 0) snprintf(out[i].text, sizeof out[i].text, "%.199s", errs[i].text);
    }
    for (size_t i = 0; i < count; i++) out[i].seconds = (thread_seconds() - begun) / (double)count;
}

size_t sweep_lanes(const sweep *s, tru_sim *sim) {
    const size_t lanes = s->bisects ? 1 : tru_run_lanes(tru_sim_world(sim));
    return lanes < SWEEP_TOGETHER ? lanes : SWEEP_TOGETHER;
}

void sweep_cells(sweep *s, const size_t *cells, size_t count, sweep_result *out) {
    if (count > 1 && !s->bisects)
        run_together(s, cells, count, out);
    else
        for (size_t i = 0; i < count; i++) sweep_cell(s, cells[i], &out[i]);
}

void sweep_cell(sweep *s, size_t cell, sweep_result *out) {
    tru_error err = {0};
    const double begun = thread_seconds();
    begin(s, out);
    tru_status status = set_cell(s, cell, &err);
    if (status >= 0) status = s->bisects ? bisect(s, out, &err) : simulate(s, out, &err);
    if (status < 0) {
        out->class = CLASS_FAILED;
        snprintf(out->text, sizeof out->text, "%.199s", err.text);
    }
    out->seconds = thread_seconds() - begun;
}
