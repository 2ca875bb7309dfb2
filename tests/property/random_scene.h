/* random_scene.h: random scenes as scene files, the ways to run them, and the book that the random tests keep.
 *
 * A scene is a pure function of TRU_SEED, the name of the test and its number, so that every scene can be repeated alone:
 *
 *     TRU_SEED=7 build/dev/bin/property.random_single nothing_breaks --first=123 --scenes=1 --print
 *
 * prints scene 123 as a scene file, which `trundle run` takes. Options: --scenes=N runs N scenes per test instead of the
 * default, --times=K runs K times the default, --seconds=S continues with further scenes until S seconds per test have passed, --first=N starts with scene N,
 * --way=NAME runs one stepper only, --print prints every scene that violates a property (otherwise the first of each
 * test), --dump every scene that runs, --refusals and --stops print the sentences of steppers that refuse a scene or end its run. A test name as argument
 * runs that property alone. */
#ifndef TRUNDLE_TESTS_PROPERTY_RANDOM_SCENE_H
#define TRUNDLE_TESTS_PROPERTY_RANDOM_SCENE_H

#ifndef _POSIX_C_SOURCE
#error "random_scene.h needs clock_gettime: define _POSIX_C_SOURCE 200809L before the first include"
#endif

#include "check.h"

#include "math/quat.h"

#include <trundle/io.h>

#include <stdarg.h>
#include <time.h>

/* ---- random draws */

/* Counter-based: a draw depends on the seed, the scene and its own number only. */
typedef struct draws {
    uint64_t seed, id, index;
} draws;

