/* state.c: the state of a world as one stream of members: hashed, written into a snapshot, or read back from one.
 *
 * Every io_ function names the members once, for all three directions, so that they cannot drift apart. What follows
 * from other members (indices, inverse inertia, rotation matrices, the table of names) is not in the stream but derived
 * again by the functions that derived it first. Materials, pairs and gravity are the user's definitions: the stream
 * holds their hashes, and a world with other ones refuses it.
 *
 * A hash is a sum modulo 2^64 of mixed hashes of items: bodies, contacts, joints, loads and so on, each with its stable id
 * or key, never with its place in an array. What few items have enters only where it is there. */
#include "api/registry.h"
#include "api/state.h"
#include "api/stream.h"

#include "detect/find_contacts.h"
#include "fields/pack_fields.h"
#include "math/quat.h"
#include "world/names.h"
#include "world/validate.h"

#include <stdio.h>

#define SNAPSHOT_VERSION 8

/* ---- definitions ---- */

static uint64_t hash_gravity(const tru_world *w) {
    hash h = trui_hash_begin();
    trui_hash_text(&h, "gravity");
    trui_hash_vec3(&h, w->gravity);
    return trui_hash_end(&h);
}

static uint64_t hash_materials(const tru_world *w) {
    uint64_t sum = 0;
    for (size_t i = 0; i < w->materials.count; i++) {
        hash h = trui_hash_begin();
        trui_hash_text(&h, "material");
        trui_hash_u64(&h, w->materials.items[i].id);
        trui_hash_text(&h, w->materials.items[i].name);
        sum += trui_hash_end(&h);
    }
    return sum;
}

static uint64_t hash_pair(const tru_world *w, const pair *p) {
    const plug_finder finder = trui_registry_finder(w);
    const named_value own[] = {
        {"restitution", p->restitution}, {"compliance", p->compliance}, {"pass", p->pass ? 1.0 : 0.0}};
    hash h = trui_hash_begin();
    trui_hash_text(&h, "pair");
    trui_hash_u64(&h, p->a < p->b ? p->a : p->b);
    trui_hash_u64(&h, p->a < p->b ? p->b : p->a);
    trui_hash_u64(&h, trui_hash_named(own, sizeof own / sizeof *own));
    for (int i = 0; i < p->law_count; i++) {
        trui_hash_text(&h, p->laws[i].law->name);
        trui_hash_u64(&h, trui_fields_hash(p->laws[i].law->fields, p->laws[i].params, &finder));
    }
    return trui_hash_end(&h);
}

/* A sum: the order in which pairs were set does not matter. */
static uint64_t hash_pairs(const tru_world *w) {
    uint64_t sum = 0;
    for (size_t i = 0; i < w->pairs.count; i++) sum += hash_pair(w, &w->pairs.items[i]);
    return sum;
}

static uint64_t hash_starts(const tru_world *w) {
    uint64_t sum = 0;
    for (size_t i = 0; i < w->starts.count; i++) {
        const start_mode *m = &w->starts.items[i];
        hash h = trui_hash_begin();
        trui_hash_text(&h, "start");
        trui_hash_u64(&h, m->a < m->b ? m->a : m->b);
        trui_hash_u64(&h, m->a < m->b ? m->b : m->a);
        trui_hash_u64(&h, (uint64_t)m->stuck << 32 | m->slipping);
        sum += trui_hash_end(&h);
    }
    return sum;
}

static void io_definition(stream *s, uint64_t here, const char *what) {
    uint64_t there = here;
    io_u64(s, &there);
    if (there == here || !good(s)) return;
    trui_unpack_fail(s->in, TRU_DAMAGED);
    tru_fail(s->err, TRU_DAMAGED, "the snapshot belongs to a world with %s", what);
}

static void io_definitions(stream *s) {
    io_definition(s, hash_gravity(s->defs), "another gravity");
    io_definition(s, hash_materials(s->defs), "other materials");
    io_definition(s, hash_pairs(s->defs), "other pairs of materials or laws");
    io_definition(s, hash_starts(s->defs), "other contact modes at the start");
}

/* ---- time, stepper, ledger ---- */

