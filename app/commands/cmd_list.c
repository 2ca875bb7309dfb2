/* cmd_list.c: "trundle list": what exists, from the registries, the probe table and the data folder. */
#include "cli/app.h"
#include "describe/describe.h"
#include "text/table.h"

#include <stdlib.h>
#include <string.h>

/* One thing of a kind. `text` belongs to the list; name and doc may be parts of it. */
typedef struct entry {
    const char *name, *unit, *doc;
    const tru_field *fields;
    bool has_fields;
} entry;

typedef struct entries {
    entry *items;
    size_t count;
    char **texts; /* owned */
    size_t text_count;
    const tru_plugins *plugins; /* whose laws follow the built-in ones */
} entries;

static void add(entries *list, entry e) {
    list->items = need_more(list->items, list->count + 1, sizeof *list->items);
    list->items[list->count++] = e;
}

static const char *keep(entries *list, char *text) {
    list->texts = need_more(list->texts, list->text_count + 1, sizeof *list->texts);
    return list->texts[list->text_count++] = text;
}

/* ---- one collector per kind ---- */

#define COLLECT_PLUGINS(kind, at)                                                                                      \
    static void collect_##kind(entries *list) {                                                                        \
        for (size_t k = 0; at(k); k++) add(list, (entry){at(k)->name, NULL, at(k)->doc, at(k)->fields, true});         \
    }
COLLECT_PLUGINS(shapes, tru_shape_at)
COLLECT_PLUGINS(joints, tru_joint_at)
COLLECT_PLUGINS(solvers, tru_solver_at)
COLLECT_PLUGINS(steppers, tru_stepper_at)

static void collect_laws(entries *list) {
    const tru_law *law;
    for (size_t k = 0; (law = describe_law_at(list->plugins, k)) != NULL; k++)
        add(list, (entry){law->name, NULL, law->doc, law->fields, true});
}

static void collect_probes(entries *list) {
    for (const tru_probe_info *p = tru_probe_list(); p && p->name; p++)
        add(list, (entry){p->name, tru_unit_describe(p->unit).symbol, p->doc, NULL, false});
}

/* " kg m^2 s^-2" */
static char *powers(tru_unit_info u) {
    const char *const names[] = {"kg", "m", "s"};
    const int power[] = {u.kg, u.m, u.s};
    char *text = need(60, 1);
    for (int k = 0; k < 3; k++) {
        const size_t n = strlen(text);
        if (power[k] == 1) snprintf(text + n, 60 - n, " %s", names[k]);
        if (power[k] != 0 && power[k] != 1) snprintf(text + n, 60 - n, " %s^%d", names[k], power[k]);
    }
    return text;
}

/* Units are written as products of these; the reader itself says what they are worth. */
static void collect_units(entries *list) {
    static const char *const spellings[] = {"m",  "mm",  "cm",  "km",  "kg",     "g",   "t",      "s",
                                            "ms", "min", "h",   "Hz",  "N",      "kN",  "Pa",     "J",
                                            "W",  "rad", "deg", "rpm", "g/cm^3", "1/s", "m s^-2", "%"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        double scale;
        bool angle;
        tru_unit_info u;
        char value[40];
        if (!tru_unit_parse(spellings[i], &scale, &u, &angle)) continue;
        tru_unit_format(TRU_UNIT_ONE, scale, value, sizeof value);
        char *doc = need_text("%s%s%s", value, angle ? " rad" : "", keep(list, powers(u)));
        add(list, (entry){spellings[i], NULL, keep(list, doc), NULL, false});
    }
}

/* Reads the `title` of every YAML file in a data folder. */
static void collect_files(entries *list, const char *folder) {
    char **names;
    size_t count = data_names(folder, &names);
    for (size_t i = 0; i < count; i++) {
        tru_tree *tree = NULL;
        tru_error err;
        char *relative = need_text("%s/%s.yaml", folder, names[i]);
        char *path = data_path(relative);
        bool good = path && tru_tree_read(path, &tree, &err) >= 0;
        const char *title = good ? tru_tree_text(tru_tree_find(tree, "title")) : err.text;
        const char *name = keep(list, need_text("%s", names[i]));
        add(list, (entry){name, NULL, keep(list, need_text("%s", title ? title : "")), NULL, false});
        tru_tree_free(tree);
        free(path);
        free(relative);
    }
    names_free(names, count);
}
static void collect_scenes(entries *list) { collect_files(list, "scenes"); }
static void collect_papers(entries *list) { collect_files(list, "papers"); }

