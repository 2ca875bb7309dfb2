/* springs.c: loads of one contact from springs and dashpots, and what they store and lose. */
#define SIMD_ISA SIMD_ONE
#include "steppers/springs/springs.h"
#include "base/assert.h"

#include "detect/lever.h"
#include "math/elementary/elementary.h"
#include "steppers/springs/spring_model.h"

/* ---- what the springs are made of ---- */

/* [kg m^2] One number for the inertia of a body: the geometric mean of its principal moments. */
static double body_inertia(const body *b) { return b->isotropic ? b->moment : tru_cbrt(m3_det(body_inertia_of(b))); }

static double together(double a, double b, int32_t masses) {
    return realxn_number(join_masses(realxn_all(a), realxn_all(b), masses == TRU_MEAN_MASS));
}

/* [kg m^2] Its inertia about a direction. */
static double inertia_about(const body *b, tru_vec3 n) {
    if (b->isotropic) return b->moment;
    const tru_vec3 d = m3_apply_t(body_axes(b), n);
    return v3_dot(d, m3_apply(body_inertia_of(b), d));
}

/* [1/kg] Velocity at the end of an arm, along n, that an impulse of 1 N s there gives the body. */
static double mobility(const body *b, tru_vec3 arm, tru_vec3 n) {
    if (!body_is_free(b) || b->ball) return b->inv_mass;
    const tru_vec3 lever = m3_apply_t(body_axes(b), v3_cross(arm, n));
    return b->inv_mass + v3_dot(lever, m3_apply(body_inverse_of(b), lever));
}

void trui_springs_masses(const tru_track *o, const body *a, const body *b, const contact_frame *at, spring_set *s) {
    const tru_vec3 n = at->normal;
    s->normal_mass = 1.0 / (a->inv_mass + b->inv_mass);
    TRU_ASSERT(body_is_free(a) || body_is_free(b));
    TRU_ASSERT(!(fabs(v3_norm2(n) - 1.0) > 1e-9));
    s->impact_mass = 1.0 / (mobility(a, at->arm_a, n) + mobility(b, at->arm_b, n));
    if (body_is_free(a) && body_is_free(b)) {
        s->mass = together(a->mass, b->mass, o->masses);
        s->inertia = together(body_inertia(a), body_inertia(b), o->masses);
        s->spin_inertia = together(inertia_about(a, n), inertia_about(b, n), o->masses);
    } else {
        const body *free = body_is_free(a) ? a : b;
        s->mass = free->mass;
        s->inertia = body_inertia(free);
        s->spin_inertia = inertia_about(free, n);
    }
}

static bool same_shapes(const contact *p, const contact *q) {
    return p->solid_a == q->solid_a && p->solid_b == q->solid_b;
}

void trui_face_add(face_points *f, double depth, tru_vec3 arm_a, tru_vec3 arm_b) {
    if (!(depth > 0.0)) return;
    f->count++;
    f->weight += depth;
    f->square += depth * depth;
    TRU_ASSERT(!(f->square > f->weight * f->weight * (1.0 + 1e-12)));
    f->arm_a = v3_madd(f->arm_a, depth, arm_a);
    f->arm_b = v3_madd(f->arm_b, depth, arm_b);
}

/* For overlaps x of springs that are equally stiff the mobility along their forces is x A x/(x x), A being that of the
 * points: the mobility at the centre of x times (sum x)^2/(sum x^2). If the centre lies below the centre of mass, x = (1, 1, ...)
 * is a mode and the share is exact. */
void trui_face_share(const face_points *f, const body *a, const body *b, tru_vec3 normal, spring_set *s) {
    if (f->count < 2) return;
    TRU_ASSERT(!(f->weight < 0.0) && !(f->square < 0.0));
    const double part = 1.0 / f->weight;
    const double mobile = mobility(a, v3_scale(part, f->arm_a), normal) + mobility(b, v3_scale(part, f->arm_b), normal);
    s->impact_mass = f->square * part * part / mobile;
}

