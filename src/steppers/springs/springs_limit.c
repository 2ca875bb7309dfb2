/* trui_springs_limit.c: the largest step at which springs and dashpots are stable.
 *
 * One degree of freedom of mass m with stiffness K and damping c is stable under semi-implicit Euler, the dashpot taken from
 * the last step, if K h^2 + 2 c h < 4 m [contact-tracking-equations 7]. For all rows W of all contacts together m is
 * replaced by the mass matrix: the largest eigenvalue of M^-1 W (K h^2 + 2 C h) W^T must be below 4. That meets the limits
 * measured on a ball whose slide and roll springs share its rotation to three digits. */
#include "steppers/springs/springs_limit.h"
#include "steppers/springs/springs.h"
#include "base/assert.h"

#include "base/error.h"
#include "detect/narrow/narrow.h"
#include "math/quat.h"
#include "shapes/shape.h"

#define LIMIT   4.0
#define ROUNDS  60 /* of the power iteration */
#define HALVING 60

/* One contact in this sense: its rows act on bodies a and b with weights at step h. */
typedef struct hold_point {
    size_t a, b;
    contact_place place;
    spring_set set;
} hold_point;

static double weight(const spring_set *s, int row, double h) {
    const int kind = row == 0 ? TRU_KIND_NORMAL : LAW_KIND_OF_ROW(row - 1);
    return s->stiffness[kind] * h * h + 2.0 * (s->damping[kind] + s->viscosity[kind]) * h;
}

static tru_mat3 inverse_of(const body *b) {
    return b->isotropic ? body_inverse_of(b) : body_turned(b, body_inverse_of(b));
}

/* One product with the matrix, on twists of two bodies. */
static void apply(const hold_point *p, const body *a, const body *b, double h, const twist *ua, const twist *ub,
                  twist *ya, twist *yb) {
    double u[TRU_ROWS];
    const contact_place *at = &p->place;
    trui_contact_rates(at, ua, ub, u);
    for (int row = 0; row < TRU_ROWS; row++) u[row] *= weight(&p->set, row, h);
    const tru_vec3 force = v3_madd(v3_madd(v3_scale(u[0], at->normal), u[1], at->t1), u[2], at->t2);
    const tru_vec3 couple = v3_madd(v3_madd(v3_scale(u[3], at->normal), u[4], at->t1), u[5], at->t2);
    ya->v = v3_madd(ya->v, a->inv_mass, force);
    yb->v = v3_madd(yb->v, -b->inv_mass, force);
    if (body_is_free(a)) ya->w = v3_add(ya->w, m3_apply(inverse_of(a), v3_add(couple, v3_cross(at->arm_a, force))));
    if (body_is_free(b)) yb->w = v3_sub(yb->w, m3_apply(inverse_of(b), v3_add(couple, v3_cross(at->arm_b, force))));
}

/* [J] u M u / 2: the norm in which the matrix is symmetric. */
static double energy_of(const body *bodies, const twist *u, size_t n) {
    double e = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (!body_is_free(&bodies[i])) continue;
        body b = bodies[i];
        b.v = u[i].v;
        b.w = u[i].w;
        e += trui_body_kinetic(&b);
    }
    return e;
}

/* The largest eigenvalue for these contacts on n bodies, from a start in which everything moves. Work: 2 n twists. */
static double largest(const hold_point *points, size_t count, const body *bodies, size_t n, double h, twist *work) {
    twist *u = work, *y = work + n;
    double lambda = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double x = 1.0 + 0.1 * (double)(i % 7), free = body_is_free(&bodies[i]) ? 1.0 : 0.0;
        const double turn = free / (bodies[i].size > 0.0 ? bodies[i].size : 1.0);
        u[i] = (twist){v3(free * x, -0.7 * free, 0.4 * free * x), v3(0.9 * turn * x, 0.5 * turn, -0.6 * turn)};
    }
    double energy = energy_of(bodies, u, n); /* only ratios count: the root of an energy has no unit */
    for (int round = 0; round < ROUNDS && energy > 0.0; round++) {
        memset(y, 0, n * sizeof *y);
        for (size_t k = 0; k < count; k++) {
            const hold_point *p = &points[k];
            apply(p, &bodies[p->a], &bodies[p->b], h, &u[p->a], &u[p->b], &y[p->a], &y[p->b]);
        }
        lambda = sqrt(energy_of(bodies, y, n) / energy);
        if (!(lambda > 0.0)) break;
        for (size_t i = 0; i < n; i++) u[i] = (twist){v3_scale(1.0 / lambda, y[i].v), v3_scale(1.0 / lambda, y[i].w)};
    }
    return lambda;
}

