/* params.h: typed parameters of the built-in plug-ins: one struct per shape, law, solver and stepper.
 *
 * Start from the tru_default_... function, then set what differs. tru_use passes a pointer to the struct.
 * Ranges and defaults stand in the field table of the plug-in (plugin.h), which `trundle list` prints.
 * The same check runs for C and for scene files. A value out of range is TRU_OUT_OF_RANGE where it is used.
 * TRU_DERIVED asks the library for the derived default that a comment names. */
#ifndef TRUNDLE_PARAMS_H
#define TRUNDLE_PARAMS_H

#include <trundle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Radius that a friction length is a multiple of. */
typedef enum tru_radius {
    TRU_RADIUS_NONE,      /* none: the length itself is given */
    TRU_RADIUS_EFFECTIVE, /* 1/(curvature of A + curvature of B) */
    TRU_RADIUS_SMALLER    /* the smaller of the two body radii */
} tru_radius;
/* A friction length: either `length`, or a pure `factor` times a named radius. */
typedef struct tru_length {
    double length;  /* [m] at least 0; 0: the law does not claim the row kind */
    double factor;  /* [-] at least 0; needs `radius`, and `length` must be 0 */
    int32_t radius; /* tru_radius that `factor` multiplies */
} tru_length;

/* ---- shapes */

/* Parameters of shape "sphere". Shape "plane" has none: it is the half space z <= 0 of its own axes. */
typedef struct tru_sphere {
    double radius; /* [m] above 0 */
} tru_sphere;
/* Parameters of shape "box", centred at the shape's origin. */
typedef struct tru_box {
    tru_vec3 size; /* [m] edge lengths along the shape's axes */
} tru_box;
/* Parameters of shape "disk". Its axis of symmetry is the shape's z. */
typedef struct tru_disk {
    double radius;    /* [m] above 0, of the rim */
    double thickness; /* [m] at least 0; 0: one rim, else two rims at z = +-thickness/2 */
} tru_disk;
/* Parameters of shape "ellipsoid". */
typedef struct tru_ellipsoid {
    tru_vec3 semi_axes; /* [m] above 0, along the shape's axes */
} tru_ellipsoid;
/* Parameters of shape "capsule": a cylinder with two hemispheres. */
typedef struct tru_capsule {
    double radius; /* [m] above 0 */
    double length; /* [m] between the centres of the caps, along the shape's z */
} tru_capsule;
/* Most points of a hull. */
#define TRU_HULL_POINTS 64
/* Parameters of shape "hull": the convex hull of points, or a random stone. */
typedef struct tru_hull {
    const tru_vec3 *points; /* [m] 4 to TRU_HULL_POINTS points, not all in one plane; NULL: a random stone */
    size_t point_count;     /* number of points; 0: a random stone */
    double radius;          /* [m] sphere that holds the corners of a random stone; TRU_DERIVED with points */
    int32_t corners;        /* number of corners of a random stone */
    int32_t seed;           /* seed of a random stone */
    const void *built;      /* faces that the library builds; callers leave it NULL */
    size_t built_bytes;     /* bytes behind `built`; callers leave it 0 */
} tru_hull;

/* ---- laws: a law claims a row kind if its coefficient is not zero */

/* Parameters of law "coulomb": sliding friction. */
typedef struct tru_coulomb {
    double slide;        /* [-] friction force per normal force while sliding */
    double slide_static; /* [-] friction coefficient at zero slip; default: slide */
    double stribeck;     /* [m/s] slip speed scale on which slide_static falls to slide; 0: a jump */
} tru_coulomb;
/* Parameters of law "rolling": rolling and spinning friction. */
typedef struct tru_rolling {
    tru_length roll;       /* [m] limit of the roll couple per normal force */
    tru_length spin;       /* [m] limit of the spin couple per normal force */
    double roll_viscosity; /* [N m s] roll couple per roll rate */
    double spin_viscosity; /* [N m s] spin couple per spin rate */
} tru_rolling;

/* Parameters of law "contensou": sliding and spinning friction coupled by a contact patch. */
typedef struct tru_contensou {
    double slide, slide_static; /* [-] as in tru_coulomb */
    double stribeck;            /* [m/s] as in tru_coulomb */
    double patch;               /* [m] radius of the contact patch */
} tru_contensou;
/* Parameters of law "contour": friction against the motion of the contact point over the surface. */
typedef struct tru_contour {
    double contour;           /* [-] dry force per normal force */
    double contour_viscosity; /* [kg/s] viscous force per speed of the contact point over the surface */
} tru_contour;

