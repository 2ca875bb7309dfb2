/* test_papers.c: published numbers from C: rows that hold and fail, curves, stopping, and files that are wrong. */
#define _GNU_SOURCE
#include "check.h"
#include "folders.h"
#include "scene_text.h"

#include <trundle/study.h>

/* A ball with 1 m/s and friction 0.2 on a table ends with 5/7 m/s; it slides until 2 v / (7 mu g) = 0.1456 s. */
static const char *write_file(const char *name, const char *text) {
    static char path[400];
    snprintf(path, sizeof path, "%s", folder_path(name));
    FILE *out = fopen(path, "w");
    if (check(out != NULL)) {
        fputs(text, out);
        fclose(out);
    }
    return path;
}

static bool find_ball(void *user, const char *name, char *path, size_t room) {
    snprintf(path, room, "%s", (const char *)user);
    return strcmp(name, "ball") == 0;
}

/* Reads rows, each behind "- "; the scene `ball` is that of scene_text.h. */
static tru_papers *papers_of(const char *rows, bool curves, tru_status wanted, tru_error *err) {
    static char ball[400], text[8000];
    tru_papers *papers = NULL;
    snprintf(ball, sizeof ball, "%s", write_file("ball.yaml", BALL));
    snprintf(text, sizeof text, "title: a test\nrows:\n%s", rows);
    const tru_papers_def def = {.find_scene = find_ball, .user = ball, .curves = curves};
    check_status(tru_papers_create(&def, &papers, NULL), TRU_OK);
    *err = (tru_error){0};
    if (!check_status(tru_papers_read(papers, write_file("test.yaml", text), "mine", true, err), wanted))
        printf("  %s\n", err->text);
    return papers;
}

#define ROW(id, rest)                                                                                                  \
    "  - {id: " id ", what: a number, scene: ball, measure: {probe: ball.speed, at: end}, unit: m/s, " rest "}\n"

/* ---- rows ---- */

TEST(rows_hold_or_fail) {
    tru_error err;
    tru_papers *papers =
        papers_of(ROW("right", "published: 0.714286, tolerance: {abs: 1e-6}")
                      ROW("wrong", "published: 0.7, tolerance: {rel: 1e-3}, erratum: misprint, source: table 1")
                          ROW("other", "published: 0.357143, tolerance: {abs: 1e-6}, set: {parameters.speed: 0.5 m/s}")
                              ROW("skipped", "published: 1, tolerance: {abs: 1}, needs: perpetuum_mobile"),
                  true, TRU_OK, &err);
    tru_paper_row row;
    tru_paper_run run;
    check(tru_papers_row(papers, 0, &row) && row.verdict == TRU_PAPER_SKIPPED && isnan(row.found)); /* not run yet */
    check(!tru_papers_run_at(papers, 0, &run));
    for (size_t processes = 0; processes <= 2; processes += 2) {
        const tru_study_how how = {.processes = processes};
        check_status(tru_papers_run(papers, &how, &err), TRU_OK);
        check(tru_papers_row(papers, 0, &row) && row.verdict == TRU_PAPER_HOLDS && row.run == 0);
        check_str(row.paper, "mine");
        check_close(row.found, 5.0 / 7.0, 1e-10, 0.0);
        check(tru_papers_row(papers, 1, &row) && row.verdict == TRU_PAPER_FAILS && row.run == 0);
        check_close(row.found, 5.0 / 7.0, 1e-10, 0.0);
        check_close(row.tolerance, 0.7e-3, 1e-12, 0.0);
        check_str(row.erratum, "misprint");
        check_str(row.source, "table 1");
        check(tru_papers_row(papers, 2, &row) && row.verdict == TRU_PAPER_HOLDS && row.run == 1 && row.set_count == 1);
        check(tru_papers_row(papers, 3, &row) && row.verdict == TRU_PAPER_SKIPPED && row.run == TRU_PAPERS_NO_RUN);
        check_str(row.needs, "perpetuum_mobile");
        check(!tru_papers_row(papers, 4, &row));
        check(tru_papers_run_at(papers, 0, &run) && run.rows == 2 && run.first == 0 && run.done && run.scene_hash != 0);
        check(tru_papers_run_at(papers, 1, &run) && !tru_papers_run_at(papers, 2, &run));
    }
    tru_papers_free(papers);
}

/* The curve of a sliding ball falls by mu g per second and ends with the value that was measured. */
TEST(curves_are_kept_on_request) {
    tru_error err;
    tru_paper_row row;
    tru_paper_curve curve;
    for (int wanted = 0; wanted < 2; wanted++) {
        tru_papers *papers = papers_of(ROW("speed", "published: 0.714, tolerance: {abs: 1e-3}"), wanted, TRU_OK, &err);
        check_status(tru_papers_run(papers, NULL, &err), TRU_OK);
        check(tru_papers_row(papers, 0, &row) && row.probe && isnan(row.from) && !row.extreme);
        check(tru_papers_curve(papers, 0, "ball.speed", &curve) == (wanted == 1));
        check(!tru_papers_curve(papers, 0, "ball.spin", &curve) && !tru_papers_curve(papers, 1, "ball.speed", &curve));
        if (wanted == 1 && check(tru_papers_curve(papers, 0, "ball.speed", &curve) && curve.count > 100)) {
            check(curve.unit == TRU_UNIT_M_PER_S && curve.time[0] < 0.01);
            check_close(curve.time[curve.count - 1], 1.0, 1e-12, 0.0);
            check_close(curve.value[curve.count - 1], row.found, 0.0, 0.0);
            for (size_t k = 0; k < curve.count && curve.time[k] < 0.14; k++)
                check_close(curve.value[k], 1.0 - 0.2 * 9.81 * curve.time[k], 1e-9, 0.0);
        }
        tru_papers_free(papers);
    }
}

