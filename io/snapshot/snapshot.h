/* snapshot.h: a simulation as bytes, in memory or in DIR/snapshot.tru: the world, the simulation around it, and lengths and
 * check sums of the tables of its results.
 * Layout (little-endian): "TRUSNAP3", length of the file (u64), scene hash (u64), stepper (text), the simulation, lengths,
 * the bytes of tru_snapshot_save, hash of all bytes before it (u64). */
#ifndef TRUNDLE_IO_SNAPSHOT_H
#define TRUNDLE_IO_SNAPSHOT_H

#include "rows/row_tables.h"
#include "sim/sim.h"

#define SNAPSHOT_NAME "snapshot.tru"
#define RESULTS_NAME  "run.h5"
#define SUMMARY_NAME  "summary.json"

/* Rows and check sum (table.sum) of every table when the snapshot was taken. */
struct sim_lengths {
    uint64_t rows[RESULT_TABLES], sums[RESULT_TABLES];
};

/* Writes the bytes of a snapshot into `room` bytes. `bytes` NULL: counts them only. Stores their number in *size.
 * `wall` [s] is the wall time spent on the simulation so far. */
tru_status trio_snapshot_save(const tru_sim *sim, uint64_t scene_hash, const struct sim_lengths *lengths, double wall,
                              void *bytes, size_t room, size_t *size, tru_error *err);
/* Brings a simulation to the state of the bytes of a snapshot. `name` stands for them in sentences. `lengths`: keeps the
 * lengths of tables for results that are resumed. Changes nothing if it fails. */
tru_status trio_snapshot_load(tru_sim *sim, uint64_t scene_hash, const void *bytes, size_t count, const char *name,
                              bool lengths, tru_error *err);
/* Writes a snapshot of a simulation to a file. */
tru_status trio_snapshot_write(const tru_sim *sim, uint64_t scene_hash, const struct sim_lengths *lengths, double wall,
                               const char *path, bool durable, tru_error *err);
/* Brings a new simulation to the state of a snapshot in a file. Changes nothing if it fails. */
tru_status trio_snapshot_read(tru_sim *sim, uint64_t scene_hash, const char *path, tru_error *err);
/* Returns the check sum that stands at the end of the bytes. */
uint64_t trio_snapshot_hash(const unsigned char *bytes, size_t count);

#endif
