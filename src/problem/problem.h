/* problem.h: the contact problem of a step: blocks of rows between bodies, their matrix, and the distance from the
 * laws.
 *
 * Find impulses p with u = G p + r such that every block obeys its law:
 *   contact    0 <= p_n  _|_  u_n >= 0, friction rows in the sets of its laws (exact form), opposing u; or all rows
 *              together on the cone of those sets, with u in the dual cone (relaxed form)
 *   bilateral  u = 0
 *   box        |p| <= bound, p opposing u
 * G = W^T M^-1 W, with what yields on the diagonal, r = W^T u_free + bias. A law that acts on theta (W^T u_end + bias) sees u up to the factor theta;
 * only speeds (Stribeck) and viscous parts need theta itself. Viscous impulses -d u are eliminated: with K = (I + G
 * D)^-1 the problem has the matrix K G and the right side K r, and the impulse is p - D u. */
#ifndef TRUNDLE_PROBLEM_PROBLEM_H
#define TRUNDLE_PROBLEM_PROBLEM_H

#include "base/arena.h"
#include "laws/law.h"
#include "world/world.h"

/* What a contact may have beyond its laws: a normal row that yields, and a normal impulse that is there whatever the rates. */
typedef struct normal_terms {
    double soft;  /* [1/kg] the law acts on u_n + soft p_n: compliance over step squared */
    double floor; /* [N s] p_n is at least this: 0 <= p_n - floor _|_ u_n >= 0 */
} normal_terms;

typedef enum block_kind { BLOCK_CONTACT, BLOCK_BILATERAL, BLOCK_BOX } block_kind;

/* One scalar row: u = lin.(v_A - v_B) + ang_a.w_A - ang_b.w_B; what belongs to B is there only if B moves. The vectors of a
 * contact are there only beside other blocks: alone, its frame and arms say everything. */
typedef struct problem_row {
    tru_vec3 lin;              /* [-] zero for spin and roll */
    tru_vec3 ang_a, ang_b;     /* [m] or [-] */
    tru_vec3 moved_a, moved_b; /* I^-1 ang: angular velocity per impulse */
    double length;             /* [m] 1 for force rows; the block's length for couples: makes rows comparable */
} problem_row;

/* Rows that belong together. */
typedef struct block {
    block_kind kind;
    size_t a, b;            /* body indices */
    int first, rows;        /* in the packed vectors */
    int forces;             /* the first of its rows; the others are couples */
    int8_t row[TRU_ROWS];   /* contact or joint row of packed row k */
    int8_t place[TRU_ROWS]; /* packed row of contact row r, -1: not in the problem */
    law_use laws[TRU_PAIR_LAWS];
    double work[TRU_PAIR_LAWS][TRU_LAW_WORK]; /* of laws whose work nobody keeps */
    int law_count;
    double theta;              /* [-] */
    double bound;              /* [impulse] of box rows */
    normal_terms normal_terms; /* of a contact */
    double *viscous;           /* [impulse/velocity] D in packed rows, TRU_ROWS^2; NULL: none */
    double metric[TRU_KINDS];  /* [impulse/velocity] rho of each kind */
    double rho[TRU_ROWS];      /* the same for each packed row */
    bool relaxed;              /* the contact law in its convex form */
    uint32_t stuck;            /* bits of kinds, of a box: of rows, that stick at the last evaluation */
    double least_speed;        /* [m/s] |gravity| step */
    double speed;              /* [m/s] velocity scale: residuals are judged against it */
    contact *contact;          /* NULL for joints */
    joint *joint;              /* NULL for contacts */
} block;

/* Inverse inertia of a body in the problem. */
typedef struct problem_body {
    double inv_mass;  /* [1/kg] */
    bool moves;       /* free or driven */
    bool round;       /* the same about every axis: */
    tru_mat3 inverse; /* [1/(kg m^2)] world */
} problem_body;

/* I^-1 t: angular velocity per couple. */
static inline tru_vec3 problem_turn(const problem_body *b, tru_vec3 t) {
    return b->round ? v3_scale(b->inverse.m[0][0], t) : m3_apply(b->inverse, t);
}

/* Bilateral rows, behind all others: their impulses follow from the others', p_h = -G_hh^-1 (G_hp p + r_h), so the problem
 * that solvers see is that of the others, with G - G_ph G_hh^-1 G_hp and r - G_ph G_hh^-1 r_h. */
