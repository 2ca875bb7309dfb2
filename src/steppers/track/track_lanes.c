/* track_lanes.c: which worlds go side by side in lanes, how they get in and out, and who does the steps that are not alike. */
#include "steppers/track/track_lanes.h"
#include "step/end/events.h"

#include "laws/law.h"
#include "lanes/isa.h"
#include "shapes/shape.h"

/* A world in the lanes: where its parts are. */
typedef struct passenger {
    tru_world *w;
    const tru_track *o;
    const tru_track_law *law;
    body *ball, *floor;
    const solid *sphere, *plane;
    contact *c;
} passenger;

static const void *only_law(const contact *c) {
    return c->pair->law_count == 1 && c->pair->laws[0].law == &tru_law_track ? c->pair->laws[0].params : NULL;
}

/* Whether the world has been stepped before and is one that the kernel knows; its parts go to *p. */
static bool board(tru_world *w, passenger *p) {
    const tru_track *o = w->stepper_params;
    if (w->bodies.count != 2 || w->solids.count != 2 || w->contacts.count != 1 || w->loads.count > 0 || w->moved)
        return false;
    if (o->mapping != TRU_HALF_ANGLE || o->roll_couple != TRU_BALANCED || o->normal == TRU_HERTZ) return false;
    if (o->normal_dashpot == TRU_NORMAL_PULLS) return false;
    contact *c = &w->contacts.items[0];
    *p = (passenger){.w = w,
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

static track_form form_of(const passenger *p) {
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

/* ---- in and out ---- */

/* What moves a number in or out: by one list for both ways, as a snapshot has it. */
typedef struct carrier {
    track_lanes *lanes;
    int lane;
    bool in;
} carrier;

static void carry(carrier *t, int row, double *x, int count) {
    for (int i = 0; i < count; i++) {
        if (t->in)
            t->lanes->row[row + i][t->lane] = x[i];
        else
            x[i] = t->lanes->row[row + i][t->lane];
    }
}

static void carry3(carrier *t, int row, tru_vec3 *x) {
    carry(t, row, &x->x, 1);
    carry(t, row + 1, &x->y, 1);
    carry(t, row + 2, &x->z, 1);
}

/* Everything that a step changes. */
static void carry_state(carrier *t, passenger *p) {
    body *b = p->ball;
    springs *s = p->c->springs;
    tru_ledger *l = &p->w->ledger;
    carry3(t, TL_X, &b->x);
    carry(t, TL_Q, &b->q.w, 1);
    carry(t, TL_Q + 1, &b->q.x, 1);
    carry(t, TL_Q + 2, &b->q.y, 1);
    carry(t, TL_Q + 3, &b->q.z, 1);
    carry3(t, TL_V, &b->v);
    carry3(t, TL_W, &b->w);
    for (int side = 0; side < 2; side++) {
        const int by = side * (TL_AT_B - TL_AT_A);
        carry3(t, TL_AT_A + by, &s->record.at[side]);
        carry3(t, TL_T1_A + by, &s->record.t1[side]);
        carry3(t, TL_T2_A + by, &s->record.t2[side]);
    }
    carry(t, TL_STRETCH, s->stretch, TRU_FRICTION_ROWS);
    carry(t, TL_OVERLAP, &s->overlap, 1);
    carry(t, TL_STIFF, s->stiffness, TRU_KINDS);
    carry(t, TL_ENERGY, s->energy, TRU_KINDS);
    carry(t, TL_THETA_SHIFT, &l->theta_shift, 1);
    carry(t, TL_HEAT + TRU_KIND_NORMAL, &l->impact, 1);
    carry(t, TL_HEAT + TRU_KIND_SLIDE, &l->slide, 1);
    carry(t, TL_HEAT + TRU_KIND_SPIN, &l->spin, 1);
    carry(t, TL_HEAT + TRU_KIND_ROLL, &l->roll, 1);
    carry(t, TL_DRIVES, &l->drives, 1);
    carry(t, TL_STIFFNESS, &l->stiffness, 1);
}

static void set_modes(track_lanes *k, int lane, const passenger *p) {
    for (int i = 0; i < 3; i++) k->row[TL_STUCK + i][lane] = p->c->stuck & TRU_KIND_BIT(TRU_KIND_SLIDE + i) ? 1.0 : 0.0;
    k->row[TL_RESTING][lane] = p->ball->resting ? 1.0 : 0.0;
}

static void get_in(track_lanes *k, int lane, passenger *p) {
    carrier t = {k, lane, true};
    tru_mat3 r = body_axes(p->ball);
    carry_state(&t, p);
    for (int i = 0; i < 3; i++) carry(&t, TL_R + 3 * i, r.m[i], 3);
    set_modes(k, lane, p);
}

static void get_out(track_lanes *k, int lane, passenger *p, uint64_t steps) {
    carrier t = {k, lane, false};
    carry_state(&t, p);
    for (int i = 0; i < 3; i++) {
        const uint32_t bit = TRU_KIND_BIT(TRU_KIND_SLIDE + i);
        p->c->stuck = (p->c->stuck & ~bit) | (k->row[TL_STUCK + i][lane] > 0.5 ? bit : 0u);
    }
    p->c->age += (uint32_t)steps;
    p->w->steps_here += steps;
    p->w->steps_done += steps;
    p->w->solve_totals.steps += steps;
}

/* Springs whose stiffness does not depend on the moment, as trui_springs_make has them at a unit of normal force. */
static void set_springs(carrier *t, const passenger *p) {
    spring_set s;
    double elastic, energy, force = p->o->normal_force;
    trui_springs_masses(p->o, p->ball, p->floor, &p->c->c, &s);
    trui_springs_normal(p->o, p->w, p->c, p->ball->size, 0.0, &s, &elastic, &energy);
    carry(t, TL_FORCE, &force, 1);
    carry(t, TL_NORMAL_K, &s.stiffness[TRU_KIND_NORMAL], 1);
    carry(t, TL_NORMAL_D, &s.damping[TRU_KIND_NORMAL], 1);
    trui_springs_make(p->o, p->w, p->c, 1.0, 0.0, &s);
    carry(t, TL_K, s.stiffness + TRU_KIND_SLIDE, 3);
    carry(t, TL_D, s.damping + TRU_KIND_SLIDE, 3);
    carry(t, TL_CAP, s.cap + TRU_KIND_SLIDE, 3);
    carry(t, TL_HOLD, s.hold + TRU_KIND_SLIDE, 3);
    double law[] = {2.0 * p->law->eta_r,     p->law->eta_psi,
                    p->law->slide,           p->law->slide_static == TRU_DERIVED ? p->law->slide : p->law->slide_static,
                    p->o->roll_stiffness,    2.0 * p->o->roll_damping,
                    2.0 * p->o->spin_damping};
    carry(t, TL_ETA_R2, law, 7);
    carry(t, TL_INERTIA, &s.inertia, 1);
}

static void set_constants(track_lanes *k, int lane, const passenger *p) {
    carrier t = {k, lane, true};
    const body *b = p->ball;
    const tru_world *w = p->w;
    double h = p->o->step, radius = ((const tru_sphere *)p->sphere->params)->radius, curvature = 1.0 / radius;
    double size2 = b->size * b->size, slow = 1e-6 * h * v3_norm(w->gravity);
    double margin = trui_springs_activation(p->o, w), inv_mass = b->inv_mass, mass = b->mass;
    const tru_mat3 full = body_inverse_of(b);
    tru_vec3 g = w->gravity, inverse = v3(full.m[0][0], full.m[1][1], full.m[2][2]);
    tru_vec3 n = placed_plane_normal(&p->plane->pose), at = p->plane->pose.x, x_b = p->floor->x;
    tru_mat3 r = body_axes(p->floor);
    carry(&t, TL_H, &h, 1);
    carry3(&t, TL_GRAVITY, &g);
    carry(&t, TL_MASS, &mass, 1);
    carry(&t, TL_INV_MASS, &inv_mass, 1);
    carry3(&t, TL_INVERSE, &inverse);
    carry(&t, TL_RADIUS, &radius, 1);
    carry(&t, TL_CURVATURE, &curvature, 1);
    carry(&t, TL_SIZE2, &size2, 1);
    carry(&t, TL_SLOW, &slow, 1);
    carry(&t, TL_MARGIN, &margin, 1);
    carry3(&t, TL_N, &n);
    carry3(&t, TL_PLANE, &at);
    carry3(&t, TL_X_B, &x_b);
    for (int i = 0; i < 3; i++) carry(&t, TL_R_B + 3 * i, r.m[i], 3);
    set_springs(&t, p);
}

/* ---- the journey ---- */

/* Steps of one world alone; true: all are done. */
static bool walk(tru_world *w, uint64_t steps, tru_status *status, tru_error *err) {
    for (uint64_t i = 0; i < steps; i++) {
        const tru_status s = w->stepper->step(w->stepper_params, w, err);
        if (s < 0 || s > *status) *status = s;
        if (s < 0) return false;
    }
    return true;
}

/* A lane in use, or -1; *filled lanes that nobody needs repeat another's numbers. */
typedef struct journey {
    track_lanes lanes;
    passenger p[TRACK_LANES];
    size_t world[TRACK_LANES];  /* whose it is */
    uint64_t rode[TRACK_LANES]; /* steps since it got in */
    unsigned used;              /* bits of lanes with a passenger */
} journey;

static void repeat_lane(track_lanes *k, int from, int to) {
    for (int row = 0; row < TL_ROWS; row++) k->row[row][to] = k->row[row][from];
}

/* Lanes without a passenger do what some other lane does. */
static void fill_up(journey *j) {
    int from = 0;
    while (from < TRACK_LANES && !(j->used >> from & 1u)) from++;
    for (int i = 0; i < TRACK_LANES && from < TRACK_LANES; i++)
        if (!(j->used >> i & 1u)) repeat_lane(&j->lanes, from, i);
}

/* One step that the world of a lane does itself; it gets back in if it can, else it walks the rest. */
static void step_aside(journey *j, int lane, uint64_t left, tru_status *status, tru_error *err) {
    passenger *p = &j->p[lane];
    tru_world *w = p->w;
    get_out(&j->lanes, lane, p, j->rode[lane]);
    j->rode[lane] = 0;
    if (walk(w, 1, status, err) && board(w, p)) {
        get_in(&j->lanes, lane, p);
        return;
    }
    j->used &= ~(1u << lane);
    if (*status >= 0) walk(w, left, status, err);
}

/* The step after those it rode was done in the lane, and changed modes: they are announced. */
static void announce(journey *j, int lane) {
    passenger *p = &j->p[lane];
    const uint32_t before = p->c->stuck;
    get_out(&j->lanes, lane, p, j->rode[lane]);
    j->rode[lane] = 1;
    step s = {.w = p->w, .h = p->o->step, .time = trui_world_time(p->w)};
    double u[TRU_ROWS];
    for (int row = 0; row < TRU_ROWS; row++) u[row] = j->lanes.row[TL_RATE + row][lane];
    trui_mode_events(&s, (size_t)(p->c - p->w->contacts.items), before, u);
}

/* All but the last step of every world in the lanes, which it does itself: so everything that is read of a step is there. */
static void ride(journey *j, uint64_t steps, tru_status *status, tru_error *err) {
    track_kernel *kernel = SIMD_CHOOSE(trui_track_kernel);
    uint64_t left = steps - 1;
    while (left > 0 && j->used) {
        uint64_t done;
        const unsigned odd = kernel(&j->lanes, left, &done);
        left -= done;
        for (int i = 0; i < TRACK_LANES; i++) j->rode[i] += done;
        if (left == 0) break;
        left--;
        for (int i = 0; i < TRACK_LANES; i++) {
            if (!(j->used >> i & 1u)) continue;
            if (odd >> i & 1u)
                step_aside(j, i, left + 1, &status[j->world[i]], &err[j->world[i]]);
            else if (odd >> (8 + i) & 1u)
                announce(j, i);
            else
                j->rode[i]++;
        }
        if (odd & 0xffu) fill_up(j);
    }
    for (int i = 0; i < TRACK_LANES; i++) {
        if (!(j->used >> i & 1u)) continue;
        get_out(&j->lanes, i, &j->p[i], j->rode[i]);
        walk(j->p[i].w, 1, &status[j->world[i]], &err[j->world[i]]);
    }
}

/* The worlds from `first` on that have the form of the first one, up to eight; they are marked as taken. */
static void gather(journey *j, tru_world *const *worlds, size_t count, size_t first, bool *taken) {
    int lane = 0;
    *j = (journey){.used = 0};
    for (size_t i = first; i < count && lane < TRACK_LANES; i++) {
        passenger p;
        if (taken[i] || !board(worlds[i], &p)) continue;
        const track_form form = form_of(&p);
        if (lane == 0) j->lanes.form = form;
        if (!same_form(&form, &j->lanes.form)) continue;
        taken[i] = true;
        j->p[lane] = p;
        j->world[lane] = i;
        set_constants(&j->lanes, lane, &p);
        get_in(&j->lanes, lane, &p);
        j->used |= 1u << lane++;
    }
    fill_up(j);
}

static bool all_ready(tru_world *const *worlds, size_t count, const tru_status *status) {
    passenger p;
    size_t ready = 0;
    while (ready < count && (status[ready] < 0 || board(worlds[ready], &p))) ready++;
    return ready == count;
}

/* A contact can be followed from its second step on, and a ball that is laid down without a gap has none in its first step:
 * worlds at their start, or with a contact that is new, walk a little. Returns the steps that are left. */
static uint64_t start_walking(tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status,
                              tru_error *err) {
    enum { START = 6, WORTH = 16 };
    if (steps < WORTH) return steps;
    for (int k = 0; k < START && !all_ready(worlds, count, status); k++, steps--)
        for (size_t i = 0; i < count; i++)
            if (status[i] >= 0) walk(worlds[i], 1, &status[i], &err[i]);
    return steps;
}

void trui_track_run_many(tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status, tru_error *err) {
    enum { CHUNK = 64 };
    bool taken[CHUNK];
    journey j;
    steps = start_walking(worlds, count, steps, status, err);
    for (size_t begin = 0; steps > 0 && begin < count; begin += CHUNK) {
        const size_t n = count - begin < CHUNK ? count - begin : CHUNK;
        for (size_t i = 0; i < n; i++) taken[i] = status[begin + i] < 0;
        for (size_t i = 0; i < n; i++) {
            passenger p;
            if (taken[i]) continue;
            if (steps > 2 && board(worlds[begin + i], &p)) {
                gather(&j, worlds + begin, n, i, taken);
                ride(&j, steps, status + begin, err + begin);
            } else {
                taken[i] = true;
                walk(worlds[begin + i], steps, &status[begin + i], &err[begin + i]);
            }
        }
    }
}
