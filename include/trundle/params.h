/* params.h: the typed parameters of everything built in: one struct per shape, law, solver and stepper. trundle.h includes it.
 *
 * Fill one from its tru_default_... function, then set what you want; ranges, units and sentences stand in the plug-in's
 * field table (`trundle list`, plugin.h), and the same check runs for C and for scene files. */
#ifndef TRUNDLE_PARAMS_H
#define TRUNDLE_PARAMS_H

#ifndef TRUNDLE_TRUNDLE_H
#error "params.h is a part of <trundle/trundle.h>: include that"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A friction length: either `length`, or a pure `factor` times a radius that is named. */
typedef enum tru_radius { TRU_RADIUS_NONE, TRU_RADIUS_EFFECTIVE, TRU_RADIUS_SMALLER } tru_radius;
typedef struct tru_length {
    double length;  /* [m] >= 0; 0: the row kind is not claimed */
    double factor;  /* [-] >= 0; used with `radius`, and then length must be 0 */
    int32_t radius; /* tru_radius: effective 1/(curvature A + curvature B), or the smaller body radius */
} tru_length;

/* ---- shapes */

/* "plane" has no parameters: the plane z = 0 of the shape's own axes, solid below. */
typedef struct tru_sphere {
    double radius; /* [m] */
} tru_sphere;
typedef struct tru_box {
    tru_vec3 size; /* [m] edge lengths along the shape's axes */
} tru_box;
typedef struct tru_disk {
    double radius;    /* [m] axis of symmetry: the shape's z */
    double thickness; /* [m] 0: thin, one rim; else two rims at z = +-thickness/2 */
} tru_disk;
typedef struct tru_ellipsoid {
    tru_vec3 semi_axes; /* [m] */
} tru_ellipsoid;
typedef struct tru_capsule {
    double radius; /* [m] */
    double length; /* [m] between the centres of the caps, along the shape's z */
} tru_capsule;
#define TRU_HULL_POINTS 64
typedef struct tru_hull {
    const tru_vec3 *points; /* [m] 4 to TRU_HULL_POINTS, not in a plane; copied */
    size_t point_count;     /* 0: a random stone */
    double radius;          /* [m] of the sphere on which the corners of a random stone lie; TRU_DERIVED with points */
    int32_t corners;        /* of a random stone */
    int32_t seed;           /* of a random stone */
    const void *built;      /* the library's own: not read, its faces in a world */
    size_t built_bytes;     /* the library's own */
} tru_hull;

/* ---- laws; a coefficient of 0 claims no row */

typedef struct tru_coulomb {
    double slide;        /* [-] sliding coefficient */
    double slide_static; /* [-] at zero slip; default: slide */
    double stribeck;     /* [m/s] slip speed over which static falls to slide; 0: at once */
} tru_coulomb;
typedef struct tru_rolling {
    tru_length roll;       /* [m] limit of the roll couple per normal force */
    tru_length spin;       /* [m] limit of the spin couple per normal force */
    double roll_viscosity; /* [N m s] roll couple per roll rate */
    double spin_viscosity; /* [N m s] spin couple per spin rate */
} tru_rolling;

typedef struct tru_contensou {
    double slide, slide_static; /* [-] as coulomb */
    double stribeck;            /* [m/s] as coulomb */
    double patch;               /* [m] radius of the contact patch: couples sliding and spinning */
} tru_contensou;
typedef struct tru_contour {
    double contour;           /* [-] dry force on the contact point's motion over the surface per normal force */
    double contour_viscosity; /* [kg/s] the same per speed */
} tru_contour;

/* "track", for the stepper track: caps of its springs as Fang and Negrut give them. */
typedef struct tru_track_law {
    double slide, slide_static; /* [-] as coulomb, without Stribeck */
    double eta_r;               /* [-] roll couple at most 2 eta_r slide N / (summed curvatures) */
    double eta_psi;             /* [-] spin couple at most eta_psi slide N / (curvature of the closure) */
    tru_length roll, spin;      /* [m] couple per normal force: the alternatives to eta_r and eta_psi */
    double spin_curvature;      /* [1/m] of the spin closure; default: mean curvature of the contact */
    double modulus;             /* [Pa] effective modulus of the pair: Hertz's radius closes the spin; 0: unknown */
} tru_track_law;

/* "constant_torque", for the stepper track: couples of constant size against the rate, for comparison. */
typedef struct tru_constant_torque {
    tru_length roll, spin; /* [m] couple per normal force */
} tru_constant_torque;

