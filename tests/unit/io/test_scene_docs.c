/* docs/reference/scene.md: its reference is what the tables say, and its example scenes are good. TRU_WRITE_DOCS=1 rewrites the
 * reference. */
#include "scene_text.h"

#include "scene/scene_reference.h"

#define DOCS TRUNDLE_SOURCE_DIR "/docs/reference/scene.md"
#define MARK "<!-- from here on written by tests/unit/io/test_scene_docs.c: TRU_WRITE_DOCS=1 rewrites it -->\n"

static char *read_docs(void) {
    static char text[400000];
    FILE *f = fopen(DOCS, "rb");
    if (!check(f != NULL)) return NULL;
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return text;
}

static void write_docs(const char *tour, size_t length, const char *reference) {
    FILE *f = fopen(DOCS, "wb");
    if (!check(f != NULL)) return;
    fwrite(tour, 1, length, f);
    fputs(reference, f);
    fclose(f);
}

TEST(the_reference_is_what_the_tables_say) {
    sink out = trio_sink_begin(true);
    trio_scene_reference(&out);
    char *docs = read_docs(), *mark = docs ? strstr(docs, MARK) : NULL;
    if (!check(mark != NULL && !out.failed)) return;
    mark += strlen(MARK);
    if (getenv("TRU_WRITE_DOCS")) {
        write_docs(docs, (size_t)(mark - docs), out.text);
        mark = strstr(read_docs(), MARK) + strlen(MARK);
    }
    if (!check(strcmp(mark, out.text) == 0)) printf("  TRU_WRITE_DOCS=1 %s rewrites it\n", "unit.io.scene_docs");
    free(out.text);
}

/* Pieces between ```yaml and ```: whole scenes must run; the others complete a small scene. */
TEST(the_examples_of_the_tour_are_good) {
    char *docs = read_docs();
    int scenes = 0;
    for (char *at = docs ? strstr(docs, "```yaml\n") : NULL; at; at = strstr(at, "```yaml\n")) {
        at += strlen("```yaml\n");
        char *stop = strstr(at, "```");
        if (!check(stop != NULL)) return;
        *stop = '\0';
        if (strncmp(at, "trundle: 1", 10) == 0) {
            tru_scene *s = scene_of(at);
            if (s) tru_world_destroy(world_of(s, NULL));
            tru_scene_free(s);
            scenes++;
        }
        at = stop + 3;
    }
    check(scenes >= 2);
}
