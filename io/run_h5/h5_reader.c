/* h5_reader.c: reads DIR/run.h5, also while a run writes it: number of rows, and rows of its tables. */
#include "h5_reader.h"

#include "common/fail.h"
#include "common/file.h"
#include "h5_scene.h"
#include "results_layout.h"
#include "snapshot/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- how much is there ---- */

/* Returns the rows of a table; 0 if the table does not exist. */
static uint64_t rows_of(const reader *r, result_table which) {
    hsize_t dims[3] = {0, 0, 0};
    const h5_quiet quiet = trio_h5_silence();
    const hid_t set = H5Dopen2(r->file, trio_results_path(which), H5P_DEFAULT);
    const hid_t space = set >= 0 ? H5Dget_space(set) : -1;
    if (space >= 0 && H5Sget_simple_extent_ndims(space) <= 3) H5Sget_simple_extent_dims(space, dims, NULL);
    if (space >= 0) H5Sclose(space);
    if (set >= 0) H5Dclose(set);
    trio_h5_restore(quiet);
    return dims[0];
}

/* ---- rows ---- */

static bool is_frame(result_table which) { return which >= FRAME_POSITION && which <= FRAME_RATE; }

static hid_t memory_type(result_table which) {
    const hid_t type = trio_results_row_type(which);
    if (type >= 0) return type;
    const bool whole = which == FRAME_STEP || which == CONTACT_START || which == CONTACT_COUNT || which == PROBE_STEP;
    return H5Tcopy(whole ? H5T_NATIVE_UINT64 : H5T_NATIVE_DOUBLE);
}

/* Selects the requested part of a table in `space`. Returns the rank of the table; 0 if its type or shape is wrong. */
static int choose(const reader *r, result_table which, hid_t space, const hsize_t start, const hsize_t stride,
                  hsize_t count[3]) {
    hsize_t dims[3] = {0, 0, 0};
    const hsize_t from[3] = {start, 0, 0}, every[3] = {stride, 1, 1};
    const int rank = H5Sget_simple_extent_ndims(space), wanted = is_frame(which) ? 3 : which == PROBE_VALUE ? 2 : 1;
    if (rank != wanted || H5Sget_simple_extent_dims(space, dims, NULL) < 0) return 0;
    if (start + (count[0] - 1) * stride >= dims[0]) return 0;
    count[1] = is_frame(which) ? r->bodies : r->probes;
    count[2] = (hsize_t)trio_rows_frame_numbers(which);
    if ((rank > 1 && dims[1] < count[1]) || (rank > 2 && dims[2] != count[2])) return 0;
    return H5Sselect_hyperslab(space, H5S_SELECT_SET, from, every, count, NULL) >= 0 ? rank : 0;
}

static bool read_rows(const reader *r, result_table which, uint64_t first, uint64_t stride, uint64_t count, void *out) {
    hsize_t size[3] = {count, 0, 0};
    const h5_quiet quiet = trio_h5_silence();
    const hid_t set = H5Dopen2(r->file, trio_results_path(which), H5P_DEFAULT);
    const hid_t space = set >= 0 ? H5Dget_space(set) : -1, type = memory_type(which);
    const int rank = space >= 0 ? choose(r, which, space, first, stride, size) : 0;
    const hid_t memory = rank > 0 ? H5Screate_simple(rank, size, NULL) : -1;
    const bool good = memory >= 0 && H5Dread(set, type, memory, space, H5P_DEFAULT, out) >= 0;
    if (memory >= 0) H5Sclose(memory);
    H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    if (set >= 0) H5Dclose(set);
    trio_h5_restore(quiet);
    return good;
}

/* ---- texts ---- */

