/* friction_api.c: friction sets of a contact, for pictures: the laws of its pair, prepared for its geometry. */
#include "api/registry.h"

#include "base/assert.h"
#include "base/error.h"
#include "detect/lever.h"
#include "math/quat.h"

/* Returns the k-th shape of a body, NULL if there is none. */
static const solid *solid_of(const tru_world *w, tru_id id, int32_t k) {
    const size_t i = trui_body_index(w, id);
    if (i == SIZE_MAX || k < 0 || (size_t)k >= w->bodies.items[i].solid_count) return NULL;
    return &w->solids.items[w->bodies.items[i].solid_first + (size_t)k];
}

/* Returns a solid placed by the state of its body. */
static placed place(const solid *s, const tru_body_state *state) {
    const tru_mat3 r = quat_to_matrix(state->orientation);
    return solid_placed(s, state->position, &r);
}

tru_status tru_friction_sets(const tru_world *w, const tru_contact_info *info, const tru_body_state *a,
                             const tru_body_state *b, int rim_points, tru_friction_set out[TRU_PAIR_LAWS],
                             size_t *count, tru_error *err) {
    if (!w || !info || !a || !b || !out || !count)
        return tru_fail(err, TRU_BAD_ARGUMENT, "tru_friction_sets needs a world, a contact and two states");
    *count = 0;
    const solid *sa = solid_of(w, info->body_a, info->shape_a);
    const solid *sb = solid_of(w, info->body_b, info->shape_b);
    if (!sa || !sb) return tru_fail(err, TRU_STALE_ID, "a body of the contact does not exist (any more)");
    if (!sa->shape->bounded && !sb->shape->bounded)
        return tru_fail(err, TRU_REFUSED, "a contact of %s and %s cannot exist: one of them must be bounded",
                        sa->shape->name, sb->shape->name);
    const pair *p = trui_pair_between(w, sa->material, sb->material);
    if (!p) return tru_fail(err, TRU_NO_LAW, "the materials of the contact have no law");
    const placed pa = place(sa, a), pb = place(sb, b);
    tru_contact c = {.point = info->point,
                     .normal = info->normal,
                     .t1 = info->t1,
                     .t2 = v3_cross(info->normal, info->t1),
                     .arm_a = v3_sub(info->point, a->position),
                     .arm_b = v3_sub(info->point, b->position),
                     .gap = info->gap,
                     .step = w->step,
                     .stuck = info->stuck,
                     .rim_points = rim_points};
    trui_lever_of(&pa, &pb, c.normal, c.t1, c.t2, c.lever, &c.radius_effective, &c.radius_smaller);
    for (int i = 0; i < p->law_count; i++) {
        double past[64] = {0.0};
        const pair_law *l = &p->laws[i];
        if (!l->law->boundary || l->law->history > 64) continue;
        TRU_ASSERT(*count < TRU_PAIR_LAWS);
        tru_friction_set *set = &out[(*count)++];
        *set = (tru_friction_set){.law = l->law, .claims = l->claims};
        c.memory = past;
        l->law->prepare(l->params, &c, set->work);
    }
    return TRU_OK;
}
