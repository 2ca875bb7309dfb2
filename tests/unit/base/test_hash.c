/* test_hash.c: the hash is fixed for all time, spreads every bit, and equal states hash equal. */
#include "check.h"

#include "base/hash.h"

static uint64_t hash_of(const uint64_t *words, size_t count) {
    hash h = trui_hash_begin();
    for (size_t i = 0; i < count; i++) trui_hash_u64(&h, words[i]);
    return trui_hash_end(&h);
}

static int bits_of(uint64_t x) {
    int count = 0;
    for (; x; x &= x - 1) count++;
    return count;
}

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* Values fixed when the hash was written; they must never change, or golden hashes and snapshots become worthless. */
TEST(known_values) {
    hash h = trui_hash_begin();
    check_status((long long)trui_hash_end(&h), (long long)UINT64_C(0x48218226ff3cd4bf));
    trui_hash_u64(&h, 1);
    check_status((long long)trui_hash_end(&h), (long long)UINT64_C(0x0000000000000000));
    trui_hash_f64(&h, 9.81);
    trui_hash_vec3(&h, (tru_vec3){1.0, -2.0, 0.5});
    trui_hash_quat(&h, (tru_quat){1.0, 0.0, 0.0, 0.0});
    trui_hash_text(&h, "a disk and a ball");
    check_status((long long)trui_hash_end(&h), (long long)UINT64_C(0xae11cae0d6e68fa6));
}

/* Each input bit flips each output bit with probability 1/2: over n trials the count stays within 5 standard
 * deviations (sqrt(n)/2), for 64 x 64 x 3 pairs. */
TEST(avalanche) {
    enum { TRIALS = 4000 };
    static int flips[3][64][64];
    memset(flips, 0, sizeof flips);
    uint64_t seed = check_seed();
    for (int t = 0; t < TRIALS; t++) {
        uint64_t words[3] = {next_random(&seed), next_random(&seed), next_random(&seed)};
        uint64_t before = hash_of(words, 3);
        for (int w = 0; w < 3; w++)
            for (int i = 0; i < 64; i++) {
                words[w] ^= UINT64_C(1) << i;
                uint64_t change = before ^ hash_of(words, 3);
                words[w] ^= UINT64_C(1) << i;
                for (int o = 0; o < 64; o++) flips[w][i][o] += (int)(change >> o & 1);
            }
    }
    double worst = 0.0;
    for (int w = 0; w < 3; w++)
        for (int i = 0; i < 64; i++)
            for (int o = 0; o < 64; o++) worst = fmax(worst, fabs(flips[w][i][o] - TRIALS / 2.0) / sqrt(TRIALS / 4.0));
    check(worst < 5.5); /* largest of 12288 normal deviates: 5.5 sigma has a chance of 5e-4 */
}

/* Small integers, one bit apart in a long stream: no two hashes agree, and zeros do not vanish. */
TEST(streams_that_differ_little_differ) {
    uint64_t zeros[10] = {0}, seen[100];
    for (size_t n = 0; n < 10; n++) seen[n] = hash_of(zeros, n);
    for (size_t n = 10; n < 100; n++) seen[n] = hash_of((uint64_t[]){n, 0}, 2);
    for (size_t i = 0; i < 100; i++)
        for (size_t j = 0; j < i; j++)
            if (bits_of(seen[i] ^ seen[j]) < 10) check(bits_of(seen[i] ^ seen[j]) >= 10);
    check(hash_of((uint64_t[]){1, 2}, 2) != hash_of((uint64_t[]){2, 1}, 2));
}

TEST(texts_know_their_ends) {
    hash a = trui_hash_begin(), b = trui_hash_begin();
    trui_hash_text(&a, "ab"), trui_hash_text(&a, "c");
    trui_hash_text(&b, "a"), trui_hash_text(&b, "bc");
    check(trui_hash_end(&a) != trui_hash_end(&b));
}

TEST(equal_numbers_hash_equal) {
    hash a = trui_hash_begin(), b = trui_hash_begin(), c = trui_hash_begin();
    trui_hash_f64(&a, 0.0), trui_hash_f64(&b, -0.0), trui_hash_f64(&c, DBL_TRUE_MIN);
    check(trui_hash_end(&a) == trui_hash_end(&b));
    check(trui_hash_end(&a) != trui_hash_end(&c));
}
