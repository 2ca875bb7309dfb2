/* sim_bytes.c: what a simulation is besides its world and its scene, as bytes. */
#include "sim_bytes.h"

#include "common/grow.h"
#include "sim/sim.h"
#include "sim/sim_events.h"
#include "sim/sim_probe.h"

/* ---- events ---- */

enum { EVENT_WORDS = 20 };

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void event_words(const tru_event *e, uint64_t w[EVENT_WORDS]) {
    const double reals[] = {e->position.x,         e->position.y,        e->position.z,    e->speed,
                            e->orientation.w,      e->orientation.x,     e->orientation.y, e->orientation.z,
                            e->velocity.x,         e->velocity.y,        e->velocity.z,    e->angular_velocity.x,
                            e->angular_velocity.y, e->angular_velocity.z};
    w[0] = bits_of(e->time);
    w[1] = (uint64_t)(int64_t)e->kind;
    w[2] = (uint64_t)(int64_t)e->row_kind;
    w[3] = e->body_a;
    w[4] = e->body_b;
    for (int i = 0; i < 14; i++) w[5 + i] = bits_of(reals[i]);
    w[19] = (uint64_t)(int64_t)e->limit_case;
}

static tru_vec3 vec_of(const uint64_t w[3]) { return (tru_vec3){double_of(w[0]), double_of(w[1]), double_of(w[2])}; }

/* Returns false if a number is impossible: others use the kind as an index. */
static bool event_of(const uint64_t w[EVENT_WORDS], tru_event *e) {
    *e = (tru_event){.time = double_of(w[0]),
                     .kind = (int32_t)(int64_t)w[1],
                     .row_kind = (int32_t)(int64_t)w[2],
                     .body_a = w[3],
                     .body_b = w[4],
                     .position = vec_of(w + 5),
                     .speed = double_of(w[8]),
                     .orientation = {double_of(w[9]), double_of(w[10]), double_of(w[11]), double_of(w[12])},
                     .velocity = vec_of(w + 13),
                     .angular_velocity = vec_of(w + 16),
                     .limit_case = (int32_t)(int64_t)w[19]};
    return e->kind >= 0 && e->kind < TRU_EVENT_KINDS && e->row_kind >= -1 && e->row_kind < TRU_KINDS;
}

static void stream_event_list(stream *s, tru_event **list, size_t *count, size_t *room) {
    const size_t n = trio_stream_count(s, *count, 8 * EVENT_WORDS);
    if (s->reading && !GROW(*list, *room, n)) s->bad = true;
    if (!s->bytes) s->at += 8 * EVENT_WORDS * n;
    for (size_t i = 0; i < n && !s->bad && s->bytes; i++) {
        uint64_t words[EVENT_WORDS];
        if (!s->reading) event_words(&(*list)[i], words);
        trio_stream_words(s, words, EVENT_WORDS);
        if (s->reading && !event_of(words, &(*list)[i])) s->bad = true;
    }
    if (s->reading) *count = s->bad ? 0 : n;
}

static void stream_events(stream *s, sim_events *e) {
    stream_event_list(s, &e->fresh, &e->fresh_count, &e->fresh_room);
    stream_event_list(s, &e->kept, &e->kept_count, &e->kept_room);
    stream_event_list(s, &e->firsts, &e->first_count, &e->first_room);
    if (e->kept_count > TRU_SIM_EVENTS || e->first_count > SIM_FIRSTS) s->bad = true;
    trio_stream_words(s, &e->counts[0][0], TRU_EVENT_KINDS * TRU_KINDS);
    trio_stream_u64(s, &e->lost);
}

/* ---- the rest ---- */

static void stream_totals(stream *s, tru_solve_totals *t) {
    trio_stream_u64(s, &t->steps);
    trio_stream_u64(s, &t->unconverged);
    trio_stream_u64(s, &t->iterations);
    trio_stream_i32(s, &t->most_iterations);
    for (int k = 0; k < TRU_KINDS; k++) trio_stream_f64(s, &t->residual[k]);
    trio_stream_f64(s, &t->worst_relative);
    trio_stream_f64(s, &t->worst_time);
    trio_stream_f64(s, &t->worst_speed);
    trio_stream_u64(s, &t->worst_a);
    trio_stream_u64(s, &t->worst_b);
    trio_stream_f64(s, &t->lift);
    trio_stream_f64(s, &t->hop);
    trio_stream_f64(s, &t->hop_time);
}

