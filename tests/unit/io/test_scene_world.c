/* Worlds built from scenes: the same as from C, and moving as mechanics says. */
#include "scene_text.h"
#include "scene/scene_world.h"
#include "scene/scene_api.h"

static tru_body_state state_of(const tru_world *w, const char *name) {
    tru_body_state s = {.position = {NAN, NAN, NAN}};
    check_status(tru_body_get(w, tru_body_find(w, name), &s, NULL), TRU_OK);
    return s;
}

/* The ball of scene_text.h, in C. */
static tru_world *ball_in_C(void) {
    tru_world_def wd = tru_default_world_def();
    tru_world *w;
    tru_id steel, glass;
    check_status(tru_world_create(&wd, &w, NULL), TRU_OK);
    check_status(tru_material_add(w, "steel", &steel, NULL), TRU_OK);
    check_status(tru_material_add(w, "glass", &glass, NULL), TRU_OK);
    tru_coulomb mu = tru_default_coulomb();
    mu.slide = 0.2;
    const tru_use law = {"coulomb", &mu};
    tru_pair_def pair = tru_default_pair_def();
    pair.a = steel;
    pair.b = glass;
    pair.laws = &law;
    pair.law_count = 1;
    check_status(tru_pair_set(w, &pair, NULL), TRU_OK);
    tru_shape_def plane = tru_default_shape_def(), ball = tru_default_shape_def();
    plane.shape.name = "plane";
    plane.material = glass;
    ball.shape = (tru_use){"sphere", &(tru_sphere){0.1}};
    ball.material = steel;
    ball.density = 1800.0;
    tru_body_def b = tru_default_body_def();
    b.name = "table";
    b.kind = TRU_FIXED;
    b.shapes = &plane;
    b.shape_count = 1;
    check_status(tru_body_add(w, &b, NULL, NULL), TRU_OK);
    b.name = "ball";
    b.kind = TRU_FREE;
    b.shapes = &ball;
    b.position.z = 0.1;
    b.velocity.x = 1.0;
    check_status(tru_body_add(w, &b, NULL, NULL), TRU_OK);
    tru_moreau m = tru_default_moreau();
    m.step = 1e-3;
    check_status(tru_stepper_set(w, "moreau", &m, NULL), TRU_OK);
    return w;
}

TEST(a_scene_and_C_make_the_same_world) {
    tru_scene *scene = scene_of(BALL);
    tru_world *a = world_of(scene, NULL), *b = ball_in_C();
    tru_scene_free(scene); /* the world needs it no longer */
    check_status(tru_check(b, NULL), TRU_OK);
    check(tru_state_hash(a) == tru_state_hash(b));
    check_status(tru_run(a, 700, NULL), TRU_OK);
    check_status(tru_run(b, 700, NULL), TRU_OK);
    check(tru_state_hash(a) == tru_state_hash(b));
    check_close(state_of(a, "ball").velocity.x, 5.0 / 7.0, 1e-9, 0.0); /* slides until it rolls */
    tru_world_destroy(a);
    tru_world_destroy(b);
}

TEST(the_resolved_text_makes_the_same_world) {
    tru_scene *scene = scene_of(BALL), *again = scene_of(tru_scene_text(scene));
    tru_world *a = world_of(scene, NULL), *b = world_of(again, NULL);
    check_status(tru_run(a, 100, NULL), TRU_OK);
    check_status(tru_run(b, 100, NULL), TRU_OK);
    check(tru_state_hash(a) == tru_state_hash(b));
    tru_world_destroy(a);
    tru_world_destroy(b);
    tru_scene_free(scene);
    tru_scene_free(again);
}

TEST(a_changed_scene_makes_the_world_of_the_changed_file) {
    tru_scene *changed = scene_of(BALL), *written = scene_of_sets(BALL, (const tru_set[]){{"mu", "0.7"}}, 1);
    check_status(tru_scene_change(changed, "mu", "0.3", NULL), TRU_OK);
    check_status(tru_scene_change(changed, "mu", "0.7", NULL), TRU_OK);
    check(tru_scene_hash(changed) == tru_scene_hash(written));
    tru_world *a = world_of(changed, "moreau"), *b = world_of(written, NULL);
    check_status(tru_run(a, 50, NULL), TRU_OK);
    check_status(tru_run(b, 50, NULL), TRU_OK);
    check(tru_state_hash(a) == tru_state_hash(b));
    tru_world_destroy(a);
    tru_world_destroy(b);
    tru_scene_free(changed);
    tru_scene_free(written);
}

/* A turn of 90 deg about z, then of 90 deg about the turned x, takes z to -y turned by z: x. */
TEST(turns_follow_each_other_in_turned_axes) {
    tru_scene *scene = scene_of(
        BALL_HEAD "pairs: [{default: none}]\nbodies:\n  a: {shape: {sphere: {radius: 1 cm}}, density: 1, "
                  "orientation: [{axis: z, angle: 90 deg}, {axis: x, angle: 90 deg}]}\n"
                  "  b: {shape: {sphere: {radius: 1 cm}}, density: 1, position: [1, 0, 0], orientation: {axis: [3, "
                  "0, 4], angle: -pi/3}}\n" BALL_END);
    tru_world *w = world_of(scene, NULL);
    const tru_quat a = state_of(w, "a").orientation, b = state_of(w, "b").orientation;
    check_close(a.w, 0.5, 1e-15, 0.0);
    check_close(a.x, 0.5, 1e-15, 0.0);
    check_close(a.y, 0.5, 1e-15, 0.0);
    check_close(a.z, 0.5, 1e-15, 0.0);
    check_close(b.w, sqrt(0.75), 1e-15, 0.0);
    check_close(b.x, -0.3, 1e-15, 0.0);
    check_close(b.z, -0.4, 1e-15, 0.0);
    check(b.y == 0.0);
    tru_world_destroy(w);
    tru_scene_free(scene);
}

