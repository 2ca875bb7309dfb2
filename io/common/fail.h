/* fail.h: writes a sentence and a status into the caller's tru_error. */
#ifndef TRUNDLE_IO_FAIL_H
#define TRUNDLE_IO_FAIL_H

#include <trundle/trundle.h>

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
tru_status
trio_fail(tru_error *err, tru_status status, const char *format, ...);
/* Returns TRU_FILE with the sentence "path: what: text of errno `code`". If `code` is 0, the sentence ends after `what`. */
tru_status trio_fail_file(tru_error *err, const char *path, const char *what, int code);
/* Returns `status` with the sentence "what: text of errno `code`". */
tru_status trio_fail_call(tru_error *err, tru_status status, const char *what, int code);
tru_status trio_no_memory(tru_error *err);

#endif
