/* check_api.c: checking a world before it runs. */
#include "api/check_api.h"

#include "api/registry.h"
#include "base/assert.h"
#include "base/error.h"
#include "detect/find_contacts.h"
#include "detect/lever.h"
#include "detect/overlap.h"
#include "detect/narrow/narrow.h"
#include "laws/length.h"
#include "step/end/start.h"
#include "step/joints.h"
#include "step/motion.h"
#include "world/validate.h"

/* Finds the pairs whose friction limits are the same in every contact, and these limits. */
static void settle_pairs(tru_world *w) {
    const tru_contact any = {.normal = {0.0, 0.0, 1.0}, .t1 = {1.0, 0.0, 0.0}, .t2 = {0.0, 1.0, 0.0}, .rim_points = 1};
    for (size_t i = 0; i < w->pairs.count; i++) {
        pair *p = &w->pairs.items[i];
        p->plain = p->needs == 0;
        p->limit[0] = p->limit[1] = p->limit[2] = 0.0;
        for (int k = 0; k < p->law_count; k++) {
            const pair_law *l = &p->laws[k];
            double work[TRU_LAW_WORK];
            p->plain = p->plain && l->law->constant && l->kept == 0;
            if (!p->plain) break;
            l->law->prepare(l->params, &any, work);
            p->plain = l->law->limits(work, p->limit);
        }
    }
}

/* Refuses a law that needs a radius, a curvature or a lever on surfaces without one. A direction in general position tells. */
static tru_status check_geometry(const tru_world *w, const solid *a, const solid *b, tru_error *err) {
    const tru_mat3 one = m3_identity();
    const placed pa = {a->shape, a->params, {0, 0, 0}, one}, pb = {b->shape, b->params, {0, 0, 0}, one};
    const tru_vec3 n = {0.36, 0.48, 0.8};
    tru_vec3 t1, t2;
    double lever[2][2], effective, smaller;
    v3_tangents(n, &t1, &t2);
    trui_lever_of(&pa, &pb, n, t1, t2, lever, &effective, &smaller);
    const bool rolls = lever[0][0] != 0.0 || lever[0][1] != 0.0 || lever[1][0] != 0.0 || lever[1][1] != 0.0;
    const pair *p = trui_world_pair(w, a, b);
    for (int i = 0; i < p->law_count; i++) {
        const pair_law *l = &p->laws[i];
        const unsigned needs = l->law->needs ? l->law->needs(l->params) : 0u;
        if ((needs & TRU_NEEDS_RADIUS) && !(effective > 0.0))
            return tru_fail(
                err, TRU_REFUSED,
                "law %s: a friction length is given in parts of a radius, but a contact of %s and %s has none; give "
                "it as a length, 0.1 mm",
                l->law->name, a->shape->name, b->shape->name);
        if ((needs & TRU_NEEDS_CURVATURE) && !trui_lever_is_curved(lever))
            return tru_fail(
                err, TRU_REFUSED,
                "law %s: eta_r and eta_psi need a curvature, but a contact of %s and %s has none; give roll, "
                "spin or spin_curvature",
                l->law->name, a->shape->name, b->shape->name);
        if ((needs & TRU_NEEDS_LEVER) && !rolls)
            return tru_fail(err, TRU_REFUSED,
                            "law %s needs a surface that rolls, but a contact of %s and %s has no lever", l->law->name,
                            a->shape->name, b->shape->name);
    }
    return TRU_OK;
}

/* Refuses two shapes that can touch but have no narrow phase or no law. */
static tru_status check_shapes(const tru_world *w, const solid *a, const solid *b, tru_error *err) {
    const pair *p = trui_world_pair(w, a, b);
    if (p && p->pass) return TRU_OK;
    if (!trui_narrow_exists(a->shape, b->shape)) {
        char partners[200];
        trui_narrow_describe(a->shape, partners, sizeof partners);
        return tru_fail(err, TRU_REFUSED,
                        "bodies '%s' and '%s': there is no contact between %s and %s; %s; pass: true "
                        "in their pair lets them pass through each other",
                        body_name(w, a->body), body_name(w, b->body), a->shape->name, b->shape->name, partners);
    }
    if (!p)
        return tru_fail(
            err, TRU_NO_LAW,
            "materials '%s' and '%s' can touch (bodies '%s' and '%s') but have no law; a pair or a default must give one",
            w->materials.items[a->material].name, w->materials.items[b->material].name, body_name(w, a->body),
            body_name(w, b->body));
    return p->needs ? check_geometry(w, a, b, err) : TRU_OK;
}

