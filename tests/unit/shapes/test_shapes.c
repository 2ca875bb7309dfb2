// What every shape promises: support, second derivative, sizes, mass, points that touch a plane.
#include "check.h"
#include "shape_cases.h"

// Every bounded shape has a case, apart from those that derive data from lists: they have a test file with cases of their own.
TEST(every_shape_has_a_case) {
    const tru_shape *shape;
    for (size_t k = 0; (shape = tru_shape_at(k)) != NULL; k++) {
        bool found = !shape->bounded || shape->build;
        FOR_SHAPES(c) found |= c->shape == shape;
        if (!check(found))
            printf(
                "shape %s has no case: add its gauge, gauge_%s(), and a line in shape_cases[] to tests/kit/shape_cases.h\n",
                shape->name, shape->name);
    }
}

// ---- support points and their derivatives ----

TEST(support_point_is_on_the_surface_and_maximal) {
    draw d = {check_seed(), 1, 0};
    FOR_SHAPES(c) {
        double worst_on = 0.0, worst_max = 0.0, size = c->shape->radius(&c->params);
        for (int i = 0; i < 2000; i++) {
            tru_vec3 u = draw_unit(&d);
            tru_surface s;
            c->shape->surface(&c->params, u, &s);
            worst_on = fmax(worst_on, fabs(c->gauge(c->params.lengths, s.point) - 1.0));
            for (int j = 0; j < 50; j++) {
                tru_vec3 y = surface_point(c, draw_unit(&d));
                worst_max = fmax(worst_max, (v3_dot(u, y) - v3_dot(u, s.point)) / size);
            }
        }
        if (!check(worst_on < 1e-15 && worst_max < 1e-15)) printf("  %s: %g %g\n", c->name, worst_on, worst_max);
    }
}

static tru_vec3 support_at(const shape_case *c, tru_vec3 v) {
    tru_surface s;
    tru_vec3 u = v;
    v3_unit(v, &u);
    c->shape->surface(&c->params, u, &s);
    return s.point;
}

// Central differences have the error e^2/6 times a third derivative, which for h = sqrt(d E d) is below 3 (largest /
// smallest semi-axis)^3 times the size, here 300; a disk at s > 0.1 has 2 r / s^3: 2000.
TEST(second_derivative_matches_differences_of_the_support_point) {
    draw d = {check_seed(), 1, 0};
    const double e = 1e-5;
    FOR_SHAPES(c) {
        double worst = 0.0, size = c->shape->radius(&c->params);
        int smooth = 0;
        for (int i = 0; i < 2000; i++) {
            tru_vec3 u = draw_unit(&d), v = draw_unit(&d);
            if (!smooth_near(c, u, 2.0 * e)) continue;
            smooth++;
            tru_surface s;
            c->shape->surface(&c->params, u, &s);
            tru_vec3 plus = support_at(c, v3_madd(u, e, v)), minus = support_at(c, v3_madd(u, -e, v));
            tru_vec3 slope = v3_scale(0.5 / e, v3_sub(plus, minus));
            worst = fmax(worst, v3_norm(v3_sub(slope, m3_apply(s.hessian, v))) / size);
        }
        if (!check(worst < 2000.0 * e * e && smooth > 1900)) printf("  %s: %g, %d\n", c->name, worst, smooth);
    }
}

TEST(second_derivative_is_symmetric_and_has_the_direction_in_its_kernel) {
    draw d = {check_seed(), 1, 0};
    FOR_SHAPES(c) {
        double worst = 0.0, lowest = 0.0;
        bool symmetric = true;
        for (int i = 0; i < 2000; i++) {
            tru_surface s;
            tru_vec3 u = draw_unit(&d), v = draw_unit(&d);
            c->shape->surface(&c->params, u, &s);
            double size = c->shape->radius(&c->params) + m3_trace(s.hessian);
            worst = fmax(worst, v3_norm(m3_apply(s.hessian, u)) / size);
            lowest = fmin(lowest, v3_dot(v, m3_apply(s.hessian, v)) / size);
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < p; q++) symmetric = symmetric && s.hessian.m[p][q] == s.hessian.m[q][p];
        }
        if (!check(symmetric && worst < 1e-15 && lowest > -1e-15)) printf("  %s: %g %g\n", c->name, worst, lowest);
    }
}

// ---- sizes and masses: against search and quadrature ----

