/* test_json.c: documents of the JSON writer, letter by letter and bit by bit. */
#include "check.h"

#include <trundle/io.h>

#include <locale.h>

TEST(document_with_everything) {
    tru_json *j = tru_json_begin();
    tru_json_object(j, NULL);
    tru_json_text(j, "name", "ball");
    tru_json_array(j, "position");
    for (int i = 0; i < 3; i++) tru_json_number(j, NULL, 0.5 * i);
    tru_json_close(j);
    tru_json_array(j, "events");
    tru_json_object(j, NULL);
    tru_json_integer(j, "count", -7);
    tru_json_close(j);
    tru_json_object(j, NULL);
    tru_json_close(j);
    tru_json_close(j);
    tru_json_bool(j, "converged", true);
    tru_json_number(j, "worst", NAN);
    tru_json_text(j, "stop", NULL);
    check_str(tru_json_done(j), "{\n"
                                "  \"name\": \"ball\",\n"
                                "  \"position\": [0, 0.5, 1],\n"
                                "  \"events\": [\n"
                                "    {\n"
                                "      \"count\": -7\n"
                                "    },\n"
                                "    {}\n"
                                "  ],\n"
                                "  \"converged\": true,\n"
                                "  \"worst\": null,\n"
                                "  \"stop\": null\n"
                                "}\n");
    tru_json_free(j);
}

static void check_text(const char *text, const char *expected) {
    tru_json *j = tru_json_begin();
    tru_json_text(j, NULL, text);
    check_str(tru_json_done(j), expected);
    tru_json_free(j);
}

TEST(texts_are_escaped) {
    check_text("a \"b\" \\ c\n\t\x01\x7f", "\"a \\\"b\\\" \\\\ c\\n\\t\\u0001\\u007f\"\n");
    check_text("K\xc3\xb6rper \xe2\x88\x91 \xf0\x9f\xaa\x99", "\"K\xc3\xb6rper \xe2\x88\x91 \xf0\x9f\xaa\x99\"\n");
    /* a lone continuation, a cut sequence, an overlong slash, a surrogate, beyond U+10FFFF: one mark per bad byte */
    check_text("\x80", "\"\xef\xbf\xbd\"\n");
    check_text("\xe2\x88", "\"\xef\xbf\xbd\xef\xbf\xbd\"\n");
    check_text("\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"\n");
    check_text("\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"\n");
    check_text("\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"\n");
}

/* A number of JSON's grammar that reads back to the same bits. */
static void check_number(double value) {
    tru_json *j = tru_json_begin();
    tru_json_number(j, NULL, value);
    const char *text = tru_json_done(j);
    const char *digits = text + (*text == '-');
    const size_t whole = strspn(digits, "0123456789");
    char *end;
    bool good = whole > 0 && (*digits != '0' || whole == 1);
    good = good && strspn(text, "+-0123456789.e") + 1 == strlen(text);
    const double back = strtod(text, &end);
    good = good && *end == '\n' && memcmp(&back, &value, sizeof back) == 0;
    if (!check(good)) printf("%.17g became %s", value, text);
    tru_json_free(j);
}

TEST(numbers_read_back) {
    uint64_t bits = check_seed();
    const double cases[] = {0.0,    -0.0,   1.0,    0.1,    -1e22,   1e23,   5e-324, 1.7976931348623157e308,
                            1e-300, 1.5e16, 123456, 0.0001, 0.00001, 1.0 / 3};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_number(cases[i]);
    for (int i = 0; i < 20000; i++) {
        double value;
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) check_number(value);
    }
}

TEST(decimal_point_in_every_locale) {
    const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "de_DE.utf8"};
    bool comma = false;
    for (size_t i = 0; i < 4 && !comma; i++)
        comma = setlocale(LC_ALL, names[i]) && localeconv()->decimal_point[0] == ',';
    if (!comma) {
        check_skip("no locale with a decimal comma is installed");
        return;
    }
    tru_json *j = tru_json_begin();
    tru_json_number(j, NULL, 0.5);
    check_str(tru_json_done(j), "0.5\n");
    tru_json_free(j);
    setlocale(LC_ALL, "C");
}

TEST(nesting_has_an_end) {
    tru_json *j = tru_json_begin();
    for (int i = 0; i < 64; i++) tru_json_array(j, NULL);
    check(tru_json_done(j) != NULL);
    tru_json_free(j);
    j = tru_json_begin();
    for (int i = 0; i < 65; i++) tru_json_array(j, NULL);
    check(tru_json_done(j) == NULL);
    tru_json_free(j);
}
