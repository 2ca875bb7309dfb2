/* Bodies that come, go and fail during a run: ids stay, contacts of others keep their impulses, failures change nothing. */
#include "check.h"
#include "zoo.h"

static const tru_vec3 zero = {0.0, 0.0, 0.0};

/* Three balls and a box at rest on the floor; the box has four contacts. Moreau with steps of 1 ms. */
static tru_world *at_rest(void) {
    tru_error err;
    const zoo_scene scene = {"at rest", 1e-3, 0, zoo_ball_defs, NULL, NULL};
    const tru_box box = {{0.2, 0.15, 0.1}};
    tru_world *w = kit_create_zoo_materials(&scene, NULL, 1);
    kit_add_floor(w);
    kit_add_solid_ball(w, "one", 0.1, (tru_vec3){-1.0, 0.0, 0.1}, zero, (tru_vec3){0.0, 0.0, 3.0});
    kit_add_solid_ball(w, "two", 0.1, (tru_vec3){0.0, 1.0, 0.1}, (tru_vec3){0.3, 0.0, 0.0}, zero);
    kit_add_solid(w, "box", TRU_FREE, "box", &box, (tru_vec3){1.0, 0.0, 0.05}, kit_turn_about(0.3, 0.0, 0.0, 1.0),
                  (tru_vec3){0.2, 0.1, 0.0}, (tru_vec3){0.0, 0.0, 1.0});
    kit_add_solid_ball(w, "three", 0.1, (tru_vec3){0.0, -1.0, 0.1}, (tru_vec3){0.0, 0.4, 0.0}, zero);
    kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
    MUST(tru_run(w, 20, &err));
    return w;
}

/* The contacts of a body, in order. */
static size_t contacts_of(const tru_world *w, tru_id id, tru_contact_info *out) {
    tru_error err;
    size_t count = 0;
    for (size_t i = 0; i < tru_contact_count(w); i++) {
        MUST(tru_contact_get(w, i, &out[count], &err));
        count += out[count].body_a == id;
    }
    return count;
}

static void same_contacts(const tru_contact_info *a, size_t na, const tru_contact_info *b, size_t nb) {
    check(na == nb && na > 0);
    for (size_t i = 0; i < na && na == nb; i++) {
        check(a[i].feature == b[i].feature && a[i].stuck == b[i].stuck && a[i].gap == b[i].gap);
        check(memcmp(a[i].impulse, b[i].impulse, sizeof a[i].impulse) == 0 && a[i].impulse[0] > 0.0);
        check(memcmp(a[i].velocity, b[i].velocity, sizeof a[i].velocity) == 0);
        check(memcmp(&a[i].point, &b[i].point, sizeof a[i].point) == 0);
        check(memcmp(&a[i].t1, &b[i].t1, sizeof a[i].t1) == 0);
    }
}

static double gap_of(const tru_world *w) {
    const tru_ledger l = tru_world_ledger(w);
    return fabs(tru_ledger_gap(&l)) / fabs(l.start);
}

/* ---- adding and removing: the others keep their bits ---- */

TEST(removing_keeps_the_others) {
    tru_error err;
    tru_contact_info before[8], after[8];
    const char *names[] = {"one", "two", "box", "three"};
    for (int gone = 0; gone < 4; gone++) {
        tru_world *w = at_rest();
        const tru_id id = tru_body_find(w, names[gone]);
        const size_t all = tru_contact_count(w), its = contacts_of(w, id, before);
        check(all == 7 && its == (gone == 2 ? 4u : 1u));
        for (int other = 0; other < 4; other++) {
            if (other == gone) continue;
            const tru_id kept = tru_body_find(w, names[other]);
            const size_t n = contacts_of(w, kept, before);
            const tru_body_state s = kit_get_state(w, kept);
            if (tru_body_find(w, names[gone]) != TRU_NONE) MUST(tru_body_remove(w, id, &err));
            check(tru_body_find(w, names[other]) == kept && tru_contact_count(w) == all - its);
            same_contacts(before, n, after, contacts_of(w, kept, after));
            const tru_body_state now = kit_get_state(w, kept);
            check(memcmp(&s, &now, sizeof s) == 0);
        }
        check(tru_body_find(w, names[gone]) == TRU_NONE && tru_body_count(w) == 4);
        check(gap_of(w) < 1e-12);
        MUST(tru_run(w, 500, &err));
        check(tru_contact_count(w) == all - its && gap_of(w) < 1e-12);
        for (size_t i = 1; i < tru_body_count(w); i++) check(tru_body_at(w, i) > tru_body_at(w, i - 1));
        check(tru_body_at(w, tru_body_count(w)) == TRU_NONE);
        tru_world_destroy(w);
    }
}

