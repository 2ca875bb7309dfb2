/* test_bad_input.c: a user's mistake in C gets a status and one sentence, and changes nothing. */
#define _GNU_SOURCE
#include "check.h"
#include "worlds.h"

#include "math/vec.h"

#include <trundle/plugin.h>

/* A world in motion: floor, ball and a block that is driven; and everything about it that may not change. */
typedef struct subject {
    tru_world *w;
    tru_id ball, block;
    uint64_t hash;
    size_t bodies;
} subject;

static subject subject_new(void) {
    tru_error err;
    tru_coulomb c = tru_default_coulomb();
    c.slide = 0.3;
    const tru_use law = {"coulomb", &c};
    const tru_box box = {{0.2, 0.2, 0.2}};
    tru_shape_def part = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    subject s;
    s.w = kit_create_floor(&law, 1, 0.0);
    s.ball = kit_add_ball(s.w, 0.1, 2.0, v3(1, 0, 0), v3_zero());
    part.shape = (tru_use){"box", &box};
    b.name = "block";
    b.kind = TRU_DRIVEN;
    b.position = v3(3, 0, 0.5);
    b.shapes = &part;
    b.shape_count = 1;
    MUST(tru_body_add(s.w, &b, &s.block, &err));
    kit_set_moreau(s.w, 1e-3, TRU_MIDPOINT);
    MUST(tru_run(s.w, 10, &err));
    s.hash = tru_state_hash(s.w);
    s.bodies = tru_body_count(s.w);
    return s;
}

/* The call failed with this status and sentence, and nothing happened to the world. */
static void refused(const subject *s, tru_status got, const tru_error *err, tru_status status, const char *text) {
    check_status(got, status);
    check_status(err->status, status);
    check_str(err->text, text);
    check(tru_body_count(s->w) == s->bodies);
    check(tru_state_hash(s->w) == s->hash);
}

/* And it continues as if nothing had been said. */
static void goes_on(subject *s) {
    tru_error err;
    subject other = subject_new();
    check_status(tru_run(s->w, 10, &err), TRU_OK);
    check_status(tru_run(other.w, 10, &err), TRU_OK);
    check(tru_state_hash(s->w) == tru_state_hash(other.w));
    tru_world_destroy(other.w);
    tru_world_destroy(s->w);
}

static tru_body_def good_body(tru_shape_def *part) {
    static const tru_sphere sphere = {0.05};
    tru_body_def b = tru_default_body_def();
    *part = tru_default_shape_def();
    part->shape = (tru_use){"sphere", &sphere};
    part->density = 1000.0;
    b.name = "marble";
    b.position = v3(0, 2, 0.5);
    b.shapes = part;
    b.shape_count = 1;
    return b;
}

/* ---- bodies ---- */

