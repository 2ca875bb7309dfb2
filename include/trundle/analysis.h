/* analysis.h: closed forms of mechanics: rolling disks, rolling balls, the end of slip, elastic contact, heaps.
 *
 *     tru_disk_body d = tru_disk_homogeneous(0.0375, 0.3048, 9.81);
 *     tru_disk_steady s;
 *     tru_disk_stationary(&d, 1.3, &s, &err);    precession, nutation, friction demand at an inclination of 1.3 rad
 *     tru_decay a = tru_disk_decay(&d, TRU_DECAY_CONTOUR, 3e-4, 0.0);
 *     tru_decay_time(&a, 1, s.energy);           seconds until it lies flat
 *
 * No function here changes a world. tru_disk_of and tru_limit_of_body read a body of a world.
 * Equation numbers are those of Le Saux, Leine, Glocker 2005 [LSLG05] and of Antali, Stepan 2019 [AS19].
 * Where [LSLG05] has a homogeneous disk, the functions here take any inertia A and C.
 * Arguments that are pointers must not be NULL unless a comment says otherwise. */
#ifndef TRUNDLE_ANALYSIS_H
#define TRUNDLE_ANALYSIS_H

#include <trundle/trundle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a thin disk or hoop on a plane (src/analysis/disk.c) */

/* A thin round body with a rim, symmetric about its axis, and the gravity that acts on it. All values are above 0. */
typedef struct tru_disk_body {
    double radius;  /* [m] r of the rim */
    double mass;    /* [kg] m */
    double across;  /* [kg m^2] A: inertia about a diameter */
    double axial;   /* [kg m^2] C: inertia about the axis of symmetry */
    double gravity; /* [m/s^2] g */
} tru_disk_body;

/* Returns a homogeneous disk of `radius` [m] and `mass` [kg] under `gravity` [m/s^2]: A = m r^2/4, C = m r^2/2. */
TRU_API tru_disk_body tru_disk_homogeneous(double radius, double mass, double gravity);
/* Returns a hoop of `radius` [m] and `mass` [kg] under `gravity` [m/s^2]: A = m r^2/2, C = m r^2. */
TRU_API tru_disk_body tru_disk_hoop(double radius, double mass, double gravity);
/* Describes a body of a world and its only shape as a thin disk under `gravity` [m/s^2].
 * Returns TRU_REFUSED if the body is fixed, thick, not symmetric, off its centre, or not a single disk. */
TRU_API tru_status tru_disk_of(const tru_body_info *body, const tru_shape_def *shape, double gravity,
                               tru_disk_body *out, tru_error *err);

/* Angles and rates of a disk on a plane [LSLG05 section 5.1].
 * alpha turns the horizontal diameter about the plane's normal. gamma turns the disk about its axis.
 * beta is the inclination: 0 upright, pi/2 or -pi/2 flat. */
typedef struct tru_disk_angles {
    double alpha, beta, gamma;                /* [rad] alpha and gamma from -pi to pi; 0 for a disk that lies flat */
    double alpha_rate, beta_rate, gamma_rate; /* [rad/s] unbounded near flat; 0 for a disk that lies flat */
    double psi_rate;                          /* [rad/s] of the contact point along the rim, -gamma_rate */
    double spin;                              /* [rad/s] about the plane's normal: alpha_rate + gamma_rate sin beta */
    double cos_beta;                          /* [-] without the cancellation of cos(beta) near flat */
} tru_disk_angles;

/* Returns angles and rates of a disk.
 * `turn` is the orientation of the disk shape on its body. `up` is the unit normal of the plane, towards the disk. */
TRU_API tru_disk_angles tru_disk_angles_of(const tru_body_state *state, tru_quat turn, tru_vec3 up);

