/* test_field.c: defaults, range checks with their exact sentences, lookup, nearest names, change of units. */
#include "check.h"
#include "field_example.h"

static example good_example(void) {
    example e;
    memset(&e, 0, sizeof e);
    tru_fields_defaults(example_fields, &e);
    e.radius = 0.1;
    return e;
}

/* The sentence that the check writes, or its status if it writes none. */
static const char *sentence(const example *e, const char *what) {
    static tru_error err;
    memset(&err, 0, sizeof err);
    tru_status status = tru_fields_check(example_fields, e, what, &err);
    check_status(status, err.status);
    check_status(tru_fields_check(example_fields, e, what, NULL), status);
    return status ? err.text : "good";
}

/* ---- defaults ---- */

TEST(defaults_come_from_the_table) {
    example e;
    memset(&e, 0xFF, sizeof e);
    tru_fields_defaults(example_fields, &e);
    check(e.slide == 0.0 && e.mass == 1.0 && e.share == 0.5 && e.stiffness == 1e6);
    check(e.radius == TRU_DERIVED && e.activation == TRU_DERIVED && e.inertia.x == TRU_DERIVED);
    check(e.count == 50 && e.on && e.scheme == 1);
    check(e.size.x == 0.25 && e.size.y == 0.25 && e.size.z == 0.25);
    check(e.turn.w == 1.0 && e.turn.x == 0.0 && e.turn.y == 0.0 && e.turn.z == 0.0);
    check_str(e.note, "none");
    check_str(e.solver.name, "newton");
    check(e.solver.params == NULL && e.body == TRU_NONE);
    check(e.layers.count == 0 && e.layers.items == NULL && e.times.count == 0);
    check(e.roll.length == 0.0 && e.roll.factor == 0.0 && e.roll.radius == TRU_RADIUS_NONE);
}

TEST(a_required_value_of_every_type_is_missing_by_default) {
    tru_field required[sizeof example_fields / sizeof *example_fields];
    memcpy(required, example_fields, sizeof required);
    for (tru_field *f = required; f->name; f++) {
        f->default_value = TRU_REQUIRED;
        f->text = NULL;
        const tru_field one[] = {*f, {0}};
        example e;
        tru_error err = {0};
        char expected[64];
        memset(&e, 0, sizeof e);
        tru_fields_defaults(one, &e);
        snprintf(expected, sizeof expected, "law x: %s is missing", f->name);
        if (f->type == TRU_FIELD_BOOLEAN) continue; /* true and false are all it can be */
        check_status(tru_fields_check(one, &e, "law x", &err), TRU_BAD_ARGUMENT);
        check_str(err.text, expected);
    }
}

/* ---- checks: good values pass, others get a sentence ---- */

TEST(good_values_pass) {
    example e = good_example();
    check_str(sentence(&e, "law x"), "good");
    layer layers[2] = {{.depth = 1.0, .label = "a"}, {.depth = 0.0, .roll = {0.0, 0.1, TRU_RADIUS_SMALLER}}};
    double times[3] = {0.0, 1.0, 2.0};
    e.layers = (tru_list){layers, 2};
    e.times = (tru_list){times, 3};
    e.roll.length = 0.01;
    e.inertia = (tru_vec3){0.0, 1.0, 2.0};
    e.activation = 1e-6;
    e.count = 1000;
    e.share = 1.0;
    e.charge = -1e30;
    e.stiffness = 1e9;
    check_str(sentence(&e, "law x"), "good");
    e.roll = (tru_length){0.0, 0.05, TRU_RADIUS_EFFECTIVE};
    check_str(sentence(&e, "law x"), "good");
    e.roll = (tru_length){0.0, 0.0, TRU_RADIUS_EFFECTIVE}; /* a factor of zero may end a sweep */
    check_str(sentence(&e, "law x"), "good");
}

TEST(numbers_out_of_range) {
    example e = good_example();
    e.slide = -0.3;
    check_str(sentence(&e, "law coulomb"), "law coulomb: slide is -0.3, must be at least 0");
    check_str(sentence(&e, NULL), "slide is -0.3, must be at least 0");
    e = good_example(), e.slide = NAN;
    check_str(sentence(&e, "law coulomb"), "law coulomb: slide is nan, must be a finite number");
    e = good_example(), e.mass = 0.0;
    check_str(sentence(&e, "body 'ball'"), "body 'ball': mass is 0 kg, must be above 0 kg");
    e = good_example(), e.mass = INFINITY;
    check_str(sentence(&e, "body 'ball'"), "body 'ball': mass is inf, must be a finite number");
    e = good_example(), e.share = 1.0000001;
    check_str(sentence(&e, "law x"), "law x: share is 1.0000001, must lie between 0 and 1");
    e = good_example(), e.radius = TRU_DERIVED;
    check_str(sentence(&e, "law x"), "law x: radius is missing");
    e = good_example(), e.share = TRU_DERIVED;
    check_str(sentence(&e, "law x"), "law x: share cannot be derived, give its value");
    e = good_example(), e.activation = -1.0;
    check_str(sentence(&e, "law x"), "law x: activation is -1 m, must be at least 0 m");
    e = good_example(), e.charge = 6.0;
    check_str(sentence(&e, "law x"), "law x: charge is 6 J, must be at most 5 J");
    e = good_example(), e.stiffness = 0.0;
    check_str(sentence(&e, "law x"), "law x: stiffness is 0 N/m, must be above 0 N/m and at most 1e+09 N/m");
    e = good_example(), e.count = 0;
    check_str(sentence(&e, "law x"), "law x: count is 0, must lie between 1 and 1000");
}

