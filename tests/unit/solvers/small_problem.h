/* small_problem.h: contact problems of a few random bodies, and their residual from raw data: frames, arms, masses. */
#ifndef TRUNDLE_TESTS_SOLVERS_SMALL_PROBLEM_H
#define TRUNDLE_TESTS_SOLVERS_SMALL_PROBLEM_H

#include "check.h"
#include "draw.h"

#include "math/mat.h"
#include "math/quat.h"
#include "problem/problem.h"

enum { BODIES = 8, CONTACTS = 8, MOST_ROWS = CONTACTS * TRU_ROWS };

typedef struct small {
    memory memory;
    arena scratch;
    tru_coulomb coulomb;
    tru_rolling rolling;
    pair pair;
    int body_count, contact_count;
    problem_body bodies[BODIES]; /* body 0 is fixed */
    tru_vec3 v[BODIES], w[BODIES];
    contact contacts[CONTACTS];
    contact_end end; /* of the first, where it has one */
    block blocks[CONTACTS];
    problem_row rows[MOST_ROWS];
    double g[MOST_ROWS * MOST_ROWS], r[MOST_ROWS], raw[MOST_ROWS], p[MOST_ROWS], u[MOST_ROWS];
    tru_problem pb;
} small;

/* Memory, one pair with both laws as set in s->coulomb and s->rolling; body 0 is fixed. */
static inline void small_begin(small *s) {
    s->memory = trui_memory_of(NULL);
    trui_arena_init(&s->scratch, &s->memory);
    s->pair = (pair){.law_count = 2};
    s->pair.laws[0] = (pair_law){&tru_law_coulomb, &s->coulomb, tru_law_coulomb.claims(&s->coulomb), 0, 0};
    s->pair.laws[1] = (pair_law){&tru_law_rolling, &s->rolling, tru_law_rolling.claims(&s->rolling), 0, 0};
    s->pair.claims = s->pair.laws[0].claims | s->pair.laws[1].claims;
    s->body_count = 1;
    s->contact_count = 0;
    memset(s->bodies, 0, sizeof s->bodies);
    memset(s->v, 0, sizeof s->v);
    memset(s->w, 0, sizeof s->w);
}

static inline void small_end(small *s) { trui_arena_release(&s->scratch); }

static inline size_t small_body(small *s, double mass, tru_mat3 inverse, tru_vec3 v, tru_vec3 w) {
    s->bodies[s->body_count] = (problem_body){1.0 / mass, true, false, inverse};
    s->v[s->body_count] = v;
    s->w[s->body_count] = w;
    return (size_t)s->body_count++;
}

static inline void small_contact(small *s, size_t a, size_t b, tru_vec3 n, tru_vec3 arm_a, tru_vec3 arm_b) {
    contact *c = &s->contacts[s->contact_count++];
    memset(c, 0, sizeof *c);
    c->a = (uint32_t)a;
    c->b = (uint32_t)b;
    c->pair = &s->pair;
    c->theta = 1.0;
    c->c.normal = n;
    v3_tangents(n, &c->c.t1, &c->c.t2);
    c->c.arm_a = arm_a;
    c->c.arm_b = arm_b;
}

/* Six rates of a contact for velocities v, w of the bodies. */
static inline void small_rates(const small *s, const contact *c, const tru_vec3 *v, const tru_vec3 *w,
                               double u[TRU_ROWS]) {
    (void)s;
    const tru_vec3 at_a = v3_add(v[c->a], v3_cross(w[c->a], c->c.arm_a));
    const tru_vec3 at_b = v3_add(v[c->b], v3_cross(w[c->b], c->c.arm_b));
    const tru_vec3 d = v3_sub(at_a, at_b), spin = v3_sub(w[c->a], w[c->b]);
    const tru_vec3 axes[3] = {c->c.normal, c->c.t1, c->c.t2};
    for (int i = 0; i < 3; i++) {
        u[i] = v3_dot(d, axes[i]);
        u[3 + i] = v3_dot(spin, axes[i]);
    }
}