/* Friction on a disk that rolls, in the generalised coordinates of (5.5) to (5.7). */
typedef struct tru_disk_push {
    double contour; /* [N] contour friction, on r gamma_rate: against the contact point's motion along the rim */
    double along;   /* [N m] couple about the horizontal diameter */
    double across;  /* [N m] couple about the horizontal line at right angles to that diameter */
    double spin;    /* [N m] couple about the normal */
} tru_disk_push;
/* Accelerations and contact force of a disk that rolls without slipping. */
typedef struct tru_disk_rolling {
    double alpha_rate2, beta_rate2, gamma_rate2; /* [rad/s^2] second derivatives of the angles */
    double normal;                               /* [N] normal force */
    double friction;                             /* [N] magnitude of the friction force that rolling needs */
} tru_disk_rolling;
/* Returns accelerations and contact force of pure rolling from the state `now` by (5.5) to (5.7), for any A and C.
 * `push` may be NULL: no friction. */
TRU_API tru_disk_rolling tru_disk_roll_on(const tru_disk_body *disk, const tru_disk_angles *now,
                                          const tru_disk_push *push);

/* Circular rolling: constant inclination, constant rates [LSLG05 section 5.2]. */
typedef struct tru_disk_steady {
    double beta;                   /* [rad] inclination, 0 to pi/2 */
    double ratio;                  /* [-] rho = r / radius of the circle of contact points = -alpha_rate / gamma_rate */
    double alpha_rate, gamma_rate; /* [rad/s] alpha_rate > 0 > gamma_rate; the mirrored motion has both signs changed */
    double spin;                   /* [rad/s] about the vertical */
    double speed;                  /* [m/s] of the centre, along its circle */
    double rate;                   /* [rad/s] |omega| */
    double energy;                 /* [J] kinetic and potential, zero if flat at rest */
    double demand;                 /* [-] friction force per normal force that rolling needs; chi = demand / slide */
    double oscillation;            /* [rad^2/s^2] squared frequency of small oscillations, < 0: unstable */
} tru_disk_steady;

/* Computes the circular motion of inclination `beta` [rad], 0 < beta < pi/2, and `ratio` r/R [-], by (5.12).
 * Returns TRU_OUT_OF_RANGE where no such motion exists.
 * `ratio` sin beta must be below (C + m r^2) / (C + m r^2 - A), which is 6/5 for a homogeneous disk. */
TRU_API tru_status tru_disk_circular(const tru_disk_body *disk, double beta, double ratio, tru_disk_steady *out,
                                     tru_error *err);
/* Computes the circular motion whose centre stands still: ratio sin beta = 1, (5.14), (5.15).
 * Returns TRU_OUT_OF_RANGE unless 0 < `beta` < pi/2 [rad]. */
TRU_API tru_status tru_disk_stationary(const tru_disk_body *disk, double beta, tru_disk_steady *out, tru_error *err);
/* Computes the circular motion without spin about the vertical: ratio = sin beta. Dry spinning friction does not brake it.
 * Returns TRU_OUT_OF_RANGE unless 0 < `beta` < pi/2 [rad]. */
TRU_API tru_status tru_disk_spinless(const tru_disk_body *disk, double beta, tru_disk_steady *out, tru_error *err);

/* Returns the squared frequency [rad^2/s^2] of small oscillations about steady rolling, (5.22) for any A and C.
 * It also holds for straight upright rolling and for upright spinning. A negative value means unstable. */
TRU_API double tru_disk_oscillation(const tru_disk_body *disk, double beta, double alpha_rate, double gamma_rate);
/* Returns friction force per normal force [-] in circular rolling (5.26). Divided by the coefficient it is chi (5.28). */
TRU_API double tru_disk_demand(const tru_disk_body *disk, double beta, double ratio);
/* Returns kinetic and potential energy [J] of pure rolling with these angles, zero if flat at rest. */
TRU_API double tru_disk_energy(const tru_disk_body *disk, const tru_disk_angles *now);

/* ---- energy decay of a disk (src/analysis/disk_decay.c) */

/* Friction laws with a closed form of the decay near flat. */
typedef enum tru_decay_law {
    TRU_DECAY_CONTOUR,         /* coefficient [-]: law contour, dry */
    TRU_DECAY_CONTOUR_VISCOUS, /* coefficient [kg/s] */
    TRU_DECAY_ROLL,            /* coefficient [m]: law rolling, dry */
    TRU_DECAY_ROLL_VISCOUS,    /* coefficient [N m s] */
    TRU_DECAY_CONTENSOU,       /* coefficient [-] slide, and the patch radius [m] */
    TRU_DECAY_LAWS             /* number of laws */
} tru_decay_law;

