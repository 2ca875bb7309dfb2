/* cmd_compare.c: "trundle compare": one scene by every stepper block, at three steps; differences and orders. */
#include "cli/app.h"
#include "cli/pool.h"
#include "draw/report.h"
#include "text/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Compares LEVELS steps, each half of the one before. If they do not show the order, up to MOST_LEVELS are tried. */
enum { LEVELS = 3, MOST_LEVELS = 7, SAMPLES = 16, PROBES = 48, METHODS = 16 };
static const double most_work = 1e7; /* [-] steps times bodies of a run that is tried beyond LEVELS: some seconds */

/* A way to run the scene: a stepper block, perhaps with a change. */
typedef struct method {
    char *label, *stepper;
    char *step_path; /* of its step in the scene */
    tru_set change;  /* path NULL: none */
    double step;     /* [s] as the scene has it */
    int levels;      /* that were run */
    bool cut;        /* further ones would have been too much work */
} method;

/* What one run sends back. */
typedef struct outcome {
    tru_status status;
    char text[500];
    double seconds;                 /* [s] wall clock */
    int order;                      /* lowest order that the stepper promised during the run */
    bool impacts;                   /* then only first order can be expected */
    bool switches;                  /* between slip and stick: their place within a step changes the error */
    double speed;                   /* [m/s] of the fastest body at these times */
    double values[SAMPLES][PROBES]; /* [unit of the probe] at equal times */
} outcome;

typedef struct session {
    tru_scene *scene;
    method methods[METHODS];
    size_t method_count;
    char *probes[PROBES]; /* copies of the names, because a change of the scene moves its texts */
    double until;         /* [s] */
    double coarse;        /* [s] longest step of all methods: samples lie on its multiples */
    size_t probe_count;
    tru_unit units[PROBES];
    size_t bodies;
    outcome *outcomes; /* method x level, MOST_LEVELS of them */
} session;

/* ---- one run, in a worker ---- */

static double fastest_body(const tru_world *w) {
    double most = 0.0;
    for (size_t k = 0; k < tru_body_count(w); k++) {
        tru_body_state b;
        if (tru_body_get(w, tru_body_at(w, k), &b, NULL) < 0) continue;
        most = fmax(most, hypot(hypot(b.velocity.x, b.velocity.y), b.velocity.z));
    }
    return most;
}

static void sample(const session *s, tru_sim *sim, outcome *out, int k) {
    out->speed = fmax(out->speed, fastest_body(tru_sim_world(sim)));
    for (size_t p = 0; p < s->probe_count; p++) out->values[k][p] = tru_sim_value(sim, p);
    const int order = tru_step_order(tru_sim_world(sim));
    if (order < out->order) out->order = order;
}

static double sample_time(const session *s, int k) {
    return s->coarse * fmax(round(s->until * (k + 1) / SAMPLES / s->coarse), 1.0);
}

/* Samples near until/16, 2 until/16, ..., on the coarse time grid, so that halved steps meet them. */
static tru_status follow(const session *s, tru_sim *sim, outcome *out, tru_error *err) {
    const double step = tru_step_size(tru_sim_world(sim));
    tru_status status = TRU_OK;
    out->order = 99;
    for (int k = 0; status >= 0 && k < SAMPLES; k++) {
        const double wanted = ceil(sample_time(s, k) / step - 1e-6);
        while (status >= 0 && !tru_sim_done(sim) && (double)tru_steps_done(tru_sim_world(sim)) < wanted)
            status = tru_sim_run(sim, (uint64_t)(wanted - (double)tru_steps_done(tru_sim_world(sim))), err);
        if (status >= 0) sample(s, sim, out, k);
    }
    size_t count;
    const tru_event *events = tru_sim_events(sim, &count);
    for (size_t k = 0; k < count; k++) {
        const bool later = events[k].time > 2.0 * step;
        out->impacts = out->impacts || (events[k].kind == TRU_EVENT_TOUCH && later);
        out->switches =
            out->switches || ((events[k].kind == TRU_EVENT_SLIP || events[k].kind == TRU_EVENT_STICK) && later);
    }
    return status;
}