/* Force 2 N on 3 kg for 1 s, ramped from 0: v = 1/3 m/s; torque about z in body axes. */
TEST(loads_and_motions_act) {
    tru_scene *scene = scene_of(
        BALL_HEAD "gravity: 0\npairs: [{default: none}]\nbodies:\n"
                  "  a: {shape: {sphere: {radius: 1 cm}}, density: 1, mass: 3 kg}\n"
                  "  b: {kind: driven, shape: {box: {size: [1, 2, 3, cm]}}, position: [1, 0, 0]}\n"
                  "loads: [{body: a, force: [2 N, 0, 0], torque: [0, 0, 1e-4], knots: [[0, 0], [1 s, 1]]}]\n"
                  "motions: [{body: b, velocity: [0, 0, 30 cm/s], angular_velocity: [0, 0, 6 rpm]}]\n" BALL_END);
    tru_world *w = world_of(scene, NULL);
    check_status(tru_run(w, 1000, NULL), TRU_OK);
    const double inertia = 0.4 * 3.0 * 1e-4;
    check_close(state_of(w, "a").velocity.x, 1.0 / 3.0, 1e-9, 0.0);
    check_close(state_of(w, "a").angular_velocity.z, 0.5e-4 / inertia, 1e-9, 0.0);
    check_close(state_of(w, "b").position.z, 0.3, 1e-12, 0.0);
    check_close(state_of(w, "b").angular_velocity.z, 0.2 * 3.14159265358979324, 1e-15, 0.0);
    tru_world_destroy(w);
    tru_scene_free(scene);
}

/* A block on a slope between the sliding and the static angle stays when it is said to stick, and slides with
 * g (sin - mu cos) when it is said to slip. */
#define SLOPE                                                                                                          \
    "trundle: 1\nparameters: {tilt: 0.35}\n"                                                                           \
    "gravity: [9.81*sin(tilt), 0, -9.81*cos(tilt)]\n"                                                                  \
    "laws: {dry: {coulomb: {slide: 0.2, slide_static: 0.5}}}\npairs: [{default: dry}]\n"                               \
    "bodies:\n  slope: {kind: fixed, shape: plane}\n"                                                                  \
    "  block: {shape: {box: {size: [0.2, 0.2, 0.1]}}, density: 1000, position: [0, 0, 0.05]}\n"                        \
    "steppers: {moreau: {step: 1 ms}}\nrecord: {until: 1}\n"

TEST(contacts_begin_as_the_scene_says) {
    tru_scene *stuck = scene_of(SLOPE "start: [{between: [block, slope], slide: stuck}]\n");
    tru_scene *slips = scene_of(SLOPE "start: [{between: [slope, block], slide: slipping}]\n");
    tru_world *a = world_of(stuck, NULL), *b = world_of(slips, NULL);
    tru_event events[64];
    check_status(tru_run(a, 1000, NULL), TRU_OK);
    check_status(tru_run(b, 1000, NULL), TRU_OK);
    check(fabs(state_of(a, "block").velocity.x) < 1e-12);
    check_close(state_of(b, "block").velocity.x, 9.81 * (sin(0.35) - 0.2 * cos(0.35)), 1e-9, 0.0);
    const size_t count = tru_events_take(b, events, 64, NULL);
    for (size_t i = 0; i < count; i++) check(events[i].kind != TRU_EVENT_SLIP);
    check(tru_state_hash(a) != tru_state_hash(b));
    tru_world_destroy(a);
    tru_world_destroy(b);
    tru_scene_free(stuck);
    tru_scene_free(slips);
}

TEST(start_modes_are_checked_in_C) {
    tru_world *w = ball_in_C();
    tru_error err;
    const uint32_t slide = 1u << TRU_KIND_SLIDE;
    check_status(tru_start_set(w, 1, 7, slide, 0, &err), TRU_STALE_ID);
    check_status(tru_start_set(w, 1, 2, slide, slide, &err), TRU_BAD_ARGUMENT);
    check_status(tru_start_set(w, 1, 2, 1u << TRU_KIND_NORMAL, 0, &err), TRU_BAD_ARGUMENT);
    check_status(tru_start_set(w, 1, 2, 0, slide, &err), TRU_OK);
    check_status(tru_start_set(w, 2, 1, slide, 0, &err), TRU_OK); /* replaces it */
    check_status(tru_run(w, 1, NULL), TRU_OK);
    check_status(tru_start_set(w, 1, 2, slide, 0, &err), TRU_CONFLICT);
    tru_world_destroy(w);
}

TEST(only_a_block_of_the_scene_runs) {
    tru_scene *scene = scene_of(BALL);
    tru_world *w = NULL;
    tru_error err;
    check_status(trio_scene_build_world(scene, "moreu", 1, &w, &err), TRU_UNKNOWN_NAME);
    check_str(err.text, "a.yaml:10:11: steppers: the scene has no block 'moreu'; did you mean 'moreau'?");
    check(w == NULL);
    tru_scene_free(scene);
}

TEST(places_of_paths) {
    tru_scene *scene = scene_of(BALL);
    tru_error err = {TRU_BAD_ARGUMENT, "no"};
    check_status(trio_scene_error_at(scene, "bodies.ball.position.z", &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "a.yaml:9:94: no");
    err = (tru_error){TRU_REFUSED, "no"};
    check_status(trio_scene_error_at(scene, "record.probes.2", &err), TRU_REFUSED);
    check_str(err.text, "a.yaml:11:9: no");
    check_str(trio_scene_file(scene), "a.yaml");
    tru_scene_free(scene);
}
