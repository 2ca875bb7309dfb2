/* names.h: names of bodies, and a table from names to ids. */
#ifndef TRUNDLE_WORLD_NAMES_H
#define TRUNDLE_WORLD_NAMES_H

#include "world/world.h"

/* Returns the id of the body with a name; TRU_NONE if there is none. */
tru_id trui_names_find(const tru_world *w, const char *text);
/* Adds a name before its body is in the world; false if there is no memory. */
bool trui_names_add(tru_world *w, const char *text, tru_id id);
/* Removes the name of body k while the body is still in the world. */
void trui_names_remove(tru_world *w, size_t k);

#endif
