/* step_variational.c: one body that rolls on a plane without slipping, by discrete variational principles: no energy drift.
 *
 * se3       any convex body, on SE(3); also slipping, by Coulomb friction as a force of the discrete principle
 * reduced   a disk in its three angles: (14)-(16) of Campos, Cendra, Diaz, Martin de Diego 2012 [C12], corrected
 * rk2, rk4  explicit Runge-Kutta on the rolling equations of a disk in its angles, or of any convex body, for comparison
 *
 * The schemes are one-step maps of the nodes: the momentum that the last step left at a node is the Legendre transform of
 * the velocities there, so positions and velocities of the world are all the state there is. */
#include "steppers/variational/scheme/rolling.h"
#include "base/assert.h"
#include "step/end/step_end.h"
#include "step/end/start.h"

#include "base/error.h"
#include "laws/law.h"
#include "math/elementary/elementary.h"
#include "math/quat.h"
#include "world/books.h"
#include "steppers/variational/scheme/step_variational_view.h"
#include "steppers/variational/step_variational_advance.h"
#include "steppers/variational/step_variational_judge.h"
#include "steppers/variational/step_variational_rim.h"

#include <stddef.h>

#define TOUCHING 1e-6 /* gap at the start in parts of the body that is closed silently */

/* ---- before a run */

static const char *refuses_law(const tru_law *law, const void *law_params) {
    (void)law_params;
    return law == &tru_law_coulomb || law == &tru_law_rolling ? NULL : "sliding and rolling friction only";
}

static tru_status ready_numbers(const tru_world *w, tru_error *err) {
    for (size_t i = 0; i < w->pairs.count; i++) {
        const pair *p = &w->pairs.items[i];
        if (p->restitution > 0.0)
            return tru_fail(err, TRU_REFUSED,
                            "stepper variational cannot use restitution (%.6g): its contact never opens",
                            p->restitution);
    }
    return trui_ready_rigid(w, "variational", err);
}

/* One free body of one smooth shape, one fixed plane. */
static tru_status ready_bodies(const tru_world *w, tru_error *err) {
    size_t free_count = 0, planes = 0;
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        const char *name = body_name(w, i);
        const tru_shape *shape = w->solids.items[b->solid_first].shape;
        if (b->kind == TRU_DRIVEN)
            return tru_fail(err, TRU_REFUSED, "stepper variational: body '%s' is driven; the plane must stand still",
                            name);
        if (b->solid_count != 1)
            return tru_fail(err, TRU_REFUSED, "stepper variational: body '%s' has %u shapes, must have one", name,
                            b->solid_count);
        if (!body_is_free(b) && shape->bounded)
            return tru_fail(err, TRU_REFUSED, "stepper variational: fixed body '%s' is a %s; it must be a plane", name,
                            shape->name);
        if (body_is_free(b) &&
            !(shape->bounded && shape->surface && shape != &tru_shape_box && shape != &tru_shape_hull))
            return tru_fail(err, TRU_REFUSED,
                            "stepper variational: shape %s of body '%s' has no smooth support function", shape->name,
                            name);
        free_count += body_is_free(b);
        planes += !body_is_free(b);
    }
    if (free_count != 1)
        return tru_fail(err, TRU_REFUSED, "stepper variational moves exactly one free body, the world has %zu",
                        free_count);
    if (planes != 1)
        return tru_fail(err, TRU_REFUSED, "stepper variational rolls on exactly one fixed plane, the world has %zu",
                        planes);
    return TRU_OK;
}

/* The schemes in angles are for a disk about its centre of mass. */
static tru_status ready_disk(const rolling *r, const char *name, tru_error *err) {
    const solid *s = &r->w->solids.items[r->solid_a];
    const body *b = &r->w->bodies.items[r->body];
    if (s->shape != &tru_shape_disk)
        return tru_fail(err, TRU_REFUSED, "stepper variational: scheme reduced is for a disk, body '%s' is a %s", name,
                        s->shape->name);
    const tru_vec3 z = m3_column(solid_turn(s), 2), l = m3_apply(body_inertia_of(b), z);
    const double radius = ((const tru_disk *)s->params)->radius, axial = v3_dot(z, l),
                 sum = m3_trace(body_inertia_of(b));
    tru_vec3 x, y;
    v3_tangents(z, &x, &y);
    const tru_vec3 lx = m3_apply(body_inertia_of(b), x);
    const double skew =
        v3_norm(v3_madd(l, -axial, z)) + fabs(v3_dot(x, lx) - 0.5 * (sum - axial)) + fabs(v3_dot(y, lx));
    if (v3_norm(s->at->x) > 1e-9 * radius || skew > 1e-9 * sum)
        return tru_fail(
            err, TRU_REFUSED,
            "stepper variational: scheme reduced is for a disk about its centre of mass, with an inertia symmetric about its axis; body '%s' is not one",
            name);
    return TRU_OK;
}

