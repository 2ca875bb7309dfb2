/* compare.c: one scene by two steppers. They must agree within their estimated errors, each at its order. */
#include "scene.h"

#include <trundle/study.h>

static const char text[] =
    "trundle: 1\n"
    "laws: {felt: {coulomb: {slide: 0.3}}}\n"
    "pairs: [{default: felt}]\n"
    "bodies:\n"
    "  table: {kind: fixed, shape: plane}\n"
    "  egg: {shape: {ellipsoid: {semi_axes: [60 mm, 45 mm, 45 mm]}}, density: 1 g/cm^3, position: [0, 0, 45 mm],\n"
    "        angular_velocity: [4 rad/s, 0, 0]}\n"
    "steppers: {moreau: {step: 2 ms}, cone: {step: 2 ms}}\n"
    "record: {until: 0.2 s, probes: [egg.speed, egg.position.y]}\n";

int main(void) {
    const tru_compare_def def = tru_default_compare_def();
    tru_error err;
    tru_compare *compare;
    tru_scene *scene = scene_of(text);
    must(tru_compare_create(scene, &def, &compare, &err), &err);
    must(tru_compare_run(compare, NULL, &err), &err);
    const tru_compare_info *info = tru_compare_describe(compare);
    for (size_t p = 0; p < info->probe_count; p++) {
        tru_agreement both;
        for (size_t m = 0; m < info->method_count; m++) {
            tru_order order;
            must(tru_compare_order(compare, m, p, &order, &err), &err);
            printf("%s by %s: %s\n", info->probes[p], info->methods[m].label, tru_convergence_name(order.verdict));
        }
        must(tru_compare_agreement(compare, 0, 1, p, &both, &err), &err);
        printf("%s: the methods %s\n", info->probes[p], both.agree ? "agree" : "differ");
    }
    tru_compare_free(compare);
    tru_scene_free(scene);
    return 0;
}
