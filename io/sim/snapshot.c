/* snapshot.c: a simulation as bytes in a file, and back. */
#include "snapshot.h"

#include "common/fail.h"
#include "common/file.h"
#include "common/grow.h"
#include "sim_events.h"
#include "sim_probe.h"

#include <stdio.h>

static const char magic[8] = {'T', 'R', 'U', 'S', 'N', 'A', 'P', '3'};

/* A buffer that is written or read. One function per object does both, so that the two cannot differ. */
typedef struct stream {
    unsigned char *bytes;
    size_t count, room; /* count: written, or there to be read */
    size_t at;          /* reading */
    bool reading, bad;  /* bad: out of memory, or not enough bytes */
} stream;

static void io_bytes(stream *s, void *value, size_t size) {
    if (s->reading) {
        s->bad |= size > s->count - s->at;
        if (s->bad)
            memset(value, 0, size);
        else
            memcpy(value, s->bytes + s->at, size);
        s->at += s->bad ? 0 : size;
    } else {
        s->bad |= !GROW(s->bytes, s->room, s->count + size);
        if (!s->bad) memcpy(s->bytes + s->count, value, size);
        s->count += s->bad ? 0 : size;
    }
}

static void io_u64(stream *s, uint64_t *value) {
    unsigned char b[8];
    for (int i = 0; i < 8; i++) b[i] = (unsigned char)(*value >> 8 * i);
    io_bytes(s, b, 8);
    if (!s->reading) return;
    *value = 0;
    for (int i = 0; i < 8; i++) *value |= (uint64_t)b[i] << 8 * i;
}

static void io_i32(stream *s, int32_t *value) {
    uint64_t bits = (uint64_t)(int64_t)*value;
    io_u64(s, &bits);
    *value = (int32_t)(int64_t)bits;
}

static void io_bool(stream *s, bool *value) {
    uint64_t bits = *value;
    io_u64(s, &bits);
    *value = bits != 0;
}

static void io_f64(stream *s, double *value) {
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    io_u64(s, &bits);
    memcpy(value, &bits, sizeof bits);
}

static void io_text(stream *s, char *text, size_t room) {
    uint64_t length = s->reading ? 0 : strlen(text);
    io_u64(s, &length);
    if (s->reading && length >= room) s->bad = true;
    if (s->bad) length = 0;
    io_bytes(s, text, (size_t)length);
    if (s->reading) text[length] = '\0';
}

/* Reads or writes a count of items of at least 8 bytes each. A count beyond the remaining bytes is an error. */
static size_t io_count(stream *s, size_t count) {
    uint64_t n = count;
    io_u64(s, &n);
    if (s->reading && n > (s->count - s->at) / 8) s->bad = true;
    return s->bad ? 0 : (size_t)n;
}

static void io_vec3(stream *s, tru_vec3 *v) {
    io_f64(s, &v->x);
    io_f64(s, &v->y);
    io_f64(s, &v->z);
}

static void io_event(stream *s, tru_event *e) {
    io_f64(s, &e->time);
    io_i32(s, &e->kind);
    io_i32(s, &e->row_kind);
    io_u64(s, &e->body_a);
    io_u64(s, &e->body_b);
    io_vec3(s, &e->position);
    io_f64(s, &e->speed);
    io_f64(s, &e->orientation.w);
    io_f64(s, &e->orientation.x);
    io_f64(s, &e->orientation.y);
    io_f64(s, &e->orientation.z);
    io_vec3(s, &e->velocity);
    io_vec3(s, &e->angular_velocity);
    io_i32(s, &e->limit_case);
}

static void io_event_list(stream *s, tru_event **list, size_t *count, size_t *room) {
    const size_t n = io_count(s, *count);
    if (s->reading && !GROW(*list, *room, n)) s->bad = true;
    for (size_t i = 0; i < n && !s->bad; i++) io_event(s, &(*list)[i]);
    if (s->reading) *count = s->bad ? 0 : n;
}

static void io_events(stream *s, sim_events *e) {
    io_event_list(s, &e->fresh, &e->fresh_count, &e->fresh_room);
    io_event_list(s, &e->kept, &e->kept_count, &e->kept_room);
    io_event_list(s, &e->firsts, &e->first_count, &e->first_room);
    if (e->kept_count > TRU_SIM_EVENTS || e->first_count > SIM_FIRSTS) s->bad = true;
    for (int i = 0; i < TRU_EVENT_KINDS; i++)
        for (int k = 0; k < TRU_KINDS; k++) io_u64(s, &e->counts[i][k]);
    io_u64(s, &e->lost);
}

static void io_totals(stream *s, tru_solve_totals *t) {
    io_u64(s, &t->steps);
    io_u64(s, &t->unconverged);
    io_u64(s, &t->iterations);
    io_i32(s, &t->most_iterations);
    for (int k = 0; k < TRU_KINDS; k++) io_f64(s, &t->residual[k]);
    io_f64(s, &t->worst_relative);
    io_f64(s, &t->worst_time);
    io_f64(s, &t->worst_speed);
    io_u64(s, &t->worst_a);
    io_u64(s, &t->worst_b);
    io_f64(s, &t->lift);
    io_f64(s, &t->hop);
    io_f64(s, &t->hop_time);
}

