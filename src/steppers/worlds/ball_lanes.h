/* ball_lanes.h: worlds of one ball on one fixed plane side by side in the lanes of vector registers (steppers moreau and cone). */
#ifndef TRUNDLE_STEPPERS_WORLDS_BALL_LANES_H
#define TRUNDLE_STEPPERS_WORLDS_BALL_LANES_H

#include "step/lot/body_on_plane.h"
#include "steppers/worlds/world_lanes.h"

/* Numbers of a stepper that the kernel needs. */
typedef struct ball_scales {
    double margin;   /* [m] gap below which a contact acts */
    double strikes;  /* [m/s] approach above which it strikes */
    double touching; /* [m] gap that counts as none (cone) */
} ball_scales;

/* A stepper whose worlds go in lanes. */
typedef struct ball_stepper {
    bool cone; /* stepper cone, else moreau with scheme midpoint */
    /* Returns whether the lot on a plane can take the next step of a world; fills the lot and the scales. */
    bool (*begin)(tru_world *w, body_on_plane *p, ball_scales *scales);
} ball_stepper;

/* Advances several worlds by `steps`, each as its stepper would alone; sets status[i] and err[i] of each. */
void trui_balls_run(const ball_stepper *of, tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status,
                    tru_error *err);

#endif
