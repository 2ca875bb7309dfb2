/* cmd_compare.c: "trundle compare": one scene by every stepper block, at three steps; differences and orders. */
#include "cli/app.h"
#include "draw/report.h"
#include "text/table.h"

#include <trundle/study.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- telling ---- */

/* "too coarse to tell: converges from 0.25 ms on" */
static void verdict_text(const tru_method *m, const tru_order *j, char *out, size_t room) {
    const char *word = tru_convergence_name(j->verdict);
    if (!isnan(j->told))
        snprintf(out, room, "%s: converges for steps of %.6g s or less", word, j->told);
    else if (!j->good && m->cut)
        snprintf(out, room, "%s: finer steps than %.6g s were not tried", word, ldexp(m->step, 1 - m->levels));
    else
        snprintf(out, room, "%s", word);
}

/* Judgements of a comparison that has run; they cannot fail. */
static tru_order order_of(const tru_compare *c, size_t m, size_t p) {
    tru_order order = {0};
    tru_compare_order(c, m, p, &order, NULL);
    return order;
}

static tru_agreement agreement_with_first(const tru_compare *c, size_t m, size_t p) {
    tru_agreement agreement = {0};
    tru_compare_agreement(c, 0, m, p, &agreement, NULL);
    return agreement;
}

/* Returns the value [unit of the probe] at the end of the run with a quarter of the step. */
static double last_value(const tru_compare *c, size_t m, size_t p) {
    double values[TRU_COMPARE_SAMPLES] = {0.0};
    tru_compare_values(c, m, TRU_COMPARE_LEVELS - 1, p, values, NULL);
    return values[TRU_COMPARE_SAMPLES - 1];
}

static bool print_orders(const tru_compare *c) {
    const tru_compare_info *s = tru_compare_describe(c);
    static const char *const heads[] = {"probe",     "unit",     "method",   "at the end", "h - h/2",
                                        "h/2 - h/4", "observed", "expected", "verdict"};
    table *t = table_new(heads, 9, "lllrrrrrl");
    char verdict[120];
    bool good = true;
    for (size_t p = 0; p < s->probe_count; p++)
        for (size_t m = 0; m < s->method_count; m++) {
            const tru_order j = order_of(c, m, p);
            good = good && j.good;
            table_cell(t, "%s", m ? "" : s->probes[p]);
            table_cell(t, "%s", m ? "" : tru_unit_describe(s->units[p]).symbol);
            table_cell(t, "%s", s->methods[m].label);
            table_cell(t, "%.8g", last_value(c, m, p));
            table_cell(t, "%.1e", j.coarse);
            table_cell(t, "%.1e", j.fine);
            if (isnan(j.observed))
                table_cell(t, "-");
            else
                table_cell(t, "%.2f", j.observed);
            verdict_text(&s->methods[m], &j, verdict, sizeof verdict);
            table_cell(t, "%d", j.expected);
            table_cell(t, "%s", verdict);
        }
    table_print(t, stdout, 0, 0);
    return good;
}

static bool print_agreement(const tru_compare *c) {
    const tru_compare_info *s = tru_compare_describe(c);
    static const char *const heads[] = {"probe", "methods", "difference", "their errors", "verdict"};
    bool good = true;
    if (s->method_count < 2) return true;
    fputc('\n', stdout);
    table *t = table_new(heads, 5, "llrrl");
    for (size_t p = 0; p < s->probe_count; p++)
        for (size_t m = 1; m < s->method_count; m++) {
            const tru_agreement both = agreement_with_first(c, m, p);
            good = good && both.agree;
            table_cell(t, "%s", s->probes[p]);
            table_cell(t, "%s, %s", s->methods[0].label, s->methods[m].label);
            table_cell(t, "%.1e", both.difference);
            table_cell(t, "%.1e", both.errors);
            table_cell(t, "%s", both.agree ? "agree" : "DIFFER");
        }
    table_print(t, stdout, 0, 0);
    return good;
}

static void method_json(tru_json *json, const tru_compare *c, size_t m, size_t p, bool *good) {
    const tru_method *way = &tru_compare_describe(c)->methods[m];
    const tru_order j = order_of(c, m, p);
    tru_json_object(json, NULL);
    tru_json_text(json, "method", way->label);
    tru_json_number(json, "step", way->step);
    tru_json_number(json, "value", last_value(c, m, p));
    tru_json_number(json, "difference_coarse", j.coarse);
    tru_json_number(json, "difference_fine", j.fine);
    tru_json_number(json, "observed_order", j.observed);
    tru_json_integer(json, "expected_order", j.expected);
    tru_json_number(json, "error_estimate", j.error);
    tru_json_text(json, "verdict", tru_convergence_name(j.verdict));
    if (!j.good) tru_json_number(json, "told_from_step", j.told);
    if (m > 0) {
        const tru_agreement both = agreement_with_first(c, m, p);
        tru_json_number(json, "difference_to_first", both.difference);
        tru_json_bool(json, "agrees", both.agree);
        *good = *good && both.agree;
    }
    tru_json_close(json);
    *good = *good && j.good;
}

