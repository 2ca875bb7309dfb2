/* app.h: what every command uses: exit codes, messages, memory, files that come with the program. */
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

/* Prints the sentence of a failed call to stderr. Returns the exit code of its status. */
int complain(const tru_error *err);
int exit_code_of(tru_status status);
/* Prints the remark of a call to stderr if its status is above 0. */
void remark_on(tru_status status, const tru_error *err);

/* Prints a finished JSON document to stdout and frees it. Returns an exit code. */
int print_json(tru_json *json);

/* Returns the monotonic wall clock [s]. */
double now(void);
/* Returns the CPU time of the calling thread [s]. */
double thread_seconds(void);
/* Returns the number of processors. */
size_t processors(void);
/* Returns the width of the terminal of a stream in columns; 0 if the stream is not a terminal. */
int terminal_width(FILE *stream);
/* Returns true if a stream is a terminal that shows UTF-8. */
bool terminal_utf8(FILE *stream);

/* Returns the path of a file of the data folder ("papers", "scenes/coin.yaml"), which the caller frees. NULL if it does not
 * exist. */
char *data_path(const char *name);
/* Lists the *.yaml files of a data folder and its subfolders, sorted and without ending. Returns their number. names_free
 * frees them. */
size_t data_names(const char *folder, char ***names);
void names_free(char **names, size_t count);
/* Returns the file of a SCENE operand, which is a path or the name of a scene of the program. The caller frees it. */
char *scene_path(const char *operand);
/* Reads the scene of the first operand with its --set changes. If it fails, prints a sentence, writes the exit code to
 * *code and returns NULL. */
tru_scene *scene_open(const args *a, int *code);
/* Returns the folder of --out, by default the scene's name with an ending. The caller frees it. NULL if --out is 'none'. */
char *out_folder(const args *a, const tru_scene *scene, const char *ending);

#endif
