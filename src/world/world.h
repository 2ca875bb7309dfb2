/* world.h: the data of a simulation: bodies, solids (shape instances), pairs, contacts and their history. No behaviour.
 */
#ifndef TRUNDLE_WORLD_WORLD_H
#define TRUNDLE_WORLD_WORLD_H

#include <trundle/plugin.h>

#include "base/arena.h"
#include "base/array.h"
#include "math/quat.h"
#include "parallel/parallel.h"
#include "shapes/placed.h"
#include "world/pair_list.h"

#define NAME_ROOM 64 /* bytes of a body's or material's name */

typedef struct material {
    tru_id id;
    char name[NAME_ROOM];
} material;

/* A law of a pair, with its own copy of the parameters. */
typedef struct pair_law {
    const tru_law *law;
    void *params;
    unsigned claims; /* bits of tru_kind */
    int memory;      /* offset of its doubles in a contact's history */
    int kept;        /* where its work is kept there for the judge, TRU_LAW_WORK doubles; 0: prepared again */
} pair_law;

/* Kinds of rows that carry couples. */
#define PAIR_COUPLES (TRU_KIND_BIT(TRU_KIND_SPIN) | TRU_KIND_BIT(TRU_KIND_ROLL))

/* What happens between two materials. */
typedef struct pair {
    tru_id a, b; /* TRU_NONE both: default */
    pair_law laws[TRU_PAIR_LAWS];
    int law_count;
    unsigned claims; /* of all laws */
    unsigned needs;  /* TRU_NEEDS_* of all laws */
    int history;     /* doubles per contact */
    bool viscous;    /* some law has viscous parts */
    bool pass;       /* bodies pass through each other */
    bool plain;      /* its set is a disc, an interval and a disc, the same in every contact (set by tru_check): */
    double limit[3]; /* [-], [m], [m] of slide, spin, roll */
    double restitution;
    double compliance;
    double damping;         /* [-] ratio to critical damping of a spring and dashpot with this restitution, */
    double damping_pulling; /* and if the dashpot may pull (restitution.h) */
} pair;

/* Inertia and its inverse in body axes where two numbers do not tell them. */
typedef struct body_tensors {
    tru_mat3 inertia; /* [kg m^2] */
    tru_mat3 inverse; /* [1/(kg m^2)] zero unless free */
} body_tensors;

/* Where a body's next mean rate is looked for. */
typedef struct body_gains {
    tru_vec3 last;   /* [rad/s] of w in the last step; stepper variational: in axes of its own */
    tru_vec3 before; /* [rad/s] and in the step before it (moreau midpoint) */
} body_gains;

/* A body's moving part: 64-bit everything, in id order. Inertia about the centre of mass in body axes. */
typedef struct body {
    tru_id id;
    int8_t kind;           /* tru_body_kind */
    bool diagonal;         /* body axes are principal axes */
    bool isotropic;        /* inertia is a multiple of the unit matrix: angular velocity stays in world axes */
    bool belt;             /* driven: the surface moves, the pose does not */
    bool resting;          /* rest was announced */
    bool ball;             /* its only shape is a ball about its centre of mass */
    bool overlaps;         /* it may overlap others at the start */
    int32_t contacts;      /* active now */
    int32_t joints;        /* that it is in */
    tru_vec3 x;            /* [m] centre of mass */
    tru_quat q;            /* [-] body axes to world */
    tru_vec3 v, w;         /* [m/s], [rad/s] world */
    body_gains *gain;      /* its own; NULL: zero, as of a million stones (moreau and variational have them) */
    double mass;           /* [kg] */
    double inv_mass;       /* [1/kg] 0 unless free */
    double moment;         /* [kg m^2] of inertia, the first; the others follow (body_inertia_of) */
    double inv_moment;     /* [1/(kg m^2)] the same of its inverse: 0 unless free */
    double size;           /* [m] radius about the centre of mass of all bounded shapes */
    body_tensors *tensors; /* NULL: multiples of the unit matrix, as of a million stones */
    uint32_t solid_first, solid_count;
} body;

/* What a step changes of a body, as it was before it; but for its gains, which only steps with body_dynamics do. */
typedef struct body_start {
    tru_vec3 x;    /* [m] */
    tru_quat q;    /* [-] */
    tru_vec3 v, w; /* [m/s], [rad/s] */
    int32_t contacts;
    bool resting;
} body_start;

