/* sweep_data.h: data of the contact problem of many contacts: no matrix, the bodies' velocities are kept up to date by the impulses.
 *
 * | symbol [cone-equations 1, 4] | name | unit |
 * |---|---|---|
 * | gamma = (p, t) | impulse and couple on A in world axes | N s, N m s |
 * | P_n, P_t, P_s, P_r | metric by row kind (scaled row sums [cone-equations 4]) | impulse/velocity |
 * | mu, sigma, rho | limit of slide, spin, roll | -, m, m |
 * | q_i c_i = P_n/P_i c_i | lean | |
 * | s | shift: the separation speed that De Saxce's form adds to u_n + b_n | m/s |
 * | l | length: makes couples comparable with forces | m |
 *
 * Impulses are vectors, not rows: slide and roll sections are round, so no tangents are needed. Contacts of spheres lie
 * in batches of LANES without a common body; all others (`singles`) carry arms and use full inverse inertias. Contacts
 * are ordered by colour: no two of one colour share a moving body, so the order within a colour does not matter and the
 * result is the same for every number of threads. What does not move is given to each of its contacts as a body of its
 * own: nothing is shared then. */
#ifndef TRUNDLE_SOLVERS_SWEEP_PROBLEM_SWEEP_DATA_H
#define TRUNDLE_SOLVERS_SWEEP_PROBLEM_SWEEP_DATA_H

#include "base/arena.h"
#include "problem/problem.h"

enum { LANES = 8, COLOURS = 64 };
enum { SWEEP_GRAIN = 512 }; /* bodies or contacts that are worth a thread, where little is done with each */

/* One cache line. */
typedef struct sweep_body {
    double v[3], inv_mass, w[3], inv_inertia; /* [m/s], [1/kg], [rad/s], [1/(kg m^2)] */
} sweep_body;

typedef struct sweep_mass {
    double mass, inertia;       /* [kg], [kg m^2] */
    const problem_body *source; /* full inertia where it is no multiple of the unit matrix, else NULL */
} sweep_mass;

typedef struct sweep_batch {
    uint32_t a[LANES], b[LANES]; /* bytes from sweep_problem.bodies */
    uint32_t contact[LANES];     /* UINT32_MAX: an empty lane */
    double n[3][LANES];          /* [-] */
    double bias[LANES];          /* [m/s] */
    double shift[LANES];         /* [m/s] */
    double p[2][6][LANES];       /* [N s], [N m s] present and previous iterate */
    double metric[TRU_KINDS][LANES];
    double limit[3][LANES], lean[3][LANES];
    double arm[2][LANES]; /* [m] arms are -arm[0] n on A, arm[1] n on B */
    double length[LANES]; /* [m] */
} sweep_batch;

/* Both in floats, in units of their own (sweep_f32): of batches without `more`, patches and shifts. */
typedef struct sweep_body32 {
    float v[3], inv_mass, w[3], inv_inertia;
} sweep_body32;

typedef struct sweep_batch32 {
    uint32_t a[LANES], b[LANES]; /* bytes from sweep_f32.bodies */
    float n[3][LANES], bias[LANES];
    float p[2][6][LANES];
    float metric[TRU_KINDS][LANES];
    float limit[3][LANES], lean[3][LANES];
    float arm[2][LANES], length[LANES];
    float size2[LANES]; /* squared residual of the last look */
} sweep_batch32;

/* What the contacts of a batch have beyond their laws (normal_terms). */
typedef struct sweep_normal_terms {
    double soft[LANES], floor[LANES]; /* [1/kg], [N s] */
} sweep_normal_terms;

/* Contacts of a batch whose slide and spin parts are coupled by a round patch (law contensou). */
typedef struct sweep_patch {
    double radius[LANES]; /* [m] 0: not coupled */
    double guess[LANES];  /* [-] where on the meridian the last foot was (contensou_lanes.h) */
} sweep_patch;

typedef struct sweep_impulse {
    tru_vec3 p, t; /* [N s], [N m s] on A; or the rates beside them */
} sweep_impulse;

/* One lane of six rows. */
static inline sweep_impulse lane_impulse(const double *p) {
    return (sweep_impulse){{p[0], p[LANES], p[2 * LANES]}, {p[3 * LANES], p[4 * LANES], p[5 * LANES]}};
}

