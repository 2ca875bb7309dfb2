/* broad.c: broad phase with size classes. Each class has a uniform grid, stored as a sorted list of cell numbers.
 *
 * An item belongs to the cell of its lower corner. The cells of a class are as wide as its widest item, so that two items of one class that
 * overlap are in neighbouring cells. Cell numbers grow along x, then y, then z. In the sorted list the neighbours of a cell are therefore five
 * short runs: its own row, and four rows of three cells, since half of the 26 directions are enough. The runs only move forward as the cell
 * does. Larger items search the cells of smaller classes that they cover. There is no table over space, so that distant items cost nothing. */
#include "detect/broad.h"

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/error.h"
#include "math/vec.h"

enum {
    BRUTE = 16,   /* below so few items every pair is tried */
    CLASSES = 24, /* largest number of size classes; the last one takes all remaining items */
    SAMPLE = 63,  /* items from which cell width and origin are chosen */
    AXIS_BITS = 21,
    AXIS_CELLS = (1 << AXIS_BITS) - 3, /* cells along an axis; two numbers per axis stay unused */
    DIGIT = 11,                        /* bits sorted at a time */
    RUNS = 5,
    CROWDED = 8, /* largest number of crowd entries per item for which a crowd is built */
};

typedef struct grid {
    size_t n;
    uint64_t *key;     /* cell of each item, increasing, and UINT64_MAX at the end */
    uint32_t *id;      /* index of each item */
    broad_item *box;   /* copy of each item */
    tru_vec3 origin;   /* [m] */
    double per_metre;  /* [1/m] cells per metre */
    uint32_t first[3]; /* lowest cell in use along each axis */
    uint32_t last[3];  /* highest cell in use */
    unsigned shift[3]; /* first bit of each axis in a key */
} grid;

typedef struct found {
    arena *arena;
    broad_pair *pairs;
    size_t count, room;
    broad_filter *wanted; /* NULL: every pair is needed */
    const void *context;
} found;

/* ---- the list of pairs ---- */

/* Reserves memory for `more` pairs; false if there is none. */
static bool reserve_pairs(found *f, size_t more) {
    if (f->count + more <= f->room) return true;
    size_t room = 2 * (f->count + more);
    broad_pair *pairs = room <= UINT32_MAX ? ARENA_ARRAY(f->arena, broad_pair, room) : NULL;
    if (!pairs) return false;
    if (f->count) memcpy(pairs, f->pairs, f->count * sizeof *pairs);
    f->pairs = pairs;
    f->room = room;
    return true;
}

/* Adds a pair if its items overlap. It always writes the pair and then counts it or not, which needs no branch. Memory is reserved. */
static void try_pair(found *f, const broad_item *a, uint32_t ida, const broad_item *b, uint32_t idb) {
    const broad_pair p = ida < idb ? (broad_pair){ida, idb} : (broad_pair){idb, ida};
    const bool overlap = broad_overlap(a, b);
    TRU_ASSERT(f->count < f->room && p.a < p.b);
    f->pairs[f->count] = p;
    f->count += f->wanted && overlap ? f->wanted(f->context, p.a, p.b) : overlap;
}

/* Sorts pairs by a or by b; stable counting sort. `starts` is scratch memory for n + 1 numbers. */
static void sort_pairs(const broad_pair *from, broad_pair *to, size_t count, uint32_t *starts, size_t n, bool by_a) {
    memset(starts, 0, (n + 1) * sizeof *starts);
    for (size_t k = 0; k < count; k++) starts[(by_a ? from[k].a : from[k].b) + 1]++;
    for (size_t i = 0; i < n; i++) starts[i + 1] += starts[i];
    TRU_ASSERT(starts[n] == count);
    for (size_t k = 0; k < count; k++) to[starts[by_a ? from[k].a : from[k].b]++] = from[k];
}

