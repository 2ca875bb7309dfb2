/* joints_repeat.c: which rows of joints repeat what others hold.
 *
 * The reactions of both would not be unique, and their demands may differ in the last bits. Rows are taken one by one, those
 * that the rows taken before them leave something of their own; what is left over repeats. Joints that hang together through
 * free bodies are looked at by themselves. Mostly nothing repeats: one elimination in the order of the joints, of no more
 * than neighbours of a chain, tells that.
 *
 * A row that repeats others must also want what they give it: two motors of different speeds on one axis, or a motor on what a
 * fixed joint holds, contradict each other, and leaving one out would not do what was asked for. */
#include "step/joints_repeat.h"

#include "base/error.h"
#include "math/mat.h"

/* [-] Parts of a row's own share of G that the others leave to it: */
#define REPEATED 1e-10 /* with less they hold it already, */
#define WEAK     1e-6  /* with less one that was left out before may do better, */
#define ALIKE    1e-4  /* and rows that differ by less are taken in the order of the joints */
#define AGREE    1e-6  /* [-] of the fastest row: what a row wants and what others give it may differ by so much */

/* G of two rows of joints: what one impulse does to the other's rate. */
static double coupling(const step *s, const joint *p, const tru_joint_row *x, const joint *q, const tru_joint_row *y) {
    const size_t at[2] = {p->a, p->b}, to[2] = {q->a, q->b};
    const tru_vec3 turn_x[2] = {x->ang_a, x->ang_b}, turn_y[2] = {y->ang_a, y->ang_b};
    double g = 0.0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            const problem_body *o = &s->inverse[at[i]];
            if (at[i] != to[k] || !(o->inv_mass > 0.0)) continue;
            const double share =
                v3_dot(x->lin, y->lin) * o->inv_mass + v3_dot(turn_x[i], m3_apply(o->inverse, turn_y[k]));
            g += i == k ? share : -share;
        }
    return g;
}

/* A row in the search for those that repeat others. */
typedef struct seen_row {
    joint *j;
    int k;
    double whole; /* its share of G */
    double *g;    /* its row of G, less what the rows taken so far hold */
    double given; /* [m/s] or [rad/s] what the speeds of the rows taken so far make of its own */
    bool taken, late;
} seen_row;

/* The matrix of n rows. */
static void fill_rows(const step *s, seen_row *rows, size_t n, double *room) {
    for (size_t i = 0; i < n; i++) {
        rows[i].g = room + i * n;
        for (size_t k = 0; k <= i; k++)
            rows[i].g[k] = rows[k].g[i] =
                coupling(s, rows[i].j, &rows[i].j->row[rows[i].k], rows[k].j, &rows[k].j->row[rows[k].k]);
        rows[i].whole = rows[i].g[i];
    }
}

/* The next row to take: the first that has something like the most left of its own; n: none has more than `least`. */
static size_t next_row(const seen_row *rows, size_t n, bool late, double least) {
    double most = least;
    size_t i = 0;
    for (size_t k = 0; k < n; k++)
        if (!rows[k].taken && rows[k].late <= late) most = fmax(most, rows[k].g[k] / rows[k].whole);
    if (!(most > least)) return n;
    while (rows[i].taken || rows[i].late > late || !(rows[i].g[i] / rows[i].whole >= ALIKE * most)) i++;
    return i;
}

/* Gauss's elimination of a row from the others. */
static void take_row(seen_row *rows, size_t n, size_t at) {
    rows[at].taken = true;
    for (size_t i = 0; i < n; i++) {
        if (rows[i].taken || rows[i].g[at] == 0.0) continue;
        const double part = rows[i].g[at] / rows[at].g[at];
        rows[i].given += part * (rows[at].j->row[rows[at].k].speed - rows[at].given);
        for (size_t k = 0; k < n; k++)
            if (!rows[k].taken) rows[i].g[k] -= part * rows[at].g[k];
    }
}

/* ---- joints that hang together */

