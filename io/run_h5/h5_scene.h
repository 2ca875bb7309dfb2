/* h5_scene.h: what run.h5 says of the plug-ins of its run. */
#ifndef TRUNDLE_IO_H5_SCENE_H
#define TRUNDLE_IO_H5_SCENE_H

#include "h5/h5.h"

/* Returns the text of trio_plugins_text that a file of results holds, "" without plug-ins; NULL if memory ran out or the file is not
 * one of results. The caller frees it. */
char *trio_h5_plugin_text(hid_t file);

#endif
