/* test_units.c: every real-valued field of every table that exists has a unit and a sentence. */
#include "check.h"

#include <trundle/plugin.h>

/* Lists of plain reals have a unit too; lists of structs have one in each field of their block. */
static bool needs_unit(const tru_field *f) {
    bool real = f->type == TRU_FIELD_REAL || f->type == TRU_FIELD_VEC3 || f->type == TRU_FIELD_ALTERNATIVE;
    return real || (f->type == TRU_FIELD_LIST && !f->block);
}

/* Fields without a unit or a sentence, with those of nested blocks. */
static int faults(const char *owner, const tru_field *fields, bool tell) {
    int count = 0;
    for (const tru_field *f = fields; f && f->name; f++) {
        bool unit = f->unit > TRU_UNIT_MISSING && f->unit < TRU_UNIT_COUNT;
        bool bad = (needs_unit(f) && !unit) || !f->doc || !f->doc[0];
        if (bad && tell) printf("%s: field %s has no unit or no sentence\n", owner, f->name);
        count += bad + faults(owner, f->block, tell);
    }
    return count;
}

TEST(a_missing_unit_is_noticed) {
    const tru_field inner[] = {{.name = "no_unit_inside", .type = TRU_FIELD_VEC3, .doc = "x"}, {.name = NULL}};
    const tru_field table[] = {
        {.name = "good", .type = TRU_FIELD_REAL, .unit = TRU_UNIT_M, .doc = "x"},
        {.name = "pure_number", .type = TRU_FIELD_REAL, .unit = TRU_UNIT_ONE, .doc = "x"},
        {.name = "needs_none", .type = TRU_FIELD_INTEGER, .doc = "x"},
        {.name = "no_unit", .type = TRU_FIELD_REAL, .doc = "x"},
        {.name = "no_unit_either", .type = TRU_FIELD_LIST, .doc = "x"},
        {.name = "no_sentence", .type = TRU_FIELD_INTEGER},
        {.name = "block", .type = TRU_FIELD_ALTERNATIVE, .unit = TRU_UNIT_M, .doc = "x", .block = inner},
        {.name = NULL},
    };
    check_status(faults("bad example", table, false), 4);
}

TEST(every_plugin_field_has_a_unit) {
    size_t tables = 0;
    const tru_shape *shape;
    const tru_law *law;
    const tru_solver *solver;
    const tru_stepper *stepper;
    for (size_t k = 0; (shape = tru_shape_at(k)); k++, tables++) check(!faults(shape->name, shape->fields, true));
    for (size_t k = 0; (law = tru_law_at(k)); k++, tables++) check(!faults(law->name, law->fields, true));
    for (size_t k = 0; (solver = tru_solver_at(k)); k++, tables++) check(!faults(solver->name, solver->fields, true));
    for (size_t k = 0; (stepper = tru_stepper_at(k)); k++, tables++)
        check(!faults(stepper->name, stepper->fields, true));
    check(tables >= 4);
}

TEST(every_field_of_a_definition_has_a_unit) {
    const char *const defs[] = {"world", "body", "shape", "pair", "load", "motion"};
    for (size_t k = 0; k < sizeof defs / sizeof *defs; k++) {
        const tru_field *fields = tru_def_fields(defs[k]);
        if (check(fields != NULL)) check(fields->name && !faults(defs[k], fields, true));
    }
}
