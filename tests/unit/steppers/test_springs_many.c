/* Contacts that go side by side in SIMD lanes get the bits that each gets alone, for every instruction set and number of
 * threads. */
#include "check.h"
#include "worlds.h"

#include "math/quat.h"
#include "lanes/isa.h"
#include "steppers/springs/springs_kernel.h"
#include "steppers/springs/springs_many.h"

#include <trundle/plugin.h>

enum { SIDE = 5, BALLS = SIDE * SIDE * 3 };

/* What a heap is made of. */
typedef struct heap {
    tru_track_law law;
    bool set_valued, moving_floor;
    tru_track track;
    double restitution, compliance;
} heap;

static heap usual(void) {
    heap k = {.law = tru_default_track_law(), .track = tru_default_track(), .restitution = 0.3};
    k.law.slide = 0.3;
    k.law.slide_static = 0.4;
    k.law.eta_r = 0.1;
    k.law.eta_psi = 0.05;
    k.track.step = 1e-4;
    return k;
}

static void add_pair(tru_world *w, const heap *k, tru_id a, tru_id b, double factor) {
    tru_pair_def touch = tru_default_pair_def();
    tru_track_law law = k->law;
    tru_coulomb coulomb = tru_default_coulomb();
    tru_rolling rolling = tru_default_rolling();
    tru_error err;
    law.slide *= factor;
    coulomb.slide = 0.3 * factor;
    rolling.roll.length = rolling.spin.length = 1e-3 * factor;
    const tru_use own = {"track", &law}, both[2] = {{"coulomb", &coulomb}, {"rolling", &rolling}};
    touch.a = a;
    touch.b = b;
    touch.laws = k->set_valued ? both : &own;
    touch.law_count = k->set_valued ? 2 : 1;
    touch.restitution = k->restitution;
    touch.compliance = k->compliance;
    MUST(tru_pair_set(w, &touch, &err));
}

static void add_floor(tru_world *w, const heap *k, tru_vec3 at, tru_vec3 axis, double angle, bool moves) {
    tru_shape_def plane = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    tru_error err;
    plane.shape.name = "plane";
    b.kind = moves && k->moving_floor ? TRU_DRIVEN : TRU_FIXED;
    b.shapes = &plane;
    b.shape_count = 1;
    b.position = at;
    b.orientation = quat_exp(v3_scale(angle, axis));
    tru_id id;
    MUST(tru_body_add(w, &b, &id, &err));
    if (b.kind == TRU_DRIVEN) {
        tru_motion_def m = tru_default_motion_def();
        m.body = id;
        m.velocity = v3(0.02, 0.0, 0.0);
        m.angular_velocity = v3(0.0, 0.0, 0.3);
        MUST(tru_motion_set(w, &m, &err));
    }
}

/* Balls of several sizes and two materials, pressed into each other a little, in random motion. */
static tru_world *heap_of(const heap *k, uint64_t seed, int threads) {
    tru_world_def wd = tru_default_world_def();
    tru_world *w;
    tru_error err;
    tru_id soft;
    wd.threads = threads;
    MUST(tru_world_create(&wd, &w, &err));
    MUST(tru_material_add(w, "other", &soft, &err));
    add_pair(w, k, TRU_NONE, TRU_NONE, 1.0);
    add_pair(w, k, soft, soft, 0.5);
    add_floor(w, k, v3(0.0, 0.0, 0.0), v3(0.0, 0.0, 1.0), 0.2, true);
    add_floor(w, k, v3(-0.0201, 0.0, 0.0), v3(0.0, 1.0, 0.0), 1.5707963267948966, false);
    for (uint64_t i = 0; i < BALLS; i++) {
        const double x = (double)(i % SIDE), y = (double)(i / SIDE % SIDE), z = (double)(i / (SIDE * SIDE));
        const tru_sphere sphere = {0.02 * (1.0 + 0.01 * tru_random(seed, i, 0))};
        tru_shape_def round = tru_default_shape_def();
        tru_body_def b = tru_default_body_def();
        round.shape = (tru_use){"sphere", &sphere};
        round.density = i % 7 == 0 ? 8000.0 : 2000.0;
        round.material = i % 3 == 0 ? soft : TRU_NONE;
        b.shapes = &round;
        b.shape_count = 1;
        b.position = v3(0.04 * x, 0.04 * y, 0.02 + 0.04 * z);
        for (int d = 0; d < 3; d++) {
            (&b.velocity.x)[d] = 0.4 * (tru_random(seed, i, (uint64_t)(1 + d)) - 0.5);
            (&b.angular_velocity.x)[d] = 20.0 * (tru_random(seed, i, (uint64_t)(4 + d)) - 0.5);
        }
        b.allow_overlap = true;
        MUST(tru_body_add(w, &b, NULL, &err));
    }
    MUST(tru_stepper_set(w, "track", &k->track, &err));
    return w;
}