static void io_clock(stream *s, tru_world *w) {
    io_f64(s, &w->time_base);
    io_u64(s, &w->steps_here);
    io_u64(s, &w->steps_done);
    io_f64(s, &w->step);
    io_u64(s, &w->next_id);
    io_bool(s, &w->moved);
    if (!s->hash) io_u64(s, &w->overlap_checked); /* decides what is refused, not what follows */
    if (!s->hash) io_u64(s, &w->stepped);
    if (!s->hash) io_f64(s, &w->energy_seen); /* as overlap_checked */
    if (s->hash && w->steps_done > 0 && w->stepped < w->next_id) trui_hash_u64(s->hash, w->stepped);
    if (s->hash && w->next_joint > 0) trui_hash_u64(s->hash, w->next_joint);
    if (!(w->step >= 0.0 && w->step <= DBL_MAX && fabs(w->time_base) <= DBL_MAX))
        damaged(s, "its time is not a number");
}

/* The stepper's settings shape the future, so they are in the hash; a snapshot names it only, because a run may go on
 * with another one. State that a stepper keeps beside bodies and contacts belongs here, behind the name, by its own
 * field table; moreau has none. */
static void io_stepper(stream *s, tru_world *w) {
    char name[NAME_ROOM] = "";
    const plug_finder finder = trui_registry_finder(s->defs);
    if (!s->in && w->stepper) snprintf(name, sizeof name, "%s", w->stepper->name);
    io_text(s, name, sizeof name);
    if (s->hash && w->stepper) trui_hash_u64(s->hash, trui_fields_hash(w->stepper->fields, w->stepper_params, &finder));
}

static void io_ledger(stream *s, tru_ledger *l) {
#define IO_LEDGER(name, kind, doc) io_f64(s, &l->name);
    TRU_LEDGER_LIST(IO_LEDGER)
#undef IO_LEDGER
}

uint64_t trui_hash_ledger(const tru_ledger *ledger) {
    tru_ledger l = *ledger;
    l.kinetic = l.potential = 0.0; /* sums over bodies in their order */
    const named_value lines[] = {
#define NAMED_LINE(name, kind, doc) {#name, l.name},
        TRU_LEDGER_LIST(NAMED_LINE)
#undef NAMED_LINE
    };
    return trui_hash_named(lines, sizeof lines / sizeof *lines);
}

/* ---- bodies ---- */

/* Parameters of a plug-in by its field table; while reading, in a block of their own that is NULL on failure. */
typedef tru_status plugin_build(void *params, const tru_allocator *allocator, tru_error *err);
static void io_params(stream *s, memory *m, plug p, plugin_check *check, plugin_build *build, const char *name,
                      void **params) {
    if (s->out) trui_pack_fields(s->out, p.fields, *params, NULL);
    if (s->hash) trui_hash_u64(s->hash, trui_fields_hash(p.fields, *params, NULL));
    if (!s->in) return;
    void *fresh = trui_mem_array(m, 1, p.size);
    if (!fresh) {
        out_of_memory(s);
        return;
    }
    tru_status status = trui_unpack_fields(s->in, m, p.fields, fresh, NULL, name, s->err);
    const bool read = status >= 0;
    if (status >= 0) status = tru_fields_check(p.fields, fresh, name, s->err);
    if (status >= 0 && check) status = check(fresh, s->err);
    if (status >= 0 && build) status = build(fresh, &m->allocator, s->err);
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
    if (good(s))
        io_params(s, m, (plug){so->shape->fields, so->shape->size}, so->shape->check, so->shape->build, so->shape->name,
                  &so->params);
}

/* A solid just read, the last of the world; many are like the one of the body before. */
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

static void io_solids(stream *s, tru_world *w, body *b) {
    b->solid_count = (uint32_t)io_count(s, b->solid_count, 80);
    if (s->in) b->solid_first = (uint32_t)w->solids.count;
    if (good(s) && b->solid_count == 0) damaged(s, "a body has no shape");
    for (size_t i = 0; i < b->solid_count && good(s); i++) {
        solid so = {.k = (int32_t)i};
        mount at = {.holders = 1};
        if (!s->in) so = w->solids.items[b->solid_first + i];
        if (!s->in) at = *so.at;
        io_solid(s, &w->memory, &so, &at);
        if (s->in && good(s)) keep_solid(s, w, &so, &at, b->solid_count);
    }
}

/* The kind of a body, marked when the axis that stays level follows. */
static void io_kind(stream *s, int8_t *kind, tru_vec3 *level) {
    const int32_t mark = 16;
    int32_t marked = *kind + (v3_max_abs(*level) > 0.0 ? mark : 0);
    io_i32(s, &marked);
    *kind = (int8_t)(marked & ~mark);
    if (marked & mark) io_vec3(s, level);
}

/* What a body and its label own, or can do without. */
typedef struct plain_label {
    char name[NAME_ROOM];
    tru_vec3 centre, level; /* [m], [-] */
    tru_mat3 inertia;       /* [kg m^2] */
    body_gains gains;
} plain_label;

