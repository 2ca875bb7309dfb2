/* results_scene.h: the plug-ins that a file of results names. */
#ifndef TRUNDLE_IO_RESULTS_SCENE_H
#define TRUNDLE_IO_RESULTS_SCENE_H

#include "run_file.h"

#include <trundle/plugins.h>

/* Refuses a set of plug-ins that lacks a law of the run in a file; `path` begins the sentence. */
tru_status trio_results_check_plugins(hid_t file, const tru_plugins *plugins, const char *path, tru_error *err);

#endif