void trui_springs_masses_of(const tru_track *o, const tru_world *w, const body *a, const body *b, const contact *c,
                            spring_set *s) {
    const contact *first = c, *end = w->contacts.items + w->contacts.count;
    face_points f = {.count = 0};
    trui_springs_masses(o, a, b, &c->c, s);
    while (first > w->contacts.items && same_shapes(first - 1, c)) first--;
    TRU_ASSERT(c >= w->contacts.items && c < end && first <= c);
    for (const contact *k = first; k < end && same_shapes(k, c); k++)
        trui_face_add(&f, -k->c.gap, k->c.arm_a, k->c.arm_b);
    trui_face_share(&f, a, b, c->c.normal, s);
}

/* [N/m] of the slide spring: given, or what the step can follow. */
static double slide_stiffness(const tru_track *o, const tru_world *w, const spring_set *s) {
    return o->stiffness != TRU_DERIVED ? o->stiffness : w->spring_rate * s->mass / (o->step * o->step);
}

static tru_caps caps_of(const contact *c, double normal, double slip) {
    const contact_frame *f = &c->c;
    const springs *k = c->springs;
    const tru_contact view = {.normal = f->normal,
                              .t1 = f->t1,
                              .t2 = f->t2,
                              .arm_a = f->arm_a,
                              .arm_b = f->arm_b,
                              .gap = f->gap,
                              .radius_effective = k->radius_effective,
                              .radius_smaller = k->radius_smaller,
                              .stuck = f->stuck,
                              .rim_points = f->rim_points,
                              .memory = f->memory,
                              .curvature = k->curvature,
                              .curvature_mean = k->curvature_mean};
    tru_caps caps = {0};
    for (int i = 0; i < c->pair->law_count; i++) {
        const pair_law *l = &c->pair->laws[i];
        l->law->caps(l->params, &view, normal, slip, &caps);
    }
    return caps;
}

void trui_springs_make(const tru_track *o, const tru_world *w, const contact *c, double normal, double slip,
                       spring_set *s) {
    const tru_caps caps = caps_of(c, normal, slip);
    const double slide = slide_stiffness(o, w, s), gyration = s->inertia / s->mass;
    TRU_ASSERT(!(normal < 0.0) && !(s->mass < 0.0) && !(s->inertia < 0.0) && !(slide < 0.0));
    const double areas[TRU_KINDS] = {0.0, 1.0, caps.spin_area > 0.0 ? caps.spin_area : s->spin_inertia / s->mass,
                                     caps.roll_area > 0.0 ? caps.roll_area : gyration};
    const double inertias[TRU_KINDS] = {0.0, s->mass, s->spin_inertia, s->inertia};
    const double damps[TRU_KINDS] = {0.0, 2.0 * o->damping, 2.0 * o->spin_damping, 2.0 * o->roll_damping};
    const double cap[TRU_KINDS] = {0.0, caps.slide, caps.spin, caps.roll};
    const double hold[TRU_KINDS] = {0.0, caps.slide_static, caps.spin_static, caps.roll_static};
    for (int kind = TRU_KIND_SLIDE; kind < TRU_KINDS; kind++) {
        const bool given = kind == TRU_KIND_ROLL && o->roll_stiffness != TRU_DERIVED;
        const double own = slide * areas[kind], k = given ? o->roll_stiffness : own;
        lanes_spring made = make_spring(realxn_all(k), realxn_all(inertias[kind]), realxn_all(damps[kind]),
                                        realxn_all(cap[kind]), realxn_all(hold[kind]), realxn_all(normal));
        if (given && caps.roll_area != 0.0) keep_thresholds(&made, realxn_all(k), realxn_all(own));
        const bool has_spring = c->pair->claims & ~caps.without_spring & TRU_KIND_BIT(kind);
        TRU_ASSERT(!has_spring || !(k < 0.0));
        s->stiffness[kind] = has_spring ? k : 0.0;
        s->damping[kind] = has_spring ? realxn_number(made.d) : 0.0;
        s->cap[kind] = realxn_number(made.cap);
        s->hold[kind] = realxn_number(made.hold);
    }
    s->viscosity[TRU_KIND_NORMAL] = s->viscosity[TRU_KIND_SLIDE] = 0.0;
    s->viscosity[TRU_KIND_SPIN] = caps.spin_viscosity;
    s->viscosity[TRU_KIND_ROLL] = caps.roll_viscosity;
    s->by_rates = caps.by_rates;
    s->without_spring = caps.without_spring;
}

