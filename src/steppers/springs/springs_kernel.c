/* springs_kernel.c: eight contacts of balls at once (springs_many.h), for the instruction set that SIMD_ISA names.
 *
 * Bodies, contacts and springs come in as rows of doubles, eight at a time, and are turned into lanes; what lies side by side
 * there is asserted below. */
#define SIMD_SINGLE /* more values than registers hold: one register per value with AVX2 */
#include "steppers/springs/springs_kernel.h"
#include "steppers/springs/springs_lanes.h"
#include "laws/law_lanes.h"
#include "lanes/rows.h"

#define ROW(type, field) ((int)(offsetof(type, field) / sizeof(double)))
_Static_assert(ROW(body, v) == ROW(body, q) + 4 && ROW(body, w) == ROW(body, q) + 7, "q, v, w");
_Static_assert(ROW(body, mass) == ROW(body, q) + 11 && ROW(body, inv_mass) == ROW(body, q) + 12,
               "gain, mass, inv_mass");
_Static_assert(ROW(body, moment) == ROW(body, q) + 13 && ROW(body, size) == ROW(body, q) + 15, "inertia, size");
_Static_assert(ROW(contact, c.arm_a) == ROW(contact, c) + 9 && ROW(contact, c.gap) == ROW(contact, c) + 15, "frame");
_Static_assert(ROW(contact, approach) == ROW(contact, impulse) + 6 && ROW(contact, bias) == ROW(contact, impulse) + 7,
               "impulse, approach, bias");
_Static_assert(ROW(springs, record) == 0 && ROW(springs, stretch) == 18 && ROW(springs, overlap) == 23,
               "record, stretch, overlap");
_Static_assert(ROW(springs, stiffness) == 24 && ROW(springs, energy) == 28 && ROW(springs, moved) == 32 &&
                   ROW(springs, curvature) == 37 && ROW(springs, curvature_mean) == 38,
               "stiffness, energy, moved, curvature");
_Static_assert(sizeof(spring_book) == 8 * sizeof(double), "book");

SIMD_FN lanes3 three(const realxn *x) { return (lanes3){x[0], x[1], x[2]}; }

SIMD_FN void put_three(realxn *x, lanes3 v) {
    x[0] = v.x;
    x[1] = v.y;
    x[2] = v.z;
}

/* A body of each contact: q as a matrix, v, w, (gain,) mass, inv_mass, the first of its inertia, and the radius of a ball. */
typedef struct lanes_body {
    lanes33 r;
    lanes3 v, w;
    realxn mass, inv_mass, inertia, radius;
} lanes_body;

/* Structures of lanes are filled in place: copies of them cost as much as the arithmetic. */
SIMD_FN void take_body(const body *const *who, lanes_body *out) {
    const double *row[REAL_LANES];
    realxn x[16];
    for (int i = 0; i < REAL_LANES; i++) row[i] = (const double *)(const void *)who[i] + ROW(body, q);
    realxn_take(row, 0, x);
    realxn_take(row, 8, x + 8);
    out->r = lanes4_axes((lanes4){x[0], x[1], x[2], x[3]});
    out->v = three(x + 4);
    out->w = three(x + 7);
    out->mass = x[11];
    out->inv_mass = x[12];
    out->inertia = x[13];
    out->radius = x[15];
}

/* Mass and inertia of both bodies together: trui_springs_masses and normal_mass. A is free. */
typedef struct lanes_masses {
    realxn mass, inertia, normal;
} lanes_masses;

SIMD_FN lanes_masses masses_of(const lanes_body *a, const lanes_body *b, bool mean) {
    const boolxn both = realxn_lt(realxn_all(0.0), b->inv_mass);
    lanes_masses m = {a->mass, a->inertia, DIV(realxn_all(1.0), ADD(a->inv_mass, b->inv_mass))};
    if (!boolxn_any(both)) return m;
    m.mass = realxn_select(both, join_masses(a->mass, b->mass, mean), a->mass);
    m.inertia = realxn_select(both, join_masses(a->inertia, b->inertia, mean), a->inertia);
    return m;
}

/* rate mass / step^2 */
SIMD_FN realxn derived(const spring_form *f, realxn mass) {
    return DIV(MUL(realxn_all(f->rate), mass), realxn_all(f->h * f->h));
}