static void work(void *user, size_t job, void *result) {
    session *s = user;
    outcome *out = result;
    const method *m = &s->methods[job / MOST_LEVELS];
    char value[60];
    tru_error err = {0};
    tru_sim *sim = NULL;
    const double begun = now();
    tru_status status = m->change.path ? tru_scene_change(s->scene, m->change.path, m->change.value, &err) : TRU_OK;
    snprintf(value, sizeof value, "%.17g s", ldexp(m->step, -(int)(job % MOST_LEVELS)));
    if (status >= 0) status = tru_scene_change(s->scene, m->step_path, value, &err);
    if (status >= 0) status = tru_sim_create(s->scene, m->stepper, 1, &sim, &err);
    if (status >= 0) status = tru_sim_set_until(sim, s->until, &err);
    if (status >= 0) status = follow(s, sim, out, &err);
    tru_sim_free(sim);
    out->status = status;
    out->seconds = now() - begun;
    memcpy(out->text, err.text, sizeof out->text);
}

static bool gather(void *user, size_t job, const void *result, int died) {
    session *s = user;
    if (result)
        memcpy(&s->outcomes[job], result, sizeof(outcome));
    else {
        s->outcomes[job].status = TRU_NO_SOLUTION;
        snprintf(s->outcomes[job].text, sizeof s->outcomes[job].text, "its process was ended by signal %d", died);
    }
    return true;
}

/* ---- judging ---- */

/* Largest value of a probe over the samples, and largest difference of two runs. */
static double size_of(const outcome *a, size_t probe) {
    double size = 0.0;
    for (int k = 0; k < SAMPLES; k++) size = fmax(size, fabs(a->values[k][probe]));
    return size;
}

static double distance(const outcome *a, const outcome *b, size_t probe) {
    double most = 0.0;
    for (int k = 0; k < SAMPLES; k++) {
        const double x = a->values[k][probe], y = b->values[k][probe];
        if (!(isnan(x) && isnan(y))) most = isnan(x - y) ? INFINITY : fmax(most, fabs(x - y));
    }
    return most;
}

typedef struct judgement {
    double coarse, fine; /* [unit of the probe] differences h - h/2, h/2 - h/4 */
    double observed;     /* [-] order; NaN when the differences are round-off */
    int expected;
    double error; /* [unit of the probe] estimate for the finest run */
    const char *verdict;
    double told; /* [s] of "too coarse to tell": the largest step that shows the order; NaN if none does */
    bool good;
} judgement;

static const double round_off = 1e-11; /* of the largest value: thousands of steps of double arithmetic */

static const double slip_round_off = 1e-13; /* of the fastest body: a slip is a difference of its velocities */

/* [unit of the probe] Differences up to this are round-off. */
static double floor_of(const session *s, const outcome *o, size_t probe) {
    const double own = round_off * size_of(o, probe);
    return s->units[probe] == TRU_UNIT_M_PER_S ? fmax(own, slip_round_off * o->speed) : own;
}

/* From the runs with three steps, each half of the one before; the first is `first` halvings of the scene's. */
static judgement judge_three(const session *s, size_t m, size_t probe, int first) {
    const outcome *o = &s->outcomes[m * MOST_LEVELS + (size_t)first];
    judgement j = {.observed = NAN, .told = NAN};
    j.coarse = distance(&o[0], &o[1], probe);
    j.fine = distance(&o[1], &o[2], probe);
    const double floor_ = floor_of(s, &o[2], probe);
    j.expected = o[2].order > 2 ? 1 : o[2].order;
    if (o[2].impacts) j.expected = 1;
    if (j.coarse <= floor_ && j.fine <= floor_) {
        j.error = floor_;
        j.good = true;
        j.verdict = "exact";
        return j;
    }
    j.observed = log2(j.coarse / fmax(j.fine, 1e-300));
    const double p = fmin(fmax(j.observed, 0.5), j.expected + 1.0);
    j.error = j.fine / (exp2(p) - 1.0) + floor_;
    const double wanted = o[2].switches ? 1.0 : j.expected;
    j.good = j.observed >= wanted - 0.35 || j.fine <= floor_;
    j.verdict = !j.good         ? (j.observed > 0.1 ? "slow" : "does not converge")
                : o[2].switches ? "converges, switches"
                                : "converges";
    return j;
}

