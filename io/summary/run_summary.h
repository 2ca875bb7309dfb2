/* run_summary.h: what happened in a run, in words: the one summary of terminal, summary.json and report. */
#ifndef TRUNDLE_IO_RUN_SUMMARY_H
#define TRUNDLE_IO_RUN_SUMMARY_H

#include <trundle/io.h>

#include <stdio.h>

struct tru_story {
    tru_line *lines; /* texts are owned */
    size_t count, room;
    bool failed; /* no memory */
};

/* What a run tells, from a simulation or from a file of results. */
typedef struct run_facts {
    double time;         /* [s] reached */
    double step;         /* [s] */
    uint64_t steps;      /* done */
    const char *stepper; /* */
    const char *reason;  /* why it ended; "": it did not */
    const tru_event *events;
    size_t event_count;
    uint64_t counts[TRU_EVENT_KINDS]; /* also of events that are not listed */
    const char *(*name)(const void *of, tru_id body);
    const void *of;
    tru_ledger ledger;
    tru_solver_summary solver;
    double gravity; /* [m/s^2] size; 0: not known */
} run_facts;

/* Adds one line; a NULL label repeats none. */
void trio_run_summary_add(tru_story *s, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* How long it ran and why it ended. */
void trio_run_summary_ran(tru_story *s, const run_facts *f);
/* One line per body that had events: "coin: first slip at 25.29 s, stuck again at 25.68 s, flat at 67.65 s at ...". */
void trio_run_summary_events(tru_story *s, const run_facts *f);
/* Where the energy is and where it went, in J and in parts of what was lost; then the remark on energy that grew. */
void trio_run_summary_energy(tru_story *s, const tru_ledger *ledger);
/* How the solver did; then the remark on steps that fail one after the other. */
void trio_run_summary_solver(tru_story *s, const run_facts *f);

#endif
