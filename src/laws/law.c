/* law.c: several laws of one contact together: product of sections, and the joint cone with the normal row; and the fields of a
 * friction length. */
#include "laws/law.h"
#include "base/assert.h"

#include "laws/length.h"
#include "laws/sets.h"

#include <string.h>

const tru_field tru_length_fields[] = {
    TRU_REAL(tru_length, factor, TRU_UNIT_ONE, 0.0, TRU_FROM_ZERO, "The length in parts of the named radius."),
    TRU_CHOICE(tru_length, radius, "none|effective|smaller", TRU_RADIUS_NONE,
               "Which radius: effective is 1 over the summed curvatures of both surfaces, smaller that of the "
               "smaller shape; where a round body touches a box, disk or hull, both are of the round body."),
    {.name = NULL},
};

void trui_laws_section(const law_use *laws, int count, tru_section *s) {
    for (int i = 0; i < count; i++)
        if (laws[i].claims) laws[i].law->section(laws[i].work, laws[i].memory, s);
}

double trui_laws_support(const law_use *laws, int count, const double u[TRU_FRICTION_ROWS]) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += laws[i].law->support(laws[i].work, u);
    return sum;
}

/* sum over friction rows of a b / metric */
static double metric_dot(const double metric[TRU_KINDS], const double *a, const double *b) {
    double sum = (a[0] * b[0] + a[1] * b[1]) / metric[TRU_KIND_SLIDE];
    sum += a[2] * b[2] / metric[TRU_KIND_SPIN];
    return sum + (a[3] * b[3] + a[4] * b[4]) / metric[TRU_KIND_ROLL];
}

/* Support with coefficients as they are at slip speed `slip`: rates scaled to that slip (to next to none for slip 0).
 */
static double frozen_support(const law_use *laws, int count, double slip, const double u[TRU_FRICTION_ROWS]) {
    const double size = sqrt(u[0] * u[0] + u[1] * u[1]), k = size == 0.0 ? 1.0 : slip > 0.0 ? slip / size : 0x1p-200;
    double v[TRU_FRICTION_ROWS];
    for (int r = 0; r < TRU_FRICTION_ROWS; r++) v[r] = k * u[r];
    return trui_laws_support(laws, count, v) / k;
}

/* With the normal part y fixed, the nearest friction part is the section at y, so y minimises a function of one
 * variable, (y - x_n)^2 / (2 P_n) + dist^2(x, y C) / 2, whose derivative phi(y) = (y - x_n)/P_n - <x - Pi, Pi/y> is
 * increasing and concave, phi' = 1/P_n + <dPi/dy, Pi/y>: Newton from the left is monotone. For discs and intervals this
 * is [cone-equations 3], equation (6), solved in at most 3 steps. */
int trui_laws_cone(const law_use *laws, int count, const double metric[TRU_KINDS], double slip, const double *x,
                   double *y) {
    double u[TRU_FRICTION_ROWS], dn[TRU_FRICTION_ROWS] = {0}, rest[TRU_FRICTION_ROWS], c[TRU_FRICTION_ROWS];
    for (int r = 0; r < TRU_FRICTION_ROWS; r++) u[r] = -x[1 + r] / metric[LAW_KIND_OF_ROW(r)];
    const double highest = x[0] + metric[TRU_KIND_NORMAL] * frozen_support(laws, count, slip, u);
    TRU_ASSERT(!(slip < 0.0));
    memset(y, 0, TRU_ROWS * sizeof *y);
    if (highest <= 0.0) return 0; /* in the polar cone */
    double n = x[0] > 0.0 ? x[0] : 1e-12 * highest;
    tru_section s = {n, slip, metric, x + 1, y + 1, 0, NULL, dn};
    int steps = 0;
    for (;; steps++) {
        s.normal = n;
        TRU_ASSERT(!(n < 0.0));
        trui_laws_section(laws, count, &s);
        for (int r = 0; r < TRU_FRICTION_ROWS; r++) {
            rest[r] = x[1 + r] - y[1 + r];
            c[r] = y[1 + r] / n;
        }
        const double phi = (n - x[0]) / metric[TRU_KIND_NORMAL] - metric_dot(metric, rest, c);
        const double slope = 1.0 / metric[TRU_KIND_NORMAL] + metric_dot(metric, dn, c);
        const double next = n - phi / slope;
        if (!(next - n > 4e-16 * n) || steps == 60) break;
        n = next;
    }
    y[0] = n;
    return steps;
}
