/* run_api.c: choosing a stepper, checking a world before it runs, running it, and reading what happened. */
#include "api/registry.h"

#include "base/error.h"
#include "detect/find_contacts.h"
#include "detect/lever.h"
#include "detect/overlap.h"
#include "detect/narrow/narrow.h"
#include "laws/length.h"
#include "step/verbs.h"
#include "world/validate.h"

#include <stdio.h>

/* ---- stepper ---- */

/* The solver a stepper's parameters name: the plug-in field of kind "solver". */
static tru_status find_solver(tru_world *w, const tru_stepper *stepper, const void *params, const tru_solver **solver,
                              void **solver_params, tru_error *err) {
    *solver = NULL;
    *solver_params = NULL;
    for (const tru_field *f = stepper->fields; f && f->name; f++) {
        if (f->type != TRU_FIELD_PLUGIN || strcmp(f->words, "solver") != 0) continue;
        const tru_use *use = (const tru_use *)(const void *)((const char *)params + f->offset);
        tru_error inner = {TRU_OK, ""};
        *solver = trui_solver_named(use->name ? use->name : f->text, &inner);
        if (*solver)
            *solver_params = trui_plugin_params(&w->memory, "solver", (*solver)->name, (*solver)->fields,
                                                (*solver)->size, (*solver)->check, use->params, &inner);
        if (inner.status < 0 && err) *err = inner;
        if (inner.status < 0) return inner.status;
    }
    return TRU_OK;
}

/* Names inside the copy must not point into the caller's memory. */
static void own_names(const tru_stepper *stepper, void *params, const tru_solver *solver, void *solver_params) {
    for (const tru_field *f = stepper->fields; f && f->name; f++)
        if (f->type == TRU_FIELD_PLUGIN && solver)
            *(tru_use *)(void *)((char *)params + f->offset) = (tru_use){solver->name, solver_params};
}

tru_status tru_stepper_set(tru_world *w, const char *name, const void *params, tru_error *err) {
    tru_error inner = {TRU_OK, ""};
    const tru_solver *solver;
    void *solver_params;
    if (!w) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_stepper_set needs a world");
    const tru_stepper *stepper = trui_stepper_named(name, err);
    if (!stepper) return TRU_UNKNOWN_NAME;
    void *copy = trui_plugin_params(&w->memory, "stepper", stepper->name, stepper->fields, stepper->size,
                                    stepper->check, params, &inner);
    if (!copy) {
        if (err) *err = inner;
        return inner.status;
    }
    const tru_status s = find_solver(w, stepper, copy, &solver, &solver_params, err);
    if (s < 0) {
        trui_mem_release(&w->memory, copy, stepper->size);
        return s;
    }
    own_names(stepper, copy, solver, solver_params);
    if (w->stepper) trui_mem_release(&w->memory, w->stepper_params, w->stepper->size);
    if (w->solver) trui_mem_release(&w->memory, w->solver_params, w->solver->size);
    const double seconds = stepper->step_size(copy);
    if (seconds != w->step) { /* with the same step time goes on to the same bits */
        w->time_base = trui_world_time(w);
        w->steps_here = 0;
    }
    w->stepper = stepper;
    w->stepper_params = copy;
    w->solver = solver;
    w->solver_params = solver_params;
    w->step = seconds;
    array_clear(&w->before); /* the last step was another stepper's: the judge has nothing to say */
    world_changed(w);
    return TRU_OK;
}

/* ---- check ---- */

/* Pairs whose friction limits are the same in every contact, and these. */
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

/* A law that needs a radius or a lever needs surfaces that have one; any direction in general position tells. */
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

/* Every two shapes that can touch have a narrow phase and a law. */
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

static bool is_free(const tru_world *w, const solid *s) { return body_is_free(&w->bodies.items[s->body]); }

/* What kind of solid it is for check_shapes: shape, material and whether it is free decide everything but sizes. */
static bool same_class(const tru_world *w, const solid *a, const solid *b) {
    return a->shape == b->shape && a->material == b->material && is_free(w, a) == is_free(w, b);
}

/* Two solids like these that may touch: of different bodies, one of them free, that no joint keeps apart. */
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

