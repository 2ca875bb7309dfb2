/* test_skyline.c: order, cost and symmetric factors of matrices under a skyline, against counting and against dense ones. */
#include "check.h"
#include "draw.h"

#include "math/solve.h"
#include "problem/skyline.h"

#include <string.h>

enum { NODES = 9, SIDE = NODES * SKY_SIDE };

typedef struct bench {
    memory memory;
    arena scratch;
} bench;

static void begin(bench *b) {
    b->memory = trui_memory_of(NULL);
    trui_arena_init(&b->scratch, &b->memory);
}

/* Links of a chain whose nodes are numbered at random, and of a hub with spokes. */
static int chain(sky_link *links, const int *name) {
    for (int i = 1; i < NODES; i++) links[i - 1] = (sky_link){name[i - 1], name[i]};
    return NODES - 1;
}

static int hub(sky_link *links, int middle) {
    int count = 0;
    for (int i = 0; i < NODES; i++)
        if (i != middle) links[count++] = (sky_link){middle, i};
    return count;
}

static void shuffle(int *x, draw *d) {
    for (int i = 0; i < NODES; i++) x[i] = i;
    for (int i = NODES - 1; i > 0; i--) {
        const int k = draw_int(d, i + 1), kept = x[i];
        x[i] = x[k];
        x[k] = kept;
    }
}

/* Every node gets one place. A column of h blocks costs h (h + 1)/2 products. Chains and hubs cost the same for every numbering of
 * their nodes: a chain has columns of two blocks. */
TEST(order_and_cost) {
    draw d = {check_seed(), 1, 0};
    bench b;
    begin(&b);
    for (int round = 0; round < 50; round++) {
        sky_link links[NODES];
        int name[NODES], place[NODES], seen[NODES] = {0};
        shuffle(name, &d);
        const bool spokes = round % 2 == 1;
        const int count = spokes ? hub(links, name[0]) : chain(links, name);
        check(trui_sky_order(&b.scratch, links, count, NODES, place));
        for (int i = 0; i < NODES; i++) {
            check(place[i] >= 0 && place[i] < NODES);
            seen[place[i]]++;
        }
        for (int i = 0; i < NODES; i++) check_status(seen[i], 1);
        const double cost = trui_sky_cost(&b.scratch, links, count, NODES, place);
        /* the hub is the last but one: a column of NODES - 1 blocks; the last spoke has two, the others one */
        const double star = 0.5 * (NODES - 1) * NODES + 3.0 + (NODES - 2);
        check_close(cost, spokes ? star : 1.0 + 3.0 * (NODES - 1), 0.0, 0.0);
    }
    trui_arena_release(&b.scratch);
}

/* Nodes without links, and two separate chains, have places too. */
TEST(separate_parts) {
    bench b;
    begin(&b);
    const sky_link links[] = {{0, 8}, {8, 3}, {1, 7}, {1, 7}};
    int place[NODES], seen[NODES] = {0};
    check(trui_sky_order(&b.scratch, links, 4, NODES, place));
    for (int i = 0; i < NODES; i++) seen[place[i]]++;
    for (int i = 0; i < NODES; i++) check_status(seen[i], 1);
    check_close(trui_sky_cost(&b.scratch, links, 4, NODES, place), NODES + 2.0 * 3.0, 0.0, 0.0);
    trui_arena_release(&b.scratch);
}

