/* world_api.c: creating worlds, materials and pairs, and how contacts begin. */
#include "analysis/restitution.h"
#include "api/registry.h"

#include "base/assert.h"
#include "base/error.h"
#include "math/quat.h"

#include <stdio.h>

/* Appends a material whose name is free. */
static tru_status add_material(tru_world *w, const char *name, tru_id *out, tru_error *err) {
    material *m = array_push(&w->memory, &w->materials);
    if (!m) return tru_no_memory(err);
    m->id = w->materials.count; /* materials are never removed, so ids 1, 2, ... are their places */
    snprintf(m->name, sizeof m->name, "%s", name);
    if (out) *out = m->id;
    world_changed(w);
    return TRU_OK;
}

tru_status tru_world_create(const tru_world_def *def, tru_world **out, tru_error *err) {
    if (!def || !out)
        return tru_fail(err, TRU_BAD_ARGUMENT, "tru_world_create needs a definition and a place for the world");
    *out = NULL;
    const tru_status range = tru_fields_check(tru_def_fields("world"), def, "world", err);
    if (range < 0) return range;
    memory m = trui_memory_of(def->allocator);
    tru_world *w = trui_mem_array(&m, 1, sizeof *w);
    if (!w) return tru_no_memory(err);
    w->memory = m;
    w->gravity = def->gravity;
    w->overlap = def->overlap;
    w->threads->threads = def->threads;
    w->next_id = 1;
    w->solve.worst = -1;
    trui_arena_init(&w->scratch, &w->memory);
    /* entries are written before they are read, so they need no zeros */
    w->events.items = trui_mem_resize(&w->memory, NULL, 0, EVENT_ROOM * sizeof *w->events.items);
    const tru_status s = w->events.items ? add_material(w, "default", NULL, err) : tru_no_memory(err);
    if (s < 0) {
        tru_world_destroy(w);
        return s;
    }
    *out = w;
    return TRU_OK;
}

void tru_world_destroy(tru_world *w) {
    if (!w) return;
    if (w->stepper) trui_mem_release(&w->memory, w->stepper_params, w->stepper->size);
    if (w->solver) trui_mem_release(&w->memory, w->solver_params, w->solver->size);
    trui_world_release(w);
    memory m = w->memory;
    trui_mem_release(&m, w, sizeof *w);
}

tru_vec3 tru_world_gravity(const tru_world *w) { return w->gravity; }

void tru_world_set_threads(tru_world *w, int threads) {
    if (threads >= 1) w->threads->threads = threads;
}

tru_status tru_material_add(tru_world *w, const char *name, tru_id *out, tru_error *err) {
    if (!w || !name || !*name) return tru_fail(err, TRU_BAD_ARGUMENT, "a material needs a name");
    if (strlen(name) >= NAME_ROOM)
        return tru_fail(err, TRU_BAD_ARGUMENT, "material name '%.20s...' is longer than %d bytes", name, NAME_ROOM - 1);
    for (size_t i = 0; i < w->materials.count; i++)
        if (strcmp(w->materials.items[i].name, name) == 0)
            return tru_fail(err, TRU_CONFLICT, "there is already a material '%s'", name);
    return add_material(w, name, out, err);
}

/* ---- pairs */

/* Returns the name of a row kind. */
static const char *kind_word(int kind) {
    TRU_ASSERT(kind >= 0 && kind < TRU_KINDS);
    static const char *const words[TRU_KINDS] = {"normal", "slide", "spin", "roll"};
    return words[kind];
}

/* Returns checked parameters of a law, with copies of the texts and lists that they point to; NULL and a sentence on failure. */
static void *law_params(memory *m, const tru_law *law, const void *params, tru_error *err) {
    void *seen = trui_plugin_params(m, "law", law->name, law->fields, law->size, law->check, params, err);
    void *own = seen ? trui_mem_copy(m, seen, law->size) : NULL; /* members outside the table are copied as they are */
    if (seen && !own) tru_no_memory(err);
    if (own && trui_fields_copy(m, law->fields, seen, own, NULL, err) < 0) {
        trui_mem_release(m, own, law->size);
        own = NULL;
    }
    trui_mem_release(m, seen, law->size);
    return own;
}