typedef struct held_rows {
    int n, blocks; /* behind the problem's own rows and blocks */
    double *g;     /* (problem.n + n)^2: the matrix of all rows */
    double *lu;    /* n x n: factors of G_hh, couples in units of their length */
    double *room;  /* n */
    int *perm;
} held_rows;

typedef struct tru_problem {
    arena *scratch;
    const problem_body *bodies;
    double step;           /* [s] */
    const int32_t *number; /* beside bodies: 0.. for those that impulses move, -1 for others; NULL: not numbered yet */
    int numbered;
    block *blocks;
    int block_count;
    problem_row *rows;
    int n;     /* rows */
    double *g; /* n x n, with viscous parts eliminated; NULL: the solver needs none, and r is as it was */
    double *r; /* n */
    double *p; /* n, in: warm start, out: set-valued impulses */
    double *u; /* n, out: G p + r */
    bool viscous;
    double *k, *column; /* factors of I + G D, and room for one column */
    int *perm;
    double impulse; /* [N s] impulse scale m g h of the step */
    held_rows held;
} tru_problem;

/* Rows of a block from a contact: normal, and the kinds its laws claim. */
void trui_problem_contact_rows(tru_problem *pb, block *b, const contact *c);
/* [impulse/velocity] rho of each kind of a contact alone, from what its bodies are made of. */
void trui_problem_contact_metric(const contact *c, const problem_body *a, const problem_body *b,
                                 double metric[TRU_KINDS]);
/* Matrix with viscous parts and bilateral rows eliminated, and metrics. False: no memory. */
bool trui_problem_assemble(tru_problem *pb);
/* The vectors of all rows, and metrics: what a solver without a matrix needs. */
void trui_problem_rows(tru_problem *pb);
/* r was filled with W^T u_free + bias: velocity scales, and K r. */
void trui_problem_free_rates(tru_problem *pb);
/* Impulses and rates of the bilateral rows from those of the others, and their residual. */
void trui_problem_hold(tru_problem *pb, tru_solve_info *info);
/* u = G p + r. */
void trui_problem_rates(const tru_problem *pb, const double *p, double *u);
/* The natural map at p with rates u: f = p - proj(p - rho u) [impulse], and which kinds stick (into the blocks). `d`: NULL, or
 * room for the derivative of each block's projection, BLOCK_ROOM doubles each. Returns the largest residual as a velocity
 * relative to the block's speed. */
double trui_problem_evaluate(tru_problem *pb, const double *p, const double *u, double *f, double *d);
#define BLOCK_ROOM (TRU_ROWS * TRU_ROWS) /* row major with stride TRU_ROWS, packed rows */
/* y = projection of x on one block's set; also its derivative, if d is not NULL, and which kinds stick. */
void trui_block_project(const block *b, const double *x, const double *u, double *y, double *d, uint32_t *stuck);
/* Residual per row kind and the worst block from f. */
void trui_problem_report(const tru_problem *pb, const double *f, tru_solve_info *info);
/* All impulses of a block, viscous ones too: q = p - D u in its packed rows; p, u: of the whole problem. */
void trui_block_impulses(const block *b, const double *p, const double *u, double q[TRU_ROWS]);
/* Row k of D u: minus the viscous impulse. */
double trui_block_viscous(const tru_problem *pb, const block *b, int k);
/* rho of the packed rows from the metric of the kinds. */
void trui_block_spread_metric(block *b);
static inline int row_kind(int row) { return row == 0 ? TRU_KIND_NORMAL : LAW_KIND_OF_ROW(row - 1); }

/* newton's parameters unless others are given. */
#define NEWTON_TOLERANCE 1e-12 /* [-] */
#define NEWTON_STEPS     100

/* What Newton's method on the natural map is to reach. */
typedef struct newton_goal {
    double tolerance; /* it ends there; */
    double enough;    /* where steps no longer help, this will do */
    int max_steps;
} newton_goal;

/* solver newton, also for problems without a matrix. */
tru_status trui_newton_solve(const newton_goal *o, tru_problem *pb, tru_solve_info *info, tru_error *err);

extern const tru_solver tru_solver_newton, tru_solver_prox, tru_solver_proxnewton, tru_solver_ngs, tru_solver_sor,
    tru_solver_apgd;

#endif
