/* test_random_single.c: what must hold for any one body on a plane: every shape, law and stepper, over the ranges of
 * random_draw.h. Options are in random_scene.h; an hour by hand: property.random_single --seconds=450. */
#define _POSIX_C_SOURCE 200809L
#include "random_ladder.h"
#include "random_reference.h"
#include "random_run.h"

/* Known violations, each with its cause; a row is removed when its fix lands. */
static const pending_row pending[] = {
    {"nothing_lifts_without_cause", "moreau-paper", "R7 the published scheme loses contact of rolling bodies"},
    {NULL, NULL, NULL},
};

static char text[SCENE_ROOM];

/* ---- nothing breaks: no crash, nothing that is not finite, the same bits however a run is cut */

TEST(nothing_breaks) {
    book b = book_open("nothing_breaks", 1000, pending);
    for (uint64_t number; book_next(&b, &number);) {
        draws d = draws_of(b.seed, b.test, number);
        random_scene s = draw_single(&d, &b);
        s.step = fmax(s.step * draw_scale(&d, 0.03, 1.0), 1e-7);
        for (int k = 0; k < WAYS; k++) check_run(&b, &s, &ways[k], 40, text);
    }
    book_close(&b);
}

/* ---- a step that cannot be trusted fails */

/* Energy that a passive scene may reach: twice what it starts with, counted from its lowest place.
 *
 * Friction, restitution up to 1 and the floor add nothing, so the exact energy never grows. A scheme's own error is bounded
 * by what one step moves: a pose that is wrong by the way of a step, moved back to the floor, gains m g h (v + r w + g h),
 * and a body that is put upright gains 2 m g r. The factor 2 is what the issue calls "multiplied". */
static double energy_band(const random_scene *s, const tru_ledger *start) {
    const random_body *b = &s->bodies[0];
    const double g = v3_norm(s->gravity), r = body_radius(b), way_of_step = v3_norm(b->velocity) + r * v3_norm(b->rate);
    return start->kinetic + start->potential + start->stored + start->kinetic +
           2.0 * b->mass * g * (2.0 * r + fabs(b->position.z) + s->step * (way_of_step + g * s->step));
}

TEST(long_steps_fail_or_keep_the_energy) {
    book b = book_open("long_steps_fail_or_keep_the_energy", 300, pending);
    for (uint64_t number; book_next(&b, &number);) {
        draws d = draws_of(b.seed, b.test, number);
        random_scene s = draw_single(&d, &b);
        s.step *= draw_scale(&d, 1.0, 100.0);
        s.until = 100.0 * s.step;
        for (int k = 0; k < WAYS; k++) {
            opened o;
            tru_error err;
            tru_status status = TRU_OK;
            if (!book_try(&b, &s, &ways[k], s.step, "", text, &o)) continue;
            tru_ledger l = tru_world_ledger(o.world);
            const tru_ledger first = l;
            const double start = l.kinetic + l.potential + l.stored, band = energy_band(&s, &l);
            double most = start;
            for (int i = 0; i < 100 && status == TRU_OK && most <= band; i++) {
                status = tru_run(o.world, 1, &err);
                l = tru_world_ledger(o.world);
                if (status == TRU_OK) most = fmax(most, ledger_grown(&l, &first));
            }
            if (status != TRU_OK) book_stop(&b, &s, &ways[k], &err);
            book_check(&b, most <= band, &s, &ways[k], text,
                       "energy from %.4g to %.4g J in %" PRIu64 " steps of %.3g rad, band %.4g J, every step converged",
                       start, most, tru_steps_done(o.world), s.step * v3_norm(s.bodies[0].rate), band);
            scene_close(&o);
        }
    }
    book_close(&b);
}

/* ---- rolling stays rolling */

/* A sphere that rolls on a level floor needs no friction, so nothing may change its velocities: slip below 1e-10 of its
 * speed after `steps` steps of up to 0.5 rad. Springs of track give way by the weight: the slip of their contact counts,
 * at the arm that the contact has. */
