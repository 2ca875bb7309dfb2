/* test_sweep.c: sweeps from C: cells are those of single runs, however they are distributed, stopped and resumed. */
#define _GNU_SOURCE
#include "check.h"
#include "folders.h"
#include "scene_text.h"

#include <trundle/study.h>

static const char *const speed_probe[] = {"ball.speed"};
static const tru_vary frictions = {.path = "parameters.mu", .range = "0.1:0.4:4"};

/* A sweep of friction whose runs end at 0.3 s: with mu = 0.1 the ball still slides, with 0.2 and more it rolls. */
static tru_sweep_def friction_def(void) {
    tru_sweep_def def = tru_default_sweep_def();
    def.vary = &frictions;
    def.vary_count = 1;
    def.probes = speed_probe;
    def.probe_count = 1;
    def.until = 0.2;
    return def;
}

static tru_sweep *sweep_of(const char *text, const tru_sweep_def *def) {
    tru_error err = {0};
    tru_scene *scene = scene_of(text);
    tru_sweep *sweep = NULL;
    if (!check_status(tru_sweep_create(scene, def, &sweep, &err), TRU_OK)) printf("  %s\n", err.text);
    tru_scene_free(scene); /* the sweep has its own */
    return sweep;
}

/* ---- cells ---- */

/* Sliding with mu g until t = 2 v / (7 mu g), then rolling with 5/7 v. */
TEST(cells_follow_the_ball) {
    const tru_sweep_def def = friction_def();
    tru_sweep *sweep = sweep_of(BALL, &def);
    check_status(tru_sweep_run(sweep, NULL, NULL), TRU_OK);
    const tru_sweep_info *info = tru_sweep_describe(sweep);
    check(info->cells == 4 && info->axis_count == 1 && info->probe_count == 1 && info->numbers && !info->bisects);
    check_str(info->probes[0], "ball.speed");
    check(info->units[0] == TRU_UNIT_M_PER_S);
    for (size_t k = 0; k < 4; k++) {
        const tru_sweep_cell *cell = &tru_sweep_cells(sweep)[k];
        const double mu = tru_sweep_value(&info->axes[0], tru_sweep_index(info, k, 0));
        const bool rolls = 2.0 / (7.0 * mu * 9.81) < 0.2;
        check_close(mu, 0.1 * (double)(k + 1), 1e-15, 0.0);
        check(cell->done && cell->runs == 1 && cell->status == TRU_OK);
        check_close(cell->time, 0.2, 1e-12, 0.0);
        check_close(cell->steps, 200.0, 0.0, 0.0);
        check_close(cell->values[0], rolls ? 5.0 / 7.0 : 1.0 - mu * 9.81 * 0.2, 1e-10, 0.0);
        check_str(tru_class_name(cell->which), rolls ? "rolling" : "rolling-sliding");
    }
    tru_sweep_free(sweep);
}

static bool same_cells(const tru_sweep *a, const tru_sweep *b) {
    bool same = tru_sweep_describe(a)->cells == tru_sweep_describe(b)->cells;
    for (size_t k = 0; same && k < tru_sweep_describe(a)->cells; k++) {
        const tru_sweep_cell *x = &tru_sweep_cells(a)[k], *y = &tru_sweep_cells(b)[k];
        same = x->done == y->done && x->which == y->which && x->steps == y->steps && x->time == y->time &&
               memcmp(x->values, y->values, sizeof x->values) == 0 && strcmp(x->text, y->text) == 0;
    }
    return same;
}

