/* scene_read.h: from nodes of a scene's tree to typed structs, by field tables alone. */
#ifndef TRUNDLE_IO_SCENE_READ_H
#define TRUNDLE_IO_SCENE_READ_H

#include "common/fail.h"
#include "scene_plug.h"
#include "scene_value.h"

/* A key that is not a field of the table: the caller reads it. */
typedef struct extra_key {
    const char *name; /* NULL ends */
    const char *form; /* form of its value, for the reference */
    const char *doc;
} extra_key;

/* What is read: `what` names it in sentences ("body 'ball'"), `hidden` are fields that are not keys here ("name|shapes").
 */
typedef struct block {
    const char *what;
    const tru_field *fields;
    const char *hidden;      /* may be NULL */
    const extra_key *extras; /* may be NULL */
} block;

/* Fills params with the defaults. */
void trio_block_defaults(const block *b, void *params);
/* Reads the keys of a map into params, which hold the defaults. Checks ranges and required fields. */
tru_status trio_read_block(reader *r, const block *b, node_id n, void *params);
/* Reads a plug-in of any kind: a word, or {word: {its fields}}. */
tru_status trio_read_plug(reader *r, const char *what, const char *kind, node_id n, tru_use *out);
/* Reads the parameters of a given plug-in. */
tru_status trio_read_params(reader *r, const char *what, const char *kind, const plug *p, node_id n, void **out);

#endif
