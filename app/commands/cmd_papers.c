/* cmd_papers.c: "trundle papers": recomputes published numbers from scenes and says which hold. */
#include "cli/app.h"
#include "papers/papers_report.h"
#include "papers/papers_session.h"
#include "text/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

static int print_table(const session *s) {
    static const char *const heads[] = {"row", "published", "ours", "target", "tolerance", "unit", "verdict", "what"};
    table *t = table_new(heads, 8, "lrrrrlll");
    size_t failed = 0, skipped = 0;
    double seconds = 0.0;
    for (size_t k = 0; k < s->row_count; k++) {
        const tru_paper_row *row = &s->rows[k];
        table_cell(t, "%s/%s", row->paper, row->id);
        if (isnan(row->published))
            table_cell(t, "-");
        else
            table_cell(t, "%.10g", row->published);
        table_cell(t, "%.10g", row->found);
        table_cell(t, "%.10g", row->target);
        table_cell(t, "%.2g", row->tolerance);
        table_cell(t, "%s", row->unit);
        table_cell(t, "%s%s", papers_word(row), row->erratum ? " *" : "");
        table_cell(t, "%s", row->what);
        failed += row->verdict == TRU_PAPER_FAILS;
        skipped += row->verdict == TRU_PAPER_SKIPPED;
    }
    table_print(t, stdout, terminal_width(stdout), 0);
    for (size_t k = 0; k < s->row_count; k++) {
        const tru_paper_row *row = &s->rows[k];
        if (row->erratum) say(stdout, "* %s/%s: %s\n", row->paper, row->id, row->erratum);
        if (row->verdict == TRU_PAPER_SKIPPED)
            say(stdout, "%s/%s needs %s, which this build does not have\n", row->paper, row->id, row->needs);
    }
    for (size_t r = 0; r < s->run_count; r++) {
        const tru_paper_run *run = &s->runs[r];
        seconds += run->seconds;
        if (run->status < 0)
            say(stderr, "trundle: %s: %s\n", s->rows[run->first].scene ? s->rows[run->first].scene : "survey",
                run->text);
    }
    say(stdout, "%zu of %zu rows hold", s->row_count - failed - skipped, s->row_count);
    if (skipped) say(stdout, ", %zu skipped", skipped);
    say(stdout, "; %zu runs, %.2f s of computing\n", s->run_count, seconds);
    return failed ? EXIT_NUMERICAL : EXIT_GOOD;
}

/* `run` is NULL for a skipped row. */
static void row_json(tru_json *json, const tru_paper_row *row, const tru_paper_run *run) {
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)(run ? run->scene_hash : 0));
    tru_json_object(json, NULL);
    tru_json_text(json, "paper", row->paper);
    tru_json_text(json, "id", row->id);
    tru_json_text(json, "what", row->what);
    tru_json_number(json, "published", row->published);
    tru_json_number(json, "ours", row->found);
    tru_json_number(json, "target", row->target);
    tru_json_number(json, "tolerance", row->tolerance);
    tru_json_text(json, "unit", row->unit);
    tru_json_text(json, "verdict", papers_word(row));
    tru_json_text(json, "erratum", row->erratum);
    tru_json_text(json, "source", row->source);
    tru_json_text(json, "scene", row->scene);
    tru_json_text(json, "scene_hash", run ? hash : NULL);
    tru_json_number(json, "seconds", run ? run->seconds : 0.0);
    if (run && run->status < 0) tru_json_text(json, "why", run->text);
    if (!run) tru_json_text(json, "why", row->needs);
    tru_json_close(json);
}

static int print_rows_json(const session *s) {
    bool failed = false;
    tru_json *json = tru_json_begin();
    tru_json_object(json, NULL);
    tru_json_array(json, "rows");
    for (size_t k = 0; k < s->row_count; k++) {
        const tru_paper_row *row = &s->rows[k];
        failed = failed || row->verdict == TRU_PAPER_FAILS;
        row_json(json, row, row->run == TRU_PAPERS_NO_RUN ? NULL : &s->runs[row->run]);
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
static int read_paper(tru_papers *papers, const char *name, bool asked, char **names, size_t count) {
    tru_error err;
    char *relative = need_text("papers/%s.yaml", name);
    char *path = strchr(name, '/') || strstr(name, ".yaml") ? need_text("%s", name) : data_path(relative);
    int code = EXIT_GOOD;
    if (!path)
        code = unknown_paper(name, names, count);
    else if (tru_papers_read(papers, path, name, asked, &err) < 0)
        code = complain(&err);
    free(path);
    free(relative);
    return code;
}

static int read_papers(tru_papers *papers, const args *a) {
    char **names;
    const size_t count = data_names("papers", &names);
    int code = EXIT_GOOD;
    for (size_t k = 0; code == EXIT_GOOD && k < a->operand_count; k++)
        code = read_paper(papers, a->operands[k], true, names, count);
    for (size_t k = 0; code == EXIT_GOOD && a->operand_count == 0 && k < count; k++)
        code = read_paper(papers, names[k], false, names, count);
    names_free(names, count);
    return code;
}

static bool show(void *user, size_t done, size_t all) {
    (void)user;
    if (terminal_width(stderr) > 0) fprintf(stderr, "\r%zu of %zu runs\033[K", done, all);
    return true;
}

static int run_all(tru_papers *papers, size_t jobs) {
    const tru_study_how how = {.processes = jobs, .progress = show};
    tru_error err;
    const tru_status status = tru_papers_run(papers, &how, &err);
    if (terminal_width(stderr) > 0) fputs("\r\033[K", stderr);
    if (status >= 0) return EXIT_GOOD;
    if (status != TRU_OUT_OF_RANGE) return complain(&err);
    say(stderr, "trundle papers: %s\n", err.text);
    return EXIT_INPUT;
}

/* Lists rows and runs. */
static void gather(session *s) {
    tru_paper_row row;
    tru_paper_run run;
    while (tru_papers_row(s->papers, s->row_count, &row)) {
        s->rows = need_more(s->rows, s->row_count + 1, sizeof *s->rows);
        s->rows[s->row_count++] = row;
    }
    while (tru_papers_run_at(s->papers, s->run_count, &run)) {
        s->runs = need_more(s->runs, s->run_count + 1, sizeof *s->runs);
        s->runs[s->run_count++] = run;
    }
}

static bool find_scene(void *user, const char *name, char *path, size_t room) {
    (void)user;
    char *found = scene_path(name);
    const bool fits = (size_t)snprintf(path, room, "%s", found) < room;
    free(found);
    return fits;
}

int cmd_papers(const args *a) {
    const tru_papers_def def = {.find_scene = find_scene, .curves = args_text(a, "report") != NULL};
    session s = {0};
    tru_error err;
    int code = tru_papers_create(&def, &s.papers, &err) < 0 ? complain(&err) : EXIT_GOOD;
    if (code == EXIT_GOOD) code = read_papers(s.papers, a);
    if (code == EXIT_GOOD) code = run_all(s.papers, (size_t)args_number(a, "jobs", (double)processors()));
    const bool ran = code == EXIT_GOOD;
    if (ran) gather(&s);
    if (ran) code = args_flag(a, "json") ? print_rows_json(&s) : print_table(&s);
    if (ran && args_text(a, "report")) code = papers_report(&s, code, args_text(a, "report"), !args_flag(a, "json"));
    free(s.rows);
    free(s.runs);
    tru_papers_free(s.papers);
    return code;
}
