/* packed_f32_avx2.c: the batch kernels in floats for AVX2. */
#define SIMD_ISA 1
#include "solvers/packed/packed_f32_kernel.h"

#if SIMD_X86
const packed_f32_kernels packed_f32_avx2 = {sweep, look, extrapolate, change, lower, lift};
#else
const packed_f32_kernels packed_f32_avx2 = {NULL};
#endif
