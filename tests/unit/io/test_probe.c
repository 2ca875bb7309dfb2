/* test_probe.c: probes against elementary mechanics and against the world they look at; sentences for wrong names. */
#define _GNU_SOURCE
#include "check.h"
#include "worlds.h"

#include "probes/probe.h"
#include "probes/probe_values.h"

#define G      9.81
#define MU     0.3
#define MASS   2.0
#define RADIUS 0.1
#define STEP   1e-3

static contact_view contacts;

static double read_probe(const tru_world *w, const char *name) {
    tru_error err;
    probe p;
    const probe_view view = {w, &contacts, NULL};
    MUST(trio_probe_find(w, NULL, name, &p, &err));
    return trio_probe_value(&view, &p);
}

/* A ball on the floor after `steps` steps of sliding in direction (3, 4)/5 with 1 m/s and spinning with 2 rad/s. */
static tru_world *sliding(int steps) {
    tru_error err;
    tru_coulomb coulomb = tru_default_coulomb();
    coulomb.slide = MU;
    const tru_use law = {"coulomb", &coulomb};
    tru_world *w = kit_create_floor(&law, 1, 0.0);
    kit_add_ball(w, RADIUS, MASS, (tru_vec3){0.6, 0.8, 0.0}, (tru_vec3){0.0, 0.0, 2.0});
    kit_set_moreau(w, STEP, TRU_MIDPOINT);
    trio_contact_view_release(&contacts);
    if (steps > 0) MUST(tru_run(w, (uint64_t)steps, &err));
    return w;
}

/* ---- motion and forces: against elementary mechanics ---- */

/* The floor counts for nothing, bodies by their mass: 2 kg slid for a while and 6 kg put beside. */
TEST(centre_of_free_bodies) {
    tru_error err;
    tru_world *w = sliding(50);
    const double x = read_probe(w, "body-2.position.x"), y = read_probe(w, "body-2.position.y");
    check_close(read_probe(w, "centre.x"), x, 1e-15, 0.0);
    const tru_id other = kit_add_ball(w, RADIUS, 3.0 * MASS, (tru_vec3){0.0, 0.0, 0.0}, (tru_vec3){0.0, 0.0, 0.0});
    tru_body_state s;
    MUST(tru_body_get(w, other, &s, &err));
    s.position = (tru_vec3){1.0, -2.0, 5.0};
    MUST(tru_body_set(w, other, &s, &err));
    check_close(read_probe(w, "centre.x"), 0.25 * x + 0.75, 1e-15, 0.0);
    check_close(read_probe(w, "centre.y"), 0.25 * y - 1.5, 1e-15, 0.0);
    check_close(read_probe(w, "centre.z"), 0.25 * RADIUS + 3.75, 1e-14, 0.0);
    tru_world_destroy(w);
}

