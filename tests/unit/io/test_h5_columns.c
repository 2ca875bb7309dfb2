/* test_h5_columns.c: columns come back from an HDF5 table bit by bit, with units; places that cannot be written are said. */
#define _DEFAULT_SOURCE
#include "check.h"

#include <trundle/io.h>

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void read_text(hid_t object, const char *name, char *out, size_t room) {
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute);
    check(H5Tget_size(type) <= room && H5Aread(attribute, type, out) >= 0);
    H5Tclose(type);
    H5Aclose(attribute);
}

TEST(columns_come_back) {
    const double x[] = {0.1, -0.0, 1e300, NAN}, class[] = {0, 1, 1, 0};
    const tru_column columns[] = {{"laws/rim.slide", "m/s", NULL, x}, {"class", "-", "rest|flat", class}};
    double back[4];
    char text[40], path[60];
    tru_error err;
    snprintf(path, sizeof path, "table-%d.h5", (int)getpid());
    check_status(tru_table_write(path, "a test", columns, 2, 4, &err), TRU_OK);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, "laws_rim.slide", H5P_DEFAULT);
    check(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) >= 0);
    check(memcmp(back, x, sizeof x) == 0);
    read_text(set, "unit", text, sizeof text);
    check_str(text, "m/s");
    H5Dclose(set);
    const hid_t words = H5Dopen2(file, "class", H5P_DEFAULT);
    read_text(words, "words", text, sizeof text);
    check_str(text, "rest|flat");
    H5Dclose(words);
    read_text(file, "about", text, sizeof text);
    check_str(text, "a test");
    H5Fclose(file);
    remove(path);
}

TEST(places_that_cannot_be_written) {
    const tru_column twice[] = {{"x", "m", NULL, &(double){1.0}}, {"x", "m", NULL, &(double){2.0}}};
    tru_error err;
    check_status(tru_table_write("no/such/folder/table.h5", "", twice, 1, 1, &err), TRU_FILE);
    check(strstr(err.text, "cannot write no/such/folder/table.h5") == err.text);
    check_status(tru_table_write("twice.h5", "", twice, 2, 1, &err), TRU_FILE);
    check(access("twice.h5", F_OK) != 0 && access("twice.h5.new", F_OK) != 0);
}
