/* choices.c: words of a choice, and the known name that is nearest to a mistyped one. */
#include "fields/choices.h"

#include "base/assert.h"

#include <trundle/plugin.h>

#include <stdio.h>
#include <string.h>

int trui_choices_count(const char *words) {
    int count = words && *words ? 1 : 0;
    for (; count && *words; words++) count += *words == '|';
    return count;
}

bool trui_choices_at(const char *words, int k, char *out, size_t room) {
    if (k < 0 || k >= trui_choices_count(words)) return false;
    for (; k > 0; k--) {
        words += strcspn(words, "|");
        TRU_ASSERT(*words == '|');
        words++;
    }
    size_t size = strcspn(words, "|");
    if (size >= room) return false;
    memcpy(out, words, size);
    out[size] = '\0';
    return true;
}

int trui_choices_find(const char *words, const char *word) {
    size_t length = strlen(word);
    for (int k = 0; words && *words; k++) {
        size_t size = strcspn(words, "|");
        if (size == length && memcmp(words, word, length) == 0) return k;
        words += size + (words[size] == '|');
    }
    return -1;
}

void trui_choices_list(const char *words, int first, char *out, size_t room) {
    size_t used = 0;
    out[0] = '\0';
    for (int k = 0; words && *words && used < room; k++) {
        size_t size = strcspn(words, "|");
        if (k >= first)
            used += (size_t)snprintf(out + used, room - used, "%s%.*s", k > first ? ", " : "", (int)size, words);
        words += size + (words[size] == '|');
    }
}

/* ---- nearest name ---- */

/* Cost of an edit and of a slip, which is a wrong case or "-" for "_". At this ratio a word in capitals is still near. */
enum { LONGEST_NAME = 64, EDIT = 4, SLIP = 1 };

static char plain(char c) { return c == '-' ? '_' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static int change_cost(char a, char b) { return a == b ? 0 : plain(a) == plain(b) ? SLIP : EDIT; }

static int least(int a, int b) { return a < b ? a : b; }

/* Returns the Damerau-Levenshtein distance (insert, delete, change, swap neighbours) in units of a slip. Three rows of the table of
 * distances are kept. */
static int distance(const char *a, const char *b) {
    int rows[3][LONGEST_NAME + 1], *before = rows[0], *last = rows[1], *row = rows[2];
    int length = (int)strlen(b);
    TRU_ASSERT(length <= LONGEST_NAME);
    for (int j = 0; j <= length; j++) before[j] = 0, last[j] = j * EDIT;
    for (int i = 1; a[i - 1]; i++) {
        row[0] = i * EDIT;
        for (int j = 1; j <= length; j++) {
            int best = least(last[j], row[j - 1]) + EDIT;
            best = least(best, last[j - 1] + change_cost(a[i - 1], b[j - 1]));
            bool swapped = i > 1 && j > 1 && plain(a[i - 1]) == plain(b[j - 2]) && plain(a[i - 2]) == plain(b[j - 1]);
            row[j] = swapped ? least(best, before[j - 2] + EDIT) : best;
        }
        int *unused = before;
        before = last, last = row, row = unused;
    }
    TRU_ASSERT(last[length] >= 0);
    return last[length];
}

static size_t word_length(const char *at) {
    size_t n = 0;
    while (at[n] && plain(at[n]) != '_') n++;
    return n;
}

/* Returns true if one of the words of a name, which "_" separates, is `word`. Case does not matter, nor "-" for "_". */
static bool holds_word(const char *name, const char *word, size_t length) {
    for (;; name++) {
        const size_t size = word_length(name);
        size_t same = 0;
        while (same < length && same < size && plain(name[same]) == plain(word[same])) same++;
        if (size == length && same == length) return true;
        name += size;
        if (!*name) return false;
    }
}

/* Returns true if every word of `part` is one of `name`, as "static" in "slide_static". At least one needs more than two letters. */
static bool holds_words(const char *name, const char *part) {
    size_t longest = 0;
    for (;; part++) {
        const size_t length = word_length(part);
        if (!holds_word(name, part, length)) return false;
        if (length > longest) longest = length;
        part += length;
        if (!*part) return longest > 2;
    }
}

/* Returns the shortest known name that has all words of `name`. Otherwise the longest one whose words are all in `name`, or NULL. */
static const char *name_with_words(const char *name, const char *const *names, size_t count) {
    const char *longer = NULL, *shorter = NULL;
    for (size_t k = 0; k < count; k++) {
        if (!names[k]) continue;
        const size_t length = strlen(names[k]);
        if (holds_words(names[k], name) && (!longer || length < strlen(longer))) longer = names[k];
        if (holds_words(name, names[k]) && (!shorter || length > strlen(shorter))) shorter = names[k];
    }
    return longer ? longer : shorter;
}

/* A name is near if it needs at most one edit per three letters, rounded up, and not every letter changes. If no name is near, one with
 * the same words is returned. */
const char *tru_nearest_name(const char *name, const char *const *names, size_t count) {
    const char *nearest = NULL;
    int best = 0;
    size_t length = strlen(name);
    if (length >= LONGEST_NAME) return NULL;
    for (size_t k = 0; k < count; k++) {
        size_t other = names[k] ? strlen(names[k]) : LONGEST_NAME;
        if (other >= LONGEST_NAME) continue;
        int longer = (int)(length > other ? length : other), far = distance(name, names[k]);
        bool near = far <= (longer + 2) / 3 * EDIT && far < longer * EDIT;
        if (near && (!nearest || far < best)) nearest = names[k], best = far;
    }
    return nearest ? nearest : name_with_words(name, names, count);
}
