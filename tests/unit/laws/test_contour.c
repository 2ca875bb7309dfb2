/* test_contour.c: contour friction is friction on the path of the contact point over the body: its work against that
 * path, measured from poses alone, on rims and on an ellipsoid. */
#define _GNU_SOURCE
#include "check.h"
#include "disks.h"

#include "laws/law.h"

/* Where the floor z = 0 touches the body, in body axes: from the pose alone. */
typedef tru_vec3 (*touch_point)(const void *shape, tru_vec3 down);

static tru_vec3 disk_point(const void *shape, tru_vec3 down) {
    const tru_disk *d = shape;
    const double s = hypot(down.x, down.y);
    return v3(d->radius * down.x / s, d->radius * down.y / s, copysign(0.5 * d->thickness, down.z));
}

static tru_vec3 ellipsoid_point(const void *shape, tru_vec3 down) {
    const tru_vec3 a = ((const tru_ellipsoid *)shape)->semi_axes;
    const double h = sqrt(a.x * a.x * down.x * down.x + a.y * a.y * down.y * down.y + a.z * a.z * down.z * down.z);
    return v3(a.x * a.x * down.x / h, a.y * a.y * down.y / h, a.z * a.z * down.z / h);
}

static tru_vec3 point_now(const tru_world *w, tru_id id, touch_point at, const void *shape) {
    return at(shape, quat_unrotate(kit_get_state(w, id).orientation, v3(0, 0, -1)));
}

/* Runs and sums the work the law should do: mu times the normal force times the path, and c times speed times path. */
static void work_of_path(tru_world *w, tru_id id, touch_point at, const void *shape, double mu, double c, int steps,
                         double *want, double *length) {
    tru_error err;
    const double h = tru_step_size(w);
    tru_vec3 before = point_now(w, id, at, shape);
    *want = *length = 0.0;
    for (int i = 0; i < steps; i++) {
        tru_contact_info k;
        MUST(tru_run(w, 1, &err));
        if (!check(tru_contact_count(w) == 1)) return;
        MUST(tru_contact_get(w, 0, &k, &err));
        const tru_vec3 now = point_now(w, id, at, shape);
        const double path = v3_norm(v3_sub(now, before));
        *want += (mu * k.impulse[0] + c * path) * path / h;
        *length += path;
        before = now;
    }
}

static tru_id add_ellipsoid(tru_world *w, const tru_ellipsoid *e, tru_quat q, tru_vec3 rate) {
    const tru_vec3 low = quat_rotate(q, ellipsoid_point(e, quat_unrotate(q, v3(0, 0, -1))));
    const tru_id id = kit_add_body(w, {.shape = {"ellipsoid", e},
                                       .density = 1000.0,
                                       .position = {0, 0, -low.z},
                                       .orientation = q,
                                       .velocity = v3_neg(v3_cross(rate, low)),
                                       .angular_velocity = rate});
    return id;
}

static const kit_floor_laws dry_and_viscous[] = {{.slide = 1.5, .contour = 0.01},
                                                 {.slide = 1.5, .contour_viscosity = 0.02},
                                                 {.slide = 0.2, .contour = 0.01, .contour_viscosity = 0.02},
                                                 {.slide = 0.4, .patch = 1e-3, .contour = 0.01}};

TEST(work_on_an_ellipsoid) {
    const tru_ellipsoid e = {{0.05, 0.03, 0.02}};
    for (int k = 0; k < 4; k++) {
        const kit_floor_laws l = dry_and_viscous[k];
        double want, length;
        tru_world *w = kit_create_disk_floor(l);
        const tru_id id = add_ellipsoid(w, &e, quat_exp(v3(0.3, -0.2, 0.1)), v3(4.0, 7.0, 2.0));
        kit_set_moreau(w, 1e-4, TRU_MIDPOINT);
        work_of_path(w, id, ellipsoid_point, &e, l.contour, l.contour_viscosity, 3000, &want, &length);
        check(length > 0.03);
        check_close(tru_world_ledger(w).roll, want, 1e-6, 0.0);
        tru_world_destroy(w);
    }
}

