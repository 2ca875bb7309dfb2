/* Stepper track: what changes in a spring without a motion is heat, and the numerical part of the ledger falls with the step. */
#include "check.h"
#include "worlds.h"
#include "zoo.h"

#include "draw.h"

enum { BY_TRACK, BY_COULOMB, BY_LUDING, LAWS };
static const char *const law_names[LAWS] = {"track", "coulomb", "luding"};

/* A ball under its weight that slides until its spring has gone from rest to slip several times over. */
typedef struct slider {
    int law;
    double radius, mass, stiffness, force; /* [m], [kg], [N/m], [N] */
    double slide, hold;                    /* [-] kinetic and static */
    double speed;                          /* [m/s] */
    double spin;                           /* [rad/s] about the normal */
} slider;

static slider draw_slider(draw *d, int law) {
    slider s = {.law = law};
    s.radius = draw_log(d, 1e-4, 1e2);
    s.mass = 1000.0 * s.radius * s.radius * s.radius * draw_log(d, 0.1, 10.0);
    s.force = s.mass * 9.81;
    s.stiffness = s.force / (s.radius * draw_log(d, 1e-6, 1e-3));
    s.slide = draw_log(d, 0.05, 0.5);
    s.hold = s.slide * draw_in(d, 1.5, 3.0);
    s.speed = draw_in(d, 3.0, 10.0) * s.hold * s.force / sqrt(s.stiffness * s.mass);
    s.spin = draw_in(d, -1.0, 1.0) * s.speed / s.radius;
    return s;
}

/* [-] Numerical part of the ledger in parts of the energy of the start, after 3 / sqrt(stiffness / mass). */
static double numerical_of(const slider *s, int steps) {
    tru_error err;
    tru_track_law track = tru_default_track_law();
    tru_coulomb coulomb = tru_default_coulomb();
    tru_luding luding = tru_default_luding();
    track.slide = coulomb.slide = luding.slide = s->slide;
    track.slide_static = coulomb.slide_static = s->hold;
    const tru_use uses[LAWS] = {{"track", &track}, {"coulomb", &coulomb}, {"luding", &luding}};
    tru_world *w = kit_create_floor(&uses[s->law], 1, 0.0);
    tru_track o = tru_default_track();
    o.step = 3.0 * sqrt(s->mass / s->stiffness) / steps;
    o.stiffness = s->stiffness;
    MUST(tru_stepper_set(w, "track", &o, &err));
    const tru_id ball = kit_add_ball(w, s->radius, s->mass, v3(s->speed, 0.0, 0.0), v3(0.0, 0.0, s->spin));
    tru_body_state at = kit_get_state(w, ball);
    at.position.z -= s->force / s->stiffness; /* where it rests */
    MUST(tru_body_set(w, ball, &at, &err));
    if (!check(tru_run(w, (uint64_t)steps, &err) >= 0)) printf("%s\n", err.text);
    const tru_ledger l = tru_world_ledger(w);
    check(fabs(tru_ledger_gap(&l)) < 1e-11 * l.start);
    tru_world_destroy(w);
    return (fabs(l.theta_shift) + fabs(l.stiffness)) / l.start;
}

/* The spring falls from the static to the kinetic cap in no time, or, as Luding has it, by what the dashpot takes of a common
 * cap. The energy is (hold^2 - cap^2) / (2 stiffness) whatever the step, and no part of it is numerical. */
TEST(a_spring_that_begins_to_slip_gives_heat) {
    enum { RUNGS = 4, PHASES = 4 };
    draw d = {check_seed(), 1, 0};
    for (int i = 0; i < 30; i++) {
        const slider s = draw_slider(&d, i % LAWS);
        double part[RUNGS] = {0.0};
        for (int k = 0, steps = 60; k < RUNGS; k++, steps *= 3)
            for (int phase = 0; phase < PHASES; phase++)
                part[k] += numerical_of(&s, steps + steps * phase / 15) / PHASES;
        const double slope = log(part[0] / part[RUNGS - 1]) / ((RUNGS - 1) * log(3.0));
        if (!check(slope > 0.7))
            printf("%s: numerical part %.3g, %.3g, %.3g, %.3g of the energy, slope %.2f\n", law_names[s.law], part[0],
                   part[1], part[2], part[3], slope);
    }
}

/* A ball rests on a belt that moves into it (or away from it) at v: the overlap stays, so the belt's work m g v per second is lost in
 * the normal row, and no numerical part is left. */
TEST(a_belt_that_presses_loses_its_work) {
    draw d = {check_seed(), 2, 0};
    for (int i = 0; i < 20; i++) {
        tru_error err;
        tru_world *w;
        tru_id belt, ball;
        const double radius = draw_log(&d, 1e-4, 1e2), mass = 1000.0 * radius * radius * radius, g = 9.81;
        const double stiffness = mass * g / (1e-4 * radius), period = 6.0 * sqrt(mass / stiffness);
        const double speed = draw_in(&d, -0.1, 0.3) * 1e-4 * radius / period;
        tru_world_def def = tru_default_world_def();
        def.gravity = v3(0, 0, -g);
        MUST(tru_world_create(&def, &w, &err));
        const tru_track_law smooth = tru_default_track_law();
        const tru_use laws[] = {{"track", &smooth}};
        kit_set_pair(w, TRU_NONE, TRU_NONE, laws, 1, 0.3);
        belt = kit_add_solid(w, "belt", TRU_DRIVEN, "plane", NULL, v3_zero(), kit_turn_about(0.0, 0, 0, 1), v3_zero(),
                             v3_zero());
        ball = kit_add_solid_ball(w, "ball", radius, v3(0, 0, radius), v3_zero(), v3_zero());
        tru_motion_def m = tru_default_motion_def();
        m.body = belt;
        m.belt = true;
        m.velocity = v3(0, 0, speed);
        MUST(tru_motion_set(w, &m, &err));
        tru_body_info info;
        MUST(tru_body_describe(w, ball, &info, &err));
        tru_track t = tru_default_track();
        t.step = period / 200.0;
        t.stiffness = stiffness;
        MUST(tru_stepper_set(w, "track", &t, &err));
        MUST(tru_run(w, 200 * 60, &err)); /* it comes to rest */
        const tru_ledger before = tru_world_ledger(w);
        MUST(tru_run(w, 200 * 100, &err));
        const tru_ledger after = tru_world_ledger(w);
        const double work = info.mass * g * speed * 100.0 * period;
        check_close(after.drives - before.drives, work, 1e-6, 0.0);
        check_close(after.impact - before.impact, work, 1e-6, 0.0);
        check(fabs(after.theta_shift - before.theta_shift) <= 1e-6 * fabs(work));
        tru_world_destroy(w);
    }
}
