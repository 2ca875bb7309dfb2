/* check_plugin.h: "trundle check --plugin FILE" without a scene: every property of every law of the file. */
#ifndef TRUNDLE_APP_CHECK_PLUGIN_H
#define TRUNDLE_APP_CHECK_PLUGIN_H

#include "cli/app.h"

/* Prints a verdict per property. Returns EXIT_GOOD if all hold, else EXIT_INPUT. */
int check_plugin(const args *a);

#endif
