/* sweep_problem.h: the contact problem of many contacts: no matrix, the bodies' velocities are kept up to date by the impulses.
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
#ifndef TRUNDLE_SOLVERS_SWEEP_PROBLEM_SWEEP_PROBLEM_H
#define TRUNDLE_SOLVERS_SWEEP_PROBLEM_SWEEP_PROBLEM_H

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
    double (*clock)(void); /* [s] NULL: nobody asks for times */
    double swept;          /* [s] in sweeps so far, */
    uint64_t sweeps;       /* and how many of them */
    bool exact;            /* De Saxce's form, else relaxed */
    bool sections; /* sweeps keep friction within what the normal impulse allows; else they project onto the cone */
    double speed;  /* [m/s] |gravity| step, without gravity the fastest approach: residuals are judged against it */
    sweep_body *bodies;           /* moving ones, then what does not move once for each of its contacts, then a dummy */
    sweep_body *before, *mark[2]; /* moving ones: the previous iterate; two earlier ones, the older first */
    const sweep_body *from; /* what sweeps take rates from: bodies, or for a gradient step what they were before it */
    size_t moving, body_count;
    sweep_mass *mass;  /* beside the moving ones */
    bool round;        /* the inertia of every moving one is a multiple of the unit matrix */
    bool passing;      /* some limits hold only until contacts that stick give way */
    uint32_t *world;   /* index of the moving ones in the world */
    uint32_t *place;   /* of each body of the world: its place here, UINT32_MAX: none */
    const twist *free; /* beside bodies of the world: velocities without contacts */
    sweep_batch *batches;
    sweep_normal_terms *normal_terms; /* beside batches; NULL: nothing yields, nothing is held */
    sweep_patch *patches;             /* beside batches; NULL: no contact is coupled */
    sweep_single *singles;
    size_t batch_count, single_count;
    sweep_colour colours[COLOURS + 1]; /* the last: what did not fit into any, one by one */
    int now;                           /* which iterate of the impulses is the present one */
    double
        *work; /* [J] sum of (b + s + C gamma_n/2) gamma_n of each batch, then of each single; with sections twice the
                           energy of what the sweep changed there */
    sweep_residual *residuals; /* beside contacts */
    sweep_seat *seats;         /* beside contacts */
    const sweep_kernels *kernels;
    sweep_f32 f32;
    arena *scratch;
    sweep_body *frozen;         /* of a gradient step (sweep_gradient.c): all bodies at its start */
    double (*kept)[6 * LANES];  /* and the iterate before it, beside batches */
    sweep_impulse *kept_single; /* and singles */
} sweep_problem;

/* Points to project onto the cone of law contensou, and where they come (contensou_lanes.h). */
typedef struct sweep_coupled {
    double x[LANES], slide[LANES], spin[LANES], roll[LANES]; /* [N s]; spin: couple per patch radius; roll [N m s] */
    double mu[LANES], rho[LANES];                            /* [-], [m] */
    double by_slide[LANES], by_spin[LANES], lean[LANES];     /* P_n/P_T, eps^2 P_n/P_tau, P_n/P_r rho */
    double floor[LANES];                                     /* [N s] */
    double guess[LANES];
    double y[LANES], to_slide[LANES], to_spin[LANES]; /* [N s] result */
    unsigned stuck;                                   /* lane i in bit i */
} sweep_coupled;

/* What a sweep does to a range of batches, for one instruction set; all give the same bits. */
struct sweep_kernels {
    void (*sweep)(sweep_problem *k, size_t begin, size_t end, double omega, double beta);
    void (*refresh)(sweep_problem *k, size_t begin, size_t end, double damping);
    void (*measure)(sweep_problem *k, size_t begin, size_t end);
    void (*terms)(sweep_problem *k, size_t begin, size_t end);
    void (*push)(sweep_problem *k, size_t begin, size_t end);
    void (*flush)(sweep_problem *k, size_t begin, size_t end, double nothing);
    void (*distance)(sweep_problem *k, size_t begin, size_t end); /* into work [J] */
    double (*extrapolate)(sweep_problem *k, size_t begin, size_t end,
                          double beta);                                 /* [J] what energy gives, before it */
    double (*energy)(const sweep_problem *k, size_t begin, size_t end); /* [J] twice the kinetic one, of balls */
    void (*coupled)(sweep_coupled *c);                                  /* one cone projection per lane */
    void (*support)(const double v[LANES], const double w[LANES], double power[LANES]); /* [m/s] per mu p_n */
};
extern const sweep_kernels trui_sweep_generic, trui_sweep_avx2, trui_sweep_avx512;

