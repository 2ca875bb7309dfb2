/* plugin.h: what plug-ins provide and what reads them: units, field tables, descriptors of shapes, laws,
 * solvers, steppers.
 *
 * A plug-in is one file with one const descriptor, and the descriptor carries a field table: name, type,
 * unit, default, range and a sentence for every parameter, with its offset in a typed struct. Scene files,
 * `--set`, `trundle list`, range errors, snapshots and reference pages all read that table. A user's own law
 * is registered with tru_law_register. */
#ifndef TRUNDLE_PLUGIN_H
#define TRUNDLE_PLUGIN_H

#include <trundle/trundle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- units */

/* Every unit a field can have: symbol and powers of kg, m, s. Radians count as pure numbers but keep their
 * name. */
#define TRU_UNIT_LIST(X)                                                                                               \
    X(TRU_UNIT_MISSING, "?", 0, 0, 0)                                                                                  \
    X(TRU_UNIT_ONE, "-", 0, 0, 0)                                                                                      \
    X(TRU_UNIT_RAD, "rad", 0, 0, 0)                                                                                    \
    X(TRU_UNIT_M, "m", 0, 1, 0)                                                                                        \
    X(TRU_UNIT_KG, "kg", 1, 0, 0)                                                                                      \
    X(TRU_UNIT_S, "s", 0, 0, 1)                                                                                        \
    X(TRU_UNIT_M_PER_S, "m/s", 0, 1, -1)                                                                               \
    X(TRU_UNIT_M_PER_S2, "m/s^2", 0, 1, -2)                                                                            \
    X(TRU_UNIT_RAD_PER_S, "rad/s", 0, 0, -1)                                                                           \
    X(TRU_UNIT_RAD_PER_S2, "rad/s^2", 0, 0, -2)                                                                        \
    X(TRU_UNIT_PER_S, "1/s", 0, 0, -1)                                                                                 \
    X(TRU_UNIT_PER_M, "1/m", 0, -1, 0)                                                                                 \
    X(TRU_UNIT_KG_PER_M3, "kg/m^3", 1, -3, 0)                                                                          \
    X(TRU_UNIT_KG_M2, "kg m^2", 1, 2, 0)                                                                               \
    X(TRU_UNIT_KG_PER_S, "kg/s", 1, 0, -1)                                                                             \
    X(TRU_UNIT_N, "N", 1, 1, -2)                                                                                       \
    X(TRU_UNIT_NM, "N m", 1, 2, -2)                                                                                    \
    X(TRU_UNIT_NS, "N s", 1, 1, -1)                                                                                    \
    X(TRU_UNIT_NMS, "N m s", 1, 2, -1)                                                                                 \
    X(TRU_UNIT_N_PER_M, "N/m", 1, 0, -2)                                                                               \
    X(TRU_UNIT_NM_PER_RAD, "N m/rad", 1, 2, -2)                                                                        \
    X(TRU_UNIT_M_PER_N, "m/N", -1, 0, 2)                                                                               \
    X(TRU_UNIT_PA, "Pa", 1, -1, -2)                                                                                    \
    X(TRU_UNIT_J, "J", 1, 2, -2)                                                                                       \
    X(TRU_UNIT_W, "W", 1, 2, -3)                                                                                       \
    X(TRU_UNIT_PER_KG, "1/kg", -1, 0, 0)
typedef enum tru_unit {
#define TRU_UNIT_ENTRY(name, symbol, kg, m, s) name,
    TRU_UNIT_LIST(TRU_UNIT_ENTRY)
#undef TRU_UNIT_ENTRY
        TRU_UNIT_COUNT
} tru_unit;

typedef struct tru_unit_info {
    const char *symbol;
    int kg, m, s; /* powers */
} tru_unit_info;
TRU_API tru_unit_info tru_unit_describe(tru_unit unit);
/* Read a unit as people write it ("mm", "deg", "kN", "g/cm^3", "rpm", "1/s", "N*m", "m s^-2"): its scale to
 * SI and its powers. True if every part is known. */
