/* h5_scene.c: the scene of a folder of results, as it ran, read back from its file. */
#include "h5_run.h"

#include "common/fail.h"
#include "common/file.h"
#include "results_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of /scene; NULL if there is none. Free it. */
static char *read_scene_text(hid_t file) {
    const hid_t set = H5Dopen2(file, "/scene", H5P_DEFAULT);
    if (set < 0) return NULL;
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const bool one = H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1;
    char *text = one ? calloc(H5Tget_size(type) + 1, 1) : NULL;
    if (text && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
        free(text);
        text = NULL;
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return text;
}

static tru_status read_file(const char *path, tru_scene **scene, char *stepper, size_t room, tru_error *err) {
    char name[200] = "";
    const hid_t file = trio_results_open(path);
    if (file < 0 && trio_file_exists(path)) return trio_fail(err, TRU_DAMAGED, "%s: is not an HDF5 file", path);
    if (file < 0) return trio_fail(err, TRU_FILE, "%s: cannot be opened: No such file or directory", path);
    const hid_t g = H5Gopen2(file, "/provenance", H5P_DEFAULT);
    const bool good = g >= 0 && trio_h5_read_attribute_text(g, "scene_name", name, sizeof name) &&
                      trio_h5_read_attribute_text(g, "stepper", stepper, room);
    char *text = good ? read_scene_text(file) : NULL;
    if (g >= 0) H5Gclose(g);
    H5Fclose(file);
    if (!text) return trio_fail(err, TRU_DAMAGED, "%s: is not a file of trundle's results", path);
    const tru_status status = tru_scene_parse(text, strlen(text), name, NULL, 0, scene, err);
    free(text);
    return status;
}

tru_status tru_results_scene(const char *dir, tru_scene **scene, char *stepper, size_t room, tru_error *err) {
    char path[4096];
    *scene = NULL;
    if (snprintf(path, sizeof path, "%s/run.h5", dir) >= (int)sizeof path)
        return trio_fail(err, TRU_FILE, "%.200s...: the path is too long", dir);
    const h5_quiet quiet = trio_h5_silence();
    const tru_status status = read_file(path, scene, stepper, room, err);
    if (status != TRU_DAMAGED) trio_h5_restore(quiet); /* see tru_results_create */
    return status;
}
