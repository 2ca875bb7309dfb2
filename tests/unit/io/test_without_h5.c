/* test_without_h5.c: a library built without HDF5 says so wherever a file of HDF5 would be written or read. */
#define _XOPEN_SOURCE 700
#include "check.h"
#include "folders.h"

#include <trundle/io.h>

TEST(tables_are_written_or_said_to_be_missing) {
    const double x = 1.0;
    const tru_column column = {"x", "m", NULL, &x};
    tru_error err;
    char path[300], wanted[400];
    snprintf(path, sizeof path, "%s.h5", folder_path("table"));
    remove(path);
    const tru_status s = tru_table_write(path, "a test", &column, 1, 1, &err);
    FILE *file = fopen(path, "rb");
    check((file != NULL) == tru_has_hdf5());
    if (file) fclose(file);
    remove(path);
    check_status(s, tru_has_hdf5() ? TRU_OK : TRU_REMARK);
    snprintf(wanted, sizeof wanted, "%s: is not written: this build of trundle has no HDF5", path);
    if (!tru_has_hdf5()) check_str(err.text, wanted);
}
