/* expression.c: arithmetic with names and units, one recursive descent per number.
 *
 *     sum      product {+|- product}
 *     product  sign {*|/ sign}
 *     sign     {+|-} power
 *     power    primary [^ sign]
 *     primary  number [unit] | name | function(sum, ...) | (sum) [unit]
 *
 * A unit follows its number and takes in all it can ("3 m/s" is a speed), its powers too: "2 m^0.5" is 2 of the unit
 * m^0.5, "(2 m)^0.5" the root of 2 m. A bare number is SI where it stands alone or in a sum; in a product it is a pure
 * number. */
#include "expression.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, DIGITS = 1000, UNIT_ROOM = QUANTITY_UNIT };

/* ---- numbers ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool trio_is_name(const char *text) {
    if (!is_letter(*text)) return false;
    while (is_letter(*text) || is_digit(*text)) text++;
    return *text == '\0';
}

/* digits * 10^exponent. Up to 15 digits and 10^22 are exact doubles, so that one operation rounds correctly; beyond,
 * strtod does it (and `digits` has room for an exponent). */
static double decimal(char *digits, size_t count, long exponent) {
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (count > 15 || exponent < -22 || exponent > 22) {
        if (count == 0) digits[count++] = '0';
        snprintf(digits + count, 24, "e%ld", exponent);
        return strtod(digits, NULL);
    }
    int64_t whole = 0;
    for (size_t i = 0; i < count; i++) whole = 10 * whole + (digits[i] - '0');
    return exponent < 0 ? (double)whole / tens[-exponent] : (double)whole * tens[exponent];
}

/* Digits with a point become digits with an exponent, "12.5e3" -> "125e2": strtod rounds that correctly and never meets
 * the decimal sign of a locale. */
bool trio_number_read(const char **at, double *value) {
    char text[DIGITS + 32];
    size_t used = 0;
    long shift = 0, exponent = 0;
    const char *p = *at;
    bool any = false, too_long = false;
    for (bool fraction = false; is_digit(*p) || (*p == '.' && !fraction); p++) {
        if (*p == '.') {
            fraction = true;
            continue;
        }
        any = true;
        if (used == 0 && *p == '0') { /* leading zeros */
            shift -= fraction;
            continue;
        }
        too_long = too_long || used == DIGITS;
        if (used < DIGITS) text[used++] = *p;
        shift -= fraction;
    }
    if (!any || too_long) return false;
    if ((*p == 'e' || *p == 'E') && (is_digit(p[1]) || ((p[1] == '-' || p[1] == '+') && is_digit(p[2])))) {
        const bool negative = p[1] == '-';
        for (p += is_digit(p[1]) ? 1 : 2; is_digit(*p); p++)
            if (exponent < 100000) exponent = 10 * exponent + (*p - '0');
        if (negative) exponent = -exponent;
    }
    *value = decimal(text, used, exponent + shift);
    *at = p;
    return true;
}

/* ---- the parser ---- */

typedef struct parser {
    const char *at;
    const name_finder *names;
    tru_error *err;
    int depth;
    const char *unit_end; /* behind the last unit that was read, or NULL */
} parser;

__attribute__((format(printf, 2, 3))) static bool refuse(parser *p, const char *format, ...) {
    if (!p->err) return false;
    va_list args;
    va_start(args, format);
    p->err->status = TRU_BAD_ARGUMENT;
    vsnprintf(p->err->text, sizeof p->err->text, format, args);
    va_end(args);
    return false;
}

/* Fails at text that is not part of the expression. */
static bool refuse_rest(parser *p) {
    const size_t rest = strcspn(p->at, " */^()+-,");
    if (*p->at == '\0') return refuse(p, p->depth > 0 ? "where ')' is missing" : "which ends too early");
    return refuse(p, "where '%.*s' is unexpected", (int)(rest > 0 ? rest : 1), p->at);
}

static void skip_spaces(parser *p) {
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n') p->at++;
}

static quantity plain_number(double value) {
    return (quantity){.value = value, .angle = ANGLE_EITHER, .bare = true, .literal = true};
}

