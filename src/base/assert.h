/* assert.h: TRU_ASSERT(relation) states what always holds of the library's own data, whatever a user passes.
 *
 * Builds with TRU_ASSERTIONS (CMake option TRUNDLE_ASSERTIONS; presets dev, asan and tsan) evaluate it and call trui_assert_failed if
 * it is false. Other builds compile it, so that it cannot rot, but never evaluate it and contain no code for it. Bad input is not
 * asserted: it gets a status and a sentence. */
#ifndef TRUNDLE_BASE_ASSERT_H
#define TRUNDLE_BASE_ASSERT_H

#ifdef TRU_ASSERTIONS
#define TRU_ASSERT(relation) ((relation) ? (void)0 : trui_assert_failed(#relation, __FILE__, __LINE__))
#else
#define TRU_ASSERT(relation) ((void)sizeof((relation) ? 1 : 0))
#endif

/* Ends the program with a trap; a debugger shows the arguments. It is a weak symbol, since the library keeps no mutable data in which
 * a handler could be stored: a program that links the static library may define its own (tests/kit/check.h prints and aborts). */
void trui_assert_failed(const char *relation, const char *file, int line);

#endif