/* A body without contacts does not change a bit of the others' motion. */
TEST(adding_leaves_the_others_alone) {
    tru_error err;
    tru_world *w = at_rest(), *alone = at_rest();
    const tru_id id = kit_add_solid_ball(w, "late", 0.1, (tru_vec3){0.0, 0.0, 9.0}, zero, zero);
    check(id == 6 && tru_body_at(w, 5) == id);
    check(tru_contact_count(w) == tru_contact_count(alone) && gap_of(w) < 1e-12);
    MUST(tru_run(w, 500, &err));
    MUST(tru_run(alone, 500, &err));
    for (size_t i = 0; i < tru_body_count(alone); i++) {
        const tru_body_state a = kit_get_state(w, tru_body_at(w, i)), b = kit_get_state(alone, tru_body_at(alone, i));
        check(memcmp(&a, &b, sizeof a) == 0);
    }
    check_close(kit_get_state(w, id).velocity.z, -9.81 * 0.5, 1e-12, 0.0);
    tru_world_destroy(w);
    tru_world_destroy(alone);
}

/* Two balls on top of each other; the lower one is taken away and the upper one falls, freely at first. */
TEST(removing_the_support) {
    tru_error err;
    const zoo_scene scene = {"stack", 1e-3, 0, zoo_ball_defs, NULL, NULL};
    tru_world *w = kit_create_zoo_materials(&scene, NULL, 1);
    kit_add_floor(w);
    const tru_id low = kit_add_solid_ball(w, "low", 0.1, (tru_vec3){0.0, 0.0, 0.1}, zero, zero);
    const tru_id high = kit_add_solid_ball(w, "high", 0.1, (tru_vec3){0.0, 0.0, 0.3}, zero, zero);
    kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
    MUST(tru_run(w, 50, &err));
    check(tru_contact_count(w) == 2);
    check_close(kit_get_state(w, high).velocity.z, 0.0, 0.0, 1e-12);
    MUST(tru_body_remove(w, low, &err));
    check(tru_contact_count(w) == 0);
    MUST(tru_run(w, 100, &err));
    check_close(kit_get_state(w, high).velocity.z, -9.81 * 0.1, 1e-12, 0.0);
    MUST(tru_run(w, 900, &err));
    check_close(kit_get_state(w, high).position.z, 0.1, 1e-9, 0.0);
    check(gap_of(w) < 1e-11);
    tru_world_destroy(w);
}

/* Loads and motions go with their body. */
TEST(removing_takes_loads_and_motions_along) {
    tru_error err;
    tru_world *w = kit_create_zoo_world(&zoo[ZOO_BELT], NULL, 1),
              *bare = kit_create_zoo_materials(&zoo[ZOO_BELT], NULL, 1);
    const char *names[] = {"belt", "plate", "carried", "turned"};
    kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
    MUST(tru_run(w, 50, &err));
    for (int i = 0; i < 4; i++) MUST(tru_body_remove(w, tru_body_find(w, names[i]), &err));
    check(tru_body_count(w) == 0 && tru_contact_count(w) == 0);
    check(tru_snapshot_size(w) < tru_snapshot_size(bare) + 10000); /* of it events */
    const uint64_t before = tru_steps_done(w);
    check_status(tru_run(w, 10, &err), TRU_OK);
    check(tru_steps_done(w) == before + 10);
    tru_world_destroy(w);
    tru_world_destroy(bare);
}

/* ---- ids, late bodies, steps that fail: the world stays as it was ---- */

