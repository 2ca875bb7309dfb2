/* one_contact.c: one contact alone: its matrix, and a semismooth Newton method on the natural map.
 *
 * F(p) = p - proj(p - rho (G p + r)) = 0 [rolling-disk-equations 3], J = I - D (I - rho G) with D the derivative of the
 * projection. A contact that stuck is first tried as sticking: G p = -r. Otherwise Newton's method starts from the warm start. Steps
 * are halved while they do not reduce the residual. Projected fixed-point sweeps follow where no step does. */
#include "solvers/one_contact/one_contact.h"
#include "solvers/one_contact/one_contact_ball.h"

#include "base/assert.h"
#include "detect/find_contacts.h"
#include "laws/sets.h"
#include "math/solve.h"

#include <string.h>

#define HALVINGS 6 /* [halvings] of a step at most */
#define SWEEPS                                                                                                         \
    20 /* [sweeps] of the first round; doubled in each, so that steps and sweeps do not undo each other for ever */
#define MOST     2560 /* [sweeps] of a round at most */
#define PATIENCE 3    /* [steps] in a row that do not halve the squared residual, after which sweeps follow */
#define WIDE     8    /* doubles of a row [A | b] */
#define INLINE   static inline __attribute__((always_inline))

/* ---- matrix */

/* Adds one body to the rows of forces: G_ij += e_i.e_j / m + (arm x e_i) . T (arm x e_j). The first body sets them. */
INLINE void add_forces(const problem_body *o, const contact_frame *c, tru_vec3 arm, bool first, double *g) {
    const tru_vec3 n = v3_cross(arm, c->normal), s = v3_cross(arm, c->t1), t = v3_cross(arm, c->t2);
    const tru_vec3 tn = problem_turn(o, n), ts = problem_turn(o, s), tt = problem_turn(o, t);
    const double m = o->inv_mass;
    const double more[9] = {m + v3_dot(n, tn), v3_dot(n, ts), v3_dot(n, tt), v3_dot(s, tn),    m + v3_dot(s, ts),
                            v3_dot(s, tt),     v3_dot(t, tn), v3_dot(t, ts), m + v3_dot(t, tt)};
    for (int i = 0; i < 9; i++) g[i] = (first ? 0.0 : g[i]) + more[i];
}

/* Adds one body to all six rows, in the contact's frame: with K = F T F^T, r = F arm and the rows r x e_i of S, G_ff = 1/m + S K S^T,
 * G_fc = S K, G_cf = K S^T, G_cc = K. */
INLINE void add_all(const problem_body *o, const contact_frame *c, tru_vec3 arm, bool first, double *g) {
    const double r0 = v3_dot(arm, c->normal), r1 = v3_dot(arm, c->t1), r2 = v3_dot(arm, c->t2);
    double k[3][3] = {{o->inverse.m[0][0], 0.0, 0.0}, {0.0, o->inverse.m[0][0], 0.0}, {0.0, 0.0, o->inverse.m[0][0]}};
    if (!o->round) {
        const tru_vec3 axis[3] = {c->normal, c->t1, c->t2};
        for (int j = 0; j < 3; j++) {
            const tru_vec3 turned = m3_apply(o->inverse, axis[j]);
            for (int i = 0; i < 3; i++) k[i][j] = v3_dot(axis[i], turned);
        }
    }
    /* row j of S^T: couple j per unit of each force */
    const double s[3][3] = {{0.0, -r2, r1}, {r2, 0.0, -r0}, {-r1, r0, 0.0}};
    double sk[3][3];
    for (int j = 0; j < 3; j++) {
        const double ks[3] = {r2 * k[j][1] - r1 * k[j][2], r0 * k[j][2] - r2 * k[j][0], r1 * k[j][0] - r0 * k[j][1]};
        sk[0][j] = r2 * k[1][j] - r1 * k[2][j];
        sk[1][j] = r0 * k[2][j] - r2 * k[0][j];
        sk[2][j] = r1 * k[0][j] - r0 * k[1][j];
        for (int i = 0; i < 3; i++) {
            double *fc = g + i * TRU_ROWS + 3 + j, *cf = g + (3 + j) * TRU_ROWS + i,
                   *cc = g + (3 + i) * TRU_ROWS + 3 + j;
            *fc = (first ? 0.0 : *fc) + sk[i][j];
            *cf = (first ? 0.0 : *cf) + ks[i];
            *cc = (first ? 0.0 : *cc) + k[i][j];
        }
    }
    for (int i = 0; i < 3; i++)
        for (int l = 0; l < 3; l++) {
            double sum = first ? 0.0 : g[i * TRU_ROWS + l];
            for (int j = 0; j < 3; j++) {
                if (j != l) sum += sk[i][j] * s[j][l];
                if (j == i && i == l) sum += o->inv_mass;
            }
            g[i * TRU_ROWS + l] = sum;
        }
}

