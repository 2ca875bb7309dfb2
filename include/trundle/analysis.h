/* analysis.h: mechanics as pure functions: steady motions of a disk, its energy decay, a ball's run, how slip ends, piles,
 * elastic contact.
 *
 *     tru_disk_body d = tru_disk_homogeneous(0.0375, 0.3048, 9.81);
 *     tru_disk_steady s;
 *     tru_disk_stationary(&d, 1.3, &s);          precession, nutation, friction demand at an inclination of 1.3 rad
 *     tru_decay a = tru_disk_decay(&d, TRU_DECAY_CONTOUR, 3e-4, 0.0);
 *     tru_decay_time(&a, 1, s.energy);           seconds until it lies flat
 *
 * Nothing here changes a world; what is known of a body in one enters through tru_disk_of, tru_limit_of_body. Equation
 * numbers are those of Le Saux, Leine, Glocker 2005 [LSLG05], with general A and C where the paper has a homogeneous
 * disk, and of Antali, Stepan 2019 [AS19]. */
#ifndef TRUNDLE_ANALYSIS_H
#define TRUNDLE_ANALYSIS_H

#include <trundle/trundle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a thin disk or hoop on a plane (src/analysis/disk.c) */

/* A thin round body with a rim, symmetric about its axis, and the gravity it feels. All values above 0. */
typedef struct tru_disk_body {
    double radius;  /* [m] r of the rim */
    double mass;    /* [kg] m */
    double across;  /* [kg m^2] A: inertia about a diameter */
    double axial;   /* [kg m^2] C: inertia about the axis of symmetry */
    double gravity; /* [m/s^2] g */
} tru_disk_body;

TRU_API tru_disk_body tru_disk_homogeneous(double radius, double mass, double gravity); /* A = m r^2/4, C = m r^2/2 */
TRU_API tru_disk_body tru_disk_hoop(double radius, double mass, double gravity);        /* A = m r^2/2, C = m r^2 */
/* A body of a world as a thin disk; refused with a sentence when it is none (shape, thickness, centre, symmetry). */
TRU_API tru_status tru_disk_of(const tru_body_info *body, const tru_shape_def *shape, double gravity,
                               tru_disk_body *out, tru_error *err);

/* Angles and rates of a disk on a plane. alpha turns the horizontal diameter about the plane's normal, beta is the
 * inclination (0 upright, +-pi/2 flat), gamma turns the disk about its axis [LSLG05 section 5.1]. */
typedef struct tru_disk_angles {
    double alpha, beta, gamma;                /* [rad] alpha, gamma in -pi .. pi; 0 on a disk that lies flat */
    double alpha_rate, beta_rate, gamma_rate; /* [rad/s] infinite in the limit of lying flat; 0 there */
    double psi_rate;                          /* [rad/s] of the contact point along the rim, -gamma_rate */
    double spin;                              /* [rad/s] about the plane's normal: alpha_rate + gamma_rate sin beta */
    double cos_beta;                          /* [-] without the cancellation of cos(beta) near flat */
} tru_disk_angles;

/* `turn`: orientation of the disk shape on its body; `up`: unit normal of the plane, towards the disk. */
TRU_API tru_disk_angles tru_disk_angles_of(const tru_body_state *state, tru_quat turn, tru_vec3 up);

/* How pure rolling goes on from a state: (5.5)-(5.7) for any A and C, with a force against the contact point's motion
 * along the rim (contour friction) and couples (rolling and spinning friction). */
typedef struct tru_disk_push {
    double contour; /* [N] on r gamma_rate */
    double along;   /* [N m] couple about the horizontal diameter */
    double across;  /* [N m] couple about the horizontal line across it */
    double spin;    /* [N m] couple about the normal */
} tru_disk_push;
typedef struct tru_disk_rolling {
    double alpha_rate2, beta_rate2, gamma_rate2; /* [rad/s^2] second derivatives of the angles */
    double normal;                               /* [N] normal force */
    double friction;                             /* [N] size of the friction force that keeps it rolling */
} tru_disk_rolling;
TRU_API tru_disk_rolling tru_disk_roll_on(const tru_disk_body *disk, const tru_disk_angles *now,
                                          const tru_disk_push *push);

