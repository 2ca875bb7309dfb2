/* Tracking of a contact point: objective to round-off, rates to first order, paths on sphere, plane and ellipsoid. */
#include "check.h"

#include "detect/narrow/narrow.h"
#include "detect/track.h"
#include "math/quat.h"
#include "shapes/shape.h"
#include "draw.h"

enum { SPHERES, SPHERE_PLANE, ELLIPSOID_PLANE, ELLIPSOIDS, ELLIPSOID_SPHERE, PAIRS };

/* Two bodies with one solid each; b may be a plane. */
typedef struct couple {
    body b[2];
    solid s[2];
    mount at[2];
    tru_sphere sphere[2];
    tru_ellipsoid ellipsoid[2];
} couple;

/* The point, arms and normal where they touch now. */
typedef struct touch {
    track_side side[2];
    tru_vec3 n;
    double gap;
} touch;

static void couple_init(couple *c, int kind, draw *d) {
    memset(c, 0, sizeof *c);
    c->sphere[0].radius = draw_in(d, 0.1, 0.3);
    c->sphere[1].radius = draw_in(d, 0.1, 0.3);
    const bool egg = kind >= ELLIPSOID_PLANE, plane = kind == SPHERE_PLANE || kind == ELLIPSOID_PLANE;
    for (int k = 0; k < 2; k++)
        c->ellipsoid[k].semi_axes = v3(draw_in(d, 0.1, 0.3), draw_in(d, 0.1, 0.3), draw_in(d, 0.1, 0.3));
    c->s[0].shape = egg ? &tru_shape_ellipsoid : &tru_shape_sphere;
    c->s[0].params = egg ? (void *)&c->ellipsoid[0] : &c->sphere[0];
    c->s[1].shape = plane ? &tru_shape_plane : kind == ELLIPSOIDS ? &tru_shape_ellipsoid : &tru_shape_sphere;
    c->s[1].params = kind == ELLIPSOIDS ? (void *)&c->ellipsoid[1] : &c->sphere[1];
    for (int k = 0; k < 2; k++) {
        c->at[k].q = quat_identity();
        c->s[k].at = &c->at[k];
        c->b[k].q = tru_random_attitude(d->seed, d->id, d->index++);
        c->b[k].x = draw_vec(d);
    }
    if (!egg) c->at[0].x = v3_scale(0.05, draw_vec(d)); /* the ball is loaded on one side */
    for (int k = 0; k < 2; k++) trui_solid_derive(&c->s[k]);
}

static touch touch_now(couple *c) {
    contact_point m[TRU_TOUCHES];
    touch t;
    for (int k = 0; k < 2; k++) c->s[k].pose = solid_on(&c->s[k], &c->b[k]);
    if (trui_narrow_points(&c->s[0].pose, &c->s[1].pose, 100.0, NULL, 0, m) != 1) exit(1);
    const tru_vec3 at = c->s[1].shape->bounded ? v3_mix(m[0].point_a, m[0].point_b, 0.5) : m[0].point_a;
    for (int k = 0; k < 2; k++) t.side[k] = trui_track_side_of(&c->b[k], &c->s[k], v3_sub(at, c->b[k].x));
    t.n = m[0].normal;
    t.gap = m[0].gap;
    return t;
}

/* Bring them to an overlap. */
static void press(couple *c, double overlap) {
    const touch t = touch_now(c);
    c->b[0].x = v3_madd(c->b[0].x, -(t.gap + overlap), t.n);
}

static track_record begin(couple *c, draw *d) {
    tru_vec3 t1, t2;
    const touch t = touch_now(c);
    v3_tangents(t.n, &t1, &t2);
    const double angle = draw_in(d, -3.0, 3.0);
    const tru_vec3 u = v3_add(v3_scale(cos(angle), t1), v3_scale(sin(angle), t2));
    return trui_track_record_of(&t.side[0], &t.side[1], u, v3_cross(t.n, u));
}

static void carry(body *b, tru_quat q, tru_vec3 x) {
    b->q = quat_renormalise(quat_mul(q, b->q));
    b->x = v3_add(quat_rotate(q, b->x), x);
}

/* Roll of A over B by the shape operators: turn about t1, t2 = n x (S_A p_A + S_B p_B). */
static vec2 roll_of(couple *c, const touch *t, const track_motion *m) {
    sym2 s[2];
    check(trui_track_curvature(&c->s[0], &t->side[0], v3_neg(t->n), m->t1, m->t2, &s[0]));
    check(trui_track_curvature(&c->s[1], &t->side[1], t->n, m->t1, m->t2, &s[1]));
    const double inside = c->s[1].shape->bounded ? -0.5 * t->gap : 0.0;
    const vec2 theta = v2_add(trui_track_roll(&t->side[0], s[0], inside, m->path[0]),
                              trui_track_roll(&t->side[1], s[1], inside, m->path[1]));
    return v2(-theta.y, theta.x);
}