/* While it slides: force mu m g against the slip, speed 1 - mu g t, slip 1 - 7/2 mu g t. */
TEST(sliding_ball_by_elementary_mechanics) {
    const int steps = 50;
    const double t = steps * STEP;
    tru_world *w = sliding(steps);
    const double v = 1.0 - MU * G * t, slip = 1.0 - 3.5 * MU * G * t, rate = 2.5 * MU * G * t / RADIUS;
    check_close(read_probe(w, "time"), t, 1e-15, 0.0);
    check_close(read_probe(w, "step"), steps, 0.0, 0.0);
    check_close(read_probe(w, "bodies"), 2.0, 0.0, 0.0);
    check_close(read_probe(w, "body-2.speed"), v, 1e-12, 0.0);
    check_close(read_probe(w, "body-2.velocity.x"), 0.6 * v, 1e-12, 0.0);
    check_close(read_probe(w, "body-2.velocity.y"), 0.8 * v, 1e-12, 0.0);
    check_close(read_probe(w, "body-2.position.x"), 0.6 * (t - 0.5 * MU * G * t * t), 1e-12, 0.0);
    check_close(read_probe(w, "body-2.position.z"), RADIUS, 1e-12, 0.0);
    check_close(read_probe(w, "body-2.momentum"), MASS * v, 1e-12, 0.0);
    check_close(read_probe(w, "body-2.momentum.y"), MASS * 0.8 * v, 1e-12, 0.0);
    check_close(read_probe(w, "body-2.angular_velocity.z"), 2.0, 1e-14, 0.0);
    check_close(read_probe(w, "body-2.angular_velocity.y"), 0.6 * rate, 1e-12, 0.0);
    check_close(read_probe(w, "body-2.angular_speed"), sqrt(4.0 + rate * rate), 1e-12, 0.0);
    const double j = 0.4 * MASS * RADIUS * RADIUS;
    check_close(read_probe(w, "body-2.angular_momentum.z"), 2.0 * j, 1e-12, 0.0);
    check_close(read_probe(w, "body-2.angular_momentum"), j * sqrt(4.0 + rate * rate), 1e-12, 0.0);
    check_close(read_probe(w, "body-2.energy.potential"), MASS * G * RADIUS, 1e-12, 0.0);
    check_close(read_probe(w, "contact.slip"), slip, 1e-12, 0.0);
    check_close(read_probe(w, "body-2.contact.slip.x"), 0.6 * slip, 1e-12, 0.0);
    check_close(read_probe(w, "contact(floor, body-2).slip.y"), -0.8 * slip, 1e-12, 0.0);
    check_close(read_probe(w, "contact.spin"), 2.0, 1e-14, 0.0);
    check_close(read_probe(w, "floor.contact.spin"), 2.0, 1e-14, 0.0);
    check_close(read_probe(w, "contact.roll"), rate, 1e-12, 0.0);
    check_close(read_probe(w, "contact.separation"), 0.0, 0.0, 1e-15);
    check_close(read_probe(w, "contact.gap"), 0.0, 0.0, 1e-15);
    check_close(read_probe(w, "contact.point.z"), 0.0, 0.0, 1e-15);
    check_close(read_probe(w, "contact.point.x"), read_probe(w, "body-2.position.x"), 1e-14, 0.0);
    tru_world_destroy(w);
}

TEST(forces_of_a_sliding_ball) {
    tru_world *w = sliding(50);
    const double n = MASS * G, f = MU * n;
    check_close(read_probe(w, "contact.normal_force"), n, 1e-12, 0.0);
    check_close(read_probe(w, "contact.friction_force"), f, 1e-12, 0.0);
    check_close(read_probe(w, "contact.friction_ratio"), MU, 1e-12, 0.0);
    check_close(read_probe(w, "contact.force.x"), -0.6 * f, 1e-12, 0.0);
    check_close(read_probe(w, "contact(floor,body-2).force.x"), 0.6 * f, 1e-12, 0.0);
    check_close(read_probe(w, "body-2.force.x"), -0.6 * f, 1e-12, 0.0);
    check_close(read_probe(w, "body-2.force.y"), -0.8 * f, 1e-12, 0.0);
    check_close(read_probe(w, "body-2.force.z"), n, 1e-12, 0.0);
    check_close(read_probe(w, "body-2.force"), sqrt(n * n + f * f), 1e-12, 0.0);
    check_close(read_probe(w, "floor.force.z"), -n, 1e-12, 0.0);
    check_close(read_probe(w, "body-2.contacts"), 1.0, 0.0, 0.0);
    check_close(read_probe(w, "contact.stuck.slide"), 0.0, 0.0, 0.0);
    check_close(read_probe(w, "contact.spin_couple"), 0.0, 0.0, 0.0);
    check_close(read_probe(w, "contact.roll_couple"), 0.0, 0.0, 0.0);
    tru_error err;
    MUST(tru_run(w, 200, &err)); /* rolls now */
    check_close(read_probe(w, "contact.stuck.slide"), 1.0, 0.0, 0.0);
    tru_world_destroy(w);
}

