/* sweep_avx2.c: the batch kernels for AVX2. */
#define SIMD_ISA 1
#include "solvers/sweep_problem/sweep_kernel.h"

#if SIMD_X86
const sweep_kernels trui_sweep_avx2 = {sweep,    refresh,     look,   terms,   push,   flush,
                                       distance, extrapolate, energy, coupled, support};
#else
const sweep_kernels trui_sweep_avx2 = {NULL};
#endif
