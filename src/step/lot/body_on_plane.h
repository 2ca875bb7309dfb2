/* body_on_plane.h: the lot of one sphere or disk that keeps its one contact with a fixed plane, step after step.
 *
 * What does not change between its steps is found once. Poses and contacts stay in the world; the two contact records of the world
 * (this step, the step before) swap roles after every step. A step in which something begins or ends is refused: it is undone and
 * left to the lot of all bodies, which takes it to the same bits. */
#ifndef TRUNDLE_STEP_LOT_BODY_ON_PLANE_H
#define TRUNDLE_STEP_LOT_BODY_ON_PLANE_H

#include "base/assert.h"
#include "step/end/step_end.h"
#include "shapes/rim.h"
#include "world/books.h"
#include "step/ledger.h"

typedef struct body_on_plane {
    step s;                  /* its arrays below are indexed like the two bodies of the world */
    body_step body_steps[2]; /* per body */
    body_dynamics dynamics[2];
    twist free[2];
    problem_body inverse[2];
    double size[2]; /* [m] of a body, negative if it is not free */
    double seen[1][TRU_ROWS];
    body *a;        /* the free body, */
    size_t index;   /* its index in the world, */
    const body *b;  /* and the fixed one */
    solid *solid_a; /* its pose is that of this step's contact if laws need it (lot_build) */
    const solid *solid_b;
    tru_vec3 normal; /* [-] of the plane */
    bool rim;        /* the rim of a disk touches; else a sphere */
    double radius;   /* [m] of sphere or rim */
    double rim_z;    /* [m] of that rim in the disk's axes, the other is at -rim_z */
    contact *old;    /* record of the step before: w->contacts or w->contacts_before, */
    contact *now;    /* and of this one: the other of the two */
    tru_newton newton;
    double slow;             /* [m/s] below which a body rests */
    body_start before;       /* start of this step, */
    body_gains gains_before; /* which an undo restores */
    tru_quat middle;         /* [-] orientation where the inertia was taken */
    one_contact one_contact;
} body_on_plane;

/* Returns false if the world is not such a lot. Otherwise finds what stays the same; `keeps`: KEEP_* of its contacts. */
bool trui_on_plane_begin(body_on_plane *p, tru_world *w, double h, unsigned keeps);
/* Leaves the world as after a step of all bodies; `taken` steps were done. */
void trui_on_plane_end(body_on_plane *p, uint64_t taken);

/* The lowest point of the shape at the present pose. */
typedef struct lowest_point {
    tru_vec3 local; /* [m] shape axes */
    tru_vec3 arm;   /* [m] from the centre of mass, world axes */
    double gap;     /* [m] */
    double height;  /* [m] of the shape's origin over the plane */
    double spare;   /* [m] lower bound of how much further away the next point of the rim is */
} lowest_point;

/* Finds the lowest point as the narrow phase does. `before`: the point of the last look. Returns false if the disk lies flat or passed through flat: then several points touch. */
static inline __attribute__((always_inline)) bool on_plane_look(const body_on_plane *p, tru_vec3 before,
                                                                lowest_point *out) {
    const solid *k = p->solid_a;
    const tru_mat3 body_r = body_axes(p->a);
    tru_mat3 own;
    const tru_mat3 *r = &body_r;
    if (k->turned) {
        own = solid_axes(k, r);
        r = &own;
    }
    const tru_vec3 up = m3_apply_t(*r, p->normal);
    out->height = v3_dot(p->normal, v3_sub(solid_origin(k, p->a->x, &body_r), p->solid_b->pose.x));
    out->spare = DBL_MAX;
    if (p->rim) {
        const double s = rim_slope(up);
        out->local = rim_lowest(p->radius, up, s);
        if (s < DISK_FLAT || rim_flipped(before, out->local, s)) return false;
        out->local.z = p->rim_z;
        out->spare = 1.25 * p->radius * s; /* the points at 120 degrees are 1.5 r s away, less round-off */
        if (p->rim_z != 0.0) {
            const double other = -2.0 * p->rim_z * up.z; /* how much further away the other rim is */
            out->spare = other < out->spare ? other * (1.0 - 0x1p-20) : out->spare;
        }
    } else {
        out->local = v3_scale(-p->radius, up);
    }
    out->gap = out->height + v3_dot(up, out->local);
    out->arm = solid_arm(k, r, p->a, out->local);
    return true;
}

