/* spring_model.h: what one contact's springs and dashpots are made of, how they give way, and what they book [FN20 section 3].
 *
 * Written once for as many contacts as a realxn holds: one in springs.c, four or eight in kernels (springs_kernel.c,
 * track_kernel.c). Arguments of type bool and int are the same in all lanes; kernels pass constants, so that unused branches
 * vanish. */
#ifndef TRUNDLE_STEPPERS_SPRINGS_SPRING_MODEL_H
#define TRUNDLE_STEPPERS_SPRINGS_SPRING_MODEL_H

#include "lanes/realxn.h"

#include <trundle/plugin.h>

/* ---- what a spring is made of */

/* Two bodies' masses or inertias together: their mean, or reduced. */
SIMD_FN realxn join_masses(realxn a, realxn b, bool mean) {
    return mean ? MUL(realxn_all(0.5), ADD(a, b)) : DIV(MUL(a, b), ADD(a, b));
}

/* The normal spring at a depth, without its dashpot. */
typedef struct lanes_normal {
    realxn k;               /* [N/m] along its tangent */
    realxn elastic, energy; /* [N], [J] */
} lanes_normal;

SIMD_FN lanes_normal load_hooke(realxn k, realxn depth) {
    const realxn elastic = MUL(k, depth);
    return (lanes_normal){k, elastic, MUL(MUL(realxn_all(0.5), elastic), depth)};
}

/* S_n = 2 E_eff sqrt(R_eff delta), with twice the modulus */
SIMD_FN lanes_normal load_hertz(realxn modulus2, realxn curvature, realxn depth) {
    const realxn k = MUL(modulus2, realxn_sqrt(DIV(depth, curvature)));
    const realxn elastic = MUL(MUL(realxn_all(2.0 / 3.0), k), depth);
    return (lanes_normal){k, elastic, MUL(MUL(realxn_all(0.4), elastic), depth)};
}

/* [kg/s] Dashpot of a normal spring, as a ratio of critical damping: 2 sqrt(5/6) instead of 2 for hertz. */
SIMD_FN realxn damp_normal(bool hertz, realxn ratio, realxn k, realxn mass) {
    return MUL(MUL(realxn_all(hertz ? 1.8257418583505538 : 2.0), ratio), realxn_sqrt(MUL(k, mass)));
}

/* The friction spring of one kind: stiffness, dashpot, largest elastic load while it slips and while it sticks. */
typedef struct lanes_spring {
    realxn k, d, cap, hold;
} lanes_spring;

/* Makes a spring of stiffness k; caps are per normal force. damp2: twice the ratio of critical damping. */
SIMD_FN lanes_spring make_spring(realxn k, realxn inertia, realxn damp2, realxn cap, realxn hold, realxn normal) {
    return (lanes_spring){k, MUL(damp2, realxn_sqrt(MUL(inertia, k))), MUL(cap, normal), MUL(hold, normal)};
}

/* A stiffness of its own instead of the law's (`own`): the law's thresholds in radians stay, Theta = mu N (kappa_i + kappa_j)/(2 K_E). */
SIMD_FN void keep_thresholds(lanes_spring *s, realxn given, realxn own) {
    const realxn part = DIV(given, own);
    s->cap = MUL(s->cap, part);
    s->hold = MUL(s->hold, part);
}

/* ---- how it gives way */

/* What a step books for a contact, and what it leaves in the springs. */
typedef struct lanes_books {
    realxn theta_shift, stiffness, heat[TRU_KINDS];
    realxn start; /* [J] energy of springs that begin loaded */
    realxn stretch[TRU_FRICTION_ROWS], stiff[TRU_KINDS], energy[TRU_KINDS];
    realxn p[TRU_ROWS]; /* impulses */
    realxn stuck[3];    /* 1: the spring of this kind sticks, 0: it slips */
    boolxn flips;       /* some spring changes its mode */
} lanes_books;

/* How the springs of a contact act. */
typedef struct spring_rule {
    bool limited; /* the static cap limits spring and dashpot together */
    bool common;  /* spring and dashpot have one limit, and the dashpot always acts [Luding 2008] */
    bool begins;  /* declared to slip from the start: its direction is not known yet */
} spring_rule;

SIMD_FN realxn size_of(const realxn *v, int rows) {
    return rows == 1 ? realxn_abs(v[0]) : realxn_sqrt(ADD(MUL(v[0], v[0]), MUL(v[1], v[1])));
}

SIMD_FN realxn square_of(const realxn *v, int rows) {
    return rows == 1 ? MUL(v[0], v[0]) : ADD(MUL(v[0], v[0]), MUL(v[1], v[1]));
}

/* The motion of one kind in a step, one or two rows of it: from `old` to `next`. */
typedef struct lanes_motion {
    const realxn *moved;
    realxn old[2], next[2], elastic[2], drag[2];
    boolxn over;       /* the spring slips */
    bool slips, holds; /* in some lane */
} lanes_motion;

