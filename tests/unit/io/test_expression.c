/* Numbers with names and units: values, dimensions, sentences. */
#include "check.h"

#include "scene/values/expression.h"

#include <locale.h>

/* radius 45 mm, mass 2 kg, tilt 30 deg, n 3 (bare), h 2 s */
static bool find(const void *user, const char *name, size_t length, quantity *out, tru_error *err) {
    static const struct {
        const char *name;
        quantity value;
    } table[] = {{"radius", {.value = 0.045, .m = 1, .angle = ANGLE_NO}},
                 {"mass", {.value = 2.0, .kg = 1, .angle = ANGLE_NO}},
                 {"tilt", {.value = 0.52359877559829887, .angle = ANGLE_YES}},
                 {"n", {.value = 3.0, .angle = ANGLE_EITHER, .bare = true, .literal = true}},
                 {"h", {.value = 2.0, .s = 1, .angle = ANGLE_NO}}};
    (void)user;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strlen(table[i].name) == length && memcmp(table[i].name, name, length) == 0) {
            if (out) *out = table[i].value;
            return true;
        }
    if (err) snprintf(err->text, sizeof err->text, "where '%.*s' is unknown", (int)length, name);
    return false;
}
static const name_finder names = {find, NULL};

static quantity value_of(const char *text) {
    quantity q = {0};
    tru_error err = {TRU_OK, ""};
    if (!check_status(trio_expression_value(text, &names, &q, &err), TRU_OK)) printf("  '%s': %s\n", text, err.text);
    return q;
}

static void check_phrase(const char *text, const char *phrase) {
    quantity q;
    tru_error err = {TRU_OK, ""};
    check(trio_expression_value(text, &names, &q, &err) < 0);
    check_str(err.text, phrase);
}

/* ---- values and their units ---- */

TEST(arithmetic) {
    check(value_of("1 + 2*3 - 4/8").value == 6.5);
    check(value_of("-2^2").value == -4.0);
    check(value_of("2^3^2").value == 512.0);
    check(value_of("2^-1").value == 0.5);
    check(value_of("(1 + 2)*(3 - 5)").value == -6.0);
    check(value_of("--3").value == 3.0);
    check(value_of("+3").value == 3.0);
    check(value_of("10 - 4 - 3").value == 3.0);
    check(value_of("100/10/2").value == 5.0);
    check(value_of("min(3, 2, 7) + max(1, 5)").value == 7.0);
    check(value_of("abs(-2.5)").value == 2.5);
    check(value_of("sqrt(2)").value == sqrt(2.0));
    check_close(value_of("8^(1/3)").value, 2.0, 4e-16, 0.0);
    check(value_of("2*pi").value == 6.28318530717958647692);
    check(value_of("1e3 + 2.5E-1").value == 1000.25);
    check(value_of(".5 + 5.").value == 5.5);
    check_close(value_of("sin(tilt)").value, 0.5, 3e-16, 0.0);
    check_close(value_of("cos(60 deg)").value, 0.5, 3e-16, 0.0);
    check_close(value_of("tan(45 deg)").value, 1.0, 3e-16, 0.0);
    check_close(value_of("asin(0.5) + acos(0.5)").value, 1.57079632679489662, 3e-16, 0.0);
    check_close(value_of("4*atan(1)").value, 3.14159265358979324, 3e-16, 0.0);
}

