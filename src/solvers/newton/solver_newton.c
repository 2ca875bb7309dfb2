/* solver_newton.c: dense semismooth Newton on the natural map, for up to about 100 contacts [solvers 6].
 *
 * F(p) = p - proj(p - rho (G p + r)) = 0 [rolling-disk-equations 3]. The Jacobian is J = I - D (I - rho G), where D is the
 * derivative of the projection. A step that does not reduce the residual is halved up to HALVINGS times. Contacts that share
 * a body may be redundant. J is then singular, and J + SHIFT I gives a step that changes the self-stress little. If steps
 * stall, `settle_down` looks for proximal points: u + epsilon rho^-1 (p - c) instead of u has a regular J. The centre c, the
 * last such point, moves 1/epsilon times faster along a self-stress than sweeps do. Block Gauss-Seidel sweeps with strides
 * follow, then other starts. Contacts that share no body with others are solved by one_contact.c. A problem without a matrix
 * takes the same steps through the velocities of its bodies: sparse.h. */
#include "solvers/newton/solver_newton.h"

#include "base/assert.h"
#include "base/error.h"
#include "math/solve.h"
#include "problem/sparse.h"

#include <stddef.h>
#include <string.h>

static const tru_field fields[] = {
    TRU_REAL(tru_newton, tolerance, TRU_UNIT_ONE, NEWTON_TOLERANCE, TRU_RANGE(1e-15, 1e-2),
             "Largest distance from the contact laws, relative to the velocity scale of the step."),
    TRU_INTEGER(tru_newton, max_steps, NEWTON_STEPS, TRU_RANGE(1, 100000),
                "Newton steps and Gauss-Seidel rounds before it stops unconverged."),
    {.name = NULL},
};

#define SHIFT                                                                                                          \
    1e-6 /* [-] on the diagonal of J if blocks may be redundant; their self-stress gets 1e-16/SHIFT of round-off */
#define HALVINGS 6  /* of a step that does not reduce the residual */
#define SWEEPS   20 /* Gauss-Seidel sweeps in a round */
#define MOST     4  /* rounds in a row at most: one at first, then twice as many, so that both methods come to an end */
#define STRIDES  40 /* doublings of a stride */
#define POINTS   8  /* proximal points in a row */
#define SOFT                                                                                                           \
    1e-4 /* [-] epsilon of the first point; a tenth after a point that was found, ten times after one that was not */
#define SOFTEST  1.0   /* [-] largest epsilon */
#define HARDEST  1e-12 /* [-] smallest epsilon */
#define INNER    12    /* Newton steps for one proximal point */
#define DEEPER   1e-3  /* [-] part of the residual that a proximal point may leave */
#define LOST     1e-5  /* [-] residual above which more steps from the same start do not help */
#define PATIENCE 3     /* Newton steps in a row that do not halve the squared residual */

typedef struct newton {
    tru_problem *pb;
    double *p, *u, *f; /* n: the present iterate, its rates and residual */
    double *p2, *u2, *f2;
    double *step, *work; /* n */
    double *weight;      /* n [velocity/impulse] */
    double *j;           /* n x n */
    sparse *through;     /* used instead of j if the problem has no matrix; else NULL */
    int *perm;           /* n */
    double *d;           /* BLOCK_ROOM per block, at p */
    bool known;          /* d belongs to p */
    double soft;         /* [-] epsilon of the proximal point that `settle` looks for; 0: none */
    double *centre;      /* n [impulse] centre c of that point */
} newton;

static bool reserve(newton *s, tru_problem *pb) {
    TRU_ASSERT(pb->n >= 0 && pb->block_count >= 0);
    const size_t n = (size_t)pb->n;
    const size_t matrix = pb->g ? n * n : 0;
    double *room = ARENA_ARRAY(pb->scratch, double, 9 * n + matrix + BLOCK_ROOM * (size_t)pb->block_count);
    s->through = pb->g ? NULL : ARENA_ARRAY(pb->scratch, sparse, 1);
    if (!room || (!pb->g && (!s->through || !trui_sparse_begin(s->through, pb)))) return false;
    s->pb = pb;
    s->p = pb->p;
    s->u = pb->u;
    s->f = room;
    s->p2 = room + n;
    s->u2 = room + 2 * n;
    s->f2 = room + 3 * n;
    s->step = room + 4 * n;
    s->work = room + 5 * n;
    s->perm = (int *)(void *)(room + 6 * n);
    s->weight = room + 7 * n;
    s->centre = room + 8 * n;
    s->soft = 0.0;
    s->j = room + 9 * n;
    s->d = s->j + matrix;
    return true;
}

