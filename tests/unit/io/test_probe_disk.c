/* test_probe_disk.c: probes of a disk against the motion it was started in and the closed forms. */
#define _GNU_SOURCE
#include "check.h"
#include "disks.h"

#include "probes/probe.h"
#include "probes/probe_values.h"

static contact_view contacts;

static double read_probe(const tru_world *w, const char *name) {
    tru_error err;
    probe p;
    const probe_view view = {w, &contacts, NULL};
    MUST(trio_probe_find(w, NULL, name, &p, &err));
    return trio_probe_value(&view, &p);
}

static tru_world *started(kit_floor_laws l, double thickness, const tru_body_state *s, tru_id *id) {
    tru_error err;
    const tru_disk_body d = kit_paper_disk();
    tru_world *w = kit_create_disk_floor(l);
    *id = kit_add_disk(w, &d, thickness, s);
    kit_set_moreau(w, 1e-4, TRU_MIDPOINT);
    trio_contact_view_release(&contacts);
    MUST(tru_run(w, 2, &err));
    return w;
}

TEST(circular_rolling) {
    tru_error err;
    tru_id id;
    const tru_disk_body d = kit_paper_disk();
    tru_disk_steady s;
    check_status(tru_disk_circular(&d, 0.6, 0.25, &s, &err), TRU_OK);
    const tru_body_state start = kit_roll_disk(&d, 0.3, 0.6, -0.2, s.alpha_rate, 0.0, s.gamma_rate);
    tru_world *w = started((kit_floor_laws){.slide = 0.9, .contour = 1e-3}, 0.0, &start, &id);
    const double t = 2e-4, near = 1e-5;
    check_close(read_probe(w, "disk.disk.alpha"), 0.3 + s.alpha_rate * t, near, 0.0);
    check_close(read_probe(w, "disk.disk.beta"), 0.6, near, 0.0);
    check_close(read_probe(w, "disk.disk.gamma"), -0.2 + s.gamma_rate * t, near, 0.0);
    check_close(read_probe(w, "disk.disk.alpha_rate"), s.alpha_rate, 1e-3, 0.0);
    check_close(read_probe(w, "disk.disk.beta_rate"), 0.0, 0.0, 1e-3);
    check_close(read_probe(w, "disk.disk.gamma_rate"), s.gamma_rate, 1e-3, 0.0);
    check_close(read_probe(w, "disk.disk.psi_rate"), -s.gamma_rate, 1e-3, 0.0);
    check_close(read_probe(w, "disk.disk.spin"), s.spin, 1e-3, 0.0);
    check_close(read_probe(w, "disk.disk.cos_beta"), cos(0.6), near, 0.0);
    check_close(read_probe(w, "disk.disk.demand"), s.demand, 1e-3, 0.0);
    check_close(read_probe(w, "disk.disk.chi"), s.demand / 0.9, 1e-3, 0.0);
    check_close(read_probe(w, "disk.disk.nutation"), sqrt(s.oscillation), 1e-3, 0.0);
    check_close(read_probe(w, "disk.contact.friction_ratio"), s.demand, 1e-3, 0.0);
    /* power of contour friction: mu N r psi'; sliding and spinning take none */
    const double n = read_probe(w, "disk.contact.normal_force");
    check_close(n, d.mass * d.gravity, 1e-3, 0.0);
    check_close(read_probe(w, "disk.contact.power.roll"), 1e-3 * n * d.radius * fabs(s.gamma_rate), 1e-3, 0.0);
    check_close(read_probe(w, "disk.contact.power.slide"), 0.0, 0.0, 1e-6);
    check_close(read_probe(w, "disk.contact.power.spin"), 0.0, 0.0, 0.0);
    tru_world_destroy(w);
}