/* The same for the copy in floats; work is in its units. */
struct sweep_f32_kernels {
    void (*sweep)(sweep_problem *k, size_t begin, size_t end, double omega, double beta);
    void (*measure)(sweep_problem *k, size_t begin, size_t end);
    double (*extrapolate)(sweep_problem *k, size_t begin, size_t end, double beta); /* [kg], units of speed squared */
    double (*change)(sweep_problem *k, size_t begin, size_t end); /* the same of v less the older mark */
    void (*lower)(sweep_problem *k, size_t begin, size_t end);    /* doubles to floats; largest push into work [m/s] */
    void (*lift)(sweep_problem *k, size_t begin, size_t end);     /* impulses to doubles */
};
extern const sweep_f32_kernels trui_sweep_f32_generic, trui_sweep_f32_avx2, trui_sweep_f32_avx512;

/* ---- packing (sweep_problem.c) */

typedef struct sweep_input {
    arena *scratch;
    contact *contacts;      /* bias set; sorted by key */
    const uint32_t *chosen; /* contact_count of them are in the problem; NULL: all there are */
    size_t contact_count;
    const body *bodies;
    size_t body_count;
    const solid *solids;
    const problem_body *inverse;      /* beside bodies */
    const twist *free;                /* beside bodies */
    double speed;                     /* [m/s] |gravity| step */
    const normal_terms *normal_terms; /* beside contacts; NULL: none has any */
    double step;                      /* [s] */
    const crew *threads;
    double (*clock)(void); /* as in sweep_problem */
    bool exact;
} sweep_input;

/* The i-th contact of the problem. */
static inline contact *sweep_contact(contact *contacts, const uint32_t *chosen, size_t i) {
    return &contacts[chosen ? chosen[i] : i];
}
/* Do the laws of every contact have constant slide, spin and roll limits, or slide and spin coupled by a constant patch, and
 * no viscous part? */
bool trui_sweep_possible(const contact *contacts, size_t count, const body *bodies, const solid *solids);
/* Contacts with their warm start, velocities with its impulses. */
tru_status trui_sweep_build(sweep_problem *k, const sweep_input *in, tru_error *err);
/* After a solve: contacts that gave way get the limits they slide with. True: some did, and it has to be solved again, from where
 * it is. */
bool trui_sweep_revise(sweep_problem *k, const sweep_input *in);
/* Impulses and modes into the contacts, the rates of their rows into `seen` (beside the contacts of the world), the velocities
 * at the end onto the bodies of the world that move. */
void trui_sweep_finish(sweep_problem *k, body *bodies, double (*seen)[TRU_ROWS]);

/* ---- passes (sweep_run.c) */

/* One forward sweep from y = now + beta (now - previous), velocities at y: `previous` becomes the result and the present
 * iterate. Returns sum (b + s) gamma_n, with sections how much the sweep changed. [J] */
double trui_sweep_run(sweep_problem *k, double omega, double beta);
/* Velocities to v + beta (v - v of the previous iterate), which v itself becomes. Returns the kinetic energy of v. [J] */
double trui_sweep_extrapolate(sweep_problem *k, double beta);
/* Undo it but for what the previous iterate is: velocities without momentum. */
void trui_sweep_restart(sweep_problem *k);
/* Nesterov's sequence: the next beta, and theta after it; a capped beta keeps theta where it is. */
double trui_sweep_momentum(double *theta, double cap);
/* Kinetic energy of the moving bodies. [J] */
double trui_sweep_energy(const sweep_problem *k);
/* Can sweeps of the exact form do without shifts: friction within what the normal impulse allows is the law itself. Of balls
 * the rows of a contact do not act on each other; others take their normal row first, then friction at the rates it leaves. Not
 * for coupled slide and spin. */
