/* books.c: the energy that a scene has had, against which its ledger is held.
 *
 * Kinetic and stored energy now are start + supplied - potential - dissipated + numerical. Without the numerical part, and with
 * everything that was dissipated put back, start + supplied - potential is what the scene really had in motion and springs up to
 * now: the start, what came from outside, and what falling has set free. The weights over the bodies' sizes are added, since
 * bodies at rest may be set down with a small overlap, and a step moves them out of it.
 *
 * Of a ball thrown upwards or a pendulum this is small at the top: so the most of all looks is kept (world.energy_seen), which
 * happens at fixed numbers of steps, so that no cut of a run changes it. */
#include "world/books.h"

/* [J] */
static double energy_had(const tru_world *w) {
    const tru_ledger *l = &w->ledger;
    double potential = 0.0, weighed = 0.0;
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        if (!body_is_free(b)) continue;
        potential += trui_body_potential(w, b);
        weighed += b->mass * b->size;
    }
    return (l->start - potential) + books_supplied(l) + v3_norm(w->gravity) * weighed;
}

double trui_books_most_energy(const tru_world *w) { return fmax(w->energy_seen, energy_had(w)); }

bool trui_books_update(tru_world *w) {
    const double most = trui_books_most_energy(w);
    if (!books_finite(&w->ledger) || !(books_gained(&w->ledger) <= most)) return false;
    w->energy_seen = most;
    return true;
}
