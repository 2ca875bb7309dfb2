/* test_overlap.c: the overlap that is largest relative to the smaller body, against drawn balls whose overlaps are known. */
#define _GNU_SOURCE
#include "check.h"
#include "draw.h"
#include "worlds.h"

#include "detect/overlap.h"

enum { BALLS = 40 };

typedef struct heap {
    tru_world *w;
    tru_id id[BALLS];
    tru_vec3 x[BALLS];
    double r[BALLS];
} heap;

static heap drawn_heap(draw *d) {
    heap h = {.w = kit_create_world(v3_zero())};
    kit_set_dry_pair(h.w, 0.5, 0.0, 0.0, 0.0);
    for (int i = 0; i < BALLS; i++) {
        h.r[i] = draw_in(d, 0.05, 0.3);
        h.x[i] = draw_vec(d);
        h.id[i] = kit_add_solid_ball(h.w, NULL, h.r[i], h.x[i], v3_zero(), v3_zero());
    }
    return h;
}

/* By trying all pairs: the largest depth over the smaller diameter, of pairs with an id of at least `first`. */
static double worst_pair(const heap *h, tru_id first, double *depth) {
    double worst = 0.0;
    for (int i = 0; i < BALLS; i++)
        for (int k = 0; k < i; k++) {
            const double in = h->r[i] + h->r[k] - v3_norm(v3_sub(h->x[i], h->x[k])),
                         share = in / (2.0 * fmin(h->r[i], h->r[k]));
            if ((h->id[i] < first && h->id[k] < first) || share <= worst) continue;
            worst = share;
            *depth = in;
        }
    return worst;
}

TEST(the_worst_overlap_of_all_pairs_is_found) {
    draw d = {check_seed(), 1, 0};
    tru_error err = {0};
    for (int i = 0; i < 50; i++) {
        heap h = drawn_heap(&d);
        kit_set_moreau(h.w, 1e-3, TRU_MIDPOINT);
        check_status(tru_check(h.w, &err), TRU_OVERLAP); /* it also prepares the table of pairs */
        for (int k = 0; k < 2; k++) {
            const tru_id first = k ? h.id[BALLS / 2] : 0;
            double depth = 0.0;
            const double worst = worst_pair(&h, first, &depth);
            overlap o = {0};
            bool found = false;
            check_status(trui_find_overlap(h.w, 0.9 * worst, first, &o, &found, &err), TRU_OK);
            if (check(found)) {
                check_close(o.depth, depth, 1e-12, 0.0);
                check_close(o.depth / o.extent, worst, 1e-12, 0.0);
            }
            found = false;
            check_status(trui_find_overlap(h.w, 1.0001 * worst, first, &o, &found, &err), TRU_OK);
            check(!found);
        }
        tru_world_destroy(h.w);
    }
}
