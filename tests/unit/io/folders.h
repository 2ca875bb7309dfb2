/* folders.h: a folder of its own for a test program, removed at its end. */
#ifndef TRUNDLE_TESTS_FOLDERS_H
#define TRUNDLE_TESTS_FOLDERS_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder_root[200];
static pid_t folder_owner;

static int folder_drop(const char *path, const struct stat *s, int kind, struct FTW *f) {
    (void)s, (void)kind, (void)f;
    return remove(path);
}

static inline void folder_remove(const char *path) { nftw(path, folder_drop, 16, FTW_DEPTH | FTW_PHYS); }

static void folder_clean(void) {
    if (getpid() == folder_owner && *folder_root) folder_remove(folder_root);
}

/* "<a new folder>/name"; one of several static buffers. */
static inline const char *folder_path(const char *name) {
    static char paths[16][400];
    static int next;
    if (!*folder_root) {
        const char *base = getenv("TMPDIR");
        snprintf(folder_root, sizeof folder_root, "%s/trundle-test-XXXXXX", base ? base : "/tmp");
        if (!mkdtemp(folder_root)) exit(1);
        folder_owner = getpid();
        atexit(folder_clean);
    }
    char *path = paths[next++ % 16];
    snprintf(path, sizeof paths[0], "%s/%s", folder_root, name);
    return path;
}

static inline unsigned char *file_bytes(const char *path, size_t *count) {
    FILE *f = fopen(path, "rb");
    *count = 0;
    if (!f) return NULL;
    if (fseek(f, 0, SEEK_END) != 0 || ftell(f) < 0 || ftell(f) > 1L << 30) { /* a folder, for example */
        fclose(f);
        return NULL;
    }
    *count = (size_t)ftell(f);
    rewind(f);
    unsigned char *bytes = malloc(*count + 1);
    if (fread(bytes, 1, *count, f) != *count) *count = 0;
    fclose(f);
    return bytes;
}

static inline void file_put(const char *path, const void *bytes, size_t count) {
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, count, f) != count || fclose(f) != 0) exit(1);
}

#endif
