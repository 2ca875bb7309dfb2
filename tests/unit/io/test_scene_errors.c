/* One sentence for every mistake in a scene: place, object, field, value, what is allowed, nearest name. */
#include "scene_text.h"
#include "scene/scene_world.h"

/* The sentence of a scene that is not read or not built; "" if it is. */
static const char *sentence_of(const char *text, const tru_set *sets, size_t count) {
    static tru_error err;
    tru_scene *scene = NULL;
    tru_world *world = NULL;
    err = (tru_error){TRU_OK, ""};
    tru_status s = tru_scene_parse(text, strlen(text), "a.yaml", sets, count, &scene, &err);
    check(s == TRU_OK || scene == NULL);
    if (!s) s = trio_scene_build_world(scene, NULL, 1, &world, &err);
    if (!s) s = trio_scene_check_world(scene, world, &err);
    check(s == (s < 0 ? err.status : TRU_OK));
    tru_world_destroy(world);
    tru_scene_free(scene);
    return err.text;
}

#define SAYS(text, sentence) check_str(sentence_of(text, NULL, 0), sentence)
/* The ball's scene with one value set. */
#define SET_SAYS(path, value, sentence) check_str(sentence_of(BALL, (const tru_set[]){{path, value}}, 1), sentence)

/* ---- keys and values: every wrong one gets its place and a sentence ---- */

TEST(the_scene_itself_is_good) { SAYS(BALL, ""); }

TEST(unknown_repeated_missing) {
    SAYS("trundle: 1\ntitel: x\n", "a.yaml:2:1: unknown key 'titel'; did you mean 'title'?");
    SAYS("trundle: 1\ntitle: x\ntrundle: 1\n", "a.yaml:3:1: key 'trundle' is repeated; it is in line 1 already");
    SAYS("title: x\n", "a.yaml:1:1: trundle (the version of the format) is missing; write 'trundle: 1'");
    SAYS("trundle: 2\n", "a.yaml:1:10: trundle is '2', must be 1");
    SAYS("[1, 2]\n", "a.yaml:1:1: a scene must be a map of keys");
    SAYS("just words\n", "a.yaml:1:1: a scene must be a map of keys");
    SAYS(BALL_HEAD BALL_LAWS BALL_BODIES "steppers: {moreau: {step: 1}}\n",
         "a.yaml:1:1: record is missing; write 'record: {until: 1 s}', for example");
    SAYS(BALL_HEAD BALL_LAWS BALL_BODIES "record: {until: 1}\n",
         "a.yaml:1:1: steppers is missing; a run needs at least one block");
    SAYS(BALL_HEAD BALL_LAWS BALL_BODIES "steppers: {moreau: {}}\nrecord: {until: 1}\n",
         "a.yaml:10:20: stepper moreau: step is missing");
    SAYS(BALL_HEAD BALL_LAWS BALL_BODIES "steppers: {moreau: }\nrecord: {until: 1}\n",
         "a.yaml:10:20: stepper moreau: step is missing");
    SAYS(BALL_HEAD BALL_LAWS BALL_BODIES "steppers: {moreau: {step: 1}}\nrecord: {frames: 1}\n",
         "a.yaml:11:9: record: until is missing");
    SAYS(BALL_HEAD BALL_END, "a.yaml:1:1: the scene has no bodies");
    SAYS(BALL_HEAD "bodies: {ball: {density: 1}}\n" BALL_END, "a.yaml:4:16: body 'ball': shape is missing");
    SAYS(BALL_HEAD "bodies: {ball: {shape: sphere}}\n" BALL_END,
         "a.yaml:4:24: body 'ball': shape sphere: radius is missing");
    SAYS(BALL_HEAD "bodies: {ball: {shapes: [{density: 3}]}}\n" BALL_END,
         "a.yaml:4:26: body 'ball': shapes[0]: shape is missing");
    SAYS(BALL_HEAD BALL_LAWS BALL_BODIES BALL_END "loads: [{force: [1, 0, 0]}]\n",
         "a.yaml:12:9: loads[0]: body is missing");
    SAYS(BALL_HEAD "pairs: [{law: none}]\n" BALL_BODIES BALL_END, "a.yaml:6:48: body 'table': material is 'glass', "
                                                                  "there is no such material; there is default");
    SAYS(BALL_HEAD "pairs: [{law: none}]\nbodies: {a: {shape: plane, kind: fixed}}\n" BALL_END,
         "a.yaml:4:9: pairs[0]: between is missing");
    SAYS(BALL_HEAD "pairs: [{between: [default, default]}]\nbodies: {a: {shape: plane, kind: fixed}}\n" BALL_END,
         "a.yaml:4:9: pairs[0]: law is missing");
    SET_SAYS("bodies.ball.densty", "5",
             "set bodies.ball.densty=5: body 'ball': unknown key 'densty'; did you mean "
             "'density'?");
    SET_SAYS("laws.felt.coulomb.slid", "5",
             "set laws.felt.coulomb.slid=5: laws.felt: law coulomb: unknown key 'slid'; did you mean 'slide'?");
    SET_SAYS("steppers.moreau.stepp", "5",
             "set steppers.moreau.stepp=5: stepper moreau: unknown key 'stepp'; did you mean 'step'?");
}

