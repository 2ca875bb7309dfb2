/* cmd_bench.c: "trundle bench": times scenes with the public functions, and prints the hash of the final state. */
#include "cli/app.h"
#include "bench/bench.h"
#include "bench/bench_files.h"
#include "bench/bench_pile.h"
#include "text/table.h"

#include <trundle/analysis.h>
#include <trundle/study.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_REPEATS = 5, MOST_REPEATS = 15 };
static const double RESTLESS =
    0.5; /* [-] spread of differences above which their median is not reported: the median is then wrong by an eighth */

/* One benchmark of bench/bench.yaml; texts belong to the file's tree. */
typedef struct benchmark {
    const char *name, *scene, *stepper, *unit, *note;
    const char *call; /* "limit_directions" on the scene's first state, or one of bench_files.h and bench_pile.h; NULL:
                         time the run */
    const char *over; /* benchmark whose value this one's is divided by, run before it; NULL: none */
    bool lengthy;     /* takes minutes: runs only if it is named */
    bool exact;       /* form of the contact law of "settled.*" */
    double error;     /* [m/s] of "settled.settle" */
    double from;      /* [s] of "parts" */
    tru_set *sets;
    size_t set_count;
    int threads;
    const tru_tree *vary; /* a list of axes: a sweep, one pass in one process; NULL: one run */
} benchmark;

typedef struct reading {
    tru_status status;
    char text[500];
    double value;  /* [unit of the benchmark] NaN: too noisy to report */
    double spread; /* of the measurements, in parts of their median; NaN: there is one only */
    bench_reading from;
} reading;

/* State that benchmarks share. */
typedef struct bench_state {
    bench_pile *settled;
    const benchmark *all;
    const reading *readings;
    size_t count;
} bench_state;

/* ---- the list ---- */

static const char *text_of(const tru_tree *node, const char *key, const char *otherwise) {
    const tru_tree *entry = tru_tree_find(node, key);
    const char *text = entry ? tru_tree_text(entry) : NULL;
    return text ? text : otherwise;
}

static benchmark read_benchmark(const tru_tree *node) {
    benchmark b = {.name = text_of(node, "name", "?"), .scene = text_of(node, "scene", "?")};
    const tru_tree *sets = tru_tree_find(node, "set");
    b.stepper = text_of(node, "stepper", NULL);
    b.unit = text_of(node, "unit", "ns/step");
    b.note = text_of(node, "note", "");
    b.call = text_of(node, "call", NULL);
    b.over = text_of(node, "over", NULL);
    b.lengthy = strcmp(text_of(node, "lengthy", "no"), "yes") == 0;
    b.exact = strcmp(text_of(node, "form", "relaxed"), "exact") == 0;
    b.error = atof(text_of(node, "error", "0"));
    b.from = atof(text_of(node, "from", "0"));
    b.threads = atoi(text_of(node, "threads", "1"));
    b.vary = tru_tree_find(node, "vary");
    b.set_count = sets ? tru_tree_count(sets) : 0;
    b.sets = need(b.set_count, sizeof *b.sets);
    for (size_t k = 0; k < b.set_count; k++)
        b.sets[k] = (tru_set){tru_tree_key(sets, k), tru_tree_text(tru_tree_at(sets, k))};
    return b;
}

/* ---- one benchmark ---- */

/* Newton steps of a time step; where solvers iterate long: in how many steps they met their rule. */
static void tell_solver(const tru_sim *sim, bench_reading *out) {
    const tru_solver_summary s = tru_sim_solver(sim);
    if (s.steps == 0 || s.iterations == 0) return;
    if (s.most_iterations < 10) {
        snprintf(out->remark, sizeof out->remark, ", %.2f iterations per step, at most %d",
                 (double)s.iterations / (double)s.steps, (int)s.most_iterations);
        return;
    }
    snprintf(out->remark, sizeof out->remark, ", %.1f %% of steps met the stopping rule, %.0f iterations each",
             100.0 * (1.0 - (double)s.unconverged / (double)s.steps), (double)s.iterations / (double)s.steps);
}

