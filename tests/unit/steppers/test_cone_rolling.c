/* test_cone_rolling.c: bodies that roll under cone: what keeps its normal force never lifts, and the motion converges. */
#define _GNU_SOURCE
#include "check.h"
#include "zoo.h"

#include "math/quat.h"

/* The rattleback of scenes/variational, all lengths times `size`; rates in units of sqrt(g/length). */
static tru_world *rattleback(double size, double wy, double wz, double restitution, tru_id *id) {
    tru_error err;
    tru_coulomb c = tru_default_coulomb();
    c.slide = 5.0;
    const tru_use law = {"coulomb", &c};
    tru_world *w = kit_create_floor(&law, 1, restitution);
    const double tilt = 0.01, skew = 0.03, ia = 8e-5 * size * size, ib = 1.6e-3 * size * size, s = sin(tilt),
                 k = cos(tilt);
    const double a = 0.03 * size, b = 0.02 * size, low = sqrt(a * a * s * s + b * b * k * k),
                 py = (a * a - b * b) * s * k / low;
    const tru_ellipsoid egg = {{0.2 * size, a, b}};
    tru_shape_def shape = tru_default_shape_def();
    tru_body_def d = tru_default_body_def();
    wy /= sqrt(size);
    wz /= sqrt(size);
    shape.shape = (tru_use){"ellipsoid", &egg};
    d.mass = 0.2;
    d.inertia = v3(cos(skew) * cos(skew) * ia + sin(skew) * sin(skew) * ib,
                   sin(skew) * sin(skew) * ia + cos(skew) * cos(skew) * ib, 1.65e-3 * size * size);
    d.products = v3(cos(skew) * sin(skew) * (ia - ib), 0.0, 0.0);
    d.position = v3(0.0, py, low);
    d.orientation = (tru_quat){cos(0.5 * tilt), sin(0.5 * tilt), 0.0, 0.0};
    d.angular_velocity = v3(0.0, wy, wz);
    d.velocity = v3(wy * low - wz * py, 0.0, 0.0);
    d.shapes = &shape;
    d.shape_count = 1;
    MUST(tru_body_add(w, &d, id, &err));
    return w;
}

typedef struct ride {
    tru_quat end;
    double least; /* [N] normal force after the first steps */
    double deep;  /* [m] overlap */
    int lifts;
} ride;

static ride run(tru_world *w, tru_id id, double h, double time) {
    tru_error err;
    ride r = {.least = HUGE_VAL};
    for (int i = 0; i < (int)floor(time / h + 0.5); i++) {
        tru_event e[16];
        tru_contact_info c = {0};
        MUST(tru_run(w, 1, &err));
        const size_t n = tru_events_take(w, e, 16, NULL);
        for (size_t k = 0; k < n; k++) r.lifts += e[k].kind == TRU_EVENT_LIFT;
        if (tru_contact_count(w) > 0) MUST(tru_contact_get(w, 0, &c, &err));
        if (i > 2) r.least = fmin(r.least, c.impulse[0] / h);
        r.deep = fmax(r.deep, -c.gap);
    }
    r.end = kit_get_state(w, id).orientation;
    return r;
}

/* Spun, rocked and both, as large as a table and as small as a grain, with and without restitution: the contact turns faster than a body
 * falls, which is neither an impact nor a reason to leave the floor. Overlaps are of second order. */
TEST(rolling_bodies_do_not_lift) {
    const double start[][2] = {{0.02, -3.0}, {0.02, -8.0}, {2.0, -3.0}, {5.0, -3.0}};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            const double size = k == 0 ? 1.0 : k == 1 ? 1e-2 : 1e2, time = 3.0 * sqrt(size);
            double deep[2];
            tru_id id;
            tru_world *w = rattleback(size, start[i][0], start[i][1], 0.0, &id);
            kit_set_moreau(w, 2e-4 * sqrt(size), TRU_MIDPOINT);
            const ride truth = run(w, id, 2e-4 * sqrt(size), time);
            check(truth.least > 0.2 && truth.lifts == 0); /* of 1.96 N */
            tru_world_destroy(w);
            for (int n = 0; n < 2; n++) {
                const double h = (n ? 2.5e-4 : 1e-3) * sqrt(size);
                w = rattleback(size, start[i][0], start[i][1], k == 0 ? 0.5 : 0.0, &id);
                kit_set_cone(w, h, TRU_EXACT, TRU_NEWTON_IMPACT, (tru_use){0});
                const ride r = run(w, id, h, time);
                if (!(check(r.lifts == 0) & check(r.least > 0.8 * truth.least)))
                    printf("size %g, start %g %g rad/s, step %g s: %d lifts, least force %g N (%g N)\n", size,
                           start[i][0], start[i][1], h, r.lifts, r.least, truth.least);
                deep[n] = r.deep / size;
                tru_world_destroy(w);
            }
            if (!check(deep[1] < 0.12 * deep[0])) printf("overlap %g and %g sizes\n", deep[0], deep[1]);
        }
}

/* Attitude after 3 s against moreau with a fine step: first order. */
TEST(rattleback_converges) {
    tru_id id;
    double error[4];
    tru_world *w = rattleback(1.0, 0.02, -3.0, 0.0, &id);
    kit_set_moreau(w, 1e-4, TRU_MIDPOINT);
    const tru_quat truth = run(w, id, 1e-4, 3.0).end;
    tru_world_destroy(w);
    for (int k = 0; k < 4; k++) {
        const double h = 1e-3 / (1 << k);
        w = rattleback(1.0, 0.02, -3.0, 0.0, &id);
        kit_set_cone(w, h, TRU_EXACT, TRU_NEWTON_IMPACT, (tru_use){0});
        error[k] = 2.0 * v3_norm(quat_vec(quat_mul(quat_conj(truth), run(w, id, h, 3.0).end)));
        tru_world_destroy(w);
    }
    const double order = log(error[0] / error[3]) / log(8.0);
    printf("attitude after 3 s: %.3f, %.3f, %.3f, %.3f rad, order %.2f\n", error[0], error[1], error[2], error[3],
           order);
    check(order > 0.9 && order < 1.2);
}

/* A ball that rolls continues to roll, for turns up to half a radian per step. */
TEST(balls_stay_rolling) {
    for (double r = 1e-4; r < 1e3; r *= 100.0)
        for (int k = 0; k < 4; k++)
            for (int form = TRU_EXACT; form <= TRU_RELAXED; form++) {
                tru_error err;
                const double turn = k == 0 ? 0.5 : k == 1 ? 0.1 : k == 2 ? 0.01 : 1e-4, h = 1e-3, rate = turn / h;
                tru_coulomb c = tru_default_coulomb();
                c.slide = 0.5;
                const tru_use law = {"coulomb", &c};
                tru_world *w = kit_create_floor(&law, 1, 0.0);
                const tru_id ball = kit_add_ball(w, r, 1.0, v3(rate * r, 0.0, 0.0), v3(0.0, rate, 0.0));
                kit_set_cone(w, h, form, TRU_NEWTON_IMPACT, (tru_use){0});
                MUST(tru_run(w, 2000, &err));
                const tru_body_state s = kit_get_state(w, ball);
                check_close(s.velocity.x - s.angular_velocity.y * r, 0.0, 0.0, 1e-10 * rate * r);
                check_close(s.velocity.x, rate * r, 1e-10, 0.0);
                tru_world_destroy(w);
            }
}
