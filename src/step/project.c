/* project.c: contact places at the end of a step, overlaps closed, shapes that fell flat laid flat. */
#include "base/error.h"
#include "step/project_joined.h"
#include "step/verbs_one.h"
#include "step/verbs.h"

#define MOST_GAINED 0.1  /* [-] of its kinetic energy: what a step that ends deeper than a body may add */
#define PASSES      20   /* over all contacts, for bodies that share them */
#define CORRECTIONS 8    /* of mechanisms: Newton's method, quadratic */
#define JAMMED      1e-4 /* [-] overlap in parts of a joined body that its joints do not let it leave: it moves alone */
#define SLIGHT      1e-12 /* [-] overlap in parts of a body that is not worth another pass */

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
    const double slow = trui_flat_speed(s), slight = SLIGHT * a->size;
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

/* Three points of a run define a face: lay it parallel to the other's surface and on it. */
static bool lay_flat(step *s, contact *run, int count) {
    tru_world *w = s->w;
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

static void places_of_all(step *s) {
    tru_world *w = s->w;
    for (size_t i = 0; i < w->contacts.count;) {
        contact *run = &w->contacts.items[i];
        const int count = trui_contact_run(&w->contacts, i);
        contact_place places[TRU_TOUCHES];
        trui_contact_run_places(w, run, count, &w->bodies.items[run->a], &w->bodies.items[run->b], places);
        for (int k = 0; k < count; k++) run[k].end->place = places[k];
        i += (size_t)count;
    }
}

/* Close overlaps by shifts along the normals, shared by inverse mass; gaps of other contacts follow. Under midpoint a
 * contact that carried load is also set down: its gap is an error of the step, O(h^2), that would let the contact drop out
 * when a disk nutates close to flat, and whose one-sided correction feeds energy. */
static void lift(step *s, const bool *joined) {
    tru_world *w = s->w;
    bool again = true;
    for (int pass = 0; again && pass < PASSES; pass++) {
        again = false;
        for (size_t i = 0; i < w->contacts.count; i++) {
            const contact *c = &w->contacts.items[i];
            const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
            if (joined && (joined[c->a] || joined[c->b]) && c->end->place.gap > -JAMMED * a->size) continue;
            const double gap = contact_lift(s, c);
            again |= (a->contacts > 1 || (body_is_free(b) && b->contacts > 1)) && gap < -SLIGHT * a->size;
        }
    }
}

/* The paper's correction: nearest point in the metric |dx|^2 + |dq|^2 with |dq| = |rotation|/2, tangent frozen
 * [LSLG05 (3.9)-(3.12)]: dx = l n, rotation = 4 l (arm x n). Mixes metres with pure numbers, so it depends on the unit.
 * The contact's place follows; true if the body has other contacts, whose places do not. */
static bool correct_r7(step *s, contact *run, int count) {
    tru_world *w = s->w;
    body *a = &w->bodies.items[run->a];
    const body *b = &w->bodies.items[run->b];
    contact_place at[TRU_TOUCHES];
    if (count != 1 || !body_is_free(a) || body_is_free(b)) return false;
    const tru_vec3 n = run->end->place.normal, lever = v3_cross(run->end->place.arm_a, n);
    const double slope = 1.0 + 4.0 * v3_norm2(lever);
    const bool moves = run->end->place.gap < 0.0;
    for (int i = 0; i < 5 && run->end->place.gap < 0.0; i++) {
        body_correct_r7(a, n, lever, -run->end->place.gap / slope);
        trui_contact_run_places(w, run, 1, a, b, at);
        run->end->place = at[0];
    }
    return moves && a->contacts > 1;
}

static void rates_at_end(const tru_world *w, contact *c) {
    const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
    trui_contact_rates(&c->end->place, &(twist){a->v, a->w}, &(twist){b->v, b->w}, c->end->rate);
}

void trui_refresh_contact_places(step *s) {
    if (s->w->ends.count == 0) return;
    places_of_all(s);
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

/* Fails a step that ends with a body under the surface by more than its size, if the step with the overlap closed adds energy:
 * it is longer than the fall, and every impact would add as much. Slow impacts, which lose more, and fast bodies go on. */
static tru_status check_sunk(const step *s, const contact *c, tru_error *err) {
    const tru_world *w = s->w;
    const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
    const double weight = a->inv_mass + b->inv_mass, depth = -c->end->place.gap;
    if (!contact_sank(s, c) || weight == 0.0) return TRU_OK;
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

static tru_status check_all_sunk(const step *s, tru_error *err) {
    const tru_world *w = s->w;
    tru_status status = TRU_OK;
    for (size_t i = 0; status >= 0 && i < w->contacts.count; i++) status = check_sunk(s, &w->contacts.items[i], err);
    return status;
}

/* Closes overlaps of joined bodies; *changed becomes true if there were some. */
static tru_status lift_joined(step *s, joined_shift *j, bool *changed, tru_error *err) {
    bool moved = j->joined != NULL;
    for (int pass = 0; moved && pass < CORRECTIONS; pass++) {
        const tru_status status = trui_joined_move(s, j, &moved, err);
        if (status < 0) return status;
        if (moved) places_of_all(s);
        *changed |= moved;
    }
    return TRU_OK;
}

tru_status trui_project_overlaps(step *s, bool r7, tru_error *err) {
    tru_world *w = s->w;
    bool changed = false;
    for (size_t i = 0; i < w->bodies.count; i++) s->body_steps[i].dynamics->x_placed = w->bodies.items[i].x;
    if (w->contacts.count == 0) return TRU_OK;
    places_of_all(s);
    joined_shift mechanisms;
    tru_status status = check_all_sunk(s, err);
    if (status >= 0) status = trui_joined_begin(s, &mechanisms, err);
    if (status < 0) return status;
    for (size_t i = 0; i < w->contacts.count;) {
        contact *run = &w->contacts.items[i];
        const int count = trui_contact_run(&w->contacts, i);
        const bool single = !mechanisms.joined || !(mechanisms.joined[run->a] || mechanisms.joined[run->b]);
        if (single) changed |= lay_flat(s, run, count);
        if (single && r7) changed |= correct_r7(s, run, count);
        i += (size_t)count;
    }
    if (changed) places_of_all(s);
    if ((status = lift_joined(s, &mechanisms, &changed, err)) < 0) return status;
    double before = 0.0, after = 0.0;
    for (size_t i = 0; (r7 || changed) && i < w->bodies.count; i++) {
        body *b = &w->bodies.items[i];
        before += placed_work(w, b, &s->body_steps[i]);
        s->body_steps[i].dynamics->x_placed = b->x;
    }
    lift(s, mechanisms.joined);
    for (size_t i = 0; i < w->bodies.count; i++) after += placed_work(w, &w->bodies.items[i], &s->body_steps[i]);
    w->ledger.projection += before + after;
    for (size_t i = 0; i < w->contacts.count; i++) contact_follow(s, &w->contacts.items[i]);
    return TRU_OK;
}
