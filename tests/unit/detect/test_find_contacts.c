/* test_collide.c: contacts of bodies: order, persistence by key, frames carried over, rows against differences. */
#define _GNU_SOURCE
#include "scenes.h"

#include "detect/find_contacts.h"
#include "math/random.h"
#include "world/world.h"

static const double step = 1e-3;

/* With the first method, midpoint; NULL where that refuses a law. */
static tru_world *world_of(const scene *s) {
    const method m = method_at(0, step);
    return scene_is_refused(s, &m) ? NULL : scene_build(s, &m);
}

/* Move a body by a small time with its velocities, as a rigid body does. */
static body moved(const body *b, double time) {
    body c = *b;
    c.x = v3_madd(b->x, time, b->v);
    c.q = quat_integrate(b->q, b->w, time);
    return c;
}

static double difference(double after, double before, double time) { return (after - before) / (2.0 * time); }

/* The normal row is the rate of the gap, where the contact is. */
static void gap_rate(const tru_world *w, const contact *run, int count, double time) {
    const body *a = &w->bodies.items[run->a], *b = &w->bodies.items[run->b];
    const body a0 = moved(a, -time), a1 = moved(a, time), b0 = moved(b, -time), b1 = moved(b, time);
    contact_place now[TRU_TOUCHES], before[TRU_TOUCHES], after[TRU_TOUCHES];
    trui_contact_run_places(w, run, count, a, b, now);
    trui_contact_run_places(w, run, count, &a0, &b0, before);
    trui_contact_run_places(w, run, count, &a1, &b1, after);
    for (int k = 0; k < count; k++) {
        double u[TRU_ROWS];
        const twist ta = {a->v, a->w}, tb = {b->v, b->w};
        trui_contact_rates(&now[k], &ta, &tb, u);
        const double speed = v3_norm(a->v) + v3_norm(b->v) + 0.2 * (v3_norm(a->w) + v3_norm(b->w));
        check_close(u[TRU_ROW_NORMAL], difference(after[k].gap, before[k].gap, time), 0.0, 1e-6 * speed);
        /* slide rows: two points, one of each body, that are at the contact now */
        const tru_vec3 at = v3_add(a->x, now[k].arm_a);
        const tru_vec3 la = quat_unrotate(a->q, now[k].arm_a), lb = quat_unrotate(b->q, v3_sub(at, b->x));
        const tru_vec3 later = v3_sub(v3_add(a1.x, quat_rotate(a1.q, la)), v3_add(b1.x, quat_rotate(b1.q, lb)));
        const tru_vec3 earlier = v3_sub(v3_add(a0.x, quat_rotate(a0.q, la)), v3_add(b0.x, quat_rotate(b0.q, lb)));
        const tru_vec3 slip = v3_scale(0.5 / time, v3_sub(later, earlier));
        check_close(u[TRU_ROW_SLIDE1], v3_dot(slip, now[k].t1), 0.0, 1e-6 * speed);
        check_close(u[TRU_ROW_SLIDE2], v3_dot(slip, now[k].t2), 0.0, 1e-6 * speed);
        /* spin and roll rows: how A turns relative to B */
        const tru_vec3 ra = quat_log(quat_mul(a1.q, quat_conj(a0.q))), rb = quat_log(quat_mul(b1.q, quat_conj(b0.q)));
        const tru_vec3 turn = v3_scale(0.5 / time, v3_sub(ra, rb));
        const double rate = v3_norm(a->w) + v3_norm(b->w);
        check_close(u[TRU_ROW_SPIN], v3_dot(turn, now[k].normal), 0.0, 1e-7 * rate);
        check_close(u[TRU_ROW_ROLL1], v3_dot(turn, now[k].t1), 0.0, 1e-7 * rate);
        check_close(u[TRU_ROW_ROLL2], v3_dot(turn, now[k].t2), 0.0, 1e-7 * rate);
    }
}

/* ---- one contact: rows against finite differences ---- */

