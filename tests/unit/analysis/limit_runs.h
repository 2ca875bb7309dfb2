/* limit_runs.h: the bodies of the reference runs E1 to E4 [slip-roll-equations 6.1], as worlds with a floor. */
#ifndef TRUNDLE_TESTS_LIMIT_RUNS_H
#define TRUNDLE_TESTS_LIMIT_RUNS_H

#include "worlds.h"

#include "math/quat.h"

#include <math.h>

typedef struct limit_run {
    tru_use shape;
    double mass;
    tru_vec3 inertia;  /* [kg m^2] */
    tru_vec3 offset;   /* [m] of the shape's centre from the centre of mass */
    tru_coulomb law;   /* */
    tru_quat q;        /* */
    tru_vec3 rate;     /* [rad/s] */
    tru_vec3 velocity; /* [m/s] of the contact point, or with `of_centre` of the centre of mass */
    bool of_centre;
    double slope; /* [rad] of the floor, about y: x points down */
} limit_run;

static const tru_sphere run_sphere = {0.1};
static const tru_ellipsoid run_ellipsoid = {{0.1, 0.07, 0.05}};
static const tru_disk run_disk = {0.05, 0.0};

static inline tru_coulomb run_friction(double mu) {
    tru_coulomb c = tru_default_coulomb();
    c.slide = mu;
    return c;
}

static inline limit_run run_e1(void) {
    const double j = 0.4 * 0.5 * 0.01;
    return (limit_run){.shape = {"sphere", &run_sphere},
                       .mass = 0.5,
                       .inertia = {j, j, j},
                       .law = run_friction(0.2),
                       .q = {1, 0, 0, 0},
                       .rate = {3, -4, 7},
                       .velocity = {2, 0.5, 0},
                       .of_centre = true};
}

static inline limit_run run_e2(void) {
    const double a = 0.1, b = 0.07, c = 0.05;
    return (limit_run){.shape = {"ellipsoid", &run_ellipsoid},
                       .mass = 1.0,
                       .inertia = {0.2 * (b * b + c * c), 0.2 * (a * a + c * c), 0.2 * (a * a + b * b)},
                       .law = run_friction(0.25),
                       .q = {cos(0.2), 0.6 * sin(0.2), 0.8 * sin(0.2), 0},
                       .rate = {2, -3, 4},
                       .velocity = {0.6, -0.3, 0}};
}

static inline limit_run run_e3(void) {
    const double j = 0.3 * 0.05 * 0.05;
    return (limit_run){.shape = {"disk", &run_disk},
                       .mass = 0.3,
                       .inertia = {0.25 * j, 0.25 * j, 0.5 * j},
                       .law = run_friction(0.3),
                       .q = {cos(0.65), sin(0.65), 0, 0},
                       .rate = {0.5, -30.0 * sin(1.3), 30.0 * cos(1.3) + 3.0},
                       .velocity = {0.3, 0.05, 0}};
}

static inline limit_run run_e4(double mu) {
    return (limit_run){.shape = {"sphere", &run_sphere},
                       .mass = 1.0,
                       .inertia = {4e-3, 4e-3, 3e-3},
                       .offset = {0, 0, 0.04},
                       .law = run_friction(mu),
                       .q = {cos(0.6), sin(0.6), 0, 0},
                       .rate = {-5, 2, 1}};
}

/* Lowest point of the body relative to its centre of mass, for the outward normal `down` in world axes. */
static inline tru_vec3 run_lowest(const limit_run *r, tru_vec3 down) {
    const tru_vec3 d = quat_unrotate(r->q, down);
    tru_vec3 x = {0, 0, 0};
    if (r->shape.params == &run_sphere) x = v3_scale(run_sphere.radius, d);
    if (r->shape.params == &run_ellipsoid) {
        const tru_vec3 a = run_ellipsoid.semi_axes, ad = v3_mul(a, d);
        x = v3_scale(1.0 / v3_norm(ad), v3_mul(a, ad));
    }
    if (r->shape.params == &run_disk) {
        const double s = hypot(d.x, d.y);
        if (s > 0.0) x = v3(run_disk.radius * d.x / s, run_disk.radius * d.y / s, 0.0); /* flat: the centre */
    }
    return quat_rotate(r->q, v3_add(x, r->offset));
}

/* A world with a floor through the origin, sloping as the run says, and the body touching it there. */
static inline tru_world *run_world(const limit_run *r, tru_id *id) {
    tru_error err;
    tru_shape_def plane = tru_default_shape_def(), shape = tru_default_shape_def();
    tru_body_def fixed = tru_default_body_def(), b = tru_default_body_def();
    const tru_use law = {"coulomb", &r->law};
    const tru_quat tilt = {cos(0.5 * r->slope), 0.0, sin(0.5 * r->slope), 0.0};
    tru_world *w = kit_create_world(tru_default_world_def().gravity);
    kit_set_pair(w, TRU_NONE, TRU_NONE, &law, 1, 0.0);
    plane.shape.name = "plane";
    fixed.name = "floor";
    fixed.kind = TRU_FIXED;
    fixed.orientation = tilt;
    fixed.shapes = &plane;
    fixed.shape_count = 1;
    MUST(tru_body_add(w, &fixed, NULL, &err));
    const tru_vec3 down = quat_rotate(tilt, v3(0, 0, -1)), lowest = run_lowest(r, down);
    shape.shape = r->shape;
    shape.position = r->offset;
    b.name = "body";
    b.mass = r->mass;
    b.inertia = r->inertia;
    b.centre = (tru_vec3){0, 0, 0};
    b.position = v3_neg(lowest);
    b.orientation = r->q;
    b.angular_velocity = r->rate;
    b.velocity = r->of_centre ? r->velocity : v3_sub(r->velocity, v3_cross(r->rate, lowest));
    b.shapes = &shape;
    b.shape_count = 1;
    MUST(tru_body_add(w, &b, id, &err));
    return w;
}

#endif
