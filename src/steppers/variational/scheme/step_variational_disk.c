/* step_variational_disk.c: a step of a disk of the world in its three angles, and the judge of such a step. */
#include "steppers/variational/scheme/step_variational_disk.h"

#include "base/error.h"
#include "math/elementary/elementary.h"
#include "math/quat.h"
#include "steppers/variational/scheme/step_variational_reduced.h"
#include "steppers/variational/scheme/step_variational_view.h"

/* What forces of the reduced equations are made of. */
typedef struct disk_forces {
    const rolling *r;
    const rolling_node *start;
    double time;   /* [s] there */
    tru_vec3 pull; /* [N] gravity along the plane */
} disk_forces;

/* Axes of a disk that has gone on from the axes f to an angle theta, by phi. */
static disk_frame frame_at(const rolling *r, const disk_frame *f, reduced_angle theta, reduced_angle phi) {
    disk_frame out = {.theta = theta};
    out.heading = v3_madd(v3_scale(phi.c, f->heading), phi.s, f->side);
    out.side = v3_madd(v3_scale(phi.c, f->side), -phi.s, f->heading);
    out.axis = v3_madd(v3_scale(theta.c, r->n), -theta.s, out.side);
    return out;
}

/* Angular velocity [rad/s] of rates times the step. */
static tru_vec3 turning(const rolling *r, const disk_frame *f, const double rate[ANGLES]) {
    const tru_vec3 sum = v3_madd(v3_scale(rate[THETA], f->heading), rate[PHI], r->n);
    return v3_scale(1.0 / r->h, v3_madd(sum, rate[PSI], f->axis));
}

/* Attitude after the disk has gone on by angles, from their halves: it rolls about its axis, leans about its heading, turns
 * about n; of the last two turns the product is written out. */
static tru_quat attitude(const rolling *r, const rolling_node *start, const reduced_angle half[ANGLES]) {
    const disk_frame *f = &start->disk;
    const reduced_angle t = half[THETA], u = half[PHI], z = half[PSI];
    const tru_vec3 w = v3_madd(v3_madd(v3_scale(u.c * t.s, f->heading), u.s * t.c, r->n), u.s * t.s, f->side);
    const tru_quat leans = {u.c * t.c, w.x, w.y, w.z}, rolls = {z.c, z.s * f->axis.x, z.s * f->axis.y, z.s * f->axis.z};
    return quat_renormalise(quat_mul(quat_mul(leans, rolls), start->q));
}

static tru_quat attitude_at(const rolling *r, const rolling_node *start, const double gone[ANGLES]) {
    reduced_angle half[ANGLES];
    for (int i = 0; i < ANGLES; i++) tru_sincos_small(0.5 * gone[i], &half[i].s, &half[i].c);
    return attitude(r, start, half);
}

/* [N m] about the contact point: of loads, and of gravity along the plane; and the couple of viscous resistance. */
typedef struct disk_moments {
    tru_vec3 loads, gravity, resist;
} disk_moments;

