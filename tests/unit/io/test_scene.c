/* Scenes: what is read, resolved, changed, asked. */
#include "scene_text.h"
#include "scene/scene_api.h"

static double number(const tru_scene *scene, const char *path, const char *symbol) {
    double value = NAN;
    tru_unit_info unit = {"", 0, 0, 0};
    tru_error err = {TRU_OK, ""};
    if (!check_status(tru_scene_number(scene, path, &value, &unit, &err), TRU_OK)) printf("  %s\n", err.text);
    check_str(unit.symbol, symbol);
    return value;
}

static bool has(const char *text, const char *part) {
    const bool found = text && strstr(text, part);
    if (!found) printf("  no '%s' in\n%s\n", part, text ? text : "(null)");
    return found;
}

/* ---- the resolved text: SI, complete, and its own fixed point ---- */

TEST(the_resolved_text_is_SI_with_every_default) {
    tru_scene *s = scene_of(BALL);
    check_str(tru_scene_text(s),
              "trundle: 1\n"
              "title: \"A ball\"\n"
              "parameters:\n"
              "  radius: 0.1 m\n"
              "  speed: 1 m/s\n"
              "  mu: 0.2\n"
              "gravity: [0, 0, -9.81, m/s^2]\n"
              "overlap: 0.01\n"
              "materials: [steel, glass]\n"
              "laws:\n"
              "  felt: {coulomb: {slide: 0.2, slide_static: derived, stribeck: 0 m/s}}\n"
              "pairs:\n"
              "  - {between: [steel, glass], law: felt, restitution: 0, compliance: 0 m/N, pass: false}\n"
              "bodies:\n"
              "  table: {kind: fixed, position: [0, 0, 0, m], orientation: [1, 0, 0, 0], velocity: [0, 0, 0, m/s], "
              "angular_velocity: [0, 0, 0, rad/s], mass: derived, centre: derived, inertia: derived, products: [0, 0, "
              "0, kg m^2], shapes: [{shape: plane, material: glass, position: [0, 0, 0, m], orientation: [1, 0, 0, 0], "
              "density: 0 kg/m^3}], allow_overlap: false, level: [0, 0, 0]}\n"
              "  ball: {kind: free, position: [0, 0, 0.1, m], orientation: [1, 0, 0, 0], velocity: [1, 0, 0, m/s], "
              "angular_velocity: [0, 0, 0, rad/s], mass: derived, centre: derived, inertia: derived, products: [0, 0, "
              "0, kg m^2], shapes: [{shape: {sphere: {radius: 0.1 m}}, material: steel, position: [0, 0, 0, m], "
              "orientation: [1, 0, 0, 0], density: 1800 kg/m^3}], allow_overlap: false, level: [0, 0, 0]}\n"
              "steppers:\n"
              "  moreau: {step: 0.001 s, scheme: midpoint, correction: height, activation: derived, sweeps: 3, solver: "
              "{newton: {tolerance: 1e-12, max_steps: 100}}}\n"
              "record: {until: 1 s, frames: derived, interval: derived, contacts: false, snapshots: 60 s, double: "
              "false}\n");
    tru_scene_free(s);
}

