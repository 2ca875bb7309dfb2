/* Scenes with random damage: never a crash, always a sentence with a place; what is still good reads back from its own
 * resolved text. */
#include "scene_text.h"
#include "scene/scene_world.h"

static const char seed_scene[] =
    "trundle: 1\n"
    "title: damage\n"
    "parameters: {a: 3*b, b: 2 cm, tilt: 20 deg, n: 2}\n"
    "gravity: [9.81*sin(tilt), 0, -9.81*cos(tilt)]\n"
    "materials: [steel, felt]\n"
    "laws:\n"
    "  rim: {coulomb: {slide: 0.3, slide_static: 0.4}, rolling: {roll: 0.3 mm, spin: {factor: 0.05, radius: smaller}}}\n"
    "pairs:\n"
    "  - {between: [steel, felt], law: rim, restitution: 0.5}\n"
    "  - {default: none}\n"
    "bodies:\n"
    "  table: {kind: fixed, shape: plane, material: felt, orientation: {axis: y, angle: tilt}}\n"
    "  ball: {shape: {sphere: {radius: b}}, material: steel, mass: 1 kg, inertia: [1, 1, 1, kg m^2], position: [0, 0, 3]}\n"
    "fill:\n"
    "  grid: {place: {lattice: {spacing: [0.1, 0.1, 0.1], count: [n, 1, 1], first: [3, 3, 3]}}, sizes: {normal: "
    "{deviation: 0.1, lowest: 0.5, highest: 2}}, body: {shape: {sphere: {radius: 1 cm}}, density: 1000}}\n"
    "loads: [{body: ball, force: [1, 0, 0], knots: [[0, 0], [1 s, 1]]}]\n"
    "start: [{between: [ball, table], slide: stuck}]\n"
    "steppers: {moreau: {step: 1e-4, solver: {prox: {relaxation: 0.7}}}}\n"
    "stop_when: [{rest: true}, {probe: {name: ball.speed, below: 1 mm/s}}]\n"
    "record: {until: 2*n, probes: [ball.speed]}\n";

static size_t pick(uint64_t seed, uint64_t id, uint64_t index, size_t below) {
    return (size_t)((double)below * tru_random(seed, id, index));
}

/* Replaces, removes, repeats or swaps a few bytes. */
static void damage(char *text, uint64_t seed, uint64_t id) {
    static const char bytes[] = "{}[]:,-#'\"&*!|>%@` \n\t0159.eE+*/^()azAZ_\x80\xff\x01";
    const size_t times = 1 + pick(seed, id, 0, 4) / 3;
    for (size_t k = 0; k < times; k++) {
        const size_t length = strlen(text), at = pick(seed, id, 10 * k + 1, length);
        const size_t size = 1 + pick(seed, id, 10 * k + 2, 12), rest = length - at;
        const size_t cut = size < rest ? size : rest;
        switch (pick(seed, id, 10 * k + 3, 4)) {
        case 0:
            text[at] = bytes[pick(seed, id, 10 * k + 4, sizeof bytes - 1)];
            break;
        case 1:
            memmove(text + at, text + at + cut, rest - cut + 1);
            break;
        case 2: /* room was left for this */
            memmove(text + at + cut, text + at, rest + 1);
            break;
        default: {
            const size_t other = pick(seed, id, 10 * k + 5, length);
            const char c = text[at];
            text[at] = text[other];
            text[other] = c;
        }
        }
    }
}

TEST(damage_is_told_never_crashes) {
    const uint64_t seed = check_seed();
    int good = 0, refused = 0;
    for (uint64_t id = 0; id < 4000; id++) {
        char text[sizeof seed_scene + 200];
        tru_scene *scene = NULL;
        tru_error err = {TRU_OK, ""};
        memcpy(text, seed_scene, sizeof seed_scene);
        damage(text, seed, id);
        const tru_status s = tru_scene_parse(text, strlen(text), "a.yaml", NULL, 0, &scene, &err);
        if (s < 0) {
            refused++;
            if (!check(strncmp(err.text, "a.yaml:", 7) == 0 && strlen(err.text) > 12)) printf("  '%s'\n", err.text);
            continue;
        }
        good++;
        const char *resolved = tru_scene_text(scene);
        tru_scene *again = NULL;
        if (!check_status(tru_scene_parse(resolved, strlen(resolved), "b.yaml", NULL, 0, &again, &err), TRU_OK))
            printf("  %s\n%s\n", err.text, resolved);
        else
            check(tru_scene_hash(again) == tru_scene_hash(scene));
        tru_world *world = NULL;
        if (trio_scene_build_world(scene, NULL, 1, &world, &err) < 0) check(strncmp(err.text, "a.yaml:", 7) == 0);
        tru_world_destroy(world);
        tru_scene_free(again);
        tru_scene_free(scene);
    }
    check(good > 20 && refused > 2000); /* both ways are walked */
}

TEST(damaged_changes_leave_the_scene) {
    static const char *const paths[] = {"a",       "laws.rim.slide",    "bodies.ball.position",
                                        "pairs.0", "fill.grid.place",   "steppers.moreau.solver",
                                        "record",  "stop_when.1.probe", "loads.0.knots.1"};
    static const char *const values[] = {"3",       "{}", "[]",  "[1, 2, 3]", "{a: b}",       "newton", "1/0",     "b",
                                         "default", "~",  "'x'", "[[1, 2]]",  "{lattice: 3}", "- 1",    "\"3 m\"", "{"};
    const uint64_t seed = check_seed();
    tru_scene *scene = scene_of(seed_scene);
    uint64_t hash = tru_scene_hash(scene);
    int refused = 0;
    for (uint64_t id = 0; id < 3000; id++) {
        tru_error err;
        const char *path = paths[pick(seed, id, 0, sizeof paths / sizeof *paths)];
        const char *value = values[pick(seed, id, 1, sizeof values / sizeof *values)];
        const tru_status s = tru_scene_change(scene, path, value, &err);
        if (s < 0) {
            refused++;
            if (!check(tru_scene_hash(scene) == hash)) return;
        }
        hash = tru_scene_hash(scene);
    }
    check(refused > 1000);
    tru_scene_free(scene);
}
