/* test_report_api.c: the balance of the ledger, names of events, and the ring of events. */
#include "check.h"
#include "scene.h"

#include "world/world.h"

#include <string.h>

/* Each entry enters the balance with the sign of its kind: energies now count against, causes for. */
TEST(sign_of_every_entry) {
    static const struct {
        const char *name, *kind;
        size_t at;
    } entries[] = {
#define ENTRY(name, kind, doc) {#name, kind, offsetof(tru_ledger, name)},
        TRU_LEDGER_LIST(ENTRY)
#undef ENTRY
    };
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        tru_ledger l = {0};
        *(double *)(void *)((char *)&l + entries[i].at) = 8.0;
        const bool now = strcmp(entries[i].kind, "energy") == 0 && strcmp(entries[i].name, "start") != 0;
        const bool lost = strcmp(entries[i].kind, "dissipated") == 0;
        check_close(tru_ledger_gap(&l), now || lost ? 8.0 : -8.0, 0.0, 0.0);
    }
}

TEST(names_of_events) {
    check_str(tru_event_name(TRU_EVENT_TOUCH), "touch");
    check_str(tru_event_name(TRU_EVENT_HANDOVER), "handover");
    check_str(tru_event_name(TRU_EVENT_KINDS), "?");
    check_str(tru_event_name(-1), "?");
}

/* The ring keeps the newest EVENT_ROOM events and counts the others; they come out oldest first, in any portions. */
TEST(ring_of_events) {
    tru_error err;
    tru_world *w;
    const tru_world_def def = tru_default_world_def();
    tru_event out[100];
    uint64_t lost = 0;
    MUST(tru_world_create(&def, &w, &err));
    const int more = 70, all = EVENT_ROOM + more;
    for (int i = 0; i < all; i++) trui_world_event(w, &(tru_event){.time = i, .kind = TRU_EVENT_REST});
    int next = more;
    for (size_t n; (n = tru_events_take(w, out, 33, &lost)) > 0;)
        for (size_t k = 0; k < n; k++) check_close(out[k].time, (double)next++, 0.0, 0.0);
    check_status(next, all);
    check_status((long long)lost, more);
    trui_world_event(w, &(tru_event){.time = -1.0});
    check_status((long long)tru_events_take(w, out, 100, NULL), 1);
    check_close(out[0].time, -1.0, 0.0, 0.0);
    tru_world_destroy(w);
}

/* Before a step there is nothing to judge, and numbers past the end are refused. */
TEST(nothing_yet) {
    tru_error err;
    tru_world *w;
    tru_verdict verdict;
    tru_contact_info info;
    tru_contact_place place;
    const tru_world_def def = tru_default_world_def();
    MUST(tru_world_create(&def, &w, &err));
    check_status(tru_judge(w, &verdict, &err), TRU_BAD_ARGUMENT);
    check_status(tru_contact_get(w, 0, &info, &err), TRU_STALE_ID);
    check_status(tru_contact_now(w, 0, &place, &err), TRU_STALE_ID);
    check_status(tru_world_solve_info(w).worst, -1);
    tru_world_destroy(w);
}
