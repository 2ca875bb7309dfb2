/* step_event_view.c: a world with one free body and planes, in pure numbers, and the contact geometry of the body. */
#include "steppers/event/step_event_view.h"

#include "base/assert.h"
#include "detect/narrow/narrow.h"
#include "laws/law.h"
#include "math/elementary/bits.h"
#include "math/quat.h"

#define LONG_TIME 1e60 /* [-] longest unit of time, in steps: its square is still far from overflow */

/* Returns a power of two near x; 1 if x is not positive. */
static double power_near(double x) { return x > 0.0 ? bits_power(bits_exponent(x)) : 1.0; }

/* ---- units, in and out */

/* Returns the free body. */
static const body *free_body(const tru_world *w) {
    for (size_t i = 0; i < w->bodies.count; i++)
        if (body_is_free(&w->bodies.items[i])) return &w->bodies.items[i];
    return NULL;
}

/* [m/s^2] Returns a bound of the acceleration of the body by gravity and loads. */
static double pull(const tru_world *w, const body *b) {
    double sum = v3_norm(w->gravity);
    for (size_t i = 0; i < w->loads.count; i++)
        sum += v3_norm(w->loads.items[i].force) / b->mass + v3_norm(w->loads.items[i].torque) / (b->mass * b->size);
    return sum;
}

/* [s] Returns the time in which the body falls its size; in which it moves by it if nothing pulls; h if it is at rest too. Tolerances of
 * speeds are relative to size over this time. */
static double time_scale(const tru_world *w, const body *b, double h) {
    const double a = pull(w, b), speed = v3_norm(b->v) + b->size * v3_norm(b->w);
    if (a > 0.0) return sqrt(b->size / a);
    return speed > 0.0 ? fmin(b->size / speed, LONG_TIME * h) : h;
}

event_view trui_event_view_of(tru_world *w, double h) {
    const body *b = free_body(w);
    TRU_ASSERT(b->size > 0.0 && b->mass > 0.0 && h > 0.0);
    event_view v = {
        .w = w, .b = b, .length = power_near(b->size), .mass = power_near(b->mass), .start = trui_world_time(w)};
    v.time = power_near(time_scale(w, b, h));
    v.inv_mass = v.mass / b->mass;
    v.inertia = m3_scale(1.0 / (v.mass * v.length * v.length), body_inertia_of(b));
    v.inverse = m3_scale(v.mass * v.length * v.length, body_inverse_of(b));
    v.level = body_level(w, (size_t)(b - w->bodies.items));
    v.guided = v3_max_abs(v.level) > 0.0;
    v.gravity = v3_scale(v.time * v.time / v.length, w->gravity);
    v.origin = b->x;
    v.reach = b->size / v.length;
    v.at.solid = v.at.plane = SIZE_MAX;
    for (size_t i = 0; i < w->solids.count; i++) v.plane_count += !w->solids.items[i].shape->bounded;
    return v;
}

event_state trui_event_state_of(const event_view *v) {
    const body *b = v->b;
    return (event_state){.q = b->q,
                         .w = v3_scale(v->time, b->w),
                         .v = v3_scale(v->time / v->length, b->v),
                         .x = v3_scale(1.0 / v->length, v3_sub(b->x, v->origin))};
}

void trui_event_write(const event_view *v, const event_state *s) {
    body *b = &v->w->bodies.items[v->b - v->w->bodies.items];
    TRU_ASSERT(fabs(quat_norm2(s->q) - 1.0) < 1e-9 && s->t >= 0.0);
    b->x = v3_madd(v->origin, v->length, s->x);
    b->q = s->q;
    b->v = v3_scale(v->length / v->time, s->v);
    b->w = v3_scale(1.0 / v->time, s->w);
}

/* ---- contact geometry */

/* Returns a plane of the world where it stands. */
static placed plane_of(const event_view *v, size_t solid_index) {
    const solid *s = &v->w->solids.items[solid_index];
    const body *b = &v->w->bodies.items[s->body];
    return solid_on(s, b);
}

