/* report.h: HTML reports of commands. */
#ifndef TRUNDLE_APP_REPORT_H
#define TRUNDLE_APP_REPORT_H

#include <trundle/io.h>

/* Writes a report with the template of the program. Returns an exit code; prints a sentence if it fails. */
int report_write(const tru_report *report, const char *path);
/* Prints the path and the size of a report. */
void report_tell(const char *path);
/* Runs a scene with frames and contacts in a temporary folder and adds it to a report. `until` [s] at most 0 means the end
 * of the scene. */
tru_status report_add_scene(tru_report *report, const tru_scene *scene, const char *stepper, double until,
                            const char *label, tru_error *err);

/* Begins a page, whose object is open. Its members are text, tables, curves and maps (docs/design/reports.md). */
tru_json *page_begin(const char *title);
/* Begins a table. The caller adds rows; a row is an array of cells. */
void page_table(tru_json *page, const char *title, const char *text, const char *const *heads, size_t count);
void page_table_end(tru_json *page);
void page_cell(tru_json *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a number in this format; "-" for NaN. */
void page_number(tru_json *page, const char *format, double x);
/* Adds a cell with a mark: "good", "bad" or "other". */
void page_verdict(tru_json *page, const char *text, const char *mark);
/* Adds a cell that opens the replay of the `run`-th scene that report_add_scene added. */
void page_replay(tru_json *page, const char *text, size_t run);
/* Adds the page, writes the report and frees both. Returns `code`, or the exit code of a failure. */
int report_finish(tru_report *report, tru_json *page, int code, const char *path, bool tell);

#endif
