/* snapshot.c: a world written into a snapshot, and read back from one.
 *
 * The io_ functions name the members once, for hashing, writing and reading, so that the three cannot drift apart. What follows
 * from other members (indices, inverse inertia, rotation matrices, the table of names) is not in the stream: reading derives it
 * by the functions that derived it first. */
#include "api/state/state_actors.h"
#include "api/state/state_bodies.h"
#include "api/state/state_contacts.h"
#include "api/state/state_defs.h"
#include "api/state/state_reports.h"

#include "world/validate.h"

#define SNAPSHOT_VERSION 9 /* of the format; trui_unpack_begin refuses other versions */

/* Streams a whole world, in the order of the format. */
static void io_world(stream *s, tru_world *w) {
    trui_io_definitions(s);
    trui_io_clock(s, w);
    trui_io_stepper(s, w);
    trui_io_ledger(s, &w->ledger);
    trui_io_bodies(s, w);
    trui_io_loads(s, w);
    trui_io_motions(s, w);
    trui_io_joints(s, w);
    trui_io_contacts(s, w);
    trui_io_start_contacts(s, w);
    trui_io_solve(s, &w->solve);
    trui_io_solve_totals(s, &w->solve_totals);
    trui_io_before(s, w);
    trui_io_events(s, w);
}

/* Returns a view of the world with the energies of its present state. */
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

size_t tru_snapshot_size(const tru_world *w) {
    packer p = trui_pack_measure();
    write_world(w, &p);
    return p.count;
}

tru_status tru_snapshot_save(const tru_world *w, void *buffer, size_t bytes, tru_error *err) {
    if (!w || !buffer) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_snapshot_save needs a world and a buffer");
    packer p = trui_pack_into(buffer, bytes);
    write_world(w, &p);
    if (trui_pack_good(&p)) return TRU_OK;
    return tru_fail(err, TRU_BAD_ARGUMENT, "the snapshot takes %zu bytes, the buffer has %zu", tru_snapshot_size(w),
                    bytes);
}

/* Exchanges the state of the world with what was read, so that the caller can release the old state. If the stepper has another
 * step than the snapshot, it counts its own steps from here on, as after tru_stepper_set. */
static void exchange(tru_world *w, tru_world *fresh) {
    TRU_ASSERT(fresh->labels.count == fresh->bodies.count && fresh->memory.allocator.user == w->memory.allocator.user);
    const tru_world old = *w;
    const bool other_step = w->stepper && w->step != fresh->step;
    w->time_base = other_step ? trui_world_time(fresh) : fresh->time_base;
    w->steps_here = other_step ? 0 : fresh->steps_here;
    w->step = other_step ? w->step : fresh->step;
    w->steps_done = fresh->steps_done;
    w->next_id = fresh->next_id;
    w->next_joint = fresh->next_joint;
    w->next_load = fresh->next_load;
    w->generation++;
    w->moved = fresh->moved;
    w->overlap_checked = fresh->overlap_checked;
    w->stepped = fresh->stepped;
    w->ledger = fresh->ledger;
    w->energy_seen = fresh->energy_seen;
    w->solve = fresh->solve;
    w->solve_totals = fresh->solve_totals;
    world_changed(w);
    if (other_step || w->stepper != fresh->stepper)
        array_clear(&fresh->before); /* this stepper cannot judge that step */
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

/* Exchanges a world with one that was read, unless that one breaks an invariant: then both stay as they are. */
static tru_status exchange_valid(tru_world *w, tru_world *fresh, tru_error *err) {
    const tru_world kept = *w;
    exchange(w, fresh);
    const char *wrong = trui_world_validate(w);
    if (!wrong) return TRU_OK;
    exchange(w, fresh); /* gives the arrays back, */
    *w = kept;          /* and the numbers */
    return tru_fail(err, TRU_DAMAGED, "the snapshot is damaged: %s", wrong);
}

tru_status tru_snapshot_load(tru_world *w, const void *buffer, size_t bytes, tru_error *err) {
    unpacker u;
    tru_error first = {TRU_OK, ""};
    if (!w || !buffer) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_snapshot_load needs a world and a buffer");
    tru_status status = trui_unpack_begin(&u, buffer, bytes, SNAPSHOT_VERSION, err);
    if (status < 0) return status;
    tru_world fresh = {.memory = w->memory};
    stream s = {.in = &u, .defs = w, .err = &first};
    io_world(&s, &fresh);
    if (first.status < 0 && err) *err = first;
    status = first.status < 0 ? first.status : trui_unpack_end(&u, err);
    if (status >= 0) status = exchange_valid(w, &fresh, err);
    trui_world_release(&fresh);
    return status;
}
