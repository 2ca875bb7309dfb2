/* scene_fill.h: many similar bodies: position, size and orientation of each. */
#ifndef TRUNDLE_IO_SCENE_FILL_H
#define TRUNDLE_IO_SCENE_FILL_H

#include "scene_reader.h"

enum { FILL_MOST = 50000000 }; /* bodies of one fill */

typedef struct fill_lattice {
    tru_vec3 first;      /* [m] */
    tru_vec3 spacing;    /* [m] */
    tru_vec3 count;      /* [-] whole numbers */
    int32_t arrangement; /* cubic, body_centred, face_centred */
    double jitter;       /* [m] */
} fill_lattice;

typedef struct fill_packing {
    tru_vec3 lowest, highest; /* [m] */
    int32_t count;
    double clearance; /* [m] */
    int32_t tries;
} fill_packing;

typedef struct fill_emitter {
    tru_vec3 lowest, highest; /* [m] */
    double rate;              /* [1/s] */
    int32_t count;
    double start;     /* [s] */
    double clearance; /* [m] */
} fill_emitter;

typedef struct size_uniform {
    double lowest, highest; /* [-] */
} size_uniform;
typedef struct size_normal {
    double mean, deviation; /* [-] */
    double lowest, highest; /* [-] */
} size_normal;
typedef struct size_class {
    double factor, share; /* [-] */
} size_class;
typedef struct size_list {
    tru_list classes; /* of size_class */
} size_list;

typedef struct fill_def {
    tru_use place; /* lattice, packing, emitter */
    tru_use sizes; /* NULL: all as given */
    int32_t seed;
    int32_t turn; /* given, random */
} fill_def;
extern const tru_field trio_fill_fields[];

/* Writes the k-th plug-in of the kinds "place" and "sizes" to *out. False past the end. */
bool trio_fill_plug(const char *kind, size_t k, plug *out);

/* A fill with its stream of random numbers. */
typedef struct fill {
    const fill_def *def;
    uint64_t stream; /* seed of its random numbers */
} fill;
fill trio_fill_of(const fill_def *def, size_t number);

/* Returns the number of bodies that it makes. */
uint64_t trio_fill_count(const fill_def *def);
bool trio_fill_is_emitter(const fill_def *def);
/* Return the size of body k relative to the template, its orientation, and its position: that of a lattice, or the `try`-th
 * random one in a box for a body of outer radius `radius` [m]. */
double trio_fill_size(const fill *f, uint64_t k);
tru_quat trio_fill_turn(const fill *f, uint64_t k);
tru_vec3 trio_fill_lattice_spot(const fill *f, uint64_t k);
/* Returns a position between the lowest (u = 0) and the highest (u = 1) that fits into a box. */
tru_vec3 trio_fill_spot(tru_vec3 lowest, tru_vec3 highest, double radius, double u);
tru_vec3 trio_fill_random_spot(const fill *f, tru_vec3 lowest, tru_vec3 highest, double radius, uint64_t k,
                               uint64_t attempt);

#endif
