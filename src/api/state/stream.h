/* stream.h: values that are hashed, written into a snapshot, or read back from one, by the same call.
 *
 *     io_f64(s, &b->mass);      the hash takes it, the packer writes it, or it is read
 *
 * Values read after a failure are zeros; good() returns false then. */
#ifndef TRUNDLE_API_STATE_STREAM_H
#define TRUNDLE_API_STATE_STREAM_H

#include "base/assert.h"
#include "base/error.h"
#include "base/hash.h"
#include "fields/pack.h"

/* A direction and its other end: exactly one of out, in and hash is not NULL. */
typedef struct stream {
    packer *out;
    unpacker *in;
    hash *hash;            /* of the present item */
    uint64_t sum;          /* of the hashes of items */
    const tru_world *defs; /* the world whose definitions hold */
    tru_error *err;        /* while reading: the first failure */
} stream;

/* io_NAME streams one value of C type T. */
#define IO(name, T, hashed)                                                                                            \
    static inline void io_##name(stream *s, T *x) {                                                                    \
        if (s->out)                                                                                                    \
            trui_pack_##name(s->out, *x);                                                                              \
        else if (s->in)                                                                                                \
            *x = trui_unpack_##name(s->in);                                                                            \
        else                                                                                                           \
            hashed;                                                                                                    \
    }
IO(bool, bool, trui_hash_u64(s->hash, *x))
IO(u32, uint32_t, trui_hash_u64(s->hash, *x))
IO(i32, int32_t, trui_hash_u64(s->hash, (uint32_t)*x))
IO(u64, uint64_t, trui_hash_u64(s->hash, *x))
IO(f64, double, trui_hash_f64(s->hash, *x))
IO(vec3, tru_vec3, trui_hash_vec3(s->hash, *x))
IO(quat, tru_quat, trui_hash_quat(s->hash, *x))

static inline void io_rows(stream *s, double *x, size_t count) {
    for (size_t i = 0; i < count; i++) io_f64(s, &x[i]);
}

static inline void io_text(stream *s, char *text, size_t room) {
    if (s->out)
        trui_pack_text(s->out, text);
    else if (s->in)
        trui_unpack_text(s->in, text, room);
    else
        trui_hash_text(s->hash, text);
}

/* Streams a number of items and returns it. Reading fails if that many items of at least `each` bytes do not fit in the rest. */
static inline size_t io_count(stream *s, size_t count, size_t each) {
    uint64_t n = count;
    if (s->in) return trui_unpack_count(s->in, each);
    io_u64(s, &n);
    return count;
}

/* While hashing: everything streamed between the two is one item, which adds a mixed hash of its kind and contents to the sum. */
static inline void item_begin(stream *s, const char *kind) {
    *s->hash = trui_hash_begin();
    trui_hash_text(s->hash, kind);
}

static inline void item_end(stream *s) { s->sum += trui_hash_end(s->hash); }

/* Returns false after a failure of reading. */
static inline bool good(const stream *s) { return !s->in || !s->in->status; }

/* While reading: fails with TRU_DAMAGED and a sentence. The first failure stays. */
static inline void damaged(stream *s, const char *what) {
    if (!good(s)) return;
    trui_unpack_fail(s->in, TRU_DAMAGED);
    tru_fail(s->err, TRU_DAMAGED, "the snapshot is damaged: %s", what);
}

/* While reading: fails with TRU_NO_MEMORY. The first failure stays. */
static inline void out_of_memory(stream *s) {
    if (!good(s)) return;
    trui_unpack_fail(s->in, TRU_NO_MEMORY);
    tru_no_memory(s->err);
}
#undef IO

#endif
