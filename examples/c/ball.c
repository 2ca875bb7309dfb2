/* ball.c: a ball that slides, then rolls, from the core library alone. It must roll with 5/7 of its first speed. */
#include <stdio.h>
#include <trundle/trundle.h>

/* Adds a body of one shape at height z and returns its id. */
static tru_id add(tru_world *w, tru_use shape, int32_t kind, double z, double speed, tru_error *err) {
    tru_shape_def part = tru_default_shape_def();
    tru_body_def body = tru_default_body_def();
    tru_id id = TRU_NONE;
    part.shape = shape;
    body.kind = kind;
    body.shapes = &part;
    body.shape_count = 1;
    if (kind == TRU_FREE) body.mass = 1.0; /* [kg] */
    body.position.z = z;                   /* [m] */
    body.velocity.x = speed;               /* [m/s] */
    if (tru_body_add(w, &body, &id, err) < 0) fprintf(stderr, "%s\n", err->text);
    return id;
}

int main(void) {
    tru_error err = {0};
    tru_world *w;
    const tru_world_def def = tru_default_world_def(); /* gravity (0, 0, -9.81) m/s^2 */
    if (tru_world_create(&def, &w, &err) < 0) return 1;

    tru_coulomb mu = tru_default_coulomb();
    mu.slide = 0.3;
    const tru_use law = {"coulomb", &mu};
    tru_pair_def pair = tru_default_pair_def(); /* for every pair of materials without its own */
    pair.laws = &law;
    pair.law_count = 1;
    tru_pair_set(w, &pair, &err);

    add(w, (tru_use){"plane", NULL}, TRU_FIXED, 0.0, 0.0, &err);
    const tru_id ball = add(w, (tru_use){"sphere", &(tru_sphere){0.1}}, TRU_FREE, 0.1, 1.0, &err);

    tru_moreau moreau = tru_default_moreau();
    moreau.step = 1e-3; /* [s] */
    tru_stepper_set(w, "moreau", &moreau, &err);
    for (int i = 0; i < 5; i++) {
        if (tru_run(w, 40, &err) < 0) return fprintf(stderr, "%s\n", err.text), 1;
        tru_body_state s;
        tru_body_get(w, ball, &s, &err);
        printf("%.2f s: speed %.6f m/s, rim %.6f m/s\n", tru_time(w), s.velocity.x, 0.1 * s.angular_velocity.y);
    }
    printf("expected %.6f m/s\n", 5.0 / 7.0);
    tru_world_destroy(w);
    return 0;
}
