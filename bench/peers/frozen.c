/* frozen.c: problem files of frozen contact problems, and the judge of answers to them. */
#define SIMD_ISA SIMD_ONE
#include "frozen.h"

#include "laws/law_lanes.h"
#include "solvers/sweep_problem/sweep_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, const char *which) {
    fprintf(stderr, "peers: %s: %s\n", which, what);
    exit(2);
}

static void *need(void *room) {
    if (!room) fail("out of memory", "frozen");
    return room;
}

/* ---- files */

static bool read_body(FILE *file, frozen_body *b) {
    return fscanf(file, "%lf %lf %lf %lf %lf %lf %lf %lf", &b->inv_mass, &b->inv_inertia, &b->v[0], &b->v[1], &b->v[2],
                  &b->w[0], &b->w[1], &b->w[2]) == 8;
}

static bool read_contact(FILE *file, frozen_contact *c) {
    return fscanf(file, "%ld %ld %lf %lf %lf %lf %lf %lf %lf %lf %lf", &c->a, &c->b, &c->n[0], &c->n[1], &c->n[2],
                  &c->arm_a, &c->arm_b, &c->bias, &c->limit[0], &c->limit[1], &c->limit[2]) == 11;
}

frozen frozen_read(const char *path) {
    frozen f = {0};
    char word[16];
    int version = 0;
    size_t room = 1024;
    bool good = true;
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file) fail("cannot be read", path ? path : "problem");
    if (fscanf(file, "frozen %d", &version) != 1 || version != 1) fail("not a problem of version 1", path);
    f.bodies = need(malloc(room * sizeof *f.bodies));
    f.contacts = need(malloc(room * sizeof *f.contacts));
    while (good && fscanf(file, "%15s", word) == 1) {
        if (f.body_count == room || f.contact_count == room) {
            room *= 2;
            f.bodies = need(realloc(f.bodies, room * sizeof *f.bodies));
            f.contacts = need(realloc(f.contacts, room * sizeof *f.contacts));
        }
        if (strcmp(word, "body") == 0)
            good = read_body(file, &f.bodies[f.body_count++]);
        else
            good = strcmp(word, "contact") == 0 && read_contact(file, &f.contacts[f.contact_count++]);
    }
    fclose(file);
    for (size_t k = 0; good && k < f.contact_count; k++) {
        const frozen_contact *c = &f.contacts[k];
        good = c->a >= 0 && c->a < (long)f.body_count && c->b >= -1 && c->b < (long)f.body_count;
    }
    if (!good) fail("not a good problem", path);
    return f;
}

static void write_numbers(FILE *file, const double *numbers, int count) {
    for (int k = 0; k < count; k++) fprintf(file, " %.17g", numbers[k]);
}

void frozen_write(const char *path, const frozen *f) {
    FILE *file = fopen(path, "w");
    if (!file) fail("cannot be written", path);
    fputs("frozen 1\n", file);
    for (size_t k = 0; k < f->body_count; k++) {
        const frozen_body *b = &f->bodies[k];
        fprintf(file, "body %.17g %.17g", b->inv_mass, b->inv_inertia);
        write_numbers(file, b->v, 3);
        write_numbers(file, b->w, 3);
        fputs("\n", file);
    }
    for (size_t k = 0; k < f->contact_count; k++) {
        const frozen_contact *c = &f->contacts[k];
        fprintf(file, "contact %ld %ld", c->a, c->b);
        write_numbers(file, c->n, 3);
        fprintf(file, " %.17g %.17g %.17g", c->arm_a, c->arm_b, c->bias);
        write_numbers(file, c->limit, FROZEN_LIMITS);
        fputs("\n", file);
    }
    if (fclose(file) != 0) fail("cannot be written", path);
}

void frozen_free(frozen *f) {
    free(f->bodies);
    free(f->contacts);
}

/* ---- the judge */

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* out += s a x b */
static void add_cross(double *out, double s, const double *a, const double *b) {
    out[0] += s * (a[1] * b[2] - a[2] * b[1]);
    out[1] += s * (a[2] * b[0] - a[0] * b[2]);
    out[2] += s * (a[0] * b[1] - a[1] * b[0]);
}

