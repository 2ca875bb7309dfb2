/* report_run.h: what the parts of a report share: a run that is read and packed. */
#ifndef TRUNDLE_IO_REPORT_RUN_H
#define TRUNDLE_IO_REPORT_RUN_H

#include "common/pack.h"
#include "results/reader.h"

/* What a report keeps at most: beyond it every k-th is kept, and the report says so. */
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
    uint64_t frame_step;     /* every so-many-th frame is kept */
    uint64_t frames;         /* that are kept */
    uint64_t contact_stride; /* contacts are kept of every so-many-th of those */
} report_run;

#endif