/* Every section, every form of a value. */
static const char everything[] =
    "trundle: 1\n"
    "title: \"All of it: 'quotes', \\\"more\\\", \\\\ and a\\ttab\"\n"
    "parameters:\n"
    "  a: 3*b\n"
    "  b: 2 cm\n"
    "  tilt: 20 deg\n"
    "  rate: 1 m/s/b\n"
    "  odd: sqrt(b)\n"
    "  bare: 7\n"
    "gravity: [9.81*sin(tilt), 0, -9.81*cos(tilt)]\n"
    "overlap: 2 %\n"
    "materials: {steel: the ball, 'two words': the table, felt: }\n"
    "laws:\n"
    "  rim: {coulomb: {slide: 0.3, slide_static: 0.4}, rolling: {roll: 0.3 mm, spin: {factor: 0.05, radius: smaller}}}\n"
    "  cloth: {coulomb: {slide: 0.5}}\n"
    "pairs:\n"
    "  - {between: [steel, 'two words'], law: rim, restitution: 0.5}\n"
    "  - {between: [steel, steel], law: {coulomb: {slide: bare/10}}}\n"
    "  - {between: [steel, felt], law: none}\n"
    "  - {default: cloth}\n"
    "bodies:\n"
    "  table: {kind: fixed, shape: plane, material: 'two words', orientation: {axis: y, angle: tilt}}\n"
    "  drum: {kind: driven, shape: {box: {size: [1, 2, 3, cm]}}, material: felt, position: [5, 5, 5],\n"
    "         orientation: [{axis: z, angle: 90 deg}, {axis: [1, 1, 0], angle: -0.3}]}\n"
    "  1st: {shape: {sphere: {radius: b}}, material: steel, mass: 1 kg, inertia: [1e-4, 1e-4, 1e-4], position: [0, 0, "
    "a], orientation: [2, 0, 0, 0], centre: derived, angular_velocity: [rate, 0, 3 rpm], allow_overlap: true}\n"
    "  twin:\n"
    "    material: steel\n"
    "    density: 7.8 g/cm^3\n"
    "    position: [1, 0, 0.5]\n"
    "    shapes:\n"
    "      - {shape: {sphere: {radius: 1 cm}}, position: [2, 0, 0, cm]}\n"
    "      - {shape: {sphere: {radius: 2 cm}}, position: [-2, 0, 0, cm], density: 1000, material: felt}\n"
    "fill:\n"
    "  grid: {place: {lattice: {spacing: [0.1, 0.1, 0.1], count: [2, 3, 1], first: [3, 3, 3]}}, body: {shape: {sphere: "
    "{radius: 1 cm}}, density: 1000}}\n"
    "  rain: {place: {emitter: {lowest: [0, 0, 1], highest: [1, 1, 1], rate: 10 Hz, count: 5}}, seed: 7, turn: random,\n"
    "         sizes: {list: {classes: [[1, 2], {factor: 2}]}}, body: {shape: {box: {size: [1, 1, 1, cm]}}, density: "
    "1000}}\n"
    "joints:\n"
    "  eye: {between: [twin, table], joint: ball, position: [1, 2, 3, cm]}\n"
    "  drive: {between: [twin, 1st], joint: {motor: {speed: 30 rpm, torque: 2}}, axis: [0, 1, 0], collide: true}\n"
    "loads:\n"
    "  - {body: twin, force: [1, 0, 0], knots: [[0, 0], [1 s, 1]]}\n"
    "  - {body: 1st, torque: [0, 0, 1 mN*m], body_axes: true, knots: [{time: 2, factor: -1}]}\n"
    "motions: [{body: drum, angular_velocity: [0, 0, 3 rpm]}]\n"
    "start: [{between: [1st, table], slide: stuck, roll: slipping}]\n"
    "steppers: {moreau: {step: 1e-4, scheme: paper, solver: {prox: {relaxation: 0.7}}}}\n"
    "stop_when:\n"
    "  - {rest: true, flat: twin}\n"
    "  - {event: {kind: slip, row: slide, body: twin, count: 3}}\n"
    "  - {probe: {name: 1st.speed, below: 1 mm/s}}\n"
    "  - {probe: {name: energy.total, above: 3}, rest: false}\n"
    "record: {until: 2*bare, frames: 10 ms, probes: [1st.speed, energy.total], interval: 0, contacts: true, snapshots: "
    "5 min, double: true}\n";

TEST(the_resolved_text_reads_back_to_itself) {
    tru_scene *s = scene_of(everything);
    const char *text = tru_scene_text(s);
    tru_scene *again = scene_of(text);
    check_str(tru_scene_text(again), text);
    check(tru_scene_hash(again) == tru_scene_hash(s));
    check(has(text, "  odd: 0.1414213562373095") && has(text, " m^0.5\n"));
    check(has(text, "rate: 50 1/s"));
    check(has(text, "spin: {factor: 0.05, radius: smaller}"));
    check(has(text, "law: {coulomb: {slide: 0.7"));
    check(has(text, "between: [steel, felt], law: none"));
    check(has(text, "knots: [{time: 0 s, factor: 0}, {time: 1 s, factor: 1}]"));
    check(has(text, "start:\n  - {between: [\"1st\", table], slide: stuck, spin: open, roll: slipping}"));
    check(has(text,
              "  - {rest: true}\n  - {flat: twin}\n  - {event: {kind: slip, row: slide, body: twin, count: 3}}\n  - "
              "{probe: {name: \"1st.speed\", below: 0.001 m/s}}\n  - {probe: {name: \"energy.total\", above: 3}}"));
    check(has(text, "snapshots: 300 s, double: true"));
    tru_scene_free(s);
    tru_scene_free(again);
}