double trui_springs_ratio(const tru_track *o, const pair *p) {
    if (o->normal_damping != TRU_DERIVED) return o->normal_damping;
    return o->normal_dashpot == TRU_NORMAL_CUT ? p->damping : p->damping_pulling;
}

double trui_springs_normal(const tru_track *o, const tru_world *w, const contact *c, double deep, double rate,
                           spring_set *s, double *elastic, double *energy) {
    const double ratio = trui_springs_ratio(o, c->pair);
    const double depth = deep > 0.0 ? deep : 0.0;
    s->stiffness[TRU_KIND_NORMAL] = s->damping[TRU_KIND_NORMAL] = *elastic = *energy = 0.0;
    if (o->normal == TRU_PRESCRIBED) return o->normal_force;
    if (!(depth > 0.0)) return 0.0;
    const bool hertz = o->normal == TRU_HERTZ;
    lanes_normal n;
    if (hertz) {
        const double modulus2 = 2.0 * caps_of(c, 0.0, 0.0).modulus;
        n = load_hertz(realxn_all(modulus2), realxn_all(c->springs->curvature_mean), realxn_all(depth));
    } else {
        const double k = o->normal_stiffness != TRU_DERIVED ? o->normal_stiffness
                         : c->pair->compliance > 0.0        ? 1.0 / c->pair->compliance
                         : o->stiffness != TRU_DERIVED      ? o->stiffness
                                                            : w->spring_rate * s->normal_mass / (o->step * o->step);
        n = load_hooke(realxn_all(k), realxn_all(depth));
    }
    const double d = realxn_number(damp_normal(hertz, realxn_all(ratio), n.k, realxn_all(s->impact_mass)));
    *elastic = realxn_number(n.elastic);
    *energy = realxn_number(n.energy);
    TRU_ASSERT(!(*elastic < 0.0) && !(*energy < 0.0) && !(d < 0.0));
    s->stiffness[TRU_KIND_NORMAL] = realxn_number(n.k);
    s->damping[TRU_KIND_NORMAL] = d;
    return o->normal_dashpot == TRU_NORMAL_PULLS ? *elastic + d * rate : fmax(0.0, *elastic + d * rate);
}

double trui_springs_activation(const tru_track *o, const tru_world *w) {
    return o->normal == TRU_PRESCRIBED ? 1e-3 * trui_smallest_free(w) : 0.0;
}

bool trui_springs_dashpot_limited(const tru_track *o) { return o->dashpot == TRU_DASHPOT_LIMITED; }

/* ---- one contact ---- */

static const int first_row[TRU_KINDS] = {0, 0, 2, 3}, row_count[TRU_KINDS] = {0, 2, 1, 2};

static double size_of_rows(const double *v, int rows) {
    const realxn x[2] = {realxn_all(v[0]), realxn_all(v[rows - 1])};
    return realxn_number(size_of(x, rows));
}

/* Curvatures of both surfaces in the frame; false: one of them has none. */
static bool curvatures(const tru_world *w, const contact *c, const track_side side[2], sym2 s[2]) {
    const contact_frame *k = &c->c;
    const bool a = trui_track_curvature(&w->solids.items[c->solid_a], &side[0], v3_neg(k->normal), k->t1, k->t2, &s[0]);
    return trui_track_curvature(&w->solids.items[c->solid_b], &side[1], k->normal, k->t1, k->t2, &s[1]) && a;
}

/* Summed curvature, mean and along the way it rolled: rounding noise must not choose the direction of a body at rest. */
static void set_curvature(contact *c, const sym2 s[2]) {
    const sym2 sum = {s[0].xx + s[1].xx, s[0].xy + s[1].xy, s[0].yy + s[1].yy};
    const vec2 way = {c->springs->stretch[4], -c->springs->stretch[3]}; /* Theta, from n x Theta */
    const double size = v2_dot(way, way);
    c->springs->curvature_mean = 0.5 * (sum.xx + sum.yy);
    c->springs->curvature =
        size > 0.0 && sum.xx != sum.yy ? v2_dot(way, s2_apply(sum, way)) / size : c->springs->curvature_mean;
}

