/* step_track.c: semi-implicit Euler on contacts with springs that remember: friction by tracking the contact point, after
 * Fang and Negrut.
 *
 * | symbol [FN20] | name | unit |
 * |---|---|---|
 * | K_E, K_r | stiffness, roll_stiffness | N/m, N m/rad |
 * | K_D, D_cr, D_psi over their critical values | damping, roll_damping, spin_damping | - |
 * | N | normal force: hooke, hertz with restitution, or prescribed | N |
 *
 * The loads of a step are those of its start: contacts are followed there from where they were a step ago, modes change
 * there, v1 = v0 + h f/m, x1 = x0 + h v1 [contact-tracking-equations 4]. Angular momentum is what is stepped (L += h
 * T), so that it is exact for bodies of any shape; between these kicks a body turns with its energy (free_turn.h). */
#include "steppers/track/step_track.h"
#include "step/end/step_end.h"
#include "steppers/springs/springs_energy.h"
#include "steppers/springs/springs_limit.h"
#include "steppers/springs/springs_many.h"
#include "steppers/track/track_kernel.h"
#include "base/assert.h"

#include "analysis/restitution.h"
#include "base/error.h"
#include "parallel/parallel.h"
#include "shapes/shape.h"
#include "world/rotation/free_turn.h"
#include "step/ledger.h"
#include "step/end/start.h"
#include "steppers/track/track_lanes.h"

#include <stddef.h>

static const tru_field fields[] = {
    TRU_REAL(tru_track, step, TRU_UNIT_S, TRU_REQUIRED, TRU_POSITIVE, "Time step."),
    TRU_REAL(tru_track, stiffness, TRU_UNIT_N_PER_M, TRU_DERIVED, TRU_POSITIVE,
             "Stiffness of the slide spring; default as stiff as the step can follow, for each contact by its mass."),
    TRU_REAL(tru_track, damping, TRU_UNIT_ONE, 1.0, TRU_FROM_ZERO,
             "Dashpot of a slide spring that sticks, in parts of 2 sqrt(mass stiffness)."),
    TRU_REAL(tru_track, roll_stiffness, TRU_UNIT_NM_PER_RAD, TRU_DERIVED, TRU_POSITIVE,
             "Stiffness of the roll spring; default from eta_r, else as fast as the slide spring."),
    TRU_REAL(tru_track, roll_damping, TRU_UNIT_ONE, 1.0, TRU_FROM_ZERO,
             "Dashpot of a roll spring that sticks, in parts of 2 sqrt(inertia stiffness)."),
    TRU_REAL(tru_track, spin_damping, TRU_UNIT_ONE, 1.0, TRU_FROM_ZERO,
             "Dashpot of a spin spring that sticks, in parts of 2 sqrt(inertia stiffness)."),
    TRU_CHOICE(tru_track, normal, "hooke|hertz|prescribed", TRU_HOOKE,
               "Normal force: a linear spring and dashpot; Hertz's with restitution (the law gives the modulus); or "
               "given."),
    TRU_REAL(tru_track, normal_stiffness, TRU_UNIT_N_PER_M, TRU_DERIVED, TRU_POSITIVE,
             "normal: hooke: stiffness; default 1/compliance of the pair, without one that of the slide spring."),
    TRU_REAL(tru_track, normal_damping, TRU_UNIT_ONE, TRU_DERIVED, TRU_FROM_ZERO,
             "Normal dashpot in parts of critical damping; default what gives the pair's restitution, at least 0.05."),
    TRU_CHOICE(tru_track, normal_dashpot, "cut|pulls|published", TRU_NORMAL_CUT,
               "cut: the normal force is never below 0, with the damping ratio that gives the pair's restitution "
               "then; pulls: the dashpot may pull while bodies overlap; published: cut, with the ratio of one that "
               "may pull, which bounces higher than asked."),
    TRU_REAL(tru_track, normal_force, TRU_UNIT_N, TRU_DERIVED, TRU_FROM_ZERO,
             "normal: prescribed: the force of every contact."),
    TRU_CHOICE(tru_track, mapping, "half_angle|authors", TRU_HALF_ANGLE,
               "How paths on both surfaces are brought together: half way through the spin, or as the authors' "
               "program does it, which drifts."),
    TRU_CHOICE(tru_track, roll_couple, "balanced|per_body", TRU_BALANCED,
               "One roll spring for the rotation of the bodies against each other, or one per body as published, "
               "whose couples do not balance; those of laws constant_torque and luding always do."),
    TRU_CHOICE(tru_track, masses, "reduced|mean", TRU_REDUCED_MASS,
               "Mass and inertia of two free bodies in stiffness and damping: reduced, or their mean as published."),
    TRU_CHOICE(tru_track, dashpot, "limited|free", TRU_DASHPOT_LIMITED,
               "limited: the friction cap limits spring and dashpot together; free: as published it limits the "
               "spring alone, and the dashpot brakes a new contact beyond it."),
    TRU_BOOLEAN(tru_track, allow_unstable, false, "Run with a step beyond the limit of stability."),
    {.name = NULL},
};

