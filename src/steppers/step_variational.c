/* step_variational.c: one body that rolls on a plane without slipping, by discrete variational principles: no energy drift.
 *
 * reduced   a disk in its three angles: (14)-(16) of Campos, Cendra, Diaz, Martin de Diego 2012 [C12], corrected
 * rk2, rk4  explicit Runge-Kutta on the same reduced equations, for comparison
 *
 * The schemes are one-step maps of the nodes: the momentum that the last step left at a node is the Legendre transform of
 * the velocities there, so positions and velocities of the world are all the state there is. */
#include "steppers/step_variational.h"

#include "base/error.h"
#include "laws/law.h"
#include "math/quat.h"

#include <stddef.h>

#define TOUCHING 1e-6 /* gap at the start in parts of the body that is closed silently */
#define ROLLING  1e-9 /* slip at the start in parts of the body's speed that is removed silently */

/* ---- before a run */

static const char *refuses_law(const tru_law *law, const void *law_params) {
    (void)law_params;
    return law == &tru_law_coulomb || law == &tru_law_rolling ? NULL : "sliding and rolling friction only";
}

static tru_status ready_numbers(const tru_world *w, tru_error *err) {
    for (size_t i = 0; i < w->pairs.count; i++) {
        const pair *p = &w->pairs.items[i];
        if (p->compliance > 0.0)
            return tru_fail(err, TRU_REFUSED,
                            "stepper variational cannot use compliance (%.6g m/N): its contacts are rigid",
                            p->compliance);
        if (p->restitution > 0.0)
            return tru_fail(err, TRU_REFUSED,
                            "stepper variational cannot use restitution (%.6g): its contact never opens",
                            p->restitution);
    }
    return TRU_OK;
}