/* H = A A^T + I with the skyline of a chain with one long link: U^T D U solves what a dense factorisation solves. */
TEST(symmetric_factors) {
    draw d = {check_seed(), 2, 0};
    bench b;
    begin(&b);
    for (int round = 0; round < 20; round++) {
        sky_link links[NODES];
        int name[NODES], perm[SIDE];
        static double dense[SIDE * SIDE], work[SIDE];
        double x[SIDE], y[SIDE], worst = 0.0;
        skyline sky;
        for (int i = 0; i < NODES; i++) name[i] = i;
        int count = chain(links, name);
        links[count++] = (sky_link){1, 6};
        check(trui_sky_begin(&sky, &b.scratch, links, count, NODES));
        trui_sky_clear(&sky);
        memset(dense, 0, sizeof dense);
        for (int l = 0; l <= count;
             l++) { /* W W^T of a link's rows couples its two nodes; the last one is the identity */
            double row[SIDE] = {0};
            for (int turn = 0; turn < (l < count ? 4 : SIDE); turn++) {
                memset(row, 0, sizeof row);
                if (l == count) row[turn] = 1.0;
                for (int k = 0; l < count && k < SKY_SIDE; k++) {
                    row[links[l].a * SKY_SIDE + k] = draw_in(&d, -1.0, 1.0);
                    row[links[l].b * SKY_SIDE + k] = draw_in(&d, -1.0, 1.0);
                }
                for (int i = 0; i < SIDE; i++)
                    for (int k = 0; k < SIDE; k++) dense[i * SIDE + k] += row[i] * row[k];
            }
        }
        for (int j = 0; j < NODES; j++)
            for (int i = sky.first[j]; i <= j; i++)
                for (int k = 0; k < SKY_BLOCK; k++)
                    sky_block(&sky, i, j)[k] =
                        dense[(i * SKY_SIDE + k / SKY_SIDE) * SIDE + j * SKY_SIDE + k % SKY_SIDE];
        for (int i = 0; i < SIDE; i++) x[i] = y[i] = draw_in(&d, -1.0, 1.0);
        check(trui_sky_factor(&sky) && tru_lu(dense, SIDE, SIDE, perm, work));
        trui_sky_solve(&sky, x);
        tru_lu_solve(dense, SIDE, SIDE, perm, y);
        for (int i = 0; i < SIDE; i++) worst = fmax(worst, fabs(x[i] - y[i]));
        check(worst < 1e-11);
        trui_arena_reset(&b.scratch);
    }
    trui_arena_release(&b.scratch);
}

TEST(indefinite_matrix) {
    bench b;
    skyline sky;
    begin(&b);
    check(trui_sky_begin(&sky, &b.scratch, NULL, 0, 2));
    trui_sky_clear(&sky);
    for (int k = 0; k < SKY_SIDE; k++) {
        sky_block(&sky, 0, 0)[k * (SKY_SIDE + 1)] = 1.0;
        sky_block(&sky, 1, 1)[k * (SKY_SIDE + 1)] = k == 4 ? -1.0 : 1.0;
    }
    check(!trui_sky_factor(&sky));
    trui_arena_release(&b.scratch);
}

/* Links of a chain, of a hub with spokes, and random ones. */
static int draw_links(int which, sky_link *links, draw *d) {
    int count = 0;
    for (int i = 1; i < NODES; i++)
        links[count++] = which == 0   ? (sky_link){i - 1, i}
                         : which == 1 ? (sky_link){0, i}
                                      : (sky_link){draw_int(d, i), i};
    for (int i = 0; which == 2 && i < 3; i++) links[count++] = (sky_link){draw_int(d, 3), 3 + draw_int(d, NODES - 3)};
    return count;
}

/* H = L U of a matrix that is not symmetric solves what a dense factorisation with full exchange of rows solves. */
TEST(skyline_without_symmetry) {
    draw d = {check_seed(), 3, 0};
    memory m = trui_memory_of(NULL);
    arena scratch;
    trui_arena_init(&scratch, &m);
    for (int round = 0; round < 60; round++) {
        sky_link links[2 * NODES];
        skyline sky;
        static double dense[SIDE * SIDE], work[SIDE];
        double x[SIDE], y[SIDE], worst = 0.0;
        int perm[SIDE];
        const int count = draw_links(round % 3, links, &d);
        trui_arena_reset(&scratch);
        check(trui_sky_begin(&sky, &scratch, links, count, NODES) && trui_sky_whole(&sky, &scratch));
        trui_sky_clear(&sky);
        memset(dense, 0, sizeof dense);
        for (int j = 0; j < NODES; j++)
            for (int i = sky.first[j]; i <= j; i++)
                for (int k = 0; k < SKY_BLOCK; k++) {
                    const int r = k / SKY_SIDE, c = k % SKY_SIDE;
                    const double own = i == j && r == c ? 8.0 : 0.0;
                    const double above = draw_in(&d, -1.0, 1.0) + own, below = draw_in(&d, -1.0, 1.0);
                    sky_block(&sky, i, j)[k] = dense[(i * SKY_SIDE + r) * SIDE + j * SKY_SIDE + c] = above;
                    if (i < j) sky_below(&sky, j, i)[k] = dense[(j * SKY_SIDE + r) * SIDE + i * SKY_SIDE + c] = below;
                }
        for (int i = 0; i < SIDE; i++) x[i] = y[i] = draw_in(&d, -1.0, 1.0);
        check(trui_sky_factor_whole(&sky) && tru_lu(dense, SIDE, SIDE, perm, work));
        trui_sky_solve_whole(&sky, x);
        tru_lu_solve(dense, SIDE, SIDE, perm, y);
        for (int i = 0; i < SIDE; i++) worst = fmax(worst, fabs(x[i] - y[i]));
        check(worst < 1e-12);
    }
    trui_arena_release(&scratch);
}