TEST(processes_give_the_same_bits) {
    const tru_vary vary[] = {{.path = "parameters.mu", .range = "0.05:0.4:8"},
                             {.path = "parameters.speed", .range = "0.5,1,2 m/s"}};
    tru_sweep_def def = friction_def();
    def.vary = vary;
    def.vary_count = 2;
    tru_sweep *here = sweep_of(BALL, &def);
    check_status(tru_sweep_run(here, NULL, NULL), TRU_OK);
    check(tru_sweep_describe(here)->cells == 24 && tru_sweep_done(here) == 24);
    check_str(tru_sweep_describe(here)->axes[1].words[0], "0.5 m/s"); /* one unit for all */
    for (size_t processes = 1; processes <= 3; processes += 2) {
        const tru_study_how how = {.processes = processes};
        tru_sweep *there = sweep_of(BALL, &def);
        check_status(tru_sweep_run(there, &how, NULL), TRU_OK);
        check(same_cells(here, there));
        tru_sweep_free(there);
    }
    tru_sweep_free(here);
}

/* A list of texts may hold what a range cannot: values with commas. */
TEST(values_are_texts) {
    const char *const places[] = {"[0, 0, 0.1]", "[3, 0, 0.1]"}, *const probes[] = {"ball.position.x"};
    const tru_vary vary = {.path = "bodies.ball.position", .values = places, .count = 2};
    tru_sweep_def def = friction_def();
    def.vary = &vary;
    def.probes = probes;
    tru_sweep *sweep = sweep_of(BALL, &def);
    check_status(tru_sweep_run(sweep, NULL, NULL), TRU_OK);
    check(!tru_sweep_describe(sweep)->numbers);
    check_close(tru_sweep_cells(sweep)[1].values[0] - tru_sweep_cells(sweep)[0].values[0], 3.0, 1e-12, 0.0);
    tru_sweep_free(sweep);
}

/* The ball rolls at 0.2 s if mu is above 2 / (7 g 0.2 s). */
TEST(bisection_finds_the_border) {
    tru_sweep_def def = friction_def();
    def.vary_count = 0;
    def.bisect = (tru_set){"parameters.mu", "0.05:0.5:1e-6"};
    def.on = "class=rolling-sliding";
    tru_sweep *sweep = sweep_of(BALL, &def);
    check_status(tru_sweep_run(sweep, NULL, NULL), TRU_OK);
    check_close(tru_sweep_cells(sweep)[0].border, 2.0 / (7.0 * 9.81 * 0.2), 0.01, 0.0);
    check(tru_sweep_cells(sweep)[0].runs > 15);
    tru_sweep_free(sweep);
}

/* ---- seeds ---- */

/* Seed 2 has a friction below 0, so that its run fails; the ball of seed 4 flies, so that its contact has no value. */
#define SEEDS_SCENE                                                                                                    \
    "trundle: 1\n"                                                                                                     \
    "parameters: {seed: 1}\n"                                                                                          \
    "laws: {felt: {coulomb: {slide: (seed - 2) * (seed - 2) - 0.5}}}\n"                                                \
    "pairs: [{default: felt}]\n"                                                                                       \
    "bodies:\n"                                                                                                        \
    "  table: {kind: fixed, shape: plane}\n"                                                                           \
    "  ball: {shape: {sphere: {radius: 0.1}}, mass: 1, position: [0, 0, 0.1 + (seed - 1) * (seed - 3)],\n"             \
    "         velocity: [1, 0, 0]}\n"                                                                                  \
    "steppers: {moreau: {step: 1 ms}}\n"                                                                               \
    "record: {until: 10 ms, probes: [contact.slip]}\n"

