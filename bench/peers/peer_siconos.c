/* peer_siconos.c: answers a frozen problem (frozen.h) with Siconos' nonsmooth Gauss-Seidel, cold, and judges the answer.
 *
 *     peer_siconos PROBLEM coulomb|rolling ITERATIONS [ENDS]
 *
 * coulomb: three rows a contact (n, t1, t2), SICONOS_FRICTION_3D_NSGS with its default local Newton solver; rolling: five (and
 * the couples about t1, t2), SICONOS_ROLLING_FRICTION_3D_NSGS. Siconos has no spin friction. Couple rows are in units of the
 * contact's length, without which Siconos needs ten times as many sweeps. The tolerance is out of reach, so that every sweep
 * is done; its own error is only evaluated at the end. Time is that of the solver alone, without building the matrix. */
#include "frozen.h"
#include "state.h"

#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/RollingFrictionContactProblem.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 5 };

/* Rows of a contact on one body: linear and angular part of each, already with the sign of A or B. */
typedef struct rows {
    double lin[MOST][3], ang[MOST][3];
} rows;

static void *need(void *block) {
    if (!block) exit(4);
    return block;
}

static void cross(const double *a, const double *b, double *out) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* n, t1, t2 of a contact, right-handed. */
static void frame(const double *n, double axes[3][3]) {
    const double help[3] = {fabs(n[0]) < 0.6 ? 1.0 : 0.0, fabs(n[0]) < 0.6 ? 0.0 : 1.0, 0.0};
    memcpy(axes[0], n, sizeof axes[0]);
    cross(n, help, axes[1]);
    const double size = sqrt(dot(axes[1], axes[1]));
    for (int k = 0; k < 3; k++) axes[1][k] /= size;
    cross(n, axes[1], axes[2]);
}

static rows rows_on(const frozen_contact *c, double length, int dimension, bool on_a) {
    const double sign = on_a ? 1.0 : -1.0, arm = on_a ? -c->arm_a : c->arm_b;
    double axes[3][3];
    rows r = {0};
    frame(c->n, axes);
    for (int k = 0; k < 3; k++) {
        double turn[3];
        cross(c->n, axes[k], turn); /* arm n x axis: angular part of a force row */
        for (int i = 0; i < 3; i++) {
            r.lin[k][i] = sign * axes[k][i];
            r.ang[k][i] = sign * arm * turn[i];
        }
    }
    for (int k = 3; k < dimension; k++)
        for (int i = 0; i < 3; i++) r.ang[k][i] = sign * length * axes[k - 2][i];
    return r;
}

/* Contacts of each body, as lists. */
typedef struct lists {
    size_t *first, *items; /* items[first[k] .. first[k + 1]] */
} lists;

static lists lists_of(const frozen *f) {
    lists l = {need(calloc(f->body_count + 2, sizeof *l.first)), need(malloc(2 * f->contact_count * sizeof *l.items))};
    for (size_t k = 0; k < f->contact_count; k++) {
        l.first[f->contacts[k].a + 2]++;
        if (f->contacts[k].b >= 0) l.first[f->contacts[k].b + 2]++;
    }
    for (size_t k = 1; k <= f->body_count; k++) l.first[k + 1] += l.first[k];
    for (size_t k = 0; k < f->contact_count; k++) {
        l.items[l.first[f->contacts[k].a + 1]++] = k;
        if (f->contacts[k].b >= 0) l.items[l.first[f->contacts[k].b + 1]++] = k;
    }
    return l;
}

