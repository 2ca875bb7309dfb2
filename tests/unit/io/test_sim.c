/* test_sim.c: simulations follow their plan: ends, stop conditions, events, solver summary, emitters, summaries. */
#define _GNU_SOURCE
#include "check.h"
#include "sim_scenes.h"

#include "sim/sim.h"
#include "sim/sim_emitter.h"
#include "sim/sim_events.h"
#include "scene/scene_world.h"

static const double g = 9.81, mu = 0.3, radius = 0.1, rho = 2e-3;

/* ---- due steps ---- */

TEST(due_steps_are_nearest_to_multiples) {
    for (uint64_t now = 0; now < 20; now++) check(trio_sim_due_after(0.003, 0.001, now) == (now / 3 + 1) * 3);
    /* every 2.5 steps: 0, 2.5 -> 3, 5, 7.5 -> 8, 10 */
    const uint64_t expected[] = {3, 3, 3, 5, 5, 8, 8, 8, 10, 10};
    for (uint64_t now = 0; now < 10; now++)
        check_status((long long)trio_sim_due_after(0.0025, 0.001, now), (long long)expected[now]);
    check(trio_sim_due_after(0.0004, 0.001, 7) == 8);
    check(trio_sim_due_after(0.0, 0.001, 7) == UINT64_MAX);
    check(trio_sim_due_after(1e30, 0.001, 7) == UINT64_MAX);
    /* 1/60 s in steps of 1 ms never drifts: frame k is within half a step of k/60 s */
    uint64_t now = 0;
    for (int k = 1; k <= 6000; k++) {
        now = trio_sim_due_after(1.0 / 60.0, 0.001, now);
        check_close((double)now * 0.001, k / 60.0, 0.0, 0.0005001);
    }
}

static uint64_t steps_until(double until, double step) {
    char text[2000];
    snprintf(text, sizeof text, BALL_SCENE("steppers: {moreau: {step: %.17g}}\nrecord: {until: %.17g}\n"), step, until);
    tru_scene *scene = scene_of(text);
    tru_sim *sim = sim_of(scene);
    const uint64_t steps = tru_sim_last_step(sim);
    tru_sim_free(sim);
    tru_scene_free(scene);
    return steps;
}

TEST(ends_lie_on_steps) {
    check_status((long long)steps_until(80.0, 1e-3), 80000);
    check_status((long long)steps_until(0.3, 0.1), 3); /* 0.3/0.1 = 2.9999999999999996 */
    check_status((long long)steps_until(1.0, 0.3), 4); /* the first step at or after it */
    check_status((long long)steps_until(1.1, 1.0 / 30), 33);
    check_status((long long)steps_until(1e-9, 1e-3), 1e-9 / 1e-3 < 1e-6 ? 0 : 1);
    check_status((long long)steps_until(0.0, 1e-3), 0);
}

/* ---- running ---- */

TEST(runs_to_its_end) {
    tru_error err;
    tru_scene *scene = scene_of(BALL_SCENE("steppers: {moreau: {step: 1 ms}}\nrecord: {until: 0.2}\n"));
    tru_sim *sim = sim_of(scene), *other = sim_of(scene);
    check_str(tru_sim_reason(sim), "");
    check_str(tru_sim_stepper(sim), "moreau");
    check(!tru_sim_done(sim));
    check_status(tru_sim_run(sim, 150, &err), TRU_OK);
    check_status((long long)tru_steps_done(tru_sim_world(sim)), 150);
    check_status(tru_sim_run(sim, 1000, &err), TRU_OK);
    check(tru_sim_done(sim));
    check_str(tru_sim_reason(sim), "reached 0.2 s");
    check_status((long long)tru_steps_done(tru_sim_world(sim)), 200);
    check_status(tru_sim_advance(sim, &err), TRU_OK); /* done is done */
    check_status((long long)tru_steps_done(tru_sim_world(sim)), 200);
    while (!tru_sim_done(other)) MUST(tru_sim_advance(other, &err));
    check(tru_state_hash(tru_sim_world(sim)) == tru_state_hash(tru_sim_world(other)));
    MUST(tru_sim_set_until(sim, 0.25, &err)); /* a later end wakes it */
    check(!tru_sim_done(sim));
    MUST(tru_sim_run(sim, UINT64_MAX, &err));
    check_str(tru_sim_reason(sim), "reached 0.25 s");
    check_status((long long)tru_steps_done(tru_sim_world(sim)), 250);
    check_status(tru_sim_set_until(sim, NAN, &err), TRU_OUT_OF_RANGE);
    tru_sim_free(sim);
    tru_sim_free(other);
    tru_scene_free(scene);
}

