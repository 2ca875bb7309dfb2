/* realxn.h with one number per value has the bits of scalar code. */
#define SIMD_ISA (-1)
#include "simd_cases.h"
