/* step_variational_slip.c: slip and dry resistance in scheme se3: up to eight unknowns xi, way along t1 and t2, couples
 * about n, t1, t2. */
#include "steppers/variational/se3/step_variational_slip.h"
#include "base/assert.h"

#include "math/solve.h"
#include "steppers/variational/se3/step_variational_roll.h"

#define MOST_ITERATIONS 25
#define NEWTON_ENOUGH                                                                                                  \
    1e-14 /* [-] last change in parts of angles and way: so much of the momentum is not known either */

#define NEWTON_FLOOR                                                                                                   \
    0x1p-48 /* [-] in parts of the size: a few rounding errors of the height, which is a difference of such lengths */

enum { MOST = 8 };
typedef enum slide_rule { RULE_STICK, RULE_BRANCH, RULE_SLIP } slide_rule;

/* Unknowns and rows of a Newton step, each in its unit: lengths in sizes, impulses in m size/h. */
typedef struct rows {
    int n;
    double value[MOST], slope[MOST * MOST];
} rows;

/* y/|y| times limit, with derivatives by y (d) and limit (the direction). */
static bool onto_disc(double y1, double y2, double limit, double out[2], double d[3], double dir[2]) {
    TRU_ASSERT(!(limit < 0.0));
    const double size = sqrt(y1 * y1 + y2 * y2);
    if (!(size > 0.0)) return false;
    dir[0] = y1 / size;
    dir[1] = y2 / size;
    out[0] = limit * dir[0];
    out[1] = limit * dir[1];
    d[0] = limit * dir[1] * dir[1] / size;
    d[1] = -limit * dir[0] * dir[1] / size;
    d[2] = limit * dir[0] * dir[0] / size;
    return true;
}

/* The trial as the rows see it: impulses and slip with their derivatives by (xi, way). */
typedef struct motion_rows {
    double node[3];      /* [N s] n, t1, t2 */
    double slip[2];      /* [m/s] */
    double d_node[3][5]; /* by xi, way1, way2 */
    double d_slip[2][5]; /* */
} motion_rows;

static motion_rows motions_of(const se3 *p, const trial *t, const double way[2]) {
    motion_rows m;
    const tru_vec3 frame[3] = {p->n, p->t1, p->t2};
    memset(&m, 0, sizeof m);
    for (int i = 0; i < 3; i++) {
        const double gone = i == 0 ? t->raised : way[i - 1];
        m.node[i] = p->mass_rate * gone - v3_dot(frame[i], p->push) + v3_dot(frame[i], p->carried);
        if (i > 0) m.d_node[i][2 + i] = p->mass_rate;
    }
    const double raised[3] = {t->d_raised.x, t->d_raised.y, t->d_raised.z};
    for (int j = 0; j < 3; j++) m.d_node[0][j] = p->mass_rate * raised[j];
    for (int i = 0; i < 2; i++) {
        const tru_vec3 d = m3_apply_t(t->d_rolled, frame[i + 1]);
        const double by[3] = {d.x, d.y, d.z};
        m.slip[i] = (way[i] - v3_dot(frame[i + 1], t->rolled)) / p->h;
        m.d_slip[i][3 + i] = 1.0 / p->h;
        for (int j = 0; j < 3; j++) m.d_slip[i][j] = -by[j] / p->h;
    }
    return m;
}