/* Decay dE/dt = -factor E^power near flat, in stationary rolling with E = (3/2) m g r cos beta. */
typedef struct tru_decay {
    double factor; /* [unit of the law] J^(1 - power) / s */
    double power;  /* [-] -1/2 contour, -1 viscous contour, 1/2 roll, 1 viscous roll, 3/2 contensou */
} tru_decay;

/* Returns the decay of a disk under one law: the table of [LSLG05 section 5.5] with its errata.
 * The equations are (5.37), (5.40), (5.43), (5.46), (5.53). Only TRU_DECAY_CONTENSOU reads the radius `patch` [m]. */
TRU_API tru_decay tru_disk_decay(const tru_disk_body *disk, tru_decay_law law, double coefficient, double patch);
/* Returns the name of a law of decay as static text, "contour", "roll_viscosity"; NULL past the end. */
TRU_API const char *tru_decay_name(int law);
/* Returns the energy [J] a time `t` [s] after it was `energy` [J]; 0 once it has ended. */
TRU_API double tru_decay_energy(const tru_decay *decay, double energy, double t);
/* Returns the time [s] until `energy` [J] is gone under `count` laws at once; infinite if none of them ends it. */
TRU_API double tru_decay_time(const tru_decay *decays, size_t count, double energy);
/* Returns n [-] of alpha_rate ~ (t_end - t)^(-1/n): 3, 4 or 1; infinite for laws that never end. */
TRU_API double tru_decay_exponent(const tru_decay *decay);
/* Returns the precession rate [rad/s] in stationary rolling near flat at `energy` [J]. */
TRU_API double tru_disk_precession(const tru_disk_body *disk, double energy);

/* Braking of upright, straight rolling: gamma_rate' = -deceleration sign(gamma_rate) - rate gamma_rate. */
typedef struct tru_disk_brake {
    double deceleration; /* [rad/s^2] of dry friction */
    double rate;         /* [1/s] of viscous friction */
} tru_disk_brake;
/* Returns the braking of upright rolling under one of the first four laws; zero for TRU_DECAY_CONTENSOU. */
TRU_API tru_disk_brake tru_disk_upright_roll(const tru_disk_body *disk, tru_decay_law law, double coefficient);
/* Returns the deceleration [rad/s^2] of upright spinning under law contensou: (3 pi/16) slide m g patch / A. */
TRU_API double tru_disk_upright_spin(const tru_disk_body *disk, double slide, double patch);

/* ---- a disk of a world (src/analysis/disk_world.c) */

/* Motion of a disk of a world on what it touches. Members "if thin" are zero otherwise. */
typedef struct tru_disk_view {
    tru_disk_angles angles; /* against the normal of its contact; against gravity while it touches nothing */
    bool thin;              /* the closed forms hold: the body is one thin, symmetric disk */
    tru_disk_body disk;     /* if thin */
    double slide;           /* [-] largest coefficient of sliding friction where it touches; 0 without contact */
    double demand;          /* [-] if thin: friction per normal force of circular rolling with these angles (5.26) */
    double oscillation;     /* [rad^2/s^2] if thin: squared frequency of small oscillations about it (5.22) */
    double energy;          /* [J] if thin: of pure rolling with these angles, zero if flat at rest */
    tru_decay decays[TRU_PAIR_LAWS + 2]; /* if thin: decays of the laws where it touches */
    int32_t decay_count;                 /* number of decays */
} tru_disk_view;
/* Reads how a free disk of a world moves. For a disk that is not thin, *err says why the closed forms do not hold.
 * Returns TRU_STALE_ID, or TRU_REFUSED if the body is not free or its first shape is not a disk. */
TRU_API tru_status tru_disk_of_body(const tru_world *world, tru_id body, tru_disk_view *out, tru_error *err);