/* Parameters of law "track", for stepper track: limits of its springs after Fang and Negrut. */
typedef struct tru_track_law {
    double slide, slide_static; /* [-] as in tru_coulomb, without a Stribeck speed */
    double eta_r;               /* [-] roll couple at most 2 eta_r slide N / (summed curvatures) */
    double eta_psi;             /* [-] spin couple at most eta_psi slide N / (curvature of the closure) */
    tru_length roll, spin;      /* [m] couple per normal force, instead of eta_r and eta_psi */
    double spin_curvature;      /* [1/m] curvature of the spin closure; default: mean curvature of the contact */
    double modulus; /* [Pa] effective modulus of the pair, for Hertz's patch in the spin closure; 0: unknown */
} tru_track_law;

/* Parameters of law "constant_torque", for stepper track: couples of constant size against the rate. */
typedef struct tru_constant_torque {
    tru_length roll, spin; /* [m] couple per normal force */
} tru_constant_torque;

/* Parameters of law "luding", for stepper track: springs stretched by rates, limited together with their dashpots. */
typedef struct tru_luding {
    double slide, slide_static; /* [-] as in tru_coulomb, without a Stribeck speed */
    tru_length roll, spin;      /* [m] couple per normal force */
} tru_luding;

/* ---- solvers */

/* Parameters of solver "newton": dense semismooth Newton steps, for few contacts. */
typedef struct tru_newton {
    double tolerance;  /* [-] largest residual relative to the velocity scale of the step */
    int32_t max_steps; /* most Newton steps before the Gauss-Seidel fallback */
} tru_newton;
/* Parameters of solver "prox": the published fixed point of projections. */
typedef struct tru_prox {
    int32_t rho;        /* 0 local (1/G per row kind), 1 constant */
    double rho_value;   /* [kg] rho of normal and slide rows, with rho constant */
    double relaxation;  /* [-] factor on the local rho */
    double tolerance;   /* [-] change of the impulses in one iteration relative to m g h */
    int32_t iterations; /* most iterations */
    int32_t start;      /* first guess: 0 last step's impulses (as published), 1 extrapolated, 2 zero */
} tru_prox;

/* Parameters of solver "proxnewton": proximal points by Newton steps in the velocities. */
typedef struct tru_proxnewton {
    double tolerance;   /* [-] largest residual relative to the velocity scale of the step */
    int32_t iterations; /* most Newton steps */
    double softness;    /* [-] epsilon: proximal weight relative to the response of a single contact */
} tru_proxnewton;

/* Arithmetic of the sweeps of solver ngs. */
typedef enum tru_precision {
    TRU_MIXED, /* single precision while it suffices, then double */
    TRU_DOUBLE /* double precision throughout */
} tru_precision;

/* Parameters of solver "ngs": Gauss-Seidel sweeps with momentum and restart, for many contacts. */
typedef struct tru_ngs {
    double tolerance;          /* [-] velocity error relative to gravity times step at which sweeps stop */
    int32_t iterations;        /* most sweeps */
    int32_t dense_limit;       /* islands of at most this many contacts go to solver newton */
    int32_t factor_cost_limit; /* cost of a factorisation, in sweeps, up to which islands go to proxnewton; 0: never */
    int32_t precision;         /* tru_precision */
} tru_ngs;
/* Parameters of solver "sor": Gauss-Seidel sweeps with over-relaxation as published, for many contacts. */
typedef struct tru_sor {
    double tolerance;          /* [-] as in tru_ngs */
    int32_t iterations;        /* most sweeps */
    int32_t dense_limit;       /* as in tru_ngs */
    double relaxation;         /* [-] factor on every update, relaxed form only */
    int32_t factor_cost_limit; /* as in tru_ngs */
} tru_sor;
/* Parameters of solver "apgd": accelerated projected gradient descent, for many contacts. */
typedef struct tru_apgd {
    double tolerance;          /* [-] as in tru_ngs */
    int32_t iterations;        /* most iterations */
    int32_t dense_limit;       /* as in tru_ngs */
    int32_t factor_cost_limit; /* as in tru_ngs */
} tru_apgd;

/* ---- steppers */

/* Time stepping scheme of stepper moreau. */
typedef enum tru_scheme {
    TRU_MIDPOINT, /* second order */
    TRU_PAPER     /* as published, first order */
} tru_scheme;
/* How stepper moreau closes overlaps. */
typedef enum tru_correction {
    TRU_HEIGHT, /* along the normal */
    TRU_R7      /* as published: to the nearest point in metres and quaternion components, scheme paper only */
} tru_correction;
/* Parameters of stepper "moreau": nonsmooth time stepping with impulses that obey the contact laws. */
typedef struct tru_moreau {
    double step;        /* [s] time step, above 0 */
    int32_t scheme;     /* tru_scheme */
    int32_t correction; /* tru_correction */
    double activation;  /* [m] gap below which a contact is active; default |gravity| step^2 */
    int32_t sweeps;     /* 1 to 10 gyroscopic iterations per step, scheme midpoint */
    tru_use solver;     /* solver of the contact problem; default newton */
} tru_moreau;