/* Reads the texts of a dataset, each ending in a zero, one after the other, `size` bytes each. NULL: there are none. */
static tru_status read_texts(const reader *r, const char *path, char **texts, size_t *count, size_t *size,
                             tru_error *err) {
    *texts = NULL;
    *count = *size = 0;
    const hid_t set = H5Dopen2(r->file, path, H5P_DEFAULT);
    if (set < 0) return TRU_OK;
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    const bool fixed = H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type) && points > 0 && points < 100000;
    *size = fixed ? H5Tget_size(type) : 0;
    *count = fixed ? (size_t)points : 0;
    char *all = fixed ? calloc(*count + 1, *size) : NULL;
    const tru_status s = fixed && !all ? trio_no_memory(err) : TRU_OK;
    if (all && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) < 0) {
        free(all);
        all = NULL;
    }
    for (size_t i = 0; all && i < *count; i++) all[(i + 1) * *size - 1] = '\0';
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    *texts = all;
    return s;
}

/* Reads texts into one block: pointers, and behind them the texts. NULL: there are none. */
static tru_status read_list(const reader *r, const char *path, char ***list, size_t *count, tru_error *err) {
    size_t size = 0;
    char *all = NULL;
    *list = NULL;
    tru_status s = read_texts(r, path, &all, count, &size, err);
    if (all) *list = malloc(*count * (sizeof **list + size));
    if (all && !*list) s = trio_no_memory(err);
    for (size_t i = 0; *list && i < *count; i++) {
        (*list)[i] = (char *)(*list + *count) + i * size;
        memcpy((*list)[i], all + i * size, size);
    }
    free(all);
    return s;
}

static tru_status read_probes(reader *r, tru_error *err) {
    size_t units = 0;
    tru_status s = read_list(r, "/probes/name", &r->name, &r->probes, err);
    if (s >= 0) s = read_list(r, "/probes/unit", &r->unit, &units, err);
    if (!r->name || !r->unit || units != r->probes) r->probes = 0;
    return s;
}

static tru_status read_provenance(reader *r, tru_error *err) {
    char program[16] = "", *command = calloc(1, 65536);
    const hid_t g = H5Gopen2(r->file, "/provenance", H5P_DEFAULT);
    bool good = command && g >= 0 && trio_h5_read_attribute_text(g, "program", program, sizeof program) &&
                strcmp(program, "trundle") == 0 && trio_h5_read_attribute_f64(g, "step", &r->step) &&
                trio_h5_read_attribute_text(g, "stepper", r->stepper, sizeof r->stepper) &&
                trio_h5_read_attribute_text(g, "scene_name", r->scene_name, sizeof r->scene_name) &&
                trio_h5_read_attribute_text(g, "version", r->version, sizeof r->version) &&
                trio_h5_read_attribute_text(g, "scene_hash", r->scene_hash, sizeof r->scene_hash) &&
                trio_h5_read_attribute_text(g, "date", r->date, sizeof r->date) &&
                trio_h5_read_attribute_i64(g, "threads", &r->threads) &&
                trio_h5_read_attribute_i64(g, "resumes", &r->resumes);
    if (good && !trio_h5_read_attribute_text(g, "command", command, 65536)) *command = '\0';
    if (g >= 0) H5Gclose(g);
    r->command = command;
    if (!command) return trio_no_memory(err);
    return good ? TRU_OK : trio_fail(err, TRU_DAMAGED, "%s: is not a file of trundle's results", r->path);
}

static tru_status read_texts_around(reader *r, const char *dir, tru_error *err) {
    size_t count, size;
    unsigned char *text = NULL;
    const tru_status s = read_texts(r, "/scene", &r->scene, &count, &size, err);
    if (s < 0) return s;
    if (!r->scene) return trio_reader_damaged(r, "/scene", err);
    char *path = trio_file_join(dir, SUMMARY_NAME);
    if (!path) return trio_no_memory(err);
    if (trio_file_exists(path)) trio_file_read(path, &text, &size, NULL);
    free(path);
    r->summary = text ? (char *)text : calloc(1, 1);
    return r->summary ? TRU_OK : trio_no_memory(err);
}

