/* step_moreau_cruise.c: steps of moreau in which one body stays on one plane and nothing begins or ends. The numbers are those of
 * single steps, to the last bit: the same functions, without the search for what is known to be there. */
#include "step/one_body/glide.h"
#include "steppers/moreau/step_moreau.h"

/* Bias of the contact; true: an impact. A rim whose contact point runs round fast is struck in every step. */
static inline bool set_bias(glide *g, bool theta_half) {
    moreau_bias(&g->s, g->c, theta_half, g->old->end->rate);
    return g->c->flags & CONTACT_IMPACT;
}

/* [m] The paper's correction; the place follows. */
static bool correct_r7(glide *g) {
    contact_place *p = &g->c->end->place;
    const tru_vec3 lever = v3_cross(p->arm_a, g->normal);
    const double slope = 1.0 + 4.0 * v3_norm2(lever);
    for (int i = 0; i < 5 && p->gap < 0.0; i++) {
        body_correct_r7(g->a, g->normal, lever, -p->gap / slope);
        if (!glide_place(g)) return false;
    }
    return true;
}

static inline bool project_one(glide *g, bool r7) {
    const tru_world *w = g->s.w;
    body_step *m = &g->body_steps[g->c->a];
    double before = 0.0, after = 0.0;
    m->dynamics->x_placed = g->a->x;
    if (!glide_place(g) || contact_sank(&g->s, g->c)) return false;
    if (r7) {
        if (!correct_r7(g)) return false;
        before += placed_work(w, g->a, m);
        m->dynamics->x_placed = g->a->x;
    }
    contact_lift(&g->s, g->c);
    after += placed_work(w, g->a, m);
    g->s.w->ledger.projection += before + after;
    contact_follow(&g->s, g->c);
    return true;
}

/* One step of scheme paper; false: it is another's, and undone. */
static inline bool paper_one(const tru_moreau *o, glide *g, double margin) {
    const size_t i = g->c->a;
    glide_start(g);
    body_drift(g->a, 0.5 * g->s.h, true);
    if (!glide_collide(g, margin, margin)) return glide_undo(g);
    body_inertia(g->a, &g->body_steps[i], &g->inverse[i]);
    set_bias(g, false); /* an impact is a step like any other: the law acts on the end of the step either way */
    if (!glide_build(g)) return glide_undo(g);
    body_kick(&g->s, g->a, &g->body_steps[i], &g->inverse[i], &g->free[i]);
    if (!glide_solve(g, &g->s.info)) return glide_undo(g);
    glide_account(g);
    body_drift(g->a, 0.5 * g->s.h, true);
    if (!project_one(g, o->correction == TRU_R7)) return glide_undo(g);
    return glide_accept(g);
}

/* Solve with the gyroscopic torque at the mean rate; false: not found. */
static inline bool solve_at_mean_one(glide *g, int sweeps) {
    body_step *m = &g->body_steps[g->c->a];
    problem_body *inverse = &g->inverse[g->c->a];
    const bool turns = !g->a->isotropic;
    for (int sweep = 0; sweep < sweeps; sweep++) {
        if (sweep > 0) { /* only what turns comes here */
            m->dynamics->gyro_rate = mean_rate(g->a, m);
            gyro_lean(m, inverse, g->s.h);
            if (m->dynamics->linear) trui_one_contact_matrix(&g->one_contact, inverse, &g->inverse[g->c->b]);
        }
        body_kick(&g->s, g->a, m, inverse, &g->free[g->c->a]);
        if (!glide_solve(g, &g->s.info)) return false;
        if (!turns || gyro_at_mean(g->a, m)) return true;
    }
    return gyro_error(g->a, m, g->s.h) <= GYRO_TRUST;
}

/* One step of scheme midpoint. */
static inline bool midpoint_one(const tru_moreau *o, glide *g, double margin) {
    const size_t i = g->c->a;
    body_step *m = &g->body_steps[i];
    glide_start(g);
    body_drift(g->a, 0.5 * g->s.h, false);
    if (!glide_collide(g, margin, margin)) return glide_undo(g);
    const tru_quat middle = g->a->q;
    body_inertia(g->a, m, &g->inverse[i]);
    if (set_bias(g, true)) return glide_undo(g);
    if (!g->a->isotropic) {
        gyro_expect(g->a, m);
        gyro_lean(m, &g->inverse[i], g->s.h);
    }
    if (!glide_build(g) || !solve_at_mean_one(g, o->sweeps) || moreau_turned(&g->s, g->c)) return glide_undo(g);
    if (!(g->c->impulse[TRU_ROW_NORMAL] > 0.0)) return glide_undo(g); /* it lifts */
    glide_account(g);
    body_place(g->a, m, g->before.x, g->before.q, middle, g->s.h, true);
    if (!project_one(g, false)) return glide_undo(g);
    return glide_accept(g);
}

uint64_t trui_moreau_cruise(const void *params, tru_world *w, uint64_t steps) {
    const tru_moreau *o = params;
    const bool paper = o->scheme == TRU_PAPER;
    glide g;
    if (!trui_glide_begin(&g, w, o->step, KEEP_ENDS) || !(paper || g.a->gain)) return 0; /* the first step makes room */
    if (!paper && !(g.old->impulse[TRU_ROW_NORMAL] > 0.0)) return 0;                     /* it may touch again */
    const double margin = moreau_activation(o, &g.s);
    uint64_t taken = 0;
    for (; taken < steps; taken++) {
        g.s.time = trui_world_time(w);
        if (!(paper ? paper_one(o, &g, margin) : midpoint_one(o, &g, margin))) break;
    }
    if (taken > 0) trui_glide_end(&g);
    return taken;
}
