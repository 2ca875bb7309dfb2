/* dd.h: unevaluated sums of two doubles, where 53 bits are too few. They need no fused multiply-add. */
#ifndef TRUNDLE_MATH_ELEMENTARY_DD_H
#define TRUNDLE_MATH_ELEMENTARY_DD_H

/* The value hi + lo; |lo| <= ulp(hi)/2 if it is normalised. */
typedef struct dd {
    double hi, lo;
} dd;

/* Returns a + b without rounding error, for |a| >= |b| or a = 0. */
static inline dd dd_fast_sum(double a, double b) {
    double s = a + b;
    return (dd){s, b - (s - a)};
}

/* Returns a + b without rounding error. */
static inline dd dd_sum(double a, double b) {
    double s = a + b, t = s - a;
    return (dd){s, (a - (s - t)) + (b - t)};
}

/* Returns a b without rounding error (Dekker), for |a|, |b| < 2^970 and a product above 2^-960. */
static inline dd dd_prod(double a, double b) {
    const double half_bits = 0x1p27 + 1.0;
    double p = a * b, ca = half_bits * a, cb = half_bits * b;
    double ah = ca - (ca - a), al = a - ah;
    double bh = cb - (cb - b), bl = b - bh;
    return (dd){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

/* Returns a - q b with one rounding, for q near a / b. */
static inline double dd_remainder(double a, double q, double b) {
    dd p = dd_prod(q, b);
    return (a - p.hi) - p.lo;
}

#endif
