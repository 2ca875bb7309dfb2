/* test_body_state_api.c: views, packed copies and sets of many bodies; contacts and joints in one call. */
#include "check.h"
#include "zoo.h"

/* A zoo scene with stepper moreau after some steps. */
static tru_world *running(int scene, uint64_t steps) {
    tru_error err;
    tru_world *w = kit_create_zoo_world(&zoo[scene], NULL, 1);
    kit_set_moreau(w, zoo[scene].step, TRU_MIDPOINT);
    MUST(tru_run(w, steps, &err));
    return w;
}

static const tru_body_state *state_at(const tru_body_view *v, size_t k) {
    return (const tru_body_state *)(const void *)((const char *)v->state + k * v->stride);
}

static tru_id id_at(const tru_body_view *v, size_t k) {
    return *(const tru_id *)(const void *)((const char *)v->id + k * v->stride);
}

/* What is at the places that a view names is what tru_body_get tells. */
static void check_view(const tru_world *w, const tru_body_view *v) {
    tru_error err;
    check_status(tru_bodies_check(w, v, &err), TRU_OK);
    check(v->count == tru_body_count(w));
    for (size_t k = 0; k < v->count; k++) {
        const tru_body_state s = kit_get_state(w, tru_body_at(w, k));
        check(id_at(v, k) == tru_body_at(w, k));
        check(memcmp(state_at(v, k), &s, sizeof s) == 0);
    }
}

TEST(a_view_shows_every_step_in_place) {
    tru_error err;
    tru_world *w = running(ZOO_CROWD, 10);
    const tru_body_view v = tru_bodies_view(w);
    check_view(w, &v);
    const uint64_t before = kit_hash_states(w);
    MUST(tru_run(w, 10, &err));
    check(kit_hash_states(w) != before);
    check_view(w, &v);
    tru_world_destroy(w);
}

TEST(a_world_without_bodies_has_an_empty_view) {
    tru_error err;
    tru_world *w = kit_create_world((tru_vec3){0, 0, 0});
    const tru_body_view v = tru_bodies_view(w);
    check(!v.state && !v.id && v.count == 0);
    check_status(tru_bodies_check(w, &v, &err), TRU_OK);
    check_status(tru_bodies_set(w, NULL, NULL, 0, &err), TRU_OK);
    check_status(tru_contacts_get(w, NULL, 0, &err), TRU_OK);
    check_status(tru_joints_get(w, NULL, 0, &err), TRU_OK);
    tru_world_destroy(w);
}

/* ---- stale views ---- */

static void add_ball(tru_world *w) { kit_add_ball(w, 0.1, 1.0, (tru_vec3){0, 0, 0}, (tru_vec3){0, 0, 0}); }

static void remove_last(tru_world *w) {
    tru_error err;
    MUST(tru_body_remove(w, tru_body_at(w, tru_body_count(w) - 1), &err));
}

static void reserve(tru_world *w) {
    tru_error err;
    MUST(tru_body_reserve(w, 1000, &err));
}

static void save_and_load(tru_world *w) {
    tru_error err;
    const size_t bytes = tru_snapshot_size(w);
    void *buffer = malloc(bytes);
    if (!buffer) exit(1);
    MUST(tru_snapshot_save(w, buffer, bytes, &err));
    MUST(tru_snapshot_load(w, buffer, bytes, &err));
    free(buffer);
}

/* Fails after the bodies have moved in memory. */
static void add_in_vain(tru_world *w) {
    tru_error err;
    const tru_sphere ball = {0.1};
    tru_shape_def shape = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    shape.shape = (tru_use){"sphere", &ball};
    b.shapes = &shape;
    b.shape_count = 1;
    for (size_t n = tru_body_count(w); n < 64; n++) add_ball(w);
    check_status(tru_body_add(w, &b, NULL, &err), TRU_BAD_ARGUMENT); /* neither mass nor density */
}

TEST(a_view_becomes_stale) {
    void (*const calls[])(tru_world *) = {add_ball, remove_last, reserve, save_and_load, add_in_vain};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        tru_error err;
        tru_world *w = running(ZOO_BALL, 5);
        const tru_body_view v = tru_bodies_view(w);
        calls[i](w);
        check_status(tru_bodies_check(w, &v, &err), TRU_STALE_ID);
        const tru_body_view now = tru_bodies_view(w);
        check_view(w, &now);
        tru_world_destroy(w);
    }
}