/* ---- energies and tilt ---- */

TEST(energies_follow_the_ledger) {
    tru_world *w = sliding(50);
    const tru_ledger l = tru_world_ledger(w);
    check(l.slide > 0.0);
#define SAME(name, kind, doc) check_close(read_probe(w, "ledger." #name), l.name, 0.0, 0.0);
    TRU_LEDGER_LIST(SAME)
#undef SAME
    check_close(read_probe(w, "ledger.gap"), tru_ledger_gap(&l), 0.0, 0.0);
    check_close(read_probe(w, "energy.kinetic"), l.kinetic, 0.0, 0.0);
    check_close(read_probe(w, "body-2.energy.kinetic"), l.kinetic, 1e-14, 0.0);
    check_close(read_probe(w, "energy.total"), l.kinetic + l.potential, 1e-15, 0.0);
    check_close(read_probe(w, "energy.dissipated"), l.slide, 1e-15, 0.0);
    /* start + loads - dissipated + numerical = total */
    check_close(l.start - read_probe(w, "energy.dissipated") + read_probe(w, "energy.numerical"),
                read_probe(w, "energy.total"), 1e-13, 0.0);
    const tru_solve_info s = tru_world_solve_info(w);
    check_close(read_probe(w, "solver.iterations"), s.iterations, 0.0, 0.0);
    check_close(read_probe(w, "solver.contacts"), 1.0, 0.0, 0.0);
    check_close(read_probe(w, "solver.converged"), 1.0, 0.0, 0.0);
    check_close(read_probe(w, "solver.relative"), s.relative, 0.0, 0.0);
    check_close(read_probe(w, "solver.residual.slide"), s.residual[TRU_KIND_SLIDE], 0.0, 0.0);
    tru_world_destroy(w);
}

/* Tilt and body axes, for a body turned by a known angle under a gravity of any direction. */
TEST(tilt_is_measured_from_up) {
    tru_error err;
    for (int k = 0; k < 3; k++) {
        tru_world *w = kit_create_world(k == 0   ? (tru_vec3){0, 0, -9.81}
                                        : k == 1 ? (tru_vec3){-3.0, 0, 0}
                                                 : (tru_vec3){0, 0, 0});
        tru_body_state s = kit_get_state(w, kit_add_ball(w, RADIUS, MASS, (tru_vec3){0}, (tru_vec3){0}));
        const double angles[] = {0.0, 1e-9, 0.3, 1.5, 3.0, M_PI};
        for (int i = 0; i < 6; i++) { /* about y: the z axis goes to (sin, 0, cos) */
            s.orientation = (tru_quat){cos(0.5 * angles[i]), 0.0, sin(0.5 * angles[i]), 0.0};
            s.angular_velocity = (tru_vec3){1.0, 2.0, 0.0};
            MUST(tru_body_set(w, tru_body_at(w, 0), &s, &err));
            const double expected = k == 1 ? fabs(0.5 * M_PI - angles[i]) : angles[i];
            check_close(read_probe(w, "body-1.tilt"), expected, 1e-14, 1e-15);
            check_close(read_probe(w, "body-1.angular_velocity_body.x"), cos(angles[i]), 1e-14, 1e-15);
            check_close(read_probe(w, "body-1.angular_velocity_body.z"), sin(angles[i]), 1e-14, 1e-15);
            check_close(read_probe(w, "body-1.angular_velocity_body.y"), 2.0, 1e-14, 0.0);
            check_close(read_probe(w, "body-1.orientation.y"), s.orientation.y, 1e-15, 1e-16);
        }
        tru_world_destroy(w);
    }
}

/* ---- contacts, and what is not there ---- */

