/* body_api.c: adding, removing and describing bodies; mass, centre and inertia from shapes. */
#include "api/registry.h"

#include "base/assert.h"
#include "base/error.h"
#include "problem/problem.h"
#include "step/step.h"
#include "math/quat.h"
#include "world/names.h"

#include <stdio.h>

/* ---- mass properties */

/* Returns a symmetric matrix from its diagonal and its elements xy, xz, yz. */
static tru_mat3 sym(tru_vec3 diagonal, tru_vec3 products) {
    return (tru_mat3){{{diagonal.x, products.x, products.y},
                       {products.x, diagonal.y, products.z},
                       {products.y, products.z, diagonal.z}}};
}

/* Returns the inertia of a mass m at distance d from the point of reference. */
static tru_mat3 steiner(double m, tru_vec3 d) {
    return m3_scale(m, m3_sub(m3_scale(v3_norm2(d), m3_identity()), m3_outer(d, d)));
}

/* Sums mass, centre and inertia over the shapes in body axes, about the body's origin first, then about the common centre. */
static void mass_of_shapes(const solid *solids, size_t count, double *mass, tru_vec3 *centre, tru_mat3 *inertia) {
    *mass = 0.0;
    *centre = v3_zero();
    *inertia = m3_zero();
    for (size_t i = 0; i < count; i++) {
        const solid *s = &solids[i];
        tru_mass m = {0};
        if (s->at->density > 0.0 && s->shape->mass) s->shape->mass(s->params, s->at->density, &m);
        const tru_vec3 c = v3_add(s->at->x, m3_apply(solid_turn(s), m.centre));
        *mass += m.mass;
        *centre = v3_madd(*centre, m.mass, c);
        *inertia =
            m3_add(*inertia, m3_add(m3_rotate_sym(solid_turn(s), sym(m.inertia, m.products)), steiner(m.mass, c)));
    }
    if (*mass > 0.0) *centre = v3_scale(1.0 / *mass, *centre);
    *inertia = m3_sub(*inertia, steiner(*mass, *centre));
}

/* Computes the inertia of a mass spread evenly over the only shape, which has no density. Returns false if the shape does not
 * determine it. */
static bool even_inertia(const solid *solids, size_t count, double mass, tru_vec3 centre, tru_mat3 *inertia) {
    tru_vec3 squared;
    tru_mass m = {0};
    if (count != 1 || !solids->shape->mass) return false;
    if (solids->shape->gyration && solids->shape->gyration(solids->params, &squared)) {
        m.mass = mass;
        m.inertia = v3_scale(mass, squared);
    } else {
        solids->shape->mass(solids->params, 1.0, &m);
        if (!(m.mass > 0.0)) return false;
        m.inertia = v3_scale(mass / m.mass, m.inertia);
        m.products = v3_scale(mass / m.mass, m.products);
    }
    const tru_vec3 c = v3_add(solids->at->x, m3_apply(solid_turn(solids), m.centre));
    *inertia = m3_add(m3_rotate_sym(solid_turn(solids), sym(m.inertia, m.products)), steiner(mass, v3_sub(c, centre)));
    return true;
}

/* Fails unless the inertia is positive definite and no principal moment exceeds the sum of the other two. A relative 1e-4 allows for
 * published numbers that were rounded; a thin disk has equality. */
static tru_status check_inertia(const char *who, tru_mat3 inertia, tru_error *err) {
    tru_mat3 axes;
    const tru_vec3 p = m3_eigen(inertia, &axes);
    const double high = fmax(p.x, fmax(p.y, p.z)), low = fmin(p.x, fmin(p.y, p.z)), sum = p.x + p.y + p.z;
    if (!(low > 0.0))
        return tru_fail(err, TRU_OUT_OF_RANGE, "%s: inertia has a principal moment %.6g kg m^2, must be above 0 kg m^2",
                        who, low);
    if (high > (sum - high) * (1.0 + 1e-4))
        return tru_fail(
            err, TRU_OUT_OF_RANGE,
            "%s: inertia has principal moments %.6g, %.6g, %.6g kg m^2; none may exceed the sum of the others", who,
            p.x, p.y, p.z);
    return TRU_OK;
}

