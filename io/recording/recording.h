/* recording.h: the rows of a running simulation in memory, and a reader of them. */
#ifndef TRUNDLE_IO_RECORDING_H
#define TRUNDLE_IO_RECORDING_H

#include "rows/row_memory.h"
#include "rows/row_writer.h"

struct tru_recording {
    row_writer rows;
    row_memory memory;
    tru_sim *sim;
    const tru_scene *scene; /* NULL: none */
    char *summary;          /* text of summary.json, "" before the end */
    char date[40];          /* of the start */
};

/* Begins a recording as tru_recording_begin does. `first`: records the present state; false after a resume, whose results
 * have it. `frames`: records frames and contacts where the plan has them. */
tru_status trio_recording_begin(tru_sim *sim, const tru_scene *scene, bool first, bool frames, tru_recording **out,
                                tru_error *err);
/* Opens a reader of what was recorded so far. The caller calls trio_reader_close. */
tru_status trio_recording_read(const tru_recording *recording, reader *r, tru_error *err);

#endif
