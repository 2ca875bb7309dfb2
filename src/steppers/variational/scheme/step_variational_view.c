/* step_variational_view.c: a world of one body and one plane as the schemes of `variational` see it, and back. */
#include "steppers/variational/scheme/step_variational_view.h"
#include "base/assert.h"

#include "laws/law.h"
#include "math/quat.h"
#include "steppers/variational/scheme/step_variational_reduced.h"

/* ---- the world */

static void read_plane(rolling *r) {
    const body *under = &r->w->bodies.items[r->plane];
    const placed plane = solid_on(&r->w->solids.items[r->solid_b], under);
    r->on_plane = plane.x;
    if (r->at) { /* the frame does not turn */
        r->n = r->at->end->place.normal;
        r->t1 = r->at->end->place.t1;
        r->t2 = r->at->end->place.t2;
    } else {
        r->n = placed_plane_normal(&plane);
        v3_tangents(r->n, &r->t1, &r->t2);
    }
}

static void read_laws(rolling *r) {
    TRU_ASSERT(fabs(v3_norm2(r->n) - 1.0) < 1e-9 && fabs(v3_dot(r->t1, r->t2)) < 1e-9 &&
               fabs(v3_dot(r->n, r->t1)) < 1e-9);
    const pair *p = trui_world_pair(r->w, &r->w->solids.items[r->solid_a], &r->w->solids.items[r->solid_b]);
    r->friction = trui_coulomb_of_pair(p);
    for (int i = 0; i < p->law_count; i++) {
        if (p->laws[i].law != &tru_law_rolling) continue;
        r->resist = *(const tru_rolling *)p->laws[i].params;
        r->resists = p->laws[i].claims != 0;
    }
}

static void read_disk(rolling *r) {
    const solid *s = &r->w->solids.items[r->solid_a];
    const body *b = &r->w->bodies.items[r->body];
    if (s->shape != &tru_shape_disk) return;
    const tru_disk *disk = s->params;
    const tru_vec3 z = s->turned ? m3_column(solid_turn(s), 2) : v3(0.0, 0.0, 1.0);
    const double a = disk->radius, unit = 1.0 / (b->mass * a * a), axial = v3_dot(z, m3_apply(body_inertia_of(b), z));
    const double i1 = 0.5 * (m3_trace(body_inertia_of(b)) - axial) * unit;
    r->disk = (rolling_disk){trui_reduced_disk_of(0.5 * disk->thickness / a, i1, axial * unit, 0.0), .radius = a,
                             .mass = b->mass, .fall = -v3_dot(r->pull, r->n) / a, .axis = z};
}

rolling trui_rolling_of(const tru_variational *o, tru_world *w) {
    rolling r = {.w = w, .h = o->step, .whole = o->step, .time = trui_world_time(w), .pull = w->gravity};
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        *(body_is_free(b) ? &r.body : &r.plane) = i;
        *(body_is_free(b) ? &r.solid_a : &r.solid_b) = b->solid_first;
    }
    const bool ours = w->contacts.count == 1 && (w->contacts.items[0].flags & CONTACT_NODE) && !w->moved;
    r.at = ours ? &w->contacts.items[0] : NULL;
    r.began = !r.at;
    read_plane(&r);
    read_laws(&r);
    read_disk(&r);
    r.in_angles = o->scheme == TRU_REDUCED || (o->scheme != TRU_SE3 && o->angles && r.disk.radius > 0.0);
    if (r.at) {
        r.feature = r.at->key.feature;
        r.before.age = r.at->age;
        r.before.stuck = r.at->stuck;
        r.left.any = true;
        memcpy(r.left.last, r.at->end->last, sizeof r.left.last);
        for (int row = 0; row < 3; row++) r.left.slip[row] = contact_bias(r.at, row);
        memcpy(r.left.missed, r.at->end->last + TRU_ROW_SPIN, sizeof r.left.missed);
    }
    return r;
}

void trui_rolling_loads(const rolling *r, tru_quat q, double time, tru_vec3 *force, tru_vec3 *torque) {
    const tru_mat3 turn = quat_to_matrix(q);
    trui_loads_on_body(r->w, &turn, time, force, torque);
}

/* ---- the body */

/* Moves a point of a disk onto the rim in contact, whichever is lower. */
static void rolling_rim_point(const rolling *r, tru_vec3 *point) {
    const solid *s = &r->w->solids.items[r->solid_a];
    if (s->shape != &tru_shape_disk) return;
    const double half = 0.5 * ((const tru_disk *)s->params)->thickness;
    point->z = r->feature >= TRU_RIM_POINTS ? half : -half;
}

void trui_rolling_surface(const rolling *r, tru_vec3 dir, tru_vec3 *point, tru_mat3 *hessian) {
    const solid *s = &r->w->solids.items[r->solid_a];
    tru_surface at;
    s->shape->surface(s->params, s->turned ? m3_apply_t(solid_turn(s), dir) : dir, &at);
    rolling_rim_point(r, &at.point);
    *point = s->turned ? m3_apply(solid_turn(s), at.point) : at.point;
    *point = v3_add(*point, s->at->x);
    if (hessian) *hessian = s->turned ? m3_rotate_sym(solid_turn(s), at.hessian) : at.hessian;
}

