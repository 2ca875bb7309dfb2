/* test_candidates.c: contacts are those of all pairs tried, and no result depends on when the pair list was made. */
#define _GNU_SOURCE
#include "check.h"
#include "zoo.h"

#include "detect/find_contacts.h"
#include "math/random.h"
#include "shape_cases.h"

enum { BALLS = 160 };
static const double h = 2e-3, margin = 4e-3;

static void add_ball(tru_world *w, draw *d, double spread, double speed) {
    const double r = draw_in(d, 0.03, 0.09);
    const tru_vec3 at = v3_add(draw_in_cube(d, spread), v3(0.0, 0.0, 1.1 * spread));
    kit_add_solid_ball(w, NULL, r, at, draw_in_cube(d, speed), draw_in_cube(d, 20.0));
}

static tru_world *checked_world(void (*fill)(tru_world *w, draw *d, double speed), draw *d, double speed) {
    tru_error err;
    tru_world *w = kit_create_world(tru_default_world_def().gravity);
    kit_set_dry_pair(w, 0.4, 2e-3, 1e-3, 0.3);
    kit_add_floor(w);
    fill(w, d, speed);
    for (size_t i = 0; i < w->bodies.count; i++) w->bodies.items[i].overlaps = true;
    tru_cone c = tru_default_cone();
    c.step = h;
    MUST(tru_stepper_set(w, "cone", &c, &err));
    MUST(tru_check(w, &err));
    return w;
}

/* ---- against all pairs */

static void balls_only(tru_world *w, draw *d, double speed) {
    for (int i = 0; i < BALLS; i++) add_ball(w, d, 0.5, speed);
}

static bool apart(double a, double way_a, double b, double way_b, double reach) {
    const double low_a = a + fmin(0.0, way_a), high_a = a + fmax(0.0, way_a);
    const double low_b = b + fmin(0.0, way_b), high_b = b + fmax(0.0, way_b);
    return low_a - high_b > reach || low_b - high_a > reach;
}

/* Do the boxes of two balls on their ways overlap? Those of fast ones may not, however near they come to each other along
 * the normal of the start. */
static bool ways_meet(const body *a, const body *b, tru_vec3 v, tru_vec3 u) {
    const double reach = a->size + b->size + margin;
    return !(apart(a->x.x, h * v.x, b->x.x, h * u.x, reach) || apart(a->x.y, h * v.y, b->x.y, h * u.y, reach) ||
             apart(a->x.z, h * v.z, b->x.z, h * u.z, reach));
}

/* gap + h u_n < margin for two balls, and for a ball above the floor, which is body 0. */
static bool meets(const tru_world *w, const twist *moves, size_t i, size_t j) {
    const body *a = &w->bodies.items[i], *b = &w->bodies.items[j];
    tru_vec3 n = {0.0, 0.0, 1.0};
    double gap = a->x.z - a->size;
    if (j > 0) {
        const tru_vec3 between = v3_sub(a->x, b->x);
        gap = v3_norm(between) - a->size - b->size;
        n = v3_scale(1.0 / v3_norm(between), between);
    }
    if (j > 0 && !ways_meet(a, b, moves[i].v, moves[j].v)) return false;
    return gap < margin + h * fmax(0.0, -v3_dot(n, v3_sub(moves[i].v, moves[j].v)));
}

static size_t count_brute(const tru_world *w, const twist *moves) {
    size_t n = 0;
    for (size_t i = 1; i < w->bodies.count; i++) n += meets(w, moves, i, 0);
    for (size_t i = 1; i < w->bodies.count; i++)
        for (size_t j = i + 1; j < w->bodies.count; j++) n += meets(w, moves, i, j);
    return n;
}

/* Balls fly through each other, here and there with a new velocity; slow enough for the list to last, or too fast; `away` from
 * the origin. */
