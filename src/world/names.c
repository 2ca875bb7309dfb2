/* names.c: a hash table from names to ids with open addressing and linear probing. */
#include "world/names.h"

#include "base/hash.h"

/* Slots have bits of the name's hash from this bit on, so that a search compares few texts that differ. */
enum { TAG_BIT = 48 };
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
    TRU_ASSERT(t->used < t->room && id == ID_OF(id));
    size_t i = h & (t->room - 1);
    while (t->slots[i] != 0) i = (i + 1) & (t->room - 1);
    t->slots[i] = TAG_OF(h) | id;
}

/* Doubles the table. Slots have only a part of the hash, so it is computed again from the names. */
static bool grow_table(tru_world *w) {
    name_table *t = &w->names, bigger = {NULL, t->room ? 2 * t->room : 16, t->used};
    bigger.slots = trui_mem_array(&w->memory, bigger.room, sizeof *bigger.slots);
    if (!bigger.slots) return false;
    for (size_t k = 0; k < w->bodies.count; k++) place(&bigger, name_hash(body_name(w, k)), w->bodies.items[k].id);
    trui_mem_release(&w->memory, t->slots, t->room * sizeof *t->slots);
    *t = bigger;
    return true;
}

bool trui_names_add(tru_world *w, const char *text, tru_id id) {
    if (4 * (w->names.used + 1) > 3 * w->names.room && !grow_table(w)) return false;
    place(&w->names, name_hash(text), id);
    w->names.used++;
    TRU_ASSERT(4 * w->names.used <= 3 * w->names.room);
    return true;
}

/* Returns the slot at which the search for the name in slot i begins. */
static size_t home_of(const tru_world *w, size_t i) {
    const size_t k = trui_body_index(w, ID_OF(w->names.slots[i]));
    TRU_ASSERT(k < w->bodies.count);
    return name_hash(body_name(w, k)) & (w->names.room - 1);
}

/* Empties the slot of a name. Names behind it that were placed past this slot move forward, so that a search still reaches them. */
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
