// Contacts of hulls: the direction and depth against all directions there are, points on both surfaces, units, spheres.
#include "check.h"
#include "detect/narrow/narrow.h"
#include "detect/narrow/narrow_hull.h"
#include "hulls.h"
#include "rod_on_edge.h"

enum { SINGLE_CORNER = 1 << 29, EDGES = 1 << 30 };

// A polyhedron in world axes by plain arrays; a box has no hull of its own.
typedef struct body_view {
    tru_vec3 corner[TRU_HULL_POINTS], normal[128], along[256];
    int corners, normals, edges;
} body_view;

static body_view view_hull(const placed *p) {
    const hull *h = hull_of(p->params);
    body_view v = {.corners = h->corner_count, .normals = h->face_count, .edges = h->edge_count};
    for (int k = 0; k < v.corners; k++) v.corner[k] = placed_point_to_world(p, h->corner[k]);
    for (int k = 0; k < v.normals; k++) v.normal[k] = placed_dir_to_world(p, h->face[k].normal);
    for (int k = 0; k < v.edges; k++) v.along[k] = v3_sub(v.corner[h->edge[k].b], v.corner[h->edge[k].a]);
    return v;
}

static body_view view_box(const placed *p) {
    const tru_vec3 half = v3_scale(0.5, ((const tru_box *)p->params)->size);
    body_view v = {.corners = 8, .normals = 6, .edges = 3};
    for (int k = 0; k < 8; k++)
        v.corner[k] = placed_point_to_world(p, v3_mul(half, v3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
    for (int k = 0; k < 6; k++) v.normal[k] = v3_scale(k % 2 ? 1.0 : -1.0, m3_column(p->r, k / 2));
    for (int k = 0; k < 3; k++) v.along[k] = m3_column(p->r, k);
    return v;
}

static body_view view_of(const placed *p) { return p->shape == &tru_shape_box ? view_box(p) : view_hull(p); }

// [m] how far A is from B along n, from B to A, < 0: overlap.
static double apart(const body_view *a, const body_view *b, tru_vec3 n) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < a->corners; k++) low = fmin(low, v3_dot(n, a->corner[k]));
    for (int k = 0; k < b->corners; k++) high = fmax(high, v3_dot(n, b->corner[k]));
    return low - high;
}

// The largest over every direction that can part two polyhedra.
static double most_apart(const body_view *a, const body_view *b) {
    double most = -INFINITY;
    for (int k = 0; k < a->normals; k++) most = fmax(most, apart(a, b, v3_neg(a->normal[k])));
    for (int k = 0; k < b->normals; k++) most = fmax(most, apart(a, b, b->normal[k]));
    for (int i = 0; i < a->edges; i++)
        for (int j = 0; j < b->edges; j++) {
            tru_vec3 n = v3_cross(a->along[i], b->along[j]);
            if (v3_norm2(n) < 1e-10 * v3_norm2(a->along[i]) * v3_norm2(b->along[j]) || !v3_unit(n, &n)) continue;
            most = fmax(most, fmax(apart(a, b, n), apart(a, b, v3_neg(n))));
        }
    return most;
}

// [m] height of x over the face of a body it is highest over: 0 on the surface.
static double over(const body_view *v, tru_vec3 x) {
    double most = -INFINITY;
    for (int k = 0; k < v->normals; k++) {
        double top = -INFINITY;
        for (int c = 0; c < v->corners; c++) top = fmax(top, v3_dot(v->normal[k], v->corner[c]));
        most = fmax(most, v3_dot(v->normal[k], x) - top);
    }
    return most;
}

