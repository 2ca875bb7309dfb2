/* results_layout.c: what run.h5 consists of: groups, datasets, units, provenance; and how it is opened.
 *
 * The file is written in HDF5's single-writer-multiple-readers (SWMR) mode: what is flushed can be read at any moment,
 * also after the writer was killed. Such a file keeps the marks of an open one in byte 11 of its superblock (5: written
 * in SWMR mode), so that HDF5 opens it only for SWMR reading, or after `h5clear -s run.h5`.
 *
 * SWMR alone is not enough: a kill can tear a write in two where it crosses a page of memory, and an object header that
 * crosses one then fails its checksum for good (measured: 5 of 300 killed writers lost a dataset). With paged file
 * space no piece of metadata smaller than a page crosses one (0 of 1900). */
#define _POSIX_C_SOURCE 200809L
#include "results_layout.h"

#include "h5_run.h"

#include "common/fail.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- row types ---- */

typedef enum member_kind { F64, U64, I64, I32, U32, EVENT_KIND, ROW_KIND, BODY_KIND, NAME, TYPE } member_kind;

typedef struct member {
    const char *name, *unit;
    size_t offset;
    member_kind kind;
    hsize_t count; /* > 1: an array */
} member;

static const member ledger_members[] = {{"time", "s", offsetof(ledger_row, time), F64, 1},
                                        {"step", "-", offsetof(ledger_row, step), U64, 1},
#define LEDGER_MEMBER(name, kind, doc) {#name, "J", offsetof(ledger_row, ledger.name), F64, 1},
                                        TRU_LEDGER_LIST(LEDGER_MEMBER)
#undef LEDGER_MEMBER
                                            {"gap", "J", offsetof(ledger_row, gap), F64, 1},
                                        {0}};

static const member solver_members[] = {{"time", "s", offsetof(solver_row, time), F64, 1},
                                        {"step", "-", offsetof(solver_row, step), U64, 1},
                                        {"steps", "-", offsetof(solver_row, steps), U64, 1},
                                        {"unconverged", "-", offsetof(solver_row, unconverged), U64, 1},
                                        {"iterations", "-", offsetof(solver_row, iterations), U64, 1},
                                        {"most_iterations", "-", offsetof(solver_row, most_iterations), I64, 1},
                                        {"contacts", "-", offsetof(solver_row, contacts), I64, 1},
                                        {"relative", "-", offsetof(solver_row, relative), F64, 1},
                                        {"worst_time", "s", offsetof(solver_row, worst_time), F64, 1},
                                        {"residual_normal", "m/s", offsetof(solver_row, residual[0]), F64, 1},
                                        {"residual_slide", "m/s", offsetof(solver_row, residual[1]), F64, 1},
                                        {"residual_spin", "rad/s", offsetof(solver_row, residual[2]), F64, 1},
                                        {"residual_roll", "rad/s", offsetof(solver_row, residual[3]), F64, 1},
                                        {"lift", "m/s", offsetof(solver_row, lift), F64, 1},
                                        {"hop", "m/s", offsetof(solver_row, hop), F64, 1},
                                        {0}};

static const member event_members[] = {{"time", "s", offsetof(event_row, time), F64, 1},
                                       {"kind", "-", offsetof(event_row, kind), EVENT_KIND, 1},
                                       {"row_kind", "-", offsetof(event_row, row_kind), ROW_KIND, 1},
                                       {"body_a", "-", offsetof(event_row, body_a), I64, 1},
                                       {"body_b", "-", offsetof(event_row, body_b), I64, 1},
                                       {"position", "m", offsetof(event_row, position), F64, 3},
                                       {"speed", "m/s or rad/s", offsetof(event_row, speed), F64, 1},
                                       {"orientation", "-", offsetof(event_row, orientation), F64, 4},
                                       {"velocity", "m/s", offsetof(event_row, velocity), F64, 3},
                                       {"angular_velocity", "rad/s", offsetof(event_row, angular_velocity), F64, 3},
                                       {"limit_case", "-", offsetof(event_row, limit_case), I32, 1},
                                       {0}};

