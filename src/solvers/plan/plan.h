/* plan.h: which solver gets which part of a step's contacts, and what follows if it fails [solvers 7].
 *
 * A part is one contact, an island, a mechanism or everything. Its facts are plain data. trui_plan_choose returns the first rule
 * of one table that applies to them. A rule lists attempts, each with what it needs. step/solve/execute.c makes them in one loop
 * and asks trui_plan_wants between them. No other file chooses a solver. */
#ifndef TRUNDLE_SOLVERS_PLAN_PLAN_H
#define TRUNDLE_SOLVERS_PLAN_PLAN_H

#include "solvers/sweep_problem/sweep_data.h"

/* Every threshold of the choice, with its unit. The two that users may change are fields of the chosen solver (solver_choice). */
typedef struct solver_limits {
    /* [contacts] largest island whose bodies are numbered for a factorisation; numbering a larger one costs more than its sweeps */
    uint32_t ordered_contacts;
    uint32_t try_contacts; /* [contacts] largest hard island that proxnewton tries before sweeps */
    int32_t try_steps;     /* [Newton steps] of that try; an island at rest needs fewer */
    /* [sweeps] that end a solve as failed, and that rescue what a factorisation left unsolved; a lower user limit disables the
     * fallback */
    int32_t rescue_sweeps;
    /* [-] times the default tolerance of ngs: a stack solved less well rocks; results of newton and proxnewton that stall above
     * round-off are accepted below it. A lower tolerance of the user holds for fallbacks too. */
    double rescue_tolerance;
    double uneven_ratio;     /* [-] mass ratio of touching bodies that slows sweeps; from heaps of sizes 1 : 2 : 5 */
    size_t dense_rows;       /* [rows] of joints and contacts up to which a dense matrix is cheaper than a sparse one */
    size_t rows_per_contact; /* [rows] that a contact counts in that sum */
    double newton_tolerance; /* [-] relative residual that newton shall reach: round-off */
    int32_t newton_steps;    /* [Newton steps] at most */
    double newton_enough; /* [-] relative residual of newton that suffices for a small island: proxnewton's tolerance */
    int32_t faces_per_pair; /* [contacts] per touching pair of bodies from which they lie on faces, with self-stress */
    int32_t revise_rounds;  /* [solves] of one problem at most, while laws change their sets */
} solver_limits;
extern const solver_limits trui_solver_limits;

/* The solver that the user chose, with the two thresholds that are fields of it. */
typedef struct solver_choice {
    const tru_solver *solver;
    const void *params;        /* of the solver */
    uint32_t dense_limit;      /* [contacts] of an island for newton; 0 if the solver does not sweep */
    int32_t factor_cost_limit; /* [sweeps] that a factorisation may cost; 0: proxnewton takes only what sweeps cannot */
} solver_choice;
/* Returns the choice of a solver with its parameters. */
solver_choice trui_solver_choice(const tru_solver *solver, const void *params);

/* Facts that cost a pass over the island, measured when a rule first needs them. */
typedef enum island_fact { FACT_FACES = 1, FACT_LIMITS = 2, FACT_MASSES = 4, FACT_COST = 8 } island_fact;

/* Whether joints and contacts have a dense matrix. */
typedef enum matrix_state {
    MATRIX_OPEN,  /* not decided: the number of rows decides */
    MATRIX_DENSE, /* built and factorised */
    MATRIX_NONE   /* not built, or singular */
} matrix_state;

/* Facts of a part, from which the plan chooses. */
typedef struct island_facts {
    uint32_t contacts;      /* of the part */
    uint32_t step_contacts; /* of the whole step */
    size_t joint_rows;      /* of joints in the part, at most */
    bool joints;            /* has joints */
    matrix_state matrix;    /* of a part with joints */
    bool separate;          /* one contact in the exact form whose bodies have no other contact or joint */
    bool special_normals;   /* normal rows with compliance or a least impulse, or an impact: not for one_contact */
    bool whole;             /* the stepper does not divide its contacts into islands */
    bool apart;             /* sweeps over all loose islands together have failed */
    unsigned known;         /* island_fact bits that are measured already */
    bool faces;             /* at least faces_per_pair contacts per touching pair */
    bool constant_limits;   /* no law has limits that change within a solve: sweeps can take it */
    double mass_ratio;      /* [-] of touching free bodies, where above uneven_ratio; else 1 */
    /* [block products] of a factorisation, each about as expensive as one contact of a sweep; negative: no memory */
    double factor_cost;
    void (*measure)(struct island_facts *facts, island_fact fact);
    void *context; /* of measure */
} island_facts;

/* Return the facts that are measured on demand. */
bool trui_fact_faces(island_facts *f);
bool trui_fact_limits(island_facts *f);
double trui_fact_masses(island_facts *f);
double trui_fact_cost(island_facts *f);

/* How an attempt is made. */
typedef enum plan_call {
    CALL_NONE,      /* no further attempt */
    CALL_ONE,       /* Newton's method on one contact */
    CALL_SOLVE,     /* the problem from the impulses of the last step, or of the attempt before */
    CALL_CONTINUE,  /* proxnewton on the same problem from where newton stopped; the better result stays */
    CALL_REBUILD,   /* proxnewton on the problem without its dense matrix, from where newton was best */
    CALL_TRY,       /* a few steps; a result that did not converge is dropped */
    CALL_SWEEP,     /* sweeps over this part alone */
    CALL_RESCUE,    /* many sweeps after a factorisation; the better result stays */
    CALL_SWEEP_ALL, /* sweeps over all loose islands together */
    CALL_DIVIDE     /* each loose island by itself */
} plan_call;

