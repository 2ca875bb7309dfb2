/* step_cone.c: semi-implicit time stepping after Tasora and Anitescu: impulses in the slide-roll-spin cone, contacts seen
 * before they close.
 *
 * | symbol [TA13] | name | unit |
 * |---|---|---|
 * | v^(l), v^(l+1) | body_step.start; body.v, w after the solve | m/s, rad/s |
 * | v_free = M^-1 (M v^(l) + h f) | step.free | m/s, rad/s |
 * | Phi | contact.c.gap | m |
 * | b_n | contact.bias | m/s |
 * | gamma, D | impulses and rows of the contacts, at the start pose | N s, - |
 * | mu, rho, sigma | slide, roll, spin of the laws | -, m, m |
 *
 * Everything is taken at the start pose; laws act on the velocities at the end [TA13 (13)-(16)]:
 *   exact    0 <= gamma_n  _|_  u_n + b_n >= 0, friction opposes u (De Saxce's form of Coulomb's law)
 *   relaxed  gamma in the cone Z, u + b in its dual [TA13 (29)-(31)]: a slipping contact separates with s(u) = mu |u_t| +
 *            rho |w_t| + sigma |w_n|, the lift of the ledger.
 * b_n = Phi/h lets a gap close to zero and no further (a contact that is only near takes no impulse); an overlap is
 * recovered by the part `stabilisation` per step, not faster than `recovery`: by moving bodies, or as published by b_n,
 * a velocity that they keep when the contact opens. The bias of an impact is its restitution instead: e times the closing speed (Newton), or
 * what Poisson's law gives (impact.c), at the time within the step at which the gap is closed. A pair with compliance c yields: the law
 * acts on u_n + Phi/h + (c/h^2) gamma_n, so that the overlap at the end is c times the force.
 * Gaps within +-`slop` are closed as they are. With `recover: velocity` the points of
 * one face recover together: four corners that each ask for their own nanometre ask a rigid body for what it cannot do. */
#include "steppers/cone/step_cone.h"
#include "steppers/cone/step_cone_move.h"
#include "steppers/worlds/ball_lanes.h"
#include "base/assert.h"
#include "step/lot/project.h"
#include "step/end/start.h"
#include "step/judge.h"

#include "base/error.h"
#include "lanes/fetch.h"

#include <stdatomic.h>
#include <stddef.h>

static const tru_field fields[] = {
    TRU_REAL(tru_cone, step, TRU_UNIT_S, TRU_REQUIRED, TRU_POSITIVE, "Time step."),
    TRU_CHOICE(tru_cone, form, "exact|relaxed", TRU_EXACT,
               "exact: slipping contacts stay closed; relaxed: the convex problem as published, slipping contacts "
               "lift."),
    TRU_REAL(tru_cone, margin, TRU_UNIT_M, TRU_DERIVED, TRU_FROM_ZERO,
             "Gap up to which bodies count as neighbours, beyond what they close in the step and the gap that the "
             "relaxed form keeps where they slip; default gravity times step squared, at least 1e-3 of the smallest "
             "body."),
    TRU_CHOICE(tru_cone, recover, "pose|velocity", TRU_RECOVER_POSE,
               "How overlaps are recovered: pose: bodies are moved apart after the step, joined ones excepted; "
               "velocity: as published, by a velocity that bodies keep when the contact opens."),
    TRU_REAL(tru_cone, recovery, TRU_UNIT_M_PER_S, TRU_DERIVED, TRU_FROM_ZERO,
             "Fastest recovery of overlap; default half the speed of a fall through the smaller body's radius, "
             "without gravity 1 percent of that radius per step."),
    TRU_REAL(tru_cone, stabilisation, TRU_UNIT_ONE, 0.2, TRU_RANGE(0.0, 1.0),
             "Part of an overlap that is recovered in one step."),
    TRU_REAL(tru_cone, slop, TRU_UNIT_M, TRU_DERIVED, TRU_FROM_ZERO,
             "Gap or overlap that counts as touching; default 1e-7 of the smaller body's radius."),
    TRU_REAL(tru_cone, threshold, TRU_UNIT_M_PER_S, TRU_DERIVED, TRU_FROM_ZERO,
             "Closing speed above which a contact counts as an impact and restitution acts; default twice gravity "
             "times step."),
    TRU_CHOICE(tru_cone, impact, "newton|poisson", TRU_NEWTON_IMPACT,
               "What restitution is a ratio of: newton: speeds after and before; poisson: impulses of expansion and "
               "compression, of all contacts that an impact goes through."),
    TRU_PLUGIN(tru_cone, solver, "solver", 0, "ngs", "Solver of the contact problem."),
    {.name = NULL},
};

static const char *refuses_law(const tru_law *law, const void *law_params) {
    (void)law_params;
    return law->section ? NULL : "cone needs a set-valued law";
}

