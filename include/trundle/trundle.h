/* trundle.h: the functions that a program needs to build, step and read a simulation.
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
 * Conventions. Units are SI, angles are in radians, axes are right-handed.
 * A unit in brackets stands behind every real number; [-] is a pure number.
 * Angular velocities are in world axes unless a name ends in _body.
 * Quaternions turn body axes into world axes.
 *
 * Rules for every function.
 * A status of 0 means success, above 0 success with a remark, below 0 failure with an unchanged state.
 * Failures of arguments are TRU_BAD_ARGUMENT, TRU_OUT_OF_RANGE, TRU_UNKNOWN_NAME, TRU_CONFLICT, TRU_REFUSED and TRU_STALE_ID.
 * Every function that allocates may return TRU_NO_MEMORY.
 * Definitions and the texts in them are copied, so the caller may free them after the call.
 * A `world` argument must not be NULL; functions that return a status answer NULL with TRU_BAD_ARGUMENT or TRU_STALE_ID.
 * The exceptions are named: an `out` that receives an id may be NULL, any other `out` must not be.
 * All functions may be called between steps, that is whenever tru_run is not at work on the same world.
 * Threads: one thread at a time may use a world. Different worlds may be used by different threads at once.
 * The library never prints, exits or keeps mutable globals. */
#ifndef TRUNDLE_TRUNDLE_H
#define TRUNDLE_TRUNDLE_H

#include <trundle/types.h>
#include <trundle/params.h>
#include <trundle/joints.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- world */

/* Source of memory for a world. Both functions are required. */
typedef struct tru_allocator {
    /* Grows or shrinks a block and returns its new address, or NULL without memory. A NULL block allocates. */
    void *(*resize)(void *block, size_t old_bytes, size_t new_bytes, void *user);
    /* Frees a block of `bytes` bytes. */
    void (*release)(void *block, size_t bytes, void *user);
    void *user; /* passed to both functions; may be NULL */
} tru_allocator;

/* Definition of a world. */
typedef struct tru_world_def {
    tru_vec3 gravity; /* [m/s^2] acceleration of free fall; default (0, 0, -9.81) */
    double overlap;   /* [-] 0 to 1, deepest overlap at the start per smallest width of the smaller body */
    int32_t threads;  /* 1 to 1024 threads of OpenMP; results do not depend on it */
    const tru_allocator *allocator; /* NULL: malloc and free. Must outlive the world */
} tru_world_def;

/* Returns the default definition of a world. */
TRU_API tru_world_def tru_default_world_def(void);
/* Creates a world and stores it in *out. The caller frees it with tru_world_destroy. On failure *out is NULL.
 * Returns TRU_OK, TRU_BAD_ARGUMENT, TRU_OUT_OF_RANGE or TRU_NO_MEMORY. */
TRU_API tru_status tru_world_create(const tru_world_def *def, tru_world **out, tru_error *err);
/* Destroys a world and everything in it. NULL is allowed. Pointers that calls returned into the world become invalid. */
TRU_API void tru_world_destroy(tru_world *world);
/* Returns the acceleration of free fall [m/s^2]. */
TRU_API tru_vec3 tru_world_gravity(const tru_world *world);
/* Sets the number of threads for later steps. Numbers below 1 are ignored. Results do not depend on it. */
TRU_API void tru_world_set_threads(tru_world *world, int threads);

/* Adds a material with a name that is unique in the world and stores its id in *out. `out` may be NULL.
 * Material 1, "default", exists from the start. Materials cannot be removed.
 * Returns TRU_OK, TRU_BAD_ARGUMENT, TRU_CONFLICT if the name is taken, or TRU_NO_MEMORY. */
TRU_API tru_status tru_material_add(tru_world *world, const char *name, tru_id *out, tru_error *err);

/* Most laws that one pair can have. */
#define TRU_PAIR_LAWS 4

