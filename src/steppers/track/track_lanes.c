/* track_lanes.c: worlds of one ball on one plane in lanes: which ones the kernel supports, and how their state is copied. */
#include "steppers/track/track_lanes.h"
#include "step/end/events.h"
#include "steppers/track/track_kernel.h"

#include "base/assert.h"
#include "laws/law.h"
#include "lanes/isa.h"
#include "shapes/shape.h"
#include "steppers/worlds/world_lanes.h"

/* A world in a lane: where its parts are. */
typedef struct lane_world {
    tru_world *w;
    const tru_track *o;
    const tru_track_law *law;
    body *ball, *floor;
    const solid *sphere, *plane;
    contact *c;
} lane_world;

static const void *only_law(const contact *c) {
    return c->pair->law_count == 1 && c->pair->laws[0].law == &tru_law_track ? c->pair->laws[0].params : NULL;
}

/* Returns whether the world has been stepped before and has a structure that the kernel supports; its parts go to *p. */
static bool match_world(tru_world *w, lane_world *p) {
    const tru_track *o = w->stepper_params;
    if (w->bodies.count != 2 || w->solids.count != 2 || w->contacts.count != 1 || w->loads.count > 0 || w->moved)
        return false;
    if (o->mapping != TRU_HALF_ANGLE || o->roll_couple != TRU_BALANCED || o->normal == TRU_HERTZ) return false;
    if (o->normal_dashpot == TRU_NORMAL_PULLS) return false;
    contact *c = &w->contacts.items[0];
    *p = (lane_world){.w = w,
                      .o = o,
                      .law = only_law(c),
                      .ball = &w->bodies.items[c->a],
                      .floor = &w->bodies.items[c->b],
                      .sphere = &w->solids.items[c->solid_a],
                      .plane = &w->solids.items[c->solid_b],
                      .c = c};
    if (!p->law || p->law->modulus > 0.0 || (c->pair->needs & TRU_NEEDS_RADIUS)) return false;
    if (!body_is_free(p->ball) || !p->ball->isotropic || p->floor->kind != TRU_FIXED) return false;
    if (p->sphere->shape != &tru_shape_sphere || p->plane->shape->bounded || p->sphere->turned) return false;
    return p->sphere->centred && (c->flags & CONTACT_TRACKED) && c->age > 0;
}

static track_form form_of(const lane_world *p) {
    const tru_mat3 r = body_axes(p->floor);
    bool level = true;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) level = level && r.m[i][j] == (i == j ? 1.0 : 0.0);
    return (track_form){.claims = p->c->pair->claims,
                        .prescribed = p->o->normal == TRU_PRESCRIBED,
                        .limited = trui_springs_dashpot_limited(p->o),
                        .level = level,
                        .roll_eta = p->law->eta_r > 0.0,
                        .roll_given = p->o->roll_stiffness != TRU_DERIVED,
                        .spin_eta = p->law->eta_psi > 0.0 && p->law->spin_curvature == TRU_DERIVED};
}

static bool match(const void *context, tru_world *w, void *form) {
    (void)context;
    lane_world p;
    if (!match_world(w, &p)) return false;
    const track_form f = form_of(&p);
    memcpy(form, &f, sizeof f);
    return true;
}

/* The parts of a world that matches. */
static lane_world parts_of(tru_world *w) {
    lane_world p;
    const bool matches = match_world(w, &p);
    TRU_ASSERT(matches);
    (void)matches;
    return p;
}

/* ---- state to lanes and back ---- */

