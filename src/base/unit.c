/* unit.c: numbers as text, the units of field tables, and units as users write them. */
#include "base/unit.h"

#include "base/assert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

/* Replaces the decimal sign of the program's locale, which printf writes, by a point. */
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

/* ---- units of field tables ---- */

static const tru_unit_info units[TRU_UNIT_COUNT] = {
#define UNIT_ENTRY(name, symbol, kg, m, s) {symbol, kg, m, s},
    TRU_UNIT_LIST(UNIT_ENTRY)
#undef UNIT_ENTRY
};

tru_unit_info tru_unit_describe(tru_unit unit) {
    bool known = (unsigned)unit < TRU_UNIT_COUNT;
    return units[known ? unit : TRU_UNIT_MISSING];
}

void tru_unit_format(tru_unit unit, double value, char *out, size_t room) {
    char number[NUMBER_TEXT];
    trui_number_text(number, value);
    bool plain = unit == TRU_UNIT_ONE || unit == TRU_UNIT_MISSING || !isfinite(value);
    snprintf(out, room, plain ? "%s" : "%s %s", number, tru_unit_describe(unit).symbol);
}

double tru_unit_to_si(double value, double scale) {
    double inverse = 1.0 / scale; /* for 1e-3 this is 1000, which is exact, while 1e-3 is rounded */
    bool exact = scale < 1.0 && inverse == floor(inverse);
    return exact ? value / inverse : value * scale;
}

/* ---- reading ---- */

/* A unit while it is read. Its scale is numerator / denominator * 10^ten, so that g/cm^3 is exactly 1000 and km/h is rounded once. */
typedef struct measure {
    double numerator, denominator;
    int ten;
    double kg, m, s, angle; /* [-] powers */
} measure;

typedef struct symbol {
    const char *text;
    bool prefixes; /* true if a prefix such as "k" may precede it */
    measure is;
} symbol;

#define DEGREE 0.017453292519943295769 /* pi / 180 */
#define RPM    0.10471975511965977462  /* 2 pi / 60 */

static const symbol symbols[] = {
    {"%", false, {1, 1, -2, 0, 0, 0, 0}},
    {"m", true, {1, 1, 0, 0, 1, 0, 0}},
    {"g", true, {1, 1, -3, 1, 0, 0, 0}},
    {"t", false, {1, 1, 3, 1, 0, 0, 0}},
    {"s", true, {1, 1, 0, 0, 0, 1, 0}},
    {"min", false, {60, 1, 0, 0, 0, 1, 0}},
    {"h", false, {3600, 1, 0, 0, 0, 1, 0}},
    {"Hz", true, {1, 1, 0, 0, 0, -1, 0}},
    {"N", true, {1, 1, 0, 1, 1, -2, 0}},
    {"Pa", true, {1, 1, 0, 1, -1, -2, 0}},
    {"Nm", true, {1, 1, 0, 1, 2, -2, 0}},
    {"Ns", true, {1, 1, 0, 1, 1, -1, 0}},
    {"J", true, {1, 1, 0, 1, 2, -2, 0}},
    {"W", true, {1, 1, 0, 1, 2, -3, 0}},
    {"rad", true, {1, 1, 0, 0, 0, 0, 1}},
    {"deg", false, {DEGREE, 1, 0, 0, 0, 0, 1}},
    {"\xC2\xB0", false, {DEGREE, 1, 0, 0, 0, 0, 1}}, /* degree sign */
    {"rpm", false, {RPM, 1, 0, 0, 0, -1, 1}},
};

static const struct {
    const char *text;
    int ten;
} prefixes[] = {{"p", -12}, {"n", -9}, {"u", -6}, {"\xC2\xB5", -6}, {"\xCE\xBC", -6}, /* micro sign, Greek mu */
                {"m", -3},  {"c", -2}, {"d", -1}, {"da", 1},        {"h", 2},
                {"k", 3},   {"M", 6},  {"G", 9},  {"T", 12}};

enum {
    LARGEST_POWER = TRU_UNIT_LARGEST_POWER,
    LARGEST_TEN = 200, /* power of ten; far inside the range of a double */
    DEEPEST = 8,       /* levels of parentheses, which bounds the recursion */
    POWER_DIGITS = 24  /* digits of a power that are read, more than any double needs */
};

static const symbol *find_symbol(const char *text, size_t length, bool prefixed) {
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        const symbol *s = &symbols[i];
        if (strlen(s->text) == length && memcmp(s->text, text, length) == 0 && (s->prefixes || !prefixed)) return s;
    }
    return NULL;
}

/* Reads a symbol with or without a prefix. Whole symbols are tried first, since "min" and "Pa" also begin like a prefix. */
static bool read_symbol(const char *text, size_t length, measure *out) {
    const symbol *s = find_symbol(text, length, false);
    if (s) {
        *out = s->is;
        return true;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t cut = strlen(prefixes[i].text);
        if (length <= cut || memcmp(prefixes[i].text, text, cut) != 0) continue;
        s = find_symbol(text + cut, length - cut, true);
        if (!s) continue;
        *out = s->is;
        out->ten += prefixes[i].ten;
        return true;
    }
    return false;
}

/* Returns true if every power is within the range that a unit may have. */
static bool powers_fit(const measure *x) {
    return fabs(x->kg) <= LARGEST_POWER && fabs(x->m) <= LARGEST_POWER && fabs(x->s) <= LARGEST_POWER &&
           fabs(x->angle) <= LARGEST_POWER;
}

