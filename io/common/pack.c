/* pack.c: named arrays of numbers and a JSON text about them, as one zlib stream in base64: what a report carries. */
#include "pack.h"

#include "base64.h"
#include "grow.h"

#include <stdio.h>
#include <zlib.h>

static const struct kind {
    const char *word;
    size_t bytes;
} kinds[] = {[PACK_U8] = {"u8", 1},
             [PACK_U16] = {"u16", 2},
             [PACK_U32] = {"u32", 4},
             [PACK_F32] = {"f32", 4},
             [PACK_F64] = {"f64", 8}};

/* ---- arrays ---- */

/* Returns the number at i as the zigzag difference from the one `delta` places before it: 0, -1, 1, -2, ... become 0, 1, 2,
 * 3, ... */
static uint32_t zigzag(const void *values, pack_kind kind, size_t i, size_t delta) {
    if (kind == PACK_U16) {
        const uint16_t *v = values;
        const uint16_t d = (uint16_t)(v[i] - (i >= delta ? v[i - delta] : 0));
        return (uint16_t)((uint32_t)d << 1) ^ (d & 0x8000u ? 0xffffu : 0u);
    }
    const uint32_t *v = values, d = v[i] - (i >= delta ? v[i - delta] : 0);
    return d << 1 ^ (d & 0x80000000u ? 0xffffffffu : 0u);
}

static void put_sorted(unsigned char *out, const void *values, pack_kind kind, size_t count, size_t delta) {
    const size_t size = kinds[kind].bytes;
    const unsigned char *in = values;
    const uint16_t one = 1;
    const bool little = *(const unsigned char *)&one == 1;
    for (size_t i = 0; i < count; i++) {
        const uint32_t d = delta > 0 ? zigzag(values, kind, i, delta) : 0;
        for (size_t b = 0; b < size; b++)
            out[b * count + i] = (unsigned char)(delta > 0 ? d >> 8 * b : in[i * size + (little ? b : size - 1 - b)]);
    }
}

void trio_pack_add(pack *p, const char *name, pack_kind kind, const void *values, size_t count, size_t delta) {
    const size_t bytes = count * kinds[kind].bytes;
    if (!GROW(p->bytes, p->room, p->count + bytes + 1) || !GROW(p->entries, p->entry_room, p->entry_count + 1)) {
        p->lost = true;
        return;
    }
    pack_entry *e = &p->entries[p->entry_count++];
    *e = (pack_entry){.kind = kind, .offset = p->count, .count = count, .delta = delta};
    snprintf(e->name, sizeof e->name, "%s", name);
    put_sorted(p->bytes + p->count, values, kind, count, delta);
    p->count += bytes;
}

void trio_pack_add_f32(pack *p, const char *name, const double *values, size_t count) {
    float *narrow = malloc((count + 1) * sizeof *narrow);
    for (size_t i = 0; narrow && i < count; i++) narrow[i] = (float)values[i];
    if (narrow)
        trio_pack_add(p, name, PACK_F32, narrow, count, 0);
    else
        p->lost = true;
    free(narrow);
}

void trio_pack_describe(const pack *p, tru_json *j) {
    tru_json_object(j, "arrays");
    for (size_t i = 0; i < p->entry_count; i++) {
        const pack_entry *e = &p->entries[i];
        tru_json_object(j, e->name);
        tru_json_text(j, "type", kinds[e->kind].word);
        tru_json_integer(j, "offset", (int64_t)e->offset);
        tru_json_integer(j, "count", (int64_t)e->count);
        tru_json_integer(j, "delta", (int64_t)e->delta);
        tru_json_close(j);
    }
    tru_json_close(j);
}

void trio_pack_free(pack *p) {
    free(p->bytes);
    free(p->entries);
    *p = (pack){0};
}

/* ---- one text ---- */

/* Deflate takes at most 4 GB at a time; a piece is far less. */
static bool deflate_all(z_stream *z, const unsigned char *bytes, size_t count, int last) {
    enum { PIECE = 1 << 20 };
    do {
        const size_t piece = count < PIECE ? count : PIECE;
        z->next_in = (Bytef *)bytes;
        z->avail_in = (uInt)piece;
        bytes += piece;
        count -= piece;
        const int done = deflate(z, last && count == 0 ? Z_FINISH : Z_NO_FLUSH);
        if (done == Z_STREAM_ERROR || z->avail_in > 0) return false;
    } while (count > 0);
    return true;
}

char *trio_pack_encode(const pack *p, const char *json, size_t *length) {
    const size_t text = strlen(json), all = 8 + text + p->count;
    unsigned char head[8];
    z_stream z = {0};
    char *encoded = NULL;
    for (size_t b = 0; b < 8; b++) head[b] = (unsigned char)((uint64_t)text >> 8 * b);
    if (p->lost || deflateInit(&z, 6) != Z_OK) return NULL;
    const size_t room = deflateBound(&z, all) + 1024;
    unsigned char *out = malloc(room);
    z.next_out = out;
    z.avail_out = (uInt)room;
    if (out && room < UINT32_MAX && deflate_all(&z, head, 8, 0) &&
        deflate_all(&z, (const unsigned char *)json, text, 0) && deflate_all(&z, p->bytes, p->count, 1))
        encoded = trio_base64(out, z.total_out, length);
    deflateEnd(&z);
    free(out);
    return encoded;
}
