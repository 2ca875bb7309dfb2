/* step_variational_view.c: a world of one body and one plane as the schemes of `variational` see it, and back. */
#include "steppers/step_variational.h"

#include "laws/law.h"
#include "math/quat.h"

/* ---- the world */

static void read_laws(rolling *r) {
    const pair *p = world_pair(r->w, &r->w->solids.items[r->solid_a], &r->w->solids.items[r->solid_b]);
    for (int i = 0; i < p->law_count; i++) {
        if (p->laws[i].law == &tru_law_coulomb) {
            const tru_coulomb *c = p->laws[i].params;
            r->slide = c->slide;
            r->slide_static = c->slide_static == TRU_DERIVED ? c->slide : c->slide_static;
            r->stribeck = c->stribeck;
        } else if (p->laws[i].law == &tru_law_rolling) {
            r->resist = *(const tru_rolling *)p->laws[i].params;
            r->resists = p->laws[i].claims != 0;
        }
    }
}

rolling rolling_of(const tru_variational *o, tru_world *w) {
    rolling r = {.w = w, .h = o->step, .time = world_time(w), .pull = w->gravity};
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        *(body_is_free(b) ? &r.body : &r.plane) = i;
        *(body_is_free(b) ? &r.solid_a : &r.solid_b) = b->solid_first;
    }
    const body *under = &w->bodies.items[r.plane];
    const placed plane = solid_placed(&w->solids.items[r.solid_b], under->x, &under->r);
    r.n = placed_plane_normal(&plane);
    r.on_plane = plane.x;
    v3_tangents(r.n, &r.t1, &r.t2);
    read_laws(&r);
    const bool ours = w->contacts.count == 1 && (w->contacts.items[0].flags & CONTACT_NODE) && !w->moved;
    r.at = ours ? &w->contacts.items[0] : NULL;
    r.began = !r.at;
    if (r.at) {
        r.feature = r.at->key.feature;
        r.before.age = r.at->age;
        r.before.stuck = r.at->stuck;
    }
    return r;
}

void rolling_loads(const rolling *r, tru_quat q, double time, tru_vec3 *force, tru_vec3 *torque) {
    *force = *torque = v3_zero();
    for (size_t i = 0; i < r->w->loads.count; i++) {
        const load *l = &r->w->loads.items[i];
        const double f = schedule_factor(&l->schedule, time);
        *force = v3_madd(*force, f, l->body_axes ? quat_rotate(q, l->force) : l->force);
        *torque = v3_madd(*torque, f, l->body_axes ? quat_rotate(q, l->torque) : l->torque);
    }
}

/* ---- the body */

void rolling_rim_point(const rolling *r, tru_vec3 *point) {
    const solid *s = &r->w->solids.items[r->solid_a];
    if (s->shape != &tru_shape_disk) return;
    const double half = 0.5 * ((const tru_disk *)s->params)->thickness;
    point->z = r->feature >= TRU_RIM_POINTS ? half : -half;
}

void rolling_support(const rolling *r, tru_quat q, rolling_node *k) {
    const solid *s = &r->w->solids.items[r->solid_a];
    const tru_quat turn = s->turned ? quat_mul(q, s->q) : q;
    tru_surface low;
    s->shape->surface(s->params, quat_unrotate(turn, v3_neg(r->n)), &low);
    rolling_rim_point(r, &low.point);
    k->local = low.point;
    k->arm = v3_neg(v3_add(quat_rotate(turn, low.point), quat_rotate(q, s->x)));
}

/* The rim a disk starts on: the lower one; upright the one it leans to. */
static int32_t start_rim(const tru_variational *o, rolling *r, const body *b) {
    const solid *s = &r->w->solids.items[r->solid_a];
    if (s->shape != &tru_shape_disk || !(((const tru_disk *)s->params)->thickness > 0.0)) return 0;
    if (o->rim != TRU_RIM_LOWER) return o->rim == TRU_RIM_SECOND ? TRU_RIM_POINTS : 0;
    r->feature = 0;
    const rolling_disk d = rolling_disk_of(r, b->q);
    const double up = v3_dot(quat_rotate(b->q, d.axis), r->n);
    const double lean = fabs(up) > 1e-12 ? -up : v3_dot(b->w, d.heading); /* theta past pi/2, or about to pass */
    return lean > 0.0 ? TRU_RIM_POINTS : 0;
}

rolling_node rolling_start(const tru_variational *o, rolling *r) {
    const body *b = &r->w->bodies.items[r->body];
    rolling_node k = {.x = b->x, .q = b->q, .v = b->v, .w = b->w};
    if (!r->at) r->feature = start_rim(o, r, b);
    rolling_support(r, b->q, &k);
    return k;
}

double rolling_gap(const rolling *r, const rolling_node *k) {
    return v3_dot(r->n, v3_sub(v3_sub(k->x, k->arm), r->on_plane));
}

