/* project.c: contact places at the end of a step, shapes that fell flat laid flat, steps that sank too deep refused. */
#include "base/error.h"
#include "base/assert.h"
#include "step/lot/project.h"

#define MOST_GAINED 0.1   /* [-] of its kinetic energy: what a step that ends deeper than a body may add */
#define SLIGHT      1e-12 /* [-] difference of gaps in parts of a body that is round-off */
#define CORRECTIONS 8     /* of mechanisms: Newton's method, quadratic */

/* Turn a body about its centre by the rotation that takes unit a to unit b; rates keep their body components. */
static void turn(body *b, tru_vec3 from, tru_vec3 to) {
    const tru_vec3 axis = v3_cross(from, to);
    tru_quat r = {1.0 + v3_dot(from, to), axis.x, axis.y, axis.z};
    if (!quat_unit(r, &r)) return;
    b->q = quat_renormalise(quat_mul(r, b->q));
    if (!b->isotropic) b->w = quat_rotate(r, b->w);
}

/* Do all points of a run stay where they are, some of them apart from the surface? They were found by their gaps, below
 * what a step can resolve; a face they belong to lies as soon as it no longer moves. Only of a body that touches nothing
 * else: in a stack the others must move with it. */
static bool hovers(const step *s, const contact *run, int count) {
    const tru_world *w = s->w;
    const body *a = &w->bodies.items[run->a];
    const double slow = flat_speed(s), slight = SLIGHT * a->size;
    if (a->contacts != count || body_is_free(&w->bodies.items[run->b])) return false;
    const size_t first = (size_t)(run - w->contacts.items);
    double low = run->end->place.gap, high = low;
    for (int k = 0; k < count; k++) {
        if (!(fabs(s->seen[first + (size_t)k][TRU_ROW_NORMAL]) <= slow)) return false;
        low = fmin(low, run[k].end->place.gap);
        high = fmax(high, run[k].end->place.gap);
    }
    return high - low > slight;
}

bool trui_lay_flat(step *s, contact *run, int count) {
    tru_world *w = s->w;
    TRU_ASSERT(count >= 1 && count <= TRU_TOUCHES);
    if (count < 3 || !((run[0].flags & CONTACT_LANDING) || hovers(s, run, count))) return false;
    body *a = &w->bodies.items[run->a];
    const body *b = &w->bodies.items[run->b];
    const tru_vec3 p = run[0].end->place.arm_a, n = run[0].end->place.normal;
    tru_vec3 face = v3_cross(v3_sub(run[1].end->place.arm_a, p), v3_sub(run[2].end->place.arm_a, p));
    if (!body_is_free(a) || !v3_unit(face, &face)) return false;
    if (v3_dot(face, n) < 0.0) face = v3_neg(face);
    turn(a, face, n);
    contact_place places[TRU_TOUCHES];
    trui_contact_run_places(w, run, count, a, b, places);
    a->x = v3_madd(a->x, -places[0].gap, places[0].normal);
    return true;
}

void trui_place_contacts(step *s) {
    tru_world *w = s->w;
    TRU_ASSERT(w->ends.count == w->contacts.count);
    for (size_t i = 0; i < w->contacts.count;) {
        contact *run = &w->contacts.items[i];
        const int count = trui_contact_run(&w->contacts, i);
        contact_place places[TRU_TOUCHES];
        trui_contact_run_places(w, run, count, &w->bodies.items[run->a], &w->bodies.items[run->b], places);
        for (int k = 0; k < count; k++) run[k].end->place = places[k];
        i += (size_t)count;
    }
}

static void rates_at_end(const tru_world *w, contact *c) {
    const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
    trui_contact_rates(&c->end->place, &(twist){a->v, a->w}, &(twist){b->v, b->w}, c->end->rate);
}

void trui_refresh_contact_places(step *s) {
    if (s->w->ends.count == 0) return;
    trui_place_contacts(s);
    for (size_t i = 0; i < s->w->contacts.count; i++) rates_at_end(s->w, &s->w->contacts.items[i]);
}

/* [J] */
static double kinetic_of(const body *b, tru_quat q, const twist *t) {
    const tru_vec3 w = quat_unrotate(q, t->w);
    return 0.5 * (b->mass * v3_norm2(t->v) + v3_dot(w, m3_apply(body_inertia_of(b), w)));
}

/* Adds the kinetic energy of a body at the start of the step, and what kinetic and potential energy gain in it if the body is
 * moved by `lift` at its end. [J] */
static void add_gain(const step *s, size_t i, tru_vec3 lift, double *start, double *gain) {
    const tru_world *w = s->w;
    const body *b = &w->bodies.items[i];
    if (!body_is_free(b)) return;
    const body before = body_before(w, i);
    const double kinetic = kinetic_of(b, before.q, &s->body_steps[i].start);
    *start += kinetic;
    *gain += kinetic_of(b, b->q, &(twist){b->v, b->w}) - kinetic;
    *gain -= b->mass * v3_dot(w->gravity, v3_add(v3_sub(b->x, before.x), lift));
}

tru_status trui_check_sunk(const step *s, const contact *c, tru_error *err) {
    const tru_world *w = s->w;
    const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
    const double weight = a->inv_mass + b->inv_mass, depth = -c->end->place.gap;
    TRU_ASSERT(depth > 0.0);
    if (weight == 0.0) return TRU_OK;
    double start = 0.0, gain = 0.0;
    add_gain(s, c->a, v3_scale(depth * a->inv_mass / weight, c->end->place.normal), &start, &gain);
    add_gain(s, c->b, v3_scale(-depth * b->inv_mass / weight, c->end->place.normal), &start, &gain);
    if (gain <= MOST_GAINED * start) return TRU_OK;
    return tru_fail(
        err, TRU_NO_SOLUTION,
        "step %llu (t = %.9g s): step is %.6g s, too long for body '%s' of size %.3g m: it ends %.3g m deep in body '%s'; "
        "take a shorter step",
        (unsigned long long)w->steps_done + 1, s->time + s->h, s->h, body_name(w, c->a), a->size, depth,
        body_name(w, c->b));
}

tru_status trui_lift_joined(step *s, joined_shift *j, bool *moved, tru_error *err) {
    bool again = j->joined != NULL;
    for (int pass = 0; again && pass < CORRECTIONS; pass++) {
        const tru_status status = trui_joined_move(s, j, &again, err);
        if (status < 0) return status;
        if (again) trui_place_contacts(s);
        *moved |= again;
    }
    return TRU_OK;
}