/* Contact problem of stepper cone. */
typedef enum tru_form {
    TRU_EXACT,  /* Signorini's condition and friction: slipping contacts stay closed */
    TRU_RELAXED /* the convex problem as published: slipping contacts lift */
} tru_form;
/* Meaning of restitution under stepper cone. */
typedef enum tru_impact {
    TRU_NEWTON_IMPACT, /* ratio of the speeds after and before */
    TRU_POISSON_IMPACT /* ratio of the impulses of expansion and compression */
} tru_impact;
/* How stepper cone recovers overlap. */
typedef enum tru_recover {
    TRU_RECOVER_POSE,    /* moves the bodies apart */
    TRU_RECOVER_VELOCITY /* as published: gives the bodies a velocity that they keep */
} tru_recover;
/* Parameters of stepper "cone": time stepping for many bodies. */
typedef struct tru_cone {
    double step;          /* [s] time step, above 0 */
    int32_t form;         /* tru_form */
    double margin;        /* [m] gap up to which bodies count as neighbours, beyond what they can close in the step */
    int32_t recover;      /* tru_recover */
    double recovery;      /* [m/s] fastest recovery of overlap */
    double stabilisation; /* [-] part of an overlap that one step recovers */
    double slop;          /* [m] gap or overlap that counts as touching */
    double threshold;     /* [m/s] closing speed above which restitution acts */
    int32_t impact;       /* tru_impact */
    tru_use solver;       /* solver of the contact problem; default ngs */
} tru_cone;

/* Parameters of stepper "event": one body on planes, integrated with located events. */
typedef struct tru_event_driven {
    double step;         /* [s] time between records, above 0; the integrator chooses its own steps */
    double tolerance;    /* [-] relative error of the integrator's steps */
    double impulse_step; /* [s] step of moreau while it takes over; default step/100 */
    tru_use solver;      /* solver while moreau takes over; default newton */
} tru_event_driven;

/* Schemes of stepper variational. The last four are explicit Runge-Kutta schemes on the rolling equations. */
typedef enum tru_rolling_scheme {
    TRU_SE3,          /* variational, any convex body */
    TRU_REDUCED,      /* variational as published: a disk in its three angles */
    TRU_RK2_MIDPOINT, /* Runge-Kutta of order 2, midpoint rule */
    TRU_RK2_HEUN,     /* Runge-Kutta of order 2, Heun's rule */
    TRU_RK2_RALSTON,  /* Runge-Kutta of order 2, Ralston's rule */
    TRU_RK4           /* Runge-Kutta of order 4 */
} tru_rolling_scheme;
/* First step of scheme TRU_REDUCED. */
typedef enum tru_rolling_start {
    TRU_START_LEGENDRE, /* from the momentum of the start velocity, second order */
    TRU_START_PAPER     /* as published: angles advance by step times velocity, first order */
} tru_rolling_start;
/* What stepper variational does where rolling needs more friction than there is.
 * A contact that would have to pull stops the run unless TRU_IDEAL is set. */
typedef enum tru_not_rolling {
    TRU_STOP,  /* stops the run */
    TRU_IDEAL, /* keeps rolling */
    TRU_SLIP   /* slips; scheme TRU_SE3 only */
} tru_not_rolling;
/* Rim on which a thick disk rolls under stepper variational. */
typedef enum tru_rim {
    TRU_RIM_LOWER, /* the one that touches */
    TRU_RIM_FIRST, /* the one at z = -thickness/2, also past upright */
    TRU_RIM_SECOND /* the one at z = +thickness/2, also past upright */
} tru_rim;
/* Parameters of stepper "variational": one body that rolls on a plane without slipping. */
typedef struct tru_variational {
    double step;              /* [s] time step, above 0 */
    int32_t scheme;           /* tru_rolling_scheme */
    int32_t start;            /* tru_rolling_start */
    int32_t when_not_rolling; /* tru_not_rolling */
    int32_t rim;              /* tru_rim */
    bool project;             /* accept a start that slips, with the velocity that its angular velocity belongs to */
    bool angles;              /* Runge-Kutta schemes: describe a disk by its three angles */
    tru_use solver;           /* solver while moreau takes over; default newton */
} tru_variational;