static void set_radii(const tru_world *w, contact *c) {
    const contact_frame *f = &c->c;
    double lever[2][2];
    if (c->pair->needs & (TRU_NEEDS_LEVER | TRU_NEEDS_RADIUS))
        trui_lever_of(&w->solids.items[c->solid_a].pose, &w->solids.items[c->solid_b].pose, f->normal, f->t1, f->t2,
                      lever, &c->springs->radius_effective, &c->springs->radius_smaller);
}

void trui_springs_curvature(const tru_world *w, contact *c) {
    const track_side side[2] = {trui_track_side_of(&w->bodies.items[c->a], &w->solids.items[c->solid_a], c->c.arm_a),
                                trui_track_side_of(&w->bodies.items[c->b], &w->solids.items[c->solid_b], c->c.arm_b)};
    sym2 s[2];
    c->springs->curvature = c->springs->curvature_mean = 0.0;
    if (curvatures(w, c, side, s)) set_curvature(c, s);
    set_radii(w, c);
}

/* What moved in the step, in rows of the frame, and per body the roll of its own surface. */
static void set_moved(springs *k, const track_motion *m, const track_side side[2], bool smooth, const sym2 s[2],
                      double inside, vec2 turn, bool each, vec2 roll[2]) {
    for (int b = 0; b < 2 && smooth; b++) {
        const vec2 theta = trui_track_roll(&side[b], s[b], inside, m->path[b]);
        roll[b] = v2(-theta.y, theta.x);
    }
    if (!smooth) { /* corners and rims: what turned is known, but not over which surface */
        roll[0] = turn;
        roll[1] = v2(0.0, 0.0);
    }
    k->moved[0] = m->path[1].x - m->path[0].x;
    k->moved[1] = m->path[1].y - m->path[0].y;
    k->moved[2] = m->spin;
    k->moved[3] = each ? roll[0].x : roll[0].x + roll[1].x;
    k->moved[4] = each ? roll[0].y : roll[0].y + roll[1].y;
}

/* [m] How far below their surfaces two bodies have their contact point: in the middle, but against a plane on the surface. */
static double inside_surface(const track_side side[2], double gap) {
    return side[0].kind == TRACK_FLAT || side[1].kind == TRACK_FLAT ? 0.0 : -0.5 * gap;
}

/* Follow the contact from where it was; a new one begins with slack springs in any frame. */
static void follow(const tru_track *o, const step *s, contact *c, track_side side[2], vec2 roll[2]) {
    const tru_world *w = s->w;
    springs *k = c->springs;
    const body *b[2] = {&w->bodies.items[c->a], &w->bodies.items[c->b]};
    const tru_vec3 arm[2] = {c->c.arm_a, c->c.arm_b};
    sym2 curvature[2];
    for (int i = 0; i < 2; i++) {
        side[i] = trui_track_side_of(b[i], &w->solids.items[i == 0 ? c->solid_a : c->solid_b], arm[i]);
        side[i].slid = v3_scale(s->h, b[i]->v); /* of a belt */
        side[i].turned = v3_scale(s->h, b[i]->w);
    }
    const bool settled = c->flags & CONTACT_SETTLED, known = (c->flags & CONTACT_FOLLOWED) && !settled;
    track_motion m = {.t1 = c->c.t1, .t2 = c->c.t2};
    if (known) m = trui_track_follow(&k->record, &side[0], &side[1], c->c.normal, (track_mapping)o->mapping);
    c->c.t1 = m.t1;
    c->c.t2 = m.t2;
    TRU_ASSERT(!(fabs(v3_dot(m.t1, c->c.normal)) > 1e-6) && !(fabs(v3_dot(m.t1, m.t2)) > 1e-6));
    const bool smooth = curvatures(w, c, side, curvature);
    const vec2 turn = known && !smooth ? trui_track_turn(&k->record, &side[0], &side[1], m.t1, m.t2) : v2(0.0, 0.0);
    c->springs->curvature = c->springs->curvature_mean = 0.0;
    if (smooth) set_curvature(c, curvature);
    set_radii(w, c);
    if (settled)
        roll[1] = v2(k->record.at[1].x, k->record.at[1].y);
    else
        set_moved(k, &m, side, smooth, curvature, inside_surface(side, c->c.gap), turn, o->roll_couple == TRU_PER_BODY,
                  roll);
    k->record = trui_track_record_of(&side[0], &side[1], m.t1, m.t2);
}

