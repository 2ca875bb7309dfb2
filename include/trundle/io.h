/* io.h: what programs use around a world: scene files, simulations with probes, results and snapshots on disk.
 *
 * libtrundle-io is a library of its own (libyaml, HDF5, zlib) over trundle.h and plugin.h; the core needs none of it.
 *
 *     tru_scene_read("coin.yaml", sets, n, &scene, &err);   every mistake of the file is found here or in the next call
 *     tru_sim_create(scene, NULL, 1, &sim, &err);           a world built from it, with probes and stop conditions
 *     while (tru_sim_advance(sim, &err) == TRU_OK && !tru_sim_done(sim)) ...          one step, loads, emitters, probes
 *
 * Errors of files say "file:line:column: sentence". */
#ifndef TRUNDLE_IO_H
#define TRUNDLE_IO_H

#include <trundle/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tru_json tru_json; /* at the end */

/* ---- scenes (io/scene*.c, io/yaml*.c, io/scene/values/expression.c) */

typedef struct tru_scene tru_scene;

/* A change to a scene: `--set laws.rim.slide=0.3`, `--set parameters.tilt='20 deg'`. */
typedef struct tru_set {
    const char *path;  /* keys joined by dots; list items by their number */
    const char *value; /* as it would stand in the file */
} tru_set;

/* Read a scene file (or text), apply changes, check everything that does not need a world. */
TRU_API tru_status tru_scene_read(const char *path, const tru_set *sets, size_t set_count, tru_scene **out,
                                  tru_error *err);
TRU_API tru_status tru_scene_parse(const char *text, size_t bytes, const char *name, const tru_set *sets,
                                   size_t set_count, tru_scene **out, tru_error *err);
/* A scene of its own, changed or not, for another thread; no file is read. */
TRU_API tru_status tru_scene_copy(const tru_scene *scene, tru_scene **out, tru_error *err);
TRU_API void tru_scene_free(tru_scene *scene);
/* Change one value of a scene that was read, without reading it again (sweeps). */
TRU_API tru_status tru_scene_change(tru_scene *scene, const char *path, const char *value, tru_error *err);
/* Numerical value of a path or parameter after all expressions, SI. */
TRU_API tru_status tru_scene_number(const tru_scene *scene, const char *path, double *value, tru_unit_info *unit,
                                    tru_error *err);

TRU_API const char *tru_scene_title(const tru_scene *scene);
TRU_API const char *tru_scene_name(const tru_scene *scene); /* file name without folder and ending */
/* Resolved: expressions evaluated, SI, defaults visible. Made by the first call (which may not run beside others with
 * the same scene) and kept until the next change; NULL without memory. */
TRU_API const char *tru_scene_text(const tru_scene *scene);
/* The same without `bodies`, so that it is short however large the scene. */
TRU_API const char *tru_scene_outline(const tru_scene *scene);
/* Of the resolved text; kept like it. */
TRU_API uint64_t tru_scene_hash(const tru_scene *scene);
/* The stepper blocks of the scene in file order, NULL past the end. */
TRU_API const char *tru_scene_stepper(const tru_scene *scene, size_t k);

/* What is to be recorded and when to stop. */
typedef struct tru_plan {
    double until;                   /* [s] */
    double frames;                  /* [s] between frames; 0: none */
    double probes;                  /* [s] between probe rows; 0: every step */
    double snapshots;               /* [s] wall clock between snapshots */
    bool contacts;                  /* record contacts with frames */
    bool frames_double;             /* frames in float64 */
    uint32_t events_left_out;       /* bits of tru_event_kind that are not written */
    const char *const *probe_names; /* "ball.speed", "energy.total", "contact.slip" */
    size_t probe_count;
} tru_plan;
TRU_API const tru_plan *tru_scene_plan(const tru_scene *scene);

/* ---- any YAML or JSON file as a tree (io/yaml/tree.c): papers, benchmarks */

/* A node of a file that was read: a text, a list or a map. The root owns all of them. */
typedef struct tru_tree tru_tree;
typedef enum tru_tree_kind { TRU_TREE_TEXT, TRU_TREE_LIST, TRU_TREE_MAP } tru_tree_kind;

