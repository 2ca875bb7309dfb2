/* disk.c: angles of a disk on a plane, equations of pure rolling, and steady motions with their small oscillations.
 *
 * | symbol | name | unit |
 * |---|---|---|
 * | r, m, A, C | radius, mass, across, axial | m, kg, kg m^2 |
 * | I = C + m r^2, J = A + m r^2 | roll_inertia, tip_inertia | kg m^2 |
 * | s, c | sine, cosine of beta | - |
 * | rho = r/R | ratio | - |
 * | chi | demand / slide | - |
 *
 * Frame K: e_x along the horizontal diameter, e_y the disk's axis, e_z up the disk; omega in K is (beta', alpha' s +
 * gamma', alpha' c), the centre moves with r (alpha' s + gamma', -beta', 0) in pure rolling [LSLG05 section 5.1]. */
#include <trundle/analysis.h>

#include "base/error.h"
#include "math/elementary/elementary.h"
#include "math/quat.h"
#include "shapes/shape.h"

#include <string.h>

tru_disk_body tru_disk_homogeneous(double radius, double mass, double gravity) {
    const double mrr = mass * radius * radius;
    return (tru_disk_body){radius, mass, 0.25 * mrr, 0.5 * mrr, gravity};
}

tru_disk_body tru_disk_hoop(double radius, double mass, double gravity) {
    const double mrr = mass * radius * radius;
    return (tru_disk_body){radius, mass, 0.5 * mrr, mrr, gravity};
}

static double roll_inertia(const tru_disk_body *d) { return d->axial + d->mass * d->radius * d->radius; }
static double tip_inertia(const tru_disk_body *d) { return d->across + d->mass * d->radius * d->radius; }

/* ---- a body of a world as a disk */

#define SAME 1e-9 /* [-] relative difference of moments that counts as symmetry */

/* Computes the moments about the shape's axis and across it. Returns false if the inertia is not symmetric about that axis. */
static bool symmetric(const tru_body_info *b, tru_quat turn, double *axial, double *across) {
    const tru_mat3 inertia = {{{b->inertia.x, b->products.x, b->products.y},
                               {b->products.x, b->inertia.y, b->products.z},
                               {b->products.y, b->products.z, b->inertia.z}}};
    const tru_mat3 own = m3_rotate_sym(quat_to_matrix(quat_conj(turn)), inertia);
    const double size = own.m[2][2] + own.m[0][0] + own.m[1][1];
    const double off = fmax(fabs(own.m[0][1]), fmax(fabs(own.m[0][2]), fabs(own.m[1][2])));
    *axial = own.m[2][2];
    *across = 0.5 * (own.m[0][0] + own.m[1][1]);
    return off <= SAME * size && fabs(own.m[0][0] - own.m[1][1]) <= SAME * size;
}

tru_status tru_disk_of(const tru_body_info *body, const tru_shape_def *shape, double gravity, tru_disk_body *out,
                       tru_error *err) {
    if (!body || !shape || !out) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_disk_of needs a body and its shape");
    const char *name = body->name ? body->name : "?";
    tru_quat turn;
    if (body->shape_count != 1 || !shape->shape.name || strcmp(shape->shape.name, "disk") != 0)
        return tru_fail(err, TRU_REFUSED, "body '%s' is not a single disk", name);
    const tru_disk *d = shape->shape.params;
    const double offset = v3_norm(v3_sub(shape->position, body->centre));
    if (d->thickness > 0.0)
        return tru_fail(err, TRU_REFUSED, "body '%s': the closed forms are for a thin disk, its thickness is %.6g m",
                        name, d->thickness);
    if (offset > SAME * d->radius)
        return tru_fail(err, TRU_REFUSED, "body '%s': its centre of mass lies %.6g m away from the disk's", name,
                        offset);
    if (!(body->mass > 0.0) || !quat_unit(shape->orientation, &turn))
        return tru_fail(err, TRU_REFUSED, "body '%s' is fixed: it does not move", name);
    *out = (tru_disk_body){d->radius, body->mass, 0.0, 0.0, gravity};
    if (!symmetric(body, turn, &out->axial, &out->across))
        return tru_fail(err, TRU_REFUSED, "body '%s': its inertia is not symmetric about the disk's axis", name);
    return TRU_OK;
}

/* ---- angles */

tru_disk_angles tru_disk_angles_of(const tru_body_state *state, tru_quat turn, tru_vec3 up) {
    const tru_quat q = quat_mul(state->orientation, turn);
    const tru_vec3 w = quat_unrotate(q, state->angular_velocity), n = quat_unrotate(q, up);
    const double s2 = n.x * n.x + n.y * n.y, size = sqrt(s2); /* n: third row of R [LSLG05 (2.2)] */
    const double s = size < DISK_FLAT ? 0.0 : size;
    tru_disk_angles a = {.beta = tru_atan2(n.z, s), .spin = v3_dot(w, n), .cos_beta = s};
    if (s == 0.0) return a;
    tru_vec3 t1, t2;
    v3_tangents(up, &t1, &t2);
    const tru_vec3 across = quat_rotate(q, v3(-n.y, n.x, 0.0)); /* e_x of K times s */
    a.alpha = tru_atan2(v3_dot(across, t2), v3_dot(across, t1));
    a.gamma = tru_atan2(-n.x, -n.y);
    a.alpha_rate = (n.x * w.x + n.y * w.y) / s2;
    a.beta_rate = (n.x * w.y - n.y * w.x) / s;
    a.psi_rate = n.z * a.alpha_rate - w.z;
    a.gamma_rate = -a.psi_rate;
    return a;
}

/* ---- pure rolling */

