/* reader.h: DIR/run.h5 read back, also while it is being written: how much is there, and rows of its tables. */
#ifndef TRUNDLE_IO_READER_H
#define TRUNDLE_IO_READER_H

#include "run_file.h"

typedef struct reader {
    char *path;          /* of run.h5 */
    char *summary;       /* text of summary.json, "" while there is none */
    char *scene;         /* resolved text */
    hid_t file;          /* */
    uint64_t frames;     /* whole ones */
    uint64_t rows;       /* of probes, ledger and solver: the shortest */
    uint64_t events;     /* */
    bool contacts;       /* recorded with the frames */
    size_t bodies;       /* rows of `body`; the columns of the frames may be more */
    size_t shapes;       /* */
    size_t probes;       /* */
    body_row *body;      /* */
    shape_row *shape;    /* */
    size_t corners;      /* rows of `corner` */
    corner_row *corner;  /* */
    char **name, **unit; /* of the probes */
    char stepper[64], scene_name[200], version[32], date[40], scene_hash[32];
    char *command; /* the one that ran */
    double step;   /* [s] */
    int64_t threads, resumes;
} reader;

/* A folder of results. TRU_FILE: it cannot be opened; TRU_DAMAGED: what is there is foreign or damaged. */
tru_status trio_reader_open(const char *dir, reader *r, tru_error *err);
void trio_reader_close(reader *r);

/* Kinds of events that the scene asked not to write, "touch, lift"; false: none. */
bool trio_reader_left_out(const reader *r, char *names, size_t room);

/* The triangles of a hull; false: its rows are damaged. */
bool trio_reader_mesh(const reader *r, const shape_row *s, tru_mesh *out);

/* Rows first, first + stride, ... (count of them) of a table: structs of results.h, float64 for frames and probes,
 * uint64 for steps and numbers of contacts. Of frames only the columns of known bodies. */
tru_status trio_reader_read(const reader *r, result_table which, uint64_t first, uint64_t stride, uint64_t count,
                            void *out, tru_error *err);
/* The same into memory of its own, for free(). */
tru_status trio_reader_take(const reader *r, result_table which, uint64_t first, uint64_t stride, uint64_t count,
                            void *out, tru_error *err);
/* Bytes of such a row in memory. */
size_t trio_reader_row_bytes(const reader *r, result_table which);
/* The largest stride with which at most `most` of `rows` remain, 1 if they all do; and how many remain then. */
uint64_t trio_reader_stride(uint64_t rows, uint64_t most);
uint64_t trio_reader_kept(uint64_t rows, uint64_t stride);

#endif
