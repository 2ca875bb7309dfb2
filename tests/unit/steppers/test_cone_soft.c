/* test_cone_soft.c: pairs with compliance under the stepper cone: overlap, oscillation, sharing, ledger, units. */
#define _GNU_SOURCE
#include "check.h"
#include "zoo.h"

#include <math.h>

#define G 9.81

static const tru_vec3 zero = {0.0, 0.0, 0.0};

/* A floor that yields; lengths and masses in units of `length` and `mass`. */
static tru_world *soft_world(double compliance, double restitution, double length, double mass, double roll) {
    tru_error err;
    tru_world *w = kit_create_world((tru_vec3){0.0, 0.0, -G * length});
    tru_coulomb coulomb = tru_default_coulomb();
    tru_rolling rolling = tru_default_rolling();
    coulomb.slide = 0.3;
    rolling.roll.length = roll * length;
    const tru_use laws[] = {{"coulomb", &coulomb}, {"rolling", &rolling}};
    tru_pair_def pair = tru_default_pair_def();
    pair.laws = laws;
    pair.law_count = 2;
    pair.compliance = compliance / mass;
    pair.restitution = restitution;
    MUST(tru_pair_set(w, &pair, &err));
    kit_add_floor(w);
    return w;
}

static tru_id add(tru_world *w, const char *shape_name, const void *params, double mass, tru_vec3 inertia, tru_vec3 x,
                  tru_vec3 v) {
    return kit_add_body(w, {.shape = {shape_name, params},
                            .mass = mass,
                            .inertia = inertia,
                            .position = x,
                            .velocity = v,
                            .allow_overlap = true});
}

/* A ball at rest sinks in by m g compliance, whatever the form and the solver, and stays there. */
TEST(static_overlap) {
    const char *solvers[] = {"newton", "proxnewton", "ngs", "apgd"};
    const double m = 2.0, r = 0.1, h = 1e-3;
    const tru_sphere ball = {r};
    const double give[] = {1e-7, 1e-6, 1e-5};
    for (int k = 0; k < 12; k++)
        for (int form = TRU_EXACT; form <= TRU_RELAXED; form++) {
            tru_error err;
            const double c = give[k % 3];
            tru_world *w = soft_world(c, 0.0, 1.0, 1.0, 1e-3);
            const tru_id id = add(w, "sphere", &ball, m, (tru_vec3){8e-3, 8e-3, 8e-3}, (tru_vec3){0.0, 0.0, r}, zero);
            kit_set_cone(w, h, form, TRU_NEWTON_IMPACT, (tru_use){solvers[k / 3], NULL});
            MUST(tru_run(w, 3000, &err));
            check_close(r - kit_get_state(w, id).position.z, m * G * c, 1e-9, 0.0);
            check_close(kit_get_state(w, id).velocity.z, 0.0, 0.0, 1e-12);
            check_close(tru_world_ledger(w).stored, 0.5 * c * m * G * m * G, 1e-8, 0.0);
            tru_world_destroy(w);
        }
}

/* A mass on a spring that is never let go: frequency sqrt(1/(m c)); the backward step damps by w h/2 per radian. */
TEST(oscillation) {
    tru_error err;
    const double m = 2.0, c = 1e-4, h = 1e-5, r = 0.1, omega = 1.0 / sqrt(m * c), rest = m * G * c;
    const tru_sphere ball = {r};
    tru_world *w = soft_world(c, 0.0, 1.0, 1.0, 1e-3);
    const tru_id id =
        add(w, "sphere", &ball, m, (tru_vec3){8e-3, 8e-3, 8e-3}, (tru_vec3){0.0, 0.0, r - 1.5 * rest}, zero);
    kit_set_cone(w, h, TRU_EXACT, TRU_NEWTON_IMPACT, (tru_use){0});
    const int steps = (int)(2.0 * 3.141592653589793 / omega / h + 0.5); /* once round */
    MUST(tru_run(w, (uint64_t)steps, &err));
    const double left = r - rest - kit_get_state(w, id).position.z, decay = exp(-0.5 * omega * h * omega * h * steps);
    check_close(left, 0.5 * rest * decay, 0.0, 5e-3 * rest); /* next to the turning point; phase is of order h^2 */
    check_close(kit_get_state(w, id).velocity.z, 0.0, 0.0, 0.01 * omega * rest);
    tru_world_destroy(w);
}

