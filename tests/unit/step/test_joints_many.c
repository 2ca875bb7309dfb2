/* test_joints_many.c: mechanisms too large for a dense matrix against small ones and against statics. */
#define _GNU_SOURCE
#include "check.h"
#include "worlds.h"

#include "math/vec.h"

#include <stdio.h>

#define G 9.81

static const double half = 0.1; /* [m] of a link */

static tru_world *floor_below(void) {
    static tru_coulomb c;
    c = tru_default_coulomb();
    c.slide = 0.4;
    const tru_use law = {"coulomb", &c};
    return kit_create_floor(&law, 1, 0.0);
}

static tru_id add_link(tru_world *w, bool fixed, tru_vec3 x) {
    const tru_box box = {{2.0 * half - 0.02, 0.03, 0.04}};
    return kit_add_body(
        w, {.kind = fixed ? TRU_FIXED : TRU_FREE, .shape = {"box", &box}, .density = 500.0, .position = x});
}

static void use_stepper(tru_world *w, bool cone, double step) {
    tru_error err;
    tru_moreau m = tru_default_moreau();
    tru_cone c = tru_default_cone();
    m.step = c.step = step;
    MUST(tru_stepper_set(w, cone ? "cone" : "moreau", cone ? (const void *)&c : (const void *)&m, &err));
}

/* Links in a row along x from a post, level; names of their joints may be NULL. */
static void add_chain(tru_world *w, tru_vec3 from, int links, const char *kind, tru_id *link, tru_id *joint) {
    tru_id last = add_link(w, true, v3_madd(from, -half, v3(1, 0, 0)));
    for (int i = 0; i < links; i++) {
        link[i] = add_link(w, false, v3_madd(from, half * (2 * i + 1), v3(1, 0, 0)));
        joint[i] =
            kit_add_joint(w, NULL, kind, NULL, link[i], last, v3_madd(from, 2.0 * half * i, v3(1, 0, 0)), v3(0, 1, 0));
        last = link[i];
    }
}

/* A chain of three links falls from a post onto the floor. Twelve of them far from each other are a problem for the solver
 * without a matrix, one is for the dense one: each moves as if it were alone. */
TEST(many_chains_move_like_one) {
    static const char *const kinds[] = {"ball", "hinge"};
    for (int way = 0; way < 4; way++) {
        enum { CHAINS = 12, LINKS = 3 };
        tru_error err;
        tru_id one[LINKS], link[CHAINS][LINKS], joint[LINKS];
        tru_world *few = floor_below(), *many = floor_below();
        add_chain(few, v3(0, 0, 0.2), LINKS, kinds[way / 2], one, joint);
        for (int i = 0; i < CHAINS; i++) add_chain(many, v3(0, 4.0 * i, 0.2), LINKS, kinds[way / 2], link[i], joint);
        use_stepper(few, way % 2, 1e-3);
        use_stepper(many, way % 2, 1e-3);
        double off = 0.0, joint_gap = 0.0, lowest = 1.0;
        for (int round = 0; round < 50; round++) {
            tru_verdict v;
            MUST(tru_run(few, 10, &err));
            MUST(tru_run(many, 10, &err));
            MUST(tru_judge(many, &v, &err));
            joint_gap = fmax(joint_gap, fmax(v.joint, v.joint_turn));
            lowest = fmin(lowest, kit_get_state(few, one[LINKS - 1]).position.z);
            for (int i = 0; i < CHAINS; i++)
                for (int k = 0; k < LINKS; k++) {
                    const tru_vec3 a = kit_get_state(few, one[k]).position,
                                   b = kit_get_state(many, link[i][k]).position;
                    off = fmax(off, v3_norm(v3_sub(v3_sub(b, a), v3(0, 4.0 * i, 0))));
                }
        }
        printf("%s, %s: %.1e m apart, joints %.1e m/s\n", way % 2 ? "cone" : "moreau", kinds[way / 2], off, joint_gap);
        check(lowest < 0.1); /* it reached the floor */
        check(off < 1e-9);
        check(joint_gap < 1e-10);
        check_status((long long)tru_world_solve_take(many).unconverged, 0);
        tru_world_destroy(few);
        tru_world_destroy(many);
    }
}

/* A cantilever of 60 links clamped one to the next: each joint carries the weight of what is beyond it, and its moment, up to
 * what a residual of 1e-12 leaves in a matrix whose smallest eigenvalue falls with the fourth power of the length. */
TEST(a_long_beam_carries_its_weight) {
    enum { LINKS = 60 };
    for (int cone = 0; cone < 2; cone++) {
        tru_error err;
        tru_id link[LINKS], joint[LINKS];
        tru_world *w = floor_below();
        add_chain(w, v3(0, 0, 5.0), LINKS, "fixed", link, joint);
        use_stepper(w, cone, 1e-3);
        MUST(tru_run(w, 20, &err));
        const double weight =
            tru_world_ledger(w).potential / kit_get_state(w, link[0]).position.z / LINKS; /* of a link */
        for (int i = 0; i < LINKS; i += 7) {
            tru_joint_info info;
            MUST(tru_joint_get(w, joint[i], &info, &err));
            const double beyond = LINKS - i;
            check_close(info.force.z, beyond * weight, 1e-6, 0.0);
            check_close(info.torque.y, -beyond * weight * half * beyond, 1e-6, 0.0);
            check(info.apart < 1e-9);
        }
        tru_world_destroy(w);
    }
}

/* Of two long chains one has a link that is joined twice: its rows are named, and no other's. */
TEST(repeated_rows_of_long_chains_are_named) {
    enum { LINKS = 40 };
    tru_error err = {TRU_OK, ""};
    tru_id link[LINKS], joint[LINKS];
    tru_world *w = floor_below();
    add_chain(w, v3(0, 0, 1.0), LINKS, "hinge", link, joint);
    add_chain(w, v3(0, 4, 1.0), LINKS, "ball", link, joint);
    kit_add_joint(w, "again", "ball", NULL, link[20], link[19], v3(2.0 * half * 20, 4, 1.0), v3(0, 1, 0));
    use_stepper(w, true, 1e-3);
    check_status(tru_check(w, &err), TRU_REMARK);
    check_str(err.text,
              "joints 'again' (3 of 3 rows) repeat what other joints hold already; these rows are left out, and "
              "how the joints share their reactions is not unique");
    MUST(tru_run(w, 50, &err));
    check_status((long long)tru_world_solve_take(w).unconverged, 0);
    tru_world_destroy(w);
}