/* Sets rows that no law claims to 1 on the diagonal and 0 elsewhere. */
static void blank_rows(one_contact *l, unsigned claims) {
    for (int k = 1; k < l->n; k++) {
        if (claims & TRU_KIND_BIT(row_kind(k))) continue;
        for (int j = 0; j < l->n; j++) l->g[k * l->n + j] = l->g[j * l->n + k] = 0.0;
        l->g[k * (l->n + 1)] = 1.0;
    }
}

/* Fills the matrix of the claimed rows. */
static void fill_matrix(one_contact *l) {
    const problem_body *a = l->a, *b = l->b;
    const contact_frame *c = &l->c->c;
    const unsigned claims = l->c->pair->claims, every = 0xeu;
    if (l->n == 3) {
        add_forces(a, c, c->arm_a, true, l->g);
        if (b->inv_mass > 0.0) add_forces(b, c, c->arm_b, false, l->g);
    } else {
        add_all(a, c, c->arm_a, true, l->g);
        if (b->inv_mass > 0.0) add_all(b, c, c->arm_b, false, l->g);
    }
    if ((claims & every) != (l->n == 3 ? TRU_KIND_BIT(TRU_KIND_SLIDE) : every)) blank_rows(l, claims);
}

/* Applies K to a column of rates. */
static void apply_k(const one_contact *l, double *column, int stride) {
    double x[TRU_ROWS];
    for (int i = 0; i < l->n; i++) x[i] = (i < 3 ? 1.0 : l->length) * column[i * stride];
    tru_lu_solve(l->viscous.k, l->n, l->n, l->viscous.perm, x);
    for (int i = 0; i < l->n; i++) column[i * stride] = x[i] / (i < 3 ? 1.0 : l->length);
}

/* Replaces G by K G. Returns false if I + G D is singular. */
static bool eliminate_viscous(one_contact *l) {
    one_contact_viscous *v = &l->viscous;
    const int n = l->n;
    const double time = l->step * l->c->theta;
    double d[TRU_FRICTION_ROWS * TRU_FRICTION_ROWS] = {0}, work[TRU_ROWS];
    v->any = false;
    for (int i = 0; i < l->law_count; i++)
        if (l->laws[i].law->viscosity) l->laws[i].law->viscosity(l->laws[i].work, d);
    for (int i = 0; i < TRU_FRICTION_ROWS; i++) v->any |= d[i * (TRU_FRICTION_ROWS + 1)] != 0.0;
    if (!v->any) return true; /* a dissipative matrix that is not zero has a diagonal */
    memset(v->d, 0, sizeof v->d);
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++) v->d[i * n + j] = time * d[(i - 1) * TRU_FRICTION_ROWS + j - 1];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double li = i < 3 ? 1.0 : l->length, lj = j < 3 ? 1.0 : l->length;
            double sum = 0.0;
            for (int k = 0; k < n; k++) sum += l->g[i * n + k] * v->d[k * n + j];
            v->k[i * n + j] = (i == j ? 1.0 : 0.0) + li * sum / lj;
        }
    if (!tru_lu(v->k, n, n, v->perm, work)) return false;
    for (int j = 0; j < n; j++) apply_k(l, l->g + j, n);
    return true;
}

