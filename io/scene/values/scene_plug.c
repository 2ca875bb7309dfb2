/* scene_plug.c: every plug-in that a scene can name, of all kinds in one form. */
#include "scene_plug.h"

#include "scene_fill.h"

#include <trundle/plugins.h>

#include <string.h>

#define PLUG_OF(p) ((plug){(p)->name, (p)->doc, (p)->fields, (p)->size, (p)->check})

/* Returns the k-th law, first the built-in ones; NULL past the end. */
static const tru_law *law_at(const tree *t, size_t k) {
    size_t built_in = 0;
    tru_plugin_info info;
    while (tru_law_at(built_in)) built_in++;
    if (k < built_in) return tru_law_at(k);
    return t && tru_plugins_at(t->plugins, k - built_in, &info) ? info.law : NULL;
}

bool trio_plug_at(const tree *t, const char *kind, size_t k, plug *out) {
    const tru_shape *shape = strcmp(kind, "shape") == 0 ? tru_shape_at(k) : NULL;
    const tru_law *law = strcmp(kind, "law") == 0 ? law_at(t, k) : NULL;
    const tru_joint *joint = strcmp(kind, "joint") == 0 ? tru_joint_at(k) : NULL;
    const tru_solver *solver = strcmp(kind, "solver") == 0 ? tru_solver_at(k) : NULL;
    const tru_stepper *stepper = strcmp(kind, "stepper") == 0 ? tru_stepper_at(k) : NULL;
    if (shape) *out = PLUG_OF(shape);
    if (law) *out = PLUG_OF(law);
    if (joint) *out = PLUG_OF(joint);
    if (solver) *out = PLUG_OF(solver);
    if (stepper) *out = PLUG_OF(stepper);
    return shape || law || joint || solver || stepper || trio_fill_plug(kind, k, out);
}

bool trio_plug_named(const tree *t, const char *kind, const char *name, plug *out) {
    for (size_t k = 0; trio_plug_at(t, kind, k, out); k++)
        if (strcmp(out->name, name) == 0) return true;
    return false;
}
