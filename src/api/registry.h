/* registry.h: finding plug-ins by name, built in or registered with a world. */
#ifndef TRUNDLE_API_REGISTRY_H
#define TRUNDLE_API_REGISTRY_H

#include "fields/fields.h"
#include "world/world.h"

/* Each: the plug-in, or NULL and a sentence with the nearest name. */
const tru_shape *trui_shape_named(const char *name, tru_error *err);
const tru_law *trui_law_named(const tru_world *w, const char *name, tru_error *err);
const tru_joint *trui_joint_named(const char *name, tru_error *err);
const tru_solver *trui_solver_named(const char *name, tru_error *err);
const tru_stepper *trui_stepper_named(const char *name, tru_error *err);

/* For field tables with plug-in fields: finds parameters of all five kinds, of laws among the world's own too. */
plug_finder trui_registry_finder(const tru_world *w);

/* Check parameters (NULL: defaults) against table and cross-field check and copy them; NULL and a sentence on failure.
 */
typedef tru_status plugin_check(const void *params, tru_error *err);
void *trui_plugin_params(memory *m, const char *kind, const char *name, const tru_field *fields, size_t size,
                         plugin_check *check, const void *params, tru_error *err);

#endif