/* Returns true if the body of a solid is free. */
static bool is_free(const tru_world *w, const solid *s) { return body_is_free(&w->bodies.items[s->body]); }

/* Returns true if check_shapes treats two solids alike: shape, material and freedom decide everything but sizes. */
static bool same_class(const tru_world *w, const solid *a, const solid *b) {
    return a->shape == b->shape && a->material == b->material && is_free(w, a) == is_free(w, b);
}

/* Finds two solids of these classes that may touch: of different bodies, one of them free, without a joint that keeps them apart. */
static bool find_two(const tru_world *w, const solid **a, const solid **b) {
    const solid *like_a = *a, *like_b = *b, *end = w->solids.items + w->solids.count;
    if (!is_free(w, *a) && !is_free(w, *b)) return false;
    for (*a = like_a; *a < end; (*a)++) {
        if (!same_class(w, *a, like_a)) continue;
        for (*b = like_b; *b < end; (*b)++)
            if (same_class(w, *b, like_b) && (*a)->body != (*b)->body && !trui_bodies_joined(w, (*a)->body, (*b)->body))
                return true;
    }
    return false;
}

/* The solids of one class, represented by two of them. */
typedef struct solid_class {
    const solid *first, *smallest; /* NULL in an empty class */
} solid_class;

/* Returns the number of a shape in the registry; of NULL: the number of shapes. */
static size_t shape_number(const tru_shape *shape) {
    size_t k = 0;
    while (tru_shape_at(k) && tru_shape_at(k) != shape) k++;
    return k;
}

/* Sorts all solids into classes and moves those that are not empty to the front. Returns their number. */
static size_t fill_classes(const tru_world *w, solid_class *classes, size_t room) {
    const tru_shape *last = NULL; /* neighbours often have the same shape */
    size_t count = 0, number = 0;
    memset(classes, 0, room * sizeof *classes);
    for (const solid *s = w->solids.items, *end = s + w->solids.count; s < end; s++) {
        if (s->shape != last) number = shape_number(s->shape);
        last = s->shape;
        const size_t k = (number * w->materials.count + s->material) * 2 + is_free(w, s);
        TRU_ASSERT(k < room && s->material < w->materials.count);
        if (!classes[k].first) classes[k].first = classes[k].smallest = s;
        if (s->radius < classes[k].smallest->radius) classes[k].smallest = s;
    }
    for (size_t k = 0; k < room; k++)
        if (classes[k].first) classes[count++] = classes[k];
    return count;
}

/* Remarks on a roll or spin length above the radius of a body, which is probably meant as a factor. Names the smallest body. */
static tru_status remark_lengths(const tru_world *w, const solid *a, const solid *b, tru_error *err) {
    const pair *p = trui_world_pair(w, a, b);
    if (!p || p->pass || (!a->shape->bounded && !b->shape->bounded)) return TRU_OK;
    const placed pa = {a->shape, a->params, {0, 0, 0}, m3_identity()};
    const placed pb = {b->shape, b->params, {0, 0, 0}, m3_identity()};
    tru_contact c = {.normal = {0.36, 0.48, 0.8}};
    v3_tangents(c.normal, &c.t1, &c.t2);
    trui_lever_of(&pa, &pb, c.normal, c.t1, c.t2, c.lever, &c.radius_effective, &c.radius_smaller);
    const solid *small = a->radius == c.radius_smaller ? a : b;
    for (int i = 0; i < p->law_count; i++)
        for (const tru_field *f = p->laws[i].law->fields; f->name; f++) {
            if (f->block != tru_length_fields) continue;
            const tru_length *l = (const tru_length *)(const void *)((const char *)p->laws[i].params + f->offset);
            const double length = length_here(l, &c);
            if (!(length > small->radius)) continue;
            return tru_remark(err, TRU_REMARK, "law %s: %s is %.6g m, above the radius %.6g m of body '%s'%s",
                              p->laws[i].law->name, f->name, length, small->radius, body_name(w, small->body),
                              l->radius == TRU_RADIUS_NONE ? "; a part of the radius is {factor: ..., radius: smaller}"
                                                           : "");
        }
    return TRU_OK;
}

