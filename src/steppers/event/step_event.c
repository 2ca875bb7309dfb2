/* step_event.c: one body on planes by events: slip, roll and flight as smooth motions, changes between them located.
 *
 * Equations: [slip-roll-equations 6]; [AS19] suggests it. A step is a chain of legs, each integrated to round-off until
 * something changes:
 *
 *   slip    in (ln u, phi) with dt = u dtau until u ends, the contact stops pushing, a Painleve state is reached, or another
 *           point touches
 *   roll    u = 0 by construction, until the friction cone is reached, the contact stops pushing, or another touches
 *   flight  until a point touches a plane: an impact by Newton's and Coulomb's laws, solved by the limit directions of
 *           the same contact with velocities instead of accelerations
 *
 * At u = 0 limit directions decide (step_event_change.c). Several points at once are left to moreau, with steps of
 * `impulse_step`, until the step ends. So are Painleve paradoxes: slip whose direction has no finite force (mu a.e >= 1), and
 * contacts that could lift as well as roll. A body that rolls inside its cone, or slips in another direction, has no paradox, for
 * any mu |a|.
 *
 * The integrator is our own (math/radau.h) and not CVODE: the core then needs no library, every machine gives the same
 * bits, and with order 9 instead of 5 the nine events of a rolling disk cost less. It starts again at every step, so
 * that a run can be resumed anywhere. */
#include "steppers/event/step_event_change.h"
#include "steppers/event/step_event_judge.h"
#include "step/end/step_end.h"

#include "base/assert.h"
#include "base/error.h"
#include "laws/law.h"
#include "math/elementary/elementary.h"

#include <stddef.h>

#define MOST_LEGS 10000 /* [legs] of one step; more are handed over to moreau */

/* ---- the beginning of a step */

/* Returns the contact of the last step at this point; NULL if there was none. */
static const contact *record_of(const tru_world *w, const event_touch *at) {
    for (size_t i = 0; i < w->contacts.count; i++) {
        const contact *c = &w->contacts.items[i];
        if (c->solid_a == at->solid && c->solid_b == at->plane && c->key.feature == at->feature) return c;
    }
    return NULL;
}

/* Returns true if the point moves away from its plane faster than round-off: then it is only near it. */
static bool rises(const event_machine *m, const event_touch *at) {
    event_machine there;
    event_dynamics d;
    there.v = m->v;
    there.s = m->s;
    trui_event_set_contact(&there.v, at);
    event_dynamics_now(&there, &d);
    return event_point_velocity(&there, &d).z > 1e-14 * event_speed_scale(m);
}

/* Finds whether the body flies, stands on one point, which moves onto its plane, or on several. */
static void look_around(event_machine *m) {
    const tru_world *w = m->v.w;
    int touching = 0;
    const event_touch at = trui_event_lowest(&m->v, m->s.q, m->s.x, &touching);
    const contact *record = w->moved ? NULL : record_of(w, &at);
    if (touching > 1 || (!w->moved && w->contacts.count > 1)) {
        trui_event_hand_over(m, -1);
        return;
    }
    if (touching == 0 && !record) {
        m->mode = MODE_FLIGHT;
        return;
    }
    const bool flew = !record && !w->moved && w->steps_done > 0 && at.gap > 0.0; /* it touches once the gap is closed */
    if (flew || (!record && rises(m, &at))) {
        m->mode = MODE_FLIGHT;
        return;
    }
    trui_event_set_contact(&m->v, &at);
    const tru_vec3 shift = v3_scale(-at.gap, m3_row(m->v.axes, 2));
    m->s.x = v3_add(m->s.x, shift);
    m->lifted -= v3_dot(m->v.gravity, shift) / m->v.inv_mass;
    const start_mode start = trui_world_start(w, m->v.b->id, w->bodies.items[w->solids.items[at.plane].body].id);
    const uint32_t stuck = (record ? record->stuck : start.stuck) & TRU_KIND_BIT(TRU_KIND_SLIDE);
    m->slipping = (start.slipping & TRU_KIND_BIT(TRU_KIND_SLIDE)) != 0;
    trui_event_touch_down(m, &at, record != NULL, stuck != 0);
    m->slipping = false;
}

