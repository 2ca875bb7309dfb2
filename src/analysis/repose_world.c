/* repose_world.c: the heap that the free bodies of a world form. */
#include <trundle/analysis.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "shapes/shape.h"
#include "world/world.h"

#include <math.h>

/* Computes two horizontal directions at right angles: x and y if gravity points down along z. */
static void level_axes(tru_vec3 up, tru_vec3 *e1, tru_vec3 *e2) {
    const tru_vec3 x = fabs(up.x) < 0.9 ? v3(1.0, 0.0, 0.0) : v3(0.0, 1.0, 0.0);
    v3_unit(v3_reject(x, up), e1);
    *e2 = v3_cross(up, *e1);
    TRU_ASSERT(fabs(v3_norm2(*e2) - 1.0) < 1e-12);
}

/* [m] Returns how far a body reaches from its centre in a direction, from the support points of its shapes. */
static double reach_in(const tru_world *w, const body *b, tru_vec3 dir) {
    double most = 0.0;
    for (size_t k = b->solid_first; k < b->solid_first + b->solid_count; k++) {
        const solid *s = &w->solids.items[k];
        if (!s->shape->bounded) continue;
        const placed p = solid_on(s, b);
        tru_surface at;
        placed_support(&p, dir, &at);
        most = fmax(most, v3_dot(dir, v3_sub(at.point, b->x)));
    }
    return most;
}

/* Collects the free bodies as grains, with heights above the lowest point of any of them. Returns their number. */
static size_t collect(const tru_world *w, tru_vec3 up, tru_grain *g) {
    tru_vec3 e1, e2;
    size_t n = 0;
    double floor = HUGE_VAL;
    level_axes(up, &e1, &e2);
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        if (!body_is_free(b)) continue;
        const double sides =
            reach_in(w, b, e1) + reach_in(w, b, v3_neg(e1)) + reach_in(w, b, e2) + reach_in(w, b, v3_neg(e2));
        g[n] = (tru_grain){v3_dot(e1, b->x), v3_dot(e2, b->x), v3_dot(up, b->x),
                           0.25 * sides,     b->mass,          reach_in(w, b, up)};
        floor = fmin(floor, g[n].z - reach_in(w, b, v3_neg(up)));
        n++;
    }
    for (size_t i = 0; i < n; i++) g[i].z -= floor;
    return n;
}

/* [m] Returns the distance from the mean of the grains to the nearest fixed plane that stands upright; 0 without one. */
static double reach_of(const tru_world *w, tru_vec3 up, const tru_grain *g, size_t n) {
    tru_vec3 e1, e2;
    double x = 0.0, y = 0.0, nearest = HUGE_VAL;
    level_axes(up, &e1, &e2);
    for (size_t i = 0; i < n; i++) x += g[i].x / (double)n, y += g[i].y / (double)n;
    const tru_vec3 axis = v3_madd(v3_scale(x, e1), y, e2);
    for (size_t i = 0; i < w->solids.count; i++) {
        const solid *s = &w->solids.items[i];
        if (s->shape->bounded || w->bodies.items[s->body].kind != TRU_FIXED) continue;
        const body *b = &w->bodies.items[s->body];
        const placed p = solid_on(s, b);
        const tru_vec3 out = placed_plane_normal(&p);
        if (fabs(v3_dot(out, up)) < 0.5) nearest = fmin(nearest, v3_dot(out, v3_sub(axis, p.x)));
    }
    return nearest < HUGE_VAL ? nearest : 0.0;
}

tru_status tru_repose_of_world(const tru_world *w, tru_repose *out, tru_error *err) {
    tru_vec3 up;
    if (!w || !out)
        return tru_fail(err, TRU_BAD_ARGUMENT, "tru_repose_of_world needs a world and a place for the result");
    if (!v3_unit(v3_neg(w->gravity), &up))
        return tru_fail(err, TRU_REFUSED, "gravity is 0 m/s^2, must be above 0 m/s^2 to measure a heap");
    memory m = trui_memory_default();
    const size_t room = w->bodies.count;
    tru_grain *g = MEM_ARRAY(&m, tru_grain, room);
    if (!g) return tru_no_memory(err);
    const size_t n = collect(w, up, g);
    TRU_ASSERT(n <= room);
    const double reach = n > 0 ? reach_of(w, up, g, n) : 0.0;
    const tru_status status =
        w->contacts.count < n
            ? tru_fail(err, TRU_REFUSED, "the bodies do not form a heap: %zu bodies have only %zu contacts", n,
                       w->contacts.count)
            : tru_repose_of(g, n, reach, out, err);
    trui_mem_release(&m, g, room * sizeof *g);
    return status;
}
