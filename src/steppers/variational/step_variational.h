/* step_variational.h: one body that rolls on a plane without slipping, as the stepper `variational` sees it.
 *
 * Symbols of [variational-equations 1] and [C12] stand next to the names. Everything that the schemes solve for is a
 * pure
 * number: angles of a step, lengths in radii, rates times the step. */
#ifndef TRUNDLE_STEPPERS_VARIATIONAL_STEP_VARIATIONAL_H
#define TRUNDLE_STEPPERS_VARIATIONAL_STEP_VARIATIONAL_H

#include "math/elementary/elementary.h"
#include "shapes/shape.h"
#include "step/one_body/one_body.h"
#include "step/step.h"

/* ---- a disk in its three angles (step_variational_reduced.c) */

#define ROLLING_SLIP 1e-9 /* slip at the start in parts of the body's speed that counts as none */
#define ROLLING_NEAR                                                                                                   \
    0.5 /* [rad] largest distance of a step's angles from their extrapolation; beyond it roots are spurious */

enum { THETA, PHI, PSI, ANGLES };

/* Disk of radius r, mass M and thickness 2 e r on one rim; g is along the normal of the plane. */
typedef struct reduced_disk {
    double e;                               /* [-] e/2 of [C12]: half the thickness over the radius */
    double i1, i3;                          /* [-] moments across and about the axis over M r^2 */
    double g;                               /* [-] h^2 g/r */
    double a, tip, roll, per_tip, per_roll; /* 1 - I1 + I3 - e^2, 1 + I1 + e^2, 1 + I3, and one over the last two */
    double det;                             /* I1 (1 + I3) + I3 e^2 */
} reduced_disk;
reduced_disk trui_reduced_disk_of(double e, double i1, double i3, double g);

/* An angle by its sine and cosine. */
typedef struct reduced_angle {
    double s, c; /* [-] */
} reduced_angle;

/* Where a force is asked for. */
typedef struct reduced_at {
    reduced_angle theta;
    double gone[ANGLES]; /* [rad] from the start of the step */
    double part;         /* [-] of the step that has passed */
    double rate[ANGLES]; /* [-] h times the rates of theta, phi, psi */
} reduced_at;
/* h^2 Q/(M r^2): generalised forces that are compatible with rolling. NULL: none. */
typedef void reduced_force(const void *context, const reduced_at *at, double q[ANGLES]);

/* One step. */
typedef struct reduced_step {
    reduced_disk disk;
    reduced_force *force;
    const void *context;
    reduced_angle theta, theta_end; /* at the start and at the end */
    double rate[ANGLES];            /* [-] h times the rates at the start */
    double d[ANGLES];               /* [rad] change of the angles; before trui_reduced_solve: where to begin */
    double plain[ANGLES];           /* [rad] where to begin without experience */
    reduced_angle half[ANGLES];     /* of d/2 */
    double path[2];                 /* [-] way of the contact point over r, along the heading of the start and across */
    double end[ANGLES];             /* [-] h times the rates at the end */
    double p[ANGLES], p_end[ANGLES]; /* [-] momenta at the two nodes */
    double force_mean[3];            /* [-] q at the middle of the step (variational schemes) */
    int iterations;
} reduced_step;

reduced_angle trui_reduced_angle_of(double theta);
static inline reduced_angle reduced_angle_turned(reduced_angle a, double by) {
    double s, c;
    tru_sincos_small(by, &s, &c);
    return (reduced_angle){a.s * c + a.c * s, a.c * c - a.s * s};
}

/* h p/(M r^2) of rates at a node: the Legendre transform. */
void trui_reduced_momenta(const reduced_disk *k, reduced_angle theta, const double rate[ANGLES], double p[ANGLES]);
/* Its inverse; false at theta = 0. */
bool trui_reduced_rates(const reduced_disk *k, reduced_angle theta, const double p[ANGLES], double rate[ANGLES]);
/* Discrete momenta of a step d from theta: `start` at its first node, `end` at its last, without forces; `slope`
 * (unless NULL) is the derivative of `start` by d. (14), (15), (16) of [C12], corrected, over 4, 2, 1. */
void trui_reduced_discrete(const reduced_disk *k, reduced_angle theta, const double d[ANGLES], double start[ANGLES],
                           double end[ANGLES], double slope[ANGLES][ANGLES]);
/* h^2 E/(M r^2), potential zero at the plane. */
double trui_reduced_energy(const reduced_disk *k, reduced_angle theta, const double rate[ANGLES]);
/* h^2 times the accelerations (10)-(12) under forces q. */
void trui_reduced_accelerate(const reduced_disk *k, reduced_angle theta, const double rate[ANGLES],
                             const double q[ANGLES], double out[ANGLES]);
/* q in the middle of a step d. */
void trui_reduced_middle_force(const reduced_step *s, double q[ANGLES]);
/* Where to begin: by rates and accelerations of the start; unless NULL, lag is d - end of the last step and missed what
 * this guess was then short of. */
