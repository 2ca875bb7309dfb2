/* A law from outside the library: registered, with a list among its parameters and a memory at each contact; run by a
 * stepper, kept in snapshots, kept or forgotten when pairs are set during a run. Public headers only. */
#include "check.h"
#include "worlds.h"

#include <trundle/plugin.h>

#include <math.h>
#include <stddef.h>

#define G 9.81

/* ---- the law: a sliding coefficient that wears off with the distance slid at this contact ---- */

typedef struct stage {
    double from;  /* [m] distance slid */
    double slide; /* [-] coefficient from there on */
} stage;

typedef struct worn {
    tru_list stages; /* of stage; `from` increases, the first is 0 */
    const char *note;
} worn;

static const tru_field stage_fields[] = {
    TRU_REAL(stage, from, TRU_UNIT_M, 0.0, TRU_FROM_ZERO, "Distance."),
    TRU_REAL(stage, slide, TRU_UNIT_ONE, 0.0, TRU_FROM_ZERO, "Coefficient."),
    {.name = NULL},
};
static const tru_field worn_fields[] = {
    TRU_LIST(worn, stages, TRU_UNIT_MISSING, 0, stage, stage_fields, "Coefficient by distance."),
    TRU_TEXT(worn, note, NULL, "Whatever the user wants to say."),
    {.name = NULL},
};

enum { MU, STEP }; /* work */

static unsigned worn_claims(const void *params) {
    return ((const worn *)params)->stages.count > 0 ? TRU_KIND_BIT(TRU_KIND_SLIDE) : 0u;
}

static void worn_prepare(const void *params, const tru_contact *contact, double work[TRU_LAW_WORK]) {
    const tru_list *l = &((const worn *)params)->stages;
    const stage *s = l->items;
    for (size_t i = 0; i < l->count; i++)
        if (contact->memory[0] >= s[i].from) work[MU] = s[i].slide;
    work[STEP] = contact->step;
}

static void worn_section(const double *work, double *memory, tru_section *s) {
    (void)memory;
    const double limit = work[MU] * s->normal, size = sqrt(s->x[0] * s->x[0] + s->x[1] * s->x[1]);
    const bool inside = size <= limit;
    const double e[2] = {inside ? 0.0 : s->x[0] / size, inside ? 0.0 : s->x[1] / size};
    const double k = inside ? 1.0 : limit / size;
    if (limit > 0.0 && size <= limit * (1.0 + 1e-9)) s->stuck |= TRU_KIND_BIT(TRU_KIND_SLIDE);
    for (int i = 0; i < 2; i++) {
        s->y[i] = k * s->x[i];
        if (s->dn) s->dn[i] = work[MU] * e[i];
        for (int j = 0; s->dx && j < 2; j++)
            s->dx[i * TRU_FRICTION_ROWS + j] = k * ((i == j ? 1.0 : 0.0) - e[i] * e[j]);
    }
}

static double worn_support(const double *work, const double *u) { return work[MU] * sqrt(u[0] * u[0] + u[1] * u[1]); }

static void worn_accept(const double *work, double *memory, const double *y, const double *u, uint32_t stuck) {
    (void)y, (void)stuck;
    memory[0] += work[STEP] * sqrt(u[0] * u[0] + u[1] * u[1]);
}

static const tru_law law = {.name = "worn",
                            .doc = "A sliding coefficient that depends on the distance slid.",
                            .fields = worn_fields,
                            .size = sizeof(worn),
                            .history = 1,
                            .claims = worn_claims,
                            .prepare = worn_prepare,
                            .section = worn_section,
                            .support = worn_support,
                            .accept = worn_accept};

/* ---- a block that slides to rest ---- */

#define V0     1.0   /* [m/s] */
#define LENGTH 0.06  /* [m] after which the coefficient changes */
#define MU0    0.4   /* [-] before */
#define MU1    0.2   /* [-] after */
#define H      1e-4  /* [s] */
#define END    10000 /* steps: it rests long before */

