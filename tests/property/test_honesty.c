/* test_honesty.c: every coefficient that is accepted is applied; what a stepper cannot use is refused (P1). */
#define _GNU_SOURCE
#include "plugins/law_values.h"
#include "scenes.h"

/* Scenes that slide, spin, roll and, pushed from rest, hold or give way. */
static scene pushed_from_rest(void) {
    scene s = scene_begin("ball pushed from rest", 500);
    scene_add_plane(&s);
    scene_body *b = scene_add_sphere(&s, 0.1, 2.0, v3_zero(), v3_zero());
    b->loaded = true;
    b->load = tru_default_load_def();
    b->load.force = v3(60.0, 0.0, 0.0);
    b->load.torque = v3(0.0, 1.0, 0.4);
    b->load.knot_count = 2;
    b->load_knots[0] = (tru_knot){0.0, 0.0};
    b->load_knots[1] = (tru_knot){0.5, 1.0};
    return s;
}

static scene launched(void) {
    scene s = scene_begin("ball launched", 400);
    scene_add_plane(&s);
    scene_add_sphere(&s, 0.1, 2.0, v3(1.0, 0.5, 0.0), v3(2.0, -3.0, 6.0));
    return s;
}

static scene (*const exercises[])(void) = {launched, pushed_from_rest};
enum { EXERCISES = sizeof exercises / sizeof *exercises };

/* What came of a run: a hash over all its steps, or the refusal. */
typedef struct outcome {
    bool refused;
    uint64_t hash[EXERCISES];
} outcome;

static uint64_t run_hash(tru_world *w, const scene *s, const method *m) {
    uint64_t h = 0;
    for (int i = 0; i < s->steps; i++) {
        scene_run_step(w, s->name, m->name);
        h = (h ^ kit_hash_states(w)) * UINT64_C(1099511628211);
    }
    return h;
}

/* Run all exercises under one law; NULL: without. */
static outcome outcome_of(const tru_law *law, const law_params *p, const method *m) {
    outcome o = {false, {0}};
    for (int i = 0; i < EXERCISES; i++) {
        scene s = exercises[i]();
        tru_error err = {TRU_OK, ""};
        if (law) memcpy(scene_add_law(&s, law->name), p->bytes, law->size);
        tru_world *w = scene_try_build(&s, m, &err);
        if (!w) {
            check(err.status < 0 && strlen(err.text) > 20); /* never without a sentence */
            o.refused = true;
            continue;
        }
        o.hash[i] = run_hash(w, &s, m);
        tru_world_destroy(w);
    }
    return o;
}

static bool differs(const outcome *a, const outcome *b) {
    bool d = false;
    for (int i = 0; i < EXERCISES; i++) d |= a->hash[i] != b->hash[i];
    return d;
}

/* A stepper that has no use for a law says so before it starts, with its reason. */
static bool refuses(const tru_law *law, const law_value *v, const method *m) {
    const tru_stepper *stepper = kit_find_stepper(m->stepper);
    law_params p = law_defaults(law);
    law_value_set(law, v, 1.0, &p);
    const char *reason = stepper->refuses_law ? stepper->refuses_law(law, p.bytes) : NULL;
    if (!reason || !law_accepts(law, &p)) return reason != NULL;
    scene s = launched();
    char sentence[200];
    tru_error err = {TRU_OK, ""};
    memcpy(scene_add_law(&s, law->name), p.bytes, law->size);
    snprintf(sentence, sizeof sentence, "stepper %s cannot use law %s: %s", stepper->name, law->name, reason);
    check(scene_try_build(&s, m, &err) == NULL);
    check_status(err.status, TRU_REFUSED);
    check_str(err.text, sentence);
    return true;
}

/* One coefficient alone: refused, or it makes a difference to no law at all. */
static void alone(const tru_law *law, const law_value *v, const method *m) {
    law_params p = law_defaults(law);
    law_value_set(law, v, 1.0, &p);
    const outcome with = outcome_of(law, &p, m), without = outcome_of(NULL, NULL, m);
    if (!check(with.refused || differs(&with, &without)))
        printf("law %s, %s alone under %s has no effect\n", law->name, v->field, m->name);
}

/* All that goes together with one coefficient, then that one doubled and halved. */
static void changed(const tru_law *law, const law_value *v, const method *m) {
    const law_params p = law_values_together(law, v);
    const outcome base = outcome_of(law, &p, m);
    int accepted = 0;
    check(!base.refused);
    for (int twice = 0; twice < 2; twice++) {
        law_params q = p;
        *law_value_at(law, v, &q) *= twice ? 2.0 : 0.5;
        const outcome other = outcome_of(law, &q, m);
        accepted += !other.refused;
        if (!check(other.refused || differs(&base, &other)))
            printf("law %s, %s %s under %s has no effect\n", law->name, v->field, twice ? "doubled" : "halved",
                   m->name);
    }
    check(accepted > 0);
}

static void counts(const tru_law *law, const law_value *v) {
    method m;
    EACH_METHOD(m, 1e-3) {
        const scene plain = launched();
        if (scene_is_refused(&plain, &m) || refuses(law, v, &m)) continue;
        /* where rolling is ideal friction only says when it would end: unit.steppers.variational, trui_rolling_ends */
        if (m_k > VARIATIONAL && m_k < TRACKS && strcmp(law->name, "coulomb") == 0) continue;
        alone(law, v, &m);
        if (m_k == VARIATIONAL + 3) continue; /* rk4 takes viscous fields and refuses the others, never all at once */
        changed(law, v, &m);
    }
}

