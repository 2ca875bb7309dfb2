/* springs_energy.c: work of contacts with springs, energy of those that opened, and how far a step is from their laws. */
#include "steppers/springs/springs_energy.h"
#include "steppers/springs/springs.h"
#include "base/assert.h"

#include "base/error.h"
#include "step/ledger.h"
#include "step/judge.h"

/* Did every contact of the step before find itself again? */
static bool none_lost(const tru_world *w) {
    size_t found = 0;
    for (size_t i = 0; i < w->contacts.count; i++) found += w->contacts.items[i].springs != NULL;
    return found == w->contacts_before.count;
}

/* Both lists are in key order. A friction spring without load gives up what it held; what is left in the normal spring is
 * the push of the last moment that the step did not see. */
void trui_springs_release(step *s) {
    tru_world *w = s->w;
    tru_ledger *l = &w->ledger;
    size_t k = 0;
    if (none_lost(w)) return;
    for (size_t i = 0; i < w->contacts_before.count; i++) {
        const contact *old = &w->contacts_before.items[i];
        while (k < w->contacts.count && trui_contact_key_order(&w->contacts.items[k].key, &old->key) < 0) k++;
        const bool lost = k == w->contacts.count || trui_contact_key_order(&w->contacts.items[k].key, &old->key) != 0;
        if (!(old->flags & CONTACT_TRACKED) || !lost) continue;
        const double *e = old->springs->energy;
        TRU_ASSERT(!(e[TRU_KIND_SLIDE] < 0.0) && !(e[TRU_KIND_SPIN] < 0.0) && !(e[TRU_KIND_ROLL] < 0.0));
        for (int kind = 0; (old->flags & CONTACT_SETTLED) && kind < TRU_KINDS; kind++) l->start -= e[kind];
        if (old->flags & CONTACT_SETTLED) continue; /* it went with the body that was moved */
        l->theta_shift -= e[TRU_KIND_NORMAL];
        l->slide += e[TRU_KIND_SLIDE];
        l->spin += e[TRU_KIND_SPIN];
        l->roll += e[TRU_KIND_ROLL];
    }
}

static double roll_work(const double couple[2], const contact_frame *c, tru_vec3 rate) {
    return couple[0] * v3_dot(rate, c->t1) + couple[1] * v3_dot(rate, c->t2);
}

/* What the contacts of a step are booked with. */
typedef struct spring_account {
    double elastic;    /* [-] elastic force of a normal spring over stiffness times overlap: hooke 1, hertz 2/3 */
    const twist *mean; /* per body; small: contacts of a pile look them up at random */
    bool prescribed;   /* normal forces */
    bool each;         /* bodies have roll springs of their own: couples on B beyond the opposite of A's */
    bool driven;       /* some body is */
} spring_account;

/* [N s] The elastic part of the normal impulse. */
static double elastic_impulse(const step *s, const contact *c, const spring_account *k) {
    return s->h * (k->elastic * c->springs->stiffness[TRU_KIND_NORMAL] * c->springs->overlap);
}

/* [J] What the dashpot of the normal row took: its impulse at the mean rate m. */
static double dashpot_heat(const step *s, const contact *c, const spring_account *k, double m) {
    return (elastic_impulse(s, c, k) - c->impulse[TRU_ROW_NORMAL]) * m;
}

/* A belt whose surface moves into a body at v presses new material against it in every moment, but the overlap does not grow: the
 * work F v of the elastic force F is not stored. It is a loss of the normal row, as that of the dashpot. */
static void account_belt(tru_ledger *l, double work) {
    l->theta_shift += work;
    l->impact += work;
}

/* Impulse times mean rate is what the contact gave to its bodies; its book says where that came from. */
static void account_springs(step *s, const contact *c, const spring_account *k) {
    tru_ledger *l = &s->w->ledger;
    const twist a = k->mean[c->a], b = k->mean[c->b], still = {{0, 0, 0}, {0, 0, 0}};
    double m[TRU_ROWS], drive[TRU_ROWS];
    middle_rates(c, &a, &b, m);
    double work = c->impulse[TRU_ROW_NORMAL] * m[TRU_ROW_NORMAL];
    const double heat = k->prescribed ? 0.0 : dashpot_heat(s, c, k, m[TRU_ROW_NORMAL]);
    if (k->prescribed) {
        l->drives += work;
        work = 0.0;
    }
    for (int row = 1; row < TRU_ROWS; row++) work += c->impulse[row] * m[row];
    const double own = k->each ? roll_work(c->springs->couple_b, &c->c, b.w) : 0.0;
    l->theta_shift += work + own;
    l->theta_shift += heat;
    l->impact += heat;
    if (!k->driven || s->w->bodies.items[c->b].kind != TRU_DRIVEN) return;
    middle_rates(c, &still, &b, drive); /* minus the rates of B's surface */
    for (int row = 0; row < TRU_ROWS; row++) l->drives -= c->impulse[row] * drive[row];
    l->drives -= own;
    if (s->w->bodies.items[c->b].belt && !k->prescribed)
        account_belt(l, -elastic_impulse(s, c, k) * drive[TRU_ROW_NORMAL]);
}