/* Parameters with any power of a unit, and with names that are units themselves. */
TEST(every_parameter_reads_back) {
    tru_scene *s = scene_of(
        "trundle: 1\nparameters: {root: 2 m^0.5, ten: 2 m^10, raised: (2 m)^10, third: (3 kg)^(1/3), s: 2 m/min, "
        "m: 3 kg, N: 2, rad: 4 s, rate: 3 rad/min, stiff: 2 kN/mm, force: 5 N, dense: 2 g/cm^3}\n"
        "bodies: {ball: {shape: {sphere: {radius: 1}}, density: dense, velocity: [s, 0, 0]}}\n"
        "steppers: {cone: {step: 1 ms}}\nrecord: {until: rad}\n");
    const char *text = tru_scene_text(s);
    tru_scene *again = scene_of(text);
    check_str(tru_scene_text(again), text);
    check(tru_scene_hash(again) == tru_scene_hash(s));
    check(has(text, "  root: 2 m^0.5\n  ten: 2 m^10\n  raised: 1024 m^10\n"));
    check(has(text, " m s^-1\n  m: 3 kg\n") && has(text, "rate: 0.05 rad s^-1\n  stiff: 2e+06 N m^-1\n  force: 5 N\n"));
    check(has(text, "  dense: 2000 kg m^-3\n"));
    tru_scene_free(s);
    tru_scene_free(again);
}

TEST(the_hash_is_of_the_meaning) {
    tru_scene *a = scene_of(BALL), *b = scene_of(BALL_END BALL_BODIES "# a remark\n" BALL_LAWS BALL_HEAD);
    const tru_set longer[] = {{"record.until", "2 s"}}, same[] = {{"record.until", "1000 ms"}};
    tru_scene *c = scene_of_sets(BALL, longer, 1), *d = scene_of_sets(BALL, same, 1);
    check(tru_scene_hash(a) == tru_scene_hash(b));
    check(tru_scene_hash(a) != tru_scene_hash(c));
    check(tru_scene_hash(a) == tru_scene_hash(d));
    tru_scene_free(a);
    tru_scene_free(b);
    tru_scene_free(c);
    tru_scene_free(d);
}

/* ---- what is read from a scene ---- */

TEST(plan_and_stop_conditions) {
    tru_scene *s = scene_of(everything);
    const tru_plan *p = tru_scene_plan(s);
    size_t count;
    const scene_stop *stops = trio_scene_stops(s, &count);
    check(p->until == 14.0 && p->frames == 0.01 && p->probes == 0.0 && p->snapshots == 300.0);
    check(p->contacts && p->frames_double && p->probe_count == 2);
    check_str(p->probe_names[1], "energy.total");
    if (check(count == 5)) {
        check(stops[0].kind == STOP_REST && !stops[0].body && stops[1].kind == STOP_FLAT);
        check_str(stops[1].body, "twin");
        check(stops[2].event == TRU_EVENT_SLIP && stops[2].row_kind == TRU_KIND_SLIDE && stops[2].count == 3);
        check(stops[3].below && stops[3].limit.value == 1e-3 && trio_quantity_fits(&stops[3].limit, TRU_UNIT_M_PER_S));
        check(!stops[4].below && stops[4].limit.bare && stops[4].limit.value == 3.0);
        check_str(stops[4].path, "stop_when.3.probe");
    }
    check_str(tru_scene_title(s), "All of it: 'quotes', \"more\", \\ and a\ttab");
    check_str(tru_scene_name(s), "a");
    check_str(tru_scene_stepper(s, 0), "moreau");
    check(tru_scene_stepper(s, 1) == NULL);
    tru_scene_free(s);
    s = scene_of(BALL);
    check(tru_scene_plan(s)->frames == 1.0 / 300.0 && tru_scene_plan(s)->probes == 1.0 / 1000.0);
    tru_scene_free(s);
}

TEST(numbers_by_path) {
    tru_scene *s = scene_of(everything);
    check(number(s, "parameters.a", "m") == 0.06);
    check(number(s, "bare", "-") == 7.0);
    check(number(s, "laws.rim.slide", "-") == 0.3);
    check(number(s, "laws.rim.rolling.roll", "m") == 0.0003);
    check(number(s, "laws.rim.spin.factor", "-") == 0.05);
    check(number(s, "bodies.twin.density", "kg/m^3") == 7800.0);
    check(number(s, "bodies.1st.position.z", "m") == 0.06);
    check(number(s, "bodies.1st.position.0", "m") == 0.0);
    check(number(s, "bodies.twin.shapes.0.position.0", "m") == 0.02); /* its unit stands beside it */
    check(number(s, "steppers.moreau.step", "s") == 1e-4);
    check(number(s, "steppers.moreau.sweeps", "-") == 3.0); /* a default */
    tru_scene_free(s);
}