/* trui_springs_make of one kind; slide: stiffness [N/m] of the slide spring. */
SIMD_FN lanes_spring spring_of(const spring_form *f, int kind, const lanes_masses *m, realxn slide, realxn curvature,
                               realxn normal) {
    const realxn inertia = kind == TRU_KIND_SLIDE ? m->mass : m->inertia;
    const bool by_eta = (kind == TRU_KIND_SPIN && f->spin_eta) || (kind == TRU_KIND_ROLL && f->roll_eta);
    const bool given = kind == TRU_KIND_ROLL && f->roll_stiffness != TRU_DERIVED;
    realxn own = slide, cap = realxn_all(f->cap[kind]), hold = realxn_all(f->hold[kind]);
    if (by_eta) {
        realxn area;
        const realxn length = kind == TRU_KIND_SPIN
                                  ? track_spin_length(realxn_all(f->eta_psi), DIV(realxn_all(1.0), curvature), &area)
                                  : track_roll_length(realxn_all(2.0 * f->eta_r), curvature, &area);
        cap = MUL(length, realxn_all(f->cap[TRU_KIND_SLIDE]));
        hold = MUL(length, realxn_all(f->hold[TRU_KIND_SLIDE]));
        own = MUL(slide, area);
    } else if (kind == TRU_KIND_SPIN && f->spin_area > 0.0) {
        own = MUL(slide, realxn_all(f->spin_area));
    } else if (kind != TRU_KIND_SLIDE) {
        own = MUL(slide, DIV(m->inertia, m->mass));
    }
    const realxn k = given ? realxn_all(f->roll_stiffness) : own;
    lanes_spring s = make_spring(k, inertia, realxn_all(f->damp[kind]), cap, hold, normal);
    if (given && by_eta) keep_thresholds(&s, k, own);
    return s;
}

/* The normal force: trui_springs_normal and load_normal; *good loses lanes that do not overlap. */
SIMD_FN realxn normal_of(const spring_form *f, const lanes_contact *c, const lanes_masses *m, realxn approach,
                         lanes_books *b, realxn *depth, boolxn *good) {
    const realxn zero = realxn_all(0.0), deep = realxn_max(realxn_neg(c->gap), zero);
    const bool hertz = f->normal == TRU_HERTZ;
    *depth = deep;
    if (f->normal == TRU_PRESCRIBED) {
        b->energy[TRU_KIND_NORMAL] = b->stiff[TRU_KIND_NORMAL] = zero;
        return realxn_all(f->force);
    }
    *good = boolxn_and(*good, realxn_lt(zero, deep));
    lanes_normal n;
    if (hertz)
        n = load_hertz(realxn_all(2.0 * f->modulus), c->curvature, deep);
    else
        n = load_hooke(f->normal_k != TRU_DERIVED ? realxn_all(f->normal_k) : derived(f, m->normal), deep);
    return load_normal(&n, damp_normal(hertz, realxn_all(f->damp[TRU_KIND_NORMAL]), n.k, m->normal), approach, b);
}

/* ---- in and out */

typedef struct lanes_memory {
    double *frame[REAL_LANES], *impulse[REAL_LANES], *springs[REAL_LANES];
    const double *before[REAL_LANES]; /* springs of the step before */
} lanes_memory;

SIMD_FN void find_memory(const spring_group *g, int at, lanes_memory *mem) {
    for (int i = 0; i < REAL_LANES; i++) {
        double *c = (double *)(void *)g->c[at + i];
        mem->frame[i] = c + ROW(contact, c);
        mem->impulse[i] = c + ROW(contact, impulse);
        mem->springs[i] = (double *)(void *)g->springs[at + i];
        mem->before[i] = (const double *)(const void *)g->c[at + i]->springs;
    }
}

SIMD_FN void take(double *const *row, int first, realxn *x) { realxn_take((const double *const *)row, first, x); }

/* Modes, as 1 or 0 by kind. */
SIMD_FN void take_modes(const spring_group *g, int at, realxn stuck[3]) {
    static const double mode[2] = {0.0, 1.0};
    double modes[3][REAL_LANES];
    for (int i = 0; i < REAL_LANES; i++) {
        const uint32_t bits = g->c[at + i]->stuck >> TRU_KIND_SLIDE;
        for (int k = 0; k < 3; k++) modes[k][i] = mode[bits >> k & 1u];
    }
    for (int k = 0; k < 3; k++) stuck[k] = realxn_load(modes[k]);
}

