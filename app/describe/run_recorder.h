/* run_recorder.h: the ledger and the recorded probes of a run over time, for plots. */
#ifndef TRUNDLE_APP_RUN_RECORDER_H
#define TRUNDLE_APP_RUN_RECORDER_H

#include "draw/plot.h"

#include <trundle/io.h>

typedef struct run_recorder {
    series *data;       /* the entries of the ledger, three sums, then the plan's probes */
    size_t probes;      /* how many of them are recorded */
    tru_unit *units;    /* of the probes */
    const char **names; /* of the probes; the scene's */
    uint64_t every;     /* steps between samples */
    double *row;
} run_recorder;

/* Watch a simulation; with probes at the plan's own pace, else the ledger only, a few thousand times. */
run_recorder *run_recorder_begin(tru_sim *sim, const tru_scene *scene, bool probes);
void run_recorder_free(run_recorder *w);
/* Take a sample if one is due at this step (or `force`). */
void run_recorder_step(run_recorder *w, tru_sim *sim, bool force);
/* Steps until the next sample. */
uint64_t run_recorder_ahead(const run_recorder *w, const tru_sim *sim);

/* Plots of the energy (where it is and went; its numerical part) and of the probes, panels by unit. Free with plot_free;
 * an empty plot has no panels. */
plot run_recorder_energy(const run_recorder *w, const char *title);
/* A few lines for a terminal: the energy that is left, and what took the rest. */
plot run_recorder_ledger(const run_recorder *w);
plot run_recorder_probes(const run_recorder *w, const char *title);

#endif