static void against_all_pairs(draw *d, double speed, bool lasts, double away) {
    tru_error err;
    tru_world *w = checked_world(balls_only, d, speed);
    for (size_t i = 1; i <= BALLS; i++) w->bodies.items[i].x.x += away;
    twist moves[BALLS + 1] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    int made = 0, most = 0;
    for (int step = 0; step < 120; step++) {
        for (size_t i = 1; i <= BALLS; i++) {
            body *b = &w->bodies.items[i];
            b->x = v3_madd(b->x, h, b->v);
            if (draw_in(d, 0.0, 1.0) < 0.002) b->v = draw_in_cube(d, speed);
            moves[i] = (twist){b->v, b->w};
        }
        trui_arena_reset(&w->scratch);
        MUST(trui_find_contacts_ahead(w, margin, h, moves, 0, NULL, &err));
        check_status((long long)w->contacts.count, (long long)count_brute(w, moves));
        for (size_t k = 0; k < w->contacts.count; k++) {
            const contact *c = &w->contacts.items[k];
            check(meets(w, moves, c->a, c->b));
            check(k == 0 || trui_contact_key_order(&c[-1].key, &c->key) < 0);
        }
        made += w->pair_list.age == 1;
        most = w->pair_list.age > most ? w->pair_list.age : most;
    }
    check(made > 1 || away != 0.0); /* far away boxes are wider */
    check(lasts ? most > 5 : most < 5);
    tru_world_destroy(w);
}

TEST(contacts_of_all_pairs) {
    draw d = {check_seed(), 1, 0};
    against_all_pairs(&d, 0.3, true, 0.0);
    against_all_pairs(&d, 200.0, false, 0.0);
    against_all_pairs(&d, 0.3, true, 0x1p22);  /* where floats are half a metre apart, */
    against_all_pairs(&d, 0.3, true, -0x1p16); /* or millimetres */
}

/* ---- whenever it was made */

static void balls_and_boxes(tru_world *w, draw *d, double speed) {
    for (int i = 0; i < 40; i++) {
        const tru_box box = {v3(draw_in(d, 0.05, 0.1), draw_in(d, 0.05, 0.1), draw_in(d, 0.05, 0.1))};
        const tru_vec3 at = v3_add(draw_in_cube(d, 0.4), v3(0.0, 0.0, 0.6));
        add_ball(w, d, 0.4, speed);
        kit_add_solid(w, NULL, TRU_FREE, "box", &box, at, (tru_quat){1.0, 0.0, 0.0, 0.0}, draw_in_cube(d, speed),
                      v3_zero());
    }
}

/* One that comes high up, so that it overlaps none that is there. */
static void add_late(tru_world *w, int step) {
    kit_add_solid_ball(w, NULL, 0.05, v3(0.1, 0.01 * (step % 5), 1.5 + 0.02 * step), v3(0.0, 0.0, -1.0), v3_zero());
}

/* A list made again in every step, with room and without, gives the bits of one that was kept, and that bodies joined. */
TEST(same_bits_whenever_made) {
    tru_error err;
    draw d = {check_seed(), 1, 0}, same = d, again = d;
    tru_world *kept = checked_world(balls_and_boxes, &d, 1.0), *fresh = checked_world(balls_and_boxes, &same, 1.0);
    tru_world *thin = checked_world(balls_and_boxes, &again, 1.0);
    int served = 0, joined = 0;
    size_t most = 0;
    for (int step = 0; step < 150; step++) {
        fresh->pair_list.good = thin->pair_list.good = false;
        thin->pair_list.thin = 1;
        if (step % 8 == 3) {
            add_late(kept, step);
            add_late(fresh, step);
            add_late(thin, step);
        }
        const tru_status one = tru_run(kept, 1, &err), two = tru_run(fresh, 1, &err), three = tru_run(thin, 1, &err);
        check(one >= 0 && two == one && three == one);
        check(tru_state_hash(kept) == tru_state_hash(fresh));
        check(tru_state_hash(kept) == tru_state_hash(thin));
        served += kept->pair_list.age > 1;
        joined += kept->pair_list.age > 1 && step % 8 == 3;
        most = kept->contacts.count > most ? kept->contacts.count : most;
    }
    check(served > 50);
    check(joined > 5);
    check(most > 20);
    tru_world_destroy(kept);
    tru_world_destroy(fresh);
    tru_world_destroy(thin);
}
