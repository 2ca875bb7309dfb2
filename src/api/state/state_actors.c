/* state_actors.c: loads, prescribed motions and joints in the stream of a world. */
#include "api/state/state_actors.h"

#include "api/registry.h"
#include "api/state/state_bodies.h"

#include <stdio.h>

/* ---- loads and motions */

/* Streams the knots of a factor of time. */
static void io_schedule(stream *s, memory *m, schedule *k) {
    const size_t count = io_count(s, k->count, sizeof *k->knots);
    if (s->in && good(s) && count > 0) {
        k->knots = trui_mem_array(m, count, sizeof *k->knots);
        k->count = k->knots ? count : 0;
        if (!k->knots) out_of_memory(s);
    }
    for (size_t i = 0; i < k->count; i++) {
        io_f64(s, &k->knots[i].time);
        io_f64(s, &k->knots[i].factor);
        const bool rises = i == 0 || k->knots[i - 1].time < k->knots[i].time;
        TRU_ASSERT(!s->out || rises);
        if (s->in && !rises) damaged(s, "times of a load or motion do not increase");
    }
}

/* While reading: fails unless the body of a load or motion exists and has the kind that it needs. */
static void check_actor(stream *s, const tru_world *w, tru_id id, int32_t kind) {
    const size_t k = s->in ? trui_body_index(w, id) : 0;
    if (s->in && (k == SIZE_MAX || w->bodies.items[k].kind != kind))
        damaged(s, "a load or motion acts on a body that cannot have it");
}

void trui_io_load(stream *s, tru_world *w, load *l) {
    if (!s->hash) io_u64(s, &l->id); /* an item of its own */
    io_u64(s, &l->body);
    io_bool(s, &l->body_axes);
    io_vec3(s, &l->force);
    io_vec3(s, &l->torque);
    check_actor(s, w, l->body, TRU_FREE);
    io_schedule(s, &w->memory, &l->schedule);
}

void trui_io_loads(stream *s, tru_world *w) {
    io_u64(s, &w->next_load);
    const size_t count = io_count(s, w->loads.count, 68);
    if (s->in && !array_resize(&w->memory, &w->loads, count)) out_of_memory(s);
    for (size_t i = 0; i < count && good(s); i++) {
        load *l = &w->loads.items[i];
        trui_io_load(s, w, l);
        if (s->in && good(s) && (l->id <= (i > 0 ? l[-1].id : TRU_NONE) || l->id >= w->next_load))
            damaged(s, "ids of loads are out of order");
    }
}

void trui_io_motion(stream *s, tru_world *w, motion *m) {
    io_u64(s, &m->body);
    io_vec3(s, &m->v);
    io_vec3(s, &m->w);
    check_actor(s, w, m->body, TRU_DRIVEN);
    io_schedule(s, &w->memory, &m->schedule);
}

void trui_io_motions(stream *s, tru_world *w) {
    const size_t count = io_count(s, w->motions.count, 60);
    if (s->in && !array_resize(&w->memory, &w->motions, count)) out_of_memory(s);
    for (size_t i = 0; i < count && good(s); i++) trui_io_motion(s, w, &w->motions.items[i]);
}

/* ---- joints */

/* What the last step left in it. */
void trui_io_joint_motion(stream *s, joint *j) {
    io_u32(s, &j->age);
    if (s->hash && j->age == 0) return; /* tru_check may have found its rows, but the first step finds them again */
    io_i32(s, &j->rows);
    io_u32(s, &j->left_out);
    io_u32(s, &j->stuck);
    if (j->rows < 0 || j->rows > TRU_JOINT_ROWS) damaged(s, "a joint has too many rows");
    for (int k = 0; good(s) && k < j->rows; k++) {
        tru_joint_row *r = &j->row[k];
        io_vec3(s, &r->lin);
        io_vec3(s, &r->ang_a);
        io_vec3(s, &r->ang_b);
        io_f64(s, &r->apart);
        io_f64(s, &r->speed);
        io_f64(s, &r->limit);
    }
    io_vec3(s, &j->arm);
    io_rows(s, j->impulse, TRU_JOINT_ROWS);
    io_rows(s, j->bias, TRU_JOINT_ROWS);
    io_rows(s, j->metric, TRU_JOINT_ROWS);
    io_f64(s, &j->theta);
    if (s->hash) return; /* the jolt is only reported */
    io_vec3(s, &j->jolt.push);
    io_vec3(s, &j->jolt.turn_a);
    io_vec3(s, &j->jolt.turn_b);
}

void trui_io_joint(stream *s, joint *j) {
    io_u64(s, &j->id);
    io_text(s, j->name, sizeof j->name);
    io_u64(s, &j->body_a);
    io_u64(s, &j->body_b);
    io_bool(s, &j->collide);
    if (!s->hash) io_bool(s, &j->accepted); /* decides what is refused, not what follows */
    io_vec3(s, &j->point_a);
    io_vec3(s, &j->point_b);
    io_rows(s, &j->axes_a.m[0][0], 9);
    io_rows(s, &j->axes_b.m[0][0], 9);
    if (!s->hash) trui_io_joint_motion(s, j); /* an item of its own */
}

/* Checks a joint just read: ids rise, and at least one of two different bodies is free. */
static void check_joint(stream *s, const tru_world *w, const joint *j) {
    const tru_id last = w->joints.count > 0 ? w->joints.items[w->joints.count - 1].id : TRU_NONE;
    const size_t a = trui_body_index(w, j->body_a), b = trui_body_index(w, j->body_b);
    if (!good(s)) return;
    if (j->id <= last || j->id >= w->next_joint) damaged(s, "ids of joints are out of order");
    if (a == SIZE_MAX || b == SIZE_MAX || a == b ||
        !(body_is_free(&w->bodies.items[a]) || body_is_free(&w->bodies.items[b])))
        damaged(s, "a joint is between bodies that cannot have it");
}

void trui_io_joint_type(stream *s, tru_world *w, joint *j) {
    char name[NAME_ROOM] = "";
    if (!s->in) snprintf(name, sizeof name, "%s", j->type->name);
    io_text(s, name, sizeof name);
    if (s->in && good(s)) {
        tru_error unknown;
        j->type = trui_joint_named(name, &unknown);
        if (!j->type) damaged(s, unknown.text);
    }
    if (!good(s)) return;
    const param_type type = {{j->type->fields, j->type->size}, j->type->check, NULL, j->type->name};
    trui_io_params(s, &w->memory, &type, &j->params);
}

void trui_io_joints(stream *s, tru_world *w) {
    io_u64(s, &w->next_joint);
    const size_t count = io_count(s, w->joints.count, 300);
    for (size_t i = 0; i < count && good(s); i++) {
        joint fresh = {.id = 0}, *j = s->in ? &fresh : &w->joints.items[i];
        trui_io_joint_type(s, w, j);
        if (good(s)) trui_io_joint(s, j);
        if (!s->in) continue;
        check_joint(s, w, j);
        joint *slot = good(s) ? array_push(&w->memory, &w->joints) : NULL;
        if (good(s) && !slot) out_of_memory(s);
        if (slot)
            *slot = fresh;
        else if (fresh.params)
            trui_joint_release(&w->memory, &fresh);
    }
    if (s->in && good(s)) trui_joints_link(w);
}
