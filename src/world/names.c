/* names.c: labels of bodies, and their names to ids, by open addressing with linear probing. */
#include "world/world.h"

#include "base/hash.h"

enum { TAG_BIT = 48 }; /* from here on: bits of the hash, so that few names are compared that are not the same */
#define ID_OF(slot)  ((slot) & ((UINT64_C(1) << TAG_BIT) - 1))
#define TAG_OF(hash) ((hash) >> TAG_BIT << TAG_BIT)

static uint64_t name_hash(const char *text) {
    hash h = trui_hash_begin();
    trui_hash_text(&h, text);
    return trui_hash_end(&h);
}

tru_id trui_names_find(const tru_world *w, const char *text) {
    const name_table *t = &w->names;
    if (t->room == 0) return TRU_NONE;
    const uint64_t h = name_hash(text);
    for (size_t i = h & (t->room - 1);; i = (i + 1) & (t->room - 1)) {
        if (t->slots[i] == 0) return TRU_NONE;
        if (TAG_OF(t->slots[i]) != TAG_OF(h)) continue;
        const size_t k = trui_body_index(w, ID_OF(t->slots[i]));
        if (k != SIZE_MAX && strcmp(body_name(w, k), text) == 0) return ID_OF(t->slots[i]);
    }
}

static void place(name_table *t, uint64_t h, tru_id id) {
    size_t i = h & (t->room - 1);
    while (t->slots[i] != 0) i = (i + 1) & (t->room - 1);
    t->slots[i] = TAG_OF(h) | id;
}

/* Slots hold too little of a hash to be moved without the name. */
static bool make_room(tru_world *w) {
    name_table *t = &w->names, bigger = {NULL, t->room ? 2 * t->room : 16, t->used};
    bigger.slots = trui_mem_array(&w->memory, bigger.room, sizeof *bigger.slots);
    if (!bigger.slots) return false;
    for (size_t k = 0; k < w->bodies.count; k++) place(&bigger, name_hash(body_name(w, k)), w->bodies.items[k].id);
    trui_mem_release(&w->memory, t->slots, t->room * sizeof *t->slots);
    *t = bigger;
    return true;
}

bool trui_names_add(tru_world *w, const char *text, tru_id id) {
    if (4 * (w->names.used + 1) > 3 * w->names.room && !make_room(w)) return false;
    place(&w->names, name_hash(text), id);
    w->names.used++;
    return true;
}

/* Where the name of a slot would stand if nobody was there. */
static size_t home_of(const tru_world *w, size_t i) {
    const size_t k = trui_body_index(w, ID_OF(w->names.slots[i]));
    return name_hash(body_name(w, k)) & (w->names.room - 1);
}

/* Take a name out and close the gap, so that later names stay reachable. */
void trui_names_remove(tru_world *w, size_t k) {
    name_table *t = &w->names;
    const size_t mask = t->room - 1;
    size_t i = name_hash(body_name(w, k)) & mask;
    while (ID_OF(t->slots[i]) != w->bodies.items[k].id) i = (i + 1) & mask;
    t->used--;
    for (size_t j = i;;) {
        t->slots[i] = 0;
        for (;;) {
            j = (j + 1) & mask;
            if (t->slots[j] == 0) return;
            const size_t home = home_of(w, j);
            if (i <= j ? (home <= i || home > j) : (home <= i && home > j)) break;
        }
        t->slots[i] = t->slots[j];
        i = j;
    }
}

static size_t more_bytes(const char *name) { return sizeof(label_details) + strlen(name) + 1; }

bool trui_label_make(memory *m, body_label *label, const char *text, tru_vec3 centre, tru_vec3 level) {
    const size_t length = strlen(text);
    const tru_vec3 axes[2] = {centre, level}, none[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    *label = (body_label){.name = ""};
    if (length <= NAME_SHORT && memcmp(axes, none, sizeof axes) == 0) { /* to the bit: -0 is kept */
        memcpy(label->name, text, length);
        return true;
    }
    label_details *more = trui_mem_array(m, 1, more_bytes(text));
    if (!more) return false;
    more->centre = centre;
    more->level = level;
    memcpy(more->name, text, length + 1);
    label->details = more;
    label->name[NAME_SHORT] = 1;
    return true;
}

void trui_label_release(memory *m, body_label *label) {
    if (label->name[NAME_SHORT]) trui_mem_release(m, label->details, more_bytes(label->details->name));
    *label = (body_label){.name = ""};
}