void trui_event_set_contact(event_view *v, const event_touch *at) {
    const solid *a = &v->w->solids.items[at->solid];
    const placed plane = plane_of(v, at->plane);
    const tru_vec3 n = placed_plane_normal(&plane);
    tru_vec3 t1, t2;
    v3_tangents(n, &t1, &t2);
    v->at = *at;
    v->axes = m3_rows(t1, t2, n);
    const pair *p = trui_world_pair(v->w, a, &v->w->solids.items[at->plane]);
    v->restitution = p->restitution;
    v->friction = trui_coulomb_of_pair(p);
    v->friction.stribeck *= v->time / v->length;
}

event_touch trui_event_lowest(const event_view *v, tru_quat q, tru_vec3 x, int *touching) {
    const tru_world *w = v->w;
    const body *b = v->b;
    const tru_vec3 at = v3_madd(v->origin, v->length, x);
    const tru_mat3 r = quat_to_matrix(q);
    event_touch best = {SIZE_MAX, SIZE_MAX, 0, DBL_MAX};
    if (touching) *touching = 0;
    for (size_t j = 0; j < w->solids.count; j++) {
        if (w->solids.items[j].shape->bounded) continue;
        const placed plane = plane_of(v, j);
        for (size_t i = b->solid_first; i < b->solid_first + b->solid_count; i++) {
            const placed a = solid_placed(&w->solids.items[i], at, &r);
            contact_point m[TRU_TOUCHES];
            const int n = trui_narrow_points(&a, &plane, DBL_MAX, NULL, 0, m);
            for (int k = 0; k < n; k++) {
                const event_touch t = {i, j, m[k].feature, m[k].gap / v->length};
                if (i == v->at.solid && j == v->at.plane && t.feature == v->at.feature) continue;
                if (touching) *touching += t.gap <= EVENT_TOUCHING * v->reach;
                if (t.gap < best.gap) best = t;
            }
        }
    }
    return best;
}

/* ---- dynamics */

double trui_event_next_knot(const event_view *v, double t, double end) {
    for (size_t i = 0; i < v->w->loads.count; i++) {
        const schedule *s = &v->w->loads.items[i].schedule;
        for (size_t k = 0; k < s->count; k++) {
            const double knot = (s->knots[k].time - v->start) / v->time;
            if (knot > t && knot < end) end = knot;
        }
    }
    return end;
}

void trui_event_loads_at(const event_view *v, const tru_mat3 *r, double t, tru_vec3 *force, tru_vec3 *torque) {
    const double fu = v->time * v->time / (v->mass * v->length), tu = fu / v->length; /* powers of two */
    trui_loads_on_body(v->w, r, v->start + v->time * t, force, torque);
    *force = v3_scale(fu, *force);
    *torque = v3_scale(tu, *torque);
}

/* Computes the surface of the touching solid where its outward normal is -n. Returns the point in body axes, and H along (t1, t2). */
static tru_vec3 surface_at(const event_view *v, const tru_mat3 *axes, sym2 *h) {
    const solid *so = &v->w->solids.items[v->at.solid];
    const tru_mat3 c = so->turned ? m3_mul(*axes, solid_turn(so)) : *axes; /* shape to contact axes */
    tru_surface s;
    so->shape->surface(so->params, v3_neg(m3_row(c, 2)), &s);
    const tru_vec3 b1 = m3_row(c, 0), b2 = m3_row(c, 1), h1 = m3_apply(s.hessian, b1), h2 = m3_apply(s.hessian, b2);
    const double unit = 1.0 / v->length;
    *h = (sym2){unit * v3_dot(b1, h1), unit * v3_dot(b2, h1), unit * v3_dot(b2, h2)};
    return v3_scale(unit, v3_add(so->at->x, so->turned ? m3_apply(solid_turn(so), s.point) : s.point));
}

