/* scene_world.c: builds a world from a scene object by object. If the world refuses an object, the sentence has its place
 * in the file. */
#include "scene_world.h"

#include "scene/blocks/scene_objects.h"
#include "scene_room.h"
#include "scene/blocks/scene_evaluate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct builder {
    const tru_scene *scene;
    const tree *t;
    const scene_model *m;
    tru_world *world;
    store scratch;
    tru_error *err;
} builder;

static reader fresh_reader(builder *b) {
    trio_store_reset(&b->scratch);
    return trio_scene_reader(b->m, &b->scratch, b->err);
}

/* Puts the place of an object before the sentence of a call. */
static tru_status at_node(builder *b, node_id n, tru_status s) {
    if (s >= 0 || s == TRU_NO_MEMORY) return s;
    return trio_tree_prefix(b->t, n, false, b->err);
}

/* ---- materials, pairs, bodies ---- */

static tru_status add_materials(builder *b) {
    tru_status s = TRU_OK;
    for (size_t k = 1; k < b->m->material_count && s >= 0; k++)
        s = at_node(b, b->m->sections[SECTION_materials], tru_material_add(b->world, b->m->materials[k], NULL, b->err));
    return s;
}

static tru_status add_pairs(builder *b) {
    const node_id list = scene_section(b->m, SECTION_pairs);
    tru_status s = TRU_OK;
    size_t k = 0;
    for (node_id n = list ? trio_tree_first(b->t, list) : 0; n && s >= 0; n = trio_tree_next(b->t, n), k++) {
        reader r = fresh_reader(b);
        scene_pair p;
        s = trio_read_pair(&r, b->m, k, n, &p);
        p.def.laws = p.laws.laws;
        p.def.law_count = p.laws.count;
        if (!s) s = at_node(b, n, tru_pair_set(b->world, &p.def, b->err));
    }
    return s;
}

static tru_status add_bodies(builder *b) {
    tru_status s = tru_body_reserve(b->world, b->m->body_count, b->err);
    for (size_t k = 0; k < b->m->body_count && s >= 0; k++) {
        reader r = fresh_reader(b);
        tru_body_def def;
        s = trio_read_body(&r, b->m->bodies[k], &def);
        if (!s) s = at_node(b, b->m->bodies[k], tru_body_add(b->world, &def, NULL, b->err));
    }
    return s;
}

/* ---- fills ---- */

static const tru_shape *shape_of(const tru_use *use) {
    for (size_t k = 0; tru_shape_at(k); k++)
        if (strcmp(tru_shape_at(k)->name, use->name) == 0) return tru_shape_at(k);
    return NULL;
}

/* Returns the outer radius of a template about its origin [m]. */
static double reach_of(const tru_body_def *body) {
    double reach = 0.0;
    for (size_t i = 0; i < body->shape_count; i++) {
        const tru_vec3 x = body->shapes[i].position;
        const tru_shape *shape = shape_of(&body->shapes[i].shape);
        double away;
        tru_elementary("sqrt", x.x * x.x + x.y * x.y + x.z * x.z, &away);
        const double r = away + (shape ? shape->radius(body->shapes[i].shape.params) : 0.0);
        if (r > reach) reach = r;
    }
    return reach;
}

/* Copies lists of parameters that are going to change. */
static bool own_lists(store *memory, const tru_field *fields, void *params) {
    for (const tru_field *f = fields; f && f->name; f++) {
        tru_list *list = (tru_list *)((char *)params + f->offset);
        if (f->type != TRU_FIELD_LIST || list->count == 0) continue;
        const size_t bytes = list->count * (f->block ? f->block_size : sizeof(double));
        void *items = trio_store_take(memory, bytes);
        if (!items) return false;
        list->items = memcpy(items, list->items, bytes);
    }
    return true;
}

/* Each body of a fill is a different random stone: its seed is that of the template plus k. */
static void count_seed_on(const tru_field *fields, void *params, uint64_t k) {
    const tru_field *f = fields ? tru_field_find(fields, "seed") : NULL;
    int32_t *seed = f ? (int32_t *)(void *)((char *)params + f->offset) : NULL;
    if (seed) *seed = (int32_t)(((uint64_t)*seed + k) & 0x7fffffffu);
}