static tru_status check(const void *params, tru_error *err) {
    const tru_track *o = params;
    const bool prescribed = o->normal == TRU_PRESCRIBED;
    if (prescribed && o->normal_force == TRU_DERIVED)
        return tru_fail(err, TRU_CONFLICT, "stepper track: normal prescribed needs normal_force");
    if (!prescribed && o->normal_force != TRU_DERIVED)
        return tru_fail(err, TRU_CONFLICT, "stepper track: normal_force belongs to normal prescribed");
    if (o->normal_stiffness != TRU_DERIVED && o->normal != TRU_HOOKE)
        return tru_fail(err, TRU_CONFLICT, "stepper track: normal_stiffness belongs to normal hooke");
    if (prescribed && o->normal_damping != TRU_DERIVED)
        return tru_fail(err, TRU_CONFLICT, "stepper track: a prescribed normal force has no normal_damping");
    if (prescribed && o->normal_dashpot != TRU_NORMAL_CUT)
        return tru_fail(err, TRU_CONFLICT, "stepper track: a prescribed normal force has no normal_dashpot");
    return TRU_OK;
}

static const char *refuses_law(const tru_law *law, const void *law_params) {
    (void)law_params;
    return law->caps ? NULL : "its limits depend on each other";
}

/* ---- before a run ---- */

/* How many contacts one free body can have at a time, for the default stiffness; more than four would make it too soft
 * for impacts. */
static double contacts_of_one(const tru_world *w) {
    size_t most = 1, bounded = 0, planes = 0;
    for (size_t i = 0; i < w->solids.count; i++) *(w->solids.items[i].shape->bounded ? &bounded : &planes) += 1;
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        size_t touches = 0;
        for (size_t k = b->solid_first; k < b->solid_first + b->solid_count; k++) {
            const tru_shape *shape = w->solids.items[k].shape;
            const size_t points = shape == &tru_shape_box || shape == &tru_shape_hull ? 4
                                  : shape == &tru_shape_disk                          ? 3
                                                                                      : 1;
            touches += points * planes + bounded - b->solid_count;
        }
        if (body_is_free(b) && touches > most) most = touches;
    }
    return most < 4 ? (double)most : 4.0;
}

/* Stiffness where none is given, in parts of mass / step^2: with critical dashpots a contact alone takes k + 4 sqrt(k) up
 * to 0.94 (slide, spin and roll of a ball together), several share. */
static double default_rate(const tru_world *w) {
    const double n = contacts_of_one(w), room = n > 1.0 ? 1.2 / n : 0.6, root = sqrt(4.0 + room) - 2.0;
    TRU_ASSERT(n >= 1.0 && n <= 4.0 && !(root < 0.0));
    return root * root;
}

/* A coefficient that this choice of normal force has no use for, or needs. */
static tru_status check_normal(const tru_track *o, const tru_world *w, tru_error *err) {
    for (size_t i = 0; i < w->pairs.count; i++) {
        const pair *p = &w->pairs.items[i];
        tru_caps caps = {0};
        for (int k = 0; k < p->law_count; k++)
            p->laws[k].law->caps(p->laws[k].params, &(tru_contact){.curvature = 1.0, .curvature_mean = 1.0}, 1.0, 0.0,
                                 &caps);
        if (o->normal == TRU_HERTZ && !(caps.modulus > 0.0))
            return tru_fail(err, TRU_REFUSED, "stepper track: normal hertz needs a modulus in the law of every pair");
        if (o->normal != TRU_HERTZ && caps.modulus > 0.0 && !(p->claims & TRU_KIND_BIT(TRU_KIND_SPIN)))
            return tru_fail(err, TRU_REFUSED,
                            "stepper track: law track has a modulus, but neither eta_psi nor normal hertz uses it");
        if (o->normal != TRU_HOOKE && p->compliance > 0.0)
            return tru_fail(err, TRU_REFUSED, "stepper track: only normal hooke can use compliance (%.6g m/N)",
                            p->compliance);
        if (o->normal == TRU_PRESCRIBED && p->restitution > 0.0)
            return tru_fail(err, TRU_REFUSED,
                            "stepper track: a prescribed normal force has no use for restitution (%.6g)",
                            p->restitution);
    }
    return TRU_OK;
}

