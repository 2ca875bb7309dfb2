/* placed.h: a shape with its parameters and its pose in the world. */
#ifndef TRUNDLE_SHAPES_PLACED_H
#define TRUNDLE_SHAPES_PLACED_H

#include <trundle/plugin.h>

#include "math/mat.h"
#include "math/vec.h"

typedef struct placed {
    const tru_shape *shape;
    const void *params;
    tru_vec3 x; /* [m] of the shape's origin, world */
    tru_mat3 r; /* [-] shape axes -> world axes */
} placed;

static inline tru_vec3 placed_point_to_world(const placed *p, tru_vec3 local) {
    return v3_add(p->x, m3_apply(p->r, local));
}

static inline tru_vec3 placed_point_to_local(const placed *p, tru_vec3 world) {
    return m3_apply_t(p->r, v3_sub(world, p->x));
}

static inline tru_vec3 placed_dir_to_world(const placed *p, tru_vec3 local) { return m3_apply(p->r, local); }

static inline tru_vec3 placed_dir_to_local(const placed *p, tru_vec3 world) { return m3_apply_t(p->r, world); }

/* Support point and second derivative of the support function in world axes; `dir` unit, the shape bounded. */
static inline void placed_support(const placed *p, tru_vec3 dir, tru_surface *out) {
    tru_surface local;
    p->shape->surface(p->params, placed_dir_to_local(p, dir), &local);
    out->point = placed_point_to_world(p, local.point);
    out->hessian = m3_rotate_sym(p->r, local.hessian);
}

/* The outward normal of an unbounded shape, in world axes; its surface goes through p->x. */
static inline tru_vec3 placed_plane_normal(const placed *p) { return m3_column(p->r, 2); }

#endif
