/* test_choices.c: the words of a choice: count, order, names that begin alike, and texts that do not fit. */
#include "check.h"

#include "fields/choices.h"

#include <string.h>

static const char words[] = "mid|midpoint|paper";

TEST(words_are_counted_and_found) {
    check(trui_choices_count(NULL) == 0 && trui_choices_count("") == 0);
    check(trui_choices_count("one") == 1 && trui_choices_count(words) == 3);
    char word[16];
    for (int k = 0; k < 3; k++)
        check(trui_choices_at(words, k, word, sizeof word) && trui_choices_find(words, word) == k);
    check(!trui_choices_at(words, 3, word, sizeof word) && !trui_choices_at(words, -1, word, sizeof word));
}

/* Neither a beginning nor a continuation of a word is that word. */
TEST(only_whole_words_count) {
    check(trui_choices_find(words, "midpoint") == 1 && trui_choices_find(words, "mid") == 0);
    check(trui_choices_find(words, "midp") == -1 && trui_choices_find(words, "papers") == -1);
    check(trui_choices_find(words, "") == -1 && trui_choices_find(words, "mid|midpoint") == -1);
    check(trui_choices_find(NULL, "mid") == -1);
}

TEST(texts_that_do_not_fit) {
    char word[9], list[64];
    check(trui_choices_at(words, 1, word, 9)); /* 8 letters and the terminating 0 */
    check_str(word, "midpoint");
    check(!trui_choices_at(words, 1, word, 8));
    trui_choices_list(words, 0, list, sizeof list);
    check_str(list, "mid, midpoint, paper");
    trui_choices_list(words, 1, list, sizeof list);
    check_str(list, "midpoint, paper");
    for (size_t room = 1; room < 21; room++) {
        char cut[64];
        memset(cut, 'x', sizeof cut);
        trui_choices_list(words, 0, cut, room);
        check(strlen(cut) < room && strncmp(cut, "mid, midpoint, paper", strlen(cut)) == 0 && cut[room] == 'x');
    }
}
