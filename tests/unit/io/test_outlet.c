/* test_outlet.c: bodies leave through outlets: when, which, how many, what the books say, and what is refused. */
#define _GNU_SOURCE
#include "check.h"
#include "sim_scenes.h"

#include "sim/sim.h"

#include <math.h>

static double value_of(tru_sim *sim, const char *name) {
    tru_error err;
    size_t number;
    MUST(tru_sim_probe(sim, name, &number, NULL, &err));
    return tru_sim_value(sim, number);
}

/* ---- when ---- */

#define FALL(outlets, end)                                                                                             \
    "trundle: 1\n"                                                                                                     \
    "gravity: 10\n"                                                                                                    \
    "pairs: [{default: none}]\n"                                                                                       \
    "bodies:\n"                                                                                                        \
    "  high: {shape: {sphere: {radius: 0.1}}, mass: 2, position: [0, 0, 0.8]}\n"                                       \
    "  low: {shape: {sphere: {radius: 0.1}}, mass: 3, position: [1, 0, 0.2]}\n"                                        \
    "  shelf: {kind: fixed, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [5, 0, -1]}\n"                            \
    "outlets:\n" outlets "steppers: {moreau: {step: 1 ms}}\n" end

/* z = z0 - 5 t^2 meets the face at t = sqrt(z0 / 5): 0.2 s and 0.4 s. */
TEST(fall_into_an_outlet) {
    tru_error err;
    tru_outlet_info info;
    tru_scene *scene = scene_of(FALL("  floor: {highest: [9, 9, 0]}\n", "record: {until: 1 s}\n"));
    tru_sim *sim = sim_of(scene);
    const double low[] = {0.2, 3.0}, high[] = {0.4, 5.0};
    while (!tru_sim_done(sim)) {
        MUST(tru_sim_advance(sim, &err));
        const double t = tru_time(tru_sim_world(sim)), count = value_of(sim, "outlet(floor).count");
        if (fabs(t - low[0]) > 1.5e-3 && fabs(t - high[0]) > 1.5e-3)
            check_close(count, t < low[0] ? 0.0 : t < high[0] ? 1.0 : 2.0, 0.0, 0.0);
        check_close(value_of(sim, "outlet(floor).mass"),
                    count == 0.0   ? 0.0
                    : count == 1.0 ? low[1]
                                   : high[1],
                    0.0, 0.0);
        check_close(value_of(sim, "bodies"), 3.0 - count, 0.0, 0.0);
        check_close(value_of(sim, "ledger.gap"), 0.0, 0.0, 1e-12);
    }
    check_str(tru_sim_reason(sim), "every body has left"); /* the shelf is inside, but fixed */
    check_close(tru_time(tru_sim_world(sim)), high[0], 0.0, 1.5e-3);
    check(tru_sim_outlet(sim, 0, &info) && strcmp(info.name, "floor") == 0 && info.count == 2 && info.mass == 5.0);
    check(!tru_sim_outlet(sim, 1, &info));
    check_str(tru_sim_body_name(sim, 1), "high"); /* both are gone, the later one first */
    check_str(tru_sim_body_name(sim, 2), "low");
    check_str(tru_sim_body_name(sim, 3), "shelf");
    check(tru_sim_body_name(sim, TRU_NONE) == NULL && tru_sim_body_name(sim, 4) == NULL);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* The first outlet that holds a body takes it; a probe of a body that is gone has no value, one of a body that stays has. */
TEST(which_outlet) {
    tru_error err;
    tru_scene *scene = scene_of(FALL("  right: {lowest: [0.5, -1, -2], highest: [2, 1, 0]}\n"
                                     "  wide: {lowest: [0.5, -9, -9], highest: [9, 9, 0.1]}\n",
                                     "record: {until: 0.3 s, probes: [low.position.z, high.position.z]}\n"));
    tru_sim *sim = sim_of(scene);
    MUST(tru_sim_run(sim, UINT64_MAX, &err));
    check_close(value_of(sim, "outlet(right).count"), 0.0, 0.0, 0.0);
    check_close(value_of(sim, "outlet(wide).count"), 1.0, 0.0, 0.0);
    check(isnan(tru_sim_value(sim, 0)));
    check_close(tru_sim_value(sim, 1), 0.8 - 5.0 * 0.3 * 0.3, 0.0, 1e-12);
    check_str(tru_sim_reason(sim), "reached 0.3 s");
    tru_json *j = tru_json_begin();
    tru_json_object(j, NULL);
    tru_sim_summary(sim, scene, 1.5, j);
    tru_json_close(j);
    const char *text = tru_json_done(j);
    const char *section = strstr(text, "\"outlets\"");
    check(section && strstr(section, "\"wide\"") && strstr(section, "\"count\": 1") && strstr(section, "\"mass\": 3"));
    tru_json_free(j);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* ---- what stays, what goes with it ---- */

TEST(held_bodies_stay) {
    tru_error err;
    tru_scene *scene = scene_of(FALL("  floor: {highest: [9, 9, 0]}\n",
                                     "joints:\n"
                                     "  hook: {between: [high, low], joint: fixed, position: [0, 0, 0.5]}\n"
                                     "record: {until: 0.6 s}\n"));
    tru_sim *sim = sim_of(scene);
    MUST(tru_sim_run(sim, UINT64_MAX, &err));
    check_close(value_of(sim, "outlet(floor).count"), 0.0, 0.0, 0.0);
    check_close(value_of(sim, "high.position.z"), 0.8 - 5.0 * 0.6 * 0.6, 0.0, 1e-9);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

TEST(loads_go_with_their_body) {
    tru_error err;
    tru_scene *scene = scene_of(FALL("  side: {lowest: [1.2, -9, -9], highest: [9, 9, 9]}\n",
                                     "loads: [{body: low, force: [60 N, 0, 0]}]\n"
                                     "record: {until: 0.3 s}\n"));
    tru_sim *sim = sim_of(scene);
    MUST(tru_sim_run(sim, UINT64_MAX, &err));
    check_close(value_of(sim, "outlet(side).count"), 1.0, 0.0, 0.0);
    /* 60 N on 3 kg over the 0.2 m to the face and at most one step more, 20 m/s^2 t = 2.83 m/s there */
    check_close(value_of(sim, "ledger.loads"), 60.0 * 0.2, 0.0, 60.0 * 3.0e-3);
    check_close(value_of(sim, "ledger.gap"), 0.0, 0.0, 1e-12);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* ---- books: a ball leaves while it touches the floor and another ball, under every stepper for many bodies ---- */

#define QUEUE(stepper, end)                                                                                            \
    "trundle: 1\n"                                                                                                     \
    "laws: {felt: {coulomb: {slide: 0.3}, rolling: {roll: 1 mm, spin: 1 mm}}}\n"                                       \
    "pairs: [{default: felt}]\n"                                                                                       \
    "bodies:\n"                                                                                                        \
    "  table: {kind: fixed, shape: plane}\n"                                                                           \
    "  one: {shape: {sphere: {radius: 0.1}}, mass: 2, position: [0, 0, 0.1], velocity: [1, 0, 0]}\n"                   \
    "  two: {shape: {sphere: {radius: 0.1}}, mass: 2, position: [0.2, 0, 0.1], velocity: [1, 0, 0]}\n"                 \
    "  three: {shape: {sphere: {radius: 0.1}}, mass: 2, position: [0.4, 0, 0.1], velocity: [1, 0, 0]}\n"               \
    "outlets: {edge: {lowest: [0.5, -9, -9], highest: [9, 9, 9]}}\n"                                                   \
    "steppers: {" stepper "}\n" end

static void check_books(const char *text, bool springs) {
    tru_error err;
    tru_scene *scene = scene_of(text);
    tru_sim *sim = sim_of(scene);
    double before = 0.0, count = 0.0, taken = 0.0; /* taken: of stored energy, in steps in which a body left */
    const double energy = value_of(sim, "energy.kinetic");
    while (!tru_sim_done(sim) && count < 2.0) {
        const double stored = value_of(sim, "energy.stored");
        MUST(tru_sim_advance(sim, &err));
        count = value_of(sim, "outlet(edge).count");
        if (count > before) taken += stored - value_of(sim, "energy.stored");
        before = count;
        check_close(value_of(sim, "ledger.gap"), 0.0, 0.0, 1e-12 * energy);
    }
    check_close(count, 2.0, 0.0, 0.0);
    check(!springs || taken > 1e-9 * energy); /* more than the gap may be */
    for (int i = 0; i < 20 && !tru_sim_done(sim); i++) MUST(tru_sim_advance(sim, &err));
    check_close(value_of(sim, "ledger.gap"), 0.0, 0.0, 1e-12 * energy);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

TEST(books_close_under_moreau) { check_books(QUEUE("moreau: {step: 1 ms}", "record: {until: 2 s}\n"), false); }
TEST(books_close_under_cone) { check_books(QUEUE("cone: {step: 1 ms}", "record: {until: 2 s}\n"), false); }
TEST(books_close_under_track) { check_books(QUEUE("track: {step: 0.02 ms}", "record: {until: 2 s}\n"), true); }

/* ---- stop conditions ---- */

/* The only one that moves leaves: then everything rests. */
TEST(rest_of_those_that_stay) {
    tru_error err;
    tru_scene *scene = scene_of("trundle: 1\n"
                                "laws: {felt: {coulomb: {slide: 0.3}}}\n"
                                "pairs: [{default: felt}]\n"
                                "bodies:\n"
                                "  table: {kind: fixed, shape: plane}\n"
                                "  still: {shape: {box: {size: [0.2, 0.2, 0.2]}}, mass: 2, position: [-1, 0, 0.1]}\n"
                                "  ball: {shape: {sphere: {radius: 0.1}}, mass: 2, position: [0, 0, 0.1],\n"
                                "         velocity: [1, 0, 0], angular_velocity: [0, 10, 0]}\n"
                                "outlets: {edge: {lowest: [0.5, -9, -9]}}\n"
                                "steppers: {moreau: {step: 1 ms}}\n"
                                "record: {until: 2 s}\n"
                                "stop_when: {rest: true}\n");
    tru_sim *sim = sim_of(scene);
    MUST(tru_sim_run(sim, UINT64_MAX, &err));
    check_str(tru_sim_reason(sim), "all bodies are at rest");
    check_close(tru_time(tru_sim_world(sim)), 0.5, 0.0, 1.5e-3); /* it rolls 0.5 m with 1 m/s */
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* ---- sentences ---- */

static void says(const char *text, const char *sentence) {
    tru_scene *scene = NULL;
    tru_sim *sim = NULL;
    tru_error err = {TRU_OK, ""};
    if (tru_scene_parse(text, strlen(text), "a.yaml", NULL, 0, &scene, &err) >= 0)
        tru_sim_create(scene, NULL, 1, &sim, &err);
    check_str(err.text, sentence);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

#define END           "record: {until: 1 s}\n"
#define PROBED(probe) FALL("  floor: {highest: [9, 9, 0]}\n", "record: {until: 1 s, probes: [" probe "]}\n")

TEST(mistakes) {
    says(FALL("  floor: {lowest: [-9, -9, 0], highest: [9, 9, 0]}\n", END), "");
    says(FALL("  floor: {lowest: [-9, -9, 0.01], highest: [9, 9, 0]}\n", END),
         "a.yaml:9:10: outlet 'floor': lowest must not lie above highest");
    says(FALL("  floor: {}\n", END), "a.yaml:9:10: outlet 'floor': lowest or highest is missing");
    says(FALL("  floor: {higest: [9, 9, 0]}\n", END),
         "a.yaml:9:11: outlet 'floor': unknown key 'higest'; did you mean 'highest'?");
    says(FALL("  floor: {highest: [9, 9, 0.2]}\n", END),
         "a.yaml:9:10: outlet 'floor': body 'low' is inside it at the start");
    says(FALL("  - {highest: [9, 9, 0]}\n", END), "a.yaml:9:3: outlets is a list of 1, must be a map of keys");
    says(FALL("  floor: {highest: [9, 9, 0]}\n",
              END "fill:\n"
                  "  rain:\n"
                  "    place: {emitter: {lowest: [0, 0, 0], highest: [1, 1, 2], rate: 1, count: 1}}\n"
                  "    body: {shape: {sphere: {radius: 0.01}}, mass: 1}\n"),
         "a.yaml:9:10: outlet 'floor': the emitter of fill 'rain' reaches into it");
    says(PROBED("outlet(floor).count"), "");
    says(PROBED("outlet(flor).count"),
         "a.yaml:11:31: probe 'outlet(flor).count': no outlet 'flor'; did you mean 'floor'?");
    says(PROBED("outlet(floor).cont"),
         "a.yaml:11:31: no probe 'outlet(floor).cont'; did you mean 'outlet(floor).count'?");
}
