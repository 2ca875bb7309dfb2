/* one_contact.h: one contact whose bodies touch nothing else: its six rows, solved to the result of newton.
 *
 * The problem is that of problem.h for a single block: u = G p + r, 0 <= p_n _|_ u_n >= 0, friction rows in the sets of the
 * laws (exact form). Rows that no law claims stay in the problem, with 1 on the diagonal and 0 elsewhere: their impulses are 0, and
 * all loops have 3 rows (no couples) or 6. */
#ifndef TRUNDLE_SOLVERS_ONE_CONTACT_ONE_CONTACT_H
#define TRUNDLE_SOLVERS_ONE_CONTACT_ONE_CONTACT_H

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

/* Returns true if this contact can be solved alone, given that its bodies have no other contact. The relaxed form cannot. */
static inline bool one_contact_possible(const contact *c) { return !(c->flags & CONTACT_RELAXED); }
/* Prepares laws, matrix, metric and the warm start, which extrapolates the impulses of the last steps. `view` is the contact as laws
 * see it; it is not read if the pair is plain. Returns false if viscous impulses make the problem singular. */
bool trui_one_contact_build(one_contact *l, contact *c, tru_contact *view, const problem_body *a, const problem_body *b,
                            double least_speed);
/* Computes matrix and metric for other inverse inertias. Returns false if viscous impulses make the problem singular. */
bool trui_one_contact_matrix(one_contact *l, const problem_body *a, const problem_body *b);
/* Computes r = W^T u_free + bias from velocities without the contact. */
void trui_one_contact_free_rates(one_contact *l, const twist *a, const twist *b);
/* Finds p and u to a relative residual <= tolerance in at most max_steps Newton steps, and stores the residual in *worst. Returns the
 * number of steps. */
int trui_one_contact_solve(one_contact *l, double tolerance, int max_steps, double *worst);
/* Returns true if this is the contact of a ball whose laws have limits, and fills in its responses. */
bool trui_one_contact_is_ball(one_contact *l, const problem_body *a, const problem_body *b);
/* Finds p and u of a ball in closed form. Returns false if no case obeys the laws to round-off. */
bool trui_one_contact_solve_ball(one_contact *l);
/* Lets laws change their sets. Returns true if one did, so that the contact must be solved again. */
bool trui_one_contact_revise(const one_contact *l);
/* Stores impulses and modes in the contact, and in `seen` the rates that its laws saw, up to theta; 0 in unclaimed rows. */
void trui_one_contact_finish(one_contact *l, double seen[TRU_ROWS]);
/* Reports the residuals like those of a problem of one block. */
void trui_one_contact_report(const one_contact *l, double worst, int steps, double tolerance, tru_solve_info *info);

#endif
