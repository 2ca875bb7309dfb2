/* pack.c: writing and reading bytes of state, with bounds, header and hash. */
#include "fields/pack.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/hash.h"

#include <string.h>

static const unsigned char magic[8] = {'T', 'R', 'U', 'N', 'D', 'L', 'E', 0x1A};

enum { LENGTH_AT = 16, HEADER = 24, TRAILER = 8 }; /* bytes: place of the length, size of the header and of the hash */

/* ---- writing ---- */

packer trui_pack_measure(void) { return (packer){.bytes = NULL}; }

packer trui_pack_into(void *buffer, size_t bytes) { return (packer){.bytes = buffer, .room = bytes}; }

bool trui_pack_good(const packer *p) { return !p->bad; }

/* Packs bytes without their count. */
static void pack_bytes(packer *p, const void *bytes, size_t count) {
    TRU_ASSERT(!p->bytes || p->count <= p->room);
    if (p->bytes && (p->bad || count > p->room - p->count)) {
        p->bad = true;
        return;
    }
    if (p->bytes && count) memcpy(p->bytes + p->count, bytes, count);
    p->count += count;
}

static void write_word(unsigned char *out, uint64_t value, size_t bytes) {
    TRU_ASSERT(bytes <= 8 && (bytes == 8 || value >> (8 * bytes) == 0));
    for (size_t i = 0; i < bytes; i++) out[i] = (unsigned char)(value >> (8 * i));
}

static void pack_word(packer *p, uint64_t value, size_t bytes) {
    unsigned char word[8];
    write_word(word, value, bytes);
    pack_bytes(p, word, bytes);
}

void trui_pack_bool(packer *p, bool value) { pack_word(p, value, 1); }

void trui_pack_u32(packer *p, uint32_t value) { pack_word(p, value, 4); }

void trui_pack_i32(packer *p, int32_t value) { pack_word(p, (uint32_t)value, 4); }

void trui_pack_u64(packer *p, uint64_t value) { pack_word(p, value, 8); }

void trui_pack_f64(packer *p, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    pack_word(p, bits, 8);
}

void trui_pack_vec3(packer *p, tru_vec3 v) {
    trui_pack_f64(p, v.x);
    trui_pack_f64(p, v.y);
    trui_pack_f64(p, v.z);
}

void trui_pack_quat(packer *p, tru_quat q) {
    trui_pack_f64(p, q.w);
    trui_pack_f64(p, q.x);
    trui_pack_f64(p, q.y);
    trui_pack_f64(p, q.z);
}

void trui_pack_text(packer *p, const char *text) {
    size_t length = text ? strlen(text) : 0;
    trui_pack_bool(p, text != NULL);
    if (!text) return;
    trui_pack_u64(p, length);
    pack_bytes(p, text, length);
}

void trui_pack_begin(packer *p, uint32_t version) {
    pack_bytes(p, magic, sizeof magic);
    trui_pack_u32(p, version);
    trui_pack_u32(p, 0);
    trui_pack_u64(p, 0); /* trui_pack_end writes the length here */
}

static uint64_t hash_of(const unsigned char *bytes, size_t count) {
    hash h = trui_hash_begin();
    trui_hash_bytes(&h, bytes, count);
    return trui_hash_end(&h);
}

void trui_pack_end(packer *p) {
    bool writes = p->bytes && !p->bad;
    TRU_ASSERT(p->bad || p->count >= HEADER);
    if (writes) write_word(p->bytes + LENGTH_AT, p->count + TRAILER, 8);
    trui_pack_u64(p, writes ? hash_of(p->bytes, p->count) : 0);
}

/* ---- reading ---- */

void trui_unpack_fail(unpacker *u, tru_status status) {
    TRU_ASSERT(status == TRU_DAMAGED || status == TRU_NO_MEMORY);
    if (!u->status) u->status = status;
}

static void unpack_bytes(unpacker *u, void *out, size_t count) {
    TRU_ASSERT(u->at <= u->count);
    if (!u->status && count > u->count - u->at) trui_unpack_fail(u, TRU_DAMAGED);
    if (count == 0) return;
    if (u->status) {
        memset(out, 0, count);
        return;
    }
    memcpy(out, u->bytes + u->at, count);
    u->at += count;
}

static uint64_t unpack_word(unpacker *u, size_t bytes) {
    unsigned char word[8];
    uint64_t value = 0;
    unpack_bytes(u, word, bytes);
    for (size_t i = 0; i < bytes; i++) value |= (uint64_t)word[i] << (8 * i);
    return value;
}

