/* run_recorder.c: the ledger and the recorded probes of a run over time, for plots. */
#include "run_recorder.h"

#include "cli/app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the ledger, then the sums. */
enum {
#define COLUMN(name, kind, doc) COLUMN_##name,
    TRU_LEDGER_LIST(COLUMN)
#undef COLUMN
        TOTAL,
    NUMERICAL,
    COLUMNS
};

enum { LINES_PER_PANEL = 8 };

static const struct {
    const char *name, *kind;
} ledger_columns[] = {
#define ROW(name, kind, doc) {#name, kind},
    TRU_LEDGER_LIST(ROW)
#undef ROW
};

run_recorder *run_recorder_begin(tru_sim *sim, const tru_scene *scene, bool probes) {
    const tru_plan *plan = tru_scene_plan(scene);
    run_recorder *w = need(1, sizeof *w);
    const double step = tru_step_size(tru_sim_world(sim));
    w->probes = probes ? plan->probe_count : 0;
    w->data = series_new(COLUMNS + w->probes);
    w->row = need(COLUMNS + w->probes, sizeof *w->row);
    w->units = need(w->probes, sizeof *w->units);
    w->names = need(w->probes, sizeof *w->names);
    for (size_t k = 0; k < w->probes; k++) {
        size_t index;
        w->names[k] = plan->probe_names[k];
        tru_sim_probe(sim, plan->probe_names[k], &index, &w->units[k], NULL);
    }
    const double pace = probes ? plan->probes / step : (double)tru_sim_last_step(sim) / 2048.0;
    w->every = pace > 1.0 && pace < 1e15 ? (uint64_t)llround(pace) : 1;
    run_recorder_step(w, sim, true);
    return w;
}

void run_recorder_free(run_recorder *w) {
    if (!w) return;
    series_free(w->data);
    free(w->row);
    free(w->units);
    free(w->names);
    free(w);
}

uint64_t run_recorder_ahead(const run_recorder *w, const tru_sim *sim) {
    return w->every - tru_steps_done(tru_sim_world((tru_sim *)sim)) % w->every;
}

void run_recorder_step(run_recorder *w, tru_sim *sim, bool force) {
    const tru_world *world = tru_sim_world(sim);
    if (!force && tru_steps_done(world) % w->every != 0) return;
    const tru_ledger l = tru_world_ledger(world);
#define TAKE(name, kind, doc) w->row[COLUMN_##name] = l.name;
    TRU_LEDGER_LIST(TAKE)
#undef TAKE
    w->row[TOTAL] = l.kinetic + l.potential + l.stored;
    w->row[NUMERICAL] = l.theta_shift + l.gyroscopic + l.projection + l.stabilisation + l.stiffness;
    for (size_t k = 0; k < w->probes; k++) w->row[COLUMNS + k] = tru_sim_value(sim, k);
    series_add(w->data, tru_time(world), w->row);
}

/* ---- plots ---- */

static const char *const lost[] = {"lost by sliding", "lost by spinning", "lost by rolling", "lost by impacts"};

static bool moves(const series *s, size_t column, double *low) {
    double high;
    series_range(s, column, low, &high);
    return high > *low;
}

plot run_recorder_energy(const run_recorder *w, const char *title) {
    plot p = {.title = title, .data = w->data};
    double ground, low;
    plot_add_panel(&p, "energy", "J");
    const bool height = moves(w->data, COLUMN_potential, &ground);
    plot_add_line(&p, height ? "total, above lowest" : "total", TOTAL, ground);
    plot_add_line(&p, "kinetic", COLUMN_kinetic, 0.0);
    if (height) plot_add_line(&p, "potential, above lowest", COLUMN_potential, ground);
    if (moves(w->data, COLUMN_stored, &low)) plot_add_line(&p, "stored", COLUMN_stored, 0.0);
    for (size_t c = 0; c < TOTAL; c++) {
        const char *kind = ledger_columns[c].kind;
        if (strcmp(kind, "dissipated") == 0 && moves(w->data, c, &low))
            plot_add_line(&p, lost[c - COLUMN_slide], c, 0.0);
        if (strcmp(kind, "supplied") == 0 && moves(w->data, c, &low))
            plot_add_line(&p,
                          c == COLUMN_loads  ? "work of loads"
                          : c == COLUMN_lift ? "lift of the relaxed form"
                                             : "work of drives",
                          c, 0.0);
    }
    if (!moves(w->data, NUMERICAL, &low)) return p;
    plot_add_panel(&p, "numerical part", "J");
    plot_add_line(&p, "sum", NUMERICAL, 0.0);
    for (size_t c = 0; c < TOTAL; c++)
        if (strcmp(ledger_columns[c].kind, "numerical") == 0 && moves(w->data, c, &low))
            plot_add_line(&p, ledger_columns[c].name, c, 0.0);
    return p;
}

plot run_recorder_ledger(const run_recorder *w) {
    plot p = {.data = w->data};
    double ground, low;
    plot_add_panel(&p, "energy", "J");
    const bool height = moves(w->data, COLUMN_potential, &ground);
    plot_add_line(&p, height ? "remaining, above lowest" : "remaining", TOTAL, ground);
    for (size_t c = 0; c < TOTAL; c++)
        if (strcmp(ledger_columns[c].kind, "dissipated") == 0 && moves(w->data, c, &low))
            plot_add_line(&p, lost[c - COLUMN_slide], c, 0.0);
    return p;
}

static const char *quantity(tru_unit unit) {
    switch (unit) {
    case TRU_UNIT_M:
        return "length";
    case TRU_UNIT_RAD:
        return "angle";
    case TRU_UNIT_M_PER_S:
        return "velocity";
    case TRU_UNIT_RAD_PER_S:
        return "angular velocity";
    case TRU_UNIT_J:
        return "energy";
    case TRU_UNIT_N:
        return "force";
    case TRU_UNIT_NM:
        return "torque";
    case TRU_UNIT_NS:
        return "impulse";
    default:
        return "value";
    }
}

plot run_recorder_probes(const run_recorder *w, const char *title) {
    plot p = {.title = title, .data = w->data};
    bool *done = need(w->probes, sizeof *done);
    for (size_t k = 0; k < w->probes; k++) {
        size_t lines = 0;
        if (done[k]) continue;
        plot_add_panel(&p, quantity(w->units[k]), tru_unit_describe(w->units[k]).symbol);
        for (size_t i = k; i < w->probes && lines < LINES_PER_PANEL; i++) {
            if (done[i] || w->units[i] != w->units[k]) continue;
            plot_add_line(&p, w->names[i], COLUMNS + i, 0.0);
            done[i] = true;
            lines++;
        }
    }
    free(done);
    return p;
}