static int tell_json(const tru_scene *scene, const tru_compare *c) {
    const tru_compare_info *s = tru_compare_describe(c);
    bool good = true;
    tru_json *json = tru_json_begin();
    tru_json_object(json, NULL);
    tru_json_text(json, "scene", tru_scene_name(scene));
    tru_json_number(json, "until", s->until);
    tru_json_array(json, "probes");
    for (size_t p = 0; p < s->probe_count; p++) {
        tru_json_object(json, NULL);
        tru_json_text(json, "probe", s->probes[p]);
        tru_json_text(json, "unit", tru_unit_describe(s->units[p]).symbol);
        tru_json_array(json, "methods");
        for (size_t m = 0; m < s->method_count; m++) method_json(json, c, m, p, &good);
        tru_json_close(json);
        tru_json_close(json);
    }
    tru_json_close(json);
    tru_json_close(json);
    const int code = print_json(json);
    return code == EXIT_GOOD && !good ? EXIT_NUMERICAL : code;
}

static int tell(const tru_scene *scene, const tru_compare *c) {
    const tru_compare_info *s = tru_compare_describe(c);
    say(stdout, "%s\n", tru_scene_title(scene));
    for (size_t m = 0; m < s->method_count; m++) {
        char step[40];
        tru_unit_format(TRU_UNIT_S, s->methods[m].step, step, sizeof step);
        say(stdout, "  %s: steps %s, /2, /4\n", s->methods[m].label, step);
    }
    say(stdout, "  differences: the largest over %d times up to %.6g s; %.3g s of computing\n\n", TRU_COMPARE_SAMPLES,
        s->until, s->seconds);
    const bool converge = print_orders(c), same = print_agreement(c);
    return converge && same ? EXIT_GOOD : EXIT_NUMERICAL;
}

/* ---- the report ---- */

static void page_orders(tru_json *page, const tru_compare *c) {
    const tru_compare_info *s = tru_compare_describe(c);
    static const char *const heads[] = {"probe",     "unit",     "method",   "at the end", "h - h/2",
                                        "h/2 - h/4", "observed", "expected", "verdict"};
    char verdict[120];
    page_table(page, "Orders of convergence", "Every method at its step, half and a quarter of it.", heads, 9);
    for (size_t p = 0; p < s->probe_count; p++)
        for (size_t m = 0; m < s->method_count; m++) {
            const tru_order j = order_of(c, m, p);
            tru_json_array(page, NULL);
            page_cell(page, "%s", s->probes[p]);
            page_cell(page, "%s", tru_unit_describe(s->units[p]).symbol);
            page_replay(page, s->methods[m].label, m);
            page_cell(page, "%.8g", last_value(c, m, p));
            page_cell(page, "%.1e", j.coarse);
            page_cell(page, "%.1e", j.fine);
            page_number(page, "%.2f", j.observed);
            page_cell(page, "%d", j.expected);
            verdict_text(&s->methods[m], &j, verdict, sizeof verdict);
            page_verdict(page, verdict, j.good ? "good" : isnan(j.told) ? "bad" : "other");
            tru_json_close(page);
        }
    page_table_end(page);
}

static void page_agreement(tru_json *page, const tru_compare *c) {
    const tru_compare_info *s = tru_compare_describe(c);
    static const char *const heads[] = {"probe", "methods", "difference", "their errors", "verdict"};
    if (s->method_count < 2) return;
    page_table(page, "Agreement", "The finest runs of two methods, against the sum of their estimated errors.", heads,
               5);
    for (size_t p = 0; p < s->probe_count; p++)
        for (size_t m = 1; m < s->method_count; m++) {
            const tru_agreement both = agreement_with_first(c, m, p);
            tru_json_array(page, NULL);
            page_cell(page, "%s", s->probes[p]);
            page_cell(page, "%s, %s", s->methods[0].label, s->methods[m].label);
            page_cell(page, "%.1e", both.difference);
            page_cell(page, "%.1e", both.errors);
            page_verdict(page, both.agree ? "agree" : "DIFFER", both.agree ? "good" : "bad");
            tru_json_close(page);
        }
    page_table_end(page);
}