/* Sets mass, centre and inertia as given, or from the shapes, and places the centre. */
static tru_status set_mass(memory *m, const char *who, const tru_body_def *def, const solid *solids, body *b,
                           tru_vec3 *centre, tru_error *err) {
    double mass;
    tru_vec3 derived;
    tru_mat3 inertia;
    mass_of_shapes(solids, def->shape_count, &mass, &derived, &inertia);
    const bool own_mass = def->mass != TRU_DERIVED, own_inertia = def->inertia.x != TRU_DERIVED;
    const bool own_centre = def->centre.x != TRU_DERIVED;
    *centre = own_centre ? def->centre : mass > 0.0 ? derived : v3_zero();
    b->mass = own_mass ? def->mass : mass;
    if (!isfinite(b->mass) || !v3_is_finite(*centre))
        return tru_fail(err, TRU_OUT_OF_RANGE, "%s: mass of its shapes is %.6g kg, must be a finite number", who, mass);
    b->x = v3_add(def->position, quat_rotate(b->q, *centre));
    if (!v3_is_finite(b->x))
        return tru_fail(err, TRU_OUT_OF_RANGE, "%s: position of its centre of mass must be a finite number", who);
    if (def->kind != TRU_FREE) return TRU_OK;
    if (!(b->mass > 0.0))
        return tru_fail(err, TRU_BAD_ARGUMENT, "%s: mass is missing and no shape has a density and a volume", who);
    if (!own_inertia && v3_max_abs(def->products) > 0.0)
        return tru_fail(err, TRU_CONFLICT, "%s: products are given but inertia is not", who);
    if (own_inertia) {
        inertia = sym(def->inertia, def->products);
    } else if (!(mass > 0.0)) {
        if (!even_inertia(solids, def->shape_count, b->mass, *centre, &inertia))
            return tru_fail(err, TRU_BAD_ARGUMENT, "%s: inertia is missing and its shapes do not give it", who);
    } else {
        inertia = m3_scale(b->mass / mass, m3_add(inertia, steiner(mass, v3_sub(derived, *centre))));
    }
    const tru_status s = check_inertia(who, inertia, err);
    if (s < 0) return s;
    const tru_status derived_well = trui_body_derive(m, b, &inertia);
    if (derived_well == TRU_NO_MEMORY) return tru_no_memory(err);
    return derived_well < 0 ? tru_fail(err, TRU_OUT_OF_RANGE, "%s: inertia cannot be inverted", who) : TRU_OK;
}

/* ---- shapes */

static void release_solids(memory *m, solid *solids, size_t count) {
    for (size_t i = 0; i < count; i++) trui_solid_release(m, &solids[i]);
}

/* Makes one solid of a body from its definition. */
static tru_status make_solid(tru_world *w, const char *who, const tru_shape_def *def, int32_t k, solid *s,
                             tru_error *err) {
    tru_error inner = {TRU_OK, ""};
    mount at = {.holders = 1, .x = def->position, .density = def->density};
    *s = (solid){.k = k};
    s->shape = trui_shape_named(def->shape.name, &inner);
    if (s->shape && def->material > w->materials.count)
        tru_fail(&inner, TRU_STALE_ID, "material %llu does not exist", (unsigned long long)def->material);
    if (s->shape && inner.status >= 0 && !quat_unit(def->orientation, &at.q))
        tru_fail(&inner, TRU_OUT_OF_RANGE, "orientation of its shape cannot be normalised");
    if (s->shape && inner.status >= 0)
        s->params = trui_plugin_params(&w->memory, "shape", s->shape->name, s->shape->fields, s->shape->size,
                                       s->shape->check, def->shape.params, &inner);
    if (s->shape && s->params && inner.status >= 0 && trui_solid_own(&w->memory, s, &inner) < 0) {
        trui_mem_release(&w->memory, s->params, s->shape->size);
        s->params = NULL;
    }
    if (inner.status >= 0 && !(s->at = trui_mem_copy(&w->memory, &at, sizeof at))) {
        trui_solid_release_params(&w->memory, s);
        tru_no_memory(&inner);
    }
    if (inner.status < 0) {
        tru_error_prefix(&inner, who);
        if (err) *err = inner;
        return inner.status;
    }
    s->material = (uint32_t)(def->material == TRU_NONE ? 0 : def->material - 1);
    trui_solid_derive(s);
    return TRU_OK;
}

/* Shares parameters with the body before, because fills make many equal bodies. */
static void share_with_last(tru_world *w, solid *solids, size_t count) {
    for (size_t i = 0; i < count && w->solids.count >= count; i++)
        trui_solid_share(&w->memory, &solids[i], &solids[i] - count);
}