/* Circular rolling: constant inclination, constant rates [LSLG05 section 5.2]. */
typedef struct tru_disk_steady {
    double beta;                   /* [rad] 0 .. pi/2 */
    double ratio;                  /* [-] rho = r / radius of the circle of contact points = -alpha_rate / gamma_rate */
    double alpha_rate, gamma_rate; /* [rad/s] alpha_rate > 0 > gamma_rate; the mirrored motion has both signs changed */
    double spin;                   /* [rad/s] about the vertical */
    double speed;                  /* [m/s] of the centre, along its circle */
    double rate;                   /* [rad/s] |omega| */
    double energy;                 /* [J] kinetic and potential, zero when flat at rest */
    double demand;                 /* [-] friction force per normal force that it needs; chi = demand / slide */
    double oscillation;            /* [rad^2/s^2] squared frequency of small oscillations, < 0: unstable */
} tru_disk_steady;

/* The circular motion with inclination beta (0 < beta < pi/2) and ratio r/R (5.12), or a sentence where there is none:
 * ratio sin beta must be below (C + m r^2) / (C + m r^2 - A), 6/5 for a homogeneous disk. */
TRU_API tru_status tru_disk_circular(const tru_disk_body *disk, double beta, double ratio, tru_disk_steady *out,
                                     tru_error *err);
/* The one whose centre stands still: ratio sin beta = 1 (5.14), (5.15). */
TRU_API tru_status tru_disk_stationary(const tru_disk_body *disk, double beta, tru_disk_steady *out, tru_error *err);
/* The one without spin about the vertical: ratio = sin beta. Dry spinning friction does not brake it. */
TRU_API tru_status tru_disk_spinless(const tru_disk_body *disk, double beta, tru_disk_steady *out, tru_error *err);

/* Squared frequency of small oscillations about steady rolling with these values (5.22), general A and C; straight
 * upright rolling and upright spinning included. [rad^2/s^2] */
TRU_API double tru_disk_oscillation(const tru_disk_body *disk, double beta, double alpha_rate, double gamma_rate);
/* Friction force per normal force in circular rolling (5.26); over the sliding coefficient it is chi (5.28). [-] */
TRU_API double tru_disk_demand(const tru_disk_body *disk, double beta, double ratio);
/* Kinetic energy and height of the centre for pure rolling with these angles. [J] */
TRU_API double tru_disk_energy(const tru_disk_body *disk, const tru_disk_angles *now);

/* ---- how its energy goes (src/analysis/disk_decay.c) */

typedef enum tru_decay_law {
    TRU_DECAY_CONTOUR,         /* coefficient [-]: law contour, dry */
    TRU_DECAY_CONTOUR_VISCOUS, /* coefficient [kg/s] */
    TRU_DECAY_ROLL,            /* coefficient [m]: law rolling, dry */
    TRU_DECAY_ROLL_VISCOUS,    /* coefficient [N m s] */
    TRU_DECAY_CONTENSOU,       /* coefficient [-] slide, and the patch radius [m] */
    TRU_DECAY_LAWS
} tru_decay_law;

/* dE/dt = -factor E^power near flat, from stationary rolling with E = (3/2) m g r cos beta. */
typedef struct tru_decay {
    double factor; /* [unit of the law] J^(1 - power) / s */
    double power;  /* [-] -1/2 contour, -1 viscous contour, 1/2 roll, 1 viscous roll, 3/2 contensou */
} tru_decay;

/* Table of [LSLG05 section 5.5] with its errata: (5.37), (5.40), (5.43), (5.46), (5.53). `patch` [m]: contensou
 * only. */
TRU_API tru_decay tru_disk_decay(const tru_disk_body *disk, tru_decay_law law, double coefficient, double patch);
/* Name of a law of decay as scenes write it, "contour", "roll_viscosity"; NULL past the end. */
TRU_API const char *tru_decay_name(int law);
/* Energy a time t [s] after it was `energy` [J] under one law; 0 once it has ended. [J] */
TRU_API double tru_decay_energy(const tru_decay *decay, double energy, double t);
/* Time until the energy is gone under several laws at once; infinite when none of them ends it. [s] */
TRU_API double tru_decay_time(const tru_decay *decays, size_t count, double energy);
/* n of alpha_rate ~ (t_end - t)^(-1/n): 3, 4, 1; infinite for laws that take for ever. [-] */
TRU_API double tru_decay_exponent(const tru_decay *decay);
/* Precession rate in stationary rolling near flat at this energy. [rad/s] */
TRU_API double tru_disk_precession(const tru_disk_body *disk, double energy);