TEST(wrong_type) {
    SET_SAYS("bodies.ball.position", "5",
             "set bodies.ball.position=5: body 'ball': position is '5', must be a list of 3 numbers in m");
    SET_SAYS("bodies.ball.position", "[1, 2]",
             "set bodies.ball.position=[1, 2]: body 'ball': position is a list of 2, must be a list of 3 numbers in m");
    SET_SAYS("bodies.ball.mass", "[1, 2]",
             "set bodies.ball.mass=[1, 2]: body 'ball': mass is a list of 2, must be a number");
    SET_SAYS("bodies.ball.mass", "''", "set bodies.ball.mass='': body 'ball': mass is '', must be a number");
    SET_SAYS("bodies.ball.mass", "~", "set bodies.ball.mass=~: body 'ball': mass is empty, must be a number");
    SET_SAYS("bodies.ball", "heavy", "set bodies.ball=heavy: body 'ball' is 'heavy', must be a map of keys");
    SET_SAYS("bodies.ball.allow_overlap", "yes",
             "set bodies.ball.allow_overlap=yes: body 'ball': allow_overlap is 'yes', must be true or false");
    SET_SAYS(
        "bodies.ball.shape", "[sphere]",
        "set bodies.ball.shape=[sphere]: body 'ball': shape is a list of 1, must name one shape, NAME or {NAME: {its "
        "fields}}");
    SET_SAYS("bodies.ball.shape", "{sphere: 3}",
             "set bodies.ball.shape={sphere: 3}: body 'ball': shape sphere is '3', must be a map of its fields");
    SET_SAYS("steppers.moreau.sweeps", "2.5",
             "set steppers.moreau.sweeps=2.5: stepper moreau: sweeps is '2.5', must be a whole number");
    SET_SAYS("bodies", "[1]", "set bodies=[1]: bodies is a list of 1, must be a map of keys");
    SET_SAYS("pairs", "{a: b}", "set pairs={a: b}: pairs is a map, must be a list");
    SET_SAYS("record.probes", "ball.speed",
             "set record.probes=ball.speed: record: probes is 'ball.speed', must be a "
             "list");
    SET_SAYS("title", "[1]", "set title=[1]: title is a list of 1, must be a text");
    SET_SAYS("laws.felt.coulomb", "0.3",
             "set laws.felt.coulomb=0.3: laws.felt: coulomb is '0.3', must be a map of coefficients");
    SET_SAYS("record.until", "soon",
             "set record.until=soon: record: until is 'soon', where 'soon' is not a parameter; "
             "there are radius, speed, mu");
}

TEST(wrong_unit) {
    SET_SAYS("bodies.ball.orientation", "{axis: x, angle: 35 kg}",
             "set bodies.ball.orientation={axis: x, angle: 35 kg}: body 'ball': orientation.angle is '35 kg', must be "
             "in rad, not in kg");
    SET_SAYS("bodies.ball.mass", "3 m",
             "set bodies.ball.mass=3 m: body 'ball': mass is '3 m', must be in kg, not in m");
    SET_SAYS("bodies.ball.mass", "2*radius",
             "set bodies.ball.mass=2*radius: body 'ball': mass is '2*radius', must be in kg, not in m (numbers without "
             "unit are pure numbers in a product)");
    SET_SAYS(
        "bodies.ball.mass", "3 stone",
        "set bodies.ball.mass=3 stone: body 'ball': mass is '3 stone', where 'stone' is not a unit; `trundle list units` shows all");
    SET_SAYS("laws.felt.slide", "20 deg",
             "set laws.felt.slide=20 deg: laws.felt: law coulomb: slide is '20 deg', must "
             "be a pure number, not in rad");
    SET_SAYS("bodies.ball.angular_velocity", "[0, 0, 3 Hz]",
             "set bodies.ball.angular_velocity=[0, 0, 3 Hz]: body 'ball': angular_velocity.z is '3 Hz', must be in "
             "rad/s, not in 1/s");
    SET_SAYS("bodies.ball.position", "[1, 2, 3, kg]",
             "set bodies.ball.position=[1, 2, 3, kg]: body 'ball': position is 'kg', must be in m, not in kg");
    SET_SAYS("bodies.ball.position", "[1, 2 m, 3, mm]",
             "set bodies.ball.position=[1, 2 m, 3, mm]: body 'ball': position.y is '2 m', must be without unit, since "
             "the list names one");
    SET_SAYS("bodies.ball.position", "[1, 2, 3, 4]",
             "set bodies.ball.position=[1, 2, 3, 4]: body 'ball': position is '4', must be a unit for the three "
             "numbers before it");
    SET_SAYS("gravity", "9.81 m/s", "set gravity=9.81 m/s: gravity is '9.81 m/s', must be in m/s^2, not in m/s");
}