/* J beta'' = m g r s - A s c alpha'^2 + I c alpha' (alpha' s + gamma') + along
 * I (s alpha'' + gamma'') + (C + 2 m r^2) c alpha' beta' = r contour + c across + s spin
 * A c^2 alpha'' - 2 A s c alpha' beta' + s I (s alpha'' + gamma'') + 2 I s c alpha' beta' + C c beta' gamma' = spin */
tru_disk_rolling tru_disk_roll_on(const tru_disk_body *d, const tru_disk_angles *now, const tru_disk_push *push) {
    const tru_disk_push none = {0.0, 0.0, 0.0, 0.0}, *f = push ? push : &none;
    const double a = d->across, mrr = d->mass * d->radius * d->radius, big_i = roll_inertia(d);
    const double s = tru_sin(now->beta), c = now->cos_beta;
    const double al = now->alpha_rate, be = now->beta_rate, ga = now->gamma_rate, roll = al * s + ga;
    const double free = d->radius * f->contour + c * f->across - (d->axial + 2.0 * mrr) * c * al * be;
    const double twist = (free + s * f->spin) / big_i; /* s alpha'' + gamma'' */
    tru_disk_rolling out;
    out.beta_rate2 = (d->mass * d->gravity * d->radius * s - a * s * c * al * al + big_i * c * al * roll + f->along) /
                     tip_inertia(d);
    out.alpha_rate2 = ((2.0 * (a - big_i) * s * al - d->axial * ga) * be - s * free / c) / (a * c) + f->spin / a;
    out.gamma_rate2 = twist - s * out.alpha_rate2;
    out.normal = d->mass * (d->gravity - d->radius * (s * out.beta_rate2 + c * be * be));
    const double ahead = twist + 2.0 * c * al * be, aside = al * roll + s * be * be - c * out.beta_rate2;
    out.friction = d->mass * d->radius * sqrt(ahead * ahead + aside * aside);
    return out;
}

double tru_disk_energy(const tru_disk_body *d, const tru_disk_angles *now) {
    const double roll = now->alpha_rate * tru_sin(now->beta) + now->gamma_rate, up = now->alpha_rate * now->cos_beta;
    const double kinetic =
        roll_inertia(d) * roll * roll + tip_inertia(d) * now->beta_rate * now->beta_rate + d->across * up * up;
    return 0.5 * kinetic + d->mass * d->gravity * d->radius * now->cos_beta;
}

/* ---- steady motions */

double tru_disk_oscillation(const tru_disk_body *d, double beta, double al, double ga) {
    double s, c;
    tru_sincos(beta, &s, &c);
    const double a = d->across, big_c = d->axial, mrr = d->mass * d->radius * d->radius;
    const double big_i = roll_inertia(d), aj = a * tip_inertia(d);
    const double sum = s * s * (big_c - 2.0 * a) * (big_c - a + mrr) * al * al +
                       s * (2.0 * big_c * big_i - a * (3.0 * big_c + mrr)) * al * ga + big_c * big_i * ga * ga -
                       a * d->mass * d->gravity * d->radius * c;
    return al * al + sum / aj;
}

/* Returns I - (I - A) rho s: roll inertia minus gyroscopic effect. */
static double stiffness(const tru_disk_body *d, double rho_s) {
    const double big_i = roll_inertia(d);
    return big_i - (big_i - d->across) * rho_s;
}

double tru_disk_demand(const tru_disk_body *d, double beta, double ratio) {
    double s, c;
    tru_sincos(beta, &s, &c);
    return fabs((1.0 - ratio * s) * d->mass * d->radius * d->radius * s / (c * stiffness(d, ratio * s)));
}

tru_status tru_disk_circular(const tru_disk_body *d, double beta, double ratio, tru_disk_steady *out, tru_error *err) {
    const double half_pi = 0x1.921fb54442d18p+0;
    if (!(beta > 0.0 && beta < half_pi))
        return tru_fail(err, TRU_OUT_OF_RANGE, "beta is %.6g rad, must be above 0 rad and below pi/2 rad", beta);
    double s, c;
    tru_sincos(beta, &s, &c);
    const double k = stiffness(d, ratio * s), big_i = roll_inertia(d);
    if (!(ratio > 0.0 && k > 0.0))
        return tru_fail(err, TRU_OUT_OF_RANGE, "ratio is %.6g, must be above 0 and below %.6g at beta = %.6g rad",
                        ratio, big_i / ((big_i - d->across) * s), beta);
    const double ga = -sqrt(d->mass * d->gravity * d->radius * s / (ratio * c * k)), al = -ratio * ga;
    const double roll = al * s + ga;
    const tru_disk_angles now = {.beta = beta, .alpha_rate = al, .gamma_rate = ga, .cos_beta = c};
    *out = (tru_disk_steady){.beta = beta, .ratio = ratio, .alpha_rate = al, .gamma_rate = ga};
    out->spin = al + ga * s;
    out->speed = fabs(d->radius * roll);
    out->rate = sqrt(roll * roll + al * c * al * c);
    out->energy = tru_disk_energy(d, &now);
    out->demand = tru_disk_demand(d, beta, ratio);
    out->oscillation = tru_disk_oscillation(d, beta, al, ga);
    return TRU_OK;
}

tru_status tru_disk_stationary(const tru_disk_body *d, double beta, tru_disk_steady *out, tru_error *err) {
    const double s = tru_sin(beta);
    const tru_status status = tru_disk_circular(d, beta, s > 0.0 ? 1.0 / s : 1.0, out, err);
    if (status >= 0) out->speed = out->demand = 0.0; /* exact values instead of their round-off */
    return status;
}

tru_status tru_disk_spinless(const tru_disk_body *d, double beta, tru_disk_steady *out, tru_error *err) {
    const tru_status status = tru_disk_circular(d, beta, tru_sin(beta), out, err);
    if (status >= 0) out->spin = 0.0;
    return status;
}