bool trui_unpack_bool(unpacker *u) {
    uint64_t value = unpack_word(u, 1);
    if (value > 1) trui_unpack_fail(u, TRU_DAMAGED);
    return value == 1;
}

uint32_t trui_unpack_u32(unpacker *u) { return (uint32_t)unpack_word(u, 4); }

int32_t trui_unpack_i32(unpacker *u) {
    uint32_t bits = trui_unpack_u32(u);
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint64_t trui_unpack_u64(unpacker *u) { return unpack_word(u, 8); }

double trui_unpack_f64(unpacker *u) {
    uint64_t bits = unpack_word(u, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

tru_vec3 trui_unpack_vec3(unpacker *u) {
    tru_vec3 v;
    v.x = trui_unpack_f64(u);
    v.y = trui_unpack_f64(u);
    v.z = trui_unpack_f64(u);
    return v;
}

tru_quat trui_unpack_quat(unpacker *u) {
    tru_quat q;
    q.w = trui_unpack_f64(u);
    q.x = trui_unpack_f64(u);
    q.y = trui_unpack_f64(u);
    q.z = trui_unpack_f64(u);
    return q;
}

size_t trui_unpack_count(unpacker *u, size_t each) {
    uint64_t count = trui_unpack_u64(u);
    if (u->status) return 0;
    if (count <= (u->count - u->at) / (each ? each : 1)) return (size_t)count;
    trui_unpack_fail(u, TRU_DAMAGED);
    return 0;
}

/* Reads `length` bytes of a text and terminates them; a zero among them is damage. */
static void read_text(unpacker *u, char *out, size_t length) {
    unpack_bytes(u, out, length);
    out[length] = '\0';
    if (strlen(out) != length) trui_unpack_fail(u, TRU_DAMAGED);
}

void trui_unpack_text(unpacker *u, char *out, size_t room) {
    bool there = trui_unpack_bool(u);
    size_t length = there ? trui_unpack_count(u, 1) : 0;
    if (!there || length >= room) trui_unpack_fail(u, TRU_DAMAGED);
    read_text(u, out, u->status ? 0 : length);
}

char *trui_unpack_text_copy(unpacker *u, memory *m) {
    if (!trui_unpack_bool(u)) return NULL;
    size_t length = trui_unpack_count(u, 1);
    if (u->status) return NULL;
    char *text = trui_mem_resize(m, NULL, 0, length + 1);
    if (!text) {
        trui_unpack_fail(u, TRU_NO_MEMORY);
        return NULL;
    }
    read_text(u, text, length);
    if (!u->status) return text;
    trui_mem_release(m, text, length + 1);
    return NULL;
}

/* Sentences say "snapshot", which is all that is ever packed. */
tru_status trui_unpack_begin(unpacker *u, const void *buffer, size_t bytes, uint32_t version, tru_error *err) {
    *u = (unpacker){.bytes = buffer, .count = bytes, .at = sizeof magic};
    if (bytes < HEADER + TRAILER || memcmp(buffer, magic, sizeof magic) != 0)
        return tru_fail(err, TRU_DAMAGED, "this is not a snapshot of Trundle");
    uint32_t found = trui_unpack_u32(u), zero = trui_unpack_u32(u);
    uint64_t length = trui_unpack_u64(u);
    if (found != version || zero != 0)
        return tru_fail(
            err, TRU_DAMAGED,
            "the snapshot has version %lu, this library reads version %lu; load it with the Trundle that saved it",
            (unsigned long)found, (unsigned long)version);
    if (length != bytes)
        return tru_fail(err, TRU_DAMAGED, "the snapshot should have %llu bytes but has %zu", (unsigned long long)length,
                        bytes);
    u->at = bytes - TRAILER;
    if (trui_unpack_u64(u) != hash_of(buffer, bytes - TRAILER))
        return tru_fail(err, TRU_DAMAGED, "the snapshot is damaged: its contents do not match its hash");
    u->at = HEADER;
    u->count = bytes - TRAILER;
    return TRU_OK;
}

tru_status trui_unpack_end(unpacker *u, tru_error *err) {
    if (u->status == TRU_NO_MEMORY) return tru_no_memory(err);
    if (u->status) return tru_fail(err, TRU_DAMAGED, "the snapshot ends early or holds an impossible value");
    if (u->at != u->count) return tru_fail(err, TRU_DAMAGED, "the snapshot has %zu bytes too many", u->count - u->at);
    return TRU_OK;
}