/* ---- opening ---- */

static tru_status open_file(reader *r, tru_error *err) {
    FILE *there = fopen(r->path, "rb");
    if (!there) return trio_fail_file(err, r->path, "cannot be opened", errno);
    fclose(there);
    r->file = trio_results_open(r->path);
    return r->file >= 0 ? TRU_OK : trio_fail(err, TRU_DAMAGED, "%s: is not an HDF5 file, or is damaged", r->path);
}

/* Bytes that the rows of a dataset take, and those that the file stores of it. False if it cannot be told. */
static bool sizes_of(hid_t set, uint64_t *claimed, uint64_t *stored) {
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    const hssize_t points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    const size_t bytes = type >= 0 ? H5Tget_size(type) : 0;
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    const bool good = points >= 0 && bytes > 0 && (uint64_t)points <= UINT64_MAX / bytes;
    *claimed = good ? (uint64_t)points * bytes : 0;
    *stored = H5Dget_storage_size(set);
    return good;
}

/* Refuses a table whose rows are not in the file. The writer never compresses, so only a forged file claims more than it
 * stores; HDF5 would invent the missing rows, without end. Frames are exempt: the writer leaves out those without bodies. */
static tru_status check_stored(const reader *r, result_table which, tru_error *err) {
    uint64_t claimed = 0, stored = 0;
    if (is_frame(which) || H5Lexists(r->file, trio_results_path(which), H5P_DEFAULT) <= 0) return TRU_OK;
    const hid_t set = H5Dopen2(r->file, trio_results_path(which), H5P_DEFAULT);
    if (set < 0) return TRU_OK; /* the read that needs it fails with its name */
    const bool told = sizes_of(set, &claimed, &stored);
    H5Dclose(set);
    if (told && claimed <= stored) return TRU_OK;
    return trio_fail(err, TRU_DAMAGED, "%s: is damaged: %s has rows for %llu bytes but %llu bytes are stored", r->path,
                     trio_results_path(which), (unsigned long long)claimed, (unsigned long long)stored);
}

static tru_status check_tables(const reader *r, tru_error *err) {
    tru_status s = TRU_OK;
    for (int i = 0; s >= 0 && i < RESULT_TABLES; i++) s = check_stored(r, (result_table)i, err);
    return s;
}

/* A run that has ended has check sums of its tables. */
static tru_status check_sums(const reader *r, tru_error *err) {
    const char *which = trio_results_damaged_table(r->file);
    if (!which) return TRU_OK;
    return trio_fail(err, TRU_DAMAGED, "%s: is damaged: %s does not match its checksum", r->path, which);
}

static void close_file(reader *r) {
    const h5_quiet quiet = trio_h5_silence();
    if (r->file >= 0) H5Fclose(r->file);
    trio_h5_restore(quiet);
}

static const row_source source = {rows_of, read_rows, close_file};

tru_status trio_reader_open(const char *dir, reader *r, tru_error *err) {
    *r = (reader){.source = &source, .file = -1, .path = trio_file_join(dir, RESULTS_NAME)};
    if (!r->path) return trio_no_memory(err);
    const h5_quiet quiet = trio_h5_silence();
    tru_status s = open_file(r, err);
    if (s >= 0) s = read_provenance(r, err);
    if (s >= 0) s = check_tables(r, err);
    if (s >= 0) s = check_sums(r, err);
    if (s >= 0) s = read_texts_around(r, dir, err);
    if (s >= 0) r->plugin_text = trio_h5_plugin_text(r->file);
    if (s >= 0 && !r->plugin_text) s = trio_no_memory(err);
    if (s >= 0) s = read_probes(r, err);
    if (s >= 0) r->contacts = H5Lexists(r->file, "/contacts", H5P_DEFAULT) > 0;
    if (s >= 0) s = trio_reader_start(r, err);
    if (s < 0) trio_reader_close(r);
    trio_h5_restore(quiet);
    return s;
}
