/* state_defs.c: definitions, clock, stepper and ledger of a world in its stream.
 *
 * Materials, pairs and gravity are the user's definitions: the stream holds their hashes, and a world with other ones refuses it.
 * Their hashes are sums over items, so the order in which they were defined does not matter. */
#include "api/state/state_defs.h"

#include "api/registry.h"

#include <stdio.h>

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

uint64_t trui_hash_definitions(const tru_world *w) {
    return hash_gravity(w) + hash_materials(w) + hash_pairs(w) + hash_starts(w);
}

/* Streams the hash `here`. Reading another one fails; `what` names the difference. */
static void io_definition(stream *s, uint64_t here, const char *what) {
    uint64_t there = here;
    io_u64(s, &there);
    if (there == here || !good(s)) return;
    trui_unpack_fail(s->in, TRU_DAMAGED);
    tru_fail(s->err, TRU_DAMAGED, "the snapshot belongs to a world with %s", what);
}

void trui_io_definitions(stream *s) {
    io_definition(s, hash_gravity(s->defs), "another gravity");
    io_definition(s, hash_materials(s->defs), "other materials");
    io_definition(s, hash_pairs(s->defs), "other pairs of materials or laws");
    io_definition(s, hash_starts(s->defs), "other contact modes at the start");
}

void trui_io_clock(stream *s, tru_world *w) {
    io_f64(s, &w->time_base);
    io_u64(s, &w->steps_here);
    io_u64(s, &w->steps_done);
    io_f64(s, &w->step);
    io_u64(s, &w->next_id);
    io_bool(s, &w->moved);
    TRU_ASSERT(!s->out || w->steps_here <= w->steps_done);
    if (!s->hash) { /* these decide what is refused, not what follows, so the hash omits them */
        io_u64(s, &w->overlap_checked);
        io_u64(s, &w->stepped);
        io_f64(s, &w->energy_seen);
    }
    if (s->hash && w->steps_done > 0 && w->stepped < w->next_id) trui_hash_u64(s->hash, w->stepped);
    if (s->hash && w->next_joint > 0) trui_hash_u64(s->hash, w->next_joint);
    if (s->in && !(w->step >= 0.0 && w->step <= DBL_MAX && fabs(w->time_base) <= DBL_MAX))
        damaged(s, "its time is not a number");
    if (s->in && w->steps_here > w->steps_done) damaged(s, "its numbers of steps contradict each other");
}

/* The stepper's parameters influence later steps, so they are in the hash. A snapshot holds its name only, because a run may
 * continue with another one. */
void trui_io_stepper(stream *s, tru_world *w) {
    char name[NAME_ROOM] = "";
    const plug_finder finder = trui_registry_finder(s->defs);
    if (!s->in && w->stepper) snprintf(name, sizeof name, "%s", w->stepper->name);
    io_text(s, name, sizeof name);
    tru_error unknown; /* one that is not in this library leaves NULL */
    if (s->in && good(s) && name[0]) w->stepper = trui_stepper_named(name, &unknown);
    if (s->hash && w->stepper) trui_hash_u64(s->hash, trui_fields_hash(w->stepper->fields, w->stepper_params, &finder));
}

void trui_io_ledger(stream *s, tru_ledger *l) {
#define IO_LEDGER(name, kind, doc) io_f64(s, &l->name);
    TRU_LEDGER_LIST(IO_LEDGER)
#undef IO_LEDGER
}
