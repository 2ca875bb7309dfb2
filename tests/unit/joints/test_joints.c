/* test_joints.c: the rows of every joint are the derivatives of what they say, whatever the poses of the bodies. */
#define _GNU_SOURCE
#include "plugins.h"

#include "draw.h"
#include "joints/joint.h"
#include "math/quat.h"

static body random_body(draw *d) {
    body b = {.kind = TRU_FREE, .x = draw_vec(d), .v = draw_vec(d), .w = draw_vec(d)};
    b.q = quat_exp(v3_scale(2.0, draw_vec(d)));
    return b;
}

static body moved(body b, double t) {
    b.x = v3_madd(b.x, t, b.v);
    b.q = quat_integrate(b.q, b.w, t);
    return b;
}

/* Any axes: those of a and b need not agree, so that no term vanishes. */
static joint random_joint(draw *d, const tru_joint *type, void *params) {
    return (joint){.type = type,
                   .params = params,
                   .point_a = draw_vec(d),
                   .point_b = draw_vec(d),
                   .axes_a = quat_to_matrix(quat_exp(v3_scale(2.0, draw_vec(d)))),
                   .axes_b = quat_to_matrix(quat_exp(v3_scale(2.0, draw_vec(d))))};
}

TEST(rows_of_places_are_derivatives) {
    draw d = {check_seed(), 1, 0};
    const double t =
        1e-4; /* error of the central difference: t^2 |third derivative| / 6, a few times 1e-7 at these rates */
    for (size_t n = 0; tru_joint_at(n); n++) {
        const tru_joint *type = tru_joint_at(n);
        if (type->rates) continue;
        for (int i = 0; i < 200; i++) {
            blob params = kit_typical_params(type->fields, SHAPE_LENGTH);
            const joint j = random_joint(&d, type, params.bytes);
            const body a = random_body(&d), b = random_body(&d);
            const body later[2] = {moved(a, t), moved(b, t)}, earlier[2] = {moved(a, -t), moved(b, -t)};
            const tru_joint_place now = trui_joint_place(&j, &a, &b), next = trui_joint_place(&j, &later[0], &later[1]),
                                  last = trui_joint_place(&j, &earlier[0], &earlier[1]);
            tru_joint_row row[TRU_JOINT_ROWS], row1[TRU_JOINT_ROWS], row0[TRU_JOINT_ROWS];
            if (type->begin) type->begin(params.bytes, &now);
            const int rows = type->rows(params.bytes, &now, row);
            type->rows(params.bytes, &next, row1);
            type->rows(params.bytes, &last, row0);
            for (int k = 0; k < rows; k++) {
                const double rate = trui_joint_rate(&row[k], &(twist){a.v, a.w}, &(twist){b.v, b.w});
                if (!check_close(rate, (row1[k].apart - row0[k].apart) / (2.0 * t), 0.0, 1e-6))
                    printf("joint %s, row %d\n", type->name, k);
                check_status(row[k].limit == TRU_UNBOUNDED, true);
                check(k == 0 || joint_row_turns(&row[k]) >= joint_row_turns(&row[k - 1]));
            }
        }
    }
}

/* Rows that ask for a rate along an axis: the derivative of e.d; about an axis: what turns a about it and nothing else. */
TEST(rows_of_rates_are_derivatives) {
    draw d = {check_seed(), 2, 0};
    const double t = 1e-4;
    for (int i = 0; i < 200; i++) {
        const body a = random_body(&d), b = random_body(&d), a1 = moved(a, t), b1 = moved(b, t), a0 = moved(a, -t),
                   b0 = moved(b, -t);
        const twist ta = {a.v, a.w}, tb = {b.v, b.w};
        tru_motor push = tru_default_motor(), turn = tru_default_motor();
        push.velocity = turn.speed = 0.3;
        const joint j = random_joint(&d, &tru_joint_motor, &push);
        const tru_joint_place now = trui_joint_place(&j, &a, &b), next = trui_joint_place(&j, &a1, &b1),
                              last = trui_joint_place(&j, &a0, &b0);
        const double along =
            (v3_dot(m3_column(next.axes_b, 2), next.apart) - v3_dot(m3_column(last.axes_b, 2), last.apart)) / (2.0 * t);
        tru_joint_row row;
        check_status(tru_joint_motor.rows(&push, &now, &row), 1);
        check_close(trui_joint_rate(&row, &ta, &tb), along, 0.0, 1e-6);
        check_close(row.speed, 0.3, 0.0, 0.0);
        check_status(tru_joint_motor.rows(&turn, &now, &row), 1);
        check_close(trui_joint_rate(&row, &ta, &tb), v3_dot(m3_column(now.axes_b, 2), v3_sub(a.w, b.w)), 1e-14, 1e-15);
    }
}