/* One free body of one smooth shape, one fixed plane. */
static tru_status ready_bodies(const tru_world *w, tru_error *err) {
    size_t free_count = 0, planes = 0;
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        const char *name = w->labels.items[i].name;
        const tru_shape *shape = w->solids.items[b->solid_first].shape;
        if (b->kind == TRU_DRIVEN)
            return tru_fail(err, TRU_REFUSED, "stepper variational: body '%s' is driven; the plane must stand still",
                            name);
        if (b->solid_count != 1)
            return tru_fail(err, TRU_REFUSED, "stepper variational: body '%s' has %zu shapes; it knows bodies of one",
                            name, b->solid_count);
        if (!body_is_free(b) && shape->bounded)
            return tru_fail(err, TRU_REFUSED, "stepper variational: fixed body '%s' is a %s; it knows planes only",
                            name, shape->name);
        if (body_is_free(b) && !(shape->bounded && shape->surface && shape != &tru_shape_box))
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

/* The schemes in angles are for a disk about its centre of mass, with viscous resistance. */
static tru_status ready_disk(const rolling *r, const char *name, tru_error *err) {
    const solid *s = &r->w->solids.items[r->solid_a];
    const body *b = &r->w->bodies.items[r->body];
    if (s->shape != &tru_shape_disk)
        return tru_fail(err, TRU_REFUSED, "stepper variational: scheme reduced is for a disk, body '%s' is a %s", name,
                        s->shape->name);
    const tru_vec3 z = m3_column(s->r, 2), l = m3_apply(b->inertia, z);
    const double radius = ((const tru_disk *)s->params)->radius, axial = v3_dot(z, l), sum = m3_trace(b->inertia);
    tru_vec3 x, y;
    v3_tangents(z, &x, &y);
    const tru_vec3 lx = m3_apply(b->inertia, x);
    const double skew =
        v3_norm(v3_madd(l, -axial, z)) + fabs(v3_dot(x, lx) - 0.5 * (sum - axial)) + fabs(v3_dot(y, lx));
    if (v3_norm(s->x) > 1e-9 * radius || skew > 1e-9 * sum)
        return tru_fail(err, TRU_REFUSED,
                        "stepper variational: scheme reduced is for a disk about its centre of mass, with an inertia "
                        "symmetric about its axis; body '%s' is none",
                        name);
    const tru_rolling *p = &r->resist;
    if (p->roll.length > 0.0 || p->roll.factor > 0.0 || p->spin.length > 0.0 || p->spin.factor > 0.0)
        return tru_fail(err, TRU_REFUSED,
                        "stepper variational: scheme reduced takes viscous resistance only; roll and spin of law "
                        "rolling need another scheme");
    return TRU_OK;
}

/* A start in the range of the rim, on the plane, rolling. */
static tru_status ready_start(const tru_variational *o, rolling *r, const char *name, tru_error *err) {
    const rolling_node k = rolling_start(o, r);
    const double gap = rolling_gap(r, &k), size = r->w->bodies.items[r->body].size;
    const solid *s = &r->w->solids.items[r->solid_a];
    if (s->shape == &tru_shape_disk) {
        const double theta = rolling_disk_of(r, k.q).theta;
        if (!(theta > 1e-9 && theta < 0x1.921fb54442d18p+0 + 1e-9))
            return tru_fail(err, TRU_REFUSED,
                            "stepper variational: body '%s' starts with theta = %.6g rad, outside the range of its %s "
                            "rim, above 0 (flat) up to pi/2 (upright)",
                            name, theta, r->feature >= TRU_RIM_POINTS ? "second" : "first");
    }
    if (fabs(gap) > TOUCHING * size)
        return tru_fail(err, TRU_REFUSED,
                        "stepper variational: body '%s' starts %.6g m above the plane; it must touch it", name, gap);
    const tru_vec3 slip = v3_sub(k.v, v3_cross(k.w, k.arm));
    if (!o->project && v3_norm(slip) > ROLLING * (v3_norm(k.v) + size * v3_norm(k.w)))
        return tru_fail(err, TRU_REFUSED,
                        "stepper variational: body '%s' starts with slip (%.6g, %.6g, %.6g) m/s, so it does not roll; "
                        "project: true starts it with the velocity that its angular velocity belongs to",
                        name, slip.x, slip.y, slip.z);
    return TRU_OK;
}

static tru_status ready(const void *params, tru_world *w, tru_error *err) {
    const tru_variational *o = params;
    tru_status s = ready_numbers(w, err);
    if (s >= 0) s = ready_bodies(w, err);
    if (s < 0) return s;
    rolling r = rolling_of(o, w);
    const char *name = w->labels.items[r.body].name;
    s = ready_disk(&r, name, err);
    if (s >= 0 && o->when_not_rolling != TRU_IDEAL && !(r.slide_static > 0.0))
        s = tru_fail(err, TRU_REFUSED,
                     "stepper variational: no friction can keep body '%s' rolling; give slide of law coulomb, or "
                     "when_not_rolling: ideal",
                     name);
    return s < 0 || r.at ? s : ready_start(o, &r, name, err);
}

/* ---- a step */

/* The first step sets the body onto the plane and takes the slip away. */
static void settle(const rolling *r, rolling_node *k, tru_ledger *l) {
    const body *b = &r->w->bodies.items[r->body];
    if (r->at) return;
    const tru_vec3 shift = v3_scale(-rolling_gap(r, k), r->n), v = v3_cross(k->w, k->arm);
    k->x = v3_add(k->x, shift);
    l->projection += 0.5 * b->mass * v3_dot(v3_sub(v, k->v), v3_add(v, k->v)) - b->mass * v3_dot(r->pull, shift);
    k->v = v;
}

/* What the contact had to do at the first node, and whether it can. */
typedef struct demand {
    double normal;   /* [N s] */
    double friction; /* [-] needed per normal impulse */
    bool lifts, slips;
} demand;

static demand demand_of(const rolling *r, const rolling_result *out) {
    const double *before = r->at ? r->at->last : NULL;
    const double n = v3_dot(out->first, r->n), a = v3_dot(out->first, r->t1), b = v3_dot(out->first, r->t2);
    const double p = before ? n + before[0] : 2.0 * n, u = before ? a + before[1] : 2.0 * a,
                 v = before ? b + before[2] : 2.0 * b;
    demand d = {.normal = p, .lifts = !(p > 0.0)};
    if (!d.lifts) d.friction = sqrt(u * u + v * v) / p;
    d.slips = !d.lifts && r->slide_static > 0.0 && d.friction > r->slide_static;
    return d;
}

static void announce(const rolling *r, int kind, int row_kind) {
    const body *b = &r->w->bodies.items[r->body];
    tru_event e = body_event(b, world_time(r->w), kind);
    e.row_kind = row_kind;
    e.body_b = r->w->bodies.items[r->plane].id;
    world_event(r->w, &e);
}

/* Rolling ends here: an event, and the run stops. */
static tru_status stop(const rolling *r, const demand *d, tru_error *err) {
    const unsigned long long k = (unsigned long long)r->w->steps_done + 1;
    const char *name = r->w->labels.items[r->body].name;
    announce(r, d->lifts ? TRU_EVENT_LIFT : TRU_EVENT_SLIP, d->lifts ? TRU_KIND_NORMAL : TRU_KIND_SLIDE);
    if (d->lifts)
        return tru_fail(err, TRU_NO_SOLUTION,
                        "step %llu (t = %.9g s): body '%s' lifts off, rolling needs a normal force of %.6g N", k,
                        world_time(r->w), name, d->normal / r->h);
    return tru_fail(err, TRU_NO_SOLUTION,
                    "step %llu (t = %.9g s): body '%s' begins to slip, rolling needs %.6g of friction per normal force "
                    "and slide allows %.6g",
                    k, world_time(r->w), name, d->friction, r->slide_static);
}

/* Has a thick disk passed upright, so that its other rim is the lower one? */
static bool passed_upright(const tru_variational *o, const rolling *r, const rolling_result *out) {
    const solid *s = &r->w->solids.items[r->solid_a];
    if (o->rim != TRU_RIM_LOWER || s->shape != &tru_shape_disk) return false;
    return ((const tru_disk *)s->params)->thickness > 0.0 &&
           rolling_disk_of(r, out->end.q).theta > 0x1.921fb54442d18p+0;
}

static void write_end(const rolling *r, const rolling_node *start, const rolling_result *out) {
    body *b = &r->w->bodies.items[r->body];
    b->x = out->end.x;
    body_turn_to(b, out->end.q);
    b->v = out->end.v;
    b->w = out->end.w;
    r->w->middle.items[r->body] =
        quat_renormalise((tru_quat){0.5 * (start->q.w + out->end.q.w), 0.5 * (start->q.x + out->end.q.x),
                                    0.5 * (start->q.y + out->end.q.y), 0.5 * (start->q.z + out->end.q.z)});
#define ADD_WORK(name, kind, doc) r->w->ledger.name += out->work.name;
    TRU_LEDGER_LIST(ADD_WORK)
#undef ADD_WORK
}

static tru_status step_variational(const void *params, tru_world *w, tru_error *err) {
    const tru_variational *o = params;
    step s;
    tru_status status = step_begin(&s, w, o->step, err);
    if (status < 0) return status;
    rolling r = rolling_of(o, w);
    rolling_node start = rolling_start(o, &r);
    rolling_result out = {.stuck = TRU_KIND_BIT(TRU_KIND_SLIDE)};
    settle(&r, &start, &out.work);
    status = rolling_step_reduced(o, &r, &start, &out, err);
    if (status >= 0 && passed_upright(o, &r, &out))
        status =
            tru_fail(err, TRU_NO_SOLUTION,
                     "step %llu (t = %.9g s): body '%s' passes upright and its other rim comes down; rim: first or "
                     "second goes on with one",
                     (unsigned long long)w->steps_done + 1, s.time, w->labels.items[r.body].name);
    if (status < 0) return step_undo(&s, status);
    const demand d = demand_of(&r, &out);
    if ((d.lifts || d.slips) && o->when_not_rolling == TRU_STOP) return step_undo(&s, stop(&r, &d, err));
    if (d.slips) out.stuck = 0;
    if (d.lifts && !(r.at && r.at->impulse[TRU_ROW_NORMAL] <= 0.0)) announce(&r, TRU_EVENT_LIFT, TRU_KIND_NORMAL);
    if (!rolling_record(&r, &out)) return step_undo(&s, tru_no_memory(err));
    write_end(&r, &start, &out);
    s.info = (tru_solve_info){.iterations = out.iterations, .converged = true};
    return step_end(&s, TRU_OK, err);
}

static int order(const void *params, const tru_world *w) {
    const tru_variational *o = params;
    (void)w;
    if (o->scheme == TRU_RK4) return 4;
    return o->scheme == TRU_REDUCED && o->start == TRU_START_PAPER ? 1 : 2;
}

static double step_size(const void *params) { return ((const tru_variational *)params)->step; }

static const tru_field fields[] = {
    {.name = "step",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_S,
     .standard = TRU_REQUIRED,
     .lowest = 0.0,
     .above = true,
     .highest = TRU_UNBOUNDED,
     .doc = "Time step.",
     .offset = offsetof(tru_variational, step)},
    {.name = "scheme",
     .type = TRU_FIELD_CHOICE,
     .standard = TRU_REDUCED,
     .words = "reduced|rk2_midpoint|rk2_heun|rk2_ralston|rk4",
     .doc =
         "reduced: a disk in its three angles, variational; rk2_..., rk4: explicit Runge-Kutta on the same equations.",
     .offset = offsetof(tru_variational, scheme)},
    {.name = "start",
     .type = TRU_FIELD_CHOICE,
     .standard = TRU_START_LEGENDRE,
     .words = "legendre|paper",
     .doc = "Scheme reduced, first step: legendre: from the momentum of the start velocity, second order; paper: the "
            "angles go on by step times velocity, first order.",
     .offset = offsetof(tru_variational, start)},
    {.name = "when_not_rolling",
     .type = TRU_FIELD_CHOICE,
     .standard = TRU_STOP,
     .words = "stop|ideal",
     .doc = "Where rolling needs more friction than there is, or a contact that pulls: stop the run, or go on rolling.",
     .offset = offsetof(tru_variational, when_not_rolling)},
    {.name = "rim",
     .type = TRU_FIELD_CHOICE,
     .standard = TRU_RIM_LOWER,
     .words = "lower|first|second",
     .doc =
         "Rim of a thick disk: lower: the one that touches; first, second: that one only, even past upright where the "
         "other one would be lower (first is at -thickness/2).",
     .offset = offsetof(tru_variational, rim)},
    {.name = "project",
     .type = TRU_FIELD_BOOLEAN,
     .standard = 0.0,
     .doc = "Accept a start that slips, and start it with the velocity that its angular velocity belongs to.",
     .offset = offsetof(tru_variational, project)},
    {.name = NULL},
};

static tru_status check(const void *params, tru_error *err) {
    const tru_variational *o = params;
    if (o->start == TRU_START_PAPER && o->scheme != TRU_REDUCED)
        return tru_fail(err, TRU_CONFLICT, "stepper variational: start paper belongs to scheme reduced");
    return TRU_OK;
}

tru_variational tru_default_variational(void) {
    tru_variational p;
    tru_fields_defaults(fields, &p);
    return p;
}

const tru_stepper tru_stepper_variational = {
    .name = "variational",
    .doc = "One body rolling on a plane without slipping, by discrete variational principles: energy does not drift.",
    .fields = fields,
    .size = sizeof(tru_variational),
    .check = check,
    .refuses_law = refuses_law,
    .ready = ready,
    .step = step_variational,
    .step_size = step_size,
    .order = order,
    .judge = rolling_judge,
};