/* Rows of the balance of angular momentum at the first node. */
static void turn_rows(const se3 *p, const trial *t, tru_vec3 xi, const double way[2], tru_vec3 couple, rows *k) {
    const tru_vec3 gone = v3_madd(v3_madd(v3_scale(t->raised, p->n), way[0], p->t1), way[1], p->t2);
    tru_vec3 left = v3_add(v3_sub(t->pi, p->turn), v3_cross(p->rho, v3_sub(v3_scale(p->mass_rate, gone), p->push)));
    left = v3_sub(left, v3_madd(trui_se3_viscous_half(p, xi), 0.5, couple));
    const tru_vec3 up = v3_scale(p->mass_rate, v3_cross(p->rho, p->n));
    const tru_mat3 by_xi = m3_sub(m3_add(t->d_pi, m3_outer(up, t->d_raised)), trui_se3_viscous_slope(p));
    const tru_vec3 by[5] = {v3_scale(p->mass_rate, v3_cross(p->rho, p->t1)),
                            v3_scale(p->mass_rate, v3_cross(p->rho, p->t2)), v3_scale(-0.5, p->n),
                            v3_scale(-0.5, p->t1), v3_scale(-0.5, p->t2)};
    const double value[3] = {left.x, left.y, left.z};
    for (int i = 0; i < 3; i++) {
        k->value[i] = value[i];
        for (int j = 0; j < 3; j++) k->slope[i * MOST + j] = by_xi.m[i][j];
        for (int j = 0; j < 5; j++) k->slope[i * MOST + 3 + j] = i == 0 ? by[j].x : i == 1 ? by[j].y : by[j].z;
    }
}

/* The slip that the law at the node sees: the mean of the steps on either side, at node 0 the given one unless that is
 * zero; returns the weight of this step's slip u in it. */
static double node_slip(const se3 *p, const double u[2], double mean[2]) {
    const double before = p->start ? 1.0 : 0.5;
    const double weight = !p->start ? 0.5 : v3_norm2(p->slip) > 0.0 ? 0.0 : 1.0;
    mean[0] = before * v3_dot(p->slip, p->t1) + weight * u[0];
    mean[1] = before * v3_dot(p->slip, p->t2) + weight * u[1];
    return weight;
}

/* Rows of sliding: no slip, or friction that opposes the slip of the node (Alart and Curnier's form). */
static void slide_rows(const se3 *p, const motion_rows *m, slide_rule rule, double rho, rows *k) {
    TRU_ASSERT(rho > 0.0);
    double out[2], d[3], dir[2], mean[2];
    const double weight = node_slip(p, m->slip, mean);
    const double y1 = m->node[1] - rho * mean[0], y2 = m->node[2] - rho * mean[1];
    const double speed = sqrt(mean[0] * mean[0] + mean[1] * mean[1]),
                 mu = trui_coulomb_friction(&p->r->friction, speed);
    const double fall =
        speed > 0.0 ? weight * trui_coulomb_slope(&p->r->friction, speed) * fmax(m->node[0], 0.0) / speed : 0.0;
    const double limit = mu * fmax(m->node[0], 0.0);
    const bool slips = rule == RULE_SLIP || (rule == RULE_BRANCH && y1 * y1 + y2 * y2 > limit * limit);
    const bool good = slips && onto_disc(y1, y2, limit, out, d, dir);
    for (int i = 0; i < 2; i++) {
        double *row = k->slope + (3 + i) * MOST;
        memset(row, 0, MOST * sizeof *row);
        if (!good) { /* no slip in the step; where friction only just holds, none at the node */
            const bool plain = rule == RULE_STICK || weight == 0.0;
            k->value[3 + i] = rho * (plain ? m->slip[i] : mean[i]);
            for (int j = 0; j < 5; j++) row[j] = rho * (plain ? 1.0 : weight) * m->d_slip[i][j];
            continue;
        }
        k->value[3 + i] = m->node[1 + i] - out[i];
        for (int j = 0; j < 5; j++) {
            const double dy1 = m->d_node[1][j] - rho * weight * m->d_slip[0][j];
            const double dy2 = m->d_node[2][j] - rho * weight * m->d_slip[1][j];
            row[j] = m->d_node[1 + i][j] - (i ? d[1] * dy1 + d[2] * dy2 : d[0] * dy1 + d[1] * dy2) -
                     mu * dir[i] * (m->node[0] > 0.0 ? m->d_node[0][j] : 0.0) -
                     fall * dir[i] * (mean[0] * m->d_slip[0][j] + mean[1] * m->d_slip[1][j]);
        }
    }
}

