/* sweep_generic.c: the batch kernels for every machine. */
#define SIMD_ISA 0
#include "solvers/sweep_problem/sweep_kernel.h"

const sweep_kernels trui_sweep_generic = {sweep,    refresh,     look,   terms,   push,   flush,
                                          distance, extrapolate, energy, coupled, support};
