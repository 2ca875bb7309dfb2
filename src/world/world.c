/* world.c: time, schedules, energy, events and the release of a world's memory. */
#include "world/world.h"

#include "base/error.h"
#include "fields/fields.h"

double trui_world_time(const tru_world *w) { return w->time_base + (double)w->steps_here * w->step; }

size_t trui_body_index(const tru_world *w, tru_id id) {
    size_t lo = 0, hi = w->bodies.count;
    if (id - 1 < hi && w->bodies.items[id - 1].id == id)
        return (size_t)id - 1; /* without removed bodies ids are 1, 2, ... */
    while (lo < hi) {
        const size_t mid = (lo + hi) / 2;
        if (w->bodies.items[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < w->bodies.count && w->bodies.items[lo].id == id ? lo : SIZE_MAX;
}

tru_status trui_body_seek(const tru_world *w, tru_id id, const char *who, size_t *k, tru_error *err) {
    *k = w ? trui_body_index(w, id) : SIZE_MAX;
    if (*k != SIZE_MAX) return TRU_OK;
    return tru_fail(err, TRU_STALE_ID, "%s%sbody %llu does not exist", who ? who : "", who ? ": " : "",
                    (unsigned long long)id);
}

double trui_schedule_factor(const schedule *s, double time) {
    const tru_knot *k = s->knots;
    if (s->count == 0) return 1.0;
    if (time <= k[0].time) return k[0].factor;
    for (size_t i = 1; i < s->count; i++)
        if (time < k[i].time) {
            TRU_ASSERT(k[i - 1].time < k[i].time);
            const double t = (time - k[i - 1].time) / (k[i].time - k[i - 1].time);
            return k[i - 1].factor + t * (k[i].factor - k[i - 1].factor);
        }
    return k[s->count - 1].factor;
}

bool trui_schedule_copy(memory *m, schedule *out, const tru_knot *knots, size_t count) {
    *out = (schedule){NULL, count};
    if (count > 0) out->knots = trui_mem_copy(m, knots, count * sizeof *knots);
    return count == 0 || out->knots;
}

void trui_schedule_release(memory *m, schedule *s) {
    trui_mem_release(m, s->knots, s->count * sizeof *s->knots);
    *s = (schedule){NULL, 0};
}

const pair *trui_pair_between(const tru_world *w, uint32_t a, uint32_t b) {
    const pair *default_pair = NULL;
    for (size_t i = 0; i < w->pairs.count; i++) {
        const pair *p = &w->pairs.items[i];
        if (p->a == TRU_NONE) default_pair = p;
        if ((p->a == a + 1u && p->b == b + 1u) || (p->a == b + 1u && p->b == a + 1u)) return p;
    }
    return default_pair;
}

bool trui_world_fill_pairs(tru_world *w) {
    const size_t n = w->materials.count;
    int32_t default_pair = -1;
    if (!array_resize(&w->memory, &w->pair_table, n * n)) return false;
    for (size_t i = 0; i < w->pairs.count; i++)
        if (w->pairs.items[i].a == TRU_NONE) default_pair = (int32_t)i;
    for (size_t i = 0; i < n * n; i++) w->pair_table.items[i] = default_pair;
    for (size_t i = 0; i < w->pairs.count; i++) {
        const pair *p = &w->pairs.items[i];
        if (p->a == TRU_NONE) continue;
        TRU_ASSERT(p->a >= 1 && p->a <= n && p->b >= 1 && p->b <= n);
        w->pair_table.items[(p->a - 1) * n + p->b - 1] = (int32_t)i;
        w->pair_table.items[(p->b - 1) * n + p->a - 1] = (int32_t)i;
    }
    return true;
}

void trui_pair_release(memory *m, pair *p) {
    TRU_ASSERT(p->law_count >= 0 && p->law_count <= TRU_PAIR_LAWS);
    for (int i = 0; i < p->law_count; i++) {
        const tru_law *law = p->laws[i].law;
        trui_params_release(m, (plug){law->fields, law->size}, p->laws[i].params, NULL);
    }
    p->law_count = 0;
}

void trui_joints_link(tru_world *w) {
    for (size_t i = 0; i < w->bodies.count; i++) w->bodies.items[i].joints = 0;
    for (size_t i = 0; i < w->joints.count; i++) {
        joint *j = &w->joints.items[i];
        j->a = trui_body_index(w, j->body_a);
        j->b = trui_body_index(w, j->body_b);
        TRU_ASSERT(j->a < w->bodies.count && j->b < w->bodies.count && j->a != j->b);
        w->bodies.items[j->a].joints++;
        w->bodies.items[j->b].joints++;
    }
}

bool trui_bodies_joined(const tru_world *w, size_t a, size_t b) {
    TRU_ASSERT(a < w->bodies.count && b < w->bodies.count);
    if (w->bodies.items[a].joints == 0 || w->bodies.items[b].joints == 0) return false;
    for (size_t i = 0; i < w->joints.count; i++) {
        const joint *j = &w->joints.items[i];
        if (!j->type->holds || j->collide) continue;
        if ((j->a == a && j->b == b) || (j->a == b && j->b == a)) return true;
    }
    return false;
}

start_mode trui_world_start(const tru_world *w, tru_id a, tru_id b) {
    for (size_t i = 0; i < w->starts.count && w->steps_done == 0; i++) {
        const start_mode *s = &w->starts.items[i];
        if ((s->a == a && s->b == b) || (s->a == b && s->b == a)) return *s;
    }
    return (start_mode){a, b, 0u, 0u};
}

void trui_world_event(tru_world *w, const tru_event *event) {
    event_ring *r = &w->events;
    TRU_ASSERT(r->first < EVENT_ROOM && r->count <= EVENT_ROOM);
    if (r->count == EVENT_ROOM) {
        r->first = (r->first + 1) % EVENT_ROOM;
        r->count--;
        r->lost++;
    }
    r->items[(r->first + r->count++) % EVENT_ROOM] = *event;
}

void trui_world_release(tru_world *w) {
    memory *m = &w->memory;
    for (size_t i = 0; i < w->pairs.count; i++) trui_pair_release(m, &w->pairs.items[i]);
    array_release(m, &w->pairs);
    for (size_t i = 0; i < w->solids.count; i++) trui_solid_release(m, &w->solids.items[i]);
    for (size_t i = 0; i < w->loads.count; i++) trui_schedule_release(m, &w->loads.items[i].schedule);
    for (size_t i = 0; i < w->motions.count; i++) trui_schedule_release(m, &w->motions.items[i].schedule);
    for (size_t i = 0; i < w->joints.count; i++) trui_joint_release(m, &w->joints.items[i]);
    array_release(m, &w->joints);
    array_release(m, &w->materials);
    array_release(m, &w->pair_table);
    array_release(m, &w->own_laws);
    for (size_t i = 0; i < w->bodies.count; i++) trui_body_release(m, &w->bodies.items[i]);
    array_release(m, &w->bodies);
    for (size_t i = 0; i < w->labels.count; i++) trui_label_release(m, &w->labels.items[i]);
    array_release(m, &w->labels);
    array_release(m, &w->solids);
    array_release(m, &w->loads);
    array_release(m, &w->motions);
    array_release(m, &w->starts);
    array_release(m, &w->contacts);
    array_release(m, &w->contacts_before);
    array_release(m, &w->contacts_kept);
    array_release(m, &w->at_start);
    array_release(m, &w->ends);
    array_release(m, &w->ends_before);
    array_release(m, &w->ends_kept);
    array_release(m, &w->springs);
    array_release(m, &w->springs_before);
    array_release(m, &w->history);
    array_release(m, &w->history_before);
    array_release(m, &w->pair_list.pairs);
    array_release(m, &w->pair_list.boxes);
    array_release(m, &w->before);
    array_release(m, &w->middle);
    trui_mem_release(m, w->names.slots, w->names.room * sizeof *w->names.slots);
    trui_mem_release(m, w->events.items, EVENT_ROOM * sizeof *w->events.items);
    trui_arena_release(&w->scratch);
}

double trui_body_potential(const tru_world *w, const body *b) {
    return body_is_free(b) ? -b->mass * v3_dot(w->gravity, b->x) : 0.0;
}

static const motion *motion_of(const tru_world *w, tru_id id) {
    for (size_t i = 0; i < w->motions.count; i++)
        if (w->motions.items[i].body == id) return &w->motions.items[i];
    return NULL;
}

void trui_driven_rates(const tru_world *w, const body *b, double time, tru_vec3 *v, tru_vec3 *rate) {
    const motion *m = motion_of(w, b->id);
    const double f = m ? trui_schedule_factor(&m->schedule, time) : 0.0;
    *v = m ? v3_scale(f, m->v) : v3_zero();
    *rate = m ? v3_scale(f, m->w) : v3_zero();
}