/* Cuts the dashpot down to what the elastic part leaves of `hold`. */
SIMD_FN void limit_drag(const realxn *elastic, int rows, realxn hold, realxn *drag) {
    realxn sum[2];
    for (int i = 0; i < rows; i++) sum[i] = ADD(elastic[i], drag[i]);
    const realxn all = size_of(sum, rows);
    const boolxn beyond = realxn_lt(hold, all);
    if (!boolxn_any(beyond)) return;
    const realxn f = DIV(hold, all);
    for (int i = 0; i < rows; i++) drag[i] = realxn_select(beyond, SUB(MUL(sum[i], f), elastic[i]), drag[i]);
}

/* Dashpots of the lanes that stick. */
SIMD_FN void drag_of(const lanes_spring *s, int rows, realxn h, bool limited, lanes_motion *m) {
    const realxn zero = realxn_all(0.0);
    for (int i = 0; i < rows; i++) m->drag[i] = zero;
    if (!m->holds) return;
    for (int i = 0; i < rows; i++) m->drag[i] = DIV(MUL(s->d, m->moved[i]), h);
    if (limited) limit_drag(m->elastic, rows, s->hold, m->drag);
    for (int i = 0; m->slips && i < rows; i++) m->drag[i] = realxn_select(m->over, zero, m->drag[i]);
}

/* Lanes whose force is over the limit; all that begin to slip. */
SIMD_FN void find_over(realxn limit, realxn force, bool begins, lanes_motion *m) {
    m->over = begins ? realxn_le(force, force) : realxn_lt(limit, force);
    m->slips = boolxn_any(m->over);
    m->holds = boolxn_any(boolxn_not(m->over));
}

/* The new stretch, by the rule of [FN20]: a spring that sticks gives way above `hold` and is cut down to it; one that slips stays at
 * `cap` until it moves less. Returns its size. */
SIMD_FN realxn give_way(const lanes_spring *s, int rows, boolxn sticks, bool begins, lanes_motion *m) {
    const realxn size = size_of(m->next, rows), force = MUL(s->k, size);
    const realxn limit = realxn_select(sticks, s->hold, s->cap);
    find_over(limit, force, begins, m);
    if (!m->slips) return size;
    const realxn cut = DIV(limit, force);
    const boolxn cuts = begins ? realxn_lt(realxn_all(0.0), size) : m->over;
    for (int i = 0; i < rows; i++) m->next[i] = realxn_select(cuts, MUL(m->next[i], cut), m->next[i]);
    return size_of(m->next, rows);
}

/* The same where spring and dashpot have one limit: beyond the static one their sum is cut to the kinetic one, and the spring is as
 * long as the dashpot leaves it. */
SIMD_FN realxn give_way_common(const lanes_spring *s, int rows, boolxn sticks, bool begins, realxn h, lanes_motion *m) {
    realxn sum[2];
    for (int i = 0; i < rows; i++) {
        m->drag[i] = DIV(MUL(s->d, m->moved[i]), h);
        sum[i] = ADD(MUL(s->k, m->next[i]), m->drag[i]);
    }
    const realxn force = size_of(sum, rows), part = DIV(s->cap, force);
    find_over(realxn_select(sticks, s->hold, s->cap), force, begins, m);
    const boolxn cuts = boolxn_and(m->over, realxn_lt(realxn_all(0.0), force));
    for (int i = 0; i < rows; i++)
        m->next[i] = realxn_select(cuts, DIV(SUB(MUL(sum[i], part), m->drag[i]), s->k), m->next[i]);
    return size_of(m->next, rows);
}

/* ---- what it books */

/* Springs that slip and changed by more than their motion have jumped. */
SIMD_FN void mark_jumps(int rows, const lanes_motion *m, realxn from[2], realxn e[2], boolxn *freed) {
    const boolxn jumps = boolxn_and(m->over, realxn_lt(square_of(m->moved, rows), square_of(e, rows)));
    if (!boolxn_any(jumps)) return;
    for (int i = 0; i < rows; i++) {
        e[i] = realxn_select(jumps, realxn_all(0.0), e[i]);
        from[i] = realxn_select(jumps, m->next[i], from[i]);
    }
    *freed = boolxn_or(*freed, jumps);
}

/* Heat and shift: with x the stretch, d the motion of the step, e the elastic part of it and s = d - e what gave way,
 *   K x.d = (energy gained) + K |e|^2 / 2 + K x.s.
 * What a spring changes without a motion is not part of e. It becomes heat at once, at the mean of the forces before and after: a
 * cap that fell below the old load (the normal force went down) frees what the spring cannot hold, and a spring that begins to slip
 * jumps from the static to the kinetic cap, or by what its dashpot takes of a common one. A common cap is not one of the spring. */
