/* table.c: columns of text that line up in a terminal. */
#include "table.h"

#include "memory.h"
#include "say.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct table {
    size_t columns, cells;
    const char *align;
    char **cell;  /* the heads first */
    FILE *stream; /* of the cell being written */
    char *text;
    size_t length;
};

enum { GAP = 2, NARROWEST = 24 };

int text_columns(const char *text) {
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80; /* not a byte that continues a character */
    return n;
}

/* Adds a cell and takes ownership of its text. A cell is one line without control characters. */
static void add(table *t, char *text) {
    t->cell = need_more(t->cell, t->cells + 1, sizeof *t->cell);
    t->cell[t->cells++] = one_line(text);
    free(text);
}

table *table_new(const char *const *heads, size_t columns, const char *align) {
    table *t = need(1, sizeof *t);
    t->columns = columns;
    t->align = align;
    for (size_t c = 0; c < columns; c++) add(t, need_text("%s", heads[c]));
    return t;
}

void table_cell(table *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *text = need((size_t)length + 1, 1);
    va_start(list, format);
    vsnprintf(text, (size_t)length + 1, format, list);
    va_end(list);
    add(t, text);
}

FILE *table_cell_begin(table *t) {
    t->stream = open_memstream(&t->text, &t->length);
    if (!t->stream) no_memory();
    return t->stream;
}

void table_cell_end(table *t) {
    fclose(t->stream);
    add(t, t->text);
}

static void spaces(FILE *out, int count) {
    for (int i = 0; i < count; i++) fputc(' ', out);
}

/* Prints the last cell of a row. It is broken at spaces, and further lines begin below the first. */
static void print_last(FILE *out, const char *text, int left, int room) {
    while (room >= NARROWEST && text_columns(text) > room) {
        const char *cut = NULL, *end = text;
        for (int n = 0; *end && n <= room; end++) {
            if (((unsigned char)*end & 0xC0) != 0x80) n++;
            if (*end == ' ' && n <= room) cut = end;
        }
        if (!cut || cut == text) break;
        fprintf(out, "%.*s\n", (int)(cut - text), text);
        spaces(out, left);
        text = cut + 1;
    }
    fprintf(out, "%s\n", text);
}

static void print_row(const table *t, char *const *row, const int *widths, FILE *out, int width, int indent) {
    int left = indent;
    spaces(out, indent);
    for (size_t c = 0; c + 1 < t->columns; c++) {
        int pad = widths[c] - text_columns(row[c]);
        if (t->align[c] == 'r') spaces(out, pad);
        fputs(row[c], out);
        bool blank = true; /* no spaces at the end of a line */
        for (size_t k = c + 1; k < t->columns; k++) blank = blank && !*row[k];
        if (blank) {
            fputc('\n', out);
            return;
        }
        spaces(out, (t->align[c] == 'r' ? 0 : pad) + GAP);
        left += widths[c] + GAP;
    }
    const char *last = row[t->columns - 1];
    if (t->align[t->columns - 1] == 'r') spaces(out, widths[t->columns - 1] - text_columns(last));
    print_last(out, last, left, width > 0 ? width - left : 0);
}

void table_print(table *t, FILE *out, int width, int indent) {
    int *widths = need(t->columns, sizeof *widths);
    bool heads = false;
    for (size_t c = 0; c < t->columns; c++) heads = heads || *t->cell[c];
    for (size_t i = 0; i < t->cells; i++) {
        int n = text_columns(t->cell[i]);
        if (n > widths[i % t->columns]) widths[i % t->columns] = n;
    }
    for (size_t i = heads ? 0 : t->columns; i + t->columns <= t->cells; i += t->columns)
        print_row(t, t->cell + i, widths, out, width, indent);
    for (size_t i = 0; i < t->cells; i++) free(t->cell[i]);
    free(t->cell);
    free(t);
    free(widths);
}
