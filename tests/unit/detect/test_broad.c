// Broad phase: the pairs of brute force, whatever the sizes and places, in order, and in any unit of length.
#include "check.h"
#include "failing_allocator.h"

#include "base/arena.h"
#include "detect/broad.h"
#include "shape_cases.h"

typedef broad_item (*item_maker)(draw *d, size_t i);

static broad_item item_at(tru_vec3 p, tru_vec3 half) { return (broad_item){v3_sub(p, half), v3_add(p, half)}; }

static broad_item ball(tru_vec3 p, double r) { return item_at(p, v3(r, r, r)); }

static broad_item equal_balls(draw *d, size_t i) {
    (void)i;
    return ball(draw_in_cube(d, 5.0), 0.5);
}

static broad_item mild_mix(draw *d, size_t i) {
    (void)i;
    return ball(draw_in_cube(d, 5.0), draw_in(d, 0.2, 0.6));
}

// Sizes over six decades, few of the large ones.
static broad_item wild_mix(draw *d, size_t i) {
    (void)i;
    double size = pow(10.0, -draw_in(d, 0.0, 6.0));
    return item_at(draw_in_cube(d, 2.0), v3(size * draw_in(d, 0.1, 1.0), size * draw_in(d, 0.1, 1.0), size));
}

static broad_item floor_and_balls(draw *d, size_t i) {
    return i % 97 == 5 ? item_at(v3(0.0, 0.0, -5.0), v3(100.0, 100.0, 0.1)) : ball(draw_in_cube(d, 5.0), 0.4);
}

static broad_item long_rods(draw *d, size_t i) {
    double a = draw_in(d, 1.0, 8.0), half[3] = {0.05, 0.05, 0.05};
    half[i % 3] = a;
    return item_at(draw_in_cube(d, 8.0), v3_from(half));
}

// Two heaps a million sizes apart, and some items out of the range of cell numbers.
static broad_item far_heaps(draw *d, size_t i) {
    tru_vec3 p = draw_in_cube(d, 3.0);
    p.x += i % 2 ? 1e6 : 0.0;
    if (i % 50 == 0) p = v3_add(p, v3(0.0, 1e12, -1e9));
    return ball(p, 0.5);
}

static broad_item one_point(draw *d, size_t i) {
    (void)d;
    (void)i;
    return ball(v3(0.3, -0.7, 11.0), 0.25);
}

static broad_item points(draw *d, size_t i) {
    (void)i;
    tru_vec3 p = v3(floor(draw_in(d, 0.0, 6.0)), floor(draw_in(d, 0.0, 6.0)), floor(draw_in(d, -3.0, 3.0)));
    return ball(p, 0.0);
}

// Faces that touch exactly: neighbours on a lattice share coordinates.
static broad_item lattice(draw *d, size_t i) {
    (void)d;
    tru_vec3 p = v3((double)(i % 7), (double)(i / 7 % 7), (double)(i / 49));
    return (broad_item){p, v3_add(p, v3(1.0, 1.0, 1.0))};
}

static broad_item flat_layer(draw *d, size_t i) {
    (void)i;
    return item_at(v3(draw_in(d, -9.0, 9.0), draw_in(d, -9.0, 9.0), 0.0), v3(0.5, 0.5, 0.0));
}

static const struct {
    const char *name;
    item_maker make;
} makers[] = {
    {"equal balls", equal_balls}, {"mild mix", mild_mix},
    {"wild mix", wild_mix},       {"floor and balls", floor_and_balls},
    {"long rods", long_rods},     {"far heaps", far_heaps},
    {"one point", one_point},     {"points", points},
    {"lattice", lattice},         {"flat layer", flat_layer},
};
enum { MAKERS = sizeof makers / sizeof makers[0], MOST = 700 };

static bool overlaps(const broad_item *a, const broad_item *b) {
    return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y && b->lo.y <= a->hi.y && a->lo.z <= b->hi.z &&
           b->lo.z <= a->hi.z;
}

// True when the pairs are exactly those of brute force in the order of its loops.
static bool is_brute_force(const broad_item *items, size_t n, const broad_pair *pairs, size_t count) {
    size_t k = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) {
            if (!overlaps(&items[i], &items[j])) continue;
            if (k == count || pairs[k].a != i || pairs[k].b != j) return false;
            k++;
        }
    return k == count;
}

