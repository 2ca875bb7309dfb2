/* test_results_docs.c: every kind of event is counted, every column of the results is documented and exported. */
#define _GNU_SOURCE
#include "check.h"
#include "folders.h"
#include "run_scenes.h"

#include "run_h5/h5_run.h"
#include "run_h5/results_layout.h"
#include "sim/sim_events.h"

#define DOCS TRUNDLE_SOURCE_DIR "/docs/reference/results.md"

static char *join(const char *dir, const char *name) {
    static char paths[4][500];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", dir, name);
    return path;
}

static char *read_docs(void) {
    static char text[100000];
    FILE *f = fopen(DOCS, "rb");
    if (!check(f != NULL)) return NULL;
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return text;
}

static bool is_documented(const char *docs, const char *name) {
    char quoted[100];
    snprintf(quoted, sizeof quoted, "`%s`", name);
    return strstr(docs, quoted) != NULL;
}

TEST(every_kind_of_event_is_counted_and_documented) {
    static const char *const names[] = {
#define EVENT_WORD(name, text) text,
        TRU_EVENT_LIST(EVENT_WORD)
#undef EVENT_WORD
    };
    const int kinds = (int)(sizeof names / sizeof *names);
    char *docs = read_docs();
    tru_scene *scene = scene_of(BALL_RUN);
    tru_sim *sim = sim_of(scene);
    check_status(TRU_EVENT_KINDS, kinds);
    for (int kind = 0; kind < kinds; kind++)
        for (int row = -1; row <= TRU_KINDS; row++) { /* rows that mean nothing count too */
            const tru_event e = {.kind = kind, .row_kind = row, .body_a = 2, .limit_case = -1};
            check(trio_sim_keep_event(&sim->events, &e));
        }
    tru_json *j = tru_json_begin();
    tru_json_object(j, NULL);
    tru_sim_summary(sim, scene, 0.0, j);
    const char *counts = strstr(tru_json_done(j), "\"counts\"");
    for (int kind = 0; kind < kinds; kind++) {
        char key[60];
        const bool rows = kind == TRU_EVENT_SLIP || kind == TRU_EVENT_STICK;
        check_status((long long)tru_sim_event_count(sim, (tru_event_kind)kind), TRU_KINDS + 2);
        snprintf(key, sizeof key, rows ? "\"%s_slide\": 1" : "\"%s\": 6", names[kind]);
        if (!check(strstr(counts, key) != NULL)) printf("  %s\n", key);
        if (docs && !check(is_documented(docs, names[kind]))) printf("  %s is not in %s\n", names[kind], DOCS);
    }
    check_status((long long)tru_sim_event_count(sim, (tru_event_kind)kinds), 0);
    check_status((long long)tru_sim_event_count(sim, (tru_event_kind)-1), 0);
    tru_json_free(j);
    tru_sim_free(sim);
    tru_scene_free(scene);
}

/* Numbers and words of a row: an array counts as its length. */
static int cells_of(hid_t type) {
    int cells = 0;
    for (int k = 0; k < H5Tget_nmembers(type); k++) {
        const hid_t member = H5Tget_member_type(type, (unsigned)k);
        hsize_t length = 1;
        if (H5Tget_class(member) == H5T_ARRAY) H5Tget_array_dims2(member, &length);
        cells += (int)length;
        H5Tclose(member);
    }
    return cells;
}

TEST(every_column_is_documented) {
    char *docs = read_docs();
    int tables = 0;
    for (int i = 0; docs && i < RESULT_TABLES; i++) {
        const hid_t type = trio_results_row_type((result_table)i);
        for (int k = 0; type >= 0 && k < H5Tget_nmembers(type); k++) {
            char *name = H5Tget_member_name(type, (unsigned)k);
            if (!check(is_documented(docs, name)))
                printf("  %s of %s is not in %s\n", name, trio_results_path(i), DOCS);
            H5free_memory(name);
        }
        tables += type >= 0;
        if (type >= 0) H5Tclose(type);
    }
    check(tables >= 6);
}

static int columns_of(const char *path) {
    char line[4000] = "";
    int columns = 1;
    FILE *f = fopen(path, "rb");
    if (!check(f != NULL)) return 0;
    check(fgets(line, sizeof line, f) != NULL);
    fclose(f);
    for (char *c = line; *c; c++) columns += *c == ',';
    return columns;
}

TEST(every_column_is_exported) {
    tru_error err;
    tru_scene *scene = scene_of(BALL_RUN);
    const char *dir = folder_path("columns"), *out = folder_path("columns.csv");
    run_whole(scene, dir);
    check(tru_export(dir, "csv", out, NULL, &err) >= 0);
    const hid_t events = trio_results_row_type(EVENTS), ledger = trio_results_row_type(LEDGER),
                solver = trio_results_row_type(SOLVER);
    check_status(columns_of(join(out, "events.csv")), cells_of(events));
    check_status(columns_of(join(out, "ledger.csv")), cells_of(ledger) + cells_of(solver) - 2); /* time, step once */
    H5Tclose(events);
    H5Tclose(ledger);
    H5Tclose(solver);
    tru_scene_free(scene);
}
