/* test_calls.c: random sequences of calls: create, add, remove, set, control, step, save, load, view, destroy, with arguments that are
 * often wrong: NaN, infinities, stale and foreign ids, missing places, arrays that are too short. No call crashes; a status below 0
 * comes with a sentence and leaves the state hash unchanged. By hand: property.calls --times=100 runs as many times more sequences. */
#include "check.h"
#include "draw.h"
#include "worlds.h"

#include <trundle/plugin.h>

enum { SEQUENCES = 3000, CALLS = 40, MOST_BODIES = 10, ROOM = 64, NAMES = 8 };

/* Two worlds, so that ids, views and snapshots can be of the other one. */
typedef struct play {
    draw d;
    tru_world *worlds[2];
    tru_world *w; /* the one of this call */
    tru_error err;
    tru_body_view view;
    void *snapshot;
    size_t bytes;
    uint64_t ids; /* the largest id that was seen */
} play;

/* ---- arguments */

static bool chance(play *p, double share) { return draw_in(&p->d, 0.0, 1.0) < share; }

static double some_number(play *p, double size) {
    static const double wild[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, 1e300, -1e-300, 1e18, DBL_MAX, TRU_DERIVED};
    if (chance(p, 0.015)) return wild[draw_int(&p->d, sizeof wild / sizeof *wild)];
    return draw_in(&p->d, -size, size);
}

static tru_vec3 some_vector(play *p, double size) {
    const double x = some_number(p, size), y = some_number(p, size);
    return (tru_vec3){x, y, some_number(p, size)};
}

static tru_id some_id(play *p) {
    if (chance(p, 0.03)) return chance(p, 0.5) ? TRU_NONE : UINT64_MAX - (uint64_t)draw_int(&p->d, 2);
    return 1 + (tru_id)draw_int(&p->d, (int)p->ids + 2);
}

static tru_id some_body(play *p) {
    const size_t n = tru_body_count(p->w);
    if (n == 0 || chance(p, 0.1)) return some_id(p);
    return tru_body_at(p->w, (size_t)draw_int(&p->d, (int)n));
}

static tru_id some_joint(play *p) {
    const size_t n = tru_joint_count(p->w);
    return n == 0 || chance(p, 0.1) ? some_id(p) : tru_joint_id(p->w, (size_t)draw_int(&p->d, (int)n));
}

static tru_id some_load(play *p) {
    const size_t n = tru_load_count(p->w);
    return n == 0 || chance(p, 0.1) ? some_id(p) : tru_load_at(p->w, (size_t)draw_int(&p->d, (int)n));
}

static tru_body_state some_state(play *p) {
    const tru_vec3 x = some_vector(p, 1.0), q = some_vector(p, 1.0), v = some_vector(p, 2.0);
    return (tru_body_state){x, {some_number(p, 1.0), q.x, q.y, q.z}, v, some_vector(p, 5.0)};
}

/* The present state of a body, changed a little. */
static tru_body_state near_state(play *p, tru_id id) {
    tru_body_state s;
    if (tru_body_get(p->w, id, &s, NULL) < 0) return some_state(p);
    if (chance(p, 0.5)) s.position.x += some_number(p, 0.1);
    if (chance(p, 0.5)) s.velocity.y += some_number(p, 1.0);
    return s;
}

/* ---- calls: each returns the status of the last library call it makes */