/* ---- a body that rolls without slipping (src/analysis/disk_integrals.c, src/steppers/variational/step_variational_probe.c) */

/* A disk of radius r and mass M that rolls on a rim, in pure numbers. */
typedef struct tru_rolling_disk {
    double half_thickness; /* [-] relative to r */
    double across, axial;  /* [-] inertia about a diameter and about the axis, relative to M r^2 */
} tru_rolling_disk;

/* Computes two first integrals [rad/s]: what Omega = phi' cos theta + psi' and p = phi' sin theta become at theta = pi/2.
 * `theta` [rad] is the angle of the disk to the plane, 0 < theta < pi; `omega` and `p` [rad/s] are the present values. */
TRU_API void tru_rolling_upright(const tru_rolling_disk *disk, double theta, double omega, double p, double out[2]);
/* Computes the first integrals [rad/s] of a thin disk as coefficients c1, c2 of Legendre functions.
 * Omega = c1 P_nu(cos theta) + c2 P_nu(-cos theta). Arguments are those of tru_rolling_upright. */
TRU_API void tru_rolling_legendre(const tru_rolling_disk *disk, double theta, double omega, double p, double out[2]);

/* Motion of a body that rolls on its plane. Members of a disk are NaN for other bodies. */
typedef struct tru_rolling_view {
    double energy_middle; /* [J] in the middle of the last step, from its displacement; NaN before it */
    double theta;         /* [rad] disk: angle to the plane, on the side of its rim in contact */
    double theta_rate, phi_rate, psi_rate; /* [rad/s] disk: leaning, heading, rolling */
} tru_rolling_view;
/* Reads how the body of stepper variational rolls.
 * Returns TRU_STALE_ID, or TRU_REFUSED under another stepper or for another body. */
TRU_API tru_status tru_rolling_of_body(const tru_world *world, tru_id body, tru_rolling_view *out, tru_error *err);
/* Reads the disk of stepper variational in pure numbers, for its first integrals.
 * Returns TRU_STALE_ID, or TRU_REFUSED under another stepper, for another body, or if the body is not a disk. */
TRU_API tru_status tru_rolling_disk_of(const tru_world *world, tru_id body, tru_rolling_disk *out, tru_error *err);

/* ---- a ball on a plane, along the line of steepest slope (src/analysis/ball.c) */

/* A ball, its plane and friction. */
typedef struct tru_ball {
    double radius;  /* [m] R */
    double mass;    /* [kg] m */
    double inertia; /* [kg m^2] J, 2/5 m R^2 if solid */
    double gravity; /* [m/s^2] g */
    double incline; /* [rad] 0 to below pi/2; positions and velocities count down the slope */
    double slide;   /* [-] coefficient of law coulomb */
    double roll;    /* [m] roll length of law rolling */
    double spin;    /* [m] spin length of law rolling */
} tru_ball;

/* What a ball does during a phase. */
typedef enum tru_ball_mode {
    TRU_BALL_RESTS, /* stands still */
    TRU_BALL_ROLLS, /* rolls without slipping */
    TRU_BALL_SLIDES /* slips */
} tru_ball_mode;

/* Motion of a ball with constant accelerations, until its mode changes. */
typedef struct tru_ball_phase {
    int32_t mode;        /* tru_ball_mode */
    double velocity;     /* [m/s] at its start */
    double rate;         /* [rad/s] at its start, about the horizontal line across the slope; rolling: velocity / R */
    double acceleration; /* [m/s^2] of the centre */
    double spin_up;      /* [rad/s^2] change of rate */
    double time;         /* [s] duration; infinite if nothing ends it */
    double distance;     /* [m] distance covered; infinite if the ball moves and nothing ends it */
    double end_velocity; /* [m/s] at its end */
    double end_rate;     /* [rad/s] at its end */
} tru_ball_phase;
/* Returns the phase that begins with this velocity [m/s] and rate [rad/s]. */
TRU_API tru_ball_phase tru_ball_next(const tru_ball *ball, double velocity, double rate);
/* Computes the position [m] after a time `t` [s] through all phases, and what is left of the phase then.
 * *last gets velocity, rate and remaining time at `t`. `last` and `position` may be NULL.
 * Returns the number of phases passed. */