TEST(rows_against_differences) {
    scene s;
    long rows = 0;
    const uint64_t seed = check_seed();
    EACH_SCENE(s) {
        tru_world *w = world_of(&s);
        if (!w) continue;
        for (int i = 0; i < s.steps; i++) {
            scene_run_step(w, s.name, "midpoint");
            if (i % 50 != 0) continue;
            for (size_t k = 0; k < w->bodies.count; k++) { /* any velocities will do */
                body *b = &w->bodies.items[k];
                const uint64_t id = (uint64_t)(i * 64) + k;
                if (b->kind == TRU_FIXED) continue;
                b->v = tru_random_direction(seed, id, 0);
                b->w = v3_scale(5.0, tru_random_direction(seed, id, 1));
            }
            for (size_t k = 0; k < w->contacts.count; k += (size_t)trui_contact_run(&w->contacts, k)) {
                const int count = trui_contact_run(&w->contacts, k);
                const solid *shape = &w->solids.items[w->contacts.items[k].solid_a];
                if (count > 1 && strcmp(shape->shape->name, "disk") == 0) continue; /* flat: its points would jump */
                gap_rate(w, &w->contacts.items[k], count, 1e-6);
                rows += count;
            }
            break; /* its velocities are no longer its own */
        }
        tru_world_destroy(w);
    }
    check(rows > 15);
}

/* ---- frames: well formed, carried along, transported in parallel ---- */

/* By ids of the bodies, numbers of their shapes, and feature. */
static bool comes_first(const tru_world *w, const contact *c, const contact *n) {
    const body *b = w->bodies.items;
    const solid *s = w->solids.items;
    const uint64_t one[4] = {b[c->a].id, b[c->b].id, (uint64_t)s[c->solid_a].k, (uint64_t)s[c->solid_b].k};
    const uint64_t two[4] = {b[n->a].id, b[n->b].id, (uint64_t)s[n->solid_a].k, (uint64_t)s[n->solid_b].k};
    for (int i = 0; i < 4; i++)
        if (one[i] != two[i]) return one[i] < two[i];
    return c->key.feature < n->key.feature;
}

/* In every step of every scene: sorted by key, frames right-handed, arms meet at the point, B fixed or the later. */
TEST(contacts_are_well_formed) {
    scene s;
    EACH_SCENE(s) {
        tru_world *w = world_of(&s);
        if (!w) continue;
        for (int i = 0; i < s.steps; i++) {
            scene_run_step(w, s.name, "midpoint");
            for (size_t k = 0; k < w->contacts.count; k++) {
                const contact *c = &w->contacts.items[k];
                const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
                check(w->solids.items[c->solid_a].body == c->a && w->solids.items[c->solid_b].body == c->b);
                check(body_is_free(a));
                check(!body_is_free(b) || a->id < b->id);
                const contact_frame *g = &c->c;
                check_close(v3_norm(g->normal), 1.0, 4e-16, 0.0);
                check_close(v3_norm(g->t1), 1.0, 1e-14, 0.0);
                check_close(v3_dot(v3_cross(g->normal, g->t1), g->t2), 1.0, 1e-14, 0.0);
                const contact *n = k + 1 < w->contacts.count ? c + 1 : NULL;
                if (n) check(comes_first(w, c, n));
                const tru_vec3 apart = v3_sub(v3_add(a->x, c->end->place.arm_a), v3_add(b->x, c->end->place.arm_b));
                check_close(v3_norm(apart), 0.0, 0.0, 1e-14);
            }
        }
        tru_world_destroy(w);
    }
}

/* A contact keeps its age and its frame, which turns as little as the normal does: nothing spins it. */
TEST(frames_are_carried_over) {
    const scene s = ball_slides();
    tru_world *w = world_of(&s);
    tru_vec3 before = v3_zero();
    for (int i = 0; i < 300; i++) {
        scene_run_step(w, s.name, "midpoint");
        if (!check_status((long long)w->contacts.count, 1)) break;
        const contact *c = &w->contacts.items[0];
        check_status(c->age, i);
        check(((c->flags & CONTACT_NEW) != 0) == (i == 0));
        if (i > 0) check_close(v3_norm(v3_sub(c->c.t1, before)), 0.0, 0.0, 1e-15); /* the normal is always z */
        before = c->c.t1;
    }
    tru_world_destroy(w);
}

