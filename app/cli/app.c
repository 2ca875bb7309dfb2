/* app.c: messages, terminal, and the files that come with the program. */
#include "app.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

int exit_code_of(tru_status status) {
    switch (status) {
    case TRU_OK:
    case TRU_UNCONVERGED:
    case TRU_REMARK:
        return EXIT_GOOD;
    case TRU_NOT_FINITE:
    case TRU_NO_SOLUTION:
        return EXIT_NUMERICAL;
    case TRU_NO_MEMORY:
    case TRU_FILE:
        return EXIT_SYSTEM;
    default:
        return EXIT_INPUT;
    }
}

int complain(const tru_error *err) {
    char *text = one_line(err->text);
    say(stderr, "trundle: %s\n", text);
    free(text);
    return exit_code_of(err->status);
}

void remark_on(tru_status status, const tru_error *err) {
    if (status <= 0) return;
    char *text = one_line(err->text);
    say(stderr, "trundle: remark: %s\n", text);
    free(text);
}

/* ---- output ---- */

int print_json(tru_json *json) {
    const char *text = json ? tru_json_done(json) : NULL;
    if (!text) no_memory();
    bool good = fputs(text, stdout) >= 0 && fflush(stdout) == 0;
    tru_json_free(json);
    if (!good) perror("trundle: standard output");
    return good ? EXIT_GOOD : EXIT_SYSTEM;
}

/* ---- clock and terminal ---- */

double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double thread_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

size_t processors(void) {
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (size_t)n : 1;
}

int terminal_width(FILE *stream) {
    struct winsize size;
    if (!isatty(fileno(stream))) return 0;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 80;
    return size.ws_col;
}

/* Reads the environment instead of setting a locale, because numbers must keep their decimal point. */
bool terminal_utf8(FILE *stream) {
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    if (!isatty(fileno(stream))) return false;
    for (size_t i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8");
    }
    return false;
}

/* ---- files that come with the program ---- */

static char *below(const char *folder, const char *name) {
    char *path = need_text("%s/%s", folder, name);
    if (access(path, R_OK) == 0) return path;
    free(path);
    return NULL;
}

/* Installed: PREFIX/bin/trundle and PREFIX/share/trundle. In the source tree: build/PRESET/bin/trundle. */
char *data_path(const char *name) {
    const char *places[] = {"../share/trundle", "../../.."};
    const char *chosen = getenv("TRUNDLE_DATA");
    char self[4096];
    if (chosen && *chosen) return below(chosen, name);
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return NULL;
    self[length] = '\0';
    char *slash = strrchr(self, '/');
    if (slash) *slash = '\0';
    for (size_t i = 0; i < 2; i++) {
        char *folder = need_text("%s/%s", self, places[i]);
        char *path = below(folder, name);
        free(folder);
        if (!path) continue;
        char *clean = realpath(path, NULL);
        if (!clean) return path;
        free(path);
        return clean;
    }
    return NULL;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Collects *.yaml of a folder and of its subfolders, which precede the name. */
static void collect_names(const char *path, const char *prefix, int depth, char ***names, size_t *count) {
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *name = entry->d_name, *dot = strrchr(name, '.');
        if (*name == '.') continue;
        if (dot && strcmp(dot, ".yaml") == 0) {
            *names = need_more(*names, *count + 1, sizeof **names);
            (*names)[(*count)++] = need_text("%s%.*s", prefix, (int)(dot - name), name);
        } else if (depth > 0) {
            char *below_path = need_text("%s/%s", path, name), *below_prefix = need_text("%s%s/", prefix, name);
            collect_names(below_path, below_prefix, depth - 1, names, count);
            free(below_path);
            free(below_prefix);
        }
    }
    if (dir) closedir(dir);
}

size_t data_names(const char *folder, char ***names) {
    size_t count = 0;
    char *path = data_path(folder);
    *names = NULL;
    if (path) collect_names(path, "", 3, names, &count);
    free(path);
    if (count) qsort(*names, count, sizeof **names, by_name);
    return count;
}

