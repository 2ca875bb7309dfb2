/* body.h: bodies and solids, which are shapes on a body.
 *
 * A world may have a million bodies, and steps read all of them. Data that few bodies need are therefore behind pointers. */
#ifndef TRUNDLE_WORLD_BODY_H
#define TRUNDLE_WORLD_BODY_H

#include <trundle/plugin.h>

#include "base/array.h"
#include "math/quat.h"
#include "shapes/placed.h"

/* Inertia of a body whose tensors are not multiples of the unit matrix, in body axes. */
typedef struct body_tensors {
    tru_mat3 inertia; /* [kg m^2] */
    tru_mat3 inverse; /* [1/(kg m^2)] zero unless the body is free */
} body_tensors;

/* Changes of the angular velocity in earlier steps, from which the first guess of the next mean rate follows. */
typedef struct body_gains {
    tru_vec3 last;   /* [rad/s] in the last step; stepper variational: in axes that it chooses */
    tru_vec3 before; /* [rad/s] in the step before it (moreau midpoint) */
} body_gains;

/* A body. Bodies are in the order of their ids. Inertia is about the centre of mass in body axes. */
typedef struct body {
    tru_id id;
    int8_t kind;      /* tru_body_kind */
    bool diagonal;    /* body axes are principal axes */
    bool isotropic;   /* inertia is a multiple of the unit matrix */
    bool belt;        /* driven: the surface moves, the pose does not */
    bool resting;     /* the event of coming to rest was reported */
    bool ball;        /* its only shape is a sphere about its centre of mass */
    bool overlaps;    /* it may overlap others at the start of a run */
    int32_t contacts; /* number of contacts that carry load in this step */
    int32_t joints;   /* number of joints that connect it */
    union {
        tru_body_state state; /* what tru_bodies_view shows: */
        struct {
            tru_vec3 x;    /* [m] centre of mass */
            tru_quat q;    /* [-] unit quaternion, body axes to world */
            tru_vec3 v, w; /* [m/s], [rad/s] in world axes */
        };
    };
    body_gains *gain;      /* owned; NULL: zero (used by moreau and variational) */
    double mass;           /* [kg] */
    double inv_mass;       /* [1/kg] 0 unless the body is free */
    double moment;         /* [kg m^2] first moment of inertia; body_inertia_of gives all of them */
    double inv_moment;     /* [1/(kg m^2)] the same of the inverse; 0 unless the body is free */
    double size;           /* [m] radius about the centre of mass of all bounded shapes */
    body_tensors *tensors; /* owned; NULL: multiples of the unit matrix by moment and inv_moment */
    uint32_t solid_first, solid_count;
} body;
typedef ARRAY(body) body_array;
_Static_assert(offsetof(body, x) == offsetof(body, state.position) &&
                   offsetof(body, q) == offsetof(body, state.orientation) &&
                   offsetof(body, v) == offsetof(body, state.velocity) &&
                   offsetof(body, w) == offsetof(body, state.angular_velocity),
               "the state of a body is its pose and its velocities");

/* The part of a body that a step changes, as it was before the step. Gains are kept elsewhere (body_dynamics). */
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

/* Label of a body with a long name, a centre of mass off its origin, or a level axis. */
typedef struct label_details {
    tru_vec3 centre; /* [m] centre of mass in body axes, from the body's origin */
    tru_vec3 level;  /* [-] unit vector in body axes that stays at right angles to world z; 0: none */
    char name[];
} label_details;

/* Label of a body in 16 bytes. If the last byte is 0, `name` holds all of it; otherwise `details` does. */
#define NAME_SHORT 15
typedef union body_label {
    char name[NAME_SHORT + 1];
    label_details *details;
} body_label;

/* Where a shape is on its body. Equal bodies share one mount, and with it the parameters of the shape. */
typedef struct mount {
    size_t holders; /* number of solids that share it */
    tru_vec3 x;     /* [m] from the centre of mass, body axes */
    tru_quat q;     /* [-] shape axes to body axes */
    double density; /* [kg/m^3] */
} mount;

/* A shape on a body. */
typedef struct solid {
    union {
        placed pose; /* in the world, at the pose of the last trui_find_contacts; it begins with shape and params: */
        struct {
            const tru_shape *shape;
            void *params; /* shared by all holders of the mount */
        };
    };
    mount *at;
    uint32_t body;     /* index */
    int32_t k;         /* index among the shapes of its body */
    uint32_t material; /* index */
    bool centred;      /* its origin is the body's centre of mass */
    bool turned;       /* its axes are not the body's */
    bool ball;         /* it is a sphere about the body's centre of mass */
    double radius;     /* [m] about the shape's origin; 0 if the shape is unbounded */
} solid;
_Static_assert(offsetof(solid, shape) == offsetof(placed, shape) && offsetof(solid, params) == offsetof(placed, params),
               "a solid's shape and parameters are those of its pose");

