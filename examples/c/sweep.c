/* sweep.c: a ball on slopes of 10 to 60 degrees, in memory. It rolls up to tan(tilt) = 7/2 slide, and slides on steeper slopes. */
#include "scene.h"

#include <trundle/study.h>

static const char text[] = "trundle: 1\n"
                           "parameters: {tilt: 20 deg, radius: 50 mm}\n"
                           "laws: {wood: {coulomb: {slide: 0.3}}}\n"
                           "pairs: [{default: wood}]\n"
                           "bodies:\n"
                           "  ramp: {kind: fixed, shape: plane, orientation: {axis: y, angle: tilt}}\n"
                           "  ball: {shape: {sphere: {radius: radius}}, density: 700 kg/m^3,\n"
                           "         position: [radius*sin(tilt), 0, radius*cos(tilt)]}\n"
                           "steppers: {moreau: {step: 1 ms}}\n"
                           "record: {until: 1 s}\n";

int main(void) {
    const tru_vary tilts = {.path = "parameters.tilt", .range = "10:60 deg:6"};
    const char *const probes[] = {"ball.speed"};
    tru_sweep_def def = tru_default_sweep_def();
    tru_error err;
    tru_sweep *sweep;
    tru_scene *scene = scene_of(text);
    def.vary = &tilts;
    def.vary_count = 1;
    def.probes = probes;
    def.probe_count = 1;
    must(tru_sweep_create(scene, &def, &sweep, &err), &err);
    must(tru_sweep_run(sweep, NULL, &err), &err);
    const tru_sweep_info *info = tru_sweep_describe(sweep);
    for (size_t k = 0; k < info->cells; k++) {
        const tru_sweep_cell *cell = &tru_sweep_cells(sweep)[k];
        printf("%2.0f %s: %-15s %.4f m/s\n", tru_sweep_value(&info->axes[0], k), info->axes[0].unit,
               tru_class_name(cell->which), cell->values[0]);
    }
    tru_sweep_free(sweep);
    tru_scene_free(scene);
    return 0;
}
