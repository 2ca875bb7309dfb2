/* state_reports.c: what a world reports of its past: kept in snapshots, without influence on later steps. */
#include "api/state/state_reports.h"

#include "math/quat.h"

void trui_io_solve(stream *s, tru_solve_info *info) {
    io_i32(s, &info->iterations);
    io_i32(s, &info->single);
    io_i32(s, &info->contacts);
    io_i32(s, &info->worst);
    io_bool(s, &info->converged);
    io_rows(s, info->residual, TRU_KINDS);
    io_f64(s, &info->relative);
    io_f64(s, &info->rms);
    io_f64(s, &info->max);
    io_f64(s, &info->joint);
    io_f64(s, &info->joint_turn);
    io_f64(s, &info->lift);
    io_f64(s, &info->hop);
}

void trui_io_solve_totals(stream *s, tru_solve_totals *t) {
    io_u64(s, &t->steps);
    io_u64(s, &t->unconverged);
    io_u64(s, &t->iterations);
    io_i32(s, &t->most_iterations);
    io_rows(s, t->residual, TRU_KINDS);
    io_f64(s, &t->worst_relative);
    io_f64(s, &t->worst_time);
    io_f64(s, &t->worst_speed);
    io_u64(s, &t->worst_a);
    io_u64(s, &t->worst_b);
    io_f64(s, &t->lift);
    io_f64(s, &t->hop);
    io_f64(s, &t->hop_time);
}

void trui_io_before(stream *s, tru_world *w) {
    const size_t judged = w->before.count == w->bodies.count ? w->before.count : 0;
    const size_t count = io_count(s, judged, 130);
    bool other = false; /* some attitude in the middle differs from that before */
    if (s->in && good(s) && count != 0 && count != w->bodies.count) damaged(s, "its last step is of other bodies");
    if (s->in && good(s) &&
        !(array_resize(&w->memory, &w->before, count) && array_resize(&w->memory, &w->middle, count)))
        out_of_memory(s);
    for (size_t i = 0; i < count && good(s); i++) {
        body_start b = s->in ? body_keep(&w->bodies.items[i]) : w->before.items[i];
        tru_quat middle = s->in ? quat_identity() : body_middle(w, i);
        io_vec3(s, &b.x);
        io_quat(s, &b.q);
        io_vec3(s, &b.v);
        io_vec3(s, &b.w);
        io_quat(s, &middle);
        if (!s->in) continue;
        w->before.items[i] = b;
        w->middle.items[i] = middle;
        other = other || memcmp(&middle, &b.q, sizeof middle) != 0;
    }
    if (s->in && !other) array_release(&w->memory, &w->middle);
}

static void io_event(stream *s, tru_event *e) {
    io_f64(s, &e->time);
    io_i32(s, &e->kind);
    io_i32(s, &e->row_kind);
    io_u64(s, &e->body_a);
    io_u64(s, &e->body_b);
    io_vec3(s, &e->position);
    io_f64(s, &e->speed);
    io_quat(s, &e->orientation);
    io_vec3(s, &e->velocity);
    io_vec3(s, &e->angular_velocity);
    io_i32(s, &e->limit_case);
}

/* The ring of events begins at its first place after reading. */
void trui_io_events(stream *s, tru_world *w) {
    TRU_ASSERT(w->events.count <= EVENT_ROOM && (w->events.count == 0 || w->events.first < EVENT_ROOM));
    const size_t count = io_count(s, w->events.count, 148);
    io_u64(s, &w->events.lost);
    if (count > EVENT_ROOM) damaged(s, "there are too many events");
    if (s->in && good(s) && !(w->events.items = trui_mem_array(&w->memory, EVENT_ROOM, sizeof *w->events.items)))
        out_of_memory(s);
    for (size_t i = 0; i < count && good(s); i++) {
        const size_t at = (w->events.first + i) % EVENT_ROOM;
        tru_event e = w->events.items[at];
        io_event(s, &e);
        if (s->in) w->events.items[at] = e;
    }
    w->events.count = count;
}