/* From the built world to the end of the plan; CPU time of the thread, or wall clock of several. */
static tru_status run_once(const tru_scene *scene, const benchmark *b, double *seconds, bench_reading *out,
                           tru_error *err) {
    tru_sim *sim = NULL;
    const int threads = b->threads > 0 ? b->threads : 1;
    tru_status status = tru_sim_create(scene, b->stepper, threads, &sim, err);
    const double begun = threads > 1 ? now() : thread_seconds();
    while (status >= 0 && !tru_sim_done(sim)) status = tru_sim_run(sim, UINT64_C(1) << 30, err);
    *seconds = (threads > 1 ? now() : thread_seconds()) - begun;
    if (status >= 0) {
        const tru_world *w = tru_sim_world(sim);
        const double steps = (double)tru_steps_done(w), contacts = (double)tru_contact_count(w);
        const uint64_t hash = tru_state_hash(w);
        if (out->values.count > 0 && hash != out->hash) {
            snprintf(err->text, sizeof err->text, "%s: two runs end in different states", b->name);
            status = err->status = TRU_NO_SOLUTION;
        }
        out->hash = hash;
        double per = 1.0; /* seconds */
        if (strcmp(b->unit, "ns/step") == 0) per = 1e9 / steps;
        if (strcmp(b->unit, "us/step") == 0) per = 1e6 / steps;
        if (strcmp(b->unit, "ms") == 0) per = 1e3;
        if (strcmp(b->unit, "ns/contact/step") == 0) per = 1e9 / (steps * fmax(contacts, 1.0));
        sample_add(&out->values, *seconds * per);
        tell_solver(sim, out);
    }
    tru_sim_free(sim);
    return status;
}

/* One body of the scene as it starts, its limit directions many times over; the hash is over the angles. */
static tru_status run_limits(const tru_scene *scene, const benchmark *b, bench_reading *out, tru_error *err) {
    enum { CALLS = 20000 };
    tru_sim *sim = NULL;
    tru_limit_contact contact;
    tru_limit_problem problem;
    tru_limit limit = {0};
    tru_status status = tru_sim_create(scene, b->stepper, 1, &sim, err);
    const tru_world *w = status >= 0 ? tru_sim_world(sim) : NULL;
    if (status >= 0) status = tru_limit_of_body(w, tru_body_at(w, tru_body_count(w) - 1), &contact, err);
    if (status >= 0) status = tru_limit_problem_of(&contact.body, &problem, err);
    while (status >= 0 && out->values.count < MOST_REPEATS) {
        const double begun = thread_seconds();
        for (int k = 0; status >= 0 && k < CALLS; k++) status = tru_limit_directions(&problem, &limit, err);
        sample_add(&out->values, 1e9 * (thread_seconds() - begun) / CALLS);
    }
    out->hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (int k = 0; k < limit.count; k++) {
        uint64_t bits;
        memcpy(&bits, &limit.directions[k].angle, sizeof bits);
        out->hash = (out->hash ^ bits) * UINT64_C(0x100000001b3);
    }
    tru_sim_free(sim);
    return status;
}

/* Runs all cells of a new sweep once. `hash` is over their classes. */
static tru_status pass_over(const tru_scene *scene, const tru_sweep_def *def, const benchmark *b, double *value,
                            uint64_t *hash, tru_error *err) {
    double steps = 0.0, stepping = 0.0;
    tru_sweep *sweep;
    tru_status status = tru_sweep_create(scene, def, &sweep, err);
    const double begun = thread_seconds();
    if (status >= 0) status = tru_sweep_run(sweep, NULL, err);
    const double seconds = thread_seconds() - begun;
    *hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t k = 0; status >= 0 && k < tru_sweep_describe(sweep)->cells; k++) {
        const tru_sweep_cell *cell = &tru_sweep_cells(sweep)[k];
        steps += cell->steps;
        stepping += cell->stepping;
        *hash = (*hash ^ (uint64_t)cell->which) * UINT64_C(0x100000001b3);
        if (cell->status >= 0) continue;
        snprintf(err->text, sizeof err->text, "%s", cell->text);
        status = err->status = cell->status;
    }
    tru_sweep_free(sweep);
    *value = strcmp(b->unit, "ns/step") == 0 ? 1e9 * seconds / steps : seconds;
    if (strcmp(b->unit, "%") == 0) *value = 100.0 * (seconds / stepping - 1.0);
    return status;
}

