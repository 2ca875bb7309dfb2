/* Hash, save and load of a world: what the hash sees, what a damaged or foreign snapshot does (nothing). */
#include "check.h"
#include "failing_allocator.h"
#include "zoo.h"

#include "base/hash.h"
#include "math/random.h"
#include "world/world.h"

/* A world of a scene after some steps of moreau. */
static tru_world *after(int scene, uint64_t steps) {
    tru_error err;
    tru_world *w = kit_create_zoo_world(&zoo[scene], NULL, 1);
    MUST(kit_set_stepper(w, tru_stepper_at(0), 0, zoo[scene].step, &err));
    MUST(tru_run(w, steps, &err));
    return w;
}

static unsigned char *saved(const tru_world *w, size_t *bytes) {
    tru_error err;
    *bytes = tru_snapshot_size(w);
    unsigned char *buffer = malloc(*bytes);
    if (!buffer) exit(1);
    MUST(tru_snapshot_save(w, buffer, *bytes, &err));
    return buffer;
}

/* A new member of these structs changes their size: if it matters for a later bit, or to what a user can read, it
 * belongs into src/api/state; then write its new size here. */
TEST(members_that_state_knows) {
    if (sizeof(void *) != 8 || sizeof(long) != 8) {
        check_skip("sizes are those of 64-bit machines");
        return;
    }
    check_status((long long)sizeof(body), 192);
    check_status((long long)sizeof(body_gains), 48);
    check_status((long long)sizeof(body_label), 16);
    check_status((long long)sizeof(solid), 144);
    check_status((long long)sizeof(contact), 344);
    check_status((long long)sizeof(contact_end), 344);
    check_status((long long)sizeof(springs), 368);
    check_status((long long)sizeof(load), 88);
    check_status((long long)sizeof(motion), 72);
    check_status((long long)sizeof(joint), 1160);
    check_status((long long)sizeof(tru_event), 152);
    check_status((long long)sizeof(tru_solve_info), 112);
    check_status((long long)sizeof(tru_solve_totals), 128);
    check_status((long long)sizeof(struct tru_world), 1792);
}

/* ---- hash ---- */

static void add_material(tru_world *w) {
    tru_error err;
    MUST(tru_material_add(w, "felt", NULL, &err));
}

static void set_pair(tru_world *w) { kit_set_dry_pair(w, 0.31, 1.3e-3, 0.9e-3, 0.01); }

static void set_law(tru_world *w) { kit_set_dry_pair(w, 0.31, 1.3e-3, 0.91e-3, 0.0); }

static void add_load(tru_world *w) {
    tru_error err;
    const tru_load_def def = {.body = tru_body_find(w, "ball"), .force = {1e-9, 0.0, 0.0}};
    MUST(tru_load_add(w, &def, NULL, &err));
}

static void add_body(tru_world *w) {
    kit_add_solid_ball(w, "far", 0.1, (tru_vec3){9.0, 0.0, 5.0}, (tru_vec3){0.0, 0.0, 0.0}, (tru_vec3){0.0, 0.0, 0.0});
}

static void remove_body(tru_world *w) {
    tru_error err;
    MUST(tru_body_remove(w, tru_body_find(w, "floor"), &err));
}

static void add_and_remove(tru_world *w) { /* the next body gets another id */
    tru_error err;
    add_body(w);
    MUST(tru_body_remove(w, tru_body_find(w, "far"), &err));
}

static void nudge(tru_world *w) {
    tru_error err;
    const tru_id ball = tru_body_find(w, "ball");
    tru_body_state s = kit_get_state(w, ball);
    s.velocity.x = nextafter(s.velocity.x, 9.0);
    MUST(tru_body_set(w, ball, &s, &err));
}

static void one_step(tru_world *w) {
    tru_error err;
    MUST(tru_run(w, 1, &err));
}

static void other_scheme(tru_world *w) { kit_set_moreau(w, zoo[ZOO_BALL].step, TRU_PAPER); }

static void other_solver(tru_world *w) {
    tru_error err;
    tru_newton newton = tru_default_newton();
    tru_moreau m = tru_default_moreau();
    newton.tolerance = 1e-11;
    m.step = zoo[ZOO_BALL].step;
    m.solver = (tru_use){"newton", &newton};
    MUST(tru_stepper_set(w, "moreau", &m, &err));
}

