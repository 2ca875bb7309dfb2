/* yaml_tree.c: builds a tree from libyaml's events, with its own limits and a place for every error. */
#include "yaml_tree.h"

#include "common/fail.h"
#include "common/grow.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* ---- storage ---- */

bool trio_tree_add_text(tree *t, const char *text, size_t length, uint32_t *out) {
    if (t->text_count + length + 1 > UINT32_MAX / 2) return false;
    if (!GROW(t->text, t->text_room, t->text_count + length + 1)) return false;
    memcpy(t->text + t->text_count, text, length);
    t->text[t->text_count + length] = '\0';
    *out = (uint32_t)t->text_count;
    t->text_count += length + 1;
    return true;
}

bool trio_tree_add_node(tree *t, node n, node_id *out) {
    if (t->node_count > NODE_MOST) return false;
    if (!GROW(t->nodes, t->node_room, t->node_count + 1)) return false;
    *out = (node_id)t->node_count;
    t->nodes[t->node_count++] = n;
    return true;
}

/* Place 0 of both arrays means "none". */
static bool begin(tree *t, const char *name) {
    uint32_t ignored;
    *t = (tree){0};
    t->file = copy_text(name);
    if (!t->file || !trio_tree_add_text(t, "", 0, &ignored) || !trio_tree_add_node(t, (node){0}, &ignored))
        return false;
    return true;
}

void trio_tree_release(tree *t) {
    free(t->file);
    free(t->nodes);
    free(t->text);
    free(t->lines);
    free(t->changes);
    *t = (tree){0};
}

static void *copy_of(const void *block, size_t bytes) {
    void *copy = malloc(bytes > 0 ? bytes : 1);
    if (copy && bytes > 0) memcpy(copy, block, bytes);
    return copy;
}

tru_status trio_tree_copy(tree *t, const tree *from, tru_error *err) {
    *t = *from;
    t->file = copy_of(from->file, strlen(from->file) + 1);
    t->nodes = copy_of(from->nodes, from->node_count * sizeof *t->nodes);
    t->text = copy_of(from->text, from->text_count);
    t->lines = copy_of(from->lines, from->line_count * sizeof *t->lines);
    t->changes = copy_of(from->changes, from->change_count * sizeof *t->changes);
    t->node_room = from->node_count;
    t->text_room = from->text_count;
    t->line_room = from->line_count;
    t->change_room = from->change_count;
    if (t->file && t->nodes && t->text && t->lines && t->changes) return TRU_OK;
    trio_tree_release(t);
    return trio_no_memory(err);
}

/* ---- reading the tree ---- */

node_kind trio_tree_kind(const tree *t, node_id n) { return (node_kind)t->nodes[n].kind; }

const char *trio_tree_text(const tree *t, node_id n) {
    return t->nodes[n].kind == NODE_TEXT ? t->text + t->nodes[n].value : "";
}

const char *trio_tree_key(const tree *t, node_id n) { return t->nodes[n].key ? t->text + t->nodes[n].key : NULL; }

node_id trio_tree_first(const tree *t, node_id n) { return t->nodes[n].kind == NODE_TEXT ? 0 : t->nodes[n].value; }

node_id trio_tree_next(const tree *t, node_id n) { return t->nodes[n].next; }

node_id trio_tree_find(const tree *t, node_id map, const char *key) {
    if (trio_tree_kind(t, map) != NODE_MAP) return 0;
    node_id n = trio_tree_first(t, map);
    while (n && strcmp(trio_tree_key(t, n), key) != 0) n = trio_tree_next(t, n);
    return n;
}

node_id trio_tree_item(const tree *t, node_id list, size_t k) {
    node_id n = trio_tree_first(t, list);
    for (; n && k > 0; k--) n = trio_tree_next(t, n);
    return n;
}

size_t trio_tree_count(const tree *t, node_id n) {
    size_t count = 0;
    for (node_id c = trio_tree_first(t, n); c; c = trio_tree_next(t, c)) count++;
    return count;
}

