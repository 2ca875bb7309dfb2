/* track_lanes.c: which worlds share the lanes of a kernel, how their state is copied there and back, and the steps that a world does
 * alone. */
#include "steppers/track/track_lanes.h"
#include "step/end/events.h"
#include "steppers/track/track_kernel.h"

#include "base/assert.h"
#include "laws/law.h"
#include "lanes/isa.h"
#include "shapes/shape.h"

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

static bool same_form(const track_form *a, const track_form *b) {
    return a->claims == b->claims && a->prescribed == b->prescribed && a->limited == b->limited &&
           a->level == b->level && a->roll_eta == b->roll_eta && a->roll_given == b->roll_given &&
           a->spin_eta == b->spin_eta;
}

/* ---- state to lanes and back ---- */

/* Copies numbers to a lane or back, by one list for both directions. */
typedef struct lane_copier {
    track_lanes *lanes;
    int lane;
    bool in;
} lane_copier;

static void copy_row(lane_copier *t, int row, double *x, int count) {
    TRU_ASSERT(row >= 0 && count > 0 && row + count <= TL_ROWS);
    TRU_ASSERT(t->lane >= 0 && t->lane < TRACK_LANES);
    for (int i = 0; i < count; i++) {
        if (t->in)
            t->lanes->row[row + i][t->lane] = x[i];
        else
            x[i] = t->lanes->row[row + i][t->lane];
    }
}

static void copy_vector(lane_copier *t, int row, tru_vec3 *x) {
    copy_row(t, row, &x->x, 1);
    copy_row(t, row + 1, &x->y, 1);
    copy_row(t, row + 2, &x->z, 1);
}

/* Copies everything that a step changes. */
static void copy_state(lane_copier *t, lane_world *p) {
    body *b = p->ball;
    springs *s = p->c->springs;
    tru_ledger *l = &p->w->ledger;
    copy_vector(t, TL_X, &b->x);
    copy_row(t, TL_Q, &b->q.w, 1);
    copy_row(t, TL_Q + 1, &b->q.x, 1);
    copy_row(t, TL_Q + 2, &b->q.y, 1);
    copy_row(t, TL_Q + 3, &b->q.z, 1);
    copy_vector(t, TL_V, &b->v);
    copy_vector(t, TL_W, &b->w);
    for (int side = 0; side < 2; side++) {
        const int by = side * (TL_AT_B - TL_AT_A);
        copy_vector(t, TL_AT_A + by, &s->record.at[side]);
        copy_vector(t, TL_T1_A + by, &s->record.t1[side]);
        copy_vector(t, TL_T2_A + by, &s->record.t2[side]);
    }
    copy_row(t, TL_STRETCH, s->stretch, TRU_FRICTION_ROWS);
    copy_row(t, TL_OVERLAP, &s->overlap, 1);
    copy_row(t, TL_STIFF, s->stiffness, TRU_KINDS);
    copy_row(t, TL_ENERGY, s->energy, TRU_KINDS);
    copy_row(t, TL_THETA_SHIFT, &l->theta_shift, 1);
    copy_row(t, TL_HEAT + TRU_KIND_NORMAL, &l->impact, 1);
    copy_row(t, TL_HEAT + TRU_KIND_SLIDE, &l->slide, 1);
    copy_row(t, TL_HEAT + TRU_KIND_SPIN, &l->spin, 1);
    copy_row(t, TL_HEAT + TRU_KIND_ROLL, &l->roll, 1);
    copy_row(t, TL_DRIVES, &l->drives, 1);
    copy_row(t, TL_STIFFNESS, &l->stiffness, 1);
}

static void set_modes(track_lanes *k, int lane, const lane_world *p) {
    for (int i = 0; i < 3; i++) k->row[TL_STUCK + i][lane] = p->c->stuck & TRU_KIND_BIT(TRU_KIND_SLIDE + i) ? 1.0 : 0.0;
    k->row[TL_RESTING][lane] = p->ball->resting ? 1.0 : 0.0;
}

static void load_lane(track_lanes *k, int lane, lane_world *p) {
    lane_copier t = {k, lane, true};
    tru_mat3 r = body_axes(p->ball);
    copy_state(&t, p);
    for (int i = 0; i < 3; i++) copy_row(&t, TL_R + 3 * i, r.m[i], 3);
    set_modes(k, lane, p);
}

static void store_lane(track_lanes *k, int lane, lane_world *p, uint64_t steps) {
    lane_copier t = {k, lane, false};
    copy_state(&t, p);
    for (int i = 0; i < 3; i++) {
        const uint32_t bit = TRU_KIND_BIT(TRU_KIND_SLIDE + i);
        p->c->stuck = (p->c->stuck & ~bit) | (k->row[TL_STUCK + i][lane] > 0.5 ? bit : 0u);
    }
    TRU_ASSERT(p->c->pair->claims == k->form.claims);
    p->c->age += (uint32_t)steps;
    p->w->steps_here += steps;
    p->w->steps_done += steps;
    p->w->solve_totals.steps += steps;
}