/* A box on four corners has more contacts than freedoms: those that yield share equally
 * (but for what rolling friction could hold back). */
TEST(corners_share) {
    tru_error err;
    const tru_box box = {{0.4, 0.3, 0.1}};
    tru_world *w = soft_world(1e-6, 0.0, 1.0, 1.0, 0.0);
    add(w, "box", &box, 3.0, (tru_vec3){0.0255, 0.0425, 0.0625}, (tru_vec3){0.0, 0.0, 0.05}, (tru_vec3){0.2, 0.1, 0.0});
    kit_set_cone(w, 1e-3, TRU_EXACT, TRU_NEWTON_IMPACT, (tru_use){0});
    MUST(tru_run(w, 3000, &err));
    check(tru_contact_count(w) == 4);
    for (size_t i = 0; i < tru_contact_count(w); i++) {
        tru_contact_info c;
        MUST(tru_contact_get(w, i, &c, &err));
        check_close(c.impulse[0], 3.0 * G * 1e-3 / 4.0, 1e-9, 0.0);
        check_close(c.gap, -1e-6 * 3.0 * G / 4.0, 1e-6, 0.0);
    }
    tru_world_destroy(w);
}

/* Dropped and tumbling, both forms; alongside bodies that yield, some that rebound by Poisson's law: the energy balance closes
 * and the judge agrees. */
TEST(ledger_and_judge) {
    for (int k = 0; k < 4; k++) {
        tru_error err;
        const tru_box box = {{0.4, 0.3, 0.1}};
        const tru_sphere ball = {0.1};
        tru_world *w = soft_world(1e-5, 0.0, 1.0, 1.0, 1e-3);
        tru_id hard;
        MUST(tru_material_add(w, "hard", &hard, &err));
        kit_set_pair(w, hard, hard, NULL, 0, 0.8);
        kit_add_solid(w, "box", TRU_FREE, "box", &box, (tru_vec3){0.0, 0.0, 0.3}, kit_turn_about(0.4, 1.0, 0.3, 0.2),
                      (tru_vec3){0.5, 0.0, 0.0}, (tru_vec3){1.0, 2.0, 0.0});
        for (int i = 0; i < 2; i++) {
            kit_add_body(w, {.shape = {"sphere", &ball},
                             .material = hard,
                             .mass = 1.0,
                             .position = {0.02 * i, 0.6, 0.15 + 0.3 * i}});
        }
        tru_cone o = tru_default_cone();
        o.step = 1e-3;
        o.form = k & 1 ? TRU_RELAXED : TRU_EXACT;
        o.impact = k & 2 ? TRU_POISSON_IMPACT : TRU_NEWTON_IMPACT;
        MUST(tru_stepper_set(w, "cone", &o, &err));
        double balance = 0.0, motion = 0.0, law = 0.0, stored = 0.0;
        for (int i = 0; i < 650; i++) {
            tru_verdict v;
            const tru_status status = tru_run(w, 1, &err);
            must(status, &err, "soft");
            MUST(tru_judge(w, &v, &err));
            const tru_ledger l = tru_world_ledger(w);
            balance = fmax(balance, fabs(tru_ledger_gap(&l)) / l.start);
            stored = fmax(stored, l.stored);
            motion = fmax(motion, fmax(v.momentum, v.spin));
            if (status == TRU_OK) law = fmax(law, fmax(v.law[0], v.law[1]));
        }
        check(stored > 1e-3);
        if (!(check(balance < 1e-12) & check(motion < 1e-11) & check(law < 1e-9)))
            printf("case %d: balance %.3g, motion %.3g, law %.3g m/s\n", k, balance, motion, law);
        tru_world_destroy(w);
    }
}

