/* Stepper track: forces, restitution, friction and books of single contacts, over ranges of size, mass, stiffness and speed. */
#include "check.h"
#include "worlds.h"

#include "math/quat.h"
#include "draw.h"

#include <trundle/plugin.h>

static const tru_body_state still = {.orientation = {1.0, 0.0, 0.0, 0.0}};

static tru_world *empty_world(tru_vec3 gravity, double slide, double modulus, double restitution) {
    tru_track_law law = tru_default_track_law();
    tru_coulomb coulomb = tru_default_coulomb();
    law.slide = coulomb.slide = slide;
    law.modulus = modulus;
    const tru_use use = modulus > 0.0 ? (tru_use){"track", &law} : (tru_use){"coulomb", &coulomb};
    tru_world *w = kit_create_world(gravity);
    kit_set_pair(w, TRU_NONE, TRU_NONE, &use, 1, restitution);
    return w;
}

static tru_id add_body(tru_world *w, int kind, const char *shape, const void *params, double density,
                       const tru_body_state *at) {
    return kit_add_body(w, {.kind = kind,
                            .shape = {shape, params},
                            .density = density,
                            .position = at->position,
                            .orientation = at->orientation,
                            .velocity = at->velocity,
                            .angular_velocity = at->angular_velocity});
}

/* ---- Hertz's force ---- */

/* 4/3 E sqrt(R) d^(3/2), 1/R the sum of the curvatures, of two balls and of a ball and a wall. */
TEST(force_is_hertz) {
    draw d = {check_seed(), 1, 0};
    double worst = 0.0;
    for (int i = 0; i < 400; i++) {
        tru_error err;
        const bool wall = i % 2;
        const double modulus = draw_log(&d, 1e4, 1e11);
        const tru_sphere a = {draw_log(&d, 1e-4, 1e2)}, b = {wall ? a.radius : a.radius * draw_log(&d, 1e-2, 1e2)};
        const double least = fmin(a.radius, b.radius), deep = least * draw_log(&d, 1e-5, 1e-2);
        tru_world *w = empty_world(v3_zero(), 0.2, modulus, 0.5);
        tru_body_state at = still;
        add_body(w, wall ? TRU_FIXED : TRU_FREE, wall ? "plane" : "sphere", wall ? NULL : (const void *)&b, 1000.0,
                 &at);
        at.position = v3_scale(a.radius + (wall ? 0.0 : b.radius) - deep, wall ? v3(0, 0, 1) : draw_unit(&d));
        add_body(w, TRU_FREE, "sphere", &a, 1000.0, &at);
        tru_track t = tru_default_track();
        tru_contact_info c;
        t.normal = TRU_HERTZ;
        t.step = 1e-3 * least * sqrt(1000.0 / modulus);
        MUST(tru_stepper_set(w, "track", &t, &err));
        MUST(tru_run(w, 1, &err));
        MUST(tru_contact_get(w, 0, &c, &err));
        const double radius = wall ? a.radius : a.radius * b.radius / (a.radius + b.radius);
        const double want = 4.0 / 3.0 * modulus * sqrt(radius * deep) * deep, force = c.impulse[0] / t.step;
        const double round_off = 1e-15 * (a.radius + b.radius) / deep; /* of the gap */
        worst = fmax(worst, (fabs(force / want - 1.0) - 2.0 * round_off) / 1e-6);
        tru_world_destroy(w);
    }
    printf("force: off by %.2g of what is allowed\n", worst);
    check(worst < 1.0);
}

/* ---- restitution ---- */

/* What is thrown at what. */
enum { BALL_WALL, BALL_BALL, EGG_WALL, EGG_EGG, BOX_WALL, BALL_BOX, STRIKES };

/* Two bodies, or one and a wall, without gravity, friction or rotation; the second comes from above. */
typedef struct strike {
    int kind;
    double size, other; /* [m] of the second and of the first */
    double density;     /* [kg/m^3] of the second; the first has 1000 */
    double speed;       /* [m/s] */
    bool hertz;
    double restitution;
    tru_quat q;  /* of the second, unless it is a ball */
    int dashpot; /* tru_normal_dashpot */
    tru_track track;
} strike;

