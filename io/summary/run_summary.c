/* run_summary.c: the summary of a run in words. */
#define _POSIX_C_SOURCE 200809L
#include "run_summary.h"

#include "common/grow.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 6 };

/* ---- lines ---- */

/* A text that is written piece by piece. */
typedef struct writing {
    FILE *out; /* NULL: no memory */
    char *text;
    size_t length;
} writing;

static void writing_begin(writing *w) {
    *w = (writing){0};
    w->out = open_memstream(&w->text, &w->length);
}

static void __attribute__((format(printf, 2, 3))) put(writing *w, const char *format, ...) {
    va_list list;
    if (!w->out) return;
    va_start(list, format);
    vfprintf(w->out, format, list);
    va_end(list);
}

/* Adds the text as a line and passes its ownership to the summary. */
static void summary_take(tru_story *s, const char *label, writing *w) {
    const bool good = w->out && fclose(w->out) == 0 && w->text && GROW(s->lines, s->room, s->count + 1);
    char *name = good ? copy_text(label) : NULL;
    if (name) {
        s->lines[s->count++] = (tru_line){name, w->text};
        return;
    }
    free(w->text);
    s->failed = true;
}

void trio_run_summary_add(tru_story *s, const char *label, const char *format, ...) {
    va_list list;
    writing w;
    writing_begin(&w);
    va_start(list, format);
    if (w.out) vfprintf(w.out, format, list);
    va_end(list);
    summary_take(s, label, &w);
}

const tru_line *tru_story_line(const tru_story *s, size_t k) { return s && k < s->count ? &s->lines[k] : NULL; }

void tru_story_free(tru_story *s) {
    if (!s) return;
    for (size_t k = 0; k < s->count; k++) {
        free((void *)s->lines[k].label);
        free((void *)s->lines[k].text);
    }
    free(s->lines);
    free(s);
}

void trio_run_summary_ran(tru_story *s, const run_facts *f) {
    trio_run_summary_add(s, "ran", "%.9g s in %llu steps of %.9g s with %s; %s", f->time, (unsigned long long)f->steps,
                         f->step, f->stepper, *f->reason ? f->reason : "not finished");
}

/* ---- events ---- */

/* A mode that holds from the first step on began before it. */
static bool from_start(const tru_event *e, double step) { return e->time <= 1.5 * step; }

/* What the summary has said about a body so far. */
typedef struct body_past {
    int slips[TRU_KINDS], sticks[TRU_KINDS], starts[TRU_KINDS], touches, lifts, others;
} body_past;

/* True if an event is worth telling: every flat and rest, the first two slips and sticks of sliding, the first of every
 * other kind; not what is so from the start. Events must be asked in order. */