/* The level axis k stays at right angles to z while c . w = 0 with c = k x z, so c . dw/dt = -(dc/dt) . w. */
event_guide trui_event_guide_at(const event_view *v, const tru_mat3 *r, tru_vec3 wb) {
    event_guide g = {{0, 0, 0}, {0, 0, 0}, 0.0};
    if (!v->guided) return g;
    const tru_vec3 z = m3_row(*r, 2);
    g.axis = v3_cross(v->level, z);
    g.moved = m3_apply(v->inverse, g.axis);
    g.moved = v3_scale(1.0 / v3_dot(g.axis, g.moved), g.moved);
    g.asked = -v3_dot(v3_cross(v3_cross(wb, v->level), z), wb);
    return g;
}

/* Eliminates the normal force from response and free acceleration. */
static void eliminate_normal(event_dynamics *d) {
    double(*g)[3] = d->problem.response.m;
    const tru_vec3 b = d->problem.free_point;
    TRU_ASSERT(!(g[2][2] <= 0.0)); /* a force on the body along n accelerates the point along n */
    d->a1 = g[0][2] / g[2][2];
    d->a2 = g[1][2] / g[2][2];
    d->n0 = -b.z / g[2][2];
    d->s = (sym2){g[0][0] - g[0][2] * d->a1, g[0][1] - g[0][2] * d->a2, g[1][1] - g[1][2] * d->a2};
    d->c = v2(b.x + d->n0 * g[0][2], b.y + d->n0 * g[1][2]);
}

void trui_event_dynamics_at(const event_view *v, tru_quat q, tru_vec3 w, double t, event_dynamics *d) {
    const tru_mat3 r = quat_to_matrix(q);
    tru_vec3 force, torque, push[3];
    sym2 h;
    d->body_axes = m3_mul(v->axes, r);
    const tru_vec3 point = surface_at(v, &d->body_axes, &h), wb = m3_apply_t(d->body_axes, w);
    d->arm = v3_neg(m3_apply(d->body_axes, point));
    d->path = s2_apply(h, v2(w.y, -w.x)); /* w_P = H (omega x n)_t */
    trui_event_loads_at(v, &r, t, &force, &torque);
    d->force = m3_apply(v->axes, force);
    d->torque = m3_apply(v->axes, torque);
    const tru_vec3 twist_b = v3_sub(m3_apply_t(r, torque), v3_cross(wb, m3_apply(v->inertia, wb)));
    const event_guide guide = trui_event_guide_at(v, &r, wb);
    d->turn_free = event_guided(&guide, guide.asked, m3_apply(v->inverse, twist_b));
    for (int k = 0; k < 3; k++) {
        push[k] = v3_cross(point, m3_row(d->body_axes, k)); /* moment of a unit force at the point about the centre */
        d->turn[k] = event_guided(&guide, 0.0, m3_apply(v->inverse, push[k]));
    }
    for (int i = 0; i < 3; i++)
        for (int k = i; k < 3; k++)
            d->problem.response.m[i][k] = d->problem.response.m[k][i] =
                v3_dot(push[i], d->turn[k]) + (i == k ? v->inv_mass : 0.0);
    const tru_vec3 fall = m3_apply(v->axes, v3_madd(v->gravity, v->inv_mass, force));
    const tru_vec3 arm_rate = v3_sub(v3_cross(w, d->arm), v3(d->path.x, d->path.y, 0.0));
    const tru_vec3 turned = v3_cross(d->arm, m3_apply(d->body_axes, d->turn_free));
    d->problem.free_point = v3_sub(v3_add(fall, turned), v3_cross(w, arm_rate));
    d->problem.slide = v->friction.slide;
    d->problem.slide_static = v->friction.slide_static;
    d->problem.stribeck = v->friction.stribeck;
    eliminate_normal(d);
}

tru_vec3 trui_event_turning(const event_dynamics *d, tru_vec3 force) {
    const tru_vec3 t = v3_madd(v3_madd(d->turn_free, force.x, d->turn[0]), force.y, d->turn[1]);
    return m3_apply(d->body_axes, v3_madd(t, force.z, d->turn[2]));
}
