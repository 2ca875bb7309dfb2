/* h5_driver.h: an HDF5 file driver that survives a full disk. */
#ifndef TRUNDLE_IO_H5_DRIVER_H
#define TRUNDLE_IO_H5_DRIVER_H

#include <hdf5.h>
#include <stdbool.h>

/* Returns the id of the driver. The caller passes it to H5FDunregister. */
hid_t trio_h5_driver(void);
/* Makes files that are opened with `access` use the driver. After the first failure *failure holds its errno, and nothing
 * is written any more. `failure` must outlive the files. */
bool trio_h5_use_driver(hid_t access, hid_t driver_id, int *failure);

#endif
