// Tests that must all fail: harness.cmake proves that each kind of failed check makes the process fail.
#include "check.h"

static double zero(void) { return strtod("0", NULL); } // unknown to the optimiser

TEST(no_check_at_all) {}
TEST(false_condition) { check(zero() > 0.0); }
TEST(one_bad_among_good) {
    check(true);
    check(!check(false)); // the check reports its failure to the caller
    check(true);
}
TEST(too_far_relative) { check_close(1.0 + 1e-9, 1.0, 1e-12, 0.0); }
TEST(too_far_absolute) { check_close(1e-9, 0.0, 1e-3, 1e-12); }
TEST(not_a_number) { check_close(zero() / zero(), 1.0, 1.0, 1e300); }
TEST(both_not_a_number) { check_close(zero() / zero(), zero() / zero(), 1.0, 1.0); }
TEST(infinite_value) { check_close(1.0 / zero(), 1.0, 1e300, 1e300); }
TEST(infinite_reference) { check_close(1.0, 1.0 / zero(), 1.0, 1.0); }
TEST(tolerance_not_a_number) { check_close(1.0, 1.0, zero() / zero(), 0.0); }
TEST(other_string) { check_str("slide", "roll"); }
TEST(null_string) { check_str(NULL, "roll"); }
TEST(other_status) { check_status(-1, 0); }
TEST(failure_before_skip) {
    check(false);
    check_skip("a skip must not hide a failure");
}
