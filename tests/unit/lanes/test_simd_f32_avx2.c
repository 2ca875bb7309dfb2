/* realxn.h with AVX2, in floats, has the bits of scalar code. */
#define SIMD_ISA 1
#define SIMD_FLOAT
#include "simd_cases.h"