/* Was one of the bodies put where it is since the last step? */
static bool put_together(const tru_world *w, const contact *c) {
    if (w->steps_done == 0 || w->moved) return true;
    return w->bodies.items[c->a].id >= w->stepped || w->bodies.items[c->b].id >= w->stepped;
}

/* The normal row: force, and what is stored. Its work in the step, and what the dashpot takes of it, follow from the mean rate
 * (trui_springs_ledger). */
static double push_normal(const tru_track *o, const step *s, contact *c, double approach, spring_set *set,
                          spring_book *book) {
    springs *k = c->springs;
    const double deep = -c->c.gap, depth = deep > 0.0 ? deep : 0.0;
    TRU_ASSERT(k == springs_room(s->w, c));
    double elastic, energy;
    const double normal = trui_springs_normal(o, s->w, c, deep, approach, set, &elastic, &energy);
    if (!(c->flags & CONTACT_FOLLOWED) && put_together(s->w, c)) {
        k->energy[TRU_KIND_NORMAL] = energy;
        book->start += energy;
    }
    book->theta_shift += energy - k->energy[TRU_KIND_NORMAL];
    k->energy[TRU_KIND_NORMAL] = energy;
    k->stiffness[TRU_KIND_NORMAL] = set->stiffness[TRU_KIND_NORMAL];
    k->overlap = depth;
    return normal;
}

/* Loads the spring of one kind, with the rows of its stretch and motion; returns the impulse per row in p[], on A. */
static void load_kind(const tru_track *o, const step *s, contact *c, int kind, const spring_set *set, double *stretch,
                      const double *moved, double *energy, double p[2], spring_book *book) {
    const uint32_t bit = TRU_KIND_BIT(kind);
    const int row = first_row[kind], rows = row_count[kind];
    const bool stuck = c->stuck & bit;
    TRU_ASSERT(kind > TRU_KIND_NORMAL && kind < TRU_KINDS && (c->pair->claims & bit));
    TRU_ASSERT(!(set->cap[kind] < 0.0) && !(set->hold[kind] < 0.0));
    const spring_rule rule = {.limited = trui_springs_dashpot_limited(o),
                              .common = set->by_rates & bit,
                              .begins = c->age <= 1 && !stuck && size_of_rows(stretch, rows) == 0.0};
    const lanes_spring spring = {realxn_all(set->stiffness[kind]), realxn_all(set->damping[kind]),
                                 realxn_all(set->cap[kind]), realxn_all(set->hold[kind])};
    const realxn way[2] = {realxn_all(moved[0]), realxn_all(moved[rows - 1])};
    lanes_books b;
    b.theta_shift = realxn_all(book->theta_shift);
    b.stiffness = realxn_all(book->stiffness);
    b.start = realxn_all(book->start);
    b.heat[kind] = realxn_all(book->heat[kind]);
    b.stiff[kind] = realxn_all(c->springs->stiffness[kind]);
    b.stuck[kind - TRU_KIND_SLIDE] = realxn_all(stuck ? 1.0 : 0.0);
    b.flips = realxn_lt(b.start, b.start);
    for (int i = 0; i < rows; i++) b.stretch[row + i] = realxn_all(stretch[i]);
    load_spring(&spring, kind, row, rows, way, realxn_all(s->h), rule, &b);
    c->stuck = (c->stuck & ~bit) | (realxn_number(b.stuck[kind - TRU_KIND_SLIDE]) > 0.5 ? bit : 0u);
    book->theta_shift = realxn_number(b.theta_shift);
    book->stiffness = realxn_number(b.stiffness);
    book->start = realxn_number(b.start);
    book->heat[kind] = realxn_number(b.heat[kind]);
    *energy += realxn_number(b.energy[kind]);
    for (int i = 0; i < rows; i++) {
        stretch[i] = realxn_number(b.stretch[row + i]);
        p[i] = realxn_number(b.p[1 + row + i]);
    }
}