/* ---- changes ---- */

TEST(changes_reach_every_place) {
    const tru_set sets[] = {{"radius", "50 mm"},
                            {"parameters.speed", "2*3 m/s"},
                            {"laws.felt.slide", "0.7"},
                            {"laws.felt.rolling.roll", "{factor: 0.1, radius: effective}"},
                            {"pairs.0.restitution", "0.3"},
                            {"bodies.ball.velocity.y", "1 km/h"},
                            {"bodies.ball.angular_velocity", "[0, 0, 10]"},
                            {"steppers.moreau.solver.newton.max_steps", "11"},
                            {"steppers.moreau.scheme", "paper"},
                            {"gravity", "3.7"},
                            {"stop_when", "{rest: true}"},
                            {"record.probes", "[ball.speed]"}};
    tru_scene *s = scene_of_sets(BALL, sets, sizeof sets / sizeof *sets);
    const char *text = tru_scene_text(s);
    check(has(text, "sphere: {radius: 0.05 m}"));
    check(has(text, "velocity: [6, 0.2777777777777778, 0, m/s]"));
    check(has(text, "coulomb: {slide: 0.7"));
    check(has(text, "roll: {factor: 0.1, radius: effective}"));
    check(has(text, "restitution: 0.3"));
    check(has(text, "angular_velocity: [0, 0, 10, rad/s]"));
    check(has(text, "max_steps: 11"));
    check(has(text, "scheme: paper"));
    check(has(text, "gravity: [0, 0, -3.7, m/s^2]"));
    check(has(text, "- {rest: true}"));
    check(has(text, "probes: [\"ball.speed\"]"));
    tru_scene_free(s);
}

TEST(a_word_opens_into_a_block) {
    const tru_set sets[] = {{"steppers.moreau.solver", "prox"}, {"steppers.moreau.solver.prox.relaxation", "0.5"}};
    tru_scene *s = scene_of_sets(BALL, sets, 2);
    check(has(tru_scene_text(s), "solver: {prox: {rho: local, rho_value: 0 kg, relaxation: 0.5"));
    tru_scene_free(s);
}

TEST(a_refused_change_leaves_the_scene) {
    tru_scene *s = scene_of(BALL);
    const uint64_t before = tru_scene_hash(s);
    tru_error err;
    check(tru_scene_change(s, "laws.felt.slide", "-1", &err) < 0);
    check_str(err.text, "set laws.felt.slide=-1: laws.felt: law coulomb: slide is -1, must be at least 0");
    check(tru_scene_hash(s) == before);
    check(tru_scene_change(s, "radius", "speed", &err) < 0);
    check_str(err.text, "a.yaml:9:94: body 'ball': position.z is 'radius', must be in m, not in m/s");
    check(tru_scene_hash(s) == before);
    check_str(tru_scene_title(s), "A ball");
    check_status(tru_scene_change(s, "laws.felt.slide", "0.5", &err), TRU_OK);
    check(tru_scene_hash(s) != before);
    check_status(tru_scene_change(s, "laws.felt.slide", "mu", &err), TRU_OK);
    check(tru_scene_hash(s) == before);
    tru_scene_free(s);
}

TEST(a_copy_is_changed_alone) {
    tru_scene *s = scene_of(BALL), *copy = NULL;
    check_status(tru_scene_copy(s, &copy, NULL), TRU_OK);
    check(tru_scene_hash(copy) == tru_scene_hash(s));
    check_status(tru_scene_change(copy, "mu", "0.9", NULL), TRU_OK);
    check(tru_scene_hash(copy) != tru_scene_hash(s));
    tru_scene_free(s);
    check(has(tru_scene_text(copy), "coulomb: {slide: 0.9"));
    tru_scene_free(copy);
}

TEST(a_stepper_block_may_have_a_name_of_its_own) {
    tru_scene *s = scene_of(BALL_HEAD BALL_LAWS BALL_BODIES
                            "steppers: {moreau: {step: 1 ms}, fine: {moreau: {step: 0.1 ms}}}\nrecord: {until: 1}\n");
    check_str(tru_scene_stepper(s, 1), "fine");
    check(has(tru_scene_text(s), "  fine: {moreau: {step: 0.0001 s"));
    tru_scene *again = scene_of(tru_scene_text(s));
    check(tru_scene_hash(again) == tru_scene_hash(s));
    tru_world *coarse = world_of(s, NULL), *fine = world_of(s, "fine");
    check(tru_step_size(coarse) == 1e-3 && tru_step_size(fine) == 1e-4);
    check_status(tru_scene_change(s, "steppers.fine.moreau.scheme", "paper", NULL), TRU_OK);
    check(has(tru_scene_text(s), "  fine: {moreau: {step: 0.0001 s, scheme: paper"));
    tru_world_destroy(coarse);
    tru_world_destroy(fine);
    tru_scene_free(again);
    tru_scene_free(s);
}