bool trui_broad_sort(arena *scratch, broad_pair *pairs, size_t count, size_t n) {
    broad_pair *spare = ARENA_ARRAY(scratch, broad_pair, count);
    uint32_t *starts = ARENA_ARRAY(scratch, uint32_t, n + 1);
    if (!spare || !starts) return false;
    sort_pairs(pairs, spare, count, starts, n, false);
    sort_pairs(spare, pairs, count, starts, n, true);
    return true;
}

/* ---- a grid ---- */

static uint32_t cell_of(const grid *g, double x, double origin) {
    double t = (x - origin) * g->per_metre + (AXIS_CELLS / 2);
    t = t > 0.0 ? t : 0.0; /* NaN becomes 0 too */
    return (uint32_t)(t < AXIS_CELLS - 1 ? t : AXIS_CELLS - 1);
}

static void cells_of(const grid *g, tru_vec3 p, uint32_t cell[3]) {
    cell[0] = cell_of(g, p.x, g->origin.x);
    cell[1] = cell_of(g, p.y, g->origin.y);
    cell[2] = cell_of(g, p.z, g->origin.z);
}

/* Returns the key of a cell. Numbers in a key begin at 1 on each axis and end below the highest, so that the key of a neighbour is never in
 * another row. */
static uint64_t key_of(const grid *g, const uint32_t cell[3]) {
    uint64_t key = 0;
    for (int i = 0; i < 3; i++) key |= (uint64_t)(cell[i] - g->first[i] + 1) << g->shift[i];
    return key;
}

typedef struct entry {
    uint64_t key;
    uint32_t id;
} entry;

/* Sorts entries by the lowest `bits` of their keys (stable radix sort) and returns the array that holds the result. */
static entry *sort_entries(entry *a, entry *spare, size_t n, unsigned bits) {
    unsigned passes = (bits + DIGIT - 1) / DIGIT, digit = passes ? (bits + passes - 1) / passes : 0;
    for (unsigned shift = 0; shift < bits; shift += digit) {
        uint32_t starts[(1 << DIGIT) + 1] = {0};
        uint64_t mask = (UINT64_C(1) << digit) - 1;
        for (size_t i = 0; i < n; i++) starts[(a[i].key >> shift & mask) + 1]++;
        for (uint64_t i = 0; i < mask; i++) starts[i + 1] += starts[i];
        for (size_t i = 0; i < n; i++) spare[starts[a[i].key >> shift & mask]++] = a[i];
        entry *t = a;
        a = spare;
        spare = t;
    }
    return a;
}

static double width(const broad_item *b) {
    double x = b->hi.x - b->lo.x, y = b->hi.y - b->lo.y, z = b->hi.z - b->lo.z;
    double xy = x > y ? x : y;
    return xy > z ? xy : z;
}

/* Returns a quantile of the items from at most SAMPLE of them: a value that the fraction `part` does not exceed. `what` is 0, 1 or 2 for the
 * lower corner along an axis, 3 for the width. ids NULL means the first n items. */
static double quantile(const broad_item *items, const uint32_t *ids, size_t n, int what, double part) {
    double v[SAMPLE] = {0};
    size_t m = n < SAMPLE ? n : SAMPLE;
    for (size_t k = 0; k < m; k++) {
        const size_t at = k * n / m;
        const broad_item *b = &items[ids ? ids[at] : at];
        double x = what == 0 ? b->lo.x : what == 1 ? b->lo.y : what == 2 ? b->lo.z : width(b);
        size_t j = k;
        for (; j > 0 && v[j - 1] > x; j--) v[j] = v[j - 1];
        v[j] = x;
    }
    return v[(size_t)(part * (double)(m - 1))];
}

/* Chooses the cell width: slightly more than the widest item, so that round-off cannot put its upper corner two cells away. Items of zero
 * width get cells that divide their spread. */