void trui_reduced_guess(reduced_step *s, const double *lag, const double *missed);
/* Variational step; with `as_published` the angles change by d = rate, whatever momentum that is. False: no solution. */
bool trui_reduced_solve(reduced_step *s, bool as_published);
/* Explicit Runge-Kutta step of the same equations, a tru_rolling_scheme. False: flat, or turned over. */
bool trui_reduced_runge_kutta(reduced_step *s, int scheme);

/* Explicit methods of up to four stages: c and a below the diagonal (only the stage before counts), weights b. */
typedef struct rolling_tableau {
    int stages;
    double c[4], b[4];
} rolling_tableau;
const rolling_tableau *trui_rolling_tableau_of(int scheme);

/* ---- the world as the schemes see it (step_variational_view.c) */

/* A disk: its numbers, and the direction of its axis. */
typedef struct rolling_disk {
    reduced_disk k;
    double radius; /* [m]; 0 if the body is not a disk */
    double mass;   /* [kg] */
    double fall;   /* [1/s^2] gravity against the normal, over the radius */
    tru_vec3 axis; /* [-] in body axes: away from the first rim */
} rolling_disk;

/* Axes of the angles of a disk. */
typedef struct disk_frame {
    reduced_angle theta;
    double per_sine;              /* [-] one over that of theta */
    tru_vec3 heading, side, axis; /* [-] (cos phi, sin phi), w, d2: away from the rim in contact */
} disk_frame;

typedef struct rolling {
    tru_world *w;
    size_t body, plane, solid_a, solid_b; /* indices: free body, fixed body, and their solids */
    double h, time;                       /* [s] of the step or the part of it that is taken, and its start */
    double whole;                         /* [s] of the step, as the user gave it */
    tru_vec3 n, t1, t2;                   /* [-] frame of the plane */
    tru_vec3 on_plane;                    /* [m] a point of it */
    tru_vec3 pull;                        /* [m/s^2] gravity */
    coulomb_numbers friction;             /* of law coulomb */
    tru_rolling resist;                   /* law rolling; radii are resolved */
    bool resists;
    bool in_angles; /* the scheme is one of the reduced equations of a disk */
    rolling_disk disk;
    int32_t feature;   /* of the point in contact */
    const contact *at; /* record of the last step's contact; NULL: there is none */
    bool began;        /* the step begins without one */
    struct {
        uint32_t age, stuck;
    } before; /* of the record */
    struct {
        bool any;         /* false: this node is a start */
        double last[3];   /* [N s] contact impulse at the last step's end, n, t1, t2 */
        double slip[3];   /* [m/s] in its middle */
        double missed[3]; /* [rad] what the guess of its angles was short of */
    } left;               /* by the step before */
} rolling;

/* Where a body stands and moves, and the arm r from the contact point to its centre. */
typedef struct rolling_node {
    tru_vec3 x;    /* [m] */
    tru_quat q;    /* [-] */
    tru_vec3 v, w; /* [m/s], [rad/s] */
    tru_vec3
        gain; /* [rad/s] where the next step begins to look: gain of w in the step that ended here, body axes; of the
                        angles: their mean rates in it minus those of its end */
    tru_vec3 arm;    /* [m] r_PC */
    disk_frame disk; /* of a disk */
} rolling_node;

/* What a step did: impulses at its two ends, the rates the laws saw, and where the energy went; world axes. */
typedef struct rolling_result {
    rolling_node end;
    tru_vec3 first, last; /* [N s] contact impulse at the first and at the last node, this step's part */
    tru_vec3 node;        /* [N s] whole contact impulse of the first node */
    tru_vec3 balance; /* [N s] node 0 of scheme se3: what the half of a step before it would have added; else zero */
    tru_vec3 couple, dry; /* [N m s] of resistance over the step, and the dry part of it */
    tru_vec3 slip, rate;  /* [m/s], [rad/s] in the middle of the step */
    tru_vec3 mean_slip;   /* [m/s] slip that friction at the first node opposes */
    uint32_t stuck;       /* bits of tru_kind */
    tru_ledger work;      /* what is to be added to the ledger */
    double missed[3];     /* [rad] what the guess of its angles was short of */
    int iterations;
} rolling_result;

rolling trui_rolling_of(const tru_variational *o, tru_world *w);
/* The body as it stands, with the arm of the rim or support point in contact. */
rolling_node trui_rolling_start(const tru_variational *o, rolling *r);
/* [m] of the contact point above the plane. */
double trui_rolling_gap(const rolling *r, const rolling_node *k);
/* Point X from the centre of mass, and second derivative of the support function (unless NULL), where the outward normal is
 * `dir`; body axes. [m] */
