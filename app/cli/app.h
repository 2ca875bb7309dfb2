/* app.h: what every command uses: exit codes, messages, memory that is there, files that come with the program. */
#ifndef TRUNDLE_APP_APP_H
#define TRUNDLE_APP_APP_H

#include "args.h"
#include "text/memory.h"
#include "text/say.h"

#include <trundle/io.h>

/* The commands; each lives in cmd_NAME.c and returns an exit code. */
int cmd_run(const args *a);
int cmd_check(const args *a);
int cmd_list(const args *a);
int cmd_papers(const args *a);
int cmd_analyze(const args *a);
int cmd_compare(const args *a);
int cmd_sweep(const args *a);
int cmd_report(const args *a);
int cmd_export(const args *a);
int cmd_bench(const args *a);

/* Print the sentence of a failed call to stderr; the exit code that belongs to its status. */
int complain(const tru_error *err);
int exit_code_of(tru_status status);
/* Print the sentence of a call that was done with a remark (status > 0) to stderr. */
void remark_on(tru_status status, const tru_error *err);

/* Print a finished JSON document to stdout and free it; an exit code. */
int print_json(tru_json *json);

/* Wall clock, never going back. [s] */
double now(void);
/* CPU time of the calling thread. [s] */
double thread_seconds(void);
/* Columns of the terminal behind a stream, 0 when it is none. */
int terminal_width(FILE *stream);
/* Whether a stream is a terminal that shows UTF-8. */
bool terminal_utf8(FILE *stream);

/* A file that comes with the program: "papers", "scenes/coin.yaml" below the data folder. NULL: not there. Free it. */
char *data_path(const char *name);
/* Names (without ending) of the *.yaml files of a data folder and the folders in it, sorted; returns how many. Free with names_free. */
size_t data_names(const char *folder, char ***names);
void names_free(char **names, size_t count);
/* The file a SCENE operand means: a path, or the name of a scene that comes with the program. Free it. */
char *scene_path(const char *operand);
/* Read the scene of the first operand with its --set changes; NULL after a sentence, with the exit code in *code. */
tru_scene *scene_open(const args *a, int *code);
/* The folder of --out, by default the scene's name with an ending; NULL: 'none', no files. Free it. */
char *out_folder(const args *a, const tru_scene *scene, const char *ending);

#endif