static void choose_cells(grid *g, const broad_item *items, const uint32_t *ids, size_t n) {
    double widest = 0.0, spread = 0.0;
    g->origin =
        (tru_vec3){quantile(items, ids, n, 0, 0.5), quantile(items, ids, n, 1, 0.5), quantile(items, ids, n, 2, 0.5)};
    for (size_t k = 0; k < n; k++) {
        const broad_item *b = &items[ids[k]];
        double w = width(b), s = v3_max_abs(v3_sub(b->lo, g->origin));
        widest = w > widest ? w : widest;
        spread = s > spread ? s : spread;
    }
    double cell = widest > 0.0 ? widest * (1.0 + 0x1p-20) : spread * 0x1p-10;
    double per_metre = cell > 0.0 ? 1.0 / cell : 0.0;
    g->per_metre = per_metre < DBL_MAX ? per_metre : DBL_MAX;
}

static unsigned bits_of(uint32_t x) {
    unsigned bits = 0;
    for (; x; x >>= 1) bits++;
    return bits;
}

/* Chooses the bits of keys for the cells in use and returns their number. */
static unsigned choose_keys(grid *g, const broad_item *items, const uint32_t *ids, size_t n) {
    for (int i = 0; i < 3; i++) g->first[i] = AXIS_CELLS, g->last[i] = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t cell[3];
        cells_of(g, items[ids[k]].lo, cell);
        for (int i = 0; i < 3; i++) {
            g->first[i] = cell[i] < g->first[i] ? cell[i] : g->first[i];
            g->last[i] = cell[i] > g->last[i] ? cell[i] : g->last[i];
        }
    }
    unsigned bits = 0;
    for (int i = 0; i < 3; i++) {
        g->shift[i] = bits;
        bits += bits_of(g->last[i] - g->first[i] + 2);
    }
    TRU_ASSERT(bits <= 3 * AXIS_BITS);
    return bits;
}

/* Builds the grid of the items ids[0..n-1], n > 0; false if there is no memory. */
static bool grid_build(grid *g, arena *scratch, const broad_item *items, const uint32_t *ids, size_t n) {
    choose_cells(g, items, ids, n);
    unsigned bits = choose_keys(g, items, ids, n);
    g->n = n;
    g->key = ARENA_ARRAY(scratch, uint64_t, n + 1);
    g->id = ARENA_ARRAY(scratch, uint32_t, n);
    g->box = ARENA_ARRAY(scratch, broad_item, n);
    entry *entries = ARENA_ARRAY(scratch, entry, n), *spare = ARENA_ARRAY(scratch, entry, n);
    if (!g->key || !g->id || !g->box || !entries || !spare) return false;
    for (size_t k = 0; k < n; k++) {
        uint32_t cell[3];
        cells_of(g, items[ids[k]].lo, cell);
        entries[k] = (entry){key_of(g, cell), ids[k]};
    }
    entries = sort_entries(entries, spare, n, bits);
    for (size_t k = 0; k < n; k++) {
        g->key[k] = entries[k].key;
        g->id[k] = entries[k].id;
        g->box[k] = items[entries[k].id];
        TRU_ASSERT(k == 0 || g->key[k - 1] <= g->key[k]);
    }
    g->key[n] = UINT64_MAX;
    return true;
}

/* ---- search for pairs ---- */

/* Finds the pairs within one class. Run 0 is the remainder of the item's own cell and the next one, runs 1 to 4 are the rows
 * (y + 1, z), (y - 1, z + 1), (y, z + 1), (y + 1, z + 1), each from x - 1 to x + 1. */
static bool pairs_within(const grid *g, found *f) {
    uint64_t y = UINT64_C(1) << g->shift[1], z = UINT64_C(1) << g->shift[2];
    const uint64_t row[RUNS] = {0, y, z - y, z, z + y};
    size_t begin[RUNS] = {0}, end[RUNS] = {0};
    for (size_t i = 0; i < g->n; i++) {
        uint64_t key = g->key[i];
        for (int r = 0; r < RUNS; r++) {
            uint64_t from = key + row[r] - 1, to = key + row[r] + 1;
            while (g->key[begin[r]] < from) begin[r]++;
            while (g->key[end[r]] <= to) end[r]++;
            size_t j = r ? begin[r] : i + 1;
            if (!reserve_pairs(f, end[r] - j)) return false;
            for (; j < end[r]; j++) try_pair(f, &g->box[i], g->id[i], &g->box[j], g->id[j]);
        }
    }
    return true;
}

