/* state_contacts.c: contacts with their history and springs in the stream of a world. */
#include "api/state/state_contacts.h"

#include "detect/find_contacts.h"

contact_ids trui_contact_ids_of(const tru_world *w, const contact_key *k) {
    TRU_ASSERT(k->a < w->bodies.count && k->b < w->bodies.count && k->a != k->b);
    TRU_ASSERT(w->solids.items[k->solid_a].body == k->a && w->solids.items[k->solid_b].body == k->b);
    return (contact_ids){w->bodies.items[k->a].id, w->bodies.items[k->b].id, w->solids.items[k->solid_a].k,
                         w->solids.items[k->solid_b].k};
}

/* Streams which shapes touch, and where. */
static void io_key(stream *s, contact_ids *ids, contact_key *k) {
    io_u64(s, &ids->body_a);
    io_u64(s, &ids->body_b);
    io_i32(s, &ids->shape_a);
    io_i32(s, &ids->shape_b);
    io_i32(s, &k->feature);
}

/* Streams frame, arms and gap at the end of a step. */
static void io_place(stream *s, contact_place *p) {
    io_vec3(s, &p->normal);
    io_vec3(s, &p->t1);
    io_vec3(s, &p->t2);
    io_vec3(s, &p->arm_a);
    io_vec3(s, &p->arm_b);
    io_f64(s, &p->gap);
}

/* Streams the frame of a contact where its laws act. */
static void io_frame(stream *s, contact_frame *c) {
    io_vec3(s, &c->normal);
    io_vec3(s, &c->t1);
    io_vec3(s, &c->t2);
    io_vec3(s, &c->arm_a);
    io_vec3(s, &c->arm_b);
    io_f64(s, &c->gap);
    io_u32(s, &c->stuck);
    io_i32(s, &c->rim_points);
}

/* Streams the springs of stepper track. */
static void io_springs(stream *s, springs *k) {
    for (int side = 0; side < 2; side++) {
        io_vec3(s, &k->record.at[side]);
        io_vec3(s, &k->record.t1[side]);
        io_vec3(s, &k->record.t2[side]);
    }
    io_rows(s, k->stretch, TRU_FRICTION_ROWS);
    io_rows(s, k->stretch_b, 2);
    io_rows(s, k->moved, TRU_FRICTION_ROWS);
    io_rows(s, k->couple_b, 2);
    io_f64(s, &k->overlap);
    io_rows(s, k->stiffness, TRU_KINDS);
    io_rows(s, k->energy, TRU_KINDS);
    io_u32(s, &k->stuck_b);
    io_f64(s, &k->curvature);
    io_f64(s, &k->curvature_mean);
    io_f64(s, &k->radius_effective);
    io_f64(s, &k->radius_smaller);
}

/* Streams what second-order steppers keep of the end of a step. */
static void io_end(stream *s, contact_end *e) {
    io_place(s, &e->place);
    io_rows(s, e->rate, TRU_ROWS);
    io_rows(s, e->last, TRU_ROWS);
    io_rows(s, e->older, TRU_ROWS);
    io_rows(s, e->slip, 3);
}

void trui_io_contact(stream *s, contact_ids *ids, contact *c) {
    TRU_ASSERT(!s->out || !(c->flags & CONTACT_TRACKED) || c->springs); /* the flag says that it has springs */
    bool has_end = c->end && !s->in;
    double none[TRU_FRICTION_ROWS] = {0.0}, theta = (double)c->theta;
    io_key(s, ids, &c->key);
    io_u32(s, &c->flags);
    io_u32(s, &c->stuck);
    io_u32(s, &c->age);
    io_bool(s, &c->steady);
    io_vec3(s, &c->local_a);
    io_frame(s, &c->c);
    io_rows(s, c->dry, TRU_ROWS);
    io_rows(s, c->impulse, TRU_ROWS);
    io_f64(s, &c->bias);
    io_rows(s, c->end ? c->end->bias : none, TRU_FRICTION_ROWS);
    io_f64(s, &theta);
    c->theta = (float)theta;
    io_f64(s, &c->approach);
    io_bool(s, &has_end);
    if (has_end) io_end(s, c->end);
    if (c->flags & CONTACT_TRACKED) io_springs(s, c->springs);
    if (!has_end) c->end = NULL;
    if (!(c->flags & CONTACT_TRACKED)) c->springs = NULL;
}

