/* realxn.h with AVX2 and one register per value has the bits of scalar code. */
#define SIMD_ISA 1
#define SIMD_SINGLE
#include "simd_cases.h"
