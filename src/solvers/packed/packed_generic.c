/* packed_generic.c: the batch kernels for every machine. */
#define SIMD_ISA 0
#include "solvers/packed/packed_kernel.h"

const packed_kernels packed_generic = {sweep,    refresh,     look,   terms,   push,   flush,
                                       distance, extrapolate, energy, coupled, support};