/* Goes through the legs of a step. */
static void run_legs(event_machine *m) {
    look_around(m);
    for (int i = 0; m->mode != MODE_HANDOVER && m->s.t < m->end; i++) {
        if (i == MOST_LEGS) {
            trui_event_hand_over(m, -1);
            break;
        }
        m->least = EVENT_LEAST_SLIP * event_speed_scale(m);
        TRU_ASSERT(m->least > 0.0 && (m->mode == MODE_FLIGHT) == (m->v.at.solid == SIZE_MAX));
        if (!trui_event_leg(m, trui_event_next_knot(&m->v, m->s.t, m->end)))
            trui_event_hand_over(m, -1);
        else
            trui_event_next_mode(m);
    }
}

/* ---- the end of a step */

/* Sets where contacts touch the body at the end. A step may be many turns long, so comparing its two ends would not tell how the
 * point moved over the surface: a disk could seem to have flipped over. */
static void move_touches(const event_machine *m, tru_world *w) {
    if (m->mode == MODE_FLIGHT) return;
    const tru_vec3 down = v3_scale(-1.0, m3_row(m->v.axes, 2));
    for (size_t i = 0; i < w->contacts.count; i++) {
        contact *c = &w->contacts.items[i];
        const body *a = &w->bodies.items[c->a];
        const placed p = solid_on(&w->solids.items[c->solid_a], a);
        tru_surface low;
        p.shape->surface(p.params, placed_dir_to_local(&p, down), &low);
        c->local_a = low.point;
    }
}

/* Records the contacts at the end pose, for moreau, probes and snapshots. */
static tru_status record_contacts(event_machine *m, step *s, tru_error *err) {
    tru_world *w = s->w;
    const double near = EVENT_TOUCHING * m->v.b->size; /* in flight a point this near does not touch */
    move_touches(m, w);
    const tru_status status = trui_find_contacts(w, m->mode == MODE_FLIGHT ? -near : near, s->h, KEEP_ENDS, err);
    if (status < 0) return status;
    const double unit = m->v.mass * m->v.length / m->v.time;
    for (size_t i = 0; i < w->contacts.count; i++) {
        contact *c = &w->contacts.items[i];
        const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
        const twist ta = {a->v, a->w}, tb = {b->v, b->w};
        trui_contact_run_places(w, c, 1, a, b, &c->end->place);
        trui_contact_rates(&c->end->place, &ta, &tb, c->end->rate);
        memset(c->impulse, 0, sizeof c->impulse);
        for (int k = 0; k < 3; k++) c->impulse[(k + 1) % 3] = unit * m->gained[GAIN_PUSH1 + k];
        memcpy(c->dry, c->impulse, sizeof c->dry);
        c->stuck = m->mode == MODE_ROLL ? TRU_KIND_BIT(TRU_KIND_SLIDE) : 0u;
    }
    return TRU_OK;
}

/* Books the work of the step in the ledger. */
static void book(const event_machine *m) {
    tru_ledger *l = &m->v.w->ledger;
    const double unit = m->v.mass * (m->v.length / m->v.time) * (m->v.length / m->v.time);
    l->slide += unit * m->gained[GAIN_SLIDE];
    l->loads += unit * m->gained[GAIN_LOADS];
    l->impact += unit * m->impact;
    l->projection += unit * m->lifted;
}

/* State that a failing step restores; contacts are kept in w->contacts_kept. */
typedef struct backup {
    tru_world world; /* plain members */
    body now;
    body_gains gains; /* of moreau, which takes the rest of a step that is handed over */
    body_start before;
    tru_quat middle;
} backup;

/* Returns a copy of the state before a step. */
static backup back_up(tru_world *w, size_t k) {
    backup b = {.world = *w, .now = w->bodies.items[k], .gains = body_gains_of(&w->bodies.items[k])};
    if (w->before.count == w->bodies.count) b.before = w->before.items[k];
    if (w->middle.count == w->bodies.count) b.middle = w->middle.items[k];
    return b;
}

