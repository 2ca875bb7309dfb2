/* step.h: a step under way: what is known of its bodies and contacts while it is taken, its beginning and its end. */
#ifndef TRUNDLE_STEP_STEP_H
#define TRUNDLE_STEP_STEP_H

#include "base/assert.h"
#include "detect/find_contacts.h"
#include "solvers/one_contact/one_contact.h"

/* A function that is compiled into every caller, once per kind of lot (lot/lot.h). */
#define LOT_TEXT static inline __attribute__((always_inline))

enum { BODY_GRAIN = 1024, CONTACT_GRAIN = 512 }; /* so many of them are worth a thread */

/* What is known of a body within a step where something turns, loads act or overlaps are closed: nothing a heap of balls needs. */
typedef struct body_dynamics {
    tru_vec3 force, torque; /* [N], [N m] of loads, world axes, middle of the step */
    tru_mat3 inertia;       /* [kg m^2] world, middle pose */
    tru_vec3 gyro_rate;     /* [rad/s] where the gyroscopic torque was taken */
    tru_vec3 x_placed;      /* [m] before overlaps are closed */
    body_gains gains;       /* of the body, as they were */
    double gained;          /* [J] by turning freely (track) */
    bool separate;          /* it has no contact, or one that is solved alone; only where something turns */
    bool linear;            /* and the gyroscopic torque follows the mean rate from gyro_rate on to first order */
} body_dynamics;

/* A body within a step. */
typedef struct body_step {
    twist start;             /* at the start */
    body_dynamics *dynamics; /* of every body or, NULL, of none */
} body_step;

/* A joint in an impact by Poisson's law. */
typedef struct joint_strike {
    bool struck;                    /* it hangs together with what strikes */
    double impulse[TRU_JOINT_ROWS]; /* [N s], [N m s] */
} joint_strike;

/* What is to be announced at the end of a step (events.c). */
typedef struct step_due {
    uint8_t *now, *lift, *rest; /* beside contacts, those of the step before, bodies */
    double (*rate)[TRU_ROWS];   /* beside contacts: at the end, of those whose modes changed */
} step_due;

typedef struct step {
    tru_world *w;
    double h;     /* [s] */
    double acts;  /* [s] how long laws act: h, in an impact 0 */
    double time;  /* [s] at the start */
    double fall;  /* [m/s] |gravity| h */
    double speed; /* [m/s] what residuals are measured by, at least: fall; of an impact without gravity: its own */
    body_step *body_steps; /* beside bodies */
    twist *free;           /* beside bodies: velocities at the end without contacts */
    problem_body *inverse; /* beside bodies */
    double *
        size; /* [m] beside bodies: theirs, with a minus sign unless they are free; set by trui_inertia_here; NULL: nobody asks */
    tru_problem problem;
    bool has_contacts; /* the contacts of the world are those of this step, so that an undo brings back the last */
    bool timed;        /* the stepper has announced touch, lift, slip and stick itself */
    bool by_force;     /* contacts lift when they carry nothing, not when their gap opens */
    one_contact *one_contacts; /* contacts that are solved alone, and */
    size_t one_contact_count;
    const uint32_t *others;     /* the contacts of `problem`; NULL: all */
    double (*seen)[TRU_ROWS];   /* beside contacts: rates the laws acted on, up to theta */
    bool turning;               /* some body has a gyroscopic torque */
    bool spins_free;            /* gyroscopic torques are those of the mean rates that bodies have without contacts */
    bool driven;                /* some body is */
    bool ends;                  /* laws act on the velocities at the end of the step, and poses move with them */
    normal_terms *normal_terms; /* beside contacts: what they have beyond their laws; NULL: nothing */
    double (*struck)[TRU_ROWS]; /* beside contacts: impulses of an impact that went before (impact.c); NULL: none did */
    joint_strike *struck_joints; /* beside joints: the same of them */
    const twist *unstruck; /* per body: velocities before joints were struck at the start (jolt.c); NULL: none were */
    bool was_moved;        /* tru_world.moved before that */
    bool jolt_unsolved;    /* that solve did not converge */
    const twist *kicked;   /* beside bodies: velocities without contacts and impacts (cone) */
    uint32_t *parent; /* beside bodies: those that hang together lead to the same one (islands.c); NULL: not known */
    bool hit;         /* some contact is an impact */
    bool *jolted;     /* beside bodies: an impact went through what they hang together with; NULL: none did */
    unsigned found;   /* CONTACT_* of its contacts: of those that carry something, and CONTACT_DEEP of all */
    bool parts;       /* contacts that carried nothing were only near: account marks them (CONTACT_APART) */
    bool strikes;     /* only islands with an impact are to be solved */
    step_due due;
    tru_solve_info impact; /* of what went before */
    tru_ledger ledger;     /* at the start */
    joint *joints;         /* as they were at the start */
    tru_solve_info info;
} step;

