/* cmd_papers.c: "trundle papers": recomputes published numbers from scenes and says which hold. */
#include "cli/app.h"
#include "limit/limit_survey.h"
#include "papers/papers_session.h"
#include "cli/pool.h"
#include "text/table.h"
#include "papers/papers_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one run, in a worker ---- */

static bool same_dimension(tru_unit_info a, tru_unit unit) {
    const tru_unit_info b = tru_unit_describe(unit);
    return unit == TRU_UNIT_MISSING || (a.kg == b.kg && a.m == b.m && a.s == b.s);
}

static tru_status begin_all(papers *all, size_t run, tru_sim *sim, measuring *m, bool *every_step, tru_error *err) {
    size_t n = 0;
    for (size_t k = 0; k < all->row_count; k++) {
        paper_row *row = &all->rows[k];
        if (row->run != run) continue;
        if (measuring_begin(&m[n], &row->measure, sim, err) < 0) {
            char sentence[sizeof err->text];
            memcpy(sentence, err->text, sizeof sentence);
            return entry_fail(row->node, err->status, err, "row %s: %.300s", row->id, sentence);
        }
        if (!same_dimension(row->powers, m[n].unit) && !row->bisect)
            return entry_fail(row->node, TRU_BAD_ARGUMENT, err, "row %s: the measure is in %s, not in %s", row->id,
                              tru_unit_describe(m[n].unit).symbol, row->unit);
        *every_step = *every_step || measuring_every_step(&row->measure);
        n++;
    }
    return TRU_OK;
}

static void see(tru_sim *sim, measuring *m, size_t count, papers_trace *trace) {
    for (size_t k = 0; k < count; k++) measuring_step(&m[k], sim);
    trace_step(trace, sim);
}

static tru_status advance(tru_sim *sim, measuring *m, size_t count, bool every_step, papers_trace *trace,
                          tru_error *err) {
    tru_status status = TRU_OK;
    if (every_step) see(sim, m, count, trace);
    while (status >= 0 && !tru_sim_done(sim)) {
        status = tru_sim_run(sim, every_step ? 1 : 100000, err);
        if (every_step) see(sim, m, count, trace);
    }
    return status;
}

static tru_status open_run(const paper_row *row, tru_scene **scene, tru_sim **sim, tru_error *err) {
    char *path = scene_path(row->scene);
    tru_status status = tru_scene_read(path, row->sets, row->set_count, scene, err);
    free(path);
    if (status >= 0) status = tru_sim_create(*scene, row->stepper, 1, sim, err);
    if (status >= 0 && !isnan(row->until)) status = tru_sim_set_until(*sim, row->until, err);
    return status;
}

/* Runs the scene once for all rows of the run. */
static tru_status measure_run(papers *all, size_t run, bool curves, outcome *out, tru_error *err) {
    const size_t count = all->runs[run].rows;
    papers_trace trace = {0};
    tru_scene *scene = NULL;
    tru_sim *sim = NULL;
    measuring *m = need(count, sizeof *m);
    bool every_step = false;
    tru_status status = open_run(&all->rows[all->runs[run].first], &scene, &sim, err);
    if (status >= 0) status = begin_all(all, run, sim, m, &every_step, err);
    if (status >= 0 && curves) status = trace_begin(&trace, all, run, sim, err);
    if (status >= 0) status = advance(sim, m, count, every_step || trace.probes > 0, &trace, err);
    if (status >= 0)
        for (size_t k = 0; k < count; k++) out->value[k] = measuring_end(&m[k], sim);
    if (scene) out->scene_hash = tru_scene_hash(scene);
    trace_end(&trace, out);
    free(m);
    tru_sim_free(sim);
    tru_scene_free(scene);
    return status;
}

/* Finds by bisection, to round-off, where the measure of a row changes between two values of a number of the scene. */
static tru_status bisect_run(papers *all, size_t run, outcome *out, tru_error *err) {
    paper_row *row = &all->rows[all->runs[run].first];
    const tru_set *sets = row->sets;
    tru_set *more = need(row->set_count + 1, sizeof *more);
    char text[80];
    double low = row->low, high = row->high, first = NAN;
    tru_status status = TRU_OK;
    memcpy(more, sets, row->set_count * sizeof *more);
    more[row->set_count] = (tru_set){row->bisect, text};
    row->sets = more; /* of this process only */
    row->set_count++;
    for (int k = 0; status >= 0 && k < 62; k++) {
        const double middle = k == 0 ? low : k == 1 ? high : 0.5 * (low + high);
        snprintf(text, sizeof text, "%.17g%s%s", middle, strcmp(row->unit, "-") == 0 ? "" : " ",
                 strcmp(row->unit, "-") == 0 ? "" : row->unit);
        status = measure_run(all, run, false, out, err);
        if (status < 0) break;
        if (k == 0) first = out->value[0];
        if (k == 1 && out->value[0] == first)
            status = entry_fail(row->node, TRU_NO_SOLUTION, err,
                                "row %s: the measure is %.6g at both ends, must differ", row->id, first);
        if (k > 1) *(out->value[0] == first ? &low : &high) = middle;
    }
    row->sets = (tru_set *)sets;
    row->set_count--;
    free(more);
    out->value[0] = row->scale * 0.5 * (low + high);
    return status;
}