/* If only finer steps show the order, the scene's step does not resolve the motion: it is too coarse to tell. A method that
 * could not be tried with finer steps is not judged. */
static judgement judge(const session *s, size_t m, size_t probe) {
    static const char coarse[] = "too coarse to tell";
    judgement j = judge_three(s, m, probe, 0);
    int from = s->methods[m].levels - LEVELS;
    if (j.good) return j;
    if (from == 0 && s->methods[m].cut) j.verdict = coarse;
    if (from == 0 || !judge_three(s, m, probe, from).good) return j;
    while (from > 1 && judge_three(s, m, probe, from - 1).good) from--;
    j.verdict = coarse;
    j.told = ldexp(s->methods[m].step, -from);
    return j;
}

/* "too coarse to tell: converges from 0.25 ms on" */
static void verdict_text(const session *s, size_t m, const judgement *j, char *out, size_t room) {
    if (!isnan(j->told))
        snprintf(out, room, "%s: converges for steps of %.6g s or less", j->verdict, j->told);
    else if (!j->good && s->methods[m].cut)
        snprintf(out, room, "%s: finer steps than %.6g s were not tried", j->verdict,
                 ldexp(s->methods[m].step, 1 - s->methods[m].levels));
    else
        snprintf(out, room, "%s", j->verdict);
}

/* ---- telling ---- */

static bool print_orders(const session *s) {
    static const char *const heads[] = {"probe",     "unit",     "method",   "at the end", "h - h/2",
                                        "h/2 - h/4", "observed", "expected", "verdict"};
    table *t = table_new(heads, 9, "lllrrrrrl");
    char verdict[120];
    bool good = true;
    for (size_t p = 0; p < s->probe_count; p++)
        for (size_t m = 0; m < s->method_count; m++) {
            const judgement j = judge(s, m, p);
            good = good && j.good;
            table_cell(t, "%s", m ? "" : s->probes[p]);
            table_cell(t, "%s", m ? "" : tru_unit_describe(s->units[p]).symbol);
            table_cell(t, "%s", s->methods[m].label);
            table_cell(t, "%.8g", s->outcomes[m * MOST_LEVELS + LEVELS - 1].values[SAMPLES - 1][p]);
            table_cell(t, "%.1e", j.coarse);
            table_cell(t, "%.1e", j.fine);
            if (isnan(j.observed))
                table_cell(t, "-");
            else
                table_cell(t, "%.2f", j.observed);
            verdict_text(s, m, &j, verdict, sizeof verdict);
            table_cell(t, "%d", j.expected);
            table_cell(t, "%s", verdict);
        }
    table_print(t, stdout, 0, 0);
    return good;
}

/* Two methods agree if they differ by at most 3 times the sum of their estimated errors. */
static bool agree(const session *s, size_t a, size_t b, size_t probe, double *difference, double *errors) {
    *difference = distance(&s->outcomes[a * MOST_LEVELS + 2], &s->outcomes[b * MOST_LEVELS + 2], probe);
    *errors = judge(s, a, probe).error + judge(s, b, probe).error;
    return *difference <= 3.0 * *errors;
}