bool trui_sweep_sections(const sweep_problem *k);
/* Exact form: bring the shifts by the part `damping` towards s(u) at the present velocities. */
void trui_sweep_refresh(sweep_problem *k, double damping);
/* Forget impulses so small that they are nothing but what sweeps leave of nothing. */
void trui_sweep_flush(sweep_problem *k);
/* Velocities from the impulses alone, without what sweeps have rounded; and all impulses onto velocities without contacts. */
void trui_sweep_resync(sweep_problem *k);
void trui_sweep_push_all(sweep_problem *k);
/* Earlier iterates become the present one. */
void trui_sweep_forget(sweep_problem *k);
/* How many times heavier than the other a body is that touches it, at most; 1: nowhere more than PACKED_UNEVEN times. */
#define SWEEP_UNEVEN 50.0
double trui_sweep_uneven(const sweep_problem *k);
/* Mass-weighted rms of a sum of m |v|^2 + I |w|^2. [m/s] */
double trui_sweep_rms(const sweep_problem *k, double sum);
/* Mass-weighted rms change of the velocities since the call before the last one (or since trui_sweep_build). [m/s] */
double trui_sweep_change(sweep_problem *k);

/* Squared change of the velocities since these, in the bodies' mass. [J] */
double trui_sweep_moved(const sweep_problem *k, const sweep_body *since);

/* How far the present iterate is from the laws. */
typedef struct sweep_error {
    double rms, max; /* [m/s] over contacts, couples times their length */
    int32_t worst;   /* contact */
} sweep_error;
sweep_error trui_sweep_measure(sweep_problem *k);

/* ---- sweeps in floats (sweep_f32.c) */

/* Of lengths and limits: how far from the unit they may be, and masses from the heaviest one. */
#define SWEEP_SPREAD 0x1p20
/* After the first sweep: if floats are fine enough to bring velocities within limit [m/s], passes go over a copy in floats from
 * now on, and true is returned. Else nothing happens. */
bool trui_sweep_f32_enter(sweep_problem *k, double limit);
/* Impulses to doubles, velocities from them; no momentum is left. */
void trui_sweep_f32_leave(sweep_problem *k);

/* ---- gradient steps: all contacts at once (sweep_gradient.c) */

/* Room for them; false: no memory. */
bool trui_sweep_gradient_room(sweep_problem *k);
/* From the present iterate g to y = g + beta (g - the previous one), velocities with it; returns the kinetic energy of g.
 * [J] */
double trui_sweep_gradient_begin(sweep_problem *k, double beta);
/* What a step of P/slope from y, projected, did. */
typedef struct sweep_step {
    double work;  /* [J] sum (b + s) gamma_n after it */
    double moved; /* [J] |dv|^2 in the bodies' mass */
    double size;  /* [J] |d|^2 in the metric P */
} sweep_step;
sweep_step trui_sweep_gradient_try(sweep_problem *k, double slope);
/* Its result is the present iterate, g the previous one. */
void trui_sweep_gradient_accept(sweep_problem *k);

/* ---- single contacts (sweep_single.c) */

void trui_sweep_single_sweep(sweep_problem *k, size_t begin, size_t end, double omega, double beta);
void trui_sweep_single_refresh(sweep_problem *k, size_t begin, size_t end, double damping);
void trui_sweep_single_residuals(sweep_problem *k, size_t begin, size_t end);
void trui_sweep_single_distance(sweep_problem *k, size_t begin, size_t end);
void trui_sweep_push(sweep_problem *k, const sweep_single *c, sweep_impulse d);

/* Returns y_n of the point nearest to x on the cone { |l_i| <= c_i y_n } (cone_root); l: sizes of its slide, spin and roll parts. */
double trui_sweep_cone(double x, const double l[3], const double c[3], const double lean[3]);

#endif
