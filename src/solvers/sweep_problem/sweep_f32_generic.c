/* sweep_f32_generic.c: the batch kernels in floats for every machine. */
#define SIMD_ISA 0
#include "solvers/sweep_problem/sweep_f32_kernel.h"

const sweep_f32_kernels trui_sweep_f32_generic = {sweep, look, extrapolate, change, lower, lift};
