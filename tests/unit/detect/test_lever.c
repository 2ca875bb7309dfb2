// Lever and radii of contacts: against moved support points, rolled surfaces, and values known in closed form.
#include "check.h"
#include "detect/lever.h"
#include "shape_cases.h"

typedef struct frame {
    tru_vec3 n, t1, t2;
} frame;

// Tangents turned by a random angle about n, so that no axis is favoured.
static frame random_frame(draw *d, tru_vec3 n) {
    tru_vec3 u, v;
    double angle = draw_in(d, -3.0, 3.0);
    v3_tangents(n, &u, &v);
    tru_vec3 t1 = v3_madd(v3_scale(cos(angle), u), sin(angle), v);
    return (frame){n, t1, v3_cross(n, t1)};
}

typedef struct levers {
    double m[2][2], effective, smaller;
} levers;

static levers lever_at(const placed *a, const placed *b, const frame *f) {
    levers l;
    trui_lever_of(a, b, f->n, f->t1, f->t2, l.m, &l.effective, &l.smaller);
    return l;
}

static tru_mat3 turned(tru_vec3 rotation, tru_mat3 r) { return m3_mul(quat_to_matrix(quat_exp(rotation)), r); }

// Where the shape is lowest over a plane of normal n, shape axes, after a small rotation.
static tru_vec3 lowest(const placed *p, tru_vec3 n, tru_vec3 rotation) {
    tru_surface s;
    p->shape->surface(p->params, m3_apply_t(turned(rotation, p->r), v3_neg(n)), &s);
    return s.point;
}

// ---- smooth bodies: the lever is the speed of the contact point ----

// Rolling about t_j moves the lowest point over the body's surface; the lever's column j is that speed. Bounds as in
// the test of the second derivative: 2000 e^2 size, and round-off 1e-16 size / e.
TEST(on_a_plane_it_is_the_speed_of_the_lowest_point) {
    draw d = {check_seed(), 1, 0};
    const double e = 1e-5;
    FOR_SHAPES(c) {
        double worst = 0.0, size = c->shape->radius(&c->params);
        int smooth = 0;
        for (int k = 0; k < 1000; k++) {
            placed plane = {&tru_shape_plane, NULL, v3_zero(), draw_rotation(&d)};
            placed a = place_case(c, v3_zero(), draw_rotation(&d));
            frame f = random_frame(&d, placed_plane_normal(&plane));
            if (!smooth_near(c, v3_neg(placed_dir_to_local(&a, f.n)), 2.0 * e)) continue;
            smooth++;
            levers l = lever_at(&a, &plane, &f);
            for (int j = 0; j < 2; j++) {
                tru_vec3 turn = v3_scale(e, j ? f.t2 : f.t1);
                tru_vec3 step = v3_sub(lowest(&a, f.n, turn), lowest(&a, f.n, v3_neg(turn)));
                tru_vec3 speed = m3_apply(a.r, v3_scale(0.5 / e, step));
                worst = fmax(worst, fabs(v3_dot(speed, f.t1) - l.m[0][j]) / size);
                worst = fmax(worst, fabs(v3_dot(speed, f.t2) - l.m[1][j]) / size);
            }
            check(l.smaller == size);
        }
        if (!check(worst < 2000.0 * e * e && smooth > 950)) printf("  %s: %g, %d\n", c->name, worst, smooth);
    }
}

