/* joint_api.c: adding, removing and reading joints, and setting motors. */
#include "api/registry.h"

#include "base/assert.h"
#include "base/error.h"
#include "joints/joint.h"
#include "math/elementary/elementary.h"
#include "math/mat.h"
#include "math/quat.h"

#include <stdio.h>

/* Returns the joint with an id, NULL if there is none. */
static joint *joint_with(const tru_world *w, tru_id id) {
    if (w && id - 1 < w->joints.count && w->joints.items[id - 1].id == id)
        return &w->joints.items[id - 1]; /* without removed joints ids are 1, 2, ... */
    for (size_t i = 0; w && i < w->joints.count; i++)
        if (w->joints.items[i].id == id) return &w->joints.items[i];
    return NULL;
}

tru_id tru_joint_find(const tru_world *w, const char *name) {
    for (size_t i = 0; name && i < w->joints.count; i++)
        if (strcmp(w->joints.items[i].name, name) == 0) return w->joints.items[i].id;
    return TRU_NONE;
}

size_t tru_joint_count(const tru_world *w) { return w->joints.count; }

tru_id tru_joint_id(const tru_world *w, size_t k) { return k < w->joints.count ? w->joints.items[k].id : TRU_NONE; }

/* ---- add */

/* Chooses the given name, or the first free one of "joint-7", "joint-8" and so on. */
static void choose_name(const tru_world *w, const char *given, char name[NAME_ROOM]) {
    snprintf(name, NAME_ROOM, "%s", given ? given : "");
    for (unsigned long long k = w->next_joint > 0 ? w->next_joint : 1; !given; k++) {
        snprintf(name, NAME_ROOM, "joint-%llu", k);
        if (tru_joint_find(w, name) == TRU_NONE) return;
    }
}

/* Fails if a definition of a joint is out of range, or its bodies cannot have it. */
static tru_status check_def(const tru_world *w, const tru_joint_def *def, const char *who, tru_error *err) {
    tru_joint_def plain = *def;
    plain.joint = (tru_use){"", NULL}; /* checked elsewhere with a sentence of its own */
    const tru_status s = tru_fields_check(tru_def_fields("joint"), &plain, who, err);
    if (s < 0) return s;
    if (def->name && tru_joint_find(w, def->name) != TRU_NONE)
        return tru_fail(err, TRU_CONFLICT, "there is already a joint '%s'", def->name);
    const tru_id ids[2] = {def->a, def->b};
    size_t k[2];
    for (int i = 0; i < 2; i++)
        if ((k[i] = trui_body_index(w, ids[i])) == SIZE_MAX)
            return tru_fail(err, TRU_STALE_ID, "%s: body %llu does not exist", who, (unsigned long long)ids[i]);
    if (def->a == def->b)
        return tru_fail(err, TRU_BAD_ARGUMENT, "%s is between body '%s' and itself", who, body_name(w, k[0]));
    if (!body_is_free(&w->bodies.items[k[0]]) && !body_is_free(&w->bodies.items[k[1]]))
        return tru_fail(err, TRU_REFUSED,
                        "%s: neither body '%s' nor body '%s' is free, a joint between them has no effect", who,
                        body_name(w, k[0]), body_name(w, k[1]));
    return TRU_OK;
}

/* Computes the axes of the joint in the world, z along the axis. Returns false if the axis has no direction. */
static bool axes_of(const tru_joint_def *def, tru_mat3 *axes) {
    tru_vec3 z, x, y;
    if (!v3_unit(def->axis.x != TRU_DERIVED ? def->axis : v3(0.0, 0.0, 1.0), &z)) return false;
    v3_tangents(z, &x, &y);
    *axes = m3_columns(x, y, z);
    return true;
}

/* Sets points and axes of the joint on its bodies, from their present poses. */
static void attach(const tru_world *w, const tru_joint_def *def, tru_mat3 axes, joint *j) {
    const body *a = &w->bodies.items[j->a = trui_body_index(w, def->a)],
               *b = &w->bodies.items[j->b = trui_body_index(w, def->b)];
    const tru_vec3 at_b = def->position_b.x != TRU_DERIVED ? def->position_b : def->position;
    const tru_mat3 axes_a = body_axes(a), axes_b = body_axes(b);
    j->body_a = def->a;
    j->body_b = def->b;
    j->point_a = m3_apply_t(axes_a, v3_sub(def->position, a->x));
    j->point_b = m3_apply_t(axes_b, v3_sub(at_b, b->x));
    j->axes_a = m3_tmul(axes_a, axes);
    j->axes_b = m3_tmul(axes_b, axes);
    TRU_ASSERT(j->a != j->b && (body_is_free(a) || body_is_free(b)));
}

