/* one_contact_ball.c: the contact of a ball with a ball or with a body that does not move, in closed form.
 *
 * If inertia is isotropic and arms lie along the normal, the rows decouple: the normal one, the spin, and slide with roll.
 * With p = (slide), q = (roll 2, -roll 1) and rates u, w in the same order,
 *   u = r + alpha p + beta q,   w = o + beta p + gamma q,   |p| <= a, |q| <= b,
 * the same about every axis. Each of the two discs sticks or slips; one of the four cases obeys the laws, and only one,
 * because the matrix is positive definite:
 *   both stick       u = w = 0
 *   one slips        the other follows from it, and it opposes its remaining rate
 *   both slip        p = -a e, q = -b f with e along r - beta b f and f along o - beta a e, by alternating iteration */
#include "solvers/one_contact/one_contact_ball.h"

#include "base/assert.h"

/* Adds the responses of one body. Returns false if it is not a ball here. */
static bool add_ball(one_contact *l, const problem_body *o, const contact_frame *c, tru_vec3 arm) {
    const double along = v3_dot(arm, c->normal), turn = o->inverse.m[0][0];
    const double across2 = v3_norm2(v3_madd(arm, -along, c->normal));
    if (!o->round || !(across2 <= ONE_CONTACT_STRAIGHT * ONE_CONTACT_STRAIGHT * along * along)) return false;
    l->push += o->inv_mass;
    l->slide += o->inv_mass + turn * along * along;
    l->cross += turn * along;
    l->turn += turn;
    return true;
}

bool trui_one_contact_is_ball(one_contact *l, const problem_body *a, const problem_body *b) {
    const contact_frame *c = &l->c->c;
    l->push = l->slide = l->cross = l->turn = 0.0;
    if (!l->plain || !add_ball(l, a, c, c->arm_a)) return false;
    return !(b->inv_mass > 0.0) || add_ball(l, b, c, c->arm_b);
}

/* Returns the vector of length `size` along d; zero if d is. */
static inline vec2 v2_along(double size, vec2 d) {
    const double norm = sqrt(v2_dot(d, d));
    return norm > 0.0 ? v2_scale(size / norm, d) : v2(0.0, 0.0);
}

/* Returns true if x lies in the disc of radius `limit`. */
static inline bool within(vec2 x, double limit) { return v2_dot(x, x) <= limit * limit; }

/* Two discs of one contact. */
typedef struct discs {
    double alpha, beta, gamma; /* [1/kg], [1/(kg m)], [1/(kg m^2)] */
    double a, b;               /* [N s], [N m s] */
    vec2 r, o;                 /* [m/s], [rad/s] */
} discs;

/* Returns true if both discs stick. */
static inline bool both_stick(const discs *d, vec2 *p, vec2 *q) {
    TRU_ASSERT(!(d->alpha * d->gamma < d->beta * d->beta)); /* positive definite */
    const double scale = -1.0 / (d->alpha * d->gamma - d->beta * d->beta);
    *p = v2_scale(scale, v2_sub(v2_scale(d->gamma, d->r), v2_scale(d->beta, d->o)));
    *q = v2_scale(scale, v2_sub(v2_scale(d->alpha, d->o), v2_scale(d->beta, d->r)));
    return within(*p, d->a) && within(*q, d->b);
}

/* Returns true if the disc of radius b slips and that of p sticks: p = -(r + beta q) / alpha. */
static inline bool one_slips(double alpha, double beta, double gamma, double a, double b, vec2 r, vec2 o, vec2 *p,
                             vec2 *q) {
    const vec2 left = v2_madd(o, -beta / alpha, r);
    const double stiff = gamma - beta * beta / alpha;
    *q = v2_along(-b, left);
    *p = v2_scale(-1.0 / alpha, v2_madd(r, beta, *q));
    return within(*p, a) && !within(left, stiff * b);
}