bool trio_tree_is_empty(const tree *t, node_id n) {
    if (t->nodes[n].kind != NODE_TEXT || t->nodes[n].quoted) return false;
    const char *text = trio_tree_text(t, n);
    return *text == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0;
}

/* ---- sentences ---- */

void trio_tree_line(const tree *t, tree_at at, uint32_t *line, uint32_t *column) {
    size_t low = 0, high = t->line_count; /* the last line that begins at `at` or before it is in [low, high) */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (t->lines[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    *line = (uint32_t)low + 1;
    *column = at - (t->line_count ? t->lines[low] : 0) + 1;
}

void trio_tree_place(const tree *t, node_id n, bool of_key, char *out, size_t room) {
    const node *here = &t->nodes[n];
    const tree_at at = of_key && here->key ? here->key_at : here->at;
    uint32_t line, column;
    if (at < AT_CHANGE) {
        trio_tree_line(t, at, &line, &column);
        snprintf(out, room, "%s:%u:%u", t->file, line, column);
    } else if (at - AT_CHANGE < t->change_count) {
        snprintf(out, room, "set %s", t->text + t->changes[at - AT_CHANGE].text);
    } else {
        snprintf(out, room, "%s", t->file);
    }
}

tru_status trio_tree_prefix(const tree *t, node_id n, bool of_key, tru_error *err) {
    if (!err) return TRU_BAD_ARGUMENT;
    char place[300];
    const tru_error inner = *err;
    trio_tree_place(t, n, of_key, place, sizeof place);
    return trio_fail(err, inner.status, "%s: %s", place, inner.text);
}

tru_status trio_tree_fail(const tree *t, node_id n, bool of_key, tru_error *err, tru_status status, const char *format,
                          ...) {
    if (!err) return status;
    va_list args;
    va_start(args, format);
    err->status = status;
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return trio_tree_prefix(t, n, of_key, err);
}

/* ---- repeated keys ---- */

static tru_status repeated(const tree *t, node_id first, node_id again, tru_error *err) {
    const tree_at at = t->nodes[first].key_at;
    uint32_t line, column;
    if (at >= AT_CHANGE || t->nodes[again].key_at >= AT_CHANGE)
        return trio_tree_fail(t, again, true, err, TRU_BAD_ARGUMENT, "key '%s' is repeated", trio_tree_key(t, again));
    trio_tree_line(t, at, &line, &column);
    return trio_tree_fail(t, again, true, err, TRU_BAD_ARGUMENT, "key '%s' is repeated; it is in line %u already",
                          trio_tree_key(t, again), line);
}

static uint64_t hash_text(const char *text) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++) h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h ^ h >> 32;
}

/* Finds a repeated key of a large map with a hash table. Small maps are searched directly. */
static tru_status check_large(const tree *t, node_id map, size_t count, tru_error *err) {
    size_t room = 64;
    while (room < 2 * count) room *= 2;
    node_id *slots = calloc(room, sizeof *slots);
    if (!slots) return trio_no_memory(err);
    tru_status s = TRU_OK;
    for (node_id n = trio_tree_first(t, map); n && !s; n = trio_tree_next(t, n)) {
        size_t i = hash_text(trio_tree_key(t, n)) & (room - 1);
        while (slots[i] && strcmp(trio_tree_key(t, slots[i]), trio_tree_key(t, n)) != 0) i = (i + 1) & (room - 1);
        if (slots[i]) s = repeated(t, slots[i], n, err);
        slots[i] = n;
    }
    free(slots);
    return s;
}

static tru_status check_keys(const tree *t, node_id map, tru_error *err) {
    const size_t count = trio_tree_count(t, map);
    if (count > 16) return check_large(t, map, count, err);
    for (node_id n = trio_tree_first(t, map); n; n = trio_tree_next(t, n))
        for (node_id k = trio_tree_first(t, map); k != n; k = trio_tree_next(t, k))
            if (strcmp(trio_tree_key(t, k), trio_tree_key(t, n)) == 0) return repeated(t, k, n, err);
    return TRU_OK;
}

/* ---- events to nodes ---- */

typedef struct level {
    node_id id, last;
    bool has_key; /* of a map: the key of the next value was read */
    uint32_t key;
    tree_at key_at;
} level;