/* Has the pair a viscous couple? */
static bool is_viscous(const pair *p) {
    tru_caps caps = {0};
    for (int k = 0; k < p->law_count; k++)
        p->laws[k].law->caps(p->laws[k].params, &(tru_contact){.curvature = 1.0, .curvature_mean = 1.0}, 1.0, 0.0,
                             &caps);
    return caps.roll_viscosity > 0.0 || caps.spin_viscosity > 0.0;
}

/* Is some stiffness or viscosity given, so that it does not follow the step? */
static bool stiffness_given(const tru_track *o, const tru_world *w) {
    if (o->stiffness != TRU_DERIVED || o->roll_stiffness != TRU_DERIVED) return true;
    if (o->normal_stiffness != TRU_DERIVED || o->normal == TRU_HERTZ) return true;
    for (size_t i = 0; i < w->pairs.count; i++) {
        const pair *p = &w->pairs.items[i];
        if ((o->normal == TRU_HOOKE && p->compliance > 0.0) || is_viscous(p)) return true;
    }
    return false;
}

/* [s] A step that is stable with what follows the step, too. */
static tru_status step_that_would_do(const tru_track *o, tru_world *w, double limit, double *out, tru_error *err) {
    tru_track other = *o;
    tru_status s = TRU_OK;
    *out = (1.0 - 1e-7) * limit; /* the limit itself is bisected to 1e-9 */
    for (int i = 0; s >= 0 && i < 100; i++) {
        other.step = *out;
        s = trui_springs_limit(&other, w, &limit, err);
        if (s < 0 || other.step < limit) break;
        *out = 0.9 * fmin(*out, limit);
    }
    return s;
}

static tru_status check_step(const tru_track *o, tru_world *w, tru_error *err) {
    double limit = DBL_MAX, good;
    tru_status s = trui_springs_limit(o, w, &limit, err);
    if (s < 0 || o->allow_unstable || o->step < 0.9 * limit) return s;
    if (o->step < limit)
        return tru_remark(err, TRU_REMARK, "stepper track: step %.6g s is close to the largest stable one, %.6g s",
                          o->step, limit);
    s = step_that_would_do(o, w, limit, &good, err);
    if (s < 0) return s;
    return tru_fail(err, TRU_REFUSED,
                    "stepper track: step %.6g s is beyond stability: the largest stable one is %.6g s (or set "
                    "allow_unstable)",
                    o->step, good);
}

/* Springs that follow the step are softened until every body can rest on them: a long or thin one moves more easily at its
 * ends than the rule for balls knows. The rate follows from the bodies, not from where they are: a resumed run finds the same. */
static void set_rate(const tru_track *o, tru_world *w) {
    tru_track follows = *o;
    w->spring_rate = default_rate(w);
    if (o->stiffness != TRU_DERIVED) return; /* no spring follows the step */
    follows.stiffness = follows.roll_stiffness = follows.normal_stiffness = TRU_DERIVED;
    if (o->normal == TRU_HERTZ) follows.normal = TRU_HOOKE;
    TRU_ASSERT(!(w->spring_rate < 0.0));
    for (int i = 0; i < 16 && 0.9 * trui_springs_limit_of_bodies(&follows, w) <= o->step; i++) w->spring_rate *= 0.5;
}

/* What restitution contacts have where it is not what the pair asks for. */
static tru_status tell_restitution(const tru_track *o, const tru_world *w, tru_error *err) {
    if (o->normal == TRU_PRESCRIBED || o->normal_damping != TRU_DERIVED) return TRU_OK;
    for (size_t i = 0; i < w->pairs.count; i++) {
        const pair *p = &w->pairs.items[i];
        const double has = trui_restitution_of_damping(trui_springs_ratio(o, p));
        if (p->pass || (o->normal_dashpot == TRU_NORMAL_PULLS)) continue;
        if (o->normal_dashpot == TRU_NORMAL_PUBLISHED && p->restitution < 1.0)
            return tru_remark(
                err, TRU_REMARK,
                "stepper track: restitution %.6g is asked, contacts have %.4g with normal_dashpot published",
                p->restitution, has);
        if (o->normal_dashpot == TRU_NORMAL_CUT && p->restitution < RESTITUTION_LEAST)
            return tru_remark(err, TRU_REMARK,
                              "stepper track: restitution %.6g is asked, contacts have %.4g: less needs a damping that "
                              "steps cannot follow",
                              p->restitution, has);
    }
    return TRU_OK;
}