/* ---- units: a length says its unit or its radius ---- */

/* Friction lengths carry a unit or name their radius, however they are written; 0 needs neither. */
TEST(friction_lengths_without_unit) {
    static const char *const laws[] = {"rolling", "constant_torque", "luding", "track"};
    static const struct {
        const char *value, *says;
    } cases[] = {{"0.3", "is '0.3', a length without a unit; write '0.3 m' or {factor: 0.3, radius: smaller}"},
                 {"mu", "is 'mu', a length without a unit; write '(mu) m' or {factor: mu, radius: smaller}"},
                 {"2*mu", "is '2*mu', a length without a unit; write '(2*mu) m' or {factor: 2*mu, radius: smaller}"},
                 {"-0.3", "is '-0.3', a length without a unit; write '-0.3 m' or {factor: -0.3, radius: smaller}"},
                 {"mu + 1 mm", "is 'mu + 1 mm', a sum in which a number has no unit; write it with m"},
                 {"2*(radius + 0.1)", "is '2*(radius + 0.1)', a sum in which a number has no unit; write it with m"},
                 {"mu*radius*radius",
                  "is 'mu*radius*radius', a length without a unit; write '(mu*radius*radius) m' or {factor: "
                  "mu*radius*radius, radius: smaller}"},
                 {"2 mm", ""},
                 {"0.02*radius", ""},
                 {"mu*radius", ""},
                 {"mu*radius + 1 mm", ""},
                 {"0", ""},
                 {"mu - 0.2", ""}, /* a 0 that is computed */
                 {"{factor: mu, radius: smaller}", ""},
                 {"{factor: 0.1, radius: effective}", ""}};
    for (size_t l = 0; l < 4; l++)
        for (int spin = 0; spin < 2; spin++)
            for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
                char value[200], sentence[500] = "";
                const char *field = spin ? "spin" : "roll";
                tru_scene *scene = NULL;
                tru_error err = {TRU_OK, ""};
                snprintf(value, sizeof value, "{%s: {%s: %s}}", laws[l], field, cases[k].value);
                if (cases[k].says[0])
                    snprintf(sentence, sizeof sentence, "set laws.felt=%s: laws.felt: law %s: %s %s", value, laws[l],
                             field, cases[k].says);
                const tru_set set = {"laws.felt", value};
                tru_scene_parse(BALL, strlen(BALL), "a.yaml", &set, 1, &scene, &err);
                check_str(err.text, sentence);
                tru_scene_free(scene);
            }
    SET_SAYS(
        "laws.felt", "{contensou: {slide: 0.2, patch: 0.01}}",
        "set laws.felt={contensou: {slide: 0.2, patch: 0.01}}: laws.felt: law contensou: patch is '0.01', a length "
        "without a unit; write '0.01 m'");
}