static int by_size(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* block += rows of i on a body, its inverse mass, rows of j: column by column */
static void add_block(double *block, const rows *i, const rows *j, const frozen_body *b, int d) {
    for (int q = 0; q < d; q++)
        for (int p = 0; p < d; p++)
            block[q * d + p] += b->inv_mass * dot(i->lin[p], j->lin[q]) + b->inv_inertia * dot(i->ang[p], j->ang[q]);
}

static double *block_of(const frozen *f, size_t i, size_t j, const double *length, int d) {
    double *block = need(calloc((size_t)(d * d), sizeof *block));
    const frozen_contact *c = &f->contacts[i], *o = &f->contacts[j];
    const long bodies[2] = {c->a, c->b};
    for (int k = 0; k < 2; k++) {
        if (bodies[k] < 0 || (o->a != bodies[k] && o->b != bodies[k])) continue;
        const rows ri = rows_on(c, length[i], d, k == 0), rj = rows_on(o, length[j], d, o->a == bodies[k]);
        add_block(block, &ri, &rj, &f->bodies[bodies[k]], d);
    }
    return block;
}

/* G = W^T M^-1 W, one block for every two contacts with a common body. */
static NumericsMatrix *matrix_of(const frozen *f, const double *length, int d) {
    const size_t n = f->contact_count;
    SparseBlockStructuredMatrix *m = SBM_new();
    const lists l = lists_of(f);
    size_t room = 16 * n + 16, *near = need(malloc(room * sizeof *near));
    m->blocknumber0 = m->blocknumber1 = (unsigned)n;
    m->blocksize0 = need(malloc(n * sizeof *m->blocksize0));
    m->blocksize1 = need(malloc(n * sizeof *m->blocksize1));
    m->index1_data = need(calloc(n + 1, sizeof *m->index1_data));
    m->block = need(malloc(room * sizeof *m->block));
    m->index2_data = need(malloc(room * sizeof *m->index2_data));
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        const long bodies[2] = {f->contacts[i].a, f->contacts[i].b};
        size_t found = 0;
        m->blocksize0[i] = m->blocksize1[i] = (unsigned)((i + 1) * (size_t)d);
        for (int k = 0; k < 2 && bodies[k] >= 0; k++)
            for (size_t s = l.first[bodies[k]]; s < l.first[bodies[k] + 1]; s++) near[found++] = l.items[s];
        qsort(near, found, sizeof *near, by_size);
        for (size_t k = 0; k < found; k++) {
            if (k > 0 && near[k] == near[k - 1]) continue;
            if (count == room) {
                room *= 2;
                m->block = need(realloc(m->block, room * sizeof *m->block));
                m->index2_data = need(realloc(m->index2_data, room * sizeof *m->index2_data));
            }
            m->block[count] = block_of(f, i, near[k], length, d);
            m->index2_data[count++] = near[k];
        }
        m->index1_data[i + 1] = count;
    }
    m->nbblocks = (unsigned)count;
    m->filled1 = n + 1;
    m->filled2 = count;
    free(near);
    free(l.first);
    free(l.items);
    return NM_create_from_data(NM_SPARSE_BLOCK, (int)n * d, (int)n * d, m);
}

/* The same entry by entry: Debian's build of Siconos refuses blocks of five rows. */
static NumericsMatrix *entries_of(NumericsMatrix *blocks, int d) {
    const SparseBlockStructuredMatrix *m = blocks->matrix1;
    NumericsMatrix *out = NM_create(NM_SPARSE, blocks->size0, blocks->size1);
    NM_triplet_alloc(out, (CS_INT)m->nbblocks * d * d);
    for (size_t i = 0; i < m->blocknumber0; i++)
        for (size_t k = m->index1_data[i]; k < m->index1_data[i + 1]; k++)
            for (int q = 0; q < d * d; q++)
                NM_entry(out, (int)i * d + q % d, (int)m->index2_data[k] * d + q / d, m->block[k][q]);
    return out;
}

/* q = W^T v_free + bias */
static double *right_side(const frozen *f, const double *length, int d) {
    double *q = need(calloc(f->contact_count * (size_t)d, sizeof *q));
    for (size_t i = 0; i < f->contact_count; i++) {
        const frozen_contact *c = &f->contacts[i];
        const long bodies[2] = {c->a, c->b};
        for (int k = 0; k < 2 && bodies[k] >= 0; k++) {
            const rows r = rows_on(c, length[i], d, k == 0);
            const frozen_body *b = &f->bodies[bodies[k]];
            for (int p = 0; p < d; p++) q[i * (size_t)d + (size_t)p] += dot(r.lin[p], b->v) + dot(r.ang[p], b->w);
        }
        q[i * (size_t)d] += c->bias;
    }
    return q;
}

