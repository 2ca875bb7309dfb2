/* h5_files.h: reading and comparing files of results in tests, by HDF5 alone. */
#ifndef TRUNDLE_TESTS_H5_FILES_H
#define TRUNDLE_TESTS_H5_FILES_H

#include "check.h"

#include <hdf5.h>

enum { MOST_SETS = 64 };

typedef struct set_list {
    char names[MOST_SETS][100];
    int count;
} set_list;

static herr_t note_set(hid_t file, const char *name, const H5O_info_t *info, void *user) {
    set_list *l = user;
    (void)file;
    if (info->type == H5O_TYPE_DATASET && l->count < MOST_SETS)
        snprintf(l->names[l->count++], sizeof l->names[0], "/%s", name);
    return 0;
}

static inline hid_t h5_open(const char *path) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) { /* its writer was killed */
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_metadata_read_attempts(access, 1);
        file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
        H5Pclose(access);
    }
    return file;
}

static inline set_list h5_sets(hid_t file) {
    set_list l = {.count = 0};
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, note_set, &l);
    return l;
}

/* All bytes of a dataset in its own type, for free(); rows and bytes of one. NULL: it cannot be read. */
static inline unsigned char *h5_bytes(hid_t file, const char *name, size_t *rows, size_t *row_bytes) {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    *rows = *row_bytes = 0;
    if (set < 0) return NULL;
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    hsize_t dims[4] = {1, 1, 1, 1};
    H5Sget_simple_extent_dims(space, dims, NULL);
    *rows = dims[0];
    *row_bytes = H5Tget_size(type) * dims[1] * dims[2] * dims[3];
    unsigned char *bytes = calloc(*rows * *row_bytes + 1, 1);
    const bool good = *rows == 0 || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0;
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
    if (good) return bytes;
    free(bytes);
    return NULL;
}

static inline size_t h5_rows(hid_t file, const char *name) {
    size_t rows = 0, size;
    free(h5_bytes(file, name, &rows, &size));
    return rows;
}

/* A column of doubles of a compound dataset (or a plain one: member NULL), for free(). */
static inline double *h5_column(hid_t file, const char *name, const char *member, size_t *rows) {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    *rows = 0;
    if (set < 0) {
        printf("no dataset %s\n", name);
        exit(1);
    }
    const hid_t space = H5Dget_space(set);
    hsize_t dims[3] = {1, 1, 1};
    H5Sget_simple_extent_dims(space, dims, NULL);
    hid_t type = H5Tcopy(H5T_NATIVE_DOUBLE);
    if (member) {
        H5Tclose(type);
        type = H5Tcreate(H5T_COMPOUND, sizeof(double));
        H5Tinsert(type, member, 0, H5T_NATIVE_DOUBLE);
    }
    double *values = calloc(dims[0] * dims[1] * dims[2] + 1, sizeof *values);
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
        free(values);
        values = NULL;
    }
    *rows = dims[0];
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
    return values;
}

static inline bool same_types(hid_t a, hid_t b, const char *name) {
    const hid_t sa = H5Dopen2(a, name, H5P_DEFAULT), sb = H5Dopen2(b, name, H5P_DEFAULT);
    const hid_t ta = H5Dget_type(sa), tb = H5Dget_type(sb);
    const bool same = H5Tequal(ta, tb) > 0;
    H5Tclose(ta);
    H5Tclose(tb);
    H5Dclose(sa);
    H5Dclose(sb);
    return same;
}

/* Every dataset of two files equal, byte by byte; /provenance has only attributes. */
static inline bool h5_equal(const char *one, const char *two) {
    const hid_t a = h5_open(one), b = h5_open(two);
    if (!check(a >= 0) || !check(b >= 0)) return false;
    const set_list la = h5_sets(a), lb = h5_sets(b);
    bool good = check(la.count == lb.count) && check(la.count >= 8);
    for (int i = 0; good && i < la.count; i++) {
        size_t ra = 0, rb = 0, sa = 0, sb = 0;
        unsigned char *pa = h5_bytes(a, la.names[i], &ra, &sa), *pb = h5_bytes(b, la.names[i], &rb, &sb);
        const bool same = pa && pb && ra == rb && sa == sb && memcmp(pa, pb, ra * sa) == 0;
        if (!check(same && same_types(a, b, la.names[i])))
            printf("%s: %zu and %zu rows of %zu and %zu bytes\n", la.names[i], ra, rb, sa, sb);
        good &= same;
        free(pa);
        free(pb);
    }
    H5Fclose(a);
    H5Fclose(b);
    return good;
}

#endif
