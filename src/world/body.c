/* body.c: inertia, energy and labels of bodies, and the memory of their solids. */
#include "world/body.h"

#include "base/assert.h"
#include "base/error.h"
#include "fields/fields.h"
#include "shapes/shape.h"

/* Stores the tensors as two numbers if these restore every bit, otherwise as a copy. False if there is no memory. */
static bool keep_tensors(memory *m, body *b, const body_tensors *t) {
    b->moment = t->inertia.m[0][0];
    b->inv_moment = t->inverse.m[0][0];
    b->tensors = NULL;
    const body_tensors restored = {body_inertia_of(b), body_inverse_of(b)};
    if (memcmp(&restored, t, sizeof restored) == 0) return true;
    b->tensors = trui_mem_copy(m, t, sizeof *t);
    return b->tensors != NULL;
}

tru_status trui_body_derive(memory *m, body *b, const tru_mat3 *i) {
    body_tensors t = {*i, m3_zero()};
    if (!body_is_free(b)) return keep_tensors(m, b, &t) ? TRU_OK : TRU_NO_MEMORY;
    TRU_ASSERT(b->mass > 0.0);
    b->inv_mass = 1.0 / b->mass;
    b->diagonal = i->m[0][1] == 0.0 && i->m[0][2] == 0.0 && i->m[1][2] == 0.0;
    b->isotropic = b->diagonal && i->m[0][0] == i->m[1][1] && i->m[1][1] == i->m[2][2];
    const double det = m3_det(*i); /* overflows or underflows for extreme masses and sizes */
    if (!(det > 0.0 && det <= DBL_MAX) || !m3_spd_inverse(*i, &t.inverse)) return TRU_OUT_OF_RANGE;
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
    TRU_ASSERT(s->radius >= 0.0);
}

void trui_body_derive_balls(body *b, solid *solids) {
    for (size_t i = 0; i < b->solid_count; i++)
        solids[i].ball = solids[i].shape == &tru_shape_sphere && solids[i].centred;
    b->ball = b->solid_count == 1 && solids[0].ball;
}

tru_status trui_solid_own(memory *m, solid *s, tru_error *err) {
    const tru_shape *shape = s->shape;
    void *own =
        shape->build ? trui_mem_copy(m, s->params, shape->size) : NULL; /* only shapes with a build step have lists */
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
    if (shape != other->shape || shape->build || !same_mount(s->at, other->at))
        return; /* lists cannot be compared by bytes */
    if (memcmp(s->params, other->params, shape->size) != 0) return;
    trui_solid_release(m, s);
    s->at = other->at;
    s->params = other->params;
    s->at->holders++;
    TRU_ASSERT(s->at->holders >= 2);
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
    TRU_ASSERT(!s->at || s->at->holders > 0);
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

static size_t details_bytes(const char *name) { return sizeof(label_details) + strlen(name) + 1; }

bool trui_label_make(memory *m, body_label *label, const char *text, tru_vec3 centre, tru_vec3 level) {
    const size_t length = strlen(text);
    const tru_vec3 axes[2] = {centre, level}, none[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    *label = (body_label){.name = ""};
    if (length <= NAME_SHORT && memcmp(axes, none, sizeof axes) == 0) { /* compares bits, since -0 needs details */
        memcpy(label->name, text, length);
        return true;
    }
    label_details *details = trui_mem_array(m, 1, details_bytes(text));
    if (!details) return false;
    details->centre = centre;
    details->level = level;
    memcpy(details->name, text, length + 1);
    label->details = details;
    label->name[NAME_SHORT] = 1;
    return true;
}

void trui_label_release(memory *m, body_label *label) {
    if (label->name[NAME_SHORT]) trui_mem_release(m, label->details, details_bytes(label->details->name));
    *label = (body_label){.name = ""};
}