TEST(stale_ids) {
    tru_error err;
    tru_body_state s;
    tru_body_info info;
    tru_shape_def shape;
    tru_contact_info contact;
    tru_world *w = at_rest();
    const tru_id gone = tru_body_find(w, "two"), ids[] = {gone, TRU_NONE, 999, UINT64_MAX};
    s = kit_get_state(w, gone);
    MUST(tru_body_remove(w, gone, &err));
    const uint64_t before = tru_state_hash(w);
    for (int i = 0; i < 4; i++) {
        const tru_load_def load = {.body = ids[i], .force = {1.0, 0.0, 0.0}};
        const tru_motion_def motion = {.body = ids[i]};
        check_status(tru_body_get(w, ids[i], &s, &err), TRU_STALE_ID);
        check_status(tru_body_set(w, ids[i], &s, &err), TRU_STALE_ID);
        check_status(tru_body_describe(w, ids[i], &info, &err), TRU_STALE_ID);
        check_status(tru_body_shape(w, ids[i], 0, &shape, &err), TRU_STALE_ID);
        check_status(tru_body_remove(w, ids[i], &err), TRU_STALE_ID);
        check_status(tru_load_add(w, &load, NULL, &err), ids[i] ? TRU_STALE_ID : TRU_BAD_ARGUMENT); /* missing */
        check_status(tru_motion_set(w, &motion, &err), ids[i] ? TRU_STALE_ID : TRU_BAD_ARGUMENT);
        check(err.text[0] != '\0');
    }
    check_status(tru_contact_get(w, tru_contact_count(w), &contact, &err), TRU_STALE_ID);
    check_status(tru_body_shape(w, tru_body_find(w, "one"), 1, &shape, &err), TRU_BAD_ARGUMENT);
    check_status(tru_body_shape(w, tru_body_find(w, "one"), -1, &shape, &err), TRU_BAD_ARGUMENT);
    check(tru_state_hash(w) == before);
    kit_add_solid_ball(w, "two", 0.1, (tru_vec3){0.0, 0.0, 9.0}, zero, zero);
    check_status(tru_body_get(w, gone, &s, &err), TRU_STALE_ID); /* the new one has another id */
    tru_world_destroy(w);
}

/* A body that comes in the middle of a run is held to the same limit of overlap as those at the start. */
TEST(overlap_of_a_late_body) {
    tru_error err;
    tru_world *w = at_rest();
    const tru_id bad = kit_add_solid_ball(w, "bad", 0.1, (tru_vec3){-1.0, 0.0, 0.2}, zero, zero);
    const uint64_t before = tru_state_hash(w), steps = tru_steps_done(w);
    check_status(tru_run(w, 1, &err), TRU_OVERLAP);
    check(strstr(err.text, "'one'") && strstr(err.text, "'bad'"));
    check_status(tru_run(w, 1, &err), TRU_OVERLAP); /* and again */
    check(tru_state_hash(w) == before && tru_steps_done(w) == steps);
    const size_t bytes = tru_snapshot_size(w);
    void *s = malloc(bytes);
    if (!s) exit(1);
    MUST(tru_snapshot_save(w, s, bytes, &err));
    MUST(tru_snapshot_load(w, s, bytes, &err));
    check_status(tru_run(w, 1, &err), TRU_OVERLAP); /* a snapshot does not make it pass */
    free(s);
    MUST(tru_body_remove(w, bad, &err));
    check_status(tru_run(w, 1, &err), TRU_OK);
    kit_add_solid_ball(w, "good", 0.1, (tru_vec3){-1.0, 0.0, 0.2999}, zero, zero);
    check_status(tru_run(w, 1, &err), TRU_OK);
    tru_world_destroy(w);
}

/* A step that ends in infinities is taken back as a whole: bodies, contacts, ledger, time. */
TEST(step_that_blows_up) {
    tru_error err;
    tru_verdict verdict;
    for (int scheme = 0; scheme < 2; scheme++) {
        tru_world *w = at_rest();
        kit_set_moreau(w, 1e-3, scheme);
        MUST(tru_run(w, 5, &err));
        const tru_knot late[] = {{tru_time(w) + 2.2e-3, 0.0}, {tru_time(w) + 2.4e-3, 1.0}};
        const tru_load_def load = {.body = tru_body_find(w, "two"),
                                   .force = {1e308, 1e308, 0.0},
                                   .torque = {0.0, 0.0, 1e308},
                                   .knots = late,
                                   .knot_count = 2};
        MUST(tru_load_add(w, &load, NULL, &err));
        MUST(tru_run(w, 2, &err));
        check_status(tru_judge(w, &verdict, &err), TRU_OK);
        const uint64_t before = tru_state_hash(w);
        const double time = tru_time(w);
        const size_t contacts = tru_contact_count(w);
        check_status(tru_run(w, 10, &err), TRU_NOT_FINITE);
        check(strstr(err.text, "'two'") != NULL);
        check(tru_state_hash(w) == before && tru_time(w) == time && tru_contact_count(w) == contacts);
        check_status(tru_judge(w, &verdict, &err), TRU_BAD_ARGUMENT); /* there is no whole step to judge */
        check_status(tru_run(w, 1, &err), TRU_NOT_FINITE);
        MUST(tru_body_remove(w, tru_body_find(w, "two"), &err));
        check_status(tru_run(w, 100, &err), TRU_OK);
        check_status(tru_judge(w, &verdict, &err), TRU_OK);
        check(verdict.momentum < 1e-12 && gap_of(w) < 1e-12);
        tru_world_destroy(w);
    }
}

/* ---- the judge, memory, pairs that pass, shortest steps ---- */