/* The other runs still count. */
TEST(a_run_that_fails_is_a_result) {
    tru_error err;
    tru_paper_row row;
    tru_paper_run run;
    tru_papers *papers = papers_of(ROW("bad", "published: 1, tolerance: {abs: 1}, set: {parameters.nu: 1}")
                                       ROW("good", "published: 0.714286, tolerance: {abs: 1e-6}"),
                                   false, TRU_OK, &err);
    check_status(tru_papers_run(papers, NULL, &err), TRU_OK);
    check(tru_papers_row(papers, 0, &row) && row.verdict == TRU_PAPER_FAILS && isnan(row.found));
    check(tru_papers_run_at(papers, 0, &run) && run.status == TRU_UNKNOWN_NAME && run.done);
    check_str(run.text, "set parameters.nu=1: no 'nu'; did you mean 'mu'?");
    check(tru_papers_row(papers, 1, &row) && row.verdict == TRU_PAPER_HOLDS);
    tru_papers_free(papers);
}

static bool stop_at_one(void *user, size_t done, size_t all) {
    (void)user, (void)all;
    return done < 1;
}

TEST(a_callback_stops) {
    tru_error err;
    tru_paper_row row;
    tru_papers *papers =
        papers_of(ROW("a", "published: 0.714286, tolerance: {abs: 1e-6}")
                      ROW("b", "published: 0.357143, tolerance: {abs: 1e-6}, set: {parameters.speed: 0.5 m/s}"),
                  false, TRU_OK, &err);
    const tru_study_how how = {.progress = stop_at_one};
    check_status(tru_papers_run(papers, &how, &err), TRU_REMARK);
    check_str(err.text, "stopped with 1 of 2 runs");
    check(tru_papers_row(papers, 0, &row) && row.verdict == TRU_PAPER_HOLDS);
    check(tru_papers_row(papers, 1, &row) && row.verdict == TRU_PAPER_SKIPPED && isnan(row.found));
    tru_papers_free(papers);
}

/* ---- files that are wrong ---- */

/* The end of the sentence, behind the path of the file. */
static void refused(const char *rows, tru_status status, const char *sentence) {
    tru_error err;
    tru_papers *papers = papers_of(rows, false, status, &err);
    const char *end = strstr(err.text, "test.yaml:");
    check_str(end ? end + strlen("test.yaml:") : err.text, sentence);
    tru_papers_free(papers);
}

#define LISTED(key, value) ROW("r", "published: 1, tolerance: {abs: 1}, " key ": " value)

TEST(a_list_where_a_map_belongs_is_refused) {
    refused("  - [a, b]\n", TRU_BAD_ARGUMENT, "3:5: a row must be a map");
    refused(LISTED("bisect", "[a]"), TRU_BAD_ARGUMENT, "3:135: bisect must be a map");
    refused(LISTED("survey", "[a]"), TRU_CONFLICT, "3:5: row r: a survey has no scene");
    refused("  - {id: r, what: w, unit: '-', published: 0, tolerance: {abs: 1}, survey: [a]}\n", TRU_BAD_ARGUMENT,
            "3:76: survey must be a map");
    refused(LISTED("set", "[a]"), TRU_BAD_ARGUMENT, "3:132: set must be a map of paths and values");
    refused("  - {id: r, what: w, scene: ball, unit: m, measure: [ball.speed], published: 1, tolerance: {abs: 1}}\n",
            TRU_BAD_ARGUMENT, "3:53: measure must be a map such as {probe: ball.speed, at: end}");
    refused(ROW("r", "published: [1], tolerance: {abs: 1}"), TRU_BAD_ARGUMENT, "3:103: this entry must be a number");
    refused(ROW("r", "published: 1, tolerance: [1]"), TRU_BAD_ARGUMENT,
            "3:5: row r needs tolerance: {abs: ...} or {rel: ...}");
    refused(ROW("r", "publisht: 1"), TRU_UNKNOWN_NAME, "3:102: a row has no key 'publisht'; the nearest is published");
}

TEST(a_root_that_is_not_a_map_is_refused) {
    tru_papers *papers;
    tru_error err;
    check_status(tru_papers_create(NULL, &papers, NULL), TRU_OK);
    check_status(tru_papers_read(papers, write_file("list.yaml", "[a, b]\n"), NULL, true, &err), TRU_BAD_ARGUMENT);
    check(strstr(err.text, "list.yaml:1:1: a paper must be a map") != NULL);
    check_status(tru_papers_read(papers, "/nowhere.yaml", NULL, true, &err), TRU_FILE);
    check_status(tru_papers_read(papers, NULL, NULL, true, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "papers and path must not be NULL");
    check_status(tru_papers_run(NULL, NULL, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "papers must not be NULL");
    tru_papers_free(papers);
}