TRU_API int tru_ball_after(const tru_ball *ball, double velocity, double rate, double t, tru_ball_phase *last,
                           double *position);
/* Returns the time [s] in which friction stops a spin of `spin_rate` [rad/s] about the normal; infinite without friction. */
TRU_API double tru_ball_spin_time(const tru_ball *ball, double spin_rate);

/* ---- limit directions of a contact (src/analysis/limit*.c)
 *
 * One body touches a plane at one point. How does the slip u of that point behave as it goes to zero?
 * The answer follows Antali and Stepan 2019 [AS19], for normal forces that depend on the direction of slip.
 * The axes of a contact are (t1, t2, n), with n from the plane to the body.
 * phi is the angle of a direction from t1 towards t2.
 *
 *     tru_limit_body b = ...;                        mass, inertia, rates, loads, contact arm, curvature, friction
 *     tru_limit_problem p;
 *     tru_limit l;
 *     tru_limit_problem_of(&b, &p, &err);            tru_limit_of_body gives the b of a body in a world
 *     tru_limit_directions(&p, &l, &err);            l.which: TRU_CASE_III; l.rolls; l.directions[l.exit].angle */

/* A direction in world axes about which the body cannot turn: axis . omega is constant. */
typedef struct tru_blocked {
    tru_vec3 axis;      /* [-] unit vector */
    tru_vec3 axis_rate; /* [1/s] time derivative of the axis, 0 if it is fixed in the world */
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
    tru_blocked blocked[3];      /* blocked directions, the first blocked_count of them; linearly independent axes */
    int32_t blocked_count;       /* 0 to 3 */
    double slide, slide_static;  /* [-] coefficients of sliding friction, 0 <= slide <= slide_static */
    double stribeck;             /* [m/s] slip over which static falls to slide; 0: at once */
} tru_limit_body;

/* A tru_limit_body with everything but the contact eliminated, in contact axes.
 * Under the contact force F the contact point accelerates by response F + free_point.
 * The body's angular acceleration is turning F + free_turning. */
typedef struct tru_limit_problem {
    tru_mat3 response;          /* [1/kg] G, symmetric positive definite */
    tru_vec3 free_point;        /* [m/s^2] b */
    tru_mat3 turning;           /* [1/kg m] -J^-1 [r] */
    tru_vec3 free_turning;      /* [rad/s^2] */
    double path[2];             /* [m/s] w_P: velocity of the point over the surface along (t1, t2) */
    double slide, slide_static; /* [-] coefficients of sliding friction */
    double stribeck;            /* [m/s] slip over which static falls to slide */
} tru_limit_problem;

/* Lists how small slips end as X(name, text, meaning). The meaning counts all directions and the repelling ones.
 * In case V rolling and slipping coexist, in case VI two exits compete; [AS19] has neither. */
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
/* Cases of how small slips end. TRU_CASE_LIST gives the meaning of each value. */
typedef enum tru_limit_case {
#define TRU_CASE_ENTRY(name, text, doc) TRU_CASE_##name, /* see TRU_CASE_LIST */
    TRU_CASE_LIST(TRU_CASE_ENTRY)
#undef TRU_CASE_ENTRY
        TRU_CASES /* number of cases */
} tru_limit_case;

/* A direction in which slip reaches or leaves zero. */
typedef struct tru_limit_direction {
    double angle;        /* [rad] 0 to 2 pi */
    double cosine, sine; /* [-] of the angle */
    double radial;       /* [m/s^2] du/dt along it: > 0 repelling, < 0 attracting */
    double angular;      /* [m/s^2] u dphi/dt per radian of deviation: < 0 slips turn into it, > 0 out of it */
    double growth;       /* [1/s] change of radial per slip speed, from Stribeck friction */
    double margin;       /* [-] D = 1 - mu a.e; where D <= 0 no finite force exists, and radial = angular = 0 */
    double normal;       /* [N] N0/D, 0 where no finite force exists */
    bool repelling;      /* slip leaves zero along it */
    bool stable;         /* neighbouring slips turn into it */
} tru_limit_direction;

