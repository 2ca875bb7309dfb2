/* snapshot.c: a simulation as bytes, in memory or in a file, and back. */
#include "snapshot.h"

#include "common/fail.h"
#include "common/file.h"
#include "sim_bytes.h"

#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'T', 'R', 'U', 'S', 'N', 'A', 'P', '3'};

/* Returns FNV-1a over words of 8 bytes, the last one padded with zeros. It detects damage, not tampering. */
uint64_t trio_snapshot_hash(const unsigned char *bytes, size_t count) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i += 8) {
        unsigned char last[8] = {0};
        if (count - i < 8) memcpy(last, bytes + i, count - i);
        h = (h ^ load_u64(count - i < 8 ? last : bytes + i)) * UINT64_C(0x100000001b3);
        h ^= h >> 32;
    }
    return h;
}

static void stream_lengths(stream *s, struct sim_lengths *l) {
    for (int i = 0; i < RESULT_TABLES; i++) trio_stream_u64(s, &l->rows[i]), trio_stream_u64(s, &l->sums[i]);
}

/* ---- writing ---- */

static tru_status put_world(stream *s, const tru_world *w, tru_error *err) {
    uint64_t size = tru_snapshot_size(w);
    tru_status status = TRU_OK;
    trio_stream_u64(s, &size);
    if (s->bytes && !s->bad && size <= s->count - s->at)
        status = tru_snapshot_save(w, s->bytes + s->at, (size_t)size, err);
    s->at += (size_t)size;
    return status;
}

tru_status trio_snapshot_save(const tru_sim *sim, uint64_t scene_hash, const struct sim_lengths *lengths, double wall,
                              void *bytes, size_t room, size_t *size, tru_error *err) {
    stream s = {.bytes = bytes, .count = room};
    tru_sim *view = (tru_sim *)(uintptr_t)sim; /* a stream that writes changes nothing */
    struct sim_lengths rows = *lengths;
    uint64_t total = 0;
    trio_stream_bytes(&s, (void *)(uintptr_t)magic, sizeof magic);
    trio_stream_u64(&s, &total);
    trio_stream_u64(&s, &scene_hash);
    trio_stream_text(&s, view->stepper, 0);
    stream_lengths(&s, &rows);
    trio_sim_stream(&s, view, &wall);
    const tru_status status = put_world(&s, sim->world, err);
    *size = s.at + 8;
    if (status < 0 || !bytes) return status;
    if (s.bad || s.at > room || room - s.at < 8)
        return trio_fail(err, TRU_BAD_ARGUMENT,
                         "simulation: the buffer is %zu bytes, must be at least tru_sim_save_size", room);
    store_u64(s.bytes + 8, *size);
    uint64_t hash = trio_snapshot_hash(s.bytes, s.at);
    trio_stream_u64(&s, &hash);
    return TRU_OK;
}

tru_status trio_snapshot_write(const tru_sim *sim, uint64_t scene_hash, const struct sim_lengths *lengths, double wall,
                               const char *path, bool durable, tru_error *err) {
    size_t size = 0;
    tru_status s = trio_snapshot_save(sim, scene_hash, lengths, wall, NULL, 0, &size, err);
    if (s < 0) return s;
    void *bytes = malloc(size);
    if (!bytes) return trio_no_memory(err);
    s = trio_snapshot_save(sim, scene_hash, lengths, wall, bytes, size, &size, err);
    if (s >= 0) s = trio_file_replace(path, bytes, size, durable, err);
    free(bytes);
    return s;
}

/* ---- reading ---- */

static tru_status damaged(const char *name, const char *why, tru_error *err) {
    return trio_fail(err, TRU_DAMAGED, "%s: %s", name, why);
}

/* Checks magic, format, length and hash before it reads anything else. */
static tru_status check_frame(stream *s, const char *name, tru_error *err) {
    unsigned char first[8];
    uint64_t total = 0, hash = 0;
    trio_stream_bytes(s, first, 8);
    if (s->bad || memcmp(first, magic, 7) != 0) return damaged(name, "is not a snapshot of trundle", err);
    if (first[7] != (unsigned char)magic[7])
        return trio_fail(err, TRU_DAMAGED, "%s: is a snapshot of format %c, this version of trundle reads format %c",
                         name, first[7] >= '0' && first[7] <= '9' ? first[7] : '?', magic[7]);
    trio_stream_u64(s, &total);
    if (s->bad || s->count < 24 || total > s->count) return damaged(name, "is damaged: it ends too early", err);
    if (total < s->count) return damaged(name, "is damaged: it has extra bytes at its end", err);
    stream end = {.bytes = s->bytes, .count = s->count, .at = s->count - 8, .reading = true};
    trio_stream_u64(&end, &hash);
    s->count -= 8;
    if (hash != trio_snapshot_hash(s->bytes, s->count))
        return damaged(name, "is damaged: it does not match its checksum", err);
    return TRU_OK;
}

