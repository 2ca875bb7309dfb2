/* state_hash.c: hashes of the state and of the motion of a world.
 *
 * A hash is a sum modulo 2^64 of mixed hashes of items: bodies, contacts, joints, loads and so on. Each item carries its stable
 * id or key, never its place in an array. Members that few items have enter only where they are not default values. */
#include "api/state/state_hash.h"

#include "api/state/state_actors.h"
#include "api/state/state_bodies.h"
#include "api/state/state_contacts.h"
#include "api/state/state_defs.h"

uint64_t trui_hash_ledger(const tru_ledger *ledger) {
    tru_ledger l = *ledger;
    l.kinetic = l.potential = 0.0; /* their bits depend on the order of bodies */
    const named_value lines[] = {
#define NAMED_LINE(name, kind, doc) {#name, l.name},
        TRU_LEDGER_LIST(NAMED_LINE)
#undef NAMED_LINE
    };
    return trui_hash_named(lines, sizeof lines / sizeof *lines);
}

/* Hashes the memory of each law of a contact. What contacts keep for the judge is omitted. */
static void hash_history(hash *h, const contact *c, size_t stride) {
    for (int i = 0; i < c->pair->law_count; i++) {
        const pair_law *l = &c->pair->laws[i];
        TRU_ASSERT(l->law->history == 0 || (size_t)(l->memory + l->law->history) <= stride);
        for (int k = 0; k < l->law->history; k++) trui_hash_f64(h, c->c.memory[l->memory + k]);
    }
}

/* Hashes every contact as an item. */
static void hash_contacts(stream *s, const tru_world *w) {
    for (size_t i = 0; i < w->contacts.count; i++) {
        contact c = w->contacts.items[i];
        contact_ids ids = trui_contact_ids_of(w, &c.key);
        item_begin(s, "contact");
        trui_io_contact(s, &ids, &c);
        hash_history(s->hash, &c, w->history_stride);
        item_end(s);
    }
}

/* Hashes what moves. Streams take pointers to members but a hash does not write to them. */
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
        trui_io_body_motion(s, b, &gains);
        item_end(s);
    }
    for (size_t i = 0; i < w->joints.count; i++) {
        item_begin(s, "joint motion");
        io_u64(s, &w->joints.items[i].id);
        trui_io_joint_motion(s, &w->joints.items[i]);
        item_end(s);
    }
    hash_contacts(s, w);
}

/* Steps add the loads of one body in their order, so the order within a body is hashed. That among bodies is not. */
static void hash_loads(stream *s, tru_world *w) {
    for (size_t i = 0; i < w->loads.count; i++) {
        load *l = &w->loads.items[i];
        uint64_t order = 0;
        for (size_t k = 0; k < i; k++) order += w->loads.items[k].body == l->body;
        item_begin(s, "load");
        io_u64(s, &order);
        trui_io_load(s, w, l);
        item_end(s);
    }
}

/* Hashes ids of loads once a load was removed. Before that they are the numbers from 1 to the number of loads. */
static void hash_load_ids(stream *s, tru_world *w) {
    if (w->next_load <= w->loads.count + 1) return;
    for (size_t i = 0; i < w->loads.count; i++) {
        item_begin(s, "load id");
        io_u64(s, &w->loads.items[i].id);
        io_u64(s, &w->loads.items[i].body);
        item_end(s);
    }
    item_begin(s, "next load");
    io_u64(s, &w->next_load);
    item_end(s);
}

/* Hashes bodies, prescribed motions, joints and loads. */
static void hash_things(stream *s, tru_world *w) {
    for (size_t i = 0; i < w->bodies.count; i++) {
        item_begin(s, "body");
        trui_give_body(s, w, i);
        item_end(s);
    }
    for (size_t i = 0; i < w->motions.count; i++) {
        item_begin(s, "drive");
        trui_io_motion(s, w, &w->motions.items[i]);
        item_end(s);
    }
    for (size_t i = 0; i < w->joints.count; i++) {
        item_begin(s, "joint");
        trui_io_joint_type(s, w, &w->joints.items[i]);
        trui_io_joint(s, &w->joints.items[i]);
        item_end(s);
    }
    hash_loads(s, w);
    hash_load_ids(s, w);
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
    trui_io_clock(&s, &view);
    item_end(&s);
    item_begin(&s, "stepper");
    trui_io_stepper(&s, &view);
    item_end(&s);
    return s.sum + trui_hash_ledger(&w->ledger) + trui_hash_definitions(w);
}
