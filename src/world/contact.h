/* contact.h: contacts and what they keep from step to step. */
#ifndef TRUNDLE_WORLD_CONTACT_H
#define TRUNDLE_WORLD_CONTACT_H

#include "base/array.h"
#include "world/pair.h"

/* Identity of a contact by indices of bodies and solids. Bodies are in the order of their ids, so the order of keys is also the order
 * of (body A, body B, shape A, shape B, feature). */
typedef struct contact_key {
    uint32_t a, b;
    uint32_t solid_a, solid_b;
    int32_t feature;
} contact_key;

/* Bits of contact.flags. Bits from CONTACT_SLIPS on say in which kinds a new contact is declared to slip. */
#define CONTACT_SLIPS 8
enum {
    CONTACT_NEW = 1u,            /* it did not carry load in the step before */
    CONTACT_LANDING = 2u,        /* it closes within this step */
    CONTACT_IMPACT = 4u,         /* the step treats it as an impact */
    CONTACT_APART = 8u,          /* found ahead of the bodies' motion, but it carried no load */
    CONTACT_RELAXED = 16u,       /* the law acts in its convex form (cone) */
    CONTACT_NODE = 32u,          /* stepper variational wrote it */
    CONTACT_HANDED = 64u,        /* stepper variational left it to moreau */
    CONTACT_STRUCK = 128u,       /* an impact by Poisson's law acted on it; end->last has that part of the impulse */
    CONTACT_TRACKED = 1u << 16,  /* its springs are those of this step */
    CONTACT_FOLLOWED = 1u << 17, /* its springs are those of the step before, so that increments are defined */
    CONTACT_KNOWN = 1u << 18,    /* its end was kept in the step before */
    CONTACT_STILL = 1u << 19, /* one of several points of a face; it neither opens nor closes at the end of the step */
    CONTACT_SETTLED =
        1u << 20, /* a body was moved from outside: springs.moved has the motion up to then, springs.record the
                                       frame in world axes (normal in at[0], t1[0], t2[0]; at[1].x, y: roll of B's own surface) */
    CONTACT_DEEP = 1u << 21 /* an overlap that cone removes after the step by moving bodies */
};

/* Frame and arms of a contact at some pose. */
typedef struct contact_place {
    tru_vec3 normal, t1, t2; /* [-] right-handed; the normal points from B to A */
    tru_vec3 arm_a, arm_b;   /* [m] from the centres of mass to the contact */
    double gap;              /* [m] */
} contact_place;

/* Place and frame of a contact on both bodies (A, B), in body axes. The tracking of surface paths compares with it. */
typedef struct track_record {
    tru_vec3 at[2];        /* [m] from the centres of mass */
    tru_vec3 t1[2], t2[2]; /* [-] */
} track_record;

/* Springs of a contact (stepper track): motion of A over B, in rows of the frame, since the springs were unloaded. The members that
 * every step reads come first, then those that only the judge reads, then those that few contacts have. */
typedef struct springs {
    track_record record;
    double stretch[TRU_FRICTION_ROWS]; /* [m], [rad] */
    double overlap;                    /* [m] */
    double stiffness[TRU_KINDS];       /* [N/m], [N m/rad] in the last step */
    double energy[TRU_KINDS];          /* [J] */

    double moved[TRU_FRICTION_ROWS];         /* [m], [rad] in the last step */
    double curvature, curvature_mean;        /* [1/m] set if a law needs it */
    double radius_effective, radius_smaller; /* [m] set if a law needs it */

    double stretch_b[2]; /* [rad] roll of B, if each body has its own spring */
    double couple_b[2];  /* [N m s] roll impulse on B in excess of the opposite of A's */
    uint32_t stuck_b;    /* bits of tru_kind: B's own roll spring sticks */
} springs;

/* State of a contact at the end of its last step. Steppers moreau, event and variational keep it, and cone with Poisson's impacts. For
 * others trui_contact_now computes it from the bodies. */