TEST(means_count_seeds_without_a_value) {
    tru_sweep_def def = tru_default_sweep_def();
    tru_sweep_mean mean;
    tru_error err;
    def.seeds = 4;
    tru_sweep *sweep = sweep_of(SEEDS_SCENE, &def);
    check_status(tru_sweep_run(sweep, NULL, NULL), TRU_OK);
    const tru_sweep_cell *cells = tru_sweep_cells(sweep);
    check(cells[1].which == TRU_CLASS_FAILED && cells[1].status == TRU_OUT_OF_RANGE && isnan(cells[3].values[0]));
    check(strstr(cells[1].text, "slide is -0.5") != NULL);
    check_status(tru_sweep_mean_of(sweep, 0, 0, &mean, &err), TRU_OK);
    check(mean.n == 2 && mean.failed == 1 && mean.valueless == 1);
    check_close(mean.mean, 0.5 * (cells[0].values[0] + cells[2].values[0]), 1e-15, 0.0);
    check_close(mean.deviation, fabs(cells[0].values[0] - cells[2].values[0]) / sqrt(2.0), 1e-12, 1e-15);
    check_status(tru_sweep_mean_of(sweep, 1, 0, &mean, &err), TRU_OUT_OF_RANGE);
    check_str(err.text, "group is 1, must be below 1");
    check_status(tru_sweep_mean_of(sweep, 0, 1, &mean, &err), TRU_OUT_OF_RANGE);
    check_str(err.text, "probe is 1, must be below 1");
    tru_sweep_free(sweep);
}

/* ---- stopping and resuming ---- */

typedef struct counter {
    size_t calls, last, stop_at;
} counter;

static bool count_cells(void *user, size_t done, size_t all) {
    counter *c = user;
    c->calls++;
    c->last = done;
    return done < c->stop_at && done <= all;
}

TEST(a_callback_stops_and_the_next_call_continues) {
    const tru_sweep_def def = friction_def();
    tru_error err;
    for (size_t processes = 0; processes < 2; processes++) {
        counter c = {.stop_at = 1};
        const tru_study_how how = {.processes = processes, .progress = count_cells, .user = &c};
        const tru_vary slow = {.path = "parameters.speed", .range = "1,2 m/s"};
        const tru_vary vary[] = {frictions, slow, {.path = "steppers.moreau.step", .range = "1,0.5,0.25 ms"}};
        tru_sweep_def many = def;
        many.vary = vary;
        many.vary_count = 3;
        tru_sweep *whole = sweep_of(BALL, &many), *parts = sweep_of(BALL, &many);
        check_status(tru_sweep_run(whole, NULL, NULL), TRU_OK);
        check_status(tru_sweep_run(parts, &how, &err), TRU_REMARK);
        char sentence[80];
        snprintf(sentence, sizeof sentence, "stopped with %zu of 24 cells", tru_sweep_done(parts));
        check_str(err.text, sentence);
        check(tru_sweep_done(parts) >= 1 && tru_sweep_done(parts) < 24 && c.last == tru_sweep_done(parts));
        c = (counter){.stop_at = 25};
        check_status(tru_sweep_run(parts, &how, &err), TRU_OK);
        check(c.last == 24 && c.calls > 0 && same_cells(whole, parts));
        tru_sweep_free(whole);
        tru_sweep_free(parts);
    }
}

static char *text_of_file(const char *path) {
    char *text = calloc(1, 100000);
    FILE *in = fopen(path, "r");
    if (in) check(fread(text, 1, 99999, in) > 0);
    if (in) fclose(in);
    return text;
}