/* Fills this step's contact from the record of the step before. Returns false if its gap is not below `margin`, or if another point
 * of the rim may be nearer than `reach`. [m] */
static inline bool on_plane_find(body_on_plane *p, double margin, double reach) {
    const contact *old = p->old;
    contact *c = p->now;
    lowest_point at;
    TRU_ASSERT(c != old && c->a == old->a && c->solid_b == old->solid_b && c->key.feature == old->key.feature);
    TRU_ASSERT(!c->end == !old->end && (!c->end || c->end != old->end)); /* records share nothing */
    if (!on_plane_look(p, old->local_a, &at)) return false;
    if (!(at.gap < margin && at.height - p->solid_a->radius < margin && at.gap + at.spare > reach)) return false;
    contact_take_over(c, old);
    c->local_a = at.local;
    c->c.gap = at.gap;
    c->c.arm_a = at.arm;
    c->c.arm_b = v3_add(c->c.arm_a, v3_sub(p->a->x, p->b->x));
    c->c.stuck = c->stuck;
    if (c->c.memory) memcpy(c->c.memory, old->c.memory, (size_t)c->pair->history * sizeof *c->c.memory);
    if (c->end) memcpy(c->end->last, old->end->last, sizeof c->end->last);
    if (c->end) memcpy(c->end->older, old->end->older, sizeof c->end->older);
    return true;
}

/* Writes the contact's place at the present pose; false as on_plane_look. */
static inline bool on_plane_place(body_on_plane *p) {
    lowest_point at;
    contact_place *to = &p->now->end->place;
    if (!on_plane_look(p, p->now->local_a, &at)) return false;
    to->gap = at.gap;
    to->arm_a = at.arm;
    to->arm_b = v3_add(to->arm_a, v3_sub(p->a->x, p->b->x));
    return true;
}

/* Remembers the start of a step. */
static inline void on_plane_start(body_on_plane *p) {
    const body *a = p->a;
    TRU_ASSERT(p->old != p->now && a == &p->s.w->bodies.items[p->index]);
    body_step *m = &p->body_steps[p->index];
    p->before = body_keep(a);
    p->gains_before = body_gains_of(a);
    p->s.time = trui_world_time(p->s.w);
    p->s.ledger = p->s.w->ledger;
    p->s.info = (tru_solve_info){.worst = -1, .converged = true};
    m->start = (twist){a->v, a->w};
    m->dynamics->gyro_rate = a->w;
    m->dynamics->linear = false;
}

/* Undoes a step; the record of the step before is still untouched. */
static inline tru_status on_plane_undo(body_on_plane *p) {
    body_put_back(p->a, &p->before);
    if (p->a->gain) *p->a->gain = p->gains_before;
    p->s.w->ledger = p->s.ledger;
    return TRU_REFUSED;
}

/* Ends a step that emits no event and passes the checks of trui_step_end; refuses any other. */
static inline tru_status on_plane_accept(body_on_plane *p) {
    const body *a = p->a;
    contact *c = p->now;
    tru_world *w = p->s.w;
    const bool loses = (p->s.by_force || p->s.parts) && !(c->impulse[TRU_ROW_NORMAL] > 0.0); /* its contact */
    TRU_ASSERT(w->contacts.count == 1 && w->events.count <= EVENT_ROOM);
    if (loses || ((c->stuck ^ c->c.stuck) & c->pair->claims) || !body_is_finite(a)) return on_plane_undo(p);
    if (body_rests(a, a->v, a->w, p->slow) != a->resting) return on_plane_undo(p);
    if (!books_hold(w)) return on_plane_undo(p);
    trui_step_count(w, &p->s.info, p->s.time + p->s.h);
    p->now = p->old;
    p->old = c;
    return TRU_OK;
}

#endif