static const struct kind {
    const char *name;
    void (*collect)(entries *list);
    bool details; /* only if it is named */
} kinds[] = {
    {"shapes", collect_shapes, false},   {"laws", collect_laws, false},         {"joints", collect_joints, false},
    {"solvers", collect_solvers, false}, {"steppers", collect_steppers, false}, {"probes", collect_probes, true},
    {"units", collect_units, true},      {"scenes", collect_scenes, false},     {"papers", collect_papers, false},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- printing ---- */

static void entries_free(entries *list) {
    for (size_t i = 0; i < list->text_count; i++) free(list->texts[i]);
    free(list->texts);
    free(list->items);
}

static void print_entries(const entries *list) {
    static const char *const heads[] = {"", "", ""};
    bool units = list->count && list->items[0].unit;
    table *t = table_new(heads, units ? 3 : 2, "lll");
    for (size_t i = 0; i < list->count; i++) {
        table_cell(t, "%s", list->items[i].name);
        if (units) table_cell(t, "%s", list->items[i].unit);
        table_cell(t, "%s", list->items[i].doc);
    }
    table_print(t, stdout, terminal_width(stdout), 2);
}

static bool shows_laws(const struct kind *kind) {
    return strcmp(kind->name, "laws") == 0 || strcmp(kind->name, "steppers") == 0;
}

static void print_kind(const struct kind *kind, const tru_plugins *plugins, bool with_laws) {
    entries list = {.plugins = plugins};
    kind->collect(&list);
    say(stdout, "%s\n", kind->name);
    print_entries(&list);
    if (with_laws) {
        fputs("\nwhich stepper uses which law\n", stdout);
        describe_honesty(plugins, stdout);
    }
    if (strcmp(kind->name, "units") == 0)
        fputs("  Prefixes p n u m c d da h k M G T; products by space or *, quotients by /, powers by ^.\n", stdout);
    entries_free(&list);
}

static void kind_json(tru_json *json, const struct kind *kind, const tru_plugins *plugins, const entry *only) {
    entries list = {.plugins = plugins};
    kind->collect(&list);
    tru_json_array(json, kind->name);
    for (size_t i = 0; i < list.count; i++) {
        const entry *e = &list.items[i];
        if (only && strcmp(only->name, e->name) != 0) continue;
        tru_json_object(json, NULL);
        tru_json_text(json, "name", e->name);
        if (e->unit) tru_json_text(json, "unit", e->unit);
        tru_json_text(json, "doc", e->doc);
        if (e->has_fields) describe_fields_json(json, "fields", e->fields);
        tru_json_close(json);
    }
    tru_json_close(json);
    entries_free(&list);
}

/* ---- the command ---- */

static const struct kind *find_kind(const char *name) {
    const char *names[KINDS];
    for (size_t k = 0; k < KINDS; k++) {
        size_t length = strlen(kinds[k].name);
        names[k] = kinds[k].name;
        if (strcmp(name, kinds[k].name) == 0) return &kinds[k];
        if (strlen(name) == length - 1 && strncmp(name, kinds[k].name, length - 1) == 0) return &kinds[k]; /* "law" */
    }
    const char *near = tru_nearest_name(name, names, KINDS);
    say(stderr, "trundle list: unknown kind '%s'%s%s", name, near ? "; the nearest is " : "", near ? near : "");
    fputs(" (shapes, laws, solvers, steppers, probes, units, scenes, papers)\n", stderr);
    return NULL;
}

static const entry *find_entry(const struct kind *kind, const entries *list, const char *name) {
    const char **names = need(list->count, sizeof *names);
    const entry *found = NULL;
    for (size_t i = 0; i < list->count; i++) {
        names[i] = list->items[i].name;
        if (strcmp(name, names[i]) == 0) found = &list->items[i];
    }
    const char *near = found ? NULL : tru_nearest_name(name, names, list->count);
    if (!found)
        say(stderr, "trundle list: no '%s' among the %s%s%s\n", name, kind->name, near ? "; the nearest is " : "",
            near ? near : "");
    free(names);
    return found;
}

static int list_one(const struct kind *kind, const char *name, const tru_plugins *plugins, bool as_json) {
    entries list = {.plugins = plugins};
    kind->collect(&list);
    const entry *e = find_entry(kind, &list, name);
    int code = e ? EXIT_GOOD : EXIT_USAGE;
    if (e && as_json) {
        tru_json *json = tru_json_begin();
        tru_json_object(json, NULL);
        kind_json(json, kind, plugins, e);
        tru_json_close(json);
        code = print_json(json);
    } else if (e) {
        say(stdout, "%s%s%s%s: %s\n", e->name, e->unit ? " [" : "", e->unit ? e->unit : "", e->unit ? "]" : "", e->doc);
        if (e->has_fields) describe_fields(e->fields, stdout);
    }
    entries_free(&list);
    return code;
}

int cmd_list(const args *a) {
    const struct kind *kind = a->operand_count ? find_kind(a->operands[0]) : NULL;
    bool as_json = args_flag(a, "json");
    if (a->operand_count && !kind) return EXIT_USAGE;
    if (a->operand_count == 2) return list_one(kind, a->operands[1], a->plugins, as_json);
    if (as_json) {
        tru_json *json = tru_json_begin();
        tru_json_object(json, NULL);
        for (size_t k = 0; k < KINDS; k++)
            if (!kind || kind == &kinds[k]) kind_json(json, &kinds[k], a->plugins, NULL);
        if (!kind || shows_laws(kind)) describe_honesty_json(json, a->plugins, "law_by_stepper");
        tru_json_close(json);
        return print_json(json);
    }
    bool first = true;
    for (size_t k = 0; k < KINDS; k++) {
        if (kind && kind != &kinds[k]) continue;
        if (!kind && kinds[k].details) continue;
        if (!first) fputc('\n', stdout);
        print_kind(&kinds[k], a->plugins, kind ? shows_laws(kind) : strcmp(kinds[k].name, "steppers") == 0);
        first = false;
    }
    if (!kind) puts("\nalso: trundle list probes, trundle list units, trundle list KIND NAME");
    return EXIT_GOOD;
}