// The same contact seen from the other side: n, omega_A - omega_B and the frame turn round, the lever must agree.
// In the frame (-n, t1, -t2) of the exchanged bodies the roll rates are (-w1, w2) and the speeds (v1, -v2).
TEST(exchanging_the_bodies_gives_the_same_lever) {
    draw d = {check_seed(), 1, 0};
    FOR_SHAPES(c) for (int k = 0; k < 200; k++) {
        placed plane = {&tru_shape_plane, NULL, v3_zero(), draw_rotation(&d)};
        placed a = place_case(c, v3_zero(), draw_rotation(&d));
        placed ball = place_case(&shape_cases[0], v3_zero(), m3_identity());
        const placed *b = k % 2 ? &plane : &ball;
        frame f = random_frame(&d, k % 2 ? placed_plane_normal(&plane) : draw_unit(&d));
        frame g = {v3_neg(f.n), f.t1, v3_neg(f.t2)};
        levers l = lever_at(&a, b, &f), m = lever_at(b, &a, &g);
        double tolerance = 1e-15 * (fabs(l.m[0][1]) + fabs(l.m[1][0]));
        check_close(-m.m[0][0], l.m[0][0], 0.0, tolerance);
        check_close(m.m[0][1], l.m[0][1], 0.0, tolerance);
        check_close(m.m[1][0], l.m[1][0], 0.0, tolerance);
        check_close(-m.m[1][1], l.m[1][1], 0.0, tolerance);
        check_close(m.effective, l.effective, 1e-12, 0.0);
        check(m.smaller == l.smaller);
    }
}

TEST(two_spheres) {
    draw d = {check_seed(), 1, 0};
    for (int k = 0; k < 200; k++) {
        tru_sphere pa = {draw_in(&d, 0.1, 1.0)}, pb = {draw_in(&d, 0.1, 1.0)};
        placed a = {&tru_shape_sphere, &pa, v3_zero(), draw_rotation(&d)},
               b = {&tru_shape_sphere, &pb, v3_zero(), draw_rotation(&d)};
        frame f = random_frame(&d, draw_unit(&d));
        double r = pa.radius * pb.radius / (pa.radius + pb.radius);
        levers l = lever_at(&a, &b, &f);
        check_close(l.m[0][1], r, 1e-14, 0.0);
        check_close(l.m[1][0], -r, 1e-14, 0.0);
        check_close(l.m[0][0], 0.0, 0.0, 1e-15);
        check_close(l.m[1][1], 0.0, 0.0, 1e-15);
        check_close(l.effective, r, 1e-14, 0.0);
        check(l.smaller == fmin(pa.radius, pb.radius));
    }
}

// Outward normal of an ellipsoid at a point of its surface, from its equation and not from the support function.
static tru_vec3 ellipsoid_normal(const placed *p, tru_vec3 local) {
    tru_vec3 a = ((const tru_ellipsoid *)p->params)->semi_axes, n = v3_zero();
    v3_unit(v3(local.x / (a.x * a.x), local.y / (a.y * a.y), local.z / (a.z * a.z)), &n);
    return m3_apply(p->r, n);
}

// Outward normal after the contact moved by `step` (world, tangential) over the surface: back onto it by its gauge.
static tru_vec3 normal_after(const placed *p, tru_vec3 direction, tru_vec3 step) {
    tru_surface s;
    p->shape->surface(p->params, placed_dir_to_local(p, direction), &s);
    tru_vec3 y = v3_add(s.point, m3_apply_t(p->r, step));
    return ellipsoid_normal(p, v3_scale(1.0 / gauge_ellipsoid(p->params, y), y));
}

// Two ellipsoids roll on each other: A turns by e, the contact moves by e lever over both, and the normals still face
// each other. What is left falls with e^2.
TEST(two_ellipsoids_roll_with_their_normals_facing) {
    draw d = {check_seed(), 1, 0};
    for (int k = 0; k < 200; k++) {
        tru_ellipsoid pa = {{draw_in(&d, 0.2, 1.0), draw_in(&d, 0.2, 1.0), draw_in(&d, 0.2, 1.0)}};
        tru_ellipsoid pb = {{draw_in(&d, 0.2, 1.0), draw_in(&d, 0.2, 1.0), draw_in(&d, 0.2, 1.0)}};
        placed a = {&tru_shape_ellipsoid, &pa, v3_zero(), draw_rotation(&d)};
        placed b = {&tru_shape_ellipsoid, &pb, v3_zero(), draw_rotation(&d)};
        frame f = random_frame(&d, draw_unit(&d));
        double rate[2] = {draw_in(&d, -1.0, 1.0), draw_in(&d, -1.0, 1.0)}, miss[2];
        levers l = lever_at(&a, &b, &f);
        tru_vec3 omega = v3_madd(v3_scale(rate[0], f.t1), rate[1], f.t2);
        tru_vec3 speed = v3_madd(v3_scale(l.m[0][0] * rate[0] + l.m[0][1] * rate[1], f.t1),
                                 l.m[1][0] * rate[0] + l.m[1][1] * rate[1], f.t2);
        for (int j = 0; j < 2; j++) {
            double e = j ? 1e-5 : 1e-4;
            tru_vec3 na = quat_rotate(quat_exp(v3_scale(e, omega)), normal_after(&a, v3_neg(f.n), v3_scale(e, speed)));
            tru_vec3 nb = normal_after(&b, f.n, v3_scale(e, speed));
            miss[j] = v3_norm(v3_add(na, nb)) / e;
        }
        check(miss[1] < 0.01 && miss[1] < 0.11 * miss[0] + 1e-9);
    }
}

