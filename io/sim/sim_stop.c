/* sim_stop.c: stop conditions: rest, flat, the n-th event of a kind, a probe beyond a value. */
#include "sim_stop.h"

#include "common/fail.h"
#include "common/grow.h"
#include "sim_emitter.h"

#include <math.h>
#include <stdio.h>

static tru_status find_body(const tru_sim *sim, const char *name, tru_id *out, tru_error *err) {
    *out = name ? tru_body_find(sim->world, name) : TRU_NONE;
    if (!name || *out != TRU_NONE) return TRU_OK;
    const size_t count = tru_body_count(sim->world);
    const char **names = malloc((count + 1) * sizeof *names);
    tru_body_info info;
    for (size_t i = 0; names && i < count; i++)
        names[i] = tru_body_describe(sim->world, tru_body_at(sim->world, i), &info, NULL) >= 0 ? info.name : NULL;
    const char *near = names ? tru_nearest_name(name, names, count) : NULL;
    if (near)
        trio_fail(err, TRU_UNKNOWN_NAME, "no body '%s'; did you mean '%s'?", name, near);
    else
        trio_fail(err, TRU_UNKNOWN_NAME, "no body '%s'", name);
    free(names);
    return TRU_UNKNOWN_NAME;
}

static tru_status find_probe(tru_sim *sim, const scene_stop *stop, sim_stop *out, tru_error *err) {
    tru_unit unit;
    char has[QUANTITY_UNIT];
    const tru_status s = tru_sim_probe(sim, stop->probe, &out->probe, &unit, err);
    if (s < 0) return s;
    if (!trio_quantity_fits(&stop->limit, unit)) {
        trio_quantity_unit(&stop->limit, has, sizeof has);
        return trio_fail(err, TRU_OUT_OF_RANGE, "probe '%s' is in %s, but its limit is in %s", stop->probe,
                         tru_unit_describe(unit).symbol, has);
    }
    out->limit = stop->limit.value;
    return TRU_OK;
}

tru_status trio_sim_add_stop(tru_sim *sim, const scene_stop *stop, tru_error *err) {
    const char *name = stop->kind == STOP_PROBE ? stop->probe : stop->body;
    sim_stop s = {.kind = stop->kind, .event = stop->event, .row_kind = stop->row_kind, .below = stop->below};
    s.count = stop->kind == STOP_EVENT && stop->count > 1 ? (uint64_t)stop->count : 1;
    if (stop->kind == STOP_FLAT) s.event = TRU_EVENT_FLAT;
    if (stop->kind == STOP_REST) s.event = TRU_EVENT_REST;
    if (stop->kind != STOP_EVENT) s.row_kind = -1;
    const tru_status found =
        stop->kind == STOP_PROBE ? find_probe(sim, stop, &s, err) : find_body(sim, stop->body, &s.body, err);
    if (found < 0) return found;
    if (name) s.name = copy_text(name);
    if ((name && !s.name) || !GROW(sim->stops, sim->stop_room, sim->stop_count + 1)) {
        free(s.name);
        return trio_no_memory(err);
    }
    sim->stops[sim->stop_count++] = s;
    return TRU_OK;
}

bool trio_sim_stops_every_step(const tru_sim *sim) {
    for (size_t i = 0; i < sim->stop_count; i++)
        if (sim->stops[i].kind == STOP_PROBE) return true;
    return false;
}

static void describe(const tru_sim *sim, const sim_stop *s, char *out, size_t room) {
    static const char *const rows[] = {"normal", "slide", "spin", "roll"};
    char limit[64], times[40] = "";
    const char *of = s->name ? " of " : "", *name = s->name ? s->name : "";
    switch (s->kind) {
    case STOP_PROBE:
        tru_unit_format(sim->probes[s->probe].probe.row->unit, s->limit, limit, sizeof limit);
        snprintf(out, room, "probe %s %s %s", s->name, s->below ? "below" : "above", limit);
        break;
    case STOP_EVENT:
        if (s->count > 1) snprintf(times, sizeof times, ", %llu times", (unsigned long long)s->count);
        snprintf(out, room, "event %s%s%s%s%s%s", tru_event_name(s->event), s->row_kind >= 0 ? " " : "",
                 s->row_kind >= 0 ? rows[s->row_kind] : "", of, name, times);
        break;
    case STOP_REST:
        snprintf(out, room, s->name ? "%s is at rest" : "all bodies are at rest", name);
        break;
    default:
        snprintf(out, room, "%s lies flat", s->name ? name : "a body");
    }
}

/* Returns true if every free body is slower than a millionth of what gravity adds in one step, as in the rest event. */
static bool all_rest(const tru_world *w) {
    const tru_vec3 g = tru_world_gravity(w);
    const double slow = 1e-6 * tru_step_size(w) * sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
    for (size_t i = 0; i < tru_body_count(w); i++) {
        tru_body_state b;
        tru_body_info info;
        const tru_id id = tru_body_at(w, i);
        if (tru_body_get(w, id, &b, NULL) < 0 || tru_body_describe(w, id, &info, NULL) < 0) return false;
        if (info.kind != TRU_FREE) continue;
        const tru_vec3 v = b.velocity, r = b.angular_velocity;
        const double v2 = v.x * v.x + v.y * v.y + v.z * v.z, r2 = r.x * r.x + r.y * r.y + r.z * r.z;
        if (!(sqrt(v2 + info.size * info.size * r2) < slow)) return false;
    }
    return true;
}

static bool is_meant(const sim_stop *s, const tru_event *e) {
    return e->kind == s->event && (s->row_kind < 0 || s->row_kind == e->row_kind) &&
           (s->body == TRU_NONE || s->body == e->body_a || s->body == e->body_b);
}

/* Rest of all becomes true only in a step in which a body comes to rest or leaves. */
static bool event_stops(tru_sim *sim, sim_stop *s, size_t first) {
    const uint64_t before = s->seen;
    for (size_t i = first; i < sim->events.fresh_count; i++) s->seen += is_meant(s, &sim->events.fresh[i]);
    if (s->kind == STOP_REST && s->body == TRU_NONE)
        return (s->seen > before || sim->left_now > 0) && all_rest(sim->world) && trio_sim_emitters_finished(sim);
    return s->seen >= s->count && before < s->count;
}

void trio_sim_check_stops(tru_sim *sim, size_t first) {
    for (size_t i = 0; i < sim->stop_count; i++) {
        sim_stop *s = &sim->stops[i];
        bool stop;
        if (s->kind == STOP_PROBE) {
            const double value = tru_sim_value(sim, s->probe);
            stop = s->below ? value < s->limit : value > s->limit;
        } else {
            stop = event_stops(sim, s, first);
        }
        if (!stop || sim->done) continue;
        sim->done = true;
        describe(sim, s, sim->reason, sizeof sim->reason);
    }
}
