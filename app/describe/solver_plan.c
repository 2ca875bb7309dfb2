/* solver_plan.c: which solver gets which part of a step's contacts, as a table and in JSON [solvers 7]. */
#include "solver_plan.h"

#include "cli/app.h"
#include "text/table.h"

#include <trundle/plugin.h>

#include <string.h>

uint64_t solver_plan_parts(const tru_world *world) {
    const tru_profile p = tru_profile_get(world);
    uint64_t parts = 0;
    for (size_t k = 0; k < TRU_SOLVER_RULES; k++) parts += p.parts[k];
    return parts;
}

tru_status solver_plan_probe(tru_sim *sim, uint64_t steps, tru_error *err) {
    tru_status status = TRU_OK;
    if (!tru_solver_chosen(tru_sim_world(sim)) || tru_body_count(tru_sim_world(sim)) > PLAN_BODIES) return status;
    while (status >= 0 && steps-- > 0 && !tru_sim_done(sim) && solver_plan_parts(tru_sim_world(sim)) == 0)
        status = tru_sim_run(sim, 1, err);
    return status;
}

/* ---- text ---- */

/* True if a list "a, b, c" has this name. */
static bool is_listed(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0')) return true;
    return false;
}

/* One cell: "thresholds: dense_rows = 100 rows, rows_per_contact = 3 rows" */
static void add_limits(table *t, const tru_world *world, const tru_solver_rule *rule) {
    tru_solver_limit limit;
    const char *before = "thresholds: ";
    FILE *cell = table_cell_begin(t);
    for (size_t k = 0; tru_solver_limit_at(world, k, &limit); k++) {
        if (!is_listed(rule->limits, limit.name)) continue;
        fprintf(cell, "%s%s = %.6g", before, limit.name, limit.value);
        if (strcmp(limit.unit, "-") != 0) fprintf(cell, " %s", limit.unit);
        before = ", ";
    }
    table_cell_end(t);
}

static void add_counts(table *t, const tru_profile *p, size_t k) {
    const tru_solver_rule *rule = tru_solver_rule_at(k);
    table_cell(t, "%s", rule->name);
    table_cell(t, "%llu", (unsigned long long)p->parts[k]);
    table_cell(t, "%llu", (unsigned long long)p->contacts[k]);
    table_cell(t, "%llu", (unsigned long long)p->largest[k]);
    table_cell(t, "%llu", (unsigned long long)p->fallbacks[k]);
    table_cell(t, "%s", rule->solver);
}

static void add_sentences(table *t, const tru_world *world, const tru_solver_rule *rule) {
    table_cell(t, "%s", rule->name);
    table_cell(t, "%s", rule->doc);
    table_cell(t, "%s", "");
    table_cell(t, "fallback: %s", rule->then ? rule->then : "none, the step is reported as unconverged");
    if (!rule->limits) return;
    table_cell(t, "%s", "");
    add_limits(t, world, rule);
}

void solver_plan_print(const tru_world *world) {
    static const char *const heads[] = {"rule", "parts", "contacts", "largest", "fell back", "solved by"};
    static const char *const none[] = {"", ""};
    const tru_profile p = tru_profile_get(world);
    const int width = terminal_width(stdout);
    table *counts = table_new(heads, 6, "lrrrrl"), *sentences = table_new(none, 2, "ll");
    for (size_t k = 0; k < TRU_SOLVER_RULES; k++) {
        if (p.parts[k] == 0) continue;
        add_counts(counts, &p, k);
        add_sentences(sentences, world, tru_solver_rule_at(k));
    }
    table_print(counts, stdout, width, 2);
    fputs("\n", stdout);
    table_print(sentences, stdout, width, 2);
}

/* ---- JSON ---- */

static void limits_json(tru_json *json, const tru_world *world) {
    tru_solver_limit limit;
    tru_json_array(json, "thresholds");
    for (size_t k = 0; tru_solver_limit_at(world, k, &limit); k++) {
        tru_json_object(json, NULL);
        tru_json_text(json, "name", limit.name);
        tru_json_number(json, "value", limit.value);
        tru_json_text(json, "unit", limit.unit);
        tru_json_text(json, "doc", limit.doc);
        tru_json_close(json);
    }
    tru_json_close(json);
}

static void rule_json(tru_json *json, const tru_profile *p, size_t k) {
    const tru_solver_rule *rule = tru_solver_rule_at(k);
    tru_json_object(json, NULL);
    tru_json_text(json, "rule", rule->name);
    tru_json_text(json, "for", rule->doc);
    tru_json_text(json, "solver", rule->solver);
    tru_json_text(json, "fallback", rule->then);
    tru_json_text(json, "thresholds", rule->limits);
    tru_json_integer(json, "parts", (int64_t)p->parts[k]);
    tru_json_integer(json, "contacts", (int64_t)p->contacts[k]);
    tru_json_integer(json, "largest", (int64_t)p->largest[k]);
    tru_json_integer(json, "fell_back", (int64_t)p->fallbacks[k]);
    tru_json_close(json);
}

void solver_plan_json(tru_json *json, const tru_world *world) {
    const tru_profile p = tru_profile_get(world);
    if (!tru_solver_chosen(world)) {
        tru_json_text(json, "plan", NULL);
        return;
    }
    tru_json_object(json, "plan");
    tru_json_text(json, "chosen", tru_solver_chosen(world));
    tru_json_integer(json, "steps", (int64_t)tru_steps_done(world));
    tru_json_array(json, "rules");
    for (size_t k = 0; k < TRU_SOLVER_RULES; k++)
        if (p.parts[k] > 0) rule_json(json, &p, k);
    tru_json_close(json);
    limits_json(json, world);
    tru_json_close(json);
}