/* ---- increments: objective, and the integrals of rates ---- */

/* A pair moved together as one rigid body: no increment beyond round-off, for any motion. */
TEST(objective) {
    draw d = {check_seed(), 1, 0};
    double path = 0.0, spin = 0.0, turn = 0.0;
    for (int i = 0; i < 200; i++) {
        couple c;
        couple_init(&c, i % PAIRS, &d);
        press(&c, 0.01);
        track_record last = begin(&c, &d);
        for (int k = 0; k < 300; k++) {
            const tru_quat q = quat_exp(v3_scale(0.05, draw_vec(&d)));
            const tru_vec3 x = v3_scale(0.1, draw_vec(&d));
            for (int b = 0; b < 2; b++) carry(&c.b[b], q, x);
            const touch t = touch_now(&c);
            const track_motion m = trui_track_follow(&last, &t.side[0], &t.side[1], t.n, TRACK_HALF_ANGLE);
            const vec2 by_frames = trui_track_turn(&last, &t.side[0], &t.side[1], m.t1, m.t2);
            path = fmax(path, fmax(v2_norm(m.path[0]), v2_norm(m.path[1])));
            spin = fmax(spin, fabs(m.spin));
            turn = fmax(turn, fmax(v2_norm(by_frames), v2_norm(roll_of(&c, &t, &m))));
            last = trui_track_record_of(&t.side[0], &t.side[1], m.t1, m.t2);
        }
    }
    printf("largest increments: %.2g m, spin %.2g rad, roll %.2g rad\n", path, spin, turn);
    check(path < 1e-14 && spin < 1e-14 && turn < 1e-13); /* roll: path times curvature up to 10/m, twice */
}

/* To first order the increments are the rates of the rows: error of second order in the step. */
static void rates(int kind, uint64_t seed, double h, double worst[3]) {
    draw d = {seed, 2, 0};
    for (int i = 0; i < 50; i++) {
        couple c;
        couple_init(&c, kind, &d);
        press(&c, 0.01);
        const track_record last = begin(&c, &d);
        const touch before = touch_now(&c);
        twist u[2];
        contact_place place = {.normal = before.n, .arm_a = before.side[0].arm, .arm_b = before.side[1].arm};
        double row[TRU_ROWS];
        for (int b = 0; b < 2; b++) {
            u[b] = (twist){draw_vec(&d), v3_scale(3.0, draw_vec(&d))};
            c.b[b].x = v3_madd(c.b[b].x, h, u[b].v);
            c.b[b].q = quat_integrate(c.b[b].q, u[b].w, h);
        }
        const touch t = touch_now(&c);
        const track_motion m = trui_track_follow(&last, &t.side[0], &t.side[1], t.n, TRACK_HALF_ANGLE);
        place.t1 = m.t1;
        place.t2 = m.t2;
        const tru_vec3 va = v3_add(u[0].v, v3_cross(u[0].w, place.arm_a)),
                       vb = v3_add(u[1].v, v3_cross(u[1].w, place.arm_b)), v = v3_sub(va, vb),
                       w = v3_sub(u[0].w, u[1].w);
        row[0] = v3_dot(v, m.t1), row[1] = v3_dot(v, m.t2);
        row[2] = v3_dot(w, before.n), row[3] = v3_dot(w, m.t1), row[4] = v3_dot(w, m.t2);
        const vec2 slide = v2_sub(m.path[1], m.path[0]), roll = roll_of(&c, &t, &m);
        const vec2 by_frames = trui_track_turn(&last, &t.side[0], &t.side[1], m.t1, m.t2);
        worst[0] = fmax(worst[0], hypot(slide.x / h - row[0], slide.y / h - row[1]) / v3_norm(v));
        worst[1] = fmax(worst[1], fabs(m.spin / h - row[2]) / v3_norm(w));
        worst[2] = fmax(worst[2], hypot(roll.x / h - row[3], roll.y / h - row[4]) / v3_norm(w));
        worst[2] = fmax(worst[2], hypot(by_frames.x / h - row[3], by_frames.y / h - row[4]) / v3_norm(w));
    }
}