TEST(hash_sees_every_change) {
    void (*const change[])(tru_world *) = {add_material,   set_pair, set_law,  add_load,     add_body,    remove_body,
                                           add_and_remove, nudge,    one_step, other_scheme, other_solver};
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        tru_world *a = after(ZOO_BALL, 20), *b = after(ZOO_BALL, 20);
        check(tru_state_hash(a) == tru_state_hash(b));
        change[i](a);
        if (!check(tru_state_hash(a) != tru_state_hash(b))) printf("change %zu\n", i);
        change[i](b);
        check(tru_state_hash(a) == tru_state_hash(b));
        tru_world_destroy(a);
        tru_world_destroy(b);
    }
}

static void take_events(tru_world *w) {
    tru_event e[8];
    while (tru_events_take(w, e, 8, NULL) > 0) continue;
}

static void threads(tru_world *w) { tru_world_set_threads(w, 2); }

static void look(tru_world *w) {
    tru_error err;
    tru_verdict v;
    MUST(tru_check(w, &err));
    MUST(tru_judge(w, &v, &err));
}

static void same_stepper(tru_world *w) { kit_set_moreau(w, zoo[ZOO_BALL].step, TRU_MIDPOINT); }

TEST(hash_is_blind_to_the_rest) {
    void (*const change[])(tru_world *) = {take_events, threads, look, same_stepper, zoo_ball_defs};
    tru_world *w = after(ZOO_BALL, 20);
    const uint64_t before = tru_state_hash(w);
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        change[i](w);
        if (!check(tru_state_hash(w) == before)) printf("change %zu\n", i);
    }
    tru_world_destroy(w);
}

/* Two materials and three pairs, set in two orders. */
TEST(order_of_pairs_does_not_matter) {
    tru_error err;
    uint64_t hash_of[2];
    for (int order = 0; order < 2; order++) {
        tru_world *w = kit_create_world(tru_default_world_def().gravity);
        MUST(tru_material_add(w, "felt", NULL, &err));
        for (int k = 0; k < 3; k++) {
            const int which = order ? 2 - k : k;
            const tru_id a[] = {TRU_NONE, 1, 2}, b[] = {TRU_NONE, 2, 2};
            kit_set_pair(w, order ? b[which] : a[which], order ? a[which] : b[which], NULL, 0, 0.1 * which);
        }
        hash_of[order] = tru_state_hash(w);
        tru_world_destroy(w);
    }
    check(hash_of[0] == hash_of[1]);
}

TEST(hash_and_save_do_not_allocate) {
    tru_error err;
    failing_allocator f = failing_begin(FAIL_NEVER);
    const tru_allocator a = failing_allocator_of(&f);
    tru_world *w = kit_create_zoo_world(&zoo[ZOO_CROWD], &a, 1);
    MUST(kit_set_stepper(w, tru_stepper_at(0), 0, 1e-3, &err));
    MUST(tru_run(w, 100, &err));
    const long before = f.calls;
    size_t bytes;
    check(tru_state_hash(w) != 0);
    unsigned char *s = saved(w, &bytes);
    check(f.calls == before);
    free(s);
    tru_world_destroy(w);
    check(f.live_blocks == 0 && f.wrong_sizes == 0);
}

/* ---- save ---- */

TEST(buffer_too_small) {
    tru_error err;
    tru_world *w = after(ZOO_BALL, 20);
    const size_t bytes = tru_snapshot_size(w);
    unsigned char *buffer = malloc(bytes + 8);
    if (!buffer) exit(1);
    memset(buffer, 0xEE, bytes + 8);
    for (size_t room = 0; room < bytes; room += 1 + room / 7) {
        check_status(tru_snapshot_save(w, buffer, room, &err), TRU_BAD_ARGUMENT);
        check(buffer[room] == 0xEE);
    }
    check_status(tru_snapshot_save(w, buffer, bytes + 8, &err), TRU_OK);
    check(buffer[bytes] == 0xEE);
    check_status(tru_snapshot_save(NULL, buffer, bytes, &err), TRU_BAD_ARGUMENT);
    check_status(tru_snapshot_save(w, NULL, bytes, &err), TRU_BAD_ARGUMENT);
    check_status(tru_snapshot_load(NULL, buffer, bytes, &err), TRU_BAD_ARGUMENT);
    check_status(tru_snapshot_load(w, NULL, bytes, &err), TRU_BAD_ARGUMENT);
    free(buffer);
    tru_world_destroy(w);
}

/* Snapshots of every other version are refused, older ones too: their layout is another. The version is the number behind
 * the eight bytes of the magic; nothing of the world changes. */
