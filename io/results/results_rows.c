/* results_rows.c: writes the present state of the world as rows of the tables of run.h5. */
#include "results_rows.h"

#include "run_file.h"

#include "common/fail.h"
#include "common/grow.h"
#include "probes/probe_values.h"

#include <math.h>
#include <stdio.h>

tru_status trio_results_failed(const tru_results *r, tru_error *err) {
    return trio_fail_file(err, r->path, "cannot be written", r->failure);
}

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
static bool write_corners(tru_results *r, const tru_use *use, double out[SHAPE_PARAMETERS]) {
    tru_mesh mesh;
    if (strcmp(use->name, "hull") != 0) return true;
    if (tru_hull_mesh(use->params, &mesh, NULL) < 0) return false;
    for (int i = 0; i < SHAPE_PARAMETERS; i++) out[i] = NAN;
    out[0] = (double)r->tables[CORNERS].rows;
    out[1] = mesh.point_count;
    for (int32_t k = 0; k < mesh.point_count; k++) {
        corner_row c;
        store(c.position, mesh.points[k]);
        if (!trio_table_push(&r->tables[CORNERS], &c)) return false;
    }
    return true;
}

static bool write_shapes(tru_results *r, tru_id id, const tru_body_info *info, int64_t row) {
    for (int k = 0; k < info->shape_count; k++) {
        tru_shape_def def;
        shape_row s = {.body = row};
        if (tru_body_shape(r->sim->world, id, k, &def, NULL) < 0) return false;
        snprintf(s.type, sizeof s.type, "%s", def.shape.name);
        shape_parameters(&def.shape, s.parameters);
        if (!write_corners(r, &def.shape, s.parameters)) return false;
        const tru_vec3 p = def.position, c = info->centre;
        store(s.position, (tru_vec3){p.x - c.x, p.y - c.y, p.z - c.z});
        const double q[4] = {def.orientation.w, def.orientation.x, def.orientation.y, def.orientation.z};
        memcpy(s.orientation, q, sizeof q);
        if (!trio_table_push(&r->tables[SHAPES], &s)) return false;
    }
    return true;
}

static tru_status write_body(tru_results *r, tru_id id, tru_error *err) {
    tru_body_info info;
    body_row b = {.id = id, .first_shape = r->tables[SHAPES].rows, .born = tru_steps_done(r->sim->world)};
    if (r->id_count == r->capacity)
        return trio_fail(err, TRU_CONFLICT, "%s: there are more bodies than the %zu its scene can make", r->path,
                         r->capacity);
    if (tru_body_describe(r->sim->world, id, &info, err) < 0) return TRU_STALE_ID;
    snprintf(b.name, sizeof b.name, "%s", info.name);
    b.kind = info.kind;
    b.shapes = info.shape_count;
    b.mass = info.mass;
    store(b.inertia, info.inertia);
    store(b.products, info.products);
    b.size = info.size;
    if (!GROW(r->ids, r->id_room, r->id_count + 1)) return trio_no_memory(err);
    if (!trio_table_push(&r->tables[BODIES], &b) || !write_shapes(r, id, &info, (int64_t)r->id_count))
        return trio_results_failed(r, err);
    r->ids[r->id_count++] = id;
    return TRU_OK;
}

/* Ids grow, so new bodies have ids above the last known one. */
tru_status trio_results_write_bodies(tru_results *r, tru_error *err) {
    const tru_world *w = r->sim->world;
    const tru_id last = r->id_count > 0 ? r->ids[r->id_count - 1] : TRU_NONE;
    size_t k = tru_body_count(w);
    while (k > 0 && tru_body_at(w, k - 1) > last) k--;
    for (; k < tru_body_count(w); k++) {
        const tru_status s = write_body(r, tru_body_at(w, k), err);
        if (s < 0) return s;
    }
    return TRU_OK;
}