/* Chooses rho of every kind. Fixed points converge with it; Newton's method works with any. */
static void choose_metric(one_contact *l) {
    const int n = l->n;
    l->rho[0] = 1.0 / l->g[0];
    l->rho[1] = l->rho[2] = 1.0 / largest_eigenvalue(l->g + n + 1, n);
    l->rho[3] = l->rho[4] = l->rho[5] = 1.0;
    if (n == 3) return;
    l->rho[3] = 1.0 / l->g[3 * (TRU_ROWS + 1)];
    l->rho[4] = l->rho[5] = 1.0 / largest_eigenvalue(l->g + 4 * (TRU_ROWS + 1), TRU_ROWS);
}

/* Chooses rho of a ball from its responses. */
static void ball_metric(one_contact *l) {
    const double slide = 1.0 / l->slide, turn = 1.0 / l->turn;
    const unsigned claims = l->c->pair->claims;
    l->rho[0] = 1.0 / l->push;
    l->rho[1] = l->rho[2] = claims & TRU_KIND_BIT(TRU_KIND_SLIDE) ? slide : 1.0;
    l->rho[3] = claims & TRU_KIND_BIT(TRU_KIND_SPIN) ? turn : 1.0;
    l->rho[4] = l->rho[5] = claims & TRU_KIND_BIT(TRU_KIND_ROLL) ? turn : 1.0;
}

/* ---- building */

/* Prepares the laws, and finds out whether the set is plain. */
static void prepare_laws(one_contact *l, const contact *c, tru_contact *view) {
    const pair *p = c->pair;
    if (p->plain) { /* the limits are constants of the pair */
        l->plain = true;
        l->law_count = 0;
        memcpy(l->limit, p->limit, sizeof l->limit);
        return;
    }
    double *row = c->c.memory;
    l->law_count = p->law_count;
    l->plain = true; /* laws with viscous impulses have no limits */
    l->limit[0] = l->limit[1] = l->limit[2] = 0.0;
    for (int i = 0; i < p->law_count; i++) {
        const pair_law *k = &p->laws[i];
        double *work = k->kept > 0 ? row + k->kept : l->work[i];
        view->memory = row ? row + k->memory : NULL; /* each law sees its own part of the contact's history */
        k->law->prepare(k->params, view, work);
        l->laws[i] = (law_use){k->law, work, view->memory, k->claims};
        l->plain = l->plain && k->law->limits && k->law->limits(work, l->limit);
    }
}

/* Finds which rows a law couples: slide and spin, spin and roll, or one kind. */
static void couple_rows(one_contact *l) {
    for (int k = 0; k < TRU_ROWS; k++) l->from[k] = (int8_t)k, l->to[k] = (int8_t)(k + 1);
    for (int i = 0; i < l->law_count; i++) {
        const bool slide = l->laws[i].claims & TRU_KIND_BIT(TRU_KIND_SLIDE),
                   spin = l->laws[i].claims & TRU_KIND_BIT(TRU_KIND_SPIN),
                   roll = l->laws[i].claims & TRU_KIND_BIT(TRU_KIND_ROLL);
        const int8_t from = slide  ? TRU_ROW_SLIDE1
                            : spin ? TRU_ROW_SPIN
                                   : TRU_ROW_ROLL1,
                     to = roll    ? TRU_ROWS
                          : spin  ? TRU_ROW_ROLL1
                          : slide ? TRU_ROW_SPIN
                                  : TRU_ROW_ROLL1;
        TRU_ASSERT(from >= TRU_ROW_SLIDE1 && from <= to && to <= TRU_ROWS); /* none if it claims nothing */
        for (int k = from; k < to; k++) l->from[k] = from, l->to[k] = to;
    }
}

