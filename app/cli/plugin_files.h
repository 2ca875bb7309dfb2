/* plugin_files.h: the plug-ins of --plugin: tried in a process of their own, then loaded. */
#ifndef TRUNDLE_APP_PLUGIN_FILES_H
#define TRUNDLE_APP_PLUGIN_FILES_H

#include "args.h"

#include <trundle/plugins.h>

/* Seed of the random numbers of a trial. */
enum { PLUGIN_SEED = 1 };

/* Loads every file of --plugin and stores them in a->plugins, which stays NULL without the option. A file that crashes is noticed
 * before: another process tries it first. Returns an exit code; if it is not 0, a sentence was printed. */
int plugin_files_open(args *a);
void plugin_files_close(args *a);

#endif