static tru_world *strike_world(const strike *k, double height) {
    tru_error err;
    const double modulus = k->hertz ? 1e11 * fmin(k->density, 1000.0) * k->speed * k->speed : 0.0;
    tru_world *w = empty_world(v3_zero(), k->hertz ? 1e-300 : 0.0, modulus, k->restitution);
    const tru_sphere ball[2] = {{k->other}, {k->size}};
    const tru_ellipsoid egg[2] = {{v3_scale(k->other, v3(1.0, 0.7, 1.3))}, {v3_scale(k->size, v3(1.0, 0.7, 1.3))}};
    const tru_box box[2] = {{v3_scale(k->other, v3(2.0, 2.0, 2.0))}, {v3_scale(k->size, v3(1.0, 0.7, 1.3))}};
    tru_body_state at = still;
    if (k->kind == BALL_WALL || k->kind == EGG_WALL || k->kind == BOX_WALL)
        add_body(w, TRU_FIXED, "plane", NULL, 1000.0, &at);
    else if (k->kind == BALL_BALL)
        add_body(w, TRU_FREE, "sphere", &ball[0], 1000.0, &at);
    else if (k->kind == EGG_EGG)
        add_body(w, TRU_FREE, "ellipsoid", &egg[0], 1000.0, &at);
    else
        add_body(w, TRU_FREE, "box", &box[0], 1000.0, &at);
    at.position.z = height;
    at.velocity.z = -k->speed;
    if (k->kind == BALL_WALL || k->kind == BALL_BALL || k->kind == BALL_BOX) {
        add_body(w, TRU_FREE, "sphere", &ball[1], k->density, &at);
    } else {
        at.orientation = k->q;
        if (k->kind == BOX_WALL)
            add_body(w, TRU_FREE, "box", &box[1], k->density, &at);
        else
            add_body(w, TRU_FREE, "ellipsoid", &egg[1], k->density, &at);
    }
    MUST(tru_stepper_set(w, "track", &k->track, &err));
    return w;
}

/* [m] Height at which the second one touches, by halving. */
static double touching_height(const strike *k) {
    tru_error err;
    double lo = 0.3 * k->size, hi = 2.0 * k->size + 2.0 * k->other;
    for (int i = 0; i < 60; i++) {
        const double z = 0.5 * (lo + hi);
        tru_world *w = strike_world(k, z);
        const bool touches = tru_run(w, 1, &err) == TRU_OVERLAP || tru_contact_count(w) > 0;
        *(touches ? &lo : &hi) = z;
        tru_world_destroy(w);
    }
    return hi;
}

/* [m/s] Normal velocity of the material points at a contact, A minus B. */
static double normal_speed(const tru_world *w, const tru_contact_info *c) {
    const tru_body_state a = kit_get_state(w, c->body_a), b = kit_get_state(w, c->body_b);
    const tru_vec3 va = v3_add(a.velocity, v3_cross(a.angular_velocity, v3_sub(c->point, a.position)));
    const tru_vec3 vb = v3_add(b.velocity, v3_cross(b.angular_velocity, v3_sub(c->point, b.position)));
    return v3_dot(v3_sub(va, vb), c->normal);
}

/* The restitution that is measured at the contact point; `per` steps in the time 1/sqrt(stiffness/mass). */
static double measured(strike *k, double per, double phase) {
    tru_error err;
    tru_body_info info[2];
    k->track = tru_default_track();
    k->track.step = 1e-9 * k->size / k->speed;
    if (k->hertz) k->track.normal = TRU_HERTZ;
    tru_world *w = strike_world(k, 10.0 * (k->size + k->other));
    for (size_t i = 0; i < 2; i++) MUST(tru_body_describe(w, tru_body_at(w, i), &info[i], &err));
    tru_world_destroy(w);
    const double mass = info[0].kind == TRU_FREE ? fmin(info[0].mass, info[1].mass) : info[1].mass;
    const double touch = touching_height(k), time = 1e-4 * fmin(k->size, k->other) / k->speed;
    k->track.step = time / per;
    k->track.normal_dashpot = k->dashpot;
    if (!k->hertz) k->track.stiffness = 0.2 * mass / (time * time); /* what a corner moves is at least that */
    w = strike_world(k, touch + phase * k->track.step * k->speed);
    tru_contact_info c;
    double in = 0.0;
    for (int i = 0; i < (int)(400.0 * per); i++) {
        MUST(tru_run(w, 1, &err));
        if (tru_contact_count(w) == 0 && in > 0.0) break;
        if (tru_contact_count(w) == 0) continue;
        MUST(tru_contact_get(w, 0, &c, &err));
        if (in == 0.0) in = fabs(k->speed * c.normal.z);
    }
    const double e = normal_speed(w, &c) / in;
    tru_world_destroy(w);
    return e;
}

/* Asked is measured, for every shape, size, mass ratio, speed, Hooke and Hertz. The scheme is of first order: an impact of
 * 500 steps per 1/omega is off by less than 1e-3. */
