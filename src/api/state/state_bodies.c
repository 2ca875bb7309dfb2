/* state_bodies.c: bodies with their shapes in the stream of a world. */
#include "api/state/state_bodies.h"

#include "fields/pack_fields.h"
#include "world/names.h"

#include "api/registry.h"
#include "math/quat.h"

#include <stdio.h>

void trui_io_params(stream *s, memory *m, const param_type *type, void **params) {
    const plug p = type->plug;
    TRU_ASSERT((s->out != NULL) + (s->in != NULL) + (s->hash != NULL) == 1);
    if (s->out) trui_pack_fields(s->out, p.fields, *params, NULL);
    if (s->hash) trui_hash_u64(s->hash, trui_fields_hash(p.fields, *params, NULL));
    if (!s->in) return;
    void *fresh = trui_mem_array(m, 1, p.size);
    if (!fresh) {
        out_of_memory(s);
        return;
    }
    tru_status status = trui_unpack_fields(s->in, m, p.fields, fresh, NULL, type->name, s->err);
    const bool read = status >= 0;
    if (status >= 0) status = tru_fields_check(p.fields, fresh, type->name, s->err);
    if (status >= 0 && type->check) status = type->check(fresh, s->err);
    if (status >= 0 && type->build) status = type->build(fresh, &m->allocator, s->err);
    if (status >= 0) {
        *params = fresh;
        return;
    }
    if (status != TRU_NO_MEMORY) {
        tru_error_prefix(s->err, "the snapshot is damaged");
        s->err->status = TRU_DAMAGED;
    }
    trui_unpack_fail(s->in, s->err->status);
    if (read) trui_fields_release(m, p.fields, fresh, NULL);
    trui_mem_release(m, fresh, p.size);
}

/* Streams shape, material, place and parameters of a solid. */
static void io_solid(stream *s, memory *m, solid *so, mount *at) {
    char name[NAME_ROOM] = "";
    if (!s->in) snprintf(name, sizeof name, "%s", so->shape->name);
    io_text(s, name, sizeof name);
    io_u32(s, &so->material);
    io_vec3(s, &at->x);
    io_quat(s, &at->q);
    io_f64(s, &at->density);
    if (s->in && good(s)) {
        tru_error unknown;
        so->shape = trui_shape_named(name, &unknown);
        if (!so->shape) damaged(s, unknown.text);
        if (so->material >= s->defs->materials.count) damaged(s, "a shape has a material that does not exist");
        if (!v3_is_finite(at->x) || !(fabs(quat_norm2(at->q) - 1.0) < 1e-6)) damaged(s, "a shape has no proper pose");
    }
    if (!good(s)) return;
    const tru_shape *shape = so->shape;
    const param_type type = {{shape->fields, shape->size}, shape->check, shape->build, shape->name};
    trui_io_params(s, m, &type, &so->params);
}

/* Appends a solid just read to the world. `of`: solids per body; equal solids of neighbouring bodies share their parameters. */
static void keep_solid(stream *s, tru_world *w, solid *so, const mount *at, size_t of) {
    so->body = (uint32_t)w->bodies.count;
    so->at = trui_mem_copy(&w->memory, at, sizeof *at);
    solid *slot = so->at ? array_push(&w->memory, &w->solids) : NULL;
    if (!slot) {
        if (so->at) trui_mem_release(&w->memory, so->at, sizeof *so->at);
        trui_solid_release_params(&w->memory, so);
        out_of_memory(s);
        return;
    }
    trui_solid_derive(so);
    *slot = *so;
    if (w->solids.count > of) trui_solid_share(&w->memory, slot, slot - of);
}

/* Streams the solids of a body, which stand together in the world's array. */
static void io_solids(stream *s, tru_world *w, body *b) {
    b->solid_count = (uint32_t)io_count(s, b->solid_count, 80);
    if (s->in) b->solid_first = (uint32_t)w->solids.count;
    if (good(s) && b->solid_count == 0) damaged(s, "a body has no shape");
    TRU_ASSERT(!s->out || b->solid_first + b->solid_count <= w->solids.count);
    for (size_t i = 0; i < b->solid_count && good(s); i++) {
        solid so = {.k = (int32_t)i};
        mount at = {.holders = 1};
        if (!s->in) so = w->solids.items[b->solid_first + i];
        if (!s->in) at = *so.at;
        io_solid(s, &w->memory, &so, &at);
        if (s->in && good(s)) keep_solid(s, w, &so, &at, b->solid_count);
    }
}

/* Streams the kind of a body. A mark in it says that a level axis follows. */
static void io_kind(stream *s, int8_t *kind, tru_vec3 *level) {
    const int32_t mark = 16; /* above every tru_body_kind */
    TRU_ASSERT(!s->out || (*kind >= TRU_FREE && *kind <= TRU_DRIVEN));
    int32_t marked = *kind + (v3_max_abs(*level) > 0.0 ? mark : 0);
    io_i32(s, &marked);
    *kind = (int8_t)(marked & ~mark);
    if (marked & mark) io_vec3(s, level);
}

