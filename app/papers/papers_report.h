/* papers_report.h: published numbers and ours as one HTML file: table, curves with the published values, replays. */
#ifndef TRUNDLE_APP_PAPERS_REPORT_H
#define TRUNDLE_APP_PAPERS_REPORT_H

#include "papers_session.h"

/* Returns "pass", "fail" or "skip". */
const char *papers_word(const tru_paper_row *row);
/* Writes the report. Returns `code`, or the exit code of a failure. */
int papers_report(const session *s, int code, const char *path, bool tell_path);

#endif