/* Velocities of a body. */
typedef struct twist {
    tru_vec3 v, w; /* [m/s], [rad/s] */
} twist;

/* What is seldom needed of few bodies. */
typedef struct label_details {
    tru_vec3 centre; /* [m] of mass, in body axes from the body's origin */
    tru_vec3 level;  /* [-] unit vector in body axes that stays at right angles to world z; 0: none */
    char name[];
} label_details;

/* What is seldom needed of a body: a name of up to NAME_SHORT bytes, as a million stones have, or where all of it is: then the
 * last byte is not 0. */
#define NAME_SHORT 15
typedef union body_label {
    char name[NAME_SHORT + 1];
    label_details *details;
} body_label;

/* Where a shape is on its body. Bodies that are alike share one, and with it the shape's parameters. */
typedef struct mount {
    size_t holders;
    tru_vec3 x;     /* [m] from the centre of mass, body axes */
    tru_quat q;     /* [-] shape axes to body axes */
    double density; /* [kg/m^3] */
} mount;

/* A shape on a body. */
typedef struct solid {
    union {
        placed pose; /* in the world, where the body was at the last collide; its first two are the solid's: */
        struct {
            const tru_shape *shape;
            void *params; /* its mount's holders have them together */
        };
    };
    mount *at;
    uint32_t body;     /* index */
    int32_t k;         /* k-th of its body */
    uint32_t material; /* index */
    bool centred;      /* its origin is the body's centre of mass */
    bool turned;       /* its axes are not the body's */
    bool ball;         /* about its body's centre of mass */
    double radius;     /* [m] about the shape's origin; 0 for an unbounded one */
} solid;
_Static_assert(offsetof(solid, shape) == offsetof(placed, shape) && offsetof(solid, params) == offsetof(placed, params),
               "a solid's shape and parameters are those of its pose");

/* A factor of time: linear between knots, held outside; no knots: 1. */
typedef struct schedule {
    tru_knot *knots;
    size_t count;
} schedule;

typedef struct load {
    tru_id body;
    bool body_axes;
    tru_vec3 force, torque; /* [N], [N m] */
    schedule schedule;
} load;

typedef struct motion {
    tru_id body;
    tru_vec3 v, w; /* [m/s], [rad/s] */
    schedule schedule;
} motion;

/* Impulses of a joint in an impact before the step (step/jolt.c), about the centres of mass. */
typedef struct joint_jolt {
    tru_vec3 push;           /* [N s] on a */
    tru_vec3 turn_a, turn_b; /* [N m s] on a, on b */
} joint_jolt;

/* A joint between two bodies: where it is on them, and what happened there in the last step. */
typedef struct joint {
    tru_id id;
    char name[NAME_ROOM];
    const tru_joint *type;
    void *params;
    tru_id body_a, body_b;
    size_t a, b; /* body indices */
    bool collide;
    bool accepted;             /* its bodies stood as it wants them when it began */
    tru_vec3 point_a, point_b; /* [m] from the centres of mass, body axes */
    tru_mat3 axes_a, axes_b;   /* [-] its axes in body axes, as columns */
    uint32_t age;              /* steps done */
    int32_t rows;              /* of the last step, with what follows */
    uint32_t left_out;         /* bit k: row k is held by other joints already */
    uint32_t stuck;            /* bit k: row k is not at its limit */
    tru_joint_row row[TRU_JOINT_ROWS];
    tru_vec3 arm;                   /* [m] from a's centre of mass to its point, where the rows acted */
    double impulse[TRU_JOINT_ROWS]; /* [N s], [N m s] */
    double bias[TRU_JOINT_ROWS];    /* [m/s], [rad/s] the row wants rate + bias = 0 */
    double metric[TRU_JOINT_ROWS];  /* [impulse/velocity] rho of the last solve */
    double theta;                   /* [-] 1/2: the rows act on mean rates of the step, 1: on those at its end */
    joint_jolt jolt;                /* of the last step */
} joint;

/* How contacts of two bodies begin, in bits of tru_kind. */
typedef struct start_mode {
    tru_id a, b;
    uint32_t stuck, slipping;
} start_mode;

/* Bodies and solids by index: as they stand in the order of ids, this is also the order of (body A, body B, shape A, shape B,
 * feature). */