TEST(a_sphere_keeps_rolling) {
    book b = book_open("a_sphere_keeps_rolling", 150, pending);
    for (uint64_t number; book_next(&b, &number);) {
        draws d = draws_of(b.seed, b.test, number);
        random_scene s = scene_blank(&d, &b);
        double turn;
        do {
            s.length = draw_scale(&d, 1e-4, 1e2);
            s.step = draw_scale(&d, 1e-7, 1e-2);
            turn = draw_scale(&d, 1e-3, 0.5);
        } while (turn / s.step * s.length > 100.0 || earth_gravity * s.step * s.step > 1e-3 * s.length);
        random_body *body = &s.bodies[0];
        s.plane = true;
        s.body_count = 1;
        *body = draw_body(&d, SPHERE, s.length, 1.0);
        body->mass = draw_scale(&d, 1e2, 1e4) * s.length * s.length * s.length;
        body->attitude = draw_attitude(&d);
        const double direction = draw_between(&d, 0.0, 6.28);
        body->rate = v3(turn / s.step * cos(direction), turn / s.step * sin(direction), 0.0);
        body_set_down(body, 0.0);
        body_set_rolling(body, true);
        s.speed = v3_norm(body->velocity);
        const random_law laws[] = {LAW_NONE, LAW_COULOMB, LAW_STATIC, LAW_CONTENSOU, LAW_TRACK_HERTZ};
        draw_laws(&d, laws[draw_below(&d, 5)], s.length, body->mass, s.speed, s.laws, sizeof s.laws);
        s.until = 1000.0 * s.step;
        for (int k = 0; k < WAYS; k++) {
            opened o;
            tru_error err;
            tru_contact_info c;
            if (!book_try(&b, &s, &ways[k], s.step, "", text, &o)) continue;
            const tru_status status = tru_run(o.world, 1000, &err);
            if (status < 0) book_stop(&b, &s, &ways[k], &err);
            if (status >= 0) {
                double slip = v3_norm(floor_slip(body, o.world, 0)), sunk = 0.0;
                if (ways[k].soft && tru_contact_count(o.world) == 1 && tru_contact_get(o.world, 0, &c, &err) >= 0) {
                    slip = hypot(c.velocity[TRU_ROW_SLIDE1], c.velocity[TRU_ROW_SLIDE2]);
                    sunk = -4.0 * c.gap / s.length; /* twice as deep at first, and twice that for the arm */
                }
                const double speed = v3_norm(state_of(o.world, 0).velocity);
                book_check(&b, slip <= 1e-10 * s.speed, &s, &ways[k], text,
                           "slip %.3g of the speed at %.3g rad per step", slip / s.speed, turn);
                book_check(&b, fabs(speed - s.speed) <= (1e-10 + sunk) * s.speed, &s, &ways[k], text,
                           "speed %.9g times that at the start, at %.3g rad per step", speed / s.speed, turn);
            } else
                book_check(&b, false, &s, &ways[k], text, "stopped: %s", err.text);
            scene_close(&o);
        }
    }
    book_close(&b);
}

/* ---- restitution asked is restitution measured */

/* How the gap of the two bodies ends the step in which they meet. */
typedef enum gap_end { GAP_ZERO, GAP_INSIDE_SLOP, GAP_OVERLAPS_SLOP, GAP_HALF_WAY, GAP_ENDS } gap_end;
static const char *const gap_end_names[GAP_ENDS] = {"at zero", "within slop", "overlapping within slop", "half way"};

/* An impact along the vertical through both centres, without gravity: the speeds before and after are the only ones. All
 * lengths, speeds and steps are powers of two or few of their sums, so that gaps end where they are meant to. */
typedef struct contact_point {
    random_scene scene;
    gap_end end;
    double slop;        /* [m] */
    double mass, speed; /* [kg] reduced; [m/s] of approach */
    int last;           /* step in which they meet */
} contact_point;

