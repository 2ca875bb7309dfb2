/* tru_state_hash and tru_motion_hash: blind to storage order and to what a world does not use, awake to every bit that counts. */
#include "check.h"
#include "zoo.h"

#include "api/state/state_hash.h"
#include "fields/fields.h"
#include "world/world.h"

static tru_world *after(int scene, const char *stepper, uint64_t steps) {
    tru_error err;
    tru_world *w = kit_create_zoo_world(&zoo[scene], NULL, 1);
    for (size_t k = 0; tru_stepper_at(k); k++)
        if (strcmp(tru_stepper_at(k)->name, stepper) == 0)
            MUST(kit_set_stepper(w, tru_stepper_at(k), 0, zoo[scene].step, &err));
    MUST(tru_run(w, steps, &err));
    return w;
}

/* ---- what a later version may add ---- */

enum { FIELDS = 64, ROOM = 1024 };

/* A table with one more field in front, at the end of a struct of `size` bytes. */
static void extend(const tru_field *fields, size_t size, tru_field *out) {
    int n = 0;
    out[n++] = (tru_field){.name = "news",
                           .type = TRU_FIELD_REAL,
                           .unit = TRU_UNIT_ONE,
                           .default_value = 0.25,
                           .lowest = 0.0,
                           .highest = 1.0,
                           .doc = "Of a later version.",
                           .offset = (size + 15) / 16 * 16};
    while (fields->name && n < FIELDS - 1) out[n++] = *fields++;
    out[n] = (tru_field){.name = NULL};
}

/* Parameters of any plug-in: a new field with its default changes nothing, with another value it does; a field that is not as
 * by default counts. */
static void table_grows(const char *name, const tru_field *fields, size_t size) {
    _Alignas(max_align_t) char params[ROOM] = {0};
    tru_field more[FIELDS];
    const size_t news = (size + 15) / 16 * 16;
    if (!fields || !check(news + sizeof(double) <= ROOM)) return;
    extend(fields, size, more);
    tru_fields_defaults(more, params);
    check(trui_fields_hash(fields, params, NULL) == 0 && trui_fields_hash(more, params, NULL) == 0);
    for (const tru_field *f = fields; f->name; f++)
        if (f->type == TRU_FIELD_REAL) *(double *)(void *)(params + f->offset) = 0.375;
    const uint64_t before = trui_fields_hash(fields, params, NULL);
    if (!check(trui_fields_hash(more, params, NULL) == before)) printf("%s\n", name);
    *(double *)(void *)(params + news) = 0.5;
    check(trui_fields_hash(more, params, NULL) != before);
    bool any = false;
    for (const tru_field *f = fields; f->name; f++) any = any || f->type == TRU_FIELD_REAL;
    check(!any || before != 0);
}

TEST(a_new_field_is_not_seen) {
    for (size_t k = 0; tru_law_at(k); k++) table_grows(tru_law_at(k)->name, tru_law_at(k)->fields, tru_law_at(k)->size);
    for (size_t k = 0; tru_shape_at(k); k++)
        table_grows(tru_shape_at(k)->name, tru_shape_at(k)->fields, tru_shape_at(k)->size);
    for (size_t k = 0; tru_solver_at(k); k++)
        table_grows(tru_solver_at(k)->name, tru_solver_at(k)->fields, tru_solver_at(k)->size);
    for (size_t k = 0; tru_stepper_at(k); k++)
        table_grows(tru_stepper_at(k)->name, tru_stepper_at(k)->fields, tru_stepper_at(k)->size);
    for (size_t k = 0; tru_joint_at(k); k++)
        table_grows(tru_joint_at(k)->name, tru_joint_at(k)->fields, tru_joint_at(k)->size);
}

/* Coulomb's law registered by a user, in a version with one more field. */
typedef struct longer {
    tru_coulomb coulomb;
    _Alignas(16) double news; /* [-] */
} longer;

