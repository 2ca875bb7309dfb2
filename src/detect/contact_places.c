/* contact_places.c: frames, arms and rates of contacts at any pose of their bodies. */
#include "detect/contact_places.h"

#include "detect/lever.h"
#include "detect/narrow/narrow.h"

#include <float.h>
#include <string.h>

int trui_contact_run(const contact_array *all, size_t first) {
    TRU_ASSERT(first < all->count);
    size_t i = first + 1;
    while (i < all->count && all->items[i].solid_a == all->items[first].solid_a &&
           all->items[i].solid_b == all->items[first].solid_b)
        i++;
    return (int)(i - first);
}

/* Returns a contact that the narrow phase does not find at another pose, for example because an edge left a face. Its two points stay fixed
 * on the bodies, and its normal stays fixed in the world. */
static contact_point point_carried(const contact *c, const solid *sa, const solid *sb, const placed *pa,
                                   const placed *pb) {
    const bool on_a = sa->shape->bounded;
    const placed *own = on_a ? &sa->pose : &sb->pose, *own_now = on_a ? pa : pb;
    const placed *other = on_a ? &sb->pose : &sa->pose, *other_now = on_a ? pb : pa;
    const double side = on_a ? 1.0 : -1.0;
    const tru_vec3 far = v3_madd(placed_point_to_world(own, c->local_a), -side * c->c.gap, c->c.normal);
    const tru_vec3 here = placed_point_to_world(own_now, c->local_a);
    const tru_vec3 there = placed_point_to_world(other_now, placed_point_to_local(other, far));
    return (contact_point){.normal = c->c.normal,
                           .gap = side * v3_dot(c->c.normal, v3_sub(here, there)),
                           .local = c->local_a,
                           .feature = c->key.feature};
}

void trui_contact_run_places(const tru_world *w, const contact *run, int run_count, const body *a, const body *b,
                             contact_place *out) {
    const solid *sa = &w->solids.items[run->solid_a], *sb = &w->solids.items[run->solid_b];
    const placed pa = solid_on(sa, a);
    const placed *pb = &sb->pose;
    placed moved;
    if (b->kind != TRU_FIXED || !w->checked) { /* before tru_check, solids of fixed bodies have no pose */
        moved = solid_on(sb, b);
        pb = &moved;
    }
    TRU_ASSERT(run_count >= 1 && run_count <= TRU_TOUCHES);
    tru_touch before[TRU_TOUCHES];
    contact_point m[TRU_TOUCHES];
    before[0].feature = 0;
    for (int i = 0; i < run_count; i++) before[i] = (tru_touch){run[i].local_a, run[i].key.feature, 0};
    const int count = trui_narrow_find(&pa, pb, DBL_MAX, before, run_count, m);
    for (int i = 0, k = 0; i < run_count; i++) {
        while (k < count && m[k].feature < run[i].key.feature) k++;
        const bool there = k < count && m[k].feature == run[i].key.feature;
        const contact_frame *c = &run[i].c;
        contact_point carried;
        if (!there) carried = point_carried(&run[i], sa, sb, &pa, pb);
        const contact_point *at = there ? &m[k] : &carried;
        out[i].normal = at->normal;
        out[i].gap = at->gap;
        contact_carry_frame(&c->normal, &c->t1, &c->t2, at->normal, &out[i].t1, &out[i].t2);
        contact_set_arms(sa, sb, a, b, &pa, pb, at, &out[i].arm_a, &out[i].arm_b);
    }
}

void trui_contact_rates(const contact_place *p, const twist *a, const twist *b, double u[TRU_ROWS]) {
    rates_of_rows(p->normal, p->t1, p->t2, p->arm_a, p->arm_b, a, b, u);
}

void trui_contact_now(const tru_world *w, size_t k, contact_place *place, double u[TRU_ROWS]) {
    TRU_ASSERT(k < w->contacts.count);
    const contact *c = &w->contacts.items[k];
    const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
    if (c->end) {
        *place = c->end->place;
        memcpy(u, c->end->rate, sizeof c->end->rate);
        return;
    }
    if (c->flags & CONTACT_TRACKED) { /* its frame is where its loads acted, at the end of the step */
        *place = (contact_place){c->c.normal, c->c.t1, c->c.t2, c->c.arm_a, c->c.arm_b, c->c.gap};
    } else {
        contact_place places[TRU_TOUCHES];
        size_t first = k;
        while (first > 0 && contact_same_solids(&w->contacts.items[first - 1].key, &c->key)) first--;
        trui_contact_run_places(w, &w->contacts.items[first], trui_contact_run(&w->contacts, first), a, b, places);
        *place = places[k - first];
    }
    trui_contact_rates(place, &(twist){a->v, a->w}, &(twist){b->v, b->w}, u);
}

void trui_contact_view(const contact *c, const placed *a, const placed *b, tru_vec3 centre, double step,
                       tru_contact *out) {
    *out = (tru_contact){.point = v3_add(centre, c->c.arm_a),
                         .normal = c->c.normal,
                         .t1 = c->c.t1,
                         .t2 = c->c.t2,
                         .arm_a = c->c.arm_a,
                         .arm_b = c->c.arm_b,
                         .gap = c->c.gap,
                         .step = step,
                         .stuck = c->c.stuck,
                         .rim_points = c->c.rim_points,
                         .memory = c->c.memory};
    if (c->pair->needs & (TRU_NEEDS_LEVER | TRU_NEEDS_RADIUS))
        trui_lever_of(a, b, out->normal, out->t1, out->t2, out->lever, &out->radius_effective, &out->radius_smaller);
}