static void check_points(const placed *a, const body_view *va, const body_view *vb, const contact_point *m, int n,
                         double margin) {
    for (int i = 0; i < n; i++) {
        const tru_vec3 between = v3_sub(m[i].point_a, m[i].point_b);
        check(m[i].gap < margin && (i == 0 || m[i].feature > m[i - 1].feature));
        check_close(v3_norm(m[i].normal), 1.0, 1e-14, 0.0);
        check_close(v3_norm(v3_madd(between, -m[i].gap, m[i].normal)), 0.0, 0.0, 1e-13);
        check_close(v3_norm(v3_sub(placed_point_to_world(a, m[i].local), m[i].point_a)), 0.0, 0.0, 1e-13);
        if (m[i].feature & SINGLE_CORNER) continue; // over a face it is not above
        check_close(over(va, m[i].point_a), 0.0, 0.0, 3e-6);
        check_close(over(vb, m[i].point_b), 0.0, 0.0, 3e-6);
    }
}

// ---- two hulls: against brute force and against boxes ----

TEST(a_hundred_thousand_pairs_match_brute_force) {
    draw d = {check_seed(), 1, 0};
    enum { STONES = 60, PAIRS = 100000 };
    static test_hull stone[STONES];
    int touching = 0, overlapping = 0, edges = 0, faces = 0, single = 0, missed = 0;
    const double margin = 0.02;
    for (int k = 0; k < STONES; k++)
        if (!check(test_hull_build(&stone[k], test_hull_points(&d, &stone[k], 10)))) return;
    for (int k = 0; k < PAIRS; k++) {
        const tru_box box = {{draw_in(&d, 0.2, 1.5), draw_in(&d, 0.2, 1.5), draw_in(&d, 0.2, 1.5)}};
        const placed a =
            place_hull(&stone[(int)draw_in(&d, 0, STONES - 0.01)], draw_in_cube(&d, 1.0), draw_rotation(&d));
        placed b = place_hull(&stone[(int)draw_in(&d, 0, STONES - 0.01)], v3_zero(), draw_rotation(&d));
        if (k % 4 == 0) b = (placed){&tru_shape_box, &box, v3_zero(), b.r};
        b.x = v3_madd(a.x, draw_in(&d, 0.2, 1.5), draw_unit(&d));
        const body_view va = view_of(&a), vb = view_of(&b);
        const double most = most_apart(&va, &vb);
        const double slack = 1e-5 * fmin(a.shape->extent(a.params), b.shape->extent(b.params)) + 1e-13;
        contact_point m[TRU_TOUCHES];
        const int n = trui_narrow_points(&a, &b, margin, NULL, 0, m);
        double deepest = INFINITY;
        for (int i = 0; i < n; i++) deepest = fmin(deepest, m[i].gap);
        if (!check(most < margin ? n > 0 || most >= 0.0 : n == 0))
            printf("  pair %d: apart %g, %d points\n", k, most, n);
        check_points(&a, &va, &vb, m, n, margin);
        if (n == 0) {
            missed += most < margin;
            continue;
        }
        // overlapping, the normal parts them as soon as any other; no point is deeper than along its normal
        const double along = apart(&va, &vb, m->normal);
        if (!check((most >= 0.0 || along > most - slack) && along <= most + 1e-12 && deepest > along - 1e-12))
            printf("  pair %d: %g %g %g\n", k, along, most, deepest);
        touching++;
        overlapping += most < 0.0;
        edges += m->feature >= EDGES;
        single += m->feature >= SINGLE_CORNER && m->feature < EDGES;
        faces += m->feature < SINGLE_CORNER;
    }
    printf("%d touch, %d overlap: %d by faces, %d by edges, %d by one corner; %d within the margin by corners only\n",
           touching, overlapping, faces, edges, single, missed);
    check(touching > 10000 && edges > 1000 && faces > 1000);
    for (int k = 0; k < STONES; k++) test_hull_free(&stone[k]);
}