/* Copies everything that a step changes. */
static void copy_state(lane_copier *t, lane_world *p) {
    body *b = p->ball;
    springs *s = p->c->springs;
    tru_ledger *l = &p->w->ledger;
    trui_lane_copy_vector(t, TL_X, &b->x);
    trui_lane_copy_quat(t, TL_Q, &b->q);
    trui_lane_copy_vector(t, TL_V, &b->v);
    trui_lane_copy_vector(t, TL_W, &b->w);
    for (int side = 0; side < 2; side++) {
        const int by = side * (TL_AT_B - TL_AT_A);
        trui_lane_copy_vector(t, TL_AT_A + by, &s->record.at[side]);
        trui_lane_copy_vector(t, TL_T1_A + by, &s->record.t1[side]);
        trui_lane_copy_vector(t, TL_T2_A + by, &s->record.t2[side]);
    }
    trui_lane_copy(t, TL_STRETCH, s->stretch, TRU_FRICTION_ROWS);
    trui_lane_copy(t, TL_OVERLAP, &s->overlap, 1);
    trui_lane_copy(t, TL_STIFF, s->stiffness, TRU_KINDS);
    trui_lane_copy(t, TL_ENERGY, s->energy, TRU_KINDS);
    trui_lane_copy(t, TL_THETA_SHIFT, &l->theta_shift, 1);
    trui_lane_copy(t, TL_HEAT + TRU_KIND_NORMAL, &l->impact, 1);
    trui_lane_copy(t, TL_HEAT + TRU_KIND_SLIDE, &l->slide, 1);
    trui_lane_copy(t, TL_HEAT + TRU_KIND_SPIN, &l->spin, 1);
    trui_lane_copy(t, TL_HEAT + TRU_KIND_ROLL, &l->roll, 1);
    trui_lane_copy(t, TL_DRIVES, &l->drives, 1);
    trui_lane_copy(t, TL_STIFFNESS, &l->stiffness, 1);
}

static void set_modes(lane_group *j, int lane, const lane_world *p) {
    for (int i = 0; i < 3; i++) j->row[TL_STUCK + i][lane] = p->c->stuck & TRU_KIND_BIT(TRU_KIND_SLIDE + i) ? 1.0 : 0.0;
    j->row[TL_RESTING][lane] = p->ball->resting ? 1.0 : 0.0;
}

static void store_lane(lane_group *j, int lane) {
    lane_copier t = {j, lane, false};
    lane_world p = parts_of(j->w[lane]);
    const uint64_t steps = j->steps[lane];
    copy_state(&t, &p);
    for (int i = 0; i < 3; i++) {
        const uint32_t bit = TRU_KIND_BIT(TRU_KIND_SLIDE + i);
        p.c->stuck = (p.c->stuck & ~bit) | (j->row[TL_STUCK + i][lane] > 0.5 ? bit : 0u);
    }
    TRU_ASSERT(p.c->pair->claims == ((const track_form *)(const void *)j->form)->claims);
    p.c->age += (uint32_t)steps;
    p.w->steps_here += steps;
    p.w->steps_done += steps;
    p.w->solve_totals.steps += steps;
}

/* Springs whose stiffness does not depend on the moment, as trui_springs_make has them at a unit of normal force. */
static void set_springs(lane_copier *t, const lane_world *p) {
    spring_set s;
    double elastic, energy, force = p->o->normal_force;
    trui_springs_masses(p->o, p->ball, p->floor, &p->c->c, &s);
    trui_springs_normal(p->o, p->w, p->c, p->ball->size, 0.0, &s, &elastic, &energy);
    trui_lane_copy(t, TL_FORCE, &force, 1);
    trui_lane_copy(t, TL_NORMAL_K, &s.stiffness[TRU_KIND_NORMAL], 1);
    trui_lane_copy(t, TL_NORMAL_D, &s.damping[TRU_KIND_NORMAL], 1);
    trui_springs_make(p->o, p->w, p->c, 1.0, 0.0, &s);
    trui_lane_copy(t, TL_K, s.stiffness + TRU_KIND_SLIDE, 3);
    trui_lane_copy(t, TL_D, s.damping + TRU_KIND_SLIDE, 3);
    trui_lane_copy(t, TL_CAP, s.cap + TRU_KIND_SLIDE, 3);
    trui_lane_copy(t, TL_HOLD, s.hold + TRU_KIND_SLIDE, 3);
    double law[] = {2.0 * p->law->eta_r,     p->law->eta_psi,
                    p->law->slide,           p->law->slide_static == TRU_DERIVED ? p->law->slide : p->law->slide_static,
                    p->o->roll_stiffness,    2.0 * p->o->roll_damping,
                    2.0 * p->o->spin_damping};
    trui_lane_copy(t, TL_ETA_R2, law, 7);
    trui_lane_copy(t, TL_INERTIA, &s.inertia, 1);
}

