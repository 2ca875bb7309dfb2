/* own_law.c: a scene that names a law of this program. A ball spins at 1 rad/s and must stop after 2 R^2/(5 length g). */
#include "grip.h"
#include "scene.h"

#include <trundle/plugins.h>

static const char text[] = "trundle: 1\n"
                           "laws: {disc: {grip: {length: 0.5 mm}}}\n"
                           "pairs: [{default: disc}]\n"
                           "bodies:\n"
                           "  table: {kind: fixed, shape: plane}\n"
                           "  ball: {shape: {sphere: {radius: 0.1 m}}, mass: 1 kg, position: [0, 0, 0.1 m],\n"
                           "         angular_velocity: [0, 0, 1 rad/s]}\n"
                           "steppers: {moreau: {step: 1 ms}}\n"
                           "record: {until: 2 s}\n";

int main(void) {
    tru_error err;
    tru_plugins *laws;
    tru_scene *scene;
    size_t rate;
    tru_unit unit;
    must(tru_plugins_create(&laws, &err), &err);
    must(tru_plugins_add(laws, &grip_law, &err), &err);
    must(tru_scene_parse_with(laws, text, strlen(text), "own_law", NULL, 0, &scene, &err), &err);
    tru_sim *sim = sim_of(scene);
    must(tru_sim_probe(sim, "ball.angular_velocity.z", &rate, &unit, &err), &err);
    while (tru_sim_value(sim, rate) > 1e-9 && !tru_sim_done(sim)) must(tru_sim_run(sim, 1, &err), &err);
    printf("stopped after %.3f s, expected %.4f s\n", tru_time(tru_sim_world(sim)), 0.4 * 0.01 / (0.5e-3 * 9.81));
    tru_sim_free(sim);
    tru_scene_free(scene);
    tru_plugins_free(laws);
    return 0;
}
