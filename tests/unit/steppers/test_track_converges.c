/* Springs as stiff as the step allows: with smaller steps stepper track goes to the set-valued answer of moreau, on a ball that
 * slides and rolls and on a flat disk that slides and spins on several contacts. */
#include "check.h"
#include "worlds.h"

#include <trundle/plugin.h>

static tru_world *sliding(bool disk, const char *stepper, const void *params) {
    tru_error err;
    const tru_sphere sphere = {0.1};
    const tru_disk coin = {0.1, 0.0};
    tru_coulomb slide = tru_default_coulomb();
    tru_rolling roll = tru_default_rolling();
    slide.slide = 0.3;
    roll.roll.length = 2e-3;
    const tru_use laws[2] = {{"coulomb", &slide}, {"rolling", &roll}};
    tru_shape_def plane = tru_default_shape_def(), shape = tru_default_shape_def();
    tru_body_def ground = tru_default_body_def(), b = tru_default_body_def();
    tru_world *w = kit_create_world(tru_default_world_def().gravity);
    kit_set_pair(w, TRU_NONE, TRU_NONE, laws, disk ? 1 : 2, 0.0);
    plane.shape.name = "plane";
    ground.kind = TRU_FIXED;
    ground.shapes = &plane;
    ground.shape_count = 1;
    MUST(tru_body_add(w, &ground, NULL, &err));
    shape.shape = disk ? (tru_use){"disk", &coin} : (tru_use){"sphere", &sphere};
    b.name = "body";
    b.mass = 1.0;
    b.position = (tru_vec3){0.0, 0.0, disk ? 0.0 : 0.1};
    b.velocity = (tru_vec3){1.0, 0.0, 0.0};
    b.angular_velocity = (tru_vec3){0.0, 0.0, disk ? 5.0 : 0.0};
    b.shapes = &shape;
    b.shape_count = 1;
    MUST(tru_body_add(w, &b, NULL, &err));
    MUST(tru_stepper_set(w, stepper, params, &err));
    return w;
}

/* [m/s] Largest difference of the velocities from moreau's with a small step, every 20 ms up to 0.2 s. */
static double difference(bool disk, double h) {
    tru_error err;
    double worst = 0.0;
    tru_track t = tru_default_track();
    tru_moreau m = tru_default_moreau();
    t.step = h;
    m.step = 2e-5;
    tru_world *soft = sliding(disk, "track", &t), *rigid = sliding(disk, "moreau", &m);
    for (int k = 1; k <= 10; k++) {
        tru_body_state a, b;
        MUST(tru_run(soft, (uint64_t)(0.02 / h + 0.5), &err));
        MUST(tru_run(rigid, 1000, &err));
        MUST(tru_body_get(soft, tru_body_find(soft, "body"), &a, &err));
        MUST(tru_body_get(rigid, tru_body_find(rigid, "body"), &b, &err));
        worst = fmax(worst, hypot(a.velocity.x - b.velocity.x, a.velocity.y - b.velocity.y));
    }
    tru_world_destroy(soft);
    tru_world_destroy(rigid);
    return worst;
}

/* First order: every halving of the step halves the difference. */
static void converges(bool disk) {
    const double d[4] = {difference(disk, 4e-4), difference(disk, 2e-4), difference(disk, 1e-4),
                         difference(disk, 5e-5)};
    printf("%s: %.3g %.3g %.3g %.3g m/s from moreau\n", disk ? "disk" : "ball", d[0], d[1], d[2], d[3]);
    for (int k = 0; k < 3; k++) check(d[k + 1] < 0.55 * d[k]);
    check(d[3] < 2e-4);
}

TEST(ball_goes_to_moreau) { converges(false); }
TEST(flat_disk_goes_to_moreau) { converges(true); }
