// A program outside the tree: finds the installed headers and library, and checks that they belong together.
#include <stdio.h>
#include <string.h>
#include <trundle/plugin.h>
#include <trundle/trundle.h>

int main(int argc, char **argv) {
    if (argc != 2 || strcmp(tru_version(), argv[1]) != 0) {
        fprintf(stderr, "library is version %s\n", tru_version());
        return 1;
    }
    printf("trundle %s: %s\n", tru_version(), tru_status_text(TRU_OK));
    return 0;
}