TRU_API bool tru_unit_parse(const char *text, double *scale, tru_unit_info *powers, bool *is_angle);
/* A unit whose powers need not be whole. */
typedef struct tru_unit_measure {
    double scale;    /* [-] SI units in it */
    double kg, m, s; /* [-] powers, at most TRU_UNIT_LARGEST_POWER in size */
    bool is_angle;
} tru_unit_measure;
enum { TRU_UNIT_LARGEST_POWER = 1000 };
/* Reads what tru_unit_parse reads, and powers such as "m^0.5" of units whose scale is 1. */
TRU_API bool tru_unit_read(const char *text, tru_unit_measure *out);
/* value * scale [unit], rounded once where the scale is a power of ten: 45 mm is 0.045 m to the last bit. */
TRU_API double tru_unit_to_si(double value, double scale);
/* Write a value [unit] with its symbol, "0.3 m", in the fewest digits that read back; no symbol for pure numbers. */
TRU_API void tru_unit_format(tru_unit unit, double value, char *out, size_t room);

/* ---- field tables */

typedef enum tru_field_type {
    TRU_FIELD_REAL,        /* double */
    TRU_FIELD_INTEGER,     /* int32_t */
    TRU_FIELD_BOOLEAN,     /* bool */
    TRU_FIELD_VEC3,        /* tru_vec3; default and range hold for each component */
    TRU_FIELD_QUATERNION,  /* tru_quat; default identity */
    TRU_FIELD_CHOICE,      /* int32_t, index into `words` ("midpoint|paper") */
    TRU_FIELD_TEXT,        /* const char * */
    TRU_FIELD_REFERENCE,   /* tru_id of an object of the kind named in `words` ("body", "material") */
    TRU_FIELD_PLUGIN,      /* tru_use of a plug-in of the kind named in `words` ("solver"), default name in `text`
                            */
    TRU_FIELD_LIST,        /* tru_list of structs described by `block` */
    TRU_FIELD_ALTERNATIVE, /* a real of this unit at the start of a struct, or a block of the fields in
                              `block` */
} tru_field_type;

typedef struct tru_list {
    const void *items;
    size_t count;
} tru_list;

#define TRU_REQUIRED  DBL_MAX /* as default: must be given */
#define TRU_UNBOUNDED DBL_MAX /* as highest (or, negative, as lowest) */

typedef struct tru_field {
    const char *name;              /* NULL ends a table */
    tru_field_type type;           /* */
    tru_unit unit;                 /* of real, vec3, alternative; of a list of plain reals too */
    double default_value;          /* [unit] default; TRU_DERIVED or TRU_REQUIRED */
    double lowest, highest;        /* [unit] allowed range, ends included */
    bool lowest_excluded;          /* the lowest value itself is not allowed */
    bool unit_required;            /* scenes must write its unit: a bare number could mean another one */
    const char *doc;               /* one sentence */
    size_t offset;                 /* in the typed struct */
    const char *words;             /* choices, or the kind a reference or plug-in names */
    const char *text;              /* default of a text or plug-in field */
    const struct tru_field *block; /* fields of a list's item or of an alternative's block */
    size_t block_size;             /* sizeof the struct that `block` describes */
} tru_field;

/* Entries of a field table, one line per field:
 *
 *     typedef struct wear {
 *         double fresh;    // [-] coefficient of fresh surfaces
 *         double distance; // [m] sliding distance after which they are worn
 *     } wear;
 *     static const tru_field fields[] = {
 *         TRU_REAL(wear, fresh, TRU_UNIT_ONE, TRU_REQUIRED, TRU_FROM_ZERO, "Coefficient of fresh surfaces."),
 *         TRU_REAL(wear, distance, TRU_UNIT_M, 1.0, TRU_POSITIVE, "Sliding distance after which they are worn."),
 *         {0},
 *     };
 *     TRU_DEFAULTS(wear, default_wear, fields) // wear default_wear(void)
 *
 * `type` is the typed struct and `member` the field's member in it, which gives the field its name. A member of another
 * C type than the entry says does not compile. Every member needs an entry: members without one are not copied. */

/* Ranges of TRU_REAL, TRU_INTEGER, TRU_VEC3, TRU_REALS and TRU_ALTERNATIVE. */
#define TRU_ANY                    -TRU_UNBOUNDED, TRU_UNBOUNDED, false
#define TRU_FROM_ZERO              0.0, TRU_UNBOUNDED, false
#define TRU_POSITIVE               0.0, TRU_UNBOUNDED, true
#define TRU_RANGE(lowest, highest) lowest, highest, false /* ends included */
#define TRU_ABOVE(lowest, highest) lowest, highest, true  /* the lowest value itself is not allowed */