TEST(other_versions) {
    tru_error err;
    tru_world *w = after(ZOO_BALL, 20);
    const uint64_t before = tru_state_hash(w);
    size_t bytes;
    unsigned char *s = saved(w, &bytes);
    const int own = s[8];
    check(own > 4 && s[9] == 0 && s[10] == 0 && s[11] == 0);
    for (int version = 0; version < 256; version++) {
        char says[200];
        s[8] = (unsigned char)version;
        if (version == own) continue;
        check_status(tru_snapshot_load(w, s, bytes, &err), TRU_DAMAGED);
        snprintf(says, sizeof says,
                 "the snapshot has version %d, this library reads version %d; load it with the Trundle that saved it",
                 version, own);
        check_str(err.text, says);
        check(tru_state_hash(w) == before);
    }
    s[8] = (unsigned char)own;
    check_status(tru_snapshot_load(w, s, bytes, &err), TRU_OK);
    free(s);
    tru_world_destroy(w);
}

/* A world without anything, and one whose bodies have not moved yet. */
TEST(saves_of_little) {
    tru_error err;
    for (int i = 0; i < 2; i++) {
        tru_world *w =
            i ? kit_create_zoo_world(&zoo[ZOO_BELT], NULL, 1) : kit_create_zoo_materials(&zoo[ZOO_BELT], NULL, 1);
        tru_world *other = kit_create_zoo_materials(&zoo[ZOO_BELT], NULL, 1);
        size_t bytes;
        unsigned char *s = saved(w, &bytes);
        check_status(tru_snapshot_load(other, s, bytes, &err), TRU_OK);
        check(tru_state_hash(w) == tru_state_hash(other));
        check(tru_body_count(other) == tru_body_count(w));
        free(s);
        tru_world_destroy(w);
        tru_world_destroy(other);
    }
}

/* A body that was allowed to overlap still is, and a run that has lost events knows how many. */
TEST(small_print) {
    tru_error err;
    tru_world *w = kit_create_zoo_world(&zoo[ZOO_BOX], NULL, 1),
              *other = kit_create_zoo_materials(&zoo[ZOO_BOX], NULL, 1);
    const tru_sphere sphere = {0.1};
    kit_add_body(
        w, {.shape = {"sphere", &sphere}, .density = 1000.0, .position = {3.0, 0.0, 0.09}, .allow_overlap = true});
    kit_set_moreau(w, 1e-3, TRU_PAPER);
    kit_set_moreau(other, 1e-3, TRU_PAPER);
    size_t bytes;
    unsigned char *s = saved(w, &bytes);
    MUST(tru_snapshot_load(other, s, bytes, &err));
    check_status(tru_check(other, &err), TRU_OK);
    free(s);
    for (int i = 0; i <= EVENT_ROOM; i++) trui_world_event(w, &(tru_event){.kind = TRU_EVENT_TOUCH});
    s = saved(w, &bytes);
    MUST(tru_snapshot_load(other, s, bytes, &err));
    uint64_t lost = 0;
    tru_event e;
    check(tru_events_take(other, &e, 1, &lost) == 1);
    check(lost > 0 && lost == w->events.lost);
    free(s);
    tru_world_destroy(w);
    tru_world_destroy(other);
}

/* ---- foreign and damaged snapshots ---- */

static void refuse(tru_world *w, const unsigned char *s, size_t bytes, const char *sentence) {
    tru_error err = {TRU_OK, ""};
    const uint64_t before = tru_state_hash(w);
    check_status(tru_snapshot_load(w, s, bytes, &err), TRU_DAMAGED);
    check_status(err.status, TRU_DAMAGED);
    check_str(err.text, sentence);
    check(tru_state_hash(w) == before);
}

TEST(other_definitions) {
    tru_error err;
    tru_world *w = after(ZOO_BALL, 20), *heavy, *other;
    size_t bytes;
    unsigned char *s = saved(w, &bytes);
    tru_world_def def = tru_default_world_def();
    def.gravity.z = -1.62;
    MUST(tru_world_create(&def, &heavy, &err));
    zoo_ball_defs(heavy);
    refuse(heavy, s, bytes, "the snapshot belongs to a world with another gravity");
    other = kit_create_zoo_materials(&zoo[ZOO_BALL], NULL, 1);
    add_material(other);
    refuse(other, s, bytes, "the snapshot belongs to a world with other materials");
    tru_world_destroy(other);
    other = kit_create_zoo_materials(&zoo[ZOO_BALL], NULL, 1);
    set_law(other);
    refuse(other, s, bytes, "the snapshot belongs to a world with other pairs of materials or laws");
    zoo_ball_defs(other);
    check_status(tru_snapshot_load(other, s, bytes, &err), TRU_OK);
    free(s);
    tru_world_destroy(w);
    tru_world_destroy(heavy);
    tru_world_destroy(other);
}