/* All schemes but se3. */
static tru_status ready_viscous(const tru_rolling *p, tru_error *err) {
    if (p->roll.length > 0.0 || p->roll.factor > 0.0 || p->spin.length > 0.0 || p->spin.factor > 0.0)
        return tru_fail(err, TRU_REFUSED,
                        "stepper variational: only scheme se3 takes dry resistance; roll and spin of law rolling need "
                        "it");
    return TRU_OK;
}

/* A start in the range of the rim, on the plane, rolling. */
static tru_status ready_start(const tru_variational *o, rolling *r, const char *name, tru_error *err) {
    const rolling_node k = trui_rolling_start(o, r);
    const double gap = trui_rolling_gap(r, &k), size = r->w->bodies.items[r->body].size;
    const solid *s = &r->w->solids.items[r->solid_a];
    if (s->shape == &tru_shape_disk) {
        const double theta = tru_atan2(k.disk.theta.s, k.disk.theta.c), upright = 0x1.921fb54442d18p+0;
        const bool thick = ((const tru_disk *)s->params)->thickness > 0.0;
        if (!(theta > 1e-9 && theta < (thick ? upright + 1e-9 : 2.0 * upright - 1e-9)))
            return tru_fail(err, TRU_REFUSED,
                            "stepper variational: body '%s' starts with theta = %.6g rad, outside the range of its %s "
                            "rim, above 0 (flat) up to %s",
                            name, theta, r->feature >= TRU_RIM_POINTS ? "second" : "first",
                            thick ? "pi/2 (upright)" : "below pi");
    }
    if (fabs(gap) > TOUCHING * size)
        return tru_fail(err, TRU_REFUSED,
                        "stepper variational: body '%s' starts %.6g m above the plane; it must touch it", name, gap);
    tru_vec3 slip = v3_sub(k.v, v3_cross(k.w, k.arm));
    const double speed = v3_norm(k.v) + size * v3_norm(k.w), off = v3_dot(slip, r->n);
    if (o->when_not_rolling == TRU_SLIP) {
        if (o->project || fabs(off) <= ROLLING_SLIP * speed) return TRU_OK;
        return tru_fail(err, TRU_REFUSED,
                        "stepper variational: body '%s' starts with a contact point that leaves the plane at %.6g m/s; "
                        "project: true takes that away",
                        name, off);
    }
    if (!o->project && v3_norm(slip) > ROLLING_SLIP * speed) {
        const double noise = 0x1p-50 * speed; /* is not shown */
        slip = v3(fabs(slip.x) > noise ? slip.x : 0.0, fabs(slip.y) > noise ? slip.y : 0.0,
                  fabs(slip.z) > noise ? slip.z : 0.0);
        return tru_fail(err, TRU_REFUSED,
                        "stepper variational: body '%s' starts with slip (%.6g, %.6g, %.6g) m/s, so it does not roll; "
                        "project: true starts it with the velocity that its angular velocity belongs to",
                        name, slip.x, slip.y, slip.z);
    }
    return TRU_OK;
}

static tru_status ready(const void *params, tru_world *w, tru_error *err) {
    const tru_variational *o = params;
    tru_status s = ready_numbers(w, err);
    if (s >= 0) s = ready_bodies(w, err);
    if (s < 0) return s;
    rolling r = trui_rolling_of(o, w);
    const char *name = body_name(w, r.body);
    if (r.in_angles) s = ready_disk(&r, name, err);
    if (s >= 0 && o->scheme != TRU_SE3) s = ready_viscous(&r.resist, err);
    if (s >= 0 && o->when_not_rolling == TRU_STOP && !(r.friction.slide_static > 0.0))
        s = tru_fail(err, TRU_REFUSED,
                     "stepper variational: no friction can keep body '%s' rolling; give slide of law coulomb, or "
                     "when_not_rolling: ideal",
                     name);
    return s < 0 || r.at || trui_rolling_handed_over(w) ? s : ready_start(o, &r, name, err);
}

/* ---- a step */

