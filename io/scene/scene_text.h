/* scene_text.h: the resolved scene as text: numbers in SI with their units, every default visible. */
#ifndef TRUNDLE_IO_SCENE_TEXT_H
#define TRUNDLE_IO_SCENE_TEXT_H

#include "scene/values/scene_model.h"

/* Where text goes: kept, or only hashed. */
typedef struct sink {
    char *text; /* ends with a zero byte when kept */
    size_t count, room;
    uint64_t hash; /* FNV-1a of all bytes */
    bool keep, failed;
    const name_finder *names; /* of parameters, which units must not be taken for; NULL: there are none */
} sink;
sink trio_sink_begin(bool keep);
void trio_sink_put(sink *out, const char *text);
__attribute__((format(printf, 2, 3))) void trio_sink_print(sink *out, const char *format, ...);

/* The whole, or all but the bodies; false without memory. */
bool trio_scene_write(const scene_model *m, bool bodies, sink *out);

#endif
