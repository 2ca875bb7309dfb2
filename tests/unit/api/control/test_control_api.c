/* test_control_api.c: loads, motors and motions that a program changes between steps. */
#include "check.h"
#include "worlds.h"
#include "failing_allocator.h"

#include <trundle/plugin.h>

static const tru_vec3 zero = {0, 0, 0};
static const double step = 1e-3; /* [s] */

/* A fixed floor, a free ball of 2 kg, a driven slab far below, a wheel of 1 kg on a motor about the x axis of a fixed post. */
typedef struct stage {
    tru_world *w;
    tru_id floor, ball, slab, wheel, motor, load;
} stage;

static stage create_stage(const tru_allocator *allocator) {
    tru_error err;
    const tru_box slab = {{1, 1, 0.1}}, post = {{0.1, 0.1, 0.1}};
    const tru_sphere sphere = {0.1};
    stage s = {0};
    tru_world_def def = tru_default_world_def();
    def.allocator = allocator;
    MUST(tru_world_create(&def, &s.w, &err));
    kit_set_dry_pair(s.w, 0.3, 0.0, 0.0, 0.0);
    s.floor = kit_add_floor(s.w);
    s.ball = kit_add_ball(s.w, 0.1, 2.0, zero, zero);
    s.slab =
        kit_add_body(s.w, {.name = "slab", .kind = TRU_DRIVEN, .shape = {"box", &slab}, .position = {0, 50.0, 5.0}});
    const tru_id fixed =
        kit_add_body(s.w, {.name = "post", .kind = TRU_FIXED, .shape = {"box", &post}, .position = {10, 0, 1}});
    s.wheel = kit_add_body(s.w, {.name = "wheel", .shape = {"sphere", &sphere}, .mass = 1.0, .position = {10.3, 0, 1}});
    kit_add_joint(s.w, "axle", "hinge", NULL, s.wheel, fixed, (tru_vec3){10.3, 0, 1}, (tru_vec3){1, 0, 0});
    const tru_motor m = {0.0, TRU_DERIVED, TRU_DERIVED, TRU_DERIVED};
    s.motor = kit_add_joint(s.w, "crank", "motor", &m, s.wheel, fixed, (tru_vec3){10.3, 0, 1}, (tru_vec3){1, 0, 0});
    MUST(tru_motion_set(s.w, &(tru_motion_def){.body = s.slab}, &err));
    MUST(tru_load_add(s.w, &(tru_load_def){.body = s.ball}, &s.load, &err));
    kit_set_moreau(s.w, step, TRU_MIDPOINT);
    MUST(tru_run(s.w, 10, &err));
    return s;
}

static uint64_t checks_of(const tru_world *w) { return tru_profile_get(w).checks; }

/* ---- what a control does ---- */

/* A force on a lifted ball: v = F t / m, exactly for a constant force between two calls. */
TEST(forces_act_from_the_next_step_on) {
    tru_error err;
    stage s = create_stage(NULL);
    const double lift = 2.0 * 9.81;
    double v = kit_get_state(s.w, s.ball).velocity.z, work = 0.0;
    for (int i = 0; i < 100; i++) {
        const double f = lift + 0.01 * i, before = v;
        MUST(tru_load_set(s.w, s.load, (tru_vec3){0, 0, f}, zero, &err));
        MUST(tru_run(s.w, 1, &err));
        v = kit_get_state(s.w, s.ball).velocity.z;
        if (i > 0) check_close(v - before, (f - lift) * step / 2.0, 1e-9, 1e-14);
        work += f * 0.5 * (v + before) * step;
    }
    const tru_ledger l = tru_world_ledger(s.w);
    check_close(l.loads, work, 1e-9, 0.0);
    check_close(tru_ledger_gap(&l), 0.0, 0.0, 1e-12);
    MUST(tru_load_remove(s.w, s.load, &err));
    MUST(tru_run(s.w, 1, &err));
    check_close(kit_get_state(s.w, s.ball).velocity.z - v, -9.81 * step, 1e-9, 0.0);
    tru_world_destroy(s.w);
}

/* The factor of time and the axes of a load stay what they were. */
TEST(a_load_keeps_axes_and_factor) {
    tru_error err;
    stage s = create_stage(NULL);
    const tru_knot knots[] = {{0.0, 3.0}, {1.0, 3.0}};
    tru_id id;
    tru_load_def def;
    MUST(tru_load_add(s.w, &(tru_load_def){.body = s.wheel, .body_axes = true, .knots = knots, .knot_count = 2}, &id,
                      &err));
    MUST(tru_load_set(s.w, id, (tru_vec3){1, 2, 3}, (tru_vec3){4, 5, 6}, &err));
    MUST(tru_load_get(s.w, id, &def, &err));
    check(def.body == s.wheel && def.body_axes && def.knot_count == 2 && def.knots[1].factor == 3.0);
    check(def.force.y == 2.0 && def.torque.z == 6.0);
    check(tru_load_count(s.w) == 2 && tru_load_at(s.w, 0) == s.load && tru_load_at(s.w, 1) == id);
    check(tru_load_at(s.w, 2) == TRU_NONE);
    tru_world_destroy(s.w);
}

