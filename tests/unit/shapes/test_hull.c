// Hulls: their faces against the points they came from, mass against sums over tetrahedra and boxes, bad points.
#include "hulls.h"

// A second definition of the hull, that shares no code with ours: x lies in it if no direction parts x from all points.
// The directions that can are the normals of triangles of points.
static double outside_by_triangles(const tru_vec3 *p, size_t n, tru_vec3 x) {
    double worst = -INFINITY;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++) {
                tru_vec3 u;
                if (i == j || j == k || i == k) continue;
                if (v3_norm(v3_cross(v3_sub(p[j], p[i]), v3_sub(p[k], p[i]))) < 1e-6) continue; // on a line
                if (!v3_unit(v3_cross(v3_sub(p[j], p[i]), v3_sub(p[k], p[i])), &u)) continue;
                double top = -INFINITY;
                for (size_t q = 0; q < n; q++) top = fmax(top, v3_dot(u, p[q]));
                worst = fmax(worst, v3_dot(u, x) - top);
            }
    return worst;
}

static double outside_faces(const hull *h, tru_vec3 x) {
    double worst = -INFINITY;
    for (int f = 0; f < h->face_count; f++) worst = fmax(worst, v3_dot(h->face[f].normal, x) - h->face[f].offset);
    return worst;
}

// ---- the polyhedron: faces, corners, edges of the points ----

TEST(faces_bound_what_the_points_span) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 300; i++) {
        test_hull t;
        const size_t n = test_hull_points(&d, &t, 12);
        if (!check(test_hull_build(&t, n))) continue;
        const hull *h = hull_of(&t.params);
        for (int k = 0; k < 20; k++) {
            const tru_vec3 x = draw_in_cube(&d, 0.8);
            const double a = outside_by_triangles(t.points, n, x), b = outside_faces(h, x);
            const bool same = b < 0.0 ? fabs(a - b) < 1e-7 : a > b - 1e-7; // depths agree; outside, no face is nearer
            if (!check(same)) printf("  hull %d: %g %g\n", i, a, b);
        }
        test_hull_free(&t);
    }
}

TEST(polyhedra_are_closed_convex_and_have_few_corners) {
    draw d = {check_seed(), 1, 0};
    int faces = 0, most = 0;
    for (int i = 0; i < 2000; i++) {
        test_hull t;
        const size_t n = test_hull_points(&d, &t, TRU_HULL_POINTS);
        if (!check(test_hull_build(&t, n))) continue;
        const hull *h = hull_of(&t.params);
        check(h->corner_count - h->edge_count + h->face_count == 2);
        for (size_t k = 0; k < n; k++) check(outside_faces(h, t.points[k]) < 1e-7);
        for (int f = 0; f < h->face_count; f++)
            for (int k = 0; k < h->face[f].count; k++) {
                const tru_vec3 c = h->corner[h->loop[h->face[f].first + k]];
                check_close(v3_dot(h->face[f].normal, c), h->face[f].offset, 0.0, 1e-7);
            }
        for (int k = 0; k < h->edge_count; k++) { // convex at every edge: the far face bends down
            const hull_edge *e = &h->edge[k];
            const tru_vec3 across = v3_cross(v3_sub(h->corner[e->b], h->corner[e->a]), h->face[e->left].normal);
            check(v3_dot(across, h->face[e->right].normal) > 0.0);
        }
        faces += h->face_count;
        most = h->corner_count > most ? h->corner_count : most;
        test_hull_free(&t);
    }
    check(faces > 20000 && most > 20);
}

