/* step_variational_probe.c: what is worth knowing of a rolling body: energy in the middle of the step, first integrals. */
#include <trundle/analysis.h>

#include "steppers/variational/scheme/rolling.h"

#include "base/error.h"
#include "math/elementary/elementary.h"
#include "math/quat.h"
#include "steppers/variational/scheme/step_variational_disk.h"
#include "steppers/variational/scheme/step_variational_view.h"

/* Energy with the rates of the last step at its middle: angles for the schemes in angles, else Cayley's half turn. */
static double energy_middle(const rolling *r) {
    const tru_world *w = r->w;
    const body *b = &w->bodies.items[r->body];
    const body_start *old = &w->before.items[r->body];
    const tru_vec3 way = v3_scale(1.0 / r->h, v3_sub(b->x, old->x)), mean = v3_scale(0.5, v3_add(b->x, old->x));
    const tru_vec3 flat = v3_madd(mean, -v3_dot(v3_sub(mean, r->on_plane), r->n), r->n);
    if (r->in_angles) {
        double kinetic, height;
        trui_rolling_middle_of_disk(r, old->q, b->q, &kinetic, &height);
        return kinetic - b->mass * v3_dot(r->pull, v3_madd(flat, height, r->n));
    }
    const tru_quat turn = quat_mul(quat_conj(old->q), b->q);
    const tru_vec3 rate = v3_scale(2.0 / (turn.w * r->h), quat_vec(turn));
    rolling_node k;
    trui_rolling_support(r, body_middle(w, r->body), &k);
    const double kinetic = 0.5 * (b->mass * v3_norm2(way) + v3_dot(rate, m3_apply(body_inertia_of(b), rate)));
    return kinetic - b->mass * v3_dot(r->pull, v3_madd(flat, v3_dot(k.arm, r->n), r->n));
}

static void of_disk(const rolling *r, tru_rolling_view *out) {
    const body *b = &r->w->bodies.items[r->body];
    const disk_frame f = trui_rolling_disk_frame(r, b->q);
    out->theta = tru_atan2(f.theta.s, f.theta.c);
    out->theta_rate = v3_dot(b->w, f.heading);
    out->psi_rate = -v3_dot(b->w, f.side) / f.theta.s;
    out->phi_rate = v3_dot(b->w, r->n) - f.theta.c * out->psi_rate;
}

/* The view of a world whose free body this is; false with a sentence. */
static bool view_of(const tru_world *w, tru_id id, tru_world *view, rolling *r, tru_error *err) {
    const size_t k = w ? trui_body_index(w, id) : SIZE_MAX;
    if (k == SIZE_MAX) {
        tru_fail(err, TRU_STALE_ID, "body %llu does not exist", (unsigned long long)id);
        return false;
    }
    if (w->stepper != &tru_stepper_variational || !w->checked || !body_is_free(&w->bodies.items[k])) {
        tru_fail(err, TRU_REFUSED, "body '%s' is not rolled by stepper variational", body_name(w, k));
        return false;
    }
    *view = *w; /* is only looked at */
    *r = trui_rolling_of(w->stepper_params, view);
    if (!r->at) trui_rolling_start(w->stepper_params, r); /* finds the rim */
    return true;
}

tru_status tru_rolling_of_body(const tru_world *w, tru_id id, tru_rolling_view *out, tru_error *err) {
    tru_world view;
    rolling r;
    tru_error own = {TRU_OK, ""};
    if (!view_of(w, id, &view, &r, err ? err : &own)) return err ? err->status : own.status;
    *out = (tru_rolling_view){.energy_middle = NAN, .theta = NAN, .theta_rate = NAN, .phi_rate = NAN, .psi_rate = NAN};
    if (r.at && w->before.count == w->bodies.count) out->energy_middle = energy_middle(&r);
    if (view.solids.items[r.solid_a].shape == &tru_shape_disk) of_disk(&r, out);
    return TRU_OK;
}

tru_status tru_rolling_disk_of(const tru_world *w, tru_id id, tru_rolling_disk *out, tru_error *err) {
    tru_world view;
    rolling r;
    tru_error own = {TRU_OK, ""};
    if (!view_of(w, id, &view, &r, err ? err : &own)) return err ? err->status : own.status;
    if (view.solids.items[r.solid_a].shape != &tru_shape_disk)
        return tru_fail(err, TRU_REFUSED, "body '%s' is not a disk", body_name(w, r.body));
    *out = (tru_rolling_disk){r.disk.k.e, r.disk.k.i1, r.disk.k.i3};
    return TRU_OK;
}