static bool finite_only(parser *p, quantity *q) {
    if (isfinite(q->value)) return true;
    return refuse(p, "which is not a finite number");
}

/* Sums of powers round: those next to a multiple of 1/5040 (of 1/2 to 1/10 and more) become that multiple. */
static double settled_power(double power) {
    const double parts = 5040.0 * power, near = floor(parts + 0.5);
    return fabs(parts - near) < 1e-9 ? near / 5040.0 : power;
}

/* True if a unit with this power can be written and read back. */
static bool power_fits(double power) {
    return power == 0.0 || (fabs(power) >= 1e-3 && fabs(power) <= TRU_UNIT_LARGEST_POWER);
}

/* A result of an operation. A ratio of two lengths is a number like any other; an angle is not. */
static bool settle(parser *p, quantity *q) {
    q->kg = settled_power(q->kg);
    q->m = settled_power(q->m);
    q->s = settled_power(q->s);
    if (!power_fits(q->kg) || !power_fits(q->m) || !power_fits(q->s))
        return refuse(p, "which has a unit with a power that is not between 0.001 and %d", TRU_UNIT_LARGEST_POWER);
    const bool pure = !q->bare && q->kg == 0.0 && q->m == 0.0 && q->s == 0.0 && q->angle != ANGLE_YES;
    if (pure) *q = plain_number(q->value);
    return finite_only(p, q);
}

/* ---- units behind numbers ---- */

static bool unit_begins(const char *at) {
    const unsigned char c = (unsigned char)*at;
    return is_letter(*at) || *at == '%' || c >= 0x80 || (at[0] == '1' && at[1] == '/' && is_letter(at[2]));
}

/* A minus belongs to a unit only as the sign of a power. */
static bool unit_ends(const char *at, size_t n) {
    const char c = at[n];
    return c == '\0' || c == '+' || c == ',' || (c == '-' && (n == 0 || at[n - 1] != '^'));
}

static bool goes_on(char next) {
    return is_letter(next) || is_digit(next) || next == '.' || (unsigned char)next >= 0x80;
}

/* The longest text here that reads as a unit; 0 if none does. */
static size_t unit_length(const char *at, tru_unit_measure *out) {
    char text[UNIT_ROOM];
    size_t best = 0;
    for (size_t n = 1; n < UNIT_ROOM && !unit_ends(at, n - 1); n++) {
        text[n - 1] = at[n - 1];
        text[n] = '\0';
        if (at[n - 1] == ' ' || goes_on(at[n])) continue; /* not the end of a symbol */
        if (tru_unit_read(text, out)) best = n;
    }
    return best;
}

/* The symbol of a unit that was written as a word; NULL if it is none we know. */
static const char *symbol_of(const char *word, size_t length) {
    static const struct spelling {
        const char *begins, *symbol;
    } spellings[] = {{"deg", "deg"},    {"radian", "rad"}, {"met", "m"},     {"millimet", "mm"}, {"centimet", "cm"},
                     {"kilomet", "km"}, {"sec", "s"},      {"millis", "ms"}, {"minute", "min"},  {"hour", "h"},
                     {"gram", "g"},     {"kilogr", "kg"},  {"kgs", "kg"},    {"ton", "t"},       {"newt", "N"},
                     {"joule", "J"},    {"pasc", "Pa"},    {"hertz", "Hz"},  {"cc", "cm^3"},     {"kph", "km/h"}};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const size_t n = strlen(spellings[i].begins);
        if (n <= length && memcmp(spellings[i].begins, word, n) == 0) return spellings[i].symbol;
    }
    return NULL;
}

static bool no_unit(parser *p) {
    const size_t length = strcspn(p->at, " */^()+-,");
    const char *symbol = symbol_of(p->at, length);
    if (symbol) return refuse(p, "where '%.*s' is not a unit; did you mean '%s'?", (int)length, p->at, symbol);
    return refuse(p, "where '%.*s' is not a unit; `trundle list units` shows all", (int)length, p->at);
}