bool trui_one_contact_matrix(one_contact *l, const problem_body *a, const problem_body *b) {
    l->a = a;
    l->b = b;
    l->ball = trui_one_contact_is_ball(l, a, b);
    if (l->ball) {
        ball_metric(l);
        return true;
    }
    fill_matrix(l);
    if (!l->plain && l->c->pair->viscous && !eliminate_viscous(l)) return false;
    choose_metric(l);
    return true;
}

/* Extrapolates impulses by the parabola through the last three, or the line through two if the third is of another mode. The error is
 * of third or second order in the step. The history in `end` advances. */
static void warm_start(one_contact *l, contact *c) {
    const unsigned claims = c->pair->claims | TRU_KIND_BIT(TRU_KIND_NORMAL);
    const bool line = c->age > 1 && c->steady && c->end;
    const double one = line ? 1.0 : 0.0, two = line && c->age > 2 ? 1.0 : 0.0;
    for (int k = 0; k < TRU_ROWS; k++) {
        const double now = c->dry[k], last = c->end ? c->end->last[k] : now, older = c->end ? c->end->older[k] : last;
        const double more = one * (now - last) + two * ((now - last) - (last - older));
        l->p[k] = claims & TRU_KIND_BIT(row_kind(k)) ? now + more : 0.0;
        l->u[k] = l->f[k] = 0.0;
        if (!c->end) continue;
        c->end->older[k] = last;
        c->end->last[k] = now;
    }
}

bool trui_one_contact_build(one_contact *l, contact *c, tru_contact *view, const problem_body *a, const problem_body *b,
                            double least_speed) {
    TRU_ASSERT(one_contact_possible(c) && c->pair->law_count <= TRU_PAIR_LAWS && least_speed >= 0.0);
    l->c = c;
    l->n = c->pair->claims & PAIR_COUPLES ? TRU_ROWS : 3;
    l->step = view->step;
    l->least_speed = least_speed;
    l->viscous.any = false;
    l->length = 1.0;
    if (l->n > 3) {
        const double arm = v3_norm(c->c.arm_a);
        l->length = arm > 0.0 ? arm : 1.0;
    }
    prepare_laws(l, c, view);
    if (!l->plain) couple_rows(l);
    if (!trui_one_contact_matrix(l, a, b)) return false;
    warm_start(l, c);
    return true;
}

void trui_one_contact_free_rates(one_contact *l, const twist *a, const twist *b) {
    const contact *c = l->c;
    double u[TRU_ROWS];
    rates_of_rows(c->c.normal, c->c.t1, c->c.t2, c->c.arm_a, c->c.arm_b, a, b, u);
    const unsigned claims = c->pair->claims | TRU_KIND_BIT(TRU_KIND_NORMAL);
    double force = l->least_speed, couple = 0.0;
    for (int k = 0; k < 3; k++) {
        l->r[k] = claims & TRU_KIND_BIT(row_kind(k)) ? u[k] + contact_bias(c, k) : 0.0;
        force = larger(force, fabs(l->r[k]));
    }
    for (int k = 3; k < TRU_ROWS && l->n > 3; k++) {
        l->r[k] = claims & TRU_KIND_BIT(row_kind(k)) ? u[k] + contact_bias(c, k) : 0.0;
        couple = larger(couple, fabs(l->r[k]));
    }
    l->speed = larger(force, couple * l->length);
    if (l->viscous.any) apply_k(l, l->r, 1);
}

/* ---- the natural map */

/* Derivative of the projection of the friction rows, by the normal impulse and by the friction rows. */
typedef struct slopes {
    double dn[TRU_FRICTION_ROWS];
    double dx[TRU_FRICTION_ROWS * TRU_FRICTION_ROWS];
    bool closed;
} slopes;