// ---- pairs: those of brute force, in any unit ----

TEST(finds_the_pairs_of_brute_force) {
    draw d = {check_seed(), 1, 0};
    static broad_item items[MOST];
    const size_t sizes[] = {0, 1, 2, 15, 16, 17, 40, 200, MOST};
    memory m = trui_memory_default();
    arena a;
    trui_arena_init(&a, &m);
    for (int k = 0; k < MAKERS; k++) {
        size_t all = 0;
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            size_t n = sizes[s], count = 99;
            broad_pair *pairs;
            for (size_t i = 0; i < n; i++) items[i] = makers[k].make(&d, i);
            check_status(trui_broad_pairs(&a, items, n, &pairs, &count, NULL), TRU_OK);
            if (!check(is_brute_force(items, n, pairs, count))) printf("  %s, %zu items\n", makers[k].name, n);
            check((count == 0) == (pairs == NULL));
            all += count;
            trui_arena_reset(&a);
        }
        check(all > 0);
    }
    trui_arena_release(&a);
}

// Only pairs with an item that is fresh, in any order: sorted they are those of brute force.
TEST(finds_the_pairs_of_fresh_items) {
    draw d = {check_seed(), 1, 0};
    static broad_item items[MOST];
    static bool fresh[MOST];
    const size_t sizes[] = {2, 15, 17, 200, MOST};
    const double parts[] = {0.0, 0.01, 0.3, 1.0};
    memory m = trui_memory_default();
    arena a;
    trui_arena_init(&a, &m);
    for (int k = 0; k < MAKERS * 4; k++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            size_t n = sizes[s], count = 99, all = 0, expected = 0;
            broad_pair *pairs, *every;
            for (size_t i = 0; i < n; i++) {
                items[i] = makers[k / 4].make(&d, i);
                fresh[i] = draw_in(&d, 0.0, 1.0) < parts[k % 4];
            }
            check_status(trui_broad_find(&a, items, n, fresh, NULL, NULL, &pairs, &count, NULL), TRU_OK);
            check_status(trui_broad_pairs(&a, items, n, &every, &all, NULL), TRU_OK);
            if (count > 1) check(trui_broad_sort(&a, pairs, count, n));
            bool good = true;
            for (size_t i = 0; i < all; i++) {
                if (!fresh[every[i].a] && !fresh[every[i].b]) continue;
                good = good && expected < count && pairs[expected].a == every[i].a && pairs[expected].b == every[i].b;
                expected++;
            }
            if (!check(good && expected == count)) printf("  %s, %zu items\n", makers[k / 4].name, n);
            trui_arena_reset(&a);
        }
    trui_arena_release(&a);
}

// The same items in metres, or in a unit 2^k times as large: the same pairs.
TEST(unit_of_length_does_not_matter) {
    draw d = {check_seed(), 1, 0};
    static broad_item items[MOST], scaled[MOST];
    const double scales[] = {0x1p-30, 0x1p17};
    memory m = trui_memory_default();
    arena a;
    trui_arena_init(&a, &m);
    for (int k = 0; k < MAKERS * 2; k++) {
        broad_pair *pairs, *others;
        size_t count, other_count;
        double s = scales[k % 2];
        for (size_t i = 0; i < MOST; i++) {
            items[i] = makers[k / 2].make(&d, i);
            scaled[i] = (broad_item){v3_scale(s, items[i].lo), v3_scale(s, items[i].hi)};
        }
        check_status(trui_broad_pairs(&a, items, MOST, &pairs, &count, NULL), TRU_OK);
        check_status(trui_broad_pairs(&a, scaled, MOST, &others, &other_count, NULL), TRU_OK);
        check(count == other_count && same_bits(pairs, others, count * sizeof *pairs));
        trui_arena_reset(&a);
    }
    trui_arena_release(&a);
}