TEST(restitution_is_what_was_asked) {
    draw d = {check_seed(), 2, 0};
    double worst = 0.0;
    static const double asked[] = {0.05, 0.1, 0.135, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0};
    for (int i = 0; i < 54; i++) {
        strike k = {
            .kind = i % STRIKES, .hertz = i % STRIKES < BOX_WALL && draw_int(&d, 2), .restitution = asked[i % 9]};
        k.size = draw_log(&d, 1e-4, 1e1);
        k.other = k.size * draw_log(&d, 0.3, 10.0);
        k.density = 1000.0 * draw_log(&d, 1e-3, 1e3);
        k.speed = draw_log(&d, 1e-2, 1e2);
        k.q = tru_random_attitude(d.seed, d.id, d.index++);
        if (k.kind == BOX_WALL) /* on one corner */
            k.q = quat_mul(quat_exp(v3(0, 0, draw_in(&d, -3.0, 3.0))), quat_exp(v3(0.6, 0.5, 0.0)));
        const double e = measured(&k, 500.0, draw_in(&d, 0.0, 1.0)), off = fabs(e - k.restitution);
        if (!check(off < 1e-3))
            printf("kind %d %s: asked %.4g, measured %.6g\n", k.kind, k.hertz ? "hertz" : "hooke", k.restitution, e);
        worst = fmax(worst, off);
    }
    printf("restitution: off by %.2g at most\n", worst);
}

/* A dashpot that may pull has the restitution that was asked as well; the published one has that of the cut force. */
TEST(named_dashpots) {
    strike k = {.kind = BALL_WALL, .size = 0.1, .other = 0.1, .density = 1000.0, .speed = 1.0, .restitution = 0.4};
    k.q = still.orientation;
    for (int hertz = 0; hertz < 2; hertz++) {
        k.hertz = hertz;
        k.dashpot = TRU_NORMAL_PULLS;
        check_close(measured(&k, 500.0, 0.3), 0.4, 0.0, 1e-3);
        k.dashpot = TRU_NORMAL_PUBLISHED;
        check_close(measured(&k, 500.0, 0.3), 0.4724, 0.0,
                    1e-3); /* exp(-2 p cot p), cos p = -ln 0.4 / |ln 0.4 + i pi| */
    }
}

/* Below 0.05 a remark names the restitution that contacts have; a damping beyond the step is refused with one that does. */
TEST(what_is_told_of_restitution) {
    tru_error err;
    tru_world *w = empty_world(v3(0, 0, -9.8), 0.3, 0.0, 0.0);
    tru_body_state at = still;
    const tru_sphere ball = {0.1};
    tru_track t = tru_default_track();
    add_body(w, TRU_FIXED, "plane", NULL, 1000.0, &at);
    at.position.z = 0.2;
    add_body(w, TRU_FREE, "sphere", &ball, 1000.0, &at);
    t.step = 1e-4;
    MUST(tru_stepper_set(w, "track", &t, &err));
    check_status(tru_check(w, &err), TRU_REMARK);
    check_str(err.text,
              "stepper track: restitution 0 is asked, contacts have 0.05: less needs a damping that steps cannot "
              "follow");
    t.stiffness = 1e6;
    t.step = 1e-3;
    MUST(tru_stepper_set(w, "track", &t, &err));
    check_status(tru_check(w, &err), TRU_REFUSED);
    const char *told = strstr(err.text, "the largest stable one is ");
    if (!check(told != NULL)) return;
    t.step = 0.99 * atof(told + 26);
    MUST(tru_stepper_set(w, "track", &t, &err));
    check(tru_check(w, &err) >= 0);
    t.step = 1.01 * atof(told + 26);
    MUST(tru_stepper_set(w, "track", &t, &err));
    check_status(tru_check(w, &err), TRU_REFUSED);
    tru_world_destroy(w);
}

/* ---- friction ---- */

/* A ball that is set down while it spins about a horizontal axis or slides: friction never exceeds its limit, so the change of
 * momentum is at most the limit times the time, whatever the stiffness. */