/* The template for body k with every length times a factor. */
static bool scale_body(store *memory, const tru_body_def *body, double factor, uint64_t k, tru_body_def *out) {
    tru_shape_def *shapes = trio_store_take(memory, body->shape_count * sizeof *shapes);
    if (!shapes) return false;
    *out = *body;
    out->shapes = shapes;
    for (size_t i = 0; i < body->shape_count; i++) {
        const tru_shape *shape = shape_of(&body->shapes[i].shape);
        shapes[i] = body->shapes[i];
        void *params = trio_store_take(memory, shape->size);
        if (!params) return false;
        if (shape->size) memcpy(params, shapes[i].shape.params, shape->size);
        if (!own_lists(memory, shape->fields, params)) return false;
        if (shape->fields) tru_fields_rescale(shape->fields, params, 1.0, factor, 1.0);
        count_seed_on(shape->fields, params, k);
        shapes[i].shape.params = params;
        const tru_vec3 x = shapes[i].position;
        shapes[i].position = (tru_vec3){factor * x.x, factor * x.y, factor * x.z};
    }
    if (out->centre.x != TRU_DERIVED)
        out->centre = (tru_vec3){factor * out->centre.x, factor * out->centre.y, factor * out->centre.z};
    return true;
}

typedef struct fill_job {
    node_id node;
    const scene_fill_block *block;
    fill fill;
    store *memory; /* of one body */
} fill_job;

static tru_status add_filled(builder *b, const fill_job *j, uint64_t k, tru_vec3 x) {
    char name[OBJECT_NAME];
    tru_body_def def;
    trio_store_reset(j->memory);
    snprintf(name, sizeof name, "%.40s-%llu", trio_tree_key(b->t, j->node), (unsigned long long)k + 1);
    if (!scale_body(j->memory, &j->block->body, trio_fill_size(&j->fill, k), k, &def)) return trio_no_memory(b->err);
    def.name = name;
    def.position = x;
    if (j->block->fill.turn == 1) def.orientation = trio_fill_turn(&j->fill, k);
    return at_node(b, j->node, tru_body_add(b->world, &def, NULL, b->err));
}

/* Adds every free body, from `first` on, that reaches into the box enlarged by `reach` [m], as a sphere. */
static bool room_of_world(const tru_world *w, size_t first, tru_vec3 lowest, tru_vec3 highest, double reach, room *p) {
    bool good = true;
    for (size_t k = first; k < tru_body_count(w) && good; k++) {
        tru_body_state state;
        tru_body_info info;
        const tru_id id = tru_body_at(w, k);
        if (tru_body_get(w, id, &state, NULL) < 0 || tru_body_describe(w, id, &info, NULL) < 0) continue;
        const tru_vec3 x = state.position;
        const double r = info.size + reach;
        const bool inside = x.x >= lowest.x - r && x.x <= highest.x + r && x.y >= lowest.y - r &&
                            x.y <= highest.y + r && x.z >= lowest.z - r && x.z <= highest.z + r;
        if (info.kind == TRU_FREE && inside) good = trio_room_add(p, x, info.size);
    }
    return good;
}

