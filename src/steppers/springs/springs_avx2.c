/* springs_avx2.c: eight contacts of balls at once, for AVX2. */
#define SIMD_ISA 1
#define SIMD_SINGLE
#define SPRINGS_KERNEL trui_springs_kernel_avx2
#include "steppers/springs/springs_kernel.h"

#if !SIMD_X86
unsigned trui_springs_kernel_avx2(const spring_group *g) { return trui_springs_kernel_generic(g); }
#endif
