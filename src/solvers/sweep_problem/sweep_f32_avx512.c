/* sweep_f32_avx512.c: the batch kernels in floats for AVX-512. */
#define SIMD_ISA 2
#include "solvers/sweep_problem/sweep_f32_kernel.h"

#if SIMD_X86
const sweep_f32_kernels trui_sweep_f32_avx512 = {sweep, look, extrapolate, change, lower, lift};
#else
const sweep_f32_kernels trui_sweep_f32_avx512 = {NULL};
#endif