typedef struct contact_key {
    uint32_t a, b;
    uint32_t solid_a, solid_b;
    int32_t feature;
} contact_key;

/* apart: looked ahead at, but it carried nothing; relaxed: the law acts in its convex form; node, handed: stepper variational
 * wrote it, or left it to moreau; struck: an impact by Poisson's law went through it, `last` of its impulse is that part */
enum {
    CONTACT_NEW = 1u,
    CONTACT_LANDING = 2u,
    CONTACT_IMPACT = 4u,
    CONTACT_APART = 8u,
    CONTACT_RELAXED = 16u,
    CONTACT_NODE = 32u,
    CONTACT_HANDED = 64u,
    CONTACT_STRUCK = 128u
};
/* tracked: its springs are those of this step; followed: they were of the step before, so increments mean something */
/* known: its end was kept in the step before; still: one of a face's points, neither opening nor closing at the end of the step
 */
/* settled: a body was moved from outside; springs.moved has what moved up to there, springs.record the frame there in world
 * axes (normal in at[0], t1[0], t2[0]; at[1].x, y: roll of B's own surface) */
/* deep: an overlap that cone recovers after the step by moving bodies */
enum {
    CONTACT_TRACKED = 1u << 16,
    CONTACT_FOLLOWED = 1u << 17,
    CONTACT_KNOWN = 1u << 18,
    CONTACT_STILL = 1u << 19,
    CONTACT_SETTLED = 1u << 20,
    CONTACT_DEEP = 1u << 21
};
#define CONTACT_SLIPS 8 /* from this bit on: kinds that a new contact is said to slip in */

/* Frame and arms of a contact at some pose. */
typedef struct contact_place {
    tru_vec3 normal, t1, t2; /* [-] */
    tru_vec3 arm_a, arm_b;   /* [m] */
    double gap;              /* [m] */
} contact_place;

/* Where a contact is on both bodies (A, B) and its frame there, in body axes: what tracking compares with. */
typedef struct track_record {
    tru_vec3 at[2];        /* [m] from the centres of mass */
    tru_vec3 t1[2], t2[2]; /* [-] */
} track_record;

/* Springs of a contact (stepper track): how far A has moved over B, in rows of the frame, since they were slack. What every
 * step reads of the step before stands first; what it tells the judge behind it; what few contacts have comes last. */
typedef struct springs {
    track_record record;
    double stretch[TRU_FRICTION_ROWS]; /* [m], [rad] */
    double overlap;                    /* [m] */
    double stiffness[TRU_KINDS];       /* [N/m], [N m/rad] in the last step */
    double energy[TRU_KINDS];          /* [J] */

    double moved[TRU_FRICTION_ROWS];         /* [m], [rad] of the last step */
    double curvature, curvature_mean;        /* [1/m] as laws see them, */
    double radius_effective, radius_smaller; /* [m] if they ask for them */

    double stretch_b[2]; /* [rad] roll of B, where each body has a spring of its own */
    double couple_b[2];  /* [N m s] roll impulse on B beyond the opposite of A's */
    uint32_t stuck_b;    /* bits of tru_kind: roll of B's own spring sticks */
} springs;

/* What a contact knows of the end of its last step (steppers moreau, event, variational, and cone with Poisson's impacts;
 * else it follows from where the bodies are: trui_contact_now). */
typedef struct contact_end {
    contact_place place;            /* at the end pose */
    double rate[TRU_ROWS];          /* [m/s], [rad/s] W^T u there */
    double last[TRU_ROWS];          /* [N s], [N m s] `dry` of the step before, */
    double older[TRU_ROWS];         /* and of the one before that: where the next one is looked for */
    double slip[3];                 /* [m/s] stepper variational: mean of the step, normal and slide rows */
    double bias[TRU_FRICTION_ROWS]; /* [m/s], [rad/s] of the last step, as `bias` of the contact */
    uint32_t held;                  /* bits of tru_kind that slid and were made to stop in this step (moreau) */
} contact_end;

/* Frame and arms where the laws act, and what else they see that does not follow from it (trui_contact_view). */
typedef struct contact_frame {
    tru_vec3 normal, t1, t2; /* [-] */
    tru_vec3 arm_a, arm_b;   /* [m] */
    double gap;              /* [m] */
    double *memory;          /* its row of history, NULL: its laws have none */
    uint32_t stuck;          /* bits of tru_kind that stuck in the step before */
    int32_t rim_points;      /* active points of the same rim */
} contact_frame;

