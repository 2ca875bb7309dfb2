/* step_variational_se3.c: any convex body on a plane, by the discrete Lagrange-d'Alembert principle on SE(3): the step in the
 * world. Symbols and the principle: se3_problem.h. */
#include "steppers/variational/se3/step_variational_se3.h"

#include "base/error.h"
#include "detect/lever.h"
#include "laws/law.h"
#include "steppers/variational/scheme/step_variational_view.h"
#include "steppers/variational/se3/step_variational_roll.h"
#include "steppers/variational/se3/step_variational_slip.h"

/* Dry lengths of the resistance where the body stands. */
static void read_resistance(se3 *p, const rolling_node *k) {
    const rolling *r = p->r;
    const tru_rolling *l = &r->resist;
    double radius[3] = {0.0, 0.0, 0.0}, lever[2][2];
    p->roll_viscosity = l->roll_viscosity;
    p->spin_viscosity = l->spin_viscosity;
    if (l->roll.radius != TRU_RADIUS_NONE || l->spin.radius != TRU_RADIUS_NONE) {
        const body *under = &r->w->bodies.items[r->plane];
        const tru_mat3 turn = quat_to_matrix(k->q);
        const placed a = solid_placed(&r->w->solids.items[r->solid_a], k->x, &turn);
        const placed b = solid_on(&r->w->solids.items[r->solid_b], under);
        trui_lever_of(&a, &b, r->n, r->t1, r->t2, lever, &radius[TRU_RADIUS_EFFECTIVE], &radius[TRU_RADIUS_SMALLER]);
    }
    p->roll = l->roll.radius == TRU_RADIUS_NONE ? l->roll.length : l->roll.factor * radius[l->roll.radius];
    p->spin = l->spin.radius == TRU_RADIUS_NONE ? l->spin.length : l->spin.factor * radius[l->spin.radius];
}

node_loads trui_se3_loads(const rolling *r, tru_quat q, double time) {
    node_loads l = {v3_zero(), v3_zero()};
    if (r->w->loads.count > 0) trui_rolling_loads(r, q, time, &l.force, &l.torque);
    return l;
}

void trui_se3_half_momenta(const rolling *r, const node_loads *l, tru_vec3 *push, tru_vec3 *turn) {
    const double mass = r->w->bodies.items[r->body].mass, half = 0.5 * r->h;
    *push = v3_madd(*push, half, v3_madd(l->force, mass, r->pull));
    *turn = v3_madd(*turn, half, l->torque);
}

void trui_se3_problem(const rolling *r, const rolling_node *k, const node_loads *l, se3 *p) {
    const body *b = &r->w->bodies.items[r->body];
    const tru_mat3 turned = quat_to_matrix(k->q);
    p->r = r;
    p->h = r->h;
    p->mass = b->mass;
    p->mass_rate = b->mass / r->h;
    p->inertia = body_inertia_of(b);
    p->start = !r->left.any;
    p->turned = turned;
    p->roll = p->spin = p->roll_viscosity = p->spin_viscosity = 0.0;
    p->n = m3_apply_t(turned, r->n);
    p->t1 = m3_apply_t(turned, r->t1);
    p->t2 = v3_cross(p->n, p->t1);
    p->rho = m3_apply_t(turned, k->arm);
    p->height = v3_dot(p->n, p->rho);
    tru_vec3 push = v3_scale(b->mass, k->v), turn = v3_zero();
    trui_se3_half_momenta(r, l, &push, &turn);
    p->push = m3_apply_t(turned, push);
    p->turn = m3_apply(body_inertia_of(b), m3_apply_t(turned, k->w));
    if (r->w->loads.count > 0) p->turn = v3_add(p->turn, m3_apply_t(turned, turn));
    if (r->resists) read_resistance(p, k);
    if (r->left.any) {
        const double *last = r->left.last, *slip = r->left.slip;
        p->carried = v3_madd(v3_madd(v3_scale(last[0], p->n), last[1], p->t1), last[2], p->t2);
        p->slip = v3_madd(v3_scale(slip[1], p->t1), slip[2], p->t2);
    } else {
        p->carried = v3_zero();
        const tru_vec3 u = m3_apply_t(turned, v3_sub(k->v, v3_cross(k->w, k->arm)));
        p->slip = v3_norm(u) > ROLLING_SLIP * (v3_norm(k->v) + b->size * v3_norm(k->w)) ? along_plane(p, u) : v3_zero();
    }
}

