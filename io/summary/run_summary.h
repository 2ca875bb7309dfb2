/* run_summary.h: the summary of a run in words, which terminal, summary.json and report share. */
#ifndef TRUNDLE_IO_RUN_SUMMARY_H
#define TRUNDLE_IO_RUN_SUMMARY_H

#include <trundle/io.h>

#include <stdio.h>

struct tru_story {
    tru_line *lines; /* texts are owned */
    size_t count, room;
    bool failed; /* no memory */
};

/* Facts of a run, from a simulation or from a file of results. */
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

/* Adds one line. NULL as label adds a line without one. */
void trio_run_summary_add(tru_story *s, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds how long the run took and why it ended. */
void trio_run_summary_ran(tru_story *s, const run_facts *f);
/* Adds one line per body that had events: "coin: first slips at 25.29 s, sticks again at 25.68 s, lies flat at 67.65 s at
 * ...". */
void trio_run_summary_events(tru_story *s, const run_facts *f);
/* Adds the energy ledger in J and in percent of the lost energy, and remarks on energy that grew and on coarse steps. */
void trio_run_summary_energy(tru_story *s, const tru_ledger *ledger);
/* Adds the totals of the solver, and a remark if many steps did not converge. */
void trio_run_summary_solver(tru_story *s, const run_facts *f);

#endif