/* "2 m/h" is metres per hour, unless there is a parameter h. */
static bool unit_is_clear(parser *p, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (p->at[i] != '*' && p->at[i] != '/') continue;
        size_t from = i + 1, n = 0;
        while (p->at[from] == ' ' || p->at[from] == '(') from++;
        while (is_letter(p->at[from + n])) n++;
        if (n == 0 || !p->names || !p->names->find(p->names->user, p->at + from, n, NULL, NULL)) continue;
        return refuse(p,
                      "where '%.*s' is a unit and a parameter; for the unit rename the parameter, "
                      "for the parameter put the number and its unit in parentheses",
                      (int)n, p->at + from);
    }
    return true;
}

/* "2 m ^2", "2 m^n", "2 mm^0.5": the power would raise the number too. */
static bool power_is_clear(parser *p, const char *unit, size_t length) {
    const char *at = p->at;
    while (*at == ' ') at++;
    if (*at != '^') return true;
    const char *number = at + 1 + (at[1] == '-');
    const size_t digits = strspn(number, "0123456789");
    if (at == p->at && number[digits] == '.' && is_digit(number[digits + 1]))
        return refuse(p, "where '%.*s' takes whole powers only; other powers need units such as m, kg, s or N",
                      (int)length, unit);
    if (at == p->at && digits > 0)
        return refuse(p, "where the power of '%.*s' must lie between -%d and %d and not be 0", (int)length, unit,
                      TRU_UNIT_LARGEST_POWER, TRU_UNIT_LARGEST_POWER);
    return refuse(
        p,
        "where '^' after the unit '%.*s' is ambiguous; write %.*s^2 for a power of the unit, (2 %.*s)^2 for one of the number too",
        (int)length, unit, (int)length, unit, (int)length, unit);
}

static bool read_unit(parser *p, quantity *q) {
    tru_unit_measure unit;
    skip_spaces(p);
    if (!unit_begins(p->at)) return true;
    const char *begin = p->at;
    const size_t length = unit_length(p->at, &unit);
    if (length == 0) return no_unit(p);
    if (!unit_is_clear(p, length)) return false;
    if (!q->bare) return refuse(p, "which has two units");
    p->at += length;
    p->unit_end = p->at;
    if (!power_is_clear(p, begin, length)) return false;
    *q = (quantity){.value = tru_unit_to_si(q->value, unit.scale),
                    .kg = unit.kg,
                    .m = unit.m,
                    .s = unit.s,
                    .angle = unit.is_angle ? ANGLE_YES : ANGLE_NO};
    return settle(p, q);
}

/* ---- operations ---- */

static bool same_powers(const quantity *a, const quantity *b) {
    return fabs(a->kg - b->kg) + fabs(a->m - b->m) + fabs(a->s - b->s) < 1e-9;
}

static bool same_dimension(const quantity *a, const quantity *b) {
    return same_powers(a, b) && !(a->angle == ANGLE_YES && b->angle == ANGLE_NO) &&
           !(a->angle == ANGLE_NO && b->angle == ANGLE_YES);
}

/* What a sum, min or max of two values is: its value is still to be set. */
static bool join(parser *p, const quantity *a, const quantity *b, quantity *out) {
    if (a->bare || b->bare) {
        const quantity *bare = a->bare ? a : b;
        *out = a->bare ? *b : *a;
        out->assumed = a->assumed || b->assumed || (bare->value != 0.0 && !same_powers(a, b));
        if (!out->bare) return true;
        out->literal = a->literal && b->literal;
        if (!same_powers(a, b)) out->kg = out->m = out->s = 0.0;
        return true;
    }
    *out = *a;
    out->assumed = a->assumed || b->assumed;
    if (a->angle != b->angle) out->angle = ANGLE_EITHER;
    if (same_dimension(a, b)) return true;
    char ua[QUANTITY_UNIT], ub[QUANTITY_UNIT];
    trio_quantity_unit(a, ua, sizeof ua);
    trio_quantity_unit(b, ub, sizeof ub);
    return refuse(p, "where %s and %s are added or compared", ua, ub);
}

static bool add(parser *p, quantity *a, const quantity *b, double sign) {
    quantity out;
    if (!join(p, a, b, &out)) return false;
    out.value = a->value + sign * b->value;
    *a = out;
    return finite_only(p, a);
}

