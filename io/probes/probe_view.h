/* probe_view.h: what a probe is, and what it reads from a running world. */
#ifndef TRUNDLE_IO_PROBE_VIEW_H
#define TRUNDLE_IO_PROBE_VIEW_H

#include "common/outlet.h"

/* The contacts of a world. The first probe that needs them reads them, once per step. */
typedef struct contact_view {
    tru_contact_info *items;
    size_t count, room;
    uint64_t step; /* steps done when it was read; UINT64_MAX: never */
} contact_view;

/* What probes read. */
typedef struct probe_view {
    const tru_world *world;
    contact_view *contacts;
    const outlet_list *outlets; /* NULL: none */
} probe_view;

typedef enum probe_scope { PROBE_WORLD, PROBE_BODY, PROBE_CONTACT, PROBE_JOINT, PROBE_OUTLET } probe_scope;

/* A probe that was found: which row of probe_list.def, of which bodies. */
typedef struct probe {
    const struct probe_row *row;
    tru_id a, b;     /* body; contact: none, first of a, between a and b; joint; place of an outlet, from 1 */
    int32_t number;  /* contact: which of them, from 1; 0: the first */
    int32_t feature; /* contact: only those with this one, if has_feature */
    bool has_feature;
} probe;

typedef double probe_function(const probe_view *view, const probe *p, int index);

typedef struct probe_row {
    const char *name;
    tru_unit unit;
    probe_function *value;
    int index;
} probe_row;

#endif
