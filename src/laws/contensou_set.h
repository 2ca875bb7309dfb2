/* contensou_set.h: the meridian of the set of friction force and drilling couple under a round Hertz contact patch.
 *
 * Sliding with speed v while spinning with omega over a patch of radius eps gives, with k = v / (eps |omega|), force
 * mu N xi(k) and couple mu N eps eta(k). Exact closed form of the rolling-disk note, section 2; the set of [LSLG05
 * (2.31)] is its truncated series. eta' = -k xi' everywhere, so (k, 1) is the outward normal at (xi, eta). */
#ifndef TRUNDLE_LAWS_CONTENSOU_SET_H
#define TRUNDLE_LAWS_CONTENSOU_SET_H

#include <stdbool.h>

/* 3 pi / 16, the largest couple per mu N eps (pure drilling) */
#define CONTENSOU_DRILL 0.58904862254808623221

/* A point of the meridian. Below the seam (k <= 1) it is named by t = k, above by t = 1/k: t runs over [0, 1] in both.
 */
typedef struct meridian {
    double xi, eta; /* [-] */
    double slope;   /* [-] xi'(k) below, xi'(k) k^3 above: finite everywhere */
} meridian;

meridian contensou_below(double k);
meridian contensou_above(double j); /* j = 1/k */

/* Nearest point of the set to (a, b) >= 0 in the norm (a - xi)^2 + q (b - eta)^2. */
typedef struct contensou_foot {
    bool inside;
    bool above; /* the seam: t = 1/k */
    double t;   /* [-] */
    meridian at;
} contensou_foot;
/* `guess`: the last foot (k below, 2 - 1/k above: 0 .. 2), or anything. */
contensou_foot contensou_project(double a, double b, double q, double guess);

#endif
