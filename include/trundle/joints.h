/* joints.h: what holds two bodies together, drives one against the other, or brakes them. trundle.h includes it.
 *
 *     tru_joint_def d = tru_default_joint_def();
 *     d.joint.name = "hinge";  d.a = door;  d.b = frame;
 *     d.position = (tru_vec3){0, 0, 1};  d.axis = (tru_vec3){0, 0, 1};
 *     tru_joint_add(world, &d, &hinge, &err);
 *
 * A joint is given in the world as it stands: its point and its axis, which then stay with the bodies. Its rows are solved
 * in one problem with the contacts; a motor and a seal are rows of their own, beside the joint that they work in. */
#ifndef TRUNDLE_JOINTS_H
#define TRUNDLE_JOINTS_H

#ifndef TRUNDLE_TRUNDLE_H
#error "joints.h is a part of <trundle/trundle.h>: include that"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* "ball", "hinge", "slider" and "fixed" have no parameters. */
typedef struct tru_distance {
    double length; /* [m] between the two points; default: as they stand */
} tru_distance;
typedef struct tru_motor {
    double speed;    /* [rad/s] of a against b about the axis; or, instead, */
    double velocity; /* [m/s] of a's point against b along the axis */
    double torque;   /* [N m] at most, with speed; default: whatever it takes */
    double force;    /* [N] at most, with velocity */
} tru_motor;
typedef struct tru_seal {
    double force;  /* [N] dry friction along the axis; or, instead, */
    double torque; /* [N m] about it */
} tru_seal;

typedef struct tru_joint_def {
    const char *name;    /* unique among joints; NULL: "joint-<id>" */
    tru_use joint;       /* {"hinge", NULL} */
    tru_id a, b;         /* two bodies, one of them free at least; reactions are those on a */
    tru_vec3 position;   /* [m] its point */
    tru_vec3 position_b; /* [m] its point on b if that is another one; x = TRU_DERIVED: the same */
    tru_vec3 axis;       /* [-] of hinge, slider, motor, seal; any length but 0; x = TRU_DERIVED: z */
    bool collide;        /* the two bodies may touch each other although the joint holds them together */
} tru_joint_def;

typedef struct tru_joint_info {
    const char *name, *joint;    /* its name and its kind; valid until the next joint is added or removed */
    tru_id a, b;                 /* */
    tru_vec3 point_a, point_b;   /* [m] its point on each body now */
    tru_vec3 axis;               /* [-] now, fixed in b */
    tru_vec3 force, torque;      /* [N], [N m] on a, torque about its point on a: mean over the last step */
    tru_vec3 moment_a, moment_b; /* [N m] the same on a and on b about their centres of mass, where the rows acted */
    double travel, angle;        /* [m], [rad] of a against b along and about the axis, -pi to pi */
    double travel_rate, rate;    /* [m/s], [rad/s] the same per time */
    double apart, turned;        /* [m], [rad] how far the bodies are from where the joint wants them */
    int32_t rows, left_out;      /* rows; those that other joints hold already, in the last step */
    bool slips;                  /* a seal or a limited motor is at its limit */
} tru_joint_info;

TRU_API tru_joint_def tru_default_joint_def(void);
TRU_API tru_distance tru_default_distance(void);
TRU_API tru_motor tru_default_motor(void);
TRU_API tru_seal tru_default_seal(void);
TRU_API tru_status tru_joint_add(tru_world *world, const tru_joint_def *def, tru_id *out, tru_error *err);
TRU_API tru_status tru_joint_remove(tru_world *world, tru_id joint, tru_error *err);
TRU_API size_t tru_joint_count(const tru_world *world);
/* The id of the k-th joint in the order of creation, TRU_NONE past the end; ids of joints are their own. */
TRU_API tru_id tru_joint_id(const tru_world *world, size_t k);
TRU_API tru_id tru_joint_find(const tru_world *world, const char *name);
TRU_API tru_status tru_joint_get(const tru_world *world, tru_id joint, tru_joint_info *out, tru_error *err);

#ifdef __cplusplus
}
#endif
#endif
