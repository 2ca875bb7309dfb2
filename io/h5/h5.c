/* h5.c: helpers for HDF5: no printing of errors, attributes, types. */
#include "h5.h"

#include <stdlib.h>
#include <string.h>

h5_quiet trio_h5_silence(void) {
    h5_quiet before = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &before.function, &before.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return before;
}

void trio_h5_restore(h5_quiet before) { H5Eset_auto2(H5E_DEFAULT, before.function, before.data); }

hid_t trio_h5_text_type(size_t bytes) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes > 0 ? bytes : 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static bool write_attribute(hid_t object, const char *name, hid_t type, hid_t space, const void *value) {
    const hid_t a = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = a >= 0 && H5Awrite(a, type, value) >= 0;
    if (a >= 0) H5Aclose(a);
    H5Sclose(space);
    return good;
}

bool trio_h5_attribute_text(hid_t object, const char *name, const char *text) {
    const hid_t type = trio_h5_text_type(strlen(text) + 1);
    const bool good = write_attribute(object, name, type, H5Screate(H5S_SCALAR), text);
    H5Tclose(type);
    return good;
}

bool trio_h5_attribute_texts(hid_t object, const char *name, const char *const *texts, size_t count) {
    size_t longest = 1;
    for (size_t i = 0; i < count; i++)
        if (strlen(texts[i]) + 1 > longest) longest = strlen(texts[i]) + 1;
    char *all = calloc(count + 1, longest);
    if (!all) return false;
    for (size_t i = 0; i < count; i++) memcpy(all + i * longest, texts[i], strlen(texts[i]));
    const hid_t type = trio_h5_text_type(longest);
    const hsize_t size = count;
    const bool good = write_attribute(object, name, type, H5Screate_simple(1, &size, NULL), all);
    H5Tclose(type);
    free(all);
    return good;
}

bool trio_h5_attribute_i64(hid_t object, const char *name, int64_t value) {
    return write_attribute(object, name, H5T_NATIVE_INT64, H5Screate(H5S_SCALAR), &value);
}

bool trio_h5_attribute_f64(hid_t object, const char *name, double value) {
    return write_attribute(object, name, H5T_NATIVE_DOUBLE, H5Screate(H5S_SCALAR), &value);
}

/* Opens an attribute that holds exactly one element of the class, or returns -1. The file may be hostile: HDF5 would write as
 * many elements as the attribute has behind the caller's variable. */
static hid_t open_one(hid_t object, const char *name, H5T_class_t class) {
    const hid_t a = H5Aopen(object, name, H5P_DEFAULT);
    const hid_t type = a >= 0 ? H5Aget_type(a) : -1, space = a >= 0 ? H5Aget_space(a) : -1;
    const bool good =
        type >= 0 && space >= 0 && H5Tget_class(type) == class && H5Sget_simple_extent_npoints(space) == 1;
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    if (a >= 0 && !good) H5Aclose(a);
    return good ? a : -1;
}

bool trio_h5_read_attribute_text(hid_t object, const char *name, char *out, size_t room) {
    const hid_t a = open_one(object, name, H5T_STRING);
    if (a < 0) return false;
    const hid_t type = H5Aget_type(a);
    const size_t size = type >= 0 ? H5Tget_size(type) : 0;
    const bool good = size > 0 && size <= room && H5Tis_variable_str(type) == 0 && H5Aread(a, type, out) >= 0;
    if (good) out[size - 1] = '\0';
    if (type >= 0) H5Tclose(type);
    H5Aclose(a);
    return good;
}

static bool read_number(hid_t object, const char *name, H5T_class_t class, hid_t type, void *out) {
    const hid_t a = open_one(object, name, class);
    const bool good = a >= 0 && H5Aread(a, type, out) >= 0;
    if (a >= 0) H5Aclose(a);
    return good;
}

bool trio_h5_read_attribute_i64(hid_t object, const char *name, int64_t *out) {
    return read_number(object, name, H5T_INTEGER, H5T_NATIVE_INT64, out);
}

bool trio_h5_read_attribute_f64(hid_t object, const char *name, double *out) {
    return read_number(object, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, out);
}