/* Makes all solids of a body behind those of the world, without counting them yet. */
static tru_status make_solids(tru_world *w, const char *who, const tru_body_def *def, solid *solids, tru_error *err) {
    for (size_t i = 0; i < def->shape_count; i++) {
        const tru_status s = make_solid(w, who, &def->shapes[i], (int32_t)i, &solids[i], err);
        if (s >= 0) continue;
        release_solids(&w->memory, solids, i);
        return s;
    }
    return TRU_OK;
}

/* ---- add */

/* Fails if a definition of a body is out of range or contradicts itself. */
static tru_status check_def(const tru_world *w, const tru_body_def *def, const char *who, tru_quat *q, tru_error *err) {
    tru_body_def plain = *def;
    tru_quat ignored;
    if (quat_unit(def->orientation, &ignored))
        plain.orientation = quat_identity(); /* checked below with a sentence of its own */
    tru_status s = tru_fields_check(tru_def_fields("body"), &plain, who, err);
    if (s < 0) return s;
    if (def->shape_count == 0 || !def->shapes) return tru_fail(err, TRU_BAD_ARGUMENT, "%s has no shape", who);
    if (!quat_unit(def->orientation, q))
        return tru_fail(err, TRU_OUT_OF_RANGE, "%s: orientation (%.6g, %.6g, %.6g, %.6g) cannot be normalised", who,
                        def->orientation.w, def->orientation.x, def->orientation.y, def->orientation.z);
    if (def->name && trui_names_find(w, def->name) != TRU_NONE)
        return tru_fail(err, TRU_CONFLICT, "there is already a body '%s'", def->name);
    if (def->kind != TRU_FREE && (v3_max_abs(def->velocity) > 0.0 || v3_max_abs(def->angular_velocity) > 0.0))
        return tru_fail(err, TRU_CONFLICT, "%s is %s and cannot have a velocity; give a driven body a motion", who,
                        def->kind == TRU_FIXED ? "fixed" : "driven");
    if (def->kind != TRU_FREE && v3_max_abs(def->level) > 0.0)
        return tru_fail(err, TRU_CONFLICT, "%s: level is for free bodies", who);
    return TRU_OK;
}

/* Reserves memory for more bodies and shapes in all arrays, so that adding cannot fail half way. */
static bool make_room(tru_world *w, size_t bodies, size_t shapes) {
    memory *m = &w->memory;
    w->generation++; /* even if the call fails afterwards, the bodies may have moved in memory */
    return array_reserve(m, &w->bodies, w->bodies.count + bodies) &&
           array_reserve(m, &w->labels, w->labels.count + bodies) &&
           array_reserve(m, &w->solids, w->solids.count + shapes);
}

/* [bytes] of a body in every step of every stepper, and of its name in the table; contacts need more. */
#define OF_A_STEP (sizeof(body_start) + sizeof(body_step) + sizeof(twist) + sizeof(problem_body) + 2 * sizeof(uint64_t))

/* Returns true if this much memory can be had. Allocates and frees it, so that a lack shows now instead of in the first step. */
static bool is_there(memory *m, size_t bytes) {
    void *room = trui_mem_resize(m, NULL, 0, bytes);
    trui_mem_release(m, room, bytes);
    return room != NULL;
}

tru_status tru_body_reserve(tru_world *w, size_t bodies, tru_error *err) {
    if (!w) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_body_reserve needs a world");
    const size_t each = sizeof(body) + sizeof(body_label) + sizeof(solid), more = OF_A_STEP;
    if (bodies <= SIZE_MAX / 2 / (each + more) && is_there(&w->memory, bodies * more) && make_room(w, bodies, bodies))
        return TRU_OK;
    return tru_fail(err, TRU_NO_MEMORY, "out of memory: %zu more bodies need at least %.3g GB", bodies,
                    1e-9 * (double)bodies * (double)(each + more));
}

/* Chooses the given name, or "body-7", or "body-7-2" and so on if that is taken. */
static void choose_name(const tru_world *w, const char *given, char name[NAME_ROOM]) {
    const unsigned long long id = w->next_id;
    if (given) {
        snprintf(name, NAME_ROOM, "%s", given);
        return;
    }
    snprintf(name, NAME_ROOM, "body-%llu", id);
    for (unsigned k = 2; trui_names_find(w, name) != TRU_NONE; k++) snprintf(name, NAME_ROOM, "body-%llu-%u", id, k);
}

