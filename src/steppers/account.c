/* account.c: the energy ledger of a step and its events.
 *
 * The kinetic energy of a step changes by exactly mean velocity times impulse, so every term below comes from its own
 * formula: with m = W^T (u_start + u_end)/2 and gamma the velocity the law saw,
 *   friction rows   dissipated -p.gamma,  theta shift p.(m - gamma)
 *   normal row      p m: zero in a resting contact but for the theta shift; an impact's loss when the contact closed.
 * Where laws act on u_end + b (step.ends), p m of the normal row is p gamma (the relaxed law's lift, else zero), -p b (what
 * recovers overlap or lets a gap close), and the theta shift; poses move with u_end, so gravity's work on them differs
 * from its work on the velocities by another theta shift. */
#include "steppers/verbs.h"

twist mean_twist(const step *s, size_t i) {
    const twist *t = &s->moving[i].start;
    const body *b = &s->w->bodies.items[i];
    return (twist){v3_scale(0.5, v3_add(t->v, b->v)), v3_scale(0.5, v3_add(t->w, b->w))};
}

/* What a contact that yields gave to its bodies: with force F, overlap d at the start and d' = c F at the end, F d - c F^2 is
 * the energy d^2/2c - c F^2/2 of its spring, less (d - d')^2/2c that is lost because F is that of the end. A gap d < 0
 * stores nothing. Returns it all. */
static double account_spring(tru_ledger *l, const contact *c, double h) {
    const double give = c->pair->compliance, force = contact_rest(c, TRU_ROW_NORMAL) / h, d = -c->c.gap;
    const double left = d - give * force, whole = fmax(d, 0.0);
    const double before = 0.5 * whole * whole / give, after = 0.5 * give * force * force;
    const double lost = d >= 0.0 ? 0.5 * left * left / give : after - force * d;
    l->theta_shift -= lost;
    l->stored += after;
    l->stiffness += before;
    return before - after - lost;
}

/* The normal row where the law acts on gamma = u_end + bias, and on what the contact yields; m: its mean rate. */
static void account_normal(step *s, const contact *c, double gamma, double m) {
    tru_ledger *l = &s->w->ledger;
    const double p = c->impulse[TRU_ROW_NORMAL], rest = contact_rest(c, TRU_ROW_NORMAL), bias = c->bias[TRU_ROW_NORMAL];
    const bool impact = c->flags & (CONTACT_IMPACT | CONTACT_STRUCK);
    const bool closes = impact || ((c->flags & CONTACT_NEW) && bias > 0.0);
    const bool soft = s->more && s->more[c - s->w->contacts.items].soft > 0.0;
    const double lift = c->flags & CONTACT_RELAXED ? rest * gamma : 0.0;
    const double recovered = soft ? account_spring(l, c, s->h) : closes ? 0.0 : -rest * bias;
    l->lift += lift;
    /* in steady slip the gap is h s(u) and stays: it lifts, and does not hop; an open contact may keep a trace of an impulse */
    if (c->flags & CONTACT_RELAXED && rest > 1e-6 * s->w->bodies.items[c->a].mass * gamma) {
        s->info.lift = fmax(s->info.lift, gamma);
        s->info.hop = fmax(s->info.hop, fmin(gamma, gamma - bias));
    }
    if (!soft) l->stabilisation += recovered;
    if (impact || (c->flags & CONTACT_NEW))
        l->impact -= p * m - lift - recovered;
    else
        l->theta_shift += p * m - lift - recovered;
}

