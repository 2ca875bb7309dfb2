/* packed_f32_generic.c: the batch kernels in floats for every machine. */
#define SIMD_ISA 0
#include "solvers/packed/packed_f32_kernel.h"

const packed_f32_kernels packed_f32_generic = {sweep, look, extrapolate, change, lower, lift};