/* The step at which the eigenvalue is 4; it grows with the step. */
static double critical(const hold_point *points, size_t count, const body *bodies, size_t n, double first,
                       twist *work) {
    double lo = 0.0, hi = first;
    while (largest(points, count, bodies, n, hi, work) < LIMIT && hi < 0x1p40 * first) hi *= 2.0;
    for (int i = 0; i < HALVING && hi - lo > 1e-9 * hi; i++) {
        const double h = 0.5 * (lo + hi);
        *(largest(points, count, bodies, n, h, work) < LIMIT ? &lo : &hi) = h;
        TRU_ASSERT(lo < hi && !(hi < 0.0));
    }
    return lo;
}

/* [m] Overlap that carries the weight of the lighter body: where a Hertz contact is met. */
static double resting_overlap(const tru_track *o, const tru_world *w, const contact *c, spring_set s) {
    double elastic, energy, lo = 0.0,
                            hi = o->normal == TRU_HERTZ ? 1.0 / c->springs->curvature_mean : w->bodies.items[c->a].size;
    const double weight_of = s.mass * v3_norm(w->gravity);
    if (o->normal != TRU_HERTZ) return hi; /* as stiff at any depth */
    for (int i = 0; i < HALVING; i++) {
        const double x = 0.5 * (lo + hi);
        trui_springs_normal(o, w, c, x, 0.0, &s, &elastic, &energy);
        *(elastic < weight_of ? &lo : &hi) = x;
        TRU_ASSERT(0.0 <= lo && lo <= hi);
    }
    return hi;
}

/* A turn that takes one unit vector onto another, by way of half a turn if they point apart. */
static tru_quat turn_onto(tru_vec3 from, tru_vec3 onto) {
    tru_vec3 t1, t2;
    v3_tangents(from, &t1, &t2);
    const bool apart = v3_dot(from, onto) < 0.0;
    TRU_ASSERT(!(fabs(v3_norm2(from) - 1.0) > 1e-9) && !(fabs(v3_norm2(onto) - 1.0) > 1e-9));
    const tru_quat half = apart ? (tru_quat){0.0, t1.x, t1.y, t1.z} : quat_identity();
    const tru_vec3 near = apart ? v3_neg(from) : from, axis = v3_cross(near, onto);
    tru_quat rest = {1.0 + v3_dot(near, onto), axis.x, axis.y, axis.z};
    quat_unit(rest, &rest);
    return quat_mul(rest, half);
}

/* [m] Arm to the highest point of a body along n, as it stands. */
static tru_vec3 highest(const tru_world *w, const body *b, tru_vec3 n) {
    const solid *s = &w->solids.items[b->solid_first];
    const placed pose = solid_on(s, b);
    tru_surface at;
    placed_support(&pose, n, &at);
    return v3_sub(at.point, b->x);
}

/* A contact that could be: body a with the point at arms[which], of those of a face that are lowest along `down`, against
 * something of pair p, b or fixed. Both bodies and the solid are copies, posed for it. */
static hold_point possible(const tru_track *o, const tru_world *w, const solid *sa, const body both[2], const pair *p,
                           tru_vec3 down, const tru_vec3 *arms, size_t count, size_t which) {
    hold_point point = {.a = 0, .b = 1};
    const body *a = &both[0], *b = &both[1];
    springs own = {.stretch_b = {0.0}};
    contact c = {.pair = p, .a = (uint32_t)sa->body, .springs = &own};
    point.place.normal = c.c.normal = v3_neg(down);
    v3_tangents(c.c.normal, &point.place.t1, &point.place.t2);
    point.place.arm_a = c.c.arm_a = arms[which];
    point.place.arm_b = c.c.arm_b = body_is_free(b) ? highest(w, b, c.c.normal) : v3_zero();
    const track_side side = trui_track_side_of(a, sa, c.c.arm_a);
    sym2 k = {0.0, 0.0, 0.0};
    trui_track_curvature(sa, &side, down, point.place.t1, point.place.t2, &k);
    own.curvature = own.curvature_mean = 0.5 * (k.xx + k.yy);
    own.radius_effective = own.curvature > 0.0 ? 1.0 / own.curvature : 0.0;
    own.radius_smaller = sa->radius;
    face_points face = {.count = 0};
    trui_springs_masses(o, a, b, &c.c, &point.set);
    for (size_t i = 0; i < count; i++) trui_face_add(&face, 1.0, arms[i], c.c.arm_b);
    trui_face_share(&face, a, b, c.c.normal, &point.set);
    double elastic, energy;
    const double depth = resting_overlap(o, w, &c, point.set);
    trui_springs_normal(o, w, &c, depth, 0.0, &point.set, &elastic, &energy);
    trui_springs_make(o, w, &c, point.set.mass * v3_norm(w->gravity), 0.0, &point.set);
    return point;
}