/* Fills the weight length / rho of every row, which turns a residual into a velocity. */
static void weigh(const newton *s) {
    const tru_problem *pb = s->pb;
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        TRU_ASSERT(b->rows >= 0 && b->first + b->rows <= pb->n); /* a joint may repeat others and have no rows */
        for (int k = 0; k < b->rows; k++) {
            TRU_ASSERT(!(b->rho[k] < 0.0));
            s->weight[b->first + k] = pb->rows[b->first + k].length / b->rho[k];
        }
    }
}

/* Returns the squared residual as a velocity. [m^2/s^2] */
static double merit(const newton *s, const double *f) {
    double sum = 0.0;
    for (int k = 0; k < s->pb->n; k++) sum += (f[k] * s->weight[k]) * (f[k] * s->weight[k]);
    return sum;
}

/* Fills one row of J: that of packed row k of a block. Most entries of D are zero or one. */
static void jacobian_row(const newton *s, const block *b, const double *d, int k, double diagonal, double *row) {
    const int n = s->pb->n;
    const double *g = s->pb->g + b->first * n;
    if (d[k * TRU_ROWS + k] == 1.0 &&
        (k == 0 || d[k * TRU_ROWS] == 0.0)) { /* it sticks: the rest of this row of D is zero */
        for (int j = 0; j < n; j++) row[j] = b->rho[k] * g[k * n + j];
        row[b->first + k] += diagonal - 1.0 + s->soft;
        return;
    }
    for (int j = 0; j < n; j++) row[j] = 0.0;
    for (int l = 0; l < b->rows; l++) {
        const double dkl = d[k * TRU_ROWS + l];
        if (dkl == 0.0) continue;
        const double c = dkl * b->rho[l];
        for (int j = 0; j < n; j++) row[j] += c * g[l * n + j];
        row[b->first + l] -= dkl * (1.0 - s->soft);
    }
    row[b->first + k] += diagonal;
}

/* Scales the rows of one block and the columns of another to units of one impulse: couples are divided by their length. */
static void scale_jacobian(const newton *s, const block *b, const block *o) {
    const problem_row *rows = s->pb->rows;
    for (int k = 0; k < b->rows; k++) {
        double *row = s->j + (b->first + k) * s->pb->n + o->first;
        const double length = rows[b->first + k].length;
        if (k >= b->forces) {
            const double inverse = 1.0 / length;
            for (int j = 0; j < o->forces; j++) row[j] *= inverse;
        }
        for (int j = o->forces; (k < b->forces || o != b) && j < o->rows; j++)
            row[j] *= rows[o->first + j].length / length;
    }
}

/* Returns the shift of the diagonal. A single contact is not redundant. The way through the velocities treats rows as
 * springs, whose compliance must not be zero. */
static double shift_of(const newton *s) {
    return (s->through || s->pb->block_count > 1) && s->soft == 0.0 ? SHIFT : 0.0;
}

static void fill_jacobian(const newton *s) {
    const tru_problem *pb = s->pb;
    const block *b = pb->blocks;
    const int n = pb->n, count = pb->block_count;
    const double diagonal = 1.0 + shift_of(s);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < b[i].rows; k++)
            jacobian_row(s, &b[i], s->d + BLOCK_ROOM * i, k, diagonal, s->j + (b[i].first + k) * n);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) scale_jacobian(s, &b[i], &b[k]);
}

