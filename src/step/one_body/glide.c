/* glide.c: is a world one body that stays on a plane, and what of it does not change from step to step? */
#include "step/one_body/glide.h"

/* Two bodies with a shape each, one free and one that never moves, one contact, and nothing that acts but gravity. */
static bool is_pair(const tru_world *w) {
    if (w->bodies.count != 2 || w->solids.count != 2 || w->contacts.count != 1) return false;
    if (w->joints.count + w->loads.count > 0 || w->moved || w->clock) return false;
    const contact *c = &w->contacts.items[0];
    const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
    return body_is_free(a) && b->kind == TRU_FIXED && !w->solids.items[c->solid_b].shape->bounded;
}

/* A sphere, or the lowest point of a disk's rim. */
static bool find_shape(glide *g, const contact *c) {
    const solid *s = g->on_a;
    g->rim = s->shape == &tru_shape_disk;
    g->rim_z = 0.0;
    if (s->shape == &tru_shape_sphere) {
        g->radius = ((const tru_sphere *)s->params)->radius;
        return true;
    }
    if (!g->rim) return false;
    const tru_disk *d = s->params;
    g->radius = d->radius;
    g->rim_z = c->key.feature == 0 ? -(0.5 * d->thickness) : 0.5 * d->thickness;
    return c->key.feature % TRU_RIM_POINTS == 0;
}

/* Has it been there for a step, with laws whose history is their own business? */
static bool goes_on(const contact *c, unsigned keeps) {
    if (c->flags & (CONTACT_APART | CONTACT_TRACKED | CONTACT_RELAXED) || !(c->end || !(keeps & KEEP_ENDS)))
        return false;
    if (c->pair->history > GLIDE_HISTORY) return false;
    for (int i = 0; i < c->pair->law_count; i++)
        if (c->pair->laws[i].kept > 0) return false;
    return true;
}

/* Two records of the contact: they take turns. */
static void copy_contact(glide *g, const contact *c, unsigned keeps) {
    memset(g->memory, 0, sizeof g->memory);
    for (int i = 0; i < 2; i++) {
        contact *k = &g->contacts[i];
        *k = *c;
        k->springs = NULL;
        if (c->end) g->ends[i] = *c->end;
        k->end = keeps & KEEP_ENDS ? &g->ends[i] : NULL;
        if (c->c.memory) k->c.memory = g->memory[i];
        if (c->c.memory) memcpy(g->memory[i], c->c.memory, (size_t)c->pair->history * sizeof *g->memory[i]);
        k->c.normal = g->normal;
        k->c.rim_points = 1;
        if (c->end) { /* frames go on from the end of the step, and stay: the plane does not turn */
            g->ends[i].place.normal = g->normal;
            k->c.t1 = c->end->place.t1;
            k->c.t2 = c->end->place.t2;
        }
    }
    g->old = &g->contacts[0];
    g->c = &g->contacts[1];
}

static bool same(tru_vec3 p, tru_vec3 q) { return p.x == q.x && p.y == q.y && p.z == q.z; }

bool trui_glide_begin(glide *g, tru_world *w, double h, unsigned keeps) {
    if (!is_pair(w) || w->at_start.count > 0) return false;
    const contact *c = &w->contacts.items[0];
    g->a = &w->bodies.items[c->a];
    g->b = &w->bodies.items[c->b];
    g->on_a = &w->solids.items[c->solid_a];
    g->on_b = &w->solids.items[c->solid_b];
    g->normal = placed_plane_normal(&g->on_b->pose);
    if (!goes_on(c, keeps) || !find_shape(g, c) || !trui_one_contacts_newton(w, &g->newton)) return false;
    if (!same(c->end ? c->end->place.normal : c->c.normal, g->normal)) return false;
    copy_contact(g, c, keeps);
    g->s = (step){.w = w,
                  .h = h,
                  .acts = h,
                  .body_steps = g->body_steps,
                  .free = g->free,
                  .inverse = g->inverse,
                  .seen = g->seen};
    g->s.fall = g->s.speed = v3_norm(w->gravity) * h;
    g->s.turning = !g->a->isotropic;
    g->s.driven = g->b->kind == TRU_DRIVEN;
    g->slow = trui_flat_speed(&g->s);
    memset(g->body_steps, 0, sizeof g->body_steps);
    memset(g->dynamics, 0, sizeof g->dynamics);
    memset(g->free, 0, sizeof g->free);
    for (int i = 0; i < 2; i++) g->body_steps[i].dynamics = &g->dynamics[i];
    memset(g->inverse, 0, sizeof g->inverse);
    g->body_steps[c->b].dynamics->x_placed = g->b->x;
    g->inverse[c->a] = (problem_body){.inv_mass = g->a->inv_mass, .moves = true, .round = g->a->isotropic};
    g->inverse[c->b].round = g->b->isotropic;
    return true;
}

void trui_glide_end(glide *g) {
    contact *c = &g->s.w->contacts.items[0];
    contact_end *end = c->end;
    double *row = c->c.memory;
    *c = *g->old;
    c->end = g->old->end ? end : NULL;
    c->c.memory = row;
    if (c->end) *c->end = *g->old->end;
    if (row) memcpy(row, g->old->c.memory, (size_t)c->pair->history * sizeof *row);
}