void names_free(char **names, size_t count) {
    for (size_t i = 0; i < count; i++) free(names[i]);
    free(names);
}

static const char *last_part(const char *name) { return strrchr(name, '/') ? strrchr(name, '/') + 1 : name; }

/* The path of "examples/sliding-ball", or of its last part if no other scene has the same; NULL if there is none. */
static char *scene_by_name(const char *operand) {
    char **names, *path = NULL;
    const size_t count = data_names("scenes", &names);
    const char *found = NULL;
    bool exact = false, several = false;
    for (size_t k = 0; k < count && !exact; k++) {
        exact = strcmp(names[k], operand) == 0;
        if (!exact && strcmp(last_part(names[k]), operand) != 0) continue;
        several = !exact && found;
        found = names[k];
    }
    if (found && !several) {
        char *relative = need_text("scenes/%s.yaml", found);
        path = data_path(relative);
        free(relative);
    }
    names_free(names, count);
    return path;
}

char *scene_path(const char *operand) {
    char *path = access(operand, F_OK) != 0 ? scene_by_name(operand) : NULL;
    return path ? path : need_text("%s", operand);
}

/* "scenes cone/stack-10, bench/stack-10 have the name stack-10": prints this and returns true if several have it. */
static bool list_namesakes(const char *operand, char *const *names, size_t count) {
    char *list = need_text("%s", "");
    size_t found = 0;
    for (size_t k = 0; k < count; k++) {
        if (strcmp(last_part(names[k]), operand) != 0) continue;
        char *longer = need_text("%s%s%s", list, found++ ? ", " : "", names[k]);
        free(list);
        list = longer;
    }
    if (found > 1) say(stderr, "trundle: %zu scenes are called '%s': write %s\n", found, operand, list);
    free(list);
    return found > 1;
}

/* If no file has this path: prints which scenes of the program have this name, or the nearest one. False: nothing is near. */
static bool suggest_scene(const char *operand, const char *path) {
    char **names;
    if (access(path, F_OK) == 0) return false;
    const size_t count = data_names("scenes", &names);
    if (list_namesakes(operand, names, count)) {
        names_free(names, count);
        return true;
    }
    const char **both = need(2 * count, sizeof *both);
    for (size_t k = 0; k < count; k++) {
        both[k] = names[k];
        both[count + k] = last_part(names[k]);
    }
    const char *near = tru_nearest_name(operand, both, 2 * count);
    if (near)
        say(stderr, "trundle: no file '%s' and no scene of that name; the nearest is %s (trundle list scenes)\n",
            operand, near);
    free(both);
    names_free(names, count);
    return near != NULL;
}

tru_scene *scene_open(const args *a, int *code) {
    const size_t count = args_times(a, "set");
    tru_set *sets = need(count, sizeof *sets);
    tru_scene *scene = NULL;
    tru_error err;
    for (size_t k = 0; k < count; k++) {
        char *path = need_text("%s", args_nth(a, "set", k));
        char *equals = strchr(path, '='); /* the option table has checked that it exists */
        *equals = '\0';
        sets[k] = (tru_set){path, equals + 1};
    }
    char *path = scene_path(a->operands[0]);
    tru_status status = tru_scene_read(path, sets, count, &scene, &err);
    *code = EXIT_GOOD;
    if (status < 0) *code = suggest_scene(a->operands[0], path) ? exit_code_of(status) : complain(&err);
    for (size_t k = 0; k < count; k++) free((void *)sets[k].path);
    free(sets);
    free(path);
    return status < 0 ? NULL : scene;
}

char *out_folder(const args *a, const tru_scene *scene, const char *ending) {
    const char *out = args_text(a, "out");
    if (out && strcmp(out, "none") == 0) return NULL;
    return out ? need_text("%s", out) : need_text("%s.%s", tru_scene_name(scene), ending);
}
