/* wear.h: a user's own law: dry sliding whose coefficient changes as the surfaces wear in. Only public headers. */
#ifndef WEAR_H
#define WEAR_H

#include <trundle/plugin.h>

typedef struct wear {
    double fresh;    /* [-] coefficient of fresh surfaces */
    double worn;     /* [-] after `distance` of sliding */
    double distance; /* [m] */
} wear;

extern const tru_law wear_law;

#endif