/* "luding", for the stepper track: springs stretched by rates, limited together with their dashpots, for comparison. */
typedef struct tru_luding {
    double slide, slide_static; /* [-] as coulomb, without Stribeck */
    tru_length roll, spin;      /* [m] couple per normal force */
} tru_luding;

/* ---- solvers */

typedef struct tru_newton {
    double tolerance;  /* [-] largest residual relative to the velocity scale of the step */
    int32_t max_steps; /* Newton steps before the Gauss-Seidel fallback */
} tru_newton;
typedef struct tru_prox {
    int32_t rho;        /* 0 local (1/G per row kind), 1 constant */
    double rho_value;   /* [kg] the constant rho of normal and slide rows, with rho = constant */
    double relaxation;  /* [-] factor on the local rho */
    double tolerance;   /* [-] change of the impulses in one iteration relative to m g h */
    int32_t iterations; /* at most */
    int32_t start;      /* 0 last step's impulses (as published), 1 where they were heading, 2 zero */
} tru_prox;

typedef struct tru_proxnewton {
    double tolerance;   /* [-] largest residual relative to the velocity scale of the step */
    int32_t iterations; /* Newton steps at most */
    double softness;    /* [-] epsilon: proximal weight in parts of what a contact yields by itself */
} tru_proxnewton;

/* Of sweeps: single precision as long as that is enough, then double; or double throughout. */
typedef enum tru_precision { TRU_MIXED, TRU_DOUBLE } tru_precision;

/* For many contacts. Both stop when the velocities are right to `tolerance`, or after `iterations` sweeps. */
typedef struct tru_ngs {
    double tolerance;    /* [-] velocity error in parts of gravity times step */
    int32_t iterations;  /* sweeps at most */
    int32_t dense_limit; /* islands of at most so many contacts go to newton */
    int32_t
        factor_cost_limit; /* sweeps that a factorisation may cost for an island to go to proxnewton; 0: none does */
    int32_t precision;     /* tru_precision */
} tru_ngs;
typedef struct tru_sor {
    double tolerance;          /* [-] */
    int32_t iterations;        /* */
    int32_t dense_limit;       /* */
    double relaxation;         /* [-] factor on every update, relaxed form only */
    int32_t factor_cost_limit; /* */
} tru_sor;
typedef struct tru_apgd {
    double tolerance;          /* [-] */
    int32_t iterations;        /* */
    int32_t dense_limit;       /* */
    int32_t factor_cost_limit; /* */
} tru_apgd;

/* ---- steppers */

typedef enum tru_scheme { TRU_MIDPOINT, TRU_PAPER } tru_scheme;
typedef enum tru_correction { TRU_HEIGHT, TRU_R7 } tru_correction;
typedef struct tru_moreau {
    double step;        /* [s] */
    int32_t scheme;     /* tru_scheme: midpoint (second order, default), paper (as published) */
    int32_t correction; /* tru_correction: height only, or the paper's nearest point in (m, -) mixed R^7 */
    double activation;  /* [m] gap below which a contact is active; default |gravity| step^2 */
    int32_t sweeps;     /* midpoint: gyroscopic iterations per step, 1 to 10 */
    tru_use solver;     /* {"newton", ...} */
} tru_moreau;

typedef enum tru_form { TRU_EXACT, TRU_RELAXED } tru_form;
typedef enum tru_impact { TRU_NEWTON_IMPACT, TRU_POISSON_IMPACT } tru_impact;
typedef enum tru_recover { TRU_RECOVER_POSE, TRU_RECOVER_VELOCITY } tru_recover;
typedef struct tru_cone {
    double step;     /* [s] */
    int32_t form;    /* tru_form: exact (Signorini and friction), relaxed (the convex problem as published) */
    double margin;   /* [m] gap up to which bodies count as neighbours, beyond what they can close in the step */
    int32_t recover; /* tru_recover: bodies are moved out of overlap, or (as published) get a velocity that they keep */
    double recovery; /* [m/s] fastest recovery of overlap */
    double stabilisation; /* [-] part of an overlap that is recovered in one step */
    double slop;          /* [m] gap or overlap that counts as touching */
    double threshold;     /* [m/s] closing speed above which restitution acts */
    int32_t impact;       /* tru_impact: what restitution is a ratio of */
    tru_use solver;       /* {"ngs", ...} */
} tru_cone;

typedef struct tru_event_driven { /* of stepper "event" */
    double step;                  /* [s] between records */
    double tolerance;             /* [-] relative error of the integrator's steps */
    double impulse_step;          /* [s] of moreau where it takes over; default step/100 */
    tru_use solver;               /* there; {"newton", ...} */
} tru_event_driven;

