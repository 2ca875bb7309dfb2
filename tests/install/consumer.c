// A program outside the tree: an installed library lets a ball slide until it rolls, at 5/7 of its first speed.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <trundle/plugin.h>
#include <trundle/trundle.h>

static tru_status ball_on_floor(tru_world *w, tru_id *ball, tru_error *err) {
    tru_coulomb mu = tru_default_coulomb();
    mu.slide = 0.3;
    const tru_use law = {"coulomb", &mu};
    tru_pair_def pair = tru_default_pair_def();
    pair.laws = &law;
    pair.law_count = 1;
    tru_shape_def plane = tru_default_shape_def(), sphere = plane;
    plane.shape.name = "plane";
    sphere.shape = (tru_use){"sphere", &(tru_sphere){0.1}};
    sphere.density = 1000.0;
    tru_body_def ground = tru_default_body_def(), body = ground;
    ground.kind = TRU_FIXED;
    ground.shapes = &plane;
    body.shapes = &sphere;
    ground.shape_count = body.shape_count = 1;
    body.position.z = 0.1;
    body.velocity.x = 1.0;
    tru_status s = tru_pair_set(w, &pair, err);
    if (s >= 0) s = tru_body_add(w, &ground, NULL, err);
    if (s >= 0) s = tru_body_add(w, &body, ball, err);
    return s;
}

int main(int argc, char **argv) {
    tru_error err = {.status = TRU_OK};
    tru_world_def def = tru_default_world_def();
    tru_moreau moreau = tru_default_moreau();
    tru_body_state state = {.velocity = {0}};
    tru_world *w = NULL;
    tru_id ball = TRU_NONE;
    moreau.step = 1e-3;
    tru_status s = tru_world_create(&def, &w, &err);
    if (s >= 0) s = ball_on_floor(w, &ball, &err);
    if (s >= 0) s = tru_stepper_set(w, "moreau", &moreau, &err);
    if (s >= 0) s = tru_run(w, 500, &err);
    if (s >= 0) s = tru_body_get(w, ball, &state, &err);
    tru_world_destroy(w);
    printf("trundle %s: %s, speed %.17g m/s\n", tru_version(), s < 0 ? err.text : tru_status_text(s), state.velocity.x);
    bool version = argc == 2 && strcmp(tru_version(), argv[1]) == 0;
    return version && s == TRU_OK && fabs(state.velocity.x - 5.0 / 7.0) < 1e-12 ? 0 : 1;
}