/* Copies the contacts to w->contacts_kept. Returns false without memory. */
static bool keep_contacts(tru_world *w) {
    const size_t n = w->contacts.count;
    if (!array_resize(&w->memory, &w->contacts_kept, n) || !array_resize(&w->memory, &w->ends_kept, n)) return false;
    for (size_t i = 0; i < n; i++) {
        contact *c = &w->contacts_kept.items[i];
        *c = w->contacts.items[i];
        if (!c->end) continue;
        w->ends_kept.items[i] = *c->end;
        c->end = &w->ends_kept.items[i];
    }
    return true;
}

/* Exchanges the contacts with the kept ones. */
static void put_back_contacts(tru_world *w) {
    const contact_array spoilt = w->contacts;
    const contact_end_array ends = w->ends;
    w->contacts = w->contacts_kept;
    w->ends = w->ends_kept;
    w->contacts_kept = spoilt;
    w->ends_kept = ends;
}

/* Restores the state before the step, `contacts` included if they were kept, and returns the failure. */
static tru_status put_back(tru_world *w, size_t k, const backup *b, bool contacts, tru_status failed) {
    body_gains *gain = w->bodies.items[k].gain; /* moreau may have allocated it in this step */
    w->bodies.items[k] = b->now;
    w->bodies.items[k].gain = gain;
    if (gain) *gain = b->gains;
    w->before.count = b->world.before.count;
    w->middle.count = b->world.middle.count;
    if (w->before.count == w->bodies.count) w->before.items[k] = b->before;
    if (w->middle.count == w->bodies.count) w->middle.items[k] = b->middle;
    w->time_base = b->world.time_base;
    w->step = b->world.step;
    w->steps_here = b->world.steps_here;
    w->steps_done = b->world.steps_done;
    w->moved = b->world.moved;
    w->stepped = b->world.stepped;
    w->ledger = b->world.ledger;
    w->energy_seen = b->world.energy_seen;
    w->solve = b->world.solve;
    w->solve_totals = b->world.solve_totals;
    if (w->events.lost == b->world.events.lost) w->events.count = b->world.events.count;
    if (!contacts) return failed;
    put_back_contacts(w);
    for (size_t i = 0; i < w->bodies.count; i++) w->bodies.items[i].contacts = 0;
    for (size_t i = 0; i < w->contacts.count; i++) {
        w->bodies.items[w->contacts.items[i].a].contacts++;
        w->bodies.items[w->contacts.items[i].b].contacts++;
    }
    return failed;
}

/* Takes the rest of the step by moreau, in equal parts of about impulse_step. The world's own clock advances by one step. */
static tru_status by_moreau(const tru_event_driven *o, const event_machine *m, tru_error *err) {
    tru_world *w = m->v.w;
    const double left = m->v.time * (m->end - m->s.t);
    const double wanted = o->impulse_step != TRU_DERIVED ? o->impulse_step : 0.01 * o->step;
    const double parts = floor(fmax(1.0, left / wanted + 0.5));
    const double time_base = w->time_base;
    const uint64_t here = w->steps_here, done = w->steps_done;
    tru_moreau moreau = tru_default_moreau();
    tru_status status = TRU_OK;
    w->time_base = m->v.start + m->v.time * m->s.t;
    w->steps_here = 0;
    moreau.step = w->step = left / parts;
    w->moved = true; /* contact places are not of this pose */
    for (double i = 0.0; status >= 0 && i < parts; i++) {
        const tru_status one = tru_stepper_moreau.step(&moreau, w, err);
        status = one < 0 || one > status ? one : status;
    }
    w->time_base = time_base;
    w->step = o->step;
    w->steps_here = here + 1;
    w->steps_done = done + 1;
    array_clear(&w->before); /* inner steps: nothing to judge */
    return status;
}

/* ---- the stepper */