static const tru_law *named(const char *name) {
    for (size_t k = 0; tru_law_at(k); k++)
        if (strcmp(tru_law_at(k)->name, name) == 0) return tru_law_at(k);
    return NULL;
}

static uint64_t with_own_law(const tru_law *law, double news) {
    tru_error err;
    longer p = {.coulomb = tru_default_coulomb(), .news = news};
    p.coulomb.slide = 0.3;
    tru_world *w = kit_create_world(tru_default_world_def().gravity);
    MUST(tru_law_register(w, law, &err));
    const tru_use use = {law->name, &p};
    kit_set_pair(w, TRU_NONE, TRU_NONE, &use, 1, 0.0);
    zoo_ball_bodies(w);
    kit_set_moreau(w, 1e-3, TRU_PAPER);
    MUST(tru_run(w, 10, &err));
    const uint64_t found = tru_state_hash(w);
    tru_world_destroy(w);
    return found;
}

TEST(a_law_that_grows_is_not_seen) {
    tru_field table[FIELDS];
    tru_law own = *named("coulomb"), grown = own;
    own.name = grown.name = "mine";
    extend(own.fields, own.size, table);
    grown.fields = table;
    grown.size = sizeof(longer);
    check(offsetof(longer, news) == table[0].offset);
    check(with_own_law(&own, 0.25) == with_own_law(&grown, 0.25));
    check(with_own_law(&own, 0.25) != with_own_law(&grown, 0.5));
}

/* Registered, and used by no pair. */
TEST(a_new_law_is_not_seen) {
    tru_error err;
    tru_law own = *named("coulomb");
    tru_world *w = after(ZOO_CROWD, "moreau", 50);
    const uint64_t before = tru_state_hash(w);
    own.name = "mine";
    MUST(tru_law_register(w, &own, &err));
    check(tru_state_hash(w) == before);
    tru_world_destroy(w);
}

/* Joints enter by the name of their kind and its parameters: a kind that others do not use cannot be seen, and a kind may get a
 * field. */
TEST(a_joint_kind_that_grows_is_not_seen) {
    tru_world *w = after(ZOO_MECHANISM, "moreau", 20);
    const uint64_t before = tru_state_hash(w), moves = tru_motion_hash(w);
    check(w->joints.count > 0);
    for (size_t i = 0; i < w->joints.count; i++) {
        joint *j = &w->joints.items[i];
        const tru_joint *was = j->type;
        void *const params = j->params;
        _Alignas(max_align_t) char more[ROOM] = {0};
        tru_field table[FIELDS];
        tru_joint grown = *was;
        extend(was->fields, was->size, table);
        memcpy(more, params, was->size);
        *(double *)(void *)(more + table[0].offset) = 0.25;
        grown.fields = table;
        j->type = &grown;
        j->params = more;
        check(tru_state_hash(w) == before);
        *(double *)(void *)(more + table[0].offset) = 0.5;
        check(tru_state_hash(w) != before && tru_motion_hash(w) == moves);
        grown.name = "other";
        *(double *)(void *)(more + table[0].offset) = 0.25;
        check(tru_state_hash(w) != before);
        j->type = was;
        j->params = params;
    }
    check(tru_state_hash(w) == before);
    tru_world_destroy(w);
}

TEST(a_new_ledger_line_is_not_seen) {
    const named_value lines[] = {{"slide", 0.5}, {"roll", 0.25}, {"spin", 0.0}, {"wear", 0.0}};
    const named_value other[] = {{"wear", 1e-300}, {"roll", 0.25}, {"slide", 0.5}};
    tru_ledger l = {.slide = 0.5, .roll = 0.25, .kinetic = 3.0, .potential = -1.0};
    check(trui_hash_named(lines, 4) == trui_hash_named(lines, 3) &&
          trui_hash_named(lines, 4) == trui_hash_named(other + 1, 2));
    check(trui_hash_named(other, 3) != trui_hash_named(other + 1, 2));
    check(trui_hash_ledger(&l) == trui_hash_named(lines, 4));
    l.spin = 5e-324;
    check(trui_hash_ledger(&l) != trui_hash_named(lines, 4));
}

