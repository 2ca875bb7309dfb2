/* solver_plan.h: which solver gets which part of a step's contacts, as a table and in JSON. */
#ifndef TRUNDLE_APP_SOLVER_PLAN_H
#define TRUNDLE_APP_SOLVER_PLAN_H

#include <trundle/io.h>

/* Returns how many parts of contact problems the plan has counted so far. */
uint64_t solver_plan_parts(const tru_world *world);
/* Most bodies of a scene that solver_plan_probe runs: steps of more take longer than reading them, and more memory. */
enum { PLAN_BODIES = 5000 };
/* Runs the scene until the plan has counted a part, at most `steps` steps, and none with more than PLAN_BODIES bodies. A failed
 * step is returned with its sentence in *err. */
tru_status solver_plan_probe(tru_sim *sim, uint64_t steps, tru_error *err);
/* Prints the rules that were chosen in the steps so far, with thresholds, to stdout. The caller prints the headline. */
void solver_plan_print(const tru_world *world);
/* Writes the object "plan": the chosen solver, the rules that were chosen, every threshold. NULL if the stepper has no plan. */
void solver_plan_json(tru_json *json, const tru_world *world);

#endif