TEST(units) {
    check(value_of("45 mm").value == 0.045);
    check(value_of("45mm").value == 0.045);
    check(value_of("9.81 m/s^2").value == 9.81);
    check(value_of("9.81 m s^-2").value == 9.81);
    check(value_of("2.5 g/cm^3").value == 2500.0);
    check(value_of("100 1/s").s == -1.0);
    check(value_of("30 %").value == 0.3);
    check(value_of("2*radius + 3 mm").value == 2 * 0.045 + 0.003);
    check(value_of("(1 + 2) mm").value == 0.003);
    check(value_of("3 m * 10").value == 30.0);
    check(value_of("3 m * 1.5").value == 4.5);
    check(value_of("3 m*radius").m == 2.0);
    check(value_of("5 N*m").kg == 1.0 && value_of("5 N*m").m == 2.0 && value_of("5 N*m").s == -2.0);
    check(value_of("2 m - 1 m").value == 1.0);
    check(value_of("sqrt(2*9.81 m/s^2*3 m)").m == 1.0 && value_of("sqrt(2*9.81 m/s^2*3 m)").s == -1.0);
    check(value_of("radius^2").m == 2.0);
    check_close(value_of("90 deg").value, 1.57079632679489662, 2e-16, 0.0);
}

static bool fits(const char *text, tru_unit unit) {
    const quantity q = value_of(text);
    return trio_quantity_fits(&q, unit);
}

TEST(where_a_value_may_stand) {
    check(fits("3", TRU_UNIT_M) && fits("3", TRU_UNIT_KG) && fits("2*pi", TRU_UNIT_S));
    check(fits("radius", TRU_UNIT_M) && !fits("radius", TRU_UNIT_KG) && !fits("radius", TRU_UNIT_ONE));
    check(fits("2*radius", TRU_UNIT_M) && !fits("2*radius", TRU_UNIT_KG));
    check(fits("radius + 1", TRU_UNIT_M) && !fits("radius + 1", TRU_UNIT_KG));
    check(fits("n*radius", TRU_UNIT_KG)); /* n may have any unit */
    check(fits("9.81*sin(tilt)", TRU_UNIT_M_PER_S2) && fits("tan(tilt)", TRU_UNIT_ONE));
    check(fits("radius/radius", TRU_UNIT_ONE));
    check(fits("tilt", TRU_UNIT_RAD) && fits("2*tilt", TRU_UNIT_RAD) && !fits("tilt", TRU_UNIT_ONE));
    check(fits("tilt*radius", TRU_UNIT_M));
    check(fits("3 rpm", TRU_UNIT_RAD_PER_S) && !fits("3 Hz", TRU_UNIT_RAD_PER_S) && fits("3 Hz", TRU_UNIT_PER_S));
    check(!fits("3 rpm", TRU_UNIT_PER_S));
    check(fits("1 m/s/radius", TRU_UNIT_RAD_PER_S) && fits("1/h", TRU_UNIT_RAD_PER_S) && fits("1/h", TRU_UNIT_PER_S));
    check(!fits("35 kg", TRU_UNIT_RAD) && !fits("35 deg", TRU_UNIT_M));
    check(fits("atan(0.5)", TRU_UNIT_RAD) && !fits("atan(0.5)", TRU_UNIT_ONE));
}

static bool is_in(const char *text, tru_unit unit) {
    const quantity q = value_of(text);
    return trio_quantity_is_in(&q, unit);
}

/* What says its unit: n, a parameter without one, may be a pure number, a number in a sum with metres is none. */
TEST(values_that_say_their_unit) {
    check(is_in("2 mm", TRU_UNIT_M) && is_in("radius", TRU_UNIT_M) && is_in("0.1*radius", TRU_UNIT_M));
    check(is_in("n*radius", TRU_UNIT_M) && is_in("n*radius/2 + 1 mm", TRU_UNIT_M) &&
          is_in("1 mm + n*radius", TRU_UNIT_M));
    check(is_in("n*sqrt(radius)*sqrt(1 m)", TRU_UNIT_M) && is_in("n*radius/h", TRU_UNIT_M_PER_S));
    check(!is_in("0.3", TRU_UNIT_M) && !is_in("n", TRU_UNIT_M) && !is_in("n*radius", TRU_UNIT_KG));
    check(!is_in("n*radius*radius", TRU_UNIT_M) && !is_in("n/radius", TRU_UNIT_M));
    check(!is_in("radius + 1", TRU_UNIT_M) && !is_in("max(0.1, 1 mm)", TRU_UNIT_M) && !is_in("n + radius", TRU_UNIT_M));
    check(!is_in("2*(radius + 0.1)", TRU_UNIT_M) && !is_in("n*(1 + radius)", TRU_UNIT_M));
    check(is_in("radius + 0", TRU_UNIT_M) && is_in("radius + n - 3 + 1 mm", TRU_UNIT_M) == false);
    check(!is_in("1", TRU_UNIT_RAD) && is_in("tilt", TRU_UNIT_RAD));
}

