/* test_results_hostile.c: files of results that a stranger forged with HDF5 itself: well formed, but not what trundle writes.
 *
 * Every reader (report, export, resume) must answer with a sentence. The address sanitizer watches the memory. */
#define _GNU_SOURCE
#include "check.h"
#include "folders.h"
#include "h5_files.h"
#include "run_scenes.h"

#include "run_h5/h5_run.h"

static char path[500];

/* Runs the scene into a folder and opens its file for forging; without /sums, as files of older versions are. */
static hid_t forge_run(const char *name, const char **dir) {
    tru_scene *scene = scene_of(BALL_RUN);
    *dir = folder_path(name);
    run_whole(scene, *dir);
    tru_scene_free(scene);
    snprintf(path, sizeof path, "%s/run.h5", *dir);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    check(file >= 0);
    check(H5Ldelete(file, "/sums", H5P_DEFAULT) >= 0);
    return file;
}

/* Puts an array in the place of an attribute of /provenance. */
static void forge_attribute(hid_t file, const char *name, hid_t type, hsize_t count) {
    static const unsigned char bytes[4096];
    const hid_t group = H5Gopen2(file, "/provenance", H5P_DEFAULT), space = H5Screate_simple(1, &count, NULL);
    check(H5Adelete(group, name) >= 0);
    const hid_t a = H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    check(a >= 0 && H5Awrite(a, type, bytes) >= 0);
    H5Aclose(a);
    H5Sclose(space);
    H5Gclose(group);
}

/* Checks that report and every export refuse the folder with this sentence behind the file's name. */
static void check_all_refuse(const char *dir, const char *sentence) {
    static const char *const formats[] = {"csv", "vtp", "glb", "xyz"};
    char expected[800];
    tru_error err = {0};
    tru_report *report = NULL;
    snprintf(expected, sizeof expected, "%s: %s", path, sentence);
    check_status(tru_report_begin(&report, &err), TRU_OK);
    check_status(tru_report_add_run(report, dir, NULL, &err), TRU_DAMAGED);
    check_str(err.text, expected);
    tru_report_free(report);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t files = 0;
        check_status(tru_export(dir, formats[i], folder_path("hostile-out"), &files, &err), TRU_DAMAGED);
        check_str(err.text, expected);
    }
}

/* Attributes with more elements than the variable that they are read into. */
TEST(array_attributes) {
    const struct {
        const char *name;
        hid_t type;
        hsize_t count;
    } cases[] = {{"step", H5T_NATIVE_DOUBLE, 64},   {"step", H5T_NATIVE_INT64, 1},    {"threads", H5T_NATIVE_INT8, 8},
                 {"resumes", H5T_NATIVE_INT16, 4},  {"threads", H5T_NATIVE_FLOAT, 1}, {"program", H5T_NATIVE_INT8, 8},
                 {"stepper", H5T_NATIVE_DOUBLE, 32}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *dir;
        const hid_t file = forge_run("attributes", &dir);
        forge_attribute(file, cases[i].name, cases[i].type, cases[i].count);
        H5Fclose(file);
        check_all_refuse(dir, "is not a file of trundle's results");
    }
}

/* The format of a file that is resumed, widened from eight bytes to sixty-four. */
TEST(resume_of_an_array_attribute) {
    const char *dir;
    tru_error err = {0};
    tru_results *r = NULL;
    tru_scene *scene = scene_of(BALL_RUN);
    const hid_t file = forge_run("resumed", &dir);
    forge_attribute(file, "format", H5T_NATIVE_INT8, 8);
    H5Fclose(file);
    tru_sim *sim = sim_of(scene);
    check_status(tru_sim_resume(sim, scene, dir, &err), TRU_OK);
    check_status(tru_results_create(dir, sim, scene, TRU_RESULTS_RESUME, &r, &err), TRU_DAMAGED);
    check(strstr(err.text, "is not a file of trundle's results") != NULL);
    tru_results_free(r);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* Shapes of a body whose first index and count add up to more than 64 bits hold. */
TEST(shapes_that_wrap) {
    const uint64_t firsts[] = {UINT64_MAX, UINT64_MAX - 1, 1000};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        const char *dir;
        uint64_t first[8];
        const hid_t file = forge_run("wrap", &dir), set = H5Dopen2(file, "/bodies/body", H5P_DEFAULT);
        const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof *first);
        for (int k = 0; k < 8; k++) first[k] = firsts[i];
        H5Tinsert(type, "first_shape", 0, H5T_NATIVE_UINT64);
        check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, first) >= 0);
        H5Tclose(type);
        H5Dclose(set);
        H5Fclose(file);
        check_all_refuse(dir, "is damaged: /bodies/shape cannot be read");
    }
}

/* Tables that claim rows which the file does not store: HDF5 would invent 2^40 of them. */
TEST(rows_that_are_not_stored) {
    static const char *const tables[] = {"/events",      "/ledger",       "/solver",
                                         "/probes/time", "/bodies/shape", "/contacts/record"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const char *dir;
        char expected[300];
        const hid_t file = forge_run("sparse", &dir), set = H5Dopen2(file, tables[i], H5P_DEFAULT),
                    type = H5Dget_type(set);
        const hsize_t rows = UINT64_C(1) << 40;
        check(H5Dset_extent(set, &rows) >= 0);
        snprintf(expected, sizeof expected, "is damaged: %s has rows for %llu bytes but %llu bytes are stored",
                 tables[i], (unsigned long long)(rows * H5Tget_size(type)),
                 (unsigned long long)H5Dget_storage_size(set));
        H5Tclose(type);
        H5Dclose(set);
        H5Fclose(file);
        check_all_refuse(dir, expected);
    }
}

/* Contacts between bodies that do not exist, or of two planes: the report leaves their friction sets out. */
TEST(contacts_of_foreign_bodies) {
    const int64_t bodies[] = {-1, 1 << 20, INT64_MIN, 0};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        const char *dir;
        tru_error err = {0};
        tru_report *report = NULL;
        size_t rows = 0, bytes = 0;
        const hid_t file = forge_run("foreign-bodies", &dir), type = H5Tcreate(H5T_COMPOUND, 16);
        free(h5_bytes(file, "/contacts/record", &rows, &bytes));
        int64_t *ids = calloc(rows + 1, 16);
        for (size_t k = 0; k < 2 * rows; k++) ids[k] = bodies[i];
        H5Tinsert(type, "body_a", 0, H5T_NATIVE_INT64);
        H5Tinsert(type, "body_b", 8, H5T_NATIVE_INT64);
        const hid_t set = H5Dopen2(file, "/contacts/record", H5P_DEFAULT);
        check(rows > 10 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, ids) >= 0);
        H5Dclose(set);
        H5Tclose(type);
        H5Fclose(file);
        free(ids);
        check_status(tru_report_begin(&report, &err), TRU_OK);
        check_status(tru_report_add_run(report, dir, NULL, &err), TRU_OK);
        tru_report_free(report);
        size_t files = 0;
        check_status(tru_export(dir, "vtp", folder_path("hostile-out"), &files, &err), TRU_OK);
    }
}
