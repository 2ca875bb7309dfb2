/* compare_state.h: one scene by several methods at several steps: what is kept of their runs. */
#ifndef TRUNDLE_IO_COMPARE_STATE_H
#define TRUNDLE_IO_COMPARE_STATE_H

#include <trundle/study.h>

#include "common/store.h"

enum { LEVELS = TRU_COMPARE_LEVELS, MOST_LEVELS = TRU_COMPARE_MOST_LEVELS, SAMPLES = TRU_COMPARE_SAMPLES };

/* What one run sends back. */
typedef struct outcome {
    tru_status status;
    char text[500];
    double seconds; /* [s] wall clock */
    int order;      /* lowest order that the stepper promised during the run */
    bool impacts;   /* then only first order can be expected */
    bool switches;  /* between slip and stick: their place within a step changes the error */
    double speed;   /* [m/s] of the fastest body at these times */
    double values[SAMPLES][TRU_COMPARE_PROBES]; /* [unit of the probe] at equal times */
} outcome;

struct tru_compare {
    tru_compare_info info;
    tru_method methods[TRU_COMPARE_METHODS];
    const char *step_paths[TRU_COMPARE_METHODS]; /* of their steps in the scene */
    const char *probes[TRU_COMPARE_PROBES];
    tru_unit units[TRU_COMPARE_PROBES];
    store texts; /* of methods and probes */
    tru_scene *scene;
    double coarse; /* [s] longest step of all methods: samples lie on its multiples */
    size_t bodies;
    outcome *outcomes; /* method x level, MOST_LEVELS of them */
    bool ran;
    size_t done, all;         /* runs of the present call */
    const tru_study_how *how; /* of the present call */
};

#endif
