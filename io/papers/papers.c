/* papers.c: reads papers/NAME.yaml, published numbers as data, and finds the runs that they share. */
#include "papers.h"

#include "common/fail.h"
#include "common/grow.h"
#include "limit_survey.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const row_keys[] = {"id",      "what",      "scene",  "stepper",   "set",  "until",
                                       "measure", "published", "target", "tolerance", "unit", "erratum",
                                       "source",  "needs",     "bisect", "survey",    "seeds"};

static tru_status check_keys(const tru_tree *node, const char *const *keys, size_t count, const char *what,
                             tru_error *err) {
    if (tru_tree_is(node) != TRU_TREE_MAP)
        return trio_entry_fail(node, TRU_BAD_ARGUMENT, err, "%s must be a map", what);
    for (size_t k = 0; k < tru_tree_count(node); k++) {
        const char *key = tru_tree_key(node, k);
        bool known = false;
        for (size_t i = 0; i < count; i++) known = known || strcmp(keys[i], key) == 0;
        if (known) continue;
        const char *near = tru_nearest_name(key, keys, count);
        return trio_entry_fail(tru_tree_at(node, k), TRU_UNKNOWN_NAME, err, "%s has no key '%s'%s%s", what, key,
                               near ? "; the nearest is " : "", near ? near : "");
    }
    return TRU_OK;
}

static const char *text_of(const tru_tree *node, const char *key) {
    const tru_tree *entry = tru_tree_find(node, key);
    return entry ? tru_tree_text(entry) : NULL;
}

static tru_status read_sets(const tru_tree *node, paper_row *row, tru_error *err) {
    const size_t count = node ? tru_tree_count(node) : 0;
    if (node && tru_tree_is(node) != TRU_TREE_MAP)
        return trio_entry_fail(node, TRU_BAD_ARGUMENT, err, "set must be a map of paths and values");
    row->sets = calloc(count + 1, sizeof *row->sets);
    if (!row->sets) return trio_no_memory(err);
    row->set_count = count;
    for (size_t k = 0; k < count; k++) {
        row->sets[k] = (tru_set){tru_tree_key(node, k), tru_tree_text(tru_tree_at(node, k))};
        if (!row->sets[k].path || !row->sets[k].value)
            return trio_entry_fail(node, TRU_BAD_ARGUMENT, err, "set must be a map of paths and values");
    }
    return TRU_OK;
}

/* Published numbers and targets are plain numbers in the row's own unit. */
static tru_status read_numbers(paper_row *row, tru_error *err) {
    const tru_tree *published = tru_tree_find(row->node, "published"), *target = tru_tree_find(row->node, "target");
    const tru_tree *tolerance = tru_tree_find(row->node, "tolerance"), *until = tru_tree_find(row->node, "until");
    const tru_tree *absolute = tolerance ? tru_tree_find(tolerance, "abs") : NULL;
    const tru_tree *relative = tolerance ? tru_tree_find(tolerance, "rel") : NULL;
    bool angle;
    row->published = row->until = NAN;
    if (!tru_unit_parse(row->unit, &row->scale, &row->powers, &angle) && strcmp(row->unit, "-") != 0)
        return trio_entry_fail(tru_tree_find(row->node, "unit"), TRU_BAD_ARGUMENT, err, "unknown unit '%s'", row->unit);
    if (strcmp(row->unit, "-") == 0) row->scale = 1.0;
    if (published && trio_tree_number(published, TRU_UNIT_ONE, &row->published, err) < 0) return err->status;
    row->target = row->published;
    if (target && trio_tree_number(target, TRU_UNIT_ONE, &row->target, err) < 0) return err->status;
    if (isnan(row->target))
        return trio_entry_fail(row->node, TRU_BAD_ARGUMENT, err, "row %s needs a published number or a target",
                               row->id);
    if (until && trio_tree_number(until, TRU_UNIT_S, &row->until, err) < 0) return err->status;
    if (absolute && trio_tree_number(absolute, TRU_UNIT_ONE, &row->absolute, err) < 0) return err->status;
    if (relative && trio_tree_number(relative, TRU_UNIT_ONE, &row->relative, err) < 0) return err->status;
    if (!(row->absolute >= 0.0 && row->relative >= 0.0 && row->absolute + row->relative > 0.0))
        return trio_entry_fail(row->node, TRU_BAD_ARGUMENT, err, "row %s needs tolerance: {abs: ...} or {rel: ...}",
                               row->id);
    return TRU_OK;
}