/* Same reader, limits and sentences as scenes: no anchors, tags, repeated keys; at most 64 levels. */
TRU_API tru_status tru_tree_read(const char *path, tru_tree **out, tru_error *err);
TRU_API void tru_tree_free(tru_tree *root);
TRU_API tru_tree_kind tru_tree_is(const tru_tree *node);
TRU_API size_t tru_tree_count(const tru_tree *node);                          /* entries of a list or map */
TRU_API const tru_tree *tru_tree_at(const tru_tree *node, size_t k);          /* k-th entry, NULL past the end */
TRU_API const char *tru_tree_key(const tru_tree *node, size_t k);             /* key of a map's k-th entry */
TRU_API const tru_tree *tru_tree_find(const tru_tree *node, const char *key); /* NULL: no such key, or no map */
TRU_API const char *tru_tree_text(const tru_tree *node);                      /* of a text; NULL for others */
TRU_API void tru_tree_where(const tru_tree *node, const char **file, int *line, int *column); /* counted from 1 */

/* ---- simulations (io/sim/sim.c, io/probes/probe.c): a world that follows its scene */

typedef struct tru_sim tru_sim;

/* Build the world of a scene with one of its stepper blocks (NULL: the first); runs tru_check, whose remark it passes on. The scene must outlive
 * the simulation, and may change only if it has no emitters. */
TRU_API tru_status tru_sim_create(const tru_scene *scene, const char *stepper, int threads, tru_sim **out,
                                  tru_error *err);
TRU_API void tru_sim_free(tru_sim *sim);
TRU_API tru_world *tru_sim_world(tru_sim *sim);
TRU_API const char *tru_sim_stepper(const tru_sim *sim); /* the name of the block that runs */
/* One step with all that belongs to it: emitters, outlets, events, stop conditions. TRU_UNCONVERGED is a remark. */
TRU_API tru_status tru_sim_advance(tru_sim *sim, tru_error *err);
/* Steps until the end of the plan, a stop condition, or `steps` have been done; with results open it also returns where
 * something is to be recorded, so that tru_results_step can follow every call. */
TRU_API tru_status tru_sim_run(tru_sim *sim, uint64_t steps, tru_error *err);
/* All of them to their ends, each as by tru_sim_run; those without stop conditions and emitters by tru_run_many. */
TRU_API void tru_sim_run_many(tru_sim *const *sims, size_t count, tru_status *status, tru_error *err);
TRU_API bool tru_sim_done(const tru_sim *sim);
/* Another end than the plan's, for `--until`; a later one wakes a simulation that was done because of the old one. The
 * run ends with the first step at or after it; an end that misses a step by less than 1e-6 of a step counts as on it.
 */
TRU_API tru_status tru_sim_set_until(tru_sim *sim, double until, tru_error *err);
TRU_API double tru_sim_until(const tru_sim *sim);       /* [s] where the plan ends */
TRU_API uint64_t tru_sim_last_step(const tru_sim *sim); /* number of steps at that end */
/* Why it stopped: "reached 80 s", "rest", "flat", "probe ball.speed below 1e-3 m/s"; "" while running. */
TRU_API const char *tru_sim_reason(const tru_sim *sim);
/* The events so far, in order, valid until the next advance; after TRU_SIM_EVENTS of them the others are only counted
 * (and recorded). */
TRU_API const tru_event *tru_sim_events(const tru_sim *sim, size_t *count);
#define TRU_SIM_EVENTS 65536
/* How often an event has happened so far. */
TRU_API uint64_t tru_sim_event_count(const tru_sim *sim, tru_event_kind kind);

/* How the solver did over the run so far. */
typedef struct tru_solver_summary {
    uint64_t steps, unconverged, iterations; /* */
    int32_t most_iterations;                 /* in one step */
    double worst_relative;                   /* [-] */
    double worst_time;                       /* [s] */
    double worst_speed;                      /* [m/s] */
    tru_id worst_a, worst_b;                 /* bodies of the contact that had it */
    double lift, hop;                        /* [m/s] of the relaxed form, largest */
    double hop_time;                         /* [s] when the largest hop was */
} tru_solver_summary;
TRU_API tru_solver_summary tru_sim_solver(const tru_sim *sim);