/* Contact behaviour of two materials. Materials have no mixing rule: every touching pair needs a definition or the default. */
typedef struct tru_pair_def {
    tru_id a, b;         /* the two materials; both TRU_NONE: the default for every pair without its own */
    const tru_use *laws; /* each claims the row kinds (slide, spin, roll) whose coefficients are not zero */
    size_t law_count;    /* 0 to TRU_PAIR_LAWS; 0: frictionless */
    double restitution;  /* [-] 0 to 1, separation speed after an impact per approach speed before it */
    double compliance;   /* [m/N] at least 0, overlap per normal force */
    bool pass;           /* true: bodies of these materials pass through each other, and laws are not allowed */
} tru_pair_def;

/* Returns the default definition of a pair: frictionless, without restitution, for all materials. */
TRU_API tru_pair_def tru_default_pair_def(void);
/* Sets or replaces the contact behaviour of two materials.
 * Contacts of this pair lose the memory of their laws; other contacts keep theirs.
 * Returns TRU_CONFLICT if two laws claim one row kind, TRU_UNKNOWN_NAME for an unknown law. */
TRU_API tru_status tru_pair_set(tru_world *world, const tru_pair_def *def, tru_error *err);

/* ---- bodies */

/* How a body moves. */
typedef enum tru_body_kind {
    TRU_FREE,  /* by the equations of motion */
    TRU_FIXED, /* never */
    TRU_DRIVEN /* as tru_motion_set prescribes */
} tru_body_kind;

/* Definition of one shape of a body. */
typedef struct tru_shape_def {
    tru_use shape;        /* shape and its dimensions, as {"sphere", &(tru_sphere){0.1}} */
    tru_id material;      /* material of the surface; TRU_NONE: "default" */
    tru_vec3 position;    /* [m] origin of the shape in body axes */
    tru_quat orientation; /* [-] turns shape axes into body axes; normalised by the call */
    double density;       /* [kg/m^3] at least 0; 0: the shape adds no mass */
} tru_shape_def;

/* Definition of a body. */
typedef struct tru_body_def {
    const char *name;          /* unique, at most 63 bytes; NULL: "body-<id>" */
    int32_t kind;              /* tru_body_kind */
    tru_vec3 position;         /* [m] origin of the body */
    tru_quat orientation;      /* [-] turns body axes into world axes; normalised by the call */
    tru_vec3 velocity;         /* [m/s] of the centre of mass; only for free bodies */
    tru_vec3 angular_velocity; /* [rad/s] world axes; only for free bodies */
    double mass;               /* [kg] above 0; TRU_DERIVED: from the densities of the shapes */
    tru_vec3 centre;           /* [m] centre of mass in body axes; x = TRU_DERIVED: from densities, else the origin */
    tru_vec3 inertia;  /* [kg m^2] xx, yy, zz about the centre of mass, body axes; x = TRU_DERIVED: from shapes */
    tru_vec3 products; /* [kg m^2] xy, xz, yz of the inertia matrix; only together with inertia */
    const tru_shape_def *shapes; /* the shapes of the body; must not be NULL */
    size_t shape_count;          /* number of shapes, at least 1 */
    bool allow_overlap;          /* accept an overlap at the start beyond the world's limit */
    tru_vec3 level;              /* [-] body axis that a frictionless guide keeps at right angles to world z; 0: none */
} tru_body_def;

/* Pose and velocities of a body. */
typedef struct tru_body_state {
    tru_vec3 position;         /* [m] centre of mass */
    tru_quat orientation;      /* [-] turns body axes into world axes */
    tru_vec3 velocity;         /* [m/s] of the centre of mass */
    tru_vec3 angular_velocity; /* [rad/s] world axes */
} tru_body_state;

/* Constant properties of a body. */
typedef struct tru_body_info {
    const char *name;    /* name; valid until a body is added or removed, or a snapshot is loaded */
    int32_t kind;        /* tru_body_kind */
    int32_t shape_count; /* number of shapes */
    double mass;         /* [kg] */
    tru_vec3 centre;     /* [m] centre of mass in body axes, from the body's origin */
    tru_vec3 inertia;    /* [kg m^2] xx, yy, zz about the centre of mass, body axes */
    tru_vec3 products;   /* [kg m^2] xy, xz, yz of the inertia matrix */
    double size;         /* [m] radius of the sphere about the centre of mass that holds all bounded shapes */
} tru_body_info;

