/* story.c: what happened in a run, in words. */
#include "story.h"

#include "app.h"

#include <trundle/analysis.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 6 };

/* ---- events ---- */

/* What is so from the first step on began before it. */
static bool from_start(const tru_event *e, double step) { return e->time <= 1.5 * step; }

bool story_tells(const tru_event *e, double step, story_past *seen) {
    const int row = e->row_kind >= 0 && e->row_kind < TRU_KINDS ? e->row_kind : TRU_KIND_SLIDE;
    const int often = row == TRU_KIND_SLIDE ? 2 : 1;
    switch (e->kind) {
    case TRU_EVENT_SLIP:
        if (from_start(e, step))
            return seen->starts[row]++ == 0 && row == TRU_KIND_SLIDE; /* once for all its contacts */
        return seen->slips[row]++ < often;
    case TRU_EVENT_STICK:
        return seen->sticks[row]++ < often && !from_start(e, step);
    case TRU_EVENT_TOUCH:
        return !from_start(e, step) && seen->touches++ == 0;
    case TRU_EVENT_LIFT:
        return seen->lifts++ == 0;
    case TRU_EVENT_FLAT:
    case TRU_EVENT_REST:
        return true;
    default:
        return seen->others++ < 2;
    }
}

static void phrase_mode(const tru_event *e, double step, const story_past *seen, char *out, size_t room) {
    static const char *const slip[TRU_KINDS] = {"slip", "slip", "spinning", "rolling"};
    static const char *const stick[TRU_KINDS] = {"stuck", "stuck", "no more spin", "no more roll"};
    const int row = e->row_kind >= 0 && e->row_kind < TRU_KINDS ? e->row_kind : TRU_KIND_SLIDE;
    /* what first slides later had been stuck before */
    const bool later = seen->slips[row] > 0 && seen->starts[row] == 0;
    const bool again = row == TRU_KIND_SLIDE && (seen->sticks[row] > 1 || later);
    if (e->kind == TRU_EVENT_SLIP && from_start(e, step))
        snprintf(out, room, "slips from the start");
    else if (e->kind == TRU_EVENT_SLIP)
        snprintf(out, room, "%s%s at %.5g s", seen->slips[row] + seen->starts[row] > 1 ? "again " : "first ", slip[row],
                 e->time);
    else
        snprintf(out, room, "%s%s at %.5g s", stick[row], again ? " again" : "", e->time);
}

/* One event as a phrase. */
static void phrase(const tru_sim *sim, const tru_event *e, const story_past *seen, char *out, size_t room) {
    const char *name = tru_sim_body_name(sim, e->body_b), *other = name ? name : "?";
    switch (e->kind) {
    case TRU_EVENT_SLIP:
    case TRU_EVENT_STICK:
        phrase_mode(e, tru_step_size(tru_sim_world((tru_sim *)sim)), seen, out, room);
        break;
    case TRU_EVENT_TOUCH:
        snprintf(out, room, "touches %s at %.5g s with %.3g m/s", other, e->time, e->speed);
        break;
    case TRU_EVENT_LIFT:
        snprintf(out, room, "off %s at %.5g s", other, e->time);
        break;
    case TRU_EVENT_FLAT:
    case TRU_EVENT_REST:
        snprintf(out, room, "%s at %.5g s at (%.5g, %.5g) m", e->kind == TRU_EVENT_FLAT ? "flat" : "at rest", e->time,
                 e->position.x, e->position.y);
        break;
    default:
        snprintf(out, room, "%s at %.5g s", tru_event_name(e->kind), e->time);
    }
}

static void story_body(const tru_sim *sim, tru_id body, const tru_event *events, size_t count, FILE *out) {
    const tru_world *w = tru_sim_world((tru_sim *)sim);
    size_t told = 0, untold = 0;
    story_past seen = {0};
    char text[160];
    for (size_t i = 0; i < count; i++) {
        if (events[i].body_a != body) continue;
        if (!story_tells(&events[i], tru_step_size(w), &seen)) {
            untold += !from_start(&events[i], tru_step_size(w));
            continue;
        }
        phrase(sim, &events[i], &seen, text, sizeof text);
        fprintf(out, "%s%s", told++ ? ", " : "", text);
    }
    if (untold) fprintf(out, "%s%zu further events", told ? "; " : "", untold);
    if (!told && !untold) fputs("no event after the start", out);
}

static size_t bodies_with_events(const tru_event *events, size_t count, tru_id ids[BODIES]) {
    size_t found = 0, all = 0;
    for (size_t i = 0; i < count && all <= BODIES; i++) {
        bool known = false;
        for (size_t k = 0; k < found; k++) known = known || ids[k] == events[i].body_a;
        if (known) continue;
        all++;
        if (found < BODIES) ids[found++] = events[i].body_a;
    }
    return all;
}

