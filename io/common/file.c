/* file.c: creates folders, reads whole files, and replaces them so that a kill leaves the old file or the new one. */
#define _DEFAULT_SOURCE
#include "file.h"

#include "fail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

char *trio_file_join(const char *dir, const char *name) {
    const size_t length = strlen(dir), room = length + strlen(name) + 2;
    char *path = malloc(room);
    const bool slash = length > 0 && dir[length - 1] != '/';
    if (path) snprintf(path, room, "%s%s%s", dir, slash ? "/" : "", name);
    return path;
}

bool trio_file_exists(const char *path) {
    struct stat s;
    return stat(path, &s) == 0;
}

static bool is_folder(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

tru_status trio_file_make_folder(const char *path, tru_error *err) {
    char *part = trio_file_join(path, ""); /* with a slash behind */
    tru_status s = TRU_OK;
    if (!part) return trio_no_memory(err);
    for (char *slash = strchr(part + 1, '/'); slash && s >= 0; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0777) != 0 && !(errno == EEXIST && is_folder(part)))
            s = trio_fail_file(err, part, "cannot create the folder", errno);
        *slash = '/';
    }
    free(part);
    return s;
}

static bool write_all(int file, const unsigned char *bytes, size_t count) {
    while (count > 0) {
        const ssize_t n = write(file, bytes, count);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes += n;
        count -= (size_t)n;
    }
    return true;
}

/* A renamed file survives a power cut only if its folder is synced as well. */
static bool sync_folder_of(const char *path) {
    char *folder = malloc(strlen(path) + 2);
    if (!folder) return false;
    strcpy(folder, path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    else
        strcpy(folder, ".");
    const int file = open(folder, O_RDONLY | O_DIRECTORY);
    const bool good = file >= 0 && (fsync(file) == 0 ||
                                    errno == EINVAL); /* some file systems cannot sync folders, and do not need to */
    if (file >= 0) close(file);
    free(folder);
    return good;
}

tru_status trio_file_rename(const char *from, const char *to, bool durable, tru_error *err) {
    if (rename(from, to) != 0) return trio_fail_file(err, to, "cannot be replaced", errno);
    if (durable && !sync_folder_of(to)) return trio_fail_file(err, to, "cannot sync its folder", errno);
    return TRU_OK;
}

tru_status trio_file_replace(const char *path, const void *bytes, size_t count, bool durable, tru_error *err) {
    const size_t room = strlen(path) + 6;
    char *part = malloc(room);
    if (!part) return trio_no_memory(err);
    snprintf(part, room, "%s.part", path);
    const int file = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    tru_status s = file < 0 ? trio_fail_file(err, part, "cannot be written", errno) : TRU_OK;
    if (s >= 0 && (!write_all(file, bytes, count) || (durable && fsync(file) != 0)))
        s = trio_fail_file(err, part, "cannot be written", errno);
    if (file >= 0 && close(file) != 0 && s >= 0) s = trio_fail_file(err, part, "cannot be written", errno);
    if (s >= 0) s = trio_file_rename(part, path, durable, err);
    if (s < 0 && file >= 0) unlink(part);
    free(part);
    return s;
}

tru_status trio_file_read(const char *path, unsigned char **bytes, size_t *count, tru_error *err) {
    struct stat info;
    const int file = open(path, O_RDONLY);
    if (file < 0) return trio_fail_file(err, path, "cannot be read", errno);
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(file);
        return trio_fail_file(err, path, "is not a file", 0);
    }
    const size_t size = (size_t)info.st_size;
    unsigned char *all = malloc(size + 1);
    size_t got = 0;
    ssize_t n = 1;
    while (all && got < size && n > 0) {
        n = read(file, all + got, size - got);
        if (n < 0 && errno == EINTR)
            n = 1;
        else if (n > 0)
            got += (size_t)n;
    }
    close(file);
    if (!all || got < size) {
        free(all);
        return all ? trio_fail_file(err, path, "cannot be read", n < 0 ? errno : 0) : trio_no_memory(err);
    }
    all[size] = 0;
    *bytes = all;
    *count = size;
    return TRU_OK;
}

tru_status trio_file_lock_folder(const char *path, int *lock, tru_error *err) {
    *lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0) return trio_fail_file(err, path, "cannot be opened", errno);
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0) return TRU_OK;
    const bool taken = errno == EWOULDBLOCK;
    close(*lock);
    *lock = -1;
    return taken ? trio_fail(err, TRU_CONFLICT, "%s: another run is writing its results there", path) : TRU_OK;
}

void trio_file_unlock(int lock) {
    if (lock >= 0) close(lock);
}