TEST(a_new_contact_is_not_braked_beyond_friction) {
    draw d = {check_seed(), 3, 0};
    for (int i = 0; i < 30; i++) {
        tru_error err;
        const double radius = draw_log(&d, 1e-3, 1e1), mu = 0.3, g = 9.8, time = sqrt(radius / g);
        tru_world *w = empty_world(v3(0, 0, -g), mu, 0.0, 0.0);
        tru_body_state at = still;
        const tru_sphere ball = {radius};
        tru_track t = tru_default_track();
        tru_body_info info;
        at.position.z = radius;
        add_body(w, TRU_FIXED, "plane", NULL, 1000.0, &still);
        at.angular_velocity.y = draw_log(&d, 1.0, 30.0) / time;
        at.velocity.y = draw_log(&d, 0.1, 3.0) * radius / time;
        const tru_id id = add_body(w, TRU_FREE, "sphere", &ball, 1000.0, &at);
        MUST(tru_body_describe(w, id, &info, &err));
        t.step = 1e-4 * time;
        t.normal = TRU_PRESCRIBED;
        t.normal_force = info.mass * g;
        t.stiffness = info.mass * g / radius * draw_log(&d, 1e2, 1e6);
        MUST(tru_stepper_set(w, "track", &t, &err));
        MUST(tru_run(w, 300, &err));
        const tru_body_state s = kit_get_state(w, id);
        const double most = mu * g * 300.0 * t.step * (1.0 + 1e-9);
        check(hypot(s.velocity.x - at.velocity.x, s.velocity.y - at.velocity.y) <= most);
        check(0.4 * radius * v3_norm(v3_sub(s.angular_velocity, at.angular_velocity)) <= most);
        tru_world_destroy(w);
    }
}

/* ---- books ---- */

/* Energy of an overlap that bodies are put into is there from the start: the numerical part falls with the step. */
static double start_numerical(bool hertz, double h, double *start) {
    tru_error err;
    tru_world *w = empty_world(v3_zero(), 0.3, hertz ? 1e7 : 0.0, 0.5);
    tru_body_state at = still;
    const tru_sphere ball = {0.1};
    tru_track t = tru_default_track();
    for (int i = 0; i < 2; i++) {
        at.position.z = 0.199 * i;
        add_body(w, TRU_FREE, "sphere", &ball, 1000.0, &at);
    }
    t.step = h;
    t.stiffness = 1e6;
    if (hertz) t.normal = TRU_HERTZ;
    MUST(tru_stepper_set(w, "track", &t, &err));
    MUST(tru_run(w, (uint64_t)(4e-3 / h + 0.5), &err));
    const tru_ledger l = tru_world_ledger(w);
    *start = l.start;
    check(fabs(tru_ledger_gap(&l)) < 1e-12 * l.start);
    tru_world_destroy(w);
    return l.theta_shift + l.stiffness;
}

/* [J] Numerical part after a ball is added to a run so that it overlaps another by 1 mm, and starts to move by this alone;
 * *came: what the ledger's start grew by. With `reload` the world is saved and loaded before it continues. */
static double added_numerical(bool hertz, double h, bool reload, double *came) {
    tru_error err;
    tru_world *w = empty_world(v3_zero(), 0.3, hertz ? 1e7 : 0.0, 0.5);
    tru_body_state at = still;
    const tru_sphere ball = {0.1};
    tru_track t = tru_default_track();
    add_body(w, TRU_FREE, "sphere", &ball, 1000.0, &at);
    at.position.x = 1.0;
    add_body(w, TRU_FREE, "sphere", &ball, 1000.0, &at);
    t.step = h;
    t.stiffness = 1e6;
    if (hertz) t.normal = TRU_HERTZ;
    MUST(tru_stepper_set(w, "track", &t, &err));
    MUST(tru_run(w, 10, &err));
    const double before = tru_world_ledger(w).start;
    at.position = v3(0, 0, 0.199);
    add_body(w, TRU_FREE, "sphere", &ball, 1000.0, &at);
    if (reload) {
        const size_t size = tru_snapshot_size(w);
        void *bytes = malloc(size);
        MUST(tru_snapshot_save(w, bytes, size, &err));
        MUST(tru_snapshot_load(w, bytes, size, &err));
        free(bytes);
    }
    MUST(tru_run(w, (uint64_t)(4e-3 / h + 0.5), &err));
    const tru_ledger l = tru_world_ledger(w);
    *came = l.start - before;
    check(fabs(tru_ledger_gap(&l)) < 1e-12 * l.start);
    tru_world_destroy(w);
    return l.theta_shift + l.stiffness;
}

TEST(an_overlap_of_an_added_body_is_in_the_books) {
    for (int hertz = 0; hertz < 2; hertz++) {
        double came, part[3], again;
        for (int k = 0; k < 3; k++) part[k] = added_numerical(hertz, 2e-5 / (1 << k), false, &came);
        printf("%s: %.4g J came with the body, numerical %.2g %.2g %.2g J\n", hertz ? "hertz" : "hooke", came, part[0],
               part[1], part[2]);
        const double r = 0.05, deep = 1e-3;
        check_close(came, hertz ? 8.0 / 15.0 * 1e7 * sqrt(r * deep) * deep * deep : 0.5 * 1e6 * deep * deep, 1e-9, 0.0);
        for (int k = 0; k < 2; k++) check(fabs(part[k + 1]) < 0.6 * fabs(part[k]) + 1e-5 * came); /* first order */
        check(added_numerical(hertz, 5e-6, true, &again) == part[2] && again == came);
    }
}