/* Rolling ends here: an event, and the run stops. */
static tru_status stop(const rolling *r, const rolling_demand *d, tru_error *err) {
    const unsigned long long k = (unsigned long long)r->w->steps_done + 1;
    const char *name = body_name(r->w, r->body);
    trui_rolling_announce(r, r->time, d->lifts ? TRU_EVENT_LIFT : TRU_EVENT_SLIP,
                          d->lifts ? TRU_KIND_NORMAL : TRU_KIND_SLIDE, 0.0);
    if (d->lifts)
        return tru_fail(err, TRU_NO_SOLUTION,
                        "step %llu (t = %.9g s): body '%s' lifts off, rolling needs a normal force of %.6g N", k,
                        r->time, name, d->normal / r->h);
    return tru_fail(err, TRU_NO_SOLUTION,
                    "step %llu (t = %.9g s): body '%s' begins to slip, rolling needs %.6g of friction per normal force "
                    "and slide allows %.6g",
                    k, r->time, name, d->friction, r->friction.slide_static);
}

static tru_status by_moreau(const tru_variational *o, tru_world *w, tru_error *err) {
    tru_moreau m = tru_default_moreau();
    m.step = o->step;
    m.sweeps = 10;
    const tru_status status = tru_stepper_moreau.step(&m, w, err);
    for (size_t i = 0; status >= 0 && i < w->contacts.count; i++) w->contacts.items[i].flags |= CONTACT_HANDED;
    return status;
}

/* The whole step again, by moreau: both rims are about to touch. */
static tru_status hand_over(const tru_variational *o, step *s, rolling *r, tru_error *err) {
    trui_step_undo(s, TRU_OK);
    body_gains *gains = s->w->bodies.items[r->body].gain;
    if (gains) gains->last = gains->before = v3_zero(); /* moreau's are in other axes */
    const tru_status status = by_moreau(o, s->w, err);
    if (status >= 0) trui_rolling_announce(r, s->time, TRU_EVENT_HANDOVER, TRU_KIND_NORMAL, 0.0);
    return status;
}

/* A step that ended well, into the world; `whole`: in one piece, so that it can be judged. */
static tru_status keep(step *s, rolling *r, const rolling_node *start, const rolling_result *out, bool whole,
                       tru_error *err) {
    TRU_ASSERT(s->w == r->w && s->w->middle.count == 2);
    if (!trui_rolling_record(r, out)) return trui_step_undo(s, tru_no_memory(err));
    trui_rolling_write(r, out);
    ledger_add(&r->w->ledger, &out->work);
    s->w->middle.items[r->body] = rolling_halfway(start->q, out->end.q);
    s->info = (tru_solve_info){.iterations = out->iterations, .converged = true};
    const tru_status status = trui_step_end(s, TRU_OK, err);
    if (status >= 0 && !whole) array_clear(&s->w->before);
    return status;
}

/* True if the result of a step can be the start of the next one as it is: it changes no mode, is finite, and begins no rest. */
static bool is_alike(const rolling *r, const rolling_result *out, double slow) {
    const body *b = &r->w->bodies.items[r->body];
    const rolling_node *k = &out->end;
    const tru_vec3 sum = v3_add(v3_add(k->x, k->v), k->w); /* finite if all its terms are */
    return out->stuck == r->before.stuck &&
           isfinite((sum.x + sum.y) + sum.z + ((k->q.w + k->q.x) + (k->q.y + k->q.z))) &&
           body_rests(b, k->v, k->w, slow) == b->resting;
}

/* One step from `start` by the scheme, and what it demands of the contact. `alike`: refuses a step in which something begins or
 * ends; `slow` [m/s]: a body below it rests. *way: how the step passed upright, if it did (`crosses`). */
LOT_TEXT tru_status roll(const tru_variational *o, rolling *r, const rolling_node *start, rolling_result *out,
                         bool alike, double slow, bool *crosses, rolling_way_on *way, tru_error *err) {
    const tru_status status = trui_rolling_advance(o, r, start, out, err);
    if (status < 0) return status;
    rolling_demand d = trui_rolling_demand_of(r, out);
    *crosses = trui_rolling_past_upright(o, r, &out->end);
    if (alike) return d.lifts || d.slips || *crosses || !is_alike(r, out, slow) ? TRU_REFUSED : TRU_OK;
    if (trui_rolling_ends(o, &d)) return stop(r, &d, err);
    *way = *crosses ? trui_rolling_cross(o, r, start, out, &d, err) : WAY_ON;
    if (*way == WAY_HANDS_OVER) return TRU_REFUSED;
    if (*way == WAY_ENDS) return stop(r, &d, err);
    if (*way == WAY_FAILS) return err ? err->status : TRU_NO_SOLUTION;
    if (d.slips && o->when_not_rolling == TRU_IDEAL) out->stuck &= ~TRU_KIND_BIT(TRU_KIND_SLIDE);
    if (d.lifts && !(r->at && r->at->impulse[TRU_ROW_NORMAL] <= 0.0))
        trui_rolling_announce(r, r->time, TRU_EVENT_LIFT, TRU_KIND_NORMAL, 0.0);
    return TRU_OK;
}