static void story_counts(table *t, const tru_sim *sim) {
    bool first = true;
    table_cell(t, "events");
    FILE *out = table_cell_begin(t);
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        const uint64_t count = tru_sim_event_count(sim, (tru_event_kind)kind);
        if (count == 0) continue;
        fprintf(out, "%s%s %llu times", first ? "" : ", ", tru_event_name(kind), (unsigned long long)count);
        first = false;
    }
    table_cell_end(t);
}

void story_events(table *t, const tru_sim *sim) {
    size_t count;
    tru_id ids[BODIES];
    const tru_event *events = tru_sim_events(sim, &count);
    const size_t bodies = bodies_with_events(events, count, ids);
    if (bodies > BODIES) {
        story_counts(t, sim);
        return;
    }
    for (size_t k = 0; k < bodies; k++) {
        const char *name = tru_sim_body_name(sim, ids[k]);
        if (!name) continue;
        table_cell(t, "%s", name);
        story_body(sim, ids[k], events, count, table_cell_begin(t));
        table_cell_end(t);
    }
}

/* ---- energy ---- */

typedef struct ledger_entry {
    const char *name, *kind, *doc;
    double value; /* [J] */
} ledger_entry;

enum {
#define COUNT_ENTRY(name, kind, doc) ENTRY_##name,
    TRU_LEDGER_LIST(COUNT_ENTRY)
#undef COUNT_ENTRY
        ENTRIES
};

static void ledger_entries(const tru_ledger *l, ledger_entry out[ENTRIES]) {
#define FILL_ENTRY(name, kind, doc) out[ENTRY_##name] = (ledger_entry){#name, kind, doc, l->name};
    TRU_LEDGER_LIST(FILL_ENTRY)
#undef FILL_ENTRY
}

/* What the entries of a kind come to, in size or with their signs. */
static double kind_sum(const tru_ledger *l, const char *kind, bool size) {
    ledger_entry entries[ENTRIES];
    double sum = 0.0;
    ledger_entries(l, entries);
    for (size_t k = 0; k < ENTRIES; k++)
        if (strcmp(kind, entries[k].kind) == 0) sum += size ? fabs(entries[k].value) : entries[k].value;
    return sum;
}

/* Entries of one kind that are not zero, and not round-off beside the other losses: "0.143 J by sliding (80 %)", of numerical ones only their names, with the sign of what they added. */
static void story_kind(FILE *out, const tru_ledger *l, const char *kind) {
    ledger_entry entries[ENTRIES];
    const double lost = kind_sum(l, "dissipated", false);
    const bool numerical = strcmp(kind, "numerical") == 0, dissipated = strcmp(kind, "dissipated") == 0;
    bool first = true;
    ledger_entries(l, entries);
    for (size_t k = 0; k < ENTRIES; k++) {
        const ledger_entry *e = &entries[k];
        if (strcmp(kind, e->kind) != 0 || e->value == 0.0) continue;
        if (dissipated && fabs(e->value) < 1e-12 * kind_sum(l, kind, true)) continue;
        fprintf(out, numerical ? "%s%+.4g J %s" : "%s%.4g J %s", first ? "" : ", ", e->value,
                numerical ? e->name : e->doc);
        if (dissipated && lost > 0.0) fprintf(out, " (%.3g %%)", 100.0 * e->value / lost);
        first = false;
    }
    if (first) fputs("none", out);
}

/* What made the energy grow is not left for the reader to find. Friction and impacts count together: in an impact that turns
 * the slip round, friction gives back what the normal impulse takes. Numerical terms go to and fro: a thousandth is worth a word. */
static void story_gain(table *t, const tru_ledger *l) {
    const double contacts = -(l->slide + l->spin + l->roll + l->impact), numerical = kind_sum(l, "numerical", false);
    const double supplied = kind_sum(l, "supplied", false);
    const double grown = l->kinetic + l->potential + l->stored - l->start - supplied;
    const double through = fabs(l->start) + kind_sum(l, "dissipated", true) + kind_sum(l, "supplied", true);
    if (!(grown > (contacts > numerical ? 1e-6 : 1e-3) * through)) return; /* nor of what is not finite */
    table_cell(t, "remark");
    FILE *out = table_cell_begin(t);
    fprintf(out, "the energy grew by %.3g J: ", grown);
    if (contacts > numerical)
        fputs(
            "Newton's restitution can do that where a body strikes a rough surface off its centre; Poisson's (stepper cone, "
            "impact: poisson) does not",
            out);
    else if (2.0 * l->lift > numerical)
        fputs("form: relaxed lifts what slips, form: exact does not", out);
    else if (2.0 * l->gyroscopic > numerical)
        fputs(
            "the gyroscopic torque of bodies that are not isotropic was taken at the start of the step, as scheme paper "
            "of moreau does; scheme midpoint does not",
            out);
    else
        fputs("a smaller step lowers it", out);
    table_cell_end(t);
}

/* A step is coarse if more than this part of what was lost is the method's own. */
#define COARSE_PART 0.05 /* [-] */

