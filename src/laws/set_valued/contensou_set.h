/* contensou_set.h: the meridian of the set of friction force and drilling couple under a round Hertz contact patch.
 *
 * Sliding with speed v while spinning with omega over a patch of radius eps gives, with k = v / (eps |omega|), force
 * mu N xi(k) and couple mu N eps eta(k). Exact closed form [rolling-disk-equations 2]; the set of [LSLG05 (2.31)]
 * is its truncated series. eta' = -k xi' everywhere, so (k, 1) is the outward normal at (xi, eta). */
#ifndef TRUNDLE_LAWS_CONTENSOU_SET_H
#define TRUNDLE_LAWS_CONTENSOU_SET_H

#include <stdbool.h>

/* 3 pi / 16, the largest couple per mu N eps (pure drilling) */
#define CONTENSOU_DRILL 0.58904862254808623221
/* The corner points (0, 3 pi/16), seam, (1, 0) of the meridian span two chords; below both is surely inside. */
#define CONTENSOU_SEAM_XI  0.88357293382212934831 /* 9 pi / 32 */
#define CONTENSOU_SEAM_ETA 0.22089323345553233708 /* 9 pi / 128 */

/* 1/k below this: the closed form cancels; series in y = 1/k^2, xi = 1 - y sum c_n y^n, eta = sum e_n y^n / k. Its first
 * dropped terms are below 1e-17 at y = 1/25. */
#define CONTENSOU_FAR 0.2
static const double contensou_far_xi[] = {1.0 / 10,     3.0 / 280,    1.0 / 336,    5.0 / 4224,
                                          21.0 / 36608, 21.0 / 66560, 33.0 / 174080};
static const double contensou_far_eta[] = {1.0 / 5,      1.0 / 70,      1.0 / 280,      5.0 / 3696,
                                           35.0 / 54912, 63.0 / 183040, 231.0 / 1131520};

/* A point of the meridian. Below the seam (k <= 1) it is named by t = k, above by t = 1/k: t runs over [0, 1] in both.
 */
typedef struct meridian {
    double xi, eta; /* [-] */
    double slope;   /* [-] xi'(k) below, xi'(k) k^3 above: finite everywhere */
} meridian;

meridian trui_contensou_below(double k);
meridian trui_contensou_above(double j); /* j = 1/k */

/* Nearest point of the set to (a, b) >= 0 in the norm (a - xi)^2 + q (b - eta)^2. */
typedef struct contensou_foot {
    bool inside;
    bool above; /* the seam: t = 1/k */
    double t;   /* [-] */
    meridian at;
} contensou_foot;
/* `guess`: the last foot (k below, 2 - 1/k above: 0 .. 2), or anything. */
contensou_foot trui_contensou_project(double a, double b, double q, double guess);

#endif