/* A spring is not struck: a ball that falls on it has no impact, and springs back as high whichever law others are struck by. */
TEST(what_yields_is_not_struck) {
    const tru_sphere ball = {0.1};
    double high[2] = {0.0, 0.0};
    for (int impact = 0; impact < 2; impact++) {
        tru_error err;
        tru_id hard;
        tru_world *w = soft_world(1e-4, 0.0, 1.0, 1.0, 1e-3);
        MUST(tru_material_add(w, "hard", &hard, &err));
        kit_set_pair(w, hard, hard, NULL, 0, 0.5);
        const tru_vec3 j = {4e-3, 4e-3, 4e-3};
        const tru_id id = add(w, "sphere", &ball, 1.0, j, (tru_vec3){0.0, 0.0, 0.5}, (tru_vec3){0.5, 0.0, 0.0});
        kit_set_cone(w, 1e-4, TRU_EXACT, impact ? TRU_POISSON_IMPACT : TRU_NEWTON_IMPACT, (tru_use){0});
        MUST(tru_run(w, 6000, &err));
        const tru_ledger l = tru_world_ledger(w);
        high[impact] = kit_get_state(w, id).position.z;
        check(l.impact == 0.0 && fabs(tru_ledger_gap(&l)) < 1e-12 * l.start);
        /* it is 0.03 s on the spring: the backward step takes omega h per radian of its energy, pi of them: 3 percent of 4 J */
        check_close(-l.theta_shift, 0.128, 0.1, 0.0);
        tru_world_destroy(w);
    }
    check_close(high[0], high[1], 1e-12, 0.0);
}

TEST(restitution_beside_compliance_is_refused) {
    tru_error err;
    tru_world *w = soft_world(2e-6, 0.5, 1.0, 1.0, 0.0);
    kit_set_cone(w, 1e-3, TRU_EXACT, TRU_NEWTON_IMPACT, (tru_use){0});
    check_status(tru_check(w, &err), TRU_REFUSED);
    check_str(err.text,
              "stepper cone cannot use restitution (0.5) together with compliance (2e-06 m/N): give one of them");
    tru_world_destroy(w);
}

/* Other units of length and mass, by powers of two: the same bits. */
TEST(units_do_not_matter) {
    tru_body_state s[2];
    const double length[2] = {1.0, 1024.0}, mass[2] = {1.0, 0.125};
    for (int k = 0; k < 2; k++) {
        tru_error err;
        const double l = length[k], j = 8e-3 * mass[k] * l * l;
        const tru_sphere ball = {0.1 * l};
        tru_world *w = soft_world(1e-5, 0.0, l, mass[k], 1e-3);
        add(w, "sphere", &ball, 2.0 * mass[k], (tru_vec3){j, j, j}, (tru_vec3){0.0, 0.0, 0.1 * l},
            (tru_vec3){0.7 * l, 0.0, -0.4 * l});
        const tru_id id = add(w, "sphere", &ball, 2.0 * mass[k], (tru_vec3){j, j, j},
                              (tru_vec3){0.03 * l, 0.0, 0.31 * l}, (tru_vec3){0.0, 0.0, -0.4 * l});
        kit_set_cone(w, 1e-3, TRU_EXACT, TRU_NEWTON_IMPACT, (tru_use){0});
        MUST(tru_run(w, 800, &err));
        s[k] = kit_get_state(w, id);
        tru_world_destroy(w);
    }
    check(s[0].position.x * 1024.0 == s[1].position.x && s[0].position.z * 1024.0 == s[1].position.z);
    check(s[0].velocity.x * 1024.0 == s[1].velocity.x && s[0].angular_velocity.y == s[1].angular_velocity.y);
    check(s[0].position.x != 0.03);
}
