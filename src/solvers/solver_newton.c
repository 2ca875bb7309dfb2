/* solver_newton.c: dense semismooth Newton on the natural map, for up to about 100 contacts.
 *
 * F(p) = p - proj(p - rho (G p + r)) = 0 [rolling-disk note, section 3]. The Jacobian is J = I - D (I - rho G), D the
 * derivative of the projection. A step is shortened up to 6 times if it does not reduce the residual; if that does not
 * help, Gauss-Seidel sweeps over the blocks move on. Contacts that share a body may be redundant: J is then singular,
 * and J + 1e-10 I gives the step that changes the self-stress least. */
#include "solvers/problem.h"

#include "base/error.h"
#include "math/solve.h"

#include <stddef.h>
#include <string.h>

static const tru_field fields[] = {
    {.name = "tolerance",
     .type = TRU_FIELD_REAL,
     .unit = TRU_UNIT_ONE,
     .standard = 1e-12,
     .lowest = 1e-15,
     .highest = 1e-2,
     .doc = "Largest distance from the contact laws, relative to the velocity scale of the step.",
     .offset = offsetof(tru_newton, tolerance)},
    {.name = "max_steps",
     .type = TRU_FIELD_INTEGER,
     .standard = 60,
     .lowest = 1,
     .highest = 100000,
     .doc = "Newton steps and Gauss-Seidel rounds before it stops unconverged.",
     .offset = offsetof(tru_newton, max_steps)},
    {.name = NULL},
};

#define SHIFT      1e-10 /* [-] on the diagonal of J when blocks may be redundant */
#define HALVINGS   6
#define SWEEPS     20   /* Gauss-Seidel sweeps in a row, the first time; then twice as many, */
#define MOST       2560 /* so that newton and sweeps cannot undo each other's work for ever */
#define PATIENCE   3    /* newton steps in a row that do not halve the squared residual */
#define BLOCK_ROOM (TRU_ROWS * TRU_ROWS)

typedef struct newton {
    tru_problem *pb;
    double *f, *trial_p, *trial_u, *trial_f; /* n */
    double *step;                            /* n */
    double *j, *work;                        /* n x n, n */
    int *perm;                               /* n */
    double *d;                               /* BLOCK_ROOM per block */
} newton;

static bool reserve(newton *s, tru_problem *pb) {
    const size_t n = (size_t)pb->n;
    double *room = ARENA_ARRAY(pb->scratch, double, 6 * n + n * n + BLOCK_ROOM * (size_t)pb->block_count);
    s->pb = pb;
    s->perm = ARENA_ARRAY(pb->scratch, int, n);
    if (!room || !s->perm) return false;
    double **parts[] = {&s->f, &s->trial_p, &s->trial_u, &s->trial_f, &s->step, &s->work, &s->j};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++, room += n) *parts[i] = room;
    s->d = s->j + n * n;
    return true;
}

/* f and the derivative of the projection at (p, u); returns the largest relative residual. */
static double evaluate(newton *s, const double *p, const double *u, double *f) {
    const tru_problem *pb = s->pb;
    double worst = 0.0;
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        double x[TRU_ROWS], y[TRU_ROWS];
        for (int k = 0; k < b->rows; k++) x[k] = p[b->first + k] - block_rho(b, k) * u[b->first + k];
        problem_project(pb, b, x, u + b->first, y, s->d + BLOCK_ROOM * i);
        for (int k = 0; k < b->rows; k++) {
            const double e = p[b->first + k] - y[k];
            f[b->first + k] = e;
            const double relative =
                e == 0.0 ? 0.0 : fabs(e) * pb->rows[b->first + k].length / (block_rho(b, k) * b->speed);
            if (relative > worst || relative != relative) worst = relative; /* a NaN stays */
        }
    }
    return worst;
}

/* Squared residual as a velocity, couples times their length. [m^2/s^2] */
static double merit(const tru_problem *pb, const double *f) {
    double sum = 0.0;
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        for (int k = 0; k < b->rows; k++) {
            const double e = f[b->first + k] * pb->rows[b->first + k].length / block_rho(b, k);
            sum += e * e;
        }
    }
    return sum;
}

/* J in units of one impulse: row and column of a couple are measured with its length. */
static void fill_jacobian(newton *s) {
    const tru_problem *pb = s->pb;
    const int n = pb->n;
    const double shift = pb->block_count > 1 ? SHIFT : 0.0;
    memset(s->j, 0, (size_t)(n * n) * sizeof *s->j);
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        const double *d = s->d + BLOCK_ROOM * i;
        for (int k = 0; k < b->rows; k++) {
            double *row = s->j + (b->first + k) * n;
            for (int l = 0; l < b->rows; l++) {
                const double dkl = d[k * TRU_ROWS + l];
                if (dkl == 0.0) continue;
                const double *g = pb->g + (b->first + l) * n;
                const double c = dkl * block_rho(b, l);
                for (int j = 0; j < n; j++) row[j] += c * g[j];
                row[b->first + l] -= dkl;
            }
            row[b->first + k] += 1.0 + shift;
            for (int j = 0; j < n; j++) row[j] *= pb->rows[j].length / pb->rows[b->first + k].length;
        }
    }
}

