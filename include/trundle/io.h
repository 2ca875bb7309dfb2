/* io.h: what programs use around a world: scene files, simulations with probes, results and snapshots on disk.
 *
 * libtrundle-io is a library of its own (libyaml, zlib, and HDF5 unless it was built without) over trundle.h and plugin.h; the core needs none of it.
 *
 *     tru_scene_read("coin.yaml", sets, n, &scene, &err);   every mistake of the file is found here or in the next call
 *     tru_sim_create(scene, NULL, 1, &sim, &err);           a world built from it, with probes and stop conditions
 *     while (tru_sim_advance(sim, &err) == TRU_OK && !tru_sim_done(sim)) ...          one step, loads, emitters, probes
 *
 * Errors of files say "file:line:column: sentence".
 * The rules for every function in trundle.h apply: status, err, out, memory, threads.
 * Functions named *_free accept NULL. A failing function that creates an object stores NULL in *out. */
#ifndef TRUNDLE_IO_H
#define TRUNDLE_IO_H

#include <trundle/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A JSON text that is being written; see the end of this file. */
typedef struct tru_json tru_json;

/* ---- scenes (io/scene*.c, io/yaml*.c, io/scene/values/expression.c) */

/* A scene file after reading: its tree, its values and its changes. Only the library sees its members. */
typedef struct tru_scene tru_scene;

/* A change to a scene: `--set laws.rim.slide=0.3`, `--set parameters.tilt='20 deg'`. */
typedef struct tru_set {
    const char *path;  /* keys joined by dots; list items by their number */
    const char *value; /* text of the value, written as in the file */
} tru_set;

/* Reads a scene file, applies `set_count` changes, and checks everything that does not need a world.
 * `sets` may be NULL if `set_count` is 0. The caller frees *out with tru_scene_free.
 * Returns TRU_FILE if the file cannot be read, or the failure of the first mistake in it. */
TRU_API tru_status tru_scene_read(const char *path, const tru_set *sets, size_t set_count, tru_scene **out,
                                  tru_error *err);
/* Reads a scene from `bytes` bytes of text, otherwise like tru_scene_read. `name` stands for the file in sentences. */
TRU_API tru_status tru_scene_parse(const char *text, size_t bytes, const char *name, const tru_set *sets,
                                   size_t set_count, tru_scene **out, tru_error *err);
/* Copies a scene with its changes, so that another thread can use it. Reads no file. */
TRU_API tru_status tru_scene_copy(const tru_scene *scene, tru_scene **out, tru_error *err);
/* Frees a scene and every text that it returned. */
TRU_API void tru_scene_free(tru_scene *scene);
/* Changes one value of a scene without reading the file again, as sweeps do.
 * Returns TRU_UNKNOWN_NAME for an unknown path, or the failure of the check of the new value. */
TRU_API tru_status tru_scene_change(tru_scene *scene, const char *path, const char *value, tru_error *err);
/* Evaluates the number at a path or parameter, expressions included, and stores it in SI with its unit.
 * Returns TRU_UNKNOWN_NAME for an unknown path, or another failure if the value is not a number. */
TRU_API tru_status tru_scene_number(const tru_scene *scene, const char *path, double *value, tru_unit_info *unit,
                                    tru_error *err);

/* A parameter of a scene: a number with a name, for sliders, signatures and sweeps. */
typedef struct tru_parameter {
    const char *name, *doc; /* doc: "" if the scene has none */
    double value;           /* [unit] */
    double lowest, highest; /* [unit] infinite if the scene gives no range */
    tru_unit_info unit;     /* SI; of an angle rad */
} tru_parameter;
/* Reads the k-th parameter of a scene in file order. Returns false past the end.
 * Its texts are valid until the scene changes or is freed. */
TRU_API bool tru_scene_parameter(const tru_scene *scene, size_t k, tru_parameter *out);

/* Returns the title of a scene; valid until the scene changes or is freed. */
TRU_API const char *tru_scene_title(const tru_scene *scene);
/* Returns the file name of a scene without folder and ending; valid as long as the scene. */
TRU_API const char *tru_scene_name(const tru_scene *scene);
/* Returns the scene as YAML text with expressions evaluated, SI units and defaults; NULL without memory.
 * The first call makes the text, so it must not run at the same time as another call with this scene.
 * The text is valid until the scene changes or is freed. */
