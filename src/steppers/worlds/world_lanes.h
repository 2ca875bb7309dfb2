/* world_lanes.h: worlds of one structure side by side in the lanes of vector registers, as in the cells of a sweep.
 *
 * A kernel does the steps of eight worlds at once, each with the operations of the world alone in the same order, so that the bits are
 * the same. A step in which something begins or ends in a lane is not done for that lane: its world does it alone, and the lane is
 * loaded again. A stepper describes by a lane_kind what its kernel can do. */
#ifndef TRUNDLE_STEPPERS_WORLDS_WORLD_LANES_H
#define TRUNDLE_STEPPERS_WORLDS_WORLD_LANES_H

#include "world/world.h"

enum { WORLD_LANES = 8, LANE_ROWS_MOST = 128, LANE_FORM_BYTES = 32 };

/* Does up to `most` steps of all lanes. `row`: one number per lane and row; `form`: what is the same in all lanes. *done becomes the
 * number of steps in which nothing odd happened. Returns 0, or of the step after these the lanes that have not done it (bits 0 to
 * 7), and that have done it and changed a mode (bits 8 to 15). */
typedef unsigned lane_kernel(double (*row)[WORLD_LANES], const void *form, uint64_t most, uint64_t *done);

/* Up to eight worlds of one form; unused lanes repeat the numbers of a used one. */
typedef struct lane_group {
    _Alignas(64) double row[LANE_ROWS_MOST][WORLD_LANES]; /* a row is a cache line */
    _Alignas(16) unsigned char form[LANE_FORM_BYTES];
    tru_world *w[WORLD_LANES];
    size_t world[WORLD_LANES];   /* index of each lane's world */
    uint64_t steps[WORLD_LANES]; /* done in the lane since it was loaded or stored */
    int restless[WORLD_LANES];   /* how often in a row the lane was stored after a few steps */
    unsigned used;               /* bits of lanes with a world */
    const void *context;         /* of the lane_kind */
} lane_group;

/* What a kernel can do. */
typedef struct lane_kind {
    int rows; /* number of rows that are used */
    int last; /* number of steps that every world does alone at the end, so that everything that is read after a step is there */
    lane_kernel *(*kernel)(void);
    /* Returns whether a world has a structure that the kernel supports, and a step to continue from. Fills its form, whose bytes are 0
     * before; worlds with equal forms share a group. */
    bool (*match)(const void *context, tru_world *w, void *form);
    /* Copies the constants of a world that matches, and its state, to a lane. */
    void (*load)(lane_group *j, int lane, bool constants);
    /* Copies the state of a lane to its world and counts j->steps[lane] steps. */
    void (*store)(lane_group *j, int lane);
    /* Emits the events of the step after j->steps[lane], which was done and changed modes; NULL: the kernel does no such step. */
    void (*report)(lane_group *j, int lane);
    const void *context; /* for match, and for the others in lane_group */
} lane_kind;

/* Advances several worlds by `steps`, each as its stepper would alone; sets status[i] and err[i] of each. */
void trui_worlds_run(const lane_kind *kind, tru_world *const *worlds, size_t count, uint64_t steps, tru_status *status,
                     tru_error *err);

/* ---- for lane_kind.load and store */

/* Copies numbers to a lane or back, by one list for both directions. */
typedef struct lane_copier {
    lane_group *group;
    int lane;
    bool in;
} lane_copier;

void trui_lane_copy(lane_copier *t, int row, double *x, int count);
void trui_lane_copy_vector(lane_copier *t, int row, tru_vec3 *x);
void trui_lane_copy_quat(lane_copier *t, int row, tru_quat *q);

#endif