// Two boxes as hulls: what the boxes' own function says.
TEST(boxes_as_hulls_meet_as_boxes) {
    draw d = {check_seed(), 1, 0};
    int met = 0;
    for (int k = 0; k < 5000; k++) {
        test_hull t[2];
        tru_box box[2];
        placed a[2], b[2];
        for (int i = 0; i < 2; i++) {
            box[i].size = v3(draw_in(&d, 0.2, 1.0), draw_in(&d, 0.2, 1.0), draw_in(&d, 0.2, 1.0));
            for (int c = 0; c < 8; c++)
                t[i].points[c] = v3_mul(v3_scale(0.5, box[i].size), v3(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1));
            if (!check(test_hull_build(&t[i], 8))) return;
        }
        const tru_mat3 r[2] = {draw_rotation(&d), draw_rotation(&d)};
        const tru_vec3 x[2] = {draw_in_cube(&d, 0.2), draw_in_cube(&d, 0.7)};
        for (int i = 0; i < 2; i++) {
            a[i] = place_hull(&t[i], x[i], r[i]);
            b[i] = (placed){&tru_shape_box, &box[i], x[i], r[i]};
        }
        contact_point m[TRU_TOUCHES], o[TRU_TOUCHES];
        const int n = trui_narrow_points(&a[0], &a[1], 0.02, NULL, 0, m),
                  p = trui_narrow_points(&b[0], &b[1], 0.02, NULL, 0, o);
        const bool corner =
            n == 1 && (m->feature & SINGLE_CORNER) && !(m->feature & EDGES); // the boxes' function has none
        const bool beside = n == 0 && p == 1 && o->gap > 0.0; // edges that face each other beyond their ends
        if (!corner && !beside && !check(n == p)) printf("  pair %d: %d %d, %x\n", k, n, p, (unsigned)m->feature);
        met += n > 0 && n == p;
        for (int i = 0; i < n && n == p; i++) {
            double best = INFINITY;
            for (int j = 0; j < p; j++)
                best = fmin(best, v3_norm(v3_sub(m[i].point_a, o[j].point_a)) + fabs(m[i].gap - o[j].gap));
            if (!check(best < 1e-12)) printf("  pair %d: %g\n", k, best);
        }
        for (int i = 0; i < 2; i++) test_hull_free(&t[i]);
    }
    check(met > 1000);
}

// ---- spheres and capsules on hulls: against brute force ----

// The nearest point of a triangle by minimising over its two coordinates on a fine net, then finer round the best.
static double to_triangle(tru_vec3 c, tru_vec3 p, tru_vec3 q, tru_vec3 r) {
    double best = INFINITY, s0 = 0.5, t0 = 0.5, size = 0.5;
    for (int round = 0; round < 30; round++, size *= 0.6) {
        double s1 = s0, t1 = t0;
        for (int i = -4; i <= 4; i++)
            for (int j = -4; j <= 4; j++) {
                const double s = fmin(1.0, fmax(0.0, s0 + size * i / 4.0)),
                             t = fmin(1.0, fmax(0.0, t0 + size * j / 4.0));
                const tru_vec3 x = v3_mix(p, v3_mix(q, r, t), s); // a square folded onto the triangle
                if (v3_norm(v3_sub(c, x)) < best) best = v3_norm(v3_sub(c, x)), s1 = s, t1 = t;
            }
        s0 = s1;
        t0 = t1;
    }
    return best;
}