/* ---- storage order ---- */

static void swap_bytes(void *a, void *b, size_t size) {
    char *p = a, *q = b;
    for (size_t i = 0; i < size; i++) {
        const char c = p[i];
        p[i] = q[i];
        q[i] = c;
    }
}
#define SWAP_ITEMS(array, i, k) swap_bytes(&(array).items[i], &(array).items[k], sizeof *(array).items)

/* Exchange bodies i and k of one shape each in memory, with all that points to them; no id changes. */
static void exchange_bodies(tru_world *w, uint32_t i, uint32_t k) {
    SWAP_ITEMS(w->bodies, i, k);
    SWAP_ITEMS(w->labels, i, k);
    for (size_t s = 0; s < w->solids.count; s++) {
        uint32_t *of = &w->solids.items[s].body;
        *of = *of == i ? k : *of == k ? i : *of;
    }
    for (size_t n = 0; n < w->contacts.count; n++) {
        uint32_t *of[] = {&w->contacts.items[n].a, &w->contacts.items[n].b};
        for (int side = 0; side < 2; side++) *of[side] = *of[side] == i ? k : *of[side] == k ? i : *of[side];
    }
    for (size_t n = 0; n < w->joints.count; n++) {
        size_t *of[] = {&w->joints.items[n].a, &w->joints.items[n].b};
        for (int side = 0; side < 2; side++) *of[side] = *of[side] == i ? k : *of[side] == k ? i : *of[side];
    }
}

static size_t choose(uint64_t seed, uint64_t *n, size_t count) {
    return (size_t)(tru_random(seed, 77, (*n)++) * (double)count);
}

TEST(no_storage_order_enters) {
    const uint64_t seed = check_seed();
    const struct {
        int scene;
        const char *stepper;
    } of[] = {
        {ZOO_CROWD, "moreau"}, {ZOO_CROWD, "cone"}, {ZOO_CROWD, "track"}, {ZOO_MECHANISM, "cone"}, {ZOO_BOX, "moreau"}};
    uint64_t n = 0;
    size_t contacts = 0;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        tru_error err;
        tru_world *w = after(of[i].scene, of[i].stepper, 400);
        for (size_t k = 0; k < tru_body_count(w); k++) { /* several loads, two on each body */
            tru_load_def push = {.body = tru_body_at(w, k), .force = {0.1, 0.2 * (double)k, 0.3}};
            if (w->bodies.items[k].kind != TRU_FREE) continue;
            MUST(tru_load_add(w, &push, NULL, &err));
        }
        contacts += w->contacts.count;
        const uint64_t state = tru_state_hash(w), moves = tru_motion_hash(w);
        for (int turn = 0; turn < 200; turn++) {
            const size_t b = w->bodies.count, c = w->contacts.count, j = w->joints.count, l = w->loads.count;
            exchange_bodies(w, (uint32_t)choose(seed, &n, b), (uint32_t)choose(seed, &n, b));
            if (c > 0) SWAP_ITEMS(w->contacts, choose(seed, &n, c), choose(seed, &n, c));
            if (j > 0) SWAP_ITEMS(w->joints, choose(seed, &n, j), choose(seed, &n, j));
            if (l > 0) SWAP_ITEMS(w->loads, choose(seed, &n, l), choose(seed, &n, l));
            if (turn % 40 == 0) check(tru_state_hash(w) == state && tru_motion_hash(w) == moves);
        }
        check(tru_state_hash(w) == state && tru_motion_hash(w) == moves);
        tru_world_destroy(w);
    }
    check(contacts > 5);
}

