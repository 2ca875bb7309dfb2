/* glide.h: one sphere or disk that stays on one plane with one contact, step after step: what `cruise` of moreau and of cone
 * have in common. A step that is not like the one before it is left to the stepper, with the world as it was. */
#ifndef TRUNDLE_STEP_ONE_BODY_GLIDE_H
#define TRUNDLE_STEP_ONE_BODY_GLIDE_H

#include "shapes/rim.h"
#include "world/books.h"
#include "step/verbs_one.h"
#include "step/solve/one_contacts.h"
#include "step/verbs.h"

#define GLIDE_HISTORY 8 /* doubles of a contact's history, at most */

/* The moving part of a body. */
typedef struct glide_pose {
    tru_vec3 x;
    tru_quat q;
    tru_vec3 v, w;
    body_gains gains;
} glide_pose;

typedef struct glide {
    step s;                  /* with room for two bodies: */
    body_step body_steps[2]; /* beside the world's bodies */
    body_dynamics dynamics[2];
    twist free[2];
    problem_body inverse[2];
    double seen[1][TRU_ROWS];
    body *a; /* the one that moves */
    const body *b;
    const solid *on_a, *on_b;
    tru_vec3 normal;     /* [-] of the plane */
    bool rim;            /* of a disk; else a sphere's surface touches */
    double radius;       /* [m] of sphere or rim */
    double rim_z;        /* [m] of that rim in the disk's axes, the other is at -rim_z */
    contact contacts[2]; /* of the last step and of this one */
    contact_end ends[2];
    double memory[2][GLIDE_HISTORY];
    contact *old, *c;
    one_contact one_contact;
    tru_newton newton;
    double slow;       /* [m/s] below which a body rests */
    glide_pose before; /* the start of this step, */
    tru_ledger ledger; /* to go back to */
} glide;

/* Is the world such a one? Then what does not change from step to step is looked up. keeps: KEEP_* of its contacts. */
bool trui_glide_begin(glide *g, tru_world *w, double h, unsigned keeps);
/* The contact of the last step that was taken into the world. */
void trui_glide_end(glide *g);

/* A point of the shape and its gap. */
typedef struct glide_point {
    tru_vec3 local; /* [m] shape axes */
    tru_vec3 arm;   /* [m] from the centre of mass, world axes */
    double gap;     /* [m] */
    double height;  /* [m] of the shape's origin over the plane */
    double aside;   /* [m] how much further away the next point of the rim is, at least */
} glide_point;

/* The lowest point at the present pose of the body, as the narrow phase finds it; `before`: where it was. False: the disk lies
 * flat or passed through flat. */
static inline __attribute__((always_inline)) bool glide_look(glide *g, tru_vec3 before, glide_point *out) {
    const solid *k = g->on_a;
    const tru_mat3 body_r = body_axes(g->a);
    tru_mat3 own;
    const tru_mat3 *r = &body_r;
    if (k->turned) {
        own = solid_axes(k, r);
        r = &own;
    }
    const tru_vec3 up = m3_apply_t(*r, g->normal);
    out->height = v3_dot(g->normal, v3_sub(solid_origin(k, g->a->x, &body_r), g->on_b->pose.x));
    out->aside = DBL_MAX;
    if (g->rim) {
        const double s = rim_slope(up);
        out->local = rim_lowest(g->radius, up, s);
        if (s < DISK_FLAT || rim_flipped(before, out->local, s)) return false;
        out->local.z = g->rim_z;
        out->aside = 1.25 * g->radius * s; /* 120 degrees on: 1.5 r s, less what rounding may take */
        if (g->rim_z != 0.0) {
            const double other = -2.0 * g->rim_z * up.z; /* how much further away the other rim is */
            out->aside = other < out->aside ? other * (1.0 - 0x1p-20) : out->aside;
        }
    } else {
        out->local = v3_scale(-g->radius, up);
    }
    out->gap = out->height + v3_dot(up, out->local);
    out->arm = solid_arm(k, r, g->a, out->local);
    return true;
}

/* The contact of this step from that of the last: false if there is none within `margin`, or if others may come within
 * `reach`. */