/* Two contacts: the first of a body, of a pair, and their sum. */
TEST(contacts_of_pairs) {
    tru_error err;
    tru_world *w = sliding(0);
    tru_body_state s = kit_get_state(w, tru_body_find(w, "body-2"));
    s.velocity = s.angular_velocity = (tru_vec3){0};
    MUST(tru_body_set(w, tru_body_find(w, "body-2"), &s, &err));
    const tru_id upper = kit_add_ball(w, RADIUS, MASS, (tru_vec3){0}, (tru_vec3){0});
    s.position.z = 3.0 * RADIUS;
    MUST(tru_body_set(w, upper, &s, &err));
    MUST(tru_run(w, 10, &err));
    check_close(read_probe(w, "contact(body-2,floor).normal_force"), 2.0 * MASS * G, 1e-10, 0.0);
    check_close(read_probe(w, "contact(body-2,body-3).normal_force"), MASS * G, 1e-10, 0.0);
    check_close(read_probe(w, "contact(body-3,body-2).force.z"), MASS * G, 1e-10, 0.0);
    check_close(read_probe(w, "contact(body-2,body-3).force.z"), -MASS * G, 1e-10, 0.0);
    check_close(read_probe(w, "body-3.contact.normal_force"), MASS * G, 1e-10, 0.0);
    check_close(read_probe(w, "body-2.force.z"), MASS * G, 1e-10, 0.0);
    check_close(read_probe(w, "body-2.contacts"), 2.0, 0.0, 0.0);
    tru_world_destroy(w);
}

TEST(nothing_there_is_nan_or_no_force) {
    tru_error err;
    tru_world *w = sliding(0);
    tru_body_state s = kit_get_state(w, tru_body_find(w, "body-2"));
    s.position.z = 1.0;
    MUST(tru_body_set(w, tru_body_find(w, "body-2"), &s, &err));
    MUST(tru_run(w, 1, &err));
    check(isnan(read_probe(w, "contact.slip")));
    check(isnan(read_probe(w, "body-2.contact.gap")));
    check(isnan(read_probe(w, "contact.stuck.roll")));
    check_close(read_probe(w, "contact.normal_force"), 0.0, 0.0, 0.0);
    check_close(read_probe(w, "body-2.force"), 0.0, 0.0, 0.0);
    probe p;
    const probe_view view = {w, &contacts, NULL};
    MUST(trio_probe_find(w, NULL, "body-2.speed", &p, &err));
    MUST(tru_body_remove(w, tru_body_find(w, "body-2"), &err));
    check(isnan(trio_probe_value(&view, &p)));
    tru_world_destroy(w);
}

/* ---- names ---- */

static void check_sentence(const tru_world *w, const char *name, const char *sentence) {
    tru_error err = {0};
    probe p;
    check_status(trio_probe_find(w, NULL, name, &p, &err), TRU_UNKNOWN_NAME);
    check_str(err.text, sentence);
}

TEST(wrong_names_get_the_nearest) {
    tru_world *w = sliding(0);
    check_sentence(w, "enrgy.total", "no probe 'enrgy.total'; did you mean 'energy.total'?");
    check_sentence(w, "body-2.sped", "no probe 'body-2.sped'; did you mean 'body-2.speed'?");
    check_sentence(w, "bdy-2.speed", "probe 'bdy-2.speed': no body 'bdy-2'; did you mean 'body-2'?");
    check_sentence(w, "flor.contact.slip", "probe 'flor.contact.slip': no body 'flor'; did you mean 'floor'?");
    check_sentence(w, "body-2.contact.slipp", "no probe 'body-2.contact.slipp'; did you mean 'body-2.contact.slip'?");
    check_sentence(w, "contact.spinn", "no probe 'contact.spinn'; did you mean 'contact.spin'?");
    check_sentence(w, "contact(body-2,flor).slip",
                   "probe 'contact(body-2,flor).slip': no body 'flor'; did you mean 'floor'?");
    check_sentence(w, "contact(bdy-2,floor).slip",
                   "probe 'contact(bdy-2,floor).slip': no body 'bdy-2'; did you mean 'body-2'?");
    check_sentence(w, "contact(floor).slip", "probe 'contact(floor).slip': a contact needs two bodies, contact(A,B)");
    check_sentence(w, "body-2.colour", "no probe 'body-2.colour': a body has no 'colour'");
    check_sentence(w, "xyz", "no probe 'xyz'; `trundle list probes` shows all");
    check_sentence(w, "", "a probe needs a name");
    tru_world_destroy(w);
}