/* What happened so far, in words: lines of a label ("ran", the name of a body, "energy", "solver", ...) and a sentence. The
 * label "remark" marks what a user should know about the numbers. A line with an empty label continues the one before. */
typedef struct tru_line {
    const char *label, *text;
} tru_line;
typedef struct tru_story tru_story;
TRU_API tru_status tru_sim_story(const tru_sim *sim, tru_story **out, tru_error *err);
TRU_API const tru_line *tru_story_line(const tru_story *story, size_t k); /* NULL past the end */
TRU_API void tru_story_free(tru_story *story);

/* The name of a body of the run, also of one that has left; NULL: there never was one. Valid until the next advance. */
TRU_API const char *tru_sim_body_name(const tru_sim *sim, tru_id body);
/* What has left through the k-th outlet of the scene so far; false past the last one. */
typedef struct tru_outlet_info {
    const char *name; /* lives as long as the simulation */
    uint64_t count;   /* bodies */
    double mass;      /* [kg] */
} tru_outlet_info;
TRU_API bool tru_sim_outlet(const tru_sim *sim, size_t k, tru_outlet_info *out);

/* A probe by name: its number for tru_sim_value, or a sentence with the nearest name. The plan's probes are 0, 1, ... */
TRU_API tru_status tru_sim_probe(tru_sim *sim, const char *name, size_t *probe, tru_unit *unit, tru_error *err);
/* Its value now; NaN where there is none (no contact, body gone). */
TRU_API double tru_sim_value(const tru_sim *sim, size_t probe); /* [unit of the probe] */
/* Everything that can be probed: name pattern, unit, one-sentence doc; NULL name ends. BODY is the name of a body,
 * CONTACT is `contact` (the first of all), `BODY.contact` (the first of a body) or `contact(A,B)` (of two bodies); with #2
 * behind it the second of these, with @7 the one with feature 7. BODY may be one that an emitter makes later. JOINT
 * is `joint(NAME)`, OUTLET `outlet(NAME)`. */
typedef struct tru_probe_info {
    const char *name; /* "BODY.speed" */
    tru_unit unit;
    const char *doc;
} tru_probe_info;
TRU_API const tru_probe_info *tru_probe_list(void);

/* ---- results (io/results*.c, io/sim/snapshot.c) */

typedef struct tru_results tru_results;

/* What tru_results_create does with results that are in the folder already. */
typedef enum tru_results_mode {
    TRU_RESULTS_NEW, /* TRU_REFUSED with a sentence that names their scene; they stay as they are */
    TRU_RESULTS_RESUME, /* after tru_sim_resume: a copy of the file, cut back to the snapshot, takes its place and goes on */
    TRU_RESULTS_REPLACE, /* they are overwritten */
} tru_results_mode;
/* Creates DIR/run.h5 in SWMR mode for a simulation: makes the folder, writes the first frame. While it is open, the
 * folder is locked: a second one gets TRU_CONFLICT. The lock ends with the process. */
TRU_API tru_status tru_results_create(const char *dir, tru_sim *sim, const tru_scene *scene, tru_results_mode mode,
                                      tru_results **out, tru_error *err);
/* Returns true if a folder holds results of a run, whole or not. */
TRU_API bool tru_results_exist(const char *dir);
/* After every tru_sim_advance or tru_sim_run: writes what is due (frames, probe rows, ledger, solver, events), and a
 * snapshot when the plan's wall time has passed. */
TRU_API tru_status tru_results_step(tru_results *results, tru_error *err);
/* A snapshot beside the file, written aside, synced, renamed; the file is flushed first. */
TRU_API tru_status tru_results_snapshot(tru_results *results, tru_error *err);
/* A last snapshot, a last frame and row, close, DIR/summary.json. */
TRU_API tru_status tru_results_finish(tru_results *results, double wall_seconds, tru_error *err);
TRU_API void tru_results_free(tru_results *results);
/* Bring a fresh simulation to the state of DIR's snapshot; a folder without run.h5 and snapshot leaves it at its start.
 */
