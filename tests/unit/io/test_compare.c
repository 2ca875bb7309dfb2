/* test_compare.c: comparisons from C: orders that are known, agreement, stopping, and bad input. */
#define _GNU_SOURCE
#include "check.h"
#include "scene_text.h"

#include <trundle/study.h>

/* A ball that slides and then rolls, by two methods. `more` goes into record. */
#define TWO_METHODS(more)                                                                                              \
    BALL_HEAD BALL_LAWS BALL_BODIES "steppers: {moreau: {step: 1 ms}, cone: {step: 1 ms}}\nrecord: {until: 0.4 s" more \
                                    "}\n"

/* A ball far above the floor. Symplectic steps of free fall err by g h t / 2 in height, so that the order is exactly 1. */
#define FALL                                                                                                           \
    "trundle: 1\ntitle: a fall\nlaws: {felt: {coulomb: {slide: 0.3}}}\npairs: [{default: felt}]\n"                     \
    "bodies:\n  table: {kind: fixed, shape: plane}\n"                                                                  \
    "  ball: {shape: {sphere: {radius: 0.1}}, mass: 1, position: [0, 0, 100]}\n"                                       \
    "steppers: {cone: {step: 1 ms}, moreau: {step: 1 ms}}\n"                                                           \
    "record: {until: 1 s, probes: [ball.position.z, ball.velocity.z]}\n"

static tru_compare *compare_of(const char *text, const tru_compare_def *def) {
    tru_error err = {0};
    tru_scene *scene = scene_of(text);
    tru_compare *compare = NULL;
    if (!check_status(tru_compare_create(scene, def, &compare, &err), TRU_OK)) printf("  %s\n", err.text);
    tru_scene_free(scene); /* the comparison has its own */
    return compare;
}

static tru_order order_of(const tru_compare *c, size_t method, size_t probe) {
    tru_order order = {0};
    check_status(tru_compare_order(c, method, probe, &order, NULL), TRU_OK);
    return order;
}

/* ---- known orders ---- */

TEST(free_fall_has_the_orders_of_its_steppers) {
    const double g = 9.81, h = 1e-3;
    const tru_compare_def def = tru_default_compare_def();
    tru_compare *c = compare_of(FALL, &def);
    check_status(tru_compare_run(c, NULL, NULL), TRU_OK);
    const tru_compare_info *info = tru_compare_describe(c);
    check(info->method_count == 2 && info->probe_count == 2);
    check_str(info->methods[0].label, "cone");
    check_str(info->probes[0], "ball.position.z");
    check_close(info->times[15], 1.0, 1e-12, 0.0);
    const tru_order fall = order_of(c, 0, 0), speed = order_of(c, 0, 1), middle = order_of(c, 1, 0);
    check_close(fall.coarse, 0.25 * g * h, 1e-2, 0.0); /* g (h - h/2) t / 2 at 1 s */
    check_close(fall.fine, 0.125 * g * h, 1e-2, 0.0);
    check_close(fall.observed, 1.0, 1e-6, 0.0);
    check_close(fall.error, 0.125 * g * h, 1e-2, 0.0); /* that of h/4 */
    check(fall.expected == 1 && fall.good && fall.verdict == TRU_CONVERGENCE_CONVERGES && isnan(fall.told));
    check(speed.verdict == TRU_CONVERGENCE_EXACT && isnan(speed.observed) && speed.good);
    check(middle.verdict == TRU_CONVERGENCE_EXACT && middle.good); /* the midpoint rule is exact in free fall */
    double values[TRU_COMPARE_SAMPLES];
    check_status(tru_compare_values(c, 1, 2, 0, values, NULL), TRU_OK);
    check_close(values[15], 100.0 - 0.5 * g, 1e-10, 0.0);
    tru_agreement both;
    check_status(tru_compare_agreement(c, 0, 1, 0, &both, NULL), TRU_OK);
    check_close(both.difference, 0.125 * g * h, 1e-2, 0.0); /* cone at h/4 against the exact fall */
    check(both.agree && both.errors > 0.3 * both.difference);
    tru_compare_free(c);
}

