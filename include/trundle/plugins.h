/* plugins.h: laws in files of their own, loaded at run time, and checks of a law's properties.
 *
 *     tru_plugins_create(&plugins, &err);
 *     tru_plugins_load(plugins, "./mylaw.so", &err);                      runs code of that file
 *     tru_scene_read_with(plugins, "ball.yaml", NULL, 0, &scene, &err);   its blocks may name the laws
 *     tru_sim_create(scene, NULL, 1, &sim, &err);                         registers them with the world
 *
 * Part of libtrundle-io. A plug-in is a shared object with the function that TRU_PLUGIN_EXPORT (plugin.h) defines.
 * Only laws can be loaded: the arguments of shapes are not all public yet, and those of solvers and steppers are not.
 * The rules for every function in trundle.h apply. */
#ifndef TRUNDLE_PLUGINS_H
#define TRUNDLE_PLUGINS_H

#include <trundle/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- loading */

/* A set of plug-ins. Only the library sees its members. Scenes that were read with it must not outlive it. */
typedef struct tru_plugins tru_plugins;

/* A law of a set, and where it came from. */
typedef struct tru_plugin_info {
    const tru_law *law; /* valid as long as the set */
    const char *path;   /* path of its file, as it was given; "" for a law of the program itself */
    uint64_t hash;      /* of the bytes of that file; 0 for a law of the program itself */
} tru_plugin_info;

/* Creates an empty set. The caller frees *out with tru_plugins_free. */
TRU_API tru_status tru_plugins_create(tru_plugins **out, tru_error *err);
/* Frees a set and unloads its files. Scenes, simulations and worlds with their laws must be freed before. */
TRU_API void tru_plugins_free(tru_plugins *plugins);
/* Loads a shared object and adds its laws, all or none. This runs code of the file in the calling process.
 * A path without a slash is a file of the current folder.
 * Returns TRU_FILE if it cannot be read or is not a plug-in, TRU_REFUSED if it has another interface version.
 * Returns TRU_CONFLICT if a name is taken, or the failure of tru_law_check. */
TRU_API tru_status tru_plugins_load(tru_plugins *plugins, const char *path, tru_error *err);
/* Adds a law of the program itself, so that scenes may name it. The descriptor must outlive the set.
 * Returns TRU_CONFLICT if the name is taken, or the failure of tru_law_check. */
TRU_API tru_status tru_plugins_add(tru_plugins *plugins, const tru_law *law, tru_error *err);
/* Reads the k-th law of a set. Returns false past the end. NULL is an empty set. */
TRU_API bool tru_plugins_at(const tru_plugins *plugins, size_t k, tru_plugin_info *out);

/* ---- scenes and results that name such laws */

/* Reads a scene as tru_scene_read does. Its law blocks may also name the laws of the set, which may be NULL. */
TRU_API tru_status tru_scene_read_with(const tru_plugins *plugins, const char *path, const tru_set *sets,
                                       size_t set_count, tru_scene **out, tru_error *err);
/* Reads a scene as tru_scene_parse does, with the laws of the set, which may be NULL. */
TRU_API tru_status tru_scene_parse_with(const tru_plugins *plugins, const char *text, size_t bytes, const char *name,
                                        const tru_set *sets, size_t set_count, tru_scene **out, tru_error *err);
/* Returns the set that a scene was read with, or NULL. */
TRU_API const tru_plugins *tru_scene_plugins(const tru_scene *scene);
/* Reads the scene of results as tru_results_scene does, with the laws of the set, which may be NULL. */
TRU_API tru_status tru_results_scene_with(const tru_plugins *plugins, const char *dir, tru_scene **scene, char *stepper,
                                          size_t room, tru_error *err);
/* Compares the set with the plug-ins that the results in `dir` name.
 * Returns TRU_REFUSED if one is missing or its file has other bytes, TRU_OK for a folder without results. */
TRU_API tru_status tru_results_check_plugins(const tru_plugins *plugins, const char *dir, tru_error *err);
/* Sets the laws that runs of a report may name, so that it can draw their sets. The set must outlive the report. */
TRU_API void tru_report_set_plugins(tru_report *report, const tru_plugins *plugins);

/* ---- properties that every law must have */

/* Number of properties that tru_law_verify tries. */
enum { TRU_LAW_PROPERTIES = 12 };
/* A property, and whether a law has it. */
typedef struct tru_law_verdict {
    const char *property; /* what must hold; static text */
    bool holds;           /* true also if the property does not apply to the law */
    int32_t tried;        /* number of random draws or of runs; 0: the property does not apply to the law */
    char text[300];       /* what was tried, or the first counterexample */
} tru_law_verdict;
/* Tries the properties of a law: projection, support, derivatives, honesty of each coefficient, units, ledger.
 * Parameters come from its field table, random numbers from `seed`. It calls every function of the law.
 * Returns TRU_OK with all verdicts, or the failure of tru_law_check. */
TRU_API tru_status tru_law_verify(const tru_law *law, uint64_t seed, tru_law_verdict verdicts[TRU_LAW_PROPERTIES],
                                  tru_error *err);

#ifdef __cplusplus
}
#endif
#endif
