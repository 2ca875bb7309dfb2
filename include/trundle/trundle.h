/* trundle.h: what users of the Trundle library call; the whole public face of a simulation.
 *
 * A world holds bodies with shapes, materials, and a law for every pair of materials that touches. A stepper moves it.
 *
 *     tru_world_def wd = tru_default_world_def();                  gravity (0, 0, -9.81) m/s^2
 *     tru_world *w;                                                every call: status < 0 failed, state unchanged
 *     tru_world_create(&wd, &w, &err);                             err.text: one sentence; &err may be NULL
 *     tru_coulomb mu = tru_default_coulomb();  mu.slide = 0.3;
 *     tru_use law = {"coulomb", &mu};
 *     tru_pair_def pair = tru_default_pair_def();  pair.laws = &law;  pair.law_count = 1;
 *     tru_pair_set(w, &pair, &err);                                for every pair of materials without its own
 *     tru_body_add(w, &def, &ball, &err);
 *     tru_moreau m = tru_default_moreau();  m.step = 1e-3;
 *     tru_stepper_set(w, "moreau", &m, &err);
 *     tru_run(w, 1000, &err);
 *
 * Conventions: SI units, radians, right-handed axes. A unit in brackets stands behind every real number; [-] is a pure
 * number. Angular velocities are in world axes unless a name ends in _body. Quaternions turn body axes into world axes.
 * Nothing here prints, exits or keeps mutable globals; a world may be used by one thread at a time. */
#ifndef TRUNDLE_TRUNDLE_H
#define TRUNDLE_TRUNDLE_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TRU_API __attribute__((visibility("default")))
#else
#define TRU_API
#endif

/* ---- status and error */

/* Every status: name, value (0 good, > 0 done with a remark, < 0 failed and state unchanged), meaning. Of two that are not
 * failures the larger is the more serious: a run of many steps returns the largest of them. */
#define TRU_STATUS_LIST(X)                                                                                             \
    X(TRU_OK, 0, "done")                                                                                               \
    X(TRU_REMARK, 1, "done, with a remark")                                                                            \
    X(TRU_UNCONVERGED, 2, "done, but the contact solver stopped before it reached its tolerance")                      \
    X(TRU_BAD_ARGUMENT, -1, "an argument is missing or makes no sense")                                                \
    X(TRU_OUT_OF_RANGE, -2, "a value lies outside its allowed range")                                                  \
    X(TRU_UNKNOWN_NAME, -3, "no such plug-in, field or object")                                                        \
    X(TRU_CONFLICT, -4, "two things that were given exclude each other")                                               \
    X(TRU_REFUSED, -5, "the stepper cannot use something that was given")                                              \
    X(TRU_STALE_ID, -6, "the object does not exist (any more)")                                                        \
    X(TRU_OVERLAP, -7, "bodies overlap more than allowed at the start")                                                \
    X(TRU_NO_LAW, -8, "a pair of materials touches but has no law")                                                    \
    X(TRU_NOT_FINITE, -9, "a step produced a number that is not finite")                                               \
    X(TRU_NO_SOLUTION, -10, "the contact problem could not be solved")                                                 \
    X(TRU_NO_MEMORY, -11, "out of memory")                                                                             \
    X(TRU_DAMAGED, -12, "a snapshot is damaged or foreign")                                                            \
    X(TRU_FILE, -13, "a file or folder cannot be read or written")

typedef enum tru_status {
#define TRU_STATUS_ENTRY(name, value, meaning) name = (value),
    TRU_STATUS_LIST(TRU_STATUS_ENTRY)
#undef TRU_STATUS_ENTRY
} tru_status;

/* Owned by the caller. After a call that failed (or left a remark): its status and one sentence. */
typedef struct tru_error {
    tru_status status;
    char text[500];
} tru_error;

/* The meaning of a status as a phrase; never NULL. */
TRU_API const char *tru_status_text(tru_status status);
/* Version of the library, "major.minor.patch". */
TRU_API const char *tru_version(void);

/* ---- values */

typedef struct tru_vec3 {
    double x, y, z; /* [unit of the quantity] */
} tru_vec3;
typedef struct tru_quat {
    double w, x, y, z; /* [-] */
} tru_quat;
typedef struct tru_mat3 {
    double m[3][3]; /* [unit of the quantity] row major */
} tru_mat3;

