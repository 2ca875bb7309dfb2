/* random.c: Philox4x32-10 and the distributions that use it. */
#include "math/random.h"

#include <math.h>

#include "math/elementary/elementary.h"

void tru_random_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)0xd2511f53 * c0, b = (uint64_t)0xcd9e8d57 * c2;
        c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)b;
        c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)a;
        k0 += 0x9e3779b9;
        k1 += 0xbb67ae85;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* Sets two words of 64 random bits. */
static void pair(uint64_t seed, uint64_t id, uint64_t index, uint64_t bits[2]) {
    const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)id, (uint32_t)(id >> 32)};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t word[4];
    tru_random_philox(counter, key, word);
    bits[0] = (uint64_t)word[1] << 32 | word[0];
    bits[1] = (uint64_t)word[3] << 32 | word[2];
}

static double uniform(uint64_t bits) { return (double)(bits >> 11) * 0x1p-53; }

static const double two_pi = 0x1.921fb54442d18p+2;

uint64_t tru_random_u64(uint64_t seed, uint64_t id, uint64_t index) {
    uint64_t bits[2];
    pair(seed, id, index, bits);
    return bits[0];
}

double tru_random_uniform(uint64_t seed, uint64_t id, uint64_t index) {
    return uniform(tru_random_u64(seed, id, index));
}

double tru_random_normal(uint64_t seed, uint64_t id, uint64_t index) {
    uint64_t bits[2];
    pair(seed, id, index, bits);
    return sqrt(-2.0 * tru_log(1.0 - uniform(bits[0]))) * tru_cos(two_pi * uniform(bits[1]));
}

/* The height of a point on the sphere is uniform [Archimedes]. */
tru_vec3 tru_random_direction(uint64_t seed, uint64_t id, uint64_t index) {
    uint64_t bits[2];
    pair(seed, id, index, bits);
    double u = uniform(bits[0]), r = 2.0 * sqrt(u * (1.0 - u)), s, c;
    tru_sincos(two_pi * uniform(bits[1]), &s, &c);
    return (tru_vec3){r * c, r * s, 1.0 - 2.0 * u};
}

/* Two circles of squared radii u and 1 - u make the uniform point of the 3-sphere [Shoemake 1992]. */
tru_quat tru_random_attitude(uint64_t seed, uint64_t id, uint64_t index) {
    uint64_t bits[2];
    pair(seed, id, index, bits);
    double u = (double)(bits[0] >> 22) * 0x1p-42, v = (double)(bits[1] >> 22) * 0x1p-42;
    double w = (double)((bits[0] & 0x1fffff) << 21 | (bits[1] & 0x1fffff)) * 0x1p-42;
    double s1, c1, s2, c2, r1 = sqrt(u), r2 = sqrt(1.0 - u);
    tru_sincos(two_pi * v, &s1, &c1);
    tru_sincos(two_pi * w, &s2, &c2);
    return (tru_quat){r1 * c1, r1 * s1, r2 * c2, r2 * s2};
}