/* Projects the friction rows onto their sets. */
INLINE void sections(const one_contact *l, tru_section *s, int n, bool plain) {
    if (!plain) {
        trui_laws_section(l->laws, l->law_count, s);
        return;
    }
    disc_section(l->limit[0], ROW_SLIDE, s);
    if (n == 3) return;
    interval_section(l->limit[1], ROW_SPIN, s);
    disc_section(l->limit[2], ROW_ROLL, s);
}

/* Evaluates the natural map f at p with rates u, which kinds stick, and the derivative unless d is NULL. Returns the largest residual,
 * a velocity relative to the speed of the problem. */
INLINE double evaluate(one_contact *l, const double *p, const double *u, double *f, slopes *d, int n, bool plain) {
    double x[TRU_ROWS], y[TRU_ROWS], worst = 0.0;
    for (int k = 0; k < n; k++) y[k] = x[k] = p[k] - l->rho[k] * u[k];
    const bool closed = !(x[0] <= 0.0); /* a NaN passes and shows in the residual */
    y[0] = closed ? x[0] : 0.0;
    if (d && !plain) { /* a law writes the blocks of its kinds; unclaimed rows keep 1 */
        memset(d, 0, sizeof *d);
        for (int k = 0; k < n - 1; k++) d->dx[k * (TRU_FRICTION_ROWS + 1)] = 1.0;
    }
    const double slip = plain ? 0.0 : l->c->theta * sqrt(u[1] * u[1] + u[2] * u[2]);
    const double metric[TRU_KINDS] = {l->rho[0], l->rho[1], l->rho[3], l->rho[4]};
    tru_section s = {y[0], slip, metric, x + 1, y + 1, 0, d ? d->dx : NULL, d ? d->dn : NULL};
    sections(l, &s, n, plain);
    l->stuck = closed ? s.stuck & l->c->pair->claims : 0;
    if (d) d->closed = closed;
    for (int k = 0; k < n; k++) {
        f[k] = p[k] - y[k];
        const double rate = fabs(f[k]) * (k < 3 ? 1.0 : l->length), scale = l->rho[k] * l->speed;
        if (rate > worst * scale || rate != rate) worst = rate / scale; /* a NaN stays */
    }
    return worst;
}

/* Computes u = G p + r. */
INLINE void rates(const one_contact *l, const double *p, double *restrict u, int n) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) sum += l->g[i * n + j] * p[j];
        u[i] = sum + l->r[i];
    }
}

/* ---- linear algebra */

/* Eliminates column k: divides row k by its pivot and subtracts it from the rows below. Returns false if the pivot is small against
 * the original diagonal. */
INLINE bool clear_column(double a[][WIDE], int n, int k, double diagonal) {
    if (k >= n) return true;
    const double pivot = a[k][k], inverse = 1.0 / pivot;
    if (!(fabs(pivot) > 0x1p-13 * fabs(diagonal))) return false;
    for (int j = k + 1; j <= n; j++) a[k][j] *= inverse;
    for (int i = k + 1; i < n && i < TRU_ROWS; i++) /* i < TRU_ROWS tells the compiler the range of n */
        for (int j = k + 1; j <= n; j++) a[i][j] -= a[i][k] * a[k][j];
    return true;
}

/* Solves n rows [A | b] by Gaussian elimination without row exchanges, so that no two units are compared. Returns false if that would
 * lose more than a few digits. */
INLINE bool eliminate(double a[][WIDE], int n, double *x) {
    for (int k = 0; k < n; k++) x[k] = a[k][k];
    if (!clear_column(a, n, 0, x[0]) || !clear_column(a, n, 1, x[1]) || !clear_column(a, n, 2, x[2])) return false;
    if (!clear_column(a, n, 3, x[3]) || !clear_column(a, n, 4, x[4]) || !clear_column(a, n, 5, x[5])) return false;
    for (int k = n - 1; k >= 0; k--) {
        double sum = a[k][n];
        for (int j = k + 1; j < n; j++) sum -= a[k][j] * x[j];
        x[k] = sum;
    }
    return true;
}

