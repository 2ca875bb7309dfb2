/* sweep_kernel.h: passes over the batches and bodies of a sweep problem, for each instruction set. */
#ifndef TRUNDLE_SOLVERS_SWEEP_PROBLEM_SWEEP_KERNEL_H
#define TRUNDLE_SOLVERS_SWEEP_PROBLEM_SWEEP_KERNEL_H

#include "solvers/sweep_problem/sweep_data.h"

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

/* Of lengths and limits: how far from the unit they may be, and masses from the heaviest one. */
#define SWEEP_SPREAD 0x1p20
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

#endif