/* Returns the default definition of a body: free, at the origin, at rest, without shapes. */
TRU_API tru_body_def tru_default_body_def(void);
/* Returns the default definition of a shape: at the body's origin, of the default material, without density. */
TRU_API tru_shape_def tru_default_shape_def(void);
/* Adds a body and stores its id in *out. `out` may be NULL. The start of the ledger takes the body's energy.
 * Overlaps are checked by the next tru_check, not here.
 * Returns TRU_CONFLICT if the name is taken or the definition contradicts itself, TRU_STALE_ID for an unknown material. */
TRU_API tru_status tru_body_add(tru_world *world, const tru_body_def *def, tru_id *out, tru_error *err);
/* Reserves memory for `bodies` more bodies of one shape each.
 * It also tests that their scratch memory of a step could be had, so that a lack of memory shows here.
 * Returns TRU_OK, TRU_BAD_ARGUMENT or TRU_NO_MEMORY. */
TRU_API tru_status tru_body_reserve(tru_world *world, size_t bodies, tru_error *err);
/* Removes a body with its loads, motion, joints and contacts. The start of the ledger gives back its energy.
 * Returns TRU_OK or TRU_STALE_ID. */
TRU_API tru_status tru_body_remove(tru_world *world, tru_id body, tru_error *err);
/* Returns the number of bodies. */
TRU_API size_t tru_body_count(const tru_world *world);
/* Returns the id of the k-th body in id order, TRU_NONE past the end. */
TRU_API tru_id tru_body_at(const tru_world *world, size_t k);
/* Returns the id of the body with this name, TRU_NONE if there is none or the name is NULL. */
TRU_API tru_id tru_body_find(const tru_world *world, const char *name);
/* Reads pose and velocities of a body. Returns TRU_OK or TRU_STALE_ID. */
TRU_API tru_status tru_body_get(const tru_world *world, tru_id body, tru_body_state *out, tru_error *err);
/* Sets pose and velocities of a body. The start of the ledger takes the difference in energy.
 * A state that equals the present one to the bit changes nothing.
 * A body that is not free can only get zero velocities, or those that it has.
 * Contacts that the next step finds again keep their modes, impulses and memory of laws; others lose them.
 * The stretch of springs (stepper track) does not change by the way to the new pose.
 * Steppers event and variational start again from the new state.
 * Returns TRU_OUT_OF_RANGE for numbers that are not finite, TRU_STALE_ID or TRU_NO_MEMORY.
 * Returns TRU_CONFLICT for a velocity of a body that is not free, or if a joint does not hold the body at the new pose. */
TRU_API tru_status tru_body_set(tru_world *world, tru_id body, const tru_body_state *state, tru_error *err);

/* All bodies of a world as they lie in its memory, in id order: read only, nothing is copied.
 * State k is at (const char *)state + k * stride, id k at (const char *)id + k * stride. Steps change the states in place.
 * The view becomes stale if a body is added or removed, memory is reserved, a snapshot is loaded or the world is destroyed.
 * Reading a stale view is undefined; tru_bodies_check tells. */
typedef struct tru_body_view {
    const tru_body_state *state; /* state of the first body; NULL without bodies */
    const tru_id *id;            /* id of the first body; NULL without bodies */
    size_t stride;               /* bytes from one body to the next */
    size_t count;                /* number of bodies */
    uint64_t generation;         /* the world's when the view was made; it differs after the view became stale */
} tru_body_view;
/* Returns a view of all bodies. */
TRU_API tru_body_view tru_bodies_view(const tru_world *world);
/* Checks that a view may still be read. The world must exist.
 * Returns TRU_OK, TRU_BAD_ARGUMENT, or TRU_STALE_ID if the view is stale or of another world. */
TRU_API tru_status tru_bodies_check(const tru_world *world, const tru_body_view *view, tru_error *err);
/* Copies ids and states of all bodies, in id order and without gaps. `ids` or `out` may be NULL, not both.
 * Each array has place for `room` bodies. Returns TRU_OK, or TRU_BAD_ARGUMENT if that is less than tru_body_count. */
