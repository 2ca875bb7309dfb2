/* assert.c: what happens when an assertion fails and the program has no handler of its own. */
#include "base/assert.h"

__attribute__((weak, noinline, cold)) void trui_assert_failed(const char *relation, const char *file, int line) {
    (void)relation, (void)file, (void)line;
    __builtin_trap();
}