/* Checks all pairs of solids by classes: two members represent all pairs of two classes. */
static tru_status check_pairs(tru_world *w, tru_error *err) {
    const size_t room = shape_number(NULL) * w->materials.count * 2;
    trui_arena_reset(&w->scratch);
    solid_class *classes = ARENA_ARRAY(&w->scratch, solid_class, room);
    if (!classes) return tru_no_memory(err);
    const size_t count = fill_classes(w, classes, room);
    tru_status s = TRU_OK, remark = TRU_OK;
    for (size_t i = 0; i < count && s >= 0; i++)
        for (size_t j = i; j < count && s >= 0; j++) {
            const solid *a = classes[i].first, *b = classes[j].first;
            if (!find_two(w, &a, &b)) continue;
            s = check_shapes(w, a, b, err);
            if (s >= 0 && !remark) remark = remark_lengths(w, classes[i].smallest, classes[j].smallest, err);
        }
    return s >= 0 ? remark : s;
}

/* Refuses laws that the stepper cannot use. */
static tru_status check_laws(const tru_world *w, tru_error *err) {
    for (size_t i = 0; i < w->pairs.count; i++)
        for (int k = 0; k < w->pairs.items[i].law_count; k++) {
            const pair_law *l = &w->pairs.items[i].laws[k];
            const char *why = w->stepper->refuses_law ? w->stepper->refuses_law(l->law, l->params) : NULL;
            if (why)
                return tru_fail(err, TRU_REFUSED, "stepper %s cannot use law %s: %s", w->stepper->name, l->law->name,
                                why);
        }
    return TRU_OK;
}

/* Refuses level axes under a stepper that cannot keep them level. */
static tru_status check_guides(const tru_world *w, tru_error *err) {
    for (size_t i = 0; i < w->labels.count && !w->stepper->guides; i++)
        if (v3_max_abs(body_level(w, i)) > 0.0)
            return tru_fail(err, TRU_REFUSED, "stepper %s cannot keep an axis of body '%s' level", w->stepper->name,
                            body_name(w, i));
    return TRU_OK;
}

/* Refuses joints under a stepper without them. */
static tru_status check_carrier(const tru_world *w, tru_error *err) {
    if (w->joints.count > 0 && !w->stepper->joints)
        return tru_fail(err, TRU_REFUSED, "stepper %s cannot carry joints (joint '%s'); moreau and cone can",
                        w->stepper->name, w->joints.items[0].name);
    return TRU_OK;
}

/* Refuses a step that does not change the time, or whose square, which gaps are compared with, is zero. */
static tru_status check_step(const tru_world *w, tru_error *err) {
    const double time = trui_world_time(w), h = w->step;
    if (!(h * h > 0.0)) return tru_fail(err, TRU_OUT_OF_RANGE, "a step of %.6g s is too short: its square is 0", h);
    if (time + h > time) return TRU_OK;
    return tru_fail(err, TRU_OUT_OF_RANGE, "a step of %.6g s is too short: the time %.17g s does not change by it", h,
                    time);
}

/* Refuses speeds whose squares or energies overflow. */
static tru_status check_speeds(const tru_world *w, tru_error *err) {
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        const double energy = b->mass * v3_norm2(b->v), turns = v3_norm2(b->w);
        if (!(b->kind == TRU_FREE) || (isfinite(energy) && isfinite(turns))) continue;
        return tru_fail(err, TRU_OUT_OF_RANGE,
                        "body '%s' is too fast: with %.6g kg, %.6g m/s and %.6g rad/s its kinetic energy is beyond "
                        "every number",
                        body_name(w, i), b->mass, larger(larger(fabs(b->v.x), fabs(b->v.y)), fabs(b->v.z)),
                        larger(larger(fabs(b->w.x), fabs(b->w.y)), fabs(b->w.z)));
    }
    return TRU_OK;
}