/* A whole sweep in this process, several times. */
static tru_status run_sweep(const tru_scene *scene, const benchmark *b, bench_reading *out, tru_error *err) {
    const size_t count = tru_tree_count(b->vary);
    tru_vary *vary = need(count, sizeof *vary);
    char **paths = need(count, sizeof *paths);
    tru_sweep_def def = tru_default_sweep_def();
    tru_status status = TRU_OK;
    for (size_t k = 0; k < count; k++) {
        const char *text = tru_tree_text(tru_tree_at(b->vary, k)), *equals = text ? strchr(text, '=') : NULL;
        paths[k] = need_text("%.*s", equals ? (int)(equals - text) : 0, text ? text : "");
        vary[k] = (tru_vary){.path = paths[k], .range = equals ? equals + 1 : ""};
    }
    def.stepper = b->stepper;
    def.vary = vary;
    def.vary_count = count;
    const double begun = thread_seconds();
    while (status >= 0 && out->values.count < LEAST_REPEATS &&
           (out->values.count < 3 || thread_seconds() - begun < 20.0)) {
        double value;
        status = pass_over(scene, &def, b, &value, &out->hash, err);
        sample_add(&out->values, value);
    }
    names_free(paths, count);
    free(vary);
    return status;
}

static tru_status run_call(bench_state *state, const tru_scene *scene, const char *path, const benchmark *b,
                           bench_reading *out, tru_error *err) {
    const bench_wish wish = {b->call, path, b->stepper, b->threads, b->exact, b->error, b->from};
    bench_call *call = bench_call_named(b->call);
    if (bench_pile_knows(b->call)) return bench_pile_call(&state->settled, scene, &wish, out, err);
    return call ? call(scene, &wish, out, err) : run_limits(scene, b, out, err);
}

/* Returns the value of an earlier benchmark of this call; 0 if there is none. */
static double value_of(const bench_state *state, const char *name) {
    for (size_t k = 0; k < state->count; k++)
        if (strcmp(state->all[k].name, name) == 0 && state->readings[k].status >= 0) return state->readings[k].value;
    return 0.0;
}

/* Reduces the measurements to one number; NaN for differences whose scatter is as large as they are. */
static void judge(reading *r) {
    bench_reading *from = &r->from;
    r->spread = sample_spread(&from->values);
    from->middle = from->middle || from->difference;
    r->value = from->middle ? sample_median(&from->values) : sample_least(&from->values);
    if (!from->difference || !(r->spread > RESTLESS)) return;
    r->value = NAN;
    const size_t end = strlen(from->remark);
    snprintf(from->remark + end, sizeof from->remark - end,
             "; not measurable: the timings of this machine vary too much (spread %.2g)", r->spread);
}

/* Times a whole run repeatedly; long runs need fewer repetitions. */
static tru_status run_often(const tru_scene *scene, const benchmark *b, bench_reading *out, tru_error *err) {
    double total = 0.0, seconds;
    tru_status status = TRU_OK;
    while (status >= 0 && out->values.count < MOST_REPEATS && (out->values.count < LEAST_REPEATS || total < 0.5)) {
        status = run_once(scene, b, &seconds, out, err);
        total += seconds;
        if (total > 20.0) break;
    }
    return status;
}

