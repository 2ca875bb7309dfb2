/* test_limit_world.c: limit directions of bodies in worlds: the reference runs' starts, slopes, rims, and refusals. */
#define _GNU_SOURCE
#include "check.h"
#include "limit_runs.h"

#include <trundle/analysis.h>

static tru_limit limit_in(const tru_world *w, tru_id body, tru_limit_contact *c) {
    tru_error err;
    tru_limit_problem p;
    tru_limit l;
    MUST(tru_limit_of_body(w, body, c, &err));
    MUST(tru_limit_problem_of(&c->body, &p, &err));
    MUST(tru_limit_directions(&p, &l, &err));
    return l;
}

TEST(starts_of_the_reference_runs) {
    tru_limit_contact c;
    tru_id id;
    limit_run r = run_e1();
    tru_world *w = run_world(&r, &id);
    check_status(limit_in(w, id, &c).which, TRU_CASE_EVERY);
    check_close(c.slip[0], 2.0 + 0.4, 1e-14, 0.0); /* v - omega x r, r = (0, 0, R) */
    check_close(c.slip[1], 0.5 + 0.3, 1e-14, 0.0);
    tru_world_destroy(w);

    r = run_e2();
    w = run_world(&r, &id);
    check_status(limit_in(w, id, &c).which, TRU_CASE_III);
    check_close(c.slip[0], 0.6, 1e-14, 0.0);
    check_close(c.slip[1], -0.3, 1e-14, 0.0);
    check_close(c.gap, 0.0, 0.0, 1e-17);
    tru_world_destroy(w);

    r = run_e4(0.2);
    w = run_world(&r, &id);
    const tru_limit l = limit_in(w, id, &c);
    check(!l.rolls && l.exit >= 0);
    check_close(l.needed / 0.2, 1.222493, 0.0, 5.1e-7);
    check_close(l.directions[l.exit].angle, 4.7500, 0.0, 5.1e-5);
    check_close(hypot(c.slip[0], c.slip[1]), 0.0, 0.0, 1e-15);
    tru_world_destroy(w);
    r = run_e4(0.3);
    w = run_world(&r, &id);
    check(limit_in(w, id, &c).rolls);
    tru_world_destroy(w);
}

/* A ball on a slope needs 2/7 of its tangent; loads count, in world and in body axes. */
TEST(slopes_and_loads) {
    for (double slope = 0.0; slope < 1.3; slope += 0.1) {
        tru_error err;
        tru_limit_contact c;
        tru_id id;
        limit_run r = run_e1();
        r.slope = slope;
        r.q = (tru_quat){0.5, 0.5, -0.5, 0.5};
        tru_world *w = run_world(&r, &id);
        check_close(limit_in(w, id, &c).needed, 2.0 / 7.0 * tan(slope), 1e-13, 1e-15);
        tru_load_def load = tru_default_load_def();
        load.body = id;
        load.body_axes = true;
        load.force = quat_unrotate(r.q, v3(0, 1.0, 0)); /* 1 N across the slope */
        MUST(tru_load_add(w, &load, NULL, &err));
        const tru_limit l = limit_in(w, id, &c);
        const double down = 0.5 * 9.81 * sin(slope), up = 0.5 * 9.81 * cos(slope);
        check_close(l.needed, 2.0 / 7.0 * hypot(down, 1.0) / up, 1e-13, 0.0);
        tru_world_destroy(w);
    }
}