static uint32_t root(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* part: of joints, those that hang together lead to the same one; near: the first joint that shares a free body. */
static bool find_parts(const step *s, uint32_t *part, uint32_t *near) {
    const tru_world *w = s->w;
    uint32_t *seen = ARENA_ARRAY(&s->w->scratch, uint32_t, w->bodies.count);
    if (!seen) return false;
    for (size_t i = 0; i < w->bodies.count; i++) seen[i] = UINT32_MAX;
    for (uint32_t i = 0; i < w->joints.count; i++) {
        const size_t side[2] = {w->joints.items[i].a, w->joints.items[i].b};
        part[i] = near[i] = i;
        for (int k = 0; k < 2; k++) {
            uint32_t *first = &seen[side[k]];
            if (!(s->inverse[side[k]].inv_mass > 0.0)) continue;
            if (*first == UINT32_MAX) *first = i;
            if (*first < near[i]) near[i] = *first;
            const uint32_t a = root(part, *first), b = root(part, i);
            part[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (uint32_t i = 0; i < w->joints.count; i++) part[i] = root(part, i);
    return true;
}

/* ---- nothing repeats */

/* Elimination in the order of the n rows: row i has something to do with none before first[i]. Parts of joints with a row
 * that was left out before, or that the rows before it leave little, are `doubtful`. False: no memory. */
static bool eliminate(const step *s, const seen_row *rows, const size_t *first, size_t n, const uint32_t *part,
                      bool *doubtful) {
    const joint *joints = s->w->joints.items;
    arena *scratch = &s->w->scratch;
    double **line = ARENA_ARRAY(scratch, double *, n), *pivot = ARENA_ARRAY(scratch, double, n);
    if (!line || !pivot) return false;
    for (size_t i = 0; i < n; i++) {
        const seen_row *x = &rows[i];
        double *own = line[i] = ARENA_ARRAY(scratch, double, i - first[i] + 1);
        bool *doubt = &doubtful[part[x->j - joints]];
        if (!own) return false;
        if (*doubt) continue; /* the whole part is looked at more closely */
        const double whole = coupling(s, x->j, &x->j->row[x->k], x->j, &x->j->row[x->k]);
        double left = whole;
        for (size_t k = first[i]; k < i; k++) {
            const size_t from = first[k] > first[i] ? first[k] : first[i];
            double *sum = &own[k - first[i]];
            *sum = 0.0;
            if (part[rows[k].j - joints] != part[x->j - joints]) continue;
            *sum = coupling(s, x->j, &x->j->row[x->k], rows[k].j, &rows[k].j->row[rows[k].k]);
            for (size_t l = from; l < k; l++)
                if (own[l - first[i]] != 0.0) *sum -= own[l - first[i]] * line[k][l - first[k]] / pivot[l];
            left -= *sum * *sum / pivot[k];
        }
        pivot[i] = left;
        *doubt = x->late || !(left > ALIKE * whole);
    }
    return true;
}

/* Rows of all joints but limited ones, which have a reaction of their own; how far back each has neighbours. */
static size_t list_rows(const step *s, const uint32_t *near, seen_row *rows, size_t *first, size_t *begin) {
    tru_world *w = s->w;
    size_t n = 0;
    for (size_t i = 0; i < w->joints.count; i++) {
        joint *j = &w->joints.items[i];
        begin[i] = n;
        for (int k = 0; k < j->rows && !joint_limited(j); k++, n++) {
            rows[n] = (seen_row){.j = j, .k = k, .late = (j->left_out >> k & 1u) != 0};
            first[n] = begin[near[i]];
        }
        j->left_out = 0;
    }
    return n;
}

/* ---- all of it */

/* The fastest that rows want, each in parts of what a unit of energy gives it: [m/s] and [rad/s] compare so. */
static double fastest(const seen_row *rows, size_t n) {
    double most = 0.0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(rows[i].j->row[rows[i].k].speed) / sqrt(rows[i].whole));
    return most;
}

/* A joint that has begun may come to stand where its rows repeat others for a moment; before that it is a mistake. */
static tru_status check_wish(const step *s, const seen_row *x, double most, tru_error *err) {
    const tru_joint_row *r = &x->j->row[x->k];
    const char *unit = joint_row_turns(r) ? "rad/s" : "m/s";
    if (x->j->age > 0 || fabs(r->speed - x->given) <= AGREE * most * sqrt(x->whole)) return TRU_OK;
    return tru_fail(
        err, TRU_CONFLICT,
        "joint '%s' (%s) wants bodies '%s' and '%s' to move against each other at %.6g %s, other joints hold "
        "them at %.6g %s: they contradict each other",
        x->j->name, x->j->type->name, body_name(s->w, x->j->a), body_name(s->w, x->j->b), r->speed, unit, x->given,
        unit);
}

/* The rows of one part, those that were left out before last: they stay so where they can, so that reactions do not jump
 * from joint to joint. */
static tru_status search_part(const step *s, seen_row *rows, size_t n, tru_error *err) {
    double *room = ARENA_ARRAY(&s->w->scratch, double, n *n);
    if (!room) return tru_no_memory(err);
    fill_rows(s, rows, n, room);
    for (size_t at; (at = next_row(rows, n, false, WEAK)) < n;) take_row(rows, n, at);
    for (size_t at; (at = next_row(rows, n, true, REPEATED)) < n;) take_row(rows, n, at);
    const double most = fastest(rows, n);
    tru_status status = TRU_OK;
    for (size_t i = 0; i < n && status >= 0; i++) {
        if (rows[i].taken) continue;
        rows[i].j->left_out |= 1u << rows[i].k;
        status = check_wish(s, &rows[i], most, err);
    }
    return status;
}

static tru_status search(const step *s, tru_error *err) {
    tru_world *w = s->w;
    const size_t count = w->joints.count, most = joints_row_count(w);
    seen_row *rows = ARENA_ARRAY(&w->scratch, seen_row, 2 * most), *own = rows + most;
    size_t *first = ARENA_ARRAY(&w->scratch, size_t, most + count);
    uint32_t *part = ARENA_ARRAY(&w->scratch, uint32_t, 2 * count), *near = part + count;
    bool *doubtful = ARENA_ARRAY(&w->scratch, bool, count);
    if (!rows || !first || !part || !doubtful || !find_parts(s, part, near)) return tru_no_memory(err);
    memset(doubtful, 0, count * sizeof *doubtful);
    const size_t n = list_rows(s, near, rows, first, first + most);
    if (!eliminate(s, rows, first, n, part, doubtful)) return tru_no_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        size_t own_count = 0;
        if (!doubtful[i]) continue;
        for (size_t k = 0; k < n; k++)
            if (part[rows[k].j - w->joints.items] == i) own[own_count++] = rows[k];
        const tru_status status = search_part(s, own, own_count, err);
        if (status < 0) return status;
    }
    return TRU_OK;
}

tru_status trui_joints_leave_out(const step *s, tru_error *err) {
    const arena_mark mark = trui_arena_here(&s->w->scratch);
    const tru_status status = search(s, err);
    trui_arena_rewind(&s->w->scratch, mark);
    return status;
}