static disk_moments moments_at(const disk_forces *c, const reduced_at *at, const disk_frame *f, tru_vec3 w) {
    const rolling *r = c->r;
    const tru_vec3 arm = trui_rolling_disk_arm(r, f);
    disk_moments m = {v3_zero(), v3_cross(arm, c->pull), v3_zero()};
    if (r->w->loads.count > 0) {
        tru_vec3 force, torque;
        trui_rolling_loads(r, attitude_at(r, c->start, at->gone), c->time + at->part * r->h, &force, &torque);
        m.loads = v3_add(torque, v3_cross(arm, force));
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
    const rolling_disk *d = &c->r->disk;
    reduced_angle phi;
    tru_sincos_small(at->gone[PHI], &phi.s, &phi.c);
    const disk_frame f = frame_at(c->r, &c->start->disk, at->theta, phi);
    const disk_moments m = moments_at(c, at, &f, turning(c->r, &f, at->rate));
    const double unit = c->r->h * c->r->h / (d->mass * d->radius * d->radius);
    const tru_vec3 sum = v3_scale(unit, v3_add(v3_add(m.loads, m.gravity), m.resist));
    q[THETA] = v3_dot(sum, f.heading);
    q[PHI] = v3_dot(sum, c->r->n);
    q[PSI] = v3_dot(sum, f.axis);
}

static disk_forces forces_of(const rolling *r, const rolling_node *start, double time) {
    const tru_vec3 along = v3_madd(r->pull, -v3_dot(r->pull, r->n), r->n);
    return (disk_forces){r, start, time, v3_scale(r->disk.mass, along)};
}

/* The step of the reduced equations with everything but its result, which is not set to anything: that would take time. */
static void step_of(const rolling *r, const rolling_node *k, const disk_forces *f, reduced_step *s) {
    const disk_frame *d = &k->disk;
    s->disk = r->disk.k;
    s->disk.g = r->h * r->h * r->disk.fall;
    s->theta = d->theta;
    s->force = r->w->loads.count > 0 || r->resists || v3_norm2(f->pull) > 0.0 ? force_of_world : NULL;
    s->context = f;
    s->rate[THETA] = r->h * v3_dot(k->w, d->heading);
    s->rate[PSI] = -r->h * v3_dot(k->w, d->side) * d->per_sine;
    s->rate[PHI] = r->h * v3_dot(k->w, r->n) - d->theta.c * s->rate[PSI];
}

/* The end of the step in the world: tangential way, height from the angle, velocities of rolling. */
static void place_end(const rolling *r, const rolling_node *start, const reduced_step *s, rolling_node *end) {
    const disk_frame *f = &start->disk;
    const tru_vec3 way = v3_scale(r->disk.radius, v3_madd(v3_scale(s->path[0], f->heading), s->path[1], f->side));
    end->q = attitude(r, start, s->half);
    trui_rolling_support(r, end->q, end);
    end->x = v3_add(v3_add(v3_sub(start->x, start->arm), way), end->arm);
    end->x = v3_madd(end->x, -trui_rolling_gap(r, end), r->n);
    end->w = turning(r, &end->disk, s->end);
    end->v = v3_cross(end->w, end->arm);
    end->gain = v3_scale(1.0 / r->h, v3(s->d[0] - s->end[0], s->d[1] - s->end[1], s->d[2] - s->end[2]));
}

/* Work of loads and resistance with the rates of the middle of the step; the rest of the change of energy is what
 * midpoint and nodes differ by: half of end rates times end momenta minus the same of the start. */
static void book(const rolling *r, const rolling_node *start, const reduced_step *s, const disk_forces *c,
                 rolling_result *out) {
    const reduced_angle t = s->half[THETA];
    const reduced_at at = {{s->theta.s * t.c + s->theta.c * t.s, s->theta.c * t.c - s->theta.s * t.s},
                           {0.5 * s->d[THETA], 0.5 * s->d[PHI], 0.5 * s->d[PSI]},
                           0.5,
                           {s->d[THETA], s->d[PHI], s->d[PSI]}};
    const disk_frame f = frame_at(r, &start->disk, at.theta, s->half[PHI]);
    const rolling_disk *d = &r->disk;
    double kinetic = 0.0;
    for (int i = 0; i < ANGLES; i++) kinetic += 0.5 * (s->end[i] * s->p_end[i] - s->rate[i] * s->p[i]);
    const double unit = d->mass * (d->radius / r->h) * (d->radius / r->h);
    const double raised = -d->mass * v3_dot(r->pull, v3_sub(out->end.x, start->x));
    out->rate = turning(r, &f, at.rate);
    out->work.theta_shift = unit * kinetic + raised;
    if (!s->force) return;
    const disk_moments m = moments_at(c, &at, &f, out->rate);
    const double spin = v3_dot(out->rate, r->n);
    out->couple = v3_scale(r->h, m.resist);
    out->work.loads = r->h * v3_dot(m.loads, out->rate);
    out->work.spin = r->h * r->resist.spin_viscosity * spin * spin;
    out->work.roll = -r->h * v3_dot(m.resist, out->rate) - out->work.spin;
    out->work.theta_shift += out->work.spin + out->work.roll - out->work.loads;
}

/* Force of loads in the middle of the step. [N] */
static tru_vec3 load_in_middle(const rolling *r, const rolling_node *start, const reduced_step *s) {
    tru_vec3 force, torque;
    const double half[ANGLES] = {0.5 * s->d[THETA], 0.5 * s->d[PHI], 0.5 * s->d[PSI]};
    if (r->w->loads.count == 0) return v3_zero();
    trui_rolling_loads(r, attitude_at(r, start, half), r->time + 0.5 * r->h, &force, &torque);
    return force;
}

/* Impulses of the contact from the balance of momentum, at the two nodes of the step. */
static void push(const rolling *r, const rolling_node *start, tru_vec3 force, bool halves, rolling_result *out) {
    const double mass = r->disk.mass;
    const tru_vec3 mean = v3_scale(mass / r->h, v3_sub(out->end.x, start->x));
    const tru_vec3 half = v3_scale(0.5 * r->h, v3_madd(force, mass, r->pull));
    out->first = v3_sub(v3_madd(mean, -mass, start->v), half);
    out->last = v3_sub(v3_sub(v3_scale(mass, out->end.v), mean), half);
    if (halves) return;
    out->first = out->last = v3_scale(0.5, v3_add(out->first, out->last));
}

static tru_status no_end(const rolling *r, const reduced_step *s, const char *scheme, tru_error *err) {
    return tru_fail(
        err, TRU_NO_SOLUTION,
        "step %llu (t = %.9g s): step is %.6g s: scheme %s did not converge at theta = %.6g rad, which turns by %.3g rad in it; take a shorter step, or scheme se3 near flat",
        (unsigned long long)r->w->steps_done + 1, r->time + r->h, r->whole, scheme, tru_atan2(s->theta.s, s->theta.c),
        fabs(s->rate[THETA]) + fabs(s->rate[PHI]));
}

tru_status trui_rolling_step_reduced(const tru_variational *o, const rolling *r, const rolling_node *start,
                                     rolling_result *out, tru_error *err) {
    const disk_forces f = forces_of(r, start, r->time);
    const bool published = o->start == TRU_START_PAPER && !r->left.any, variational = o->scheme == TRU_REDUCED;
    const double lag[ANGLES] = {r->h * start->gain.x, r->h * start->gain.y, r->h * start->gain.z};
    reduced_step s;
    step_of(r, start, &f, &s);
    if (variational) {
        trui_reduced_guess(&s, r->left.any ? lag : NULL, r->left.any ? r->left.missed : NULL);
        const double guess[ANGLES] = {s.d[0], s.d[1], s.d[2]};
        if (!trui_reduced_solve(&s, published)) return no_end(r, &s, "reduced", err);
        for (int i = 0; i < ANGLES; i++)
            if (!(fabs(s.d[i] - guess[i]) <= ROLLING_NEAR)) return no_end(r, &s, "reduced", err);
    } else if (!trui_reduced_runge_kutta(&s, o->scheme)) {
        return no_end(r, &s, "runge-kutta", err);
    }
    place_end(r, start, &s, &out->end);
    book(r, start, &s, &f, out);
    push(r, start, load_in_middle(r, start, &s), variational, out);
    for (int i = 0; variational && r->left.any && i < ANGLES; i++) out->missed[i] = s.d[i] - s.plain[i];
    out->iterations = published ? 0 : s.iterations;
    return TRU_OK;
}

/* ---- judging */

/* Turn of the disk about its axis against its heading; modulo a full turn. */
static double turn_of(const rolling *r, const rolling_node *k) {
    tru_vec3 mark, other;
    v3_tangents(r->disk.axis, &mark, &other);
    mark = quat_rotate(k->q, mark);
    const disk_frame *f = &k->disk;
    return tru_atan2(v3_dot(mark, v3_cross(f->axis, f->heading)), v3_dot(mark, f->heading));
}

static double wrapped(double angle) {
    const double turn = 0x1.921fb54442d18p+2;
    return angle - turn * floor(angle / turn + 0.5);
}

/* [rad] by which the angles of a disk differ between two nodes. */
static void angles_between(const rolling *r, const rolling_node *start, const rolling_node *end, double d[ANGLES]) {
    const disk_frame *f = &start->disk, *g = &end->disk;
    d[THETA] =
        tru_atan2(g->theta.s * f->theta.c - g->theta.c * f->theta.s, g->theta.c * f->theta.c + g->theta.s * f->theta.s);
    d[PHI] = tru_atan2(v3_dot(g->heading, f->side), v3_dot(g->heading, f->heading));
    d[PSI] = wrapped(turn_of(r, end) - turn_of(r, start));
}

/* [rad/s] largest rate that momenta at a node do not explain. */
static double unexplained(const rolling *r, const reduced_disk *k, reduced_angle theta, const double p[ANGLES]) {
    double rate[ANGLES];
    if (!trui_reduced_rates(k, theta, p, rate)) return DBL_MAX;
    return fmax(fabs(rate[THETA]), fmax(fabs(rate[PHI]), fabs(rate[PSI]))) / r->h;
}

/* Of the discrete momenta (14), (15), (16) at the two nodes. */
static double judge_momenta(const tru_variational *o, const rolling *r, const reduced_step *s,
                            const reduced_step *after) {
    double first[ANGLES], last[ANGLES], p[ANGLES], q[ANGLES] = {0.0, 0.0, 0.0};
    if (s->force) trui_reduced_middle_force(s, q);
    trui_reduced_discrete(&s->disk, s->theta, s->d, first, last, NULL);
    trui_reduced_momenta(&s->disk, s->theta, s->rate, p);
    for (int i = 0; i < ANGLES; i++) first[i] -= 0.5 * q[i] + p[i];
    trui_reduced_momenta(&s->disk, after->theta, after->rate, p);
    for (int i = 0; i < ANGLES; i++) last[i] += 0.5 * q[i] - p[i];
    const double left = unexplained(r, &s->disk, after->theta, last);
    const bool published = o->start == TRU_START_PAPER && r->at->age == 0; /* its momentum is another */
    return published ? left : fmax(left, unexplained(r, &s->disk, s->theta, first));
}

void trui_rolling_judge_reduced(const tru_variational *o, const rolling *r, const rolling_node *start,
                                const rolling_node *end, tru_verdict *out) {
    const disk_forces f = forces_of(r, start, trui_world_time(r->w) - r->h), g = forces_of(r, end, 0.0);
    reduced_step s, after, again;
    double sf, cf;
    step_of(r, start, &f, &s);
    step_of(r, start, &f, &again);
    step_of(r, end, &g, &after);
    angles_between(r, start, end, s.d);
    tru_sincos_small(0.5 * s.d[PHI], &sf, &cf);
    s.path[0] = -s.d[PSI] * cf;
    s.path[1] = -s.d[PSI] * sf;
    if (o->scheme == TRU_REDUCED) {
        out->spin = judge_momenta(o, r, &s, &after);
    } else {
        trui_reduced_runge_kutta(&again, o->scheme);
        for (int i = 0; i < ANGLES; i++) out->spin = fmax(out->spin, fabs(again.end[i] - after.rate[i]) / r->h);
        for (int i = 0; i < ANGLES; i++) out->spin = fmax(out->spin, fabs(again.d[i] - s.d[i]) / r->h);
        memcpy(s.path, again.path, sizeof s.path);
    }
    const disk_frame *d = &start->disk;
    const tru_vec3 way = v3_scale(r->disk.radius, v3_madd(v3_scale(s.path[0], d->heading), s.path[1], d->side));
    const tru_vec3 went = v3_sub(v3_sub(end->x, end->arm), v3_sub(start->x, start->arm));
    out->law[TRU_KIND_SLIDE] = v3_norm(v3_sub(went, way)) / r->h;
}

/* ---- the middle of a step */

void trui_rolling_middle_of_disk(const rolling *r, tru_quat start, tru_quat end, double *kinetic, double *height) {
    const rolling_disk *d = &r->disk;
    const rolling_node a = {.q = start, .disk = trui_rolling_disk_frame(r, start)};
    const rolling_node b = {.q = end, .disk = trui_rolling_disk_frame(r, end)};
    double turn[ANGLES];
    angles_between(r, &a, &b, turn);
    const reduced_angle middle = reduced_angle_turned(a.disk.theta, 0.5 * turn[THETA]);
    *kinetic = d->mass * (d->radius / r->h) * (d->radius / r->h) * trui_reduced_energy(&d->k, middle, turn);
    *height = d->radius * (middle.s + d->k.e * middle.c);
}