static tru_status add_packing(builder *b, const fill_job *j) {
    const fill_packing *d = j->block->fill.place.params;
    const double reach = reach_of(&j->block->body);
    double largest = 0.0;
    tru_status s = TRU_OK;
    for (uint64_t k = 0; k < (uint64_t)d->count; k++) {
        const double r = reach * trio_fill_size(&j->fill, k);
        if (r > largest) largest = r;
    }
    room p = trio_room_begin(largest);
    if (!room_of_world(b->world, 0, d->lowest, d->highest, 2.0 * (largest + d->clearance), &p))
        s = trio_no_memory(b->err);
    for (uint64_t k = 0; k < (uint64_t)d->count && s >= 0; k++) {
        const double r = reach * trio_fill_size(&j->fill, k);
        tru_vec3 x = {0};
        uint64_t attempt = 0;
        bool found = false;
        for (; attempt < (uint64_t)d->tries && !found; attempt++) {
            x = trio_fill_random_spot(&j->fill, d->lowest, d->highest, r, k, attempt);
            found = trio_room_is_free(&p, x, r, d->clearance);
        }
        if (!found)
            s = trio_tree_fail(
                b->t, j->node, false, b->err, TRU_REFUSED,
                "fill '%s': only %llu of %d bodies fit; the next one overlapped others at each of %d places",
                trio_tree_key(b->t, j->node), (unsigned long long)k, (int)d->count, (int)d->tries);
        else if (!trio_room_add(&p, x, r))
            s = trio_no_memory(b->err);
        else
            s = add_filled(b, j, k, x);
    }
    trio_room_end(&p);
    return s;
}

static tru_status add_lattice(builder *b, const fill_job *j) {
    tru_status s = TRU_OK;
    for (uint64_t k = 0; k < trio_fill_count(&j->block->fill) && s >= 0; k++)
        s = add_filled(b, j, k, trio_fill_lattice_spot(&j->fill, k));
    return s;
}

/* Fails before bodies are allocated one by one, because systems promise more memory than they have. */
static tru_status reserve_filled(builder *b, node_id n, uint64_t count) {
    const double least =
        1000.0; /* [bytes] of a ball in a step without contacts: 1100 under cone and track, 1350 under moreau */
    const double there = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    const double all = (double)count + (double)tru_body_count(b->world);
    if (there > 0.0 && all * least > there)
        return trio_tree_fail(b->t, n, false, b->err, TRU_NO_MEMORY,
                              "fill '%s': %.6g bodies need more than %.3g GB, and this machine has %.3g GB",
                              trio_tree_key(b->t, n), all, 1e-9 * least * all, 1e-9 * there);
    const tru_status s = tru_body_reserve(b->world, (size_t)count, b->err);
    return s < 0 ? trio_tree_prefix(b->t, n, false, b->err) : s;
}

static tru_status add_fills(builder *b) {
    const node_id map = scene_section(b->m, SECTION_fill);
    tru_status s = TRU_OK;
    size_t number = 0;
    for (node_id n = map ? trio_tree_first(b->t, map) : 0; n && s >= 0; n = trio_tree_next(b->t, n), number++) {
        reader r = fresh_reader(b);
        scene_fill_block filling;
        store memory = {0};
        s = trio_read_fill(&r, n, &filling);
        const fill_job job = {n, &filling, trio_fill_of(&filling.fill, number), &memory};
        if (!s && !trio_fill_is_emitter(&filling.fill)) s = reserve_filled(b, n, trio_fill_count(&filling.fill));
        if (!s && strcmp(filling.fill.place.name, "lattice") == 0) s = add_lattice(b, &job);
        if (!s && strcmp(filling.fill.place.name, "packing") == 0) s = add_packing(b, &job);
        trio_store_release(&memory);
    }
    return s;
}

/* ---- loads, motions, stepper ---- */

static tru_status add_loads(builder *b) {
    const node_id list = scene_section(b->m, SECTION_loads);
    tru_status s = TRU_OK;
    size_t k = 0;
    for (node_id n = list ? trio_tree_first(b->t, list) : 0; n && s >= 0; n = trio_tree_next(b->t, n), k++) {
        reader r = fresh_reader(b);
        tru_load_def def;
        s = trio_read_load(&r, k, n, &def);
        if (!s) s = at_node(b, n, tru_load_add(b->world, &def, NULL, b->err));
    }
    return s;
}

static tru_status add_motions(builder *b) {
    const node_id list = scene_section(b->m, SECTION_motions);
    tru_status s = TRU_OK;
    size_t k = 0;
    for (node_id n = list ? trio_tree_first(b->t, list) : 0; n && s >= 0; n = trio_tree_next(b->t, n), k++) {
        reader r = fresh_reader(b);
        tru_motion_def def;
        s = trio_read_motion(&r, k, n, &def);
        if (!s) s = at_node(b, n, tru_motion_set(b->world, &def, b->err));
    }
    return s;
}

