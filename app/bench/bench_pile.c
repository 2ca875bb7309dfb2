/* bench_pile.c: benchmarks of one step of a settled pile: sweeps, packing, detection, time to a velocity error, memory.
 *
 * Every figure comes from steps of the public world, taken from one snapshot with other solver settings each time, and
 * from the parts of a step that tru_profile tells apart. */
#include "bench_pile.h"

#include "cli/app.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 15, LEAST = 3, REFERENCE = 6000 }; /* sweeps of the solution that errors are taken against */
static const double ENOUGH = 20.0;                  /* [s] after which no step is repeated more than LEAST times */
enum { SWEEPS = 60 };                               /* of a step, from which the time of one is taken */

struct bench_pile {
    uint64_t scene; /* its hash */
    uint64_t state; /* hash of the settled state */
    tru_sim *sim;
    tru_world *world;
    void *snapshot;
    size_t bytes;             /* of the snapshot */
    double memory;            /* [bytes] that the world holds, */
    char parts[BENCH_REMARK]; /* and per stone by part */
    double stones;            /* */
    double *reference;        /* [m/s], [rad/s] v and w of each body after the step, solved well; NULL: not yet */
    bool reference_for;       /* the form it is for: exact */
};

void bench_pile_free(bench_pile *old) {
    if (!old) return;
    tru_sim_free(old->sim);
    free(old->snapshot);
    free(old->reference);
    free(old);
}

static double memory_held(void) {
#ifdef __GLIBC__
    const struct mallinfo2 m = mallinfo2();
    return (double)m.uordblks + (double)m.hblkhd;
#else
    return NAN;
#endif
}

static double free_bodies(const tru_world *w) {
    double count = 0.0;
    tru_body_info info;
    for (size_t i = 0; i < tru_body_count(w); i++)
        if (tru_body_describe(w, tru_body_at(w, i), &info, NULL) >= 0) count += info.kind == TRU_FREE;
    return count;
}

/* Bytes per stone by part; what malloc counts beyond them is its own, and what runs the scene outside the world. */
static void tell_memory(const bench_pile *p, char remark[BENCH_REMARK]) {
    tru_memory_part part;
    double listed = 0.0;
    size_t end = 0;
    remark[0] = '\0';
    for (size_t k = 0; tru_memory_at(p->world, k, &part) && end < BENCH_REMARK; k++) {
        const double each = (double)part.bytes / p->stones;
        listed += (double)part.bytes;
        if (each >= 0.5)
            end += (size_t)snprintf(remark + end, BENCH_REMARK - end, "%s %s %.0f", end ? "," : ":", part.name, each);
    }
    if (end < BENCH_REMARK && p->memory == p->memory)
        snprintf(remark + end, BENCH_REMARK - end, ", outside the world %.0f", (p->memory - listed) / p->stones);
}

/* Runs the scene to its end and keeps the state. */
static tru_status pile_make(bench_pile **kept, const tru_scene *scene, tru_error *err) {
    bench_pile *p = need(1, sizeof *p);
    bench_pile_free(*kept);
    *kept = p;
    p->scene = tru_scene_hash(scene);
    const double before = memory_held();
    tru_status status = tru_sim_create(scene, NULL, 1, &p->sim, err);
    while (status >= 0 && !tru_sim_done(p->sim)) status = tru_sim_run(p->sim, UINT64_C(1) << 30, err);
    if (status < 0) return status;
    p->memory = memory_held() - before;
    p->world = tru_sim_world(p->sim);
    p->stones = free_bodies(p->world);
    tell_memory(p, p->parts);
    p->state = tru_state_hash(p->world);
    p->bytes = tru_snapshot_size(p->world);
    p->snapshot = need(p->bytes, 1);
    return tru_snapshot_save(p->world, p->snapshot, p->bytes, err);
}

/* ---- one step from the snapshot */

