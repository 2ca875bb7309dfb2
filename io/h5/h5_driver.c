/* h5_driver.c: a driver of HDF5 for files on a disk that may be full.
 *
 * HDF5 does not survive a write that fails: it cannot close such a file any more, and crashes when the program ends. With
 * this driver the first failure is noted, nothing is written after it (so the file stays what it was at that moment, as
 * after a kill), and HDF5 is told that all is well until it has closed the file. Otherwise it does what HDF5's own
 * driver "sec2" does, and its files are the same. */
#define _DEFAULT_SOURCE
#include "h5_driver.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct driver_file {
    H5FD_t base; /* HDF5 requires its part first */
    int fd;
    int *failure; /* the caller's: errno of the first failure */
    haddr_t end_allocated, end_file;
    dev_t device;
    ino_t inode;
} driver_file;

typedef struct driver_info {
    int *failure;
} driver_info;

static void note(const driver_file *f, int code) {
    if (*f->failure == 0) *f->failure = code;
}

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t most) {
    (void)most;
    const driver_info *info = H5Pget_driver_info(access);
    driver_file *f = calloc(1, sizeof *f);
    struct stat s;
    int how = flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY;
    if (flags & H5F_ACC_TRUNC) how |= O_TRUNC;
    if (flags & H5F_ACC_CREAT) how |= O_CREAT;
    if (flags & H5F_ACC_EXCL) how |= O_EXCL;
    if (!f || !info) {
        free(f);
        return NULL;
    }
    f->failure = info->failure;
    f->fd = open(name, how, 0666);
    if (f->fd < 0 || fstat(f->fd, &s) != 0) {
        if (flags & H5F_ACC_CREAT) note(f, errno); /* without this flag HDF5 only tests whether the file exists */
        if (f->fd >= 0) close(f->fd);
        free(f);
        return NULL;
    }
    f->end_file = (haddr_t)s.st_size;
    f->device = s.st_dev;
    f->inode = s.st_ino;
    return &f->base;
}

static herr_t driver_close(H5FD_t *file) {
    driver_file *f = (driver_file *)(void *)file;
    if (close(f->fd) != 0) note(f, errno);
    free(f);
    return 0;
}

static int driver_compare(const H5FD_t *one, const H5FD_t *two) {
    const driver_file *a = (const driver_file *)(const void *)one, *b = (const driver_file *)(const void *)two;
    if (a->device != b->device) return a->device < b->device ? -1 : 1;
    return a->inode == b->inode ? 0 : a->inode < b->inode ? -1 : 1;
}

static herr_t driver_query(const H5FD_t *file, unsigned long *flags) {
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_POSIX_COMPAT_HANDLE | H5FD_FEAT_SUPPORTS_SWMR_IO |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t driver_end_allocated(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return ((const driver_file *)(const void *)file)->end_allocated;
}

static herr_t driver_set_end(H5FD_t *file, H5FD_mem_t type, haddr_t end) {
    (void)type;
    ((driver_file *)(void *)file)->end_allocated = end;
    return 0;
}

static haddr_t driver_end_file(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return ((const driver_file *)(const void *)file)->end_file;
}

static herr_t driver_handle(H5FD_t *file, hid_t access, void **handle) {
    (void)access;
    *handle = &((driver_file *)(void *)file)->fd;
    return 0;
}

/* Bytes past the end of the file are zero. */
static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, void *buffer) {
    driver_file *f = (driver_file *)(void *)file;
    unsigned char *to = buffer;
    (void)type, (void)transfer;
    while (size > 0) {
        const ssize_t n = pread(f->fd, to, size, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            note(f, errno);
            return -1;
        }
        if (n == 0) break;
        to += n;
        at += (haddr_t)n;
        size -= (size_t)n;
    }
    memset(to, 0, size);
    return 0;
}

static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, const void *buffer) {
    driver_file *f = (driver_file *)(void *)file;
    const unsigned char *from = buffer;
    (void)type, (void)transfer;
    if (at + size > f->end_file) f->end_file = at + size;
    while (size > 0 && *f->failure == 0) {
        const ssize_t n = pwrite(f->fd, from, size, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            note(f, n < 0 ? errno : ENOSPC);
            break;
        }
        from += n;
        at += (haddr_t)n;
        size -= (size_t)n;
    }
    return 0;
}

static herr_t driver_truncate(H5FD_t *file, hid_t transfer, hbool_t closing) {
    driver_file *f = (driver_file *)(void *)file;
    (void)transfer, (void)closing;
    if (f->end_file == f->end_allocated) return 0;
    if (*f->failure == 0 && ftruncate(f->fd, (off_t)f->end_allocated) != 0) note(f, errno);
    f->end_file = f->end_allocated;
    return 0;
}

/* Continues without a lock on file systems that have none. */
static herr_t driver_lock(H5FD_t *file, hbool_t write) {
    driver_file *f = (driver_file *)(void *)file;
    if (flock(f->fd, (write ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 || errno == ENOSYS) return 0;
    note(f, errno);
    return -1;
}

static herr_t driver_unlock(H5FD_t *file) {
    return flock(((driver_file *)(void *)file)->fd, LOCK_UN) == 0 || errno == ENOSYS ? 0 : -1;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600,
#endif
    .name = "trundle",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(driver_info),
    .open = driver_open,
    .close = driver_close,
    .cmp = driver_compare,
    .query = driver_query,
    .get_eoa = driver_end_allocated,
    .set_eoa = driver_set_end,
    .get_eof = driver_end_file,
    .get_handle = driver_handle,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .lock = driver_lock,
    .unlock = driver_unlock,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t trio_h5_driver(void) { return H5FDregister(&driver); }

bool trio_h5_use_driver(hid_t access, hid_t driver_id, int *failure) {
    const driver_info info = {failure};
    *failure = 0;
    return driver_id >= 0 && H5Pset_driver(access, driver_id, &info) >= 0;
}
