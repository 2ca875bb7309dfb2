/* Golden runs: the bits of whole trajectories, equal for every compiler, optimisation, instruction set and thread count.
 *
 * A constant below may change only in a commit that means to change results: it says so, and CHANGELOG.md names the
 * scenes, by how much and why under "Results that change". A constant that differs on one compiler only is a bug. After
 * such a change `golden.golden --print` shows the new ones and `tools/golden` writes them here. Hashed are tru_motion_hash and
 * the lines of the ledger, not tru_state_hash, which changes with the name of a parameter. */
#include "check.h"
#include "zoo.h"

#include "api/state.h"
#include "base/hash.h"

static const struct golden {
    int scene;
    tru_moreau how; /* but for the step */
    const char *solver;
    uint64_t hash;
} golden[] = {
    {ZOO_BALL, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x80520a8953b6de89)},
    {ZOO_BALL, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xe9e530906dc65dc2)},
    {ZOO_STRIBECK, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0xa12c5ce50d5505fe)},
    {ZOO_STRIBECK, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x1fb7ded55d8caf25)},
    {ZOO_FACTOR, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x0b11adddc88c09c2)},
    {ZOO_FACTOR, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x56aaa56fb3d3dc71)},
    {ZOO_THIN_DISK, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0xd74c83f89b984914)},
    {ZOO_THIN_DISK, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xee24247ba8b3bf31)},
    {ZOO_THICK_DISK, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x333dcb819c867ccf)},
    {ZOO_THICK_DISK, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x4ad4c5cf17d16a5d)},
    {ZOO_ELLIPSOID, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0xd62e25eaa35c2722)},
    {ZOO_ELLIPSOID, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xa6a77c7112fd8456)},
    {ZOO_BOX, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0xaedc88d9db10618f)},
    {ZOO_BOX, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xad1679036ed6e86b)},
    {ZOO_CROWD, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x569d2c9f5584e7ac)},
    {ZOO_CROWD, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x0cddcd413d1dbc6c)},
    {ZOO_BELT, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x0420da29e08138a3)},
    {ZOO_BELT, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xecbe7003fb646c92)},
    {ZOO_ROLLING_DISK, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x31e847b0582ef99c)},
    {ZOO_ROLLING_DISK, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xbee529ac40826052)},
    {ZOO_SPINNING_BALL, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x452905bb7c34c4a5)},
    {ZOO_SPINNING_BALL, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xf4a22ecc68ce8612)},
    {ZOO_COMPOUND, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0xa47cc5e991510930)},
    {ZOO_COMPOUND, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x3f0831340a762e84)},
    {ZOO_MECHANISM, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x5a8a33cd26ede201)},
    {ZOO_MECHANISM, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x2cc28312283e7913)},
    {ZOO_ROLLING_DISK, {.scheme = TRU_PAPER, .correction = TRU_R7}, "prox", UINT64_C(0x906f1b0c8a073a99)},
    {ZOO_BALL, {.scheme = TRU_MIDPOINT}, "prox", UINT64_C(0x5388d243976a7cfb)},
};
enum { STEPS = 1500, BETWEEN = 50 };

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
        const tru_ledger books = tru_world_ledger(w);
        hash_u64(&h, tru_motion_hash(w));
        hash_u64(&h, hash_ledger(&books));
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