/* In a vector with units every number has one, or one stands for all as fourth entry; zeros need none. */
TEST(vectors_with_mixed_units) {
#define POSITION(value, phrase)                                                                                        \
    SET_SAYS("bodies.ball.position", value, "set bodies.ball.position=" value ": body 'ball': position" phrase)
    POSITION("[12, 9, 6 cm]",
             ".x is '12', a number without a unit in a vector with units; write [12 cm, 9 cm, 6 cm] or "
             "[12, 9, 6, cm]");
    POSITION("[0, -9, 6 cm]", ".y is '-9', a number without a unit in a vector with units; write [0, -9 cm, 6 cm] or "
                              "[0, -9, 6, cm]");
    POSITION("[12 mm, 0, 6]", ".z is '6', a number without a unit in a vector with units; write [12 mm, 0, 6 mm] or "
                              "[12, 0, 6, mm]");
    POSITION("[1 mm, 2, 3 cm]",
             ".y is '2', a number without a unit in a vector with units; write [1 mm, 2 mm, 3 cm] or "
             "[x, y, z, mm]");
    POSITION("[mu, 0, radius]", ".x is 'mu', a number without a unit in a vector with units; write [(mu) m, 0, radius] "
                                "or [x, y, z, m]");
    POSITION("[1 + 2, 0, 6 cm]", ".x is '1 + 2', a number without a unit in a vector with units; write [(1 + 2) cm, 0, "
                                 "6 cm] or [1 + 2, 0, 6, cm]");
    POSITION("[12 cm, 9, 6, cm]", ".x is '12 cm', must be without unit, since the list names one");
    SET_SAYS("bodies.ball.position", "[0, 0, 1 dm]", "");
    SET_SAYS("bodies.ball.position", "[1, 2, 3]", "");
    SET_SAYS("bodies.ball.position", "[12, 9, 60, cm]", "");
    SET_SAYS("bodies.ball.position", "[mu*radius, 0, radius]", "");
    SET_SAYS("bodies.ball.velocity", "[1, 0, 3 km/h]",
             "set bodies.ball.velocity=[1, 0, 3 km/h]: body 'ball': velocity.x is '1', a number without a unit in a "
             "vector with units; write [1 km/h, 0, 3 km/h] or [1, 0, 3, km/h]");
    SET_SAYS("gravity", "[1, 0, -9.81 m/s^2]",
             "set gravity=[1, 0, -9.81 m/s^2]: gravity.x is '1', a number without a unit in a vector with units; write "
             "[1 m/s^2, 0, -9.81 m/s^2] or [1, 0, -9.81, m/s^2]");
    SET_SAYS("bodies.ball.shape", "{box: {size: [1, 1 m, 1 m]}}",
             "set bodies.ball.shape={box: {size: [1, 1 m, 1 m]}}: body 'ball': shape box: size.x is '1', a number "
             "without a unit in a vector with units; write [1 m, 1 m, 1 m] or [1, 1, 1, m]");
    SET_SAYS(
        "bodies.ball.shape", "{hull: {points: [[0, 0, 0], [1, 2, 3 cm], [0, 1, 0], [0, 0, 1]]}}",
        "set bodies.ball.shape={hull: {points: [[0, 0, 0], [1, 2, 3 cm], [0, 1, 0], [0, 0, 1]]}}: body 'ball': shape "
        "hull: points[1]: point.x is '1', a number without a unit in a vector with units; write [1 cm, 2 cm, 3 cm] "
        "or [1, 2, 3, cm]");
#undef POSITION
}

/* ---- numbers, parameters, masses ---- */

TEST(out_of_range) {
    SET_SAYS("bodies.ball.mass", "-3", "set bodies.ball.mass=-3: body 'ball': mass is -3 kg, must be above 0 kg");
    SET_SAYS("bodies.ball.density", "-1 g/cm^3",
             "set bodies.ball.density=-1 g/cm^3: body 'ball': density is -1000 kg/m^3, must be at least 0 kg/m^3");
    SET_SAYS("radius", "-5 mm", "a.yaml:9:35: body 'ball': shape sphere: radius is -0.005 m, must be above 0 m");
    SET_SAYS("mu", "-0.1", "a.yaml:5:32: laws.felt: law coulomb: slide is -0.1, must be at least 0");
    SET_SAYS("pairs.0.restitution", "1.5",
             "set pairs.0.restitution=1.5: pairs[0]: restitution is 1.5, must lie between 0 and 1");
    SET_SAYS("steppers.moreau.step", "0", "set steppers.moreau.step=0: stepper moreau: step is 0 s, must be above 0 s");
    SET_SAYS("steppers.moreau.sweeps", "11",
             "set steppers.moreau.sweeps=11: stepper moreau: sweeps is 11, must lie between 1 and 10");
    SET_SAYS("steppers.moreau.correction", "r7", "a.yaml:10:20: stepper moreau: correction r7 belongs to scheme paper");
    SET_SAYS("gravity", "-9.81",
             "set gravity=-9.81: gravity is '-9.81', must be at least 0 m/s^2, or a list of 3 "
             "numbers with a direction");
    SET_SAYS("overlap", "2", "set overlap=2: overlap is 2, must lie between 0 and 1");
    SET_SAYS("bodies.ball.shapes", "[{shape: {sphere: {radius: 1}}, density: -2}]",
             "set bodies.ball.shapes=[{shape: {sphere: {radius: 1}}, density: -2}]: body 'ball': shapes[0]: density is "
             "-2 kg/m^3, must be at least 0 kg/m^3");
    SET_SAYS("laws.felt.rolling", "{roll: {factor: 0.1}}",
             "set laws.felt.rolling={roll: {factor: 0.1}}: laws.felt: law rolling: roll: factor needs a radius "
             "(effective, smaller)");
}

