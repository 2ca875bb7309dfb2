/* test_unit.c: units as people write them: exact scales, powers, refusals, locale. */
#include "check.h"

#include <trundle/plugin.h>

#include <locale.h>

static const struct {
    const char *text;
    double scale;
    int kg, m, s;
    bool angle;
} good[] = {
    {"-", 1.0, 0, 0, 0, false},
    {"%", 0.01, 0, 0, 0, false},
    {"m", 1.0, 0, 1, 0, false},
    {"mm", 1e-3, 0, 1, 0, false},
    {"cm", 1e-2, 0, 1, 0, false},
    {"dm", 1e-1, 0, 1, 0, false},
    {"um", 1e-6, 0, 1, 0, false},
    {"\xC2\xB5m", 1e-6, 0, 1, 0, false},
    {"\xCE\xBCm", 1e-6, 0, 1, 0, false},
    {"nm", 1e-9, 0, 1, 0, false},
    {"km", 1e3, 0, 1, 0, false},
    {"kg", 1.0, 1, 0, 0, false},
    {"g", 1e-3, 1, 0, 0, false},
    {"mg", 1e-6, 1, 0, 0, false},
    {"t", 1e3, 1, 0, 0, false},
    {"s", 1.0, 0, 0, 1, false},
    {"ms", 1e-3, 0, 0, 1, false},
    {"us", 1e-6, 0, 0, 1, false},
    {"min", 60.0, 0, 0, 1, false},
    {"h", 3600.0, 0, 0, 1, false},
    {"rad", 1.0, 0, 0, 0, true},
    {"mrad", 1e-3, 0, 0, 0, true},
    {"deg", 0x1.1df46a2529d39p-6, 0, 0, 0, true}, /* pi/180 = 0.017453292519943295769..., rounded */
    {"\xC2\xB0", 0x1.1df46a2529d39p-6, 0, 0, 0, true},
    {"deg/s", 0x1.1df46a2529d39p-6, 0, 0, -1, true},
    {"rpm", 0x1.acee9f37bebd6p-4, 0, 0, -1, true}, /* pi/30 = 0.10471975511965977462..., rounded */
    {"N", 1.0, 1, 1, -2, false},
    {"kN", 1e3, 1, 1, -2, false},
    {"daN", 10.0, 1, 1, -2, false},
    {"Nm", 1.0, 1, 2, -2, false},
    {"kNm", 1e3, 1, 2, -2, false},
    {"Ns", 1.0, 1, 1, -1, false},
    {"Pa", 1.0, 1, -1, -2, false},
    {"hPa", 1e2, 1, -1, -2, false},
    {"kPa", 1e3, 1, -1, -2, false},
    {"MPa", 1e6, 1, -1, -2, false},
    {"GPa", 1e9, 1, -1, -2, false},
    {"J", 1.0, 1, 2, -2, false},
    {"W", 1.0, 1, 2, -3, false},
    {"Hz", 1.0, 0, 0, -1, false},
    {"kHz", 1e3, 0, 0, -1, false},
    {"1/s", 1.0, 0, 0, -1, false},
    {"g/cm^3", 1000.0, 1, -3, 0, false},
    {"kg/m3", 1.0, 1, -3, 0, false},
    {"km/h", 1000.0 / 3600.0, 0, 1, -1, false},
    {"mm^2", 1e-6, 0, 2, 0, false},
    {"m s^-2", 1.0, 0, 1, -2, false},
    {" N * m ", 1.0, 1, 2, -2, false},
    {"N*m", 1.0, 1, 2, -2, false},
    {"N m s", 1.0, 1, 2, -1, false},
    {"N m/rad", 1.0, 1, 2, -2, true},
    {"N mm", 1e-3, 1, 2, -2, false},
    {"N/(m/s)", 1.0, 1, 0, -1, false},
    {"kg/(m s)", 1.0, 1, -1, -1, false},
    {"kg/m/s", 1.0, 1, -1, -1, false},
    {"kg/m*s", 1.0, 1, -1, 1, false},
    {"(kg m)^2", 1.0, 2, 2, 0, false},
    {"rad/rad", 1.0, 0, 0, 0, false},
    {"mm/N", 1e-3, -1, 0, 2, false},
    {"m^10", 1.0, 0, 10, 0, false},
    {"cm^11", 1e-22, 0, 11, 0, false},
    {"kg^-12 s^100", 1.0, -12, 0, 100, false},
};

TEST(units_as_people_write_them) {
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double scale = NAN;
        tru_unit_info powers = {0};
        bool angle = false;
        bool known = tru_unit_parse(good[i].text, &scale, &powers, &angle);
        bool right = known && scale == good[i].scale && powers.kg == good[i].kg && powers.m == good[i].m &&
                     powers.s == good[i].s && angle == good[i].angle;
        if (!check(right))
            printf("  %s: known %d scale %.17g kg^%d m^%d s^%d angle %d\n", good[i].text, known, scale, powers.kg,
                   powers.m, powers.s, angle);
    }
}