/* The recovery of overlap needs both its parameters. */
static tru_status check(const void *params, tru_error *err) {
    const tru_cone *o = params;
    if (o->recovery != TRU_DERIVED && o->stabilisation == 0.0)
        return tru_fail(err, TRU_CONFLICT, "stepper cone: recovery is %.6g m/s but has no effect with stabilisation 0",
                        o->recovery);
    return TRU_OK;
}

/* Over-relaxed sweeps do not converge in the exact form. */
static tru_status check_solver(const tru_cone *o, const tru_world *w, tru_error *err) {
    if (o->form != TRU_EXACT || w->solver != &tru_solver_sor) return TRU_OK;
    const double omega = ((const tru_sor *)w->solver_params)->relaxation;
    if (omega == TRU_DERIVED || omega == 1.0) return TRU_OK;
    return tru_fail(err, TRU_REFUSED,
                    "stepper cone: solver sor: relaxation is %.6g, must be 1 with form: exact; leave it out, or choose "
                    "form: relaxed",
                    omega);
}

static tru_status ready(const void *params, tru_world *w, tru_error *err) {
    const tru_status solver = check_solver(params, w, err);
    if (solver < 0) return solver;
    for (size_t i = 0; i < w->pairs.count; i++) {
        const pair *p = &w->pairs.items[i];
        if (p->compliance > 0.0 && p->restitution > 0.0)
            return tru_fail(
                err, TRU_REFUSED,
                "stepper cone cannot use restitution (%.6g) together with compliance (%.6g m/N): give one of them",
                p->restitution, p->compliance);
    }
    return TRU_OK;
}

/* ---- the right side */

/* Lets all touching points of a run recover as fast as the deepest of them. */
static void recover_together(contact *run, int count) {
    TRU_ASSERT(count > 1 && count <= TRU_TOUCHES);
    double deepest = 0.0;
    for (int k = 0; k < count; k++)
        if (!(run[k].flags & CONTACT_IMPACT)) deepest = run[k].bias < deepest ? run[k].bias : deepest;
    for (int k = 0; k < count; k++)
        if (!(run[k].flags & CONTACT_IMPACT) && !(run[k].bias > 0.0)) run[k].bias = deepest;
}

/* Prefetches the second body of a later contact; its first body is usually that of the contact before. */
static void fetch_other(const step *s, const contact *c) {
    fetch(&s->body_steps[c->b].start, &s->body_steps[c->b].dynamics);
    fetch(&s->free[c->b], &s->free[c->b] + 1);
    __builtin_prefetch(&s->size[c->b]);
}

static bool same_solids(const contact *p, const contact *q) {
    return p->solid_a == q->solid_a && p->solid_b == q->solid_b;
}

typedef struct biasing {
    const tru_cone *o;
    const step *s;
    cone_scales scales;
    atomic_bool hit; /* some contact is an impact */
} biasing;

/* Sets biases of whole runs of contacts. */
static void set_biases(void *context, contact *all, size_t total) {
    biasing *b = context;
    size_t first = 0; /* of a run */
    for (size_t i = 0; i < total; i++) {
        contact *c = &all[i];
        if (i + FETCH_AHEAD / 2 < total) fetch_other(b->s, c + FETCH_AHEAD / 2);
        cone_bias(b->o, b->s, &b->scales, c, NULL);
        if (c->flags & CONTACT_IMPACT) atomic_store_explicit(&b->hit, true, memory_order_relaxed);
        if (i + 1 < total && same_solids(c, c + 1)) continue;
        const int count = (int)(i + 1 - first);
        TRU_ASSERT(first <= i && same_solids(&all[first], c));
        if (count > 1 && !(c->pair->compliance > 0.0)) recover_together(&all[first], count);
        first = i + 1;
    }
}

/* [m/s] s(u), with which the relaxed law lifts a contact that slips, rolls or spins: it keeps a gap h s(u) and still acts there. */
static double lifted(const void *context, const contact *old) {
    const biasing *b = context;
    const tru_world *w = b->s->w;
    double u[TRU_ROWS], work[TRU_PAIR_LAWS][TRU_LAW_WORK] = {{0.0}};
    law_use laws[TRU_PAIR_LAWS];
    tru_contact view;
    if (!(old->flags & CONTACT_RELAXED)) return 0.0;
    middle_rates(old, &b->s->body_steps[old->a].start, &b->s->body_steps[old->b].start, u);
    trui_contact_view(old, &w->solids.items[old->solid_a].pose, &w->solids.items[old->solid_b].pose,
                      w->bodies.items[old->a].x, b->s->h, &view);
    trui_laws_again(old, &view, work, laws);
    return trui_laws_support(laws, old->pair->law_count, u + 1);
}

/* ---- the step */

