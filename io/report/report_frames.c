/* report_frames.c: poses and contacts of a run for a report: quantised to 16 bits, differences from frame to frame.
 *
 * Positions: whole steps from the lowest corner of the box that holds them all, 65535 for a body that is not there.
 * Orientations: the three smaller components of the quaternion, the fourth from its unit length and made positive:
 * a component is at most 1/sqrt(2), and 32767 stands for that; which one was left out is a byte of its own. */
#include "report_frames.h"

#include "report_run.h"

#include "common/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ABSENT  65535u
#define HIGHEST 65534.0
#define HALF    32767.0

/* ---- positions ---- */

typedef struct box {
    double low[3], high[3]; /* [m] */
} box;

static void widen(box *b, const double *x, size_t bodies) {
    for (size_t i = 0; i < 3 * bodies; i++) {
        if (!isfinite(x[i])) continue;
        b->low[i % 3] = fmin(b->low[i % 3], x[i]);
        b->high[i % 3] = fmax(b->high[i % 3], x[i]);
    }
}

static uint16_t quantise(double x, double low, double step) {
    if (!isfinite(x)) return ABSENT;
    return (uint16_t)floor(fmin(fmax((x - low) / step, 0.0), HIGHEST) + 0.5);
}

static double box_step(const box *b, int axis) {
    const double width = b->high[axis] - b->low[axis];
    return width > 0.0 ? width / HIGHEST : 1.0;
}

/* Frames are read several at a time: a call of HDF5 costs more than a small frame. */
static uint64_t batch_of(const report_run *run) { return 65536 / (4 * run->r.bodies + 1) + 1; }

static uint64_t batch_at(const report_run *run, uint64_t k) {
    const uint64_t left = run->frames - k, batch = batch_of(run);
    return left < batch ? left : batch;
}

static tru_status read_batch(const report_run *run, result_table which, uint64_t k, double *out, tru_error *err) {
    return trio_reader_read(&run->r, which, k * run->frame_step, run->frame_step, batch_at(run, k), out, err);
}

static void describe_box(const report_run *run, const box *b) {
    tru_json_array(run->json, "position_low");
    for (int i = 0; i < 3; i++) tru_json_number(run->json, NULL, b->low[i]);
    tru_json_close(run->json);
    tru_json_array(run->json, "position_step");
    for (int i = 0; i < 3; i++) tru_json_number(run->json, NULL, box_step(b, i));
    tru_json_close(run->json);
}

static tru_status add_positions(report_run *run, double *x, tru_error *err) {
    const size_t n = run->r.bodies, width = 3 * n;
    box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    uint16_t *all = malloc((run->frames * width + 1) * sizeof *all);
    tru_status s = all ? TRU_OK : trio_no_memory(err);
    for (uint64_t k = 0; s >= 0 && k < run->frames; k += batch_of(run)) {
        s = read_batch(run, FRAME_POSITION, k, x, err);
        if (s >= 0) widen(&b, x, n * batch_at(run, k));
    }
    for (int i = 0; i < 3; i++)
        if (!(b.low[i] <= b.high[i])) b.low[i] = b.high[i] = 0.0;
    for (uint64_t k = 0; s >= 0 && k < run->frames; k += batch_of(run)) {
        s = read_batch(run, FRAME_POSITION, k, x, err);
        for (size_t i = 0; s >= 0 && i < width * batch_at(run, k); i++)
            all[k * width + i] = quantise(x[i], b.low[i % 3], box_step(&b, (int)(i % 3)));
    }
    if (s >= 0) {
        describe_box(run, &b);
        trio_pack_add(&run->pack, "frames.position", PACK_U16, all, run->frames * width, width);
    }
    free(all);
    return s;
}

/* ---- orientations ---- */