/* Springs whose stiffness does not depend on the moment, as trui_springs_make has them at a unit of normal force. */
static void set_springs(lane_copier *t, const lane_world *p) {
    spring_set s;
    double elastic, energy, force = p->o->normal_force;
    trui_springs_masses(p->o, p->ball, p->floor, &p->c->c, &s);
    trui_springs_normal(p->o, p->w, p->c, p->ball->size, 0.0, &s, &elastic, &energy);
    copy_row(t, TL_FORCE, &force, 1);
    copy_row(t, TL_NORMAL_K, &s.stiffness[TRU_KIND_NORMAL], 1);
    copy_row(t, TL_NORMAL_D, &s.damping[TRU_KIND_NORMAL], 1);
    trui_springs_make(p->o, p->w, p->c, 1.0, 0.0, &s);
    copy_row(t, TL_K, s.stiffness + TRU_KIND_SLIDE, 3);
    copy_row(t, TL_D, s.damping + TRU_KIND_SLIDE, 3);
    copy_row(t, TL_CAP, s.cap + TRU_KIND_SLIDE, 3);
    copy_row(t, TL_HOLD, s.hold + TRU_KIND_SLIDE, 3);
    double law[] = {2.0 * p->law->eta_r,     p->law->eta_psi,
                    p->law->slide,           p->law->slide_static == TRU_DERIVED ? p->law->slide : p->law->slide_static,
                    p->o->roll_stiffness,    2.0 * p->o->roll_damping,
                    2.0 * p->o->spin_damping};
    copy_row(t, TL_ETA_R2, law, 7);
    copy_row(t, TL_INERTIA, &s.inertia, 1);
}

static void set_constants(track_lanes *k, int lane, const lane_world *p) {
    lane_copier t = {k, lane, true};
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
    copy_row(&t, TL_H, &h, 1);
    copy_vector(&t, TL_GRAVITY, &g);
    copy_row(&t, TL_MASS, &mass, 1);
    copy_row(&t, TL_INV_MASS, &inv_mass, 1);
    copy_vector(&t, TL_INVERSE, &inverse);
    copy_row(&t, TL_RADIUS, &radius, 1);
    copy_row(&t, TL_CURVATURE, &curvature, 1);
    copy_row(&t, TL_SIZE2, &size2, 1);
    copy_row(&t, TL_SLOW, &slow, 1);
    copy_row(&t, TL_MARGIN, &margin, 1);
    copy_vector(&t, TL_N, &n);
    copy_vector(&t, TL_PLANE, &at);
    copy_vector(&t, TL_X_B, &x_b);
    for (int i = 0; i < 3; i++) copy_row(&t, TL_R_B + 3 * i, r.m[i], 3);
    set_springs(&t, p);
}

/* ---- the lane_group ---- */

/* Does steps of one world by its stepper. Returns whether all of them succeeded. */
static bool step_alone(tru_world *w, uint64_t steps, tru_status *status, tru_error *err) {
    for (uint64_t i = 0; i < steps; i++) {
        const tru_status s = w->stepper->step(w->stepper_params, w, err);
        if (s < 0 || s > *status) *status = s;
        if (s < 0) return false;
    }
    return true;
}

/* Up to eight worlds of one form in lanes; unused lanes repeat the numbers of a used one. */
typedef struct lane_group {
    track_lanes lanes;
    lane_world p[TRACK_LANES];
    size_t world[TRACK_LANES];        /* index of each lane's world */
    uint64_t lane_steps[TRACK_LANES]; /* steps since the lane was loaded */
    unsigned used;                    /* bits of lanes with a world */
} lane_group;

static void repeat_lane(track_lanes *k, int from, int to) {
    TRU_ASSERT(from != to && from >= 0 && from < TRACK_LANES && to >= 0 && to < TRACK_LANES);
    for (int row = 0; row < TL_ROWS; row++) k->row[row][to] = k->row[row][from];
}

/* Fills lanes without a world with the numbers of the first used lane, so that the kernel finds a valid state there. */
static void fill_unused(lane_group *j) {
    int from = 0;
    while (from < TRACK_LANES && !(j->used >> from & 1u)) from++;
    for (int i = 0; i < TRACK_LANES && from < TRACK_LANES; i++)
        if (!(j->used >> i & 1u)) repeat_lane(&j->lanes, from, i);
}

/* Lets the world of a lane do one step alone. If it still matches, its lane is loaded again; else it does the rest alone, too. */
static void step_lane_alone(lane_group *j, int lane, uint64_t left, tru_status *status, tru_error *err) {
    lane_world *p = &j->p[lane];
    tru_world *w = p->w;
    store_lane(&j->lanes, lane, p, j->lane_steps[lane]);
    j->lane_steps[lane] = 0;
    if (step_alone(w, 1, status, err) && match_world(w, p)) {
        load_lane(&j->lanes, lane, p);
        return;
    }
    j->used &= ~(1u << lane);
    if (*status >= 0) step_alone(w, left, status, err);
}

