/* plugins_load.c: shared objects with laws, loaded and unloaded. Only this file needs dlopen. */
#include "plugins.h"

#include "common/fail.h"
#include "common/file.h"
#include "common/grow.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A shared object that is being loaded. */
typedef struct opened {
    char *path;
    void *handle;
    uint64_t hash;
    const tru_plugin *plugin;
} opened;

static void close_file(opened *o) {
    if (o->handle) dlclose(o->handle);
    free(o->path);
}

/* FNV-1a of the bytes of a file. */
static tru_status hash_file(const char *path, uint64_t *hash, tru_error *err) {
    unsigned char *bytes = NULL;
    size_t count = 0;
    const tru_status s = trio_file_read(path, &bytes, &count, err);
    *hash = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; s >= 0 && k < count; k++) *hash = (*hash ^ bytes[k]) * UINT64_C(0x100000001b3);
    free(bytes);
    return s;
}

/* Calls dlopen. A path without a slash would be looked for in the folders of the system, so "./" is put before it. */
static tru_status open_object(opened *o, tru_error *err) {
    const bool bare = !strchr(o->path, '/');
    const size_t room = strlen(o->path) + 3;
    char *path = malloc(room);
    if (!path) return trio_no_memory(err);
    snprintf(path, room, "%s%s", bare ? "./" : "", o->path);
    o->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *why = o->handle ? NULL : dlerror(), *text = why ? why : "";
    if (strncmp(text, path, strlen(path)) == 0 && strncmp(text + strlen(path), ": ", 2) == 0) text += strlen(path) + 2;
    const tru_status s =
        o->handle ? TRU_OK : trio_fail(err, TRU_FILE, "%s: cannot be loaded as a shared object: %s", o->path, text);
    free(path);
    return s;
}

/* Calls the function of the plug-in, and checks its answer. */
static tru_status ask(opened *o, tru_error *err) {
    union {
        void *symbol;
        const tru_plugin *(*function)(void);
    } entry = {dlsym(o->handle, TRU_PLUGIN_FUNCTION)};
    if (!entry.symbol)
        return trio_fail(err, TRU_FILE, "%s: is not a plug-in: function %s is missing (TRU_PLUGIN_EXPORT defines it)",
                         o->path, TRU_PLUGIN_FUNCTION);
    o->plugin = entry.function();
    if (!o->plugin)
        return trio_fail(err, TRU_BAD_ARGUMENT, "%s: function %s returned NULL, must be a plug-in", o->path,
                         TRU_PLUGIN_FUNCTION);
    if (o->plugin->interface_version != TRU_PLUGIN_INTERFACE)
        return trio_fail(
            err, TRU_REFUSED,
            "%s: interface of the plug-in is %d (of trundle %s), must be %d (of trundle %s); compile it again", o->path,
            (int)o->plugin->interface_version, o->plugin->version, (int)TRU_PLUGIN_INTERFACE, tru_version());
    if (!o->plugin->laws || !o->plugin->laws[0])
        return trio_fail(err, TRU_BAD_ARGUMENT, "%s: number of laws is 0, must be at least 1", o->path);
    return TRU_OK;
}

/* Adds all laws of a plug-in, or none. */
static tru_status add_laws(tru_plugins *p, const opened *o, tru_error *err) {
    const size_t before = p->law_count;
    tru_error inner;
    tru_status s = TRU_OK;
    for (size_t k = 0; s >= 0 && o->plugin->laws[k]; k++)
        s = trio_plugins_append(p, o->plugin->laws[k], o->path, o->hash, &inner);
    if (s >= 0) return s;
    p->law_count = before;
    return trio_fail(err, s, "%s: %s", o->path, inner.text);
}

tru_status tru_plugins_load(tru_plugins *p, const char *path, tru_error *err) {
    opened o = {0};
    if (!p || !path || !*path) return trio_fail(err, TRU_BAD_ARGUMENT, "tru_plugins_load needs a set and a path");
    o.path = malloc(strlen(path) + 1);
    if (!o.path) return trio_no_memory(err);
    strcpy(o.path, path);
    tru_status s = hash_file(path, &o.hash, err);
    if (s >= 0) s = open_object(&o, err);
    if (s >= 0) s = ask(&o, err);
    if (s >= 0 && !(GROW(p->files, p->file_room, p->file_count + 1) && GROW(p->paths, p->path_room, p->file_count + 1)))
        s = trio_no_memory(err);
    if (s >= 0) s = add_laws(p, &o, err);
    if (s < 0) {
        close_file(&o);
        return s;
    }
    p->files[p->file_count] = o.handle;
    p->paths[p->file_count++] = o.path;
    return TRU_OK;
}

void tru_plugins_free(tru_plugins *p) {
    if (!p) return;
    for (size_t k = 0; k < p->file_count; k++) {
        dlclose(p->files[k]);
        free(p->paths[k]);
    }
    free(p->files);
    free(p->paths);
    free(p->laws);
    free(p);
}
