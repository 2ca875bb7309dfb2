/* args.h: option tables of commands, and the arguments read with them. */
#ifndef TRUNDLE_APP_ARGS_H
#define TRUNDLE_APP_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum option_kind {
    OPTION_FLAG,  /* no value */
    OPTION_TEXT,  /* any text */
    OPTION_COUNT, /* a whole number, 1 or more */
    OPTION_TIME,  /* a time, "2 s", "300 ms", "0.5" */
    OPTION_PAIR,  /* "path=value" */
} option_kind;

typedef struct option {
    const char *name; /* without the dashes; NULL ends a table */
    option_kind kind;
    bool repeats;     /* may be given more than once */
    const char *word; /* name of its value in the help text */
    const char *doc;  /* one sentence */
} option;

struct args;
typedef struct command {
    const char *name;
    int (*run)(const struct args *a); /* returns the exit code */
    const char *operands;             /* "SCENE", "[NAME...]" */
    size_t fewest, most;              /* operands */
    const char *purpose;              /* one line */
    const option *options;
} command;

typedef struct args_given {
    const option *option;
    const char *value; /* NULL for a flag */
    double number;     /* [s] of a time, or the count */
} args_given;

typedef struct args {
    const command *command;
    const char *const *operands;
    size_t operand_count;
    const args_given *given;
    size_t given_count;
    struct tru_plugins *plugins; /* of --plugin; NULL: none */
} args;

/* Reads the words after the command's name. If one is wrong, prints a sentence to stderr and returns false. */
bool args_read(const command *c, int argc, char **argv, args *out);
void args_free(args *a);

bool args_flag(const args *a, const char *name);
/* Returns the last value of an option; NULL if it was not given. */
const char *args_text(const args *a, const char *name);
/* Returns the number of an option; `otherwise` if it was not given. */
double args_number(const args *a, const char *name, double otherwise);
/* Returns the k-th value of an option that may be repeated; NULL past the end. */
const char *args_nth(const args *a, const char *name, size_t k);
size_t args_times(const args *a, const char *name);

/* Returns the command line as a shell would read it; free it. Leaves out the options named in `but` (NULL ends it; NULL: none)
 * and adds --out if `out` is not NULL. */
char *args_line(const args *a, const char *const *but, const char *out);

void args_help(const command *c, FILE *out);

#endif
