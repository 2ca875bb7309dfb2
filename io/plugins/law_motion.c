/* law_motion.c: a ball on a plane with a law, launched or pushed from rest, in any units. */
#include "law_motion.h"

#include "law_sample.h"

/* ---- worlds ---- */

enum { MOTION_STEPS = 400, WAYS = 2 }; /* the ball is launched, or a growing load pushes it from rest */

/* Numbers per SI unit, as powers of two. */
typedef struct units {
    int kg, m, s;
} units;

static void rescale(const char *def, void *params, units u) {
    tru_fields_rescale(tru_def_fields(def), params, ldexp(1.0, u.kg), ldexp(1.0, u.m), ldexp(1.0, u.s));
}

static tru_status add_ball(tru_world *w, int way, units u, tru_error *err) {
    const tru_sphere sphere = {ldexp(0.1, u.m)};
    tru_shape_def floor_shape = tru_default_shape_def(), shape = floor_shape;
    tru_body_def ground = tru_default_body_def(), ball = ground;
    tru_load_def load = tru_default_load_def();
    const tru_knot knots[] = {{0.0, 0.0}, {ldexp(0.5, u.s), 1.0}};
    floor_shape.shape.name = "plane";
    shape.shape = (tru_use){"sphere", &sphere};
    ground.kind = TRU_FIXED;
    ground.shapes = &floor_shape;
    ground.shape_count = ball.shape_count = 1;
    ball.shapes = &shape;
    ball.mass = 2.0;
    ball.position.z = 0.1;
    if (way == 0) ball.velocity = (tru_vec3){1.0, 0.5, 0.0};
    if (way == 0) ball.angular_velocity = (tru_vec3){2.0, -3.0, 6.0};
    rescale("body", &ball, u);
    tru_status s = tru_body_add(w, &ground, NULL, err);
    if (s >= 0) s = tru_body_add(w, &ball, &load.body, err);
    if (s < 0 || way == 0) return s;
    load.force.x = 60.0;
    load.torque = (tru_vec3){0.0, 1.0, 0.4};
    rescale("load", &load, u);
    load.knots = knots;
    load.knot_count = 2;
    return tru_load_add(w, &load, NULL, err);
}

/* Steppers that take set-valued laws, and the one for laws of springs. */
static tru_status set_stepper(tru_world *w, const tru_law *law, units u, tru_error *err) {
    tru_moreau moreau = tru_default_moreau();
    tru_track track = tru_default_track();
    moreau.step = track.step = ldexp(1e-3, u.s);
    return law->section ? tru_stepper_set(w, "moreau", &moreau, err) : tru_stepper_set(w, "track", &track, err);
}

static bool is_built_in(const tru_law *law) {
    for (size_t k = 0; tru_law_at(k); k++)
        if (tru_law_at(k) == law) return true;
    return false;
}

/* Returns a world with the ball and the law; NULL and a sentence if something was refused. */
static tru_world *build(const tru_law *law, const law_params *p, int way, units u, tru_error *err) {
    tru_world_def def = tru_default_world_def();
    tru_pair_def pair = tru_default_pair_def();
    law_params mine = *p;
    const tru_use use = {law->name, mine.bytes};
    tru_world *w;
    rescale("world", &def, u);
    tru_fields_rescale(law->fields, mine.bytes, ldexp(1.0, u.kg), ldexp(1.0, u.m), ldexp(1.0, u.s));
    pair.laws = &use;
    pair.law_count = 1;
    tru_status s = tru_world_create(&def, &w, err);
    if (s < 0) return NULL;
    if (!is_built_in(law)) s = tru_law_register(w, law, err);
    if (s >= 0) s = tru_pair_set(w, &pair, err);
    if (s >= 0) s = add_ball(w, way, u, err);
    if (s >= 0) s = set_stepper(w, law, u, err);
    if (s >= 0) s = tru_check(w, err);
    if (s >= 0) return w;
    tru_world_destroy(w);
    return NULL;
}

static const units si = {0, 0, 0};

/* ---- honesty ---- */

/* A hash over the motion in all steps of both ways. Returns false if the law was refused or a step failed. */
static bool motion_of(const tru_law *law, const law_params *p, uint64_t *hash, tru_error *err) {
    *hash = 0;
    for (int way = 0; way < WAYS; way++) {
        tru_world *w = build(law, p, way, si, err);
        tru_status s = w ? TRU_OK : TRU_REFUSED;
        for (int i = 0; i < MOTION_STEPS && s >= 0; i++) {
            s = tru_run(w, 1, err);
            *hash = (*hash ^ tru_motion_hash(w)) * UINT64_C(1099511628211);
        }
        tru_world_destroy(w);
        if (s < 0) return false;
    }
    return true;
}

/* All values that go together with one, each times a random factor, so that two of them are not equal by chance. */
static law_params varied(const tru_law *law, const law_value *v, draw *d) {
    const law_value_list values = law_values_of(law);
    law_params p = law_values_together(law, v);
    for (int i = 0; i < values.count; i++) {
        law_params more = p;
        if (*law_value_at(law, &values.items[i], &more) <= 0.0) continue;
        law_value_set(law, &values.items[i], exp2(draw_in(d, -1.0, 1.0)), &more);
        if (law_accepts(law, &more)) p = more;
    }
    return p;
}

