/* words.h: lists of words in one string, "midpoint|paper", as the choices of a field are written. */
#ifndef TRUNDLE_BASE_WORDS_H
#define TRUNDLE_BASE_WORDS_H

#include <trundle/trundle.h>

int words_count(const char *words);
/* The k-th word; false if there is none, or no room. */
bool words_at(const char *words, int k, char *out, size_t room);
/* Index of a word, -1 if it is not there. */
int words_find(const char *words, const char *word);
/* Words from the k-th on as "midpoint, paper". */
void words_list(const char *words, int first, char *out, size_t room);

#endif
