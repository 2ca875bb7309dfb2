/* status.c: the phrase of every status, and the version of the library. */
#include <trundle/trundle.h>

#ifndef TRU_VERSION_TEXT
#define TRU_VERSION_TEXT "0.1.0" /* the build system gives the project's version */
#endif

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

const char *tru_version(void) { return TRU_VERSION_TEXT; }
