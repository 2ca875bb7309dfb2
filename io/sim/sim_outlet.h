/* sim_outlet.h: free bodies leave a simulation between steps, where their centre of mass is inside an outlet. */
#ifndef TRUNDLE_IO_SIM_OUTLET_H
#define TRUNDLE_IO_SIM_OUTLET_H

#include "sim_state.h"

/* The outlets of a scene, once its world is there; a body that is inside one already is an error. */
tru_status trio_sim_set_outlets(tru_sim *sim, const tru_scene *scene, tru_error *err);
/* Remove the bodies that are inside an outlet now; the run is done when no free body is left and none will come. */
tru_status trio_sim_let_leave(tru_sim *sim, tru_error *err);

#endif