/* Upright and straight: gamma_rate' = -deceleration sign(gamma_rate) - rate gamma_rate. Only for laws that roll. */
typedef struct tru_disk_brake {
    double deceleration; /* [rad/s^2] */
    double rate;         /* [1/s] */
} tru_disk_brake;
TRU_API tru_disk_brake tru_disk_upright_roll(const tru_disk_body *disk, tru_decay_law law, double coefficient);
/* Upright, spinning about the vertical under law contensou: A alpha_rate' = -(3 pi/16) slide m g patch. [rad/s^2] */
TRU_API double tru_disk_upright_spin(const tru_disk_body *disk, double slide, double patch);

/* ---- a disk of a world (src/analysis/disk_world.c) */

/* How a disk of a world moves on what it touches. */
typedef struct tru_disk_view {
    tru_disk_angles angles; /* against the normal of its contact; against gravity while it touches nothing */
    bool thin;              /* the closed forms hold: thin, symmetric, alone on its body */
    tru_disk_body disk;     /* if thin */
    double slide;           /* [-] largest coefficient of sliding friction where it touches; 0: no contact or none */
    double demand;          /* [-] if thin: friction per normal force of circular rolling with these angles (5.26) */
    double oscillation;     /* [rad^2/s^2] if thin: squared frequency of small oscillations about it (5.22) */
    double energy;          /* [J] if thin: of pure rolling with these angles, zero when flat */
    tru_decay decays[TRU_PAIR_LAWS + 2]; /* if thin: of the laws where it touches */
    int32_t decay_count;                 /* */
} tru_disk_view;
/* Refused with a sentence when the first shape of the body is no disk or the body is not free; where it is a disk but not
 * thin, *err says why the closed forms do not hold. */
TRU_API tru_status tru_disk_of_body(const tru_world *world, tru_id body, tru_disk_view *out, tru_error *err);

/* ---- a body that rolls without slipping (src/analysis/disk_integrals.c, src/steppers/variational/step_variational_probe.c) */

/* A disk of radius r and mass M on a rim, in pure numbers. */
typedef struct tru_rolling_disk {
    double half_thickness; /* [-] over r */
    double across, axial;  /* [-] inertia about a diameter and about the axis, over M r^2 */
} tru_rolling_disk;

/* Two first integrals: what Omega = phi' cos theta + psi' and p = phi' sin theta [rad/s] become at theta = pi/2; theta is
 * the angle of the disk to the plane, 0 < theta < pi. */
TRU_API void tru_rolling_upright(const tru_rolling_disk *disk, double theta, double omega, double p, double out[2]);
/* The same for a thin disk as c1, c2 of Omega = c1 P_nu(cos theta) + c2 P_nu(-cos theta), Legendre functions. [rad/s] */
TRU_API void tru_rolling_legendre(const tru_rolling_disk *disk, double theta, double omega, double p, double out[2]);

/* How a body rolls on its plane. What only a disk has is not a number for other bodies. */
typedef struct tru_rolling_view {
    double energy_middle;                  /* [J] in the middle of the last step, from its way; NaN before it */
    double theta;                          /* [rad] disk: angle to the plane, on the side of its rim in contact */
    double theta_rate, phi_rate, psi_rate; /* [rad/s] disk: leaning, heading, rolling */
} tru_rolling_view;
/* Refused with a sentence unless the world's stepper is variational and the body is its free one. */
TRU_API tru_status tru_rolling_of_body(const tru_world *world, tru_id body, tru_rolling_view *out, tru_error *err);
/* The disk of such a view, for its first integrals; refused likewise, and when the body is no disk. */
TRU_API tru_status tru_rolling_disk_of(const tru_world *world, tru_id body, tru_rolling_disk *out, tru_error *err);

/* ---- a ball on a plane, along the line of steepest slope (src/analysis/ball.c) */

typedef struct tru_ball {
    double radius;  /* [m] R */
    double mass;    /* [kg] m */
    double inertia; /* [kg m^2] J, 2/5 m R^2 when solid */
    double gravity; /* [m/s^2] g */
    double incline; /* [rad] 0 .. below pi/2; positions and velocities count down the slope */
    double slide;   /* [-] coefficient of law coulomb */
    double roll;    /* [m] of law rolling */
    double spin;    /* [m] of law rolling */
} tru_ball;

