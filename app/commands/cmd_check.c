/* cmd_check.c: "trundle check": validates a scene and prints with units what would run. */
#include "check_plugin.h"
#include "text/table.h"
#include "describe/solver_plan.h"

#include <trundle/plugin.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_BODIES = 20,
    PLAN_STEPS =
        100 /* [steps] most that a check runs to see contacts; they take about as long as reading a large scene */
};

static const char *const kinds[] = {"free", "fixed", "driven"};

static const char *kind_of(int32_t kind) { return kind >= 0 && kind < 3 ? kinds[kind] : "?"; }

/* ---- bodies ---- */

static void count_kinds(const tru_world *w, size_t counts[3]) {
    for (size_t k = 0; k < tru_body_count(w); k++) {
        tru_body_info info;
        if (tru_body_describe(w, tru_body_at(w, k), &info, NULL) >= 0 && info.kind >= 0 && info.kind < 3)
            counts[info.kind]++;
    }
}

/* "sphere", "3 shapes" */
static void shape_text(const tru_world *w, tru_id body, const tru_body_info *info, char *out, size_t room) {
    tru_shape_def shape;
    if (info->shape_count == 1 && tru_body_shape(w, body, 0, &shape, NULL) >= 0)
        snprintf(out, room, "%s", shape.shape.name);
    else
        snprintf(out, room, "%d shapes", info->shape_count);
}

static void print_bodies(const tru_world *w) {
    static const char *const heads[] = {
        "body", "kind", "shape", "mass [kg]", "inertia [kg m^2]", "velocity [m/s]", "angular velocity [rad/s]"};
    size_t counts[3] = {0};
    char shape[80];
    count_kinds(w, counts);
    say(stdout, "\n%zu bodies: %zu free, %zu fixed, %zu driven\n", tru_body_count(w), counts[0], counts[1], counts[2]);
    table *t = table_new(heads, 7, "lllrlll");
    for (size_t k = 0; k < tru_body_count(w) && k < MOST_BODIES; k++) {
        tru_body_info info;
        tru_body_state s;
        const tru_id id = tru_body_at(w, k);
        if (tru_body_describe(w, id, &info, NULL) < 0 || tru_body_get(w, id, &s, NULL) < 0) continue;
        const bool massive = info.kind == TRU_FREE;
        shape_text(w, id, &info, shape, sizeof shape);
        table_cell(t, "%s", info.name);
        table_cell(t, "%s", kind_of(info.kind));
        table_cell(t, "%s", shape);
        table_cell(t, massive ? "%.6g" : "-", info.mass);
        table_cell(t, massive ? "%.4g %.4g %.4g" : "-", info.inertia.x, info.inertia.y, info.inertia.z);
        table_cell(t, massive ? "%.4g %.4g %.4g" : "-", s.velocity.x, s.velocity.y, s.velocity.z);
        table_cell(t, massive ? "%.4g %.4g %.4g" : "-", s.angular_velocity.x, s.angular_velocity.y,
                   s.angular_velocity.z);
    }
    table_print(t, stdout, 0, 2);
    if (tru_body_count(w) > MOST_BODIES) say(stdout, "  ... %zu more\n", tru_body_count(w) - MOST_BODIES);
}

/* ---- parts of the resolved text, where every number has its unit ---- */

/* Prints the lines of a top-level key, indented. */
static void print_section(const char *text, const char *key) {
    const size_t length = strlen(key);
    bool inside = false;
    for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const size_t size = strcspn(line, "\n");
        if (*line != ' ' && *line != '-') inside = strncmp(line, key, length) == 0 && line[length] == ':';
        if (inside && size > 0) say(stdout, "  %.*s\n", (int)size, line);
    }
}

static void print_run(const tru_scene *scene, tru_sim *sim) {
    const tru_world *w = tru_sim_world(sim);
    char step[40], until[40];
    tru_unit_format(TRU_UNIT_S, tru_step_size(w), step, sizeof step);
    tru_unit_format(TRU_UNIT_S, tru_sim_until(sim), until, sizeof until);
    say(stdout, "\nwhat runs: stepper %s, %llu steps of %s up to %s\n", tru_sim_stepper(sim),
        (unsigned long long)tru_sim_last_step(sim), step, until);
    print_section(tru_scene_outline(scene), "steppers");
    print_section(tru_scene_outline(scene), "stop_when");
}

static void print_record(const tru_scene *scene, tru_sim *sim) {
    static const char *const heads[] = {"probe", "unit", "now"};
    const tru_plan *plan = tru_scene_plan(scene);
    char frames[40], rows[40];
    snprintf(frames, sizeof frames, "%.6g s", plan->frames);
    snprintf(rows, sizeof rows, "%.6g s", plan->probes);
    say(stdout, "\nwhat is recorded: %s%s, probes, ledger and solver every %s\n",
        plan->frames > 0.0 ? "poses of all bodies every " : "no poses", plan->frames > 0.0 ? frames : "",
        plan->probes > 0.0 ? rows : "step");
    table *t = table_new(heads, 3, "llr");
    for (size_t k = 0; k < plan->probe_count; k++) {
        size_t index;
        tru_unit unit;
        if (tru_sim_probe(sim, plan->probe_names[k], &index, &unit, NULL) < 0) continue;
        table_cell(t, "%s", plan->probe_names[k]);
        table_cell(t, "%s", tru_unit_describe(unit).symbol);
        const double value = tru_sim_value(sim, index);
        table_cell(t, isnan(value) ? "-" : "%.6g", value);
    }
    table_print(t, stdout, 0, 2);
}