/* Returns the first item from `from` on whose key is at least `key`. */
static size_t seek(const grid *g, size_t from, uint64_t key) {
    size_t end = g->n;
    while (from < end) {
        size_t middle = from + (end - from) / 2;
        if (g->key[middle] < key)
            from = middle + 1;
        else
            end = middle;
    }
    TRU_ASSERT(g->key[from] >= key);
    return from;
}

/* Finds the cells of g, from lo to hi on each axis, whose items can overlap the box. The upper corner of an item is at most one cell further.
 * False if there are none. */
static bool covered(const grid *g, const broad_item *box, uint32_t lo[3], uint32_t hi[3]) {
    cells_of(g, box->lo, lo);
    cells_of(g, box->hi, hi);
    for (int i = 0; i < 3; i++) {
        lo[i] = lo[i] > g->first[i] + 1 ? lo[i] - 1 : g->first[i];
        hi[i] = hi[i] < g->last[i] ? hi[i] : g->last[i];
        if (lo[i] > hi[i]) return false;
    }
    return true;
}

/* Finds the pairs of one larger item with the items of g. It follows the sorted list and skips cells that the box does not cover. */
static bool pairs_across(const grid *g, const broad_item *box, uint32_t id, found *f) {
    uint32_t lo[3], hi[3];
    if (!covered(g, box, lo, hi)) return true;
    uint64_t last = key_of(g, hi);
    size_t k = seek(g, 0, key_of(g, lo));
    while (k < g->n && g->key[k] <= last) {
        uint64_t key = g->key[k];
        uint32_t x = (uint32_t)(key & ((UINT64_C(1) << g->shift[1]) - 1)) + g->first[0] - 1;
        uint32_t y = (uint32_t)((key & ((UINT64_C(1) << g->shift[2]) - 1)) >> g->shift[1]) + g->first[1] - 1;
        uint32_t z = (uint32_t)(key >> g->shift[2]) + g->first[2] - 1;
        if (y < lo[1])
            k = seek(g, k, key_of(g, (uint32_t[]){lo[0], lo[1], z}));
        else if (y > hi[1])
            k = seek(g, k, key_of(g, (uint32_t[]){lo[0], lo[1], z + 1}));
        else if (x < lo[0])
            k = seek(g, k, key_of(g, (uint32_t[]){lo[0], y, z}));
        else if (x > hi[0])
            k = seek(g, k, key_of(g, (uint32_t[]){lo[0], y + 1, z}));
        else if (!reserve_pairs(f, 1))
            return false;
        else
            try_pair(f, box, id, &g->box[k], g->id[k]), k++;
    }
    return true;
}

/* ---- all pairs ---- */

static bool pairs_brute(const broad_item *items, size_t n, const bool *fresh, found *f) {
    if (!reserve_pairs(f, n * n / 2)) return false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (!fresh || fresh[i] || fresh[j]) try_pair(f, &items[i], (uint32_t)i, &items[j], (uint32_t)j);
    return true;
}

/* Moves items that are at most twice as wide as the narrowest tenth to the front of ids[0..n-1]; both parts keep their order. Returns their
 * number, at least 1. `rest` is scratch memory for n numbers. */
static size_t split_class(const broad_item *items, uint32_t *ids, size_t n, bool is_last, uint32_t *rest) {
    double limit = 2.0 * fabs(quantile(items, ids, n, 3, 0.1));
    size_t small = 0, large = 0;
    for (size_t k = 0; k < n; k++) {
        bool fits = is_last || !(width(&items[ids[k]]) > limit);
        if (fits)
            ids[small++] = ids[k];
        else
            rest[large++] = ids[k];
    }
    if (large) memcpy(ids + small, rest, large * sizeof *ids);
    TRU_ASSERT(small >= 1 && small + large == n);
    return small;
}

