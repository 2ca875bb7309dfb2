/* one_body.c: friction of a pair and loads as the steppers of one body on planes see them. */
#include "step/one_body/one_body.h"

#include "laws/law.h"
#include "math/elementary/elementary.h"

coulomb_numbers trui_coulomb_of_pair(const pair *p) {
    coulomb_numbers out = {0.0, 0.0, 0.0};
    for (int i = 0; i < p->law_count; i++) {
        if (p->laws[i].law != &tru_law_coulomb) continue;
        const tru_coulomb *c = p->laws[i].params;
        out = (coulomb_numbers){c->slide, c->slide_static == TRU_DERIVED ? c->slide : c->slide_static, c->stribeck};
    }
    return out;
}

double trui_coulomb_friction(const coulomb_numbers *c, double speed) {
    if (!(c->stribeck > 0.0)) return c->slide;
    return c->slide + (c->slide_static - c->slide) * tru_exp(-speed / c->stribeck);
}

double trui_coulomb_slope(const coulomb_numbers *c, double speed) {
    return c->stribeck > 0.0 ? (c->slide - trui_coulomb_friction(c, speed)) / c->stribeck : 0.0;
}

void trui_loads_on_body(const tru_world *w, const tru_mat3 *r, double time, tru_vec3 *force, tru_vec3 *torque) {
    *force = *torque = v3_zero();
    for (size_t i = 0; i < w->loads.count; i++) {
        const load *l = &w->loads.items[i];
        const double f = trui_schedule_factor(&l->schedule, time);
        *force = v3_madd(*force, f, l->body_axes ? m3_apply(*r, l->force) : l->force);
        *torque = v3_madd(*torque, f, l->body_axes ? m3_apply(*r, l->torque) : l->torque);
    }
}
