/* track.c: paths of a contact point over both surfaces in a step, and rotation of the bodies there, from poses alone. */
#include "detect/track.h"

#include "math/elementary/elementary.h"
#include "math/quat.h"
#include "shapes/shape.h"

/* [-] Squared sine below which the series of the arc has full precision. */
#define SMALL 0x1p-10

/* Returns an angle divided by its sine, asin(s)/s, continued through the quadrants. acos is not used, because it cannot resolve angles below 1e-8. */
static double arc_per_sine(double sine2, double cosine) {
    if (sine2 < SMALL && cosine > 0.0) {
        const double s = sine2;
        return 1.0 +
               s * (1.0 / 6.0 + s * (3.0 / 40.0 + s * (15.0 / 336.0 + s * (105.0 / 3456.0 + s * (945.0 / 42240.0)))));
    }
    const double sine = sqrt(sine2);
    return sine > 0.0 ? tru_atan2(sine, cosine) / sine : 1.0;
}

track_side trui_track_side_of(const body *b, const solid *s, tru_vec3 arm) {
    track_side side = {.r = body_axes(b), .arm = arm, .kind = TRACK_CURVED, .belt = b->belt};
    if (s->shape == &tru_shape_sphere) {
        side.kind = TRACK_SPHERE;
        side.radius = ((const tru_sphere *)s->params)->radius;
        if (!s->centred) side.centre = m3_apply(side.r, s->at->x);
    } else if (!s->shape->bounded) {
        side.kind = TRACK_FLAT;
    }
    return side;
}

/* Returns a vector of the last record in world axes, at the present pose of its body. */
static tru_vec3 carried(const track_side *side, tru_vec3 in_body) {
    const tru_vec3 v = m3_apply(side->r, in_body);
    return side->belt ? quat_rotate(quat_exp(side->turned), v) : v;
}

/* The frame (t1, t2) in the plane across n, by the smallest turn that takes its normal there: closed form of the frame
 * that maximises u0.u + w0.w [FN20 section 2.2]. */
static tru_vec3 laid_down(tru_vec3 t1, tru_vec3 t2, tru_vec3 n) {
    tru_vec3 u;
    if (v3_unit(v3_reject(v3_add(t1, v3_cross(t2, n)), n), &u)) return u;
    v3_tangents(n, &u, &t2); /* after half a turn any frame will do */
    return u;
}

/* Returns the path over a sphere from the old material point to the new one: the great circle, with the radius of the new point. */
static tru_vec3 path_over_sphere(const track_side *side, tru_vec3 old, tru_vec3 n) {
    const tru_vec3 a = v3_sub(old, side->centre), b = v3_sub(side->arm, side->centre);
    const tru_vec3 along = v3_reject(a, n);
    const double aa = v3_norm2(a), bb = v3_norm2(b), sine2 = v3_norm2(along) / aa;
    return v3_scale(-arc_per_sine(sine2, v3_dot(a, b) / sqrt(aa * bb)) * sqrt(bb / aa), along);
}

/* From the old material point to the new one, rolled out into the tangent plane. `was`: the old normal, carried by the body.
 * A way of r sin(turn) in the tangent plane is an arc of r turn, r the radius of curvature. What moves along the normal, as
 * the overlap does, is not part of it. */
static tru_vec3 path_over(const track_side *side, tru_vec3 old, tru_vec3 was, tru_vec3 n) {
    const double quarter_turn =
        0x1.921fb54442d18p+0; /* arc divided by sine at a right angle; beyond it the contact did not roll there */
    if (side->kind == TRACK_SPHERE) return path_over_sphere(side, old, n);
    const tru_vec3 along = v3_reject(v3_sub(side->arm, old), n);
    if (side->kind == TRACK_FLAT) return along;
    return v3_scale(fmin(arc_per_sine(v3_norm2(v3_reject(was, n)), v3_dot(was, n)), quarter_turn), along);
}

static vec2 turned(vec2 p, double sine, double cosine) {
    return v2(cosine * p.x - sine * p.y, sine * p.x + cosine * p.y);
}

