/* csv_file.h: a CSV file of a run that is written again and again: lines of earlier runs, then those of a recording. */
#ifndef TRUNDLE_IO_CSV_FILE_H
#define TRUNDLE_IO_CSV_FILE_H

#include <trundle/trundle.h>

typedef struct csv_file {
    char *path, *part; /* part: what the export of the recording writes */
    char *kept;        /* text of earlier runs, its head included; "": none */
    uint64_t kept_rows;
    uint64_t rows, sum; /* of what was written last: lines below the head, check sum of all */
} csv_file;

/* Stores the paths DIR/NAME and PART/NAME. Returns false if memory ran out. */
bool trio_csv_name(csv_file *f, const char *dir, const char *part, const char *name);
/* Keeps the first `rows` lines of the file below its head. Returns TRU_DAMAGED if it has fewer, or if their check sum is
 * not `sum`. */
tru_status trio_csv_keep(csv_file *f, uint64_t rows, uint64_t sum, tru_error *err);
/* Replaces the file by what is kept and the lines of `part`, and removes `part`. */
tru_status trio_csv_replace(csv_file *f, bool durable, tru_error *err);
void trio_csv_release(csv_file *f);

#endif