enum { KNOWN_KEYS = 64 };

typedef struct builder {
    tree *t;
    uint32_t change;  /* number of the change that is read */
    bool from_change; /* */
    level levels[TREE_DEEPEST];
    int depth;
    node_id root;
    uint32_t known[KNOWN_KEYS]; /* by hash: a key that was read and may come again */
    tru_error *err;
} builder;

/* Marks are in the order of the file, except keys that the parser recognises by what follows them. */
static bool take_place(builder *b, const yaml_mark_t *m, tree_at *out) {
    tree *t = b->t;
    *out = b->from_change ? AT_CHANGE + b->change : (tree_at)m->index;
    if (b->from_change || m->line < t->line_count) return true;
    if (!GROW(t->lines, t->line_room, m->line + 1)) return false;
    while (t->line_count <= m->line) t->lines[t->line_count++] = (uint32_t)(m->index - m->column);
    return true;
}

/* Fails at a place that has no node. */
static tru_status fail_at(builder *b, const yaml_mark_t *m, const char *sentence) {
    node here = {0};
    if (!take_place(b, m, &here.at)) return trio_no_memory(b->err);
    tree shadow = *b->t;
    shadow.nodes = &here;
    return trio_tree_fail(&shadow, 0, false, b->err, TRU_BAD_ARGUMENT, "%s", sentence);
}

/* Stores the text of a key once: most bodies of a large file have the same keys. */
static bool take_key_text(builder *b, const char *text, size_t length, uint32_t *out) {
    uint32_t *known = &b->known[hash_text(text) % KNOWN_KEYS];
    if (*known && strcmp(b->t->text + *known, text) == 0) {
        *out = *known;
        return true;
    }
    if (!trio_tree_add_text(b->t, text, length, out)) return false;
    *known = *out;
    return true;
}

static tru_status take_key(builder *b, const yaml_event_t *e) {
    level *top = &b->levels[b->depth - 1];
    const char *text = (const char *)e->data.scalar.value;
    if (e->data.scalar.length == 0) return fail_at(b, &e->start_mark, "a key is empty");
    if (!take_key_text(b, text, e->data.scalar.length, &top->key) || !take_place(b, &e->start_mark, &top->key_at))
        return trio_no_memory(b->err);
    top->has_key = true;
    return TRU_OK;
}

/* A new node below the innermost list or map, or the root. */
static tru_status take_node(builder *b, const yaml_mark_t *m, node n, node_id *out) {
    level *top = b->depth > 0 ? &b->levels[b->depth - 1] : NULL;
    if (!take_place(b, m, &n.at)) return trio_no_memory(b->err);
    if (top && top->has_key) {
        n.key = top->key;
        n.key_at = top->key_at;
        top->has_key = false;
    }
    if (!trio_tree_add_node(b->t, n, out)) return trio_no_memory(b->err);
    if (!top)
        b->root = *out;
    else if (top->last)
        b->t->nodes[top->last].next = *out & NODE_MOST;
    else
        b->t->nodes[top->id].value = *out;
    if (top) top->last = *out;
    return TRU_OK;
}

static bool wants_key(const builder *b) {
    if (b->depth == 0) return false;
    const level *top = &b->levels[b->depth - 1];
    return b->t->nodes[top->id].kind == NODE_MAP && !top->has_key;
}

static tru_status take_scalar(builder *b, const yaml_event_t *e) {
    const char *text = (const char *)e->data.scalar.value;
    const size_t length = e->data.scalar.length;
    node_id id;
    if (strlen(text) != length) return fail_at(b, &e->start_mark, "a text has a zero byte in it");
    if (wants_key(b)) return take_key(b, e);
    node n = {.kind = NODE_TEXT, .quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE};
    if (!trio_tree_add_text(b->t, text, length, &n.value)) return trio_no_memory(b->err);
    return take_node(b, &e->start_mark, n, &id);
}

