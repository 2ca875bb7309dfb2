// Narrow phase: every bounded shape against a plane, sphere against sphere and box, box against box, by brute force and in both orders.
#include "check.h"
#include "detect/narrow/narrow.h"
#include "rod_on_edge.h"
#include "shape_cases.h"

static placed random_plane(draw *d, double size) {
    return (placed){&tru_shape_plane, NULL, draw_in_cube(d, size), draw_rotation(d)};
}

// Invariants of every meeting: the points face each other along the normal, the bounded shape's is its local point.
static void check_meetings(const placed *a, const placed *b, const contact_point *m, int n, double margin,
                           double size) {
    const placed *bounded = a->shape->bounded ? a : b;
    for (int i = 0; i < n; i++) {
        tru_vec3 apart = v3_sub(m[i].point_a, m[i].point_b), local = placed_point_to_world(bounded, m[i].local);
        check(m[i].gap < margin && m[i].feature >= 0 && (i == 0 || m[i].feature > m[i - 1].feature));
        check_close(v3_norm(m[i].normal), 1.0, 1e-15, 0.0);
        check_close(v3_norm(v3_madd(apart, -m[i].gap, m[i].normal)), 0.0, 0.0, 1e-14 * size);
        check_close(v3_norm(v3_sub(local, a == bounded ? m[i].point_a : m[i].point_b)), 0.0, 0.0, 1e-14 * size);
    }
}

static void check_swapped(const placed *a, const placed *b, const contact_point *m, int n, double margin) {
    contact_point other[TRU_TOUCHES];
    if (!check(trui_narrow_points(b, a, margin, NULL, 0, other) == n)) return;
    for (int i = 0; i < n; i++) {
        tru_vec3 flipped = v3_neg(other[i].normal);
        check(same_bits(&m[i].point_a, &other[i].point_b, sizeof(tru_vec3)));
        check(same_bits(&m[i].point_b, &other[i].point_a, sizeof(tru_vec3)));
        check(v3_norm(v3_sub(m[i].normal, flipped)) == 0.0 && m[i].gap == other[i].gap);
        check(m[i].feature == other[i].feature && m[i].flags == other[i].flags);
    }
}

// The smallest gap is the height of the lowest of many points of the surface: never above one of them, and within what
// the angle between neighbouring samples, about sqrt(4 pi / n), lets them miss: at most size angle^2 on a smooth
// surface, size angle at a corner.
TEST(plane_gap_matches_brute_force) {
    draw d = {check_seed(), 1, 0};
    enum { SAMPLES = 20000 };
    double angle = 2.0 * sqrt(4.0 * 3.14159 / SAMPLES);
    FOR_SHAPES(c) for (int k = 0; k < 20; k++) {
        double size = c->shape->radius(&c->params), lowest = INFINITY;
        placed plane = random_plane(&d, 1.0), a = place_case(c, draw_in_cube(&d, 2.0), draw_rotation(&d));
        tru_vec3 n = placed_plane_normal(&plane);
        a.x = v3_madd(plane.x, draw_in(&d, -0.5, 1.0) * size, n); // over or through the plane
        a.x = v3_add(a.x, v3_reject(draw_in_cube(&d, 1.0), n));
        for (int i = 0; i < SAMPLES; i++) {
            tru_vec3 y = placed_point_to_world(&a, surface_point(c, draw_unit(&d)));
            lowest = fmin(lowest, v3_dot(n, v3_sub(y, plane.x)));
        }
        contact_point m[TRU_TOUCHES];
        int count = trui_narrow_points(&a, &plane, 3.0 * size, NULL, 0, m);
        double gap = INFINITY;
        for (int i = 0; i < count; i++) gap = fmin(gap, m[i].gap);
        if (!check(gap < lowest + 1e-14 && gap > lowest - angle * size)) printf("  %s %g %g\n", c->name, gap, lowest);
        check_meetings(&a, &plane, m, count, 3.0 * size, 4.0);
        check_swapped(&a, &plane, m, count, 3.0 * size);
        for (int i = 0; i < count; i++) check_close(c->gauge(c->params.lengths, m[i].local), 1.0, 1e-15, 0.0);
    }
}

