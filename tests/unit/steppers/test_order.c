/* test_order.c: moreau against event-driven reference runs through slip, stick and slip again, checked by slope.
 *
 * E2, E3, E4 of [slip-roll-equations 6.1] (states printed there to nine digits): an ellipsoid that arrives at rolling,
 * a thin disk with nine events, an off-centre ball with four. */
#define _GNU_SOURCE
#include "check.h"
#include "worlds.h"

#include "math/quat.h"

typedef struct reference {
    const char *name;
    double mu, mass, until;       /* [-], [kg], [s] */
    tru_vec3 inertia, rate, slip; /* [kg m^2], [rad/s], [m/s] */
    double half_turn;             /* [rad] half the angle of the start orientation */
    tru_vec3 axis;                /* [-] its axis */
    double point[2], q[4], w[3];  /* at the end; q[0] > 1: not printed */
} reference;

static const reference runs[] = {
    {"E2 ellipsoid",
     0.25,
     1.0,
     0.6,
     {0.2 * 0.0074, 0.2 * 0.0125, 0.2 * 0.0149},
     {2, -3, 4},
     {0.6, -0.3, 0},
     0.2,
     {0.6, 0.8, 0},
     {-0.033959723, -0.079978389},
     {0.548462576, -0.089187903, -0.076923050, 0.827838852},
     {-0.900629076, -0.754932753, 3.027041907}},
    {"E3 thin disk",
     0.3,
     0.3,
     0.6,
     {0.3 * 0.0025 / 4, 0.3 * 0.0025 / 4, 0.3 * 0.0025 / 2},
     {0.5, -28.906745625, 11.024964885},
     {0.3, 0.05, 0},
     0.65,
     {1, 0, 0},
     {-0.659584439, 0.407223303},
     {0.07555822, -0.52517230, -0.32096322, 0.78451745},
     {-22.08463209, -11.63025927, 9.89156604}},
    {"E4 off-centre ball",
     0.2,
     1.0,
     1.0,
     {4e-3, 4e-3, 3e-3},
     {-5, 2, 1},
     {0, 0, 0},
     0.6,
     {1, 0, 0},
     {0.015608368, 0.170127087},
     {2, 0, 0, 0},
     {-2.43725382, -1.05499504, 2.00885019}},
};

/* Arm from the centre of mass to the contact point at the start. */
static tru_vec3 start_arm(int k, tru_quat q) {
    const tru_vec3 n = quat_unrotate(q, v3(0, 0, -1));
    if (k == 0) {
        const tru_vec3 e = {0.01, 0.0049, 0.0025}, x = v3_mul(e, n);
        return quat_rotate(q, v3_scale(1.0 / sqrt(v3_dot(n, x)), x));
    }
    if (k == 1) return quat_rotate(q, v3_scale(0.05 / hypot(n.x, n.y), v3(n.x, n.y, 0)));
    return v3_add(quat_rotate(q, v3(0, 0, 0.04)), v3(0, 0, -0.1));
}

/* Largest error of contact point and quaternion, and of the angular velocity, at the end. */
static void run(int k, int scheme, double h, double *pose, double *rate) {
    const reference *r = &runs[k];
    const tru_ellipsoid ellipsoid = {{0.1, 0.07, 0.05}};
    const tru_disk disk = {0.05, 0.0};
    const tru_sphere sphere = {0.1};
    const tru_use shapes[] = {{"ellipsoid", &ellipsoid}, {"disk", &disk}, {"sphere", &sphere}};
    tru_coulomb mu = tru_default_coulomb();
    tru_shape_def shape = tru_default_shape_def();
    tru_body_def b = tru_default_body_def();
    tru_error err;
    tru_id id;
    mu.slide = r->mu;
    tru_world *w = kit_create_floor(&(tru_use){"coulomb", &mu}, 1, 0.0);
    const double s = sin(r->half_turn);
    const tru_quat q = {cos(r->half_turn), s * r->axis.x, s * r->axis.y, s * r->axis.z};
    const tru_vec3 arm = start_arm(k, q);
    shape.shape = shapes[k];
    if (k == 2) shape.position.z = 0.04;
    b.shapes = &shape;
    b.shape_count = 1;
    b.mass = r->mass;
    b.inertia = r->inertia;
    b.orientation = q;
    b.position = v3_neg(arm);
    b.angular_velocity = r->rate;
    if (k == 1) b.angular_velocity = v3(0.5, -30.0 * sin(1.3), 30.0 * cos(1.3) + 3.0);
    b.velocity = v3_sub(r->slip, v3_cross(b.angular_velocity, arm));
    MUST(tru_body_add(w, &b, &id, &err));
    kit_set_moreau(w, h, scheme);
    MUST(tru_run(w, (uint64_t)llround(r->until / h), &err)); /* scheme paper is remarked on */
    const tru_body_state end = kit_get_state(w, id);
    tru_contact_info c;
    MUST(tru_contact_get(w, 0, &c, &err));
    const double sign = end.orientation.w * r->q[0] < 0.0 ? -1.0 : 1.0;
    const double q_end[4] = {end.orientation.w, end.orientation.x, end.orientation.y, end.orientation.z};
    const double w_end[3] = {end.angular_velocity.x, end.angular_velocity.y, end.angular_velocity.z};
    *pose = fmax(fabs(c.point.x - r->point[0]), fabs(c.point.y - r->point[1]));
    for (int i = 0; i < 4 && r->q[0] <= 1.0; i++) *pose = fmax(*pose, fabs(sign * q_end[i] - r->q[i]));
    *rate = 0.0;
    for (int i = 0; i < 3; i++) *rate = fmax(*rate, fabs(w_end[i] - r->w[i]));
    tru_world_destroy(w);
}

/* Slope of the error between steps of 1 ms and 1/16 ms. */
static void check_slopes(int scheme, double lowest, double highest) {
    for (int k = 0; k < 3; k++) {
        double coarse[2], fine[2];
        run(k, scheme, 1e-3, &coarse[0], &coarse[1]);
        run(k, scheme, 6.25e-5, &fine[0], &fine[1]);
        for (int i = 0; i < 2; i++) {
            const double slope = log(coarse[i] / fine[i]) / log(16.0);
            if (!check(slope >= lowest && slope <= highest))
                printf("%s: %s %.3g -> %.3g, order %.3f\n", runs[k].name, i ? "rate" : "pose", coarse[i], fine[i],
                       slope);
        }
    }
}

TEST(midpoint_is_of_second_order_through_slip_and_stick) { check_slopes(TRU_MIDPOINT, 1.9, 2.6); }

TEST(paper_is_of_first_order) { check_slopes(TRU_PAPER, 0.85, 1.25); }
