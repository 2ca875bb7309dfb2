/* row_writer.c: writes the state of a simulation as rows of the tables of a run, to memory or a file. */
#include "row_writer.h"

#include "common/fail.h"
#include "common/grow.h"
#include "probes/probe_values.h"

#include <math.h>
#include <stdio.h>

static tru_status failed(const row_writer *w, tru_error *err) { return w->sink.failed(w->sink.to, err); }

static bool append(row_writer *w, result_table which, const void *rows, uint64_t count, size_t columns) {
    if (!w->sink.append(w->sink.to, which, rows, count, columns)) return false;
    w->rows[which] += count;
    return true;
}

static bool push(row_writer *w, result_table which, const void *row) { return append(w, which, row, 1, 0); }

/* ---- bodies ---- */

static void store(double out[3], tru_vec3 v) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

/* Real parameters of a shape in the order of its table, vectors as three. */
static void shape_parameters(const tru_use *use, double out[SHAPE_PARAMETERS]) {
    const tru_shape *s = NULL;
    int count = 0;
    for (size_t k = 0; (s = tru_shape_at(k)) && strcmp(s->name, use->name) != 0;) k++;
    for (int i = 0; i < SHAPE_PARAMETERS; i++) out[i] = NAN;
    for (const tru_field *f = s && use->params ? s->fields : NULL; f && f->name; f++) {
        const int parts = f->type == TRU_FIELD_REAL ? 1 : f->type == TRU_FIELD_VEC3 ? 3 : 0;
        if (parts == 0 || count + parts > SHAPE_PARAMETERS) continue;
        memcpy(out + count, (const char *)use->params + f->offset, (size_t)parts * sizeof(double));
        count += parts;
    }
}

/* The corners of a hull go to a table of their own. */
static bool write_corners(row_writer *w, const tru_use *use, double out[SHAPE_PARAMETERS]) {
    tru_mesh mesh;
    if (strcmp(use->name, "hull") != 0) return true;
    if (tru_hull_mesh(use->params, &mesh, NULL) < 0) return false;
    for (int i = 0; i < SHAPE_PARAMETERS; i++) out[i] = NAN;
    out[0] = (double)w->rows[CORNERS];
    out[1] = mesh.point_count;
    for (int32_t k = 0; k < mesh.point_count; k++) {
        corner_row c;
        store(c.position, mesh.points[k]);
        if (!push(w, CORNERS, &c)) return false;
    }
    return true;
}

static bool write_shapes(row_writer *w, tru_id id, const tru_body_info *info, int64_t row) {
    for (int k = 0; k < info->shape_count; k++) {
        tru_shape_def def;
        shape_row s = {.body = row};
        if (tru_body_shape(w->sim->world, id, k, &def, NULL) < 0) return false;
        snprintf(s.type, sizeof s.type, "%s", def.shape.name);
        shape_parameters(&def.shape, s.parameters);
        if (!write_corners(w, &def.shape, s.parameters)) return false;
        const tru_vec3 p = def.position, c = info->centre;
        store(s.position, (tru_vec3){p.x - c.x, p.y - c.y, p.z - c.z});
        const double q[4] = {def.orientation.w, def.orientation.x, def.orientation.y, def.orientation.z};
        memcpy(s.orientation, q, sizeof q);
        if (!push(w, SHAPES, &s)) return false;
    }
    return true;
}

static tru_status write_body(row_writer *w, tru_id id, tru_error *err) {
    tru_body_info info;
    body_row b = {.id = id, .first_shape = w->rows[SHAPES], .born = tru_steps_done(w->sim->world)};
    if (w->id_count == w->capacity)
        return trio_fail(err, TRU_CONFLICT, "%s: there are more bodies than the %zu its scene can make", w->sink.name,
                         w->capacity);
    if (tru_body_describe(w->sim->world, id, &info, err) < 0) return TRU_STALE_ID;
    snprintf(b.name, sizeof b.name, "%s", info.name);
    b.kind = info.kind;
    b.shapes = info.shape_count;
    b.mass = info.mass;
    store(b.inertia, info.inertia);
    store(b.products, info.products);
    b.size = info.size;
    if (!GROW(w->ids, w->id_room, w->id_count + 1)) return trio_no_memory(err);
    if (!push(w, BODIES, &b) || !write_shapes(w, id, &info, (int64_t)w->id_count)) return failed(w, err);
    w->ids[w->id_count++] = id;
    return TRU_OK;
}

/* Ids grow, so new bodies have ids above the last known one. */
static tru_status write_bodies(row_writer *w, tru_error *err) {
    const tru_world *world = w->sim->world;
    const tru_id last = w->id_count > 0 ? w->ids[w->id_count - 1] : TRU_NONE;
    size_t k = tru_body_count(world);
    while (k > 0 && tru_body_at(world, k - 1) > last) k--;
    for (; k < tru_body_count(world); k++) {
        const tru_status s = write_body(w, tru_body_at(world, k), err);
        if (s < 0) return s;
    }
    return TRU_OK;
}