static void io_gone(stream *s, tru_sim *sim) {
    const size_t n = io_count(s, sim->gone_count);
    if (s->reading && !GROW(sim->gone, sim->gone_room, n)) s->bad = true;
    for (size_t i = 0; i < n && !s->bad; i++) {
        io_u64(s, &sim->gone[i].id);
        io_text(s, sim->gone[i].name, sizeof sim->gone[i].name);
    }
    if (s->reading) sim->gone_count = s->bad ? 0 : n;
}

/* Everything of a simulation that is not in its world and does not follow from its scene. */
static void io_sim(stream *s, tru_sim *sim) {
    if (io_count(s, sim->stop_count) != sim->stop_count) s->bad = true;
    for (size_t i = 0; i < sim->stop_count && !s->bad; i++) io_u64(s, &sim->stops[i].seen);
    if (io_count(s, sim->emitter_count) != sim->emitter_count) s->bad = true;
    for (size_t i = 0; i < sim->emitter_count && !s->bad; i++) {
        io_u64(s, &sim->emitters[i].made);
        io_u64(s, &sim->emitters[i].tries);
    }
    for (size_t i = 0; i < sim->outlets.count; i++) { /* as many as the scene has */
        io_u64(s, &sim->outlets.items[i].left);
        io_f64(s, &sim->outlets.items[i].mass);
    }
    if (sim->outlets.count > 0) io_gone(s, sim);
    io_events(s, &sim->events);
    io_totals(s, &sim->solver);
    io_totals(s, &sim->solver_row);
    io_f64(s, &sim->wall_before);
    io_bool(s, &sim->done);
    io_bool(s, &sim->ended);
    io_text(s, sim->reason, sizeof sim->reason);
}

/* Returns FNV-1a over words of 8 bytes, the last one padded with zeros. It detects damage, not tampering. */
uint64_t trio_snapshot_hash(const unsigned char *bytes, size_t count) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word = 0;
        for (size_t k = 0; k < 8 && i + k < count; k++) word |= (uint64_t)bytes[i + k] << 8 * k;
        h = (h ^ word) * UINT64_C(0x100000001b3);
        h ^= h >> 32;
    }
    return h;
}

/* ---- writing ---- */

static bool add_world(stream *s, const tru_world *w, tru_error *err) {
    uint64_t size = tru_snapshot_size(w);
    io_u64(s, &size);
    if (s->bad || !GROW(s->bytes, s->room, s->count + size)) {
        trio_no_memory(err);
        return false;
    }
    if (tru_snapshot_save(w, s->bytes + s->count, (size_t)size, err) < 0) return false;
    s->count += size;
    return true;
}

tru_status trio_snapshot_write(const tru_sim *sim, uint64_t scene_hash, const struct sim_lengths *lengths, double wall,
                               const char *path, bool durable, tru_error *err) {
    stream s = {0};
    tru_sim view = *sim; /* the functions above do not change the simulation when they write */
    struct sim_lengths rows = *lengths;
    uint64_t total = 0;
    view.wall_before = wall;
    io_bytes(&s, (void *)(uintptr_t)magic, sizeof magic);
    io_u64(&s, &total);
    io_u64(&s, &scene_hash);
    io_text(&s, view.stepper, 0);
    for (int i = 0; i < RESULT_TABLES; i++) io_u64(&s, &rows.rows[i]), io_u64(&s, &rows.sums[i]);
    io_sim(&s, &view);
    tru_error inner = {TRU_OK, ""};
    bool good = add_world(&s, sim->world, &inner);
    if (good) {
        total = s.count + 8;
        for (int i = 0; i < 8; i++) s.bytes[8 + i] = (unsigned char)(total >> 8 * i);
        uint64_t hash = trio_snapshot_hash(s.bytes, s.count);
        io_u64(&s, &hash);
        good = !s.bad;
    }
    tru_status status = inner.status < 0 ? inner.status : good ? TRU_OK : trio_no_memory(&inner);
    if (status < 0 && err) *err = inner;
    if (status >= 0) status = trio_file_replace(path, s.bytes, s.count, durable, err);
    free(s.bytes);
    return status;
}

/* ---- reading ---- */

static tru_status damaged(const char *path, const char *why, tru_error *err) {
    return trio_fail(err, TRU_DAMAGED, "%s: %s", path, why);
}

