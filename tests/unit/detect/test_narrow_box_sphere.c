/* Spheres against boxes: random pairs placed so that their contact is known, on faces, edges and corners. */
#include "check.h"

#include "detect/narrow/narrow.h"
#include "math/quat.h"
#include "shapes/shape.h"
#include "draw.h"

enum { PAIRS = 100000 };

/* A point of the box's surface with an outward normal there (box axes): `free` of its coordinates lie between the ends, the
 * others at an end, and the normal is any direction outwards from there. */
static void surface_point(draw *d, tru_vec3 half, int free, tru_vec3 *p, tru_vec3 *n) {
    double at[3], out[3];
    const double h[3] = {half.x, half.y, half.z};
    const int first = (int)draw_in(d, 0.0, 3.0) % 3;
    for (int k = 0; k < 3; k++) {
        const int i = (first + k) % 3;
        const double side = draw_in(d, -1.0, 1.0) < 0.0 ? -1.0 : 1.0;
        at[i] = k < free ? draw_in(d, -h[i], h[i]) : side * h[i];
        out[i] = k < free ? 0.0 : side * draw_in(d, 0.01, 1.0);
    }
    *p = v3(at[0], at[1], at[2]);
    check(v3_unit(v3(out[0], out[1], out[2]), n));
}

TEST(spheres_on_faces_edges_and_corners) {
    static const double depths[] = {0.0, 1e-4, 1e-2, 0.3};
    const uint64_t seed = check_seed();
    double worst_n = 0.0, worst_gap = 0.0, worst_point = 0.0;
    int missed = 0;
    for (int i = 0; i < PAIRS; i++) {
        draw d = {seed, (uint64_t)i, 0};
        const tru_box box = {v3(draw_in(&d, 0.5, 4.0), draw_in(&d, 0.5, 4.0), draw_in(&d, 0.5, 4.0))};
        const tru_sphere sphere = {draw_in(&d, 0.2, 3.0)};
        tru_vec3 p, n = v3_zero();
        surface_point(&d, v3_scale(0.5, box.size), 2 - i % 3, &p, &n);
        placed b = {&tru_shape_box, &box, v3_scale(5.0, draw_vec(&d)), m3_identity()}, a = b;
        b.r = quat_to_matrix(tru_random_attitude(d.seed, d.id, d.index++));
        a.shape = &tru_shape_sphere;
        a.params = &sphere;
        a.r = quat_to_matrix(tru_random_attitude(d.seed, d.id, d.index++));
        const double gap = -depths[i % 4] * sphere.radius;
        const tru_vec3 at = placed_point_to_world(&b, p), normal = placed_dir_to_world(&b, n);
        a.x = v3_madd(at, sphere.radius + gap, normal);
        contact_point m[TRU_TOUCHES];
        if (trui_narrow_points(&a, &b, 1e-9, NULL, 0, m) != 1) {
            missed++;
            continue;
        }
        worst_n = fmax(worst_n, v3_norm(v3_sub(m[0].normal, normal)));
        worst_gap = fmax(worst_gap, fabs(m[0].gap - gap));
        worst_point = fmax(worst_point, v3_norm(v3_sub(m[0].point_b, at)));
        /* and seen from the other side */
        contact_point back[TRU_TOUCHES];
        missed +=
            trui_narrow_points(&b, &a, 1e-9, NULL, 0, back) != 1 || v3_norm(v3_add(back[0].normal, m[0].normal)) != 0.0;
    }
    printf("sphere and box: normal %.2g, gap %.2g m, point %.2g m, missed %d\n", worst_n, worst_gap, worst_point,
           missed);
    check(missed == 0);
    /* positions up to 15 m, a few sums; the normal comes from a distance of at least 0.14 m */
    check(worst_gap < 1e-13 && worst_point < 1e-13 && worst_n < 1e-12);
}
