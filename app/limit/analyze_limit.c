/* analyze_limit.c: limit directions of a body at a plane, in words and as JSON. */
#include "analyze_limit.h"

#include "text/table.h"
#include "text/say.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

limit_view limit_view_of(const tru_world *w, tru_id body, const char *name) {
    limit_view v = {.name = name};
    if (tru_limit_of_body(w, body, &v.contact, &v.err) < 0) return v;
    if (tru_limit_problem_of(&v.contact.body, &v.problem, &v.err) < 0) return v;
    v.known = tru_limit_directions(&v.problem, &v.limit, &v.err) >= 0;
    return v;
}

/* ---- in words ---- */

static void print_row(table *t, const char *what, const char *unit, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void print_row(table *t, const char *what, const char *unit, const char *format, ...) {
    char text[200];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    table_cell(t, "%s", what);
    table_cell(t, "%s", text);
    table_cell(t, "%s", unit);
}

static void print_coefficients(const limit_view *v) {
    static const char *const heads[] = {"", "", ""};
    const tru_limit *l = &v->limit;
    const tru_limit_contact *c = &v->contact;
    table *t = table_new(heads, 3, "lll");
    print_row(t, "slip", "m/s", "(%.6g, %.6g)", c->slip[0], c->slip[1]);
    print_row(t, "normal force without friction, N0", "N", "%.8g", l->normal0);
    print_row(t, "its reduction by friction, a", "-", "(%.8g, %.8g)", l->couple[0], l->couple[1]);
    print_row(t, "slip acceleration per force, S", "1/kg", "(%.8g, %.8g; %.8g)", l->schur[0], l->schur[1], l->schur[2]);
    print_row(t, "slip acceleration without friction, C", "m/s^2", "(%.8g, %.8g)", l->field_free[0], l->field_free[1]);
    print_row(t, "with friction along t1, A", "m/s^2", "(%.8g, %.8g)", l->field_cos[0], l->field_cos[1]);
    print_row(t, "with friction along t2, B", "m/s^2", "(%.8g, %.8g)", l->field_sin[0], l->field_sin[1]);
    print_row(t, "friction times lever (below 1: no Painleve state)", "-", "%.6g", l->wedge);
    print_row(t, "friction force of rolling", "N", "(%.8g, %.8g)", l->roll_force[0], l->roll_force[1]);
    print_row(t, "normal force of rolling", "N", "%.8g", l->roll_normal);
    table_print(t, stdout, 0, 2);
}

static void print_directions(const tru_limit *l) {
    static const char *const heads[] = {"angle [rad]", "slip",      "radial [m/s^2]",    "neighbours",
                                        "angular",     "force [N]", "growth rate [1/s]", ""};
    if (l->count <= 0) return;
    table *t = table_new(heads, 8, "rlrlrrrl");
    for (int k = 0; k < l->count; k++) {
        const tru_limit_direction *d = &l->directions[k];
        table_cell(t, "%.8g", d->angle);
        table_cell(t, "%s", d->margin <= 0.0 ? "has no finite force" : d->repelling ? "grows" : "shrinks");
        table_cell(t, "%.8g", d->radial);
        table_cell(t, "%s", d->margin <= 0.0 ? "-" : d->stable ? "turn towards it" : "turn away from it");
        table_cell(t, "%.8g", d->angular);
        table_cell(t, "%.6g", d->normal);
        table_cell(t, "%.4g", d->growth);
        table_cell(t, "%s", k == l->exit ? "the slip that follows" : "");
    }
    table_print(t, stdout, 0, 2);
}

/* Directions around a within acos(1/wedge) have no finite force, or two. */
static void print_painleve(const tru_limit *l) {
    const double middle = fmod(atan2(l->couple[1], l->couple[0]) + 2.0 * M_PI, 2.0 * M_PI);
    say(stdout, "  a Painleve state: slip within %.5g rad of the direction %.5g rad has %s\n", acos(1.0 / l->wedge),
        middle,
        l->normal0 > 0.0
            ? "no finite contact force; an impact without a collision ends it, and stepper event continues with moreau"
            : "two motions: it continues to slide under a growing force, or lifts off");
}

void limit_print(const limit_view *v) {
    if (!v->known) {
        say(stdout, "\nlimit directions of %s: %s\n", v->name, v->err.text);
        return;
    }
    const tru_limit *l = &v->limit;
    say(stdout, "\nlimit directions of %s: case %s, %s\n", v->name, tru_limit_case_name(l->which),
        tru_limit_case_text(l->which));
    if (l->needed < DBL_MAX)
        say(stdout, "  rolling needs a friction coefficient of %.6g, it has %.6g: %s\n", l->needed,
            v->contact.body.slide_static, l->rolls ? "it can roll" : "it slips");
    if (l->which == TRU_CASE_PAINLEVE) print_painleve(l);
    print_coefficients(v);
    print_directions(l);
    if (l->near_fold) puts("  two directions are about to appear or vanish: their number is uncertain");
}

/* ---- as JSON ---- */

static void numbers_json(tru_json *json, const char *key, const double *values, int count) {
    tru_json_array(json, key);
    for (int k = 0; k < count; k++) tru_json_number(json, NULL, values[k]);
    tru_json_close(json);
}

static void direction_json(tru_json *json, const tru_limit_direction *d, bool way_out) {
    tru_json_object(json, NULL);
    tru_json_number(json, "angle", d->angle);
    tru_json_number(json, "radial", d->radial);
    tru_json_number(json, "angular", d->angular);
    tru_json_number(json, "growth", d->growth);
    tru_json_number(json, "normal_force", d->normal);
    tru_json_bool(json, "repelling", d->repelling);
    tru_json_bool(json, "stable", d->stable);
    tru_json_bool(json, "way_out", way_out);
    tru_json_close(json);
}

void limit_json(tru_json *json, const limit_view *v) {
    const tru_limit *l = &v->limit;
    tru_json_object(json, "limit");
    if (!v->known) {
        tru_json_text(json, "refused", v->err.text);
        tru_json_close(json);
        return;
    }
    tru_json_text(json, "case", tru_limit_case_name(l->which));
    tru_json_text(json, "meaning", tru_limit_case_text(l->which));
    tru_json_bool(json, "rolls", l->rolls);
    tru_json_number(json, "friction_needed", l->needed < DBL_MAX ? l->needed : INFINITY);
    tru_json_number(json, "friction_available", v->contact.body.slide_static);
    numbers_json(json, "slip", v->contact.slip, 2);
    tru_json_number(json, "N0", l->normal0);
    numbers_json(json, "a", l->couple, 2);
    numbers_json(json, "S", l->schur, 3);
    numbers_json(json, "A", l->field_cos, 2);
    numbers_json(json, "B", l->field_sin, 2);
    numbers_json(json, "C", l->field_free, 2);
    tru_json_number(json, "wedge", l->wedge);
    numbers_json(json, "roll_force", l->roll_force, 2);
    tru_json_number(json, "roll_normal", l->roll_normal);
    tru_json_bool(json, "definite", l->definite);
    tru_json_bool(json, "near_fold", l->near_fold);
    tru_json_integer(json, "count", l->count);
    tru_json_array(json, "directions");
    for (int k = 0; k < l->count; k++) direction_json(json, &l->directions[k], k == l->exit);
    tru_json_close(json);
    tru_json_close(json);
}
