/* probe.h: numbers of a running world by name: how probes are found and read inside io/. */
#ifndef TRUNDLE_IO_PROBE_H
#define TRUNDLE_IO_PROBE_H

#include "common/outlet.h"

/* The contacts of a world, read once per step by the first probe that asks. */
typedef struct contact_view {
    tru_contact_info *items;
    size_t count, room;
    uint64_t step; /* steps done when it was read; UINT64_MAX: never */
} contact_view;

/* What probes look at. */
typedef struct probe_view {
    const tru_world *world;
    contact_view *contacts;
    const outlet_list *outlets; /* NULL: none */
} probe_view;

typedef enum probe_scope { PROBE_WORLD, PROBE_BODY, PROBE_CONTACT, PROBE_JOINT, PROBE_OUTLET } probe_scope;

/* A probe that was found: which row of probe.def, of which bodies. */
typedef struct probe {
    const struct probe_row *row;
    tru_id a, b;     /* body; contact: none, first of a, between a and b; joint; place of an outlet, from 1 */
    int32_t number;  /* contact: which of them, from 1; 0: the first */
    int32_t feature; /* contact: only those with this one, if has_feature */
    bool has_feature;
} probe;

#define PROBE_LATER UINT64_MAX /* a body that an emitter will make: no body has that id */

/* Where the names of a probe are looked up. */
typedef struct probe_place {
    const tru_world *world;
    const outlet_list *outlets;                      /* NULL: none */
    bool (*comes)(const void *of, const char *body); /* true if a body of that name will come; NULL: none will */
    const void *of;
} probe_place;

typedef double probe_function(const probe_view *view, const probe *p, int index);

typedef struct probe_row {
    const char *name;
    tru_unit unit;
    probe_function *value;
    int index;
} probe_row;

/* ---- probe.c */

/* Find a probe by name in a world with outlets (NULL: none); the sentence of an error names the nearest one. */
tru_status trio_probe_find(const tru_world *world, const outlet_list *outlets, const char *name, probe *out,
                           tru_error *err);
/* The same with bodies that will come: a probe of one has PROBE_LATER for it, and is to be found again once the body is there. */
tru_status trio_probe_find_in(const probe_place *place, const char *name, probe *out, tru_error *err);
/* The unit a probe of this name would have, without asking whether its bodies exist. */
bool trio_probe_unit(const char *name, tru_unit *unit);
double trio_probe_value(const probe_view *view, const probe *p); /* NaN where there is none */

/* ---- probe_values.c: the functions that probe.def names */

extern const probe_row trio_probe_rows[]; /* a NULL name ends */
/* The contacts now; NULL only when memory ran out (count 0). */
const tru_contact_info *trio_probe_contacts(const probe_view *view, size_t *count);
void trio_contact_view_release(contact_view *view);

#endif
