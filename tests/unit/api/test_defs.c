/* test_defs.c: field tables and typed structs agree: no two fields overlap, and no member lacks a field. */
#include "check.h"

#include <trundle/plugin.h>

#include <stdalign.h>
#include <string.h>

/* Bytes and alignment of the member that a field describes. */
static void measure(const tru_field *f, size_t *size, size_t *align) {
    static const struct {
        size_t size, align;
    } known[] = {
        [TRU_FIELD_REAL] = {sizeof(double), alignof(double)},
        [TRU_FIELD_INTEGER] = {sizeof(int32_t), alignof(int32_t)},
        [TRU_FIELD_BOOLEAN] = {sizeof(bool), alignof(bool)},
        [TRU_FIELD_VEC3] = {sizeof(tru_vec3), alignof(tru_vec3)},
        [TRU_FIELD_QUATERNION] = {sizeof(tru_quat), alignof(tru_quat)},
        [TRU_FIELD_CHOICE] = {sizeof(int32_t), alignof(int32_t)},
        [TRU_FIELD_TEXT] = {sizeof(char *), alignof(char *)},
        [TRU_FIELD_REFERENCE] = {sizeof(tru_id), alignof(tru_id)},
        [TRU_FIELD_PLUGIN] = {sizeof(tru_use), alignof(tru_use)},
        [TRU_FIELD_LIST] = {sizeof(tru_list), alignof(tru_list)},
        [TRU_FIELD_ALTERNATIVE] = {0, alignof(double)}, /* its block says how large it is */
    };
    *size = f->type == TRU_FIELD_ALTERNATIVE ? f->block_size : known[f->type].size;
    *align = known[f->type].align;
}

static size_t round_up(size_t n, size_t align) { return (n + align - 1) / align * align; }

/* The field with the lowest offset that is at least `from`, or NULL. */
static const tru_field *next_field(const tru_field *fields, size_t from) {
    const tru_field *best = NULL;
    for (const tru_field *f = fields; f->name; f++)
        if (f->offset >= from && (!best || f->offset < best->offset)) best = f;
    return best;
}

/* Whether the fields fill a struct of `size` bytes, but for padding and the last `own` bytes, which have no fields. */
static bool covers(const char *owner, const tru_field *fields, size_t size, size_t own) {
    size_t at = 0, widest = 1, count = 0, seen = 0;
    for (const tru_field *f = fields; f->name; f++) count++;
    for (const tru_field *f; (f = next_field(fields, at)); seen++) {
        size_t bytes, align;
        measure(f, &bytes, &align);
        if (f->offset != round_up(at, align)) {
            printf("%s: %zu bytes without a field before %s\n", owner, f->offset - at, f->name);
            return false;
        }
        at = f->offset + bytes;
        widest = align > widest ? align : widest;
    }
    const bool good = seen == count && round_up(round_up(at, widest) + own, widest) == size;
    if (!good) printf("%s: %zu of %zu fields in order, %zu of %zu bytes covered\n", owner, seen, count, at + own, size);
    return good;
}

typedef struct sample {
    double first; /* [m] */
    int32_t count;
    double last; /* [m] */
} sample;

TEST(a_member_without_a_field_is_noticed) {
    const tru_field all[] = {
        TRU_REAL(sample, first, TRU_UNIT_M, 1.0, TRU_POSITIVE, "x"),
        TRU_INTEGER(sample, count, 2, TRU_RANGE(0, 9), "x"),
        TRU_REAL(sample, last, TRU_UNIT_M, 3.0, TRU_ANY, "x"),
        {0},
    };
    const tru_field front[] = {all[1], all[2], {0}}, middle[] = {all[0], all[2], {0}}, back[] = {all[0], all[1], {0}},
                    twice[] = {all[0], all[1], all[2], all[1], {0}};
    check(covers("sample", all, sizeof(sample), 0));
    check(!covers("without the first", front, sizeof(sample), 0));
    check(!covers("without the second", middle, sizeof(sample), 0));
    check(!covers("without the last", back, sizeof(sample), 0));
    check(!covers("one of them twice", twice, sizeof(sample), 0));
}

/* Members of a hull that are the library's own: built, built_bytes. */
static size_t own_bytes(const char *shape) {
    return strcmp(shape, "hull") == 0 ? sizeof(tru_hull) - offsetof(tru_hull, built) : 0;
}

TEST(every_member_of_a_plugin_has_a_field) {
    const tru_shape *shape;
    const tru_law *law;
    const tru_joint *joint;
    const tru_solver *solver;
    const tru_stepper *stepper;
    for (size_t k = 0; (shape = tru_shape_at(k)); k++)
        check(covers(shape->name, shape->fields, shape->size, own_bytes(shape->name)));
    for (size_t k = 0; (law = tru_law_at(k)); k++) check(covers(law->name, law->fields, law->size, 0));
    for (size_t k = 0; (joint = tru_joint_at(k)); k++) check(covers(joint->name, joint->fields, joint->size, 0));
    for (size_t k = 0; (solver = tru_solver_at(k)); k++) check(covers(solver->name, solver->fields, solver->size, 0));
    for (size_t k = 0; (stepper = tru_stepper_at(k)); k++)
        check(covers(stepper->name, stepper->fields, stepper->size, 0));
}

TEST(every_member_of_a_definition_has_a_field) {
    check(covers("world", tru_def_fields("world"), sizeof(tru_world_def), sizeof(const tru_allocator *)));
    check(covers("body", tru_def_fields("body"), sizeof(tru_body_def), 0));
    check(covers("shape", tru_def_fields("shape"), sizeof(tru_shape_def), 0));
    check(covers("pair", tru_def_fields("pair"), sizeof(tru_pair_def), 0));
    check(covers("load", tru_def_fields("load"), sizeof(tru_load_def), 0));
    check(covers("motion", tru_def_fields("motion"), sizeof(tru_motion_def), 0));
    check(covers("joint", tru_def_fields("joint"), sizeof(tru_joint_def), 0));
}
