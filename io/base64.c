/* base64.c: bytes as text. */
#include "base64.h"

#include <stdlib.h>

char *base64(const unsigned char *in, size_t count, size_t *length) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = malloc((count + 2) / 3 * 4 + 1), *out = text;
    if (!text) return NULL;
    for (size_t i = 0; i < count; i += 3) {
        const size_t left = count - i;
        const unsigned a = in[i], b = left > 1 ? in[i + 1] : 0, c = left > 2 ? in[i + 2] : 0;
        *out++ = digits[a >> 2];
        *out++ = digits[(a & 3) << 4 | b >> 4];
        *out++ = left > 1 ? digits[(b & 15) << 2 | c >> 6] : '=';
        *out++ = left > 2 ? digits[c & 63] : '=';
    }
    *out = '\0';
    *length = (size_t)(out - text);
    return text;
}