/* Iterates both directions alternately. Returns false if they do not converge, or if a remaining rate opposes its direction. */
static inline bool both_slip(const discs *d, vec2 *p, vec2 *q) {
    vec2 u, w = d->o;
    *q = v2_along(-d->b, w);
    for (int i = 0; i < ONE_CONTACT_TURNS; i++) {
        u = v2_madd(d->r, d->beta, *q);
        *p = v2_along(-d->a, u);
        w = v2_madd(d->o, d->beta, *p);
        const vec2 next = v2_along(-d->b, w), moved = v2_sub(next, *q);
        *q = next;
        if (v2_dot(moved, moved) <= 0x1p-106 * d->b * d->b)
            return !within(u, d->alpha * d->a) && !within(w, d->gamma * d->b);
    }
    return false;
}

/* Returns true if a case obeys the laws. Bit 0 of `which`: the slide slips, bit 1: the roll slips. */
static bool try_case(const discs *d, unsigned which, vec2 *p, vec2 *q) {
    if (which == 0) return both_stick(d, p, q);
    if (which == 1) return one_slips(d->gamma, d->beta, d->alpha, d->b, d->a, d->o, d->r, q, p);
    if (which == 2) return one_slips(d->alpha, d->beta, d->gamma, d->a, d->b, d->r, d->o, p, q);
    return both_slip(d, p, q);
}

/* Returns the impulse of one disc alone of radius `limit`, with u = r + g x. */
static vec2 one_disc(double g, double limit, vec2 r) {
    const vec2 x = v2_scale(-1.0 / g, r);
    return within(x, limit) ? x : v2_along(-limit, r);
}

/* Solves slide and roll at a given normal impulse; the case of the last step is tried first. */
static bool solve_discs(const one_contact *l, double normal, vec2 *p, vec2 *q) {
    const unsigned claims = l->c->pair->claims, stuck = l->c->stuck;
    const unsigned s = TRU_KIND_BIT(TRU_KIND_SLIDE), r = TRU_KIND_BIT(TRU_KIND_ROLL);
    const vec2 slip = v2(l->r[1], l->r[2]), roll = l->n > 3 ? v2(l->r[5], -l->r[4]) : v2(0.0, 0.0);
    *p = *q = v2(0.0, 0.0);
    if (!(claims & r)) {
        if (claims & s) *p = one_disc(l->slide, l->limit[0] * normal, slip);
        return true;
    }
    if (!(claims & s)) {
        *q = one_disc(l->turn, l->limit[2] * normal, roll);
        return true;
    }
    const discs d = {l->slide, l->cross, l->turn, l->limit[0] * normal, l->limit[2] * normal, slip, roll};
    const unsigned guess = (stuck & s ? 0u : 1u) | (stuck & r ? 0u : 2u);
    for (unsigned k = 0; k < 4; k++)
        if (try_case(&d, guess ^ k, p, q)) return true;
    return false;
}

bool trui_one_contact_solve_ball(one_contact *l) {
    TRU_ASSERT(l->ball && l->push > 0.0 && (l->n == 3 || l->n == TRU_ROWS));
    const unsigned claims = l->c->pair->claims;
    const double normal = l->r[0] < 0.0 ? -l->r[0] / l->push : 0.0;
    vec2 p = {0.0, 0.0}, q = {0.0, 0.0};
    double spin = 0.0;
    if (normal > 0.0) {
        if (!solve_discs(l, normal, &p, &q)) return false;
        if (claims & TRU_KIND_BIT(TRU_KIND_SPIN)) spin = clamp(-l->r[3] / l->turn, l->limit[1] * normal);
    }
    l->p[0] = normal;
    l->u[0] = l->r[0] + l->push * normal;
    l->p[1] = p.x;
    l->p[2] = p.y;
    const bool slides = claims & TRU_KIND_BIT(TRU_KIND_SLIDE), rolls = claims & TRU_KIND_BIT(TRU_KIND_ROLL);
    l->u[1] = slides ? l->r[1] + l->slide * p.x + l->cross * q.x : 0.0;
    l->u[2] = slides ? l->r[2] + l->slide * p.y + l->cross * q.y : 0.0;
    if (l->n == 3) return true;
    l->p[3] = spin;
    l->p[4] = -q.y;
    l->p[5] = q.x;
    l->u[3] = l->r[3] + l->turn * spin; /* r is 0 in rows that no law claims */
    l->u[4] = rolls ? l->r[4] - l->turn * q.y - l->cross * p.y : 0.0;
    l->u[5] = rolls ? l->r[5] + l->turn * q.x + l->cross * p.x : 0.0;
    return true;
}
