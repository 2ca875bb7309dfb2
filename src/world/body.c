/* body.c: finding bodies, their inertia in world axes and their energy. */
#include "world/world.h"

#include "base/error.h"
#include "fields/fields.h"
#include "math/quat.h"
#include "shapes/shape.h"

size_t trui_body_index(const tru_world *w, tru_id id) {
    size_t lo = 0, hi = w->bodies.count;
    if (id - 1 < hi && w->bodies.items[id - 1].id == id) return (size_t)id - 1; /* true until a body is removed */
    while (lo < hi) {
        const size_t mid = (lo + hi) / 2;
        if (w->bodies.items[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < w->bodies.count && w->bodies.items[lo].id == id ? lo : SIZE_MAX;
}

/* Into two numbers if they tell everything, to the bit. */
static bool keep_tensors(memory *m, body *b, const body_tensors *t) {
    b->moment = t->inertia.m[0][0];
    b->inv_moment = t->inverse.m[0][0];
    b->tensors = NULL;
    const body_tensors told = {body_inertia_of(b), body_inverse_of(b)};
    if (memcmp(&told, t, sizeof told) == 0) return true;
    b->tensors = trui_mem_copy(m, t, sizeof *t);
    return b->tensors != NULL;
}

tru_status trui_body_derive(memory *m, body *b, const tru_mat3 *i) {
    body_tensors t = {*i, m3_zero()};
    if (!body_is_free(b)) return keep_tensors(m, b, &t) ? TRU_OK : TRU_NO_MEMORY;
    b->inv_mass = 1.0 / b->mass;
    b->diagonal = i->m[0][1] == 0.0 && i->m[0][2] == 0.0 && i->m[1][2] == 0.0;
    b->isotropic = b->diagonal && i->m[0][0] == i->m[1][1] && i->m[1][1] == i->m[2][2];
    if (!m3_spd_inverse(*i, &t.inverse)) return TRU_OUT_OF_RANGE;
    return keep_tensors(m, b, &t) ? TRU_OK : TRU_NO_MEMORY;
}

void trui_body_release(memory *m, body *b) {
    trui_mem_release(m, b->tensors, sizeof *b->tensors);
    trui_mem_release(m, b->gain, sizeof *b->gain);
    b->tensors = NULL;
    b->gain = NULL;
}

bool trui_body_make_gains(memory *m, body *b) {
    if (!b->gain) b->gain = MEM_NEW(m, body_gains);
    return b->gain != NULL;
}

void trui_solid_derive(solid *s) {
    s->centred = v3_max_abs(s->at->x) == 0.0;
    s->turned = s->at->q.x != 0.0 || s->at->q.y != 0.0 || s->at->q.z != 0.0;
    s->radius = s->shape->bounded ? s->shape->radius(s->params) : 0.0;
}

void trui_body_derive_balls(body *b, solid *solids) {
    for (size_t i = 0; i < b->solid_count; i++)
        solids[i].ball = solids[i].shape == &tru_shape_sphere && solids[i].centred;
    b->ball = b->solid_count == 1 && solids[0].ball;
}

tru_status trui_solid_own(memory *m, solid *s, tru_error *err) {
    const tru_shape *shape = s->shape;
    void *own = shape->build ? trui_mem_copy(m, s->params, shape->size) : NULL; /* only what is built has lists */
    if (!shape->build) return TRU_OK;
    if (!own) return tru_no_memory(err);
    tru_status status = trui_fields_copy(m, shape->fields, s->params, own, NULL, err);
    if (status >= 0) {
        status = shape->build(own, &m->allocator, err);
        if (status < 0) trui_fields_release(m, shape->fields, own, NULL);
    }
    trui_mem_release(m, status < 0 ? own : s->params, shape->size);
    if (status >= 0) s->params = own;
    return status;
}

static bool same_mount(const mount *a, const mount *b) {
    return memcmp(&a->x, &b->x, sizeof a->x) == 0 && memcmp(&a->q, &b->q, sizeof a->q) == 0 &&
           memcmp(&a->density, &b->density, sizeof a->density) == 0;
}

void trui_solid_share(memory *m, solid *s, const solid *other) {
    const tru_shape *shape = s->shape;
    if (shape != other->shape || shape->build || !same_mount(s->at, other->at)) return; /* what is built has lists */
    if (memcmp(s->params, other->params, shape->size) != 0) return;
    trui_solid_release(m, s);
    s->at = other->at;
    s->params = other->params;
    s->at->holders++;
}

void trui_solid_release_params(memory *m, solid *s) {
    const tru_shape *shape = s->shape;
    if (!s->params) return;
    if (shape->unbuild) shape->unbuild(s->params, &m->allocator);
    if (shape->fields) trui_fields_release(m, shape->fields, s->params, NULL);
    trui_mem_release(m, s->params, shape->size);
    s->params = NULL;
}

void trui_solid_release(memory *m, solid *s) {
    if (s->at && --s->at->holders == 0) {
        trui_solid_release_params(m, s);
        trui_mem_release(m, s->at, sizeof *s->at);
    }
    s->at = NULL;
    s->params = NULL;
}

double trui_body_kinetic(const body *b) {
    if (!body_is_free(b)) return 0.0;
    const tru_vec3 w = b->isotropic ? b->w : quat_unrotate(b->q, b->w);
    return 0.5 * (b->mass * v3_norm2(b->v) + v3_dot(w, m3_apply(body_inertia_of(b), w)));
}

double trui_body_potential(const tru_world *w, const body *b) {
    return body_is_free(b) ? -b->mass * v3_dot(w->gravity, b->x) : 0.0;
}

void trui_world_energy(tru_world *w) {
    double kinetic = 0.0, potential = 0.0;
    for (size_t i = 0; i < w->bodies.count; i++) {
        kinetic += trui_body_kinetic(&w->bodies.items[i]);
        potential += trui_body_potential(w, &w->bodies.items[i]);
    }
    w->ledger.kinetic = kinetic;
    w->ledger.potential = potential;
}

void trui_world_rebase(tru_world *w, double before) {
    trui_world_energy(w);
    w->ledger.start += w->ledger.kinetic + w->ledger.potential - before;
}

tru_event trui_body_event(const body *b, double time, int kind) {
    return (tru_event){.time = time,
                       .kind = kind,
                       .row_kind = TRU_KIND_NORMAL,
                       .body_a = b->id,
                       .position = b->x,
                       .orientation = b->q,
                       .velocity = b->v,
                       .angular_velocity = b->w,
                       .limit_case = -1};
}
