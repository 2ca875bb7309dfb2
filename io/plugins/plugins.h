/* plugins.h: the inside of a set of plug-ins. */
#ifndef TRUNDLE_IO_PLUGINS_H
#define TRUNDLE_IO_PLUGINS_H

#include <trundle/plugins.h>

struct tru_plugins {
    tru_plugin_info *laws;
    size_t law_count, law_room;
    void **files; /* handles of dlopen */
    char **paths; /* of these files, as they were given */
    size_t file_count, file_room, path_room;
};

/* Adds a law with the file that it came from; `path` must outlive the set. */
tru_status trio_plugins_append(tru_plugins *p, const tru_law *law, const char *path, uint64_t hash, tru_error *err);

/* Returns the name, hash and path of every loaded law, one per line: "wear 0123456789abcdef ./wear.so". The caller frees it;
 * NULL if memory ran out. */
char *trio_plugins_text(const tru_plugins *p);
/* Refuses a set that lacks a law of such a text, or has it from a file with other bytes. `place` begins the sentence. */
tru_status trio_plugins_check_text(const tru_plugins *p, const char *text, const char *place, tru_error *err);

#endif
