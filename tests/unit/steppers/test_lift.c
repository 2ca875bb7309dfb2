/* test_lift.c: a body leaves what it slides or rolls on in the step in which the contact stops pushing, whatever its gap says:
 * against the angles of elementary mechanics, over radii and steps. */
#define _GNU_SOURCE
#include "check.h"
#include "worlds.h"

#include <math.h>

#define G 9.81

/* A ball of radius r on top of a fixed ball of radius big, pushed a little: it leaves where its normal force vanishes. */
typedef struct descent {
    double r, big;
    bool rolls;
    double kick; /* [-] start speed over sqrt(g (r + big)) */
} descent;

/* cos of the angle from the vertical where the normal force vanishes, from the energy at the start angle:
 * m v^2 = m g cos(a) L, (1 + k) v^2/2 = (1 + k) v0^2/2 + g L (cos a0 - cos a). */
static double leaving_cosine(const descent *d, double a0) {
    const double k = d->rolls ? 0.4 : 0.0;
    return (2.0 * cos(a0) + (1.0 + k) * d->kick * d->kick) / (3.0 + k);
}

static tru_world *descent_world(const descent *d, double a0, double step, int scheme) {
    tru_error err;
    tru_coulomb friction = tru_default_coulomb();
    const tru_use laws[] = {{"coulomb", &friction}};
    const tru_sphere small = {d->r}, big = {d->big};
    tru_shape_def shape = tru_default_shape_def(), hill = shape;
    tru_body_def fixed = tru_default_body_def(), b = fixed;
    const double l = d->r + d->big, v = d->kick * sqrt(G * l), j = 0.4 * d->r * d->r;
    friction.slide = d->rolls ? 50.0 : 0.0; /* rolls until it leaves */
    tru_world *w = kit_create_world((tru_vec3){0, 0, -G});
    kit_set_pair(w, TRU_NONE, TRU_NONE, laws, 1, 0.0);
    hill.shape = (tru_use){"sphere", &big};
    fixed.kind = TRU_FIXED;
    fixed.shapes = &hill;
    fixed.shape_count = b.shape_count = 1;
    MUST(tru_body_add(w, &fixed, NULL, &err));
    shape.shape = (tru_use){"sphere", &small};
    b.mass = 1.0;
    b.inertia = (tru_vec3){j, j, j};
    b.position = (tru_vec3){l * sin(a0), 0, l * cos(a0)};
    b.velocity = (tru_vec3){v * cos(a0), 0, -v * sin(a0)};
    b.angular_velocity.y = d->rolls ? v / d->r : 0.0;
    b.shapes = &shape;
    MUST(tru_body_add(w, &b, NULL, &err));
    kit_set_moreau(w, step, scheme);
    return w;
}

/* Angle from the vertical at the first lift; also how often it lifted. */
static double leaving_angle(const descent *d, double a0, double step, int scheme, int *lifts) {
    tru_error err;
    tru_world *w = descent_world(d, a0, step, scheme);
    double angle = NAN;
    *lifts = 0;
    for (int k = 0; k < 100000; k++) {
        tru_event e[8];
        MUST(tru_run(w, 1, &err));
        const tru_body_state s = kit_get_state(w, 2);
        const size_t n = tru_events_take(w, e, 8, NULL);
        for (size_t i = 0; i < n; i++) {
            if (e[i].kind != TRU_EVENT_LIFT) continue;
            if ((*lifts)++ == 0) angle = atan2(s.position.x, s.position.z);
        }
        if (atan2(s.position.x, s.position.z) > 1.3 || s.position.z < 0.0) break;
    }
    tru_world_destroy(w);
    return angle;
}

/* Within three steps of the true angle, at steps in which the ball moves on by 0.02 down to 0.0002 rad. */
TEST(ball_leaves_a_sphere_where_its_force_vanishes) {
    static const double radii[] = {1e-4, 0.1, 100.0};
    for (int k = 0; k < 3; k++)
        for (int rolls = 0; rolls < 2; rolls++)
            for (int scheme = TRU_MIDPOINT; scheme < TRU_PAPER; scheme++) /* paper: loses contact on curved ground */
                for (double part = 2e-2; part > 1e-4; part *= 0.1) {
                    const descent d = {radii[k], 9.0 * radii[k], rolls, 0.1};
                    const double step = part * sqrt((d.r + d.big) / G), a0 = 0.3;
                    const double truth = acos(leaving_cosine(&d, a0)), speed = sqrt(cos(truth));
                    int lifts;
                    const double angle = leaving_angle(&d, a0, step, scheme, &lifts);
                    if (!check(fabs(angle - truth) <= 3.0 * part * speed))
                        printf("R %g, %s, scheme %d, %g rad per step: left at %.6f rad, true %.6f\n", d.r,
                               rolls ? "rolls" : "slides", scheme, part, angle, truth);
                    check_status(lifts, 1);
                }
}

/* A ball on a level floor whose force never vanishes: it never lifts, whether it rests, rolls, slides or landed. */
TEST(no_lift_without_cause) {
    tru_error err;
    tru_coulomb friction = tru_default_coulomb();
    const tru_use law = {"coulomb", &friction};
    friction.slide = 0.3;
    for (double r = 1e-4; r < 200.0; r *= 100.0)
        for (double part = 1e-4; part < 0.6; part *= 5.0)
            for (int start = 0; start < 3; start++)
                for (int scheme = TRU_MIDPOINT; scheme <= TRU_PAPER; scheme++) {
                    const double v = start == 0 ? 0.0 : 2.0 * sqrt(G * r), step = part * r / (2.0 * sqrt(G * r));
                    tru_world *w = kit_create_floor(&law, 1, 0.0);
                    kit_add_ball(w, r, 1.0, (tru_vec3){v, 0, 0}, (tru_vec3){0, start == 1 ? v / r : 0.0, 0});
                    kit_set_moreau(w, step, scheme);
                    MUST(tru_run(w, 300, &err));
                    tru_event e[64];
                    int lifts = 0, touches = 0;
                    const size_t n = tru_events_take(w, e, 64, NULL);
                    for (size_t i = 0; i < n; i++) {
                        lifts += e[i].kind == TRU_EVENT_LIFT;
                        touches += e[i].kind == TRU_EVENT_TOUCH;
                    }
                    check_status(lifts, 0);
                    check_status(touches, 1);
                    tru_world_destroy(w);
                }
}