TRU_API tru_status tru_bodies_get(const tru_world *world, tru_id *ids, tru_body_state *out, size_t room,
                                  tru_error *err);
/* Sets `count` bodies as tru_body_set does, all of them or none. `ids` names them.
 * If `ids` is NULL, `states` holds one state for each body of the world, in id order.
 * Joints are checked with all new poses, so that a mechanism can be moved as a whole. Of a body named twice the last state counts.
 * Returns what tru_body_set returns, or TRU_BAD_ARGUMENT for a wrong count. */
TRU_API tru_status tru_bodies_set(tru_world *world, const tru_id *ids, const tru_body_state *states, size_t count,
                                  tru_error *err);
/* Reads the constant properties of a body. Returns TRU_OK or TRU_STALE_ID. */
TRU_API tru_status tru_body_describe(const tru_world *world, tru_id body, tru_body_info *out, tru_error *err);
/* Reads the k-th shape of a body: plug-in name, parameters, pose, material and density.
 * The world owns the parameters; they are valid until the body is removed or a snapshot is loaded.
 * Returns TRU_OK, TRU_STALE_ID, or TRU_BAD_ARGUMENT if the body has fewer shapes. */
TRU_API tru_status tru_body_shape(const tru_world *world, tru_id body, int k, tru_shape_def *out, tru_error *err);

/* ---- loads and motions */

/* One point of a factor that depends on time. */
typedef struct tru_knot {
    double time, factor; /* [s], [-] the factor at this time */
} tru_knot;

/* Definition of a force and a torque on a body. The factor is 1, or linear between knots and constant outside them. */
typedef struct tru_load_def {
    tru_id body;           /* free body that the load acts on */
    bool body_axes;        /* true: force and torque are in body axes and turn with the body; false: world axes */
    tru_vec3 force;        /* [N] at the centre of mass */
    tru_vec3 torque;       /* [N m] */
    const tru_knot *knots; /* factor of time, with increasing times; NULL: constant */
    size_t knot_count;     /* number of knots */
} tru_load_def;

/* Definition of the prescribed motion of a driven body. The factor is as in tru_load_def. */
typedef struct tru_motion_def {
    tru_id body;               /* driven body */
    bool belt;                 /* true: the surface moves with these velocities, and the body keeps its pose */
    tru_vec3 velocity;         /* [m/s] of the centre of mass */
    tru_vec3 angular_velocity; /* [rad/s] world axes */
    const tru_knot *knots;     /* factor of time, with increasing times; NULL: constant */
    size_t knot_count;         /* number of knots */
} tru_motion_def;

/* Returns the default definition of a load: zero, constant, in world axes. */
TRU_API tru_load_def tru_default_load_def(void);
/* Returns the default definition of a motion: zero, constant, not a belt. */
TRU_API tru_motion_def tru_default_motion_def(void);
/* Adds a load to those of a free body and stores its id in *out. `out` may be NULL.
 * The load stays until it or its body is removed. Calls that add, set or remove loads do not make tru_run check the world again.
 * Returns TRU_REFUSED if the body is not free, TRU_STALE_ID if it does not exist. */
TRU_API tru_status tru_load_add(tru_world *world, const tru_load_def *def, tru_id *out, tru_error *err);
/* Sets force [N] and torque [N m] of a load for later steps. Its axes and its factor of time stay. Nothing is allocated.
 * Returns TRU_STALE_ID, or TRU_OUT_OF_RANGE for numbers that are not finite. */
TRU_API tru_status tru_load_set(tru_world *world, tru_id load, tru_vec3 force, tru_vec3 torque, tru_error *err);
/* Removes a load. Returns TRU_OK or TRU_STALE_ID. */
TRU_API tru_status tru_load_remove(tru_world *world, tru_id load, tru_error *err);
/* Returns the number of loads. */
TRU_API size_t tru_load_count(const tru_world *world);
/* Returns the id of the k-th load in the order of creation, TRU_NONE past the end. Ids of loads are not ids of bodies. */
TRU_API tru_id tru_load_at(const tru_world *world, size_t k);
/* Reads a load. Its knots are those of the world, valid until the load is removed or a snapshot is loaded.
 * Returns TRU_OK or TRU_STALE_ID. */
