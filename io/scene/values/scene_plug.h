/* scene_plug.h: plug-ins of every kind by name, as the reader of scenes sees them. */
#ifndef TRUNDLE_IO_SCENE_PLUG_H
#define TRUNDLE_IO_SCENE_PLUG_H

#include "scene_reader.h"

/* Writes the k-th plug-in of a kind to *out: "shape", "law", "solver", "stepper", "place", "sizes". Laws of the tree's plug-ins
 * follow the built-in ones; NULL means no tree. False past the end. */
bool trio_plug_at(const tree *t, const char *kind, size_t k, plug *out);
bool trio_plug_named(const tree *t, const char *kind, const char *name, plug *out);

#endif
