/* results_table.c: a dataset that grows by rows, written through a buffer, and copied from an older file. */
#include "results_table.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_CHUNK = 16384, MOST_CHUNK = 1 << 20, CHUNK_COLUMNS = 65536, BUFFER_BYTES = 65536 }; /* bytes */

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high) {
    return value < low ? low : value > high ? high : value;
}

/* Whole rows in a chunk, so few that a partly filled one is cheap to write again with every flush, but enough to stay
 * well below 8000 chunks: up to there the blocks of their index are smaller than a page, so that no kill can tear one
 * (see results_layout.c). Very wide rows are cut, so that a chunk fits into the chunk cache (1 MB). */
static void chunk_of(const table *t, double expected, hsize_t chunk[3]) {
    size_t bytes = H5Tget_size(t->type);
    for (int i = 1; i < t->rank; i++) {
        chunk[i] = i == 1 ? clamp(t->dims[1], 1, CHUNK_COLUMNS) : t->dims[i];
        bytes *= chunk[i];
    }
    const double rows = expected / 4000.0, most = (double)(MOST_CHUNK / bytes);
    chunk[0] = clamp(LEAST_CHUNK / bytes, 1, LEAST_CHUNK);
    if (rows > (double)chunk[0]) chunk[0] = clamp((uint64_t)(rows < most ? rows : most), chunk[0], MOST_CHUNK);
}

static bool add_attributes(const table *t, const table_def *def) {
    const bool unit = def->unit_count == 1 ? trio_h5_attribute_text(t->set, "unit", def->units[0])
                                           : trio_h5_attribute_texts(t->set, "unit", def->units, def->unit_count);
    return unit && trio_h5_attribute_text(t->set, "doc", def->doc);
}

bool trio_table_create(hid_t file, const table_def *def, table *t) {
    hsize_t dims[3] = {0}, most[3] = {H5S_UNLIMITED}, chunk[3];
    *t = (table){.path = def->path, .type = H5Tcopy(def->type), .rank = 1, .row_bytes = H5Tget_size(def->type)};
    for (int i = 0; i < 2 && def->shape[i] > 0; i++) {
        t->dims[t->rank] = dims[t->rank] = most[t->rank] = def->shape[i];
        t->row_bytes *= def->shape[i];
        t->rank++;
    }
    chunk_of(t, def->expected, chunk);
    const hid_t space = H5Screate_simple(t->rank, dims, most);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE), link = H5Pcreate(H5P_LINK_CREATE);
    bool good = H5Pset_chunk(create, t->rank, chunk) >= 0 && H5Pset_obj_track_times(create, false) >= 0 &&
                H5Pset_create_intermediate_group(link, 1) >= 0;
    if (def->fill) good = good && H5Pset_fill_value(create, t->type, def->fill) >= 0;
    t->set = good ? H5Dcreate2(file, def->path, t->type, space, link, create, H5P_DEFAULT) : -1;
    H5Sclose(space);
    H5Pclose(create);
    H5Pclose(link);
    t->room = clamp(BUFFER_BYTES / t->row_bytes, 1, 1024);
    t->buffer = malloc(t->room * t->row_bytes);
    return t->set >= 0 && t->buffer && add_attributes(t, def);
}

void trio_table_close(table *t) {
    if (t->set > 0) H5Dclose(t->set);
    if (t->type > 0) H5Tclose(t->type);
    free(t->buffer);
    *t = (table){0};
}

/* Returns the factor of element i of row r. It is odd, so that a changed element changes the sum. */
static uint64_t factor_of(uint64_t r, uint64_t i) {
    return ((r * UINT64_C(0x9e3779b97f4a7c15) + i * UINT64_C(0xd1342543de82ef95)) ^ (i << 7)) | 1;
}