static tru_status add_body(play *p) {
    static const char *const names[NAMES] = {NULL, NULL, NULL, "a", "b", "", "sphere", NULL};
    const double size = fabs(some_number(p, 0.3)) + 0.01;
    const tru_sphere sphere = {size};
    const tru_box box = {{size, 0.7 * size, 0.5 * size}};
    const tru_capsule capsule = {size, 0.3 * size};
    const tru_disk disk = {size, 0.1 * size};
    const tru_use shapes[] = {{"sphere", &sphere}, {"box", &box},   {"capsule", &capsule}, {"sphere", &sphere},
                              {"disk", &disk},     {"plane", NULL}, {"sphere", NULL},      {"spere", NULL}};
    tru_shape_def shape = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    tru_id id = TRU_NONE;
    if (tru_body_count(p->w) >= MOST_BODIES) return TRU_OK;
    const int kind = draw_int(&p->d, 8), which = draw_int(&p->d, 8);
    shape.shape = shapes[which == 5 && kind < 4 ? 0 : which];
    shape.density = 1000.0;
    if (chance(p, 0.03)) shape.material = some_id(p);
    b.kind = kind < 5 ? TRU_FREE : kind < 7 ? TRU_DRIVEN : chance(p, 0.05) ? 9 : TRU_FIXED;
    b.name = names[draw_int(&p->d, NAMES)];
    b.position = some_vector(p, 2.0);
    b.position.z += 1.0;
    if (b.kind == TRU_FREE) b.velocity = some_vector(p, 1.0);
    if (chance(p, 0.1)) b.mass = some_number(p, 2.0);
    b.shapes = chance(p, 0.02) ? NULL : &shape;
    b.shape_count = chance(p, 0.02) ? 0 : 1;
    b.allow_overlap = chance(p, 0.7);
    const tru_status s = tru_body_add(p->w, chance(p, 0.01) ? NULL : &b, &id, &p->err);
    if (s >= 0 && id > p->ids) p->ids = id;
    return s;
}

static tru_status remove_body(play *p) {
    return chance(p, 0.3) ? tru_body_remove(p->w, some_body(p), &p->err) : TRU_OK;
}

static tru_status set_body(play *p) {
    const tru_id id = some_body(p);
    const tru_body_state s = chance(p, 0.6) ? near_state(p, id) : some_state(p);
    return tru_body_set(p->w, id, chance(p, 0.01) ? NULL : &s, &p->err);
}

static tru_status set_bodies(play *p) {
    tru_id ids[MOST_BODIES + 1];
    tru_body_state states[MOST_BODIES + 1];
    size_t n = tru_body_count(p->w);
    const bool all = chance(p, 0.4);
    if (!all || chance(p, 0.1)) n = (size_t)draw_int(&p->d, MOST_BODIES + 1);
    for (size_t k = 0; k < n; k++) {
        ids[k] = all ? tru_body_at(p->w, k) : some_body(p);
        states[k] = near_state(p, ids[k]);
    }
    return tru_bodies_set(p->w, all ? NULL : ids, chance(p, 0.02) ? NULL : states, n, &p->err);
}

static tru_status add_load(play *p) {
    const double begin = some_number(p, 1.0);
    const tru_knot knots[] = {{begin, some_number(p, 1.0)}, {begin + some_number(p, 1.0), 1.0}};
    tru_load_def def = tru_default_load_def();
    tru_id id = TRU_NONE;
    def.body = some_body(p);
    def.body_axes = chance(p, 0.5);
    def.force = some_vector(p, 10.0);
    def.torque = some_vector(p, 0.1);
    def.knots = chance(p, 0.3) ? knots : NULL;
    def.knot_count = def.knots || chance(p, 0.02) ? 2 : 0;
    const tru_status s = tru_load_add(p->w, chance(p, 0.01) ? NULL : &def, chance(p, 0.5) ? &id : NULL, &p->err);
    if (s >= 0 && id > p->ids) p->ids = id;
    return s;
}

static tru_status set_load(play *p) {
    const tru_vec3 force = some_vector(p, 10.0);
    return tru_load_set(p->w, some_load(p), force, some_vector(p, 0.1), &p->err);
}

static tru_status remove_load(play *p) { return tru_load_remove(p->w, some_load(p), &p->err); }

static tru_status get_load(play *p) {
    tru_load_def def;
    return tru_load_get(p->w, some_load(p), chance(p, 0.1) ? NULL : &def, &p->err);
}

static tru_status set_motion(play *p) {
    tru_motion_def def = tru_default_motion_def();
    def.body = chance(p, 0.5) ? 6 : some_body(p); /* the sixth body is driven */
    def.belt = chance(p, 0.1);
    def.velocity = some_vector(p, 1.0);
    def.angular_velocity = some_vector(p, 1.0);
    return tru_motion_set(p->w, chance(p, 0.01) ? NULL : &def, &p->err);
}

