/* assert.c: the default handler of a failed assertion, for programs that do not define their own. */
#include "base/assert.h"

__attribute__((weak, noinline, cold)) void trui_assert_failed(const char *relation, const char *file, int line) {
    (void)relation, (void)file, (void)line;
    __builtin_trap();
}