/* A step that is read from the world and written to it. */
static tru_status step_whole(const void *params, tru_world *w, tru_error *err) {
    const tru_variational *o = params;
    step s;
    bool crosses;
    rolling_way_on way = WAY_ON;
    if (trui_rolling_handed_over(w)) return by_moreau(o, w, err);
    tru_status status = trui_step_begin(&s, w, o->step, err);
    if (status < 0) return status;
    trui_start_tell(w);
    if ((status = trui_step_reserve_dynamics(&s, err)) < 0) return trui_step_undo(&s, status);
    rolling r = trui_rolling_of(o, w);
    rolling_node start = trui_rolling_start(o, &r);
    rolling_result out = {.stuck = TRU_KIND_BIT(TRU_KIND_SLIDE)};
    const rolling_settling settled = r.began ? trui_rolling_settle(o, &r, &start) : (rolling_settling){0.0, 0.0};
    w->ledger.start += settled.asked;
    status = roll(o, &r, &start, &out, false, 0.0, &crosses, &way, err);
    if (way == WAY_HANDS_OVER) return hand_over(o, &s, &r, err);
    if (status < 0) return trui_step_undo(&s, status);
    out.work.projection += settled.projected;
    return keep(&s, &r, &start, &out, !crosses, err);
}

/* Books a step whose end is not yet in the world. Returns false, and books nothing, if the ledger would not hold. */
static bool book_step(const rolling *r, const rolling_result *out) {
    tru_world *w = r->w;
    body *b = &w->bodies.items[r->body];
    const tru_ledger before = w->ledger;
    ledger_add(&w->ledger, &out->work);
    if (books_plain(w)) return true;
    const tru_vec3 x = b->x;
    b->x = out->end.x;
    const bool holds = trui_books_update(w);
    b->x = x;
    if (!holds) w->ledger = before;
    return holds;
}

/* True if the world is that of a step that rolled, and the body's records are there to be written again. */
static bool can_roll_on(const tru_variational *o, const rolling *r) {
    const tru_world *w = r->w;
    if (r->began || w->clock || w->at_start.count > 0 || w->before.count != 2 || w->middle.count != 2) return false;
    /* where rolling is ideal it may also demand what a contact cannot give: such steps emit events */
    const bool holds = (r->at->stuck & TRU_KIND_BIT(TRU_KIND_SLIDE)) && r->at->impulse[TRU_ROW_NORMAL] > 0.0;
    return holds || o->when_not_rolling != TRU_IDEAL;
}

/* Writes the last of `taken` steps to the world, from `start` to `out`: as keep does. */
static void write_steps(rolling *r, const rolling_node *start, const rolling_result *out, uint64_t taken) {
    tru_world *w = r->w;
    body_start *before = &w->before.items[r->body];
    TRU_ASSERT(taken > 0 && w->before.count == 2 && w->middle.count == 2);
    *before = (body_start){start->x, start->q, start->v, start->w, before->contacts, w->bodies.items[r->body].resting};
    w->middle.items[r->body] = rolling_halfway(start->q, out->end.q);
    r->before.age += (uint32_t)(taken - 1);
    trui_rolling_record(r, out); /* there is room */
    trui_rolling_write(r, out);
}

/* Takes steps in which nothing begins or ends: the end of each is the start of the next, and the world is written once. */
static uint64_t steps_alike(const tru_variational *o, tru_world *w, uint64_t most) {
    TRU_ASSERT(most > 0);
    if (trui_rolling_handed_over(w) || w->contacts_before.capacity < 1 || w->ends_before.capacity < 1) return 0;
    rolling r = trui_rolling_of(o, w);
    if (!can_roll_on(o, &r) || !w->bodies.items[r.body].gain) return 0; /* step_whole makes room */
    const step as = {.fall = v3_norm(w->gravity) * o->step};
    const double slow = flat_speed(&as);
    rolling_result results[2] = {{.end = trui_rolling_start(o, &r)}, {.stuck = 0}};
    uint64_t taken = 0;
    for (; taken < most; taken++) {
        rolling_result *out = &results[(taken + 1) & 1];
        bool crosses;
        out->stuck = TRU_KIND_BIT(TRU_KIND_SLIDE); /* steps of one mode set the same parts of a result */
        r.time = trui_world_time(w);
        if (roll(o, &r, &results[taken & 1].end, out, true, slow, &crosses, NULL, NULL) < 0) break;
        if (!book_step(&r, out)) break;
        const tru_solve_info info = {.iterations = out->iterations, .converged = true};
        trui_rolling_leave(&r, out);
        trui_step_count(w, &info, r.time + r.h);
    }
    if (taken > 0) write_steps(&r, &results[(taken + 1) & 1].end, &results[taken & 1], taken);
    return taken;
}

