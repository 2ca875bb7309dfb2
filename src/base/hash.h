/* hash.h: 64-bit hash of a stream of numbers, the same on every machine.
 *
 *     hash h = trui_hash_begin();  trui_hash_f64(&h, time);  trui_hash_text(&h, name);  uint64_t result = trui_hash_end(&h); */
#ifndef TRUNDLE_BASE_HASH_H
#define TRUNDLE_BASE_HASH_H

#include <trundle/trundle.h>

typedef struct hash {
    uint64_t state;
    uint64_t words; /* hashed so far */
} hash;

hash trui_hash_begin(void);
void trui_hash_u64(hash *h, uint64_t value);
/* The bit pattern, with -0.0 as 0.0: states that compare equal hash equal. */
void trui_hash_f64(hash *h, double value);
void trui_hash_vec3(hash *h, tru_vec3 v);
void trui_hash_quat(hash *h, tru_quat q);
/* Length and bytes: ("ab", "c") and ("a", "bc") differ. */
void trui_hash_bytes(hash *h, const void *bytes, size_t count);
void trui_hash_text(hash *h, const char *text);
/* The hash of what came so far; the stream may go on. */
uint64_t trui_hash_end(const hash *h);

/* A value with its name; 0 is the default. */
typedef struct named_value {
    const char *name;
    double value; /* [unit of the quantity] */
} named_value;
/* Sum modulo 2^64 of a mixed hash of each name and value that is not 0: neither order nor a new name without value enters. */
uint64_t trui_hash_named(const named_value *values, size_t count);

#endif