/* Names with dots, commas and blanks are found all the same. */
TEST(odd_names_of_bodies) {
    tru_error err;
    tru_world *w = sliding(0);
    const char *const names[] = {"a.b", "x,y", "contact", "speed"};
    for (int i = 0; i < 4; i++) {
        const tru_sphere sphere = {RADIUS};
        tru_shape_def shape = tru_default_shape_def();
        tru_body_def b = tru_default_body_def();
        shape.shape = (tru_use){"sphere", &sphere};
        shape.density = 1000.0;
        b.name = names[i];
        b.position = (tru_vec3){1.0 + i, 0.0, 1.0};
        b.shapes = &shape;
        b.shape_count = 1;
        MUST(tru_body_add(w, &b, NULL, &err));
    }
    check_close(read_probe(w, "a.b.position.x"), 1.0, 0.0, 0.0);
    check_close(read_probe(w, "x,y.position.x"), 2.0, 0.0, 0.0);
    check_close(read_probe(w, "contact.position.x"), 3.0, 0.0, 0.0);
    check_close(read_probe(w, "speed.speed"), 0.0, 0.0, 0.0);
    check_close(read_probe(w, "contact(x,y,a.b).normal_force"), 0.0, 0.0, 0.0);
    tru_world_destroy(w);
}

TEST(every_row_of_the_list_can_be_found) {
    tru_error err;
    tru_world *w = sliding(3);
    tru_joint_def eye = tru_default_joint_def();
    int count = 0;
    eye.name = "eye";
    eye.joint.name = "ball";
    eye.a = tru_body_at(w, 0);
    eye.b = tru_body_at(w, 1);
    MUST(tru_joint_add(w, &eye, NULL, &err));
    check(trio_probe_find(w, NULL, "joint(eie).force", &(probe){0}, &err) < 0);
    check_str(err.text, "probe 'joint(eie).force': no joint 'eie'; did you mean 'eye'?");
    check(trio_probe_find(w, NULL, "joint(eye).forse", &(probe){0}, &err) < 0);
    check_str(err.text, "no probe 'joint(eye).forse'; did you mean 'joint(eye).force'?");
    for (const tru_probe_info *i = tru_probe_list(); i->name; i++, count++) {
        char name[200];
        const char *tail = strchr(i->name, '.');
        const bool body = strncmp(i->name, "BODY.", 5) == 0, contact = strncmp(i->name, "CONTACT.", 8) == 0;
        const bool joint = strncmp(i->name, "JOINT.", 6) == 0;
        if (strncmp(i->name, "OUTLET.", 7) == 0) continue; /* test_outlet.c */
        snprintf(name, sizeof name, "%s%s",
                 body      ? "floor"
                 : contact ? "floor.contact"
                 : joint   ? "joint(eye)"
                           : "",
                 body || contact || joint ? tail : i->name);
        probe p;
        tru_unit unit;
        const bool disk = strncmp(i->name, "BODY.disk.", 10) == 0; /* found, but the floor is none */
        const tru_status found = trio_probe_find(w, NULL, name, &p, &err);
        if (!check(found == (disk ? TRU_REFUSED : TRU_OK))) printf("%s: %s\n", name, err.text);
        check(p.row->unit == i->unit && i->unit != TRU_UNIT_MISSING && strlen(i->doc) > 5);
        check(trio_probe_unit(name, &unit) && unit == i->unit);
        for (const tru_probe_info *k = tru_probe_list(); k != i; k++) check(strcmp(k->name, i->name) != 0);
    }
    check(count > 60);
    tru_unit unit;
    check(!trio_probe_unit("ball.colour", &unit));
    tru_world_destroy(w);
}
