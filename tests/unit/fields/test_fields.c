/* test_fields.c: deep copies own everything, hashes see everything, every allocation failed in turn. */
#include "check.h"
#include "failing_allocator.h"
#include "field_example.h"

#include "base/array.h"
#include "fields/fields.h"

/* The kind "solver" has one plug-in: this very example, so that structs nest. */
static bool find_example(void *user, const char *kind, const char *name, plug *out) {
    (void)user;
    *out = (plug){example_fields, sizeof(example)};
    return strcmp(kind, "solver") == 0 && (strcmp(name, "example") == 0);
}

static const tru_field leaf_fields[] = {{"gain", TRU_FIELD_REAL, TRU_UNIT_ONE, 2.5, EXAMPLE_ANY, .offset = 0},
                                        {"name", TRU_FIELD_TEXT, .offset = sizeof(double), .text = "leaf"},
                                        {0}};

typedef struct leaf {
    double gain; /* [-] */
    const char *name;
} leaf;

static bool find_any(void *user, const char *kind, const char *name, plug *out) {
    if (find_example(user, kind, name, out)) return true;
    *out = (plug){leaf_fields, sizeof(leaf)};
    return strcmp(kind, "solver") == 0 && strcmp(name, "newton") == 0;
}

static const plug_finder finder = {find_any, NULL};

static example full_example(layer layers[2], double times[3], example *inner) {
    tru_fields_defaults(example_fields, inner);
    inner->slide = 0.7;
    inner->note = "inner";
    layers[0] = (layer){1.0, {0.01, 0.0, 0}, "top"};
    layers[1] = (layer){2.0, {0.0, 0.05, TRU_RADIUS_SMALLER}, NULL};
    for (int i = 0; i < 3; i++) times[i] = i * 0.1;
    example e;
    memset(&e, 0, sizeof e);
    tru_fields_defaults(example_fields, &e);
    e.slide = 0.3, e.radius = 0.1, e.count = 7, e.on = false, e.body = 12, e.scheme = 0;
    e.turn = (tru_quat){0.5, 0.5, -0.5, 0.5};
    e.layers = (tru_list){layers, 2};
    e.times = (tru_list){times, 3};
    e.solver = (tru_use){"example", inner};
    e.roll.length = 0.02;
    return e;
}

static uint64_t hash_of(const example *e) { return trui_fields_hash(example_fields, e, &finder); }

TEST(a_copy_is_equal_and_shares_nothing) {
    failing_allocator f = failing_begin(FAIL_NEVER);
    tru_allocator a = failing_allocator_of(&f);
    memory m = trui_memory_of(&a);
    layer layers[2];
    double times[3];
    example inner, e = full_example(layers, times, &inner), copy;
    memset(&copy, 0xFF, sizeof copy);
    check_status(trui_fields_copy(&m, example_fields, &e, &copy, &finder, NULL), TRU_OK);
    check(copy.slide == 0.3 && copy.count == 7 && !copy.on && copy.body == 12 && copy.turn.y == -0.5);
    check(copy.activation == TRU_DERIVED && copy.scheme == 0 && copy.roll.length == 0.02);
    const layer *own = copy.layers.items;
    check(copy.layers.count == 2 && own != layers && own[1].depth == 2.0 && own[1].roll.factor == 0.05);
    check_str(own[0].label, "top");
    check(own[0].label != layers[0].label && own[1].label == NULL);
    check(copy.times.count == 3 && copy.times.items != times && ((const double *)copy.times.items)[2] == 0.2);
    const example *deep = copy.solver.params;
    check(deep != &inner && deep->slide == 0.7 && copy.solver.name != e.solver.name);
    check_str(deep->note, "inner");
    check_str(copy.solver.name, "example");
    /* The inner solver was given without parameters: its defaults are there now. */
    check_str(deep->solver.name, "newton");
    const leaf *last = deep->solver.params;
    if (check(last != NULL)) {
        check(last->gain == 2.5);
        check_str(last->name, "leaf");
    }
    trui_fields_release(&m, example_fields, &copy, &finder);
    check(copy.note == NULL && copy.layers.items == NULL && copy.layers.count == 0 && copy.solver.params == NULL);
    check(f.live_blocks == 0 && f.wrong_sizes == 0);
}

