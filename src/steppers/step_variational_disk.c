/* step_variational_disk.c: a step of a disk of the world in its three angles, and the judge of such a step. */
#include "steppers/step_variational.h"

#include "base/error.h"
#include "math/elementary.h"
#include "math/quat.h"

/* What forces of the reduced equations are made of. */
typedef struct disk_forces {
    const rolling *r;
    const rolling_disk *d;
    tru_quat q;    /* [-] at the start of the step */
    double time;   /* [s] there */
    tru_vec3 pull; /* [N] gravity along the plane */
} disk_forces;

/* Axes of the angles and arm of a disk that has gone on by phi to theta. */
typedef struct disk_frame {
    tru_vec3 heading, side, axis; /* [-] e, w, d2 */
    tru_vec3 arm;                 /* [m] */
} disk_frame;

static disk_frame frame_at(const rolling *r, const rolling_disk *d, double theta, double phi) {
    double s, c, sf, cf;
    tru_sincos(theta, &s, &c);
    tru_sincos(phi, &sf, &cf);
    const tru_vec3 across = v3_cross(r->n, d->heading);
    disk_frame f;
    f.heading = v3_madd(v3_scale(cf, d->heading), sf, across);
    f.side = v3_madd(v3_scale(cf, across), -sf, d->heading);
    f.axis = v3_madd(v3_scale(c, r->n), -s, f.side);
    const tru_vec3 up = v3_madd(v3_scale(c, f.side), s, r->n); /* d1 */
    f.arm = v3_scale(d->radius, v3_madd(up, d->k.e, f.axis));
    return f;
}

/* Angular velocity [rad/s] of rates times the step. */
static tru_vec3 turning(const rolling *r, const disk_frame *f, const double rate[ANGLES]) {
    const tru_vec3 sum = v3_madd(v3_scale(rate[THETA], f->heading), rate[PHI], r->n);
    return v3_scale(1.0 / r->h, v3_madd(sum, rate[PSI], f->axis));
}

/* Attitude after the disk has gone on by these angles. */
static tru_quat attitude(const rolling *r, const rolling_disk *d, tru_quat q, double theta, double phi, double psi) {
    const tru_quat lean = quat_exp(v3_scale(theta, d->heading)), turn = quat_exp(v3_scale(phi, r->n));
    const tru_quat roll = quat_exp(v3_scale(psi, d->axis));
    return quat_renormalise(quat_mul(quat_mul(turn, lean), quat_mul(q, roll)));
}

/* [N m] about the contact point: of loads, and of gravity along the plane; and the couple of viscous resistance. */
typedef struct disk_moments {
    tru_vec3 loads, gravity, resist;
} disk_moments;

static disk_moments moments_at(const disk_forces *c, const reduced_at *at, const disk_frame *f, tru_vec3 w) {
    const rolling *r = c->r;
    disk_moments m = {v3_zero(), v3_cross(f->arm, c->pull), v3_zero()};
    if (r->w->loads.count > 0) {
        tru_vec3 force, torque;
        const tru_quat q = attitude(r, c->d, c->q, at->theta - c->d->theta, at->phi, at->psi);
        rolling_loads(r, q, c->time + at->part * r->h, &force, &torque);
        m.loads = v3_add(torque, v3_cross(f->arm, force));
    }
    if (r->resists) {
        const double spin = v3_dot(w, r->n);
        m.resist = v3_scale(-r->resist.roll_viscosity, v3_madd(w, -spin, r->n));
        m.resist = v3_madd(m.resist, -r->resist.spin_viscosity * spin, r->n);
    }
    return m;
}

static void force_of_world(const void *context, const reduced_at *at, double q[ANGLES]) {
    const disk_forces *c = context;
    const disk_frame f = frame_at(c->r, c->d, at->theta, at->phi);
    const disk_moments m = moments_at(c, at, &f, turning(c->r, &f, at->rate));
    const double unit = c->r->h * c->r->h / (c->d->mass * c->d->radius * c->d->radius);
    const tru_vec3 sum = v3_scale(unit, v3_add(v3_add(m.loads, m.gravity), m.resist));
    q[THETA] = v3_dot(sum, f.heading);
    q[PHI] = v3_dot(sum, c->r->n);
    q[PSI] = v3_dot(sum, f.axis);
}