TEST(ids_of_loads_are_not_used_twice) {
    tru_error err;
    stage s = create_stage(NULL);
    tru_id id[4];
    for (int i = 0; i < 4; i++)
        MUST(tru_load_add(s.w, &(tru_load_def){.body = i == 2 ? s.wheel : s.ball, .force = {i, 0, 0}}, &id[i], &err));
    MUST(tru_load_remove(s.w, id[1], &err));
    MUST(tru_body_remove(s.w, s.wheel, &err)); /* takes its load and its joints with it */
    check_status(tru_load_set(s.w, id[2], zero, zero, &err), TRU_STALE_ID);
    MUST(tru_load_set(s.w, id[3], (tru_vec3){7, 0, 0}, zero, &err));
    tru_load_def def;
    MUST(tru_load_get(s.w, id[3], &def, &err));
    check(def.force.x == 7.0);
    MUST(tru_load_get(s.w, id[0], &def, &err));
    check(def.force.x == 0.0);
    tru_id more;
    MUST(tru_load_add(s.w, &(tru_load_def){.body = s.ball}, &more, &err));
    check(more == id[3] + 1);
    tru_world_destroy(s.w);
}

TEST(motors_turn_as_told) {
    tru_error err;
    stage s = create_stage(NULL);
    tru_motor m;
    tru_body_info info;
    MUST(tru_motor_get(s.w, s.motor, &m, &err));
    check(m.speed == 0.0 && m.torque == TRU_DERIVED);
    m.speed = 3.0;
    MUST(tru_motor_set(s.w, s.motor, &m, &err));
    MUST(tru_run(s.w, 1, &err));
    check_close(kit_get_state(s.w, s.wheel).angular_velocity.x, 3.0, 1e-9, 0.0);
    MUST(tru_body_describe(s.w, s.wheel, &info, &err));
    /* the row of the motor acts on the rate at the end: impulse I w at rate w, of which half is theta_shift */
    check_close(tru_world_ledger(s.w).motors, info.inertia.x * 9.0, 1e-9, 0.0);
    m.speed = -100.0;
    m.torque = 0.5; /* too weak: it gives all that it has */
    MUST(tru_motor_set(s.w, s.motor, &m, &err));
    MUST(tru_run(s.w, 2, &err));
    check_close(kit_get_state(s.w, s.wheel).angular_velocity.x, 3.0 - 0.5 * 2.0 * step / info.inertia.x, 1e-9, 0.0);
    tru_world_destroy(s.w);
}

TEST(driven_bodies_move_as_told) {
    tru_error err;
    stage s = create_stage(NULL);
    double x = kit_get_state(s.w, s.slab).position.x;
    for (int i = 0; i < 20; i++) {
        MUST(tru_motion_set(s.w, &(tru_motion_def){.body = s.slab, .velocity = {0.1 * i, 0, 0}}, &err));
        check_close(kit_get_state(s.w, s.slab).velocity.x, 0.1 * i, 1e-15, 0.0);
        MUST(tru_run(s.w, 1, &err));
        x += 0.1 * i * step;
        check_close(kit_get_state(s.w, s.slab).position.x, x, 1e-12, 1e-15);
    }
    tru_world_destroy(s.w);
}

/* ---- what a control costs ---- */

/* Everything that can be controlled, with numbers that change with `i`. */
static void control(const stage *s, int i) {
    tru_error err;
    tru_motor m = tru_default_motor();
    m.speed = 0.1 * i;
    MUST(tru_load_set(s->w, s->load, (tru_vec3){0.1 * i, 0.2, 0.3}, (tru_vec3){0, 0.01 * i, 0}, &err));
    MUST(tru_motor_set(s->w, s->motor, &m, &err));
    MUST(tru_motion_set(s->w, &(tru_motion_def){.body = s->slab, .velocity = {0, 0.1 * i, 0}}, &err));
}

