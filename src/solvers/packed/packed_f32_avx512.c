/* packed_f32_avx512.c: the batch kernels in floats for AVX-512. */
#define SIMD_ISA 2
#include "solvers/packed/packed_f32_kernel.h"

#if SIMD_X86
const packed_f32_kernels packed_f32_avx512 = {sweep, look, extrapolate, change, lower, lift};
#else
const packed_f32_kernels packed_f32_avx512 = {NULL};
#endif
