/* progress.h: shows the progress of a run on stderr: one line that is updated in a terminal, a few plain lines elsewhere. */
#ifndef TRUNDLE_APP_PROGRESS_H
#define TRUNDLE_APP_PROGRESS_H

#include <trundle/io.h>

typedef struct progress {
    bool shown, terminal;
    double begun, last; /* [s] wall clock */
    double from;        /* [s] simulated time at the start */
    double rate;        /* [-] simulated time per wall time, recent average */
    double last_time;   /* [s] simulated time at the last update */
} progress;

progress progress_begin(tru_sim *sim, bool quiet);
/* Shows the progress if it is due: at most ten times a second in a terminal, every ten seconds elsewhere. */
void progress_update(progress *p, tru_sim *sim);
/* Clears the line. */
void progress_end(progress *p);

/* Writes a duration: "850 ms", "12 s", "3 min 20 s", "5 h 12 min". */
void duration_text(double seconds, char *out, size_t room);

#endif
