/* track_avx2.c: eight balls on planes at once, for AVX2. */
#define SIMD_ISA 1
#define SIMD_SINGLE
#define TRACK_KERNEL trui_track_kernel_avx2
#include "steppers/track/track_kernel.h"

#if !SIMD_X86
unsigned trui_track_kernel_avx2(track_lanes *k, uint64_t most, uint64_t *done) {
    return trui_track_kernel_generic(k, most, done);
}
#endif
