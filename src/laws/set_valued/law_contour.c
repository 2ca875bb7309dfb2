/* law_contour.c: friction against the motion of the contact point over the body's surface (contour friction).
 *
 * | symbol | name | unit |
 * |---|---|---|
 * | mu_R | contour | - |
 * | c | contour_viscosity | kg/s |
 * | gamma_R = r psi rate | lever times roll rate (rows 4, 5) | m/s |
 *
 * The force f on the contact point's path obeys |f| <= mu_R lambda_N, dry [LSLG05 (2.33)], or f = -c gamma_R, viscous
 * [LSLG05 (2.34)]. With the lever L (roll rate -> speed of the point over the surface) the roll couple is L^T f, so its
 * set is an ellipse; on a rim L has rank one and the ellipse is a segment. Where two points of the same rim touch there
 * is no contour motion and the law is off. */
#include "laws/law.h"
#include "base/assert.h"
#include "laws/sets.h"

#include "math/elementary/elementary.h"
#include "math/vec.h"

#include <stddef.h>
#include <string.h>

static const tru_field fields[] = {
    TRU_REAL(tru_contour, contour, TRU_UNIT_ONE, 0.0, TRU_FROM_ZERO,
             "Dry force on the contact point's motion over the surface, per normal force."),
    TRU_REAL(tru_contour, contour_viscosity, TRU_UNIT_KG_PER_S, 0.0, TRU_FROM_ZERO,
             "Force on the contact point's motion over the surface, per its speed."),
    {.name = NULL},
};

/* Semi-axes of L^T's unit ellipse [m], direction of the long one, c [kg/s], mu_R. */
enum { LONG, SHORT, AXIS_X, AXIS_Y, VISCOSITY, CONTOUR };

static unsigned claims(const void *params) {
    const tru_contour *p = params;
    return p->contour > 0.0 || p->contour_viscosity > 0.0 ? TRU_KIND_BIT(TRU_KIND_ROLL) : 0u;
}

static unsigned needs(const void *params) {
    (void)params;
    return TRU_NEEDS_LEVER;
}

/* Singular values and right singular vectors of L: L^T maps the disc of radius mu_R to the ellipse with these axes. */
static void prepare(const void *params, const tru_contact *contact, double work[TRU_LAW_WORK]) {
    const tru_contour *p = params;
    const double(*l)[2] = contact->lever;
    memset(work, 0, TRU_LAW_WORK * sizeof *work);
    work[AXIS_X] = 1.0;
    if (contact->rim_points > 1) return;
    const sym2 squared = {l[0][0] * l[0][0] + l[1][0] * l[1][0], l[0][0] * l[0][1] + l[1][0] * l[1][1],
                          l[0][1] * l[0][1] + l[1][1] * l[1][1]};
    double value[2];
    vec2 axis[2];
    s2_eigen(squared, value, axis);
    const int big = value[1] > value[0] ? 1 : 0;
    TRU_ASSERT(!(fabs(axis[big].x * axis[big].x + axis[big].y * axis[big].y - 1.0) > 1e-9));
    const double longest = sqrt(fmax(value[big], 0.0)), shortest = sqrt(fmax(value[1 - big], 0.0));
    work[LONG] = longest;
    work[SHORT] = shortest > 1e-7 * longest ? shortest : 0.0; /* the square root of a cancelled difference is noise */
    work[AXIS_X] = axis[big].x;
    work[AXIS_Y] = axis[big].y;
    work[VISCOSITY] = p->contour_viscosity;
    work[CONTOUR] = p->contour;
}

/* Nearest point of the ellipse with semi-axes A >= B > 0 to (x, y) outside: (A^2 x/(A^2+t), B^2 y/(B^2+t)) with the
 * root t of sum (A x/(A^2+t))^2 = 1, a decreasing convex function: Newton from the left is monotone. No term exceeds 1
 * at the root, which gives a start near it for points however far. */
static double ellipse_root(double a, double b, double x, double y) {
    double t = fmax(0.0, fmax(a * (fabs(x) - a), b * (fabs(y) - b)));
    for (int i = 0; i < 60; i++) {
        const double u = a * x / (a * a + t), v = b * y / (b * b + t);
        const double f = u * u + v * v - 1.0, slope = -2.0 * (u * u / (a * a + t) + v * v / (b * b + t));
        const double next = t - f / slope;
        if (!(next > t * (1.0 + 2e-16))) break;
        t = next;
    }
    return t;
}

/* Projection in the ellipse's own axes with its derivative (2 x 2). */
static void ellipse_section(double a, double b, const double x[2], double y[2], double d[2][2], bool *inside,
                            bool *stuck) {
    const bool segment = !(b > 0.0);
    TRU_ASSERT(!(a < 0.0) && !(b > a));
    const double u = x[0] / a, v = segment ? 0.0 : x[1] / b, size2 = u * u + v * v;
    *inside = size2 <= 1.0;
    *stuck = size2 <= (1.0 + STICK_SLACK) * (1.0 + STICK_SLACK);
    memset(d, 0, 4 * sizeof(double));
    y[0] = *inside ? x[0] : copysign(a, x[0]);
    y[1] = *inside && !segment ? x[1] : 0.0;
    d[0][0] = *inside ? 1.0 : 0.0;
    d[1][1] = *inside && !segment ? 1.0 : 0.0;
    if (*inside || segment) return;
    const double t = ellipse_root(a, b, x[0], x[1]), ga = a * a / (a * a + t), gb = b * b / (b * b + t);
    TRU_ASSERT(!(t < 0.0) && !(ga > 1.0));
    y[0] = ga * x[0];
    y[1] = gb * x[1];
    const double na = y[0] / (a * a + t), nb = y[1] / (b * b + t); /* dt = (na dx0 + nb dx1) / s */
    const double sa = ga * x[0] / (a * a + t), sb = gb * x[1] / (b * b + t);
    const double s = sa * x[0] / (a * a + t) + sb * x[1] / (b * b + t);
    d[0][0] = ga - sa * na / s;
    d[0][1] = -sa * nb / s;
    d[1][0] = -sb * na / s;
    d[1][1] = gb - sb * nb / s;
}

