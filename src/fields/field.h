/* field.h: what the library itself needs of field tables beyond plugin.h. */
#ifndef TRUNDLE_FIELDS_FIELD_H
#define TRUNDLE_FIELDS_FIELD_H

#include <trundle/plugin.h>

/* An integer or choice that was not given: TRU_DERIVED of a real. */
#define FIELD_NO_INTEGER INT32_MIN

/* The field's place in its typed struct. */
void *trui_field_at(const tru_field *field, void *params);
const void *trui_field_in(const tru_field *field, const void *params);

/* Whether a field has its default; a plug-in with parameters of its own has not. */
bool trui_field_is_default(const tru_field *field, const void *params);
/* Whether an alternative's block was given: one of its fields is not as by default. */
bool trui_field_block_given(const tru_field *alternative, const void *params);

#endif