static contact_point draw_meeting(draws *d, const book *of) {
    contact_point m = {
        .scene = scene_blank(d, of), .end = (gap_end)draw_below(d, GAP_ENDS), .last = 1 + draw_below(d, 4)};
    random_scene *s = &m.scene;
    const bool pair = draw_chance(d, 0.5);
    s->gravity = v3_zero();
    s->length = ldexp(1.0, draw_below(d, 20) - 13);
    s->speed = m.speed = ldexp(1.0, draw_below(d, 16) - 10);
    s->plane = !pair;
    s->body_count = pair ? 2 : 1;
    const double share = pair ? 0.5 : 0.0; /* of the speed, of the lower body */
    const random_family family = (random_family)draw_below(d, FAMILY_DISKS);
    for (int k = 0; k < s->body_count; k++) {
        random_body *b = &s->bodies[k];
        *b = draw_upright(d, pair ? draw_shape_of(d, family) : (random_shape)draw_below(d, RANDOM_SHAPES), s->length);
        b->mass = draw_scale(d, 1e2, 1e4) * s->length * s->length * s->length * draw_scale(d, 1e-3, 1e3);
        b->velocity.z = k > 0 ? share * m.speed : -(1.0 - share) * m.speed;
    }
    m.mass = pair ? s->bodies[0].mass * s->bodies[1].mass / (s->bodies[0].mass + s->bodies[1].mass) : s->bodies[0].mass;
    s->restitution = draw_chance(d, 0.1) ? 0.0 : draw_chance(d, 0.1) ? 1.0 : draw_between(d, 0.05, 1.0);
    const random_law laws[] = {LAW_NONE, LAW_COULOMB, LAW_STATIC, LAW_ROLLING, LAW_CONTENSOU, LAW_TRACK};
    draw_laws(d, laws[draw_below(d, 6)], s->length, m.mass, m.speed, s->laws, sizeof s->laws);
    s->step = fmax(ldexp(s->length / m.speed, -4 - draw_below(d, 12)), 0x1p-23);
    double small =
        HUGE_VAL; /* the default slop is 1e-7 of the smaller body; half of it stays within whatever that means */
    for (int k = 0; k < s->body_count; k++) small = fmin(small, -body_farthest(&s->bodies[k], v3(0, 0, -1)).z);
    m.slop = 0.5e-7 * small;
    return m;
}

/* Places the bodies for steps of `step`. */
static void place_meeting(contact_point *m, double step) {
    random_scene *s = &m->scene;
    double gap = m->last * m->speed * step;
    if (m->end == GAP_INSIDE_SLOP) gap += m->slop;
    if (m->end == GAP_OVERLAPS_SLOP) gap -= m->slop;
    if (m->end == GAP_HALF_WAY) gap += 0.5 * m->speed * step;
    body_set_down(&s->bodies[0], gap);
    if (s->body_count > 1) s->bodies[1].position.z = -body_farthest(&s->bodies[1], v3(0, 0, 1)).z;
    s->until = 100.0 * step;
}

/* Speed of separation along the vertical, per speed of approach. */
static double measured_restitution(const contact_point *m, const tru_world *w) {
    const double lower = m->scene.body_count > 1 ? state_of(w, 1).velocity.z : 0.0;
    return (state_of(w, 0).velocity.z - lower) / m->speed;
}

static void check_rigid_meeting(book *b, contact_point *m, const way *how) {
    random_scene *s = &m->scene;
    opened o;
    tru_error err;
    s->compliance = 0.0;
    place_meeting(m, s->step);
    if (!book_try(b, s, how, s->step, "", text, &o)) return;
    const tru_status status = tru_run(o.world, (uint64_t)m->last + 6, &err);
    if (status < 0) book_stop(b, s, how, &err);
    const double e = measured_restitution(m, o.world);
    book_check(b, status >= 0 && fabs(e - s->restitution) <= 1e-9, s, how, text,
               "restitution %.9g, asked %.9g, %s %s, gap ends %s%s%s", e, s->restitution,
               random_shape_names[s->bodies[0].shape], s->plane ? "on floor" : random_shape_names[s->bodies[1].shape],
               gap_end_names[m->end], status < 0 ? ": " : "", status < 0 ? err.text : "");
    scene_close(&o);
}

enum { STEPS_OF_CONTACT = 4000 }; /* of the spring's half period: first order leaves errors well below 1e-3 */