/* Most limit directions of a contact. */
#define TRU_LIMIT_DIRECTIONS 4

/* How small slips of a contact end. */
typedef struct tru_limit {
    double normal0;                    /* [N] N0: normal force without friction */
    double couple[2];                  /* [-] a: N = N0 - a . friction force */
    double schur[3];                   /* [1/kg] S: 11, 12, 22 */
    double field_cos[2], field_sin[2]; /* [m/s^2] A, B: D du/dt = A cos phi + B sin phi + C */
    double field_free[2];              /* [m/s^2] C: slip acceleration without friction */
    double wedge;                      /* [-] mu |a|; at least 1: Painleve */
    double roll_force[2];              /* [N] friction force that keeps u = 0 */
    double roll_normal;                /* [N] normal force with it */
    double needed;                     /* [-] |roll_force| / roll_normal; DBL_MAX if roll_normal is not above 0 */
    bool rolls;                        /* needed <= slide_static */
    bool definite;                     /* sym(A B) is negative definite, which excludes cases V and VI */
    bool near_fold;                    /* two directions are about to appear or vanish */
    int32_t which;                     /* tru_limit_case */
    int32_t count;                     /* number of directions; -1: every direction */
    int32_t exit;                      /* index of the repelling, stable direction that slip leaves along, or -1 */
    tru_limit_direction directions[TRU_LIMIT_DIRECTIONS]; /* in the order of their angles */
} tru_limit;

/* A free body of a world where it touches a fixed plane. */
typedef struct tru_limit_contact {
    tru_limit_body body;    /* t1, t2 of the plane as everywhere: x and y where n is z */
    tru_id plane;           /* the fixed body */
    tru_vec3 point;         /* [m] contact point, world axes */
    double gap;             /* [m] distance of the surfaces; negative: overlap */
    double slip[2];         /* [m/s] velocity of the contact point along t1, t2 */
    double approach;        /* [m/s] closing speed */
    int32_t shape, feature; /* k-th shape of the body, and which of its points */
} tru_limit_contact;

/* Reads the body's present state and loads, and friction from the law of the pair.
 * The body must touch one fixed plane in one point: within 1e-6 of the body's size, or in contact in the last step.
 * Returns TRU_STALE_ID, TRU_NO_LAW, or TRU_REFUSED without such a point or with another law than coulomb. */
TRU_API tru_status tru_limit_of_body(const tru_world *world, tru_id body, tru_limit_contact *out, tru_error *err);

/* Eliminates inertia, gyroscopic torque, loads and blocked axes.
 * Returns TRU_BAD_ARGUMENT if t1, t2, n are not a right-handed frame, TRU_OUT_OF_RANGE for mass, inertia or blocked axes. */
TRU_API tru_status tru_limit_problem_of(const tru_limit_body *body, tru_limit_problem *out, tru_error *err);
/* Bound of near_fold: an extremum of the angular field lies this close to zero, relative to |A B| + |C|. */
#define TRU_LIMIT_FOLD 1e-6
/* Bound of TRU_CASE_EVERY: the whole angular field lies this close to zero, relative to |A B| + |C|. */
#define TRU_LIMIT_FLAT 1e-10
/* Computes all limit directions and the case. If near_fold is set, the number of directions is uncertain.
 * Returns TRU_OUT_OF_RANGE for wrong friction coefficients.
 * Returns TRU_BAD_ARGUMENT if the response is not positive definite or an acceleration is not finite. */
TRU_API tru_status tru_limit_directions(const tru_limit_problem *problem, tru_limit *out, tru_error *err);
/* Returns the name of a case as static text, "IV"; "?" for another number. */
TRU_API const char *tru_limit_case_name(int which);
/* Returns the meaning of a case as static text; "?" for another number. */
TRU_API const char *tru_limit_case_text(int which);

/* ---- springs of a contact (src/api/springs_api.c) */

