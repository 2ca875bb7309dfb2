/* row_reader.h: reads the rows of a run from whatever holds them: memory, run.h5, CSV. */
#ifndef TRUNDLE_IO_ROW_READER_H
#define TRUNDLE_IO_ROW_READER_H

#include "row_tables.h"

typedef struct reader reader;

/* What holds the rows. */
typedef struct row_source {
    /* Returns the number of rows of a table; 0 if it does not exist. */
    uint64_t (*rows)(const reader *r, result_table which);
    /* Reads rows as trio_reader_read does. Returns false if they are not there. `count` is above 0. */
    bool (*read)(const reader *r, result_table which, uint64_t first, uint64_t stride, uint64_t count, void *out);
    void (*close)(reader *r);
} row_source;

struct reader {
    const row_source *source;
    const void *memory;  /* of a source in memory */
    int64_t file;        /* of a source in a file */
    char *path;          /* names the run in sentences */
    char *summary;       /* text of summary.json, "" while there is none */
    char *scene;         /* resolved text */
    uint64_t frames;     /* whole ones */
    uint64_t rows;       /* of probes, ledger and solver: the shortest */
    uint64_t events;     /* */
    bool contacts;       /* recorded with the frames */
    bool from_csv;       /* which has no frames */
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
};

/* Reads the bodies and counts the rows of a reader that has its source, its texts and its probes. */
tru_status trio_reader_start(reader *r, tru_error *err);
void trio_reader_close(reader *r);
/* Returns TRU_DAMAGED with a sentence that names what cannot be read. */
tru_status trio_reader_damaged(const reader *r, const char *what, tru_error *err);

/* Writes the kinds of events that the scene excludes from the results, "touch, lift". Returns false if there are none. */
bool trio_reader_left_out(const reader *r, char *names, size_t room);

/* Builds the triangles of a hull. Returns false if its rows are damaged. */
bool trio_reader_mesh(const reader *r, const shape_row *s, tru_mesh *out);

/* Reads `count` rows of a table: first, first + stride, ... They are structs of row_tables.h, float64 for frames and probes,
 * uint64 for steps and numbers of contacts. Of frames it reads the columns of known bodies only. */
tru_status trio_reader_read(const reader *r, result_table which, uint64_t first, uint64_t stride, uint64_t count,
                            void *out, tru_error *err);
/* Reads the same rows into memory that the caller frees. */
tru_status trio_reader_take(const reader *r, result_table which, uint64_t first, uint64_t stride, uint64_t count,
                            void *out, tru_error *err);
/* Returns the size of such a row in memory [bytes]. */
size_t trio_reader_row_bytes(const reader *r, result_table which);
/* Returns the smallest stride that leaves at most `most` of `rows`, and how many rows remain. */
uint64_t trio_reader_stride(uint64_t rows, uint64_t most);
uint64_t trio_reader_kept(uint64_t rows, uint64_t stride);

#endif