tru_status tru_joint_add(tru_world *w, const tru_joint_def *def, tru_id *out, tru_error *err) {
    char who[NAME_ROOM + 16];
    joint j = {.id = w && w->next_joint > 0 ? w->next_joint : 1};
    tru_mat3 axes = m3_identity();
    if (!w || !def) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_joint_add needs a world and a definition");
    if (def->name && strlen(def->name) >= NAME_ROOM)
        return tru_fail(err, TRU_BAD_ARGUMENT, "joint name '%.20s...' is longer than %d bytes", def->name,
                        NAME_ROOM - 1);
    choose_name(w, def->name, j.name);
    snprintf(who, sizeof who, "joint '%s'", j.name);
    const tru_status s = check_def(w, def, who, err);
    if (s < 0) return s;
    tru_error inner = {TRU_OK, ""};
    if (!axes_of(def, &axes))
        tru_fail(&inner, TRU_OUT_OF_RANGE, "%s: axis (%.6g, %.6g, %.6g) has no direction", who, def->axis.x,
                 def->axis.y, def->axis.z);
    else if ((j.type = trui_joint_named(def->joint.name, &inner)) == NULL)
        tru_error_prefix(&inner, who);
    else if ((j.params = trui_plugin_params(&w->memory, "joint", j.type->name, j.type->fields, j.type->size,
                                            j.type->check, def->joint.params, &inner)) == NULL)
        tru_error_prefix(&inner, who);
    else if (!array_reserve(&w->memory, &w->joints, w->joints.count + 1)) {
        trui_joint_release(&w->memory, &j);
        tru_no_memory(&inner);
    }
    if (inner.status < 0) {
        if (err) *err = inner;
        return inner.status;
    }
    j.collide = def->collide;
    attach(w, def, axes, &j);
    const tru_joint_place place = trui_joint_place(&j, &w->bodies.items[j.a], &w->bodies.items[j.b]);
    if (j.type->begin) j.type->begin(j.params, &place);
    /* derived parameters can be out of range: points that coincide have no distance */
    if (tru_fields_check(j.type->fields, j.params, who, err) < 0) {
        trui_joint_release(&w->memory, &j);
        return TRU_OUT_OF_RANGE;
    }
    TRU_ASSERT(w->joints.count == 0 || w->joints.items[w->joints.count - 1].id < j.id); /* ids rise */
    *array_push(&w->memory, &w->joints) = j;
    trui_joints_link(w);
    w->next_joint = j.id + 1;
    array_clear(&w->before); /* the last step was without it, so it cannot be judged */
    world_changed(w);
    if (out) *out = j.id;
    return TRU_OK;
}

tru_status tru_joint_remove(tru_world *w, tru_id id, tru_error *err) {
    joint *j = joint_with(w, id);
    if (!j) return tru_fail(err, TRU_STALE_ID, "joint %llu does not exist", (unsigned long long)id);
    trui_joint_release(&w->memory, j);
    array_remove(&w->joints, (size_t)(j - w->joints.items));
    trui_joints_link(w);
    array_clear(&w->before);
    world_changed(w);
    return TRU_OK;
}

/* ---- read */

/* Computes force and torque on a in the last step, the torque about the joint's point on a, and torques about the centres of mass. */
static void reaction(const tru_world *w, const joint *j, tru_joint_info *out) {
    tru_vec3 turn = v3_zero();
    for (int k = 0; k < j->rows && j->age > 0; k++) {
        out->force = v3_madd(out->force, j->impulse[k] / w->step, j->row[k].lin);
        turn = v3_madd(turn, j->impulse[k] / w->step, j->row[k].ang_a);
        out->moment_b = v3_madd(out->moment_b, -j->impulse[k] / w->step, j->row[k].ang_b);
        out->slips |= j->row[k].limit < TRU_UNBOUNDED && !(j->stuck & 1u << k);
    }
    out->force = v3_madd(out->force, 1.0 / w->step, j->jolt.push);
    turn = v3_madd(turn, 1.0 / w->step, j->jolt.turn_a);
    out->moment_b = v3_madd(out->moment_b, 1.0 / w->step, j->jolt.turn_b);
    out->moment_a = turn;
    out->torque = v3_sub(turn, v3_cross(j->arm, out->force));
}

/* [rad] Returns how far x of a is turned from x of b about z of b. */
static double angle_of(const tru_joint_place *p) {
    const tru_vec3 x = m3_column(p->axes_a, 0);
    return tru_atan2(v3_dot(x, m3_column(p->axes_b, 1)), v3_dot(x, m3_column(p->axes_b, 0)));
}

