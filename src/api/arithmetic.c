/* arithmetic.c: elementary functions by name and random numbers, for programs that use the library. */
#include <trundle/plugin.h>

#include "math/elementary/elementary.h"
#include "math/random.h"

#include <math.h>
#include <string.h>

static double root(double x) { return sqrt(x); }

bool tru_elementary(const char *name, double x, double *y) {
    static const struct {
        const char *name;
        double (*of)(double);
    } table[] = {{"sqrt", root},     {"sin", tru_sin},   {"cos", tru_cos}, {"tan", tru_tan}, {"asin", tru_asin},
                 {"acos", tru_acos}, {"atan", tru_atan}, {"exp", tru_exp}, {"log", tru_log}, {"cbrt", tru_cbrt}};
    for (size_t i = 0; name && i < sizeof table / sizeof *table; i++)
        if (strcmp(name, table[i].name) == 0) {
            *y = table[i].of(x);
            return true;
        }
    return false;
}

double tru_random(uint64_t seed, uint64_t id, uint64_t index) { return tru_random_uniform(seed, id, index); }
