/* track.h: paths of a contact point over both surfaces in a step, and rotation of the bodies there, from poses alone.
 *
 * | symbol [FN20] | name | unit |
 * |---|---|---|
 * | c_i, c_j; u, w in body axes | track_record.at, t1, t2 (contact.h) | m, - |
 * | u, w | t1, t2 | - |
 * | p_i, p_j | track_motion.path[0], path[1] | m |
 * | psi | track_motion.spin | rad |
 * | kappa, shape operator S | trui_track_curvature | 1/m |
 *
 * Body i is A, j is B, n points from B to A. Everything is objective: a common rigid motion of both bodies gives
 * increments of round-off. */
#ifndef TRUNDLE_DETECT_TRACK_H
#define TRUNDLE_DETECT_TRACK_H

#include "world/world.h"

/* How lengths on a surface are measured: along the plane, along the great circle, or along the arc that turns as far as the normal did. The arc is
 * exact for constant curvature along the path; otherwise its relative error is of third order. */
typedef enum track_kind { TRACK_FLAT, TRACK_SPHERE, TRACK_CURVED } track_kind;

/* One body at a contact, at the present pose. */
typedef struct track_side {
    tru_mat3 r;      /* [-] body axes to world */
    tru_vec3 arm;    /* [m] from the centre of mass to the contact point */
    tru_vec3 centre; /* [m] from the centre of mass to the sphere's centre, for TRACK_SPHERE */
    double radius;   /* [m] of the sphere, for TRACK_SPHERE */
    track_kind kind;
    bool belt;       /* the surface moved while the body did not */
    tru_vec3 slid;   /* [m] motion of the belt at the centre of mass */
    tru_vec3 turned; /* [rad] rotation of the belt */
} track_side;

/* How the two paths are compared. Half angle (default): each path is turned by half of the spin, so that a ball that rolls and spins does not
 * slip. Authors: B's path is turned back by the whole spin and the frame is fixed to A, as in the program of [FN20]. */
typedef enum track_mapping { TRACK_HALF_ANGLE, TRACK_AUTHORS } track_mapping;

typedef struct track_motion {
    tru_vec3 t1, t2; /* [-] frame in the new tangent plane */
    vec2 path[2];    /* [m] of the contact point over A and over B, along t1, t2 */
    double spin;     /* [rad] of A relative to B about n */
} track_motion;

/* Returns the side of a contact that a solid of a body makes. */
track_side trui_track_side_of(const body *b, const solid *s, tru_vec3 arm);
/* Returns the motion from the record of the last step to the present poses; n is the new normal. */
track_motion trui_track_follow(const track_record *last, const track_side *a, const track_side *b, tru_vec3 n,
                               track_mapping mapping);
/* Returns the rotation [rad] of A relative to B about t1, t2 since the record, for surfaces without curvature. */
vec2 trui_track_turn(const track_record *last, const track_side *a, const track_side *b, tru_vec3 t1, tru_vec3 t2);
/* Returns the record of a contact at the present poses. */
track_record trui_track_record_of(const track_side *a, const track_side *b, tru_vec3 t1, tru_vec3 t2);

/* Computes the shape operator [1/m] of a solid at a contact with outward normal `out`, in the basis (t1, t2); it is positive where the solid is
 * convex. False if the surface has a corner, a rim or an edge there. */
bool trui_track_curvature(const solid *s, const track_side *side, tru_vec3 out, tru_vec3 t1, tru_vec3 t2,
                          sym2 *curvature);
/* Returns the turn Theta [rad] of a body that rolls along `path` [m], on which the contact point lies `inside` [m] below its
 * surface: shape operator there times path. A path over a sphere has the arm of the friction force as its radius. So the
 * power of the loads is the rate of the increments. A body that overlaps by its radius of curvature is taken at its surface. */
vec2 trui_track_roll(const track_side *side, sym2 curvature, double inside, vec2 path);

#endif
