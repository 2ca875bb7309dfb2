/* error.c: the phrase of every status, the version of the library, and bounded sentences in the caller's tru_error. */
#include "base/error.h"

#include "base/assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *tru_status_text(tru_status status) {
    switch (status) {
#define STATUS_CASE(name, value, meaning)                                                                              \
    case name:                                                                                                         \
        return meaning;
        TRU_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown status";
}

/* The build system defines TRU_VERSION_TEXT. */
const char *tru_version(void) { return TRU_VERSION_TEXT; }

/* Shows that the sentence was cut. */
static void end_in_dots(tru_error *err) { memcpy(err->text + sizeof err->text - 4, "...", 4); }

static tru_status write_sentence(tru_error *err, tru_status status, const char *format, va_list args) {
    if (!err) return status;
    err->status = status;
    int length = vsnprintf(err->text, sizeof err->text, format, args);
    if (length < 0) err->text[0] = '\0';
    if (length >= (int)sizeof err->text) end_in_dots(err);
    return status;
}

tru_status tru_fail(tru_error *err, tru_status status, const char *format, ...) {
    TRU_ASSERT(status < 0);
    va_list args;
    va_start(args, format);
    write_sentence(err, status, format, args);
    va_end(args);
    return status;
}

tru_status tru_remark(tru_error *err, tru_status status, const char *format, ...) {
    TRU_ASSERT(status > 0);
    va_list args;
    va_start(args, format);
    write_sentence(err, status, format, args);
    va_end(args);
    return status;
}

tru_status tru_no_memory(tru_error *err) { return tru_fail(err, TRU_NO_MEMORY, "out of memory"); }

tru_status trui_room_check(const char *call, size_t room, size_t count, const char *items, tru_error *err) {
    if (room >= count) return TRU_OK;
    return tru_fail(err, TRU_BAD_ARGUMENT, "%s: room is %zu, must be at least %zu, the number of %s", call, room, count,
                    items);
}

void tru_error_prefix(tru_error *err, const char *prefix) {
    if (!err) return;
    tru_error old = *err;
    int length = snprintf(err->text, sizeof err->text, "%s: %s", prefix, old.text);
    if (length >= (int)sizeof err->text) end_in_dots(err);
}
