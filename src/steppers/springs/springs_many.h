/* springs_many.h: eight contacts of balls with balls or planes side by side in vector registers (stepper track).
 *
 * A lane goes through the operations of trui_springs_load for a contact that was followed before, in the same order, so its bits
 * are those of the contact alone. Contacts for which anything else holds (new ones, other shapes, laws whose coefficients depend
 * on the moment in other ways, a number out of the range of a series) are loaded alone. */
#ifndef TRUNDLE_STEPPERS_SPRINGS_SPRINGS_MANY_H
#define TRUNDLE_STEPPERS_SPRINGS_SPRINGS_MANY_H

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

/* Whether contacts of a pair have a form that the kernel knows. */
bool trui_spring_form_of(const tru_track *o, const tru_world *w, const pair *p, spring_form *f);

#endif
