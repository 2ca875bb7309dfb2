/* report.h: reports as commands write them. */
#ifndef TRUNDLE_APP_REPORT_H
#define TRUNDLE_APP_REPORT_H

#include <trundle/io.h>

/* Paste a report into the template that comes with the program; an exit code, after a sentence. */
int report_write(const tru_report *report, const char *path);
/* One line: where it is and how large. */
void report_tell(const char *path);
/* Run a scene with frames and contacts in a folder of its own, that goes again, and add it. `until` [s] <= 0: the
 * scene's. */
tru_status report_add_scene(tru_report *report, const tru_scene *scene, const char *stepper, double until,
                            const char *label, tru_error *err);

/* A page: its object is open; then the members text, tables, curves, maps (docs/design/reports.md). */
tru_json *page_begin(const char *title);
/* Up to its rows: each an array of cells. */
void page_table(tru_json *page, const char *title, const char *text, const char *const *heads, size_t count);
void page_table_end(tru_json *page);
void page_cell(tru_json *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A number in such a format; "-" where there is none. */
void page_number(tru_json *page, const char *format, double x);
/* A cell with a mark: "good", "bad", "other". */
void page_verdict(tru_json *page, const char *text, const char *mark);
/* A cell that opens a replay: `run` counts what report_add_scene added. */
void page_replay(tru_json *page, const char *text, size_t run);
/* Add the page, write the report, free both; `code`, or that of what went wrong. */
int report_finish(tru_report *report, tru_json *page, int code, const char *path, bool tell);

#endif