/* A law without a spring: the cap against the rate of the start, nothing at rest. */
static void load_constant(const tru_track *o, contact *c, int kind, const spring_set *set, const double u[TRU_ROWS],
                          spring_book *book) {
    const int row = 1 + first_row[kind];
    const double rate = size_of_rows(u + row, row_count[kind]);
    for (int i = 0; i < row_count[kind]; i++) {
        const double p = rate > 0.0 ? -o->step * set->cap[kind] * (u[row + i] / rate) : 0.0;
        c->impulse[row + i] = p;
        book->heat[kind] -= p * u[row + i];
        book->theta_shift -= p * u[row + i];
    }
    c->stuck = (c->stuck & ~TRU_KIND_BIT(kind)) | (rate > 0.0 ? 0u : TRU_KIND_BIT(kind));
}

/* Springs that are stretched by rates do not ask where the contact point went. */
static void move_by_rates(const spring_set *set, const double u[TRU_ROWS], double h, double moved[TRU_FRICTION_ROWS]) {
    for (int row = 0; row < TRU_FRICTION_ROWS; row++)
        if (set->by_rates & TRU_KIND_BIT(LAW_KIND_OF_ROW(row))) moved[row] = h * u[row + 1];
}

/* Viscous couples on spin and roll, at the rates of the start. */
static void load_viscous(const step *s, contact *c, const spring_set *set, const double u[TRU_ROWS],
                         spring_book *book) {
    for (int row = TRU_ROW_SPIN; row < TRU_ROWS; row++) {
        const int kind = row == TRU_ROW_SPIN ? TRU_KIND_SPIN : TRU_KIND_ROLL;
        if (set->viscosity[kind] == 0.0) continue;
        const double p = -s->h * set->viscosity[kind] * u[row];
        c->impulse[row] += p;
        book->heat[kind] -= p * u[row];
        book->theta_shift -= p * u[row];
    }
}

/* Modes of a new contact: all stick but those that are said to slip. */
static void begin_modes(contact *c) {
    if (c->flags & CONTACT_FOLLOWED) return;
    const uint32_t slips = c->flags & CONTACT_NEW ? c->flags >> CONTACT_SLIPS : 0u;
    c->stuck = c->pair->claims & ~slips;
    TRU_ASSERT((c->stuck & ~c->pair->claims) == 0);
    c->c.stuck = c->stuck;
}

/* Kinetic from the start: the direction is that of the rates, or of the first motion. */
static void begin_slip(const contact *c, const double u[TRU_ROWS], double h, double moved[TRU_FRICTION_ROWS]) {
    if (!(c->flags & CONTACT_NEW)) return;
    for (int row = 0; row < TRU_FRICTION_ROWS; row++)
        if (!(c->stuck & TRU_KIND_BIT(LAW_KIND_OF_ROW(row)))) moved[row] = h * u[row + 1];
}

/* The springs of a contact in this step, as they were left in the step before, or slack. */
static springs *take_over(const tru_world *w, contact *c) {
    springs *k = springs_room(w, c);
    if (c->flags & CONTACT_FOLLOWED)
        *k = *c->springs;
    else
        memset(k, 0, sizeof *k);
    return c->springs = k;
}