static bool multiply(parser *p, quantity *a, const quantity *b, int sign) {
    if (sign < 0 && b->value == 0.0) return refuse(p, "which divides by zero");
    const double value = sign > 0 ? a->value * b->value : a->value / b->value;
    const bool assumed = a->assumed || b->assumed;
    if ((a->bare && !a->literal) || (b->bare && !b->literal)) { /* of unknown dimension */
        *a = (quantity){.value = value,
                        .kg = a->kg + sign * b->kg,
                        .m = a->m + sign * b->m,
                        .s = a->s + sign * b->s,
                        .angle = ANGLE_EITHER,
                        .bare = true,
                        .assumed = assumed};
    } else {
        const bool scaled = a->literal != b->literal && (b->literal || sign > 0); /* 2 * angle is an angle */
        const int angle = scaled ? (a->literal ? b->angle : a->angle) : ANGLE_EITHER;
        const bool mixed = a->literal != b->literal || a->mixed || b->mixed;
        *a = (quantity){.value = value,
                        .kg = a->kg + sign * b->kg,
                        .m = a->m + sign * b->m,
                        .s = a->s + sign * b->s,
                        .angle = angle,
                        .mixed = mixed,
                        .assumed = assumed};
    }
    return settle(p, a);
}

/* x^n; whole powers by multiplication, so that they are exact where they can be. */
static double power_of(double x, double n) {
    double result = 1.0, y = 0.0;
    if (n == floor(n) && fabs(n) <= 64.0) {
        for (int i = 0; i < (int)fabs(n); i++) result *= x;
        return n < 0.0 ? 1.0 / result : result;
    }
    if (n == 0.5) return sqrt(x);
    tru_elementary("log", x, &y);
    tru_elementary("exp", n * y, &result);
    return result;
}

static bool raise(parser *p, quantity *a, const quantity *n) {
    if (!n->bare) return refuse(p, "where the power is not a pure number");
    if (a->value == 0.0 && n->value < 0.0) return refuse(p, "which divides by zero");
    a->value = power_of(a->value, n->value);
    a->kg *= n->value;
    a->m *= n->value;
    a->s *= n->value;
    if (n->value != 1.0) a->angle = ANGLE_EITHER;
    return settle(p, a);
}

/* ---- functions ---- */

