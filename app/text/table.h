/* table.h: columns of text that line up in a terminal. */
#ifndef TRUNDLE_APP_TABLE_H
#define TRUNDLE_APP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct table table;

/* Begins a table with these column heads; no head line if all are empty. `right` gives the alignment of each column, "lrl". */
table *table_new(const char *const *heads, size_t columns, const char *right);
/* Adds the next cell, left to right, row by row. */
void table_cell(table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Add a cell that is written to a stream between begin and end. */
FILE *table_cell_begin(table *t);
void table_cell_end(table *t);
/* Prints and frees a table. If `width` is above 0, the last column is broken at spaces so that lines fit. Lines begin with
 * `indent` spaces. */
void table_print(table *t, FILE *out, int width, int indent);

/* Returns the number of columns of a UTF-8 text. */
int text_columns(const char *text);

#endif