void trui_springs_load(const tru_track *o, const step *s, contact *c, spring_book *book) {
    const body *a = &s->w->bodies.items[c->a], *b = &s->w->bodies.items[c->b];
    springs *k = take_over(s->w, c);
    TRU_ASSERT(body_is_free(a) && c->a != c->b && !(s->h < 0.0));
    track_side side[2];
    vec2 roll[2];
    double u[TRU_ROWS], p[2];
    spring_set set;
    memset(book, 0, sizeof *book);
    follow(o, s, c, side, roll);
    begin_modes(c);
    middle_rates(c, &s->body_steps[c->a].start, &s->body_steps[c->b].start, u);
    begin_slip(c, u, s->h, k->moved);
    c->approach = u[0] < 0.0 ? -u[0] : 0.0;
    trui_springs_masses_of(o, s->w, a, b, c, &set);
    const double normal = push_normal(o, s, c, -u[0], &set, book);
    trui_springs_make(o, s->w, c, fmax(0.0, normal), sqrt(u[1] * u[1] + u[2] * u[2]), &set);
    move_by_rates(&set, u, s->h, k->moved);
    memset(c->impulse, 0, sizeof c->impulse);
    memset(k->couple_b, 0, sizeof k->couple_b);
    c->impulse[TRU_ROW_NORMAL] = s->h * normal;
    const unsigned untracked = set.by_rates | set.without_spring;
    const bool each = o->roll_couple == TRU_PER_BODY && !(untracked & TRU_KIND_BIT(TRU_KIND_ROLL));
    for (int kind = TRU_KIND_SLIDE; kind < TRU_KINDS; kind++) {
        if (!(c->pair->claims & TRU_KIND_BIT(kind))) continue;
        const int row = first_row[kind];
        k->energy[kind] = 0.0;
        if (set.without_spring & TRU_KIND_BIT(kind)) {
            load_constant(o, c, kind, &set, u, book);
            continue;
        }
        load_kind(o, s, c, kind, &set, k->stretch + row, k->moved + row, &k->energy[kind], p, book);
        for (int i = 0; i < row_count[kind]; i++) c->impulse[1 + row + i] = p[i];
    }
    if (each && (c->pair->claims & TRU_KIND_BIT(TRU_KIND_ROLL))) {
        /* B's own spring: its couple on B is K (roll of A over B's surface); the rest beyond -A's couple */
        const double own[2] = {roll[1].x, roll[1].y};
        const uint32_t modes = c->stuck;
        c->stuck = c->flags & CONTACT_FOLLOWED ? k->stuck_b : modes;
        load_kind(o, s, c, TRU_KIND_ROLL, &set, k->stretch_b, own, &k->energy[TRU_KIND_ROLL], p, book);
        k->stuck_b = c->stuck;
        c->stuck = modes;
        for (int i = 0; i < 2; i++) k->couple_b[i] = c->impulse[TRU_ROW_ROLL1 + i] - p[i];
    }
    load_viscous(s, c, &set, u, book);
    memcpy(k->stiffness + 1, set.stiffness + 1, (TRU_KINDS - 1) * sizeof *set.stiffness);
    for (int kind = 0; kind < TRU_KINDS; kind++) book->stored += k->energy[kind];
    TRU_ASSERT(!(book->stored < 0.0));
    c->flags = (c->flags & ~(uint32_t)CONTACT_SETTLED) | CONTACT_TRACKED;
    c->theta = 1.0;
}

/* ---- bodies that are moved from outside ---- */

/* What moved since the springs were loaded, with the bodies at `here`; nothing if another stepper did (o is NULL). */
static void settle(const tru_track *o, tru_world *w, contact *c, const contact_place *here) {
    springs *k = c->springs;
    solid *sa = &w->solids.items[c->solid_a], *sb = &w->solids.items[c->solid_b];
    const placed pose_a = sa->pose, pose_b = sb->pose;
    const step s = {.w = w, .h = o ? o->step : 0.0};
    contact at = *c;
    track_side side[2];
    vec2 roll[2] = {{0.0, 0.0}, {0.0, 0.0}};
    at.flags = CONTACT_FOLLOWED;
    at.c.normal = here->normal;
    at.c.arm_a = here->arm_a;
    at.c.arm_b = here->arm_b;
    at.c.t1 = here->t1;
    at.c.t2 = here->t2;
    sa->pose = solid_on(sa, &w->bodies.items[c->a]);
    sb->pose = solid_on(sb, &w->bodies.items[c->b]);
    if (o)
        follow(o, &s, &at, side, roll);
    else
        memset(k->moved, 0, sizeof k->moved);
    sa->pose = pose_a;
    sb->pose = pose_b;
    k->record = (track_record){.at = {here->normal, v3(roll[1].x, roll[1].y, 0.0)}, .t1 = {at.c.t1}, .t2 = {at.c.t2}};
    c->flags |= CONTACT_SETTLED;
}

