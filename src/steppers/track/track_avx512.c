/* track_avx512.c: eight balls on planes at once, for AVX-512. */
#define SIMD_ISA     2
#define TRACK_KERNEL trui_track_kernel_avx512
#include "steppers/track/track_kernel.h"

#if !SIMD_X86
unsigned trui_track_kernel_avx512(track_lanes *k, uint64_t most, uint64_t *done) {
    return trui_track_kernel_generic(k, most, done);
}
#endif
