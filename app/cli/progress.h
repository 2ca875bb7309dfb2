/* progress.h: how a run goes, on stderr: one line that renews itself in a terminal, a few plain lines elsewhere. */
#ifndef TRUNDLE_APP_PROGRESS_H
#define TRUNDLE_APP_PROGRESS_H

#include <trundle/io.h>

typedef struct progress {
    bool shown, terminal;
    double begun, last; /* [s] wall clock */
    double from;        /* [s] simulated time at the start */
    double rate;        /* [-] simulated per wall second of late */
    double last_time;   /* [s] simulated time at the last update */
} progress;

progress progress_begin(tru_sim *sim, bool quiet);
/* Show the state if it is time to: at most ten times a second in a terminal, every ten seconds elsewhere. */
void progress_update(progress *p, tru_sim *sim);
/* Wipe the line. */
void progress_end(progress *p);

/* A duration as people say it: "850 ms", "12 s", "3 min 20 s", "5 h 12 min". */
void duration_text(double seconds, char *out, size_t room);

#endif
