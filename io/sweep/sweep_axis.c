/* sweep_axis.c: the values of a sweep, read from "a:b:n", "x,y,z", a list of texts and "a:b:tolerance". */
#include "sweep_axis.h"

#include "common/fail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tru_class_name(int which) {
    static const char *const names[TRU_CLASSES] = {"failed",          "rest",   "flat",   "rolling", "sliding",
                                                   "rolling-sliding", "flying", "hanging"};
    return which >= 0 && which < TRU_CLASSES ? names[which] : "?";
}

const char *trio_sweep_copy(tru_sweep *s, const char *from, size_t length) {
    while (length > 0 && *from == ' ') from++, length--;
    while (length > 0 && from[length - 1] == ' ') length--;
    char *copy = trio_store_take(&s->texts, length + 1);
    if (!copy) {
        s->no_memory = true;
        return "";
    }
    memcpy(copy, from, length);
    return copy;
}

/* A number with an optional unit; the unit is kept as written. */
static bool read_value(tru_sweep *s, const char *text, double *value, const char **unit) {
    char *end;
    *value = strtod(text, &end);
    *unit = trio_sweep_copy(s, end, strlen(end));
    double scale;
    tru_unit_info powers;
    bool angle;
    return end != text && isfinite(*value) && (!**unit || tru_unit_parse(*unit, &scale, &powers, &angle));
}

/* "a:b:c": two ends with one unit, and a third number. */
static bool read_ends(tru_sweep *s, const char *text, tru_sweep_axis *axis, double *third) {
    const char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    if (!second || strchr(second + 1, ':')) return false;
    const char *a = trio_sweep_copy(s, text, (size_t)(first - text));
    const char *b = trio_sweep_copy(s, first + 1, (size_t)(second - first - 1));
    const char *unit_a, *unit_b, *unit_c;
    if (!read_value(s, a, &axis->from, &unit_a) || !read_value(s, b, &axis->to, &unit_b) ||
        !read_value(s, second + 1, third, &unit_c))
        return false;
    axis->unit = unit_b;
    /* "0:30 deg:31" means degrees on both ends; so does the unit of a tolerance */
    return (!*unit_a || strcmp(unit_a, unit_b) == 0) && (!*unit_c || strcmp(unit_c, unit_b) == 0);
}

/* "10, 20 deg" means degrees in both, as in "10:20 deg:2": the unit at the end is that of all numbers without one. */
static void share_unit(tru_sweep *s, const char **words, size_t count) {
    double value;
    const char *unit, *own;
    if (!read_value(s, words[count - 1], &value, &unit) || !*unit) return;
    for (size_t k = 0; k + 1 < count; k++) {
        if (!read_value(s, words[k], &value, &own) || *own) continue;
        const size_t room = strlen(words[k]) + strlen(unit) + 2;
        char *whole = trio_store_take(&s->texts, room);
        s->no_memory = s->no_memory || !whole;
        if (!whole) return;
        snprintf(whole, room, "%s %s", words[k], unit);
        words[k] = whole;
    }
}

static const char **take_words(tru_sweep *s, size_t count) {
    const char **words = trio_store_take(&s->texts, count * sizeof *words);
    s->no_memory = s->no_memory || !words;
    return words;
}

static void read_words(tru_sweep *s, const char *text, tru_sweep_axis *axis) {
    size_t count = 1;
    for (const char *c = text; *c; c++) count += *c == ',';
    const char **words = take_words(s, count);
    if (!words) return;
    for (const char *comma; text; text = comma ? comma + 1 : NULL) {
        comma = strchr(text, ',');
        words[axis->count++] = trio_sweep_copy(s, text, comma ? (size_t)(comma - text) : strlen(text));
    }
    share_unit(s, words, axis->count);
    axis->words = words;
}

static tru_status read_list(tru_sweep *s, const tru_vary *vary, tru_sweep_axis *out, tru_error *err) {
    if (vary->count == 0 || !vary->values)
        return trio_fail(err, TRU_OUT_OF_RANGE, "vary '%s' has 0 values, must have at least 1", vary->path);
    const char **words = take_words(s, vary->count);
    for (size_t k = 0; words && k < vary->count; k++) {
        if (!vary->values[k]) return trio_fail(err, TRU_BAD_ARGUMENT, "vary '%s': value %zu is NULL", vary->path, k);
        words[k] = trio_sweep_copy(s, vary->values[k], strlen(vary->values[k]));
    }
    out->words = words;
    out->count = words ? vary->count : 0;
    return TRU_OK;
}

