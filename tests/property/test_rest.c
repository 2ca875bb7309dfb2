/* test_rest.c: what should rest does, from motion, with default settings, for 20000 steps (P3; 10^6 in rest_long). */
#define _GNU_SOURCE
#include "rest.h"

TEST(comes_to_rest_and_stays) {
    for (int i = 0; i < REST_CASES; i++) stays_at_rest(&rest_cases[i], 20000, 7);
}