/* u: what the rows of the contact saw, up to theta. */
static void account_contact(step *s, const contact *c, const double *u) {
    tru_ledger *l = &s->w->ledger;
    const twist a = mean_twist(s, c->a), b = mean_twist(s, c->b), still = {{0, 0, 0}, {0, 0, 0}};
    double m[TRU_ROWS], drive[TRU_ROWS];
    double *sink[TRU_KINDS] = {&l->impact, &l->slide, &l->spin, &l->roll};
    const bool impact = c->flags & (CONTACT_NEW | CONTACT_IMPACT | CONTACT_STRUCK);
    middle_rates(c, &a, &b, m);
    if (s->ends) account_normal(s, c, u[0], m[TRU_ROW_NORMAL]);
    for (int row = s->ends ? 1 : 0; row < TRU_ROWS; row++) {
        const int kind = row_kind(row);
        const double p = c->impulse[row], seen = row == 0 ? 0.0 : c->theta * u[row];
        if (impact) {
            *sink[kind] -= p * m[row];
        } else {
            *sink[kind] -= p * seen;
            l->theta_shift += p * (m[row] - seen);
        }
    }
    if (s->w->bodies.items[c->b].kind != TRU_DRIVEN) return;
    middle_rates(c, &still, &b, drive); /* minus the rates of B's surface */
    for (int row = 0; row < TRU_ROWS; row++) l->drives -= c->impulse[row] * drive[row];
}

void account(step *s) {
    tru_world *w = s->w;
    for (size_t i = 0; i < w->bodies.count; i++) {
        const body *b = &w->bodies.items[i];
        const moving *m = &s->moving[i];
        if (!body_is_free(b)) continue;
        const twist mean = mean_twist(s, i);
        if (s->ends) w->ledger.theta_shift -= 0.5 * s->h * b->mass * v3_dot(w->gravity, v3_sub(b->v, m->start.v));
        if (w->loads.count > 0) w->ledger.loads += s->h * (v3_dot(m->force, mean.v) + v3_dot(m->torque, mean.w));
        if (!b->isotropic) w->ledger.gyroscopic -= s->h * gyro_work(m, mean.w);
    }
    if (s->more) { /* springs are met at other lengths than they were left at: contacts turn, come and go */
        w->ledger.stiffness -= w->ledger.stored;
        w->ledger.stored = 0.0;
    }
    for (size_t i = 0; s->seen && i < w->contacts.count; i++) account_contact(s, &w->contacts.items[i], s->seen[i]);
    if (w->joints.count > 0) joints_account(s);
}

static void emit(step *s, int kind, int row_kind, const contact *c, double speed) {
    tru_event e = body_event(&s->w->bodies.items[c->a], s->time + s->h, kind);
    e.row_kind = row_kind;
    e.body_b = c->key.body_b;
    e.speed = speed;
    world_event(s->w, &e);
}

static double kind_speed(const double u[TRU_ROWS], int kind) {
    if (kind == TRU_KIND_SLIDE) return sqrt(u[1] * u[1] + u[2] * u[2]);
    if (kind == TRU_KIND_SPIN) return fabs(u[3]);
    return sqrt(u[4] * u[4] + u[5] * u[5]);
}

double flat_speed(const step *s) { return 1e-6 * s->fall; }

/* Slip and stick of every claimed kind; a new contact counts as having stuck unless it was said to slip. */
void mode_events(step *s, size_t k, uint32_t before, const double *u) {
    const contact *c = &s->w->contacts.items[k];
    contact_place at;
    double rate[TRU_ROWS];
    if (!((c->stuck ^ before) & c->pair->claims)) return;
    if (!u) contact_now(s->w, k, &at, rate);
    if (!u) u = rate;
    for (int kind = TRU_KIND_SLIDE; kind < TRU_KINDS; kind++) {
        const uint32_t bit = TRU_KIND_BIT(kind);
        if (!(c->pair->claims & bit) || !((c->stuck ^ before) & bit)) continue;
        const double arm = kind == TRU_KIND_SLIDE ? 1.0 : s->w->bodies.items[c->a].size;
        if ((c->flags & CONTACT_NEW) && arm * kind_speed(u, kind) <= flat_speed(s)) continue; /* nothing to announce */
        emit(s, c->stuck & bit ? TRU_EVENT_STICK : TRU_EVENT_SLIP, kind, c, kind_speed(u, kind));
    }
}

static bool same_solids(const contact *p, const contact *q) {
    return p->key.body_a == q->key.body_a && p->key.body_b == q->key.body_b && p->key.shape_a == q->key.shape_a &&
           p->key.shape_b == q->key.shape_b;
}