TRU_API tru_status tru_sim_resume(tru_sim *sim, const tru_scene *scene, const char *dir, tru_error *err);
/* The scene of DIR's results as it ran (its resolved text), and the name of the stepper that ran, in `room` bytes. */
TRU_API tru_status tru_results_scene(const char *dir, tru_scene **scene, char *stepper, size_t room, tru_error *err);
/* The command line, for /provenance; before tru_results_create. */
TRU_API tru_status tru_sim_set_command(tru_sim *sim, const char *command, tru_error *err);

/* Members of the open object of `j` that say how a run went: time, steps, wall time, ledger, solver, events, last value
 * of every probe, hashes, stop reason. The contents of summary.json and of `run --json`. */
TRU_API void tru_sim_summary(const tru_sim *sim, const tru_scene *scene, double wall_seconds, tru_json *j);

/* ---- reports (io/report*.c): one HTML file with everything in it, for any browser, offline */

typedef struct tru_report tru_report;
TRU_API tru_status tru_report_begin(tru_report **out, tru_error *err);
/* A folder of results, also of a run that is still going on; `label` (NULL: the folder) tells runs apart. */
TRU_API tru_status tru_report_add_run(tru_report *report, const char *dir, const char *label, tru_error *err);
/* A page of tables, curves and maps before the runs (docs/design/reports.md lists its members); it stays the caller's. */
TRU_API tru_status tru_report_add_page(tru_report *report, tru_json *page, tru_error *err);
/* Paste all into the viewer's template (share/trundle/viewer/report.html); written aside, renamed. */
TRU_API tru_status tru_report_write(const tru_report *report, const char *template_path, const char *path,
                                    tru_error *err);
TRU_API void tru_report_free(tru_report *report);

/* ---- exports (io/export*.c) */

/* DIR's results for other programs, into the folder `out`: "vtp" (VTP and PVD, ParaView), "csv" (probes, ledger, events),
 * "glb" (glTF with animation), "xyz" (extended XYZ). `files` (or NULL): how many were written. TRU_REMARK: events.csv lacks kinds of
 * events that the scene did not record. */
TRU_API tru_status tru_export(const char *dir, const char *format, const char *out, size_t *files, tru_error *err);

/* ---- tables (io/common/table.c): columns of numbers in an HDF5 file of their own, for sweeps */

typedef struct tru_column {
    const char *name, *unit;
    const char *words;    /* what its whole numbers 0, 1, ... mean, "rest|flat"; NULL: they are numbers */
    const double *values; /* [unit] */
} tru_column;
TRU_API tru_status tru_table_write(const char *path, const char *about, const tru_column *columns, size_t count,
                                   size_t rows, tru_error *err);

/* ---- JSON text (io/common/json.c): a small writer used by every --json output */

TRU_API tru_json *tru_json_begin(void);                     /* NULL: no memory */
TRU_API void tru_json_object(tru_json *j, const char *key); /* key NULL inside arrays and at the top */
TRU_API void tru_json_array(tru_json *j, const char *key);
TRU_API void tru_json_close(tru_json *j);                                 /* the innermost object or array */
TRU_API void tru_json_number(tru_json *j, const char *key, double value); /* null when not finite; round-trips */
TRU_API void tru_json_integer(tru_json *j, const char *key, int64_t value);
TRU_API void tru_json_text(tru_json *j, const char *key, const char *value); /* NULL: null */
TRU_API void tru_json_bool(tru_json *j, const char *key, bool value);
/* "heap": what tru_repose_of_world says, angles in degrees; nothing where the bodies form none. */
TRU_API void tru_json_heap(tru_json *j, const tru_world *world);
/* "story": all lines, if `lines`; "remarks": the sentences of those labelled so. */
TRU_API void tru_json_story(tru_json *j, const tru_story *story, bool lines);
/* The document; owned by j. NULL if memory ran out. */
TRU_API const char *tru_json_done(tru_json *j);
TRU_API void tru_json_free(tru_json *j);

#ifdef __cplusplus
}
#endif
#endif
