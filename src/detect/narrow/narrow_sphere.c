/* narrow_sphere.c: contacts of a sphere with a sphere and with a box. trui_narrow_find sets `local`. */
#include "detect/narrow/narrow_sphere.h"

static double radius_of(const placed *sphere) { return ((const tru_sphere *)sphere->params)->radius; }

int trui_narrow_sphere_sphere(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]) {
    double ra = radius_of(a), rb = radius_of(b), reach = (ra + rb) + margin;
    tru_vec3 d = v3_sub(a->x, b->x), n = v3(0.0, 0.0, 1.0);
    double d2 = v3_norm2(d);
    if (!(reach > 0.0 && d2 < reach * reach)) return 0;
    double gap = sqrt(d2) - (ra + rb);
    if (!(gap < margin)) return 0;
    v3_unit(d, &n);
    *out = (contact_point){.point_a = v3_madd(a->x, -ra, n), .point_b = v3_madd(b->x, rb, n), .normal = n, .gap = gap};
    return 1;
}

/* Returns the distance [m] of a point c inside a box from the nearest face, and sets its outward normal (box axes). */
static double nearest_face(tru_vec3 c, tru_vec3 half, tru_vec3 *normal) {
    /* a place that is not finite passes: the step that made it fails by itself */
    TRU_ASSERT(!v3_is_finite(c) || !(fabs(c.x) > half.x || fabs(c.y) > half.y || fabs(c.z) > half.z));
    double x = half.x - fabs(c.x), y = half.y - fabs(c.y), z = half.z - fabs(c.z);
    if (x <= y && x <= z) {
        *normal = v3(c.x < 0.0 ? -1.0 : 1.0, 0.0, 0.0);
        return x;
    }
    if (y <= z) {
        *normal = v3(0.0, c.y < 0.0 ? -1.0 : 1.0, 0.0);
        return y;
    }
    *normal = v3(0.0, 0.0, c.z < 0.0 ? -1.0 : 1.0);
    return z;
}

int trui_narrow_sphere_box(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]) {
    double r = radius_of(a), distance;
    tru_vec3 half = v3_scale(0.5, ((const tru_box *)b->params)->size), n;
    tru_vec3 c = placed_point_to_local(b, a->x);
    tru_vec3 q = v3(clamp(c.x, half.x), clamp(c.y, half.y), clamp(c.z, half.z)), out_of = v3_sub(c, q);
    if (v3_unit(out_of, &n))
        distance = v3_norm(out_of);
    else
        distance = -nearest_face(c, half, &n);
    double gap = distance - r;
    if (!(gap < margin)) return 0;
    n = placed_dir_to_world(b, n);
    *out = (contact_point){
        .point_a = v3_madd(a->x, -r, n), .point_b = v3_madd(a->x, -distance, n), .normal = n, .gap = gap};
    return 1;
}