static const member contact_members[] = {{"body_a", "-", offsetof(contact_row, body_a), I64, 1},
                                         {"body_b", "-", offsetof(contact_row, body_b), I64, 1},
                                         {"shape_a", "-", offsetof(contact_row, shape_a), I32, 1},
                                         {"shape_b", "-", offsetof(contact_row, shape_b), I32, 1},
                                         {"feature", "-", offsetof(contact_row, feature), I32, 1},
                                         {"stuck", "-", offsetof(contact_row, stuck), U32, 1},
                                         {"point", "m", offsetof(contact_row, point), F64, 3},
                                         {"normal", "-", offsetof(contact_row, normal), F64, 3},
                                         {"t1", "-", offsetof(contact_row, t1), F64, 3},
                                         {"gap", "m", offsetof(contact_row, gap), F64, 1},
                                         {"impulse", "N s, N m s", offsetof(contact_row, impulse), F64, TRU_ROWS},
                                         {"velocity", "m/s, rad/s", offsetof(contact_row, velocity), F64, TRU_ROWS},
                                         {0}};

static const member body_members[] = {{"id", "-", offsetof(body_row, id), U64, 1},
                                      {"name", "-", offsetof(body_row, name), NAME, 1},
                                      {"kind", "-", offsetof(body_row, kind), BODY_KIND, 1},
                                      {"shapes", "-", offsetof(body_row, shapes), I32, 1},
                                      {"first_shape", "-", offsetof(body_row, first_shape), U64, 1},
                                      {"born", "-", offsetof(body_row, born), U64, 1},
                                      {"mass", "kg", offsetof(body_row, mass), F64, 1},
                                      {"inertia", "kg m^2", offsetof(body_row, inertia), F64, 3},
                                      {"products", "kg m^2", offsetof(body_row, products), F64, 3},
                                      {"size", "m", offsetof(body_row, size), F64, 1},
                                      {0}};

static const member shape_members[] = {
    {"body", "-", offsetof(shape_row, body), I64, 1},
    {"type", "-", offsetof(shape_row, type), TYPE, 1},
    {"parameters", "see attribute parameters", offsetof(shape_row, parameters), F64, SHAPE_PARAMETERS},
    {"position", "m", offsetof(shape_row, position), F64, 3},
    {"orientation", "-", offsetof(shape_row, orientation), F64, 4},
    {0}};

static const member corner_members[] = {{"position", "m", offsetof(corner_row, position), F64, 3}, {0}};

static hid_t enum_type(const char *const *names, int count) {
    const hid_t type = H5Tenum_create(H5T_NATIVE_INT32);
    for (int32_t i = 0; i < count; i++) H5Tenum_insert(type, names[i], &i);
    return type;
}

static hid_t member_type(const member *m) {
    static const char *const events[] = {
#define EVENT_WORD(name, text) text,
        TRU_EVENT_LIST(EVENT_WORD)
#undef EVENT_WORD
    };
    static const char *const rows[] = {"normal", "slide", "spin", "roll"}, *const bodies[] = {"free", "fixed",
                                                                                              "driven"};
    switch (m->kind) {
    case U64:
        return H5Tcopy(H5T_NATIVE_UINT64);
    case I64:
        return H5Tcopy(H5T_NATIVE_INT64);
    case I32:
        return H5Tcopy(H5T_NATIVE_INT32);
    case U32:
        return H5Tcopy(H5T_NATIVE_UINT32);
    case EVENT_KIND:
        return enum_type(events, (int)(sizeof events / sizeof *events));
    case ROW_KIND:
        return enum_type(rows, 4);
    case BODY_KIND:
        return enum_type(bodies, 3);
    case NAME:
        return trio_h5_text_type(NAME_BYTES);
    case TYPE:
        return trio_h5_text_type(TYPE_BYTES);
    default:
        return m->count == 1 ? H5Tcopy(H5T_NATIVE_DOUBLE) : H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &m->count);
    }
}

static hid_t row_type(const member *members, size_t bytes) {
    const hid_t type = H5Tcreate(H5T_COMPOUND, bytes);
    for (const member *m = members; m->name; m++) {
        const hid_t t = member_type(m);
        H5Tinsert(type, m->name, m->offset, t);
        H5Tclose(t);
    }
    return type;
}

/* The members of compound rows; NULL: plain numbers. */
static const member *const members_of[RESULT_TABLES] = {
    [CONTACT_RECORD] = contact_members, [LEDGER] = ledger_members, [SOLVER] = solver_members,
    [EVENTS] = event_members,           [BODIES] = body_members,   [SHAPES] = shape_members,
    [CORNERS] = corner_members,
};