static bool print_agreement(const session *s) {
    static const char *const heads[] = {"probe", "methods", "difference", "their errors", "verdict"};
    bool good = true;
    if (s->method_count < 2) return true;
    fputc('\n', stdout);
    table *t = table_new(heads, 5, "llrrl");
    for (size_t p = 0; p < s->probe_count; p++)
        for (size_t m = 1; m < s->method_count; m++) {
            double difference, errors;
            const bool same = agree(s, 0, m, p, &difference, &errors);
            good = good && same;
            table_cell(t, "%s", s->probes[p]);
            table_cell(t, "%s, %s", s->methods[0].label, s->methods[m].label);
            table_cell(t, "%.1e", difference);
            table_cell(t, "%.1e", errors);
            table_cell(t, "%s", same ? "agree" : "DIFFER");
        }
    table_print(t, stdout, 0, 0);
    return good;
}

static void method_json(tru_json *json, const session *s, size_t m, size_t p, bool *good) {
    const judgement j = judge(s, m, p);
    tru_json_object(json, NULL);
    tru_json_text(json, "method", s->methods[m].label);
    tru_json_number(json, "step", s->methods[m].step);
    tru_json_number(json, "value", s->outcomes[m * MOST_LEVELS + LEVELS - 1].values[SAMPLES - 1][p]);
    tru_json_number(json, "difference_coarse", j.coarse);
    tru_json_number(json, "difference_fine", j.fine);
    tru_json_number(json, "observed_order", j.observed);
    tru_json_integer(json, "expected_order", j.expected);
    tru_json_number(json, "error_estimate", j.error);
    tru_json_text(json, "verdict", j.verdict);
    if (!j.good) tru_json_number(json, "told_from_step", j.told);
    if (m > 0) {
        double difference, errors;
        const bool same = agree(s, 0, m, p, &difference, &errors);
        tru_json_number(json, "difference_to_first", difference);
        tru_json_bool(json, "agrees", same);
        *good = *good && same;
    }
    tru_json_close(json);
    *good = *good && j.good;
}

static int tell_json(const session *s) {
    bool good = true;
    tru_json *json = tru_json_begin();
    tru_json_object(json, NULL);
    tru_json_text(json, "scene", tru_scene_name(s->scene));
    tru_json_number(json, "until", s->until);
    tru_json_array(json, "probes");
    for (size_t p = 0; p < s->probe_count; p++) {
        tru_json_object(json, NULL);
        tru_json_text(json, "probe", s->probes[p]);
        tru_json_text(json, "unit", tru_unit_describe(s->units[p]).symbol);
        tru_json_array(json, "methods");
        for (size_t m = 0; m < s->method_count; m++) method_json(json, s, m, p, &good);
        tru_json_close(json);
        tru_json_close(json);
    }
    tru_json_close(json);
    tru_json_close(json);
    const int code = print_json(json);
    return code == EXIT_GOOD && !good ? EXIT_NUMERICAL : code;
}

static int tell(const session *s) {
    double seconds = 0.0;
    say(stdout, "%s\n", tru_scene_title(s->scene));
    for (size_t m = 0; m < s->method_count; m++) {
        char step[40];
        tru_unit_format(TRU_UNIT_S, s->methods[m].step, step, sizeof step);
        say(stdout, "  %s: steps %s, /2, /4\n", s->methods[m].label, step);
    }
    for (size_t k = 0; k < s->method_count * MOST_LEVELS; k++) seconds += s->outcomes[k].seconds;
    say(stdout, "  differences: the largest over %d times up to %.6g s; %.3g s of computing\n\n", SAMPLES, s->until,
        seconds);
    const bool converge = print_orders(s), same = print_agreement(s);
    return converge && same ? EXIT_GOOD : EXIT_NUMERICAL;
}

/* ---- the report ---- */

