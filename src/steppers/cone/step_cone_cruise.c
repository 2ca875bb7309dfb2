/* step_cone_cruise.c: steps of cone in which one body stays on one plane and nothing begins or ends. The numbers are those of
 * single steps, to the last bit: the same functions, without the search for what is known to be there. */
#include "step/one_body/glide.h"
#include "steppers/cone/step_cone.h"

/* [m] within which another point of a rim would be a contact, or could become one. */
static inline double reach_of(const glide *g, double margin) {
    if (!g->rim) return margin;
    const twist *free = &g->free[g->c->a];
    const double way = g->s.h * (v3_norm(free->v) + g->a->size * v3_norm(free->w));
    return (margin + way) * (1.0 + 0x1p-20);
}

static inline bool cone_one(const tru_cone *o, const cone_scales *k, glide *g, double margin) {
    const size_t i = g->c->a;
    const uint32_t only = 0;
    contact *c = g->c;
    tru_solve_info info = {.worst = -1};
    glide_start(g);
    body_inertia(g->a, &g->body_steps[i], &g->inverse[i]);
    body_kick(&g->s, g->a, &g->body_steps[i], &g->inverse[i], &g->free[i]);
    if (!gyro_found(g->a, &g->body_steps[i]) || !glide_collide(g, margin, reach_of(g, margin))) return glide_undo(g);
    cone_bias(o, &g->s, k, c, g->old);
    if ((c->flags & CONTACT_IMPACT) || !glide_build(g) || !glide_solve(g, &info)) return glide_undo(g);
    if (!(c->impulse[TRU_ROW_NORMAL] > 0.0)) return glide_undo(g);
    trui_merge_info(&g->s.info, &info, &only, 1, 1);
    glide_account(g);
    body_drift(g->a, g->s.h, false);
    if (c->flags & CONTACT_DEEP) {
        tru_vec3 shift[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        cone_part(o, &g->s, k, c, g->seen[0], shift);
        g->s.w->ledger.projection += 0.0 + cone_shift(g->s.w, g->a, shift[i]);
    }
    return glide_accept(g);
}

uint64_t trui_cone_cruise(const void *params, tru_world *w, uint64_t steps) {
    const tru_cone *o = params;
    glide g;
    if (o->form != TRU_EXACT || o->impact == TRU_POISSON_IMPACT || !trui_glide_begin(&g, w, o->step, 0)) return 0;
    if (g.c->pair->compliance > 0.0) return 0;
    for (size_t i = 0; i < w->pairs.count; i++)
        if (w->pairs.items[i].compliance > 0.0) return 0;
    const double margin = cone_margin(o, w);
    const cone_scales k = cone_scales_of(o, w);
    uint64_t taken = 0;
    double size[2]; /* beside the world's bodies */
    size[g.c->a] = g.a->size;
    size[g.c->b] = -g.b->size;
    g.s.size = size;
    g.s.kicked = g.free;
    g.s.ends = g.s.spins_free = true;
    for (; taken < steps; taken++) {
        g.s.time = trui_world_time(w);
        if (!cone_one(o, &k, &g, margin)) break;
    }
    if (taken > 0) trui_glide_end(&g);
    return taken;
}