/* Schemes of stepper "variational"; the last four are explicit Runge-Kutta on the rolling equations. */
typedef enum tru_rolling_scheme {
    TRU_SE3,
    TRU_REDUCED,
    TRU_RK2_MIDPOINT,
    TRU_RK2_HEUN,
    TRU_RK2_RALSTON,
    TRU_RK4
} tru_rolling_scheme;
typedef enum tru_rolling_start { TRU_START_LEGENDRE, TRU_START_PAPER } tru_rolling_start;
typedef enum tru_not_rolling { TRU_STOP, TRU_IDEAL, TRU_SLIP } tru_not_rolling;
typedef enum tru_rim { TRU_RIM_LOWER, TRU_RIM_FIRST, TRU_RIM_SECOND } tru_rim;
typedef struct tru_variational {
    double step;              /* [s] */
    int32_t scheme;           /* tru_rolling_scheme */
    int32_t start;            /* tru_rolling_start: momentum of the start velocity (second order), or as published */
    int32_t when_not_rolling; /* tru_not_rolling: where friction or contact cannot keep the body rolling */
    int32_t rim;              /* tru_rim of a thick disk: the lower one, or one and the same even past upright */
    bool project;             /* accept a start that slips: it gets the velocity its angular velocity belongs to */
    bool angles;              /* Runge-Kutta: a disk in its three angles */
    tru_use solver;           /* where moreau takes over; {"newton", ...} */
} tru_variational;

typedef enum tru_normal { TRU_HOOKE, TRU_HERTZ, TRU_PRESCRIBED } tru_normal;
typedef enum tru_mapping { TRU_HALF_ANGLE, TRU_AUTHORS } tru_mapping;
typedef enum tru_roll_couple { TRU_BALANCED, TRU_PER_BODY } tru_roll_couple;
typedef enum tru_masses { TRU_REDUCED_MASS, TRU_MEAN_MASS } tru_masses;
typedef enum tru_dashpot { TRU_DASHPOT_LIMITED, TRU_DASHPOT_FREE } tru_dashpot;
typedef enum tru_normal_dashpot { TRU_NORMAL_CUT, TRU_NORMAL_PULLS, TRU_NORMAL_PUBLISHED } tru_normal_dashpot;
typedef struct tru_track {
    double step;             /* [s] */
    double stiffness;        /* [N/m] of the slide spring; default: as stiff as the step allows */
    double damping;          /* [-] of the slide spring while it sticks, in parts of 2 sqrt(mass stiffness) */
    double roll_stiffness;   /* [N m/rad] default: from the law, else the slide spring's frequency */
    double roll_damping;     /* [-] */
    double spin_damping;     /* [-] */
    int32_t normal;          /* tru_normal */
    double normal_stiffness; /* [N/m] hooke: default 1/compliance of the pair, else the slide spring's */
    double normal_damping;   /* [-] in parts of critical damping; default: from the pair's restitution */
    int32_t normal_dashpot;  /* tru_normal_dashpot: may the normal force pull, and which ratio it has */
    double normal_force;     /* [N] prescribed: of every contact */
    int32_t mapping;         /* tru_mapping: half angle, or as the authors' program does it */
    int32_t roll_couple;     /* tru_roll_couple: balanced, or one spring per body as published */
    int32_t masses;          /* tru_masses: reduced or mean mass and inertia of two bodies in the dampings */
    int32_t dashpot;         /* tru_dashpot: does the static cap limit spring and dashpot together */
    bool allow_unstable;     /* accept a step beyond the limit of stability */
} tru_track;

TRU_API tru_hull tru_default_hull(void);
TRU_API tru_coulomb tru_default_coulomb(void);
TRU_API tru_rolling tru_default_rolling(void);
TRU_API tru_contensou tru_default_contensou(void);
TRU_API tru_contour tru_default_contour(void);
TRU_API tru_track_law tru_default_track_law(void);
TRU_API tru_constant_torque tru_default_constant_torque(void);
TRU_API tru_luding tru_default_luding(void);
TRU_API tru_newton tru_default_newton(void);
TRU_API tru_prox tru_default_prox(void);
TRU_API tru_ngs tru_default_ngs(void);
TRU_API tru_proxnewton tru_default_proxnewton(void);
TRU_API tru_sor tru_default_sor(void);
TRU_API tru_apgd tru_default_apgd(void);
TRU_API tru_moreau tru_default_moreau(void);
TRU_API tru_cone tru_default_cone(void);
TRU_API tru_event_driven tru_default_event_driven(void);
TRU_API tru_variational tru_default_variational(void);
TRU_API tru_track tru_default_track(void);

#ifdef __cplusplus
}
#endif
#endif