/* Writes the Newton direction into s->step; false if J is singular. */
static bool direction(newton *s) {
    tru_problem *pb = s->pb;
    const int n = pb->n;
    TRU_ASSERT((s->through != NULL) == (pb->g == NULL) && s->soft >= 0.0);
    if (s->through) return trui_sparse_step(s->through, s->f, s->d, shift_of(s), s->soft, s->step);
    fill_jacobian(s);
    for (int i = 0; i < n; i++) s->step[i] = -s->f[i] / pb->rows[i].length;
    if (!tru_lu(s->j, n, n, s->perm, s->work)) return false;
    tru_lu_solve(s->j, n, n, s->perm, s->step);
    for (int i = 0; i < n; i++) s->step[i] *= pb->rows[i].length;
    return true;
}

static void swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

/* Computes the rates for impulses p, those of the proximal problem if s->soft > 0. */
static void rates(const newton *s, const double *p, double *u) {
    const tru_problem *pb = s->pb;
    if (s->through)
        trui_sparse_rates(s->through, p, u);
    else
        trui_problem_rates(pb, p, u);
    if (s->soft == 0.0) return;
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        for (int k = b->first; k < b->first + b->rows; k++)
            u[k] += s->soft * (p[k] - s->centre[k]) / b->rho[k - b->first];
    }
}

static void swap_iterates(newton *s) {
    swap(&s->p, &s->p2);
    swap(&s->u, &s->u2);
    swap(&s->f, &s->f2);
    s->known = false; /* `iterate` evaluates d again only if it needs it */
}

/* Takes the longest of 1, 1/2, ... of the step that reduces the squared residual `before`; false if none does. */
static bool advance(newton *s, double before, double *after, double *worst) {
    tru_problem *pb = s->pb;
    double t = 1.0;
    TRU_ASSERT(s->p != s->p2 && s->u != s->u2 && s->f != s->f2);
    for (int i = 0; i <= HALVINGS; i++, t *= 0.5) {
        for (int k = 0; k < pb->n; k++) s->p2[k] = s->p[k] + t * s->step[k];
        rates(s, s->p2, s->u2);
        const double e = trui_problem_evaluate(pb, s->p2, s->u2, s->f2, NULL);
        *after = merit(s, s->f2);
        if (!(*after < before)) continue;
        swap_iterates(s);
        TRU_ASSERT(!(*after < 0.0) && !(e < 0.0));
        *worst = e;
        return true;
    }
    return false;
}

/* Makes one block Gauss-Seidel sweep: each block takes its projected step with the latest impulses of the others. */
static void sweep(const newton *s, double *p) {
    const tru_problem *pb = s->pb;
    const int n = pb->n;
    if (s->through) {
        trui_sparse_sweep(s->through, p);
        return;
    }
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        double x[TRU_ROWS], u[TRU_ROWS], y[TRU_ROWS];
        uint32_t stuck;
        for (int k = 0; k < b->rows; k++) {
            const double *g = pb->g + (b->first + k) * n;
            u[k] = pb->r[b->first + k];
            for (int j = 0; j < n; j++) u[k] += g[j] * p[j];
            x[k] = p[b->first + k] - b->rho[k] * u[k];
        }
        trui_block_project(b, x, u, y, NULL, &stuck);
        for (int k = 0; k < b->rows; k++) p[b->first + k] = y[k];
    }
}

/* Evaluates rates, residual and derivatives at p. Returns the largest relative residual. */
static double look(newton *s) {
    rates(s, s->p, s->u);
    s->known = true;
    return trui_problem_evaluate(s->pb, s->p, s->u, s->f, s->d);
}

/* Returns the residual of the warm start. A warm start without a finite residual is replaced by zero impulses. */
static double start(newton *s) {
    const double worst = look(s);
    if (worst < HUGE_VAL) return worst;
    memset(s->p, 0, (size_t)s->pb->n * sizeof *s->p);
    return look(s);
}

/* Extrapolates a self-stress that creeps from sweep to sweep towards the limit of its law. s->step is the change of one sweep;
 * steps of 1, 2, 4, ... sweeps follow as long as the residual does not rise. Returns the residual. */
