/* export_job.h: what the exporters share: a run that is read, a file that is written, numbers in any locale. */
#ifndef TRUNDLE_IO_EXPORT_JOB_H
#define TRUNDLE_IO_EXPORT_JOB_H

#include "rows/row_reader.h"

#include <stdio.h>

typedef struct export_job {
    reader r;
    const char *out;       /* folder */
    double *x, *q, *v, *w; /* of one frame: position, orientation, velocity, angular velocity */
    double time;           /* [s] of that frame */
    size_t files;          /* written */
} export_job;

/* Reads a frame into the job. */
tru_status trio_export_frame(export_job *job, uint64_t frame, tru_error *err);
/* Reads the contacts of a frame, which the caller frees. *count is 0 if they were not recorded. */
tru_status trio_export_contacts(const export_job *job, uint64_t frame, contact_row **rows, uint64_t *count,
                                tru_error *err);
/* Opens a file of the folder for writing. Returns TRU_FILE or TRU_NO_MEMORY, with *file NULL, if it fails. */
tru_status trio_export_open(export_job *job, const char *name, FILE **file, tru_error *err);
/* Closes a file whose rows were written with status `so_far`. Returns `so_far`, or TRU_FILE if a part of it was not written. Removes a
 * file that is not whole. */
tru_status trio_export_close(export_job *job, FILE *file, const char *name, tru_status so_far, tru_error *err);
/* Writes a number with the fewest digits that read back to the same bits. Writes nothing if it is not finite. */
void trio_export_number(FILE *file, double x);
/* Returns true if this body exists in the frame that was read. */
bool trio_export_there(const export_job *job, size_t body);

#endif