/* What moves. */
static void io_body_motion(stream *s, body *b, body_gains *gains) {
    io_vec3(s, &b->x);
    io_quat(s, &b->q);
    io_vec3(s, &b->v);
    io_vec3(s, &b->w);
    if (s->hash && v3_max_abs(gains->last) == 0.0 && v3_max_abs(gains->before) == 0.0) return;
    io_vec3(s, &gains->last);
    io_vec3(s, &gains->before);
}

static void io_body(stream *s, body *b, plain_label *label) {
    io_u64(s, &b->id);
    io_text(s, label->name, sizeof label->name);
    io_vec3(s, &label->centre);
    io_bool(s, &b->overlaps);
    io_kind(s, &b->kind, &label->level);
    io_bool(s, &b->belt);
    io_bool(s, &b->resting);
    if (!s->hash) io_body_motion(s, b, &label->gains); /* an item of its own */
    io_f64(s, &b->mass);
    io_rows(s, &label->inertia.m[0][0], 9);
    io_f64(s, &b->size);
}

/* A body just read: is it one, and does it fit behind those before it? */
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

/* Those that are zero, to the bit, need no room. */
static void keep_gains(stream *s, memory *m, body *b, const body_gains *gains) {
    const body_gains none = {.last = {.x = 0.0}};
    if (!good(s) || memcmp(gains, &none, sizeof none) == 0) return;
    if (trui_body_make_gains(m, b))
        *b->gain = *gains;
    else
        out_of_memory(s);
}

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
    body *slot = trui_names_add(w, label.name, b.id) ? array_push(&w->memory, &w->bodies) : NULL;
    body_label *label_slot = slot ? array_push(&w->memory, &w->labels) : NULL;
    if (slot)
        *slot = b;
    else
        trui_body_release(&w->memory, &b);
    if (!label_slot || !trui_label_make(&w->memory, label_slot, label.name, label.centre, label.level))
        out_of_memory(s);
}

/* Body i but for what moves, hashed; or all of it, written. */
static void give_body(stream *s, tru_world *w, size_t i) {
    body b = w->bodies.items[i];
    plain_label label = {.centre = body_centre(w, i),
                         .level = body_level(w, i),
                         .inertia = body_inertia_of(&b),
                         .gains = body_gains_of(&b)};
    snprintf(label.name, sizeof label.name, "%s", body_name(w, i));
    io_body(s, &b, &label);
    io_solids(s, w, &b);
}

static void io_bodies(stream *s, tru_world *w) {
    const size_t count = io_count(s, w->bodies.count, 250);
    for (size_t i = 0; i < count && good(s); i++) {
        if (s->in)
            read_body(s, w);
        else
            give_body(s, w, i);
    }
}

/* ---- loads and motions ---- */

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
    }
}

/* The body a load or motion acts on is there and of the kind it needs. */
static void check_actor(stream *s, const tru_world *w, tru_id id, int32_t kind) {
    const size_t k = s->in ? trui_body_index(w, id) : 0;
    if (s->in && (k == SIZE_MAX || w->bodies.items[k].kind != kind))
        damaged(s, "a load or motion acts on a body that cannot have it");
}

static void io_load(stream *s, tru_world *w, load *l) {
    io_u64(s, &l->body);
    io_bool(s, &l->body_axes);
    io_vec3(s, &l->force);
    io_vec3(s, &l->torque);
    check_actor(s, w, l->body, TRU_FREE);
    io_schedule(s, &w->memory, &l->schedule);
}

static void io_loads(stream *s, tru_world *w) {
    const size_t count = io_count(s, w->loads.count, 60);
    if (s->in && !array_resize(&w->memory, &w->loads, count)) out_of_memory(s);
    for (size_t i = 0; i < count && good(s); i++) io_load(s, w, &w->loads.items[i]);
}

static void io_motion(stream *s, tru_world *w, motion *m) {
    io_u64(s, &m->body);
    io_vec3(s, &m->v);
    io_vec3(s, &m->w);
    check_actor(s, w, m->body, TRU_DRIVEN);
    io_schedule(s, &w->memory, &m->schedule);
}

static void io_motions(stream *s, tru_world *w) {
    const size_t count = io_count(s, w->motions.count, 60);
    if (s->in && !array_resize(&w->memory, &w->motions, count)) out_of_memory(s);
    for (size_t i = 0; i < count && good(s); i++) io_motion(s, w, &w->motions.items[i]);
}

