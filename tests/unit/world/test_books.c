/* test_books.c: the check of the ledger that ends every step: steps that add more energy than there was fail, at the same step
 * however a run is cut and whatever its units; motions that give their energy to height for a while go on. */
#define _GNU_SOURCE
#include "check.h"
#include "zoo.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

/* A number in [lo, hi], logarithmically. */
static double pick(uint64_t *seed, double lo, double hi) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return lo * pow(hi / lo, (double)(*seed >> 11) * 0x1p-53);
}

/* ---- a free box under scheme paper, whose gyroscopic torque adds energy */

typedef struct spinning {
    tru_vec3 sides; /* [m] */
    tru_vec3 rate;  /* [rad/s] */
    double h;       /* [s] */
} spinning;

static spinning draw_spinning(uint64_t *seed) {
    const double size = pick(seed, 1e-4, 1e2), h = pick(seed, 1e-7, 1e-2), turn = pick(seed, 0.1, 1.0);
    tru_vec3 axis = {pick(seed, 0.1, 1.0), pick(seed, 0.1, 1.0), pick(seed, 0.1, 1.0)};
    v3_unit(axis, &axis);
    return (spinning){{size, size * pick(seed, 0.1, 0.9), size * pick(seed, 0.1, 0.9)}, v3_scale(turn / h, axis), h};
}

static tru_world *free_box(const spinning *s, double gravity) {
    const tru_box box = {s->sides};
    tru_world *w = kit_create_world(v3(0.0, 0.0, -gravity));
    kit_set_dry_pair(w, 0.3, 0.0, 0.0, 0.0);
    kit_add_solid(w, "box", TRU_FREE, "box", &box, v3_zero(), (tru_quat){1.0, 0.0, 0.0, 0.0}, v3_zero(), s->rate);
    kit_set_moreau(w, s->h, TRU_PAPER);
    return w;
}

enum { LONG_RUN = 3000 }; /* steps */

/* Free rotation keeps its energy. A run that adds as much as there was ends with a sentence, before it shows twice the energy. */
TEST(gained_energy_ends_a_run) {
    uint64_t seed = check_seed();
    int ended = 0;
    for (int i = 0; i < 60; i++) {
        tru_error err = {TRU_OK, ""};
        const spinning s = draw_spinning(&seed);
        tru_world *w = free_box(&s, 0.0);
        const double energy = tru_world_ledger(w).kinetic;
        tru_status status = TRU_OK;
        for (int k = 0; k < LONG_RUN && status >= 0; k++) {
            status = tru_run(w, 1, &err);
            if (!check(tru_world_ledger(w).kinetic <= 2.0 * energy * (1.0 + 1e-12))) {
                printf("%g J after step %d, %g J at the start\n", tru_world_ledger(w).kinetic, k, energy);
                break;
            }
        }
        ended += status < 0;
        if (status < 0) {
            check(status == TRU_NO_SOLUTION);
            if (!check(strstr(err.text, "J without cause") && strstr(err.text, "take a shorter step")))
                printf("%s\n", err.text);
        }
        tru_world_destroy(w);
    }
    check(ended >= 50);
}

/* A body so far away that the energy of its weight overflows ends the run. Otherwise no gain would ever be above that energy. */
TEST(an_energy_that_overflows_ends_a_run) {
    const spinning s = {{0.1, 0.05, 0.03}, {1.0, 2.0, 3.0}, 1e-3};
    tru_error err = {TRU_OK, ""};
    tru_world *w = free_box(&s, 9.81);
    tru_body_state far = kit_get_state(w, tru_body_find(w, "box"));
    far.position.x = 1e300;
    check(tru_body_set(w, tru_body_find(w, "box"), &far, &err) >= 0);
    check_status(tru_run(w, LONG_RUN, &err), TRU_NOT_FINITE);
    if (!check(strstr(err.text,
                      "the energy of the bodies is not finite: a mass, a speed or a distance from the origin is "
                      "too large") != NULL))
        printf("%s\n", err.text);
    check(tru_steps_done(w) < 20);
    tru_world_destroy(w);
}

