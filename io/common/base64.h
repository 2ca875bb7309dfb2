/* base64.h: bytes as text. */
#ifndef TRUNDLE_IO_BASE64_H
#define TRUNDLE_IO_BASE64_H

#include <stddef.h>

/* Writes the text of `count` bytes, 4 letters per 3 bytes, without a zero at its end. Returns the number of letters. */
size_t trio_base64_into(const unsigned char *bytes, size_t count, char *out);
/* Returns the text of `count` bytes, terminated by zero. The caller frees it. NULL if memory ran out. */
char *trio_base64(const unsigned char *bytes, size_t count, size_t *length);

#endif
