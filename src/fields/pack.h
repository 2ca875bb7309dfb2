/* pack.h: state as bytes and back, the same on every machine; the form of snapshots.
 *
 *     packer p = trui_pack_measure();        counts only          unpacker u;
 *     packer p = trui_pack_into(buf, n);     writes               status = trui_unpack_begin(&u, buf, n, VERSION, &err);
 *     trui_pack_begin(&p, VERSION);                               if (!status) count = trui_unpack_count(&u, 8); ...
 *     trui_pack_u64(&p, count); ...                               values read behind a failure are zeros, so look once:
 *     trui_pack_end(&p);                                          status = trui_unpack_end(&u, &err);
 *     if (trui_pack_good(&p)) p.count bytes are there
 *
 * Layout: magic (8 bytes), version (u32), 0 (u32), length of all (u64), contents, hash of all before it (u64). Numbers
 * are little-endian; reals keep every bit. */
#ifndef TRUNDLE_FIELDS_PACK_H
#define TRUNDLE_FIELDS_PACK_H

#include "fields/fields.h"

typedef struct packer {
    unsigned char *bytes; /* NULL: measure */
    size_t room, count;
    bool bad; /* something could not be written */
} packer;

packer trui_pack_measure(void);
packer trui_pack_into(void *buffer, size_t bytes);
void trui_pack_begin(packer *p, uint32_t version);
void trui_pack_end(packer *p);
bool trui_pack_good(const packer *p);

void trui_pack_bool(packer *p, bool value);
void trui_pack_u32(packer *p, uint32_t value);
void trui_pack_i32(packer *p, int32_t value);
void trui_pack_u64(packer *p, uint64_t value);
void trui_pack_f64(packer *p, double value);
void trui_pack_vec3(packer *p, tru_vec3 v);
void trui_pack_quat(packer *p, tru_quat q);
void trui_pack_bytes(packer *p, const void *bytes, size_t count); /* without their number */
void trui_pack_text(packer *p, const char *text);                 /* may be NULL */

typedef struct unpacker {
    const unsigned char *bytes;
    size_t count, at;
    tru_status status; /* the first thing that went wrong: TRU_DAMAGED or TRU_NO_MEMORY */
} unpacker;

/* Checks magic, version, length and hash before anything is read. Other versions have other layouts: they are refused. */
tru_status trui_unpack_begin(unpacker *u, const void *buffer, size_t bytes, uint32_t version, tru_error *err);
/* Good if nothing went wrong and everything was read. */
tru_status trui_unpack_end(unpacker *u, tru_error *err);
void trui_unpack_fail(unpacker *u, tru_status status);

bool trui_unpack_bool(unpacker *u);
uint32_t trui_unpack_u32(unpacker *u);
int32_t trui_unpack_i32(unpacker *u);
uint64_t trui_unpack_u64(unpacker *u);
double trui_unpack_f64(unpacker *u);
tru_vec3 trui_unpack_vec3(unpacker *u);
tru_quat trui_unpack_quat(unpacker *u);
void trui_unpack_bytes(unpacker *u, void *out, size_t count);
/* A u64 number of things of at least `each` bytes; more than can follow is damage, so that nobody allocates for them.
 */
size_t trui_unpack_count(unpacker *u, size_t each);
/* A text into a buffer; too long for it, or NULL, is damage. */
void trui_unpack_text(unpacker *u, char *out, size_t room);
/* A text of the caller's own, for trui_mem_release_text; NULL if NULL was packed, or on failure. */
char *trui_unpack_text_copy(unpacker *u, memory *m);

/* Every field by name, with its unit; choices by word; plug-ins by name with their own fields. */
void trui_pack_fields(packer *p, const tru_field *fields, const void *params, const plug_finder *finder);
/* Read them back; params (not read) owns texts, lists and parameters as after trui_fields_copy, and nothing on failure.
 * Fields that are unknown, missing, repeated or of another type get a sentence; `what` names the object. */
tru_status trui_unpack_fields(unpacker *u, memory *m, const tru_field *fields, void *params, const plug_finder *finder,
                              const char *what, tru_error *err);

#endif
