/* problem.h: the contact problem of a step: blocks of rows between bodies, their matrix, and the distance from the
 * laws.
 *
 * Find impulses p with u = G p + r such that every block obeys its law:
 *   contact    0 <= p_n  _|_  u_n >= 0, friction rows in the sets of its laws (exact form), opposing u; or all rows
 *              together on the cone of those sets, with u in the dual cone (relaxed form)
 *   bilateral  u = 0
 *   box        |p| <= bound, p opposing u
 * G = W^T M^-1 W plus compliance on its diagonal, r = W^T u_free + bias. A law that acts on theta (W^T u_end + bias) sees u up to
 * the factor theta; only speeds (Stribeck) and viscous impulses need theta itself. Viscous impulses -d u are eliminated: with
 * K = (I + G D)^-1 the problem has the matrix K G and the right side K r, and the impulse is p - D u. */
#ifndef TRUNDLE_PROBLEM_PROBLEM_H
#define TRUNDLE_PROBLEM_PROBLEM_H

#include "base/arena.h"
#include "laws/law.h"
#include "world/world.h"

/* Compliance of the normal row of a contact, and its least normal impulse. */
typedef struct normal_terms {
    double soft;  /* [1/kg] the law acts on u_n + soft p_n: compliance over step squared */
    double floor; /* [N s] p_n is at least this: 0 <= p_n - floor _|_ u_n >= 0 */
} normal_terms;

/* What the rows of a block obey, as above. */
typedef enum block_kind { BLOCK_CONTACT, BLOCK_BILATERAL, BLOCK_BOX } block_kind;

/* One scalar row: u = lin.(v_A - v_B) + ang_a.w_A - ang_b.w_B. Vectors of B are set only if B moves. Vectors of a contact are set
 * only if the problem has other blocks, or no matrix: a contact alone is described by its frame and arms. */
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
    int first, rows;        /* place in the packed vectors, and number of rows */
    int forces;             /* number of leading rows that are forces; the others are couples */
    int8_t row[TRU_ROWS];   /* contact or joint row of packed row k */
    int8_t place[TRU_ROWS]; /* packed row of contact row r, -1: not in the problem */
    law_use laws[TRU_PAIR_LAWS];
    double work[TRU_PAIR_LAWS][TRU_LAW_WORK]; /* of laws that do not keep theirs in the contact */
    int law_count;
    double theta;              /* [-] */
    double bound;              /* [impulse] of box rows */
    normal_terms normal_terms; /* of a contact */
    double *viscous;           /* [impulse/velocity] D in packed rows, TRU_ROWS^2; NULL: none */
    double metric[TRU_KINDS];  /* [impulse/velocity] rho of each kind */
    double rho[TRU_ROWS];      /* [impulse/velocity] of each packed row */
    bool relaxed;              /* the contact law has its convex form */
    uint32_t stuck;            /* bits of kinds (of a box: of rows) that stick at the last evaluation */
    double least_speed;        /* [m/s] |gravity| step */
    double speed;              /* [m/s] velocity scale of residuals */
    contact *contact;          /* NULL for joints */
    joint *joint;              /* NULL for contacts */
} block;

/* Inverse inertia of a body in the problem. */
typedef struct problem_body {
    double inv_mass;  /* [1/kg] */
    bool moves;       /* free or driven */
    bool round;       /* the inertia is the same about every axis */
    tru_mat3 inverse; /* [1/(kg m^2)] of the inertia, world axes */
} problem_body;

/* Returns I^-1 t, the angular velocity that an impulsive couple t gives. */
static inline tru_vec3 problem_turn(const problem_body *b, tru_vec3 t) {
    return b->round ? v3_scale(b->inverse.m[0][0], t) : m3_apply(b->inverse, t);
}

/* Bilateral rows, which follow all others and are eliminated: p_h = -G_hh^-1 (G_hp p + r_h). Solvers see the problem of the
 * others, with G - G_ph G_hh^-1 G_hp and r - G_ph G_hh^-1 r_h. */
typedef struct held_rows {
    int n, blocks; /* number of rows and blocks, which follow those of the problem */
    double *g;     /* (problem.n + n)^2: the matrix of all rows */
    double *lu;    /* n x n: factors of G_hh, couples in units of their length */
    double *room;  /* n of scratch */
    int *perm;     /* n: row exchanges of the factors */
} held_rows;

