/* error.h: failures and remarks as one sentence in the caller's tru_error. */
#ifndef TRUNDLE_BASE_ERROR_H
#define TRUNDLE_BASE_ERROR_H

#include <trundle/trundle.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

/* Writes a status < 0 and a sentence to `err`, which may be NULL. A sentence that is too long is cut and ends in "...". Returns the
 * status, so that a caller can write `return tru_fail(err, TRU_STALE_ID, "body %llu does not exist", id)`. */
tru_status tru_fail(tru_error *err, tru_status status, const char *format, ...) PRINTF_LIKE(3, 4);

/* Writes a status > 0 and a sentence: the call succeeded with a remark. Returns the status. */
tru_status tru_remark(tru_error *err, tru_status status, const char *format, ...) PRINTF_LIKE(3, 4);

/* Writes "out of memory" to `err` and returns TRU_NO_MEMORY. */
tru_status tru_no_memory(tru_error *err);

/* Fails with TRU_BAD_ARGUMENT if an array of a caller has not `room` for `count` items: "tru_bodies_get: room is 2, must be at least 5,
 * the number of bodies". */
tru_status trui_room_check(const char *call, size_t room, size_t count, const char *items, tru_error *err);

/* Puts "prefix: " before the sentence in `err` and cuts its end if it becomes too long. Callers use it to add a place. */
void tru_error_prefix(tru_error *err, const char *prefix);

#endif