static uint8_t smallest_three(const double q[4], uint16_t out[3]) {
    int largest = 0, at = 0;
    for (int i = 1; i < 4; i++)
        if (fabs(q[i]) > fabs(q[largest])) largest = i;
    const double sign = q[largest] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; i++)
        if (i != largest)
            out[at++] = (uint16_t)floor(HALF + HALF * fmin(fmax(sign * q[i] * sqrt(2.0), -1.0), 1.0) + 0.5);
    return (uint8_t)largest;
}

static tru_status add_orientations(report_run *run, double *q, tru_error *err) {
    const size_t n = run->r.bodies, width = 3 * n;
    uint16_t *all = calloc(run->frames * width + 1, sizeof *all);
    uint8_t *left_out = calloc(run->frames * n + 1, 1);
    tru_status s = all && left_out ? TRU_OK : trio_no_memory(err);
    for (uint64_t k = 0; s >= 0 && k < run->frames; k += batch_of(run)) {
        s = read_batch(run, FRAME_ORIENTATION, k, q, err);
        for (size_t i = 0; s >= 0 && i < n * batch_at(run, k); i++)
            if (isfinite(q[4 * i])) left_out[k * n + i] = smallest_three(q + 4 * i, all + k * width + 3 * i);
    }
    if (s >= 0) trio_pack_add(&run->pack, "frames.orientation", PACK_U16, all, run->frames * width, width);
    if (s >= 0) trio_pack_add(&run->pack, "frames.largest", PACK_U8, left_out, run->frames * n, 0);
    free(all);
    free(left_out);
    return s;
}

static tru_status add_times(report_run *run, tru_error *err) {
    double *time = NULL;
    const tru_status s = trio_reader_take(&run->r, FRAME_TIME, 0, run->frame_step, run->frames, &time, err);
    if (s >= 0) trio_pack_add(&run->pack, "frames.time", PACK_F64, time, run->frames, 0);
    free(time);
    return s;
}

tru_status trio_report_frames(report_run *run, tru_error *err) {
    const size_t n = run->r.bodies;
    run->frame_step = trio_reader_stride(run->r.frames, REPORT_BODY_FRAMES / (n + 1) + 1);
    run->frames = trio_reader_kept(run->r.frames, run->frame_step);
    double *room = malloc((4 * n * batch_of(run) + 1) * sizeof *room);
    tru_status s = room ? add_times(run, err) : trio_no_memory(err);
    if (s >= 0) s = add_positions(run, room, err);
    if (s >= 0) s = add_orientations(run, room, err);
    free(room);
    return s;
}

/* ---- contacts ---- */

typedef struct contact_columns {
    uint32_t *first, *body;
    uint8_t *stuck, *shape;
    double *number; /* point 3, normal 3, t1 3, impulse 6, velocity 6 */
    size_t count, room;
} contact_columns;

enum { CONTACT_NUMBERS = 21 };

static bool more_room(contact_columns *c, size_t count) {
    if (count <= c->room) return true;
    const size_t room = 2 * count;
    void *body = realloc(c->body, 2 * room * sizeof *c->body), *stuck = NULL, *shape = NULL, *number = NULL;
    if (body) c->body = body;
    if (body && (stuck = realloc(c->stuck, room))) c->stuck = stuck;
    if (stuck && (shape = realloc(c->shape, 2 * room))) c->shape = shape;
    if (shape && (number = realloc(c->number, CONTACT_NUMBERS * room * sizeof *c->number))) c->number = number;
    if (number) c->room = room;
    return number != NULL;
}

static void put_contact(contact_columns *c, const contact_row *row) {
    const size_t i = c->count++;
    double *x = c->number + CONTACT_NUMBERS * i;
    c->body[2 * i] = (uint32_t)row->body_a;
    c->body[2 * i + 1] = (uint32_t)row->body_b;
    c->shape[2 * i] = (uint8_t)row->shape_a;
    c->shape[2 * i + 1] = (uint8_t)row->shape_b;
    c->stuck[i] = (uint8_t)row->stuck;
    memcpy(x, row->point, sizeof row->point);
    memcpy(x + 3, row->normal, sizeof row->normal);
    memcpy(x + 6, row->t1, sizeof row->t1);
    memcpy(x + 9, row->impulse, sizeof row->impulse);
    memcpy(x + 15, row->velocity, sizeof row->velocity);
}

