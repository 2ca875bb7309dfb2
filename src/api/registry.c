/* registry.c: the built-in plug-ins in tables, lookup by name with the nearest one in the error. */
#include "api/registry.h"

#include "base/assert.h"
#include "base/error.h"

#include <stdio.h>

/* Declares the descriptor of every plug-in; its file needs no header. */
#define SHAPE(name)   extern const tru_shape tru_shape_##name;
#define LAW(name)     extern const tru_law tru_law_##name;
#define JOINT(name)   extern const tru_joint tru_joint_##name;
#define SOLVER(name)  extern const tru_solver tru_solver_##name;
#define STEPPER(name) extern const tru_stepper tru_stepper_##name;
#include "api/registry.def"
#undef SHAPE
#undef LAW
#undef JOINT
#undef SOLVER
#undef STEPPER

#define SHAPE(name) &tru_shape_##name,
static const tru_shape *const shapes[] = {
#include "api/registry.def"
};
#undef SHAPE
#define LAW(name) &tru_law_##name,
static const tru_law *const laws[] = {
#include "api/registry.def"
};
#undef LAW
#define JOINT(name) &tru_joint_##name,
static const tru_joint *const joints[] = {
#include "api/registry.def"
};
#undef JOINT
#define SOLVER(name) &tru_solver_##name,
static const tru_solver *const solvers[] = {
#include "api/registry.def"
};
#undef SOLVER
#define STEPPER(name) &tru_stepper_##name,
static const tru_stepper *const steppers[] = {
#include "api/registry.def"
};
#undef STEPPER

#define COUNT(table) (sizeof(table) / sizeof *(table))

const tru_shape *tru_shape_at(size_t k) { return k < COUNT(shapes) ? shapes[k] : NULL; }
const tru_law *tru_law_at(size_t k) { return k < COUNT(laws) ? laws[k] : NULL; }
const tru_joint *tru_joint_at(size_t k) { return k < COUNT(joints) ? joints[k] : NULL; }
const tru_solver *tru_solver_at(size_t k) { return k < COUNT(solvers) ? solvers[k] : NULL; }
const tru_stepper *tru_stepper_at(size_t k) { return k < COUNT(steppers) ? steppers[k] : NULL; }

/* Fails with "no law 'coulumb'; did you mean 'coulomb'?", or with the list of all names. */
static void unknown(const char *kind, const char *name, const char *const *names, size_t count, tru_error *err) {
    char all[300] = "";
    size_t used = 0;
    const char *near = name ? tru_nearest_name(name, names, count) : NULL;
    if (near) {
        tru_fail(err, TRU_UNKNOWN_NAME, "no %s '%s'; did you mean '%s'?", kind, name, near);
        return;
    }
    for (size_t i = 0; i < count && used + strlen(names[i]) + 3 < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", names[i]);
    tru_fail(err, TRU_UNKNOWN_NAME, "no %s '%s'; there are %s", kind, name ? name : "(null)", all);
}

/* Returns the entry of a table with this name, or fails. */
#define LOOK_UP(table, kind)                                                                                           \
    const char *names[COUNT(table)];                                                                                   \
    for (size_t i = 0; i < COUNT(table); i++) {                                                                        \
        names[i] = (table)[i]->name;                                                                                   \
        if (name && strcmp(names[i], name) == 0) return (table)[i];                                                    \
    }                                                                                                                  \
    unknown(kind, name, names, COUNT(table), err);                                                                     \
    return NULL

const tru_shape *trui_shape_named(const char *name, tru_error *err) { LOOK_UP(shapes, "shape"); }
const tru_joint *trui_joint_named(const char *name, tru_error *err) { LOOK_UP(joints, "joint"); }
const tru_solver *trui_solver_named(const char *name, tru_error *err) { LOOK_UP(solvers, "solver"); }
const tru_stepper *trui_stepper_named(const char *name, tru_error *err) { LOOK_UP(steppers, "stepper"); }

const tru_law *trui_law_named(const tru_world *w, const char *name, tru_error *err) {
    const char *names[64] = {NULL}; /* as many as fit; then the nearest of them, and further ones */
    size_t count = 0;
    for (size_t i = 0; i < COUNT(laws) + w->own_laws.count; i++) {
        const tru_law *law = i < COUNT(laws) ? laws[i] : w->own_laws.items[i - COUNT(laws)];
        if (name && strcmp(law->name, name) == 0) return law;
        if (count == COUNT(names)) {
            const char *near = name ? tru_nearest_name(name, names, count) : NULL;
            if (near) names[0] = near;
            count = 1;
        }
        names[count++] = law->name;
    }
    unknown("law", name, names, count, err);
    return NULL;
}

tru_status tru_law_register(tru_world *w, const tru_law *law, tru_error *err) {
    if (!w || !law) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_law_register needs a world and a law");
    const tru_status s = tru_law_check(law, err);
    if (s < 0) return s;
    tru_error ignored;
    if (trui_law_named(w, law->name, &ignored))
        return tru_fail(err, TRU_CONFLICT, "there is already a law '%s'", law->name);
    const tru_law **slot = array_push(&w->memory, &w->own_laws);
    if (!slot) return tru_no_memory(err);
    *slot = law;
    return TRU_OK;
}

/* Finds a plug-in of a kind by name, for field tables. */
static bool find_plug(void *user, const char *kind, const char *name, plug *out) {
    tru_error ignored;
    const tru_shape *shape = strcmp(kind, "shape") == 0 ? trui_shape_named(name, &ignored) : NULL;
    const tru_law *law = strcmp(kind, "law") == 0 ? trui_law_named(user, name, &ignored) : NULL;
    const tru_joint *hinge = strcmp(kind, "joint") == 0 ? trui_joint_named(name, &ignored) : NULL;
    const tru_solver *solver = strcmp(kind, "solver") == 0 ? trui_solver_named(name, &ignored) : NULL;
    const tru_stepper *stepper = strcmp(kind, "stepper") == 0 ? trui_stepper_named(name, &ignored) : NULL;
    if (shape) *out = (plug){shape->fields, shape->size};
    if (law) *out = (plug){law->fields, law->size};
    if (hinge) *out = (plug){hinge->fields, hinge->size};
    if (solver) *out = (plug){solver->fields, solver->size};
    if (stepper) *out = (plug){stepper->fields, stepper->size};
    return shape || law || hinge || solver || stepper;
}

plug_finder trui_registry_finder(const tru_world *w) { return (plug_finder){find_plug, (void *)w}; }

void *trui_plugin_params(memory *m, const char *kind, const char *name, const tru_field *fields, size_t size,
                         plugin_check *check, const void *params, tru_error *err) {
    TRU_ASSERT(fields || size == 0 || params);
    char what[80];
    snprintf(what, sizeof what, "%s %s", kind, name);
    void *copy = trui_mem_array(m, 1, size);
    if (!copy) {
        tru_no_memory(err);
        return NULL;
    }
    if (params)
        memcpy(copy, params, size);
    else if (fields)
        tru_fields_defaults(fields, copy);
    const tru_status s = fields ? tru_fields_check(fields, copy, what, err) : TRU_OK;
    if (s < 0 || (check && check(copy, err) < 0)) {
        trui_mem_release(m, copy, size);
        return NULL;
    }
    return copy;
}
