/* probe.h: finds probes by name, and reads them. */
#ifndef TRUNDLE_IO_PROBE_H
#define TRUNDLE_IO_PROBE_H

#include "probe_view.h"

#define PROBE_LATER UINT64_MAX /* a body that an emitter will make: no body has that id */

/* Where the names of a probe are looked up. */
typedef struct probe_place {
    const tru_world *world;
    const outlet_list *outlets;                      /* NULL: none */
    bool (*comes)(const void *of, const char *body); /* true if a body of that name will come; NULL: none will */
    const void *of;
} probe_place;

/* Finds a probe by name in a world with outlets (NULL: none). The sentence of an error names the nearest probe. */
tru_status trio_probe_find(const tru_world *world, const outlet_list *outlets, const char *name, probe *out,
                           tru_error *err);
/* Finds a probe, also of a body that will come. Such a probe has PROBE_LATER as its body and must be found again when the body
 * exists. */
tru_status trio_probe_find_in(const probe_place *place, const char *name, probe *out, tru_error *err);
/* Writes the unit of a probe of this name to *unit without looking for its bodies. False if no probe has such a name. */
bool trio_probe_unit(const char *name, tru_unit *unit);
/* Returns the value of a probe [unit of the probe]; NaN if it has none at present. */
double trio_probe_value(const probe_view *view, const probe *p);

#endif