/* The step after lane_steps was done in the lane and changed modes: reports them as events. */
static void report_modes(lane_group *j, int lane) {
    lane_world *p = &j->p[lane];
    const uint32_t before = p->c->stuck;
    store_lane(&j->lanes, lane, p, j->lane_steps[lane]);
    j->lane_steps[lane] = 1;
    step s = {.w = p->w, .h = p->o->step, .time = trui_world_time(p->w)};
    double u[TRU_ROWS];
    for (int row = 0; row < TRU_ROWS; row++) u[row] = j->lanes.row[TL_RATE + row][lane];
    trui_mode_events(&s, (size_t)(p->c - p->w->contacts.items), before, u);
}

/* Does all but the last step of every world in the lanes. Each world does the last one alone, so that everything that is read after a
 * step is there. */
static void run_lanes(lane_group *j, uint64_t steps, tru_status *status, tru_error *err) {
    track_kernel *kernel = SIMD_CHOOSE(trui_track_kernel);
    uint64_t left = steps - 1;
    while (left > 0 && j->used) {
        uint64_t done;
        const unsigned odd = kernel(&j->lanes, left, &done);
        TRU_ASSERT(done <= left && (odd == 0 || done < left));
        left -= done;
        for (int i = 0; i < TRACK_LANES; i++) j->lane_steps[i] += done;
        if (left == 0) break;
        left--;
        for (int i = 0; i < TRACK_LANES; i++) {
            if (!(j->used >> i & 1u)) continue;
            if (odd >> i & 1u)
                step_lane_alone(j, i, left + 1, &status[j->world[i]], &err[j->world[i]]);
            else if (odd >> (8 + i) & 1u)
                report_modes(j, i);
            else
                j->lane_steps[i]++;
        }
        if (odd & 0xffu) fill_unused(j);
    }
    for (int i = 0; i < TRACK_LANES; i++) {
        if (!(j->used >> i & 1u)) continue;
        store_lane(&j->lanes, i, &j->p[i], j->lane_steps[i]);
        step_alone(j->p[i].w, 1, &status[j->world[i]], &err[j->world[i]]);
    }
}

/* Loads up to eight worlds from `first` on that have the form of the first one, and marks them as taken. */
static void fill_group(lane_group *j, tru_world *const *worlds, size_t count, size_t first, bool *taken) {
    int lane = 0;
    *j = (lane_group){.used = 0};
    for (size_t i = first; i < count && lane < TRACK_LANES; i++) {
        lane_world p;
        if (taken[i] || !match_world(worlds[i], &p)) continue;
        const track_form form = form_of(&p);
        if (lane == 0) j->lanes.form = form;
        if (!same_form(&form, &j->lanes.form)) continue;
        taken[i] = true;
        j->p[lane] = p;
        j->world[lane] = i;
        set_constants(&j->lanes, lane, &p);
        load_lane(&j->lanes, lane, &p);
        TRU_ASSERT(!(j->used >> lane & 1u));
        j->used |= 1u << lane++;
    }
    fill_unused(j);
}

static bool all_ready(tru_world *const *worlds, size_t count, const tru_status *status) {
    lane_world p;
    size_t ready = 0;
    while (ready < count && (status[ready] < 0 || match_world(worlds[ready], &p))) ready++;
    return ready == count;
}

/* A contact can be followed from its second step on, and a ball that is laid down without a gap has none in its first step. Worlds at
 * their start, or with a new contact, do a few steps alone. Returns the steps that are left. */
static uint64_t step_to_ready(tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status,
                              tru_error *err) {
    enum { START = 6, WORTH = 16 };
    if (steps < WORTH) return steps;
    for (int k = 0; k < START && !all_ready(worlds, count, status); k++, steps--)
        for (size_t i = 0; i < count; i++)
            if (status[i] >= 0) step_alone(worlds[i], 1, &status[i], &err[i]);
    return steps;
}

void trui_track_run_many(tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status, tru_error *err) {
    enum { CHUNK = 64 };
    bool taken[CHUNK];
    lane_group j;
    steps = step_to_ready(worlds, count, steps, status, err);
    for (size_t begin = 0; steps > 0 && begin < count; begin += CHUNK) {
        const size_t n = count - begin < CHUNK ? count - begin : CHUNK;
        for (size_t i = 0; i < n; i++) taken[i] = status[begin + i] < 0;
        for (size_t i = 0; i < n; i++) {
            lane_world p;
            if (taken[i]) continue;
            if (steps > 2 && match_world(worlds[begin + i], &p)) {
                fill_group(&j, worlds + begin, n, i, taken);
                run_lanes(&j, steps, status + begin, err + begin);
            } else {
                taken[i] = true;
                step_alone(worlds[begin + i], steps, &status[begin + i], &err[begin + i]);
            }
        }
    }
}
