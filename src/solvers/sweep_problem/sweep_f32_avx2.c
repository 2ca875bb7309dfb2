/* sweep_f32_avx2.c: the batch kernels in floats for AVX2. */
#define SIMD_ISA 1
#include "solvers/sweep_problem/sweep_f32_kernel.h"

#if SIMD_X86
const sweep_f32_kernels trui_sweep_f32_avx2 = {sweep, look, extrapolate, change, lower, lift};
#else
const sweep_f32_kernels trui_sweep_f32_avx2 = {NULL};
#endif
