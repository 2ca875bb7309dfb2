/* h5.h: helpers for HDF5: no printing of errors, attributes, types. */
#ifndef TRUNDLE_IO_H5_H
#define TRUNDLE_IO_H5_H

#include <trundle/trundle.h>

#include <hdf5.h>

/* Stops HDF5 from printing its errors, and restores the caller's setting. Every public function that uses HDF5 calls both. */
typedef struct h5_quiet {
    H5E_auto2_t function;
    void *data;
} h5_quiet;
h5_quiet trio_h5_silence(void);
void trio_h5_restore(h5_quiet before);

hid_t trio_h5_text_type(size_t bytes);
bool trio_h5_attribute_text(hid_t object, const char *name, const char *text);
bool trio_h5_attribute_texts(hid_t object, const char *name, const char *const *texts, size_t count);
bool trio_h5_attribute_i64(hid_t object, const char *name, int64_t value);
bool trio_h5_attribute_f64(hid_t object, const char *name, double value);
/* Read an attribute of one element. Return false if it does not exist, has another number of elements or another type. */
bool trio_h5_read_attribute_text(hid_t object, const char *name, char *out, size_t room);
bool trio_h5_read_attribute_i64(hid_t object, const char *name, int64_t *out);
bool trio_h5_read_attribute_f64(hid_t object, const char *name, double *out);

#endif
