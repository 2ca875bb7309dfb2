/* step_cone_move.c: poses at the end of a step of cone: what rebounds within the step does so where it touches, and bodies are
 * moved out of their overlaps.
 *
 * Impulses act at the start of the step, an impact with restitution later, when the gap is closed: until then its bodies go on as they did,
 * x_end = x + when v_before + (h - when) v_end. Bodies that joints hold together take one `when`. Overlaps are recovered by shifts along
 * the normals, shared by inverse mass, that no velocity remembers. */
#include "steppers/cone/step_cone.h"

#include "base/error.h"
#include "parallel/parallel.h"

/* ---- impacts within the step */

/* Of a body: when it is struck, as a mean over its impacts weighted by their impulses. */
typedef struct strike {
    double impulse; /* [N s] of all */
    double when;    /* [N s^2] their sum of impulse times time; then [s] */
    bool held;      /* something else carries it */
} strike;

static void strike_add(strike *to, double impulse, double when) {
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

static bool any_rebounds(const tru_world *w) {
    for (size_t i = 0; i < w->pairs.count; i++)
        if (w->pairs.items[i].restitution > 0.0) return true;
    return false;
}

/* ---- overlaps */

static tru_status move_out(const tru_cone *o, const step *s, const cone_scales *k, tru_error *err) {
    tru_world *w = s->w;
    tru_vec3 *shift = ARENA_ARRAY(&w->scratch, tru_vec3, w->bodies.count);
    double work = 0.0;
    if (!shift) return tru_no_memory(err);
    memset(shift, 0, w->bodies.count * sizeof *shift);
    for (size_t i = 0; i < w->contacts.count; i++)
        if (w->contacts.items[i].flags & CONTACT_DEEP) cone_part(o, s, k, &w->contacts.items[i], s->seen[i], shift);
    for (size_t i = 0; i < w->bodies.count; i++) work += cone_shift(w, &w->bodies.items[i], shift[i]);
    w->ledger.projection += work;
    return TRU_OK;
}

tru_status trui_cone_move(const tru_cone *o, step *s, const cone_scales *k, tru_error *err) {
    tru_world *w = s->w;
    if ((s->found & CONTACT_IMPACT) && any_rebounds(w)) {
        strike *of = ARENA_ARRAY(&w->scratch, strike, w->bodies.count);
        if (!of) return tru_no_memory(err);
        memset(of, 0, w->bodies.count * sizeof *of);
        note_strikes(s, of);
        share_strikes(w, of);
        move_struck(s, of);
    } else {
        trui_drift(w, s->h, false);
    }
    return s->found & CONTACT_DEEP ? move_out(o, s, k, err) : TRU_OK;
}