static inline uint64_t mix_bits(uint64_t x) { /* the finaliser of splitmix64 [Steele, Lea, Flood 2014] */
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static inline uint64_t draw_bits(draws *d) {
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    return mix_bits(mix_bits(mix_bits(d->seed + golden) + d->id * golden) + ++d->index * golden);
}

static inline double draw_between(draws *d, double lowest, double highest) {
    return lowest + (highest - lowest) * ldexp((double)(draw_bits(d) >> 11), -53);
}

/* Every factor is as likely: uniform in the logarithm. */
static inline double draw_scale(draws *d, double lowest, double highest) {
    return lowest * pow(highest / lowest, draw_between(d, 0.0, 1.0));
}

static inline int draw_below(draws *d, int count) { return (int)(draw_bits(d) % (uint64_t)count); }

static inline bool draw_chance(draws *d, double part) { return draw_between(d, 0.0, 1.0) < part; }

/* Uniform on the sphere in four dimensions: an attitude. */
static inline tru_quat draw_attitude(draws *d) {
    tru_quat q;
    double norm;
    do {
        q = (tru_quat){draw_between(d, -1.0, 1.0), draw_between(d, -1.0, 1.0), draw_between(d, -1.0, 1.0),
                       draw_between(d, -1.0, 1.0)};
        norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    } while (norm > 1.0 || norm < 0.1);
    return (tru_quat){q.w / norm, q.x / norm, q.y / norm, q.z / norm};
}

static inline tru_vec3 draw_direction(draws *d) { return quat_rotate(draw_attitude(d), v3(0.0, 0.0, 1.0)); }

/* The draws of one scene; `text` names the test, so that tests do not share scenes. */
static inline draws draws_of(uint64_t seed, const char *text, uint64_t number) {
    uint64_t h = UINT64_C(14695981039346656037);
    for (const char *c = text; *c; c++) h = (h ^ (unsigned char)*c) * UINT64_C(1099511628211);
    return (draws){seed ^ h, number, 0};
}

/* ---- scenes as data */

typedef enum random_shape { SPHERE, ELLIPSOID, DISK, CAPSULE, BOX, HULL, RANDOM_SHAPES } random_shape;
static const char *const random_shape_names[RANDOM_SHAPES] = {"sphere", "ellipsoid", "disk", "capsule", "box", "hull"};

enum { RANDOM_BODIES = 10, RANDOM_POINTS = 10 };

/* One shape with its origin in the centre of mass. */
typedef struct random_body {
    random_shape shape;
    tru_vec3 size;                  /* [m] radius; semi-axes; radius, thickness; radius, length; edges */
    tru_vec3 points[RANDOM_POINTS]; /* [m] of a hull */
    int point_count;
    int kind;    /* tru_body_kind */
    double mass; /* [kg] */
    tru_vec3 position, velocity, rate;
    tru_quat attitude;
} random_body;

typedef struct random_scene {
    const char *test; /* name of the test, for the title */
    uint64_t seed, number;
    tru_vec3 gravity; /* [m/s^2] */
    bool plane;       /* a fixed plane z = 0 called floor */
    char laws[600];   /* block of the default pair; "none": frictionless */
    bool pass;        /* bodies pass through each other and meet the floor alone */
    double restitution, compliance;
    random_body bodies[RANDOM_BODIES]; /* called b0, b1, ... */
    int body_count;
    char joints[4000], loads[4000], motions[4000]; /* entries, one per line; empty: none */
    double length, speed;                          /* [m], [m/s] scales */
    double step, until;                            /* [s] */
} random_scene;

/* Appends to a text of `room` bytes; a text that is too long ends the program, because a cut scene is another scene. */
__attribute__((format(printf, 3, 4))) static inline void text_add(char *text, size_t room, const char *format, ...) {
    const size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    const int count = vsnprintf(text + used, room - used, format, list);
    va_end(list);
    if (count < 0 || (size_t)count >= room - used) {
        printf("a random scene is longer than %zu bytes\n", room);
        exit(1);
    }
}

#define VECTOR_FORMAT   "[%.17g, %.17g, %.17g, %s]"
#define VECTOR_OF(v, u) (v).x, (v).y, (v).z, u

static inline void body_text(const random_body *b, int k, bool pass, char *text, size_t room) {
    static const char *const kinds[] = {"free", "fixed", "driven"};
    text_add(text, room, "  b%d:\n    shape: {%s: {", k, random_shape_names[b->shape]);
    if (b->shape == SPHERE) text_add(text, room, "radius: %.17g m", b->size.x);
    if (b->shape == ELLIPSOID) text_add(text, room, "semi_axes: " VECTOR_FORMAT, VECTOR_OF(b->size, "m"));
    if (b->shape == DISK) text_add(text, room, "radius: %.17g m, thickness: %.17g m", b->size.x, b->size.y);
    if (b->shape == CAPSULE) text_add(text, room, "radius: %.17g m, length: %.17g m", b->size.x, b->size.y);
    if (b->shape == BOX) text_add(text, room, "size: " VECTOR_FORMAT, VECTOR_OF(b->size, "m"));
    if (b->shape == HULL) text_add(text, room, "points: [");
    for (int i = 0; b->shape == HULL && i < b->point_count; i++)
        text_add(text, room, "%s" VECTOR_FORMAT, i > 0 ? ", " : "", VECTOR_OF(b->points[i], "m"));
    text_add(text, room, "%s}}\n    kind: %s\n", b->shape == HULL ? "]" : "", kinds[b->kind]);
    if (b->kind == TRU_FREE) text_add(text, room, "    mass: %.17g kg\n", b->mass);
    text_add(text, room, "    position: " VECTOR_FORMAT "\n", VECTOR_OF(b->position, "m"));
    text_add(text, room, "    orientation: [%.17g, %.17g, %.17g, %.17g]\n", b->attitude.w, b->attitude.x, b->attitude.y,
             b->attitude.z);
    if (pass) text_add(text, room, "    material: ghost\n");
    if (b->kind != TRU_FREE) return;
    text_add(text, room, "    velocity: " VECTOR_FORMAT "\n", VECTOR_OF(b->velocity, "m/s"));
    text_add(text, room, "    angular_velocity: " VECTOR_FORMAT "\n", VECTOR_OF(b->rate, "rad/s"));
}

enum { SCENE_ROOM = 32768 };

/* The scene file; `stepper` is the block of one stepper, as `moreau: {step: 1 ms}`. */
static inline void scene_text(const random_scene *s, const char *stepper, char text[SCENE_ROOM]) {
    text[0] = '\0';
    text_add(text, SCENE_ROOM, "trundle: 1\ntitle: Random scene %" PRIu64 " of %s, seed %" PRIu64 "\n", s->number,
             s->test, s->seed);
    text_add(text, SCENE_ROOM, "gravity: " VECTOR_FORMAT "\n", VECTOR_OF(s->gravity, "m/s^2"));
    if (s->pass) text_add(text, SCENE_ROOM, "materials: [ghost]\n");
    text_add(text, SCENE_ROOM, "pairs:\n  - {default: %s, restitution: %.17g, compliance: %.17g m/N}\n", s->laws,
             s->restitution, s->compliance);
    if (s->pass) text_add(text, SCENE_ROOM, "  - {between: [ghost, ghost], pass: true}\n");
    text_add(text, SCENE_ROOM, "bodies:\n");
    if (s->plane) text_add(text, SCENE_ROOM, "  floor: {kind: fixed, shape: plane}\n");
    for (int k = 0; k < s->body_count; k++) body_text(&s->bodies[k], k, s->pass, text, SCENE_ROOM);
    if (s->joints[0]) text_add(text, SCENE_ROOM, "joints:\n%s", s->joints);
    if (s->loads[0]) text_add(text, SCENE_ROOM, "loads:\n%s", s->loads);
    if (s->motions[0]) text_add(text, SCENE_ROOM, "motions:\n%s", s->motions);
    text_add(text, SCENE_ROOM, "steppers:\n  %s\nrecord: {until: %.17g s}\n", stepper, s->until);
}

/* ---- the geometry of one body, independent of the library's */

/* The point of the body that is farthest along `direction`, from its centre, world axes. */
static inline tru_vec3 body_farthest(const random_body *b, tru_vec3 direction) {
    const tru_vec3 d = quat_unrotate(b->attitude, direction), s = b->size;
    tru_vec3 p = v3_zero();
    if (b->shape == SPHERE) p = v3_scale(s.x / v3_norm(d), d);
    if (b->shape == ELLIPSOID) {
        const tru_vec3 e = v3(s.x * s.x * d.x, s.y * s.y * d.y, s.z * s.z * d.z);
        p = v3_scale(1.0 / sqrt(v3_dot(e, d)), e);
    }
    if (b->shape == DISK) {
        const double flat = hypot(d.x, d.y);
        p = v3(0.0, 0.0, copysign(0.5 * s.y, d.z));
        if (flat > 0.0) p = v3(s.x * d.x / flat, s.x * d.y / flat, p.z);
    }
    if (b->shape == CAPSULE) p = v3_add(v3(0.0, 0.0, copysign(0.5 * s.y, d.z)), v3_scale(s.x / v3_norm(d), d));
    if (b->shape == BOX) p = v3(copysign(0.5 * s.x, d.x), copysign(0.5 * s.y, d.y), copysign(0.5 * s.z, d.z));
    for (int i = 0; b->shape == HULL && i < b->point_count; i++)
        if (i == 0 || v3_dot(b->points[i], d) > v3_dot(p, d)) p = b->points[i];
    return quat_rotate(b->attitude, p);
}

/* Puts the body on the plane z = 0, `gap` above it. */
static inline void body_set_down(random_body *b, double gap) {
    b->position.z = gap - body_farthest(b, v3(0.0, 0.0, -1.0)).z;
}

/* Radius of the sphere about the centre that holds the body. */
static inline double body_radius(const random_body *b) {
    const tru_vec3 s = b->size;
    double r = s.x;
    if (b->shape == ELLIPSOID) r = fmax(s.x, fmax(s.y, s.z));
    if (b->shape == DISK) r = hypot(s.x, 0.5 * s.y);
    if (b->shape == CAPSULE) r = s.x + 0.5 * s.y;
    if (b->shape == BOX) r = 0.5 * v3_norm(s);
    for (int i = 0; b->shape == HULL && i < b->point_count; i++) r = fmax(i > 0 ? r : 0.0, v3_norm(b->points[i]));
    return r;
}

/* ---- drawing bodies and laws */

/* A shape whose largest radius is about `length`; `thin` is the smallest ratio of two of its lengths. */
static inline random_body draw_body(draws *d, random_shape shape, double length, double thin) {
    random_body b = {.shape = shape, .kind = TRU_FREE, .mass = 1.0, .attitude = {1.0, 0.0, 0.0, 0.0}};
    const double p = draw_scale(d, thin, 1.0), q = draw_scale(d, thin, 1.0);
    b.size = v3(length, 0.0, 0.0);
    if (shape == ELLIPSOID) b.size = v3(length, length * p, length * q);
    if (shape == DISK) b.size.y = draw_chance(d, 0.5) ? 0.0 : length * p;
    if (shape == CAPSULE) b.size = v3(length * p, 2.0 * length * q, 0.0);
    if (shape == BOX) b.size = v3(2.0 * length, 2.0 * length * p, 2.0 * length * q);
    if (shape == HULL) { /* two tetrahedra about the centre: it is inside whatever the directions */
        b.point_count = 8;
        for (int i = 0; i < 4; i++) {
            const tru_vec3 n[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
            b.points[i] = v3_scale(length * draw_scale(d, fmax(thin, 0.3), 1.0) / sqrt(3.0), n[i]);
            b.points[i + 4] = v3_scale(length * draw_scale(d, fmax(thin, 0.3), 1.0), draw_direction(d));
        }
    }
    return b;
}

typedef enum random_law {
    LAW_NONE,
    LAW_COULOMB,
    LAW_STATIC,
    LAW_STRIBECK,
    LAW_ROLLING,
    LAW_FACTOR,
    LAW_VISCOUS,
    LAW_CONTENSOU,
    LAW_CONTOUR,
    LAW_CONTOUR_VISCOUS,
    LAW_TRACK,
    LAW_TRACK_ETA,
    LAW_TRACK_HERTZ,
    LAW_CONSTANT_TORQUE,
    LAW_LUDING,
    RANDOM_LAWS
} random_law;

/* A block of laws with random coefficients that fit bodies of size `length` and mass `mass`. */
static inline void draw_laws(draws *d, random_law law, double length, double mass, double speed, char *text,
                             size_t room) {
    const double mu = draw_scale(d, 0.02, 1.5), roll = length * draw_scale(d, 1e-4, 0.1);
    const double spin = length * draw_scale(d, 1e-4, 0.1), more = mu * draw_between(d, 1.0, 2.0);
    const double viscosity = mass * length * speed * draw_scale(d, 1e-4, 0.1), slip = speed * draw_scale(d, 1e-3, 1.0);
    const double modulus = mass * speed * speed / (length * length * length) * draw_scale(d, 1e3, 1e6);
    text[0] = '\0';
    switch (law) {
    case LAW_COULOMB:
        text_add(text, room, "{coulomb: {slide: %.17g}}", mu);
        return;
    case LAW_STATIC:
        text_add(text, room, "{coulomb: {slide: %.17g, slide_static: %.17g}}", mu, more);
        return;
    case LAW_STRIBECK:
        text_add(text, room, "{coulomb: {slide: %.17g, slide_static: %.17g, stribeck: %.17g m/s}}", mu, more, slip);
        return;
    case LAW_ROLLING:
        text_add(text, room, "{coulomb: {slide: %.17g}, rolling: {roll: %.17g m, spin: %.17g m}}", mu, roll, spin);
        return;
    case LAW_FACTOR:
        text_add(text, room,
                 "{coulomb: {slide: %.17g}, rolling: {roll: {factor: %.17g, radius: smaller}, spin: {factor: %.17g, "
                 "radius: effective}}}",
                 mu, roll / length, spin / length);
        return;
    case LAW_VISCOUS:
        text_add(text, room,
                 "{coulomb: {slide: %.17g}, rolling: {roll_viscosity: %.17g N*m*s, spin_viscosity: %.17g N*m*s}}", mu,
                 viscosity * length, viscosity * spin);
        return;
    case LAW_CONTENSOU:
        text_add(text, room, "{contensou: {slide: %.17g, patch: %.17g m}}", mu, spin);
        return;
    case LAW_CONTOUR:
        text_add(text, room, "{contensou: {slide: %.17g, patch: %.17g m}, contour: {contour: %.17g}}", mu, spin,
                 roll / length);
        return;
    case LAW_CONTOUR_VISCOUS:
        text_add(text, room, "{coulomb: {slide: %.17g}, contour: {contour_viscosity: %.17g kg/s}}", mu,
                 viscosity / length);
        return;
    case LAW_TRACK:
        text_add(text, room, "{track: {slide: %.17g, slide_static: %.17g, roll: %.17g m, spin: %.17g m}}", mu, more,
                 roll, spin);
        return;
    case LAW_TRACK_ETA:
        text_add(text, room, "{track: {slide: %.17g, eta_r: %.17g, eta_psi: %.17g}}", mu, roll / length, spin / length);
        return;
    case LAW_TRACK_HERTZ:
        text_add(text, room, "{track: {slide: %.17g, eta_psi: %.17g, modulus: %.17g Pa}}", mu, spin / length, modulus);
        return;
    case LAW_CONSTANT_TORQUE:
        text_add(text, room, "{coulomb: {slide: %.17g}, constant_torque: {roll: %.17g m, spin: %.17g m}}", mu, roll,
                 spin);
        return;
    case LAW_LUDING:
        text_add(text, room, "{luding: {slide: %.17g, roll: %.17g m, spin: %.17g m}}", mu, roll, spin);
        return;
    default:
        text_add(text, room, "none");
        return;
    }
}

/* ---- ways to run a scene */

typedef struct way {
    const char *name, *stepper;
    const char *block; /* of the stepper, without its step */
    int order;         /* between impacts */
    bool rolls;        /* variational: a start that slips is projected */
    bool soft;         /* contacts are springs */
    bool lifts;        /* the law itself lifts what slips: the published relaxed form */
} way;

static const way ways[] = {
    {"moreau", "moreau", "", 2, false, false, false},
    {"moreau-paper", "moreau", ", scheme: paper", 1, false, false, false},
    {"cone", "cone", "", 1, false, false, false},
    {"cone-relaxed", "cone", ", form: relaxed", 1, false, false, true},
    {"cone-poisson", "cone", ", impact: poisson", 1, false, false, false},
    {"event", "event", "", 9, false, false, false},
    {"variational", "variational", ", project: true", 2, true, false, false},
    {"variational-ideal", "variational", ", project: true, when_not_rolling: ideal", 2, true, false, false},
    {"variational-slip", "variational", ", project: true, when_not_rolling: slip", 2, true, false, false},
    {"variational-reduced", "variational", ", project: true, when_not_rolling: ideal, scheme: reduced", 2, true, false,
     false},
    {"variational-rk4", "variational", ", project: true, when_not_rolling: ideal, scheme: rk4", 4, true, false, false},
    {"track", "track", "", 1, false, true, false},
    {"track-hertz", "track", ", normal: hertz", 1, false, true, false},
};
enum { WAYS = sizeof ways / sizeof *ways };

static inline const way *way_named(const char *name) {
    for (int k = 0; k < WAYS; k++)
        if (strcmp(ways[k].name, name) == 0) return &ways[k];
    printf("no way %s\n", name);
    exit(1);
}

/* A scene that is open: its world belongs to `sim`. */
typedef struct opened {
    tru_scene *scene;
    tru_sim *sim;
    tru_world *world;
} opened;

static inline void scene_close(opened *o) {
    tru_sim_free(o->sim);
    tru_scene_free(o->scene);
    *o = (opened){NULL, NULL, NULL};
}

/* False: refused, and err has the sentence. A text that cannot be parsed is a mistake of the generator. */
static inline bool text_open(const char *text, int threads, opened *o, tru_error *err) {
    *err = (tru_error){TRU_OK, ""};
    *o = (opened){NULL, NULL, NULL};
    if (tru_scene_parse(text, strlen(text), "random.yaml", NULL, 0, &o->scene, err) < 0) {
        printf("a random scene cannot be read: %s\n%s", err->text, text);
        exit(1);
    }
    if (tru_sim_create(o->scene, NULL, threads, &o->sim, err) < 0) {
        scene_close(o);
        return false;
    }
    o->world = tru_sim_world(o->sim);
    return true;
}

/* Opens the scene with one way and a step; `more` are further fields of its stepper block, as ", tolerance: 1e-12". */
static inline bool scene_open_with(const random_scene *s, const way *how, double step, const char *more, int threads,
                                   char text[SCENE_ROOM], opened *o, tru_error *err) {
    char block[1000] = "";
    text_add(block, sizeof block, "%s: {step: %.17g s%s%s}", how->stepper, step, how->block, more);
    scene_text(s, block, text);
    return text_open(text, threads, o, err);
}

/* ---- what is measured */

static inline tru_body_state state_of(const tru_world *w, int body) {
    char name[16];
    tru_body_state s;
    tru_error err;
    snprintf(name, sizeof name, "b%d", body);
    if (tru_body_get(w, tru_body_find(w, name), &s, &err) < 0) {
        printf("%s: %s\n", name, err.text);
        exit(1);
    }
    return s;
}

static inline bool vector_finite(tru_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static inline bool world_finite(const tru_world *w) {
    bool good = true;
    for (size_t k = 0; k < tru_body_count(w); k++) {
        tru_body_state s;
        if (tru_body_get(w, tru_body_at(w, k), &s, NULL) < 0) return false;
        good = good && vector_finite(s.position) && vector_finite(s.velocity) && vector_finite(s.angular_velocity) &&
               isfinite(s.orientation.w + s.orientation.x + s.orientation.y + s.orientation.z);
    }
    const tru_ledger l = tru_world_ledger(w);
    return good && isfinite(l.kinetic + l.potential + l.stored);
}

/* The largest entry of a ledger. */
static inline double ledger_largest(const tru_ledger *l) {
    double most = 0.0;
#define LARGEST_ENTRY(name, kind, doc) most = fmax(most, fabs(l->name));
    TRU_LEDGER_LIST(LARGEST_ENTRY)
#undef LARGEST_ENTRY
    return most;
}

/* The energy now, without what contact laws gave and what was added to the start. Newton's restitution with friction may add
 * energy in an impact off the centre, and the ledger says so; that is the law and not the step. Option project of variational
 * starts with another velocity than the scene's, which the ledger's start takes. What falling and sliding downhill have set free
 * is taken off too: bodies have that energy, and the error of a step is held against all that they have. */
static inline double ledger_grown(const tru_ledger *l, const tru_ledger *start) {
    const double lost = l->slide + l->spin + l->roll + l->impact;
    return l->kinetic + l->potential + l->stored + fmin(lost, 0.0) - (l->start - start->start) -
           fmax(start->potential - l->potential, 0.0);
}

/* Velocity of the body's lowest point against the floor, and its size relative to the floor. */
static inline tru_vec3 floor_slip(const random_body *b, const tru_world *w, int body) {
    const tru_body_state s = state_of(w, body);
    random_body now = *b;
    now.attitude = s.orientation;
    tru_vec3 slip = v3_add(s.velocity, v3_cross(s.angular_velocity, body_farthest(&now, v3(0.0, 0.0, -1.0))));
    slip.z = 0.0;
    return slip;
}

/* ---- the book: what ran, what was refused, what is wrong */

/* A violation that is known and not yet fixed: it is counted and listed, but does not fail. */
typedef struct pending_row {
    const char *test, *way; /* way "": any */
    const char *row;        /* of the findings */
} pending_row;

typedef struct book {
    const char *test;
    const pending_row *pending; /* ends with test NULL */
    uint64_t seed, first, scenes, done;
    bool conditional; /* scenes have a precondition, which book_use counts */
    uint64_t used;
    double seconds, begun; /* [s] */
    const char *only;      /* --way */
    long ran[WAYS], refused[WAYS], failed[WAYS], shapes[RANDOM_SHAPES], wrong[WAYS], known[WAYS];
    long printed, prints;
} book;

static inline double clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The text behind `--name=`, or NULL. */
static inline const char *option_text(const char *name) {
    const size_t n = strlen(name);
    for (int i = 1; i < check_state.argc; i++)
        if (strncmp(check_state.argv[i], name, n) == 0 && check_state.argv[i][n] == '=')
            return check_state.argv[i] + n + 1;
    return NULL;
}

static inline double option_number(const char *name, double otherwise) {
    const char *text = option_text(name);
    return text ? strtod(text, NULL) : otherwise;
}

static inline book book_open(const char *test, uint64_t scenes, const pending_row *pending) {
    book b = {.test = test, .pending = pending, .begun = clock_now()};
    b.seed = check_seed();
    b.first = (uint64_t)option_number("--first", 0.0);
    b.seconds = option_number("--seconds", 0.0);
    b.scenes = (uint64_t)option_number("--scenes", (double)scenes * option_number("--times", 1.0));
    b.only = option_text("--way");
    b.prints = check_option("--print") ? 1000 : 1;
    return b;
}

/* The number of the next scene; false after the last one. */
static inline bool book_next(book *b, uint64_t *number) {
    const bool more = b->seconds > 0.0 ? clock_now() - b->begun < b->seconds : b->done < b->scenes;
    *number = b->first + b->done;
    b->done += more;
    return more;
}

/* Counts a scene that meets the precondition of its test. */
static inline void book_use(book *b) {
    b->conditional = true;
    b->used++;
}

static inline bool book_wants(const book *b, const way *how) { return !b->only || strcmp(b->only, how->name) == 0; }

/* Opens a scene for a way, and counts whether it runs or is refused. */
static inline bool book_try(book *b, const random_scene *s, const way *how, double step, const char *more,
                            char text[SCENE_ROOM], opened *o) {
    tru_error err;
    if (!book_wants(b, how)) return false;
    const bool good = scene_open_with(s, how, step, more, 1, text, o, &err);
    if (check_option("--dump")) printf("---- begin of scene\n%s---- end of scene\n", text);
    if (good) b->ran[how - ways]++;
    if (!good) b->refused[how - ways]++;
    if (good && s->body_count > 0) b->shapes[s->bodies[0].shape]++;
    if (!good && check_option("--refusals"))
        printf("%s scene %" PRIu64 ", %s: refused: %s\n", b->test, s->number, how->name, err.text);
    return good;
}

/* Counts a run that ended with a sentence. */
static inline void book_stop(book *b, const random_scene *s, const way *how, const tru_error *err) {
    b->failed[how - ways]++;
    if (check_option("--stops"))
        printf("%s scene %" PRIu64 ", %s: stopped: %s\n", b->test, s->number, how->name, err->text);
}

static inline const char *pending_of(const book *b, const way *how) {
    for (const pending_row *p = b->pending; p && p->test; p++)
        if (strcmp(p->test, b->test) == 0 && (!p->way[0] || strcmp(p->way, how->name) == 0)) return p->row;
    return NULL;
}

/* Counts one check of a scene. A violation prints its number and what is wrong, the first one the scene file too. */
__attribute__((format(printf, 6, 7))) static inline bool
book_check(book *b, bool good, const random_scene *s, const way *how, const char *text, const char *format, ...) {
    if (good) return check(true);
    const char *row = pending_of(b, how);
    char what[600];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    *(row ? &b->known[how - ways] : &b->wrong[how - ways]) += 1;
    printf("%s scene %" PRIu64 ", %s, %s: %s%s%s%s\n", b->test, s->number, how->name,
           random_shape_names[s->bodies[0].shape], what, row ? " (pending " : "", row ? row : "", row ? ")" : "");
    if ((!row || check_option("--print")) && b->printed < b->prints) {
        printf("---- begin of scene\n%s---- end of scene\n", text);
        b->printed++;
    }
    if (!row) check(false);
    return false;
}

static inline void book_close(const book *b) {
    printf("%s: %" PRIu64 " scenes from %" PRIu64 " on, TRU_SEED=%" PRIu64 ", %.1f s\n", b->test, b->done, b->first,
           b->seed, clock_now() - b->begun);
    for (int k = 0; k < WAYS; k++)
        if (b->ran[k] + b->refused[k] > 0)
            printf("  %-20s ran %6ld, refused %6ld, stopped with a sentence %5ld, violations %5ld, pending %5ld\n",
                   ways[k].name, b->ran[k], b->refused[k], b->failed[k], b->wrong[k], b->known[k]);
    if (b->conditional) printf("  %" PRIu64 " scenes meet the precondition\n", b->used);
    if (b->conditional && b->done >= 15 && !check(5 * b->used >= b->done))
        printf("too few scenes meet the precondition\n");
    printf("  by first shape:");
    for (int k = 0; k < RANDOM_SHAPES; k++) printf(" %s %ld", random_shape_names[k], b->shapes[k]);
    printf("\n");
    for (const pending_row *p = b->pending; p && p->test; p++) {
        long hits = 0;
        for (int k = 0; k < WAYS; k++)
            if (!p->way[0] || strcmp(p->way, ways[k].name) == 0) hits += b->known[k];
        if (strcmp(p->test, b->test) == 0 && hits == 0 && !b->only)
            printf("  pending %s %s: no violation in this run\n", p->row, p->way);
    }
}

#endif
