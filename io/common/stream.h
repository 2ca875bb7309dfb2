/* stream.h: bytes that are counted, written or read by one function per object, so that the three cannot differ. */
#ifndef TRUNDLE_IO_STREAM_H
#define TRUNDLE_IO_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct stream {
    unsigned char *bytes; /* NULL: the bytes are counted only */
    size_t count;         /* size of `bytes` */
    size_t at;            /* written, counted or read so far */
    bool reading, bad;    /* bad: the bytes end too early, or a value is impossible */
} stream;

static inline uint64_t load_u64(const unsigned char *b) {
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 |
           (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

static inline void store_u64(unsigned char *b, uint64_t v) {
    b[0] = (unsigned char)v, b[1] = (unsigned char)(v >> 8), b[2] = (unsigned char)(v >> 16);
    b[3] = (unsigned char)(v >> 24), b[4] = (unsigned char)(v >> 32), b[5] = (unsigned char)(v >> 40);
    b[6] = (unsigned char)(v >> 48), b[7] = (unsigned char)(v >> 56);
}

void trio_stream_bytes(stream *s, void *value, size_t size);
/* Numbers of 8 bytes, little-endian. */
void trio_stream_words(stream *s, uint64_t *words, size_t count);
void trio_stream_u64(stream *s, uint64_t *value);
void trio_stream_i32(stream *s, int32_t *value);
void trio_stream_bool(stream *s, bool *value);
void trio_stream_f64(stream *s, double *value);
/* A text with its length. `room` bounds what is read, its final zero included. */
void trio_stream_text(stream *s, char *text, size_t room);
/* A count of items of at least `each` bytes. A count beyond the remaining bytes is bad and becomes 0. */
size_t trio_stream_count(stream *s, size_t count, size_t each);

#endif