/* Sliding ends at t1 (see test_moreau.c), rolling at t2: the ball's own slip, stick and rest events. */
TEST(stops_at_rest_with_its_events) {
    tru_error err;
    tru_scene *scene =
        scene_of(BALL_SCENE("steppers: {moreau: {step: 1 ms}}\nrecord: {until: 100}\nstop_when: {rest: true}\n"));
    tru_sim *sim = sim_of(scene);
    MUST(tru_sim_run(sim, UINT64_MAX, &err));
    const double alpha = (mu * radius - rho) * g / (0.4 * radius * radius), t1 = 1.0 / (mu * g + radius * alpha);
    const double t2 = t1 + (1.0 - mu * g * t1) / (g * rho / (1.4 * radius));
    check_str(tru_sim_reason(sim), "all bodies are at rest");
    check_close(tru_time(tru_sim_world(sim)), t2, 0.0, 3e-3);
    size_t count;
    const tru_event *e = tru_sim_events(sim, &count);
    double stick = 0.0, rest = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (e[i].kind == TRU_EVENT_STICK && e[i].row_kind == TRU_KIND_SLIDE) stick = e[i].time;
        if (e[i].kind == TRU_EVENT_REST) rest = e[i].time;
        check(i == 0 || e[i].time >= e[i - 1].time);
    }
    check_close(stick, t1, 0.0, 2e-3);
    check_close(rest, tru_time(tru_sim_world(sim)), 0.0, 0.0);
    check_status((long long)tru_sim_event_count(sim, TRU_EVENT_REST), 1);
    check_status((long long)tru_sim_event_count(sim, TRU_EVENT_TOUCH), 1);
    const tru_solver_summary s = tru_sim_solver(sim);
    check_status((long long)s.steps, (long long)tru_steps_done(tru_sim_world(sim)));
    check_status((long long)s.unconverged, 0);
    check(s.worst_relative > 0.0 && s.worst_time > 0.0 && s.iterations > 0 && s.most_iterations > 0);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

