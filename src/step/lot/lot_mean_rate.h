/* lot_mean_rate.h: a solve with gyroscopic torques at the mean rates of its solution (mean_rate.c says why and how). */
#ifndef TRUNDLE_STEP_LOT_LOT_MEAN_RATE_H
#define TRUNDLE_STEP_LOT_LOT_MEAN_RATE_H

#include "base/assert.h"
#include "step/lot/lot.h"

/* Sets gyro_rate of turning bodies to where the mean rate of the step will be if it gains what it gained before. */
LOT_TEXT void lot_predict_gyro(lot l) {
    if (!l.s->turning) return;
    LOT_EACH_BODY(l, i) gyro_expect(lot_body(l, i), &l.s->body_steps[i]);
}

/* Lets the torque of bodies whose contacts are solved alone follow their mean rate to first order. */
LOT_TEXT void lot_linearise_gyro(lot l) {
    const size_t i = lot_first_body(l);
    if (!l.on_plane)
        trui_gyro_linear(l.s);
    else if (l.s->turning)
        gyro_lean(&l.s->body_steps[i], &l.s->inverse[i], l.s->h);
}

/* The same with gyro_rate at the mean rate of the last solve. */
LOT_TEXT void lot_gyro_to_mean(lot l) {
    LOT_EACH_BODY(l, i)
    l.s->body_steps[i].dynamics->gyro_rate = mean_rate(lot_body(l, i), &l.s->body_steps[i]);
    lot_linearise_gyro(l);
    if (!l.on_plane)
        trui_one_contacts_rebuild(l.s);
    else if (l.s->body_steps[l.on_plane->index].dynamics->linear)
        trui_one_contact_matrix(&l.on_plane->one_contact, &l.s->inverse[l.on_plane->now->a],
                                &l.s->inverse[l.on_plane->now->b]);
}

/* True if every gyroscopic torque is that of the mean rate. */
LOT_TEXT bool lot_gyro_is_mean(lot l) {
    LOT_EACH_BODY(l, i) if (!gyro_at_mean(lot_body(l, i), &l.s->body_steps[i])) return false;
    return true;
}

/* [-] Largest gyro_error of the bodies. */
LOT_TEXT double lot_gyro_error(lot l) {
    if (l.on_plane) return gyro_error(l.on_plane->a, &l.s->body_steps[l.on_plane->index], l.s->h);
    double error;
    trui_gyro_worst(l.s, &error);
    return error;
}

/* Kicks and solves until the torques are those of the mean rates: `sweeps` times, and up to GYRO_SWEEPS times while a torque is
 * farther off than GYRO_TRUST and comes nearer. Fails if that does not help. */
LOT_TEXT tru_status lot_solve_at_mean(lot l, int sweeps, tru_error *err) {
    enum { GYRO_SWEEPS = 30 };
    step *s = l.s;
    TRU_ASSERT(sweeps >= 1 && sweeps <= GYRO_SWEEPS);
    tru_status status = TRU_OK;
    double error = 0.0, last = DBL_MAX;
    for (int sweep = 0; status >= 0 && (sweep < sweeps || (error > GYRO_TRUST && error < last && sweep < GYRO_SWEEPS));
         sweep++) {
        last = error > 0.0 ? error : DBL_MAX;
        if (sweep > 0 && s->turning) lot_gyro_to_mean(l);
        lot_kick(l);
        status = lot_solve(l, err);
        if (status == TRU_UNCONVERGED && s->turning) { /* the body turns faster than the linear form allows */
            trui_gyro_plain(s);
            trui_one_contacts_rebuild(s);
            lot_kick(l);
            status = lot_solve(l, err);
        }
        if (!s->turning || (status >= 0 && lot_gyro_is_mean(l))) return status;
        if (sweep + 2 >= sweeps) error = lot_gyro_error(l); /* earlier sweeps are done whatever it is */
    }
    if (status < 0 || error <= GYRO_TRUST) return status;
    return l.on_plane ? TRU_REFUSED : trui_gyro_fail(s, err);
}

#endif
