/* check_plugin.c: verdicts about the laws of plug-ins, as a table or as JSON. */
#include "check_plugin.h"

#include "cli/plugin_files.h"
#include "text/table.h"

#include <inttypes.h>

/* Returns the number of properties that do not hold. */
static size_t tell_law(const tru_plugin_info *info, const tru_law_verdict *verdicts) {
    static const char *const heads[] = {"property", "verdict", ""};
    size_t wrong = 0;
    say(stdout, "law %s of %s, hash %016" PRIx64 "\n%s\n\n", info->law->name, info->path, info->hash, info->law->doc);
    table *t = table_new(heads, 3, "lll");
    for (int k = 0; k < TRU_LAW_PROPERTIES; k++) {
        const tru_law_verdict *v = &verdicts[k];
        table_cell(t, "%s", v->property);
        table_cell(t, "%s", !v->holds ? "NO" : v->tried > 0 ? "holds" : "-");
        table_cell(t, "%s", v->text);
        wrong += !v->holds;
    }
    table_print(t, stdout, terminal_width(stdout), 2);
    return wrong;
}

static size_t law_json(tru_json *j, const tru_plugin_info *info, const tru_law_verdict *verdicts) {
    char hash[20];
    size_t wrong = 0;
    snprintf(hash, sizeof hash, "%016" PRIx64, info->hash);
    tru_json_object(j, NULL);
    tru_json_text(j, "law", info->law->name);
    tru_json_text(j, "path", info->path);
    tru_json_text(j, "hash", hash);
    tru_json_array(j, "properties");
    for (int k = 0; k < TRU_LAW_PROPERTIES; k++) {
        tru_json_object(j, NULL);
        tru_json_text(j, "property", verdicts[k].property);
        tru_json_bool(j, "holds", verdicts[k].holds);
        tru_json_integer(j, "tried", verdicts[k].tried);
        tru_json_text(j, "text", verdicts[k].text);
        tru_json_close(j);
        wrong += !verdicts[k].holds;
    }
    tru_json_close(j);
    tru_json_close(j);
    return wrong;
}

int check_plugin(const args *a) {
    tru_law_verdict verdicts[TRU_LAW_PROPERTIES];
    tru_plugin_info info;
    tru_error err;
    size_t wrong = 0;
    tru_json *json = args_flag(a, "json") ? tru_json_begin() : NULL;
    if (json) tru_json_array(json, NULL);
    for (size_t k = 0; tru_plugins_at(a->plugins, k, &info); k++) {
        if (tru_law_verify(info.law, PLUGIN_SEED, verdicts, &err) < 0) {
            tru_json_free(json);
            return complain(&err);
        }
        if (!json && k > 0) fputc('\n', stdout);
        wrong += json ? law_json(json, &info, verdicts) : tell_law(&info, verdicts);
    }
    if (!json) say(stdout, wrong ? "\n%zu properties do not hold\n" : "\nall properties hold\n", wrong);
    const int code = json ? print_json(json) : EXIT_GOOD;
    return code == EXIT_GOOD && wrong ? EXIT_INPUT : code;
}