/* d2 = -sin theta w + cos theta n, heading = w x n; of a disk that lies flat the sine is zero. */
disk_frame trui_rolling_disk_frame(const rolling *r, tru_quat q) {
    TRU_ASSERT(r->disk.radius > 0.0 && (r->feature == 0 || r->feature == TRU_RIM_POINTS));
    disk_frame f = {.axis = quat_rotate(q, r->disk.axis)};
    if (r->feature >= TRU_RIM_POINTS) f.axis = v3_neg(f.axis);
    f.theta.c = v3_dot(f.axis, r->n);
    const tru_vec3 side = v3_madd(f.axis, -f.theta.c, r->n);
    f.theta.s = v3_norm(side);
    if (!(f.theta.s > 0.0)) return f;
    f.per_sine = 1.0 / f.theta.s;
    f.side = v3_scale(-f.per_sine, side);
    f.heading = v3_cross(f.side, r->n);
    return f;
}

/* r d1 + r e d2, d1 = cos theta w + sin theta n. */
tru_vec3 trui_rolling_disk_arm(const rolling *r, const disk_frame *f) {
    const tru_vec3 up = v3_madd(v3_scale(f->theta.c, f->side), f->theta.s, r->n);
    return v3_scale(r->disk.radius, v3_madd(up, r->disk.k.e, f->axis));
}

void trui_rolling_support(const rolling *r, tru_quat q, rolling_node *k) {
    const solid *s = &r->w->solids.items[r->solid_a];
    if (r->disk.radius > 0.0) {
        k->disk = trui_rolling_disk_frame(r, q);
        if (k->disk.theta.s > 1e-6) {
            const tru_vec3 arm = trui_rolling_disk_arm(r, &k->disk);
            k->arm = s->centred ? arm : v3_sub(arm, quat_rotate(q, s->at->x));
            return;
        }
    }
    const tru_quat turn = s->turned ? quat_mul(q, s->at->q) : q;
    tru_surface low;
    s->shape->surface(s->params, quat_unrotate(turn, v3_neg(r->n)), &low);
    rolling_rim_point(r, &low.point);
    k->arm = v3_neg(v3_add(quat_rotate(turn, low.point), quat_rotate(q, s->at->x)));
}

/* The rim a disk starts on: the lower one; upright the one it leans to. */
static int32_t start_rim(const tru_variational *o, rolling *r, const body *b) {
    TRU_ASSERT(!r->at); /* a contact of the last step says which rim it is on */
    const solid *s = &r->w->solids.items[r->solid_a];
    if (s->shape != &tru_shape_disk || !(((const tru_disk *)s->params)->thickness > 0.0)) return 0;
    if (o->rim != TRU_RIM_LOWER) return o->rim == TRU_RIM_SECOND ? TRU_RIM_POINTS : 0;
    r->feature = 0;
    const disk_frame f = trui_rolling_disk_frame(r, b->q);
    const double lean =
        fabs(f.theta.c) > 1e-12 ? -f.theta.c : v3_dot(b->w, f.heading); /* past pi/2, or about to pass */
    return lean > 0.0 ? TRU_RIM_POINTS : 0;
}

rolling_node trui_rolling_start(const tru_variational *o, rolling *r) {
    const body *b = &r->w->bodies.items[r->body];
    rolling_node k = {.x = b->x, .q = b->q, .v = b->v, .w = b->w, .gain = body_gains_of(b).last};
    if (!r->at) r->feature = start_rim(o, r, b);
    trui_rolling_support(r, b->q, &k);
    return k;
}

double trui_rolling_gap(const rolling *r, const rolling_node *k) {
    return v3_dot(r->n, v3_sub(v3_sub(k->x, k->arm), r->on_plane));
}

rolling_settling trui_rolling_settle(const tru_variational *o, const rolling *r, rolling_node *k) {
    const body *b = &r->w->bodies.items[r->body];
    const tru_vec3 shift = v3_scale(-trui_rolling_gap(r, k), r->n), slip = v3_sub(k->v, v3_cross(k->w, k->arm));
    const bool may_slip =
        o->when_not_rolling == TRU_SLIP && v3_norm(slip) > ROLLING_SLIP * (v3_norm(k->v) + b->size * v3_norm(k->w));
    const tru_vec3 v = v3_sub(k->v, may_slip ? v3_scale(v3_dot(slip, r->n), r->n) : slip);
    const double kinetic = 0.5 * b->mass * v3_dot(v3_sub(v, k->v), v3_add(v, k->v));
    k->x = v3_add(k->x, shift);
    k->v = v;
    const double moved = -b->mass * v3_dot(r->pull, shift);
    return o->project ? (rolling_settling){kinetic, moved} : (rolling_settling){0.0, kinetic + moved};
}