static tru_status take_start(builder *b, const yaml_event_t *e, node_kind kind) {
    char sentence[80];
    node_id id = 0;
    if (wants_key(b)) return fail_at(b, &e->start_mark, "a key must be a word, not a list or a map");
    if (b->depth == TREE_DEEPEST) {
        snprintf(sentence, sizeof sentence, "lists and maps are nested more than %d levels deep", TREE_DEEPEST);
        return fail_at(b, &e->start_mark, sentence);
    }
    const tru_status s = take_node(b, &e->start_mark, (node){.kind = kind & 3u}, &id);
    if (s < 0) return s;
    b->levels[b->depth++] = (level){.id = id};
    return TRU_OK;
}

static tru_status take_end(builder *b) {
    const level *top = &b->levels[--b->depth];
    return b->t->nodes[top->id].kind == NODE_MAP ? check_keys(b->t, top->id, b->err) : TRU_OK;
}

static tru_status check_marks(builder *b, const yaml_event_t *e, const yaml_char_t *anchor, const yaml_char_t *tag) {
    if (anchor) return fail_at(b, &e->start_mark, "anchors (&name) are not allowed");
    if (tag) return fail_at(b, &e->start_mark, "tags (!name) are not allowed");
    return TRU_OK;
}

static tru_status take_event(builder *b, const yaml_event_t *e) {
    tru_status s = TRU_OK;
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        return b->root ? fail_at(b, &e->start_mark, "a second document begins; a file must have one") : TRU_OK;
    case YAML_ALIAS_EVENT:
        return fail_at(b, &e->start_mark, "aliases (*name) are not allowed; put a product in quotation marks");
    case YAML_SCALAR_EVENT:
        s = check_marks(b, e, e->data.scalar.anchor, e->data.scalar.tag);
        return s ? s : take_scalar(b, e);
    case YAML_SEQUENCE_START_EVENT:
        s = check_marks(b, e, e->data.sequence_start.anchor, e->data.sequence_start.tag);
        return s ? s : take_start(b, e, NODE_LIST);
    case YAML_MAPPING_START_EVENT:
        s = check_marks(b, e, e->data.mapping_start.anchor, e->data.mapping_start.tag);
        return s ? s : take_start(b, e, NODE_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return take_end(b);
    default:
        return TRU_OK;
    }
}

/* Returns a hint for a common error, NULL for others. Moves `m` to where the error begins. */
static const char *advice(const yaml_parser_t *p, const char *text, size_t bytes, yaml_mark_t *m) {
    const char at = m->index < bytes ? text[m->index] : '\0';
    if (strstr(p->problem, "cannot start any token"))
        return at == '\t' ? "a tab; indent with spaces"
                          : "this character cannot begin a value; put it in quotation marks";
    if (strstr(p->problem, "mapping values are not allowed"))
        return "a second colon in a line; put texts in quotation marks, several keys in braces {a: 1, b: 2}";
    if (!strstr(p->problem, "could not find expected ':'")) return NULL;
    *m = p->context_mark;
    return "a key needs a colon and a space after it";
}

/* Builds our sentence from an error of libyaml. Bytes that are not text have an offset instead of a mark. */
static tru_status yaml_failure(builder *b, const yaml_parser_t *p, const char *text, size_t bytes) {
    char sentence[300];
    yaml_mark_t m = p->problem_mark;
    const char *problem = p->problem ? p->problem : "unknown error";
    if (p->error == YAML_MEMORY_ERROR) return trio_no_memory(b->err);
    if (p->error == YAML_READER_ERROR) {
        m = (yaml_mark_t){0};
        for (size_t i = 0; i < p->problem_offset; i++) {
            const bool character = (text[i] & 0xc0) != 0x80; /* not the rest of one */
            m.index += character;
            m.column = text[i] == '\n' ? 0 : m.column + character;
            m.line += text[i] == '\n';
        }
        snprintf(sentence, sizeof sentence, "not a text file: %s", problem);
    } else {
        const char *help = p->problem ? advice(p, text, bytes, &m) : NULL;
        const bool where = p->context && p->context_mark.line != m.line && !b->from_change;
        snprintf(sentence, sizeof sentence, "not YAML: %s", help ? help : problem);
        if (help)
            return fail_at(b, &m, sentence);
        else if (where)
            snprintf(sentence, sizeof sentence, "not YAML: %s, %s that begins in line %zu", problem, p->context,
                     p->context_mark.line + 1);
        else if (p->context)
            snprintf(sentence, sizeof sentence, "not YAML: %s, %s", problem, p->context);
    }
    return fail_at(b, &m, sentence);
}

