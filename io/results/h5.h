/* h5.h: the few things around HDF5 that every file of results needs: silence, attributes, types. */
#ifndef TRUNDLE_IO_H5_H
#define TRUNDLE_IO_H5_H

#include <trundle/trundle.h>

#include <hdf5.h>

/* HDF5 prints its errors unless told otherwise; every public function silences it and gives the caller's setting back.
 */
typedef struct h5_quiet {
    H5E_auto2_t function;
    void *data;
} h5_quiet;
h5_quiet h5_silence(void);
void h5_restore(h5_quiet before);

hid_t h5_text_type(size_t bytes);
bool h5_attribute_text(hid_t object, const char *name, const char *text);
bool h5_attribute_texts(hid_t object, const char *name, const char *const *texts, size_t count);
bool h5_attribute_i64(hid_t object, const char *name, int64_t value);
bool h5_attribute_f64(hid_t object, const char *name, double value);
/* False if there is no such attribute, or not one of this kind. */
bool h5_read_attribute_text(hid_t object, const char *name, char *out, size_t room);
bool h5_read_attribute_i64(hid_t object, const char *name, int64_t *out);

#endif
