/* placed.h: a shape with its parameters and its pose in the world. */
#ifndef TRUNDLE_SHAPES_PLACED_H
#define TRUNDLE_SHAPES_PLACED_H

#include <trundle/plugin.h>

#include "math/mat.h"
#include "math/vec.h"

/* A shape in the world. */
typedef struct placed {
    const tru_shape *shape;
    const void *params;
    tru_vec3 x; /* [m] origin of the shape in the world */
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

/* Computes the support point and the second derivative of the support function in world axes, for a unit vector `dir` and a bounded shape. */
static inline void placed_support(const placed *p, tru_vec3 dir, tru_surface *out) {
    TRU_ASSERT(p->shape->bounded && !(fabs(v3_norm2(dir) - 1.0) > 1e-6));
    tru_surface local;
    p->shape->surface(p->params, placed_dir_to_local(p, dir), &local);
    out->point = placed_point_to_world(p, local.point);
    out->hessian = m3_rotate_sym(p->r, local.hessian);
}

/* Returns the outward normal of an unbounded shape in world axes; its surface contains p->x. */
static inline tru_vec3 placed_plane_normal(const placed *p) { return m3_column(p->r, 2); }

#endif