/* Derives inverse mass and inertia, and whether inertia is diagonal and isotropic, from mass and inertia. TRU_OUT_OF_RANGE if inertia
 * cannot be inverted. A body that is not free has inverses of 0. */
tru_status trui_body_derive(memory *m, body *b, const tru_mat3 *inertia);
/* Releases tensors and gains. */
void trui_body_release(memory *m, body *b);
/* Allocates gains of zero if the body has none; false if there is no memory. */
bool trui_body_make_gains(memory *m, body *b);
/* Finds which shapes of a body, in their final places, are spheres about its centre of mass. */
void trui_body_derive_balls(body *b, solid *solids);
/* Returns an event of the body in its present state; row kind normal, no other body. */
tru_event trui_body_event(const body *b, double time, int kind);
/* Returns the kinetic energy [J]; 0 unless the body is free. */
double trui_body_kinetic(const body *b);

/* Makes a label; false if there is no memory. */
bool trui_label_make(memory *m, body_label *label, const char *text, tru_vec3 centre, tru_vec3 level);
/* Releases a label, which becomes empty. */
void trui_label_release(memory *m, body_label *label);

/* Derives `centred`, `turned` and `radius` from mount and parameters. */
void trui_solid_derive(solid *s);
/* Shares mount and parameters of another solid if they are equal to the bit; releases its own. */
void trui_solid_share(memory *m, solid *s, const solid *other);
/* Copies parameters that may share lists with a user's, and builds what the shape derives from them. After a failure the parameters
 * are unchanged. */
tru_status trui_solid_own(memory *m, solid *s, tru_error *err);
/* Releases mount and parameters unless other solids share them. */
void trui_solid_release(memory *m, solid *s);
/* Releases parameters that no other solid shares. */
void trui_solid_release_params(memory *m, solid *s);

static inline bool body_is_free(const body *b) { return b->kind == TRU_FREE; }
/* Returns the rotation from body axes to world axes. It is computed on demand, so that bodies are short. */
static inline tru_mat3 body_axes(const body *b) { return quat_to_matrix(b->q); }
static inline body_gains body_gains_of(const body *b) {
    return b->gain ? *b->gain : (body_gains){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
}
/* Returns the inertia [kg m^2] in body axes. */
static inline tru_mat3 body_inertia_of(const body *b) {
    return b->tensors ? b->tensors->inertia : m3_diag(v3(b->moment, b->moment, b->moment));
}
/* Returns the inverse of the inertia [1/(kg m^2)] in body axes. */
static inline tru_mat3 body_inverse_of(const body *b) {
    return b->tensors ? b->tensors->inverse : m3_diag(v3(b->inv_moment, b->inv_moment, b->inv_moment));
}
/* Returns a tensor in world axes that is given in body axes. If body axes are principal axes, `a` is diagonal. */
static inline tru_mat3 body_turned(const body *b, tru_mat3 a) {
    if (!b->diagonal) return m3_rotate_sym(body_axes(b), a);
    return m3_rotate_diag(body_axes(b), v3(a.m[0][0], a.m[1][1], a.m[2][2]));
}
/* Returns the part of a body that a step changes. */
static inline body_start body_keep(const body *b) {
    return (body_start){b->x, b->q, b->v, b->w, b->contacts, b->resting};
}
/* Restores that part. */
static inline void body_put_back(body *b, const body_start *at) {
    b->x = at->x;
    b->q = at->q;
    b->v = at->v, b->w = at->w;
    b->contacts = at->contacts;
    b->resting = at->resting;
}

/* Returns the details of a label; NULL if it has a short name and no axes. */
static inline const label_details *label_details_of(const body_label *label) {
    return label->name[NAME_SHORT] ? label->details : NULL;
}
static inline const char *label_name(const body_label *label) {
    const label_details *more = label_details_of(label);
    return more ? more->name : label->name;
}

/* Returns the origin of a solid in the world [m]; x and r are centre of mass and axes of its body. */
static inline tru_vec3 solid_origin(const solid *s, tru_vec3 x, const tru_mat3 *r) {
    return s->centred ? x : v3_add(x, m3_apply(*r, s->at->x));
}
/* Returns the rotation from shape axes to body axes. */
static inline tru_mat3 solid_turn(const solid *s) { return quat_to_matrix(s->at->q); }
/* Returns the rotation from shape axes to world axes; r as above. */
static inline tru_mat3 solid_axes(const solid *s, const tru_mat3 *r) {
    return s->turned ? m3_mul(*r, solid_turn(s)) : *r;
}
/* Returns a solid with its place in the world; x and r as above. */
static inline placed solid_placed(const solid *s, tru_vec3 x, const tru_mat3 *r) {
    return (placed){s->shape, s->params, solid_origin(s, x, r), solid_axes(s, r)};
}
/* Returns a solid with its place in the world on a body. */
static inline placed solid_on(const solid *s, const body *b) {
    const tru_mat3 r = body_axes(b);
    return solid_placed(s, b->x, &r);
}

#endif
