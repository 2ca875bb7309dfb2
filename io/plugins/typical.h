/* typical.h: values from field tables, for checks that must run a plug-in which they know nothing else about.
 *
 *     unsigned char p[256];
 *     tru_fields_defaults(law->fields, p);
 *     trio_set_typical(&law->fields[0], LAW_LENGTH, p);
 */
#ifndef TRUNDLE_IO_TYPICAL_H
#define TRUNDLE_IO_TYPICAL_H

#include <trundle/plugin.h>

#include <math.h>
#include <stdalign.h>

/* [m] Typical lengths: of a body, and of friction at its contacts. */
#define SHAPE_LENGTH 0.1
#define LAW_LENGTH   2e-3

enum { TYPICAL_ROOM = 256 };

/* Room for the typed struct of a plug-in. */
typedef struct blob {
    alignas(16) unsigned char bytes[TYPICAL_ROOM];
} blob;

/* Returns a value [unit of the field] of the size that tests use, for bodies of about 1 kg and 0.1 m. */
static inline double trio_typical_of_unit(tru_unit unit, double length) {
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
static inline double trio_typical_value(const tru_field *f, double length) {
    const bool bounded = f->highest < TRU_UNBOUNDED;
    const double given = f->default_value, low = f->lowest, high = f->highest;
    double value = trio_typical_of_unit(f->unit, length);
    if (given != TRU_DERIVED && given != TRU_REQUIRED && given != 0.0) return given;
    if (value > high) value = low > -TRU_UNBOUNDED ? 0.5 * (low + high) : high;
    if (value < low || (value <= low && f->lowest_excluded))
        value = bounded ? 0.5 * (low + high) : low + fabs(low) + value;
    return value;
}

/* Sets the real (or the three of a vector) of a field to a typical value; leaves fields of other types as they are. */
static inline void trio_set_typical(const tru_field *f, double length, void *params) {
    double *x = (double *)(void *)((char *)params + f->offset);
    const double value = trio_typical_value(f, length);
    if (f->type == TRU_FIELD_REAL || f->type == TRU_FIELD_ALTERNATIVE) x[0] = value;
    if (f->type == TRU_FIELD_VEC3) *(tru_vec3 *)(void *)x = (tru_vec3){value, 0.8 * value, 0.6 * value};
}

#endif
