/* pack.h: named arrays of numbers and a JSON text about them, as one zlib stream in base64: what a report carries.
 *
 * Inflated: length of the JSON text (u64, little-endian), the text, the arrays. Its member "arrays" says of each where
 * it stands behind the text. The bytes of an array are sorted by their place in the number (all first bytes, all second
 * bytes, ...), which deflates better; whole numbers may be differences from the number `delta` places before, zigzag. */
#ifndef TRUNDLE_IO_PACK_H
#define TRUNDLE_IO_PACK_H

#include <trundle/io.h>

typedef enum pack_kind { PACK_U8, PACK_U16, PACK_U32, PACK_F32, PACK_F64 } pack_kind;

typedef struct pack_entry {
    char name[72];
    pack_kind kind;
    size_t offset, count, delta;
} pack_entry;

typedef struct pack {
    unsigned char *bytes;
    size_t count, room;
    pack_entry *entries;
    size_t entry_count, entry_room;
    bool lost; /* true after a lack of memory */
} pack;

/* Adds an array. `delta` above 0 is for U16 and U32 only. */
void trio_pack_add(pack *p, const char *name, pack_kind kind, const void *values, size_t count, size_t delta);
/* Adds an array of doubles in single precision. */
void trio_pack_add_f32(pack *p, const char *name, const double *values, size_t count);
/* Writes the members that describe the arrays to the open object of `j`. */
void trio_pack_describe(const pack *p, tru_json *j);
/* Returns the JSON text and the arrays, deflated, in base64, terminated by zero. The caller frees them. NULL if memory ran
 * out. */
char *trio_pack_encode(const pack *p, const char *json, size_t *length);
void trio_pack_free(pack *p);

#endif
