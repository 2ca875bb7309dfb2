/* ball_kernel.c: a step of eight balls on planes (ball_rows.h), for the instruction set that SIMD_ISA names.
 *
 * Expressions are those of step/lot, motion.h, ledger.h and books.h, operation by operation; the contact is in ball_contact_lanes.h.
 * docs/design/lane.md says why this second text of a step exists. */
#define SIMD_SINGLE /* more values than registers hold: one register per value with AVX2 */
#include "steppers/worlds/ball_contact_lanes.h"
#include "world/books.h"

/* ---- the step */

enum { VIEWS = WORLD_LANES / REAL_LANES };

typedef struct lanes_step {
    lanes_view at;
    lanes_problem l;
    lanes_place place; /* where the laws act */
    lanes3 v0, w0;     /* velocities at the start */
    lanes3 x, v, w;    /* at the end */
    lanes4 q;
    realxn bias[TRU_ROWS], rate[TRU_ROWS];
    realxn shift, heat[3], projection, stabilisation, energy;
    boolxn good; /* lanes that can do the step */
} lanes_step;

/* body_kick without loads */
SIMD_FN lanes3 kicked(const lanes_view *k, lanes3 v) { return lanes3_madd(v, get(k, BL_H), get3(k, BL_GRAVITY)); }

/* contact_push */
SIMD_FN void push(lanes_step *s, lanes3 v, lanes3 w) {
    const lanes_view *k = &s->at;
    const realxn *p = s->l.p;
    const lanes3 n = get3(k, BL_N), t1 = get3(k, BL_T1), t2 = get3(k, BL_T2);
    const lanes3 force = lanes3_madd(lanes3_madd(lanes3_scale(p[0], n), p[1], t1), p[2], t2);
    lanes3 couple = lanes3_cross(s->place.arm, force);
    if (has_couples(k))
        couple = lanes3_add(lanes3_madd(lanes3_madd(lanes3_scale(p[3], n), p[4], t1), p[5], t2), couple);
    s->v = lanes3_madd(v, get(k, BL_INV_MASS), force);
    s->w = lanes3_add(w, lanes3_scale(s->l.turn, couple));
}

/* Solves the contact for free velocities and biases. */
SIMD_FN void solve_contact(lanes_step *s, lanes3 v, lanes3 w) {
    const lanes_view *k = &s->at;
    realxn u[TRU_ROWS];
    rates_at(k, s->place.arm, v, w, u);
    build(k, s->place.arm, &s->l);
    set_rates(k, u, s->bias, &s->l);
    solve(k, &s->l);
    evaluate(k, &s->l);
    finish(k, &s->l);
    s->good = boolxn_and(s->good, s->l.good);
    push(s, v, w);
}

/* moreau_bias of a steady contact */
SIMD_FN void bias_moreau(lanes_step *s) {
    const lanes_view *k = &s->at;
    const realxn zero = realxn_all(0.0);
    realxn middle[TRU_ROWS], start[TRU_ROWS];
    for (int row = 0; row < TRU_ROWS; row++) start[row] = get(k, BL_RATE + row);
    rates_at(k, s->place.arm, s->v0, s->w0, middle);
    const realxn approach = larger_of(zero, realxn_neg(start[0]));
    s->good = boolxn_and(s->good, boolxn_not(realxn_lt(get(k, BL_STRIKES), approach)));
    s->bias[0] = SUB(middle[0], MUL(realxn_all(0.1), start[0]));
    for (int row = 1; row < TRU_ROWS; row++) {
        const boolxn stuck = truth(k, BL_STUCK + kind_of(row) - TRU_KIND_SLIDE);
        s->bias[row] = realxn_select(stuck, SUB(middle[row], start[row]), middle[row]);
    }
}

/* cone_bias of a contact that neither strikes nor overlaps */
SIMD_FN void bias_cone(lanes_step *s) {
    const lanes_view *k = &s->at;
    const realxn zero = realxn_all(0.0), gap = s->place.gap, touching = get(k, BL_TOUCHING);
    const lanes3 va = lanes3_add(s->v0, lanes3_cross(s->w0, s->place.arm));
    const realxn approach = larger_of(zero, realxn_neg(lanes3_dot(va, get3(k, BL_N))));
    s->good = boolxn_and(s->good, boolxn_not(realxn_lt(get(k, BL_STRIKES), approach)));
    s->good = boolxn_and(s->good, realxn_le(realxn_neg(touching), gap));
    for (int row = 1; row < TRU_ROWS; row++) s->bias[row] = zero;
    s->bias[0] = realxn_where(realxn_lt(touching, gap), DIV(SUB(gap, touching), get(k, BL_H)));
}