TEST(vectors_quaternions_and_choices) {
    example e = good_example();
    e.size.y = NAN;
    check_str(sentence(&e, "shape box"), "shape box: size.y is nan, must be a finite number");
    e = good_example(), e.size.z = 0.0;
    check_str(sentence(&e, "shape box"), "shape box: size.z is 0 m, must be above 0 m");
    e = good_example(), e.size.x = TRU_DERIVED;
    check_str(sentence(&e, "shape box"), "shape box: size needs x, y and z");
    e = good_example(), e.inertia = (tru_vec3){1.0, -1.0, 1.0};
    check_str(sentence(&e, "body 'a'"), "body 'a': inertia.y is -1 kg m^2, must be at least 0 kg m^2");
    e = good_example(), e.inertia = (tru_vec3){TRU_DERIVED, 0.0, 0.0}; /* x alone says: derive */
    check_str(sentence(&e, "body 'a'"), "good");
    e = good_example(), e.turn = (tru_quat){0.0, 0.0, 0.0, 0.0};
    check_str(sentence(&e, "body 'a'"), "body 'a': turn is (0, 0, 0, 0), which cannot be normalised");
    e = good_example(), e.turn = (tru_quat){1.0, NAN, 0.0, 0.0};
    check_str(sentence(&e, "body 'a'"), "body 'a': turn is (1, nan, 0, 0), which cannot be normalised");
    e = good_example(), e.turn = (tru_quat){1e200, 0.0, 0.0, 0.0};
    check_str(sentence(&e, "body 'a'"), "body 'a': turn is (1e+200, 0, 0, 0), which cannot be normalised");
    e = good_example(), e.scheme = 7;
    check_str(sentence(&e, "stepper moreau"), "stepper moreau: scheme is 7, must be one of midpoint, paper");
    e.scheme = -1;
    check_str(sentence(&e, "stepper moreau"), "stepper moreau: scheme is -1, must be one of midpoint, paper");
    e = good_example(), e.solver.name = NULL;
    check_str(sentence(&e, "stepper moreau"), "stepper moreau: solver is missing");
}

TEST(lists_say_which_item) {
    example e = good_example();
    layer layers[2] = {{.depth = 1.0}, {.depth = -1.0}};
    double times[2] = {1.0, -2.0};
    e.times = (tru_list){times, 2};
    check_str(sentence(&e, "load 1"), "load 1: times[1] is -2 s, must be at least 0 s");
    e.times = (tru_list){NULL, 2};
    check_str(sentence(&e, "load 1"), "load 1: times has a count of 2 but no items");
    e.layers = (tru_list){layers, 2};
    check_str(sentence(&e, "fill 'a'"), "fill 'a': layers[1].depth is -1 m, must be at least 0 m");
    layers[1].depth = TRU_DERIVED;
    check_str(sentence(&e, "fill 'a'"), "fill 'a': layers[1].depth is missing");
    layers[0].roll.factor = 0.1;
    check_str(sentence(&e, "fill 'a'"), "fill 'a': layers[0].roll: factor needs a radius (effective, smaller)");
}

TEST(alternatives_want_one_of_the_two) {
    example e = good_example();
    tru_error err;
    e.roll = (tru_length){0.01, 0.05, TRU_RADIUS_EFFECTIVE};
    check_str(sentence(&e, "law rolling"), "law rolling: give roll as a length or as {factor, radius}, not both");
    check_status(tru_fields_check(example_fields, &e, "law rolling", &err), TRU_CONFLICT);
    e.roll = (tru_length){0.01, 0.0, TRU_RADIUS_EFFECTIVE};
    check_str(sentence(&e, NULL), "give roll as a length or as {factor, radius}, not both");
    e.roll = (tru_length){0.0, 0.05, TRU_RADIUS_NONE};
    check_str(sentence(&e, "law rolling"), "law rolling: roll: factor needs a radius (effective, smaller)");
    e.roll = (tru_length){0.0, -0.05, TRU_RADIUS_SMALLER};
    check_str(sentence(&e, "law rolling"), "law rolling: roll.factor is -0.05, must be at least 0");
    e.roll = (tru_length){0.0, 0.05, 9};
    check_str(sentence(&e, "law rolling"), "law rolling: roll.radius is 9, must be one of none, effective, smaller");
    e.roll = (tru_length){-0.01, 0.0, TRU_RADIUS_NONE};
    check_str(sentence(&e, "law rolling"), "law rolling: roll is -0.01 m, must be at least 0 m");
    e.roll = (tru_length){NAN, 0.05, TRU_RADIUS_SMALLER};
    check_str(sentence(&e, "law rolling"), "law rolling: roll is nan, must be a finite number");
}