static void page_orders(tru_json *page, const session *s) {
    static const char *const heads[] = {"probe",     "unit",     "method",   "at the end", "h - h/2",
                                        "h/2 - h/4", "observed", "expected", "verdict"};
    char verdict[120];
    page_table(page, "Orders of convergence", "Every method at its step, half and a quarter of it.", heads, 9);
    for (size_t p = 0; p < s->probe_count; p++)
        for (size_t m = 0; m < s->method_count; m++) {
            const judgement j = judge(s, m, p);
            tru_json_array(page, NULL);
            page_cell(page, "%s", s->probes[p]);
            page_cell(page, "%s", tru_unit_describe(s->units[p]).symbol);
            page_replay(page, s->methods[m].label, m);
            page_cell(page, "%.8g", s->outcomes[m * MOST_LEVELS + LEVELS - 1].values[SAMPLES - 1][p]);
            page_cell(page, "%.1e", j.coarse);
            page_cell(page, "%.1e", j.fine);
            page_number(page, "%.2f", j.observed);
            page_cell(page, "%d", j.expected);
            verdict_text(s, m, &j, verdict, sizeof verdict);
            page_verdict(page, verdict, j.good ? "good" : isnan(j.told) ? "bad" : "other");
            tru_json_close(page);
        }
    page_table_end(page);
}

static void page_agreement(tru_json *page, const session *s) {
    static const char *const heads[] = {"probe", "methods", "difference", "their errors", "verdict"};
    if (s->method_count < 2) return;
    page_table(page, "Agreement", "The finest runs of two methods, against the sum of their estimated errors.", heads,
               5);
    for (size_t p = 0; p < s->probe_count; p++)
        for (size_t m = 1; m < s->method_count; m++) {
            double difference, errors;
            const bool same = agree(s, 0, m, p, &difference, &errors);
            tru_json_array(page, NULL);
            page_cell(page, "%s", s->probes[p]);
            page_cell(page, "%s, %s", s->methods[0].label, s->methods[m].label);
            page_cell(page, "%.1e", difference);
            page_cell(page, "%.1e", errors);
            page_verdict(page, same ? "agree" : "DIFFER", same ? "good" : "bad");
            tru_json_close(page);
        }
    page_table_end(page);
}

/* Writes curves of every probe: the finest run of every method. */
static void page_curves(tru_json *page, const session *s) {
    for (size_t p = 0; p < s->probe_count; p++) {
        tru_json_object(page, NULL);
        tru_json_text(page, "title", s->probes[p]);
        tru_json_text(page, "unit", tru_unit_describe(s->units[p]).symbol);
        tru_json_text(page, "x", "time [s]");
        tru_json_array(page, "series");
        for (size_t m = 0; m < s->method_count; m++) {
            tru_json_object(page, NULL);
            tru_json_text(page, "name", s->methods[m].label);
            tru_json_array(page, "at");
            for (int k = 0; k < SAMPLES; k++) tru_json_number(page, NULL, sample_time(s, k));
            tru_json_close(page);
            tru_json_array(page, "value");
            for (int k = 0; k < SAMPLES; k++)
                tru_json_number(page, NULL, s->outcomes[m * MOST_LEVELS + LEVELS - 1].values[k][p]);
            tru_json_close(page);
            tru_json_close(page);
        }
        tru_json_close(page);
        tru_json_close(page);
    }
}

/* Tables and curves of what was computed, and a replay of every method at its own step. */
static int write_report(const session *s, int code, const char *path, bool tell_path) {
    tru_report *report = NULL;
    tru_error err;
    if (tru_report_begin(&report, &err) < 0) return complain(&err);
    tru_json *page = page_begin(tru_scene_title(s->scene));
    tru_json_array(page, "text");
    page_cell(page, "%zu methods up to %.6g s; differences are the largest over %d times.", s->method_count, s->until,
              SAMPLES);
    tru_json_close(page);
    tru_json_array(page, "tables");
    page_orders(page, s);
    page_agreement(page, s);
    tru_json_close(page);
    tru_json_array(page, "curves");
    page_curves(page, s);
    tru_json_close(page);
    tru_json_array(page, "maps");
    tru_json_close(page);
    tru_json_close(page);
    for (size_t m = 0; m < s->method_count; m++) {
        const method *way = &s->methods[m];
        tru_scene *scene = NULL;
        tru_status status = tru_scene_copy(s->scene, &scene, &err);
        if (status >= 0 && way->change.path)
            status = tru_scene_change(scene, way->change.path, way->change.value, &err);
        if (status >= 0) status = report_add_scene(report, scene, way->stepper, s->until, way->label, &err);
        tru_scene_free(scene);
        if (status < 0) code = complain(&err);
    }
    return report_finish(report, page, code, path, tell_path);
}

