// Hulls in motion: a box given by its corners moves as the box, cubes stand on each other, a stone comes to rest.
#include "check.h"
#include "scenes.h"
#include "worlds.h"
#include "world/world.h"

enum { BOX_CORNERS = 8 };

// The same scene with a box, or with the hull of its corners. [m] as large as the box of the scene.
static void as_hull(scene_body *b, tru_vec3 corner[BOX_CORNERS]) {
    const tru_vec3 size = ((const tru_box *)(const void *)b->part_params[0].bytes)->size;
    tru_hull h = tru_default_hull();
    for (int k = 0; k < BOX_CORNERS; k++)
        corner[k] = v3_mul(v3_scale(0.5, size), v3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1));
    h.points = corner;
    h.point_count = BOX_CORNERS;
    b->parts[0].shape.name = "hull";
    memcpy(b->part_params[0].bytes, &h, sizeof h);
}

static tru_vec3 end_of(scene s, const method *m, int which, int steps) {
    tru_world *w = scene_build(&s, m);
    for (int i = 0; i < steps; i++) scene_run_step(w, s.name, m->name);
    const tru_vec3 x = w->bodies.items[which].x;
    tru_world_destroy(w);
    return x;
}

// Corners have the same numbers, so the contacts with a plane are the same, to the round-off of mass and inertia.
TEST(a_hull_of_eight_corners_slides_and_falls_as_a_box) {
    scene (*const makers[])(void) = {box_slides, box_drops, box_on_slope};
    for (int k = 0; k < 3; k++) {
        method m;
        EACH_METHOD(m, 1e-3) {
            tru_vec3 corner[BOX_CORNERS];
            scene box = makers[k](), hulls = makers[k]();
            /* four corners share their load in many ways: other solvers stop before the paths agree that far */
            const bool rough = strcmp(m.solver, "newton") != 0 || m.gives_up > 0.0;
            if (rough || scene_is_refused(&box, &m) || strcmp(m.stepper, "variational") == 0) continue;
            for (int i = 0; i < hulls.body_count; i++)
                if (strcmp(hulls.bodies[i].parts[0].shape.name, "box") == 0) as_hull(&hulls.bodies[i], corner);
            if (scene_is_refused(&hulls, &m)) continue;
            const tru_vec3 a = end_of(box, &m, 1, 200), b = end_of(hulls, &m, 1, 200);
            if (!check_close(v3_norm(v3_sub(a, b)), 0.0, 0.0, 1e-9)) printf("  %s, %s\n", box.name, m.name);
        }
    }
}

static tru_world *cone_world(void) {
    tru_coulomb mu = tru_default_coulomb();
    tru_cone by = tru_default_cone();
    tru_error err;
    mu.slide = 0.6;
    by.step = 2e-3;
    tru_world *w = kit_create_floor(&(tru_use){"coulomb", &mu}, 1, 0.0);
    MUST(tru_stepper_set(w, "cone", &by, &err));
    return w;
}

static tru_id add_hull(tru_world *w, const tru_hull *h, tru_vec3 x, tru_quat q) {
    return kit_add_body(w, {.shape = {"hull", h}, .density = 2000.0, .position = x, .orientation = q});
}

TEST(five_cubes_stand_on_each_other) {
    tru_error err;
    tru_world *w = cone_world();
    tru_vec3 corner[BOX_CORNERS];
    tru_hull cube = tru_default_hull();
    tru_id id[5];
    for (int k = 0; k < BOX_CORNERS; k++)
        corner[k] = v3(k & 1 ? 0.05 : -0.05, k & 2 ? 0.05 : -0.05, k & 4 ? 0.05 : -0.05);
    cube.points = corner;
    cube.point_count = BOX_CORNERS;
    for (int k = 0; k < 5; k++)
        id[k] = add_hull(w, &cube, v3(0.002 * k, -0.001 * k, 0.05 + 0.1 * k),
                         quat_renormalise(quat_exp(v3(0, 0, 0.3 * k))));
    for (int i = 0; i < 500; i++) check(tru_run(w, 1, &err) >= 0);
    for (int k = 0; k < 5; k++) {
        tru_body_state s;
        MUST(tru_body_get(w, id[k], &s, &err));
        check_close(s.position.z, 0.05 + 0.1 * k, 0.0, 1e-4);
        check(v3_norm(s.velocity) < 1e-6 && hypot(s.orientation.x, s.orientation.y) < 1e-4);
    }
    tru_world_destroy(w);
}

