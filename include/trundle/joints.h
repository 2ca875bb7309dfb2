/* joints.h: joints that hold two bodies together, drive one against the other, or brake them.
 *
 *     tru_joint_def d = tru_default_joint_def();
 *     d.joint.name = "hinge";  d.a = door;  d.b = frame;
 *     d.position = (tru_vec3){0, 0, 1};  d.axis = (tru_vec3){0, 0, 1};
 *     tru_joint_add(world, &d, &hinge, &err);
 *
 * A joint is defined in world axes for the present poses. Its point and axis then stay with the bodies.
 * The stepper solves the rows of joints and contacts in one problem. Steppers moreau and cone support joints.
 * A motor or a seal is a joint of its own, added alongside the hinge or slider that it works in.
 * The rules for every function in trundle.h apply. */
#ifndef TRUNDLE_JOINTS_H
#define TRUNDLE_JOINTS_H

#include <trundle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters of joint "distance". Joints "ball", "hinge", "slider" and "fixed" have none. */
typedef struct tru_distance {
    double length; /* [m] distance of the two points, above 0; default: the present one */
} tru_distance;
/* Parameters of joint "motor". Set either `speed` or `velocity`. */
typedef struct tru_motor {
    double speed;    /* [rad/s] wanted rate of a against b about the axis */
    double velocity; /* [m/s] wanted velocity of a's point against b along the axis */
    double torque;   /* [N m] largest torque, with speed; default: unlimited */
    double force;    /* [N] largest force, with velocity; default: unlimited */
} tru_motor;
/* Parameters of joint "seal". Set either `force` or `torque`. */
typedef struct tru_seal {
    double force;  /* [N] dry friction along the axis */
    double torque; /* [N m] dry friction about the axis */
} tru_seal;

/* Definition of a joint. */
typedef struct tru_joint_def {
    const char *name;    /* unique among joints, at most 63 bytes; NULL: "joint-<id>" */
    tru_use joint;       /* kind of joint and its parameters, as {"hinge", NULL} */
    tru_id a, b;         /* two different bodies, at least one of them free; reactions are those on a */
    tru_vec3 position;   /* [m] point of the joint, world axes */
    tru_vec3 position_b; /* [m] point on b if it differs; x = TRU_DERIVED: the same point */
    tru_vec3 axis;       /* [-] of hinge, slider, motor, seal; any length but 0; x = TRU_DERIVED: z */
    bool collide;        /* true: the two bodies may touch each other although the joint holds them together */
} tru_joint_def;

/* State of a joint. Forces and torques are means over the last step, in world axes; they are 0 before the first step. */
typedef struct tru_joint_info {
    const char *name, *joint; /* its name and its kind; valid until a joint is added or removed, or a snapshot loaded */
    tru_id a, b;              /* the two bodies */
    tru_vec3 point_a, point_b;   /* [m] point of the joint on each body now, world axes */
    tru_vec3 axis;               /* [-] unit vector now, fixed in b */
    tru_vec3 force, torque;      /* [N], [N m] on a; the torque is about the joint's point on a */
    tru_vec3 moment_a, moment_b; /* [N m] on a and on b about their centres of mass, where the rows acted */
    double travel, angle;        /* [m], [rad] of a against b along and about the axis, angle from -pi to pi */
    double travel_rate, rate;    /* [m/s], [rad/s] time derivatives of travel and angle */
    double apart, turned;        /* [m], [rad] largest deviation from where the joint wants the bodies */
    int32_t rows, left_out;      /* number of rows, and of those left out in the last step as other joints hold them */
    bool slips;                  /* true if a seal or a limited motor is at its limit */
} tru_joint_info;

/* Returns the default definition of a joint: at the origin, without kind and bodies. */
TRU_API tru_joint_def tru_default_joint_def(void);
/* Returns the default parameters of joint "distance". */
TRU_API tru_distance tru_default_distance(void);
/* Returns the default parameters of joint "motor". */
TRU_API tru_motor tru_default_motor(void);
/* Returns the default parameters of joint "seal". */
TRU_API tru_seal tru_default_seal(void);
/* Adds a joint and stores its id in *out. `out` may be NULL.
 * Returns TRU_CONFLICT if the name is taken, TRU_STALE_ID for an unknown body, TRU_UNKNOWN_NAME for an unknown kind.
 * Returns TRU_REFUSED if neither body is free, TRU_OUT_OF_RANGE for an axis without direction. */
TRU_API tru_status tru_joint_add(tru_world *world, const tru_joint_def *def, tru_id *out, tru_error *err);
/* Removes a joint. Returns TRU_OK or TRU_STALE_ID. */
TRU_API tru_status tru_joint_remove(tru_world *world, tru_id joint, tru_error *err);
/* Returns the number of joints. */
TRU_API size_t tru_joint_count(const tru_world *world);
/* Returns the id of the k-th joint in the order of creation, TRU_NONE past the end. Ids of joints are not ids of bodies. */
TRU_API tru_id tru_joint_id(const tru_world *world, size_t k);
/* Returns the id of the joint with this name, TRU_NONE if there is none or the name is NULL. */
TRU_API tru_id tru_joint_find(const tru_world *world, const char *name);
/* Reads the state of a joint. Returns TRU_OK or TRU_STALE_ID. */
TRU_API tru_status tru_joint_get(const tru_world *world, tru_id joint, tru_joint_info *out, tru_error *err);
/* Reads the states of all joints in the order of creation. `out` has place for `room` joints.
 * Returns TRU_OK, or TRU_BAD_ARGUMENT if that is less than tru_joint_count. */
TRU_API tru_status tru_joints_get(const tru_world *world, tru_joint_info *out, size_t room, tru_error *err);
/* Sets speed or velocity, and the limit, of a joint of kind "motor" for later steps. A motor that turns stays one that turns.
 * The world is not checked again, and nothing is allocated.
 * Returns TRU_STALE_ID, TRU_REFUSED for another kind of joint, TRU_OUT_OF_RANGE, or TRU_CONFLICT. */
TRU_API tru_status tru_motor_set(tru_world *world, tru_id joint, const tru_motor *motor, tru_error *err);
/* Reads the parameters of a joint of kind "motor". Returns TRU_OK, TRU_STALE_ID or TRU_REFUSED. */
TRU_API tru_status tru_motor_get(const tru_world *world, tru_id joint, tru_motor *out, tru_error *err);

#ifdef __cplusplus
}
#endif
#endif