/* ---- the contact record */

static void in_frame(const rolling *r, tru_vec3 v, double out[3]) {
    out[0] = v3_dot(v, r->n);
    out[1] = v3_dot(v, r->t1);
    out[2] = v3_dot(v, r->t2);
}

void trui_rolling_leave(rolling *r, const rolling_result *out) {
    r->left.any = true;
    in_frame(r, out->last, r->left.last);
    in_frame(r, out->slip, r->left.slip);
    memcpy(r->left.missed, out->missed, sizeof r->left.missed);
}

/* What does not change from step to step. */
static void begin_record(const rolling *r, contact *c, contact_end *end) {
    *c = (contact){
        .key = {(uint32_t)r->body, (uint32_t)r->plane, (uint32_t)r->solid_a, (uint32_t)r->solid_b, r->feature},
        .pair = trui_world_pair(r->w, &r->w->solids.items[r->solid_a], &r->w->solids.items[r->solid_b]),
        .end = end,
        .theta = 1.0,
        .c = {.normal = r->n, .t1 = r->t1, .t2 = r->t2, .rim_points = 1}};
    *end = (contact_end){.place = {.normal = r->n, .t1 = r->t1, .t2 = r->t2}};
}

/* [m] The contact point in shape axes. */
static tru_vec3 point_in_shape(const rolling *r, const rolling_node *k) {
    const solid *s = &r->w->solids.items[r->solid_a];
    const tru_vec3 in_body = v3_sub(quat_unrotate(k->q, v3_neg(k->arm)), s->at->x);
    tru_vec3 point = s->turned ? m3_apply_t(solid_turn(s), in_body) : in_body;
    rolling_rim_point(r, &point);
    return point;
}

static void fill_geometry(const rolling *r, const rolling_node *k, contact *c) {
    const tru_vec3 arm = v3_neg(k->arm), other = v3_add(arm, v3_sub(k->x, r->w->bodies.items[r->plane].x));
    c->local_a = point_in_shape(r, k);
    c->end->place.arm_a = c->c.arm_a = arm;
    c->end->place.arm_b = c->c.arm_b = other;
    c->end->place.gap = c->c.gap = trui_rolling_gap(r, k);
}

/* Is it the record of the step before the last one, of the same point? */
static bool same_record(const rolling *r, const contact_array *old) {
    if (r->began || !r->at || old->count != 1 || !old->items->end) return false;
    const contact *c = old->items;
    return (c->flags & CONTACT_NODE) && r->before.age > 0 && c->age == r->before.age - 1 &&
           trui_contact_key_order(&c->key, &r->at->key) == 0 && c->pair == r->at->pair;
}

bool trui_rolling_record(rolling *r, const rolling_result *out) {
    tru_world *w = r->w;
    TRU_ASSERT(r->body + r->plane == 1 && r->solid_a + r->solid_b == 1);
    const bool again = same_record(r, &w->contacts_before);
    if (!array_resize(&w->memory, &w->contacts_before, 1) || !array_resize(&w->memory, &w->ends_before, 1) ||
        !trui_body_make_gains(&w->memory, &w->bodies.items[r->body]))
        return false;
    const twist moves = {out->end.v, out->end.w}, still = {{0, 0, 0}, {0, 0, 0}};
    contact *c = w->contacts_before.items;
    if (!again) begin_record(r, c, w->ends_before.items);
    c->flags = CONTACT_NODE | (r->began ? CONTACT_NEW : 0u);
    c->stuck = out->stuck;
    c->age = r->began ? 0 : r->before.age + 1;
    fill_geometry(r, &out->end, c);
    c->c.stuck = r->began ? out->stuck : r->before.stuck;
    c->steady = c->stuck == c->c.stuck;
    in_frame(r, v3_add(out->first, out->last), c->impulse);
    in_frame(r, out->couple, c->impulse + TRU_ROW_SPIN);
    in_frame(r, out->node, c->dry);
    in_frame(r, out->dry, c->dry + TRU_ROW_SPIN);
    in_frame(r, out->mean_slip, c->end->slip);
    in_frame(r, out->last, c->end->last); /* the next node's impulse has this half, and the next step's other half */
    memcpy(c->end->last + TRU_ROW_SPIN, out->missed, sizeof out->missed); /* [rad], no couple */
    double slip[3];
    in_frame(r, out->slip, slip);
    c->bias = slip[TRU_ROW_NORMAL];
    memcpy(c->end->bias, slip + TRU_ROW_SLIDE1, 2 * sizeof *slip);
    in_frame(r, out->rate, c->end->bias + TRU_ROW_SPIN - 1);
    trui_contact_rates(&c->end->place, &moves, &still, c->end->rate);
    trui_contacts_swap(w);
    w->bodies.items[r->body].contacts = w->bodies.items[r->plane].contacts = 1;
    return true;
}