enum { HONESTY_TRIES = 6 };

/* Does one coefficient, doubled or halved, change the motion with some values of the others? */
static bool counts(law_trial *t, const law_value *v, draw *d, int *runs) {
    tru_error err = {TRU_OK, ""};
    for (int tries = 0; tries < HONESTY_TRIES; tries++) {
        const law_params p = varied(t->law, v, d);
        law_params q = p;
        uint64_t base, other;
        *law_value_at(t->law, v, &q) *= tries % 2 ? 2.0 : 0.5;
        if (!law_accepts(t->law, &q)) continue;
        *runs += 2;
        if (!motion_of(t->law, &p, &base, &err))
            return trio_law_fails(t, "a run with typical values fails: %s", err.text);
        if (!motion_of(t->law, &q, &other, &err) || other != base) return true;
    }
    return trio_law_fails(t, "%s doubled or halved does not change the motion", v->field);
}

bool trio_law_is_honest(law_trial *t) {
    const law_value_list values = law_values_of(t->law);
    draw d = {t->seed, 9, 0};
    t->draws = 0;
    for (int i = 0; i < values.count; i++)
        if (!counts(t, &values.items[i], &d, &t->draws)) return false;
    return true;
}

/* ---- units ---- */

static bool same_vec(tru_vec3 a, tru_vec3 b, int power) {
    return a.x == ldexp(b.x, power) && a.y == ldexp(b.y, power) && a.z == ldexp(b.z, power);
}

static bool same_state(const tru_world *w, const tru_world *other, units u) {
    tru_body_state a, b;
    const tru_id ball = tru_body_at(w, 1);
    if (tru_body_get(w, ball, &a, NULL) < 0 || tru_body_get(other, ball, &b, NULL) < 0) return false;
    return same_vec(a.position, b.position, -u.m) && same_vec(a.velocity, b.velocity, u.s - u.m) &&
           same_vec(a.angular_velocity, b.angular_velocity, u.s);
}

/* Runs two worlds side by side. Returns the first step after which they differ, 0 if none, -1 if one was refused. */
static int first_difference(const tru_law *law, const law_params *p, int way, units u, tru_error *err) {
    tru_world *w = build(law, p, way, si, err), *v = build(law, p, way, u, err);
    int first = w && v ? 0 : -1;
    for (int i = 1; i <= MOTION_STEPS && first == 0; i++) {
        if (tru_run(w, 1, err) < 0 || tru_run(v, 1, err) < 0) first = -1;
        if (first == 0 && !same_state(w, v, u)) first = i;
    }
    tru_world_destroy(w);
    tru_world_destroy(v);
    return first;
}

/* Odd powers, so that a square root of an odd power of a unit cannot hide. */
bool trio_law_has_units(law_trial *t) {
    static const units cases[] = {{0, 3, 0}, {-5, 0, 0}, {0, 0, 1}, {-5, 3, 2}, {7, -11, -3}};
    const law_params p = law_values_together(t->law, NULL);
    tru_error err = {TRU_OK, ""};
    t->draws = 0;
    for (int k = 0; k < 5 * WAYS; k++) {
        const units u = cases[k / WAYS];
        const int first = first_difference(t->law, &p, k % WAYS, u, &err);
        t->draws++;
        if (first < 0) return trio_law_fails(t, "a run in other units fails: %s", err.text);
        if (first > 0)
            return trio_law_fails(t,
                                  "step %d has other bits in units of kg 2^%d, m 2^%d, s 2^%d: wrong unit of a field?",
                                  first, -u.kg, -u.m, -u.s);
    }
    return true;
}

/* ---- ledger ---- */

static bool books_close(law_trial *t, tru_world *w) {
    tru_error err = {TRU_OK, ""};
    double lost = 0.0;
    for (int i = 1; i <= MOTION_STEPS; i++) {
        if (tru_run(w, 1, &err) < 0) return trio_law_fails(t, "step %d fails: %s", i, err.text);
        const tru_ledger l = tru_world_ledger(w);
        const double size = fabs(l.start) + l.kinetic + fabs(l.loads) + l.slide + l.spin + l.roll;
        const double taken = l.slide + l.spin + l.roll;
        if (!(fabs(tru_ledger_gap(&l)) <= 1e-12 * size))
            return trio_law_fails(t,
                                  "step %d: the ledger does not close: gap %.3g of the energy, must be at most 1e-12",
                                  i, fabs(tru_ledger_gap(&l)) / size);
        if (!(taken >= lost - 1e-12 * size))
            return trio_law_fails(t, "step %d: friction gives %.3g J", i, lost - taken);
        lost = taken;
    }
    return true;
}

bool trio_law_keeps_books(law_trial *t) {
    const law_params p = law_values_together(t->law, NULL);
    tru_error err = {TRU_OK, ""};
    t->draws = 0;
    for (int way = 0; way < WAYS; way++) {
        tru_world *w = build(t->law, &p, way, si, &err);
        if (!w) return trio_law_fails(t, "a run with typical values is refused: %s", err.text);
        const bool good = books_close(t, w);
        tru_world_destroy(w);
        t->draws++;
        if (!good) return false;
    }
    return true;
}