/* Returns the level axis of a definition as a unit vector; zero without one. */
static tru_vec3 level_of(const tru_body_def *def) {
    return v3_max_abs(def->level) > 0.0 ? v3_scale(1.0 / v3_norm(def->level), def->level) : v3_zero();
}

tru_status tru_body_add(tru_world *w, const tru_body_def *def, tru_id *out, tru_error *err) {
    if (!w || !def) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_body_add needs a world and a definition");
    char who[NAME_ROOM + 16], name[NAME_ROOM];
    if (def->name && strlen(def->name) >= NAME_ROOM)
        return tru_fail(err, TRU_BAD_ARGUMENT, "body name '%.20s...' is longer than %d bytes", def->name,
                        NAME_ROOM - 1);
    choose_name(w, def->name, name);
    snprintf(who, sizeof who, "body '%s'", name);
    body b = {.id = w->next_id, .kind = (int8_t)def->kind, .v = def->velocity, .w = def->angular_velocity};
    b.overlaps = def->allow_overlap;
    tru_vec3 centre;
    tru_status s = check_def(w, def, who, &b.q, err);
    if (s < 0) return s;
    if (!make_room(w, 1, def->shape_count)) return tru_no_memory(err);
    solid *solids = w->solids.items + w->solids.count;
    if ((s = make_solids(w, who, def, solids, err)) < 0) return s;
    s = set_mass(&w->memory, who, def, solids, &b, &centre, err);
    body_label label = {.name = ""};
    if (s >= 0 && !trui_label_make(&w->memory, &label, name, centre, level_of(def))) s = tru_no_memory(err);
    if (s >= 0 && !trui_names_add(w, name, b.id)) s = tru_no_memory(err);
    if (s < 0) {
        trui_label_release(&w->memory, &label);
        trui_body_release(&w->memory, &b);
        release_solids(&w->memory, solids, def->shape_count);
        return s;
    }
    b.solid_first = (uint32_t)w->solids.count;
    b.solid_count = (uint32_t)def->shape_count;
    for (size_t i = 0; i < def->shape_count; i++) {
        solids[i].body = (uint32_t)w->bodies.count;
        solids[i].at->x = v3_sub(solids[i].at->x, centre);
        trui_solid_derive(&solids[i]);
        if (solids[i].shape->bounded) b.size = fmax(b.size, v3_norm(solids[i].at->x) + solids[i].radius);
    }
    trui_body_derive_balls(&b, solids);
    share_with_last(w, solids, def->shape_count);
    w->solids.count += def->shape_count;
    TRU_ASSERT(w->bodies.count == 0 || w->bodies.items[w->bodies.count - 1].id < b.id); /* ids rise */
    TRU_ASSERT(w->bodies.count == w->labels.count && fabs(quat_norm2(b.q) - 1.0) < 1e-9);
    *array_push(&w->memory, &w->bodies) = b;
    *array_push(&w->memory, &w->labels) = label;
    w->ledger.start += trui_body_kinetic(&b) + trui_body_potential(w, &b);
    w->next_id++;
    w->checked = false; /* the pair list stays: the next step adds this body to it */
    if (out) *out = b.id;
    return TRU_OK;
}

/* ---- remove */

/* Removes the energy of a contact's springs from the ledger, like that of the body. */
static void forget_springs(tru_world *w, const contact *c) {
    for (int kind = 0; c->flags & CONTACT_TRACKED && kind < TRU_KINDS; kind++) {
        w->ledger.stored -= c->springs->energy[kind];
        w->ledger.start -= c->springs->energy[kind];
    }
}

/* Removes the contacts of a body and renumbers the others. */
static void drop_contacts(tru_world *w, size_t removed) {
    size_t kept = 0;
    for (size_t i = 0; i < w->contacts.count; i++) {
        contact *c = &w->contacts.items[i];
        if (c->a == removed || c->b == removed) {
            w->bodies.items[c->a].contacts--;
            w->bodies.items[c->b].contacts--;
            forget_springs(w, c);
            continue;
        }
        if (c->a > removed) c->a--;
        if (c->b > removed) c->b--;
        w->contacts.items[kept++] = *c;
    }
    w->contacts.count = kept;
}

