/* motion.c: drift, inertia, kick and place of all bodies. */
#include "step/motion.h"
#include "base/assert.h"

#include "base/error.h"
#include "lanes/fetch.h"
#include "parallel/parallel.h"

typedef struct drifting {
    tru_world *w;
    double h;
    bool additive;
} drifting;

static void drift_bodies(void *context, size_t begin, size_t end) {
    const drifting *d = context;
    TRU_ASSERT(begin <= end && end <= d->w->bodies.count);
    for (size_t i = begin; i < end; i++) {
        body *b = &d->w->bodies.items[i];
        FETCH_NEXT(d->w->bodies.items, i, end, id, gain);
        if (b->kind == TRU_FIXED || b->belt) continue;
        body_drift(b, d->h, d->additive);
    }
}

void trui_drift(tru_world *w, double h, bool additive) {
    drifting d = {w, h, additive};
    trui_parallel_for(w->threads, w->bodies.count, BODY_GRAIN, drift_bodies, &d);
}

static void add_loads(step *s) {
    const tru_world *w = s->w;
    for (size_t i = 0; i < w->loads.count; i++) {
        const load *l = &w->loads.items[i];
        const size_t k = trui_body_index(w, l->body);
        TRU_ASSERT(k < w->bodies.count && s->body_steps[k].dynamics);
        const double f = trui_schedule_factor(&l->schedule, s->time + 0.5 * s->h);
        const tru_quat q = w->bodies.items[k].q;
        s->body_steps[k].dynamics->force =
            v3_madd(s->body_steps[k].dynamics->force, f, l->body_axes ? quat_rotate(q, l->force) : l->force);
        s->body_steps[k].dynamics->torque =
            v3_madd(s->body_steps[k].dynamics->torque, f, l->body_axes ? quat_rotate(q, l->torque) : l->torque);
    }
}

static void inertia_of_bodies(void *context, size_t begin, size_t end) {
    const step *s = context;
    tru_world *w = s->w;
    TRU_ASSERT(begin <= end && end <= w->bodies.count);
    TRU_ASSERT(w->middle.count == 0 || w->middle.count == w->bodies.count);
    for (size_t i = begin; i < end; i++) {
        const body *b = &w->bodies.items[i];
        body_step *m = &s->body_steps[i];
        FETCH_NEXT(w->bodies.items, i, end, id, solid_first);
        if (m->dynamics) m->dynamics->force = m->dynamics->torque = v3_zero();
        s->inverse[i].inv_mass = b->inv_mass;
        s->inverse[i].moves = b->kind != TRU_FIXED;
        s->inverse[i].round = b->isotropic;
        if (w->middle.count > 0) w->middle.items[i] = b->q;
        if (s->size) s->size[i] = body_is_free(b) ? b->size : -b->size;
        if (body_is_free(b)) body_inertia(b, m, &s->inverse[i]);
    }
}

void trui_inertia_here(step *s) {
    trui_parallel_for(s->w->threads, s->w->bodies.count, BODY_GRAIN, inertia_of_bodies, s);
    add_loads(s);
}

static void kick_bodies(void *context, size_t begin, size_t end) {
    const step *s = context;
    const tru_world *w = s->w;
    for (size_t i = begin; i < end; i++) {
        const body *b = &w->bodies.items[i];
        body_step *m = &s->body_steps[i];
        if (!body_is_free(b)) {
            s->free[i] = m->start;
            if (b->kind == TRU_DRIVEN) trui_driven_rates(w, b, s->time + s->h, &s->free[i].v, &s->free[i].w);
            continue;
        }
        body_kick(s, b, m, &s->inverse[i], &s->free[i]);
    }
}

static void inertia_and_kick_bodies(void *context, size_t begin, size_t end) {
    enum { NEAR = 64 }; /* bodies that stay in the cache between the two */
    for (size_t at = begin; at < end; at += NEAR) {
        const size_t stop = end - at < NEAR ? end : at + NEAR;
        inertia_of_bodies(context, at, stop);
        kick_bodies(context, at, stop);
    }
}

void trui_inertia_and_kick(step *s) {
    if (s->w->loads.count > 0) {
        trui_inertia_here(s);
        trui_kick(s);
    } else {
        trui_parallel_for(s->w->threads, s->w->bodies.count, BODY_GRAIN, inertia_and_kick_bodies, s);
    }
}

void trui_kick(step *s) { trui_parallel_for(s->w->threads, s->w->bodies.count, BODY_GRAIN, kick_bodies, s); }

void trui_place_bodies(step *s, bool hold_spin_in_body) {
    tru_world *w = s->w;
    TRU_ASSERT(w->before.count == w->bodies.count && w->middle.count == w->bodies.count);
    for (size_t i = 0; i < w->bodies.count; i++) {
        body *b = &w->bodies.items[i];
        const body_start *old = &w->before.items[i];
        if (b->kind == TRU_FIXED || b->belt) continue;
        body_place(b, &s->body_steps[i], old->x, old->q, body_middle(w, i), s->h, hold_spin_in_body);
    }
}