/* The pair with copies of everything that die when this returns. */
static void set_worn(tru_world *w, tru_id a, tru_id b) {
    tru_error err;
    stage stages[2] = {{0.0, MU0}, {LENGTH, MU1}};
    char note[] = "steel on ice";
    worn params = {{stages, 2}, note};
    const tru_use use = {"worn", &params};
    const tru_pair_def pair = {.a = a, .b = b, .laws = &use, .law_count = 1};
    MUST(tru_pair_set(w, &pair, &err));
    memset(stages, 0xEE, sizeof stages);
    memset(note, 'x', sizeof note - 1);
}

static tru_world *defined(void) {
    tru_error err;
    tru_world *w = kit_create_world(tru_default_world_def().gravity);
    MUST(tru_material_add(w, "other", NULL, &err));
    MUST(tru_law_register(w, &law, &err));
    set_worn(w, TRU_NONE, TRU_NONE);
    kit_set_moreau(w, H, TRU_MIDPOINT);
    return w;
}

static tru_id add(tru_world *w, const char *name, int32_t kind, const char *shape_name, const void *params, tru_vec3 x,
                  tru_vec3 v) {
    return kit_add_body(w, {.name = name,
                            .kind = kind,
                            .shape = {shape_name, params},
                            .density = kind == TRU_FREE ? 1000.0 : 0.0,
                            .position = x,
                            .velocity = v});
}

static tru_world *sliding(void) {
    tru_world *w = defined();
    const tru_box box = {{0.2, 0.2, 0.05}};
    const tru_sphere sphere = {0.1};
    add(w, "floor", TRU_FIXED, "plane", NULL, (tru_vec3){0.0, 0.0, 0.0}, (tru_vec3){0.0, 0.0, 0.0});
    add(w, "ball", TRU_FREE, "sphere", &sphere, (tru_vec3){0.0, 5.0, 0.1}, (tru_vec3){0.0, 0.0, 0.0});
    add(w, "block", TRU_FREE, "box", &box, (tru_vec3){0.0, 0.0, 0.025}, (tru_vec3){V0, 0.0, 0.0});
    return w;
}

static double distance(const tru_world *w) { return kit_get_state(w, tru_body_find(w, "block")).position.x; }

/* v0^2/2 = g (mu0 LENGTH + mu1 (d - LENGTH)); the coefficient changes within one step of v h. */
TEST(law_of_ones_own_is_run) {
    tru_error err;
    tru_world *w = sliding();
    MUST(tru_run(w, END, &err));
    check_close(distance(w), LENGTH + (0.5 * V0 * V0 / G - MU0 * LENGTH) / MU1, 0.0, V0 * H);
    check(fabs(kit_get_state(w, tru_body_find(w, "block")).velocity.x) < 1e-12);
    tru_world_destroy(w);
}

TEST(registering) {
    tru_error err;
    tru_world *w = defined();
    tru_law bad = law;
    check_status(tru_law_register(w, &law, &err), TRU_CONFLICT);
    bad.name = "bad";
    bad.fields = NULL;
    check_status(tru_law_register(w, &bad, &err), TRU_BAD_ARGUMENT);
    bad = law;
    bad.name = "bad";
    bad.support = NULL;
    check_status(tru_law_register(w, &bad, &err), TRU_BAD_ARGUMENT);
    bad.support = law.support;
    check_status(tru_law_register(w, &bad, &err), TRU_OK);
    tru_world_destroy(w);
}

/* Far more laws than any table held once: every one is found, runs, and is the nearest name of a mistyped one. */
TEST(many_laws_of_ones_own) {
    enum { MANY = 200 };
    static char names[MANY][16];
    static tru_law many[MANY];
    tru_error err = {TRU_OK, ""};
    tru_world *w = kit_create_world(tru_default_world_def().gravity);
    for (int k = 0; k < MANY; k++) {
        snprintf(names[k], sizeof names[k], "own-%c%c-%d", 'a' + k % 26, 'a' + k / 26, k);
        many[k] = law;
        many[k].name = names[k];
        check_status(tru_law_register(w, &many[k], &err), TRU_OK);
    }
    for (int k = 0; k < MANY; k++) {
        const tru_use use = {names[k], NULL};
        tru_pair_def pair = tru_default_pair_def();
        pair.laws = &use;
        pair.law_count = 1;
        if (!check_status(tru_pair_set(w, &pair, &err), TRU_OK)) printf("  %s: %s\n", names[k], err.text);
        check_status(tru_law_register(w, &many[k], &err), TRU_CONFLICT);
    }
    const struct {
        const char *name, *says;
    } wrong[] = {{"own-ra-17x", "no law 'own-ra-17x'; did you mean 'own-ra-17'?"},
                 {"own-rh-199x", "no law 'own-rh-199x'; did you mean 'own-rh-199'?"}};
    for (int k = 0; k < 2; k++) {
        const tru_use use = {wrong[k].name, NULL};
        tru_pair_def pair = tru_default_pair_def();
        pair.laws = &use;
        pair.law_count = 1;
        check_status(tru_pair_set(w, &pair, &err), TRU_UNKNOWN_NAME);
        check_str(err.text, wrong[k].says);
    }
    tru_world_destroy(w);
}

