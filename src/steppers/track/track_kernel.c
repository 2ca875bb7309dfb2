/* track_kernel.c: a step of eight balls on planes (track_lanes.h), for the instruction set that SIMD_ISA names.
 *
 * Expressions are those of track.c, springs.c, step_track.c, ledger.c and quat.h, operation by operation. */
#define SIMD_SINGLE /* more values than registers hold: one register per value with AVX2 */
#include "steppers/track/track_kernel.h"
#include "laws/law_lanes.h"
#include "steppers/springs/springs_lanes.h"

/* As many lanes of the eight as a value holds. */
typedef struct lanes_view {
    double *row; /* rows of eight numbers, from the first lane of the view on */
    const track_form *form;
} lanes_view;

SIMD_FN realxn get(const lanes_view *k, int row) { return realxn_load(k->row + WORLD_LANES * row); }
SIMD_FN lanes3 get3(const lanes_view *k, int row) { return lanes3_load(k->row + WORLD_LANES * row); }
SIMD_FN lanes33 get33(const lanes_view *k, int row) {
    return (lanes33){{get3(k, row), get3(k, row + 3), get3(k, row + 6)}};
}
SIMD_FN void put(const lanes_view *k, int row, realxn x) { realxn_store(k->row + WORLD_LANES * row, x); }
SIMD_FN void put3(const lanes_view *k, int row, lanes3 x) { lanes3_store(k->row + WORLD_LANES * row, x); }

SIMD_FN void meet(const lanes_view *k, lanes33 r, lanes_contact *c, boolxn *good) {
    const lanes3 x = get3(k, TL_X), up = lanes33_apply_t(r, c->n);
    const realxn radius = get(k, TL_RADIUS), margin = get(k, TL_MARGIN);
    const realxn height = lanes3_dot(c->n, lanes3_sub(x, get3(k, TL_PLANE)));
    const lanes3 point = lanes3_scale(realxn_neg(radius), up);
    c->gap = ADD(height, lanes3_dot(up, point));
    c->curvature = get(k, TL_CURVATURE);
    c->arm_a = lanes33_apply(r, point);
    c->arm_b = lanes3_add(c->arm_a, lanes3_sub(x, get3(k, TL_X_B)));
    *good = boolxn_and(*good, boolxn_and(realxn_lt(SUB(height, radius), margin), realxn_lt(c->gap, margin)));
}

/* A vector of B's body axes in world axes, and back. */
SIMD_FN lanes3 out_of_b(const lanes_view *k, lanes3 v) {
    return k->form->level ? v : lanes33_apply(get33(k, TL_R_B), v);
}
SIMD_FN lanes3 into_b(const lanes_view *k, lanes3 v) {
    return k->form->level ? v : lanes33_apply_t(get33(k, TL_R_B), v);
}

/* The record where its bodies have carried it. */
SIMD_FN lanes_record carried(const lanes_view *k, lanes33 r) {
    return (lanes_record){{lanes33_apply(r, get3(k, TL_AT_A)), out_of_b(k, get3(k, TL_AT_B))},
                          {lanes33_apply(r, get3(k, TL_T1_A)), out_of_b(k, get3(k, TL_T1_B))},
                          {lanes33_apply(r, get3(k, TL_T2_A)), out_of_b(k, get3(k, TL_T2_B))}};
}

/* trui_springs_make of one kind. Springs that do not depend on the moment are in the rows: their roots are taken once. */
SIMD_FN lanes_spring spring_of(const lanes_view *k, int kind, realxn normal, realxn curvature) {
    const int i = kind - TRU_KIND_SLIDE;
    const bool spin = kind == TRU_KIND_SPIN && k->form->spin_eta, roll = kind == TRU_KIND_ROLL && k->form->roll_eta;
    if (!spin && !roll)
        return (lanes_spring){get(k, TL_K + i), get(k, TL_D + i), MUL(get(k, TL_CAP + i), normal),
                              MUL(get(k, TL_HOLD + i), normal)};
    realxn area;
    const realxn length = spin ? track_spin_length(get(k, TL_ETA_PSI), DIV(realxn_all(1.0), curvature), &area)
                               : track_roll_length(get(k, TL_ETA_R2), curvature, &area);
    const realxn own = MUL(get(k, TL_K), area), stiffness = roll && k->form->roll_given ? get(k, TL_ROLL_K) : own;
    lanes_spring s = make_spring(stiffness, get(k, TL_INERTIA), get(k, spin ? TL_DAMP_P2 : TL_DAMP_R2),
                                 MUL(length, get(k, TL_MU_K)), MUL(length, get(k, TL_MU_S)), normal);
    if (roll && k->form->roll_given) keep_thresholds(&s, stiffness, own);
    return s;
}