static tru_status add_starts(builder *b) {
    const node_id list = scene_section(b->m, SECTION_start);
    tru_status s = TRU_OK;
    size_t k = 0;
    for (node_id n = list ? trio_tree_first(b->t, list) : 0; n && s >= 0; n = trio_tree_next(b->t, n), k++) {
        reader r = fresh_reader(b);
        scene_start d;
        uint32_t stuck = 0, slipping = 0;
        s = trio_read_start(&r, k, n, &d);
        for (int i = 0; i < 3 && !s; i++) {
            if (d.modes[i] == START_STUCK) stuck |= 1u << (TRU_KIND_SLIDE + i);
            if (d.modes[i] == START_SLIPPING) slipping |= 1u << (TRU_KIND_SLIDE + i);
        }
        if (!s) s = at_node(b, n, tru_start_set(b->world, d.a, d.b, stuck, slipping, b->err));
    }
    return s;
}

static tru_status no_stepper(builder *b, const char *name) {
    char near[200];
    if (b->m->stepper_count == 0)
        return trio_tree_fail(b->t, TREE_ROOT, false, b->err, TRU_BAD_ARGUMENT,
                              "steppers is missing; a run needs at least one block");
    trio_suggest(name, b->m->steppers, b->m->stepper_count, near, sizeof near);
    return trio_tree_fail(b->t, scene_section(b->m, SECTION_steppers), false, b->err, TRU_UNKNOWN_NAME,
                          "steppers: the scene has no block '%.60s'%s", name, near);
}

static tru_status set_stepper(builder *b, const char *name) {
    const node_id map = scene_section(b->m, SECTION_steppers);
    const node_id n = !map ? 0 : name ? trio_tree_find(b->t, map, name) : trio_tree_first(b->t, map);
    reader r = fresh_reader(b);
    tru_use use;
    if (!n) return no_stepper(b, name ? name : "");
    const tru_status s = trio_read_stepper(&r, n, &use);
    return s ? s : at_node(b, n, tru_stepper_set(b->world, use.name, use.params, b->err));
}

static tru_status add_joints(builder *b) {
    const node_id map = scene_section(b->m, SECTION_joints);
    tru_status s = TRU_OK;
    for (node_id n = map ? trio_tree_first(b->t, map) : 0; n && s >= 0; n = trio_tree_next(b->t, n)) {
        reader r = fresh_reader(b);
        tru_joint_def def;
        s = trio_read_joint(&r, n, &def);
        if (!s) s = at_node(b, n, tru_joint_add(b->world, &def, NULL, b->err));
    }
    return s;
}

static tru_status build(builder *b, const char *stepper) {
    tru_status s = add_materials(b);
    if (s >= 0) s = add_pairs(b);
    if (s >= 0) s = add_bodies(b);
    if (s >= 0) s = add_fills(b);
    if (s >= 0) s = add_joints(b);
    if (s >= 0) s = add_loads(b);
    if (s >= 0) s = add_motions(b);
    if (s >= 0) s = add_starts(b);
    if (s >= 0) s = set_stepper(b, stepper);
    if (s >= 0 && tru_body_count(b->world) == 0 && b->m->emitter_count == 0)
        s = trio_tree_fail(b->t, TREE_ROOT, false, b->err, TRU_BAD_ARGUMENT, "the scene has no bodies");
    return s;
}

tru_status trio_scene_build_world(const tru_scene *scene, const char *stepper, int threads, tru_world **out,
                                  tru_error *err) {
    tru_error own;
    builder b = {.scene = scene, .t = &scene->tree, .m = &scene->model, .err = err ? err : &own};
    tru_world_def def = b.m->world;
    def.threads = threads;
    *out = NULL;
    tru_status s = tru_world_create(&def, &b.world, b.err);
    if (s >= 0) s = build(&b, stepper);
    trio_store_release(&b.scratch);
    if (s < 0)
        tru_world_destroy(b.world);
    else
        *out = b.world;
    return s < 0 ? s : TRU_OK;
}

