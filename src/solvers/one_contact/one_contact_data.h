/* one_contact_data.h: one contact while it is solved (one_contact.h). */
#ifndef TRUNDLE_SOLVERS_ONE_CONTACT_ONE_CONTACT_DATA_H
#define TRUNDLE_SOLVERS_ONE_CONTACT_ONE_CONTACT_DATA_H

#include "problem/problem.h"

/* Viscous impulses: G and r are those of K G, K r with K = (I + G D)^-1, the impulse is p - D u. */
typedef struct one_contact_viscous {
    double d[TRU_ROWS * TRU_ROWS]; /* [impulse/velocity] */
    double k[TRU_ROWS * TRU_ROWS]; /* factors of I + G D, couples in units of the length */
    int perm[TRU_ROWS];
    bool any;
} one_contact_viscous;

/* One contact while it is solved. */
typedef struct one_contact {
    contact *c;
    int n;           /* rows: 3 or TRU_ROWS */
    bool plain;      /* the set is a disc, an interval and a disc of constant size per normal impulse */
    double limit[3]; /* [-], [m], [m] of slide, spin, roll */
    law_use laws[TRU_PAIR_LAWS];
    double work[TRU_PAIR_LAWS][TRU_LAW_WORK]; /* of laws that do not keep theirs in the contact */
    int law_count;
    int8_t from[TRU_ROWS],
        to[TRU_ROWS];              /* rows from[k] .. to[k] - 1 are coupled with row k by the law that claims it */
    const problem_body *a, *b;     /* inverse masses and inertias */
    bool ball;                     /* the rows decouple (one_contact_ball.c); the next four are their responses */
    double push, slide;            /* [1/kg] of the normal row, of slide rows */
    double cross, turn;            /* [1/(kg m)], [1/(kg m^2)] of slide with roll, of couples */
    double g[TRU_ROWS * TRU_ROWS]; /* n x n; need not be symmetric; of a ball only if its closed form fails */
    double r[TRU_ROWS], p[TRU_ROWS], u[TRU_ROWS];
    double f[TRU_ROWS];          /* [impulse] residual of the natural map at p */
    double rho[TRU_ROWS];        /* [impulse/velocity] metric of each row */
    double length;               /* [m] of couples: makes rows comparable */
    double step;                 /* [s] */
    double least_speed;          /* [m/s] |gravity| step */
    double speed;                /* [m/s] velocity scale */
    uint32_t stuck;              /* bits of kinds */
    one_contact_viscous viscous; /* if the pair has viscous parts */
} one_contact;

#endif
