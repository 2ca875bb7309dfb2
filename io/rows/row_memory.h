/* row_memory.h: the rows of a run in memory. */
#ifndef TRUNDLE_IO_ROW_MEMORY_H
#define TRUNDLE_IO_ROW_MEMORY_H

#include "row_reader.h"

typedef struct row_bytes {
    unsigned char *bytes;
    size_t count, room; /* in bytes */
    uint64_t rows;
} row_bytes;

typedef struct row_memory {
    row_bytes tables[RESULT_TABLES];
    bool frames_double;   /* frames are kept in float64, otherwise in float32, as in run.h5 */
    bool contacts;        /* are recorded */
    size_t *frame_bodies; /* bodies before each frame, in all earlier ones together; one more entry than frames */
    size_t frame_room;
} row_memory;

/* Appends rows as row_sink does. Returns false if memory ran out. */
bool trio_memory_append(row_memory *m, result_table which, const void *rows, uint64_t count, size_t columns);
void trio_memory_release(row_memory *m);
/* The source of readers whose `memory` is a row_memory. */
extern const row_source trio_memory_source;
/* The same of readers that own it: closing them frees it, also the row_memory itself. */
extern const row_source trio_owned_memory_source;

#endif
