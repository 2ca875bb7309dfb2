/* test_export_memory.c: every allocation that an export makes itself fails in turn. An export that lacks memory says so, and leaves no
 * file that differs from the file of an export that had enough. Allocations of HDF5 and libc are left alone. */
#define _GNU_SOURCE
#include "check.h"
#include "folders.h"
#include "run_scenes.h"

#include <dirent.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define OWN_MALLOC 1

/* The allocator of glibc, behind the one below. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);

static struct {
    bool counts;
    long allocations, fail_at;
} heap;

/* The code of this program, which holds the static libraries of Trundle. */
extern const char __executable_start[], etext[];

static bool fails(const void *caller) {
    const uintptr_t at = (uintptr_t)caller;
    const bool ours = at >= (uintptr_t)__executable_start && at < (uintptr_t)etext;
    return heap.counts && ours && ++heap.allocations == heap.fail_at;
}

#pragma GCC visibility push(default)
void *malloc(size_t bytes) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes);
}
void *realloc(void *block, size_t bytes) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, bytes);
}
#pragma GCC visibility pop

static bool same_file(const char *a, const char *b) {
    size_t sizes[2];
    unsigned char *x = file_bytes(a, &sizes[0]), *y = file_bytes(b, &sizes[1]);
    const bool same = x && y && sizes[0] == sizes[1] && memcmp(x, y, sizes[0]) == 0;
    free(x);
    free(y);
    return same;
}

/* Returns the number of files in `dir`; *same: each equals the file of the same name in `whole`. */
static size_t compare_folders(const char *dir, const char *whole, bool *same) {
    size_t count = 0;
    DIR *d = opendir(dir);
    *same = true;
    for (struct dirent *e; d && (e = readdir(d));) {
        char a[700], b[700];
        if (e->d_name[0] == '.' && (e->d_name[1] == '\0' || e->d_name[1] == '.')) continue;
        snprintf(a, sizeof a, "%s/%s", dir, e->d_name);
        snprintf(b, sizeof b, "%s/%s", whole, e->d_name);
        if (!same_file(a, b)) *same = false, printf("  %s differs or is left over\n", e->d_name);
        count++;
    }
    if (d) closedir(d);
    return count;
}

static void check_format(const char *results, const char *format) {
    tru_error err = {TRU_OK, ""};
    char whole[400], part[400];
    size_t wanted = 0, files = 0;
    long failures = 0;
    snprintf(whole, sizeof whole, "%s", folder_path(format));
    snprintf(part, sizeof part, "%s.part", whole);
    if (!check(tru_export(results, format, whole, &wanted, &err) >= 0)) printf("  %s\n", err.text);
    check(wanted > 0);
    for (heap.fail_at = 1; heap.fail_at < 100000; heap.fail_at++) {
        bool same;
        folder_remove(part);
        err = (tru_error){TRU_OK, ""};
        heap.allocations = 0;
        heap.counts = true;
        const tru_status s = tru_export(results, format, part, &files, &err);
        heap.counts = false;
        if (heap.allocations < heap.fail_at) break; /* none was left to fail */
        failures++;
        const size_t written = compare_folders(part, whole, &same);
        if (!check(s == TRU_NO_MEMORY || (s >= 0 && written == wanted)) | !check(same))
            printf("  %s, allocation %ld: status %d, %zu of %zu files: %s\n", format, heap.fail_at, s, written, wanted,
                   err.text);
    }
    printf("%s: %ld allocations failed in turn\n", format, failures);
    check(failures > 10);
    heap.fail_at = 0;
}
#endif

TEST(every_allocation_of_an_export_fails_in_turn) {
#ifndef OWN_MALLOC
    check_skip("needs glibc's allocator without a sanitizer");
#else
    static const char *const formats[] = {"vtp", "csv", "glb", "xyz"};
    tru_scene *scene = scene_of(BALL_RUN);
    tru_error err = {TRU_OK, ""};
    tru_results *r;
    const char *dir = folder_path("run");
    tru_sim *sim = sim_of(scene);
    MUST(tru_results_create(dir, sim, scene, TRU_RESULTS_REPLACE, &r, &err));
    run_recorded(sim, r, 40); /* a few frames are enough */
    MUST(tru_results_snapshot(r, &err));
    tru_results_free(r);
    tru_sim_free(sim);
    tru_scene_free(scene);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (tru_has_hdf5() || strcmp(formats[i], "csv") == 0)
            check_format(dir, formats[i]); /* others need frames of run.h5 */
#endif
}