hid_t trio_results_row_type(result_table which) {
    return members_of[which] ? row_type(members_of[which], trio_rows_bytes(which)) : -1;
}

/* ---- tables ---- */

/* From the plan, for the size of chunks. */
static double expected_rows(const tru_results *r, result_table which) {
    const tru_plan *p = &r->sim->plan;
    const double interval = which <= CONTACT_COUNT ? p->frames : p->probes, step = tru_step_size(r->sim->world);
    if (which == BODIES || which == SHAPES || which == CORNERS) return (double)r->rows.capacity;
    if (which == EVENTS || which == CONTACT_RECORD || !isfinite(p->until)) return 0.0;
    return p->until / fmax(interval, step);
}

static bool make_compound(tru_results *r, result_table which, const char *doc) {
    const char *units[40];
    table_def def = {
        .path = trio_results_path(which), .type = trio_results_row_type(which), .doc = doc, .units = units};
    def.expected = expected_rows(r, which);
    for (const member *m = members_of[which]; m->name; m++) units[def.unit_count++] = m->unit;
    const bool good = trio_table_create(r->file, &def, &r->tables[which]);
    H5Tclose(def.type);
    return good;
}

static bool make_plain(tru_results *r, result_table which, hid_t type, hsize_t rows, hsize_t columns, const char *unit,
                       const void *fill, const char *doc) {
    const table_def def = {trio_results_path(which), type, {rows, columns}, doc, &unit, 1, fill,
                           expected_rows(r, which)};
    return trio_table_create(r->file, &def, &r->tables[which]);
}

static bool make_frames(tru_results *r) {
    const hid_t real = r->sim->plan.frames_double ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
    const float nan_float = NAN;
    const double nan_double = NAN;
    const void *fill = r->sim->plan.frames_double ? (const void *)&nan_double : &nan_float;
    const hsize_t n = r->rows.capacity;
    return make_plain(r, FRAME_TIME, H5T_NATIVE_DOUBLE, 0, 0, "s", NULL, "of each frame") &&
           make_plain(r, FRAME_STEP, H5T_NATIVE_UINT64, 0, 0, "-", NULL, "steps done at each frame") &&
           make_plain(r, FRAME_POSITION, real, n, 3, "m", fill,
                      "of centres of mass: frame, body (row of /bodies/body), axis; NaN: not there") &&
           make_plain(r, FRAME_ORIENTATION, real, n, 4, "-", fill,
                      "quaternions (w, x, y, z), body axes to world: frame, body, component") &&
           make_plain(r, FRAME_VELOCITY, real, n, 3, "m/s", fill, "frame, body, axis") &&
           make_plain(r, FRAME_RATE, real, n, 3, "rad/s", fill, "world axes: frame, body, axis");
}

static bool make_contacts(tru_results *r) {
    if (!r->sim->plan.contacts) return true;
    return make_plain(r, CONTACT_START, H5T_NATIVE_UINT64, 0, 0, "-", NULL,
                      "first row of /contacts/record of each frame") &&
           make_plain(r, CONTACT_COUNT, H5T_NATIVE_UINT64, 0, 0, "-", NULL, "number of rows of each frame") &&
           make_compound(r, CONTACT_RECORD,
                         "contacts of all frames; impulses on body_a in the last step, velocities of a over b at its "
                         "end; rows normal, slide along t1 and t2 = normal x t1, spin, roll about t1 and t2; stuck: "
                         "bit 1 slide, 2 spin, 3 roll");
}

