/* limit_world.c: the contact state of a world's body on a fixed plane, as limit directions need it. */
#include <trundle/analysis.h>

#include "base/assert.h"
#include "base/error.h"
#include "detect/find_contacts.h"
#include "detect/narrow/narrow.h"
#include "laws/law.h"
#include "math/quat.h"

#define NEAR 1e-6 /* [-] gap that counts as touching, relative to the body's size */

/* A point of the body at a plane. */
typedef struct touch_point {
    size_t solid, plane; /* solids of the world */
    contact_point m;
} touch_point;

/* Returns true for a plane of a fixed body. */
static bool fixed_plane(const tru_world *w, const solid *s) {
    return !s->shape->bounded && w->bodies.items[s->body].kind == TRU_FIXED;
}

/* Returns true if this point was in contact in the last step, and no body was moved since. */
static bool in_contact(const tru_world *w, size_t solid_a, size_t solid_b, int feature) {
    for (size_t i = 0; i < w->contacts.count; i++) {
        const contact *c = &w->contacts.items[i];
        if (c->solid_a == solid_a && c->solid_b == solid_b && c->key.feature == feature) return !w->moved;
    }
    return false;
}

/* Finds the lowest point of body k at fixed planes. Returns how many of its points touch. */
static int touching(const tru_world *w, size_t k, touch_point *best) {
    const body *b = &w->bodies.items[k];
    int count = 0;
    *best = (touch_point){.m.gap = DBL_MAX};
    for (size_t j = 0; j < w->solids.count; j++) {
        if (!fixed_plane(w, &w->solids.items[j])) continue;
        const body *pb = &w->bodies.items[w->solids.items[j].body];
        const placed plane = solid_on(&w->solids.items[j], pb);
        for (size_t i = b->solid_first; i < b->solid_first + b->solid_count; i++) {
            const placed a = solid_on(&w->solids.items[i], b);
            contact_point m[TRU_TOUCHES];
            const int n = trui_narrow_points(&a, &plane, DBL_MAX, NULL, 0, m);
            for (int t = 0; t < n; t++) {
                count += m[t].gap <= NEAR * b->size || in_contact(w, i, j, m[t].feature);
                if (m[t].gap < best->m.gap) *best = (touch_point){i, j, m[t]};
            }
        }
    }
    return count;
}

/* Reads the friction of the pair. Fails unless it is frictionless or has law coulomb alone. */
static tru_status friction(const pair *p, tru_limit_body *out, tru_error *err) {
    if (!p) return tru_fail(err, TRU_NO_LAW, "body and plane touch but have no law");
    for (int i = 0; i < p->law_count; i++) {
        const pair_law *l = &p->laws[i];
        if (l->claims == 0) continue;
        if (l->law != &tru_law_coulomb)
            return tru_fail(err, TRU_REFUSED, "limit directions need law coulomb, the pair has law %s", l->law->name);
        const tru_coulomb *c = l->params;
        out->slide = c->slide;
        out->slide_static = c->slide_static == TRU_DERIVED ? c->slide : c->slide_static;
        out->stribeck = c->stribeck;
    }
    return TRU_OK;
}

/* Adds gravity and loads of the present time. */
static void add_loads(const tru_world *w, const body *b, tru_limit_body *out) {
    out->force = v3_scale(b->mass, w->gravity);
    for (size_t i = 0; i < w->loads.count; i++) {
        const load *l = &w->loads.items[i];
        if (l->body != b->id) continue;
        const double f = trui_schedule_factor(&l->schedule, trui_world_time(w));
        out->force = v3_madd(out->force, f, l->body_axes ? quat_rotate(b->q, l->force) : l->force);
        out->torque = v3_madd(out->torque, f, l->body_axes ? quat_rotate(b->q, l->torque) : l->torque);
    }
}

/* Blocks the axis of a guide. If an axis k stays at right angles to z, the body cannot turn about k x z, which turns with k. */
static void add_guide(const body *b, tru_vec3 level, tru_limit_body *out) {
    const tru_vec3 z = v3(0.0, 0.0, 1.0), axis = quat_rotate(b->q, level);
    if (v3_max_abs(level) == 0.0) return;
    TRU_ASSERT(out->blocked_count < 3);
    out->blocked[out->blocked_count++] = (tru_blocked){v3_cross(axis, z), v3_cross(v3_cross(b->w, axis), z)};
}

/* Reads the inverse curvature of the surface at the point. */
static void curvature(const tru_world *w, const body *b, const touch_point *t, tru_limit_body *out) {
    const placed a = solid_on(&w->solids.items[t->solid], b);
    tru_surface s;
    placed_support(&a, v3_neg(out->normal), &s);
    const tru_vec3 h1 = m3_apply(s.hessian, out->t1), h2 = m3_apply(s.hessian, out->t2);
    out->inverse_curvature[0] = v3_dot(out->t1, h1);
    out->inverse_curvature[1] = v3_dot(out->t2, h1);
    out->inverse_curvature[2] = v3_dot(out->t2, h2);
}

tru_status tru_limit_of_body(const tru_world *w, tru_id id, tru_limit_contact *out, tru_error *err) {
    const size_t k = w && out ? trui_body_index(w, id) : SIZE_MAX;
    touch_point t;
    if (k == SIZE_MAX) return tru_fail(err, TRU_STALE_ID, "body %llu does not exist", (unsigned long long)id);
    const body *b = &w->bodies.items[k];
    const char *name = body_name(w, k);
    if (!body_is_free(b))
        return tru_fail(err, TRU_REFUSED, "body '%s' is not free: limit directions need a free body", name);
    const int count = touching(w, k, &t);
    if (t.m.gap == DBL_MAX)
        return tru_fail(err, TRU_REFUSED, "body '%s' has no fixed plane to touch; limit directions need one", name);
    if (count == 0)
        return tru_fail(err, TRU_REFUSED, "body '%s' does not touch a plane: its gap to '%s' is %.6g m", name,
                        body_name(w, w->solids.items[t.plane].body), t.m.gap);
    if (count > 1)
        return tru_fail(err, TRU_REFUSED, "body '%s' touches planes in %d points at once; limit directions need one",
                        name, count);
    *out = (tru_limit_contact){.plane = w->bodies.items[w->solids.items[t.plane].body].id,
                               .point = t.m.point_a,
                               .gap = t.m.gap,
                               .shape = w->solids.items[t.solid].k,
                               .feature = t.m.feature};
    tru_limit_body *l = &out->body;
    l->mass = b->mass;
    l->inertia = b->isotropic ? body_inertia_of(b) : body_turned(b, body_inertia_of(b));
    l->angular_velocity = b->w;
    l->normal = t.m.normal;
    v3_tangents(l->normal, &l->t1, &l->t2);
    const solid *s =
        &w->solids.items[t.solid]; /* from local coordinates, so that the place in the world does not enter */
    l->arm = v3_neg(m3_apply(body_axes(b), v3_add(s->at->x, m3_apply(solid_turn(s), t.m.local))));
    curvature(w, b, &t, l);
    add_guide(b, body_level(w, k), l);
    add_loads(w, b, l);
    TRU_ASSERT(fabs(v3_dot(l->normal, v3_cross(l->t1, l->t2)) - 1.0) < 1e-9);
    const tru_vec3 v = v3_sub(b->v, v3_cross(b->w, l->arm));
    out->slip[0] = v3_dot(v, l->t1);
    out->slip[1] = v3_dot(v, l->t2);
    out->approach = -v3_dot(v, l->normal);
    return friction(trui_pair_between(w, s->material, w->solids.items[t.plane].material), l, err);
}