tru_status trui_springs_ledger(const tru_track *o, step *s, double *deepest, tru_error *err) {
    const tru_world *w = s->w;
    twist *mean = ARENA_ARRAY(&s->w->scratch, twist, w->bodies.count);
    spring_account k = {.elastic = o->normal == TRU_HERTZ ? 2.0 / 3.0 : 1.0,
                        .mean = mean,
                        .prescribed = o->normal == TRU_PRESCRIBED,
                        .each = o->roll_couple == TRU_PER_BODY};
    if (!mean) return tru_no_memory(err);
    for (size_t i = 0; i < w->bodies.count; i++) {
        mean[i] = mean_twist(s, i);
        k.driven = k.driven || w->bodies.items[i].kind == TRU_DRIVEN;
    }
    *deepest = 0.0;
    for (size_t i = 0; i < w->contacts.count; i++) {
        account_springs(s, &w->contacts.items[i], &k);
        TRU_ASSERT(!(w->contacts.items[i].springs->overlap < 0.0));
        *deepest = fmax(*deepest, w->contacts.items[i].springs->overlap);
    }
    return TRU_OK;
}

/* ---- the judge ---- */

/* How far one contact's impulses are from what its record says, and its springs beyond their caps, as velocities. */
static void judge_contact(const tru_track *o, const tru_world *w, int32_t k, double *worst, tru_verdict *out) {
    const contact *c = &w->contacts.items[k];
    const body a = body_before(w, c->a), b = body_before(w, c->b);
    double u[TRU_ROWS], p[TRU_ROWS], gap[TRU_KINDS] = {0.0};
    spring_set set;
    middle_rates(c, &(twist){a.v, a.w}, &(twist){b.v, b.w}, u);
    trui_springs_masses_of(o, w, &a, &b, c, &set);
    trui_springs_expect(o, w, c, u, &set, p);
    for (int row = 0; row < TRU_ROWS; row++) {
        const int kind = row == 0 ? TRU_KIND_NORMAL : LAW_KIND_OF_ROW(row - 1);
        const double mass = kind >= TRU_KIND_SPIN ? set.inertia : set.mass;
        if (row > 0 && !(c->pair->claims & TRU_KIND_BIT(kind))) continue;
        gap[kind] = fmax(gap[kind], fabs(c->impulse[row] - p[row]) / mass);
    }
    for (int kind = TRU_KIND_SLIDE; kind < TRU_KINDS; kind++) {
        const double *x = c->springs->stretch + (kind == TRU_KIND_SLIDE ? 0 : kind == TRU_KIND_SPIN ? 2 : 3);
        const double size = kind == TRU_KIND_SPIN ? fabs(x[0]) : sqrt(x[0] * x[0] + x[1] * x[1]);
        const int row = kind == TRU_KIND_SLIDE ? 1 : kind == TRU_KIND_SPIN ? 3 : 4;
        const bool together = set.by_rates & TRU_KIND_BIT(kind); /* the sum has the limit, not the spring */
        const double sum = kind == TRU_KIND_SPIN ? fabs(p[row]) : sqrt(p[row] * p[row] + p[row + 1] * p[row + 1]);
        const double over =
            (together ? sum / o->step : set.stiffness[kind] * size) - fmax(set.cap[kind], set.hold[kind]);
        const double mass = kind >= TRU_KIND_SPIN ? set.inertia : set.mass;
        if (c->pair->claims & TRU_KIND_BIT(kind)) gap[kind] = fmax(gap[kind], o->step * over / mass);
    }
    trui_judge_note(out, gap, v3_norm(c->c.arm_a), k, worst);
}

tru_status trui_springs_judge(const tru_track *o, const tru_world *w, tru_verdict *out, tru_error *err) {
    const tru_status s = trui_judge_bodies(w, o->step, JUDGE_MOMENTUM, out, err);
    double worst = 0.0;
    for (int32_t k = 0; s >= 0 && k < (int32_t)w->contacts.count; k++) judge_contact(o, w, k, &worst, out);
    return s;
}
