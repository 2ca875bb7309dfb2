/* failing_allocator.h: an allocator for tests that fails its k-th call and counts what is alive.
 *
 *     failing_allocator f = failing_begin(k);            k = 0, 1, ...; FAIL_NEVER: only counts
 *     tru_allocator a = failing_allocator_of(&f);
 *     ... run the code with &a, give everything back ...
 *     check(f.live_bytes == 0 && f.live_blocks == 0);
 *     if (!f.failed) break;                               the code makes no more than k calls: all were failed in turn
 *
 * A resize moves every block, so that pointers to the old one are caught; sizes are compared with those remembered. */
#ifndef TRUNDLE_TESTS_KIT_FAILING_ALLOCATOR_H
#define TRUNDLE_TESTS_KIT_FAILING_ALLOCATOR_H

#include <trundle/trundle.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define FAIL_NEVER (-1L)

typedef struct failing_allocator {
    long fail_at;       /* index of the call to fail */
    long calls;         /* of resize */
    bool failed;        /* whether it came to that */
    long wrong_sizes;   /* blocks given back or resized with another size than they had */
    size_t live_blocks; /* */
    size_t live_bytes, peak_bytes;
} failing_allocator;

typedef union failing_header {
    size_t bytes;
    max_align_t align;
} failing_header;

static inline failing_allocator failing_begin(long fail_at) { return (failing_allocator){.fail_at = fail_at}; }

static inline void failing_release(void *block, size_t bytes, void *user) {
    failing_allocator *f = user;
    failing_header *header = (failing_header *)block - 1;
    if (header->bytes != bytes) f->wrong_sizes++;
    f->live_blocks--;
    f->live_bytes -= header->bytes;
    memset(block, 0xDD, header->bytes);
    free(header);
}

static inline void *failing_resize(void *block, size_t old_bytes, size_t new_bytes, void *user) {
    failing_allocator *f = user;
    if (f->calls++ == f->fail_at) {
        f->failed = true;
        return NULL;
    }
    failing_header *header = malloc(sizeof *header + new_bytes);
    if (!header) return NULL;
    header->bytes = new_bytes;
    memset(header + 1, 0xCD, new_bytes); /* memory that is not initialised is not zero by chance */
    f->live_blocks++;
    f->live_bytes += new_bytes;
    if (f->live_bytes > f->peak_bytes) f->peak_bytes = f->live_bytes;
    if (block) {
        memcpy(header + 1, block, old_bytes < new_bytes ? old_bytes : new_bytes);
        failing_release(block, old_bytes, user);
    }
    return header + 1;
}

static inline tru_allocator failing_allocator_of(failing_allocator *f) {
    return (tru_allocator){failing_resize, failing_release, f};
}

#endif