/* ---- check ---- */

/* Finds the pair that gives the field that a sentence names. */
static node_id pair_in_sentence(const tru_scene *scene, const char *text) {
    const node_id pairs = scene_section(&scene->model, SECTION_pairs);
    for (const tru_field *f = tru_def_fields("pair"); f->name; f++)
        for (node_id n = pairs && strlen(f->name) > 4 && strstr(text, f->name) ? trio_tree_first(&scene->tree, pairs)
                                                                               : 0;
             n; n = trio_tree_next(&scene->tree, n))
            if (trio_tree_find(&scene->tree, n, f->name)) return trio_tree_find(&scene->tree, n, f->name);
    return 0;
}

/* The body of that name, or the fill that made it: 'stone-12' is of the fill 'stone'. */
static node_id body_or_fill(const tru_scene *scene, char *name) {
    const node_id bodies = scene_section(&scene->model, SECTION_bodies),
                  fills = scene_section(&scene->model, SECTION_fill);
    const node_id body = bodies ? trio_tree_find(&scene->tree, bodies, name) : 0;
    char *number = strrchr(name, '-');
    if (body || !fills || !number) return body;
    *number = '\0';
    return trio_tree_find(&scene->tree, fills, name);
}

/* The child of map `n` whose key is the first word of `text`, or `n` itself if there is none. */
static node_id child_in_sentence(const tree *t, node_id n, const char *text) {
    char key[OBJECT_NAME];
    const size_t length = strcspn(text, ": ");
    if (length >= sizeof key || trio_tree_kind(t, n) != NODE_MAP) return n;
    snprintf(key, length + 1, "%s", text);
    const node_id found = trio_tree_find(t, n, key);
    return found ? found : n;
}

/* "stepper cone: solver sor: relaxation is 1.7": the deepest of these that the scene writes. 0 if the sentence begins otherwise.
 * If several steppers of one kind are written, returns the first. */
static node_id stepper_in_sentence(const tru_scene *scene, const char *text) {
    static const char start[] = "stepper ";
    const tree *t = &scene->tree;
    const node_id steppers = scene_section(&scene->model, SECTION_steppers);
    if (!steppers || strncmp(text, start, sizeof start - 1) != 0) return 0;
    text += sizeof start - 1;
    node_id n = child_in_sentence(t, steppers, text);
    for (node_id other = trio_tree_first(t, steppers); other && n == steppers; other = trio_tree_next(t, other))
        if (child_in_sentence(t, other, text) != other) n = child_in_sentence(t, other, text);
    while ((text = strstr(text, ": "))) {
        text += 2;
        n = child_in_sentence(t, n, text);
        const char *space = strchr(text, ' '), *colon = strstr(text, ": ");
        if (space && colon && space < colon) n = child_in_sentence(t, n, space + 1);
    }
    return n;
}

/* The joint, body, law or pair that a sentence of tru_check speaks of first, otherwise the stepper. */
static node_id node_in_sentence(const tru_scene *scene, const char *text) {
    const tree *t = &scene->tree;
    const node_id laws = scene_section(&scene->model, SECTION_laws);
    const node_id joints = scene_section(&scene->model, SECTION_joints);
    char name[OBJECT_NAME];
    const char *joint = strstr(text, "joint"), *mark = joint && joints ? strchr(joint, '\'') : NULL;
    if (mark && strcspn(mark + 1, "'") < sizeof name) {
        snprintf(name, strcspn(mark + 1, "'") + 1, "%s", mark + 1);
        const node_id n = trio_tree_find(t, joints, name);
        if (n) return n;
    }
    const char *body = strstr(text, "bod"), *quote = body ? strchr(body, '\'') : NULL, *law = strstr(text, "law ");
    if (quote && strcspn(quote + 1, "'") < sizeof name) {
        snprintf(name, strcspn(quote + 1, "'") + 1, "%s", quote + 1);
        const node_id n = body_or_fill(scene, name);
        if (n) return n;
    }
    if (law && laws && strcspn(law + 4, ": ") < sizeof name) {
        snprintf(name, strcspn(law + 4, ": ") + 1, "%s", law + 4);
        for (node_id n = trio_tree_first(t, laws); n; n = trio_tree_next(t, n))
            if (trio_tree_find(t, n, name)) return trio_tree_find(t, n, name);
    }
    const node_id pair = pair_in_sentence(scene, text);
    return pair ? pair : stepper_in_sentence(scene, text);
}