/* Reads where the contacts of every kept frame begin, and how many there are. */
typedef struct contact_rows {
    uint64_t *start, *count;
} contact_rows;

/* Chooses a stride of the frames whose contacts are kept, so that the limit holds. */
static tru_status contact_stride(report_run *run, contact_rows *rows, uint64_t *stride, tru_error *err) {
    uint64_t all = 0;
    tru_status s = trio_reader_take(&run->r, CONTACT_START, 0, run->frame_step, run->frames, &rows->start, err);
    if (s >= 0) s = trio_reader_take(&run->r, CONTACT_COUNT, 0, run->frame_step, run->frames, &rows->count, err);
    for (uint64_t k = 0; s >= 0 && k < run->frames; k++) all += rows->count[k];
    *stride = all > REPORT_CONTACTS ? (all + REPORT_CONTACTS - 1) / REPORT_CONTACTS : 1;
    return s;
}

/* Reads the contacts of frame k and of the following frames that are adjacent in the file, a few thousand at most. Returns
 * the next frame. */
static uint64_t add_contacts(report_run *run, contact_columns *c, const contact_rows *rows, uint64_t k, uint64_t stride,
                             tru_status *status, tru_error *err) {
    const uint64_t start = rows->start[k];
    uint64_t count = 0;
    contact_row *read = NULL;
    for (; k < run->frames && rows->start[k] == start + count && (count == 0 || count + rows->count[k] < 4096);
         k += stride) {
        c->first[k / stride] = (uint32_t)(c->count + count);
        count += rows->count[k];
    }
    *status = trio_reader_take(&run->r, CONTACT_RECORD, start, 1, count, &read, err);
    if (*status >= 0 && !more_room(c, c->count + count)) *status = trio_no_memory(err);
    for (uint64_t i = 0; *status >= 0 && i < count; i++) put_contact(c, &read[i]);
    free(read);
    return k;
}

static void pack_contacts(report_run *run, const contact_columns *c, uint64_t kept) {
    pack *p = &run->pack;
    trio_pack_add(p, "contacts.first", PACK_U32, c->first, kept + 1, 1);
    trio_pack_add(p, "contacts.body", PACK_U32, c->body, 2 * c->count, 2);
    trio_pack_add(p, "contacts.shape", PACK_U8, c->shape, 2 * c->count, 0);
    trio_pack_add(p, "contacts.stuck", PACK_U8, c->stuck, c->count, 0);
    trio_pack_add_f32(p, "contacts.number", c->number, CONTACT_NUMBERS * c->count);
}

tru_status trio_report_contacts(report_run *run, tru_error *err) {
    uint64_t stride = 1;
    contact_columns c = {0};
    contact_rows rows = {0};
    if (!run->r.contacts || run->frames == 0) return TRU_OK;
    tru_status s = contact_stride(run, &rows, &stride, err);
    run->contact_stride = stride;
    const uint64_t kept = trio_reader_kept(run->frames, stride);
    c.first = calloc(kept + 1, sizeof *c.first);
    if (s >= 0 && (!c.first || !more_room(&c, 16))) s = trio_no_memory(err);
    for (uint64_t k = 0; s >= 0 && k < run->frames;) k = add_contacts(run, &c, &rows, k, stride, &s, err);
    if (s >= 0) {
        c.first[kept] = (uint32_t)c.count;
        tru_json_integer(run->json, "contact_stride", (int64_t)stride);
        pack_contacts(run, &c, kept);
    }
    free(rows.start);
    free(rows.count);
    free(c.first);
    free(c.body);
    free(c.stuck);
    free(c.shape);
    free(c.number);
    return s;
}
