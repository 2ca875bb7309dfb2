/* contact_places.h: frames, arms and rates of contacts at any pose of their bodies. */
#ifndef TRUNDLE_DETECT_CONTACT_PLACES_H
#define TRUNDLE_DETECT_CONTACT_PLACES_H

#include "detect/narrow/contact_point.h"
#include "world/world.h"

/* Returns true if two contacts are of the same two solids. */
static inline bool contact_same_solids(const contact_key *p, const contact_key *q) {
    return p->solid_a == q->solid_a && p->solid_b == q->solid_b;
}

/* Returns how many contacts from `first` on are of the same two solids. */
int trui_contact_run(const contact_array *all, size_t first);
/* Computes frames and arms of all `count` contacts of two solids, with the two bodies at the given poses. */
void trui_contact_run_places(const tru_world *w, const contact *run, int count, const body *a, const body *b,
                             contact_place *out);

/* Computes the rates W^T u of the six rows, A minus B, from frame (n, t1, t2) and arms. */
static inline void rates_of_rows(tru_vec3 n, tru_vec3 t1, tru_vec3 t2, tru_vec3 arm_a, tru_vec3 arm_b, const twist *a,
                                 const twist *b, double u[TRU_ROWS]) {
    const tru_vec3 va = v3_add(a->v, v3_cross(a->w, arm_a)), vb = v3_add(b->v, v3_cross(b->w, arm_b));
    const tru_vec3 v = v3_sub(va, vb), w = v3_sub(a->w, b->w);
    u[TRU_ROW_NORMAL] = v3_dot(v, n);
    u[TRU_ROW_SLIDE1] = v3_dot(v, t1);
    u[TRU_ROW_SLIDE2] = v3_dot(v, t2);
    u[TRU_ROW_SPIN] = v3_dot(w, n);
    u[TRU_ROW_ROLL1] = v3_dot(w, t1);
    u[TRU_ROW_ROLL2] = v3_dot(w, t2);
}
/* Returns the bias [m/s], [rad/s] that the law adds to the rate of a row. */
static inline double contact_bias(const contact *c, int row) {
    return row == TRU_ROW_NORMAL ? c->bias : c->end ? c->end->bias[row - 1] : 0.0;
}

/* Returns the arm [m] from the centre of mass of a body to a point of its solid, in world axes; r: axes of the solid. It is computed from
 * local coordinates, so that its round-off does not depend on the place in the world. */
static inline tru_vec3 solid_arm(const solid *s, const tru_mat3 *r, const body *b, tru_vec3 local) {
    const tru_vec3 arm = m3_apply(*r, local);
    return s->centred ? arm : v3_add(arm, m3_apply(body_axes(b), s->at->x));
}

/* Rotates an old frame into the new tangent plane by the smallest rotation [contact-tracking-equations 2.2]. */
static inline void contact_carry_frame(const tru_vec3 *old_n, const tru_vec3 *old_t1, const tru_vec3 *old_t2,
                                       tru_vec3 n, tru_vec3 *t1, tru_vec3 *t2) {
    if (n.x == old_n->x && n.y == old_n->y && n.z == old_n->z) {
        *t1 = *old_t1;
        *t2 = *old_t2;
        return;
    }
    const tru_vec3 u = v3_reject(v3_add(*old_t1, v3_cross(*old_t2, n)), n);
    if (!v3_unit(u, t1)) { /* after half a turn the smallest rotation is not unique, so any frame will do */
        v3_tangents(n, t1, t2);
        return;
    }
    *t2 = v3_cross(n, *t1);
}

/* Sets the arms from the centres of mass to the contact point. If one shape is unbounded the point is on the other one, otherwise it is in
 * the middle of the gap. */
static inline void contact_set_arms(const solid *sa, const solid *sb, const body *a, const body *b, const placed *pa,
                                    const placed *pb, const contact_point *m, tru_vec3 *arm_a, tru_vec3 *arm_b) {
    const bool on_a = sa->shape->bounded;
    tru_vec3 arm = on_a ? solid_arm(sa, &pa->r, a, m->local) : solid_arm(sb, &pb->r, b, m->local);
    if (on_a && sb->shape->bounded) arm = v3_madd(arm, -0.5 * m->gap, m->normal);
    *(on_a ? arm_a : arm_b) = arm;
    *(on_a ? arm_b : arm_a) = on_a ? v3_add(arm, v3_sub(a->x, b->x)) : v3_add(arm, v3_sub(b->x, a->x));
}

/* Computes the rates of the six rows at a place. */
void trui_contact_rates(const contact_place *place, const twist *a, const twist *b, double u[TRU_ROWS]);
/* Computes place and rates of contact k at the end of the last step. */
void trui_contact_now(const tru_world *w, size_t k, contact_place *place, double u[TRU_ROWS]);
/* Fills the view of a contact that laws get. a and b are its shapes where the laws act, `centre` [m] is A's centre of mass there. */
void trui_contact_view(const contact *c, const placed *a, const placed *b, tru_vec3 centre, double step,
                       tru_contact *out);

#endif