/* Sums rows of numbers. NaN stands for missing values, also for columns that an older file does not have. */
static uint64_t sum_of_doubles(uint64_t r, size_t elements, const unsigned char *from) {
    uint64_t sum = 0;
    for (size_t i = 0; i < elements; i++) {
        uint64_t word;
        memcpy(&word, from + 8 * i, 8);
        sum += word << 1 > UINT64_C(0xffe0000000000000) ? 0 : (word + 1) * factor_of(r, i);
    }
    return sum;
}

static uint64_t sum_of_floats(uint64_t r, size_t elements, const unsigned char *from) {
    uint64_t sum = 0;
    for (size_t i = 0; i < elements; i++) {
        uint32_t word;
        memcpy(&word, from + 4 * i, 4);
        sum += (word & 0x7fffffff) > 0x7f800000 ? 0 : (word + UINT64_C(1)) * factor_of(r, i);
    }
    return sum;
}

/* A compound, by its words of four bytes or by its bytes. */
static uint64_t sum_of_words(uint64_t r, size_t elements, const unsigned char *from, bool bytes) {
    uint64_t sum = 0;
    for (size_t i = 0; i < elements; i++) {
        uint32_t word = from[bytes ? i : 4 * i];
        if (!bytes) memcpy(&word, from + 4 * i, 4);
        sum += (word + UINT64_C(1)) * factor_of(r, i);
    }
    return sum;
}

static uint64_t sum_of(const table *t, uint64_t at, uint64_t count, hsize_t columns, const void *bytes) {
    const bool numbers = t->rank > 1;
    const size_t element = numbers ? H5Tget_size(t->type) : t->row_bytes % 4 ? 1 : 4;
    const size_t elements = numbers ? columns * (t->rank > 2 ? t->dims[2] : 1) : t->row_bytes / element;
    const unsigned char *from = bytes;
    uint64_t sum = 0;
    for (uint64_t r = at; r < at + count; r++, from += elements * element)
        sum += !numbers       ? sum_of_words(r, elements, from, element == 1)
               : element == 8 ? sum_of_doubles(r, elements, from)
                              : sum_of_floats(r, elements, from);
    return sum;
}

/* `count` rows at row `at`, of which `columns` of the first dimension are given. */
static bool put(table *t, uint64_t at, uint64_t count, hsize_t columns, const void *bytes) {
    hsize_t size[3] = {at + count, t->dims[1], t->dims[2]}, first[3] = {at, 0, 0};
    hsize_t block[3] = {count, columns, t->dims[2]};
    if (count == 0) return true;
    if (H5Dset_extent(t->set, size) < 0) return false;
    if (t->rank > 1 && columns == 0) return true;
    const hid_t there = H5Dget_space(t->set), here = H5Screate_simple(t->rank, block, NULL);
    const bool good = H5Sselect_hyperslab(there, H5S_SELECT_SET, first, NULL, block, NULL) >= 0 &&
                      H5Dwrite(t->set, t->type, here, there, H5P_DEFAULT, bytes) >= 0;
    H5Sclose(there);
    H5Sclose(here);
    return good;
}

bool trio_table_write(table *t) {
    const bool good = put(t, t->rows - t->buffered, t->buffered, t->dims[1], t->buffer);
    if (good) t->buffered = 0;
    return good;
}

bool trio_table_push(table *t, const void *row) {
    if (t->buffered == t->room && !trio_table_write(t)) return false;
    memcpy(t->buffer + t->buffered * t->row_bytes, row, t->row_bytes);
    t->sum += sum_of(t, t->rows, 1, t->dims[1], row);
    t->buffered++;
    t->rows++;
    return true;
}

bool trio_table_append(table *t, const void *rows, uint64_t count) {
    if (!trio_table_write(t) || !put(t, t->rows, count, t->dims[1], rows)) return false;
    t->sum += sum_of(t, t->rows, count, t->dims[1], rows);
    t->rows += count;
    return true;
}

bool trio_table_append_part(table *t, const void *row, hsize_t columns) {
    if (!trio_table_write(t) || !put(t, t->rows, 1, columns, row)) return false;
    t->sum += sum_of(t, t->rows, 1, columns, row);
    t->rows++;
    return true;
}