TRU_API tru_status tru_load_get(const tru_world *world, tru_id load, tru_load_def *out, tru_error *err);
/* Sets or replaces the motion of a driven body. The body takes the velocity of the present time at once.
 * The world is not checked again unless the body becomes a belt or stops being one. Without knots, a replacement allocates nothing.
 * Returns TRU_REFUSED if the body is not driven, TRU_STALE_ID if it does not exist. */
TRU_API tru_status tru_motion_set(tru_world *world, const tru_motion_def *def, tru_error *err);

/* Sets how the contacts of two bodies begin. It must be called before the first step.
 * `stuck` and `slips` are bits 1u << tru_kind of slide, spin and roll that stick or slip; the stepper finds the others.
 * A row that sticks holds up to its static limit.
 * Returns TRU_CONFLICT after the first step, TRU_REFUSED if neither body is free, TRU_BAD_ARGUMENT for wrong bits. */
TRU_API tru_status tru_start_set(tru_world *world, tru_id a, tru_id b, uint32_t stuck, uint32_t slips, tru_error *err);

/* ---- stepping */

/* Sets the stepper and its typed parameters; NULL params mean defaults. Contact records and the ledger are kept.
 * Returns TRU_UNKNOWN_NAME for an unknown stepper or solver, TRU_OUT_OF_RANGE for a parameter out of range. */
TRU_API tru_status tru_stepper_set(tru_world *world, const char *name, const void *params, tru_error *err);
/* Checks everything that can be refused before a run, and finds the contacts at the start.
 * tru_run calls it after every change of the world. A world that has not changed since its last check is not checked again.
 * Returns TRU_OK, TRU_REMARK, or a failure such as TRU_REFUSED, TRU_NO_LAW or TRU_OVERLAP. */
TRU_API tru_status tru_check(tru_world *world, tru_error *err);
/* Advances a world by `steps` steps. Returns the most serious status of the check and of all steps.
 * If both left a remark, `err` holds both sentences. On failure the world is as it was before the failing step.
 * Returns TRU_UNCONVERGED if a solver stopped early, TRU_NOT_FINITE or TRU_NO_SOLUTION if a step failed. */
TRU_API tru_status tru_run(tru_world *world, uint64_t steps, tru_error *err);
/* Advances like tru_run, but stops after the first step in which an event happens. tru_steps_done tells how far. */
TRU_API tru_status tru_run_to_event(tru_world *world, uint64_t steps, tru_error *err);
/* Advances `count` different worlds by `steps` steps each, with the same bits as tru_run.
 * Neighbours in the list with the same stepper may share SIMD lanes.
 * `status` and `err` are arrays of `count` elements; neither may be NULL. */
TRU_API void tru_run_many(tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status, tru_error *err);
/* Returns how many worlds with this stepper tru_run_many takes at once; 1 without a gain. */
TRU_API size_t tru_run_lanes(const tru_world *world);
/* Returns the simulated time [s]. */
TRU_API double tru_time(const tru_world *world);
/* Returns the number of steps since the world was created. */
TRU_API uint64_t tru_steps_done(const tru_world *world);
/* Returns the step [s] of the stepper that is set, 0 without one. */
TRU_API double tru_step_size(const tru_world *world);
/* Returns the order of convergence between impacts that the stepper promises for this world; 0 without a stepper. */
TRU_API int tru_step_order(const tru_world *world);

/* ---- contacts */

/* Rows of a contact, always in this order. The impulse of a row acts on A and its opposite on B; n points from B to A. */
enum {
    TRU_ROW_NORMAL, /* along n */
    TRU_ROW_SLIDE1, /* along t1 */
    TRU_ROW_SLIDE2, /* along t2 */
    TRU_ROW_SPIN,   /* about n */
    TRU_ROW_ROLL1,  /* about t1 */
    TRU_ROW_ROLL2,  /* about t2 */
    TRU_ROWS        /* number of rows */
};
/* Kinds of rows. */
typedef enum tru_kind {
    TRU_KIND_NORMAL, /* row TRU_ROW_NORMAL */
    TRU_KIND_SLIDE,  /* rows TRU_ROW_SLIDE1 and TRU_ROW_SLIDE2 */
    TRU_KIND_SPIN,   /* row TRU_ROW_SPIN */
    TRU_KIND_ROLL,   /* rows TRU_ROW_ROLL1 and TRU_ROW_ROLL2 */
    TRU_KINDS        /* number of kinds */
} tru_kind;

