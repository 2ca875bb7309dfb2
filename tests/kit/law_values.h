/* law_values.h: for every field of every law a value that makes it act. A law or field without a line here fails the
 * generic tests, so that every new one says how it is exercised. */
#ifndef TRUNDLE_TESTS_KIT_LAW_VALUES_H
#define TRUNDLE_TESTS_KIT_LAW_VALUES_H

#include "check.h"

#include <trundle/plugin.h>

#include <stdalign.h>

typedef struct law_value {
    const char *law, *field; /* a field of an alternative's block is "roll.factor" */
    double value;            /* [unit of the field] */
    int needs;               /* the choice "radius" of its block, for factors; 0: none */
} law_value;

static const law_value law_values[] = {
    {"coulomb", "slide", 0.3, 0},
    {"coulomb", "slide_static", 0.45, 0},
    {"coulomb", "stribeck", 0.4, 0},
    {"contensou", "slide", 0.3, 0},
    {"contensou", "slide_static", 0.45, 0},
    {"contensou", "stribeck", 0.4, 0},
    {"contensou", "patch", 5e-3, 0},
    {"contour", "contour", 0.02, 0},
    {"contour", "contour_viscosity", 0.05, 0},
    {"rolling", "roll", 2e-3, 0},
    {"rolling", "roll.factor", 0.02, TRU_RADIUS_EFFECTIVE},
    {"rolling", "spin", 3e-3, 0},
    {"rolling", "spin.factor", 0.03, TRU_RADIUS_SMALLER},
    {"rolling", "roll_viscosity", 2e-3, 0},
    {"rolling", "spin_viscosity", 3e-3, 0},
    {"track", "slide", 0.3, 0},
    {"track", "slide_static", 0.45, 0},
    {"track", "eta_r", 0.05, 0},
    {"track", "eta_psi", 0.02, 0},
    {"track", "roll", 2e-3, 0},
    {"track", "roll.factor", 0.02, TRU_RADIUS_EFFECTIVE},
    {"track", "spin", 3e-3, 0},
    {"track", "spin.factor", 0.03, TRU_RADIUS_SMALLER},
    {"track", "spin_curvature", 15.0, 0},
    {"track", "modulus", 1e6, 0},
    {"constant_torque", "roll", 2e-3, 0},
    {"constant_torque", "roll.factor", 0.02, TRU_RADIUS_EFFECTIVE},
    {"constant_torque", "spin", 3e-3, 0},
    {"constant_torque", "spin.factor", 0.03, TRU_RADIUS_SMALLER},
    {"luding", "slide", 0.3, 0},
    {"luding", "slide_static", 0.45, 0},
    {"luding", "roll", 2e-3, 0},
    {"luding", "roll.factor", 0.02, TRU_RADIUS_EFFECTIVE},
    {"luding", "spin", 3e-3, 0},
    {"luding", "spin.factor", 0.03, TRU_RADIUS_SMALLER},
};
enum { LAW_VALUES = sizeof law_values / sizeof *law_values };

/* Room for the typed struct of any law. */
#define LAW_PARAMS 256
typedef struct law_params {
    alignas(16) unsigned char bytes[LAW_PARAMS];
} law_params;

static inline law_params law_defaults(const tru_law *law) {
    law_params p;
    memset(&p, 0, sizeof p);
    if (!check(law->size <= LAW_PARAMS)) exit(1);
    tru_fields_defaults(law->fields, p.bytes);
    return p;
}

/* The field that a line means, and its block's field if it has a dot. */
static inline const tru_field *law_value_field(const tru_law *law, const law_value *v, const tru_field **inner) {
    char name[64];
    const char *dot = strchr(v->field, '.');
    snprintf(name, sizeof name, "%.*s", dot ? (int)(dot - v->field) : 63, v->field);
    const tru_field *f = tru_field_find(law->fields, name);
    *inner = f && dot ? tru_field_find(f->block, dot + 1) : NULL;
    return f;
}

/* Where the number of a line stands in the parameters; NULL: the law has no such field. */
static inline double *law_value_at(const tru_law *law, const law_value *v, law_params *p) {
    const tru_field *inner, *f = law_value_field(law, v, &inner);
    if (!f || (strchr(v->field, '.') && !inner)) return NULL;
    return (double *)(void *)(p->bytes + f->offset + (inner ? inner->offset : 0));
}

/* Give a field `factor` times its value, together with the choice it needs. */
static inline void law_value_set(const tru_law *law, const law_value *v, double factor, law_params *p) {
    const tru_field *inner, *f = law_value_field(law, v, &inner);
    *law_value_at(law, v, p) = factor * v->value;
    if (!inner || v->needs == 0) return;
    const tru_field *choice = tru_field_find(f->block, "radius");
    *(int32_t *)(void *)(p->bytes + f->offset + choice->offset) = factor > 0.0 ? v->needs : 0;
}

static inline bool law_value_exists(const tru_law *law, const char *field) {
    for (int i = 0; i < LAW_VALUES; i++)
        if (strcmp(law_values[i].law, law->name) == 0 && strcmp(law_values[i].field, field) == 0) return true;
    printf("law %s, field %s has no line in tests/kit/law_values.h\n", law->name, field);
    return false;
}

/* Every physical number of every built-in law has a line. */
static inline void check_law_values_complete(void) {
    const tru_law *law;
    for (size_t k = 0; (law = tru_law_at(k)) != NULL; k++)
        for (const tru_field *f = law->fields; f->name; f++) {
            char name[64];
            check(law_value_exists(law, f->name));
            for (const tru_field *b = f->block; b && b->name; b++)
                if (b->type == TRU_FIELD_REAL) {
                    snprintf(name, sizeof name, "%s.%s", f->name, b->name);
                    check(law_value_exists(law, name));
                }
        }
}

/* Range and cross-field check, as tru_pair_set does them. */
static inline bool law_accepts(const tru_law *law, const law_params *p) {
    tru_error err;
    if (tru_fields_check(law->fields, p->bytes, law->name, &err) < 0) return false;
    return !law->check || (law->check)(p->bytes, &err) >= 0;
}

#endif
