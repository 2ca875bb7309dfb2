/* solver_prox.c: the published fixed point p <- proj(p - rho (G p + r)) with its choices of rho.
 *
 * It is [LSLG05 (3.7)], called "modified Newton" there. rho is one constant for normal and slide rows as in the paper, or 1/G
 * per row kind times a relaxation factor. With the constant, spin and roll rows keep 1/G, because G_RR grows without bound
 * near flat. */
#include "problem/problem.h"

#include "base/assert.h"
#include "base/error.h"

#include <stddef.h>
#include <string.h>

enum { RHO_LOCAL, RHO_CONSTANT };
enum { START_LAST, START_PREDICTED, START_ZERO };

static const tru_field fields[] = {
    TRU_CHOICE(tru_prox, rho, "local|constant", RHO_LOCAL,
               "Step of the fixed point: 1/G of each row kind, or one constant for normal and slide rows."),
    TRU_REAL(tru_prox, rho_value, TRU_UNIT_KG, 0.0, TRU_FROM_ZERO, "The constant, with rho: constant."),
    TRU_REAL(tru_prox, relaxation, TRU_UNIT_ONE, 1.0, TRU_ABOVE(0.0, 2.0),
             "Factor on the local rho; bodies with several contacts need less than 1, 0.1 to 0.3."),
    TRU_REAL(tru_prox, tolerance, TRU_UNIT_ONE, 1e-10, TRU_RANGE(1e-16, 1.0),
             "Change of the impulses in one iteration, relative to weight times step."),
    TRU_INTEGER(tru_prox, iterations, 100000, TRU_RANGE(1, 100000000), "Most iterations in one solve."),
    TRU_CHOICE(tru_prox, start, "last|predicted|zero", START_LAST,
               "First guess of a step: the last impulses as published, where they were heading, or nothing."),
    {.name = NULL},
};

static tru_status check(const void *params, tru_error *err) {
    const tru_prox *p = params;
    if (p->rho == RHO_CONSTANT && !(p->rho_value > 0.0))
        return tru_fail(err, TRU_OUT_OF_RANGE,
                        "solver prox: rho is constant but rho_value is %.6g kg, must be above 0 kg", p->rho_value);
    if (p->rho == RHO_LOCAL && p->rho_value > 0.0)
        return tru_fail(err, TRU_CONFLICT, "solver prox: rho_value is %.6g kg but has no effect with rho: local",
                        p->rho_value);
    return TRU_OK;
}

/* Writes the metrics of this solver into the blocks and saves the previous ones in `kept` for restore_rho(). */
static void choose_rho(const tru_prox *o, tru_problem *pb, double (*kept)[TRU_KINDS]) {
    for (int i = 0; i < pb->block_count; i++) {
        double *rho = pb->blocks[i].metric;
        TRU_ASSERT(pb->blocks[i].first + pb->blocks[i].rows <= pb->n);
        memcpy(kept[i], rho, sizeof kept[i]);
        for (int kind = 0; kind < TRU_KINDS; kind++) rho[kind] *= o->relaxation;
        if (o->rho == RHO_CONSTANT) rho[TRU_KIND_NORMAL] = rho[TRU_KIND_SLIDE] = o->rho_value;
        trui_block_spread_metric(&pb->blocks[i]);
    }
}

/* Writes the saved metrics back into the blocks. */
static void restore_rho(tru_problem *pb, double (*kept)[TRU_KINDS]) {
    for (int i = 0; i < pb->block_count; i++) {
        memcpy(pb->blocks[i].metric, kept[i], sizeof kept[i]);
        trui_block_spread_metric(&pb->blocks[i]);
    }
}

/* Chooses the first guess. The problem brings the last impulses, or predicted ones for a contact that neither stuck nor slipped
 * differently in the last step. */
static void first_guess(const tru_prox *o, tru_problem *pb) {
    if (o->start == START_ZERO) memset(pb->p, 0, (size_t)pb->n * sizeof *pb->p);
    for (int i = 0; o->start == START_LAST && i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        if (!b->contact || !b->contact->end || !b->contact->steady || b->contact->age <= 1) continue;
        for (int k = 0; k < b->rows; k++) pb->p[b->first + k] = b->contact->end->last[b->row[k]];
    }
}