/* reversed_kinds: lanes in which the step reversed a row that slid are left to their worlds. */
SIMD_FN void refuse_reversed(lanes_step *s) {
    const lanes_view *k = &s->at;
    realxn end[TRU_ROWS];
    rates_at(k, s->place.arm, s->v, s->w, end);
    for (int kind = TRU_KIND_SLIDE; kind < TRU_KINDS; kind++) {
        if (!claims(k, kind)) continue;
        realxn sum = realxn_all(0.0);
        for (int row = 1; row < TRU_ROWS; row++)
            if (kind_of(row) == kind) sum = realxn_madd(sum, end[row], s->bias[row]);
        const boolxn stuck = truth(k, BL_STUCK + kind - TRU_KIND_SLIDE);
        s->good = boolxn_and(s->good, boolxn_or(stuck, boolxn_not(realxn_lt(sum, realxn_all(0.0)))));
    }
}

/* ledger_contact of a contact that does not strike, and ledger_body of cone */
SIMD_FN void book(lanes_step *s, bool cone) {
    const lanes_view *k = &s->at;
    const realxn half = realxn_all(0.5), *p = s->l.p;
    realxn m[TRU_ROWS];
    rates_at(k, s->place.arm, lanes3_scale(half, lanes3_add(s->v0, s->v)), lanes3_scale(half, lanes3_add(s->w0, s->w)),
             m);
    s->shift = get(k, BL_SHIFT);
    s->stabilisation = get(k, BL_STABILISATION);
    for (int i = 0; i < 3; i++) s->heat[i] = get(k, BL_HEAT + i);
    if (cone) {
        const realxn fall = MUL(MUL(half, get(k, BL_H)), get(k, BL_MASS));
        s->shift = SUB(s->shift, MUL(fall, lanes3_dot(get3(k, BL_GRAVITY), lanes3_sub(s->v, s->v0))));
        const realxn recovered = MUL(realxn_neg(p[0]), s->bias[0]);
        s->stabilisation = ADD(s->stabilisation, recovered);
        s->shift = ADD(s->shift, SUB(MUL(p[0], m[0]), recovered));
    } else {
        s->shift = ADD(s->shift, MUL(p[0], m[0]));
    }
    for (int row = 1; row < TRU_ROWS; row++) {
        const int kind = kind_of(row), line = kind - TRU_KIND_SLIDE;
        if (!claims(k, kind)) continue;
        const realxn seen = cone ? s->l.u[row] : MUL(half, s->l.u[row]);
        s->heat[line] = SUB(s->heat[line], MUL(p[row], seen));
        s->shift = ADD(s->shift, MUL(p[row], SUB(m[row], seen)));
    }
}

/* lot_project_overlaps: the contact is closed, and its rates are those of the end. */
SIMD_FN void project(lanes_step *s) {
    const lanes_view *k = &s->at;
    const realxn zero = realxn_all(0.0), inv_mass = get(k, BL_INV_MASS);
    const lanes3 n = get3(k, BL_N), from = s->x;
    const lanes_place end = look(k, s->x, s->q);
    s->good = boolxn_and(s->good, realxn_le(realxn_neg(get(k, BL_SIZE)), end.gap)); /* contact_sank */
    const lanes3 lifted = lanes3_madd(s->x, DIV(MUL(realxn_neg(end.gap), inv_mass), inv_mass), n);
    const boolxn open = boolxn_or(realxn_lt(end.gap, zero), realxn_lt(zero, end.gap));
    s->x = (lanes3){realxn_select(open, lifted.x, s->x.x), realxn_select(open, lifted.y, s->x.y),
                    realxn_select(open, lifted.z, s->x.z)};
    const realxn work = MUL(realxn_neg(get(k, BL_MASS)), lanes3_dot(get3(k, BL_GRAVITY), lanes3_sub(s->x, from)));
    s->projection = ADD(get(k, BL_PROJECTION), work);
    rates_at(k, end.arm, s->v, s->w, s->rate);
}