TEST(increments_are_rates) {
    const uint64_t seed = check_seed();
    for (int kind = 0; kind < PAIRS; kind++) {
        double at[3][3] = {{0}};
        for (int k = 0; k < 3; k++) rates(kind, seed, ldexp(1e-4, -k), at[k]);
        for (int j = 0; j < 3; j++) {
            check(at[2][j] < 1e-2);
            const double order = log2(at[1][j] / at[2][j]); /* errors below 1e-11 are round-off */
            if (at[2][j] > 1e-11 && !check(order > 0.9)) printf("pair %d, row kind %d: order %.3g\n", kind, j, order);
        }
    }
}

/* [m] A ball of radius 0.2 m on a plane rolls and spins with w = (0.5, 2, 3) rad/s for one step: what is not slip. */
static double slip_error(double h, track_mapping mapping) {
    draw d = {1, 3, 0};
    couple c;
    couple_init(&c, SPHERE_PLANE, &d);
    c.sphere[0].radius = 0.2;
    c.at[0].x = v3_zero();
    trui_solid_derive(&c.s[0]);
    c.b[1].q = quat_identity();
    c.b[1].x = v3_zero();
    press(&c, 0.0);
    double worst = 0.0;
    track_record last = begin(&c, &d);
    const tru_vec3 w = v3(0.5, 2.0, 3.0), v = v3_scale(0.2, v3_cross(w, v3(0, 0, 1)));
    for (int i = 0; i < 100; i++) {
        c.b[0].x = v3_madd(c.b[0].x, h, v);
        c.b[0].q = quat_integrate(c.b[0].q, w, h);
        const touch t = touch_now(&c);
        const track_motion m = trui_track_follow(&last, &t.side[0], &t.side[1], t.n, mapping);
        worst = fmax(worst, v2_norm(v2_sub(m.path[0], m.path[1])));
        check_close(m.spin, 3.0 * h, 1e-5, 0.0);
        last = trui_track_record_of(&t.side[0], &t.side[1], m.t1, m.t2);
    }
    return worst;
}

/* The half angle is third order in the step, the authors' mapping second; sizes as in
 * [contact-tracking-equations 2.5]. */
TEST(rolling_and_spinning_is_no_slip) {
    const double half = slip_error(1e-3, TRACK_HALF_ANGLE), authors = slip_error(1e-3, TRACK_AUTHORS);
    printf("slip error per step: half angle %.3g m, authors %.3g m\n", half, authors);
    check(half < 2e-10 && half > 1e-11);
    check_close(authors, 1.9e-6, 0.03, 0.0);
    check_close(log2(slip_error(2e-3, TRACK_HALF_ANGLE) / half), 3.0, 0.0, 0.1);
    check_close(log2(slip_error(2e-3, TRACK_AUTHORS) / authors), 2.0, 0.0, 0.1);
}

/* ---- paths over curved surfaces ---- */

/* The path over a sphere is the arc, whatever its radius, for turns up to 1 rad in a step; of the partner nothing is asked. */
TEST(path_over_a_sphere_is_the_arc) {
    draw d = {check_seed(), 6, 0};
    double worst = 0.0;
    for (int i = 0; i < 2000; i++) {
        couple c;
        couple_init(&c, SPHERE_PLANE, &d);
        const double radius = 1e-4 * exp(draw_in(&d, 0.0, log(1e6))), turn = exp(draw_in(&d, log(1e-7), 0.0));
        c.sphere[0].radius = radius;
        c.at[0].x = i % 2 ? v3_zero() : v3_scale(0.2 * radius, draw_vec(&d));
        trui_solid_derive(&c.s[0]);
        for (int b = 0; b < 2; b++) c.b[b].x = v3_zero();
        press(&c, i % 3 ? 0.0 : 0.01 * radius);
        const track_record last = begin(&c, &d);
        const touch before = touch_now(&c);
        tru_vec3 t1, t2;
        v3_tangents(before.n, &t1, &t2);
        const tru_quat q = quat_exp(v3_scale(turn, t1));
        const tru_vec3 centre = c.s[0].pose.x; /* stays where it is */
        c.b[0].q = quat_renormalise(quat_mul(q, c.b[0].q));
        c.b[0].x = v3_sub(centre, quat_rotate(c.b[0].q, c.at[0].x));
        const touch t = touch_now(&c);
        const track_motion m = trui_track_follow(&last, &t.side[0], &t.side[1], t.n, TRACK_HALF_ANGLE);
        const double round_off = 2e-15 / turn; /* of poses, arms up to 1.2 radii: the arc is a difference of places */
        const double error = fabs(v2_norm(m.path[0]) / (radius * turn) - 1.0);
        worst = fmax(worst, error / (1e-12 + round_off));
    }
    printf("error of the arc: %.2g of what is allowed\n", worst);
    check(worst < 1.0);
}