static tru_status run_variational(const void *params, tru_world *w, uint64_t most, uint64_t *taken, tru_error *err) {
    *taken = steps_alike(params, w, most);
    if (*taken == most) return TRU_OK;
    ++*taken;
    return step_whole(params, w, err);
}

static int order(const void *params, const tru_world *w) {
    const tru_variational *o = params;
    (void)w;
    if (o->scheme == TRU_RK4) return 4;
    return o->scheme == TRU_REDUCED && o->start == TRU_START_PAPER ? 1 : 2;
}

static double step_size(const void *params) { return ((const tru_variational *)params)->step; }

static const tru_field fields[] = {
    TRU_REAL(tru_variational, step, TRU_UNIT_S, TRU_REQUIRED, TRU_POSITIVE, "Time step."),
    TRU_CHOICE(tru_variational, scheme, "se3|reduced|rk2_midpoint|rk2_heun|rk2_ralston|rk4", TRU_SE3,
               "se3: any convex body, variational; reduced: a disk in its three angles, variational, as published; "
               "rk2_..., rk4: explicit Runge-Kutta on the rolling equations of any convex body."),
    TRU_CHOICE(tru_variational, start, "legendre|paper", TRU_START_LEGENDRE,
               "Scheme reduced, first step: legendre: from the momentum of the start velocity, second order; paper: "
               "the angles go on by step times velocity, first order."),
    TRU_CHOICE(tru_variational, when_not_rolling, "stop|ideal|slip", TRU_STOP,
               "Where rolling needs more friction than there is: stop the run, go on rolling, or (scheme se3) slip. "
               "A contact that would have to pull stops the run unless ideal."),
    TRU_CHOICE(tru_variational, rim, "lower|first|second", TRU_RIM_LOWER,
               "Rim of a thick disk: lower: the one that touches; first, second: that one only, even past upright "
               "where the other one would be lower (first is at -thickness/2)."),
    TRU_BOOLEAN(tru_variational, project, false,
                "Accept a start that slips, and start it with the velocity that its angular velocity belongs to."),
    TRU_BOOLEAN(tru_variational, angles, true,
                "Schemes rk2_..., rk4: a disk in its three angles, as the paper has it; false: in attitude and "
                "angular velocity, like other bodies."),
    TRU_PLUGIN(tru_variational, solver, "solver", 0, "newton",
               "Solver of the contact problem where moreau takes over: a thick disk that comes to stand on both rims."),
    {.name = NULL},
};

static tru_status check(const void *params, tru_error *err) {
    const tru_variational *o = params;
    if (o->start == TRU_START_PAPER && o->scheme != TRU_REDUCED)
        return tru_fail(err, TRU_CONFLICT, "stepper variational: start paper belongs to scheme reduced");
    if (o->when_not_rolling == TRU_SLIP && o->scheme != TRU_SE3)
        return tru_fail(err, TRU_CONFLICT, "stepper variational: when_not_rolling slip belongs to scheme se3");
    if (!o->angles && (o->scheme == TRU_SE3 || o->scheme == TRU_REDUCED))
        return tru_fail(err, TRU_CONFLICT, "stepper variational: angles false belongs to schemes rk2_... and rk4");
    return TRU_OK;
}

TRU_DEFAULTS(tru_variational, tru_default_variational, fields)

const tru_stepper tru_stepper_variational = {
    .name = "variational",
    .doc = "One body rolling on a plane without slipping, by discrete variational principles: energy does not drift.",
    .fields = fields,
    .size = sizeof(tru_variational),
    .check = check,
    .refuses_law = refuses_law,
    .ready = ready,
    .step = step_whole,
    .run = run_variational,
    .step_size = step_size,
    .order = order,
    .judge = trui_rolling_judge,
};
