/* sim.h: a simulation that is built around a world, and when it records. */
#ifndef TRUNDLE_IO_SIM_H
#define TRUNDLE_IO_SIM_H

#include "sim_state.h"

/* A simulation of any world, which it owns from then on, also when it fails; stops are added with trio_sim_add_stop. */
tru_status trio_sim_from_world(tru_world *world, const char *stepper, const tru_plan *plan, tru_sim **out,
                               tru_error *err);
/* Set the end of the plan; a simulation that had ended continues if the new end is later. Not a time from 0 on: no end. */
void trio_sim_set_end(tru_sim *sim, double until);
/* The first step after `now` that lies nearest to a multiple of `interval` [s]; every step if that is no longer than a
 * step, UINT64_MAX if it is 0. */
uint64_t trio_sim_due_after(double interval, double step, uint64_t now);
uint64_t trio_sim_next_frame(const tru_sim *sim); /* after the present step */
uint64_t trio_sim_next_row(const tru_sim *sim);
bool trio_sim_frame_is_due(const tru_sim *sim); /* at the present step */
bool trio_sim_row_is_due(const tru_sim *sim);
void trio_solve_totals_add(tru_solve_totals *sum, const tru_solve_totals *more);

#endif