/* The normal spring goes from one overlap to another: its energy is not the run's. */
static void rebook_normal(const tru_track *o, tru_world *w, contact *c, double gap, double next) {
    springs *k = c->springs;
    double elastic, before, after;
    spring_set set;
    trui_springs_masses(o, &w->bodies.items[c->a], &w->bodies.items[c->b], &c->c, &set);
    trui_springs_normal(o, w, c, -gap, 0.0, &set, &elastic, &before);
    trui_springs_normal(o, w, c, -next, 0.0, &set, &elastic, &after);
    k->overlap += fmax(-next, 0.0) - fmax(-gap, 0.0);
    k->energy[TRU_KIND_NORMAL] += after - before;
    w->ledger.stored += after - before;
    w->ledger.start += after - before;
}

bool trui_springs_hold(const tru_world *w, size_t who) {
    for (size_t i = 0; w->springs.count > 0 && i < w->contacts.count; i++) {
        const contact *c = &w->contacts.items[i];
        if ((c->a == who || c->b == who) && (c->flags & CONTACT_TRACKED)) return true;
    }
    return false;
}

void trui_springs_carry(const tru_track *o, tru_world *w, size_t who, const body *there) {
    for (size_t i = 0; w->springs.count > 0 && i < w->contacts.count;) {
        contact *run = &w->contacts.items[i];
        const int count = trui_contact_run(&w->contacts, i);
        i += (size_t)count;
        TRU_ASSERT(count > 0 && count <= TRU_TOUCHES && i <= w->contacts.count);
        if ((run->a != who && run->b != who) || !(run->flags & CONTACT_TRACKED)) continue;
        const body *a = &w->bodies.items[run->a], *b = &w->bodies.items[run->b];
        contact_place here[TRU_TOUCHES], next[TRU_TOUCHES];
        trui_contact_run_places(w, run, count, a, b, here);
        trui_contact_run_places(w, run, count, run->a == who ? there : a, run->b == who ? there : b, next);
        for (int k = 0; k < count; k++) {
            if (!(run[k].flags & CONTACT_SETTLED)) settle(o, w, &run[k], &here[k]);
            if (o) rebook_normal(o, w, &run[k], here[k].gap, next[k].gap);
        }
    }
}

void trui_springs_expect(const tru_track *o, const tru_world *w, const contact *c, const double u[TRU_ROWS],
                         spring_set *set, double p[TRU_ROWS]) {
    double elastic, energy;
    const double normal = trui_springs_normal(o, w, c, -c->c.gap, -u[0], set, &elastic, &energy);
    trui_springs_make(o, w, c, fmax(0.0, normal), sqrt(u[1] * u[1] + u[2] * u[2]), set);
    memset(p, 0, TRU_ROWS * sizeof *p);
    p[0] = o->step * normal;
    for (int kind = TRU_KIND_SLIDE; kind < TRU_KINDS; kind++) {
        const int row = first_row[kind], rows = row_count[kind];
        if (!(c->pair->claims & TRU_KIND_BIT(kind))) continue;
        if (set->without_spring & TRU_KIND_BIT(kind)) {
            const double rate = size_of_rows(u + 1 + row, rows);
            for (int i = 0; i < rows; i++)
                p[1 + row + i] = rate > 0.0 ? -o->step * set->cap[kind] * (u[1 + row + i] / rate) : 0.0;
            continue;
        }
        const bool common = set->by_rates & TRU_KIND_BIT(kind);
        const lanes_spring spring = {.d = realxn_all(set->damping[kind]), .hold = realxn_all(set->hold[kind])};
        const realxn way[2] = {realxn_all(c->springs->moved[row]), realxn_all(c->springs->moved[row + rows - 1])};
        lanes_motion m = {.moved = way, .holds = common || (c->stuck & TRU_KIND_BIT(kind))};
        for (int i = 0; i < rows; i++) m.elastic[i] = realxn_all(set->stiffness[kind] * c->springs->stretch[row + i]);
        drag_of(&spring, rows, realxn_all(o->step), !common && trui_springs_dashpot_limited(o), &m);
        for (int i = 0; i < rows; i++)
            p[1 + row + i] =
                -o->step * (realxn_number(ADD(m.elastic[i], m.drag[i])) + set->viscosity[kind] * u[1 + row + i]);
    }
}