tru_status trio_scene_check_world(const tru_scene *scene, tru_world *world, tru_error *err) {
    tru_error own;
    tru_error *e = err ? err : &own;
    const tru_status s = tru_check(world, e);
    if (s >= 0 || s == TRU_NO_MEMORY) return s;
    const node_id n = node_in_sentence(scene, e->text);
    return trio_tree_prefix(&scene->tree, n ? n : TREE_ROOT, false, e);
}

/* ---- emitters ---- */

size_t trio_scene_emitter_count(const tru_scene *scene) { return scene->model.emitter_count; }

const char *trio_scene_emitter_name(const tru_scene *scene, size_t e) {
    return trio_tree_key(&scene->tree, scene->model.emitters[e]);
}

uint64_t trio_scene_emitter_due(const tru_scene *scene, size_t e, double time) {
    const fill_emitter *d = scene->model.emitter_places[e];
    if (!(time >= d->start)) return 0;
    const double made = (time - d->start) * d->rate + 1.0; /* the first body comes at once */
    return made < (double)d->count ? (uint64_t)made : (uint64_t)d->count;
}

/* Spheres fill at most 0.7405 of space, so no more than this leave a box per second, whatever their places: its three faces,
 * passed with the speed they begin with and what gravity adds on the way through. A few that fit into it need not leave. */
static tru_status check_rate(const tru_scene *scene, size_t e, const fill_emitter *d, const tru_body_def *body,
                             double radius, const tru_world *world, tru_error *err) {
    const tru_vec3 g = tru_world_gravity(world), v = body->velocity;
    const double x = fmax(d->highest.x - d->lowest.x, 2.0 * radius), y = fmax(d->highest.y - d->lowest.y, 2.0 * radius),
                 z = fmax(d->highest.z - d->lowest.z, 2.0 * radius);
    const double own = 4.18879020478639 * radius * radius * radius, pull = sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
    const double fit = 0.7405 * (x + 2.0 * radius) * (y + 2.0 * radius) * (z + 2.0 * radius) / own;
    const double speed = sqrt(v.x * v.x + v.y * v.y + v.z * v.z) + sqrt(2.0 * pull * (x + y + z));
    const double most = 0.7405 * (x * y + y * z + z * x) * speed / own;
    if ((double)d->count <= fit || d->rate <= most) return TRU_OK;
    return trio_fail(
        err, TRU_REFUSED,
        "fill '%s': rate is %.6g bodies per second, too fast for its box: bodies of radius %.4g m can leave it at most at %.3g per second",
        trio_scene_emitter_name(scene, e), d->rate, radius, most);
}

static tru_vec3 turn(tru_quat q, tru_vec3 v) {
    const tru_vec3 a = {q.y * v.z - q.z * v.y, q.z * v.x - q.x * v.z, q.x * v.y - q.y * v.x}; /* vector part x v */
    return (tru_vec3){v.x + 2.0 * (q.w * a.x + q.y * a.z - q.z * a.y), v.y + 2.0 * (q.w * a.y + q.z * a.x - q.x * a.z),
                      v.z + 2.0 * (q.w * a.z + q.x * a.y - q.y * a.x)};
}