static tru_status ready(const void *params, tru_world *w, tru_error *err) {
    const tru_track *o = params;
    tru_status s = check_normal(o, w, err);
    if (s < 0) return s;
    set_rate(o, w);
    if (stiffness_given(o, w)) s = check_step(o, w, err);
    return s != TRU_OK ? s : tell_restitution(o, w, err);
}

/* ---- the step ---- */

static void push_body(body *b, const tru_mat3 *inverse, double sign, tru_vec3 force, tru_vec3 arm, tru_vec3 couple) {
    if (!body_is_free(b)) return;
    b->v = v3_madd(b->v, sign * b->inv_mass, force);
    b->w = v3_madd(b->w, sign, m3_apply(*inverse, v3_add(couple, v3_cross(arm, force))));
}

/* Velocities at the end: free ones and the impulses of the contacts. */
static void push(const tru_track *o, step *s) {
    static const double none[2] = {0.0, 0.0};
    tru_world *w = s->w;
    for (size_t i = 0; i < w->bodies.count; i++) {
        w->bodies.items[i].v = s->free[i].v;
        w->bodies.items[i].w = s->free[i].w;
    }
    for (size_t i = 0; i < w->contacts.count; i++) {
        const contact *k = &w->contacts.items[i];
        const contact_frame *c = &k->c;
        const double *p = k->impulse, *own = o->roll_couple == TRU_PER_BODY ? k->springs->couple_b : none;
        const tru_vec3 force = v3_madd(v3_madd(v3_scale(p[0], c->normal), p[1], c->t1), p[2], c->t2);
        const tru_vec3 couple = v3_madd(v3_madd(v3_scale(p[3], c->normal), p[4], c->t1), p[5], c->t2);
        const tru_vec3 on_b = v3_madd(v3_madd(couple, -own[0], c->t1), -own[1], c->t2);
        push_body(&w->bodies.items[k->a], &s->inverse[k->a].inverse, 1.0, force, c->arm_a, couple);
        push_body(&w->bodies.items[k->b], &s->inverse[k->b].inverse, -1.0, force, c->arm_b, on_b);
    }
}

/* Poses by the velocities at the end; an anisotropic body turns freely, with its angular momentum and energy. */
static void drift_some(void *context, size_t begin, size_t end) {
    const step *s = context;
    for (size_t i = begin; i < end; i++) {
        body *b = &s->w->bodies.items[i];
        if (b->kind == TRU_FIXED || b->belt) continue;
        if (b->isotropic || !body_is_free(b)) {
            body_drift(b, s->h, false);
            continue;
        }
        b->x = v3_madd(b->x, s->h, b->v);
        s->body_steps[i].dynamics->gained = trui_free_turn(b, s->body_steps[i].dynamics->inertia, s->h);
    }
}

/* Fails where a body turns farther than free_turn can follow. */
static tru_status drift_keeping_momentum(step *s, tru_error *err) {
    tru_world *w = s->w;
    trui_parallel_for(w->threads, w->bodies.count, BODY_GRAIN, drift_some, s);
    for (size_t i = 0; s->turning && i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        if (!body_is_free(b) || b->isotropic) continue;
        const double gained = s->body_steps[i].dynamics->gained, rate = v3_norm(b->w);
        w->ledger.gyroscopic += gained;
        if (isnan(gained))
            return tru_fail(err, TRU_NO_SOLUTION,
                            "stepper track: body '%s' would turn by %.4g rad in the step to t = %.9g s, farther than "
                            "can be followed; steps of %.4g s would turn it by 1 rad",
                            body_name(w, i), rate * s->h, s->time + s->h, 1.0 / rate);
    }
    return TRU_OK;
}

