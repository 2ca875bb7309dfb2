/* papers_session.h: what "trundle papers" tells: all rows and runs after they were recomputed. */
#ifndef TRUNDLE_APP_PAPERS_SESSION_H
#define TRUNDLE_APP_PAPERS_SESSION_H

#include <trundle/study.h>

typedef struct session {
    tru_papers *papers;
    tru_paper_row *rows;
    size_t row_count;
    tru_paper_run *runs;
    size_t run_count;
} session;

#endif
