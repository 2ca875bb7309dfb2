/* results_table.h: a dataset that grows by rows, written through a buffer. */
#ifndef TRUNDLE_IO_RESULTS_TABLE_H
#define TRUNDLE_IO_RESULTS_TABLE_H

#include "h5/h5.h"

/* A row is `row_bytes` of memory whose layout is `type` times the row's shape; the file holds the same. */
typedef struct table {
    hid_t set, type;
    const char *path; /* in the file; a constant */
    int rank;         /* of the dataset: 1 + that of a row */
    hsize_t dims[3];  /* [0] unused, then the shape of a row */
    size_t row_bytes;
    uint64_t rows; /* pushed so far, those in the buffer included */
    uint64_t sum;  /* check sum of these rows */
    unsigned char *buffer;
    size_t buffered, room; /* in rows */
} table;

/* Definition of a table; shape {0} for plain rows. */
typedef struct table_def {
    const char *path;
    hid_t type;       /* copied */
    hsize_t shape[2]; /* of a row, up to the first 0 */
    const char *doc;
    const char *const *units; /* one, or one per member of a compound type */
    size_t unit_count;
    const void *fill; /* value of what is never written; NULL: zero */
    double expected;  /* expected number of rows, for the size of chunks */
} table_def;

bool trio_table_create(hid_t file, const table_def *def, table *out);
/* Adds one row. The buffer is written when it is full. */
bool trio_table_push(table *t, const void *row);
/* Appends `count` rows at once after the buffered ones. */
bool trio_table_append(table *t, const void *rows, uint64_t count);
/* Appends a row with the first `columns` columns only; the others keep the fill value. */
bool trio_table_append_part(table *t, const void *row, hsize_t columns);
/* Writes the buffer to the dataset. */
bool trio_table_write(table *t);
void trio_table_close(table *t);

/* Returns true if the old file has this table with the same type and shape and at least `rows` rows. */
bool trio_table_fits(hid_t old_file, const table *t, uint64_t rows);
/* Appends the first `rows` rows of the same table of an old file. The check sum shows whether they are undamaged. */
bool trio_table_copy(hid_t old_file, table *t, uint64_t rows);
/* Returns true if the first `rows` rows of a dataset have this check sum. */
bool trio_table_holds(hid_t file, const char *path, uint64_t rows, uint64_t sum);

#endif