/* ---- joints ---- */

/* What the last step left in it. */
static void io_joint_motion(stream *s, joint *j) {
    io_u32(s, &j->age);
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
    if (s->hash) return; /* told, of no influence on what follows */
    io_vec3(s, &j->jolt.push);
    io_vec3(s, &j->jolt.turn_a);
    io_vec3(s, &j->jolt.turn_b);
}

static void io_joint(stream *s, joint *j) {
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
    if (!s->hash) io_joint_motion(s, j); /* an item of its own */
}

/* The bodies of a joint just read, at least one of them free. */
static void check_joint(stream *s, const tru_world *w, const joint *j) {
    const tru_id last = w->joints.count > 0 ? w->joints.items[w->joints.count - 1].id : TRU_NONE;
    const size_t a = trui_body_index(w, j->body_a), b = trui_body_index(w, j->body_b);
    if (!good(s)) return;
    if (j->id <= last || j->id >= w->next_joint) damaged(s, "ids of joints are out of order");
    if (a == SIZE_MAX || b == SIZE_MAX || a == b ||
        !(body_is_free(&w->bodies.items[a]) || body_is_free(&w->bodies.items[b])))
        damaged(s, "a joint is between bodies that cannot have it");
}

static void io_joint_type(stream *s, tru_world *w, joint *j) {
    char name[NAME_ROOM] = "";
    if (!s->in) snprintf(name, sizeof name, "%s", j->type->name);
    io_text(s, name, sizeof name);
    if (s->in && good(s)) {
        tru_error unknown;
        j->type = trui_joint_named(name, &unknown);
        if (!j->type) damaged(s, unknown.text);
    }
    if (good(s))
        io_params(s, &w->memory, (plug){j->type->fields, j->type->size}, j->type->check, NULL, j->type->name,
                  &j->params);
}