TEST(an_overlap_at_the_start_is_in_the_books) {
    for (int hertz = 0; hertz < 2; hertz++) {
        double start, part[3];
        for (int k = 0; k < 3; k++) part[k] = start_numerical(hertz, 2e-5 / (1 << k), &start);
        printf("%s: %.4g J at the start, numerical %.2g %.2g %.2g J\n", hertz ? "hertz" : "hooke", start, part[0],
               part[1], part[2]);
        const double r = 0.05, deep = 1e-3;
        check_close(start, hertz ? 8.0 / 15.0 * 1e7 * sqrt(r * deep) * deep * deep : 0.5 * 1e6 * deep * deep, 1e-9,
                    0.0);
        for (int k = 0; k < 2; k++) check(fabs(part[k + 1]) < 0.6 * fabs(part[k]) + 1e-5 * start); /* first order */
    }
}

/* What meets at an angle; of the last the normal goes through both centres, so that slip keeps its direction. */
enum { EGGS, BOXES, POLES, OBLIQUES };

/* Two bodies that are not balls, the second `height` [-] sizes above the first, on its way down and past it. */
static tru_world *oblique_world(int kind, uint64_t seed, double height, double *size, double *speed) {
    draw d = {seed, 4, 0};
    tru_world *w = empty_world(v3_zero(), 0.02, 0.0, 1.0); /* slip keeps its direction */
    *size = draw_log(&d, 1e-2, 1.0);
    *speed = draw_log(&d, 0.1, 10.0);
    const tru_ellipsoid egg = {v3_scale(*size, v3(1.0, 0.7, 1.3))};
    const tru_box box = {v3_scale(*size, v3(2.0, 1.4, 2.6))};
    for (int i = 0; i < 2; i++) {
        tru_body_state at = still;
        if (kind != POLES) at.orientation = tru_random_attitude(d.seed, d.id, d.index++);
        if (kind != POLES && i == 0) at.position = v3_scale(0.2 * *size, draw_vec(&d));
        if (i) at.position.z = height * *size;
        if (i) at.velocity = v3_scale(*speed, v3(2.0, -1.0, -1.0));
        add_body(w, TRU_FREE, kind == BOXES ? "box" : "ellipsoid", kind == BOXES ? (const void *)&box : &egg, 1000.0,
                 &at);
    }
    return w;
}

/* [-] Height at which they touch, in parts of the size. */
static double oblique_height(int kind, uint64_t seed) {
    tru_error err;
    double lo = 0.0, hi = 8.0, size, speed;
    for (int i = 0; i < 50; i++) {
        const double z = 0.5 * (lo + hi);
        tru_world *w = oblique_world(kind, seed, z, &size, &speed);
        tru_track t = tru_default_track();
        t.step = 1e-9 * size / speed;
        MUST(tru_stepper_set(w, "track", &t, &err));
        *(tru_run(w, 1, &err) == TRU_OVERLAP || tru_contact_count(w) > 0 ? &lo : &hi) = z;
        tru_world_destroy(w);
    }
    return hi + 1e-7;
}

/* Parts of the kinetic energy of an oblique impact without damping: lost, lost by sliding, and numerical. */
typedef struct oblique_books {
    double loss, slide, numerical;
} oblique_books;

static oblique_books oblique(int kind, uint64_t seed, const char *stepper, double h, double deep) {
    tru_error err;
    double size, speed;
    tru_world *w = oblique_world(kind, seed, oblique_height(kind, seed), &size, &speed);
    tru_body_info info;
    tru_moreau m = tru_default_moreau();
    tru_track t = tru_default_track();
    MUST(tru_body_describe(w, tru_body_at(w, 0), &info, &err));
    t.step = m.step = h * size / speed;
    t.stiffness = info.mass * (speed / (deep * size)) * (speed / (deep * size));
    MUST(tru_stepper_set(w, stepper, strcmp(stepper, "track") == 0 ? (const void *)&t : &m, &err));
    MUST(tru_run(w, (uint64_t)(30.0 * deep / h), &err));
    const tru_ledger l = tru_world_ledger(w);
    check(tru_contact_count(w) == 0);
    tru_world_destroy(w);
    return (oblique_books){1.0 - l.kinetic / l.start, l.slide / l.start, (l.theta_shift + l.stiffness) / l.start};
}