SIMD_FN void book_spring(const lanes_spring *s, int kind, int rows, realxn was, bool common, const lanes_motion *m,
                         lanes_books *b) {
    const realxn zero = realxn_all(0.0), half_k = MUL(realxn_all(0.5), s->k);
    const realxn held = MUL(s->k, was), most = realxn_max(s->cap, s->hold);
    boolxn freed = common ? realxn_lt(zero, zero) : realxn_lt(most, held);
    realxn from[2] = {m->old[0], m->old[rows - 1]}, e[2], heat = zero, shift = zero;
    if (boolxn_any(freed)) {
        const realxn keep = realxn_select(freed, DIV(most, held), realxn_all(1.0));
        for (int i = 0; i < rows; i++) from[i] = MUL(keep, m->old[i]);
    }
    for (int i = 0; i < rows; i++) e[i] = SUB(m->next[i], from[i]);
    if (m->slips) mark_jumps(rows, m, from, e, &freed);
    const bool frees = boolxn_any(freed);
    for (int i = 0; i < rows; i++) {
        const realxn gave = SUB(m->moved[i], e[i]);
        realxn part = MUL(m->elastic[i], gave);
        if (frees) part = ADD(MUL(half_k, SUB(MUL(m->old[i], m->old[i]), MUL(from[i], from[i]))), part);
        heat = ADD(heat, ADD(part, MUL(m->drag[i], m->moved[i])));
        shift = SUB(shift, MUL(MUL(half_k, e[i]), e[i]));
    }
    b->heat[kind] = ADD(b->heat[kind], heat);
    b->theta_shift = ADD(b->theta_shift, shift);
}

/* A spring that begins to slip with a motion is laid in at its cap: what it stores is the start's, and nothing was stretched. */
SIMD_FN void lay_in(const lanes_spring *s, int rows, realxn size, lanes_motion *m, lanes_books *b) {
    const boolxn fresh = realxn_lt(realxn_all(0.0), size);
    for (int i = 0; i < rows; i++) {
        const realxn stored = MUL(MUL(MUL(realxn_all(0.5), s->k), m->next[i]), m->next[i]);
        b->start = ADD(b->start, realxn_where(fresh, stored));
        m->old[i] = realxn_select(fresh, m->next[i], m->old[i]);
    }
}

/* Moves the spring of one kind by the motion of a step and books it; `row`: the first friction row of the kind, `moved`: its rows. */
SIMD_FN void load_spring(const lanes_spring *s, int kind, int row, int rows, const realxn *moved, realxn h,
                         spring_rule rule, lanes_books *b) {
    const realxn zero = realxn_all(0.0), half = realxn_all(0.5), one = realxn_all(1.0);
    const boolxn sticks = realxn_lt(half, b->stuck[kind - TRU_KIND_SLIDE]);
    lanes_motion m;
    m.moved = moved;
    for (int i = 0; i < rows; i++) {
        m.old[i] = b->stretch[row + i];
        m.next[i] = ADD(m.old[i], m.moved[i]);
    }
    realxn was = size_of(m.old, rows);
    const realxn stiffer = MUL(MUL(MUL(half, SUB(s->k, b->stiff[kind])), was), was);
    const realxn size = rule.begins ? size_of(m.next, rows) : zero;
    const realxn now =
        rule.common ? give_way_common(s, rows, sticks, rule.begins, h, &m) : give_way(s, rows, sticks, rule.begins, &m);
    /* sticking and over, or slipping and not */
    b->flips = boolxn_or(b->flips, boolxn_or(boolxn_and(sticks, m.over), boolxn_not(boolxn_or(sticks, m.over))));
    b->stuck[kind - TRU_KIND_SLIDE] = realxn_select(m.over, zero, one);
    for (int i = 0; i < rows; i++) {
        m.elastic[i] = MUL(s->k, m.next[i]);
        b->stretch[row + i] = m.next[i];
    }
    if (!rule.common) drag_of(s, rows, h, rule.limited, &m);
    if (rule.begins) lay_in(s, rows, size, &m, b);
    if (rule.begins) was = size_of(m.old, rows);
    book_spring(s, kind, rows, was, rule.common, &m, b);
    /* with a common limit the stretch of a spring that slips follows from the dashpot, whatever it was */
    const realxn lost = rule.common ? realxn_where(m.over, stiffer) : zero;
    b->stiffness = ADD(b->stiffness, rule.common ? SUB(stiffer, lost) : stiffer);
    if (rule.common) b->heat[kind] = SUB(b->heat[kind], lost);
    b->energy[kind] = MUL(MUL(MUL(half, s->k), now), now);
    b->stiff[kind] = s->k;
    for (int i = 0; i < rows; i++) {
        const realxn push = realxn_neg(ADD(m.elastic[i], m.drag[i]));
        b->theta_shift = SUB(b->theta_shift, MUL(push, m.moved[i])); /* with p.m of trui_springs_ledger: f.(d - h m) */
        b->p[1 + row + i] = MUL(h, push);
    }
}

/* Books the normal spring; returns its force with a dashpot that cannot pull. */
SIMD_FN realxn load_normal(const lanes_normal *n, realxn damping, realxn approach, lanes_books *b) {
    b->theta_shift = ADD(b->theta_shift, SUB(n->energy, b->energy[TRU_KIND_NORMAL]));
    b->energy[TRU_KIND_NORMAL] = n->energy;
    b->stiff[TRU_KIND_NORMAL] = n->k;
    return realxn_max(ADD(n->elastic, MUL(damping, approach)), realxn_all(0.0));
}

#endif
