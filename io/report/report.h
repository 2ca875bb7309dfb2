/* report.h: what the parts of a report share: a run that is read and packed. */
#ifndef TRUNDLE_IO_REPORT_H
#define TRUNDLE_IO_REPORT_H

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

/* ---- report_frames.c: poses, quantised; contacts */

tru_status trio_report_frames(report_run *run, tru_error *err);
tru_status trio_report_contacts(report_run *run, tru_error *err);

/* ---- report_run_summary.c: what happened, in words, as far as the file tells it */

tru_status trio_report_run_summary(report_run *run, tru_error *err);

/* ---- report_sets.c: the boundary of what friction can do at the recorded contacts */

tru_status trio_report_sets(report_run *run, tru_error *err);

#endif
