/* probe_values.c: the value of every probe of probe_list.def. */
#include "probe_values.h"

#include <trundle/analysis.h>

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- vectors, as far as probes need them ---- */

static tru_vec3 plus(tru_vec3 a, double s, tru_vec3 b) {
    return (tru_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static double dot(tru_vec3 a, tru_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static double size(tru_vec3 a) { return sqrt(dot(a, a)); }
static tru_vec3 cross(tru_vec3 a, tru_vec3 b) {
    return (tru_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/* Components 0 to 2, or 3: the size. */
static double part(tru_vec3 v, int index) { return index == 0 ? v.x : index == 1 ? v.y : index == 2 ? v.z : size(v); }

/* q v q^-1 and its inverse, for a unit quaternion. */
static tru_vec3 turn(tru_quat q, tru_vec3 v) {
    const tru_vec3 axis = {q.x, q.y, q.z}, t = plus((tru_vec3){0, 0, 0}, 2.0, cross(axis, v));
    return plus(plus(v, q.w, t), 1.0, cross(axis, t));
}
static tru_vec3 turn_back(tru_quat q, tru_vec3 v) { return turn((tru_quat){q.w, -q.x, -q.y, -q.z}, v); }

/* ---- the world ---- */

static double probe_time(const probe_view *v, const probe *p, int index) {
    (void)p;
    if (index == 0) return tru_time(v->world);
    return index == 1 ? (double)tru_steps_done(v->world) : (double)tru_body_count(v->world);
}

static double ledger_sum(const tru_ledger *l, const char *kind) {
    double sum = 0.0;
#define ADD_TO_SUM(name, its_kind, doc) sum += strcmp(kind, its_kind) == 0 ? l->name : 0.0;
    TRU_LEDGER_LIST(ADD_TO_SUM)
#undef ADD_TO_SUM
    return sum;
}

static double probe_energy(const probe_view *v, const probe *p, int index) {
    (void)p;
    const tru_ledger l = tru_world_ledger(v->world);
    const double now[] = {l.kinetic, l.potential, l.stored, l.kinetic + l.potential + l.stored};
    return index < 4 ? now[index] : ledger_sum(&l, index == 4 ? "dissipated" : "numerical");
}

static double probe_outlet(const probe_view *v, const probe *p, int index) {
    const outlet *o = &v->outlets->items[p->a - 1];
    return index == 0 ? (double)o->left : o->mass;
}

/* Returns NaN if no body is free. */
static double probe_centre(const probe_view *v, const probe *p, int index) {
    (void)p;
    double mass = 0.0, sum = 0.0;
    for (size_t i = 0; i < tru_body_count(v->world); i++) {
        const uint64_t id = tru_body_at(v->world, i);
        tru_body_info info;
        tru_body_state s;
        if (tru_body_describe(v->world, id, &info, NULL) < 0 || info.kind != TRU_FREE) continue;
        if (tru_body_get(v->world, id, &s, NULL) < 0) continue;
        const double at[] = {s.position.x, s.position.y, s.position.z};
        mass += info.mass;
        sum += info.mass * at[index];
    }
    return mass > 0.0 ? sum / mass : NAN;
}

/* Returns NaN if the bodies do not form a heap. */
static double probe_heap(const probe_view *v, const probe *p, int index) {
    (void)p;
    tru_repose r;
    if (tru_repose_of_world(v->world, &r, NULL) < 0) return NAN;
    const double values[] = {r.angle, r.angle_error, r.median_angle, r.centre};
    return values[index];
}

static double probe_ledger(const probe_view *v, const probe *p, int index) {
    (void)p;
    double columns[sizeof(tru_ledger) / sizeof(double)];
    const tru_ledger l = tru_world_ledger(v->world);
    memcpy(columns, &l, sizeof columns);
    return columns[index];
}

static double probe_ledger_gap(const probe_view *v, const probe *p, int index) {
    (void)p, (void)index;
    const tru_ledger l = tru_world_ledger(v->world);
    return tru_ledger_gap(&l);
}

static double probe_solver(const probe_view *v, const probe *p, int index) {
    (void)p;
    const tru_solve_info s = tru_world_solve_info(v->world);
    const double values[] = {(double)s.iterations,    s.relative, (double)s.contacts,
                             s.converged ? 1.0 : 0.0, s.lift,     s.hop};
    return values[index];
}

static double probe_residual(const probe_view *v, const probe *p, int index) {
    (void)p;
    const tru_solve_info s = tru_world_solve_info(v->world);
    return index < TRU_KINDS ? s.residual[index] : index == TRU_KINDS ? s.joint : s.joint_turn;
}

static double probe_judge(const probe_view *v, const probe *p, int index) {
    (void)p;
    tru_verdict verdict;
    if (tru_judge(v->world, &verdict, NULL) < 0) return NAN;
    return index == 0 ? verdict.momentum : verdict.spin;
}

/* ---- bodies ---- */

static bool body_state(const probe_view *v, const probe *p, tru_body_state *s) {
    return tru_body_get(v->world, p->a, s, NULL) >= 0;
}

static double probe_position(const probe_view *v, const probe *p, int index) {
    tru_body_state s;
    return body_state(v, p, &s) ? part(s.position, index) : NAN;
}

static double probe_orientation(const probe_view *v, const probe *p, int index) {
    tru_body_state s;
    if (!body_state(v, p, &s)) return NAN;
    const double q[] = {s.orientation.w, s.orientation.x, s.orientation.y, s.orientation.z};
    return q[index];
}

static double probe_velocity(const probe_view *v, const probe *p, int index) {
    tru_body_state s;
    return body_state(v, p, &s) ? part(s.velocity, index) : NAN;
}

static double probe_angular_velocity(const probe_view *v, const probe *p, int index) {
    tru_body_state s;
    return body_state(v, p, &s) ? part(s.angular_velocity, index) : NAN;
}

static double probe_angular_velocity_body(const probe_view *v, const probe *p, int index) {
    tru_body_state s;
    return body_state(v, p, &s) ? part(turn_back(s.orientation, s.angular_velocity), index) : NAN;
}

static double probe_tilt(const probe_view *v, const probe *p, int index) {
    (void)index;
    tru_body_state s;
    const tru_vec3 g = tru_world_gravity(v->world), z = {0, 0, 1};
    const tru_vec3 up = size(g) > 0.0 ? (tru_vec3){-g.x, -g.y, -g.z} : z;
    if (!body_state(v, p, &s)) return NAN;
    const tru_vec3 axis = turn(s.orientation, z);
    return atan2(size(cross(axis, up)), dot(axis, up)); /* accurate at both ends, unlike acos */
}

static double probe_momentum(const probe_view *v, const probe *p, int index) {
    tru_body_state s;
    tru_body_info info;
    if (!body_state(v, p, &s) || tru_body_describe(v->world, p->a, &info, NULL) < 0) return NAN;
    return info.mass * part(s.velocity, index);
}

/* Inertia (body axes) times a rate in body axes. */
static tru_vec3 inertia_times(const tru_body_info *b, tru_vec3 w) {
    const tru_vec3 d = b->inertia, o = b->products;
    return (tru_vec3){d.x * w.x + o.x * w.y + o.y * w.z, o.x * w.x + d.y * w.y + o.z * w.z,
                      o.y * w.x + o.z * w.y + d.z * w.z};
}

static double probe_angular_momentum(const probe_view *v, const probe *p, int index) {
    tru_body_state s;
    tru_body_info info;
    if (!body_state(v, p, &s) || tru_body_describe(v->world, p->a, &info, NULL) < 0) return NAN;
    const tru_vec3 l = inertia_times(&info, turn_back(s.orientation, s.angular_velocity));
    return part(turn(s.orientation, l), index);
}

static double probe_body_energy(const probe_view *v, const probe *p, int index) {
    tru_body_state s;
    tru_body_info info;
    if (!body_state(v, p, &s) || tru_body_describe(v->world, p->a, &info, NULL) < 0) return NAN;
    if (index == 1) return -info.mass * dot(tru_world_gravity(v->world), s.position);
    const tru_vec3 w = turn_back(s.orientation, s.angular_velocity);
    return 0.5 * (info.mass * dot(s.velocity, s.velocity) + dot(w, inertia_times(&info, w)));
}

/* A disk lying flat has no precession: its angles are 0 there, what is derived from them is not a number. */
static double probe_disk(const probe_view *v, const probe *p, int index) {
    tru_disk_view d;
    if (tru_disk_of_body(v->world, p->a, &d, NULL) < 0) return NAN;
    const tru_disk_angles *a = &d.angles;
    const double angles[] = {a->alpha,      a->beta,     a->gamma, a->alpha_rate, a->beta_rate,
                             a->gamma_rate, a->psi_rate, a->spin,  a->cos_beta};
    if (index < 9) return angles[index];
    if (!d.thin || a->cos_beta == 0.0) return index == 12 && d.thin ? 0.0 : NAN;
    if (index == 9) return d.demand;
    if (index == 10) return d.slide > 0.0 ? d.demand / d.slide : NAN;
    if (index == 11) return sqrt(d.oscillation); /* NaN: the disk would fall instead of oscillating */
    return tru_decay_time(d.decays, (size_t)d.decay_count, d.energy);
}

/* Computes the limit directions of a body at one point of a plane. False if the body has none. */
static bool limit_of(const probe_view *v, tru_id body, tru_limit *out) {
    tru_limit_contact c;
    tru_limit_problem p;
    return tru_limit_of_body(v->world, body, &c, NULL) >= 0 && tru_limit_problem_of(&c.body, &p, NULL) >= 0 &&
           tru_limit_directions(&p, out, NULL) >= 0;
}

static double probe_limit(const probe_view *v, const probe *p, int index) {
    tru_limit l;
    if (!limit_of(v, p->a, &l)) return NAN;
    int repelling = 0;
    for (int i = 0; i < l.count; i++) repelling += l.directions[i].repelling;
    const double values[] = {l.which,  l.count, repelling, l.rolls,
                             l.needed, l.wedge, l.normal0, l.exit < 0 ? NAN : l.directions[l.exit].angle};
    return values[index];
}

static double probe_limit_direction(const probe_view *v, const probe *p, int index) {
    tru_limit l;
    if (!limit_of(v, p->a, &l) || index / 3 >= l.count) return NAN;
    const tru_limit_direction *d = &l.directions[index / 3];
    return index % 3 == 0 ? d->angle : index % 3 == 1 ? d->radial : d->angular;
}

static double probe_rolling(const probe_view *v, const probe *p, int index) {
    tru_rolling_view r;
    tru_rolling_disk k;
    double k2[2];
    if (tru_rolling_of_body(v->world, p->a, &r, NULL) < 0) return NAN;
    const double values[] = {r.energy_middle, r.theta, r.theta_rate, r.phi_rate, r.psi_rate};
    if (index < 5) return values[index];
    if (tru_rolling_disk_of(v->world, p->a, &k, NULL) < 0 || (index > 6 && k.half_thickness > 0.0)) return NAN;
    const double turn = r.phi_rate * sin(r.theta), omega = r.phi_rate * cos(r.theta) + r.psi_rate;
    if (index > 6)
        tru_rolling_legendre(&k, r.theta, omega, turn, k2);
    else
        tru_rolling_upright(&k, r.theta, omega, turn, k2);
    return k2[(index - 5) % 2];
}

/* ---- contacts ---- */

const tru_contact_info *trio_probe_contacts(const probe_view *v, size_t *count) {
    contact_view *c = v->contacts;
    const uint64_t step = tru_steps_done(v->world);
    *count = 0;
    if (c->step != step) {
        const size_t n = tru_contact_count(v->world);
        if (n > c->room) {
            tru_contact_info *items = realloc(c->items, n * sizeof *items);
            if (!items) return NULL;
            c->items = items;
            c->room = n;
        }
        for (c->count = 0; c->count < n; c->count++)
            if (tru_contact_get(v->world, c->count, &c->items[c->count], NULL) < 0) break;
        c->step = step;
    }
    *count = c->count;
    return c->items;
}

void trio_contact_view_release(contact_view *c) {
    free(c->items);
    *c = (contact_view){.step = UINT64_MAX};
}

static bool meets(const tru_contact_info *c, tru_id a, tru_id b) {
    if (a == TRU_NONE) return true;
    if (b == TRU_NONE) return c->body_a == a || c->body_b == a;
    return (c->body_a == a && c->body_b == b) || (c->body_a == b && c->body_b == a);
}

/* Returns the first (or n-th) contact of the probe; NULL if there is none. *sign is -1 if the body that it names first is
 * B, otherwise 1. */
static const tru_contact_info *first_contact(const probe_view *v, const probe *p, double *sign) {
    size_t count;
    int32_t seen = 0;
    const tru_contact_info *c = trio_probe_contacts(v, &count);
    for (size_t i = 0; i < count; i++) {
        if (!meets(&c[i], p->a, p->b) || (p->has_feature && c[i].feature != p->feature)) continue;
        if (++seen < p->number) continue;
        *sign = p->a != TRU_NONE && c[i].body_b == p->a ? -1.0 : 1.0;
        return &c[i];
    }
    return NULL;
}

static double per_step(const probe_view *v, double impulse) { return impulse / tru_step_size(v->world); }

static tru_vec3 impulse_on_a(const tru_contact_info *c) {
    const double *p = c->impulse;
    const tru_vec3 zero = {0, 0, 0};
    return plus(plus(plus(zero, p[TRU_ROW_NORMAL], c->normal), p[TRU_ROW_SLIDE1], c->t1), p[TRU_ROW_SLIDE2], c->t2);
}

static double probe_force(const probe_view *v, const probe *p, int index) {
    tru_vec3 sum = {0, 0, 0};
    size_t count;
    const tru_contact_info *c = trio_probe_contacts(v, &count);
    for (size_t i = 0; i < count; i++)
        if (meets(&c[i], p->a, TRU_NONE)) sum = plus(sum, c[i].body_a == p->a ? 1.0 : -1.0, impulse_on_a(&c[i]));
    return per_step(v, part(sum, index));
}

static double probe_contacts_count(const probe_view *v, const probe *p, int index) {
    (void)index;
    size_t count, mine = 0;
    const tru_contact_info *c = trio_probe_contacts(v, &count);
    for (size_t i = 0; i < count; i++) mine += meets(&c[i], p->a, TRU_NONE);
    return (double)mine;
}

/* Reads where that contact is at present. False if there is none. */
static bool contact_here(const probe_view *v, const probe *p, double *sign, tru_contact_place *out) {
    size_t count;
    const tru_contact_info *all = trio_probe_contacts(v, &count), *c = first_contact(v, p, sign);
    return c && tru_contact_now(v->world, (size_t)(c - all), out, NULL) >= 0;
}

static double probe_slip(const probe_view *v, const probe *p, int index) {
    double sign;
    tru_contact_place at;
    if (!contact_here(v, p, &sign, &at)) return NAN;
    const double *u = at.velocity;
    if (index == 3) return sqrt(u[TRU_ROW_SLIDE1] * u[TRU_ROW_SLIDE1] + u[TRU_ROW_SLIDE2] * u[TRU_ROW_SLIDE2]);
    const tru_vec3 zero = {0, 0, 0};
    return sign * part(plus(plus(zero, u[TRU_ROW_SLIDE1], at.t1), u[TRU_ROW_SLIDE2], at.t2), index);
}

/* Spin and separation are the same seen from A and from B: rates and normal change sign together. */
static double probe_contact_rate(const probe_view *v, const probe *p, int index) {
    double sign;
    tru_contact_place at;
    if (!contact_here(v, p, &sign, &at)) return NAN;
    const double *u = at.velocity;
    if (index == 0) return u[TRU_ROW_SPIN];
    if (index == 2) return u[TRU_ROW_NORMAL];
    return sqrt(u[TRU_ROW_ROLL1] * u[TRU_ROW_ROLL1] + u[TRU_ROW_ROLL2] * u[TRU_ROW_ROLL2]);
}

static double probe_gap(const probe_view *v, const probe *p, int index) {
    (void)index;
    double sign;
    tru_contact_place at;
    return contact_here(v, p, &sign, &at) ? at.gap : NAN;
}

static double probe_contact_case(const probe_view *v, const probe *p, int index) {
    (void)index;
    double sign;
    tru_limit l;
    const tru_contact_info *c = first_contact(v, p, &sign);
    return c && limit_of(v, c->body_a, &l) ? (double)l.which : NAN;
}

static double probe_point(const probe_view *v, const probe *p, int index) {
    double sign;
    tru_contact_place at;
    return contact_here(v, p, &sign, &at) ? part(at.point, index) : NAN;
}

static double probe_contact_force(const probe_view *v, const probe *p, int index) {
    double sign;
    const tru_contact_info *c = first_contact(v, p, &sign);
    if (!c) return 0.0;
    const double *r = c->impulse;
    const double values[] = {
        r[TRU_ROW_NORMAL], sqrt(r[TRU_ROW_SLIDE1] * r[TRU_ROW_SLIDE1] + r[TRU_ROW_SLIDE2] * r[TRU_ROW_SLIDE2]),
        r[TRU_ROW_SPIN], sqrt(r[TRU_ROW_ROLL1] * r[TRU_ROW_ROLL1] + r[TRU_ROW_ROLL2] * r[TRU_ROW_ROLL2])};
    return per_step(v, values[index]);
}

static double probe_power(const probe_view *v, const probe *p, int kind) {
    double sign;
    tru_contact_place at;
    const tru_contact_info *c = first_contact(v, p, &sign);
    if (!c || !contact_here(v, p, &sign, &at)) return 0.0;
    const double *r = c->impulse, *u = at.velocity;
    const double work[] = {0.0, r[TRU_ROW_SLIDE1] * u[TRU_ROW_SLIDE1] + r[TRU_ROW_SLIDE2] * u[TRU_ROW_SLIDE2],
                           r[TRU_ROW_SPIN] * u[TRU_ROW_SPIN],
                           r[TRU_ROW_ROLL1] * u[TRU_ROW_ROLL1] + r[TRU_ROW_ROLL2] * u[TRU_ROW_ROLL2]};
    return -per_step(v, work[kind]);
}

static double probe_friction_ratio(const probe_view *v, const probe *p, int index) {
    (void)index;
    const double normal = probe_contact_force(v, p, 0);
    return normal > 0.0 ? probe_contact_force(v, p, 1) / normal : NAN;
}

static double probe_reaction(const probe_view *v, const probe *p, int index) {
    double sign;
    const tru_contact_info *c = first_contact(v, p, &sign);
    return c ? per_step(v, sign * part(impulse_on_a(c), index)) : 0.0;
}

static double probe_stuck(const probe_view *v, const probe *p, int kind) {
    double sign;
    const tru_contact_info *c = first_contact(v, p, &sign);
    return c ? (c->stuck & TRU_KIND_BIT(kind) ? 1.0 : 0.0) : NAN;
}

static double probe_feature(const probe_view *v, const probe *p, int index) {
    double sign;
    const tru_contact_info *c = first_contact(v, p, &sign);
    if (!c) return NAN;
    const int32_t first = sign > 0.0 ? c->shape_a : c->shape_b, second = sign > 0.0 ? c->shape_b : c->shape_a;
    return index == 0 ? c->feature : index == 1 ? first : second;
}

/* Reads the springs of that contact. False if the stepper has none. */
static bool springs_of(const probe_view *v, const probe *p, tru_contact_springs *out) {
    double sign;
    size_t count;
    const tru_contact_info *all = trio_probe_contacts(v, &count), *c = first_contact(v, p, &sign);
    return c && tru_contact_springs_get(v->world, (size_t)(c - all), out, NULL) >= 0;
}

static double probe_stretch(const probe_view *v, const probe *p, int kind) {
    tru_contact_springs s;
    if (!springs_of(v, p, &s)) return NAN;
    const double *x = s.stretch;
    const double values[] = {x[TRU_ROW_NORMAL], hypot(x[TRU_ROW_SLIDE1], x[TRU_ROW_SLIDE2]), x[TRU_ROW_SPIN],
                             hypot(x[TRU_ROW_ROLL1], x[TRU_ROW_ROLL2])};
    return values[kind];
}

static double probe_stiffness(const probe_view *v, const probe *p, int kind) {
    tru_contact_springs s;
    return springs_of(v, p, &s) ? s.stiffness[kind] : NAN;
}

/* ---- joints; NaN once a joint is gone ---- */

static bool joint_now(const probe_view *v, const probe *p, tru_joint_info *out) {
    return tru_joint_get(v->world, p->a, out, NULL) >= 0;
}

static double probe_joint_force(const probe_view *v, const probe *p, int index) {
    tru_joint_info j;
    if (!joint_now(v, p, &j)) return NAN;
    return index == 4 ? dot(j.force, j.axis) : part(j.force, index);
}

static double probe_joint_torque(const probe_view *v, const probe *p, int index) {
    tru_joint_info j;
    if (!joint_now(v, p, &j)) return NAN;
    return index == 4 ? dot(j.torque, j.axis) : part(j.torque, index);
}

static double probe_joint_travel(const probe_view *v, const probe *p, int index) {
    tru_joint_info j;
    if (!joint_now(v, p, &j)) return NAN;
    const double values[] = {j.travel, j.travel_rate, j.apart, j.slips ? 1.0 : 0.0};
    return values[index];
}

static double probe_joint_turn(const probe_view *v, const probe *p, int index) {
    tru_joint_info j;
    if (!joint_now(v, p, &j)) return NAN;
    const double values[] = {j.angle, j.rate, j.turned};
    return values[index];
}

const probe_row trio_probe_rows[] = {
#define PROBE(name, unit, doc, function, index) {name, TRU_UNIT_##unit, probe_##function, index},
#include "probe_list.def"
#undef PROBE
    {NULL, TRU_UNIT_MISSING, NULL, 0}};