/* Adds a law to a pair. Fails if two laws claim one row kind. */
static tru_status add_law(tru_world *w, pair *p, const tru_use *use, tru_error *err) {
    const tru_law *law = trui_law_named(w, use->name, err);
    if (!law) return TRU_UNKNOWN_NAME;
    tru_error inner;
    void *params = law_params(&w->memory, law, use->params, &inner);
    if (!params) {
        if (err) *err = inner;
        return inner.status;
    }
    TRU_ASSERT(p->law_count < TRU_PAIR_LAWS);
    pair_law *l = &p->laws[p->law_count++];
    *l = (pair_law){law, params, law->claims(params), p->history, 0};
    for (int k = 0; k < p->law_count - 1; k++)
        for (int kind = TRU_KIND_SLIDE; kind < TRU_KINDS; kind++)
            if (p->laws[k].claims & l->claims & TRU_KIND_BIT(kind))
                return tru_fail(err, TRU_CONFLICT, "laws %s and %s both claim %s", p->laws[k].law->name, law->name,
                                kind_word(kind));
    p->claims |= l->claims;
    p->needs |= law->needs ? law->needs(params) : 0u;
    p->history += law->history;
    if (law->accept && law->history > 0) { /* the judge needs the work of before its memory changed */
        l->kept = p->history;
        p->history += TRU_LAW_WORK;
    }
    p->viscous = p->viscous || law->viscosity;
    return TRU_OK;
}

/* Builds a pair from its definition. */
static tru_status build_pair(tru_world *w, const tru_pair_def *def, pair *p, tru_error *err) {
    *p = (pair){
        .a = def->a, .b = def->b, .restitution = def->restitution, .compliance = def->compliance, .pass = def->pass};
    p->damping = trui_damping_of_restitution(def->restitution);
    p->damping_pulling = trui_damping_of_pulling(def->restitution);
    tru_status s = TRU_OK;
    for (size_t i = 0; s >= 0 && i < def->law_count; i++) s = add_law(w, p, &def->laws[i], err);
    if (s < 0) trui_pair_release(&w->memory, p);
    return s;
}

/* Fails if a definition of a pair contradicts itself. */
static tru_status check_pair(const tru_world *w, const tru_pair_def *def, tru_error *err) {
    tru_pair_def plain = *def; /* laws are checked by their own tables */
    plain.laws = NULL;
    plain.law_count = 0;
    const tru_status s = tru_fields_check(tru_def_fields("pair"), &plain, "pair", err);
    if (s < 0) return s;
    if (def->law_count > TRU_PAIR_LAWS || (def->law_count > 0 && !def->laws))
        return tru_fail(err, TRU_BAD_ARGUMENT, "a pair takes 0 to %d laws, not %zu", TRU_PAIR_LAWS, def->law_count);
    if (def->a > w->materials.count || def->b > w->materials.count)
        return tru_fail(err, TRU_STALE_ID, "pair: material %llu does not exist",
                        (unsigned long long)(def->a > w->materials.count ? def->a : def->b));
    if ((def->a == TRU_NONE) != (def->b == TRU_NONE))
        return tru_fail(err, TRU_BAD_ARGUMENT, "a pair names two materials, or none for the default");
    if (def->pass && (def->law_count > 0 || def->restitution > 0.0 || def->compliance > 0.0))
        return tru_fail(err, TRU_CONFLICT, "pair: %s has no effect on bodies that pass through each other",
                        def->law_count > 0       ? "a law"
                        : def->restitution > 0.0 ? "restitution"
                                                 : "compliance");
    return TRU_OK;
}

/* Returns the index of the pair of these materials, or that behind the last. */
static size_t pair_place(const tru_world *w, const tru_pair_def *def) {
    size_t i = 0;
    for (; i < w->pairs.count; i++) {
        const pair *p = &w->pairs.items[i];
        if ((p->a == def->a && p->b == def->b) || (p->a == def->b && p->b == def->a)) break;
    }
    return i;
}

/* Returns true if a contact belongs to the pair that is being set. */
static bool comes_under(const tru_world *w, const contact *c, const pair *fresh) {
    const tru_id a = w->solids.items[c->solid_a].material + 1u, b = w->solids.items[c->solid_b].material + 1u;
    if (fresh->a == TRU_NONE) return c->pair->a == TRU_NONE;
    return (fresh->a == a && fresh->b == b) || (fresh->a == b && fresh->b == a);
}