/* Reads the state of a joint. */
static void read_joint(const tru_world *w, const joint *j, tru_joint_info *out) {
    const body *a = &w->bodies.items[j->a], *b = &w->bodies.items[j->b];
    const tru_joint_place p = trui_joint_place(j, a, b);
    const tru_vec3 z = m3_column(p.axes_b, 2), gap = v3_cross(b->w, p.apart);
    const tru_vec3 v =
        v3_sub(v3_sub(v3_add(a->v, v3_cross(a->w, p.arm_a)), v3_add(b->v, v3_cross(b->w, p.arm_b))), gap);
    *out = (tru_joint_info){.name = j->name,
                            .joint = j->type->name,
                            .a = j->body_a,
                            .b = j->body_b,
                            .point_a = v3_add(a->x, p.arm_a),
                            .point_b = v3_add(b->x, p.arm_b),
                            .axis = z,
                            .travel = v3_dot(z, p.apart),
                            .angle = angle_of(&p),
                            .travel_rate = v3_dot(z, v),
                            .rate = v3_dot(z, v3_sub(a->w, b->w))};
    tru_joint_row rows[TRU_JOINT_ROWS];
    out->rows = j->type->rows(j->params, &p, rows);
    TRU_ASSERT(out->rows > 0 && out->rows <= TRU_JOINT_ROWS);
    for (int k = 0; k < out->rows; k++) {
        double *far = joint_row_turns(&rows[k]) ? &out->turned : &out->apart;
        *far = fmax(*far, fabs(rows[k].apart));
        out->left_out += (j->left_out >> k & 1u) != 0;
    }
    reaction(w, j, out);
}

tru_status tru_joint_get(const tru_world *w, tru_id id, tru_joint_info *out, tru_error *err) {
    const joint *j = joint_with(w, id);
    if (!j) return tru_fail(err, TRU_STALE_ID, "joint %llu does not exist", (unsigned long long)id);
    if (!out) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_joint_get needs a place for the joint");
    read_joint(w, j, out);
    return TRU_OK;
}

tru_status tru_joints_get(const tru_world *w, tru_joint_info *out, size_t room, tru_error *err) {
    if (!w || (!out && room > 0))
        return tru_fail(err, TRU_BAD_ARGUMENT, "tru_joints_get needs a world and a place for the joints");
    const tru_status s = trui_room_check("tru_joints_get", room, w->joints.count, "joints", err);
    for (size_t k = 0; s >= 0 && k < w->joints.count; k++) read_joint(w, &w->joints.items[k], &out[k]);
    return s;
}

/* ---- motors */

/* Finds a joint of kind motor. */
static tru_status find_motor(const tru_world *w, tru_id id, joint **out, tru_error *err) {
    joint *j = *out = joint_with(w, id);
    if (!j) return tru_fail(err, TRU_STALE_ID, "joint %llu does not exist", (unsigned long long)id);
    if (j->type != &tru_joint_motor)
        return tru_fail(err, TRU_REFUSED, "joint '%s' is a %s, must be a motor", j->name, j->type->name);
    return TRU_OK;
}

/* Fails if a motor cannot get these parameters: out of range, or it turned and would push. */
static tru_status check_motor(const joint *j, const tru_motor *m, tru_error *err) {
    char who[NAME_ROOM + 16];
    tru_error inner = {TRU_OK, ""};
    const tru_motor *now = j->params;
    const bool turns = now->speed != TRU_DERIVED;
    snprintf(who, sizeof who, "joint '%s'", j->name);
    if (tru_fields_check(j->type->fields, m, "joint motor", &inner) >= 0 && j->type->check(m, &inner) >= 0 &&
        turns != (m->speed != TRU_DERIVED))
        tru_fail(&inner, TRU_CONFLICT, "joint motor: it %s, so give %s", turns ? "turns" : "pushes",
                 turns ? "speed" : "velocity");
    if (inner.status >= 0) return TRU_OK;
    tru_error_prefix(&inner, who);
    if (err) *err = inner;
    return inner.status;
}

tru_status tru_motor_set(tru_world *w, tru_id id, const tru_motor *motor, tru_error *err) {
    joint *j;
    tru_status s = find_motor(w, id, &j, err);
    if (s < 0) return s;
    if (!motor) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_motor_set needs the parameters of a motor");
    if ((s = check_motor(j, motor, err)) < 0) return s;
    *(tru_motor *)j->params = *motor;
    world_controlled(w);
    return TRU_OK;
}

tru_status tru_motor_get(const tru_world *w, tru_id id, tru_motor *out, tru_error *err) {
    joint *j;
    const tru_status s = find_motor(w, id, &j, err);
    if (s < 0) return s;
    if (!out) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_motor_get needs a place for the parameters");
    *out = *(const tru_motor *)j->params;
    return TRU_OK;
}
