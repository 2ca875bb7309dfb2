/* field.h: access to single fields of a typed struct. field.c also has the functions tru_fields_* of plugin.h. */
#ifndef TRUNDLE_FIELDS_FIELD_H
#define TRUNDLE_FIELDS_FIELD_H

#include <trundle/plugin.h>

/* Value of an integer or choice that was not given, as TRU_DERIVED is for a real. */
#define FIELD_NO_INTEGER INT32_MIN

/* Returns the address of a field in its typed struct. */
void *trui_field_at(const tru_field *field, void *params);
/* The same for a struct that is only read. */
const void *trui_field_in(const tru_field *field, const void *params);

/* Returns true if a field has its default. A plug-in that was given parameters does not have it. */
bool trui_field_is_default(const tru_field *field, const void *params);

#endif
