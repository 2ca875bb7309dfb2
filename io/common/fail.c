/* fail.c: writes a sentence and a status into the caller's tru_error. */
#define _POSIX_C_SOURCE 200809L
#include "fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

tru_status trio_fail(tru_error *err, tru_status status, const char *format, ...) {
    va_list args;
    if (!err) return status;
    err->status = status;
    va_start(args, format);
    const int length = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    if (length < 0) err->text[0] = '\0';
    if (length >= (int)sizeof err->text) memcpy(err->text + sizeof err->text - 4, "...", 4);
    return status;
}

tru_status trio_fail_file(tru_error *err, const char *path, const char *what, int code) {
    char words[128] = "";
    if (code != 0 && strerror_r(code, words, sizeof words) != 0) snprintf(words, sizeof words, "error %d", code);
    return trio_fail(err, TRU_FILE, "%s: %s%s%s", path, what, *words ? ": " : "", words);
}

tru_status trio_fail_call(tru_error *err, tru_status status, const char *what, int code) {
    char words[128] = "";
    if (strerror_r(code, words, sizeof words) != 0) snprintf(words, sizeof words, "error %d", code);
    return trio_fail(err, status, "%s: %s", what, words);
}

tru_status trio_no_memory(tru_error *err) { return trio_fail(err, TRU_NO_MEMORY, "out of memory"); }