/* The bodies that have left, in the order of their ids. */
static void stream_gone(stream *s, tru_sim *sim) {
    const size_t n = trio_stream_count(s, sim->gone_count, 16);
    if (s->reading && !GROW(sim->gone, sim->gone_room, n)) s->bad = true;
    for (size_t i = 0; i < n && !s->bad; i++) {
        trio_stream_u64(s, &sim->gone[i].id);
        trio_stream_text(s, sim->gone[i].name, sizeof sim->gone[i].name);
        if (i > 0 && sim->gone[i].id <= sim->gone[i - 1].id) s->bad = true;
    }
    if (s->reading) sim->gone_count = s->bad ? 0 : n;
}

static void stream_emitters(stream *s, tru_sim *sim) {
    if (trio_stream_count(s, sim->emitter_count, 16) != sim->emitter_count) s->bad = true;
    for (size_t i = 0; i < sim->emitter_count && !s->bad; i++) {
        trio_stream_u64(s, &sim->emitters[i].made);
        trio_stream_u64(s, &sim->emitters[i].tries);
    }
}

void trio_sim_stream(stream *s, tru_sim *sim, double *wall) {
    if (trio_stream_count(s, sim->stop_count, 8) != sim->stop_count) s->bad = true;
    for (size_t i = 0; i < sim->stop_count && !s->bad; i++) trio_stream_u64(s, &sim->stops[i].seen);
    stream_emitters(s, sim);
    for (size_t i = 0; i < sim->outlets.count; i++) { /* as many as the scene has */
        trio_stream_u64(s, &sim->outlets.items[i].left);
        trio_stream_f64(s, &sim->outlets.items[i].mass);
    }
    if (sim->outlets.count > 0) stream_gone(s, sim);
    stream_events(s, &sim->events);
    stream_totals(s, &sim->solver);
    stream_totals(s, &sim->solver_row);
    trio_stream_f64(s, wall);
    trio_stream_bool(s, &sim->done);
    trio_stream_bool(s, &sim->ended);
    trio_stream_text(s, sim->reason, sizeof sim->reason);
}

/* ---- copies ---- */

/* Returns a copy of `bytes` bytes. NULL if memory ran out. */
static void *copy_of(const void *from, size_t bytes) {
    void *copy = malloc(bytes + 1);
    if (copy && bytes > 0) memcpy(copy, from, bytes);
    return copy;
}

bool trio_sim_copy(const tru_sim *sim, tru_sim *out) {
    *out = *sim;
    memset(&out->events, 0, sizeof out->events);
    out->gone = NULL;
    out->gone_count = out->gone_room = 0;
    out->resumed = NULL;
    out->stop_room = sim->stop_count;
    out->stops = copy_of(sim->stops, sim->stop_count * sizeof *out->stops);
    out->emitters = copy_of(sim->emitters, sim->emitter_count * sizeof *out->emitters);
    out->outlets.items = copy_of(sim->outlets.items, sim->outlets.count * sizeof *out->outlets.items);
    return out->stops && out->emitters && out->outlets.items;
}

void trio_sim_drop(tru_sim *copy) {
    trio_sim_events_release(&copy->events);
    free(copy->stops);
    free(copy->emitters);
    free(copy->outlets.items);
    free(copy->gone);
    free(copy->resumed);
}

void trio_sim_exchange(tru_sim *sim, tru_sim *copy) {
    const double until = sim->plan.until;
    trio_sim_drop(sim);
    *sim = *copy;
    tru_events_take(sim->world, NULL, 0, &sim->events.lost_base);
    trio_sim_events_index(&sim->events);
    sim->contacts.step = UINT64_MAX;
    trio_sim_find_probes(sim);
    trio_sim_set_end(sim, until);
}
