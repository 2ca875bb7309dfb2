/* The bits of every elementary function and random draw on 100 000 arguments, equal for every compiler and instruction
 * set. */
#include "check.h"

#include "math/elementary/elementary.h"
#include "math/quat.h"
#include "math/random.h"

/* FNV-1a over the bytes of doubles, lowest first */
static void mix(uint64_t *hash, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (int i = 0; i < 64; i += 8) *hash = (*hash ^ (bits >> i & 0xff)) * UINT64_C(0x100000001b3);
}

/* Sign, exponent in [low, high) and fraction from one draw. */
static double draw(uint64_t id, uint64_t index, int low, int high) {
    uint64_t bits = tru_random_u64(1, id, index);
    int e = low + (int)(bits >> 53) % (high - low);
    double m = 1.0 + (double)(bits & 0xfffffffffffff) * 0x1p-52;
    return ldexp(bits >> 52 & 1 ? -m : m, e);
}

static uint64_t hash_of(double (*f)(double), uint64_t id, int low, int high) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint64_t i = 0; i < 100000; i++) {
        double y = f(draw(id, i, low, high));
        mix(&hash, isnan(y) ? NAN : y);
    }
    return hash;
}

static double atan2_of_two(double x) { return tru_atan2(x, 1.5 - x * x); }

static double log_of_size(double x) { return tru_log(fabs(x)); }

static double exp_turns(double x) {
    tru_quat q = quat_exp(v3(x, 0.3 * x, -0.1));
    return q.w + q.x + q.y + q.z;
}

TEST(bits_of_elementary_functions) {
    static const struct {
        const char *name;
        double (*f)(double);
        int low, high; /* exponents of the arguments */
        uint64_t hash;
    } row[] = {
        {"sin", tru_sin, -30, 40, UINT64_C(0x6516834d4f7a0132)},
        {"cos", tru_cos, -30, 40, UINT64_C(0xcc93e1201d1e90d5)},
        {"tan", tru_tan, -30, 40, UINT64_C(0x062b49925dc7f313)},
        {"atan", tru_atan, -30, 40, UINT64_C(0x0994145dd7f15a7e)},
        {"atan2", atan2_of_two, -30, 40, UINT64_C(0x3d45511e355baaec)},
        {"asin", tru_asin, -30, 0, UINT64_C(0x4f53bfdfdacfbbe9)},
        {"acos", tru_acos, -30, 0, UINT64_C(0xddcbca744dd4be44)},
        {"exp", tru_exp, -30, 10, UINT64_C(0x80899697d5dc3bf3)},
        {"log", log_of_size, -1022, 1023, UINT64_C(0x77ee5a30fcfae9e4)},
        {"cbrt", tru_cbrt, -1022, 1023, UINT64_C(0x2391d6d325ce5180)},
        {"quat_exp", exp_turns, -20, 4, UINT64_C(0x154f06d8c6d2555e)},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        uint64_t hash = hash_of(row[i].f, i, row[i].low, row[i].high);
        if (!check(hash == row[i].hash)) printf("%s: 0x%016" PRIx64 "\n", row[i].name, hash);
    }
}

TEST(bits_of_random_numbers) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint64_t i = 0; i < 100000; i++) {
        mix(&hash, tru_random_uniform(2, 0, i));
        mix(&hash, tru_random_normal(2, 1, i));
        tru_vec3 u = tru_random_direction(2, 2, i);
        tru_quat q = tru_random_attitude(2, 3, i);
        mix(&hash, u.x + 2.0 * u.y + 4.0 * u.z);
        mix(&hash, q.w + 2.0 * q.x + 4.0 * q.y + 8.0 * q.z);
    }
    if (!check(hash == UINT64_C(0xfd55a6dd2a828877))) printf("random: 0x%016" PRIx64 "\n", hash);
}
