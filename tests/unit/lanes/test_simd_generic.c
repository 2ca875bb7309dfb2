/* realxn.h for every machine has the bits of scalar code. */
#define SIMD_ISA 0
#include "simd_cases.h"
