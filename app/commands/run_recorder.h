/* run_recorder.h: the ledger and the recorded probes of a run over time, for plots. */
#ifndef TRUNDLE_APP_WATCH_H
#define TRUNDLE_APP_WATCH_H

#include "draw/plot.h"

#include <trundle/io.h>

typedef struct watch {
    series *data;       /* the entries of the ledger, three sums, then the plan's probes */
    size_t probes;      /* how many of them are watched */
    tru_unit *units;    /* of the probes */
    const char **names; /* of the probes; the scene's */
    uint64_t every;     /* steps between samples */
    double *row;
} watch;

/* Watch a simulation; with probes at the plan's own pace, else the ledger only, a few thousand times. */
watch *watch_begin(tru_sim *sim, const tru_scene *scene, bool probes);
void watch_free(watch *w);
/* Take a sample if one is due at this step (or `force`). */
void watch_step(watch *w, tru_sim *sim, bool force);
/* Steps until the next sample. */
uint64_t watch_ahead(const watch *w, const tru_sim *sim);

/* Plots of the energy (where it is and went; its numerical part) and of the probes, panels by unit. Free with plot_free;
 * an empty plot has no panels. */
plot watch_energy(const watch *w, const char *title);
/* A few lines for a terminal: the energy that is left, and what took the rest. */
plot watch_ledger(const watch *w);
plot watch_probes(const watch *w, const char *title);

#endif
