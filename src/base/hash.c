/* hash.c: every word is mixed into the state by a bijection with full avalanche. */
#include "base/hash.h"

#include "base/assert.h"

#include <string.h>

#define GOLDEN_WORD                                                                                                    \
    UINT64_C(0x9e3779b97f4a7c15) /* 2^64 / golden ratio; without it a state of 0 would keep zeros at 0 */

/* Maps 64-bit words one to one (mix 13 of D. Stafford): each input bit flips each output bit half of the time. */
static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

hash trui_hash_begin(void) { return (hash){0, 0}; }

void trui_hash_u64(hash *h, uint64_t value) {
    h->state = mix((h->state ^ value) + GOLDEN_WORD);
    h->words++;
}

void trui_hash_f64(hash *h, double value) {
    if (value == 0.0) value = 0.0; /* -0.0 becomes 0.0 */
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    trui_hash_u64(h, bits);
}

void trui_hash_vec3(hash *h, tru_vec3 v) {
    trui_hash_f64(h, v.x);
    trui_hash_f64(h, v.y);
    trui_hash_f64(h, v.z);
}

void trui_hash_quat(hash *h, tru_quat q) {
    trui_hash_f64(h, q.w);
    trui_hash_f64(h, q.x);
    trui_hash_f64(h, q.y);
    trui_hash_f64(h, q.z);
}

/* Returns up to 8 bytes as a number, the first byte lowest, so that the byte order of the machine does not matter. */
static uint64_t word_of(const unsigned char *bytes, size_t count) {
    TRU_ASSERT(count <= 8);
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

void trui_hash_bytes(hash *h, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    trui_hash_u64(h, count);
    for (; count >= 8; at += 8, count -= 8) trui_hash_u64(h, word_of(at, 8));
    if (count) trui_hash_u64(h, word_of(at, count));
}

void trui_hash_text(hash *h, const char *text) { trui_hash_bytes(h, text, strlen(text)); }

uint64_t trui_hash_named(const named_value *values, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (values[i].value == 0.0) continue;
        hash h = trui_hash_begin();
        trui_hash_text(&h, values[i].name);
        trui_hash_f64(&h, values[i].value);
        sum += trui_hash_end(&h);
    }
    return sum;
}

uint64_t trui_hash_end(const hash *h) { return mix(h->state ^ mix(h->words + GOLDEN_WORD)); }