TEST(numbers_that_are_none) {
    SET_SAYS("bodies.ball.mass", ".nan",
             "set bodies.ball.mass=.nan: body 'ball': mass is '.nan', which is not a finite number");
    SET_SAYS("bodies.ball.velocity", "[inf, 0, 0]",
             "set bodies.ball.velocity=[inf, 0, 0]: body 'ball': velocity.x is 'inf', which is not a finite number");
    SET_SAYS("bodies.ball.mass", "1e999",
             "set bodies.ball.mass=1e999: body 'ball': mass is '1e999', which is not a finite number");
    SET_SAYS("bodies.ball.mass", "3/(2-2)",
             "set bodies.ball.mass=3/(2-2): body 'ball': mass is '3/(2-2)', which divides by zero");
    SET_SAYS("bodies.ball.mass", "2*radus",
             "set bodies.ball.mass=2*radus: body 'ball': mass is '2*radus', where 'radus' is not a parameter; did you "
             "mean 'radius'?");
    SET_SAYS("bodies.ball.mass", "2*(3",
             "set bodies.ball.mass=2*(3: body 'ball': mass is '2*(3', where ')' is missing");
}

TEST(parameters) {
    SAYS("trundle: 1\nparameters:\n  a: 2*b\n  b: c + 1\n  c: a\n",
         "a.yaml:5:6: parameters: c is 'a', where 'a' depends on itself");
    SAYS("trundle: 1\nparameters:\n  a: a\n", "a.yaml:3:6: parameters: a is 'a', where 'a' depends on itself");
    SAYS("trundle: 1\nparameters:\n  a: 1 m\n  b: a + 2 kg\n",
         "a.yaml:4:6: parameters: b is 'a + 2 kg', where m and kg are added or compared");
    SAYS("trundle: 1\nparameters:\n  a: 1/x\n  x: 0\n", "a.yaml:3:6: parameters: a is '1/x', which divides by zero");
    SAYS("trundle: 1\nparameters:\n  a: {}\n",
         "a.yaml:3:6: parameters: a is a map, must be a number or have the key value");
    SAYS("trundle: 1\nparameters:\n  a:\n", "a.yaml:3:5: parameters: a is empty, must be a number");
    SAYS("trundle: 1\nparameters:\n  2a: 1\n", "a.yaml:3:3: parameters: name '2a' must be letters, digits and _, and "
                                               "begin with a letter");
    SAYS("trundle: 1\nparameters:\n  pi: 3\n", "a.yaml:3:3: parameters: name 'pi' is reserved");
    SAYS("trundle: 1\nparameters: [1]\n", "a.yaml:2:13: parameters is a list of 1, must be a map of keys");
    char text[8000] = "trundle: 1\nparameters:\n";
    for (int i = 0; i < 250; i++) /* each needs the next */
        snprintf(text + strlen(text), sizeof text - strlen(text), "  p%d: p%d\n", i, i + 1);
    strcat(text, "  p250: 1\n");
    SAYS(text, "a.yaml:203:9: parameters: p200 is 'p201', which depends on a chain of more than 200 parameters");
}

TEST(masses_and_orientations) {
    SET_SAYS("bodies.ball.orientation", "[0, 0, 0, 0]",
             "set bodies.ball.orientation=[0, 0, 0, 0]: body 'ball': orientation is (0, 0, 0, 0), which cannot be "
             "normalised");
    SET_SAYS(
        "bodies.ball.orientation", "[1, 0, 0]",
        "set bodies.ball.orientation=[1, 0, 0]: body 'ball': orientation is a list of 3, must be [w, x, y, z], {axis: "
        "..., angle: ...} or a list of such turns, each about the axes turned so far");
    SET_SAYS("bodies.ball.orientation", "{axis: up, angle: 1}",
             "set bodies.ball.orientation={axis: up, angle: 1}: body 'ball': orientation.axis is 'up', must be x, y, z "
             "or a list of 3 numbers");
    SET_SAYS(
        "bodies.ball.orientation", "{axis: [0, 0, 0], angle: 1}",
        "set bodies.ball.orientation={axis: [0, 0, 0], angle: 1}: body 'ball': orientation.axis is a list of 3, must "
        "not be zero");
    SET_SAYS("bodies.ball.inertia", "[1, 1, 3]",
             "a.yaml:9:9: body 'ball': inertia has principal moments 1, 1, 3 kg m^2; none may exceed the sum of the "
             "others");
    SET_SAYS("bodies.ball.inertia", "[1, 0, 1]",
             "set bodies.ball.inertia=[1, 0, 1]: body 'ball': inertia.y is 0 kg m^2, must be above 0 kg m^2");
    SET_SAYS("bodies.ball.density", "0",
             "a.yaml:9:9: body 'ball': mass is missing and no shape has a density and a volume");
}