/* ---- units: names, powers, printing ---- */

TEST(names_of_units) {
    char text[80];
    quantity q = value_of("radius");
    trio_quantity_unit(&q, text, sizeof text);
    check_str(text, "m");
    q = value_of("mass*radius^2");
    trio_quantity_unit(&q, text, sizeof text);
    check_str(text, "kg m^2");
    q = value_of("sqrt(radius)/mass");
    trio_quantity_unit(&q, text, sizeof text);
    check_str(text, "kg^-1 m^0.5");
    q = value_of("tilt");
    trio_quantity_unit(&q, text, sizeof text);
    check_str(text, "rad");
}

/* A power behind a unit belongs to the unit, whole or not; in parentheses it raises the number too. */
TEST(powers_of_units) {
    check(value_of("2 m^0.5").value == 2.0 && value_of("2 m^0.5").m == 0.5);
    check(value_of("2 m^10").value == 2.0 && value_of("2 m^10").m == 10.0);
    check(value_of("2 m^-12").value == 2.0 && value_of("2 m^-12").m == -12.0);
    check(value_of("(1 + 1) s^0.25").value == 2.0);
    check(value_of("2 mm^2").value == 2e-6);
    check(value_of("(2 m)^10").value == 1024.0 && value_of("(2 m)^10").m == 10.0);
    check(value_of("(4 m)^0.5").value == 2.0 && value_of("(4 m)^0.5").m == 0.5);
    check(value_of("(2 m^0.1)^3/(1 m^0.3)").bare); /* 0.1 + 0.1 + 0.1 - 0.3 is no power */
    check(value_of("(8 m)^(1/3)*(1 m)^(2/3)").m == 1.0);
}

/* Some products are out of bounds: a power of 30 of two small numbers is 0 or infinite, a root is taken of mm. */
static bool check_about(const char *text, const char *phrase) {
    const bool known = strcmp(phrase, "which is not a finite number") == 0 || strstr(phrase, "whole powers only");
    if (!check(known)) printf("  %s: %s\n", text, phrase);
    return true;
}

static const char *random_unit(uint64_t seed, uint64_t k, char *out, size_t room) {
    static const char *const symbols[] = {"m",  "kg", "s",  "N", "Pa", "J",   "W",   "mm",
                                          "ms", "g",  "km", "h", "t",  "deg", "rpm", "Hz"};
    static const char *const powers[] = {"", "^2", "^-1", "^-3", "^4", "^10", "^-12", "^0.5", "^-1.5", "^0.41"};
    size_t used = 0;
    const int parts = 1 + (int)(3.0 * tru_random(seed, k, 0));
    for (int i = 0; i < parts; i++) {
        const uint64_t at = 10 + 4 * (uint64_t)i;
        const size_t s = (size_t)(16.0 * tru_random(seed, k, at)), p = (size_t)(10.0 * tru_random(seed, k, at + 1));
        const char *between = i == 0 ? "" : tru_random(seed, k, at + 2) < 0.5 ? " " : "*";
        const bool one = s < 7; /* of scale 1: every power */
        used += (size_t)snprintf(out + used, room - used, "%s%s%s", between, symbols[s], powers[one ? p : p % 5]);
    }
    return out;
}

/* Random numbers with random units, and roots and powers of them: what is printed reads back to the same bits and prints
 * the same again. */