/* Returns true if a plug-in of any kind has this name in this build. */
static bool is_registered(const char *name) {
    for (size_t k = 0; tru_stepper_at(k); k++)
        if (strcmp(tru_stepper_at(k)->name, name) == 0) return true;
    for (size_t k = 0; tru_law_at(k); k++)
        if (strcmp(tru_law_at(k)->name, name) == 0) return true;
    for (size_t k = 0; tru_solver_at(k); k++)
        if (strcmp(tru_solver_at(k)->name, name) == 0) return true;
    for (size_t k = 0; tru_shape_at(k); k++)
        if (strcmp(tru_shape_at(k)->name, name) == 0) return true;
    return false;
}

/* bisect: {path: parameters.moment, from: 1, to: 2}, in the unit of the row. */
static tru_status read_bisect(const tru_tree *node, paper_row *row, tru_error *err) {
    static const char *const keys[] = {"path", "from", "to"};
    if (!node) return TRU_OK;
    if (check_keys(node, keys, 3, "bisect", err) < 0) return err->status;
    row->bisect = text_of(node, "path");
    if (!row->bisect) return trio_entry_fail(node, TRU_BAD_ARGUMENT, err, "bisect needs a path");
    if (trio_tree_number_at(node, "from", TRU_UNIT_ONE, &row->low, err) < 0) return err->status;
    return trio_tree_number_at(node, "to", TRU_UNIT_ONE, &row->high, err);
}

/* seeds: 5 */
static tru_status read_seeds(const tru_tree *node, paper_row *row, tru_error *err) {
    double seeds = 0.0;
    if (!node) return TRU_OK;
    if (trio_tree_number(node, TRU_UNIT_ONE, &seeds, err) < 0) return err->status;
    if (!(seeds >= 1.0 && seeds <= 1000.0 && seeds == floor(seeds)))
        return trio_entry_fail(node, TRU_OUT_OF_RANGE, err, "row %s: seeds must be a whole number from 1 to 1000",
                               row->id);
    if (row->bisect || row->survey_states > 0)
        return trio_entry_fail(node, TRU_CONFLICT, err, "row %s: seeds are for a measure, not for bisect or survey",
                               row->id);
    row->seeds = (int)seeds;
    return TRU_OK;
}

/* survey: {states: 100000, seed: 1, take: wrong_parity} */
static tru_status read_survey(const tru_tree *node, paper_row *row, tru_error *err) {
    static const char *const keys[] = {"states", "seed", "take"};
    double states = 0.0, seed = 0.0;
    const char *take = text_of(node, "take");
    if (check_keys(node, keys, 3, "survey", err) < 0) return err->status;
    if (trio_tree_number_at(node, "states", TRU_UNIT_ONE, &states, err) < 0) return err->status;
    if (trio_tree_number_at(node, "seed", TRU_UNIT_ONE, &seed, err) < 0) return err->status;
    if (!(states >= 1.0 && states <= 1e7 && seed >= 0.0 && seed < 9e15))
        return trio_entry_fail(node, TRU_OUT_OF_RANGE, err, "survey: states must be from 1 to 1e7, seed at least 0");
    row->survey_states = (size_t)states;
    row->survey_seed = (uint64_t)seed;
    for (row->survey_take = 0; row->survey_take < SURVEY_VALUES; row->survey_take++)
        if (take && strcmp(take, trio_limit_survey_names[row->survey_take]) == 0) return TRU_OK;
    const char *near = take ? tru_nearest_name(take, trio_limit_survey_names, SURVEY_VALUES) : NULL;
    return trio_entry_fail(node, TRU_UNKNOWN_NAME, err, "a survey has no '%s'%s%s", take ? take : "",
                           near ? "; the nearest is " : "", near ? near : "");
}