typedef uint64_t tru_id; /* stable for the life of the world, never reused; ids grow in the order of creation */
#define TRU_NONE ((tru_id)0)

/* "Not given: derive it." Lies outside every range, so it cannot be mistaken for a value; NaN is always an error. */
#define TRU_DERIVED (-DBL_MAX)

/* A plug-in by name, with its parameters: a pointer to its typed struct, or NULL for its defaults. Copied by calls. */
typedef struct tru_use {
    const char *name;
    const void *params;
} tru_use;

/* Typed parameters of the built-in shapes, laws, solvers and steppers, with their defaults. */
#include <trundle/params.h>

/* ---- world */

typedef struct tru_world tru_world;

/* Where memory comes from; all three are needed. resize(NULL, n) allocates; a NULL result means "no". */
typedef struct tru_allocator {
    void *(*resize)(void *block, size_t old_bytes, size_t new_bytes, void *user);
    void (*release)(void *block, size_t bytes, void *user);
    void *user;
} tru_allocator;

typedef struct tru_world_def {
    tru_vec3 gravity;               /* [m/s^2] */
    double overlap;                 /* [-] deepest overlap at the start, in parts of the smaller body's size */
    int32_t threads;                /* >= 1; results do not depend on it */
    const tru_allocator *allocator; /* NULL: malloc and free; must outlive the world */
} tru_world_def;

TRU_API tru_world_def tru_default_world_def(void);
TRU_API tru_status tru_world_create(const tru_world_def *def, tru_world **out, tru_error *err);
TRU_API void tru_world_destroy(tru_world *world);
TRU_API tru_vec3 tru_world_gravity(const tru_world *world); /* [m/s^2] */
TRU_API void tru_world_set_threads(tru_world *world, int threads);

/* Add a named material; names are unique in a world. Material 1, "default", exists from the start. */
TRU_API tru_status tru_material_add(tru_world *world, const char *name, tru_id *out, tru_error *err);

/* What happens where two materials touch. There is no mixing rule: every touching pair needs one, or the default. */
typedef struct tru_pair_def {
    tru_id a, b;         /* materials; both TRU_NONE: the default for every pair without its own */
    const tru_use *laws; /* each claims the row kinds (slide, spin, roll) whose coefficients are not zero */
    size_t law_count;    /* 0 .. TRU_PAIR_LAWS; 0: frictionless */
    double restitution;  /* [-] 0 .. 1 */
    double compliance;   /* [m/N] >= 0 */
    bool pass;           /* bodies of these materials pass through each other, no law is wanted */
} tru_pair_def;
#define TRU_PAIR_LAWS 4

TRU_API tru_pair_def tru_default_pair_def(void);
TRU_API tru_status tru_pair_set(tru_world *world, const tru_pair_def *def, tru_error *err);

/* ---- bodies */

typedef enum tru_body_kind { TRU_FREE, TRU_FIXED, TRU_DRIVEN } tru_body_kind;

typedef struct tru_shape_def {
    tru_use shape;        /* {"sphere", &(tru_sphere){0.1}} */
    tru_id material;      /* TRU_NONE: "default" */
    tru_vec3 position;    /* [m] of the shape's origin in body axes */
    tru_quat orientation; /* [-] shape axes to body axes */
    double density;       /* [kg/m^3] 0: adds no mass */
} tru_shape_def;

typedef struct tru_body_def {
    const char *name;            /* unique; NULL: "body-<id>" */
    int32_t kind;                /* tru_body_kind: free, fixed, driven (moves as its motion says) */
    tru_vec3 position;           /* [m] of the body's origin */
    tru_quat orientation;        /* [-] normalised by the call */
    tru_vec3 velocity;           /* [m/s] of the centre of mass */
    tru_vec3 angular_velocity;   /* [rad/s] world axes */
    double mass;                 /* [kg] TRU_DERIVED: from densities */
    tru_vec3 centre;             /* [m] centre of mass in body axes; derived when mass is, else 0 */
    tru_vec3 inertia;            /* [kg m^2] about the centre, body axes: xx, yy, zz; x = TRU_DERIVED: from shapes */
    tru_vec3 products;           /* [kg m^2] off-diagonal elements xy, xz, yz of the inertia matrix */
    const tru_shape_def *shapes; /* 1 or more */
    size_t shape_count;          /* */
    bool allow_overlap;          /* accept an overlap at the start beyond the world's limit */
    tru_vec3 level;              /* [-] body axis that a guide without friction keeps at right angles to world z, as the
                                    axle of a wheel in a frame; 0: none. Normalised by the call */
} tru_body_def;

