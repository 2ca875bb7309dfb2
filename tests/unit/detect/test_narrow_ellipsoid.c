/* Ellipsoids against ellipsoids, spheres and planes: random pairs placed so that their contact is known. */
#include "check.h"

#include "detect/narrow/narrow.h"
#include "math/quat.h"
#include "shapes/shape.h"
#include "draw.h"

enum { PAIRS = 100000 };

typedef struct smooth {
    tru_ellipsoid ellipsoid;
    tru_sphere sphere;
    placed pose;
    double least; /* [m] smallest semi-axis */
} smooth;

static void smooth_draw(smooth *s, bool ball, double aspect, draw *d) {
    s->ellipsoid.semi_axes = v3(draw_in(d, 1.0, aspect), draw_in(d, 1.0, aspect), draw_in(d, 1.0, aspect));
    s->sphere.radius = draw_in(d, 0.5, 3.0);
    const tru_vec3 e = s->ellipsoid.semi_axes;
    s->least = ball ? s->sphere.radius : fmin(e.x, fmin(e.y, e.z));
    s->pose.shape = ball ? &tru_shape_sphere : &tru_shape_ellipsoid;
    s->pose.params = ball ? (const void *)&s->sphere : &s->ellipsoid;
    s->pose.r = quat_to_matrix(tru_random_attitude(d->seed, d->id, d->index++));
    s->pose.x = v3_scale(5.0, draw_vec(d));
}

/* Random pairs with common normal n and this gap; the narrow phase must find both. */
static void find_known(bool ball, uint64_t seed) {
    static const double aspects[] = {2.0, 5.0, 10.0}, depths[] = {0.0, 1e-4, 1e-2, 5e-2};
    double worst_n = 0.0, worst_gap = 0.0;
    int missed = 0;
    for (int i = 0; i < PAIRS; i++) {
        draw d = {seed, (uint64_t)i, 0};
        smooth a, b;
        smooth_draw(&a, false, aspects[i % 3], &d);
        smooth_draw(&b, ball, aspects[i % 3], &d);
        const tru_vec3 n = draw_unit(&d);
        const double gap = -depths[i % 4] * fmin(a.least, b.least);
        tru_surface pa, pb;
        placed_support(&a.pose, v3_neg(n), &pa);
        placed_support(&b.pose, n, &pb);
        a.pose.x = v3_add(a.pose.x, v3_madd(v3_sub(pb.point, pa.point), gap, n));
        contact_point m[TRU_TOUCHES];
        if (trui_narrow_points(&a.pose, &b.pose, 1e-9, NULL, 0, m) != 1) {
            missed++;
            continue;
        }
        worst_n = fmax(worst_n, v3_norm(v3_sub(m[0].normal, n)));
        worst_gap = fmax(worst_gap, fabs(m[0].gap - gap));
        const tru_vec3 apart = v3_sub(v3_sub(m[0].point_a, m[0].point_b), v3_scale(m[0].gap, m[0].normal));
        if (!(v3_norm(apart) < 1e-9)) missed++;
    }
    printf("%s: normal %.2g, gap %.2g m, missed %d\n", ball ? "sphere" : "ellipsoid", worst_n, worst_gap, missed);
    check(missed == 0);
    check(worst_n < 1e-12 && worst_gap < 1e-13 * 40.0); /* positions up to 20 m, four sums */
}

TEST(ellipsoids_of_known_contact) { find_known(false, check_seed()); }

TEST(ellipsoid_and_sphere_of_known_contact) { find_known(true, check_seed()); }

/* On a plane: the point found is on the surface, its normal is the plane's, and no other point of the surface is lower. */
TEST(ellipsoid_on_a_plane) {
    const uint64_t seed = check_seed();
    for (int i = 0; i < PAIRS; i++) {
        draw d = {seed, (uint64_t)i, 1};
        smooth a;
        smooth_draw(&a, false, 10.0, &d);
        const placed plane = {&tru_shape_plane, NULL, draw_vec(&d),
                              quat_to_matrix(tru_random_attitude(seed, (uint64_t)i, 500))};
        const tru_vec3 n = placed_plane_normal(&plane), e = a.ellipsoid.semi_axes;
        contact_point m[TRU_TOUCHES];
        if (!check(trui_narrow_points(&a.pose, &plane, 100.0, NULL, 0, m) == 1)) return;
        const tru_vec3 p = m[0].local, q = v3(p.x / e.x, p.y / e.y, p.z / e.z);
        tru_vec3 out = n;
        v3_unit(v3(q.x / e.x, q.y / e.y, q.z / e.z), &out);
        bool good = fabs(v3_norm2(q) - 1.0) < 1e-14 && v3_norm(v3_add(placed_dir_to_world(&a.pose, out), n)) < 1e-13;
        const tru_vec3 other = placed_point_to_world(&a.pose, v3_mul(e, draw_unit(&d)));
        good = good && v3_dot(n, v3_sub(other, plane.x)) > m[0].gap - 1e-13;
        if (!check(good)) return;
    }
}

/* Swapping the shapes swaps the points and turns the normal. */
TEST(either_order) {
    draw d = {check_seed(), 7, 0};
    for (int i = 0; i < 1000; i++) {
        smooth a, b;
        contact_point m[TRU_TOUCHES], o[TRU_TOUCHES];
        smooth_draw(&a, false, 5.0, &d);
        smooth_draw(&b, i % 2, 5.0, &d);
        const int found = trui_narrow_points(&a.pose, &b.pose, 1.0, NULL, 0, m);
        check(trui_narrow_points(&b.pose, &a.pose, 1.0, NULL, 0, o) == found);
        if (found == 0) continue;
        check_close(o[0].gap, m[0].gap, 1e-12, 1e-12);
        if (m[0].gap > -0.05) check(v3_norm(v3_add(o[0].normal, m[0].normal)) < 1e-6);
    }
}
