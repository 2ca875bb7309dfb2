/* plan.h: which solver gets which part of a step's contacts, and what follows if it fails [solvers 7].
 *
 * A part is one contact, an island, a mechanism or everything. Its facts are plain data; trui_plan_choose returns the first rule
 * of one table that applies to them. step/solve executes the attempts of that rule in one loop (execute.c). */
#ifndef TRUNDLE_SOLVERS_PLAN_PLAN_H
#define TRUNDLE_SOLVERS_PLAN_PLAN_H

#include "solvers/sweep_problem/sweep_problem.h"

/* Every threshold of the choice. The two that users may change belong to the chosen solver: see solver_choice. */
typedef struct solver_limits {
    uint32_t
        ordered_contacts; /* [contacts] of an island whose bodies are still numbered for a factorisation; numbering a larger
                                   one costs more than its sweeps */
    uint32_t try_contacts; /* [contacts] of a hard island that proxnewton tries before sweeps */
    int32_t try_steps;     /* [Newton steps] of that try; an island at rest needs no more */
    int32_t
        rescue_sweeps; /* [sweeps] that end a solve as failed, and that rescue what a factorisation left unsolved; a user
                                   limit below disables the fallback */
    double rescue_tolerance; /* [-] of the default tolerance of ngs: a stack solved less well rocks; also accepted where
                                   newton or proxnewton stall short of round-off */
    double uneven_ratio; /* [-] mass ratio of touching bodies from which sweeps converge slowly; measured on heaps of
                                   1 : 2 : 5 in size */
    size_t dense_rows;   /* [rows] of joints and contacts up to which a dense matrix is cheaper than a sparse one */
    size_t rows_per_contact; /* [rows] that a contact counts in that sum */
    double newton_tolerance; /* [-] relative residual that newton is to reach: round-off */
    int32_t newton_steps;    /* [Newton steps] at most */
    int32_t faces_per_pair;  /* [contacts] per touching pair of bodies from which they lie on faces, with self-stress */
} solver_limits;
extern const solver_limits trui_solver_limits;

/* The solver that the user chose, with the two thresholds that are fields of it (stopping.h has their defaults). */
typedef struct solver_choice {
    const tru_solver *solver;
    const void *params;
    uint32_t dense_limit;      /* [contacts] of an island for newton; 0 if the solver does not sweep */
    int32_t factor_cost_limit; /* [sweeps] that a factorisation may cost; 0: proxnewton takes only what sweeps cannot */
} solver_choice;
solver_choice trui_solver_choice(const tru_solver *solver, const void *params);

/* Facts that cost a pass over the island, measured when a rule first asks for them. */
typedef enum island_fact { FACT_FACES = 1, FACT_LIMITS = 2, FACT_MASSES = 4, FACT_COST = 8 } island_fact;

typedef struct island_facts {
    uint32_t contacts;      /* of the part */
    uint32_t step_contacts; /* of the whole step */
    size_t joint_rows;      /* of joints in the part, at most */
    bool joints;            /* has joints */
    bool singular;          /* the dense matrix of the joints could not be factorised, or was not built */
    bool separate;          /* one contact in the exact form whose bodies have no other contact or joint */
    bool whole;             /* the stepper does not divide its contacts into islands */
    bool apart;             /* sweeps over all loose islands together have failed */
    unsigned known;         /* island_fact bits that are measured already */
    bool faces;             /* at least faces_per_pair contacts per touching pair */
    bool constant_limits;   /* no law has limits that change within a solve: sweeps can take it */
    double mass_ratio;      /* [-] of touching free bodies, where above uneven_ratio; else 1 */
    double
        factor_cost; /* [block products] of a factorisation, each about as expensive as one contact of a sweep; negative:
                               no memory */
    void (*measure)(struct island_facts *facts, island_fact fact);
    void *context; /* of measure */
} island_facts;

/* The facts that are measured on demand. */
bool trui_fact_faces(island_facts *f);
bool trui_fact_limits(island_facts *f);
double trui_fact_masses(island_facts *f);
double trui_fact_cost(island_facts *f);

/* How an attempt is made. */
typedef enum plan_call {
    CALL_NONE,     /* no further attempt */
    CALL_ONE,      /* Newton's method on one contact */
    CALL_SOLVE,    /* the problem from the impulses of the last step, or of the attempt before */
    CALL_CONTINUE, /* proxnewton on the same problem from where newton stopped; the better result stays */
    CALL_REBUILD,  /* proxnewton on the problem without its dense matrix, from where newton was best */
    CALL_TRY,      /* a few steps; a result that did not converge is dropped */
    CALL_SWEEP,    /* sweeps over this part alone */
    CALL_RESCUE,   /* many sweeps after a factorisation; the better result stays */
    CALL_SWEEP_ALL /* sweeps over all loose islands together */
} plan_call;

typedef enum plan_solver { USE_CHOSEN, USE_DENSE, USE_NEWTON, USE_PROXNEWTON, USE_NGS } plan_solver;

typedef struct plan_attempt {
    plan_call call;
    plan_solver solver;
} plan_attempt;

enum { PLAN_ATTEMPTS = 4 };

typedef struct plan_rule {
    tru_solver_rule told; /* name, sentence, solver and fallback in words */
    bool (*applies)(const solver_choice *choice, island_facts *facts);
    plan_attempt attempts[PLAN_ATTEMPTS]; /* in order, each only if the one before did not converge (trui_plan_wants) */
    bool close;                           /* a result within rescue_tolerance counts as solved */
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

/* The first class that applies. */
plan_class trui_plan_choose(const solver_choice *choice, island_facts *facts);
const plan_rule *trui_plan_rule(plan_class c);
/* Writes the k-th threshold of the rules to *out; returns false past the end. */
bool trui_plan_limit(const solver_choice *choice, size_t k, tru_solver_limit *out);
/* Counts `parts` parts with `contacts` contacts each for a class. */
void trui_plan_count(tru_profile *profile, plan_class c, uint64_t parts, uint64_t contacts);
/* The solver of an attempt. USE_DENSE: the chosen one, or newton if that needs no matrix. */
const tru_solver *trui_plan_solver(const solver_choice *choice, plan_solver use);
/* True if a factorisation of the island is cheap: at most factor_cost_limit sweeps over it. */
bool trui_plan_is_cheap(const solver_choice *choice, island_facts *facts);
/* [-] Relative residual that counts as solved where newton and proxnewton stall. */
double trui_plan_close(void);
/* True if sweeps stopped at their limit and that was not a low one of the user. */
bool trui_plan_swept_out(tru_status status, const tru_solve_info *info);

/* Parameters of an attempt; params points to one of the others or to the user's. */
typedef struct plan_params {
    const void *params;
    tru_newton newton;
    tru_proxnewton proxnewton;
    tru_ngs ngs;
} plan_params;
void trui_plan_parameters(const solver_choice *choice, const plan_attempt *attempt, plan_params *out);
/* Parameters of newton, also of one contact: the user's if newton was chosen. */
tru_newton trui_plan_newton(const solver_choice *choice);

#endif
