/* sim_summary.c: how a run went, as JSON: the contents of summary.json and of `run --json`. */
#include "sim/sim_state.h"

#include <trundle/analysis.h>
#include <trundle/plugins.h>

#include <stdio.h>

static const char *const row_words[] = {"normal", "slide", "spin", "roll"};

static void add_hash(tru_json *j, const char *key, uint64_t hash) {
    char text[32];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    tru_json_text(j, key, text);
}

static void add_ledger(tru_json *j, const tru_world *w) {
    const tru_ledger l = tru_world_ledger(w);
    tru_json_object(j, "ledger");
#define ADD_ENTRY(name, kind, doc) tru_json_number(j, #name, l.name);
    TRU_LEDGER_LIST(ADD_ENTRY)
#undef ADD_ENTRY
    tru_json_number(j, "gap", tru_ledger_gap(&l));
    tru_json_close(j);
}

static void add_solver(tru_json *j, const tru_sim *sim) {
    const tru_solver_summary s = tru_sim_solver(sim);
    tru_json_object(j, "solver");
    tru_json_integer(j, "steps", (int64_t)s.steps);
    tru_json_integer(j, "unconverged", (int64_t)s.unconverged);
    tru_json_integer(j, "iterations", (int64_t)s.iterations);
    tru_json_integer(j, "most_iterations", s.most_iterations);
    tru_json_number(j, "worst_relative", s.worst_relative);
    tru_json_number(j, "worst_time", s.worst_time);
    tru_json_number(j, "worst_speed", s.worst_speed);
    tru_json_number(j, "lift", s.lift);
    tru_json_number(j, "hop", s.hop);
    tru_json_number(j, "hop_time", s.hop_time);
    const char *a = tru_sim_body_name(sim, s.worst_a), *b = tru_sim_body_name(sim, s.worst_b);
    if (a) tru_json_text(j, "worst_a", a);
    if (b) tru_json_text(j, "worst_b", b);
    tru_json_close(j);
}

static bool has_rows(int kind) { return kind == TRU_EVENT_SLIP || kind == TRU_EVENT_STICK; }

static void add_event(tru_json *j, const tru_sim *sim, const tru_event *e) {
    tru_json_object(j, NULL);
    tru_json_text(j, "kind", tru_event_name(e->kind));
    const bool known = e->row_kind >= 0 && e->row_kind < TRU_KINDS; /* a damaged snapshot may have any number here */
    tru_json_text(j, "rows", has_rows(e->kind) && known ? row_words[e->row_kind] : NULL);
    tru_json_text(j, "body", tru_sim_body_name(sim, e->body_a));
    tru_json_text(j, "other", tru_sim_body_name(sim, e->body_b));
    tru_json_number(j, "time", e->time);
    tru_json_array(j, "position");
    tru_json_number(j, NULL, e->position.x);
    tru_json_number(j, NULL, e->position.y);
    tru_json_number(j, NULL, e->position.z);
    tru_json_close(j);
    tru_json_number(j, "speed", e->speed);
    if (e->limit_case >= 0) tru_json_text(j, "case", tru_limit_case_name(e->limit_case));
    tru_json_close(j);
}

/* Counts by name ("touch", "slip_slide"), and the first of each kind per body. */
static void add_events(tru_json *j, const tru_sim *sim) {
    const sim_events *e = &sim->events;
    tru_json_object(j, "events");
    tru_json_object(j, "counts");
    for (int kind = 0; kind < TRU_EVENT_KINDS; kind++) {
        const uint64_t all = tru_sim_event_count(sim, (tru_event_kind)kind);
        if (all > 0 && !has_rows(kind)) tru_json_integer(j, tru_event_name(kind), (int64_t)all);
        for (int row = 0; row < TRU_KINDS && has_rows(kind); row++) {
            char name[40];
            if (e->counts[kind][row] == 0) continue;
            snprintf(name, sizeof name, "%s_%s", tru_event_name(kind), row_words[row]);
            tru_json_integer(j, name, (int64_t)e->counts[kind][row]);
        }
    }
    tru_json_close(j);
    tru_json_integer(j, "lost", (int64_t)e->lost);
    tru_json_array(j, "first");
    for (size_t i = 0; i < e->first_count; i++) add_event(j, sim, &e->firsts[i]);
    tru_json_close(j);
    tru_json_close(j);
}