/* The angular velocity w of least effort, W w = b + couple, that leaves out the kinds that hold: linear in b. */
static tru_vec3 turn_held(const tru_mat3 *whole, const tru_mat3 *inverse, uint32_t held, tru_vec3 n, tru_vec3 b) {
    const bool spin = held & TRU_KIND_BIT(TRU_KIND_SPIN), turn = held & TRU_KIND_BIT(TRU_KIND_ROLL);
    if (spin && turn) return v3_zero();
    if (turn) return v3_scale(v3_dot(n, b) / v3_dot(n, m3_apply(*whole, n)), n);
    const tru_vec3 w = m3_apply(*inverse, b), by = m3_apply(*inverse, n);
    return spin ? v3_madd(w, -v3_dot(n, w) / v3_dot(n, by), by) : w;
}

/* A node in its own body axes. */
typedef struct body_node {
    tru_vec3 n, rho;        /* [-], [m] normal, arm */
    tru_vec3 push, turn;    /* [N s], [N m s] momenta without contact */
    tru_vec3 v, w;          /* [m/s], [rad/s] */
    tru_vec3 slip;          /* [m/s] of the step */
    tru_vec3 last, holding; /* [N s] Lambda-, [N m s] couple of the kinds that hold */
} body_node;

/* Velocities at the last node: rolling, or friction along the slip of the step; kinds of resistance that hold have no
 * rate. */
static void end_impulse(const se3 *p, uint32_t stuck, body_node *k) {
    const bool sticks = stuck & TRU_KIND_BIT(TRU_KIND_SLIDE);
    tru_mat3 whole = p->inertia, inverse = whole;
    tru_vec3 b = k->turn;
    if (sticks) {
        const double aa = p->mass * v3_norm2(k->rho);
        whole = m3_madd(whole, -p->mass, m3_outer(k->rho, k->rho));
        for (int i = 0; i < 3; i++) whole.m[i][i] += aa;
        b = v3_add(k->turn, v3_cross(k->rho, k->push));
    }
    m3_spd_inverse(whole, &inverse);
    k->w = turn_held(&whole, &inverse, stuck, k->n, b);
    if (sticks) {
        k->v = v3_cross(k->w, k->rho);
        k->last = v3_sub(v3_scale(p->mass, k->v), k->push);
    } else {
        const double speed = v3_norm(k->slip), mu = trui_coulomb_friction(&p->r->friction, speed);
        const tru_vec3 dir = speed > 0.0 ? v3_madd(k->n, -mu / speed, k->slip) : k->n, moment = v3_cross(k->rho, dir);
        const tru_vec3 per = turn_held(&whole, &inverse, stuck, k->n, moment), v = v3_scale(1.0 / p->mass, k->push);
        const double rises = v3_dot(k->n, v3_sub(v, v3_cross(k->w, k->rho)));
        const double lambda = -rises / v3_dot(k->n, v3_add(v3_scale(1.0 / p->mass, dir), v3_cross(per, k->rho)));
        b = v3_madd(b, -lambda, moment);
        k->w = v3_madd(k->w, -lambda, per);
        k->v = v3_madd(v, lambda / p->mass, dir);
        k->last = v3_scale(lambda, dir);
    }
    const uint32_t kinds = TRU_KIND_BIT(TRU_KIND_SPIN) | TRU_KIND_BIT(TRU_KIND_ROLL);
    k->holding = stuck & kinds ? v3_sub(m3_apply(whole, k->w), b) : v3_zero();
}