static inline bool glide_collide(glide *g, double margin, double reach) {
    const contact *old = g->old;
    contact *c = g->c;
    glide_point at;
    if (!glide_look(g, old->local_a, &at)) return false;
    if (!(at.gap < margin && at.height - g->on_a->radius < margin && at.gap + at.aside > reach)) return false;
    contact_take_over(c, old);
    c->local_a = at.local;
    c->c.gap = at.gap;
    c->c.arm_a = at.arm;
    c->c.arm_b = v3_add(c->c.arm_a, v3_sub(g->a->x, g->b->x));
    c->c.stuck = c->stuck;
    if (c->c.memory) memcpy(c->c.memory, old->c.memory, sizeof g->memory[0]);
    if (c->end) memcpy(c->end->last, old->end->last, sizeof c->end->last);
    if (c->end) memcpy(c->end->older, old->end->older, sizeof c->end->older);
    return true;
}

/* Where the contact is at the present pose of the body; false: not to be said without a closer look. */
static inline bool glide_place(glide *g) {
    glide_point at;
    contact_place *p = &g->c->end->place;
    if (!glide_look(g, g->c->local_a, &at)) return false;
    p->gap = at.gap;
    p->arm_a = at.arm;
    p->arm_b = v3_add(p->arm_a, v3_sub(g->a->x, g->b->x));
    return true;
}

/* Remember the start of the step. */
static inline void glide_start(glide *g) {
    const body *a = g->a;
    body_step *m = &g->body_steps[g->c->a];
    g->before = (glide_pose){a->x, a->q, a->v, a->w, body_gains_of(a)};
    g->ledger = g->s.w->ledger;
    g->s.info = (tru_solve_info){.worst = -1, .converged = true};
    m->start = (twist){a->v, a->w};
    m->dynamics->gyro_rate = a->w;
    m->dynamics->linear = false;
}

/* As if the step had not been tried. */
static inline bool glide_undo(glide *g) {
    body *a = g->a;
    const glide_pose *k = &g->before;
    a->x = k->x, a->q = k->q, a->v = k->v, a->w = k->w;
    if (a->gain) *a->gain = k->gains;
    g->s.w->ledger = g->ledger;
    return false;
}

/* Laws, matrix and warm start of the contact. */
static inline bool glide_build(glide *g) {
    contact *c = g->c;
    tru_contact view;
    view.step = g->s.acts;
    if (!c->pair->plain) {
        const placed pose = solid_on(g->on_a, g->a);
        trui_contact_view(c, &pose, &g->on_b->pose, g->a->x, g->s.acts, &view);
    }
    return trui_one_contact_build(&g->one_contact, c, &view, &g->inverse[c->a], &g->inverse[c->b], g->s.fall);
}

/* Impulses for the free velocities of the last kick, onto the body; false: not solved. */
static inline bool glide_solve(glide *g, tru_solve_info *info) {
    const contact *c = g->c;
    if (trui_one_contacts_solve_with(&g->s, &g->one_contact, &g->newton, g->seen[0], info) != TRU_OK) return false;
    const twist t = contact_push(c, c->c.arm_a, 1.0, g->a->inv_mass, &g->inverse[c->a], &g->free[c->a]);
    g->a->v = t.v;
    g->a->w = t.w;
    return true;
}

/* Book the step. */
static inline void glide_account(glide *g) {
    const contact *c = g->c;
    const twist a = mean_twist(&g->s, c->a), b = mean_twist(&g->s, c->b);
    ledger_body(&g->s, c->a, &g->s.w->ledger);
    ledger_contact(&g->s, c, &a, &b, g->seen[0], &g->s.w->ledger, &g->s.info);
}

/* Is the step like the one before it? Then it is done, else undone. */
static inline bool glide_accept(glide *g) {
    const body *a = g->a;
    contact *c = g->c;
    tru_world *w = g->s.w;
    if (((c->stuck ^ c->c.stuck) & c->pair->claims) || !body_is_finite(a)) return glide_undo(g);
    if (body_rests(a, a->v, a->w, g->slow) != a->resting) return glide_undo(g);
    if (!books_hold(w)) return glide_undo(g);
    trui_step_count(w, &g->s.info, g->s.time + g->s.h);
    g->c = g->old;
    g->old = c;
    return true;
}

#endif
