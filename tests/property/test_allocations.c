/* Memory: every call that allocates survives the failing of its k-th allocation, for all k, with the world unchanged;
 * a steady step allocates nothing. */
#include "check.h"
#include "failing_allocator.h"
#include "zoo.h"

/* A world, its allocator, and what the calls need. */
typedef struct stage {
    failing_allocator f;
    tru_allocator a;
    tru_world *w;
    void *snapshot;
    size_t bytes;
} stage;

typedef struct trial {
    const char *name;
    void (*prepare)(stage *s);
    tru_status (*call)(stage *s, tru_error *err);
} trial;

/* ---- scenes at rest ---- */

static void resting_disk(tru_world *w) {
    const tru_disk disk = {0.1, 0.0};
    const tru_vec3 zero = {0.0, 0.0, 0.0};
    kit_add_floor(w);
    kit_add_solid(w, "disk", TRU_FREE, "disk", &disk, zero, (tru_quat){1.0, 0.0, 0.0, 0.0}, zero, zero);
}

static void resting_box(tru_world *w) {
    const tru_box box = {{0.2, 0.15, 0.1}};
    const tru_vec3 zero = {0.0, 0.0, 0.0};
    kit_add_floor(w);
    kit_add_solid(w, "box", TRU_FREE, "box", &box, (tru_vec3){0.0, 0.0, 0.05}, kit_turn_about(0.3, 0.0, 0.0, 1.0), zero,
                  zero);
}

/* Eight balls on the floor, some of them touching. */
static void resting_balls(tru_world *w) {
    const tru_vec3 zero = {0.0, 0.0, 0.0};
    kit_add_floor(w);
    for (int i = 0; i < 8; i++)
        kit_add_solid_ball(w, NULL, 0.1, (tru_vec3){0.2 * (i / 2) + 0.1 * (i / 4), 0.2 * (i % 2), 0.1}, zero, zero);
}

static const zoo_scene resting[] = {
    {"disk at rest", 1e-3, 1000, zoo_slide_defs, resting_disk, NULL},
    {"box at rest", 1e-3, 1000, zoo_slide_defs, resting_box, NULL},
    {"balls at rest", 1e-3, 1000, zoo_ball_defs, resting_balls, NULL},
};

/* ---- what is on stage ---- */

static void play(stage *s, const zoo_scene *scene) {
    s->f = failing_begin(FAIL_NEVER);
    s->a = failing_allocator_of(&s->f);
    s->w = kit_create_zoo_world(scene, &s->a, 1);
}

static void on_stage(stage *s, int scene) { play(s, &zoo[scene]); }

static void after(stage *s, int scene, uint64_t steps) {
    tru_error err;
    on_stage(s, scene);
    MUST(kit_set_stepper(s->w, tru_stepper_at(0), 0, zoo[scene].step, &err));
    MUST(tru_run(s->w, steps, &err));
}

static void fresh_ball(stage *s) { on_stage(s, ZOO_BALL); }
static void fresh_belt(stage *s) { on_stage(s, ZOO_BELT); }
static void running_ball(stage *s) { after(s, ZOO_BALL, 5); }
static void running_box(stage *s) { after(s, ZOO_BOX, 500); }

static void fresh_with_stepper(stage *s) {
    tru_error err;
    on_stage(s, ZOO_CROWD);
    MUST(kit_set_stepper(s->w, tru_stepper_at(0), 0, zoo[ZOO_CROWD].step, &err));
}

/* Arrays grow from 8 to 12: the next one needs room. */
static void eight_materials(stage *s) {
    tru_error err;
    on_stage(s, ZOO_BALL);
    for (int i = 0; i < 7; i++) {
        char name[8];
        snprintf(name, sizeof name, "m%d", i);
        MUST(tru_material_add(s->w, name, NULL, &err));
    }
}

static void with_snapshot(stage *s) {
    tru_error err;
    after(s, ZOO_CROWD, 300);
    s->bytes = tru_snapshot_size(s->w);
    s->snapshot = malloc(s->bytes);
    if (!s->snapshot) exit(1);
    MUST(tru_snapshot_save(s->w, s->snapshot, s->bytes, &err));
    MUST(tru_run(s->w, 20, &err));
}

static void with_belt_snapshot(stage *s) {
    tru_error err;
    after(s, ZOO_BELT, 50);
    s->bytes = tru_snapshot_size(s->w);
    s->snapshot = malloc(s->bytes);
    if (!s->snapshot) exit(1);
    MUST(tru_snapshot_save(s->w, s->snapshot, s->bytes, &err));
    MUST(tru_run(s->w, 20, &err));
}