TEST(a_variant_is_a_method) {
    const tru_set variants[] = {{"steppers.cone.step", "4 ms"}, {"parameters.mu", "0.3"}};
    tru_compare_def def = tru_default_compare_def();
    def.variants = variants;
    def.variant_count = 2;
    def.until = 0.08;
    tru_compare *c = compare_of(TWO_METHODS(", probes: [ball.speed]"), &def);
    const tru_study_how two = {.processes = 2};
    double here[TRU_COMPARE_SAMPLES], there[TRU_COMPARE_SAMPLES];
    check_status(tru_compare_run(c, NULL, NULL), TRU_OK);
    const tru_compare_info *info = tru_compare_describe(c);
    check(info->method_count == 4);
    check_str(info->methods[2].label, "steppers.cone.step=4 ms");
    check_str(info->methods[2].stepper, "cone");
    check_str(info->methods[3].stepper, "moreau");
    check_status(tru_compare_values(c, 3, 2, 0, here, NULL), TRU_OK);
    check_close(here[15], 1.0 - 0.3 * 9.81 * info->times[15], 1e-9, 0.0);
    check_status(tru_compare_run(c, &two, NULL), TRU_OK); /* again, by processes: same bits */
    check_status(tru_compare_values(c, 3, 2, 0, there, NULL), TRU_OK);
    check(memcmp(here, there, sizeof here) == 0);
    check_status(tru_compare_values(c, 0, 2, 0, here, NULL), TRU_OK);
    check_close(here[15], 1.0 - 0.2 * 9.81 * info->times[15], 1e-9, 0.0); /* the variant did not stay */
    tru_compare_free(c);
}

/* ---- stopping and bad input ---- */

static bool stop_at_two(void *user, size_t done, size_t all) {
    *(size_t *)user = all;
    return done < 2;
}

TEST(a_stopped_comparison_has_no_answers) {
    const tru_compare_def def = tru_default_compare_def();
    tru_compare *c = compare_of(FALL, &def);
    size_t all = 0;
    const tru_study_how how = {.progress = stop_at_two, .user = &all};
    tru_order order;
    tru_error err;
    check_status(tru_compare_run(c, &how, &err), TRU_REMARK);
    check_str(err.text, "stopped with 2 of 6 runs");
    check(all == 6);
    check_status(tru_compare_order(c, 0, 0, &order, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "the comparison must run before it is asked");
    check_status(tru_compare_run(c, NULL, &err), TRU_OK);
    check_status(tru_compare_order(c, 2, 0, &order, &err), TRU_OUT_OF_RANGE);
    check_str(err.text, "method is 2, must be below 2");
    check_status(tru_compare_order(c, 0, 2, &order, &err), TRU_OUT_OF_RANGE);
    check_str(err.text, "probe is 2, must be below 2");
    double values[TRU_COMPARE_SAMPLES];
    check_status(tru_compare_values(c, 0, 3, 0, values, &err), TRU_OUT_OF_RANGE);
    check_str(err.text, "level is 3, must be from 0 to 2");
    tru_compare_free(c);
}

TEST(wrong_comparisons_are_refused) {
    const tru_set unknown = {"parameters.nu", "1"}, empty = {"parameters.mu", NULL};
    tru_compare_def def = tru_default_compare_def();
    tru_compare *c = (tru_compare *)&def;
    tru_error err;
    tru_scene *bare = scene_of(BALL), *scene = scene_of(FALL), *two = scene_of(TWO_METHODS(", probes: [ball.speed]"));
    check_status(tru_compare_create(bare, &def, &c, &err), TRU_REFUSED);
    check_str(err.text, "a records no probes; add some to record: {probes: [...]}");
    check(c == NULL);
    def.variant_count = 1;
    check_status(tru_compare_create(scene, &def, &c, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "variants must not be NULL if there are some");
    def.variants = &empty;
    check_status(tru_compare_create(scene, &def, &c, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "a variant needs a path and a value");
    def.variants = &unknown;
    check_status(tru_compare_create(two, &def, &c, &err), TRU_OK);
    check_status(tru_compare_run(c, NULL, &err), TRU_UNKNOWN_NAME);
    check_str(err.text, "parameters.nu=1: set parameters.nu=1: no 'nu'; did you mean 'mu'?");
    tru_compare_free(c);
    check_status(tru_compare_create(NULL, &def, &c, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "scene and definition must not be NULL");
    check_str(tru_convergence_name(TRU_CONVERGENCES), "?");
    tru_scene_free(bare);
    tru_scene_free(scene);
    tru_scene_free(two);
}
