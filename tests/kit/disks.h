/* disks.h: disks on a floor: the paper's disk, poses and velocities from angles, laws by short names.
 *
 *     const tru_disk_body d = kit_paper_disk();
 *     tru_world *w = kit_create_disk_floor((kit_floor_laws){.slide = 0.3, .contour = 1e-3});
 *     const tru_body_state start = kit_start_paper_disk(&d);
 *     const tru_id id = kit_add_disk(w, &d, 0.0, &start);
 */
#ifndef TRUNDLE_TESTS_KIT_DISKS_H
#define TRUNDLE_TESTS_KIT_DISKS_H

#include "worlds.h"

#include <trundle/analysis.h>

#include "math/quat.h"

#include <math.h>

/* Data of [LSLG05 section 4]; A and C are printed with five digits. */
static inline tru_disk_body kit_paper_disk(void) { return (tru_disk_body){0.0375, 0.3048, 1.0716e-4, 2.1433e-4, 9.81}; }

/* Laws of a floor, filled where a coefficient is above 0. */
typedef struct kit_floor_laws {
    double slide, patch;               /* [-], [m]: coulomb, or contensou with a patch */
    double contour, contour_viscosity; /* [-], [kg/s] */
    double roll, roll_viscosity;       /* [m], [N m s] */
    double spin, spin_viscosity;       /* [m], [N m s] */
} kit_floor_laws;

static inline tru_world *kit_create_disk_floor(kit_floor_laws l) {
    tru_coulomb coulomb = tru_default_coulomb();
    tru_contensou contensou = tru_default_contensou();
    tru_contour contour = {l.contour, l.contour_viscosity};
    tru_rolling rolling = tru_default_rolling();
    tru_use laws[3];
    size_t n = 0;
    coulomb.slide = contensou.slide = l.slide;
    contensou.patch = l.patch;
    rolling.roll.length = l.roll;
    rolling.spin.length = l.spin;
    rolling.roll_viscosity = l.roll_viscosity;
    rolling.spin_viscosity = l.spin_viscosity;
    if (l.slide > 0.0) laws[n++] = l.patch > 0.0 ? (tru_use){"contensou", &contensou} : (tru_use){"coulomb", &coulomb};
    if (l.contour > 0.0 || l.contour_viscosity > 0.0) laws[n++] = (tru_use){"contour", &contour};
    if (l.roll > 0.0 || l.roll_viscosity > 0.0 || l.spin > 0.0 || l.spin_viscosity > 0.0)
        laws[n++] = (tru_use){"rolling", &rolling};
    return kit_create_floor(laws, n, 0.0);
}

/* Adds a disk called "disk" in the state s. */
static inline tru_id kit_add_disk(tru_world *w, const tru_disk_body *d, double thickness, const tru_body_state *s) {
    const tru_disk disk = {d->radius, thickness};
    return kit_add_body(w, {.name = "disk",
                            .shape = {"disk", &disk},
                            .mass = d->mass,
                            .inertia = {d->across, d->across, d->axial},
                            .position = s->position,
                            .orientation = s->orientation,
                            .velocity = s->velocity,
                            .angular_velocity = s->angular_velocity});
}

/* A thin disk on the floor in pure rolling, its contact point at the origin. */
static inline tru_body_state kit_roll_disk(const tru_disk_body *d, double alpha, double beta, double gamma,
                                           double alpha_rate, double beta_rate, double gamma_rate) {
    const tru_vec3 up = {0, 0, 1}, ex = {cos(alpha), sin(alpha), 0.0}, ahead = v3_cross(up, ex);
    const tru_vec3 ey = v3_madd(v3_scale(cos(beta), ahead), sin(beta), up), ez = v3_cross(ex, ey);
    const tru_vec3 bx = v3_madd(v3_scale(cos(gamma), ex), -sin(gamma), ez), by = v3_cross(ey, bx);
    const tru_mat3 r = {{{bx.x, by.x, ey.x}, {bx.y, by.y, ey.y}, {bx.z, by.z, ey.z}}};
    tru_body_state s;
    s.position = v3_scale(d->radius, ez);
    s.orientation = quat_from_matrix(r);
    s.angular_velocity = v3_add(v3_add(v3_scale(alpha_rate, up), v3_scale(beta_rate, ex)), v3_scale(gamma_rate, ey));
    s.velocity = v3_cross(s.angular_velocity, s.position);
    return s;
}

/* The start of the four simulations: upright, |omega| = 10 rad/s turned by delta = 0.035 from the axis. */
static inline tru_body_state kit_start_paper_disk(const tru_disk_body *d) {
    const double rate = 10.0, delta = 0.035, c = cos(delta), s = sin(delta), h = sqrt(0.5);
    return (tru_body_state){{0.0, 0.0, d->radius},
                            {h, h, 0.0, 0.0},
                            {-rate * d->radius * c, -rate * d->radius * s, 0.0},
                            {rate * s, -rate * c, 0.0}};
}

static inline tru_disk_angles kit_get_disk_angles(const tru_world *w, tru_id id) {
    const tru_body_state s = kit_get_state(w, id);
    return tru_disk_angles_of(&s, (tru_quat){1, 0, 0, 0}, (tru_vec3){0, 0, 1});
}

/* Steps until the first event of this kind, at most `limit` [s]; its time, or NAN. Other events are dropped. */
static inline double kit_run_until(tru_world *w, int kind, int row_kind, double limit, tru_event *out) {
    tru_error err;
    const uint64_t most = (uint64_t)(limit / tru_step_size(w) + 0.5);
    for (uint64_t i = 0; i < most; i++) {
        tru_event e[16];
        MUST(tru_run(w, 1, &err));
        const size_t n = tru_events_take(w, e, 16, NULL);
        for (size_t k = 0; k < n; k++) {
            if (e[k].kind != kind || (row_kind >= 0 && e[k].row_kind != row_kind)) continue;
            if (out) *out = e[k];
            return e[k].time;
        }
    }
    return NAN;
}

#endif