// At every margin the points are those of the widest margin whose gap is below it.
TEST(margin_selects_the_points) {
    draw d = {check_seed(), 1, 0};
    FOR_SHAPES(c) for (int k = 0; k < 100; k++) {
        double size = c->shape->radius(&c->params);
        placed plane = random_plane(&d, 1.0), a = place_case(c, plane.x, draw_rotation(&d));
        a.x = v3_madd(plane.x, draw_in(&d, -1.5, 1.5) * size, placed_plane_normal(&plane));
        contact_point all[TRU_TOUCHES], some[TRU_TOUCHES];
        int n = trui_narrow_points(&a, &plane, 10.0 * size, NULL, 0, all), expected = 0;
        double margin = draw_in(&d, -0.5, 1.0) * size;
        int count = trui_narrow_points(&a, &plane, margin, NULL, 0, some);
        for (int i = 0; i < n; i++) {
            if (!(all[i].gap < margin)) continue;
            check(expected < count && some[expected].feature == all[i].feature && some[expected].gap == all[i].gap);
            expected++;
        }
        check(expected == count && n > 0);
    }
}

static tru_touch touch_of(const contact_point *m) { return (tru_touch){m->local, m->feature, m->flags}; }

// A disk that passed flat within a step comes back with its three old points, whatever their gap, and only then.
TEST(landing_brings_all_points_of_the_rim) {
    placed plane = {&tru_shape_plane, NULL, v3_zero(), m3_identity()};
    tru_disk disk = {0.0375, 0.0};
    placed a = {&tru_shape_disk, &disk, v3(0.0, 0.0, 1e-3 * disk.radius), m3_identity()};
    contact_point m[TRU_TOUCHES], landed[TRU_TOUCHES];
    a.r = quat_to_matrix(quat_exp(v3(1e-3, 0.0, 0.0)));
    if (!check(trui_narrow_points(&a, &plane, 1e-6, NULL, 0, m) == 1)) return;
    tru_touch before = touch_of(m);
    check(trui_narrow_points(&a, &plane, 1e-6, &before, 1, landed) == 1 && landed[0].flags == 0);
    a.r = quat_to_matrix(quat_exp(v3(-1e-3, 0.0, 0.0)));
    check(trui_narrow_points(&a, &plane, 1e-6, &before, 1, landed) == 3);
    for (int i = 0; i < 3; i++) check(landed[i].flags == TRU_TOUCH_LANDING && landed[i].feature == i);
    check(same_bits(&landed[0].local, &m[0].local, sizeof m[0].local) && landed[0].gap > 1e-6);
    check(trui_narrow_points(&plane, &a, 1e-6, &before, 1, landed) == 3);
    for (int i = 0; i < 3; i++) check(landed[i].flags == TRU_TOUCH_LANDING && landed[i].normal.z == -1.0);
}

// The gap of a flat disk far from the origin does not feel the round-off of the far coordinates.
TEST(flat_disk_has_equal_gaps_far_from_the_origin) {
    placed plane = {&tru_shape_plane, NULL, v3_zero(), m3_identity()};
    tru_disk disk = {0.0375, 0.0};
    placed a = {&tru_shape_disk, &disk, v3(1e6, -3e5, 1e-9), m3_identity()};
    contact_point m[TRU_TOUCHES];
    if (!check(trui_narrow_points(&a, &plane, 1e-6, NULL, 0, m) == 3)) return;
    for (int i = 0; i < 3; i++) check(m[i].gap == 1e-9);
}