/* Removes loads, motion and joints of a body. */
static void drop_of_body(tru_world *w, tru_id id) {
    for (size_t i = w->loads.count; i-- > 0;)
        if (w->loads.items[i].body == id) {
            trui_schedule_release(&w->memory, &w->loads.items[i].schedule);
            array_remove(&w->loads, i);
        }
    for (size_t i = w->motions.count; i-- > 0;)
        if (w->motions.items[i].body == id) {
            trui_schedule_release(&w->memory, &w->motions.items[i].schedule);
            array_remove(&w->motions, i);
        }
    for (size_t i = w->joints.count; i-- > 0;)
        if (w->joints.items[i].body_a == id || w->joints.items[i].body_b == id) {
            trui_joint_release(&w->memory, &w->joints.items[i]);
            array_remove(&w->joints, i);
        }
}

tru_status tru_body_remove(tru_world *w, tru_id id, tru_error *err) {
    size_t k;
    const tru_status s = trui_body_seek(w, id, NULL, &k, err);
    if (s < 0) return s;
    body gone = w->bodies.items[k];
    TRU_ASSERT(gone.id == id && gone.solid_first + gone.solid_count <= w->solids.count);
    w->ledger.start -= trui_body_kinetic(&gone) + trui_body_potential(w, &gone);
    trui_names_remove(w, k);
    trui_body_release(&w->memory, &gone);
    drop_of_body(w, id);
    drop_contacts(w, k);
    release_solids(&w->memory, w->solids.items + gone.solid_first, gone.solid_count);
    for (size_t i = 0; i < gone.solid_count; i++) array_remove(&w->solids, gone.solid_first);
    for (size_t i = gone.solid_first; i < w->solids.count; i++) w->solids.items[i].body--;
    array_remove(&w->bodies, k);
    trui_label_release(&w->memory, &w->labels.items[k]);
    array_remove(&w->labels, k);
    for (size_t i = k; i < w->bodies.count; i++) w->bodies.items[i].solid_first -= gone.solid_count;
    for (size_t i = 0; i < w->contacts.count; i++) {
        contact *c = &w->contacts.items[i];
        if (c->solid_a > gone.solid_first) c->solid_a -= gone.solid_count;
        if (c->solid_b > gone.solid_first) c->solid_b -= gone.solid_count;
    }
    w->generation++;
    array_clear(&w->at_start); /* their keys have the old indices */
    trui_joints_link(w);
    w->before.count = 0; /* the last step cannot be judged any more */
    world_changed(w);
    return TRU_OK;
}

/* ---- describe */

size_t tru_body_count(const tru_world *w) { return w->bodies.count; }

tru_id tru_body_at(const tru_world *w, size_t k) { return k < w->bodies.count ? w->bodies.items[k].id : TRU_NONE; }

tru_id tru_body_find(const tru_world *w, const char *name) { return name ? trui_names_find(w, name) : TRU_NONE; }

tru_status tru_body_describe(const tru_world *w, tru_id id, tru_body_info *out, tru_error *err) {
    size_t k;
    const tru_status s = trui_body_seek(w, id, NULL, &k, err);
    if (s < 0) return s;
    if (!out) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_body_describe needs a place for the answer");
    const body *b = &w->bodies.items[k];
    const tru_mat3 i = body_inertia_of(b);
    *out = (tru_body_info){.name = body_name(w, k),
                           .kind = b->kind,
                           .shape_count = (int32_t)b->solid_count,
                           .mass = b->mass,
                           .centre = body_centre(w, k),
                           .inertia = {i.m[0][0], i.m[1][1], i.m[2][2]},
                           .products = {i.m[0][1], i.m[0][2], i.m[1][2]},
                           .size = b->size};
    return TRU_OK;
}

tru_status tru_body_shape(const tru_world *w, tru_id id, int k, tru_shape_def *out, tru_error *err) {
    size_t i;
    const tru_status s = trui_body_seek(w, id, NULL, &i, err);
    if (s < 0) return s;
    if (!out) return tru_fail(err, TRU_BAD_ARGUMENT, "tru_body_shape needs a place for the shape");
    const body *b = &w->bodies.items[i];
    if (k < 0 || (size_t)k >= b->solid_count)
        return tru_fail(err, TRU_BAD_ARGUMENT, "body '%s' has no shape %d", body_name(w, i), k);
    const solid *so = &w->solids.items[b->solid_first + (size_t)k];
    const tru_vec3 position = v3_add(so->at->x, body_centre(w, i));
    *out = (tru_shape_def){{so->shape->name, so->params}, so->material + 1u, position, so->at->q, so->at->density};
    return TRU_OK;
}