/* Refuses bodies that overlap too much at the start. */
static tru_status check_overlap(tru_world *w, tru_error *err) {
    overlap o;
    bool found;
    /* the stepper handles overlaps of a run; bodies that were added or moved since are checked here */
    const tru_id first = w->steps_done > 0 && (!w->moved || w->stepper->soft) ? w->overlap_checked : TRU_NONE;
    if (first == w->next_id) return TRU_OK;
    trui_arena_reset(&w->scratch);
    const tru_status s = trui_find_overlap(w, w->overlap, first, &o, &found, err);
    if (s >= 0 && !found) w->overlap_checked = w->next_id;
    if (s < 0 || !found) return s;
    const solid *a = &w->solids.items[o.solid_a], *b = &w->solids.items[o.solid_b];
    return tru_fail(err, TRU_OVERLAP,
                    "bodies '%s' and '%s' overlap by %.6g m at the start, more than %.6g of the size %.6g m",
                    body_name(w, a->body), body_name(w, b->body), o.depth, w->overlap, o.extent);
}

tru_status trui_join_remarks(const tru_error *first, tru_status later, tru_error *err) {
    if (first->status <= 0 || later < 0) return later;
    const tru_error second = err && later > 0 ? *err : (tru_error){TRU_OK, ""};
    return tru_remark(err, later > first->status ? later : first->status, "%s%s%s", first->text,
                      second.text[0] ? "; " : "", second.text);
}

/* Checks a world that has changed. It leaves rows in joints, also if it fails. */
static tru_status check_all(tru_world *w, tru_error *err) {
    tru_error pairs = {TRU_OK, ""};
    if (!w->stepper) return tru_fail(err, TRU_BAD_ARGUMENT, "no stepper is set");
    w->profile.checks++;
    tru_status s = check_step(w, err);
    if (s >= 0) s = check_speeds(w, err);
    if (s < 0) return s;
    if (!trui_world_fill_pairs(w)) return tru_no_memory(err);
    settle_pairs(w);
    trui_pose_solids(w);
    s = check_pairs(w, &pairs);
    if (s < 0 && err) *err = pairs;
    if (s >= 0) s = check_laws(w, err);
    if (s >= 0) s = check_guides(w, err);
    if (s >= 0) s = check_carrier(w, err);
    if (s >= 0 && w->stepper->ready) s = w->stepper->ready(w->stepper_params, w, err);
    if (s >= 0) { /* the sentence of a remark stays unless another remark or a failure follows */
        const tru_status joints = trui_joints_check(w, err);
        s = joints != TRU_OK ? joints : s;
    }
    const tru_status remark = s;
    if (s >= 0) s = check_overlap(w, err);
    if (s >= 0) s = trui_start_find(w, err);
    if (s >= 0) w->checked = true;
    if (s >= 0) world_assert_valid(w);
    return s >= 0 ? trui_join_remarks(&pairs, remark, err) : s;
}

/* Checks a world that has changed. If it fails, joints are as before. */
static tru_status check_changed(tru_world *w, tru_error *err) {
    const size_t bytes = w->joints.count * sizeof *w->joints.items;
    joint *kept = bytes > 0 ? trui_mem_copy(&w->memory, w->joints.items, bytes) : NULL;
    if (bytes > 0 && !kept) return tru_no_memory(err);
    const tru_status s = check_all(w, err);
    if (s < 0 && kept) memcpy(w->joints.items, kept, bytes);
    trui_mem_release(&w->memory, kept, bytes);
    return s;
}

tru_status tru_check(tru_world *w, tru_error *err) {
    if (!w) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_check needs a world");
    return w->checked ? TRU_OK : check_changed(w, err);
}
