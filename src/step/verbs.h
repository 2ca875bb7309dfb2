/* verbs.h: what a step is made of: drift, kick, solve, place, project, account. Data flows one way:
 * bodies -> contacts -> problem -> impulses -> bodies. `trui_find_contacts` is in detect/find_contacts.h. */
#ifndef TRUNDLE_STEP_VERBS_H
#define TRUNDLE_STEP_VERBS_H

#include "solvers/sweep_problem/sweep_problem.h"
#include "step/step.h"

/* Remember the start, look up driven velocities. */
tru_status trui_step_begin(step *s, tru_world *w, double h, tru_error *err);
/* Room for what a step of the bodies may need beyond velocities, and for poses in the middle of it; trui_step_begin makes it where
 * something turns or loads act. */
tru_status trui_step_reserve_dynamics(step *s, tru_error *err);
/* Everything is finite: advance time, publish solver info, emit events. Otherwise undo. */
tru_status trui_step_end(step *s, tru_status solved, tru_error *err);
/* Count a step that ended at time `end` [s], and publish what its solver says. */
void trui_step_count(tru_world *w, const tru_solve_info *info, double end);
/* The world is as before the step; returns `failed`. */
tru_status trui_step_undo(step *s, tru_status failed);

/* Move poses by h with the velocities of the bodies: rotation by the exponential map, or the paper's q + h/2 w q,
 * scaled. */
void trui_drift(tru_world *w, double h, bool additive);
/* Inertia and loads at the present pose, for kick and problem. */
void trui_inertia_here(step *s);

/* Free velocities: gravity, loads, gyroscopic torque at gyro_rate. */
void trui_kick(step *s);
/* Both in one pass over the bodies, unless there are loads to add in between. */
void trui_inertia_and_kick(step *s);

/* Rows of the joints at the present pose and what they ask for: of the rates at the end of the step, or of the mean ones. */
tru_status trui_joints_place(step *s, bool mean, tru_error *err);
/* Before a run: joints that are violated at the start are refused, rows that repeat others are a remark. */
tru_status trui_joints_check(tru_world *w, tru_error *err);

/* From the start pose by h with the mean of start and end velocities. */
void trui_place_bodies(step *s, bool hold_spin_in_body);
/* Writes where contacts are at the present poses into their ends. */
void trui_place_contacts(step *s);
/* Fails a step that ends with a body under the surface of a contact by more than its size (contact_sank), if the step with that overlap closed adds
 * energy: it is longer than the fall, and every impact would add as much. Slow impacts, which lose more, and fast bodies pass. */
tru_status trui_check_sunk(const step *s, const contact *c, tru_error *err);
/* Lays a face that three or more points of a run define parallel to the other surface and on it, if it fell flat; true if it moved. */
bool trui_lay_flat(step *s, contact *run, int count);
/* Contact places and rates at the end pose, as it is, where they are kept. */
void trui_refresh_contact_places(step *s);
/* Book the step's work in the ledger; velocities are those at the end, geometry that of the middle. Many contacts or bodies are
 * booked by segments, and those added in their order: the sums do not depend on the number of threads. */
void trui_ledger_book(step *s);

/* ---- joints within verbs */

static inline bool joint_limited(const joint *j) { return j->row[0].limit < TRU_UNBOUNDED; }
/* Which rows repeat what others hold, into joint.left_out. */
tru_status trui_joints_leave_out(const step *s, tru_error *err);
/* How many rows the joints have at most, and their blocks behind those of the contacts: limited ones, then bilateral ones. */
static inline size_t joints_row_count(const tru_world *w) {
    size_t n = 0;
    for (size_t i = 0; i < w->joints.count; i++) n += (size_t)w->joints.items[i].rows;
    return n;
}
void trui_joints_blocks(step *s);
/* r of the rows of a joint, and the impulses of its solved block onto joint and bodies. */
void trui_joint_free_rates(const step *s, const block *bl);
void trui_joint_push(const step *s, const block *bl);
/* Work of the joints in a solved step. */
void trui_joints_ledger(step *s);
/* The step is done. */
void trui_joints_accept(tru_world *w);
/* Momentum and angular momentum that joints gave a body in the last step. */
void trui_joints_explain(const tru_world *w, size_t who, tru_vec3 *push, tru_vec3 *turn);
/* How far a joint is from its law, with the velocities of its bodies after the step where its rows acted. */
void trui_joint_judge(const joint *j, double h, const twist *a, const twist *b, tru_verdict *out);