/* Build the packed problem from bodies and contacts, p = 0. */
static inline void small_assemble(small *s) {
    s->pb =
        (tru_problem){.scratch = &s->scratch, .bodies = s->bodies, .step = 1e-2, .blocks = s->blocks, .rows = s->rows};
    s->pb.g = s->g;
    s->pb.r = s->r;
    s->pb.p = s->p;
    s->pb.u = s->u;
    s->pb.impulse = 0.0;
    for (int i = 0; i < s->contact_count; i++) {
        contact *c = &s->contacts[i];
        block *b = &s->blocks[s->pb.block_count++];
        *b = (block){.kind = BLOCK_CONTACT, .a = c->a, .b = c->b, .theta = 1.0, .contact = c, .law_count = 2};
        for (int k = 0; k < 2; k++) {
            const pair_law *l = &s->pair.laws[k];
            l->law->prepare(l->params, &(tru_contact){.stuck = c->c.stuck}, b->work[k]);
            b->laws[k] = (law_use){l->law, b->work[k], NULL, l->claims};
        }
        trui_problem_contact_rows(&s->pb, b, c);
    }
    check(trui_problem_assemble(&s->pb));
    for (int i = 0; i < s->contact_count; i++) {
        double u[TRU_ROWS];
        small_rates(s, &s->contacts[i], s->v, s->w, u);
        for (int k = 0; k < s->blocks[i].rows; k++) s->r[s->blocks[i].first + k] = u[s->blocks[i].row[k]];
    }
    memcpy(s->raw, s->r, sizeof s->raw);
    trui_problem_free_rates(&s->pb);
    memset(s->p, 0, sizeof s->p);
}

/* By a solver that wants the matrix, or by one that does not and then gets rates with viscous parts still in them. */
static inline tru_status small_solve(small *s, const tru_solver *solver, const void *params, tru_solve_info *info,
                                     tru_error *err) {
    if (!solver->matrix_free) return solver->solve(params, &s->pb, info, err);
    double kept[MOST_ROWS];
    memcpy(kept, s->r, sizeof kept);
    memcpy(s->r, s->raw, sizeof s->raw);
    s->pb.g = NULL;
    trui_problem_rows(&s->pb);
    const tru_status status = solver->solve(params, &s->pb, info, err);
    s->pb.g = s->g;
    memcpy(s->r, kept, sizeof kept);
    return status;
}

/* A chain of random bodies, from the fixed one up, with contacts between neighbours and, where there are more contacts
 * than bodies, elsewhere; they approach. */
static inline void small_draw(small *s, int bodies, int contacts, draw *d) {
    small_begin(s);
    for (int i = 0; i < bodies; i++) {
        const double mass = exp2(draw_in(d, -3.0, 3.0)), j = 0.4 * mass * 0.01;
        const tru_mat3 r = quat_to_matrix(tru_random_attitude(d->seed, d->id, d->index++));
        tru_mat3 inverse = m3_zero();
        for (int k = 0; k < 3; k++) inverse.m[k][k] = draw_in(d, 0.7, 1.3) / j;
        small_body(s, mass, m3_rotate_sym(r, inverse), v3_add(draw_vec(d), v3(0, 0, -1.0)), v3_scale(5.0, draw_vec(d)));
    }
    for (int i = 0; i < contacts; i++) {
        const size_t a = (size_t)(1 + i % bodies), b = i < bodies ? a - 1 : (size_t)draw_int(d, (int)a);
        tru_vec3 n = draw_unit(d);
        n.z = fabs(n.z) + 0.5;
        v3_unit(n, &n);
        const tru_vec3 off = v3_scale(0.03, draw_vec(d));
        small_contact(s, a, b, n, v3_madd(off, -0.1, n), v3_madd(off, 0.1, n));
    }
}