TEST(a_stale_view_is_told_in_a_sentence) {
    tru_error err;
    tru_world *w = running(ZOO_BALL, 5), *other = running(ZOO_BALL, 5);
    tru_body_view v = tru_bodies_view(w);
    check_status(tru_bodies_check(other, &v, &err), TRU_STALE_ID);
    check_str(err.text, "view of bodies: it is of another world");
    v.generation = 1;
    check_status(tru_bodies_check(w, &v, &err), TRU_STALE_ID);
    check_str(err.text,
              "view of bodies: generation is 1, must be 2; bodies were added, removed or loaded since, so call "
              "tru_bodies_view again");
    check_status(tru_bodies_check(w, NULL, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "tru_bodies_check needs a world and a view");
    tru_world_destroy(w);
    tru_world_destroy(other);
}

/* ---- packed copies ---- */

enum { MOST = 40 };

TEST(copies_are_packed) {
    tru_error err;
    tru_id ids[MOST];
    tru_body_state states[MOST], again[MOST];
    tru_world *w = running(ZOO_CROWD, 20);
    const size_t n = tru_body_count(w);
    MUST(tru_bodies_get(w, ids, states, MOST, &err));
    MUST(tru_bodies_get(w, NULL, again, n, &err));
    check(memcmp(states, again, n * sizeof *states) == 0);
    for (size_t k = 0; k < n; k++) {
        const tru_body_state s = kit_get_state(w, ids[k]);
        check(ids[k] == tru_body_at(w, k) && memcmp(&s, &states[k], sizeof s) == 0);
    }
    check_status(tru_bodies_get(w, ids, NULL, n - 1, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "tru_bodies_get: room is 9, must be at least 10, the number of bodies");
    check_status(tru_bodies_get(w, NULL, NULL, n, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "tru_bodies_get needs a world and a place for ids or states");
    check_status(tru_body_get(w, ids[0], NULL, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "tru_body_get needs a place for the state");
    tru_world_destroy(w);
}

/* ---- many at once ---- */

/* Moves all free bodies and changes their velocities. Returns how many. */
static size_t other_states(const tru_world *w, tru_id *ids, tru_body_state *states) {
    tru_error err;
    size_t count = 0;
    for (size_t k = 0; k < tru_body_count(w); k++) {
        tru_body_info info;
        const tru_id id = tru_body_at(w, k);
        MUST(tru_body_describe(w, id, &info, &err));
        if (info.kind != TRU_FREE) continue;
        states[count] = kit_get_state(w, id);
        states[count].position.z += 1e-3;
        states[count].velocity.x += 0.1 * (double)k;
        ids[count++] = id;
    }
    return count;
}

TEST(many_are_set_as_one_by_one) {
    tru_error err;
    tru_id ids[MOST];
    tru_body_state states[MOST];
    tru_world *w = running(ZOO_CROWD, 20), *one = running(ZOO_CROWD, 20);
    const size_t n = other_states(w, ids, states);
    check(n > 5);
    MUST(tru_bodies_set(w, ids, states, n, &err));
    for (size_t k = 0; k < n; k++) MUST(tru_body_set(one, ids[k], &states[k], &err));
    check(tru_state_hash(w) == tru_state_hash(one));
    check_close(kit_get_state(w, ids[n - 1]).velocity.x, states[n - 1].velocity.x, 0.0, 0.0);
    MUST(tru_run(w, 20, &err));
    MUST(tru_run(one, 20, &err));
    check(tru_state_hash(w) == tru_state_hash(one));
    tru_world_destroy(w);
    tru_world_destroy(one);
}

TEST(all_are_set_or_none) {
    tru_error err;
    tru_id ids[MOST];
    tru_body_state states[MOST], all[MOST];
    tru_world *w = running(ZOO_CROWD, 20);
    const size_t n = other_states(w, ids, states);
    const uint64_t hash = tru_state_hash(w);
    const tru_body_state good = states[n - 1];
    states[n - 1].velocity.y = NAN;
    check_status(tru_bodies_set(w, ids, states, n, &err), TRU_OUT_OF_RANGE);
    states[n - 1] = good;
    states[n - 1].position.x = INFINITY;
    check_status(tru_bodies_set(w, ids, states, n, &err), TRU_OUT_OF_RANGE);
    states[n - 1] = good;
    states[n - 1].orientation = (tru_quat){0, 0, 0, 0};
    check_status(tru_bodies_set(w, ids, states, n, &err), TRU_OUT_OF_RANGE);
    states[n - 1] = good;
    ids[n - 1] = 77;
    check_status(tru_bodies_set(w, ids, states, n, &err), TRU_STALE_ID);
    check_str(err.text, "body 77 does not exist");
    MUST(tru_bodies_get(w, NULL, all, MOST, &err));
    check_status(tru_bodies_set(w, NULL, all, 9, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "tru_bodies_set: count is 9, must be 10, the number of bodies; give ids to set some of them");
    check_status(tru_bodies_set(w, ids, NULL, 2, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "tru_bodies_set needs a world and states");
    check(tru_state_hash(w) == hash);
    tru_world_destroy(w);
}

/* A driven body has a velocity, and may keep it: so what tru_bodies_get copied can be set as a whole. */
TEST(a_copy_of_all_can_be_set) {
    tru_error err;
    tru_body_state all[MOST];
    tru_world *w = running(ZOO_BELT, 20);
    const uint64_t hash = tru_state_hash(w);
    MUST(tru_bodies_get(w, NULL, all, MOST, &err));
    MUST(tru_bodies_set(w, NULL, all, tru_body_count(w), &err));
    check(tru_state_hash(w) == hash);
    for (size_t k = 0; k < tru_body_count(w); k++) all[k].position.x += 0.25;
    MUST(tru_bodies_set(w, NULL, all, tru_body_count(w), &err));
    for (size_t k = 0; k < tru_body_count(w); k++)
        check_close(kit_get_state(w, tru_body_at(w, k)).position.x, all[k].position.x, 0.0, 0.0);
    tru_world_destroy(w);
}

/* ---- joints ---- */

/* Two boxes held together by a hinge, in free fall. */
static tru_world *create_pair(tru_id ids[2]) {
    tru_error err;
    const tru_box box = {{0.2, 0.1, 0.1}};
    tru_world *w = kit_create_world((tru_vec3){0, 0, -9.81});
    kit_set_dry_pair(w, 0.3, 0.0, 0.0, 0.0);
    for (int k = 0; k < 2; k++)
        ids[k] = kit_add_body(
            w, {.name = k ? "right" : "left", .shape = {"box", &box}, .mass = 1.0, .position = {0.2 * k, 0.0, 0.0}});
    kit_add_joint(w, "hinge", "hinge", NULL, ids[0], ids[1], (tru_vec3){0.1, 0.0, 0.0}, (tru_vec3){0, 1, 0});
    kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
    MUST(tru_run(w, 10, &err));
    return w;
}

TEST(a_joint_keeps_its_bodies) {
    tru_error err;
    tru_id ids[2];
    tru_body_state s[2];
    tru_world *w = create_pair(ids);
    const uint64_t hash = tru_state_hash(w);
    MUST(tru_bodies_get(w, NULL, s, 2, &err));
    s[1].position.x += 0.5;
    check_status(tru_body_set(w, ids[1], &s[1], &err), TRU_CONFLICT);
    check_str(err.text, "joint 'hinge' (hinge): bodies 'left' and 'right' are 0.5 m away from where it holds them; "
                        "tru_bodies_set moves both at once");
    check_status(tru_bodies_set(w, NULL, s, 2, &err), TRU_CONFLICT);
    check(tru_state_hash(w) == hash);
    s[0].position.x += 0.5;
    check_status(tru_bodies_set(w, NULL, s, 2, &err), TRU_OK);
    check_close(kit_get_state(w, ids[0]).position.x, s[0].position.x, 0.0, 0.0);
    s[1].velocity.y += 1.0; /* the joint answers in the next step */
    check_status(tru_body_set(w, ids[1], &s[1], &err), TRU_OK);
    check_status(tru_run(w, 10, &err), TRU_OK);
    tru_world_destroy(w);
}

/* ---- contacts and joints ---- */

TEST(contacts_in_one_call) {
    enum { ROOM = 100 };
    static tru_contact_info all[ROOM];
    tru_error err;
    int ran = 0;
    for (size_t k = 0; tru_stepper_at(k); k++) {
        tru_world *w = kit_create_zoo_world(&zoo[ZOO_BALL], NULL, 1);
        MUST(kit_set_stepper(w, tru_stepper_at(k), 0, 1e-3, &err));
        check(tru_contact_count(w) == 0);
        const bool runs = tru_check(w, &err) >= 0;
        ran += runs;
        for (int round = 0; runs && round < 2; round++) { /* at the start, and after steps */
            if (round) MUST(tru_run(w, 20, &err));
            const size_t n = tru_contact_count(w);
            check(n > 0);
            MUST(tru_contacts_get(w, all, ROOM, &err));
            for (size_t i = 0; i < n; i++) {
                tru_contact_info one;
                MUST(tru_contact_get(w, i, &one, &err));
                check(memcmp(&one, &all[i], sizeof one) == 0);
            }
            check_status(tru_contacts_get(w, all, n - 1, &err), TRU_BAD_ARGUMENT);
            check_str(err.text, "tru_contacts_get: room is 0, must be at least 1, the number of contacts");
            check_status(tru_contacts_get(w, NULL, n, &err), TRU_BAD_ARGUMENT);
            check_str(err.text, "tru_contacts_get needs a world and a place for the contacts");
        }
        tru_world_destroy(w);
    }
    check(ran >= 3); /* moreau, cone, track */
}

TEST(joints_in_one_call) {
    enum { ROOM = 20 };
    static tru_joint_info all[ROOM];
    tru_error err;
    tru_world *w = running(ZOO_MECHANISM, 20);
    const size_t n = tru_joint_count(w);
    check(n > 1);
    MUST(tru_joints_get(w, all, ROOM, &err));
    for (size_t k = 0; k < n; k++) {
        tru_joint_info one;
        MUST(tru_joint_get(w, tru_joint_id(w, k), &one, &err));
        check(one.name == all[k].name && memcmp(&one.point_a, &all[k].point_a, 9 * sizeof one.point_a) == 0);
        check(one.slips == all[k].slips && one.rate == all[k].rate);
    }
    check_status(tru_joints_get(w, all, 0, &err), TRU_BAD_ARGUMENT);
    check(strstr(err.text, "tru_joints_get: room is 0, must be at least ") == err.text);
    check_status(tru_joint_get(w, tru_joint_id(w, 0), NULL, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "tru_joint_get needs a place for the joint");
    tru_world_destroy(w);
}
