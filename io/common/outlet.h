/* outlet.h: boxes of a scene in which free bodies leave the world, and what has left so far. */
#ifndef TRUNDLE_IO_OUTLET_H
#define TRUNDLE_IO_OUTLET_H

#include <trundle/io.h>

typedef struct outlet {
    char name[64];
    tru_vec3 lowest, highest; /* [m] infinite where it is open */
    uint64_t left;            /* bodies so far */
    double mass;              /* [kg] of them */
} outlet;

typedef struct outlet_list {
    outlet *items;
    size_t count;
} outlet_list;

#endif