/* A contact as it was in the last step.
 *
 * Impulses, frame and arms belong together: they are those of the pose where the laws acted.
 * That pose is the start of the step (cone, track), its middle (moreau) or its end (event, variational).
 * With F = i0 normal + i1 t1 + i2 t2 and C = i3 normal + i4 t1 + i5 t2, the step gave these changes:
 * A got the momentum F and, about its centre of mass, the angular momentum C + arm_a x F.
 * B got the momentum -F and the angular momentum -(C - couple_b[0] t1 - couple_b[1] t2 + arm_b x F).
 * Under event and variational the point travels within the step: F is exact there, the moment of F is not.
 *
 * `point`, `gap` and `velocity` belong to the end of the step for moreau, event, variational and cone with Poisson impacts.
 * For the other steppers they belong to the frame above, carried along by A. */
typedef struct tru_contact_info {
    tru_id body_a, body_b;    /* the two bodies; a fixed body is B, otherwise A has the lower id */
    int32_t shape_a, shape_b; /* index of the shape in its body */
    int32_t feature;          /* stable number of the point within the pair of shapes */
    uint32_t stuck;           /* bit k: rows of kind k stick */
    tru_vec3 normal, t1, t2;  /* [-] right-handed frame; normal points from B to A */
    tru_vec3 arm_a, arm_b;    /* [m] from the centres of mass to the point */
    double impulse[TRU_ROWS]; /* [N s] normal, slide; [N m s] spin, roll: on A, of the last step */
    double couple_b[2]; /* [N m s] roll impulse on B beyond the opposite of A's (track with roll_couple per_body) */
    tru_vec3 point;     /* [m] contact point, world axes */
    double gap;         /* [m] distance of the surfaces; negative: overlap */
    double velocity[TRU_ROWS]; /* [m/s] normal, slide; [rad/s] spin, roll: of A against B at the end of the last step */
} tru_contact_info;

/* Geometry and rates of a contact for the present poses of its bodies. */
typedef struct tru_contact_place {
    tru_vec3 point;            /* [m] contact point, world axes */
    tru_vec3 normal, t1, t2;   /* [-] right-handed frame; normal points from B to A */
    double gap;                /* [m] distance of the surfaces; negative: overlap */
    double velocity[TRU_ROWS]; /* [m/s] normal, slide; [rad/s] spin, roll: of A against B */
} tru_contact_place;

/* Returns the number of contacts of the last step. Before the first step: of those that tru_check found at the start. */
TRU_API size_t tru_contact_count(const tru_world *world);
/* Reads the k-th contact of the last step. Returns TRU_OK, TRU_BAD_ARGUMENT, or TRU_STALE_ID past the end. */
TRU_API tru_status tru_contact_get(const tru_world *world, size_t k, tru_contact_info *out, tru_error *err);
/* Reads all contacts of the last step in the order of tru_contact_get. `out` has place for `room` contacts.
 * Returns TRU_OK, or TRU_BAD_ARGUMENT if that is less than tru_contact_count. */
TRU_API tru_status tru_contacts_get(const tru_world *world, tru_contact_info *out, size_t room, tru_error *err);
/* Reads where the k-th contact is for the present poses.
 * It searches for the point again unless the stepper keeps it. Under track it is where the springs were loaded.
 * Returns TRU_OK, TRU_BAD_ARGUMENT, or TRU_STALE_ID past the end. */
TRU_API tru_status tru_contact_now(const tru_world *world, size_t k, tru_contact_place *out, tru_error *err);

/* ---- energy */