TRU_API const char *tru_scene_text(const tru_scene *scene);
/* Returns the text of tru_scene_text without `bodies`, so that it is short for large scenes too. */
TRU_API const char *tru_scene_outline(const tru_scene *scene);
/* Returns a hash of the text of tru_scene_text. The first call makes it, with the same rule for threads. */
TRU_API uint64_t tru_scene_hash(const tru_scene *scene);
/* Returns the name of the k-th stepper block in file order, NULL past the end. */
TRU_API const char *tru_scene_stepper(const tru_scene *scene, size_t k);

/* What a run records and when it stops. */
typedef struct tru_plan {
    double until;                   /* [s] end of the run */
    double frames;                  /* [s] between frames; 0: none */
    double probes;                  /* [s] between probe rows; 0: every step */
    double snapshots;               /* [s] wall clock between snapshots */
    bool contacts;                  /* record contacts with frames */
    bool frames_double;             /* frames in float64 */
    uint32_t events_left_out;       /* bits of tru_event_kind that are not written */
    const char *const *probe_names; /* "ball.speed", "energy.total", "contact.slip" */
    size_t probe_count;             /* number of probe names */
} tru_plan;
/* Returns the plan of a scene; valid until the scene changes or is freed. */
TRU_API const tru_plan *tru_scene_plan(const tru_scene *scene);

/* ---- any YAML or JSON file as a tree (io/yaml/tree.c): papers, benchmarks */

/* A node of a file that was read: a text, a list or a map. The root owns all of them. */
typedef struct tru_tree tru_tree;
/* Kinds of nodes. */
typedef enum tru_tree_kind {
    TRU_TREE_TEXT, /* one value, as text */
    TRU_TREE_LIST, /* entries by number */
    TRU_TREE_MAP   /* entries by key */
} tru_tree_kind;

/* Reads a YAML or JSON file with the reader, limits and sentences of scenes.
 * Anchors, tags, repeated keys and more than 64 levels are errors. The caller frees the root with tru_tree_free.
 * Returns TRU_FILE if the file cannot be read, or the failure of the first mistake in it. */
TRU_API tru_status tru_tree_read(const char *path, tru_tree **out, tru_error *err);
/* Frees the root of a tree with all its nodes and their texts. */
TRU_API void tru_tree_free(tru_tree *root);
/* Returns the kind of a node. */
TRU_API tru_tree_kind tru_tree_is(const tru_tree *node);
/* Returns the number of entries of a list or map, 0 for a text. */
TRU_API size_t tru_tree_count(const tru_tree *node);
/* Returns the k-th entry of a list or map, NULL past the end. */
TRU_API const tru_tree *tru_tree_at(const tru_tree *node, size_t k);
/* Returns the key of the k-th entry of a map, NULL past the end. */
TRU_API const char *tru_tree_key(const tru_tree *node, size_t k);
/* Returns the entry of a map with this key; NULL if there is none or the node is not a map. */
TRU_API const tru_tree *tru_tree_find(const tru_tree *node, const char *key);
/* Returns the text of a node, NULL for lists and maps. */
TRU_API const char *tru_tree_text(const tru_tree *node);
/* Stores the file, line and column of a node; lines and columns count from 1. */
TRU_API void tru_tree_where(const tru_tree *node, const char **file, int *line, int *column);

/* ---- simulations (io/sim/sim.c, io/probes/probe.c): a world that follows its scene */

/* A world with the schedule, emitters, outlets, stop conditions and probes of its scene. */
typedef struct tru_sim tru_sim;

/* Builds the world of a scene with one of its stepper blocks, for `threads` threads, and calls tru_check.
 * A NULL `stepper` means the first block. The caller frees *out with tru_sim_free.
 * The scene must outlive the simulation. It may change meanwhile only if it has no emitters.
 * Returns the status of tru_check, remarks included, or TRU_UNKNOWN_NAME for an unknown block. */
TRU_API tru_status tru_sim_create(const tru_scene *scene, const char *stepper, int threads, tru_sim **out,
                                  tru_error *err);
/* Frees a simulation with its world. */
TRU_API void tru_sim_free(tru_sim *sim);
/* Returns the world of a simulation, which owns it. */
TRU_API tru_world *tru_sim_world(tru_sim *sim);
/* Returns the name of the stepper block that runs; valid as long as the simulation. */
TRU_API const char *tru_sim_stepper(const tru_sim *sim);
/* Takes one step with emitters, outlets, events and stop conditions.
 * Returns TRU_OK, TRU_UNCONVERGED as a remark, or the failure of the step. */
