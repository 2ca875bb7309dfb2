/* h5_columns.c: columns of numbers in an HDF5 file of their own, for sweeps. */
#include <trundle/io.h>

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

bool tru_has_hdf5(void) { return true; }

static bool put_text(hid_t object, const char *name, const char *value) {
    if (!value) return true;
    const hid_t type = H5Tcopy(H5T_C_S1);
    const hid_t space = H5Screate(H5S_SCALAR);
    bool good = H5Tset_size(type, strlen(value) + 1) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
    const hid_t attribute = good ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    good = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0) good = H5Aclose(attribute) >= 0 && good;
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

/* A name may contain dots. A slash is refused, because HDF5 would create a group. */
static bool put_column(hid_t file, const tru_column *c, size_t rows) {
    char name[200];
    const hsize_t size = rows;
    snprintf(name, sizeof name, "%s", c->name);
    for (char *slash; (slash = strchr(name, '/'));) *slash = '_';
    const hid_t space = H5Screate_simple(1, &size, NULL);
    const hid_t set = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = set >= 0;
    if (good && rows > 0) good = H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, c->values) >= 0;
    good = good && put_text(set, "unit", c->unit) && put_text(set, "words", c->words);
    if (set >= 0) good = H5Dclose(set) >= 0 && good;
    H5Sclose(space);
    return good;
}

static bool write_file(const char *path, const char *about, const tru_column *columns, size_t count, size_t rows) {
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    bool good = file >= 0;
    for (size_t k = 0; good && k < count; k++) good = put_column(file, &columns[k], rows);
    good = good && put_text(file, "about", about) && put_text(file, "program", tru_version());
    if (file >= 0) good = H5Fclose(file) >= 0 && good;
    return good;
}

static tru_status table_fail(const char *path, tru_error *err) {
    if (!err) return TRU_FILE;
    err->status = TRU_FILE;
    snprintf(err->text, sizeof err->text, "cannot write %s%s%s", path, errno ? ": " : "", errno ? strerror(errno) : "");
    return TRU_FILE;
}

/* Writes aside and renames, so that a reader never sees an incomplete file. */
tru_status tru_table_write(const char *path, const char *about, const tru_column *columns, size_t count, size_t rows,
                           tru_error *err) {
    char aside[4096];
    bool good;
    errno = ENAMETOOLONG;
    if (snprintf(aside, sizeof aside, "%s.new", path) >= (int)sizeof aside) return table_fail(path, err);
    errno = 0;
    H5E_BEGIN_TRY { good = write_file(aside, about, columns, count, rows); }
    H5E_END_TRY
    if (good && rename(aside, path) == 0) return TRU_OK;
    const tru_status status = table_fail(path, err);
    remove(aside);
    return status;
}
