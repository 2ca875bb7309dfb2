/* Golden runs: the bits of whole trajectories, equal for every compiler, optimisation, instruction set and thread count.
 *
 * A constant below may change only in a commit that means to change results: it says so, and CHANGELOG.md names the
 * scenes, by how much and why under "Results that change". A constant that differs on one compiler only is a bug. After
 * such a change `golden.golden --print` shows the new ones and `tools/golden` writes them here. Hashed are tru_motion_hash and
 * the lines of the ledger, not tru_state_hash, which changes with the name of a parameter. */
#include "check.h"
#include "zoo.h"

#include "api/state/state_hash.h"
#include "base/hash.h"

static const struct golden {
    int scene;
    tru_moreau how; /* but for the step */
    const char *solver;
    uint64_t hash;
} golden[] = {
    {ZOO_BALL, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0xc4dcf8714e981f38)},
    {ZOO_BALL, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xc0d72ba56deb64fe)},
    {ZOO_STRIBECK, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x711b7ba1e96c2b4d)},
    {ZOO_STRIBECK, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x258506170a9a0296)},
    {ZOO_FACTOR, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0xbdb887de9a33382f)},
    {ZOO_FACTOR, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xf154b6792a3c25b0)},
    {ZOO_THIN_DISK, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x72738ed088a8c1ce)},
    {ZOO_THIN_DISK, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xfd672392cb46bce2)},
    {ZOO_THICK_DISK, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0xe34fc9cf9274a38f)},
    {ZOO_THICK_DISK, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x9e453ed12c365309)},
    {ZOO_ELLIPSOID, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x788573f4711060e8)},
    {ZOO_ELLIPSOID, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xf66a776827cbcf71)},
    {ZOO_BOX, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x46668b81ca822ae4)},
    {ZOO_BOX, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x9f419050f8bab52e)},
    {ZOO_CROWD, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0xfdcd39df54e07812)},
    {ZOO_CROWD, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xe31b97d17f5ed06e)},
    {ZOO_BELT, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x845284383e8c327d)},
    {ZOO_BELT, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xc0dc58be88a4a2c7)},
    {ZOO_ROLLING_DISK, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0xab3aa7d1d57e3954)},
    {ZOO_ROLLING_DISK, {.scheme = TRU_PAPER}, "newton", UINT64_C(0xabeb7fafdd9a3798)},
    {ZOO_SPINNING_BALL, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x3503c1d41a27d68f)},
    {ZOO_SPINNING_BALL, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x4c57c426f339aaba)},
    {ZOO_COMPOUND, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x880d2d657bac929a)},
    {ZOO_COMPOUND, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x0d489e8be47b7422)},
    {ZOO_MECHANISM, {.scheme = TRU_MIDPOINT}, "newton", UINT64_C(0x05765478eb9c04a5)},
    {ZOO_MECHANISM, {.scheme = TRU_PAPER}, "newton", UINT64_C(0x665d0bccc04956f8)},
    {ZOO_ROLLING_DISK, {.scheme = TRU_PAPER, .correction = TRU_R7}, "prox", UINT64_C(0xa42fe8af6beaa625)},
    {ZOO_BALL, {.scheme = TRU_MIDPOINT}, "prox", UINT64_C(0xd666101277529c00)},
};
enum { STEPS = 1500, BETWEEN = 50 };

static tru_world *begin(const struct golden *g, int threads) {
    tru_error err;
    tru_world *w = kit_create_zoo_world(&zoo[g->scene], NULL, threads);
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
    hash h = trui_hash_begin();
    tru_world *w = begin(g, threads);
    for (int i = 0; i < STEPS / BETWEEN; i++) {
        if (i == STEPS / BETWEEN / 2 && zoo[g->scene].act) zoo[g->scene].act(w);
        MUST(tru_run(w, BETWEEN, &err));
        const tru_ledger books = tru_world_ledger(w);
        trui_hash_u64(&h, tru_motion_hash(w));
        trui_hash_u64(&h, trui_hash_ledger(&books));
    }
    tru_world_destroy(w);
    return trui_hash_end(&h);
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
