/* project_joined.c: overlaps of joined bodies are closed by moving the whole mechanism.
 *
 * | symbol | name | unit |
 * |---|---|---|
 * | d | shift of a body and its small turn | m, rad |
 * | J, Psi | rows of the joints that hold places, and how far apart they are | -, m or rad |
 * | H, g | normal rows of contacts, and their gaps | -, m |
 * | l | shift_row.amount | kg m, kg m^2 |
 *
 * d is the smallest correction in the metric of the masses that closes the contacts and leaves the joints as they are:
 *   M d = J^T l_J + H^T l_H,   J d = Psi_0 - Psi,   H d >= -g,   l_H >= 0 where H d = -g.
 * Shifting one body alone would open its joints by the overlap, O(h) after an impact; the next step would close them at a
 * speed that does not fall with h. Contacts that would pull are left out, and the rest is solved again. Rows are linear in d,
 * so the correction is repeated at the corrected pose (Newton's method). Angular velocities keep their body components, so
 * that the correction adds no kinetic energy.
 *
 * Joint rows stand in the order of the joints, and rows of contacts behind those of the first joint of their bodies: the
 * matrix is then narrow for chains, and its elimination costs as much as their length. */
#include "step/project_joined.h"

#include "base/error.h"
#include "math/mat.h"
#include "math/quat.h"

#define ROW_REPEATED    1e-9 /* [-] of a row's own share of the matrix: what others leave of it if they hold it already */
#define SHIFT_SLIGHT    1e-12 /* [-] of a body's size, or [rad]: an error that is not worth another correction */
#define LARGEST_TURN    0.1   /* [rad] in one correction: rows are linear for small turns only */
#define FEWEST_OF_FACE  3     /* contacts of one pair that lie flat */
#define LARGEST_CHANGES 20    /* solves in which pulling contacts are left out */

/* A row of a joint or the normal row of a contact. */
typedef struct shift_row {
    size_t a, b;                /* body indices */
    tru_vec3 lin, ang_a, ang_b; /* [-], [m]; on b with a minus sign */
    double want;                /* [m], [rad] what it has to change by */
    double amount;              /* [kg m], [kg m^2] */
    size_t first;               /* the first row that shares a body with it */
    double *line, pivot;        /* its line of the eliminated matrix, from `first` on; pivot 0: repeats others */
    bool pushes, is_out;        /* amount must not be negative; it would be */
} shift_row;

typedef struct shift_rows {
    shift_row *items;
    size_t count;
    double most; /* [m], [rad] largest that some row wants */
} shift_rows;

static bool holds_place(const joint *j) { return !j->type->rates && !joint_limited(j); }

tru_status trui_joined_begin(const step *s, joined_shift *j, tru_error *err) {
    const tru_world *w = s->w;
    *j = (joined_shift){NULL, NULL, NULL, NULL, NULL};
    bool any = false;
    for (size_t i = 0; i < w->joints.count; i++) any = any || holds_place(&w->joints.items[i]);
    if (!any) return TRU_OK;
    arena *scratch = &s->w->scratch;
    j->joined = ARENA_ARRAY(scratch, bool, w->bodies.count);
    j->closes = ARENA_ARRAY(scratch, uint8_t, w->contacts.count);
    j->home = ARENA_ARRAY(scratch, uint32_t, w->bodies.count);
    if (!j->joined || !j->closes || !j->home) return tru_no_memory(err);
    memset(j->joined, 0, w->bodies.count * sizeof *j->joined);
    memset(j->closes, 0, w->contacts.count * sizeof *j->closes);
    for (size_t i = w->joints.count; i-- > 0;) {
        const joint *of = &w->joints.items[i];
        const size_t side[2] = {of->a, of->b};
        for (int k = 0; k < 2 && holds_place(of); k++) {
            if (!body_is_free(&w->bodies.items[side[k]])) continue;
            j->joined[side[k]] = true;
            j->home[side[k]] = (uint32_t)i;
        }
    }
    return TRU_OK;
}

/* ---- which contacts are closed */

/* What is to be done with a contact now; one that was chosen before stays so. As for single bodies, what carried load under midpoint is
 * also set down, and so is a face that has just fallen flat. */