TEST(bad_bodies) {
    subject s = subject_new();
    tru_error err;
    tru_shape_def part;
    tru_body_def b;
#define BAD_BODY(change, status, text)                                                                                 \
    do {                                                                                                               \
        b = good_body(&part);                                                                                          \
        change;                                                                                                        \
        const tru_status got = tru_body_add(s.w, &b, NULL, &err);                                                      \
        refused(&s, got, &err, status, text);                                                                          \
    } while (0)
    BAD_BODY(b.mass = -1.0, TRU_OUT_OF_RANGE, "body 'marble': mass is -1 kg, must be above 0 kg");
    BAD_BODY(b.mass = 0.0, TRU_OUT_OF_RANGE, "body 'marble': mass is 0 kg, must be above 0 kg");
    BAD_BODY(b.mass = NAN, TRU_OUT_OF_RANGE, "body 'marble': mass is nan, must be a finite number");
    BAD_BODY(b.position.y = NAN, TRU_OUT_OF_RANGE, "body 'marble': position.y is nan, must be a finite number");
    BAD_BODY(b.velocity.x = INFINITY, TRU_OUT_OF_RANGE, "body 'marble': velocity.x is inf, must be a finite number");
    BAD_BODY((b.mass = 1.0, b.inertia = v3(1.0, 1.0, 3.0)), TRU_OUT_OF_RANGE,
             "body 'marble': inertia has principal moments 1, 1, 3 kg m^2; none may exceed the sum of the others");
    BAD_BODY((b.mass = 1.0, b.inertia = v3(1.0, 1.0, 1.0), b.products = v3(2.0, 0, 0)), TRU_OUT_OF_RANGE,
             "body 'marble': inertia has a principal moment -1 kg m^2, must be above 0 kg m^2");
    BAD_BODY(b.products = v3(1e-6, 0, 0), TRU_CONFLICT, "body 'marble': products are given but inertia is not");
    BAD_BODY((b.orientation = (tru_quat){0, 0, 0, 0}), TRU_OUT_OF_RANGE,
             "body 'marble': orientation is (0, 0, 0, 0), which cannot be normalised");
    BAD_BODY(b.orientation.x = NAN, TRU_OUT_OF_RANGE,
             "body 'marble': orientation is (1, nan, 0, 0), which cannot be normalised");
    BAD_BODY(b.name = "block", TRU_CONFLICT, "there is already a body 'block'");
    BAD_BODY(b.shape_count = 0, TRU_BAD_ARGUMENT, "body 'marble' has no shape");
    BAD_BODY(part.density = 0.0, TRU_BAD_ARGUMENT,
             "body 'marble': mass is missing and no shape has a density and a volume");
    BAD_BODY((b.kind = TRU_FIXED, b.velocity.x = 1.0), TRU_CONFLICT,
             "body 'marble' is fixed and cannot have a velocity; give a driven body a motion");
    BAD_BODY(b.kind = 7, TRU_OUT_OF_RANGE, "body 'marble': kind is 7, must be one of free, fixed, driven");
    BAD_BODY(part.shape.name = "spere", TRU_UNKNOWN_NAME, "body 'marble': no shape 'spere'; did you mean 'sphere'?");
    BAD_BODY(part.shape.params = &(tru_sphere){-0.1}, TRU_OUT_OF_RANGE,
             "body 'marble': shape sphere: radius is -0.1 m, must be above 0 m");
    BAD_BODY(part.shape.params = NULL, TRU_BAD_ARGUMENT, "body 'marble': shape sphere: radius is missing");
    BAD_BODY(part.material = 9, TRU_STALE_ID, "body 'marble': material 9 does not exist");
    BAD_BODY((part.orientation = (tru_quat){0, 0, 0, 0}), TRU_OUT_OF_RANGE,
             "body 'marble': shapes[0].orientation is (0, 0, 0, 0), which cannot be normalised");
    BAD_BODY(part.density = -1.0, TRU_OUT_OF_RANGE,
             "body 'marble': shapes[0].density is -1 kg/m^3, must be at least 0 kg/m^3");
#undef BAD_BODY
    goes_on(&s);
}

TEST(bad_states) {
    subject s = subject_new();
    tru_error err;
    tru_body_state state = kit_get_state(s.w, s.ball), bad = state;
    bad.velocity.z = NAN;
    refused(&s, tru_body_set(s.w, s.ball, &bad, &err), &err, TRU_OUT_OF_RANGE,
            "body 'body-2': position and velocities must be finite numbers");
    bad = state;
    bad.orientation = (tru_quat){0, 0, 0, 0};
    refused(&s, tru_body_set(s.w, s.ball, &bad, &err), &err, TRU_OUT_OF_RANGE,
            "body 'body-2': orientation (0, 0, 0, 0) cannot be normalised");
    bad = kit_get_state(s.w, s.block);
    bad.velocity.x = 1.0;
    refused(&s, tru_body_set(s.w, s.block, &bad, &err), &err, TRU_CONFLICT,
            "body 'block' is not free and cannot be given a velocity");
    goes_on(&s);
}

