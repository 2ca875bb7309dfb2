/* packed_avx2.c: the batch kernels for AVX2. */
#define SIMD_ISA 1
#include "solvers/packed/packed_kernel.h"

#if SIMD_X86
const packed_kernels packed_avx2 = {sweep,    refresh,     look,   terms,   push,   flush,
                                    distance, extrapolate, energy, coupled, support};
#else
const packed_kernels packed_avx2 = {NULL};
#endif