/* What is lost, is lost by sliding, and is what a rigid impact loses; the numerical part falls with the step. */
TEST(sliding_bodies_lose_what_friction_takes) {
    const uint64_t seed = check_seed();
    int met = 0;
    for (int i = 0; i < 12; i++) {
        const uint64_t own = seed + (uint64_t)i;
        const int kind = i % OBLIQUES;
        oblique_books b[3];
        for (int k = 0; k < 3; k++) b[k] = oblique(kind, own, "track", 4e-7 / (1 << k), 1e-5);
        const oblique_books rigid = oblique(kind, own, "moreau", 4e-7, 1e-5);
        if (rigid.loss == 0.0) continue; /* one corner passes another */
        met++;
        printf("%s: lost %.4g (moreau %.4g), by sliding %.4g; numerical %.2g %.2g %.2g\n",
               kind == BOXES ? "boxes" : "ellipsoids", b[2].loss, rigid.loss, b[2].slide, b[0].numerical,
               b[1].numerical, b[2].numerical);
        check(fabs(b[2].numerical) < 0.5 * fabs(b[0].numerical) + 3e-5); /* depends on where a step meets the touch */
        check(fabs(b[2].numerical) < 1e-3);
        check_close(b[2].slide, b[2].loss, 0.02, 0.0);
        if (kind == POLES) check_close(b[2].loss, rigid.loss, 0.01, 0.0);
    }
    check(met >= 4);
}

/* ---- steps that are too long ---- */

/* [-] Present and lost energy over what there was and what gravity gave, or -1 if the run ended with a sentence. */
static double energy_made(uint64_t seed, double longer) {
    tru_error err;
    draw d = {seed, 5, 0};
    const double size = draw_log(&d, 1e-3, 1.0), g = 9.8, time = sqrt(size / g);
    const bool hertz = draw_int(&d, 4) == 0;
    tru_world *w =
        empty_world(v3(0, 0, -g), 0.3, hertz ? 1000.0 * g * size * draw_log(&d, 1e3, 1e7) : 0.0, draw_in(&d, 0.0, 1.0));
    add_body(w, TRU_FIXED, "plane", NULL, 1000.0, &still);
    const int count = 1 + draw_int(&d, 4), family = draw_int(&d, 2);
    double high = 0.0, mass = 0.0;
    for (int i = 0; i < count; i++) {
        const tru_sphere ball = {size};
        const tru_ellipsoid egg = {v3_scale(size, v3(1.0, 0.7, 1.3))};
        const tru_box box = {v3_scale(size, v3(1.0, draw_log(&d, 0.1, 1.0), 1.5))};
        static const char *const names[] = {"sphere", "box", "ellipsoid"};
        const void *const params[] = {&ball, &box, &egg};
        const int shape = hertz || draw_int(&d, 2) ? 0 : 1 + family;
        tru_body_state at = still;
        tru_body_info info;
        at.orientation = tru_random_attitude(d.seed, d.id, d.index++);
        at.position = v3(draw_in(&d, -0.3, 0.3) * size, 0.0, size * (1.5 + 3.0 * i));
        at.velocity = v3_scale(size / time, draw_vec(&d));
        at.angular_velocity = v3_scale(3.0 / time, draw_vec(&d));
        const tru_id id = add_body(w, TRU_FREE, names[shape], params[shape], 1000.0, &at);
        MUST(tru_body_describe(w, id, &info, &err));
        high += info.mass * g * at.position.z;
        mass = fmax(mass, info.mass);
    }
    tru_track t = tru_default_track();
    t.step = 1e-3 * time * longer;
    if (hertz)
        t.normal = TRU_HERTZ;
    else if (draw_int(&d, 3))
        t.stiffness = mass * g / size * draw_log(&d, 1e3, 1e5);
    MUST(tru_stepper_set(w, "track", &t, &err));
    const double start = tru_world_ledger(w).kinetic + high;
    tru_status s = TRU_OK;
    double most = 0.0;
    for (int i = 0; s >= 0 && i < 50; i++) {
        s = tru_run(w, (uint64_t)(0.4 * time / t.step), &err);
        const tru_ledger l = tru_world_ledger(w);
        most = fmax(most, (l.kinetic + l.stored) / start);
    }
    if (s < 0 && !check(strstr(err.text, "step") || strstr(err.text, "overlap"))) printf("%s\n", err.text);
    if (getenv("TRU_TELL") && s < 0) printf("%.3g: %s\n", longer, err.text);
    tru_world_destroy(w);
    return s < 0 ? -1.0 : most;
}