/* A path reaches through the plug-in of a block: stepper, solver, shape, law, joint. What it sets is what the full path
 * sets. */
TEST(paths_reach_through_plug_ins) {
    const char *const text = BALL_HEAD BALL_LAWS
        "bodies:\n  table: {kind: fixed, shape: plane, material: glass}\n"
        "  ball: {shape: {sphere: {radius: 0.1 m}}, material: steel, density: 1, position: [0, 0, 1]}\n"
        "steppers:\n  moreau: {step: 1 ms}\n  fine: {moreau: {step: 0.1 ms, solver: {ngs: {dense_limit: 3}}}}\n"
        "  rough: {cone: {step: 2 ms, solver: ngs}}\n"
        "joints: {motor: {between: [ball, table], joint: {motor: {speed: 1 rpm}}, axis: [0, 0, 1]}}\n"
        "record: {until: 1}\n";
    static const struct {
        const char *path, *full, *value;
    } cases[] = {{"steppers.fine.step", "steppers.fine.moreau.step", "0.2 ms"},
                 {"steppers.fine.scheme", "steppers.fine.moreau.scheme", "paper"},
                 {"steppers.rough.margin", "steppers.rough.cone.margin", "1 mm"},
                 {"steppers.fine.solver.dense_limit", "steppers.fine.moreau.solver.ngs.dense_limit", "7"},
                 {"steppers.fine.solver.tolerance", "steppers.fine.moreau.solver.ngs.tolerance", "0.1"},
                 {"steppers.rough.solver.tolerance", "steppers.rough.cone.solver.ngs.tolerance", "0.1"},
                 {"steppers.fine.solver", "steppers.fine.moreau.solver", "prox"},
                 {"bodies.ball.shape.radius", "bodies.ball.shape.sphere.radius", "0.2 m"},
                 {"laws.felt.slide_static", "laws.felt.coulomb.slide_static", "0.4"},
                 {"joints.motor.joint.speed", "joints.motor.joint.motor.speed", "2 rpm"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const tru_set through = {cases[k].path, cases[k].value}, full = {cases[k].full, cases[k].value};
        tru_scene *plain = scene_of(text), *a = scene_of_sets(text, &through, 1), *b = scene_of_sets(text, &full, 1);
        check(a && b && tru_scene_hash(a) == tru_scene_hash(b) && tru_scene_hash(a) != tru_scene_hash(plain));
        tru_scene_free(plain);
        tru_scene_free(a);
        tru_scene_free(b);
    }
    tru_scene *s = scene_of(text);
    check(number(s, "steppers.fine.step", "s") == 1e-4 && number(s, "steppers.moreau.step", "s") == 1e-3);
    check(number(s, "bodies.ball.shape.radius", "m") == 0.1);
    tru_scene_free(s);
}

/* ---- JSON ---- */

TEST(json_means_the_same) {
    tru_scene *yaml = scene_of(BALL);
    tru_scene *json = scene_of(
        "{\"trundle\": 1, \"title\": \"A ball\", \"parameters\": {\"radius\": \"0.1 m\", \"speed\": \"1 m/s\", \"mu\": 0.2},"
        " \"materials\": [\"steel\", \"glass\"], \"laws\": {\"felt\": {\"coulomb\": {\"slide\": \"mu\"}}},\n"
        " \"pairs\": [{\"between\": [\"steel\", \"glass\"], \"law\": \"felt\"}], \"bodies\": {\"table\": {\"kind\": "
        "\"fixed\", \"shape\": \"plane\", \"material\": \"glass\"}, \"ball\": {\"shape\": {\"sphere\": {\"radius\": "
        "\"radius\"}}, \"material\": \"steel\", \"density\": 1.8e3, \"position\": [0, 0, \"radius\"], \"velocity\": "
        "[\"speed\", 0.0, 0e1], \"allow_overlap\": false}},\n"
        " \"steppers\": {\"moreau\": {\"step\": 1e-3}}, \"record\": {\"until\": 1}}");
    check_str(tru_scene_text(json), tru_scene_text(yaml));
    tru_scene_free(yaml);
    tru_scene_free(json);
}