static bool make_texts(hid_t file, const char *path, const char *const *texts, size_t count) {
    size_t longest = 1;
    for (size_t i = 0; i < count; i++)
        if (strlen(texts[i]) + 1 > longest) longest = strlen(texts[i]) + 1;
    char *all = calloc(count + 1, longest);
    if (!all) return false;
    for (size_t i = 0; i < count; i++) memcpy(all + i * longest, texts[i], strlen(texts[i]));
    const hsize_t size = count;
    const hid_t type = trio_h5_text_type(longest), space = H5Screate_simple(1, &size, NULL);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(create, false);
    const hid_t set = H5Dcreate2(file, path, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
    const bool good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0;
    if (set >= 0) H5Dclose(set);
    H5Pclose(create);
    H5Sclose(space);
    H5Tclose(type);
    free(all);
    return good;
}

static bool make_probes(tru_results *r) {
    const size_t n = r->sim->plan.probe_count;
    const char **names = malloc((n + 1) * sizeof *names), **units = malloc((n + 1) * sizeof *units);
    bool good = names && units;
    for (size_t i = 0; good && i < n; i++) {
        names[i] = r->sim->probes[i].name;
        units[i] = tru_unit_describe(r->sim->probes[i].probe.row->unit).symbol;
    }
    good = good && make_plain(r, PROBE_TIME, H5T_NATIVE_DOUBLE, 0, 0, "s", NULL, "of each row") &&
           make_plain(r, PROBE_STEP, H5T_NATIVE_UINT64, 0, 0, "-", NULL, "steps done at each row");
    if (n > 0)
        good = good && make_texts(r->file, "/probes/name", names, n) && make_texts(r->file, "/probes/unit", units, n) &&
               make_plain(r, PROBE_VALUE, H5T_NATIVE_DOUBLE, n, 0, "see /probes/unit", NULL,
                          "row, probe (of /probes/name); NaN: no value then");
    free(names);
    free(units);
    return good;
}

/* "sphere: radius [m]" for every shape there is, from its field table. */
static bool name_parameters(hid_t set) {
    enum { MOST = 64, ROOM = 300 };
    char texts[MOST][ROOM];
    const char *list[MOST];
    size_t count = 0;
    for (const tru_shape *s; count < MOST && (s = tru_shape_at(count)); count++) {
        size_t used = (size_t)snprintf(texts[count], ROOM, "%s:", s->name);
        const bool hull = strcmp(s->name, "hull") == 0;
        if (hull) used += (size_t)snprintf(texts[count] + used, ROOM - used, " first row and rows of /bodies/corner");
        for (const tru_field *f = s->fields; f && f->name && used < ROOM && !hull; f++) {
            if (f->type != TRU_FIELD_REAL && f->type != TRU_FIELD_VEC3) continue;
            used += (size_t)snprintf(texts[count] + used, ROOM - used, " %s%s [%s]", f->name,
                                     f->type == TRU_FIELD_VEC3 ? ".x .y .z" : "", tru_unit_describe(f->unit).symbol);
        }
        list[count] = texts[count];
    }
    return trio_h5_attribute_texts(set, "parameters", list, count);
}

static bool make_bodies(tru_results *r) {
    return make_compound(
               r, BODIES,
               "every body of the run in the order of its columns in /frames; inertia about the centre of "
               "mass, body axes: xx yy zz and xy xz yz; born: first recorded step with it; size: radius about the "
               "centre of mass") &&
           make_compound(r, SHAPES,
                         "shapes of the bodies; position and orientation relative to the centre of mass, body axes") &&
           make_compound(r, CORNERS, "corners of hulls, shape axes") && name_parameters(r->tables[SHAPES].set);
}

static bool make_tables(tru_results *r) {
    return make_bodies(r) && (r->sim->plan.frames <= 0.0 || (make_frames(r) && make_contacts(r))) &&
           make_compound(r, LEDGER,
                         "energy: kinetic + potential + stored = start + loads + drives - slide - spin - roll - impact "
                         "+ the others + gap") &&
           make_compound(r, SOLVER, "over all steps since the previous row: sums, and the largest of residuals") &&
           make_compound(r, EVENTS, "position: of body_a; speed: of the row kind; body_b -1: none") && make_probes(r);
}

/* ---- texts around the numbers ---- */

static bool write_provenance(tru_results *r, int64_t resumes) {
    char hash[32], date[40] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)(r->scene ? tru_scene_hash(r->scene) : 0));
    const hid_t g = H5Gcreate2(r->file, "/provenance", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = g >= 0 && trio_h5_attribute_text(g, "program", "trundle") &&
                      trio_h5_attribute_i64(g, "format", RESULTS_FORMAT) &&
                      trio_h5_attribute_text(g, "version", tru_version()) &&
                      trio_h5_attribute_text(g, "scene_hash", hash) &&
                      trio_h5_attribute_text(g, "scene_name", r->scene ? tru_scene_name(r->scene) : "") &&
                      trio_h5_attribute_text(g, "stepper", r->sim->stepper) &&
                      trio_h5_attribute_f64(g, "step", tru_step_size(r->sim->world)) &&
                      trio_h5_attribute_i64(g, "threads", r->sim->threads) && trio_h5_attribute_text(g, "date", date) &&
                      trio_h5_attribute_text(g, "command", r->sim->command ? r->sim->command : "") &&
                      trio_h5_attribute_i64(g, "resumes", resumes);
    if (g >= 0) H5Gclose(g);
    return good;
}

