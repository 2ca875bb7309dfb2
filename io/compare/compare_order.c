/* compare_order.c: observed orders of convergence, their verdicts, and whether methods agree. */
#include "common/fail.h"
#include "compare_state.h"

#include <math.h>

const char *tru_convergence_name(tru_convergence verdict) {
    static const char *const names[TRU_CONVERGENCES] = {"exact", "converges",         "converges, switches",
                                                        "slow",  "does not converge", "too coarse to tell"};
    return (unsigned)verdict < TRU_CONVERGENCES ? names[verdict] : "?";
}

/* ---- orders ---- */

/* Largest value of a probe over the samples, and largest difference of two runs. */
static double size_of(const outcome *a, size_t probe) {
    double size = 0.0;
    for (int k = 0; k < SAMPLES; k++) size = fmax(size, fabs(a->values[k][probe]));
    return size;
}

static double distance(const outcome *a, const outcome *b, size_t probe) {
    double most = 0.0;
    for (int k = 0; k < SAMPLES; k++) {
        const double x = a->values[k][probe], y = b->values[k][probe];
        if (!(isnan(x) && isnan(y))) most = isnan(x - y) ? INFINITY : fmax(most, fabs(x - y));
    }
    return most;
}

static const double round_off = 1e-11; /* of the largest value: thousands of steps of double arithmetic */

static const double slip_round_off = 1e-13; /* of the fastest body: a slip is a difference of its velocities */

/* [unit of the probe] Differences up to this are round-off. */
static double floor_of(const tru_compare *s, const outcome *o, size_t probe) {
    const double own = round_off * size_of(o, probe);
    return s->units[probe] == TRU_UNIT_M_PER_S ? fmax(own, slip_round_off * o->speed) : own;
}

/* From the runs with three steps, each half of the one before; the first is `first` halvings of the scene's. */
static tru_order judge_three(const tru_compare *s, size_t m, size_t probe, int first) {
    const outcome *o = &s->outcomes[m * MOST_LEVELS + (size_t)first];
    tru_order j = {.observed = NAN, .told = NAN};
    j.coarse = distance(&o[0], &o[1], probe);
    j.fine = distance(&o[1], &o[2], probe);
    const double floor_ = floor_of(s, &o[2], probe);
    j.expected = o[2].order > 2 ? 1 : o[2].order;
    if (o[2].impacts) j.expected = 1;
    if (j.coarse <= floor_ && j.fine <= floor_) {
        j.error = floor_;
        j.good = true;
        j.verdict = TRU_CONVERGENCE_EXACT;
        return j;
    }
    j.observed = log2(j.coarse / fmax(j.fine, 1e-300));
    const double p = fmin(fmax(j.observed, 0.5), j.expected + 1.0);
    j.error = j.fine / (exp2(p) - 1.0) + floor_;
    const double wanted = o[2].switches ? 1.0 : j.expected;
    j.good = j.observed >= wanted - 0.35 || j.fine <= floor_;
    j.verdict = !j.good         ? (j.observed > 0.1 ? TRU_CONVERGENCE_SLOW : TRU_CONVERGENCE_DIVERGES)
                : o[2].switches ? TRU_CONVERGENCE_SWITCHES
                                : TRU_CONVERGENCE_CONVERGES;
    return j;
}

/* If only finer steps show the order, the scene's step does not resolve the motion: it is too coarse to tell. A method that
 * could not be tried with finer steps is not judged. */
static tru_order judge(const tru_compare *s, size_t m, size_t probe) {
    tru_order j = judge_three(s, m, probe, 0);
    int from = s->methods[m].levels - LEVELS;
    if (j.good) return j;
    if (from == 0 && s->methods[m].cut) j.verdict = TRU_CONVERGENCE_COARSE;
    if (from == 0 || !judge_three(s, m, probe, from).good) return j;
    while (from > 1 && judge_three(s, m, probe, from - 1).good) from--;
    j.verdict = TRU_CONVERGENCE_COARSE;
    j.told = ldexp(s->methods[m].step, -from);
    return j;
}

/* Checks the arguments of a question about method and probe. */
static tru_status check_question(const tru_compare *s, size_t method, size_t probe, const void *out, tru_error *err) {
    if (!s || !out) return trio_fail(err, TRU_BAD_ARGUMENT, "comparison and out must not be NULL");
    if (!s->ran) return trio_fail(err, TRU_BAD_ARGUMENT, "the comparison must run before it is asked");
    if (method >= s->info.method_count)
        return trio_fail(err, TRU_OUT_OF_RANGE, "method is %zu, must be below %zu", method, s->info.method_count);
    if (probe >= s->info.probe_count)
        return trio_fail(err, TRU_OUT_OF_RANGE, "probe is %zu, must be below %zu", probe, s->info.probe_count);
    return TRU_OK;
}

tru_status tru_compare_order(const tru_compare *s, size_t method, size_t probe, tru_order *out, tru_error *err) {
    const tru_status status = check_question(s, method, probe, out, err);
    if (status >= 0) *out = judge(s, method, probe);
    return status;
}

/* ---- agreement ---- */

tru_status tru_compare_agreement(const tru_compare *s, size_t a, size_t b, size_t probe, tru_agreement *out,
                                 tru_error *err) {
    tru_status status = check_question(s, a, probe, out, err);
    if (status >= 0) status = check_question(s, b, probe, out, err);
    if (status < 0) return status;
    out->difference = distance(&s->outcomes[a * MOST_LEVELS + 2], &s->outcomes[b * MOST_LEVELS + 2], probe);
    out->errors = judge(s, a, probe).error + judge(s, b, probe).error;
    out->agree = out->difference <= 3.0 * out->errors;
    return TRU_OK;
}

tru_status tru_compare_values(const tru_compare *s, size_t method, int level, size_t probe,
                              double out[TRU_COMPARE_SAMPLES], tru_error *err) {
    const tru_status status = check_question(s, method, probe, out, err);
    if (status < 0) return status;
    if (level < 0 || level >= s->methods[method].levels)
        return trio_fail(err, TRU_OUT_OF_RANGE, "level is %d, must be from 0 to %d", level,
                         s->methods[method].levels - 1);
    const outcome *o = &s->outcomes[method * MOST_LEVELS + (size_t)level];
    for (int k = 0; k < SAMPLES; k++) out[k] = o->values[k][probe];
    return TRU_OK;
}
