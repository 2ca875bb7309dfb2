// A program outside the tree that uses libtrundle-io as installed: its texts, and the core through it.
#include <string.h>
#include <trundle/io.h>

int main(int argc, char **argv) {
    tru_json *j = tru_json_begin();
    if (!j || argc != 2) return 1;
    tru_json_object(j, NULL);
    tru_json_text(j, "version", tru_version());
    tru_json_close(j);
    const char *text = tru_json_done(j);
    int found = text && strstr(text, "\"version\"") && strstr(text, argv[1]);
    tru_json_free(j);
    return found ? 0 : 1;
}
