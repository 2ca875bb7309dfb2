/* reset.c: sets a world back a thousand times, as a learning program does. Equal pushes must end in equal bits. */
#include "scene.h"

static const char text[] = "trundle: 1\n"
                           "laws: {wood: {coulomb: {slide: 0.4}, rolling: {roll: 1 mm}}}\n"
                           "pairs: [{default: wood}]\n"
                           "bodies:\n"
                           "  table: {kind: fixed, shape: plane}\n"
                           "  ball: {shape: {sphere: {radius: 50 mm}}, mass: 0.5 kg, position: [0, 0, 50 mm]}\n"
                           "steppers: {moreau: {step: 2 ms}}\n"
                           "record: {until: 10 s}\n";

int main(void) {
    enum { PUSHES = 10, RESETS = 1000 };
    tru_error err;
    tru_scene *scene = scene_of(text);
    tru_sim *sim = sim_of(scene);
    tru_world *w = tru_sim_world(sim);
    const tru_id ball = tru_body_find(w, "ball");
    uint64_t hash[PUSHES] = {0};
    int differ = 0;
    double farthest = 0.0;
    const size_t bytes = tru_snapshot_size(w);
    void *start = malloc(bytes);
    if (!start) return 1;
    must(tru_snapshot_save(w, start, bytes, &err), &err);
    for (int i = 0; i < RESETS; i++) {
        const int push = i % PUSHES;
        tru_body_state s;
        must(tru_snapshot_load(w, start, bytes, &err), &err);
        must(tru_body_get(w, ball, &s, &err), &err);
        s.velocity.x = 0.1 * (1 + push); /* [m/s] */
        must(tru_body_set(w, ball, &s, &err), &err);
        must(tru_run(w, 50, &err), &err);
        if (i < PUSHES) hash[push] = tru_state_hash(w);
        differ += tru_state_hash(w) != hash[push];
        must(tru_body_get(w, ball, &s, &err), &err);
        if (s.position.x > farthest) farthest = s.position.x;
    }
    printf("%d resets, %d ended in other bits, farthest ball at %.4f m\n", RESETS, differ, farthest);
    free(start);
    tru_sim_free(sim);
    tru_scene_free(scene);
    return differ != 0;
}