track_motion trui_track_follow(const track_record *last, const track_side *a, const track_side *b, tru_vec3 n,
                               track_mapping mapping) {
    track_motion m;
    const track_side *side[2] = {a, b};
    tru_vec3 u[2], was[2];
    for (int k = 0; k < 2; k++) {
        const tru_vec3 t1 = carried(side[k], last->t1[k]), t2 = carried(side[k], last->t2[k]);
        u[k] = laid_down(t1, t2, n);
        was[k] = v3_cross(t1, t2);
    }
    const double sine = v3_dot(v3_cross(u[1], u[0]), n), cosine = v3_dot(u[1], u[0]);
    m.spin = sine * arc_per_sine(sine * sine, cosine);
    /* u[0] is psi ahead of u[1]; cosine and sine of psi/2 and psi/4 follow by roots */
    const tru_vec3 sum = v3_add(u[0], u[1]);
    const double half_cos = 0.5 * v3_norm(sum);
    const bool half = mapping == TRACK_HALF_ANGLE && half_cos > 0x1p-20; /* false after half a turn in one step */
    m.t1 = half ? v3_scale(0.5 / half_cos, sum) : u[0];
    m.t2 = v3_cross(n, m.t1);
    for (int k = 0; k < 2; k++) {
        const tru_vec3 at = carried(side[k], last->at[k]);
        const tru_vec3 path = path_over(side[k], side[k]->belt ? v3_add(at, side[k]->slid) : at, was[k], n);
        m.path[k] = v2(v3_dot(path, m.t1), v3_dot(path, m.t2));
    }
    if (half) {
        const double quarter_cos = sqrt(0.5 * (1.0 + half_cos)), quarter = 0.25 * sine / (half_cos * quarter_cos);
        m.path[0] = turned(m.path[0], -quarter, quarter_cos);
        m.path[1] = turned(m.path[1], quarter, quarter_cos);
    } else {
        m.path[1] = turned(m.path[1], -sine, cosine);
    }
    return m;
}

/* The sine of the rotation is half the sum of the cross products of the frames' axes. */
vec2 trui_track_turn(const track_record *last, const track_side *a, const track_side *b, tru_vec3 t1, tru_vec3 t2) {
    const track_side *side[2] = {a, b};
    tru_vec3 p[2], q[2], n[2];
    for (int k = 0; k < 2; k++) {
        p[k] = carried(side[k], last->t1[k]);
        q[k] = carried(side[k], last->t2[k]);
        n[k] = v3_cross(p[k], q[k]);
    }
    const tru_vec3 sum = v3_add(v3_add(v3_cross(p[1], p[0]), v3_cross(q[1], q[0])), v3_cross(n[1], n[0]));
    const double trace = v3_dot(p[0], p[1]) + v3_dot(q[0], q[1]) + v3_dot(n[0], n[1]);
    const tru_vec3 sine = v3_scale(0.5, sum);
    const tru_vec3 turn = v3_scale(arc_per_sine(v3_norm2(sine), 0.5 * (trace - 1.0)), sine);
    return v2(v3_dot(turn, t1), v3_dot(turn, t2));
}

track_record trui_track_record_of(const track_side *a, const track_side *b, tru_vec3 t1, tru_vec3 t2) {
    return (track_record){{m3_apply_t(a->r, a->arm), m3_apply_t(b->r, b->arm)},
                          {m3_apply_t(a->r, t1), m3_apply_t(b->r, t1)},
                          {m3_apply_t(a->r, t2), m3_apply_t(b->r, t2)}};
}

/* kappa(t, t') = h t^T diag(1/a^2) t', h the support function at the outward normal. */
static sym2 ellipsoid_curvature(const solid *s, tru_vec3 out, tru_vec3 t1, tru_vec3 t2) {
    const tru_vec3 a = ((const tru_ellipsoid *)s->params)->semi_axes;
    const tru_vec3 d = m3_apply_t(s->pose.r, out), u = m3_apply_t(s->pose.r, t1), v = m3_apply_t(s->pose.r, t2);
    const double h = v3_norm(v3_mul(a, d));
    const tru_vec3 p = v3(u.x / a.x, u.y / a.y, u.z / a.z), q = v3(v.x / a.x, v.y / a.y, v.z / a.z);
    return (sym2){h * v3_norm2(p), h * v3_dot(p, q), h * v3_norm2(q)};
}

bool trui_track_curvature(const solid *s, const track_side *side, tru_vec3 out, tru_vec3 t1, tru_vec3 t2,
                          sym2 *curvature) {
    *curvature = (sym2){0.0, 0.0, 0.0};
    if (side->kind == TRACK_FLAT) return true;
    if (side->kind == TRACK_SPHERE) {
        const double k = 1.0 / side->radius;
        *curvature = (sym2){k, 0.0, k};
        return true;
    }
    if (s->shape != &tru_shape_ellipsoid) return false;
    *curvature = ellipsoid_curvature(s, out, t1, t2);
    return true;
}

/* On the parallel surface at depth `inside`, S becomes S (1 - inside S)^-1. */
vec2 trui_track_roll(const track_side *side, sym2 curvature, double inside, vec2 path) {
    if (side->kind == TRACK_SPHERE) {
        const double k = 1.0 / v3_norm(v3_sub(side->arm, side->centre));
        return s2_apply((sym2){k, 0.0, k}, path);
    }
    const sym2 rest = {1.0 - inside * curvature.xx, -inside * curvature.xy, 1.0 - inside * curvature.yy};
    sym2 outward = {1.0, 0.0, 1.0}; /* path on the surface divided by path of the contact point */
    if (inside != 0.0 && rest.xx > 0.0 && rest.xx * rest.yy > rest.xy * rest.xy) s2_inverse(rest, &outward);
    return s2_apply(curvature, s2_apply(outward, path));
}
