/* number.c: shortest decimal text of a double. */
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* printf writes the decimal sign of the program's locale: whatever cannot be part of a number becomes a point. */
static void use_point(char *text) {
    char *end = text + strspn(text, "+-0123456789e");
    size_t sign = strcspn(end, "+-0123456789e");
    if (sign == 0) return;
    memmove(end + 1, end + sign, strlen(end + sign) + 1);
    *end = '.';
}

void trui_number_text(char out[NUMBER_TEXT], double value) {
    if (!isfinite(value)) {
        snprintf(out, NUMBER_TEXT, "%s", isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf");
        return;
    }
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(out, NUMBER_TEXT, "%.*g", digits, value);
        if (strtod(out, NULL) == value) break;
    }
    use_point(out);
}