/* A step of stepper moreau, scheme midpoint: step_midpoint of the lot on a plane. */
SIMD_FN void step_moreau(lanes_step *s) {
    const lanes_view *k = &s->at;
    const realxn h = get(k, BL_H), half = realxn_all(0.5), half_step = MUL(half, h);
    const lanes3 x0 = get3(k, BL_X);
    const lanes4 q0 = get4(k, BL_Q);
    const lanes4 q = lanes4_integrate(q0, lanes3_scale(half_step, s->w0), &s->good);
    s->place = look(k, lanes3_madd(x0, half_step, s->v0), q);
    s->good = boolxn_and(s->good, is_near(k, &s->place));
    bias_moreau(s);
    solve_contact(s, kicked(k, s->v0), s->w0);
    refuse_reversed(s);
    book(s, false);
    s->x = lanes3_madd(x0, h, lanes3_scale(half, lanes3_add(s->v0, s->v)));
    s->q = lanes4_integrate(q0, lanes3_scale(h, lanes3_scale(half, lanes3_add(s->w0, s->w))), &s->good);
    project(s);
}

/* A step of stepper cone: step_lot of the lot on a plane. */
SIMD_FN void step_cone(lanes_step *s) {
    const lanes_view *k = &s->at;
    const realxn h = get(k, BL_H);
    const lanes3 x0 = get3(k, BL_X);
    const lanes4 q0 = get4(k, BL_Q);
    s->place = look(k, x0, q0);
    s->good = boolxn_and(s->good, is_near(k, &s->place));
    bias_cone(s);
    solve_contact(s, kicked(k, s->v0), s->w0);
    book(s, true);
    s->x = lanes3_madd(x0, h, s->v);
    s->q = lanes4_integrate(q0, lanes3_scale(h, s->w), &s->good);
    s->projection = get(k, BL_PROJECTION);
    for (int row = 0; row < TRU_ROWS; row++) s->rate[row] = realxn_all(0.0); /* put_step keeps those of moreau alone */
}

/* ---- the end of the step */

/* books_hold, and energy_seen */
SIMD_FN void check_books(lanes_step *s) {
    const lanes_view *k = &s->at;
    const realxn zero = realxn_all(0.0), seen = get(k, BL_ENERGY);
    const realxn made =
        ADD(ADD(ADD(s->shift, get(k, BL_GYROSCOPIC)), ADD(s->projection, s->stabilisation)), get(k, BL_LIFT));
    const realxn lost = ADD(ADD(ADD(s->heat[0], s->heat[1]), ADD(s->heat[2], get(k, BL_IMPACT))), get(k, BL_SEALS));
    const realxn supplied = get(k, BL_SUPPLIED), gained = SUB(made, realxn_max(lost, zero));
    const realxn sum = ADD(ADD(gained, supplied), ADD(lost, get(k, BL_STORED)));
    const boolxn due = realxn_le(realxn_all(BOOKS_PERIOD - 1), get(k, BL_PHASE));
    s->energy = seen;
    if (boolxn_any(due)) {
        const realxn mass = get(k, BL_MASS);
        const realxn potential = MUL(realxn_neg(mass), lanes3_dot(get3(k, BL_GRAVITY), s->x));
        const realxn speed =
            DIV(MUL(realxn_all(BOOKS_PLACE_NOISE), ADD(lanes3_norm(s->x), get(k, BL_SIZE))), get(k, BL_H));
        const realxn noise = MUL(MUL(mass, speed), speed);
        const realxn had = ADD(ADD(ADD(SUB(get(k, BL_START), potential), supplied), get(k, BL_WEIGHED)), noise);
        s->energy = realxn_select(due, realxn_max(seen, had), seen);
        s->good = boolxn_and(s->good, realxn_le(had, realxn_all(DBL_MAX)));
    }
    s->good =
        boolxn_and(s->good, boolxn_and(realxn_le(gained, s->energy), realxn_le(realxn_abs(sum), realxn_all(DBL_MAX))));
}

/* Whether poses and velocities are finite, and the body rests as it did: the end of on_plane_accept. */
SIMD_FN void check_end(lanes_step *s) {
    const lanes_view *k = &s->at;
    const realxn size = get(k, BL_SIZE);
    const lanes3 sum = lanes3_add(lanes3_add(s->x, s->v), s->w);
    const realxn all = ADD(ADD(ADD(sum.x, sum.y), sum.z), ADD(ADD(s->q.w, s->q.x), ADD(s->q.y, s->q.z)));
    s->good = boolxn_and(s->good, realxn_le(realxn_abs(all), realxn_all(DBL_MAX)));
    const realxn speed2 = ADD(lanes3_dot(s->v, s->v), MUL(MUL(size, size), lanes3_dot(s->w, s->w)));
    s->good = boolxn_and(s->good, same_truth(realxn_lt(speed2, get(k, BL_SLOW2)), truth(k, BL_RESTING)));
}