TEST(sphere_sphere) {
    draw d = {check_seed(), 1, 0};
    int met = 0;
    for (int k = 0; k < 2000; k++) {
        tru_sphere pa = {draw_in(&d, 0.1, 1.0)}, pb = {draw_in(&d, 0.1, 1.0)};
        placed a = {&tru_shape_sphere, &pa, draw_in_cube(&d, 1.0), draw_rotation(&d)};
        placed b = {&tru_shape_sphere, &pb, draw_in_cube(&d, 1.0), draw_rotation(&d)};
        contact_point m[TRU_TOUCHES];
        double margin = draw_in(&d, 0.0, 0.1), gap = v3_norm(v3_sub(a.x, b.x)) - pa.radius - pb.radius;
        int n = trui_narrow_points(&a, &b, margin, NULL, 0, m);
        if (!check(n == (gap < margin))) continue;
        check_meetings(&a, &b, m, n, margin, 2.0);
        check_swapped(&a, &b, m, n, margin);
        if (n == 0) continue;
        met++;
        check_close(m->gap, gap, 0.0, 1e-15);
        check_close(v3_norm(v3_sub(m->point_a, a.x)), pa.radius, 1e-14, 0.0);
        check_close(v3_norm(v3_sub(m->point_b, b.x)), pb.radius, 1e-14, 0.0);
        check(v3_dot(m->normal, v3_sub(a.x, b.x)) > 0.0);
    }
    check(met > 500);
}

TEST(spheres_with_one_centre_have_a_normal) {
    tru_sphere p = {0.25};
    placed a = {&tru_shape_sphere, &p, v3(1.0, 2.0, 3.0), m3_identity()};
    contact_point m[TRU_TOUCHES];
    check(trui_narrow_points(&a, &a, 0.0, NULL, 0, m) == 1);
    check(m->normal.x == 0.0 && m->normal.y == 0.0 && m->normal.z == 1.0 && m->gap == -0.5);
    check(m->point_a.z == 2.75 && m->point_b.z == 3.25);
}

// Distance from c to the surface of a box, box axes, over a grid of points on each face.
static double sampled_distance(tru_vec3 c, tru_vec3 half, int n) {
    double best = INFINITY;
    const double h[3] = {half.x, half.y, half.z};
    for (int axis = 0; axis < 3; axis++)
        for (int cell = 0; cell < 2 * (n + 1) * (n + 1); cell++) {
            double p[3];
            int u = (axis + 1) % 3, v = (axis + 2) % 3, k = cell / 2;
            p[axis] = cell % 2 ? h[axis] : -h[axis];
            p[u] = h[u] * (2.0 * (k % (n + 1)) / n - 1.0);
            p[v] = h[v] * (2.0 * (k / (n + 1)) / n - 1.0);
            best = fmin(best, v3_norm(v3_sub(c, v3_from(p))));
        }
    return best;
}

// The nearest grid point is at most half a cell's diagonal from the nearest point, sqrt(2) half/n.
TEST(sphere_box_matches_brute_force) {
    draw d = {check_seed(), 1, 0};
    int outside = 0, inside = 0;
    for (int k = 0; k < 300; k++) {
        tru_box pb = {{draw_in(&d, 0.2, 1.0), draw_in(&d, 0.2, 1.0), draw_in(&d, 0.2, 1.0)}};
        tru_sphere pa = {draw_in(&d, 0.05, 0.5)};
        tru_vec3 half = v3_scale(0.5, pb.size), c = draw_in_cube(&d, k % 3 ? 0.9 : 0.25);
        placed b = {&tru_shape_box, &pb, draw_in_cube(&d, 1.0), draw_rotation(&d)};
        placed a = {&tru_shape_sphere, &pa, placed_point_to_world(&b, c), draw_rotation(&d)};
        bool in = fabs(c.x) < half.x && fabs(c.y) < half.y && fabs(c.z) < half.z;
        double distance = sampled_distance(c, half, 60), miss = sqrt(2.0) * v3_max_abs(half) / 60;
        contact_point m[TRU_TOUCHES];
        if (!check(trui_narrow_points(&a, &b, 10.0, NULL, 0, m) == 1)) return;
        double ours = m->gap + pa.radius;
        check((in ? -ours : ours) <= distance + 1e-14 && (in ? -ours : ours) >= distance - miss);
        check_meetings(&a, &b, m, 1, 10.0, 3.0);
        check_swapped(&a, &b, m, 1, 10.0);
        // Round-off of coordinates up to 3 against half widths down to 0.1.
        check_close(gauge_box((const double *)&pb, placed_point_to_local(&b, m->point_b)), 1.0, 1e-13, 0.0);
        check_close(v3_norm(v3_sub(m->point_a, a.x)), pa.radius, 1e-14, 0.0);
        if (in)
            inside++;
        else
            outside++;
    }
    check(inside > 30 && outside > 100);
}

