/* hertz.c: approach, patch and stiffness of two elastic bodies pressed together, after Hertz. */
#include <trundle/analysis.h>

#include "base/error.h"
#include "math/elementary/elementary.h"

#include <math.h>

/* What is wrong with a body, NULL: nothing. */
static tru_status check_body(const tru_hertz_body *b, const char *name, tru_error *err) {
    if (!(b->modulus > 0.0) || !isfinite(b->modulus))
        return tru_fail(err, TRU_OUT_OF_RANGE, "Hertz contact: modulus of body %s is %.6g Pa, must be > 0", name,
                        b->modulus);
    if (!(b->poisson > -1.0 && b->poisson <= 0.5))
        return tru_fail(err, TRU_OUT_OF_RANGE,
                        "Hertz contact: Poisson's ratio of body %s is %.6g, must be > -1 and <= 0.5", name, b->poisson);
    if (!(b->radius >= 0.0) || !isfinite(b->radius))
        return tru_fail(err, TRU_OUT_OF_RANGE, "Hertz contact: radius of body %s is %.6g m, must be >= 0 (0: flat)",
                        name, b->radius);
    return TRU_OK;
}

/* [1/Pa] Returns (1 - nu^2)/E. */
static double yields(const tru_hertz_body *b) { return (1.0 - b->poisson * b->poisson) / b->modulus; }
/* [1/m] Returns the curvature; 0 for a flat body. */
static double curvature(const tru_hertz_body *b) { return b->radius > 0.0 ? 1.0 / b->radius : 0.0; }

tru_status tru_hertz_contact(const tru_hertz_body *a, const tru_hertz_body *b, double load, tru_hertz *out,
                             tru_error *err) {
    tru_status status = check_body(a, "a", err);
    if (status >= 0) status = check_body(b, "b", err);
    if (status < 0) return status;
    if (!(load > 0.0) || !isfinite(load))
        return tru_fail(err, TRU_OUT_OF_RANGE, "Hertz contact: load is %.6g N, must be > 0", load);
    const double bend = curvature(a) + curvature(b), give = yields(a) + yields(b);
    if (!(bend > 0.0))
        return tru_fail(err, TRU_OUT_OF_RANGE, "Hertz contact: both bodies are flat; one needs a radius");
    const double side = load * give; /* [m^2] N/E */
    out->approach = tru_cbrt(0.5625 * side * side * bend);
    out->patch = sqrt(out->approach / bend);
    out->stiffness = 2.0 * out->patch / give;
    out->compliance = out->approach / load;
    return TRU_OK;
}
