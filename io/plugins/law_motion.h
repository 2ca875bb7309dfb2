/* law_motion.h: properties of worlds with a law: every coefficient counts, units do not, the ledger closes. */
#ifndef TRUNDLE_IO_LAW_MOTION_H
#define TRUNDLE_IO_LAW_MOTION_H

#include "law_projection.h"

/* Each returns true if the property holds in all runs, and counts the runs in t->draws. */
bool trio_law_is_honest(law_trial *t); /* every coefficient changes the motion, or is refused */
bool trio_law_has_units(law_trial *t); /* metres, kilograms and seconds rescaled by powers of two give the same bits */
bool trio_law_keeps_books(law_trial *t); /* the energy ledger closes, and friction takes energy */

#endif
