/* step.h: a step under way: what is known of its bodies and contacts while it is taken, its beginning and its end. */
#ifndef TRUNDLE_STEP_STEP_H
#define TRUNDLE_STEP_STEP_H

#include "base/assert.h"
#include "detect/find_contacts.h"
#include "solvers/one_contact/one_contact.h"

/* A function that is compiled into every caller, once per kind of lot (lot/lot.h). */
#define LOT_TEXT static inline __attribute__((always_inline))

enum {
    BODY_GRAIN = 1024,
    CONTACT_GRAIN = 512
}; /* least bodies or contacts per thread: fewer cost more to share than to do */

/* A body within a step in which some body is anisotropic, loads act or overlaps are closed; a heap of balls has none of it. */
typedef struct body_dynamics {
    tru_vec3 force, torque; /* [N], [N m] of loads, world axes, middle of the step */
    tru_mat3 inertia;       /* [kg m^2] world, middle pose */
    tru_vec3 gyro_rate;     /* [rad/s] where the gyroscopic torque was taken */
    tru_vec3 x_placed;      /* [m] before overlaps are closed */
    body_gains gains;       /* of the body at the start, for an undo */
    double gained;          /* [J] by turning freely (track) */
    bool separate;          /* it has no contact, or one that is solved alone; set if step.turning */
    bool linear;            /* its gyroscopic torque follows the mean rate to first order about gyro_rate */
} body_dynamics;

/* A body within a step. */
typedef struct body_step {
    twist start;             /* velocities at the start */
    body_dynamics *dynamics; /* NULL for all bodies if the step needs none */
} body_step;

/* A joint in an impact by Poisson's law. */
typedef struct joint_strike {
    bool struck;                    /* contacts and joints connect it with an impact */
    double impulse[TRU_JOINT_ROWS]; /* [N s], [N m s] */
} joint_strike;

/* Events that are due at the end of a step (events.c). */
typedef struct step_due {
    uint8_t *now, *lift, *rest; /* per contact, per contact of the step before, per body */
    double (*rate)[TRU_ROWS];   /* per contact whose modes changed: rates at the end */
} step_due;

typedef struct step {
    tru_world *w;
    double h;     /* [s] */
    double acts;  /* [s] how long laws act: h, in an impact 0 */
    double time;  /* [s] at the start */
    double fall;  /* [m/s] |gravity| h */
    double speed; /* [m/s] least scale of residuals: fall; in an impact without gravity, the speed of the impact */
    body_step *body_steps; /* per body */
    twist *free;           /* per body: velocities at the end without contacts */
    problem_body *inverse; /* per body */
    double *size;          /* [m] per body, negative if it is not free; trui_inertia_here sets it; NULL if unused */
    tru_problem problem;
    bool has_contacts; /* contacts of the world are those of this step; an undo restores those of the step before */
    bool timed;        /* the stepper emitted touch, lift, slip and stick itself */
    bool by_force;     /* a contact lifts when it carries no impulse, not when its gap opens */
    one_contact *one_contacts; /* contacts that are solved alone */
    size_t one_contact_count;
    const uint32_t *others;      /* the contacts of `problem`; NULL: all */
    double (*seen)[TRU_ROWS];    /* per contact: rates that the laws acted on, without the factor theta */
    bool turning;                /* some body has a gyroscopic torque */
    bool spins_free;             /* gyroscopic torques are those of the mean rates that bodies have without contacts */
    bool driven;                 /* some body is driven */
    bool ends;                   /* laws act on the velocities at the end of the step, and poses move with them */
    normal_terms *normal_terms;  /* per contact: terms of the normal row beyond its laws; NULL if there are none */
    double (*struck)[TRU_ROWS];  /* per contact: impulses of the impact before the step (impact.c); NULL without one */
    joint_strike *struck_joints; /* per joint: the same */
    const twist *unstruck; /* per body: velocities before joints were struck at the start (jolt.c); NULL: none were */
    bool was_moved;        /* tru_world.moved before that */
    bool jolt_unsolved;    /* that solve did not converge */
    const twist *kicked;   /* per body: velocities without contacts and impacts (cone) */
    uint32_t *parent;      /* per body: connected bodies have the same root (bodies_root, islands.c); NULL if unknown */
    bool hit;              /* some contact is an impact */
    bool *jolted;          /* per body: an impact went through its island; NULL without one */
    unsigned found;        /* CONTACT_* flags of contacts with an impulse, and CONTACT_DEEP of all */
    bool parts;            /* trui_ledger_book marks contacts without an impulse as only near (CONTACT_APART) */
    bool strikes;          /* only islands with an impact are solved */
    step_due due;
    tru_solve_info impact; /* of the impact before the step */
    tru_ledger ledger;     /* at the start, for an undo */
    joint *joints;         /* at the start, for an undo */
    tru_solve_info info;
} step;

