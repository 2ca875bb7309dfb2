/* hash.h: 64-bit hash of a stream of numbers, the same on every machine.
 *
 *     hash h = trui_hash_begin();  trui_hash_f64(&h, time);  trui_hash_text(&h, name);  uint64_t result = trui_hash_end(&h); */
#ifndef TRUNDLE_BASE_HASH_H
#define TRUNDLE_BASE_HASH_H

#include <trundle/trundle.h>

typedef struct hash {
    uint64_t state;
    uint64_t words; /* number of 64-bit words hashed so far */
} hash;

/* Starts a stream. */
hash trui_hash_begin(void);
/* Adds one word. The functions below add words in the same way. */
void trui_hash_u64(hash *h, uint64_t value);
/* Adds the bit pattern of a number; -0.0 counts as 0.0, so that equal states have equal hashes. */
void trui_hash_f64(hash *h, double value);
void trui_hash_vec3(hash *h, tru_vec3 v);
void trui_hash_quat(hash *h, tru_quat q);
/* Adds a length and its bytes, so that ("ab", "c") and ("a", "bc") differ. */
void trui_hash_bytes(hash *h, const void *bytes, size_t count);
void trui_hash_text(hash *h, const char *text);
/* Returns the hash of everything added so far; more may be added afterwards. */
uint64_t trui_hash_end(const hash *h);

/* A value with its name; 0 is the default of every value. */
typedef struct named_value {
    const char *name;
    double value; /* [unit of the quantity] */
} named_value;
/* Returns the sum modulo 2^64 of a hash of each name with a value other than 0. Neither the order of the values nor a new name with
 * value 0 changes the result. */
uint64_t trui_hash_named(const named_value *values, size_t count);

#endif