TEST(a_controlled_world_is_not_checked_again) {
    tru_error err;
    stage s = create_stage(NULL);
    const uint64_t before = checks_of(s.w);
    tru_id load;
    check(before >= 1);
    for (int i = 0; i < 50; i++) {
        control(&s, i);
        MUST(tru_load_add(s.w, &(tru_load_def){.body = s.ball, .force = {1, 0, 0}}, &load, &err));
        MUST(tru_run(s.w, 1, &err));
        MUST(tru_load_remove(s.w, load, &err));
        MUST(tru_run(s.w, 1, &err));
    }
    check(checks_of(s.w) == before);
    MUST(tru_motion_set(s.w, &(tru_motion_def){.body = s.slab, .belt = true}, &err)); /* a joint could hold it */
    MUST(tru_run(s.w, 1, &err));
    check(checks_of(s.w) == before + 1);
    tru_world_destroy(s.w);
}

TEST(a_controlled_step_allocates_nothing) {
    tru_error err;
    failing_allocator f = failing_begin(FAIL_NEVER);
    const tru_allocator a = failing_allocator_of(&f);
    stage s = create_stage(&a);
    for (int i = 0; i < 50; i++) { /* until arrays have their sizes */
        control(&s, i);
        MUST(tru_run(s.w, 1, &err));
    }
    const long calls = f.calls;
    for (int i = 0; i < 100; i++) {
        control(&s, i);
        MUST(tru_run(s.w, 1, &err));
    }
    check(f.calls == calls);
    tru_world_destroy(s.w);
    check(f.live_blocks == 0);
}

