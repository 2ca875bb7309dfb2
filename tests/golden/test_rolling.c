/* Golden runs of stepper variational: the bits of rolling bodies, equal for every compiler, optimisation and instruction set.
 * A constant may change only in a commit that means to change results; `golden.rolling --print` shows the new ones. */
#include "check.h"
#include "worlds.h"

#include "api/state/state_hash.h"
#include "base/hash.h"
#include "math/quat.h"

#include <trundle/plugin.h>

#include <string.h>

static const struct golden {
    const char *name, *shape;
    int scheme, when_not_rolling;
    double slip; /* [m/s] along x at the start */
    uint64_t hash;
} golden[] = {
    {"disk, reduced", "disk", TRU_REDUCED, TRU_IDEAL, 0.0, UINT64_C(0xc554f5bd03aad9b2)},
    {"disk, rk4", "disk", TRU_RK4, TRU_IDEAL, 0.0, UINT64_C(0x411fd36af214b84e)},
    {"disk, se3", "disk", TRU_SE3, TRU_IDEAL, 0.0, UINT64_C(0xb0ed345f72d10c9a)},
    {"stone, se3", "ellipsoid", TRU_SE3, TRU_IDEAL, 0.0, UINT64_C(0x268f8538a41b79ce)},
    {"stone, slip", "ellipsoid", TRU_SE3, TRU_SLIP, 0.25, UINT64_C(0xa3a2e0955a0d980b)},
    {"stone, rk4", "ellipsoid", TRU_RK4, TRU_IDEAL, 0.0, UINT64_C(0x8ed962cbc3e0778a)},
};

static tru_world *begin(const struct golden *g) {
    static const tru_disk disk = {0.125, 0.0625};
    static const tru_ellipsoid stone = {{0.125, 0.09375, 0.0625}};
    const bool round = strcmp(g->shape, "disk") == 0;
    const tru_quat q = round ? (tru_quat){0.8, 0.6, 0.0, 0.0} : (tru_quat){0.96, 0.0, 0.28, 0.0};
    const tru_vec3 w = round ? v3(0.25, -6.0, 3.0) : v3(3.0, 2.0, 4.0);
    const void *params = round ? (const void *)&disk : (const void *)&stone;
    tru_coulomb friction = tru_default_coulomb();
    tru_rolling resist = tru_default_rolling();
    friction.slide = 0.25;
    resist.roll_viscosity = 0x1p-12;
    tru_variational by = tru_default_variational();
    by.step = 0x1p-9;
    by.scheme = g->scheme;
    by.when_not_rolling = g->when_not_rolling;
    by.rim = TRU_RIM_FIRST;
    const tru_use laws[] = {{"coulomb", &friction}, {"rolling", &resist}};
    tru_error err;
    tru_world *world = kit_create_world(v3(0.25, 0.0, -9.75));
    kit_set_pair(world, TRU_NONE, TRU_NONE, laws, 2, 0.0);
    tru_shape_def plane = tru_default_shape_def(), shape = plane;
    tru_body_def ground = tru_default_body_def(), b = ground;
    plane.shape.name = "plane";
    ground.kind = TRU_FIXED;
    ground.shapes = &plane;
    ground.shape_count = b.shape_count = 1;
    MUST(tru_body_add(world, &ground, NULL, &err));
    shape.shape = (tru_use){g->shape, params};
    b.shapes = &shape;
    b.mass = 0.5;
    b.orientation = q;
    b.angular_velocity = w;
    tru_surface low;
    const tru_shape *kind = NULL;
    for (size_t k = 0; tru_shape_at(k); k++)
        if (strcmp(tru_shape_at(k)->name, g->shape) == 0) kind = tru_shape_at(k);
    kind->surface(params, quat_unrotate(q, v3(0, 0, -1)), &low);
    b.position = v3_neg(quat_rotate(q, low.point));
    b.velocity = v3_add(v3_cross(w, b.position), v3(g->slip, 0.0, 0.0));
    MUST(tru_body_add(world, &b, NULL, &err));
    MUST(tru_stepper_set(world, "variational", &by, &err));
    return world;
}

/* Motion and ledger after 1, 2, ... 8 times 128 steps. */
static uint64_t trajectory(const struct golden *g) {
    tru_error err;
    tru_world *w = begin(g);
    hash h = trui_hash_begin();
    for (int k = 0; k < 8; k++) {
        MUST(tru_run(w, 128, &err));
        const tru_ledger books = tru_world_ledger(w);
        trui_hash_u64(&h, tru_motion_hash(w));
        trui_hash_u64(&h, trui_hash_ledger(&books));
    }
    tru_world_destroy(w);
    return trui_hash_end(&h);
}

TEST(rolling_bodies) {
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        const struct golden *g = &golden[i];
        const uint64_t one = trajectory(g);
        check(trajectory(g) == one);
        if (check_option("--print"))
            printf("0x%016" PRIx64 "  %s\n", one, g->name);
        else if (!check(one == g->hash))
            printf("%s: 0x%016" PRIx64 "\n", g->name, one);
    }
}