/* Springs of a contact under stepper track, as the last step loaded them. Rows are those of tru_contact_info. */
typedef struct tru_contact_springs {
    /* [m] normal: overlap; slide. [rad] spin, roll. How far A has moved over B since the springs were slack. */
    double stretch[TRU_ROWS];
    double stiffness[TRU_KINDS]; /* [N/m] normal, slide; [N m/rad] spin, roll */
    double energy[TRU_KINDS];    /* [J] stored */
} tru_contact_springs;
/* Reads the springs of the k-th contact.
 * Returns TRU_BAD_ARGUMENT, TRU_STALE_ID past the end, or TRU_REFUSED under a stepper without springs. */
TRU_API tru_status tru_contact_springs_get(const tru_world *world, size_t k, tru_contact_springs *out, tru_error *err);

/* ---- elastic contact after Hertz (src/analysis/hertz.c) */

/* One of two elastic bodies where they touch. */
typedef struct tru_hertz_body {
    double modulus; /* [Pa] Young's modulus, > 0 */
    double poisson; /* [-] Poisson's ratio, above -1, at most 0.5 */
    double radius;  /* [m] of its surface there; 0: flat */
} tru_hertz_body;

/* Contact under a load N = 4/3 E sqrt(R) d^(3/2), with the effective E and R of the pair. */
typedef struct tru_hertz {
    double approach;   /* [m] d */
    double patch;      /* [m] radius of the patch, sqrt(R d) */
    double stiffness;  /* [N/m] dN/dd = 2 E sqrt(R d), of small oscillations */
    double compliance; /* [m/N] d/N: as `compliance` of a pair it gives the overlap under this load */
} tru_hertz;
/* Computes the elastic contact of two bodies under `load` [N].
 * Returns TRU_OUT_OF_RANGE for values out of range, two flat bodies, or a load that is not above 0. */
TRU_API tru_status tru_hertz_contact(const tru_hertz_body *a, const tru_hertz_body *b, double load, tru_hertz *out,
                                     tru_error *err);

/* ---- heaps: the angle of repose (src/analysis/repose.c) */

/* One stone of a heap. */
typedef struct tru_grain {
    double x, y, z; /* [m] centre: z upwards, above the floor */
    double radius;  /* [m] half its mean width */
    double mass;    /* [kg] */
    double top;     /* [m] its highest point above the centre; 0: radius */
} tru_grain;

/* A heap about the vertical through the medians of x and y. The angle depends on the estimator: quote it. */
typedef struct tru_repose {
    /* [rad] of the line through the heights of rings between 0.2 and 0.8 of the highest, outside the apex */
    double angle;
    double angle_error;    /* [rad] standard deviation of the four quadrants, each fitted alone; NaN: one has no line */
    double median_angle;   /* [rad] of the uniform cone with the same median height and radius of centres: less noise */
    double height;         /* [m] highest ring */
    double centre;         /* [m] height of the centre of mass: the number to compare runs by */
    double axis_x, axis_y; /* [m] place of the vertical axis */
    int32_t rings;         /* number of rings in the line */
} tru_repose;

/* Measures a heap of `count` grains. Rings are one median diameter wide and have 16 sectors.
 * A ring's height is the median over its sectors of their highest stone's top.
 * Rings beyond `reach` [m], for example behind walls, do not count; 0: all count.
 * Returns TRU_BAD_ARGUMENT, or TRU_REFUSED with fewer than 50 grains or without a line, as in a single layer. */
TRU_API tru_status tru_repose_of(const tru_grain *grains, size_t count, double reach, tru_repose *out, tru_error *err);
/* Measures the heap of all free bodies of a world. Up is against gravity, the floor is where the lowest body touches.
 * Rings reach up to the nearest fixed plane that stands upright.
 * Returns what tru_repose_of returns, or TRU_REFUSED without gravity or with fewer contacts than bodies. */
TRU_API tru_status tru_repose_of_world(const tru_world *world, tru_repose *out, tru_error *err);

#ifdef __cplusplus
}
#endif
#endif