static int choose_closing(const contact *c, bool flat, int before) {
    const double gap = c->end->place.gap;
    const bool carried = c->theta < 1.0 && c->impulse[0] > 0.0 && !(c->flags & CONTACT_IMPACT);
    if (before != SHIFT_NOT || gap == 0.0) return before;
    if (flat || carried) return SHIFT_HOLD;
    return gap < 0.0 ? SHIFT_PUSH : SHIFT_NOT;
}

/* True if some contact of a joined body has to be closed. */
static bool choose_contacts(const step *s, joined_shift *j) {
    const tru_world *w = s->w;
    bool any = false;
    for (size_t i = 0; i < w->contacts.count;) {
        const contact *run = &w->contacts.items[i];
        const int count = trui_contact_run(&w->contacts, i);
        const bool flat = count >= FEWEST_OF_FACE && (run->flags & CONTACT_LANDING);
        for (int k = 0; (j->joined[run->a] || j->joined[run->b]) && k < count; k++) {
            j->closes[i + (size_t)k] = (uint8_t)choose_closing(&run[k], flat, j->closes[i + (size_t)k]);
            any = any || j->closes[i + (size_t)k] != SHIFT_NOT;
        }
        i += (size_t)count;
    }
    return any;
}

/* How bodies may move: a body without joints is shifted as it would be by itself, if no other contact carries it. */
static bool make_inverse(const step *s, joined_shift *j) {
    const tru_world *w = s->w;
    if (!(j->inverse = ARENA_ARRAY(&s->w->scratch, problem_body, w->bodies.count))) return false;
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        j->inverse[i] = (problem_body){.inv_mass = body_is_free(b) && b->contacts == 1 ? b->inv_mass : 0.0};
        if (j->joined[i]) j->inverse[i] = s->inverse[i];
    }
    return true;
}

/* ---- rows */

static shift_row row_of_contact(const contact *c, int closes) {
    const contact_place *p = &c->end->place;
    return (shift_row){.a = c->a,
                       .b = c->b,
                       .lin = p->normal,
                       .ang_a = v3_cross(p->arm_a, p->normal),
                       .ang_b = v3_cross(p->arm_b, p->normal),
                       .want = -p->gap,
                       .pushes = closes == SHIFT_PUSH};
}

/* Adds a row: `low` is, per body, the first row that moves it, or SIZE_MAX. */
static void add_row(const joined_shift *j, shift_rows *rows, size_t *low, const shift_row *row) {
    const size_t side[2] = {row->a, row->b}, at = rows->count++;
    shift_row *to = &rows->items[at];
    *to = *row;
    to->first = at;
    for (int k = 0; k < 2; k++) {
        if (!(j->inverse[side[k]].inv_mass > 0.0)) continue;
        if (low[side[k]] == SIZE_MAX) low[side[k]] = at;
        if (low[side[k]] < to->first) to->first = low[side[k]];
    }
}

/* Adds rows of a joint as they stand now; those that others hold, and all that repeat them, stay out. */
static void add_joint_rows(const step *s, const joined_shift *j, shift_rows *rows, size_t *low, size_t i, bool first) {
    const tru_world *w = s->w;
    const joint *of = &w->joints.items[i];
    const tru_joint_place at = trui_joint_place(of, &w->bodies.items[of->a], &w->bodies.items[of->b]);
    tru_joint_row row[TRU_JOINT_ROWS];
    if (!holds_place(of)) return;
    const int count = of->type->rows(of->params, &at, row);
    for (int k = 0; k < count; k++) {
        double *before = &j->apart[i * TRU_JOINT_ROWS + (size_t)k];
        if (first) *before = row[k].apart;
        if (of->left_out >> k & 1u) continue;
        const shift_row one = {.a = of->a,
                               .b = of->b,
                               .lin = row[k].lin,
                               .ang_a = row[k].ang_a,
                               .ang_b = row[k].ang_b,
                               .want = *before - row[k].apart};
        const double size = joint_row_turns(&row[k]) ? 1.0 : w->bodies.items[of->a].size;
        if (size > 0.0) rows->most = fmax(rows->most, fabs(one.want) / size);
        add_row(j, rows, low, &one);
    }
}

