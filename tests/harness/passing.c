// Tests that must all pass, with the ways of the harness that its users rely on.
#include "check.h"

static int calls;

TEST(runs_in_the_order_of_the_file) { check_status(calls++, 0); }
TEST(arguments_are_evaluated_once) {
    check_close(calls++, 1.0, 0.0, 0.0);
    check_status(calls++, 2);
    check(calls == 3);
}
TEST(close_values) {
    check_close(1.0 + 1e-13, 1.0, 1e-12, 0.0);
    check_close(1e-13, 0.0, 0.0, 1e-12);
    check_close(INFINITY, INFINITY, 0.0, 0.0);
}
TEST(strings) {
    check_str("roll", "roll");
    check_str(NULL, NULL);
}
TEST(seed_is_repeatable) { check(check_seed() == check_seed()); }
TEST(marked_characters_in_a_skip) { check_skip("<needs> \"two\" & three"); }
