/* report_run.h: what the parts of a report share: a run that is read and packed. */
#ifndef TRUNDLE_IO_REPORT_RUN_H
#define TRUNDLE_IO_REPORT_RUN_H

#include "common/pack.h"
#include "rows/row_reader.h"

/* Limits of a report. If a run has more, the report keeps every k-th item and says so. */
enum {
    REPORT_BODY_FRAMES = 6000000, /* poses */
    REPORT_ROWS = 20000,          /* of probes, ledger, solver */
    REPORT_EVENTS = 20000,
    REPORT_CONTACTS = 100000,
    REPORT_SETS = 300, /* frames whose friction sets are drawn */
};

typedef struct report_run {
    reader r;
    pack pack;
    tru_json *json;          /* open object of the run */
    uint64_t frame_step;     /* the report keeps every frame_step-th frame */
    uint64_t frames;         /* that are kept */
    uint64_t contact_stride; /* the report keeps the contacts of every contact_stride-th of these frames */
} report_run;

#endif
