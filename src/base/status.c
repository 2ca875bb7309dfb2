/* status.c: the phrase of every status, and the version of the library. */
#include <trundle/trundle.h>

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

/* The build system gives the project's version. */
const char *tru_version(void) { return TRU_VERSION_TEXT; }