/* Makes one iteration of all blocks from the same rates. Returns |change of p|^2, couples over their length. [N^2 s^2] */
static double iterate(tru_problem *pb) {
    double change = 0.0;
    trui_problem_rates(pb, pb->p, pb->u);
    for (int i = 0; i < pb->block_count; i++) {
        const block *b = &pb->blocks[i];
        double x[TRU_ROWS], y[TRU_ROWS];
        uint32_t stuck;
        for (int k = 0; k < b->rows; k++) x[k] = pb->p[b->first + k] - b->rho[k] * pb->u[b->first + k];
        trui_block_project(b, x, pb->u + b->first, y, NULL, &stuck);
        for (int k = 0; k < b->rows; k++) {
            const double e = (y[k] - pb->p[b->first + k]) / pb->rows[b->first + k].length;
            pb->p[b->first + k] = y[k];
            change += e * e;
        }
    }
    return change;
}

/* Restores the first guess if it has a smaller residual than `now`: iterations that diverge end far away. Returns true if it
 * did. */
static bool go_back(tru_problem *pb, const double *begun, double now) {
    double *f = ARENA_ARRAY(pb->scratch, double, (size_t)pb->n);
    if (!f) return false;
    trui_problem_rates(pb, begun, pb->u);
    const bool better = !(trui_problem_evaluate(pb, begun, pb->u, f, NULL) >= now);
    if (better) memcpy(pb->p, begun, (size_t)pb->n * sizeof *begun);
    trui_problem_rates(pb, pb->p, pb->u);
    trui_problem_evaluate(pb, pb->p, pb->u, f, NULL); /* which rows stick */
    return better;
}

static tru_status solve(const void *params, tru_problem *pb, tru_solve_info *info, tru_error *err) {
    const tru_prox *o = params;
    const size_t bytes = (size_t)pb->n * sizeof(double);
    double *f = ARENA_ARRAY(pb->scratch, double, (size_t)pb->n),
           *begun = ARENA_ARRAY(pb->scratch, double, (size_t)pb->n);
    double(*kept)[TRU_KINDS] = arena_push_array(pb->scratch, (size_t)pb->block_count, sizeof *kept);
    if (!f || !begun || !kept) return tru_no_memory(err);
    choose_rho(o, pb, kept);
    if (info->iterations == 0) first_guess(o, pb); /* later solves of a step start from the previous one */
    memcpy(begun, pb->p, bytes);
    double scale = pb->impulse; /* [N s] m g h; without gravity what it takes to stop the blocks */
    for (int i = 0; scale == 0.0 && i < pb->block_count; i++)
        scale = fmax(scale, pb->blocks[i].metric[TRU_KIND_NORMAL] * pb->blocks[i].speed);
    TRU_ASSERT(!(scale < 0.0) && pb->g);
    const double limit = o->tolerance * scale;
    int k = 0;
    bool converged = false;
    while (!converged && k < o->iterations) {
        k++;
        converged = iterate(pb) <= limit * limit;
    }
    trui_problem_rates(pb, pb->p, pb->u);
    info->iterations += k;
    info->converged = converged;
    restore_rho(pb, kept); /* residuals are stated with the metrics that every solver uses */
    info->relative = trui_problem_evaluate(pb, pb->p, pb->u, f, NULL);
    if (!converged && go_back(pb, begun, info->relative))
        info->relative = trui_problem_evaluate(pb, pb->p, pb->u, f, NULL);
    trui_problem_report(pb, f, info);
    return converged ? TRU_OK : TRU_UNCONVERGED;
}

TRU_DEFAULTS(tru_prox, tru_default_prox, fields)

const tru_solver tru_solver_prox = {
    .name = "prox",
    .doc = "The published fixed point of projections, with its choices of rho.",
    .fields = fields,
    .size = sizeof(tru_prox),
    .check = check,
    .solve = solve,
    .no_fallback = true,
};