/* Computes the mean over seeds. The last seed is 1; its run has the curves. */
static tru_status seeds_run(papers *all, size_t run, bool curves, outcome *out, tru_error *err) {
    paper_row *row = &all->rows[all->runs[run].first];
    const int seeds = row->seeds;
    tru_set *sets = row->sets, *more = need(row->set_count + 1, sizeof *more);
    double sum[MOST_ROWS] = {0.0};
    char text[20];
    tru_status status = TRU_OK;
    memcpy(more, sets, row->set_count * sizeof *more);
    more[row->set_count++] = (tru_set){"parameters.seed", text};
    row->sets = more; /* of this process only */
    for (int seed = seeds; status >= 0 && seed >= 1; seed--) {
        snprintf(text, sizeof text, "%d", seed);
        status = measure_run(all, run, curves && seed == 1, out, err);
        for (size_t k = 0; k < all->runs[run].rows; k++) sum[k] += out->value[k];
    }
    for (size_t k = 0; k < all->runs[run].rows; k++) out->value[k] = sum[k] / seeds;
    row->sets = sets;
    row->set_count--;
    free(more);
    return status;
}

static void survey_run(const papers *all, size_t run, outcome *out) {
    const paper_row *first = &all->rows[all->runs[run].first];
    double values[SURVEY_VALUES];
    size_t n = 0;
    limit_survey(first->survey_states, first->survey_seed, values);
    for (size_t k = 0; k < all->row_count; k++)
        if (all->rows[k].run == run) out->value[n++] = values[all->rows[k].survey_take];
}

static void work(void *user, size_t run, void *result) {
    session *s = user;
    outcome *out = result;
    tru_error err = {0};
    const paper_row *row = &s->papers.rows[s->papers.runs[run].first];
    const double begun = now();
    out->status = TRU_OK;
    if (row->survey_states > 0)
        survey_run(&s->papers, run, out);
    else if (row->bisect)
        out->status = bisect_run(&s->papers, run, out, &err);
    else if (row->seeds > 0)
        out->status = seeds_run(&s->papers, run, s->curves, out, &err);
    else
        out->status = measure_run(&s->papers, run, s->curves, out, &err);
    out->seconds = now() - begun;
    memcpy(out->text, err.text, sizeof out->text);
}

/* ---- gathering, in the parent ---- */

static void show(session *s) {
    if (terminal_width(stderr) > 0) fprintf(stderr, "\r%zu of %zu runs\033[K", s->finished, s->papers.run_count);
}

static bool gather(void *user, size_t run, const void *result, int died) {
    session *s = user;
    outcome *out = &s->outcomes[run];
    if (result)
        memcpy(out, result, sizeof *out);
    else {
        out->status = TRU_NO_SOLUTION;
        snprintf(out->text, sizeof out->text, "the process of this run was ended by signal %d", died);
    }
    s->finished++;
    show(s);
    return true;
}

/* ---- the table ---- */

static int print_table(const session *s) {
    static const char *const heads[] = {"row", "published", "ours", "target", "tolerance", "unit", "verdict", "what"};
    table *t = table_new(heads, 8, "lrrrrlll");
    size_t failed = 0, skipped = 0;
    double seconds = 0.0;
    for (size_t k = 0; k < s->papers.row_count; k++) {
        const paper_row *row = &s->papers.rows[k];
        const verdict v = papers_judge(s, k);
        table_cell(t, "%s/%s", row->paper, row->id);
        if (isnan(row->published))
            table_cell(t, "-");
        else
            table_cell(t, "%.10g", row->published);
        table_cell(t, "%.10g", v.ours);
        table_cell(t, "%.10g", row->target);
        table_cell(t, "%.2g", v.tolerance);
        table_cell(t, "%s", row->unit);
        table_cell(t, "%s%s", v.word, row->erratum ? " *" : "");
        table_cell(t, "%s", row->what);
        failed += strcmp(v.word, "fail") == 0;
        skipped += row->skipped;
    }
    table_print(t, stdout, terminal_width(stdout), 0);
    for (size_t k = 0; k < s->papers.row_count; k++) {
        const paper_row *row = &s->papers.rows[k];
        if (row->erratum) say(stdout, "* %s/%s: %s\n", row->paper, row->id, row->erratum);
        if (row->skipped)
            say(stdout, "%s/%s needs %s, which this build does not have\n", row->paper, row->id, row->needs);
    }
    for (size_t r = 0; r < s->papers.run_count; r++) {
        seconds += s->outcomes[r].seconds;
        if (s->outcomes[r].status < 0)
            say(stderr, "trundle: %s: %s\n",
                s->papers.rows[s->papers.runs[r].first].scene ? s->papers.rows[s->papers.runs[r].first].scene
                                                              : "survey",
                s->outcomes[r].text);
    }
    say(stdout, "%zu of %zu rows hold", s->papers.row_count - failed - skipped, s->papers.row_count);
    if (skipped) say(stdout, ", %zu skipped", skipped);
    say(stdout, "; %zu runs, %.2f s of computing\n", s->papers.run_count, seconds);
    return failed ? EXIT_NUMERICAL : EXIT_GOOD;
}

