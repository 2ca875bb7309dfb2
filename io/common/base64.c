/* base64.c: bytes as text. */
#include "base64.h"

#include <stdlib.h>

size_t trio_base64_into(const unsigned char *in, size_t count, char *out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        const size_t left = count - i;
        const unsigned a = in[i], b = left > 1 ? in[i + 1] : 0, c = left > 2 ? in[i + 2] : 0;
        *out++ = digits[a >> 2];
        *out++ = digits[(a & 3) << 4 | b >> 4];
        *out++ = left > 1 ? digits[(b & 15) << 2 | c >> 6] : '=';
        *out++ = left > 2 ? digits[c & 63] : '=';
    }
    return (count + 2) / 3 * 4;
}

char *trio_base64(const unsigned char *in, size_t count, size_t *length) {
    char *text = malloc((count + 2) / 3 * 4 + 1);
    if (!text) return NULL;
    *length = trio_base64_into(in, count, text);
    text[*length] = '\0';
    return text;
}
