/* test_project_joined.c: overlaps of joined bodies are closed by the smallest correction of the whole mechanism, in the metric
 * of the masses; no joint opens, and no velocity comes of it. */
#include "check.h"
#include "zoo.h"

#include "math/quat.h"
#include "math/vec.h"

#include <math.h>

enum { SCHEMES = 2, SIZES = 4 };
static const int schemes[SCHEMES] = {TRU_MIDPOINT, TRU_PAPER};
static const double radii[SIZES] = {1e-4, 0.02, 1.0, 100.0}; /* [m] */
static const double ratios[SIZES] = {1e-6, 0.3, 5.0, 1e6};   /* [-] mass of the second ball */
#define OVERLAP 1e-5 /* [-] of the radius: results are linear in it to this part */

static tru_world *floor_world(double gravity) {
    tru_error err;
    tru_world *w;
    tru_world_def def = tru_default_world_def();
    def.gravity = v3(0, 0, -gravity);
    MUST(tru_world_create(&def, &w, &err));
    kit_set_pair(w, TRU_NONE, TRU_NONE, NULL, 0, 0.0);
    kit_add_floor(w);
    return w;
}

static tru_id add_ball(tru_world *w, const char *name, bool fixed, double radius, double mass, tru_vec3 x) {
    tru_error err;
    tru_id id;
    const tru_sphere ball = {radius};
    tru_shape_def shape = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    shape.shape = (tru_use){"sphere", &ball};
    b.name = name;
    b.kind = fixed ? TRU_FIXED : TRU_FREE;
    b.position = x;
    if (!fixed) b.mass = mass;
    b.shapes = &shape;
    b.shape_count = 1;
    MUST(tru_body_add(w, &b, &id, &err));
    return id;
}

static double turn_about_y(const tru_world *w, tru_id id) {
    const tru_quat q = kit_get_state(w, id).orientation;
    return 2.0 * atan2(q.y, q.w);
}

/* A ball of mass 1 kg that overlaps the floor by d, and one of half its radius at `arm` radii from it, joined half way. */
typedef struct pair_of_balls {
    tru_world *w;
    tru_id a, b;
    double radius, mass_b, d;
    tru_vec3 at_a, at_b; /* [m] at the start */
} pair_of_balls;

static pair_of_balls two_balls(double radius, double mass_b, double gravity, const char *kind, tru_vec3 arm) {
    pair_of_balls p = {.w = floor_world(gravity), .radius = radius, .mass_b = mass_b, .d = OVERLAP * radius};
    p.at_a = v3(0, 0, radius - p.d);
    p.at_b = v3_madd(p.at_a, radius, arm);
    p.a = add_ball(p.w, "a", false, radius, 1.0, p.at_a);
    p.b = add_ball(p.w, "b", false, 0.5 * radius, mass_b, p.at_b);
    kit_add_joint(p.w, "link", kind, NULL, p.a, p.b, v3_madd(p.at_a, 0.5 * radius, arm), v3(0, 1, 0));
    return p;
}

/* [m] how far the link is open */
static double link_opening(const pair_of_balls *p) {
    const tru_body_state a = kit_get_state(p->w, p->a), b = kit_get_state(p->w, p->b);
    const tru_vec3 half = v3_scale(0.5, v3_sub(p->at_b, p->at_a));
    const tru_vec3 end_a = v3_add(a.position, quat_rotate(a.orientation, half)),
                   end_b = v3_sub(b.position, quat_rotate(b.orientation, half));
    return v3_norm(v3_sub(end_a, end_b));
}

static void check_still(const pair_of_balls *p) {
    tru_error err;
    MUST(tru_run(p->w, 3, &err));
    const tru_body_state a = kit_get_state(p->w, p->a), b = kit_get_state(p->w, p->b);
    check(link_opening(p) <= 1e-14 * p->radius);
    check(v3_norm(a.velocity) <= 1e-12 * p->radius && v3_norm(b.velocity) <= 1e-12 * p->radius);
    check(v3_norm(a.angular_velocity) <= 1e-12 && v3_norm(b.angular_velocity) <= 1e-12);
    check_close(a.position.z, p->radius, 1e-14, 0.0);
    tru_world_destroy(p->w);
}

/* One above the other, rigidly joined: both rise by the overlap, and gravity's work on both is told. */
TEST(a_rigid_pair_rises_together) {
    for (int k = 0; k < SIZES; k++)
        for (int scheme = 0; scheme < SCHEMES; scheme++) {
            tru_error err;
            pair_of_balls p = two_balls(radii[k], ratios[k], 9.81, "fixed", v3(0, 0, 4));
            kit_set_moreau(p.w, 1e-3 * sqrt(p.radius), schemes[scheme]);
            MUST(tru_run(p.w, 1, &err));
            check_close(kit_get_state(p.w, p.b).position.z - p.at_b.z, p.d, 1e-9, 0.0);
            const tru_ledger l = tru_world_ledger(p.w);
            check_close(l.projection, (1.0 + p.mass_b) * 9.81 * p.d, 1e-9, 0.0);
            check(fabs(l.stabilisation) <= 1e-10 * l.projection);
            tru_world_destroy(p.w);
        }
}

