/* realxn.h: one kernel for two precisions: its numbers are doubles, or floats if SIMD_FLOAT is defined before this is included.
 *
 * `real` is one of them, realxn several at once (f64xn or f32xn of simd.h), truthxn as many truth values. */
#ifndef TRUNDLE_LANES_REALXN_H
#define TRUNDLE_LANES_REALXN_H

#include "lanes/simd.h"

#include <float.h>

#if SIMD_ISA == SIMD_GENERIC || SIMD_X86

#ifdef SIMD_FLOAT
typedef float real;
typedef f32xn realxn;
typedef bool32xn truthxn;
#define REAL_LANES   8
#define REAL_LEAST   FLT_MIN
#define REALXN(name) f32xn_##name
#else
typedef double real;
typedef f64xn realxn;
typedef boolxn truthxn;
#define REAL_LANES   SIMD_LANES
#define REAL_LEAST   DBL_MIN
#define REALXN(name) f64xn_##name
#endif

#define realxn_load      REALXN(load)
#define realxn_store     REALXN(store)
#define realxn_all       REALXN(all)
#define realxn_min       REALXN(min)
#define realxn_max       REALXN(max)
#define realxn_sqrt      REALXN(sqrt)
#define realxn_abs       REALXN(abs)
#define realxn_neg       REALXN(neg)
#define realxn_lt        REALXN(lt)
#define realxn_where     REALXN(where)
#define realxn_load_rows REALXN(load_rows)
#define realxn_add_rows  REALXN(add_rows)
#define realxn_sub_rows  REALXN(sub_rows)

/* Short words for arithmetic on lanes. */
#define ADD REALXN(add)
#define SUB REALXN(sub)
#define MUL REALXN(mul)
#define DIV REALXN(div)

#endif
#endif