static void add_probes(tru_json *j, const tru_sim *sim) {
    tru_json_object(j, "probes");
    for (size_t i = 0; i < sim->plan.probe_count; i++) {
        tru_json_object(j, sim->probes[i].name);
        tru_json_number(j, "value", tru_sim_value(sim, i));
        tru_json_text(j, "unit", tru_unit_describe(sim->probes[i].probe.row->unit).symbol);
        tru_json_close(j);
    }
    tru_json_close(j);
}

void tru_json_heap(tru_json *j, const tru_world *w) {
    const double deg = 57.29577951308232;
    tru_repose r;
    if (tru_repose_of_world(w, &r, NULL) < 0) return;
    tru_json_object(j, "heap");
    tru_json_number(j, "angle_deg", deg * r.angle);
    tru_json_number(j, "angle_error_deg", deg * r.angle_error);
    tru_json_number(j, "median_angle_deg", deg * r.median_angle);
    tru_json_number(j, "height", r.height);
    tru_json_number(j, "centre_height", r.centre);
    tru_json_number(j, "axis_x", r.axis_x);
    tru_json_number(j, "axis_y", r.axis_y);
    tru_json_integer(j, "rings", r.rings);
    tru_json_close(j);
}

static void add_outlets(tru_json *j, const tru_sim *sim) {
    tru_outlet_info o;
    if (sim->outlets.count == 0) return;
    tru_json_object(j, "outlets");
    for (size_t k = 0; tru_sim_outlet(sim, k, &o); k++) {
        tru_json_object(j, o.name);
        tru_json_integer(j, "count", (int64_t)o.count);
        tru_json_number(j, "mass", o.mass);
        tru_json_close(j);
    }
    tru_json_close(j);
}

/* If memory runs out, the writer of the document reports it. */
static void add_story(tru_json *j, const tru_sim *sim) {
    tru_story *story = NULL;
    if (tru_sim_story(sim, &story, NULL) >= 0) tru_json_story(j, story, true);
    tru_story_free(story);
}

/* Laws from outside the library; nothing if there are none. */
static void add_plugins(tru_json *j, const tru_plugins *plugins) {
    tru_plugin_info info;
    if (!tru_plugins_at(plugins, 0, &info)) return;
    tru_json_array(j, "plugins");
    for (size_t k = 0; tru_plugins_at(plugins, k, &info); k++) {
        tru_json_object(j, NULL);
        tru_json_text(j, "law", info.law->name);
        tru_json_text(j, "path", info.path);
        add_hash(j, "hash", info.hash);
        tru_json_close(j);
    }
    tru_json_close(j);
}

void tru_sim_summary(const tru_sim *sim, const tru_scene *scene, double wall_seconds, tru_json *j) {
    const tru_world *w = sim->world;
    tru_json_text(j, "version", tru_version());
    if (scene) tru_json_text(j, "scene", tru_scene_name(scene));
    if (scene) tru_json_text(j, "title", tru_scene_title(scene));
    tru_json_text(j, "stepper", sim->stepper);
    tru_json_number(j, "step", tru_step_size(w));
    tru_json_number(j, "time", tru_time(w));
    tru_json_integer(j, "steps", (int64_t)tru_steps_done(w));
    tru_json_number(j, "wall_time", sim->wall_before + wall_seconds);
    add_story(j, sim);
    tru_json_bool(j, "done", sim->done);
    tru_json_text(j, "stopped", sim->reason);
    tru_json_integer(j, "bodies", (int64_t)tru_body_count(w));
    tru_json_integer(j, "contacts", (int64_t)tru_contact_count(w));
    add_outlets(j, sim);
    add_ledger(j, w);
    add_solver(j, sim);
    add_events(j, sim);
    add_probes(j, sim);
    tru_json_heap(j, w);
    add_hash(j, "state_hash", tru_state_hash(w));
    add_hash(j, "motion_hash", tru_motion_hash(w));
    if (scene) add_hash(j, "scene_hash", tru_scene_hash(scene));
    if (scene) add_plugins(j, tru_scene_plugins(scene));
}