/* Lists the entries of the ledger as X(name, kind, meaning).
 * The balance is kinetic + potential + stored = start + supplied - dissipated + numerical. */
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
/* Energies of a world and their causes. TRU_LEDGER_LIST gives the meaning of each member. */
typedef struct tru_ledger {
#define TRU_LEDGER_ENTRY(name, kind, doc) double name; /* [J] see TRU_LEDGER_LIST */
    TRU_LEDGER_LIST(TRU_LEDGER_ENTRY)
#undef TRU_LEDGER_ENTRY
} tru_ledger;
/* Returns the ledger, with kinetic and potential energy of the present state. */
TRU_API tru_ledger tru_world_ledger(const tru_world *world);
/* Returns (kinetic + potential + stored) - (start + supplied - dissipated + numerical) [J]. It is zero up to round-off. */
TRU_API double tru_ledger_gap(const tru_ledger *ledger);

/* ---- quality of the solution */

/* How well the contact problem of the last step was solved. */
typedef struct tru_solve_info {
    int32_t iterations;         /* iterations of the solver, all sweeps together */
    int32_t single;             /* number of these in single precision (solver ngs) */
    int32_t contacts;           /* active contacts */
    int32_t worst;              /* index of the contact with the largest relative residual; -1 without contacts */
    bool converged;             /* true if the solver reached its tolerance */
    double residual[TRU_KINDS]; /* [m/s] normal, slide; [rad/s] spin, roll: largest residual of each row kind */
    double relative;            /* [-] largest residual relative to the velocity scale of the step */
    double rms, max;            /* [m/s] over contacts, all rows of a contact together, couples times their length */
    double joint, joint_turn;   /* [m/s], [rad/s] largest residuals of the rows of joints */
    double lift;                /* [m/s] relaxed form: largest speed with which slip, roll and spin lift a contact */
    double hop;                 /* [m/s] part of `lift` with which a closed contact separates; it rises by hop^2/2g */
} tru_solve_info;
/* Returns the report of the solver about the last step. */
TRU_API tru_solve_info tru_world_solve_info(const tru_world *world);

/* Reports of the solver accumulated over steps. */
typedef struct tru_solve_totals {
    uint64_t steps, unconverged,
        iterations;             /* steps, steps that stopped before the tolerance, iterations of all steps */
    int32_t most_iterations;    /* most iterations in one step */
    double residual[TRU_KINDS]; /* [m/s] normal, slide; [rad/s] spin, roll: largest of any step */
    double worst_relative;      /* [-] largest relative residual of any step */
    double worst_time;          /* [s] end of the step with the largest relative residual */
    double worst_speed;         /* [m/s] residual of that contact, all its rows together */
    tru_id worst_a, worst_b;    /* bodies of that contact */
    double lift, hop;           /* [m/s] largest of any step, as in tru_solve_info */
    double hop_time;            /* [s] end of the step with the largest hop */
} tru_solve_totals;
/* Returns the totals since the previous call and resets them. Does not affect the simulation. */
TRU_API tru_solve_totals tru_world_solve_take(tru_world *world);

/* Residuals of the last step, computed again from bodies before and after, contacts and impulses alone. */
typedef struct tru_verdict {
    double law[TRU_KINDS];    /* [m/s] normal, slide; [rad/s] spin, roll: largest distance from the contact laws */
    double momentum;          /* [m/s] largest velocity change that neither a force nor an impulse explains */
    double spin;              /* [rad/s] largest change of angular velocity that no torque explains */
    int32_t worst;            /* index of the contact farthest from its law; -1 without contacts */
    double joint, joint_turn; /* [m/s], [rad/s] largest residuals of joints: rows along and rows about an axis */
} tru_verdict;
/* Computes the residuals of the last step independently of the solver.
 * Returns TRU_BAD_ARGUMENT if there was no step since the world was changed. */
TRU_API tru_status tru_judge(const tru_world *world, tru_verdict *out, tru_error *err);

/* ---- events */