TEST(quantities_print_and_read_back) {
    const uint64_t seed = check_seed();
    int good = 0;
    for (uint64_t k = 0; k < 20000; k++) {
        char unit[80], text[200], first[QUANTITY_UNIT], second[QUANTITY_UNIT], number[64];
        quantity q, r;
        tru_error err = {TRU_OK, ""};
        double scale;
        tru_elementary("exp", 40.0 * tru_random(seed, k, 1) - 20.0, &scale);
        tru_unit_format(TRU_UNIT_ONE, scale * (tru_random(seed, k, 2) - 0.5), number, sizeof number);
        random_unit(seed, k, unit, sizeof unit);
        static const char *const forms[] = {"%s %s", "sqrt(abs(%s %s))", "abs(%s %s)^(1/3)", "(%s %s)^3"};
        snprintf(text, sizeof text, forms[(int)(4.0 * tru_random(seed, k, 3))], number, unit);
        if (trio_expression_value(text, NULL, &q, &err) < 0 && check_about(text, err.text)) continue;
        trio_quantity_unit(&q, first, sizeof first);
        tru_unit_format(TRU_UNIT_ONE, q.value, number, sizeof number);
        snprintf(text, sizeof text, q.bare ? "%s" : "%s %s", number, first);
        if (!check(trio_expression_value(text, NULL, &r, &err) == TRU_OK)) printf("  %s: %s\n", text, err.text);
        trio_quantity_unit(&r, second, sizeof second);
        const bool same = memcmp(&q.value, &r.value, sizeof q.value) == 0 && q.kg == r.kg && q.m == r.m && q.s == r.s;
        if (!check(same && strcmp(first, second) == 0)) printf("  %s -> %s %s\n", text, number, second);
        good++;
    }
    check(good > 15000);
}

/* ---- mistakes: one sentence with its column ---- */

TEST(sentences) {
    check_phrase("2 m ^2", "where '^' after the unit 'm' is ambiguous; write m^2 for a power of the unit, "
                           "(2 m)^2 for one of the number too");
    check_phrase("2 m/s^n", "where '^' after the unit 'm/s' is ambiguous; write m/s^2 for a power of the "
                            "unit, (2 m/s)^2 for one of the number too");
    check_phrase("2 m^(1/2)", "where '^' after the unit 'm' is ambiguous; write m^2 for a power of the unit, "
                              "(2 m)^2 for one of the number too");
    check_phrase("2 mm^0.5", "where 'mm' takes whole powers only; other powers need units such as m, kg, s or N");
    check_phrase("2 m^1001", "where the power of 'm' must lie between -1000 and 1000 and not be 0");
    check_phrase("2 m^0", "where the power of 'm' must lie between -1000 and 1000 and not be 0");
    check_phrase("(2 m)^1001", "which has a unit with a power that is not between 0.001 and 1000");
    check_phrase("radius^0.0001", "which has a unit with a power that is not between 0.001 and 1000");
    check_phrase("2*radus", "where 'radus' is unknown");
    check_phrase("1/0", "which divides by zero");
    check_phrase("1/(radius - 45 mm)", "which divides by zero");
    check_phrase("0^-1", "which divides by zero");
    check_phrase("nan", "which is not a finite number");
    check_phrase(".nan", "which is not a finite number");
    check_phrase("-.inf", "which is not a finite number");
    check_phrase("Infinity", "which is not a finite number");
    check_phrase("1e400", "which is not a finite number");
    check_phrase("1e300*1e300", "which is not a finite number");
    check_phrase("asin(2)", "which is not a finite number");
    check_phrase("sqrt(-1)", "where the argument of sqrt is negative");
    check_phrase("2*(3", "where ')' is missing");
    check_phrase("2*", "which ends too early");
    check_phrase("2*)3", "where ')' is unexpected");
    check_phrase("2 $ 3", "where '$' is unexpected");
    check_phrase("1_000", "where '_000' is not a unit; `trundle list units` shows all");
    check_phrase("0x10", "where 'x10' is not a unit; `trundle list units` shows all");
    check_phrase("1,5", "where ',' is unexpected");
    check_phrase("2 pi", "where 'pi' is not a unit; `trundle list units` shows all");
    check_phrase("3 meters", "where 'meters' is not a unit; did you mean 'm'?");
    check_phrase("12 degrees", "where 'degrees' is not a unit; did you mean 'deg'?");
    check_phrase("2.5 g/cc", "where 'cc' is not a parameter; as a unit write 'cm^3'");
    check_phrase("sin 3", "where '(' is missing after sin");
    check_phrase("radius(2)", "where 'radius' is not a function");
    check_phrase("radius + mass", "where m and kg are added or compared");
    check_phrase("max(radius, tilt)", "where m and rad are added or compared");
    check_phrase("sin(radius)", "where the argument of sin is not an angle");
    check_phrase("asin(radius)", "where the argument of asin is not a pure number");
    check_phrase("2^radius", "where the power is not a pure number");
    check_phrase("(2 m) mm", "which has two units");
    check_phrase("5 m/h", "where 'h' is a unit and a parameter; for the unit rename the parameter, "
                          "for the parameter put the number and its unit in parentheses");
    check(value_of("(5 m)/h").value == 2.5);
    char deep[300];
    memset(deep, '(', 200);
    strcpy(deep + 200, "1");
    check_phrase(deep, "which is nested too deeply");
    memset(deep, '-', 200);
    check_phrase(deep, "which is nested too deeply");
}