/* Returns the row of a body in /bodies/body; -1 if it was not recorded. */
static int64_t row_of(const tru_results *r, tru_id id) {
    size_t low = 0, high = r->id_count;
    if (id == TRU_NONE) return -1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (r->ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->id_count && r->ids[low] == id ? (int64_t)low : -1;
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
static void put_numbers(tru_results *r, size_t at, const double *numbers, int count) {
    for (int i = 0; i < count; i++) {
        if (r->sim->plan.frames_double)
            ((double *)r->frame)[at + (size_t)i] = numbers[i];
        else
            ((float *)r->frame)[at + (size_t)i] = (float)numbers[i];
    }
}

static tru_status write_part(tru_results *r, const tru_body_state *states, const bool *there, frame_part part,
                             tru_error *err) {
    for (size_t i = 0; i < r->id_count; i++) {
        double numbers[4] = {NAN, NAN, NAN, NAN};
        if (there[i]) part_of(&states[i], part.table, numbers);
        put_numbers(r, i * (size_t)part.numbers, numbers, part.numbers);
    }
    return trio_table_append_part(&r->tables[part.table], r->frame, r->id_count) ? TRU_OK : trio_results_failed(r, err);
}

static tru_status write_states(tru_results *r, tru_error *err) {
    static const frame_part parts[] = {
        {FRAME_POSITION, 3}, {FRAME_ORIENTATION, 4}, {FRAME_VELOCITY, 3}, {FRAME_RATE, 3}};
    const tru_world *w = r->sim->world;
    tru_body_state *states = malloc((r->id_count + 1) * sizeof *states);
    bool *there = calloc(r->id_count + 1, sizeof *there);
    tru_status s = states && there ? TRU_OK : trio_no_memory(err);
    for (size_t k = 0, i = 0; s >= 0 && k < tru_body_count(w); k++) { /* both lists ascend */
        const tru_id id = tru_body_at(w, k);
        while (i < r->id_count && r->ids[i] < id) i++;
        s = tru_body_get(w, id, &states[i], err);
        there[i] = true;
    }
    for (int i = 0; s >= 0 && i < 4; i++) s = write_part(r, states, there, parts[i], err);
    free(states);
    free(there);
    return s;
}

static contact_row contact_as_row(const tru_results *r, const tru_contact_info *c) {
    contact_row row = {row_of(r, c->body_a),
                       row_of(r, c->body_b),
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

static tru_status write_contacts(tru_results *r, tru_error *err) {
    size_t count;
    const probe_view view = {r->sim->world, &r->sim->contacts, &r->sim->outlets};
    const tru_contact_info *c = trio_probe_contacts(&view, &count);
    const uint64_t start = r->tables[CONTACT_RECORD].rows, number = count;
    if (!GROW(r->contacts, r->contact_room, count + 1)) return trio_no_memory(err);
    for (size_t i = 0; i < count; i++) r->contacts[i] = contact_as_row(r, &c[i]);
    const bool good = trio_table_append(&r->tables[CONTACT_RECORD], r->contacts, number) &&
                      trio_table_push(&r->tables[CONTACT_START], &start) &&
                      trio_table_push(&r->tables[CONTACT_COUNT], &number);
    return good ? TRU_OK : trio_results_failed(r, err);
}

/* Writes the bodies and then the time of a frame, so that the shortest table has the number of complete frames. */
tru_status trio_results_write_frame(tru_results *r, tru_error *err) {
    const double time = tru_time(r->sim->world);
    const uint64_t step = tru_steps_done(r->sim->world);
    tru_status s = write_states(r, err);
    if (s >= 0 && r->sim->plan.contacts) s = write_contacts(r, err);
    if (s < 0) return s;
    const bool good = trio_table_push(&r->tables[FRAME_STEP], &step) && trio_table_push(&r->tables[FRAME_TIME], &time);
    return good ? TRU_OK : trio_results_failed(r, err);
}

/* ---- rows ---- */

static bool write_probes(tru_results *r, double time, uint64_t step) {
    const size_t n = r->sim->plan.probe_count;
    for (size_t i = 0; i < n; i++) r->values[i] = tru_sim_value(r->sim, i);
    return (n == 0 || trio_table_push(&r->tables[PROBE_VALUE], r->values)) &&
           trio_table_push(&r->tables[PROBE_STEP], &step) && trio_table_push(&r->tables[PROBE_TIME], &time);
}

tru_status trio_results_write_row(tru_results *r, tru_error *err) {
    const tru_world *w = r->sim->world;
    const tru_solve_totals *t = &r->sim->solver_row;
    const double time = tru_time(w);
    const uint64_t step = tru_steps_done(w);
    ledger_row l = {time, step, tru_world_ledger(w), 0.0};
    l.gap = tru_ledger_gap(&l.ledger);
    solver_row s = {.time = time,
                    .step = step,
                    .steps = t->steps,
                    .unconverged = t->unconverged,
                    .iterations = t->iterations,
                    .most_iterations = t->most_iterations,
                    .contacts = tru_world_solve_info(w).contacts,
                    .relative = t->worst_relative,
                    .worst_time = t->worst_time,
                    .lift = t->lift,
                    .hop = t->hop};
    memcpy(s.residual, t->residual, sizeof s.residual);
    const bool good = trio_table_push(&r->tables[LEDGER], &l) && trio_table_push(&r->tables[SOLVER], &s) &&
                      write_probes(r, time, step);
    r->sim->solver_row = (tru_solve_totals){0};
    return good ? TRU_OK : trio_results_failed(r, err);
}

tru_status trio_results_write_events(tru_results *r, tru_error *err) {
    sim_events *e = &r->sim->events;
    for (size_t i = 0; i < e->fresh_count; i++) {
        const tru_event *v = &e->fresh[i];
        if (r->sim->plan.events_left_out >> v->kind & 1u) continue;
        event_row row = {.time = v->time, .kind = v->kind, .row_kind = v->row_kind, .speed = v->speed};
        row.body_a = row_of(r, v->body_a);
        row.body_b = row_of(r, v->body_b);
        store(row.position, v->position);
        store(row.velocity, v->velocity);
        store(row.angular_velocity, v->angular_velocity);
        const double q[4] = {v->orientation.w, v->orientation.x, v->orientation.y, v->orientation.z};
        memcpy(row.orientation, q, sizeof q);
        row.limit_case = v->limit_case;
        if (!trio_table_push(&r->tables[EVENTS], &row)) return trio_results_failed(r, err);
    }
    e->fresh_count = 0;
    return TRU_OK;
}