static disk_forces forces_of(const rolling *r, const rolling_disk *d, tru_quat q, double time) {
    const tru_vec3 along = v3_madd(r->pull, -v3_dot(r->pull, r->n), r->n);
    return (disk_forces){r, d, q, time, v3_scale(d->mass, along)};
}

/* The step of the reduced equations with everything but its result. */
static reduced_step step_of(const rolling *r, const rolling_disk *d, const disk_forces *f, tru_vec3 w) {
    reduced_step s = {.disk = d->k, .theta = d->theta, .context = f};
    if (r->w->loads.count > 0 || r->resists || v3_norm2(f->pull) > 0.0) s.force = force_of_world;
    const tru_vec3 side = v3_cross(r->n, d->heading);
    double sine, cosine;
    tru_sincos(d->theta, &sine, &cosine);
    s.rate[THETA] = r->h * v3_dot(w, d->heading);
    s.rate[PSI] = -r->h * v3_dot(w, side) / sine;
    s.rate[PHI] = r->h * v3_dot(w, r->n) - cosine * s.rate[PSI];
    return s;
}

/* The end of the step in the world: tangential way, height from the angle, velocities of rolling. */
static void place_end(const rolling *r, const rolling_disk *d, const rolling_node *start, const reduced_step *s,
                      rolling_node *end) {
    const disk_frame f = frame_at(r, d, s->theta + s->d[THETA], s->d[PHI]);
    const tru_vec3 across = v3_cross(r->n, d->heading);
    const tru_vec3 way = v3_scale(d->radius, v3_madd(v3_scale(s->path[0], d->heading), s->path[1], across));
    *end = (rolling_node){.q = attitude(r, d, start->q, s->d[THETA], s->d[PHI], s->d[PSI]), .local = start->local};
    rolling_support(r, end->q, end);
    end->x = v3_add(v3_add(v3_sub(start->x, start->arm), way), end->arm);
    end->x = v3_madd(end->x, -rolling_gap(r, end), r->n);
    end->w = turning(r, &f, s->end);
    end->v = v3_cross(end->w, end->arm);
}

/* Work of loads and resistance with the rates of the middle of the step; the rest of the change of energy is what
 * midpoint and nodes differ by: half of end rates times end momenta minus the same of the start. */
static void book(const rolling *r, const rolling_disk *d, const rolling_node *start, const reduced_step *s, bool exact,
                 const disk_forces *c, rolling_result *out) {
    const reduced_at at = {
        s->theta + 0.5 * s->d[THETA], 0.5 * s->d[PHI], 0.5 * s->d[PSI], 0.5, {s->d[THETA], s->d[PHI], s->d[PSI]}};
    const disk_frame f = frame_at(r, d, at.theta, at.phi);
    const tru_vec3 w = turning(r, &f, at.rate);
    const disk_moments m = moments_at(c, &at, &f, w);
    double first[ANGLES], last[ANGLES], kinetic = 0.0;
    reduced_discrete(&s->disk, s->theta, s->d, first, last, NULL);
    if (!exact) { /* the step did not come from its discrete momenta */
        reduced_momenta(&s->disk, s->theta, s->rate, first);
        if (s->iterations > 0) reduced_momenta(&s->disk, s->theta + s->d[THETA], s->end, last);
    }
    for (int i = 0; i < ANGLES; i++) {
        const double half = 0.5 * s->force_mean[i];
        kinetic += 0.5 * (s->end[i] * (last[i] + half) - s->rate[i] * (first[i] - (exact ? half : 0.0)));
    }
    const double spin = v3_dot(w, r->n), unit = d->mass * (d->radius / r->h) * (d->radius / r->h);
    out->couple = v3_scale(r->h, m.resist);
    out->rate = w;
    out->work.loads = r->h * v3_dot(m.loads, w);
    out->work.spin = r->h * r->resist.spin_viscosity * spin * spin;
    out->work.roll = -r->h * v3_dot(m.resist, w) - out->work.spin;
    const double raised = -d->mass * v3_dot(r->pull, v3_sub(out->end.x, start->x));
    out->work.theta_shift = unit * kinetic + raised - out->work.loads + out->work.spin + out->work.roll;
}

