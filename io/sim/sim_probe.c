/* sim_probe.c: the probes of a simulation by name, also of bodies that an emitter adds later. */
#include "sim_probe.h"

#include "common/fail.h"
#include "common/grow.h"
#include "sim_emitter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool body_comes(const void *sim, const char *name) { return trio_sim_body_comes(sim, name); }

void trio_sim_find_probes(tru_sim *sim) {
    const probe_place place = {sim->world, &sim->outlets, body_comes, sim};
    for (size_t i = 0; i < sim->probe_count; i++) {
        probe *p = &sim->probes[i].probe, found;
        if (p->a != PROBE_LATER && p->b != PROBE_LATER) continue;
        if (trio_probe_find_in(&place, sim->probes[i].name, &found, NULL) >= 0) *p = found;
    }
}

tru_status tru_sim_probe(tru_sim *sim, const char *name, size_t *number, tru_unit *unit, tru_error *err) {
    size_t i = 0;
    while (i < sim->probe_count && strcmp(sim->probes[i].name, name ? name : "") != 0) i++;
    if (i == sim->probe_count) {
        sim_probe p = {0};
        const probe_place place = {sim->world, &sim->outlets, body_comes, sim};
        const tru_status s = trio_probe_find_in(&place, name, &p.probe, err);
        if (s < 0) return s;
        p.name = copy_text(name);
        if (!p.name || !GROW(sim->probes, sim->probe_room, i + 1)) {
            free(p.name);
            return trio_no_memory(err);
        }
        sim->probes[sim->probe_count++] = p;
    }
    if (number) *number = i;
    if (unit) *unit = sim->probes[i].probe.row->unit;
    return TRU_OK;
}

double tru_sim_value(const tru_sim *sim, size_t number) {
    /* Reads the contacts once per step into a cache, so the argument is const only for the caller. */
    const probe_view view = {sim->world, (contact_view *)(uintptr_t)&sim->contacts, &sim->outlets};
    return number < sim->probe_count ? trio_probe_value(&view, &sim->probes[number].probe) : NAN;
}

tru_status tru_probes_get(const tru_sim *sim, double *out, size_t room, tru_error *err) {
    if (!sim || (!out && room > 0))
        return trio_fail(err, TRU_BAD_ARGUMENT, "tru_probes_get needs a simulation and a place for the values");
    if (room < sim->plan.probe_count)
        return trio_fail(err, TRU_BAD_ARGUMENT,
                         "tru_probes_get: room is %zu, must be at least %zu, the number of probes", room,
                         sim->plan.probe_count);
    for (size_t i = 0; i < sim->plan.probe_count; i++) out[i] = tru_sim_value(sim, i);
    return TRU_OK;
}