/* Sets the compliance of each contact, if some pair has any. */
static tru_status set_compliance(step *s, tru_error *err) {
    const tru_world *w = s->w;
    bool any = false;
    for (size_t i = 0; i < w->pairs.count; i++) any = any || w->pairs.items[i].compliance > 0.0;
    if (!any) return TRU_OK;
    if (!(s->normal_terms = ARENA_ARRAY(&s->w->scratch, normal_terms, w->contacts.count))) return tru_no_memory(err);
    for (size_t i = 0; i < w->contacts.count; i++)
        s->normal_terms[i] = (normal_terms){.soft = contact_soft(&w->contacts.items[i], s->h)};
    return TRU_OK;
}

/* Solves for the free velocities of the kick: every island by the solver that suits it. */
LOT_TEXT tru_status solve_contacts(const tru_cone *o, lot l, tru_error *err) {
    step *s = l.s;
    const bool exact = o->form == TRU_EXACT;
    if (l.on_plane) {
        const uint32_t only = 0;
        tru_solve_info info = {.worst = -1};
        tru_status status = lot_build(l, err);
        if (status >= 0) status = on_plane_solve(l.on_plane, &info);
        if (status >= 0) trui_merge_info(&s->info, &info, &only, 1, 1);
        return status;
    }
    tru_status status = set_compliance(s, err);
    if (status >= 0 && o->impact == TRU_POISSON_IMPACT) status = trui_impact_begin(s, exact, err);
    if (status >= 0) status = trui_solve_islands(s, s->free, exact, err);
    if (status < 0 || !s->struck) return status;
    trui_impact_end(s);
    return s->info.converged ? TRU_OK : TRU_UNCONVERGED;
}

/* [m] within which another point of a rim would be a contact, or could become one in this step. */
LOT_TEXT double reach_of(const body_on_plane *p, double margin) {
    if (!p->rim) return margin;
    const twist *free = &p->free[p->index];
    const double way = p->s.h * (v3_norm(free->v) + p->a->size * v3_norm(free->w));
    return (margin + way) * (1.0 + 0x1p-20);
}

/* Finds contacts that can close in the step, and sets their biases. The lot on a plane refuses impacts. */
LOT_TEXT tru_status find_contacts(const tru_cone *o, lot l, const cone_scales *k, double margin, tru_error *err) {
    step *s = l.s;
    tru_world *w = s->w;
    if (l.on_plane) {
        body_on_plane *p = l.on_plane;
        if (!on_plane_find(p, margin, reach_of(p, margin))) return TRU_REFUSED;
        cone_bias(o, s, k, p->now, p->old);
        return p->now->flags & CONTACT_IMPACT ? TRU_REFUSED : TRU_OK;
    }
    const double begun = world_clock(w);
    const unsigned keeps = o->impact == TRU_POISSON_IMPACT ? KEEP_ENDS : 0; /* what struck is booked there */
    biasing b = {o, s, *k, false};
    const contact_visitor also = {set_biases, &b, o->form == TRU_RELAXED ? lifted : NULL};
    const tru_status status = trui_find_contacts_ahead(w, margin, s->h, s->free, keeps, &also, err);
    s->has_contacts = status >= 0;
    w->profile.collide += world_clock(w) - begun;
    s->hit = b.hit;
    return status;
}

/* Moves bodies out of their overlaps by shifts along the normals, shared by inverse mass, that no velocity remembers; and books the
 * work of that. `shift`: per body, zero. [m] */
LOT_TEXT void recover_overlaps(const tru_cone *o, lot l, const cone_scales *k, tru_vec3 *shift) {
    double work = 0.0;
    LOT_EACH_CONTACT(l, i) {
        const contact *c = &lot_contacts(l)[i];
        if (c->flags & CONTACT_DEEP) cone_part(o, l.s, k, c, l.s->seen[i], shift);
    }
    LOT_EACH_BODY(l, i) work += cone_shift(l.s->w, lot_body(l, i), shift[i]);
    l.s->w->ledger.projection += work;
}

