/* Golden runs: the bits of whole trajectories, equal for every compiler, optimisation, instruction set and thread count.
 *
 * A constant below may change only in a commit that means to change results: it says so, and CHANGELOG.md names the
 * scenes, by how much and why under "Results that change". A constant that differs on one compiler only is a bug. After
 * such a change `golden.golden --print` shows the new ones and `tools/golden` writes them here. Hashed is what bodies and
 * contacts do, not tru_state_hash, which changes with every new field of a law and every new member of a snapshot. */
#include "check.h"
#include "zoo.h"

#include "base/hash.h"

static const struct golden {
    int scene;
    tru_moreau how; /* but for the step */
    const char *solver;
    uint64_t hash;
} golden[] = {
    {ZOO_BALL, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x2eede498ebea4b08)},
    {ZOO_BALL, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x330bc03686cac173)},
    {ZOO_STRIBECK, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x52b32929d71d15a8)},
    {ZOO_STRIBECK, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x0f16b83deb0703f5)},
    {ZOO_FACTOR, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x09fe6ba1a345f6f7)},
    {ZOO_FACTOR, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xf0671e54fc78537d)},
    {ZOO_THIN_DISK, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x6c447ea8e270d77a)},
    {ZOO_THIN_DISK, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x88728f183a84a5bb)},
    {ZOO_THICK_DISK, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x58fdbb62b0ff7279)},
    {ZOO_THICK_DISK, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xe0830f96e05b6fb2)},
    {ZOO_ELLIPSOID, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0xfbc690da997a3710)},
    {ZOO_ELLIPSOID, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xead362e0884c7505)},
    {ZOO_BOX, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0xed19118094d21792)},
    {ZOO_BOX, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x589c15b029fb8682)},
    {ZOO_CROWD, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0xd0276ce466c9a7d8)},
    {ZOO_CROWD, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x3c94e6af0d416c24)},
    {ZOO_BELT, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x1aefd64432d4ff5e)},
    {ZOO_BELT, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x3503c867889016ce)},
    {ZOO_ROLLING_DISK, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x94b4570ed98b76a1)},
    {ZOO_ROLLING_DISK, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x44b1c03446e444dd)},
    {ZOO_SPINNING_BALL, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x1d80282e3f962122)},
    {ZOO_SPINNING_BALL, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x980003d109f289ce)},
    {ZOO_COMPOUND, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0xb280342633fa40b9)},
    {ZOO_COMPOUND, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x03ce6ff6c4a1762a)},
    {ZOO_ROLLING_DISK, {.scheme = TRU_PAPER, .correction = TRU_R7}, "prox", UINT64_C(0x3db450a421f74d8b)},
    {ZOO_BALL, {.scheme = TRU_MIDPOINT}, "prox", UINT64_C(0x02792bc98c7555e6)},
};
enum { STEPS = 1500, BETWEEN = 50 };

static void hash_ledger(hash *h, tru_ledger l) {
#define HASH_LEDGER(name, kind, doc) hash_f64(h, l.name);
    TRU_LEDGER_LIST(HASH_LEDGER)
#undef HASH_LEDGER
}

/* What bodies and contacts do now. */
static void hash_sight(hash *h, const tru_world *w) {
    tru_error err;
    hash_f64(h, tru_time(w));
    for (size_t i = 0; i < tru_body_count(w); i++) {
        const tru_body_state s = scene_state(w, tru_body_at(w, i));
        hash_vec3(h, s.position);
        hash_quat(h, s.orientation);
        hash_vec3(h, s.velocity);
        hash_vec3(h, s.angular_velocity);
    }
    for (size_t i = 0; i < tru_contact_count(w); i++) {
        tru_contact_info c;
        MUST(tru_contact_get(w, i, &c, &err));
        hash_u64(h, (uint64_t)(uint32_t)c.feature);
        hash_u64(h, c.stuck);
        hash_vec3(h, c.point);
        hash_vec3(h, c.t1);
        for (int row = 0; row < TRU_ROWS; row++) hash_f64(h, c.impulse[row]);
        for (int row = 0; row < TRU_ROWS; row++) hash_f64(h, c.velocity[row]);
    }
    hash_ledger(h, tru_world_ledger(w));
}

static tru_world *begin(const struct golden *g, int threads) {
    tru_error err;
    tru_world *w = zoo_world(&zoo[g->scene], NULL, threads);
    tru_moreau m = tru_default_moreau();
    m.step = zoo[g->scene].step;
    m.scheme = g->how.scheme;
    m.correction = g->how.correction;
    m.solver.name = g->solver;
    MUST(tru_stepper_set(w, "moreau", &m, &err));
    return w;
}

static uint64_t trajectory(const struct golden *g, int threads) {
    tru_error err;
    hash h = hash_begin();
    tru_world *w = begin(g, threads);
    for (int i = 0; i < STEPS / BETWEEN; i++) {
        if (i == STEPS / BETWEEN / 2 && zoo[g->scene].act) zoo[g->scene].act(w);
        MUST(tru_run(w, BETWEEN, &err));
        hash_sight(&h, w);
    }
    tru_world_destroy(w);
    return hash_end(&h);
}

TEST(trajectories) {
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        const struct golden *g = &golden[i];
        const uint64_t one = trajectory(g, 1);
        check(trajectory(g, 2) == one);
        if (check_option("--print"))
            printf("0x%016" PRIx64 "  %s, %s, %s\n", one, zoo[g->scene].name,
                   g->how.scheme == TRU_PAPER ? "paper" : "midpoint", g->solver);
        else if (!check(one == g->hash))
            printf("%s, %s, %s: 0x%016" PRIx64 "\n", zoo[g->scene].name,
                   g->how.scheme == TRU_PAPER ? "paper" : "midpoint", g->solver, one);
    }
}
