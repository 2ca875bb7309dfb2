/* registry.h: finding plug-ins by name, built in or registered with a world. */
#ifndef TRUNDLE_API_REGISTRY_H
#define TRUNDLE_API_REGISTRY_H

#include "fields/fields.h"
#include "world/world.h"

/* Return the plug-in with this name; NULL and a sentence with the nearest name if there is none. */
const tru_shape *trui_shape_named(const char *name, tru_error *err);
const tru_law *trui_law_named(const tru_world *w, const char *name, tru_error *err);
const tru_joint *trui_joint_named(const char *name, tru_error *err);
const tru_solver *trui_solver_named(const char *name, tru_error *err);
const tru_stepper *trui_stepper_named(const char *name, tru_error *err);

/* Returns a finder of plug-ins of all five kinds for field tables, with the laws that the world registered. */
plug_finder trui_registry_finder(const tru_world *w);

/* Checks parameters (NULL: defaults) against their table and `check`, which may be NULL, and returns a copy; NULL and a sentence on
 * failure. */
typedef tru_status plugin_check(const void *params, tru_error *err);
void *trui_plugin_params(memory *m, const char *kind, const char *name, const tru_field *fields, size_t size,
                         plugin_check *check, const void *params, tru_error *err);

#endif