typedef struct try {
    const char *solver; /* "sor" with relaxation 1, or "ngs" */
    bool exact;
    int sweeps;  /* the solver stops at this limit only */
    bool single; /* ngs in single precision: as coarse a tolerance as those sweeps do not reach */
}
try;

static tru_status one_step(bench_pile *p, try t, tru_profile *out, tru_error *err) {
    tru_world *w = p->world;
    tru_cone cone = tru_default_cone();
    tru_sor sor = tru_default_sor();
    tru_ngs ngs = tru_default_ngs();
    sor.tolerance = ngs.tolerance = 1e-14;
    if (t.single) ngs.tolerance = 2e-3;
    ngs.precision = t.single ? TRU_MIXED : TRU_DOUBLE;
    sor.iterations = ngs.iterations = t.sweeps;
    sor.dense_limit = ngs.dense_limit = 0;
    sor.factor_cost_limit = ngs.factor_cost_limit = 0;
    sor.relaxation = 1.0;
    const bool plain = strcmp(t.solver, "sor") == 0;
    cone.form = t.exact ? TRU_EXACT : TRU_RELAXED;
    cone.solver = (tru_use){t.solver, plain ? (const void *)&sor : (const void *)&ngs};
    tru_status status = tru_snapshot_load(w, p->snapshot, p->bytes, err);
    cone.step = tru_step_size(w);
    if (status >= 0) status = tru_stepper_set(w, "cone", &cone, err);
    if (status >= 0) status = tru_check(w, err);
    tru_profile_set(w, thread_seconds);
    if (status >= 0) status = tru_run(w, 1, err);
    *out = tru_profile_get(w);
    tru_profile_set(w, NULL);
    return status;
}

/* [ns] One sweep, per contact: the mean of each of several steps from the same snapshot. */
static tru_status sweep_time(bench_pile *p, try t, bench_reading *out, tru_error *err) {
    tru_status status = TRU_OK;
    const double begun = thread_seconds();
    t.sweeps = SWEEPS;
    for (int k = 0; k < REPEATS && status >= 0 && (k < LEAST || thread_seconds() - begun < ENOUGH); k++) {
        tru_profile one;
        status = one_step(p, t, &one, err);
        if (status >= 0) sample_add(&out->values, 1e9 * one.sweep / (double)one.sweeps / (double)one.packed);
    }
    if (status >= 0 && t.single && tru_world_solve_info(p->world).single != SWEEPS - 1) {
        snprintf(err->text, sizeof err->text, "the sweeps were not in single precision");
        return err->status = TRU_NO_SOLUTION;
    }
    return status;
}

/* [ns] Finding contacts per stone, or packing per contact, in steps that follow each other: the first one after a load
 * finds its memory in no cache. */
static tru_status part_time(bench_pile *p, bool detect, bench_reading *out, tru_error *err) {
    tru_profile one;
    tru_status status = one_step(p, (try){"ngs", false, 1, false}, &one, err);
    for (int k = 0; k < REPEATS && status >= 0; k++) {
        tru_profile_set(p->world, thread_seconds);
        status = tru_run(p->world, 1, err);
        one = tru_profile_get(p->world);
        sample_add(&out->values, 1e9 * (detect ? one.collide / p->stones : one.pack / (double)one.packed));
    }
    tru_profile_set(p->world, NULL);
    return status;
}

/* ---- time to an error */

static void velocities(const tru_world *w, double *out) {
    tru_body_state s;
    for (size_t i = 0; i < tru_body_count(w); i++) {
        if (tru_body_get(w, tru_body_at(w, i), &s, NULL) < 0) continue;
        const double all[6] = {s.velocity.x,         s.velocity.y,         s.velocity.z,
                               s.angular_velocity.x, s.angular_velocity.y, s.angular_velocity.z};
        memcpy(out + 6 * i, all, sizeof all);
    }
}

