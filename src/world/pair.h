/* pair.h: materials, and what happens between two of them: laws, restitution, compliance. */
#ifndef TRUNDLE_WORLD_PAIR_H
#define TRUNDLE_WORLD_PAIR_H

#include <trundle/plugin.h>

#define NAME_ROOM 64 /* bytes of the name of a material or joint, with its end */

typedef struct material {
    tru_id id; /* 1, 2, ... in the order of tru_world.materials */
    char name[NAME_ROOM];
} material;

/* A law of a pair, with its own copy of the parameters. */
typedef struct pair_law {
    const tru_law *law;
    void *params;
    unsigned claims; /* bits of tru_kind: rows that the law acts on */
    int memory;      /* index of its first double in a contact's history */
    int kept; /* index of its TRU_LAW_WORK doubles for the judge in that history; 0: the judge prepares the law again */
} pair_law;

/* Kinds of rows that carry couples. */
#define PAIR_COUPLES (TRU_KIND_BIT(TRU_KIND_SPIN) | TRU_KIND_BIT(TRU_KIND_ROLL))

/* What happens between two materials. */
typedef struct pair {
    tru_id a, b; /* materials; both TRU_NONE: the default pair */
    pair_law laws[TRU_PAIR_LAWS];
    int law_count;
    unsigned claims;    /* bits of tru_kind of all laws; no two laws claim the same kind */
    unsigned needs;     /* TRU_NEEDS_* of all laws */
    int history;        /* doubles per contact */
    bool viscous;       /* some law has viscous parts */
    bool pass;          /* bodies pass through each other */
    bool plain;         /* the friction set is a disc, an interval and a disc with constant limits; tru_check sets it */
    double limit[3];    /* [-], [m], [m] these limits, for slide, spin and roll */
    double restitution; /* [-] */
    double compliance;  /* [m/N] */
    double damping;     /* [-] ratio to critical damping of a spring and dashpot with this restitution */
    double damping_pulling; /* [-] the same if the dashpot may pull (restitution.h) */
} pair;

#endif