static void io_joints(stream *s, tru_world *w) {
    io_u64(s, &w->next_joint);
    const size_t count = io_count(s, w->joints.count, 300);
    for (size_t i = 0; i < count && good(s); i++) {
        joint fresh = {.id = 0}, *j = s->in ? &fresh : &w->joints.items[i];
        io_joint_type(s, w, j);
        if (good(s)) io_joint(s, j);
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

/* ---- contacts ---- */

/* Which shapes touch, as they are called everywhere and always. */
typedef struct contact_ids {
    tru_id body_a, body_b;
    int32_t shape_a, shape_b;
} contact_ids;

static contact_ids ids_of(const tru_world *w, const contact_key *k) {
    return (contact_ids){w->bodies.items[k->a].id, w->bodies.items[k->b].id, w->solids.items[k->solid_a].k,
                         w->solids.items[k->solid_b].k};
}

static void io_key(stream *s, contact_ids *ids, contact_key *k) {
    io_u64(s, &ids->body_a);
    io_u64(s, &ids->body_b);
    io_i32(s, &ids->shape_a);
    io_i32(s, &ids->shape_b);
    io_i32(s, &k->feature);
}

static void io_place(stream *s, contact_place *p) {
    io_vec3(s, &p->normal);
    io_vec3(s, &p->t1);
    io_vec3(s, &p->t2);
    io_vec3(s, &p->arm_a);
    io_vec3(s, &p->arm_b);
    io_f64(s, &p->gap);
}

static void io_frame(stream *s, contact_frame *c) {
    io_vec3(s, &c->normal);
    io_vec3(s, &c->t1);
    io_vec3(s, &c->t2);
    io_vec3(s, &c->arm_a);
    io_vec3(s, &c->arm_b);
    io_f64(s, &c->gap);
    io_u32(s, &c->stuck);
    io_i32(s, &c->rim_points);
}

static void io_springs(stream *s, springs *k) {
    for (int side = 0; side < 2; side++) {
        io_vec3(s, &k->record.at[side]);
        io_vec3(s, &k->record.t1[side]);
        io_vec3(s, &k->record.t2[side]);
    }
    io_rows(s, k->stretch, TRU_FRICTION_ROWS);
    io_rows(s, k->stretch_b, 2);
    io_rows(s, k->moved, TRU_FRICTION_ROWS);
    io_rows(s, k->couple_b, 2);
    io_f64(s, &k->overlap);
    io_rows(s, k->stiffness, TRU_KINDS);
    io_rows(s, k->energy, TRU_KINDS);
    io_u32(s, &k->stuck_b);
    io_f64(s, &k->curvature);
    io_f64(s, &k->curvature_mean);
    io_f64(s, &k->radius_effective);
    io_f64(s, &k->radius_smaller);
}

static void io_end(stream *s, contact_end *e) {
    io_place(s, &e->place);
    io_rows(s, e->rate, TRU_ROWS);
    io_rows(s, e->last, TRU_ROWS);
    io_rows(s, e->older, TRU_ROWS);
    io_rows(s, e->slip, 3);
}

/* Of a contact that is read, `end` and `springs` are where they go. */
static void io_contact(stream *s, contact_ids *ids, contact *c) {
    bool has_end = c->end && !s->in;
    double none[TRU_FRICTION_ROWS] = {0.0}, theta = (double)c->theta;
    io_key(s, ids, &c->key);
    io_u32(s, &c->flags);
    io_u32(s, &c->stuck);
    io_u32(s, &c->age);
    io_bool(s, &c->steady);
    io_vec3(s, &c->local_a);
    io_frame(s, &c->c);
    io_rows(s, c->dry, TRU_ROWS);
    io_rows(s, c->impulse, TRU_ROWS);
    io_f64(s, &c->bias);
    io_rows(s, c->end ? c->end->bias : none, TRU_FRICTION_ROWS);
    io_f64(s, &theta);
    c->theta = (float)theta;
    io_f64(s, &c->approach);
    io_bool(s, &has_end);
    if (has_end) io_end(s, c->end);
    if (c->flags & CONTACT_TRACKED) io_springs(s, c->springs);
    if (!has_end) c->end = NULL;
    if (!(c->flags & CONTACT_TRACKED)) c->springs = NULL;
}

/* Finds the bodies and shapes of a key just read; false: it is damaged. */
static bool place_key(stream *s, const tru_world *w, const contact_ids *ids, contact_key *k) {
    const size_t a = trui_body_index(w, ids->body_a), b = trui_body_index(w, ids->body_b);
    if (a == SIZE_MAX || b == SIZE_MAX || a == b || ids->shape_a < 0 || ids->shape_b < 0 ||
        (size_t)ids->shape_a >= w->bodies.items[a].solid_count ||
        (size_t)ids->shape_b >= w->bodies.items[b].solid_count) {
        damaged(s, "a contact is of shapes that do not exist");
        return false;
    }
    k->a = (uint32_t)a;
    k->b = (uint32_t)b;
    k->solid_a = w->bodies.items[a].solid_first + (uint32_t)ids->shape_a;
    k->solid_b = w->bodies.items[b].solid_first + (uint32_t)ids->shape_b;
    return true;
}

/* Find the bodies, shapes and pair of a contact just read; keys must rise, with no more than a shape's touches in a run.
 */
static void place_contact(stream *s, const tru_world *w, const contact_ids *ids, size_t i) {
    contact *c = &w->contacts.items[i];
    if (!place_key(s, w, ids, &c->key)) return;
    c->pair = trui_pair_between(s->defs, w->solids.items[c->solid_a].material, w->solids.items[c->solid_b].material);
    if (!c->pair) damaged(s, "a contact is of materials without a law");
    if (i > 0 && trui_contact_key_order(&c[-1].key, &c->key) >= 0) damaged(s, "contacts are out of order");
    if (i >= TRU_TOUCHES && c[-TRU_TOUCHES].solid_a == c->solid_a && c[-TRU_TOUCHES].solid_b == c->solid_b)
        damaged(s, "two shapes touch in too many points");
    w->bodies.items[c->a].contacts++;
    w->bodies.items[c->b].contacts++;
}

/* Room for `count` contacts with all parts that some of them may have. */
static bool make_contacts(tru_world *w, size_t count, size_t stride, bool ends, bool springs_too) {
    return array_resize(&w->memory, &w->contacts, count) && array_resize(&w->memory, &w->history, count * stride) &&
           (!ends || array_resize(&w->memory, &w->ends, count)) &&
           (!springs_too || array_resize(&w->memory, &w->springs, count));
}

static void io_contacts(stream *s, tru_world *w) {
    const size_t count = io_count(s, w->contacts.count, 300), stride = s->defs->history_stride;
    bool ends = false, tracked = false;
    for (size_t i = 0; !s->in && i < count; i++) {
        ends |= w->contacts.items[i].end != NULL;
        tracked |= (w->contacts.items[i].flags & CONTACT_TRACKED) != 0;
    }
    io_bool(s, &ends);
    io_bool(s, &tracked);
    if (s->in && good(s) && !make_contacts(w, count, stride, ends, tracked)) out_of_memory(s);
    for (size_t i = 0; i < count && good(s); i++) {
        contact c = w->contacts.items[i];
        contact_end no_end;
        springs slack;
        if (s->in) {
            c.end = ends ? &w->ends.items[i] : &no_end;
            c.springs = tracked ? &w->springs.items[i] : &slack;
            c.c.memory = stride > 0 ? w->history.items + i * stride : NULL;
        }
        contact_ids ids = {0};
        if (!s->in) ids = ids_of(w, &c.key);
        io_contact(s, &ids, &c);
        if (stride > 0) io_rows(s, c.c.memory, stride);
        if (!s->in || !good(s)) continue;
        if ((c.end && !ends) || (c.springs && !tracked)) {
            damaged(s, "a contact has parts that no contact has");
            return;
        }
        w->contacts.items[i] = c;
        place_contact(s, w, &ids, i);
    }
}

/* Contacts of the start that were announced and whose springs have no load yet. Before the first step they are found again. */
static void io_start_contacts(stream *s, tru_world *w) {
    const size_t count = io_count(s, w->steps_done > 0 ? w->at_start.count : 0, 36);
    if (s->in && good(s) && !array_resize(&w->memory, &w->at_start, count)) out_of_memory(s);
    for (size_t i = 0; i < count && good(s); i++) {
        start_contact *c = &w->at_start.items[i];
        contact_ids ids = {0};
        if (s->in) memset(c, 0, sizeof *c);
        if (!s->in) ids = ids_of(w, &c->key);
        io_key(s, &ids, &c->key);
        io_f64(s, &c->ahead);
        if (!s->in || !good(s) || !place_key(s, w, &ids, &c->key)) continue;
        c->shown.body_a = ids.body_a;
        c->shown.body_b = ids.body_b;
        if (i > 0 && trui_contact_key_order(&c[-1].key, &c->key) >= 0)
            damaged(s, "contacts of the start are out of order");
    }
}

/* ---- what happened: kept in snapshots, so that nothing is lost, but without influence ---- */

static void io_solve(stream *s, tru_solve_info *info) {
    io_i32(s, &info->iterations);
    io_i32(s, &info->single);
    io_i32(s, &info->contacts);
    io_i32(s, &info->worst);
    io_bool(s, &info->converged);
    io_rows(s, info->residual, TRU_KINDS);
    io_f64(s, &info->relative);
    io_f64(s, &info->rms);
    io_f64(s, &info->max);
    io_f64(s, &info->joint);
    io_f64(s, &info->joint_turn);
    io_f64(s, &info->lift);
    io_f64(s, &info->hop);
}

static void io_solve_totals(stream *s, tru_solve_totals *t) {
    io_u64(s, &t->steps);
    io_u64(s, &t->unconverged);
    io_u64(s, &t->iterations);
    io_i32(s, &t->most_iterations);
    io_rows(s, t->residual, TRU_KINDS);
    io_f64(s, &t->worst_relative);
    io_f64(s, &t->worst_time);
    io_f64(s, &t->worst_speed);
    io_u64(s, &t->worst_a);
    io_u64(s, &t->worst_b);
    io_f64(s, &t->lift);
    io_f64(s, &t->hop);
    io_f64(s, &t->hop_time);
}

/* What the judge needs of the last step: where the bodies were before it, and their attitude in its middle. */
static void io_before(stream *s, tru_world *w) {
    const size_t judged = w->before.count == w->bodies.count ? w->before.count : 0;
    const size_t count = io_count(s, judged, 130);
    bool other = false; /* some body was elsewhere in the middle than before */
    if (s->in && good(s) && count != 0 && count != w->bodies.count) damaged(s, "its last step is of other bodies");
    if (s->in && good(s) &&
        !(array_resize(&w->memory, &w->before, count) && array_resize(&w->memory, &w->middle, count)))
        out_of_memory(s);
    for (size_t i = 0; i < count && good(s); i++) {
        body_start b = s->in ? body_keep(&w->bodies.items[i]) : w->before.items[i];
        tru_quat middle = s->in ? quat_identity() : body_middle(w, i);
        io_vec3(s, &b.x);
        io_quat(s, &b.q);
        io_vec3(s, &b.v);
        io_vec3(s, &b.w);
        io_quat(s, &middle);
        if (!s->in) continue;
        w->before.items[i] = b;
        w->middle.items[i] = middle;
        other = other || memcmp(&middle, &b.q, sizeof middle) != 0;
    }
    if (s->in && !other) array_release(&w->memory, &w->middle);
}

static void io_event(stream *s, tru_event *e) {
    io_f64(s, &e->time);
    io_i32(s, &e->kind);
    io_i32(s, &e->row_kind);
    io_u64(s, &e->body_a);
    io_u64(s, &e->body_b);
    io_vec3(s, &e->position);
    io_f64(s, &e->speed);
    io_quat(s, &e->orientation);
    io_vec3(s, &e->velocity);
    io_vec3(s, &e->angular_velocity);
    io_i32(s, &e->limit_case);
}

/* Those that nobody has taken yet; a ring that was read begins at its first place. */
static void io_events(stream *s, tru_world *w) {
    const size_t count = io_count(s, w->events.count, 148);
    io_u64(s, &w->events.lost);
    if (count > EVENT_ROOM) damaged(s, "there are too many events");
    if (s->in && good(s) && !(w->events.items = trui_mem_array(&w->memory, EVENT_ROOM, sizeof *w->events.items)))
        out_of_memory(s);
    for (size_t i = 0; i < count && good(s); i++) {
        const size_t at = (w->events.first + i) % EVENT_ROOM;
        tru_event e = w->events.items[at];
        io_event(s, &e);
        if (s->in) w->events.items[at] = e;
    }
    w->events.count = count;
}

/* ---- the hash ---- */

/* Memory of its laws, each with its own; what is kept for the judge does not matter. */
static void hash_history(hash *h, const contact *c) {
    for (int i = 0; i < c->pair->law_count; i++) {
        const pair_law *l = &c->pair->laws[i];
        for (int k = 0; k < l->law->history; k++) trui_hash_f64(h, c->c.memory[l->memory + k]);
    }
}

static void hash_contacts(stream *s, const tru_world *w) {
    for (size_t i = 0; i < w->contacts.count; i++) {
        contact c = w->contacts.items[i];
        contact_ids ids = ids_of(w, &c.key);
        item_begin(s, "contact");
        io_contact(s, &ids, &c);
        hash_history(s->hash, &c);
        item_end(s);
    }
}

/* What moves, by id and key: the world is not written to. */
static void hash_motion(stream *s, tru_world *w) {
    double time = trui_world_time(w);
    item_begin(s, "time");
    io_f64(s, &time);
    item_end(s);
    for (size_t i = 0; i < w->bodies.count; i++) {
        body *b = &w->bodies.items[i];
        body_gains gains = body_gains_of(b);
        item_begin(s, "motion");
        io_u64(s, &b->id);
        io_body_motion(s, b, &gains);
        item_end(s);
    }
    for (size_t i = 0; i < w->joints.count; i++) {
        item_begin(s, "joint motion");
        io_u64(s, &w->joints.items[i].id);
        io_joint_motion(s, &w->joints.items[i]);
        item_end(s);
    }
    hash_contacts(s, w);
}

/* Loads of one body are added up in their order, so it counts; that among bodies does not. */
static void hash_loads(stream *s, tru_world *w) {
    for (size_t i = 0; i < w->loads.count; i++) {
        load *l = &w->loads.items[i];
        uint64_t order = 0;
        for (size_t k = 0; k < i; k++) order += w->loads.items[k].body == l->body;
        item_begin(s, "load");
        io_u64(s, &order);
        io_load(s, w, l);
        item_end(s);
    }
}

/* What they are, and what acts on them. */
static void hash_things(stream *s, tru_world *w) {
    for (size_t i = 0; i < w->bodies.count; i++) {
        item_begin(s, "body");
        give_body(s, w, i);
        item_end(s);
    }
    for (size_t i = 0; i < w->motions.count; i++) {
        item_begin(s, "drive");
        io_motion(s, w, &w->motions.items[i]);
        item_end(s);
    }
    for (size_t i = 0; i < w->joints.count; i++) {
        item_begin(s, "joint");
        io_joint_type(s, w, &w->joints.items[i]);
        io_joint(s, &w->joints.items[i]);
        item_end(s);
    }
    hash_loads(s, w);
}

uint64_t tru_motion_hash(const tru_world *w) {
    tru_world view = *w;
    hash h;
    stream s = {.hash = &h, .defs = w};
    hash_motion(&s, &view);
    return s.sum;
}

uint64_t tru_state_hash(const tru_world *w) {
    tru_world view = *w;
    hash h;
    stream s = {.hash = &h, .defs = w};
    hash_motion(&s, &view);
    hash_things(&s, &view);
    item_begin(&s, "clock");
    io_clock(&s, &view);
    item_end(&s);
    item_begin(&s, "stepper");
    io_stepper(&s, &view);
    item_end(&s);
    return s.sum + trui_hash_ledger(&w->ledger) + hash_gravity(w) + hash_materials(w) + hash_pairs(w) + hash_starts(w);
}

/* ---- the whole ---- */

static void io_world(stream *s, tru_world *w) {
    io_definitions(s);
    io_clock(s, w);
    io_stepper(s, w);
    io_ledger(s, &w->ledger);
    io_bodies(s, w);
    io_loads(s, w);
    io_motions(s, w);
    io_joints(s, w);
    io_contacts(s, w);
    io_start_contacts(s, w);
    io_solve(s, &w->solve);
    io_solve_totals(s, &w->solve_totals);
    io_before(s, w);
    io_events(s, w);
}

/* What is written: a view of the world whose energies are those of its bodies now. */
static tru_world view_of(const tru_world *w) {
    tru_world view = *w;
    view.ledger = tru_world_ledger(w);
    return view;
}

static void write_world(const tru_world *w, packer *p) {
    tru_world view = view_of(w);
    stream s = {.out = p, .defs = w};
    trui_pack_begin(p, SNAPSHOT_VERSION);
    io_world(&s, &view);
    trui_pack_end(p);
}

size_t tru_save_size(const tru_world *w) {
    packer p = trui_pack_measure();
    write_world(w, &p);
    return p.count;
}

tru_status tru_save(const tru_world *w, void *buffer, size_t bytes, tru_error *err) {
    if (!w || !buffer) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_save needs a world and a buffer");
    packer p = trui_pack_into(buffer, bytes);
    write_world(w, &p);
    if (trui_pack_good(&p)) return TRU_OK;
    return tru_fail(err, TRU_BAD_ARGUMENT, "the snapshot takes %zu bytes, the buffer has %zu", tru_save_size(w), bytes);
}

/* Give the world what was read, and what was read the world's old state. A stepper with another step than the snapshot's
 * counts its own steps from here on, as after tru_stepper_set. */
static void exchange(tru_world *w, tru_world *fresh) {
    const tru_world old = *w;
    const bool other_step = w->stepper && w->step != fresh->step;
    w->time_base = other_step ? trui_world_time(fresh) : fresh->time_base;
    w->steps_here = other_step ? 0 : fresh->steps_here;
    w->step = other_step ? w->step : fresh->step;
    w->steps_done = fresh->steps_done;
    w->next_id = fresh->next_id;
    w->next_joint = fresh->next_joint;
    w->moved = fresh->moved;
    w->overlap_checked = fresh->overlap_checked;
    w->stepped = fresh->stepped;
    w->ledger = fresh->ledger;
    w->energy_seen = fresh->energy_seen;
    w->solve = fresh->solve;
    w->solve_totals = fresh->solve_totals;
    world_changed(w);
#define EXCHANGE(part)                                                                                                 \
    w->part = fresh->part;                                                                                             \
    fresh->part = old.part;
    EXCHANGE(bodies)
    EXCHANGE(labels)
    EXCHANGE(solids)
    EXCHANGE(loads)
    EXCHANGE(motions)
    EXCHANGE(joints)
    EXCHANGE(names)
    EXCHANGE(contacts)
    EXCHANGE(ends)
    EXCHANGE(springs)
    EXCHANGE(history)
    EXCHANGE(before)
    EXCHANGE(middle)
    EXCHANGE(at_start)
    EXCHANGE(events)
#undef EXCHANGE
}

tru_status tru_load(tru_world *w, const void *buffer, size_t bytes, tru_error *err) {
    unpacker u;
    tru_error first = {TRU_OK, ""};
    if (!w || !buffer) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_load needs a world and a buffer");
    tru_status status = trui_unpack_begin(&u, buffer, bytes, SNAPSHOT_VERSION, err);
    if (status < 0) return status;
    tru_world fresh = {.memory = w->memory};
    stream s = {.in = &u, .defs = w, .err = &first};
    io_world(&s, &fresh);
    if (first.status < 0 && err) *err = first;
    status = first.status < 0 ? first.status : trui_unpack_end(&u, err);
    if (status >= 0) {
        const tru_world kept = *w;
        exchange(w, &fresh);
        const char *wrong = trui_world_validate(w);
        if (wrong) {
            exchange(w, &fresh); /* gives the arrays back, */
            *w = kept;           /* and the numbers */
            status = tru_fail(err, TRU_DAMAGED, "the snapshot is damaged: %s", wrong);
        }
    }
    trui_world_release(&fresh);
    return status;
}