/* A contact: where it is, and what is kept from step to step (key, frame, impulses, modes; history, end and springs by
 * pointer). A million of them stand side by side, so what few need is elsewhere. Who fills what:
 *   collide          all down to `springs`; zeros behind them
 *   every stepper    stuck, impulse, approach, theta
 *   moreau, cone     dry, bias (cone: of the normal row only), steady; moreau: end; cone with Poisson's impacts: end
 *   track            springs
 *   event            dry, end
 *   variational      all, end; bias holds slip and rate of the last node */
typedef struct contact {
    union {
        contact_key key;
        struct {
            uint32_t a, b; /* body indices */
            uint32_t solid_a, solid_b;
        };
    };
    uint32_t flags; /* CONTACT_* */
    const pair *pair;
    uint32_t stuck;           /* bits of tru_kind after the last solve */
    uint32_t age;             /* steps since it closed */
    tru_vec3 local_a;         /* [m] point on A, shape axes */
    contact_frame c;          /* where the laws act */
    contact_end *end;         /* in w->ends; NULL: none */
    springs *springs;         /* in w->springs, NULL: none; until they are loaded, those of the step before */
    double impulse[TRU_ROWS]; /* [N s], [N m s] with viscous parts */
    double approach;          /* [m/s] closing speed at the start of the step */
    double bias;          /* [m/s] the law acts on theta (W^T u_end + bias); of the normal row, others: contact_bias */
    double dry[TRU_ROWS]; /* [N s], [N m s] set-valued part of the impulse: the warm start */
    float theta;          /* [-] 1/2 or 1 */
    bool steady;          /* the same kinds stuck in the last two steps */
} contact;

typedef ARRAY(body) body_array;
typedef ARRAY(contact) contact_array;
typedef ARRAY(contact_end) contact_end_array;
typedef ARRAY(springs) springs_array;
typedef ARRAY(double) double_array;

/* A contact at the start of a run, before the first step (step/start.c). */
typedef struct start_contact {
    contact_key key;
    tru_contact_info shown;
    double ahead; /* [m] by which its gap is ahead of the true one since the start (stepper cone) */
} start_contact;

#define EVENT_ROOM 4096
typedef struct event_ring {
    tru_event *items; /* EVENT_ROOM of them */
    size_t first, count;
    uint64_t lost;
} event_ring;

/* Names to ids by open addressing; slots hold an id (below 2^48) with the highest bits of its name's hash above it, or 0. */
typedef struct name_table {
    uint64_t *slots;
    size_t room, used; /* room: a power of two */
} name_table;

struct tru_world {
    memory memory;
    tru_vec3 gravity; /* [m/s^2] */
    double overlap;   /* [-] */
    crew threads[1];  /* for its loops */
    tru_id next_id;

    ARRAY(material) materials;
    ARRAY(pair) pairs;
    ARRAY(int32_t) pair_table; /* materials^2 -> index of pair or -1 */
    ARRAY(const tru_law *) own_laws;
    body_array bodies;
    ARRAY(body_label) labels; /* beside bodies */
    ARRAY(solid) solids;      /* in body order */
    ARRAY(load) loads;
    ARRAY(motion) motions;
    ARRAY(joint) joints; /* in id order */
    tru_id next_joint;   /* ids begin at 1; 0: there never was one */
    ARRAY(start_mode) starts;
    name_table names;

    contact_array contacts; /* of the last step, sorted by key */
    contact_array contacts_before;
    contact_end_array ends, ends_before; /* what contacts point to, in their order when they were found */
    springs_array springs, springs_before;
    double_array history, history_before; /* doubles of contacts, history_stride each */
    contact_array contacts_kept;          /* of the start of a step that takes several inner ones, */
    contact_end_array ends_kept;          /* with their ends */
    ARRAY(start_contact) at_start;        /* before the first step and, until its steppers know them, in it; by key */
    bool start_told;                      /* they were announced */
    size_t history_stride;                /* largest pair.history */
    pair_list pair_list;                  /* where contacts are looked for */

    const tru_stepper *stepper;
    void *stepper_params;
    const tru_solver *solver; /* the one its parameters name, if any */
    void *solver_params;
    bool checked;           /* nothing changed since tru_check said yes */
    tru_id overlap_checked; /* bodies with smaller ids have passed the check of overlaps at the start */
    tru_id stepped;         /* bodies with smaller ids have been in a step */
    bool moved;             /* a pose or velocity was set from outside: contact places are not of this pose */