/* How many contacts from `first` on are between the same shapes as c and carry something. */
static int closed_run(const contact_array *all, size_t first, const contact *c) {
    int count = 0;
    for (size_t i = first; i < all->count && same_solids(&all->items[i], c); i++)
        count += !(all->items[i].flags & CONTACT_APART);
    return count;
}

/* Does the face of c's shape lie on the other's: three closed contacts or more from `first` on, none of which opens or
 * closes? */
static bool lies(const contact_array *all, size_t first, const contact *c) {
    int count = 0;
    bool still = true;
    for (size_t i = first; i < all->count && same_solids(&all->items[i], c); i++) {
        if (all->items[i].flags & CONTACT_APART) continue;
        count++;
        still = still && (all->items[i].flags & CONTACT_STILL);
    }
    return still && count >= 3;
}

/* [m/s] how fast a contact opens at the end of the step; where nobody wrote that down, with the frame in which its laws acted:
 * it tells a face that lies still as well, without another look at the shapes. */
static double opening(const tru_world *w, const contact *c) {
    const body *a = &w->bodies.items[c->a], *b = &w->bodies.items[c->b];
    double u[TRU_ROWS];
    if (c->end) return c->end->rate[TRU_ROW_NORMAL];
    middle_rates(c, &(twist){a->v, a->w}, &(twist){b->v, b->w}, u);
    return u[TRU_ROW_NORMAL];
}

/* Points of a face that neither open nor close at the end of the step. */
static void mark_still(step *s) {
    contact_array *all = &s->w->contacts;
    for (size_t i = 0; i < all->count;) {
        const size_t end = i + (size_t)contact_run(all, i);
        for (size_t k = i; end - i >= 3 && k < end; k++)
            if (fabs(opening(s->w, &all->items[k])) <= flat_speed(s)) all->items[k].flags |= CONTACT_STILL;
        i = end;
    }
}

static void contact_events(step *s) {
    tru_world *w = s->w;
    const contact_array *now = &w->contacts, *before = &w->contacts_before;
    size_t along = 0;
    bool changed = now->count != before->count;
    for (size_t i = 0; i < now->count; i++) {
        const contact *c = &now->items[i];
        changed |= (c->flags & (CONTACT_NEW | CONTACT_APART)) || (i > 1 && same_solids(&now->items[i - 2], c));
        if (c->flags & CONTACT_APART) continue;
        mode_events(s, i, c->flags & CONTACT_NEW ? ~(c->flags >> CONTACT_SLIPS) : c->c.stuck, NULL);
    }
    if (!changed) return;
    for (size_t i = 0; i < now->count; i += (size_t)contact_run(now, i)) {
        const contact *c = &now->items[i];
        if (closed_run(now, i, c) == 0) continue;
        const size_t old = along = contact_seek(before, &c->key, along);
        if (closed_run(before, old, c) == 0) emit(s, TRU_EVENT_TOUCH, TRU_KIND_NORMAL, c, c->approach);
        if (lies(now, i, c) && !lies(before, old, c)) emit(s, TRU_EVENT_FLAT, TRU_KIND_NORMAL, c, 0.0);
    }
    along = 0;
    for (size_t i = 0; i < before->count; i += (size_t)contact_run(before, i)) {
        const contact *c = &before->items[i];
        if (closed_run(before, i, c) == 0) continue;
        along = contact_seek(now, &c->key, along);
        if (closed_run(now, along, c) == 0) emit(s, TRU_EVENT_LIFT, TRU_KIND_NORMAL, c, 0.0);
    }
}

/* Rest: a touching or jointed body slower than a millionth of what gravity adds in one step. */
static void rest_events(step *s) {
    tru_world *w = s->w;
    const double slow = flat_speed(s);
    for (size_t i = 0; i < w->bodies.count; i++) {
        body *b = &w->bodies.items[i];
        if (!body_is_free(b)) continue;
        const bool rests = body_rests(b, b->v, b->w, slow);
        if (rests && !b->resting) {
            const tru_event e = body_event(b, s->time + s->h, TRU_EVENT_REST);
            world_event(w, &e);
        }
        b->resting = rests;
    }
}

void step_events(step *s) {
    mark_still(s);
    if (!s->timed) contact_events(s);
    rest_events(s);
}
