/* export_mesh.h: unit solids as triangles, and which of them a shape is. */
#ifndef TRUNDLE_IO_EXPORT_MESH_H
#define TRUNDLE_IO_EXPORT_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Radius 1; radius 1 and height 1 about z; edge 1; edge 1 in z = 0. */
typedef enum mesh_kind { MESH_SPHERE, MESH_DISK, MESH_BOX, MESH_PLANE, MESHES } mesh_kind;

typedef struct mesh {
    float *points, *normals; /* three per point */
    uint16_t *corners;       /* three per triangle, counterclockwise from outside */
    size_t point_count, corner_count;
} mesh;

bool mesh_make(mesh_kind kind, mesh *out); /* false: no memory */
void mesh_free(mesh *m);
const char *mesh_name(mesh_kind kind);
/* The solid of a shape by name, and its stretch [m]; what is not known is a ball of the body's size, a plane reaches
 * `reach` [m] both ways. */
mesh_kind mesh_of(const char *type, const double *parameters, double body_size, double reach, double scale[3]);

#endif