/* ---- names: the nearest one is offered ---- */

TEST(unknown_names) {
    SET_SAYS("bodies.ball.shape", "{spere: {radius: 1}}",
             "set bodies.ball.shape={spere: {radius: 1}}: body 'ball': no shape 'spere'; did you mean 'sphere'?");
    SET_SAYS("bodies.ball.material", "stel",
             "set bodies.ball.material=stel: body 'ball': material is 'stel', there is no such material; did you mean "
             "'steel'?");
    SET_SAYS("bodies.ball.kind", "fre",
             "set bodies.ball.kind=fre: body 'ball': kind is 'fre', must be one of free, fixed, driven; did you mean "
             "'free'?");
    SET_SAYS("laws.felt", "{coulumb: {slide: 0.3}}",
             "set laws.felt={coulumb: {slide: 0.3}}: laws.felt: no law 'coulumb'; did you mean 'coulomb'?");
    SET_SAYS("pairs.0.law", "flet",
             "set pairs.0.law=flet: pairs[0]: law is 'flet', there is no such law; did you mean 'felt'?");
    SET_SAYS("pairs.0.between", "[steel, glas]",
             "set pairs.0.between=[steel, glas]: pairs[0]: between is 'glas', there is no such material; did you mean "
             "'glass'?");
    SET_SAYS("pairs.0.between", "[steel]",
             "set pairs.0.between=[steel]: pairs[0]: between is a list of 1, must be a list of two materials");
    SET_SAYS("steppers.moreau.solver", "newtn",
             "set steppers.moreau.solver=newtn: stepper moreau: no solver 'newtn'; did you mean 'newton'?");
    SET_SAYS("steppers.moreu", "{step: 1}",
             "set steppers.moreu={step: 1}: steppers: no stepper 'moreu'; did you mean 'moreau'?");
    SET_SAYS("loads", "[{body: bal, force: [1, 0, 0]}]",
             "set loads=[{body: bal, force: [1, 0, 0]}]: loads[0]: body is 'bal', there is no such body; did you mean "
             "'ball'?");
    SET_SAYS("joints", "[{hinge: {}}]", "set joints=[{hinge: {}}]: joints is a list of 1, must be a map of keys");
    SET_SAYS(
        "joints", "{pin: {joint: hing, between: [ball, ball]}}",
        "set joints={pin: {joint: hing, between: [ball, ball]}}: joint 'pin': no joint 'hing'; did you mean 'hinge'?");
    SET_SAYS("joints", "{pin: {joint: hinge}}", "set joints={pin: {joint: hinge}}: joint 'pin': between is missing");
    SET_SAYS(
        "joints", "{pin: {joint: hinge, between: [ball, bal]}}",
        "set joints={pin: {joint: hinge, between: [ball, bal]}}: joint 'pin': between is 'bal', there is no such body; "
        "did you mean 'ball'?");
    SET_SAYS(
        "joints", "{pin: {joint: {motor: {speed: 3}}, between: [ball, ball]}}",
        "set joints={pin: {joint: {motor: {speed: 3}}, between: [ball, ball]}}: joint 'pin': joint motor: speed is '3', "
        "a number without a unit; write '3 rad/s'");
    SET_SAYS(
        "joints", "{pin: {joint: {motor: {speed: 3 m/s}}, between: [ball, ball]}}",
        "set joints={pin: {joint: {motor: {speed: 3 m/s}}, between: [ball, ball]}}: joint 'pin': joint motor: speed is '3 "
        "m/s', must be in rad/s, not in m/s");
    SET_SAYS(
        "joints", "{pin: {joint: hinge, axes: [1, 0, 0], between: [ball, ball]}}",
        "set joints={pin: {joint: hinge, axes: [1, 0, 0], between: [ball, ball]}}: joint 'pin': unknown key 'axes'; did "
        "you mean 'axis'?");
    SET_SAYS("stop_when", "{resst: true}",
             "set stop_when={resst: true}: stop_when: unknown key 'resst'; did you mean 'rest'?");
    SET_SAYS("stop_when", "{event: {kind: slipp}}",
             "set stop_when={event: {kind: slipp}}: stop_when: event: kind is 'slipp', must be one of touch, lift, "
             "slip, stick, flat, rest, cross, handover; did you mean 'slip'?");
    SET_SAYS(
        "stop_when", "{event: {kind: rest, row: roll}}",
        "set stop_when={event: {kind: rest, row: roll}}: stop_when: event: row is 'roll', which applies only to slip "
        "and stick");
    SET_SAYS("stop_when", "{probe: {name: ball.speed}}",
             "set stop_when={probe: {name: ball.speed}}: stop_when: probe: give one of above and below");
}