TEST(an_unknown_plugin_is_refused) {
    failing_allocator f = failing_begin(FAIL_NEVER);
    tru_allocator a = failing_allocator_of(&f);
    memory m = trui_memory_of(&a);
    layer layers[2];
    double times[3];
    example inner, e = full_example(layers, times, &inner), copy;
    tru_error err;
    inner.solver.name = "newtn";
    check_status(trui_fields_copy(&m, example_fields, &e, &copy, &finder, &err), TRU_UNKNOWN_NAME);
    check_str(err.text, "there is no solver 'newtn'");
    check_status(trui_fields_copy(&m, example_fields, &e, &copy, NULL, &err), TRU_UNKNOWN_NAME);
    check_str(err.text, "there is no solver 'example'");
    check(f.live_blocks == 0 && f.wrong_sizes == 0);
}

TEST(params_come_from_defaults_or_a_struct) {
    failing_allocator f = failing_begin(FAIL_NEVER);
    tru_allocator a = failing_allocator_of(&f);
    memory m = trui_memory_of(&a);
    plug p = {leaf_fields, sizeof(leaf)}, empty = {&leaf_fields[2], 0};
    void *params;
    check_status(trui_params_copy(&m, p, NULL, &params, NULL, NULL), TRU_OK);
    check(((leaf *)params)->gain == 2.5);
    trui_params_release(&m, p, params, NULL);
    check_status(trui_params_copy(&m, p, &(leaf){4.0, "mine"}, &params, NULL, NULL), TRU_OK);
    check(((leaf *)params)->gain == 4.0);
    check_str(((leaf *)params)->name, "mine");
    trui_params_release(&m, p, params, NULL);
    check_status(trui_params_copy(&m, empty, NULL, &params, NULL, NULL), TRU_OK);
    check(params != NULL);
    trui_params_release(&m, empty, params, NULL);
    trui_params_release(&m, p, NULL, NULL);
    check(f.live_blocks == 0 && f.wrong_sizes == 0);
}

TEST(every_allocation_failed_in_turn) {
    layer layers[2];
    double times[3];
    example inner, e = full_example(layers, times, &inner);
    long k = 0;
    for (;; k++) {
        failing_allocator f = failing_begin(k);
        tru_allocator a = failing_allocator_of(&f);
        memory m = trui_memory_of(&a);
        example copy;
        tru_error err = {0};
        tru_status status = trui_fields_copy(&m, example_fields, &e, &copy, &finder, &err);
        check_status(status, f.failed ? TRU_NO_MEMORY : TRU_OK);
        if (f.failed)
            check_str(err.text, "out of memory");
        else
            trui_fields_release(&m, example_fields, &copy, &finder);
        check(f.live_blocks == 0 && f.wrong_sizes == 0);
        if (!f.failed) break;
    }
    check(k >= 10); /* texts, lists, structs, nested ones */
}

/* Each leaf of the struct, changed alone, changes the hash; -0.0 for 0.0 does not. */
TEST(the_hash_sees_every_field) {
    layer layers[2];
    double times[3];
    example inner, e = full_example(layers, times, &inner);
    uint64_t before = hash_of(&e);
    check(hash_of(&e) == before);
#define CHANGED(lvalue, value)                                                                                         \
    do {                                                                                                               \
        e = full_example(layers, times, &inner);                                                                       \
        lvalue = value;                                                                                                \
        if (hash_of(&e) == before) printf("  %s\n", #lvalue);                                                          \
        check(hash_of(&e) != before);                                                                                  \
    } while (0)
    CHANGED(e.slide, 0.30000000000000004);
    CHANGED(e.count, 8);
    CHANGED(e.on, true);
    CHANGED(e.size.z, 0.26);
    CHANGED(e.turn.x, 0.6);
    CHANGED(e.scheme, 1);
    CHANGED(e.note, "nine");
    CHANGED(e.note, NULL);
    CHANGED(e.body, 13);
    CHANGED(e.solver, ((tru_use){"newton", NULL}));
    CHANGED(e.solver.name, NULL);
    CHANGED(inner.slide, 0.8);
    CHANGED(e.layers.count, 1);
    CHANGED(layers[1].depth, 2.5);
    CHANGED(layers[1].roll.radius, TRU_RADIUS_EFFECTIVE);
    CHANGED(times[1], 0.11);
    CHANGED(e.times.count, 2);
    CHANGED(e.roll.length, 0.03);
    CHANGED(e.roll.factor, 0.03);
#undef CHANGED
    e = full_example(layers, times, &inner);
    times[0] = -0.0;
    check(hash_of(&e) == before);
}
