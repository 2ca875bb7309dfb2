/* plugins.c: a set of laws from outside the library, and its identity as text in results. */
#include "plugins.h"

#include "common/fail.h"
#include "common/grow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tru_status tru_plugins_create(tru_plugins **out, tru_error *err) {
    if (!out) return trio_fail(err, TRU_BAD_ARGUMENT, "tru_plugins_create needs a place for the result");
    *out = calloc(1, sizeof **out);
    return *out ? TRU_OK : trio_no_memory(err);
}

bool tru_plugins_at(const tru_plugins *p, size_t k, tru_plugin_info *out) {
    if (!p || k >= p->law_count) return false;
    *out = p->laws[k];
    return true;
}

/* ---- adding ---- */

static bool is_built_in(const char *name) {
    for (size_t k = 0; tru_law_at(k); k++)
        if (strcmp(tru_law_at(k)->name, name) == 0) return true;
    return false;
}

static const tru_plugin_info *find_law(const tru_plugins *p, const char *name, size_t length) {
    for (size_t k = 0; p && k < p->law_count; k++)
        if (strlen(p->laws[k].law->name) == length && memcmp(p->laws[k].law->name, name, length) == 0)
            return &p->laws[k];
    return NULL;
}

tru_status trio_plugins_append(tru_plugins *p, const tru_law *law, const char *path, uint64_t hash, tru_error *err) {
    const tru_status s = tru_law_check(law, err);
    if (s < 0) return s;
    if (is_built_in(law->name)) return trio_fail(err, TRU_CONFLICT, "there is already a built-in law '%s'", law->name);
    const tru_plugin_info *other = find_law(p, law->name, strlen(law->name));
    if (other)
        return trio_fail(err, TRU_CONFLICT, "there is already a law '%s'%s%s", law->name, *other->path ? " of " : "",
                         other->path);
    if (!GROW(p->laws, p->law_room, p->law_count + 1)) return trio_no_memory(err);
    p->laws[p->law_count++] = (tru_plugin_info){law, path, hash};
    return TRU_OK;
}

tru_status tru_plugins_add(tru_plugins *p, const tru_law *law, tru_error *err) {
    if (!p || !law) return trio_fail(err, TRU_BAD_ARGUMENT, "tru_plugins_add needs a set and a law");
    return trio_plugins_append(p, law, "", 0, err);
}

/* ---- identity ---- */

char *trio_plugins_text(const tru_plugins *p) {
    size_t room = 1;
    for (size_t k = 0; p && k < p->law_count; k++)
        room += strlen(p->laws[k].law->name) + strlen(p->laws[k].path) + 20; /* hash, two spaces, end of line */
    char *text = calloc(room, 1);
    size_t used = 0;
    for (size_t k = 0; text && p && k < p->law_count; k++)
        used += (size_t)snprintf(text + used, room - used, "%s %016" PRIx64 " %s\n", p->laws[k].law->name,
                                 p->laws[k].hash, p->laws[k].path);
    return text;
}

/* Compares one line of such a text with the set. */
static tru_status check_line(const tru_plugins *p, const char *line, size_t length, const char *place, tru_error *err) {
    char name[64] = "", path[300] = "";
    uint64_t hash = 0;
    char copy[500];
    snprintf(copy, sizeof copy, "%.*s", (int)(length < 499 ? length : 499), line);
    if (sscanf(copy, "%63s %" SCNx64 " %299[^\n]", name, &hash, path) < 2) return TRU_OK;
    const tru_plugin_info *mine = find_law(p, name, strlen(name));
    if (!mine)
        return trio_fail(err, TRU_REFUSED, "%s: the run used law %s of plug-in %s, which is not loaded", place, name,
                         *path ? path : "of its program");
    if (mine->hash != hash)
        return trio_fail(err, TRU_REFUSED,
                         "%s: the run used law %s of plug-in %s with hash %016" PRIx64 ", but %s has %016" PRIx64,
                         place, name, path, hash, mine->path, mine->hash);
    return TRU_OK;
}

tru_status trio_plugins_check_text(const tru_plugins *p, const char *text, const char *place, tru_error *err) {
    tru_status s = TRU_OK;
    while (s >= 0 && text && *text) {
        const size_t length = strcspn(text, "\n");
        s = check_line(p, text, length, place, err);
        text += length + (text[length] == '\n');
    }
    return s;
}