static reading run_benchmark(bench_state *state, const benchmark *b) {
    reading out = {.from = {.hash = 0}};
    tru_error err = {0};
    tru_scene *scene = NULL;
    char *path = scene_path(b->scene);
    out.status = tru_scene_read(path, b->sets, b->set_count, &scene, &err);
    if (out.status >= 0 && b->over && !(value_of(state, b->over) > 0.0)) { /* fails before minutes are spent */
        snprintf(err.text, sizeof err.text, "%s, which it is divided by, has no value", b->over);
        out.status = TRU_BAD_ARGUMENT;
    }
    if (out.status >= 0) {
        if (b->vary)
            out.status = run_sweep(scene, b, &out.from, &err);
        else if (b->call)
            out.status = run_call(state, scene, path, b, &out.from, &err);
        else
            out.status = run_often(scene, b, &out.from, &err);
    }
    if (out.status >= 0) judge(&out);
    if (out.status >= 0 && b->over) out.value /= value_of(state, b->over);
    if (out.status < 0) memcpy(out.text, err.text, sizeof out.text);
    tru_scene_free(scene);
    free(path);
    return out;
}

/* ---- telling ---- */

static void machine_json(tru_json *json, const machine *m) {
    tru_json_object(json, "machine");
    tru_json_text(json, "cpu", m->cpu);
    tru_json_integer(json, "processors", (int64_t)m->processors);
    tru_json_number(json, "frequency_guess_ghz", m->frequency);
    tru_json_number(json, "triad_gb_per_s", fmax(m->triad, m->triad_end));
    tru_json_number(json, "triad_start_gb_per_s", m->triad);
    tru_json_number(json, "triad_end_gb_per_s", m->triad_end);
    tru_json_text(json, "system", m->system);
    tru_json_text(json, "compiler", m->compiler);
    tru_json_text(json, "version", tru_version());
    tru_json_close(json);
}

static void result_json(tru_json *json, const char *name, const reading *r, const char *unit, const char *note,
                        const char *hash) {
    tru_json_object(json, NULL);
    tru_json_text(json, "name", name);
    tru_json_number(json, "value", r->value);
    tru_json_text(json, "unit", unit);
    tru_json_text(json, "note", note);
    tru_json_text(json, "hash", hash);
    tru_json_number(json, "spread", r->spread);
    tru_json_integer(json, "measurements", r->from.values.count);
    tru_json_close(json);
}

/* The two triads as one more result. */
static void triad_json(tru_json *json, const machine *m) {
    reading r = {.value = fmax(m->triad, m->triad_end), .spread = NAN};
    sample_add(&r.from.values, m->triad);
    sample_add(&r.from.values, m->triad_end);
    result_json(json, "machine.triad_gb_per_s", &r, "GB/s",
                "one thread, arrays beyond the caches; start and end of the run", NULL);
}

static int tell_json(const benchmark *all, const reading *readings, size_t count, const machine *m) {
    tru_json *json = tru_json_begin();
    char hash[20], note[200 + BENCH_REMARK];
    tru_json_object(json, NULL);
    machine_json(json, m);
    tru_json_array(json, "results");
    triad_json(json, m);
    for (size_t k = 0; k < count; k++) {
        if (readings[k].status < 0) continue;
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)readings[k].from.hash);
        snprintf(note, sizeof note, "%s%s", all[k].note, readings[k].from.remark);
        result_json(json, all[k].name, &readings[k], all[k].unit, note, hash);
    }
    tru_json_close(json);
    tru_json_close(json);
    return print_json(json);
}

static void tell_row(table *t, const benchmark *b, const reading *r) {
    const bool number = r->value == r->value;
    table_cell(t, "%s", b->name);
    table_cell(t, number ? "%.4g" : "-", r->value);
    table_cell(t, "%s", b->unit);
    table_cell(t, r->spread == r->spread ? "%.0f %%" : "-", 100.0 * r->spread);
    table_cell(t, "%016llx", (unsigned long long)r->from.hash);
    if (r->from.values.count > 1)
        table_cell(t, "%s%s (%s of %d)", b->note, r->from.remark, r->from.middle ? "median" : "best",
                   r->from.values.count);
    else
        table_cell(t, "%s%s", b->note, r->from.remark);
}

