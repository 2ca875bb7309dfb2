/* base64.h: bytes as text. */
#ifndef TRUNDLE_IO_BASE64_H
#define TRUNDLE_IO_BASE64_H

#include <stddef.h>

/* Writes the text of `count` bytes, 4 letters for every 3 bytes begun, without a zero; returns how many letters. */
size_t trio_base64_into(const unsigned char *bytes, size_t count, char *out);
/* With a zero behind it, for free(); NULL: no memory. */
char *trio_base64(const unsigned char *bytes, size_t count, size_t *length);

#endif