TEST(stale_ids) {
    subject s = subject_new();
    tru_error err;
    tru_body_state state;
    tru_body_info info;
    tru_shape_def shape;
    tru_contact_info contact;
    tru_load_def push = tru_default_load_def();
    tru_motion_def motion = tru_default_motion_def();
    refused(&s, tru_body_get(s.w, 77, &state, &err), &err, TRU_STALE_ID, "body 77 does not exist");
    refused(&s, tru_body_set(s.w, 77, &state, &err), &err, TRU_STALE_ID, "body 77 does not exist");
    refused(&s, tru_body_remove(s.w, TRU_NONE, &err), &err, TRU_STALE_ID, "body 0 does not exist");
    refused(&s, tru_body_describe(s.w, 77, &info, &err), &err, TRU_STALE_ID, "body 77 does not exist");
    refused(&s, tru_body_shape(s.w, 77, 0, &shape, &err), &err, TRU_STALE_ID, "body 77 does not exist");
    refused(&s, tru_body_shape(s.w, s.ball, 1, &shape, &err), &err, TRU_BAD_ARGUMENT, "body 'body-2' has no shape 1");
    refused(&s, tru_contact_get(s.w, 5, &contact, &err), &err, TRU_STALE_ID, "contact 5 does not exist");
    push.body = 77;
    refused(&s, tru_load_add(s.w, &push, NULL, &err), &err, TRU_STALE_ID, "load: body 77 does not exist");
    push.body = s.block;
    refused(&s, tru_load_add(s.w, &push, NULL, &err), &err, TRU_REFUSED,
            "load: body 'block' is not free, a load on it has no effect");
    motion.body = s.ball;
    refused(&s, tru_motion_set(s.w, &motion, &err), &err, TRU_REFUSED, "motion: body 'body-2' is not driven");
    check(tru_body_find(s.w, "nobody") == TRU_NONE && tru_body_at(s.w, 99) == TRU_NONE);
    goes_on(&s);
}

/* A removed body's id is not reused, and says so. */
TEST(removed_body_is_stale) {
    subject s = subject_new();
    tru_error err;
    tru_body_state state;
    tru_id again;
    tru_shape_def part;
    tru_body_def b = good_body(&part);
    MUST(tru_body_remove(s.w, s.block, &err));
    check_status(tru_body_get(s.w, s.block, &state, &err), TRU_STALE_ID);
    b.name = "block";
    MUST(tru_body_add(s.w, &b, &again, &err));
    check(again > s.block);
    check(tru_body_find(s.w, "block") == again);
    check_status(tru_body_get(s.w, s.block, &state, &err), TRU_STALE_ID);
    MUST(tru_run(s.w, 10, &err));
    tru_world_destroy(s.w);
}

TEST(bad_loads_and_motions) {
    subject s = subject_new();
    tru_error err;
    tru_load_def push = tru_default_load_def();
    tru_motion_def motion = tru_default_motion_def();
    const tru_knot back[] = {{0.0, 1.0}, {1.0, 2.0}, {0.5, 3.0}}, nan_knot[] = {{0.0, NAN}};
    push.body = s.ball;
    push.force.y = NAN;
    refused(&s, tru_load_add(s.w, &push, NULL, &err), &err, TRU_OUT_OF_RANGE,
            "load: force.y is nan, must be a finite number");
    push.force.y = 1.0;
    push.knots = back;
    push.knot_count = 3;
    refused(&s, tru_load_add(s.w, &push, NULL, &err), &err, TRU_OUT_OF_RANGE,
            "load: knot times must increase, 0.5 s follows 1 s");
    push.knots = nan_knot;
    push.knot_count = 1;
    refused(&s, tru_load_add(s.w, &push, NULL, &err), &err, TRU_OUT_OF_RANGE,
            "load: knots[0].factor is nan, must be a finite number");
    motion.body = s.block;
    motion.angular_velocity.z = INFINITY;
    refused(&s, tru_motion_set(s.w, &motion, &err), &err, TRU_OUT_OF_RANGE,
            "motion: angular_velocity.z is inf, must be a finite number");
    goes_on(&s);
}

/* ---- pairs and laws ---- */

