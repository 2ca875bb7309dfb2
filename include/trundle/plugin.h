/* plugin.h: what plug-ins provide and what reads them: units, field tables, descriptors of shapes, laws, solvers, steppers.
 *
 * A plug-in is one file with one const descriptor, and the descriptor carries a field table.
 * The table has name, type, unit, default, range and a sentence for every parameter, with its offset in a typed struct.
 * Scene files, `--set`, `trundle list`, range errors, snapshots and reference pages read that table.
 * tru_law_register adds a law of the user to a world.
 *
 * Functions of a descriptor run in the step path: they must not print or keep state of their own.
 * Their pointer arguments are not NULL unless a comment says so. `params` is the plug-in's typed struct. */
#ifndef TRUNDLE_PLUGIN_H
#define TRUNDLE_PLUGIN_H

#include <trundle/trundle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- units */

/* Lists every unit of a field as X(name, symbol, kg, m, s) with the powers of kg, m, s.
 * Radians count as pure numbers but keep their symbol. */
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
/* Units of fields and probes. TRU_UNIT_LIST gives the symbol of each. */
typedef enum tru_unit {
#define TRU_UNIT_ENTRY(name, symbol, kg, m, s) name, /* see TRU_UNIT_LIST */
    TRU_UNIT_LIST(TRU_UNIT_ENTRY)
#undef TRU_UNIT_ENTRY
        TRU_UNIT_COUNT /* number of units */
} tru_unit;

/* Symbol of a unit and its powers. */
typedef struct tru_unit_info {
    const char *symbol; /* "m/s"; static text */
    int kg, m, s;       /* powers */
} tru_unit_info;
/* Returns symbol and powers of a unit; those of TRU_UNIT_MISSING for another number. */
TRU_API tru_unit_info tru_unit_describe(tru_unit unit);
/* Reads a unit as people write it ("mm", "deg", "kN", "g/cm^3", "rpm", "1/s", "N*m", "m s^-2").
 * Stores its scale to SI, its powers, and whether it is an angle. Returns true if every part is known. */
TRU_API bool tru_unit_parse(const char *text, double *scale, tru_unit_info *powers, bool *is_angle);
/* A unit whose powers need not be whole. */
typedef struct tru_unit_measure {
    double scale;    /* [-] SI units in it */
    double kg, m, s; /* [-] powers, at most TRU_UNIT_LARGEST_POWER in size */
    bool is_angle;   /* true for rad, deg and the like */
} tru_unit_measure;
/* Largest power that tru_unit_read accepts. */
enum { TRU_UNIT_LARGEST_POWER = 1000 };
/* Reads what tru_unit_parse reads, and powers such as "m^0.5" of units whose scale is 1. Returns true if all is known. */
TRU_API bool tru_unit_read(const char *text, tru_unit_measure *out);
/* Returns value * scale [unit], rounded once if the scale is a power of ten: 45 mm is 0.045 m to the last bit. */
TRU_API double tru_unit_to_si(double value, double scale);
/* Writes a value [unit] and its symbol, "0.3 m", into `room` bytes, in the fewest digits that read back.
 * Pure numbers get no symbol. */
TRU_API void tru_unit_format(tru_unit unit, double value, char *out, size_t room);

/* ---- field tables */

/* C type of a field and what its entry means. */
typedef enum tru_field_type {
    TRU_FIELD_REAL,        /* double */
    TRU_FIELD_INTEGER,     /* int32_t */
    TRU_FIELD_BOOLEAN,     /* bool */
    TRU_FIELD_VEC3,        /* tru_vec3; default and range hold for each component */
    TRU_FIELD_QUATERNION,  /* tru_quat; default identity */
    TRU_FIELD_CHOICE,      /* int32_t, index into `words` ("midpoint|paper") */
    TRU_FIELD_TEXT,        /* const char * */
    TRU_FIELD_REFERENCE,   /* tru_id of an object of the kind named in `words` ("body", "material") */
    TRU_FIELD_PLUGIN,      /* tru_use of a plug-in of the kind named in `words` ("solver"), default name in `text` */
    TRU_FIELD_LIST,        /* tru_list of structs described by `block` */
    TRU_FIELD_ALTERNATIVE, /* a real of this unit at the start of a struct, or a block of the fields in `block` */
} tru_field_type;

/* A list of structs or reals in a parameter struct. */
typedef struct tru_list {
    const void *items; /* `count` elements; may be NULL if count is 0 */
    size_t count;      /* number of elements */
} tru_list;