/* Returns the distance [m] of an emitter's places from shape k of a body if it is a plane; otherwise a large number. */
static double before_plane(const tru_world *w, tru_id id, int k, const fill_emitter *d, double radius) {
    tru_body_state at;
    tru_body_info info;
    tru_shape_def shape;
    if (tru_body_get(w, id, &at, NULL) < 0 || tru_body_describe(w, id, &info, NULL) < 0) return INFINITY;
    if (tru_body_shape(w, id, k, &shape, NULL) < 0 || strcmp(shape.shape.name, "plane") != 0) return INFINITY;
    const tru_vec3 n = turn(at.orientation, turn(shape.orientation, (tru_vec3){0.0, 0.0, 1.0}));
    const tru_vec3 x =
        turn(at.orientation, (tru_vec3){shape.position.x - info.centre.x, shape.position.y - info.centre.y,
                                        shape.position.z - info.centre.z});
    const tru_vec3 low = trio_fill_spot(d->lowest, d->highest, radius, 0.0),
                   high = trio_fill_spot(d->lowest, d->highest, radius, 1.0);
    return fmin(n.x * (low.x - x.x - at.position.x), n.x * (high.x - x.x - at.position.x)) +
           fmin(n.y * (low.y - x.y - at.position.y), n.y * (high.y - x.y - at.position.y)) +
           fmin(n.z * (low.z - x.z - at.position.z), n.z * (high.z - x.z - at.position.z));
}

/* Refuses emitters that can place a body behind a wall, which would stop the run at a random time. */
static tru_status check_walls(const builder *b, const char *name, const fill_emitter *d, const tru_body_def *body,
                              double radius) {
    const bool ball = body->shape_count == 1 && strcmp(body->shapes[0].shape.name, "sphere") == 0;
    const double least =
        ball ? radius - 2.0 * b->m->world.overlap * radius : 0.0; /* of other shapes only the centre is certain */
    for (size_t i = 0; i < tru_body_count(b->world); i++) {
        tru_body_info info;
        const tru_id id = tru_body_at(b->world, i);
        if (tru_body_describe(b->world, id, &info, NULL) < 0 || info.kind != TRU_FIXED) continue;
        for (int k = 0; k < info.shape_count; k++) {
            const double far = before_plane(b->world, id, k, d, radius);
            if (far < least)
                return trio_fail(
                    b->err, TRU_REFUSED,
                    "fill '%s': its emitter reaches too far: the centre of a body of radius %.4g m may be %.4g m %s the plane of body '%s'",
                    name, radius, fabs(far), far < 0.0 ? "behind" : "before", info.name);
        }
    }
    return TRU_OK;
}

/* Returns true if some materials pass through each other. Then bodies may appear behind a wall on purpose. */
static bool some_pass(const builder *b) {
    const node_id pairs = scene_section(b->m, SECTION_pairs);
    for (node_id n = pairs ? trio_tree_first(b->t, pairs) : 0; n; n = trio_tree_next(b->t, n))
        if (trio_tree_find(b->t, n, "pass")) return true;
    return false;
}

/* Adds the first two bodies of every emitter to a separate world, at any place, so that its stepper refuses them now and
 * not during the run. */
static tru_status check_emitted(const tru_scene *scene, const char *stepper, tru_error *err) {
    tru_world *trial = NULL;
    store memory = {0};
    tru_status s = trio_scene_build_world(scene, stepper, 1, &trial, err);
    builder b = {.scene = scene, .t = &scene->tree, .m = &scene->model, .world = trial, .err = err};
    for (size_t e = 0; s >= 0 && e < trio_scene_emitter_count(scene); e++) {
        reader r = fresh_reader(&b);
        scene_fill_block filling;
        s = trio_read_fill(&r, b.m->emitters[e], &filling);
        if (s < 0) break;
        const fill_emitter *d = filling.fill.place.params;
        const fill_job job = {b.m->emitters[e], &filling, trio_fill_of(&filling.fill, b.m->emitter_numbers[e]),
                              &memory};
        filling.body.allow_overlap = true;
        for (uint64_t k = 0; s >= 0 && k < 2 && k < (uint64_t)d->count; k++)
            s = add_filled(&b, &job, k, trio_fill_random_spot(&job.fill, d->lowest, d->highest, 0.0, k, 0));
        if (s < 0) break;
        s = tru_check(trial, err);
        if (s < 0) trio_tree_prefix(b.t, b.m->emitters[e], false, err);
    }
    trio_store_release(&memory);
    trio_store_release(&b.scratch);
    tru_world_destroy(trial);
    return s < 0 ? s : TRU_OK;
}

