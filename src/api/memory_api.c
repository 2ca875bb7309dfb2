/* memory_api.c: where the memory of a world goes. */
#include "world/world.h"

#include "base/assert.h"

/* Returns the bytes of an array with its reserve. */
#define BYTES(a) ((a).capacity * sizeof *(a).items)

static size_t bodies(const tru_world *w) {
    size_t bytes = BYTES(w->bodies);
    for (size_t i = 0; i < w->bodies.count; i++) bytes += w->bodies.items[i].tensors ? sizeof(body_tensors) : 0;
    return bytes;
}

static size_t starts(const tru_world *w) { return BYTES(w->before) + BYTES(w->middle); }

static size_t shapes(const tru_world *w) {
    double each = 0.0; /* shared parameters count by their fraction */
    for (size_t i = 0; i < w->solids.count; i++) {
        const solid *s = &w->solids.items[i];
        TRU_ASSERT(s->at->holders > 0);
        each += (double)(sizeof *s->at + s->shape->size) / (double)s->at->holders;
    }
    return BYTES(w->solids) + (size_t)(each + 0.5);
}

static size_t names(const tru_world *w) {
    size_t bytes = BYTES(w->labels) + w->names.room * sizeof *w->names.slots;
    for (size_t i = 0; i < w->labels.count; i++) {
        const label_details *more = label_details_of(&w->labels.items[i]);
        if (more) bytes += sizeof *more + strlen(more->name) + 1;
    }
    return bytes;
}

static size_t contacts(const tru_world *w) { return BYTES(w->contacts); }

static size_t contacts_before(const tru_world *w) { return BYTES(w->contacts_before) + BYTES(w->contacts_kept); }

static size_t records(const tru_world *w) {
    size_t gains = 0;
    for (size_t i = 0; i < w->bodies.count; i++) gains += w->bodies.items[i].gain ? sizeof(body_gains) : 0;
    return gains + BYTES(w->ends) + BYTES(w->ends_before) + BYTES(w->ends_kept) + BYTES(w->at_start) +
           BYTES(w->springs) + BYTES(w->springs_before) + BYTES(w->history) + BYTES(w->history_before);
}

static size_t pair_list_bytes(const tru_world *w) { return BYTES(w->pair_list.boxes) + BYTES(w->pair_list.pairs); }

static size_t scratch(const tru_world *w) { return trui_arena_bytes(&w->scratch); }

/* Returns the bytes that do not grow with bodies or contacts. */
static size_t rest(const tru_world *w) {
    return sizeof *w + BYTES(w->materials) + BYTES(w->pairs) + BYTES(w->pair_table) + BYTES(w->own_laws) +
           BYTES(w->loads) + BYTES(w->motions) + BYTES(w->joints) + BYTES(w->starts) +
           EVENT_ROOM * sizeof *w->events.items;
}

static const struct part {
    const char *name, *doc;
    size_t (*bytes)(const tru_world *w);
} parts[] = {
    {"bodies", "bodies", bodies},
    {"undo", "what a step changes of a body, as it was before, for the judge and for a step that fails", starts},
    {"shapes", "shapes where they are placed, and their parameters", shapes},
    {"names", "names and labels, and the table that finds them", names},
    {"contacts", "contacts of the last step", contacts},
    {"before", "contacts of the step before it", contacts_before},
    {"records", "what steppers keep of bodies and contacts beyond them: gains, ends, springs, history", records},
    {"near", "boxes and pairs where contacts are looked for", pair_list_bytes},
    {"scratch", "memory of a step", scratch},
    {"rest", "what does not grow with bodies or contacts: events, materials, pairs, loads, joints", rest},
};

bool tru_memory_at(const tru_world *w, size_t k, tru_memory_part *out) {
    if (k >= sizeof parts / sizeof *parts) return false;
    *out = (tru_memory_part){parts[k].name, parts[k].doc, parts[k].bytes(w)};
    return true;
}
