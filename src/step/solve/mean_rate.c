/* mean_rate.c: steps with gyroscopic torques at the mean rates of their solution. Bodies with at most one contact have the torque in
 * their own problem.
 *
 * With B(w) = w x I w and J = [w0]x I - [I w0]x, its derivative at a rate w0 near the mean one, the rate gained in the step
 * follows from (I + h/2 J) dw = h (torque - B(w0) - J (w_start - w0)) + couple: impulses act through (I + h/2 J)^-1
 * instead of I^-1, and the rest of the torque is d x I d, of second order in d = mean rate - w0. */
#include "step/motion.h"
#include "step/solve/mean_rate.h"

#include "base/assert.h"
#include "base/error.h"

void trui_gyro_linear(step *s) {
    for (size_t i = 0; s->turning && i < s->w->bodies.count; i++) {
        const body *b = &s->w->bodies.items[i];
        if (s->body_steps[i].dynamics->separate && body_is_free(b) && !b->isotropic)
            gyro_lean(&s->body_steps[i], &s->inverse[i], s->h);
    }
}

void trui_gyro_plain(step *s) {
    for (size_t i = 0; i < s->w->bodies.count; i++) {
        const body *b = &s->w->bodies.items[i];
        if (!s->body_steps[i].dynamics->linear) continue;
        s->body_steps[i].dynamics->linear = false;
        s->inverse[i].inverse = body_turned(b, body_inverse_of(b));
    }
}

size_t trui_gyro_worst(const step *s, double *error) {
    size_t worst = 0;
    *error = 0.0;
    for (size_t i = 0; i < s->w->bodies.count; i++) {
        const body *b = &s->w->bodies.items[i];
        if (!body_is_free(b) || b->isotropic) continue;
        const double e = gyro_error(b, &s->body_steps[i], s->h);
        if (e <= *error) continue;
        worst = i;
        *error = e;
        if (e != e) break; /* a NaN is the worst */
    }
    return worst;
}

tru_status trui_gyro_fail(const step *s, tru_error *err) {
    const tru_world *w = s->w;
    double error;
    const size_t i = trui_gyro_worst(s, &error);
    const double rate = v3_norm(mean_rate(&w->bodies.items[i], &s->body_steps[i]));
    return tru_fail(
        err, TRU_NO_SOLUTION,
        "step %llu (t = %.9g s): step is %.6g s, too long for body '%s', which turns by %.3g rad in it: its "
        "gyroscopic torque changes its energy by %.3g of it, must be at most %.3g; take a shorter step",
        (unsigned long long)w->steps_done + 1, trui_world_time(w), s->h, body_name(w, i), rate * s->h, error,
        GYRO_TRUST);
}

tru_status trui_gyro_check(const step *s, tru_error *err) {
    const tru_world *w = s->w;
    for (size_t i = 0; s->turning && i < w->bodies.count; i++) {
        if (gyro_found(&w->bodies.items[i], &s->body_steps[i])) continue;
        return tru_fail(
            err, TRU_NO_SOLUTION,
            "step %llu (t = %.9g s): step is %.6g s, too long for body '%s', which turns by %.3g rad in it: "
            "its gyroscopic torque was not found; take a shorter step",
            (unsigned long long)w->steps_done + 1, s->time + s->h, s->h, body_name(w, i),
            s->h * v3_norm(s->body_steps[i].start.w));
    }
    return TRU_OK;
}