/* Packed reactions as impulses and couples in world axes. */
static frozen_impulse *answer_of(const frozen *f, const double *reaction, const double *length, int d) {
    frozen_impulse *answer = need(calloc(f->contact_count, sizeof *answer));
    for (size_t i = 0; i < f->contact_count; i++) {
        const rows r = rows_on(&f->contacts[i], length[i], d, true);
        for (int p = 0; p < d; p++)
            for (int k = 0; k < 3; k++) {
                if (p < 3) answer[i].p[k] += reaction[i * (size_t)d + (size_t)p] * r.lin[p][k];
                if (p >= 3) answer[i].t[k] += reaction[i * (size_t)d + (size_t)p] * r.ang[p][k];
            }
    }
    return answer;
}

int main(int argc, char **argv) {
    if (argc < 4 || argc > 5) return 1;
    const bool rolling = strcmp(argv[2], "rolling") == 0;
    const int d = rolling ? 5 : 3;
    frozen f = frozen_read(argv[1]);
    const size_t n = f.contact_count;
    double *length = need(malloc(n * sizeof *length)), *mu = need(malloc(n * sizeof *mu));
    double *mu_r = need(malloc(n * sizeof *mu_r));
    for (size_t k = 0; k < n; k++) {
        length[k] = frozen_length(&f, &f.contacts[k]);
        mu[k] = f.contacts[k].limit[FROZEN_SLIDE];
        mu_r[k] = f.contacts[k].limit[FROZEN_ROLL] / length[k];
    }
    double *reaction = need(calloc(n * (size_t)d, sizeof *reaction));
    double *velocity = need(calloc(n * (size_t)d, sizeof *velocity));
    NumericsMatrix *m = matrix_of(&f, length, d);
    if (rolling) m = entries_of(m, d);
    double *q = right_side(&f, length, d);
    SolverOptions *options =
        solver_options_create(rolling ? SICONOS_ROLLING_FRICTION_3D_NSGS : SICONOS_FRICTION_3D_NSGS);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = atoi(argv[3]);
    options->dparam[SICONOS_DPARAM_TOL] = 1e-16;
    options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT;
    if (argc == 5) { /* for comparing answers: its local solvers to round-off, whatever they cost */
        options->internalSolvers[0]->dparam[SICONOS_DPARAM_TOL] = 1e-15;
        options->internalSolvers[0]->iparam[SICONOS_IPARAM_MAX_ITER] = 1000;
    }
    double seconds;
    if (rolling) {
        RollingFrictionContactProblem *p = rollingFrictionContactProblem_new_with_data(d, (int)n, m, q, mu, mu_r);
        const double begun = peer_seconds();
        rolling_fc3d_driver(p, reaction, velocity, options);
        seconds = peer_seconds() - begun;
    } else {
        FrictionContactProblem *p = frictionContactProblem_new_with_data(d, (int)n, m, q, mu);
        const double begun = peer_seconds();
        fc3d_driver(p, reaction, velocity, options);
        seconds = peer_seconds() - begun;
    }
    frozen_impulse *answer = answer_of(&f, reaction, length, d);
    const frozen_verdict verdict = frozen_judge(&f, answer, false);
    if (argc == 5) frozen_write_ends(argv[4], &f, answer);
    printf("{\"peer\": \"Siconos\", \"version\": \"%s\", \"contacts\": %zu, \"seconds\": %.9g, \"iterations\": %d, "
           "\"rms\": %.9g, \"max\": %.9g}\n",
           PEERS_SICONOS_VERSION, n, seconds, options->iparam[SICONOS_IPARAM_ITER_DONE], verdict.rms, verdict.max);
    return 0;
}
