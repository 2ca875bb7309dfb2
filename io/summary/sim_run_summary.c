/* sim_run_summary.c: the summary of a simulation at its end. */
#include "sim/sim_state.h"

#include "common/fail.h"
#include "run_summary.h"

#include <trundle/analysis.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROBES = 12 };

static const char *name_in_sim(const void *sim, tru_id body) { return tru_sim_body_name(sim, body); }

static run_facts facts_of(const tru_sim *sim) {
    const tru_world *w = sim->world;
    const tru_vec3 g = tru_world_gravity(w);
    run_facts f = {.time = tru_time(w),
                   .step = tru_step_size(w),
                   .steps = tru_steps_done(w),
                   .stepper = sim->stepper,
                   .reason = sim->reason,
                   .name = name_in_sim,
                   .of = sim,
                   .ledger = tru_world_ledger(w),
                   .solver = tru_sim_solver(sim),
                   .gravity = sqrt(g.x * g.x + g.y * g.y + g.z * g.z)};
    f.events = tru_sim_events(sim, &f.event_count);
    for (int kind = 0; kind < TRU_EVENT_KINDS; kind++) f.counts[kind] = tru_sim_event_count(sim, (tru_event_kind)kind);
    return f;
}

static void summarise_outlets(tru_story *s, const tru_sim *sim) {
    tru_outlet_info o;
    for (size_t k = 0; tru_sim_outlet(sim, k, &o); k++)
        trio_run_summary_add(s, k == 0 ? "left" : "", "%llu bodies through %s, %.6g kg in total",
                             (unsigned long long)o.count, o.name, o.mass);
}

/* "probe = 1.5 m"; pure numbers bear no unit, and what has no value now (chi of a disk that lies flat) is said in words. */
static void summarise_probe(tru_story *s, const char *label, const tru_sim *sim, size_t k) {
    const tru_unit unit = sim->probes[k].probe.row->unit;
    const bool pure = unit == TRU_UNIT_ONE;
    const double value = tru_sim_value(sim, k);
    if (isnan(value))
        trio_run_summary_add(s, label, "%s has no value", sim->probes[k].name);
    else
        trio_run_summary_add(s, label, "%s = %.8g%s%s", sim->probes[k].name, value, pure ? "" : " ",
                             pure ? "" : tru_unit_describe(unit).symbol);
}

static void summarise_probes(tru_story *s, const tru_sim *sim) {
    const size_t count = sim->plan.probe_count, shown = count <= MOST_PROBES ? count : MOST_PROBES;
    for (size_t k = 0; k < shown; k++) summarise_probe(s, k == 0 ? "at the end" : "", sim, k);
    if (shown < count) trio_run_summary_add(s, "", "and %zu more", count - shown);
}

static void summarise_heap(tru_story *s, const tru_world *w) {
    const double deg = 57.29577951308232;
    tru_repose r;
    char spread[40] = "";
    if (tru_repose_of_world(w, &r, NULL) < 0) return;
    const bool known = !isnan(r.angle_error); /* unless a quadrant has no flank */
    if (known) snprintf(spread, sizeof spread, " +- %.1f", deg * r.angle_error);
    trio_run_summary_add(
        s, "heap",
        "angle of repose %.1f%s deg (line over %d rings of the flank%s), %.1f deg from the medians, centre of mass %.4f m high",
        deg * r.angle, spread, (int)r.rings, known ? ", +- is the spread of the quadrants" : "", deg * r.median_angle,
        r.centre);
}

/* Reads the k-th contact. Returns true if its body B is not free; a fixed body is always B. */
static bool held_contact(const tru_world *w, size_t k, tru_contact_info *out) {
    tru_body_info b;
    return tru_contact_get(w, k, out, NULL) >= 0 && tru_body_describe(w, out->body_b, &b, NULL) >= 0 &&
           b.kind != TRU_FREE;
}

#define SQUEEZED_PART                                                                                                  \
    1e-3 /* [-] sum of opposite overlaps, relative to the body's size, from which the remark appears */
#define SQUEEZED_COSINE -0.9 /* [-] of two normals that count as opposite */

static bool is_squeezed(const tru_world *w, const tru_contact_info *p, const tru_contact_info *q) {
    tru_body_info a;
    const double cosine = p->normal.x * q->normal.x + p->normal.y * q->normal.y + p->normal.z * q->normal.z;
    return cosine < SQUEEZED_COSINE && p->body_b != q->body_b && tru_body_describe(w, p->body_a, &a, NULL) >= 0 &&
           -(p->gap + q->gap) > SQUEEZED_PART * a.size;
}

/* Remarks on a rigid body between fixed ones that are too close: no solver can remove its overlaps. If `stored` is not 0,
 * springs carry it. Contacts of one body A are adjacent. */
static void remark_on_squeezed(tru_story *s, const tru_sim *sim, double stored) {
    const tru_world *w = sim->world;
    tru_contact_info p, q;
    for (size_t i = 0; stored == 0.0 && i < tru_contact_count(w); i++) {
        if (!held_contact(w, i, &p)) continue;
        for (size_t k = i + 1; tru_contact_get(w, k, &q, NULL) >= 0 && q.body_a == p.body_a; k++) {
            if (!held_contact(w, k, &q) || !is_squeezed(w, &p, &q)) continue;
            trio_run_summary_add(
                s, "remark",
                "%s overlaps %s and %s by %.3g m in total: it is squeezed between them; compliance in its pair (stepper cone) or springs (stepper track) let it yield",
                tru_sim_body_name(sim, p.body_a), tru_sim_body_name(sim, p.body_b), tru_sim_body_name(sim, q.body_b),
                -(p.gap + q.gap));
            return;
        }
    }
}

tru_status tru_sim_story(const tru_sim *sim, tru_story **out, tru_error *err) {
    tru_story *s = calloc(1, sizeof *s);
    if (!s) return trio_no_memory(err);
    const run_facts f = facts_of(sim);
    trio_run_summary_ran(s, &f);
    if (*sim->remark) trio_run_summary_add(s, "remark", "%s", sim->remark);
    trio_run_summary_events(s, &f);
    summarise_outlets(s, sim);
    summarise_probes(s, sim);
    trio_run_summary_energy(s, &f.ledger);
    trio_run_summary_solver(s, &f);
    remark_on_squeezed(s, sim, f.ledger.stored);
    summarise_heap(s, sim->world);
    if (!s->failed) {
        *out = s;
        return TRU_OK;
    }
    tru_story_free(s);
    return trio_no_memory(err);
}

void tru_json_story(tru_json *j, const tru_story *story, bool lines) {
    const tru_line *line;
    if (lines) {
        tru_json_array(j, "story");
        for (size_t k = 0; (line = tru_story_line(story, k)); k++) {
            tru_json_object(j, NULL);
            tru_json_text(j, "label", line->label);
            tru_json_text(j, "text", line->text);
            tru_json_close(j);
        }
        tru_json_close(j);
    }
    tru_json_array(j, "remarks");
    for (size_t k = 0; (line = tru_story_line(story, k)); k++)
        if (strcmp(line->label, "remark") == 0) tru_json_text(j, NULL, line->text);
    tru_json_close(j);
}