TRU_API tru_status tru_sim_advance(tru_sim *sim, tru_error *err);
/* Takes up to `steps` steps, until the end of the plan or a stop condition.
 * While results are open it also returns where a record is due, so that tru_results_step can follow every call.
 * Returns the most serious status of all steps. */
TRU_API tru_status tru_sim_run(tru_sim *sim, uint64_t steps, tru_error *err);
/* Runs `count` simulations to their ends, each with the bits of tru_sim_run.
 * Those without stop conditions and emitters run by tru_run_many.
 * `status` and `err` are arrays of `count` elements; neither may be NULL. */
TRU_API void tru_sim_run_many(tru_sim *const *sims, size_t count, tru_status *status, tru_error *err);
/* Returns true if the end of the plan or a stop condition was reached. */
TRU_API bool tru_sim_done(const tru_sim *sim);
/* Sets another end [s] than the plan's, as `--until` does. A later end continues a simulation that had reached the old one.
 * The run ends with the first step at or after it. An end that misses a step by less than 1e-6 of a step counts as on it.
 * Returns TRU_OK or TRU_OUT_OF_RANGE. */
TRU_API tru_status tru_sim_set_until(tru_sim *sim, double until, tru_error *err);
/* Returns the end [s] of the run. */
TRU_API double tru_sim_until(const tru_sim *sim);
/* Returns the number of steps at the end of the run. */
TRU_API uint64_t tru_sim_last_step(const tru_sim *sim);
/* Returns why the run stopped: "reached 80 s", "rest", "flat", "probe ball.speed below 1e-3 m/s"; "" while it runs.
 * The text is valid until the next step. */
TRU_API const char *tru_sim_reason(const tru_sim *sim);
/* Most events that tru_sim_events returns. Later events are counted and recorded only. */
#define TRU_SIM_EVENTS 65536
/* Returns the events since the start in order and stores their number in *count; valid until the next step. */
TRU_API const tru_event *tru_sim_events(const tru_sim *sim, size_t *count);
/* Returns how often events of a kind have happened since the start. */
TRU_API uint64_t tru_sim_event_count(const tru_sim *sim, tru_event_kind kind);

/* Reports of the solver over the run; members as in tru_solve_totals. */
typedef struct tru_solver_summary {
    uint64_t steps;          /* number of steps */
    uint64_t unconverged;    /* steps whose solver stopped before its tolerance */
    uint64_t iterations;     /* iterations of all steps */
    int32_t most_iterations; /* most iterations in one step */
    double worst_relative;   /* [-] largest relative residual of any step */
    double worst_time;       /* [s] end of the step with the largest relative residual */
    double worst_speed;      /* [m/s] residual of that contact, all its rows together */
    tru_id worst_a, worst_b; /* bodies of that contact */
    double lift, hop;        /* [m/s] largest of any step, relaxed form only */
    double hop_time;         /* [s] end of the step with the largest hop */
} tru_solver_summary;
/* Returns the reports of the solver since the start of the run. */
TRU_API tru_solver_summary tru_sim_solver(const tru_sim *sim);

/* One line of the summary of a run in words. An empty label continues the line before. */
typedef struct tru_line {
    const char *label; /* "ran", the name of a body, "energy", "solver"; "remark": a caution about the numbers */
    const char *text;  /* one sentence */
} tru_line;
/* The summary of a run in words. */
typedef struct tru_story tru_story;
/* Writes the summary of the run up to now. The caller frees *out with tru_story_free. */
TRU_API tru_status tru_sim_story(const tru_sim *sim, tru_story **out, tru_error *err);
/* Returns the k-th line of a summary, NULL past the end; valid as long as the summary. */
TRU_API const tru_line *tru_story_line(const tru_story *story, size_t k);
/* Frees a summary with its lines. */
TRU_API void tru_story_free(tru_story *story);

/* Returns the size [bytes] of a snapshot of the present state of a simulation. */
TRU_API size_t tru_sim_save_size(const tru_sim *sim);
/* Writes a snapshot of a simulation into a buffer of at least tru_sim_save_size bytes: its world, emitters, outlets, stop
 * conditions and events. The scene must be as it was when the simulation was created.
 * The first call for a scene calls tru_scene_hash, with its rule for threads.
 * Returns TRU_BAD_ARGUMENT if the buffer is too small. */
