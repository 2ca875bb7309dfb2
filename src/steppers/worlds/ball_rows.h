/* ball_rows.h: rows of the kernel that steps eight worlds of one ball on one fixed plane, for steppers moreau and cone.
 *
 * Each lane does the operations of the lot on a plane (step/lot) for a contact that was there before, in the same order, so its bits
 * are those of the world alone. Not done for a lane, and left to its world, is a step in which the contact opens, strikes or
 * changes a mode, the body comes to rest or moves off, an overlap is recovered, or the closed form of the contact does not hold. Terms
 * that are zero whatever happens (velocities of the plane, loads) are left out: they could only change the sign of a zero. */
#ifndef TRUNDLE_STEPPERS_WORLDS_BALL_ROWS_H
#define TRUNDLE_STEPPERS_WORLDS_BALL_ROWS_H

#include "steppers/worlds/world_lanes.h"

/* Rows of eight numbers; what changes from step to step comes first. Vectors take three rows. */
enum ball_row {
    BL_X = 0,
    BL_Q = BL_X + 3, /* w, x, y, z */
    BL_V = BL_Q + 4,
    BL_W = BL_V + 3,
    BL_RATE = BL_W + 3,             /* six: rates at the end of the last step (moreau) */
    BL_DRY = BL_RATE + TRU_ROWS,    /* six: impulses of the last step, */
    BL_LAST = BL_DRY + TRU_ROWS,    /* of the step before, */
    BL_OLDER = BL_LAST + TRU_ROWS,  /* and before that (moreau) */
    BL_SHIFT = BL_OLDER + TRU_ROWS, /* lines of the ledger: theta_shift, */
    BL_HEAT,                        /* slide, spin, roll, */
    BL_PROJECTION = BL_HEAT + 3,
    BL_STABILISATION,
    BL_ENERGY,                  /* tru_world.energy_seen */
    BL_RESIDUAL,                /* four, by kind: largest since the lane was loaded */
    BL_WORST = BL_RESIDUAL + 4, /* largest relative residual, */
    BL_WORST_SPEED,             /* the speed of that step, */
    BL_WORST_STEP,              /* and its number since the lane was loaded, from 1 */
    BL_STEP,                    /* steps since the lane was loaded */
    BL_PHASE,                   /* tru_world.steps_done modulo BOOKS_PERIOD */
    BL_STATE,                   /* rows before this one change in a step */
    BL_H = BL_STATE,
    BL_GRAVITY,
    BL_MASS = BL_GRAVITY + 3,
    BL_INV_MASS,
    BL_TURN, /* inverse of the moment of inertia */
    BL_RADIUS,
    BL_BOUND, /* radius of the solid about its origin */
    BL_SIZE,
    BL_SLOW2, /* squared speed of rest */
    BL_FALL,  /* gravity times step */
    BL_MARGIN,
    BL_STRIKES,  /* approach above which a contact strikes */
    BL_TOUCHING, /* gap that counts as none (cone) */
    BL_N,
    BL_T1 = BL_N + 3,
    BL_T2 = BL_T1 + 3,
    BL_PLANE = BL_T2 + 3,    /* a point of the plane */
    BL_LIMIT = BL_PLANE + 3, /* of slide, spin, roll */
    BL_TOLERANCE = BL_LIMIT + 3,
    BL_STUCK, /* slide, spin, roll: 1 sticks, 0 slips */
    BL_RESTING = BL_STUCK + 3,
    BL_GYROSCOPIC, /* what the books add up of lines that stay: this one, */
    BL_LIFT,       /* lift and stiffness, */
    BL_IMPACT,     /* impact, */
    BL_SEALS,      /* seals, */
    BL_SUPPLIED,   /* loads, drives and motors, */
    BL_STORED,     /* stored and stiffness, */
    BL_START,      /* start */
    BL_WEIGHED,    /* gravity times mass times size */
    BL_ROWS
};

/* The same in all lanes. All members have one size, so that forms are compared as bytes. */
typedef struct ball_form {
    uint32_t claims;
    uint32_t cone; /* stepper cone, else moreau with scheme midpoint */
} ball_form;

lane_kernel trui_ball_kernel_generic, trui_ball_kernel_avx2, trui_ball_kernel_avx512;

#endif