/* What these macros are made of, in the order of tru_field. */
#define TRU_NO_RANGE 0.0, 0.0, false
#define TRU_ENTRY(...)                                                                                                 \
    { __VA_ARGS__ }
#define TRU_PLAIN_ENTRY(...)                                                                                           \
    { __VA_ARGS__, NULL, NULL, NULL, 0 }

/* The offset of a member of the C type `of`; a member of another type does not compile (C++ does not look at lists). */
#ifdef __cplusplus
#define TRU_OFFSET(type, member, of)        (offsetof(type, member) + 0 * sizeof(true ? &((type *)0)->member : (of *)0))
#define TRU_OFFSET_LIST(type, member, item) offsetof(type, member)
#else
#define TRU_OFFSET(type, member, of) _Generic(((type *)0)->member, of : offsetof(type, member))
#define TRU_OFFSET_LIST(type, member, item)                                                                            \
    _Generic(((type *)0)->member, tru_list : offsetof(type, member), const item * : offsetof(type, member))
#endif

/* double */
#define TRU_REAL(type, member, unit, default_value, range, doc)                                                        \
    TRU_PLAIN_ENTRY(#member, TRU_FIELD_REAL, unit, default_value, range, false, doc, TRU_OFFSET(type, member, double))
/* double whose unit scenes must write: a bare number could mean another one */
#define TRU_REAL_WITH_UNIT(type, member, unit, default_value, range, doc)                                              \
    TRU_PLAIN_ENTRY(#member, TRU_FIELD_REAL, unit, default_value, range, true, doc, TRU_OFFSET(type, member, double))
/* int32_t */
#define TRU_INTEGER(type, member, default_value, range, doc)                                                           \
    TRU_PLAIN_ENTRY(#member, TRU_FIELD_INTEGER, TRU_UNIT_MISSING, default_value, range, false, doc,                    \
                    TRU_OFFSET(type, member, int32_t))
/* bool */
#define TRU_BOOLEAN(type, member, default_value, doc)                                                                  \
    TRU_PLAIN_ENTRY(#member, TRU_FIELD_BOOLEAN, TRU_UNIT_MISSING, default_value, TRU_NO_RANGE, false, doc,             \
                    TRU_OFFSET(type, member, bool))
/* tru_vec3 */
#define TRU_VEC3(type, member, unit, default_value, range, doc)                                                        \
    TRU_PLAIN_ENTRY(#member, TRU_FIELD_VEC3, unit, default_value, range, false, doc, TRU_OFFSET(type, member, tru_vec3))
/* tru_quat, identity by default */
#define TRU_QUATERNION(type, member, doc)                                                                              \
    TRU_PLAIN_ENTRY(#member, TRU_FIELD_QUATERNION, TRU_UNIT_ONE, 0.0, TRU_NO_RANGE, false, doc,                        \
                    TRU_OFFSET(type, member, tru_quat))
/* int32_t, an index into `words` ("midpoint|paper") */
#define TRU_CHOICE(type, member, words, default_value, doc)                                                            \
    TRU_ENTRY(#member, TRU_FIELD_CHOICE, TRU_UNIT_MISSING, default_value, TRU_NO_RANGE, false, doc,                    \
              TRU_OFFSET(type, member, int32_t), words, NULL, NULL, 0)
/* const char *, `text` (or NULL) by default */
#define TRU_TEXT(type, member, text, doc)                                                                              \
    TRU_ENTRY(#member, TRU_FIELD_TEXT, TRU_UNIT_MISSING, 0.0, TRU_NO_RANGE, false, doc,                                \
              TRU_OFFSET(type, member, const char *), NULL, text, NULL, 0)
/* tru_id of an object of a kind ("body", "material"); default_value: 0 (none) or TRU_REQUIRED */
#define TRU_REFERENCE(type, member, kind, default_value, doc)                                                          \
    TRU_ENTRY(#member, TRU_FIELD_REFERENCE, TRU_UNIT_MISSING, default_value, TRU_NO_RANGE, false, doc,                 \
              TRU_OFFSET(type, member, tru_id), kind, NULL, NULL, 0)
/* tru_use of a plug-in of a kind ("solver"); default_value: 0, which is the plug-in `name` (or NULL), or TRU_REQUIRED */
#define TRU_PLUGIN(type, member, kind, default_value, name, doc)                                                       \
    TRU_ENTRY(#member, TRU_FIELD_PLUGIN, TRU_UNIT_MISSING, default_value, TRU_NO_RANGE, false, doc,                    \
              TRU_OFFSET(type, member, tru_use), kind, name, NULL, 0)
/* tru_list, or `const item *` with a size_t behind it, of structs `item` that the table `fields` describes */
#define TRU_LIST(type, member, unit, default_value, item, fields, doc)                                                 \
    TRU_ENTRY(#member, TRU_FIELD_LIST, unit, default_value, TRU_NO_RANGE, false, doc,                                  \
              TRU_OFFSET_LIST(type, member, item), NULL, NULL, fields, sizeof(item))
/* The same of plain reals. */
#define TRU_REALS(type, member, unit, default_value, range, doc)                                                       \
    TRU_PLAIN_ENTRY(#member, TRU_FIELD_LIST, unit, default_value, range, false, doc,                                   \
                    TRU_OFFSET_LIST(type, member, double))
/* A struct `of` that begins with a double: that real, with its unit in scenes, or a block of the fields in `fields` */
#define TRU_ALTERNATIVE(type, member, unit, default_value, range, of, fields, doc)                                     \
    TRU_ENTRY(#member, TRU_FIELD_ALTERNATIVE, unit, default_value, range, true, doc, TRU_OFFSET(type, member, of),     \
              NULL, NULL, fields, sizeof(of))

/* Defines `type function(void)`, which returns a struct with the defaults of its table and zeros in all other members. */
#define TRU_DEFAULTS(type, function, fields)                                                                           \
    type function(void) {                                                                                              \
        type params = {0};                                                                                             \
        tru_fields_defaults(fields, &params);                                                                          \
        return params;                                                                                                 \
    }

/* Fill a typed struct with the defaults of its table (required fields get TRU_DERIVED). */
TRU_API void tru_fields_defaults(const tru_field *fields, void *params);
/* Range check of a typed struct; `what` names the object in the sentence ("law coulomb", "body 'ball'"). */
TRU_API tru_status tru_fields_check(const tru_field *fields, const void *params, const char *what, tru_error *err);
TRU_API const tru_field *tru_field_find(const tru_field *fields, const char *name);
/* The entry of names[0..count-1] most like `name`, or NULL if none comes near. */
TRU_API const char *tru_nearest_name(const char *name, const char *const *names, size_t count);
/* Multiply every real by kg^.. m^.. s^.. of its unit: the same parameters in another system of units. */
TRU_API void tru_fields_rescale(const tru_field *fields, void *params, double kg, double m, double s);

/* Tables of the world's own definitions (body, shape, pair, joint, load, motion, world), NULL for an unknown name.
 */
TRU_API const tru_field *tru_def_fields(const char *def);

/* ---- shapes */

/* Where the outward normal is a given direction: support point and second derivative of the support function.
 */
typedef struct tru_surface {
    tru_vec3 point;   /* [m] in shape axes */
    tru_mat3 hessian; /* [m] of h(direction), shape axes; its tangential part is the inverse of the curvature */
} tru_surface;

typedef struct tru_mass {
    double mass;       /* [kg] */
    tru_vec3 centre;   /* [m] in shape axes */
    tru_vec3 inertia;  /* [kg m^2] about the centre: xx, yy, zz */
    tru_vec3 products; /* [kg m^2] xy, xz, yz */
} tru_mass;

enum { TRU_TOUCH_LANDING = 1u }; /* the shape passed through lying flat: all its points of this touch are active */
#define TRU_TOUCHES    8
#define TRU_RIM_POINTS 3 /* feature / 3 is the rim it belongs to */

typedef struct tru_touch {
    tru_vec3 point;  /* [m] on the shape, shape axes */
    int32_t feature; /* stable name of the point */
    uint32_t flags;  /* TRU_TOUCH_* */
} tru_touch;

typedef struct tru_shape {
    const char *name, *doc;
    const tru_field *fields;
    size_t size;
    tru_status (*check)(const void *params, tru_error *err); /* cross-field check, may be NULL */
    /* Make what is derived from parameters that were checked (the faces of a hull), in a world that owns them, and give it
     * back; both NULL: nothing is. Of the functions below only `radius` works before. */
    tru_status (*build)(void *params, const tru_allocator *allocator, tru_error *err);
    void (*unbuild)(void *params, const tru_allocator *allocator);
    bool bounded;                         /* false: fills a half space */
    double (*radius)(const void *params); /* [m] of the sphere about the origin that holds it */
    double (*extent)(const void *params); /* [m] smallest width: "size" in overlap errors */
    void (*mass)(const void *params, double density, tru_mass *out);
    bool (*gyration)(const void *params,
                     tru_vec3 *out); /* [m^2] inertia per mass if it has no volume; false, NULL: it has */
    void (*surface)(const void *params, tru_vec3 direction, tru_surface *out); /* direction: unit, shape axes */
    /* Points that can touch a plane with normal `up` (unit, shape axes, towards the shape). `before`: the
     * touches of the last step (shape axes). NULL: the single support point. */
    int (*touch_plane)(const void *params, tru_vec3 up, const tru_touch *before, int before_count, tru_touch *out);
} tru_shape;

/* ---- laws */

/* A contact as a law sees it. Rows 1-2 slide along t1, t2; 3 spins about n; 4-5 roll about t1, t2. */
typedef struct tru_contact {
    tru_vec3 point;          /* [m] */
    tru_vec3 normal, t1, t2; /* [-] right-handed; n points from B to A */
    tru_vec3 arm_a, arm_b;   /* [m] from the centres of mass to the point */
    double gap;              /* [m] */
    double lever[2][2];      /* [m] roll rate about (t1, t2) -> speed of the contact point over the surfaces along
                                (t1, t2) */
    double
        radius_effective; /* [m] 2 / trace of the summed curvatures; at an edge or corner of the round body alone, or 0 */
    double radius_smaller; /* [m] smaller of the two shapes' radii, or that of the only round one */
    double step;           /* [s] */
    uint32_t stuck;        /* bit k: row kind k stuck in the last step */
    int32_t rim_points;    /* active points of the same rim (features of rim k: TRU_RIM_POINTS k ...), else 1 */
    double *memory;        /* [unit of the law] its history here, `history` doubles, zero at first touch */
    double curvature;      /* [1/m] stepper track: both surfaces' along the way it rolled; 0 where it has none */
    double curvature_mean; /* [1/m] the same, mean over all directions */
} tru_contact;

#define TRU_LAW_WORK      8
#define TRU_FRICTION_ROWS 5

/* Project friction rows x onto p_n C in the metric: minimise sum over kinds |y - x|^2 / metric[kind]. */
typedef struct tru_section {
    double normal;        /* [N s] p_n >= 0 */
    double slip;          /* [m/s] slide speed of the present iterate, for coefficients that depend on it */
    const double *metric; /* [impulse/velocity of its kind] TRU_KINDS scalars */
    const double *x;      /* [impulse] TRU_FRICTION_ROWS: slide 2, spin, roll 2 */
    double *y;            /* [impulse] out, claimed rows only */
    uint32_t stuck;       /* out, or-ed: bits of claimed kinds whose x lies in a set that is more than zero, to 1e-9 */
    double *dx;           /* [-] out or NULL: dy/dx, TRU_FRICTION_ROWS^2 row major, claimed rows and columns only */
    double *dn;           /* [-] out or NULL: dy/dp_n, claimed rows only */
} tru_section;

enum { TRU_NEEDS_LEVER = 1u, TRU_NEEDS_RADIUS = 2u, TRU_NEEDS_CURVATURE = 4u };
#define TRU_KIND_BIT(kind) (1u << (kind))

/* Where springs that stand for a law give way (stepper track), each while it slips and while it sticks. */
typedef struct tru_caps {
    double slide, slide_static;  /* [-] force per normal force */
    double spin, spin_static;    /* [m] couple per normal force */
    double roll, roll_static;    /* [m] */
    double spin_area, roll_area; /* [m^2] stiffness per stiffness of the slide spring; 0: the stepper's choice */
    double spin_viscosity, roll_viscosity; /* [N m s] */
    double modulus;                        /* [Pa] effective, of the pair; 0: unknown */
    unsigned by_rates;       /* bits of kinds whose springs stretch by rates, limited together with their dashpots */
    unsigned without_spring; /* bits of kinds that are the limit itself, against the rate */
} tru_caps;

typedef struct tru_law {
    const char *name, *doc;
    const tru_field *fields;
    size_t size;
    int history; /* doubles of memory per contact, kept from step to step and in snapshots */
    tru_status (*check)(const void *params, tru_error *err);
    unsigned (*claims)(const void *params); /* bits of row kinds with a coefficient */
    unsigned (*needs)(const void *params);  /* TRU_NEEDS_*: geometry beyond frame and arms; NULL: none */
    /* Once per step and contact: turn parameters and geometry into what the other functions need. */
    void (*prepare)(const void *params, const tru_contact *contact, double work[TRU_LAW_WORK]);
    void (*section)(const double work[TRU_LAW_WORK], double *memory, tru_section *s); /* memory NULL: cold start */
    /* Largest power per normal impulse the law can oppose to rates u (friction rows): max over C of -c.u.
     * [m/s] */
    double (*support)(const double work[TRU_LAW_WORK], const double u[TRU_FRICTION_ROWS]);
    /* Add the viscous force per rate of the friction rows, symmetric TRU_FRICTION_ROWS^2; NULL: none. [kg/s], [N m s] */
    void (*viscosity)(const double work[TRU_LAW_WORK], double *d);
    /* A boundary point of C per unit normal impulse, for pictures; angle [rad] runs once round the claimed
     * rows. */
    void (*boundary)(const double work[TRU_LAW_WORK], double angle, double y[TRU_FRICTION_ROWS]);
    /* After a solve: given which row kinds stick now, does the set itself change, so that it must be solved again?
     * NULL: no. */
    bool (*revise)(double work[TRU_LAW_WORK], uint32_t stuck);
    /* For steppers with springs: fill in what the law claims, at normal force `normal` [N] and slide speed `slip` [m/s].
     * NULL: the law cannot be said by independent caps. */
    void (*caps)(const void *params, const tru_contact *contact, double normal, double slip, tru_caps *out);
    /* After the step, once per contact: y = impulses of the friction rows, u = the rates the law acted on (means over
     * the step where the stepper is second order); update memory. May be NULL. */
    void (*accept)(const double work[TRU_LAW_WORK], double *memory, const double *y, const double *u, uint32_t stuck);
    /* The limits of slide, spin and roll per normal impulse that it claims, if its set is the product of a disc, an
     * interval and a disc of these sizes whatever the rates: solvers for many contacts need that. False, NULL: it is not. */
    bool (*limits)(const double work[TRU_LAW_WORK], double limit[3]);
    /* The same of a set that stays so until `revise` changes it; where `limits` says false. NULL: no. */
    bool (*limits_until)(const double work[TRU_LAW_WORK], double limit[3]);
    bool constant; /* these limits follow from the parameters alone, and from radii if it `needs` them */
    /* In place of `limits` where slide and spin are coupled as under a round Hertz patch of radius `patch` [m], with the
     * exact set of law contensou; the largest slide and spin impulse by themselves into limit[0], limit[1]. NULL: no. */
    bool (*coupled)(const double work[TRU_LAW_WORK], double limit[3], double *patch);
} tru_law;

/* What friction can do at a contact, for pictures: law->boundary(work, angle, y) runs once round it. */
typedef struct tru_friction_set {
    const tru_law *law;
    unsigned claims;           /* bits of row kinds */
    double work[TRU_LAW_WORK]; /* [unit of the law] */
} tru_friction_set;
/* The sets of the laws of a contact's pair that have a boundary, with the two bodies in given states (also of the past);
 * `rim_points`: points of the same rim that touch, 1 for others. At most TRU_PAIR_LAWS. */
TRU_API tru_status tru_friction_sets(const tru_world *world, const tru_contact_info *contact, const tru_body_state *a,
                                     const tru_body_state *b, int rim_points, tru_friction_set out[TRU_PAIR_LAWS],
                                     size_t *count, tru_error *err);

/* ---- joints */

/* A joint where it acts: its points and axes on both bodies, in world axes. */
typedef struct tru_joint_place {
    tru_vec3 arm_a, arm_b;   /* [m] from the centres of mass to its points */
    tru_vec3 apart;          /* [m] from its point on b to its point on a */
    tru_mat3 axes_a, axes_b; /* [-] fixed in a and in b, as columns, equal at the start; z is the axis */
} tru_joint_place;

#define TRU_JOINT_ROWS 6

/* One row: rate = lin.(v_a - v_b) + ang_a.w_a - ang_b.w_b, and a reaction that acts the same way. */
typedef struct tru_joint_row {
    tru_vec3 lin;          /* [-] zero in a row of couples */
    tru_vec3 ang_a, ang_b; /* [m] or, in a row of couples, [-] */
    double apart;          /* [m] or [rad] where it stands, 0 wanted: the rate is its derivative */
    double speed;          /* [m/s] or [rad/s] rate that is wanted */
    double limit;          /* [N] or [N m] most of the reaction, or TRU_UNBOUNDED; the same in all rows of a joint */
} tru_joint_row;

typedef struct tru_joint {
    const char *name, *doc;
    const tru_field *fields;
    size_t size;
    tru_status (*check)(const void *params, tru_error *err);
    bool holds; /* it keeps the bodies together: they do not touch each other unless the joint says so */
    bool rates; /* its rows ask for rates, not for places */
    /* Fill in what is derived from the place where the joint is made; NULL: nothing. */
    void (*begin)(void *params, const tru_joint_place *place);
    /* Its rows, those of forces first; returns how many. */
    int (*rows)(const void *params, const tru_joint_place *place, tru_joint_row rows[TRU_JOINT_ROWS]);
} tru_joint;

/* ---- solvers and steppers */

struct tru_problem;   /* src/problem/problem.h */
struct sweep_problem; /* src/solvers/sweep_problem/sweep_problem.h */
typedef struct tru_solver {
    const char *name, *doc;
    const tru_field *fields;
    size_t size;
    tru_status (*check)(const void *params, tru_error *err);
    tru_status (*solve)(const void *params, struct tru_problem *problem, tru_solve_info *info, tru_error *err);
    /* Islands of more than few(params) contacts whose laws have limits, without a matrix; NULL: all go to `solve`. Those
     * whose factorisation costs at most chain(params) sweeps go to proxnewton all the same. */
    tru_status (*solve_many)(const void *params, struct sweep_problem *problem, tru_solve_info *info, tru_error *err);
    int32_t (*dense_limit)(const void *params);
    int32_t (*factor_cost_limit)(const void *params);
    bool matrix_free; /* `solve` works on the rows alone */
    bool no_fallback; /* takes every problem by itself, large or hard: no other solver goes on for it */
} tru_solver;

typedef struct tru_stepper {
    const char *name, *doc;
    const tru_field *fields;
    size_t size;
    tru_status (*check)(const void *params, tru_error *err);
    /* Why this stepper cannot use a law with these parameters, or NULL if it can. */
    const char *(*refuses_law)(const tru_law *law, const void *law_params);
    /* Before a run: refuse what the stepper cannot do with this world. May be NULL. */
    tru_status (*ready)(const void *params, tru_world *world, tru_error *err);
    tru_status (*step)(const void *params, tru_world *world, tru_error *err);
    /* Optional: takes 1 to `most` steps, each to the bits of `step`, and counts them in *taken. Only the last of them may emit events,
     * fail or return a remark. NULL: the library calls `step` for each. */
    tru_status (*run)(const void *params, tru_world *world, uint64_t most, uint64_t *taken, tru_error *err);
    double (*step_size)(const void *params); /* [s] */
    /* Order of convergence between impacts that it promises for the world as it stands; NULL: 1. */
    int (*order)(const void *params, const tru_world *world);
    /* Residuals of the last step from bodies before and after, contacts and impulses alone. */
    tru_status (*judge)(const void *params, const tru_world *world, tru_verdict *out, tru_error *err);
    /* Optional: `steps` steps of several worlds of this stepper that have passed tru_check, each exactly as alone; worlds whose
     * status is negative are left out, and status[i], err[i] of the others are set where there is something to say. */
    void (*run_many)(tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status, tru_error *err);
    int lanes;   /* how many worlds it takes at once; 0: no gain */
    bool joints; /* it carries joints; worlds with joints are refused else */
    bool guides; /* it keeps axes level (tru_body_def.level); worlds with such bodies are refused else */
    bool soft;   /* contacts overlap under load: only bodies that are new are refused for overlapping */
} tru_stepper;

/* ---- pictures */

/* Triangles of a hull, counterclockwise from outside. */
typedef struct tru_mesh {
    tru_vec3 points[TRU_HULL_POINTS]; /* [m] */
    int32_t point_count, triangle_count;
    int32_t triangles[2 * TRU_HULL_POINTS][3];
} tru_mesh;
TRU_API tru_status tru_hull_mesh(const tru_hull *params, tru_mesh *out, tru_error *err);

/* ---- arithmetic with the same bits on every machine */

/* The elementary function of that name (sqrt, sin, cos, tan, asin, acos, atan, exp, log, cbrt; angles in radians) at x;
 * false for an unknown name. */
TRU_API bool tru_elementary(const char *name, double x, double *y);
/* [-] A random number, uniform in [0, 1): a pure function of its arguments, one per (seed, id, index). */
TRU_API double tru_random(uint64_t seed, uint64_t id, uint64_t index);

/* ---- what exists */

/* Use your own law in this world, under its name; the descriptor must outlive the world. */
TRU_API tru_status tru_law_register(tru_world *world, const tru_law *law, tru_error *err);

/* The k-th built-in plug-in of each kind, NULL past the end. */
TRU_API const tru_shape *tru_shape_at(size_t k);
TRU_API const tru_law *tru_law_at(size_t k);
TRU_API const tru_joint *tru_joint_at(size_t k);
TRU_API const tru_solver *tru_solver_at(size_t k);
TRU_API const tru_stepper *tru_stepper_at(size_t k);

/* ---- where the time of steps goes */

/* A rule of the plan that chooses a solver for each part of a step's contacts; the first that applies is taken. */
typedef struct tru_solver_rule {
    const char *name, *doc;
    const char *solver; /* what solves the part */
    const char *then;   /* what follows if it does not converge; NULL: the result is reported as unconverged */
} tru_solver_rule;
enum { TRU_SOLVER_RULES = 11 };
/* Returns the k-th rule in the order in which they are tried, NULL past the end. */
TRU_API const tru_solver_rule *tru_solver_rule_at(size_t k);

/* Seconds by the caller's clock over the steps since tru_profile_set (steppers cone and track): the library reads no clock itself. */
typedef struct tru_profile {
    double collide; /* [s] finding contacts */
    double pack;    /* [s] building the problem of many contacts, and taking its impulses back */
    double solve; /* [s] solving it and what goes to other solvers; track: following contacts, loading their springs */
    double sweep; /* [s] of that, sweeps over its contacts and what carries velocities on between them */
    uint64_t steps;                       /* with many contacts */
    uint64_t sweeps;                      /* in them */
    uint64_t packed;                      /* contacts in them, all steps together */
    uint64_t parts[TRU_SOLVER_RULES];     /* parts of the contact problems that each rule of the plan was chosen for */
    uint64_t fallbacks[TRU_SOLVER_RULES]; /* of these, parts that needed the rule's fallback */
} tru_profile;
/* Begin anew with this clock [s]; NULL: no more. Of no influence on any step. */
TRU_API void tru_profile_set(tru_world *world, double (*clock)(void));
TRU_API tru_profile tru_profile_get(const tru_world *world);

/* ---- where memory goes */

typedef struct tru_memory_part {
    const char *name, *doc;
    size_t bytes; /* with the room that lists keep; without what an allocator adds to a block */
} tru_memory_part;
/* The k-th part of what a world holds; false past the end. */
TRU_API bool tru_memory_at(const tru_world *world, size_t k, tru_memory_part *out);

#ifdef __cplusplus
}
#endif
#endif
