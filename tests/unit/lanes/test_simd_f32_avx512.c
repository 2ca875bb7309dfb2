/* realxn.h with AVX-512, in floats, has the bits of scalar code. */
#define SIMD_ISA 2
#define SIMD_FLOAT
#include "simd_cases.h"