static tru_status read_row(papers *all, const tru_tree *node, const char *name, tru_error *err) {
    paper_row row = {.paper = name, .node = node, .unit = text_of(node, "unit"), .id = text_of(node, "id")};
    if (tru_tree_is(node) != TRU_TREE_MAP) return trio_entry_fail(node, TRU_BAD_ARGUMENT, err, "a row must be a map");
    if (check_keys(node, row_keys, sizeof row_keys / sizeof *row_keys, "a row", err) < 0) return err->status;
    row.what = text_of(node, "what");
    row.scene = text_of(node, "scene");
    row.stepper = text_of(node, "stepper");
    row.erratum = text_of(node, "erratum");
    row.source = text_of(node, "source");
    row.needs = text_of(node, "needs");
    row.skipped = row.needs && !is_registered(row.needs);
    const tru_tree *survey = tru_tree_find(node, "survey");
    if (!row.id || !row.what || (!row.scene && !survey) || !row.unit)
        return trio_entry_fail(node, TRU_BAD_ARGUMENT, err, "a row needs id, what, scene and unit");
    if (survey && (row.scene || read_survey(survey, &row, err) < 0))
        return row.scene ? trio_entry_fail(node, TRU_CONFLICT, err, "row %s: a survey has no scene", row.id)
                         : err->status;
    const tru_tree *measured = tru_tree_find(node, "measure");
    if (!survey && !measured)
        return trio_entry_fail(node, TRU_BAD_ARGUMENT, err,
                               "row %s needs a measure, such as {probe: ball.speed, at: end}", row.id);
    if (!survey && trio_measure_read(measured, &row.measure, err) < 0) return err->status;
    if (read_bisect(tru_tree_find(node, "bisect"), &row, err) < 0) return err->status;
    if (read_seeds(tru_tree_find(node, "seeds"), &row, err) < 0) return err->status;
    if (read_numbers(&row, err) < 0) return err->status;
    if (!GROW(all->rows, all->row_room, all->row_count + 1)) return trio_no_memory(err);
    all->rows[all->row_count++] = row;
    return read_sets(tru_tree_find(node, "set"), &all->rows[all->row_count - 1], err);
}

tru_status trio_papers_read(papers *all, const char *path, const char *name, bool asked, tru_error *err) {
    static const char *const keys[] = {"paper", "title", "source", "lengthy", "rows"};
    tru_tree *tree = NULL;
    if (tru_tree_read(path, &tree, err) < 0) return err->status;
    if (!GROW(all->trees, all->tree_room, all->tree_count + 1)) {
        tru_tree_free(tree);
        return trio_no_memory(err);
    }
    all->trees[all->tree_count++] = tree;
    if (check_keys(tree, keys, 5, "a paper", err) < 0) return err->status;
    const char *lengthy = text_of(tree, "lengthy");
    if (lengthy && strcmp(lengthy, "yes") == 0 && !asked) return TRU_OK;
    const tru_tree *rows = tru_tree_find(tree, "rows");
    if (!rows || tru_tree_is(rows) != TRU_TREE_LIST)
        return trio_entry_fail(tree, TRU_BAD_ARGUMENT, err, "a paper needs rows: a list");
    const char *own = text_of(tree, "paper");
    for (size_t k = 0; k < tru_tree_count(rows); k++)
        if (read_row(all, tru_tree_at(rows, k), own ? own : name, err) < 0) return err->status;
    return TRU_OK;
}

/* ---- runs ---- */

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool same_run(const paper_row *a, const paper_row *b) {
    if (a->bisect || b->bisect) return false; /* many runs of its own */
    if (a->seeds != b->seeds) return false;
    if (a->survey_states != b->survey_states || a->survey_seed != b->survey_seed) return false;
    if (!same_text(a->scene, b->scene) || !same_text(a->stepper, b->stepper) || a->set_count != b->set_count)
        return false;
    if (a->until != b->until && !(isnan(a->until) && isnan(b->until))) return false;
    for (size_t k = 0; k < a->set_count; k++)
        if (!same_text(a->sets[k].path, b->sets[k].path) || !same_text(a->sets[k].value, b->sets[k].value))
            return false;
    return true;
}

tru_status trio_papers_group(papers *all, tru_error *err) {
    all->runs = calloc(all->row_count + 1, sizeof *all->runs);
    if (!all->runs) return trio_no_memory(err);
    for (size_t k = 0; k < all->row_count; k++) {
        size_t r = 0;
        if (all->rows[k].skipped) {
            all->rows[k].run = NO_RUN;
            continue;
        }
        while (r < all->run_count && !same_run(&all->rows[all->runs[r].first], &all->rows[k])) r++;
        if (r == all->run_count) all->runs[all->run_count++] = (paper_run){.first = k};
        all->runs[r].rows++;
        all->rows[k].run = r;
    }
    return TRU_OK;
}

void trio_papers_free(papers *all) {
    for (size_t k = 0; k < all->row_count; k++) free(all->rows[k].sets);
    for (size_t k = 0; k < all->tree_count; k++) tru_tree_free(all->trees[k]);
    free(all->rows);
    free(all->runs);
    free(all->trees);
    *all = (papers){0};
}