static double stride(newton *s, double worst) {
    const int n = s->pb->n;
    const double most = (1.0 + 1e-9) * merit(s, s->f); /* a creeping self-stress leaves the residual constant */
    double t = 1.0;
    for (int i = 0; i < STRIDES; i++, t *= 2.0) {
        for (int k = 0; k < n; k++) s->p2[k] = s->p[k] + t * s->step[k];
        rates(s, s->p2, s->u2);
        const double e = trui_problem_evaluate(s->pb, s->p2, s->u2, s->f2, NULL);
        if (!(merit(s, s->f2) <= most)) break;
        swap_iterates(s);
        worst = e;
    }
    return worst;
}

/* Makes rounds of sweeps until the residual is small. Returns it. */
static double relax(newton *s, int rounds, double tolerance) {
    const size_t size = (size_t)s->pb->n * sizeof *s->p;
    double worst = HUGE_VAL;
    TRU_ASSERT(rounds >= 1 && rounds <= MOST && s->soft == 0.0);
    for (int round = 0; round < rounds && worst > tolerance; round++) {
        for (int i = 1; i < SWEEPS; i++) sweep(s, s->p);
        memcpy(s->step, s->p, size);
        sweep(s, s->p);
        for (int k = 0; k < s->pb->n; k++) s->step[k] = s->p[k] - s->step[k];
        worst = stride(s, look(s));
    }
    return worst;
}

/* Looks for the proximal point about the present impulses; true if it was found. */
static bool settle(newton *s, double soft, double tolerance, int *steps) {
    tru_problem *pb = s->pb;
    TRU_ASSERT(soft >= HARDEST && soft <= SOFTEST);
    memcpy(s->centre, s->p, (size_t)pb->n * sizeof *s->p);
    s->soft = soft;
    double worst = trui_problem_evaluate(pb, s->p, s->u, s->f, s->d), after;
    const double enough = larger(0.1 * tolerance, DEEPER * worst);
    for (int i = 0; i < INNER && worst > enough; i++, ++*steps) {
        if (!direction(s) || !advance(s, merit(s, s->f), &after, &worst)) break;
        trui_problem_evaluate(pb, s->p, s->u, s->f, s->d);
    }
    s->soft = 0.0;
    return worst <= enough;
}

/* Moves from one proximal point to the next until the residual is small. Returns it. */
static double settle_down(const newton_goal *o, newton *s, int *steps, double worst) {
    double soft = SOFT;
    for (int i = 0; i < POINTS && worst > o->tolerance && *steps < o->max_steps; i++) {
        const bool found = settle(s, soft, o->tolerance, steps);
        soft = found ? larger(HARDEST, 0.1 * soft) : fmin(SOFTEST, 10.0 * soft);
        worst = look(s);
    }
    return worst;
}

/* Writes into s->step the step to impulses with which every closed contact sticks, or every contact if `all`; false if there
 * are none. */
static bool sticking(newton *s, bool all) {
    const tru_problem *pb = s->pb;
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        if (!all && s->p[b->first] == 0.0) continue; /* open: f = p = 0 */
        double *d = s->d + BLOCK_ROOM * i;
        for (int k = 0; k < b->rows; k++) {
            for (int l = 0; l < b->rows; l++) d[k * TRU_ROWS + l] = k == l;
            s->f[b->first + k] = b->rho[k] * s->u[b->first + k];
        }
    }
    return direction(s);
}

/* Tries the impulses with which all closed contacts stick. Jammed bodies stick under impulses far larger than those with which
 * they slip, so Newton steps do not lead there. */
static bool jam(newton *s, double before, double *worst) {
    double after;
    const bool good = sticking(s, false) && advance(s, before, &after, worst);
    if (!good) trui_problem_evaluate(s->pb, s->p, s->u, s->f, s->d);
    return good;
}

/* Makes Newton steps and rounds of sweeps until the residual *worst is small. Returns their number. */
static int iterate(const newton_goal *o, newton *s, double *worst) {
    int steps = 0, rounds = 1, slow = 0;
    while (*worst > o->tolerance && steps < o->max_steps) {
        if (steps == 0) weigh(s);
        const double before = merit(s, s->f);
        double after;
        steps++;
        if (!s->known) trui_problem_evaluate(s->pb, s->p, s->u, s->f, s->d);
        s->known = true;
        if (slow < PATIENCE && direction(s) && advance(s, before, &after, worst)) {
            slow = after > 0.5 * before ? slow + 1 : 0;
            continue;
        }
        slow = 0;
        if (*worst <= o->enough) break;
        if (!s->through && jam(s, before, worst)) continue;
        if ((*worst = settle_down(o, s, &steps, *worst)) <= o->enough) break;
        if (s->through) break; /* proxnewton has its own fallback */
        *worst = relax(s, rounds, o->tolerance);
        rounds = rounds < MOST ? 2 * rounds : MOST;
    }
    TRU_ASSERT(s->soft == 0.0 && steps >= 0);
    return steps;
}