TEST(paths_that_lead_nowhere) {
    SET_SAYS("bodies.bal.mass", "5", "set bodies.bal.mass=5: no 'bal'; did you mean 'ball'?");
    SET_SAYS("sped", "5", "set sped=5: no 'sped'; did you mean 'speed'?");
    SET_SAYS("recrod.until", "5", "set recrod.until=5: no 'recrod'; did you mean 'record'?");
    SET_SAYS("parameters.sped", "5", "set parameters.sped=5: no 'sped'; did you mean 'speed'?");
    SET_SAYS("pairs.7.law", "felt", "set pairs.7.law=felt: no entry '7' in a list of 1");
    SET_SAYS("title.x", "felt", "set title.x=felt: 'A ball' has no 'x' below it");
    SET_SAYS("record..until", "3", "set record..until=3: no ''; there is until");
}

/* A part of a name finds the name; a key inside a named block is looked for in its stepper. */
TEST(parts_of_names) {
    SET_SAYS("laws.felt.coulomb.static", "0.3",
             "set laws.felt.coulomb.static=0.3: laws.felt: law coulomb: unknown key 'static'; did you mean "
             "'slide_static'?");
    SET_SAYS("laws.felt.static", "0.3",
             "set laws.felt.static=0.3: laws.felt: law coulomb: unknown key 'static'; did you mean 'slide_static'?");
    const tru_set sets[] = {{"steppers", "{fine: {moreau: {step: 1 ms}}}"}, {"steppers.fine.stepp", "2 ms"}};
    check_str(sentence_of(BALL, sets, 2),
              "set steppers.fine.stepp=2 ms: stepper moreau: unknown key 'stepp'; did you mean 'step'?");
}

/* ---- what a stepper or the world refuses ---- */

TEST(coefficients_that_nothing_uses) {
    SET_SAYS("pairs.0.law", "none", "a.yaml:5:8: laws.felt is not used by any pair");
    SET_SAYS("materials", "[steel, glass, wood]", "");
    SAYS(BALL_HEAD
         "materials: [steel, glass, wood]\nlaws: {felt: {coulomb: {slide: mu}}}\n"
         "pairs: [{between: [steel, glass], law: felt}, {between: [steel, wood], law: felt}]\n" BALL_BODIES BALL_END,
         "a.yaml:6:47: pairs[1]: no body has the material 'wood'");
    SAYS(BALL_HEAD
         "materials: [steel, glass]\nlaws: {felt: {coulomb: {slide: mu}}}\n"
         "pairs: [{between: [steel, glass], law: felt}, {between: [glass, steel], law: felt}]\n" BALL_BODIES BALL_END,
         "a.yaml:6:47: pairs[1]: pairs[0] has the same materials");
    SET_SAYS(
        "pairs.0.compliance", "1e-6 m/N",
        "set pairs.0.compliance=1e-6 m/N: stepper moreau cannot use compliance (1e-06 m/N): its contacts are rigid");
}

TEST(what_the_world_refuses) {
    SET_SAYS("pairs", "[]", "a.yaml:5:8: laws.felt is not used by any pair");
    SAYS(
        BALL_HEAD "materials: [steel, glass]\n" BALL_BODIES BALL_END,
        "a.yaml:6:10: materials 'glass' and 'steel' can touch (bodies 'table' and 'ball') but have no law; a pair or a default must give one");
    SET_SAYS("bodies.ball.position.z", "radius/2",
             "a.yaml:9:9: bodies 'ball' and 'table' overlap by 0.05 m at the start, more than 0.01 of the size 0.2 m");
    SET_SAYS("loads", "[{body: table, force: [1, 0, 0]}]",
             "set loads=[{body: table, force: [1, 0, 0]}]: load: body 'table' is not free, a load on it has no effect");
    SET_SAYS("motions", "[{body: ball, velocity: [1, 0, 0]}]",
             "set motions=[{body: ball, velocity: [1, 0, 0]}]: motion: body 'ball' is not driven");
    SET_SAYS("loads", "[{body: ball, force: [1, 0, 0], knots: [[1, 0], [1, 1]]}]",
             "set loads=[{body: ball, force: [1, 0, 0], knots: [[1, 0], [1, 1]]}]: load: knot times must increase, 1 s "
             "follows 1 s");
    SET_SAYS("laws.felt.contensou", "{slide: 0.3, patch: 1 mm}",
             "a.yaml:6:9: laws coulomb and contensou both claim slide");
    SET_SAYS("start", "[{between: [table, table], slide: stuck}]",
             "set start=[{between: [table, table], slide: stuck}]: start: bodies 'table' and 'table' have no contact");
}