/* Against a curved surface: t1 is parallel transported, so over a closed loop it turns by the loop's solid angle. */
TEST(frame_on_a_sphere_turns_by_the_solid_angle) {
    tru_error err;
    scene s = scene_begin("two spheres", 0);
    s.world.gravity = v3_zero();
    const tru_sphere shape = {0.5};
    scene_body *core = scene_add_body(&s, "sphere", &shape, 0.0);
    core->def.kind = TRU_FIXED;
    scene_body *b = scene_add_body(&s, "sphere", &shape, 1.0);
    b->def.position = v3(0, 0, 1.0);
    tru_world *w = world_of(&s);
    const double tilt = 0.6; /* [rad] a circle of latitude */
    const int n = 20000;
    tru_vec3 first = v3_zero(), last = v3_zero();
    for (int i = 0; i <= n; i++) {
        const double angle = 2.0 * M_PI * i / n;
        tru_body_state state = kit_get_state(w, 2);
        state.position = v3(sin(tilt) * cos(angle), sin(tilt) * sin(angle), cos(tilt));
        MUST(tru_body_set(w, 2, &state, &err));
        trui_arena_reset(&w->scratch);
        MUST(tru_check(w, &err));
        trui_arena_reset(&w->scratch);
        MUST(trui_find_contacts(w, 1e-6, step, i % 2 ? KEEP_ENDS : 0, &err));
        check_status((long long)w->contacts.count, 1);
        contact *c = &w->contacts.items[0];
        if (c->end) c->end->place = (contact_place){c->c.normal, c->c.t1, c->c.t2, c->c.arm_a, c->c.arm_b, c->c.gap};
        if (i == 0) first = c->c.t1;
        last = c->c.t1;
    }
    const double turned = 2.0 * M_PI * (1.0 - cos(tilt));
    check_close(v3_dot(first, last), cos(turned), 0.0, 1e-3);
    tru_world_destroy(w);
}

/* ---- undo, and completeness against all pairs ---- */

/* Undoing a collide gives back the contacts of the step before, to the last byte. */
TEST(collide_can_be_undone) {
    tru_error err;
    const scene s = balls_collide();
    tru_world *w = world_of(&s);
    MUST(tru_run(w, 120, &err));
    const size_t count = w->contacts.count;
    contact kept[8];
    check(count > 1 && count <= 8);
    memcpy(kept, w->contacts.items, count * sizeof *kept);
    trui_arena_reset(&w->scratch);
    w->bodies.items[1].x.z += 0.5; /* far off */
    MUST(trui_find_contacts(w, 1e-5, step, KEEP_ENDS, &err));
    check(w->contacts.count < count);
    trui_find_contacts_undo(w);
    check(w->contacts.count == count);
    check(memcmp(kept, w->contacts.items, count * sizeof *kept) == 0);
    tru_world_destroy(w);
}

/* Every pair that is closer than the activation is found, wherever bodies are: against all pairs. */
TEST(no_contact_is_missed) {
    tru_error err;
    const uint64_t seed = check_seed();
    for (uint64_t round = 0; round < 40; round++) {
        scene s = scene_begin("heap", 0);
        scene_add_coulomb(&s, 0.3);
        tru_use laws[TRU_PAIR_LAWS];
        scene_link(&s, laws);
        tru_world *w;
        enum { N = 60 };
        tru_vec3 x[N];
        double r[N];
        MUST(tru_world_create(&s.world, &w, &err));
        MUST(tru_pair_set(w, &s.pair, &err));
        for (uint64_t i = 0; i < N; i++) {
            const tru_sphere sphere = {0.05 + 0.1 * tru_random_uniform(seed, round, 4 * i)};
            tru_shape_def part = tru_default_shape_def();
            tru_body_def b = tru_default_body_def();
            part.shape = (tru_use){"sphere", &sphere};
            part.density = 1.0;
            r[i] = sphere.radius;
            for (int k = 0; k < 3; k++)
                (&b.position.x)[k] =
                    1.2 * tru_random_uniform(seed, round, 4 * i + 1 + (uint64_t)k) - 50.0 * (double)(round % 3);
            x[i] = b.position;
            b.allow_overlap = true;
            b.shapes = &part;
            b.shape_count = 1;
            MUST(tru_body_add(w, &b, NULL, &err));
        }
        kit_set_moreau(w, step, TRU_MIDPOINT);
        MUST(tru_check(w, &err));
        trui_arena_reset(&w->scratch);
        const double margin = 0.01;
        MUST(trui_find_contacts(w, margin, step, 0, &err));
        size_t wanted = 0, found = 0;
        for (int i = 0; i < N; i++)
            for (int j = i + 1; j < N; j++) {
                if (!(v3_norm(v3_sub(x[i], x[j])) - r[i] - r[j] < margin)) continue;
                wanted++;
                for (size_t k = 0; k < w->contacts.count; k++)
                    found += w->bodies.items[w->contacts.items[k].a].id == (tru_id)i + 1 &&
                             w->bodies.items[w->contacts.items[k].b].id == (tru_id)j + 1;
            }
        if (!check(wanted > 10 && found == wanted && w->contacts.count == wanted))
            printf("round %d: %zu wanted, %zu found of %zu\n", (int)round, wanted, found, w->contacts.count);
        tru_world_destroy(w);
    }
}