/* Steps until the run fails. */
static uint64_t steps_to_failure(tru_world *w, uint64_t at_once) {
    tru_error err;
    for (uint64_t k = 0; k < LONG_RUN && tru_run(w, at_once, &err) >= 0;) k += at_once;
    return tru_steps_done(w);
}

/* All quantities in other units of length, time and mass, which are powers of two: the same step fails. */
TEST(units_do_not_matter) {
    uint64_t seed = check_seed();
    for (int i = 0; i < 20; i++) {
        const spinning s = draw_spinning(&seed);
        spinning t = s;
        t.sides = v3_scale(0x1p-9, s.sides);
        t.h = 0x1p5 * s.h;
        t.rate = v3_scale(0x1p-5, s.rate);
        tru_world *a = free_box(&s, 0.0), *b = free_box(&t, 0.0);
        check(steps_to_failure(a, 1) == steps_to_failure(b, 1));
        tru_world_destroy(a);
        tru_world_destroy(b);
    }
}

/* ---- however a run is cut: a disk on the floor, of which moreau takes many steps at once */

static tru_world *fast_disk(double turn) {
    const double r = 0.1, tilt = 1.1, rate = 9.0;
    const tru_disk disk = {r, 0.0};
    tru_world *w = kit_create_world(tru_default_world_def().gravity);
    kit_set_dry_pair(w, 0.3, 0.0, 0.0, 0.0);
    kit_add_floor(w);
    kit_add_solid(w, "coin", TRU_FREE, "disk", &disk, v3(0.0, 0.0, r * sin(tilt)), kit_turn_about(tilt, 1.0, 0.0, 0.0),
                  v3(0.0, 0.0, 0.0), v3(4.0 * rate, 0.0, 9.0 * rate));
    kit_set_moreau(w, turn / (9.0 * rate), TRU_PAPER);
    return w;
}

/* Saves the world and continues with another one. */
static tru_world *resumed(tru_world *old, double turn) {
    tru_error err;
    const size_t bytes = tru_snapshot_size(old);
    void *buffer = malloc(bytes);
    tru_world *w = fast_disk(turn);
    if (!buffer) exit(1);
    MUST(tru_snapshot_save(old, buffer, bytes, &err));
    MUST(tru_snapshot_load(w, buffer, bytes, &err));
    free(buffer);
    tru_world_destroy(old);
    return w;
}

TEST(cuts_do_not_matter) {
    int ended = 0;
    for (int i = 0; i < 12; i++) {
        const double turn = 0.15 + 0.1 * i;
        tru_world *a = fast_disk(turn), *b = fast_disk(turn), *c = fast_disk(turn);
        const uint64_t steps = steps_to_failure(a, 1);
        tru_error err;
        ended += steps < LONG_RUN;
        check(steps_to_failure(b, LONG_RUN) == steps);
        for (int k = 0; k < 3 && tru_run(c, steps / 4 + 1, &err) >= 0; k++) c = resumed(c, turn);
        steps_to_failure(c, LONG_RUN);
        check(tru_steps_done(c) == steps || steps == LONG_RUN);
        check(steps == LONG_RUN || tru_state_hash(c) == tru_state_hash(a));
        check(tru_state_hash(b) == tru_state_hash(a));
        tru_world_destroy(a);
        tru_world_destroy(b);
        tru_world_destroy(c);
    }
    check(ended >= 3);
}

/* ---- motions whose energy is in their height for a while */

enum { MIDPOINT, PAPER, CONE, WAYS };

static void set_way(tru_world *w, int way, double h) {
    if (way == CONE)
        kit_set_cone(w, h, TRU_EXACT, TRU_NEWTON_IMPACT, (tru_use){0});
    else
        kit_set_moreau(w, h, way == MIDPOINT ? TRU_MIDPOINT : TRU_PAPER);
}

static double mass_of(const tru_world *w) {
    tru_error err;
    tru_body_info info;
    MUST(tru_body_describe(w, tru_body_find(w, "box"), &info, &err));
    return info.mass;
}

/* A box thrown upwards, with a hundredth of its energy in its spin, which scheme paper multiplies. It has all of that energy again
 * when it comes down: the run continues at the top, where it moves slowly, and ends when as much was added as it had. */
