/* test_judge.c: the judge finds every step good, and notices one impulse or velocity that is off by a millionth (P4). */
#define _GNU_SOURCE
#include "scenes.h"

#include "world/world.h"

/* Velocities that matter in a step: what gravity adds, what bodies have. */
static double speed_scale(const tru_world *w, double step) {
    double speed = v3_norm(w->gravity) * step;
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        speed = fmax(speed, v3_norm(b->v) + b->size * v3_norm(b->w));
    }
    return speed;
}

static double largest_size(const tru_world *w) {
    double size = 0.0;
    for (size_t i = 0; i < w->bodies.count; i++) size = fmax(size, w->bodies.items[i].size);
    return size;
}

/* All that the judge says as one velocity. */
static double verdict_speed(const tru_verdict *v, double size) {
    double worst = fmax(fmax(v->law[TRU_KIND_NORMAL], v->law[TRU_KIND_SLIDE]), v->momentum);
    return fmax(worst, size * fmax(fmax(v->law[TRU_KIND_SPIN], v->law[TRU_KIND_ROLL]), v->spin));
}

/* The gyroscopic torque is at the mean rate only to the last of the sweeps: 10 of them reach round-off. */
static void exact_sweeps(method *m) {
    tru_moreau *p = (tru_moreau *)(void *)m->params.bytes;
    if (strcmp(m->stepper, "moreau") == 0 && p->scheme != TRU_PAPER) p->sweeps = 10;
}

/* A step of several pieces (event left it to moreau, a disk changed its rim) cannot be judged afterwards. */
static bool handed_over(const tru_world *w, const method *m) { return m->picky && w->before.count != w->bodies.count; }

/* Residuals of the judge and of the solver, by row kind. De Saxce's form and the judge's (Signorini and sections) vanish
 * together, but measure an iterate in between by up to a small factor differently. */
static void agrees_with_solver(const tru_world *w, const tru_verdict *v, const char *name, const char *method_name) {
    const tru_solve_info info = tru_world_solve_info(w);
    double said = 0.0, found = 0.0;
    for (int k = 0; k < TRU_KINDS; k++) {
        const double arm = k >= TRU_KIND_SPIN ? largest_size(w) : 1.0;
        said = fmax(said, arm * info.residual[k]);
        found = fmax(found, arm * v->law[k]);
    }
    if (!check(found <= 4.0 * said + 1e-11 * speed_scale(w, 1e-3)))
        printf("scene %s, %s: said %.3g, found %.3g\n", name, method_name, said, found);
}

/* Where the solver says that it has converged, the judge finds what it promises; where it does not, the judge finds the
 * residual that it admits. */
TEST(every_step_is_good) {
    scene s;
    EACH_SCENE(s) {
        method m;
        EACH_METHOD(m, 1e-3) {
            tru_error err;
            if (m.promise == HUGE_VAL || scene_is_refused(&s, &m)) continue;
            exact_sweeps(&m);
            const int steps = m.gives_up < 1.0 ? s.steps : s.steps / 10; /* hundreds of sweeps in each */
            tru_world *w = scene_build(&s, &m);
            double worst = 0.0;
            int given_up = 0;
            for (int i = 0; i < steps; i++) {
                tru_verdict v;
                const bool unconverged = scene_run_step(w, s.name, m.name) != 0;
                given_up += unconverged;
                if (handed_over(w, &m)) continue;
                MUST(tru_judge(w, &v, &err));
                check((v.worst >= 0) == (tru_contact_count(w) > 0) && v.worst < (int)tru_contact_count(w));
                if (!unconverged)
                    worst = fmax(worst, verdict_speed(&v, largest_size(w)) / speed_scale(w, 1e-3));
                else
                    agrees_with_solver(w, &v, s.name, m.name);
            }
            if (!check(worst < m.promise)) printf("scene %s, %s: %.3g\n", s.name, m.name, worst);
            if (!check(given_up <= m.gives_up * steps))
                printf("scene %s, %s: %d of %d steps given up\n", s.name, m.name, given_up, steps);
            tru_world_destroy(w);
        }
    }
}

