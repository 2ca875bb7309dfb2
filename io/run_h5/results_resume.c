/* results_resume.c: going on with a file of results: is it ours, is it whole, and its rows up to the snapshot.
 *
 * The old file is only read: its writer may have been killed, and HDF5 cannot be trusted to write into such a file. A
 * new one is made next to it and takes its place when it holds all that the snapshot knows of. */
#include "results_resume.h"

#include "h5_run.h"

#include "common/fail.h"
#include "results_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tru_status check_provenance(const tru_results *r, hid_t old, bool any_scene, tru_error *err) {
    char program[16] = "", hash[32] = "", mine[32], stepper[64] = "";
    int64_t format = 0;
    const hid_t g = H5Gopen2(old, "/provenance", H5P_DEFAULT);
    const bool good = g >= 0 && trio_h5_read_attribute_text(g, "program", program, sizeof program) &&
                      trio_h5_read_attribute_i64(g, "format", &format) &&
                      trio_h5_read_attribute_text(g, "scene_hash", hash, sizeof hash) &&
                      trio_h5_read_attribute_text(g, "stepper", stepper, sizeof stepper);
    if (g >= 0) H5Gclose(g);
    if (!good || strcmp(program, "trundle") != 0)
        return trio_fail(err, TRU_DAMAGED, "%s: is not a file of trundle's results", r->path);
    if (any_scene) return TRU_OK;
    if (format != RESULTS_FORMAT)
        return trio_fail(err, TRU_DAMAGED, "%s: format is %lld, must be %d for this version of trundle to resume it",
                         r->path, (long long)format, RESULTS_FORMAT);
    snprintf(mine, sizeof mine, "%016llx", (unsigned long long)(r->scene ? tru_scene_hash(r->scene) : 0));
    if (strcmp(hash, mine) != 0)
        return trio_fail(err, TRU_DAMAGED, "%s: belongs to another scene (hash %s, this one has %s)", r->path, hash,
                         mine);
    if (strcmp(stepper, r->sim->stepper) != 0)
        return trio_fail(err, TRU_DAMAGED, "%s: belongs to a run of stepper %s, not %s", r->path, stepper,
                         r->sim->stepper);
    return TRU_OK;
}

static bool nothing_recorded(const struct sim_lengths *l) {
    uint64_t rows = 0;
    for (int i = 0; i < RESULT_TABLES; i++) rows |= l->rows[i];
    return rows == 0;
}

/* Compares the tables of the new file with those of the old one, which must have the same type and enough rows. */
tru_status trio_results_check_old(const tru_results *r, hid_t old, tru_error *err) {
    const struct sim_lengths *l = r->sim->resumed;
    const tru_status s = check_provenance(r, old, nothing_recorded(l), err);
    if (s < 0) return s;
    for (int i = 0; i < RESULT_TABLES; i++) {
        const table *t = &r->tables[i];
        if (l->rows[i] > 0 && (t->set <= 0 || !trio_table_fits(old, t, l->rows[i])))
            return trio_fail(err, TRU_DAMAGED,
                             "%s: is damaged: %s does not have the %llu rows that the snapshot refers to", r->path,
                             t->set > 0 ? t->path : "a dataset", (unsigned long long)l->rows[i]);
    }
    return TRU_OK;
}

/* Reads the ids of the recorded bodies from the table of the new file. */
static tru_status read_ids(tru_results *r, tru_error *err) {
    const size_t count = r->tables[BODIES].rows;
    r->rows.ids = malloc((count + 1) * sizeof *r->rows.ids);
    if (!r->rows.ids) return trio_no_memory(err);
    r->rows.id_room = count + 1;
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(tru_id));
    H5Tinsert(type, "id", 0, H5T_NATIVE_UINT64);
    const bool good =
        count == 0 || H5Dread(r->tables[BODIES].set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, r->rows.ids) >= 0;
    H5Tclose(type);
    r->rows.id_count = good ? count : 0;
    return good ? TRU_OK : trio_results_failed(r, err);
}

tru_status trio_results_copy_old(tru_results *r, hid_t old, tru_error *err) {
    const struct sim_lengths *l = r->sim->resumed;
    for (int i = 0; i < RESULT_TABLES; i++) {
        table *t = &r->tables[i];
        if (l->rows[i] == 0) continue;
        const bool copied = trio_table_copy(old, t, l->rows[i]);
        if (r->failure) return trio_results_failed(r, err);
        if (!copied) return trio_fail(err, TRU_DAMAGED, "%s: is damaged: %s cannot be read", r->path, t->path);
        if (t->sum != l->sums[i])
            return trio_fail(err, TRU_DAMAGED, "%s: is damaged: %s does not match its checksum", r->path, t->path);
    }
    for (int i = 0; i < RESULT_TABLES; i++) r->rows.rows[i] = r->tables[i].rows;
    return read_ids(r, err);
}