static void check_stop(const char *stop, const char *reason, double time, double tolerance) {
    tru_error err;
    char text[2000];
    snprintf(text, sizeof text, BALL_SCENE("steppers: {moreau: {step: 1 ms}}\nrecord: {until: 10}\nstop_when: %s\n"),
             stop);
    tru_scene *scene = scene_of(text);
    tru_sim *sim = sim_of(scene);
    MUST(tru_sim_run(sim, UINT64_MAX, &err));
    check_str(tru_sim_reason(sim), reason);
    check_close(tru_time(tru_sim_world(sim)), time, 0.0, tolerance);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

TEST(stops_at_probes_and_events) {
    check_stop("{probe: {name: ball.speed, below: 0.9 m/s}}", "probe ball.speed below 0.9 m/s", 0.1 / (mu * g),
               1.001e-3);
    check_stop("{probe: {name: ball.position.x, above: 50 mm}}", "probe ball.position.x above 0.05 m",
               (1.0 - sqrt(1.0 - 2.0 * mu * g * 0.05)) / (mu * g), 1.001e-3);
    check_stop("{probe: {name: contact.slip, below: 0.5}}", "probe contact.slip below 0.5 m/s",
               0.5 / (mu * g + (mu * radius - rho) * g / (0.4 * radius)), 1.001e-3);
    const double alpha = (mu * radius - rho) * g / (0.4 * radius * radius), t1 = 1.0 / (mu * g + radius * alpha);
    check_stop("{event: {kind: stick, row: slide}}", "event stick slide", t1, 2e-3);
    check_stop("{event: {kind: stick, row: slide, body: ball}}", "event stick slide of ball", t1, 2e-3);
    check_stop("{event: {kind: stick, row: slide, body: table}}", "event stick slide of table", t1, 2e-3);
    check_stop("{event: {kind: touch, count: 7}}", "reached 10 s", 10.0, 0.0);
    check_stop("[{rest: ball}, {probe: {name: time, above: 0.0205}}]", "probe time above 0.0205 s", 0.021, 1e-9);
}

/* A ball that bounces: the third touch ends it. Flight times shrink with e = 0.5: 2 v e^k / g. */
TEST(stops_at_the_nth_event) {
    tru_error err;
    tru_scene *scene = scene_of("trundle: 1\n"
                                "pairs:\n"
                                "  - {default: none, restitution: 0.5}\n"
                                "bodies:\n"
                                "  table: {kind: fixed, shape: plane}\n"
                                "  ball: {shape: {sphere: {radius: 0.1}}, mass: 2, position: [0, 0, 0.6]}\n"
                                "steppers: {moreau: {step: 0.1 ms}}\n"
                                "record: {until: 10}\n"
                                "stop_when: {event: {kind: touch, count: 3}}\n");
    tru_sim *sim = sim_of(scene);
    MUST(tru_sim_run(sim, UINT64_MAX, &err));
    const double fall = sqrt(2.0 * 0.5 / g), v = g * fall;
    check_str(tru_sim_reason(sim), "event touch, 3 times");
    check_close(tru_time(tru_sim_world(sim)), fall + 2.0 * v * 0.5 / g + 2.0 * v * 0.25 / g, 0.0, 1e-3);
    check_status((long long)tru_sim_event_count(sim, TRU_EVENT_TOUCH), 3);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* Two balls that come to rest at different times: "rest" waits for the later one. */
TEST(rest_means_all_of_them) {
    tru_error err;
    const char *text =
        BALL_SCENE("  slow: {shape: {sphere: {radius: 0.1}}, mass: 2, position: [0, 5, 0.1], velocity: [0.2, "
                   "0, 0]}\nsteppers: {moreau: {step: 1 ms}}\nrecord: {until: 100}\nstop_when: {rest: true}\n");
    tru_scene *scene = scene_of(text);
    tru_sim *sim = sim_of(scene);
    size_t speed;
    MUST(tru_sim_probe(sim, "ball.speed", &speed, NULL, &err));
    MUST(tru_sim_run(sim, UINT64_MAX, &err));
    check_str(tru_sim_reason(sim), "all bodies are at rest");
    check(tru_sim_value(sim, speed) < 1e-8);
    check_status((long long)tru_sim_event_count(sim, TRU_EVENT_REST), 2);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* ---- mistakes ---- */

static void check_refused(const char *end, const char *sentence) {
    tru_error err = {0};
    char text[2000];
    tru_sim *sim;
    snprintf(text, sizeof text, BALL_SCENE("%s"), end);
    tru_scene *scene = scene_of(text);
    check(tru_sim_create(scene, NULL, 1, &sim, &err) < 0);
    check_str(err.text, sentence);
    tru_scene_free(scene);
}

TEST(wrong_probes_are_told_with_their_place) {
    check_refused("steppers: {moreau: {step: 1 ms}}\nrecord:\n  until: 1\n  probes: [ball.speed, bal.speed]\n",
                  "test.yaml:14:24: probe 'bal.speed': no body 'bal'; did you mean 'ball'?");
    check_refused("steppers: {moreau: {step: 1 ms}}\nrecord: {until: 1}\n"
                  "stop_when: {probe: {name: ball.speed, below: 3 kg}}\n",
                  "test.yaml:13:20: probe 'ball.speed' is in m/s, but its limit is in kg");
}

/* ---- probes and events by number ---- */

TEST(probes_are_numbered) {
    tru_error err;
    tru_scene *scene = scene_of(BALL_SCENE(
        "steppers: {moreau: {step: 1 ms}}\nrecord: {until: 1, probes: [ball.speed, energy.total, ball.speed]}\n"));
    tru_sim *sim = sim_of(scene);
    size_t n;
    tru_unit unit;
    MUST(tru_sim_probe(sim, "energy.total", &n, &unit, &err));
    check_status((long long)n, 1);
    check_status(unit, TRU_UNIT_J);
    MUST(tru_sim_probe(sim, "time", &n, &unit, &err));
    check_status((long long)n, 2); /* the repeated name is the same probe */
    check_status(tru_sim_probe(sim, "tim", &n, &unit, &err), TRU_UNKNOWN_NAME);
    check_close(tru_sim_value(sim, 0), 1.0, 0.0, 0.0);
    check(isnan(tru_sim_value(sim, 99)));
    MUST(tru_sim_run(sim, 10, &err));
    check_close(tru_sim_value(sim, 2), 0.01, 1e-15, 0.0);
    double all[3] = {0.0, 0.0, 7.0};
    MUST(tru_probes_get(sim, all, 3, &err)); /* those of the plan only: "time" was asked for later */
    check(all[0] == tru_sim_value(sim, 0) && all[1] == tru_sim_value(sim, 1) && all[0] != all[1] && all[2] == 7.0);
    check_status(tru_probes_get(sim, all, 1, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "tru_probes_get: room is 1, must be at least 2, the number of probes");
    check_status(tru_probes_get(sim, NULL, 2, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "tru_probes_get needs a simulation and a place for the values");
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* Ten thousand chattering contacts: the list ends, the counts do not. */
TEST(events_are_kept_up_to_a_limit) {
    tru_sim *sim = calloc(1, sizeof *sim);
    tru_error err;
    tru_world_def wd = tru_default_world_def();
    MUST(tru_world_create(&wd, &sim->world, &err));
    for (tru_id body = 1; body <= 2000; body++) {
        tru_event event = {.time = (double)body, .kind = TRU_EVENT_TOUCH, .row_kind = TRU_KIND_NORMAL, .body_a = body};
        check(trio_sim_keep_event(&sim->events, &event));
        event.time += 0.5;
        check(trio_sim_keep_event(&sim->events, &event));
    }
    check_status((long long)sim->events.first_count, SIM_FIRSTS);
    for (size_t i = 0; i < SIM_FIRSTS; i++)
        check(sim->events.firsts[i].body_a == i + 1 && sim->events.firsts[i].time == (double)(i + 1));
    tru_event more = {.kind = TRU_EVENT_SLIP, .row_kind = TRU_KIND_SLIDE, .body_a = 3};
    for (int i = 0; i < TRU_SIM_EVENTS; i++) trio_sim_keep_event(&sim->events, &more);
    size_t kept;
    tru_sim_events(sim, &kept);
    check_status((long long)kept, TRU_SIM_EVENTS);
    check_status((long long)tru_sim_event_count(sim, TRU_EVENT_SLIP), TRU_SIM_EVENTS);
    check_status((long long)tru_sim_event_count(sim, TRU_EVENT_TOUCH), 4000);
    tru_sim_free(sim);
}

/* ---- emitters ---- */

TEST(emitters_make_their_bodies) {
    tru_error err;
    tru_scene *scene =
        scene_of("trundle: 1\n"
                 "pairs:\n"
                 "  - {default: none}\n"
                 "bodies:\n"
                 "  table: {kind: fixed, shape: plane}\n"
                 "fill:\n"
                 "  rain:\n"
                 "    body: {shape: {sphere: {radius: 0.01}}, density: 1000}\n"
                 "    place: {emitter: {lowest: [-0.5, -0.5, 0.5], highest: [0.5, 0.5, 0.6], rate: 50, count: 5}}\n"
                 "steppers: {moreau: {step: 1 ms}}\n"
                 "record: {until: 0.5}\n");
    tru_sim *sim = sim_of(scene);
    tru_world *w = tru_sim_world(sim);
    for (int i = 0; i < 200; i++) {
        MUST(tru_sim_advance(sim, &err));
        const uint64_t due = trio_scene_emitter_due(scene, 0, (double)i * 1e-3);
        check_status((long long)tru_body_count(w), 1 + (long long)due);
    }
    check_status((long long)tru_body_count(w), 6);
    check(tru_body_find(w, "rain-5") != TRU_NONE);
    check_status((long long)trio_sim_most_bodies(sim), 6);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* ---- summary ---- */

TEST(summary_says_how_it_went) {
    tru_error err;
    tru_scene *scene = scene_of(BALL_SCENE("steppers: {moreau: {step: 1 ms}}\n"
                                           "record: {until: 100, probes: [ball.position.x, contact.slip]}\n"
                                           "stop_when: {rest: ball}\n"));
    tru_sim *sim = sim_of(scene);
    MUST(tru_sim_run(sim, UINT64_MAX, &err));
    tru_json *j = tru_json_begin();
    tru_json_object(j, NULL);
    tru_sim_summary(sim, scene, 1.5, j);
    const char *text = tru_json_done(j);
    char piece[200];
    const char *const pieces[] = {"\"scene\": \"test\"",
                                  "\"title\": \"a ball\"",
                                  "\"stepper\": \"moreau\"",
                                  "\"stopped\": \"ball is at rest\"",
                                  "\"done\": true",
                                  "\"wall_time\": 1.5",
                                  "\"kind\": \"stick\"",
                                  "\"rows\": \"slide\"",
                                  "\"body\": \"ball\"",
                                  "\"other\": \"table\"",
                                  "\"rest\": 1",
                                  "\"unit\": \"m/s\""};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (!check(strstr(text, pieces[i]) != NULL)) printf("missing: %s\n", pieces[i]);
    snprintf(piece, sizeof piece, "\"state_hash\": \"%016" PRIx64 "\"", tru_state_hash(tru_sim_world(sim)));
    check(strstr(text, piece) != NULL);
    snprintf(piece, sizeof piece, "\"motion_hash\": \"%016" PRIx64 "\"", tru_motion_hash(tru_sim_world(sim)));
    check(strstr(text, piece) != NULL);
    snprintf(piece, sizeof piece, "\"scene_hash\": \"%016" PRIx64 "\"", tru_scene_hash(scene));
    check(strstr(text, piece) != NULL);
    const char *key = "\"ball.position.x\": {\n      \"value\": ", *value = strstr(text, key);
    if (check(value != NULL)) check_close(strtod(value + strlen(key), NULL), tru_sim_value(sim, 0), 0.0, 0.0);
    tru_json_free(j);
    tru_sim_free(sim);
    tru_scene_free(scene);
}
