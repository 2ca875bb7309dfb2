/* joint.h: joints between two bodies. */
#ifndef TRUNDLE_WORLD_JOINT_H
#define TRUNDLE_WORLD_JOINT_H

#include "world/body.h"
#include "world/pair.h"

/* Impulses of a joint in an impact before the step (step/jolt.c), about the centres of mass. */
typedef struct joint_jolt {
    tru_vec3 push;           /* [N s] on a */
    tru_vec3 turn_a, turn_b; /* [N m s] on a, on b */
} joint_jolt;

/* A joint between two bodies: its place on them, and its rows in the last step. */
typedef struct joint {
    tru_id id;
    char name[NAME_ROOM];
    const tru_joint *type;
    void *params;
    tru_id body_a, body_b;
    size_t a, b;               /* body indices */
    bool collide;              /* its bodies may touch each other */
    bool accepted;             /* its bodies satisfied it when it began */
    tru_vec3 point_a, point_b; /* [m] from the centres of mass, body axes */
    tru_mat3 axes_a, axes_b;   /* [-] axes of the joint in body axes, as columns */
    uint32_t age;              /* number of steps */
    int32_t rows;              /* number of rows in the last step; the members below are of that step too */
    uint32_t left_out;         /* bit k: other joints imply row k, so it was left out */
    uint32_t stuck;            /* bit k: row k is not at its limit */
    tru_joint_row row[TRU_JOINT_ROWS];
    tru_vec3 arm;                   /* [m] from a's centre of mass to its point, where the rows acted */
    double impulse[TRU_JOINT_ROWS]; /* [N s], [N m s] */
    double bias[TRU_JOINT_ROWS];    /* [m/s], [rad/s] the row demands rate + bias = 0 */
    double metric[TRU_JOINT_ROWS];  /* [impulse/velocity] rho of the last solve */
    double theta;                   /* [-] 1/2: the rows act on mean rates of the step, 1: on those at its end */
    joint_jolt jolt;
} joint;

/* Returns where a joint is, from the poses of its bodies. */
tru_joint_place trui_joint_place(const joint *j, const body *a, const body *b);
/* Returns the rate of a row for velocities of its bodies. */
double trui_joint_rate(const tru_joint_row *r, const twist *a, const twist *b);
/* Releases the parameters. */
void trui_joint_release(memory *m, joint *j);
/* Returns true if a row acts on angular velocities only. */
static inline bool joint_row_turns(const tru_joint_row *r) { return v3_max_abs(r->lin) == 0.0; }

#endif