/* Writes curves of every probe: the finest run of every method. */
static void page_curves(tru_json *page, const tru_compare *c) {
    const tru_compare_info *s = tru_compare_describe(c);
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
            for (int k = 0; k < TRU_COMPARE_SAMPLES; k++) tru_json_number(page, NULL, s->times[k]);
            tru_json_close(page);
            tru_json_array(page, "value");
            double values[TRU_COMPARE_SAMPLES] = {0.0};
            tru_compare_values(c, m, TRU_COMPARE_LEVELS - 1, p, values, NULL);
            for (int k = 0; k < TRU_COMPARE_SAMPLES; k++) tru_json_number(page, NULL, values[k]);
            tru_json_close(page);
            tru_json_close(page);
        }
        tru_json_close(page);
        tru_json_close(page);
    }
}

/* Tables and curves of what was computed, and a replay of every method at its own step. */
static int write_report(const tru_scene *given, const tru_compare *c, int code, const char *path, bool tell_path) {
    const tru_compare_info *s = tru_compare_describe(c);
    tru_report *report = NULL;
    tru_error err;
    if (tru_report_begin(&report, &err) < 0) return complain(&err);
    tru_json *page = page_begin(tru_scene_title(given));
    tru_json_array(page, "text");
    page_cell(page, "%zu methods up to %.6g s; differences are the largest over %d times.", s->method_count, s->until,
              TRU_COMPARE_SAMPLES);
    tru_json_close(page);
    tru_json_array(page, "tables");
    page_orders(page, c);
    page_agreement(page, c);
    tru_json_close(page);
    tru_json_array(page, "curves");
    page_curves(page, c);
    tru_json_close(page);
    tru_json_array(page, "maps");
    tru_json_close(page);
    tru_json_close(page);
    for (size_t m = 0; m < s->method_count; m++) {
        const tru_method *way = &s->methods[m];
        tru_scene *scene = NULL;
        tru_status status = tru_scene_copy(given, &scene, &err);
        if (status >= 0 && way->change.path)
            status = tru_scene_change(scene, way->change.path, way->change.value, &err);
        if (status >= 0) status = report_add_scene(report, scene, way->stepper, s->until, way->label, &err);
        tru_scene_free(scene);
        if (status < 0) code = complain(&err);
    }
    return report_finish(report, page, code, path, tell_path);
}

/* ---- the command ---- */

/* Prints a sentence about the comparison, not about its scene. Returns the exit code. */
static int refuse(const tru_error *err) {
    say(stderr, "trundle compare: %s\n", err->text);
    return exit_code_of(err->status);
}

/* Cuts "path=value" at its first equal sign, which the option table has checked. The caller frees the path. */
static tru_set read_variant(const char *text) {
    char *path = need_text("%s", text), *equals = strchr(path, '=');
    *equals = '\0';
    return (tru_set){path, equals + 1};
}

static int create(const tru_scene *scene, const args *a, tru_compare **out) {
    const size_t count = args_times(a, "variant");
    tru_set *variants = need(count, sizeof *variants);
    tru_error err;
    for (size_t k = 0; k < count; k++) variants[k] = read_variant(args_nth(a, "variant", k));
    const tru_compare_def def = {args_number(a, "until", -1.0), variants, count};
    const tru_status status = tru_compare_create(scene, &def, out, &err);
    for (size_t k = 0; k < count; k++) free((void *)variants[k].path);
    free(variants);
    if (status == TRU_REFUSED && tru_scene_plan(scene)->probe_count == 0) return refuse(&err);
    return status < 0 ? complain(&err) : EXIT_GOOD;
}

static int run(tru_compare *c) {
    const tru_study_how how = {.processes = processors()};
    tru_error err;
    return tru_compare_run(c, &how, &err) < 0 ? refuse(&err) : EXIT_GOOD;
}

int cmd_compare(const args *a) {
    tru_compare *c = NULL;
    int code;
    tru_scene *scene = scene_open(a, &code);
    if (code == EXIT_GOOD) code = create(scene, a, &c);
    if (code == EXIT_GOOD) code = run(c);
    const bool ran = code == EXIT_GOOD;
    if (ran) code = args_flag(a, "json") ? tell_json(scene, c) : tell(scene, c);
    if (ran && args_text(a, "report"))
        code = write_report(scene, c, code, args_text(a, "report"), !args_flag(a, "json"));
    tru_compare_free(c);
    tru_scene_free(scene);
    return code;
}