/* Side by side, rigidly joined: the pair turns about its centre of mass as one body that is pushed below ball a. */
TEST(a_rigid_pair_turns_as_one_body) {
    for (int k = 0; k < SIZES; k++)
        for (int scheme = 0; scheme < SCHEMES; scheme++) {
            tru_error err;
            pair_of_balls p = two_balls(radii[k], ratios[k], 0.0, "fixed", v3(4, 0, 0));
            const double r = p.radius, m = 1.0 + p.mass_b, to_a = 4.0 * r * p.mass_b / m, to_b = 4.0 * r - to_a;
            const double inertia = 0.4 * (1.0 + 0.25 * p.mass_b) * r * r + to_a * to_a + p.mass_b * to_b * to_b;
            const double yields = 1.0 / m + to_a * to_a / inertia;
            const double angle = p.d * to_a / inertia / yields, rise = p.d / m / yields;
            kit_set_moreau(p.w, 1e-3, schemes[scheme]);
            MUST(tru_run(p.w, 1, &err));
            check_close(turn_about_y(p.w, p.b), angle, 10.0 * OVERLAP, 0.0);
            check_close(kit_get_state(p.w, p.b).position.z - p.at_b.z, rise - angle * to_b, 10.0 * OVERLAP,
                        OVERLAP * p.d);
            check_still(&p);
        }
}

/* A ball joint: the second ball rises by 1/(1 + m_b (L/2)^2 (1/I_a + 1/I_b)), L the distance of the balls. */
TEST(a_ball_joint_gives_the_second_ball_its_share) {
    for (int k = 0; k < SIZES; k++)
        for (int scheme = 0; scheme < SCHEMES; scheme++) {
            tru_error err;
            pair_of_balls p = two_balls(radii[k], ratios[k], 0.0, "ball", v3(4, 0, 0));
            const double r = p.radius, arm = 2.0 * r, inertia_a = 0.4 * r * r, inertia_b = 0.25 * p.mass_b * inertia_a;
            const double share = 1.0 / (1.0 + p.mass_b * arm * arm * (1.0 / inertia_a + 1.0 / inertia_b));
            kit_set_moreau(p.w, 1e-3, schemes[scheme]);
            MUST(tru_run(p.w, 1, &err));
            check_close(kit_get_state(p.w, p.b).position.z - p.at_b.z, share * p.d, 10.0 * OVERLAP,
                        1e-4 * OVERLAP * p.d);
            check_close(turn_about_y(p.w, p.a), p.mass_b * share * p.d * arm / inertia_a, 10.0 * OVERLAP, 0.0);
            check_still(&p);
        }
}

/* On a hinge to a post the ball stays on its circle, to second order in the overlap and beyond. */
TEST(a_hinged_ball_stays_on_its_circle) {
    for (int k = 0; k < SIZES; k++)
        for (int scheme = 0; scheme < SCHEMES; scheme++) {
            tru_error err;
            tru_world *w = floor_world(0.0);
            const double r = radii[k], d = 0.015 * r, arm = 3.0 * r;
            const tru_id post = add_ball(w, "post", true, 0.5 * r, 0.0, v3(0, 0, r - d));
            const tru_id ball = add_ball(w, "ball", false, r, 1.0, v3(arm, 0, r - d));
            kit_add_joint(w, "hinge", "hinge", NULL, ball, post, v3(0, 0, r - d), v3(0, 1, 0));
            kit_set_moreau(w, 1e-3, schemes[scheme]);
            MUST(tru_run(w, 1, &err));
            const tru_body_state s = kit_get_state(w, ball);
            check_close(s.position.z, r, 1e-13, 0.0);
            check_close(s.position.x, sqrt(arm * arm - d * d), 1e-13, 0.0);
            check_close(turn_about_y(w, ball), -asin(d / arm), 1e-12, 0.0);
            tru_world_destroy(w);
        }
}

/* Two balls that overlap each other, both joined to others: each pair gives way by its inverse mass, along the line of centres. */
TEST(two_mechanisms_share_an_overlap) {
    for (int scheme = 0; scheme < SCHEMES; scheme++) {
        tru_error err;
        tru_world *w = floor_world(0.0);
        const double d = 1e-3;
        const tru_id a = add_ball(w, "a", false, 1.0, 1.0, v3(0, 0, 5)),
                     b = add_ball(w, "b", false, 1.0, 2.0, v3(2.0 - d, 0, 5)),
                     left = add_ball(w, "left", false, 1.0, 3.0, v3(-3, 0, 5)),
                     right = add_ball(w, "right", false, 1.0, 10.0, v3(5.0 - d, 0, 5));
        kit_add_joint(w, "one", "fixed", NULL, left, a, v3(-1, 0, 5), v3(0, 1, 0));
        kit_add_joint(w, "two", "fixed", NULL, b, right, v3(3.5, 0, 5), v3(0, 1, 0));
        kit_set_moreau(w, 1e-3, schemes[scheme]);
        MUST(tru_run(w, 1, &err));
        check_close(kit_get_state(w, left).position.x, -3.0 - 0.75 * d, 1e-13, 0.0);
        check_close(kit_get_state(w, a).position.x, -0.75 * d, 1e-12, 0.0);
        check_close(kit_get_state(w, right).position.x, 5.0 - 0.75 * d, 1e-13, 0.0);
        tru_world_destroy(w);
    }
}
