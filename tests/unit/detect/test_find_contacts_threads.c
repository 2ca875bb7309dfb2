/* test_collide_threads.c: contacts of balls, boxes, capsules, stones and bodies of two shapes, found by several threads: the
 * same bits as by one, from step to step. */
#include "check.h"
#include "zoo.h"

#include "detect/find_contacts.h"
#include "math/random.h"
#include "shape_cases.h"

#include <stdlib.h>

enum { BODIES = 1400, STEPS = 4 };
static const double h = 2e-3, margin = 4e-3;

/* Two balls on a rod: pairs of its shapes with others are not found in the order of contacts. */
static void add_dumbbell(tru_world *w, tru_vec3 at, tru_vec3 v) {
    tru_error err;
    const tru_sphere ball = {0.03};
    tru_shape_def shapes[2] = {tru_default_shape_def(), tru_default_shape_def()};
    tru_body_def b = tru_default_body_def();
    for (int k = 0; k < 2; k++) {
        shapes[k].shape = (tru_use){"sphere", &ball};
        shapes[k].density = 1000.0;
        shapes[k].position = v3(0.0, 0.0, k ? 0.04 : -0.04);
    }
    b.shapes = shapes;
    b.shape_count = 2;
    b.position = at;
    b.velocity = v;
    MUST(tru_body_add(w, &b, NULL, &err));
}

static void add_one(tru_world *w, draw *d, int i) {
    const tru_vec3 at = v3_add(draw_in_cube(d, 0.5), v3(0.0, 0.0, 0.5)), v = draw_in_cube(d, 3.0),
                   turning = draw_in_cube(d, 20.0);
    const tru_quat q = quat_renormalise(quat_exp(draw_in_cube(d, 2.0)));
    const tru_box box = {v3(0.07, 0.08, 0.06)};
    const tru_capsule capsule = {0.03, 0.06};
    if (i % 8 == 1)
        kit_add_solid(w, NULL, TRU_FREE, "box", &box, at, q, v, turning);
    else if (i % 8 == 3)
        kit_add_solid(w, NULL, TRU_FREE, "capsule", &capsule, at, q, v, turning);
    else if (i % 8 == 5)
        add_dumbbell(w, at, v);
    else
        kit_add_solid_ball(w, NULL, draw_in(d, 0.03, 0.045), at, v, turning);
}

static tru_world *crowded_world(int threads) {
    tru_error err;
    tru_world *w;
    tru_world_def def = tru_default_world_def();
    draw d = {check_seed(), 1, 0};
    def.threads = threads;
    MUST(tru_world_create(&def, &w, &err));
    kit_set_dry_pair(w, 0.4, 2e-3, 1e-3, 0.3);
    kit_add_floor(w);
    for (int i = 0; i < BODIES; i++) add_one(w, &d, i);
    for (size_t i = 0; i < w->bodies.count; i++) w->bodies.items[i].overlaps = true;
    tru_cone c = tru_default_cone();
    c.step = h;
    MUST(tru_stepper_set(w, "cone", &c, &err));
    MUST(tru_check(w, &err));
    return w;
}

/* Each contact is counted, and how many of its two solids it was given with. */
static void count_also(void *context, contact *all, size_t count) {
    (void)context;
    for (size_t i = 0; i < count; i++) {
        all[i].approach += 1.0 + all[i].pair->restitution;
        for (size_t j = 0; j < count; j++)
            all[i].theta += all[i].solid_a == all[j].solid_a && all[i].solid_b == all[j].solid_b ? 1.0f : 0.0f;
    }
}

/* Bodies go on as they do, through each other; here and there one gets a new velocity. */
static void one_step(tru_world *w, draw *d, twist *moves) {
    tru_error err;
    for (size_t i = 1; i < w->bodies.count; i++) {
        body *b = &w->bodies.items[i];
        b->x = v3_madd(b->x, h, b->v);
        if (draw_in(d, 0.0, 1.0) < 0.05) b->v = draw_in_cube(d, 9.0);
        moves[i] = (twist){b->v, b->w};
    }
    trui_arena_reset(&w->scratch);
    MUST(trui_find_contacts_ahead(w, margin, h, moves, 0, &(contact_visitor){count_also, NULL, NULL}, &err));
    for (size_t k = 0, run; k < w->contacts.count; k += run) {
        run = (size_t)trui_contact_run(&w->contacts, k);
        for (const contact *c = &w->contacts.items[k]; c < &w->contacts.items[k + run]; c++)
            check(c->approach == 1.0 + c->pair->restitution && c->theta == (double)run);
    }
}