static tru_status step_event(const void *params, tru_world *w, tru_error *err) {
    const tru_event_driven *o = params;
    step s;
    event_machine m;
    tru_status status = trui_step_begin(&s, w, o->step, err);
    if (status < 0) return status;
    if ((status = trui_step_reserve_dynamics(&s, err)) < 0) return trui_step_undo(&s, status);
    memset(&m, 0, sizeof m);
    m.v = trui_event_view_of(w, o->step);
    m.s = trui_event_state_of(&m.v);
    m.end = o->step / m.v.time;
    m.tolerance = o->tolerance;
    m.limit_case = -1;
    const size_t k = (size_t)(m.v.b - w->bodies.items), recorded = w->moved ? 0 : w->contacts.count;
    m.least = EVENT_LEAST_SLIP * event_speed_scale(&m);
    const backup b = back_up(w, k);
    run_legs(&m);
    if (m.mode == MODE_HANDOVER && (m.s.t > 0.0 || recorded < 2))
        trui_event_announce(&m, TRU_EVENT_HANDOVER, TRU_KIND_NORMAL, 0.0);
    trui_event_write(&m.v, &m.s);
    book(&m);
    if (m.mode == MODE_HANDOVER && m.v.guided)
        return put_back(w, k, &b, false,
                        tru_fail(err, TRU_NO_SOLUTION,
                                 "stepper event: body '%s' would be handed over to moreau at %.6g s, which cannot keep "
                                 "its axis level",
                                 body_name(w, k), m.v.start + m.v.time * m.s.t));
    if (m.mode == MODE_HANDOVER && m.s.t < m.end) {
        if (!keep_contacts(w)) return put_back(w, k, &b, false, tru_no_memory(err));
        status = by_moreau(o, &m, err);
        return status < 0 ? put_back(w, k, &b, true, status) : status;
    }
    status = record_contacts(&m, &s, err);
    if (status < 0) return put_back(w, k, &b, false, status);
    s.timed = true;
    s.info.iterations = m.trials;
    s.info.converged = true;
    s.info.worst = -1;
    w->middle.items[k] = w->bodies.items[k].q;
    status = trui_step_end(&s, TRU_OK, err);
    if (status < 0) return put_back(w, k, &b, false, status);
    const bool gone = m.mode == MODE_FLIGHT && m.gained[GAIN_PUSH3] != 0.0;
    if (gone) array_clear(&w->before); /* the contact that pushed has opened, so the step cannot be judged */
    return status;
}

static const char *refuses_law(const tru_law *law, const void *law_params) {
    const bool idle = law == &tru_law_rolling && law_params && !law->claims(law_params); /* its coefficients are 0 */
    return law == &tru_law_coulomb || idle ? NULL : "sliding friction only";
}

/* Refuses worlds without exactly one free body, whose surfaces have a support function, and with planes that move. */
static tru_status ready_bodies(const tru_world *w, tru_error *err) {
    size_t free_count = 0, planes = 0;
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        const char *name = body_name(w, i);
        free_count += body_is_free(b);
        if (b->kind == TRU_DRIVEN)
            return tru_fail(err, TRU_REFUSED, "stepper event: body '%s' is driven; planes must stand still", name);
        for (size_t k = b->solid_first; k < b->solid_first + b->solid_count; k++) {
            const tru_shape *shape = w->solids.items[k].shape;
            planes += !shape->bounded;
            if (!body_is_free(b) && shape->bounded)
                return tru_fail(err, TRU_REFUSED, "stepper event: fixed body '%s' is a %s; it must be a plane", name,
                                shape->name);
            if (body_is_free(b) && !(shape->bounded && shape->surface))
                return tru_fail(err, TRU_REFUSED, "stepper event: shape %s of body '%s' has no support function",
                                shape->name, name);
        }
    }
    if (free_count != 1)
        return tru_fail(err, TRU_REFUSED, "stepper event moves exactly one free body, the world has %zu", free_count);
    return planes > 0 ? TRU_OK : tru_fail(err, TRU_REFUSED, "stepper event needs a fixed plane; the world has none");
}