/* The contact problem of a part of a step. */
typedef struct tru_problem {
    arena *scratch;
    const problem_body *bodies;
    double step;           /* [s] */
    const int32_t *number; /* per body: 0, 1, ... for those that impulses move, -1 for others; NULL: not numbered yet */
    int numbered;          /* number of numbered bodies */
    block *blocks;
    int block_count;
    problem_row *rows;
    int n;              /* rows */
    double *g;          /* n x n, with viscous parts eliminated; NULL: not built, and r keeps its viscous parts */
    double *r;          /* n */
    double *p;          /* n: warm start, then set-valued impulses */
    double *u;          /* n: result G p + r */
    bool viscous;       /* some block has viscous impulses */
    double *k, *column; /* factors of I + G D, and scratch of one column */
    int *perm;
    double impulse; /* [N s] impulse scale m g h of the step */
    held_rows held;
} tru_problem;

/* Appends the rows of a contact to its block: normal, and the kinds that its laws claim. */
void trui_problem_contact_rows(tru_problem *pb, block *b, const contact *c);
/* Computes rho [impulse/velocity] of each kind of a contact from its two bodies. */
void trui_problem_contact_metric(const contact *c, const problem_body *a, const problem_body *b,
                                 double metric[TRU_KINDS]);
/* Fills the matrix, chooses metrics and eliminates viscous impulses and bilateral rows. Returns false without memory, or if the
 * bilateral rows are singular. */
bool trui_problem_assemble(tru_problem *pb);
/* Fills the vectors of all rows and chooses metrics, for solvers without a matrix. */
void trui_problem_rows(tru_problem *pb);
/* Sets velocity scales, and turns r = W^T u_free + bias into that of the problem after eliminations. */
void trui_problem_free_rates(tru_problem *pb);
/* Computes impulses and rates of the eliminated bilateral rows, and their residual into info.joint and joint_turn. */
void trui_problem_hold(tru_problem *pb, tru_solve_info *info);
/* Computes u = G p + r. */
void trui_problem_rates(const tru_problem *pb, const double *p, double *u);
/* Evaluates the natural map f = p - proj(p - rho u) [impulse], and stores which kinds stick in the blocks. `d` gets the derivative
 * of each block's projection, BLOCK_ROOM doubles each; NULL: not needed. Returns the largest residual, a velocity relative to the
 * speed of its block. */
double trui_problem_evaluate(tru_problem *pb, const double *p, const double *u, double *f, double *d);
#define BLOCK_ROOM (TRU_ROWS * TRU_ROWS) /* row major with stride TRU_ROWS, packed rows */
/* Projects x onto the set of one block, with the derivative if d is not NULL, and which kinds stick. */
void trui_block_project(const block *b, const double *x, const double *u, double *y, double *d, uint32_t *stuck);
/* Reports the residual per row kind and the worst block, from f. */
void trui_problem_report(const tru_problem *pb, const double *f, tru_solve_info *info);
/* Computes all impulses of a block, viscous ones included: q = p - D u in its packed rows, with p and u of the whole problem. */
void trui_block_impulses(const block *b, const double *p, const double *u, double q[TRU_ROWS]);
/* Returns row k of D u, the opposite of the viscous impulse. */
double trui_block_viscous(const tru_problem *pb, const block *b, int k);
/* Sets rho of the packed rows from the metric of the kinds. */
void trui_block_spread_metric(block *b);
/* Returns the largest eigenvalue of a 2 x 2 block whose rows lie n apart. It is the same in every tangent frame. */
static inline double largest_eigenvalue(const double *g, int n) {
    const double half = 0.5 * (g[0] - g[n + 1]), across = 0.5 * (g[1] + g[n]);
    return 0.5 * (g[0] + g[n + 1]) + sqrt(half * half + across * across);
}
/* Returns the kind of a contact row. */
static inline int row_kind(int row) { return row == 0 ? TRU_KIND_NORMAL : LAW_KIND_OF_ROW(row - 1); }

/* Default parameters of newton. */
#define NEWTON_TOLERANCE 1e-12 /* [-] relative residual: round-off */
#define NEWTON_STEPS     100   /* [steps] at most */

/* The solvers that other code names; src/api/registry.def lists all. */
extern const tru_solver tru_solver_newton, tru_solver_proxnewton, tru_solver_ngs, tru_solver_sor;

#endif
