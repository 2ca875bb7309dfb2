/* sim_events.c: events of a simulation: what is fresh, what is kept, the first of each kind per body, counts. */
#include "sim_events.h"

#include "common/fail.h"
#include "common/grow.h"

static bool same_first(const tru_event *a, const tru_event *b) {
    return a->kind == b->kind && a->row_kind == b->row_kind && a->body_a == b->body_a;
}

/* Returns the slot of the first event of this kind and body, or the free slot for it. */
static uint16_t *first_slot(sim_events *e, const tru_event *event) {
    const uint64_t key =
        (event->body_a * TRU_KINDS + (uint64_t)event->row_kind) * TRU_EVENT_KINDS + (uint64_t)event->kind;
    size_t i = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) % SIM_FIRST_SLOTS;
    while (e->first_slots[i] != 0 && !same_first(&e->firsts[e->first_slots[i] - 1], event))
        i = (i + 1) % SIM_FIRST_SLOTS;
    return &e->first_slots[i];
}

void trio_sim_events_index(sim_events *e) {
    memset(e->first_slots, 0, sizeof e->first_slots);
    for (size_t i = 0; i < e->first_count; i++) *first_slot(e, &e->firsts[i]) = (uint16_t)(i + 1);
}

bool trio_sim_keep_event(sim_events *e, const tru_event *event) {
    const int row = event->row_kind >= 0 && event->row_kind < TRU_KINDS ? event->row_kind : TRU_KIND_NORMAL;
    if (event->kind >= 0 && event->kind < TRU_EVENT_KINDS) e->counts[event->kind][row]++;
    if (e->kept_count < TRU_SIM_EVENTS) {
        if (!GROW(e->kept, e->kept_room, e->kept_count + 1)) return false;
        e->kept[e->kept_count++] = *event;
    }
    if (e->first_count < SIM_FIRSTS) {
        uint16_t *slot = first_slot(e, event);
        if (*slot == 0) {
            if (!GROW(e->firsts, e->first_room, e->first_count + 1)) return false;
            e->firsts[e->first_count++] = *event;
            *slot = (uint16_t)e->first_count;
        }
    }
    return true;
}

tru_status trio_sim_collect_events(tru_sim *sim, tru_error *err) {
    enum { ROOM = 64 };
    sim_events *e = &sim->events;
    uint64_t lost;
    size_t taken;
    do {
        if (!GROW(e->fresh, e->fresh_room, e->fresh_count + ROOM)) return trio_no_memory(err);
        taken = tru_events_take(sim->world, e->fresh + e->fresh_count, ROOM, &lost);
        for (size_t i = 0; i < taken; i++)
            if (!trio_sim_keep_event(e, &e->fresh[e->fresh_count + i])) return trio_no_memory(err);
        e->fresh_count += taken;
    } while (taken == ROOM);
    e->lost += lost - e->lost_base;
    e->lost_base = lost;
    return TRU_OK;
}

const tru_event *tru_sim_events(const tru_sim *sim, size_t *count) {
    *count = sim->events.kept_count;
    return sim->events.kept;
}

uint64_t tru_sim_event_count(const tru_sim *sim, tru_event_kind kind) {
    uint64_t sum = 0;
    if ((int)kind < 0 || (int)kind >= TRU_EVENT_KINDS) return 0;
    for (int k = 0; k < TRU_KINDS; k++) sum += sim->events.counts[kind][k];
    return sum;
}

void trio_sim_events_release(sim_events *e) {
    free(e->fresh);
    free(e->kept);
    free(e->firsts);
    memset(e, 0, sizeof *e);
}