/* A running box and as many pairs as fit before the array of pairs grows. */
static void eight_pairs(stage *s) {
    running_box(s);
    for (int i = 0; i < 7; i++) {
        char name[8];
        tru_error err;
        snprintf(name, sizeof name, "m%d", i);
        MUST(tru_material_add(s->w, name, NULL, &err));
        kit_set_pair(s->w, (tru_id)i + 2, (tru_id)i + 2, NULL, 0, 0.0);
    }
}

static void leave(stage *s) {
    tru_world_destroy(s->w);
    free(s->snapshot);
    check(s->f.live_blocks == 0 && s->f.live_bytes == 0 && s->f.wrong_sizes == 0);
}

/* ---- calls ---- */

static tru_status add_material(stage *s, tru_error *err) { return tru_material_add(s->w, "felt", NULL, err); }

static tru_status set_pair_of(stage *s, tru_id a, tru_id b, tru_error *err) {
    tru_coulomb coulomb = tru_default_coulomb();
    tru_rolling rolling = tru_default_rolling();
    coulomb.slide = 0.2;
    rolling.roll.length = 1e-3;
    const tru_use laws[] = {{"coulomb", &coulomb}, {"rolling", &rolling}};
    const tru_pair_def def = {.a = a, .b = b, .laws = laws, .law_count = 2, .restitution = 0.5};
    return tru_pair_set(s->w, &def, err);
}

static tru_status add_pair(stage *s, tru_error *err) { return set_pair_of(s, 1, 1, err); }
static tru_status replace_pair(stage *s, tru_error *err) { return set_pair_of(s, TRU_NONE, TRU_NONE, err); }

/* A law with memory: contacts get rows of history. */
static tru_status set_history(stage *s, tru_error *err) {
    tru_contensou contensou = tru_default_contensou();
    contensou.slide = 0.2;
    contensou.patch = 1e-3;
    const tru_use law = {"contensou", &contensou};
    const tru_pair_def def = {.a = 1, .b = 1, .laws = &law, .law_count = 1};
    return tru_pair_set(s->w, &def, err);
}

static unsigned no_claims(const void *params) {
    (void)params;
    return 0;
}
static void no_preparation(const void *params, const tru_contact *contact, double work[TRU_LAW_WORK]) {
    (void)params, (void)contact, (void)work;
}
static void no_section(const double work[TRU_LAW_WORK], double *memory, tru_section *s) {
    (void)work, (void)memory, (void)s;
}
static double no_support(const double work[TRU_LAW_WORK], const double u[TRU_FRICTION_ROWS]) {
    (void)work, (void)u;
    return 0.0;
}
static const tru_field no_fields[] = {{.name = NULL}};

static tru_status register_law(stage *s, tru_error *err) {
    static const tru_law law = {.name = "glide",
                                .doc = "No friction.",
                                .fields = no_fields,
                                .claims = no_claims,
                                .prepare = no_preparation,
                                .section = no_section,
                                .support = no_support};
    return tru_law_register(s->w, &law, err);
}

static tru_status add_body(stage *s, tru_error *err) {
    const tru_sphere sphere = {0.1};
    const tru_box box = {{0.1, 0.2, 0.3}};
    tru_shape_def shapes[3] = {tru_default_shape_def(), tru_default_shape_def(), tru_default_shape_def()};
    tru_body_def b = tru_default_body_def();
    for (int i = 0; i < 3; i++) {
        shapes[i].shape = (tru_use){i == 1 ? "box" : "sphere", i == 1 ? (const void *)&box : &sphere};
        shapes[i].density = 1000.0;
        shapes[i].position.x = 0.05 * i;
    }
    b.position.z = 3.0;
    b.shapes = shapes;
    b.shape_count = 3;
    return tru_body_add(s->w, &b, NULL, err);
}

/* One body more than fits into everything that holds bodies, whatever its growth. */
static tru_status add_bodies(stage *s, tru_error *err) {
    const size_t count = tru_body_count(s->w);
    for (int i = 0; i < 20; i++) {
        const uint64_t before = tru_state_hash(s->w);
        const tru_status status = add_body(s, err);
        if (status >= 0) continue;
        check(tru_state_hash(s->w) == before);
        while (tru_body_count(s->w) > count) /* the trial wants the world of before the call */
            tru_body_remove(s->w, tru_body_at(s->w, count), err);
        return status;
    }
    return TRU_OK;
}

static tru_status reserve_bodies(stage *s, tru_error *err) { return tru_body_reserve(s->w, 1000, err); }

static tru_status add_load(stage *s, tru_error *err) {
    const tru_knot knots[] = {{0.0, 1.0}, {1.0, 2.0}};
    const tru_load_def def = {
        .body = tru_body_find(s->w, "ball"), .force = {0.1, 0.0, 0.0}, .knots = knots, .knot_count = 2};
    return tru_load_add(s->w, &def, NULL, err);
}

