/* rolling.h: one body that rolls on a plane without slipping, as the stepper `variational` sees it: its data.
 *
 * Symbols of [variational-equations 1] stand next to the names. */
#ifndef TRUNDLE_STEPPERS_VARIATIONAL_SCHEME_ROLLING_H
#define TRUNDLE_STEPPERS_VARIATIONAL_SCHEME_ROLLING_H

#include "shapes/shape.h"
#include "step/one_body/one_body.h"
#include "step/step.h"
#include "steppers/variational/scheme/step_variational_reduced.h"

#define ROLLING_SLIP 1e-9 /* slip at the start in parts of the body's speed that counts as none */
#define ROLLING_NEAR                                                                                                   \
    0.5 /* [rad] largest distance of a step's angles from their extrapolation; beyond it roots are spurious */

/* A disk: its numbers, and the direction of its axis. */
typedef struct rolling_disk {
    reduced_disk k;
    double radius; /* [m]; 0 if the body is not a disk */
    double mass;   /* [kg] */
    double fall;   /* [1/s^2] gravity against the normal, over the radius */
    tru_vec3 axis; /* [-] in body axes: away from the first rim */
} rolling_disk;

/* Axes of the angles of a disk. */
typedef struct disk_frame {
    reduced_angle theta;
    double per_sine;              /* [-] one over that of theta */
    tru_vec3 heading, side, axis; /* [-] (cos phi, sin phi), w, d2: away from the rim in contact */
} disk_frame;

typedef struct rolling {
    tru_world *w;
    size_t body, plane, solid_a, solid_b; /* indices: free body, fixed body, and their solids */
    double h, time;                       /* [s] of the step or the part of it that is taken, and its start */
    double whole;                         /* [s] of the step, as the user gave it */
    tru_vec3 n, t1, t2;                   /* [-] frame of the plane */
    tru_vec3 on_plane;                    /* [m] a point of it */
    tru_vec3 pull;                        /* [m/s^2] gravity */
    coulomb_numbers friction;             /* of law coulomb */
    tru_rolling resist;                   /* law rolling; radii are resolved */
    bool resists;
    bool in_angles; /* the scheme is one of the reduced equations of a disk */
    rolling_disk disk;
    int32_t feature;   /* of the point in contact */
    const contact *at; /* record of the last step's contact; NULL: there is none */
    bool began;        /* the step begins without one */
    struct {
        uint32_t age, stuck;
    } before; /* of the record */
    struct {
        bool any;         /* false: this node is a start */
        double last[3];   /* [N s] contact impulse at the last step's end, n, t1, t2 */
        double slip[3];   /* [m/s] in its middle */
        double missed[3]; /* [rad] what the guess of its angles was short of */
    } left;               /* by the step before */
} rolling;

/* Where a body stands and moves, and the arm r from the contact point to its centre. */
typedef struct rolling_node {
    tru_vec3 x;    /* [m] */
    tru_quat q;    /* [-] */
    tru_vec3 v, w; /* [m/s], [rad/s] */
    tru_vec3
        gain; /* [rad/s] where the next step begins to look: gain of w in the step that ended here, body axes; of the
                        angles: their mean rates in it minus those of its end */
    tru_vec3 arm;    /* [m] r_PC */
    disk_frame disk; /* of a disk */
} rolling_node;

/* What a step did: impulses at its two ends, the rates the laws saw, and where the energy went; world axes. */
typedef struct rolling_result {
    rolling_node end;
    tru_vec3 first, last; /* [N s] contact impulse at the first and at the last node, this step's part */
    tru_vec3 node;        /* [N s] whole contact impulse of the first node */
    tru_vec3 balance; /* [N s] node 0 of scheme se3: what the half of a step before it would have added; else zero */
    tru_vec3 couple, dry; /* [N m s] of resistance over the step, and the dry part of it */
    tru_vec3 slip, rate;  /* [m/s], [rad/s] in the middle of the step */
    tru_vec3 mean_slip;   /* [m/s] slip that friction at the first node opposes */
    uint32_t stuck;       /* bits of tru_kind */
    tru_ledger work;      /* what is to be added to the ledger */
    double missed[3];     /* [rad] what the guess of its angles was short of */
    int iterations;
} rolling_result;

/* Where the energy of a step went, into a ledger. */
static inline void ledger_add(tru_ledger *sum, const tru_ledger *part) {
#define ADD_WORK(name, kind, doc) sum->name += part->name;
    TRU_LEDGER_LIST(ADD_WORK)
#undef ADD_WORK
}

/* The attitude between two. */
static inline tru_quat rolling_halfway(tru_quat a, tru_quat b) {
    return quat_renormalise((tru_quat){0.5 * (a.w + b.w), 0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)});
}

#endif