/* [J] What weighs against round-off: potential energy over the bodies' sizes, and what they move with. */
static double energy_scale(const tru_world *w, double kinetic) {
    double sum = kinetic;
    for (size_t i = 0; i < w->bodies.count; i++)
        if (body_is_free(&w->bodies.items[i]))
            sum += w->bodies.items[i].mass * v3_norm(w->gravity) * w->bodies.items[i].size;
    return sum;
}

#define ABOVE_ROUND_OFF 1e-6 /* [-] in parts of energy_scale */

/* Fails where the books say that steps have made more energy than all that was there, was supplied or set free by falling: present and
 * dissipated energy is the sum of these and of what steps made. Below, kinetic and stored energy stay within twice the true energy. */
static tru_status check_energy(const tru_track *o, const step *s, tru_error *err) {
    const tru_world *w = s->w;
    const tru_ledger *l = &w->ledger;
    const double made = l->theta_shift + l->stiffness + l->gyroscopic, lost = l->slide + l->spin + l->roll + l->impact;
    if (o->allow_unstable || !(made > TRACK_MADE_BY_STEPS * lost) || !(made > 0.0)) return TRU_OK;
    double kinetic = 0.0;
    for (size_t i = 0; i < w->bodies.count; i++) kinetic += trui_body_kinetic(&w->bodies.items[i]);
    if (!(made > TRACK_MADE_BY_STEPS * (kinetic + l->stored + lost))) return TRU_OK;
    if (!(made > ABOVE_ROUND_OFF * energy_scale(w, 0.0)) || !(made > ABOVE_ROUND_OFF * kinetic)) return TRU_OK;
    return tru_fail(
        err, TRU_NO_SOLUTION,
        "stepper track: steps of %.6g s have made %.4g J of the %.4g J that bodies have and lost by t = %.9g s: "
        "contacts need shorter ones",
        o->step, made, kinetic + l->stored + lost, s->time + s->h);
}

/* Fails where Hertz contacts have become stiffer than the step can follow: their stiffness grows with the overlap. */
static tru_status check_hertz(const tru_track *o, const step *s, tru_error *err) {
    const tru_world *w = s->w;
    if (o->normal != TRU_HERTZ || o->allow_unstable) return TRU_OK;
    for (size_t i = 0; i < w->contacts.count; i++) {
        const contact *c = &w->contacts.items[i];
        const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
        spring_set set;
        trui_springs_masses_of(o, w, a, b, c, &set);
        const double k = c->springs->stiffness[TRU_KIND_NORMAL], mass = set.impact_mass;
        const double damping = 2.0 * trui_springs_ratio(o, c->pair) * sqrt(5.0 / 6.0 * k * mass);
        if (k * s->h * s->h + 2.0 * damping * s->h < 4.0 * mass) continue;
        const double good = (sqrt(damping * damping + 4.0 * k * mass) - damping) / k;
        return tru_fail(err, TRU_NO_SOLUTION,
                        "stepper track: bodies '%s' and '%s' overlap by %.4g m at t = %.9g s: step %.6g s is beyond "
                        "stability there, the largest stable one is %.4g s",
                        body_name(w, c->a), body_name(w, c->b), -c->c.gap, s->time, s->h, good);
    }
    return TRU_OK;
}

#define GOOD_OVERLAP 0.1 /* [-] in parts of a body's size: what the advice of check_depth aims at */

/* [N/m] Stiffness of the normal springs of a pair if it is given, else TRU_DERIVED. */
static double given_stiffness(const tru_track *o, const pair *p) {
    if (o->normal_stiffness != TRU_DERIVED) return o->normal_stiffness;
    return p->compliance > 0.0 ? 1.0 / p->compliance : o->stiffness;
}

/* Fails where a body has sunk wholly into another one or below a plane. Up to there the force still points the way out: a
 * plane's normal is always its own, and that of two balls turns over only when one centre passes the other, at an overlap of
 * both radii, which is at least the smaller diameter. An
 * overlap of springs that follow the step grows with the step or its square, one of given springs with 1/sqrt(stiffness) or
 * more. */