static void set_constants(lane_group *j, int lane, const lane_world *p) {
    lane_copier t = {j, lane, true};
    const body *b = p->ball;
    const tru_world *w = p->w;
    double h = p->o->step, radius = ((const tru_sphere *)p->sphere->params)->radius, curvature = 1.0 / radius;
    double size2 = b->size * b->size, slow = 1e-6 * h * v3_norm(w->gravity);
    double margin = trui_springs_activation(p->o, w), inv_mass = b->inv_mass, mass = b->mass;
    const tru_mat3 full = body_inverse_of(b);
    TRU_ASSERT(!(h < 0.0) && !(radius < 0.0) && !(mass < 0.0) && mass * inv_mass > 0.5);
    tru_vec3 g = w->gravity, inverse = v3(full.m[0][0], full.m[1][1], full.m[2][2]);
    tru_vec3 n = placed_plane_normal(&p->plane->pose), at = p->plane->pose.x, x_b = p->floor->x;
    tru_mat3 r = body_axes(p->floor);
    TRU_ASSERT(fabs(v3_dot(n, n) - 1.0) < 1e-12);
    trui_lane_copy(&t, TL_H, &h, 1);
    trui_lane_copy_vector(&t, TL_GRAVITY, &g);
    trui_lane_copy(&t, TL_MASS, &mass, 1);
    trui_lane_copy(&t, TL_INV_MASS, &inv_mass, 1);
    trui_lane_copy_vector(&t, TL_INVERSE, &inverse);
    trui_lane_copy(&t, TL_RADIUS, &radius, 1);
    trui_lane_copy(&t, TL_CURVATURE, &curvature, 1);
    trui_lane_copy(&t, TL_SIZE2, &size2, 1);
    trui_lane_copy(&t, TL_SLOW, &slow, 1);
    trui_lane_copy(&t, TL_MARGIN, &margin, 1);
    trui_lane_copy_vector(&t, TL_N, &n);
    trui_lane_copy_vector(&t, TL_PLANE, &at);
    trui_lane_copy_vector(&t, TL_X_B, &x_b);
    for (int i = 0; i < 3; i++) trui_lane_copy(&t, TL_R_B + 3 * i, r.m[i], 3);
    set_springs(&t, p);
}

static void load_lane(lane_group *j, int lane, bool constants) {
    lane_copier t = {j, lane, true};
    lane_world p = parts_of(j->w[lane]);
    tru_mat3 r = body_axes(p.ball);
    if (constants) set_constants(j, lane, &p);
    copy_state(&t, &p);
    for (int i = 0; i < 3; i++) trui_lane_copy(&t, TL_R + 3 * i, r.m[i], 3);
    set_modes(j, lane, &p);
}

/* The step after j->steps was done in the lane and changed modes: reports them as events. */
static void report_modes(lane_group *j, int lane) {
    lane_world p = parts_of(j->w[lane]);
    const uint32_t before = p.c->stuck;
    store_lane(j, lane);
    j->steps[lane] = 1;
    step s = {.w = p.w, .h = p.o->step, .time = trui_world_time(p.w)};
    double u[TRU_ROWS];
    for (int row = 0; row < TRU_ROWS; row++) u[row] = j->row[TL_RATE + row][lane];
    trui_mode_events(&s, (size_t)(p.c - p.w->contacts.items), before, u);
}

static lane_kernel *kernel(void) { return SIMD_CHOOSE(trui_track_kernel); }

void trui_track_run_many(tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status, tru_error *err) {
    const lane_kind kind = {TL_ROWS, 1, kernel, match, load_lane, store_lane, report_modes, NULL};
    trui_worlds_run(&kind, worlds, count, steps, status, err);
}
