/* ball_lanes.c: worlds of one ball on one fixed plane in lanes: which ones the kernel supports, and how their state is copied. */
#include "steppers/worlds/ball_lanes.h"

#include "base/assert.h"
#include "lanes/isa.h"
#include "steppers/worlds/ball_rows.h"
#include "world/books.h"

#include <string.h>

_Static_assert(sizeof(ball_form) <= LANE_FORM_BYTES, "forms fit into a group");
_Static_assert((int)BL_ROWS <= (int)LANE_ROWS_MOST, "rows fit into a group");

/* A ball about its centre of mass with laws of constant limits, whose contact has been there for more than a step. */
static bool is_ball(const body_on_plane *p) {
    const contact *c = p->old;
    return !p->rim && p->a->isotropic && p->solid_a->centred && !p->solid_a->turned && c->pair->plain &&
           c->pair->history == 0 && c->age > 0 && c->impulse[TRU_ROW_NORMAL] > 0.0;
}

static bool match(const void *context, tru_world *w, void *form) {
    const ball_stepper *of = context;
    body_on_plane p;
    ball_scales scales;
    if (!of->begin(w, &p, &scales) || !is_ball(&p)) return false;
    const ball_form f = {p.old->pair->claims, of->cone};
    memcpy(form, &f, sizeof f);
    return true;
}

/* ---- state to lanes and back ---- */

/* Copies everything that a step changes. */
static void copy_state(lane_copier *t, tru_world *w) {
    contact *c = &w->contacts.items[0];
    body *b = &w->bodies.items[c->a];
    tru_ledger *l = &w->ledger;
    tru_solve_totals *totals = &w->solve_totals;
    trui_lane_copy_vector(t, BL_X, &b->x);
    trui_lane_copy_quat(t, BL_Q, &b->q);
    trui_lane_copy_vector(t, BL_V, &b->v);
    trui_lane_copy_vector(t, BL_W, &b->w);
    trui_lane_copy(t, BL_DRY, c->dry, TRU_ROWS);
    if (c->end) {
        trui_lane_copy(t, BL_RATE, c->end->rate, TRU_ROWS);
        trui_lane_copy(t, BL_LAST, c->end->last, TRU_ROWS);
        trui_lane_copy(t, BL_OLDER, c->end->older, TRU_ROWS);
    }
    trui_lane_copy(t, BL_SHIFT, &l->theta_shift, 1);
    trui_lane_copy(t, BL_HEAT, &l->slide, 1);
    trui_lane_copy(t, BL_HEAT + 1, &l->spin, 1);
    trui_lane_copy(t, BL_HEAT + 2, &l->roll, 1);
    trui_lane_copy(t, BL_PROJECTION, &l->projection, 1);
    trui_lane_copy(t, BL_STABILISATION, &l->stabilisation, 1);
    trui_lane_copy(t, BL_ENERGY, &w->energy_seen, 1);
    trui_lane_copy(t, BL_RESIDUAL, totals->residual, TRU_KINDS);
    trui_lane_copy(t, BL_WORST, &totals->worst_relative, 1);
    trui_lane_copy(t, BL_WORST_SPEED, &totals->worst_speed, 1);
}

/* Counts the steps of a lane in the totals of its world, before the steps of the world advance. */
static void count_steps(const lane_group *j, int lane, tru_world *w, const contact *c) {
    tru_solve_totals *t = &w->solve_totals;
    const uint64_t steps = j->steps[lane];
    const double worst = j->row[BL_WORST_STEP][lane];
    t->steps += steps;
    t->iterations += steps; /* the closed form counts as one */
    if (steps > 0 && t->most_iterations < 1) t->most_iterations = 1;
    if (!(worst > 0.0)) return;
    const uint64_t here = w->steps_here;
    w->steps_here += (uint64_t)worst - 1;
    t->worst_time = trui_world_time(w) + j->row[BL_H][lane];
    w->steps_here = here;
    t->worst_a = w->bodies.items[c->a].id;
    t->worst_b = w->bodies.items[c->b].id;
}

static void store_lane(lane_group *j, int lane) {
    tru_world *w = j->w[lane];
    contact *c = &w->contacts.items[0];
    const uint64_t steps = j->steps[lane];
    lane_copier t = {j, lane, false};
    if (steps == 0) return;
    TRU_ASSERT(j->row[BL_STEP][lane] == (double)steps);
    copy_state(&t, w);
    count_steps(j, lane, w, c);
    memcpy(c->impulse, c->dry, sizeof c->impulse);
    c->age += (uint32_t)steps;
    c->steady = true;
    c->flags = c->end ? CONTACT_KNOWN : 0;
    w->steps_here += steps;
    w->steps_done += steps;
}