/* Another step: the clock continues from where it was. */
TEST(other_step) {
    tru_error err;
    tru_world *w = after(ZOO_BALL, 20), *other = kit_create_zoo_materials(&zoo[ZOO_BALL], NULL, 1);
    size_t bytes;
    unsigned char *s = saved(w, &bytes);
    kit_set_moreau(other, 0.5e-3, TRU_PAPER);
    MUST(tru_snapshot_load(other, s, bytes, &err));
    check(tru_time(other) == tru_time(w) && tru_step_size(other) == 0.5e-3 && tru_steps_done(other) == 20);
    MUST(tru_run(other, 2, &err));
    check_close(tru_time(other), tru_time(w) + 1e-3, 1e-15, 0.0);
    free(s);
    tru_world_destroy(w);
    tru_world_destroy(other);
}

TEST(truncated_and_flipped) {
    tru_error err;
    tru_world *w = after(ZOO_CROWD, 300), *other = after(ZOO_CROWD, 10);
    size_t bytes;
    unsigned char *s = saved(w, &bytes);
    const uint64_t before = tru_state_hash(other);
    for (size_t n = 0; n < bytes; n += 1 + n / 50) check_status(tru_snapshot_load(other, s, n, &err), TRU_DAMAGED);
    for (size_t i = 0; i < bytes; i += 1 + i / 100) {
        const unsigned char bit = (unsigned char)(1u << (i % 8));
        s[i] ^= bit;
        if (!check_status(tru_snapshot_load(other, s, bytes, &err), TRU_DAMAGED)) printf("byte %zu\n", i);
        s[i] ^= bit;
    }
    check(tru_state_hash(other) == before);
    check_status(tru_snapshot_load(other, s, bytes, &err), TRU_OK);
    check(tru_state_hash(other) == tru_state_hash(w));
    free(s);
    tru_world_destroy(w);
    tru_world_destroy(other);
}

/* Writes length and hash again, so that the damage is not noticed by them. */
static void seal(unsigned char *s, size_t bytes) {
    hash h = trui_hash_begin();
    for (size_t i = 0; i < 8; i++) s[16 + i] = (unsigned char)((uint64_t)bytes >> (8 * i));
    trui_hash_bytes(&h, s, bytes - 8);
    for (size_t i = 0; i < 8; i++) s[bytes - 8 + i] = (unsigned char)(trui_hash_end(&h) >> (8 * i));
}

/* A believable snapshot with a wrong byte or end either fails and changes nothing, or gives a world that can be run:
 * statuses, never a crash. The address sanitizer looks on in preset asan. */
static void believe(const zoo_scene *scene, uint64_t seed, uint64_t id, tru_world *source) {
    tru_error err;
    size_t bytes;
    unsigned char *s = saved(source, &bytes);
    long taken = 0, refused = 0;
    for (uint64_t i = 0; i < 1500; i++) {
        unsigned char *copy = malloc(bytes);
        if (!copy) exit(1);
        memcpy(copy, s, bytes);
        const size_t at = 24 + (size_t)(tru_random_u64(seed, id, 3 * i) % (bytes - 32));
        const size_t length = i % 5 == 4 ? at + 8 : bytes;
        copy[at] = (unsigned char)tru_random_u64(seed, id, 3 * i + 1);
        seal(copy, length);
        tru_world *w = kit_create_zoo_world(scene, NULL, 1);
        MUST(kit_set_stepper(w, tru_stepper_at(0), 0, scene->step, &err));
        const uint64_t before = tru_state_hash(w);
        if (tru_snapshot_load(w, copy, length, &err) < 0) {
            refused++;
            check(err.status == TRU_DAMAGED && tru_state_hash(w) == before);
        } else {
            tru_verdict verdict;
            taken++;
            tru_judge(w, &verdict, &err);
            tru_run(w, 2, &err);
            tru_state_hash(w);
        }
        tru_world_destroy(w);
        free(copy);
    }
    check(taken > 0 && refused > 0);
    free(s);
}

TEST(lies) {
    const uint64_t seed = check_seed();
    const int scenes[] = {ZOO_ROLLING_DISK, ZOO_THIN_DISK, ZOO_BOX, ZOO_CROWD, ZOO_BELT, ZOO_COMPOUND};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        tru_world *w = after(scenes[i], 400);
        check(tru_contact_count(w) > 0);
        believe(&zoo[scenes[i]], seed, i, w);
        tru_world_destroy(w);
    }
}
