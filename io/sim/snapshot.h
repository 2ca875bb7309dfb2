/* snapshot.h: DIR/snapshot.tru: the world, the simulation around it, and lengths and check sums of the datasets of run.h5.
 * Layout (little-endian): "TRUSNAP2", length of the file (u64), scene hash (u64), stepper (text), the simulation, lengths,
 * the bytes of tru_snapshot_save, hash of all bytes before it (u64). */
#ifndef TRUNDLE_IO_SNAPSHOT_H
#define TRUNDLE_IO_SNAPSHOT_H

#include "sim.h"

#define SNAPSHOT_NAME "snapshot.tru"
#define RESULTS_NAME  "run.h5"
#define SUMMARY_NAME  "summary.json"

/* The tables of run.h5. */
typedef enum result_table {
    FRAME_TIME,
    FRAME_STEP,
    FRAME_POSITION,
    FRAME_ORIENTATION,
    FRAME_VELOCITY,
    FRAME_RATE,
    CONTACT_START,
    CONTACT_COUNT,
    CONTACT_RECORD,
    LEDGER,
    SOLVER,
    EVENTS,
    PROBE_TIME,
    PROBE_STEP,
    PROBE_VALUE,
    BODIES,
    SHAPES,
    CORNERS,
    RESULT_TABLES
} result_table;

/* Rows and check sum (table.sum) of every table when the snapshot was taken. */
struct sim_lengths {
    uint64_t rows[RESULT_TABLES], sums[RESULT_TABLES];
};

/* Writes a snapshot of a simulation. `wall` [s] is the wall time spent on it so far. */
tru_status trio_snapshot_write(const tru_sim *sim, uint64_t scene_hash, const struct sim_lengths *lengths, double wall,
                               const char *path, bool durable, tru_error *err);
/* Brings a new simulation to the state of a snapshot. Changes nothing if it fails. */
tru_status trio_snapshot_read(tru_sim *sim, uint64_t scene_hash, const char *path, tru_error *err);
/* Returns the check sum that stands at the end of the file. */
uint64_t trio_snapshot_hash(const unsigned char *bytes, size_t count);

#endif
