/* shape.h: the common conventions of shapes, one descriptor per file.
 *
 * A bounded shape is convex and is described by its support function h(d) = max over its points x of d . x, for unit
 * directions d in shape axes: surface() gives the point X = grad h and the second derivative of h, extended to all
 * vectors as a function of degree one, so that hessian * d = 0 and the tangential block is the inverse of the
 * curvature [m]. A corner has hessian 0 (the curvature is infinite), a rim has rank one. Where h has an edge (a face
 * of a box, the flat of a disk) surface() gives one of the points, always the same one.
 *
 * An unbounded shape fills the half space z <= 0 of its own axes; it has no surface() and no touch_plane().
 *
 * touch_plane() names its points by feature:
 *   sphere, ellipsoid  0
 *   box                corner number: bit 0 set at +x, bit 1 at +y, bit 2 at +z; the corners below the centre
 *   capsule            0 the lower cap, 1 the upper
 *   hull               corner number
 *   disk               3 rim + j: rim 0 at z = -thickness/2 (a thin disk has only rim 0), rim 1 at z = +thickness/2;
 *                      j = 0 the lowest point of the rim, j = 1, 2 the points 120 degrees on and back */
#ifndef TRUNDLE_SHAPES_SHAPE_H
#define TRUNDLE_SHAPES_SHAPE_H

#include <trundle/plugin.h>

/* The shapes that other code names; src/api/registry.def lists all. */
extern const tru_shape tru_shape_plane, tru_shape_sphere, tru_shape_box, tru_shape_disk, tru_shape_ellipsoid,
    tru_shape_capsule, tru_shape_hull;

/* [-] Cosine of the inclination below which a disk lies flat, because the direction of its lowest point is round-off. */
#define DISK_FLAT 1e-9

#endif