    arena scratch;
    ARRAY(body_start) before; /* bodies before the last step */
    ARRAY(tru_quat) middle;   /* orientation where the laws of the last step acted; empty: before it (body_middle) */
    double time_base;         /* [s] time = time_base + steps_here * step */
    uint64_t steps_here, steps_done;
    double step; /* [s] */
    double
        spring_rate; /* [-] stepper track: stiffness that is not given, in parts of mass / step^2; set by its ready */
    tru_ledger ledger;
    double energy_seen; /* [J] the most that the bodies had at looks of books.c; decides only whether a step fails */
    tru_solve_info solve;
    tru_solve_totals solve_totals; /* since somebody looked */
    event_ring events;
    double (*clock)(void); /* [s] the user's; NULL: nobody wants a profile */
    tru_profile profile;
};

/* world.c */
void trui_world_release(tru_world *w);
double trui_schedule_factor(const schedule *s, double time);
bool trui_schedule_copy(memory *m, schedule *out, const tru_knot *knots, size_t count);
void trui_schedule_release(memory *m, schedule *s);
void trui_pair_release(memory *m, pair *p);
/* The pair of two materials (indices) or the default, NULL if there is none: by search; trui_world_pair needs the table of
 * tru_check. */
const pair *trui_pair_between(const tru_world *w, uint32_t a, uint32_t b);
/* Makes that table; false: no memory. */
bool trui_world_fill_pairs(tru_world *w);
const pair *trui_world_pair(const tru_world *w, const solid *a, const solid *b);
void trui_world_event(tru_world *w, const tru_event *event);
double trui_world_time(const tru_world *w);
/* Something other than a new body: what holds for it has to be checked, and pairs that can touch to be found again. */
static inline void world_changed(tru_world *w) { w->checked = w->pair_list.good = false; }
static inline double world_clock(const tru_world *w) { return w->clock ? w->clock() : 0.0; }
start_mode trui_world_start(const tru_world *w, tru_id a, tru_id b); /* all open, unless this is the first step */
/* [-] Body axes to world: derived where it is needed, so that bodies are short. */
static inline tru_mat3 body_axes(const body *b) { return quat_to_matrix(b->q); }
/* Origin and axes of a solid in the world; x, r: its body's. */
static inline tru_vec3 solid_origin(const solid *s, tru_vec3 x, const tru_mat3 *r) {
    return s->centred ? x : v3_add(x, m3_apply(*r, s->at->x));
}
static inline tru_mat3 solid_turn(const solid *s) { return quat_to_matrix(s->at->q); } /* shape axes to body axes */
static inline tru_mat3 solid_axes(const solid *s, const tru_mat3 *r) {
    return s->turned ? m3_mul(*r, solid_turn(s)) : *r;
}
static inline placed solid_placed(const solid *s, tru_vec3 x, const tru_mat3 *r) {
    return (placed){s->shape, s->params, solid_origin(s, x, r), solid_axes(s, r)};
}
static inline placed solid_on(const solid *s, const body *b) {
    const tru_mat3 r = body_axes(b);
    return solid_placed(s, b->x, &r);
}

/* names.c */
tru_id trui_names_find(const tru_world *w, const char *text);
bool trui_names_add(tru_world *w, const char *text, tru_id id); /* before its body is there; false: no memory */
void trui_names_remove(tru_world *w, size_t k);                 /* that of body k, while it is there */
/* Label of a body; false: no memory. */
bool trui_label_make(memory *m, body_label *label, const char *text, tru_vec3 centre, tru_vec3 level);
void trui_label_release(memory *m, body_label *label);
static inline const label_details *body_more(const tru_world *w, size_t k) { /* NULL: it has a short name and no axes */
    const body_label *label = &w->labels.items[k];
    return label->name[NAME_SHORT] ? label->details : NULL;
}
static inline const char *body_name(const tru_world *w, size_t k) {
    const label_details *more = body_more(w, k);
    return more ? more->name : w->labels.items[k].name;
}
static inline tru_vec3 body_centre(const tru_world *w, size_t k) {
    const label_details *more = body_more(w, k);
    return more ? more->centre : v3_zero();
}
static inline tru_vec3 body_level(const tru_world *w, size_t k) {
    const label_details *more = body_more(w, k);
    return more ? more->level : v3_zero();
}