/* ---- fresh items and all others ---- */

/* Entry of a crowd. A crowd tells which fresh items a narrow item can overlap, by the cell of the narrow item's lower corner. Every fresh item is
 * in the list of each cell in which such an item can have its lower corner. Lists are found by a hash of the cell's number. */
typedef struct crowd_entry {
    uint64_t cell;
    uint32_t id, next; /* fresh item, and index of the next entry of the list; 0: it is the last */
} crowd_entry;

typedef struct crowd {
    grid cells;           /* only origin and cells per metre are used */
    double widest;        /* [m] largest width of items that may use it; < 0: it was not built */
    crowd_entry *entries; /* entry 0 is not used */
    uint32_t count;
    uint32_t *lists;
    unsigned shift; /* from a hash to the index of a list */
} crowd;

static uint64_t crowd_cell(uint32_t x, uint32_t y, uint32_t z) {
    return x | (uint64_t)y << AXIS_BITS | (uint64_t)z << 2 * AXIS_BITS;
}

static uint32_t *crowd_list(const crowd *c, uint64_t cell) {
    return &c->lists[(cell ^ cell >> 29) * UINT64_C(0x9e3779b97f4a7c15) >> c->shift];
}

/* Finds the cells from lo to hi in which an item that meets this box can have its lower corner, and returns their number. */
static double crowd_cells(const crowd *c, const broad_item *box, uint32_t lo[3], uint32_t hi[3]) {
    double cells = 1.0;
    cells_of(&c->cells, box->lo, lo);
    cells_of(&c->cells, box->hi, hi);
    for (int i = 0; i < 3; i++) {
        lo[i] -= lo[i] > 0;
        cells *= hi[i] >= lo[i] ? hi[i] - lo[i] + 1.0 : 0.0;
    }
    return cells;
}

static void crowd_add(crowd *c, const broad_item *box, uint32_t id) {
    uint32_t lo[3], hi[3];
    crowd_cells(c, box, lo, hi);
    for (uint32_t z = lo[2]; z <= hi[2]; z++)
        for (uint32_t y = lo[1]; y <= hi[1]; y++)
            for (uint32_t x = lo[0]; x <= hi[0]; x++) {
                const uint64_t cell = crowd_cell(x, y, z);
                uint32_t *list = crowd_list(c, cell);
                c->entries[c->count] = (crowd_entry){cell, id, *list};
                *list = c->count++;
            }
}

/* Builds the crowd of the fresh items, for the narrower three quarters of all items, unless it would have too many entries. False if there is no
 * memory. */
static bool crowd_build(crowd *c, arena *scratch, const broad_item *items, size_t n, const bool *fresh) {
    double cells = 1.0;
    uint32_t lo[3], hi[3];
    unsigned bits = 8;
    c->widest = quantile(items, NULL, n, 3, 0.75);
    c->cells.origin = items[0].lo;
    c->cells.per_metre = 1.0 / (c->widest * (1.0 + 0x1p-20));
    for (size_t k = 0; k < n; k++)
        if (fresh[k]) cells += crowd_cells(c, &items[k], lo, hi);
    if (!(c->widest > 0.0 && c->cells.per_metre < DBL_MAX && cells < (double)CROWDED * (double)n)) {
        c->widest = -1.0;
        return true;
    }
    while (bits < 31 && (double)(UINT64_C(1) << bits) < 2.0 * cells) bits++;
    c->shift = 64 - bits;
    c->count = 1;
    c->entries = ARENA_ARRAY(scratch, crowd_entry, (size_t)cells);
    c->lists = ARENA_ARRAY(scratch, uint32_t, (size_t)1 << bits);
    if (!c->entries || !c->lists) return false;
    memset(c->lists, 0, sizeof *c->lists << bits);
    for (size_t k = 0; k < n; k++)
        if (fresh[k]) crowd_add(c, &items[k], (uint32_t)k);
    TRU_ASSERT((double)c->count <= cells);
    return true;
}

