/* disk_decay.c: energy decay of a disk near flat under each friction law, and how long it lasts.
 *
 * Stationary rolling near flat has alpha'^2 = m g r / (A cos beta) and E = (3/2) m g r cos beta for any A and C (its
 * angular velocity is A's: (0, 0, alpha' cos beta) in K). Each law's power at that motion gives dE/dt = -a E^p:
 *
 * | law | power | a | p | [LSLG05] |
 * |---|---|---|---|---|
 * | contour | mu m g r alpha' | sqrt(3/2) mu (m g r)^2 / sqrt(A) | -1/2 | (5.37), r^3 for r^2 |
 * | contour, viscous | c r^2 alpha'^2 | (3/2) c r^2 (m g r)^2 / A | -1 | (5.40), g~^2 r^4 for g~ r^3 |
 * | roll | mu m g alpha' cos beta | sqrt(2/3) mu m g / sqrt(A) | 1/2 | (5.43) |
 * | roll, viscous | c alpha'^2 cos^2 beta | (2/3) c / A | 1 | (5.46) |
 * | contensou | (3 pi/16) mu m g eps alpha' cos^2 beta | (pi/12) sqrt(3/2) mu eps / (r sqrt(A)) | 3/2 | (5.53) |
 */
#include <trundle/analysis.h>

#include "math/elementary/elementary.h"

#include "base/assert.h"

#include <math.h>

#define PI       0x1.921fb54442d18p+1
#define SQRT_3_2 1.22474487139158904910
#define SQRT_2_3 0.81649658092772603273
#define PANELS   64 /* [panels] of the quadrature, each half as wide as the one before */
#define OCTAVE   10 /* [points] of Gauss's rule per panel */

tru_decay tru_disk_decay(const tru_disk_body *d, tru_decay_law law, double coefficient, double patch) {
    const double weight = d->mass * d->gravity, moment = weight * d->radius, root = sqrt(d->across);
    switch (law) {
    case TRU_DECAY_CONTOUR:
        return (tru_decay){SQRT_3_2 * coefficient * moment * moment / root, -0.5};
    case TRU_DECAY_CONTOUR_VISCOUS:
        return (tru_decay){1.5 * coefficient * d->radius * d->radius * moment * moment / d->across, -1.0};
    case TRU_DECAY_ROLL:
        return (tru_decay){SQRT_2_3 * coefficient * weight / root, 0.5};
    case TRU_DECAY_ROLL_VISCOUS:
        return (tru_decay){2.0 * coefficient / (3.0 * d->across), 1.0};
    case TRU_DECAY_CONTENSOU:
        return (tru_decay){PI / 12.0 * SQRT_3_2 * coefficient * patch / (d->radius * root), 1.5};
    default:
        return (tru_decay){0.0, 1.0};
    }
}

const char *tru_decay_name(int law) {
    static const char *const names[TRU_DECAY_LAWS] = {"contour", "contour_viscosity", "roll", "roll_viscosity",
                                                      "contensou"};
    return law >= 0 && law < TRU_DECAY_LAWS ? names[law] : NULL;
}

/* Returns x^y; 0 for x <= 0. */
static double power_of(double x, double y) { return x > 0.0 ? tru_exp(y * tru_log(x)) : 0.0; }

/* E^q falls linearly, q = 1 - p: E = E0 (1 - q a t / E0^q)^(1/q). */
double tru_decay_energy(const tru_decay *decay, double energy, double t) {
    const double q = 1.0 - decay->power;
    if (!(energy > 0.0)) return 0.0;
    if (q == 0.0) return energy * tru_exp(-decay->factor * t);
    const double left = 1.0 - q * decay->factor * t / power_of(energy, q);
    return energy * power_of(left, 1.0 / q);
}

/* Points and weights of Gauss's rule of ten points on [-1, 1], half of them. */
static const double gauss_at[OCTAVE / 2] = {0.148874338981631210884826, 0.433395394129247190799266,
                                            0.679409568299024406234327, 0.865063366688984510732097,
                                            0.973906528517171720077964};
static const double gauss_weight[OCTAVE / 2] = {0.295524224714752870173893, 0.269266719309996355091227,
                                                0.219086362515982043995535, 0.149451349150580593145863,
                                                0.066671344308688137593569};

/* Returns dt/dy at E = E0 y^2, a rational function of y because all powers are multiples of 1/2. */
static double slowness(const tru_decay *decays, size_t count, double energy, double y) {
    double power = 0.0;
    for (size_t i = 0; i < count; i++) power += decays[i].factor * power_of(energy * y * y, decays[i].power);
    TRU_ASSERT(y > 0.0 && y < 1.0 && power > 0.0); /* Gauss points are inside; one law ends the motion */
    return 2.0 * energy * y / power;
}

double tru_decay_time(const tru_decay *decays, size_t count, double energy) {
    bool ends = false;
    for (size_t i = 0; i < count; i++) ends |= decays[i].factor > 0.0 && decays[i].power < 1.0;
    if (!(energy > 0.0)) return 0.0;
    if (!ends) return HUGE_VAL;
    double time = 0.0, top = 1.0;
    for (int panel = 0; panel < PANELS; panel++, top *= 0.5)
        for (int i = 0; i < OCTAVE / 2; i++) {
            const double middle = 0.75 * top, half = 0.25 * top;
            time += half * gauss_weight[i] *
                    (slowness(decays, count, energy, middle - half * gauss_at[i]) +
                     slowness(decays, count, energy, middle + half * gauss_at[i]));
        }
    return time;
}

double tru_decay_exponent(const tru_decay *decay) { return decay->power < 1.0 ? 2.0 * (1.0 - decay->power) : HUGE_VAL; }

double tru_disk_precession(const tru_disk_body *d, double energy) {
    return d->mass * d->gravity * d->radius * sqrt(1.5 / (d->across * energy));
}

tru_disk_brake tru_disk_upright_roll(const tru_disk_body *d, tru_decay_law law, double coefficient) {
    const double r = d->radius, inertia = d->axial + d->mass * r * r, weight = d->mass * d->gravity;
    switch (law) {
    case TRU_DECAY_CONTOUR:
        return (tru_disk_brake){coefficient * r * weight / inertia, 0.0};
    case TRU_DECAY_CONTOUR_VISCOUS:
        return (tru_disk_brake){0.0, coefficient * r * r / inertia};
    case TRU_DECAY_ROLL:
        return (tru_disk_brake){coefficient * weight / inertia, 0.0};
    case TRU_DECAY_ROLL_VISCOUS:
        return (tru_disk_brake){0.0, coefficient / inertia};
    default:
        return (tru_disk_brake){0.0, 0.0};
    }
}

double tru_disk_upright_spin(const tru_disk_body *d, double slide, double patch) {
    return 3.0 * PI / 16.0 * slide * d->mass * d->gravity * patch / d->across;
}
