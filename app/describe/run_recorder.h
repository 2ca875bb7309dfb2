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

/* Begins to record a simulation: with probes at the interval of the plan, otherwise only the ledger at a few thousand
 * times. */
run_recorder *run_recorder_begin(tru_sim *sim, const tru_scene *scene, bool probes);
void run_recorder_free(run_recorder *w);
/* Takes a sample if one is due at this step, or if `force` is true. */
void run_recorder_step(run_recorder *w, tru_sim *sim, bool force);
/* Returns the number of steps until the next sample. */
uint64_t run_recorder_ahead(const run_recorder *w, const tru_sim *sim);

/* Return plots of the energy ledger and of the probes, one panel per unit. plot_free frees them. An empty plot has no
 * panels. */
plot run_recorder_energy(const run_recorder *w, const char *title);
/* Returns a plot for a terminal: the remaining energy, and what dissipated the rest. */
plot run_recorder_ledger(const run_recorder *w);
plot run_recorder_probes(const run_recorder *w, const char *title);

#endif