#define TRU_REQUIRED  DBL_MAX /* default value of a field that must be given */
#define TRU_UNBOUNDED DBL_MAX /* highest value without a bound; negative: lowest value without a bound */

/* One parameter of a plug-in: an entry of its field table. */
typedef struct tru_field {
    const char *name;              /* name in scenes; NULL ends a table */
    tru_field_type type;           /* C type of the member */
    tru_unit unit;                 /* of real, vec3, alternative, and of a list of plain reals */
    double default_value;          /* [unit] default; TRU_DERIVED or TRU_REQUIRED */
    double lowest, highest;        /* [unit] allowed range, ends included */
    bool lowest_excluded;          /* the lowest value itself is not allowed */
    bool unit_required;            /* scenes must write its unit, because a bare number could mean another one */
    const char *doc;               /* one sentence */
    size_t offset;                 /* of the member in the typed struct */
    const char *words;             /* choices, or the kind of object that a reference or plug-in names */
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
 * `type` is the typed struct and `member` the field's member in it, which gives the field its name.
 * An entry does not compile if the member has another C type. Every member needs an entry, else it is not copied. */

/* Ranges of TRU_REAL, TRU_INTEGER, TRU_VEC3, TRU_REALS and TRU_ALTERNATIVE. */
#define TRU_ANY                    -TRU_UNBOUNDED, TRU_UNBOUNDED, false /* every finite number */
#define TRU_FROM_ZERO              0.0, TRU_UNBOUNDED, false            /* 0 and above */
#define TRU_POSITIVE               0.0, TRU_UNBOUNDED, true             /* above 0 */
#define TRU_RANGE(lowest, highest) lowest, highest, false               /* ends included */
#define TRU_ABOVE(lowest, highest) lowest, highest, true                /* the lowest value itself is not allowed */

/* Range of fields that have none. The next two macros build an entry in the order of tru_field. */
#define TRU_NO_RANGE 0.0, 0.0, false
#define TRU_ENTRY(...)                                                                                                 \
    { __VA_ARGS__ }
#define TRU_PLAIN_ENTRY(...)                                                                                           \
    { __VA_ARGS__, NULL, NULL, NULL, 0 }

/* Offset of a member. TRU_OFFSET does not compile if the member has another C type than `of`.
 * TRU_OFFSET_LIST does not compile for a member that is not a list of `item`; C++ does not check this. */
#ifdef __cplusplus
#define TRU_OFFSET(type, member, of)        (offsetof(type, member) + 0 * sizeof(true ? &((type *)0)->member : (of *)0))
#define TRU_OFFSET_LIST(type, member, item) offsetof(type, member) /* of a list */
#else
#define TRU_OFFSET(type, member, of) _Generic(((type *)0)->member, of : offsetof(type, member))
/* Offset of a list. */
#define TRU_OFFSET_LIST(type, member, item)                                                                            \
    _Generic(((type *)0)->member, tru_list : offsetof(type, member), const item * : offsetof(type, member))
#endif

/* Entry of a double. */
#define TRU_REAL(type, member, unit, default_value, range, doc)                                                        \
    TRU_PLAIN_ENTRY(#member, TRU_FIELD_REAL, unit, default_value, range, false, doc, TRU_OFFSET(type, member, double))
/* Entry of a double whose unit scenes must write, because a bare number could mean another one. */
#define TRU_REAL_WITH_UNIT(type, member, unit, default_value, range, doc)                                              \
    TRU_PLAIN_ENTRY(#member, TRU_FIELD_REAL, unit, default_value, range, true, doc, TRU_OFFSET(type, member, double))
/* Entry of an int32_t. */
#define TRU_INTEGER(type, member, default_value, range, doc)                                                           \
    TRU_PLAIN_ENTRY(#member, TRU_FIELD_INTEGER, TRU_UNIT_MISSING, default_value, range, false, doc,                    \
                    TRU_OFFSET(type, member, int32_t))
/* Entry of a bool. */
#define TRU_BOOLEAN(type, member, default_value, doc)                                                                  \
    TRU_PLAIN_ENTRY(#member, TRU_FIELD_BOOLEAN, TRU_UNIT_MISSING, default_value, TRU_NO_RANGE, false, doc,             \
                    TRU_OFFSET(type, member, bool))
/* Entry of a tru_vec3; the range holds for each component. */
#define TRU_VEC3(type, member, unit, default_value, range, doc)                                                        \
    TRU_PLAIN_ENTRY(#member, TRU_FIELD_VEC3, unit, default_value, range, false, doc, TRU_OFFSET(type, member, tru_vec3))
/* Entry of a tru_quat, identity by default. */
#define TRU_QUATERNION(type, member, doc)                                                                              \
    TRU_PLAIN_ENTRY(#member, TRU_FIELD_QUATERNION, TRU_UNIT_ONE, 0.0, TRU_NO_RANGE, false, doc,                        \
                    TRU_OFFSET(type, member, tru_quat))
/* Entry of an int32_t, an index into `words` ("midpoint|paper"). */
#define TRU_CHOICE(type, member, words, default_value, doc)                                                            \
    TRU_ENTRY(#member, TRU_FIELD_CHOICE, TRU_UNIT_MISSING, default_value, TRU_NO_RANGE, false, doc,                    \
              TRU_OFFSET(type, member, int32_t), words, NULL, NULL, 0)
/* Entry of a const char *, `text` (or NULL) by default. */
#define TRU_TEXT(type, member, text, doc)                                                                              \
    TRU_ENTRY(#member, TRU_FIELD_TEXT, TRU_UNIT_MISSING, 0.0, TRU_NO_RANGE, false, doc,                                \
              TRU_OFFSET(type, member, const char *), NULL, text, NULL, 0)
/* Entry of a tru_id of an object of a kind ("body", "material"); default_value: 0 (none) or TRU_REQUIRED. */
#define TRU_REFERENCE(type, member, kind, default_value, doc)                                                          \
    TRU_ENTRY(#member, TRU_FIELD_REFERENCE, TRU_UNIT_MISSING, default_value, TRU_NO_RANGE, false, doc,                 \
              TRU_OFFSET(type, member, tru_id), kind, NULL, NULL, 0)
/* Entry of a tru_use of a plug-in of a kind ("solver").
 * default_value: 0, which means the plug-in `name` (or NULL), or TRU_REQUIRED. */
#define TRU_PLUGIN(type, member, kind, default_value, name, doc)                                                       \
    TRU_ENTRY(#member, TRU_FIELD_PLUGIN, TRU_UNIT_MISSING, default_value, TRU_NO_RANGE, false, doc,                    \
              TRU_OFFSET(type, member, tru_use), kind, name, NULL, 0)
/* Entry of a list of structs `item` that the table `fields` describes.
 * The member is a tru_list, or a `const item *` with a size_t behind it. */
#define TRU_LIST(type, member, unit, default_value, item, fields, doc)                                                 \
    TRU_ENTRY(#member, TRU_FIELD_LIST, unit, default_value, TRU_NO_RANGE, false, doc,                                  \
              TRU_OFFSET_LIST(type, member, item), NULL, NULL, fields, sizeof(item))
/* Entry of a list of plain reals; the member as in TRU_LIST. */
#define TRU_REALS(type, member, unit, default_value, range, doc)                                                       \
    TRU_PLAIN_ENTRY(#member, TRU_FIELD_LIST, unit, default_value, range, false, doc,                                   \
                    TRU_OFFSET_LIST(type, member, double))
/* Entry of a struct `of` that begins with a double.
 * Scenes write that real with its unit, or a block of the fields in `fields`. */
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

/* Fills a typed struct with the defaults of its table. Required fields get TRU_DERIVED. */
TRU_API void tru_fields_defaults(const tru_field *fields, void *params);
/* Checks every field of a typed struct against its range.
 * `what` names the object in the sentence ("law coulomb", "body 'ball'"). Returns TRU_OK or a failure of an argument. */
TRU_API tru_status tru_fields_check(const tru_field *fields, const void *params, const char *what, tru_error *err);
/* Returns the entry of a table with this name, NULL if there is none. */
TRU_API const tru_field *tru_field_find(const tru_field *fields, const char *name);
/* Returns the one of `count` names that is most like `name`, or NULL if none is similar. */
TRU_API const char *tru_nearest_name(const char *name, const char *const *names, size_t count);
/* Multiplies every real by the powers of `kg`, `m`, `s` [-] of its unit: the same parameters in other units. */
TRU_API void tru_fields_rescale(const tru_field *fields, void *params, double kg, double m, double s);

/* Returns the table of a definition: "body", "shape", "pair", "joint", "load", "motion" or "world"; NULL for another. */
TRU_API const tru_field *tru_def_fields(const char *def);

/* ---- shapes */

/* Surface of a shape where the outward normal is a given direction. */
typedef struct tru_surface {
    tru_vec3 point;   /* [m] support point, shape axes */
    tru_mat3 hessian; /* [m] of the support function, shape axes; its tangential part is the inverse curvature */
} tru_surface;

/* Mass properties of a shape. */
typedef struct tru_mass {
    double mass;       /* [kg] */
    tru_vec3 centre;   /* [m] centre of mass, shape axes */
    tru_vec3 inertia;  /* [kg m^2] about the centre: xx, yy, zz */
    tru_vec3 products; /* [kg m^2] xy, xz, yz of the inertia matrix */
} tru_mass;

/* Flags of a tru_touch. */
enum {
    TRU_TOUCH_LANDING = 1u /* the shape passed through lying flat: all its points of this touch are active */
};
#define TRU_TOUCHES    8 /* most points of one shape on a plane */
#define TRU_RIM_POINTS 3 /* features per rim: feature / 3 is the rim that a point belongs to */

/* A point of a shape that can touch a plane. */
typedef struct tru_touch {
    tru_vec3 point;  /* [m] on the shape, shape axes */
    int32_t feature; /* stable number of the point */
    uint32_t flags;  /* TRU_TOUCH_* */
} tru_touch;

/* Descriptor of a shape. */
typedef struct tru_shape {
    const char *name, *doc;                                  /* name in scenes, and one sentence */
    const tru_field *fields;                                 /* field table of the parameters */
    size_t size;                                             /* sizeof the parameter struct */
    tru_status (*check)(const void *params, tru_error *err); /* checks fields against each other; NULL: not needed */
    /* Derives data from checked parameters in a world that owns them, as the faces of a hull; NULL: nothing to derive.
     * Of the functions below only `radius` works before. */
    tru_status (*build)(void *params, const tru_allocator *allocator, tru_error *err);
    void (*unbuild)(void *params, const tru_allocator *allocator); /* frees what `build` made; NULL if build is */
    bool bounded;                                                  /* false: fills a half space */
    double (*radius)(const void *params); /* [m] returns the radius of the sphere about the origin that holds it */
    double (*extent)(const void *params); /* [m] returns the smallest width, the "size" of overlap errors */
    void (*mass)(const void *params, double density, tru_mass *out); /* computes mass properties; density [kg/m^3] */
    /* [m^2] Computes inertia per mass of a shape without volume; returns false for a shape with volume, as does NULL. */
    bool (*gyration)(const void *params, tru_vec3 *out);
    /* Computes the surface where the outward normal is `direction`, a unit vector in shape axes. */
    void (*surface)(const void *params, tru_vec3 direction, tru_surface *out);
    /* Finds the points that can touch a plane and returns their number, at most TRU_TOUCHES.
     * `up` is the plane's normal, a unit vector in shape axes, towards the shape.
     * `before` are the `before_count` touches of the last step. NULL: the support point is the only one. */
    int (*touch_plane)(const void *params, tru_vec3 up, const tru_touch *before, int before_count, tru_touch *out);
} tru_shape;

/* ---- laws */

/* A contact as a law sees it. Rows 1-2 slide along t1, t2; 3 spins about n; 4-5 roll about t1, t2. */
typedef struct tru_contact {
    tru_vec3 point;          /* [m] contact point, world axes */
    tru_vec3 normal, t1, t2; /* [-] right-handed; n points from B to A */
    tru_vec3 arm_a, arm_b;   /* [m] from the centres of mass to the point */
    double gap;              /* [m] distance of the surfaces; negative: overlap */
    double lever[2][2]; /* [m] maps roll rates about (t1, t2) to speeds of the point over the surfaces along them */
    /* [m] 2 / trace of the summed curvatures; at an edge or corner: of the round body alone, or 0 */
    double radius_effective;
    double radius_smaller; /* [m] smaller of the two shapes' radii, or that of the only round one */
    double step;           /* [s] time step */
    uint32_t stuck;        /* bit k: rows of kind k stuck in the last step */
    int32_t rim_points;    /* active points of the same rim (features of rim k: TRU_RIM_POINTS k ...), else 1 */
    double *memory;        /* [unit of the law] history of the law here, `history` doubles, zero at first touch */
    double curvature;      /* [1/m] stepper track: of both surfaces along the path it rolled; 0 without one */
    double curvature_mean; /* [1/m] of both surfaces, mean over all directions */
} tru_contact;

#define TRU_LAW_WORK      8 /* doubles of scratch per contact and law, from `prepare` to `accept` */
#define TRU_FRICTION_ROWS 5 /* rows of friction: slide 2, spin, roll 2 */

/* A projection of friction rows x onto p_n C in a metric: y minimises the sum over kinds of |y - x|^2 / metric[kind]. */
typedef struct tru_section {
    double normal;        /* [N s] p_n >= 0 */
    double slip;          /* [m/s] slide speed of the present iterate, for coefficients that depend on it */
    const double *metric; /* [impulse/velocity of its kind] TRU_KINDS scalars */
    const double *x;      /* [impulse] TRU_FRICTION_ROWS: slide 2, spin, roll 2 */
    double *y;            /* [impulse] result, claimed rows only */
    uint32_t stuck;       /* result, or-ed: bits of claimed kinds whose x lies in a set that is not a point, to 1e-9 */
    double *dx;           /* [-] result or NULL: dy/dx, TRU_FRICTION_ROWS^2 row major, claimed rows and columns only */
    double *dn;           /* [-] result or NULL: dy/dp_n, claimed rows only */
} tru_section;

/* Geometry that a law may need beyond frame and arms. */
enum {
    TRU_NEEDS_LEVER = 1u,    /* tru_contact.lever */
    TRU_NEEDS_RADIUS = 2u,   /* tru_contact.radius_effective and radius_smaller */
    TRU_NEEDS_CURVATURE = 4u /* tru_contact.curvature and curvature_mean */
};
/* Bit of a row kind in masks such as `claims` and `stuck`. */
#define TRU_KIND_BIT(kind) (1u << (kind))

/* Limits of the springs that stand for a law (stepper track), each for slipping and for sticking. */
typedef struct tru_caps {
    double slide, slide_static;  /* [-] force per normal force */
    double spin, spin_static;    /* [m] couple per normal force */
    double roll, roll_static;    /* [m] couple per normal force */
    double spin_area, roll_area; /* [m^2] stiffness per stiffness of the slide spring; 0: the stepper chooses */
    double spin_viscosity, roll_viscosity; /* [N m s] couple per rate */
    double modulus;                        /* [Pa] effective modulus of the pair; 0: unknown */
    unsigned by_rates;       /* bits of kinds whose springs stretch by rates, limited together with their dashpots */
    unsigned without_spring; /* bits of kinds without a spring: the couple is the limit, against the rate */
} tru_caps;

/* Descriptor of a law. Its set C holds the friction impulses per unit of normal impulse. */
typedef struct tru_law {
    const char *name, *doc;                                  /* name in scenes, and one sentence */
    const tru_field *fields;                                 /* field table of the parameters */
    size_t size;                                             /* sizeof the parameter struct */
    int history;                                             /* doubles of memory per contact, kept in snapshots */
    tru_status (*check)(const void *params, tru_error *err); /* checks fields against each other; NULL: not needed */
    unsigned (*claims)(const void *params);                  /* returns the bits of row kinds with a coefficient */
    unsigned (*needs)(const void *params); /* returns TRU_NEEDS_*: geometry beyond frame and arms; NULL: none */
    /* Turns parameters and geometry into the scratch of the other functions, once per step and contact. */
    void (*prepare)(const void *params, const tru_contact *contact, double work[TRU_LAW_WORK]);
    /* Projects the friction rows onto the set; memory is NULL for a cold start. */
    void (*section)(const double work[TRU_LAW_WORK], double *memory, tru_section *s);
    /* [m/s] Returns the largest power per normal impulse that the law opposes to rates u: max over C of -c.u. */
    double (*support)(const double work[TRU_LAW_WORK], const double u[TRU_FRICTION_ROWS]);
    /* Adds the viscous force per rate [kg/s], [N m s] to d, symmetric TRU_FRICTION_ROWS^2; NULL: none. */
    void (*viscosity)(const double work[TRU_LAW_WORK], double *d);
    /* Computes a boundary point of C, for pictures; `angle` [rad] runs once round the claimed rows. */
    void (*boundary)(const double work[TRU_LAW_WORK], double angle, double y[TRU_FRICTION_ROWS]);
    /* Changes the set after a solve, given which row kinds stick now.
     * Returns true if it changed, so that the problem must be solved again. NULL: never. */
    bool (*revise)(double work[TRU_LAW_WORK], uint32_t stuck);
    /* Fills in what the law claims, at normal force `normal` [N] and slide speed `slip` [m/s], for springs.
     * NULL: independent limits cannot express the law. */
    void (*caps)(const void *params, const tru_contact *contact, double normal, double slip, tru_caps *out);
    /* Updates the memory after a step, once per contact; NULL: no memory.
     * y are the impulses of the friction rows, u the rates that the law acted on (means in second-order steppers). */
    void (*accept)(const double work[TRU_LAW_WORK], double *memory, const double *y, const double *u, uint32_t stuck);
    /* Stores the limits of slide, spin and roll per normal impulse, which solvers for many contacts need.
     * Returns true if the set is a disc times an interval times a disc of these sizes at all rates. NULL: it is not. */
    bool (*limits)(const double work[TRU_LAW_WORK], double limit[3]);
    /* Does the same for a set that stays so until `revise` changes it; called where `limits` returns false. NULL: no. */
    bool (*limits_until)(const double work[TRU_LAW_WORK], double limit[3]);
    bool constant; /* these limits follow from the parameters alone, and from radii if the law needs them */
    /* Replaces `limits` where slide and spin are coupled as under a round Hertz patch of radius `patch` [m].
     * The set is that of law contensou; limit[0] and limit[1] get its largest slide and spin impulse. NULL: no. */
    bool (*coupled)(const double work[TRU_LAW_WORK], double limit[3], double *patch);
} tru_law;

/* The friction set of a law at a contact, for pictures: law->boundary(work, angle, y) runs once round it. */
typedef struct tru_friction_set {
    const tru_law *law;        /* the law; valid as long as the world */
    unsigned claims;           /* bits of row kinds */
    double work[TRU_LAW_WORK]; /* [unit of the law] scratch for the functions of the law */
} tru_friction_set;
/* Computes the friction sets of a contact's laws that have a boundary, and stores their number in *count.
 * `a` and `b` are states of the two bodies, present or past. `rim_points` is the number of touching points of the rim, or 1.
 * Returns TRU_BAD_ARGUMENT, TRU_STALE_ID, or TRU_NO_LAW. */
TRU_API tru_status tru_friction_sets(const tru_world *world, const tru_contact_info *contact, const tru_body_state *a,
                                     const tru_body_state *b, int rim_points, tru_friction_set out[TRU_PAIR_LAWS],
                                     size_t *count, tru_error *err);

/* ---- joints */

/* Points and axes of a joint on both bodies, in world axes. */
typedef struct tru_joint_place {
    tru_vec3 arm_a, arm_b;   /* [m] from the centres of mass to its points */
    tru_vec3 apart;          /* [m] from its point on b to its point on a */
    tru_mat3 axes_a, axes_b; /* [-] fixed in a and in b, as columns, equal at the start; z is the axis */
} tru_joint_place;

/* Most rows of a joint. */
#define TRU_JOINT_ROWS 6

/* One row of a joint. Its rate is lin.(v_a - v_b) + ang_a.w_a - ang_b.w_b; its reaction acts along the same vectors. */
typedef struct tru_joint_row {
    tru_vec3 lin;          /* [-] zero in a row of couples */
    tru_vec3 ang_a, ang_b; /* [m] or, in a row of couples, [-] */
    double apart;          /* [m] or [rad] deviation from the joint's position; the rate is its derivative */
    double speed;          /* [m/s] or [rad/s] wanted rate */
    double limit;          /* [N] or [N m] largest reaction, or TRU_UNBOUNDED; the same in all rows of a joint */
} tru_joint_row;

/* Descriptor of a joint. */
typedef struct tru_joint {
    const char *name, *doc;                                  /* name in scenes, and one sentence */
    const tru_field *fields;                                 /* field table of the parameters */
    size_t size;                                             /* sizeof the parameter struct */
    tru_status (*check)(const void *params, tru_error *err); /* checks fields against each other; NULL: not needed */
    bool holds; /* the joint holds the bodies together: they do not collide unless its definition says so */
    bool rates; /* its rows prescribe rates, not positions */
    /* Derives parameters from the place where the joint is made; NULL: none are derived. */
    void (*begin)(void *params, const tru_joint_place *place);
    /* Writes the rows of the joint, those of forces first, and returns their number. */
    int (*rows)(const void *params, const tru_joint_place *place, tru_joint_row rows[TRU_JOINT_ROWS]);
} tru_joint;

/* ---- solvers and steppers */

struct tru_problem;   /* src/problem/problem.h */
struct sweep_problem; /* src/solvers/sweep_problem/sweep_problem.h */
/* Descriptor of a solver. The rules of tru_solver_rule_at decide which islands it gets. */
typedef struct tru_solver {
    const char *name, *doc;                                  /* name in scenes, and one sentence */
    const tru_field *fields;                                 /* field table of the parameters */
    size_t size;                                             /* sizeof the parameter struct */
    tru_status (*check)(const void *params, tru_error *err); /* checks fields against each other; NULL: not needed */
    /* Solves a problem that has its rows, and its matrix unless `matrix_free`. */
    tru_status (*solve)(const void *params, struct tru_problem *problem, tru_solve_info *info, tru_error *err);
    /* Solves many contacts whose laws have limits, by sweeps; NULL: every island goes to `solve`. */
    tru_status (*solve_many)(const void *params, struct sweep_problem *problem, tru_solve_info *info, tru_error *err);
    int32_t (*dense_limit)(const void *params); /* returns the most contacts of an island that goes to newton */
    /* Returns the cost of a factorisation, in sweeps, up to which an island goes to proxnewton. */
    int32_t (*factor_cost_limit)(const void *params);
    bool matrix_free; /* `solve` needs the rows only */
    bool no_fallback; /* the solver gets every problem, and no other solver follows if it fails */
} tru_solver;

/* Descriptor of a stepper. */
typedef struct tru_stepper {
    const char *name, *doc;                                  /* name in scenes, and one sentence */
    const tru_field *fields;                                 /* field table of the parameters */
    size_t size;                                             /* sizeof the parameter struct */
    tru_status (*check)(const void *params, tru_error *err); /* checks fields against each other; NULL: not needed */
    /* Returns why this stepper cannot use a law with these parameters as static text; NULL if it can. */
    const char *(*refuses_law)(const tru_law *law, const void *law_params);
    /* Refuses, before a run, what the stepper cannot do with this world; NULL: nothing to refuse. */
    tru_status (*ready)(const void *params, tru_world *world, tru_error *err);
    /* Advances the world by one step. */
    tru_status (*step)(const void *params, tru_world *world, tru_error *err);
    /* Takes 1 to `most` steps, each with the bits of `step`, and counts them in *taken. Only the last of them may emit events, fail
     * or return a remark. NULL: the library calls `step` for each. */
    tru_status (*run)(const void *params, tru_world *world, uint64_t most, uint64_t *taken, tru_error *err);
    double (*step_size)(const void *params); /* [s] returns the time step */
    /* Returns the order of convergence between impacts that it promises for the present world; NULL: 1. */
    int (*order)(const void *params, const tru_world *world);
    /* Computes the residuals of the last step from bodies before and after, contacts and impulses alone. */
    tru_status (*judge)(const void *params, const tru_world *world, tru_verdict *out, tru_error *err);
    /* Advances several worlds of this stepper that passed tru_check by `steps` steps, with the bits of `step`; NULL: none.
     * It skips worlds whose status is negative, and sets status[i] and err[i] of the others on remarks and failures. */
    void (*run_many)(tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status, tru_error *err);
    int lanes;   /* number of worlds that run_many takes at once; 0: no gain */
    bool joints; /* supports joints; otherwise worlds with joints are refused */
    bool guides; /* keeps axes level (tru_body_def.level); otherwise worlds with such bodies are refused */
    bool soft;   /* contacts overlap under load: only new bodies are refused for overlapping */
} tru_stepper;

/* ---- pictures */

/* Triangles of a hull, counterclockwise from outside. */
typedef struct tru_mesh {
    tru_vec3 points[TRU_HULL_POINTS];          /* [m] corners, shape axes */
    int32_t point_count, triangle_count;       /* number of corners and of triangles */
    int32_t triangles[2 * TRU_HULL_POINTS][3]; /* corners of each triangle */
} tru_mesh;
/* Computes the triangles of a hull. Returns TRU_OK, or the failure of the hull's check. */
TRU_API tru_status tru_hull_mesh(const tru_hull *params, tru_mesh *out, tru_error *err);

/* ---- arithmetic with the same bits on every machine */

/* Computes an elementary function of x by name: sqrt, sin, cos, tan, asin, acos, atan, exp, log or cbrt.
 * Angles are in radians. Returns false for an unknown name. */
TRU_API bool tru_elementary(const char *name, double x, double *y);
/* Returns a random number [-], uniform in [0, 1): a pure function of its arguments. */
TRU_API double tru_random(uint64_t seed, uint64_t id, uint64_t index);

/* ---- what exists */

/* Adds a law of the caller to this world, under its name. The descriptor must outlive the world.
 * Returns TRU_BAD_ARGUMENT for an incomplete descriptor, TRU_CONFLICT if the name is taken. */
TRU_API tru_status tru_law_register(tru_world *world, const tru_law *law, tru_error *err);

/* Returns the k-th built-in shape, NULL past the end. */
TRU_API const tru_shape *tru_shape_at(size_t k);
/* Returns the k-th built-in law, NULL past the end. */
TRU_API const tru_law *tru_law_at(size_t k);
/* Returns the k-th built-in joint, NULL past the end. */
TRU_API const tru_joint *tru_joint_at(size_t k);
/* Returns the k-th built-in solver, NULL past the end. */
TRU_API const tru_solver *tru_solver_at(size_t k);
/* Returns the k-th built-in stepper, NULL past the end. */
TRU_API const tru_stepper *tru_stepper_at(size_t k);

/* ---- where the time of steps goes */

/* A rule of the plan that chooses a solver for each part of a step's contacts. The first rule that applies is taken. */
typedef struct tru_solver_rule {
    const char *name, *doc; /* name in `run --profile`, and one sentence */
    const char *solver;     /* what solves the part */
    const char *then;       /* what follows if it does not converge; NULL: the result is reported as unconverged */
    const char *limits;     /* names of the thresholds (tru_solver_limit_at) that decide, with commas; NULL: none */
} tru_solver_rule;
/* Number of rules. */
enum { TRU_SOLVER_RULES = 11 };
/* Returns the k-th rule in the order in which they are tried, NULL past the end. */
TRU_API const tru_solver_rule *tru_solver_rule_at(size_t k);

/* Returns the name of the solver that the stepper's parameters choose; NULL if the stepper solves no contact problems. */
TRU_API const char *tru_solver_chosen(const tru_world *world);

/* A threshold of these rules. */
typedef struct tru_solver_limit {
    const char *name, *doc; /* name, and one sentence */
    const char *unit;       /* what is counted, "contacts"; "-" for a ratio */
    double value;           /* [-] or in `unit` */
} tru_solver_limit;
/* Writes the k-th threshold that holds in this world to *out; returns false past the end. */
TRU_API bool tru_solver_limit_at(const tru_world *world, size_t k, tru_solver_limit *out);

/* Times by the caller's clock since tru_profile_set, for steppers cone and track. The library reads no clock itself. */
typedef struct tru_profile {
    double collide;                       /* [s] finding contacts */
    double pack;                          /* [s] building the problem of many contacts and reading its impulses */
    double solve;                         /* [s] solving; track: following contacts and loading their springs */
    double sweep;                         /* [s] part of `solve`: sweeps and what updates velocities between them */
    uint64_t steps;                       /* steps with many contacts */
    uint64_t sweeps;                      /* sweeps in these steps */
    uint64_t packed;                      /* contacts in these steps, all together */
    uint64_t parts[TRU_SOLVER_RULES];     /* parts of the contact problems that each rule of the plan was chosen for */
    uint64_t fallbacks[TRU_SOLVER_RULES]; /* number of these parts that needed the rule's fallback */
    uint64_t contacts[TRU_SOLVER_RULES];  /* contacts of these parts, all steps together */
    uint64_t largest[TRU_SOLVER_RULES];   /* contacts of the largest of these parts */
    uint64_t checks;                      /* full checks of the world; a world that did not change is not checked */
    uint64_t lanes;                       /* steps that tru_run_many took together with those of other worlds */
} tru_profile;
/* Resets the profile and sets its clock [s]; NULL stops it. Does not affect the simulation. */
TRU_API void tru_profile_set(tru_world *world, double (*clock)(void));
/* Returns the profile since tru_profile_set. */
TRU_API tru_profile tru_profile_get(const tru_world *world);

/* ---- where memory goes */

/* Memory of one part of a world. */
typedef struct tru_memory_part {
    const char *name, *doc; /* name of the part, and one sentence; static text */
    size_t bytes;           /* with the reserve of arrays, without what an allocator adds to a block */
} tru_memory_part;
/* Reads the k-th part of the memory that a world holds. Returns false past the end. */
TRU_API bool tru_memory_at(const tru_world *world, size_t k, tru_memory_part *out);

#ifdef __cplusplus
}
#endif
#endif
