/* realxn.h with AVX-512 has the bits of scalar code. */
#define SIMD_ISA 2
#include "simd_cases.h"