/* ---- older files ---- */

/* Opens the dataset in an old file and reads its extent. Returns -1 if it does not exist. */
static hid_t open_old(hid_t old_file, const table *t, hsize_t size[3]) {
    const hid_t set = H5Dopen2(old_file, t->path, H5P_DEFAULT);
    if (set < 0) return -1;
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    bool good = type >= 0 && space >= 0 && H5Tequal(type, t->type) > 0;
    good = good && H5Sget_simple_extent_ndims(space) == t->rank;
    good = good && H5Sget_simple_extent_dims(space, size, NULL) == t->rank;
    for (int i = 2; good && i < t->rank; i++) good = size[i] == t->dims[i];
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    if (!good) H5Dclose(set);
    return good ? set : -1;
}

bool trio_table_fits(hid_t old_file, const table *t, uint64_t rows) {
    hsize_t size[3] = {0};
    const hid_t set = open_old(old_file, t, size);
    if (set >= 0) H5Dclose(set);
    return set >= 0 && size[0] >= rows;
}

/* Adds the first `rows` rows of a dataset like t, `columns` of its first dimension, to the sum of t. If `kept`, also
 * appends them. */
static bool take_rows(hid_t set, table *t, uint64_t rows, hsize_t columns, bool kept) {
    enum { BLOCK = 1 << 22 };
    const size_t row_bytes = t->rank > 1 ? t->row_bytes / t->dims[1] * columns : t->row_bytes;
    const uint64_t most = clamp(BLOCK / (row_bytes > 0 ? row_bytes : 1), 1, 65536);
    unsigned char *bytes = malloc(most * row_bytes + 1);
    const hid_t there = H5Dget_space(set);
    bool good = bytes && there >= 0;
    for (uint64_t at = 0; good && at < rows;) {
        const uint64_t count = rows - at < most ? rows - at : most;
        hsize_t first[3] = {at, 0, 0}, block[3] = {count, columns, t->dims[2]};
        const hid_t here = H5Screate_simple(t->rank, block, NULL);
        good = H5Sselect_hyperslab(there, H5S_SELECT_SET, first, NULL, block, NULL) >= 0 &&
               H5Dread(set, t->type, here, there, H5P_DEFAULT, bytes) >= 0 &&
               (!kept || put(t, at, count, columns, bytes));
        H5Sclose(here);
        if (good) t->sum += sum_of(t, at, count, columns, bytes);
        at += count;
    }
    if (there >= 0) H5Sclose(there);
    free(bytes);
    return good;
}

bool trio_table_copy(hid_t old_file, table *t, uint64_t rows) {
    hsize_t size[3] = {0};
    const hid_t set = open_old(old_file, t, size);
    if (set < 0) return false;
    const hsize_t columns = t->rank > 1 && size[1] < t->dims[1] ? size[1] : t->dims[1];
    const bool good = size[0] >= rows && take_rows(set, t, rows, columns, true);
    if (good) t->rows = rows;
    H5Dclose(set);
    return good;
}

bool trio_table_holds(hid_t file, const char *path, uint64_t rows, uint64_t sum) {
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    if (set < 0) return false;
    const hid_t space = H5Dget_space(set);
    table t = {.path = path, .type = H5Dget_type(set)};
    t.rank = H5Sget_simple_extent_ndims(space);
    bool good = t.rank >= 1 && t.rank <= 3 && t.type >= 0 && H5Sget_simple_extent_dims(space, t.dims, NULL) == t.rank;
    t.row_bytes = good ? H5Tget_size(t.type) : 0;
    for (int i = 1; i < t.rank; i++) t.row_bytes *= t.dims[i];
    good =
        good && t.dims[0] >= rows && (t.row_bytes == 0 || take_rows(set, &t, rows, t.dims[1], false)) && t.sum == sum;
    if (t.type >= 0) H5Tclose(t.type);
    if (space >= 0) H5Sclose(space);
    H5Dclose(set);
    return good;
}
