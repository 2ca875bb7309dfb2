/* fields.h: deep copy, release and hash of a typed struct, from its field table.
 *
 * A typed struct may point to texts, lists and parameters of other plug-ins. A copy made here owns all of them. */
#ifndef TRUNDLE_FIELDS_FIELDS_H
#define TRUNDLE_FIELDS_FIELDS_H

#include "base/hash.h"
#include "base/memory.h"

#include <trundle/plugin.h>

/* Field table and size of a plug-in's parameters. */
typedef struct plug {
    const tru_field *fields;
    size_t size; /* bytes of its typed struct */
} plug;

/* Finds a plug-in by kind ("solver", the words of its field) and name. Callers pass it because this folder cannot see the registry.
 * NULL is enough for tables without plug-in fields. */
typedef struct plug_finder {
    bool (*find)(void *user, const char *kind, const char *name, plug *out);
    void *user;
} plug_finder;

/* Copies every field of src to dst, which is not read. A plug-in without parameters gets its defaults. On failure (no memory, or an
 * unknown plug-in) dst owns nothing. */
tru_status trui_fields_copy(memory *m, const tru_field *fields, const void *src, void *dst, const plug_finder *finder,
                            tru_error *err);
/* Releases everything that a copy owns; its pointers become NULL. */
void trui_fields_release(memory *m, const tru_field *fields, void *params, const plug_finder *finder);

/* Allocates a typed struct with a copy of src; a NULL src means the defaults. The struct of a plug-in without parameters is a block of
 * zero bytes, so *out is not NULL after success. */
tru_status trui_params_copy(memory *m, plug p, const void *src, void **out, const plug_finder *finder, tru_error *err);
/* Releases such a struct and everything that it owns. NULL is allowed. */
void trui_params_release(memory *m, plug p, void *params, const plug_finder *finder);

/* Returns the sum modulo 2^64 of a hash of name and value of each field that differs from its default; choices count by word. Equal
 * parameters have equal hashes. Neither the order of the table nor a field with its default changes the result. */
uint64_t trui_fields_hash(const tru_field *fields, const void *params, const plug_finder *finder);

/* Sets the pointers of a struct to NULL, so that it can be released. */
void trui_fields_disown(const tru_field *fields, void *params);
/* Returns the bytes of an item of a list field. */
size_t trui_field_item_size(const tru_field *list);
/* Finds a plug-in; false if it is unknown or `finder` is NULL. */
bool trui_plug_find(const plug_finder *finder, const char *kind, const char *name, plug *out);

#endif