/* Fills one row of J and of the right side -f: friction row k, whose law couples rows lo .. hi - 1. */
INLINE void jacobian_row(const one_contact *l, const slopes *d, int k, int lo, int hi, int n, double *row) {
    TRU_ASSERT(lo >= 1 && lo <= k && k < hi && hi <= n);
    const double dn = d->closed ? d->dn[k - 1] * l->rho[0] : 0.0;
    for (int j = 0; j < n; j++) row[j] = dn * l->g[j];
    if (d->closed) row[0] -= d->dn[k - 1];
    for (int m = lo; m < hi; m++) {
        const double slope = d->dx[(k - 1) * TRU_FRICTION_ROWS + m - 1], c = slope * l->rho[m];
        for (int j = 0; j < n; j++) row[j] += c * l->g[m * n + j];
        row[m] -= slope;
    }
    row[k] += 1.0;
    row[n] = -l->f[k];
}

/* Computes the Newton step at the point where f and d were evaluated. Returns false without a pivot. */
INLINE bool direction(const one_contact *l, const slopes *d, int n, bool plain, double *step) {
    double a[TRU_ROWS][WIDE];
    for (int j = 0; j < n; j++) a[0][j] = d->closed ? l->rho[0] * l->g[j] : j == 0 ? 1.0 : 0.0;
    a[0][n] = -l->f[0];
    if (plain) {
        jacobian_row(l, d, 1, 1, 3, n, a[1]);
        jacobian_row(l, d, 2, 1, 3, n, a[2]);
        if (n > 3) {
            jacobian_row(l, d, 3, 3, 4, n, a[3]);
            jacobian_row(l, d, 4, 4, 6, n, a[4]);
            jacobian_row(l, d, 5, 4, 6, n, a[5]);
        }
    } else if (n > 3 && l->to[1] == 4 && l->from[3] == 1 && l->from[4] == 4 && l->to[4] == 6) {
        /* the most frequent case with constant bounds, so that the compiler unrolls: slide with spin (contensou), and roll */
        for (int k = 1; k < 4; k++) jacobian_row(l, d, k, 1, 4, n, a[k]);
        jacobian_row(l, d, 4, 4, 6, n, a[4]);
        jacobian_row(l, d, 5, 4, 6, n, a[5]);
    } else {
        for (int k = 1; k < n; k++) jacobian_row(l, d, k, l->from[k], l->to[k], n, a[k]);
    }
    return eliminate(a, n, step);
}

/* Computes the Newton step with row exchanges, couples in units of the length. Returns false if J is singular. */
static bool direction_pivoted(const one_contact *l, const slopes *d, double *step) {
    const int n = l->n;
    double a[TRU_ROWS * WIDE], work[TRU_ROWS];
    int perm[TRU_ROWS];
    for (int k = 0; k < n; k++) {
        double *row = a + k * WIDE;
        if (k == 0)
            for (int j = 0; j < n; j++) row[j] = d->closed ? l->rho[0] * l->g[j] : j == 0 ? 1.0 : 0.0;
        else
            jacobian_row(l, d, k, 1, n, n, row);
        for (int j = 0; j < n; j++) row[j] *= (j < 3 ? 1.0 : l->length) / (k < 3 ? 1.0 : l->length);
        step[k] = -l->f[k] / (k < 3 ? 1.0 : l->length);
    }
    if (!tru_lu(a, n, WIDE, perm, work)) return false;
    tru_lu_solve(a, n, WIDE, perm, step);
    for (int k = 3; k < n; k++) step[k] *= l->length;
    return true;
}

/* ---- solving */

/* [m^2/s^2] Returns the squared residual as a velocity. */
INLINE double merit(const double *weight, const double *f, int n) {
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        const double v = f[k] * weight[k];
        sum += v * v;
    }
    return sum;
}

