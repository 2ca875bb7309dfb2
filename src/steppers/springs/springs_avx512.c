/* springs_avx512.c: eight contacts of balls at once, for AVX-512. */
#define SIMD_ISA       2
#define SPRINGS_KERNEL trui_springs_kernel_avx512
#include "steppers/springs/springs_kernel.h"

#if !SIMD_X86
unsigned trui_springs_kernel_avx512(const spring_group *g) { return trui_springs_kernel_generic(g); }
#endif