/* Rows of dry resistance: the couple opposes the rate of the step, or there is no rate. Returns the kinds that hold. */
static uint32_t couple_rows(const se3 *p, const motion_rows *m, tru_vec3 xi, const double c[3], double rho, rows *k) {
    const tru_vec3 frame[3] = {p->n, p->t1, p->t2};
    const double steps = p->start ? 2.0 : 1.0, normal = steps * fmax(m->node[0], 0.0); /* node 0 has half a step's */
    uint32_t held = 0;
    double w[3], out[2], d[3], dir[2];
    for (int i = 0; i < 3; i++) {
        w[i] = v3_dot(frame[i], xi) / p->h;
        memset(k->slope + (5 + i) * MOST, 0, MOST * sizeof *k->slope);
        k->slope[(5 + i) * MOST + 5 + i] = 1.0;
        k->value[5 + i] = c[i];
    }
    const double y = c[0] - rho * w[0], limit = p->spin * normal;
    if (p->spin > 0.0 && fabs(y) <= limit) {
        held |= TRU_KIND_BIT(TRU_KIND_SPIN);
        k->value[5] = rho * w[0];
        k->slope[5 * MOST + 5] = 0.0;
        for (int j = 0; j < 3; j++) k->slope[5 * MOST + j] = rho / p->h * (j == 0 ? p->n.x : j == 1 ? p->n.y : p->n.z);
    } else if (p->spin > 0.0) {
        const double sign = y > 0.0 ? 1.0 : -1.0;
        k->value[5] = c[0] - sign * limit;
        for (int j = 0; j < 5; j++) k->slope[5 * MOST + j] = -sign * p->spin * steps * m->d_node[0][j];
    }
    if (!(p->roll > 0.0)) return held;
    const double y1 = c[1] - rho * w[1], y2 = c[2] - rho * w[2], most = p->roll * normal;
    const bool rolls = y1 * y1 + y2 * y2 > most * most && onto_disc(y1, y2, most, out, d, dir);
    if (!rolls) held |= TRU_KIND_BIT(TRU_KIND_ROLL);
    for (int i = 0; i < 2; i++) {
        double *row = k->slope + (6 + i) * MOST;
        const double by[2][3] = {{p->t1.x, p->t1.y, p->t1.z}, {p->t2.x, p->t2.y, p->t2.z}};
        if (!rolls) {
            k->value[6 + i] = rho * w[1 + i];
            row[6 + i] = 0.0;
            for (int j = 0; j < 3; j++) row[j] = rho / p->h * by[i][j];
            continue;
        }
        k->value[6 + i] = c[1 + i] - out[i];
        for (int j = 0; j < 5; j++) row[j] = -p->roll * dir[i] * steps * m->d_node[0][j];
        const double a = i ? d[1] : d[0], b = i ? d[2] : d[1];
        for (int j = 0; j < 3; j++) row[j] += rho / p->h * (a * by[0][j] + b * by[1][j]);
        row[6] -= a;
        row[7] -= b;
    }
    return held;
}

/* Rows and columns to pure numbers, and the Newton step; false: singular. */
static bool newton_step(const se3 *p, rows *k, double by[MOST]) {
    TRU_ASSERT(k->n == 5 || k->n == MOST);
    const double size = p->r->w->bodies.items[p->r->body].size, push = p->mass * size / p->h, turn = push * size;
    int perm[MOST];
    double work[MOST];
    for (int i = 0; i < MOST; i++) {
        const double row = i < 3 || i >= 5 ? turn : push;
        by[i] = -k->value[i] / row;
        for (int j = 0; j < MOST; j++) k->slope[i * MOST + j] *= (j < 3 ? 1.0 : j < 5 ? size : turn) / row;
    }
    if (!tru_lu(k->slope, k->n, MOST, perm, work)) return false;
    tru_lu_solve(k->slope, k->n, MOST, perm, by);
    for (int j = 3; j < k->n; j++) by[j] *= j < 5 ? size : turn;
    return true;
}