/* Two loads on one body are added up in their order. */
TEST(the_order_of_loads_on_a_body_counts) {
    tru_error err;
    tru_world *w = after(ZOO_BALL, "moreau", 5);
    const tru_id ball = tru_body_find(w, "ball");
    MUST(tru_load_add(w, &(tru_load_def){.body = ball, .force = {0.1, 0.0, 0.0}}, NULL, &err));
    MUST(tru_load_add(w, &(tru_load_def){.body = ball, .force = {0.3, 0.0, 0.0}}, NULL, &err));
    const uint64_t before = tru_state_hash(w);
    SWAP_ITEMS(w->loads, 0, 1);
    check(tru_state_hash(w) != before);
    tru_world_destroy(w);
}

/* A body that came and went leaves nothing but the next id. */
TEST(what_is_gone_is_gone) {
    tru_error err;
    tru_world *w = after(ZOO_CROWD, "cone", 50);
    const uint64_t moves = tru_motion_hash(w), state = tru_state_hash(w);
    const tru_id id =
        kit_add_solid_ball(w, "guest", 0.05, (tru_vec3){50.0, 0.0, 9.0}, (tru_vec3){0, 0, 0}, (tru_vec3){0, 0, 0});
    check(tru_motion_hash(w) != moves);
    MUST(tru_body_remove(w, id, &err));
    check(tru_motion_hash(w) == moves && tru_state_hash(w) != state);
    w->next_id = id;
    w->ledger.start = 0.0;
    const uint64_t after_it = tru_state_hash(w);
    tru_world *other = after(ZOO_CROWD, "cone", 50);
    other->ledger.start = 0.0;
    check(tru_state_hash(other) == after_it);
    tru_world_destroy(w);
    tru_world_destroy(other);
}

/* ---- every bit that counts ---- */

typedef struct watch {
    const tru_world *w;
    uint64_t state, moves;
} watch;

/* With the lowest bit of a member flipped the state hash is another one; the motion hash if the member is what moves. */
static void flip(const watch *k, void *member, bool moves, const char *name) {
    unsigned char *byte = member;
    *byte ^= 1u;
    const bool good = check(tru_state_hash(k->w) != k->state) & check((tru_motion_hash(k->w) != k->moves) == moves);
    *byte ^= 1u;
    if (!good) printf("%s\n", name);
}
#define MOVES(member)  flip(&k, (void *)&(member), true, #member)
#define COUNTS(member) flip(&k, (void *)&(member), false, #member)
#define MOVES3(v)      MOVES((v).x), MOVES((v).y), MOVES((v).z)
#define COUNTS3(v)     COUNTS((v).x), COUNTS((v).y), COUNTS((v).z)
#define MOVES_ALL(array)                                                                                               \
    for (size_t n = 0; n < sizeof(array) / sizeof *(array); n++) MOVES((array)[n])

static watch watch_of(const tru_world *w) { return (watch){w, tru_state_hash(w), tru_motion_hash(w)}; }

static void flip_body(watch k, body *b) {
    MOVES(b->id);
    COUNTS(b->belt);
    COUNTS(b->resting);
    COUNTS(b->overlaps);
    COUNTS(b->kind);
    MOVES3(b->x);
    MOVES(b->q.w), MOVES(b->q.x), MOVES(b->q.y), MOVES(b->q.z);
    MOVES3(b->v);
    MOVES3(b->w);
    if (b->gain) MOVES3(b->gain->last);
    if (b->gain) MOVES3(b->gain->before);
    COUNTS(b->mass);
    COUNTS(b->size);
    if (b->tensors)
        COUNTS(b->tensors->inertia.m[1][1]);
    else
        COUNTS(b->moment);
}

static void flip_solid(watch k, solid *s) {
    COUNTS(s->material);
    COUNTS3(s->at->x);
    COUNTS(s->at->q.x);
    COUNTS(s->at->density);
    if (s->shape->fields[0].name) COUNTS(*((char *)s->params + s->shape->fields[0].offset));
}

