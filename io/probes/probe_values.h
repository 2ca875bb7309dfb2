/* probe_values.h: the functions that probe_list.def names. */
#ifndef TRUNDLE_IO_PROBE_VALUES_H
#define TRUNDLE_IO_PROBE_VALUES_H

#include "probe_view.h"

/* Every probe, in the order of probe_list.def. A NULL name ends the list. */
extern const probe_row trio_probe_rows[];
/* Returns the contacts of the present step, which it reads once per step. NULL with *count 0 if memory ran out. */
const tru_contact_info *trio_probe_contacts(const probe_view *view, size_t *count);
void trio_contact_view_release(contact_view *view);

#endif