tru_status trio_sweep_read_axis(tru_sweep *s, const tru_vary *vary, tru_sweep_axis *out, tru_error *err) {
    double count = 0.0;
    *out = (tru_sweep_axis){.unit = ""};
    if (!vary->path) return trio_fail(err, TRU_BAD_ARGUMENT, "vary needs a path");
    out->path = trio_sweep_copy(s, vary->path, strlen(vary->path));
    if (!vary->range) return read_list(s, vary, out, err);
    if (!strchr(vary->range, ':')) {
        read_words(s, vary->range, out);
        return TRU_OK;
    }
    if (!read_ends(s, vary->range, out, &count) || !(count >= 2.0 && count <= 1e7 && count == floor(count)))
        return trio_fail(err, TRU_BAD_ARGUMENT, "vary needs path=a:b:n with n of 2 or more, or path=x,y,z, not '%s=%s'",
                         vary->path, vary->range);
    out->count = (size_t)count;
    return TRU_OK;
}

/* "class=word" */
static tru_status read_class(tru_sweep *s, const char *on, tru_error *err) {
    s->bisect.word = trio_sweep_copy(s, on + 6, strlen(on + 6));
    for (int k = 0; k < TRU_CLASSES; k++)
        if (strcmp(tru_class_name(k), s->bisect.word) == 0) return TRU_OK;
    return trio_fail(err, TRU_BAD_ARGUMENT,
                     "on needs class=rest, flat, rolling, sliding, rolling-sliding, flying or hanging, not '%s'", on);
}

/* "PROBE", "PROBE>limit unit", "PROBE<limit unit", "class=word" */
static tru_status read_condition(tru_sweep *s, const char *on, tru_error *err) {
    const char *sign = strpbrk(on, "<>"), *unit;
    sweep_bisect *out = &s->bisect;
    double scale = 1.0;
    tru_unit_info powers;
    bool angle;
    if (strncmp(on, "class=", 6) == 0) return read_class(s, on, err);
    out->probe = trio_sweep_copy(s, on, sign ? (size_t)(sign - on) : strlen(on));
    if (!sign) return TRU_OK;
    if (!read_value(s, sign + 1, &out->limit, &unit))
        return trio_fail(err, TRU_BAD_ARGUMENT, "on needs a probe, PROBE>value, PROBE<value or class=word, not '%s'",
                         on);
    if (*unit) {
        tru_unit_parse(unit, &scale, &powers, &angle);
        out->limit = tru_unit_to_si(out->limit, scale);
    }
    out->below = *sign == '<';
    return TRU_OK;
}

tru_status trio_sweep_read_bisect(tru_sweep *s, const tru_set *bisect, const char *on, tru_error *err) {
    tru_sweep_axis *axis = &s->info.bisect;
    *axis = (tru_sweep_axis){.unit = ""};
    if (!bisect->path && !bisect->value && !on) return TRU_OK;
    if (!bisect->path || !bisect->value || !on)
        return trio_fail(err, TRU_BAD_ARGUMENT, "bisect needs a path, its ends and on");
    axis->path = trio_sweep_copy(s, bisect->path, strlen(bisect->path));
    if (!read_ends(s, bisect->value, axis, &s->bisect.tolerance) || !(s->bisect.tolerance > 0.0))
        return trio_fail(err, TRU_BAD_ARGUMENT, "bisect needs path=a:b:tolerance, not '%s=%s'", bisect->path,
                         bisect->value);
    s->info.bisects = true;
    return read_condition(s, on, err);
}

/* ---- values ---- */

/* Returns both ends exactly, and the same value in every grid that contains it. */
double tru_sweep_value(const tru_sweep_axis *axis, size_t k) {
    if (axis->words) return strtod(axis->words[k], NULL);
    if (k + 1 == axis->count) return axis->to;
    return axis->from + (axis->to - axis->from) * ((double)k / (double)(axis->count - 1));
}

void tru_sweep_value_text(const tru_sweep_axis *axis, size_t k, char *out, size_t room) {
    if (axis->words)
        snprintf(out, room, "%s", axis->words[k]);
    else
        snprintf(out, room, "%.17g %s", tru_sweep_value(axis, k), axis->unit);
}

size_t tru_sweep_index(const tru_sweep_info *info, size_t cell, size_t axis) {
    for (size_t k = 0; k < axis; k++) cell /= info->axes[k].count;
    return cell % info->axes[axis].count;
}

bool trio_sweep_is_numbers(const tru_sweep_info *info) {
    bool numbers = true;
    for (size_t k = 0; k < info->axis_count; k++)
        for (size_t i = 0; info->axes[k].words && i < info->axes[k].count; i++) {
            char *end;
            strtod(info->axes[k].words[i], &end);
            numbers = numbers && end != info->axes[k].words[i];
        }
    return numbers;
}
