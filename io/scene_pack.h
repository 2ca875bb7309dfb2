/* scene_pack.h: spheres in space, to find out whether there is room for one more. */
#ifndef TRUNDLE_IO_SCENE_PACK_H
#define TRUNDLE_IO_SCENE_PACK_H

#include <trundle/trundle.h>

typedef struct pack_ball {
    tru_vec3 x;    /* [m] */
    double radius; /* [m] */
    size_t next;   /* of its cell, + 1 */
} pack_ball;

typedef struct pack {
    double cell;    /* [m] edge of a cell: the largest diameter of small balls */
    double largest; /* [m] radius of a small ball at most */
    pack_ball *balls, *large;
    size_t count, room, large_count, large_room;
    size_t *heads; /* cells by hash: index + 1 */
    size_t head_room;
} pack;

/* Balls up to `largest` [m] are found through cells, larger ones by looking at all of them. */
pack pack_begin(double largest);
bool pack_add(pack *p, tru_vec3 x, double radius);
/* Whether a ball at x stays `clearance` [m] away from all others. */
bool pack_is_free(const pack *p, tru_vec3 x, double radius, double clearance);
void pack_end(pack *p);

#endif