TEST(what_is_not_a_unit_is_refused) {
    const char *bad[] = {"",       " ",     "in",     "ft",         "lb",      "x",     "mmm",
                         "kkg",    "kmin",  "kdeg",   "mt",         "m^",      "m^-",   "m^0",
                         "m^1001", "m^1.",  "m^.5",   "m10",        "m2.5",    "h^99",  "mm^0.5",
                         "m^1.5",  "m**2",  "m//s",   "/s",         "m/",      "m*",    "2 m",
                         "12/s",   "1.5 m", "kg/m s", "(m",         "m)",      "()",    "m-s",
                         "--",     "- m",   "M",      "k",          "mm mm3x", "deg%x", "m\t s",
                         "m,s",    "Kg",    "PA",     "pm^9/pm^-9", "m(s)",    "1^2",   "((((((((((m))))))))))"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double scale = -1.0;
        tru_unit_info powers = {"untouched", 7, 7, 7};
        bool angle = true;
        if (!check(!tru_unit_parse(bad[i], &scale, &powers, &angle))) printf("  '%s' was read\n", bad[i]);
        check(scale == -1.0 && powers.kg == 7);
    }
}

/* Powers that are not whole: of units of scale 1 alone, read to the last bit. */
TEST(fractional_powers) {
    tru_unit_measure u = {0};
    check(tru_unit_read("m^0.5", &u) && u.scale == 1.0 && u.kg == 0.0 && u.m == 0.5 && u.s == 0.0 && !u.is_angle);
    check(tru_unit_read("kg^-1 m^0.3333333333333333 s^2.5", &u) && u.kg == -1.0 && u.m == 1.0 / 3.0 && u.s == 2.5);
    check(tru_unit_read("(N m)^0.5", &u) && u.kg == 0.5 && u.m == 1.0 && u.s == -1.0);
    check(tru_unit_read("1/kg^0.1", &u) && u.kg == -0.1);
    check(!tru_unit_read("mm^0.5", &u) && !tru_unit_read("min^1.5", &u) && !tru_unit_read("(g/cm^3)^0.5", &u));
}

/* Every symbol of the table reads back as itself: file readers compare units in this way. */
TEST(table_symbols_read_back) {
    for (int unit = TRU_UNIT_MISSING + 1; unit < TRU_UNIT_COUNT; unit++) {
        tru_unit_info is = tru_unit_describe((tru_unit)unit), read;
        double scale;
        bool angle;
        if (!check(tru_unit_parse(is.symbol, &scale, &read, &angle))) printf("  %s\n", is.symbol);
        check(scale == 1.0 && read.kg == is.kg && read.m == is.m && read.s == is.s);
        check(angle == (strstr(is.symbol, "rad") != NULL));
    }
    check_str(tru_unit_describe(TRU_UNIT_COUNT).symbol, "?");
    check_str(tru_unit_describe((tru_unit)-1).symbol, "?");
}

TEST(values_convert_without_a_second_rounding) {
    double scale;
    tru_unit_info powers;
    bool angle;
    long unequal = 0;
    tru_unit_parse("mm", &scale, &powers, &angle);
    for (int i = 0; i < 100000; i++) unequal += tru_unit_to_si(i, scale) != i / 1000.0;
    tru_unit_parse("um", &scale, &powers, &angle);
    for (int i = 0; i < 100000; i++) unequal += tru_unit_to_si(i, scale) != i / 1e6;
    tru_unit_parse("kN", &scale, &powers, &angle);
    for (int i = 0; i < 100000; i++) unequal += tru_unit_to_si(i, scale) != i * 1000.0;
    check(unequal == 0);
    check(tru_unit_to_si(0.3, 0.01) == 0.003);
    tru_unit_parse("deg", &scale, &powers, &angle);
    check_close(tru_unit_to_si(180.0, scale), 3.14159265358979323846, 3e-16, 0.0);
}

TEST(values_print_in_their_unit) {
    char text[64];
    tru_unit_format(TRU_UNIT_M, 0.3, text, sizeof text);
    check_str(text, "0.3 m");
    tru_unit_format(TRU_UNIT_ONE, -0.3, text, sizeof text);
    check_str(text, "-0.3");
    tru_unit_format(TRU_UNIT_KG_M2, 0.1 + 0.2, text, sizeof text);
    check_str(text, "0.30000000000000004 kg m^2");
    tru_unit_format(TRU_UNIT_S, 1e-5, text, sizeof text);
    check_str(text, "1e-05 s");
    tru_unit_format(TRU_UNIT_S, 123456789.0, text, sizeof text);
    check_str(text, "123456789 s");
    tru_unit_format(TRU_UNIT_S, NAN, text, sizeof text);
    check_str(text, "nan");
    tru_unit_format(TRU_UNIT_S, -INFINITY, text, sizeof text);
    check_str(text, "-inf");
    tru_unit_format(TRU_UNIT_M_PER_S, -DBL_TRUE_MIN, text, sizeof text);
    check_str(text, "-4.94066e-324 m/s");
    tru_unit_format(TRU_UNIT_M, 0.25, text, 4);
    check_str(text, "0.2"); /* bounded */
}

/* A program that uses a locale with a decimal comma gets the same text. Skipped where no such locale is installed. */
TEST(locale_changes_nothing) {
    const char *names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8", "ps_AF"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) {
        char text[64];
        found = setlocale(LC_ALL, names[i]) && (snprintf(text, sizeof text, "%g", 0.5), strcmp(text, "0.5") != 0);
    }
    if (!found) {
        check_skip("no locale with a decimal comma here");
        return;
    }
    char text[64];
    tru_unit_format(TRU_UNIT_M, 1234.5625e-9, text, sizeof text);
    setlocale(LC_ALL, "C");
    check_str(text, "1.2345625e-06 m");
}
