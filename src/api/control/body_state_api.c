/* body_state_api.c: poses and velocities of bodies: views without a copy, packed copies, setting one body or many. */
#include "base/assert.h"
#include "base/error.h"
#include "math/quat.h"
#include "step/joints.h"
#include "steppers/track/step_track.h"

/* ---- read */

tru_body_view tru_bodies_view(const tru_world *w) {
    const body *first = w->bodies.items;
    if (w->bodies.count == 0) return (tru_body_view){NULL, NULL, sizeof(body), 0, w->generation};
    return (tru_body_view){&first->state, &first->id, sizeof(body), w->bodies.count, w->generation};
}

tru_status tru_bodies_check(const tru_world *w, const tru_body_view *view, tru_error *err) {
    if (!w || !view) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_bodies_check needs a world and a view");
    const tru_body_view now = tru_bodies_view(w);
    if (view->generation != now.generation)
        return tru_fail(err, TRU_STALE_ID,
                        "view of bodies: generation is %llu, must be %llu; bodies were added, removed or loaded since, "
                        "so call tru_bodies_view again",
                        (unsigned long long)view->generation, (unsigned long long)now.generation);
    if (view->state != now.state || view->id != now.id || view->stride != now.stride || view->count != now.count)
        return tru_fail(err, TRU_STALE_ID, "view of bodies: it is of another world");
    return TRU_OK;
}

tru_status tru_bodies_get(const tru_world *w, tru_id *ids, tru_body_state *out, size_t room, tru_error *err) {
    if (!w || (!ids && !out))
        return tru_fail(err, TRU_BAD_ARGUMENT, "tru_bodies_get needs a world and a place for ids or states");
    const tru_status s = trui_room_check("tru_bodies_get", room, w->bodies.count, "bodies", err);
    if (s < 0) return s;
    for (size_t i = 0; ids && i < w->bodies.count; i++) ids[i] = w->bodies.items[i].id;
    for (size_t i = 0; out && i < w->bodies.count; i++) out[i] = w->bodies.items[i].state;
    return TRU_OK;
}

tru_status tru_body_get(const tru_world *w, tru_id id, tru_body_state *out, tru_error *err) {
    size_t k;
    const tru_status s = trui_body_seek(w, id, NULL, &k, err);
    if (s < 0) return s;
    if (!out) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_body_get needs a place for the state");
    *out = w->bodies.items[k].state;
    return TRU_OK;
}

/* ---- set */

/* Returns true if two states have the same bits. */
static bool is_same(const tru_body_state *s, const tru_body_state *t) { return memcmp(s, t, sizeof *s) == 0; }

/* Computes the orientation of a state as a unit quaternion. One that has the bits of the present one keeps them. */
static bool orientation_of(const body *b, const tru_body_state *state, tru_quat *q) {
    if (!quat_unit(state->orientation, q)) return false;
    if (memcmp(&state->orientation, &b->q, sizeof *q) == 0) *q = b->q;
    return true;
}

/* Returns true if a body that is not free may get these velocities: none, or those that it has. */
static bool keeps_velocity(const body *b, const tru_body_state *s) {
    if (v3_max_abs(s->velocity) == 0.0 && v3_max_abs(s->angular_velocity) == 0.0) return true;
    return memcmp(&s->velocity, &b->v, sizeof b->v) == 0 && memcmp(&s->angular_velocity, &b->w, sizeof b->w) == 0;
}

/* Fails if body k cannot have this state. */
static tru_status check_state(const tru_world *w, size_t k, const tru_body_state *state, tru_error *err) {
    const body *b = &w->bodies.items[k];
    const char *name = body_name(w, k);
    tru_quat q;
    if (is_same(&b->state, state)) return TRU_OK;
    if (!v3_is_finite(state->position) || !v3_is_finite(state->velocity) || !v3_is_finite(state->angular_velocity))
        return tru_fail(err, TRU_OUT_OF_RANGE, "body '%s': position and velocities must be finite numbers", name);
    if (!orientation_of(b, state, &q))
        return tru_fail(err, TRU_OUT_OF_RANGE, "body '%s': orientation (%.6g, %.6g, %.6g, %.6g) cannot be normalised",
                        name, state->orientation.w, state->orientation.x, state->orientation.y, state->orientation.z);
    if (!body_is_free(b) && !keeps_velocity(b, state))
        return tru_fail(err, TRU_CONFLICT, "body '%s' is not free and cannot be given a velocity", name);
    return TRU_OK;
}

