/* books.c: the energy that a scene has had, with which its ledger is compared.
 *
 * Kinetic and stored energy now are start + supplied - potential - dissipated + numerical. Without the numerical part, and without
 * dissipation, start + supplied - potential is the energy that motion and springs have had up to now: from the start, from outside, and from falling.
 * Weight times size of every body is added, because bodies at rest may begin with a small overlap, out of which a step moves them.
 *
 * This is small at the top of a throw or a swing. Therefore its largest value is kept (world.energy_seen). It is updated at fixed
 * numbers of steps, so that dividing a run into pieces does not change it.
 *
 * Bodies at rest without gravity have no energy at all, but their places are rounded: a step that closes a joint by that round-off
 * gives them its speed. So the energy of that speed is added, too. */
#include "world/books.h"

/* Returns the energy [J] of a body that moves by the round-off of its place in a step. */
static double noise_energy(const body *b, double step) {
    const double speed = BOOKS_PLACE_NOISE * (v3_norm(b->x) + b->size) / step;
    return b->mass * speed * speed;
}

/* Returns that energy [J] now. */
static double energy_had(const tru_world *w) {
    const tru_ledger *l = &w->ledger;
    const double step = w->stepper->step_size(w->stepper_params);
    double potential = 0.0, weighed = 0.0, noise = 0.0;
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        if (!body_is_free(b)) continue;
        potential += trui_body_potential(w, b);
        weighed += b->mass * b->size;
        noise += noise_energy(b, step);
    }
    return (l->start - potential) + books_supplied(l) + v3_norm(w->gravity) * weighed + noise;
}

double trui_books_most_energy(const tru_world *w) { return fmax(w->energy_seen, energy_had(w)); }

bool trui_books_update(tru_world *w) {
    const double most = trui_books_most_energy(w);
    if (!books_finite(&w->ledger) || !(books_gained(&w->ledger) <= most) || !(most <= DBL_MAX)) return false;
    TRU_ASSERT(most >= w->energy_seen);
    w->energy_seen = most;
    return true;
}