/* Springs: the stiff limit, a contact that lasts STEPS_OF_CONTACT steps and is 1e-3 of the body deep. */
static void check_soft_meeting(book *b, contact_point *m, const way *how) {
    random_scene *s = &m->scene;
    opened o;
    tru_error err;
    const double depth = 1e-3 * s->length, half_period = 3.14159 * depth / m->speed,
                 step = half_period / STEPS_OF_CONTACT;
    const bool hertz = strcmp(how->name, "track-hertz") == 0;
    if (s->restitution < 0.05 || step < 1e-12) return;
    s->compliance = hertz ? 0.0 : depth * depth / (m->mass * m->speed * m->speed);
    if (hertz) { /* depth^(5/2) = 15 mass speed^2/(16 modulus sqrt(radius)), with the radius within a few of length */
        s->laws[0] = '\0';
        text_add(s->laws, sizeof s->laws, "{track: {slide: 0.1, modulus: %.17g Pa}}",
                 m->mass * m->speed * m->speed / (depth * depth * sqrt(depth * s->length)));
    }
    place_meeting(m, step);
    if (!book_try(b, s, how, step, "", text, &o)) return;
    double e = -1.0;
    tru_status status = TRU_OK;
    for (int i = 0; i < 40 && status >= 0 && (e < 0.0 || tru_contact_count(o.world) > 0); i++) {
        status = tru_run(o.world, STEPS_OF_CONTACT / 4, &err);
        e = measured_restitution(m, o.world);
    }
    if (status < 0) book_stop(b, s, how, &err);
    book_check(b, status >= 0 && fabs(e - s->restitution) <= 1e-3, s, how, text,
               "restitution %.6g, asked %.6g, %s %s%s%s", e, s->restitution, random_shape_names[s->bodies[0].shape],
               s->plane ? "on floor" : random_shape_names[s->bodies[1].shape], status < 0 ? ": " : "",
               status < 0 ? err.text : "");
    scene_close(&o);
}

TEST(restitution_is_as_asked) {
    book b = book_open("restitution_is_as_asked", 250, pending);
    for (uint64_t number; book_next(&b, &number);) {
        draws d = draws_of(b.seed, b.test, number);
        contact_point m = draw_meeting(&d, &b);
        for (int k = 0; k < WAYS; k++) {
            contact_point same = m;
            if (!ways[k].rolls && !ways[k].soft) check_rigid_meeting(&b, &same, &ways[k]);
            if (ways[k].soft) check_soft_meeting(&b, &same, &ways[k]);
        }
    }
    book_close(&b);
}

/* ---- no lift without cause */

/* Steps of at most `turn` rad where the body turns fastest. */
static int steps_of_turn(const random_scene *s, const contact_story *truth, double turn) {
    return (int)ceil(s->until * truth->rate / turn);
}

/* A body whose true normal force stays above 0.3 of its weight never leaves the floor at 0.05 rad per step. */
TEST(nothing_lifts_without_cause) {
    book b = book_open("nothing_lifts_without_cause", 100, pending);
    b.conditional = true;
    for (uint64_t number; book_next(&b, &number);) {
        draws d = draws_of(b.seed, b.test, number);
        const bool rolls = draw_chance(&d, 0.5);
        random_scene s = draw_smooth(&d, &b, rolls, 5.0);
        const contact_story truth = reference_story(&s);
        if (!truth.good || truth.lowest < 0.3) continue;
        const int steps = steps_of_turn(&s, &truth, 0.05);
        book_use(&b);
        for (int k = 0; k < WAYS; k++) {
            opened o;
            tru_error err;
            if (ways[k].rolls || !way_follows(&ways[k], &truth, rolls)) continue;
            if (!book_try(&b, &s, &ways[k], s.until / steps, "", text, &o)) continue;
            const contact_story story = run_story(&s, &o, steps, &err);
            if (!story.good) book_stop(&b, &s, &ways[k], &err);
            book_check(&b, story.lifts == 0, &s, &ways[k], text,
                       "%ld lifts in %d steps, but the normal force is at least %.3g of the weight", story.lifts, steps,
                       truth.lowest);
            scene_close(&o);
        }
    }
    book_close(&b);
}

/* ---- rolling stays rolling: smooth bodies that are not spheres */

/* Largest slip of the contact over a run, in parts of the speed of the scene; NaN if the run was refused or stopped. *law: the
 * same of contacts that do not stick; of springs the rest is the rate at which they give way. The property is that of a body on
 * one point: where another one lands, as the other end of a capsule, that one slips until it holds, and nothing is
 * measured. The relaxed form feels it at a height h s(u), before event does. */