// A box by its corners, with points inside, on faces, on edges, and twice: eight corners, six faces, twelve edges.
TEST(points_on_a_box_that_are_no_corners_do_not_count) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 200; i++) {
        test_hull t;
        tru_box box = {{draw_in(&d, 0.1, 2.0), draw_in(&d, 0.1, 2.0), draw_in(&d, 0.1, 2.0)}};
        const tru_mat3 r = draw_rotation(&d);
        const tru_vec3 shift = draw_in_cube(&d, 3.0);
        size_t n = 0;
        for (int x = -1; x <= 1; x++)
            for (int y = -1; y <= 1; y++)
                for (int z = -1; z <= 1; z++)
                    t.points[n++] = v3_add(shift, m3_apply(r, v3_mul(v3_scale(0.5, box.size), v3(x, y, z))));
        while (n < 50) t.points[n++] = t.points[(size_t)draw_in(&d, 0.0, 26.9)];
        for (size_t k = n; k > 1; k--) { // in any order
            const size_t j = (size_t)draw_in(&d, 0.0, (double)k - 0.001);
            const tru_vec3 swap = t.points[k - 1];
            t.points[k - 1] = t.points[j];
            t.points[j] = swap;
        }
        if (!check(test_hull_build(&t, n))) continue;
        const hull *h = hull_of(&t.params);
        check(h->corner_count == 8 && h->face_count == 6 && h->edge_count == 12);
        check_close(h->extent, fmin(box.size.x, fmin(box.size.y, box.size.z)), 1e-12, 0.0);
        tru_mass ours, whole;
        tru_shape_hull.mass(&t.params, 7.0, &ours);
        tru_shape_box.mass(&box, 7.0, &whole);
        check_close(ours.mass, whole.mass, 1e-12, 0.0);
        check_close(v3_norm(v3_sub(ours.centre, shift)), 0.0, 0.0, 1e-12);
        const tru_mat3 turned = m3_rotate_sym(r, m3_diag(whole.inertia));
        const double size = v3_norm(whole.inertia);
        check_close(ours.inertia.x, turned.m[0][0], 0.0, 1e-11 * size);
        check_close(ours.inertia.y, turned.m[1][1], 0.0, 1e-11 * size);
        check_close(ours.inertia.z, turned.m[2][2], 0.0, 1e-11 * size);
        check_close(ours.products.x, turned.m[0][1], 0.0, 1e-11 * size);
        check_close(ours.products.y, turned.m[0][2], 0.0, 1e-11 * size);
        check_close(ours.products.z, turned.m[1][2], 0.0, 1e-11 * size);
        test_hull_free(&t);
    }
}

// ---- mass, width and support: against quadrature and search ----

typedef struct moments {
    double v[10]; // volume, x, y, z, xx, yy, zz, xy, xz, yz about a point inside
} moments;

// Cones from a point inside to n x n cells on each face of a cube about it, midpoint rule: with the gauge g of p, p/g is
// on the surface, so the cone over the area dA at p holds p.n dA / (3 g^3), p p.n dA / (4 g^4), p p p.n dA / (5 g^5).
static moments quadrature(const hull *h, tru_vec3 inside, int n) {
    moments m = {{0}};
    for (int cell = 0; cell < 6 * n * n; cell++) {
        const int face = cell / (n * n), axis = face / 2, i = cell % n, j = cell / n % n;
        double q[3], g = 0.0;
        q[axis] = face % 2 ? 1.0 : -1.0;
        q[(axis + 1) % 3] = (2.0 * i + 1.0) / n - 1.0;
        q[(axis + 2) % 3] = (2.0 * j + 1.0) / n - 1.0;
        const tru_vec3 p = v3_from(q);
        for (int f = 0; f < h->face_count; f++)
            g = fmax(g, v3_dot(h->face[f].normal, p) / (h->face[f].offset - v3_dot(h->face[f].normal, inside)));
        const double area = 4.0 / (n * n), g3 = area / (3.0 * g * g * g), g4 = 0.75 * g3 / g, g5 = 0.8 * g4 / g;
        const double add[10] = {g3,
                                g4 * p.x,
                                g4 * p.y,
                                g4 * p.z,
                                g5 * p.x * p.x,
                                g5 * p.y * p.y,
                                g5 * p.z * p.z,
                                g5 * p.x * p.y,
                                g5 * p.x * p.z,
                                g5 * p.y * p.z};
        for (int k = 0; k < 10; k++) m.v[k] += add[k];
    }
    return m;
}

// The rule is of second order, of order 3/2 or better across the kinks of the gauge, which fall into cells irregularly: four
// times the difference of two grids holds the error of the finer.
TEST(mass_centre_and_inertia_match_quadrature) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 20; i++) {
        test_hull t;
        if (!check(test_hull_build(&t, test_hull_points(&d, &t, 20)))) continue;
        tru_mass m;
        tru_shape_hull.mass(&t.params, 1.0, &m);
        const hull *h = hull_of(&t.params);
        tru_vec3 o = v3_zero();
        for (int k = 0; k < h->corner_count; k++) o = v3_madd(o, 1.0 / h->corner_count, h->corner[k]);
        const moments a = quadrature(h, o, 100), b = quadrature(h, o, 200);
        const tru_vec3 c = v3_sub(m.centre, o);
        const double ours[10] = {m.mass,
                                 m.mass * c.x,
                                 m.mass * c.y,
                                 m.mass * c.z,
                                 0.5 * (m.inertia.y + m.inertia.z - m.inertia.x) + m.mass * c.x * c.x,
                                 0.5 * (m.inertia.x + m.inertia.z - m.inertia.y) + m.mass * c.y * c.y,
                                 0.5 * (m.inertia.x + m.inertia.y - m.inertia.z) + m.mass * c.z * c.z,
                                 m.mass * c.x * c.y - m.products.x,
                                 m.mass * c.x * c.z - m.products.y,
                                 m.mass * c.y * c.z - m.products.z};
        double size = 0.0;
        for (int k = 0; k < 10; k++) size = fmax(size, fabs(b.v[k] - a.v[k]));
        check(size < 1e-2 * m.mass);
        for (int k = 0; k < 10; k++)
            if (!check_close(ours[k], b.v[k], 0.0, 4.0 * size)) printf("  hull %d, moment %d\n", i, k);
        test_hull_free(&t);
    }
}