/* Prints which solver gets the first contacts. It runs steps, which change the world, so it comes last. */
static void print_plan(tru_sim *sim) {
    const tru_world *w = tru_sim_world(sim);
    const char *chosen = tru_solver_chosen(w);
    tru_error err;
    if (!chosen) {
        say(stdout, "\nplan of solvers: stepper %s does not solve contact problems\n", tru_sim_stepper(sim));
        return;
    }
    const tru_status status = solver_plan_probe(sim, PLAN_STEPS, &err);
    say(stdout, "\nplan of solvers: chosen is %s; ", chosen);
    if (status < 0)
        say(stdout, "a step fails: %s\n", err.text);
    else if (tru_body_count(w) > PLAN_BODIES)
        say(stdout, "not tried with %zu bodies, only up to %d (run --profile shows a whole run)\n", tru_body_count(w),
            PLAN_BODIES);
    else if (solver_plan_parts(w) == 0)
        say(stdout, "no contact or joint needs one up to %.6g s (run --profile shows a whole run)\n", tru_time(w));
    else
        say(stdout, "first contacts or joints in the step to %.6g s (run --profile shows a whole run)\n", tru_time(w));
    if (solver_plan_parts(w) > 0) solver_plan_print(w);
}

static int tell(const tru_scene *scene, tru_sim *sim) {
    const char *text = tru_scene_outline(scene);
    const tru_vec3 g = tru_world_gravity(tru_sim_world(sim));
    say(stdout, "%s\nscene %s is valid, hash %016llx; gravity (%.6g, %.6g, %.6g) m/s^2\n", tru_scene_title(scene),
        tru_scene_name(scene), (unsigned long long)tru_scene_hash(scene), g.x, g.y, g.z);
    print_section(text, "parameters");
    print_bodies(tru_sim_world(sim));
    puts("\nwhat acts between them");
    print_section(text, "laws");
    print_section(text, "pairs");
    print_section(text, "joints");
    print_section(text, "loads");
    print_section(text, "motions");
    print_run(scene, sim);
    print_record(scene, sim);
    print_plan(sim);
    return EXIT_GOOD;
}

static int tell_json(const tru_scene *scene, tru_sim *sim, const char *remark) {
    const tru_world *w = tru_sim_world(sim);
    const tru_plan *plan = tru_scene_plan(scene);
    size_t counts[3] = {0};
    char hash[20];
    tru_json *json = tru_json_begin();
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)tru_scene_hash(scene));
    count_kinds(w, counts);
    tru_json_object(json, NULL);
    tru_json_text(json, "scene", tru_scene_name(scene));
    tru_json_text(json, "title", tru_scene_title(scene));
    tru_json_text(json, "scene_hash", hash);
    tru_json_object(json, "bodies");
    for (int k = 0; k < 3; k++) tru_json_integer(json, kinds[k], (int64_t)counts[k]);
    tru_json_close(json);
    tru_json_text(json, "stepper", tru_sim_stepper(sim));
    tru_json_number(json, "step", tru_step_size(w));
    tru_json_number(json, "until", tru_sim_until(sim));
    tru_json_integer(json, "steps", (int64_t)tru_sim_last_step(sim));
    tru_json_array(json, "probes");
    for (size_t k = 0; k < plan->probe_count; k++) {
        size_t index;
        tru_unit unit;
        if (tru_sim_probe(sim, plan->probe_names[k], &index, &unit, NULL) < 0) continue;
        tru_json_object(json, NULL);
        tru_json_text(json, "name", plan->probe_names[k]);
        tru_json_text(json, "unit", tru_unit_describe(unit).symbol);
        tru_json_close(json);
    }
    tru_json_close(json);
    tru_json_array(json, "remarks");
    if (*remark) tru_json_text(json, NULL, remark);
    tru_json_close(json);
    tru_json_text(json, "resolved", tru_scene_text(scene));
    solver_plan_probe(sim, PLAN_STEPS, NULL);
    solver_plan_json(json, w);
    tru_json_close(json);
    return print_json(json);
}

int cmd_check(const args *a) {
    int code;
    tru_error err;
    tru_sim *sim = NULL;
    if (a->operand_count == 0 && a->plugins) return check_plugin(a);
    if (a->operand_count == 0) {
        fputs("trundle check: SCENE is missing (trundle help check)\n", stderr);
        return EXIT_USAGE;
    }
    tru_scene *scene = scene_open(a, &code);
    if (!scene) return code;
    const tru_status made = tru_sim_create(scene, args_text(a, "stepper"), 1, &sim, &err);
    remark_on(made, &err);
    if (made < 0)
        code = complain(&err);
    else
        code = args_flag(a, "json") ? tell_json(scene, sim, made > 0 ? err.text : "") : tell(scene, sim);
    tru_sim_free(sim);
    tru_scene_free(scene);
    return code;
}
