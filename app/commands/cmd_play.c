/* cmd_play.c: "trundle play": writes the playground with a scene inside, and opens it in a browser. */
#include "cli/app.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCENE_MARK "<!--trundle-scene-->" /* marks where the page receives the scene that it shows first */

extern char **environ;

/* Returns the text of a file, terminated by zero, which the caller frees. NULL and errno if it cannot be read. */
static char *read_text(const char *path) {
    size_t count = 0, room = 1 << 16;
    FILE *in = fopen(path, "rb");
    char *text = in ? malloc(room) : NULL;
    while (text && !feof(in) && !ferror(in)) {
        count += fread(text + count, 1, room - count - 1, in);
        char *more = count + 1 < room ? text : realloc(text, room *= 2);
        if (!more) free(text);
        text = more;
    }
    if (text) text[count] = '\0';
    if (in) fclose(in);
    return text;
}

/* ---- the page ---- */

/* Returns the page that `make playground` builds: installed, or in the build folder of the source tree. */
static char *find_page(void) {
    char *path = data_path("playground.html");
    return path ? path : data_path("build/playground.html");
}

/* Writes JSON so that no text of a scene ends the script element around it. */
static void write_json(FILE *out, const char *json) {
    for (; *json; json++) {
        if (*json == '<')
            fputs("\\u003c", out);
        else
            fputc(*json, out);
    }
}

/* Returns the scene of the first operand as JSON, which the caller frees with tru_json_free; NULL without an operand, or
 * after a sentence and with an exit code. */
static tru_json *scene_json(const args *a, int *code) {
    tru_scene *scene = a->operand_count ? scene_open(a, code) : NULL;
    if (!scene) return NULL;
    char *path = scene_path(a->operands[0]), *text = read_text(path);
    const char *title = tru_scene_title(scene);
    tru_json *j = tru_json_begin();
    if (!j || !text) no_memory();
    tru_json_object(j, NULL);
    tru_json_text(j, "name", a->operands[0]);
    tru_json_text(j, "title", title && *title ? title : a->operands[0]);
    tru_json_text(j, "text", text);
    if (!tru_json_done(j)) no_memory();
    free(text);
    free(path);
    tru_scene_free(scene);
    return j;
}

/* Writes the page, with a scene unless it is NULL. */
static void write_page(FILE *out, const char *page, tru_json *scene) {
    const char *mark = strstr(page, SCENE_MARK);
    fwrite(page, 1, (size_t)(mark - page), out);
    if (scene) {
        fputs("<script type=\"application/json\" id=\"trundle-scene\">", out);
        write_json(out, tru_json_done(scene));
        fputs("</script>", out);
    }
    fputs(mark + strlen(SCENE_MARK), out);
}

/* Returns the text of the page, which the caller frees. Prints a sentence and returns NULL if it cannot be used. */
static char *open_page(void) {
    char *path = find_page(), *page = path ? read_text(path) : NULL;
    free(path);
    if (page && strstr(page, SCENE_MARK)) return page;
    if (page)
        say(stderr, "trundle: the playground is damaged: it has no place for a scene; 'make playground' builds it\n");
    else
        say(stderr, "trundle: playground.html is not built; 'make playground' in the source tree builds it\n");
    free(page);
    return NULL;
}

/* ---- the file ---- */

/* Opens the file that is written: that of --out, otherwise a new temporary one. Stores its name, which the caller frees. */
static FILE *open_out(const args *a, char **path) {
    const char *asked = args_text(a, "out");
    *path = need_text("%s", asked ? asked : "/tmp/trundle-play-XXXXXX.html");
    const int file = asked ? open(asked, O_WRONLY | O_CREAT | O_TRUNC, 0666) : mkstemps(*path, 5);
    FILE *out = file >= 0 ? fdopen(file, "wb") : NULL;
    if (!out) say(stderr, "trundle: %s: cannot be written: %s\n", *path, strerror(errno));
    return out;
}

/* Starts the user's browser. Returns false where there is no screen, or no xdg-open. */
static bool open_browser(const char *address) {
    const char *display = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    char program[] = "xdg-open", *argument = need_text("%s", address);
    char *const words[] = {program, argument, NULL};
    posix_spawn_file_actions_t quiet;
    pid_t child;
    bool opened = false;
    if ((display && *display) || (wayland && *wayland)) {
        posix_spawn_file_actions_init(&quiet);
        posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
        opened = posix_spawnp(&child, program, &quiet, NULL, words, environ) == 0;
        posix_spawn_file_actions_destroy(&quiet);
    }
    free(argument);
    return opened;
}

/* Prints the address of the page and shows it. */
static void show(const char *path) {
    char *full = realpath(path, NULL), *address = need_text("file://%s", full ? full : path);
    say(stdout, "playground: %s\n", address);
    if (!open_browser(address))
        say(stdout, "Open this address in a browser; there is none that trundle could start.\n");
    free(address);
    free(full);
}

/* Writes the file and says where it is. */
static int write_file(const args *a, const char *page, tru_json *scene) {
    char *path = NULL;
    FILE *out = open_out(a, &path);
    if (out) write_page(out, page, scene);
    const bool written = out && !ferror(out);
    const bool closed = out && fclose(out) == 0;
    if (out && !(written && closed)) say(stderr, "trundle: %s: cannot be written: %s\n", path, strerror(errno));
    if (written && closed) show(path);
    free(path);
    return written && closed ? EXIT_GOOD : EXIT_SYSTEM;
}

int cmd_play(const args *a) {
    int code = EXIT_GOOD;
    char *page = open_page();
    if (!page) return EXIT_SYSTEM;
    tru_json *scene = scene_json(a, &code);
    if (code == EXIT_GOOD) code = write_file(a, page, scene);
    tru_json_free(scene);
    free(page);
    return code;
}
