/* control_api.c: loads on free bodies and motions of driven ones, which a program may change between steps. */
#include "base/assert.h"
#include "base/error.h"
#include "fields/fields.h"
#include "world/world.h"

#include <stdio.h>

/* Fails unless the times of knots increase. */
static tru_status check_knots(const char *what, const tru_knot *knots, size_t count, tru_error *err) {
    if (count > 0 && !knots) return tru_fail(err, TRU_BAD_ARGUMENT, "%s: knots are missing", what);
    for (size_t i = 1; i < count; i++)
        if (!(knots[i].time > knots[i - 1].time))
            return tru_fail(err, TRU_OUT_OF_RANGE, "%s: knot times must increase, %.6g s follows %.6g s", what,
                            knots[i].time, knots[i - 1].time);
    return TRU_OK;
}

tru_status tru_load_add(tru_world *w, const tru_load_def *def, tru_id *out, tru_error *err) {
    size_t k;
    if (!w || !def) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_load_add needs a world and a definition");
    tru_status s = tru_fields_check(tru_def_fields("load"), def, "load", err);
    if (s >= 0) s = trui_body_seek(w, def->body, "load", &k, err);
    if (s >= 0) s = check_knots("load", def->knots, def->knot_count, err);
    if (s < 0) return s;
    if (!body_is_free(&w->bodies.items[k]))
        return tru_fail(err, TRU_REFUSED, "load: body '%s' is not free, a load on it has no effect", body_name(w, k));
    load l = {w->next_load > 0 ? w->next_load : 1, def->body, def->body_axes, def->force, def->torque, {NULL, 0}};
    if (!array_reserve(&w->memory, &w->loads, w->loads.count + 1) ||
        !trui_schedule_copy(&w->memory, &l.schedule, def->knots, def->knot_count))
        return tru_no_memory(err);
    TRU_ASSERT(w->loads.count == 0 || w->loads.items[w->loads.count - 1].id < l.id); /* ids rise */
    *array_push(&w->memory, &w->loads) = l;
    w->next_load = l.id + 1;
    world_controlled(w);
    if (out) *out = l.id;
    return TRU_OK;
}

/* Finds the index of a load. Fails if it does not exist. */
static tru_status seek_load(const tru_world *w, tru_id id, size_t *k, tru_error *err) {
    size_t low = 0, high = w ? w->loads.count : 0;
    if (id - 1 < high && w->loads.items[id - 1].id == id) low = (size_t)id - 1; /* no load was removed so far */
    while (low < high && w->loads.items[low].id != id) {
        const size_t middle = low + (high - low) / 2;
        if (w->loads.items[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    *k = low;
    if (w && low < w->loads.count && w->loads.items[low].id == id) return TRU_OK;
    return tru_fail(err, TRU_STALE_ID, "load %llu does not exist", (unsigned long long)id);
}

/* Fails with the sentence of the field table. Called only for numbers that are not finite. */
static tru_status fail_numbers(tru_id id, tru_vec3 force, tru_vec3 torque, tru_error *err) {
    char who[40];
    tru_load_def def = tru_default_load_def();
    def.body = 1; /* any */
    def.force = force;
    def.torque = torque;
    snprintf(who, sizeof who, "load %llu", (unsigned long long)id);
    return tru_fields_check(tru_def_fields("load"), &def, who, err);
}

tru_status tru_load_set(tru_world *w, tru_id id, tru_vec3 force, tru_vec3 torque, tru_error *err) {
    size_t k;
    const tru_status s = seek_load(w, id, &k, err);
    if (s < 0) return s;
    if (!v3_is_finite(force) || !v3_is_finite(torque)) return fail_numbers(id, force, torque, err);
    w->loads.items[k].force = force;
    w->loads.items[k].torque = torque;
    world_controlled(w);
    return TRU_OK;
}

tru_status tru_load_remove(tru_world *w, tru_id id, tru_error *err) {
    size_t k;
    const tru_status s = seek_load(w, id, &k, err);
    if (s < 0) return s;
    trui_schedule_release(&w->memory, &w->loads.items[k].schedule);
    array_remove(&w->loads, k);
    world_controlled(w);
    return TRU_OK;
}

size_t tru_load_count(const tru_world *w) { return w->loads.count; }

tru_id tru_load_at(const tru_world *w, size_t k) { return k < w->loads.count ? w->loads.items[k].id : TRU_NONE; }

tru_status tru_load_get(const tru_world *w, tru_id id, tru_load_def *out, tru_error *err) {
    size_t k;
    const tru_status s = seek_load(w, id, &k, err);
    if (s < 0) return s;
    if (!out) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_load_get needs a place for the load");
    const load *l = &w->loads.items[k];
    *out = (tru_load_def){l->body, l->body_axes, l->force, l->torque, l->schedule.knots, l->schedule.count};
    return TRU_OK;
}

tru_status tru_motion_set(tru_world *w, const tru_motion_def *def, tru_error *err) {
    size_t k;
    if (!w || !def) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_motion_set needs a world and a definition");
    tru_status s = tru_fields_check(tru_def_fields("motion"), def, "motion", err);
    if (s >= 0) s = trui_body_seek(w, def->body, "motion", &k, err);
    if (s >= 0) s = check_knots("motion", def->knots, def->knot_count, err);
    if (s < 0) return s;
    if (w->bodies.items[k].kind != TRU_DRIVEN)
        return tru_fail(err, TRU_REFUSED, "motion: body '%s' is not driven", body_name(w, k));
    motion *slot = NULL, m = {def->body, def->velocity, def->angular_velocity, {NULL, 0}};
    for (size_t i = 0; i < w->motions.count; i++)
        if (w->motions.items[i].body == def->body) slot = &w->motions.items[i];
    if ((!slot && !array_reserve(&w->memory, &w->motions, w->motions.count + 1)) ||
        !trui_schedule_copy(&w->memory, &m.schedule, def->knots, def->knot_count))
        return tru_no_memory(err);
    if (slot)
        trui_schedule_release(&w->memory, &slot->schedule);
    else
        slot = array_push(&w->memory, &w->motions);
    *slot = m;
    body *b = &w->bodies.items[k];
    if (b->belt != def->belt) world_changed(w); /* joints hold no belts */
    const double f = trui_schedule_factor(&m.schedule, trui_world_time(w));
    b->belt = def->belt;
    b->v = v3_scale(f, m.v);
    b->w = v3_scale(f, m.w);
    world_controlled(w);
    return TRU_OK;
}