SIMD_FN void load_kind(const lanes_view *k, int kind, int row, int rows, const lanes_contact *c, realxn normal,
                       realxn h, lanes_books *b) {
    if (!(k->form->claims & TRU_KIND_BIT(kind))) return;
    const lanes_spring s = spring_of(k, kind, normal, c->curvature);
    load_spring(&s, kind, row, rows, c->moved + row, h, (spring_rule){.limited = k->form->limited != 0}, b);
}

/* The normal force: prescribed, or hooke. */
SIMD_FN realxn normal_of(const lanes_view *k, const lanes_contact *c, lanes3 v, lanes3 w, lanes_books *b,
                         realxn *depth) {
    const realxn zero = realxn_all(0.0), deep = realxn_max(realxn_neg(c->gap), zero);
    *depth = deep;
    if (k->form->prescribed) {
        b->energy[TRU_KIND_NORMAL] = b->stiff[TRU_KIND_NORMAL] = zero;
        return get(k, TL_FORCE);
    }
    const realxn approach = realxn_neg(lanes3_dot(lanes3_add(v, lanes3_cross(w, c->arm_a)), c->n));
    const lanes_normal n = load_hooke(get(k, TL_NORMAL_K), deep);
    return load_normal(&n, get(k, TL_NORMAL_D), approach, b);
}

/* a n + b t1 + c t2 */
SIMD_FN lanes3 in_frame(const lanes_contact *c, const realxn *p) {
    return lanes3_madd(lanes3_madd(lanes3_scale(p[0], c->n), p[1], c->t1), p[2], c->t2);
}

/* Impulses times mean rates: trui_springs_ledger. *normal: the first of the rates. */
SIMD_FN realxn work_of(const lanes_view *k, const lanes_contact *c, lanes3 v, lanes3 w, const realxn p[TRU_ROWS],
                       realxn *drives, realxn *normal) {
    const lanes3 va = lanes3_add(v, lanes3_cross(w, c->arm_a));
    const realxn m[TRU_ROWS] = {lanes3_dot(va, c->n), lanes3_dot(va, c->t1), lanes3_dot(va, c->t2),
                                lanes3_dot(w, c->n),  lanes3_dot(w, c->t1),  lanes3_dot(w, c->t2)};
    realxn work = realxn_all(0.0);
    *normal = m[0];
    if (k->form->prescribed)
        *drives = realxn_madd(*drives, p[0], m[0]);
    else
        work = MUL(p[0], m[0]);
    for (int row = 1; row < TRU_ROWS; row++) work = realxn_madd(work, p[row], m[row]);
    return work;
}

SIMD_FN void put_turned(const lanes_view *k, lanes4 q) {
    const lanes33 r = lanes4_axes(q);
    put(k, TL_Q, q.w);
    put3(k, TL_Q + 1, (lanes3){q.x, q.y, q.z});
    for (int i = 0; i < 3; i++) put3(k, TL_R + 3 * i, r.row[i]);
}

/* Finite in every lane: what is not does not vanish against itself. */
SIMD_FN boolxn finite(lanes3 x, lanes3 v, lanes3 w, realxn q) {
    const lanes3 sum = lanes3_add(lanes3_add(x, v), w);
    const realxn all = ADD(ADD(sum.x, sum.y), ADD(sum.z, q)), gap = SUB(all, all);
    return realxn_le(gap, realxn_all(0.0));
}

/* Does the rest of all lanes stay what it was? */
SIMD_FN boolxn rest_stays(const lanes_view *k, lanes3 v, lanes3 w) {
    const realxn speed = realxn_sqrt(ADD(lanes3_dot(v, v), MUL(get(k, TL_SIZE2), lanes3_dot(w, w))));
    const boolxn rests = realxn_lt(speed, get(k, TL_SLOW)), rested = realxn_lt(realxn_all(0.5), get(k, TL_RESTING));
    return boolxn_or(boolxn_and(rests, rested), boolxn_and(boolxn_not(rests), boolxn_not(rested)));
}

/* Lanes that did not do the step get their rows back. */
static void give_back(const lanes_view *k, double before[TL_STATE][REAL_LANES], unsigned lanes) {
    for (int row = 0; row < TL_STATE; row++)
        for (int i = 0; i < REAL_LANES; i++)
            if (lanes >> i & 1u) k->row[WORLD_LANES * row + i] = before[row][i];
}

/* What an event tells: rates of the rows where the loads acted, with the velocities at the end. */
SIMD_FN void put_flips(const lanes_view *k, const lanes_contact *c, lanes3 v, lanes3 w, const lanes_books *b) {
    const lanes3 va = lanes3_add(v, lanes3_cross(w, c->arm_a));
    put3(k, TL_RATE, (lanes3){lanes3_dot(va, c->n), lanes3_dot(va, c->t1), lanes3_dot(va, c->t2)});
    put3(k, TL_RATE + 3, (lanes3){lanes3_dot(w, c->n), lanes3_dot(w, c->t1), lanes3_dot(w, c->t2)});
    for (int i = 0; i < 3; i++) put(k, TL_STUCK + i, b->stuck[i]);
}

