/* external.c: a law from outside the tree, registered with a world and run by every stepper that takes it; its effect
 * against analysis.
 *
 * A ball slides with slip s over the distance D: s s' = -7/2 g mu(D), mu = a + (b - a) D / L, so
 * s^2 = s0^2 - 7 g (a D + (b - a) D^2 / (2 L)); it sticks where that vanishes. */
#include "wear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define G 9.81

static int failures;
static tru_error err;

static void must(tru_status s, const char *what) {
    if (s >= 0) return;
    printf("%s: %s\n", what, err.text);
    exit(1);
}
#define MUST(call) must((call), #call)

static void check(bool good, const char *what) {
    if (good) return;
    printf("not true: %s\n", what);
    failures++;
}
#define CHECK(cond) check((cond), #cond)

static tru_world *world_with(const wear *law, tru_id *ball) {
    tru_world *w;
    tru_world_def wd = tru_default_world_def();
    tru_pair_def pair = tru_default_pair_def();
    tru_shape_def plane = tru_default_shape_def(), sphere = tru_default_shape_def();
    tru_body_def floor_body = tru_default_body_def(), body = tru_default_body_def();
    const tru_use use = {"wear", law};
    const tru_sphere shape = {0.1};
    MUST(tru_world_create(&wd, &w, &err));
    CHECK(tru_pair_set(w, &(tru_pair_def){.laws = &use, .law_count = 1}, &err) == TRU_UNKNOWN_NAME);
    MUST(tru_law_register(w, &wear_law, &err));
    pair.laws = &use;
    pair.law_count = 1;
    MUST(tru_pair_set(w, &pair, &err));
    plane.shape.name = "plane";
    floor_body.kind = TRU_FIXED;
    floor_body.shapes = &plane;
    floor_body.shape_count = 1;
    MUST(tru_body_add(w, &floor_body, NULL, &err));
    sphere.shape = (tru_use){"sphere", &shape};
    sphere.density = 1000.0;
    body.position.z = 0.1;
    body.velocity.x = 2.0;
    body.shapes = &sphere;
    body.shape_count = 1;
    MUST(tru_body_add(w, &body, ball, &err));
    return w;
}

/* Slip of the ball, and the distance slid until it stuck; the time of sticking. */
static double slide(double step, double *distance) {
    const wear law = {0.4, 0.1, 0.5};
    tru_id ball;
    tru_world *w = world_with(&law, &ball);
    tru_moreau m = tru_default_moreau();
    double stuck = 0.0, last = 2.0;
    m.step = step;
    MUST(tru_stepper_set(w, "moreau", &m, &err));
    *distance = 0.0;
    while (stuck == 0.0 && tru_time(w) < 5.0) {
        tru_body_state s;
        tru_event e[8];
        MUST(tru_run(w, 1, &err));
        MUST(tru_body_get(w, ball, &s, &err));
        const double slip = fabs(s.velocity.x - 0.1 * s.angular_velocity.y);
        const size_t n = tru_events_take(w, e, 8, NULL);
        for (size_t k = 0; k < n; k++)
            if (e[k].kind == TRU_EVENT_STICK) stuck = e[k].time;
        *distance += 0.5 * step * (slip + last);
        last = slip;
        tru_verdict v;
        MUST(tru_judge(w, &v, &err));
        CHECK(v.law[TRU_KIND_SLIDE] < 1e-11 && v.momentum < 1e-12);
    }
    tru_body_state s;
    MUST(tru_run(w, 10, &err));
    MUST(tru_body_get(w, ball, &s, &err));
    CHECK(fabs(s.velocity.x - 10.0 / 7.0) < 1e-11); /* whatever the friction did on the way */
    tru_ledger l = tru_world_ledger(w);
    CHECK(fabs(tru_ledger_gap(&l)) < 1e-12 * l.start);
    tru_world_destroy(w);
    return stuck;
}

/* Time by quadrature of dD / s. */
static double analysis(double *distance) {
    const double a = 0.4, b = 0.1, length = 0.5, s0 = 2.0;
    /* 7 g (a D + (b - a) D^2 / (2 L)) = s0^2: the smaller root */
    const double p = 7.0 * G * (b - a) / (2.0 * length), q = 7.0 * G * a;
    const double d = (-q + sqrt(q * q + 4.0 * p * s0 * s0)) / (2.0 * p);
    double time = 0.0;
    const int n = 200000;
    for (int i = 0; i < n; i++) { /* D = d sin^2: takes the root out of the end */
        const double angle = (i + 0.5) / n * 1.57079632679489662, x = d * sin(angle) * sin(angle);
        time += 2.0 * d * sin(angle) * cos(angle) / sqrt(s0 * s0 - q * x - p * x * x) * 1.57079632679489662 / n;
    }
    *distance = d;
    return time;
}

int main(void) {
    double d, wanted_d, wanted = analysis(&wanted_d);
    tru_id ball;
    const double t = slide(1e-4, &d);
    printf("sticks at %.6f s after %.6f m; analysis %.6f s, %.6f m\n", t, d, wanted, wanted_d);
    CHECK(wanted_d < 0.5);
    CHECK(fabs(t - wanted) < 2e-4);
    CHECK(fabs(d - wanted_d) < 1e-4);
    /* sentences about a user's law are like those about any other */
    const wear bad = {-0.1, 0.1, 0.5};
    tru_world *w = world_with(&(wear){0.4, 0.1, 0.5}, &ball);
    CHECK(tru_law_register(w, &wear_law, &err) == TRU_CONFLICT);
    CHECK(strcmp(err.text, "there is already a law 'wear'") == 0);
    const tru_use use = {"wear", &bad}, typo = {"waer", NULL};
    tru_pair_def pair = tru_default_pair_def();
    pair.laws = &use;
    pair.law_count = 1;
    CHECK(tru_pair_set(w, &pair, &err) == TRU_OUT_OF_RANGE);
    CHECK(strcmp(err.text, "law wear: fresh is -0.1, must be at least 0") == 0);
    pair.laws = &typo;
    CHECK(tru_pair_set(w, &pair, &err) == TRU_UNKNOWN_NAME);
    CHECK(strcmp(err.text, "no law 'waer'; did you mean 'wear'?") == 0);
    tru_world_destroy(w);
    printf("%s\n", failures ? "FAILED" : "passed");
    return failures ? 1 : 0;
}