/* A contact with arms of its own. */
typedef struct sweep_single {
    uint32_t a, b; /* in sweep_problem.bodies */
    uint32_t contact;
    tru_vec3 n, arm_a, arm_b;        /* [-], [m] */
    const tru_mat3 *turn_a, *turn_b; /* [1/(kg m^2)] inverse inertia, world; NULL: does not move */
    double bias, shift;              /* [m/s] */
    double metric[TRU_KINDS], limit[3], lean[3], length;
    normal_terms normal_terms;
    double patch, guess;   /* [m], [-] as in sweep_patch */
    sweep_impulse g[2];    /* present and previous iterate */
    sweep_impulse answer;  /* [1/kg], [1/(kg m)] what a normal impulse does to its rates, */
    double cut[TRU_KINDS]; /* and metrics of the normal row by itself and of the friction rows without it */
} sweep_single;

/* Contacts that can be updated at once. */
typedef struct sweep_colour {
    size_t batch, batch_end, single, single_end;
} sweep_colour;

/* What a contact says of the present iterate. */
typedef struct sweep_residual {
    double u[6];           /* [m/s], [rad/s] rates in world axes: A minus B */
    double size2;          /* [m^2/s^2] squared residual, couples times their length */
    double gap[TRU_KINDS]; /* [m/s], [rad/s] residual by kind */
    uint32_t stuck;        /* bits of tru_kind */
} sweep_residual;

/* Where a contact is: its bodies in the world, then in the problem; its colour, and its place among the batched or single ones
 * of that. */
typedef struct sweep_seat {
    uint32_t a, b;
    uint32_t at; /* in the end: lane in all batches, or single */
    uint8_t colour;
    bool batch;
} sweep_seat;

typedef struct sweep_kernels sweep_kernels;
typedef struct sweep_f32_kernels sweep_f32_kernels;

/* A copy of the problem in floats (sweep_f32.c). It lies where nothing is kept meanwhile: batches in the room of looks, bodies
 * in that of `before`, the others in that of the marks. */
typedef struct sweep_f32 {
    bool on;                    /* sweeps and looks go over it */
    double mass, length, speed; /* [kg], [m], [m/s] its units: powers of two */
    int start;                  /* the iterate that it was made of */
    int sweeps;                 /* so far */
    sweep_body32 *bodies, *before, *mark[2];
    sweep_batch32 *batches;
    const sweep_f32_kernels *kernels;
} sweep_f32;

typedef struct sweep_problem {
    contact *contacts;
    const uint32_t *chosen; /* those in the problem; NULL: the first ones */
    size_t contact_count;
    const crew *threads;
    double (*clock)(void); /* [s] NULL: times are not measured */
    double swept;          /* [s] in sweeps so far, */
    uint64_t sweeps;       /* and how many of them */
    bool exact;            /* De Saxce's form, else relaxed */
    bool sections; /* sweeps keep friction within what the normal impulse allows; else they project onto the cone */
    double speed;  /* [m/s] |gravity| step, without gravity the fastest approach: residuals are judged against it */
    sweep_body *bodies;           /* moving ones, then what does not move once for each of its contacts, then a dummy */
    sweep_body *before, *mark[2]; /* moving ones: the previous iterate; two earlier ones, the older first */
    const sweep_body *from; /* what sweeps take rates from: bodies, or for a gradient step what they were before it */
    size_t moving, body_count;
    sweep_mass *mass;  /* per moving body */
    bool round;        /* the inertia of every moving one is a multiple of the unit matrix */
    bool passing;      /* some limits hold only until contacts that stick give way */
    uint32_t *world;   /* index of the moving ones in the world */
    uint32_t *place;   /* of each body of the world: its place here, UINT32_MAX: none */
    const twist *free; /* per body of the world: velocities without contacts */
    sweep_batch *batches;
    sweep_normal_terms *normal_terms; /* per batch; NULL: no contact yields, no rate is prescribed */
    sweep_patch *patches;             /* per batch; NULL: no contact is coupled */
    sweep_single *singles;
    size_t batch_count, single_count;
    sweep_colour colours[COLOURS + 1]; /* the last: what did not fit into any, one by one */
    int now;                           /* which iterate of the impulses is the present one */
    double
        *work; /* [J] sum of (b + s + C gamma_n/2) gamma_n of each batch, then of each single; with sections twice the
                           energy of what the sweep changed there */
    sweep_residual *residuals; /* per contact */
    sweep_seat *seats;         /* per contact */
    const sweep_kernels *kernels;
    sweep_f32 f32;
    arena *scratch;
    sweep_body *frozen;         /* of a gradient step (sweep_gradient.c): all bodies at its start */
    double (*kept)[6 * LANES];  /* and the iterate before it, beside batches */
    sweep_impulse *kept_single; /* and singles */
} sweep_problem;

#endif
