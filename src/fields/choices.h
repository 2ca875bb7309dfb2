/* choices.h: the choices of a field: words in one string, separated by a bar, such as "midpoint|paper". */
#ifndef TRUNDLE_FIELDS_CHOICES_H
#define TRUNDLE_FIELDS_CHOICES_H

#include <trundle/trundle.h>

/* Returns the number of words; 0 for NULL or an empty string. */
int trui_choices_count(const char *words);
/* Copies word k, counted from 0; false if there is none or if it does not fit. */
bool trui_choices_at(const char *words, int k, char *out, size_t room);
/* Returns the index of a word; -1 if it is not a choice. */
int trui_choices_find(const char *words, const char *word);
/* Writes the words from `first` on as "midpoint, paper"; cuts what does not fit. */
void trui_choices_list(const char *words, int first, char *out, size_t room);

#endif