/* ---- the command ---- */

/* The step of a stepper block: "steppers.moreau.step", or "steppers.mine.moreau.step" in a block with its own name. */
static int read_step(session *s, method *m) {
    tru_error err;
    m->step_path = need_text("steppers.%s.step", m->stepper);
    for (size_t k = 0; tru_scene_number(s->scene, m->step_path, &m->step, NULL, &err) < 0; k++) {
        if (!tru_stepper_at(k)) return complain(&err);
        free(m->step_path);
        m->step_path = need_text("steppers.%s.%s.step", m->stepper, tru_stepper_at(k)->name);
    }
    return EXIT_GOOD;
}

/* Adds a change as a method: it applies to the block that it names, otherwise to the first. */
static method read_variant(const session *s, size_t blocks, const char *text) {
    char *path = need_text("%s", text);
    char *equals = strchr(path, '=');
    *equals = '\0';
    const char *stepper = s->methods[0].stepper;
    for (size_t i = 0; i < blocks; i++) {
        const size_t n = strlen(s->methods[i].stepper);
        if (strncmp(path, "steppers.", 9) == 0 && strncmp(path + 9, s->methods[i].stepper, n) == 0 &&
            path[9 + n] == '.')
            stepper = s->methods[i].stepper;
    }
    return (method){.label = need_text("%s", text), .stepper = need_text("%s", stepper), .change = {path, equals + 1}};
}

/* Every block, and every --variant. */
static int find_methods(session *s, const args *a) {
    int code = EXIT_GOOD;
    for (size_t k = 0; tru_scene_stepper(s->scene, k) && s->method_count < METHODS; k++) {
        const char *name = tru_scene_stepper(s->scene, k);
        s->methods[s->method_count++] = (method){.label = need_text("%s", name), .stepper = need_text("%s", name)};
    }
    const size_t blocks = s->method_count;
    for (size_t k = 0; k < args_times(a, "variant") && s->method_count < METHODS; k++)
        s->methods[s->method_count++] = read_variant(s, blocks, args_nth(a, "variant", k));
    for (size_t m = 0; code == EXIT_GOOD && m < s->method_count; m++) {
        code = read_step(s, &s->methods[m]);
        s->coarse = fmax(s->coarse, s->methods[m].step);
    }
    return code;
}

static int find_probes(session *s) {
    tru_sim *sim = NULL;
    tru_error err;
    const tru_plan *plan = tru_scene_plan(s->scene);
    if (s->until <= 0.0) s->until = plan->until;
    s->probe_count = plan->probe_count < PROBES ? plan->probe_count : PROBES;
    for (size_t p = 0; p < s->probe_count; p++) s->probes[p] = need_text("%s", plan->probe_names[p]);
    if (s->probe_count == 0) {
        say(stderr, "trundle compare: %s records no probes; add some to record: {probes: [...]}\n",
            tru_scene_name(s->scene));
        return EXIT_INPUT;
    }
    if (tru_sim_create(s->scene, NULL, 1, &sim, &err) < 0) return complain(&err);
    tru_status status = TRU_OK;
    s->bodies = tru_body_count(tru_sim_world(sim));
    for (size_t p = 0; status >= 0 && p < s->probe_count; p++) {
        size_t index;
        status = tru_sim_probe(sim, s->probes[p], &index, &s->units[p], &err);
    }
    tru_sim_free(sim);
    return status < 0 ? complain(&err) : EXIT_GOOD;
}

