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

#include "plugins/typical.h"

#include <trundle/plugin.h>

#include <math.h>

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

/* Returns the defaults of a table, with a typical value for every real that must be given. */
static inline blob kit_typical_params(const tru_field *fields, double length) {
    blob p;
    memset(&p, 0, sizeof p);
    if (fields) tru_fields_defaults(fields, p.bytes);
    for (const tru_field *f = fields; f && f->name; f++)
        if (f->default_value == TRU_REQUIRED) trio_set_typical(f, length, p.bytes);
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
        trio_set_typical(f, length, more.bytes);
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