/* Newton with one rule for sliding, from the point in *f. */
static bool newton(const se3 *p, slide_rule rule, double rho, found *f) {
    const bool dry = p->roll > 0.0 || p->spin > 0.0;
    const double size = p->r->w->bodies.items[p->r->body].size;
    double way[2] = {v3_dot(p->t1, f->way), v3_dot(p->t2, f->way)}, last = DBL_MAX;
    double c[3] = {v3_dot(p->n, f->couple), v3_dot(p->t1, f->couple), v3_dot(p->t2, f->couple)};
    const double turn_rho = 0.2 * m3_trace(p->inertia) / 3.0;
    tru_vec3 xi = f->xi;
    for (int i = 0; i < 2 * MOST_ITERATIONS; i++, f->iterations++) {
        trial t;
        rows k = {.n = dry ? MOST : 5};
        double by[MOST];
        const tru_vec3 couple = v3_madd(v3_madd(v3_scale(c[0], p->n), c[1], p->t1), c[2], p->t2);
        trui_se3_try(p, xi, true, &t);
        const motion_rows m = motions_of(p, &t, way);
        turn_rows(p, &t, xi, way, couple, &k);
        slide_rows(p, &m, rule, rho, &k);
        f->stuck = dry ? couple_rows(p, &m, xi, c, turn_rho, &k) : 0u;
        if (!newton_step(p, &k, by)) return false;
        const double change =
            sqrt(by[0] * by[0] + by[1] * by[1] + by[2] * by[2]) + sqrt(by[3] * by[3] + by[4] * by[4]) / size;
        if (!isfinite(change)) return false;
        xi = v3_add(xi, v3(by[0], by[1], by[2]));
        way[0] += by[3];
        way[1] += by[4];
        for (int j = 0; dry && j < 3; j++) c[j] += by[5 + j];
        const double scale = trui_se3_angle_scale(p, xi) + sqrt(way[0] * way[0] + way[1] * way[1]) / size;
        const double floor = fmax(1e-12 * scale, NEWTON_FLOOR);
        if (change <= NEWTON_ENOUGH * scale || (change <= floor && change >= 0.25 * last)) {
            trui_se3_try(p, xi, true, &t);
            f->xi = xi;
            f->way = v3_madd(v3_madd(v3_scale(t.raised, p->n), way[0], p->t1), way[1], p->t2);
            f->slip = v3_scale(1.0 / p->h, along_plane(p, v3_sub(f->way, t.rolled)));
            f->couple = v3_madd(v3_madd(v3_scale(c[0], p->n), c[1], p->t1), c[2], p->t2);
            f->turn = cayley(xi);
            if (rule == RULE_STICK) {
                f->stuck |= TRU_KIND_BIT(TRU_KIND_SLIDE);
                f->slip = v3_zero();
            }
            trui_se3_impulses(p, f);
            return true;
        }
        last = change;
    }
    return false;
}

/* The slip that the law at the node sees, and whether friction opposes it. */
static bool opposes(const se3 *p, found *f) {
    const double u[2] = {v3_dot(f->slip, p->t1), v3_dot(f->slip, p->t2)};
    double mean[2];
    node_slip(p, u, mean);
    f->mean_slip = v3_madd(v3_scale(mean[0], p->t1), mean[1], p->t2);
    const tru_vec3 friction = along_plane(p, f->node);
    const double power = v3_dot(friction, f->mean_slip);
    const double noise = 1e-12 * v3_norm(f->node) + NEWTON_ENOUGH * v3_norm(p->push);
    return power <= noise * v3_norm(f->mean_slip);
}

bool trui_se3_roll_dry(const se3 *p, found *f) { return newton(p, RULE_STICK, 0.2 * p->mass, f); }

/* Slipping, by the retry ladder of [variational-equations 8]: branch form; without branch from the stuck solution; with
 * other rho. */
bool trui_se3_slide(const se3 *p, const found *stuck, const found *guess, found *f) {
    static const struct {
        slide_rule rule;
        double rho; /* [-] of the mass */
    } ladder[] = {{RULE_BRANCH, 0.2}, {RULE_SLIP, 0.2}, {RULE_SLIP, 5.0}, {RULE_SLIP, 0.02}};
    for (size_t i = 0; i < sizeof ladder / sizeof *ladder; i++) {
        const bool resting = v3_norm2(p->slip) == 0.0;
        *f = (i > 0 || resting) && stuck ? *stuck : *guess;
        if (newton(p, ladder[i].rule, ladder[i].rho * p->mass, f) && opposes(p, f)) return true;
    }
    return false;
}
