/* springs.h: loads of one contact from springs and dashpots: normal force, and capped springs with memory for slide, spin
 * and roll.
 *
 * | symbol [FN20] | name | unit |
 * |---|---|---|
 * | S, Theta, Psi | springs.stretch (world.h), as motion of A over B: slide -S, roll n x Theta, spin Psi | m, rad |
 * | K_E, K_R, K_psi | spring_set.stiffness | N/m, N m/rad |
 * | K_D, D_R, D_psi | spring_set.damping | kg/s, N m s |
 * | mu_k N/K_E ... , mu_s N/K_E ... | spring_set.cap, hold over stiffness | m, rad |
 * | static, kinetic | bits of contact.stuck | |
 * | m_ij, I_ij | spring_set.mass, inertia | kg, kg m^2 |
 * | delta | springs.overlap | m | */
#ifndef TRUNDLE_STEPPERS_SPRINGS_SPRINGS_H
#define TRUNDLE_STEPPERS_SPRINGS_SPRINGS_H

#include "detect/track.h"
#include "step/step.h"

/* What the springs of one contact are made of at the present normal force, by kind of row. */
typedef struct spring_set {
    double stiffness[TRU_KINDS]; /* [N/m], [N m/rad]; the normal one along its tangent */
    double damping[TRU_KINDS];   /* [kg/s], [N m s] of the dashpots beside them, while they stick */
    double viscosity[TRU_KINDS]; /* [N m s] of spin and roll, always */
    double cap[TRU_KINDS];       /* [N], [N m] largest elastic load of a spring that slips */
    double hold[TRU_KINDS];      /* [N], [N m] and of one that sticks */
    unsigned by_rates;           /* bits of tru_kind: stretched by rates, limited together with the dashpot */
    unsigned without_spring;     /* bits of tru_kind: the cap itself against the rate */
    double mass, inertia;        /* [kg], [kg m^2] of the two bodies together */
    double spin_inertia;         /* [kg m^2] the same about the normal */
    double normal_mass;          /* [kg] reduced mass, */
    double impact_mass; /* [kg] and what an impulse along the normal moves at the contact: the bodies turn, too; points
                           of a face that touch together share it */
} spring_set;

/* Mass and inertia of two bodies together, posed as given, at a contact: reduced, or the mean of those that are free. */
void trui_springs_masses(const tru_track *o, const body *a, const body *b, const contact_frame *at, spring_set *s);
/* Points of one face that touch together, for trui_face_share. */
typedef struct face_points {
    int count;
    double weight, square; /* [m], [m^2] sums of the overlaps and of their squares */
    tru_vec3 arm_a, arm_b; /* [m^2] sums of overlap times arm */
} face_points;

/* Adds a point that overlaps by `depth` [m]; one that does not touch counts for nothing. */
void trui_face_add(face_points *f, double depth, tru_vec3 arm_a, tru_vec3 arm_b);
/* Replaces impact_mass by the part of it that each of the points carries, if there are several: the mass at the centre of
 * their overlaps, over (sum x)^2/(sum x^2). That is their number if they are equally deep, and a point that lifts leaves it
 * without a jump. */
void trui_face_share(const face_points *f, const body *a, const body *b, tru_vec3 normal, spring_set *s);
/* trui_springs_masses of a contact of the world, with its share in the face that it belongs to. */
void trui_springs_masses_of(const tru_track *o, const tru_world *w, const body *a, const body *b, const contact *c,
                            spring_set *s);
/* Stiffness, damping and caps of the friction springs of a contact whose curvature is known, under `normal` [N], sliding
 * at `slip` [m/s]; masses must be set. */
void trui_springs_make(const tru_track *o, const tru_world *w, const contact *c, double normal, double slip,
                       spring_set *s);
/* [-] Ratio of the normal dashpot of a pair to critical damping. */
double trui_springs_ratio(const tru_track *o, const pair *p);
/* [N] Normal force of an overlap `deep` [m] that grows at `rate` [m/s]; its stiffness and damping go to s, the elastic part and
 * energy [J] to *elastic, *energy. Masses must be set. */
double trui_springs_normal(const tru_track *o, const tru_world *w, const contact *c, double deep, double rate,
                           spring_set *s, double *elastic, double *energy);

/* Does the static cap limit spring and dashpot together? */
bool trui_springs_dashpot_limited(const tru_track *o);
/* [m] Gap below which contacts act: when they overlap; with a prescribed force as long as they touch. */
double trui_springs_activation(const tru_track *o, const tru_world *w);

/* What a contact adds to the ledger [J]: eight numbers, summed in the order of contacts whoever found them. */
typedef struct spring_book {
    double theta_shift;
    double heat[TRU_KINDS]; /* impact, slide, spin, roll */
    double stiffness, start;
    double stored; /* in its springs now */
} spring_book;

/* Where the springs of a contact are kept in this step. */
static inline springs *springs_room(const tru_world *w, const contact *c) {
    return &w->springs.items[c - w->contacts.items];
}
/* Everything of one contact: follow it, load its springs, set its impulses of the step, and book what the springs store and
 * lose. The start velocities and poses count. */
void trui_springs_load(const tru_track *o, const step *s, contact *c, spring_book *book);
/* True if body `who` has a contact with springs. */
bool trui_springs_hold(const tru_world *w, size_t who);
/* Before body `who` is moved from outside to the pose of `there`: its springs keep their stretch, with what moved since they
 * were loaded and without the way to the new pose; the ledger's start takes what that does to the normal springs. o is NULL
 * if another stepper moves the world. */
void trui_springs_carry(const tru_track *o, tru_world *w, size_t who, const body *there);

/* Impulses of a contact that was loaded, once more from its record, at rates u of the start of the step; masses of the
 * set must be known. */
void trui_springs_expect(const tru_track *o, const tru_world *w, const contact *c, const double u[TRU_ROWS],
                         spring_set *set, double p[TRU_ROWS]);

/* Summed curvatures of a contact, from where its bodies are. */
void trui_springs_curvature(const tru_world *w, contact *c);
#endif
