/* simd.h with AVX2 has the bits of scalar code. */
#define SIMD_ISA 1
#include "unit/math/simd_cases.h"