TEST(height_counts) {
    uint64_t seed = check_seed();
    int ended = 0;
    for (int i = 0; i < 40; i++) {
        tru_error err = {TRU_OK, ""};
        const spinning s = draw_spinning(&seed);
        tru_world *w = free_box(&s, 0.0);
        const double spin = tru_world_ledger(w).kinetic, mass = mass_of(w), speed = sqrt(2.0 * 99.0 * spin / mass);
        tru_world_destroy(w);
        w = free_box(&s, speed / (300.0 * s.h)); /* at the top after 300 steps */
        const tru_id box = tru_body_find(w, "box");
        tru_body_state state = kit_get_state(w, box);
        state.velocity.z = speed;
        MUST(tru_body_set(w, box, &state, &err));
        double gained = 0.0;
        tru_status status = TRU_OK;
        for (int k = 0; k < LONG_RUN && status >= 0; k++) {
            gained = tru_world_ledger(w).gyroscopic;
            status = tru_run(w, 1, &err);
        }
        ended += status < 0;
        if (status < 0 && !check(gained > 10.0 * spin))
            printf("%g J of %g J were added when it ended: %s\n", gained, 100.0 * spin, err.text);
        tru_world_destroy(w);
    }
    check(ended >= 20);
}

/* A small ball on a long arm, let go at the height of its hinge, which is where potential energy is counted from: at the ends
 * of each swing all lines of the ledger are small but the numerical ones. Steps of a tenth to a thousandth of the period; the
 * joint may tear in a long one, which is another sentence. */
TEST(swings_go_on) {
    uint64_t seed = check_seed();
    for (int i = 0; i < 30; i++) {
        tru_error err = {TRU_OK, ""};
        const double arm = pick(&seed, 1e-2, 1e2), radius = arm * pick(&seed, 1e-3, 1e-1);
        const tru_sphere sphere = {radius}, small = {1e-3 * radius};
        tru_world *w = kit_create_world(tru_default_world_def().gravity);
        kit_set_pair(w, TRU_NONE, TRU_NONE, NULL, 0, 0.0);
        const tru_quat upright = {1.0, 0.0, 0.0, 0.0};
        const tru_id post =
            kit_add_solid(w, "post", TRU_FIXED, "sphere", &small, v3(0.0, arm, 0.0), upright, v3_zero(), v3_zero());
        const tru_id ball =
            kit_add_solid(w, "ball", TRU_FREE, "sphere", &sphere, v3(arm, 0.0, 0.0), upright, v3_zero(), v3_zero());
        kit_add_joint(w, "pivot", "hinge", NULL, ball, post, v3_zero(), v3(0, 1, 0));
        set_way(w, i % WAYS, 7.4 * sqrt(arm / 9.81) * pick(&seed, 1e-3, 0.1));
        tru_run(w, 1000, &err);
        if (!check(!strstr(err.text, "without cause"))) printf("%s\n", err.text);
        tru_world_destroy(w);
    }
}

/* Rolled up a slope: gravity leans, the floor is level. */
TEST(slopes_go_on) {
    uint64_t seed = check_seed();
    for (int i = 0; i < 30; i++) {
        tru_error err = {TRU_OK, ""};
        const double r = pick(&seed, 1e-4, 1e2), speed = sqrt(9.81 * r) * pick(&seed, 1.0, 30.0);
        const double rise = 0.7 * speed * speed / 2.0; /* [m/s^2 m] */
        tru_world *w = kit_create_world(v3(-2.0, 0.0, -9.6));
        kit_set_dry_pair(w, 0.5, 0.0, 0.0, 0.0);
        kit_add_floor(w);
        const tru_ellipsoid egg = {{r, 0.8 * r, 0.9 * r}};
        kit_add_solid(w, "egg", TRU_FREE, "ellipsoid", &egg, v3(-1.4 * rise / 2.0, 0.0, 0.9 * r),
                      (tru_quat){1.0, 0.0, 0.0, 0.0}, v3(speed, 0.0, 0.0), v3(0.0, speed / (0.9 * r), 0.0));
        set_way(w, i % WAYS, pick(&seed, 0.01, 0.1) * r / speed);
        if (!check(tru_run(w, 1000, &err) >= 0)) printf("%s\n", err.text);
        tru_world_destroy(w);
    }
}
