/* row_memory.c: the rows of a run in memory. */
#include "row_memory.h"

#include "common/grow.h"

#include <math.h>

static bool is_frame(result_table which) { return trio_rows_frame_numbers(which) > 0; }

static size_t number_bytes(const row_memory *m) { return m->frames_double ? sizeof(double) : sizeof(float); }

/* Notes how many bodies the next frame has. Positions come first of the tables of a frame. */
static bool note_bodies(row_memory *m, size_t bodies) {
    const uint64_t frame = m->tables[FRAME_POSITION].rows;
    if (!GROW(m->frame_bodies, m->frame_room, frame + 2)) return false;
    if (frame == 0) m->frame_bodies[0] = 0;
    m->frame_bodies[frame + 1] = m->frame_bodies[frame] + bodies;
    return true;
}

bool trio_memory_append(row_memory *m, result_table which, const void *rows, uint64_t count, size_t columns) {
    row_bytes *t = &m->tables[which];
    size_t bytes = count * trio_rows_bytes(which);
    if (which == PROBE_VALUE) bytes = count * columns * sizeof(double);
    if (is_frame(which)) bytes = columns * trio_rows_frame_numbers(which) * number_bytes(m);
    if (which == FRAME_POSITION && !note_bodies(m, columns)) return false;
    if (!GROW(t->bytes, t->room, t->count + bytes + 1)) return false;
    if (bytes > 0) memcpy(t->bytes + t->count, rows, bytes);
    t->count += bytes;
    t->rows += count;
    return true;
}

void trio_memory_release(row_memory *m) {
    for (int i = 0; i < RESULT_TABLES; i++) free(m->tables[i].bytes);
    free(m->frame_bodies);
    *m = (row_memory){0};
}

/* ---- reading ---- */

static uint64_t rows_of(const reader *r, result_table which) {
    return ((const row_memory *)r->memory)->tables[which].rows;
}

/* Reads a frame as doubles. Bodies that came later are NaN. */
static void read_frame(const reader *r, result_table which, uint64_t frame, double *out) {
    const row_memory *m = r->memory;
    const size_t numbers = trio_rows_frame_numbers(which), first = m->frame_bodies[frame] * numbers;
    const size_t count = m->frame_bodies[frame + 1] * numbers - first;
    for (size_t i = 0; i < r->bodies * numbers; i++) {
        const unsigned char *at = m->tables[which].bytes + (first + i) * number_bytes(m);
        float narrow;
        out[i] = NAN;
        if (i >= count) continue;
        if (m->frames_double) {
            memcpy(&out[i], at, sizeof *out);
        } else {
            memcpy(&narrow, at, sizeof narrow);
            out[i] = (double)narrow;
        }
    }
}

static bool read_rows(const reader *r, result_table which, uint64_t first, uint64_t stride, uint64_t count, void *out) {
    const row_bytes *t = &((const row_memory *)r->memory)->tables[which];
    const size_t bytes = trio_reader_row_bytes(r, which);
    unsigned char *to = out;
    if (first >= t->rows || count - 1 > (t->rows - 1 - first) / stride) return false;
    for (uint64_t i = 0; i < count; i++, to += bytes) {
        if (is_frame(which))
            read_frame(r, which, first + i * stride, (double *)(void *)to);
        else
            memcpy(to, t->bytes + (first + i * stride) * bytes, bytes);
    }
    return true;
}

static void close_memory(reader *r) { (void)r; }

static void free_memory(reader *r) {
    row_memory *m = (row_memory *)(uintptr_t)r->memory;
    if (m) trio_memory_release(m);
    free(m);
    r->memory = NULL;
}

const row_source trio_memory_source = {rows_of, read_rows, close_memory};
const row_source trio_owned_memory_source = {rows_of, read_rows, free_memory};
