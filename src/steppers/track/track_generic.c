/* track_generic.c: eight balls on planes at once, for every machine. */
#define SIMD_ISA     0
#define TRACK_KERNEL trui_track_kernel_generic
#include "steppers/track/track_kernel.h"