/* What the solver said of its residual and what the judge finds are of one size. */
TEST(judge_agrees_with_a_solver_that_stops_early) {
    tru_error err = {TRU_OK, ""};
    const scene s = disk_slides_flat();
    method m = method_at(3, 1e-3);
    check(strcmp(m.solver, "prox") == 0);
    ((tru_prox *)(void *)m.solver_params.bytes)->iterations = 5;
    tru_world *w = scene_build(&s, &m);
    int said = 0;
    for (int i = 0; i < s.steps; i++) {
        tru_verdict v;
        const tru_status status = tru_run(w, 1, &err);
        const tru_solve_info info = tru_world_solve_info(w);
        MUST(tru_judge(w, &v, &err));
        check((status == TRU_UNCONVERGED) == !info.converged);
        for (int k = 0; k < TRU_KINDS; k++) check_close(v.law[k], info.residual[k], 1e-6, 1e-13);
        said += status == TRU_UNCONVERGED;
        if (status == TRU_UNCONVERGED) check(strstr(err.text, "the solver stopped after") != NULL);
    }
    check(said > s.steps / 10);
    tru_world_destroy(w);
}

/* One impulse off by 1e-6 of the normal one (a couple: times the arm); it must show in law or momentum. */
TEST(one_impulse_off_is_noticed) {
    scene s;
    EACH_SCENE(s) {
        method m;
        EACH_METHOD(m, 1e-3) {
            tru_error err;
            long tried = 0, judged = 0;
            if (m.promise == HUGE_VAL || scene_is_refused(&s, &m)) continue;
            exact_sweeps(&m);
            const int steps = m.gives_up < 1.0 ? s.steps : s.steps / 10; /* hundreds of sweeps in each */
            tru_world *w = scene_build(&s, &m);
            for (int i = 0; i < steps; i++) {
                const bool unconverged = scene_run_step(w, s.name, m.name) != 0;
                if (i % 17 != 0 || unconverged || handed_over(w, &m)) continue;
                judged++;
                for (size_t k = 0; k < w->contacts.count; k++) {
                    contact *c = &w->contacts.items[k];
                    if (!(c->impulse[0] > 0.0)) continue;
                    for (int row = 0; row < TRU_ROWS; row++) {
                        tru_verdict good, bad;
                        const double kept = c->impulse[row], arm = v3_norm(c->c.arm_a);
                        MUST(tru_judge(w, &good, &err));
                        c->impulse[row] += 1e-6 * c->impulse[0] * (row >= TRU_ROW_SPIN ? arm : 1.0);
                        MUST(tru_judge(w, &bad, &err));
                        c->impulse[row] = kept;
                        const double size = largest_size(w), limit = m.promise * speed_scale(w, 1e-3);
                        const double moved = 1e-6 * c->impulse[0] / w->bodies.items[c->a].mass;
                        if (!(moved > 100.0 * limit)) continue; /* weaker than what the judge lets pass */
                        tried++;
                        check(verdict_speed(&good, size) < limit);
                        check(verdict_speed(&bad, size) > limit);
                    }
                }
            }
            if (m.promise <= 1e-11 && tru_contact_count(w) > 0 && judged > 0 && !check(tried > 0))
                printf("scene %s, %s\n", s.name, m.name);
            tru_world_destroy(w);
        }
    }
}

