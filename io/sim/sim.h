/* sim.h: a simulation that is built around a world, and when it records. */
#ifndef TRUNDLE_IO_SIM_H
#define TRUNDLE_IO_SIM_H

#include "sim_state.h"

/* Builds a simulation of any world and takes ownership of the world, also if it fails. trio_sim_add_stop adds stop
 * conditions. */
tru_status trio_sim_from_world(tru_world *world, const char *stepper, const tru_plan *plan, tru_sim **out,
                               tru_error *err);
/* Sets the end of the plan. A simulation that has ended continues if the new end is later. A negative time or NaN means no
 * end. */
void trio_sim_set_end(tru_sim *sim, double until);
/* Returns the first step after `now` that is nearest to a multiple of `interval` [s]. An interval up to one step means
 * every step; 0 returns UINT64_MAX. */
uint64_t trio_sim_due_after(double interval, double step, uint64_t now);
uint64_t trio_sim_next_frame(const tru_sim *sim); /* after the present step */
uint64_t trio_sim_next_row(const tru_sim *sim);
bool trio_sim_frame_is_due(const tru_sim *sim); /* at the present step */
bool trio_sim_row_is_due(const tru_sim *sim);
void trio_solve_totals_add(tru_solve_totals *sum, const tru_solve_totals *more);

#endif