/* ---- names and units of fields ---- */

TEST(no_parameters_at_all) {
    tru_error err;
    const tru_field none[] = {{0}};
    check_status(tru_fields_check(example_fields, NULL, "law x", &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "law x has no parameters");
    check_status(tru_fields_check(none, NULL, "shape plane", &err), TRU_OK);
}

TEST(fields_are_found_by_name) {
    check(tru_field_find(example_fields, "roll") == &example_fields[18]);
    check(tru_field_find(example_fields, "slide") == &example_fields[0]);
    check(tru_field_find(example_fields, "slid") == NULL);
    check(tru_field_find(example_fields, "") == NULL);
}

TEST(nearest_names) {
    const char *const names[] = {"slide", "slide_static", "stribeck", "roll", "spin", "contour", "contour_viscosity"};
    const struct {
        const char *typed, *meant;
    } cases[] = {{"slid", "slide"},
                 {"sldie", "slide"},
                 {"slide-static", "slide_static"},
                 {"Slide", "slide"},
                 {"STRIBECK", "stribeck"},
                 {"stribek", "stribeck"},
                 {"rol", "roll"},
                 {"rolll", "roll"},
                 {"psin", "spin"},
                 {"contuor", "contour"},
                 {"contour_viscoscity", "contour_viscosity"},
                 {"friction", NULL},
                 {"mass", NULL},
                 {"", NULL},
                 {"x", NULL},
                 {"slides", "slide"},
                 {"static_slide", "slide_static"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_str(tru_nearest_name(cases[i].typed, names, 7), cases[i].meant);
    char long_name[200];
    memset(long_name, 'a', 199), long_name[199] = '\0';
    check_str(tru_nearest_name(long_name, names, 7), NULL);
    check_str(tru_nearest_name("roll", (const char *const[]){long_name, "poll", "roll"}, 3), "roll");
    check_str(tru_nearest_name("roll", names, 0), NULL);
    const char *const parts[] = {"slide", "slide_static", "roll_viscosity", "spin_viscosity", "stribeck", "max_steps"};
    check_str(tru_nearest_name("static", parts, 6), "slide_static");
    check_str(tru_nearest_name("Static", parts, 6), "slide_static");
    check_str(tru_nearest_name("viscosity", parts, 6), "roll_viscosity");
    check_str(tru_nearest_name("roll_viscosity_coefficient", parts, 6), "roll_viscosity");
    check_str(tru_nearest_name("slide-static-friction", parts, 6), "slide_static");
    check_str(tru_nearest_name("tat", parts, 6), NULL); /* not a word of a name */
    check_str(tru_nearest_name("xy", parts, 6), NULL);
    check_str(tru_nearest_name("fomr", (const char *const[]){"from", "form"}, 2), "form"); /* a swap is one edit */
}

/* kg -> 8, m -> 1/2, s -> 4: powers of two, so that every product is exact. */
TEST(rescaling_follows_the_units) {
    example e = good_example();
    layer layers[1] = {{.depth = 3.0, .roll = {0.01, 0.0, 0}}};
    double times[2] = {1.5, DBL_MAX};
    e.layers = (tru_list){layers, 1};
    e.times = (tru_list){times, 2};
    e.slide = 0.3, e.mass = 3.0, e.charge = 0.7, e.stiffness = 5.0, e.inertia = (tru_vec3){1.0, 2.0, 3.0};
    e.roll = (tru_length){0.0, 0.05, TRU_RADIUS_SMALLER};
    tru_fields_rescale(example_fields, &e, 8.0, 0.5, 4.0);
    check(e.slide == 0.3 && e.share == 0.5);
    check(e.mass == 24.0 && e.radius == 0.05 && e.size.x == 0.125 && e.size.z == 0.125);
    check(e.charge == 0.7 * 8.0 * 0.25 / 16.0); /* J = kg m^2 s^-2 */
    check(e.stiffness == 5.0 * 8.0 / 16.0);     /* N/m = kg s^-2 */
    check(e.inertia.x == 2.0 && e.inertia.z == 6.0);
    check(e.activation == TRU_DERIVED);
    check(e.count == 50 && e.turn.w == 1.0);
    check(layers[0].depth == 1.5 && layers[0].roll.length == 0.005);
    check(times[0] == 6.0 && times[1] == DBL_MAX);
    check(e.roll.length == 0.0 && e.roll.factor == 0.05 && e.roll.radius == TRU_RADIUS_SMALLER);
    tru_fields_rescale(example_fields, &e, 0.125, 2.0, 0.25);
    check(e.mass == 3.0 && e.charge == 0.7 && e.stiffness == 5.0 && layers[0].depth == 3.0 && times[0] == 1.5);
}