typedef enum tru_ball_mode { TRU_BALL_RESTS, TRU_BALL_ROLLS, TRU_BALL_SLIDES } tru_ball_mode;

/* What the ball does from now on, until the law acts otherwise. */
typedef struct tru_ball_phase {
    int32_t mode;        /* tru_ball_mode */
    double velocity;     /* [m/s] at its start */
    double rate;         /* [rad/s] at its start, about the horizontal line across the slope; rolling: velocity / R */
    double acceleration; /* [m/s^2] */
    double spin_up;      /* [rad/s^2] change of rate */
    double time;         /* [s] it lasts; infinite when nothing ends it */
    double distance;     /* [m] gone within it; infinite likewise when it moves */
    double end_velocity; /* [m/s] */
    double end_rate;     /* [rad/s] */
} tru_ball_phase;
TRU_API tru_ball_phase tru_ball_next(const tru_ball *ball, double velocity, double rate);
/* Position and velocity after a time t [s], through all phases; returns the number of phases passed. */
TRU_API int tru_ball_after(const tru_ball *ball, double velocity, double rate, double t, tru_ball_phase *last,
                           double *position);
/* Time in which the spin friction stops a spin about the normal; infinite without any. [s] */
TRU_API double tru_ball_spin_time(const tru_ball *ball, double spin_rate);

/* ---- limit directions of a contact (src/analysis/limit*.c)
 *
 * One body touches a plane at one point. How does the slip u of that point behave as it goes to zero? After Antali and
 * Stepan 2019 [AS19], for normal forces that depend on the direction of slip. Axes of a contact: (t1, t2, n), n from
 * the plane to the body; phi is the angle of a direction from t1 towards t2.
 *
 *     tru_limit_body b = ...;                        mass, inertia, rates, loads, contact arm, curvature, friction
 *     tru_limit_problem p;
 *     tru_limit l;
 *     tru_limit_problem_of(&b, &p, &err);            tru_limit_of_body gives the b of a body in a world
 *     tru_limit_directions(&p, &l, &err);            l.which: TRU_CASE_III; l.rolls; l.directions[l.exit].angle */

/* A direction in world axes about which the body may not turn: axis . omega stays as it is. */
typedef struct tru_blocked {
    tru_vec3 axis;      /* [-] unit vector */
    tru_vec3 axis_rate; /* [1/s] how the axis itself turns, 0 when it is fixed in the world */
} tru_blocked;

/* A body at a point of a plane, in world axes. */
typedef struct tru_limit_body {
    double mass;                 /* [kg] > 0 */
    tru_mat3 inertia;            /* [kg m^2] J about the centre of mass, positive definite */
    tru_vec3 angular_velocity;   /* [rad/s] */
    tru_vec3 normal, t1, t2;     /* [-] right-handed: n = t1 x t2 */
    tru_vec3 arm;                /* [m] r_PC from the contact point to the centre of mass */
    double inverse_curvature[3]; /* [m] H of the surface at the point: 11, 12, 22 along (t1, t2); rank < 2 at rims */
    tru_vec3 force;              /* [N] of gravity and loads, at the centre of mass */
    tru_vec3 torque;             /* [N m] of loads, about the centre of mass */
    tru_blocked blocked[3];      /* */
    int32_t blocked_count;       /* 0 .. 3; the axes are linearly independent */
    double slide, slide_static;  /* [-] 0 <= slide <= slide_static */
    double stribeck;             /* [m/s] slip over which static falls to slide; 0: at once */
} tru_limit_body;

/* The same after everything but the contact is eliminated, in contact axes: with the contact force F the contact point
 * accelerates by response F + free_point, the body turns by turning F + free_turning. */
typedef struct tru_limit_problem {
    tru_mat3 response;          /* [1/kg] G, symmetric positive definite */
    tru_vec3 free_point;        /* [m/s^2] b */
    tru_mat3 turning;           /* [1/kg m] -J^-1 [r] */
    tru_vec3 free_turning;      /* [rad/s^2] */
    double path[2];             /* [m/s] w_P: how fast the point moves over the surface along (t1, t2) */
    double slide, slide_static; /* [-] */
    double stribeck;            /* [m/s] */
} tru_limit_problem;

/* How small slips end. Directions: all, of which repelling; in V rolling and slipping coexist, in VI two ways out compete
 * (neither is in [AS19]). */