/* Takes the longest of 1, 1/2, ... of the step that reduces the squared residual `before`. Returns false if none does. */
INLINE bool advance(one_contact *l, const double *step, const double *weight, double before, double *after,
                    double *worst, int n, bool plain) {
    double t = 1.0;
    for (int i = 0; i <= HALVINGS; i++, t *= 0.5) {
        double p[TRU_ROWS], u[TRU_ROWS], f[TRU_ROWS];
        for (int k = 0; k < n; k++) p[k] = l->p[k] + t * step[k];
        rates(l, p, u, n);
        const double e = evaluate(l, p, u, f, NULL, n, plain);
        *after = merit(weight, f, n);
        if (!(*after < before)) continue;
        memcpy(l->p, p, (size_t)n * sizeof *p);
        memcpy(l->u, u, (size_t)n * sizeof *u);
        memcpy(l->f, f, (size_t)n * sizeof *f);
        *worst = e;
        return true;
    }
    return false;
}

/* Makes fixed-point sweeps p := proj(p - rho u) in the metric of the kinds. Returns the residual. */
static double relax(one_contact *l, int sweeps, bool plain) {
    double worst = 0.0;
    for (int i = 0; i <= sweeps; i++) {
        rates(l, l->p, l->u, l->n);
        worst = evaluate(l, l->p, l->u, l->f, NULL, l->n, plain);
        for (int k = 0; i < sweeps && k < l->n; k++) l->p[k] -= l->f[k];
    }
    return worst;
}

/* Tries sticking in all claimed rows: p = -G^-1 r. Returns true if the laws allow it. */
INLINE bool hold(one_contact *l, double tolerance, double *worst, int n, bool plain) {
    double a[TRU_ROWS][WIDE], p[TRU_ROWS], u[TRU_ROWS];
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) a[k][j] = l->g[k * n + j];
        a[k][n] = -l->r[k];
    }
    if (!eliminate(a, n, p)) return false;
    rates(l, p, u, n);
    *worst = evaluate(l, p, u, l->f, NULL, n, plain);
    if (!(*worst <= tolerance)) return false;
    memcpy(l->p, p, (size_t)n * sizeof *p);
    memcpy(l->u, u, (size_t)n * sizeof *u);
    return true;
}

/* Returns the residual of the warm start, which is reset to zero if it is not finite. */
INLINE double begin(one_contact *l, slopes *d, int n, bool plain) {
    rates(l, l->p, l->u, n);
    double worst = evaluate(l, l->p, l->u, l->f, d, n, plain);
    if (worst < HUGE_VAL) return worst;
    memset(l->p, 0, sizeof l->p);
    rates(l, l->p, l->u, n);
    return evaluate(l, l->p, l->u, l->f, d, n, plain);
}

/* Solves by Newton steps and sweeps. Inlined with constant n and plain, so that loops unroll. Returns the number of steps. */
INLINE int iterate(one_contact *l, double tolerance, int max_steps, double *worst, int n, bool plain) {
    const unsigned claims = l->c->pair->claims;
    int steps = 0, sweeps = SWEEPS, slow = 0;
    slopes d;
    if (!l->viscous.any && l->p[0] > 0.0 && (l->c->stuck & claims) == claims) {
        steps++;
        if (hold(l, tolerance, worst, n, plain)) return steps;
    }
    *worst = begin(l, &d, n, plain);
    if (!(*worst > tolerance)) return steps;
    double weight[TRU_ROWS]; /* from a residual to a velocity */
    for (int k = 0; k < n; k++) weight[k] = (k < 3 ? 1.0 : l->length) / l->rho[k];
    for (bool known = true; *worst > tolerance && steps < max_steps; known = false) {
        const double before = merit(weight, l->f, n);
        double after, step[TRU_ROWS];
        steps++;
        if (!known) evaluate(l, l->p, l->u, l->f, &d, n, plain);
        if (slow < PATIENCE && (direction(l, &d, n, plain, step) || direction_pivoted(l, &d, step)) &&
            advance(l, step, weight, before, &after, worst, n, plain)) {
            slow = after > 0.5 * before ? slow + 1 : 0;
            continue;
        }
        *worst = relax(l, sweeps, plain);
        sweeps = sweeps < MOST ? 2 * sweeps : MOST;
        slow = 0;
    }
    return steps;
}