// No point lies farther than the radius and one reaches it; no width is smaller than the extent and one equals it.
TEST(radius_and_extent_bound_the_shape) {
    draw d = {check_seed(), 1, 0};
    FOR_SHAPES(c) {
        double radius = c->shape->radius(&c->params), extent = c->shape->extent(&c->params);
        double farthest = 0.0, narrowest = INFINITY;
        for (int i = 0; i < 20000; i++) {
            tru_vec3 u = i < 3 ? v3(i == 0, i == 1, i == 2) : draw_unit(&d);
            double width = v3_dot(u, support_at(c, u)) - v3_dot(u, support_at(c, v3_neg(u)));
            farthest = fmax(farthest, v3_norm(support_at(c, u)));
            narrowest = fmin(narrowest, width);
        }
        check_close(farthest, radius, 1e-14, 0.0);
        if (is_thin(c))
            check_close(extent, 2.0 * radius, 0.0, 0.0); // documented: a thin disk's width is 0
        else
            check_close(narrowest, extent, 1e-14, 0.0);
    }
}

typedef struct moments {
    double v[7]; // volume, then integrals of xx, yy, zz, xy, xz, yz
} moments;

static void add_face_point(const shape_case *c, tru_vec3 p, double weight, moments *m) {
    double g = 1.0 / c->gauge(c->params.lengths, p), g3 = weight * g * g * g / 3.0, g5 = g3 * g * g * 3.0 / 5.0;
    double add[7] = {
        g3, g5 * p.x * p.x, g5 * p.y * p.y, g5 * p.z * p.z, g5 * p.x * p.y, g5 * p.x * p.z, g5 * p.y * p.z};
    for (int k = 0; k < 7; k++) m->v[k] += add[k];
}

// Cones from the origin to n x n cells on each face of the bounding box, midpoint rule: p/gauge(p) is on the surface,
// so the cone over the area dA at p holds the volume p.n dA / (3 gauge^3), and p_i p_j p.n dA / (5 gauge^5).
static moments quadrature(const shape_case *c, int n) {
    moments m = {{0}};
    const double half[3] = {c->box.x, c->box.y, c->box.z};
    for (int axis = 0; axis < 3; axis++)
        for (int cell = 0; cell < n * n; cell++) {
            int u = (axis + 1) % 3, v = (axis + 2) % 3;
            double p[3], weight = 4.0 * half[0] * half[1] * half[2] / (n * n);
            p[axis] = half[axis];
            p[u] = half[u] * ((2.0 * (cell % n) + 1.0) / n - 1.0);
            p[v] = half[v] * ((2.0 * (cell / n) + 1.0) / n - 1.0);
            add_face_point(c, v3_from(p), weight, &m);
            p[axis] = -p[axis];
            add_face_point(c, v3_from(p), weight, &m);
        }
    return m;
}

// Returns the largest difference of the volume and the three squares, in parts of each.
static double most_apart(const moments *a, const moments *b) {
    double most = 0.0;
    for (int k = 0; k < 4; k++) most = fmax(most, fabs(a->v[k] - b->v[k]) / fabs(b->v[k]));
    return most;
}

// The midpoint rule is of second order (order 3/2 or better across the kink of a disk's gauge), so the error of the
// finer sum is below the difference of the two, plus the round-off of a sum of 6 n^2 terms. The gauge of a shape with sharp corners
// varies more over a face: its cells are halved until two sums agree to 1e-4.
TEST(mass_and_inertia_match_quadrature) {
    const double density = 7.0;
    FOR_SHAPES(c) {
        tru_mass m;
        c->shape->mass(&c->params, density, &m);
        check(v3_norm(m.centre) == 0.0 && v3_norm(m.products) == 0.0);
        if (is_thin(c)) {
            check(m.mass == 0.0 && v3_norm(m.inertia) == 0.0);
            continue;
        }
        int cells = 300;
        moments coarse = quadrature(c, 150), fine = quadrature(c, cells);
        while (cells < 1200 && !(most_apart(&coarse, &fine) < 1e-4)) {
            coarse = fine;
            fine = quadrature(c, cells *= 2);
        }
        const double round_off = 6.0 * cells * cells * 0x1p-53;
        double ours[4] = {m.mass, m.inertia.x, m.inertia.y, m.inertia.z};
        for (int k = 0; k < 4; k++) {
            double a = k ? coarse.v[1 + k % 3] + coarse.v[1 + (k + 1) % 3] : coarse.v[0];
            double b = k ? fine.v[1 + k % 3] + fine.v[1 + (k + 1) % 3] : fine.v[0];
            check(fabs(b - a) < 1e-4 * fabs(b));
            if (!check_close(ours[k], density * b, round_off, density * fabs(b - a))) printf("  %s %d\n", c->name, k);
        }
        for (int k = 4; k < 7; k++) check_close(fine.v[k], 0.0, 0.0, 1e-14);
    }
}

// ---- contact points with a plane, units, planes ----

// The points that can touch a plane; without touch_plane the support point is the only one.
static int touches(const shape_case *c, tru_vec3 up, tru_touch t[TRU_TOUCHES]) {
    if (c->shape->touch_plane) return c->shape->touch_plane(&c->params, up, NULL, 0, t);
    t[0] = (tru_touch){.point = support_at(c, v3_neg(up))};
    return 1;
}