static tru_motor some_motor(play *p) {
    tru_motor m = tru_default_motor();
    if (chance(p, 0.8)) m.speed = some_number(p, 3.0);
    if (chance(p, 0.2)) m.velocity = some_number(p, 3.0);
    if (chance(p, 0.3)) m.torque = some_number(p, 1.0);
    if (chance(p, 0.1)) m.force = some_number(p, 1.0);
    return m;
}

static tru_status add_joint(play *p) {
    static const char *const kinds[] = {"hinge", "ball", "motor", "motor", "fixed", "slider", "distance", "hing"};
    const tru_motor motor = some_motor(p);
    const char *kind = kinds[draw_int(&p->d, sizeof kinds / sizeof *kinds)];
    tru_joint_def d = tru_default_joint_def();
    tru_id id = TRU_NONE;
    if (tru_joint_count(p->w) >= MOST_BODIES) return TRU_OK;
    d.joint = (tru_use){kind, strcmp(kind, "motor") == 0 ? &motor : NULL};
    d.a = some_body(p);
    d.b = some_body(p);
    d.position = some_vector(p, 1.0);
    if (strcmp(kind, "distance") == 0) d.position_b = some_vector(p, 1.0);
    d.axis = some_vector(p, 1.0);
    const tru_status s = tru_joint_add(p->w, chance(p, 0.01) ? NULL : &d, &id, &p->err);
    if (s >= 0 && id > p->ids) p->ids = id;
    return s;
}

static tru_status remove_joint(play *p) {
    return chance(p, 0.5) ? tru_joint_remove(p->w, some_joint(p), &p->err) : TRU_OK;
}

static tru_status set_motor(play *p) {
    const tru_motor m = some_motor(p);
    return tru_motor_set(p->w, some_joint(p), chance(p, 0.02) ? NULL : &m, &p->err);
}

static tru_status get_motor(play *p) {
    tru_motor m;
    return tru_motor_get(p->w, some_joint(p), chance(p, 0.1) ? NULL : &m, &p->err);
}

static tru_status set_stepper(play *p) {
    const double step = chance(p, 0.1) ? some_number(p, 1e-2) : 1e-3;
    tru_moreau moreau = tru_default_moreau();
    tru_cone cone = tru_default_cone();
    tru_track track = tru_default_track();
    moreau.step = cone.step = track.step = step;
    switch (draw_int(&p->d, 7)) {
    case 0:
        return tru_stepper_set(p->w, "cone", &cone, &p->err);
    case 1:
        return tru_stepper_set(p->w, "track", &track, &p->err);
    case 2:
        return tru_stepper_set(p->w, chance(p, 0.5) ? "morau" : NULL, NULL, &p->err);
    default:
        return tru_stepper_set(p->w, "moreau", &moreau, &p->err);
    }
}

/* One step at a time: a failure of a later step keeps the steps before it. */
static tru_status run(play *p) {
    const int steps = 1 + draw_int(&p->d, 4);
    for (int i = 1; i < steps; i++)
        if (tru_run(p->w, 1, &p->err) < 0) return TRU_OK;
    return TRU_OK;
}

static tru_status run_one(play *p) { return tru_run(p->w, 1, &p->err); }

static tru_status save(play *p) {
    p->bytes = tru_snapshot_size(p->w);
    free(p->snapshot);
    p->snapshot = malloc(p->bytes);
    if (!p->snapshot) exit(1);
    if (chance(p, 0.05)) return tru_snapshot_save(p->w, p->snapshot, p->bytes - 1, &p->err);
    return tru_snapshot_save(p->w, p->snapshot, p->bytes, &p->err);
}

/* A snapshot of this world or of the other one, sometimes damaged. */
static tru_status load(play *p) {
    if (!p->snapshot) return TRU_OK;
    if (chance(p, 0.1)) {
        unsigned char *byte = (unsigned char *)p->snapshot + draw_int(&p->d, (int)p->bytes);
        *byte = (unsigned char)(*byte ^ 1u << draw_int(&p->d, 8));
    }
    return tru_snapshot_load(p->w, p->snapshot, chance(p, 0.05) ? p->bytes / 2 : p->bytes, &p->err);
}