/* Solves a ball in closed form. Returns false if the residual is too large; then the matrix is filled for the iteration. */
static bool solve_ball(one_contact *l, double tolerance, double *worst) {
    if (trui_one_contact_solve_ball(l)) {
        *worst = l->n == 3 ? evaluate(l, l->p, l->u, l->f, NULL, 3, true)
                           : evaluate(l, l->p, l->u, l->f, NULL, TRU_ROWS, true);
        if (*worst <= tolerance) return true;
    }
    fill_matrix(l);
    return false;
}

int trui_one_contact_solve(one_contact *l, double tolerance, int max_steps, double *worst) {
    TRU_ASSERT(tolerance > 0.0 && max_steps > 0 && (l->n == 3 || l->n == TRU_ROWS));
    if (l->ball && solve_ball(l, tolerance, worst)) return 1;
    if (l->n == 3)
        return l->plain ? iterate(l, tolerance, max_steps, worst, 3, true)
                        : iterate(l, tolerance, max_steps, worst, 3, false);
    return l->plain ? iterate(l, tolerance, max_steps, worst, TRU_ROWS, true)
                    : iterate(l, tolerance, max_steps, worst, TRU_ROWS, false);
}

bool trui_one_contact_revise(const one_contact *l) {
    bool again = false;
    for (int k = 0; !l->plain && k < l->law_count; k++)
        if (l->laws[k].law->revise && l->laws[k].law->revise(l->laws[k].work, l->stuck)) again = true;
    return again;
}

/* ---- afterwards */

/* Subtracts viscous impulses D u. */
static void take_viscous(const one_contact *l, double *impulse) {
    for (int k = 0; k < l->n; k++)
        for (int j = 0; j < l->n; j++) impulse[k] -= l->viscous.d[k * l->n + j] * l->u[j];
}

void trui_one_contact_finish(one_contact *l, double seen[TRU_ROWS]) {
    contact *c = l->c;
    const double none = 1e-40 * l->rho[0] * l->speed; /* a Newton step leaves less than this of zero */
    for (int k = 0; k < TRU_ROWS; k++) {
        const double dry = fabs(l->p[k]) > (k < 3 ? none : none * l->length) ? l->p[k] : 0.0;
        c->dry[k] = c->impulse[k] = dry;
        seen[k] = l->u[k];
    }
    TRU_ASSERT((l->stuck & ~(uint32_t)c->pair->claims) == 0); /* only claimed kinds stick */
    if (l->viscous.any) take_viscous(l, c->impulse);
    c->stuck = l->stuck;
    c->steady = c->stuck == c->c.stuck;
}

void trui_one_contact_report(const one_contact *l, double worst, int steps, double tolerance, tru_solve_info *info) {
    double rate[TRU_ROWS], size2 = 0.0;
    for (int k = 0; k < TRU_ROWS; k++) {
        rate[k] = fabs(l->f[k]) / l->rho[k];
        const double relative = k < 3 ? rate[k] : rate[k] * l->length;
        size2 += relative * relative;
    }
    info->residual[TRU_KIND_NORMAL] = rate[0];
    info->residual[TRU_KIND_SLIDE] = larger(rate[1], rate[2]);
    info->residual[TRU_KIND_SPIN] = rate[3];
    info->residual[TRU_KIND_ROLL] = larger(rate[4], rate[5]);
    info->worst = 0;
    info->rms = info->max = sqrt(size2);
    info->iterations += steps;
    info->converged = worst <= tolerance;
    info->relative = worst;
}