typedef struct contact_end {
    contact_place place;            /* at the end pose */
    double rate[TRU_ROWS];          /* [m/s], [rad/s] W^T u there */
    double last[TRU_ROWS];          /* [N s], [N m s] `dry` of the step before */
    double older[TRU_ROWS];         /* [N s], [N m s] `dry` of the step before that; both predict the next one */
    double slip[3];                 /* [m/s] stepper variational: mean of the step, normal and slide rows */
    double bias[TRU_FRICTION_ROWS]; /* [m/s], [rad/s] of the last step, as `bias` of the contact */
    uint32_t held;                  /* bits of tru_kind that slid and were stopped in this step (moreau) */
} contact_end;

/* Frame and arms where the laws act, with the other inputs of laws that do not follow from them (trui_contact_view). */
typedef struct contact_frame {
    tru_vec3 normal, t1, t2; /* [-] */
    tru_vec3 arm_a, arm_b;   /* [m] */
    double gap;              /* [m] */
    double *memory;          /* its row of tru_world.history; NULL: its laws have none */
    uint32_t stuck;          /* bits of tru_kind that stuck in the step before */
    int32_t rim_points;      /* number of active points of the same rim */
} contact_frame;

/* A contact. Members that few steppers need are behind pointers, because a world may have millions of contacts. Written by:
 *   trui_find_contacts  everything down to `springs`; zeros after it
 *   every stepper       stuck, impulse, approach, theta
 *   moreau, cone        dry, bias (cone: of the normal row only), steady; moreau: end; cone with Poisson's impacts: end
 *   track               springs
 *   event               dry, end
 *   variational         everything, end; bias holds slip and rate of the last node */
typedef struct contact {
    union {
        contact_key key;
        struct {
            uint32_t a, b; /* body indices */
            uint32_t solid_a, solid_b;
        };
    };
    uint32_t flags; /* CONTACT_* */
    const pair *pair;
    uint32_t stuck;   /* bits of tru_kind after the last solve */
    uint32_t age;     /* steps since it closed */
    tru_vec3 local_a; /* [m] point on A, shape axes */
    contact_frame c;  /* where the laws act */
    contact_end *end; /* in tru_world.ends; NULL: none */
    springs *springs; /* in tru_world.springs; NULL: none; those of the step before until this step computes them */
    double impulse[TRU_ROWS]; /* [N s], [N m s] with viscous parts */
    double approach;          /* [m/s] closing speed at the start of the step */
    double bias;              /* [m/s] normal row: the law acts on theta (W^T u_end + bias); other rows: contact_bias */
    double dry[TRU_ROWS];     /* [N s], [N m s] set-valued part of the impulse: the warm start */
    float theta;              /* [-] 1/2 or 1 */
    bool steady;              /* the same kinds stuck in the last two steps */
} contact;

typedef ARRAY(contact) contact_array;
typedef ARRAY(contact_end) contact_end_array;
typedef ARRAY(springs) springs_array;

/* A contact at the start of a run, before the first step (step/start.c). */
typedef struct start_contact {
    contact_key key;
    tru_contact_info shown;
    double ahead; /* [m] excess of its gap over the true one since the start (stepper cone) */
} start_contact;

/* How contacts of two bodies begin, in bits of tru_kind. */
typedef struct start_mode {
    tru_id a, b;
    uint32_t stuck, slipping;
} start_mode;

/* Returns a negative number, 0 or a positive number if key x is before, equal to or after key y. */
static inline int trui_contact_key_order(const contact_key *x, const contact_key *y) {
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->b != y->b) return x->b < y->b ? -1 : 1;
    if (x->solid_a != y->solid_a) return x->solid_a < y->solid_a ? -1 : 1;
    if (x->solid_b != y->solid_b) return x->solid_b < y->solid_b ? -1 : 1;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

#endif
