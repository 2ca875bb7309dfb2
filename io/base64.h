/* base64.h: bytes as text. */
#ifndef TRUNDLE_IO_BASE64_H
#define TRUNDLE_IO_BASE64_H

#include <stddef.h>

/* With a zero behind it, for free(); NULL: no memory. */
char *base64(const unsigned char *bytes, size_t count, size_t *length);

#endif
