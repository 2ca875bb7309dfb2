/* names.c: names of bodies to ids, by open addressing with linear probing. */
#include "world/world.h"

#include "base/hash.h"

static uint64_t name_hash(const char *name) {
    hash h = hash_begin();
    hash_text(&h, name);
    return hash_end(&h);
}

tru_id names_find(const name_table *t, const tru_world *w, const char *name) {
    if (t->room == 0) return TRU_NONE;
    const uint64_t h = name_hash(name);
    for (size_t i = h & (t->room - 1);; i = (i + 1) & (t->room - 1)) {
        if (t->slots[i].id == TRU_NONE) return TRU_NONE;
        if (t->slots[i].hash != h) continue;
        const size_t k = body_index(w, t->slots[i].id);
        if (k != SIZE_MAX && strcmp(w->labels.items[k].name, name) == 0) return t->slots[i].id;
    }
}

static void place(name_table *t, uint64_t h, tru_id id) {
    size_t i = h & (t->room - 1);
    while (t->slots[i].id != TRU_NONE) i = (i + 1) & (t->room - 1);
    t->slots[i].hash = h;
    t->slots[i].id = id;
}

bool names_add(name_table *t, memory *m, const char *name, tru_id id) {
    if (2 * (t->used + 1) > t->room) {
        name_table bigger = {NULL, t->room ? 2 * t->room : 16, t->used};
        bigger.slots = mem_array(m, bigger.room, sizeof *bigger.slots);
        if (!bigger.slots) return false;
        for (size_t i = 0; i < t->room; i++)
            if (t->slots[i].id != TRU_NONE) place(&bigger, t->slots[i].hash, t->slots[i].id);
        mem_release(m, t->slots, t->room * sizeof *t->slots);
        *t = bigger;
    }
    place(t, name_hash(name), id);
    t->used++;
    return true;
}

/* Take a name out and close the gap, so that later names stay reachable. */
void names_remove(name_table *t, const char *name, tru_id id) {
    if (t->room == 0) return;
    const size_t mask = t->room - 1;
    size_t i = name_hash(name) & mask;
    while (t->slots[i].id != id) {
        if (t->slots[i].id == TRU_NONE) return;
        i = (i + 1) & mask;
    }
    t->used--;
    for (size_t j = i;;) {
        t->slots[i].id = TRU_NONE;
        for (;;) {
            j = (j + 1) & mask;
            if (t->slots[j].id == TRU_NONE) return;
            const size_t home = t->slots[j].hash & mask;
            if (i <= j ? (home <= i || home > j) : (home <= i && home > j)) break;
        }
        t->slots[i] = t->slots[j];
        i = j;
    }
}