typedef struct tru_body_state {
    tru_vec3 position;         /* [m] of the centre of mass */
    tru_quat orientation;      /* [-] */
    tru_vec3 velocity;         /* [m/s] */
    tru_vec3 angular_velocity; /* [rad/s] world axes */
} tru_body_state;

typedef struct tru_body_info {
    const char *name;    /* valid until the next body is added or removed */
    int32_t kind;        /* tru_body_kind */
    int32_t shape_count; /* */
    double mass;         /* [kg] */
    tru_vec3 centre;     /* [m] in body axes, from the body's origin */
    tru_vec3 inertia;    /* [kg m^2] */
    tru_vec3 products;   /* [kg m^2] */
    double size;         /* [m] radius of the sphere about the centre of mass that holds all bounded shapes */
} tru_body_info;

TRU_API tru_body_def tru_default_body_def(void);
TRU_API tru_shape_def tru_default_shape_def(void);
TRU_API tru_status tru_body_add(tru_world *world, const tru_body_def *def, tru_id *out, tru_error *err);
/* Room at once for so many more bodies of one shape each and for what their steps need: memory that is short is so now. */
TRU_API tru_status tru_body_reserve(tru_world *world, size_t bodies, tru_error *err);
TRU_API tru_status tru_body_remove(tru_world *world, tru_id body, tru_error *err);
TRU_API size_t tru_body_count(const tru_world *world);
/* The id of the k-th body in id order, TRU_NONE past the end. */
TRU_API tru_id tru_body_at(const tru_world *world, size_t k);
TRU_API tru_id tru_body_find(const tru_world *world, const char *name);
TRU_API tru_status tru_body_get(const tru_world *world, tru_id body, tru_body_state *out, tru_error *err);
/* Sets pose and velocities; the ledger's start takes the difference. A state that is the body's own to the bit changes nothing.
 * Contacts whose features the next step finds again keep their memory: modes, impulses to start from, memory of laws, and the
 * stretch of springs (stepper track), which neither grows nor shrinks by the way to the new pose. Contacts that are not found
 * again lose it. Steppers event and variational begin again from the new state. */
TRU_API tru_status tru_body_set(tru_world *world, tru_id body, const tru_body_state *state, tru_error *err);
TRU_API tru_status tru_body_describe(const tru_world *world, tru_id body, tru_body_info *out, tru_error *err);
/* The k-th shape of a body: its use (plug-in name, typed parameters, owned by the world), pose, material. */
TRU_API tru_status tru_body_shape(const tru_world *world, tru_id body, int k, tru_shape_def *out, tru_error *err);

/* ---- loads and motions */

typedef struct tru_knot {
    double time, factor; /* [s], [-] */
} tru_knot;

/* Force at the centre of mass and torque on a body, times a factor: 1, or linear between knots and held outside. */
typedef struct tru_load_def {
    tru_id body;
    bool body_axes;        /* force and torque turn with the body */
    tru_vec3 force;        /* [N] */
    tru_vec3 torque;       /* [N m] */
    const tru_knot *knots; /* times increase; NULL: constant */
    size_t knot_count;     /* */
} tru_load_def;

/* Prescribed velocity and rotation of a driven body, times a factor of time. A belt moves its surface, not itself. */
typedef struct tru_motion_def {
    tru_id body;
    bool belt;                 /* */
    tru_vec3 velocity;         /* [m/s] */
    tru_vec3 angular_velocity; /* [rad/s] */
    const tru_knot *knots;     /* */
    size_t knot_count;         /* */
} tru_motion_def;

TRU_API tru_load_def tru_default_load_def(void);
TRU_API tru_motion_def tru_default_motion_def(void);
TRU_API tru_status tru_load_add(tru_world *world, const tru_load_def *def, tru_error *err);
TRU_API tru_status tru_motion_set(tru_world *world, const tru_motion_def *def, tru_error *err);

/* Joints between bodies: hinges, sliders, motors, seals. */
#include <trundle/joints.h>

/* How the contacts of two bodies begin: bits 1u << tru_kind (slide, spin, roll) of what sticks (and so holds up to
 * slide_static) and what slips; the rest is as the stepper finds it. Before the first step. */
