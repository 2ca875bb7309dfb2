/* test_totals.c: what the solver did over many steps is the sum and the largest of what it did in each. */
#include "check.h"
#include "worlds.h"

static tru_world *bouncing_ball(void) {
    tru_coulomb coulomb = tru_default_coulomb();
    coulomb.slide = 0.3;
    const tru_use law = {"coulomb", &coulomb};
    tru_world *w = kit_create_floor(&law, 1, 0.5);
    kit_add_ball(w, 0.1, 2.0, (tru_vec3){1.0, 0.0, 1.0}, (tru_vec3){0.0, 5.0, 3.0});
    kit_set_moreau(w, 1e-3, TRU_MIDPOINT);
    return w;
}

TEST(totals_are_sums_and_largest) {
    tru_error err;
    tru_world *all = bouncing_ball(), *each = bouncing_ball();
    tru_solve_totals sum = {0};
    MUST(tru_run(all, 1000, &err));
    for (int i = 0; i < 1000; i++) {
        MUST(tru_run(each, 1, &err));
        const tru_solve_info s = tru_world_solve_info(each);
        sum.steps++;
        sum.unconverged += !s.converged;
        sum.iterations += (uint64_t)s.iterations;
        if (s.iterations > sum.most_iterations) sum.most_iterations = s.iterations;
        for (int k = 0; k < TRU_KINDS; k++)
            if (s.residual[k] > sum.residual[k]) sum.residual[k] = s.residual[k];
        if (s.relative > sum.worst_relative) {
            sum.worst_relative = s.relative;
            sum.worst_time = tru_time(each);
        }
    }
    const tru_solve_totals t = tru_world_solve_take(all);
    check_status((long long)t.steps, 1000);
    check_status((long long)t.unconverged, (long long)sum.unconverged);
    check_status((long long)t.iterations, (long long)sum.iterations);
    check_status(t.most_iterations, sum.most_iterations);
    check(t.iterations > 0 && t.worst_relative > 0.0);
    for (int k = 0; k < TRU_KINDS; k++) check_close(t.residual[k], sum.residual[k], 0.0, 0.0);
    check_close(t.worst_relative, sum.worst_relative, 0.0, 0.0);
    check_close(t.worst_time, sum.worst_time, 1e-15, 0.0);
    check_status((long long)tru_world_solve_take(all).steps, 0);
    MUST(tru_run(all, 7, &err));
    check_status((long long)tru_world_solve_take(all).steps, 7);
    tru_world_destroy(all);
    tru_world_destroy(each);
}