// contact-tracking.md 6.2: semi-axes 0.2, 0.2, 0.5: upright both curvatures 12.5, lying 5 across and 0.8 along.
TEST(ellipsoid_curvatures_of_the_literature) {
    placed plane = {&tru_shape_plane, NULL, v3_zero(), m3_identity()};
    frame f = {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    tru_ellipsoid egg = {{0.2, 0.2, 0.5}}, small = {{0.02, 0.02, 0.05}};
    placed a = {&tru_shape_ellipsoid, &egg, v3_zero(), m3_identity()};
    levers l = lever_at(&a, &plane, &f);
    check_close(l.m[0][1], 1.0 / 12.5, 1e-15, 0.0);
    check_close(l.m[1][0], -1.0 / 12.5, 1e-15, 0.0);
    check_close(l.effective, 1.0 / 12.5, 1e-15, 0.0);
    tru_mat3 lying = m3_columns(v3(0.0, 1.0, 0.0), v3(0.0, 0.0, 1.0), v3(1.0, 0.0, 0.0)); // long axis along x
    a.r = lying;
    l = lever_at(&a, &plane, &f);
    check_close(l.m[0][1], 1.0 / 0.8, 1e-15, 0.0);
    check_close(l.m[1][0], -1.0 / 5.0, 1e-15, 0.0);
    check_close(l.effective, 2.0 / 5.8, 1e-15, 0.0);
    a.params = &small;
    l = lever_at(&a, &plane, &f);
    check_close(l.effective, 1.0 / 29.0, 1e-14, 0.0);
}

// ---- rims, edges and corners ----

// A disk inclined by s rolls along its rim only: contour speed r/s times the rate about the horizontal across the rim.
TEST(a_rim_has_one_direction) {
    draw d = {check_seed(), 1, 0};
    tru_disk disk = {0.0375, 0.0};
    placed plane = {&tru_shape_plane, NULL, v3_zero(), m3_identity()};
    for (int k = 0; k < 200; k++) {
        double beta = draw_in(&d, -1.5, 1.5), psi = draw_in(&d, -3.0, 3.0);
        tru_quat q = quat_mul(quat_exp(v3(1.5707963267948966 - beta, 0.0, 0.0)), quat_exp(v3(0.0, 0.0, psi)));
        placed a = {&tru_shape_disk, &disk, v3_zero(), quat_to_matrix(quat_renormalise(q))};
        frame f = {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}; // the rim's tangent is x
        levers l = lever_at(&a, &plane, &f);
        check_close(l.m[0][1], disk.radius / cos(beta), 1e-13, 0.0);
        check_close(fabs(l.m[0][0]) + fabs(l.m[1][0]) + fabs(l.m[1][1]), 0.0, 0.0, 1e-14);
        check(l.effective == 0.0 && l.smaller == disk.radius);
    }
}

// The contour rate of [LSLG05]: r (alpha' sin(beta) + gamma') for the rates of a rolling disk, here r/s times the
// roll rate about the horizontal, minus what spin about the vertical adds: only at pure roll (no spin) they agree.
TEST(rim_lever_is_the_contour_rate_without_spin) {
    draw d = {check_seed(), 1, 0};
    tru_disk disk = {0.0375, 0.0};
    placed plane = {&tru_shape_plane, NULL, v3_zero(), m3_identity()};
    for (int k = 0; k < 200; k++) {
        placed a = {&tru_shape_disk, &disk, v3_zero(), draw_rotation(&d)};
        tru_vec3 up = placed_dir_to_local(&a, v3(0.0, 0.0, 1.0)),
                 w = v3(draw_in(&d, -9.0, 9.0), draw_in(&d, -9.0, 9.0), 0.0);
        tru_vec3 wb = placed_dir_to_local(&a, w);
        double s2 = up.x * up.x + up.y * up.y;
        if (s2 < 1e-4) continue;
        double contour = disk.radius * (wb.z - up.z * (up.x * wb.x + up.y * wb.y) / s2); // gamma_R = -r psi'
        frame f = {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
        levers l = lever_at(&a, &plane, &f);
        double v1 = l.m[0][0] * w.x + l.m[0][1] * w.y, v2 = l.m[1][0] * w.x + l.m[1][1] * w.y;
        check_close(hypot(v1, v2), fabs(contour), 1e-10, 1e-14);
    }
}

// A ball on a face of a box rolls as on a plane, on an edge only along it, on a corner not at all.
TEST(sphere_on_a_box) {
    draw d = {check_seed(), 1, 0};
    tru_sphere ball = {0.3};
    tru_box box = {{1.0, 2.0, 0.5}};
    for (int k = 0; k < 300; k++) {
        placed b = {&tru_shape_box, &box, v3_zero(), draw_rotation(&d)},
               a = {&tru_shape_sphere, &ball, v3_zero(), draw_rotation(&d)};
        int axis = k % 3;
        double angle = draw_in(&d, 0.1, 1.4), local[3] = {0.0, 0.0, 0.0};
        tru_vec3 e = m3_column(b.r, axis);
        frame face = random_frame(&d, e);
        levers l = lever_at(&a, &b, &face);
        check_close(l.m[0][1], ball.radius, 1e-14, 0.0);
        check_close(l.m[1][0], -ball.radius, 1e-14, 0.0);
        check_close(l.effective, ball.radius, 1e-14, 0.0);
        local[(axis + 1) % 3] = cos(angle);
        local[(axis + 2) % 3] = sin(angle);
        frame edge = random_frame(&d, m3_apply(b.r, v3_from(local)));
        l = lever_at(&a, &b, &edge);
        double along[2] = {v3_dot(e, edge.t1), v3_dot(e, edge.t2)};
        check_close(l.m[0][1], ball.radius * along[0] * along[0], 0.0, 1e-15);
        check_close(l.m[1][0], -ball.radius * along[1] * along[1], 0.0, 1e-15);
        check_close(l.m[1][1], ball.radius * along[0] * along[1], 0.0, 1e-15);
        check_close(l.effective, ball.radius, 1e-14, 0.0);
        check(l.smaller == ball.radius && !trui_lever_is_curved(l.m));
        frame corner = random_frame(&d, m3_apply(b.r, v3(0.48, 0.6, 0.64)));
        l = lever_at(&a, &b, &corner);
        check(l.m[0][0] == 0.0 && l.m[0][1] == 0.0 && l.m[1][0] == 0.0 && l.m[1][1] == 0.0);
        check_close(l.effective, ball.radius, 1e-14, 0.0);
        check(l.smaller == ball.radius && !trui_lever_is_curved(l.m));
    }
}

// ---- radii, sums and units ----

// A round body on one that has no radius: both radii are its own, whichever is larger or named first and wherever they
// touch; of two that have none they are 0 and the smaller size. Radii from 1e-4 to 1e2 m.
TEST(radii_of_round_and_sharp_bodies) {
    draw d = {check_seed(), 1, 0};
    for (int k = 0; k < 2000; k++) {
        const tru_sphere ball = {exp(draw_in(&d, log(1e-4), log(1e2)))};
        const tru_box box = {{exp(draw_in(&d, -9.0, 4.0)), exp(draw_in(&d, -9.0, 4.0)), exp(draw_in(&d, -9.0, 4.0))}};
        const tru_disk disk = {exp(draw_in(&d, -9.0, 4.0)), 0.0};
        placed a = {&tru_shape_sphere, &ball, v3_zero(), draw_rotation(&d)};
        placed b = {k % 2 ? &tru_shape_box : &tru_shape_disk, k % 2 ? (const void *)&box : &disk, v3_zero(),
                    draw_rotation(&d)};
        const frame f = random_frame(&d, draw_unit(&d));
        const levers ab = lever_at(&a, &b, &f), ba = lever_at(&b, &a, &f), bb = lever_at(&b, &b, &f);
        check_close(ab.effective, ball.radius, 1e-13, 0.0);
        check_close(ba.effective, ball.radius, 1e-13, 0.0);
        check(ab.smaller == ball.radius && ba.smaller == ball.radius);
        check(bb.effective == 0.0 && bb.smaller == b.shape->radius(b.params));
    }
}

// Rank-one partners: a ball under a rim rolls along the rim with the parallel sum of r/s and R; two rims that cross do
// not roll at all, two rims in one plane as two circles do.
TEST(parallel_sum_with_rims) {
    tru_disk disk = {0.4, 0.0}, other = {0.1, 0.0};
    tru_sphere ball = {0.1};
    tru_mat3 across = m3_columns(v3(0.0, 0.0, 1.0), v3(1.0, 0.0, 0.0), v3(0.0, 1.0, 0.0));
    placed a = {&tru_shape_disk, &disk, v3_zero(), m3_identity()},
           b = {&tru_shape_sphere, &ball, v3_zero(), m3_identity()};
    frame f = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}; // the rim at -x has the tangent y
    levers l = lever_at(&a, &b, &f);
    check_close(l.m[0][1], 0.08, 1e-15, 0.0);
    check(l.m[0][0] == 0.0 && l.m[1][0] == 0.0 && l.m[1][1] == 0.0);
    check_close(l.effective, ball.radius, 1e-15, 0.0);
    check(l.smaller == ball.radius);
    placed c = {&tru_shape_disk, &other, v3_zero(), m3_identity()};
    l = lever_at(&a, &c, &f);
    check_close(l.m[0][1], 0.08, 1e-15, 0.0);
    check(l.m[1][0] == 0.0 && l.effective == 0.0);
    c.r = across; // axis y: its rim at +x has the tangent z
    l = lever_at(&a, &c, &f);
    check(l.m[0][0] == 0.0 && l.m[0][1] == 0.0 && l.m[1][0] == 0.0 && l.m[1][1] == 0.0);
}

TEST(lengths_scale_exactly) {
    draw d = {check_seed(), 1, 0};
    const double s = 0x1p-11;
    FOR_SHAPES(c) for (int k = 0; k < 100; k++) {
        shape_case scaled = scaled_case(c, s), sphere = scaled_case(&shape_cases[0], s);
        tru_mat3 r = draw_rotation(&d);
        placed plane = {&tru_shape_plane, NULL, v3_zero(), m3_identity()}, a = place_case(c, v3_zero(), r);
        placed as = place_case(&scaled, v3_zero(), r), b = place_case(&shape_cases[0], v3_zero(), r),
               bs = place_case(&sphere, v3_zero(), r);
        frame f = random_frame(&d, k % 2 ? v3(0.0, 0.0, 1.0) : draw_unit(&d));
        levers l = k % 2 ? lever_at(&a, &plane, &f) : lever_at(&a, &b, &f);
        levers m = k % 2 ? lever_at(&as, &plane, &f) : lever_at(&as, &bs, &f);
        for (int i = 0; i < 4; i++) check(m.m[i / 2][i % 2] == s * l.m[i / 2][i % 2]);
        check(m.effective == s * l.effective && m.smaller == s * l.smaller);
    }
}
