/* sim_outlet.h: removes free bodies between steps if their centre of mass is inside an outlet. */
#ifndef TRUNDLE_IO_SIM_OUTLET_H
#define TRUNDLE_IO_SIM_OUTLET_H

#include "sim_state.h"

/* Takes the outlets of a scene after its world was built. Fails if a body is inside an outlet at the start. */
tru_status trio_sim_set_outlets(tru_sim *sim, const tru_scene *scene, tru_error *err);
/* Removes the bodies that are inside an outlet. The run is done if no free body is left and no emitter will add one. */
tru_status trio_sim_let_leave(tru_sim *sim, tru_error *err);

#endif