/* Save in the middle of the slide, after the change of coefficient and before it. */
TEST(memory_is_in_the_snapshot) {
    tru_error err;
    tru_world *straight = sliding();
    MUST(tru_run(straight, END, &err));
    for (uint64_t at = 300; at < 2000; at += 700) {
        tru_world *w = sliding(), *other = defined();
        MUST(tru_run(w, at, &err));
        const size_t bytes = tru_snapshot_size(w);
        void *s = malloc(bytes);
        if (!s) exit(1);
        MUST(tru_snapshot_save(w, s, bytes, &err));
        MUST(tru_snapshot_load(other, s, bytes, &err));
        MUST(tru_run(other, END - at, &err));
        check(tru_state_hash(other) == tru_state_hash(straight));
        free(s);
        tru_world_destroy(w);
        tru_world_destroy(other);
    }
    tru_world_destroy(straight);
}

/* What has nothing to do with a contact leaves its memory alone: other pairs, other bodies. */
TEST(memory_survives_changes_elsewhere) {
    tru_error err;
    tru_contensou contensou = tru_default_contensou();
    contensou.slide = 0.3;
    contensou.patch = 1e-3;
    const tru_use use = {"contensou", &contensou};
    const tru_pair_def pair = {.a = 2, .b = 2, .laws = &use, .law_count = 1};
    tru_world *straight = sliding(), *w = sliding();
    MUST(tru_run(straight, END, &err));
    MUST(tru_run(w, 400, &err));
    MUST(tru_pair_set(w, &pair, &err));
    MUST(tru_run(w, 200, &err));
    set_worn(w, 1, 2);
    MUST(tru_body_remove(w, tru_body_find(w, "ball"), &err));
    MUST(tru_run(w, END - 600, &err));
    check_close(distance(w), distance(straight), 1e-10, 0.0); /* without the ball the solver rounds differently */
    tru_world_destroy(straight);
    tru_world_destroy(w);
}

/* The pair itself set again: contacts begin with an empty memory, so the first coefficient holds for LENGTH again. */
TEST(memory_begins_anew_with_new_laws) {
    tru_error err;
    for (int own = 0; own < 2; own++) { /* once as the default, once as a pair that takes over from it */
        tru_world *w = sliding();
        MUST(tru_run(w, 720, &err));
        const double x = distance(w), v = kit_get_state(w, tru_body_find(w, "block")).velocity.x;
        check(x > LENGTH && v > sqrt(2.0 * G * MU0 * LENGTH));
        set_worn(w, own ? 1 : TRU_NONE, own ? 1 : TRU_NONE);
        MUST(tru_run(w, END, &err));
        check_close(distance(w), x + LENGTH + (0.5 * v * v / G - MU0 * LENGTH) / MU1, 0.0, 2.0 * V0 * H);
        tru_world_destroy(w);
    }
}

/* The judge does not judge a step by laws that came later. */
TEST(judge_after_a_pair_was_set) {
    tru_error err;
    tru_verdict verdict;
    tru_world *w = sliding();
    MUST(tru_run(w, 10, &err));
    check_status(tru_judge(w, &verdict, &err), TRU_OK);
    set_worn(w, 2, 2);
    check_status(tru_judge(w, &verdict, &err), TRU_BAD_ARGUMENT);
    MUST(tru_run(w, 1, &err));
    check_status(tru_judge(w, &verdict, &err), TRU_OK);
    check(verdict.momentum < 1e-12 && verdict.law[TRU_KIND_SLIDE] < 1e-12);
    tru_world_destroy(w);
}