TRU_API tru_status tru_start_set(tru_world *world, tru_id a, tru_id b, uint32_t stuck, uint32_t slips, tru_error *err);

/* ---- stepping */

/* Choose the stepper and its parameters (NULL: defaults). Contact records and the ledger are kept. */
TRU_API tru_status tru_stepper_set(tru_world *world, const char *name, const void *params, tru_error *err);
/* Everything that can be refused before a run is refused here; tru_run calls it after every change of the world. */
TRU_API tru_status tru_check(tru_world *world, tru_error *err);
/* Do `steps` steps. Returns the most serious status of the check and of all steps; `err` then holds the sentences of both.
 * On failure the world is as before the failing step. */
TRU_API tru_status tru_run(tru_world *world, uint64_t steps, tru_error *err);
/* The same, but no further than the end of the first step in which an event happens; tru_steps_done tells how far. */
TRU_API tru_status tru_run_to_event(tru_world *world, uint64_t steps, tru_error *err);
/* tru_run of several worlds, with the same bits; equal ones go side by side in SIMD lanes. A status and an error for each. */
TRU_API void tru_run_many(tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status, tru_error *err);
/* How many worlds like this one are best run together by tru_run_many; 1: it does not matter. */
TRU_API size_t tru_run_lanes(const tru_world *world);
TRU_API double tru_time(const tru_world *world); /* [s] */
TRU_API uint64_t tru_steps_done(const tru_world *world);
TRU_API double tru_step_size(const tru_world *world); /* [s] of the stepper that is set, 0 without one */
/* Order of convergence between impacts that the stepper promises for the world as it stands; 0 without one. */
TRU_API int tru_step_order(const tru_world *world);

/* ---- what happened */

/* Contact rows, always in this order; A feels the impulse, B its opposite; n points from B to A. */
enum { TRU_ROW_NORMAL, TRU_ROW_SLIDE1, TRU_ROW_SLIDE2, TRU_ROW_SPIN, TRU_ROW_ROLL1, TRU_ROW_ROLL2, TRU_ROWS };
typedef enum tru_kind { TRU_KIND_NORMAL, TRU_KIND_SLIDE, TRU_KIND_SPIN, TRU_KIND_ROLL, TRU_KINDS } tru_kind;

/* A contact as it was in the last step. Impulses, frame and arms belong together: they are those of the pose where the laws
 * acted, which is the start of the step (cone, track), its middle (moreau) or its end (event, variational). With
 * F = i0 normal + i1 t1 + i2 t2 and C = i3 normal + i4 t1 + i5 t2 the step gave A the momentum F and the angular momentum
 * C + arm_a x F about its centre of mass, and B the momentum -F and the angular momentum
 * -(C - couple_b[0] t1 - couple_b[1] t2 + arm_b x F). Under event and variational the point travels within the step: F is
 * exact there, the moment of F is not. */
typedef struct tru_contact_info {
    tru_id body_a, body_b;    /* */
    int32_t shape_a, shape_b; /* k-th shape of its body */
    int32_t feature;          /* which point of the shape pair; a rim is part of it */
    uint32_t stuck;           /* bit k: row kind k sticks */
    tru_vec3 normal, t1, t2;  /* [-] */
    tru_vec3 arm_a, arm_b;    /* [m] from the centres of mass to the point */
    double impulse[TRU_ROWS]; /* [N s] normal, slide; [N m s] spin, roll: of the last step */
    double couple_b[2];       /* [N m s] roll on B beyond the opposite of A's: stepper track, roll_couple per_body */
    /* At the end of the last step where the stepper keeps that frame (moreau, event, variational, cone with Poisson's
     * impacts); else in the frame above, which moves with A: */
    tru_vec3 point;            /* [m] */
    double gap;                /* [m] < 0: overlap */
    double velocity[TRU_ROWS]; /* [m/s] normal, slide; [rad/s] spin, roll: of the bodies at the end of the last step */
} tru_contact_info;

/* Where a contact is with the bodies as they stand. */
typedef struct tru_contact_place {
    tru_vec3 point;            /* [m] */
    tru_vec3 normal, t1, t2;   /* [-] */
    double gap;                /* [m] < 0: overlap */
    double velocity[TRU_ROWS]; /* [m/s] normal, slide; [rad/s] spin, roll */
} tru_contact_place;

