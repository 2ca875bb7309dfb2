/* realxn.h with AVX2 has the bits of scalar code. */
#define SIMD_ISA 1
#include "simd_cases.h"