TEST(work_on_a_rim) {
    const tru_disk_body d = kit_paper_disk();
    for (int k = 0; k < 4; k++)
        for (int thick = 0; thick < 2; thick++) {
            const kit_floor_laws l = dry_and_viscous[k];
            const tru_disk shape = {d.radius, thick ? 4e-3 : 0.0};
            tru_body_state s = kit_roll_disk(&d, 0.2, 0.4, 0.1, 3.0, 0.1, -20.0);
            s.position = v3_madd(s.position, 0.5 * shape.thickness, quat_rotate(s.orientation, v3(0, 0, 1)));
            s.velocity = v3_cross(s.angular_velocity, s.position);
            double want, length;
            tru_world *w = kit_create_disk_floor(l);
            const tru_id id = kit_add_disk(w, &d, shape.thickness, &s);
            kit_set_moreau(w, 1e-4, TRU_MIDPOINT);
            work_of_path(w, id, disk_point, &shape, l.contour, l.contour_viscosity, 3000, &want, &length);
            check(length > 0.1);
            check_close(tru_world_ledger(w).roll, want, 1e-6, 0.0);
            if (!thick && k < 2) { /* the same from psi' */
                const tru_disk_angles a = kit_get_disk_angles(w, id);
                tru_error err;
                tru_contact_info c;
                MUST(tru_contact_get(w, 0, &c, &err));
                const double speed = fabs(d.radius * a.psi_rate), h = tru_step_size(w);
                const double before = tru_world_ledger(w).roll;
                MUST(tru_run(w, 1, &err));
                const double power = (tru_world_ledger(w).roll - before) / h;
                check_close(power, l.contour * c.impulse[0] / h * speed + l.contour_viscosity * speed * speed, 1e-2, 0);
            }
            tru_world_destroy(w);
        }
}

/* The set is the disc of radius mu mapped by the transposed lever: every f with |f| <= mu gives a couple in it, and the
 * law's power is that of f against the point's speed. On a sphere the lever is R times a quarter turn. */
TEST(set_through_the_lever) {
    const tru_contour p = {0.2, 0.3};
    double work[TRU_LAW_WORK];
    const double sphere[2][2] = {{0.0, 0.05}, {-0.05, 0.0}}, rim[2][2] = {{0.0, 0.0}, {-0.03, 0.04}};
    const double general[2][2] = {{0.01, 0.07}, {-0.03, -0.02}};
    const double(*levers[])[2] = {sphere, rim, general};
    for (int k = 0; k < 3; k++) {
        tru_contact c = {.rim_points = 1};
        memcpy(c.lever, levers[k], sizeof c.lever);
        tru_law_contour.prepare(&p, &c, work);
        double d[25] = {0};
        tru_law_contour.viscosity(work, d);
        for (int i = 0; i < 100; i++) {
            const double phi = 0.0628 * i, u[5] = {0, 0, 0, cos(3.0 * phi + 1.0), sin(2.0 * phi)};
            const double speed[2] = {c.lever[0][0] * u[3] + c.lever[0][1] * u[4],
                                     c.lever[1][0] * u[3] + c.lever[1][1] * u[4]};
            check_close(tru_law_contour.support(work, u), 0.2 * hypot(speed[0], speed[1]), 1e-12, 1e-16);
            const double viscous = u[3] * (d[18] * u[3] + d[19] * u[4]) + u[4] * (d[23] * u[3] + d[24] * u[4]);
            check_close(viscous, 0.3 * (speed[0] * speed[0] + speed[1] * speed[1]), 1e-12, 1e-18);
            /* L^T f for |f| = mu: projected onto itself */
            const double f[2] = {0.2 * cos(phi), 0.2 * sin(phi)}, metric[TRU_KINDS] = {1, 1, 1, 1};
            const double x[5] = {0, 0, 0, c.lever[0][0] * f[0] + c.lever[1][0] * f[1],
                                 c.lever[0][1] * f[0] + c.lever[1][1] * f[1]};
            double y[5] = {0};
            tru_section s = {1.0, 0.0, metric, x, y, 0, NULL, NULL};
            tru_law_contour.section(work, NULL, &s);
            check_close(y[3], x[3], 0.0, 1e-15);
            check_close(y[4], x[4], 0.0, 1e-15);
        }
        c.rim_points = 2; /* two points of one rim: no contour motion */
        tru_law_contour.prepare(&p, &c, work);
        const double u[5] = {0, 0, 0, 1.0, 1.0};
        check(tru_law_contour.support(work, u) == 0.0);
    }
}