_Static_assert(TRU_KIND_BIT(TRU_KIND_SPIN) == TRU_KIND_BIT(TRU_KIND_SLIDE) << 1 &&
                   TRU_KIND_BIT(TRU_KIND_ROLL) == TRU_KIND_BIT(TRU_KIND_SLIDE) << 2,
               "bits of kinds");

SIMD_FN void give_modes(const spring_group *g, int at, const lanes_books *b) {
    const uint32_t all = 7u << TRU_KIND_SLIDE;
    unsigned stuck[3];
    for (int kind = 0; kind < 3; kind++) stuck[kind] = boolxn_bits(realxn_lt(realxn_all(0.5), b->stuck[kind]));
    for (int i = 0; i < REAL_LANES; i++) {
        contact *c = g->c[at + i];
        const uint32_t bits = (stuck[0] >> i & 1u) | (stuck[1] >> i & 1u) << 1 | (stuck[2] >> i & 1u) << 2;
        c->stuck = (c->stuck & ~all) | bits << TRU_KIND_SLIDE;
        c->theta = 1.0f;
        c->flags |= CONTACT_TRACKED;
        c->springs = g->springs[at + i];
    }
}

/* Stores the tangents with the numbers around them, the impulses, the approach, and a zero bias: springs have none. */
SIMD_FN void give_contact(const lanes_memory *mem, const lanes_contact *c, const lanes_books *b, realxn approach,
                          realxn frame[16]) {
    realxn out[8];
    put_three(frame + 3, c->t1);
    put_three(frame + 6, c->t2);
    realxn_give(mem->frame, 2, frame + 2);
    for (int i = 0; i < TRU_ROWS; i++) out[i] = b->p[i];
    out[6] = approach;
    out[7] = realxn_all(0.0);
    realxn_give(mem->impulse, 0, out);
}

/* Arm and frame in the axes of one body. */
SIMD_FN void put_record(const lanes33 *r, lanes3 arm, const lanes_contact *c, int k, realxn out[18]) {
    put_three(out + 3 * k, lanes33_apply_t(*r, arm));
    put_three(out + 6 + 3 * k, lanes33_apply_t(*r, c->t1));
    put_three(out + 12 + 3 * k, lanes33_apply_t(*r, c->t2));
}

SIMD_FN void give_springs(const lanes_memory *mem, const lanes_contact *c, const lanes33 *ra, const lanes33 *rb,
                          const lanes_books *b, realxn depth) {
    realxn out[24];
    put_record(ra, c->arm_a, c, 0, out);
    put_record(rb, c->arm_b, c, 1, out);
    for (int i = 0; i < TRU_FRICTION_ROWS; i++) out[18 + i] = b->stretch[i];
    out[23] = depth;
    realxn_give(mem->springs, 0, out);
    realxn_give(mem->springs, 8, out + 8);
    realxn_give(mem->springs, 16, out + 16);
    for (int k = 0; k < TRU_KINDS; k++) {
        out[k] = b->stiff[k];
        out[TRU_KINDS + k] = b->energy[k];
    }
    realxn_give(mem->springs, 24, out);
    for (int i = 0; i < TRU_FRICTION_ROWS; i++) out[i] = c->moved[i];
    out[5] = out[6] = c->curvature;
    out[7] = realxn_all(0.0);
    realxn_give(mem->springs, 32, out);
    for (int i = 0; i < REAL_LANES; i++) memset(mem->springs[i] + 40, 0, sizeof(springs) - 40 * sizeof(double));
}

SIMD_FN void give_book(const spring_group *g, int at, const lanes_books *b) {
    double *row[REAL_LANES];
    realxn out[8];
    out[0] = b->theta_shift;
    for (int kind = 0; kind < TRU_KINDS; kind++) out[1 + kind] = b->heat[kind];
    out[5] = b->stiffness;
    out[6] = realxn_all(0.0);
    out[7] = ADD(ADD(ADD(b->energy[0], b->energy[1]), b->energy[2]), b->energy[3]);
    for (int i = 0; i < REAL_LANES; i++) row[i] = (double *)(void *)g->book[at + i];
    realxn_give(row, 0, out);
}

/* ---- the contacts */

