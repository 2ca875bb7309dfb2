/* hash.c: every word is mixed into the state by a bijection with full avalanche. */
#include "base/hash.h"

#include <string.h>

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15) /* 2^64 / golden ratio: keeps zeros from being a fixed point */

/* The bijection of 64-bit words known as mix 13 of D. Stafford: each input bit flips each output bit half of the time.
 */
static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

hash hash_begin(void) { return (hash){0, 0}; }

void hash_u64(hash *h, uint64_t value) {
    h->state = mix((h->state ^ value) + GOLDEN);
    h->words++;
}

void hash_f64(hash *h, double value) {
    if (value == 0.0) value = 0.0;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash_u64(h, bits);
}

void hash_vec3(hash *h, tru_vec3 v) {
    hash_f64(h, v.x);
    hash_f64(h, v.y);
    hash_f64(h, v.z);
}

void hash_quat(hash *h, tru_quat q) {
    hash_f64(h, q.w);
    hash_f64(h, q.x);
    hash_f64(h, q.y);
    hash_f64(h, q.z);
}

/* Up to 8 bytes as a number, lowest first on every machine. */
static uint64_t word_of(const unsigned char *bytes, size_t count) {
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

void hash_bytes(hash *h, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    hash_u64(h, count);
    for (; count >= 8; at += 8, count -= 8) hash_u64(h, word_of(at, 8));
    if (count) hash_u64(h, word_of(at, count));
}

void hash_text(hash *h, const char *text) { hash_bytes(h, text, strlen(text)); }

uint64_t hash_named(const named_value *values, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (values[i].value == 0.0) continue;
        hash h = hash_begin();
        hash_text(&h, values[i].name);
        hash_f64(&h, values[i].value);
        sum += hash_end(&h);
    }
    return sum;
}

uint64_t hash_end(const hash *h) { return mix(h->state ^ mix(h->words + GOLDEN)); }