/* ---- one step, its contacts loaded in several ways */

static springs_kernel *const kernels[] = {SIMD_VARIANTS(trui_springs_kernel)};

typedef struct counts {
    size_t lanes, left, flips, fresh, lost;
} counts;

/* All contacts as they were before and after their loads, with their books. */
typedef struct loaded {
    contact *c;
    springs *k;
    spring_book *books;
} loaded;

static loaded room_for(size_t n) {
    return (loaded){malloc(n * sizeof(contact)), malloc(n * sizeof(springs)), malloc(n * sizeof(spring_book))};
}

static void release(loaded *l) {
    free(l->c);
    free(l->k);
    free(l->books);
}

static void keep_contacts(const tru_world *w, loaded *l) {
    memcpy(l->c, w->contacts.items, w->contacts.count * sizeof *l->c);
}

static void keep(const tru_world *w, loaded *l) {
    keep_contacts(w, l);
    memcpy(l->k, w->springs.items, w->contacts.count * sizeof *l->k);
}

/* Contacts as they were; where their springs go, anything may stand. */
static void give_back(tru_world *w, const loaded *l) {
    memcpy(w->contacts.items, l->c, w->contacts.count * sizeof *l->c);
    memset(w->springs.items, 0xa5, w->contacts.count * sizeof *l->k);
}

/* Eight contacts by a kernel: those it has done are as `alone`. */
static void compare_eight(springs_kernel *kernel, const tru_world *w, spring_group *g, const loaded *alone,
                          counts *seen) {
    spring_book own[SPRING_LANES];
    for (int i = 0; i < SPRING_LANES; i++) {
        g->a[i] = &w->bodies.items[g->c[i]->a];
        g->b[i] = &w->bodies.items[g->c[i]->b];
        g->springs[i] = springs_room(w, g->c[i]);
        g->book[i] = &own[i];
    }
    const unsigned left = kernel(g);
    for (int i = 0; i < SPRING_LANES; i++) {
        const size_t at = (size_t)(g->c[i] - w->contacts.items);
        if (left >> i & 1u) {
            seen->left++;
            continue;
        }
        seen->lanes++;
        seen->flips += g->c[i]->stuck != g->c[i]->c.stuck;
        check(memcmp(g->c[i], &alone->c[at], sizeof *alone->c) == 0);
        check(memcmp(g->c[i]->springs, &alone->k[at], sizeof *alone->k) == 0);
        check(memcmp(&own[i], &alone->books[at], sizeof *own) == 0);
    }
}

/* Contacts of a pair that were followed, on planes or not, eight by eight. */
static void compare_pair(springs_kernel *kernel, const tru_track *o, const tru_world *w, const pair *p, bool flat,
                         const loaded *alone, counts *seen) {
    spring_form form;
    spring_group g = {.form = &form, .flat = flat};
    int n = 0;
    if (!check(trui_spring_form_of(o, w, p, &form))) return;
    for (size_t i = 0; i < w->contacts.count; i++) {
        contact *c = &w->contacts.items[i];
        const bool on_plane = !w->solids.items[c->solid_b].shape->bounded;
        if (c->pair != p || on_plane != flat || !(c->flags & CONTACT_FOLLOWED) || c->age < 2) continue;
        g.c[n++] = c;
        if (n == SPRING_LANES) compare_eight(kernel, w, &g, alone, seen);
        n %= SPRING_LANES;
    }
}

/* Up to its loads, then undone. */
static void compare_step(tru_world *w, counts *seen) {
    const tru_track *o = w->stepper_params;
    tru_error err;
    step s;
    MUST(trui_step_begin(&s, w, o->step, &err));
    MUST(trui_find_contacts(w, trui_springs_activation(o, w), s.h, KEEP_SPRINGS, &err));
    const size_t n = w->contacts.count;
    loaded before = room_for(n), alone = room_for(n);
    keep_contacts(w, &before);
    for (size_t i = 0; i < n; i++) {
        seen->fresh += (w->contacts.items[i].flags & CONTACT_NEW) && w->steps_done > 0;
        trui_springs_load(o, &s, &w->contacts.items[i], &alone.books[i]);
    }
    seen->lost += w->contacts_before.count > n;
    keep(w, &alone);
    for (int isa = SIMD_GENERIC; isa <= SIMD_AVX512; isa++) {
        if (!simd_supported(isa)) continue;
        give_back(w, &before);
        for (size_t p = 0; p < w->pairs.count; p++) {
            compare_pair(kernels[isa], o, w, &w->pairs.items[p], false, &alone, seen);
            compare_pair(kernels[isa], o, w, &w->pairs.items[p], true, &alone, seen);
        }
    }
    give_back(w, &before);
    MUST(trui_springs_load_all(o, &s, &err));
    for (size_t i = 0; i < n; i++) {
        check(memcmp(&w->contacts.items[i], &alone.c[i], sizeof *alone.c) == 0);
        check(memcmp(&w->springs.items[i], &alone.k[i], sizeof *alone.k) == 0);
    }
    release(&before);
    release(&alone);
    trui_find_contacts_undo(w);
    trui_step_undo(&s, TRU_OK);
}

