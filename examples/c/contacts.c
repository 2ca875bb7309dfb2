/* contacts.c: the contacts of a small stack as CSV. The normal forces below each ball must carry what lies on it. */
#include "scene.h"

#include <math.h>

static const char text[] = "trundle: 1\n"
                           "laws: {rubber: {coulomb: {slide: 0.5}}}\n"
                           "pairs: [{default: rubber}]\n"
                           "bodies:\n"
                           "  floor: {kind: fixed, shape: plane}\n"
                           "  low: {shape: {box: {size: [0.4 m, 0.4 m, 0.2 m]}}, mass: 3 kg, position: [0, 0, 0.1 m]}\n"
                           "  high: {shape: {sphere: {radius: 0.1 m}}, mass: 2 kg, position: [0, 0, 0.3 m]}\n"
                           "steppers: {cone: {step: 1 ms}}\n"
                           "record: {until: 10 s}\n";

/* Rounds a length [m] to millimetres, so that a rounding error is not printed as -0. */
static double millimetres(double x) { return floor(1e3 * x + 0.5) / 1e3; }

int main(void) {
    enum { ROOM = 64 };
    tru_error err;
    tru_contact_info c[ROOM];
    tru_scene *scene = scene_of(text);
    tru_sim *sim = sim_of(scene);
    tru_world *w = tru_sim_world(sim);
    double on_floor = 0.0;
    must(tru_run(w, 500, &err), &err);
    const size_t count = tru_contact_count(w);
    must(tru_contacts_get(w, c, ROOM, &err), &err);
    printf("a,b,x [m],y [m],z [m],normal force [N]\n");
    for (size_t k = 0; k < count; k++) {
        const double force = c[k].impulse[TRU_ROW_NORMAL] / tru_step_size(w);
        tru_body_info a, b;
        must(tru_body_describe(w, c[k].body_a, &a, &err), &err);
        must(tru_body_describe(w, c[k].body_b, &b, &err), &err);
        printf("%s,%s,%.3f,%.3f,%.3f,%.4f\n", a.name, b.name, millimetres(c[k].point.x), millimetres(c[k].point.y),
               millimetres(c[k].point.z), force);
        if (c[k].body_b == tru_body_find(w, "floor")) on_floor += force;
    }
    printf("on the floor %.4f N, weight %.4f N\n", on_floor, 5.0 * 9.81);
    tru_sim_free(sim);
    tru_scene_free(scene);
    return 0;
}