/* The arm, curvature and path of a thick disk's rim, against the rim as a circle seen in the plane. */
TEST(rim_of_a_thick_disk) {
    tru_error err;
    tru_limit_contact c;
    tru_id id;
    const tru_disk disk = {0.05, 0.02};
    limit_run r = run_e3();
    r.q = (tru_quat){cos(0.5), sin(0.5), 0, 0}; /* turned by 1 rad about x: the lower rim is that at +z or -z */
    r.shape.params = &disk;
    const tru_vec3 d = quat_unrotate(r.q, v3(0, 0, -1));
    const double s = hypot(d.x, d.y);
    const tru_vec3 lowest = v3(disk.radius * d.x / s, disk.radius * d.y / s, copysign(0.01, d.z));
    r.offset = v3_zero();
    tru_world *w = run_world(&r, &id); /* placed by its centre; put it on the floor */
    tru_body_state state = kit_get_state(w, id);
    state.position = v3_neg(quat_rotate(r.q, lowest));
    MUST(tru_body_set(w, id, &state, &err));
    MUST(tru_limit_of_body(w, id, &c, &err));
    check_close(v3_norm(v3_add(c.body.arm, quat_rotate(r.q, lowest))), 0.0, 0.0, 1e-16);
    /* along the rim (x) the surface is curved by s/r seen from above, across it (y) infinitely */
    check_close(c.body.inverse_curvature[0], disk.radius / s, 1e-13, 0.0);
    check_close(c.body.inverse_curvature[1], 0.0, 0.0, 1e-17);
    check_close(c.body.inverse_curvature[2], 0.0, 0.0, 1e-17);
    tru_world_destroy(w);
}

TEST(refusals_get_a_sentence) {
    tru_error err;
    tru_limit_contact c;
    tru_id id;
    limit_run r = run_e1();
    tru_world *w = run_world(&r, &id);
    tru_body_state s = kit_get_state(w, id);
    s.position.z += 1e-3;
    MUST(tru_body_set(w, id, &s, &err));
    check_status(tru_limit_of_body(w, id, &c, &err), TRU_REFUSED);
    check_str(err.text, "body 'body' does not touch a plane: its gap to 'floor' is 0.001 m");
    check_status(tru_limit_of_body(w, tru_body_find(w, "floor"), &c, &err), TRU_REFUSED);
    check_status(tru_limit_of_body(w, 77, &c, &err), TRU_STALE_ID);
    MUST(tru_body_remove(w, tru_body_find(w, "floor"), &err));
    check_status(tru_limit_of_body(w, id, &c, &err), TRU_REFUSED);
    check_str(err.text, "body 'body' has no fixed plane to touch; limit directions need one");
    tru_world_destroy(w);

    r = run_e3();
    r.q = (tru_quat){1, 0, 0, 0}; /* flat: three points */
    w = run_world(&r, &id);
    check_status(tru_limit_of_body(w, id, &c, &err), TRU_REFUSED);
    check_str(err.text, "body 'body' touches planes in 3 points at once; limit directions need one");
    tru_world_destroy(w);

    tru_rolling rolling = tru_default_rolling();
    rolling.roll.length = 1e-3;
    const tru_use laws[] = {{"rolling", &rolling}};
    w = kit_create_floor(laws, 1, 0.0);
    id = kit_add_ball(w, 0.1, 1.0, v3_zero(), v3_zero());
    check_status(tru_limit_of_body(w, id, &c, &err), TRU_REFUSED);
    check_str(err.text, "limit directions need law coulomb, the pair has law rolling");
    tru_world_destroy(w);
}

/* Along a run of another stepper: the ball of E2 slips in case III and ends rolling in I or II. */
TEST(case_along_a_run_of_moreau) {
    tru_error err;
    tru_limit_contact c;
    tru_id id;
    limit_run r = run_e2();
    tru_world *w = run_world(&r, &id);
    kit_set_moreau(w, 1e-4, TRU_MIDPOINT);
    int third = 0, first = 0;
    for (int i = 0; i < 3000; i++) {
        MUST(tru_run(w, 1, &err));
        const int which = limit_in(w, id, &c).which;
        third += which == TRU_CASE_III;
        first += which == TRU_CASE_I || which == TRU_CASE_II;
        if (i == 2699) check(first > 0);
    }
    check(third > 100 && first > 100);
    tru_world_destroy(w);
}
