/* bits.h: exponents and powers of two by moves of bits: exact, and the same on every machine. */
#ifndef TRUNDLE_MATH_ELEMENTARY_BITS_H
#define TRUNDLE_MATH_ELEMENTARY_BITS_H

#include "base/assert.h"

#include <stdint.h>
#include <string.h>

/* Returns the bit pattern of a number. */
static inline uint64_t bits_of(double x) {
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

/* Returns the number with a bit pattern. */
static inline double bits_to_double(uint64_t b) {
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
}

/* Returns 2^k for -1022 <= k <= 1023. */
static inline double bits_power(int k) {
    TRU_ASSERT(k >= -1022 && k <= 1023);
    return bits_to_double((uint64_t)(k + 1023) << 52);
}

/* Returns m with 1 <= m < 2 and |x| = m 2^*e, for a finite x other than 0. A denormal x is scaled first. */
static inline double bits_split(double x, int *e) {
    int shift = 0;
    uint64_t b = bits_of(x) & INT64_MAX;
    if (b >> 52 == 0) b = bits_of(bits_to_double(b) * 0x1p54), shift = 54;
    *e = (int)(b >> 52) - 1023 - shift;
    return bits_to_double((b & 0xfffffffffffff) | 0x3ff0000000000000);
}

/* Returns floor(log2 |x|) for a finite x other than 0. */
static inline int bits_exponent(double x) {
    int e;
    bits_split(x, &e);
    return e;
}

/* Returns x 2^k. The result is exact unless it is infinite, denormal or zero; a denormal result may be rounded twice. */
static inline double bits_scale(double x, int k) {
    for (; k > 1000; k -= 1000) x *= 0x1p1000;
    for (; k < -1000; k += 1000) x *= 0x1p-1000;
    return x * bits_power(k);
}

#endif
