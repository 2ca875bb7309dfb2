/* track_kernel.h: a step of eight worlds of one ball on one plane, a function per instruction set.
 *
 * A lane goes through exactly the operations of step_track for a contact that was there before, in the same order, so its bits
 * are those of the world alone. A step in which anything else happens in a lane (the contact opens, the body comes to rest, a
 * number leaves the range of a series) is not done for that lane: the world does it itself. Terms that are zero whatever happens (couples of laws without viscosity, the arm of a centred sphere) are left
 * out: they could only change the sign of a zero. */
#ifndef TRUNDLE_STEPPERS_TRACK_TRACK_KERNEL_H
#define TRUNDLE_STEPPERS_TRACK_TRACK_KERNEL_H

#include "steppers/springs/springs.h"
#include "steppers/worlds/world_lanes.h"

#define TRACK_MADE_BY_STEPS 0.5 /* [-] of all energy, present and lost: beyond it steps have made more than there was */

/* Rows of eight numbers; what changes from step to step comes first. Vectors take three rows, matrices nine. */
enum track_row {
    TL_X = 0,
    TL_Q = 3,        /* w, x, y, z */
    TL_R = 7,        /* of the ball, row by row */
    TL_V = 16,       /* */
    TL_W = 19,       /* */
    TL_AT_A = 22,    /* the record of both bodies */
    TL_T1_A = 25,    /* */
    TL_T2_A = 28,    /* */
    TL_AT_B = 31,    /* */
    TL_T1_B = 34,    /* */
    TL_T2_B = 37,    /* */
    TL_STRETCH = 40, /* five */
    TL_OVERLAP = 45, /* */
    TL_STIFF = 46,   /* four, by kind */
    TL_ENERGY = 50,  /* four, by kind */
    TL_THETA_SHIFT = 54,
    TL_HEAT = 55, /* four: impact, slide, spin, roll */
    TL_DRIVES = 59,
    TL_STIFFNESS = 60,
    TL_STUCK = 61,      /* three, by kind: 1 sticks, 0 slips */
    TL_STATE = 64,      /* rows before this one change in a step */
    TL_RATE = TL_STATE, /* six: rates of the rows, of lanes that have changed a mode */
    TL_H = TL_RATE + 6,
    TL_GRAVITY, /* three */
    TL_MASS = TL_GRAVITY + 3,
    TL_INV_MASS,
    TL_INERTIA,
    TL_INVERSE, /* three, the diagonal */
    TL_RADIUS = TL_INVERSE + 3,
    TL_CURVATURE, /* 1 / radius */
    TL_SIZE2,
    TL_SLOW,
    TL_MARGIN,
    TL_N,                /* three */
    TL_PLANE = TL_N + 3, /* three: a point of the plane */
    TL_X_B = TL_PLANE + 3,
    TL_R_B = TL_X_B + 3, /* nine */
    TL_RESTING = TL_R_B + 9,
    TL_FORCE,    /* prescribed normal force */
    TL_NORMAL_K, /* hooke */
    TL_NORMAL_D, /* */
    TL_K,        /* slide, spin, roll: stiffness where it is constant */
    TL_D = TL_K + 3,
    TL_CAP = TL_D + 3, /* per normal force */
    TL_HOLD = TL_CAP + 3,
    TL_ETA_R2 = TL_HOLD + 3, /* 2 eta_r */
    TL_ETA_PSI,
    TL_MU_K,
    TL_MU_S,
    TL_ROLL_K,  /* roll_stiffness */
    TL_DAMP_R2, /* 2 roll_damping */
    TL_DAMP_P2, /* 2 spin_damping */
    TL_ROWS
};

/* Worlds of one structure: these are the same in all lanes. All members have one size, so that forms are compared as bytes. */
typedef struct track_form {
    uint32_t claims;
    uint32_t prescribed; /* normal force, else hooke */
    uint32_t limited;    /* dashpots */
    uint32_t level;      /* the plane's body axes are the world's */
    uint32_t roll_eta;   /* roll spring from eta_r and the curvature of the moment */
    uint32_t roll_given; /* with a stiffness of its own */
    uint32_t spin_eta;   /* spin spring from eta_psi and the curvature of the moment */
} track_form;
_Static_assert(sizeof(track_form) <= LANE_FORM_BYTES, "forms fit into a group");
_Static_assert((int)TL_ROWS <= (int)LANE_ROWS_MOST, "rows fit into a group");

lane_kernel trui_track_kernel_generic, trui_track_kernel_avx2, trui_track_kernel_avx512;

#endif