/* Starts again from zero impulses, then from those under which every contact sticks, and keeps the best result: the impulses of
 * the last step may lead to a local minimum of the residual. Returns the number of steps. */
static int start_again(const newton_goal *o, newton *s, double *best_p, double *worst) {
    const size_t size = (size_t)s->pb->n * sizeof *best_p;
    int steps = 0;
    memcpy(best_p, s->p, size);
    for (int k = 0; k < 2 && *worst > o->tolerance; k++) {
        memset(s->p, 0, size);
        double again = look(s);
        if (k == 1) {
            if (!sticking(s, true)) break;
            memcpy(s->p, s->step, size);
            again = look(s);
        }
        steps += iterate(o, s, &again);
        if (!(again < *worst)) continue;
        *worst = again;
        memcpy(best_p, s->p, size);
    }
    memcpy(s->p, best_p, size);
    *worst = look(s);
    return steps;
}

/* Solves a problem whose blocks are all connected; f receives its residual. Returns the number of steps, negative without
 * memory. */
static int solve_whole(const newton_goal *o, tru_problem *pb, double *f, double *worst) {
    newton s;
    const size_t size = (size_t)pb->n * sizeof *f;
    if (!reserve(&s, pb)) return -1;
    *worst = start(&s);
    int steps = iterate(o, &s, worst);
    if (!s.through && *worst > larger(o->enough, LOST)) steps += start_again(o, &s, f, worst);
    if (s.p != pb->p) {
        memcpy(pb->p, s.p, size);
        memcpy(pb->u, s.u, size);
    }
    memcpy(f, s.f, size);
    TRU_ASSERT(s.pb == pb && s.soft == 0.0);
    return steps;
}

/* ---- parts that share no moving body: each is a problem of its own, because a factorisation costs the cube of its rows */

/* Returns true if two blocks share a body that impulses move. */
static bool connected(const tru_problem *pb, const block *p, const block *q) {
    const problem_body *b = pb->bodies;
    if ((p->a == q->a || p->a == q->b) && b[p->a].inv_mass > 0.0) return true;
    return (p->b == q->a || p->b == q->b) && b[p->b].inv_mass > 0.0;
}

/* Fills part[i] with the first block that block i is connected with. Returns true if there are several parts. */
static bool find_parts(const tru_problem *pb, int *part) {
    bool several = false;
    for (int i = 0; i < pb->block_count; i++) {
        part[i] = i;
        for (int k = 0; k < i; k++) {
            if (part[k] == part[i] || !connected(pb, &pb->blocks[i], &pb->blocks[k])) continue;
            const int from = part[k] > part[i] ? part[k] : part[i], to = part[k] < part[i] ? part[k] : part[i];
            for (int l = 0; l <= i; l++)
                if (part[l] == from) part[l] = to;
        }
    }
    for (int i = 0; i < pb->block_count; i++) {
        TRU_ASSERT(part[i] >= 0 && part[i] <= i && part[part[i]] == part[i]);
        several |= part[i] != 0;
    }
    return several;
}

/* Builds the part that begins with block `first` as a problem of its own; from[k] receives the whole problem's row of its row
 * k. False without memory. */
