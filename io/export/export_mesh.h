/* export_mesh.h: the shapes of a run as triangles. */
#ifndef TRUNDLE_IO_EXPORT_MESH_H
#define TRUNDLE_IO_EXPORT_MESH_H

#include "rows/row_reader.h"

/* The first four are of unit size and are stretched: radius 1; radius 1 and height 1 about z; edge 1; edge 1 in z = 0.
 * The others have the size of their shape. */
typedef enum mesh_kind {
    MESH_SPHERE,
    MESH_DISK,
    MESH_BOX,
    MESH_PLANE,
    UNIT_MESHES,
    MESH_CAPSULE = UNIT_MESHES,
    MESH_HULL
} mesh_kind;

typedef struct mesh {
    float *points, *normals; /* three per point */
    uint16_t *corners;       /* three per triangle, counterclockwise from outside */
    size_t point_count, corner_count;
    mesh_kind kind;
    double own[2]; /* parameters of the shape it was made from */
} mesh;

/* How a shape is drawn. */
typedef struct drawn {
    size_t mesh;     /* of the book */
    double scale[3]; /* [m] or 1 */
} drawn;

/* The meshes of a run: the unit ones, then one for every other size there is. */
typedef struct mesh_book {
    mesh *meshes;
    size_t count, room;
    drawn *shapes; /* in the order of the reader's */
} mesh_book;

/* Builds the meshes. A shape that is not known becomes a ball of the body's size; a plane extends `reach` [m] to each side.
 * Returns false if memory ran out. */
bool trio_mesh_book_make(const reader *r, double reach, mesh_book *out);
void trio_mesh_book_free(mesh_book *b);
const char *trio_mesh_name(mesh_kind kind);

#endif