/* The record of one body, where that has carried it. */
SIMD_FN void carry(const lanes33 *r, const realxn kept[18], int k, lanes_record *old) {
    old->at[k] = lanes33_apply(*r, three(kept + 3 * k));
    old->t1[k] = lanes33_apply(*r, three(kept + 6 + 3 * k));
    old->t2[k] = lanes33_apply(*r, three(kept + 12 + 3 * k));
}

/* Those from lane `at` on, as many as a value holds; false: nothing is done. */
SIMD_FN bool load_lanes(const spring_group *g, int at) {
    const spring_form *f = g->form;
    const realxn zero = realxn_all(0.0), h = realxn_all(f->h);
    lanes_body a, b;
    lanes_memory mem;
    realxn frame[16], kept[32];
    find_memory(g, at, &mem);
    take_body(g->a + at, &a);
    take_body(g->b + at, &b);
    take(mem.frame, 0, frame);
    take(mem.frame, 8, frame + 8);
    for (int i = 0; i < 32; i += 8) realxn_take(mem.before, i, kept + i);
    lanes_contact c;
    c.n = three(frame);
    c.arm_a = three(frame + 9);
    c.arm_b = three(frame + 12);
    c.gap = frame[15];
    c.curvature = DIV(realxn_all(1.0), a.radius);
    if (!g->flat) c.curvature = ADD(c.curvature, DIV(realxn_all(1.0), b.radius));
    lanes_record old;
    carry(&a.r, kept, 0, &old);
    carry(&b.r, kept, 1, &old);
    boolxn good = realxn_le(zero, zero);
    if (g->flat)
        follow(&old, true, &c, &good);
    else
        follow(&old, false, &c, &good);
    lanes_books k;
    k.theta_shift = k.stiffness = zero;
    k.flips = realxn_lt(zero, zero);
    for (int i = 0; i < TRU_FRICTION_ROWS; i++) k.stretch[i] = kept[18 + i];
    for (int i = 0; i < TRU_ROWS; i++) k.p[i] = zero;
    for (int i = 0; i < TRU_KINDS; i++) {
        k.heat[i] = zero;
        k.energy[i] = i == TRU_KIND_NORMAL ? kept[28] : zero;
        k.stiff[i] = kept[24 + i];
    }
    take_modes(g, at, k.stuck);
    const lanes3 va = lanes3_add(a.v, lanes3_cross(a.w, c.arm_a)), vb = lanes3_add(b.v, lanes3_cross(b.w, c.arm_b));
    const realxn rate = lanes3_dot(lanes3_sub(va, vb), c.n);
    const lanes_masses m = masses_of(&a, &b, f->mean);
    realxn depth;
    const realxn normal = normal_of(f, &c, &m, realxn_neg(rate), &k, &depth, &good);
    if (boolxn_bits(boolxn_not(good)) & ((1u << REAL_LANES) - 1)) return false;
    const realxn slide = f->stiffness != TRU_DERIVED ? realxn_all(f->stiffness) : derived(f, m.mass);
    k.p[0] = MUL(h, normal);
    static const int first[TRU_KINDS] = {0, 0, 2, 3}, rows[TRU_KINDS] = {0, 2, 1, 2};
#pragma GCC unroll 4
    for (int kind = TRU_KIND_SLIDE; kind < TRU_KINDS; kind++) {
        if (!(f->claims & TRU_KIND_BIT(kind))) {
            k.stiff[kind] = zero;
            continue;
        }
        const lanes_spring s = spring_of(f, kind, &m, slide, c.curvature, normal);
        load_spring(&s, kind, first[kind], rows[kind], c.moved + first[kind], h, (spring_rule){.limited = f->limited},
                    &k);
    }
    give_contact(&mem, &c, &k, realxn_select(realxn_lt(rate, zero), realxn_neg(rate), zero), frame);
    give_springs(&mem, &c, &a.r, &b.r, &k, depth);
    give_book(g, at, &k);
    give_modes(g, at, &k);
    return true;
}

SIMD_TARGET unsigned SIMD_NAMED(trui_springs_kernel)(const spring_group *g) {
    unsigned left = 0;
    for (int at = 0; at < SPRING_LANES; at += REAL_LANES)
        if (!load_lanes(g, at)) left |= ((1u << REAL_LANES) - 1u) << at;
    return left;
}