/* Steps of a heap, each compared before it is done; all of it happened: stick and slip, contacts that come and go. */
static void compare(const heap *k) {
    enum { STEPS = 150 };
    const uint64_t seed = check_seed();
    tru_world *w = heap_of(k, seed, 1);
    counts seen = {0};
    tru_error err;
    for (int i = 0; i < STEPS; i++) {
        MUST(tru_run(w, 1, &err));
        if (i % 3 == 0) compare_step(w, &seen);
    }
    check(seen.lanes > 1000 && seen.left == 0);
    if (k->law.slide > 0.0) check(seen.flips > 10);
    check(seen.fresh > 0 && seen.lost > 0);
    tru_world_destroy(w);
}

/* ---- every kind of parameter: lanes and scalar text give the same bits ---- */

TEST(parts_of_slide) {
    const heap k = usual();
    compare(&k);
}

TEST(given_stiffness_and_free_dashpots) {
    heap k = usual();
    k.track.stiffness = 5e3;
    k.track.masses = TRU_MEAN_MASS;
    k.track.allow_unstable = true;
    compare(&k);
}

TEST(own_stiffness_and_closure) {
    heap k = usual();
    k.law.spin_curvature = 100.0;
    k.track.roll_stiffness = 1e-2;
    k.track.normal_damping = 0.2;
    k.compliance = 2e-4;
    compare(&k);
}

TEST(lengths) {
    heap k = usual();
    k.law.eta_r = k.law.eta_psi = 0.0;
    k.law.roll.length = 5e-4;
    k.law.spin.length = 2e-4;
    compare(&k);
}

TEST(laws_of_other_steppers) {
    heap k = usual();
    k.set_valued = true;
    compare(&k);
}

TEST(hertz) {
    heap k = usual();
    k.track.normal = TRU_HERTZ;
    k.law.modulus = 2e6;
    k.law.eta_psi = 0.0;
    compare(&k);
}

TEST(prescribed) {
    heap k = usual();
    k.track.normal = TRU_PRESCRIBED;
    k.track.normal_force = 0.5;
    k.restitution = 0.0;
    compare(&k);
}

TEST(frictionless) {
    heap k = usual();
    k.law = tru_default_track_law();
    compare(&k);
}

TEST(floor_that_moves) {
    heap k = usual();
    k.moving_floor = true;
    compare(&k);
}

/* ---- what lanes leave to the scalar text, and threads ---- */

/* What the lanes do not know goes alone, and says so. */
TEST(others_are_left_alone) {
    heap k = usual();
    tru_world *w = heap_of(&k, check_seed(), 1);
    const pair *p = &w->pairs.items[0];
    spring_form form;
    tru_track o = k.track;
    check(trui_spring_form_of(&o, w, p, &form));
    o.roll_couple = TRU_PER_BODY;
    check(!trui_spring_form_of(&o, w, p, &form));
    o = k.track;
    o.mapping = TRU_AUTHORS;
    check(!trui_spring_form_of(&o, w, p, &form));
    tru_world_destroy(w);
    k.law.modulus = 2e6; /* Hertz's radius closes the spin */
    w = heap_of(&k, check_seed(), 1);
    check(!trui_spring_form_of(&k.track, w, &w->pairs.items[0], &form));
    tru_world_destroy(w);
    k = usual();
    k.law.eta_r = 0.0;
    k.law.roll = (tru_length){.factor = 0.05, .radius = TRU_RADIUS_EFFECTIVE}; /* of the moment */
    w = heap_of(&k, check_seed(), 1);
    check(!trui_spring_form_of(&k.track, w, &w->pairs.items[0], &form));
    tru_world_destroy(w);
}

TEST(any_number_of_threads) {
    const heap k = usual();
    const uint64_t seed = check_seed();
    tru_world *one = heap_of(&k, seed, 1), *several = heap_of(&k, seed, 3);
    tru_error err;
    MUST(tru_run(one, 200, &err));
    MUST(tru_run(several, 200, &err));
    check(tru_state_hash(one) == tru_state_hash(several));
    const tru_ledger l = tru_world_ledger(one), m = tru_world_ledger(several);
    check(memcmp(&l, &m, sizeof l) == 0);
    check(fabs(tru_ledger_gap(&l)) < 1e-11 * (l.slide + l.impact + l.kinetic + fabs(l.start)));
    tru_world_destroy(one);
    tru_world_destroy(several);
}