/* Finds the pairs of a narrow item with the fresh ones of the crowd. */
static bool pairs_in_crowd(const crowd *c, const broad_item *items, uint32_t id, found *f) {
    uint32_t at[3];
    cells_of(&c->cells, items[id].lo, at);
    const uint64_t cell = crowd_cell(at[0], at[1], at[2]);
    for (uint32_t k = *crowd_list(c, cell); k; k = c->entries[k].next) {
        const crowd_entry *e = &c->entries[k];
        if (e->cell != cell) continue;
        if (!reserve_pairs(f, 1)) return false;
        try_pair(f, &items[id], id, &items[e->id], e->id);
    }
    return true;
}

/* Finds the pairs of items that are not fresh with those that are. */
static bool pairs_with_fresh(const grid *grids, int classes, const broad_item *items, size_t n, const bool *fresh,
                             found *f) {
    crowd known = {.widest = -1.0};
    if (!crowd_build(&known, f->arena, items, n, fresh)) return false;
    for (size_t k = 0; k < n; k++) {
        if (fresh[k]) continue;
        const bool narrow = width(&items[k]) <= known.widest;
        if (narrow && !pairs_in_crowd(&known, items, (uint32_t)k, f)) return false;
        for (int c = 0; !narrow && c < classes; c++)
            if (!pairs_across(&grids[c], &items[k], (uint32_t)k, f)) return false;
    }
    return true;
}

/* Finds pairs class by class from small to large; each item is compared with its class and with all smaller ones. */
static bool pairs_grids(const broad_item *items, size_t all, const bool *fresh, found *f) {
    grid grids[CLASSES];
    uint32_t *ids = ARENA_ARRAY(f->arena, uint32_t, all), *rest = ARENA_ARRAY(f->arena, uint32_t, all);
    size_t n = 0;
    int classes = 0;
    if (!ids || !rest) return false;
    for (size_t k = 0; k < all; k++)
        if (!fresh || fresh[k]) ids[n++] = (uint32_t)k;
    for (int c = 0; n > 0; c++, classes++) {
        size_t small = split_class(items, ids, n, c == CLASSES - 1, rest);
        if (!grid_build(&grids[c], f->arena, items, ids, small) || !pairs_within(&grids[c], f)) return false;
        for (int finer = 0; finer < c; finer++)
            for (size_t k = 0; k < small; k++)
                if (!pairs_across(&grids[finer], &items[ids[k]], ids[k], f)) return false;
        ids += small;
        n -= small;
    }
    return !fresh || pairs_with_fresh(grids, classes, items, all, fresh, f);
}

tru_status trui_broad_find(arena *scratch, const broad_item *items, size_t n, const bool *fresh, broad_filter *wanted,
                           const void *context, broad_pair **out, size_t *count, tru_error *err) {
    found f = {.arena = scratch, .wanted = wanted, .context = context};
    *out = NULL;
    *count = 0;
    if (n > UINT32_MAX) return tru_fail(err, TRU_OUT_OF_RANGE, "%zu items are too many for the broad phase", n);
    const bool good =
        n < BRUTE ? pairs_brute(items, n, fresh, &f) : reserve_pairs(&f, 4 * n) && pairs_grids(items, n, fresh, &f);
    if (!good) return tru_no_memory(err);
    *out = f.count ? f.pairs : NULL;
    *count = f.count;
    return TRU_OK;
}

tru_status trui_broad_pairs(arena *scratch, const broad_item *items, size_t n, broad_pair **out, size_t *count,
                            tru_error *err) {
    const tru_status s = trui_broad_find(scratch, items, n, NULL, NULL, NULL, out, count, err);
    if (s < 0 || n < BRUTE || *count == 0) return s; /* pairs_brute finds them in order */
    return trui_broad_sort(scratch, *out, *count, n) ? TRU_OK : tru_no_memory(err);
}
