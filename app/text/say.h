/* say.h: text for a terminal. Texts of files and of the command line may contain control characters, which a terminal would
 * execute. They are shown as \x1b instead. */
#ifndef TRUNDLE_APP_SAY_H
#define TRUNDLE_APP_SAY_H

#include <stdio.h>

/* Prints to stdout or stderr. Line feeds and tabs stay; every other control character and every byte that is not UTF-8 is
 * shown as \x1b. */
void say(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns a copy of a text in one line, with line feeds and tabs shown as well. The caller frees it. */
char *one_line(const char *text);

#endif