/* The free body with the least mass but `other`, or a fixed one: whom a body could meet at worst. */
static const body *worst_partner(const tru_world *w, const body *other) {
    const body *found = NULL;
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        if (b == other) continue;
        if (!found || (body_is_free(b) && (!body_is_free(found) || b->mass < found->mass))) found = b;
    }
    return found;
}

/* The stiffest contacts of one body that were found: those of one solid in one direction. */
typedef struct stiffest {
    hold_point points[TRU_TOUCHES];
    size_t count;
    body both[2];
    double lambda;
} stiffest;

/* Arms [m] of the points with which a solid would lie on a plane below it: its lowest one, or those of a face. */
static int arms_below(const solid *s, const body *a, tru_vec3 down, bool face, tru_vec3 arms[TRU_TOUCHES]) {
    const placed pose = solid_on(s, a);
    tru_vec3 t1, t2;
    tru_surface lowest;
    contact_point m[TRU_TOUCHES];
    placed_support(&pose, down, &lowest);
    v3_tangents(v3_neg(down), &t1, &t2);
    const placed plane = {&tru_shape_plane, NULL, lowest.point, m3_columns(t1, t2, v3_neg(down))};
    const int count = face ? trui_narrow_points(&pose, &plane, 1e-6 * s->radius, NULL, 0, m) : 0;
    for (int i = 0; i < count; i++) arms[i] = v3_sub(m[i].point_a, a->x);
    if (count == 0) arms[0] = v3_sub(lowest.point, a->x);
    return count > 0 ? count : 1;
}

/* Number of directions along the axes of a shape in which its contacts differ. */
static int directions_of(const tru_shape *shape) {
    return shape == &tru_shape_sphere ? 1 : shape == &tru_shape_hull ? 6 : 3;
}

/* Direction k of these for a solid of a posed body. */
static tru_vec3 direction_of(const solid *s, const body *b, int k) {
    return v3_scale(k < 3 ? 1.0 : -1.0, m3_column(solid_on(s, b).r, k % 3));
}

/* A body as it is made, without the pose it has. */
static body unposed(const body *b) {
    body bare = *b;
    bare.x = v3_zero();
    bare.q = quat_identity();
    return bare;
}

/* Contacts of the solid along `down` with body both[1] as it stands, if they are stiffer than what was found so far. */
static void try_posed(const tru_track *o, const tru_world *w, const solid *s, const body both[2], const pair *p,
                      tru_vec3 down, bool face, stiffest *found) {
    stiffest here = {.both = {both[0], both[1]}};
    tru_vec3 arms[TRU_TOUCHES];
    twist work[4];
    here.count = (size_t)arms_below(s, &both[0], down, face, arms);
    for (size_t i = 0; i < here.count; i++) here.points[i] = possible(o, w, s, both, p, down, arms, here.count, i);
    here.lambda = largest(here.points, here.count, here.both, 2, o->step, work);
    if (here.lambda > found->lambda) *found = here;
}

/* Contacts of a solid with body b, along the axes of both shapes. Where the bodies are does not count: a run that is resumed
 * must find the same limit, and one that runs on may come to any pose. */
static void try_contacts(const tru_track *o, const tru_world *w, const body *a, const solid *s, const body *b,
                         bool face, stiffest *found) {
    const solid *sb = b ? &w->solids.items[b->solid_first] : NULL;
    const pair *p = b ? trui_world_pair(w, s, sb) : NULL;
    if (!p || !s->shape->bounded) return;
    const body own = unposed(a), other = unposed(b);
    solid posed = *s;
    posed.pose = solid_on(s, &own);
    for (int k = 0; k < directions_of(s->shape); k++) {
        const tru_vec3 down = direction_of(s, &own, k);
        for (int j = 0; j < (body_is_free(b) ? directions_of(sb->shape) : 1); j++) {
            body both[2] = {own, other};
            if (body_is_free(b)) both[1].q = turn_onto(direction_of(sb, &other, j), v3_neg(down));
            try_posed(o, w, &posed, both, p, down, face, found);
        }
    }
}

/* Returns true if the limit is so far away that no message needs its value. */
static bool far_away(const hold_point *points, size_t count, const body *bodies, size_t n, double h, twist *work) {
    return largest(points, count, bodies, n, 2.0 * h, work) < LIMIT;
}

static const body *first_plane(const tru_world *w) {
    for (size_t i = 0; i < w->solids.count; i++)
        if (!w->solids.items[i].shape->bounded) return &w->bodies.items[w->solids.items[i].body];
    return NULL;
}

