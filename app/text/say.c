/* say.c: text for a terminal, without control characters. */
#include "say.h"

#include "memory.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Returns the bytes of the UTF-8 character at `s`; 0 if it is not one (also if it is overlong, a surrogate or beyond
 * U+10FFFF). */
static size_t character(const unsigned char *s) {
    const size_t bytes = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
    for (size_t k = 1; k < bytes; k++)
        if ((s[k] & 0xC0) != 0x80) return 0;
    if (s[0] == 0xE0 && s[1] < 0xA0) return 0;
    if (s[0] == 0xED && s[1] > 0x9F) return 0;
    if (s[0] == 0xF0 && s[1] < 0x90) return 0;
    if (s[0] == 0xF4 && s[1] > 0x8F) return 0;
    return bytes;
}

/* C0, delete, and C1, which is U+0080 to U+009F. */
static bool is_control(const unsigned char *s) { return s[0] < 0x20 || s[0] == 0x7F || (s[0] == 0xC2 && s[1] < 0xA0); }

static void put_shown(FILE *out, const char *text, const char *kept) {
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        const size_t bytes = character(s);
        if (bytes == 0)
            fprintf(out, "\\x%02x", *s++);
        else if (is_control(s) && !strchr(kept, *s))
            fprintf(out, "\\x%02x", s[bytes - 1]), s += bytes;
        else
            fwrite(s, 1, bytes, out), s += bytes;
    }
}

void say(FILE *out, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *text = need((size_t)length + 1, 1);
    va_start(list, format);
    vsnprintf(text, (size_t)length + 1, format, list);
    va_end(list);
    put_shown(out, text, "\n\t");
    free(text);
}

char *one_line(const char *text) {
    char *shown = NULL;
    size_t length;
    FILE *out = open_memstream(&shown, &length);
    if (!out) no_memory();
    put_shown(out, text, "");
    if (fclose(out) != 0 || !shown) no_memory();
    return shown;
}