/* A step that is up to 100 times too long ends with a sentence, or the energy stays below what there was. */
TEST(no_step_multiplies_the_energy) {
    const uint64_t seed = check_seed();
    int ran = 0, refused = 0;
    double most = 0.0;
    for (int i = 0; i < 400; i++) {
        draw d = {seed, 6, (uint64_t)i};
        const double longer = draw_log(&d, 1.0, 100.0), made = energy_made(seed + (uint64_t)i, longer);
        ran += made >= 0.0;
        refused += made < 0.0;
        most = fmax(most, made);
        if (!check(made < 1.1))
            printf("seed %llu: energy times %.3g\n", (unsigned long long)(seed + (uint64_t)i), made);
    }
    printf("%d ran, %d ended with a sentence; energy up to %.3g of what there was\n", ran, refused, most);
}

/* [-] Largest overlap in parts of the size of a body that falls on a floor and stays there for 200 steps of `step`; -1: the
 * run stopped, *advice [s] is the step that the sentence names, 0 if it names none. */
static double deepest_overlap(uint64_t seed, double step, double *advice) {
    draw d = {seed, 8, 0};
    tru_error err;
    const double size = draw_log(&d, 1e-4, 1e2), speed = sqrt(9.81 * size) * draw_in(&d, 0.0, 3.0);
    const tru_sphere ball = {size};
    const tru_ellipsoid egg = {{0.5 * size, 0.4 * size, size}};
    const tru_box box = {{size, 0.8 * size, 1.2 * size}};
    const char *names[] = {"sphere", "ellipsoid", "box"};
    const void *params[] = {&ball, &egg, &box};
    const int shape = draw_int(&d, 3);
    tru_world *w = empty_world(v3(0, 0, -9.81), 0.3, 0.0, draw_in(&d, 0.05, 1.0));
    tru_body_state at = still;
    tru_body_info info;
    double most = 0.0;
    add_body(w, TRU_FIXED, "plane", NULL, 1.0, &still);
    at.position = v3(0, 0, size);
    at.velocity = v3(0, 0, -speed);
    at.orientation = tru_random_attitude(d.seed, d.id, d.index++);
    const tru_id id = add_body(w, TRU_FREE, names[shape], params[shape], 1000.0, &at);
    MUST(tru_body_describe(w, id, &info, &err));
    tru_track t = tru_default_track();
    t.step = step * sqrt(size / 9.81);
    MUST(tru_stepper_set(w, "track", &t, &err));
    *advice = 0.0;
    for (int i = 0; i < 200 && most >= 0.0; i++) {
        if (tru_run(w, 1, &err) < 0) {
            const char *said = strstr(err.text, "; steps of ");
            if (said) *advice = strtod(said + strlen("; steps of "), NULL) / sqrt(size / 9.81);
            most = -1.0;
            break;
        }
        tru_contact_info c;
        for (size_t k = 0; k < tru_contact_count(w); k++) {
            MUST(tru_contact_get(w, k, &c, &err));
            most = fmax(most, -c.gap / size);
        }
    }
    tru_world_destroy(w);
    return most;
}

/* Springs that follow a long step let bodies sink: a run that continues keeps every overlap within the body, and one that
 * stops names a step with which it would have gone on. */
TEST(bodies_do_not_sink_through_a_floor) {
    const uint64_t seed = check_seed();
    int stopped = 0, ran = 0;
    double worst = 0.0;
    for (uint64_t i = 0; i < 300; i++) {
        draw d = {seed, 9, i};
        double step = draw_log(&d, 0.01, 10.0), advice;
        double most = deepest_overlap(seed + i, step, &advice);
        check(most <= 2.0); /* as check_depth says why */
        if (advice > 0.0) {
            stopped++;
            most = deepest_overlap(seed + i, advice, &advice);
            if (!check(most >= 0.0 && most <= 0.1))
                printf("seed %llu: its own advice stops\n", (unsigned long long)(seed + i));
            worst = fmax(worst, most);
        } else
            ran += most >= 0.0;
    }
    check(stopped > 50 && ran > 50);
    printf("%d stopped, %d ran; overlaps up to %.3g of the size with the steps that were named\n", stopped, ran, worst);
}

