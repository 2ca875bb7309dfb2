/* progress.c: how a run goes, on stderr: one line that renews itself in a terminal, a few plain lines elsewhere. */
#include "progress.h"

#include "app.h"
#include "table.h"

#include <math.h>
#include <string.h>

static const double renew = 0.1, plain = 10.0; /* [s] between updates */

progress progress_begin(tru_sim *sim, bool quiet) {
    progress p = {.shown = !quiet, .terminal = terminal_width(stderr) > 0};
    p.begun = p.last = now();
    p.from = p.last_time = tru_time(tru_sim_world(sim));
    return p;
}

void duration_text(double seconds, char *out, size_t room) {
    const long whole = lround(seconds);
    if (!(seconds < 1e9))
        snprintf(out, room, "?");
    else if (seconds < 1.0)
        snprintf(out, room, "%.0f ms", 1e3 * seconds);
    else if (seconds < 9.95)
        snprintf(out, room, "%.1f s", seconds);
    else if (whole < 60)
        snprintf(out, room, "%ld s", whole);
    else if (whole < 3600)
        snprintf(out, room, "%ld min %ld s", whole / 60, whole % 60);
    else
        snprintf(out, room, "%ld h %ld min", whole / 3600, whole / 60 % 60);
}

static void describe(const progress *p, tru_sim *sim, char *out, size_t room) {
    const tru_world *w = tru_sim_world(sim);
    const tru_solve_info solve = tru_world_solve_info(w);
    const tru_ledger ledger = tru_world_ledger(w);
    const double time = tru_time(w), end = tru_sim_until(sim);
    char left[40], until[40];
    duration_text((end - time) / p->rate, left, sizeof left);
    tru_unit_format(TRU_UNIT_S, end, until, sizeof until);
    snprintf(
        out, room,
        "%.3f of %s  %2.0f %%  %.3g x real time  %s left  %zu bodies  %zu contact%s  %d iteration%s  residual %.1e  "
        "energy %.5g J",
        time, until, 100.0 * (time - p->from) / fmax(end - p->from, 1e-300), p->rate, left, tru_body_count(w),
        tru_contact_count(w), tru_contact_count(w) == 1 ? "" : "s", solve.iterations, solve.iterations == 1 ? "" : "s",
        solve.relative, ledger.kinetic + ledger.potential + ledger.stored);
}

void progress_update(progress *p, tru_sim *sim) {
    char line[400];
    const double clock = now(), pause = p->terminal ? renew : plain;
    if (!p->shown || clock - p->last < pause) return;
    const double time = tru_time(tru_sim_world(sim));
    const double late = (time - p->last_time) / (clock - p->last);
    p->rate = p->rate > 0.0 ? 0.8 * p->rate + 0.2 * late : late;
    p->last = clock;
    p->last_time = time;
    describe(p, sim, line, sizeof line);
    if (p->terminal) {
        const int width = terminal_width(stderr) - 1;
        if ((int)strlen(line) > width) line[width > 0 ? width : 0] = '\0';
        fprintf(stderr, "\r%s\033[K", line);
    } else {
        fprintf(stderr, "%s\n", line);
    }
    fflush(stderr);
}

void progress_end(progress *p) {
    if (p->shown && p->terminal) fputs("\r\033[K", stderr);
    fflush(stderr);
}