/* Refuses a level axis that is not level at the start, or that turns out of it. */
static tru_status ready_guide(const event_machine *m, tru_error *err) {
    const tru_world *w = m->v.w;
    const char *name = body_name(w, (size_t)(m->v.b - w->bodies.items));
    const tru_vec3 axis = quat_rotate(m->s.q, m->v.level);
    const double out = v3_dot(v3_cross(m->s.w, axis), v3(0.0, 0.0, 1.0));
    if (fabs(axis.z) > 1e-9)
        return tru_fail(err, TRU_REFUSED,
                        "stepper event: the axis of body '%s' that is to stay level leans by %.6g rad", name,
                        tru_asin(axis.z));
    if (fabs(out) > 1e-9 * (1.0 + v3_norm(m->s.w)))
        return tru_fail(err, TRU_REFUSED,
                        "stepper event: the axis of body '%s' that is to stay level turns out of it at %.6g rad/s",
                        name, out / m->v.time);
    return TRU_OK;
}

/* Refuses a start in contact that moves into the plane. */
static tru_status ready_start(tru_world *w, double h, tru_error *err) {
    event_machine m;
    event_dynamics d;
    int touching = 0;
    memset(&m, 0, sizeof m);
    m.v = trui_event_view_of(w, h);
    m.s = trui_event_state_of(&m.v);
    if (m.v.guided) {
        const tru_status s = ready_guide(&m, err);
        if (s < 0) return s;
    }
    const event_touch at = trui_event_lowest(&m.v, m.s.q, m.s.x, &touching);
    if (touching != 1) return TRU_OK;
    trui_event_set_contact(&m.v, &at);
    event_dynamics_now(&m, &d);
    const char *name = body_name(w, (size_t)(m.v.b - w->bodies.items));
    const double speed = event_point_velocity(&m, &d).z, unit = m.v.length / m.v.time;
    if (speed < -EVENT_SMALL_LIFT * event_speed_scale(&m))
        return tru_fail(err, TRU_REFUSED,
                        "stepper event: body '%s' starts in contact but moves into the plane at %.6g m/s; give it a "
                        "gap to fall through, or a velocity along the plane",
                        name, -speed * unit);
    return TRU_OK;
}

static tru_status ready(const void *params, tru_world *w, tru_error *err) {
    const tru_event_driven *o = params;
    tru_status s = trui_ready_rigid(w, "event", err);
    if (s >= 0) s = ready_bodies(w, err);
    if (s < 0 || (w->steps_done > 0 && !w->moved)) return s;
    return ready_start(w, o->step, err);
}

/* Returns the order of the integrator. The step between records has no error of its own. */
static int order(const void *params, const tru_world *w) {
    (void)params;
    (void)w;
    return 9;
}

static double step_size(const void *params) { return ((const tru_event_driven *)params)->step; }

static const tru_field fields[] = {
    TRU_REAL(tru_event_driven, step, TRU_UNIT_S, TRU_REQUIRED, TRU_POSITIVE,
             "Time between two records; the steps of the integrator are its own."),
    TRU_REAL(tru_event_driven, tolerance, TRU_UNIT_ONE, 1e-12, TRU_RANGE(1e-13, 1e-4),
             "Relative error of the integrator's steps."),
    TRU_REAL(tru_event_driven, impulse_step, TRU_UNIT_S, TRU_DERIVED, TRU_POSITIVE,
             "Time step of moreau where it takes over (several contacts, Painleve paradoxes); default a hundredth of "
             "step."),
    TRU_PLUGIN(tru_event_driven, solver, "solver", 0, "newton",
               "Solver of the contact problem where moreau takes over."),
    {.name = NULL},
};

TRU_DEFAULTS(tru_event_driven, tru_default_event_driven, fields)

const tru_stepper tru_stepper_event = {
    .name = "event",
    .doc = "One body on planes: slip, roll and flight integrated to round-off, the changes between them located.",
    .fields = fields,
    .size = sizeof(tru_event_driven),
    .refuses_law = refuses_law,
    .ready = ready,
    .step = step_event,
    .step_size = step_size,
    .order = order,
    .judge = trui_event_judge,
    .guides = true,
};