/* Returns the row of a body in /bodies/body; -1 if it was not recorded. */
static int64_t row_of(const row_writer *w, tru_id id) {
    size_t low = 0, high = w->id_count;
    if (id == TRU_NONE) return -1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (w->ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->id_count && w->ids[low] == id ? (int64_t)low : -1;
}

/* ---- frames ---- */

typedef struct frame_part {
    result_table table;
    int numbers; /* per body */
} frame_part;

static void part_of(const tru_body_state *s, result_table which, double out[4]) {
    const tru_quat q = s->orientation;
    const double turn[4] = {q.w, q.x, q.y, q.z};
    if (which == FRAME_ORIENTATION)
        memcpy(out, turn, sizeof turn);
    else
        store(out, which == FRAME_POSITION ? s->position : which == FRAME_VELOCITY ? s->velocity : s->angular_velocity);
}

/* Stores one number of a frame in the chosen precision. Bodies that have left are NaN. */
static void put_numbers(row_writer *w, size_t at, const double *numbers, int count) {
    for (int i = 0; i < count; i++) {
        if (w->sim->plan.frames_double)
            ((double *)w->frame)[at + (size_t)i] = numbers[i];
        else
            ((float *)w->frame)[at + (size_t)i] = (float)numbers[i];
    }
}

static tru_status write_part(row_writer *w, const tru_body_state *states, const bool *there, frame_part part,
                             tru_error *err) {
    for (size_t i = 0; i < w->id_count; i++) {
        double numbers[4] = {NAN, NAN, NAN, NAN};
        if (there[i]) part_of(&states[i], part.table, numbers);
        put_numbers(w, i * (size_t)part.numbers, numbers, part.numbers);
    }
    return append(w, part.table, w->frame, 1, w->id_count) ? TRU_OK : failed(w, err);
}

static tru_status write_states(row_writer *w, tru_error *err) {
    static const frame_part parts[] = {
        {FRAME_POSITION, 3}, {FRAME_ORIENTATION, 4}, {FRAME_VELOCITY, 3}, {FRAME_RATE, 3}};
    const tru_world *world = w->sim->world;
    tru_body_state *states = malloc((w->id_count + 1) * sizeof *states);
    bool *there = calloc(w->id_count + 1, sizeof *there);
    tru_status s = states && there ? TRU_OK : trio_no_memory(err);
    for (size_t k = 0, i = 0; s >= 0 && k < tru_body_count(world); k++) { /* both lists ascend */
        const tru_id id = tru_body_at(world, k);
        while (i < w->id_count && w->ids[i] < id) i++;
        s = tru_body_get(world, id, &states[i], err);
        there[i] = true;
    }
    for (int i = 0; s >= 0 && i < 4; i++) s = write_part(w, states, there, parts[i], err);
    free(states);
    free(there);
    return s;
}

static contact_row contact_as_row(const row_writer *w, const tru_contact_info *c) {
    contact_row row = {row_of(w, c->body_a),
                       row_of(w, c->body_b),
                       c->shape_a,
                       c->shape_b,
                       c->feature,
                       c->stuck,
                       {0},
                       {0},
                       {0},
                       c->gap,
                       {0},
                       {0}};
    store(row.point, c->point);
    store(row.normal, c->normal);
    store(row.t1, c->t1);
    memcpy(row.impulse, c->impulse, sizeof row.impulse);
    memcpy(row.velocity, c->velocity, sizeof row.velocity);
    return row;
}

static tru_status write_contacts(row_writer *w, tru_error *err) {
    size_t count;
    const probe_view view = {w->sim->world, &w->sim->contacts, &w->sim->outlets};
    const tru_contact_info *c = trio_probe_contacts(&view, &count);
    const uint64_t start = w->rows[CONTACT_RECORD], number = count;
    if (!GROW(w->contacts, w->contact_room, count + 1)) return trio_no_memory(err);
    for (size_t i = 0; i < count; i++) w->contacts[i] = contact_as_row(w, &c[i]);
    const bool good = append(w, CONTACT_RECORD, w->contacts, number, 0) && push(w, CONTACT_START, &start) &&
                      push(w, CONTACT_COUNT, &number);
    return good ? TRU_OK : failed(w, err);
}

/* Writes the bodies and then the time of a frame, so that the shortest table has the number of complete frames. */
static tru_status write_frame(row_writer *w, tru_error *err) {
    const double time = tru_time(w->sim->world);
    const uint64_t step = tru_steps_done(w->sim->world);
    tru_status s = write_states(w, err);
    if (s >= 0 && w->sim->plan.contacts) s = write_contacts(w, err);
    if (s < 0) return s;
    const bool good = push(w, FRAME_STEP, &step) && push(w, FRAME_TIME, &time);
    return good ? TRU_OK : failed(w, err);
}

/* ---- rows ---- */

static bool write_probes(row_writer *w, double time, uint64_t step) {
    const size_t n = w->sim->plan.probe_count;
    for (size_t i = 0; i < n; i++) w->values[i] = tru_sim_value(w->sim, i);
    return (n == 0 || append(w, PROBE_VALUE, w->values, 1, n)) && push(w, PROBE_STEP, &step) &&
           push(w, PROBE_TIME, &time);
}

static tru_status write_row(row_writer *w, tru_error *err) {
    const tru_world *world = w->sim->world;
    const tru_solve_totals *t = &w->sim->solver_row;
    const double time = tru_time(world);
    const uint64_t step = tru_steps_done(world);
    ledger_row l = {time, step, tru_world_ledger(world), 0.0};
    l.gap = tru_ledger_gap(&l.ledger);
    solver_row s = {.time = time,
                    .step = step,
                    .steps = t->steps,
                    .unconverged = t->unconverged,
                    .iterations = t->iterations,
                    .most_iterations = t->most_iterations,
                    .contacts = tru_world_solve_info(world).contacts,
                    .relative = t->worst_relative,
                    .worst_time = t->worst_time,
                    .lift = t->lift,
                    .hop = t->hop};
    memcpy(s.residual, t->residual, sizeof s.residual);
    const bool good = push(w, LEDGER, &l) && push(w, SOLVER, &s) && write_probes(w, time, step);
    w->sim->solver_row = (tru_solve_totals){0};
    return good ? TRU_OK : failed(w, err);
}

static tru_status write_events(row_writer *w, tru_error *err) {
    sim_events *e = &w->sim->events;
    for (size_t i = 0; i < e->fresh_count; i++) {
        const tru_event *v = &e->fresh[i];
        if (w->sim->plan.events_left_out >> v->kind & 1u) continue;
        event_row row = {.time = v->time, .kind = v->kind, .row_kind = v->row_kind, .speed = v->speed};
        row.body_a = row_of(w, v->body_a);
        row.body_b = row_of(w, v->body_b);
        store(row.position, v->position);
        store(row.velocity, v->velocity);
        store(row.angular_velocity, v->angular_velocity);
        const double q[4] = {v->orientation.w, v->orientation.x, v->orientation.y, v->orientation.z};
        memcpy(row.orientation, q, sizeof q);
        row.limit_case = v->limit_case;
        if (!push(w, EVENTS, &row)) return failed(w, err);
    }
    e->fresh_count = 0;
    return TRU_OK;
}

/* ---- what is due ---- */

bool trio_rows_begin(row_writer *w, tru_sim *sim, row_sink sink, size_t capacity) {
    *w = (row_writer){.sim = sim, .sink = sink, .capacity = capacity};
    w->frame = malloc((capacity + 1) * 4 * sizeof(double));
    w->values = malloc((sim->plan.probe_count + 1) * sizeof *w->values);
    return w->frame && w->values;
}

void trio_rows_release(row_writer *w) {
    free(w->ids);
    free(w->frame);
    free(w->contacts);
    free(w->values);
    *w = (row_writer){0};
}

void trio_rows_plan(row_writer *w) {
    w->next_frame = trio_sim_next_frame(w->sim);
    w->next_row = trio_sim_next_row(w->sim);
}

tru_status trio_rows_record(row_writer *w, bool frame, bool row, tru_error *err) {
    tru_status s = write_bodies(w, err);
    if (s >= 0) s = write_events(w, err);
    if (s >= 0 && row) s = write_row(w, err);
    if (s >= 0 && frame && !w->without_frames && w->sim->plan.frames > 0.0) s = write_frame(w, err);
    w->fresh = true;
    return s;
}

tru_status trio_rows_step(row_writer *w, bool *frame, tru_error *err) {
    const uint64_t now = tru_steps_done(w->sim->world);
    const bool row = now >= w->next_row;
    *frame = now >= w->next_frame;
    if (!*frame && !row) /* with outlets a new body may leave before the next row */
        return w->sim->outlets.count > 0 ? write_bodies(w, err) : TRU_OK;
    const tru_status s = trio_rows_record(w, *frame, row, err);
    trio_rows_plan(w);
    return s;
}

tru_status trio_rows_last(row_writer *w, tru_error *err) {
    const bool frame = !trio_sim_frame_is_due(w->sim), row = !trio_sim_row_is_due(w->sim);
    return frame || row ? trio_rows_record(w, frame, row, err) : TRU_OK;
}