TRU_API size_t tru_contact_count(const tru_world *world);
TRU_API tru_status tru_contact_get(const tru_world *world, size_t k, tru_contact_info *out, tru_error *err);
/* Looks for the contact's point again unless the stepper keeps it; under track it is where the springs were loaded. */
TRU_API tru_status tru_contact_now(const tru_world *world, size_t k, tru_contact_place *out, tru_error *err);

/* Where the energy is and went [J]. kinetic + potential + stored = start + supplied - dissipated + numerical. */
#define TRU_LEDGER_LIST(X)                                                                                             \
    X(kinetic, "energy", "kinetic energy now")                                                                         \
    X(potential, "energy", "potential energy in the uniform gravity now, zero at the origin")                          \
    X(stored, "energy", "elastic energy in contacts now")                                                              \
    X(start, "energy", "total energy when the ledger was opened; adding, removing, setting bodies adds to it")         \
    X(loads, "supplied", "work of loads")                                                                              \
    X(drives, "supplied", "work of driven bodies through contacts and joints")                                         \
    X(motors, "supplied", "work of motors")                                                                            \
    X(slide, "dissipated", "by sliding")                                                                               \
    X(spin, "dissipated", "by spinning")                                                                               \
    X(roll, "dissipated", "by rolling")                                                                                \
    X(impact, "dissipated", "by impacts")                                                                              \
    X(seals, "dissipated", "by seals, and by motors at their limit")                                                   \
    X(theta_shift, "numerical", "laws act, or poses move, at another time than the mean of the step")                  \
    X(gyroscopic, "numerical", "gyroscopic term not at the mean rate of the step")                                     \
    X(projection, "numerical", "poses moved back to the surface")                                                      \
    X(stabilisation, "numerical", "velocity added to recover overlap or to close joints")                              \
    X(lift, "supplied", "normal work of the relaxed form, which raises what slips")                                    \
    X(stiffness, "numerical", "stiffness changed under load")
typedef struct tru_ledger {
#define TRU_LEDGER_ENTRY(name, kind, doc) double name; /* [J] */
    TRU_LEDGER_LIST(TRU_LEDGER_ENTRY)
#undef TRU_LEDGER_ENTRY
} tru_ledger;
TRU_API tru_ledger tru_world_ledger(const tru_world *world);
/* (kinetic + potential + stored) - (start + supplied - dissipated + numerical), zero up to round-off. [J] */
TRU_API double tru_ledger_gap(const tru_ledger *ledger);

/* How well the contact problem of the last step was solved. */
typedef struct tru_solve_info {
    int32_t iterations;         /* of the solver, all sweeps together */
    int32_t single;             /* of these, in single precision (ngs) */
    int32_t contacts;           /* active */
    int32_t worst;              /* index of the contact with the largest relative residual, -1 without contacts */
    bool converged;             /* */
    double residual[TRU_KINDS]; /* largest of each row kind: [m/s] normal, slide; [rad/s] spin, roll */
    double relative;            /* [-] largest, relative to the velocity scale of the step */
    double rms, max;            /* [m/s] over contacts, all rows of a contact together, couples times their length */
    double joint, joint_turn;   /* [m/s], [rad/s] largest of the rows of joints */
    double lift;                /* [m/s] relaxed form: fastest that slip, roll and spin lift a contact, s(u) */
    double hop;                 /* [m/s] of that, what a closed contact really separates with: it flies hop^2/2g high */
} tru_solve_info;
TRU_API tru_solve_info tru_world_solve_info(const tru_world *world);

/* The same over all steps since the last look: looking empties it. Of no influence on later steps. */
typedef struct tru_solve_totals {
    uint64_t steps, unconverged, iterations; /* */
    int32_t most_iterations;                 /* in one step */
    double residual[TRU_KINDS];              /* [m/s] normal, slide; [rad/s] spin, roll: largest of any step */
    double worst_relative;                   /* [-] largest */
    double worst_time;                       /* [s] end of the step that had it */
    double worst_speed;                      /* [m/s] its residual, all rows of a contact together */
    tru_id worst_a, worst_b;                 /* bodies of the contact that had it */
    double lift, hop;                        /* [m/s] largest */
    double hop_time;                         /* [s] end of the step with the largest hop */
} tru_solve_totals;
TRU_API tru_solve_totals tru_world_solve_take(tru_world *world);