TRU_API tru_status tru_sim_save(const tru_sim *sim, void *buffer, size_t bytes, tru_error *err);
/* Brings a simulation to the state of a snapshot by tru_sim_save, or of the bytes of a file snapshot.tru.
 * Both simulations need the same scene and stepper block. Further steps give the same bits as those of the saved one.
 * Its end (tru_sim_set_until), its probes and its threads stay. A failed call changes nothing.
 * Returns TRU_DAMAGED if the bytes are not a whole snapshot or belong to another scene or stepper, TRU_NO_MEMORY, or
 * TRU_CONFLICT if results are open. */
TRU_API tru_status tru_sim_load(tru_sim *sim, const void *buffer, size_t bytes, tru_error *err);

/* Returns the name of a body, also of one that left through an outlet; NULL for an id that never existed.
 * The text is valid until the next step. */
TRU_API const char *tru_sim_body_name(const tru_sim *sim, tru_id body);
/* What has left through an outlet of the scene. */
typedef struct tru_outlet_info {
    const char *name; /* valid as long as the simulation */
    uint64_t count;   /* number of bodies */
    double mass;      /* [kg] total mass of these bodies */
} tru_outlet_info;
/* Reads the totals of the k-th outlet. Returns false past the end. */
TRU_API bool tru_sim_outlet(const tru_sim *sim, size_t k, tru_outlet_info *out);

/* Finds a probe by name and stores its number for tru_sim_value and its unit. The plan's probes are 0, 1, 2 and so on.
 * Returns TRU_UNKNOWN_NAME with the nearest name in the sentence. */
TRU_API tru_status tru_sim_probe(tru_sim *sim, const char *name, size_t *probe, tru_unit *unit, tru_error *err);
/* Returns the present value [unit of the probe] of a probe; NaN without a value, as without contact or body. */
TRU_API double tru_sim_value(const tru_sim *sim, size_t probe);
/* Reads the present values [unit of each probe] of all probes of the plan, in its order, as tru_sim_value does.
 * `out` has place for `room` values. Returns TRU_OK, or TRU_BAD_ARGUMENT if the plan has more probes (probe_count). */
TRU_API tru_status tru_probes_get(const tru_sim *sim, double *out, size_t room, tru_error *err);
/* One kind of probe.
 *
 * BODY in a name is the name of a body, also of one that an emitter makes later.
 * CONTACT is `contact` (the first of all), `BODY.contact` (the first of a body) or `contact(A,B)` (of two bodies).
 * #2 behind it means the second of these, @7 the one with feature 7.
 * JOINT is `joint(NAME)`, OUTLET is `outlet(NAME)`. */
typedef struct tru_probe_info {
    const char *name; /* pattern, "BODY.speed"; NULL ends the list */
    tru_unit unit;    /* unit of the value */
    const char *doc;  /* one sentence */
} tru_probe_info;
/* Returns the list of all kinds of probes, which is static and ends with a NULL name. */
TRU_API const tru_probe_info *tru_probe_list(void);

/* ---- results (io/results*.c, io/snapshot/snapshot.c) */

/* The results of a run that is being written to a folder. */
typedef struct tru_results tru_results;

/* What tru_results_create does with results that are in the folder already. */
typedef enum tru_results_mode {
    TRU_RESULTS_NEW,    /* returns TRU_REFUSED with a sentence that names their scene, and keeps them */
    TRU_RESULTS_RESUME, /* after tru_sim_resume: replaces the file by a copy cut back to the snapshot, and continues it */
    TRU_RESULTS_REPLACE, /* overwrites them */
} tru_results_mode;
/* Creates the folder `dir` and in it run.h5 in SWMR mode, and writes the first frame.
 * The folder is locked until tru_results_free or the end of the process.
 * The simulation and the scene must outlive the results. The caller frees *out with tru_results_free.
 * Returns TRU_CONFLICT if the folder is locked or the simulation has open results, TRU_REFUSED by TRU_RESULTS_NEW.
 * Returns TRU_DAMAGED if a file to resume is damaged, TRU_FILE if writing fails. */