/* Moves the bodies to the end of the step. */
LOT_TEXT tru_status move_bodies(const tru_cone *o, lot l, const cone_scales *k, tru_error *err) {
    step *s = l.s;
    tru_status status = TRU_OK;
    if (!l.on_plane && (s->found & CONTACT_IMPACT) && trui_cone_any_rebounds(s->w))
        status = trui_cone_move_struck(s, err);
    else
        lot_drift(l, s->h, false);
    if (status < 0 || !((l.on_plane ? l.on_plane->now->flags : s->found) & CONTACT_DEEP)) return status;
    if (l.on_plane) {
        tru_vec3 shift[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        recover_overlaps(o, l, k, shift);
        return TRU_OK;
    }
    const size_t n = s->w->bodies.count;
    tru_vec3 *shift = ARENA_ARRAY(&s->w->scratch, tru_vec3, n);
    if (!shift) return tru_no_memory(err);
    memset(shift, 0, n * sizeof *shift);
    recover_overlaps(o, l, k, shift);
    return TRU_OK;
}

LOT_TEXT tru_status step_lot(const tru_cone *o, lot l, const cone_scales *k, double margin, tru_error *err) {
    lot_inertia_and_kick(l); /* before contacts are found: what a body can reach depends on its free velocity */
    tru_status status = lot_check_gyro(l, err);
    if (status >= 0) status = find_contacts(o, l, k, margin, err);
    if (status >= 0) status = solve_contacts(o, l, err);
    if (status < 0) return lot_undo(l, status);
    lot_book(l);
    const tru_status moved = move_bodies(o, l, k, err);
    if (moved < 0) return lot_undo(l, moved);
    if (!l.on_plane) trui_refresh_contact_places(l.s);
    return lot_end(l, status, err);
}

/* What all steps of cone have in common: laws act on the velocities at the end, and contacts may be only near. */
static void set_form(step *s) {
    s->ends = s->parts = s->spins_free = true;
    s->kicked = s->free;
}

/* A step of all bodies. */
static tru_status step_all(const void *params, tru_world *w, tru_error *err) {
    const tru_cone *o = params;
    step s;
    const tru_status status = trui_step_begin(&s, w, o->step, err);
    if (status < 0) return status;
    trui_start_tell(w);
    set_form(&s);
    if (!(s.size = ARENA_ARRAY(&w->scratch, double, w->bodies.count))) return trui_step_undo(&s, tru_no_memory(err));
    const cone_scales k = cone_scales_of(o, w);
    return step_lot(o, lot_of_all(&s), &k, cone_margin(o, w), err);
}

/* Returns false if the world is not one body on a plane. Only the exact form with Newton's impacts and without compliance. */
static bool begin_on_plane(const tru_cone *o, tru_world *w, body_on_plane *p) {
    if (o->form != TRU_EXACT || o->impact == TRU_POISSON_IMPACT) return false;
    for (size_t i = 0; i < w->pairs.count; i++)
        if (w->pairs.items[i].compliance > 0.0) return false;
    if (!trui_on_plane_begin(p, w, o->step, 0)) return false;
    set_form(&p->s);
    return true;
}

/* Takes steps of one body on a plane until one is refused. */
static uint64_t steps_on_plane(const tru_cone *o, tru_world *w, uint64_t most) {
    body_on_plane p;
    uint64_t taken = 0;
    if (!begin_on_plane(o, w, &p)) return 0;
    const double margin = cone_margin(o, w);
    const cone_scales k = cone_scales_of(o, w);
    for (; taken < most; taken++) {
        on_plane_start(&p);
        if (step_lot(o, lot_on_plane(&p), &k, margin, NULL) != TRU_OK) break;
    }
    trui_on_plane_end(&p, taken);
    return taken;
}

static tru_status run_cone(const void *params, tru_world *w, uint64_t most, uint64_t *taken, tru_error *err) {
    TRU_ASSERT(most > 0);
    *taken = steps_on_plane(params, w, most);
    if (*taken == most) return TRU_OK;
    ++*taken;
    return step_all(params, w, err);
}

static bool begin_ball(tru_world *w, body_on_plane *p, ball_scales *scales) {
    const tru_cone *o = w->stepper_params;
    if (!begin_on_plane(o, w, p)) return false;
    *scales = (ball_scales){cone_margin(o, w), cone_scales_of(o, w).threshold, cone_slop(o, cone_size(&p->s, p->old))};
    return true;
}

static void run_many(tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status, tru_error *err) {
    const ball_stepper cone = {.cone = true, .begin = begin_ball};
    trui_balls_run(&cone, worlds, count, steps, status, err);
}

static tru_status judge(const void *params, const tru_world *w, tru_verdict *out, tru_error *err) {
    return trui_judge_step(w, ((const tru_cone *)params)->step, JUDGE_FREE, out, err);
}

static int order(const void *params, const tru_world *w) {
    (void)params, (void)w;
    return 1;
}

static double step_size(const void *params) { return ((const tru_cone *)params)->step; }

TRU_DEFAULTS(tru_cone, tru_default_cone, fields)

const tru_stepper tru_stepper_cone = {
    .name = "cone",
    .doc =
        "Semi-implicit time stepping for many bodies: impulses in the slide-roll-spin cone, contacts seen before they "
        "close.",
    .fields = fields,
    .size = sizeof(tru_cone),
    .check = check,
    .refuses_law = refuses_law,
    .ready = ready,
    .step = step_all,
    .run = run_cone,
    .step_size = step_size,
    .order = order,
    .judge = judge,
    .run_many = run_many,
    .lanes = WORLD_LANES,
    .joints = true,
};