/* Work of the step, each term from its own formula: kinetic energy changes by mean velocity times impulse. */
static void book(const se3 *p, const found *f, const rolling_node *start, const tru_mat3 *turned, const node_loads *l0,
                 const node_loads *l1, rolling_result *out) {
    const rolling *r = p->r;
    const rolling_node *end = &out->end;
    const tru_vec3 mean = v3_madd(m3_apply_t(p->turned, start->w), 0.5, end->gain);
    const tru_vec3 v = v3_scale(0.5, v3_add(start->v, end->v));
    const tru_vec3 m0 = m3_apply(p->turned, mean), m1 = m3_apply(*turned, mean);
    const tru_vec3 gone = v3_sub(end->x, start->x);
    tru_ledger *k = &out->work;
    k->gyroscopic = -v3_dot(mean, v3_cross(f->xi, m3_apply(p->inertia, f->xi))) / p->h;
    const bool slips = !(f->stuck & TRU_KIND_BIT(TRU_KIND_SLIDE));
    k->slide = slips ? -v3_dot(along_plane(p, f->node), f->mean_slip) : 0.0;
    const double pushed =
        v3_dot(out->first, v3_sub(v, v3_cross(m0, start->arm))) + v3_dot(out->last, v3_sub(v, v3_cross(m1, end->arm)));
    const double drop = p->mass * v3_dot(r->pull, v3_sub(v3_scale(p->h, v), gone));
    k->theta_shift = pushed + k->slide + drop;
    if (r->w->loads.count > 0)
        k->loads =
            0.5 * p->h * (v3_dot(v3_add(l0->force, l1->force), v) + v3_dot(l0->torque, m0) + v3_dot(l1->torque, m1));
    if (!r->resists) return;
    const tru_vec3 law = v3_add(out->dry, m3_apply(p->turned, v3_scale(2.0, trui_se3_viscous_half(p, f->xi))));
    const tru_vec3 early = v3_scale(0.5, law), late = v3_sub(out->couple, early);
    const double spin = v3_dot(law, r->n) * v3_dot(out->rate, r->n), whole = v3_dot(law, out->rate);
    k->spin = -spin;
    k->roll = spin - whole;
    k->theta_shift += v3_dot(early, m0) + v3_dot(late, m1) - whole;
}

/* Couples of resistance: those at the first node, and what is known of the last node's; world axes. */
static tru_vec3 resist(const se3 *p, const found *f, tru_vec3 *first, rolling_result *out) {
    const rolling *r = p->r;
    out->dry = m3_apply(p->turned, f->couple);
    tru_vec3 half = m3_apply(p->turned, trui_se3_viscous_half(p, f->xi));
    const tru_vec3 dry_n = v3_scale(v3_dot(out->dry, r->n), r->n);
    *first = v3_madd(half, 0.5, out->dry);
    if (!(f->stuck & TRU_KIND_BIT(TRU_KIND_SPIN))) half = v3_madd(half, 0.5, dry_n);
    if (!(f->stuck & TRU_KIND_BIT(TRU_KIND_ROLL))) half = v3_madd(half, 0.5, v3_sub(out->dry, dry_n));
    return half;
}

/* Fill the end of the step from what was found. */
static void finish(const se3 *p, const found *f, const rolling_node *start, const node_loads *l0, rolling_result *out) {
    const rolling *r = p->r;
    rolling_node *end = &out->end;
    end->q = quat_renormalise(quat_mul(start->q, f->turn));
    trui_rolling_support(r, end->q, end);
    const tru_mat3 turned = quat_to_matrix(end->q);
    const tru_vec3 way = m3_apply(p->turned, f->way);
    end->x = v3_add(start->x, way);
    end->x = v3_madd(end->x, -trui_rolling_gap(r, end), r->n);
    const node_loads l1 = trui_se3_loads(r, end->q, r->time + r->h);
    tru_vec3 push = v3_scale(p->mass_rate, way); /* not of positions: far from the origin they have fewer digits */
    tru_vec3 first = v3_zero(), turn = r->resists ? resist(p, f, &first, out) : v3_zero();
    const tru_vec3 half = turn;
    out->rate = v3_scale(1.0 / p->h, m3_apply(p->turned, f->xi));
    trui_se3_half_momenta(r, &l1, &push, &turn);
    body_node k = {
        .n = m3_apply_t(turned, r->n), .rho = m3_apply_t(turned, end->arm), .push = m3_apply_t(turned, push)};
    k.turn = v3_add(trui_se3_momentum_at_end(p, f->xi), m3_apply_t(turned, turn));
    if (!(f->stuck & TRU_KIND_BIT(TRU_KIND_SLIDE))) {
        out->slip = m3_apply(p->turned, f->slip);
        out->mean_slip = m3_apply(p->turned, f->mean_slip);
        k.slip = m3_apply_t(turned, out->slip);
    }
    end_impulse(p, f->stuck, &k);
    end->v = m3_apply(turned, k.v);
    end->w = m3_apply(turned, k.w);
    end->gain = v3_sub(k.w, m3_apply_t(p->turned, start->w));
    out->last = m3_apply(turned, k.last);
    out->couple = v3_add(first, v3_add(half, m3_apply(turned, k.holding)));
    out->first = m3_apply(p->turned, f->first);
    out->balance = p->start ? m3_apply(p->turned, p->carried) : v3_zero();
    out->node = v3_scale(p->start ? 2.0 : 1.0, m3_apply(p->turned, f->node)); /* of a whole step */
    out->stuck = f->stuck;
    out->iterations = f->iterations;
    book(p, f, start, &turned, l0, &l1, out);
}