static void flip_place(watch k, contact_place *p) {
    MOVES3(p->normal);
    MOVES3(p->t1);
    MOVES3(p->t2);
    MOVES3(p->arm_a);
    MOVES3(p->arm_b);
    MOVES(p->gap);
}

static void flip_end(watch k, contact_end *e) {
    flip_place(k, &e->place);
    MOVES_ALL(e->rate);
    MOVES_ALL(e->last);
    MOVES_ALL(e->older);
    MOVES_ALL(e->slip);
    MOVES_ALL(e->bias);
}

static void flip_springs(watch k, springs *s) {
    for (int side = 0; side < 2; side++) {
        MOVES3(s->record.at[side]);
        MOVES3(s->record.t1[side]);
        MOVES3(s->record.t2[side]);
    }
    MOVES_ALL(s->stretch);
    MOVES(s->overlap);
    MOVES_ALL(s->stiffness);
    MOVES_ALL(s->energy);
    MOVES_ALL(s->stretch_b);
    MOVES(s->stuck_b);
}

static void flip_contact(watch k, contact *c) {
    MOVES(c->key.feature);
    MOVES(c->flags);
    MOVES(c->stuck);
    MOVES(c->age);
    MOVES(c->steady);
    MOVES3(c->local_a);
    MOVES3(c->c.normal);
    MOVES3(c->c.t1);
    MOVES3(c->c.t2);
    MOVES3(c->c.arm_a);
    MOVES3(c->c.arm_b);
    MOVES(c->c.gap);
    MOVES(c->c.stuck);
    MOVES_ALL(c->impulse);
    MOVES_ALL(c->dry);
    MOVES(c->bias);
    MOVES(c->theta);
    MOVES(c->approach);
    for (int i = 0; i < c->pair->law_count; i++)
        for (int n = 0; n < c->pair->laws[i].law->history; n++) MOVES(c->c.memory[c->pair->laws[i].memory + n]);
    if (c->end) flip_end(k, c->end);
    if (c->flags & CONTACT_TRACKED) flip_springs(k, c->springs);
}

static void flip_joint(watch k, joint *j) {
    MOVES(j->id);
    COUNTS(j->name[0]);
    COUNTS(j->body_a);
    COUNTS(j->body_b);
    COUNTS(j->collide);
    COUNTS3(j->point_a);
    COUNTS3(j->point_b);
    COUNTS(j->axes_a.m[0][1]);
    COUNTS(j->axes_b.m[2][1]);
    MOVES(j->age);
    MOVES(j->left_out);
    MOVES(j->stuck);
    MOVES3(j->row[0].lin);
    MOVES3(j->row[0].ang_a);
    MOVES3(j->arm);
    MOVES_ALL(j->impulse);
    MOVES_ALL(j->bias);
    MOVES_ALL(j->metric);
    MOVES(j->theta);
}

static void flip_loads(watch k, tru_world *w) {
    for (size_t i = 0; i < w->loads.count; i++) {
        load *l = &w->loads.items[i];
        COUNTS(l->body);
        COUNTS(l->body_axes);
        COUNTS3(l->force);
        COUNTS3(l->torque);
        for (size_t n = 0; n < l->schedule.count; n++) {
            COUNTS(l->schedule.knots[n].time);
            COUNTS(l->schedule.knots[n].factor);
        }
    }
    for (size_t i = 0; i < w->motions.count; i++) {
        COUNTS(w->motions.items[i].body);
        COUNTS3(w->motions.items[i].v);
        COUNTS3(w->motions.items[i].w);
    }
}