/* Lists the kinds of events as X(name, text). */
#define TRU_EVENT_LIST(X)                                                                                              \
    X(TOUCH, "touch")       /* a contact closes */                                                                     \
    X(LIFT, "lift")         /* a contact opens */                                                                      \
    X(SLIP, "slip")         /* a row kind begins to slip */                                                            \
    X(STICK, "stick")       /* a row kind begins to stick */                                                           \
    X(FLAT, "flat")         /* a face lies down on a plane */                                                          \
    X(REST, "rest")         /* a body comes to rest */                                                                 \
    X(CROSS, "cross")       /* slip reaches zero and leaves it at once */                                              \
    X(HANDOVER, "handover") /* another stepper does the rest of the step */
/* Kinds of events. TRU_EVENT_LIST gives the meaning of each value. */
typedef enum tru_event_kind {
#define TRU_EVENT_ENTRY(name, text) TRU_EVENT_##name, /* see TRU_EVENT_LIST */
    TRU_EVENT_LIST(TRU_EVENT_ENTRY)
#undef TRU_EVENT_ENTRY
        TRU_EVENT_KINDS /* number of kinds */
} tru_event_kind;
/* An event and the state of body A when it happened. */
typedef struct tru_event {
    double time;                         /* [s] end of the step, or the time within it if the stepper locates events */
    int32_t kind;                        /* tru_event_kind */
    int32_t row_kind;                    /* tru_kind of a slip or stick */
    tru_id body_a, body_b;               /* the two bodies; body_b is TRU_NONE for rest */
    tru_vec3 position;                   /* [m] centre of mass of body_a */
    double speed;                        /* [m/s] or [rad/s] rate of the row kind, for slip and touch */
    tru_quat orientation;                /* [-] of body_a */
    tru_vec3 velocity, angular_velocity; /* [m/s], [rad/s] of body_a */
    int32_t limit_case;                  /* tru_limit_case (analysis.h) if the stepper knows it, else -1 */
} tru_event;
/* Returns the name of a kind of event as static text, "touch"; "?" for another number. */
TRU_API const char *tru_event_name(int kind);
/* Moves up to `room` of the oldest events to `out` and returns how many.
 * The world keeps the last 4096 events. *lost counts all that were dropped; `lost` may be NULL. */
TRU_API size_t tru_events_take(tru_world *world, tru_event *out, size_t room, uint64_t *lost);

/* ---- state as a whole */

/* Returns a 64-bit hash of everything that influences a later bit of motion or ledger. Equal states have equal hashes.
 *
 * It covers time, poses, velocities, contact records and joints with what the last step left in them.
 * It covers bodies with shapes and names, loads, motions, materials, pairs, laws, the stepper and its parameters.
 * It covers the ledger and the next ids, and ids of loads once a load was removed.
 * It omits events, solver reports, verdicts, timers, threads, results of tru_check, and kinetic and potential energy.
 * It omits what decides only whether a step fails.
 * It is a sum of hashes of these items, each mixed with its id, so the order of storage does not matter.
 * Parameters and ledger entries enter by name where they differ from their default.
 * So a new field, law, joint kind or ledger entry that a world does not use leaves its hash unchanged. */
TRU_API uint64_t tru_state_hash(const tru_world *world);
/* Returns the hash of what moves: time, poses, velocities, contact records, what the last step left in joints.
 * Two runs that move alike to the bit have equal hashes, whatever their laws and steppers are called. */
TRU_API uint64_t tru_motion_hash(const tru_world *world);
/* Returns the size [bytes] of a snapshot of the present state. */
TRU_API size_t tru_snapshot_size(const tru_world *world);
/* Writes a snapshot of the world into a buffer of at least tru_snapshot_size bytes.
 * Returns TRU_BAD_ARGUMENT if the buffer is too small. */
TRU_API tru_status tru_snapshot_save(const tru_world *world, void *buffer, size_t bytes, tru_error *err);
/* Replaces the state of a world by a snapshot. The world must have been built from the same definitions.
 * Bodies may have been added or removed since. The ids of the snapshot are valid afterwards.
 * Returns TRU_DAMAGED if the bytes are not a whole snapshot or belong to other definitions, or TRU_NO_MEMORY. */
TRU_API tru_status tru_snapshot_load(tru_world *world, const void *buffer, size_t bytes, tru_error *err);

#ifdef __cplusplus
}
#endif
#endif
