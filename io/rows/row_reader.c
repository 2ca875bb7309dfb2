/* row_reader.c: reads the rows of a run from whatever holds them: memory, run.h5, CSV. */
#include "row_reader.h"

#include "common/fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tru_status trio_reader_damaged(const reader *r, const char *what, tru_error *err) {
    return trio_fail(err, TRU_DAMAGED, "%s: is damaged: %s cannot be read", r->path, what);
}

/* ---- how much is there ---- */

static uint64_t rows_of(const reader *r, result_table which) { return r->source->rows(r, which); }

static uint64_t fewest(const reader *r, result_table first, result_table last) {
    uint64_t least = rows_of(r, first);
    for (int i = (int)first + 1; i <= (int)last; i++) {
        const uint64_t rows = rows_of(r, (result_table)i);
        if (rows < least) least = rows;
    }
    return least;
}

/* Tables grow one after the other. In a file that is being written the shortest one counts. */
static void count_rows(reader *r) {
    r->frames = fewest(r, FRAME_TIME, FRAME_RATE);
    if (r->contacts) {
        const uint64_t counted = fewest(r, CONTACT_START, CONTACT_COUNT);
        if (counted < r->frames) r->frames = counted;
    }
    r->events = rows_of(r, EVENTS);
    r->rows = fewest(r, PROBE_TIME, r->probes > 0 ? PROBE_VALUE : PROBE_STEP);
    if (fewest(r, LEDGER, SOLVER) < r->rows) r->rows = fewest(r, LEDGER, SOLVER);
}

uint64_t trio_reader_stride(uint64_t rows, uint64_t most) { return rows <= most ? 1 : (rows + most - 1) / most; }
uint64_t trio_reader_kept(uint64_t rows, uint64_t stride) { return (rows + stride - 1) / stride; }

/* ---- rows ---- */

size_t trio_reader_row_bytes(const reader *r, result_table which) {
    if (which == PROBE_VALUE) return r->probes * sizeof(double);
    const size_t numbers = trio_rows_frame_numbers(which);
    return numbers > 0 ? r->bodies * numbers * sizeof(double) : trio_rows_bytes(which);
}

tru_status trio_reader_read(const reader *r, result_table which, uint64_t first, uint64_t stride, uint64_t count,
                            void *out, tru_error *err) {
    if (count == 0 || trio_reader_row_bytes(r, which) == 0) return TRU_OK;
    if (r->source->read(r, which, first, stride, count, out)) return TRU_OK;
    return trio_reader_damaged(r, trio_results_path(which), err);
}

tru_status trio_reader_take(const reader *r, result_table which, uint64_t first, uint64_t stride, uint64_t count,
                            void *out, tru_error *err) {
    void *rows = NULL;
    memcpy(out, &rows, sizeof rows);
    const uint64_t there = rows_of(r, which);
    if (count > 0 && trio_reader_row_bytes(r, which) > 0 &&
        (first >= there || count > (there - first - 1) / stride + 1))
        return trio_reader_damaged(r, trio_results_path(which),
                                   err); /* refuse before allocating memory for an impossible size */
    rows = calloc(count + 1, trio_reader_row_bytes(r, which) + 1);
    if (!rows) return trio_no_memory(err);
    const tru_status s = trio_reader_read(r, which, first, stride, count, rows, err);
    memcpy(out, &rows, sizeof rows);
    return s;
}

/* ---- bodies ---- */

static tru_status read_bodies(reader *r, tru_error *err) {
    r->bodies = rows_of(r, BODIES);
    r->shapes = rows_of(r, SHAPES);
    tru_status s = trio_reader_take(r, BODIES, 0, 1, r->bodies, &r->body, err);
    if (s >= 0) s = trio_reader_take(r, SHAPES, 0, 1, r->shapes, &r->shape, err);
    r->corners = rows_of(r, CORNERS);
    if (s >= 0 && r->corners > 0) s = trio_reader_take(r, CORNERS, 0, 1, r->corners, &r->corner, err);
    for (size_t i = 0; s >= 0 && i < r->bodies; i++) {
        r->body[i].name[NAME_BYTES - 1] = '\0';
        const body_row *b = &r->body[i];
        if (b->shapes < 0 || b->first_shape > r->shapes || (uint64_t)b->shapes > r->shapes - b->first_shape)
            s = trio_reader_damaged(r, trio_results_path(SHAPES), err);
    }
    for (size_t i = 0; s >= 0 && i < r->shapes; i++) r->shape[i].type[TYPE_BYTES - 1] = '\0';
    return s;
}

bool trio_reader_mesh(const reader *r, const shape_row *s, tru_mesh *out) {
    const double first = s->parameters[0], count = s->parameters[1];
    tru_vec3 points[TRU_HULL_POINTS];
    tru_hull h = tru_default_hull();
    if (!(first >= 0.0 && count >= 4.0 && count <= TRU_HULL_POINTS && first + count <= (double)r->corners))
        return false;
    for (size_t k = 0; k < (size_t)count; k++) {
        const double *p = r->corner[(size_t)first + k].position;
        points[k] = (tru_vec3){p[0], p[1], p[2]};
    }
    h.points = points;
    h.point_count = (size_t)count;
    return tru_hull_mesh(&h, out, NULL) >= 0;
}

tru_status trio_reader_start(reader *r, tru_error *err) {
    const tru_status s = read_bodies(r, err);
    if (s >= 0) count_rows(r);
    return s;
}

void trio_reader_close(reader *r) {
    if (r->source) r->source->close(r);
    free(r->path);
    free(r->summary);
    free(r->scene);
    free(r->command);
    free(r->body);
    free(r->shape);
    free(r->corner);
    free(r->name);
    free(r->unit);
    *r = (reader){.file = -1};
}

bool trio_reader_left_out(const reader *r, char *names, size_t room) {
    tru_scene *scene = NULL;
    *names = '\0';
    if (!strstr(r->scene, "events: [")) return false; /* most scenes are read once only */
    if (tru_scene_parse(r->scene, strlen(r->scene), r->scene_name, NULL, 0, &scene, NULL) < 0) return false;
    const uint32_t left_out = tru_scene_plan(scene)->events_left_out;
    for (int kind = 0; left_out >> kind; kind++)
        if (left_out >> kind & 1u) {
            const size_t used = strlen(names);
            snprintf(names + used, room - used, "%s%s", used > 0 ? ", " : "", tru_event_name(kind));
        }
    tru_scene_free(scene);
    return left_out != 0;
}
