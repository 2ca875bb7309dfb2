/* scene_reader.h: what reading a scene needs: its tree, names of parameters and objects, memory for what is read. */
#ifndef TRUNDLE_IO_SCENE_READER_H
#define TRUNDLE_IO_SCENE_READER_H

#include "expression.h"
#include "common/store.h"
#include "yaml/yaml_tree.h"

#include <trundle/plugin.h>

/* A plug-in as the reader sees it, whatever its kind. */
typedef struct plug {
    const char *name, *doc;
    const tru_field *fields; /* may be NULL */
    size_t size;
    tru_status (*check)(const void *params, tru_error *err);
} plug;
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

#endif