tru_status trio_scene_check_emitters(const tru_scene *scene, const char *stepper, tru_world *world, tru_error *err) {
    tru_error own;
    builder b = {.scene = scene, .t = &scene->tree, .m = &scene->model, .world = world, .err = err ? err : &own};
    tru_status s = TRU_OK;
    for (size_t e = 0; e < trio_scene_emitter_count(scene) && !s; e++) {
        reader r = fresh_reader(&b);
        scene_fill_block filling;
        s = trio_read_fill(&r, b.m->emitters[e], &filling);
        if (s) break;
        const fill job = trio_fill_of(&filling.fill, b.m->emitter_numbers[e]);
        const double radius = reach_of(&filling.body) * trio_fill_size(&job, 0);
        s = check_rate(scene, e, filling.fill.place.params, &filling.body, radius, world, b.err);
        if (!s && !filling.body.allow_overlap && !some_pass(&b))
            s = check_walls(&b, trio_scene_emitter_name(scene, e), filling.fill.place.params, &filling.body, radius);
        if (s < 0) trio_tree_prefix(b.t, b.m->emitters[e], false, b.err);
    }
    trio_store_release(&b.scratch);
    return s < 0 || trio_scene_emitter_count(scene) == 0 ? s : check_emitted(scene, stepper, b.err);
}

/* Adds body k at a free place. */
static tru_status emit_one(builder *b, const fill_job *job, uint64_t k, double radius, uint64_t *tries, const room *p,
                           bool *made) {
    enum { TRIES = 16 }; /* places tried before the next step */
    const fill_emitter *d = job->block->fill.place.params;
    *made = false;
    for (int i = 0; i < TRIES; i++) {
        const tru_vec3 x = trio_fill_random_spot(&job->fill, d->lowest, d->highest, radius, k, (*tries)++);
        if (!trio_room_is_free(p, x, radius, d->clearance)) continue;
        *made = true;
        return add_filled(b, job, k, x);
    }
    return TRU_OK;
}

static tru_status emit_all(builder *b, const fill_job *job, uint64_t *made, uint64_t due, uint64_t *tries) {
    const fill_emitter *d = job->block->fill.place.params;
    const double own = reach_of(&job->block->body);
    double largest = 0.0;
    bool found = true;
    size_t known = 0; /* bodies that the room has */
    tru_status s = TRU_OK;
    for (uint64_t k = *made; k < due; k++) largest = fmax(largest, own * trio_fill_size(&job->fill, k));
    room p = trio_room_begin(0.0);
    while (!s && found && *made < due) {
        if (!room_of_world(b->world, known, d->lowest, d->highest, 2.0 * (largest + d->clearance), &p))
            s = trio_no_memory(b->err);
        known = tru_body_count(b->world);
        if (!s) s = emit_one(b, job, *made, own * trio_fill_size(&job->fill, *made), tries, &p, &found);
        *made += !s && found;
    }
    trio_room_end(&p);
    return s;
}

tru_status trio_scene_emit(const tru_scene *scene, size_t e, uint64_t *made, uint64_t due, uint64_t *tries,
                           tru_world *world, tru_error *err) {
    if (*made >= due) return TRU_OK;
    tru_error own;
    store memory = {0};
    builder b = {.scene = scene, .t = &scene->tree, .m = &scene->model, .world = world, .err = err ? err : &own};
    reader r = fresh_reader(&b);
    scene_fill_block filling;
    tru_status s = trio_read_fill(&r, b.m->emitters[e], &filling);
    if (!s) {
        const fill_job job = {b.m->emitters[e], &filling, trio_fill_of(&filling.fill, b.m->emitter_numbers[e]),
                              &memory};
        s = emit_all(&b, &job, made, due, tries);
    }
    trio_store_release(&memory);
    trio_store_release(&b.scratch);
    return s;
}