/* The numerical terms that a shorter step lowers, if one of them is a share of the lost energy that is worth a word. */
static void story_coarse(table *t, const tru_ledger *l) {
    const struct {
        const char *name;
        double gain; /* [J] */
    } terms[] = {{"theta_shift", l->theta_shift}, {"gyroscopic", l->gyroscopic}, {"projection", l->projection}};
    const double through = fabs(l->start) + kind_sum(l, "dissipated", true) + kind_sum(l, "supplied", true);
    const double dissipated = kind_sum(l, "dissipated", false);
    for (size_t k = 0; k < sizeof terms / sizeof *terms; k++) {
        const double gain = terms[k].gain, lost = dissipated + fmax(0.0, -gain);
        if (!(fabs(gain) > COARSE_PART * lost && fabs(gain) > 1e-3 * through && lost > 1e-3 * through)) continue;
        table_cell(t, "remark");
        table_cell(t, "%.2g %% of the lost energy %s (%s): take a smaller step", 100.0 * fabs(gain) / lost,
                   gain < 0.0 ? "is numerical" : "was put back by numerics", terms[k].name);
    }
}

void story_energy(table *t, const tru_ledger *l) {
    table_cell(t, "energy");
    table_cell(t, "%.6g J at the start, %.6g J now (kinetic %.4g, potential %.4g, stored %.4g)", l->start,
               l->kinetic + l->potential + l->stored, l->kinetic, l->potential, l->stored);
    if (kind_sum(l, "supplied", true) > 0.0) {
        table_cell(t, "supplied");
        story_kind(table_cell_begin(t), l, "supplied");
        table_cell_end(t);
    }
    table_cell(t, "dissipated");
    story_kind(table_cell_begin(t), l, "dissipated");
    table_cell_end(t);
    table_cell(t, "numerical");
    FILE *out = table_cell_begin(t);
    story_kind(out, l, "numerical");
    fprintf(out, "; the books close to %.1e J", fabs(tru_ledger_gap(l)));
    table_cell_end(t);
    story_gain(t, l);
    story_coarse(t, l);
}

/* ---- solver ---- */

/* ", stone-4711/stone-812" */
static void tell_pair(FILE *out, const tru_sim *sim, tru_id a, tru_id b) {
    const char *first = tru_sim_body_name(sim, a), *second = tru_sim_body_name(sim, b);
    if (!first) return;
    fprintf(out, ", %s", first);
    if (second) fprintf(out, "/%s", second);
}

/* What the relaxed form does beside friction: contacts that slip separate, those that slip suddenly throw their bodies up. */
static void tell_lift(FILE *out, const tru_world *w, const tru_solver_summary *s) {
    const tru_vec3 g = tru_world_gravity(w);
    const double size = sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
    fprintf(out, "; relaxed: slip lifts by up to %.2e m/s, the largest hop has %.2e m/s", s->lift, s->hop);
    if (size > 0.0) fprintf(out, " (%.3g m high)", 0.5 * s->hop * s->hop / size);
    fprintf(out, " at t = %.5g s", s->hop_time);
}

/* Steps that fail one after the other have a reason that more sweeps do not cure. */
static void story_unsolved(table *t, const tru_solver_summary *s) {
    if (10 * s->unconverged < s->steps || s->worst_relative < 1e-6) return;
    table_cell(t, "remark");
    table_cell(
        t,
        "so many steps fail where contacts contradict each other, as of a body squeezed between fixed ones; with compliance "
        "in its pair (stepper cone), or springs (stepper track), it yields");
}

void story_solver(table *t, const tru_sim *sim) {
    const tru_solver_summary s = tru_sim_solver(sim);
    if (s.steps == 0) return;
    table_cell(t, "solver");
    FILE *out = table_cell_begin(t);
    fprintf(out, "%.3g iterations per step, at most %d; ", (double)s.iterations / (double)s.steps, s.most_iterations);
    if (s.unconverged == 0) {
        fprintf(out, "every step converged; worst residual %.1e at %.5g s", s.worst_relative, s.worst_time);
    } else {
        fprintf(out, "%llu of %llu steps hit the cap; worst %.1e m/s at t = %.5g s", (unsigned long long)s.unconverged,
                (unsigned long long)s.steps, s.worst_speed, s.worst_time);
        tell_pair(out, sim, s.worst_a, s.worst_b);
    }
    if (s.lift > 0.0) tell_lift(out, tru_sim_world((tru_sim *)sim), &s);
    table_cell_end(t);
    story_unsolved(t, &s);
}

void story_heap(table *t, const tru_world *w) {
    const double deg = 57.29577951308232;
    tru_repose r;
    char spread[40] = "";
    if (tru_repose_of_world(w, &r, NULL) < 0) return;
    const bool known = !isnan(r.angle_error); /* not where a quadrant has no flank */
    if (known) snprintf(spread, sizeof spread, " +- %.1f", deg * r.angle_error);
    table_cell(t, "heap");
    table_cell(t, "%.1f%s deg on the flank (line over %d rings%s), %.1f deg by the medians, centre of mass %.4f m high",
               deg * r.angle, spread, (int)r.rings, known ? ", spread of quadrants" : "", deg * r.median_angle,
               r.centre);
}