/* Allocates the history of all contacts for the time when the pair at `place` is `fresh`. Contacts of that pair begin with zeros. */
static bool move_history(tru_world *w, size_t place, const pair *fresh, double_array *rows, size_t *stride) {
    *stride = (size_t)fresh->history;
    for (size_t i = 0; i < w->pairs.count; i++)
        if (i != place && (size_t)w->pairs.items[i].history > *stride) *stride = (size_t)w->pairs.items[i].history;
    if (!array_resize(&w->memory, rows, *stride * w->contacts.count)) return false;
    for (size_t i = 0; *stride > 0 && i < w->contacts.count; i++) {
        const contact *c = &w->contacts.items[i];
        if (c->pair->history > 0 && !comes_under(w, c, fresh))
            memcpy(rows->items + i * *stride, c->c.memory, (size_t)c->pair->history * sizeof *rows->items);
    }
    return true;
}

/* Sets the pointers of contacts to their pairs and histories after both have moved. */
static void point_contacts(tru_world *w) {
    for (size_t i = 0; i < w->contacts.count; i++) {
        contact *c = &w->contacts.items[i];
        c->pair = trui_pair_between(w, w->solids.items[c->solid_a].material, w->solids.items[c->solid_b].material);
        TRU_ASSERT(!c->pair || (size_t)c->pair->history <= w->history_stride);
        c->c.memory = w->history_stride > 0 ? w->history.items + i * w->history_stride : NULL;
    }
}

tru_status tru_pair_set(tru_world *w, const tru_pair_def *def, tru_error *err) {
    if (!w || !def) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_pair_set needs a world and a definition");
    pair fresh;
    double_array rows = {NULL, 0, 0};
    size_t stride;
    tru_status s = check_pair(w, def, err);
    if (s < 0 || (s = build_pair(w, def, &fresh, err)) < 0) return s;
    const size_t place = pair_place(w, def);
    TRU_ASSERT(place <= w->pairs.count && fresh.law_count == (int)def->law_count);
    const bool more = place == w->pairs.count;
    if (!move_history(w, place, &fresh, &rows, &stride) ||
        (more && !array_reserve(&w->memory, &w->pairs, w->pairs.count + 1))) {
        array_release(&w->memory, &rows);
        trui_pair_release(&w->memory, &fresh);
        return tru_no_memory(err);
    }
    if (more)
        array_push(&w->memory, &w->pairs);
    else
        trui_pair_release(&w->memory, &w->pairs.items[place]);
    w->pairs.items[place] = fresh;
    array_release(&w->memory, &w->history);
    w->history = rows;
    w->history_stride = stride;
    point_contacts(w);
    array_clear(&w->before); /* the last step had other laws, so it cannot be judged */
    world_changed(w);
    return TRU_OK;
}

/* ---- contact modes at the start */

tru_status tru_start_set(tru_world *w, tru_id a, tru_id b, uint32_t stuck, uint32_t slipping, tru_error *err) {
    size_t ka, kb;
    const uint32_t all = TRU_KIND_BIT(TRU_KIND_SLIDE) | TRU_KIND_BIT(TRU_KIND_SPIN) | TRU_KIND_BIT(TRU_KIND_ROLL);
    if (!w) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_start_set needs a world");
    tru_status s = trui_body_seek(w, a, "start", &ka, err);
    if (s >= 0) s = trui_body_seek(w, b, "start", &kb, err);
    if (s < 0) return s;
    if (a == b || !(body_is_free(&w->bodies.items[ka]) || body_is_free(&w->bodies.items[kb])))
        return tru_fail(err, TRU_REFUSED, "start: bodies '%s' and '%s' have no contact", body_name(w, ka),
                        body_name(w, kb));
    if (((stuck | slipping) & ~all) || (stuck & slipping))
        return tru_fail(err, TRU_BAD_ARGUMENT, "start: slide, spin and roll each stick, slip or neither");
    if (w->steps_done > 0) return tru_fail(err, TRU_CONFLICT, "start: the world has moved already");
    start_mode *slot = NULL;
    for (size_t i = 0; i < w->starts.count; i++) {
        start_mode *m = &w->starts.items[i];
        if ((m->a == a && m->b == b) || (m->a == b && m->b == a)) slot = m;
    }
    if (!slot) slot = array_push(&w->memory, &w->starts);
    if (!slot) return tru_no_memory(err);
    *slot = (start_mode){a, b, stuck, slipping};
    return TRU_OK;
}
