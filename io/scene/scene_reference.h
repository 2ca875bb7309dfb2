/* scene_reference.h: the reference of the scene format, written from the tables that read it. */
#ifndef TRUNDLE_IO_SCENE_REFERENCE_H
#define TRUNDLE_IO_SCENE_REFERENCE_H

#include "scene_text.h"

/* Writes Markdown: a table for every block and every plug-in. */
void trio_scene_reference(sink *out);

#endif