static tru_status replace_motion(stage *s, tru_error *err) {
    const tru_knot knots[] = {{0.0, 1.0}, {1.0, 2.0}};
    const tru_motion_def def = {
        .body = tru_body_find(s->w, "belt"), .velocity = {0.1, 0.0, 0.0}, .knots = knots, .knot_count = 2};
    return tru_motion_set(s->w, &def, err);
}

static void idle_driven(stage *s) {
    const tru_box slab = {{1.0, 1.0, 0.1}};
    const tru_vec3 zero = {0.0, 0.0, 0.0};
    on_stage(s, ZOO_BALL);
    kit_add_solid(s->w, "belt", TRU_DRIVEN, "box", &slab, (tru_vec3){0.0, 0.0, -3.0}, (tru_quat){1.0, 0.0, 0.0, 0.0},
                  zero, zero);
}

static tru_status set_stepper(stage *s, tru_error *err) {
    const tru_newton newton = tru_default_newton();
    tru_moreau m = tru_default_moreau();
    m.step = 1e-3;
    m.solver = (tru_use){"newton", &newton};
    return tru_stepper_set(s->w, "moreau", &m, err);
}

static void fresh_mechanism(stage *s) { on_stage(s, ZOO_MECHANISM); }

/* All bodies get another height; joints are looked at with all new poses. */
static tru_status set_bodies(stage *s, tru_error *err) {
    tru_body_state states[32];
    const size_t n = tru_body_count(s->w);
    const tru_status status = tru_bodies_get(s->w, NULL, states, 32, err);
    for (size_t k = 0; status >= 0 && k < n; k++) states[k].position.z += 1.0;
    return status < 0 ? status : tru_bodies_set(s->w, NULL, states, n, err);
}

static tru_status check_world(stage *s, tru_error *err) { return tru_check(s->w, err); }
static tru_status one_step(stage *s, tru_error *err) { return tru_run(s->w, 1, err); }
static tru_status load(stage *s, tru_error *err) { return tru_snapshot_load(s->w, s->snapshot, s->bytes, err); }

static tru_status judge(stage *s, tru_error *err) {
    tru_verdict verdict;
    return tru_judge(s->w, &verdict, err);
}

/* ---- each allocation of each call fails ---- */

static const trial trials[] = {
    {"tru_material_add", eight_materials, add_material},
    {"tru_law_register", fresh_ball, register_law},
    {"tru_pair_set, new", running_box, add_pair},
    {"tru_pair_set, again", running_box, replace_pair},
    {"tru_pair_set, history", eight_pairs, set_history},
    {"tru_body_add", fresh_ball, add_body},
    {"tru_body_add, during a run", running_box, add_body},
    {"tru_body_add, many", fresh_ball, add_bodies},
    {"tru_body_reserve", fresh_ball, reserve_bodies},
    {"tru_bodies_set", fresh_mechanism, set_bodies},
    {"tru_load_add", running_ball, add_load},
    {"tru_motion_set, new", idle_driven, replace_motion},
    {"tru_motion_set, again", fresh_belt, replace_motion},
    {"tru_stepper_set, new", fresh_ball, set_stepper},
    {"tru_stepper_set, again", running_ball, set_stepper},
    {"tru_check", fresh_with_stepper, check_world},
    {"tru_run, first step", fresh_with_stepper, one_step},
    {"tru_snapshot_load", with_snapshot, load},
    {"tru_snapshot_load, schedules", with_belt_snapshot, load},
    {"tru_judge", running_box, judge},
};

/* Fail allocation k of the call; false: it makes no more than k. */
static bool fail_one(const trial *t, long k, uint64_t *end) {
    stage s = {.w = NULL};
    tru_error err = {TRU_OK, ""};
    t->prepare(&s);
    const uint64_t before = tru_state_hash(s.w);
    s.f.fail_at = s.f.calls + k;
    tru_status status = t->call(&s, &err);
    const bool failed = s.f.failed;
    s.f.fail_at = FAIL_NEVER;
    if (failed) {
        bool good = check_status(status, TRU_NO_MEMORY) && check_status(err.status, TRU_NO_MEMORY);
        good = check(strstr(err.text, "out of memory") != NULL) && good;
        if (t->call != add_bodies) good = check(tru_state_hash(s.w) == before) && good;
        status = t->call(&s, &err);
        if (!good) printf("%s, allocation %ld\n", t->name, k);
    }
    if (!check(status >= 0)) printf("%s, allocation %ld: %s\n", t->name, k, err.text);
    if (k == 0 && !failed) printf("%s allocates nothing\n", t->name);
    if (t->call != add_bodies && *end != 0 && !check(tru_state_hash(s.w) == *end))
        printf("%s, allocation %ld: ends elsewhere\n", t->name, k);
    *end = tru_state_hash(s.w);
    leave(&s);
    return failed;
}

