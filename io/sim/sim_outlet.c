/* sim_outlet.c: removes free bodies between steps if their centre of mass is inside an outlet. */
#include "sim_outlet.h"

#include "common/fail.h"
#include "common/grow.h"
#include "sim_emitter.h"
#include "scene/scene_api.h"

#include <stdio.h>

/* Returns the first outlet that contains a point, faces included; NULL if there is none. */
static outlet *outlet_at(const outlet_list *list, tru_vec3 x) {
    for (size_t i = 0; i < list->count; i++) {
        const tru_vec3 low = list->items[i].lowest, high = list->items[i].highest;
        if (x.x >= low.x && x.x <= high.x && x.y >= low.y && x.y <= high.y && x.z >= low.z && x.z <= high.z)
            return &list->items[i];
    }
    return NULL;
}

static bool is_held(const tru_world *w, tru_id body) {
    for (size_t k = 0; k < tru_joint_count(w); k++) {
        tru_joint_info joint;
        if (tru_joint_get(w, tru_joint_id(w, k), &joint, NULL) >= 0 && (joint.a == body || joint.b == body))
            return true;
    }
    return false;
}

/* Returns the outlet that contains the k-th body, and reads the body; NULL if it stays. */
static outlet *way_out(const tru_sim *sim, size_t k, tru_body_info *info) {
    const tru_world *w = sim->world;
    const tru_id id = tru_body_at(w, k);
    tru_body_state state;
    if (tru_body_get(w, id, &state, NULL) < 0) return NULL;
    outlet *out = outlet_at(&sim->outlets, state.position);
    if (!out || tru_body_describe(w, id, info, NULL) < 0 || info->kind != TRU_FREE) return NULL;
    return is_held(w, id) ? NULL : out;
}

tru_status trio_sim_set_outlets(tru_sim *sim, const tru_scene *scene, tru_error *err) {
    size_t count;
    const outlet *all = trio_scene_outlets(scene, &count);
    if (count == 0) return TRU_OK;
    if (!(sim->outlets.items = malloc(count * sizeof *all))) return trio_no_memory(err);
    memcpy(sim->outlets.items, all, count * sizeof *all);
    sim->outlets.count = count;
    for (size_t k = 0; k < tru_body_count(sim->world); k++) {
        tru_body_info info;
        char path[80];
        const outlet *out = way_out(sim, k, &info);
        if (!out) continue;
        trio_fail(err, TRU_REFUSED, "outlet '%s': body '%s' is inside it at the start", out->name, info.name);
        snprintf(path, sizeof path, "outlets.%s", out->name);
        return trio_scene_error_at(scene, path, err);
    }
    return TRU_OK;
}

static bool has_free_body(const tru_world *w) {
    tru_body_info info;
    for (size_t k = tru_body_count(w); k-- > 0;)
        if (tru_body_describe(w, tru_body_at(w, k), &info, NULL) >= 0 && info.kind == TRU_FREE) return true;
    return false;
}

/* Returns the first departed body whose id is at least this one. */
static size_t gone_from(const tru_sim *sim, tru_id id) {
    size_t low = 0, high = sim->gone_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (sim->gone[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Keeps the name of a departed body, because events refer to it. */
static bool keep_name(tru_sim *sim, tru_id id, const char *name) {
    const size_t at = gone_from(sim, id);
    if (!GROW(sim->gone, sim->gone_room, sim->gone_count + 1)) return false;
    memmove(sim->gone + at + 1, sim->gone + at, (sim->gone_count++ - at) * sizeof *sim->gone);
    sim->gone[at].id = id;
    snprintf(sim->gone[at].name, sizeof sim->gone[at].name, "%s", name);
    return true;
}

const char *tru_sim_body_name(const tru_sim *sim, tru_id body) {
    tru_body_info info;
    if (tru_body_describe(sim->world, body, &info, NULL) >= 0) return info.name;
    const size_t at = gone_from(sim, body);
    return at < sim->gone_count && sim->gone[at].id == body ? sim->gone[at].name : NULL;
}

/* Removes bodies in id order, so that sums do not depend on the storage order. */
tru_status trio_sim_let_leave(tru_sim *sim, tru_error *err) {
    sim->left_now = 0;
    for (size_t k = 0; k < tru_body_count(sim->world);) {
        tru_body_info info;
        outlet *out = way_out(sim, k, &info);
        if (!out) {
            k++;
            continue;
        }
        const double mass = info.mass;
        const tru_id id = tru_body_at(sim->world, k);
        const tru_status s = keep_name(sim, id, info.name) ? tru_body_remove(sim->world, id, err) : trio_no_memory(err);
        if (s < 0) return s;
        out->left++;
        out->mass += mass;
        sim->left_now++;
    }
    if (sim->left_now == 0) return TRU_OK;
    sim->contacts.step = UINT64_MAX; /* some of them are gone */
    if (!has_free_body(sim->world) && trio_sim_emitters_finished(sim)) {
        sim->done = true;
        snprintf(sim->reason, sizeof sim->reason, "every body has left");
    }
    return TRU_OK;
}

bool tru_sim_outlet(const tru_sim *sim, size_t k, tru_outlet_info *out) {
    if (k >= sim->outlets.count) return false;
    const outlet *o = &sim->outlets.items[k];
    *out = (tru_outlet_info){o->name, o->left, o->mass};
    return true;
}