/* joint.c */
tru_joint_place trui_joint_place(const joint *j, const body *a, const body *b);
/* The rate of a row for velocities of its bodies. */
double trui_joint_rate(const tru_joint_row *r, const twist *a, const twist *b);
static inline bool joint_row_turns(const tru_joint_row *r) { return v3_max_abs(r->lin) == 0.0; }
void trui_joint_release(memory *m, joint *j);
/* Indices of the bodies of all joints, and the bodies' numbers of joints: after either changed. */
void trui_joints_link(tru_world *w);
bool trui_bodies_joined(const tru_world *w, size_t a, size_t b); /* by a joint that keeps them from touching */

/* body.c */
size_t trui_body_index(const tru_world *w, tru_id id); /* SIZE_MAX: none */
/* Inverse mass and inertia and whether it is diagonal, isotropic, from mass and inertia, unless it is not free; out of range:
 * cannot be inverted. */
tru_status trui_body_derive(memory *m, body *b, const tru_mat3 *inertia);
void trui_body_release(memory *m, body *b);    /* what it owns */
bool trui_body_make_gains(memory *m, body *b); /* if it has none: zero; false: no memory */
/* Whether it is centred and turned, and radius, from the mount and parameters. */
void trui_solid_derive(solid *s);
/* Share the mount and parameters of another solid, if they are the same. */
void trui_solid_share(memory *m, solid *s, const solid *other);
/* Which of a body's shapes, in their final places, are balls about its centre of mass. */
void trui_body_derive_balls(body *b, solid *solids);
/* Make parameters that may still share lists with a user's the solid's own, and build what derives from them; on failure
 * they are as before. */
tru_status trui_solid_own(memory *m, solid *s, tru_error *err);
/* Give back mount and parameters, with what they own, unless others hold them. */
void trui_solid_release(memory *m, solid *s);
void trui_solid_release_params(memory *m, solid *s); /* which nobody shares */
/* An event of the body as it is now; row kind normal, no other body. */
tru_event trui_body_event(const body *b, double time, int kind);
double trui_body_kinetic(const body *b);
/* [m/s], [rad/s] Velocities of a driven body. */
void trui_driven_rates(const tru_world *w, const body *b, double time, tru_vec3 *v, tru_vec3 *rate);
double trui_body_potential(const tru_world *w, const body *b);
void trui_world_energy(tru_world *w);                /* fills kinetic and potential of the ledger */
void trui_world_rebase(tru_world *w, double before); /* start += energy now - before */
static inline bool body_is_free(const body *b) { return b->kind == TRU_FREE; }
static inline body_gains body_gains_of(const body *b) {
    return b->gain ? *b->gain : (body_gains){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
}
/* Inertia [kg m^2] and its inverse [1/(kg m^2)] in body axes, */
static inline tru_mat3 body_inertia_of(const body *b) {
    return b->tensors ? b->tensors->inertia : m3_diag(v3(b->moment, b->moment, b->moment));
}
static inline tru_mat3 body_inverse_of(const body *b) {
    return b->tensors ? b->tensors->inverse : m3_diag(v3(b->inv_moment, b->inv_moment, b->inv_moment));
}
/* and in world axes; diagonal where the body says so. */
static inline tru_mat3 body_turned(const body *b, tru_mat3 a) {
    if (!b->diagonal) return m3_rotate_sym(body_axes(b), a);
    return m3_rotate_diag(body_axes(b), v3(a.m[0][0], a.m[1][1], a.m[2][2]));
}
static inline body_start body_keep(const body *b) {
    return (body_start){b->x, b->q, b->v, b->w, b->contacts, b->resting};
}
static inline void body_put_back(body *b, const body_start *at) {
    b->x = at->x;
    b->q = at->q;
    b->v = at->v, b->w = at->w;
    b->contacts = at->contacts;
    b->resting = at->resting;
}
static inline tru_quat body_middle(const tru_world *w, size_t i) {
    return w->middle.count > 0 ? w->middle.items[i] : w->before.items[i].q;
}
/* Body i before the last step. */
static inline body body_before(const tru_world *w, size_t i) {
    body b = w->bodies.items[i];
    body_put_back(&b, &w->before.items[i]);
    return b;
}

#endif