// Dropped from any side a stone ends on a face, its centre over it, and stays.
TEST(random_stones_come_to_rest_on_a_face) {
    for (int seed = 0; seed < 8; seed++) {
        tru_error err;
        tru_world *w = cone_world();
        tru_hull stone = tru_default_hull();
        tru_body_state s, later;
        stone.radius = 0.05;
        stone.seed = seed;
        const tru_id id = add_hull(w, &stone, v3(0, 0, 0.06), quat_renormalise(quat_exp(v3(0.4 * seed, 1.0, 0.2))));
        for (int i = 0; i < 3000; i++) check(tru_run(w, 1, &err) >= 0);
        MUST(tru_body_get(w, id, &s, &err));
        check(tru_contact_count(w) >= 3 && v3_norm(s.velocity) < 1e-9 && v3_norm(s.angular_velocity) < 1e-8);
        for (int i = 0; i < 1000; i++) tru_run(w, 1, &err);
        MUST(tru_body_get(w, id, &later, &err));
        check_close(v3_norm(v3_sub(later.position, s.position)), 0.0, 0.0, 1e-9);
        tru_world_destroy(w);
    }
}

// A heap of odd stones is left to sweeps alone: every step meets the rule, and the sweeps' answer is the law's.
TEST(a_heap_of_stones_is_swept_to_the_rule) {
    tru_error err;
    tru_world *w = cone_world();
    tru_cone by = tru_default_cone();
    tru_ngs sweeps = tru_default_ngs();
    double law = 0.0;
    sweeps.dense_limit = sweeps.factor_cost_limit = 0;
    by.step = 5e-3;
    by.solver = (tru_use){"ngs", &sweeps};
    MUST(tru_stepper_set(w, "cone", &by, &err));
    for (int i = 0; i < 40; i++) {
        tru_hull stone = tru_default_hull();
        stone.radius = 0.03;
        stone.seed = i;
        const double turn = 0.7 * i;
        add_hull(w, &stone, v3(0.03 * cos(turn), 0.03 * sin(turn), 0.05 + 0.062 * i),
                 quat_renormalise(quat_exp(v3(0.3 * i, 1.0, 0.2))));
    }
    for (int i = 0; i < 300; i++) {
        tru_verdict v;
        if (!check(tru_run(w, 1, &err) == TRU_OK)) printf("  %s\n", err.text);
        MUST(tru_judge(w, &v, &err));
        law = fmax(law, fmax(v.law[0], v.law[1]));
    }
    check(law < 0.2 * 9.81 * 5e-3 && tru_contact_count(w) > 60); /* ten times the tolerance */
    tru_world_destroy(w);
}

// A body with a hull is saved and read back: the same bits go on.
TEST(a_snapshot_keeps_hulls) {
    tru_error err;
    tru_world *w = cone_world(), *other = cone_world();
    tru_hull stone = tru_default_hull();
    tru_vec3 points[5] = {{0.05, 0, 0}, {-0.04, 0.03, 0}, {-0.04, -0.03, 0}, {0, 0, 0.06}, {0.01, 0.01, -0.05}};
    stone.points = points;
    stone.point_count = 5;
    add_hull(w, &stone, v3(0, 0, 0.1), (tru_quat){1, 0, 0, 0});
    points[0].x = 9.0; // the world has its own
    for (int i = 0; i < 100; i++) MUST(tru_run(w, 1, &err));
    const size_t bytes = tru_snapshot_size(w);
    void *saved = malloc(bytes);
    MUST(tru_snapshot_save(w, saved, bytes, &err));
    MUST(tru_snapshot_load(other, saved, bytes, &err));
    for (int i = 0; i < 100; i++) MUST(tru_run(w, 1, &err));
    for (int i = 0; i < 100; i++) MUST(tru_run(other, 1, &err));
    check(tru_state_hash(w) == tru_state_hash(other));
    free(saved);
    tru_world_destroy(w);
    tru_world_destroy(other);
}
