/* render.c: a rendering loop. Pictures come 60 times a second of their own clock, steps of 1 ms in between, and each picture shows the
 * state between two steps. Here a picture is a line of text: a bouncing ball that loses half of its speed at each bounce. */
#include "scene.h"

static const char text[] = "trundle: 1\n"
                           "laws: {steel: {coulomb: {slide: 0}}}\n"
                           "pairs: [{default: steel, restitution: 0.5}]\n"
                           "bodies:\n"
                           "  floor: {kind: fixed, shape: plane}\n"
                           "  ball: {shape: {sphere: {radius: 50 mm}}, mass: 1 kg, position: [0, 0, 0.55 m]}\n"
                           "steppers: {cone: {step: 1 ms}}\n"
                           "record: {until: 10 s}\n";

static void draw(double time, double height) {
    enum { WIDTH = 60 };
    char line[WIDTH + 1];
    memset(line, ' ', WIDTH);
    line[WIDTH] = '\0';
    line[(int)(height / 0.55 * (WIDTH - 1))] = 'o';
    printf("%5.3f s |%s\n", time, line);
}

int main(void) {
    tru_error err;
    tru_scene *scene = scene_of(text);
    tru_sim *sim = sim_of(scene);
    tru_world *w = tru_sim_world(sim);
    const tru_body_view all = tru_bodies_view(w); /* bodies in the order of the scene */
    const tru_body_state *ball = (const tru_body_state *)((const char *)all.state + all.stride);
    const double h = tru_step_size(w);
    double before = ball->position.z;
    for (int picture = 0; picture <= 60; picture++) {
        const double time = picture / 60.0; /* [s] a real loop asks its clock */
        while (tru_time(w) < time) {
            before = ball->position.z;
            must(tru_run(w, 1, &err), &err);
        }
        const double share = picture > 0 ? 1.0 - (tru_time(w) - time) / h : 1.0; /* of the last step */
        if (picture % 3 == 0) draw(time, before + share * (ball->position.z - before));
    }
    tru_sim_free(sim);
    tru_scene_free(scene);
    return 0;
}
