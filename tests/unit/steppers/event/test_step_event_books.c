/* test_step_event_books.c: the ledger of the event-driven stepper closes where slip begins and where events fall together. */
#define _GNU_SOURCE
#include "check.h"

#include "worlds.h"

#include "math/quat.h"

/* Runs one body on the floor by event and returns the gap of its ledger in parts of its energy at the start. */
static double gap_of_run(tru_vec3 gravity, const tru_coulomb *friction, const kit_body *b, double step, int steps) {
    tru_error err;
    tru_event_driven e = tru_default_event_driven();
    const tru_use law = {"coulomb", friction};
    tru_world *w = kit_create_world(gravity);
    kit_set_pair(w, TRU_NONE, TRU_NONE, &law, 1, 0.0);
    kit_add_floor(w);
    kit_add_body_of(w, b);
    e.step = step;
    MUST(tru_stepper_set(w, "event", &e, &err));
    MUST(tru_run(w, (uint64_t)steps, &err));
    const tru_ledger l = tru_world_ledger(w);
    tru_world_destroy(w);
    return tru_ledger_gap(&l) / l.start;
}

/* An ellipsoid that rolls without gravity: centrifugal force alone presses it on the floor, and it begins to slip at once. The least
 * slip is relative to its speed, however short or slow the step is. */
TEST(slip_begins_without_gravity) {
    tru_coulomb friction = tru_default_coulomb();
    friction.slide = 0.04;
    const tru_ellipsoid shape = {{0.41, 0.057, 0.3}};
    const tru_quat q = {-0.75803735652389281, 0.17930130935025645, 0.1990307613535035, 0.59465718074752705};
    tru_quat unit;
    quat_unit(q, &unit);
    const tru_vec3 a = shape.semi_axes, down = quat_unrotate(unit, v3(0.0, 0.0, -1.0));
    const tru_vec3 e = v3(a.x * a.x * down.x, a.y * a.y * down.y, a.z * a.z * down.z);
    const tru_vec3 point = quat_rotate(unit, v3_scale(1.0 / sqrt(v3_dot(e, down)), e));
    for (double rate = 1e-6; rate < 1e3; rate *= 10.0)
        for (double step = 1e-6; step < 0.1 / rate; step *= 10.0) {
            const tru_vec3 w = v3_scale(rate, v3(-1.5087869, -0.0906393, -0.8381368));
            const kit_body b = {.shape = {"ellipsoid", &shape},
                                .mass = 15.0,
                                .position = {0.0, 0.0, -point.z},
                                .orientation = unit,
                                .velocity = v3_neg(v3_cross(w, point)),
                                .angular_velocity = w};
            check_close(gap_of_run(v3_zero(), &friction, &b, step, 3), 0.0, 0.0, 1e-10);
        }
}

/* A thick disk falls over: shortly before it lies flat its contact sticks and slips again, and the exit from the friction cone opens
 * within a millionth of the time in which the disk falls its radius. The same disk at other sizes, with times as sqrt(size). */
TEST(slip_begins_again_under_a_falling_disk) {
    for (double scale = 0.01; scale < 1e5; scale *= 7.0) {
        tru_coulomb friction = tru_default_coulomb();
        const double root = sqrt(scale);
        const tru_disk disk = {.radius = 0.0017795930297773877 * scale, .thickness = 0.00065545931441943553 * scale};
        friction.slide = 0.13177281126320844;
        friction.slide_static = 0.22712794289961943;
        friction.stribeck = 0.00027903320919571873 * root;
        const kit_body b = {
            .shape = {"disk", &disk},
            .mass = 10.0,
            .position = {0.0, 0.0, 0.0014750430408861114 * scale},
            .orientation = {0.9244592936671111, -0.18805676540344338, -0.32555559094304737, -0.063428893607120368},
            .velocity = v3_scale(root, v3(-0.0020421638895735282, -0.0017778208859957024, 0.00049863426848680893)),
            .angular_velocity =
                v3_scale(1.0 / root, v3(-0.096210721194289167, -0.50867237294112722, -2.2076429538168738))};
        check_close(gap_of_run(v3(0.0, 0.0, -9.81), &friction, &b, 0.00069846877700509291 * root, 40), 0.0, 0.0, 1e-10);
    }
}

/* A hull that slides and tips onto its next corner: the normal force jumps at the moment at which that corner touches. */
TEST(corners_that_touch_come_before_the_force_they_change) {
    const tru_vec3 points[] = {
        {0.091253748083487268, 0.091253748083487268, 0.091253748083487268},
        {0.069664608708651279, -0.069664608708651279, -0.069664608708651279},
        {-0.072889999285802809, 0.072889999285802809, -0.072889999285802809},
        {-0.049953542086648449, -0.049953542086648449, 0.049953542086648449},
        {-0.059536201584742918, 0.1000059017655414, -0.12479840839931509},
        {0.13423991230406965, 0.056106177456347286, -0.048275123652231397},
        {-0.032414573767064025, 0.069405678097288953, -0.0057791572203500629},
        {0.18824853363099731, 0.012349165113434356, -0.041580188835905141},
    };
    tru_hull hull = tru_default_hull();
    hull.points = points;
    hull.point_count = 8;
    tru_coulomb friction = tru_default_coulomb();
    friction.slide = 0.089084542549765611;
    friction.slide_static = 0.1433843855745261;
    for (int i = 0; i < 40; i++) {
        const double faster = 1.0 + 1e-3 * i;
        const kit_body b = {
            .shape = {"hull", &hull},
            .mass = 73.804684873903895,
            .position = {0.0, 0.0, 0.097442117261444139},
            .orientation = {0.51366156110261907, -0.26612437021490465, -0.70733724979649037, 0.4062063949197231},
            .velocity = {6.723349338475475, -7.1914655709894779, -1.0731499640162865},
            .angular_velocity = v3_scale(faster, v3(-6.4677593491838179, -10.14766488079839, 3.637629185563759))};
        check_close(gap_of_run(v3(0.0, 0.0, -9.81), &friction, &b, 0.0009, 25), 0.0, 0.0, 1e-10);
    }
}
