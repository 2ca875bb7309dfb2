/* error.h: how the library says what went wrong: one sentence in the caller's tru_error. */
#ifndef TRUNDLE_BASE_ERROR_H
#define TRUNDLE_BASE_ERROR_H

#include <trundle/trundle.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

/* Write status (< 0) and sentence to `err`, which may be NULL; too long a sentence ends in "...". Returns the status,
 * so that `return tru_fail(err, TRU_STALE_ID, "body %llu does not exist", id)` is all a caller needs. */
tru_status tru_fail(tru_error *err, tru_status status, const char *format, ...) PRINTF_LIKE(3, 4);

/* The same for a status > 0: done, with a remark. */
tru_status tru_remark(tru_error *err, tru_status status, const char *format, ...) PRINTF_LIKE(3, 4);

/* "out of memory", for the many places that have nothing to add. */
tru_status tru_no_memory(tru_error *err);

/* The sentence in `err` gets "prefix: " in front, shortened at its end if need be: who calls adds where it was. */
void tru_error_prefix(tru_error *err, const char *prefix);

#endif