/* Finds the bodies and shapes of a key just read. Returns false if they do not exist. */
static bool place_key(stream *s, const tru_world *w, const contact_ids *ids, contact_key *k) {
    const size_t a = trui_body_index(w, ids->body_a), b = trui_body_index(w, ids->body_b);
    if (a == SIZE_MAX || b == SIZE_MAX || a == b || ids->shape_a < 0 || ids->shape_b < 0 ||
        (size_t)ids->shape_a >= w->bodies.items[a].solid_count ||
        (size_t)ids->shape_b >= w->bodies.items[b].solid_count) {
        damaged(s, "a contact is of shapes that do not exist");
        return false;
    }
    k->a = (uint32_t)a;
    k->b = (uint32_t)b;
    k->solid_a = w->bodies.items[a].solid_first + (uint32_t)ids->shape_a;
    k->solid_b = w->bodies.items[b].solid_first + (uint32_t)ids->shape_b;
    return true;
}

/* Finds bodies, shapes and pair of contact i, just read. Keys must rise, and at most TRU_TOUCHES may be of the same shapes. */
static void place_contact(stream *s, const tru_world *w, const contact_ids *ids, size_t i) {
    contact *c = &w->contacts.items[i];
    if (!place_key(s, w, ids, &c->key)) return;
    c->pair = trui_pair_between(s->defs, w->solids.items[c->solid_a].material, w->solids.items[c->solid_b].material);
    if (!c->pair) damaged(s, "a contact is of materials without a law");
    if (i > 0 && trui_contact_key_order(&c[-1].key, &c->key) >= 0) damaged(s, "contacts are out of order");
    if (i >= TRU_TOUCHES && c[-TRU_TOUCHES].solid_a == c->solid_a && c[-TRU_TOUCHES].solid_b == c->solid_b)
        damaged(s, "two shapes touch in too many points");
    w->bodies.items[c->a].contacts++;
    w->bodies.items[c->b].contacts++;
}

/* Allocates `count` contacts with the parts that some of them have. Returns false without memory. */
static bool make_contacts(tru_world *w, size_t count, size_t stride, bool ends, bool springs_too) {
    return array_resize(&w->memory, &w->contacts, count) && array_resize(&w->memory, &w->history, count * stride) &&
           (!ends || array_resize(&w->memory, &w->ends, count)) &&
           (!springs_too || array_resize(&w->memory, &w->springs, count));
}

void trui_io_contacts(stream *s, tru_world *w) {
    const size_t count = io_count(s, w->contacts.count, 300), stride = s->defs->history_stride;
    bool ends = false, tracked = false;
    for (size_t i = 0; !s->in && i < count; i++) {
        ends |= w->contacts.items[i].end != NULL;
        tracked |= (w->contacts.items[i].flags & CONTACT_TRACKED) != 0;
    }
    io_bool(s, &ends);
    io_bool(s, &tracked);
    if (s->in && good(s) && !make_contacts(w, count, stride, ends, tracked)) out_of_memory(s);
    for (size_t i = 0; i < count && good(s); i++) {
        TRU_ASSERT(!s->out || i == 0 ||
                   trui_contact_key_order(&w->contacts.items[i - 1].key, &w->contacts.items[i].key) < 0);
        contact c = w->contacts.items[i];
        contact_end no_end;
        springs slack;
        if (s->in) {
            c.end = ends ? &w->ends.items[i] : &no_end;
            c.springs = tracked ? &w->springs.items[i] : &slack;
            c.c.memory = stride > 0 ? w->history.items + i * stride : NULL;
        }
        contact_ids ids = {0};
        if (!s->in) ids = trui_contact_ids_of(w, &c.key);
        trui_io_contact(s, &ids, &c);
        if (stride > 0) io_rows(s, c.c.memory, stride);
        if (!s->in || !good(s)) continue;
        if ((c.end && !ends) || (c.springs && !tracked)) {
            damaged(s, "a contact has parts that no contact has");
            return;
        }
        w->contacts.items[i] = c;
        place_contact(s, w, &ids, i);
    }
}

/* Before the first step the contacts of the start are found again, so none are written. */
void trui_io_start_contacts(stream *s, tru_world *w) {
    const size_t count = io_count(s, w->steps_done > 0 ? w->at_start.count : 0, 36);
    if (s->in && good(s) && !array_resize(&w->memory, &w->at_start, count)) out_of_memory(s);
    for (size_t i = 0; i < count && good(s); i++) {
        start_contact *c = &w->at_start.items[i];
        contact_ids ids = {0};
        if (s->in) memset(c, 0, sizeof *c);
        if (!s->in) ids = trui_contact_ids_of(w, &c->key);
        io_key(s, &ids, &c->key);
        io_f64(s, &c->ahead);
        if (!s->in || !good(s) || !place_key(s, w, &ids, &c->key)) continue;
        c->shown.body_a = ids.body_a;
        c->shown.body_b = ids.body_b;
        if (i > 0 && trui_contact_key_order(&c[-1].key, &c->key) >= 0)
            damaged(s, "contacts of the start are out of order");
    }
}