/* Rates of all six rows at the contact's middle geometry for given velocities. */
static inline void middle_rates(const contact *c, const twist *a, const twist *b, double u[TRU_ROWS]) {
    rates_of_rows(c->c.normal, c->c.t1, c->c.t2, c->c.arm_a, c->c.arm_b, a, b, u);
}

/* The first of them: of the normal row. [m/s] */
static inline double middle_rate(const contact *c, const twist *a, const twist *b) {
    const tru_vec3 va = v3_add(a->v, v3_cross(a->w, c->c.arm_a)), vb = v3_add(b->v, v3_cross(b->w, c->c.arm_b));
    return v3_dot(v3_sub(va, vb), c->c.normal);
}

/* [1/kg] What the normal row of a contact yields by in a step h: compliance / h^2. */
static inline double contact_soft(const contact *c, double h) { return c->pair->compliance / (h * h); }

/* Its impulse without that of an impact that went before. [N s], [N m s] */
static inline double contact_rest(const contact *c, int row) {
    return c->flags & CONTACT_STRUCK ? c->impulse[row] - c->end->last[row] : c->impulse[row];
}

/* Bodies that hang together: each leads to another of them, the last to itself. */
static inline uint32_t bodies_root(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) {
        TRU_ASSERT(parent[i] < i); /* bodies_join lets the higher index lead to the lower one */
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static inline void bodies_join(uint32_t *parent, uint32_t a, uint32_t b) {
    a = bodies_root(parent, a);
    b = bodies_root(parent, b);
    TRU_ASSERT(parent[a] == a && parent[b] == b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* Is a touching or jointed body with these velocities slower than that? */
static inline bool body_rests(const body *b, tru_vec3 v, tru_vec3 w, double slow) {
    return b->contacts + b->joints > 0 && v3_norm2(v) + b->size * b->size * v3_norm2(w) < slow * slow;
}

/* A contact as its laws see it in the step, after collide. */
static inline void step_view(const step *s, const contact *c, tru_contact *out) {
    const solid *solids = s->w->solids.items;
    trui_contact_view(c, &solids[c->solid_a].pose, &solids[c->solid_b].pose, s->w->bodies.items[c->a].x, s->acts, out);
}

/* Row kinds of a new contact that do not move at all: what is laid down at rest holds like what came to rest. */
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

/* Remember the start, look up driven velocities. */
tru_status trui_step_begin(step *s, tru_world *w, double h, tru_error *err);
/* Room for what a step of the bodies may need beyond velocities, and for poses in the middle of it; trui_step_begin makes it where
 * something turns or loads act. */
tru_status trui_step_reserve_dynamics(step *s, tru_error *err);
/* The world is as before the step; returns `failed`. */
tru_status trui_step_undo(step *s, tru_status failed);

/* ---- what steppers ask of a world */

/* Refuse pairs with compliance: the stepper of this name has rigid contacts. */
tru_status trui_ready_rigid(const tru_world *w, const char *stepper, tru_error *err);
/* [m] Size of the smallest free body, 0 without one: what margins are measured by. */
double trui_smallest_free(const tru_world *w);

extern const tru_stepper tru_stepper_moreau, tru_stepper_cone, tru_stepper_event, tru_stepper_variational,
    tru_stepper_track;

#endif