/* Velocity change of a body by an impulse at arm * n from its centre and a couple, both times sign. */
static void push(frozen_body *b, double sign, double arm, const double *n, const frozen_impulse *g) {
    double turn[3] = {g->t[0], g->t[1], g->t[2]};
    add_cross(turn, arm, n, g->p);
    for (int k = 0; k < 3; k++) {
        b->v[k] += sign * b->inv_mass * g->p[k];
        b->w[k] += sign * b->inv_inertia * turn[k];
    }
}

/* Metric and length of a contact, as packed.c has them for two spheres [cone-equations 4]. */
typedef struct terms {
    double metric[TRU_KINDS], length;
} terms;

static terms terms_of(const frozen *f, const frozen_contact *c) {
    static const frozen_body fixed = {0};
    const frozen_body *a = &f->bodies[c->a], *b = c->b < 0 ? &fixed : &f->bodies[c->b];
    const double inv_mass = a->inv_mass + b->inv_mass, couple = a->inv_inertia + b->inv_inertia;
    const double turn_a = c->arm_a * a->inv_inertia, turn_b = c->arm_b * b->inv_inertia;
    const double slide = inv_mass + c->arm_a * turn_a + c->arm_b * turn_b;
    const double cross = c->limit[FROZEN_SLIDE] > 0.0 && c->limit[FROZEN_ROLL] > 0.0 ? fabs(turn_a - turn_b) : 0.0;
    const double length = sqrt((inv_mass + 2.0 * slide) / (3.0 * couple));
    return (terms){{1.0 / inv_mass, 1.0 / (slide + cross * length), 1.0 / couple, 1.0 / (couple + cross / length)},
                   length};
}

double frozen_length(const frozen *f, const frozen_contact *c) { return terms_of(f, c).length; }

/* Relative velocity at the contact and relative angular velocity, A minus B. */
static void rates(const frozen_body *bodies, const frozen_contact *c, double u[3], double w[3]) {
    const frozen_body *a = &bodies[c->a], *b = c->b < 0 ? NULL : &bodies[c->b];
    for (int k = 0; k < 3; k++) {
        u[k] = a->v[k] - (b ? b->v[k] : 0.0);
        w[k] = a->w[k] - (b ? b->w[k] : 0.0);
    }
    add_cross(u, -c->arm_a, a->w, c->n);
    if (b) add_cross(u, -c->arm_b, b->w, c->n);
}

/* Splits x - metric rate into the part along n (returned) and the rest. */
static double split(const double *x, const double *rate, double along, double across, const double *n, double *rest) {
    const double xn = dot(x, n), rn = dot(rate, n);
    for (int k = 0; k < 3; k++) rest[k] = (x[k] - xn * n[k]) - across * (rate[k] - rn * n[k]);
    return xn - along * rn;
}

/* |rest scaled back to `most` - the part of x across n| */
static double moved_across(const double *rest, double size, double most, const double *x, const double *n) {
    const double part = size > most ? most / size : 1.0, xn = dot(x, n);
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double d = part * rest[k] - (x[k] - xn * n[k]);
        sum += d * d;
    }
    return sqrt(sum);
}

/* [N s] Normal part of the nearest point of the cone. */
static double onto_cone(double x, const double size[3], const double limit[3], const double lean[3]) {
    const realxn l[3] = {realxn_all(size[0]), realxn_all(size[1]), realxn_all(size[2])};
    const realxn c[3] = {realxn_all(limit[0]), realxn_all(limit[1]), realxn_all(limit[2])};
    const realxn e[3] = {realxn_all(lean[0]), realxn_all(lean[1]), realxn_all(lean[2])};
    const lanes_root root = cone_root(realxn_all(x), l, c, e);
    return realxn_number(DIV(root.top, root.den));
}

