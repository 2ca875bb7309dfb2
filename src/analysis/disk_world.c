/* disk_world.c: a disk of a world as the closed forms need it: angles, friction and decay laws where it touches. */
#include <trundle/analysis.h>

#include "base/assert.h"
#include "base/error.h"
#include "laws/law.h"
#include "math/quat.h"
#include "world/world.h"

#include <string.h>

/* Returns the first contact of a body, NULL without one. *sign is 1 if the body is A, so that sign times normal points to it. */
static const contact *first_contact(const tru_world *w, tru_id id, double *sign) {
    const size_t who = trui_body_index(w, id);
    for (size_t i = 0; i < w->contacts.count; i++) {
        const contact *c = &w->contacts.items[i];
        *sign = c->a == who ? 1.0 : -1.0;
        if (c->a == who || c->b == who) return c;
    }
    return NULL;
}

/* Returns the normal of the contact towards the body, or against gravity without a contact. */
static tru_vec3 up_of(const tru_world *w, const contact *c, double sign) {
    tru_vec3 up = v3(0.0, 0.0, 1.0);
    if (c) return v3_scale(sign, c->end ? c->end->place.normal : c->c.normal);
    v3_unit(v3_neg(w->gravity), &up);
    return up;
}

/* Adds the decay of a law whose coefficient is not zero. */
static void add_decay(tru_disk_view *v, tru_decay_law law, double coefficient, double patch) {
    TRU_ASSERT(v->thin && v->decay_count < (int32_t)(sizeof v->decays / sizeof *v->decays));
    if (coefficient > 0.0) v->decays[v->decay_count++] = tru_disk_decay(&v->disk, law, coefficient, patch);
}

/* Reads the coefficients of one law where the disk touches. */
static void read_law(const pair_law *l, tru_disk_view *v) {
    double slide = 0.0, fixed = 0.0;
    if (l->law == &tru_law_coulomb) {
        const tru_coulomb *p = l->params;
        slide = p->slide;
        fixed = p->slide_static;
    } else if (l->law == &tru_law_contensou) {
        const tru_contensou *p = l->params;
        slide = p->slide;
        fixed = p->slide_static;
        if (v->thin) add_decay(v, TRU_DECAY_CONTENSOU, p->slide, p->patch);
    } else if (l->law == &tru_law_contour && v->thin) {
        const tru_contour *p = l->params;
        add_decay(v, TRU_DECAY_CONTOUR, p->contour, 0.0);
        add_decay(v, TRU_DECAY_CONTOUR_VISCOUS, p->contour_viscosity, 0.0);
    } else if (l->law == &tru_law_rolling && v->thin) {
        const tru_rolling *p = l->params;
        const bool part = p->roll.radius == TRU_RADIUS_SMALLER; /* a rim has no effective radius */
        add_decay(v, TRU_DECAY_ROLL, part ? p->roll.factor * v->disk.radius : p->roll.length, 0.0);
        add_decay(v, TRU_DECAY_ROLL_VISCOUS, p->roll_viscosity, 0.0);
    }
    v->slide = fmax(v->slide, fmax(slide, fixed == TRU_DERIVED ? 0.0 : fixed));
}

tru_status tru_disk_of_body(const tru_world *w, tru_id id, tru_disk_view *out, tru_error *err) {
    const size_t k = w && out ? trui_body_index(w, id) : SIZE_MAX;
    if (k == SIZE_MAX) return tru_fail(err, TRU_STALE_ID, "body %llu does not exist", (unsigned long long)id);
    const body *b = &w->bodies.items[k];
    const solid *s = &w->solids.items[b->solid_first];
    const char *name = body_name(w, k);
    if (!body_is_free(b) || strcmp(s->shape->name, "disk") != 0)
        return tru_fail(err, TRU_REFUSED, "body '%s' is not a free disk", name);
    double sign = 1.0;
    const contact *c = first_contact(w, id, &sign);
    const tru_body_state state = {b->x, b->q, b->v, b->w};
    const tru_vec3 centre = body_centre(w, k);
    const tru_mat3 inertia = body_inertia_of(b);
    const tru_body_info info = {.name = name,
                                .shape_count = (int32_t)b->solid_count,
                                .mass = b->mass,
                                .centre = centre,
                                .inertia = {inertia.m[0][0], inertia.m[1][1], inertia.m[2][2]},
                                .products = {inertia.m[0][1], inertia.m[0][2], inertia.m[1][2]}};
    const tru_shape_def shape = {.shape = {s->shape->name, s->params},
                                 .position =
                                     v3_add(s->at->x, centre), /* solids are placed relative to the centre of mass */
                                 .orientation = s->at->q};
    *out = (tru_disk_view){.angles = tru_disk_angles_of(&state, s->at->q, up_of(w, c, sign))};
    out->thin = tru_disk_of(&info, &shape, v3_norm(w->gravity), &out->disk, err) >= 0;
    for (int i = 0; c && i < c->pair->law_count; i++) read_law(&c->pair->laws[i], out);
    if (!out->thin) return TRU_OK;
    const tru_disk_angles *a = &out->angles;
    out->demand = tru_disk_demand(&out->disk, a->beta, -a->alpha_rate / a->gamma_rate);
    out->oscillation = tru_disk_oscillation(&out->disk, a->beta, a->alpha_rate, a->gamma_rate);
    out->energy = tru_disk_energy(&out->disk, a);
    return TRU_OK;
}