TEST(support_is_a_corner_and_maximal_and_the_radius_holds_it) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 300; i++) {
        test_hull t;
        const size_t n = test_hull_points(&d, &t, 40);
        if (!check(test_hull_build(&t, n))) continue;
        double farthest = 0.0, narrowest = INFINITY;
        for (int k = 0; k < 200; k++) {
            const tru_vec3 u = draw_unit(&d);
            tru_surface s, back;
            tru_shape_hull.surface(&t.params, u, &s);
            tru_shape_hull.surface(&t.params, v3_neg(u), &back);
            check(m3_trace(s.hessian) == 0.0);
            for (size_t p = 0; p < n; p++) check(v3_dot(u, t.points[p]) <= v3_dot(u, s.point) + 1e-7);
            farthest = fmax(farthest, v3_norm(s.point));
            narrowest = fmin(narrowest, v3_dot(u, v3_sub(s.point, back.point)));
        }
        check(farthest <= tru_shape_hull.radius(&t.params) && narrowest >= tru_shape_hull.extent(&t.params) - 1e-12);
        test_hull_free(&t);
    }
}

// The narrowest direction of many, improved by small steps, is not below the extent and comes near it.
TEST(extent_is_the_smallest_width) {
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 30; i++) {
        test_hull t;
        if (!check(test_hull_build(&t, test_hull_points(&d, &t, 16)))) continue;
        double least = INFINITY;
        for (int start = 0; start < 60; start++) {
            tru_vec3 u = draw_unit(&d);
            double here = INFINITY, step = 0.3;
            for (int k = 0; k < 400; k++) {
                tru_vec3 v;
                tru_surface s, back;
                v3_unit(v3_madd(u, k == 0 ? 0.0 : step, draw_unit(&d)), &v);
                tru_shape_hull.surface(&t.params, v, &s);
                tru_shape_hull.surface(&t.params, v3_neg(v), &back);
                const double width = v3_dot(v, v3_sub(s.point, back.point));
                if (width < here)
                    here = width, u = v;
                else
                    step *= 0.97;
            }
            least = fmin(least, here);
        }
        const double extent = tru_shape_hull.extent(&t.params);
        if (!check(least >= extent - 1e-12 && least < 1.01 * extent)) printf("  %g %g\n", least, extent);
        test_hull_free(&t);
    }
}

// ---- contact points with a plane ----

TEST(touches_are_low_corners_in_order_and_the_lowest_is_among_them) {
    draw d = {check_seed(), 1, 0};
    int many = 0;
    for (int i = 0; i < 500; i++) {
        test_hull t;
        if (!check(test_hull_build(&t, test_hull_points(&d, &t, TRU_HULL_POINTS)))) continue;
        for (int k = 0; k < 20; k++) {
            tru_touch touch[TRU_TOUCHES];
            const tru_vec3 up = draw_unit(&d);
            const int n = tru_shape_hull.touch_plane(&t.params, up, NULL, 0, touch);
            tru_surface low;
            tru_shape_hull.surface(&t.params, v3_neg(up), &low);
            double lowest = INFINITY;
            for (int j = 0; j < n; j++) {
                lowest = fmin(lowest, v3_dot(up, touch[j].point));
                check(j == 0 || touch[j].feature > touch[j - 1].feature);
            }
            check(n >= 1 && n <= TRU_TOUCHES && lowest == v3_dot(up, low.point));
            many += n == TRU_TOUCHES;
        }
        test_hull_free(&t);
    }
    check(many > 100);
}

