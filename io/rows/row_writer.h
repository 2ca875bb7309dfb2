/* row_writer.h: writes the state of a simulation as rows of the tables of a run, to memory or a file. */
#ifndef TRUNDLE_IO_ROW_WRITER_H
#define TRUNDLE_IO_ROW_WRITER_H

#include "row_tables.h"
#include "sim/sim.h"

/* Where rows go. */
typedef struct row_sink {
    /* Appends `count` rows. Of a frame and of probes a row has `columns` bodies or probes; otherwise `columns` is 0. */
    bool (*append)(void *to, result_table which, const void *rows, uint64_t count, size_t columns);
    /* Returns a status and a sentence after append has returned false. */
    tru_status (*failed)(const void *to, tru_error *err);
    void *to;
    const char *name; /* of the results in sentences */
} row_sink;

typedef struct row_writer {
    tru_sim *sim;
    row_sink sink;
    uint64_t rows[RESULT_TABLES];  /* so far */
    uint64_t next_frame, next_row; /* steps; UINT64_MAX: never */
    tru_id *ids;                   /* of every row of BODIES, ascending */
    size_t id_count, id_room;
    size_t capacity; /* largest number of bodies in the run */
    void *frame;     /* buffer for a frame of 4 numbers per body */
    contact_row *contacts;
    size_t contact_room;
    double *values;      /* of the probes */
    bool without_frames; /* frames and contacts are left out */
    bool fresh;          /* rows were written since this was cleared */
} row_writer;

/* Prepares a writer for up to `capacity` bodies. Returns false if memory ran out. */
bool trio_rows_begin(row_writer *w, tru_sim *sim, row_sink sink, size_t capacity);
void trio_rows_release(row_writer *w);
/* Plans the next frame and row after the present step. */
void trio_rows_plan(row_writer *w);
/* Writes new bodies, events, and a frame and a row if asked. */
tru_status trio_rows_record(row_writer *w, bool frame, bool row, tru_error *err);
/* Writes what is due at the present step. Stores in *frame whether a frame was. */
tru_status trio_rows_step(row_writer *w, bool *frame, tru_error *err);
/* Writes the last state even if no row or frame is due. */
tru_status trio_rows_last(row_writer *w, tru_error *err);

#endif