static void set_number(lane_group *j, int lane, int row, double x) { j->row[row][lane] = x; }

/* Lines of the ledger that do not change, as the books add them up. */
static void set_books(lane_group *j, int lane, const tru_world *w, const body *b) {
    const tru_ledger *l = &w->ledger;
    set_number(j, lane, BL_GYROSCOPIC, l->gyroscopic);
    set_number(j, lane, BL_LIFT, l->lift + fmin(l->stiffness, 0.0));
    set_number(j, lane, BL_IMPACT, l->impact);
    set_number(j, lane, BL_SEALS, l->seals);
    set_number(j, lane, BL_SUPPLIED, books_supplied(l));
    set_number(j, lane, BL_STORED, l->stored + l->stiffness);
    set_number(j, lane, BL_START, l->start);
    set_number(j, lane, BL_WEIGHED, v3_norm(w->gravity) * (b->mass * b->size));
}

static void set_constants(lane_group *j, int lane, const body_on_plane *p, const ball_scales *scales) {
    lane_copier t = {j, lane, true};
    const body *b = p->a;
    tru_vec3 gravity = p->s.w->gravity, n = p->now->c.normal, t1 = p->now->c.t1, t2 = p->now->c.t2;
    tru_vec3 at = p->solid_b->pose.x;
    set_number(j, lane, BL_H, p->s.h);
    trui_lane_copy_vector(&t, BL_GRAVITY, &gravity);
    set_number(j, lane, BL_MASS, b->mass);
    set_number(j, lane, BL_INV_MASS, b->inv_mass);
    set_number(j, lane, BL_TURN, body_inverse_of(b).m[0][0]);
    set_number(j, lane, BL_RADIUS, p->radius);
    set_number(j, lane, BL_BOUND, p->solid_a->radius);
    set_number(j, lane, BL_SIZE, b->size);
    set_number(j, lane, BL_SLOW2, p->slow * p->slow);
    set_number(j, lane, BL_FALL, p->s.fall);
    set_number(j, lane, BL_MARGIN, scales->margin);
    set_number(j, lane, BL_STRIKES, scales->strikes);
    set_number(j, lane, BL_TOUCHING, scales->touching);
    trui_lane_copy_vector(&t, BL_N, &n);
    trui_lane_copy_vector(&t, BL_T1, &t1);
    trui_lane_copy_vector(&t, BL_T2, &t2);
    trui_lane_copy_vector(&t, BL_PLANE, &at);
    for (int i = 0; i < 3; i++) set_number(j, lane, BL_LIMIT + i, p->old->pair->limit[i]);
    set_number(j, lane, BL_TOLERANCE, p->newton.tolerance);
}

/* Constants are cheap next to the step that a world does alone before its lane is loaded again, so all are loaded. */
static void load_lane(lane_group *j, int lane, bool constants) {
    (void)constants;
    const ball_stepper *of = j->context;
    tru_world *w = j->w[lane];
    body_on_plane p;
    ball_scales scales;
    lane_copier t = {j, lane, true};
    const bool begins = of->begin(w, &p, &scales);
    TRU_ASSERT(begins && is_ball(&p));
    if (!begins) return;
    set_constants(j, lane, &p, &scales);
    set_books(j, lane, w, p.a);
    copy_state(&t, w);
    for (int i = 0; i < 3; i++)
        set_number(j, lane, BL_STUCK + i, p.old->stuck & TRU_KIND_BIT(TRU_KIND_SLIDE + i) ? 1.0 : 0.0);
    set_number(j, lane, BL_RESTING, p.a->resting ? 1.0 : 0.0);
    set_number(j, lane, BL_PHASE, (double)(w->steps_done % BOOKS_PERIOD));
    set_number(j, lane, BL_STEP, 0.0);
    set_number(j, lane, BL_WORST_STEP, 0.0);
}

static lane_kernel *kernel(void) { return SIMD_CHOOSE(trui_ball_kernel); }

void trui_balls_run(const ball_stepper *of, tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status,
                    tru_error *err) {
    enum { LAST = 2 }; /* of them the gains of a body tell */
    const lane_kind kind = {BL_ROWS, LAST, kernel, match, load_lane, store_lane, NULL, of};
    trui_worlds_run(&kind, worlds, count, steps, status, err);
}