#define TRU_CASE_LIST(X)                                                                                               \
    X(LIFT, "lift", "no normal force without friction: the contact opens")                                             \
    X(I, "I", "2 directions, 0 repelling: every small slip dies along one direction, then the body rolls")             \
    X(II, "II", "4 directions, 0 repelling: every small slip dies along one of two directions, then the body rolls")   \
    X(III, "III", "2 directions, 1 repelling: the body slips away along it")                                           \
    X(IV, "IV", "4 directions, 1 repelling: some slips reach zero first, all leave along the repelling one")           \
    X(V, "V", "4 directions, 2 repelling: some small slips die, others grow; rolling stays rolling")                   \
    X(VI, "VI", "4 directions, 3 repelling: the body slips away along one of two directions")                          \
    X(EVERY, "every", "every direction is a limit direction, as for a homogeneous ball; small slips die straight on")  \
    X(PAINLEVE, "painleve", "slip in some directions has no finite force, or two solutions: friction times lever >= 1")
typedef enum tru_limit_case {
#define TRU_CASE_ENTRY(name, text, doc) TRU_CASE_##name,
    TRU_CASE_LIST(TRU_CASE_ENTRY)
#undef TRU_CASE_ENTRY
        TRU_CASES
} tru_limit_case;

/* A direction in which slip reaches or leaves zero. */
typedef struct tru_limit_direction {
    double angle;        /* [rad] 0 .. 2 pi */
    double cosine, sine; /* [-] */
    double radial;       /* [m/s^2] du/dt along it: > 0 repelling, < 0 attracting */
    double angular;      /* [m/s^2] u dphi/dt per radian beside it: < 0 slips turn into it, > 0 out of it */
    double growth;       /* [1/s] change of radial per slip speed, from Stribeck friction */
    double margin; /* [-] D = 1 - mu a.e; where it is not above 0 there is no finite force, and radial = angular = 0 */
    double normal; /* [N] N0/D, 0 where there is no finite force */
    bool repelling, stable;
} tru_limit_direction;

#define TRU_LIMIT_DIRECTIONS 4

typedef struct tru_limit {
    double normal0;                    /* [N] N0: normal force without friction */
    double couple[2];                  /* [-] a: N = N0 - a . friction force */
    double schur[3];                   /* [1/kg] S: 11, 12, 22 */
    double field_cos[2], field_sin[2]; /* [m/s^2] A, B: D du/dt = A cos phi + B sin phi + C */
    double field_free[2];              /* [m/s^2] C: slip acceleration without friction */
    double wedge;                      /* [-] mu |a|; 1 or more: Painleve */
    double roll_force[2];              /* [N] friction force that keeps u = 0 */
    double roll_normal;                /* [N] normal force with it */
    double needed;                     /* [-] |roll_force| / roll_normal; DBL_MAX if that is no contact */
    bool rolls;                        /* needed <= slide_static */
    bool definite;                     /* sym(A B) negative definite: cases V and VI cannot be */
    bool near_fold;                    /* two directions are about to appear or vanish */
    int32_t which;                     /* tru_limit_case */
    int32_t count;                     /* of directions; -1: every direction */
    int32_t exit;                      /* the repelling, stable one a slip leaves along, or -1 */
    tru_limit_direction directions[TRU_LIMIT_DIRECTIONS]; /* by ascending angle */
} tru_limit;

/* A free body of a world where it touches a fixed plane. */
typedef struct tru_limit_contact {
    tru_limit_body body;    /* t1, t2 of the plane as everywhere: x and y where n is z */
    tru_id plane;           /* the fixed body */
    tru_vec3 point;         /* [m] of contact, world axes */
    double gap;             /* [m] */
    double slip[2];         /* [m/s] velocity of the contact point along t1, t2 */
    double approach;        /* [m/s] closing speed */
    int32_t shape, feature; /* k-th shape of the body, and which of its points */
} tru_limit_contact;

/* The body's state and loads of now, friction from the law of the pair. Refused with a sentence: no fixed plane within
 * 1e-6 of the body's size (or in contact in the last step), several points at once, laws beside coulomb. */
TRU_API tru_status tru_limit_of_body(const tru_world *world, tru_id body, tru_limit_contact *out, tru_error *err);