/* ---- lists of points, objects and fills ---- */

TEST(hulls) {
    const char *path = "bodies.ball.shape", *flat = "{hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}}";
    SET_SAYS(
        path, flat,
        "set bodies.ball.shape={hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}}: hull: all points lie in a "
        "plane (to 1e-6 of their size); a flat body is a thin box");
    SET_SAYS(
        path, "{hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}}",
        "set bodies.ball.shape={hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}}: hull has 3 points, must have at "
        "least 4");
    SET_SAYS(path, "{hull: {seed: 3}}",
             "set bodies.ball.shape={hull: {seed: 3}}: hull needs points, or the radius of a random stone");
    SET_SAYS(
        path, "{hull: {radius: 2 cm, corners: 3}}",
        "set bodies.ball.shape={hull: {radius: 2 cm, corners: 3}}: body 'ball': shape hull: corners is 3, must lie "
        "between 4 and 64");
    SET_SAYS(
        path, "{hull: {points: [[0, 0, 0], [1, 0], [0, 1, 0], [1, 1, 1]]}}",
        "set bodies.ball.shape={hull: {points: [[0, 0, 0], [1, 0], [0, 1, 0], [1, 1, 1]]}}: body 'ball': shape hull: "
        "points[1]: point is a list of 2, must be a list of 3 numbers in m");
}

TEST(names_of_objects) {
    SAYS(BALL_HEAD "bodies: {a.b: {shape: plane}}\n" BALL_END,
         "a.yaml:4:10: bodies: name 'a.b' must consist of letters, digits, _ and -");
    SAYS(BALL_HEAD
         "bodies: {0123456789012345678901234567890123456789012345678901234567890123: {shape: plane}}\n" BALL_END,
         "a.yaml:4:10: bodies: name '01234567890123456789...' is longer than 63 bytes");
    SAYS(BALL_HEAD "materials: [steel, steel]\n" BALL_END, "a.yaml:4:20: materials: 'steel' already exists");
    SAYS(BALL_HEAD "materials: [default]\n" BALL_END, "a.yaml:4:13: materials: 'default' already exists");
}

TEST(fills) {
#define FILL(text) BALL_HEAD "pairs: [{default: none}]\nfill:\n  g: " text "\n" BALL_END
    SAYS(FILL("{place: {lattice: {spacing: [1, 1, 1], count: [2, 2, 2]}}, body: {shape: {sphere: {radius: 0.1}}, "
              "density: 1}}"),
         "");
    SAYS(FILL("{body: {shape: plane}}"), "a.yaml:6:6: fill 'g': place is missing");
    SAYS(FILL("{place: {lattice: {spacing: [1, 1, 1], count: [2, 2, 2]}}}"), "a.yaml:6:6: fill 'g': body is missing");
    SAYS(FILL("{place: {lattice: {spacing: [1, 1, 1], count: [2, 2, 2]}}, body: {shape: plane}}"),
         "a.yaml:6:71: fill 'g': shape is plane, must be a bounded shape");
    SAYS(FILL("{place: {lattice: {spacing: [1, 1, 1], count: [2, 2, 2.5]}}, body: {shape: plane}}"),
         "a.yaml:6:24: place lattice: count must be three whole numbers");
    SAYS(FILL("{place: {lattice: {spacing: [1, 1, 1], count: [2, 2, 2]}}, body: {shape: {sphere: {radius: 1}}, "
              "position: [0, 0, 0]}}"),
         "a.yaml:6:102: fill 'g': unknown key 'position'; there are kind, orientation, velocity, angular_velocity, "
         "mass, centre, inertia, products, shapes, allow_overlap, level, shape, material, density");
    SAYS(FILL("{place: {packing: {lowest: [0, 0, 0], highest: [1, 1, 1], count: 100, tries: 50}}, body: {shape: "
              "{sphere: {radius: 0.2}}, density: 1}}"),
         "a.yaml:6:6: fill 'g': only 6 of 100 bodies fit; the next one overlapped others at each of 50 places");
    SAYS(FILL("{place: {packing: {lowest: [0, 0, 2], highest: [1, 1, 1], count: 100}}, body: {shape: plane}}"),
         "a.yaml:6:24: place packing: lowest must not lie above highest");
    SAYS(FILL("{place: {lattice: {spacing: [1, 1, 1], count: [2, 2, 2]}}, sizes: {uniform: {lowest: 1, highest: 2}}, "
              "body: {shape: {sphere: {radius: 0.1}}, mass: 1}}"),
         "a.yaml:6:114: fill 'g': bodies of different sizes need a density instead of mass and inertia");
}
