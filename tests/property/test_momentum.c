/* test_momentum.c: contacts, joints, gravity and loads, as the public functions tell them, explain what each body's momentum and
 * angular momentum did in a step, to round-off: impulses, frame and arms of tru_contacts_get belong together. */
#include "check.h"
#include "draw.h"
#include "worlds.h"

#include <trundle/plugin.h>

#include <math.h>
#include <string.h>

enum { MOST = 12, STEPS = 60 };

static tru_vec3 plus(tru_vec3 a, double f, tru_vec3 b) {
    return (tru_vec3){a.x + f * b.x, a.y + f * b.y, a.z + f * b.z};
}

static tru_vec3 cross(tru_vec3 a, tru_vec3 b) {
    return (tru_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double norm(tru_vec3 v) { return sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

static tru_vec3 some_vector(draw *r, double size) {
    return (tru_vec3){draw_in(r, -size, size), draw_in(r, -size, size), draw_in(r, -size, size)};
}

/* v turned by q. */
static tru_vec3 turned(tru_quat q, tru_vec3 v) {
    const tru_vec3 u = {q.x, q.y, q.z}, t = cross(u, v);
    return plus(plus(v, 2.0 * q.w, t), 2.0, cross(u, t));
}

/* Angular momentum about the centre of mass. */
static tru_vec3 spin_of(const tru_body_info *b, const tru_body_state *s) {
    const tru_quat back = {s->orientation.w, -s->orientation.x, -s->orientation.y, -s->orientation.z};
    const tru_vec3 w = turned(back, s->angular_velocity);
    const tru_vec3 i = b->inertia, p = b->products; /* xx, yy, zz; xy, xz, yz */
    return turned(s->orientation, (tru_vec3){i.x * w.x + p.x * w.y + p.y * w.z, p.x * w.x + i.y * w.y + p.z * w.z,
                                             p.y * w.x + p.z * w.y + i.z * w.z});
}

/* ---- scenes ---- */

typedef struct drop {
    tru_world *w;
    double radius, step; /* [m], [s] */
    size_t count;        /* bodies, the floor included */
    tru_load_def load;
    bool isotropic; /* the inertia of every body is a multiple of the unit matrix: angular momentum is exact too */
} drop;

/* Every pair of these has a narrow phase. */
static tru_use some_shape(draw *r, double size) {
    static tru_sphere sphere;
    static tru_box box;
    static tru_capsule capsule;
    static tru_vec3 corners[] = {
        {1, 0, -0.6}, {-0.5, 0.8, -0.5}, {-0.4, -0.9, -0.4}, {0.2, 0.1, 1.0}, {-0.6, 0.2, 0.7}};
    static tru_vec3 scaled[5];
    static tru_hull hull;
    const double which = draw_in(r, 0.0, 1.0);
    sphere = (tru_sphere){size};
    box = (tru_box){{1.2 * size, draw_in(r, 0.6, 1.2) * size, draw_in(r, 0.6, 1.2) * size}};
    capsule = (tru_capsule){0.5 * size, size};
    for (int i = 0; i < 5; i++) scaled[i] = plus((tru_vec3){0, 0, 0}, size, corners[i]);
    hull = tru_default_hull();
    hull.points = scaled;
    hull.point_count = 5;
    if (which < 0.3) return (tru_use){"sphere", &sphere};
    if (which < 0.5) return (tru_use){"hull", &hull};
    return which < 0.75 ? (tru_use){"box", &box} : (tru_use){"capsule", &capsule};
}

/* One of the bodies over the floor, on a lattice, falling and turning. */
static tru_id add_body(drop *d, draw *r, size_t i) {
    tru_error err;
    tru_id id;
    const double a = d->radius * draw_in(r, 0.5, 1.0), speed = sqrt(9.81 * d->radius);
    tru_shape_def shape = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    shape.shape = some_shape(r, a);
    shape.density = 1000.0;
    b.shapes = &shape;
    b.shape_count = 1;
    b.position = (tru_vec3){2.6 * d->radius * (double)(i % 2), 2.6 * d->radius * (double)(i / 2 % 2),
                            (1.6 + 2.6 * (double)(i / 4)) * d->radius};
    b.orientation = (tru_quat){1.0, draw_in(r, -1.0, 1.0), draw_in(r, -1.0, 1.0), draw_in(r, -1.0, 1.0)};
    b.velocity = some_vector(r, speed);
    b.velocity.z -= 2.0 * speed;
    b.angular_velocity = some_vector(r, 2.0 * speed / d->radius);
    if (d->isotropic) {
        const double m = 4000.0 * a * a * a * pow(10.0, draw_in(r, -2.0, 2.0)), j = 0.3 * m * a * a;
        b.mass = m;
        b.inertia = (tru_vec3){j, j, j};
    }
    MUST(tru_body_add(d->w, &b, &id, &err));
    return id;
}

static drop begin(draw *r, bool isotropic, bool joints, double restitution) {
    tru_error err;
    drop d = {.isotropic = isotropic, .count = 1 + (size_t)draw_in(r, 2.0, 8.0)};
    d.radius = pow(10.0, draw_in(r, -4.0, 2.0));
    d.step = draw_in(r, 0.002, 0.02) * sqrt(d.radius / 9.81);
    tru_coulomb coulomb = tru_default_coulomb();
    tru_rolling rolling = tru_default_rolling();
    coulomb.slide = draw_in(r, 0.0, 0.8);
    rolling.roll.length = 0.02 * d.radius;
    rolling.spin.length = 0.01 * d.radius;
    const tru_use laws[] = {{"coulomb", &coulomb}, {"rolling", &rolling}};
    d.w = kit_create_floor(laws, 2, restitution);
    tru_id last = TRU_NONE;
    for (size_t i = 1; i < d.count; i++) {
        const tru_id id = add_body(&d, r, i - 1);
        if (joints && i == 2) {
            const tru_body_state s = kit_get_state(d.w, last), t = kit_get_state(d.w, id);
            const tru_vec3 middle = plus(plus((tru_vec3){0, 0, 0}, 0.5, s.position), 0.5, t.position);
            kit_add_joint(d.w, "link", draw_in(r, 0.0, 1.0) < 0.5 ? "ball" : "hinge", NULL, last, id, middle,
                          (tru_vec3){0.6, 0.0, 0.8});
        }
        last = id;
    }
    tru_body_info info;
    MUST(tru_body_describe(d.w, last, &info, &err));
    d.load = tru_default_load_def();
    d.load.body = last;
    d.load.force = some_vector(r, 5.0 * info.mass);
    d.load.torque = some_vector(r, 2.0 * info.mass * d.radius);
    MUST(tru_load_add(d.w, &d.load, NULL, &err));
    return d;
}

/* ---- one step ---- */

/* What a body got in a step, and how large the parts of it are. */
typedef struct gain {
    tru_vec3 push, turn; /* [N s], [N m s] */
    double size, lever;  /* [N s], [N m s] sums of sizes */
} gain;

static void give(gain *g, double sign, tru_vec3 push, tru_vec3 turn) {
    g->push = plus(g->push, sign, push);
    g->turn = plus(g->turn, sign, turn);
    g->size += norm(push);
    g->lever += norm(turn);
}

static tru_vec3 in_frame(const tru_contact_info *c, const double *p) {
    return plus(plus(plus((tru_vec3){0, 0, 0}, p[0], c->normal), p[1], c->t1), p[2], c->t2);
}

static size_t index_of(const tru_world *w, tru_id id) {
    size_t k = 0;
    while (tru_body_at(w, k) != id) k++;
    return k;
}

static void contacts_give(const tru_world *w, gain *g) {
    enum { ROOM = 1000 };
    static tru_contact_info all[ROOM];
    tru_error err;
    MUST(tru_contacts_get(w, all, ROOM, &err));
    for (size_t k = 0; k < tru_contact_count(w); k++) {
        const tru_contact_info c = all[k];
        const tru_vec3 force = in_frame(&c, c.impulse), couple = in_frame(&c, c.impulse + TRU_ROW_SPIN);
        const tru_vec3 on_b = plus(plus(couple, -c.couple_b[0], c.t1), -c.couple_b[1], c.t2);
        give(&g[index_of(w, c.body_a)], 1.0, force, plus(couple, 1.0, cross(c.arm_a, force)));
        give(&g[index_of(w, c.body_b)], -1.0, force, plus(on_b, 1.0, cross(c.arm_b, force)));
    }
}

static void joints_give(const tru_world *w, double h, gain *g) {
    tru_error err;
    for (size_t k = 0; k < tru_joint_count(w); k++) {
        tru_joint_info j;
        MUST(tru_joint_get(w, tru_joint_id(w, k), &j, &err));
        const tru_vec3 zero = {0, 0, 0};
        give(&g[index_of(w, j.a)], 1.0, plus(zero, h, j.force), plus(zero, h, j.moment_a));
        give(&g[index_of(w, j.b)], 1.0, plus(zero, -h, j.force), plus(zero, h, j.moment_b));
    }
}

typedef struct misses {
    double push, turn;
    size_t contacts, events; /* told; steps in which something touched */
} misses;

/* The worst part that is not explained, of all that acts; `turns`: angular momentum is kept by the scheme too. */
static void step_once(drop *d, bool turns, misses *worst) {
    tru_error err;
    tru_body_state before[MOST], after[MOST];
    gain g[MOST];
    memset(g, 0, sizeof g);
    for (size_t i = 0; i < d->count; i++) MUST(tru_body_get(d->w, tru_body_at(d->w, i), &before[i], &err));
    MUST(tru_run(d->w, 1, &err));
    for (size_t i = 0; i < d->count; i++) MUST(tru_body_get(d->w, tru_body_at(d->w, i), &after[i], &err));
    contacts_give(d->w, g);
    joints_give(d->w, d->step, g);
    worst->contacts += tru_contact_count(d->w);
    for (size_t i = 0; i < d->count; i++) {
        tru_body_info b;
        const tru_id id = tru_body_at(d->w, i);
        const tru_vec3 zero = {0, 0, 0};
        MUST(tru_body_describe(d->w, id, &b, &err));
        if (b.kind != TRU_FREE) continue;
        if (id == d->load.body) give(&g[i], d->step, d->load.force, d->load.torque);
        give(&g[i], d->step * b.mass, tru_world_gravity(d->w), zero);
        const tru_vec3 dv = plus(after[i].velocity, -1.0, before[i].velocity);
        const tru_vec3 miss = plus(plus(zero, b.mass, dv), -1.0, g[i].push);
        const double size = g[i].size + b.mass * (norm(before[i].velocity) + norm(after[i].velocity));
        worst->push = fmax(worst->push, norm(miss) / size);
        if (!turns) continue;
        const tru_vec3 l0 = spin_of(&b, &before[i]), l1 = spin_of(&b, &after[i]);
        const tru_vec3 left = plus(plus(l1, -1.0, l0), -1.0, g[i].turn);
        worst->turn = fmax(worst->turn, norm(left) / (g[i].lever + norm(l0) + norm(l1)));
    }
}

/* ---- steppers ---- */

typedef enum way { PAPER, MIDPOINT, EXACT, RELAXED, POISSON, TRACK, TRACK_PER_BODY, WAYS } way;
static const char *const way_names[] = {"moreau paper", "moreau midpoint", "cone exact",    "cone relaxed",
                                        "cone poisson", "track",           "track per_body"};

static tru_status set_way(tru_world *w, way how, double step, tru_error *err) {
    tru_moreau moreau = tru_default_moreau();
    tru_cone cone = tru_default_cone();
    tru_track track = tru_default_track();
    moreau.step = cone.step = track.step = step;
    moreau.scheme = how == PAPER ? TRU_PAPER : TRU_MIDPOINT;
    cone.form = how == RELAXED ? TRU_RELAXED : TRU_EXACT;
    if (how == POISSON) cone.impact = TRU_POISSON_IMPACT;
    track.roll_couple = how == TRACK_PER_BODY ? TRU_PER_BODY : TRU_BALANCED;
    if (how <= MIDPOINT) return tru_stepper_set(w, "moreau", &moreau, err);
    return how <= POISSON ? tru_stepper_set(w, "cone", &cone, err) : tru_stepper_set(w, "track", &track, err);
}

static bool carries_joints(way how) { return how <= POISSON; }

static void explain(uint64_t seed, way how, bool isotropic) {
    misses worst = {0};
    for (uint64_t id = 0; id < 60; id++) {
        tru_error err;
        draw r = {seed, 1000 * (uint64_t)how + id + (isotropic ? 500 : 0), 0};
        drop d = begin(&r, isotropic, carries_joints(how) && id % 2 == 1, id % 3 == 0 ? 0.5 : 0.0);
        MUST(set_way(d.w, how, d.step, &err));
        /* a body that is not isotropic: only track steps its angular momentum */
        for (int i = 0; i < STEPS; i++) step_once(&d, isotropic || how >= TRACK, &worst);
        tru_world_destroy(d.w);
    }
    const bool good = check(worst.push < 1e-13) & check(worst.turn < 1e-12) & check(worst.contacts > 500);
    if (!good || check_option("--print"))
        printf("%s%s: momentum %.2g, angular momentum %.2g, %zu contacts\n", way_names[how],
               isotropic ? "" : ", any inertia", worst.push, worst.turn, worst.contacts);
}

TEST(contacts_explain_momentum) {
    const uint64_t seed = check_seed();
    for (int how = 0; how < WAYS; how++) explain(seed, (way)how, true);
}

TEST(contacts_explain_momentum_of_any_inertia) {
    const uint64_t seed = check_seed();
    for (int how = 0; how < WAYS; how++) explain(seed, (way)how, false);
}

/* ---- one body on a plane by event and variational: the point travels within a step, so its moment is a mean ---- */

static void explain_single(const char *stepper, const void *params, const char *shape_name, const void *shape_params,
                           double step, const tru_body_def *start) {
    tru_error err;
    tru_coulomb coulomb = tru_default_coulomb();
    coulomb.slide = 0.4;
    const tru_use law = {"coulomb", &coulomb};
    drop d = {.w = kit_create_floor(&law, 1, 0.0), .step = step, .count = 2};
    tru_shape_def shape = tru_default_shape_def();
    tru_body_def b = *start;
    misses worst = {0};
    shape.shape = (tru_use){shape_name, shape_params};
    shape.density = 1000.0;
    b.shapes = &shape;
    b.shape_count = 1;
    MUST(tru_body_add(d.w, &b, NULL, &err));
    MUST(tru_stepper_set(d.w, stepper, params, &err));
    for (int i = 0; i < STEPS; i++) step_once(&d, false, &worst);
    tru_world_destroy(d.w);
    if (!(check(worst.push < 1e-10) & check(worst.contacts == STEPS)) || check_option("--print"))
        printf("%s: momentum %.2g, %zu contacts\n", stepper, worst.push, worst.contacts);
}

TEST(single_contacts_explain_momentum) {
    const tru_ellipsoid egg = {{0.1, 0.08, 0.06}};
    const tru_disk disk = {0.1, 0.02};
    tru_event_driven event = tru_default_event_driven();
    tru_variational rolls = tru_default_variational();
    tru_body_def b = tru_default_body_def();
    event.step = rolls.step = 2e-3;
    b.position.z = 0.06;
    b.velocity = (tru_vec3){0.5, 0.2, 0.0};
    b.angular_velocity = (tru_vec3){0.0, 0.0, 3.0};
    explain_single("event", &event, "ellipsoid", &egg, event.step, &b);
    b.position.z = 0.1; /* upright, rolling along x */
    b.orientation = (tru_quat){sqrt(0.5), sqrt(0.5), 0.0, 0.0};
    b.velocity = (tru_vec3){0.5, 0.0, 0.0};
    b.angular_velocity = (tru_vec3){0.0, 5.0, 0.0};
    rolls.rim = TRU_RIM_FIRST;
    rolls.when_not_rolling = TRU_IDEAL;
    explain_single("variational", &rolls, "disk", &disk, rolls.step, &b);
}
