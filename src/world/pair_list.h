/* pair_list.h: pairs of solids that are near each other, kept from step to step. */
#ifndef TRUNDLE_WORLD_PAIR_LIST_H
#define TRUNDLE_WORLD_PAIR_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include <trundle/trundle.h>

#include "base/array.h"

typedef struct broad_item {
    tru_vec3 lo, hi; /* [m] world, lo <= hi */
} broad_item;

/* The same where many are kept: the numbers are rounded outwards. */
typedef struct pair_list_box {
    float lo[3], hi[3]; /* [m] */
} pair_list_box;

typedef struct broad_pair {
    uint32_t a, b; /* indices of items or solids */
} broad_pair;

/* Derived, and never seen in a result: what it lists beyond the pairs worth a look is left out in every step (candidates.c). */
typedef struct pair_list {
    ARRAY(broad_pair) pairs;    /* of solids, in the order of contacts if no body has several shapes */
    ARRAY(pair_list_box) boxes; /* beside solids: it holds while every one is in its box */
    double margin;              /* [m] that the boxes were made for */
    bool good;                  /* false: to be made again in any case */
    int age;                    /* steps it has served */
    int thin;                   /* times it is to be made without room to move: it did not last */
} pair_list;

#endif