TEST(every_allocation_may_fail) {
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        uint64_t end = 0;
        long k = 0;
        while (k < 10000 && fail_one(&trials[i], k, &end)) k++;
        if (!check(k > 0 && k < 10000)) printf("%s: %ld allocations\n", trials[i].name, k);
    }
}

TEST(world_create) {
    tru_error err;
    for (long k = 0;; k++) {
        failing_allocator f = failing_begin(k);
        const tru_allocator a = failing_allocator_of(&f);
        tru_world_def def = tru_default_world_def();
        tru_world *w = NULL;
        def.allocator = &a;
        const tru_status status = tru_world_create(&def, &w, &err);
        check_status(status, f.failed ? TRU_NO_MEMORY : TRU_OK);
        check((w == NULL) == f.failed);
        tru_world_destroy(w);
        check(f.live_blocks == 0 && f.wrong_sizes == 0);
        if (!f.failed) {
            check(k > 0);
            break;
        }
    }
}

/* ---- runs that run out of memory on the way ---- */

enum { RUN = 160 };

/* A run stops before the step that could not be done, and continues as if nothing had happened. */
static bool interrupt(const zoo_scene *scene, int variant, long k, const uint64_t hashes[RUN + 1]) {
    tru_error err = {TRU_OK, ""};
    stage s = {.w = NULL};
    play(&s, scene);
    MUST(kit_set_stepper(s.w, tru_stepper_at(0), variant, scene->step, &err));
    s.f.fail_at = s.f.calls + k;
    const tru_status status = tru_run(s.w, RUN, &err);
    const bool failed = s.f.failed;
    if (failed) {
        check_status(status, TRU_NO_MEMORY);
        if (!check(tru_state_hash(s.w) == hashes[tru_steps_done(s.w)]))
            printf("scene %s, allocation %ld, step %llu\n", scene->name, k, (unsigned long long)tru_steps_done(s.w));
        MUST(tru_run(s.w, RUN - tru_steps_done(s.w), &err));
    }
    check(tru_state_hash(s.w) == hashes[RUN]);
    leave(&s);
    return failed;
}

TEST(runs_that_run_out_of_memory) {
    tru_error err;
    const zoo_scene *scenes[] = {&zoo[ZOO_BALL],  &zoo[ZOO_SPINNING_BALL], &zoo[ZOO_THIN_DISK], &zoo[ZOO_BOX],
                                 &zoo[ZOO_CROWD], &zoo[ZOO_BELT],          &resting[2]};
    for (size_t i = 0; i < 2 * sizeof scenes / sizeof *scenes; i++) {
        const zoo_scene *scene = scenes[i / 2];
        const int variant = (int)(i % 2);
        uint64_t hashes[RUN + 1];
        stage s = {.w = NULL};
        play(&s, scene);
        MUST(kit_set_stepper(s.w, tru_stepper_at(0), variant, scene->step, &err));
        for (int k = 0; k <= RUN; k++) {
            hashes[k] = tru_state_hash(s.w);
            if (k < RUN) MUST(tru_run(s.w, 1, &err));
        }
        leave(&s);
        long k = 0;
        while (k < 10000 && interrupt(scene, variant, k, hashes)) k++;
        check(k > 0 && k < 10000);
    }
}

/* ---- steady steps ---- */

TEST(steady_steps_allocate_nothing) {
    tru_error err;
    const zoo_scene *scenes[] = {
        &zoo[ZOO_BALL], &zoo[ZOO_SPINNING_BALL], &zoo[ZOO_ROLLING_DISK], &resting[0], &resting[1], &resting[2]};
    for (size_t k = 0; tru_stepper_at(k); k++)
        for (int variant = 0; variant < kit_count_variants(tru_stepper_at(k)); variant++)
            for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
                failing_allocator f = failing_begin(FAIL_NEVER);
                const tru_allocator a = failing_allocator_of(&f);
                tru_world *w = kit_create_zoo_world(scenes[i], &a, 1);
                MUST(kit_set_stepper(w, tru_stepper_at(k), variant, scenes[i]->step, &err));
                const bool hops = strcmp(tru_stepper_at(k)->name, "cone") == 0 && variant == TRU_RELAXED;
                const tru_status status = tru_run(w, hops ? 100 : 10, &err); /* it hops first, without a contact */
                const long warm = f.calls;
                check(warm > 0);
                if (status >= 0) {
                    MUST(tru_run(w, hops ? 910 : 1000, &err));
                    check(tru_contact_count(w) > 0);
                    if (!check(f.calls == warm))
                        printf("%s, %s, scheme %d: %ld allocations\n", scenes[i]->name, tru_stepper_at(k)->name,
                               variant, f.calls - warm);
                } else {
                    check_status(status, TRU_REFUSED);
                }
                tru_world_destroy(w);
                check(f.live_blocks == 0 && f.wrong_sizes == 0);
            }
}