/* Velocities at the end: free ones plus all impulses, viscous parts included, from frames and arms. */
static inline void small_end_velocities(const small *s, tru_vec3 *v, tru_vec3 *w) {
    memcpy(v, s->v, sizeof s->v);
    memcpy(w, s->w, sizeof s->w);
    for (int i = 0; i < s->contact_count; i++) {
        const contact *c = &s->contacts[i];
        const block *b = &s->blocks[i];
        const tru_vec3 axes[3] = {c->c.normal, c->c.t1, c->c.t2};
        tru_vec3 force = v3_zero(), couple = v3_zero();
        for (int k = 0; k < b->rows; k++) {
            const int row = b->row[k];
            const double p = s->p[b->first + k] - trui_block_viscous(&s->pb, b, k);
            if (row < 3)
                force = v3_madd(force, p, axes[row]);
            else
                couple = v3_madd(couple, p, axes[row - 3]);
        }
        const size_t side[2] = {c->a, c->b};
        const tru_vec3 arm[2] = {c->c.arm_a, c->c.arm_b};
        for (int k = 0; k < 2; k++) {
            const problem_body *pbody = &s->bodies[side[k]];
            const double sign = k == 0 ? 1.0 : -1.0;
            const tru_vec3 torque = v3_add(couple, v3_cross(arm[k], force));
            v[side[k]] = v3_madd(v[side[k]], sign * pbody->inv_mass, force);
            w[side[k]] = v3_madd(w[side[k]], sign, m3_apply(pbody->inverse, torque));
        }
    }
}

/* How far (|x|, limit) with rate u is from: |x| <= limit, and x = -limit u/|u| where u is not zero; as a velocity. */
static inline double dry_error(const double *x, const double *u, int n, double limit, double mass) {
    double size = 0.0, rate = 0.0, dot = 0.0;
    for (int i = 0; i < n; i++) size += x[i] * x[i], rate += u[i] * u[i], dot += x[i] * u[i];
    size = sqrt(size);
    rate = sqrt(rate);
    const double beyond = fmax(0.0, size - limit) / mass;
    /* power not dissipated, limit |u| + x.u >= 0, is zero exactly if x opposes u with all it has */
    const double idle = limit > 0.0 ? (limit * rate + dot) / limit : 0.0;
    return fmax(beyond, fmin(2.0 * limit / mass, fmin(idle, rate))); /* repaired by changing x, or u */
}

/* Largest distance from the contact laws, as a velocity [m/s], recomputed from the bodies. */
static inline double small_error(const small *s) {
    tru_vec3 v[BODIES], w[BODIES];
    double worst = 0.0;
    small_end_velocities(s, v, w);
    for (int i = 0; i < s->contact_count; i++) {
        const contact *c = &s->contacts[i];
        const block *b = &s->blocks[i];
        double u[TRU_ROWS], p[TRU_ROWS] = {0}, mass = 0.0;
        small_rates(s, c, v, w, u);
        for (int k = 0; k < b->rows; k++) p[b->row[k]] = s->p[b->first + k];
        for (int k = 0; k < 2; k++) {
            const double m = s->bodies[k ? c->b : c->a].inv_mass;
            if (m > 0.0) mass = mass > 0.0 ? fmin(mass, 1.0 / m) : 1.0 / m;
        }
        const double length = 0.1; /* [m] of the arms: turns rates into speeds */
        worst = fmax(worst, fmax(-u[0], -p[0] / mass));
        worst = fmax(worst, fmin(fabs(u[0]), fabs(p[0]) / mass));
        if (s->pair.claims & TRU_KIND_BIT(TRU_KIND_SLIDE))
            worst = fmax(worst, dry_error(p + 1, u + 1, 2, s->coulomb.slide * p[0], mass));
        if (s->pair.claims & TRU_KIND_BIT(TRU_KIND_SPIN))
            worst =
                fmax(worst, length * dry_error(p + 3, u + 3, 1, s->rolling.spin.length * p[0], mass * length * length));
        if (s->pair.claims & TRU_KIND_BIT(TRU_KIND_ROLL))
            worst =
                fmax(worst, length * dry_error(p + 4, u + 4, 2, s->rolling.roll.length * p[0], mass * length * length));
    }
    return worst;
}

#endif