static void check_contacts(const contact *p, const contact *q) {
    check(trui_contact_key_order(&p->key, &q->key) == 0);
    check(p->flags == q->flags && p->age == q->age && p->c.rim_points == q->c.rim_points);
    check(memcmp(&p->local_a, &q->local_a, sizeof p->local_a) == 0);
    check(memcmp(&p->c, &q->c, offsetof(contact_frame, memory)) == 0);
}

static void check_threads(int threads) {
    static twist moves[BODIES + 1], same[BODIES + 1];
    tru_world *one = crowded_world(1), *many = crowded_world(threads);
    draw d = {check_seed(), 1, 1}, e = d;
    size_t balls = 0, old = 0;
    for (int step = 0; step < STEPS; step++) {
        one_step(one, &d, moves);
        one_step(many, &e, same);
        check_status((long long)one->contacts.count, (long long)many->contacts.count);
        for (size_t k = 0; k < one->contacts.count && k < many->contacts.count; k++) {
            const contact *c = &one->contacts.items[k];
            check_contacts(c, &many->contacts.items[k]);
            check(k == 0 || trui_contact_key_order(&c[-1].key, &c->key) < 0);
            balls += one->solids.items[c->solid_a].ball && one->solids.items[c->solid_b].ball;
            old += c->age > 0;
        }
        for (size_t i = 0; i < one->bodies.count; i++)
            check(one->bodies.items[i].contacts == many->bodies.items[i].contacts);
    }
    /* enough for threads to share, of every kind, and most were there before */
    check(balls > 500 * STEPS && one->contacts.count * STEPS > 2 * balls && old > balls);
    tru_world_destroy(one);
    tru_world_destroy(many);
}

TEST(same_bits_with_threads) {
    check_threads(2);
    check_threads(3);
    check_threads(8);
}

static size_t some(draw *d, size_t below) { return (size_t)draw_in(d, 0.0, (double)below); }

/* Wherever the search begins, it ends at the first contact that does not stand before the two solids. */
TEST(seek_from_anywhere) {
    static twist moves[BODIES + 1];
    tru_world *w = crowded_world(1);
    draw d = {check_seed(), 1, 3};
    one_step(w, &d, moves);
    const contact_array *all = &w->contacts;
    for (int k = 0; k < 2000; k++) {
        contact_key key = all->items[some(&d, all->count)].key;
        if (k % 2) key.b += 1 + (uint32_t)some(&d, 3), key.solid_b = key.b; /* mostly there is none */
        size_t first = 0;
        key.feature = INT32_MIN;
        while (first < all->count && trui_contact_key_order(&all->items[first].key, &key) < 0) first++;
        const size_t near = some(&d, 40), hint[] = {0,
                                                    first,
                                                    first + near,
                                                    first - near % (first + 1),
                                                    all->count,
                                                    all->count + near,
                                                    some(&d, all->count)};
        for (size_t i = 0; i < sizeof hint / sizeof *hint; i++) check(trui_contact_seek(all, &key, hint[i]) == first);
    }
    tru_world_destroy(w);
}

/* A pair of materials without a law: the same sentence, about the first contact. */
TEST(same_refusal_with_threads) {
    tru_error err[2];
    for (int k = 0; k < 2; k++) {
        twist *moves = calloc(BODIES + 1, sizeof *moves);
        tru_world *w = crowded_world(k ? 3 : 1);
        const size_t had = w->contacts.count;
        for (size_t i = 0; i < w->pair_table.count; i++) w->pair_table.items[i] = -1;
        trui_arena_reset(&w->scratch);
        const contact_visitor also = {count_also, NULL, NULL};
        check_status(trui_find_contacts_ahead(w, margin, h, moves, 0, &also, &err[k]), TRU_NO_LAW);
        check(w->contacts.count == had);
        tru_world_destroy(w);
        free(moves);
    }
    check(strcmp(err[0].text, err[1].text) == 0);
}