TEST(sphere_hull_matches_brute_force) {
    draw d = {check_seed(), 1, 0};
    int inside = 0, outside = 0;
    for (int k = 0; k < 400; k++) {
        test_hull t;
        if (!check(test_hull_build(&t, test_hull_points(&d, &t, 12)))) continue;
        const hull *h = hull_of(&t.params);
        const tru_sphere ball = {draw_in(&d, 0.05, 0.5)};
        const placed b = place_hull(&t, draw_in_cube(&d, 1.0), draw_rotation(&d));
        const tru_vec3 c = v3_add(h->mass.centre, draw_in_cube(&d, k % 2 ? 1.0 : 0.2));
        const placed a = {&tru_shape_sphere, &ball, placed_point_to_world(&b, c), m3_identity()};
        double distance = INFINITY, above = -INFINITY;
        for (int f = 0; f < h->face_count; f++) {
            const int *loop = h->loop + h->face[f].first;
            above = fmax(above, v3_dot(h->face[f].normal, c) - h->face[f].offset);
            for (int i = 1; i + 1 < h->face[f].count; i++)
                distance =
                    fmin(distance, to_triangle(c, h->corner[loop[0]], h->corner[loop[i]], h->corner[loop[i + 1]]));
        }
        contact_point m[TRU_TOUCHES];
        if (!check(trui_narrow_points(&a, &b, 10.0, NULL, 0, m) == 1)) continue;
        const double ours = m->gap + ball.radius;
        if (!check_close(ours, above > 0.0 ? distance : above, 0.0, 1e-4)) printf("  hull %d\n", k);
        check(fabs(ours) <= distance + 1e-12);
        const body_view vb = view_of(&b);
        check_close(over(&vb, m->point_b), 0.0, 0.0, 1e-12);
        check_close(v3_norm(v3_sub(m->point_a, a.x)), ball.radius, 1e-14, 0.0);
        check_close(v3_norm(v3_madd(v3_sub(m->point_a, m->point_b), -m->gap, m->normal)), 0.0, 0.0, 1e-13);
        *(above > 0.0 ? &outside : &inside) += 1;
        test_hull_free(&t);
    }
    check(inside > 50 && outside > 50);
}

// A rod along an edge of a hull touches it.
TEST(capsule_along_an_edge_touches) {
    test_hull h;
    for (int k = 0; k < 8; k++) h.points[k] = v3(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5);
    if (!check(test_hull_build(&h, 8))) return;
    const placed cube = place_hull(&h, v3_zero(), m3_identity());
    check_rod_along_edge(&cube);
    test_hull_free(&h);
}

// The nearest of many balls along the capsule's line; a ball is at most half a gap of them from the nearest point.
static double sampled_gap(const placed *a, const placed *b) {
    enum { BALLS = 400 };
    const tru_capsule *c = a->params;
    double least = INFINITY;
    for (int k = 0; k <= BALLS; k++) {
        tru_vec3 n;
        const tru_vec3 x = v3_madd(a->x, c->length * ((double)k / BALLS - 0.5), m3_column(a->r, 2));
        least = fmin(least, trui_narrow_hull_distance(hull_of(b->params), placed_point_to_local(b, x), &n) - c->radius);
    }
    return least;
}

TEST(capsule_hull_matches_brute_force) {
    draw d = {check_seed(), 1, 0};
    int apart_count = 0, shallow = 0, through = 0, flat = 0;
    for (int k = 0; k < 2000; k++) {
        test_hull t;
        if (!check(test_hull_build(&t, test_hull_points(&d, &t, 12)))) continue;
        const tru_capsule rod = {draw_in(&d, 0.02, 0.2), draw_in(&d, 0.1, 1.0)};
        const placed b = place_hull(&t, draw_in_cube(&d, 1.0), draw_rotation(&d));
        placed a = {&tru_shape_capsule, &rod, v3_madd(b.x, draw_in(&d, 0.2, 1.2), draw_unit(&d)), draw_rotation(&d)};
        const double least = sampled_gap(&a, &b), miss = 0.5 * rod.length / 400;
        contact_point m[TRU_TOUCHES];
        const int n = trui_narrow_points(&a, &b, 10.0, NULL, 0, m);
        double deepest = INFINITY;
        for (int i = 0; i < n; i++) {
            deepest = fmin(deepest, m[i].gap);
            check_close(v3_norm(v3_madd(v3_sub(m[i].point_a, m[i].point_b), -m[i].gap, m[i].normal)), 0.0, 0.0, 1e-13);
            check_close(v3_norm(m[i].normal), 1.0, 1e-15, 0.0);
        }
        if (!check(n >= 1 && n <= 2)) printf("  capsule %d: %d points, %g\n", k, n, least);
        flat += n == 2;
        if (least > -rod.radius + miss) { // the line stays outside
            if (!check(deepest <= least + 1e-12 && deepest >= least - miss))
                printf("  capsule %d: %g %g\n", k, deepest, least);
            *(least > 0.0 ? &apart_count : &shallow) += 1;
        } else if (least < -rod.radius - miss && n > 0) { // drawn out along the normal it is free
            through++;
            const body_view vb = view_of(&b);
            const tru_vec3 half = v3_scale(0.5 * rod.length, m3_column(a.r, 2));
            double low = fmin(v3_dot(m->normal, v3_sub(a.x, half)), v3_dot(m->normal, v3_add(a.x, half))),
                   high = -INFINITY;
            for (int c = 0; c < vb.corners; c++) high = fmax(high, v3_dot(m->normal, vb.corner[c]));
            check(deepest >= low - rod.radius - high - 1e-12);
        }
        test_hull_free(&t);
    }
    printf("%d apart, %d touch, %d through, %d with two points\n", apart_count, shallow, through, flat);
    check(apart_count > 200 && shallow > 100 && through > 100);
}

