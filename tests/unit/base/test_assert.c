/* test_assert.c: a failing assertion names file, line and relation; without TRU_ASSERTIONS nothing is evaluated. */
#include "check.h"

#include "base/array.h"
#include "base/assert.h"

static int evaluations;

static bool count_evaluation(bool answer) {
    evaluations++;
    return answer;
}

TEST(a_true_relation_passes) {
    evaluations = 0;
    TRU_ASSERT(count_evaluation(true));
#ifdef TRU_ASSERTIONS
    check_status(evaluations, 1);
#else
    check_status(evaluations, 0);
#endif
}

TEST(a_false_relation_is_named_with_its_place) {
#ifdef TRU_ASSERTIONS
    char expected[200];
    snprintf(expected, sizeof expected, "%s:%d: 1 + 1 == 3", __FILE__, __LINE__ + 1);
    check_asserts(TRU_ASSERT(1 + 1 == 3), "test_assert.c");
    check_str(check_state.failed, expected);
#else
    TRU_ASSERT(1 + 1 == 3);
    check(check_state.failed[0] == '\0');
#endif
}

TEST(an_assertion_of_the_library_reaches_the_handler_of_the_test) {
#ifdef TRU_ASSERTIONS
    int32_t items[2] = {1, 2};
    size_t count = 2;
    check_asserts(trui_array_close(items, &count, sizeof *items, 2), "src/base/array.c:");
    check(strstr(check_state.failed, "k < *count") != NULL && count == 2);
#else
    check_skip("this build has no assertions");
#endif
}
