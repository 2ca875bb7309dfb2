/* plugin.c: loads the law of grip.c from a shared object and tries its properties. usage: plugin ./grip.so */
#include "scene.h"

#include <trundle/plugins.h>

int main(int argc, char **argv) {
    tru_error err;
    tru_plugins *laws;
    tru_plugin_info info;
    if (argc != 2) return fprintf(stderr, "usage: plugin FILE\n"), 2;
    must(tru_plugins_create(&laws, &err), &err);
    must(tru_plugins_load(laws, argv[1], &err), &err);
    for (size_t k = 0; tru_plugins_at(laws, k, &info); k++) {
        tru_law_verdict verdicts[TRU_LAW_PROPERTIES];
        int hold = 0, tried = 0;
        printf("law %s: %s\n", info.law->name, info.law->doc);
        must(tru_law_verify(info.law, 1, verdicts, &err), &err);
        for (int i = 0; i < TRU_LAW_PROPERTIES; i++) {
            tried += verdicts[i].tried > 0;
            hold += verdicts[i].tried > 0 && verdicts[i].holds;
            if (!verdicts[i].holds) printf("  %s: %s\n", verdicts[i].property, verdicts[i].text);
        }
        printf("%s\n", hold == tried && tried > 0 ? "every property that applies holds" : "a property does not hold");
    }
    if (tru_plugins_load(laws, argv[1], &err) < 0) printf("a second time: %s\n", strrchr(err.text, ':') + 2);
    tru_plugins_free(laws);
    return 0;
}