TEST(a_log_continues_a_sweep) {
    tru_sweep_def def = friction_def();
    tru_error err;
    counter c = {.stop_at = 1};
    const tru_study_how how = {.progress = count_cells, .user = &c};
    char dir[400], table[450], whole_table[450];
    snprintf(dir, sizeof dir, "%s", folder_path("logged"));
    snprintf(table, sizeof table, "%s/sweep.csv", dir);
    snprintf(whole_table, sizeof whole_table, "%s", folder_path("whole.csv"));
    def.stepper = "moreau";
    tru_sweep *whole = sweep_of(BALL, &def), *first = sweep_of(BALL, &def), *second = sweep_of(BALL, &def);
    check_status(tru_sweep_run(whole, NULL, NULL), TRU_OK);
    check_status(tru_sweep_write(whole, whole_table, NULL), TRU_OK);
    check_status(tru_sweep_open(first, dir, &err), TRU_OK);
    const tru_status stopped = tru_sweep_run(first, &how, &err);
    const size_t done = tru_sweep_done(first);
    check(done >= 1 && (stopped == TRU_REMARK || done == 4));
    tru_sweep_free(first);
    check_status(tru_sweep_open(second, dir, &err), TRU_OK);
    check(tru_sweep_done(second) == done);
    check_status(tru_sweep_open(second, dir, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "the log of a sweep must be opened once, before it runs");
    check_status(tru_sweep_run(second, NULL, &err), TRU_OK);
    check_status(tru_sweep_write(second, table, &err), TRU_OK);
    char *a = text_of_file(table), *b = text_of_file(whole_table);
    check(strlen(a) > 100);
    check_str(a, b);
    free(a);
    free(b);
    tru_sweep_free(second);
    tru_sweep_free(whole);

    def.until = 0.1;
    tru_sweep *other = sweep_of(BALL, &def);
    char sentence[500];
    snprintf(sentence, sizeof sentence, "%s holds another sweep", dir);
    check_status(tru_sweep_open(other, dir, &err), TRU_REFUSED);
    check_str(err.text, sentence);
    check(tru_sweep_done(other) == 0);
    snprintf(sentence, sizeof sentence, "%s/sweep.log", dir);
    remove(sentence);
    snprintf(sentence, sizeof sentence, "%s holds sweep.csv of a sweep without its log", dir);
    check_status(tru_sweep_open(other, dir, &err), TRU_REFUSED);
    check_str(err.text, sentence);
    tru_sweep_free(other);
}

/* ---- tables ---- */

/* A table that is 1 % too small everywhere. */
TEST(cells_are_compared_with_a_table) {
    const tru_sweep_def def = friction_def();
    const char *path = folder_path("against.csv");
    tru_sweep_match m;
    tru_error err;
    tru_sweep *sweep = sweep_of(BALL, &def);
    check_status(tru_sweep_match_of(sweep, &m, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "the sweep has no table to compare with");
    check_status(tru_sweep_run(sweep, NULL, NULL), TRU_OK);
    FILE *out = fopen(path, "w");
    fputs("parameters.mu,ball.speed [m/s]\n", out);
    for (size_t k = 0; k < 4; k++)
        fprintf(out, "%.17g,%.17g\n", tru_sweep_value(&tru_sweep_describe(sweep)->axes[0], k),
                tru_sweep_cells(sweep)[k].values[0] / 1.01);
    fclose(out);
    check_status(tru_sweep_against(sweep, path, &err), TRU_OK);
    check_status(tru_sweep_match_of(sweep, &m, &err), TRU_OK);
    check_str(m.column, "ball.speed");
    check(m.cells == 4);
    check_close(m.rms, 0.01, 1e-9, 0.0);
    check_close(m.most, 0.01, 1e-9, 0.0);
    check_status(tru_sweep_write(sweep, "table.txt", &err), TRU_UNKNOWN_NAME);
    check_str(err.text, "table 'table.txt': its ending must be .csv or .h5");
    check_status(tru_sweep_write_means(sweep, "means.csv", &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "the sweep has no seeds, so it has no means");
    tru_sweep_free(sweep);
}

/* Tables have the cells that are done, and no others. */
TEST(tables_leave_out_what_is_not_done) {
    const tru_sweep_def def = friction_def();
    char path[400];
    snprintf(path, sizeof path, "%s", folder_path("none.csv"));
    tru_sweep *sweep = sweep_of(BALL, &def);
    check_status(tru_sweep_write(sweep, path, NULL), TRU_OK);
    char *text = text_of_file(path);
    check_str(text, "parameters.mu,class,runs,time [s],ball.speed [m/s]\n");
    free(text);
    tru_sweep_free(sweep);
}

/* ---- borders ---- */

#define BORDER_BALL                                                                                                    \
    "trundle: 1\nparameters: {radius: 0.1 m, speed: 1 m/s, mu: 0.2, border_1: speed * 2}\n" BALL_LAWS BALL_BODIES      \
        BALL_END

TEST(borders_are_evaluated_along_the_first_axis) {
    const tru_vary vary[] = {{.path = "parameters.speed", .range = "1:3 m/s:3"},
                             {.path = "parameters.radius", .range = "100:200 mm:2"}};
    tru_sweep_def def = friction_def();
    double y;
    def.vary = vary;
    def.vary_count = 2;
    tru_sweep *sweep = sweep_of(BORDER_BALL, &def);
    for (size_t k = 0; k < 3; k++) {
        check(tru_sweep_border(sweep, 1, k, &y));
        check_close(y, 2000.0 * (double)(k + 1), 1e-12, 0.0); /* [mm] of the second axis */
    }
    check(!tru_sweep_border(sweep, 2, 0, &y) && isnan(y));
    check(!tru_sweep_border(sweep, 1, 3, &y) && isnan(y));
    tru_sweep_free(sweep);
}

/* ---- bad input ---- */

static void refused(const tru_sweep_def *def, tru_status status, const char *sentence) {
    tru_error err = {0};
    tru_scene *scene = scene_of(BALL);
    tru_sweep *sweep = (tru_sweep *)&err;
    check_status(tru_sweep_create(scene, def, &sweep, &err), status);
    check_str(err.text, sentence);
    check(sweep == NULL);
    tru_scene_free(scene);
}

static void refused_vary(tru_vary vary, tru_status status, const char *sentence) {
    tru_sweep_def def = friction_def();
    def.vary = &vary;
    refused(&def, status, sentence);
}

TEST(wrong_definitions_are_refused) {
    const char *const gap[] = {"0.1", NULL};
    refused_vary((tru_vary){.path = "parameters.mu"}, TRU_OUT_OF_RANGE,
                 "vary 'parameters.mu' has 0 values, must have at least 1");
    refused_vary((tru_vary){.path = "parameters.mu", .values = gap, .count = 2}, TRU_BAD_ARGUMENT,
                 "vary 'parameters.mu': value 1 is NULL");
    refused_vary((tru_vary){.range = "1,2"}, TRU_BAD_ARGUMENT, "vary needs a path");
    refused_vary((tru_vary){.path = "parameters.mu", .range = "1:2"}, TRU_BAD_ARGUMENT,
                 "vary needs path=a:b:n with n of 2 or more, or path=x,y,z, not 'parameters.mu=1:2'");
    refused_vary((tru_vary){.path = "parameters.nu", .range = "1,2"}, TRU_UNKNOWN_NAME,
                 "set parameters.nu=1: no 'nu'; did you mean 'mu'?");
    tru_sweep_def def = friction_def();
    def.vary_count = 0;
    refused(&def, TRU_BAD_ARGUMENT, "nothing to vary, must be a path, a bisection or seeds");
    def.vary_count = 7;
    refused(&def, TRU_OUT_OF_RANGE, "at most 6 values can be varied");
    def = friction_def();
    def.seeds = -1;
    refused(&def, TRU_OUT_OF_RANGE, "seeds is -1, must be at least 0");
    def = friction_def();
    def.on = "ball.speed";
    refused(&def, TRU_BAD_ARGUMENT, "bisect needs a path, its ends and on");
    def.bisect = (tru_set){"parameters.speed", "1:2 m/s:0.1"};
    def.on = "class=sitting";
    refused(&def, TRU_BAD_ARGUMENT,
            "on needs class=rest, flat, rolling, sliding, rolling-sliding, flying or hanging, not 'class=sitting'");
    def = friction_def();
    def.vary = NULL;
    refused(&def, TRU_BAD_ARGUMENT, "vary and probes must not be NULL if there are some");
    tru_error err;
    check_status(tru_sweep_check(NULL, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "definition must not be NULL");
    check_status(tru_sweep_run(NULL, NULL, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "sweep must not be NULL");
    check_status(tru_sweep_create(NULL, &def, NULL, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "out must not be NULL");
    check_str(tru_class_name(-1), "?");
}