/* Runs the jobs method x level; false: processes cannot be started. */
static bool run_jobs(session *s, const size_t *jobs, size_t count) {
    const pool_plan plan = {.jobs = jobs,
                            .count = count,
                            .workers = pool_processors(),
                            .fresh = true, /* a variant must not stay in the scene of the next run */
                            .result_size = sizeof(outcome),
                            .work = work,
                            .done = gather,
                            .user = s};
    return pool_run(&plan);
}

static bool is_told(const session *s, size_t m) {
    for (size_t p = 0; p < s->probe_count; p++) {
        const judgement j = judge(s, m, p);
        if (!j.good && isnan(j.told)) return false;
    }
    return true;
}

/* Halves the step once more for every method with a probe that does not show its order. */
static int run_finer(session *s) {
    size_t jobs[METHODS], count = 0;
    for (size_t m = 0; m < s->method_count; m++) {
        method *way = &s->methods[m];
        const double steps = s->until / ldexp(way->step, -way->levels);
        if (way->levels == MOST_LEVELS || way->cut || is_told(s, m)) continue;
        way->cut = steps * (double)s->bodies > most_work;
        if (!way->cut) jobs[count++] = m * MOST_LEVELS + (size_t)way->levels;
    }
    if (count == 0) return 0;
    if (!run_jobs(s, jobs, count)) return -1;
    for (size_t k = 0; k < count; k++) {
        method *way = &s->methods[jobs[k] / MOST_LEVELS];
        if (s->outcomes[jobs[k]].status >= 0)
            way->levels++;
        else
            way->cut = true;
    }
    return 1;
}

static int run_all(session *s) {
    const size_t count = s->method_count * LEVELS;
    size_t *jobs = need(count, sizeof *jobs);
    s->outcomes = need(s->method_count * MOST_LEVELS, sizeof *s->outcomes);
    int code = EXIT_GOOD, more = 1;
    for (size_t k = 0; k < count; k++) jobs[k] = k / LEVELS * MOST_LEVELS + k % LEVELS;
    for (size_t m = 0; m < s->method_count; m++) s->methods[m].levels = LEVELS;
    if (!run_jobs(s, jobs, count)) code = EXIT_SYSTEM;
    for (size_t k = 0; code == EXIT_GOOD && k < count; k++) {
        if (s->outcomes[jobs[k]].status >= 0) continue;
        say(stderr, "trundle compare: %s: %s\n", s->methods[k / LEVELS].label, s->outcomes[jobs[k]].text);
        code = exit_code_of(s->outcomes[jobs[k]].status);
    }
    while (code == EXIT_GOOD && more > 0) more = run_finer(s);
    free(jobs);
    return more < 0 ? EXIT_SYSTEM : code;
}

int cmd_compare(const args *a) {
    session s = {.until = args_number(a, "until", -1.0)};
    int code;
    s.scene = scene_open(a, &code);
    if (code == EXIT_GOOD) code = find_probes(&s);
    if (code == EXIT_GOOD) code = find_methods(&s, a);
    if (code == EXIT_GOOD) code = run_all(&s);
    const bool ran = code == EXIT_GOOD;
    if (ran) code = args_flag(a, "json") ? tell_json(&s) : tell(&s);
    if (ran && args_text(a, "report")) code = write_report(&s, code, args_text(a, "report"), !args_flag(a, "json"));
    for (size_t m = 0; m < s.method_count; m++) {
        free(s.methods[m].label);
        free(s.methods[m].stepper);
        free(s.methods[m].step_path);
        free((void *)s.methods[m].change.path);
    }
    for (size_t p = 0; p < s.probe_count; p++) free(s.probes[p]);
    free(s.outcomes);
    tru_scene_free(s.scene);
    return code;
}