/* Impulses of the contact from the balance of momentum, at the two nodes of the step. */
static void push(const rolling *r, const rolling_node *start, double mass, tru_vec3 force, bool halves,
                 rolling_result *out) {
    const tru_vec3 mean = v3_scale(mass / r->h, v3_sub(out->end.x, start->x));
    const tru_vec3 half = v3_scale(0.5 * r->h, v3_madd(force, mass, r->pull));
    out->first = v3_sub(v3_madd(mean, -mass, start->v), half);
    out->last = v3_sub(v3_sub(v3_scale(mass, out->end.v), mean), half);
    if (halves) return;
    out->first = out->last = v3_scale(0.5, v3_add(out->first, out->last));
}

static tru_vec3 load_in_middle(const rolling *r, const rolling_disk *d, const rolling_node *start,
                               const reduced_step *s, double time) {
    tru_vec3 force, torque;
    const tru_quat q = attitude(r, d, start->q, 0.5 * s->d[THETA], 0.5 * s->d[PHI], 0.5 * s->d[PSI]);
    rolling_loads(r, q, time + 0.5 * r->h, &force, &torque);
    return force;
}

tru_status rolling_step_reduced(const tru_variational *o, const rolling *r, const rolling_node *start,
                                rolling_result *out, tru_error *err) {
    const rolling_disk d = rolling_disk_of(r, start->q);
    const double time = r->time;
    const disk_forces f = forces_of(r, &d, start->q, time);
    reduced_step s = step_of(r, &d, &f, start->w);
    const bool published = o->start == TRU_START_PAPER && !r->at, variational = o->scheme == TRU_REDUCED;
    bool good = true;
    if (variational) {
        for (int i = 0; i < ANGLES; i++) s.d[i] = s.rate[i];
        good = reduced_solve(&s, published);
    } else {
        reduced_runge_kutta(&s, o->scheme);
        const double theta = s.theta + s.d[THETA];
        good = theta > 0.0 && theta < 0x1.921fb54442d18p+1;
    }
    if (!good)
        return tru_fail(
            err, TRU_NO_SOLUTION,
            "step %llu (t = %.9g s): scheme %s found no end of the step at theta = %.6g rad, which turns by "
            "%.3g rad in it; take a shorter step, or scheme se3 near flat",
            (unsigned long long)r->w->steps_done + 1, time + r->h, variational ? "reduced" : "runge-kutta", d.theta,
            fabs(s.rate[THETA]) + fabs(s.rate[PHI]));
    if (published) s.iterations = 0;
    place_end(r, &d, start, &s, &out->end);
    book(r, &d, start, &s, variational && !published, &f, out);
    push(r, start, d.mass, load_in_middle(r, &d, start, &s, time), variational, out);
    out->iterations = s.iterations;
    return TRU_OK;
}

/* ---- judging */

/* Turn of the disk about its axis against its heading; modulo a full turn. */
static double turn_of(const rolling *r, const rolling_disk *d, tru_quat q) {
    tru_vec3 mark, other;
    v3_tangents(d->axis, &mark, &other);
    mark = quat_rotate(q, mark);
    const disk_frame f = frame_at(r, d, d->theta, 0.0);
    return tru_atan2(v3_dot(mark, v3_cross(f.axis, f.heading)), v3_dot(mark, f.heading));
}

static double wrapped(double angle) {
    const double turn = 0x1.921fb54442d18p+2;
    return angle - turn * floor(angle / turn + 0.5);
}