/* Reads every body of a view that is said to be good. */
static tru_status view(play *p) {
    const tru_status s = tru_bodies_check(p->w, chance(p, 0.02) ? NULL : &p->view, &p->err);
    double sum = 0.0;
    for (size_t k = 0; s >= 0 && k < p->view.count; k++)
        sum += ((const tru_body_state *)(const void *)((const char *)p->view.state + k * p->view.stride))->position.x;
    if (sum != sum && s >= 0) check(false); /* positions are finite */
    if (chance(p, 0.5)) p->view = tru_bodies_view(p->w);
    return s;
}

static tru_status read_arrays(play *p) {
    static tru_contact_info contacts[ROOM];
    static tru_joint_info joints[ROOM];
    static tru_body_state states[ROOM];
    static tru_id ids[ROOM];
    const size_t room = chance(p, 0.3) ? (size_t)draw_int(&p->d, 4) : ROOM;
    switch (draw_int(&p->d, 4)) {
    case 0:
        return tru_contacts_get(p->w, chance(p, 0.1) ? NULL : contacts, room, &p->err);
    case 1:
        return tru_joints_get(p->w, chance(p, 0.1) ? NULL : joints, room, &p->err);
    case 2:
        return tru_contact_get(p->w, room, contacts, &p->err);
    default:
        return tru_bodies_get(p->w, chance(p, 0.5) ? ids : NULL, chance(p, 0.5) ? states : NULL, room, &p->err);
    }
}

static tru_status read_objects(play *p) {
    tru_joint_info joint;
    tru_body_state state;
    tru_body_info info;
    tru_verdict verdict;
    tru_event events[3];
    tru_events_take(p->w, events, 3, NULL);
    tru_world_ledger(p->w);
    tru_world_solve_take(p->w);
    switch (draw_int(&p->d, 4)) {
    case 0:
        return tru_judge(p->w, &verdict, &p->err);
    case 1:
        return tru_joint_get(p->w, some_joint(p), chance(p, 0.1) ? NULL : &joint, &p->err);
    case 2:
        return tru_body_describe(p->w, some_body(p), chance(p, 0.1) ? NULL : &info, &p->err);
    default:
        return tru_body_get(p->w, some_body(p), chance(p, 0.1) ? NULL : &state, &p->err);
    }
}

static tru_status reserve(play *p) {
    return tru_body_reserve(p->w, chance(p, 0.1) ? SIZE_MAX : (size_t)draw_int(&p->d, 100), &p->err);
}

static tru_status set_pair(play *p) {
    tru_coulomb mu = tru_default_coulomb();
    const tru_use law = {chance(p, 0.05) ? "coulom" : "coulomb", &mu};
    tru_pair_def def = tru_default_pair_def();
    mu.slide = chance(p, 0.2) ? some_number(p, 1.0) : 0.3;
    def.laws = &law;
    def.law_count = 1;
    def.restitution = chance(p, 0.2) ? some_number(p, 1.0) : 0.0;
    return tru_pair_set(p->w, &def, &p->err);
}

typedef struct call {
    const char *name;
    tru_status (*make)(play *p);
    int often;
} call;

static const call calls[] = {
    {"tru_body_add", add_body, 4},         {"tru_body_remove", remove_body, 2},
    {"tru_body_set", set_body, 3},         {"tru_bodies_set", set_bodies, 4},
    {"tru_load_add", add_load, 3},         {"tru_load_set", set_load, 4},
    {"tru_load_remove", remove_load, 1},   {"tru_load_get", get_load, 1},
    {"tru_motion_set", set_motion, 3},     {"tru_joint_add", add_joint, 2},
    {"tru_joint_remove", remove_joint, 1}, {"tru_motor_set", set_motor, 3},
    {"tru_motor_get", get_motor, 1},       {"tru_stepper_set", set_stepper, 1},
    {"tru_run, several", run, 4},          {"tru_run", run_one, 8},
    {"tru_snapshot_save", save, 2},        {"tru_snapshot_load", load, 2},
    {"tru_bodies_check", view, 4},         {"arrays", read_arrays, 4},
    {"objects", read_objects, 3},          {"tru_body_reserve", reserve, 1},
    {"tru_pair_set", set_pair, 1},
};
enum { KINDS = sizeof calls / sizeof *calls };

/* How often a call was made, and how often it worked. */
static long made[KINDS], worked[KINDS];

