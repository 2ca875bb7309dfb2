/* many.c: the solve of a step with many contacts: packed problem, its solver, impulses back to bodies and contacts. */
#include "steppers/verbs.h"

#include "base/error.h"

bool solves_many(const step *s) {
    const tru_world *w = s->w;
    if (!w->solver->solve_many || w->contacts.count <= (size_t)w->solver->few(w->solver_params)) return false;
    return w->contacts.count < UINT32_MAX / sizeof(packed_body) / 2 &&
           packed_possible(w->contacts.items, w->contacts.count);
}

static void note_times(tru_world *w, double build, double solve, double finish) {
    w->profile.pack += build + finish;
    w->profile.solve += solve;
    w->profile.steps++;
    w->profile.packed += w->contacts.count;
}

tru_status solve_many(step *s, const twist *free, bool exact, tru_error *err) {
    tru_world *w = s->w;
    const size_t n = w->bodies.count;
    const packed_input in = {.scratch = &w->scratch,
                             .contacts = w->contacts.items,
                             .contact_count = w->contacts.count,
                             .bodies = w->bodies.items,
                             .body_count = n,
                             .solids = w->solids.items,
                             .inverse = s->inverse,
                             .free = free,
                             .speed = s->fall,
                             .threads = w->threads,
                             .exact = exact};
    s->packed = ARENA_ARRAY(&w->scratch, packed, 1);
    twist *ends = ARENA_ARRAY(&w->scratch, twist, n);
    if (!s->packed || !ends) return tru_no_memory(err);
    const double begun = world_clock(w);
    tru_status status = packed_build(s->packed, &in, err);
    const double built = world_clock(w);
    if (status >= 0) status = w->solver->solve_many(w->solver_params, s->packed, &s->info, err);
    const double solved = world_clock(w);
    if (status < 0) return status;
    packed_finish(s->packed, n, ends);
    note_times(w, built - begun, solved - built, world_clock(w) - solved);
    for (size_t i = 0; i < n; i++) {
        w->bodies.items[i].v = ends[i].v;
        w->bodies.items[i].w = ends[i].w;
    }
    return status;
}
