/* sweep_axis.c: the values of a sweep, read from "path=a:b:n", "path=x,y,z" and "path=a:b:tol". */
#include "sweep_axis.h"

#include "sweep.h"

#include "cli/app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *sweep_class_name(int class) {
    static const char *const names[CLASSES] = {"failed",          "rest",   "flat",   "rolling", "sliding",
                                               "rolling-sliding", "flying", "hanging"};
    return class >= 0 && class < CLASSES ? names[class] : "?";
}

static bool wrong(const char *name, const char *text, const char *wanted) {
    say(stderr, "trundle sweep: --%s needs %s, not '%s'\n", name, wanted, text);
    return false;
}

static char *copy(const char *from, size_t length) {
    while (length > 0 && *from == ' ') from++, length--;
    while (length > 0 && from[length - 1] == ' ') length--;
    return need_text("%.*s", (int)length, from);
}

/* A number with an optional unit; the unit is kept as written. */
static bool read_value(const char *text, double *value, char **unit) {
    char *end;
    *value = strtod(text, &end);
    *unit = copy(end, strlen(end));
    double scale;
    tru_unit_info powers;
    bool angle;
    return end != text && isfinite(*value) && (!**unit || tru_unit_parse(*unit, &scale, &powers, &angle));
}

/* "a:b:c" after the path: two ends with one unit, and a third number. */
static bool read_ends(const char *text, sweep_axis *axis, double *third) {
    const char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    if (!second || strchr(second + 1, ':')) return false;
    char *a = copy(text, (size_t)(first - text)), *b = copy(first + 1, (size_t)(second - first - 1));
    char *unit_a = NULL, *unit_b = NULL, *unit_c = NULL;
    bool good = read_value(a, &axis->from, &unit_a) && read_value(b, &axis->to, &unit_b) &&
                read_value(second + 1, third, &unit_c);
    /* "0:30 deg:31" means degrees on both ends; so does the unit of a tolerance */
    good = good && (!*unit_a || strcmp(unit_a, unit_b) == 0) && (!*unit_c || strcmp(unit_c, unit_b) == 0);
    axis->unit = unit_b ? unit_b : need_text("%s", "");
    free(a);
    free(b);
    free(unit_a);
    free(unit_c);
    return good;
}

/* "10, 20 deg" means degrees in both, as in "10:20 deg:2": the unit at the end is that of all numbers without one. */
static void share_unit(char **words, size_t count) {
    double value;
    char *unit, *own;
    if (read_value(words[count - 1], &value, &unit) && *unit)
        for (size_t k = 0; k + 1 < count; k++) {
            if (read_value(words[k], &value, &own) && !*own) {
                char *whole = need_text("%s %s", words[k], unit);
                free(words[k]);
                words[k] = whole;
            }
            free(own);
        }
    free(unit);
}

static void read_words(const char *text, sweep_axis *axis) {
    for (const char *comma; text; text = comma ? comma + 1 : NULL) {
        comma = strchr(text, ',');
        axis->words = need_more(axis->words, axis->count + 1, sizeof *axis->words);
        axis->words[axis->count++] = copy(text, comma ? (size_t)(comma - text) : strlen(text));
    }
    share_unit(axis->words, axis->count);
    axis->unit = need_text("%s", "");
}

bool sweep_read_axis(const char *text, sweep_axis *out) {
    const char *equals = strchr(text, '=');
    double count = 0.0;
    *out = (sweep_axis){.path = copy(text, (size_t)(equals - text))};
    if (!strchr(equals + 1, ':')) {
        read_words(equals + 1, out);
        return true;
    }
    if (!read_ends(equals + 1, out, &count) || !(count >= 2.0 && count <= 1e7 && count == floor(count)))
        return wrong("vary", text, "path=a:b:n with n of 2 or more, or path=x,y,z");
    out->count = (size_t)count;
    return true;
}

/* "PROBE", "PROBE>limit unit", "PROBE<limit unit", "class=word" */
static bool read_condition(const char *on, sweep_bisect *out) {
    const char *sign = strpbrk(on, "<>");
    if (strncmp(on, "class=", 6) == 0) {
        out->word = copy(on + 6, strlen(on + 6));
        for (int k = 0; k < CLASSES; k++)
            if (strcmp(sweep_class_name(k), out->word) == 0) return true;
        return wrong("on", on, "class=rest, flat, rolling, sliding, rolling-sliding, flying or hanging");
    }
    out->probe = copy(on, sign ? (size_t)(sign - on) : strlen(on));
    if (!sign) return true;
    char *unit;
    double scale = 1.0;
    tru_unit_info powers;
    bool angle, good = read_value(sign + 1, &out->limit, &unit);
    if (good && *unit) {
        tru_unit_parse(unit, &scale, &powers, &angle);
        out->limit = tru_unit_to_si(out->limit, scale);
    }
    free(unit);
    out->below = *sign == '<';
    return good || wrong("on", on, "a probe, PROBE>value, PROBE<value or class=word");
}

bool sweep_read_bisect(const char *text, const char *on, sweep_bisect *out) {
    const char *equals = strchr(text, '=');
    *out = (sweep_bisect){.axis.path = copy(text, (size_t)(equals - text))};
    if (!read_ends(equals + 1, &out->axis, &out->tolerance) || !(out->tolerance > 0.0))
        return wrong("bisect", text, "path=a:b:tolerance");
    return read_condition(on, out);
}

void sweep_axis_free(sweep_axis *axis) {
    for (size_t k = 0; axis->words && k < axis->count; k++) free(axis->words[k]);
    free(axis->words);
    free(axis->path);
    free(axis->unit);
    *axis = (sweep_axis){0};
}

/* Returns both ends exactly, and the same value in every grid that contains it. */
double sweep_value(const sweep_axis *axis, size_t k) {
    if (axis->words) return strtod(axis->words[k], NULL);
    if (k + 1 == axis->count) return axis->to;
    return axis->from + (axis->to - axis->from) * ((double)k / (double)(axis->count - 1));
}

void sweep_value_text(const sweep_axis *axis, size_t k, char *out, size_t room) {
    if (axis->words)
        snprintf(out, room, "%s", axis->words[k]);
    else
        snprintf(out, room, "%.17g %s", sweep_value(axis, k), axis->unit);
}

size_t sweep_index(const sweep *s, size_t cell, size_t axis) {
    for (size_t k = 0; k < axis; k++) cell /= s->axes[k].count;
    return cell % s->axes[axis].count;
}