/* A contact as its laws see it in the step, after collide. */
static inline void step_view(const step *s, const contact *c, tru_contact *out) {
    const solid *solids = s->w->solids.items;
    trui_contact_view(c, &solids[c->solid_a].pose, &solids[c->solid_b].pose, s->w->bodies.items[c->a].x, s->acts, out);
}
/* Laws of a contact as its last solve left them: work that was not kept is prepared once more, into `work`. */
void trui_laws_again(const contact *c, tru_contact *view, double work[][TRU_LAW_WORK], law_use *laws);

/* Refuse pairs with compliance: the stepper of this name has rigid contacts. */
tru_status trui_ready_rigid(const tru_world *w, const char *stepper, tru_error *err);
/* [m] Size of the smallest free body, 0 without one: what margins are measured by. */
double trui_smallest_free(const tru_world *w);

/* Row kinds of a new contact that do not move at all: what is laid down at rest holds like what came to rest. */
static inline uint32_t rates_at_rest(const double start[TRU_ROWS]) {
    uint32_t still = 0;
    if (start[1] == 0.0 && start[2] == 0.0) still |= TRU_KIND_BIT(TRU_KIND_SLIDE);
    if (start[3] == 0.0) still |= TRU_KIND_BIT(TRU_KIND_SPIN);
    if (start[4] == 0.0 && start[5] == 0.0) still |= TRU_KIND_BIT(TRU_KIND_ROLL);
    return still;
}

/* ---- start.c: contacts before the first step */

/* Finds them; nothing else of the world changes. */
tru_status trui_start_find(tru_world *w, tru_error *err);
/* Announces them as touches at the start of the first step, once. */
void trui_start_tell(tru_world *w);
/* Is there one between the solids of the key? Its touch was announced already. */
bool trui_start_knows(const tru_world *w, const contact_key *key);
/* After a step: those that are not closed have lifted; then they are forgotten. */
void trui_start_end(step *s, bool (*is_closed)(const step *s, const contact_key *key));
/* [m/s] a millionth of what gravity adds in the step: a face that moves slower along the normal lies. */
double trui_flat_speed(const step *s);
/* Slip and stick of contact k's kinds that were `before` (bits of tru_kind stick), as events of the world; u: its rates. */
void trui_mode_events(step *s, size_t k, uint32_t before, const double u[TRU_ROWS]);
/* What began and ended in the step, as events of the world; and room for it before. */
void trui_step_events(step *s);
bool trui_step_due_room(step *s);

/* Where a stepper takes the gyroscopic torque: at the mean rate of the step, at its start, at the mean rate that the body has
 * without contacts and joints, or not at all, because it keeps the angular momentum itself. */
typedef enum judge_gyro { JUDGE_MEAN, JUDGE_START, JUDGE_FREE, JUDGE_MOMENTUM } judge_gyro;
/* Residuals of the last step from bodies before and after, contacts and impulses. */
tru_status trui_judge_step(const tru_world *w, double h, judge_gyro gyro, tru_verdict *out, tru_error *err);
/* The bodies' part of it; what contacts add to it: `gap` is how far contact k is from its law, as velocities. */
tru_status trui_judge_bodies(const tru_world *w, double h, judge_gyro gyro, tru_verdict *out, tru_error *err);
void trui_judge_note(tru_verdict *out, const double gap[TRU_KINDS], double arm, int32_t k, double *worst);

extern const tru_stepper tru_stepper_moreau, tru_stepper_cone, tru_stepper_event, tru_stepper_variational,
    tru_stepper_track;

#endif