TEST(bad_pairs) {
    subject s = subject_new();
    tru_error err;
    tru_coulomb c = tru_default_coulomb();
    tru_rolling r = tru_default_rolling();
    tru_pair_def pair = tru_default_pair_def();
    tru_use laws[5] = {{"coulomb", &c}, {"coulomb", &c}, {"rolling", &r}, {"rolling", &r}, {"rolling", &r}};
    pair.laws = laws;
    pair.law_count = 2;
    c.slide = 0.3;
    refused(&s, tru_pair_set(s.w, &pair, &err), &err, TRU_CONFLICT, "laws coulomb and coulomb both claim slide");
    laws[0] = laws[2];
    laws[1] = laws[3];
    r.roll.length = 1e-3;
    refused(&s, tru_pair_set(s.w, &pair, &err), &err, TRU_CONFLICT, "laws rolling and rolling both claim roll");
    pair.law_count = 5;
    refused(&s, tru_pair_set(s.w, &pair, &err), &err, TRU_BAD_ARGUMENT, "a pair takes 0 to 4 laws, not 5");
    pair.law_count = 1;
    r.roll.length = -1e-3;
    refused(&s, tru_pair_set(s.w, &pair, &err), &err, TRU_OUT_OF_RANGE,
            "law rolling: roll is -0.001 m, must be at least 0 m");
    r.roll = (tru_length){1e-3, 0.05, TRU_RADIUS_EFFECTIVE};
    refused(&s, tru_pair_set(s.w, &pair, &err), &err, TRU_CONFLICT,
            "law rolling: give roll as a length or as {factor, radius}, not both");
    r.roll = (tru_length){0.0, 0.05, TRU_RADIUS_NONE};
    refused(&s, tru_pair_set(s.w, &pair, &err), &err, TRU_BAD_ARGUMENT,
            "law rolling: roll: factor needs a radius (effective, smaller)");
    laws[0] = (tru_use){"coulomb", &c};
    c.slide = NAN;
    refused(&s, tru_pair_set(s.w, &pair, &err), &err, TRU_OUT_OF_RANGE,
            "law coulomb: slide is nan, must be a finite number");
    c = (tru_coulomb){0.3, 0.2, 0.0};
    refused(&s, tru_pair_set(s.w, &pair, &err), &err, TRU_OUT_OF_RANGE,
            "law coulomb: slide_static is 0.2, must be at least slide (0.3)");
    c = (tru_coulomb){0.3, TRU_DERIVED, 0.1};
    refused(&s, tru_pair_set(s.w, &pair, &err), &err, TRU_CONFLICT,
            "law coulomb: stribeck is 0.1 m/s but has no effect without slide_static above slide (0.3)");
    laws[0].name = "coulumb";
    refused(&s, tru_pair_set(s.w, &pair, &err), &err, TRU_UNKNOWN_NAME, "no law 'coulumb'; did you mean 'coulomb'?");
    pair.law_count = 0;
    pair.restitution = 1.5;
    refused(&s, tru_pair_set(s.w, &pair, &err), &err, TRU_OUT_OF_RANGE,
            "pair: restitution is 1.5, must lie between 0 and 1");
    pair.restitution = 0.0;
    pair.a = 1;
    refused(&s, tru_pair_set(s.w, &pair, &err), &err, TRU_BAD_ARGUMENT,
            "a pair names two materials, or none for the default");
    pair.b = 4;
    refused(&s, tru_pair_set(s.w, &pair, &err), &err, TRU_STALE_ID, "pair: material 4 does not exist");
    refused(&s, tru_material_add(s.w, "default", NULL, &err), &err, TRU_CONFLICT,
            "there is already a material 'default'");
    goes_on(&s);
}

/* ---- steppers ---- */

