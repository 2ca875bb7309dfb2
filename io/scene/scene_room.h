/* scene_room.h: spheres in space, and whether a place for another one is free. */
#ifndef TRUNDLE_IO_SCENE_ROOM_H
#define TRUNDLE_IO_SCENE_ROOM_H

#include <trundle/trundle.h>

typedef struct room_ball {
    tru_vec3 x;    /* [m] */
    double radius; /* [m] */
    size_t next;   /* of its cell, + 1 */
} room_ball;

typedef struct room {
    double cell;    /* [m] edge of a cell: the largest diameter of small balls */
    double largest; /* [m] largest radius of a small ball */
    room_ball *balls, *large;
    size_t count, room, large_count, large_room;
    size_t *heads; /* cells by hash: index + 1 */
    size_t head_room;
} room;

/* Begins an empty space. Cells hold the balls up to radius `largest` [m]; larger ones are in a list that is searched
 * completely. */
room trio_room_begin(double largest);
bool trio_room_add(room *p, tru_vec3 x, double radius);
/* Returns true if a ball at x has at least `clearance` [m] to all others. */
bool trio_room_is_free(const room *p, tru_vec3 x, double radius, double clearance);
void trio_room_end(room *p);

#endif
