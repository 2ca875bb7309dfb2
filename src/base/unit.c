/* unit.c: the units of field tables, and units as people write them. */
#include <trundle/plugin.h>

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    double inverse = 1.0 / scale; /* of 1e-3: 1000, which is exact where 1e-3 is not */
    bool exact = scale < 1.0 && inverse == floor(inverse);
    return exact ? value / inverse : value * scale;
}

/* ---- reading ---- */

/* A scale is kept as numerator / denominator * 10^ten, so that g/cm^3 is exactly 1000 and km/h is rounded once. */
typedef struct measure {
    double numerator, denominator;
    int ten;
    double kg, m, s, angle; /* powers */
} measure;

typedef struct symbol {
    const char *text;
    bool prefixes; /* may carry one */
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

enum { LARGEST_POWER = TRU_UNIT_LARGEST_POWER, LARGEST_TEN = 200, DEEPEST = 8, POWER_DIGITS = 24 };

static const symbol *find_symbol(const char *text, size_t length, bool prefixed) {
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        const symbol *s = &symbols[i];
        if (strlen(s->text) == length && memcmp(s->text, text, length) == 0 && (s->prefixes || !prefixed)) return s;
    }
    return NULL;
}

/* "mm" is a prefix and a symbol; "min" and "Pa" are symbols, so those come first. */
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

/* True if every power can stand in a unit. */
static bool powers_fit(const measure *x) {
    return fabs(x->kg) <= LARGEST_POWER && fabs(x->m) <= LARGEST_POWER && fabs(x->s) <= LARGEST_POWER &&
           fabs(x->angle) <= LARGEST_POWER;
}

/* total *= part^power. Only a unit of scale 1 takes a power that is not whole: roots of scales are not decimals. */
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

/* "2", "10", "0.5". Digits with a point become digits with an exponent, which strtod reads in every locale. */
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
    snprintf(text + used, sizeof text - (size_t)used, "e-%d", behind);
    *value = strtod(text, NULL);
    return true;
}

/* "^2", "^-3", "^0.5" or "2" behind a symbol; 1 if there is none. */
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

/* A symbol or a product in parentheses, with its power. */
static bool read_part(const char **at, int depth, int sign, measure *total) {
    measure part = {.numerator = 1, .denominator = 1};
    double power = 1.0;
    if (**at == '(') {
        ++*at;
        if (depth == DEEPEST || !read_product(at, depth + 1, &part) || *(*at)++ != ')') return false;
    } else {
        size_t length = strcspn(*at, " */^().0123456789");
        if (length == 0) return *(*at)++ == '1'; /* of "1/s" */
        if (!read_symbol(*at, length, &part)) return false;
        *at += length;
    }
    return read_power(at, &power) && multiply(total, part, sign * power);
}

/* Parts joined by "*", "/" or spaces, up to a closing parenthesis or the end. A quotient ends at "/part": what a space
 * behind it means ("kg/m s") is not the same for everyone, so it is refused. */
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
    double result = 1.0; /* exact to 10^22 */
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