static tru_status check_origin(stream *s, const tru_sim *sim, uint64_t scene_hash, const char *name, tru_error *err) {
    uint64_t hash = 0;
    char stepper[64];
    trio_stream_u64(s, &hash);
    trio_stream_text(s, stepper, sizeof stepper);
    if (s->bad) return damaged(name, "is damaged", err);
    if (hash != scene_hash)
        return trio_fail(err, TRU_DAMAGED, "%s: belongs to another scene (hash %016llx, this one has %016llx)", name,
                         (unsigned long long)hash, (unsigned long long)scene_hash);
    if (strcmp(stepper, sim->stepper) != 0)
        return trio_fail(err, TRU_DAMAGED, "%s: belongs to a run of stepper %s, not %s", name, stepper, sim->stepper);
    return TRU_OK;
}

static tru_status read_contents(stream *s, tru_sim *sim, bool lengths, const char *name, tru_error *err) {
    tru_sim fresh;
    struct sim_lengths rows;
    uint64_t size = 0;
    tru_error inner = {TRU_OK, ""};
    bool good = trio_sim_copy(sim, &fresh);
    if (good && lengths) good = (fresh.resumed = malloc(sizeof *fresh.resumed)) != NULL;
    if (!good) {
        trio_sim_drop(&fresh);
        return trio_no_memory(err);
    }
    stream_lengths(s, &rows);
    if (lengths) *fresh.resumed = rows;
    trio_sim_stream(s, &fresh, &fresh.wall_before);
    trio_stream_u64(s, &size);
    tru_status status = TRU_OK;
    if (s->bad || size != s->count - s->at)
        status = damaged(name, "is damaged", err);
    else if (tru_snapshot_load(sim->world, s->bytes + s->at, (size_t)size, &inner) < 0)
        status = trio_fail(err, inner.status, "%s: %s", name, inner.text);
    if (status < 0) {
        trio_sim_drop(&fresh);
        return status;
    }
    trio_sim_exchange(sim, &fresh);
    if (tru_steps_done(sim->world) == 0) tru_check(sim->world, NULL); /* finds the initial contacts */
    return TRU_OK;
}

tru_status trio_snapshot_load(tru_sim *sim, uint64_t scene_hash, const void *bytes, size_t count, const char *name,
                              bool lengths, tru_error *err) {
    stream s = {.bytes = (unsigned char *)(uintptr_t)bytes, .count = count, .reading = true};
    tru_status status = check_frame(&s, name, err);
    if (status >= 0) status = check_origin(&s, sim, scene_hash, name, err);
    return status < 0 ? status : read_contents(&s, sim, lengths, name, err);
}

tru_status trio_snapshot_read(tru_sim *sim, uint64_t scene_hash, const char *path, tru_error *err) {
    unsigned char *bytes = NULL;
    size_t count = 0;
    tru_status status = trio_file_read(path, &bytes, &count, err);
    if (status >= 0) status = trio_snapshot_load(sim, scene_hash, bytes, count, path, true, err);
    free(bytes);
    return status;
}

/* ---- in memory ---- */

static uint64_t hash_of_scene(const tru_sim *sim) { return sim->scene ? tru_scene_hash(sim->scene) : 0; }

size_t tru_sim_save_size(const tru_sim *sim) {
    const struct sim_lengths none = {{0}, {0}};
    size_t size = 0;
    return sim && trio_snapshot_save(sim, 0, &none, 0.0, NULL, 0, &size, NULL) >= 0 ? size : 0;
}

tru_status tru_sim_save(const tru_sim *sim, void *buffer, size_t bytes, tru_error *err) {
    const struct sim_lengths none = {{0}, {0}};
    size_t size = 0;
    if (!sim || !buffer) return trio_fail(err, TRU_BAD_ARGUMENT, "tru_sim_save needs a simulation and a buffer");
    return trio_snapshot_save(sim, hash_of_scene(sim), &none, sim->wall_before, buffer, bytes, &size, err);
}

tru_status tru_sim_load(tru_sim *sim, const void *buffer, size_t bytes, tru_error *err) {
    if (!sim || !buffer) return trio_fail(err, TRU_BAD_ARGUMENT, "tru_sim_load needs a simulation and a buffer");
    if (sim->recorded)
        return trio_fail(err, TRU_CONFLICT, "simulation: results are open, must be finished before a load");
    return trio_snapshot_load(sim, hash_of_scene(sim), buffer, bytes, "snapshot", false, err);
}