static bool is_told(const tru_event *e, double step, body_past *seen) {
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

static void phrase_mode(const tru_event *e, double step, const body_past *seen, char *out, size_t room) {
    static const char *const first[TRU_KINDS] = {"first slips", "first slips", "starts spinning", "starts rolling"};
    static const char *const next[TRU_KINDS] = {"slips again", "slips again", "spins again", "rolls again"};
    static const char *const stick[TRU_KINDS] = {"sticks", "sticks", "stops spinning", "stops rolling"};
    const int row = e->row_kind >= 0 && e->row_kind < TRU_KINDS ? e->row_kind : TRU_KIND_SLIDE;
    /* a contact whose first slip is not at the start was stuck before */
    const bool later = seen->slips[row] > 0 && seen->starts[row] == 0;
    const bool again = row == TRU_KIND_SLIDE && (seen->sticks[row] > 1 || later);
    if (e->kind == TRU_EVENT_SLIP && from_start(e, step))
        snprintf(out, room, "slips from the start");
    else if (e->kind == TRU_EVENT_SLIP)
        snprintf(out, room, "%s at %.5g s", seen->slips[row] + seen->starts[row] > 1 ? next[row] : first[row], e->time);
    else
        snprintf(out, room, "%s%s at %.5g s", stick[row], again ? " again" : "", e->time);
}

/* Writes one event as a phrase. */
static void phrase(const run_facts *f, const tru_event *e, const body_past *seen, char *out, size_t room) {
    const char *name = f->name(f->of, e->body_b), *other = name ? name : "?";
    switch (e->kind) {
    case TRU_EVENT_SLIP:
    case TRU_EVENT_STICK:
        phrase_mode(e, f->step, seen, out, room);
        break;
    case TRU_EVENT_TOUCH:
        snprintf(out, room, "touches %s at %.5g s with %.3g m/s", other, e->time, e->speed);
        break;
    case TRU_EVENT_LIFT:
        snprintf(out, room, "lifts off %s at %.5g s", other, e->time);
        break;
    case TRU_EVENT_FLAT:
    case TRU_EVENT_REST:
        snprintf(out, room, "%s at %.5g s at (%.5g, %.5g) m", e->kind == TRU_EVENT_FLAT ? "lies flat" : "comes to rest",
                 e->time, e->position.x, e->position.y);
        break;
    default:
        snprintf(out, room, "%s at %.5g s", tru_event_name(e->kind), e->time);
    }
}

static void summarise_body(const run_facts *f, tru_id body, writing *out) {
    size_t told = 0, untold = 0;
    body_past seen = {0};
    char text[160];
    for (size_t i = 0; i < f->event_count; i++) {
        const tru_event *e = &f->events[i];
        if (e->body_a != body) continue;
        if (!is_told(e, f->step, &seen)) {
            untold += !from_start(e, f->step);
            continue;
        }
        phrase(f, e, &seen, text, sizeof text);
        put(out, "%s%s", told++ ? ", " : "", text);
    }
    if (untold) put(out, "%s%zu further event%s", told ? "; " : "", untold, untold == 1 ? "" : "s");
    if (!told && !untold) put(out, "no event after the start");
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

static void summarise_counts(tru_story *s, const run_facts *f) {
    bool first = true;
    writing out;
    writing_begin(&out);
    for (int kind = 0; kind < TRU_EVENT_KINDS; kind++) {
        if (f->counts[kind] == 0) continue;
        put(&out, "%s%s %llu times", first ? "" : ", ", tru_event_name(kind), (unsigned long long)f->counts[kind]);
        first = false;
    }
    summary_take(s, "events", &out);
}

void trio_run_summary_events(tru_story *s, const run_facts *f) {
    tru_id ids[BODIES];
    const size_t bodies = bodies_with_events(f->events, f->event_count, ids);
    if (bodies > BODIES) {
        summarise_counts(s, f);
        return;
    }
    for (size_t k = 0; k < bodies; k++) {
        const char *name = f->name(f->of, ids[k]);
        writing out;
        if (!name) continue;
        writing_begin(&out);
        summarise_body(f, ids[k], &out);
        summary_take(s, name, &out);
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

/* Returns the sum of the entries of a kind, of their sizes or with their signs. */
static double kind_sum(const tru_ledger *l, const char *kind, bool size) {
    ledger_entry entries[ENTRIES];
    double sum = 0.0;
    ledger_entries(l, entries);
    for (size_t k = 0; k < ENTRIES; k++)
        if (strcmp(kind, entries[k].kind) == 0) sum += size ? fabs(entries[k].value) : entries[k].value;
    return sum;
}

/* Returns the largest energy of the ledger. Entries below 1e-12 of it are round-off. */
static double ledger_size(const tru_ledger *l) {
    const double size = fmax(fmax(fabs(l->start), fabs(l->kinetic)), fmax(fabs(l->potential), fabs(l->stored)));
    return fmax(size, fmax(kind_sum(l, "dissipated", true), kind_sum(l, "supplied", true)));
}

/* Returns true if percentages are meaningful: every part is a loss above round-off. */
static bool has_shares(const tru_ledger *l) {
    const double lost = kind_sum(l, "dissipated", true);
    return lost > 1e-12 * ledger_size(l) && lost - kind_sum(l, "dissipated", false) <= 1e-9 * lost;
}

/* Entries of one kind that are not zero, and not round-off alongside the others: "0.143 J by sliding (80 %)", of numerical ones only their names, with the sign of what they added. */
static void put_kind(writing *out, const tru_ledger *l, const char *kind) {
    ledger_entry entries[ENTRIES];
    const double lost = kind_sum(l, "dissipated", false);
    const bool numerical = strcmp(kind, "numerical") == 0, dissipated = strcmp(kind, "dissipated") == 0;
    const double least = numerical ? 0.0 : fmax(1e-12 * kind_sum(l, kind, true), 1e-15 * ledger_size(l));
    bool first = true;
    ledger_entries(l, entries);
    for (size_t k = 0; k < ENTRIES; k++) {
        const ledger_entry *e = &entries[k];
        if (strcmp(kind, e->kind) != 0 || e->value == 0.0 || fabs(e->value) < least) continue;
        put(out, first ? "" : ", ");
        if (numerical)
            put(out, "%+.4g J %s", e->value, e->name);
        else
            put(out, "%.4g J %s", e->value, e->doc);
        if (dissipated && has_shares(l)) put(out, " (%.3g %%)", 100.0 * e->value / lost);
        first = false;
    }
    if (first) put(out, "none");
}

static void summarise_kind(tru_story *s, const tru_ledger *l, const char *kind) {
    writing out;
    writing_begin(&out);
    put_kind(&out, l, kind);
    if (strcmp(kind, "numerical") == 0) put(&out, "; energy balance closes to %.1e J", fabs(tru_ledger_gap(l)));
    summary_take(s, kind, &out);
}

/* Says why the energy grew. Friction and impacts count together: in an impact that reverses the slip, friction returns what
 * the normal impulse takes. Numerical terms fluctuate, so they count from a thousandth on. */
static void remark_on_gain(tru_story *s, const tru_ledger *l) {
    const double contacts = -(l->slide + l->spin + l->roll + l->impact), numerical = kind_sum(l, "numerical", false);
    const double supplied = kind_sum(l, "supplied", false);
    const double grown = l->kinetic + l->potential + l->stored - l->start - supplied;
    const double through = fabs(l->start) + kind_sum(l, "dissipated", true) + kind_sum(l, "supplied", true);
    const char *why = "a smaller step reduces this";
    if (!(grown > (contacts > numerical ? 1e-6 : 1e-3) * through)) return; /* also false for NaN */
    if (contacts > numerical)
        why =
            "Newton's restitution can add energy in an oblique impact with friction; Poisson's (stepper cone, impact: poisson) does not";
    else if (2.0 * l->gyroscopic > numerical)
        why =
            "scheme paper of moreau takes the gyroscopic torque at the start of the step, which adds energy to bodies with unequal moments of inertia; scheme midpoint does not";
    trio_run_summary_add(s, "remark", "the energy grew by %.3g J: %s", grown, why);
}

/* [-] share of the lost energy above which numerical errors are a remark */
#define COARSE_PART 0.05 /* [-] */

/* The numerical terms that a shorter step lowers, if one of them is a share of the lost energy that is worth a remark. */
static void remark_on_coarse_step(tru_story *s, const tru_ledger *l) {
    const struct {
        const char *name;
        double gain; /* [J] */
    } terms[] = {{"theta_shift", l->theta_shift}, {"gyroscopic", l->gyroscopic}, {"projection", l->projection}};
    const double through = fabs(l->start) + kind_sum(l, "dissipated", true) + kind_sum(l, "supplied", true);
    const double dissipated =
        kind_sum(l, "dissipated", true); /* in an impact friction may return what the normal impulse takes */
    for (size_t k = 0; k < sizeof terms / sizeof *terms; k++) {
        const double gain = terms[k].gain, lost = dissipated + fmax(0.0, -gain);
        if (!(fabs(gain) > COARSE_PART * lost && fabs(gain) > 1e-3 * through && lost > 1e-3 * through)) continue;
        trio_run_summary_add(s, "remark", "%s %.3g %% of the lost energy (%s); take a smaller step",
                             gain < 0.0 ? "numerical errors caused" : "numerical errors restored",
                             100.0 * fabs(gain) / lost, terms[k].name);
    }
}

void trio_run_summary_energy(tru_story *s, const tru_ledger *l) {
    trio_run_summary_add(s, "energy", "%.6g J at the start, %.6g J now (kinetic %.4g, potential %.4g, stored %.4g)",
                         l->start, l->kinetic + l->potential + l->stored, l->kinetic, l->potential, l->stored);
    if (kind_sum(l, "supplied", true) > 0.0) summarise_kind(s, l, "supplied");
    summarise_kind(s, l, "dissipated");
    summarise_kind(s, l, "numerical");
    remark_on_gain(s, l);
    remark_on_coarse_step(s, l);
}

/* ---- solver ---- */

/* ", stone-4711 on stone-812" */
static void put_pair(writing *out, const run_facts *f) {
    const char *first = f->name(f->of, f->solver.worst_a), *second = f->name(f->of, f->solver.worst_b);
    if (!first) return;
    put(out, ", %s", first);
    if (second) put(out, " on %s", second);
}

/* Writes side effects of the relaxed form: slipping contacts separate, and a sudden slip lifts the body. */
static void put_lift(writing *out, const run_facts *f) {
    const tru_solver_summary *v = &f->solver;
    put(out, "; relaxed form: slipping contacts separate by up to %.2e m/s, the largest hop starts at %.2e m/s",
        v->lift, v->hop);
    if (f->gravity > 0.0) put(out, " (%.3g m high)", 0.5 * v->hop * v->hop / f->gravity);
    put(out, " at %.5g s", v->hop_time);
}

/* Remarks on many steps that did not converge: their cause is not the number of sweeps. */
static void remark_on_unconverged(tru_story *s, const tru_solver_summary *v) {
    if (10 * v->unconverged < v->steps || v->worst_relative < 1e-6) return;
    trio_run_summary_add(
        s, "remark",
        "a tenth of the steps or more did not converge; contacts may contradict each other, as those of a body squeezed between fixed ones: compliance in its pair (stepper cone) or springs (stepper track) let it yield");
}

void trio_run_summary_solver(tru_story *s, const run_facts *f) {
    const tru_solver_summary *v = &f->solver;
    writing out;
    if (v->steps == 0) return;
    writing_begin(&out);
    put(&out, "%.3g iterations per step, at most %d; ", (double)v->iterations / (double)v->steps, v->most_iterations);
    if (v->unconverged == 0) {
        put(&out, "every step converged; worst residual %.1e at %.5g s", v->worst_relative, v->worst_time);
    } else {
        put(&out, "%llu of %llu steps stopped at the iteration limit (error %.1e m/s at %.5g s",
            (unsigned long long)v->unconverged, (unsigned long long)v->steps, v->worst_speed, v->worst_time);
        put_pair(&out, f);
        put(&out, ")");
    }
    if (v->lift > 0.0) put_lift(&out, f);
    summary_take(s, "solver", &out);
    remark_on_unconverged(s, v);
}