/* The solids of one class: those of them that stand for all. */
typedef struct solid_class {
    const solid *first, *smallest; /* NULL: there are none */
} solid_class;

static size_t shape_number(const tru_shape *shape) {
    size_t k = 0;
    while (tru_shape_at(k) && tru_shape_at(k) != shape) k++;
    return k;
}

/* Sorts all solids into classes, as many as there are; returns how many are not empty, packed to the front. */
static size_t fill_classes(const tru_world *w, solid_class *classes, size_t room) {
    const tru_shape *last = NULL; /* neighbours often have the same shape */
    size_t count = 0, number = 0;
    memset(classes, 0, room * sizeof *classes);
    for (const solid *s = w->solids.items, *end = s + w->solids.count; s < end; s++) {
        if (s->shape != last) number = shape_number(s->shape);
        last = s->shape;
        const size_t k = (number * w->materials.count + s->material) * 2 + is_free(w, s);
        if (!classes[k].first) classes[k].first = classes[k].smallest = s;
        if (s->radius < classes[k].smallest->radius) classes[k].smallest = s;
    }
    for (size_t k = 0; k < room; k++)
        if (classes[k].first) classes[count++] = classes[k];
    return count;
}

/* A roll or spin length above the radius of a body is probably a factor: names the smallest of the bodies. */
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

/* Compare classes, not bodies: two members stand for all pairs of two classes. */
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

/* Axes that stay level need a stepper that keeps them so. */
static tru_status check_guides(const tru_world *w, tru_error *err) {
    for (size_t i = 0; i < w->labels.count && !w->stepper->guides; i++)
        if (v3_max_abs(body_level(w, i)) > 0.0)
            return tru_fail(err, TRU_REFUSED, "stepper %s cannot keep an axis of body '%s' level", w->stepper->name,
                            body_name(w, i));
    return TRU_OK;
}

/* Joints need a stepper that carries them. */
static tru_status check_carrier(const tru_world *w, tru_error *err) {
    if (w->joints.count > 0 && !w->stepper->joints)
        return tru_fail(err, TRU_REFUSED, "stepper %s cannot carry joints (joint '%s'); moreau and cone can",
                        w->stepper->name, w->joints.items[0].name);
    return TRU_OK;
}

/* A step must bring the time on, and its square, which every gap and weight is compared with, must be a number. */
static tru_status check_step(const tru_world *w, tru_error *err) {
    const double time = trui_world_time(w), h = w->step;
    if (!(h * h > 0.0)) return tru_fail(err, TRU_OUT_OF_RANGE, "a step of %.6g s is too short: its square is 0", h);
    if (time + h > time) return TRU_OK;
    return tru_fail(err, TRU_OUT_OF_RANGE, "a step of %.6g s is too short: the time %.17g s does not change by it", h,
                    time);
}

/* The ledger must be able to hold what moves: squares of speeds and energies are numbers. */
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