/* [m/s] mass-weighted rms difference from the reference: sqrt(sum (m |dv|^2 + dw I dw) / (3 sum m)), of balls. */
static double velocity_error(const bench_pile *p) {
    const tru_world *w = p->world;
    const size_t n = tru_body_count(w);
    double *now = need(6 * n, sizeof *now), sum = 0.0, mass = 0.0;
    velocities(w, now);
    for (size_t i = 0; i < n; i++) {
        tru_body_info info;
        const double *a = now + 6 * i, *b = p->reference + 6 * i;
        if (tru_body_describe(w, tru_body_at(w, i), &info, NULL) < 0 || info.kind != TRU_FREE) continue;
        mass += info.mass;
        for (int k = 0; k < 6; k++) sum += (k < 3 ? info.mass : info.inertia.x) * (a[k] - b[k]) * (a[k] - b[k]);
    }
    free(now);
    return sqrt(sum / (3.0 * mass));
}

static tru_status need_reference(bench_pile *p, bool exact, tru_error *err) {
    tru_profile unused;
    if (p->reference && p->reference_for == exact) return TRU_OK;
    const tru_status status = one_step(p, (try){"ngs", exact, REFERENCE, false}, &unused, err);
    free(p->reference);
    p->reference = need(6 * tru_body_count(p->world), sizeof *p->reference);
    p->reference_for = exact;
    velocities(p->world, p->reference);
    return status;
}

/* [ms] of the solve with the fewest sweeps of ngs, in steps of 8 percent, that reach the wanted error. */
static tru_status settle_time(bench_pile *p, const bench_wish *wish, bench_reading *out, tru_error *err) {
    tru_profile one;
    try t = {"ngs", wish->exact, 5, false};
    tru_status status = need_reference(p, wish->exact, err);
    for (; status >= 0 && t.sweeps < REFERENCE / 4; t.sweeps += 1 + t.sweeps / 13) {
        status = one_step(p, t, &one, err);
        if (status >= 0 && velocity_error(p) <= wish->error) break;
    }
    if (status >= 0 && t.sweeps >= REFERENCE / 4) {
        snprintf(err->text, sizeof err->text, "the error stays above %g m/s for any number of sweeps", wish->error);
        return err->status = TRU_NO_SOLUTION;
    }
    snprintf(out->remark, sizeof out->remark, ", %d sweeps", t.sweeps);
    for (int k = 0; k < REPEATS && status >= 0; k++) {
        status = one_step(p, t, &one, err);
        sample_add(&out->values, 1e3 * one.solve);
    }
    return status;
}

/* ---- by name */

static const char *const names[] = {"settled.update", "settled.accelerated", "settled.pack",  "settled.detect",
                                    "settled.settle", "settled.memory",      "settled.single"};

bool bench_pile_knows(const char *call) {
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(call, names[k]) == 0) return true;
    return false;
}

tru_status bench_pile_call(bench_pile **kept, const tru_scene *scene, const bench_wish *wish, bench_reading *out,
                           tru_error *err) {
    tru_status status = TRU_OK;
    if (!*kept || (*kept)->scene != tru_scene_hash(scene)) status = pile_make(kept, scene, err);
    bench_pile *p = *kept;
    if (status < 0) {
        bench_pile_free(p);
        *kept = NULL;
        return status;
    }
    const char *call = wish->call + strlen("settled.");
    out->hash = p->state;
    if (strcmp(call, "update") == 0) return sweep_time(p, (try){"sor", .exact = wish->exact}, out, err);
    if (strcmp(call, "accelerated") == 0) return sweep_time(p, (try){"ngs", .exact = wish->exact}, out, err);
    if (strcmp(call, "single") == 0) return sweep_time(p, (try){"ngs", .exact = wish->exact, .single = true}, out, err);
    if (strcmp(call, "settle") == 0) return settle_time(p, wish, out, err);
    if (strcmp(call, "memory") != 0) return part_time(p, strcmp(call, "detect") == 0, out, err);
    sample_add(&out->values, p->memory / p->stones);
    memcpy(out->remark, p->parts, sizeof p->parts);
    return status;
}