TRU_API tru_status tru_results_create(const char *dir, tru_sim *sim, const tru_scene *scene, tru_results_mode mode,
                                      tru_results **out, tru_error *err);
/* Returns true if a folder holds results of a run, whole or not. */
TRU_API bool tru_results_exist(const char *dir);
/* Writes what is due: frames, probe rows, ledger, solver, events, and a snapshot after the plan's wall time.
 * Call it after every tru_sim_advance or tru_sim_run. Returns TRU_OK or TRU_FILE. */
TRU_API tru_status tru_results_step(tru_results *results, tru_error *err);
/* Flushes run.h5, then writes a snapshot next to it: aside, synced, renamed. Returns TRU_OK or TRU_FILE. */
TRU_API tru_status tru_results_snapshot(tru_results *results, tru_error *err);
/* Writes a last snapshot, frame and row, closes run.h5 and writes summary.json.
 * `wall_seconds` [s] is the wall time of the run, for the summary. Returns TRU_OK or TRU_FILE. */
TRU_API tru_status tru_results_finish(tru_results *results, double wall_seconds, tru_error *err);
/* Closes the results and unlocks the folder. */
TRU_API void tru_results_free(tru_results *results);
/* Brings a new simulation to the state of the snapshot in `dir`.
 * A folder without run.h5 and snapshot leaves it at its start.
 * Returns TRU_DAMAGED if the snapshot is damaged or of another scene or stepper, TRU_FILE if it is missing. */
TRU_API tru_status tru_sim_resume(tru_sim *sim, const tru_scene *scene, const char *dir, tru_error *err);
/* Reads the resolved scene of the results in `dir`, and the name of the stepper block into `room` bytes.
 * The caller frees *scene with tru_scene_free. Returns TRU_FILE if the folder has no results. */
TRU_API tru_status tru_results_scene(const char *dir, tru_scene **scene, char *stepper, size_t room, tru_error *err);
/* Sets the command line that run.h5 keeps in /provenance; NULL means none. Call it before tru_results_create. */
TRU_API tru_status tru_sim_set_command(tru_sim *sim, const char *command, tru_error *err);

/* The rows of a run in memory: frames, contacts, probes, ledger, solver, events, as run.h5 has them. */
typedef struct tru_recording tru_recording;
/* Begins to record a simulation in memory by the plan of its scene, and records the first frame.
 * Simulation and scene must outlive the recording; `scene` may be NULL. The caller frees *out with tru_recording_free.
 * Returns TRU_CONFLICT if the simulation is recorded already. */
TRU_API tru_status tru_recording_begin(tru_sim *sim, const tru_scene *scene, tru_recording **out, tru_error *err);
/* Records what is due. Call it after every tru_sim_advance or tru_sim_run. */
TRU_API tru_status tru_recording_step(tru_recording *recording, tru_error *err);
/* Records the last state and the summary of the run. `wall_seconds` [s] is the wall time of the run, for the summary. */
TRU_API tru_status tru_recording_finish(tru_recording *recording, double wall_seconds, tru_error *err);
/* Frees a recording. */
TRU_API void tru_recording_free(tru_recording *recording);

/* Adds to the open object of `j` how a run went; these are the contents of summary.json and of `run --json`.
 * Time, steps, wall time [s], ledger, solver, events, last value of every probe, hashes, stop reason.
 * `scene` may be NULL: then the hash of the scene is missing. */
TRU_API void tru_sim_summary(const tru_sim *sim, const tru_scene *scene, double wall_seconds, tru_json *j);

/* ---- reports (io/report*.c): one HTML file with everything in it, for any browser, offline */

/* A report that is being put together. */
typedef struct tru_report tru_report;
/* Creates an empty report. The caller frees *out with tru_report_free. */
TRU_API tru_status tru_report_begin(tru_report **out, tru_error *err);
/* Adds the results in a folder, also those of a run that still runs.
 * `label` tells runs apart; NULL means the name of the folder. Returns TRU_FILE if the folder has no results. */
TRU_API tru_status tru_report_add_run(tru_report *report, const char *dir, const char *label, tru_error *err);
/* Adds what a recording holds so far, to the same bytes as the results of the same run in a folder.
 * A NULL `label` means "recording". */
TRU_API tru_status tru_report_add_recording(tru_report *report, const tru_recording *recording, const char *label,
                                            tru_error *err);
