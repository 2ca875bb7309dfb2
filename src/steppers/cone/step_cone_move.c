/* step_cone_move.c: poses at the end of a step of cone with impacts: what rebounds within the step does so where it touches.
 *
 * Impulses act at the start of the step, an impact with restitution later, when the gap is closed: until then its bodies move as they did,
 * x_end = x + when v_before + (h - when) v_end. Bodies that joints hold together take one `when`. */
#include "steppers/cone/step_cone_move.h"

#include "base/assert.h"
#include "base/error.h"
#include "step/motion.h"
#include "step/solve/rebound.h"

/* Of a body: when it is struck, as a mean over its impacts weighted by their impulses. */
typedef struct strike {
    double impulse; /* [N s] of all */
    double when;    /* [N s^2] their sum of impulse times time; then [s] */
    bool held;      /* something else carries it */
} strike;

static void strike_add(strike *to, double impulse, double when) {
    TRU_ASSERT(impulse > 0.0 && when >= 0.0);
    to->impulse += impulse;
    to->when += impulse * when;
}

static void note_strikes(const step *s, strike *of) {
    for (size_t i = 0; i < s->w->contacts.count; i++) {
        const contact *c = &s->w->contacts.items[i];
        const double p = c->impulse[TRU_ROW_NORMAL];
        if (!(p > 0.0)) continue;
        if ((c->flags & CONTACT_IMPACT) && c->pair->restitution > 0.0) {
            const double when = contact_rebound(s, c).when;
            strike_add(&of[c->a], p, when);
            strike_add(&of[c->b], p, when);
        } else {
            of[c->a].held = of[c->b].held = true;
        }
    }
}

/* Joined bodies are struck together: the strongest strike goes from joint to joint until all have it. */
static void share_strikes(const tru_world *w, strike *of) {
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < w->joints.count; i++) {
            const joint *j = &w->joints.items[i];
            strike *a = &of[j->a], *b = &of[j->b];
            if (!body_is_free(&w->bodies.items[j->a]) || !body_is_free(&w->bodies.items[j->b])) continue;
            if (a->impulse == b->impulse && a->when == b->when) continue;
            if (b->impulse > a->impulse || (b->impulse == a->impulse && b->when > a->when))
                a->impulse = b->impulse, a->when = b->when;
            else
                b->impulse = a->impulse, b->when = a->when;
            again = true;
        }
    }
}

/* To the end of the step, struck on the way. The angular velocity keeps its body components up to then. */
static void body_move_struck(const step *s, size_t i, const strike *hit) {
    TRU_ASSERT(hit->impulse > 0.0 && hit->when >= 0.0);
    body *b = &s->w->bodies.items[i];
    const twist *before = hit->held || b->joints > 0 ? &s->body_steps[i].start : &s->kicked[i];
    const double when = hit->when / hit->impulse, rest = s->h - when;
    s->w->ledger.theta_shift += when * b->mass * v3_dot(s->w->gravity, v3_sub(b->v, before->v));
    b->x = v3_madd(v3_madd(b->x, when, before->v), rest, b->v);
    const tru_quat struck = quat_integrate(b->q, before->w, when);
    if (!b->isotropic) b->w = quat_rotate(struck, quat_unrotate(b->q, b->w));
    b->q = quat_integrate(struck, b->w, rest);
}

static void move_struck(const step *s, const strike *of) {
    for (size_t i = 0; i < s->w->bodies.count; i++) {
        body *b = &s->w->bodies.items[i];
        if (b->kind == TRU_FIXED || b->belt) continue;
        if (body_is_free(b) && of[i].impulse > 0.0)
            body_move_struck(s, i, &of[i]);
        else
            body_drift(b, s->h, false);
    }
}

bool trui_cone_any_rebounds(const tru_world *w) {
    for (size_t i = 0; i < w->pairs.count; i++)
        if (w->pairs.items[i].restitution > 0.0) return true;
    return false;
}

tru_status trui_cone_move_struck(step *s, tru_error *err) {
    const size_t n = s->w->bodies.count;
    strike *of = ARENA_ARRAY(&s->w->scratch, strike, n);
    if (!of) return tru_no_memory(err);
    memset(of, 0, n * sizeof *of);
    note_strikes(s, of);
    share_strikes(s->w, of);
    move_struck(s, of);
    return TRU_OK;
}