/* [N s] Largest normal impulse of a tilted box that falls on a floor with three corners below it, and a fourth at `gap`. */
static double impulse_with_corner_at(double gap, double restitution, size_t *contacts) {
    tru_error err;
    tru_contact_info c;
    const tru_box box = {{1.0, 1.0, 0.5}};
    const double tilt = 1e-3;
    tru_world *w = empty_world(v3_zero(), 0.3, 0.0, restitution);
    tru_body_state at = still;
    add_body(w, TRU_FIXED, "plane", NULL, 1000.0, &at);
    at.orientation = quat_exp(v3(tilt, tilt, 0.0));
    double highest = -HUGE_VAL, most = 0.0;
    for (int i = 0; i < 4; i++) {
        const tru_vec3 corner = v3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, -0.25);
        highest = fmax(highest, m3_apply(quat_to_matrix(at.orientation), corner).z);
    }
    at.position.z = gap - highest;
    at.velocity.z = -1.0;
    add_body(w, TRU_FREE, "box", &box, 1000.0, &at);
    tru_track t = tru_default_track();
    t.step = 1e-6;
    t.stiffness = 1e8;
    MUST(tru_stepper_set(w, "track", &t, &err));
    MUST(tru_run(w, 1, &err));
    *contacts = tru_contact_count(w);
    for (size_t k = 0; k < *contacts; k++) {
        MUST(tru_contact_get(w, k, &c, &err));
        most = fmax(most, c.impulse[0]);
    }
    tru_world_destroy(w);
    return most;
}

/* The corners of a face share the mass by their overlaps: what one of them carries does not jump when another lifts. */
TEST(a_corner_that_lifts_does_not_jolt_the_others) {
    for (int i = 0; i < 10; i++) {
        size_t with, without;
        const double e = 0.05 + 0.095 * i, touches = impulse_with_corner_at(-1e-9, e, &with),
                     lifts = impulse_with_corner_at(1e-9, e, &without);
        check(with == 4 && without == 3);
        if (!check(fabs(touches - lifts) < 1e-5 * lifts)) printf("restitution %g: %.9g, %.9g N s\n", e, touches, lifts);
    }
}

/* [-] Largest slip of a wobbling ellipsoid in its second 0.7 s on a floor, in parts of its speed. Stiffness 0: follows the
 * step. */
static double wobbling_slip(double step, double stiffness) {
    tru_error err;
    tru_contact_info c;
    const tru_ellipsoid egg = {{0.12, 0.1, 0.09}};
    tru_world *w = empty_world(v3(0, 0, -9.81), 2.0, 0.0, 0.0);
    tru_body_state at = still;
    add_body(w, TRU_FIXED, "plane", NULL, 1000.0, &at);
    at.position.z = egg.semi_axes.z;
    at.angular_velocity = v3(0.5, 10.0, 0.3);
    at.velocity = v3_cross(at.angular_velocity, at.position);
    add_body(w, TRU_FREE, "ellipsoid", &egg, 221.04853, &at); /* 1 kg */
    const double speed = v3_norm(at.velocity);
    double slip = 0.0;
    tru_track t = tru_default_track();
    t.step = step;
    if (stiffness > 0.0) t.stiffness = stiffness;
    MUST(tru_stepper_set(w, "track", &t, &err));
    for (int i = 0; i < (int)(1.4 / step); i++) {
        MUST(tru_run(w, 1, &err));
        if (i < (int)(0.7 / step) || tru_contact_count(w) == 0) continue;
        MUST(tru_contact_get(w, 0, &c, &err));
        slip = fmax(slip, hypot(c.velocity[TRU_ROW_SLIDE1], c.velocity[TRU_ROW_SLIDE2]));
    }
    tru_world_destroy(w);
    return slip / speed;
}

/* Slip of a body that rolls is the creep of its springs: at one stiffness a shorter step changes a tenth of it, and what
 * changes falls with the step; with springs that follow the step it falls at first order at least. */
TEST(slip_of_a_wobbling_ellipsoid_is_creep) {
    double given[4], follows[4];
    for (int i = 0; i < 4; i++) {
        const double step = ldexp(5e-3, -i); /* 0.05 rad and less */
        given[i] = wobbling_slip(step, 838.0);
        follows[i] = wobbling_slip(step, 0.0);
        printf("%.4g rad per step: slip %.4g of the speed at 838 N/m, %.4g with springs that follow the step\n",
               10.0 * step, given[i], follows[i]);
    }
    check(fabs(given[0] - given[3]) < 0.1 * given[3]);
    check(fabs(given[1] - given[2]) < 0.7 * fabs(given[0] - given[1]));
    check(fabs(given[2] - given[3]) < 0.7 * fabs(given[1] - given[2]));
    for (int i = 0; i < 3; i++) check(follows[i + 1] < 0.5 * follows[i]);
}
