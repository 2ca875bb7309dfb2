/* books.h: the check of the ledger at the end of every step: the energy that steps added without a physical cause must be below the largest energy
 * that the bodies have had. A step that fails it is undone. */
#ifndef TRUNDLE_WORLD_BOOKS_H
#define TRUNDLE_WORLD_BOOKS_H

#include "world/world.h"

#include <float.h>
#include <math.h>

enum {
    BOOKS_PERIOD = 16
}; /* steps between two updates of the largest energy: several per oscillation that the step resolves */
#define BOOKS_PLACE_NOISE                                                                                              \
    1e-12 /* [-] of distances from the origin: round-off of places, of many rows and in many steps */

/* Return the energy [J] that came from outside and that was dissipated. */
static inline double books_supplied(const tru_ledger *l) { return l->loads + l->drives + l->motors; }
static inline double books_lost(const tru_ledger *l) {
    return ((l->slide + l->spin) + (l->roll + l->impact)) + l->seals;
}

/* Returns the energy [J] that steps have added and that was not dissipated again. The lift of the relaxed law counts, although the ledger has it as
 * supplied, because it grows with the step and the law takes it back. The same holds for contacts that contradict each other. Springs of contacts
 * that begin with an overlap bring energy, which the ledger has as stiffness. */
static inline double books_gained(const tru_ledger *l) {
    const double made =
        (l->theta_shift + l->gyroscopic) + (l->projection + l->stabilisation) + (l->lift + fmin(l->stiffness, 0.0));
    return made - fmax(books_lost(l), 0.0);
}

/* Returns true if all lines are finite. A sum is finite only if its terms are. */
static inline bool books_finite(const tru_ledger *l) {
    return fabs((books_gained(l) + books_supplied(l)) + (books_lost(l) + (l->stored + l->stiffness))) <= DBL_MAX;
}

/* Returns the largest change [J] of a single line of dissipation or of the numerical part between two ledgers. */
static inline double books_largest_change(const tru_ledger *before, const tru_ledger *after) {
    const double slide = fabs(after->slide - before->slide), spin = fabs(after->spin - before->spin),
                 roll = fabs(after->roll - before->roll), impact = fabs(after->impact - before->impact),
                 shift = fabs(after->theta_shift - before->theta_shift),
                 turned = fabs(after->gyroscopic - before->gyroscopic),
                 moved = fabs(after->projection - before->projection),
                 closed = fabs(after->stabilisation - before->stabilisation), lift = fabs(after->lift - before->lift);
    return fmax(fmax(fmax(slide, spin), fmax(roll, impact)),
                fmax(fmax(shift, turned), fmax(fmax(moved, closed), lift)));
}

/* Returns true if the step passes without an evaluation of the bodies' energy; otherwise trui_books_update decides. Stepper track, which is soft, has its
 * own check. */
static inline bool books_plain(const tru_world *w) {
    if (w->stepper->soft) return books_finite(&w->ledger);
    return books_gained(&w->ledger) <= w->energy_seen && books_finite(&w->ledger) &&
           (w->steps_done + 1) % BOOKS_PERIOD != 0;
}

/* Returns the largest energy [J] of the bodies, now or at an earlier update. */
double trui_books_most_energy(const tru_world *w);
/* Updates energy_seen at the end of a step. Returns false, without an update, if the ledger or that energy is not finite, or if steps
 * added more than that. */
bool trui_books_update(tru_world *w);

/* Checks a step by both functions above. */
static inline bool books_hold(tru_world *w) { return books_plain(w) || trui_books_update(w); }

#endif
