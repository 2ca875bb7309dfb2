/* books.h: whether steps have added less energy without cause than the bodies ever had: the check of the ledger that ends every
 * step, of every stepper. A step that fails it is undone. */
#ifndef TRUNDLE_WORLD_BOOKS_H
#define TRUNDLE_WORLD_BOOKS_H

#include "world/world.h"

#include <float.h>
#include <math.h>

enum {
    BOOKS_PERIOD = 16
}; /* steps between two looks at what the bodies have: several in every swing that steps resolve */

/* [J] */
static inline double books_supplied(const tru_ledger *l) { return l->loads + l->drives + l->motors; }
static inline double books_lost(const tru_ledger *l) {
    return ((l->slide + l->spin) + (l->roll + l->impact)) + l->seals;
}

/* [J] Energy that steps have added and not lost again. The lift of the relaxed law counts, although the ledger has it as supplied:
 * it grows with the step, and the law takes back what it gives. So do contacts that contradict each other. Springs of contacts that
 * begin with an overlap bring energy along, which is told as stiffness. */
static inline double books_gained(const tru_ledger *l) {
    const double made =
        (l->theta_shift + l->gyroscopic) + (l->projection + l->stabilisation) + (l->lift + fmin(l->stiffness, 0.0));
    return made - fmax(books_lost(l), 0.0);
}

/* Are all lines finite? A sum is if its terms are. */
static inline bool books_finite(const tru_ledger *l) {
    return fabs((books_gained(l) + books_supplied(l)) + (books_lost(l) + (l->stored + l->stiffness))) <= DBL_MAX;
}

/* [J] The largest change of a single line of losses or of the numerical part between two ledgers. */
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

/* True if the step that ends here passes without a look at the bodies; else trui_books_update decides. Stepper track, the soft one, has
 * a check of its own. */
static inline bool books_plain(const tru_world *w) {
    if (w->stepper->soft) return books_finite(&w->ledger);
    return books_gained(&w->ledger) <= w->energy_seen && books_finite(&w->ledger) &&
           (w->steps_done + 1) % BOOKS_PERIOD != 0;
}

/* [J] The most that the bodies had, now or at an earlier look. */
double trui_books_most_energy(const tru_world *w);
/* Looks at what the bodies have at the end of a step and keeps the most of it in energy_seen. False, and nothing is kept, if the
 * ledger is not finite or if more was gained. */
bool trui_books_update(tru_world *w);

/* The check of a step: both of the above. */
static inline bool books_hold(tru_world *w) { return books_plain(w) || trui_books_update(w); }

#endif
