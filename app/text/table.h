/* table.h: columns of text that line up in a terminal. */
#ifndef TRUNDLE_APP_TABLE_H
#define TRUNDLE_APP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct table table;

/* A table with these column heads (all empty: no head line). `right`: which columns are flush right, "lrl". */
table *table_new(const char *const *heads, size_t columns, const char *right);
/* The next cell, left to right, row by row. */
void table_cell(table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A cell written to a stream: between begin and end. */
FILE *table_cell_begin(table *t);
void table_cell_end(table *t);
/* Print and free. With `width` > 0 the last column is broken at spaces so that lines fit; `indent` spaces before. */
void table_print(table *t, FILE *out, int width, int indent);

/* Columns a UTF-8 text takes. */
int text_columns(const char *text);

#endif