// Ties go to the lowest axis, then the positive side; a centre exactly on a face counts as inside.
TEST(sphere_box_ties_are_defined) {
    tru_box box = {{2.0, 2.0, 2.0}};
    tru_sphere ball = {0.5};
    placed b = {&tru_shape_box, &box, v3_zero(), m3_identity()};
    const struct {
        tru_vec3 centre, normal;
        double gap;
    } cases[] = {
        {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, -1.5},   {{0.0, 0.5, 0.5}, {0.0, 1.0, 0.0}, -1.0},
        {{-0.5, 0.5, 0.0}, {-1.0, 0.0, 0.0}, -1.0}, {{0.0, 0.0, -1.0}, {0.0, 0.0, -1.0}, -0.5},
        {{1.0, 1.0, 1.0}, {1.0, 0.0, 0.0}, -0.5},   {{1.3, 1.4, 0.0}, {0.6, 0.8, 0.0}, 0.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        placed a = {&tru_shape_sphere, &ball, cases[i].centre, m3_identity()};
        contact_point m[TRU_TOUCHES];
        check(trui_narrow_points(&a, &b, 0.1, NULL, 0, m) == 1);
        check_close(v3_norm(v3_sub(m->normal, cases[i].normal)), 0.0, 0.0, 4e-16);
        check_close(m->gap, cases[i].gap, 0.0, 4e-16);
    }
}

// A user's shape, known only by its support function: a users along z, radius p[0], half length p[1].
static double capsule_radius(const void *params) { return ((const double *)params)[0] + ((const double *)params)[1]; }

static void capsule_surface(const void *params, tru_vec3 d, tru_surface *out) {
    const double *p = params;
    *out = (tru_surface){.point = v3(p[0] * d.x, p[0] * d.y, p[0] * d.z + (d.z >= 0.0 ? p[1] : -p[1]))};
}

static const tru_shape users = {.name = "users", .bounded = true, .radius = capsule_radius, .surface = capsule_surface};

TEST(a_users_shape_meets_a_plane) {
    draw d = {check_seed(), 1, 0};
    const double params[2] = {0.2, 0.7};
    for (int k = 0; k < 200; k++) {
        placed plane = random_plane(&d, 1.0), a = {&users, params, draw_in_cube(&d, 0.5), draw_rotation(&d)};
        tru_vec3 n = placed_plane_normal(&plane), axis = m3_column(a.r, 2);
        double height = v3_dot(n, v3_sub(a.x, plane.x));
        double gap = height - params[0] - params[1] * fabs(v3_dot(axis, n));
        contact_point m[TRU_TOUCHES];
        if (!check(trui_narrow_points(&a, &plane, 5.0, NULL, 0, m) == 1)) return;
        check_close(m->gap, gap, 0.0, 1e-14);
        check_meetings(&a, &plane, m, 1, 5.0, 3.0);
        check_swapped(&a, &plane, m, 1, 5.0);
    }
}

TEST(pairs_that_exist_and_their_words) {
    char text[100], tiny[9];
    check(trui_narrow_exists(&tru_shape_disk, &tru_shape_plane) &&
          trui_narrow_exists(&tru_shape_plane, &tru_shape_disk));
    check(trui_narrow_exists(&users, &tru_shape_plane) && !trui_narrow_exists(&tru_shape_plane, &tru_shape_plane));
    check(trui_narrow_exists(&tru_shape_sphere, &tru_shape_sphere) &&
          trui_narrow_exists(&tru_shape_box, &tru_shape_sphere));
    check(!trui_narrow_exists(&tru_shape_box, &tru_shape_ellipsoid) &&
          !trui_narrow_exists(&tru_shape_disk, &tru_shape_sphere));
    trui_narrow_describe(&tru_shape_disk, text, sizeof text);
    check_str(text, "disk meets plane");
    trui_narrow_describe(&tru_shape_sphere, text, sizeof text);
    check_str(text, "sphere meets plane, sphere, box, ellipsoid, capsule, hull");
    trui_narrow_describe(&tru_shape_box, text, sizeof text);
    check_str(text, "box meets plane, sphere, box, capsule, hull");
    trui_narrow_describe(&tru_shape_plane, text, sizeof text);
    check_str(text, "plane meets every bounded shape");
    trui_narrow_describe(&tru_shape_sphere, tiny, sizeof tiny);
    check_str(tiny, "sphere m");
}

// ---- boxes

static tru_mat3 turn_z(double angle) {
    return m3_rows(v3(cos(angle), -sin(angle), 0), v3(sin(angle), cos(angle), 0), v3(0, 0, 1));
}

// One box lies on another: the corners of the common area, each with the overlap as its gap.
TEST(box_lies_on_a_box) {
    const tru_box top = {{0.2, 0.2, 0.1}}, base = {{1.0, 1.0, 0.4}};
    placed b = {&tru_shape_box, &base, v3(1, 2, 3), m3_identity()};
    contact_point m[TRU_TOUCHES];
    for (int k = 0; k < 3; k++) { // in the middle, over a side, over a corner
        placed a = {&tru_shape_box, &top, v3(1 + (k > 0 ? 0.5 : 0.0), 2 + (k > 1 ? 0.5 : 0.0), 3.24), m3_identity()};
        double area = 0.0, x[2] = {9, -9}, y[2] = {9, -9};
        if (!check(trui_narrow_points(&a, &b, 0.1, NULL, 0, m) == 4)) return;
        check_meetings(&a, &b, m, 4, 0.1, 4.0);
        for (int i = 0; i < 4; i++) {
            check_close(m[i].gap, -0.01, 0.0, 1e-15);
            check_close(m[i].normal.z, 1.0, 0.0, 0.0);
            x[0] = fmin(x[0], m[i].point_a.x), x[1] = fmax(x[1], m[i].point_a.x);
            y[0] = fmin(y[0], m[i].point_a.y), y[1] = fmax(y[1], m[i].point_a.y);
        }
        area = (x[1] - x[0]) * (y[1] - y[0]);
        check_close(area, 0.04 / (1 << k), 1e-13, 0.0);
    }
}

// Turned by 45 degrees over its equal: a regular octagon, whose area is 2 (sqrt 2 - 1) of the square's.
TEST(turned_box_meets_in_an_octagon) {
    const tru_box cube = {{1.0, 1.0, 1.0}};
    placed a = {&tru_shape_box, &cube, v3(0, 0, 0.999), turn_z(3.14159265358979 / 4)};
    placed b = {&tru_shape_box, &cube, v3_zero(), m3_identity()};
    contact_point m[TRU_TOUCHES];
    tru_vec3 p[TRU_TOUCHES];
    if (!check(trui_narrow_points(&a, &b, 0.1, NULL, 0, m) == 8)) return;
    check_meetings(&a, &b, m, 8, 0.1, 2.0);
    for (int i = 0; i < 8; i++) p[i] = m[i].point_a;
    for (int i = 0; i < 8; i++) // in order of their angle
        for (int k = i + 1; k < 8; k++)
            if (atan2(p[k].y, p[k].x) < atan2(p[i].y, p[i].x)) {
                const tru_vec3 swap = p[i];
                p[i] = p[k];
                p[k] = swap;
            }
    double area = 0.0;
    for (int i = 0; i < 8; i++) area += 0.5 * (p[i].x * p[(i + 1) % 8].y - p[i].y * p[(i + 1) % 8].x);
    check_close(area, 2.0 * (sqrt(2.0) - 1.0), 1e-13, 0.0);
}

// Two bars on edge, crossed: one point, where the edges cross.
TEST(crossed_edges_meet_in_a_point) {
    const tru_box bar = {{2.0, 0.1, 0.1}};
    const double angle = 3.14159265358979 / 4, c = cos(angle), h = 0.1 * sqrt(0.5);
    const tru_mat3 on_edge = m3_rows(v3(1, 0, 0), v3(0, c, -c), v3(0, c, c));
    placed a = {&tru_shape_box, &bar, v3(0.3, 0.2, 2 * h - 1e-4), m3_mul(turn_z(1.0), on_edge)};
    placed b = {&tru_shape_box, &bar, v3(0, 0, 0), on_edge};
    contact_point m[TRU_TOUCHES];
    if (!check(trui_narrow_points(&a, &b, 0.01, NULL, 0, m) == 1)) return;
    check_meetings(&a, &b, m, 1, 0.01, 2.0);
    check_close(m->gap, -1e-4, 1e-10, 0.0);
    check_close(m->normal.z, 1.0, 1e-14, 0.0);
    check_close(m->point_a.y, 0.0, 0.0, 1e-14);                  // on B's edge
    check_close(m->point_a.x, 0.3 - 0.2 / tan(1.0), 0.0, 1e-13); // and on A's
}

// [m] how far two boxes are apart along a direction from B to A, < 0: overlap.
static double apart(const placed *a, const placed *b, tru_vec3 n) {
    tru_surface sa, sb;
    placed_support(a, v3_neg(n), &sa);
    placed_support(b, n, &sb);
    return v3_dot(n, v3_sub(sa.point, sb.point));
}

// The normal is the direction in which the boxes overlap least: no other of many has less, and the points lie on both.
TEST(box_box_matches_brute_force) {
    draw d = {check_seed(), 1, 0};
    int faces = 0, edges = 0;
    for (int k = 0; k < 2000; k++) {
        tru_box pa = {{draw_in(&d, 0.3, 1.0), draw_in(&d, 0.3, 1.0), draw_in(&d, 0.3, 1.0)}},
                pb = {{draw_in(&d, 0.3, 1.0), draw_in(&d, 0.3, 1.0), draw_in(&d, 0.3, 1.0)}};
        placed b = {&tru_shape_box, &pb, draw_in_cube(&d, 1.0), draw_rotation(&d)};
        placed a = {&tru_shape_box, &pa, v3_add(b.x, draw_in_cube(&d, 0.6)), draw_rotation(&d)};
        contact_point m[TRU_TOUCHES], other[TRU_TOUCHES];
        const int n = trui_narrow_points(&a, &b, 1.0, NULL, 0, m);
        double most = -INFINITY;
        for (int i = 0; i < 200; i++) most = fmax(most, apart(&a, &b, draw_unit(&d)));
        for (int i = 0; i < 9; i++) { // what random directions miss by a hair
            tru_vec3 across = v3_cross(m3_column(a.r, i / 3), m3_column(b.r, i % 3));
            if (v3_unit(across, &across)) most = fmax(most, fmax(apart(&a, &b, across), apart(&a, &b, v3_neg(across))));
        }
        if (most > 0.0) continue; // apart: trui_narrow_points may be content with less than the distance
        if (!check(n >= 1)) continue;
        check_meetings(&a, &b, m, n, 1.0, 3.0);
        const double ours = apart(&a, &b, m->normal);
        if (ours > 0.0) continue;
        check(ours > most - 2e-5); // 1e-5 of the boxes' widths are given away for steady faces
        double deepest = INFINITY;
        for (int i = 0; i < n; i++) {
            deepest = fmin(deepest, m[i].gap);
            check(gauge_box((const double *)&pa, placed_point_to_local(&a, m[i].point_a)) < 1.0 + 1e-5);
            check(gauge_box((const double *)&pb, placed_point_to_local(&b, m[i].point_b)) < 1.0 + 1e-5);
        }
        check(deepest > ours - 1e-13 && deepest < 0.0);
        check(trui_narrow_points(&b, &a, 1.0, NULL, 0, other) >= 1);
        check_close(fabs(v3_dot(other->normal, m->normal)), 1.0, 1e-6, 0.0);
        if (n == 1 && m->feature >= 12 * 6 * 64)
            edges++;
        else
            faces++;
    }
    check(faces > 200 && edges > 50);
}

// ---- capsules

// [m] from a point to the other shape, by its definition.
static double distance_to(const placed *b, tru_vec3 x) {
    const tru_vec3 p = placed_point_to_local(b, x);
    if (b->shape == &tru_shape_sphere) return v3_norm(p) - ((const tru_sphere *)b->params)->radius;
    if (b->shape == &tru_shape_capsule) {
        const tru_capsule *c = b->params;
        const double over = fmax(0.0, fabs(p.z) - 0.5 * c->length);
        return sqrt(p.x * p.x + p.y * p.y + over * over) - c->radius;
    }
    const tru_vec3 h = v3_scale(0.5, ((const tru_box *)b->params)->size);
    return v3_norm(v3(fmax(0.0, fabs(p.x) - h.x), fmax(0.0, fabs(p.y) - h.y), fmax(0.0, fabs(p.z) - h.z)));
}

// The smallest gap is the distance of the nearest of many points of the line, less the radius; samples miss it by half
// their spacing at most.
TEST(capsule_matches_brute_force) {
    draw d = {check_seed(), 1, 0};
    enum { SAMPLES = 2000 };
    int two = 0, deep = 0;
    for (int k = 0; k < 900; k++) {
        const tru_capsule pa = {draw_in(&d, 0.05, 0.3), draw_in(&d, 0.1, 1.0)};
        const tru_capsule pc = {draw_in(&d, 0.05, 0.3), draw_in(&d, 0.1, 1.0)};
        const tru_box box = {{draw_in(&d, 0.2, 1.0), draw_in(&d, 0.2, 1.0), draw_in(&d, 0.2, 1.0)}};
        const tru_sphere ball = {draw_in(&d, 0.1, 0.5)};
        const void *params[] = {&ball, &pc, &box};
        const tru_shape *shapes[] = {&tru_shape_sphere, &tru_shape_capsule, &tru_shape_box};
        placed b = {shapes[k % 3], params[k % 3], draw_in_cube(&d, 1.0), draw_rotation(&d)};
        placed a = {&tru_shape_capsule, &pa, v3_add(b.x, draw_in_cube(&d, 0.9)), draw_rotation(&d)};
        if (k % 5 == 0) a.r = m3_columns(m3_column(b.r, 1), m3_column(b.r, 2), m3_column(b.r, 0)); // along an edge
        if (k % 10 == 0) a.r = b.r;
        double nearest = INFINITY, gap = INFINITY, spacing = pa.length / SAMPLES;
        for (int i = 0; i <= SAMPLES; i++)
            nearest =
                fmin(nearest, distance_to(&b, placed_point_to_world(&a, v3(0, 0, i * spacing - 0.5 * pa.length))));
        contact_point m[TRU_TOUCHES];
        const int n = trui_narrow_points(&a, &b, 10.0, NULL, 0, m);
        if (!check(n >= 1 && n <= 2)) continue;
        check_meetings(&a, &b, m, n, 10.0, 3.0);
        if (b.shape != &tru_shape_capsule) check_swapped(&a, &b, m, n, 10.0);
        for (int i = 0; i < n; i++) gap = fmin(gap, m[i].gap);
        two += n == 2;
        if (b.shape == &tru_shape_box && nearest <= 0.0) { // the line goes through the box
            check(gap <= -pa.radius + 1e-13);
            deep++;
            continue;
        }
        check(gap <= nearest - pa.radius + 1e-13 && gap >= nearest - pa.radius - 0.5 * spacing - 1e-13);
        for (int i = 0; i < n; i++) // where lines are alongside to a hundredth, they are taken for parallel
            if (m[i].gap == gap)
                check_close(gauge_capsule((const double *)&pa, m[i].local), 1.0, n == 1 ? 1e-12 : 1e-4, 0.0);
    }
    check(two > 100 && deep > 20);
}

// A rod along an edge of a box touches it.
TEST(capsule_along_an_edge_touches) {
    const tru_box square = {{1.0, 1.0, 1.0}};
    const placed box = {&tru_shape_box, &square, v3_zero(), m3_identity()};
    check_rod_along_edge(&box);
}

// Edges that pass each other beyond their ends do not meet, however near the boxes are along the normal of both.
TEST(edges_that_do_not_face_each_other_do_not_meet) {
    draw d = {check_seed(), 1, 0};
    int edges = 0;
    for (int k = 0; k < 20000; k++) {
        const tru_box pa = {v3(draw_in(&d, 0.2, 1), draw_in(&d, 0.2, 1), draw_in(&d, 0.2, 1))};
        const tru_box pb = {v3(draw_in(&d, 0.2, 1), draw_in(&d, 0.2, 1), draw_in(&d, 0.2, 1))};
        const placed a = {&tru_shape_box, &pa, v3_scale(draw_in(&d, 0.3, 1.2), draw_unit(&d)), draw_rotation(&d)};
        const placed b = {&tru_shape_box, &pb, v3_zero(), draw_rotation(&d)};
        contact_point m[TRU_TOUCHES];
        if (trui_narrow_points(&a, &b, 0.2, NULL, 0, m) != 1 || m[0].feature < 12 * 6 * 64 || !(m[0].gap > 0.0))
            continue;
        const tru_vec3 y = placed_point_to_local(&b, m[0].point_b), half = v3_scale(0.5, pb.size);
        const double out = fmax(fmax(fabs(y.x) - half.x, fabs(y.y) - half.y), fabs(y.z) - half.z);
        edges++;
        if (!check(fabs(out) < 1e-12)) printf("  boxes %d: %g off the surface\n", k, out);
    }
    check(edges > 100);
}

TEST(pairs_that_do_not_exist_meet_nowhere) {
    contact_point m[TRU_TOUCHES];
    tru_disk disk = {1.0, 0.0};
    placed a = {&tru_shape_disk, &disk, v3_zero(), m3_identity()};
    placed plane = {&tru_shape_plane, NULL, v3_zero(), m3_identity()};
    check(trui_narrow_points(&a, &a, 1.0, NULL, 0, m) == 0 && trui_narrow_points(&plane, &plane, 1.0, NULL, 0, m) == 0);
}

static void scale_meeting(contact_point *m, double s) {
    m->point_a = v3_scale(s, m->point_a);
    m->point_b = v3_scale(s, m->point_b);
    m->local = v3_scale(s, m->local);
    m->gap *= s;
}

static void check_scaled(const shape_case *ca, const shape_case *cb, placed a, placed b, double s) {
    shape_case sa = scaled_case(ca, s), sb = scaled_case(cb, s);
    contact_point m[TRU_TOUCHES], big[TRU_TOUCHES];
    memset(m, 0, sizeof m);
    memset(big, 0, sizeof big);
    int n = trui_narrow_points(&a, &b, 0.5, NULL, 0, m);
    a = place_case(&sa, v3_scale(s, a.x), a.r);
    b = place_case(&sb, v3_scale(s, b.x), b.r);
    check(trui_narrow_points(&a, &b, s * 0.5, NULL, 0, big) == n);
    for (int i = 0; i < n; i++) {
        scale_meeting(&m[i], s);
        check(same_bits(&m[i], &big[i], sizeof m[i]));
    }
}

// The unit of length, changed by a power of two, changes no bit of any meeting.
TEST(lengths_scale_exactly) {
    draw d = {check_seed(), 1, 0};
    const shape_case ground = {.name = "plane", .shape = &tru_shape_plane};
    FOR_SHAPES(c) for (int k = 0; k < 100; k++) {
        double s = k % 2 ? 0x1p-17 : 0x1p9;
        placed a = place_case(c, draw_in_cube(&d, 0.5), draw_rotation(&d)),
               b = place_case(&ground, draw_in_cube(&d, 0.5), draw_rotation(&d));
        check_scaled(c, &ground, a, b, s);
        const shape_case *sphere = &shape_cases[0];
        if (!trui_narrow_exists(c->shape, sphere->shape)) continue;
        check_scaled(c, sphere, a, place_case(sphere, draw_in_cube(&d, 0.5), draw_rotation(&d)), s);
        if (c->shape == &tru_shape_capsule)
            check_scaled(c, &shape_cases[2], a, place_case(&shape_cases[2], draw_in_cube(&d, 0.5), draw_rotation(&d)),
                         s);
        if (c->shape == &tru_shape_box || c->shape == &tru_shape_capsule)
            check_scaled(c, c, a, place_case(c, draw_in_cube(&d, 0.5), draw_rotation(&d)), s);
    }
}