static void section(const double *work, double *memory, tru_section *s) {
    (void)memory;
    const double c = work[AXIS_X], n = work[AXIS_Y], scale = work[CONTOUR] * s->normal;
    const double x[2] = {c * s->x[3] + n * s->x[4], -n * s->x[3] + c * s->x[4]};
    double y[2] = {0.0, 0.0}, d[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
    bool inside = false, stuck = false;
    if (scale * work[LONG] > 0.0) ellipse_section(scale * work[LONG], scale * work[SHORT], x, y, d, &inside, &stuck);
    if (stuck) s->stuck |= TRU_KIND_BIT(TRU_KIND_ROLL);
    s->y[3] = c * y[0] - n * y[1];
    s->y[4] = n * y[0] + c * y[1];
    if (!s->dx && !s->dn) return;
    if (s->dx) {
        double *m = s->dx + ROW_ROLL * (TRU_FRICTION_ROWS + 1);
        m[0] = c * c * d[0][0] - c * n * (d[0][1] + d[1][0]) + n * n * d[1][1];
        m[1] = c * n * d[0][0] + c * c * d[0][1] - n * n * d[1][0] - c * n * d[1][1];
        m[TRU_FRICTION_ROWS] = c * n * d[0][0] - n * n * d[0][1] + c * c * d[1][0] - c * n * d[1][1];
        m[TRU_FRICTION_ROWS + 1] = n * n * d[0][0] + c * n * (d[0][1] + d[1][0]) + c * c * d[1][1];
    }
    if (!s->dn) return;
    /* y is homogeneous of degree one in (x, p_n); at p_n = 0 it opens towards the far point in the direction of x */
    double grow[2] = {0.0, 0.0};
    if (s->normal > 0.0 && !inside) {
        grow[0] = (y[0] - d[0][0] * x[0] - d[0][1] * x[1]) / s->normal;
        grow[1] = (y[1] - d[1][0] * x[0] - d[1][1] * x[1]) / s->normal;
    } else if (!(s->normal > 0.0)) {
        const double u = work[LONG] * x[0], v = work[SHORT] * x[1], size = sqrt(u * u + v * v);
        grow[0] = size > 0.0 ? work[CONTOUR] * work[LONG] * u / size : 0.0;
        grow[1] = size > 0.0 ? work[CONTOUR] * work[SHORT] * v / size : 0.0;
    }
    s->dn[3] = c * grow[0] - n * grow[1];
    s->dn[4] = n * grow[0] + c * grow[1];
}

static double support(const double *work, const double u[TRU_FRICTION_ROWS]) {
    const double a = work[LONG] * (work[AXIS_X] * u[3] + work[AXIS_Y] * u[4]);
    const double b = work[SHORT] * (-work[AXIS_Y] * u[3] + work[AXIS_X] * u[4]);
    return work[CONTOUR] * sqrt(a * a + b * b);
}

/* c L^T L */
static void viscosity(const double *work, double *d) {
    const double a = work[VISCOSITY] * work[LONG] * work[LONG], b = work[VISCOSITY] * work[SHORT] * work[SHORT];
    const double c = work[AXIS_X], n = work[AXIS_Y];
    double *m = d + ROW_ROLL * (TRU_FRICTION_ROWS + 1);
    m[0] += c * c * a + n * n * b;
    m[1] += c * n * (a - b);
    m[TRU_FRICTION_ROWS] += c * n * (a - b);
    m[TRU_FRICTION_ROWS + 1] += n * n * a + c * c * b;
}

static void boundary(const double *work, double angle, double y[TRU_FRICTION_ROWS]) {
    double sine, cosine;
    tru_sincos(angle, &sine, &cosine);
    const double a = work[CONTOUR] * work[LONG] * cosine, b = work[CONTOUR] * work[SHORT] * sine;
    memset(y, 0, TRU_FRICTION_ROWS * sizeof *y);
    y[3] = work[AXIS_X] * a - work[AXIS_Y] * b;
    y[4] = work[AXIS_Y] * a + work[AXIS_X] * b;
}

TRU_DEFAULTS(tru_contour, tru_default_contour, fields)

const tru_law tru_law_contour = {
    .name = "contour",
    .doc = "Friction against the motion of the contact point over the body's surface, dry or viscous.",
    .fields = fields,
    .size = sizeof(tru_contour),
    .claims = claims,
    .needs = needs,
    .prepare = prepare,
    .section = section,
    .support = support,
    .viscosity = viscosity,
    .boundary = boundary,
};