static tru_status no_solution(const rolling *r, const char *what, double turn, tru_error *err) {
    return tru_fail(err, TRU_NO_SOLUTION,
                    "step %llu (t = %.9g s): step is %.6g s: scheme se3 found no %s of body '%s' near that of the step "
                    "before, which turns by %.3g rad in it; take a shorter step",
                    (unsigned long long)r->w->steps_done + 1, r->time + r->h, r->whole, what, body_name(r->w, r->body),
                    turn);
}

/* Sets the share of the node 0 impulse that only the discrete momentum needs, in p->carried; f: rolling from there.
 *
 * m Delta x/h and Pi+ differ from m v and J w by O(h^2), by different parts, so a half of either step at a node has an impulse
 * of O(h^2) that the other half takes back. Node 0 has no step before it: here it is rolling backwards, -v and -w with
 * resistance that drives. Half the difference of the halves is what they take back from each other. Without friction nothing is
 * needed: velocities of the nodes stay as they are. */
static void balance_start(se3 *p, const rolling_node *start, const node_loads *l, found *f) {
    rolling_node k = *start;
    se3 back;
    found g = {.xi = v3_neg(f->xi)};
    k.v = v3_neg(start->v);
    k.w = v3_neg(start->w);
    trui_se3_problem(p->r, &k, l, &back);
    back.roll_viscosity = -p->roll_viscosity;
    back.spin_viscosity = -p->spin_viscosity;
    if (!trui_se3_roll(&back, &g)) return;
    p->carried = v3_scale(0.5, v3_sub(g.first, f->first));
    trui_se3_impulses(p, f);
}

tru_status trui_rolling_step_se3(const tru_variational *o, const rolling *r, const rolling_node *start,
                                 rolling_result *out, tru_error *err) {
    const node_loads l0 = trui_se3_loads(r, start->q, r->time);
    se3 p;
    trui_se3_problem(r, start, &l0, &p);
    const tru_vec3 rate = m3_apply_t(p.turned, start->w);
    found guess = {.xi = v3_scale(p.h, v3_madd(rate, 0.5, start->gain))}, f, slipping;
    guess.way = v3_scale(p.h, m3_apply_t(p.turned, start->v));
    f = guess;
    const bool dry = p.roll > 0.0 || p.spin > 0.0, may_slip = o->when_not_rolling == TRU_SLIP;
    bool rolls = trui_se3_roll(&p, &f);
    const bool balances = p.start && v3_norm2(p.slip) == 0.0 && r->friction.slide_static > 0.0;
    if (rolls && balances) balance_start(&p, start, &l0, &f);
    if (dry) {
        if (!rolls) f = guess;
        rolls = trui_se3_roll_dry(&p, &f);
    }
    if (may_slip) {
        const double normal = v3_dot(f.node, p.n), friction = v3_norm(along_plane(&p, f.node));
        if (!rolls || !(friction <= r->friction.slide_static * normal)) {
            if (!trui_se3_slide(&p, rolls ? &f : NULL, &guess, &slipping))
                return no_solution(r, "slip", v3_norm(guess.xi), err);
            f = slipping;
            rolls = true;
        }
    }
    if (!rolls || !(v3_norm(v3_sub(f.xi, guess.xi)) <= ROLLING_NEAR))
        return no_solution(r, f.stuck & TRU_KIND_BIT(TRU_KIND_SLIDE) ? "rolling" : "slip", v3_norm(guess.xi), err);
    finish(&p, &f, start, &l0, out);
    return TRU_OK;
}