static int some_call(play *p) {
    int sum = 0, k = 0;
    for (int i = 0; i < KINDS; i++) sum += calls[i].often;
    for (int n = draw_int(&p->d, sum); n >= calls[k].often; k++) n -= calls[k].often;
    return k;
}

/* ---- a sequence */

/* A floor, two balls, and a wheel on a motor. */
static tru_world *create(play *p) {
    tru_error err;
    const tru_vec3 none = {0, 0, 0};
    const tru_quat even = {1, 0, 0, 0};
    const tru_box box = {{0.1, 0.1, 0.1}};
    tru_motor motor = tru_default_motor();
    motor.speed = 1.0;
    tru_world *w = kit_create_world((tru_vec3){0.0, 0.0, -9.81});
    kit_set_dry_pair(w, 0.3, 0.0, 0.0, 0.0);
    kit_set_moreau(w, 1e-3, chance(p, 0.5) ? TRU_MIDPOINT : TRU_PAPER);
    kit_add_floor(w);
    for (int i = 0; i < 2; i++)
        kit_add_solid_ball(w, NULL, 0.1, (tru_vec3){0.5 * i, 0.0, 0.1}, (tru_vec3){0.1, 0, 0}, none);
    const tru_id post = kit_add_solid(w, NULL, TRU_FIXED, "box", &box, (tru_vec3){4, 0, 1}, even, none, none);
    const tru_id wheel = kit_add_solid_ball(w, NULL, 0.1, (tru_vec3){4.3, 0, 1}, none, none);
    kit_add_joint(w, NULL, "hinge", NULL, wheel, post, (tru_vec3){4.3, 0, 1}, (tru_vec3){1, 0, 0});
    kit_add_joint(w, NULL, "motor", &motor, wheel, post, (tru_vec3){4.3, 0, 1}, (tru_vec3){1, 0, 0});
    kit_add_solid(w, NULL, TRU_DRIVEN, "box", &box, (tru_vec3){-4, 0, 1}, even, none, none);
    MUST(tru_run(w, 1, &err));
    return w;
}

/* Makes one call. Returns false if a promise was broken. */
static bool make_call(play *p, int k) {
    p->w = p->worlds[draw_int(&p->d, 2)];
    const uint64_t before = tru_state_hash(p->w);
    p->err = (tru_error){TRU_OK, ""};
    const tru_status s = calls[k].make(p);
    made[k]++;
    worked[k] += s >= 0;
    if (s >= 0) return true;
    const bool told = check(p->err.status == s && p->err.text[0] != '\0');
    return check(tru_state_hash(p->w) == before) && told;
}

static void play_sequence(uint64_t seed, uint64_t number) {
    play p = {.d = {seed, number, 0}, .ids = 6};
    for (int i = 0; i < 2; i++) p.worlds[i] = create(&p);
    p.view = tru_bodies_view(p.worlds[0]);
    for (int i = 0; i < CALLS; i++) {
        const int k = some_call(&p);
        if (make_call(&p, k)) continue;
        printf("# --only=%llu, call %d: %s: %s\n", (unsigned long long)number, i, calls[k].name, p.err.text);
        break;
    }
    free(p.snapshot);
    for (int i = 0; i < 2; i++) tru_world_destroy(p.worlds[i]);
}

/* The number behind an option such as --times=; `otherwise` without it. */
static uint64_t option(const char *name, uint64_t otherwise) {
    for (int i = 1; i < check_state.argc; i++)
        if (strncmp(check_state.argv[i], name, strlen(name)) == 0)
            return strtoull(check_state.argv[i] + strlen(name), NULL, 10);
    return otherwise;
}

TEST(no_sequence_of_calls_breaks_a_world) {
    const uint64_t seed = check_seed(), only = option("--only=", UINT64_MAX);
    const uint64_t count = SEQUENCES * option("--times=", 1);
    for (uint64_t n = 0; n < count; n++)
        if (only == UINT64_MAX || only == n) play_sequence(seed, n);
    for (int k = 0; k < KINDS && only == UINT64_MAX; k++)
        if (!check(made[k] > 100 && worked[k] > made[k] / 50)) /* else most arguments are nonsense */
            printf("# %s: %ld calls, %ld worked\n", calls[k].name, made[k], worked[k]);
}