/* One velocity after the step off by a millionth of the largest. */
TEST(one_velocity_off_is_noticed) {
    scene s;
    EACH_SCENE(s) {
        tru_error err;
        method m = method_at(s_k % 3 == 2 ? TRACKS : s_k % 3, 1e-3);
        if (scene_is_refused(&s, &m)) m = method_at(m.soft ? 0 : TRACKS, 1e-3);
        exact_sweeps(&m);
        tru_world *w = scene_build(&s, &m);
        for (int i = 0; i < s.steps; i++) {
            scene_run_step(w, s.name, m.name);
            if (i % 37 != 0) continue;
            const double speed = speed_scale(w, 1e-3), size = largest_size(w);
            for (size_t k = 0; k < w->bodies.count; k++) {
                body *b = &w->bodies.items[k];
                const body kept = *b;
                tru_verdict v;
                if (!body_is_free(b)) continue;
                b->v.y += 1e-6 * speed;
                MUST(tru_judge(w, &v, &err));
                check(v.momentum > 0.9e-6 * speed);
                *b = kept;
                b->w.x += 1e-6 * speed / size;
                MUST(tru_judge(w, &v, &err));
                check(v.spin > 0.9e-6 * speed / size);
                *b = kept;
            }
        }
        tru_world_destroy(w);
    }
}

/* A light ball under a heavy load: rates below the last bit of its impulse, over its mass, are told to the last bit of the rate. */
TEST(rates_below_the_last_bit_of_an_impulse) {
    tru_error err;
    for (int form = TRU_EXACT; form <= TRU_RELAXED; form++)
        for (double force = 1.0; force < 1e5; force *= 10.0) {
            const tru_sphere ball = {0.1};
            tru_world *w = kit_create_world((tru_vec3){0, 0, -9.81});
            kit_set_dry_pair(w, 0.3, 1e-3, 1e-3, 0.0);
            kit_add_floor(w);
            const tru_id id = kit_add_body(w, {.shape = {"sphere", &ball}, .mass = 1e-4, .position = {0, 0, 0.1}});
            tru_load_def press = tru_default_load_def();
            press.body = id;
            press.force.z = -force;
            MUST(tru_load_add(w, &press, NULL, &err));
            kit_set_cone(w, 1e-3, form, TRU_NEWTON_IMPACT, (tru_use){"newton", NULL});
            MUST(tru_run(w, 2, &err));
            tru_verdict v;
            body *b = &w->bodies.items[1];
            b->v = (tru_vec3){0.0, 0.0, -1e-20};
            b->w = (tru_vec3){0.0, 3e-20, 2e-20};
            MUST(tru_judge(w, &v, &err));
            check_close(v.law[TRU_KIND_NORMAL], 1e-20, 1e-12, 0.0);
            check_close(v.law[TRU_KIND_SLIDE], 3e-21, 1e-12, 0.0);
            check_close(v.law[TRU_KIND_SPIN], 2e-20, 1e-12, 0.0);
            check_close(v.law[TRU_KIND_ROLL], 3e-20, 1e-12, 0.0);
            tru_world_destroy(w);
        }
}

/* Without a step, or after a change from outside, there is nothing to judge. */
TEST(nothing_to_judge) {
    tru_error err;
    tru_verdict v;
    const scene s = ball_slides();
    const method m = method_at(0, 1e-3);
    tru_world *w = scene_build(&s, &m);
    check_status(tru_judge(w, &v, &err), TRU_BAD_ARGUMENT);
    check_str(err.text, "there is no step to judge");
    MUST(tru_run(w, 1, &err));
    check_status(tru_judge(w, &v, &err), TRU_OK);
    tru_load_def push = tru_default_load_def();
    push.body = 2;
    push.force.x = 1.0;
    MUST(tru_load_add(w, &push, NULL, &err));
    check_status(tru_judge(w, &v, &err), TRU_BAD_ARGUMENT);
    MUST(tru_run(w, 1, &err));
    check_status(tru_judge(w, &v, &err), TRU_OK);
    tru_body_state state = kit_get_state(w, 2);
    state.velocity.x += 1.0;
    MUST(tru_body_set(w, 2, &state, &err));
    check_status(tru_judge(w, &v, &err), TRU_BAD_ARGUMENT);
    MUST(tru_run(w, 1, &err));
    const tru_pair_def plain = tru_default_pair_def();
    MUST(tru_pair_set(w, &plain, &err));
    check_status(tru_judge(w, &v, &err), TRU_BAD_ARGUMENT);
    tru_world_destroy(w);
}
