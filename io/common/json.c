/* json.c: a small JSON writer: commas, indentation, escapes, numbers that read back to the same bits in any locale. */
#include <trundle/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

struct tru_json {
    char *text;
    size_t count, room;
    int depth;
    bool lost; /* memory ran out, or containers were nested too deep */
    struct level {
        bool array, used, broken; /* true if every entry has its own line */
    } levels[DEEPEST];
};

tru_json *tru_json_begin(void) { return calloc(1, sizeof(tru_json)); }

void tru_json_free(tru_json *j) {
    if (j) free(j->text);
    free(j);
}

static void put(tru_json *j, const char *bytes, size_t count) {
    if (j->count + count + 1 > j->room) {
        const size_t room = 2 * j->room + count + 256;
        char *text = j->lost ? NULL : realloc(j->text, room);
        if (!text) {
            j->lost = true;
            return;
        }
        j->text = text;
        j->room = room;
    }
    memcpy(j->text + j->count, bytes, count);
    j->count += count;
    j->text[j->count] = '\0';
}

static void put_text(tru_json *j, const char *text) { put(j, text, strlen(text)); }

static void new_line(tru_json *j) {
    put(j, "\n", 1);
    for (int i = 0; i < j->depth; i++) put(j, "  ", 2);
}

/* Returns the length of the UTF-8 sequence at s [RFC 3629]; 0 if it is not one. */
static size_t utf8_length(const unsigned char *s) {
    const unsigned char c = s[0];
    if (c < 0x80) return 1;
    if (c >= 0xc2 && c < 0xe0 && (s[1] & 0xc0) == 0x80) return 2;
    if (c >= 0xe0 && c < 0xf0 && (s[1] & 0xc0) == 0x80 && (s[2] & 0xc0) == 0x80) {
        const unsigned point = (c & 15u) << 12 | (s[1] & 63u) << 6;
        return point >= 0x800 && (point < 0xd800 || point >= 0xe000) ? 3 : 0;
    }
    if (c >= 0xf0 && c < 0xf5 && (s[1] & 0xc0) == 0x80 && (s[2] & 0xc0) == 0x80 && (s[3] & 0xc0) == 0x80) {
        const unsigned high = (c & 7u) << 6 | (s[1] & 63u); /* code point / 4096 */
        return high >= 0x10 && high < 0x110 ? 4 : 0;
    }
    return 0;
}

static void put_quoted(tru_json *j, const char *text) {
    static const char *const names = "\bb\tt\nn\ff\rr\"\"\\\\";
    const unsigned char *s = (const unsigned char *)text;
    put(j, "\"", 1);
    while (*s) {
        const size_t length = utf8_length(s);
        const char *name = NULL;
        for (const char *n = names; *n; n += 2)
            if (*n == (char)*s) name = n + 1;
        if (name) {
            put(j, "\\", 1);
            put(j, name, 1);
        } else if (length == 0) {
            put_text(j, "\xef\xbf\xbd"); /* the replacement character, so that the document stays valid */
        } else if (*s < 0x20 || *s == 0x7f || (*s == 0xc2 && s[1] < 0xa0)) { /* control characters, C1 included */
            char code[8];
            snprintf(code, sizeof code, "\\u%04x", (unsigned)s[length - 1]);
            put_text(j, code);
        } else {
            put(j, (const char *)s, length);
        }
        s += length > 0 ? length : 1;
    }
    put(j, "\"", 1);
}

/* Writes what precedes a value: comma, line break (members, and containers in arrays), key. */
static void before(tru_json *j, const char *key, bool container) {
    struct level *top = j->depth > 0 ? &j->levels[j->depth - 1] : NULL;
    if (top) {
        const bool own_line = !top->array || container;
        if (top->used) put(j, own_line ? "," : ", ", own_line ? 1 : 2);
        if (own_line) new_line(j);
        top->broken |= own_line;
        top->used = true;
    }
    if (key && top && !top->array) {
        put_quoted(j, key);
        put(j, ": ", 2);
    }
}

static void open_container(tru_json *j, const char *key, bool array) {
    before(j, key, true);
    put(j, array ? "[" : "{", 1);
    if (j->depth == DEEPEST) {
        j->lost = true;
        return;
    }
    j->levels[j->depth++] = (struct level){.array = array};
}

void tru_json_object(tru_json *j, const char *key) { open_container(j, key, false); }
void tru_json_array(tru_json *j, const char *key) { open_container(j, key, true); }

void tru_json_close(tru_json *j) {
    if (j->depth == 0) return;
    const struct level top = j->levels[--j->depth];
    if (top.broken) new_line(j);
    put(j, top.array ? "]" : "}", 1);
}

void tru_json_number(tru_json *j, const char *key, double value) {
    char text[64] = "null";
    if (isfinite(value)) tru_unit_format(TRU_UNIT_ONE, value, text, sizeof text);
    before(j, key, false);
    put_text(j, text);
}

void tru_json_integer(tru_json *j, const char *key, int64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    before(j, key, false);
    put_text(j, text);
}

void tru_json_text(tru_json *j, const char *key, const char *value) {
    before(j, key, false);
    if (value)
        put_quoted(j, value);
    else
        put_text(j, "null");
}

void tru_json_bool(tru_json *j, const char *key, bool value) {
    before(j, key, false);
    put_text(j, value ? "true" : "false");
}

const char *tru_json_done(tru_json *j) {
    if (!j) return NULL;
    while (j->depth > 0) tru_json_close(j);
    if (j->count > 0 && !j->lost && j->text[j->count - 1] != '\n') put(j, "\n", 1);
    return j->lost ? NULL : j->text;
}
