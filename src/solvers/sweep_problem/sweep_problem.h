/* sweep_problem.h: builds the contact problem of many contacts (sweep_data.h), and hands over its result. */
#ifndef TRUNDLE_SOLVERS_SWEEP_PROBLEM_SWEEP_PROBLEM_H
#define TRUNDLE_SOLVERS_SWEEP_PROBLEM_SWEEP_PROBLEM_H

#include "solvers/sweep_problem/sweep_data.h"

typedef struct sweep_input {
    arena *scratch;
    contact *contacts;      /* bias set; sorted by key */
    const uint32_t *chosen; /* contact_count of them are in the problem; NULL: all there are */
    size_t contact_count;
    const body *bodies;
    size_t body_count;
    const solid *solids;
    const problem_body *inverse;      /* per body */
    const twist *free;                /* per body */
    double speed;                     /* [m/s] |gravity| step */
    const normal_terms *normal_terms; /* per contact; NULL: none has any */
    double step;                      /* [s] */
    const crew *threads;
    double (*clock)(void); /* as in sweep_problem */
    bool exact;
} sweep_input;

/* The i-th contact of the problem. */
static inline contact *sweep_contact(contact *contacts, const uint32_t *chosen, size_t i) {
    return &contacts[chosen ? chosen[i] : i];
}
/* Returns true if the laws of every contact have constant slide, spin and roll limits, or slide and spin coupled by a constant patch, and
 * no viscous part. */
bool trui_sweep_possible(const contact *contacts, size_t count, const body *bodies, const solid *solids);
/* Builds the problem: contacts with their warm start, velocities with its impulses. */
tru_status trui_sweep_build(sweep_problem *k, const sweep_input *in, tru_error *err);
/* Gives contacts that slipped in the solve the limits with which they slide. Returns true if there are any: then the problem must be solved
 * again, from its present state. */
bool trui_sweep_revise(sweep_problem *k, const sweep_input *in);
/* Stores impulses and modes in the contacts, the rates of their rows in `seen` (per contact of the world), and the velocities at the
 * end in the bodies of the world that move. */
void trui_sweep_finish(sweep_problem *k, body *bodies, double (*seen)[TRU_ROWS]);

#endif
