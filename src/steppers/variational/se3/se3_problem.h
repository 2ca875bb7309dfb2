/* se3_problem.h: the problem of a step of scheme se3, a trial of it, and what it is found to be.
 *
 * | symbol [variational-equations 7, 8] | name | unit |
 * |---|---|---|
 * | xi = h omega, body axes | xi | - |
 * | Pi+, Pi- = (1 +- [xi]/2 + xi xi^T/4) J xi/h | pi, pi_end | N m s |
 * | r(q) = r_PC | arm (world), rho (body axes) | m |
 * | Lambda_k | first (this step's half) + last (of the step before) | N s |
 * | Delta x, u_{k+1/2} | way, slip | m, m/s |
 *
 * The attitude advances by the Cayley map, q_{k+1} = q_k (1, xi/2)/|.|; the no-slip constraint holds in the middle of the
 * step, variations are those of the node, the height follows from the support function. Impulses act half at either end of
 * a step, so that node velocities are the whole state; couples of resistance obey their law with the rate of the middle.
 * All vectors of a problem are in the body axes of its first node. */
#ifndef TRUNDLE_STEPPERS_VARIATIONAL_SE3_SE3_PROBLEM_H
#define TRUNDLE_STEPPERS_VARIATIONAL_SE3_SE3_PROBLEM_H

#include "math/quat.h"
#include "steppers/variational/scheme/rolling.h"

typedef struct se3 {
    const rolling *r;
    double h, mass, mass_rate; /* [s], [kg], m/h [kg/s] */
    tru_mat3 inertia;          /* [kg m^2] */
    tru_vec3 n, t1, t2;        /* [-] */
    tru_vec3 rho;              /* [m] arm of the first node */
    double height;             /* [m] of the centre there */
    tru_vec3 push, turn;       /* [N s], [N m s] momenta of the first node with the half step's loads and gravity */
    double roll, spin;         /* [m] dry resistance per normal impulse */
    double roll_viscosity, spin_viscosity; /* [N m s] */
    tru_vec3 carried;                      /* [N s] Lambda- of the node, of the step before */
    tru_vec3 slip;                         /* [m/s] u_{k-1/2} */
    bool start;                            /* node 0: nothing carried, u as given */
    tru_mat3 turned;                       /* [-] body axes of the first node to world */
} se3;

/* A step xi: momentum at its start, way of rolling, change of height, and their derivatives. */
typedef struct trial {
    tru_vec3 pi, rolled;     /* [N m s], [m] xi x r_mid */
    double raised;           /* [m] */
    tru_mat3 d_pi, d_rolled; /* by xi */
    tru_vec3 d_raised;       /* [m] by xi */
} trial;

/* What the step is found to be. */
typedef struct found {
    tru_vec3 xi, way;         /* [-], [m] */
    tru_vec3 first;           /* [N s] Lambda+ of the first node */
    tru_vec3 node;            /* [N s] Lambda of it */
    tru_vec3 couple;          /* [N m s] dry part, over the step */
    tru_vec3 slip, mean_slip; /* [m/s] u_{k+1/2}, and what the law at the node sees */
    tru_quat turn;            /* [-] */
    uint32_t stuck;
    int iterations;
} found;

/* Loads at a node, world axes. */
typedef struct node_loads {
    tru_vec3 force, torque; /* [N], [N m] */
} node_loads;

static inline tru_vec3 along_plane(const se3 *p, tru_vec3 a) { return v3_madd(a, -v3_dot(p->n, a), p->n); }

/* The turn of a step, Cayley's map: (1, xi/2)/|.|. */
static inline tru_quat cayley(tru_vec3 a) {
    const double f = 1.0 / sqrt(1.0 + 0.25 * v3_norm2(a));
    return (tru_quat){f, 0.5 * f * a.x, 0.5 * f * a.y, 0.5 * f * a.z};
}

#endif
