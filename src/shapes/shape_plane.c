/* shape_plane.c: shape "plane", the plane z = 0 of its own axes, solid below; without bounds, mass or parameters. */
#include <math.h>

#include "shapes/shape.h"

static const tru_field fields[] = {{0}};

static double plane_size(const void *params) {
    (void)params;
    return INFINITY;
}

static void plane_mass(const void *params, double density, tru_mass *out) {
    (void)params;
    (void)density;
    *out = (tru_mass){0};
}

const tru_shape tru_shape_plane = {
    .name = "plane",
    .doc = "The plane z = 0 of the shape's own axes, solid below; it has no bounds and adds no mass.",
    .fields = fields,
    .size = 0,
    .bounded = false,
    .radius = plane_size,
    .extent = plane_size,
    .mass = plane_mass,
};