static double largest_slip(book *b, const random_scene *s, const way *how, int steps, double *law) {
    opened o;
    tru_error err;
    double slip = 0.0;
    bool ran = true, ends = false;
    *law = 0.0;
    if (!book_try(b, s, how, s->until / steps, "", text, &o)) return NAN;
    for (int i = 0; i < steps && ran; i++) {
        tru_contact_info c;
        double of_contact = 0.0;
        bool sticks = true;
        int carrying = 0;
        ran = tru_run(o.world, 1, &err) >= 0;
        for (size_t k = 0; k < tru_contact_count(o.world); k++) {
            if (tru_contact_get(o.world, k, &c, &err) < 0 || !(c.impulse[TRU_ROW_NORMAL] > 0.0)) continue;
            tru_contact_place at; /* where bodies are now: the frame of the laws may be one of another time */
            ran = ran && tru_contact_now(o.world, k, &at, &err) >= 0;
            carrying++;
            of_contact = hypot(at.velocity[TRU_ROW_SLIDE1], at.velocity[TRU_ROW_SLIDE2]) / s->speed;
            sticks = c.stuck & TRU_KIND_BIT(TRU_KIND_SLIDE);
        }
        ends = carrying > 1;
        if (ends) break;
        slip = fmax(slip, of_contact);
        if (!sticks) *law = fmax(*law, of_contact);
    }
    if (!ran) book_stop(b, s, how, &err);
    scene_close(&o);
    return ran && !ends ? slip : NAN;
}

/* [-] Slip that a scheme may have in steps of 0.05 rad, in parts of the speed. First order: see smooth_bodies_keep_rolling. The
 * midpoint scheme holds W(q_M) (u_A + u_E) = W(q_A) u_A. Expanded about the middle, slip at the end is then
 * h^2 (W' u'/2 + W'' u/4). With rates up to k and accelerations up to 1.5 k times the speed it is (k h)^2 of the speed. The others
 * hold the end itself. */
static double slip_allowed(const way *how) {
    if (how->order <= 1) return HUGE_VAL;
    return strcmp(how->name, "moreau") == 0 ? 0.05 * 0.05 : 1e-3;
}

static void check_rigid_rolling(book *b, const random_scene *s, const way *how, const contact_story *truth) {
    const int steps = steps_of_turn(s, truth, 0.05);
    double law;
    const double coarse = largest_slip(b, s, how, steps, &law), fine = largest_slip(b, s, how, 4 * steps, &law);
    if (isnan(coarse) || isnan(fine)) return;
    book_check(b, coarse <= slip_allowed(how), s, how, text,
               "slip %.3g of the speed at 0.05 rad per step, %.3g at 0.0125", coarse, fine);
    book_check(b, fine <= (how->order > 1 ? 0.1 : 0.4) * coarse || fine <= 1e-10, s, how, text,
               "slip does not fall as it should: %.3g of the speed at 0.05 rad per step, %.3g at 0.0125", coarse, fine);
}

/* The law does not slip at all: contacts stick. What the contact point moves is the rate of the spring, F = k x + d x', with
 * the critical dashpot d = 2 sqrt(k m). Once its time d/k = 2 sqrt(m/k) is short against a turn, x' = F'/k; while the body
 * settles on its normal spring at the start, in the same time, its velocity changes by about F/m sqrt(m/k). So the slip
 * falls with the stiffness at order 1/2 at least: with springs that follow the step (k ~ 1/step^2) at the first of the
 * step. They are as soft as d/k = 14 to 20 steps, so that steps of 0.05/32 rad make d/k 0.03 rad. */
static void check_soft_rolling(book *b, const random_scene *s, const way *how, const contact_story *truth) {
    const int steps = steps_of_turn(s, truth, 0.05 / 32.0);
    double law[2];
    const double coarse = largest_slip(b, s, how, steps, &law[0]), fine = largest_slip(b, s, how, 4 * steps, &law[1]);
    if (isnan(coarse) || isnan(fine)) return;
    book_check(b, law[0] == 0.0 && law[1] == 0.0, s, how, text,
               "contacts that need %.3g of their friction slip with %.3g of the speed at 0.0016 rad per step, %.3g at "
               "0.0004",
               truth->demand, law[0], law[1]);
    book_check(b, fine <= 0.4 * coarse || fine <= 1e-10, s, how, text,
               "springs give way at %.3g of the speed at 0.0016 rad per step, %.3g at 0.0004", coarse, fine);
}