/* Computes the rates of all six rows for given velocities, in the geometry where the laws act. */
static inline void middle_rates(const contact *c, const twist *a, const twist *b, double u[TRU_ROWS]) {
    rates_of_rows(c->c.normal, c->c.t1, c->c.t2, c->c.arm_a, c->c.arm_b, a, b, u);
}

/* [m/s] Returns the rate of the normal row alone. */
static inline double middle_rate(const contact *c, const twist *a, const twist *b) {
    const tru_vec3 va = v3_add(a->v, v3_cross(a->w, c->c.arm_a)), vb = v3_add(b->v, v3_cross(b->w, c->c.arm_b));
    return v3_dot(v3_sub(va, vb), c->c.normal);
}

/* [1/kg] Returns what the normal row of a contact yields per impulse and step: compliance / h^2. */
static inline double contact_soft(const contact *c, double h) { return c->pair->compliance / (h * h); }

/* [N s], [N m s] Returns the impulse of a row without that of an impact before the step. */
static inline double contact_rest(const contact *c, int row) {
    return c->flags & CONTACT_STRUCK ? c->impulse[row] - c->end->last[row] : c->impulse[row];
}

/* Returns the root of connected bodies (union-find with path halving): the lowest index that a body leads to. */
static inline uint32_t bodies_root(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) {
        TRU_ASSERT(parent[i] < i); /* bodies_join lets the higher index lead to the lower one */
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Connects the sets of two bodies. */
static inline void bodies_join(uint32_t *parent, uint32_t a, uint32_t b) {
    a = bodies_root(parent, a);
    b = bodies_root(parent, b);
    TRU_ASSERT(parent[a] == a && parent[b] == b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* True if a touching or jointed body with these velocities is slower than `slow` [m/s]. */
static inline bool body_rests(const body *b, tru_vec3 v, tru_vec3 w, double slow) {
    return b->contacts + b->joints > 0 && v3_norm2(v) + b->size * b->size * v3_norm2(w) < slow * slow;
}

/* Fills the view of a contact that its laws get, after trui_find_contacts. */
static inline void step_view(const step *s, const contact *c, tru_contact *out) {
    const solid *solids = s->w->solids.items;
    trui_contact_view(c, &solids[c->solid_a].pose, &solids[c->solid_b].pose, s->w->bodies.items[c->a].x, s->acts, out);
}

/* Returns the row kinds of a new contact that do not move at all: a body laid down at rest sticks like one that came to rest. */
static inline uint32_t rates_at_rest(const double start[TRU_ROWS]) {
    uint32_t still = 0;
    if (start[1] == 0.0 && start[2] == 0.0) still |= TRU_KIND_BIT(TRU_KIND_SLIDE);
    if (start[3] == 0.0) still |= TRU_KIND_BIT(TRU_KIND_SPIN);
    if (start[4] == 0.0 && start[5] == 0.0) still |= TRU_KIND_BIT(TRU_KIND_ROLL);
    return still;
}

/* [m/s] A millionth of what gravity adds in the step: what moves slower counts as at rest. */
static inline double flat_speed(const step *s) { return 1e-6 * s->fall; }

/* ---- begin and end */

/* Clears the step, keeps the bodies' start and looks up driven velocities. */
tru_status trui_step_begin(step *s, tru_world *w, double h, tru_error *err);
/* Reserves body_dynamics of all bodies and w->middle; trui_step_begin does it if a body is anisotropic or loads act. */
tru_status trui_step_reserve_dynamics(step *s, tru_error *err);
/* Restores bodies, joints and ledger of the start; returns `failed`. */
tru_status trui_step_undo(step *s, tru_status failed);

/* ---- what steppers ask of a world */

/* Refuses pairs with compliance: the stepper of this name has rigid contacts. */
tru_status trui_ready_rigid(const tru_world *w, const char *stepper, tru_error *err);
/* [m] Returns the size of the smallest free body, 0 without one; margins are parts of it. */
double trui_smallest_free(const tru_world *w);

/* The steppers that other code names; src/api/registry.def lists all. */
extern const tru_stepper tru_stepper_moreau, tru_stepper_variational, tru_stepper_track;

#endif
