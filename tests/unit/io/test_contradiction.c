/* test_contradiction.c: runs in which contacts and joints ask for what cannot be end with a sentence, not with huge impulses. */
#include "scene_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A hinge about the vertical holds a ball in the floor: the contact wants it up, the hinge keeps it down. */
static void check_jam(const char *stepper, double tilt) {
    char text[1024];
    tru_error err = {TRU_OK, ""};
    snprintf(
        text, sizeof text,
        "trundle: 1\n"
        "pairs: [{default: {coulomb: {slide: 0.5}}, restitution: 0.5}]\n"
        "bodies:\n"
        "  floor: {kind: fixed, shape: plane}\n"
        "  post: {kind: fixed, shape: {sphere: {radius: 1 cm}}, position: [1 m, 0, 1 m]}\n"
        "  ball: {shape: {sphere: {radius: 0.1 m}}, mass: 1 kg, position: [0, 0, 0.0995 m], velocity: [0, 1 m/s, 0]}\n"
        "joints: {j: {between: [ball, post], joint: hinge, position: [1 m, 0, 0.1 m], axis: [%g, 0, 1]}}\n"
        "steppers: {%s: {step: 1 ms}}\n"
        "record: {until: 0.1 s}\n",
        tilt, stepper);
    tru_scene *scene = scene_of(text);
    tru_world *w = world_of(scene, NULL);
    const tru_status status = tru_run(w, 100, &err);
    const tru_ledger l = tru_world_ledger(w);
    check_status(status, TRU_NO_SOLUTION);
    check(strstr(err.text, "contacts or joints contradict each other: one line of the energy ledger changes by") !=
          NULL);
    check(strstr(err.text, "free a joint, give the pair compliance or take a shorter step") != NULL);
    check(fabs(l.stabilisation) < 10.0 && fabs(l.slide) < 10.0); /* [J] nothing of the failed step is booked */
    tru_world_destroy(w);
    tru_scene_free(scene);
}

TEST(contradicting_joints_and_contacts_end_the_run) {
    static const double tilts[] = {1e-6, 1e-7, 1e-8};
    for (size_t i = 0; i < sizeof tilts / sizeof *tilts; i++) {
        check_jam("moreau", tilts[i]);
        check_jam("cone", tilts[i]);
    }
}
