/* Philox4x32-10 and the distributions drawn from it. */
#include "math/random.h"

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

/* Two times 64 bits. */
static void pair(uint64_t seed, uint64_t id, uint64_t index, uint64_t bits[2]) {
    const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)id, (uint32_t)(id >> 32)};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t word[4];
    tru_random_philox(counter, key, word);
    bits[0] = (uint64_t)word[1] << 32 | word[0];
    bits[1] = (uint64_t)word[3] << 32 | word[2];
}

static double uniform(uint64_t bits) { return (double)(bits >> 11) * 0x1p-53; }

uint64_t tru_random_u64(uint64_t seed, uint64_t id, uint64_t index) {
    uint64_t bits[2];
    pair(seed, id, index, bits);
    return bits[0];
}

double tru_random_uniform(uint64_t seed, uint64_t id, uint64_t index) {
    return uniform(tru_random_u64(seed, id, index));
}