/* Normal force of stepper track. */
typedef enum tru_normal {
    TRU_HOOKE,     /* linear in the overlap */
    TRU_HERTZ,     /* after Hertz, with the modulus of the law */
    TRU_PRESCRIBED /* the same given force in every contact */
} tru_normal;
/* How stepper track brings the paths on both surfaces together. */
typedef enum tru_mapping {
    TRU_HALF_ANGLE, /* half way through the spin */
    TRU_AUTHORS     /* as the authors' program does it, which drifts */
} tru_mapping;
/* Roll springs of stepper track. */
typedef enum tru_roll_couple {
    TRU_BALANCED, /* one spring per contact with opposite couples on both bodies */
    TRU_PER_BODY  /* one spring per body as published */
} tru_roll_couple;
/* Mass and inertia of two free bodies in stiffness and damping of stepper track. */
typedef enum tru_masses {
    TRU_REDUCED_MASS, /* reduced mass and inertia */
    TRU_MEAN_MASS     /* their mean, as published */
} tru_masses;
/* Friction limit of stepper track. */
typedef enum tru_dashpot {
    TRU_DASHPOT_LIMITED, /* limits spring and dashpot together */
    TRU_DASHPOT_FREE     /* limits the spring alone */
} tru_dashpot;
/* Normal dashpot of stepper track. */
typedef enum tru_normal_dashpot {
    TRU_NORMAL_CUT,      /* never pulls; the damping ratio gives the pair's restitution */
    TRU_NORMAL_PULLS,    /* may pull while the bodies overlap */
    TRU_NORMAL_PUBLISHED /* never pulls, with the damping ratio of TRU_NORMAL_PULLS; bounces too high */
} tru_normal_dashpot;
/* Parameters of stepper "track": springs and dashpots in every contact, with memory. */
typedef struct tru_track {
    double step;             /* [s] time step, above 0 */
    double stiffness;        /* [N/m] of the slide spring; default: as stiff as the step allows */
    double damping;          /* [-] dashpot of a slide spring that sticks, relative to 2 sqrt(mass stiffness) */
    double roll_stiffness;   /* [N m/rad] default: from the law, else with the frequency of the slide spring */
    double roll_damping;     /* [-] dashpot of a roll spring that sticks, relative to 2 sqrt(inertia stiffness) */
    double spin_damping;     /* [-] dashpot of a spin spring that sticks, relative to 2 sqrt(inertia stiffness) */
    int32_t normal;          /* tru_normal */
    double normal_stiffness; /* [N/m] hooke: default 1/compliance of the pair, else that of the slide spring */
    double normal_damping;   /* [-] relative to critical damping; default: from the pair's restitution */
    int32_t normal_dashpot;  /* tru_normal_dashpot */
    double normal_force;     /* [N] prescribed: force of every contact */
    int32_t mapping;         /* tru_mapping */
    int32_t roll_couple;     /* tru_roll_couple */
    int32_t masses;          /* tru_masses */
    int32_t dashpot;         /* tru_dashpot */
    bool allow_unstable;     /* accept a step beyond the limit of stability */
} tru_track;

/* ---- defaults */

/* Returns the default parameters of shape "hull". Points, or the radius of a random stone, must be set. */
TRU_API tru_hull tru_default_hull(void);
/* Returns the default parameters of law "coulomb". */
TRU_API tru_coulomb tru_default_coulomb(void);
/* Returns the default parameters of law "rolling". */
TRU_API tru_rolling tru_default_rolling(void);
/* Returns the default parameters of law "contensou". */
TRU_API tru_contensou tru_default_contensou(void);
/* Returns the default parameters of law "contour". */
TRU_API tru_contour tru_default_contour(void);
/* Returns the default parameters of law "track". */
TRU_API tru_track_law tru_default_track_law(void);
/* Returns the default parameters of law "constant_torque". */
TRU_API tru_constant_torque tru_default_constant_torque(void);
/* Returns the default parameters of law "luding". */
TRU_API tru_luding tru_default_luding(void);
/* Returns the default parameters of solver "newton". */
TRU_API tru_newton tru_default_newton(void);
/* Returns the default parameters of solver "prox". */
TRU_API tru_prox tru_default_prox(void);
/* Returns the default parameters of solver "ngs". */
TRU_API tru_ngs tru_default_ngs(void);
/* Returns the default parameters of solver "proxnewton". */
TRU_API tru_proxnewton tru_default_proxnewton(void);
/* Returns the default parameters of solver "sor". */
TRU_API tru_sor tru_default_sor(void);
/* Returns the default parameters of solver "apgd". */
TRU_API tru_apgd tru_default_apgd(void);
/* Returns the default parameters of stepper "moreau". */
TRU_API tru_moreau tru_default_moreau(void);
/* Returns the default parameters of stepper "cone". */
TRU_API tru_cone tru_default_cone(void);
/* Returns the default parameters of stepper "event". */
TRU_API tru_event_driven tru_default_event_driven(void);
/* Returns the default parameters of stepper "variational". */
TRU_API tru_variational tru_default_variational(void);
/* Returns the default parameters of stepper "track". */
TRU_API tru_track tru_default_track(void);

#ifdef __cplusplus
}
#endif
#endif