// A prism of twelve sides on its end: eight of twelve corners, and its centre stands over them.
TEST(a_face_of_many_corners_stands_on_eight_round_its_middle) {
    test_hull t;
    const double pi = 3.14159265358979;
    for (int k = 0; k < 24; k++) t.points[k] = v3(cos(pi * k / 6), sin(pi * k / 6), k < 12 ? 0.0 : 0.7);
    if (!check(test_hull_build(&t, 24))) return;
    tru_touch touch[TRU_TOUCHES];
    const int n = tru_shape_hull.touch_plane(&t.params, v3(0, 0, 1), NULL, 0, touch);
    check(n == 8);
    for (int k = 0; k < 36; k++) { // no half plane without a touch
        const tru_vec3 u = v3(cos(pi * k / 18), sin(pi * k / 18), 0);
        double most = -INFINITY;
        for (int j = 0; j < n; j++) most = fmax(most, v3_dot(u, touch[j].point));
        check(most > 0.7 && touch[0].point.z == 0.0);
    }
    test_hull_free(&t);
}

// ---- units, bad points, random stones ----

// Lengths times 2^k: every result in metres times 2^k, the rest equal, to the last bit.
TEST(lengths_scale_exactly) {
    draw d = {check_seed(), 1, 0};
    const double scales[] = {0x1p-20, 0.5, 0x1p13};
    for (int i = 0; i < 60; i++) {
        test_hull t, u;
        const double s = scales[i % 3];
        const size_t n = test_hull_points(&d, &t, 30);
        for (size_t k = 0; k < n; k++) u.points[k] = v3_scale(s, t.points[k]);
        if (!check(test_hull_build(&t, n) && test_hull_build(&u, n))) continue;
        const hull *a = hull_of(&t.params), *b = hull_of(&u.params);
        if (!check(a->corner_count == b->corner_count && a->face_count == b->face_count)) continue;
        check(memcmp(a->loop, b->loop, 2 * (size_t)a->edge_count * sizeof *a->loop) == 0);
        check(b->extent == s * a->extent && b->mass.mass == s * s * s * a->mass.mass);
        check(b->mass.inertia.x == s * s * s * s * s * a->mass.inertia.x && b->mass.centre.y == s * a->mass.centre.y);
        for (int f = 0; f < a->face_count; f++)
            check(same_bits(&a->face[f].normal, &b->face[f].normal, sizeof(tru_vec3)) &&
                  b->face[f].offset == s * a->face[f].offset);
        test_hull_free(&t);
        test_hull_free(&u);
    }
}

static void refused(const tru_vec3 *points, size_t n, const char *sentence) {
    tru_hull p = tru_default_hull();
    tru_error err = {0};
    p.points = points;
    p.point_count = n;
    check((tru_shape_hull.check)(&p, &err) < 0);
    check_str(err.text, sentence);
}

TEST(bad_points_get_a_sentence) {
    const tru_vec3 three[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, once[] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    const tru_vec3 line[] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {5, 5, 5}};
    const tru_vec3 flat[] = {{0, 0, 0}, {1, 0, 0.1}, {0, 1, 0.2}, {1, 1, 0.3}, {0.3, 0.4, 0.11}};
    const tru_vec3 holes[] = {{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}, {0, 0, 1}};
    static tru_vec3 crowd[65];
    refused(three, 3, "hull has 3 points, must have at least 4");
    refused(once, 4, "hull: all points coincide");
    refused(line, 4, "hull: all points lie on a line");
    refused(flat, 5, "hull: all points lie in a plane (to 1e-6 of their size); a flat body is a thin box");
    refused(holes, 4, "hull: points[2] is not finite");
    refused(crowd, 65, "hull has 65 points, must have at most 64");
    refused(NULL, 0, "hull needs points, or the radius of a random stone");
    tru_hull both = tru_default_hull();
    tru_error err = {0};
    both.points = line;
    both.point_count = 4;
    both.radius = 1.0;
    check((tru_shape_hull.check)(&both, &err) < 0);
    check_str(err.text, "hull: points and radius exclude each other");
}

// A random stone: corners on its sphere, other seeds other stones, the same seed the same bits.
TEST(random_stones_lie_on_their_sphere) {
    for (int32_t seed = 0; seed < 50; seed++) {
        tru_hull p = tru_default_hull(), q;
        tru_mesh a, b;
        tru_error err;
        p.radius = 0.02;
        p.seed = seed;
        p.corners = 4 + seed;
        q = p;
        if (!check(tru_hull_mesh(&p, &a, &err) >= 0 && tru_hull_mesh(&q, &b, &err) >= 0)) continue;
        check(same_bits(&a, &b, sizeof a) && a.point_count == p.corners && a.triangle_count == 2 * p.corners - 4);
        for (int k = 0; k < a.point_count; k++) check_close(v3_norm(a.points[k]), 0.02, 1e-14, 0.0);
        q.seed = seed + 1;
        check(tru_hull_mesh(&q, &b, &err) >= 0 && !same_bits(&a.points[0], &b.points[0], sizeof(tru_vec3)));
    }
}
