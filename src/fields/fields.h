/* fields.h: parameters as owned data: deep copy, release and hash of a typed struct, from its field table.
 *
 * A typed struct may point to texts, lists and other plug-ins' parameters. A copy made here owns all of them. */
#ifndef TRUNDLE_FIELDS_FIELDS_H
#define TRUNDLE_FIELDS_FIELDS_H

#include "base/hash.h"
#include "base/memory.h"

#include <trundle/plugin.h>

/* What is known of a plug-in's parameters. */
typedef struct plug {
    const tru_field *fields;
    size_t size; /* bytes of its typed struct */
} plug;

/* Finds a plug-in by kind ("solver", the words of its field) and name. Base does not know the registry: whoever does
 * gives this. NULL will do for tables without plug-in fields. */
typedef struct plug_finder {
    bool (*find)(void *user, const char *kind, const char *name, plug *out);
    void *user;
} plug_finder;

/* Copy every field of src to dst (which is not read). A plug-in without parameters gets its defaults. On failure (no
 * memory, or a plug-in nobody knows) dst owns nothing. */
tru_status trui_fields_copy(memory *m, const tru_field *fields, const void *src, void *dst, const plug_finder *finder,
                            tru_error *err);
/* Give back what a copy owns; its pointers become NULL. */
void trui_fields_release(memory *m, const tru_field *fields, void *params, const plug_finder *finder);

/* A new typed struct with a copy of src, or with the defaults for NULL; and its end. The struct of a plug-in without
 * parameters is a block of no bytes, so *out is never NULL after success. */
tru_status trui_params_copy(memory *m, plug p, const void *src, void **out, const plug_finder *finder, tru_error *err);
void trui_params_release(memory *m, plug p, void *params, const plug_finder *finder);

/* Sum modulo 2^64 of a mixed hash of each field that differs from its default: of its name and its value, choices by word.
 * Equal parameters hash equal; neither the order of the table nor a field that is as by default enters. */
uint64_t trui_fields_hash(const tru_field *fields, const void *params, const plug_finder *finder);

/* Set the pointers of a struct to NULL, so that it can be released. */
void trui_fields_disown(const tru_field *fields, void *params);
/* Bytes of an item of a list field. */
size_t trui_field_item_size(const tru_field *list);
bool trui_plug_find(const plug_finder *finder, const char *kind, const char *name, plug *out);

#endif
