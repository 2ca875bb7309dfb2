/* test_scene_parameter.c: parameters of a scene by number: value, unit, range, remark; and what is wrong with blocks. */
#include "check.h"
#include "sim_scenes.h"

#include <math.h>

#define SCENE_OF(parameters)                                                                                           \
    "trundle: 1\nparameters: " parameters                                                                              \
    "\nbodies: {ball: {shape: {sphere: {radius: radius}}, mass: 1}}\nsteppers: {moreau: {step: 1 ms}}\nrecord: {until: 1}\n"
#define SLOPE                                                                                                          \
    SCENE_OF("{radius: 50 mm, tilt: {value: 20 deg, range: [0, most], doc: slope of the table}, most: 45 deg, n: 3}")

static const double degree = 0.017453292519943295;

TEST(parameters_in_file_order) {
    tru_scene *scene = scene_of(SLOPE);
    tru_parameter p;
    check(tru_scene_parameter(scene, 0, &p));
    check_str(p.name, "radius");
    check_str(p.unit.symbol, "m");
    check_str(p.doc, "");
    check(p.value == 0.05 && p.lowest == -INFINITY && p.highest == INFINITY);
    check(tru_scene_parameter(scene, 1, &p));
    check_str(p.name, "tilt");
    check_str(p.doc, "slope of the table");
    check_str(p.unit.symbol, "rad");
    check_close(p.value, 20 * degree, 1e-15, 0);
    check(p.lowest == 0.0);
    check_close(p.highest, 45 * degree, 1e-15, 0);
    check(tru_scene_parameter(scene, 3, &p) && p.value == 3.0);
    check_str(p.unit.symbol, "-");
    check(!tru_scene_parameter(scene, 4, &p));
    tru_scene_free(scene);
    tru_scene *none = scene_of("trundle: 1\nbodies: {ball: {shape: {sphere: {radius: 1}}, mass: 1}}\n"
                               "steppers: {moreau: {step: 1 ms}}\nrecord: {until: 1}\n");
    check(!tru_scene_parameter(none, 0, &p));
    tru_scene_free(none);
}

/* --set and sweeps change the value of a block and keep its range. */
TEST(changes_keep_the_range) {
    tru_error err;
    tru_parameter p;
    double value;
    tru_scene *scene = scene_of(SLOPE);
    static const char *const paths[] = {"parameters.tilt", "tilt", "parameters.tilt.value"};
    for (int i = 0; i < 3; i++) {
        char text[20];
        snprintf(text, sizeof text, "%d deg", 30 + i);
        check_status(tru_scene_change(scene, paths[i], text, &err), TRU_OK);
        check(tru_scene_parameter(scene, 1, &p));
        check_close(p.value, (30 + i) * degree, 1e-15, 0);
        check_close(p.highest, 45 * degree, 1e-15, 0);
        check_status(tru_scene_number(scene, paths[i], &value, NULL, &err), TRU_OK);
        check(value == p.value);
    }
    check_status(tru_scene_change(scene, "tilt", "46 deg", &err), TRU_OUT_OF_RANGE);
    check(strstr(err.text, "parameters: tilt is 46 deg, must be in its range [0, most]") != NULL);
    check(tru_scene_parameter(scene, 1, &p));
    check_close(p.value, 32 * degree, 1e-15, 0); /* as before the change that failed */
    tru_scene_free(scene);
}

/* A block means what its value means. */
TEST(blocks_and_numbers_are_the_same_scene) {
    tru_scene *block = scene_of(SLOPE), *bare = scene_of(SCENE_OF("{radius: 50 mm, tilt: 20 deg, most: 45 deg, n: 3}"));
    check(tru_scene_hash(block) == tru_scene_hash(bare));
    tru_scene_free(block);
    tru_scene_free(bare);
}

static void check_wrong(const char *text, const char *sentence) {
    tru_error err;
    tru_scene *scene = NULL;
    check(tru_scene_parse(text, strlen(text), "s.yaml", NULL, 0, &scene, &err) < 0 && !scene);
    check_str(err.text, sentence);
}

TEST(wrong_blocks) {
    check_wrong(SCENE_OF("{radius: {value: 2 m, range: [1 m, 1.5 m]}}"),
                "s.yaml:2:30: parameters: radius is 2 m, must be in its range [1 m, 1.5 m]");
    check_wrong(SCENE_OF("{radius: {value: nan, range: [1 m, 2 m]}}"),
                "s.yaml:2:30: parameters: radius is 'nan', which is not a finite number");
    check_wrong(SCENE_OF("{radius: {value: 2 m, rang: [1 m, 3 m]}}"),
                "s.yaml:2:35: parameters: radius: unknown key 'rang'; did you mean 'range'?");
    check_wrong(SCENE_OF("{radius: {value: 2 m, range: [1 s, 3 m]}}"),
                "s.yaml:2:43: parameters: radius: range is '1 s', must have the unit of the value, m");
    check_wrong(SCENE_OF("{radius: {value: 2 m, range: [1 m, 3]}}"),
                "s.yaml:2:48: parameters: radius: range is '3', must have the unit of the value, m");
    check_wrong(SCENE_OF("{radius: {value: 2 m, range: [3 m, 1 m]}}"),
                "s.yaml:2:48: parameters: radius: range is [3 m, 1 m], must rise");
    check_wrong(SCENE_OF("{radius: {value: 2 m, range: [3 m]}}"),
                "s.yaml:2:42: parameters: radius: range is a list of 1, must be [lowest, highest]");
    check_wrong(SCENE_OF("{radius: {range: [1 m, 3 m]}}"),
                "s.yaml:2:22: parameters: radius is a map, must be a number or have the key value");
    check_wrong(SCENE_OF("{radius: {value: [2 m]}}"),
                "s.yaml:2:30: parameters: radius is a list of 1, must be a number");
    check_wrong(SCENE_OF("{radius: {value: 2 m, doc: [a]}}"),
                "s.yaml:2:40: parameters: radius: doc is a list of 1, must be a text");
    check_wrong(SCENE_OF("{radius: {value: radius}}"),
                "s.yaml:2:30: parameters: radius is 'radius', where 'radius' depends on itself");
}