/* Where friction and normal force suffice, slip is the error of the scheme, in steps of 0.05 rad at most slip_allowed() for
 * schemes of second order. One of first order holds the velocities of the end without slip at the arm r that the contact had
 * at the start, so that they slip by |w x dr| at the end: a turn's part, times the radius of curvature, for which there is no
 * bound. Quartering the step lowers slip at the order of the scheme. */
TEST(smooth_bodies_keep_rolling) {
    book b = book_open("smooth_bodies_keep_rolling", 100, pending);
    b.conditional = true;
    for (uint64_t number; book_next(&b, &number);) {
        draws d = draws_of(b.seed, b.test, number);
        random_scene s = draw_smooth(&d, &b, true, 2.0);
        const contact_story truth = reference_story(&s);
        double mu = 0.0;
        if (sscanf(s.laws, "{coulomb: {slide: %lf}}", &mu) != 1) exit(1);
        if (!truth.good || truth.slips > 0 || truth.lowest < 0.3 || truth.demand > 0.7 * mu) continue;
        s.speed = truth.rate * body_radius(&s.bodies[0]); /* of the surface about the centre */
        book_use(&b);
        for (int k = 0; k < WAYS; k++)
            (ways[k].soft ? check_soft_rolling : check_rigid_rolling)(&b, &s, &ways[k], &truth);
    }
    book_close(&b);
}

/* ---- steppers agree */

/* Largest difference from the truth at the end, over numbers of steps near `steps`; NaN if a run was refused or stopped, or lost a
 * contact that stays: nothing_lifts_without_cause looks at that. Where slip turns to stick within the run, the error of a step
 * depends on the part of the step at which that happens, from nothing to all of it: so several steps are looked at, which meet
 * it in other parts. */
static double largest_difference(book *b, const random_scene *s, const way *how, const contact_story *truth,
                                 int steps) {
    static const double nearby[] = {1.0, 1.07, 1.19};
    const int count = truth->slips > 0 ? 3 : 1;
    double off = 0.0;
    for (int i = 0; i < count; i++) {
        const int n = (int)(nearby[i] * steps);
        contact_story story = {.good = false};
        opened o;
        tru_error err;
        if (!book_try(b, s, how, s->until / n, "", text, &o)) return NAN;
        story.good = tru_run(o.world, (uint64_t)n, &err) >= 0;
        if (!story.good) book_stop(b, s, how, &err);
        story.end = state_of(o.world, 0);
        count_events(o.world, &story);
        scene_close(&o);
        if (!story.good || story.lifts > 0) return NAN;
        off = fmax(off, state_distance(s, &story.end, &truth->end));
    }
    return off;
}

enum { AGREE_RUNGS = 5 };

/* In the limit of small steps every stepper ends where event ends: the difference falls below a quarter when the step is
 * divided by 16 (first order gives a sixteenth), unless it is below 1e-7 of the scales already. Two errors of opposite sign
 * may cancel at some step, so that up to two finer quarterings are tried; a difference that does not fall shows at each. Springs
 * that follow the step relax within 14 to 20 steps (check_soft_rolling), so that they begin with steps of 0.05/32 rad. */
TEST(steppers_agree) {
    book b = book_open("steppers_agree", 80, pending);
    b.conditional = true;
    for (uint64_t number; book_next(&b, &number);) {
        draws d = draws_of(b.seed, b.test, number);
        const bool rolls = draw_chance(&d, 0.5);
        const random_scene s = draw_smooth(&d, &b, rolls, 1.0);
        const contact_story truth = reference_story(&s);
        if (!truth.good || truth.lowest < 0.1 || scene_sensitive(&s, &truth)) continue;
        book_use(&b);
        for (int k = 0; k < WAYS; k++) {
            double off[AGREE_RUNGS] = {0.0};
            bool falls = false;
            const double turn = ways[k].soft ? 0.05 / 32.0 : 0.05;
            int rungs = 0;
            if (strcmp(ways[k].name, "event") == 0 || !way_follows(&ways[k], &truth, rolls)) continue;
            for (; rungs < AGREE_RUNGS && !falls; rungs++) {
                off[rungs] =
                    largest_difference(&b, &s, &ways[k], &truth, steps_of_turn(&s, &truth, turn) << (2 * rungs));
                if (isnan(off[rungs])) break;
                falls = rungs >= 2 && (off[rungs] <= 0.25 * off[rungs - 2] || off[rungs] <= 1e-7);
            }
            if (rungs == AGREE_RUNGS || falls)
                book_check(&b, falls, &s, &ways[k], text,
                           "differs from event by %.3g, %.3g, %.3g at %.2g rad per step and its 4th and 16th part",
                           off[rungs - 3], off[rungs - 2], off[rungs - 1], ldexp(turn, 6 - 2 * rungs));
        }
    }
    book_close(&b);
}