void trui_rolling_surface(const rolling *r, tru_vec3 dir, tru_vec3 *point, tru_mat3 *hessian);
/* Arm of a body turned by q. */
void trui_rolling_support(const rolling *r, tru_quat q, rolling_node *k);
/* [N], [N m] of loads on the body turned by q at a time [s]. */
void trui_rolling_loads(const rolling *r, tru_quat q, double time, tru_vec3 *force, tru_vec3 *torque);
/* A point of a disk onto the rim in contact, whichever is lower. */
void trui_rolling_rim_point(const rolling *r, tru_vec3 *point);
/* Energy that setting a body down adds. [J] */
typedef struct rolling_settling {
    double asked;     /* by option project: the scene starts with it */
    double projected; /* onto the plane, and within round-off of rolling */
} rolling_settling;
/* Sets the body onto the plane and takes away slip that its scheme cannot have. */
rolling_settling trui_rolling_settle(const tru_variational *o, const rolling *r, rolling_node *k);
/* Writes the contact record of the step; the one of the step before stays in w->contacts_before. False: no memory. */
bool trui_rolling_record(rolling *r, const rolling_result *out);
/* What a step leaves to the next one. */
void trui_rolling_leave(rolling *r, const rolling_result *out);
/* The body at the end of a step. */
void trui_rolling_write(const rolling *r, const rolling_result *out);
/* Where the energy of a step went, into a ledger. */
static inline void ledger_add(tru_ledger *sum, const tru_ledger *part) {
#define ADD_WORK(name, kind, doc) sum->name += part->name;
    TRU_LEDGER_LIST(ADD_WORK)
#undef ADD_WORK
}

/* Axes of a disk turned by q, and the arm of its rim in contact [m]. */
disk_frame trui_rolling_disk_frame(const rolling *r, tru_quat q);
tru_vec3 trui_rolling_disk_arm(const rolling *r, const disk_frame *f);

/* What the contact has to do at a node, and whether it can. */
typedef struct rolling_demand {
    double normal;   /* [N s] */
    double friction; /* [-] needed per normal impulse */
    bool lifts, slips;
} rolling_demand;
rolling_demand trui_rolling_demand_of_impulse(const rolling *r, tru_vec3 impulse);
/* Of the first node of a step: with the half of the step before. */
rolling_demand trui_rolling_demand_of(const rolling *r, const rolling_result *out);
/* Does a demand end the run? */
bool trui_rolling_ends(const tru_variational *o, const rolling_demand *d);
void trui_rolling_announce(const rolling *r, double time, int kind, int row_kind, double speed);

/* The attitude between two. */
static inline tru_quat rolling_halfway(tru_quat a, tru_quat b) {
    return quat_renormalise((tru_quat){0.5 * (a.w + b.w), 0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)});
}
/* Contacts that were left to moreau stay with it. */
bool trui_rolling_handed_over(const tru_world *w);

/* step_variational_trust.c: fails if the end of a step is a spurious solution: it turns too far, or the numerical part of
 * the energy leaves the band. */
tru_status trui_rolling_trust(const rolling *r, const rolling_node *start, const rolling_result *out, tru_error *err);

/* A step by the scheme that was chosen, which can be trusted. */
tru_status trui_rolling_advance(const tru_variational *o, const rolling *r, const rolling_node *start,
                                rolling_result *out, tru_error *err);

/* step_variational_rim.c: has a thick disk passed upright? Then the step again, with its change to the other rim. */
typedef enum rolling_way_on { WAY_ON, WAY_ENDS, WAY_FAILS, WAY_HANDS_OVER } rolling_way_on;
bool trui_rolling_past_upright(const tru_variational *o, const rolling *r, const rolling_node *k);
rolling_way_on trui_rolling_cross(const tru_variational *o, rolling *r, const rolling_node *start, rolling_result *out,
                                  rolling_demand *d, tru_error *err);

tru_status trui_rolling_step_reduced(const tru_variational *o, const rolling *r, const rolling_node *start,
                                     rolling_result *out, tru_error *err);
/* Any convex body, rolling or slipping (step_variational_se3.h). */
tru_status trui_rolling_step_se3(const tru_variational *o, const rolling *r, const rolling_node *start,
                                 rolling_result *out, tru_error *err);
/* Any convex body, by Runge-Kutta on its rolling equations (step_variational_rk.c); whether a step of it is one. */
tru_status trui_rolling_step_rk(const tru_variational *o, const rolling *r, const rolling_node *start,
                                rolling_result *out, tru_error *err);
void trui_rolling_judge_rk(const tru_variational *o, const rolling *r, const rolling_node *start,
                           const rolling_node *end, tru_verdict *out);
/* Of the reduced schemes: residuals of the equations they solve, from the two nodes and the contact record. */
void trui_rolling_judge_reduced(const tru_variational *o, const rolling *r, const rolling_node *start,
                                const rolling_node *end, tru_verdict *out);

/* Kinetic energy [J] and height [m] of a disk in the middle of a step between two attitudes, in its angles. */
void trui_rolling_middle_of_disk(const rolling *r, tru_quat start, tru_quat end, double *kinetic, double *height);

/* step_variational_judge.c */
tru_status trui_rolling_judge(const void *params, const tru_world *w, tru_verdict *out, tru_error *err);

#endif
