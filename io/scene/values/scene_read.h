/* scene_read.h: from nodes of a scene's tree to typed structs, by field tables alone. */
#ifndef TRUNDLE_IO_SCENE_READ_H
#define TRUNDLE_IO_SCENE_READ_H

#include "expression.h"
#include "common/fail.h"
#include "common/store.h"
#include "yaml/yaml_tree.h"

/* A plug-in as the reader sees it, whatever its kind. */
typedef struct plug {
    const char *name, *doc;
    const tru_field *fields; /* may be NULL */
    size_t size;
    tru_status (*check)(const void *params, tru_error *err);
} plug;
/* The k-th plug-in of a kind: "shape", "law", "solver", "stepper", "place", "sizes"; false past the end. */
bool trio_plug_at(const char *kind, size_t k, plug *out);
bool trio_plug_named(const char *kind, const char *name, plug *out);

/* Ids of the objects a scene names. */
typedef struct object_finder {
    tru_id (*find)(const void *user, const char *kind, const char *name); /* TRU_NONE: no such object */
    /* The k-th name of that kind, NULL past the end: for sentences. */
    const char *(*name)(const void *user, const char *kind, size_t k);
    const void *user;
} object_finder;

typedef struct reader {
    const tree *t;
    name_finder names; /* of parameters */
    object_finder objects;
    store *memory; /* of lists and parameters of plug-ins */
    tru_error *err;
    const tru_shape_def *shape_start; /* what the shapes of a body begin with; NULL: the table's defaults */
} reader;

/* A key that is not a field of the table: the caller reads it. */
typedef struct extra_key {
    const char *name; /* NULL ends */
    const char *form; /* how its value looks, for the reference */
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

/* Fill params with the defaults. */
void trio_block_defaults(const block *b, void *params);
/* Read the keys of a map into params (already filled), check ranges and what is missing. */
tru_status trio_read_block(reader *r, const block *b, node_id n, void *params);
/* Any plug-in: a word, or {word: {its fields}}. */
tru_status trio_read_plug(reader *r, const char *what, const char *kind, node_id n, tru_use *out);
/* The parameters of a plug-in that is known. */
tru_status trio_read_params(reader *r, const char *what, const char *kind, const plug *p, node_id n, void **out);

/* One value. `label` is the field, "mass". */
tru_status trio_read_quantity(reader *r, const char *what, const char *label, node_id n, quantity *out);
/* Reads the real of a field whose unit must be written: refuses a bare number other than 0, also one inside a sum. */
tru_status trio_read_spoken(reader *r, const char *what, const tru_field *f, node_id n, double *out);
tru_status trio_read_number(reader *r, const char *what, const char *label, node_id n, tru_unit unit, double *out);
tru_status trio_read_vec3(reader *r, const char *what, const char *label, node_id n, tru_unit unit, tru_vec3 *out);
tru_status trio_read_boolean(reader *r, const char *what, const char *label, node_id n, bool *out);
tru_status trio_read_word(reader *r, const char *what, const char *label, node_id n, const char **out);
tru_status trio_read_quaternion(reader *r, const char *what, const char *label, node_id n, tru_quat *out);
tru_status trio_read_reference(reader *r, const char *what, const char *label, const char *kind, node_id n,
                               tru_id *out);
/* [A, B] */
tru_status trio_read_two(reader *r, const char *what, const char *kind, node_id n, tru_id *a, tru_id *b);

/* ---- sentences ---- */

/* "body 'ball': mass" */
const char *trio_subject(const char *what, const char *label, char *out, size_t room);
/* Fail at a node with "place: subject is TEXT, phrase" for a text, "is a list" or "is a map" for the others. */
tru_status trio_wrong_value(reader *r, const char *what, const char *label, node_id n, const char *phrase);
/* The node must be a map (or list): a sentence if it is not. */
tru_status trio_expect_kind(reader *r, const char *what, const char *label, node_id n, node_kind kind);
/* "; did you mean 'x'?", or "; there are a, b, c"; "" when there is nothing to say. */
void trio_suggest(const char *name, const char *const *names, size_t count, char *out, size_t room);
bool trio_word_among(const char *words, const char *word); /* "a|b|c" */

#endif
