/* test_error.c: status phrases, bounded error sentences. */
#include "check.h"

#include "base/error.h"

TEST(every_status_has_its_phrase) {
    check_str(tru_status_text(TRU_OK), "done");
    check_str(tru_status_text(TRU_DAMAGED), "a snapshot is damaged or foreign");
    check_str(tru_status_text((tru_status)77), "unknown status");
    int major, minor, patch;
    check(sscanf(tru_version(), "%d.%d.%d", &major, &minor, &patch) == 3);
}

TEST(fail_writes_status_and_sentence) {
    tru_error err;
    check_status(tru_fail(&err, TRU_STALE_ID, "body %d does not exist", 7), TRU_STALE_ID);
    check_status(err.status, TRU_STALE_ID);
    check_str(err.text, "body 7 does not exist");
    check_status(tru_fail(NULL, TRU_STALE_ID, "body %d does not exist", 7), TRU_STALE_ID);
    check_status(tru_remark(&err, TRU_UNCONVERGED, "stopped after %d iterations", 9), TRU_UNCONVERGED);
    check_str(err.text, "stopped after 9 iterations");
    check_status(tru_no_memory(&err), TRU_NO_MEMORY);
    check_str(err.text, "out of memory");
}

TEST(long_sentences_end_in_dots) {
    struct {
        tru_error err;
        char guard;
    } box = {.guard = 42};
    char text[1000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (size_t extra = 0; extra < 3; extra++) { /* 498, 499, 500 characters: the last does not fit */
        tru_fail(&box.err, TRU_CONFLICT, "%s", text + (sizeof text - 1 - (sizeof box.err.text - 2 + extra)));
        check(strlen(box.err.text) == sizeof box.err.text - (extra == 0 ? 2 : 1));
        check_str(strchr(box.err.text, '.'), extra == 2 ? "..." : NULL);
    }
    check(box.guard == 42);
}

TEST(prefix_says_where) {
    tru_error err;
    tru_fail(&err, TRU_OUT_OF_RANGE, "slide is -1, must be at least 0");
    tru_error_prefix(&err, "disk.yaml:3:7");
    check_str(err.text, "disk.yaml:3:7: slide is -1, must be at least 0");
    check_status(err.status, TRU_OUT_OF_RANGE);
    for (int i = 0; i < 100; i++) tru_error_prefix(&err, "again");
    check_str(err.text + sizeof err.text - 4, "...");
    tru_error_prefix(NULL, "nobody");
}

/* Structs may grow with the minor version, so programs need the same one. */
TEST(versions_of_headers_and_library) {
    char text[40];
    snprintf(text, sizeof text, "%d.%d.%d", TRU_VERSION_MAJOR, TRU_VERSION_MINOR, TRU_VERSION_PATCH);
    check_str(tru_version(), text);
    check_str(TRU_VERSION, text);
    check(tru_version_fits(TRU_VERSION_MAJOR, TRU_VERSION_MINOR));
    check(!tru_version_fits(TRU_VERSION_MAJOR, TRU_VERSION_MINOR + 1));
    check(!tru_version_fits(TRU_VERSION_MAJOR + 1, TRU_VERSION_MINOR));
}