/* Multiplies `total` by part^power. False if a power leaves its range. A power that is not whole needs a scale of 1, because roots of
 * other scales are not decimal numbers. */
static bool multiply(measure *total, measure part, double power) {
    const bool whole = power == floor(power), is_one = part.numerator == part.denominator && part.ten == 0;
    if (!whole && !is_one) return false;
    for (int i = 0; i < (int)fabs(power) && !is_one; i++) {
        total->numerator *= power < 0.0 ? part.denominator : part.numerator;
        total->denominator *= power < 0.0 ? part.numerator : part.denominator;
    }
    const double ten = total->ten + part.ten * power;
    total->kg += part.kg * power;
    total->m += part.m * power;
    total->s += part.s * power;
    total->angle += part.angle * power;
    if (!(fabs(ten) <= LARGEST_TEN) || !powers_fit(total)) return false;
    total->ten = (int)ten;
    return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Reads "2", "10" or "0.5". Rewrites a decimal point as an exponent, which strtod reads alike in every locale. */
static bool read_decimal(const char **at, double *value) {
    char text[POWER_DIGITS + 16];
    int used = 0, behind = 0;
    bool point = false;
    for (; is_digit(**at) || (**at == '.' && !point && is_digit((*at)[1])); ++*at) {
        point = point || **at == '.';
        if (**at == '.') continue;
        if (used == POWER_DIGITS) return false;
        text[used++] = **at;
        behind += point;
    }
    if (used == 0) return false;
    TRU_ASSERT(used <= POWER_DIGITS && behind <= used);
    snprintf(text + used, sizeof text - (size_t)used, "e-%d", behind);
    *value = strtod(text, NULL);
    return true;
}

/* Reads the power behind a symbol: "^2", "^-3", "^0.5" or "2"; 1 if there is none. */
static bool read_power(const char **at, double *power) {
    *power = 1.0;
    if (**at == '^') {
        const bool negative = *++*at == '-';
        if (negative) ++*at;
        if (!read_decimal(at, power)) return false;
        if (negative) *power = -*power;
    } else if (is_digit(**at)) {
        *power = *(*at)++ - '0';
    }
    return *power != 0.0 && fabs(*power) <= LARGEST_POWER && !is_digit(**at) && **at != '.';
}

static bool read_product(const char **at, int depth, measure *total);

/* Reads a symbol or a product in parentheses, with its power. `sign` is -1 behind "/". */
static bool read_part(const char **at, int depth, int sign, measure *total) {
    measure part = {.numerator = 1, .denominator = 1};
    double power = 1.0;
    if (**at == '(') {
        ++*at;
        if (depth == DEEPEST || !read_product(at, depth + 1, &part) || *(*at)++ != ')') return false;
    } else {
        size_t length = strcspn(*at, " */^().0123456789");
        if (length == 0) return *(*at)++ == '1'; /* the 1 in "1/s" */
        if (!read_symbol(*at, length, &part)) return false;
        *at += length;
    }
    return read_power(at, &power) && multiply(total, part, sign * power);
}

/* Reads parts joined by "*", "/" or spaces, up to a closing parenthesis or the end. After "/" a space between parts is refused,
 * because "kg/m s" is ambiguous. */
static bool read_product(const char **at, int depth, measure *total) {
    bool divided = false;
    for (int sign = 1;;) {
        *at += strspn(*at, " ");
        if (!read_part(at, depth, sign, total)) return false;
        size_t spaces = strspn(*at, " ");
        *at += spaces;
        if (**at == '\0' || **at == ')') return true;
        bool sign_given = **at == '*' || **at == '/';
        if (!sign_given && (spaces == 0 || divided)) return false;
        sign = **at == '/' ? -1 : 1;
        divided = divided || sign < 0;
        if (sign_given) ++*at;
    }
}

static double power_of_ten(int k) {
    TRU_ASSERT(k >= 0 && k <= LARGEST_TEN);
    double result = 1.0; /* exact up to 10^22 */
    for (int i = 0; i < k; i++) result *= 10.0;
    return result;
}

bool tru_unit_read(const char *text, tru_unit_measure *out) {
    measure total = {.numerator = 1, .denominator = 1};
    const char *at = text;
    bool good = strcmp(text, "-") == 0 || (read_product(&at, 0, &total) && *at == '\0');
    if (!good) return false;
    double numerator = total.ten > 0 ? total.numerator * power_of_ten(total.ten) : total.numerator;
    double denominator = total.ten < 0 ? total.denominator * power_of_ten(-total.ten) : total.denominator;
    const double scale = numerator / denominator;
    if (!isnormal(scale)) return false;
    *out = (tru_unit_measure){scale, total.kg, total.m, total.s, total.angle != 0.0};
    return true;
}

static bool is_whole(double x) { return x == floor(x); }

bool tru_unit_parse(const char *text, double *scale, tru_unit_info *powers, bool *is_angle) {
    tru_unit_measure u;
    if (!tru_unit_read(text, &u) || !is_whole(u.kg) || !is_whole(u.m) || !is_whole(u.s)) return false;
    *scale = u.scale;
    *powers = (tru_unit_info){text, (int)u.kg, (int)u.m, (int)u.s};
    *is_angle = u.is_angle;
    return true;
}
