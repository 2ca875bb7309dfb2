/* one_contact.h: one contact whose bodies touch nothing else: its six rows on the stack, solved to the answer of newton.
 *
 * The problem is that of problem.h for a single block: u = G p + r, 0 <= p_n _|_ u_n >= 0, friction rows in the sets of the
 * laws (exact form). Rows that no law claims are there, with 1 on the diagonal and 0 elsewhere: they carry nothing, and all
 * loops have 3 rows (no couples) or 6. */
#ifndef TRUNDLE_SOLVERS_ONE_CONTACT_ONE_CONTACT_H
#define TRUNDLE_SOLVERS_ONE_CONTACT_ONE_CONTACT_H

#include "problem/problem.h"

/* Viscous parts: G and r are those of K G, K r with K = (I + G D)^-1, the impulse is p - D u. */
typedef struct one_contact_viscous {
    double d[TRU_ROWS * TRU_ROWS]; /* [impulse/velocity] */
    double k[TRU_ROWS * TRU_ROWS]; /* factors of I + G D, couples in units of the length */
    int perm[TRU_ROWS];
    bool any;
} one_contact_viscous;

typedef struct one_contact {
    contact *c;
    int n;           /* rows: 3 or TRU_ROWS */
    bool plain;      /* the set is a disc, an interval and a disc of constant size per normal impulse: */
    double limit[3]; /* [-], [m], [m] of slide, spin, roll */
    law_use laws[TRU_PAIR_LAWS];
    double work[TRU_PAIR_LAWS][TRU_LAW_WORK]; /* of laws whose work nobody keeps */
    int law_count;
    int8_t from[TRU_ROWS],
        to[TRU_ROWS];              /* rows from[k] .. to[k] - 1 are coupled with row k by the law that claims it */
    const problem_body *a, *b;     /* answers to impulses */
    bool ball;                     /* the rows fall apart (one_contact_ball.c): */
    double push, slide;            /* [1/kg] of the normal row, of slide rows */
    double cross, turn;            /* [1/(kg m)], [1/(kg m^2)] of slide with roll, of couples */
    double g[TRU_ROWS * TRU_ROWS]; /* n x n; need not be symmetric; of a ball only where that fails */
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

/* Can this contact be solved alone, its bodies having no other contact? The relaxed form cannot. */
static inline bool one_contact_possible(const contact *c) { return !(c->flags & CONTACT_RELAXED); }
/* Laws prepared, matrix, metric, and the warm start: c->dry, going on as it went where `unique` impulses allow that. a, b:
 * the bodies' answers to impulses; view: the contact as laws see it, not looked at if its pair is plain. False: viscous parts make it singular. */
bool trui_one_contact_build(one_contact *l, contact *c, tru_contact *view, const problem_body *a, const problem_body *b,
                            double least_speed);
/* Matrix and metric again, for other answers. False: as there. */
bool trui_one_contact_matrix(one_contact *l, const problem_body *a, const problem_body *b);
/* r = W^T u_free + bias for velocities without the contact. */
void trui_one_contact_free_rates(one_contact *l, const twist *a, const twist *b);
/* p and u to a relative residual <= tolerance, in at most max_steps Newton steps; *worst is what is left. Returns the
 * steps. */
int trui_one_contact_solve(one_contact *l, double tolerance, int max_steps, double *worst);
/* Is it the contact of a ball, whose laws have limits? Then its answers to impulses are filled in; */
bool trui_one_contact_is_ball(one_contact *l, const problem_body *a, const problem_body *b);
/* p and u in closed form; false: not found. */
bool trui_one_contact_solve_ball(one_contact *l);
/* Do the laws want another solve, with sets that changed? */
bool trui_one_contact_revise(const one_contact *l);
/* Impulses and modes into the contact, and the rates its laws saw (unclaimed rows 0), up to theta. */
void trui_one_contact_finish(one_contact *l, double seen[TRU_ROWS]);
/* Residuals into info, as of a problem of one block. */
void trui_one_contact_report(const one_contact *l, double worst, int steps, double tolerance, tru_solve_info *info);

#endif