/* What solves an attempt. */
typedef enum plan_solver {
    USE_CHOSEN,     /* the chosen solver */
    USE_DENSE,      /* the chosen one, or newton if that needs no matrix */
    USE_NEWTON,     /* newton */
    USE_PROXNEWTON, /* proxnewton */
    USE_NGS         /* ngs */
} plan_solver;

/* What must hold of the attempts before, none of which converged, for an attempt to be made. trui_plan_wants tests the bits in
 * this order, so cheap conditions stand before those that measure a fact. */
typedef enum plan_need {
    NEED_NEWTON = 1,            /* the first attempt was made by newton */
    NEED_NO_BILATERAL = 2,      /* the problem eliminated no bilateral rows */
    NEED_BILATERAL = 4,         /* the problem eliminated bilateral rows */
    NEED_DENSE = 8,             /* the problem has a dense matrix */
    NEED_FALLBACK = 16,         /* the chosen solver allows a fallback */
    NEED_MORE = 32,             /* the residual is above that which suffices for the rule (trui_plan_enough) */
    NEED_SWEPT_OUT = 64,        /* sweeps stopped at their limit, and it was not a low one of the user */
    NEED_FEW = 128,             /* the part is small enough to be divided */
    NEED_CHEAP = 256,           /* a factorisation costs at most factor_cost_limit sweeps */
    NEED_NOT_SWEPT = 512,       /* the present result is not that of sweeps */
    NEED_FAR = 1024,            /* the present result is not close (trui_plan_is_close) */
    NEED_CONSTANT_LIMITS = 2048 /* sweeps can take the laws */
} plan_need;

/* One attempt of a rule. */
typedef struct plan_attempt {
    plan_call call;
    plan_solver solver;
    unsigned needs; /* plan_need bits */
} plan_attempt;

enum { PLAN_ATTEMPTS = 4 };

/* One rule of the plan. */
typedef struct plan_rule {
    tru_solver_rule told; /* name, sentence, solver and fallback in words */
    bool (*applies)(const solver_choice *choice, island_facts *facts);
    plan_attempt attempts[PLAN_ATTEMPTS]; /* in order, each only if those before did not converge and its needs hold */
    int regular;                          /* attempts that count as the rule's solver; later ones are its fallback */
    bool close;                           /* a result within rescue_tolerance counts as solved */
    bool enough;                          /* newton_enough suffices: continuing newton gains nothing */
} plan_rule;

/* Classes in the order of the rules: the first that applies is chosen. */
typedef enum plan_class {
    PLAN_ONE_CONTACT,
    PLAN_JOINTS,
    PLAN_MANY_JOINTS,
    PLAN_AS_CHOSEN,
    PLAN_WHOLE,
    PLAN_SMALL,
    PLAN_VARIABLE_LAWS,
    PLAN_STACK,
    PLAN_SMALL_HARD,
    PLAN_HARD,
    PLAN_LOOSE
} plan_class;

/* The result of the attempts so far, from which the plan decides what follows. */
typedef struct plan_result {
    double relative;    /* [-] largest relative residual */
    int32_t iterations; /* of the solver */
    bool by_sweeps;     /* the result is that of sweeps */
    bool problem;       /* the result is that of a problem with blocks; the next two describe it */
    bool dense;         /* it has a dense matrix */
    bool bilateral;     /* it eliminated bilateral rows */
} plan_result;

/* Returns the first class that applies. */
plan_class trui_plan_choose(const solver_choice *choice, island_facts *facts);
/* Returns the rule of a class. */
const plan_rule *trui_plan_rule(plan_class c);
/* Writes the k-th threshold of the rules to *out; returns false past the end. */
bool trui_plan_limit(const solver_choice *choice, size_t k, tru_solver_limit *out);
/* Counts `parts` parts with `contacts` contacts each for a class. */
void trui_plan_count(tru_profile *profile, plan_class c, uint64_t parts, uint64_t contacts);
/* Returns the solver of an attempt. */
const tru_solver *trui_plan_solver(const solver_choice *choice, plan_solver use);
/* Returns true if attempt i of a rule shall be made after attempts that did not converge. */
bool trui_plan_wants(const plan_rule *rule, int i, const solver_choice *choice, island_facts *facts,
                     const plan_result *result);
/* Returns true if the first attempt of the part's rule needs a dense matrix. */
bool trui_plan_is_dense(const solver_choice *choice, island_facts *facts);
/* Returns true if a problem whose dense matrix cannot be factorised is solved without one: a dead centre of a mechanism. */
bool trui_plan_drops_matrix(const solver_choice *choice, bool joints);
/* Returns true if so few loose contacts are divided into islands when sweeps over all of them fail. */
bool trui_plan_divides(size_t contacts);
/* Returns true if a result that did not converge counts as solved by its rule: it is within rescue_tolerance, and within the
 * tolerance of a chosen solver by sweeps. */
bool trui_plan_is_close(const solver_choice *choice, const plan_rule *rule, const plan_result *result);
/* Returns true if an unconverged result of joints counts as solved: another solver than the chosen one solved them, as closely. */
bool trui_plan_is_close_for_joints(const solver_choice *choice, const plan_result *result);

/* Parameters of an attempt; params points to one of the others or to the user's. */
typedef struct plan_params {
    const void *params;
    tru_newton newton;
    tru_proxnewton proxnewton;
    tru_ngs ngs;
} plan_params;
/* Fills in the parameters of attempt i of a rule. */
void trui_plan_parameters(const solver_choice *choice, const plan_rule *rule, int i, plan_params *out);
/* Returns the parameters of newton, also for one contact: the user's if newton was chosen. */
tru_newton trui_plan_newton(const solver_choice *choice);

#endif