static void flip_world(watch k, tru_world *w) {
    COUNTS(w->gravity.x), COUNTS(w->gravity.z);
    COUNTS(w->next_id);
    COUNTS(w->steps_done);
    COUNTS(w->moved);
    MOVES(w->steps_here);
    COUNTS(w->time_base); /* of which the time takes what it can */
    COUNTS(w->materials.items[0].name[0]);
    COUNTS(w->pairs.items[0].restitution);
    COUNTS(w->pairs.items[0].compliance);
    COUNTS(w->pairs.items[0].pass);
#define FLIP_LINE(name, kind, doc)                                                                                     \
    if (&w->ledger.name != &w->ledger.kinetic && &w->ledger.name != &w->ledger.potential) COUNTS(w->ledger.name);
    TRU_LEDGER_LIST(FLIP_LINE)
#undef FLIP_LINE
    if (w->next_joint > 0) COUNTS(w->next_joint);
}

TEST(every_bit_counts) {
    const struct {
        int scene;
        const char *stepper;
    } of[] = {{ZOO_CROWD, "moreau"},        {ZOO_CROWD, "cone"},  {ZOO_CROWD, "track"},      {ZOO_MECHANISM, "moreau"},
              {ZOO_ROLLING_DISK, "moreau"}, {ZOO_BELT, "moreau"}, {ZOO_THICK_DISK, "moreau"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        tru_error err;
        tru_world *w = after(of[i].scene, of[i].stepper, 400);
        const tru_knot knots[] = {{0.0, 1.0}, {1.0, 0.5}};
        tru_id free_body = TRU_NONE;
        for (size_t n = 0; n < w->bodies.count; n++)
            if (w->bodies.items[n].kind == TRU_FREE) free_body = w->bodies.items[n].id;
        const tru_load_def push = {.body = free_body, .force = {0, 0, 1e-3}, .knots = knots, .knot_count = 2};
        MUST(tru_load_add(w, &push, NULL, &err));
        check(w->contacts.count > 0);
        const watch k = watch_of(w);
        for (size_t n = 0; n < w->bodies.count; n++) flip_body(k, &w->bodies.items[n]);
        for (size_t n = 0; n < w->solids.count; n++) flip_solid(k, &w->solids.items[n]);
        for (size_t n = 0; n < w->contacts.count && n < 6; n++) flip_contact(k, &w->contacts.items[n]);
        for (size_t n = 0; n < w->joints.count; n++) flip_joint(k, &w->joints.items[n]);
        flip_loads(k, w);
        flip_world(k, w);
        tru_world_destroy(w);
    }
}

/* ---- what is out ---- */

TEST(reports_do_not_count) {
    tru_error err;
    tru_world *w = after(ZOO_CROWD, "cone", 60);
    const watch k = watch_of(w);
    tru_event e[8];
    tru_verdict v;
    while (tru_events_take(w, e, 8, NULL) > 0) continue;
    tru_world_solve_take(w);
    w->solve.iterations++;
    w->profile.solve += 1.0;
    w->ledger.kinetic += 1.0;
    w->ledger.potential += 1.0;
    tru_world_set_threads(w, 2);
    MUST(tru_judge(w, &v, &err));
    check(tru_state_hash(w) == k.state && tru_motion_hash(w) == k.moves);
    tru_world_destroy(w);
}

/* The same motion under a stepper with other parameters that do not act: another state, the same motion. */
TEST(motion_is_without_definitions) {
    tru_error err;
    tru_world *a = after(ZOO_BALL, "moreau", 0), *b = after(ZOO_BALL, "moreau", 0);
    tru_moreau m = tru_default_moreau();
    m.step = zoo[ZOO_BALL].step;
    m.sweeps = 7; /* a ball has no gyroscopic torque */
    MUST(tru_stepper_set(b, "moreau", &m, &err));
    MUST(tru_run(a, 100, &err));
    MUST(tru_run(b, 100, &err));
    check(tru_motion_hash(a) == tru_motion_hash(b) && tru_state_hash(a) != tru_state_hash(b));
    b->ledger.slide += 1e-3;
    check(tru_motion_hash(a) == tru_motion_hash(b));
    tru_world_destroy(a);
    tru_world_destroy(b);
}