/* [rad/s] largest rate that momenta at a node do not explain. */
static double unexplained(const rolling *r, const reduced_disk *k, double theta, const double p[ANGLES]) {
    double rate[ANGLES];
    if (!reduced_rates(k, theta, p, rate)) return DBL_MAX;
    return fmax(fabs(rate[THETA]), fmax(fabs(rate[PHI]), fabs(rate[PSI]))) / r->h;
}

void rolling_judge_reduced(const tru_variational *o, const rolling *r, const rolling_node *start,
                           const rolling_node *end, tru_verdict *out) {
    const rolling_disk d = rolling_disk_of(r, start->q), there = rolling_disk_of(r, end->q);
    const disk_forces f = forces_of(r, &d, start->q, world_time(r->w) - r->h), g = forces_of(r, &there, end->q, 0.0);
    reduced_step s = step_of(r, &d, &f, start->w), after = step_of(r, &there, &g, end->w), again = s;
    const tru_vec3 across = v3_cross(r->n, d.heading);
    double first[ANGLES], last[ANGLES], p[ANGLES], q[ANGLES] = {0.0, 0.0, 0.0}, sf, cf;
    s.d[THETA] = there.theta - d.theta;
    s.d[PHI] = tru_atan2(v3_dot(there.heading, across), v3_dot(there.heading, d.heading));
    s.d[PSI] = wrapped(turn_of(r, &there, end->q) - turn_of(r, &d, start->q));
    tru_sincos(0.5 * s.d[PHI], &sf, &cf);
    s.path[0] = -s.d[PSI] * cf;
    s.path[1] = -s.d[PSI] * sf;
    if (o->scheme == TRU_REDUCED) {
        if (s.force) reduced_middle_force(&s, q);
        reduced_discrete(&s.disk, s.theta, s.d, first, last, NULL);
        reduced_momenta(&s.disk, s.theta, s.rate, p);
        for (int i = 0; i < ANGLES; i++) first[i] -= 0.5 * q[i] + p[i];
        reduced_momenta(&s.disk, there.theta, after.rate, p);
        for (int i = 0; i < ANGLES; i++) last[i] += 0.5 * q[i] - p[i];
        out->spin = unexplained(r, &s.disk, there.theta, last);
        const bool published = o->start == TRU_START_PAPER && r->at->age == 0; /* its momentum is another */
        if (!published) out->spin = fmax(out->spin, unexplained(r, &s.disk, s.theta, first));
    } else {
        reduced_runge_kutta(&again, o->scheme);
        for (int i = 0; i < ANGLES; i++) out->spin = fmax(out->spin, fabs(again.end[i] - after.rate[i]) / r->h);
        for (int i = 0; i < ANGLES; i++) out->spin = fmax(out->spin, fabs(again.d[i] - s.d[i]) / r->h);
        memcpy(s.path, again.path, sizeof s.path);
    }
    const tru_vec3 way = v3_scale(d.radius, v3_madd(v3_scale(s.path[0], d.heading), s.path[1], across));
    const tru_vec3 went = v3_sub(v3_sub(end->x, end->arm), v3_sub(start->x, start->arm));
    out->law[TRU_KIND_SLIDE] = v3_norm(v3_sub(went, way)) / r->h;
}

/* ---- the middle of a step */

void rolling_middle_of_disk(const rolling *r, tru_quat start, tru_quat end, double *kinetic, double *height) {
    const rolling_disk d = rolling_disk_of(r, start), there = rolling_disk_of(r, end);
    const double turn[ANGLES] = {
        there.theta - d.theta,
        tru_atan2(v3_dot(there.heading, v3_cross(r->n, d.heading)), v3_dot(there.heading, d.heading)),
        wrapped(turn_of(r, &there, end) - turn_of(r, &d, start))};
    const double middle = d.theta + 0.5 * turn[THETA], unit = d.mass * (d.radius / r->h) * (d.radius / r->h);
    const disk_frame f = frame_at(r, &d, middle, 0.0);
    reduced_disk k = d.k;
    k.g = 0.0;
    *kinetic = unit * reduced_energy(&k, middle, turn);
    *height = v3_dot(f.arm, r->n);
}