/* Checks magic, format, length and hash before it reads anything else. */
static tru_status check_frame(stream *s, const char *path, tru_error *err) {
    unsigned char first[8];
    uint64_t total = 0, hash = 0;
    io_bytes(s, first, 8);
    if (s->bad || memcmp(first, magic, 7) != 0) return damaged(path, "is not a snapshot of trundle", err);
    if (first[7] != (unsigned char)magic[7])
        return trio_fail(err, TRU_DAMAGED, "%s: is a snapshot of format %c, this version of trundle reads format %c",
                         path, first[7] >= '0' && first[7] <= '9' ? first[7] : '?', magic[7]);
    io_u64(s, &total);
    if (s->bad || s->count < 24 || total > s->count) return damaged(path, "is damaged: it ends too early", err);
    if (total < s->count) return damaged(path, "is damaged: it has extra bytes at its end", err);
    stream end = {.bytes = s->bytes, .count = s->count, .at = s->count - 8, .reading = true};
    io_u64(&end, &hash);
    s->count -= 8;
    if (hash != trio_snapshot_hash(s->bytes, s->count))
        return damaged(path, "is damaged: it does not match its checksum", err);
    return TRU_OK;
}

static tru_status check_origin(stream *s, const tru_sim *sim, uint64_t scene_hash, const char *path, tru_error *err) {
    uint64_t hash = 0;
    char stepper[64];
    io_u64(s, &hash);
    io_text(s, stepper, sizeof stepper);
    if (s->bad) return damaged(path, "is damaged", err);
    if (hash != scene_hash)
        return trio_fail(err, TRU_DAMAGED, "%s: belongs to another scene (hash %016llx, this one has %016llx)", path,
                         (unsigned long long)hash, (unsigned long long)scene_hash);
    if (strcmp(stepper, sim->stepper) != 0)
        return trio_fail(err, TRU_DAMAGED, "%s: belongs to a run of stepper %s, not %s", path, stepper, sim->stepper);
    return TRU_OK;
}

/* Replaces the old state by what was read, and releases the old one. */
static void exchange(tru_sim *sim, tru_sim *fresh) {
    trio_sim_events_release(&sim->events);
    free(sim->stops);
    free(sim->emitters);
    free(sim->outlets.items);
    free(sim->gone);
    free(sim->resumed);
    const double until = sim->plan.until;
    *sim = *fresh;
    tru_events_take(sim->world, NULL, 0, &sim->events.lost_base);
    trio_sim_events_index(&sim->events);
    sim->contacts.step = UINT64_MAX;
    trio_sim_find_probes(sim);
    trio_sim_set_end(sim, until);
}

/* Copies what io_sim changes, so that a damaged file changes nothing. */
static bool copy_sim(const tru_sim *sim, tru_sim *out) {
    *out = *sim;
    out->events = (sim_events){0};
    out->gone = NULL;
    out->gone_count = out->gone_room = 0;
    out->stops = malloc((sim->stop_count + 1) * sizeof *out->stops);
    out->emitters = malloc((sim->emitter_count + 1) * sizeof *out->emitters);
    out->resumed = malloc(sizeof *out->resumed);
    if (out->stops && sim->stop_count > 0) memcpy(out->stops, sim->stops, sim->stop_count * sizeof *out->stops);
    out->outlets.items = malloc((sim->outlets.count + 1) * sizeof *out->outlets.items);
    const size_t outlets = sim->outlets.count * sizeof *out->outlets.items;
    if (out->outlets.items && outlets > 0) memcpy(out->outlets.items, sim->outlets.items, outlets);
    return out->stops && out->emitters && out->outlets.items && out->resumed;
}

static void release_copy(tru_sim *sim) {
    trio_sim_events_release(&sim->events);
    free(sim->stops);
    free(sim->emitters);
    free(sim->outlets.items);
    free(sim->gone);
    free(sim->resumed);
}

static tru_status read_contents(stream *s, tru_sim *sim, const char *path, tru_error *err) {
    tru_sim fresh;
    uint64_t size = 0;
    tru_error inner = {TRU_OK, ""};
    if (!copy_sim(sim, &fresh)) {
        release_copy(&fresh);
        return trio_no_memory(err);
    }
    for (int i = 0; i < RESULT_TABLES; i++) io_u64(s, &fresh.resumed->rows[i]), io_u64(s, &fresh.resumed->sums[i]);
    io_sim(s, &fresh);
    io_u64(s, &size);
    tru_status status = TRU_OK;
    if (s->bad || size != s->count - s->at)
        status = damaged(path, "is damaged", err);
    else if (tru_snapshot_load(sim->world, s->bytes + s->at, (size_t)size, &inner) < 0)
        status = trio_fail(err, inner.status, "%s: %s", path, inner.text);
    if (status < 0) {
        release_copy(&fresh);
        return status;
    }
    exchange(sim, &fresh);
    if (tru_steps_done(sim->world) == 0) tru_check(sim->world, NULL); /* finds the initial contacts */
    return TRU_OK;
}

tru_status trio_snapshot_read(tru_sim *sim, uint64_t scene_hash, const char *path, tru_error *err) {
    stream s = {.reading = true};
    tru_status status = trio_file_read(path, &s.bytes, &s.count, err);
    if (status >= 0) status = check_frame(&s, path, err);
    if (status >= 0) status = check_origin(&s, sim, scene_hash, path, err);
    if (status >= 0) status = read_contents(&s, sim, path, err);
    free(s.bytes);
    return status;
}
