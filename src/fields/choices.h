/* choices.h: lists of words in one string, "midpoint|paper", as the choices of a field are written. */
#ifndef TRUNDLE_FIELDS_CHOICES_H
#define TRUNDLE_FIELDS_CHOICES_H

#include <trundle/trundle.h>

int trui_choices_count(const char *words);
/* The k-th word; false if there is none, or no room. */
bool trui_choices_at(const char *words, int k, char *out, size_t room);
/* Index of a word, -1 if it is not there. */
int trui_choices_find(const char *words, const char *word);
/* Words from the k-th on as "midpoint, paper". */
void trui_choices_list(const char *words, int first, char *out, size_t room);

#endif