TEST(bad_steppers) {
    subject s = subject_new();
    tru_error err;
    tru_moreau m = tru_default_moreau();
    tru_newton n = tru_default_newton();
    refused(&s, tru_stepper_set(s.w, "moreaux", NULL, &err), &err, TRU_UNKNOWN_NAME,
            "no stepper 'moreaux'; did you mean 'moreau'?");
    refused(&s, tru_stepper_set(s.w, "moreau", &m, &err), &err, TRU_BAD_ARGUMENT, "stepper moreau: step is missing");
    m.step = -1e-3;
    refused(&s, tru_stepper_set(s.w, "moreau", &m, &err), &err, TRU_OUT_OF_RANGE,
            "stepper moreau: step is -0.001 s, must be above 0 s");
    m.step = 1e-3;
    m.sweeps = 0;
    refused(&s, tru_stepper_set(s.w, "moreau", &m, &err), &err, TRU_OUT_OF_RANGE,
            "stepper moreau: sweeps is 0, must lie between 1 and 10");
    m.sweeps = 3;
    m.scheme = 5;
    refused(&s, tru_stepper_set(s.w, "moreau", &m, &err), &err, TRU_OUT_OF_RANGE,
            "stepper moreau: scheme is 5, must be one of midpoint, paper");
    m.scheme = TRU_MIDPOINT;
    m.correction = TRU_R7;
    refused(&s, tru_stepper_set(s.w, "moreau", &m, &err), &err, TRU_CONFLICT,
            "stepper moreau: correction r7 belongs to scheme paper");
    m.correction = TRU_HEIGHT;
    m.solver = (tru_use){"newten", NULL};
    refused(&s, tru_stepper_set(s.w, "moreau", &m, &err), &err, TRU_UNKNOWN_NAME,
            "no solver 'newten'; did you mean 'newton'?");
    n.tolerance = 0.5;
    m.solver = (tru_use){"newton", &n};
    refused(&s, tru_stepper_set(s.w, "moreau", &m, &err), &err, TRU_OUT_OF_RANGE,
            "solver newton: tolerance is 0.5, must lie between 1e-15 and 0.01");
    goes_on(&s);
}

/* ---- what is refused when it is to run ---- */

