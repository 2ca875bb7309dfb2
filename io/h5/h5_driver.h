/* h5_driver.h: a driver of HDF5 for files on a disk that may be full. */
#ifndef TRUNDLE_IO_H5_DRIVER_H
#define TRUNDLE_IO_H5_DRIVER_H

#include <hdf5.h>
#include <stdbool.h>

/* Its id, for H5FDunregister. */
hid_t trio_h5_driver(void);
/* Files opened with `access` use it; *failure (which must outlive them) becomes the errno of what failed first, and
 * nothing is written any more. */
bool trio_h5_use_driver(hid_t access, hid_t driver_id, int *failure);

#endif