/* ---- the step, in stages: what one part of the lanes waits for in a stage is hidden behind the other part's */

enum { VIEWS = WORLD_LANES / REAL_LANES };

typedef struct lanes_step {
    lanes_view at;
    lanes_contact c;
    lanes_books b;
    boolxn good; /* lanes that can do the step */
    realxn depth, shift, drives;
    realxn heat; /* dashpot_heat */
    lanes3 x, v, w;
    lanes4 q;
} lanes_step;

/* collide, and follow the contact. */
SIMD_FN void stage_follow(lanes_step *s) {
    const lanes_view *k = &s->at;
    const realxn zero = realxn_all(0.0);
    const lanes33 r = get33(k, TL_R);
    s->good = realxn_le(zero, zero);
    s->c.n = get3(k, TL_N);
    meet(k, r, &s->c, &s->good);
    const lanes_record old = carried(k, r);
    follow(&old, true, &s->c, &s->good);
}

/* trui_springs_load */
SIMD_FN void stage_load(lanes_step *s) {
    const lanes_view *k = &s->at;
    const realxn h = get(k, TL_H), zero = realxn_all(0.0);
    lanes_books *b = &s->b; /* filled in place: an initialiser would clear it by a loop */
    b->theta_shift = b->stiffness = zero;
    for (int kind = 0; kind < TRU_KINDS; kind++) {
        b->heat[kind] = zero;
        b->stiff[kind] = get(k, TL_STIFF + kind);
        b->energy[kind] = get(k, TL_ENERGY + kind);
    }
    for (int row = 0; row < TRU_FRICTION_ROWS; row++) b->stretch[row] = get(k, TL_STRETCH + row);
    for (int row = 0; row < TRU_ROWS; row++) b->p[row] = zero;
    for (int i = 0; i < 3; i++) b->stuck[i] = get(k, TL_STUCK + i);
    b->flips = realxn_lt(zero, zero);
    const realxn normal = normal_of(k, &s->c, get3(k, TL_V), get3(k, TL_W), b, &s->depth);
    b->p[0] = MUL(h, normal);
    load_kind(k, TRU_KIND_SLIDE, 0, 2, &s->c, normal, h, b);
    load_kind(k, TRU_KIND_SPIN, 2, 1, &s->c, normal, h, b);
    load_kind(k, TRU_KIND_ROLL, 3, 2, &s->c, normal, h, b);
}

/* Returns false where check_energy may fail: it counts the energy of turning and of springs too. 0.998 leaves room for rounding. */
SIMD_FN boolxn passes_check_energy(const lanes_step *s) {
    const lanes_view *k = &s->at;
    const realxn made = ADD(s->shift, ADD(get(k, TL_STIFFNESS), s->b.stiffness));
    realxn had = MUL(MUL(realxn_all(0.5), get(k, TL_MASS)), lanes3_dot(s->v, s->v));
    if (!k->form->prescribed) had = ADD(had, s->heat);
    for (int kind = 0; kind < TRU_KINDS; kind++) had = ADD(had, ADD(get(k, TL_HEAT + kind), s->b.heat[kind]));
    return realxn_le(made, MUL(realxn_all(0.998 * TRACK_MADE_BY_STEPS), had));
}

