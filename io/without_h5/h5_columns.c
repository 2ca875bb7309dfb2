/* h5_columns.c: what takes the place of io/h5/h5_columns.c in a library that is built without HDF5. */
#include "common/fail.h"

#include <trundle/io.h>

bool tru_has_hdf5(void) { return false; }

tru_status tru_table_write(const char *path, const char *about, const tru_column *columns, size_t count, size_t rows,
                           tru_error *err) {
    (void)about, (void)columns, (void)count, (void)rows;
    return trio_fail(err, TRU_REMARK, "%s: is not written: this build of trundle has no HDF5", path);
}