static bool take_part(const tru_problem *pb, const int *part, int first, tru_problem *own, int *from) {
    *own = *pb;
    own->block_count = own->n = 0;
    own->blocks = ARENA_ARRAY(pb->scratch, block, (size_t)(pb->block_count - first));
    if (!own->blocks) return false;
    for (int i = first; i < pb->block_count; i++) {
        if (part[i] != first) continue;
        block *b = &own->blocks[own->block_count++];
        *b = pb->blocks[i];
        for (int k = 0; k < b->rows; k++) from[own->n + k] = b->first + k;
        b->first = own->n;
        own->n += b->rows;
    }
    TRU_ASSERT(own->n >= 0 && own->n <= pb->n);
    const size_t n = (size_t)own->n;
    own->rows = ARENA_ARRAY(pb->scratch, problem_row, n);
    own->g = ARENA_ARRAY(pb->scratch, double, n *(n + 3));
    if (!own->rows || !own->g) return false;
    own->r = own->g + n * n;
    own->p = own->r + n;
    own->u = own->p + n;
    for (size_t i = 0; i < n; i++) {
        const double *row = pb->g + from[i] * pb->n;
        own->rows[i] = pb->rows[from[i]];
        own->r[i] = pb->r[from[i]];
        own->p[i] = pb->p[from[i]];
        for (size_t k = 0; k < n; k++) own->g[i * n + k] = row[from[k]];
    }
    return true;
}

/* Copies impulses, rates and sticking kinds of a part into the whole problem. */
static void put_back(tru_problem *pb, const int *part, int first, const tru_problem *own, const int *from) {
    for (int i = 0; i < own->n; i++) {
        pb->p[from[i]] = own->p[i];
        pb->u[from[i]] = own->u[i];
    }
    for (int i = first, k = 0; i < pb->block_count; i++)
        if (part[i] == first) pb->blocks[i].stuck = own->blocks[k++].stuck;
}

/* Solves part by part. Returns the largest number of steps of a part, negative without memory. */
static int solve_parts(const newton_goal *o, tru_problem *pb, const int *part, double *f, double *worst) {
    int *from = ARENA_ARRAY(pb->scratch, int, (size_t)pb->n), most = 0;
    double *own_f = ARENA_ARRAY(pb->scratch, double, (size_t)pb->n), own_worst;
    *worst = 0.0;
    if (!from || !own_f) return -1;
    for (int i = 0; i < pb->block_count; i++) {
        const arena_mark mark = trui_arena_here(pb->scratch);
        tru_problem own;
        if (part[i] != i) continue;
        const int steps = take_part(pb, part, i, &own, from) ? solve_whole(o, &own, own_f, &own_worst) : -1;
        if (steps < 0) return -1;
        TRU_ASSERT(own.block_count > 0 && own.n <= pb->n);
        put_back(pb, part, i, &own, from);
        for (int k = 0; k < own.n; k++) f[from[k]] = own_f[k];
        if (!(own_worst <= *worst)) *worst = own_worst; /* a NaN stays */
        most = steps > most ? steps : most;
        trui_arena_rewind(pb->scratch, mark);
    }
    return most;
}

tru_status trui_newton_solve(const newton_goal *o, tru_problem *pb, tru_solve_info *info, tru_error *err) {
    double worst, *f = ARENA_ARRAY(pb->scratch, double, (size_t)pb->n);
    int *part = ARENA_ARRAY(pb->scratch, int, (size_t)pb->block_count);
    if (!f || !part) return tru_no_memory(err);
    const bool several = pb->g && pb->held.n == 0 && find_parts(pb, part);
    const int steps = several ? solve_parts(o, pb, part, f, &worst) : solve_whole(o, pb, f, &worst);
    if (steps < 0) return tru_no_memory(err);
    info->iterations += steps;
    info->converged = worst <= o->enough;
    info->relative = worst;
    trui_problem_report(pb, f, info);
    return info->converged ? TRU_OK : TRU_UNCONVERGED;
}

static tru_status solve(const void *params, tru_problem *pb, tru_solve_info *info, tru_error *err) {
    const tru_newton *o = params;
    const newton_goal goal = {.tolerance = o->tolerance, .enough = o->tolerance, .max_steps = o->max_steps};
    return trui_newton_solve(&goal, pb, info, err);
}

TRU_DEFAULTS(tru_newton, tru_default_newton, fields)

const tru_solver tru_solver_newton = {
    .name = "newton",
    .doc = "Dense semismooth Newton on the natural map, for few contacts and round-off accuracy.",
    .fields = fields,
    .size = sizeof(tru_newton),
    .solve = solve,
};
