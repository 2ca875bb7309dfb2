/* test_contact_problem.c: how the reports of parts add up to that of the step. */
#include "check.h"

#include "step/solve/contact_problem.h"

#include <math.h>

/* Two parts of 3 and 1 of 4 contacts: the worst contact by its number in the step, the mean square over all contacts. */
TEST(reports_of_parts) {
    const uint32_t first[3] = {0, 2, 3}, second[1] = {1};
    const tru_solve_info a = {.iterations = 7,
                              .single = 2,
                              .worst = 1,
                              .converged = true,
                              .residual = {1.0, 2.0, 3.0, 4.0},
                              .relative = 0.25,
                              .rms = 2.0,
                              .max = 3.0};
    const tru_solve_info b = {.iterations = 5,
                              .single = 4,
                              .worst = 0,
                              .residual = {4.0, 3.0, 2.0, 1.0},
                              .relative = 0.5,
                              .rms = 6.0,
                              .max = 6.0};
    tru_solve_info all = {.worst = -1, .converged = true};
    trui_merge_info(&all, &a, first, 3, 4);
    check_status(all.worst, 2);
    check(all.converged);
    trui_merge_info(&all, &b, second, 1, 4);
    check_status(all.worst, 1);
    check_status(all.iterations, 7);
    check_status(all.single, 4);
    check(!all.converged);
    check_close(all.relative, 0.5, 0.0, 0.0);
    check_close(all.rms, sqrt((3.0 * 4.0 + 36.0) / 4.0), 1e-15, 0.0);
    check_close(all.max, 6.0, 0.0, 0.0);
    const double most[TRU_KINDS] = {4.0, 3.0, 3.0, 4.0};
    for (int k = 0; k < TRU_KINDS; k++) check_close(all.residual[k], most[k], 0.0, 0.0);
}

/* A part without a worst contact, as of joints alone, does not change the worst of the step. */
TEST(report_without_contacts) {
    const tru_solve_info none = {.worst = -1, .converged = true, .relative = 9.0};
    tru_solve_info all = {.worst = 3, .converged = true, .relative = 0.5};
    trui_merge_info(&all, &none, NULL, 0, 4);
    check_status(all.worst, 3);
    check_close(all.relative, 0.5, 0.0, 0.0);
}
