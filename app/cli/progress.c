/* progress.c: shows the progress of a run on stderr: one line that is updated in a terminal, a few plain lines elsewhere. */
#include "progress.h"

#include "app.h"
#include "text/table.h"

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

/* Parts of the line in their order. If the line is too long, those with the highest number are dropped first. */
enum { PARTS = 9, PART_ROOM = 48 };
static const int goes[PARTS] = {0, 5, 6, 7, 0, 3, 2, 1, 8};

static void describe(const progress *p, tru_sim *sim, char part[PARTS][PART_ROOM]) {
    const tru_world *w = tru_sim_world(sim);
    const tru_solve_info solve = tru_world_solve_info(w);
    const tru_ledger ledger = tru_world_ledger(w);
    const double time = tru_time(w), end = tru_sim_until(sim);
    const size_t contacts = tru_contact_count(w);
    char left[40], until[40];
    duration_text((end - time) / p->rate, left, sizeof left);
    tru_unit_format(TRU_UNIT_S, end, until, sizeof until);
    snprintf(part[0], PART_ROOM, "%.3f s", time);
    snprintf(part[1], PART_ROOM, " of %.40s", until);
    snprintf(part[2], PART_ROOM, "  %2.0f %%", 100.0 * (time - p->from) / fmax(end - p->from, 1e-300));
    snprintf(part[3], PART_ROOM, "  %.3g x real time", p->rate);
    snprintf(part[4], PART_ROOM, "  %s left", left);
    snprintf(part[5], PART_ROOM, "  %zu bodies", tru_body_count(w));
    snprintf(part[6], PART_ROOM, "  %zu contact%s", contacts, contacts == 1 ? "" : "s");
    snprintf(part[7], PART_ROOM, "  %d iteration%s  residual %.1e", solve.iterations, solve.iterations == 1 ? "" : "s",
             solve.relative);
    snprintf(part[8], PART_ROOM, "  energy %.5g J", ledger.kinetic + ledger.potential + ledger.stored);
}

/* Prints the part of the line that fits into the columns. */
static void join(char part[PARTS][PART_ROOM], int width, char *out, size_t room) {
    for (int most = PARTS - 1;; most--) {
        size_t used = 0;
        for (int k = 0; k < PARTS; k++)
            if (goes[k] <= most) used += (size_t)snprintf(out + used, room - used, "%s", part[k]);
        if ((int)used <= width || most == 0) break;
    }
    if ((int)strlen(out) > width) out[width > 0 ? width : 0] = '\0';
}

void progress_update(progress *p, tru_sim *sim) {
    char line[PARTS * PART_ROOM];
    const double clock = now(), pause = p->terminal ? renew : plain;
    if (!p->shown || clock - p->last < pause) return;
    const double time = tru_time(tru_sim_world(sim));
    const double late = (time - p->last_time) / (clock - p->last);
    p->rate = p->rate > 0.0 ? 0.8 * p->rate + 0.2 * late : late;
    p->last = clock;
    p->last_time = time;
    char part[PARTS][PART_ROOM];
    describe(p, sim, part);
    join(part, p->terminal ? terminal_width(stderr) - 1 : (int)sizeof line - 1, line, sizeof line);
    fprintf(stderr, p->terminal ? "\r%s\033[K" : "%s\n", line);
    fflush(stderr);
}

void progress_end(progress *p) {
    if (p->shown && p->terminal) fputs("\r\033[K", stderr);
    fflush(stderr);
}
