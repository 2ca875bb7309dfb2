/* random_ladder.h: does the numerical part of the ledger fall with the step? The same scene at four steps, each a third of the
 * one before. One impact or one change from slip to stick leaves an error that depends on where in its step it falls, so
 * every rung is the mean over four runs whose steps differ by a few percent. */
#ifndef TRUNDLE_TESTS_PROPERTY_RANDOM_LADDER_H
#define TRUNDLE_TESTS_PROPERTY_RANDOM_LADDER_H

#include "random_draw.h"

/* All numerical entries with their sizes added, so that two that cancel are seen. */
static inline double ledger_numerical(const tru_ledger *l) {
    double sum = 0.0;
#define NUMERICAL_ENTRY(name, kind, doc) sum += strcmp(kind, "numerical") == 0 ? fabs(l->name) : 0.0;
    TRU_LEDGER_LIST(NUMERICAL_ENTRY)
#undef NUMERICAL_ENTRY
    return sum;
}

/* The largest numerical entry, for sentences. */
static inline const char *ledger_worst(const tru_ledger *l) {
    const char *worst = "none";
    double most = 0.0;
#define WORST_ENTRY(name, kind, doc)                                                                                   \
    if (strcmp(kind, "numerical") == 0 && fabs(l->name) > most) most = fabs(l->name), worst = #name;
    TRU_LEDGER_LIST(WORST_ENTRY)
#undef WORST_ENTRY
    return worst;
}

/* Slope of log y over log x, least squares. */
static inline double fitted_slope(const double *x, const double *y, int count) {
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int i = 0; i < count; i++) {
        const double lx = log(x[i]), ly = log(y[i]);
        sx += lx, sy += ly, sxx += lx * lx, sxy += lx * ly;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

enum { RUNGS = 4, MORE_RUNGS = 8, MOST_UNRESOLVED = 3, PHASES = 4 };
#define MOST_TURN 0.5 /* [rad] in a step: a body that a load has spun up beyond is not resolved, and no order is seen */

/* True if all bodies of a scene are disks on a floor: one, or some that pass through each other. */
static inline bool disks_alone(const random_scene *of) {
    return of->plane && (of->pass || (of->body_count == 1 && of->bodies[0].shape == DISK));
}

/* [rad] How far the fastest body turns in a step of this length. Under a disk that whirls nearly flat the contact runs round the rim
 * much faster than the disk turns: at the rate of its axis over the sine of its tilt. That counts while the disk has energy
 * to lose: the last of the whirl is never resolved. */
static inline double largest_turn(const random_scene *of, const tru_world *w, double step) {
    double most = 0.0;
    for (size_t k = 0; k < tru_body_count(w); k++) {
        tru_body_state s;
        if (tru_body_get(w, tru_body_at(w, k), &s, NULL) < 0) continue;
        most = fmax(most, step * v3_norm(s.angular_velocity));
        if (!disks_alone(of)) continue;
        const tru_vec3 axis = quat_rotate(s.orientation, v3(0.0, 0.0, 1.0));
        const double rate = v3_norm(v3_cross(axis, s.angular_velocity)), tilt = hypot(axis.x, axis.y);
        if (rate * of->length > 0.1 * of->speed) most = fmax(most, step * rate / fmax(tilt, step * rate));
    }
    return most;
}

/* Runs the scene with `count` steps; its numerical part is added to `part`. False: refused or stopped. */
static inline bool add_numerical(book *b, const random_scene *s, const way *how, int count, char text[SCENE_ROOM],
                                 double *part, double *turn, tru_ledger *last) {
    opened o;
    tru_error err;
    if (!book_try(b, s, how, s->until / count, "", text, &o)) return false;
    tru_status status = TRU_OK;
    for (int done = 0; done < count && status >= 0;) {
        /* a disk that slaps down runs over its rim within a few steps: none of them may be missed */
        const int most = disks_alone(s) ? 1 : (count + 63) / 64, some = count - done < most ? count - done : most;
        status = tru_run(o.world, (uint64_t)some, &err);
        done += some;
        *turn = fmax(*turn, largest_turn(s, o.world, s->until / count));
    }
    if (status < 0) book_stop(b, s, how, &err);
    *last = tru_world_ledger(o.world);
    *part += ledger_numerical(last) / PHASES;
    scene_close(&o);
    return status >= 0;
}

/* Fits the order at which the numerical part falls over the last four rungs, and asks for at least 0.6 of `order`: the fit's own
 * error is about 0.1. The order is that of small steps: two errors of opposite sign and different order cancel at some step,
 * and a coarse step may miss what happens. So the fit begins with the largest of the four parts, takes three rungs at least,
 * and the ladder continues to finer rungs until they show the order; an error that does not fall with the step shows at every
 * rung. Rungs in which a body turns by more than MOST_TURN do not count. A part below `floor` of the largest entry counts as
 * round-off. */
static inline void check_ladder(book *b, const random_scene *s, const way *how, int steps, double order, double floor,
                                char text[SCENE_ROOM]) {
    double part[MORE_RUNGS] = {0.0}, step[MORE_RUNGS], slope = 0.0, unit = 1.0;
    const double *end = part;
    tru_ledger last = {0};
    int rungs = 0, resolved = 0, count = steps;
    for (; rungs < MORE_RUNGS && (rungs < resolved + RUNGS || slope < 0.6 * order); count *= 3) {
        step[rungs] = 1.0 / count;
        double turn = 0.0;
        for (int j = 0; j < PHASES; j++)
            if (!add_numerical(b, s, how, count + count * j / 15, text, &part[rungs], &turn, &last)) return;
        unit = ledger_largest(&last);
        rungs++;
        if (turn > MOST_TURN) resolved = rungs;
        if (resolved > MOST_UNRESOLVED) return; /* fewer than five rungs would resolve the motion */
        if (rungs < resolved + RUNGS) continue;
        end = &part[rungs - RUNGS];
        if (end[RUNGS - 1] <= floor * unit) return;
        int first = 0;
        for (int k = 1; k < RUNGS; k++)
            if (end[k] > end[first]) first = k;
        slope = first < 2 ? fitted_slope(&step[rungs - RUNGS + first], end + first, RUNGS - first) : 0.0;
    }
    book_check(b, slope >= 0.6 * order, s, how, text,
               "numerical part %.3g, %.3g, %.3g, %.3g of the largest entry up to %d steps, slope %.2f, mostly %s",
               end[0] / unit, end[1] / unit, end[2] / unit, end[3] / unit, count / 3, slope, ledger_worst(&last));
}

#endif