TEST(every_coefficient_of_every_law_counts) {
    const tru_law *law;
    for (size_t k = 0; (law = tru_law_at(k)) != NULL; k++) {
        const law_value_list values = law_values_of(law);
        for (int i = 0; i < values.count; i++) counts(law, &values.items[i]);
    }
}

/* A radius by another name is another length. */
TEST(named_radius_counts) {
    const method m = method_at(0, 1e-3);
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        const tru_ellipsoid shape = {{0.1, 0.1, 0.08}}; /* effective and smaller radius differ */
        scene s = scene_begin("radius", 300);
        scene_add_coulomb(&s, 0.3);
        tru_rolling *r = scene_add_law(&s, "rolling");
        r->roll = (tru_length){0.0, 0.02, i ? TRU_RADIUS_EFFECTIVE : TRU_RADIUS_SMALLER};
        scene_add_plane(&s);
        scene_body *b = scene_add_body(&s, "ellipsoid", &shape, 1.0);
        b->def.velocity = v3(0.5, 0.0, 0.0);
        scene_set_down(b);
        tru_world *w = scene_build(&s, &m);
        hash[i] = run_hash(w, &s, &m);
        tru_world_destroy(w);
    }
    check(hash[0] != hash[1]);
}

/* A stepper whose contact never opens has no use for the pair's own numbers, and says so. */
static void refuses_number(const tru_field *f, double value, const method *m) {
    tru_error err = {TRU_OK, ""};
    char sentence[100];
    scene s = disk_rolls_purely();
    *(double *)(void *)((char *)&s.pair + f->offset) = value;
    snprintf(sentence, sizeof sentence, "stepper %s cannot use %s (%.6g", m->stepper, f->name, value);
    check(scene_try_build(&s, m, &err) == NULL);
    check_status(err.status, TRU_REFUSED);
    check(strncmp(err.text, sentence, strlen(sentence)) == 0);
}

/* The pair's own numbers, from its table: each counts or is refused with its sentence. */
TEST(every_number_of_a_pair_counts) {
    static const struct {
        const char *field;
        double value;
        const char *sentence; /* of the refusal by moreau, NULL: accepted */
    } values[] = {{"restitution", 0.3, NULL},
                  {"compliance", 1e-6, " cannot use compliance (1e-06 m/N): its contacts are rigid"}};
    for (const tru_field *f = tru_def_fields("pair"); f->name; f++) {
        if (f->type != TRU_FIELD_REAL) continue;
        int k = -1;
        for (int i = 0; i < 2; i++)
            if (strcmp(values[i].field, f->name) == 0) k = i;
        if (!check(k >= 0)) {
            printf("pair field %s has no value in test_honesty.c\n", f->name);
            continue;
        }
        method m;
        EACH_METHOD(m, 1e-3) {
            uint64_t hash[3];
            if (m_k >= VARIATIONAL && m_k < TRACKS) {
                refuses_number(f, values[k].value, &m);
                continue;
            }
            for (int i = 0; i < 3; i++) { /* absent, given, doubled */
                tru_error err = {TRU_OK, ""};
                scene s = ball_bounces();
                s.steps = 500;
                scene_drop_refused_laws(&s, &m);
                if (strcmp(m.stepper, "cone") == 0) s.pair.restitution = 0.0; /* what yields gives back by itself */
                *(double *)(void *)((char *)&s.pair + f->offset) = i * values[k].value;
                tru_world *w = scene_try_build(&s, &m, &err);
                const bool refuses =
                    values[k].sentence && !m.soft && strcmp(m.stepper, "cone") != 0; /* springs and cone give */
                check(!w == (i > 0 && refuses));
                const char *tail = strstr(err.text, " cannot use"); /* "stepper NAME" stands before */
                if (i == 1 && refuses) check_str(tail, values[k].sentence);
                if (!w) check_status(err.status, TRU_REFUSED);
                hash[i] = w ? run_hash(w, &s, &m) : (uint64_t)i;
                tru_world_destroy(w);
            }
            check(hash[0] != hash[1] && hash[1] != hash[2]);
        }
    }
}

/* Loads, motions, masses: what a definition accepts, it uses. */
TEST(numbers_of_bodies_count) {
    tru_error err = {TRU_OK, ""};
    scene s = egg_rolls();
    const method m = method_at(0, 1e-3);
    tru_world *w = scene_build(&s, &m);
    const uint64_t base = run_hash(w, &s, &m);
    tru_world_destroy(w);
    for (int i = 0; i < 4; i++) {
        scene t = s;
        tru_body_def *b = &t.bodies[1].def;
        if (i == 0) b->mass *= 1.5, b->inertia = v3(4e-3, 4e-3, 2e-3);
        if (i == 1) b->inertia = v3(3e-3, 3e-3, 3.5e-3);
        if (i == 2) b->centre = v3(0.0, 0.0, 0.01);
        if (i == 3) b->inertia = v3(3e-3, 3e-3, 3.5e-3), b->products = v3(1e-4, 0.0, 0.0);
        w = scene_build(&t, &m);
        check(run_hash(w, &t, &m) != base);
        tru_world_destroy(w);
    }
    s.bodies[1].def.products = v3(1e-4, 0.0, 0.0); /* without inertia they would be lost */
    check(scene_try_build(&s, &m, &err) == NULL);
    check_status(err.status, TRU_CONFLICT);
    check_str(err.text, "body 'body-2': products are given but inertia is not");
}