static void row_json(tru_json *json, const paper_row *row, const verdict *v) {
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)(v->run ? v->run->scene_hash : 0));
    tru_json_object(json, NULL);
    tru_json_text(json, "paper", row->paper);
    tru_json_text(json, "id", row->id);
    tru_json_text(json, "what", row->what);
    tru_json_number(json, "published", row->published);
    tru_json_number(json, "ours", v->ours);
    tru_json_number(json, "target", row->target);
    tru_json_number(json, "tolerance", v->tolerance);
    tru_json_text(json, "unit", row->unit);
    tru_json_text(json, "verdict", v->word);
    tru_json_text(json, "erratum", row->erratum);
    tru_json_text(json, "source", row->source);
    tru_json_text(json, "scene", row->scene);
    tru_json_text(json, "scene_hash", v->run ? hash : NULL);
    tru_json_number(json, "seconds", v->run ? v->run->seconds : 0.0);
    if (v->run && v->run->status < 0) tru_json_text(json, "why", v->run->text);
    if (!v->run) tru_json_text(json, "why", row->needs);
    tru_json_close(json);
}

static int print_rows_json(const session *s) {
    bool failed = false;
    tru_json *json = tru_json_begin();
    tru_json_object(json, NULL);
    tru_json_array(json, "rows");
    for (size_t k = 0; k < s->papers.row_count; k++) {
        const verdict v = papers_judge(s, k);
        failed = failed || strcmp(v.word, "fail") == 0;
        row_json(json, &s->papers.rows[k], &v);
    }
    tru_json_close(json);
    tru_json_close(json);
    int code = print_json(json);
    return code == EXIT_GOOD && failed ? EXIT_NUMERICAL : code;
}

/* ---- the command ---- */

static int unknown_paper(const char *name, char **names, size_t count) {
    const char *near = tru_nearest_name(name, (const char *const *)names, count);
    say(stderr, "trundle papers: unknown paper '%s'%s%s (trundle list papers)\n", name, near ? "; the nearest is " : "",
        near ? near : "");
    return EXIT_USAGE;
}

/* Finds a paper by name, or a file. */
static int read_paper(session *s, const char *name, bool asked, char **names, size_t count) {
    tru_error err;
    char *relative = need_text("papers/%s.yaml", name);
    char *path = strchr(name, '/') || strstr(name, ".yaml") ? need_text("%s", name) : data_path(relative);
    int code = EXIT_GOOD;
    if (!path)
        code = unknown_paper(name, names, count);
    else if (papers_read(&s->papers, path, name, asked, &err) < 0)
        code = complain(&err);
    free(path);
    free(relative);
    return code;
}

static int read_papers(session *s, const args *a) {
    char **names;
    const size_t count = data_names("papers", &names);
    int code = EXIT_GOOD;
    for (size_t k = 0; code == EXIT_GOOD && k < a->operand_count; k++)
        code = read_paper(s, a->operands[k], true, names, count);
    for (size_t k = 0; code == EXIT_GOOD && a->operand_count == 0 && k < count; k++)
        code = read_paper(s, names[k], false, names, count);
    names_free(names, count);
    return code;
}

static int run_all(session *s, size_t jobs) {
    size_t *order = need(s->papers.run_count, sizeof *order);
    for (size_t r = 0; r < s->papers.run_count; r++) {
        order[r] = r;
        if (s->papers.runs[r].rows <= MOST_ROWS) continue;
        say(stderr, "trundle papers: more than %d rows share a run\n", MOST_ROWS);
        return EXIT_INPUT;
    }
    s->outcomes = need(s->papers.run_count, sizeof *s->outcomes);
    const pool_plan plan = {.jobs = order,
                            .count = s->papers.run_count,
                            .workers = jobs,
                            .result_size = sizeof(outcome),
                            .work = work,
                            .done = gather,
                            .user = s};
    bool good = pool_run(&plan);
    if (terminal_width(stderr) > 0) fputs("\r\033[K", stderr);
    free(order);
    return good ? EXIT_GOOD : EXIT_SYSTEM;
}

int cmd_papers(const args *a) {
    session s = {.curves = args_text(a, "report") != NULL};
    int code = read_papers(&s, a);
    if (code == EXIT_GOOD) {
        papers_group(&s.papers);
        code = run_all(&s, (size_t)args_number(a, "jobs", (double)pool_processors()));
    }
    const bool ran = code == EXIT_GOOD;
    if (ran) code = args_flag(a, "json") ? print_rows_json(&s) : print_table(&s);
    if (ran && args_text(a, "report")) code = papers_report(&s, code, args_text(a, "report"), !args_flag(a, "json"));
    free(s.outcomes);
    papers_free(&s.papers);
    return code;
}
