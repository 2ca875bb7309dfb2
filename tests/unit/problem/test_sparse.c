/* test_sparse.c: Newton's steps without a matrix of contacts, against dense ones. */
#define _GNU_SOURCE
#include "unit/solvers/small_problem.h"

#include "math/solve.h"
#include "problem/sparse.h"

#include <stdlib.h>

#define SEED 20261116u

/* J = (1 + shift) I - (1 - soft) D + D rho G, couples in units of their length. */
static bool dense_step(const small *s, const double *f, const double *d, double shift, double soft, double *step) {
    const int n = s->pb.n;
    static double j[MOST_ROWS * MOST_ROWS], work[MOST_ROWS];
    int perm[MOST_ROWS];
    for (int b = 0; b < s->pb.block_count; b++) {
        const block *bl = &s->blocks[b];
        for (int k = 0; k < bl->rows; k++)
            for (int c = 0; c < n; c++) {
                const int row = bl->first + k;
                double sum = row == c ? 1.0 + shift : 0.0;
                for (int l = 0; l < bl->rows; l++) {
                    const double dkl = d[BLOCK_ROOM * b + k * TRU_ROWS + l];
                    sum += dkl * bl->rho[l] * s->g[(bl->first + l) * n + c];
                    if (bl->first + l == c) sum -= (1.0 - soft) * dkl;
                }
                j[row * n + c] = sum * s->rows[c].length / s->rows[row].length;
            }
    }
    for (int i = 0; i < n; i++) step[i] = -f[i] / s->rows[i].length;
    if (!tru_lu(j, n, n, perm, work)) return false;
    tru_lu_solve(j, n, n, perm, step);
    for (int i = 0; i < n; i++) step[i] *= s->rows[i].length;
    return true;
}

/* Rates and steps through the velocities are those of the matrix: contacts that stick, slip, roll and open, laws with
 * viscous parts, rows that yield, both forms. */
TEST(steps_without_a_matrix) {
    small *s = malloc(sizeof *s);
    draw d = {SEED, 2, 0};
    double worst_rate = 0.0, worst_step = 0.0;
    for (int round = 0; round < 300; round++) {
        double f[MOST_ROWS], u[MOST_ROWS], other[MOST_ROWS], step[MOST_ROWS], want[MOST_ROWS];
        double derivative[CONTACTS * BLOCK_ROOM];
        s->coulomb = tru_default_coulomb();
        s->rolling = tru_default_rolling();
        s->coulomb.slide = draw_in(&d, 0.0, 0.8);
        s->rolling.roll.length = s->rolling.spin.length = round % 2 ? draw_in(&d, 0.0, 0.01) : 0.0;
        if (round % 5 == 4) s->rolling.roll_viscosity = s->rolling.spin_viscosity = 0.5;
        small_draw(s, 3 + round % 4, 4 + round % 5, &d);
        small_assemble(s);
        for (int i = 0; i < s->contact_count; i++) {
            s->blocks[i].relaxed = round % 3 == 0;
            if (round % 7 != 6 || s->pb.viscous) continue;
            s->blocks[i].normal_terms.soft = 0.3 / s->blocks[i].rho[0]; /* G has it on the diagonal */
            s->g[s->blocks[i].first * (s->pb.n + 1)] += s->blocks[i].normal_terms.soft;
        }
        for (int i = 0; i < s->pb.n; i++) s->p[i] = draw_in(&d, -0.2, 1.0) * s->blocks[0].rho[0] * s->rows[i].length;
        trui_problem_rates(&s->pb, s->p, u);
        double kept[MOST_ROWS];
        memcpy(kept, s->r, sizeof kept);
        memcpy(s->r, s->raw, sizeof kept);
        double *g = s->pb.g;
        sparse through;
        s->pb.g = NULL;
        check(trui_sparse_begin(&through, &s->pb));
        trui_sparse_rates(&through, s->p, other);
        trui_problem_evaluate(&s->pb, s->p, u, f, derivative);
        const double shift = round % 4 == 0 ? 1e-6 : 1e-3, soft = round % 4 == 1 ? 1e-2 : 0.0;
        check(trui_sparse_step(&through, f, derivative, shift, soft, step));
        s->pb.g = g;
        check(dense_step(s, f, derivative, shift, soft, want));
        for (int i = 0; i < s->pb.n; i++) {
            const double length = s->rows[i].length;
            worst_rate = fmax(worst_rate, fabs(other[i] - u[i]) * length);
            worst_step = fmax(worst_step, shift * fabs(step[i] - want[i]) / length / s->blocks[0].rho[0]);
        }
        small_end(s);
    }
    printf("seed %u: rates differ by %.1e, steps by %.1e of what the shift leaves\n", SEED, worst_rate, worst_step);
    check(worst_rate < 1e-11);
    check(worst_step < 1e-9);
    free(s);
}