TEST(worlds_that_cannot_run) {
    tru_error err;
    tru_coulomb c = tru_default_coulomb();
    c.slide = 0.3;
    const tru_use law = {"coulomb", &c};
    tru_world *w = kit_create_floor(&law, 1, 0.0);
    const tru_id ball = kit_add_ball(w, 0.1, 2.0, v3_zero(), v3_zero());
    check_status(tru_run(w, 1, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "no stepper is set");
    kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
    /* deep overlap at the start: more than 1 % of the smaller size */
    tru_body_state s = kit_get_state(w, ball);
    s.position.z = 0.1 - 2.1e-3;
    MUST(tru_body_set(w, ball, &s, &err));
    check_status(tru_run(w, 1, &err), TRU_OVERLAP);
    check_str(err.text,
              "bodies 'body-2' and 'floor' overlap by 0.0021 m at the start, more than 0.01 of the size 0.2 m");
    check(kit_get_state(w, ball).position.z == s.position.z && tru_steps_done(w) == 0);
    s.position.z = 0.1 - 1.9e-3;
    MUST(tru_body_set(w, ball, &s, &err));
    check_status(tru_run(w, 1, &err), TRU_OK);
    /* also for a body that comes later */
    tru_shape_def part;
    tru_body_def b = good_body(&part);
    b.position = v3(0.0, 0.0, 0.2);
    tru_id marble;
    MUST(tru_body_add(w, &b, &marble, &err));
    const uint64_t hash = tru_state_hash(w);
    check_status(tru_run(w, 1, &err), TRU_OVERLAP);
    check(tru_state_hash(w) == hash && tru_steps_done(w) == 1);
    MUST(tru_body_remove(w, marble, &err));
    b.allow_overlap = true;
    MUST(tru_body_add(w, &b, &marble, &err));
    check_status(tru_run(w, 1, &err), TRU_OK);
    /* a coefficient the stepper cannot use */
    tru_pair_def soft = tru_default_pair_def();
    soft.compliance = 2e-6;
    MUST(tru_pair_set(w, &soft, &err));
    check_status(tru_check(w, &err), TRU_REFUSED);
    check_str(err.text, "stepper moreau cannot use compliance (2e-06 m/N): its contacts are rigid");
    tru_world_destroy(w);
}

TEST(pairs_without_law_or_contact) {
    tru_error err;
    tru_id rubber;
    tru_world *w = kit_create_world(tru_default_world_def().gravity);
    MUST(tru_material_add(w, "rubber", &rubber, &err));
    tru_pair_def pair = tru_default_pair_def();
    pair.a = pair.b = 1;
    MUST(tru_pair_set(w, &pair, &err));
    tru_shape_def part;
    tru_body_def b = good_body(&part);
    MUST(tru_body_add(w, &b, NULL, &err));
    part.material = rubber;
    b.name = "eraser";
    b.position = v3(1, 0, 0);
    MUST(tru_body_add(w, &b, NULL, &err));
    kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
    check_status(tru_check(w, &err), TRU_NO_LAW);
    check_str(err.text,
              "materials 'default' and 'rubber' can touch (bodies 'marble' and 'eraser') but have no law; a pair or a "
              "default must give one");
    pair.a = pair.b = TRU_NONE;
    MUST(tru_pair_set(w, &pair, &err));
    MUST(tru_check(w, &err));
    const tru_disk coin = {0.1, 0.01};
    part.shape = (tru_use){"disk", &coin};
    b.name = "coin";
    b.position = v3(0, 5, 0);
    MUST(tru_body_add(w, &b, NULL, &err));
    check_status(tru_check(w, &err), TRU_REFUSED);
    check_str(err.text,
              "bodies 'marble' and 'coin': there is no contact between sphere and disk; sphere meets plane, "
              "sphere, box, ellipsoid, capsule, hull; pass: true in their pair lets them pass through each other");
    pair = tru_default_pair_def();
    pair.a = 1;
    pair.b = rubber;
    pair.pass = true;
    pair.restitution = 0.5;
    check_status(tru_pair_set(w, &pair, &err), TRU_CONFLICT);
    check_str(err.text, "pair: restitution has no effect on bodies that pass through each other");
    pair.restitution = 0.0;
    MUST(tru_pair_set(w, &pair, &err));
    check_status(tru_check(w, &err), TRU_REFUSED); /* eraser and coin are both of rubber */
    pair.a = rubber;
    MUST(tru_pair_set(w, &pair, &err));
    MUST(tru_check(w, &err));
    tru_world_destroy(w);
}

/* A step that makes numbers without end is undone and names the body. */
TEST(not_finite_is_caught_in_its_step) {
    tru_error err;
    tru_world *w = kit_create_world(v3(0, 0, -1e308));
    const tru_pair_def pair = tru_default_pair_def();
    MUST(tru_pair_set(w, &pair, &err));
    tru_shape_def part;
    tru_body_def b = good_body(&part);
    tru_id id;
    MUST(tru_body_add(w, &b, &id, &err));
    kit_set_moreau(w, 1.0, TRU_MIDPOINT);
    check_status(tru_run(w, 1, &err), TRU_OK);
    const uint64_t hash = tru_state_hash(w);
    const tru_body_state before = kit_get_state(w, id);
    check_status(tru_run(w, 5, &err), TRU_NOT_FINITE);
    check_str(err.text, "body 'marble' is no longer finite at t = 2 s (step 2)");
    check(tru_state_hash(w) == hash && tru_steps_done(w) == 1);
    const tru_body_state after = kit_get_state(w, id);
    check(memcmp(&before, &after, sizeof before) == 0);
    tru_world_destroy(w);
}

/* Worlds themselves, and calls without what they need. */
TEST(bad_worlds) {
    tru_error err;
    tru_world *w = NULL;
    tru_world_def wd = tru_default_world_def();
    wd.gravity.x = NAN;
    check_status(tru_world_create(&wd, &w, &err), TRU_OUT_OF_RANGE);
    check_str(err.text, "world: gravity.x is nan, must be a finite number");
    check(w == NULL);
    wd = tru_default_world_def();
    wd.threads = 0;
    check_status(tru_world_create(&wd, &w, NULL), TRU_OUT_OF_RANGE); /* err may be NULL */
    check_status(tru_world_create(NULL, &w, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "tru_world_create needs a definition and a place for the world");
    check_status(tru_body_add(NULL, NULL, NULL, &err), TRU_BAD_ARGUMENT);
    check_status(tru_check(NULL, &err), TRU_BAD_ARGUMENT);
    tru_world_destroy(NULL);
}