/* ---- the numerical part of the ledger falls with the step */

/* A body that stays on the floor; schemes of second order too fall at the first where slip turns to stick. */
TEST(numerical_part_falls_on_the_floor) {
    book b = book_open("numerical_part_falls_on_the_floor", 15, pending);
    b.conditional = true;
    for (uint64_t number; book_next(&b, &number);) {
        draws d = draws_of(b.seed, b.test, number);
        const bool rolls = draw_chance(&d, 0.5);
        const random_scene s = draw_smooth(&d, &b, rolls, 1.0);
        const contact_story truth = reference_story(&s);
        if (!truth.good || truth.lowest < 0.1 || scene_sensitive(&s, &truth)) continue;
        book_use(&b);
        for (int k = 0; k < WAYS; k++) {
            if (!way_follows(&ways[k], &truth, rolls)) continue;
            check_ladder(&b, &s, &ways[k], steps_of_turn(&s, &truth, 0.05),
                         truth.slips == 0 && ways[k].order > 1 ? 2.0 : 1.0, 1e-9, text);
        }
    }
    book_close(&b);
}

/* A body that falls on the floor, bounces, slides and turns: impacts make every scheme one of first order. Springs are given
 * a compliance, so that the coarsest step still resolves them; as stiff as a step can follow they never get finer. They begin
 * with shorter steps: the overlap is 10 speed until / steps = 30 length / steps, and must stay a small part of the body. Once
 * the centre of a box or hull is below the floor, corners come and go that overlap already (box_touch_plane), and so does
 * the energy of their springs. */
TEST(numerical_part_falls_over_impacts) {
    book b = book_open("numerical_part_falls_over_impacts", 15, pending);
    for (uint64_t number; book_next(&b, &number);) {
        draws d = draws_of(b.seed, b.test, number);
        random_scene s = scene_blank(&d, &b);
        random_body *body = &s.bodies[0];
        s.plane = true;
        s.body_count = 1;
        s.length = draw_scale(&d, 1e-4, 1e2);
        s.speed = sqrt(earth_gravity * s.length) * draw_scale(&d, 0.5, 2.0);
        *body = draw_body(&d, (random_shape)draw_below(&d, RANDOM_SHAPES), s.length, 0.3);
        body->mass = draw_scale(&d, 1e2, 1e4) * s.length * s.length * s.length;
        draw_laws(&d, draw_chance(&d, 0.7) ? LAW_COULOMB : LAW_ROLLING, s.length, body->mass, s.speed, s.laws,
                  sizeof s.laws);
        s.restitution = draw_chance(&d, 0.3) ? 0.0 : draw_between(&d, 0.1, 0.9);
        body->attitude = draw_attitude(&d);
        body->velocity = v3_scale(s.speed, draw_direction(&d));
        body->velocity.z = -fabs(body->velocity.z);
        body->rate = v3_scale(s.speed / s.length * draw_scale(&d, 0.1, 1.0), draw_direction(&d));
        body_set_down(body, s.length * draw_between(&d, 0.1, 1.0));
        s.until = 3.0 * s.length / s.speed;
        for (int k = 0; k < WAYS; k++) {
            random_scene own = s;
            /* with restitution the relaxed law stops a body at the height h s(u), before the impact that would throw it back */
            if (ways[k].lifts && s.restitution > 0.0) continue;
            const int steps = ways[k].soft ? 400 : 64;
            const double coarsest = s.until / steps;
            if (ways[k].soft) own.compliance = 100.0 * coarsest * coarsest / body->mass;
            check_ladder(&b, &own, &ways[k], steps, 1.0, 1e-9, text);
        }
    }
    book_close(&b);
}
