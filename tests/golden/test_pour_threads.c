/* Golden pour: 2000 balls of two sizes falling into a corner, the same bits with 1, 2, 3 and 8 threads and after a resume in
 * the middle; sweeps in mixed precision in both forms, and in double; the constants below may change only as those of test_golden.c. */
#include "check.h"
#include "worlds.h"

#include "base/hash.h"
#include "math/vec.h"

#include <trundle/plugin.h>

enum { BALLS = 2000, SIDE = 10, STEPS = 8, HALF = 4 };
static const uint64_t golden = UINT64_C(0x925729d8da0398ec);                                         /* relaxed */
static const uint64_t golden_exact[] = {UINT64_C(0x54bd811ee4c13c38), UINT64_C(0x3ec161071c888cec)}; /* by precision */

static void add_plane(tru_world *w, tru_quat q) {
    tru_error err;
    tru_shape_def shape = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    shape.shape.name = "plane";
    b.kind = TRU_FIXED;
    b.orientation = q;
    b.shapes = &shape;
    b.shape_count = 1;
    MUST(tru_body_add(w, &b, NULL, &err));
}

static void add_ball(tru_world *w, int i) {
    tru_error err;
    const uint64_t id = (uint64_t)i;
    const tru_sphere ball = {i % 7 == 0 ? 0.0225 : 0.02};
    tru_shape_def shape = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    shape.shape = (tru_use){"sphere", &ball};
    shape.density = 2028.0;
    b.shapes = &shape;
    b.shape_count = 1;
    b.position =
        v3(0.024 + 0.0465 * (i % SIDE) + 1e-3 * tru_random(1, id, 0),
           0.024 + 0.0465 * (i / SIDE % SIDE) + 1e-3 * tru_random(1, id, 1), 0.024 + 0.046 * (i / (SIDE * SIDE)));
    b.velocity = v3(tru_random(1, id, 2) - 1.0, tru_random(1, id, 3) - 1.0, -1.0);
    MUST(tru_body_add(w, &b, NULL, &err));
}

static tru_world *pour(int threads, tru_form form, tru_precision precision) {
    tru_error err;
    tru_world *w;
    tru_world_def wd = tru_default_world_def();
    tru_coulomb slide = tru_default_coulomb();
    tru_rolling roll = tru_default_rolling();
    slide.slide = 0.6;
    roll.roll.length = roll.spin.length = 0.005;
    const tru_use laws[] = {{"coulomb", &slide}, {"rolling", &roll}};
    wd.threads = threads;
    MUST(tru_world_create(&wd, &w, &err));
    kit_set_pair(w, TRU_NONE, TRU_NONE, laws, 2, 0.0);
    add_plane(w, (tru_quat){1.0, 0.0, 0.0, 0.0});
    add_plane(w, (tru_quat){1.0, 0.0, 1.0, 0.0});  /* x > 0 is free */
    add_plane(w, (tru_quat){1.0, -1.0, 0.0, 0.0}); /* y > 0 */
    for (int i = 0; i < BALLS; i++) add_ball(w, i);
    tru_cone o = tru_default_cone();
    const tru_ngs ngs = {0.02, 20, 12, 100, (int32_t)precision};
    o.step = 5e-3;
    o.form = (int32_t)form;
    o.solver = (tru_use){"ngs", &ngs};
    MUST(tru_stepper_set(w, "cone", &o, &err));
    return w;
}

static uint64_t sight(const tru_world *w) {
    hash h = trui_hash_begin();
    for (size_t i = 0; i < tru_body_count(w); i++) {
        const tru_body_state s = kit_get_state(w, tru_body_at(w, i));
        trui_hash_vec3(&h, s.position);
        trui_hash_quat(&h, s.orientation);
        trui_hash_vec3(&h, s.velocity);
        trui_hash_vec3(&h, s.angular_velocity);
    }
    return trui_hash_end(&h);
}

/* What was announced, in its order. */
static uint64_t heard(tru_world *w, size_t *count) {
    tru_event e[64];
    uint64_t lost;
    hash h = trui_hash_begin();
    *count = 0;
    for (size_t n; (n = tru_events_take(w, e, 64, &lost)) > 0; *count += n)
        for (size_t i = 0; i < n; i++) {
            trui_hash_u64(&h, (uint64_t)e[i].kind << 32 | (uint64_t)e[i].row_kind);
            trui_hash_u64(&h, e[i].body_a);
            trui_hash_u64(&h, e[i].body_b);
            trui_hash_f64(&h, e[i].time);
            trui_hash_f64(&h, e[i].speed);
        }
    return trui_hash_end(&h);
}

/* Bodies; with one thread and more also contacts, ledger and events. */
TEST(pour_with_any_threads) {
    static const int threads[] = {1, 2, 3, 8};
    uint64_t state = 0, events = 0;
    tru_error err;
    for (int i = 0; i < 4; i++) {
        tru_world *w = pour(threads[i], TRU_RELAXED, TRU_MIXED);
        size_t count;
        MUST(tru_run(w, STEPS - 1, &err));
        heard(w, &count);
        MUST(tru_run(w, 1, &err));
        check(tru_contact_count(w) > BALLS / 2); /* several threads have a part of them */
        if (!check(sight(w) == golden)) printf("%d threads: 0x%016llx\n", threads[i], (unsigned long long)sight(w));
        check(tru_world_solve_info(w).single > 0);
        const uint64_t told = heard(w, &count);
        check(count > 20);
        if (i == 0) events = told, state = tru_state_hash(w);
        check(told == events && tru_state_hash(w) == state);
        tru_world_destroy(w);
    }
}

TEST(pour_resumed) {
    tru_error err;
    for (tru_precision p = TRU_MIXED; p <= TRU_DOUBLE; p++) {
        tru_world *w = pour(2, TRU_EXACT, p), *again = pour(3, TRU_EXACT, p);
        MUST(tru_run(w, HALF, &err));
        const size_t bytes = tru_snapshot_size(w);
        void *buffer = malloc(bytes);
        MUST(tru_snapshot_save(w, buffer, bytes, &err));
        MUST(tru_snapshot_load(again, buffer, bytes, &err));
        MUST(tru_run(again, STEPS - HALF, &err));
        if (!check(sight(again) == golden_exact[p])) printf("0x%016llx\n", (unsigned long long)sight(again));
        check((tru_world_solve_info(again).single > 0) == (p == TRU_MIXED));
        free(buffer);
        tru_world_destroy(w);
        tru_world_destroy(again);
    }
}