double rolling_settle(const tru_variational *o, const rolling *r, rolling_node *k) {
    const body *b = &r->w->bodies.items[r->body];
    const tru_vec3 shift = v3_scale(-rolling_gap(r, k), r->n), slip = v3_sub(k->v, v3_cross(k->w, k->arm));
    const bool may_slip =
        o->when_not_rolling == TRU_SLIP && v3_norm(slip) > ROLLING_SLIP * (v3_norm(k->v) + b->size * v3_norm(k->w));
    const tru_vec3 v = v3_sub(k->v, may_slip ? v3_scale(v3_dot(slip, r->n), r->n) : slip);
    const double kinetic = 0.5 * b->mass * v3_dot(v3_sub(v, k->v), v3_add(v, k->v));
    k->x = v3_add(k->x, shift);
    k->v = v;
    return kinetic - b->mass * v3_dot(r->pull, shift);
}

/* d2 = -sin theta w + cos theta n, heading = w x n. */
rolling_disk rolling_disk_of(const rolling *r, tru_quat q) {
    const solid *s = &r->w->solids.items[r->solid_a];
    const body *b = &r->w->bodies.items[r->body];
    const tru_disk *disk = s->params;
    const tru_vec3 z = s->turned ? m3_column(s->r, 2) : v3(0.0, 0.0, 1.0);
    const double a = disk->radius, unit = 1.0 / (b->mass * a * a);
    rolling_disk d = {.radius = a, .mass = b->mass, .axis = r->feature >= TRU_RIM_POINTS ? v3_neg(z) : z};
    const double axial = v3_dot(z, m3_apply(b->inertia, z));
    d.k = (reduced_disk){.e = 0.5 * disk->thickness / a,
                         .i1 = 0.5 * (m3_trace(b->inertia) - axial) * unit,
                         .i3 = axial * unit,
                         .g = -r->h * r->h * v3_dot(r->pull, r->n) / a};
    const tru_vec3 d2 = quat_rotate(q, d.axis);
    const double c = v3_dot(d2, r->n);
    const tru_vec3 side = v3_madd(d2, -c, r->n); /* -sin theta w */
    const double sine = v3_norm(side);
    d.theta = tru_atan2(sine, c);
    if (sine > 0.0) d.heading = v3_cross(r->n, v3_scale(1.0 / sine, side));
    return d;
}

/* ---- the contact record */

static void in_frame(const rolling *r, tru_vec3 v, double out[3]) {
    out[0] = v3_dot(v, r->n);
    out[1] = v3_dot(v, r->t1);
    out[2] = v3_dot(v, r->t2);
}

static void fill_geometry(const rolling *r, const rolling_node *k, contact *c) {
    const body *a = &r->w->bodies.items[r->body], *b = &r->w->bodies.items[r->plane];
    const tru_vec3 arm = v3_neg(k->arm), other = v3_add(arm, v3_sub(k->x, b->x));
    c->key = (contact_key){a->id, b->id, 0, 0, r->feature};
    c->a = r->body;
    c->b = r->plane;
    c->solid_a = r->solid_a;
    c->solid_b = r->solid_b;
    c->pair = world_pair(r->w, &r->w->solids.items[r->solid_a], &r->w->solids.items[r->solid_b]);
    c->local_a = k->local;
    c->start = (contact_place){r->n, r->t1, r->t2, arm, other, rolling_gap(r, k)};
    c->c = (tru_contact){.point = v3_add(k->x, arm),
                         .normal = r->n,
                         .t1 = r->t1,
                         .t2 = r->t2,
                         .arm_a = arm,
                         .arm_b = other,
                         .gap = c->start.gap,
                         .step = r->h,
                         .rim_points = 1};
}

bool rolling_record(rolling *r, const rolling_result *out) {
    tru_world *w = r->w;
    if (!array_resize(&w->memory, &w->contacts_before, 1)) return false;
    const twist moves = {out->end.v, out->end.w}, still = {{0, 0, 0}, {0, 0, 0}};
    contact c = {.flags = CONTACT_NODE | (r->began ? CONTACT_NEW : 0u), .theta = 1.0, .stuck = out->stuck};
    c.age = r->began ? 0 : r->before.age + 1;
    fill_geometry(r, &out->end, &c);
    c.c.stuck = r->began ? out->stuck : r->before.stuck;
    c.steady = c.stuck == c.c.stuck;
    in_frame(r, v3_add(out->first, out->last), c.impulse);
    in_frame(r, out->couple, c.impulse + TRU_ROW_SPIN);
    in_frame(r, out->node, c.dry);
    in_frame(r, out->dry, c.dry + TRU_ROW_SPIN);
    in_frame(r, out->mean_slip, c.work[0]); /* no law prepares its work here */
    in_frame(r, out->last, c.last);         /* the next node's impulse has this half, and the next step's other half */
    in_frame(r, out->slip, c.bias);
    in_frame(r, out->rate, c.bias + TRU_ROW_SPIN);
    contact_rates(&c.start, &moves, &still, c.rate);
    w->contacts_before.items[0] = c;
    const contact_array now = w->contacts_before;
    w->contacts_before = w->contacts;
    w->contacts = now;
    w->bodies.items[r->body].contacts = w->bodies.items[r->plane].contacts = 1;
    return true;
}