/* kick and push, account, drift */
SIMD_FN void stage_move(lanes_step *s) {
    const lanes_view *k = &s->at;
    const lanes_contact *c = &s->c;
    const realxn h = get(k, TL_H), half = realxn_all(0.5), *p = s->b.p;
    const lanes3 v0 = get3(k, TL_V), w0 = get3(k, TL_W), gravity = get3(k, TL_GRAVITY);
    const lanes3 force = in_frame(c, p), couple = in_frame(c, p + 3), inverse = get3(k, TL_INVERSE);
    const lanes3 moment = lanes3_add(couple, lanes3_cross(c->arm_a, force));
    const lanes3 v = lanes3_madd(lanes3_madd(v0, h, gravity), get(k, TL_INV_MASS), force);
    const lanes3 w =
        lanes3_add(w0, (lanes3){MUL(inverse.x, moment.x), MUL(inverse.y, moment.y), MUL(inverse.z, moment.z)});
    const lanes4 q = {get(k, TL_Q), get(k, TL_Q + 1), get(k, TL_Q + 2), get(k, TL_Q + 3)};
    s->q = lanes4_integrate(q, lanes3_scale(h, w), &s->good);
    s->x = lanes3_madd(get3(k, TL_X), h, v);
    s->v = v;
    s->w = w;
    const realxn fall = MUL(MUL(half, h), get(k, TL_MASS));
    s->drives = get(k, TL_DRIVES);
    s->shift = ADD(get(k, TL_THETA_SHIFT), s->b.theta_shift);
    s->shift = SUB(s->shift, MUL(fall, lanes3_dot(gravity, lanes3_sub(v, v0))));
    realxn normal;
    s->shift = ADD(s->shift, work_of(k, c, lanes3_scale(half, lanes3_add(v0, v)), lanes3_scale(half, lanes3_add(w0, w)),
                                     p, &s->drives, &normal));
    if (!k->form->prescribed) {
        const realxn elastic = MUL(s->b.stiff[TRU_KIND_NORMAL], s->depth);
        s->heat = MUL(SUB(MUL(h, elastic), p[0]), normal);
        s->shift = ADD(s->shift, s->heat);
        s->good = boolxn_and(s->good, realxn_le(MUL(half, s->depth), get(k, TL_RADIUS))); /* check_depth */
    }
    s->good = boolxn_and(s->good, passes_check_energy(s));
    const realxn turned = ADD(ADD(s->q.w, s->q.x), ADD(s->q.y, s->q.z));
    s->good = boolxn_and(s->good, boolxn_and(finite(s->x, v, w, turned), rest_stays(k, v, w)));
}

/* What the step leaves in the rows. */
SIMD_FN void put_step(const lanes_step *s) {
    const lanes_view *k = &s->at;
    const lanes_contact *c = &s->c;
    const lanes_books *b = &s->b;
    const lanes33 r = get33(k, TL_R);
    put3(k, TL_AT_A, lanes33_apply_t(r, c->arm_a));
    put3(k, TL_T1_A, lanes33_apply_t(r, c->t1));
    put3(k, TL_T2_A, lanes33_apply_t(r, c->t2));
    put3(k, TL_AT_B, into_b(k, c->arm_b));
    put3(k, TL_T1_B, into_b(k, c->t1));
    put3(k, TL_T2_B, into_b(k, c->t2));
    put3(k, TL_X, s->x);
    put3(k, TL_V, s->v);
    put3(k, TL_W, s->w);
    put_turned(k, s->q);
    for (int row = 0; row < TRU_FRICTION_ROWS; row++) put(k, TL_STRETCH + row, b->stretch[row]);
    for (int kind = 0; kind < TRU_KINDS; kind++) {
        put(k, TL_HEAT + kind, ADD(get(k, TL_HEAT + kind), b->heat[kind]));
        put(k, TL_STIFF + kind, b->stiff[kind]);
        put(k, TL_ENERGY + kind, b->energy[kind]);
    }
    if (!k->form->prescribed) put(k, TL_HEAT, ADD(get(k, TL_HEAT), s->heat));
    put(k, TL_OVERLAP, s->depth);
    put(k, TL_THETA_SHIFT, s->shift);
    put(k, TL_STIFFNESS, ADD(get(k, TL_STIFFNESS), b->stiffness));
    put(k, TL_DRIVES, s->drives);
}

/* Bits 0 to 7: lanes of the view that have not done the step; 8 to 15: that have, and changed a mode. */
SIMD_FN unsigned stage_end(const lanes_step *s) {
    const unsigned bad = boolxn_bits(boolxn_not(s->good)), flips = boolxn_bits(s->b.flips);
    double before[TL_STATE][REAL_LANES];
    for (int row = 0; bad && row < TL_STATE; row++) realxn_store(before[row], get(&s->at, row));
    put_step(s);
    if (flips) put_flips(&s->at, &s->c, s->v, s->w, &s->b);
    if (bad) give_back(&s->at, before, bad);
    return bad | (flips & ~bad) << 8;
}

SIMD_TARGET unsigned SIMD_NAMED(trui_track_kernel)(double (*row)[WORLD_LANES], const void *form, uint64_t most,
                                                   uint64_t *done) {
    lanes_step s[VIEWS];
    unsigned odd = 0;
    for (int i = 0; i < VIEWS; i++) s[i].at = (lanes_view){row[0] + i * REAL_LANES, form};
    for (*done = 0; *done < most; ++*done) {
#pragma GCC unroll 2
        for (int i = 0; i < VIEWS; i++) stage_follow(&s[i]);
#pragma GCC unroll 2
        for (int i = 0; i < VIEWS; i++) stage_load(&s[i]);
#pragma GCC unroll 2
        for (int i = 0; i < VIEWS; i++) stage_move(&s[i]);
#pragma GCC unroll 2
        for (int i = 0; i < VIEWS; i++) odd |= stage_end(&s[i]) << (i * REAL_LANES);
        if (odd) break;
    }
    return odd;
}
