/* row_tables.c: names and sizes of the tables of a run. */
#include "row_tables.h"

static const struct layout {
    const char *path;
    size_t bytes;   /* of a row; 0: depends on the run */
    size_t numbers; /* per body, of frames */
} layouts[RESULT_TABLES] = {
    [FRAME_TIME] = {"/frames/time", sizeof(double), 0},
    [FRAME_STEP] = {"/frames/step", sizeof(uint64_t), 0},
    [FRAME_POSITION] = {"/frames/position", 0, 3},
    [FRAME_ORIENTATION] = {"/frames/orientation", 0, 4},
    [FRAME_VELOCITY] = {"/frames/velocity", 0, 3},
    [FRAME_RATE] = {"/frames/angular_velocity", 0, 3},
    [CONTACT_START] = {"/contacts/start", sizeof(uint64_t), 0},
    [CONTACT_COUNT] = {"/contacts/count", sizeof(uint64_t), 0},
    [CONTACT_RECORD] = {"/contacts/record", sizeof(contact_row), 0},
    [LEDGER] = {"/ledger", sizeof(ledger_row), 0},
    [SOLVER] = {"/solver", sizeof(solver_row), 0},
    [EVENTS] = {"/events", sizeof(event_row), 0},
    [PROBE_TIME] = {"/probes/time", sizeof(double), 0},
    [PROBE_STEP] = {"/probes/step", sizeof(uint64_t), 0},
    [PROBE_VALUE] = {"/probes/value", 0, 0},
    [BODIES] = {"/bodies/body", sizeof(body_row), 0},
    [SHAPES] = {"/bodies/shape", sizeof(shape_row), 0},
    [CORNERS] = {"/bodies/corner", sizeof(corner_row), 0},
};

const char *trio_results_path(result_table which) { return layouts[which].path; }
size_t trio_rows_bytes(result_table which) { return layouts[which].bytes; }
size_t trio_rows_frame_numbers(result_table which) { return layouts[which].numbers; }