/* The judge explains the last step with the present loads, so there is nothing to judge until the next step. */
TEST(a_step_is_judged_with_its_own_controls) {
    tru_error err;
    tru_verdict v;
    stage s = create_stage(NULL);
    control(&s, 3);
    check_status(tru_judge(s.w, &v, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "there is no step to judge");
    MUST(tru_run(s.w, 1, &err));
    MUST(tru_judge(s.w, &v, &err));
    check(v.momentum < 1e-9 && v.spin < 1e-9 && v.joint_turn < 1e-9);
    tru_world_destroy(s.w);
}

/* ---- snapshots and hashes ---- */

TEST(controls_are_in_snapshots_and_hashes) {
    tru_error err;
    stage s = create_stage(NULL), t = create_stage(NULL);
    tru_id gone;
    uint64_t hash = tru_state_hash(s.w);
    check(hash == tru_state_hash(t.w));
    for (int i = 0; i < 3; i++) { /* each of the three counts */
        const tru_motor m = {2.0, TRU_DERIVED, 5.0, TRU_DERIVED};
        if (i == 0) MUST(tru_load_set(s.w, s.load, (tru_vec3){1, 0, 0}, zero, &err));
        if (i == 1) MUST(tru_motor_set(s.w, s.motor, &m, &err));
        if (i == 2) MUST(tru_motion_set(s.w, &(tru_motion_def){.body = s.slab, .velocity = {0, 1, 0}}, &err));
        check(tru_state_hash(s.w) != hash);
        hash = tru_state_hash(s.w);
    }
    MUST(tru_load_add(s.w, &(tru_load_def){.body = s.ball}, &gone, &err));
    MUST(tru_load_remove(s.w, gone, &err));
    check(tru_state_hash(s.w) != hash); /* the next load gets another id */
    const size_t bytes = tru_snapshot_size(s.w);
    void *buffer = malloc(bytes);
    if (!buffer) exit(1);
    MUST(tru_snapshot_save(s.w, buffer, bytes, &err));
    MUST(tru_snapshot_load(t.w, buffer, bytes, &err));
    free(buffer);
    check(tru_state_hash(s.w) == tru_state_hash(t.w));
    for (int i = 0; i < 2; i++) {
        tru_world *w = i ? t.w : s.w;
        tru_id id;
        MUST(tru_load_add(w, &(tru_load_def){.body = s.ball}, &id, &err));
        check(id == gone + 1);
        MUST(tru_load_set(w, s.load, (tru_vec3){2, 0, 0}, zero, &err));
        MUST(tru_run(w, 20, &err));
    }
    check(tru_state_hash(s.w) == tru_state_hash(t.w));
    tru_world_destroy(s.w);
    tru_world_destroy(t.w);
}

/* ---- bad arguments ---- */

static stage refusing;
static uint64_t refusing_hash;

/* A refused call has a sentence and changes nothing. */
static void refused(tru_status status, tru_status wanted, const tru_error *err, const char *sentence) {
    check_status(status, wanted);
    check_str(err->text, sentence);
    check(tru_state_hash(refusing.w) == refusing_hash);
}

static void begin_refusing(void) {
    refusing = create_stage(NULL);
    refusing_hash = tru_state_hash(refusing.w);
}

TEST(bad_loads_are_refused) {
    tru_error err;
    begin_refusing();
    const stage *s = &refusing;
    tru_load_def def;
    refused(tru_load_set(s->w, 7, zero, zero, &err), TRU_STALE_ID, &err, "load 7 does not exist");
    refused(tru_load_set(s->w, TRU_NONE, zero, zero, &err), TRU_STALE_ID, &err, "load 0 does not exist");
    refused(tru_load_set(NULL, 1, zero, zero, &err), TRU_STALE_ID, &err, "load 1 does not exist");
    refused(tru_load_remove(s->w, UINT64_MAX, &err), TRU_STALE_ID, &err, "load 18446744073709551615 does not exist");
    refused(tru_load_get(s->w, 2, &def, &err), TRU_STALE_ID, &err, "load 2 does not exist");
    refused(tru_load_get(s->w, s->load, NULL, &err), TRU_BAD_ARGUMENT, &err, "tru_load_get needs a place for the load");
    refused(tru_load_set(s->w, s->load, (tru_vec3){0, NAN, 0}, zero, &err), TRU_OUT_OF_RANGE, &err,
            "load 1: force.y is nan, must be a finite number");
    refused(tru_load_set(s->w, s->load, zero, (tru_vec3){0, 0, -INFINITY}, &err), TRU_OUT_OF_RANGE, &err,
            "load 1: torque.z is -inf, must be a finite number");
    refused(tru_load_add(s->w, &(tru_load_def){.body = s->floor}, NULL, &err), TRU_REFUSED, &err,
            "load: body 'floor' is not free, a load on it has no effect");
    tru_world_destroy(s->w);
}

TEST(bad_motors_are_refused) {
    tru_error err;
    begin_refusing();
    const stage *s = &refusing;
    const tru_id axle = tru_joint_find(s->w, "axle");
    tru_motor m = {1.0, TRU_DERIVED, TRU_DERIVED, TRU_DERIVED}, out;
    refused(tru_motor_set(s->w, 9, &m, &err), TRU_STALE_ID, &err, "joint 9 does not exist");
    refused(tru_motor_set(NULL, 1, &m, &err), TRU_STALE_ID, &err, "joint 1 does not exist");
    refused(tru_motor_set(s->w, axle, &m, &err), TRU_REFUSED, &err, "joint 'axle' is a hinge, must be a motor");
    refused(tru_motor_get(s->w, axle, &out, &err), TRU_REFUSED, &err, "joint 'axle' is a hinge, must be a motor");
    refused(tru_motor_set(s->w, s->motor, NULL, &err), TRU_BAD_ARGUMENT, &err,
            "tru_motor_set needs the parameters of a motor");
    refused(tru_motor_get(s->w, s->motor, NULL, &err), TRU_BAD_ARGUMENT, &err,
            "tru_motor_get needs a place for the parameters");
    m.speed = NAN;
    refused(tru_motor_set(s->w, s->motor, &m, &err), TRU_OUT_OF_RANGE, &err,
            "joint 'crank': joint motor: speed is nan, must be a finite number");
    m.speed = 1.0;
    m.torque = -1.0;
    refused(tru_motor_set(s->w, s->motor, &m, &err), TRU_OUT_OF_RANGE, &err,
            "joint 'crank': joint motor: torque is -1 N m, must be above 0 N m");
    m.torque = TRU_DERIVED;
    m.velocity = 1.0;
    refused(tru_motor_set(s->w, s->motor, &m, &err), TRU_CONFLICT, &err,
            "joint 'crank': joint motor: give speed (it turns) or velocity (it pushes), not both");
    m.speed = TRU_DERIVED;
    refused(tru_motor_set(s->w, s->motor, &m, &err), TRU_CONFLICT, &err,
            "joint 'crank': joint motor: it turns, so give speed");
    tru_world_destroy(s->w);
}

TEST(bad_motions_are_refused) {
    tru_error err;
    begin_refusing();
    const stage *s = &refusing;
    refused(tru_motion_set(s->w, &(tru_motion_def){.body = s->floor, .velocity = {1, 0, 0}}, &err), TRU_REFUSED, &err,
            "motion: body 'floor' is not driven");
    refused(tru_motion_set(s->w, &(tru_motion_def){.body = 99}, &err), TRU_STALE_ID, &err,
            "motion: body 99 does not exist");
    refused(tru_motion_set(s->w, &(tru_motion_def){.body = s->slab, .velocity = {NAN, 0, 0}}, &err), TRU_OUT_OF_RANGE,
            &err, "motion: velocity.x is nan, must be a finite number");
    refused(tru_motion_set(s->w, NULL, &err), TRU_BAD_ARGUMENT, &err, "tru_motion_set needs a world and a definition");
    tru_body_state state = kit_get_state(s->w, s->floor);
    state.velocity.x = 1.0;
    refused(tru_body_set(s->w, s->floor, &state, &err), TRU_CONFLICT, &err,
            "body 'floor' is not free and cannot be given a velocity");
    tru_world_destroy(s->w);
}