/* The judge: residuals of the last step recomputed from bodies before and after, contacts and impulses alone. */
typedef struct tru_verdict {
    double law[TRU_KINDS];    /* [m/s] normal, slide; [rad/s] spin, roll: distance from each contact law, largest */
    double momentum;          /* [m/s] velocity change that no force or impulse explains, largest */
    double spin;              /* [rad/s] angular velocity change that no torque explains, largest */
    int32_t worst;            /* contact farthest from its law, -1 without contacts */
    double joint, joint_turn; /* [m/s], [rad/s] the same for joints: rows along and rows about an axis, largest */
} tru_verdict;
TRU_API tru_status tru_judge(const tru_world *world, tru_verdict *out, tru_error *err);

/* touch: a contact closes; lift: it opens; slip, stick: a row kind begins to; flat: a face lies on a plane; rest;
 * cross: slip reaches zero and leaves again at once; handover: another stepper does the rest of the step. */
#define TRU_EVENT_LIST(X)                                                                                              \
    X(TOUCH, "touch")                                                                                                  \
    X(LIFT, "lift")                                                                                                    \
    X(SLIP, "slip")                                                                                                    \
    X(STICK, "stick")                                                                                                  \
    X(FLAT, "flat")                                                                                                    \
    X(REST, "rest")                                                                                                    \
    X(CROSS, "cross")                                                                                                  \
    X(HANDOVER, "handover")
typedef enum tru_event_kind {
#define TRU_EVENT_ENTRY(name, text) TRU_EVENT_##name,
    TRU_EVENT_LIST(TRU_EVENT_ENTRY)
#undef TRU_EVENT_ENTRY
        TRU_EVENT_KINDS /* how many there are */
} tru_event_kind;
typedef struct tru_event {
    double time;                         /* [s] end of the step, or where within it if the stepper locates events */
    int32_t kind;                        /* tru_event_kind */
    int32_t row_kind;                    /* tru_kind, for slip and stick */
    tru_id body_a, body_b;               /* body_b TRU_NONE for rest */
    tru_vec3 position;                   /* [m] of body_a */
    double speed;                        /* [m/s] or [rad/s] of the row kind, for slip and touch */
    tru_quat orientation;                /* [-] of body_a */
    tru_vec3 velocity, angular_velocity; /* [m/s], [rad/s] of body_a */
    int32_t limit_case;                  /* tru_limit_case (analysis.h) where the stepper knows it, else -1 */
} tru_event;
TRU_API const char *tru_event_name(int kind);
/* Move up to `room` oldest events to `out`, return how many. The world keeps the last 4096; `lost` counts the others. */
TRU_API size_t tru_events_take(tru_world *world, tru_event *out, size_t room, uint64_t *lost);

/* ---- state as a whole */

/* 64-bit hash over everything that influences a later bit of motion or ledger. Equal hashes: equal futures.
 * In it: time, poses, velocities, contact records and joints with what their last step left (frames, impulses, modes, springs,
 * memory of laws), bodies with their shapes and names, loads, motions, materials, pairs and laws, the stepper with its
 * parameters, the ledger, the next ids. Not in it: events, solver reports, verdicts, timers, threads, what tru_check has
 * found, what decides only whether a step fails, kinetic and potential energy (they follow from the bodies).
 * It is a sum of mixed hashes of these items, each with its id: no storage order enters. Parameters and lines of the ledger
 * enter by name where they differ from their default, so a field, law, joint kind or ledger line that a world does not use
 * leaves its hash as it is. */
TRU_API uint64_t tru_state_hash(const tru_world *world);
/* The part of it that moves: time, poses, velocities, contact records, what the last step left in joints; without the ledger
 * and without definitions. Equal for two runs that move alike to the bit, whatever their laws and steppers are called. */
TRU_API uint64_t tru_motion_hash(const tru_world *world);
/* Bytes of a snapshot of the world as it stands; write it with tru_save into a buffer of that size. */
TRU_API size_t tru_save_size(const tru_world *world);
TRU_API tru_status tru_save(const tru_world *world, void *buffer, size_t bytes, tru_error *err);
/* Replace the state of a world that was built from the same definitions; bodies may have come and gone since. */
TRU_API tru_status tru_load(tru_world *world, const void *buffer, size_t bytes, tru_error *err);

#ifdef __cplusplus
}
#endif
#endif
