/* springs_kernel.h: the springs of eight contacts of one form at once, a function per instruction set. */
#ifndef TRUNDLE_STEPPERS_SPRINGS_SPRINGS_KERNEL_H
#define TRUNDLE_STEPPERS_SPRINGS_SPRINGS_KERNEL_H

#include "steppers/springs/springs.h"

enum { SPRING_LANES = 8 };

/* What all contacts of a pair of materials have in common. */
typedef struct spring_form {
    unsigned claims;
    int32_t normal;         /* tru_normal */
    bool limited;           /* dashpots */
    bool mean;              /* masses */
    bool roll_eta;          /* roll spring from eta_r and the curvature of the moment */
    bool spin_eta;          /* spin spring from eta_psi and the curvature of the moment */
    double h;               /* [s] */
    double stiffness;       /* [N/m] of the slide spring, or TRU_DERIVED: */
    double rate;            /* [-] in parts of mass / step^2 */
    double roll_stiffness;  /* [N m/rad] or TRU_DERIVED */
    double damp[TRU_KINDS]; /* [-] ratio of the normal dashpot, twice those of the others */
    double force;           /* [N] prescribed */
    double normal_k;        /* [N/m] hooke, or TRU_DERIVED: in parts of mass / step^2 */
    double modulus;         /* [Pa] hertz */
    double eta_r, eta_psi;  /* [-] */
    double spin_area;       /* [m^2] of a spring with a curvature of its own; 0: none */
    double cap[TRU_KINDS];  /* [-], [m], [m] per normal force: kinetic, */
    double hold[TRU_KINDS]; /* static */
} spring_form;

/* Eight contacts of one form: A is a ball, B a ball or (flat) a plane. */
typedef struct spring_group {
    const spring_form *form;
    bool flat;
    contact *c[SPRING_LANES];
    springs *springs[SPRING_LANES]; /* where those of this step go */
    const body *a[SPRING_LANES], *b[SPRING_LANES];
    spring_book *book[SPRING_LANES];
} spring_group;

/* trui_springs_load of all; bits of the lanes where that is still to be done. */
typedef unsigned springs_kernel(const spring_group *g);
springs_kernel trui_springs_kernel_generic, trui_springs_kernel_avx2, trui_springs_kernel_avx512;

#endif
