/* realxn.h for every machine, in floats, has the bits of scalar code. */
#define SIMD_ISA 0
#define SIMD_FLOAT
#include "simd_cases.h"
