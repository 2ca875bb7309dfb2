/* pair_list.h: pairs of solids that are near each other, kept from step to step (detect/candidates.c). */
#ifndef TRUNDLE_WORLD_PAIR_LIST_H
#define TRUNDLE_WORLD_PAIR_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include <trundle/trundle.h>

#include "base/array.h"

/* Axis-aligned box. */
typedef struct broad_item {
    tru_vec3 lo, hi; /* [m] world, lo <= hi */
} broad_item;

/* The same in half the memory; the numbers are rounded outwards. */
typedef struct pair_list_box {
    float lo[3], hi[3]; /* [m] */
} pair_list_box;

typedef struct broad_pair {
    uint32_t a, b; /* indices of items or solids */
} broad_pair;

/* Derived data without influence on results: every step leaves out listed pairs that are too far apart. */
typedef struct pair_list {
    ARRAY(broad_pair) pairs;    /* of solids; in the order of contacts if no body has several shapes */
    ARRAY(pair_list_box) boxes; /* one per solid; the list is valid while every solid is in its box */
    double margin;              /* [m] margin for which the boxes were made */
    bool good;                  /* false: rebuild it in any case */
    int age;                    /* number of steps that used it */
    int thin; /* number of further builds without enlarged boxes, since the last enlarged ones did not last */
} pair_list;

#endif