static bool write_scene(tru_results *r) {
    const char *text = r->scene ? tru_scene_text(r->scene) : "";
    return make_texts(r->file, "/scene", &text, 1);
}

/* ---- sums ---- */

#define SUMS "/sums"
enum { SUM_COLUMNS = 2 }; /* rows and sum of each table */

/* Created before SWMR starts and written at the end, when nothing may be allocated. */
static bool make_sums(hid_t file) {
    const hsize_t size[2] = {RESULT_TABLES, SUM_COLUMNS};
    const hid_t space = H5Screate_simple(2, size, NULL), create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(create, false);
    H5Pset_alloc_time(create, H5D_ALLOC_TIME_EARLY);
    const hid_t set = H5Dcreate2(file, SUMS, H5T_NATIVE_UINT64, space, H5P_DEFAULT, create, H5P_DEFAULT);
    const bool good =
        set >= 0 && trio_h5_attribute_text(set, "unit", "-") &&
        trio_h5_attribute_text(
            set, "doc",
            "rows and checksum of every table once the run has ended, zeros before; trundle report and export refuse a file whose tables do not match");
    if (set >= 0) H5Dclose(set);
    H5Pclose(create);
    H5Sclose(space);
    return good;
}

bool trio_results_write_sums(const tru_results *r) {
    uint64_t sums[RESULT_TABLES][SUM_COLUMNS];
    for (int i = 0; i < RESULT_TABLES; i++) sums[i][0] = r->tables[i].rows, sums[i][1] = r->tables[i].sum;
    const hid_t set = H5Dopen2(r->file, SUMS, H5P_DEFAULT);
    const bool good = set >= 0 && H5Dwrite(set, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, sums) >= 0;
    if (set >= 0) H5Dclose(set);
    return good;
}

const char *trio_results_damaged_table(hid_t file) {
    uint64_t sums[RESULT_TABLES][SUM_COLUMNS];
    const hid_t set = H5Dopen2(file, SUMS, H5P_DEFAULT);
    if (set < 0) return NULL; /* files of older versions do not have check sums */
    const hid_t space = H5Dget_space(set);
    const bool good = H5Sget_simple_extent_npoints(space) == RESULT_TABLES * SUM_COLUMNS &&
                      H5Dread(set, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, sums) >= 0;
    H5Sclose(space);
    H5Dclose(set);
    if (!good) return SUMS;
    for (int i = 0; i < RESULT_TABLES; i++)
        if (sums[i][0] > 0 && !trio_table_holds(file, trio_results_path((result_table)i), sums[i][0], sums[i][1]))
            return trio_results_path((result_table)i);
    return NULL;
}

/* ---- files ---- */

tru_status trio_results_failed(const tru_results *r, tru_error *err) {
    return trio_fail_file(err, r->path, "cannot be written", r->failure);
}

tru_status trio_results_lay_out(tru_results *r, int64_t resumes, tru_error *err) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
    const bool set = trio_h5_use_driver(access, r->driver, &r->failure) &&
                     H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0 &&
                     H5Pset_file_space_strategy(create, H5F_FSPACE_STRATEGY_PAGE, false, 1) >= 0 &&
                     H5Pset_file_space_page_size(create, 4096) >= 0;
    r->file = set ? H5Fcreate(r->part, H5F_ACC_TRUNC, create, access) : -1;
    H5Pclose(access);
    H5Pclose(create);
    if (r->file < 0) return trio_results_failed(r, err);
    const bool made = make_tables(r) && write_scene(r) && write_provenance(r, resumes) && make_sums(r->file);
    return made && r->failure == 0 ? TRU_OK : trio_results_failed(r, err);
}

void trio_results_close(tru_results *r) {
    for (int i = 0; i < RESULT_TABLES; i++) trio_table_close(&r->tables[i]);
    if (r->file > 0) H5Fclose(r->file);
    r->file = -1;
}

hid_t trio_results_open(const char *path) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    /* By default HDF5 reads metadata with a wrong checksum again for hours, with growing pauses. This limits the attempts. */
    H5Pset_metadata_read_attempts(access, 20);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (file < 0) file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    H5Pclose(access);
    return file;
}
