// A program that ends in the middle of a case, as a crash does: harness.cmake wants to see which one.
#include "check.h"

TEST(before) { check(true); }
TEST(ends) {
    check(check_seed() != 0);
    exit(3);
}
TEST(never_reached) { check(true); }