static tru_status check_overlap(tru_world *w, tru_error *err) {
    overlap o;
    bool found;
    /* overlaps of a run are the stepper's business, those of bodies that came or were moved since are not */
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

/* Joins an earlier remark with that of status `later` in `err`, or lets it stand alone if `later` is TRU_OK. Returns the
 * more serious status. */
static tru_status join_remarks(const tru_error *first, tru_status later, tru_error *err) {
    if (first->status <= 0 || later < 0) return later;
    const tru_error second = err && later > 0 ? *err : (tru_error){TRU_OK, ""};
    return tru_remark(err, later > first->status ? later : first->status, "%s%s%s", first->text,
                      second.text[0] ? "; " : "", second.text);
}

tru_status tru_check(tru_world *w, tru_error *err) {
    tru_error pairs = {TRU_OK, ""};
    if (!w) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_check needs a world");
    if (w->checked) return TRU_OK;
    if (!w->stepper) return tru_fail(err, TRU_BAD_ARGUMENT, "no stepper is set");
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
    if (s >= 0) { /* the sentence of a remark stays, unless another one or a failure follows */
        const tru_status joints = trui_joints_check(w, err);
        s = joints != TRU_OK ? joints : s;
    }
    const tru_status remark = s;
    if (s >= 0) s = check_overlap(w, err);
    if (s >= 0) s = trui_start_find(w, err);
    if (s >= 0) w->checked = true;
    if (s >= 0) world_assert_valid(w);
    return s >= 0 ? join_remarks(&pairs, remark, err) : s;
}

/* ---- run ---- */

/* How many events there ever were, but for those that were taken. */
static uint64_t event_count(const tru_world *w) { return w->events.count + w->events.lost; }

enum { MANY = 256 }; /* bodies that are worth threads which stand by */

typedef struct running {
    tru_world *w;
    uint64_t steps;
    bool to_event;
    tru_status worst;
    tru_error *err;
} running;

/* `steps` steps, or up to the one that makes an event. Steps that a stepper takes at once make none. */
static void take_steps(void *context) {
    running *r = context;
    tru_world *w = r->w;
    const uint64_t events = event_count(w);
    for (uint64_t i = 0; i < r->steps && !(r->to_event && event_count(w) != events); i++) {
        if (w->stepper->cruise && i + 1 < r->steps) i += w->stepper->cruise(w->stepper_params, w, r->steps - i - 1);
        const tru_status s = w->stepper->step(w->stepper_params, w, r->err);
        if (s < 0 || s > r->worst) r->worst = s;
        if (s < 0) return;
    }
}

static tru_status run(tru_world *w, uint64_t steps, bool to_event, tru_error *err) {
    const tru_status checked = tru_check(w, err);
    running r = {w, steps, to_event, TRU_OK, err};
    tru_error remark;
    if (checked < 0) return checked;
    if (checked > 0) remark = err ? *err : (tru_error){checked, ""};
    if (w->bodies.count >= MANY)
        trui_parallel_together(w->threads, take_steps, &r);
    else
        take_steps(&r);
    if (r.worst >= 0) trui_world_energy(w);
    world_assert_valid_after(w, steps);
    return checked > 0 ? join_remarks(&remark, r.worst, err) : r.worst;
}

tru_status tru_run(tru_world *w, uint64_t steps, tru_error *err) { return run(w, steps, false, err); }
tru_status tru_run_to_event(tru_world *w, uint64_t steps, tru_error *err) { return run(w, steps, true, err); }

double tru_time(const tru_world *w) { return trui_world_time(w); }
uint64_t tru_steps_done(const tru_world *w) { return w->steps_done; }
double tru_step_size(const tru_world *w) { return w->stepper ? w->step : 0.0; }
int tru_step_order(const tru_world *w) {
    if (!w->stepper) return 0;
    return w->stepper->order ? w->stepper->order(w->stepper_params, w) : 1;
}

/* ---- what happened ---- */

/* Before the first step: contacts at the start. */
static bool at_start(const tru_world *w) { return w->steps_done == 0 && w->checked; }

size_t tru_contact_count(const tru_world *w) { return at_start(w) ? w->at_start.count : w->contacts.count; }

tru_status tru_contact_get(const tru_world *w, size_t k, tru_contact_info *out, tru_error *err) {
    if (!w || k >= tru_contact_count(w)) return tru_fail(err, TRU_STALE_ID, "contact %zu does not exist", k);
    if (!out) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_contact_get needs a place for the contact");
    if (at_start(w)) {
        *out = w->at_start.items[k].shown;
        return TRU_OK;
    }
    const contact *c = &w->contacts.items[k];
    const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
    *out = (tru_contact_info){.body_a = w->bodies.items[c->a].id,
                              .body_b = w->bodies.items[c->b].id,
                              .shape_a = w->solids.items[c->solid_a].k,
                              .shape_b = w->solids.items[c->solid_b].k,
                              .feature = c->key.feature,
                              .stuck = c->stuck,
                              .point = v3_add(a->x, c->end ? c->end->place.arm_a : c->c.arm_a),
                              .normal = c->c.normal,
                              .t1 = c->c.t1,
                              .t2 = c->c.t2,
                              .arm_a = c->c.arm_a,
                              .arm_b = c->c.arm_b,
                              .gap = c->end ? c->end->place.gap : c->c.gap};
    memcpy(out->impulse, c->impulse, sizeof out->impulse);
    if (c->flags & CONTACT_TRACKED) memcpy(out->couple_b, c->springs->couple_b, sizeof out->couple_b);
    if (c->end)
        memcpy(out->velocity, c->end->rate, sizeof out->velocity);
    else
        rates_of_rows(c->c.normal, c->c.t1, c->c.t2, c->c.arm_a, c->c.arm_b, &(twist){a->v, a->w}, &(twist){b->v, b->w},
                      out->velocity);
    return TRU_OK;
}

tru_status tru_contact_now(const tru_world *w, size_t k, tru_contact_place *out, tru_error *err) {
    if (!w || k >= tru_contact_count(w)) return tru_fail(err, TRU_STALE_ID, "contact %zu does not exist", k);
    if (!out) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_contact_now needs a place for the answer");
    if (at_start(w)) {
        const tru_contact_info *c = &w->at_start.items[k].shown;
        *out = (tru_contact_place){c->point, c->normal, c->t1, c->t2, .gap = c->gap};
        memcpy(out->velocity, c->velocity, sizeof out->velocity);
        return TRU_OK;
    }
    contact_place at;
    double u[TRU_ROWS];
    trui_contact_now(w, k, &at, u);
    *out = (tru_contact_place){.point = v3_add(w->bodies.items[w->contacts.items[k].a].x, at.arm_a),
                               .normal = at.normal,
                               .t1 = at.t1,
                               .t2 = at.t2,
                               .gap = at.gap};
    memcpy(out->velocity, u, sizeof out->velocity);
    return TRU_OK;
}

tru_ledger tru_world_ledger(const tru_world *w) {
    tru_ledger l = w->ledger;
    l.kinetic = l.potential = 0.0;
    for (size_t i = 0; i < w->bodies.count; i++) {
        l.kinetic += trui_body_kinetic(&w->bodies.items[i]);
        l.potential += trui_body_potential(w, &w->bodies.items[i]);
    }
    return l;
}

double tru_ledger_gap(const tru_ledger *l) {
    double now = 0.0, booked = l->start;
#define TRU_LEDGER_SUM(name, kind, doc)                                                                                \
    if (strcmp(kind, "energy") == 0)                                                                                   \
        now += &l->name == &l->start ? 0.0 : l->name;                                                                  \
    else                                                                                                               \
        booked += strcmp(kind, "dissipated") == 0 ? -l->name : l->name;
    TRU_LEDGER_LIST(TRU_LEDGER_SUM)
#undef TRU_LEDGER_SUM
    return now - booked;
}

tru_solve_info tru_world_solve_info(const tru_world *w) { return w->solve; }

tru_solve_totals tru_world_solve_take(tru_world *w) {
    const tru_solve_totals t = w->solve_totals;
    w->solve_totals = (tru_solve_totals){0};
    return t;
}

tru_status tru_judge(const tru_world *w, tru_verdict *out, tru_error *err) {
    if (!w || !out) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_judge needs a world and a place for the verdict");
    if (!w->stepper || !w->stepper->judge || w->before.count != w->bodies.count || w->steps_done == 0)
        return tru_fail(err, TRU_BAD_ARGUMENT, "there is no step to judge");
    return w->stepper->judge(w->stepper_params, w, out, err);
}

const char *tru_event_name(int kind) {
    static const char *const names[] = {
#define TRU_EVENT_NAME(name, text) text,
        TRU_EVENT_LIST(TRU_EVENT_NAME)
#undef TRU_EVENT_NAME
    };
    return kind >= 0 && (size_t)kind < sizeof names / sizeof *names ? names[kind] : "?";
}

size_t tru_events_take(tru_world *w, tru_event *out, size_t room, uint64_t *lost) {
    event_ring *r = &w->events;
    size_t n = 0;
    for (; n < room && r->count > 0; n++, r->count--) {
        out[n] = r->items[r->first];
        r->first = (r->first + 1) % EVENT_ROOM;
    }
    if (lost) *lost = r->lost;
    return n;
}

void tru_profile_set(tru_world *w, double (*clock)(void)) {
    w->clock = clock;
    w->profile = (tru_profile){0};
}

tru_profile tru_profile_get(const tru_world *w) { return w->profile; }
