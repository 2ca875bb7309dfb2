/* pack.h: state as bytes and back, the same on every machine. Snapshots have this form.
 *
 *     packer p = trui_pack_measure();        counts only          unpacker u;
 *     packer p = trui_pack_into(buf, n);     writes               status = trui_unpack_begin(&u, buf, n, VERSION, &err);
 *     trui_pack_begin(&p, VERSION);                               if (!status) count = trui_unpack_count(&u, 8); ...
 *     trui_pack_u64(&p, count); ...                               reads after a failure give zeros, so one check is enough:
 *     trui_pack_end(&p);                                          status = trui_unpack_end(&u, &err);
 *     if (trui_pack_good(&p)) p.count bytes were written
 *
 * Layout: magic (8 bytes), version (u32), 0 (u32), length in all (u64), contents, hash of everything before it (u64). Numbers
 * are little-endian; reals keep every bit. */
#ifndef TRUNDLE_FIELDS_PACK_H
#define TRUNDLE_FIELDS_PACK_H

#include "base/memory.h"

typedef struct packer {
    unsigned char *bytes; /* NULL: only count the bytes */
    size_t room, count;   /* bytes of the buffer, and bytes so far */
    bool bad;             /* true after something could not be written */
} packer;

/* Starts a packer that only counts. */
packer trui_pack_measure(void);
/* Starts a packer that writes at most `bytes` bytes. */
packer trui_pack_into(void *buffer, size_t bytes);
/* Packs the header. */
void trui_pack_begin(packer *p, uint32_t version);
/* Writes the length into the header and packs the hash. */
void trui_pack_end(packer *p);
/* Returns true if everything fitted. */
bool trui_pack_good(const packer *p);

void trui_pack_bool(packer *p, bool value);
void trui_pack_u32(packer *p, uint32_t value);
void trui_pack_i32(packer *p, int32_t value);
void trui_pack_u64(packer *p, uint64_t value);
void trui_pack_f64(packer *p, double value);
void trui_pack_vec3(packer *p, tru_vec3 v);
void trui_pack_quat(packer *p, tru_quat q);
void trui_pack_text(packer *p, const char *text); /* NULL is packed as such */

typedef struct unpacker {
    const unsigned char *bytes;
    size_t count, at;  /* bytes in all and bytes read, at <= count */
    tru_status status; /* the first failure: TRU_DAMAGED or TRU_NO_MEMORY */
} unpacker;

/* Checks magic, version, length and hash before anything is read. Refuses other versions, because their layout differs. */
tru_status trui_unpack_begin(unpacker *u, const void *buffer, size_t bytes, uint32_t version, tru_error *err);
/* Returns TRU_OK if nothing failed and every byte was read. */
tru_status trui_unpack_end(unpacker *u, tru_error *err);
/* Records a failure; the first one stays. */
void trui_unpack_fail(unpacker *u, tru_status status);

bool trui_unpack_bool(unpacker *u);
uint32_t trui_unpack_u32(unpacker *u);
int32_t trui_unpack_i32(unpacker *u);
uint64_t trui_unpack_u64(unpacker *u);
double trui_unpack_f64(unpacker *u);
tru_vec3 trui_unpack_vec3(unpacker *u);
tru_quat trui_unpack_quat(unpacker *u);
/* Reads a u64 count of items of at least `each` bytes. A count that the remaining bytes cannot hold is damage, so that callers never
 * allocate memory for it. */
size_t trui_unpack_count(unpacker *u, size_t each);
/* Reads a text into a buffer. NULL, or a text that is too long, is damage. */
void trui_unpack_text(unpacker *u, char *out, size_t room);
/* Reads a text into new memory, which the caller releases with trui_mem_release_text. NULL if NULL was packed, or on failure. */
char *trui_unpack_text_copy(unpacker *u, memory *m);

#endif
