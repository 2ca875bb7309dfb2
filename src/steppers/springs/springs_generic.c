/* springs_generic.c: eight contacts of balls at once, for every machine. */
#define SIMD_ISA       0
#define SPRINGS_KERNEL trui_springs_kernel_generic
#include "steppers/springs/springs_kernel.h"
