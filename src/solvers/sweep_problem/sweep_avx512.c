/* sweep_avx512.c: the batch kernels for AVX-512. */
#define SIMD_ISA 2
#include "solvers/sweep_problem/sweep_kernel.h"

#if SIMD_X86
const sweep_kernels trui_sweep_avx512 = {sweep,    refresh,     look,   terms,   push,   flush,
                                         distance, extrapolate, energy, coupled, support};
#else
const sweep_kernels trui_sweep_avx512 = {NULL};
#endif