/* Two bodies that press against each other along their normal do not slide; a body that rolls does not either, to third order
 * in the turn, if its curvature is the same along the way, and to fourth order in the step else. */
TEST(closing_is_no_slip) {
    draw d = {check_seed(), 7, 0};
    double worst = 0.0;
    for (int i = 0; i < 200; i++) {
        couple c;
        couple_init(&c, ELLIPSOID_PLANE, &d);
        press(&c, 1e-3);
        const track_record last = begin(&c, &d);
        const touch before = touch_now(&c);
        c.b[0].x = v3_madd(c.b[0].x, -1e-3, before.n);
        c.b[1].x = v3_madd(c.b[1].x, 1e-3, before.n);
        /* a material point half way into the overlap, as between two bodies that are bounded */
        touch t = touch_now(&c);
        for (int b = 0; b < 2; b++) t.side[b].arm = v3_madd(t.side[b].arm, b == 0 ? 1e-3 : -1e-3, t.n);
        c.s[1].shape = &tru_shape_box; /* of any kind that is neither a plane nor a sphere */
        t.side[1] = trui_track_side_of(&c.b[1], &c.s[1], t.side[1].arm);
        const track_motion m = trui_track_follow(&last, &t.side[0], &t.side[1], t.n, TRACK_HALF_ANGLE);
        worst = fmax(worst, v2_norm(v2_sub(m.path[0], m.path[1])));
    }
    printf("slip of what closes by 2 mm: %.2g m\n", worst);
    check(worst < 1e-14); /* coordinates up to 2 m */
}

/* ---- symmetry and curvatures ---- */

/* Exchanging the bodies changes signs only. */
TEST(symmetric_in_the_bodies) {
    draw d = {check_seed(), 4, 0};
    for (int i = 0; i < 200; i++) {
        couple c;
        couple_init(&c, SPHERES, &d);
        press(&c, 0.01);
        const track_record last = begin(&c, &d);
        for (int b = 0; b < 2; b++) carry(&c.b[b], quat_exp(v3_scale(0.1, draw_vec(&d))), v3_scale(0.01, draw_vec(&d)));
        const touch t = touch_now(&c);
        /* the other way round: n, t1, t2 become -n, t1, -t2 */
        track_record other = {
            {last.at[1], last.at[0]}, {last.t1[1], last.t1[0]}, {v3_neg(last.t2[1]), v3_neg(last.t2[0])}};
        const track_motion m = trui_track_follow(&last, &t.side[0], &t.side[1], t.n, TRACK_HALF_ANGLE);
        const track_motion o = trui_track_follow(&other, &t.side[1], &t.side[0], v3_neg(t.n), TRACK_HALF_ANGLE);
        check(m.path[0].x == o.path[1].x && m.path[0].y == -o.path[1].y && m.path[1].x == o.path[0].x);
        check(m.spin == o.spin);
    }
}

/* Shape operators: a = b = 0.2, c = 0.5 standing 12.5 and 12.5, lying 5 and 0.8; a = b = 0.02, c = 0.05 lying mean 29. */
TEST(curvatures_of_an_ellipsoid) {
    draw d = {1, 5, 0};
    couple c;
    sym2 s;
    couple_init(&c, ELLIPSOID_PLANE, &d);
    c.ellipsoid[0].semi_axes = v3(0.2, 0.2, 0.5);
    c.b[0].q = quat_identity();
    touch t = touch_now(&c);
    const tru_vec3 x = v3(1, 0, 0), y = v3(0, 1, 0), z = v3(0, 0, 1);
    check(trui_track_curvature(&c.s[0], &t.side[0], v3_neg(z), x, y, &s));
    check_close(s.xx, 12.5, 1e-15, 0.0);
    check_close(s.yy, 12.5, 1e-15, 0.0);
    check_close(s.xy, 0.0, 0.0, 1e-15);
    check(trui_track_curvature(&c.s[0], &t.side[0], x, y, z, &s));
    check_close(s.xx, 5.0, 1e-15, 0.0);
    check_close(s.yy, 0.8, 1e-15, 0.0);
    c.ellipsoid[0].semi_axes = v3(0.02, 0.02, 0.05);
    check(trui_track_curvature(&c.s[0], &t.side[0], x, y, z, &s));
    check_close(0.5 * (s.xx + s.yy), 29.0, 1e-15, 0.0);
    c.s[0].shape = &tru_shape_box;
    check(!trui_track_curvature(&c.s[0], &t.side[0], x, y, z, &s));
}