/* Squared natural residual of one contact [m^2/s^2]. */
static double residual(const frozen *f, const frozen_body *bodies, const frozen_contact *c, const frozen_impulse *g,
                       bool relaxed) {
    const terms t = terms_of(f, c);
    double u[3], w[3], slide[3], roll[3], lean[3], offset = c->bias;
    rates(bodies, c, u, w);
    const double un = dot(u, c->n), wn = dot(w, c->n);
    if (!relaxed)
        offset += c->limit[FROZEN_SLIDE] * sqrt(fmax(0.0, dot(u, u) - un * un)) + c->limit[FROZEN_SPIN] * fabs(wn) +
                  c->limit[FROZEN_ROLL] * sqrt(fmax(0.0, dot(w, w) - wn * wn));
    const double *m = t.metric;
    const double x = split(g->p, u, m[TRU_KIND_NORMAL], m[TRU_KIND_SLIDE], c->n, slide) - m[TRU_KIND_NORMAL] * offset;
    const double spin = split(g->t, w, m[TRU_KIND_SPIN], m[TRU_KIND_ROLL], c->n, roll);
    const double sizes[3] = {sqrt(dot(slide, slide)), fabs(spin), sqrt(dot(roll, roll))};
    for (int k = 0; k < 3; k++) lean[k] = m[TRU_KIND_NORMAL] / m[k + 1] * c->limit[k];
    const double y = onto_cone(x, sizes, c->limit, lean);
    const double kept = fmin(sizes[1], c->limit[FROZEN_SPIN] * y);
    const double en = (y - dot(g->p, c->n)) / m[TRU_KIND_NORMAL];
    const double et = moved_across(slide, sizes[0], c->limit[FROZEN_SLIDE] * y, g->p, c->n) / m[TRU_KIND_SLIDE];
    const double es = (copysign(kept, spin) - dot(g->t, c->n)) / m[TRU_KIND_SPIN];
    const double er = moved_across(roll, sizes[2], c->limit[FROZEN_ROLL] * y, g->t, c->n) / m[TRU_KIND_ROLL];
    return en * en + et * et + t.length * t.length * (es * es + er * er);
}

/* The bodies as an answer leaves them. */
static frozen_body *bodies_after(const frozen *f, const frozen_impulse *answer) {
    frozen_body *bodies = need(malloc(f->body_count * sizeof *bodies));
    memcpy(bodies, f->bodies, f->body_count * sizeof *bodies);
    for (size_t k = 0; k < f->contact_count; k++) {
        const frozen_contact *c = &f->contacts[k];
        push(&bodies[c->a], 1.0, -c->arm_a, c->n, &answer[k]);
        if (c->b >= 0) push(&bodies[c->b], -1.0, c->arm_b, c->n, &answer[k]);
    }
    return bodies;
}

double frozen_least_speed(const frozen *f, const frozen_impulse *g) {
    frozen_body *bodies = bodies_after(f, g);
    double demand = 0.0, moved = 0.0, mass = 0.0;
    for (size_t k = 0; k < f->contact_count; k++) demand -= f->contacts[k].bias * dot(g[k].p, f->contacts[k].n);
    for (size_t k = 0; k < f->body_count; k++) {
        double v[3], w[3];
        for (int i = 0; i < 3; i++) {
            v[i] = bodies[k].v[i] - f->bodies[k].v[i];
            w[i] = bodies[k].w[i] - f->bodies[k].w[i];
        }
        mass += 1.0 / f->bodies[k].inv_mass;
        moved += dot(v, v) / f->bodies[k].inv_mass + dot(w, w) / f->bodies[k].inv_inertia;
    }
    free(bodies);
    return moved > 0.0 ? fmax(0.0, demand) / sqrt(moved * mass) : 0.0;
}

void frozen_write_ends(const char *path, const frozen *f, const frozen_impulse *answer) {
    frozen_body *bodies = bodies_after(f, answer);
    FILE *file = fopen(path, "w");
    if (!file) fail("cannot be written", path);
    for (size_t k = 0; k < f->body_count; k++) {
        write_numbers(file, bodies[k].v, 3);
        write_numbers(file, bodies[k].w, 3);
        fputs("\n", file);
    }
    if (fclose(file) != 0) fail("cannot be written", path);
    free(bodies);
}

frozen_verdict frozen_judge(const frozen *f, const frozen_impulse *answer, bool relaxed) {
    frozen_verdict verdict = {0.0, 0.0};
    frozen_body *bodies = bodies_after(f, answer);
    for (size_t k = 0; k < f->contact_count; k++) {
        const double size2 = residual(f, bodies, &f->contacts[k], &answer[k], relaxed);
        verdict.rms += size2;
        verdict.max = fmax(verdict.max, sqrt(size2));
    }
    verdict.rms = f->contact_count ? sqrt(verdict.rms / (double)f->contact_count) : 0.0;
    free(bodies);
    return verdict;
}
