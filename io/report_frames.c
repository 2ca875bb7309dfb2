/* report_frames.c: poses and contacts of a run for a report: quantised to 16 bits, differences from frame to frame.
 *
 * Positions: whole steps from the lowest corner of the box that holds them all, 65535 for a body that is not there.
 * Orientations: the three smaller components of the quaternion, the fourth from its unit length and made positive:
 * a component is at most 1/sqrt(2), and 32767 stands for that; which one was left out is a byte of its own. */
#include "report.h"

#include "fail.h"

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

static tru_status each_frame(const report_run *run, result_table which, uint64_t k, double *out, tru_error *err) {
    return reader_read(&run->r, which, k * run->frame_step, 1, 1, out, err);
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
    tru_status s = all ? TRU_OK : io_no_memory(err);
    for (uint64_t k = 0; s >= 0 && k < run->frames; k++) {
        s = each_frame(run, FRAME_POSITION, k, x, err);
        if (s >= 0) widen(&b, x, n);
    }
    for (int i = 0; i < 3; i++)
        if (!(b.low[i] <= b.high[i])) b.low[i] = b.high[i] = 0.0;
    for (uint64_t k = 0; s >= 0 && k < run->frames; k++) {
        s = each_frame(run, FRAME_POSITION, k, x, err);
        for (size_t i = 0; s >= 0 && i < width; i++)
            all[k * width + i] = quantise(x[i], b.low[i % 3], box_step(&b, (int)(i % 3)));
    }
    if (s >= 0) {
        describe_box(run, &b);
        pack_add(&run->pack, "frames.position", PACK_U16, all, run->frames * width, width);
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
    tru_status s = all && left_out ? TRU_OK : io_no_memory(err);
    for (uint64_t k = 0; s >= 0 && k < run->frames; k++) {
        s = each_frame(run, FRAME_ORIENTATION, k, q, err);
        for (size_t i = 0; s >= 0 && i < n; i++)
            if (isfinite(q[4 * i])) left_out[k * n + i] = smallest_three(q + 4 * i, all + k * width + 3 * i);
    }
    if (s >= 0) pack_add(&run->pack, "frames.orientation", PACK_U16, all, run->frames * width, width);
    if (s >= 0) pack_add(&run->pack, "frames.largest", PACK_U8, left_out, run->frames * n, 0);
    free(all);
    free(left_out);
    return s;
}

static tru_status add_times(report_run *run, tru_error *err) {
    double *time = NULL;
    const tru_status s = reader_take(&run->r, FRAME_TIME, 0, run->frame_step, run->frames, &time, err);
    if (s >= 0) pack_add(&run->pack, "frames.time", PACK_F64, time, run->frames, 0);
    free(time);
    return s;
}

tru_status report_frames(report_run *run, tru_error *err) {
    const size_t n = run->r.bodies;
    run->frame_step = reader_stride(run->r.frames, REPORT_BODY_FRAMES / (n + 1) + 1);
    run->frames = reader_kept(run->r.frames, run->frame_step);
    double *room = malloc((4 * n + 1) * sizeof *room);
    tru_status s = room ? add_times(run, err) : io_no_memory(err);
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

static tru_status add_frame_contacts(report_run *run, contact_columns *c, uint64_t frame, tru_error *err) {
    uint64_t start = 0, count = 0;
    contact_row *rows = NULL;
    tru_status s = reader_read(&run->r, CONTACT_START, frame, 1, 1, &start, err);
    if (s >= 0) s = reader_read(&run->r, CONTACT_COUNT, frame, 1, 1, &count, err);
    if (s >= 0) s = reader_take(&run->r, CONTACT_RECORD, start, 1, count, &rows, err);
    if (s >= 0 && !more_room(c, c->count + count)) s = io_no_memory(err);
    for (uint64_t i = 0; s >= 0 && i < count; i++) put_contact(c, &rows[i]);
    free(rows);
    return s;
}

/* Contacts of every so-many-th frame that is kept, so that there are not too many of them. */
static tru_status contact_stride(report_run *run, uint64_t *stride, tru_error *err) {
    uint64_t *counts = NULL, all = 0;
    const tru_status s = reader_take(&run->r, CONTACT_COUNT, 0, run->frame_step, run->frames, &counts, err);
    for (uint64_t k = 0; s >= 0 && k < run->frames; k++) all += counts[k];
    free(counts);
    *stride = all > REPORT_CONTACTS ? (all + REPORT_CONTACTS - 1) / REPORT_CONTACTS : 1;
    return s;
}

static void pack_contacts(report_run *run, const contact_columns *c, uint64_t kept) {
    pack *p = &run->pack;
    pack_add(p, "contacts.first", PACK_U32, c->first, kept + 1, 1);
    pack_add(p, "contacts.body", PACK_U32, c->body, 2 * c->count, 2);
    pack_add(p, "contacts.shape", PACK_U8, c->shape, 2 * c->count, 0);
    pack_add(p, "contacts.stuck", PACK_U8, c->stuck, c->count, 0);
    pack_add_f32(p, "contacts.number", c->number, CONTACT_NUMBERS * c->count);
}

tru_status report_contacts(report_run *run, tru_error *err) {
    uint64_t stride = 1;
    contact_columns c = {0};
    if (!run->r.contacts || run->frames == 0) return TRU_OK;
    tru_status s = contact_stride(run, &stride, err);
    run->contact_stride = stride;
    const uint64_t kept = reader_kept(run->frames, stride);
    c.first = calloc(kept + 1, sizeof *c.first);
    if (s >= 0 && (!c.first || !more_room(&c, 16))) s = io_no_memory(err);
    for (uint64_t k = 0; s >= 0 && k < kept; k++) {
        c.first[k] = (uint32_t)c.count;
        s = add_frame_contacts(run, &c, k * stride * run->frame_step, err);
    }
    if (s >= 0) {
        c.first[kept] = (uint32_t)c.count;
        tru_json_integer(run->json, "contact_stride", (int64_t)stride);
        pack_contacts(run, &c, kept);
    }
    free(c.first);
    free(c.body);
    free(c.stuck);
    free(c.shape);
    free(c.number);
    return s;
}
