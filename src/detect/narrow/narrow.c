/* narrow.c: narrow phase of any bounded shape with a plane, and the table of pairs of bounded shapes. */
#include "detect/narrow/narrow.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "detect/narrow/narrow_box.h"
#include "detect/narrow/narrow_capsule.h"
#include "detect/narrow/narrow_ellipsoid.h"
#include "detect/narrow/narrow_hull.h"
#include "detect/narrow/narrow_sphere.h"
#include "shapes/shape.h"

/* ---- bounded shape and plane ---- */

/* Finds the touches of a bounded shape with a plane of normal `up` (shape axes, towards the shape) and returns their number. */
static int touch_plane(const placed *a, tru_vec3 up, const tru_touch *before, int before_count, tru_touch *out) {
    if (a->shape->touch_plane) return a->shape->touch_plane(a->params, up, before, before_count, out);
    tru_surface s;
    a->shape->surface(a->params, v3_neg(up), &s);
    out[0] = (tru_touch){.point = s.point};
    return 1;
}

/* Finds the contact points of a bounded shape with a plane. The gap is computed in shape axes, as height of the origin plus up . point, so that the
 * place in the world costs no digits. */
static int meet_plane(const placed *a, const placed *plane, double margin, const tru_touch *before, int before_count,
                      contact_point out[TRU_TOUCHES]) {
    tru_touch touches[TRU_TOUCHES];
    tru_vec3 n = placed_plane_normal(plane), up = placed_dir_to_local(a, n);
    double height = v3_dot(n, v3_sub(a->x, plane->x));
    if (margin < DBL_MAX && height - a->shape->radius(a->params) >= margin) return 0;
    int touch_count = touch_plane(a, up, before, before_count, touches), count = 0;
    TRU_ASSERT(touch_count >= 0 && touch_count <= TRU_TOUCHES);
    for (int i = 0; i < touch_count; i++) {
        const tru_touch *t = &touches[i];
        double gap = height + v3_dot(up, t->point);
        if (!(gap < margin || (t->flags & TRU_TOUCH_LANDING))) continue;
        contact_point *m = &out[count++];
        m->normal = n;
        m->gap = gap;
        m->local = t->point;
        m->feature = t->feature;
        m->flags = t->flags;
    }
    return count;
}

/* ---- pairs of bounded shapes: one entry per unordered pair ---- */

typedef int (*meet_function)(const placed *a, const placed *b, double margin, contact_point out[TRU_TOUCHES]);

static const struct pair {
    const tru_shape *a, *b;
    meet_function meet;
} pairs[] = {
    {&tru_shape_sphere, &tru_shape_sphere, trui_narrow_sphere_sphere},
    {&tru_shape_sphere, &tru_shape_box, trui_narrow_sphere_box},
    {&tru_shape_box, &tru_shape_box, trui_narrow_box_box},
    {&tru_shape_ellipsoid, &tru_shape_ellipsoid, trui_narrow_smooth},
    {&tru_shape_ellipsoid, &tru_shape_sphere, trui_narrow_smooth},
    {&tru_shape_capsule, &tru_shape_sphere, trui_narrow_capsule_sphere},
    {&tru_shape_capsule, &tru_shape_capsule, trui_narrow_capsule_capsule},
    {&tru_shape_capsule, &tru_shape_box, trui_narrow_capsule_box},
    {&tru_shape_capsule, &tru_shape_hull, trui_narrow_capsule_hull},
    {&tru_shape_sphere, &tru_shape_hull, trui_narrow_sphere_hull},
    {&tru_shape_hull, &tru_shape_hull, trui_narrow_hull_hull},
    {&tru_shape_hull, &tru_shape_box, trui_narrow_hull_hull},
};
enum { PAIRS = sizeof pairs / sizeof pairs[0] };

static meet_function find_pair(const tru_shape *a, const tru_shape *b) {
    for (int i = 0; i < PAIRS; i++)
        if (pairs[i].a == a && pairs[i].b == b) return pairs[i].meet;
    return NULL;
}

/* Exchanges A and B of a contact point. */
static void swap_sides(contact_point *m) {
    tru_vec3 p = m->point_a;
    m->point_a = m->point_b;
    m->point_b = p;
    m->normal = v3_neg(m->normal);
}

bool trui_narrow_exists(const tru_shape *a, const tru_shape *b) {
    if (a->bounded && b->bounded) return find_pair(a, b) || find_pair(b, a);
    return a->bounded || b->bounded;
}

int trui_narrow_find(const placed *a, const placed *b, double margin, const tru_touch *before, int before_count,
                     contact_point out[TRU_TOUCHES]) {
    int count = 0;
    if (a->shape->bounded && !b->shape->bounded) return meet_plane(a, b, margin, before, before_count, out);
    if (!a->shape->bounded && !b->shape->bounded) return 0;
    if (!a->shape->bounded) {
        count = meet_plane(b, a, margin, before, before_count, out);
        for (int i = 0; i < count; i++) out[i].normal = v3_neg(out[i].normal);
        return count;
    }
    meet_function meet = find_pair(a->shape, b->shape);
    if (meet) {
        count = meet(a, b, margin, out);
    } else if ((meet = find_pair(b->shape, a->shape)) != NULL) {
        count = meet(b, a, margin, out);
        for (int i = 0; i < count; i++) swap_sides(&out[i]);
    }
    for (int i = 0; i < count; i++) {
        TRU_ASSERT(i == 0 || out[i - 1].feature < out[i].feature);
        TRU_ASSERT(!(fabs(v3_norm2(out[i].normal) - 1.0) > 1e-6));
        out[i].local = placed_point_to_local(a, out[i].point_a);
    }
    return count;
}

int trui_narrow_points(const placed *a, const placed *b, double margin, const tru_touch *before, int before_count,
                       contact_point out[TRU_TOUCHES]) {
    const int count = trui_narrow_find(a, b, margin, before, before_count, out);
    const bool on_a = a->shape->bounded;
    for (int i = 0; i < count && on_a != b->shape->bounded; i++) {
        contact_point *m = &out[i];
        const tru_vec3 here = placed_point_to_world(on_a ? a : b, m->local);
        const tru_vec3 there = v3_madd(here, on_a ? -m->gap : m->gap, m->normal);
        m->point_a = on_a ? here : there;
        m->point_b = on_a ? there : here;
    }
    return count;
}

/* ---- description ---- */

static void append(char *buf, size_t n, const char *first, const char *second) {
    size_t used = strlen(buf);
    snprintf(buf + used, n - used, "%s%s", first, second);
}

void trui_narrow_describe(const tru_shape *a, char *buf, size_t n) {
    if (n == 0) return;
    buf[0] = '\0';
    append(buf, n, a->name, a->bounded ? " meets plane" : " meets every bounded shape");
    for (int i = 0; i < PAIRS; i++) {
        const tru_shape *other = pairs[i].a == a ? pairs[i].b : pairs[i].b == a ? pairs[i].a : NULL;
        if (other) append(buf, n, ", ", other->name);
    }
}
