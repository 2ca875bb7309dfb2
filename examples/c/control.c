/* control.c: a motor lifts a pendulum to 60 degrees and holds it there: a controller sets the motor's speed in every step. */
#include "scene.h"

static const char text[] = "trundle: 1\n"
                           "laws: {smooth: {coulomb: {slide: 0}}}\n"
                           "pairs: [{default: smooth}]\n"
                           "bodies:\n"
                           "  wall: {kind: fixed, shape: plane, position: [0, 0, -5 m]}\n"
                           "  bob: {shape: {sphere: {radius: 0.1 m}}, mass: 2 kg, position: [0, 0, -1 m]}\n"
                           "joints:\n"
                           "  pivot: {joint: hinge, between: [bob, wall], position: [0, 0, 0], axis: [0, 1, 0]}\n"
                           "  drive: {joint: {motor: {speed: 0 rad/s, torque: 40 N m}}, between: [bob, wall],\n"
                           "          position: [0, 0, 0], axis: [0, 1, 0]}\n"
                           "steppers: {moreau: {step: 1 ms}}\n"
                           "record: {until: 3 s}\n";

int main(void) {
    const double pi = 3.14159265358979323846, goal = pi / 3.0; /* [rad] */
    tru_error err;
    tru_joint_info pivot, drive;
    tru_scene *scene = scene_of(text);
    tru_sim *sim = sim_of(scene);
    tru_world *w = tru_sim_world(sim);
    const tru_id hinge = tru_joint_find(w, "pivot"), motor = tru_joint_find(w, "drive");
    while (!tru_sim_done(sim)) {
        tru_motor wanted;
        must(tru_joint_get(w, hinge, &pivot, &err), &err);
        must(tru_motor_get(w, motor, &wanted, &err), &err);
        wanted.speed = 4.0 * (goal - pivot.angle); /* [rad/s] */
        must(tru_motor_set(w, motor, &wanted, &err), &err);
        must(tru_sim_run(sim, 1, &err), &err);
        if (tru_steps_done(w) % 500 == 0) printf("%.1f s: %.2f deg\n", tru_time(w), pivot.angle * 180.0 / pi);
    }
    must(tru_joint_get(w, motor, &drive, &err), &err);
    printf("the motor holds %.3f N m, expected %.3f N m\n", drive.torque.y, 2.0 * 9.81 * 1.0 * 0.8660254);
    const tru_ledger l = tru_world_ledger(w);
    printf("motor %.3f J, of which %.3f J lost at its torque limit; weight times height %.3f J\n", l.motors, l.seals,
           2.0 * 9.81 * 0.5);
    tru_sim_free(sim);
    tru_scene_free(scene);
    return 0;
}