/* Newton direction into s->step; false if J is singular. */
static bool direction(newton *s) {
    const tru_problem *pb = s->pb;
    const int n = pb->n;
    fill_jacobian(s);
    for (int i = 0; i < n; i++) s->step[i] = -s->f[i] / pb->rows[i].length;
    if (!tru_lu(s->j, n, n, s->perm, s->work)) return false;
    tru_lu_solve(s->j, n, n, s->perm, s->step);
    for (int i = 0; i < n; i++) s->step[i] *= pb->rows[i].length;
    return true;
}

/* Take the longest of 1, 1/2, ... of the step that reduces the residual; false: none does. */
static bool advance(newton *s, double *worst) {
    tru_problem *pb = s->pb;
    const double before = merit(pb, s->f);
    double t = 1.0;
    for (int i = 0; i <= HALVINGS; i++, t *= 0.5) {
        for (int k = 0; k < pb->n; k++) s->trial_p[k] = pb->p[k] + t * s->step[k];
        problem_rates(pb, s->trial_p, s->trial_u);
        const double e = evaluate(s, s->trial_p, s->trial_u, s->trial_f);
        if (!(merit(pb, s->trial_f) < before)) continue;
        memcpy(pb->p, s->trial_p, (size_t)pb->n * sizeof(double));
        memcpy(pb->u, s->trial_u, (size_t)pb->n * sizeof(double));
        memcpy(s->f, s->trial_f, (size_t)pb->n * sizeof(double));
        *worst = e;
        return true;
    }
    return false;
}

/* Block Gauss-Seidel: each block takes its projected step with the others' latest impulses. */
static void sweep(tru_problem *pb) {
    const int n = pb->n;
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        double x[TRU_ROWS], u[TRU_ROWS], y[TRU_ROWS];
        for (int k = 0; k < b->rows; k++) {
            const double *g = pb->g + (b->first + k) * n;
            u[k] = pb->r[b->first + k];
            for (int j = 0; j < n; j++) u[k] += g[j] * pb->p[j];
            x[k] = pb->p[b->first + k] - block_rho(b, k) * u[k];
        }
        problem_project(pb, b, x, u, y, NULL);
        for (int k = 0; k < b->rows; k++) pb->p[b->first + k] = y[k];
    }
}

static double relax(newton *s, int sweeps) {
    for (int i = 0; i < sweeps; i++) sweep(s->pb);
    problem_rates(s->pb, s->pb->p, s->pb->u);
    return evaluate(s, s->pb->p, s->pb->u, s->f);
}

static tru_status solve(const void *params, tru_problem *pb, tru_solve_info *info, tru_error *err) {
    const tru_newton *o = params;
    newton s;
    if (!reserve(&s, pb)) return tru_no_memory(err);
    problem_rates(pb, pb->p, pb->u);
    double worst = evaluate(&s, pb->p, pb->u, s.f);
    if (!(worst < HUGE_VAL)) { /* a warm start from another world of numbers */
        memset(pb->p, 0, (size_t)pb->n * sizeof *pb->p);
        problem_rates(pb, pb->p, pb->u);
        worst = evaluate(&s, pb->p, pb->u, s.f);
    }
    int steps = 0, sweeps = SWEEPS, slow = 0;
    while (worst > o->tolerance && steps < o->max_steps) {
        const double before = merit(pb, s.f);
        steps++;
        if (slow < PATIENCE && direction(&s) && advance(&s, &worst)) {
            slow = merit(pb, s.f) > 0.5 * before ? slow + 1 : 0;
            continue;
        }
        worst = relax(&s, sweeps);
        sweeps = sweeps < MOST ? 2 * sweeps : MOST;
        slow = 0;
    }
    info->iterations += steps;
    info->converged = worst <= o->tolerance;
    info->relative = problem_residual(pb, pb->p, pb->u, s.f, info);
    return info->converged ? TRU_OK : TRU_UNCONVERGED;
}

tru_newton tru_default_newton(void) {
    tru_newton p;
    tru_fields_defaults(fields, &p);
    return p;
}

const tru_solver tru_solver_newton = {
    .name = "newton",
    .doc = "Dense semismooth Newton on the natural map, for few contacts and round-off accuracy.",
    .fields = fields,
    .size = sizeof(tru_newton),
    .solve = solve,
};