/* Returns the k-th block of a report, NULL past the end: a deflated text and arrays in base64, which the page of reports
 * unpacks. Valid until something is added to the report. */
TRU_API const char *tru_report_block(const tru_report *report, size_t k);
/* Adds a page of tables, curves and maps before the runs; docs/design/reports.md lists its members.
 * The caller still owns `page`. */
TRU_API tru_status tru_report_add_page(tru_report *report, tru_json *page, tru_error *err);
/* Writes the report into a copy of the viewer's template (share/trundle/viewer/report.html): aside, then renamed.
 * Returns TRU_OK or TRU_FILE. */
TRU_API tru_status tru_report_write(const tru_report *report, const char *template_path, const char *path,
                                    tru_error *err);
/* Frees a report. */
TRU_API void tru_report_free(tru_report *report);

/* ---- exports (io/export*.c) */

/* Writes the results in `dir` into the folder `out` for other programs, and stores the number of files in *files.
 * Formats: "vtp" (VTP and PVD, ParaView), "csv" (probes, ledger, events), "glb" (glTF), "xyz" (extended XYZ).
 * `files` may be NULL. Returns TRU_UNKNOWN_NAME for another format, or TRU_FILE.
 * Returns TRU_REMARK if events.csv lacks kinds of events that the scene did not record. */
TRU_API tru_status tru_export(const char *dir, const char *format, const char *out, size_t *files, tru_error *err);

/* Writes a recording as tru_export writes a folder of results. */
TRU_API tru_status tru_export_recording(const tru_recording *recording, const char *format, const char *out,
                                        size_t *files, tru_error *err);

/* ---- tables (io/h5/h5_columns.c): columns of numbers in an HDF5 file of their own, for sweeps */

/* Returns true if the library was built with HDF5. Without it a run records in memory or as CSV instead of run.h5. */
TRU_API bool tru_has_hdf5(void);

/* One column of a table. */
typedef struct tru_column {
    const char *name;     /* name of the data set */
    const char *unit;     /* symbol of its unit; NULL: none */
    const char *words;    /* meanings of the whole numbers 0, 1, ..., "rest|flat"; NULL: the values are numbers */
    const double *values; /* [unit] one per row */
} tru_column;
/* Writes `count` columns of `rows` values each to an HDF5 file; `about` describes the table.
 * Returns TRU_OK, TRU_FILE, or TRU_REMARK without a file if the library was built without HDF5. */
TRU_API tru_status tru_table_write(const char *path, const char *about, const tru_column *columns, size_t count,
                                   size_t rows, tru_error *err);

/* ---- JSON text (io/common/json.c): a small writer used by every --json output */

/* Creates an empty JSON text; NULL without memory. The caller frees it with tru_json_free.
 * Functions that add to it need a key inside objects, and a NULL key inside arrays and at the top.
 * If memory runs out, they do nothing, and tru_json_done returns NULL. */
TRU_API tru_json *tru_json_begin(void);
/* Opens an object. */
TRU_API void tru_json_object(tru_json *j, const char *key);
/* Opens an array. */
TRU_API void tru_json_array(tru_json *j, const char *key);
/* Closes the innermost object or array. */
TRU_API void tru_json_close(tru_json *j);
/* Adds a number in the fewest digits that read back to the same bits; null if it is not finite. */
TRU_API void tru_json_number(tru_json *j, const char *key, double value);
/* Adds a whole number. */
TRU_API void tru_json_integer(tru_json *j, const char *key, int64_t value);
/* Adds a text with JSON's escapes; null if `value` is NULL. */
TRU_API void tru_json_text(tru_json *j, const char *key, const char *value);
/* Adds true or false. */
TRU_API void tru_json_bool(tru_json *j, const char *key, bool value);
/* Adds an object "heap" with the result of tru_repose_of_world, angles in degrees; nothing if it refuses. */
TRU_API void tru_json_heap(tru_json *j, const tru_world *world);
/* Adds "story" with all lines of a summary, if `lines`, and "remarks" with the sentences of its remarks. */
TRU_API void tru_json_story(tru_json *j, const tru_story *story, bool lines);
/* Closes what is open and returns the text, which is valid until tru_json_free; NULL if memory ran out. */
TRU_API const char *tru_json_done(tru_json *j);
/* Frees a JSON text. */
TRU_API void tru_json_free(tru_json *j);

#ifdef __cplusplus
}
#endif
#endif