// ---- units, order, faces of many corners ----

// Lengths times 2^k: the same features and normals, gaps times 2^k, to the last bit; B seen from A is A seen from B.
TEST(lengths_scale_exactly_and_order_does_not_matter) {
    draw d = {check_seed(), 1, 0};
    int met = 0;
    for (int k = 0; k < 3000; k++) {
        const double s = k % 2 ? 0x1p-9 : 0x1p11;
        test_hull t[2], u[2];
        placed p[2], q[2];
        for (int i = 0; i < 2; i++) {
            const size_t n = test_hull_points(&d, &t[i], 12);
            for (size_t c = 0; c < n; c++) u[i].points[c] = v3_scale(s, t[i].points[c]);
            if (!check(test_hull_build(&t[i], n) && test_hull_build(&u[i], n))) return;
            p[i] = place_hull(&t[i], draw_in_cube(&d, 0.6), draw_rotation(&d));
            q[i] = place_hull(&u[i], v3_scale(s, p[i].x), p[i].r);
        }
        contact_point m[TRU_TOUCHES], o[TRU_TOUCHES], swapped[TRU_TOUCHES];
        const int n = trui_narrow_points(&p[0], &p[1], 0.01, NULL, 0, m);
        check(trui_narrow_points(&q[0], &q[1], s * 0.01, NULL, 0, o) == n);
        for (int i = 0; i < n; i++) {
            check(m[i].feature == o[i].feature && o[i].gap == s * m[i].gap);
            check(same_bits(&m[i].normal, &o[i].normal, sizeof(tru_vec3)) && o[i].point_a.x == s * m[i].point_a.x);
        }
        const int back = trui_narrow_points(&p[1], &p[0], 0.01, NULL, 0, swapped);
        if (n > 0 && back > 0) check_close(v3_dot(m->normal, swapped->normal), -1.0, 0.0, 0.5);
        met += n > 0;
        for (int i = 0; i < 2; i++) test_hull_free(&t[i]), test_hull_free(&u[i]);
    }
    check(met > 300);
}

// One twelve-sided prism on another: eight points round the middle, all as deep as the overlap.
TEST(faces_of_many_corners_meet_in_eight_points) {
    test_hull t;
    const double pi = 3.14159265358979;
    for (int k = 0; k < 24; k++) t.points[k] = v3(cos(pi * k / 6), sin(pi * k / 6), k < 12 ? 0.0 : 0.7);
    if (!check(test_hull_build(&t, 24))) return;
    const placed a = place_hull(&t, v3(0, 0, 0.699), quat_to_matrix(quat_exp(v3(0, 0, 0.2)))),
                 b = place_hull(&t, v3_zero(), m3_identity());
    contact_point m[TRU_TOUCHES];
    if (!check(trui_narrow_points(&a, &b, 0.01, NULL, 0, m) == 8)) return;
    tru_vec3 sum = v3_zero();
    for (int i = 0; i < 8; i++) {
        check_close(m[i].gap, -0.001, 0.0, 1e-14);
        check(hypot(m[i].point_a.x, m[i].point_a.y) > 0.9);
        sum = v3_add(sum, m[i].point_a);
    }
    check(hypot(sum.x, sum.y) < 0.5 * 8);
    test_hull_free(&t);
}