/* ---- numbers: correct rounding in every locale ---- */

TEST(too_many_digits) {
    static char text[1200];
    memset(text, '1', sizeof text - 1);
    check_phrase(text, "which has too many digits");
}

static double read_back(const char *text) {
    double value = NAN;
    const char *at = text;
    check(trio_number_read(&at, &value) && *at == '\0');
    return value;
}

TEST(numbers_are_rounded_correctly) {
    check(read_back("9007199254740993") == 9007199254740992.0);                              /* half, to even */
    check(read_back("9007199254740993.0000000000000000000000000001") == 9007199254740994.0); /* just above */
    check(read_back("1.00000000000000011102230246251565404236316680908203125") == 1.0);      /* 1 + 2^-53 */
    check(read_back("1.00000000000000011102230246251565404236316680908203126") == 1.0000000000000002); /* above */
    check(read_back("2.2250738585072011e-308") == 2.2250738585072011e-308);
    check(read_back("4.9406564584124654e-324") == 0x1p-1074);
    check(read_back("1.7976931348623157e308") == 1.7976931348623157e308);
    check(read_back("0.000000000000000000000000000001") == 1e-30);
    check(read_back("100000000000000000000000") == 1e23);
    check(read_back("8.5e22") == 8.5e22);
    check(read_back("123456789012345e-22") == 123456789012345e-22);
    uint64_t seed = check_seed();
    for (int i = 0; i < 20000; i++) {
        char text[40];
        uint64_t bits = 0;
        for (int k = 0; k < 4; k++)
            bits = bits << 16 | (uint64_t)(65536.0 * tru_random(seed, (uint64_t)i, (uint64_t)k));
        double value;
        bits &= ~(UINT64_C(1) << 63);
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        snprintf(text, sizeof text, "%.17g", value);
        if (!check(read_back(text) == value)) printf("  %s\n", text);
        const double few = floor(1e15 * tru_random(seed, (uint64_t)i, 9)) / 1e9; /* through the short way */
        snprintf(text, sizeof text, "%.15g", few);
        check(read_back(text) == strtod(text, NULL));
    }
}

TEST(the_locale_does_not_matter) {
    const char *const some[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C.UTF-8"};
    for (size_t i = 0; i < 4 && !setlocale(LC_ALL, some[i]); i++) {}
    check(value_of("1.5 mm").value == 0.0015);
    check(value_of("0.12345678901234567890").value == 0x1.f9add3746f65fp-4);
    setlocale(LC_ALL, "C");
}
