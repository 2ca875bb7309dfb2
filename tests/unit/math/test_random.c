/* Random numbers: Philox's published vectors, uniformity, independence, moments. */
#include "check.h"

#include "math/mat.h"
#include "math/quat.h"
#include "math/random.h"

enum { MANY = 1000000 };

/* The three known-answer vectors of the Random123 library for philox4x32 with 10 rounds. */
TEST(philox_known_answers) {
    static const uint32_t row[3][10] = {{0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff,
                                         0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0,
                                         0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
    for (int i = 0; i < 3; i++) {
        uint32_t out[4];
        tru_random_philox(row[i], row[i] + 4, out);
        for (int k = 0; k < 4; k++) check(out[k] == row[i][6 + k]);
    }
}

/* Chi-square over 256 bins has mean 255 and deviation sqrt(510) = 22.6; 6 deviations allowed on both sides. */
static void check_chi_square(const char *name, const int count[256]) {
    double chi = 0.0, expected = MANY / 256.0;
    for (int k = 0; k < 256; k++) chi += (count[k] - expected) * (count[k] - expected) / expected;
    printf("chi-square %s: %.1f\n", name, chi);
    check_close(chi, 255.0, 0.0, 6.0 * sqrt(510.0));
}

TEST(uniform_along_each_key) {
    static const char *name[] = {"over index", "over id", "over seed", "low byte"};
    uint64_t seed = check_seed();
    for (int mode = 0; mode < 4; mode++) {
        int count[256] = {0};
        for (uint64_t i = 0; i < MANY; i++) {
            double u = tru_random_uniform(seed + (mode == 2 ? i : 0), mode == 1 ? i : 7, mode == 0 ? i : 3);
            if (mode == 3) u = (double)(tru_random_u64(seed, 7, i) & 0xff) / 256.0;
            bool inside = u >= 0.0 && u < 1.0;
            if (inside || check(inside)) count[(int)(256.0 * u)]++;
        }
        check_chi_square(name[mode], count);
    }
}

/* Pairs of draws with neighbouring keys: 16 x 16 cells must be equally full. */
TEST(neighbours_are_independent) {
    static const char *name[] = {"index, index + 1", "id, id + 1", "seed, seed + 1"};
    uint64_t seed = check_seed();
    for (int mode = 0; mode < 3; mode++) {
        int count[256] = {0};
        for (uint64_t i = 0; i < MANY; i++) {
            double a = tru_random_uniform(seed, 5, 2 * i);
            double b = tru_random_uniform(seed + (mode == 2), 5 + (mode == 1), 2 * i + (mode == 0));
            count[16 * (int)(16.0 * a) + (int)(16.0 * b)]++;
        }
        check_chi_square(name[mode], count);
    }
}

/* One bit of seed, id or index changes half of the 64 output bits: mean 32, deviation 4 per draw. */
TEST(every_bit_of_the_key_counts) {
    uint64_t seed = check_seed();
    for (int bit = 0; bit < 192; bit++) {
        int flips = 0;
        uint64_t mask = UINT64_C(1) << bit % 64;
        for (uint64_t i = 0; i < 400; i++) {
            uint64_t a = tru_random_u64(seed + i, i * i, ~i);
            uint64_t b = tru_random_u64((seed + i) ^ (bit < 64 ? mask : 0), (i * i) ^ (bit / 64 == 1 ? mask : 0),
                                        ~i ^ (bit >= 128 ? mask : 0));
            for (uint64_t x = a ^ b; x; x &= x - 1) flips++;
        }
        check_close(flips / 400.0, 32.0, 0.0, 6.0 * 4.0 / sqrt(400.0));
    }
}

/* Moments 1 to 4 of the normal law and the share beyond 3; deviations of the estimates are 1, sqrt 2, sqrt 15, sqrt 96
   over sqrt n. */
TEST(normal_moments) {
    uint64_t seed = check_seed();
    double m1 = 0.0, m2 = 0.0, m3 = 0.0, m4 = 0.0, beyond = 0.0, n = MANY;
    for (uint64_t i = 0; i < MANY; i++) {
        double x = tru_random_normal(seed, 1, i);
        m1 += x;
        m2 += x * x;
        m3 += x * x * x;
        m4 += x * x * x * x;
        beyond += fabs(x) > 3.0;
    }
    printf("normal: %.5f %.5f %.5f %.5f, beyond 3: %.6f\n", m1 / n, m2 / n, m3 / n, m4 / n, beyond / n);
    check_close(m1 / n, 0.0, 0.0, 6.0 / sqrt(n));
    check_close(m2 / n, 1.0, 0.0, 6.0 * sqrt(2.0 / n));
    check_close(m3 / n, 0.0, 0.0, 6.0 * sqrt(15.0 / n));
    check_close(m4 / n, 3.0, 0.0, 6.0 * sqrt(96.0 / n));
    check_close(beyond / n, 0.0026997960632601866, 0.0, 6.0 * sqrt(0.0027 / n));
}

/* Directions: zero mean, covariance 1/3, unit length; a body axis turned by random attitudes is such a direction too.
 */
TEST(directions_and_attitudes) {
    uint64_t seed = check_seed();
    for (int mode = 0; mode < 2; mode++) {
        tru_vec3 mean = v3_zero();
        tru_mat3 square = m3_zero();
        double n = MANY / 4, worst = 0.0;
        for (uint64_t i = 0; i < MANY / 4; i++) {
            tru_vec3 u = tru_random_direction(seed, 2, i);
            tru_quat q = tru_random_attitude(seed, 3, i);
            if (mode) u = quat_rotate(q, v3(0.6, 0.0, 0.8));
            worst = fmax(worst, fmax(fabs(v3_norm(u) - 1.0), fabs(quat_norm2(q) - 1.0)));
            mean = v3_add(mean, u);
            square = m3_add(square, m3_outer(u, u));
        }
        check_close(worst, 0.0, 0.0, 1.5e-15);
        for (int i = 0; i < 3; i++) {
            check_close(v3_get(mean, i) / n, 0.0, 0.0, 6.0 * sqrt(1.0 / (3.0 * n)));
            for (int j = 0; j < 3; j++) /* variances 4/45 on the diagonal, 1/15 off it */
                check_close(square.m[i][j] / n, i == j ? 1.0 / 3.0 : 0.0, 0.0, 6.0 * sqrt(4.0 / (45.0 * n)));
        }
    }
}

/* The angle between two uniform attitudes has the mean pi/2 + 2/pi. */
TEST(angle_between_attitudes) {
    uint64_t seed = check_seed();
    double sum = 0.0, n = MANY / 4;
    for (uint64_t i = 0; i < MANY / 4; i++) {
        tru_quat a = tru_random_attitude(seed, 4, i), b = tru_random_attitude(seed, 5, i);
        sum += v3_norm(quat_log(quat_mul(a, quat_conj(b))));
    }
    const double pi = 0x1.921fb54442d18p+1;
    check_close(sum / n, pi / 2 + 2 / pi, 0.0, 6.0 * 0.65 / sqrt(n)); /* deviation of one: 0.646 */
}