/* Members of a body that it keeps elsewhere, or does not keep if they are default values. */
typedef struct plain_label {
    char name[NAME_ROOM];
    tru_vec3 centre, level; /* [m], [-] */
    tru_mat3 inertia;       /* [kg m^2] */
    body_gains gains;
} plain_label;

void trui_io_body_motion(stream *s, body *b, body_gains *gains) {
    io_vec3(s, &b->x);
    io_quat(s, &b->q);
    io_vec3(s, &b->v);
    io_vec3(s, &b->w);
    if (s->hash && v3_max_abs(gains->last) == 0.0 && v3_max_abs(gains->before) == 0.0) return;
    io_vec3(s, &gains->last);
    io_vec3(s, &gains->before);
}

/* Streams the members of a body, name included, without its solids. */
static void io_body(stream *s, body *b, plain_label *label) {
    io_u64(s, &b->id);
    io_text(s, label->name, sizeof label->name);
    io_vec3(s, &label->centre);
    io_bool(s, &b->overlaps);
    io_kind(s, &b->kind, &label->level);
    io_bool(s, &b->belt);
    io_bool(s, &b->resting);
    if (!s->hash) trui_io_body_motion(s, b, &label->gains); /* an item of its own */
    io_f64(s, &b->mass);
    io_rows(s, &label->inertia.m[0][0], 9);
    io_f64(s, &b->size);
}

/* Checks a body just read, and that its id follows those before it. Derives its inverse inertia. */
static void check_body(stream *s, tru_world *w, body *b, const plain_label *label) {
    const tru_id last = w->bodies.count > 0 ? w->bodies.items[w->bodies.count - 1].id : TRU_NONE;
    if (!good(s)) return;
    if (b->id <= last || b->id >= w->next_id) damaged(s, "ids of bodies are out of order");
    if (!(v3_norm2(label->level) < 1.0 + 1e-9)) damaged(s, "a body has no proper level axis");
    if (b->kind < TRU_FREE || b->kind > TRU_DRIVEN) damaged(s, "a body has an unknown kind");
    if (trui_names_find(w, label->name) != TRU_NONE) damaged(s, "two bodies have the same name");
    if (!(v3_is_finite(b->x) && v3_is_finite(b->v) && v3_is_finite(b->w)) || !(fabs(quat_norm2(b->q) - 1.0) < 1e-6))
        damaged(s, "a body has no proper pose or velocity");
    if (!(b->size >= 0.0 && b->size <= DBL_MAX)) damaged(s, "a body has no proper size");
    if (body_is_free(b) && !(b->mass > 0.0 && b->mass <= DBL_MAX)) damaged(s, "a body has no proper mass and inertia");
    const tru_status derived = good(s) ? trui_body_derive(&w->memory, b, &label->inertia) : TRU_OK;
    if (derived == TRU_NO_MEMORY) out_of_memory(s);
    if (derived == TRU_OUT_OF_RANGE) damaged(s, "a body has no proper mass and inertia");
}

/* Keeps the gains of a body just read. Gains that are zero to the bit need no memory. */
static void keep_gains(stream *s, memory *m, body *b, const body_gains *gains) {
    const body_gains none = {.last = {.x = 0.0}};
    if (!good(s) || memcmp(gains, &none, sizeof none) == 0) return;
    if (trui_body_make_gains(m, b))
        *b->gain = *gains;
    else
        out_of_memory(s);
}

/* Reads one body with its solids and appends it to the world. */
static void read_body(stream *s, tru_world *w) {
    body b = {0};
    plain_label label = {.name = ""};
    io_body(s, &b, &label);
    check_body(s, w, &b, &label);
    if (good(s)) io_solids(s, w, &b);
    keep_gains(s, &w->memory, &b, &label.gains);
    if (!good(s)) {
        trui_body_release(&w->memory, &b);
        return;
    }
    trui_body_derive_balls(&b, w->solids.items + b.solid_first);
    TRU_ASSERT(w->labels.count == w->bodies.count); /* one per body, in the same order */
    body *slot = trui_names_add(w, label.name, b.id) ? array_push(&w->memory, &w->bodies) : NULL;
    body_label *label_slot = slot ? array_push(&w->memory, &w->labels) : NULL;
    if (slot)
        *slot = b;
    else
        trui_body_release(&w->memory, &b);
    if (!label_slot || !trui_label_make(&w->memory, label_slot, label.name, label.centre, label.level))
        out_of_memory(s);
}

void trui_give_body(stream *s, tru_world *w, size_t i) {
    TRU_ASSERT(i < w->bodies.count && (!s->out || i == 0 || w->bodies.items[i - 1].id < w->bodies.items[i].id));
    body b = w->bodies.items[i];
    plain_label label = {.centre = body_centre(w, i),
                         .level = body_level(w, i),
                         .inertia = body_inertia_of(&b),
                         .gains = body_gains_of(&b)};
    snprintf(label.name, sizeof label.name, "%s", body_name(w, i));
    io_body(s, &b, &label);
    io_solids(s, w, &b);
}

void trui_io_bodies(stream *s, tru_world *w) {
    const size_t count = io_count(s, w->bodies.count, 250);
    for (size_t i = 0; i < count && good(s); i++) {
        if (s->in)
            read_body(s, w);
        else
            trui_give_body(s, w, i);
    }
}