TEST(time_left) {
    tru_error err;
    tru_id id;
    const tru_disk_body d = kit_paper_disk();
    tru_disk_steady s;
    check_status(tru_disk_stationary(&d, 1.5, &s, &err), TRU_OK);
    const tru_body_state start = kit_roll_disk(&d, 0.0, 1.5, 0.0, s.alpha_rate, 0.0, s.gamma_rate);
    tru_world *w = started((kit_floor_laws){.slide = 0.3, .patch = 2e-3, .contour = 3e-4}, 0.0, &start, &id);
    const tru_decay both[] = {tru_disk_decay(&d, TRU_DECAY_CONTENSOU, 0.3, 2e-3),
                              tru_disk_decay(&d, TRU_DECAY_CONTOUR, 3e-4, 0.0)};
    check_close(read_probe(w, "disk.disk.time_left"), tru_decay_time(both, 2, s.energy), 1e-2, 0.0);
    tru_world_destroy(w);
    w = started((kit_floor_laws){.slide = 0.3, .roll = 2e-4, .roll_viscosity = 1e-6}, 0.0, &start, &id);
    const tru_decay roll[] = {tru_disk_decay(&d, TRU_DECAY_ROLL, 2e-4, 0.0),
                              tru_disk_decay(&d, TRU_DECAY_ROLL_VISCOUS, 1e-6, 0.0)};
    check_close(read_probe(w, "disk.disk.time_left"), tru_decay_time(roll, 2, s.energy), 1e-2, 0.0);
    tru_world_destroy(w);
    w = started((kit_floor_laws){.slide = 0.3}, 0.0, &start, &id);
    check(isinf(read_probe(w, "disk.disk.time_left")));
    tru_world_destroy(w);
}

/* Angles of a thick coin and of a disk in the air; what only a thin disk has is not a number for a coin. */
TEST(coin_and_flight) {
    tru_id id;
    const tru_disk_body d = kit_paper_disk();
    tru_body_state start = kit_roll_disk(&d, 0.0, -0.4, 0.0, 3.0, 0.0, 5.0);
    start.position.z += 0.5;
    tru_world *w = started((kit_floor_laws){.slide = 0.3}, 5e-3, &start, &id);
    check_close(read_probe(w, "disk.disk.beta"), -0.4, 1e-3, 0.0);
    check_close(read_probe(w, "disk.disk.psi_rate"), -5.0, 1e-3, 0.0);
    check(isnan(read_probe(w, "disk.disk.demand")) && isnan(read_probe(w, "disk.disk.chi")));
    check(read_probe(w, "disk.contact.power.slide") == 0.0);
    tru_world_destroy(w);
    const tru_body_state flat = {{0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    w = started((kit_floor_laws){.slide = 0.3}, 0.0, &flat, &id);
    check_close(read_probe(w, "disk.disk.beta"), 0.5 * M_PI, 1e-12, 0.0);
    check(read_probe(w, "disk.disk.alpha_rate") == 0.0 && read_probe(w, "disk.disk.time_left") == 0.0);
    tru_world_destroy(w);
}

TEST(only_for_disks) {
    tru_error err;
    probe p;
    const tru_coulomb coulomb = {0.3, TRU_DERIVED, 0.0};
    const tru_use law = {"coulomb", &coulomb};
    tru_world *w = kit_create_floor(&law, 1, 0.0);
    kit_add_ball(w, 0.1, 1.0, (tru_vec3){1, 0, 0}, (tru_vec3){0, 0, 0});
    check_status(trio_probe_find(w, NULL, "body-2.disk.beta", &p, &err), TRU_REFUSED);
    check_str(err.text, "probe 'body-2.disk.beta': body 'body-2' is not a free disk");
    check_status(trio_probe_find(w, NULL, "floor.disk.beta", &p, &err), TRU_REFUSED);
    check_status(trio_probe_find(w, NULL, "body-2.disk.betta", &p, &err), TRU_UNKNOWN_NAME);
    check_str(err.text, "no probe 'body-2.disk.betta'; did you mean 'body-2.disk.beta'?");
    tru_world_destroy(w);
}
