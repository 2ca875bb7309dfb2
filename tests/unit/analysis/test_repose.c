/* test_repose.c: the angle of repose of heaps whose angle is known. */
#include "check.h"
#include "worlds.h"
#include "draw.h"

#include "math/vec.h"

#include <trundle/analysis.h>

enum { GRAINS = 40000 };

/* Layers of side^2, (side - 2)^2, ... cubes on a floor, after a step of the stepper cone. */
static tru_world *scene_world_of_cubes(double edge, int side) {
    tru_error err;
    tru_world *w = kit_create_world(tru_default_world_def().gravity);
    tru_coulomb dry = tru_default_coulomb();
    dry.slide = 0.5;
    const tru_use law = {"coulomb", &dry};
    kit_set_pair(w, TRU_NONE, TRU_NONE, &law, 1, 0.0);
    tru_shape_def shape = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    b.shapes = &shape;
    b.shape_count = 1;
    b.kind = TRU_FIXED;
    shape.shape.name = "plane";
    MUST(tru_body_add(w, &b, NULL, &err));
    const tru_box cube = {{edge, edge, edge}};
    shape.shape = (tru_use){"box", &cube};
    shape.density = 1000.0;
    b.kind = TRU_FREE;
    for (int k = 0; 2 * k < side; k++)
        for (int i = 0; i < (side - 2 * k) * (side - 2 * k); i++) {
            const int n = side - 2 * k;
            b.position = v3(1.01 * edge * (i % n - n / 2), 1.01 * edge * (i / n - n / 2), edge * (k + 0.5));
            MUST(tru_body_add(w, &b, NULL, &err));
        }
    tru_cone o = tru_default_cone();
    o.step = 1e-3;
    MUST(tru_stepper_set(w, "cone", &o, &err));
    MUST(tru_run(w, 1, &err));
    return w;
}

/* Grains at random in a cone of height h and radius r about (x, y), from the floor up. */
static void fill_cone(tru_grain *g, double h, double r, double x, double y, double grain, draw *d) {
    for (int i = 0; i < GRAINS;) {
        const double px = draw_in(d, -r, r), py = draw_in(d, -r, r), pz = draw_in(d, 0.0, h);
        if (sqrt(px * px + py * py) > r * (1.0 - pz / h)) continue;
        g[i++] = (tru_grain){x + px, y + py, pz, grain, 1.0, 0.0};
    }
}

/* Uniform cones: the medians' estimator is exact up to sampling (1/sqrt(N) of the medians); tops of rings lie a radius above
 * the surface everywhere, which does not change the slope. */
TEST(cones) {
    static tru_grain g[GRAINS];
    draw d = {check_seed(), 3, 0};
    tru_error err;
    for (int i = 1; i <= 4; i++) {
        const double angle = 0.2 * i, r = 1.0;
        tru_repose out;
        fill_cone(g, r * tan(angle), r, 3.0, -2.0, 0.01, &d);
        MUST(tru_repose_of(g, GRAINS, 0.0, &out, &err));
        check_close(out.axis_x, 3.0, 0.0, 0.01);
        check_close(out.axis_y, -2.0, 0.0, 0.01);
        check_close(out.median_angle, angle, 0.02, 0.0);
        check_close(out.angle, angle, 0.05, 0.0);
        check(out.angle_error < 0.05 && out.rings > 10);
        check_close(out.centre, 0.25 * r * tan(angle), 0.02, 0.0);
    }
}

/* Stones that rolled off and lie about do not change the line. */
TEST(scattered_stones) {
    static tru_grain g[GRAINS];
    draw d = {check_seed(), 4, 0};
    tru_error err;
    tru_repose clean, scattered;
    fill_cone(g, 0.5, 1.0, 0.0, 0.0, 0.01, &d);
    MUST(tru_repose_of(g, GRAINS, 0.0, &clean, &err));
    for (int i = 0; i < 40; i++)
        g[i] = (tru_grain){draw_in(&d, -3.0, 3.0), draw_in(&d, 1.1, 3.0), 0.01, 0.01, 1.0, 0.0};
    MUST(tru_repose_of(g, GRAINS, 0.0, &scattered, &err));
    check_close(scattered.angle, clean.angle, 0.03, 0.0);
    MUST(tru_repose_of(g, GRAINS, 1.0, &scattered, &err));
    check_close(scattered.angle, clean.angle, 0.03, 0.0);
}

TEST(no_heap) {
    static tru_grain g[GRAINS];
    draw d = {check_seed(), 5, 0};
    tru_error err;
    tru_repose out;
    for (int i = 0; i < 2000; i++)
        g[i] = (tru_grain){draw_in(&d, -1.0, 1.0), draw_in(&d, -1.0, 1.0), 0.01, 0.01, 1.0, 0.0};
    check(tru_repose_of(g, 2000, 0.0, &out, &err) == TRU_REFUSED);
    check_str(err.text, "the bodies do not form a heap: fewer than two rings lie on a flank");
    check(tru_repose_of(g, 49, 0.0, &out, &err) == TRU_REFUSED);
    check_str(err.text, "need at least 50 bodies to measure a heap, got 49");
    for (int i = 0; i < 2000; i++) { /* a tower in a bowl */
        const double r = sqrt(g[i].x * g[i].x + g[i].y * g[i].y);
        g[i].z = r < 0.2 ? 1.0 : 0.2 + 0.4 * r;
    }
    check(tru_repose_of(g, 2000, 0.0, &out, &err) == TRU_REFUSED);
    check_str(err.text, "the bodies do not form a heap: their height does not fall with the distance from the middle");
}

/* A step pyramid of cubes: heights are those of faces, not of the balls about the cubes. */
TEST(cubes) {
    tru_error err;
    tru_repose out;
    tru_world *w = scene_world_of_cubes(0.1, 7);
    MUST(tru_repose_of_world(w, &out, &err));
    const double layers[4] = {49.0, 25.0, 9.0, 1.0};
    double sum = 0.0;
    for (int k = 0; k < 4; k++) sum += layers[k] * 0.1 * (k + 0.5) / 84.0;
    check_close(out.centre, sum, 1e-5, 0.0);
    check_close(out.height, 0.4, 1e-5, 0.0);
    tru_world_destroy(w);
}
