/* scene_text.h: the resolved scene as text: numbers in SI with their units, every default visible. */
#ifndef TRUNDLE_IO_SCENE_TEXT_H
#define TRUNDLE_IO_SCENE_TEXT_H

#include "scene/values/scene_model.h"

/* Receives text: keeps it, or only hashes it. */
typedef struct sink {
    char *text; /* ends with a zero byte when kept */
    size_t count, room;
    uint64_t hash; /* FNV-1a of all bytes */
    bool keep, failed;
    const name_finder *names; /* names of parameters, which have priority over units; NULL if there are none */
} sink;
sink trio_sink_begin(bool keep);
void trio_sink_put(sink *out, const char *text);
__attribute__((format(printf, 2, 3))) void trio_sink_print(sink *out, const char *format, ...);

/* Writes the whole scene, or all but the bodies. Returns false if memory ran out. */
bool trio_scene_write(const scene_model *m, bool bodies, sink *out);

#endif