/* The judge speaks of a step only while bodies, loads and motions are as that step left them. */
TEST(judge_after_changes) {
    tru_error err;
    tru_verdict verdict;
    for (int change = 0; change < 6; change++) {
        tru_world *w = kit_create_zoo_world(&zoo[ZOO_BELT], NULL, 1);
        kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
        check_status(tru_judge(w, &verdict, &err), TRU_BAD_ARGUMENT); /* no step yet */
        MUST(tru_run(w, 60, &err));
        check_status(tru_judge(w, &verdict, &err), TRU_OK);
        const tru_id ball = tru_body_find(w, "carried");
        tru_body_state s = kit_get_state(w, ball);
        const tru_load_def load = {.body = ball, .force = {0.0, 0.0, 1.0}};
        const tru_motion_def motion = {.body = tru_body_find(w, "belt"), .belt = true, .velocity = {9.0, 0.0, 0.0}};
        s.velocity.x += 1.0;
        if (change == 0) MUST(tru_body_set(w, ball, &s, &err));
        if (change == 1) MUST(tru_load_add(w, &load, NULL, &err));
        if (change == 2) MUST(tru_motion_set(w, &motion, &err));
        if (change == 3) MUST(tru_body_remove(w, ball, &err));
        if (change == 4) kit_add_solid_ball(w, "late", 0.1, (tru_vec3){0.0, 0.0, 9.0}, zero, zero);
        if (change == 5) kit_set_moreau(w, 2e-3, TRU_PAPER);
        check_status(tru_judge(w, &verdict, &err), TRU_BAD_ARGUMENT);
        MUST(tru_run(w, 1, &err));
        check_status(tru_judge(w, &verdict, &err), TRU_OK);
        check(verdict.momentum < 1e-12 && verdict.spin < 1e-12);
        tru_world_destroy(w);
    }
}

TEST(room_for_many_bodies) {
    tru_error err;
    tru_world *w = at_rest();
    const uint64_t before = tru_state_hash(w);
    check(tru_body_reserve(w, 100000, &err) == TRU_OK);
    check(tru_body_reserve(w, SIZE_MAX / 4, &err) == TRU_NO_MEMORY);
    check(strncmp(err.text, "out of memory: 4611686018427387903 more bodies need at least ", 61) == 0);
    check(tru_body_reserve(NULL, 1, &err) == TRU_BAD_ARGUMENT);
    check_str(err.text, "tru_body_reserve needs a world");
    check(tru_state_hash(w) == before);
    tru_world_destroy(w);
}

/* Two balls on one line: they swap their velocities, or none notices the other. */
TEST(bodies_that_pass_through_each_other) {
    tru_error err;
    for (int pass = 0; pass < 2; pass++) {
        const zoo_scene scene = {"pass", 1e-3, 0, zoo_ball_defs, NULL, NULL};
        tru_world *w = kit_create_zoo_materials(&scene, NULL, 1);
        tru_body_state state;
        tru_pair_def pair = tru_default_pair_def();
        pair.pass = pass;
        pair.restitution = pass ? 0.0 : 1.0;
        MUST(tru_pair_set(w, &pair, &err));
        kit_add_solid_ball(w, "one", 0.1, (tru_vec3){-0.3, 0.0, 0.0}, (tru_vec3){1.0, 0.0, 0.0}, zero);
        kit_add_solid_ball(w, "two", 0.1, (tru_vec3){0.3, 0.0, 0.0}, (tru_vec3){-1.0, 0.0, 0.0}, zero);
        kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
        MUST(tru_run(w, 600, &err));
        MUST(tru_body_get(w, tru_body_find(w, "one"), &state, &err));
        check_close(state.velocity.x, pass ? 1.0 : -1.0, 1e-12, 0.0);
        tru_world_destroy(w);
    }
}

/* Steps too short to compute with are refused before one is made: in themselves, and where time has gone far. */
TEST(steps_that_are_too_short) {
    tru_error err;
    tru_world *w = kit_create_zoo_world(&zoo[0], NULL, 1);
    kit_set_moreau(w, 1e-300, TRU_MIDPOINT);
    check_status(tru_run(w, 1, &err), TRU_OUT_OF_RANGE);
    check_str(err.text, "a step of 1e-300 s is too short: its square is 0");
    kit_set_moreau(w, 1.0, TRU_MIDPOINT);
    MUST(tru_run(w, 1, &err));
    kit_set_moreau(w, 1e-17, TRU_MIDPOINT);
    check_status(tru_run(w, 1, &err), TRU_OUT_OF_RANGE);
    check_str(err.text, "a step of 1e-17 s is too short: the time 1 s does not change by it");
    tru_world_destroy(w);
}
