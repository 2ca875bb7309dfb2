/* pack_fields.h: typed structs as bytes of a snapshot, by field table. */
#ifndef TRUNDLE_FIELDS_PACK_FIELDS_H
#define TRUNDLE_FIELDS_PACK_FIELDS_H

#include "fields/fields.h"
#include "fields/pack.h"

/* Packs every field with its name, type and unit. Choices are packed as words, plug-ins as their name and their own fields. */
void trui_pack_fields(packer *p, const tru_field *fields, const void *params, const plug_finder *finder);
/* Reads the fields into `params`, which then owns texts, lists and parameters as after trui_fields_copy; after a failure it owns
 * nothing. A field that is unknown, missing, repeated or of another type is an error; `what` names the object in its sentence. */
tru_status trui_unpack_fields(unpacker *u, memory *m, const tru_field *fields, void *params, const plug_finder *finder,
                              const char *what, tru_error *err);

#endif