static tru_status check_depth(const tru_track *o, const step *s, double deepest, tru_error *err) {
    const tru_world *w = s->w;
    if (o->normal == TRU_PRESCRIBED || o->allow_unstable || !(deepest > trui_smallest_free(w))) return TRU_OK;
    for (size_t i = 0; i < w->contacts.count; i++) {
        const contact *c = &w->contacts.items[i];
        const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
        const body *small = !body_is_free(b) || (body_is_free(a) && a->size <= b->size) ? a : b;
        const double deep = -c->c.gap, k = given_stiffness(o, c->pair);
        const double time = sqrt(1.0 / ((a->inv_mass + b->inv_mass) * c->springs->stiffness[TRU_KIND_NORMAL]));
        const double deeper = deep + time * (c->approach + time * v3_norm(w->gravity)); /* where it would turn */
        const double part = GOOD_OVERLAP * small->size / deeper;
        const double room = 2.0 * small->size;
        const char *whose = body_name(w, (size_t)(small - w->bodies.items));
        if (c->pair->pass || !(deep > room)) continue;
        if (o->normal == TRU_HOOKE && k == TRU_DERIVED)
            return tru_fail(
                err, TRU_NO_SOLUTION,
                "stepper track: bodies '%s' and '%s' overlap by %.4g m at t = %.9g s, more than the diameter of "
                "'%s' (%.4g m): springs that steps of %.6g s can follow are too soft; steps of %.4g s "
                "would do",
                body_name(w, c->a), body_name(w, c->b), deep, s->time, whose, room, s->h, part * s->h);
        return tru_fail(
            err, TRU_NO_SOLUTION,
            "stepper track: bodies '%s' and '%s' overlap by %.4g m at t = %.9g s, more than the diameter of '%s' "
            "(%.4g m): springs are too soft for this load; %.3g times their stiffness would do",
            body_name(w, c->a), body_name(w, c->b), deep, s->time, whose, room, 1.0 / (part * part));
    }
    return TRU_OK;
}

static tru_status step_track(const void *params, tru_world *w, tru_error *err) {
    const tru_track *o = params;
    step s;
    double deepest = 0.0;
    tru_status status = trui_step_begin(&s, w, o->step, err);
    if (status < 0) return status;
    trui_start_tell(w);
    double begun = world_clock(w);
    status = trui_find_contacts(w, trui_springs_activation(o, w), s.h, KEEP_SPRINGS, err);
    w->profile.collide += world_clock(w) - begun;
    if (status < 0) return trui_step_undo(&s, status);
    s.ends = true;
    s.info = (tru_solve_info){.worst = -1, .converged = true};
    for (size_t i = 0; s.turning && i < w->bodies.count; i++)
        s.body_steps[i].dynamics->gyro_rate = v3_zero(); /* in the angular momentum */
    trui_inertia_here(&s);
    trui_kick(&s);
    trui_springs_release(&s);
    begun = world_clock(w);
    status = trui_springs_load_all(o, &s, err);
    w->profile.solve += world_clock(w) - begun;
    w->profile.steps++;
    w->profile.packed += w->contacts.count;
    if (status >= 0) status = check_hertz(o, &s, err);
    if (status >= 0) {
        push(o, &s);
        trui_ledger_book(&s);
        status = trui_springs_ledger(o, &s, &deepest, err);
    }
    if (status >= 0) status = check_depth(o, &s, deepest, err);
    if (status >= 0) status = check_energy(o, &s, err);
    if (status >= 0) status = drift_keeping_momentum(&s, err);
    if (status < 0) {
        trui_find_contacts_undo(w);
        return trui_step_undo(&s, status);
    }
    return trui_step_end(&s, status, err);
}

static tru_status judge(const void *params, const tru_world *w, tru_verdict *out, tru_error *err) {
    return trui_springs_judge(params, w, out, err);
}

static int order(const void *params, const tru_world *w) {
    (void)params, (void)w;
    return 1;
}

static double step_size(const void *params) { return ((const tru_track *)params)->step; }

TRU_DEFAULTS(tru_track, tru_default_track, fields)

const tru_stepper tru_stepper_track = {
    .name = "track",
    .doc =
        "Semi-implicit Euler for soft contacts: springs with memory that follow the contact point over both surfaces.",
    .fields = fields,
    .size = sizeof(tru_track),
    .check = check,
    .refuses_law = refuses_law,
    .ready = ready,
    .step = step_track,
    .step_size = step_size,
    .order = order,
    .judge = judge,
    .run_many = trui_track_run_many,
    .lanes = WORLD_LANES,
    .soft = true,
};

void trui_track_carry(tru_world *w, size_t who, const body *there) {
    const tru_track *o = w->stepper == &tru_stepper_track ? w->stepper_params : NULL;
    if (!trui_springs_hold(w, who)) return;
    if (o) set_rate(o, w); /* a world that was loaded has not been checked */
    trui_springs_carry(o, w, who, there);
}