/* Eliminate inertia, gyroscopic torque, loads and blocked axes. */
TRU_API tru_status tru_limit_problem_of(const tru_limit_body *body, tru_limit_problem *out, tru_error *err);
/* All limit directions. near_fold: an extremum of the angular field comes within TRU_LIMIT_FOLD of zero, relative to
 * |A B| + |C|; the count is then not to be trusted. A state is TRU_CASE_EVERY when the whole angular field is below
 * TRU_LIMIT_FLAT in the same measure. Fails only on input that is not finite or not positive definite. */
#define TRU_LIMIT_FOLD 1e-6
#define TRU_LIMIT_FLAT 1e-10
TRU_API tru_status tru_limit_directions(const tru_limit_problem *problem, tru_limit *out, tru_error *err);
/* "IV", and what it means. */
TRU_API const char *tru_limit_case_name(int which);
TRU_API const char *tru_limit_case_text(int which);

/* ---- springs of a contact (src/api/springs_api.c) */

/* Of the k-th contact under stepper track, as the last step loaded them; rows as in tru_contact_info. */
typedef struct tru_contact_springs {
    double stretch
        [TRU_ROWS]; /* [m] normal: overlap; slide; [rad] spin, roll: how far A has moved over B since they were slack */
    double stiffness[TRU_KINDS]; /* [N/m] normal, slide; [N m/rad] spin, roll */
    double energy[TRU_KINDS];    /* [J] stored */
} tru_contact_springs;
/* TRU_REFUSED: the contact has no springs, as under every other stepper. */
TRU_API tru_status tru_contact_springs_get(const tru_world *world, size_t k, tru_contact_springs *out, tru_error *err);

/* ---- elastic contact after Hertz (src/analysis/hertz.c) */

/* One of two elastic bodies where they touch. */
typedef struct tru_hertz_body {
    double modulus; /* [Pa] Young's, > 0 */
    double poisson; /* [-] Poisson's ratio, above -1, at most 0.5 */
    double radius;  /* [m] of its surface there; 0: flat */
} tru_hertz_body;

/* Under a load N = 4/3 E sqrt(R) d^(3/2), E and R effective ones of the pair. */
typedef struct tru_hertz {
    double approach;   /* [m] d */
    double patch;      /* [m] radius of the patch, sqrt(R d) */
    double stiffness;  /* [N/m] dN/dd = 2 E sqrt(R d): what small oscillations feel */
    double compliance; /* [m/N] d/N: as `compliance` of a pair it gives the overlap under this load */
} tru_hertz;
/* Refused with a sentence: values out of range, two flat bodies, a load not above 0. */
TRU_API tru_status tru_hertz_contact(const tru_hertz_body *a, const tru_hertz_body *b, double load, tru_hertz *out,
                                     tru_error *err);

/* ---- piles: the angle of repose (src/analysis/repose.c) */

/* One stone. */
typedef struct tru_grain {
    double x, y, z; /* [m] centre: z upwards, above the floor */
    double radius;  /* [m] half its mean width */
    double mass;    /* [kg] */
    double top;     /* [m] its highest point above the centre; 0: as high as wide, radius */
} tru_grain;

/* A heap about the vertical through the medians of x and y. The angle depends on how it is measured: quote the estimator.
 */
typedef struct tru_repose {
    double angle; /* [rad] of the line through the heights of rings between 0.2 and 0.8 of the highest, outside the
                            apex */
    double angle_error;    /* [rad] standard deviation of the four quadrants, each fitted alone; NaN: one has no line */
    double median_angle;   /* [rad] of the uniform cone with the same median height and radius of centres: quieter */
    double height;         /* [m] highest ring */
    double centre;         /* [m] height of the centre of mass: what to compare runs by */
    double axis_x, axis_y; /* [m] */
    int32_t rings;         /* in the line */
} tru_repose;

/* Rings are one median diameter wide, of 16 sectors; a ring's height is the median over its sectors of their highest
 * stone's top. `reach` [m]: rings beyond it (behind walls) do not count, 0: all do. Refused with a sentence: fewer than 50
 * grains, or no line (a single layer). */
TRU_API tru_status tru_repose_of(const tru_grain *grains, size_t count, double reach, tru_repose *out, tru_error *err);
/* Of all free bodies of a world, up against gravity, the floor where the lowest touches, rings up to the nearest fixed plane
 * that stands upright. Refused also with fewer contacts than bodies: they do not lie on each other. */
TRU_API tru_status tru_repose_of_world(const tru_world *world, tru_repose *out, tru_error *err);

#ifdef __cplusplus
}
#endif
#endif