// A disk lying flat touches with three points of which none is favoured; elsewhere the lowest touch is the support.
TEST(touches_lie_on_the_shape_and_the_lowest_is_the_support_point) {
    draw d = {check_seed(), 1, 0};
    FOR_SHAPES(c) {
        double size = c->shape->radius(&c->params), worst_on = 0.0, worst_low = 0.0, worst_sample = 0.0;
        bool named = true;
        for (int i = 0; i < 1000; i++) {
            tru_touch t[TRU_TOUCHES];
            tru_vec3 up = i < 6 ? v3((i == 0) - (i == 3), (i == 1) - (i == 4), (i == 2) - (i == 5)) : draw_unit(&d);
            int n = touches(c, up, t);
            double low = INFINITY;
            for (int j = 0; j < n; j++) {
                low = fmin(low, v3_dot(up, t[j].point));
                worst_on = fmax(worst_on, fabs(c->gauge(c->params.lengths, t[j].point) - 1.0));
                named = named && t[j].flags == 0 && (j == 0 || t[j].feature > t[j - 1].feature);
            }
            named = named && n >= 1 && n <= TRU_TOUCHES && t[0].feature >= 0;
            worst_low = fmax(worst_low, fabs(low - v3_dot(up, support_at(c, v3_neg(up)))));
            for (int j = 0; j < 20; j++)
                worst_sample = fmax(worst_sample, low - v3_dot(up, surface_point(c, draw_unit(&d))));
        }
        check(named);
        if (!check(worst_on < 1e-15 && worst_low < 1e-15 * size && worst_sample < 1e-15 * size))
            printf("  %s: %g %g %g\n", c->name, worst_on, worst_low, worst_sample);
    }
}

TEST(a_box_offers_the_corners_below_its_centre) {
    draw d = {check_seed(), 1, 0};
    tru_box box = {{0.4, 0.1, 0.9}};
    for (int i = 0; i < 200; i++) {
        tru_touch down[TRU_TOUCHES], up[TRU_TOUCHES];
        tru_vec3 u = draw_unit(&d);
        int n = tru_shape_box.touch_plane(&box, u, NULL, 0, down);
        int m = tru_shape_box.touch_plane(&box, v3_neg(u), NULL, 0, up);
        check(n == 4 && m == 4);
        for (int j = 0; j < n; j++) {
            tru_vec3 p = down[j].point;
            int corner = (p.x > 0.0 ? 1 : 0) + (p.y > 0.0 ? 2 : 0) + (p.z > 0.0 ? 4 : 0);
            check(down[j].feature == corner && v3_dot(p, u) < 0.0);
        }
    }
}

// Lengths times 2^k: every result in metres times 2^k, the rest equal, to the last bit.
TEST(lengths_scale_exactly) {
    draw d = {check_seed(), 1, 0};
    const double scales[] = {0x1p-20, 0.5, 0x1p13};
    FOR_SHAPES(c) for (int k = 0; k < 3; k++) {
        double s = scales[k];
        shape_case scaled = scaled_case(c, s);
        tru_mass m, ms;
        c->shape->mass(&c->params, 7.0, &m);
        c->shape->mass(&scaled.params, 7.0 / (s * s * s), &ms);
        m.inertia = v3_scale(s * s, m.inertia);
        check(same_bits(&m, &ms, sizeof m));
        check(c->shape->radius(&scaled.params) == s * c->shape->radius(&c->params));
        check(c->shape->extent(&scaled.params) == s * c->shape->extent(&c->params));
        for (int i = 0; i < 100; i++) {
            tru_surface a, b;
            tru_touch t[TRU_TOUCHES], u[TRU_TOUCHES];
            tru_vec3 dir = draw_unit(&d);
            c->shape->surface(&c->params, dir, &a);
            c->shape->surface(&scaled.params, dir, &b);
            a.point = v3_scale(s, a.point);
            a.hessian = m3_scale(s, a.hessian);
            check(same_bits(&a, &b, sizeof a));
            int n = touches(c, dir, t);
            check(touches(&scaled, dir, u) == n);
            for (int j = 0; j < n; j++) {
                t[j].point = v3_scale(s, t[j].point);
                check(same_bits(&t[j], &u[j], sizeof t[j]));
            }
        }
    }
}

TEST(a_plane_has_no_bounds_and_no_mass) {
    tru_mass m;
    tru_shape_plane.mass(NULL, 1000.0, &m);
    check(m.mass == 0.0 && !tru_shape_plane.bounded && tru_shape_plane.size == 0);
    check(isinf(tru_shape_plane.radius(NULL)) && isinf(tru_shape_plane.extent(NULL)));
}