static void add_contact_row(const step *s, const joined_shift *j, shift_rows *rows, size_t *low, size_t i) {
    const contact *c = &s->w->contacts.items[i];
    const shift_row one = row_of_contact(c, j->closes[i]);
    const double size = s->w->bodies.items[c->a].size, misses = one.pushes ? fmax(one.want, 0.0) : fabs(one.want);
    if (size > 0.0) rows->most = fmax(rows->most, misses / size);
    add_row(j, rows, low, &one);
}

/* The joint behind which the row of a contact stands. */
static uint32_t home_of(const joined_shift *j, const contact *c) {
    const uint32_t a = j->joined[c->a] ? j->home[c->a] : 0, b = j->joined[c->b] ? j->home[c->b] : 0;
    return a > b ? a : b;
}

static bool list_rows(const step *s, joined_shift *j, shift_rows *rows) {
    const tru_world *w = s->w;
    arena *scratch = &s->w->scratch;
    const bool first = !j->apart;
    const size_t most = w->joints.count * TRU_JOINT_ROWS + w->contacts.count;
    if (first) j->apart = ARENA_ARRAY(scratch, double, w->joints.count *TRU_JOINT_ROWS);
    rows->items = ARENA_ARRAY(scratch, shift_row, most);
    size_t *low = ARENA_ARRAY(scratch, size_t, w->bodies.count);
    size_t *next = ARENA_ARRAY(scratch, size_t, w->contacts.count),
           *head = ARENA_ARRAY(scratch, size_t, w->joints.count);
    if (!j->apart || !rows->items || !low || !next || !head) return false;
    for (size_t i = 0; i < w->bodies.count; i++) low[i] = SIZE_MAX;
    for (size_t i = 0; i < w->joints.count; i++) head[i] = SIZE_MAX;
    for (size_t i = w->contacts.count; i-- > 0;) {
        if (j->closes[i] == SHIFT_NOT) continue;
        const uint32_t home = home_of(j, &w->contacts.items[i]);
        next[i] = head[home];
        head[home] = i;
    }
    for (size_t i = 0; i < w->joints.count; i++) {
        add_joint_rows(s, j, rows, low, i, first);
        for (size_t k = head[i]; k != SIZE_MAX; k = next[k]) add_contact_row(s, j, rows, low, k);
    }
    return true;
}

/* ---- the linear problem */

/* What the amount of one row does to another. */
static double coupling(const joined_shift *j, const shift_row *x, const shift_row *y) {
    const size_t at[2] = {x->a, x->b}, to[2] = {y->a, y->b};
    const tru_vec3 turn_x[2] = {x->ang_a, x->ang_b}, turn_y[2] = {y->ang_a, y->ang_b};
    double g = 0.0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            const problem_body *o = &j->inverse[at[i]];
            if (at[i] != to[k] || !(o->inv_mass > 0.0)) continue;
            const double share =
                v3_dot(x->lin, y->lin) * o->inv_mass + v3_dot(turn_x[i], m3_apply(o->inverse, turn_y[k]));
            g += i == k ? share : -share;
        }
    return g;
}

/* Eliminates row i from the rows before it, into its line and pivot. */
static void eliminate_row(const joined_shift *j, shift_rows *rows, size_t i) {
    shift_row *x = &rows->items[i];
    const double whole = coupling(j, x, x);
    double left = whole;
    x->pivot = 0.0;
    for (size_t k = x->first; k < i; k++) {
        const shift_row *y = &rows->items[k];
        const size_t from = y->first > x->first ? y->first : x->first;
        double sum = 0.0;
        if (y->pivot > 0.0 && !x->is_out) {
            sum = coupling(j, x, y);
            for (size_t l = from; l < k; l++)
                if (rows->items[l].pivot > 0.0)
                    sum -= x->line[l - x->first] * y->line[l - y->first] / rows->items[l].pivot;
            left -= sum * sum / y->pivot;
        }
        x->line[k - x->first] = sum;
    }
    if (!x->is_out && left > ROW_REPEATED * whole) x->pivot = left;
}

