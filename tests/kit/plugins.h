/* plugins.h: the plug-ins of the registry by name, and parameters for them from their field tables.
 *
 *     const tru_law *law = kit_find_law("coulomb");               NULL: the registry has no such law
 *     blob p = kit_typical_params(law->fields, LAW_LENGTH);       every field that needs a value has one
 *
 * Generic tests get a new plug-in this way without an entry of their own: src/api/registry.def lists it, and its field table says
 * which values it takes. */
#ifndef TRUNDLE_TESTS_KIT_PLUGINS_H
#define TRUNDLE_TESTS_KIT_PLUGINS_H

#include "check.h"

#include <trundle/plugin.h>

#include <math.h>
#include <stdalign.h>

/* ---- descriptors ---- */

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

#define KIT_FIND(kind)                                                                                                 \
    static inline const tru_##kind *kit_find_##kind(const char *name) {                                                \
        const tru_##kind *p;                                                                                           \
        for (size_t k = 0; (p = tru_##kind##_at(k)) != NULL; k++)                                                      \
            if (strcmp(p->name, name) == 0) return p;                                                                  \
        return NULL;                                                                                                   \
    }
KIT_FIND(shape)
KIT_FIND(law)
KIT_FIND(joint)
KIT_FIND(solver)
KIT_FIND(stepper)
#undef KIT_FIND

/* ---- parameters ---- */

enum { BLOB = 256 };

/* Room for the typed struct of any plug-in. */
typedef struct blob {
    alignas(16) unsigned char bytes[BLOB];
} blob;

/* [m] Typical lengths: of a body, and of friction at its contacts. */
#define SHAPE_LENGTH 0.1
#define LAW_LENGTH   2e-3

/* Returns a value [unit of the field] of the size that tests use, for bodies of about 1 kg and 0.1 m. */
static inline double kit_typical_of_unit(tru_unit unit, double length) {
    static const struct {
        tru_unit unit;
        double value;
    } values[] = {{TRU_UNIT_ONE, 0.3},        {TRU_UNIT_RAD, 0.3},    {TRU_UNIT_KG, 1.5},      {TRU_UNIT_S, 0.01},
                  {TRU_UNIT_M_PER_S, 0.4},    {TRU_UNIT_PER_M, 15.0}, {TRU_UNIT_RAD_PER_S, 3}, {TRU_UNIT_N, 1.5},
                  {TRU_UNIT_NM, 0.8},         {TRU_UNIT_NMS, 2e-3},   {TRU_UNIT_KG_PER_S, 3},  {TRU_UNIT_PA, 1e6},
                  {TRU_UNIT_KG_PER_M3, 800},  {TRU_UNIT_KG_M2, 4e-3}, {TRU_UNIT_N_PER_M, 1e4}, {TRU_UNIT_M_PER_N, 1e-6},
                  {TRU_UNIT_NM_PER_RAD, 10.0}};
    if (unit == TRU_UNIT_M) return length;
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        if (values[k].unit == unit) return values[k].value;
    return 1.0;
}

/* Returns a value within the range of a real field: its default if that is a number other than 0, else a typical one of its unit. */
static inline double kit_typical_value(const tru_field *f, double length) {
    const bool bounded = f->highest < TRU_UNBOUNDED;
    const double given = f->default_value, low = f->lowest, high = f->highest;
    double value = kit_typical_of_unit(f->unit, length);
    if (given != TRU_DERIVED && given != TRU_REQUIRED && given != 0.0) return given;
    if (value > high) value = low > -TRU_UNBOUNDED ? 0.5 * (low + high) : high;
    if (value < low || (value <= low && f->lowest_excluded))
        value = bounded ? 0.5 * (low + high) : low + fabs(low) + value;
    return value;
}

/* Sets the real (or the three of a vector) of a field to a typical value; leaves fields of other types as they are. */
static inline void kit_set_typical(const tru_field *f, double length, void *params) {
    double *x = (double *)(void *)((char *)params + f->offset);
    const double value = kit_typical_value(f, length);
    if (f->type == TRU_FIELD_REAL || f->type == TRU_FIELD_ALTERNATIVE) x[0] = value;
    if (f->type == TRU_FIELD_VEC3) *(tru_vec3 *)(void *)x = (tru_vec3){value, 0.8 * value, 0.6 * value};
}

/* Returns the defaults of a table, with a typical value for every real that must be given. */
static inline blob kit_typical_params(const tru_field *fields, double length) {
    blob p;
    memset(&p, 0, sizeof p);
    if (fields) tru_fields_defaults(fields, p.bytes);
    for (const tru_field *f = fields; f && f->name; f++)
        if (f->default_value == TRU_REQUIRED) kit_set_typical(f, length, p.bytes);
    return p;
}

typedef tru_status kit_check(const void *params, tru_error *err);

static inline bool kit_accepts(const tru_field *fields, kit_check *check_fields, const blob *p) {
    tru_error err;
    return (!fields || tru_fields_check(fields, p->bytes, "", &err) >= 0) &&
           (!check_fields || check_fields(p->bytes, &err) >= 0);
}

/* Returns typical parameters that the plug-in's own check (NULL: none) accepts: with one optional field more if it must be so. */
static inline blob kit_accepted_params(const tru_field *fields, kit_check *check_fields, double length) {
    const blob p = kit_typical_params(fields, length);
    for (const tru_field *f = fields; f && f->name && !kit_accepts(fields, check_fields, &p); f++) {
        blob more = p;
        kit_set_typical(f, length, more.bytes);
        if (kit_accepts(fields, check_fields, &more)) return more;
    }
    return p;
}

/* Sets a field by name, if the table has a real or integer of that name. */
static inline void kit_set_number(const tru_field *fields, const char *name, double value, void *params) {
    const tru_field *f = tru_field_find(fields, name);
    if (f && f->type == TRU_FIELD_REAL) *(double *)(void *)((char *)params + f->offset) = value;
    if (f && f->type == TRU_FIELD_INTEGER) *(int32_t *)(void *)((char *)params + f->offset) = (int32_t)value;
}

#endif
