/* law_values.h: for every real field of every law a value that makes it act.
 *
 *     const law_value_list values = law_values_of(law);
 *     law_params p = law_defaults(law);
 *     law_value_set(law, &values.items[0], 1.0, &p);
 *
 * The values come from the field table of the law. The table below has those of built-in laws that checks want otherwise,
 * for example a static coefficient above the kinetic one. */
#ifndef TRUNDLE_IO_LAW_VALUES_H
#define TRUNDLE_IO_LAW_VALUES_H

#include "typical.h"

#include <stdio.h>
#include <string.h>

typedef struct law_value {
    const char *law;
    char field[48]; /* a field of an alternative's block is "roll.factor" */
    double value;   /* [unit of the field] */
    int needs;      /* the choice "radius" of its block, for factors; 0: none */
} law_value;

static const law_value law_values_given[] = {
    {"coulomb", "slide_static", 0.45, 0},
    {"contensou", "slide_static", 0.45, 0},
    {"track", "slide_static", 0.45, 0},
    {"luding", "slide_static", 0.45, 0},
};

enum { LAW_VALUES = 32 };
typedef struct law_value_list {
    law_value items[LAW_VALUES];
    int count;
} law_value_list;

/* Returns the value of the table above, else one from the field's own table. A factor names one radius or the other. */
static inline law_value law_value_of(const tru_law *law, const tru_field *f, const tru_field *inner) {
    law_value v = {law->name, "", trio_typical_value(inner ? inner : f, LAW_LENGTH), 0};
    if (inner) v.needs = (f - law->fields) % 2 == 0 ? TRU_RADIUS_EFFECTIVE : TRU_RADIUS_SMALLER;
    snprintf(v.field, sizeof v.field, "%s%s%s", f->name, inner ? "." : "", inner ? inner->name : "");
    for (size_t i = 0; i < sizeof law_values_given / sizeof *law_values_given; i++)
        if (strcmp(law_values_given[i].law, law->name) == 0 && strcmp(law_values_given[i].field, v.field) == 0)
            return law_values_given[i];
    return v;
}

/* Returns a value for every real field of a law, and for every real of its alternatives' blocks. */
static inline law_value_list law_values_of(const tru_law *law) {
    law_value_list l = {.count = 0};
    for (const tru_field *f = law->fields; f->name; f++) {
        if (f->type != TRU_FIELD_REAL && f->type != TRU_FIELD_ALTERNATIVE) continue;
        if (l.count < LAW_VALUES) l.items[l.count++] = law_value_of(law, f, NULL);
        for (const tru_field *b = f->block; b && b->name; b++)
            if (b->type == TRU_FIELD_REAL && l.count < LAW_VALUES) l.items[l.count++] = law_value_of(law, f, b);
    }
    return l;
}

/* Typed struct of a law, of at most TYPICAL_ROOM bytes. */
typedef blob law_params;

static inline law_params law_defaults(const tru_law *law) {
    law_params p;
    memset(&p, 0, sizeof p);
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
    if (!choice) return;
    *(int32_t *)(void *)(p->bytes + f->offset + choice->offset) = factor > 0.0 ? v->needs : 0;
}

/* Range and cross-field check, as tru_pair_set does them. */
static inline bool law_accepts(const tru_law *law, const law_params *p) {
    tru_error err;
    if (tru_fields_check(law->fields, p->bytes, law->name, &err) < 0) return false;
    return !law->check || (law->check)(p->bytes, &err) >= 0;
}

/* Returns parameters with all values of a law that go together, v (unless NULL) among them. */
static inline law_params law_values_together(const tru_law *law, const law_value *v) {
    const law_value_list values = law_values_of(law);
    law_params p = law_defaults(law);
    if (v) law_value_set(law, v, 1.0, &p);
    for (int round = 0; round < 2; round++) /* a second time: some need others */
        for (int i = 0; i < values.count; i++) {
            law_params more = p;
            if (v && strcmp(values.items[i].field, v->field) == 0) continue;
            law_value_set(law, &values.items[i], 1.0, &more);
            if (law_accepts(law, &more) || !law_accepts(law, &p)) p = more;
        }
    return p;
}

#endif
