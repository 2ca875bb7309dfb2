/* stream.c: bytes that are counted, written or read by one function per object. */
#include "stream.h"

#include <string.h>

/* Returns the place of the next `size` bytes; NULL if they are only counted or not there. */
static unsigned char *take(stream *s, size_t size) {
    if ((s->reading || s->bytes) && size > s->count - s->at) s->bad = true;
    if (s->bad) return NULL;
    s->at += size;
    return s->bytes ? s->bytes + s->at - size : NULL;
}

void trio_stream_bytes(stream *s, void *value, size_t size) {
    unsigned char *there = take(s, size);
    if (!there && s->reading)
        memset(value, 0, size);
    else if (there && size > 0)
        memcpy(s->reading ? value : there, s->reading ? there : value, size);
}

void trio_stream_words(stream *s, uint64_t *words, size_t count) {
    unsigned char *there = take(s, 8 * count);
    if (!there && s->reading) memset(words, 0, 8 * count);
    for (size_t i = 0; there && i < count; i++) {
        if (s->reading)
            words[i] = load_u64(there + 8 * i);
        else
            store_u64(there + 8 * i, words[i]);
    }
}

void trio_stream_u64(stream *s, uint64_t *value) { trio_stream_words(s, value, 1); }

void trio_stream_i32(stream *s, int32_t *value) {
    uint64_t bits = (uint64_t)(int64_t)*value;
    trio_stream_u64(s, &bits);
    *value = (int32_t)(int64_t)bits;
}

void trio_stream_bool(stream *s, bool *value) {
    uint64_t bits = *value;
    trio_stream_u64(s, &bits);
    *value = bits != 0;
}

void trio_stream_f64(stream *s, double *value) {
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    trio_stream_u64(s, &bits);
    memcpy(value, &bits, sizeof bits);
}

void trio_stream_text(stream *s, char *text, size_t room) {
    uint64_t length = s->reading ? 0 : strlen(text);
    trio_stream_u64(s, &length);
    if (s->reading && length >= room) s->bad = true;
    if (s->bad) length = 0;
    trio_stream_bytes(s, text, (size_t)length);
    if (s->reading) text[s->bad ? 0 : length] = '\0';
}

size_t trio_stream_count(stream *s, size_t count, size_t each) {
    uint64_t n = count;
    trio_stream_u64(s, &n);
    if (s->reading && n > (s->count - s->at) / each) s->bad = true;
    return s->bad ? 0 : (size_t)n;
}