/* Amounts of all rows that take part. */
static void solve_rows(const joined_shift *j, shift_rows *rows) {
    shift_row *all = rows->items;
    for (size_t i = 0; i < rows->count; i++) {
        eliminate_row(j, rows, i);
        all[i].amount = all[i].pivot > 0.0 ? all[i].want : 0.0;
        for (size_t k = all[i].first; k < i && all[i].pivot > 0.0; k++)
            if (all[k].pivot > 0.0) all[i].amount -= all[i].line[k - all[i].first] / all[k].pivot * all[k].amount;
    }
    for (size_t i = rows->count; i-- > 0;) {
        if (!(all[i].pivot > 0.0)) continue;
        all[i].amount /= all[i].pivot;
        for (size_t k = all[i].first; k < i; k++)
            if (all[k].pivot > 0.0) all[k].amount -= all[i].line[k - all[i].first] * all[i].amount;
    }
}

/* Leaves out contacts that would pull. True if there are any. */
static bool leave_pulling(shift_rows *rows) {
    bool any = false;
    for (size_t i = 0; i < rows->count; i++) {
        shift_row *r = &rows->items[i];
        if (!r->pushes || !(r->amount < 0.0)) continue;
        r->is_out = any = true;
        r->amount = 0.0;
    }
    return any;
}

/* ---- the move */

static void add_shift(const problem_body *o, const shift_row *r, double sign, twist *to) {
    if (!(o->inv_mass > 0.0)) return;
    to->v = v3_madd(to->v, sign * r->amount * o->inv_mass, r->lin);
    to->w = v3_madd(to->w, sign * r->amount, m3_apply(o->inverse, sign > 0.0 ? r->ang_a : r->ang_b));
}

/* Turns a body by `part` of a small rotation; rates keep their body components. */
static void move_body(body *b, const twist *by, double part) {
    const tru_quat r = quat_exp(v3_scale(part, by->w));
    b->x = v3_madd(b->x, part, by->v);
    if (by->w.x == 0.0 && by->w.y == 0.0 && by->w.z == 0.0) return;
    b->q = quat_renormalise(quat_mul(r, b->q));
    if (!b->isotropic) b->w = quat_rotate(r, b->w);
}

static bool move_bodies(const step *s, const joined_shift *j, const shift_rows *rows) {
    tru_world *w = s->w;
    twist *by = ARENA_ARRAY(&w->scratch, twist, w->bodies.count);
    double turn = 0.0;
    if (!by) return false;
    memset(by, 0, w->bodies.count * sizeof *by);
    for (size_t i = 0; i < rows->count; i++) {
        const shift_row *r = &rows->items[i];
        add_shift(&j->inverse[r->a], r, 1.0, &by[r->a]);
        add_shift(&j->inverse[r->b], r, -1.0, &by[r->b]);
    }
    for (size_t i = 0; i < w->bodies.count; i++) turn = fmax(turn, v3_norm(by[i].w));
    const double part = turn > LARGEST_TURN ? LARGEST_TURN / turn : 1.0;
    for (size_t i = 0; i < w->bodies.count; i++)
        if (j->inverse[i].inv_mass > 0.0) move_body(&w->bodies.items[i], &by[i], part);
    return true;
}

static bool make_lines(const step *s, shift_rows *rows) {
    for (size_t i = 0; i < rows->count; i++) {
        shift_row *r = &rows->items[i];
        if (!(r->line = ARENA_ARRAY(&s->w->scratch, double, i - r->first + 1))) return false;
    }
    return true;
}

tru_status trui_joined_move(const step *s, joined_shift *j, bool *moved, tru_error *err) {
    shift_rows rows = {NULL, 0, 0.0};
    *moved = false;
    if (!j->joined || !choose_contacts(s, j)) return TRU_OK;
    if (!j->inverse && !make_inverse(s, j)) return tru_no_memory(err);
    if (!list_rows(s, j, &rows) || !make_lines(s, &rows)) return tru_no_memory(err);
    if (!(rows.most > SHIFT_SLIGHT)) return TRU_OK;
    solve_rows(j, &rows);
    for (int k = 0; k < LARGEST_CHANGES && leave_pulling(&rows); k++) solve_rows(j, &rows);
    leave_pulling(&rows);
    *moved = true;
    return move_bodies(s, j, &rows) ? TRU_OK : tru_no_memory(err);
}
