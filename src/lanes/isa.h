/* isa.h: the instruction sets that kernels are compiled for, and which of them this machine can run.
 *
 * A kernel is one .c file, written with the values of realxn.h. Each of its functions is marked SIMD_FN (helpers) or SIMD_TARGET
 * (the entry, named SIMD_NAMED(trui_...)). CMake (cmake/core.cmake) compiles the file once for every machine, and on x86 again with
 * SIMD_ISA defined as 1 (SIMD_AVX2) and 2 (SIMD_AVX512). The caller picks one at run time with SIMD_CHOOSE. */
#ifndef TRUNDLE_LANES_ISA_H
#define TRUNDLE_LANES_ISA_H

#include <stdbool.h>

#define SIMD_ONE     (-1) /* one number per value: scalar C that uses the text of a kernel */
#define SIMD_GENERIC 0
#define SIMD_AVX2    1
#define SIMD_AVX512  2

#if defined(__x86_64__)
#define SIMD_X86 1
#else
#define SIMD_X86 0
#endif

/* Returns whether this machine can run a kernel compiled for isa, and this build may (TRUNDLE_WIDE_KERNELS). */
static inline bool simd_supported(int isa) {
#ifdef TRU_WIDEST_KERNELS
    if (isa > TRU_WIDEST_KERNELS) return false;
#endif
#if SIMD_X86
    if (isa == SIMD_AVX2) return __builtin_cpu_supports("avx2");
    if (isa == SIMD_AVX512) return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#endif
    return isa <= SIMD_GENERIC;
}

/* SIMD_CHOOSE: pointer to the widest of name_generic, name_avx2 and name_avx512 that this machine can run. SIMD_VARIANTS: pointers to
 * all three by instruction set, for tests; a machine other than x86 has the generic one alone. */
#if SIMD_X86
#define SIMD_CHOOSE(name)                                                                                              \
    (simd_supported(SIMD_AVX512) ? &name##_avx512 : simd_supported(SIMD_AVX2) ? &name##_avx2 : &name##_generic)
#define SIMD_VARIANTS(name) &name##_generic, &name##_avx2, &name##_avx512
#else
#define SIMD_CHOOSE(name)   (&name##_generic)
#define SIMD_VARIANTS(name) &name##_generic, &name##_generic, &name##_generic
#endif

#endif