static void tell(const benchmark *all, const reading *readings, size_t count, const machine *m) {
    static const char *const heads[] = {"benchmark", "value", "unit", "spread", "state", "note"};
    table *t = table_new(heads, 6, "lrlrll");
    say(stdout, "%s, %zu processors, about %.2f GHz, %.1f GB/s before and %.1f GB/s after (triad, one thread)\n",
        m->cpu, m->processors, m->frequency, m->triad, m->triad_end);
    for (size_t k = 0; k < count; k++)
        if (readings[k].status >= 0) tell_row(t, &all[k], &readings[k]);
    table_print(t, stdout, 0, 0);
}

/* ---- the command ---- */

static bool named(const args *a, const char *name) {
    for (size_t k = 0; k < a->operand_count; k++)
        if (strncmp(name, a->operands[k], strlen(a->operands[k])) == 0) return true;
    return false;
}

/* Returns true if a benchmark is named, or another one is divided by it. Without names, all short ones run. */
static bool wanted(const args *a, const tru_tree *list, const benchmark *b) {
    if (a->operand_count == 0) return !b->lengthy;
    bool divisor = false;
    for (size_t k = 0; k < tru_tree_count(list); k++) {
        const tru_tree *other = tru_tree_at(list, k);
        divisor = divisor || (strcmp(text_of(other, "over", ""), b->name) == 0 && named(a, text_of(other, "name", "")));
    }
    return divisor || named(a, b->name);
}

static int unknown(const args *a, const tru_tree *list) {
    const size_t count = tru_tree_count(list);
    const char **names = need(count, sizeof *names);
    for (size_t k = 0; k < count; k++) names[k] = text_of(tru_tree_at(list, k), "name", "?");
    const char *near = tru_nearest_name(a->operands[0], names, count);
    say(stderr, "trundle bench: no benchmark begins with '%s'%s%s\n", a->operands[0], near ? "; the nearest is " : "",
        near ? near : "");
    free(names);
    return EXIT_USAGE;
}

static int run_list(const args *a, const tru_tree *list) {
    const size_t room = tru_tree_count(list);
    benchmark *all = need(room, sizeof *all);
    reading *readings = need(room, sizeof *readings);
    bench_state state = {.all = all, .readings = readings};
    machine m = {.processors = 0};
    size_t count = 0, good = 0;
    int code = EXIT_GOOD;
    for (size_t k = 0; k < room; k++) {
        benchmark b = read_benchmark(tru_tree_at(list, k));
        if (!wanted(a, list, &b)) {
            free(b.sets);
            continue;
        }
        char *name = one_line(b.name);
        if (terminal_width(stderr) > 0) fprintf(stderr, "\r%s\033[K", name);
        free(name);
        if (count == 0) m = machine_measure();
        all[count] = b;
        readings[count] = run_benchmark(&state, &b);
        if (readings[count].status < 0) {
            say(stderr, "trundle bench: %s: %s\n", b.name, readings[count].text);
            code = exit_code_of(readings[count].status);
        }
        good += readings[count].status >= 0;
        state.count = ++count;
    }
    bench_pile_free(state.settled);
    if (terminal_width(stderr) > 0) fputs("\r\033[K", stderr);
    if (count == 0) {
        code = unknown(a, list);
    } else if (good > 0) {
        machine_again(&m);
        int printed = EXIT_GOOD;
        if (args_flag(a, "json"))
            printed = tell_json(all, readings, count, &m);
        else
            tell(all, readings, count, &m);
        if (code == EXIT_GOOD) code = printed;
    }
    for (size_t k = 0; k < count; k++) free(all[k].sets);
    free(all);
    free(readings);
    return code;
}

int cmd_bench(const args *a) {
    tru_tree *tree = NULL;
    tru_error err;
    char *path = data_path("bench/bench.yaml");
    if (!path) {
        fputs("trundle bench: the list of benchmarks, bench/bench.yaml, was not found\n", stderr);
        return EXIT_SYSTEM;
    }
    int code = tru_tree_read(path, &tree, &err) < 0 ? complain(&err) : EXIT_GOOD;
    const tru_tree *list = code == EXIT_GOOD ? tru_tree_find(tree, "benchmarks") : NULL;
    if (list) code = run_list(a, list);
    tru_tree_free(tree);
    free(path);
    return code;
}