/* Has the body before it the same shapes and mass? */
static bool like_the_last(const tru_world *w, size_t i) {
    const body *b = &w->bodies.items[i], *last = b - 1;
    if (i == 0 || b->solid_count != 1 || last->solid_count != 1 || !body_is_free(last)) return false;
    const solid *s = &w->solids.items[b->solid_first], *of_last = &w->solids.items[last->solid_first];
    return s->at == of_last->at && s->material == of_last->material && b->mass == last->mass &&
           b->moment == last->moment;
}

/* Has the solid no face or edge to lie on? */
static bool is_smooth(const solid *s) { return s->shape == &tru_shape_sphere || s->shape == &tru_shape_ellipsoid; }

/* A single contact of a body with the worst partner it could meet, and all points of a face that lies on a plane. */
static double limit_of_single(const tru_track *o, const tru_world *w) {
    const body *plane = first_plane(w);
    stiffest found = {.count = 0};
    twist work[4];
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *a = &w->bodies.items[i];
        if (!body_is_free(a) || like_the_last(w, i)) continue;
        for (size_t k = a->solid_first; k < a->solid_first + a->solid_count; k++) {
            const body *partner = worst_partner(w, a);
            const solid *own = &w->solids.items[k];
            try_contacts(o, w, a, own, partner, false, &found);
            if (partner != plane || !is_smooth(own)) try_contacts(o, w, a, own, plane, true, &found);
        }
    }
    if (!(found.lambda > 0.0) || far_away(found.points, found.count, found.both, 2, o->step, work)) return DBL_MAX;
    return critical(found.points, found.count, found.both, 2, o->step, work);
}

/* Contact i of the world; those of its face are taken as equally deep, also if they are only about to close. */
static hold_point present(const tru_track *o, const tru_world *w, size_t i) {
    contact *c = &w->contacts.items[i];
    hold_point p = {.a = c->a, .b = c->b, .place = {c->c.normal, c->c.t1, c->c.t2, c->c.arm_a, c->c.arm_b, c->c.gap}};
    double elastic, energy;
    springs slack = {.overlap = 0.0};
    c->springs = &slack;
    trui_springs_curvature(w, c);
    trui_springs_masses(o, &w->bodies.items[c->a], &w->bodies.items[c->b], &c->c, &p.set);
    while (i > 0 && trui_contact_run(&w->contacts, i - 1) > 1) i--;
    face_points face = {.count = 0};
    for (int k = 0, count = trui_contact_run(&w->contacts, i); k < count; k++)
        trui_face_add(&face, 1.0, w->contacts.items[i + (size_t)k].c.arm_a, w->contacts.items[i + (size_t)k].c.arm_b);
    trui_face_share(&face, &w->bodies.items[c->a], &w->bodies.items[c->b], c->c.normal, &p.set);
    const double depth = fmax(-c->c.gap, resting_overlap(o, w, c, p.set));
    const double normal = trui_springs_normal(o, w, c, depth, 0.0, &p.set, &elastic, &energy);
    trui_springs_make(o, w, c, normal, 0.0, &p.set);
    c->springs = NULL;
    return p;
}

/* All contacts there are, with those that are about to close. */
static tru_status limit_of_present(const tru_track *o, tru_world *w, double *limit, tru_error *err) {
    trui_arena_reset(&w->scratch);
    const tru_status s = trui_find_contacts(w, 1e-3 * trui_smallest_free(w), o->step, KEEP_SPRINGS, err);
    if (s < 0) return s;
    const size_t count = w->contacts.count, n = w->bodies.count;
    hold_point *points = ARENA_ARRAY(&w->scratch, hold_point, count);
    twist *work = ARENA_ARRAY(&w->scratch, twist, 2 * n);
    if (points && work && count > 0) {
        for (size_t i = 0; i < count; i++) points[i] = present(o, w, i);
        if (!far_away(points, count, w->bodies.items, n, o->step, work))
            *limit = fmin(*limit, critical(points, count, w->bodies.items, n, o->step, work));
    }
    trui_find_contacts_undo(w);
    return points && work ? TRU_OK : tru_no_memory(err);
}

double trui_springs_limit_of_bodies(const tru_track *o, const tru_world *w) { return limit_of_single(o, w); }

tru_status trui_springs_limit(const tru_track *o, tru_world *w, double *limit, tru_error *err) {
    *limit = limit_of_single(o, w);
    return w->steps_done == 0 ? limit_of_present(o, w, limit, err) : TRU_OK; /* a run that is resumed was let start */
}