static tru_status build(builder *b, const char *text, size_t bytes) {
    yaml_parser_t p;
    yaml_event_t e;
    tru_status s = TRU_OK;
    if (!yaml_parser_initialize(&p)) return trio_no_memory(b->err);
    yaml_parser_set_input_string(&p, (const unsigned char *)text, bytes);
    for (bool more = true; more && !s;) {
        if (!yaml_parser_parse(&p, &e)) {
            s = yaml_failure(b, &p, text, bytes);
            break;
        }
        more = e.type != YAML_STREAM_END_EVENT;
        s = take_event(b, &e);
        yaml_event_delete(&e);
    }
    yaml_parser_delete(&p);
    return s;
}

tru_status trio_tree_append(tree *t, const char *text, size_t bytes, uint32_t change, node_id *out, tru_error *err) {
    builder b = {.t = t, .change = change, .from_change = true, .err = err};
    const tru_status s = build(&b, text, bytes);
    *out = b.root;
    if (s < 0 || b.root) return s;
    return fail_at(&b, &(yaml_mark_t){0}, "the value is empty");
}

/* Arrays grow by doubling. A large tree releases what it does not need. */
static void trim(tree *t) {
    node *nodes = realloc(t->nodes, t->node_count * sizeof *nodes);
    char *text = realloc(t->text, t->text_count);
    uint32_t *lines = realloc(t->lines, t->line_count * sizeof *lines);
    if (nodes) t->nodes = nodes, t->node_room = t->node_count;
    if (text) t->text = text, t->text_room = t->text_count;
    if (lines) t->lines = lines, t->line_room = t->line_count;
}

tru_status trio_tree_parse(tree *t, const char *text, size_t bytes, const char *name, tru_error *err) {
    tru_status s = TRU_OK;
    if (!begin(t, name)) {
        trio_tree_release(t);
        return trio_no_memory(err);
    }
    builder b = {.t = t, .err = err};
    s = build(&b, text, bytes);
    if (!s && (!b.root || trio_tree_is_empty(t, b.root)))
        s = trio_fail(err, TRU_BAD_ARGUMENT, "%s:1:1: the file is empty", name);
    if (s)
        trio_tree_release(t);
    else
        trim(t);
    return s;
}

/* ---- files ---- */

/* Reads all bytes of a file, up to one more than the limit. */
static tru_status read_bytes(FILE *file, const char *path, char **out, size_t *bytes, tru_error *err) {
    size_t room = 0;
    *out = NULL;
    *bytes = 0;
    for (size_t got = 1; got > 0 && *bytes <= TREE_BYTES; *bytes += got) {
        if (!GROW(*out, room, *bytes + 65536)) return trio_no_memory(err);
        errno = 0;
        got = fread(*out + *bytes, 1, 65536, file);
        if (ferror(file) && errno == EISDIR)
            return trio_fail(err, TRU_BAD_ARGUMENT, "%s: is a folder, not a file", path);
        if (ferror(file)) return trio_fail_file(err, path, "cannot be read", errno);
    }
    if (*bytes <= TREE_BYTES) return TRU_OK;
    return trio_fail(err, TRU_BAD_ARGUMENT, "%s: is larger than %d MiB, the limit for such files", path,
                     TREE_BYTES >> 20);
}

tru_status trio_tree_read(tree *t, const char *path, tru_error *err) {
    char *text = NULL;
    size_t bytes;
    *t = (tree){0};
    FILE *file = fopen(path, "rb");
    if (!file) return trio_fail_file(err, path, "cannot be opened", errno);
    tru_status s = read_bytes(file, path, &text, &bytes, err);
    fclose(file);
    if (!s) s = trio_tree_parse(t, text, bytes, path, err);
    free(text);
    return s;
}