/* Sets body k to a state that check_state accepted. */
static void set_state(tru_world *w, size_t k, const tru_body_state *state) {
    body *b = &w->bodies.items[k];
    if (is_same(&b->state, state)) return;
    body there = *b;
    there.x = state->position;
    const bool good = orientation_of(b, state, &there.q);
    TRU_ASSERT(good);
    world_changed(w);
    w->ledger.start -= trui_body_kinetic(b) + trui_body_potential(w, b);
    const bool moves = memcmp(&there.x, &b->x, sizeof there.x) != 0 || memcmp(&there.q, &b->q, sizeof there.q) != 0;
    if (moves) trui_track_carry(w, k, &there);
    b->x = there.x;
    b->q = there.q;
    if (body_is_free(b)) {
        b->v = state->velocity;
        b->w = state->angular_velocity;
    }
    if (b->gain) b->gain->last = v3_zero();
    b->resting = false;
    w->ledger.start += trui_body_kinetic(b) + trui_body_potential(w, b);
    array_clear(&w->before); /* no step led to this state, so none can be judged */
    w->moved = true;
}

/* The states that a call sets. */
typedef struct new_states {
    const tru_id *ids; /* NULL: all bodies in id order */
    const tru_body_state *states;
    size_t count;
} new_states;

/* Finds the index of the i-th body of a call. */
static tru_status seek(const tru_world *w, const new_states *to, size_t i, size_t *k, tru_error *err) {
    *k = i;
    return to->ids ? trui_body_seek(w, to->ids[i], NULL, k, err) : TRU_OK;
}

/* Returns body k in its pose after the call. */
static body body_after(const tru_world *w, const tru_body_state *const *after, size_t k) {
    body b = w->bodies.items[k];
    if (!after[k]) return b;
    b.x = after[k]->position;
    b.q = w->bodies.items[k].q;
    orientation_of(&w->bodies.items[k], after[k], &b.q);
    return b;
}

/* Fails if a joint would not hold its bodies in their poses after the call. */
static tru_status check_joints(tru_world *w, const new_states *to, tru_error *err) {
    tru_error unused;
    size_t k;
    trui_arena_reset(&w->scratch);
    const tru_body_state **after = ARENA_ARRAY(&w->scratch, const tru_body_state *, w->bodies.count);
    if (!after) return tru_no_memory(err);
    memset(after, 0, w->bodies.count * sizeof *after);
    for (size_t i = 0; i < to->count; i++)
        if (seek(w, to, i, &k, &unused) >= 0) after[k] = &to->states[i];
    for (size_t i = 0; i < w->joints.count; i++) {
        const joint *j = &w->joints.items[i];
        if (!after[j->a] && !after[j->b]) continue;
        const body a = body_after(w, after, j->a), b = body_after(w, after, j->b);
        const tru_status s = trui_joint_holds(w, j, &a, &b, err);
        if (s < 0) return s;
    }
    return TRU_OK;
}

/* Sets all bodies of a call, or none. */
static tru_status set_all(tru_world *w, const new_states *to, tru_error *err) {
    bool joined = false;
    size_t k;
    for (size_t i = 0; i < to->count; i++) {
        tru_status s = seek(w, to, i, &k, err);
        if (s >= 0) s = check_state(w, k, &to->states[i], err);
        if (s < 0) return s;
        joined = joined || w->bodies.items[k].joints > 0;
    }
    const tru_status s = joined ? check_joints(w, to, err) : TRU_OK;
    if (s < 0) return s;
    if (w->springs.count > 0 && !w->checked && !trui_world_fill_pairs(w)) return tru_no_memory(err);
    for (size_t i = 0; i < to->count; i++) {
        seek(w, to, i, &k, err);
        set_state(w, k, &to->states[i]);
    }
    return TRU_OK;
}

tru_status tru_body_set(tru_world *w, tru_id id, const tru_body_state *state, tru_error *err) {
    size_t k;
    const tru_status s = trui_body_seek(w, id, NULL, &k, err);
    if (s < 0) return s;
    if (!state) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_body_set needs a state");
    return set_all(w, &(new_states){&id, state, 1}, err);
}

tru_status tru_bodies_set(tru_world *w, const tru_id *ids, const tru_body_state *states, size_t count, tru_error *err) {
    if (!w || (!states && count > 0)) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_bodies_set needs a world and states");
    if (!ids && count != w->bodies.count)
        return tru_fail(err, TRU_BAD_ARGUMENT,
                        "tru_bodies_set: count is %zu, must be %zu, the number of bodies; "
                        "give ids to set some of them",
                        count, w->bodies.count);
    return set_all(w, &(new_states){ids, states, count}, err);
}
