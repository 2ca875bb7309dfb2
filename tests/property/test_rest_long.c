/* test_rest_long.c: what should rest does, from motion, with default settings, for 10^6 steps (P3). */
#define _GNU_SOURCE
#include "rest.h"

TEST(comes_to_rest_and_stays_for_a_million_steps) {
    for (int i = 0; i < REST_CASES; i++) stays_at_rest(&rest_cases[i], 1000000, 500);
}