typedef enum function_kind { OF_ANGLE, TO_ANGLE, ROOT, SAME, SMALLEST, LARGEST } function_kind;
static const struct {
    const char *name;
    function_kind kind;
} functions[] = {{"sqrt", ROOT},     {"sin", OF_ANGLE},  {"cos", OF_ANGLE}, {"tan", OF_ANGLE}, {"asin", TO_ANGLE},
                 {"acos", TO_ANGLE}, {"atan", TO_ANGLE}, {"abs", SAME},     {"min", SMALLEST}, {"max", LARGEST}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

bool trio_is_function(const char *name, size_t length) {
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (strlen(functions[i].name) == length && memcmp(functions[i].name, name, length) == 0) return true;
    return length == 2 && memcmp(name, "pi", 2) == 0;
}

static bool apply(parser *p, size_t f, quantity *q) {
    const char *name = functions[f].name;
    const bool pure = q->bare || (q->kg == 0.0 && q->m == 0.0 && q->s == 0.0);
    switch (functions[f].kind) {
    case OF_ANGLE:
        if (!pure) return refuse(p, "where the argument of %s is not an angle", name);
        *q = plain_number(q->value);
        tru_elementary(name, q->value, &q->value);
        break;
    case TO_ANGLE:
        if (!q->bare) return refuse(p, "where the argument of %s is not a pure number", name);
        tru_elementary(name, q->value, &q->value);
        *q = (quantity){.value = q->value, .angle = ANGLE_YES};
        break;
    case ROOT: {
        const quantity half = plain_number(0.5);
        if (q->value < 0.0) return refuse(p, "where the argument of sqrt is negative");
        return raise(p, q, &half);
    }
    default:
        if (functions[f].kind == SAME) q->value = fabs(q->value);
        break;
    }
    return finite_only(p, q);
}

static bool sum(parser *p, quantity *q);

static bool call(parser *p, size_t f, quantity *q) {
    const bool many = functions[f].kind == SMALLEST || functions[f].kind == LARGEST;
    p->at++; /* ( */
    if (!sum(p, q)) return false;
    for (skip_spaces(p); many && *p->at == ','; skip_spaces(p)) {
        quantity other, out;
        p->at++;
        if (!sum(p, &other) || !join(p, q, &other, &out)) return false;
        out.value = functions[f].kind == SMALLEST ? fmin(q->value, other.value) : fmax(q->value, other.value);
        *q = out;
    }
    if (*p->at != ')') return refuse_rest(p);
    p->at++;
    return apply(p, f, q);
}

/* ---- names ---- */

static bool special_number(const char *name, size_t length) {
    static const char *const words[] = {"nan", "inf", "infinity"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        bool same = strlen(words[i]) == length;
        for (size_t k = 0; same && k < length; k++) same = (name[k] | 0x20) == words[i][k];
        if (same) return true;
    }
    return false;
}

static bool name_value(parser *p, quantity *q) {
    const char *name = p->at;
    size_t length = 0;
    while (is_letter(name[length]) || is_digit(name[length])) length++;
    p->at += length;
    if (length == 2 && memcmp(name, "pi", 2) == 0) {
        *q = plain_number(3.14159265358979323846);
        return true;
    }
    skip_spaces(p);
    for (size_t f = 0; f < FUNCTIONS; f++) {
        if (strlen(functions[f].name) != length || memcmp(functions[f].name, name, length) != 0) continue;
        if (*p->at != '(') return refuse(p, "where '(' is missing after %s", functions[f].name);
        return call(p, f, q);
    }
    if (*p->at == '(') return refuse(p, "where '%.*s' is not a function", (int)length, name);
    const bool known = p->names && p->names->find(p->names->user, name, length, NULL, NULL);
    if (!known && special_number(name, length)) return refuse(p, "which is not a finite number");
    if (!p->names) return refuse(p, "where '%.*s' is not a number", (int)length, name);
    const bool in_unit = p->unit_end && strspn(p->unit_end, " */") == (size_t)(name - p->unit_end); /* "2.5 g/cc" */
    const char *symbol = known || !in_unit ? NULL : symbol_of(name, length);
    if (symbol) return refuse(p, "where '%.*s' is not a parameter; as a unit write '%s'", (int)length, name, symbol);
    if (!p->names->find(p->names->user, name, length, q, p->err)) return false;
    if (q->bare) q->literal = false;
    return true;
}

/* ---- grammar ---- */

static bool primary(parser *p, quantity *q) {
    skip_spaces(p);
    if (*p->at == '(') {
        p->at++;
        if (!sum(p, q)) return false;
        skip_spaces(p);
        if (*p->at != ')') return refuse_rest(p);
        p->at++;
        return read_unit(p, q);
    }
    if (is_letter(*p->at)) return name_value(p, q);
    if (*p->at == '.' && is_letter(p->at[1]) && special_number(p->at + 1, strcspn(p->at + 1, " ")))
        return refuse(p, "which is not a finite number");
    if (*p->at == '\0') return refuse(p, "which ends too early");
    *q = plain_number(0.0);
    if (!trio_number_read(&p->at, &q->value))
        return is_digit(*p->at) ? refuse(p, "which has too many digits") : refuse_rest(p);
    if (!finite_only(p, q)) return false;
    return read_unit(p, q);
}

static bool sign_of(parser *p, quantity *q);

static bool power(parser *p, quantity *q) {
    quantity n;
    if (!primary(p, q)) return false;
    skip_spaces(p);
    if (*p->at != '^') return true;
    p->at++;
    return sign_of(p, &n) && raise(p, q, &n);
}

static bool sign_of(parser *p, quantity *q) {
    skip_spaces(p);
    if (*p->at != '-' && *p->at != '+') return power(p, q);
    const bool negative = *p->at++ == '-';
    if (++p->depth > DEEPEST) return refuse(p, "which is nested too deeply");
    if (!sign_of(p, q)) return false;
    p->depth--;
    if (negative) q->value = -q->value;
    return true;
}

static bool product(parser *p, quantity *q) {
    if (!sign_of(p, q)) return false;
    for (skip_spaces(p); *p->at == '*' || *p->at == '/'; skip_spaces(p)) {
        quantity other;
        const int sign = *p->at++ == '*' ? 1 : -1;
        if (!sign_of(p, &other) || !multiply(p, q, &other, sign)) return false;
    }
    return true;
}

static bool sum(parser *p, quantity *q) {
    if (++p->depth > DEEPEST) return refuse(p, "which is nested too deeply");
    if (!product(p, q)) return false;
    for (skip_spaces(p); *p->at == '+' || *p->at == '-'; skip_spaces(p)) {
        quantity other;
        const double sign = *p->at++ == '+' ? 1.0 : -1.0;
        if (!product(p, &other) || !add(p, q, &other, sign)) return false;
    }
    p->depth--;
    return true;
}

tru_status trio_expression_value(const char *text, const name_finder *names, quantity *out, tru_error *err) {
    parser p = {.at = text, .names = names, .err = err};
    if (err) err->status = TRU_BAD_ARGUMENT;
    bool good = sum(&p, out);
    skip_spaces(&p);
    if (good && *p.at != '\0') good = refuse_rest(&p);
    if (good) return TRU_OK;
    return err && err->status < 0 ? err->status : TRU_BAD_ARGUMENT;
}

/* ---- dimensions ---- */

bool trio_quantity_fits(const quantity *q, tru_unit unit) {
    const tru_unit_info want = tru_unit_describe(unit);
    const bool angle = unit == TRU_UNIT_RAD || unit == TRU_UNIT_RAD_PER_S || unit == TRU_UNIT_RAD_PER_S2;
    const bool no_angle = unit == TRU_UNIT_ONE || unit == TRU_UNIT_PER_S;
    if (q->bare) return true;
    if ((angle && q->angle == ANGLE_NO) || (no_angle && q->angle == ANGLE_YES)) return false;
    return fabs(q->kg - want.kg) + fabs(q->m - want.m) + fabs(q->s - want.s) < 1e-9;
}

bool trio_quantity_is_in(const quantity *q, tru_unit unit) {
    const tru_unit_info want = tru_unit_describe(unit);
    const double off = fabs(q->kg - want.kg) + fabs(q->m - want.m) + fabs(q->s - want.s);
    const bool has_powers = q->kg != 0.0 || q->m != 0.0 || q->s != 0.0;
    return !q->assumed && (q->bare ? has_powers && off < 1e-9 : trio_quantity_fits(q, unit));
}

/* Appends " m^2", " s^-0.5". */
static void append_power(char *out, size_t room, const char *symbol, double power) {
    const size_t used = strlen(out);
    if (power == 0.0 || used >= room) return;
    char number[40] = "";
    if (power != 1.0) {
        number[0] = '^';
        tru_unit_format(TRU_UNIT_ONE, power, number + 1, sizeof number - 1);
    }
    snprintf(out + used, room - used, "%s%s%s", used > 0 ? " " : "", symbol, number);
}

static void dimension_text(double kg, double m, double s, int angle, char *out, size_t room) {
    for (tru_unit u = TRU_UNIT_ONE; u < TRU_UNIT_COUNT; u++) { /* one of the units of fields, if it is one */
        const tru_unit_info i = tru_unit_describe(u);
        const bool turns = u == TRU_UNIT_RAD || u == TRU_UNIT_RAD_PER_S || u == TRU_UNIT_RAD_PER_S2;
        if (i.kg != kg || i.m != m || i.s != s || turns != (angle == ANGLE_YES)) continue;
        snprintf(out, room, "%s", i.symbol);
        return;
    }
    out[0] = '\0';
    append_power(out, room, "kg", kg);
    append_power(out, room, "m", m);
    append_power(out, room, "s", s);
    if (angle == ANGLE_YES) append_power(out, room, "rad", 1.0);
}

void trio_quantity_unit(const quantity *q, char *out, size_t room) {
    if (q->bare)
        snprintf(out, room, "-");
    else
        dimension_text(q->kg, q->m, q->s, q->angle, out, room);
}