// Many items, more than brute force can check: every item's pairs against those in its neighbourhood of a lattice.
TEST(many_items) {
    enum { SIDE = 40, N = SIDE * SIDE * SIDE };
    broad_item *items = malloc(N * sizeof *items);
    if (!check(items != NULL)) return;
    for (size_t i = 0; i < N; i++) {
        size_t q = i * 7919 % N; // N has no factor 7919: a permutation
        tru_vec3 p = v3((double)(q % SIDE), (double)(q / SIDE % SIDE), (double)(q / SIDE / SIDE));
        items[i] = (broad_item){p, v3_add(p, v3(1.0, 0.75, 0.5))};
    }
    memory m = trui_memory_default();
    arena a;
    trui_arena_init(&a, &m);
    broad_pair *pairs;
    size_t count;
    check_status(trui_broad_pairs(&a, items, N, &pairs, &count, NULL), TRU_OK);
    bool good = true;
    for (size_t k = 0; k < count; k++) {
        const tru_vec3 *p = &items[pairs[k].a].lo, *q = &items[pairs[k].b].lo;
        bool in_order =
            k == 0 || pairs[k - 1].a < pairs[k].a || (pairs[k - 1].a == pairs[k].a && pairs[k - 1].b < pairs[k].b);
        good = good && in_order && pairs[k].a < pairs[k].b && fabs(p->x - q->x) == 1.0 && p->y == q->y && p->z == q->z;
    }
    check(good && count == (SIDE - 1) * SIDE * SIDE);
    trui_arena_release(&a);
    free(items);
}

// ---- bad items and memory ----

// Items that are not finite find no pair of their own and spoil no other.
TEST(items_that_are_not_finite_are_harmless) {
    draw d = {check_seed(), 1, 0};
    static broad_item items[MOST];
    const double bad[] = {NAN, INFINITY, -INFINITY, DBL_MAX};
    memory m = trui_memory_default();
    arena a;
    trui_arena_init(&a, &m);
    for (int k = 0; k < 4; k++) {
        for (size_t i = 0; i < MOST; i++) {
            items[i] = equal_balls(&d, i);
            if (i % 5 == 0) items[i].hi.y = items[i].lo.y = bad[k];
            if (i % 7 == 0) items[i].hi.z = bad[k];
        }
        broad_pair *pairs;
        size_t count;
        check_status(trui_broad_pairs(&a, items, MOST, &pairs, &count, NULL), TRU_OK);
        check(is_brute_force(items, MOST, pairs, count) && count > 0);
        trui_arena_reset(&a);
    }
    trui_arena_release(&a);
}

TEST(every_allocation_failed_in_turn) {
    draw d = {check_seed(), 1, 0};
    static broad_item items[MOST];
    for (size_t i = 0; i < MOST; i++) items[i] = i % 3 ? wild_mix(&d, i) : one_point(&d, i);
    for (long k = 0;; k++) {
        failing_allocator f = failing_begin(k);
        tru_allocator allocator = failing_allocator_of(&f);
        memory m = trui_memory_of(&allocator);
        arena a;
        trui_arena_init(&a, &m);
        broad_pair *pairs;
        size_t count;
        tru_error err = {0};
        tru_status status = trui_broad_pairs(&a, items, MOST, &pairs, &count, &err);
        check_status(status, f.failed ? TRU_NO_MEMORY : TRU_OK);
        if (f.failed)
            check(pairs == NULL && count == 0 && err.status == TRU_NO_MEMORY && err.text[0]);
        else
            check(is_brute_force(items, MOST, pairs, count));
        trui_arena_release(&a);
        check(f.live_blocks == 0);
        if (!f.failed) break;
    }
}

TEST(a_steady_step_allocates_nothing) {
    draw d = {check_seed(), 1, 0};
    static broad_item items[MOST];
    failing_allocator f = failing_begin(FAIL_NEVER);
    tru_allocator allocator = failing_allocator_of(&f);
    memory m = trui_memory_of(&allocator);
    arena a;
    trui_arena_init(&a, &m);
    long calls = 0;
    for (size_t i = 0; i < MOST; i++) items[i] = mild_mix(&d, i);
    for (int step = 0; step < 10; step++) {
        broad_pair *pairs;
        size_t count;
        if (step == 3) calls = f.calls;
        check_status(trui_broad_pairs(&a, items, MOST, &pairs, &count, NULL), TRU_OK);
        trui_arena_reset(&a);
    }
    check(f.calls == calls);
    trui_arena_release(&a);
}