/* trui_one_contact_report and add_to_totals */
SIMD_FN void put_totals(const lanes_step *s) {
    const lanes_view *k = &s->at;
    const lanes_problem *l = &s->l;
    const realxn number = ADD(get(k, BL_STEP), realxn_all(1.0));
    realxn rate[TRU_ROWS], size2 = realxn_all(0.0);
    for (int row = 0; row < TRU_ROWS; row++) {
        rate[row] =
            row == 0 || claims(k, kind_of(row)) ? DIV(realxn_abs(l->f[row]), l->rho[kind_of(row)]) : realxn_all(0.0);
        const realxn relative = row < 3 ? rate[row] : MUL(rate[row], l->length);
        size2 = realxn_madd(size2, relative, relative);
    }
    const realxn kinds[TRU_KINDS] = {rate[0], larger_of(rate[1], rate[2]), rate[3], larger_of(rate[4], rate[5])};
    for (int i = 0; i < TRU_KINDS; i++) put(k, BL_RESIDUAL + i, larger_of(get(k, BL_RESIDUAL + i), kinds[i]));
    put(k, BL_STEP, number);
    const boolxn more = realxn_lt(get(k, BL_WORST), l->worst);
    if (!boolxn_any(more)) return;
    put(k, BL_WORST, realxn_select(more, l->worst, get(k, BL_WORST)));
    put(k, BL_WORST_SPEED, realxn_select(more, realxn_sqrt(size2), get(k, BL_WORST_SPEED)));
    put(k, BL_WORST_STEP, realxn_select(more, number, get(k, BL_WORST_STEP)));
}

/* What the step leaves in the rows. */
SIMD_FN void put_step(const lanes_step *s) {
    const lanes_view *k = &s->at;
    put3(k, BL_X, s->x);
    put(k, BL_Q, s->q.w);
    put3(k, BL_Q + 1, (lanes3){s->q.x, s->q.y, s->q.z});
    put3(k, BL_V, s->v);
    put3(k, BL_W, s->w);
    for (int row = 0; row < TRU_ROWS; row++) {
        if (!k->form->cone) {
            put(k, BL_RATE + row, s->rate[row]);
            put(k, BL_OLDER + row, get(k, BL_LAST + row));
            put(k, BL_LAST + row, get(k, BL_DRY + row));
        }
        put(k, BL_DRY + row, s->l.p[row]);
    }
    put(k, BL_SHIFT, s->shift);
    for (int i = 0; i < 3; i++) put(k, BL_HEAT + i, s->heat[i]);
    put(k, BL_PROJECTION, s->projection);
    put(k, BL_STABILISATION, s->stabilisation);
    put(k, BL_ENERGY, s->energy);
    const realxn phase = get(k, BL_PHASE);
    put(k, BL_PHASE, realxn_where(realxn_lt(phase, realxn_all(BOOKS_PERIOD - 1)), ADD(phase, realxn_all(1.0))));
    put_totals(s);
}

/* Lanes that did not do the step get their rows back. */
static void give_back(const lanes_view *k, double before[BL_STATE][REAL_LANES], unsigned lanes) {
    for (int row = 0; row < BL_STATE; row++)
        for (int i = 0; i < REAL_LANES; i++)
            if (lanes >> i & 1u) k->row[WORLD_LANES * row + i] = before[row][i];
}

/* Returns the lanes of the view that have not done the step. */
SIMD_FN unsigned end_step(const lanes_step *s) {
    const unsigned bad = boolxn_bits(boolxn_not(s->good));
    double before[BL_STATE][REAL_LANES];
    for (int row = 0; bad && row < BL_STATE; row++) realxn_store(before[row], get(&s->at, row));
    put_step(s);
    if (bad) give_back(&s->at, before, bad);
    return bad;
}

SIMD_TARGET unsigned SIMD_NAMED(trui_ball_kernel)(double (*row)[WORLD_LANES], const void *form, uint64_t most,
                                                  uint64_t *done) {
    const ball_form *f = form;
    unsigned odd = 0;
    for (*done = 0; *done < most; ++*done) {
        for (int i = 0; i < VIEWS; i++) {
            lanes_step s;
            s.at = (lanes_view){row[0] + i * REAL_LANES, f};
            s.v0 = get3(&s.at, BL_V);
            s.w0 = get3(&s.at, BL_W);
            s.good = realxn_le(realxn_all(0.0), realxn_all(0.0));
            if (f->cone)
                step_cone(&s);
            else
                step_moreau(&s);
            check_books(&s);
            check_end(&s);
            odd |= end_step(&s) << (i * REAL_LANES);
        }
        if (odd) break;
    }
    return odd;
}
